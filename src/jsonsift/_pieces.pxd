# C types for the compiled build of _pieces.py, which itself is plain Python.
#
# A declaration here has the name of what it types; a test holds the two together.
# "except? -1" lets a raised LimitError through.

cimport cython

from jsonsift cimport _columns as column
from jsonsift cimport _leaves as leaf
from jsonsift._mend cimport Mender
from jsonsift._scan cimport skip_joined, skip_word

cdef int AFTER, ARRAY, COLON, DONE, KEY, NOTHING, OBJECT, Q_DOUBLE, SCALAR, STRING
cdef int VALUE
cdef bint COMPILED
cdef int P_LACKING, P_TAKEN, P_UNSURE, NOT_YET


@cython.locals(after=Py_ssize_t, at=Py_ssize_t, ch=Py_UCS4)
cdef Py_ssize_t skip_scalar(str text, Py_ssize_t pos, Py_ssize_t end) except? -1


cdef class PieceReader(Mender):

    @cython.locals(known=int, pos=Py_ssize_t)
    cdef int _take_pieces(self) except? -1

    cdef int _take_at(self, Py_ssize_t pos, Py_UCS4 ch) except? -1

    @cython.locals(colon=Py_ssize_t)
    cdef int _take_first_key(self, Py_ssize_t pos) except? -1

    @cython.locals(behind=Py_ssize_t)
    cdef int _pass_key(self, Py_ssize_t colon) except -1

    @cython.locals(behind=Py_ssize_t)
    cdef int _take_colon(self, Py_ssize_t pos, Py_UCS4 ch) except? -1

    cdef bint _lacks_quote(self, Py_ssize_t pos) except? -1

    @cython.locals(end=Py_ssize_t)
    cdef int _take_start(self, Py_ssize_t pos, Py_UCS4 ch) except? -1

    cdef int _begin_value(self, Py_ssize_t pos) except -1

    @cython.locals(after=Py_ssize_t, ch=Py_UCS4, known=int, pos=Py_ssize_t)
    cdef int _take_string_end(self) except? -1

    cdef int _take_escape(self, Py_ssize_t pos) except? -1

    @cython.locals(kind=int)
    cdef bint _asks_for_key(self) except? -1

    @cython.locals(known=int)
    cdef int _is_ended_by(self, Py_ssize_t pos, Py_UCS4 ch) except? -1

    @cython.locals(known=int)
    cdef int _take_item(self, Py_ssize_t comma) except? -1

    @cython.locals(colon=Py_ssize_t, pos=Py_ssize_t)
    cdef int _take_member(self, Py_ssize_t comma) except? -1

    @cython.locals(ch=Py_UCS4, end=Py_ssize_t, pos=Py_ssize_t)
    cdef int _leads_to_item(self, Py_ssize_t comma) except? -1

    cdef Py_UCS4 _behind_comma(self, Py_ssize_t comma) except? 0x10FFFF

    cdef int _pass_comma(self, Py_ssize_t comma) except -1

    @cython.locals(is_in_object=bint, kind=int, known=int, start=Py_ssize_t)
    cdef int _take_end(self, Py_ssize_t pos, Py_UCS4 ch) except? -1

    @cython.locals(ch=Py_UCS4)
    cdef int _ends_object(self, Py_ssize_t pos) except? -1

    @cython.locals(ch=Py_UCS4)
    cdef int _ends_array(self, Py_ssize_t pos) except? -1
