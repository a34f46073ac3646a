# The loops of _stretches.py for the compiled build, inlined into whoever calls them.

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.stdint cimport int64_t

from jsonsift._leaves cimport (
    PyUnicode_DATA, PyUnicode_KIND, apostrophes_in, blanks_in, byte_unit, half_unit,
    literal_in, name_in, plain_number_in, put_number, string_in, unit, wide_unit,
)

cdef enum:
    DEEPEST = 1024  # containers in one another, at most
    LONGEST_TRY = 1024  # characters


# -------------------------------------------------------------------------- members


cdef inline Py_ssize_t quoted_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, bint plain
) noexcept nogil:
    return string_in(data, pos, end) if plain else apostrophes_in(data, pos, end)


cdef inline Py_ssize_t member_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, int64_t* found
) noexcept nogil:
    """One member whose key is at ``pos``; writes the last four of what is found."""
    cdef Py_ssize_t start = pos + 1
    cdef unsigned int ch
    if start >= end:
        return -1
    found[3] = pos
    ch = data[pos]
    if ch == c'"' or ch == c"'":
        pos = quoted_in(data, start, end, ch == c'"')
        if pos <= start + 1:
            return -1
    else:
        pos = name_in(data, pos, end)
        if pos < 0:
            return -1
    found[4] = pos
    pos = blanks_in(data, pos, end)
    if pos + 1 >= end or data[pos] != c":" or data[pos + 1] == c"/":
        return -1
    pos = blanks_in(data, pos + 1, end)
    if pos >= end:
        return -1
    found[5] = pos
    ch = data[pos]
    if ch == c'"' or ch == c"'":
        start = pos + 1
        pos = quoted_in(data, start, end, ch == c'"')
        if pos < 0 or (pos == start + 1 and pos < end and data[pos] == ch):
            return -1
    elif c"0" <= ch <= c"9" or ch == c"-":
        pos = plain_number_in(data, pos, end)
    else:
        pos = literal_in(data, pos, end)
    if pos < 0:
        return -1
    found[6] = pos
    return blanks_in(data, pos, end)


cdef inline bint is_plain(const unit* data, int64_t* found) noexcept nogil:
    cdef unsigned int ch = data[found[5]]
    return (
        data[found[3]] == c'"'
        and ch != c"'" and ch != c"T" and ch != c"F" and ch != c"N"
    )


cdef inline Py_ssize_t members_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, int64_t* found
) noexcept nogil:
    cdef int64_t one[7]
    cdef Py_ssize_t i, behind = -1
    found[0] = found[1] = 0
    while pos < end and data[pos] == c",":
        one[2] = pos
        pos = member_in(data, blanks_in(data, pos + 1, end), end, one)
        if pos < 0 or (behind >= 0 and not is_plain(data, one)):
            break
        behind = pos
        found[0] += 1
        found[1] += data[one[5]] == c'"'
        for i in range(2, 7):
            found[i] = one[i]
        if not is_plain(data, one):
            break
    return behind


cdef inline Py_ssize_t skip_members(
    str text, Py_ssize_t pos, Py_ssize_t end, bytearray found
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    cdef int64_t* rows = <int64_t*> PyByteArray_AS_STRING(found)
    if kind == 1:
        return members_in(<const byte_unit*> PyUnicode_DATA(text), pos, end, rows)
    if kind == 2:
        return members_in(<const half_unit*> PyUnicode_DATA(text), pos, end, rows)
    return members_in(<const wide_unit*> PyUnicode_DATA(text), pos, end, rows)


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
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Py_ssize_t most,
    Py_ssize_t* keys, Py_ssize_t* values
) noexcept nogil:
    """Behind the container at ``pos``; else, negative, the place of the doubt."""
    cdef unsigned char closers[DEEPEST]
    cdef Py_ssize_t after, depth = 0
    while True:
        # a value is due at pos, which is before the end
        if data[pos] == c"{" or data[pos] == c"[":
            if depth >= most or depth >= DEEPEST:
                return -pos
            closers[depth] = data[pos] + 2  # both closers stand two behind the openers
            depth += 1
            after = blanks_in(data, pos + 1, end)
            if after >= end:
                return -pos
            if data[after] != closers[depth - 1]:
                if data[pos] == c"{":
                    keys[0] += 1
                    after = key_in(data, after, end)
                    if after < 0:
                        return -pos
                pos = after
                continue
        else:
            values[0] += data[pos] == c'"'
            after = scalar_in(data, pos, end)
            if after < 0:
                return -pos
            after = blanks_in(data, after, end)
        # closers and a comma are due
        while after < end and data[after] == closers[depth - 1]:
            depth -= 1
            if depth == 0:
                return after + 1
            after = blanks_in(data, after + 1, end)
        if after >= end or data[after] != c",":
            return -pos
        after = blanks_in(data, after + 1, end)
        if after < end and closers[depth - 1] == c"}":
            keys[0] += 1
            after = key_in(data, after, end)
        if after < 0 or after >= end:
            return -pos
        pos = after


cdef inline Py_ssize_t skip_container(
    str text, Py_ssize_t pos, Py_ssize_t end, Py_ssize_t most, bytearray found
) except? -1:
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t after, keys = 0, values = 0
    if kind == 1:
        after = container_in(<const byte_unit*> data, pos, end, most, &keys, &values)
    elif kind == 2:
        after = container_in(<const half_unit*> data, pos, end, most, &keys, &values)
    else:
        after = container_in(<const wide_unit*> data, pos, end, most, &keys, &values)
    if after < 0:
        return pos + after - 1  # one more than was passed over
    put_number(found, 0, keys)
    put_number(found, 1, values)
    return after
