"""The smallest scans of the rewriter, and its columns of numbers.

Rules of this file: each function answers at a position, or -1 for "not sure", and
knows no state.  This is how the pure build does them: one compiled pattern each, or a
list.  The compiled build takes the loops of the same names in ``_leaves.pxd`` instead,
which are inlined where they are called.
"""

from __future__ import annotations

from typing import Any, Final

from ._later import compile_later

__all__ = [
    "apply_edits",
    "char_at",
    "encode_text",
    "filled_column",
    "find_colon",
    "find_line_end",
    "find_mark",
    "has_broken_line",
    "has_long_digits",
    "is_deeper",
    "is_remark",
    "long_at",
    "nests_deeper",
    "new_bytes",
    "new_column",
    "number_at",
    "plain_stem",
    "put_long",
    "put_number",
    "put_numbers",
    "skip_apostrophes",
    "skip_blanks",
    "skip_literal",
    "skip_name",
    "skip_plain_number",
    "skip_quiet",
    "skip_string",
]

BLANKS: Final = compile_later(r"[ \t\n\r]*+")
# No curly closing mark, which may be meant for the end, and no C:\Users.
STRING: Final = compile_later(
    r'(?![^"\\]:\\)(?:[^"\\\x00-\x1f\u201d\ud800-\udfff]++'
    r'|\\(?:["\\/bfnrt]|u(?![dD])[0-9a-fA-F]{4}))*+"'
)
_QUIET: Final = compile_later(r'[^"\\\x00-\x1f\u201d\ud800-\udfff]*+')
APOSTROPHES: Final = compile_later(r"[^'\"\\\x00-\x1f\ud800-\udfff]*+'")
NAME: Final = compile_later(r"[A-Za-z_][A-Za-z0-9_$\-]*+(?=[\x00-\x7f])")
NUMBER: Final = compile_later(
    r"-?+(?:0(?![0-9])|[1-9][0-9]*+)(?:\.[0-9]++|(?!\.))(?:[eE][+-]?+[0-9]++|(?![eE]))"
)
_KEY: Final = compile_later(
    r'"(?!")[^"\\\x00-\x1f\u201d\ud800-\udfff]*+(?:"[ \t\n\r]*+(:)?+)?+'
)
_PLAIN_PIECE: Final = compile_later(r'[^"<\\\x00-\x1f\u201d\ud800-\udfff]*+')
_RUN: Final = " ,{}[])`"  # of what may stand behind a string, what a plain piece holds
_MARK: Final = compile_later(r"[{\[<◁｛［]|```|~~~|Here is my thought process:")
_LONG_RUN: Final = b"0" * 19
_DIGITS_ONLY: Final = bytes(48 if 48 <= c <= 57 else 32 for c in range(256))
LITERAL: Final = compile_later("[tT]rue|[fF]alse|null|None")


def char_at(text: str, pos: int) -> str:
    """The character at ``pos``, which is in the text."""
    return text[pos]


def skip_blanks(text: str, pos: int, end: int) -> int:
    """Behind the JSON white space at ``pos``."""
    if pos < end and text[pos] > " ":
        return pos
    match = BLANKS.match(text, pos, end)
    return match.end() if match is not None else pos  # None: pos is behind end


def is_remark(text: str, pos: int, end: int) -> bool:
    """Whether ``//`` stands at ``pos``."""
    return text.startswith("//", pos, end)


def find_line_end(text: str, pos: int, end: int) -> int:
    """Where the next line end stands, or -1."""
    return text.find("\n", pos, end)


def skip_string(text: str, pos: int, end: int) -> int:
    """Behind the JSON string whose opening quote stands before ``pos``."""
    match = STRING.match(text, pos, end)
    return match.end() if match is not None else -1


def skip_quiet(text: str, pos: int, end: int) -> int:
    """The first character from ``pos`` on that a string must look at."""
    match = _QUIET.match(text, pos, end)
    return match.end() if match is not None else pos  # None: pos is behind end


def skip_apostrophes(text: str, pos: int, end: int) -> int:
    """Behind the plain string in apostrophes, the first of which is before ``pos``."""
    match = APOSTROPHES.match(text, pos, end)
    return match.end() if match is not None else -1


def skip_name(text: str, pos: int, end: int) -> int:
    """The end of the ASCII name at ``pos``, behind which something else stands."""
    match = NAME.match(text, pos, end)
    return match.end() if match is not None else -1


