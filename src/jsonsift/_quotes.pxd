# C types for the compiled build of _quotes.py, which itself is plain Python.
#
# A declaration here has the name of what it types; a test holds the two together.
# "except? -1" lets a raised NeedMore or LimitError through.

cimport cython

from jsonsift._lost cimport LostQuotes
from jsonsift._scan cimport is_blank, is_structure, quote_length

cdef int OBJECT, ARRAY, Q_NONE, Q_DOUBLE, F_LINE_END
cdef Py_UCS4 NUL
cdef str DOUBLE_MARKS, LEFT_MARK
cdef int PAIR_LENGTH, ITEMS_NEAR


cdef class QuoteJudge(LostQuotes):
    cdef bint doubled, block, early, raw
    cdef int quote
    cdef Py_ssize_t body_edits, early_comma, early_value_at, early_value_edits
    cdef Py_ssize_t late_comma
    cdef dict asked

    cdef int _begin(
        self, str text, Py_ssize_t start, Py_ssize_t end, bint final,
        Py_ssize_t max_depth
    ) except -1

    @cython.locals(after=Py_ssize_t, ch=Py_UCS4, gap=bint)
    cdef bint _is_closing(self, Py_ssize_t pos, Py_ssize_t length) except? -1

    @cython.locals(at=Py_ssize_t, behind=Py_ssize_t, ch=Py_UCS4, more=bint)
    cdef Py_ssize_t _next_piece(self, Py_ssize_t pos) except? -2

    @cython.locals(close=Py_ssize_t, opener=Py_ssize_t)
    cdef bint _closes_curly(self, Py_ssize_t pos) except? -1

    @cython.locals(at=Py_ssize_t, close=Py_ssize_t)
    cdef bint _opens_next(self, Py_ssize_t pos) except? -1

    @cython.locals(behind=Py_ssize_t, gap=bint, quote=int)
    cdef bint _closes_key(
        self, Py_ssize_t pos, Py_ssize_t length, Py_ssize_t after, Py_UCS4 ch
    ) except? -1

    cdef bint _closes_before_bracket(self, Py_ssize_t after, Py_UCS4 ch) except? -1

    @cython.locals(
        ch=Py_UCS4, closers=Py_ssize_t, in_list=bint, line=Py_ssize_t
    )
    cdef bint _fits_behind_closers(self, Py_ssize_t first, Py_ssize_t at) except? -1

    @cython.locals(ch=Py_UCS4, close=Py_ssize_t)
    cdef bint _closes_later(self, Py_ssize_t pos) except? -1

    cdef bint _closes_before_comma(self, Py_ssize_t pos, Py_ssize_t after) except? -1

    @cython.locals(ch=Py_UCS4)
    cdef bint _fits_behind_commas(
        self, Py_ssize_t pos, Py_ssize_t following
    ) except? -1

    @cython.locals(close=Py_ssize_t, next_at=Py_ssize_t, quote=int)
    cdef bint _closes_before_member(self, Py_ssize_t at, Py_UCS4 ch) except? -1

    @cython.locals(_=Py_ssize_t, after=Py_ssize_t, start=Py_ssize_t)
    cdef bint _is_key_with_quotes(self, Py_ssize_t close, int quote) except? -1

    @cython.locals(end=Py_ssize_t)
    cdef bint _is_doubled_key(self, Py_ssize_t at) except? -1

    @cython.locals(
        after=Py_ssize_t, close=Py_ssize_t, line=Py_ssize_t, word=Py_ssize_t
    )
    cdef bint _is_stray_before_key(self, Py_ssize_t at) except? -1

    @cython.locals(_=Py_ssize_t, end=Py_ssize_t)
    cdef bint _is_key_of_words(self, Py_ssize_t at) except? -1

    @cython.locals(
        before=Py_ssize_t, behind=Py_ssize_t, close=Py_ssize_t, quote=int
    )
    cdef bint _closes_before_item(
        self, Py_ssize_t pos, Py_ssize_t at, Py_UCS4 ch
    ) except? -1

    @cython.locals(
        after=Py_ssize_t, ch=Py_UCS4, missing=int, on_next_line=bint, quote=int
    )
    cdef bint _list_goes_on(self, Py_ssize_t end) except? -1

    @cython.locals(at=Py_ssize_t)
    cdef bint _is_inch_mark(self, Py_ssize_t pos) except? -1

    @cython.locals(behind=Py_ssize_t, follow=Py_UCS4, quote=int)
    cdef bint _closes_before_quote(
        self, Py_ssize_t pos, Py_ssize_t after, bint gap
    ) except? -1

    @cython.locals(in_object=bint)
    cdef bint _closes_before_word(
        self, Py_ssize_t pos, Py_ssize_t length, Py_ssize_t after, Py_UCS4 ch
    ) except? -1

    cdef bint _is_next_item(self, Py_ssize_t end, Py_ssize_t brace) except? -1

    @cython.locals(ch=Py_UCS4)
    cdef bint _leads_past_stray(self, Py_ssize_t at, bint in_object) except? -1

    @cython.locals(before=Py_ssize_t, opener=bint, opens=bint)
    cdef int _note_inner_quote(self, Py_ssize_t pos, Py_ssize_t length) except -1

    @cython.locals(after=Py_UCS4, before=Py_UCS4)
    cdef bint _opens_inner(self, Py_ssize_t pos, Py_ssize_t length) except? -1
