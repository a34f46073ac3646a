# C types for the compiled build of _scan.py, which itself is plain Python.
#
# A declaration here has the name of what it types; a test holds the two together.
# "except? -1" lets a raised NeedMore or LimitError through.

cimport cython

from jsonsift cimport _columns as column
from jsonsift cimport _leaves as leaf

cdef int Q_NONE, Q_DOUBLE, Q_SINGLE, Q_CURLY, Q_CURLY_SINGLE, Q_BACKTICK, Q_TRIPLE
cdef int Q_TRIPLE_SINGLE, Q_ESCAPED, Q_ENTITY, Q_ENTITY_DECIMAL, F_BLOCK_END
cdef int F_LINE_END, F_MARKUP_END
cdef int COMMENT_STRIDE, SHORT_WALK, CLOSER_STRIDE
cdef Py_UCS4 NUL
cdef bint COMPILED
cdef tuple STOPS, NEEDLES

cpdef Py_ssize_t skip_space(str text, Py_ssize_t pos, Py_ssize_t end) except? -2

@cython.locals(ch=Py_UCS4)
cpdef Py_ssize_t skip_plain(
    str text, Py_ssize_t pos, Py_ssize_t end, int quote
) except? -2

@cython.locals(ch=Py_UCS4)
cpdef Py_ssize_t skip_word(str text, Py_ssize_t pos, Py_ssize_t end) except? -2

@cython.locals(ch=Py_UCS4)
cpdef Py_ssize_t skip_joined(str text, Py_ssize_t pos, Py_ssize_t end) except? -2

cpdef Py_ssize_t skip_digits(str text, Py_ssize_t pos, Py_ssize_t end) except? -2

@cython.locals(
    at=Py_ssize_t, exponent=Py_ssize_t, fraction=Py_ssize_t, last=Py_ssize_t,
    sign=bint, whole=Py_ssize_t
)
cpdef Py_ssize_t skip_number(str text, Py_ssize_t pos, Py_ssize_t end) except? -2

cpdef bint is_structure(Py_UCS4 ch) noexcept

cpdef bint is_blank(Py_UCS4 ch) noexcept

cpdef bint starts_number(Py_UCS4 ch) noexcept

cpdef Py_ssize_t quote_length(int quote) noexcept


cdef class Scanner:
    cdef readonly Py_ssize_t start, pos
    cdef readonly str text
    cdef bint final
    cdef Py_ssize_t end, limit, retry_at, lost_from, lost_to
    cdef Py_ssize_t unbroken_from, unbroken_to
    cdef readonly Py_ssize_t in_vain
    cdef Py_ssize_t fence_from, fence_at
    cdef Py_ssize_t compared_to, fault_at
    cdef bytearray sought
    cdef Py_ssize_t closers, closers_end
    cdef dict comments_to, closers_to, commas_to

    cdef int _begin(
        self, str text, Py_ssize_t start, Py_ssize_t end, bint final,
        Py_ssize_t max_depth
    ) except -1

    cpdef void recall(self, Scanner other) except *

    @cython.locals(which=int)
    cdef int _forget_sought(self, Py_ssize_t end) except -1

    cpdef void recall_unbroken(self, Scanner other) except *

    @cython.locals(text=str)
    cdef int _add_text(self, str more) except -1

    @cython.locals(ch=Py_UCS4)
    cdef Py_UCS4 _at(self, Py_ssize_t pos) except? 0x10FFFF

    cdef Py_UCS4 _before(self, Py_ssize_t pos) except? 0x10FFFF

    @cython.locals(at=Py_ssize_t, first=Py_ssize_t, row=Py_ssize_t)
    cdef Py_ssize_t _find(self, int which, Py_ssize_t pos) except? -2

    cdef bint _has_line_end(self, Py_ssize_t pos, Py_ssize_t stop) except? -1

    @cython.locals(end=Py_ssize_t)
    cdef Py_ssize_t _word_end(self, Py_ssize_t pos) except? -2

    @cython.locals(end=Py_ssize_t)
    cdef Py_ssize_t _number_end(self, Py_ssize_t pos) except? -2

    @cython.locals(ch=Py_UCS4)
    cdef Py_ssize_t _token_end(self, Py_ssize_t pos) except? -2

    @cython.locals(end=Py_ssize_t, following=Py_UCS4, note=Py_ssize_t)
    cdef Py_ssize_t _ellipsis_end(self, Py_ssize_t pos) except? -2

    @cython.locals(after=Py_ssize_t, ch=Py_UCS4)
    cdef Py_ssize_t _peek(self, Py_ssize_t pos) except? -2

    @cython.locals(
        after=Py_ssize_t, at=Py_ssize_t, passed=list, steps=Py_ssize_t,
        walked=Py_ssize_t,
    )
    cdef Py_ssize_t _skip_comments(
        self, Py_ssize_t first, Py_ssize_t pos
    ) except? -2

    @cython.locals(ch=Py_UCS4)
    cdef Py_ssize_t _pass_closers(self, Py_ssize_t pos) except? -2

    @cython.locals(more=Py_ssize_t, passed=list, steps=Py_ssize_t)
    cdef Py_ssize_t _pass_many_closers(self, Py_ssize_t pos) except? -2

    @cython.locals(end=Py_ssize_t, passed=list, steps=Py_ssize_t)
    cdef Py_ssize_t _pass_commas(self, Py_ssize_t pos) except? -2

    @cython.locals(ch=Py_UCS4, following=Py_UCS4)
    cdef Py_ssize_t _skip_odd(self, Py_ssize_t pos) except? -2

    @cython.locals(end=Py_ssize_t, following=Py_UCS4)
    cdef bint _is_remark(self, Py_ssize_t pos) except? -1

    @cython.locals(ch=Py_UCS4, second=Py_UCS4)
    cdef bint _is_stop(self, Py_ssize_t pos) except? -1

    @cython.locals(ch=Py_UCS4)
    cdef int _open_quote(self, Py_ssize_t pos) except? -1

    cdef bint _is_entity(self, Py_ssize_t pos) except? -1

    @cython.locals(ch=Py_UCS4, mark=Py_UCS4)
    cdef Py_ssize_t _close_length(self, Py_ssize_t pos, int quote) except? -2

    @cython.locals(at=Py_ssize_t, first=Py_ssize_t)
    cdef Py_ssize_t _end_quote(self, Py_ssize_t pos, int quote) except? -2

    @cython.locals(after=Py_UCS4)
    cdef Py_ssize_t _nested_escape_length(self, Py_ssize_t pos) except? -2

    @cython.locals(close=Py_ssize_t, quote=int)
    cdef Py_ssize_t _behind_string(self, Py_ssize_t pos) except? -2

    cdef bint _is_apostrophe(self, Py_ssize_t pos) except? -1

    @cython.locals(after=Py_ssize_t, close=Py_ssize_t, colon=Py_ssize_t)
    cdef bint _is_key(self, Py_ssize_t pos) except? -1

    cdef bint _is_quoted_key(self, Py_ssize_t pos) except? -1

    @cython.locals(ch=Py_UCS4, end=Py_ssize_t)
    cdef bint _is_value(self, Py_ssize_t pos) except? -1

    cdef bint _is_arrow(self, Py_ssize_t pos) except? -1

    @cython.locals(inside=Py_UCS4, quote=int)
    cdef bint _is_end_mark(self, Py_ssize_t pos) except? -1

    @cython.locals(close=Py_ssize_t, inside=Py_ssize_t)
    cdef bint _is_container(self, Py_ssize_t pos, Py_UCS4 ch) except? -1
