"""How the values of a reply are read that follow one another with nothing between.

Rules of this file: it says which values belong to one list, each by itself or a row of
them at once, where one parse makes them all.  It knows how a value is read, but not
where the first one is to be sought, nor whether what it read is an answer.
"""

from __future__ import annotations

from typing import Any, Final

from ._build import Mender, list_objects
from ._choose import (
    Reading,
    is_convincing,
    is_convincing_in_prose,
    is_whole_container,
    is_written,
)
from ._errors import LimitError
from ._group import Group, Row
from ._locate import OPENERS, opens_value, skip_gap
from ._options import DEEPEST
from ._types import Candidate, CandidateKind, EditKind, Repair
from ._values import ValueReader, ends_in_doubt

__all__ = ["MOST_DOUBTS", "RowReader"]

# After so many values in a row that only look like JSON, no list goes on.
MOST_DOUBTS: Final = 64
_LONGEST_ROW: Final = 32_768  # characters of values that are mended at once,
_MOST_IN_ROW: Final = 256  # with so many repairs each
_TUPLE: Final = EditKind.TUPLE.code


class RowReader(ValueReader):
    """Reads values of one reply with those that follow them."""

    _one_by_one_to = 0  # up to there, values in a row break a limit together
    _keeps_parts = False  # of a list without brackets, for who judges each

    def _read_group(self, candidate: Candidate) -> Group | None:
        """The value at the candidate, and those that follow with nothing between."""
        text = self.text
        start, limit = candidate.span
        reading = self._read_value(start, limit, candidate)
        if reading is None:
            return None
        group = Group(
            text, reading, keep_parts=self._keeps_parts, keep_edits=self._keeps_edits
        )
        while is_whole_container(reading.extraction):
            start = self._next_in_group(group.end, limit)
            if start >= 0 and group.ends_valid and text[start] == "{":
                start = self._read_objects(group, start, candidate)
            if start >= 0 and group.count > 1:
                start = self._read_row(group, start, candidate)
            if start < 0:
                break
            following = self._read_value(start, limit, candidate)
            if following is None or not self._extend(group, following, candidate.kind):
                break
            reading = following
        return group

    def _extend(self, group: Group, reading: Reading, kind: CandidateKind) -> bool:
        """Add the next value to a group if it belongs there; whether that goes on."""
        found = reading.extraction
        if not found.complete and not found.value:
            return False  # a cut copy of which nothing is left
        is_whole = kind is CandidateKind.WHOLE  # where each of several must convince
        if group.count == 1:
            group.is_sure = convinces = is_convincing(group.first)
            if is_whole:
                convinces = is_convincing_in_prose(group.first)
            group.doubts = int(not convinces)
        convinces = is_convincing(reading)
        if group.is_sure and not convinces:
            return False
        if convinces and not group.is_sure and group.sure_at < 0:
            if self._reruns.room <= 0:
                return False  # what is JSON is read by itself, and all of this once
            group.sure_at = found.span.start
        group.add(reading)
        if not is_whole:
            group.doubts = 0 if convinces else group.doubts + 1
            return self._keeps_parts or group.doubts < MOST_DOUBTS
        group.doubts += not is_convincing_in_prose(reading)
        return self._keeps_parts or not group.doubts  # one is enough to refuse it

    def _next_in_group(self, end: int, limit: int) -> int:
        """Where the next value of an unbracketed list starts; -1 when none does."""
        if end >= limit or self.options.repair is Repair.OFF:
            return -1  # joining is a repair
        text = self.text
        if text.startswith("\n{", end, limit):  # as most do
            at = end + 1
        else:
            at = end if text[end] in OPENERS else skip_gap(text, end, limit)
        if at < limit and text[at] == ",":
            at = skip_gap(text, at + 1, limit)
        return at if at < limit and opens_value(text, at) else -1

    # ----------------------------------------------------------- values in a row

    def _read_objects(self, group: Group, start: int, candidate: Candidate) -> int:
        """Add the valid objects in a row at ``start`` to a group whose last value is
        valid too, and give where the next value starts.
        """
        if self.options.engine != "jsonsift" or start < self._one_by_one_to:
            return start
        limit = candidate.span.end
        bounds = list_objects(self.text, start, limit, self.options.max_depth)
        if not bounds:
            return start
        pieces = group.write_pieces(bounds)
        values = self._parse_at_once(pieces, bounds, start)
        if values is None:
            return start
        if group.count == 1:
            group.is_sure = True
        elif candidate.kind is not CandidateKind.WHOLE:
            group.doubts = 0
        group.add_valid(bounds, pieces, values)
        return self._next_in_group(group.end, limit)

    def _read_row(self, group: Group, start: int, candidate: Candidate) -> int:
        """Add the values in a row at ``start`` that belong to the list for certain,
        mended, and give where the next value starts.

        They do as ``_read_value`` and ``_extend`` would one by one, and are parsed at
        once; the first that may not belong there is left to those.
        """
        if not self._reads_rows(candidate.kind) or start < self._one_by_one_to:
            return start
        limit = candidate.span.end
        row = Row(group)
        at = start
        while 0 <= at < start + _LONGEST_ROW:
            try:
                mender = self._reruns.run(at, limit)
            except LimitError:  # raised again where that value is read
                break
            mended = mender.mended()
            seen = mender.evidence(), mender.edit_risk()
            doubts = self._count_doubts(group, row, mender, mended, candidate, seen)
            if doubts < 0:
                self._reruns.keep_ready(mender, at, limit)
                break
            row.add(mender, at, mended, doubts, seen)
            at = self._next_in_group(row.end, limit)
            if row.ends_valid and at >= 0 and self.text[at] == "{":
                break  # a row of valid ones, perhaps
        if not row.bounds:
            return start
        values = self._parse_at_once(row.pieces, row.bounds, start)
        if values is None:
            self._one_by_one_to = row.end
            return start
        group.add_row(row, values)
        return at

    def _parse_at_once(
        self, pieces: list[str], bounds: list[int], start: int
    ) -> list[Any] | None:
        """The values of which these are the commas and texts; None if they are none."""
        try:
            values = self._parse(f"[{''.join(pieces[1:])}]", start, DEEPEST)
        except LimitError:  # each by itself says where
            self._one_by_one_to = bounds[-1]
            return None
        if not isinstance(values, list) or 2 * len(values) != len(bounds):
            return None
        return values

    def _reads_rows(self, kind: CandidateKind) -> bool:
        """Whether values are read in rows: nobody asks for each, nor tries a slice."""
        if self._keeps_parts or self.clock or self.options.engine != "jsonsift":
            return False
        if kind is CandidateKind.WHOLE or self._reruns.room <= 0:
            return True
        return kind is not CandidateKind.FENCED and self._slice_tried

    def _count_doubts(
        self,
        group: Group,
        row: Row,
        mender: Mender,
        mended: str,
        candidate: Candidate,
        seen: tuple[tuple[int, ...], int],
    ) -> int:
        """How many doubts there are behind a value that belongs to the row for certain;
        -1 for another.  ``seen`` are its evidence and risk.
        """
        kind, count = candidate.kind, mender.edit_count
        if not mender.complete or mender.may_be_deeper:
            return -1
        if not mended.startswith(("{", "[")):
            return -1
        if count > _MOST_IN_ROW or (
            kind is CandidateKind.FENCED and ends_in_doubt(mender)
        ):
            return -1
        convinces = not count
        if not convinces:
            convinces = is_written(*seen, lambda: mender.begins_with_edit(_TUPLE))
        if kind is CandidateKind.WHOLE:
            return 0 if convinces and not group.doubts else -1
        convinces = convinces or bool(group.first.says_json)
        if group.is_sure:
            return 0 if convinces else -1
        if convinces:
            return 0 if group.sure_at >= 0 else -1
        return row.doubts + 1 if row.doubts + 1 < MOST_DOUBTS else -1
