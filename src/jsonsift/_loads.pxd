# The parser of _loads.py for the compiled build, inlined into whoever calls it, and the
# maker of values that walks tell of.
#
# A text is read from ``pos`` to ``end``.  Broken text may be read on behind ``end``, to
# its next comma at most, or to the NUL behind all: whoever calls must look whether what
# it gets is the end that it wanted.

from cpython.object cimport PyObject
from libc.stdint cimport int32_t

from jsonsift._built cimport (
    BROKEN, DOUBTFUL, Built, Py_False, Py_None, Py_True, Quoted, begin_once,
    close, decoded, drop_all, expected_key_in, hashed, is_key_due, key_of, let_go,
    make_ready, may_close, number_in, opens, put, put_new, put_shared, quote_after,
    string_of, text_of, unescaped,
)
from jsonsift._columns cimport Edits, PyUnicode_IS_ASCII, apply_all
from jsonsift._leaves cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, apostrophes_in, blanks_in,
    byte_unit, half_unit, literal_in, name_in, unit, wide_unit,
)

# What walks tell is a row of numbers.  Of each token but commas and colons it has where
# that starts, or one of these:
#
#   ~start, end      a string that holds quotes, from its first to behind its last
#   GAP, start, end, first, behind
#                    a piece that the careful steps read, and the rows of its edits
#   MADE, number     a value that was made at once, in a list of such
cdef enum:
    GAP = -1
    MADE = -2147483648


cdef inline Py_ssize_t take_any_key(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Built* built
) except -3:
    """Put the key at ``pos``, in quotes, apostrophes or neither; where it ends, or
    DOUBTFUL.
    """
    cdef Quoted seen
    cdef Py_ssize_t close
    cdef PyObject* key
    cdef unsigned int mark = data[pos]
    if mark == c'"' or mark == c"'":
        pos += 1
    else:
        mark = c":"
    close = expected_key_in(data, pos, end, mark, built)
    if close >= 0:
        return close
    seen.escapes = 0
    if mark == c'"':
        close = quote_after(data, pos, end, &seen)
    elif mark == c"'":
        close = apostrophes_in(data, pos, end) - 1
    else:
        close = name_in(data, pos, end)
    if close < pos:
        return DOUBTFUL
    if seen.escapes > 0:
        key = hashed(unescaped(data, pos, close, &seen, built.is_ascii))
        if key == NULL:
            return DOUBTFUL
    else:
        key = key_of(data, pos, close, end, mark, built)
    put(built, key)
    return close


cdef inline Py_ssize_t take_key(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Built* built
) except -3:
    """Put the key at ``pos``; where its value starts, or BROKEN."""
    if data[pos] != c'"':
        return BROKEN
    pos = take_any_key(data, pos, end, built) + 1
    if pos <= 0:
        return BROKEN
    built.quoted_keys += 1
    pos = blanks_in(data, pos, end)
    if data[pos] != c":":
        return BROKEN
    return blanks_in(data, pos + 1, end)


cdef inline int put_literal(unsigned int ch, Built* built) except -1:
    """Put what the literal of JSON or Python means that begins so."""
    if ch | 32 == c"t":
        return put_shared(built, Py_True)
    return put_shared(built, Py_False if ch | 32 == c"f" else Py_None)


cdef inline Py_ssize_t take_scalar(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Built* built
) except -3:
    """Put the scalar at ``pos``; behind it, or BROKEN or DOUBTFUL."""
    cdef unsigned int ch = data[pos]
    cdef Quoted seen
    cdef Py_ssize_t close
    cdef PyObject* made
    if ch == c'"':
        close = quote_after(data, pos + 1, end, &seen)
        if close < 0:
            return BROKEN
        made = string_of(data, pos + 1, close, &seen, built.is_ascii)
        if made == NULL:
            return BROKEN
        put(built, made)
        built.quoted_values += 1
        return close + 1
    if c"0" <= ch <= c"9" or ch == c"-":
        return number_in(data, pos, end, built)
    if ch == c"N" or ch == c"I":  # NaN or Infinity?
        return DOUBTFUL
    close = BROKEN if ch == c"T" or ch == c"F" else literal_in(data, pos, end)
    if close >= 0:
        put_literal(ch, built)
    return close


