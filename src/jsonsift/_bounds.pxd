# C types for the compiled build of _bounds.py, which itself is plain Python.

from jsonsift cimport _checks as check
from jsonsift cimport _leaves as leaf
from jsonsift cimport _loads as load
from jsonsift cimport _objects as objects

cpdef Py_ssize_t find_mark(str text, Py_ssize_t pos, Py_ssize_t end) except? -2

cpdef bint is_deeper(object value, str text, Py_ssize_t limit) except? -1

cpdef list list_objects(str text, Py_ssize_t pos, Py_ssize_t end, Py_ssize_t most)

cpdef object load_text(
    str text, Py_ssize_t start, Py_ssize_t end, Py_ssize_t max_depth
)
