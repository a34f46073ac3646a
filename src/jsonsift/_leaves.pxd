# The loops of _leaves.py for the compiled build, inlined into whoever calls them.
#
# Each answers what the function of its name in _leaves.py answers; every test that
# runs both builds holds the two together.  One-byte text, which most is, is read eight
# characters at a time.

from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize
from cpython.bytearray cimport PyByteArray_GET_SIZE, PyByteArray_Resize
from cpython.object cimport PyObject
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

cdef extern from "Python.h":
    int PyUnicode_KIND(object text) noexcept
    void* PyUnicode_DATA(object text) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(object text) noexcept
    Py_UCS4 PyUnicode_READ_CHAR(object text, Py_ssize_t pos) noexcept
    bint PyUnicode_IS_ASCII(object text) noexcept
    bint PyDict_CheckExact(object value) noexcept
    bint PyDict_Next(
        object value, Py_ssize_t* at, PyObject** key, PyObject** inner
    ) noexcept
    bint PyObject_GC_IsTracked(object value) noexcept
    bint PyList_CheckExact(object value) noexcept
    Py_ssize_t PyList_GET_SIZE(object value) noexcept
    PyObject* PyList_GET_ITEM(object value, Py_ssize_t at) noexcept
    object PyUnicode_New(Py_ssize_t size, Py_UCS4 largest)
    object PyUnicode_FromKindAndData(int kind, const void* data, Py_ssize_t size)

cdef extern from *:
    """
    #if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    #define FIRST_BYTE(mask) (__builtin_ctzll(mask) >> 3)
    #else
    #define FIRST_BYTE(mask) 0
    #endif
    """
    # how many bytes before the first that is not zero, or fewer
    int FIRST_BYTE(uint64_t mask) noexcept nogil

ctypedef unsigned char byte_unit  # characters of one, two and four bytes

ctypedef unsigned short half_unit
ctypedef unsigned int wide_unit

ctypedef fused unit:
    byte_unit
    half_unit
    wide_unit


# ----------------------------------------------------------------------- characters


cdef inline Py_UCS4 char_at(str text, Py_ssize_t pos) noexcept:
    return PyUnicode_READ_CHAR(text, pos)


cdef inline uint64_t loud_bytes(
    const byte_unit* at, bint apostrophes
) noexcept nogil:
    """The highest bit of the first of eight characters that is a quote, backslash or
    control, or an apostrophe if those count, and perhaps of some behind it; 0 if there
    is none.
    """
    cdef uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080
    cdef uint64_t word, quote, slash, loud
    memcpy(&word, at, 8)
    quote = word ^ (ones * 0x22)
    slash = word ^ (ones * 0x5C)
    loud = ((quote - ones) & ~quote) | ((slash - ones) & ~slash)
    loud |= (word - ones * 0x20) & ~word
    if apostrophes:
        quote = word ^ (ones * 0x27)
        loud |= (quote - ones) & ~quote
    return loud & tops


cdef inline Py_ssize_t blanks_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef uint64_t word, spaces = 0x2020202020202020
    if pos < end and data[pos] > 32:
        return pos
    if unit is byte_unit:
        if pos < end and data[pos] == 10:
            pos += 1
        while pos + 8 <= end:
            memcpy(&word, data + pos, 8)
            word ^= spaces
            if word != 0:
                pos += FIRST_BYTE(word)
                break
            pos += 8
    while pos < end and (
        data[pos] == 32 or data[pos] == 10 or data[pos] == 9 or data[pos] == 13
    ):
        pos += 1
    return pos


