"""The composer: locate, strict, mend, strict, choose, in that order.

Only this module knows the order.  It reads the candidates of a reply one after the
other, judges whether what was read is JSON or only looks like it, and keeps within
linear time: what a refused candidate covered is read again at most twice over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ._build import Mender, list_objects
from ._choose import (
    Evidence,
    Reading,
    choose,
    drop_worse,
    is_answer,
    is_convincing,
    is_convincing_in_prose,
    is_prose_around,
    is_record,
    is_template,
    is_whole_container,
    is_written,
    let_go,
)
from ._engine import repair_with_engine
from ._errors import BrokenJSONError, LimitError, NoJSONError
from ._group import Group, Row
from ._later import compile_later
from ._locate import (
    Locator,
    is_json_label,
    is_marker,
    opens_value,
    skip_blank,
    skip_gap,
    skip_trailing,
)
from ._options import DEEPEST, Options
from ._parsed import MANY_EDITS, SHORT_REST
from ._stages import StageClock
from ._strict import FAILED, NO_HOOKS, apply_hooks, is_closed, parse_strict
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

__all__ = ["Sifter"]

_RISKS: Final = tuple(Risk)
_NOTHING_MORE: Final = ("", "```", "~~~")
_OPENERS: Final = "{[｛［"
# After so many values in a row that only look like JSON, no list goes on.
_MOST_DOUBTS: Final = 64
_LONGEST_ROW: Final = 32_768  # characters of values that are mended at once,
_MOST_IN_ROW: Final = 256  # with so many repairs each
_TUPLE: Final = EditKind.TUPLE.code
_REREADS: Final = 2  # how often over the reply's length refused text is read again
_WINDOW: Final = 64  # characters in which a value is sought when others took too many
_MOST_IN_WINDOWS: Final = 8  # times the text, twice what values take that end in time
_UNWRAPS: Final = 3  # levels of JSON inside a JSON string
_AFTERWORD: Final = compile_later(
    r"(?:[\s,;.)\]}`~]++|<[^<>\n]{0,60}+>|[<◁][^\s<>]{0,60}+[>▷])*+"
)


class Sifter:
    """Reads one reply."""

    clock: StageClock | None = None  # when timings are asked for
    _slice_tried = False
    _in_vain = 0  # characters that strings were read on for, and ended before
    _in_windows = 0  # and those of windows in which a value did not end
    _one_by_one_to = 0  # up to there, values in a row break a limit together
    _around: Reading | None = None  # the whole, unless there is JSON in it
    _whole: Mender | None = None
    _last: Mender | None = None  # the last run up to the end of the text
    _last_in_fence: Mender | None = None
    _ready: tuple[int, int, Mender] | None = None  # run from, to; to be read next
    _beyond: LimitError | None = None
    _drafts = False
    _wants_best = False  # and no other reading
    _wants_first = False  # and none behind it: a stream has shown it
    _wants_any = False  # of the drafts, whichever
    _keeps_parts = False  # of a list without brackets, for who judges each
    _locator: Locator | None = None

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
        self._whole = self._last = run
        if options.timings:
            self.clock = StageClock()
        # parse_int may read an integer that int() refuses
        self._any_integer = options.hooks.parse_int is not None
        self._reread = _REREADS * len(text) + 4096
        self._forbidden: list[Reading] = []

    # ------------------------------------------------------------- the answers

    def find_best(self) -> Extraction:
        """The answer of the reply, by ``pick``."""
        whole = self._read_whole()
        if whole is not None:
            return self._finish(whole)
        pick, clock = self.options.pick, self.clock
        usual = pick == "best" and self.options.reasoning == "skip"
        self._wants_best = usual and clock is None  # which tells of how many it is
        self._wants_first = pick == "first"
        readings = self._read_reply()
        if not readings:
            raise self._nothing_found()
        if clock is not None:
            size = len(readings)
            return self._finish(clock.time("choose", size, choose, readings, pick))
        chosen = readings[0] if len(readings) == 1 else choose(readings, pick)
        return self._finish(chosen)

    def find_all(self) -> list[Extraction]:
        """Every value of the reply, in reading order."""
        whole = self._read_whole()
        if whole is not None:
            return [self._finish(whole)]
        readings = self._read_reply()
        if self._beyond is not None:
            raise self._beyond
        return [self._finish(reading) for reading in readings]

    def read_as_value(self) -> Extraction:
        """The whole text as one value, scalars too; else the reply's answer."""
        text = self.text
        value = self._parse(text, 0)
        if value is not FAILED:
            found = self._plain(value, Span(0, len(text)), CandidateKind.WHOLE)
            return self._finish(Reading(found))
        whole = self._read_whole(unwrap=False)
        if whole is None:
            scalar = self._read_scalar()
            if scalar is not None:
                return self._finish(scalar)
            return self.find_best()
        return self._finish(whole)

    # --------------------------------------------------------------- the whole

    def _read_whole(self, *, unwrap: bool = True) -> Reading | None:
        """The reply when it is one value, or several that form a list."""
        text = self.text
        start = 0 if text[:1] in ("{", "[") else skip_blank(text, 0, len(text))
        if start >= len(text):
            return None
        if text[start] in '{["-0123456789tfnNI':
            body = text[start:].rstrip()
            vain = self._tried and text[0] in "{["
            vain = vain or not is_closed(body)
            value = FAILED if vain else self._parse(body, start)
            if value is not FAILED:
                span = Span(start, start + len(body))
                found = self._plain(value, span, CandidateKind.WHOLE)
                return self._unwrap(found) if unwrap else Reading(found)
        braceless = text[start] == '"'  # members without the braces around them
        if text[start] not in _OPENERS + '("' or is_marker(text, start):
            return None
        span = Span(start, len(text))
        group = self._read_group(Candidate(span, CandidateKind.WHOLE))
        if group is None:
            return None
        end = group.end
        doubtful = group.doubts > 0
        if braceless and group.count == 1:
            doubtful = not is_convincing_in_prose(group.first)
        if not doubtful and end < len(text):
            doubtful = skip_trailing(text, end, len(text)) < len(text)
        if doubtful:
            self._doubt(group.parts)
            return None
        reading = group.join(CandidateKind.WHOLE, self.options.max_depth)
        if not isinstance(reading.extraction.value, (dict, list)):
            return None
        if is_template(reading):
            return None
        if group.count == 1 and is_prose_around(reading):
            self._around = reading
            return None
        return self._permit(reading)

    def _read_scalar(self) -> Reading | None:
        """A string, number or literal in another language's form, and nothing else."""
        text = self.text
        start = skip_blank(text, 0, len(text))
        if start >= len(text):
            return None
        mender = self._mend(start, len(text))
        # digits that are no number, 02134, are a value; bare words are prose
        bare = mender.bare_values and not text[start].isdigit()
        if bare or mender.stray or mender.depth:
            return None
        if skip_trailing(text, mender.pos, len(text)) < len(text):
            return None
        reading = self._take(mender, start, CandidateKind.WHOLE)
        return self._permit(reading) if reading is not None else None

    def _unwrap(self, found: Extraction) -> Reading:
        """A reply that is one JSON string holding an object or array: the latter."""
        value = found.value
        if not isinstance(value, str):
            return Reading(found)
        for _ in range(_UNWRAPS):
            if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "[", '"'):
                break
            inner = value.strip()
            value = self._parse(inner, 0)
            if isinstance(value, (dict, list)):
                edit = Edit(found.span.start, found.span.end, inner, EditKind.UNWRAP)
                if edit.kind.risk > self.options.repair.ceiling:
                    break
                edited = self._edited(found.span, found.kind, value, inner, (edit,))
                return Reading(edited)
        return Reading(found)

    # ----------------------------------------------------------- the candidates

    def _read_reply(self) -> list[Reading]:
        """All values of the reply; those in code only if there is no other."""
        readings = self._read_candidates(in_code=False)
        if not readings and ("```" in self.text or "~~~" in self.text):
            readings = self._read_candidates(in_code=True)
        if not readings and self._around is not None:
            return self._permit_all([self._around])
        return readings

    def _read_candidates(self, *, in_code: bool) -> list[Reading]:
        """All values outside the reasoning, in reading order."""
        locator = self._locator = Locator(self.text, in_code=in_code)
        readings: list[Reading] = []
        pos = 0
        while True:
            if self.clock is None:
                candidate = locator.next(pos)
            else:
                candidate = self._locate(locator, pos, self.clock)
            if candidate is None:
                break
            try:
                reading, pos = self._read_candidate(candidate, locator)
            except LimitError as error:
                # what comes in a fence behind it may be the answer all the same
                self._beyond = error
                pos = self.text.find("```", max(error.pos, pos))
                if pos < 0:
                    break
                continue
            if reading and (not in_code or is_record(reading.extraction)):
                if self._wants_best:
                    ceiling = self.options.repair.ceiling
                    drop_worse(readings, reading, ceiling, locator.open_reasoning)
                let_go(readings)
                readings.append(reading)
                # nothing behind it changes that, not even a closing tag of reasoning
                if self._wants_first and locator.open_reasoning < 0:
                    if reading.extraction.risk <= self.options.repair.ceiling:
                        return [reading]
            if self._ends_at(pos):
                break
        answers = self._after_reasoning(readings, locator)
        if answers or self.options.reasoning != "fallback":
            return self._permit_all(answers)
        return self._read_drafts(readings, locator)

    def _ends_at(self, pos: int) -> bool:
        """Whether nothing stands behind ``pos`` but a closing fence."""
        rest = len(self.text) - pos
        return rest < SHORT_REST and self.text[pos:].strip() in _NOTHING_MORE

    def _after_reasoning(
        self, readings: list[Reading], locator: Locator
    ) -> list[Reading]:
        """What is answer and not reasoning."""
        opened = locator.open_reasoning
        if opened < 0 and not locator.answer_from:
            self._drafts = self._drafts or bool(locator.reasoning)
            return readings
        answers = [
            reading
            for reading in readings
            if reading.extraction.span.start >= locator.answer_from
            and not 0 <= opened <= reading.extraction.span.start
        ]
        if opened >= 0 and readings:
            # an opener without a closer hides all but what the reply ends with
            end = readings[-1].extraction.span.end
            tail = _AFTERWORD.match(self.text, end)
            if tail and tail.end() == len(self.text) and readings[-1] not in answers:
                answers.append(readings[-1])
        if len(answers) < len(readings) or locator.reasoning:
            self._drafts = True
        return answers

    def _read_drafts(self, readings: list[Reading], locator: Locator) -> list[Reading]:
        """The values that stand in the reasoning, when they are asked for."""
        drafts = list(readings)
        for block in locator.reasoning:
            inner = Locator(self.text, end=block.end)
            pos = block.start + 1  # behind the bracket of its opening tag
            while not (drafts and self._wants_any) and (candidate := inner.next(pos)):
                reading, pos = self._read_candidate(candidate, inner)
                if reading is not None:
                    drafts.append(reading)
        permitted = self._permit_all(drafts)
        for reading in permitted:
            reading.extraction.kind = CandidateKind.REASONING
        return permitted

    def _read_candidate(
        self, candidate: Candidate, locator: Locator
    ) -> tuple[Reading | None, int]:
        """What stands at the candidate, if it is JSON, and where to go on."""
        start = candidate.span.start
        group = self._read_group(candidate)
        if group is None and candidate.kind is CandidateKind.FENCED:
            return None, start + 1 if self.text[start] in _OPENERS else start
        if group is None:
            return None, start + 1
        reading = group.join(candidate.kind, self.options.max_depth)
        end = group.end
        if is_convincing(reading):
            return reading, max(end, start + 1)
        self._doubt(group.parts)
        if group.doubts >= _MOST_DOUBTS and not self._keeps_parts:
            locator.refused = group.list_last(group.doubts)
        self._reread -= end - start
        if self._reread > 0:
            return None, start + 1
        return None, group.sure_at if group.sure_at >= 0 else max(end, start + 1)

    def _read_group(self, candidate: Candidate) -> Group | None:
        """The value at the candidate, and those that follow with nothing between."""
        text = self.text
        start, limit = candidate.span
        reading = self._read_value(start, limit, candidate)
        if reading is None:
            return None
        group = Group(text, reading, keep_parts=self._keeps_parts)
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
        try:
            values = self._parse(f"[{''.join(pieces[1:])}]", start, DEEPEST)
        except LimitError:  # each by itself says where
            self._one_by_one_to = bounds[-1]
            return start
        if not isinstance(values, list) or 2 * len(values) != len(bounds):
            return start
        if group.count == 1:
            group.is_sure = True
        elif candidate.kind is not CandidateKind.WHOLE:
            group.doubts = 0
        group.add_valid(bounds, pieces, values)
        if self._keeps_parts:
            for at, value in enumerate(values):
                span = Span(*bounds[2 * at : 2 * at + 2])
                found = self._plain(value, span, candidate.kind)
                group.parts.append(_label(Reading(found), candidate))
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
                mender = self._mend(at, limit)
            except LimitError:  # raised again where that value is read
                break
            mended = mender.mended()
            doubts = self._count_doubts(group, row, mender, mended, candidate)
            if doubts < 0:
                self._ready = (at, limit, mender)
                break
            row.add(mender, at, mended, doubts)
            at = self._next_in_group(row.end, limit)
            if row.ends_valid and at >= 0 and self.text[at] == "{":
                break  # a row of valid ones, perhaps
        if not row.bounds:
            return start
        try:
            values = self._parse(f"[{''.join(row.pieces[1:])}]", start, DEEPEST)
        except LimitError:  # each by itself says where
            values = FAILED
        if not isinstance(values, list) or 2 * len(values) != len(row.bounds):
            self._one_by_one_to = row.end
            return start
        group.add_row(row, values)
        return at

    def _reads_rows(self, kind: CandidateKind) -> bool:
        """Whether values are read in rows: nobody asks for each, nor tries a slice."""
        if self._keeps_parts or self.clock or self.options.engine != "jsonsift":
            return False
        if kind is CandidateKind.WHOLE or self._reread <= 0:
            return True
        return kind is not CandidateKind.FENCED and self._slice_tried

    def _count_doubts(
        self, group: Group, row: Row, mender: Mender, mended: str, candidate: Candidate
    ) -> int:
        """How many doubts there are behind a value that belongs to the row for certain;
        -1 for another.
        """
        kind, count = candidate.kind, mender.edit_count
        if not mender.complete or mender.may_be_deeper:
            return -1
        if not mended.startswith(("{", "[")):
            return -1
        if count > _MOST_IN_ROW or (
            kind is CandidateKind.FENCED and _ends_in_doubt(mender)
        ):
            return -1
        convinces = not count
        if not convinces:
            convinces = is_written(
                mender.evidence(),
                mender.edit_risk(),
                begins_as_set=mender.begins_with_edit(_TUPLE),
            )
        if kind is CandidateKind.WHOLE:
            return 0 if convinces and not group.doubts else -1
        convinces = convinces or group.first.json_label
        if group.is_sure:
            return 0 if convinces else -1
        if convinces:
            return 0 if group.sure_at >= 0 else -1
        return row.doubts + 1 if row.doubts + 1 < _MOST_DOUBTS else -1

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
            if self._reread <= 0:
                return False  # what is JSON is read by itself, and all of this once
            group.sure_at = found.span.start
        group.add(reading)
        if not is_whole:
            group.doubts = 0 if convinces else group.doubts + 1
            return self._keeps_parts or group.doubts < _MOST_DOUBTS
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
            at = end if text[end] in _OPENERS else skip_gap(text, end, limit)
        if at < limit and text[at] == ",":
            at = skip_gap(text, at + 1, limit)
        return at if at < limit and opens_value(text, at) else -1

    # ------------------------------------------------------------------ a value

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
                self._reread -= end - start
        if self.options.engine != "jsonsift":
            return self._read_with_engine(start, limit, candidate)
        mender = self._mend(start, limit)
        if kind is CandidateKind.FENCED and _ends_in_doubt(mender):
            mender = self._mend_past_fence(mender, start, limit)
        reading = self._take(mender, start, kind)
        if reading is None or not candidate.label:
            return reading
        return _label(reading, candidate)

    def _likely_end(self, start: int, limit: int, kind: CandidateKind) -> int:
        """Where a valid value would end: at the fence, or at the last closer.

        -1 when enough slices were tried in vain.
        """
        if self._reread <= 0:
            return -1
        if kind is CandidateKind.FENCED:
            end = limit
            while end > start and self.text[end - 1].isspace():
                end -= 1
            return end
        if self._slice_tried:
            return -1
        self._slice_tried = True
        return self._last_closer(start, limit)

    def _last_closer(self, start: int, limit: int) -> int:
        """Behind the last closer of the bracket's kind; 0 when there is none."""
        closer = "}" if self.text[start] == "{" else "]"
        return self.text.rfind(closer, start, limit) + 1

    def _mend_past_fence(self, first: Mender, start: int, limit: int) -> Mender:
        """A string may hold the fence that seemed to end the block.

        If reading on past it ends the value by itself, that was so.
        """
        text = self.text
        if limit >= len(text) or self._reread <= 0:
            return first
        second = self._mend(start, len(text))
        self._reread -= second.pos - start
        if second.complete and second.pos > limit:
            most = first.edit_count + (-1 if first.complete else 8)
            return second if second.edit_count <= most else first
        return first

    def _mend(self, start: int, limit: int) -> Mender:
        """Run the rewriter from ``start``; the one run over the whole is kept."""
        ready, self._ready = self._ready, None
        if ready is not None and ready[0] == start and ready[1] == limit:
            return ready[2]
        kept = self._whole
        if kept is not None and kept.start == start and limit == len(self.text):
            return kept
        if self._in_vain > _REREADS * len(self.text):
            windowed = self._mend_in_window(start, limit)
            if windowed is not None:
                return windowed
        mender = Mender(self.text, start, limit, max_depth=self.options.max_depth)
        whole = limit == len(self.text)
        last = self._last if whole else self._last_in_fence
        if last is not None:
            mender.recall(last)
        self._run(mender, start)
        self._in_vain += mender.in_vain
        if not whole:
            self._last_in_fence = mender
        else:
            self._last = mender
            self._whole = self._whole or mender
        return mender

    def _mend_in_window(self, start: int, limit: int) -> Mender | None:
        """The value at ``start`` if it ends well before more and more text does, so
        that a string which lost its quote is not read to the end in each of many.
        """
        size, most = _WINDOW, self.options.max_depth
        while start + size < limit:
            end = self._last_closer(start, start + size) or start + size
            mender = Mender(self.text, start, end, max_depth=most)
            self._run(mender, start)
            if mender.complete and mender.pos <= start + size // 2:
                return mender
            self._in_windows += end - start
            if self._in_windows > _MOST_IN_WINDOWS * len(self.text):
                raise LimitError("too many strings without their end", start)
            size *= 2
        return None

    def _run(self, mender: Mender, start: int) -> None:
        if self.clock is None:
            mender.run()
        else:
            self.clock.time("mend", 0, mender.run)
            self.clock.add("mend", size=mender.pos - start)

    def _take(self, mender: Mender, start: int, kind: CandidateKind) -> Reading | None:
        """The value of a run of the rewriter: a strict parse of what it wrote."""
        span = Span(start, mender.pos)
        text = mender.mended()
        count, risk = mender.edit_count, mender.edit_risk()
        make_edits = mender.each_edit
        evidence = Evidence._make(mender.evidence())
        if count > MANY_EDITS and self._wants_value and kind is CandidateKind.WHOLE:
            if is_answer(text, evidence) and mender.pos == len(self.text):
                make_edits = self._let_edits_go(mender, start)
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

    def _let_edits_go(self, mender: Mender, start: int) -> Callable[[], Any]:
        """Give back their memory, which the parse needs; what makes them once more."""
        mender.let_edits_go()
        self._whole = None if self._whole is mender else self._whole
        return lambda: self._mend(start, len(self.text)).each_edit()

    def _read_with_engine(
        self, start: int, limit: int, candidate: Candidate
    ) -> Reading | None:
        """The candidate as json_repair reads it."""
        end = limit
        if candidate.kind is not CandidateKind.FENCED:
            end = self._last_closer(start, limit) or limit
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

    # ------------------------------------------------------------------ judging

    def _permit(self, reading: Reading) -> Reading | None:
        """The reading, when the policy allows what it took; else remember it."""
        risk = reading.extraction.risk
        if risk is Risk.NONE or risk <= self.options.repair.ceiling:
            return reading
        self._forbidden.append(reading)
        return None

    def _permit_all(self, readings: list[Reading]) -> list[Reading]:
        return [one for one in readings if self._permit(one) is not None]

    def _nothing_found(self) -> Exception:
        if self._beyond is not None:
            return self._beyond
        if self._forbidden:
            return self._forbidden_error(choose(self._forbidden, self.options.pick))
        if self._drafts and self._has_drafts():
            return NoJSONError(
                "the reply holds JSON only in its reasoning, which is no answer",
                hint='reasoning="fallback" returns it',
                in_reasoning=True,
            )
        return NoJSONError("the text holds no JSON")

    def _has_drafts(self) -> bool:
        options = self.options._replace(reasoning="fallback", repair=Repair.ALL)
        sifter = Sifter(self.text, options)
        sifter._wants_any = True
        try:
            return bool(sifter._read_candidates(in_code=False))
        except LimitError:
            return False

    def _forbidden_error(self, reading: Reading) -> BrokenJSONError:
        """The first repair that would have been needed and is not allowed."""
        ceiling = self.options.repair.ceiling
        for edit in reading.extraction.edits:
            if edit.kind.risk > ceiling:
                break
        message = f"{edit.kind.sentence}; repair={self.options.repair.value!r} forbids"
        return BrokenJSONError(
            f"{message} that repair ({edit.kind.label})",
            self.text,
            edit.start,
            edit.kind,
        )

    # ------------------------------------------------------------------ records

    def _doubt(self, parts: list[Reading]) -> None:
        """Told of what only looks like JSON; here it is passed over."""

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

    def _finish(self, reading: Reading) -> Extraction:
        """The answer, its value built by the caller's hooks if there are any.

        What is JSON was judged by the plain value: hooks run once, on the answer.
        """
        found = reading.extraction
        if self.options.hooks != NO_HOOKS:
            found.value = apply_hooks(found.text, self.options.hooks)
        if self.clock is not None:
            found.timings = self.clock.read()
        return found

    # ------------------------------------------------------------------- stages

    def _locate(
        self, locator: Locator, pos: int, clock: StageClock
    ) -> Candidate | None:
        """The next candidate, measured."""
        candidate = clock.time("locate", 0, locator.next, pos)
        end = len(self.text) if candidate is None else candidate.span.start
        clock.add("locate", size=end - pos)
        return candidate

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
    is_json = is_json_label(candidate.label)
    return Reading(reading.extraction, is_json, not is_json, reading.evidence)


def _ends_in_doubt(mender: Mender) -> bool:
    """Whether the value was cut, or its last string was closed where no quote stood."""
    return not mender.complete or mender.ends_with_edit(EditKind.MISSING_QUOTE.code)
