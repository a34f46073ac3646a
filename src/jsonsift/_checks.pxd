# The loops of _checks.py for the compiled build, inlined into whoever calls them.

from cpython.object cimport PyObject

from jsonsift._leaves cimport (
    FIND_ODD_LINE, MAY_STAND_AROUND, PyUnicode_DATA, PyUnicode_GET_LENGTH,
    PyUnicode_KIND, blanks_in, byte_unit, half_unit, line_end_in, unit, wide_unit,
)

cdef extern from "Python.h":
    bint PyDict_CheckExact(object value) noexcept
    bint PyDict_Next(
        object value, Py_ssize_t* at, PyObject** key, PyObject** inner
    ) noexcept
    bint PyObject_GC_IsTracked(object value) noexcept
    bint PyList_CheckExact(object value) noexcept
    Py_ssize_t PyList_GET_SIZE(object value) noexcept
    PyObject* PyList_GET_ITEM(object value, Py_ssize_t at) noexcept


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


cdef inline bint has_broken_line(
    str text, Py_ssize_t pos, Py_ssize_t end
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
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


cdef inline bint is_deeper(object value, str text, Py_ssize_t limit) noexcept:
    cdef Py_ssize_t end = PyUnicode_GET_LENGTH(text)
    if PyUnicode_KIND(text) == 1 and not opens_more_in(
        <const byte_unit*> PyUnicode_DATA(text), end, limit
    ):
        return False
    return nests_deeper(value, limit)
