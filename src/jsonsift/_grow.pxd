# C types for the compiled build of _grow.py, which itself is plain Python.
#
# A declaration here has the name of what it types; a test holds the two together.

cimport cython

cdef bint COMPILED
cdef int G_NOTHING, G_STRING, G_KEY, G_TOKEN
cdef dict WORDS, ESCAPES

@cython.locals(ch=Py_UCS4)
cpdef Py_ssize_t skip_run(str text, Py_ssize_t pos, Py_ssize_t end) except? -2

@cython.locals(ch=Py_UCS4)
cpdef Py_ssize_t skip_between(str text, Py_ssize_t pos, Py_ssize_t end) except? -2

@cython.locals(ch=Py_UCS4)
cpdef Py_ssize_t skip_token(str text, Py_ssize_t pos, Py_ssize_t end) except? -2


cdef class GrowingValue:
    cdef readonly list events, roots, stack
    cdef bint partial_strings, record, in_object, has_key, placed
    cdef int mode
    cdef list paths, keys, parts
    cdef object top

    @cython.locals(ch=Py_UCS4, stop=Py_ssize_t)
    cpdef int read(self, str text, Py_ssize_t pos, Py_ssize_t end) except -1

    cdef Py_ssize_t _read_next(
        self, str text, Py_ssize_t pos, Py_ssize_t end
    ) except? -1

    @cython.locals(is_key=bint, stop=Py_ssize_t)
    cdef Py_ssize_t _open_string(
        self, str text, Py_ssize_t pos, Py_ssize_t end
    ) except? -2

    @cython.locals(stop=Py_ssize_t)
    cdef Py_ssize_t _read_string(
        self, str text, Py_ssize_t pos, Py_ssize_t end
    ) except? -2

    @cython.locals(ch=Py_UCS4, code=int, low=int)
    cdef Py_ssize_t _read_escape(self, str text, Py_ssize_t pos) except? -2

    cpdef void end_token(self) except *

    cpdef object root(self)

    @cython.locals(items=list, key=str, members=dict, whole=str)
    cpdef int grow(self, str delta) except -1

    cpdef int show(self) except -1

    cpdef bint has_unplaced(self) except? -1

    @cython.locals(level=Py_ssize_t)
    cdef tuple _path(self)

    cdef int _put(self, object value) except -1

    @cython.locals(delta=str)
    cdef void _place_string(self) except *

    cdef int _open(self, bint is_object) except -1

    cdef int _close(self) except -1

    @cython.locals(level=Py_ssize_t, top=Py_ssize_t)
    cpdef Py_ssize_t count_whole(self, list items) except? -2

    @cython.locals(
        level=Py_ssize_t, top=Py_ssize_t, in_string=bint, is_object=bint, path=list
    )
    cpdef object find_open_path(self)

    cpdef void become_list(self, Py_ssize_t depth) except *

    @cython.locals(level=Py_ssize_t, path=tuple)
    cpdef void wrap_last(self, Py_ssize_t depth) except *

    cpdef void forget_last(self) except *

    cdef int _descend(self) except -1

    cdef object _last(self, Py_ssize_t depth)

    cdef int _replace(self, Py_ssize_t depth, object value) except -1
