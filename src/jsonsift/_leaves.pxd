# The loops of _leaves.py for the compiled build, inlined into whoever calls them.
#
# Each answers what the function of its name in _leaves.py answers; every test that
# runs both builds holds the two together.  On x86-64 text is read 16 bytes at a time,
# elsewhere eight if its characters are of one byte each.

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

cdef extern from "Python.h":
    int PyUnicode_KIND(object text) noexcept
    void* PyUnicode_DATA(object text) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(object text) noexcept
    Py_UCS4 PyUnicode_READ_CHAR(object text, Py_ssize_t pos) noexcept

ctypedef unsigned char byte_unit  # characters of one, two and four bytes

ctypedef unsigned short half_unit
ctypedef unsigned int wide_unit

ctypedef fused unit:
    byte_unit
    half_unit
    wide_unit

cdef extern from *:
    """
    #if SIZEOF_VOID_P < 8
    #error "a row of an edit has 64 bits; the pure build needs no compiler"
    #endif

    /* What may stand behind a line end: 1 a quote, 2 what else begins a value, 4 a closing
       brace, 8 a closing bracket, 16 a comma or colon; and which of these may, by what
       stands before it, less those behind the end of a value, 28. */
    static const unsigned char BEHIND_LINE_END[256] = {
      ['"'] = 1, ['{'] = 2, ['['] = 2, ['-'] = 2, ['0'] = 2, ['1'] = 2, ['2'] = 2,
      ['3'] = 2, ['4'] = 2, ['5'] = 2, ['6'] = 2, ['7'] = 2, ['8'] = 2, ['9'] = 2,
      ['t'] = 2, ['f'] = 2, ['n'] = 2, ['N'] = 2, ['I'] = 2,
      ['}'] = 4, [']'] = 8, [','] = 16, [':'] = 16
    };
    static const unsigned char BEFORE_LINE_END[256] = {
      [','] = 3 ^ 28, [':'] = 3 ^ 28, ['['] = 11 ^ 28, ['{'] = 5 ^ 28
    };
    #define MAY_STAND_AROUND(before, behind) ( \
      ((before) < 256 ? BEFORE_LINE_END[(before) & 255] ^ 28 : 28) & \
      ((behind) < 256 ? BEHIND_LINE_END[(behind) & 255] : 0))

    #if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    #define FIRST_BYTE(mask) (__builtin_ctzll(mask) >> 3)
    #else
    #define FIRST_BYTE(mask) 0
    #endif

    /* Of 16 bytes of characters: a bit for each byte of one that a string must look at:
       a quote, backslash, control, half of a pair, closing curly mark, or apostrophe if
       those count.  And the same of characters that are no space. */
    #if defined(__SSE2__) && defined(__GNUC__)
    #include <emmintrin.h>
    #define LOOKS_AT_16 1
    #define LOOK(bits, set) \
      static inline unsigned int find_loud_##bits(const void *at, int apostrophes) { \
        const __m128i units = _mm_loadu_si128((const __m128i *) at); \
        __m128i loud = _mm_or_si128( \
          _mm_cmpeq_epi##bits(units, set('"')), \
          _mm_cmpeq_epi##bits(units, set('\\\\'))); \
        loud = _mm_or_si128(loud, find_odd_##bits(units)); \
        if (apostrophes) \
          loud = _mm_or_si128(loud, _mm_cmpeq_epi##bits(units, set('\\''))); \
        return (unsigned int) _mm_movemask_epi8(loud); \
      } \
      static inline unsigned int find_black_##bits(const void *at) { \
        const __m128i units = _mm_loadu_si128((const __m128i *) at); \
        return 0xFFFFu ^ (unsigned int) _mm_movemask_epi8( \
          _mm_cmpeq_epi##bits(units, set(' '))); \
      } \
      static inline unsigned int find_line_end_##bits(const void *at) { \
        const __m128i units = _mm_loadu_si128((const __m128i *) at); \
        return (unsigned int) _mm_movemask_epi8( \
          _mm_cmpeq_epi##bits(units, set('\\n'))); \
      }
    static inline __m128i find_odd_8(__m128i units) {
      return _mm_cmpeq_epi8(_mm_min_epu8(units, _mm_set1_epi8(31)), units);
    }
    static inline __m128i find_odd_16(__m128i units) {
      const __m128i half = _mm_and_si128(units, _mm_set1_epi16((short) 0xF800));
      return _mm_or_si128(
        _mm_cmpeq_epi16(
          _mm_subs_epu16(units, _mm_set1_epi16(31)), _mm_setzero_si128()),
        _mm_or_si128(
          _mm_cmpeq_epi16(half, _mm_set1_epi16((short) 0xD800)),
          _mm_cmpeq_epi16(units, _mm_set1_epi16(0x201D))));
    }
    static inline __m128i find_odd_32(__m128i units) {
      const __m128i half = _mm_and_si128(units, _mm_set1_epi32(~0x7FF));
      return _mm_or_si128(
        _mm_cmplt_epi32(units, _mm_set1_epi32(32)),
        _mm_or_si128(
          _mm_cmpeq_epi32(half, _mm_set1_epi32(0xD800)),
          _mm_cmpeq_epi32(units, _mm_set1_epi32(0x201D))));
    }
    LOOK(8, _mm_set1_epi8)
    LOOK(16, _mm_set1_epi16)
    LOOK(32, _mm_set1_epi32)
    /* The same of bytes that are no digits. */
    static inline unsigned int FIND_OTHER(const void *at) {
      const __m128i units = _mm_xor_si128(
        _mm_loadu_si128((const __m128i *) at), _mm_set1_epi8('0'));
      return (unsigned int) _mm_movemask_epi8(
        _mm_cmpeq_epi8(_mm_max_epu8(units, _mm_set1_epi8(10)), units));
    }
    #define FIND_LOUD(at, size, apostrophes) ( \
      (size) == 1 ? find_loud_8(at, apostrophes) : \
      (size) == 2 ? find_loud_16(at, apostrophes) : find_loud_32(at, apostrophes))
    #define FIND_BLACK(at, size) ( \
      (size) == 1 ? find_black_8(at) : \
      (size) == 2 ? find_black_16(at) : find_black_32(at))
    #define FIND_LINE_END(at, size) ( \
      (size) == 1 ? find_line_end_8(at) : \
      (size) == 2 ? find_line_end_16(at) : find_line_end_32(at))
    #define FIRST_BIT(mask) __builtin_ctz(mask)
    static inline int copy_ascii_16(const void *at, unsigned char *to) {
      const __m128i units = _mm_loadu_si128((const __m128i *) at);
      const __m128i high = _mm_and_si128(units, _mm_set1_epi16((short) 0xFF80));
      if (_mm_movemask_epi8(_mm_cmpeq_epi16(high, _mm_setzero_si128())) != 0xFFFF)
        return 0;
      _mm_storel_epi64((__m128i *) to, _mm_packus_epi16(units, units));
      return 1;
    }
    static inline int copy_ascii_32(const void *at, unsigned char *to) {
      const __m128i units = _mm_loadu_si128((const __m128i *) at);
      const __m128i high = _mm_and_si128(units, _mm_set1_epi32(~0x7F));
      const __m128i halves = _mm_packs_epi32(units, units);
      int four;
      if (_mm_movemask_epi8(_mm_cmpeq_epi32(high, _mm_setzero_si128())) != 0xFFFF)
        return 0;
      four = _mm_cvtsi128_si32(_mm_packus_epi16(halves, halves));
      memcpy(to, &four, 4);
      return 1;
    }
    #define COPY_ASCII(at, size, to) ( \
      (size) == 2 ? copy_ascii_16(at, to) : copy_ascii_32(at, to))
    /* 16 characters as bytes; wide ones as 255. */
    static inline __m128i narrow_16(__m128i one, __m128i other) {
      const __m128i low = _mm_set1_epi16(255);
      const __m128i wide = _mm_packus_epi16(
        _mm_srli_epi16(one, 8), _mm_srli_epi16(other, 8));
      return _mm_or_si128(
        _mm_packus_epi16(_mm_and_si128(one, low), _mm_and_si128(other, low)),
        _mm_andnot_si128(
          _mm_cmpeq_epi8(wide, _mm_setzero_si128()), _mm_set1_epi8(-1)));
    }
    static inline __m128i load_16(const unsigned char *at, int size) {
      const __m128i *units = (const __m128i *) at;
      if (size == 1)
        return _mm_loadu_si128(units);
      if (size == 2)
        return narrow_16(_mm_loadu_si128(units), _mm_loadu_si128(units + 1));
      return narrow_16(  /* of four bytes, none of which has the highest bit */
        _mm_packs_epi32(_mm_loadu_si128(units), _mm_loadu_si128(units + 1)),
        _mm_packs_epi32(_mm_loadu_si128(units + 2), _mm_loadu_si128(units + 3)));
    }
    /* Of 16 characters four bits each: is it blank, a control, what leads on (an opener
       or comma), a closer? */
    typedef struct {unsigned long long blank, control, leading, closer;} line_marks;
    static inline void mark_16(__m128i units, int shift, line_marks *marks) {
      const __m128i lower = _mm_or_si128(units, _mm_set1_epi8(32));
      #define TAKE(name, found) \
        marks->name |= (unsigned long long) _mm_movemask_epi8(found) << shift
      TAKE(blank, _mm_cmpeq_epi8(_mm_min_epu8(units, _mm_set1_epi8(32)), units));
      TAKE(leading, _mm_or_si128(
        _mm_cmpeq_epi8(lower, _mm_set1_epi8('{')),
        _mm_cmpeq_epi8(units, _mm_set1_epi8(','))));
      TAKE(closer, _mm_cmpeq_epi8(lower, _mm_set1_epi8('}')));
      #undef TAKE
    }
    /* Where to look for the first line end, of those behind no blank, around which stand
       tokens that may not: a closer behind what leads on, or something else behind what
       does not; -1 if there is none.  Of 64 characters at once, a carry runs from each
       line end over the blanks behind it.  Of valid text it finds commas and colons that
       begin or end a line. */
    static inline Py_ssize_t FIND_ODD_LINE(
      const void *data, int size, Py_ssize_t pos, Py_ssize_t end) {
      unsigned long long after = 1, led = 0, on = 0, off = 0;
      Py_ssize_t line = pos;
      for (; pos < end; pos += 64) {
        line_marks marks = {0, 0, 0, 0};
        unsigned long long before, start, run_on, run_off, odd;
        unsigned char rest[256];
        const unsigned char *at = (const unsigned char *) data + pos * size;
        int i;
        if (pos + 64 > end) {
          memset(rest, 0, 64 * (size_t) size);  /* as good as blanks */
          memcpy(rest, at, (size_t) (end - pos) * (size_t) size);
          at = rest;
        }
        for (i = 0; i < 64; i += 16)
          marks.control |= (unsigned long long) _mm_movemask_epi8(
            find_odd_8(load_16(at + i * size, size))) << i;
        if (marks.control | on | off)
          for (i = 0; i < 64; i += 16)
            mark_16(load_16(at + i * size, size), i, &marks);
        else  /* where no line ends and no run goes on, that is enough */
          mark_16(load_16(at + 48 * size, size), 48, &marks);
        if (!(on | off))
          line = pos;
        before = marks.leading << 1 | led;
        start = marks.control & ~(marks.blank << 1 | after);
        on = __builtin_add_overflow(marks.blank, on, &run_on);
        on |= __builtin_add_overflow(run_on, start & before, &run_on);
        off = __builtin_add_overflow(marks.blank, off, &run_off);
        off |= __builtin_add_overflow(run_off, start & ~before, &run_off);
        odd = (run_on & marks.closer) | (run_off & ~marks.closer);
        if (odd & ~marks.blank)
          return line;
        if (start)
          line = pos;  /* what goes on began here */
        after = marks.blank >> 63;
        led = marks.leading >> 63;
      }
      return -1;
    }
    #else
    /* One by one, of ASCII only the last lines are looked at. */
    #define FIND_ODD_LINE(data, size, pos, end) ( \
      (size) > 1 || (end) - (pos) < 256 ? (pos) : (end) - 256)
    #define COPY_ASCII(at, size, to) 0
    #define LOOKS_AT_16 0
    #define FIND_LOUD(at, size, apostrophes) 1u
    #define FIND_BLACK(at, size) 1u
    #define FIND_LINE_END(at, size) 1u
    #define FIND_OTHER(at) 1u
    #define FIRST_BIT(mask) 0
    #endif
    """
    bint MAY_STAND_AROUND(unsigned int before, unsigned int behind) noexcept nogil
    # how many bytes before the first that is not zero, or fewer
    int FIRST_BYTE(uint64_t mask) noexcept nogil
    bint LOOKS_AT_16
    unsigned int FIND_LOUD(const void* at, int size, bint apostrophes) noexcept nogil
    unsigned int FIND_BLACK(const void* at, int size) noexcept nogil
    unsigned int FIND_LINE_END(const void* at, int size) noexcept nogil
    unsigned int FIND_OTHER(const void* at) noexcept nogil
    int FIRST_BIT(unsigned int mask) noexcept nogil
    # where a line end may stand between tokens that do not fit; -1 if nowhere
    Py_ssize_t FIND_ODD_LINE(
        const void* data, int size, Py_ssize_t pos, Py_ssize_t end
    ) noexcept nogil
    # copy 16 bytes of wide characters to as many single ones, if they are ASCII
    bint COPY_ASCII(const void* at, int size, byte_unit* to) noexcept nogil


