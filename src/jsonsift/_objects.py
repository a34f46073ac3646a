"""Valid objects in a row, with nothing between them but white space and a comma.

Rules of this file: those of ``_leaves``, of which it is made.  It may stop at any
object, and those of a row need not all be found at once.
"""

from __future__ import annotations

from json import JSONDecoder
from typing import Final

from . import _leaves as leaf
from ._later import compile_later

__all__ = ["DECODER", "SURROGATE", "list_objects"]

_LONGEST: Final = 8192  # characters of all of them
SURROGATE: Final = compile_later(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
_GAP: Final = leaf.BLANKS.pattern
_TO_NEXT: Final = compile_later(rf"{_GAP}(?:,{_GAP})?+{{")


def _refuse(constant: str) -> None:
    raise ValueError(constant)


# The values are thrown away: what is long to make is not made.
DECODER: Final = JSONDecoder(parse_float=len, parse_int=len, parse_constant=_refuse)


def list_objects(text: str, pos: int, end: int, most: int) -> list[int]:
    """Where the valid objects in a row at ``pos`` start and end, in turn.

    Each nests at most so deeply, and one more object opens behind it.
    """
    found: list[int] = []
    piece = text[pos : min(end, pos + _LONGEST)]
    may_be_half = "\\u" in piece or not piece.isascii()
    at = 0
    while True:
        try:
            _, after = DECODER.raw_decode(piece, at)
        except (RecursionError, ValueError):
            return found
        following = _TO_NEXT.match(piece, after)
        opened = piece.count("{", at, after) + piece.count("[", at, after)
        if following is None or opened > most:
            return found
        if may_be_half and SURROGATE.search(piece, at, after) is not None:
            return found
        found += pos + at, pos + after
        at = following.end() - 1
