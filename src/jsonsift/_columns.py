"""Columns of numbers, as the rewriter keeps what it wrote down, and what they make.

Rules of this file: those of ``_leaves``.  The pure build takes lists, or arrays where
millions of rows are held; the compiled one takes bytes, four or eight to a number, and
the loops of ``_columns.pxd``.
"""

from __future__ import annotations

from array import array
from itertools import islice
from typing import TypeAlias

__all__ = [
    "Column",
    "apply_edits",
    "filled_column",
    "has_room",
    "long_at",
    "new_bytes",
    "new_column",
    "new_dense_column",
    "number_at",
    "put_long",
    "put_number",
    "put_numbers",
    "reserve",
    "rows_at_rate",
    "size_of",
    "what_at",
]

Column: TypeAlias = "list[int] | array[int]"

_BLOCK = 4_096  # edits that are applied together


def new_bytes(count: int) -> bytearray:
    """So many bytes, all of them zero."""
    return bytearray(count)


def new_column() -> Column:
    """An empty column of numbers."""
    return []


def new_dense_column() -> Column:
    """The same for millions of numbers of four bytes."""
    return array("i")


def filled_column(count: int, number: int) -> Column:
    """A column with the same number in so many rows."""
    return [number] * count


def size_of(column: Column) -> int:
    """Bytes of a column that are part of whoever has it; an array is an object."""
    del column
    return 0


def has_room(column: Column, i: int) -> bool:
    """Whether row ``i`` can be written where the column is; an array sees to that."""
    del column, i
    return True


def reserve(column: Column, rows: int) -> None:
    """Have room for so many rows."""


def rows_at_rate(rows: int, done: int, whole: int) -> int:
    """How many rows to have room for when so many are full, ``done`` of ``whole``
    characters being read: enough for the rest at this rate, lest the column is copied
    again and again; but at most eight times as many, lest it stays empty.
    """
    least = rows + rows // 4 + 32
    if rows < _BLOCK:
        return least
    likely = rows * whole // max(done, 1)
    return min(max(least, likely + likely // 16), 8 * rows)


def number_at(column: Column, i: int) -> int:
    """The number in row ``i``."""
    return column[i]


def put_number(column: Column, i: int, number: int) -> None:
    """Write row ``i``; all before it were written."""
    if i < len(column):
        column[i] = number
    else:
        column.append(number)


def long_at(column: Column, i: int) -> int:
    """The same for a number of twice the length."""
    return column[i]


def put_long(column: Column, i: int, number: int) -> None:
    """The same for a number of twice the length."""
    put_number(column, i, number)


def what_at(whats: Column, long_whats: Column, i: int) -> int:
    """What the edit in row ``i`` is: the length of what it replaces from bit 32 on, the
    number of its word from bit 5 on, and its kind.

    In a row are 16 bits of the length, 10 of the word, and 5; or the row of
    ``long_whats`` that holds more, inverted.
    """
    what = whats[i]
    if what < 0:
        return long_whats[~what]
    return what >> 15 << 32 | what & 0x7FFF


def put_numbers(first: Column, second: Column, i: int, one: int, other: int) -> None:
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
    starts: Column,
    whats: Column,
    long_whats: Column,
    words: tuple[str, ...],
    odd_words: list[str],
    count: int,
) -> str:
    """``text[start:end]`` with the first ``count`` edits applied.

    Of each there is where it starts, and what ``what_at`` gives; its word is among the
    usual ones or behind them.
    """
    blocks: list[str] = []  # each small, as the pieces of an edit take a hundred bytes
    pieces: list[str] = []
    all_words = [*words, *odd_words]
    at = start
    for begin, what in zip(islice(starts, count), islice(whats, count), strict=True):
        if what < 0:
            what = long_whats[~what]
            pieces += (text[at:begin], all_words[(what >> 5) & 0x7FFFFFF])
            at = begin + (what >> 32)
        else:
            pieces += (text[at:begin], all_words[(what >> 5) & 0x3FF])
            at = begin + (what >> 15)
        if len(pieces) > _BLOCK:
            blocks.append("".join(pieces))
            pieces.clear()
    pieces.append(text[at:end])
    blocks.append("".join(pieces))
    return "".join(blocks)