# ----------------------------------------------------------------------- characters


cdef inline Py_UCS4 char_at(str text, Py_ssize_t pos) noexcept:
    return PyUnicode_READ_CHAR(text, pos)


cdef inline void copy_units(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, int kind, void* to
) noexcept nogil:
    """Write the characters, which fit, with so many bytes each."""
    cdef byte_unit* bytes_to = <byte_unit*> to
    cdef Py_ssize_t i, size = end - pos
    cdef uint64_t word
    data += pos
    if kind == sizeof(unit):
        if size * <int> sizeof(unit) > 16 or size * <int> sizeof(unit) < 8:
            memcpy(to, data, size * sizeof(unit))
        else:  # twice eight, which may overlap
            memcpy(&word, data, 8)
            memcpy(to, &word, 8)
            i = size * <int> sizeof(unit) - 8
            memcpy(&word, <const byte_unit*> data + i, 8)
            memcpy(bytes_to + i, &word, 8)
    elif kind == 1:
        i = 0
        if unit is not byte_unit and LOOKS_AT_16:
            while i + 16 // <int> sizeof(unit) <= size and COPY_ASCII(
                data + i, sizeof(unit), bytes_to + i
            ):
                i += 16 // <int> sizeof(unit)
        while i < size:
            bytes_to[i] = <byte_unit> data[i]
            i += 1
    elif kind == 2:
        for i in range(size):
            (<half_unit*> to)[i] = <half_unit> data[i]
    else:
        for i in range(size):
            (<wide_unit*> to)[i] = data[i]


