"""The damage tables in a quick form: what is damaged in one known way comes back.

The full figures: ``python -m tests.damage``, with ``--pairs``, ``--harm``, ``--peers``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Final

import pytest

from .damage.compare import is_prefix
from .damage.documents import Document, make_hard, make_ordinary
from .damage.model import Operator
from .damage.operators import OPERATORS
from .damage.trials import Tally, draw_cases, draw_pairs, run, run_harm, run_pairs

DOCUMENTS: Final = 200
SEED: Final = 20
# What is damage around a value, or valid for a lenient reader, and so may be JSON.
MAY_BE_VALID: Final = {"encoded-twice", "literal-of-javascript", "lone-surrogates"}

each_operator = pytest.mark.parametrize(
    "operator", OPERATORS.values(), ids=list(OPERATORS)
)


def _is_valid(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _worst(tally: Tally) -> str:
    """The shortest failure, for the message."""
    shortest = min(tally.failures, key=lambda failure: len(failure.text), default=None)
    return f"{len(tally.failures)} of {tally.count}: {shortest}"


@each_operator
def test_operator_damages(operator: Operator) -> None:
    """An operator that damages nothing would count what is no recovery."""
    cases = list(draw_cases(operator, 20, SEED))
    assert len(cases) == 20
    if operator.name not in MAY_BE_VALID:
        assert [case.text for case in cases if _is_valid(case.text)] == []


@each_operator
def test_one_damage_is_mended(operator: Operator) -> None:
    """A kind of broken reply would come back as something that was not written."""
    tally = run(operator.name, draw_cases(operator, DOCUMENTS, SEED))
    assert tally.count == DOCUMENTS
    assert tally.share >= 99.5, _worst(tally)


def test_two_damages_are_mended() -> None:
    """A repair would need all else to be whole."""
    tally = run_pairs(draw_pairs(1_500, SEED))
    assert tally.count == 1_500
    assert tally.share >= 97, _worst(tally)


def test_nothing_is_harmed() -> None:
    """A fault, a cut or prose would change a value that is far from it."""
    for tally in run_harm(400, SEED):
        assert tally.count >= 300, tally.name
        assert not tally.failures, _worst(tally)


@pytest.mark.parametrize("make", [make_ordinary, make_hard])
def test_documents_are_what_they_say(make: Callable[[Random], Document]) -> None:
    """A text that is not its value, or loses a token, would make all figures wrong."""
    for number in range(100):
        document = make(Random(number))
        assert json.loads(document.text) == document.value
        tokens = " ".join(token.text for token in document.tokens)
        assert json.loads(tokens) == document.value
        assert make(Random(number)).text == document.text


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ({}, {"a": 1}),
        ({"a": [1, "x"]}, {"a": [1, "xy", 2], "b": 0}),
        ({"a": 12}, {"a": 123}),
        ([-12], [-12.5e3]),
        ([1.0], [1e20]),
    ],
)
def test_prefix(part: object, whole: object) -> None:
    """A true prefix would be counted as a loss."""
    assert is_prefix(part, whole)


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ({"a": None}, {"a": 1}),
        ({"a": [1, "x"], "b": 0}, {"a": [1, "xy", 2], "b": 0}),
        ({"b": 0}, {"a": 1, "b": 0}),
        ([13], [123]),
        (["fal"], [False]),
        ([1, 2], [1]),
        ("x", {"x": 1}),
    ],
)
def test_no_prefix(part: object, whole: object) -> None:
    """What was never written would be counted as a true prefix."""
    assert not is_prefix(part, whole)
