# C types for the compiled build of _mend.py, which itself is plain Python.
#
# A declaration here has the name of the function it types; a test holds the two
# files together.  "except? -1" lets a raised _NeedMore or LimitError through.

cimport cython

cdef int VALUE, KEY, COLON, AFTER, STRING, DONE, NOTHING, OBJECT, ARRAY, SET, PAREN
cdef int WRAP, SCALAR, Q_NONE, Q_DOUBLE, Q_SINGLE, Q_CURLY, Q_CURLY_SINGLE
cdef int Q_BACKTICK, Q_TRIPLE, Q_TRIPLE_SINGLE, Q_ESCAPED, Q_ENTITY, E_COMMENT
cdef int E_COMMA, E_QUOTE_MARK, E_BARE_KEY, E_LITERAL, E_NUMBER, E_CONTROL
cdef int E_MISSING_COMMA, E_FULL_WIDTH, E_CONCATENATION, E_WRAPPER, E_TUPLE
cdef int E_INVISIBLE, E_SURROGATE, E_ELLIPSIS, E_CUT, E_INNER_QUOTE, E_MISSING_QUOTE
cdef int E_MISSING_COLON, E_MISSING_VALUE, E_CLOSER, E_BARE_VALUE, E_STRAY_TEXT
cdef int E_ESCAPE, E_ESCAPED_MARKUP, CLOSERS_LOOKED_AT, F_BLOCK_END, F_LINE_END
cdef int F_MARKUP_END, F_TRIPLE, F_TRIPLE_SINGLE
cdef bint COMPILED
cdef str HEX_DIGITS, DOUBLE_MARKS, SPECIAL_QUOTES
cdef tuple STOPS, NEEDLES, KINDS

@cython.locals(ch=Py_UCS4)
cdef Py_ssize_t skip_space(str text, Py_ssize_t pos, Py_ssize_t end) except? -1

@cython.locals(ch=Py_UCS4)
cdef Py_ssize_t skip_plain(
    str text, Py_ssize_t pos, Py_ssize_t end, int quote
) except? -1

cdef Py_ssize_t skip_word(str text, Py_ssize_t pos, Py_ssize_t end) except? -1

cdef Py_ssize_t skip_number(str text, Py_ssize_t pos, Py_ssize_t end) except? -1

cdef inline bint starts_number(Py_UCS4 ch) noexcept

cdef inline bint is_structure(Py_UCS4 ch) noexcept

cdef inline bint is_blank(Py_UCS4 ch) noexcept

cdef inline Py_ssize_t quote_length(int quote) noexcept


