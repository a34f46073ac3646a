# C types for the compiled build of _lost.py, which itself is plain Python.
#
# A declaration here has the name of what it types; a test holds the two together.
# "except? -1" lets a raised NeedMore or LimitError through.

cimport cython

from jsonsift cimport _leaves as leaf
from jsonsift._ledger cimport Ledger
from jsonsift._scan cimport is_blank, is_structure, quote_length, skip_space
from jsonsift._scan cimport starts_number

cdef int NOTHING, OBJECT, ARRAY, Q_NONE
cdef int PASTED_LOOKED_AT


cdef class LostQuotes(Ledger):
    cdef bint is_key
    cdef int inner
    cdef Py_ssize_t body, inner_quotes, balance, balance_at, counted, curly, square

    cdef int _begin(
        self, str text, Py_ssize_t start, Py_ssize_t end, bint final,
        Py_ssize_t max_depth
    ) except -1

    @cython.locals(at=Py_ssize_t, ch=Py_UCS4)
    cdef bint _pasted(self, Py_ssize_t pos) except? -1

    @cython.locals(
        ch=Py_UCS4, comma=Py_ssize_t, first=Py_ssize_t, line=Py_ssize_t,
        start=Py_ssize_t
    )
    cdef Py_ssize_t _ended_before(self, Py_ssize_t pos) except? -2

    @cython.locals(ch=Py_UCS4, curly=Py_ssize_t, last=Py_ssize_t, square=Py_ssize_t)
    cdef Py_ssize_t _skip_balanced(self, Py_ssize_t at, Py_ssize_t end) except? -2

    @cython.locals(at=Py_ssize_t, ch=Py_UCS4)
    cdef int _count_brackets(self, Py_ssize_t end) except -1

    cdef Py_ssize_t _trim(self, Py_ssize_t pos) except? -2

    @cython.locals(ch=Py_UCS4, depth=Py_ssize_t, due=bint, kind=int, opened=int)
    cdef bint _leads(self, Py_ssize_t at, Py_ssize_t pos) except? -1

    @cython.locals(end=Py_ssize_t)
    cdef bint _is_curly_key(self, Py_ssize_t at) except? -1

    @cython.locals(after=Py_ssize_t, following=Py_ssize_t)
    cdef bint _is_string_item(self, Py_ssize_t pos) except? -1

    @cython.locals(at=Py_ssize_t, colon=Py_ssize_t, end=Py_ssize_t)
    cdef Py_ssize_t _key_ended_before(self, Py_ssize_t pos) except? -2

    @cython.locals(close=Py_ssize_t, colon=Py_ssize_t, quote=int)
    cdef Py_ssize_t _lost_key_quote(self, Py_ssize_t pos) except? -2

    @cython.locals(
        at=Py_ssize_t, ch=Py_UCS4, closers=Py_ssize_t, found=Py_ssize_t,
        left=Py_ssize_t, marked=bint
    )
    cdef Py_ssize_t _closing_tail(self, Py_ssize_t end) except? -2

    @cython.locals(at=Py_ssize_t, ch=Py_UCS4, depth=Py_ssize_t, line=Py_ssize_t)
    cdef Py_ssize_t _closing_lines(
        self, Py_ssize_t start, Py_ssize_t end
    ) except? -2

    @cython.locals(ch=Py_UCS4, depth=Py_ssize_t)
    cdef Py_ssize_t _left_open(self, Py_ssize_t at, Py_ssize_t end) except? -2
