# C types for the compiled build of _runs.py, which itself is plain Python.
#
# A declaration here has the name of what it types; a test holds the two together.
# "except? -1" lets a raised NeedMore or LimitError through.

cimport cython

from jsonsift._closers cimport CloserReader
from jsonsift._scan cimport skip_scalar, skip_space, skip_string

cdef int VALUE, KEY, AFTER, NOTHING, OBJECT, ARRAY, SCALAR


cdef class RunReader(CloserReader):
    cdef Py_ssize_t run_from, run_depth, run_value, run_number, run_keys, run_values
    cdef int run_last

    @cython.final
    @cython.locals(kind=int, pos=Py_ssize_t)
    cdef void _skip_run(self) except *

    @cython.final
    cdef void _enter_run(self) except *

    @cython.final
    cdef Py_ssize_t _stop_run(self, Py_ssize_t pos) noexcept

    @cython.final
    @cython.locals(colon=Py_ssize_t, end=Py_ssize_t, text=str)
    cdef Py_ssize_t _skip_key(self, Py_ssize_t pos) except? -1

    @cython.final
    @cython.locals(after=Py_ssize_t, ch=Py_UCS4)
    cdef Py_ssize_t _skip_value(self, Py_ssize_t pos) except? -1

    @cython.final
    cdef void _note_scalar(self, Py_ssize_t pos, Py_UCS4 ch) noexcept

    @cython.final
    cdef Py_ssize_t _skip_opener(self, Py_ssize_t pos, int kind) except? -1

    @cython.final
    @cython.locals(
        after=Py_ssize_t, ch=Py_UCS4, end=Py_ssize_t, following=Py_ssize_t, kind=int,
        text=str, value=Py_ssize_t
    )
    cdef Py_ssize_t _skip_after(self, Py_ssize_t pos) except? -1

    @cython.final
    @cython.locals(around=int)
    cdef bint _leave(self, int kind) except? -1

    @cython.final
    cdef void _take_run(
        self, Py_ssize_t comma, Py_ssize_t following, int place
    ) except *
