# The loops of _columns.py for the compiled build, inlined into whoever calls them.

from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize
from cpython.bytearray cimport PyByteArray_GET_SIZE, PyByteArray_Resize
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memset

from jsonsift._leaves cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, byte_unit, copy_units,
    half_unit, wide_unit,
)

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text) noexcept
    PyObject* make_text "PyUnicode_New"(
        Py_ssize_t size, Py_UCS4 largest
    ) except NULL
    int PyUnicode_Resize(PyObject** text, Py_ssize_t size) except -1
    object PyUnicode_FromKindAndData(int kind, const void* data, Py_ssize_t size)

cdef enum:
    BLOCK = 4096  # rows, from which on a column grows at the rate of the text
    MANY = 65536  # edits, of which it is counted how much they write
    LONGEST_WORD = 5  # characters of one of the usual words

# Numbers have four bytes: no position is beyond MOST_TEXT of _codes.py.  Long ones,
# which hold more than one thing, have eight.


cdef inline bytearray new_bytes(Py_ssize_t count):
    cdef bytearray made = PyByteArray_FromStringAndSize(NULL, count)
    memset(PyByteArray_AS_STRING(made), 0, count)
    return made


cdef inline bytearray new_column():
    return PyByteArray_FromStringAndSize(NULL, 128)


cdef inline bytearray new_dense_column():
    return new_column()


cdef inline Py_ssize_t size_of(bytearray column) noexcept:
    return PyByteArray_GET_SIZE(column)


cdef inline bint has_room(bytearray column, Py_ssize_t i) noexcept:
    return 4 * (i + 1) <= PyByteArray_GET_SIZE(column)


cdef inline int reserve(bytearray column, Py_ssize_t rows) except -1:
    if 4 * rows > PyByteArray_GET_SIZE(column):
        PyByteArray_Resize(column, 4 * rows)
    return 0


