# C types for the compiled build of _readings.py, which itself is plain Python.
#
# A declaration here has the name of what it types; a test holds the two together.
# "except? -1" lets a raised NeedMore or LimitError through.

cimport cython

from jsonsift._scan cimport quote_length
from jsonsift._words cimport WordReader

cdef int VALUE, KEY, AFTER, NOTHING, OBJECT, ARRAY, PAREN, Q_NONE, R_OPENER
cdef int READINGS, PATIENCE
cdef Py_UCS4 NUL


cdef class ReadingJudge(WordReader):
    cdef list reaches, marks
    cdef Py_ssize_t patience, walked_to, mark, lowest

    cdef int _begin(
        self, str text, Py_ssize_t start, Py_ssize_t end, bint final,
        Py_ssize_t max_depth
    ) except -1

    cdef bint _may_compare(self) except? -1

    @cython.locals(best=int, reading=int)
    cdef int _best_reading(self, int usual) except? -1

    @cython.locals(kinds=bytearray, reach=Py_ssize_t)
    cdef int _weigh(
        self, int reading, Py_ssize_t depth, int opened, Py_ssize_t pos, int place
    ) except -1

    @cython.locals(after=Py_ssize_t, ch=Py_UCS4, top=Py_ssize_t)
    cdef Py_ssize_t _walk(
        self, bytearray kinds, Py_ssize_t pos, int place
    ) except? -2

    cdef bint _is_in_number(self, Py_ssize_t pos) except? -1

    cdef Py_ssize_t _end_walk(self, Py_ssize_t pos, Py_UCS4 ch) except? -2

    @cython.locals(
        after=Py_ssize_t, ch=Py_UCS4, colon=bint, end=Py_ssize_t, quote=int
    )
    cdef Py_ssize_t _walk_item(
        self, bytearray kinds, Py_ssize_t pos, int place
    ) except? -2
