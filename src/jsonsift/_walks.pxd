# The walk of _walks.py for the compiled build, inlined into whoever calls it.
#
# It does what the methods of Walker do, in one loop for each width of characters.

from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_GET_SIZE
from cpython.bytearray cimport PyByteArray_FromStringAndSize, PyByteArray_Resize
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memset

from jsonsift._built cimport (
    Built, begin_once, drop_all, keep_built, let_go, make_ready,
)
from jsonsift._columns cimport Edits, put_long, rows_at_rate, view_edits
from jsonsift._ledger cimport WORDS, Ledger
from jsonsift._leaves cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ_CHAR,
    apostrophes_in, blanks_in, byte_unit, half_unit, line_end_in, literal_in, name_in,
    plain_number_in, string_in, unit, wide_unit,
)
from jsonsift._loads cimport GAP, MADE, build_told, load_in

cdef extern from "Python.h":
    Py_ssize_t PY_SSIZE_T_MAX
    Py_ssize_t PyList_GET_SIZE(list values) noexcept

cdef enum:
    VALUE = 0  # places, containers and edits as in _codes
    KEY = 1
    AFTER = 3
    DONE = 5
    NOTHING = 0
    OBJECT = 1
    ARRAY = 2
    SCALAR = 6
    COMMENT = 0
    COMMA = 1
    QUOTE_MARK = 1 << 5 | 2  # a word and a kind
    BARE_KEY = 1 << 5 | 3
    INNER_QUOTE = 11 << 5 | 18
    TRUE = 2 << 5 | 4
    FALSE = 3 << 5 | 4
    NULL_ = 4 << 5 | 4
    MOST_LENGTH = 0xFFFF  # of what an edit in one row replaces
    SPARE = 8  # rows that are free at every step
    SHORT_TEXT = 2560  # characters that are mended without any books
    SHORT_DEPTH = 64
    LONGEST_OBJECT = 8192  # characters that are parsed at once
    LONGEST_LIST = 2048
    LEVELS = 0  # where the columns of the stack are, and those of the edits
    EDITS = 2
    GAP_SIZE = 5  # see ``build_in``

# What is certain, as in the books.
cdef struct Certain:
    Py_ssize_t pos, depth, value_at, value_edits, number_at
    Py_ssize_t quoted_keys, bare_keys, quoted_values, member_at, member_edits
    Py_ssize_t objects, arrays, edits, run_from, max_depth, tokens
    int place
    bint comma

# What was passed over and is not certain yet, and the columns.
cdef struct Walked:
    Py_ssize_t depth, value_at, value_edits, number_at
    Py_ssize_t quoted_keys, bare_keys, quoted_values, edits, comma_edits, room, levels
    Py_ssize_t key_at
    int last
    unsigned char* kinds
    unsigned char* lasts
    int32_t* starts
    int32_t* opened
    int32_t* edit_from
    int32_t* edit_what
    Py_ssize_t start, whole
    PyObject* books
    PyObject* columns[5]  # starts, opened, edit_from, edit_what, told or NULL
    int32_t* told  # where the tokens start (see ``build_in``); NULL if nobody asks
    Py_ssize_t tokens, told_room
    Built* built
    PyObject* values  # a list of those of valid containers
    bint is_clean  # no edit was made in the last container
    Py_ssize_t loaded_from  # where one starts that is not certain yet, or -1
    Py_ssize_t vain_to  # up to there all was tried in vain


# ---------------------------------------------------------------------------- books


cdef inline int widen(Walked* walked, int first, Py_ssize_t rows) except -1:
    """Make two of the columns that long."""
    if walked.books == NULL:
        raise IndexError
    PyByteArray_Resize(<bytearray> walked.columns[first], 4 * rows)
    PyByteArray_Resize(<bytearray> walked.columns[first + 1], 4 * rows)
    locate_columns(walked)
    return 0


cdef inline int make_room(Walked* walked, Py_ssize_t pos) except -1:
    """Have room for edits and tokens of the text behind ``pos``, if it goes on so."""
    if walked.edits < walked.room and walked.tokens < walked.told_room:
        return 0
    return make_more_room(walked, pos)


cdef inline int make_more_room(Walked* walked, Py_ssize_t pos) except -1:
    cdef Py_ssize_t rows
    if walked.edits >= walked.room:
        rows = rows_at_rate(walked.edits, pos - walked.start, walked.whole)
        widen(walked, EDITS, rows)
    if walked.told != NULL and walked.tokens >= walked.told_room:
        if walked.columns[4] == NULL:
            raise IndexError
        rows = rows_at_rate(walked.tokens, pos - walked.start, walked.whole)
        PyByteArray_Resize(<bytearray> walked.columns[4], 4 * (rows + SPARE))
        locate_columns(walked)
    return 0


