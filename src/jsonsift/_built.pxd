# Values made from the characters of a text, for the compiled build alone.
#
# What is made stands on one stack, keys and values in turn, until its container closes.
# Keys that come again are one object, as in json.loads.

cimport cython
from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_Realloc
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.stdint cimport uint64_t
from libc.string cimport memcmp, memcpy, memset

from jsonsift._leaves cimport (
    FIRST_BYTE, byte_unit, copy_units, half_unit, next_loud, unit, wide_unit,
)

cdef extern from "Python.h":
    void PyErr_NoMemory() noexcept
    PyObject* PyErr_Occurred() noexcept
    bint PyUnicode_IS_ASCII(object text) noexcept
    PyObject* Py_None
    PyObject* Py_True
    PyObject* Py_False
    void incref "Py_INCREF"(PyObject* value) noexcept
    void decref "Py_DECREF"(PyObject* value) noexcept
    PyObject* new_text "PyUnicode_New"(Py_ssize_t size, Py_UCS4 largest) noexcept
    int kind_of "PyUnicode_KIND"(PyObject* text) noexcept nogil
    void* data_of "PyUnicode_DATA"(PyObject* text) noexcept nogil
    PyObject* new_integer "PyLong_FromLongLong"(long long value) noexcept
    PyObject* read_integer "PyLong_FromString"(
        const char* digits, char** end, int base
    ) noexcept
    PyObject* new_float "PyFloat_FromDouble"(double value) noexcept
    double read_float "PyOS_string_to_double"(
        const char* digits, char** end, PyObject* overflow
    ) noexcept
    PyObject* new_dict "PyDict_New"() except NULL
    PyObject* new_list "PyList_New"(Py_ssize_t size) except NULL
    void set_item "PyList_SET_ITEM"(
        PyObject* items, Py_ssize_t at, PyObject* value
    ) noexcept

cdef extern from "<float.h>":
    """
    #if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 0
    #define ROUNDS_ONCE 1
    #else
    #define ROUNDS_ONCE 0
    #endif
    static const unsigned long long TENS[] = {
      1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000
    };
    static const double EXACT_POWERS[] = {
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
      1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22
    };
    """
    # whether a division of doubles is rounded to a double, and no wider first
    bint ROUNDS_ONCE
    const double* EXACT_POWERS
    const uint64_t* TENS

cdef extern from *:
    """
    #if PY_VERSION_HEX < 0x030D0000  /* later ones declare it no more */
    #define SET_MEMBER(members, key, value) _PyDict_SetItem_KnownHash( \
      members, key, value, ((PyASCIIObject *) (key))->hash)
    #else
    #define SET_MEMBER PyDict_SetItem
    #endif
    """
    int SET_MEMBER(PyObject* members, PyObject* key, PyObject* value) noexcept
    Py_ssize_t PyObject_Hash(PyObject* key) noexcept

cdef enum:
    DEEPEST = 1024  # containers in one another
    KEYS = 64  # that are remembered
    PLACES = 256
    LONGEST_KEY = 64  # bytes of such a one
    FEW_VALUES = 64
    LONG_NUMBER = 512  # digits that int() never refuses
    EXACT_DIGITS = 18  # of an integer that 64 bits hold
    MOST_POWER = 22  # of ten that a double holds exactly

cdef enum:  # in place of a position, as is -3 where an error is raised
    BROKEN = -1  # no strict JSON
    DOUBTFUL = -2  # for json.loads to tell

cdef struct Quoted:  # what is in a string
    Py_ssize_t escapes
    bint has_codes  # escapes that give a code point

cdef struct Remembered:  # a key, and the bytes it begins and ends with
    PyObject* key
    uint64_t head, tail
    Py_ssize_t size  # in bytes
    int width  # of its characters in the text, which pieces of it need not share
    unsigned int mark  # what stood behind it, which is not in it
    unsigned int next  # which key came behind it, the last time

