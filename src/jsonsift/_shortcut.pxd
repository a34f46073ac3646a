# C types for the compiled build of _shortcut.py, which itself is plain Python.

cimport cython

from jsonsift cimport _checks as check
from jsonsift cimport _leaves as leaf
from jsonsift cimport _loads as load
from jsonsift._mend cimport Mender

cdef bint COMPILED
cdef Py_ssize_t MANY_EDITS, MAX_DEPTH, SHORT_REST, LOOKED_AT
cdef str FENCE
cdef tuple FENCE_ENDS
cdef object FAILED, UNSURE

cpdef object read_at_once(str text, object read_further)

@cython.locals(ch=Py_UCS4, following=Py_UCS4)
cdef bint _begins_with_bracket(str text) except? -1

@cython.locals(
    after=Py_ssize_t, at=Py_ssize_t, ch=Py_UCS4, end=Py_ssize_t, start=Py_ssize_t
)
cpdef object read_valid(str text)

@cython.locals(close=Py_ssize_t)
cdef Py_ssize_t _skip_reasoning(str text) except -1

@cython.locals(
    close=Py_ssize_t, end=Py_ssize_t, longest=Py_ssize_t, size=Py_ssize_t
)
cdef object _read_fences(str text, Py_ssize_t start)

cdef Py_ssize_t _behind_text(str text, Py_ssize_t start, Py_ssize_t end) except -1

@cython.locals(first=Py_UCS4, last=Py_UCS4, pos=Py_ssize_t)
cdef object _parse_closed(str text, Py_ssize_t start, Py_ssize_t end)

@cython.locals(ch=Py_UCS4, pos=Py_ssize_t)
cdef bint _ends_with_comma(str text, Py_ssize_t start, Py_ssize_t end) except? -1

@cython.locals(end=Py_ssize_t, mender=Mender)
cpdef object read_broken(str text)

@cython.locals(body=str, has_many=bint, pos=Py_ssize_t, written=Py_ssize_t)
cdef object _read_run(Mender mender, str text, Py_ssize_t end)