def skip_plain_number(text: str, pos: int, end: int) -> int:
    """Behind the JSON number at ``pos``."""
    match = NUMBER.match(text, pos, end)
    return match.end() if match is not None else -1


def skip_literal(text: str, pos: int, end: int) -> int:
    """Behind the literal of JSON or Python at ``pos``."""
    match = LITERAL.match(text, pos, end)
    return match.end() if match is not None else -1


def find_colon(text: str, pos: int, end: int) -> int:
    """Where the colon stands behind the plain key at ``pos``; -1 if there is no such,
    -2 if the text ends before that is known.
    """
    match = _KEY.match(text, pos, end)
    if match is None:
        return -1
    if match.lastindex:
        return match.end() - 1
    return -2 if match.end() == end else -1


def plain_stem(piece: str) -> int:
    """How long the piece of a string is without the run of space, commas, closers and
    backticks at its end; -1 if it holds what a string must look at, such as a quote,
    or an opener in that run.
    """
    if _PLAIN_PIECE.fullmatch(piece) is None:
        return -1
    if piece and piece[-1] not in _RUN:
        return len(piece)
    stem = len(piece.rstrip(_RUN))
    return -1 if "{" in piece[stem:] or "[" in piece[stem:] else stem


def find_mark(text: str, pos: int, end: int) -> int:
    """Where the next tag, fence, bracket or other mark of a reply stands, or -1."""
    match = _MARK.search(text, pos, end)
    return match.start() if match is not None else -1


def has_long_digits(text: str) -> bool:
    """Whether 19 digits stand in a row.

    The compiled build looks at every 19th character only: such a row covers one of
    them, and reaches nine further to one side or the other.
    """
    return _LONG_RUN in text.encode("utf-8", "replace").translate(_DIGITS_ONLY)


def has_broken_line(text: str, pos: int) -> bool:
    """Whether the text is no JSON by what stands around a line end from ``pos`` on.

    No string of JSON holds a line end, so that around it stand tokens: a comma before
    a closer, or a quote before a quote, need no parser.  The compiled build looks; the
    pure one does not, since that would take as long as to parse.
    """
    return False


def encode_text(text: str) -> bytes | None:
    """The text as UTF-8; None if half of a surrogate pair is in it."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return None


def is_deeper(value: Any, text: str, limit: int) -> bool:
    """Whether dicts and lists are nested deeper than ``limit`` in the text's value.

    The compiled build walks the value, which costs less than to count.
    """
    if text.count("{") + text.count("[") <= limit:
        return False
    return nests_deeper(value, limit)


def nests_deeper(value: Any, limit: int) -> bool:
    """Whether dicts and lists are nested deeper than ``limit``."""
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(limit):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return False
    return True


def new_bytes(count: int) -> bytearray:
    """So many bytes, all of them zero."""
    return bytearray(count)


def new_column() -> list[int]:
    """An empty column of numbers."""
    return []


def filled_column(count: int, number: int) -> list[int]:
    """A column with the same number in so many rows."""
    return [number] * count


def number_at(column: list[int], i: int) -> int:
    """The number in row ``i``."""
    return column[i]


def put_number(column: list[int], i: int, number: int) -> None:
    """Write row ``i``; all before it were written."""
    if i < len(column):
        column[i] = number
    else:
        column.append(number)


def long_at(column: list[int], i: int) -> int:
    """The same for a number of twice the length."""
    return column[i]


def put_long(column: list[int], i: int, number: int) -> None:
    """The same for a number of twice the length."""
    put_number(column, i, number)


def put_numbers(
    first: list[int], second: list[int], i: int, one: int, other: int
) -> None:
    """Write row ``i`` of two columns."""
    if i < len(first):
        first[i] = one
        second[i] = other
    else:
        first.append(one)
        second.append(other)


def apply_edits(
    text: str,
    start: int,
    end: int,
    starts: list[int],
    whats: list[int],
    words: tuple[str, ...],
    odd_words: list[str],
    count: int,
) -> str:
    """``text[start:end]`` with the first ``count`` edits applied.

    Of each there is where it starts, and the length of what it replaces together with
    the number of its word, among the usual ones or behind them.
    """
    pieces: list[str] = []
    all_words = [*words, *odd_words]
    at = start
    for begin, what in zip(starts[:count], whats[:count], strict=True):
        pieces += (text[at:begin], all_words[(what >> 5) & 0x7FFFFFF])
        at = begin + (what >> 32)
    pieces.append(text[at:end])
    return "".join(pieces)