cdef struct Built:
    PyObject** values
    Py_ssize_t count, room
    Py_ssize_t depth, max_depth
    Py_ssize_t quoted_keys, quoted_values  # that were put of strict JSON
    Py_ssize_t at  # where its last comma stands, or its start
    bint is_ascii  # the text
    unsigned int known  # keys
    unsigned int last  # which key was put
    unsigned char places[PLACES]  # of keys, by their hashes
    Remembered keys[KEYS]  # the first of which is none
    Py_ssize_t bases[DEEPEST]  # where the values of each open container start
    bint are_objects[DEEPEST]


cdef inline void make_ready(Built* built, str text) noexcept:
    """For the values of this text, of which there may be none."""
    built.values = NULL
    built.count = built.depth = built.known = 0
    built.is_ascii = PyUnicode_IS_ASCII(text)


cdef inline int begin_once(Built* built, Py_ssize_t max_depth) except -1:
    """Before a value that may be nested so deeply; the keys are those of the last."""
    built.max_depth = min(max_depth, DEEPEST)
    if built.values != NULL:
        return 0
    built.values = <PyObject**> PyMem_Malloc(FEW_VALUES * sizeof(PyObject*))
    if built.values == NULL:
        raise MemoryError
    built.room = FEW_VALUES
    built.quoted_keys = built.quoted_values = 0
    memset(built.places, 0, PLACES)
    built.keys[0].key = NULL
    built.keys[0].next = 0
    built.known = 1
    built.last = 0
    return 0


cdef inline void let_go(Built* built) noexcept:
    """All but what others hold too."""
    cdef Py_ssize_t i
    if built.values == NULL:
        return
    for i in range(built.count):
        decref(built.values[i])
    for i in range(1, built.known):
        decref(built.keys[i].key)
    PyMem_Free(built.values)


cdef inline void free_built(object capsule) noexcept:
    cdef Built* built = <Built*> PyCapsule_GetPointer(capsule, NULL)
    let_go(built)
    PyMem_Free(built)


cdef inline object keep_built(const Built* built):
    """An object that owns what is no longer this one's, of which nothing is open."""
    cdef void* kept = PyMem_Malloc(sizeof(Built))
    if kept == NULL:
        raise MemoryError
    memcpy(kept, built, sizeof(Built) - sizeof(built.bases) - sizeof(built.are_objects))
    return PyCapsule_New(kept, NULL, free_built)


cdef inline void drop_all(Built* built) noexcept:
    """What was put, and the containers that are open."""
    while built.count > 0:
        built.count -= 1
        decref(built.values[built.count])
    built.depth = 0


cdef inline int grow(Built* built) noexcept:
    cdef void* more = PyMem_Realloc(built.values, 2 * built.room * sizeof(PyObject*))
    if more == NULL:
        PyErr_NoMemory()
        return -1
    built.values = <PyObject**> more
    built.room *= 2
    return 0


cdef inline int put(Built* built, PyObject* value) except -1:
    """Onto the stack, which owns it."""
    if built.count == built.room and grow(built) < 0:
        decref(value)
        return -1
    built.values[built.count] = value
    built.count += 1
    return 0


cdef inline int put_new(Built* built, PyObject* value) except -1:
    return -1 if value == NULL else put(built, value)


cdef inline int put_shared(Built* built, PyObject* value) except -1:
    incref(value)
    return put(built, value)


# ----------------------------------------------------------------------- containers


cdef inline bint opens(Built* built, bint is_object) noexcept:
    """Open a container, if it is not too deep."""
    if built.depth >= built.max_depth:
        return False
    built.bases[built.depth] = built.count
    built.are_objects[built.depth] = is_object
    built.depth += 1
    return True


cdef inline bint is_key_due(const Built* built) noexcept:
    """In the container that is open, of which there must be one."""
    cdef Py_ssize_t top = built.depth - 1
    return built.are_objects[top] and (built.count - built.bases[top]) & 1 == 0