cdef inline void tell(Walked* walked, Py_ssize_t pos) noexcept nogil:
    """Write down a token."""
    if walked.told != NULL:
        walked.told[walked.tokens] = <int32_t> pos
        walked.tokens += 1


cdef inline void tell_quotes_in(Walked* walked, Py_ssize_t pos) noexcept nogil:
    """The token told last, a string, holds quotes; where it ends is told next."""
    if walked.told != NULL:
        walked.told[walked.tokens - 1] = <int32_t> ~pos


cdef inline void locate_columns(Walked* walked) noexcept:
    walked.starts = <int32_t*> PyByteArray_AS_STRING(<bytearray> walked.columns[0])
    walked.opened = <int32_t*> PyByteArray_AS_STRING(<bytearray> walked.columns[1])
    walked.edit_from = <int32_t*> PyByteArray_AS_STRING(<bytearray> walked.columns[2])
    walked.edit_what = <int32_t*> PyByteArray_AS_STRING(<bytearray> walked.columns[3])
    walked.levels = min(
        PyByteArray_GET_SIZE(<bytearray> walked.columns[0]) // 4,
        PyByteArray_GET_SIZE(<bytearray> walked.columns[1]) // 4,
    )
    walked.room = min(
        PyByteArray_GET_SIZE(<bytearray> walked.columns[2]) // 4,
        PyByteArray_GET_SIZE(<bytearray> walked.columns[3]) // 4,
    ) - SPARE
    walked.told_room = PY_SSIZE_T_MAX  # of none
    if walked.columns[4] != NULL:
        walked.told = <int32_t*> PyByteArray_AS_STRING(<bytearray> walked.columns[4])
        walked.told_room = (
            PyByteArray_GET_SIZE(<bytearray> walked.columns[4]) // 4 - SPARE
        )


cdef inline void put_edit(
    Walked* walked, Py_ssize_t start, Py_ssize_t length, int what
) noexcept nogil:
    """Write down an edit whose length a row has room for."""
    walked.edit_from[walked.edits] = <int32_t> start
    walked.edit_what[walked.edits] = <int32_t> (length << 15 | what)
    walked.edits += 1


cdef inline Py_ssize_t stop_walk(
    Certain* certain, Py_ssize_t pos
) noexcept nogil:
    """The walk ends, and no other begins before ``pos``."""
    certain.run_from = pos
    return -1


cdef inline void start_walk(Certain* certain, Walked* walked) noexcept nogil:
    walked.key_at = walked.loaded_from = -1
    walked.depth = certain.depth
    walked.last = walked.lasts[certain.depth]
    walked.value_at = certain.value_at
    walked.value_edits = certain.value_edits
    walked.number_at = certain.number_at
    walked.quoted_keys = certain.quoted_keys
    walked.bare_keys = certain.bare_keys
    walked.quoted_values = certain.quoted_values
    walked.edits = certain.edits


cdef inline void make_certain(
    Certain* certain, Walked* walked, Py_ssize_t pos, int place
) noexcept nogil:
    """All up to ``pos`` is certain."""
    while certain.depth > walked.depth:
        if walked.kinds[certain.depth] == ARRAY:
            certain.arrays -= 1
        else:
            certain.objects -= 1
        certain.depth -= 1
    walked.lasts[certain.depth] = walked.last
    certain.value_at = walked.value_at
    certain.value_edits = walked.value_edits
    certain.number_at = walked.number_at
    certain.quoted_keys = walked.quoted_keys
    certain.bare_keys = walked.bare_keys
    certain.quoted_values = walked.quoted_values
    certain.edits = walked.edits
    certain.tokens = walked.tokens
    certain.place = place
    certain.pos = pos
    walked.loaded_from = -1


cdef inline void take_comma(
    Certain* certain, Walked* walked, Py_ssize_t comma, Py_ssize_t following, int place
) noexcept nogil:
    """All up to the comma is certain, and it leads to what follows."""
    make_certain(certain, walked, following, place)
    certain.member_at = comma
    certain.member_edits = walked.comma_edits
    certain.comma = 1


cdef inline void certify_key(
    Certain* certain, Walked* walked, Py_ssize_t value
) noexcept nogil:
    """Between quotes on both sides a colon is certain, and so is the key before it."""
    if certain.member_at < 0:
        certain.member_at = walked.key_at
        certain.member_edits = walked.edits
    certain.quoted_keys = walked.quoted_keys
    certain.edits = walked.edits
    certain.tokens = walked.tokens
    certain.place = VALUE
    certain.pos = value


