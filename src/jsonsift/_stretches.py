"""Stretches of JSON in one go: members that follow one another, and whole containers.

Rules of this file: those of ``_leaves``, of which it is made; what more than the end of
a stretch has to be said is written into the rows of a column.
"""

from __future__ import annotations

from json import JSONDecodeError, JSONDecoder
from typing import Final

from . import _leaves as leaf
from ._later import compile_later

__all__ = ["LONGEST_TRY", "skip_container", "skip_members"]

LONGEST_TRY: Final = 8192  # characters of a container; each build has its own
_SURROGATE: Final = compile_later(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
_COUNTED: Final = compile_later(r'"(?:[^"\\]++|\\.)*+"([ \t\n\r]*+:)?+')
# Behind a comma, a key that is not empty, its colon and a scalar: those that are plain,
# of which the last is kept, or one that is not.  No "" before another quote.
_GAP: Final = leaf.BLANKS.pattern
_COLON: Final = rf"(){_GAP}:(?!/){_GAP}"
_KEY: Final = rf'"(?!"){leaf.STRING.pattern}'
_TEXT: Final = rf'"(?!""){leaf.STRING.pattern}'
_SCALAR: Final = rf"{_TEXT}|{leaf.NUMBER.pattern}|true|false|null"
_MEMBERS: Final = compile_later(rf"(?:(,){_GAP}({_KEY}){_COLON}({_SCALAR}){_GAP})+")
_LOOSE_KEY: Final = rf"{_KEY}|'(?!'){leaf.APOSTROPHES.pattern}|{leaf.NAME.pattern}"
_LOOSE: Final = rf"'(?!''){leaf.APOSTROPHES.pattern}|{_SCALAR}|{leaf.LITERAL.pattern}"
_LOOSE_MEMBER: Final = compile_later(
    rf"(,){_GAP}({_LOOSE_KEY}){_COLON}({_LOOSE}){_GAP}"
)


def _refuse(constant: str) -> None:
    raise ValueError(constant)


# The values are thrown away: what is long to make is not made.
_DECODER: Final = JSONDecoder(parse_float=len, parse_int=len, parse_constant=_refuse)


def skip_members(text: str, pos: int, end: int, found: list[int]) -> int:
    """Behind the members at ``pos``, each a comma, a key and a scalar, and the blanks.

    One that is not plain is passed alone.  ``found`` becomes how many keys and string
    values they have, where the last one's comma and key are, where that key ends, and
    where the value starts and ends.
    """
    match = _MEMBERS.match(text, pos, end) or _LOOSE_MEMBER.match(text, pos, end)
    if match is None:
        return -1
    if match.start(1) > pos:
        keys, strings = _count_strings(text, pos, match.end())
    else:
        keys, strings = 1, int(text[match.start(4)] == '"')
    comma, key, key_end, value = map(match.start, (1, 2, 3, 4))
    found[:7] = keys, strings, comma, key, key_end, value, match.end(4)
    return match.end()


def _count_strings(text: str, pos: int, end: int) -> tuple[int, int]:
    """How many keys and how many other strings there are in valid JSON."""
    strings = _COUNTED.findall(text, pos, end)
    values = strings.count("")
    return len(strings) - values, values


def skip_container(text: str, pos: int, end: int, most: int, found: list[int]) -> int:
    """Behind the valid object or array at ``pos`` that nests at most so deeply; else,
    negative, how many characters were looked at.

    ``found`` becomes how many keys and how many other strings are in it.  The scanner
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
    may_be_half = piece.find("\\u", 0, size) >= 0 or not piece.isascii()
    if opened > most or (may_be_half and _SURROGATE.search(piece, 0, size) is not None):
        return -size
    found[:2] = _count_strings(piece, 0, size)
    return pos + size