cdef inline bint may_close(const Built* built, bint is_object) noexcept:
    """Whether a container of this kind is open, and no value is due."""
    cdef Py_ssize_t top = built.depth - 1
    if top < 0 or built.are_objects[top] != is_object:
        return False
    return not is_object or is_key_due(built)


cdef inline int close(Built* built) except -1:
    """What was put since the last container opened becomes its value."""
    built.depth -= 1
    if built.are_objects[built.depth]:
        return close_dict(built, built.bases[built.depth])
    return close_list(built, built.bases[built.depth])


cdef inline int close_dict(Built* built, Py_ssize_t base) except -1:
    """The keys and values from ``base`` on become one."""
    cdef PyObject** values = built.values
    cdef PyObject* made = new_dict()
    cdef Py_ssize_t i
    for i in range(base, built.count, 2):
        if SET_MEMBER(made, values[i], values[i + 1]) < 0:
            decref(made)
            return -1
    for i in range(base, built.count):
        decref(values[i])
    built.count = base
    return put(built, made)


cdef inline int close_list(Built* built, Py_ssize_t base) except -1:
    cdef PyObject* made = new_list(built.count - base)
    cdef Py_ssize_t i
    for i in range(base, built.count):
        set_item(made, i - base, built.values[i])
    built.count = base
    return put(built, made)


# -------------------------------------------------------------------------- strings


cdef inline unsigned int widest_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    """A character that is at least as wide as all of these."""
    cdef uint64_t word, all_of = 0
    cdef unsigned int most = 0
    while pos + 8 // <int> sizeof(unit) <= end:
        memcpy(&word, data + pos, 8)
        all_of |= word
        pos += 8 // <int> sizeof(unit)
    while pos < end:
        most |= data[pos]
        pos += 1
    all_of |= all_of >> 32
    if unit is not wide_unit:
        all_of |= all_of >> 16
    if unit is byte_unit:
        all_of |= all_of >> 8
    most |= <unit> all_of
    return min(most, 0x10FFFF)


cdef inline PyObject* text_of(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, bint is_ascii
) noexcept:
    """A new string of the characters as they stand; NULL with an error set."""
    cdef unsigned int widest = 127
    if unit is not byte_unit or not is_ascii:
        widest = widest_in(data, pos, end)
    cdef PyObject* made = new_text(end - pos, widest)
    if made == NULL:
        return NULL
    if unit is byte_unit:
        copy_units(data, pos, end, 1, data_of(made))
    else:
        copy_units(data, pos, end, kind_of(made), data_of(made))
    return made


cdef inline int hex_in(const unit* data, Py_ssize_t pos) noexcept nogil:
    """What the four digits at ``pos`` say, or -1."""
    cdef Py_ssize_t at
    cdef unsigned int ch
    cdef int code = 0
    for at in range(pos, pos + 4):
        ch = data[at]
        code <<= 4
        if c"0" <= ch <= c"9":
            code |= ch - c"0"
        elif c"a" <= ch | 32 <= c"f":
            code |= (ch | 32) - c"a" + 10
        else:
            return -1
    return code


cdef inline unsigned int escaped_by(unsigned int ch) noexcept nogil:
    """What a backslash and this character mean; 0 if that is no whole escape."""
    if ch == c"n":
        return 10
    if ch == c'"' or ch == c"\\" or ch == c"/":
        return ch
    if ch == c"t":
        return 9
    if ch == c"r":
        return 13
    if ch == c"b":
        return 8
    return 12 if ch == c"f" else 0


cdef inline Py_ssize_t unescape_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, wide_unit* to
) noexcept nogil:
    """Write what the characters mean, and tell how much; BROKEN if an escape is none,
    or half of a surrogate pair.
    """
    cdef wide_unit* first = to
    cdef unsigned int ch
    cdef int code, low
    while pos < end:
        ch = data[pos]
        pos += 1
        if ch == c"\\" and data[pos] != c"u":
            ch = escaped_by(data[pos])
            pos += 1
            if ch == 0:
                return BROKEN
        elif ch == c"\\":
            code = hex_in(data, pos + 1) if pos + 5 <= end else -1
            pos += 5
            if 0xD800 <= code <= 0xDBFF and pos + 6 <= end:
                low = hex_in(data, pos + 2)
                if data[pos] != c"\\" or data[pos + 1] != c"u" or low >> 10 != 0x37:
                    return BROKEN
                code = 0x10000 + ((code & 0x3FF) << 10 | low & 0x3FF)
                pos += 6
            if code < 0 or 0xD800 <= code <= 0xDFFF:
                return BROKEN
            ch = <unsigned int> code
        to[0] = ch
        to += 1
    return to - first


