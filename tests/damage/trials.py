"""Runs readers over damaged documents and counts.

A trial is decided by its seed, its operators' names and its number alone, so that a
failure can be run again by itself, and peers see the very texts that we see.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import jsonsift

from .documents import NoPlace, make_hard, make_ordinary
from .model import Case, Operator, combine, make_case
from .operators import OPERATORS
from .structure import (
    comma_trailing,
    comment_block,
    comment_hash,
    comment_line,
    key_bare,
)

__all__ = ["Failure", "Tally", "draw_cases", "draw_pairs", "run", "run_harm"]

Reader = Callable[[str], Any]
_ATTEMPTS: Final = 40


class Failure(NamedTuple):
    """A text that did not come back, with what came instead."""

    name: str
    text: str
    got: Any
    expected: Any


class Tally:
    """How many of how many came back, and what did not."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0
        self.failures: list[Failure] = []

    def add(self, text: str, got: Any, expected: Any, *, right: bool) -> None:
        """Count one trial."""
        self.count += 1
        if not right:
            self.failures.append(Failure(self.name, text, got, expected))

    @property
    def share(self) -> float:
        """Recovered, in percent; nothing tried is nothing recovered."""
        return 100 * (1 - len(self.failures) / self.count) if self.count else 0.0


def read(text: str) -> Any:
    """What jsonsift makes of the text; an exception is an answer, too."""
    return attempt(jsonsift.extract_json, text)


def attempt(reader: Reader, text: str) -> Any:
    """The reader's value, or what it raised."""
    try:
        return reader(text)
    except Exception as error:  # whatever a peer raises is its answer
        return error


# ----------------------------------------------------------------- single and pairs


def draw_cases(operator: Operator, count: int, seed: int) -> Iterator[Case]:
    """``count`` damaged documents; those without a place for the damage are passed."""
    found = 0
    for number in range(count * _ATTEMPTS):
        if found == count:
            return
        dice = random.Random(f"{seed}/{operator.name}/{number}")
        document = make_ordinary(dice)
        try:
            case = make_case(document, operator.damage(document, dice))
        except NoPlace:
            continue
        if case.text != document.text:
            found += 1
            yield case


def draw_pairs(count: int, seed: int) -> Iterator[tuple[str, Case]]:
    """``count`` documents with two damages, each of a random pair that is sound."""
    pairs = [
        (first, second)
        for first in OPERATORS.values()
        for second in OPERATORS.values()
        if second.allows_before(first)
    ]
    found = 0
    for number in range(count * _ATTEMPTS):
        if found == count:
            return
        dice = random.Random(f"{seed}/pairs/{number}")
        first, second = dice.choice(pairs)
        try:
            case = combine(first, second, make_ordinary(dice), dice)
        except NoPlace:
            continue
        found += 1
        yield f"{first.name} + {second.name}", case


def run(name: str, cases: Iterator[Case], reader: Reader = read) -> Tally:
    """How many of the cases the reader gets right."""
    tally = Tally(name)
    for case in cases:
        got = reader(case.text)
        tally.add(case.text, got, case.expected, right=case.accepts(got))
    return tally


def run_pairs(cases: Iterator[tuple[str, Case]], reader: Reader = read) -> Tally:
    """The same for pairs; each failure carries the names of its pair."""
    tally = Tally("pairs")
    for name, case in cases:
        got = reader(case.text)
        tally.count += 1
        if not case.accepts(got):
            tally.failures.append(Failure(name, case.text, got, case.expected))
    return tally


# ---------------------------------------------------------------------------- harm

_HARMLESS: Final = {
    "trailing comma": comma_trailing,
    "line comment": comment_line,
    "hash comment": comment_hash,
    "block comment": comment_block,
    "bare key": key_bare,
}
# Around a valid value, which must come out with no edit at all.
_FRAMES: Final = {
    "whole": ("{}", "\n {} \n"),
    "prose": (
        "Here it is: {} Hope it helps.", "So:\n{}\nThat's it, [ok]?", "It's `x`.\n\n{}",
        "**Result** (see [1]):\n\n{}\n\n- a\n- b", "好的：\n{}\n以上。",
        "{}\n\nNote: it's \"so\".",
    ),
    "fences": (
        "Sure:\n```json\n{}\n```\nBye", "```\n{}\n```",
        "Here:\n~~~json\n{}\n~~~\nok {{x}}",
        "````json\n{}\n````", "```json\n{}\n```\n\n```python\nprint({{}})\n```",
    ),
}  # fmt: skip


def run_harm(count: int, seed: int) -> Iterator[Tally]:
    """Bar 3 on ``count`` hard documents a question, twice that for valid ones."""
    for name in _HARMLESS:
        yield run(name, _draw_harmless(name, count, seed))
    yield run(
        "truncation: a true prefix, and UTF-8", _draw_cut(count, seed), _read_utf8
    )
    for name, frames in _FRAMES.items():
        yield _run_valid(f"valid, {name}: no edit", frames, 2 * count, seed)
    yield _run_drafts("only a draft in reasoning: NoJSONError", count, seed)


def _draw_harmless(name: str, count: int, seed: int) -> Iterator[Case]:
    for number in range(count):
        dice = random.Random(f"{seed}/harm/{name}/{number}")
        document = make_hard(dice)
        try:
            yield make_case(document, _HARMLESS[name](document, dice))
        except NoPlace:
            continue


def _draw_cut(count: int, seed: int) -> Iterator[Case]:
    cut = OPERATORS["cut-anywhere"]
    for number in range(count):
        dice = random.Random(f"{seed}/harm/cut/{number}")
        document = make_hard(dice)
        yield make_case(document, cut.damage(document, dice))


def _read_utf8(text: str) -> Any:
    value = read(text)
    try:
        repr(value).encode()
    except UnicodeEncodeError as error:
        return error
    return value


def _run_valid(name: str, frames: Sequence[str], count: int, seed: int) -> Tally:
    tally = Tally(name)
    for number in range(count):
        dice = random.Random(f"{seed}/harm/{name}/{number}")
        document = make_hard(dice)
        before, _, after = dice.choice(frames).partition("{}")
        text = before.format() + document.text + after.format()
        case = Case(text, document.value, cut=False)
        found = attempt(jsonsift.extract, text)
        untouched = isinstance(found, jsonsift.Extraction) and not found.edits
        got = found.value if isinstance(found, jsonsift.Extraction) else found
        tally.add(text, got, case.expected, right=untouched and case.accepts(got))
    return tally


def _run_drafts(name: str, count: int, seed: int) -> Tally:
    """No JSON but in reasoning: there is no answer, whatever the strings hold.

    Not with a closing tag in a string: the block is prose, and could end there.
    """
    tally = Tally(name)
    for number in range(count):
        dice = random.Random(f"{seed}/harm/{name}/{number}")
        draft = make_hard(dice).text
        if "</think>" in draft:
            continue
        text = f"<think>Could be {draft}</think>\nI need more info."
        got = read(text)
        right = isinstance(got, jsonsift.NoJSONError)
        tally.add(text, got, jsonsift.NoJSONError, right=right)
    return tally
