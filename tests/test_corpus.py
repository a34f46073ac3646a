"""Every case of corpus/, every way: the value, the edits, and what must not change.

The format of a case stands in corpus/README.md.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

import jsonsift

from .every_way import Call, Outcome, is_same, run_call, run_every_way

CORPUS: Final = Path(__file__).parents[1] / "corpus"
CALLS: Final[dict[str, Call]] = {
    "extract_json": jsonsift.extract,
    "extract_all": jsonsift.extract_all,
    "loads": jsonsift.loads,
}
KEYS: Final = {
    "alternatives", "call", "complete", "derived_from", "edits", "expected", "options",
    "raises", "why",
}  # fmt: skip
KINDS: Final = {kind.label for kind in jsonsift.EditKind}


class Case(NamedTuple):
    name: str
    reply: str
    data: bytes
    call: Call
    options: dict[str, Any]
    says: dict[str, Any]


def _read(path: Path) -> Case:
    says = json.loads(path.read_text("utf-8"))
    data = path.with_suffix(".txt").read_bytes()
    name = path.relative_to(CORPUS).with_suffix("").as_posix()
    call = CALLS[says.get("call", "extract_json")]
    options = says.get("options", {})
    return Case(name, jsonsift.decode(data), data, call, options, says)


def _cases(folder: str) -> list[Case]:
    return [_read(path) for path in sorted(CORPUS.glob(f"{folder}/*/*.json"))]


REPLIES: Final = _cases("replies")
UNTOUCHED: Final = _cases("untouched")
KNOWN_FAILURES: Final = _cases("known-failures")
CASES: Final = [
    *(pytest.param(case, id=case.name) for case in REPLIES + UNTOUCHED),
    *(
        pytest.param(
            case, id=case.name, marks=pytest.mark.xfail(reason=case.says["why"])
        )
        for case in KNOWN_FAILURES
    ),
]


def _is_equal(actual: Any, expected: Any) -> bool:
    """Numbers by value, booleans strictly, the order of keys left alone."""
    if isinstance(actual, bool) or isinstance(expected, bool):
        return actual is expected
    if isinstance(actual, dict) and isinstance(expected, dict):
        return actual.keys() == expected.keys() and all(
            _is_equal(actual[key], expected[key]) for key in actual
        )
    if isinstance(actual, list) and isinstance(expected, list):
        return len(actual) == len(expected) and all(map(_is_equal, actual, expected))
    return bool(actual == expected)


def _assert_value(case: Case, outcome: Outcome) -> None:
    assert not outcome.error, outcome
    is_list = case.call is jsonsift.extract_all
    value = list(outcome.values) if is_list else outcome.value
    accepted = [case.says["expected"], *case.says.get("alternatives", [])]
    assert any(_is_equal(value, one) for one in accepted), (value, accepted[0])


@pytest.mark.parametrize("case", CASES)
def test_case(case: Case) -> None:
    """A reply of the corpus would be read wrong, or otherwise on one of the ways."""
    outcome = run_every_way(case.call, case.reply, **case.options)
    from_bytes = run_call(case.call, case.data, **case.options)
    assert is_same(from_bytes.values, outcome.values)
    assert from_bytes[1:] == outcome[1:]
    if "raises" in case.says:
        assert outcome.error == case.says["raises"], outcome
        return
    _assert_value(case, outcome)
    if case.call is jsonsift.loads:  # gives no Extraction
        return
    if "edits" in case.says:
        kinds = {edit.kind.label for report in outcome.reports for edit in report[3]}
        assert sorted(kinds) == case.says["edits"]
    if "complete" in case.says:
        assert all(report[4] for report in outcome.reports) is case.says["complete"]


@pytest.mark.parametrize("case", UNTOUCHED, ids=lambda case: case.name)
def test_untouched(case: Case) -> None:
    """A look-alike of a fault, which is valid JSON, would be repaired."""
    outcome = run_call(CALLS[case.says.get("call", "extract_json")], case.reply)
    assert case.says.get("edits", []) == []
    assert all(report[3] == () and report[4] for report in outcome.reports)
    if case.call is jsonsift.extract:
        assert is_same(json.loads(outcome.reports[0][1]), outcome.value)


# Where the end of the text decides, so that a word behind it is another case.
END_DECIDES: Final = {
    "replies/harmony/commentary-tool-call": "the analysis channel is never closed",
    "replies/multiple-values/object-then-cut-copy": "the cut copy would go on",
    "replies/multiple-values/object-then-cut-remainder": "the remainder would go on",
    "replies/number-format/bare-e-words": "bare words in brackets are prose in prose",
    "replies/policy/safe-reads-number-forms": "a list of numbers is prose in prose",
    "replies/reasoning-first/think-word-in-backticks": "JSON must end the reply",
    "replies/reasoning-first/unclosed-think-answer-at-end": "JSON must end the reply",
    "replies/reasoning-first/unclosed-think-fence-at-end": "JSON must end the reply",
    "replies/think-block/unclosed-think-before-object": "JSON must end the reply",
}
_OF_THE_WHOLE: Final = {jsonsift.EditKind.UNWRAP, jsonsift.EditKind.MISSING_QUOTE}


@pytest.mark.parametrize(
    "case",
    [case for case in REPLIES + UNTOUCHED if case.call is not jsonsift.loads],
    ids=lambda case: case.name,
)
def test_case_with_prose_behind(case: Case) -> None:
    """A word of goodbye behind a whole value would change the value."""
    outcome = run_call(case.call, case.reply, **case.options)
    if case.name in END_DECIDES or not _ends_by_itself(outcome):
        pytest.skip("the end of the text decides what the value is")
    text = case.reply + "\n\nThat is all.\n"
    after = run_call(case.call, text, **case.options)
    assert is_same(after.values, outcome.values), after


def _ends_by_itself(outcome: Outcome) -> bool:
    """Whether prose may follow the values without being taken for a part of them."""
    return not outcome.error and all(
        complete
        and isinstance(value, (dict, list))
        and not _OF_THE_WHOLE & {edit.kind for edit in edits}
        for value, (_, _, _, edits, complete, _) in zip(
            outcome.values, outcome.reports, strict=True
        )
    )


@pytest.mark.parametrize("name", END_DECIDES)
def test_exceptions_are_cases(name: str) -> None:
    """The list of exceptions would hold names that are gone, or need not be there."""
    (case,) = [case for case in REPLIES if case.name == name]
    outcome = run_call(case.call, case.reply, **case.options)
    text = case.reply + "\n\nThat is all.\n"
    assert not is_same(run_call(case.call, text, **case.options), outcome)


def test_corpus_is_large_and_well_formed() -> None:
    """The corpus would be empty, misspelt or half there, and all would pass."""
    assert len(REPLIES) >= 150
    assert len(UNTOUCHED) >= 30
    for case in REPLIES + UNTOUCHED + KNOWN_FAILURES:
        assert case.says.keys() <= KEYS, case.name
        assert ("expected" in case.says) != ("raises" in case.says), case.name
        assert len(case.says["why"]) > 10, case.name
        assert set(case.says.get("edits", [])) <= KINDS, case.name
    texts = {path.with_suffix("") for path in CORPUS.glob("*/*/*.txt")}
    jsons = {path.with_suffix("") for path in CORPUS.glob("*/*/*.json")}
    assert texts == jsons