cdef inline PyObject* decoded(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) except? NULL:
    """A new string of what the characters mean; NULL if an escape is none."""
    cdef PyObject* made = NULL
    cdef Py_ssize_t size
    cdef wide_unit* meant = <wide_unit*> PyMem_Malloc((end - pos) * sizeof(wide_unit))
    if meant == NULL:
        raise MemoryError
    size = unescape_in(data, pos, end, meant)
    if size >= 0:
        made = text_of(<const wide_unit*> meant, 0, size, False)
    PyMem_Free(meant)
    return made


cdef inline PyObject* unescaped(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, const Quoted* seen, bint is_ascii
) except? NULL:
    """The same, where it is known what escapes there are."""
    if seen.has_codes:
        return decoded(data, pos, end)
    cdef unsigned int ch, widest = 127
    if unit is not byte_unit or not is_ascii:
        widest = widest_in(data, pos, end)
    cdef PyObject* made = new_text(end - pos - seen.escapes, widest)
    if made == NULL:
        return NULL
    cdef int kind = kind_of(made)
    cdef byte_unit* to = <byte_unit*> data_of(made)
    cdef Py_ssize_t start
    while pos < end:
        start = pos
        while pos < end and data[pos] != c"\\":
            pos = min(max(next_loud(data, pos, end, False), pos + 1), end)
        copy_units(data, start, pos, kind, to)
        to += (pos - start) * kind
        if pos < end:
            ch = escaped_by(data[pos + 1])
            if ch == 0:
                decref(made)
                return NULL
            if kind == 1:
                to[0] = <byte_unit> ch
            elif kind == 2:
                (<half_unit*> to)[0] = <half_unit> ch
            else:
                (<wide_unit*> to)[0] = ch
            to += kind
            pos += 2
    return made


cdef inline PyObject* string_of(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, const Quoted* seen, bint is_ascii
) except? NULL:
    """A new string of what stands in quotes; NULL if an escape is none."""
    if seen.escapes > 0:
        return unescaped(data, pos, end, seen, is_ascii)
    return text_of(data, pos, end, is_ascii)


cdef inline Py_ssize_t quote_after(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Quoted* seen
) noexcept nogil:
    """The quote that ends the string from ``pos`` on, or BROKEN."""
    cdef unsigned int ch
    seen.escapes, seen.has_codes = 0, False
    while pos < end:
        pos = next_loud(data, pos, end, False)
        if pos >= end:
            return BROKEN
        ch = data[pos]
        if ch == c'"':
            return pos
        if ch == c"\\":
            seen.escapes += 1
            pos += 1
            seen.has_codes |= data[pos] == c"u"
        elif ch < 32 or 0xD800 <= ch <= 0xDFFF:
            return BROKEN
        pos += 1
    return BROKEN


# ----------------------------------------------------------------------------- keys


cdef inline uint64_t word_at(
    const byte_unit* at, Py_ssize_t size, Py_ssize_t room
) noexcept nogil:
    """The first ``size`` bytes, eight at most, of ``room`` that may be read."""
    cdef uint64_t word = 0
    if room >= 8 and FIRST_BYTE(256) == 1:  # the first byte is the lowest
        memcpy(&word, at, 8)
        if size < 8:
            word &= (<uint64_t> 1 << 8 * size) - 1
    else:
        memcpy(&word, at, size)
    return word