cdef inline Py_ssize_t drop_comma(
    Certain* certain, Walked* walked, Py_ssize_t pos
) noexcept nogil:
    """A comma before a closer is certain, and so is all up to it: behind it.

    Those of which there are more than a row has room for are for the steps.
    """
    cdef Py_ssize_t last = walked.comma_edits - 1
    cdef int32_t what = walked.edit_what[last] if last >= certain.member_edits else 0
    if what < 0 or what >> 15 == MOST_LENGTH:
        return stop_walk(certain, pos)
    walked.edits = walked.comma_edits  # those of the remarks come behind
    make_certain(certain, walked, pos + 1, AFTER)
    if (
        last >= certain.member_edits
        and what & 0x7FFF == COMMA
        and walked.edit_from[last] + (what >> 15) == pos
    ):
        walked.edit_what[last] += 1 << 15
    else:
        put_edit(walked, pos, 1, COMMA)
    certain.edits = walked.edits
    return pos + 1


# --------------------------------------------------------------- blanks and scalars


cdef inline int put_long_remark(
    Walked* walked, Py_ssize_t start, Py_ssize_t length
) except -1:
    """Write down a comment whose length is more than a row has room for."""
    cdef Ledger books = <Ledger> walked.books
    put_long(books.long_whats, books.long_count, <int64_t> length << 32 | COMMENT)
    walked.edit_from[walked.edits] = <int32_t> start
    walked.edit_what[walked.edits] = <int32_t> ~books.long_count
    walked.edits += 1
    books.long_count += 1
    return 0


cdef inline Py_ssize_t remarks_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Walked* walked
) except -1:
    """Behind the ``//`` comments at ``pos`` and the blanks; they are dropped."""
    cdef Py_ssize_t line
    while pos + 1 < end and data[pos] == c"/" and data[pos + 1] == c"/":
        line = line_end_in(data, pos, end)
        if line < 0:
            break
        make_room(walked, pos)
        if line - pos <= MOST_LENGTH:
            put_edit(walked, pos, line - pos, COMMENT)
        else:
            put_long_remark(walked, pos, line - pos)
        pos = blanks_in(data, line, end)
    return pos


cdef inline Py_ssize_t gap_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Walked* walked
) except -1:
    pos = blanks_in(data, pos, end)
    if pos < end and data[pos] == c"/":
        return remarks_in(data, pos, end, walked)
    return pos


cdef inline Py_ssize_t skip_key_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Certain* certain, Walked* walked,
    Py_ssize_t* key_end
) noexcept nogil:
    """Where the value behind the key at ``pos`` starts, or -1."""
    cdef Py_ssize_t key, colon
    cdef unsigned int ch
    if pos + 2 >= end:
        return stop_walk(certain, pos)
    ch = data[pos]
    if ch == c'"':
        key = string_in(data, pos + 1, end)
    elif ch == c"'":
        key = apostrophes_in(data, pos + 1, end)
    else:
        key = name_in(data, pos, end)
    if key < pos + 1 or (key == pos + 2 and (ch == c'"' or ch == c"'")):
        return stop_walk(certain, pos + 1)
    key_end[0] = key
    colon = blanks_in(data, key, end)
    if colon + 1 >= end or data[colon] != c":" or data[colon + 1] == c"/":
        return stop_walk(certain, colon)
    return blanks_in(data, colon + 1, end)