cdef inline uint64_t loud_bytes(
    const byte_unit* at, bint apostrophes
) noexcept nogil:
    """The highest bit of the first of eight characters that is a quote, backslash or
    control, or an apostrophe if those count, and perhaps of some behind it; 0 if there
    is none.
    """
    cdef uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080
    cdef uint64_t word, quote, slash, loud
    memcpy(&word, at, 8)
    quote = word ^ (ones * 0x22)
    slash = word ^ (ones * 0x5C)
    loud = ((quote - ones) & ~quote) | ((slash - ones) & ~slash)
    loud |= (word - ones * 0x20) & ~word
    if apostrophes:
        quote = word ^ (ones * 0x27)
        loud |= (quote - ones) & ~quote
    return loud & tops


cdef inline Py_ssize_t next_loud(
    const unit* data, Py_ssize_t pos, Py_ssize_t end, bint apostrophes
) noexcept nogil:
    """The next character that a string must look at, or one before it; ``end`` if all
    but the last few are quiet and those too.
    """
    cdef uint64_t loud
    cdef unsigned int found
    if LOOKS_AT_16:
        while pos + 16 // <int> sizeof(unit) <= end:
            found = FIND_LOUD(data + pos, sizeof(unit), apostrophes)
            if found != 0:
                return pos + FIRST_BIT(found) // <int> sizeof(unit)
            pos += 16 // <int> sizeof(unit)
    elif unit is byte_unit:
        while pos + 8 <= end:
            loud = loud_bytes(data + pos, apostrophes)
            if loud != 0:
                return pos + FIRST_BYTE(loud)
            pos += 8
    return pos


