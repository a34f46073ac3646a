# C types for the compiled build of _ledger.py, which itself is plain Python.
#
# A declaration here has the name of what it types; a test holds the two together.
# "except? -1" lets a raised NeedMore or LimitError through.

cimport cython

from jsonsift cimport _columns as column
from jsonsift._scan cimport Scanner

cdef int VALUE, KEY, COLON, AFTER, DONE, NOTHING, OBJECT, ARRAY, SET, PAREN, WRAP
cdef int SCALAR, E_CONTROL, E_SURROGATE, E_CUT, E_STRAY_TEXT
cdef Py_ssize_t MOST_TEXT, MOST_WRAPS
cdef tuple KINDS
cdef bytes RISKS
cdef tuple WORDS
cdef int MANY_FORGOTTEN
cdef dict NUMBERS
cdef Py_ssize_t LENGTH_AT, WORD_AT, KIND_BITS, WORD_BITS, WORD_AND_KIND
cdef Py_ssize_t SHORT_LENGTH_AT, MOST_SHORT_LENGTH, MOST_SHORT_WORD


cdef class Ledger(Scanner):
    cdef readonly bint complete, may_be_deeper
    cdef readonly Py_ssize_t open_depth, depth, quoted_keys, bare_keys, quoted_values
    cdef readonly Py_ssize_t bare_values, stray
    cdef bint comma_real
    cdef int place
    cdef Py_ssize_t max_depth, objects, arrays, parens, wraps, member_at, member_edits
    cdef Py_ssize_t number_at, value_at, value_edits
    cdef Py_ssize_t items_from, items_to, items_depth
    cdef bytearray kinds, lasts
    cdef list odd_words
    cdef dict odd_numbers
    cdef bytearray starts, opened, edit_from, edit_what, long_whats
    cdef Py_ssize_t long_count
    cdef readonly Py_ssize_t edit_count
    cdef bytearray told
    cdef list told_values
    cdef Py_ssize_t told_count, told_to, told_edits, vain_to
    cdef bint is_clean
    cdef object built

    cdef int _begin(
        self, str text, Py_ssize_t start, Py_ssize_t end, bint final,
        Py_ssize_t max_depth
    ) except -1

    cdef int _begin_edits(self) except -1

    @cython.final
    cdef int _tell(
        self, Py_ssize_t count, Py_ssize_t pos, Py_ssize_t edits
    ) except -1

    @cython.final
    cdef int _untell(self) except -1

    cdef int _add_text(self, str more) except -1

    cdef int _check_length(self) except -1

    cpdef tuple edits(self)

    @cython.locals(i=Py_ssize_t)
    cpdef int write_edits(
        self, object starts, object ends, list texts, object kinds
    ) except -1

    @cython.locals(i=Py_ssize_t, largest=int, risk=int)
    cpdef int edit_risk(self) except -1

    cpdef tuple evidence(self)

    cpdef bint begins_with_edit(self, int kind) except? -1

    cpdef bint ends_with_edit(self, int kind) except? -1

    cpdef str mended(self)

    cpdef int let_edits_go(self) except -1

    @cython.final
    @cython.locals(length=Py_ssize_t)
    cdef Py_ssize_t _edit_end(self, Py_ssize_t i) noexcept

    @cython.final
    @cython.locals(what=Py_ssize_t)
    cdef int _edit_kind(self, Py_ssize_t i) noexcept

    @cython.final
    @cython.locals(word=Py_ssize_t)
    cdef str _edit_text(self, Py_ssize_t i)

    @cython.final
    @cython.locals(word=Py_ssize_t)
    cdef Py_ssize_t _word_of(self, str new) except -1

    @cython.final
    @cython.locals(length=Py_ssize_t, rest=Py_ssize_t)
    cdef int _put_what(self, Py_ssize_t i, Py_ssize_t what) except -1

    @cython.final
    @cython.locals(row=Py_ssize_t)
    cdef int _replace_what(self, Py_ssize_t i, Py_ssize_t what) except -1

    @cython.final
    @cython.locals(length=Py_ssize_t, what=Py_ssize_t)
    cdef int _edit_anew(self, Py_ssize_t i, str new, int kind) except -1

    @cython.locals(last=Py_ssize_t, what=Py_ssize_t)
    cdef int _edit(
        self, Py_ssize_t start, Py_ssize_t end, str new, int kind
    ) except -1

    @cython.locals(last=Py_ssize_t)
    cdef bint _is_last_end(self, Py_ssize_t pos) except? -1

    @cython.locals(index=Py_ssize_t)
    cdef bint _is_supplied(self) except? -1

    @cython.locals(at=Py_ssize_t, index=Py_ssize_t)
    cdef bint _is_implied(self) except? -1

    cdef bint _is_inserted(self, Py_ssize_t index, Py_ssize_t at) except? -1

    @cython.final
    cdef int _add_edit(
        self, Py_ssize_t start, Py_ssize_t end, str new, int kind
    ) except -1

    @cython.final
    @cython.locals(length=Py_ssize_t, what=Py_ssize_t)
    cdef int _put_edit(
        self, Py_ssize_t start, Py_ssize_t end, Py_ssize_t word, int kind
    ) except -1

    @cython.final
    @cython.locals(done=Py_ssize_t, whole=Py_ssize_t, rows=Py_ssize_t)
    cdef int _make_room(self, Py_ssize_t pos) except -1

    @cython.locals(count=Py_ssize_t, i=Py_ssize_t, what=Py_ssize_t)
    cdef int _insert_edit(
        self, Py_ssize_t index, Py_ssize_t start, Py_ssize_t end, str new, int kind
    ) except -1

    @cython.locals(i=Py_ssize_t, what=Py_ssize_t)
    cdef int _remove_edit(self, Py_ssize_t index) except -1

    cdef int _forget_edits(self, Py_ssize_t count) except -1

    @cython.locals(i=Py_ssize_t, starts=bytearray, whats=bytearray)
    cdef int _give_back(self, Py_ssize_t count) except -1

    cdef int _drop(self, Py_ssize_t length, int kind) except -1

    @cython.locals(ch=Py_UCS4)
    cdef int _edit_control(self, Py_ssize_t pos) except -1

    cdef int _push(self, int kind, int place) except -1

    cdef int _count_wrap(self, Py_ssize_t step) except -1

    cdef int _exceed_depth(self) except -1

    cdef int _count(self, int kind, Py_ssize_t step) except -1

    cdef int _pop(self) except -1

    cdef int _value_done(self, int kind) except -1

    cdef int _around(self) except? -1

    cdef bint _ends_something(self, Py_UCS4 ch) except? -1

    @cython.final
    cdef bint _closes(self, int kind, Py_UCS4 ch) noexcept

    @cython.locals(kind=int, opener=Py_ssize_t)
    cdef str _closer_of(self, Py_ssize_t depth)

    @cython.locals(half=bint, start=Py_ssize_t)
    cdef void _cut(self) except *

    @cython.locals(depth=Py_ssize_t)
    cdef int _close_all(self, Py_ssize_t start) except -1
