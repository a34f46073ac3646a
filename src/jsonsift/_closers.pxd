# C types for the compiled build of _closers.py, which itself is plain Python.
#
# A declaration here has the name of what it types; a test holds the two together.
# "except? -1" lets a raised NeedMore or LimitError through.

cimport cython

from jsonsift cimport _columns as column
from jsonsift._readings cimport ReadingJudge
from jsonsift._scan cimport is_structure, quote_length

cdef int VALUE, KEY, AFTER, NOTHING, OBJECT, ARRAY, Q_NONE, E_COMMA
cdef int E_FULL_WIDTH, E_CLOSER, CLOSERS_LOOKED_AT
cdef int R_OUTER, R_MISTYPED, R_SURPLUS, R_OPENER, ITEMS_DEEPEST, ITEMS_LOOKED_AT
cdef int SCALAR, Q_DOUBLE, F_SQUARE, F_CURLY
cdef Py_UCS4 NUL


cdef class CloserReader(ReadingJudge):

    cdef int _take(self, Py_UCS4 ch) except -1

    @cython.locals(at=Py_ssize_t, index=Py_ssize_t, is_closer=bint)
    cdef void _drop_comma(self) except *

    cdef void _close_unfilled(self, Py_UCS4 ch) except *

    cdef int _drop_closer(self) except -1

    cdef int _read_closer(self, Py_UCS4 ch) except -1

    @cython.locals(kind=int, new=str, opener=Py_ssize_t)
    cdef void _close_top(self, Py_UCS4 ch) except *

    cdef bint _is_doubled_brace(self) except? -1

    @cython.locals(
        after=Py_ssize_t, quote=int, start=Py_ssize_t, surplus=int,
        value=Py_ssize_t
    )
    cdef bint _goes_on(self, Py_ssize_t pos) except? -1

    @cython.locals(at=Py_ssize_t, key=str, nested=Py_ssize_t, quote=int)
    cdef bint _has_key(self, Py_ssize_t start, Py_ssize_t pos) except? -1

    @cython.locals(bracket=Py_ssize_t, comma=Py_ssize_t, empty=bint, new=str)
    cdef bint _goes_on_array(self) except? -1

    @cython.locals(outer=Py_ssize_t, reading=int, usual=int)
    cdef int _read_misfit(self, Py_UCS4 ch) except -1

    @cython.locals(behind=Py_ssize_t)
    cdef int _closer_reading(self, int usual, Py_ssize_t outer) except? -1

    cdef int _replace_closer(self) except -1

    @cython.locals(at=Py_ssize_t, ch=Py_UCS4, following=Py_ssize_t, steps=Py_ssize_t)
    cdef bint _fits(self, Py_ssize_t depth, Py_ssize_t pos) except? -1

    @cython.locals(after=Py_ssize_t)
    cdef bint _is_one_too_many(self) except? -1

    @cython.locals(usual=int)
    cdef int _read_surplus(self, Py_UCS4 ch) except -1

    @cython.locals(new=str)
    cdef int _insert_closer(self) except -1

    @cython.locals(end=Py_ssize_t)
    cdef bint _lacks_opener(self, Py_ssize_t pos) except? -1

    @cython.locals(
        ch=Py_UCS4, depth=Py_ssize_t, first=Py_ssize_t, quote=int, stop=Py_ssize_t
    )
    cdef Py_ssize_t _items_end(self, Py_ssize_t pos) except? -2

    @cython.locals(ch=Py_UCS4, quote=int)
    cdef bint _lacks_row(self, Py_ssize_t pos) except? -1

    @cython.locals(between=bint, implied=bint, usual=int)
    cdef int _item_reading(self, Py_ssize_t pos, Py_UCS4 ch) except? -1

    @cython.locals(again=bint, usual=int)
    cdef int _member_reading(self, Py_ssize_t pos) except? -1

    cdef bint _is_afterword(self, Py_ssize_t pos) except? -1

    @cython.locals(after=Py_ssize_t, ch=Py_UCS4, end=Py_ssize_t, words=int)
    cdef bint _is_lone_member(self, Py_ssize_t pos) except? -1
