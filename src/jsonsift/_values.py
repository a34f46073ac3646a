"""How one value of a reply is read: a strict parse of it, or of what was mended.

Rules of this file: it reads at the place that it is told, up to where it is told, and
says how the value was read.  It knows nothing of what stands before or behind the
value, and does not judge whether that is JSON or only looks like it.
"""

from __future__ import annotations

from typing import Any, Final

from ._build import Mender
from ._choose import Evidence, Reading, is_answer
from ._engine import repair_with_engine
from ._errors import LimitError
from ._locate import find_last_closer, is_json_label
from ._options import DEEPEST, Options
from ._parsed import MANY_EDITS
from ._reruns import Reruns
from ._stages import StageClock
from ._strict import FAILED, parse_strict
from ._types import (
    Candidate,
    CandidateKind,
    Edit,
    EditKind,
    Extraction,
    Repair,
    Risk,
    Span,
)

__all__ = ["ValueReader", "ends_in_doubt"]

_RISKS: Final = tuple(Risk)


class ValueReader:
    """Reads single values of one reply."""

    clock: StageClock | None = None  # when timings are asked for
    _slice_tried = False

    def __init__(
        self,
        text: str,
        options: Options,
        *,
        tried: bool = False,
        run: Mender | None = None,
        wants_value: bool = False,
    ) -> None:
        """With ``tried``, ``read_valid`` found nothing; ``run`` is a run over all.

        With ``wants_value`` that alone is asked for, and no edits.
        """
        if options.max_length is not None and len(text) > options.max_length:
            raise LimitError(
                f"{len(text)} characters are more than {options.max_length}",
                options.max_length,
                hint="max_length",
            )
        self.text = text
        self.options = options
        self._tried = tried
        self._wants_value = wants_value
        # a policy that forbids a repair says which
        self._keeps_edits = not wants_value or options.repair is not Repair.ALL
        if options.timings:
            self.clock = StageClock()
        # parse_int may read an integer that int() refuses
        self._any_integer = options.hooks.parse_int is not None
        self._reruns = Reruns(text, options.max_depth, self.clock, run)

    def _read_value(
        self, start: int, limit: int, candidate: Candidate
    ) -> Reading | None:
        """One value at ``start``: a strict parse if a slice is valid, else mended."""
        kind = candidate.kind
        if kind is not CandidateKind.WHOLE:
            end = self._likely_end(start, limit, kind)
            if end > start:
                piece = self.text[start:end]
                value = self._parse(piece, start)
                if value is not FAILED:
                    found = self._plain(value, Span(start, end), kind)
                    return _label(Reading(found), candidate)
                self._reruns.room -= end - start
        if self.options.engine != "jsonsift":
            return self._read_with_engine(start, limit, candidate)
        mender = self._reruns.run(start, limit)
        if kind is CandidateKind.FENCED and ends_in_doubt(mender):
            mender = self._reruns.run_past_fence(mender, start, limit)
        reading = self._take(mender, start, kind)
        if reading is None or not candidate.label:
            return reading
        return _label(reading, candidate)

    def _likely_end(self, start: int, limit: int, kind: CandidateKind) -> int:
        """Where a valid value would end: at the fence, or at the last closer.

        -1 when enough slices were tried in vain.
        """
        if self._reruns.room <= 0:
            return -1
        if kind is CandidateKind.FENCED:
            end = limit
            while end > start and self.text[end - 1].isspace():
                end -= 1
            return end
        if self._slice_tried:
            return -1
        self._slice_tried = True
        return find_last_closer(self.text, start, limit)

    def _take(self, mender: Mender, start: int, kind: CandidateKind) -> Reading | None:
        """The value of a run of the rewriter: a strict parse of what it wrote."""
        span = Span(start, mender.pos)
        text = mender.mended()
        count, risk = mender.edit_count, mender.edit_risk()
        make_edits = mender.each_edit
        evidence = Evidence._make(mender.evidence())
        if count > MANY_EDITS and self._wants_value and kind is CandidateKind.WHOLE:
            if is_answer(text, evidence) and mender.pos == len(self.text):
                make_edits = self._reruns.let_edits_go(mender, start)
        value = self._parse_mended(text, start, mender.may_be_deeper)
        if value is FAILED:
            return None
        if not count:
            return Reading(self._plain(value, span, kind))
        found = Extraction(
            value, self.text, span, kind, text=text, make_edits=make_edits,
            risk=_RISKS[risk], complete=mender.complete, open_depth=mender.open_depth,
        )  # fmt: skip
        return Reading(found, evidence=evidence)

    def _read_with_engine(
        self, start: int, limit: int, candidate: Candidate
    ) -> Reading | None:
        """The candidate as json_repair reads it."""
        end = limit
        if candidate.kind is not CandidateKind.FENCED:
            end = find_last_closer(self.text, start, limit) or limit
        piece = self.text[start:end]
        if self.clock is None:
            text = repair_with_engine(piece, self.text, start)
        else:
            text = self.clock.time(
                "mend", len(piece), repair_with_engine, piece, self.text, start
            )
        value = self._parse(text, start)
        if value is FAILED or not isinstance(value, (dict, list)):
            return None
        edit = Edit(start, end, text, EditKind.ENGINE)
        found = self._edited(Span(start, end), candidate.kind, value, text, (edit,))
        return _label(Reading(found), candidate)

    # ------------------------------------------------------------------ records

    def _edited(
        self,
        span: Span,
        kind: CandidateKind,
        value: Any,
        text: str,
        edits: tuple[Edit, ...],
    ) -> Extraction:
        risk = Risk(max(edit.kind.risk for edit in edits))
        return Extraction(
            value, self.text, span, kind, text=text, make_edits=lambda: edits, risk=risk
        )

    def _plain(self, value: Any, span: Span, kind: CandidateKind) -> Extraction:
        return Extraction(value, self.text, span, kind)

    # ------------------------------------------------------------ strict parses

    def _parse_mended(self, text: str, at: int, may_be_deeper: bool) -> Any:
        """A strict parse of mended text, whose depth the rewriter mostly counted."""
        return self._parse(text, at, 0 if may_be_deeper else DEEPEST)

    def _parse(self, text: str, at: int, depth: int = 0) -> Any:
        """A strict parse; measured if that was asked for."""
        depth, clock = depth or self.options.max_depth, self.clock
        if clock is None:
            return parse_strict(text, depth, at, self._any_integer)
        size = len(text)
        return clock.time(
            "strict", size, parse_strict, text, depth, at, self._any_integer
        )


def _label(reading: Reading, candidate: Candidate) -> Reading:
    """The reading with what the fence around it said."""
    if not candidate.label:
        return reading
    return reading._replace(says_json=is_json_label(candidate.label))


def ends_in_doubt(mender: Mender) -> bool:
    """Whether the value was cut, or its last string was closed where no quote stood."""
    return not mender.complete or mender.ends_with_edit(EditKind.MISSING_QUOTE.code)