cdef inline Py_ssize_t skip_blanks(
    str text, Py_ssize_t pos, Py_ssize_t end
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return blanks_in(<const byte_unit*> PyUnicode_DATA(text), pos, end)
    if kind == 2:
        return blanks_in(<const half_unit*> PyUnicode_DATA(text), pos, end)
    return blanks_in(<const wide_unit*> PyUnicode_DATA(text), pos, end)


cdef inline bint is_remark(str text, Py_ssize_t pos, Py_ssize_t end) noexcept:
    return (
        pos + 1 < end and PyUnicode_READ_CHAR(text, pos) == 47
        and PyUnicode_READ_CHAR(text, pos + 1) == 47
    )


cdef inline Py_ssize_t line_end_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    while pos < end:
        if data[pos] == 10:
            return pos
        pos += 1
    return -1


cdef inline Py_ssize_t find_line_end(
    str text, Py_ssize_t pos, Py_ssize_t end
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return line_end_in(<const byte_unit*> PyUnicode_DATA(text), pos, end)
    if kind == 2:
        return line_end_in(<const half_unit*> PyUnicode_DATA(text), pos, end)
    return line_end_in(<const wide_unit*> PyUnicode_DATA(text), pos, end)


# -------------------------------------------------------------------------- strings


cdef inline Py_ssize_t escape_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    """Behind the valid escape at ``pos``; -1 if it is none, or half of a pair."""
    cdef Py_ssize_t at
    cdef unsigned int ch
    if pos + 1 >= end:
        return -1
    ch = data[pos + 1]
    if ch != c"u":
        if (
            ch == c'"' or ch == c"\\" or ch == c"/" or ch == c"b" or ch == c"f"
            or ch == c"n" or ch == c"r" or ch == c"t"
        ):
            return pos + 2
        return -1
    if pos + 6 > end or data[pos + 2] | 32 == c"d":
        return -1
    for at in range(pos + 2, pos + 6):
        ch = data[at]
        if not (c"0" <= ch <= c"9" or c"a" <= ch | 32 <= c"f"):
            return -1
    return pos + 6


cdef inline Py_ssize_t string_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef Py_ssize_t start = pos
    cdef unsigned int ch
    cdef uint64_t loud
    while pos < end:
        if unit is byte_unit:
            while pos + 8 <= end:
                loud = loud_bytes(data + pos, False)
                if loud != 0:
                    pos += FIRST_BYTE(loud)
                    break
                pos += 8
            if pos >= end:
                return -1
        ch = data[pos]
        if 0x5D <= ch <= 0x2000:
            pos += 1
        elif ch == c'"':
            return pos + 1
        elif ch == c"\\":
            if pos == start + 2 and data[start + 1] == c":":
                return -1
            pos = escape_in(data, pos, end)
            if pos < 0:
                return -1
        elif ch < 32 or ch == 0x201D or 0xD800 <= ch <= 0xDFFF:
            return -1
        else:
            pos += 1
    return -1


cdef inline Py_ssize_t quiet_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef unsigned int ch
    cdef uint64_t loud
    while pos < end:
        if unit is byte_unit:
            while pos + 8 <= end:
                loud = loud_bytes(data + pos, False)
                if loud != 0:
                    pos += FIRST_BYTE(loud)
                    break
                pos += 8
            if pos >= end:
                return end
        ch = data[pos]
        if (
            ch == c'"' or ch == c"\\" or ch < 32 or ch == 0x201D
            or 0xD800 <= ch <= 0xDFFF
        ):
            return pos
        pos += 1
    return pos


cdef inline Py_ssize_t skip_quiet(
    str text, Py_ssize_t pos, Py_ssize_t end
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return quiet_in(<const byte_unit*> PyUnicode_DATA(text), pos, end)
    if kind == 2:
        return quiet_in(<const half_unit*> PyUnicode_DATA(text), pos, end)
    return quiet_in(<const wide_unit*> PyUnicode_DATA(text), pos, end)


cdef inline Py_ssize_t skip_string(
    str text, Py_ssize_t pos, Py_ssize_t end
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return string_in(<const byte_unit*> PyUnicode_DATA(text), pos, end)
    if kind == 2:
        return string_in(<const half_unit*> PyUnicode_DATA(text), pos, end)
    return string_in(<const wide_unit*> PyUnicode_DATA(text), pos, end)


cdef inline Py_ssize_t apostrophes_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef unsigned int ch
    cdef uint64_t loud
    while pos < end:
        if unit is byte_unit:
            while pos + 8 <= end:
                loud = loud_bytes(data + pos, True)
                if loud != 0:
                    pos += FIRST_BYTE(loud)
                    break
                pos += 8
            if pos >= end:
                return -1
        ch = data[pos]
        if 0x5D <= ch <= 0xD7FF:
            pos += 1
        elif ch == c"'":
            return pos + 1
        elif ch < 32 or ch == c'"' or ch == c"\\" or 0xD800 <= ch <= 0xDFFF:
            return -1
        else:
            pos += 1
    return -1


cdef inline Py_ssize_t skip_apostrophes(
    str text, Py_ssize_t pos, Py_ssize_t end
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return apostrophes_in(<const byte_unit*> PyUnicode_DATA(text), pos, end)
    if kind == 2:
        return apostrophes_in(<const half_unit*> PyUnicode_DATA(text), pos, end)
    return apostrophes_in(<const wide_unit*> PyUnicode_DATA(text), pos, end)


cdef inline Py_ssize_t colon_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef Py_ssize_t key = pos + 1
    cdef unsigned int ch = data[pos]
    if ch != c'"':
        return -1
    pos = key
    while pos < end:
        ch = data[pos]
        if ch == c'"':
            break
        if ch < 32 or ch == c"\\" or ch == 0x201D or 0xD800 <= ch <= 0xDFFF:
            return -1
        pos += 1
    if pos >= end:
        return -2
    if pos == key:
        return -1
    pos = blanks_in(data, pos + 1, end)
    if pos >= end:
        return -2
    return pos if data[pos] == c":" else -1


cdef inline Py_ssize_t find_colon(
    str text, Py_ssize_t pos, Py_ssize_t end
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return colon_in(<const byte_unit*> PyUnicode_DATA(text), pos, end)
    if kind == 2:
        return colon_in(<const half_unit*> PyUnicode_DATA(text), pos, end)
    return colon_in(<const wide_unit*> PyUnicode_DATA(text), pos, end)


cdef inline Py_ssize_t plain_stem_in(
    const unit* data, Py_ssize_t end
) noexcept nogil:
    cdef Py_ssize_t pos, opened = -1, stem = 0
    cdef unsigned int ch
    for pos in range(end):
        ch = data[pos]
        if (
            ch < 32 or ch == c'"' or ch == c"<" or ch == c"\\"
            or ch == 0x201D or 0xD800 <= ch <= 0xDFFF
        ):
            return -1
        if ch == c"{" or ch == c"[":
            opened = pos
        elif not (
            ch == c" " or ch == c"," or ch == c"}" or ch == c"]" or ch == c")"
            or ch == c"`"
        ):
            stem = pos + 1
    return stem if opened < stem else -1


cdef inline Py_ssize_t plain_stem(str piece) noexcept:
    cdef int kind = PyUnicode_KIND(piece)
    cdef Py_ssize_t end = PyUnicode_GET_LENGTH(piece)
    if kind == 1:
        return plain_stem_in(<const byte_unit*> PyUnicode_DATA(piece), end)
    if kind == 2:
        return plain_stem_in(<const half_unit*> PyUnicode_DATA(piece), end)
    return plain_stem_in(<const wide_unit*> PyUnicode_DATA(piece), end)


# ---------------------------------------------------------------------------- words


cdef inline Py_ssize_t name_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef unsigned int ch = data[pos]
    if not (c"a" <= ch | 32 <= c"z" or ch == c"_"):
        return -1
    while pos < end:
        ch = data[pos]
        if not (
            c"a" <= ch | 32 <= c"z" or c"0" <= ch <= c"9"
            or ch == c"_" or ch == c"-" or ch == c"$"
        ):
            return pos if ch < 128 else -1
        pos += 1
    return -1


cdef inline Py_ssize_t skip_name(
    str text, Py_ssize_t pos, Py_ssize_t end
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return name_in(<const byte_unit*> PyUnicode_DATA(text), pos, end)
    if kind == 2:
        return name_in(<const half_unit*> PyUnicode_DATA(text), pos, end)
    return name_in(<const wide_unit*> PyUnicode_DATA(text), pos, end)


cdef inline Py_ssize_t digits_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    while pos < end and c"0" <= data[pos] <= c"9":
        pos += 1
    return pos


cdef inline Py_ssize_t plain_number_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef Py_ssize_t at, whole = pos
    if data[pos] == c"-":
        whole += 1
    at = digits_in(data, whole, end)
    if at == whole or (data[whole] == c"0" and at > whole + 1):
        return -1
    if at < end and data[at] == c".":
        whole = at + 1
        at = digits_in(data, whole, end)
        if at == whole:
            return -1
    if at < end and (data[at] == c"e" or data[at] == c"E"):
        whole = at + 1
        if whole < end and (data[whole] == c"+" or data[whole] == c"-"):
            whole += 1
        at = digits_in(data, whole, end)
        if at == whole:
            return -1
    return at


cdef inline Py_ssize_t skip_plain_number(
    str text, Py_ssize_t pos, Py_ssize_t end
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return plain_number_in(<const byte_unit*> PyUnicode_DATA(text), pos, end)
    if kind == 2:
        return plain_number_in(<const half_unit*> PyUnicode_DATA(text), pos, end)
    return plain_number_in(<const wide_unit*> PyUnicode_DATA(text), pos, end)


cdef inline bint stands_in(
    const unit* data, Py_ssize_t pos, const char* word
) noexcept nogil:
    while word[0] != 0:
        if data[pos] != <unsigned char> word[0]:
            return False
        pos += 1
        word += 1
    return True


cdef inline Py_ssize_t literal_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    if pos + 4 > end:
        return -1
    if data[pos] == c"t" and stands_in(data, pos, b"true"):
        return pos + 4
    if data[pos] == c"n" and stands_in(data, pos, b"null"):
        return pos + 4
    if data[pos] == c"T" and stands_in(data, pos, b"True"):
        return pos + 4
    if data[pos] == c"N" and stands_in(data, pos, b"None"):
        return pos + 4
    if pos + 5 > end:
        return -1
    if data[pos] | 32 == c"f" and stands_in(data, pos + 1, b"alse"):
        return pos + 5
    return -1


cdef inline Py_ssize_t skip_literal(
    str text, Py_ssize_t pos, Py_ssize_t end
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return literal_in(<const byte_unit*> PyUnicode_DATA(text), pos, end)
    if kind == 2:
        return literal_in(<const half_unit*> PyUnicode_DATA(text), pos, end)
    return literal_in(<const wide_unit*> PyUnicode_DATA(text), pos, end)


# ---------------------------------------------------------------- the marks of a reply


cdef inline Py_ssize_t mark_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef unsigned int ch
    while pos < end:
        ch = data[pos]
        if ch == c"{" or ch == c"[" or ch == c"<":
            return pos
        if ch == c"`" or ch == c"~":
            if pos + 3 <= end and data[pos + 1] == ch and data[pos + 2] == ch:
                return pos
        elif ch == c"H":
            if pos + 27 <= end and stands_in(data, pos, b"Here is my thought process:"):
                return pos
        elif ch == 0x25C1 or ch == 0xFF5B or ch == 0xFF3B:
            return pos
        pos += 1
    return -1


cdef inline Py_ssize_t find_mark(
    str text, Py_ssize_t pos, Py_ssize_t end
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return mark_in(<const byte_unit*> PyUnicode_DATA(text), pos, end)
    if kind == 2:
        return mark_in(<const half_unit*> PyUnicode_DATA(text), pos, end)
    return mark_in(<const wide_unit*> PyUnicode_DATA(text), pos, end)


# -------------------------------------------------------------------- strict parsing


cdef inline bint long_digits_in(const unit* data, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t first, at = 0
    while at < end:
        if c"0" <= data[at] <= c"9" and (
            (at >= 9 and c"0" <= data[at - 9] <= c"9")
            or (at + 9 < end and c"0" <= data[at + 9] <= c"9")
        ):
            first = at
            while first > 0 and c"0" <= data[first - 1] <= c"9":
                first -= 1
            if digits_in(data, at, end) - first >= 19:
                return True
        at += 19
    return False


cdef inline bint has_long_digits(str text) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    cdef Py_ssize_t end = PyUnicode_GET_LENGTH(text)
    if kind == 1:
        return long_digits_in(<const byte_unit*> PyUnicode_DATA(text), end)
    if kind == 2:
        return long_digits_in(<const half_unit*> PyUnicode_DATA(text), end)
    return long_digits_in(<const wide_unit*> PyUnicode_DATA(text), end)


cdef inline bint nests_deeper(object value, Py_ssize_t limit) noexcept:
    """No reference is taken: nothing runs meanwhile that could drop one."""
    cdef Py_ssize_t at = 0
    cdef PyObject* key
    cdef PyObject* inner
    if PyDict_CheckExact(value):
        if limit <= 0:
            return True
        if not PyObject_GC_IsTracked(value):
            return False  # no containers are in it
        while PyDict_Next(value, &at, &key, &inner):
            if PyDict_CheckExact(<object> inner) or PyList_CheckExact(<object> inner):
                if nests_deeper(<object> inner, limit - 1):
                    return True
    elif PyList_CheckExact(value):
        if limit <= 0:
            return True
        for at in range(PyList_GET_SIZE(value)):
            inner = PyList_GET_ITEM(value, at)
            if PyDict_CheckExact(<object> inner) or PyList_CheckExact(<object> inner):
                if nests_deeper(<object> inner, limit - 1):
                    return True
    return False


cdef inline bint opens_more_in(
    const unit* data, Py_ssize_t end, Py_ssize_t limit
) noexcept nogil:
    """Whether more than so many brackets open, those in strings included."""
    cdef Py_ssize_t at = 0, count = 0
    cdef unsigned char block
    cdef int i
    while at + 128 <= end:
        block = 0
        for i in range(128):  # compilers make it a loop of 16 or 32 at once
            block += data[at + i] | 32 == c"{"
        count += block
        if count > limit:
            return True
        at += 128
    while at < end:
        count += data[at] | 32 == c"{"
        at += 1
    return count > limit


cdef inline bint is_deeper(object value, str text, Py_ssize_t limit) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    cdef Py_ssize_t end = PyUnicode_GET_LENGTH(text)
    cdef void* data = PyUnicode_DATA(text)
    if kind == 1 and not opens_more_in(<const byte_unit*> data, end, limit):
        return False
    return nests_deeper(value, limit)


# ------------------------------------------------------- columns of numbers, and text


cdef inline bytearray new_column():
    return PyByteArray_FromStringAndSize(NULL, 256)


cdef inline bytearray filled_column(Py_ssize_t count, Py_ssize_t number):
    cdef bytearray column = PyByteArray_FromStringAndSize(NULL, 8 * count)
    cdef Py_ssize_t i
    for i in range(count):
        put_number(column, i, number)
    return column


cdef inline Py_ssize_t number_at(bytearray column, Py_ssize_t i) noexcept:
    return <Py_ssize_t> (<int64_t*> PyByteArray_AS_STRING(column))[i]


cdef inline int put_number(
    bytearray column, Py_ssize_t i, Py_ssize_t number
) except -1:
    if 8 * (i + 1) > PyByteArray_GET_SIZE(column):
        PyByteArray_Resize(column, 10 * (i + 1))
    (<int64_t*> PyByteArray_AS_STRING(column))[i] = number
    return 0


cdef inline int put_numbers(
    bytearray first, bytearray second, Py_ssize_t i, Py_ssize_t one, Py_ssize_t other
) except -1:
    put_number(first, i, one)
    put_number(second, i, other)
    return 0


cdef inline void copy_units(
    void* to, int kind, Py_ssize_t at, object text, Py_ssize_t pos, Py_ssize_t count
) noexcept:
    """Copy characters into units of this kind, which is not smaller than theirs."""
    cdef int narrow = PyUnicode_KIND(text)
    cdef Py_ssize_t i
    if narrow == kind:
        memcpy(
            <char*> to + at * kind, <char*> PyUnicode_DATA(text) + pos * kind,
            count * kind
        )
        return
    for i in range(count):
        if kind == 2:
            (<half_unit*> to)[at + i] = <half_unit> PyUnicode_READ_CHAR(text, pos + i)
        else:
            (<wide_unit*> to)[at + i] = PyUnicode_READ_CHAR(text, pos + i)


cdef inline object word_at(tuple words, list odd_words, Py_ssize_t what):
    """What an edit writes; see ``_ledger`` for what is in a row of these."""
    cdef Py_ssize_t word = (what >> 5) & 0x7FFFFFF
    cdef Py_ssize_t usual = len(words)
    return words[word] if word < usual else odd_words[word - usual]


cdef inline void splice(
    void* to, int kind, str text, Py_ssize_t start, Py_ssize_t end,
    bytearray starts, bytearray whats, tuple words, list odd_words, Py_ssize_t count
) noexcept:
    """Write the text with the edits applied, in units of this kind."""
    cdef Py_ssize_t i, size, what, at = start, done = 0
    cdef object new
    for i in range(count):
        size = number_at(starts, i) - at
        if size > 0:
            copy_units(to, kind, done, text, at, size)
            done += size
        what = number_at(whats, i)
        new = word_at(words, odd_words, what)
        size = PyUnicode_GET_LENGTH(new)
        copy_units(to, kind, done, new, 0, size)
        done += size
        at = number_at(starts, i) + (what >> 32)
    copy_units(to, kind, done, text, at, max(end - at, 0))


cdef inline void copy_bytes(
    byte_unit* to, const byte_unit* at, Py_ssize_t size, bint has_room
) noexcept nogil:
    """Copy bytes; where there is room, short runs are copied as 16 bytes at once."""
    if size <= 16 and has_room:
        memcpy(to, at, 16)
    else:
        memcpy(to, at, size)


cdef inline void splice_bytes(
    byte_unit* to, Py_ssize_t room, str text, Py_ssize_t start, Py_ssize_t end,
    bytearray starts, bytearray whats, tuple words, list odd_words, Py_ssize_t count
) noexcept:
    """The same where all characters are of one byte; ``room`` is what is written."""
    cdef const byte_unit* data = <const byte_unit*> PyUnicode_DATA(text)
    cdef Py_ssize_t i, size, what, at = start, done = 0
    cdef Py_ssize_t last = PyUnicode_GET_LENGTH(text) - 16
    cdef object new
    room -= 16
    for i in range(count):
        size = number_at(starts, i) - at
        if size > 0:
            copy_bytes(to + done, data + at, size, at <= last and done <= room)
            done += size
        what = number_at(whats, i)
        at = number_at(starts, i) + (what >> 32)
        if (what >> 5) & 0x7FFFFFF == 1:
            to[done] = c'"'
            done += 1
        elif (what >> 5) & 0x7FFFFFF != 0:
            new = word_at(words, odd_words, what)
            size = PyUnicode_GET_LENGTH(new)
            memcpy(to + done, <const byte_unit*> PyUnicode_DATA(new), size)
            done += size
    memcpy(to + done, data + at, max(end - at, 0))


cdef inline str apply_edits(
    str text, Py_ssize_t start, Py_ssize_t end,
    bytearray starts, bytearray whats, tuple words, list odd_words, Py_ssize_t count
):
    cdef int kind = PyUnicode_KIND(text)
    cdef bint ascii = PyUnicode_IS_ASCII(text)
    cdef Py_ssize_t i, what, at = start, size = 0
    cdef object made, new
    cdef void* units
    for i in range(count):
        what = number_at(whats, i)
        size += max(number_at(starts, i) - at, 0)
        if (what >> 5) & 0x7FFFFFF == 1:
            size += 1
        else:
            new = word_at(words, odd_words, what)
            size += PyUnicode_GET_LENGTH(new)
        at = number_at(starts, i) + (what >> 32)
    for new in odd_words:
        kind = max(kind, PyUnicode_KIND(new))
        ascii = ascii and PyUnicode_IS_ASCII(new)
    size += max(end - at, 0)
    if ascii:
        made = PyUnicode_New(size, 127)
        splice_bytes(
            <byte_unit*> PyUnicode_DATA(made), size, text, start, end, starts, whats,
            words, odd_words, count
        )
        return made
    units = PyMem_Malloc(max(size, 1) * kind)
    if units == NULL:
        raise MemoryError
    try:
        splice(units, kind, text, start, end, starts, whats, words, odd_words, count)
        return PyUnicode_FromKindAndData(kind, units, size)
    finally:
        PyMem_Free(units)
