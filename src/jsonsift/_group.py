"""Values that follow one another with nothing between, as the list that they form.

Rules of this file: it writes down what was read, in columns of numbers, since a reply
may hold a value in every few characters; it finds, reads and judges nothing.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from io import StringIO
from operator import add
from typing import Any, Final

from ._build import Mender
from ._chars import JSON_SPACE
from ._choose import Evidence, Reading
from ._strict import check_depth
from ._types import CandidateKind, Edit, EditKind, Extraction, Risk, Span

__all__ = ["Group", "Row"]

_KINDS: Final = tuple(EditKind)
_MOST_NUMBERED: Final = 1024  # texts that repairs write
_MOST_INT: Final = 2**31  # of the numbers in a column of four bytes


class Group:
    """One value of a reply, or several that follow it.

    Attributes:
        first: how the first one was read.
        count: how many there are.
        end: where the last one ends.
        is_sure, doubts: what whoever reads thinks of them: the first is JSON; so many
            of them only look like it.
        ends_valid: the last one needed no repair.
        keep_edits: whether anybody may ask for the repairs of the values.
        sure_at: where the first stands that is JSON behind those that only look like
            it; -1 if none does.
        parts: all of them, if they are to be kept; they take hundreds of bytes each.
    """

    def __init__(
        self, text: str, first: Reading, *, keep_parts: bool, keep_edits: bool = True
    ) -> None:
        """With ``keep_edits=False`` the list knows of no edits but its own."""
        found = first.extraction
        self.text = text
        self.first = first
        self.count = 1
        self.is_sure = False
        self.doubts = 0
        self.sure_at = -1
        self.end = found.span.end
        self.ends_valid = not found.risk
        self.parts = [first] if keep_parts else []
        self._keep_parts = keep_parts
        self.keep_edits = keep_edits
        self._last = found
        self._evidence: tuple[int, ...] | None = first.evidence
        self._risk = Risk.SAFE

    def add(self, reading: Reading) -> None:
        """Note the next value."""
        if self.count == 1:
            self._open()
        found = reading.extraction
        start = found.span.start
        self._write_comma(start)
        self._write(found)
        self.count += 1
        self.ends_valid = not found.risk
        self._last = found
        if reading.evidence is not None:
            self._add_evidence(reading.evidence)
        if self._keep_parts:
            self.parts.append(reading)

    def add_valid(
        self, bounds: list[int], pieces: list[str], values: list[Any]
    ) -> None:
        """Note the next values, which are valid: where each starts and ends, in turn;
        its comma and text, in turn; and itself.
        """
        if self.count == 1:
            self._open()
        self._extend(bounds, pieces, values)
        self.ends_valid = True
        if self._repairs is not None:
            self._repairs.add_valid(len(values))
        if self._keep_parts:
            first = self.first
            kind = first.extraction.kind
            for start, end, value in zip(
                bounds[::2], bounds[1::2], values, strict=True
            ):
                found = Extraction(value, self.text, Span(start, end), kind)
                part = Reading(found, first.says_json)
                self.parts.append(part)

    def add_row(self, row: Row, values: list[Any]) -> None:
        """Note the values of a row; there are others before them."""
        self._extend(row.bounds, row.pieces, values)
        self.ends_valid, self.doubts = row.ends_valid, row.doubts
        self._risk = max(self._risk, Risk(row.risk))
        if row.evidence is not None:
            self._add_evidence(row.evidence)
        if self._repairs is not None:
            self._repairs.add_row(row)

    def _extend(self, bounds: list[int], pieces: list[str], values: list[Any]) -> None:
        self._starts.extend(bounds[::2])
        self._ends.extend(bounds[1::2])
        self._out.write("".join(pieces))
        self._values += values
        self.count += len(values)
        self.end = bounds[-1]

    def write_pieces(self, bounds: list[int]) -> list[str]:
        """The comma before each of the next values, and its text, in turn."""
        text = self.text
        pieces: list[str] = []
        at = self.end
        between, comma = "", ","
        for start, end in zip(bounds[::2], bounds[1::2], strict=True):
            if text[at:start] != between:
                between = text[at:start]
                comma = write_comma(between)
            pieces += comma, text[start:end]
            at = end
        return pieces

    def list_last(self, count: int) -> frozenset[int]:
        """Where the last ones start, of at least two values."""
        return frozenset(self._starts[-count:])

    def join(self, kind: CandidateKind, max_depth: int) -> Reading:
        """The only value, or the list of all.

        Raises:
            LimitError: the list is nested deeper than ``max_depth``.
        """
        if self.count == 1:
            return self.first
        start = self.first.extraction.span.start
        self._out.write("]")
        text = self._out.getvalue()
        self._out.close()
        check_depth(self._values, text, max_depth, start)
        last = self._last
        joined = Extraction(
            self._values,
            self.text,
            Span(start, self.end),
            kind,
            text=text,
            make_edits=self._make_edits,
            risk=self._risk,
            complete=last.complete,
            open_depth=0 if last.complete else last.open_depth + 1,
        )
        del self._last
        seen = self._evidence
        evidence = None if seen is None else Evidence._make(seen)
        return self.first._replace(
            extraction=joined, evidence=evidence, parts=tuple(self.parts)
        )

    # ------------------------------------------------------------ what is written

    def _open(self) -> None:
        """Write the first value down, now that there is a second."""
        code = "i" if len(self.text) < _MOST_INT else "q"
        self._values: list[Any] = []
        self._out = StringIO()
        self._out.write("[")
        # by value: where it starts and ends
        self._starts: array[int] = array(code)
        self._ends: array[int] = array(code)
        self._repairs = EditColumns(code) if self.keep_edits else None
        self._write(self.first.extraction)

    def _write(self, found: Extraction) -> None:
        self._values.append(found.value)
        self._out.write(found.text)
        start, end = found.span
        self._starts.append(start)
        self._ends.append(end)
        self.end = end
        self._risk = max(self._risk, found.risk)
        if self._repairs is not None:
            self._repairs.add(found._each_edit() if found.risk else ())

    def _write_comma(self, start: int) -> None:
        self._out.write(write_comma(self.text[self.end : start]))

    def _add_evidence(self, more: tuple[int, ...]) -> None:
        self._evidence = _add_up(self._evidence, more)

    def _make_edits(self) -> Iterator[Edit]:
        """The repairs of the values and those that join them, in order."""
        first, last = self._starts[0], self._ends[-1]
        yield Edit(first, first, "[", EditKind.JOIN)
        at = first
        for i in range(self.count):
            start = self._starts[i]
            if i:
                between = self.text[at:start]
                comma = write_comma(between)
                if comma != between:
                    yield Edit(at, start, comma, EditKind.JOIN)
            at = self._ends[i]
            if self._repairs is not None:
                yield from self._repairs.of_value(i)
        yield Edit(last, last, "]", EditKind.JOIN)


class EditColumns:
    """What was repaired in each of the values, which are numbered from 0 on."""

    def __init__(self, code: str) -> None:
        # by value: how many repairs there are up to its end
        self._counts: array[int] = array(code)
        # by repair
        self._from: array[int] = array(code)
        self._to: array[int] = array(code)
        self._words: array[int] = array(code)
        self._kinds = bytearray()
        self._texts: list[str] = []
        self._numbers: dict[str, int] = {}  # of the first of them

    def add(self, edits: Iterable[Edit]) -> None:
        """Note those of the next value."""
        for start, end, replacement, kind in edits:
            self._from.append(start)
            self._to.append(end)
            self._words.append(self._number_text(replacement))
            self._kinds.append(kind.code)
        self._counts.append(len(self._kinds))

    def add_valid(self, count: int) -> None:
        """The next values needed none."""
        self._counts.extend([len(self._kinds)] * count)

    def add_row(self, row: Row) -> None:
        """Note those of the next values, which stand in a row."""
        before = len(self._kinds)
        self._counts.extend([before + count for count in row.edit_counts])
        self._from.extend(row.edit_from)
        self._to.extend(row.edit_to)
        self._words.extend(map(self._number_text, row.edit_texts))
        self._kinds += bytes(row.edit_kinds)

    def of_value(self, i: int) -> Iterator[Edit]:
        """Those of one value, in order."""
        for at in range(self._counts[i - 1] if i else 0, self._counts[i]):
            text = self._texts[self._words[at]]
            yield Edit(self._from[at], self._to[at], text, _KINDS[self._kinds[at]])

    def _number_text(self, text: str) -> int:
        """The number of what a repair writes, which is often the same."""
        number = self._numbers.get(text, -1)
        if number < 0:
            number = len(self._texts)
            self._texts.append(text)
            if number < _MOST_NUMBERED:
                self._numbers[text] = number
        return number


class Row:
    """The next values of a group as they were mended, until one parse makes them all.

    Attributes:
        bounds: where each starts and ends, in turn.
        pieces: the comma before each, and its text, in turn.
        edit_counts: how many repairs there are up to the end of each.
        doubts, ends_valid: of the group, when these belong to it.
    """

    def __init__(self, group: Group) -> None:
        self.text = group.text
        self.end = group.end
        self.doubts = group.doubts
        self.ends_valid = False
        self.bounds: list[int] = []
        self.pieces: list[str] = []
        self.edit_counts: list[int] = []
        self.edit_from: list[int] = []
        self.edit_to: list[int] = []
        self.edit_texts: list[str] = []
        self.edit_kinds: list[int] = []
        self.risk = 0
        self.evidence: tuple[int, ...] | None = None
        self._keep_edits = group.keep_edits

    def add(
        self,
        mender: Mender,
        start: int,
        mended: str,
        doubts: int,
        seen: tuple[tuple[int, ...], int],
    ) -> None:
        """Note the next value; ``seen`` are its evidence and risk."""
        self.pieces += write_comma(self.text[self.end : start]), mended
        self.end = mender.pos
        self.bounds += start, self.end
        self.doubts = doubts
        self.ends_valid = not mender.edit_count
        if not self.ends_valid:
            if self._keep_edits:
                mender.write_edits(
                    self.edit_from, self.edit_to, self.edit_texts, self.edit_kinds
                )
            evidence, risk = seen
            self.risk = max(self.risk, risk)
            self.evidence = _add_up(self.evidence, evidence)
        self.edit_counts.append(len(self.edit_kinds))


def _add_up(seen: tuple[int, ...] | None, more: tuple[int, ...]) -> tuple[int, ...]:
    """The evidence of all values so far."""
    return more if seen is None else tuple(map(add, seen, more))


def write_comma(between: str) -> str:
    """The comma that joins two values, with the space that stands between them."""
    if not between:
        return ","
    mark = between.strip(JSON_SPACE)
    if mark == ",":
        return between
    return ", " if mark else f",{between}"