cdef inline Py_ssize_t load_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Built* built
) except -3:
    """Put the value of the container at ``pos``; its end, or BROKEN or DOUBTFUL."""
    cdef unsigned int ch
    built.at = pos
    while True:
        # a value is due at pos, which is before the end
        ch = data[pos]
        if ch == c"{" or ch == c"[":
            if not opens(built, ch == c"{"):
                return DOUBTFUL
            pos = blanks_in(data, pos + 1, end)
            if data[pos] != ch + 2:  # both closers stand two behind the openers
                if ch == c"{":
                    pos = take_key(data, pos, end, built)
                    if pos < 0:
                        return pos
                continue
        else:
            pos = take_scalar(data, pos, end, built)
            if pos < 0:
                return pos
            pos = blanks_in(data, pos, end)
        # closers and a comma are due
        while data[pos] | 32 == c"}":
            if not may_close(built, data[pos] == c"}"):
                return BROKEN
            close(built)
            pos += 1
            if built.depth == 0:
                return pos
            pos = blanks_in(data, pos, end)
        if data[pos] != c",":
            return BROKEN
        built.at = pos
        pos = blanks_in(data, pos + 1, end)
        if pos >= end:
            return BROKEN
        if built.are_objects[built.depth - 1]:
            pos = take_key(data, pos, end, built)
            if pos < 0:
                return pos


# ------------------------------------------------- tokens that a walk has passed over


cdef inline Py_ssize_t take_told_scalar(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Built* built
) except -3:
    """Put the value at ``pos``, of JSON or Python; DOUBTFUL if json.loads must tell."""
    cdef unsigned int ch = data[pos]
    cdef Py_ssize_t close
    if ch == c"'":
        close = apostrophes_in(data, pos + 1, end) - 1
        if close < pos + 1:
            return DOUBTFUL
        return put_new(built, text_of(data, pos + 1, close, built.is_ascii))
    if ch == c"T" or ch == c"F" or ch == c"N":
        return put_literal(ch, built)
    return take_scalar(data, pos, end, built)


cdef inline int take_bracket(unsigned int ch, Built* built) except -3:
    """Open or close a container; DOUBTFUL if that can't be."""
    if ch | 32 == c"{":
        return 0 if opens(built, ch == c"{") else DOUBTFUL
    if not may_close(built, ch == c"}"):
        return DOUBTFUL
    return close(built)


cdef inline int take_token(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Built* built
) except -3:
    """Put what the token at ``pos`` says; DOUBTFUL if json.loads must tell."""
    cdef unsigned int ch = data[pos]
    if ch | 32 == c"{" or ch | 32 == c"}":
        return take_bracket(ch, built)
    if built.depth == 0:
        return DOUBTFUL
    if is_key_due(built):
        return min(take_any_key(data, pos, end, built), 0)
    return DOUBTFUL if take_told_scalar(data, pos, end, built) < 0 else 0


cdef inline int lex_in(const unit* data, Py_ssize_t end, Built* built) except -3:
    """Put the tokens of a piece of JSON; DOUBTFUL if json.loads must tell."""
    cdef Py_ssize_t pos = blanks_in(data, 0, end)
    cdef unsigned int ch
    while pos < end:
        ch = data[pos]
        if ch == c"," or ch == c":":
            pos += 1
        elif ch | 32 == c"{" or ch | 32 == c"}":
            if take_bracket(ch, built) < 0:
                return DOUBTFUL
            pos += 1
        elif built.depth == 0:
            return DOUBTFUL
        elif is_key_due(built):
            if ch != c'"':
                return DOUBTFUL
            pos = take_any_key(data, pos, end, built) + 1
            if pos <= 0:
                return DOUBTFUL
        else:
            pos = take_scalar(data, pos, end, built)
            if pos < 0:
                return DOUBTFUL
        pos = blanks_in(data, pos, end)
    return 0


