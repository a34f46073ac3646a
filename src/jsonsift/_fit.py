"""The composer for typed answers: which reading of a reply fits what is wanted.

It lists what the reply may mean, in fields that are tried one after the other, and lets
a judge decide.  It loads the judge, but knows no schemas; the judge knows no replies.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any, Final, Protocol, TypeAlias

from ._choose import Reading, choose_fitting
from ._errors import JSONSiftError, LimitError, write_schema_error
from ._group import Group
from ._options import Options
from ._sift import Sifter
from ._strict import NO_HOOKS
from ._types import (
    CandidateKind,
    Coercion,
    Edit,
    EditKind,
    Extraction,
    Problem,
    Repair,
    Rule,
    Span,
    Verdict,
)

__all__ = ["Coerce", "Fitter", "ItemReader", "Judge", "load_judge"]

Coerce: TypeAlias = str | Collection[str]
_TOLD: Final = 8  # problems of one value


class ItemReader(Protocol):
    """Gives the items of one list, of the type they have in the answer."""

    def take(self, value: Any, count_whole: Callable[[list[Any]], int]) -> list[Any]:
        """The next items of the list in an unfinished value."""

    def take_rest(self, answer: Any) -> list[Any]:
        """The items of the answer that were not given yet."""


class Judge(Protocol):
    """Says how well what was found fits what is wanted."""

    @property
    def wants_list(self) -> bool:
        """Whether several values might be meant as one list."""

    def judge(self, found: Extraction, *, alone: bool = False) -> Verdict:
        """How the value fits; ``alone`` when there is no other to choose from."""

    def judge_text(self, text: str, words: str) -> Verdict:
        """How the text of the reply fits, or what its words say, the JSON left out."""

    def list_refused(self, found: Extraction) -> tuple[Problem, ...]:
        """Of a value that does not fit, what no rule could know of."""

    def read_partial(self, value: Any, open_path: tuple[str | int, ...] | None) -> Any:
        """What an unfinished value shows already."""

    def read_items(self, keys: tuple[str, ...]) -> ItemReader:
        """A reader of the list that the keys lead to; ValueError if none can be."""


class Fitter(Sifter):
    """Reads one reply for what fits; it keeps each value of a list, to judge it.

    Raises:
        ValueError: the options hold hooks, which would make another value.
    """

    _keeps_parts = True
    _joined: Extraction | None = None  # all values, whatever stands between them

    def __init__(self, text: str, options: Options) -> None:
        if options.hooks != NO_HOOKS:
            raise ValueError("schema= makes the value: hooks cannot be given beside it")
        super().__init__(text, options)
        self._doubtful: list[Reading] = []

    def find_fitting(self, judge: Judge) -> Extraction:
        """The value of the reply that fits best, made to fit.

        Values that are JSON come first, then what only looks like it, then the words.
        """
        closest: tuple[Reading, Verdict] | None = None
        spans: list[Span] = []
        for readings in self._list_fields(judge):
            if not readings:
                continue
            spans.extend(reading.extraction.span for reading in readings)
            chosen = self._choose_fitting(readings, judge)
            if chosen[1].fits:
                return self._finish_fitting(*chosen)
            if closest is None or chosen[1].cost < closest[1].cost:
                closest = chosen
        found = self._read_words(judge, spans)
        if found is not None:
            return found
        if closest is None:
            raise self._nothing_found()
        extraction, verdict = closest[0].extraction, closest[1]
        problems = verdict.problems + judge.list_refused(extraction)
        raise write_schema_error(extraction, verdict.reason, problems[:_TOLD])

    def find_all_fitting(self, judge: Judge) -> list[Extraction]:
        """Every value of the reply that fits, made to fit, in reading order."""
        whole = self._read_whole()
        readings = [whole] if whole is not None else self._read_reply()
        fitting = []
        for reading in readings:
            answers = [reading, *reading.parts]
            best = choose_fitting(answers, self.options.pick, judge.judge)[0]
            # of values that are no list together each is judged by itself
            for one in [reading] if best is reading else reading.parts:
                verdict = judge.judge(one.extraction)
                if verdict.fits:
                    fitting.append(self._finish_fitting(one, verdict))
        return fitting

    def _list_fields(self, judge: Judge) -> Iterator[list[Reading]]:
        """The fields of readings to choose from, the next only if none of one fits."""
        whole = self._try_whole()
        if whole is not None:
            yield [whole, *whole.parts]
            if whole.extraction.edits and self.text.lstrip()[:1] == '"':
                plain = self._read_whole(unwrap=False)  # a string that holds JSON
                yield [plain] if plain is not None else []
        readings = self._read_reply()
        answers = [part for one in readings for part in (one, *one.parts)]
        if len(readings) > 1 and judge.wants_list:
            answers += self._join_all(readings)
        yield answers
        locator = self._locator
        if locator is not None and self._doubtful:
            doubtful = self._after_reasoning(self._doubtful, locator)
            doubtful = self._permit_all(doubtful)
            yield _list_outermost(doubtful)
            yield doubtful

    def _choose_fitting(
        self, readings: list[Reading], judge: Judge
    ) -> tuple[Reading, Verdict]:
        """The reading that fits best, with its verdict; measured if asked for."""
        pick, size, clock = self.options.pick, len(readings), self.clock
        fit = partial(self._judge, judge, alone=size == 1)
        if clock is None:
            return choose_fitting(readings, pick, fit)
        return clock.time("validate", size, choose_fitting, readings, pick, fit)

    def _judge(self, judge: Judge, found: Extraction, *, alone: bool) -> Verdict:
        """How the value fits; worse if it is a list only because all were joined."""
        verdict = judge.judge(found, alone=alone)
        if found is not self._joined:
            return verdict
        joined = Coercion((), Rule.LIST_OF_ALL, None, verdict.value)
        return verdict._replace(
            exact=False,
            cost=verdict.cost + Rule.LIST_OF_ALL.cost,
            coercions=(joined, *verdict.coercions),
        )

    def _join_all(self, readings: list[Reading]) -> list[Reading]:
        """All values as one list, whatever stands between them."""
        if self.options.repair is Repair.OFF:
            return []
        try:
            group = Group(self.text, readings[0], keep_parts=True)
            for reading in readings[1:]:
                group.add(reading)
            joined = group.join(CandidateKind.BARE, self.options.max_depth)
        except LimitError:  # a list around them is one level too many
            return []
        self._joined = joined.extraction
        return [joined]

    def _read_words(self, judge: Judge, spans: list[Span]) -> Extraction | None:
        """The words of the answer, when they say what is wanted.

        JSON is no part of the words: ``{"n": 5}`` does not say 5.
        """
        locator = self._locator
        if self.options.repair is not Repair.ALL or locator is None:
            return None
        reasoning = locator.list_reasoning()
        text = _cut_spans(self.text, reasoning)
        verdict = judge.judge_text(text, _cut_spans(self.text, [*reasoning, *spans]))
        if not text or not verdict.fits:
            return None
        written = json.dumps(text)
        edit = Edit(0, len(self.text), written, EditKind.BARE_VALUE)
        span = Span(0, len(self.text))
        found = self._edited(span, CandidateKind.WHOLE, text, written, (edit,))
        return self._finish_fitting(Reading(found), verdict)

    def _finish_fitting(self, reading: Reading, verdict: Verdict) -> Extraction:
        """The answer with the value that fits, and how it came to."""
        found = reading.extraction
        if self.clock is not None:
            found.timings = self.clock.read()
        found.coercions = verdict.coercions
        found.value = verdict.value
        return found

    def _doubt(self, parts: list[Reading]) -> None:
        """Keep what only looks like JSON: a judge may say that it is."""
        self._doubtful.extend(parts)


def load_judge(schema: Any, coerce: Coerce) -> Judge:
    """The judge for a schema; what it needs is loaded only now.

    Raises:
        ImportError: the package for such a schema is not installed.
        TypeError: the schema is no type and no dict.
        ValueError: the schema is not valid, or ``coerce`` has no such value, or there
            is no schema for it.
    """
    if schema is None:
        raise ValueError("coerce= says what may make a value fit: give schema= too")
    from .schema.judge import make_judge

    return make_judge(schema, coerce, _parse_inner)


def _parse_inner(text: str) -> Any:
    """The value of JSON that stands in a string, or None."""
    try:
        return Sifter(text, Options()).read_as_value().value
    except JSONSiftError:
        return None


def _list_outermost(readings: list[Reading]) -> list[Reading]:
    """The readings, in reading order, that do not lie within an earlier one."""
    outermost, end = [], -1
    for reading in readings:
        span = reading.extraction.span
        if span.end > end:
            outermost.append(reading)
            end = span.end
    return outermost


def _cut_spans(text: str, spans: list[Span]) -> str:
    """The text without these spans, which may lie within one another."""
    pieces, at = [], 0
    for start, end in sorted(spans):
        if start > at:
            pieces.append(text[at:start])
        at = max(at, end)
    if not at:
        return text
    pieces.append(text[at:])
    return " ".join(pieces).strip()
