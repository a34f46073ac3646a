# C types for the compiled build of _live.py, which itself is plain Python.
#
# A declaration here has the name of what it types; a test holds the two together.
# "except? -1" lets a raised NeedMore or LimitError through.

cimport cython

from jsonsift cimport _columns as column
from jsonsift cimport _leaves as leaf
from jsonsift._grow cimport GrowingValue
from jsonsift._mend cimport Mender
from jsonsift._scan cimport is_blank, skip_space, skip_word
from jsonsift._pieces cimport PieceReader

cdef int AFTER, DONE, E_CLOSER, E_COMMA, NOTHING, OBJECT, Q_DOUBLE, SCALAR, STRING
cdef int VALUE, WRAP
cdef bint COMPILED
cdef str RUN
cdef Py_ssize_t _BLANKS_LOOKED_AT, LONGEST_KEY, LONGEST_TAG
cdef int MOST_TAGS


cdef class LiveMender(PieceReader):
    cdef readonly bint stopped, failed
    cdef public object when_ended
    cdef readonly Py_ssize_t shown_edits
    cdef readonly GrowingValue value
    cdef bytes allowed
    cdef bint in_plain, keys_wait, withholds
    cdef object root
    cdef readonly Py_ssize_t frozen_at
    cdef readonly Py_ssize_t shown
    cdef Py_ssize_t level
    cdef Py_ssize_t run_body, run_at, run_stem, run_known, comma_in_run, ends_at
    cdef int tags_tried

    @cython.locals(text=str)
    cpdef str take_text(self)

    cpdef void freeze(self, Py_ssize_t pos) except *

    @cython.locals(at=Py_ssize_t, edits=Py_ssize_t, ended=bint, tells=bint)
    cpdef object follow(self, str more)

    @cython.locals(at=Py_ssize_t, before=Py_ssize_t, stem=Py_ssize_t)
    cdef bint _go_on_plain(self, str more) except? -1

    cdef bint _is_in_plain(self) except? -1

    @cython.locals(
        depth=Py_ssize_t, edits=Py_ssize_t, place=int, to=Py_ssize_t,
        value_ended=bint
    )
    cpdef void show(self) except *

    @cython.locals(
        at=Py_ssize_t, end=Py_ssize_t, i=Py_ssize_t, kind=int, new=str,
        start=Py_ssize_t
    )
    cdef int _pass_on(self, Py_ssize_t to, Py_ssize_t edits) except -1

    @cython.locals(pos=Py_ssize_t)
    cdef bint _is_at_lone_quote(self) except? -1

    cdef bint _may_be_key(self) except? -1

    @cython.locals(before=str)
    cdef bint _opens_line(self, Py_ssize_t pos) except? -1

    @cython.locals(pos=Py_ssize_t)
    cdef bint _may_be_regrouped(self) except? -1

    @cython.locals(
        before=Py_ssize_t, ch=Py_UCS4, opened=Py_ssize_t, pos=Py_ssize_t,
        stem=Py_ssize_t
    )
    cdef Py_ssize_t _settled_in_string(self) except? -2

    cdef int _begin_run(self) except -1

    cdef bint _holds_comma(self) except? -1

    @cython.locals(at=Py_ssize_t, least=Py_ssize_t, name=Py_ssize_t)
    cdef Py_ssize_t _before_tags(self, Py_ssize_t pos) except? -2

    @cython.locals(line=Py_ssize_t)
    cdef void _find_closing_lines(self, Py_ssize_t pos, Py_ssize_t end) except *

    @cython.locals(
        at=Py_ssize_t, counted=Py_ssize_t, curly=Py_ssize_t, found=Py_ssize_t,
        square=Py_ssize_t
    )
    cdef void _find_closed_before_tag(self, Py_ssize_t pos, Py_ssize_t end) except *

    cpdef bint has_content(self) except? -1

    @cython.locals(at=Py_ssize_t, blanks=Py_ssize_t, ch=Py_UCS4, depth=Py_ssize_t)
    cpdef bint is_whole(self) except? -1

    @cython.locals(length=Py_ssize_t)
    cdef Py_ssize_t _behind_quote(self, Py_ssize_t pos) except? -2

    cdef int _insert_edit(
        self, Py_ssize_t index, Py_ssize_t start, Py_ssize_t end, str new, int kind
    ) except -1

    @cython.locals(depth=Py_ssize_t, index=Py_ssize_t)
    cdef int _become_set(self) except -1

    @cython.locals(
        at=Py_ssize_t, is_shown=bint, depth=Py_ssize_t, index=Py_ssize_t
    )
    cdef int _open_list_before(self) except -1

    @cython.locals(at=Py_ssize_t)
    cdef bint _was_key(self) except? -1

    cdef int _forget_shown(self, Py_ssize_t at, Py_ssize_t edits) except -1
