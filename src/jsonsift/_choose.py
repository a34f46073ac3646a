"""Which of the values that a reply holds is the answer, and which are JSON at all.

It ranks readings by where they stood, how much had to be repaired, and how much they
say.  It knows nothing of how they were found or read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ._types import (
    CandidateKind,
    EditKind,
    Extraction,
    Risk,
    Verdict,
)

__all__ = [
    "Evidence",
    "Reading",
    "choose",
    "choose_fitting",
    "drop_worse",
    "is_answer",
    "is_convincing",
    "is_convincing_in_prose",
    "is_record",
    "is_template",
    "is_whole_container",
    "is_written",
    "let_go",
]

_LOOKED_AT = 64  # items of a list that are looked at for something that says more


class Evidence(NamedTuple):
    """What the rewriter met: how much was written as JSON, how much was guessed."""

    quoted_keys: int = 0
    bare_keys: int = 0
    quoted_values: int = 0
    bare_values: int = 0
    stray: int = 0


class Reading(NamedTuple):
    """A value that was read, with what the choice needs to know of it.

    ``says_json`` is True in a fence that says JSON, False in one that says another
    language; ``evidence`` is None where the text was valid; ``parts`` are the values
    that were joined into a list.
    """

    extraction: Extraction
    says_json: bool | None = None
    evidence: Evidence | None = None
    parts: tuple[Reading, ...] = ()


def choose(readings: Sequence[Reading], pick: str) -> Reading:
    """The answer among ``readings``, which come in reading order and are not empty."""
    if pick == "first":
        return readings[0]
    if pick == "last":
        return readings[-1]
    # max keeps the first of equals, so the last one is looked at first
    return max(reversed(readings), key=_rank)


def drop_worse(
    readings: list[Reading], latest: Reading, ceiling: int, open_reasoning: int
) -> None:
    """Drop from the end of ``readings`` what cannot be the best beside the latest.

    That stands behind them, so it is in no block of reasoning that they are not in, but
    for one that is still open from ``open_reasoning`` on, of which the last reading
    alone may count.  What needs a repair above the ceiling is worth less than all else.
    """
    allowed = latest.extraction.risk <= ceiling
    while readings:
        found = readings[-1].extraction
        if open_reasoning >= 0:
            is_worse = found.span.start >= open_reasoning
        else:
            is_worse = allowed or found.risk > ceiling
            is_worse = is_worse and _rank(latest) >= _rank(readings[-1])
        if not is_worse:
            break
        readings.pop()


def choose_fitting(
    readings: Sequence[Reading], pick: str, judge: Callable[[Extraction], Verdict]
) -> tuple[Reading, Verdict]:
    """The reading that fits best by the verdicts of a judge, or is closest to it.

    An exact fit comes first, then the least cost.  Among equals the first or last, as
    ``pick`` says; the "best" is the one that stands where answers do and needed no
    repair, and among those the first: a model that gives two gives the better first.
    """
    judged = [(reading, judge(reading.extraction)) for reading in readings]
    if pick == "last":
        judged.reverse()

    def rank(pair: tuple[Reading, Verdict]) -> tuple[int, ...]:
        reading, verdict = pair
        equal = (0, 0)
        if pick == "best":
            equal = (-_standing(reading), reading.extraction.risk)
        fit = (not verdict.fits, not verdict.exact, verdict.cost)
        return (*fit, not reading.parts, *equal)

    return min(judged, key=rank)


def _rank(reading: Reading) -> tuple[bool, int, int, int]:
    found = reading.extraction
    size = found.span.end - found.span.start
    return (_says_something(found), _standing(reading), -found.risk, size)


def _standing(reading: Reading) -> int:
    """How strongly the place says that the value is the answer."""
    kind = reading.extraction.kind
    if kind is CandidateKind.WHOLE:
        return 5
    if kind is CandidateKind.FENCED:
        if reading.says_json:
            return 4
        return 3 if reading.says_json is None else 1
    return 2 if kind is CandidateKind.WRAPPER else 1


def _says_something(found: Extraction) -> bool:
    """Whether the value holds keys or strings: more than prose has by chance."""
    value = found.value
    if isinstance(value, dict):
        return bool(value)
    if isinstance(value, list):
        return any(isinstance(x, (dict, list, str)) for x in value[:_LOOKED_AT])
    return True


def is_record(found: Extraction) -> bool:
    """Whether the value is an object or a list of some: more than code has by chance.

    A program's ``[]``, ``[1, 2, 3]`` and ``["sea", "moon"]`` are the program's.
    """
    value = found.value
    if isinstance(value, list):
        return any(isinstance(x, dict) and x for x in value[:_LOOKED_AT])
    return isinstance(value, dict) and bool(value)


def is_template(reading: Reading) -> bool:
    """Whether braces hold bare words alone: ``{{ name }}``, ``{% if %}``, ``{name}``.

    That is no JSON even when it is the whole text.
    """
    found, evidence = reading.extraction, reading.evidence
    if evidence is None or found.reply[found.span.start] not in "{｛":
        return False
    written = evidence.quoted_keys + evidence.bare_keys + evidence.quoted_values
    return written == 0 and evidence.bare_values + evidence.stray > 0


def is_answer(text: str, evidence: Evidence) -> bool:
    """Whether what the whole reply became is no template, whatever the edits are."""
    return text.startswith("[") or (text.startswith("{") and sum(evidence[:3]) > 0)


def is_convincing(reading: Reading) -> bool:
    """Whether this is JSON that somebody wrote, and not prose with brackets.

    What is the whole reply, or stands in a fence that says JSON, was meant to be.
    """
    found = reading.extraction
    if reading.says_json or found.kind is CandidateKind.WHOLE:
        bare = reading.evidence is not None and reading.evidence.bare_values > 0
        return isinstance(found.value, (dict, list)) or not bare
    return is_convincing_in_prose(reading)


def is_convincing_in_prose(reading: Reading) -> bool:
    """The same by what it looks like alone.

    Valid JSON is JSON.  Else there must be quoted keys or strings, in proportion to
    what had to be guessed: ``{Remark: some words}`` is a sentence.
    """
    found = reading.extraction
    if not isinstance(found.value, (dict, list)):
        return False
    evidence = reading.evidence
    if found.risk is Risk.NONE or evidence is None:
        return True
    if not found.value and not found.complete:
        return False
    return is_written(
        evidence, found.risk, lambda: found._first_edit.kind is EditKind.TUPLE
    )


def is_written(
    evidence: tuple[int, ...], risk: int, begins_as_set: Callable[[], bool]
) -> bool:
    """Whether enough was written as JSON for what had to be guessed.

    ``begins_as_set`` tells, where it matters, whether the first repair was of
    ``EditKind.TUPLE``: the set {1, 2} of a mathematician is none.
    """
    quoted_keys, bare_keys, quoted_values, bare_values, stray = evidence
    guesses = bare_values + stray
    if quoted_keys:
        return guesses <= 2 * (quoted_keys + quoted_values)
    if bare_keys:
        fits = guesses == 0 or quoted_values >= 2 * guesses
    elif quoted_values == 0:
        fits = guesses == 0 and risk < Risk.GUESS  # no interval [0, 1)
    else:
        fits = quoted_values >= guesses and stray == 0
    return fits and not begins_as_set()


def is_whole_container(found: Extraction) -> bool:
    """Whether a value is an object or array that ended, so that more may follow."""
    return found.complete and isinstance(found.value, (dict, list))


def let_go(readings: list[Reading], *, keep_edits: bool) -> None:
    """Of all values but the last, keep edits, if anybody may ask for them, and not the
    run that can make them, nor the evidence, by which they were found convincing.

    A run takes kilobytes, and a reply may hold a value in every few characters.
    """
    if readings:
        found = readings[-1].extraction
        if keep_edits:
            _ = found.edits
        else:
            found._drop_edits()
        if readings[-1].evidence is not None:
            readings[-1] = readings[-1]._replace(evidence=None)
