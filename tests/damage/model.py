"""What a damage is, and how two of them go together.

An operator looks at a valid document and says where it would cut and paste.  It never
builds the text itself, so that damages can be put together: places in the valid text
are kept apart, and the right answer is ``json.loads`` of the valid text with the
*truth* splices applied (mostly none: the original value is the right answer).
"""

from __future__ import annotations

import enum
import json
import random
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from .compare import is_equal, is_prefix
from .documents import Document, NoPlace, Token, choose

__all__ = [
    "Case",
    "Damage",
    "Family",
    "Operator",
    "Splice",
    "after",
    "before",
    "choose",
    "combine",
    "drop",
    "every",
    "inside",
    "make_case",
    "put",
    "wrap",
]

_APART: Final = 5
_TRIES: Final = 8


class Splice(NamedTuple):
    """``text`` in place of what stands from ``start`` to ``end``.

    Of splices at one place that of the lower rank comes first.
    """

    start: int
    end: int
    text: str
    rank: int = 0


class Damage(NamedTuple):
    """What to do to the text of one document, and to its right answer."""

    splices: tuple[Splice, ...] = ()
    truth: tuple[Splice, ...] = ()
    rewrite: Callable[[str], str] | None = None  # of the whole text, afterwards
    cut: int | None = None  # where the valid text ends: a true prefix is right


class Family(enum.Enum):
    """What a damage takes away from the evidence for another one."""

    LOCAL = "one place, and all the structure around it stays"
    FORMS = "one value in another form, half of which is another thing"
    MARKS = "another notation throughout the document"
    QUOTES = "a quote or word too many or few: the quotes and marks beside it tell"
    BRACKETS = "a bracket, colon or brace is wrong: the other brackets tell"
    AROUND = "text around the value"
    SEVERAL = "more than one value"
    WHOLE = "the quotes of the whole text are escaped"
    ALONE = "what tells is that the text begins and ends so"
    CUT = "the text ends early"


# A pair is sound when neither takes away what makes the other's reading the only one:
# the places are apart, both quotes are not lost at once, the balance of the brackets
# stays telling, and what is done to the text as a whole is done last.
_ONE: Final = {Family.LOCAL, Family.FORMS}
_AFTER: Final = {
    Family.LOCAL: set(Family) - {Family.CUT, Family.WHOLE, Family.ALONE},
    Family.FORMS: set(Family) - {Family.CUT, Family.WHOLE, Family.ALONE},
    Family.MARKS: {*_ONE, Family.MARKS, Family.BRACKETS, Family.AROUND},
    Family.QUOTES: {*_ONE, Family.AROUND, Family.BRACKETS},
    Family.BRACKETS: {*_ONE, Family.MARKS, Family.QUOTES, Family.AROUND},
    Family.AROUND: {*_ONE, Family.MARKS, Family.QUOTES, Family.BRACKETS},
    Family.SEVERAL: {*_ONE, Family.MARKS},
    Family.WHOLE: {Family.LOCAL, Family.FORMS},
    Family.ALONE: set(),
    Family.CUT: {Family.LOCAL, Family.MARKS},
}


class Operator(NamedTuple):
    """One way to damage a document, under a name."""

    name: str
    family: Family
    damage: Callable[[Document, random.Random], Damage]
    meaning: str

    def allows_before(self, first: Operator) -> bool:
        """Whether this damage can be done to what ``first`` has damaged."""
        return first.family in _AFTER[self.family]


class Case(NamedTuple):
    """A damaged text and what must come out of it."""

    text: str
    expected: Any
    cut: bool

    def accepts(self, value: Any, *, by_value: bool = False) -> bool:
        """Whether the value is right."""
        judge = is_prefix if self.cut else is_equal
        return judge(value, self.expected, by_value=by_value)


# ------------------------------------------------------------- words for operators


def put(token: Token, text: str) -> Splice:
    return Splice(token.start, token.end, text)


def drop(token: Token) -> Splice:
    return put(token, "")


def before(token: Token, text: str) -> Splice:
    return Splice(token.start, token.start, text)


def after(token: Token, text: str) -> Splice:
    return Splice(token.end, token.end, text)


def inside(token: Token, text: str) -> Splice:
    """``text`` between the quotes of a string."""
    return Splice(token.start + 1, token.end - 1, text)


def every(splices: Iterable[Splice]) -> Damage:
    """All the splices; NoPlace when there is none."""
    found = tuple(splices)
    if not found:
        raise NoPlace
    return Damage(found)


def wrap(document: Document, prefix: str, suffix: str) -> Damage:
    """Text before and after the whole."""
    end = len(document.text)
    return Damage((Splice(0, 0, prefix, -1), Splice(end, end, suffix, 1)))


# ----------------------------------------------------------------------- applying


def _apply(text: str, splices: Iterable[Splice], stop: int) -> str:
    """The text up to ``stop`` with the splices applied, the last one cut as well."""
    pieces = []
    at = 0
    for splice in sorted(splices, key=lambda splice: (splice.start, splice.rank)):
        if splice.start < at:
            raise NoPlace
        if splice.start >= stop < len(text):
            break
        kept = splice.text if splice.end <= stop else splice.text[: stop - splice.start]
        pieces += [text[at : splice.start], kept]
        at = splice.end
    pieces.append(text[at:stop])
    return "".join(pieces)


def make_case(document: Document, *damages: Damage) -> Case:
    """The document damaged, each damage on top of the ones before."""
    valid, end = document.text, len(document.text)
    stops = [damage.cut for damage in damages if damage.cut is not None]
    splices = [splice for damage in damages for splice in damage.splices]
    truth = [splice for damage in damages for splice in damage.truth]
    text = _apply(valid, splices, min(stops, default=end))
    expected = json.loads(_apply(valid, truth, end)) if truth else document.value
    for damage in damages:
        if damage.rewrite:
            text = damage.rewrite(text)
    return Case(text, expected, cut=bool(stops))


def combine(
    first: Operator, second: Operator, document: Document, dice: random.Random
) -> Case:
    """Both damages done to the document, at places that are apart."""
    loose = {Family.AROUND, Family.MARKS, Family.SEVERAL, Family.WHOLE, Family.CUT}
    apart = 0 if {first.family, second.family} & loose else _APART
    for _ in range(_TRIES):
        damages = first.damage(document, dice), second.damage(document, dice)
        if second.family is Family.WHOLE and "\n" in _inserted(damages[0]):
            continue  # an escaped line end ends no comment
        if _distance(document, *damages) >= apart:
            return make_case(document, *damages)
    raise NoPlace


def _inserted(damage: Damage) -> str:
    return "".join(splice.text for splice in damage.splices)


def _distance(document: Document, one: Damage, other: Damage) -> int:
    """How many tokens there are between the nearest places of the two."""
    places = _touched(document, one), _touched(document, other)
    return min(
        (abs(left - right) for left in places[0] for right in places[1]),
        default=_APART,
    )


def _touched(document: Document, damage: Damage) -> set[int]:
    return {
        token.number
        for splice in damage.splices
        for token in document.tokens
        if token.start <= splice.end and splice.start <= token.end
    }
