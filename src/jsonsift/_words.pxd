# C types for the compiled build of _words.py, which itself is plain Python.
#
# A declaration here has the name of what it types; a test holds the two together.
# "except? -1" lets a raised NeedMore or LimitError through.

cimport cython

from jsonsift._scan cimport is_blank, is_structure, quote_length, skip_digits
from jsonsift._scan cimport skip_plain, starts_number
from jsonsift._strings cimport StringReader

cdef int VALUE, OBJECT, WRAP, SCALAR, Q_NONE, Q_DOUBLE, E_LITERAL, E_NUMBER
cdef int E_WRAPPER, E_CUT, E_INNER_QUOTE, E_MISSING_QUOTE, E_BARE_VALUE
cdef int E_STRAY_TEXT, E_QUOTE_MARK, F_FENCE, F_LINE_END
cdef Py_UCS4 NUL


cdef class WordReader(StringReader):

    @cython.locals(end=Py_ssize_t, new=str, pos=Py_ssize_t, token=str)
    cdef void _read_number(self) except *

    @cython.locals(ends=bint, following=Py_UCS4)
    cdef bint _ends_number(self, Py_ssize_t end) except? -1

    cdef str _number_text(self, str token)

    @cython.locals(new=str)
    cdef bint _cut_number(self, str token) except? -1

    @cython.locals(
        end=Py_ssize_t, first=Py_ssize_t, pos=Py_ssize_t, whole=Py_ssize_t
    )
    cdef bint _join_thousands(self) except? -1

    @cython.locals(
        end=Py_ssize_t, first=Py_ssize_t, following=Py_UCS4, pos=Py_ssize_t
    )
    cdef bint _quote_grouped(self) except? -1

    @cython.locals(end=Py_ssize_t)
    cdef bint _reaches_number(self, Py_ssize_t first, Py_ssize_t pos) except? -1
    cdef Py_ssize_t _digits_end(self, Py_ssize_t pos) except? -2

    @cython.locals(offset=Py_ssize_t)
    cdef bint _is_group(self, Py_ssize_t pos) except? -1

    @cython.locals(after=Py_ssize_t, ch=Py_UCS4)
    cdef bint _is_phrase(self, Py_ssize_t end) except? -1

    @cython.locals(after=Py_ssize_t)
    cdef bint _is_missing_opener(self, Py_ssize_t quote_at) except? -1

    @cython.locals(
        body=Py_ssize_t, cut=bint, end=Py_ssize_t, following=Py_UCS4, literal=str,
        pos=Py_ssize_t, word=str
    )
    cdef void _read_word(self) except *

    cdef bint _is_marked(self, Py_ssize_t pos) except? -1

    @cython.locals(after=Py_ssize_t)
    cdef bint _is_whole_string(self, Py_ssize_t pos) except? -1

    cdef str _literal_of(self, str word, Py_ssize_t end)

    @cython.locals(ch=Py_UCS4, inside=Py_ssize_t, name=Py_ssize_t, quote=int)
    cdef bint _read_call(self, Py_ssize_t end) except? -1

    cdef bint _is_type(self, Py_ssize_t pos, Py_ssize_t end) except? -1

    @cython.locals(after=Py_ssize_t, at=Py_ssize_t)
    cdef bint _is_function(self, Py_ssize_t pos) except? -1

    @cython.locals(after=Py_ssize_t, ch=Py_UCS4)
    cdef bint _is_expression(self, Py_ssize_t pos) except? -1

    @cython.locals(after=Py_ssize_t, ch=Py_UCS4)
    cdef bint _is_argument(self, Py_ssize_t pos) except? -1

    cdef int _read_bare_value(self) except -1

    @cython.locals(
        before=Py_UCS4, closed=bint, end=Py_ssize_t, glued=bint, kind=int,
        last=Py_ssize_t, pos=Py_ssize_t
    )
    cdef void _take_bare(self, Py_ssize_t first, Py_ssize_t index) except *

    @cython.locals(ch=Py_UCS4)
    cdef void _escape_bare(self, Py_ssize_t pos, Py_ssize_t end) except *

    @cython.locals(
        ch=Py_UCS4, first=Py_UCS4, in_object=bint, named=bint, nested=Py_ssize_t,
        opened=bint, reach=Py_ssize_t
    )
    cdef Py_ssize_t _bare_end(self, Py_ssize_t pos) except? -2

    @cython.locals(after=Py_UCS4)
    cdef bint _opens_pair(self, Py_ssize_t pos) except? -1

    @cython.locals(inside=Py_ssize_t)
    cdef bint _runs_into(self, Py_ssize_t pos, Py_UCS4 ch) except? -1

    @cython.locals(close=Py_ssize_t, escapes=bint)
    cdef Py_ssize_t _lost_opener(self, Py_ssize_t pos) except? -2

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

    @cython.locals(ch=Py_UCS4, pos=Py_ssize_t)
    cdef int _drop_stray(self) except -1

    cdef bint _is_fenced(self, Py_ssize_t pos) except? -1

    @cython.locals(at=Py_ssize_t)
    cdef Py_ssize_t _fence_end(self, Py_ssize_t pos) except? -2

    cdef bint _starts_line(self, Py_ssize_t pos) except? -1

    @cython.locals(after=Py_ssize_t, ch=Py_UCS4)
    cdef bint _ends_member(self, Py_ssize_t pos) except? -1

    @cython.locals(at=Py_ssize_t, ends=bint)
    cdef Py_ssize_t _last_fence(self, Py_ssize_t pos, Py_ssize_t end) except? -2

    @cython.locals(
        close=Py_ssize_t, end=Py_ssize_t, last=Py_ssize_t, line=Py_ssize_t,
        pos=Py_ssize_t, start=Py_ssize_t
    )
    cdef void _read_fence(self) except *

    @cython.locals(
        body=Py_ssize_t, margin=Py_ssize_t, shared=Py_ssize_t, stop=Py_ssize_t
    )
    cdef int _take_lines(self, Py_ssize_t start, Py_ssize_t end) except -1