cdef inline bint is_same(
    PyObject* key, const unit* data, Py_ssize_t pos, Py_ssize_t size
) noexcept nogil:
    """Whether these are the characters of a key of that length."""
    cdef Py_ssize_t i
    if kind_of(key) == sizeof(unit):
        return memcmp(data_of(key), data + pos, size * sizeof(unit)) == 0
    if kind_of(key) != 1:
        return False
    for i in range(size):
        if (<const byte_unit*> data_of(key))[i] != data[pos + i]:
            return False
    return True


cdef inline PyObject* hashed(PyObject* key) noexcept:
    """The string, in which its hash is kept now."""
    if key != NULL:
        PyObject_Hash(key)  # of a string it can't fail
    return key


cdef inline Py_ssize_t expected_key_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t room, unsigned int mark, Built* built
) except -3:
    """Put the key that is likely to stand at ``pos``, where the mark ends keys: its
    end, or BROKEN if another key does.
    """
    cdef unsigned int number = built.keys[built.last].next
    cdef Remembered* likely = &built.keys[number]
    cdef Py_ssize_t end = pos + likely.size // <int> sizeof(unit)
    cdef const byte_unit* at = <const byte_unit*> (data + pos)
    if likely.key == NULL or likely.size > 16 or likely.width != sizeof(unit):
        return BROKEN
    if end + 8 > room or data[end] != mark or likely.mark != mark:
        return BROKEN
    if word_at(at, min(likely.size, 8), 8) != likely.head:
        return BROKEN
    if likely.size > 8 and word_at(at + likely.size - 8, 8, 8) != likely.tail:
        return BROKEN
    put_shared(built, likely.key)
    built.last = number
    return end


cdef inline PyObject* key_of(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, Py_ssize_t room,
    unsigned int mark, Built* built
) except NULL:
    """The string of these characters, which may be that of an earlier key; the mark
    ends keys, and is not among them.
    """
    cdef Py_ssize_t size = (end - pos) * <int> sizeof(unit)
    cdef const byte_unit* at = <const byte_unit*> (data + pos)
    cdef uint64_t head, tail, mixed, one = 0x9E3779B97F4A7C15  # odd
    cdef PyObject* key
    cdef Remembered* place
    cdef unsigned int number
    if size > LONGEST_KEY:
        return hashed(text_of(data, pos, end, built.is_ascii))
    head = word_at(at, min(size, 8), (room - pos) * <int> sizeof(unit))
    tail = word_at(at + size - 8, 8, 8) if size > 8 else 0
    mixed = (head ^ <uint64_t> size) * one
    mixed = (mixed ^ mixed >> 32 ^ tail) * one
    number = built.places[mixed >> 56]
    place = &built.keys[number]
    if (
        number == 0 or place.head != head or place.tail != tail or place.size != size
        or place.width != sizeof(unit)
        or (size > 16 and not is_same(place.key, data, pos, end - pos))
    ):
        key = hashed(text_of(data, pos, end, built.is_ascii))
        if key == NULL:
            return NULL
        if number == 0 and built.known < KEYS:
            number = built.known
            built.known += 1
            built.places[mixed >> 56] = <unsigned char> number
        elif number == 0:
            return key
        else:
            decref(place.key)
        place = &built.keys[number]
        place.key, place.head, place.tail, place.size = key, head, tail, size
        place.width = sizeof(unit)
        place.next = 0
    place.mark = mark
    built.keys[built.last].next = number
    built.last = number
    incref(place.key)
    return place.key


# -------------------------------------------------------------------------- numbers


cdef inline Py_ssize_t long_number_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, bint is_float, Built* built
) except -3:
    """Put the number, which is well formed, as CPython reads it; its end."""
    cdef Py_ssize_t i, size = end - pos
    cdef char* digits
    cdef PyObject* made = NULL
    cdef double value
    if not is_float and size > LONG_NUMBER:
        return DOUBTFUL
    digits = <char*> PyMem_Malloc(size + 1)
    if digits == NULL:
        raise MemoryError
    for i in range(size):
        digits[i] = <char> data[pos + i]
    digits[size] = 0
    if not is_float:
        made = read_integer(digits, NULL, 10)
    else:
        value = read_float(digits, NULL, NULL)
        if value != -1 or PyErr_Occurred() == NULL:
            made = new_float(value)
    PyMem_Free(digits)
    put_new(built, made)
    # beyond what a double holds?
    return DOUBTFUL if is_float and value - value != 0 else end


