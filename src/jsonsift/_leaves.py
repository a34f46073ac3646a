"""The smallest scans of the rewriter, and its columns of numbers.

Rules of this file: each function answers at a position, or -1 for "not sure", and
knows no state.  This is how the pure build does them: one compiled pattern each, or a
list.  The compiled build takes the loops of the same names in ``_leaves.pxd`` instead,
which are inlined where they are called.
"""

from __future__ import annotations

import re
from json import JSONDecodeError, JSONDecoder
from typing import Any, Final

from ._later import compile_later

__all__ = [
    "LONGEST_TRY",
    "apply_edits",
    "char_at",
    "filled_column",
    "find_line_end",
    "find_mark",
    "has_long_digits",
    "is_deeper",
    "is_remark",
    "nests_deeper",
    "new_column",
    "number_at",
    "put_number",
    "skip_apostrophes",
    "skip_blanks",
    "skip_container",
    "skip_literal",
    "skip_name",
    "skip_plain_number",
    "skip_quiet",
    "skip_string",
]

LONGEST_TRY: Final = 8192  # characters of a container; each build has its own
_BLANKS: Final = compile_later(r"[ \t\n\r]*+")
# No curly closing mark, which may be meant for the end, and no C:\Users.
_STRING: Final = compile_later(
    r'(?![^"\\]:\\)(?:[^"\\\x00-\x1f\u201d\ud800-\udfff]++'
    r'|\\(?:["\\/bfnrt]|u(?![dD])[0-9a-fA-F]{4}))*+"'
)
_QUIET: Final = compile_later(r'[^"\\\x00-\x1f\u201d\ud800-\udfff]*+')
_APOSTROPHES: Final = compile_later(r"[^'\"\\\x00-\x1f\ud800-\udfff]*+'")
_NAME: Final = compile_later(r"[A-Za-z_][A-Za-z0-9_$\-]*+(?=[\x00-\x7f])")
_NUMBER: Final = compile_later(
    r"-?+(?:0(?![0-9])|[1-9][0-9]*+)(?:\.[0-9]++|(?!\.))(?:[eE][+-]?+[0-9]++|(?![eE]))"
)
_SURROGATE: Final = compile_later(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
_COUNTED: Final = compile_later(r'"(?:[^"\\]++|\\.)*+"([ \t\n\r]*+:)?+')
_MARK: Final = compile_later(r"[{\[<◁｛［]|```|~~~|Here is my thought process:")
_LONG_RUN: Final = b"0" * 19
_DIGITS_ONLY: Final = bytes(48 if 48 <= c <= 57 else 32 for c in range(256))
_LITERAL: Final = compile_later("[tT]rue|[fF]alse|null|None")


def _refuse(constant: str) -> None:
    raise ValueError(constant)


# The values are thrown away: what is long to make is not made.
_DECODER: Final = JSONDecoder(parse_float=len, parse_int=len, parse_constant=_refuse)


def char_at(text: str, pos: int) -> str:
    """The character at ``pos``, which is in the text."""
    return text[pos]


def _skip(pattern: re.Pattern[str], text: str, pos: int, end: int) -> int:
    match = pattern.match(text, pos, end)
    return match.end() if match is not None else -1


def skip_blanks(text: str, pos: int, end: int) -> int:
    """Behind the JSON white space at ``pos``."""
    return max(_skip(_BLANKS, text, pos, end), pos)


def is_remark(text: str, pos: int, end: int) -> bool:
    """Whether ``//`` stands at ``pos``."""
    return text.startswith("//", pos, end)


def find_line_end(text: str, pos: int, end: int) -> int:
    """Where the next line end stands, or -1."""
    return text.find("\n", pos, end)


def skip_string(text: str, pos: int, end: int) -> int:
    """Behind the JSON string whose opening quote stands before ``pos``."""
    return _skip(_STRING, text, pos, end)


def skip_quiet(text: str, pos: int, end: int) -> int:
    """The first character from ``pos`` on that a string must look at."""
    return max(_skip(_QUIET, text, pos, end), pos)


def skip_apostrophes(text: str, pos: int, end: int) -> int:
    """Behind the plain string in apostrophes, the first of which is before ``pos``."""
    return _skip(_APOSTROPHES, text, pos, end)


def skip_name(text: str, pos: int, end: int) -> int:
    """The end of the ASCII name at ``pos``, behind which something else stands."""
    return _skip(_NAME, text, pos, end)


def skip_plain_number(text: str, pos: int, end: int) -> int:
    """Behind the JSON number at ``pos``."""
    return _skip(_NUMBER, text, pos, end)


def skip_literal(text: str, pos: int, end: int) -> int:
    """Behind the literal of JSON or Python at ``pos``."""
    return _skip(_LITERAL, text, pos, end)


def skip_container(text: str, pos: int, end: int, most: int, counts: list[int]) -> int:
    """Behind the valid object or array at ``pos`` that nests at most so deeply; else,
    negative, how many characters were looked at.

    ``counts`` becomes how many keys and how many other strings are in it.  The scanner
    of ``json`` is the fastest way through in the pure build; what is nearly as deep as
    allowed counts as too deep there.
    """
    piece = text[pos:end]
    try:
        _, size = _DECODER.raw_decode(piece)
    except JSONDecodeError as error:
        return -max(error.pos, 1)
    except (RecursionError, ValueError):  # the latter for NaN and its kind
        return -len(piece)
    opened = piece.count("{", 0, size) + piece.count("[", 0, size)
    if opened > most or _SURROGATE.search(piece, 0, size) is not None:
        return -size
    found = _COUNTED.findall(piece, 0, size)
    values = found.count("")
    put_number(counts, 0, len(found) - values)
    put_number(counts, 1, values)
    return pos + size


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


def apply_edits(
    text: str,
    start: int,
    end: int,
    starts: list[int],
    ends: list[int],
    texts: list[str],
    count: int,
) -> str:
    """``text[start:end]`` with the first ``count`` edits applied."""
    pieces: list[str] = []
    at = start
    for i in range(count):
        if starts[i] > at:
            pieces.append(text[at : starts[i]])
        pieces.append(texts[i])
        at = ends[i]
    pieces.append(text[at:end])
    return "".join(pieces)
