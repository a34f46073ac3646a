# C types for the compiled build of _runs.py, which itself is plain Python.
#
# A declaration here has the name of what it types; a test holds the two together.
# "except? -1" lets a raised NeedMore or LimitError through.

cimport cython

from jsonsift._closers cimport CloserReader
from jsonsift cimport _walks as walks

cdef int VALUE, KEY, AFTER, OBJECT, ARRAY


cdef class RunReader(CloserReader):
    cdef Py_ssize_t run_from, tried, tried_to

    cdef int _begin(
        self, str text, Py_ssize_t start, Py_ssize_t end, bint final,
        Py_ssize_t max_depth
    ) except -1

    cdef object _read_at_once(self, str text, Py_ssize_t max_depth)

    cdef object _told_value(self)

    @cython.final
    @cython.locals(kind=int)
    cdef int _skip_run(self) except -1