cdef inline Py_ssize_t digits_at(
    const unit* data, Py_ssize_t pos, Py_ssize_t room, uint64_t* number
) noexcept nogil:
    """Append the digits at ``pos``; behind them."""
    cdef uint64_t word, others, zeros = 0x3030303030303030
    cdef uint64_t over_nine = 0x7676767676767676, tops = 0x8080808080808080
    cdef uint64_t pairs = 0x000000FF000000FF
    cdef uint64_t first = 0x000F424000000064, second = 0x0000271000000001
    cdef int count
    cdef unsigned int digit
    if unit is byte_unit and FIRST_BYTE(256) == 1:  # bytes stand in that order
        while pos + 8 <= room:
            memcpy(&word, data + pos, 8)
            word ^= zeros
            others = (word + over_nine | word) & tops
            count = 8 if others == 0 else FIRST_BYTE(others)
            if count == 0:
                return pos
            word <<= 64 - 8 * count
            word = word * 10 + (word >> 8)
            word = (word & pairs) * first + (word >> 16 & pairs) * second >> 32
            number[0] = number[0] * TENS[count] + word
            pos += count
            if count < 8:
                return pos
    digit = data[pos] - 48
    while digit <= 9:
        number[0] = 10 * number[0] + digit
        pos += 1
        digit = data[pos] - 48
    return pos


@cython.cdivision(True)
cdef inline Py_ssize_t number_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t room, Built* built
) except -3:
    """Put the number at ``pos``; behind it, or BROKEN or DOUBTFUL.

    Of few digits and a small power of ten one multiplication or division gives the
    double that is nearest (W. D. Clinger, How to read floating point numbers
    accurately, 1990).
    """
    cdef Py_ssize_t start = pos, first, count
    cdef uint64_t digits = 0
    cdef long power = 0, written = 0
    cdef bint is_negative = data[pos] == c"-", is_small, is_float = False
    cdef double value
    cdef long long whole
    cdef unsigned int digit
    pos += is_negative
    first = pos
    digit = data[pos] - 48
    while digit <= 9:  # mostly few
        digits = 10 * digits + digit
        pos += 1
        digit = data[pos] - 48
    count = pos - first
    if count == 0:
        return DOUBTFUL if is_negative else BROKEN  # -Infinity?
    if data[first] == c"0" and count > 1:
        return BROKEN
    if data[pos] == c".":
        is_float = True
        pos += 1
        first = pos
        pos = digits_at(data, pos, room, &digits)
        if pos == first:
            return BROKEN
        power = first - pos
        count -= power
    if data[pos] | 32 == c"e":
        is_float = True
        pos += 1
        is_small = data[pos] == c"-"
        pos += is_small or data[pos] == c"+"
        first = pos
        digit = data[pos] - 48
        while digit <= 9:
            if written < 100000:
                written = 10 * written + digit
            pos += 1
            digit = data[pos] - 48
        if pos == first:
            return BROKEN
        power += -written if is_small else written
    if count <= EXACT_DIGITS:
        whole = <long long> digits
        if not is_float:
            put_new(built, new_integer(-whole if is_negative else whole))
            return pos
        if ROUNDS_ONCE and digits <= <uint64_t> 1 << 53 and (
            -MOST_POWER <= power <= MOST_POWER
        ):
            value = <double> digits
            if power < 0:
                value /= EXACT_POWERS[-power]
            else:
                value *= EXACT_POWERS[power]
            put_new(built, new_float(-value if is_negative else value))
            return pos
    if pos > room:  # no text ends in a number
        return BROKEN
    return long_number_in(data, start, pos, is_float, built)
