# C types for the compiled build of _strings.py, which itself is plain Python.
#
# A declaration here has the name of what it types; a test holds the two together.
# "except? -1" lets a raised NeedMore or LimitError through.

cimport cython

from jsonsift cimport _columns as column
from jsonsift._quotes cimport QuoteJudge
from jsonsift._scan cimport is_blank, is_structure, quote_length, skip_plain
from jsonsift._scan cimport skip_space, skip_word

cdef int KEY, COLON, STRING, SCALAR, Q_NONE, Q_DOUBLE, Q_BACKTICK, Q_TRIPLE
cdef int Q_TRIPLE_SINGLE, Q_ESCAPED, Q_ENTITY, Q_ENTITY_DECIMAL, E_QUOTE_MARK
cdef int E_CONCATENATION, E_SURROGATE, E_CUT, E_INNER_QUOTE, E_MISSING_QUOTE
cdef int E_ESCAPE, E_ESCAPED_MARKUP
cdef str HEX_DIGITS
cdef int ENTITY_LENGTH, MARK_LENGTH, MOST_ASKED, MOST_MARKS, SHORT_WALK
cdef Py_ssize_t VAIN_TIMES, VAIN_FREE

cpdef str read_entity(str entity)


cdef class StringReader(QuoteJudge):

    cdef Py_ssize_t _line_break(self, Py_ssize_t pos) except? -2

    @cython.locals(at=Py_ssize_t, close=Py_ssize_t, length=Py_ssize_t)
    cdef bint _ends_block(self, Py_ssize_t pos) except? -1

    @cython.locals(
        colon=Py_ssize_t, doubled=bint, layout=Py_ssize_t, length=Py_ssize_t,
        pos=Py_ssize_t, quote=int
    )
    cdef void _open_string(self, bint is_key) except *

    @cython.locals(length=Py_ssize_t, pos=Py_ssize_t)
    cdef int _begin_string(
        self, int quote, bint is_key, bint doubled, Py_ssize_t layout
    ) except -1

    @cython.locals(quote=int)
    cdef Py_ssize_t _mark_kind(self) except? -2

    @cython.locals(after=Py_UCS4, ch=Py_UCS4, close=Py_ssize_t, following=Py_UCS4)
    cdef bint _is_doubled(self, Py_ssize_t pos, bint is_key) except? -1

    @cython.locals(ch=Py_UCS4, length=Py_ssize_t, pos=Py_ssize_t)
    cdef void _read_string(self) except *

    cdef bint _was_key(self) except? -1

    @cython.locals(after=Py_ssize_t)
    cdef bint _closes_here(self, Py_ssize_t pos, Py_ssize_t length) except? -1

    @cython.locals(after=Py_ssize_t)
    cdef bint _opens_next(self, Py_ssize_t pos) except? -1

    cdef bint _fits_behind_commas(
        self, Py_ssize_t pos, Py_ssize_t following
    ) except? -1

    cdef bint _fits_behind_closers(self, Py_ssize_t first, Py_ssize_t at) except? -1

    @cython.locals(count=Py_ssize_t, last=Py_ssize_t)
    cdef bint _may_ask(self, Py_ssize_t pos, Py_ssize_t after) except? -1

    @cython.locals(count=Py_ssize_t, last=Py_ssize_t)
    cdef bint _note_answer(
        self, Py_ssize_t pos, Py_ssize_t after, bint fits
    ) except? -1

    @cython.locals(at=Py_ssize_t, mark=Py_UCS4)
    cdef bint _leads_triple(self, Py_ssize_t pos) except? -1

    @cython.locals(before=Py_ssize_t)
    cdef bint _try_close(self, Py_ssize_t pos, Py_ssize_t length) except? -1

    @cython.locals(again=Py_ssize_t, end=Py_ssize_t, twice=bint)
    cdef void _end_string(self, Py_ssize_t pos, Py_ssize_t length) except *

    cdef int _string_done(self) except -1

    @cython.locals(count=Py_ssize_t)
    cdef int _forget_edits_from(self, Py_ssize_t at) except -1

    cdef int _end_string_before(self, Py_ssize_t at) except -1

    @cython.locals(
        colon=Py_ssize_t, curly=bint, mark=Py_ssize_t, tagged=bint, tail=Py_ssize_t
    )
    cdef void _cut_string(self, Py_ssize_t at) except *

    cdef int _count_in_vain(self, Py_ssize_t at) except -1

    cdef int _break_off(self, Py_ssize_t at) except -1

    @cython.locals(at=Py_ssize_t, found=Py_ssize_t, tried=Py_ssize_t)
    cdef Py_ssize_t _closed_before_tag(self, Py_ssize_t end) except? -2

    @cython.locals(name=Py_ssize_t)
    cdef bint _is_outer_tag(self, Py_ssize_t at) except? -1

    @cython.locals(_=Py_ssize_t, at=Py_ssize_t, found=Py_ssize_t, start=Py_ssize_t)
    cdef Py_ssize_t _outer_mark(self, Py_ssize_t end) except? -2

    @cython.locals(
        at=Py_ssize_t, body=Py_ssize_t, fence=bint, odd=bint
    )
    cdef Py_ssize_t _mark_before(self, Py_ssize_t end) except? -2

    @cython.locals(ch=Py_UCS4, end=Py_ssize_t)
    cdef bint _read_escape(self, Py_ssize_t pos) except? -1

    @cython.locals(after=Py_UCS4, length=Py_ssize_t)
    cdef bint _read_nested_escape(self, Py_ssize_t pos) except? -1

    @cython.locals(end=Py_ssize_t, meant=str)
    cdef void _read_entity(self, Py_ssize_t pos) except *

    cdef bint _read_raw_backslash(self, Py_ssize_t pos, Py_UCS4 ch) except? -1

    @cython.locals(at=Py_ssize_t, ch=Py_UCS4, end=Py_ssize_t, last=Py_ssize_t)
    cdef bint _starts_drive(self, Py_ssize_t pos) except? -1

    @cython.locals(at=Py_ssize_t, depth=Py_ssize_t)
    cdef bint _is_over(self, Py_ssize_t pos) except? -1

    @cython.locals(offset=Py_ssize_t)
    cdef bint _is_hex(self, Py_ssize_t pos) except? -1

    @cython.locals(
        at=Py_ssize_t, code=Py_ssize_t, digits=Py_ssize_t, end=Py_ssize_t,
        half=str, lead=str, pair=str
    )
    cdef bint _read_unicode_escape(self, Py_ssize_t pos, Py_ssize_t marks) except? -1

    @cython.locals(is_low=bint)
    cdef bint _is_low_half(self, Py_ssize_t pos) except? -1
