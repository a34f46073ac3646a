# C types for the compiled build of _mend.py, which itself is plain Python.
#
# A declaration here has the name of what it types; a test holds the two together.
# "except? -1" lets a raised NeedMore or LimitError through.

cimport cython

from jsonsift cimport _columns as column
from jsonsift._runs cimport RunReader
from jsonsift._scan cimport (
    is_blank,
    quote_length,
    skip_space,
    starts_number,
)

cdef int VALUE, KEY, COLON, AFTER, STRING, DONE, NOTHING, OBJECT, ARRAY, SET, PAREN
cdef int WRAP, SCALAR, Q_NONE, E_COMMENT, E_COMMA, E_BARE_KEY
cdef int E_MISSING_COMMA, E_TUPLE, E_INVISIBLE, E_ELLIPSIS, E_MISSING_COLON
cdef int E_MISSING_VALUE, E_CLOSER, E_STRAY_TEXT, E_ESCAPED_MARKUP, E_LITERAL
cdef int P_LACKING, P_UNSURE
cdef int LONG_LOOK, R_OUTER, R_SURPLUS, R_OPENER
cdef Py_UCS4 NUL


cdef class Mender(RunReader):

    cpdef bint feed(self, str more) except? -1

    cdef bint _go_on(self) except? -1

    cpdef bint close(self) except? -1

    @cython.locals(ahead=Py_ssize_t)
    cpdef bint run(self) except? -1

    cdef int _take_pieces(self) except? -1

    @cython.locals(ch=Py_UCS4)
    cdef int _step(self) except -1

    @cython.locals(after=Py_ssize_t, ch=Py_UCS4, kind=int, pos=Py_ssize_t)
    cdef Py_UCS4 _next_char(self) except? 0x10FFFF

    cdef int _read_value(self, Py_UCS4 ch) except -1

    @cython.locals(bracket=Py_ssize_t, end=Py_ssize_t, is_item=bint)
    cdef bint _skip_lead_in(self) except? -1

    @cython.locals(after_comma=bint)
    cdef bint _was_key(self) except? -1

    cdef bint _opens_early(self, Py_ssize_t pos) except? -1

    @cython.locals(colon=Py_ssize_t, kind=int)
    cdef bint _begins_with_member(self, Py_ssize_t pos) except? -1

    @cython.locals(behind=Py_ssize_t, end=Py_ssize_t)
    cdef bint _begins_with_bare_member(self, Py_UCS4 ch) except? -1

    cdef int _push_at_bracket(self, Py_UCS4 ch, int kind, int place) except -1

    @cython.locals(kind=int)
    cdef int _read_no_value(self, Py_UCS4 ch) except -1

    @cython.locals(ch=Py_UCS4, end=Py_ssize_t)
    cdef bint _skip_ellipsis(self) except? -1

    @cython.locals(end=Py_ssize_t, start=Py_ssize_t, words=str)
    cdef Py_ssize_t _omission_end(self, Py_ssize_t pos) except? -2

    cdef int _read_after(self, Py_UCS4 ch) except -1

    cdef bint _is_item(self, Py_UCS4 ch) except? -1

    cdef int _insert_comma(self) except -1

    @cython.locals(kind=int)
    cdef int _after_comma(self) except -1

    @cython.locals(opener=Py_ssize_t)
    cdef int _become_tuple(self) except -1

    @cython.locals(close=Py_ssize_t, quote=int)
    cdef void _read_after_member(self, Py_UCS4 ch) except *

    @cython.locals(after=Py_ssize_t, following=Py_UCS4, kind=int, reading=int)
    cdef void _read_comma(self, Py_UCS4 ch) except *

    @cython.locals(end=Py_ssize_t)
    cdef bint _is_bare_member(self, Py_ssize_t pos, int kind) except? -1

    cdef int _take_comma(self, Py_UCS4 ch) except -1

    cdef int _open_implied(self, Py_ssize_t at) except -1

    cdef int _skip_to(self, Py_ssize_t at) except -1

    @cython.locals(at=Py_ssize_t, index=Py_ssize_t, last=int)
    cdef int _open_list_before(self) except -1

    cdef int _open_row(self, Py_ssize_t at) except -1

    @cython.locals(first=bint)
    cdef int _read_key(self, Py_UCS4 ch) except -1

    cdef bint _is_spread(self, Py_ssize_t pos) except? -1

    @cython.locals(end=Py_ssize_t)
    cdef bint _skip_prefix(self) except? -1

    cdef int _begin_member(self) except -1

    @cython.locals(at=Py_ssize_t, index=Py_ssize_t, kind=int, supplied=bint)
    cdef int _become_set(self) except -1

    @cython.locals(after=Py_ssize_t, end=Py_ssize_t, following=Py_UCS4, pos=Py_ssize_t)
    cdef int _read_bare_key(self, bint first) except -1

    cdef bint _leads_to_key(self, Py_ssize_t pos) except? -1

    @cython.locals(ch=Py_UCS4)
    cdef bint _is_value_word(self, Py_ssize_t pos) except? -1

    @cython.locals(end=Py_ssize_t, following=Py_ssize_t)
    cdef Py_ssize_t _bare_key_end(self, Py_ssize_t pos) except? -2

    @cython.locals(closes=bint, pos=Py_ssize_t)
    cdef int _take_bare_key(self, Py_ssize_t end) except -1

    @cython.locals(first=bint, length=Py_ssize_t, pos=Py_ssize_t, walrus=bint)
    cdef int _read_colon(self, Py_UCS4 ch) except -1