cdef class Mender:
    cdef readonly bint complete
    cdef readonly Py_ssize_t start, pos, open_depth, depth, quoted_keys, bare_keys
    cdef readonly Py_ssize_t quoted_values, bare_values, stray
    cdef str text
    cdef bint final, is_key, doubled, raw, comma_real
    cdef int place, quote, inner, quote_sought
    cdef Py_ssize_t end, max_depth, objects, arrays, parens, body, body_edits
    cdef Py_ssize_t inner_quotes, balance, balance_at, counted, curly, square
    cdef Py_ssize_t member_at, member_edits, number_at, quote_from, quote_at
    cdef bytearray kinds, lasts
    cdef list starts, opened, found_from, found_at, edit_starts
    cdef list edit_ends, edit_texts, edit_kinds

    cpdef bint feed(self, str more) except? -1

    cpdef bint close(self) except? -1

    cpdef bint run(self) except? -1

    cpdef list edit_codes(self)

    @cython.locals(at=Py_ssize_t, i=Py_ssize_t, start=Py_ssize_t)
    cpdef str mended(self)

    @cython.locals(last=Py_ssize_t)
    cdef void _edit(self, Py_ssize_t start, Py_ssize_t end, str new, int kind) except *

    cdef void _insert_edit(
        self, Py_ssize_t index, Py_ssize_t start, Py_ssize_t end, str new, int kind
    ) except *

    cdef void _forget_edits(self, Py_ssize_t count) except *

    @cython.locals(ch=Py_UCS4)
    cdef Py_UCS4 _at(self, Py_ssize_t pos) except? 0x10FFFF

    cdef Py_UCS4 _before(self, Py_ssize_t pos) except? 0x10FFFF

    @cython.locals(at=Py_ssize_t)
    cdef Py_ssize_t _find(self, int which, Py_ssize_t pos) except? -1

    @cython.locals(end=Py_ssize_t)
    cdef Py_ssize_t _word_end(self, Py_ssize_t pos) except? -1

    @cython.locals(end=Py_ssize_t)
    cdef Py_ssize_t _number_end(self, Py_ssize_t pos) except? -1

    @cython.locals(after=Py_ssize_t, ch=Py_UCS4)
    cdef Py_ssize_t _peek(self, Py_ssize_t pos) except? -1

    @cython.locals(ch=Py_UCS4, following=Py_UCS4)
    cdef Py_ssize_t _skip_odd(self, Py_ssize_t pos) except? -1

    @cython.locals(end=Py_ssize_t)
    cdef bint _is_remark(self, Py_ssize_t pos) except? -1

    @cython.locals(ch=Py_UCS4, second=Py_UCS4)
    cdef bint _is_stop(self, Py_ssize_t pos) except? -1

    @cython.locals(ch=Py_UCS4)
    cdef int _open_quote(self, Py_ssize_t pos) except? -1

    @cython.locals(ch=Py_UCS4, mark=Py_UCS4)
    cdef Py_ssize_t _close_length(self, Py_ssize_t pos, int quote) except? -1

    @cython.locals(at=Py_ssize_t)
    cdef Py_ssize_t _end_quote(self, Py_ssize_t pos, int quote) except? -1

    cdef bint _is_apostrophe(self, Py_ssize_t pos) except? -1

    @cython.locals(close=Py_ssize_t, colon=Py_ssize_t, length=Py_ssize_t, quote=int)
    cdef bint _is_key(self, Py_ssize_t pos) except? -1

    @cython.locals(ch=Py_UCS4, end=Py_ssize_t)
    cdef bint _is_value(self, Py_ssize_t pos) except? -1

    @cython.locals(ch=Py_UCS4)
    cdef void _step(self) except *

    @cython.locals(after=Py_ssize_t, ch=Py_UCS4, kind=int, pos=Py_ssize_t)
    cdef Py_UCS4 _next_char(self) except? 0x10FFFF

    cdef void _take(self, Py_UCS4 ch) except *

    cdef void _drop(self, Py_ssize_t length, int kind) except *

    cdef void _push(self, int kind, int place) except *

    cdef void _count(self, int kind, Py_ssize_t step) except *

    cdef void _pop(self) except *

    cdef void _value_done(self, int kind) except *

    cdef void _read_value(self, Py_UCS4 ch) except *

    cdef void _push_at_bracket(self, Py_UCS4 ch, int kind, int place) except *

    @cython.locals(kind=int)
    cdef void _read_no_value(self, Py_UCS4 ch) except *

    @cython.locals(at=Py_ssize_t, index=Py_ssize_t)
    cdef void _drop_comma(self) except *

    @cython.locals(end=Py_ssize_t)
    cdef bint _skip_ellipsis(self) except? -1

    @cython.locals(end=Py_ssize_t, following=Py_UCS4, note=Py_ssize_t)
    cdef Py_ssize_t _ellipsis_end(self, Py_ssize_t pos) except? -1

    @cython.locals(
        end=Py_ssize_t, ends=bint, following=Py_UCS4, new=str, pos=Py_ssize_t,
        token=str
    )
    cdef void _read_number(self) except *

    cdef str _number_text(self, str token)

    @cython.locals(new=str)
    cdef bint _cut_number(self, str token) except? -1

    @cython.locals(ch=Py_UCS4)
    cdef Py_ssize_t _token_end(self, Py_ssize_t pos) except? -1

    @cython.locals(after=Py_ssize_t, ch=Py_UCS4)
    cdef bint _is_phrase(self, Py_ssize_t end) except? -1

    @cython.locals(after=Py_ssize_t)
    cdef bint _is_missing_opener(self, Py_ssize_t quote_at) except? -1

    @cython.locals(
        cut=bint, end=Py_ssize_t, following=Py_UCS4, literal=str, pos=Py_ssize_t,
        word=str
    )
    cdef void _read_word(self) except *

    cdef str _literal_of(self, str word, Py_ssize_t end)

    @cython.locals(ch=Py_UCS4, inside=Py_ssize_t, quote=int)
    cdef bint _read_call(self, Py_ssize_t end) except? -1

    cdef bint _ends_call(self, Py_ssize_t pos) except? -1

    @cython.locals(
        closed=bint, end=Py_ssize_t, kind=int, last=Py_ssize_t, pos=Py_ssize_t
    )
    cdef void _read_bare_value(self) except *

    @cython.locals(ch=Py_UCS4)
    cdef void _escape_bare(self, Py_ssize_t pos, Py_ssize_t end) except *

    @cython.locals(ch=Py_UCS4)
    cdef void _edit_control(self, Py_ssize_t pos) except *

    @cython.locals(ch=Py_UCS4, in_object=bint, nested=Py_ssize_t, reach=Py_ssize_t)
    cdef Py_ssize_t _bare_end(self, Py_ssize_t pos) except? -1

    @cython.locals(at=Py_ssize_t, close=Py_ssize_t)
    cdef Py_ssize_t _lost_opener(self, Py_ssize_t pos) except? -1

    cdef bint _ends_bare_at(self, Py_UCS4 ch) except? -1

    @cython.locals(after=Py_ssize_t, ch=Py_UCS4)
    cdef bint _ends_bare_comma(
        self, Py_ssize_t pos, bint in_object, Py_ssize_t nested
    ) except? -1

    @cython.locals(after=Py_ssize_t, ch=Py_UCS4)
    cdef bint _ends_bare_line(self, Py_ssize_t pos, bint in_object) except? -1

    @cython.locals(after=Py_ssize_t, ch=Py_UCS4, following=Py_ssize_t)
    cdef bint _is_bare_close(self, Py_ssize_t pos) except? -1

    @cython.locals(close=Py_ssize_t)
    cdef bint _is_bare_stop(self, Py_ssize_t pos, bint in_object) except? -1

    cdef void _read_after(self, Py_UCS4 ch) except *

    cdef bint _is_item(self, Py_UCS4 ch) except? -1

    cdef void _insert_comma(self) except *

    @cython.locals(kind=int)
    cdef void _after_comma(self, Py_ssize_t following) except *

    @cython.locals(close=Py_ssize_t, quote=int)
    cdef void _read_after_member(self, Py_UCS4 ch) except *

    cdef int _around(self) except? -1

    @cython.locals(ch=Py_UCS4, pos=Py_ssize_t)
    cdef void _drop_stray(self) except *

    @cython.locals(after=Py_ssize_t, following=Py_UCS4, kind=int)
    cdef void _read_comma(self, Py_UCS4 ch) except *

    cdef void _take_comma(self, Py_UCS4 ch) except *

    cdef bint _is_quoted_key(self, Py_ssize_t pos) except? -1

    cdef void _open_implied(self, Py_ssize_t at) except *

    cdef void _skip_to(self, Py_ssize_t at) except *

    @cython.locals(ch=Py_UCS4, quote=int)
    cdef bint _lacks_row(self, Py_ssize_t pos) except? -1

    cdef void _open_row(self, Py_ssize_t at) except *

    @cython.locals(end=Py_ssize_t, first=Py_ssize_t, pos=Py_ssize_t)
    cdef bint _join_thousands(self) except? -1

    @cython.locals(offset=Py_ssize_t)
    cdef bint _is_group(self, Py_ssize_t pos) except? -1

    cdef void _read_closer(self, Py_UCS4 ch) except *

    cdef bint _ends_something(self, Py_UCS4 ch) except? -1

    cdef bint _closes(self, int kind, Py_UCS4 ch) except? -1

    @cython.locals(kind=int)
    cdef str _closer_of(self, Py_ssize_t depth)

    @cython.locals(kind=int, new=str, opener=Py_ssize_t)
    cdef void _close_top(self, Py_UCS4 ch) except *

    @cython.locals(
        after=Py_ssize_t, close=Py_ssize_t, quote=int, surplus=bint,
        value=Py_ssize_t
    )
    cdef bint _goes_on(self, Py_ssize_t pos) except? -1

    @cython.locals(bracket=Py_ssize_t, comma=Py_ssize_t, empty=bint, new=str)
    cdef bint _goes_on_array(self) except? -1

    @cython.locals(outer=Py_ssize_t)
    cdef bint _is_mistyped(self, Py_UCS4 ch) except? -1

    @cython.locals(at=Py_ssize_t, ch=Py_UCS4, following=Py_ssize_t, steps=Py_ssize_t)
    cdef bint _fits(self, Py_ssize_t depth, Py_ssize_t pos) except? -1

    cdef void _read_surplus(self, Py_UCS4 ch) except *

    @cython.locals(new=str)
    cdef void _insert_closer(self) except *

    @cython.locals(first=bint)
    cdef void _read_key(self, Py_UCS4 ch) except *

    cdef void _begin_member(self) except *

    @cython.locals(at=Py_ssize_t, index=Py_ssize_t)
    cdef void _become_set(self) except *

    @cython.locals(after=Py_ssize_t, end=Py_ssize_t, following=Py_UCS4, pos=Py_ssize_t)
    cdef void _read_bare_key(self, bint first) except *

    @cython.locals(ch=Py_UCS4)
    cdef bint _is_value_word(self, Py_ssize_t pos) except? -1

    @cython.locals(end=Py_ssize_t, following=Py_ssize_t)
    cdef Py_ssize_t _bare_key_end(self, Py_ssize_t pos) except? -1

    @cython.locals(pos=Py_ssize_t)
    cdef void _take_bare_key(self, Py_ssize_t end) except *

    @cython.locals(length=Py_ssize_t, pos=Py_ssize_t, walrus=bint)
    cdef void _read_colon(self, Py_UCS4 ch) except *

    @cython.locals(
        colon=Py_ssize_t, doubled=bint, kind=int, length=Py_ssize_t, marks=bint,
        pos=Py_ssize_t, quote=int
    )
    cdef void _open_string(self, bint is_key) except *

    @cython.locals(close=Py_ssize_t, colon=Py_ssize_t, quote=int)
    cdef Py_ssize_t _lost_key_quote(self, Py_ssize_t pos) except? -1

    @cython.locals(after=Py_UCS4, ch=Py_UCS4, close=Py_ssize_t, following=Py_UCS4)
    cdef bint _is_doubled(self, Py_ssize_t pos, bint is_key) except? -1

    @cython.locals(ch=Py_UCS4, length=Py_ssize_t, pos=Py_ssize_t)
    cdef void _read_string(self) except *

    @cython.locals(before=Py_ssize_t)
    cdef bint _try_close(self, Py_ssize_t pos, Py_ssize_t length) except? -1

    @cython.locals(before=Py_ssize_t, opener=bint, opens=bint)
    cdef void _note_inner_quote(self, Py_ssize_t pos, Py_ssize_t length) except *

    @cython.locals(after=Py_UCS4, before=Py_UCS4)
    cdef bint _opens_inner(self, Py_ssize_t pos, Py_ssize_t length) except? -1

    @cython.locals(at=Py_ssize_t, ch=Py_UCS4)
    cdef bint _pasted(self, Py_ssize_t pos) except? -1

    @cython.locals(
        again=Py_ssize_t, end=Py_ssize_t, kind=int, marks=bint, plus=Py_ssize_t,
        quote=int, twice=bint
    )
    cdef void _end_string(self, Py_ssize_t pos, Py_ssize_t length) except *

    cdef void _string_done(self) except *

    @cython.locals(count=Py_ssize_t)
    cdef void _end_string_before(self, Py_ssize_t at) except *

    @cython.locals(after=Py_ssize_t, again=Py_ssize_t, ch=Py_UCS4, gap=bint)
    cdef bint _is_closing(self, Py_ssize_t pos, Py_ssize_t length) except? -1

    @cython.locals(close=Py_ssize_t, gap=bint, next_at=Py_ssize_t, quote=int)
    cdef bint _closes_key(
        self, Py_ssize_t pos, Py_ssize_t length, Py_ssize_t after, Py_UCS4 ch
    ) except? -1

    @cython.locals(at=Py_ssize_t, closers=Py_ssize_t, line=Py_ssize_t)
    cdef bint _closes_before_bracket(self, Py_ssize_t after, Py_UCS4 ch) except? -1

    @cython.locals(ch=Py_UCS4, close=Py_ssize_t)
    cdef bint _closes_later(self, Py_ssize_t pos) except? -1

    @cython.locals(ch=Py_UCS4, following=Py_ssize_t)
    cdef bint _closes_before_comma(self, Py_ssize_t pos, Py_ssize_t after) except? -1

    @cython.locals(close=Py_ssize_t, next_at=Py_ssize_t, quote=int, word=Py_ssize_t)
    cdef bint _closes_before_member(self, Py_ssize_t at, Py_UCS4 ch) except? -1

    @cython.locals(
        before=Py_ssize_t, close=Py_ssize_t, end=Py_ssize_t, next_at=Py_UCS4,
        quote=int
    )
    cdef bint _closes_before_item(
        self, Py_ssize_t pos, Py_ssize_t at, Py_UCS4 ch
    ) except? -1

    @cython.locals(close=Py_ssize_t, follow=Py_UCS4, quote=int)
    cdef bint _closes_before_quote(
        self, Py_ssize_t pos, Py_ssize_t after, bint gap
    ) except? -1

    @cython.locals(at=Py_ssize_t, in_object=bint)
    cdef bint _closes_before_word(
        self, Py_ssize_t pos, Py_ssize_t length, Py_ssize_t after, Py_UCS4 ch
    ) except? -1

    @cython.locals(
        ch=Py_UCS4, comma=Py_ssize_t, first=Py_ssize_t, line=Py_ssize_t,
        start=Py_ssize_t
    )
    cdef Py_ssize_t _ended_before(self, Py_ssize_t pos) except? -1

    @cython.locals(ch=Py_UCS4, curly=Py_ssize_t, last=Py_ssize_t, square=Py_ssize_t)
    cdef Py_ssize_t _skip_balanced(self, Py_ssize_t at, Py_ssize_t end) except? -1

    @cython.locals(at=Py_ssize_t, ch=Py_UCS4)
    cdef void _count_brackets(self, Py_ssize_t end) except *

    cdef Py_ssize_t _trim(self, Py_ssize_t pos) except? -1

    @cython.locals(
        after=Py_ssize_t, ch=Py_UCS4, close=Py_ssize_t, depth=Py_ssize_t, due=bint,
        kind=int, opened=int, quote=int
    )
    cdef bint _leads(self, Py_ssize_t at, Py_ssize_t pos) except? -1

    @cython.locals(at=Py_ssize_t, colon=Py_ssize_t, end=Py_ssize_t)
    cdef Py_ssize_t _key_ended_before(self, Py_ssize_t pos) except? -1

    @cython.locals(ch=Py_UCS4)
    cdef bint _read_escape(self, Py_ssize_t pos) except? -1

    cdef bint _read_raw_backslash(self, Py_ssize_t pos, Py_UCS4 ch) except? -1

    @cython.locals(at=Py_ssize_t, ch=Py_UCS4, end=Py_ssize_t)
    cdef bint _starts_drive(self, Py_ssize_t pos) except? -1

    @cython.locals(offset=Py_ssize_t)
    cdef bint _is_hex(self, Py_ssize_t pos) except? -1

    @cython.locals(ch=Py_UCS4, code=Py_ssize_t, offset=Py_ssize_t, rest=Py_ssize_t)
    cdef bint _read_unicode_escape(self, Py_ssize_t pos) except? -1

    @cython.locals(tail=str)
    cdef bint _is_half_pair(self, Py_ssize_t pos) except? -1

    @cython.locals(half=bint, start=Py_ssize_t)
    cdef void _cut(self) except *

    @cython.locals(depth=Py_ssize_t)
    cdef void _close_all(self, Py_ssize_t start) except *

    @cython.locals(colon=Py_ssize_t, tail=Py_ssize_t)
    cdef void _cut_string(self, Py_ssize_t at) except *

    @cython.locals(at=Py_ssize_t, ch=Py_UCS4, closers=Py_ssize_t, found=Py_ssize_t)
    cdef Py_ssize_t _closing_tail(self, Py_ssize_t end) except? -1

    @cython.locals(ch=Py_UCS4, depth=Py_ssize_t)
    cdef bint _answers(self, Py_ssize_t at, Py_ssize_t end) except? -1