cdef inline void note_key(
    Walked* walked, unsigned int ch, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    walked.key_at = -1
    tell(walked, pos)
    if ch == c'"':
        walked.quoted_keys += 1
        walked.key_at = pos
    elif ch == c"'":
        walked.quoted_keys += 1
        put_edit(walked, pos, 1, QUOTE_MARK)
        put_edit(walked, end - 1, 1, QUOTE_MARK)
    else:
        walked.bare_keys += 1
        put_edit(walked, pos, 0, BARE_KEY)
        put_edit(walked, end, 0, BARE_KEY)


cdef inline Py_ssize_t scalar_at(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    """Behind the string, number or literal at ``pos``; -1 if in doubt."""
    cdef unsigned int ch = data[pos]
    cdef Py_ssize_t after
    if ch == c'"' or ch == c"'":
        if ch == c'"':
            after = string_in(data, pos + 1, end)
        else:
            after = apostrophes_in(data, pos + 1, end)
        if after == pos + 2 and after < end and data[after] == ch:
            return -1  # three of them
        return after
    if c"0" <= ch <= c"9" or ch == c"-":
        return plain_number_in(data, pos, end)
    return literal_in(data, pos, end)


cdef inline void note_scalar(
    Walked* walked, unsigned int ch, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    walked.last = SCALAR
    walked.value_at = pos
    walked.value_edits = walked.edits
    walked.number_at = -1
    tell(walked, pos)
    if ch == c'"':
        walked.quoted_values += 1
    elif ch == c"'":
        walked.quoted_values += 1
        put_edit(walked, pos, 1, QUOTE_MARK)
        put_edit(walked, end - 1, 1, QUOTE_MARK)
    elif c"0" <= ch <= c"9" or ch == c"-":
        walked.number_at = pos
    elif ch == c"T":
        put_edit(walked, pos, end - pos, TRUE)
    elif ch == c"F":
        put_edit(walked, pos, end - pos, FALSE)
    elif ch == c"N":
        put_edit(walked, pos, end - pos, NULL_)


# ---------------------------------------------------------------------- inner quotes


cdef inline bint is_wordy(unsigned int ch) noexcept nogil:
    """Whether this is a letter, digit or mark of words that means nothing to JSON."""
    return (
        c"a" <= ch | 32 <= c"z" or c"0" <= ch <= c"9" or ch == c"." or ch == c"!"
        or ch == c"?" or ch == c"-" or ch == c"(" or 0xC0 <= ch <= 0x5FF
        or 0x3002 <= ch <= 0xD7FF
    )


cdef inline bint goes_on_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    """Whether a blank and a word stand here, or a comma, a blank and a word that is no
    key.
    """
    if data[pos] == c"," and pos + 2 < end and data[pos + 1] == c" ":
        pos = name_in(data, pos + 2, end)
    return 0 <= pos < end - 1 and data[pos] == c" " and is_wordy(data[pos + 1])


cdef inline int inner_quote_in(
    const unit* data, Py_ssize_t body, Py_ssize_t pos, Py_ssize_t end, bint opened
) noexcept nogil:
    """What the quote before ``pos`` is in the string from ``body`` on: 1 if it opens
    words in it, 2 if it is part of it otherwise, 0 if it may be its end; -1 if in doubt.

    No quote right before a word closes a string, and none behind an inner one does where
    words go on (see ``QuoteJudge._is_closing``), unless commas or brackets stand before
    it.
    """
    cdef Py_ssize_t at = pos - 2
    cdef unsigned int ch = data[at]
    cdef bint opens = (
        ch == c" " or ch == c"(" or ch == c"<" or ch == c"=" or ch == c":"
        or ch == c"-" or ch == c"/" or ch == c">" or ch == 0x2014
    )
    if pos >= end:
        return -1
    if not is_wordy(data[pos]):
        if not opened:
            return 0
        if not goes_on_in(data, pos, end):
            return -1
    while at > body and data[at] == c" ":
        at -= 1
    ch = data[at]
    if at < body or ch <= 32 or ch == c"," or ch == c'"' or c"{" <= ch | 32 <= c"}":
        return -1
    return 1 if opens and not opened else 2


cdef inline Py_ssize_t inner_quotes_in(
    const unit* data, Py_ssize_t body, Py_ssize_t pos, Py_ssize_t end,
    Certain* certain, Walked* walked
) except -2:
    """Behind the string from ``body`` on, of which the quote before ``pos`` may be a
    part; -1 if in doubt.
    """
    cdef int quote = inner_quote_in(data, body, pos, end, False)
    cdef bint has_quotes = quote > 0
    cdef Py_ssize_t after
    if has_quotes:
        tell_quotes_in(walked, body - 1)
    while quote > 0:
        make_room(walked, pos)
        put_edit(walked, pos - 1, 1, INNER_QUOTE)
        after = string_in(data, pos, end)
        if after < 0:
            return stop_walk(certain, pos)
        pos = after
        quote = inner_quote_in(data, body, pos, end, quote == 1)
    if quote < 0:
        return stop_walk(certain, pos)
    if has_quotes:
        tell(walked, pos)
    return pos


# ------------------------------------------------------------------------ containers


cdef inline Py_ssize_t open_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Certain* certain, Walked* walked,
    bint* due
) except -2:
    """A container opens: behind it where its first value is due, or a closer."""
    cdef int kind = OBJECT if data[pos] == c"{" else ARRAY
    cdef Py_ssize_t value, key_end = 0
    if walked.is_clean and walked.told != NULL and pos >= walked.vain_to:
        value = load_here(data, pos, end, certain.max_depth - walked.depth, walked)
        if value >= 0:
            due[0] = False
            walked.last = kind
            return value
    if certain.depth >= certain.max_depth:
        return stop_walk(certain, pos)
    if walked.depth + 2 >= walked.levels:
        widen(walked, LEVELS, walked.depth + walked.depth // 2 + 32)
    walked.value_at = pos
    walked.value_edits = walked.edits
    walked.number_at = -1
    tell(walked, pos)
    make_certain(certain, walked, pos + 1, KEY if kind == OBJECT else VALUE)
    certain.depth += 1
    certain.objects += kind == OBJECT
    certain.arrays += kind == ARRAY
    certain.member_at = -1
    certain.member_edits = walked.edits
    walked.depth += 1
    walked.last = NOTHING
    walked.kinds[walked.depth] = kind
    walked.lasts[walked.depth] = NOTHING
    walked.starts[walked.depth] = <int32_t> pos
    walked.opened[walked.depth] = <int32_t> walked.edits
    pos = gap_in(data, pos + 1, end, walked)
    if pos >= end:
        return stop_walk(certain, pos)
    if data[pos] == c"}" or data[pos] == c"]":
        due[0] = False
    elif kind == OBJECT:
        value = skip_key_in(data, pos, end, certain, walked, &key_end)
        if value >= 0:
            note_key(walked, data[pos], pos, key_end)
        return value
    return pos


cdef inline Py_ssize_t load_here(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Py_ssize_t most, Walked* walked
) except -2:
    """Behind the container at ``pos`` if it is valid, and its value is made; else -1.

    To parse it takes half the time of walking over it.  It is tried where the last
    container was walked over or parsed without a fault (``is_clean``), and where no try
    has been before (``vain_to``, the last comma that one came to), so that what is
    looked at in vain is looked at once; and little of what is long, since a long list is
    of records and holds a fault sooner or later.  Until a comma behind it leads to
    something it is not certain (``loaded_from``): if the walk stops there, its value
    goes, and the next walk goes through it.
    """
    cdef Built* built = walked.built
    cdef Py_ssize_t longest = LONGEST_OBJECT if data[pos] == c"{" else LONGEST_LIST
    cdef Py_ssize_t after
    cdef list values = <list> walked.values
    begin_once(built, most)
    built.quoted_keys = built.quoted_values = 0
    end = min(end, pos + longest)
    after = load_in(data, pos, end, built)
    if after < 0 or after > end:
        drop_all(built)
        walked.vain_to = built.at + 1
        walked.is_clean = False
        return -1
    tell(walked, MADE)
    tell(walked, PyList_GET_SIZE(values))
    values.append(<object> built.values[0])
    drop_all(built)
    walked.value_at = walked.loaded_from = pos
    walked.value_edits = walked.edits
    walked.number_at = -1
    walked.quoted_keys += built.quoted_keys
    walked.quoted_values += built.quoted_values
    return after


cdef inline bint close_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Walked* walked
) noexcept nogil:
    """Whether the closer at ``pos`` is that of the innermost container, and another
    object or array stands around it, or it is the end of the root and of the text.
    """
    cdef int kind = walked.kinds[walked.depth], around
    if data[pos] == c"}":
        if kind != OBJECT or data[walked.starts[walked.depth] + 1] == c"{":
            return False
    elif data[pos] != c"]" or kind != ARRAY:
        return False
    around = walked.kinds[walked.depth - 1]
    if around != OBJECT and around != ARRAY:
        if walked.depth > 1 or blanks_in(data, pos + 1, end) < end:
            return False
    walked.value_at = walked.starts[walked.depth]
    walked.value_edits = walked.opened[walked.depth]
    walked.number_at = -1
    walked.last = kind
    walked.is_clean = walked.edits == walked.opened[walked.depth]
    walked.depth -= 1
    tell(walked, pos)
    return True


cdef inline Py_ssize_t items_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Certain* certain, Walked* walked
) noexcept nogil:
    """Behind the plain items at ``pos``, each with the comma before it, which follow
    such a one.  What comes before the last is made certain once.
    """
    cdef Walked before
    cdef Py_ssize_t after, behind, following, comma = -1, item = -1
    cdef unsigned int ch
    while (
        data[pos] == c"," and walked.edits < walked.room
        and walked.tokens < walked.told_room
    ):
        following = blanks_in(data, pos + 1, end)
        if following >= end:
            break
        ch = data[following]
        if ch == c"{" or ch == c"[" or ch == c"}" or ch == c"]" or ch == c"/":
            break
        after = scalar_at(data, following, end)
        if after < 0:
            break
        behind = blanks_in(data, after, end)
        if behind >= end or (data[behind] != c"," and data[behind] != c"]"):
            break
        before.value_at = walked.value_at
        before.value_edits = walked.value_edits
        before.number_at = walked.number_at
        before.quoted_values = walked.quoted_values
        before.edits = walked.edits
        before.tokens = walked.tokens
        comma = pos
        item = following
        note_scalar(walked, ch, following, after)
        pos = behind
    if comma >= 0:
        certain.value_at = before.value_at
        certain.value_edits = before.value_edits
        certain.number_at = before.number_at
        certain.quoted_values = before.quoted_values
        certain.edits = certain.member_edits = before.edits
        certain.tokens = before.tokens
        certain.member_at = comma
        certain.pos = item
        walked.lasts[certain.depth] = SCALAR
    return pos


cdef inline Py_ssize_t comma_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Certain* certain, Walked* walked,
    bint* due
) except -2:
    """A comma stands at ``pos``: where a value is due, or what stands behind one."""
    cdef Py_ssize_t after, following, behind
    cdef unsigned int ch
    walked.comma_edits = walked.edits
    following = gap_in(data, pos + 1, end, walked)
    if following >= end:
        return stop_walk(certain, following)
    ch = data[following]
    if ch == c"}" or ch == c"]":
        return drop_comma(certain, walked, pos)
    if walked.kinds[walked.depth] == OBJECT:
        behind = skip_key_in(data, following, end, certain, walked, &after)
        if behind >= 0:
            take_comma(certain, walked, pos, following, KEY)
            note_key(walked, ch, following, after)
            due[0] = True
        return behind
    if ch == c"{" or ch == c"[":
        take_comma(certain, walked, pos, following, VALUE)
        due[0] = True
        return following
    if walked.last == ARRAY:
        return stop_walk(certain, following)  # of a row that lost its opener?
    after = scalar_at(data, following, end)
    if after < 0:
        return stop_walk(certain, following + 1)
    behind = blanks_in(data, after, end)
    if behind >= end or (data[behind] != c"," and data[behind] != c"]"):
        return stop_walk(certain, behind)
    take_comma(certain, walked, pos, following, VALUE)
    note_scalar(walked, ch, following, after)
    return items_in(data, behind, end, certain, walked)


