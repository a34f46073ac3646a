# The loops of _checks.py for the compiled build, inlined into whoever calls them.

from cpython.bytes cimport _PyBytes_Resize
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF

from jsonsift._leaves cimport (
    COPY_ASCII, FIND_ODD_LINE, LOOKS_AT_16, MAY_STAND_AROUND, PyUnicode_DATA,
    PyUnicode_GET_LENGTH, PyUnicode_KIND, blanks_in, byte_unit, digits_in, half_unit,
    line_end_in, unit, wide_unit,
)

cdef extern from "Python.h":
    bint PyBytes_CheckExact(object value) noexcept
    char* PyBytes_AS_STRING(object value) noexcept
    Py_ssize_t PyBytes_GET_SIZE(object value) noexcept
    bint PyDict_CheckExact(object value) noexcept
    bint PyDict_Next(
        object value, Py_ssize_t* at, PyObject** key, PyObject** inner
    ) noexcept
    bint PyObject_GC_IsTracked(object value) noexcept
    bint PyList_CheckExact(object value) noexcept
    Py_ssize_t PyList_GET_SIZE(object value) noexcept
    PyObject* PyList_GET_ITEM(object value, Py_ssize_t at) noexcept
    PyObject* make_bytes "PyBytes_FromStringAndSize"(
        const char* data, Py_ssize_t size
    ) except NULL


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


cdef inline int view_units(object body, void** data, Py_ssize_t* end) noexcept:
    """Where the characters of a text or the bytes stand, how many they are, and how
    many bytes each takes.
    """
    if PyBytes_CheckExact(body):
        data[0], end[0] = PyBytes_AS_STRING(body), PyBytes_GET_SIZE(body)
        return 1
    data[0], end[0] = PyUnicode_DATA(body), PyUnicode_GET_LENGTH(body)
    return PyUnicode_KIND(body)


cdef inline bint has_long_digits(object text) noexcept:
    cdef void* data
    cdef Py_ssize_t end
    cdef int kind = view_units(text, &data, &end)
    if kind == 1:
        return long_digits_in(<const byte_unit*> data, end)
    if kind == 2:
        return long_digits_in(<const half_unit*> data, end)
    return long_digits_in(<const wide_unit*> data, end)


cdef inline Py_ssize_t encode_units(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, byte_unit* to
) noexcept nogil:
    """Write UTF-8, and tell how much; -1 if half of a surrogate pair is among it."""
    cdef byte_unit* first = to
    cdef unsigned int ch
    while pos < end:
        ch = data[pos]
        pos += 1
        if ch < 0x80:
            to[0] = <byte_unit> ch
            to += 1
        elif ch < 0x800:
            to[0] = <byte_unit> (0xC0 | ch >> 6)
            to[1] = <byte_unit> (0x80 | ch & 0x3F)
            to += 2
        elif ch < 0x10000:
            if 0xD800 <= ch <= 0xDFFF:
                return -1
            to[0] = <byte_unit> (0xE0 | ch >> 12)
            to[1] = <byte_unit> (0x80 | ch >> 6 & 0x3F)
            to[2] = <byte_unit> (0x80 | ch & 0x3F)
            to += 3
        else:
            to[0] = <byte_unit> (0xF0 | ch >> 18)
            to[1] = <byte_unit> (0x80 | ch >> 12 & 0x3F)
            to[2] = <byte_unit> (0x80 | ch >> 6 & 0x3F)
            to[3] = <byte_unit> (0x80 | ch & 0x3F)
            to += 4
        if unit is not byte_unit and LOOKS_AT_16 and ch < 0x80:
            while pos + 16 // <int> sizeof(unit) <= end and COPY_ASCII(
                data + pos, sizeof(unit), to
            ):
                pos += 16 // <int> sizeof(unit)
                to += 16 // <int> sizeof(unit)
    return to - first


cdef inline Py_ssize_t encode_span(
    str text, Py_ssize_t pos, Py_ssize_t end, byte_unit* to
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    if kind == 1:
        return encode_units(<const byte_unit*> data, pos, end, to)
    if kind == 2:
        return encode_units(<const half_unit*> data, pos, end, to)
    return encode_units(<const wide_unit*> data, pos, end, to)


cdef inline object encode_text(str text):
    cdef int kind = PyUnicode_KIND(text)
    cdef Py_ssize_t size, end = PyUnicode_GET_LENGTH(text)
    cdef PyObject* made = make_bytes(NULL, end * (kind + (kind < 3)))
    cdef object result
    size = encode_span(text, 0, end, <byte_unit*> PyBytes_AS_STRING(<object> made))
    if size >= 0:
        _PyBytes_Resize(&made, size)
    result = <object> made
    Py_DECREF(result)
    return result if size >= 0 else None


cdef inline bint broken_line_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef Py_ssize_t before
    pos = FIND_ODD_LINE(data, sizeof(unit), pos, end)
    while pos >= 0:
        pos = line_end_in(data, pos, end)
        before = pos - 1
        while before >= 0 and (
            data[before] == 32 or data[before] == 13
            or data[before] == 9 or data[before] == 10
        ):
            before -= 1
        if pos < 0 or before < 0:
            return False
        pos = blanks_in(data, pos, end)
        if pos >= end:
            return False
        if not MAY_STAND_AROUND(data[before], data[pos]):
            return True
    return False


cdef inline bint has_broken_line(str text, Py_ssize_t pos) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    cdef Py_ssize_t end = PyUnicode_GET_LENGTH(text)
    if kind == 1:
        return broken_line_in(<const byte_unit*> PyUnicode_DATA(text), pos, end)
    if kind == 2:
        return broken_line_in(<const half_unit*> PyUnicode_DATA(text), pos, end)
    return broken_line_in(<const wide_unit*> PyUnicode_DATA(text), pos, end)


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


cdef inline bint opens_container(object body) noexcept:
    """Behind the last byte of each stands a zero."""
    cdef void* data
    cdef Py_ssize_t end
    view_units(body, &data, &end)
    return (<const byte_unit*> data)[0] == c"{" or (<const byte_unit*> data)[0] == c"["


cdef inline bint is_deeper(object value, object text, Py_ssize_t limit) noexcept:
    cdef void* data
    cdef Py_ssize_t end
    cdef int kind = view_units(text, &data, &end)
    if kind == 1 and not opens_more_in(<const byte_unit*> data, end, limit):
        return False
    return nests_deeper(value, limit)
