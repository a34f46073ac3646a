"""The composer: locate, strict, mend, strict, choose, in that order.

Only this module and the layers under it know the order: ``_values`` reads one value,
``_rows`` those that form a list.  It reads the candidates of a reply one after the
other, judges whether what was read is JSON or only looks like it, and keeps within
linear time: what a refused candidate covered is read again at most twice over.
"""

from __future__ import annotations

from typing import Final

from ._choose import (
    Reading,
    choose,
    drop_worse,
    is_convincing,
    is_convincing_in_prose,
    is_record,
    is_template,
    let_go,
)
from ._errors import BrokenJSONError, LimitError, NoJSONError
from ._later import compile_later
from ._locate import (
    OPENERS,
    Locator,
    begins_with_words,
    find_fence_behind,
    find_hollow_end,
    is_marker,
    skip_blank,
    skip_trailing,
)
from ._parsed import SHORT_REST
from ._rows import MOST_DOUBTS, RowReader
from ._stages import StageClock
from ._strict import FAILED, NO_HOOKS, apply_hooks, is_closed
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

_NOTHING_MORE: Final = ("", "```", "~~~")
_UNWRAPS: Final = 3  # levels of JSON inside a JSON string
_MOST_HOLLOW: Final = 16  # too deep, of which each may be read to the reply's end
_AFTERWORD: Final = compile_later(
    r"(?:[\s,;.)\]}`~]++|<[^<>\n]{0,60}+>|[<◁][^\s<>]{0,60}+[>▷])*+"
)


class Sifter(RowReader):
    """Reads one reply."""

    _words_are_items = False  # those that a list begins with, as no JSON is in it
    _beyond: LimitError | None = None
    _forbidden: list[Reading] | None = None  # what the policy does not allow
    _hollow = 0  # values beyond a limit that held nothing
    _starts_at = 0  # where the first candidate may stand
    _drafts = False
    _wants_best = False  # and no other reading
    _wants_first = False  # and none behind it: a stream has shown it
    _wants_any = False  # of the drafts, whichever
    _locator: Locator | None = None

    # ------------------------------------------------------------- the answers

    def find_best(self) -> Extraction:
        """The answer of the reply, by ``pick``."""
        whole = self._try_whole()
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
        value = FAILED if self._tried else self._parse(text, 0)
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
        if text[start] not in OPENERS + '("' or is_marker(text, start):
            return None
        if begins_with_words(text) and not self._words_are_items:
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
        return self._permit(reading)

    def _try_whole(self) -> Reading | None:
        """The same; if it goes beyond a limit, an answer may still stand behind it."""
        try:
            return self._read_whole()
        except LimitError as error:
            start = skip_blank(self.text, 0, len(self.text))
            self._starts_at = self._pass_beyond(start, error)
            return None

    def _read_scalar(self) -> Reading | None:
        """A string, number or literal in another language's form, and nothing else."""
        text = self.text
        start = skip_blank(text, 0, len(text))
        if start >= len(text):
            return None
        mender = self._reruns.run(start, len(text))
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
        if not readings and self._locator and self._locator.passed_code:
            readings = self._read_candidates(in_code=True)
        if not readings and begins_with_words(self.text):
            self._words_are_items = True
            whole = self._read_whole()
            return [] if whole is None else [whole]
        return readings

    def _read_candidates(self, *, in_code: bool) -> list[Reading]:
        """All values outside the reasoning, in reading order."""
        locator = self._locator = Locator(self.text, in_code=in_code)
        readings: list[Reading] = []
        pos = self._starts_at
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
                pos = self._pass_beyond(candidate.span.start, error)
                continue
            if reading and (not in_code or is_record(reading.extraction)):
                if self._wants_best:
                    ceiling = self.options.repair.ceiling
                    drop_worse(readings, reading, ceiling, locator.open_reasoning)
                elif self.options.reasoning == "skip" and locator.open_reasoning >= 0:
                    self._drop_drafts(readings, locator.open_reasoning)
                let_go(readings, keep_edits=self._keeps_edits)
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

    def _pass_beyond(self, start: int, error: LimitError) -> int:
        """Where to go on behind what goes beyond a limit, from ``start`` on.

        What comes in a fence may be the answer all the same; behind brackets that hold
        nothing, whatever comes.
        """
        self._beyond = self._beyond or error
        end = find_hollow_end(self.text, start)
        if end > error.pos and self._hollow < _MOST_HOLLOW:
            self._hollow += 1
            return end
        return find_fence_behind(self.text, start, error.pos)

    def _drop_drafts(self, readings: list[Reading], opened: int) -> None:
        """Drop what stands in reasoning that is still open from ``opened`` on.

        Of it the last reading alone may count, and another follows.
        """
        while readings and readings[-1].extraction.span.start >= opened:
            readings.pop()
            self._drafts = True

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
            return None, start + 1 if self.text[start] in OPENERS else start
        if group is None:
            return None, start + 1
        reading = group.join(candidate.kind, self.options.max_depth)
        end = group.end
        if is_convincing(reading):
            return reading, max(end, start + 1)
        self._doubt(group.parts)
        if group.doubts >= MOST_DOUBTS and not self._keeps_parts:
            locator.refused = group.list_last(group.doubts)
        self._reruns.room -= end - start
        if self._reruns.room > 0:
            return None, start + 1
        return None, group.sure_at if group.sure_at >= 0 else max(end, start + 1)

    # ------------------------------------------------------------------ judging

    def _permit(self, reading: Reading) -> Reading | None:
        """The reading, when the policy allows what it took; else remember it."""
        risk = reading.extraction.risk
        if risk is Risk.NONE or risk <= self.options.repair.ceiling:
            return reading
        if self._forbidden is None:
            self._forbidden = []
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

    # -------------------------------------------------------------- the outcome

    def _doubt(self, parts: list[Reading]) -> None:
        """Told of what only looks like JSON; here it is passed over."""

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