cdef inline Py_ssize_t value_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Certain* certain, Walked* walked,
    bint* due
) except -2:
    """A value is due at ``pos``: what stands behind it, or in it where it opens."""
    cdef Py_ssize_t after
    if pos >= end:
        return stop_walk(certain, pos)
    if data[pos] == c"{" or data[pos] == c"[":
        return open_in(data, pos, end, certain, walked, due)
    after = scalar_at(data, pos, end)
    if after < 0:
        if data[pos] == c'"' and certain.place == KEY and walked.key_at >= 0:
            certify_key(certain, walked, pos)
        return stop_walk(certain, pos + 1)
    note_scalar(walked, data[pos], pos, after)
    due[0] = False
    if data[pos] == c'"' and after < end and is_wordy(data[after]):
        after = inner_quotes_in(data, pos + 1, after, end, certain, walked)
        if after < 0 and certain.place == KEY and walked.key_at >= 0:
            walked.edits = walked.value_edits
            walked.tokens -= walked.told != NULL
            certify_key(certain, walked, pos)
    return after


cdef inline int walk_in(
    const unit* data, Py_ssize_t end, Certain* certain, Walked* walked
) except -1:
    cdef Py_ssize_t start, key_end = 0, pos = gap_in(data, certain.pos, end, walked)
    cdef bint due = certain.place != AFTER
    if certain.place == KEY:
        start = pos
        pos = skip_key_in(data, pos, end, certain, walked, &key_end)
        if pos >= 0:
            note_key(walked, data[start], start, key_end)
    while pos >= 0:
        make_room(walked, pos)
        if due:
            pos = value_in(data, pos, end, certain, walked, &due)
            continue
        pos = blanks_in(data, pos, end)
        if pos >= end:
            pos = stop_walk(certain, pos)
        elif data[pos] == c",":
            pos = comma_in(data, pos, end, certain, walked, &due)
        elif data[pos] == c"/":
            start = pos
            pos = remarks_in(data, pos, end, walked)
            if pos == start:
                pos = stop_walk(certain, pos)
        elif close_in(data, pos, end, walked):
            pos += 1
            if walked.depth == 0:
                make_certain(certain, walked, pos, DONE)
                return 0
        else:
            pos = stop_walk(certain, pos)
    if walked.loaded_from >= 0:  # the next walk goes through it
        walked.vain_to = max(walked.vain_to, certain.run_from)
        walked.is_clean = False
        certain.run_from = walked.loaded_from + 1
    return 0


