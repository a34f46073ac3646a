"""Columns of numbers, as the rewriter keeps what it wrote down, and what they make.

Rules of this file: those of ``_leaves``.  The pure build takes lists; the compiled one
takes bytes, four or eight to a number, and the loops of ``_columns.pxd``.
"""

from __future__ import annotations

__all__ = [
    "apply_edits",
    "filled_column",
    "long_at",
    "new_bytes",
    "new_column",
    "number_at",
    "put_long",
    "put_number",
    "put_numbers",
]


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
