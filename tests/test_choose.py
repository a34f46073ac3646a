"""Which value is the answer, by place, risk and size, and what is no JSON at all."""

from __future__ import annotations

from typing import Any

import pytest

from jsonsift._choose import (
    Evidence,
    Reading,
    choose,
    is_convincing,
    is_convincing_in_prose,
)
from jsonsift._types import CandidateKind, Edit, EditKind, Extraction, Risk, Span


def _reading(
    value: Any,
    *,
    kind: CandidateKind = CandidateKind.BARE,
    at: int = 0,
    size: int = 10,
    edit: EditKind | None = None,
    complete: bool = True,
    evidence: Evidence | None = None,
    **labels: Any,
) -> Reading:
    edits = (Edit(at, at, "", edit),) if edit else ()
    found = Extraction(
        value,
        " " * (at + size),
        Span(at, at + size),
        kind,
        make_edits=lambda: edits,
        risk=edit.risk if edit else Risk.NONE,
        complete=complete,
    )
    return Reading(found, evidence=evidence, **labels)


BARE, FENCED = CandidateKind.BARE, CandidateKind.FENCED
WRAPPER, WHOLE = CandidateKind.WRAPPER, CandidateKind.WHOLE

# The better one of each pair; it stands first, so that "the last wins" cannot help it.
PAIRS = {
    "whole before fenced": (
        _reading({"a": 1}, kind=WHOLE),
        _reading({"b": 1}, kind=FENCED, says_json=True, size=99),
    ),
    "a json fence before one without a label": (
        _reading({"a": 1}, kind=FENCED, says_json=True),
        _reading({"b": 1}, kind=FENCED, size=99),
    ),
    "a fence without a label before one of another language": (
        _reading({"a": 1}, kind=FENCED),
        _reading({"b": 1}, kind=FENCED, says_json=False, size=99),
    ),
    "a fence before a wrapper": (
        _reading({"a": 1}, kind=FENCED),
        _reading({"b": 1}, kind=WRAPPER, size=99),
    ),
    "a wrapper before a bare value": (
        _reading({"a": 1}, kind=WRAPPER),
        _reading({"b": 1}, size=99),
    ),
    "the place before the risk": (
        _reading({"a": 1}, kind=WRAPPER, edit=EditKind.BARE_VALUE),
        _reading({"b": 1}, size=99),
    ),
    "valid before safe": (
        _reading({"a": 1}),
        _reading({"b": 1}, edit=EditKind.COMMA, size=99),
    ),
    "safe before cut": (
        _reading({"a": 1}, edit=EditKind.COMMA),
        _reading({"b": 1}, edit=EditKind.CUT, size=99),
    ),
    "cut before guess": (
        _reading({"a": 1}, edit=EditKind.CUT),
        _reading({"b": 1}, edit=EditKind.CLOSER, size=99),
    ),
    "the longest": (_reading({"a": 1}, size=11), _reading({"b": 1}, size=10)),
    "something before nothing": (
        _reading({"a": 1}, edit=EditKind.CLOSER),
        _reading({}, kind=FENCED, says_json=True),
    ),
    "words before numbers": (_reading([1, "a"]), _reading([1, 2, 3], size=99)),
}


@pytest.mark.parametrize("name", PAIRS)
def test_the_better_one_is_chosen(name: str) -> None:
    """The order of preference would be another than the documented one."""
    better, worse = PAIRS[name]
    assert choose([better, worse], "best") is better
    assert choose([worse, better], "best") is better


def test_the_last_of_equals_is_chosen() -> None:
    """A draft would be preferred to its own correction."""
    first, last = _reading({"a": 1}), _reading({"a": 2}, at=20)
    assert choose([first, last], "best") is last


def test_first_and_last_are_by_place_alone() -> None:
    """``pick`` would look at more than the order of reading."""
    readings = [_reading([]), _reading({"a": 1}, kind=WHOLE), _reading([1])]
    assert choose(readings, "first") is readings[0]
    assert choose(readings, "last") is readings[2]


CONVINCING = {
    "valid": _reading({}),
    "valid list": _reading([1]),
    "quoted keys": _reading(
        {"a": "b c"}, edit=EditKind.BARE_VALUE, evidence=Evidence(1, 0, 0, 1)
    ),
    "bare keys with values": _reading(
        {"a": 1}, edit=EditKind.BARE_KEY, evidence=Evidence(0, 1)
    ),
    "quoted items": _reading(["a"], edit=EditKind.COMMA, evidence=Evidence(0, 0, 1)),
}
UNCONVINCING = {
    "a word": _reading("word"),
    "a number": _reading(3),
    "a placeholder": _reading(
        ["name"], edit=EditKind.TUPLE, evidence=Evidence(0, 0, 0, 1)
    ),
    "a remark": _reading(
        {"Remark": "some words"}, edit=EditKind.BARE_KEY, evidence=Evidence(0, 1, 0, 1)
    ),
    "nothing, cut": _reading(
        {}, edit=EditKind.CUT, complete=False, evidence=Evidence(1)
    ),
    "a set": _reading([1, 2], edit=EditKind.TUPLE, evidence=Evidence()),
    "words in brackets": _reading(
        ["see", "below"], edit=EditKind.BARE_VALUE, evidence=Evidence(0, 0, 0, 2)
    ),
    "more stray than keys": _reading(
        {"a": 1}, edit=EditKind.STRAY_TEXT, evidence=Evidence(1, 0, 0, 0, 3)
    ),
}


@pytest.mark.parametrize("name", CONVINCING)
def test_json_in_prose_convinces(name: str) -> None:
    """JSON that somebody wrote would be taken for prose."""
    assert is_convincing_in_prose(CONVINCING[name])
    assert is_convincing(CONVINCING[name])


@pytest.mark.parametrize("name", UNCONVINCING)
def test_prose_with_brackets_does_not_convince(name: str) -> None:
    """A value would be returned that nobody wrote."""
    assert not is_convincing_in_prose(UNCONVINCING[name])
    assert not is_convincing(UNCONVINCING[name])


@pytest.mark.parametrize("name", UNCONVINCING)
def test_a_json_fence_was_meant_to_be_json(name: str) -> None:
    """What stands in a fence that says JSON would be refused for its looks."""
    assert is_convincing(UNCONVINCING[name]._replace(says_json=True))
