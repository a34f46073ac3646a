# C types for the compiled build of _runs.py, which itself is plain Python.
#
# A declaration here has the name of what it types; a test holds the two together.
# "except? -1" lets a raised NeedMore or LimitError through.

cimport cython

from jsonsift cimport _leaves as leaf
from jsonsift cimport _stretches as stretch
from jsonsift._closers cimport CloserReader

cdef int VALUE, KEY, AFTER, NOTHING, OBJECT, ARRAY, SCALAR, E_COMMA, E_COMMENT
cdef int E_QUOTE_MARK, E_BARE_KEY, E_LITERAL
cdef int W_NOTHING, W_QUOTE, W_TRUE, W_FALSE, W_NULL




cdef class RunReader(CloserReader):
    cdef bytearray found
    cdef Py_ssize_t skipped_from, tried_to, try_credit
    cdef Py_ssize_t run_from, key_end, run_depth, run_value, run_value_edits
    cdef Py_ssize_t run_comma, run_number, run_quoted_keys, run_bare_keys, run_values, run_edits
    cdef int run_last

    cdef int _begin(
        self, str text, Py_ssize_t start, Py_ssize_t end, bint final,
        Py_ssize_t max_depth
    ) except -1

    @cython.final
    @cython.locals(kind=int, pos=Py_ssize_t, value=Py_ssize_t)
    cdef void _skip_run(self) except *

    @cython.final
    cdef int _enter_run(self) except -1

    @cython.final
    cdef Py_ssize_t _stop_run(self, Py_ssize_t pos) except? -2

    @cython.final
    cdef int _take_back(self, Py_ssize_t count) except -1

    @cython.final
    cdef Py_ssize_t _skip_gap(self, Py_ssize_t pos) except? -2

    @cython.final
    @cython.locals(line=Py_ssize_t)
    cdef Py_ssize_t _skip_remarks(self, Py_ssize_t pos) except? -2

    @cython.final
    @cython.locals(ch=Py_UCS4, colon=Py_ssize_t, end=Py_ssize_t, key=Py_ssize_t)
    cdef Py_ssize_t _skip_key(self, Py_ssize_t pos) except? -2

    @cython.final
    @cython.locals(ch=Py_UCS4)
    cdef int _note_key(self, Py_ssize_t pos) except -1

    @cython.final
    @cython.locals(
        after=Py_ssize_t, end=Py_ssize_t, longest=Py_ssize_t, most=Py_ssize_t
    )
    cdef Py_ssize_t _skip_container(self, Py_ssize_t pos, int kind) except? -2

    @cython.final
    @cython.locals(after=Py_ssize_t, ch=Py_UCS4, kind=int)
    cdef Py_ssize_t _skip_value(self, Py_ssize_t pos) except? -2

    @cython.final
    @cython.locals(after=Py_ssize_t, end=Py_ssize_t)
    cdef Py_ssize_t _skip_scalar(self, Py_ssize_t pos, Py_UCS4 ch) except? -2

    @cython.final
    cdef int _note_scalar(
        self, Py_ssize_t pos, Py_ssize_t end, Py_UCS4 ch
    ) except -1

    @cython.final
    @cython.locals(ch=Py_UCS4, first=Py_ssize_t, value=Py_ssize_t)
    cdef Py_ssize_t _skip_opener(self, Py_ssize_t pos, int kind) except? -2

    @cython.final
    @cython.locals(
        after=Py_ssize_t, behind=Py_ssize_t, ch=Py_UCS4, end=Py_ssize_t,
        following=Py_ssize_t, kind=int, opener=Py_ssize_t
    )
    cdef Py_ssize_t _skip_after(self, Py_ssize_t pos) except? -2

    @cython.final
    @cython.locals(ch=Py_UCS4, key=Py_ssize_t, value=Py_ssize_t)
    cdef int _note_members(self) except -1

    @cython.final
    @cython.locals(value=Py_ssize_t)
    cdef Py_ssize_t _skip_to_member(
        self, Py_ssize_t comma, Py_ssize_t following
    ) except? -2

    @cython.final
    @cython.locals(after=Py_ssize_t, behind=Py_ssize_t, mark=Py_UCS4)
    cdef Py_ssize_t _skip_to_item(
        self, Py_ssize_t comma, Py_ssize_t following, Py_UCS4 ch
    ) except? -2

    @cython.final
    @cython.locals(around=int)
    cdef bint _leave(self, int kind) except? -1

    @cython.final
    cdef int _take_comma_at(
        self, Py_ssize_t comma, Py_ssize_t following, int place
    ) except -1

    @cython.final
    cdef int _take_run(self, Py_ssize_t pos, int place) except -1