cdef inline Py_ssize_t blanks_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    if pos < end and data[pos] > 32:
        return pos
    if pos + 1 < end and data[pos] == 32 and data[pos + 1] > 32:
        return pos + 1
    return long_blanks_in(data, pos, end)


cdef inline Py_ssize_t long_blanks_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    """The same for a line end and what the next line is indented by."""
    cdef uint64_t word, spaces = 0x2020202020202020
    cdef unsigned int found
    if pos < end and data[pos] == 10:
        pos += 1
    if LOOKS_AT_16:
        while pos + 16 // <int> sizeof(unit) <= end:
            found = FIND_BLACK(data + pos, sizeof(unit))
            if found != 0:
                pos += FIRST_BIT(found) // <int> sizeof(unit)
                break
            pos += 16 // <int> sizeof(unit)
    elif unit is byte_unit:
        while pos + 8 <= end:
            memcpy(&word, data + pos, 8)
            word ^= spaces
            if word != 0:
                pos += FIRST_BYTE(word)
                break
            pos += 8
    while pos < end and (
        data[pos] == 32 or data[pos] == 10 or data[pos] == 9 or data[pos] == 13
    ):
        pos += 1
    return pos


cdef inline Py_ssize_t skip_blanks(
    str text, Py_ssize_t pos, Py_ssize_t end
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return blanks_in(<const byte_unit*> PyUnicode_DATA(text), pos, end)
    if kind == 2:
        return blanks_in(<const half_unit*> PyUnicode_DATA(text), pos, end)
    return blanks_in(<const wide_unit*> PyUnicode_DATA(text), pos, end)



cdef inline Py_ssize_t line_end_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef unsigned int found
    if LOOKS_AT_16:
        while pos + 16 // <int> sizeof(unit) <= end:
            found = FIND_LINE_END(data + pos, sizeof(unit))
            if found != 0:
                return pos + FIRST_BIT(found) // <int> sizeof(unit)
            pos += 16 // <int> sizeof(unit)
    while pos < end:
        if data[pos] == 10:
            return pos
        pos += 1
    return -1



# -------------------------------------------------------------------------- strings


cdef inline Py_ssize_t escape_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    """Behind the valid escape at ``pos``; -1 if it is none, or half of a pair."""
    cdef Py_ssize_t at
    cdef unsigned int ch
    if pos + 1 >= end:
        return -1
    ch = data[pos + 1]
    if ch != c"u":
        if (
            ch == c'"' or ch == c"\\" or ch == c"/" or ch == c"b" or ch == c"f"
            or ch == c"n" or ch == c"r" or ch == c"t"
        ):
            return pos + 2
        return -1
    if pos + 6 > end or data[pos + 2] | 32 == c"d":
        return -1
    for at in range(pos + 2, pos + 6):
        ch = data[at]
        if not (c"0" <= ch <= c"9" or c"a" <= ch | 32 <= c"f"):
            return -1
    return pos + 6


cdef inline Py_ssize_t string_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef Py_ssize_t start = pos
    cdef unsigned int ch
    while pos < end:
        pos = next_loud(data, pos, end, False)
        if pos >= end:
            return -1
        ch = data[pos]
        if 0x5D <= ch <= 0x2000:
            pos += 1
        elif ch == c'"':
            return pos + 1
        elif ch == c"\\":
            if pos == start + 2 and data[start + 1] == c":":
                return -1
            pos = escape_in(data, pos, end)
            if pos < 0:
                return -1
        elif ch < 32 or ch == 0x201D or 0xD800 <= ch <= 0xDFFF:
            return -1
        else:
            pos += 1
    return -1


cdef inline Py_ssize_t quiet_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef unsigned int ch
    while pos < end:
        pos = next_loud(data, pos, end, False)
        if pos >= end:
            return end
        ch = data[pos]
        if (
            ch == c'"' or ch == c"\\" or ch < 32 or ch == 0x201D
            or 0xD800 <= ch <= 0xDFFF
        ):
            return pos
        pos += 1
    return pos


cdef inline Py_ssize_t skip_quiet(
    str text, Py_ssize_t pos, Py_ssize_t end
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return quiet_in(<const byte_unit*> PyUnicode_DATA(text), pos, end)
    if kind == 2:
        return quiet_in(<const half_unit*> PyUnicode_DATA(text), pos, end)
    return quiet_in(<const wide_unit*> PyUnicode_DATA(text), pos, end)



cdef inline Py_ssize_t apostrophes_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef unsigned int ch
    while pos < end:
        pos = next_loud(data, pos, end, True)
        if pos >= end:
            return -1
        ch = data[pos]
        if 0x5D <= ch <= 0xD7FF:
            pos += 1
        elif ch == c"'":
            return pos + 1
        elif ch < 32 or ch == c'"' or ch == c"\\" or 0xD800 <= ch <= 0xDFFF:
            return -1
        else:
            pos += 1
    return -1



cdef inline Py_ssize_t colon_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef Py_ssize_t key = pos + 1
    cdef unsigned int ch = data[pos]
    if ch != c'"':
        return -1
    pos = key
    while pos < end:
        ch = data[pos]
        if ch == c'"':
            break
        if ch < 32 or ch == c"\\" or ch == 0x201D or 0xD800 <= ch <= 0xDFFF:
            return -1
        pos += 1
    if pos >= end:
        return -2
    if pos == key:
        return -1
    pos = blanks_in(data, pos + 1, end)
    if pos >= end:
        return -2
    return pos if data[pos] == c":" else -1


cdef inline Py_ssize_t find_colon(
    str text, Py_ssize_t pos, Py_ssize_t end
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return colon_in(<const byte_unit*> PyUnicode_DATA(text), pos, end)
    if kind == 2:
        return colon_in(<const half_unit*> PyUnicode_DATA(text), pos, end)
    return colon_in(<const wide_unit*> PyUnicode_DATA(text), pos, end)


cdef inline Py_ssize_t plain_stem_in(
    const unit* data, Py_ssize_t end
) noexcept nogil:
    cdef Py_ssize_t pos, opened = -1, stem = 0
    cdef unsigned int ch
    for pos in range(end):
        ch = data[pos]
        if (
            ch < 32 or ch == c'"' or ch == c"<" or ch == c"\\"
            or ch == 0x201D or 0xD800 <= ch <= 0xDFFF
        ):
            return -1
        if ch == c"{" or ch == c"[":
            opened = pos
        elif not (
            ch == c" " or ch == c"," or ch == c"}" or ch == c"]" or ch == c")"
            or ch == c"`"
        ):
            stem = pos + 1
    return stem if opened < stem else -1


cdef inline Py_ssize_t plain_stem(str piece) noexcept:
    cdef int kind = PyUnicode_KIND(piece)
    cdef Py_ssize_t end = PyUnicode_GET_LENGTH(piece)
    if kind == 1:
        return plain_stem_in(<const byte_unit*> PyUnicode_DATA(piece), end)
    if kind == 2:
        return plain_stem_in(<const half_unit*> PyUnicode_DATA(piece), end)
    return plain_stem_in(<const wide_unit*> PyUnicode_DATA(piece), end)


# ---------------------------------------------------------------------------- words


cdef inline Py_ssize_t name_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef unsigned int ch = data[pos]
    if not (c"a" <= ch | 32 <= c"z" or ch == c"_"):
        return -1
    while pos < end:
        ch = data[pos]
        if not (
            c"a" <= ch | 32 <= c"z" or c"0" <= ch <= c"9"
            or ch == c"_" or ch == c"-" or ch == c"$"
        ):
            return pos if ch < 128 else -1
        pos += 1
    return -1



cdef inline Py_ssize_t digits_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef unsigned int found
    if unit is byte_unit and LOOKS_AT_16:
        while pos + 16 <= end:
            found = FIND_OTHER(data + pos)
            if found != 0:
                return pos + FIRST_BIT(found)
            pos += 16
    while pos < end and c"0" <= data[pos] <= c"9":
        pos += 1
    return pos


cdef inline Py_ssize_t plain_number_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef Py_ssize_t at, whole = pos
    if data[pos] == c"-":
        whole += 1
    at = digits_in(data, whole, end)
    if at == whole or (data[whole] == c"0" and at > whole + 1):
        return -1
    if at < end and data[at] == c".":
        whole = at + 1
        at = digits_in(data, whole, end)
        if at == whole:
            return -1
    if at < end and (data[at] == c"e" or data[at] == c"E"):
        whole = at + 1
        if whole < end and (data[whole] == c"+" or data[whole] == c"-"):
            whole += 1
        at = digits_in(data, whole, end)
        if at == whole:
            return -1
    return at


cdef inline Py_ssize_t skip_plain_number(
    str text, Py_ssize_t pos, Py_ssize_t end
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return plain_number_in(<const byte_unit*> PyUnicode_DATA(text), pos, end)
    if kind == 2:
        return plain_number_in(<const half_unit*> PyUnicode_DATA(text), pos, end)
    return plain_number_in(<const wide_unit*> PyUnicode_DATA(text), pos, end)


cdef inline bint stands_in(
    const unit* data, Py_ssize_t pos, const char* word
) noexcept nogil:
    while word[0] != 0:
        if data[pos] != <unsigned char> word[0]:
            return False
        pos += 1
        word += 1
    return True


cdef inline Py_ssize_t literal_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    if pos + 4 > end:
        return -1
    if data[pos] == c"t" and stands_in(data, pos, b"true"):
        return pos + 4
    if data[pos] == c"n" and stands_in(data, pos, b"null"):
        return pos + 4
    if data[pos] == c"T" and stands_in(data, pos, b"True"):
        return pos + 4
    if data[pos] == c"N" and stands_in(data, pos, b"None"):
        return pos + 4
    if pos + 5 > end:
        return -1
    if data[pos] | 32 == c"f" and stands_in(data, pos + 1, b"alse"):
        return pos + 5
    return -1


cdef inline Py_ssize_t skip_literal(
    str text, Py_ssize_t pos, Py_ssize_t end
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return literal_in(<const byte_unit*> PyUnicode_DATA(text), pos, end)
    if kind == 2:
        return literal_in(<const half_unit*> PyUnicode_DATA(text), pos, end)
    return literal_in(<const wide_unit*> PyUnicode_DATA(text), pos, end)


# ---------------------------------------------------------------- the marks of a reply


cdef inline Py_ssize_t mark_in(
    const unit* data, Py_ssize_t pos, Py_ssize_t end
) noexcept nogil:
    cdef unsigned int ch
    while pos < end:
        ch = data[pos]
        if ch == c"{" or ch == c"[" or ch == c"<":
            return pos
        if ch == c"`" or ch == c"~":
            if pos + 3 <= end and data[pos + 1] == ch and data[pos + 2] == ch:
                return pos
        elif ch == c"H":
            if pos + 27 <= end and stands_in(data, pos, b"Here is my thought process:"):
                return pos
        elif ch == 0x25C1 or ch == 0xFF5B or ch == 0xFF3B:
            return pos
        pos += 1
    return -1


cdef inline Py_ssize_t find_mark(
    str text, Py_ssize_t pos, Py_ssize_t end
) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return mark_in(<const byte_unit*> PyUnicode_DATA(text), pos, end)
    if kind == 2:
        return mark_in(<const half_unit*> PyUnicode_DATA(text), pos, end)
    return mark_in(<const wide_unit*> PyUnicode_DATA(text), pos, end)