cdef inline int build_gap(
    str text, const int32_t* gap, Edits edits, Built* built
) except -3:
    """Put the tokens of what the careful steps made of a piece."""
    cdef bint is_ascii = built.is_ascii
    cdef Py_ssize_t end
    cdef int done
    edits.starts += gap[2]
    edits.whats += gap[2]
    edits.count = gap[3] - gap[2]
    cdef str piece = apply_all(text, gap[0], gap[1], &edits)
    cdef void* data = PyUnicode_DATA(piece)
    end = PyUnicode_GET_LENGTH(piece)
    built.is_ascii = PyUnicode_IS_ASCII(piece)
    if PyUnicode_KIND(piece) == 1:
        done = lex_in(<const byte_unit*> data, end, built)
    elif PyUnicode_KIND(piece) == 2:
        done = lex_in(<const half_unit*> data, end, built)
    else:
        done = lex_in(<const wide_unit*> data, end, built)
    built.is_ascii = is_ascii
    return done


cdef inline int build_in(
    const unit* data, str text, const int32_t* told, Py_ssize_t count, list values,
    const Edits* edits, Built* built
) except -3:
    """Put the value of which walks told; DOUBTFUL if json.loads must tell."""
    cdef Py_ssize_t pos, at = 0, end = PyUnicode_GET_LENGTH(text)
    cdef PyObject* made
    while at < count:
        pos = told[at]
        at += 1
        if pos >= 0:
            if take_token(data, pos, end, built) < 0:
                return DOUBTFUL
        elif pos == GAP:
            if build_gap(text, told + at, edits[0], built) < 0:
                return DOUBTFUL
            at += 4
        elif pos == MADE:
            if built.depth == 0 or is_key_due(built):
                return DOUBTFUL
            put_shared(built, <PyObject*> values[told[at]])
            at += 1
        else:
            made = decoded(data, ~pos + 1, told[at] - 1)
            if made == NULL:
                return DOUBTFUL
            put(built, made)
            at += 1
    return 0 if built.depth == 0 and built.count == 1 else DOUBTFUL


cdef inline object build_told(
    str text, const int32_t* told, Py_ssize_t count, list values, const Edits* edits,
    Py_ssize_t max_depth, Built* built
):
    """The value; NotImplemented where only ``json.loads`` tells."""
    cdef int done, kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    begin_once(built, max_depth)
    if kind == 1:
        done = build_in(
            <const byte_unit*> data, text, told, count, values, edits, built
        )
    elif kind == 2:
        done = build_in(
            <const half_unit*> data, text, told, count, values, edits, built
        )
    else:
        done = build_in(
            <const wide_unit*> data, text, told, count, values, edits, built
        )
    cdef object value = <object> built.values[0] if done == 0 else NotImplemented
    drop_all(built)
    return value


# ----------------------------------------------------------------------- a whole text


cdef inline object load_text(
    str text, Py_ssize_t start, Py_ssize_t end, Py_ssize_t max_depth
):
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t pos
    cdef Built built
    cdef object value = None
    make_ready(&built, text)
    begin_once(&built, max_depth)
    try:
        if kind == 1:
            pos = load_in(<const byte_unit*> data, start, end, &built)
        elif kind == 2:
            pos = load_in(<const half_unit*> data, start, end, &built)
        else:
            pos = load_in(<const wide_unit*> data, start, end, &built)
        if pos == DOUBTFUL:
            value = NotImplemented
        elif pos == end:
            value = <object> built.values[0]
    finally:
        let_go(&built)
    return value