cdef inline Py_ssize_t rows_at_rate(
    Py_ssize_t rows, Py_ssize_t done, Py_ssize_t whole
) noexcept nogil:
    cdef Py_ssize_t likely, least = rows + rows // 4 + 32
    if rows < BLOCK:
        return least
    likely = rows * whole // max(done, 1)
    return min(max(least, likely + likely // 16), 8 * rows)


cdef inline bytearray filled_column(Py_ssize_t count, Py_ssize_t number):
    cdef bytearray column = PyByteArray_FromStringAndSize(NULL, 4 * count)
    cdef int32_t* rows = <int32_t*> PyByteArray_AS_STRING(column)
    cdef Py_ssize_t i
    for i in range(count):
        rows[i] = <int32_t> number
    return column


cdef inline Py_ssize_t number_at(bytearray column, Py_ssize_t i) noexcept:
    return <Py_ssize_t> (<int32_t*> PyByteArray_AS_STRING(column))[i]


cdef inline int put_number(
    bytearray column, Py_ssize_t i, Py_ssize_t number
) except -1:
    if 4 * (i + 1) > PyByteArray_GET_SIZE(column):
        PyByteArray_Resize(column, 5 * (i + 1))
    (<int32_t*> PyByteArray_AS_STRING(column))[i] = <int32_t> number
    return 0


cdef inline int64_t long_at(bytearray column, Py_ssize_t i) noexcept:
    return (<int64_t*> PyByteArray_AS_STRING(column))[i]


cdef inline int put_long(bytearray column, Py_ssize_t i, int64_t number) except -1:
    if 8 * (i + 1) > PyByteArray_GET_SIZE(column):
        PyByteArray_Resize(column, 10 * (i + 1))
    (<int64_t*> PyByteArray_AS_STRING(column))[i] = number
    return 0


cdef inline int64_t what_at(
    bytearray whats, bytearray long_whats, Py_ssize_t i
) noexcept:
    return whole_what(
        <int32_t*> PyByteArray_AS_STRING(whats),
        <int64_t*> PyByteArray_AS_STRING(long_whats), i
    )


cdef inline int64_t whole_what(
    const int32_t* whats, const int64_t* long_whats, Py_ssize_t i
) noexcept nogil:
    cdef int64_t what = whats[i]
    if what < 0:
        return long_whats[~what]
    return what >> 15 << 32 | what & 0x7FFF


cdef inline int put_numbers(
    bytearray first, bytearray second, Py_ssize_t i, Py_ssize_t one, Py_ssize_t other
) except -1:
    put_number(first, i, one)
    put_number(second, i, other)
    return 0


cdef inline void copy_text(
    void* to, int kind, Py_ssize_t at, object text, Py_ssize_t pos, Py_ssize_t count
) noexcept:
    """Copy characters into units of this kind, which is not smaller than theirs."""
    cdef int narrow = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef void* place = <char*> to + at * kind
    if narrow == 1:
        copy_units(<const byte_unit*> data, pos, pos + count, kind, place)
    elif narrow == 2:
        copy_units(<const half_unit*> data, pos, pos + count, kind, place)
    else:
        copy_units(<const wide_unit*> data, pos, pos + count, kind, place)


cdef struct Edits:
    # Rows of edits, and the words that they write, the usual ones and others, or NULL.
    const int32_t* starts
    const int32_t* whats
    const int64_t* long_whats
    PyObject* words
    PyObject* odd_words
    Py_ssize_t count


cdef inline Py_ssize_t what_in(const Edits* edits, Py_ssize_t i) noexcept:
    """What an edit is; see ``what_at``."""
    return whole_what(edits.whats, edits.long_whats, i)


cdef inline object word_of(const Edits* edits, Py_ssize_t what):
    """What an edit writes; see ``_ledger`` for what is in a row of these."""
    cdef Py_ssize_t word = (what >> 5) & 0x7FFFFFF
    cdef tuple words = <tuple> edits.words
    cdef Py_ssize_t usual = len(words)
    return words[word] if word < usual else (<list> edits.odd_words)[word - usual]


cdef inline Py_ssize_t splice(
    void* to, Py_ssize_t room, int kind, str text, Py_ssize_t start, Py_ssize_t end,
    const Edits* edits
) except -1:
    """Write the text with the edits applied in units of this kind; how many.

    There is room for so many: enough where edits stand in order.
    """
    cdef Py_ssize_t i, size, what, at = start, done = 0
    cdef object new
    for i in range(edits.count):
        size = max(edits.starts[i] - at, 0)
        what = what_in(edits, i)
        new = word_of(edits, what)
        if done + size + PyUnicode_GET_LENGTH(new) > room:
            raise IndexError
        copy_text(to, kind, done, text, at, size)
        done += size
        size = PyUnicode_GET_LENGTH(new)
        copy_text(to, kind, done, new, 0, size)
        done += size
        at = edits.starts[i] + (what >> 32)
    size = max(end - at, 0)
    if done + size > room:
        raise IndexError
    copy_text(to, kind, done, text, at, size)
    return done + size


cdef inline void copy_bytes(
    byte_unit* to, const byte_unit* at, Py_ssize_t size, bint has_room
) noexcept nogil:
    """Copy bytes; where there is room, short runs are copied as 16 bytes at once."""
    if size <= 16 and has_room:
        memcpy(to, at, 16)
    else:
        memcpy(to, at, size)


cdef inline Py_ssize_t splice_bytes(
    byte_unit* to, Py_ssize_t room, str text, Py_ssize_t start, Py_ssize_t end,
    const Edits* edits
) except -1:
    """The same where all characters are of one byte."""
    cdef const byte_unit* data = <const byte_unit*> PyUnicode_DATA(text)
    cdef Py_ssize_t i, size, what, word, at = start, done = 0
    cdef Py_ssize_t last = PyUnicode_GET_LENGTH(text) - 16
    cdef object new
    for i in range(edits.count):
        size = max(edits.starts[i] - at, 0)
        if done + size > room:
            raise IndexError
        if size > 0:
            copy_bytes(to + done, data + at, size, at <= last and done + 16 <= room)
            done += size
        what = what_in(edits, i)
        at = edits.starts[i] + (what >> 32)
        word = what >> 5 & 0x7FFFFFF
        if word == 1:
            if done >= room:
                raise IndexError
            to[done] = c'"'
            done += 1
        elif word != 0:
            new = word_of(edits, what)
            size = PyUnicode_GET_LENGTH(new)
            if done + size > room:
                raise IndexError
            memcpy(to + done, <const byte_unit*> PyUnicode_DATA(new), size)
            done += size
    size = max(end - at, 0)
    if done + size > room:
        raise IndexError
    memcpy(to + done, data + at, size)
    return done + size


cdef inline Py_ssize_t added_by(const Edits* edits) except -1:
    """The characters that the edits write."""
    cdef Py_ssize_t i, what, word, size = 0
    for i in range(edits.count):
        what = what_in(edits, i)
        word = what >> 5 & 0x7FFFFFF
        if word == 1:
            size += 1
        elif word != 0:
            size += PyUnicode_GET_LENGTH(word_of(edits, what))
    return size


cdef inline Py_ssize_t room_for(Py_ssize_t size, const Edits* edits) except -1:
    """The characters that so many may become, and no fewer than will."""
    if edits.count < MANY and (
        edits.odd_words == NULL or len(<list> edits.odd_words) == 0
    ):
        return size + LONGEST_WORD * edits.count
    return size + added_by(edits)


cdef inline int width_of_all(str text, const Edits* edits) except -1:
    """The bytes of a character of both; 0 if all are ASCII."""
    cdef int kind = PyUnicode_KIND(text)
    cdef bint ascii = PyUnicode_IS_ASCII(text)
    cdef Py_ssize_t i
    cdef object new
    if edits.odd_words != NULL and len(<list> edits.odd_words) > 0:
        for i in range(edits.count):
            new = word_of(edits, what_in(edits, i))
            kind = max(kind, PyUnicode_KIND(new))
            ascii = ascii and PyUnicode_IS_ASCII(new)
    return 0 if ascii else kind


cdef inline str apply_edits(
    str text, Py_ssize_t start, Py_ssize_t end, bytearray starts, bytearray whats,
    bytearray long_whats, tuple words, list odd_words, Py_ssize_t count
):
    cdef Edits edits
    view_edits(&edits, starts, whats, long_whats, words, odd_words, count)
    return apply_all(text, start, end, &edits)


cdef inline void view_edits(
    Edits* edits, bytearray starts, bytearray whats, bytearray long_whats, tuple words,
    list odd_words, Py_ssize_t count
) noexcept:
    edits.starts = <int32_t*> PyByteArray_AS_STRING(starts)
    edits.whats = <int32_t*> PyByteArray_AS_STRING(whats)
    edits.long_whats = <int64_t*> PyByteArray_AS_STRING(long_whats)
    edits.words = <PyObject*> words
    edits.odd_words = <PyObject*> odd_words
    edits.count = count


cdef inline str apply_all(
    str text, Py_ssize_t start, Py_ssize_t end, const Edits* edits
):
    cdef Py_ssize_t size = room_for(max(end - start, 0), edits)
    cdef int kind = width_of_all(text, edits)
    cdef void* units
    if kind == 0 and size > 0:
        return splice_ascii(text, start, end, edits, size)
    kind = max(kind, 1)
    units = PyMem_Malloc(max(size, 1) * kind)
    if units == NULL:
        raise MemoryError
    try:
        size = splice(units, size, kind, text, start, end, edits)
        return PyUnicode_FromKindAndData(kind, units, size)
    finally:
        PyMem_Free(units)


cdef inline str splice_ascii(
    str text, Py_ssize_t start, Py_ssize_t end, const Edits* edits, Py_ssize_t room
):
    """The same for ASCII alone: written where it stays, with room for all."""
    cdef PyObject* made = make_text(room, 127)
    cdef Py_ssize_t size
    cdef str result
    try:
        size = splice_bytes(
            <byte_unit*> PyUnicode_DATA(<object> made), room, text, start, end, edits
        )
        PyUnicode_Resize(&made, size)
    except BaseException:
        Py_DECREF(<object> made)
        raise
    result = <str> made
    Py_DECREF(result)
    return result