cdef inline int walk_text(str text, Certain* certain, Walked* walked) except -1:
    cdef void* data = PyUnicode_DATA(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef Py_ssize_t end = walked.start + walked.whole
    start_walk(certain, walked)
    if kind == 1:
        walk_in(<const byte_unit*> data, end, certain, walked)
    elif kind == 2:
        walk_in(<const half_unit*> data, end, certain, walked)
    else:
        walk_in(<const wide_unit*> data, end, certain, walked)
    return 0


cdef inline Py_ssize_t walk(Ledger books) except -1:
    cdef Certain certain
    cdef Walked walked
    certain.pos = books.pos
    certain.place = books.place
    certain.depth = books.depth
    certain.value_at = books.value_at
    certain.value_edits = books.value_edits
    certain.number_at = books.number_at
    certain.quoted_keys = books.quoted_keys
    certain.bare_keys = books.bare_keys
    certain.quoted_values = books.quoted_values
    certain.member_at = books.member_at
    certain.member_edits = books.member_edits
    certain.comma = books.comma_real
    certain.objects = books.objects
    certain.arrays = books.arrays
    certain.edits = books.edit_count
    certain.max_depth = books.max_depth
    certain.run_from = books.pos
    view_columns(&walked, books)
    walked.start = books.start
    walked.whole = books.end - books.start
    walked.edits = certain.edits
    tell_gap(&walked, books)
    make_room(&walked, books.pos)
    certain.tokens = -1
    walked.is_clean = books.is_clean
    walked.vain_to = books.vain_to
    walked.values = <PyObject*> books.told_values
    walked.built = built_of(books)
    walk_text(books.text, &certain, &walked)
    write_books(books, &certain)
    books.vain_to = walked.vain_to
    books.is_clean = walked.is_clean
    if books.told is not None and certain.tokens >= 0:
        books._tell(certain.tokens, certain.pos, certain.edits)
    return certain.run_from


cdef inline int tell_gap(Walked* walked, Ledger books) except -1:
    """Write down the piece that the careful steps read since the last walk."""
    cdef int32_t* gap
    if books.told is None:
        return 0
    walked.tokens = books.told_count
    if walked.tokens + GAP_SIZE > walked.told_room:
        PyByteArray_Resize(books.told, 8 * (walked.tokens + 2 * GAP_SIZE + SPARE))
        locate_columns(walked)
    gap = walked.told + walked.tokens
    gap[0] = GAP
    gap[1] = <int32_t> books.told_to
    gap[2] = <int32_t> books.pos
    gap[3] = <int32_t> books.told_edits
    gap[4] = <int32_t> books.edit_count
    walked.tokens += GAP_SIZE
    return 0


cdef inline Built* built_of(Ledger books) except? NULL:
    """What makes the values of the walks; NULL where nobody asks."""
    cdef Built built
    if books.told is None:
        return NULL
    if books.built is None:
        make_ready(&built, books.text)
        books.built = keep_built(&built)
    return <Built*> PyCapsule_GetPointer(books.built, NULL)


cdef inline object told_value(Ledger books):
    cdef Walked walked
    cdef Edits edits
    memset(&walked, 0, sizeof(Walked))
    view_columns(&walked, books)
    if books.told is None:
        return NotImplemented
    tell_gap(&walked, books)
    view_edits(
        &edits, books.edit_from, books.edit_what, books.long_whats, WORDS,
        books.odd_words, books.edit_count
    )
    return build_told(
        books.text, walked.told, walked.tokens, books.told_values, &edits,
        books.max_depth - books.wraps, built_of(books)
    )


cdef inline int view_columns(Walked* walked, Ledger books) except -1:
    walked.kinds = <unsigned char*> PyByteArray_AS_STRING(books.kinds)
    walked.lasts = <unsigned char*> PyByteArray_AS_STRING(books.lasts)
    walked.books = <PyObject*> books
    walked.columns[0] = <PyObject*> books.starts
    walked.columns[1] = <PyObject*> books.opened
    walked.columns[2] = <PyObject*> books.edit_from
    walked.columns[3] = <PyObject*> books.edit_what
    walked.columns[4] = NULL
    walked.told = NULL
    walked.tokens = 0
    if books.told is not None and books.pos < books.told_to:
        books._untell()
    if books.told is not None:
        walked.columns[4] = <PyObject*> books.told
    locate_columns(walked)
    return 0


cdef inline void write_books(Ledger books, const Certain* certain) noexcept:
    books.pos = certain.pos
    books.place = certain.place
    books.depth = certain.depth
    books.value_at = certain.value_at
    books.value_edits = certain.value_edits
    books.number_at = certain.number_at
    books.quoted_keys = certain.quoted_keys
    books.bare_keys = certain.bare_keys
    books.quoted_values = certain.quoted_values
    books.member_at = certain.member_at
    books.member_edits = certain.member_edits
    books.comma_real = certain.comma
    books.objects = certain.objects
    books.arrays = certain.arrays
    books.edit_count = certain.edits


# --------------------------------------------------------------- without any books


cdef inline object read_at_once(Ledger books, str text, Py_ssize_t max_depth):
    cdef Py_UCS4 ch = PyUnicode_READ_CHAR(text, 0)
    cdef Py_ssize_t end = PyUnicode_GET_LENGTH(text)
    cdef bint is_short = end <= SHORT_TEXT and max_depth >= SHORT_DEPTH
    if is_short and (ch == c"{" or ch == c"["):
        return read_short(books, text, end, ch == c"{", max_depth)
    books._begin(text, 0, end, True, max_depth)
    books.told = PyByteArray_FromStringAndSize(NULL, end // 4 + 128)
    books.told_values = []
    return NotImplemented


cdef inline object read_short(
    Ledger books, str text, Py_ssize_t end, bint is_object, Py_ssize_t max_depth
):
    cdef unsigned char kinds[SHORT_DEPTH + SPARE]
    cdef unsigned char lasts[SHORT_DEPTH + SPARE]
    cdef int32_t starts[SHORT_DEPTH + SPARE]
    cdef int32_t opened[SHORT_DEPTH + SPARE]
    cdef int32_t edit_from[SHORT_TEXT + 2 * SPARE]
    cdef int32_t edit_what[SHORT_TEXT + 2 * SPARE]
    cdef int32_t told[SHORT_TEXT + 2 * SPARE]
    cdef Certain certain
    cdef Walked walked
    cdef Edits edits
    cdef Built built
    cdef list values = []
    cdef object value = NotImplemented
    memset(&certain, 0, sizeof(Certain))
    memset(&walked, 0, sizeof(Walked))
    certain.place = KEY if is_object else VALUE
    certain.objects = is_object
    certain.arrays = not is_object
    certain.pos = certain.depth = certain.tokens = 1
    certain.member_at = certain.number_at = -1
    certain.max_depth = SHORT_DEPTH
    kinds[0] = lasts[0] = lasts[1] = NOTHING
    kinds[1] = OBJECT if is_object else ARRAY
    starts[0] = opened[0] = starts[1] = opened[1] = told[0] = 0
    walked.kinds, walked.lasts = kinds, lasts
    walked.starts, walked.opened = starts, opened
    walked.edit_from, walked.edit_what, walked.told = edit_from, edit_what, told
    walked.levels = SHORT_DEPTH + SPARE
    # more than there can be of so many characters
    walked.room = walked.told_room = SHORT_TEXT + SPARE
    walked.tokens = 1
    walked.whole = end
    walked.values = <PyObject*> values
    walked.built = &built
    make_ready(&built, text)
    try:
        walk_text(text, &certain, &walked)
        if certain.place == DONE and (
            certain.quoted_keys + certain.bare_keys + certain.quoted_values > 0
        ):
            memset(&edits, 0, sizeof(Edits))
            value = build_told(
                text, told, certain.tokens, values, &edits, max_depth, &built
            )
        if value is NotImplemented:
            begin_after(books, text, max_depth, &certain, &walked, values)
    finally:
        let_go(&built)
    return value


cdef inline int begin_after(
    Ledger books, str text, Py_ssize_t max_depth, const Certain* certain,
    const Walked* walked, list values
) except -1:
    """Begin the books with what a walk without any has passed over."""
    books._begin(text, 0, walked.whole, True, max_depth)
    copy_column(books.kinds, walked.kinds, certain.depth + 1)
    copy_column(books.lasts, walked.lasts, certain.depth + 1)
    copy_column(books.starts, walked.starts, 4 * (certain.depth + 1))
    copy_column(books.opened, walked.opened, 4 * (certain.depth + 1))
    copy_column(books.edit_from, walked.edit_from, 4 * certain.edits)
    copy_column(books.edit_what, walked.edit_what, 4 * certain.edits)
    write_books(books, certain)
    books.told = PyByteArray_FromStringAndSize(NULL, walked.whole + 128)
    copy_column(books.told, walked.told, 4 * certain.tokens)
    books.told_values = values
    drop_all(walked.built)
    books.built = keep_built(walked.built)
    walked.built.values = NULL  # all is theirs
    books.vain_to = walked.vain_to
    books.is_clean = walked.is_clean
    books._tell(certain.tokens, certain.pos, certain.edits)
    return 0


cdef inline int copy_column(
    bytearray column, const void* rows, Py_ssize_t size
) except -1:
    if size > PyByteArray_GET_SIZE(column):
        PyByteArray_Resize(column, size)
    memcpy(PyByteArray_AS_STRING(column), rows, size)
    return 0
