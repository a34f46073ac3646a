# The loops of _objects.py for the compiled build, inlined into whoever calls them.

from jsonsift._leaves cimport (
    PyUnicode_DATA, PyUnicode_KIND, blanks_in, byte_unit, half_unit, literal_in,
    plain_number_in, string_in, unit, wide_unit,
)

cdef enum:
    DEEPEST = 1024  # containers in one another, at most
    LONGEST = 65536  # characters of one of several
    MOST = 1024  # objects at once


# ----------------------------------------------------------------------- containers


cdef inline Py_ssize_t key_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    """Where the value behind the key at ``pos`` starts; -1 if it is no plain key."""
    cdef Py_ssize_t start = pos + 1
    if data[pos] != c'"':
        return -1
    pos = string_in(data, start, end)
    if pos <= start + 1:
        return -1
    pos = blanks_in(data, pos, end)
    if pos >= end or data[pos] != c":":
        return -1
    pos = blanks_in(data, pos + 1, end)
    return pos if pos < end else -1


cdef inline Py_ssize_t scalar_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    """Behind the string, number or literal at ``pos``; -1 if it is not valid."""
    if data[pos] == c'"':
        return string_in(data, pos + 1, end)
    if c"0" <= data[pos] <= c"9" or data[pos] == c"-":
        return plain_number_in(data, pos, end)
    if data[pos] == c"T" or data[pos] == c"F" or data[pos] == c"N":
        return -1
    return literal_in(data, pos, end)


cdef inline Py_ssize_t container_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Py_ssize_t most
) noexcept nogil:
    """Behind the container at ``pos``; -1 if it is not valid, or in doubt."""
    cdef unsigned char closers[DEEPEST]
    cdef Py_ssize_t after, depth = 0
    while True:
        # a value is due at pos, which is before the end
        if data[pos] == c"{" or data[pos] == c"[":
            if depth >= most or depth >= DEEPEST:
                return -1
            closers[depth] = data[pos] + 2  # both closers stand two behind the openers
            depth += 1
            after = blanks_in(data, pos + 1, end)
            if after >= end:
                return -1
            if data[after] != closers[depth - 1]:
                if data[pos] == c"{":
                    after = key_in(data, after, end)
                    if after < 0:
                        return -1
                pos = after
                continue
        else:
            after = scalar_in(data, pos, end)
            if after < 0:
                return -1
            after = blanks_in(data, after, end)
        # closers and a comma are due
        while after < end and data[after] == closers[depth - 1]:
            depth -= 1
            if depth == 0:
                return after + 1
            after = blanks_in(data, after + 1, end)
        if after >= end or data[after] != c",":
            return -1
        after = blanks_in(data, after + 1, end)
        if after < end and closers[depth - 1] == c"}":
            after = key_in(data, after, end)
        if after < 0 or after >= end:
            return -1
        pos = after


# ---------------------------------------------------------------- objects in a row


cdef inline int objects_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Py_ssize_t most, list found
) except -1:
    cdef Py_ssize_t after, following
    cdef int i
    for i in range(MOST):
        after = container_in(data, pos, min(end, pos + LONGEST), most)
        if after < 0:
            break
        following = blanks_in(data, after, end)
        if following < end and data[following] == c",":
            following = blanks_in(data, following + 1, end)
        if following >= end or data[following] != c"{":
            break
        found.append(pos)
        found.append(after)
        pos = following
    return 0


cdef inline list list_objects(
    str text, Py_ssize_t pos, Py_ssize_t end, Py_ssize_t most
):
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef list found = []
    if pos >= end:
        return found
    if kind == 1:
        objects_in(<const byte_unit*> data, pos, end, most, found)
    elif kind == 2:
        objects_in(<const half_unit*> data, pos, end, most, found)
    else:
        objects_in(<const wide_unit*> data, pos, end, most, found)
    return found
