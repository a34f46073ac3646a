# C types for the compiled build of _bounds.py, which itself is plain Python.

cimport cython

cdef bint COMPILED
cdef Py_ssize_t LONG_DIGITS

@cython.locals(at=Py_ssize_t, end=Py_ssize_t, first=Py_ssize_t)
cpdef bint has_long_digits(str text) except? -1

cpdef Py_ssize_t skip_digits_of(str text, Py_ssize_t pos, Py_ssize_t end) except? -1

cpdef bint is_deeper(object value, Py_ssize_t limit) except? -1
