"""json_repair in place of our rewriter: under our limits, with our errors."""

from __future__ import annotations

from typing import Any

import pytest

from jsonsift import (
    BrokenJSONError,
    CandidateKind,
    LimitError,
    NoJSONError,
    _engine,
    extract,
    extract_all,
    extract_json,
)
from jsonsift._engine import MAX_ENGINE_LENGTH, repair_with_engine
from jsonsift._types import EditKind

from .every_way import assert_replays


def test_its_answer_is_taken() -> None:
    """The option would do nothing, or hide what it did."""
    pytest.importorskip("json_repair", reason="the extra json-repair is not installed")
    found = extract("So: {'a': [1, 2, } it is", engine="json-repair")
    assert found.value == {"a": [1, 2]}
    assert [edit.kind for edit in found.edits] == [EditKind.ENGINE]
    assert found.kind is CandidateKind.BARE
    assert_replays(found)


def test_valid_json_never_reaches_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Valid JSON would go through an engine that may change it."""
    json_repair = pytest.importorskip("json_repair", reason="no extra json-repair")
    monkeypatch.setattr(json_repair, "repair_json", lambda *_, **__: "[0]")
    for text in ('{"a": 1}', 'So: {"a": 1} it is', '```json\n{"a": 1}\n```'):
        found = extract(text, engine="json-repair")
        assert (found.value, found.edits) == ({"a": 1}, ())
    assert extract_json('{"a": 1,}', engine="json-repair") == [0]


def test_it_reads_fences_and_all_values() -> None:
    """The other places and calls would not know the engine."""
    pytest.importorskip("json_repair", reason="no extra json-repair")
    text = "```json\n{'a': 1}\n```\nand\n```json\n{'b': 2}\n```"
    assert [x.value for x in extract_all(text, engine="json-repair")] == [
        {"a": 1},
        {"b": 2},
    ]
    with pytest.raises(NoJSONError):
        extract_json("no JSON at all", engine="json-repair")
    with pytest.raises(BrokenJSONError) as caught:
        extract_json("{'a': 1}", engine="json-repair", repair="safe")
    assert caught.value.kind is EditKind.ENGINE


def test_long_text_is_refused() -> None:
    """Its time, which is not linear, would be ours."""
    text = "{'a': '" + "x" * MAX_ENGINE_LENGTH + "'}"
    with pytest.raises(LimitError, match="100000") as caught:
        extract_json("So: " + text, engine="json-repair")
    assert caught.value.pos == 4
    assert extract_json(text) == {"a": "x" * MAX_ENGINE_LENGTH}


def test_our_depth_limit_stands_before_it() -> None:
    """It would be given what is nested too deeply for anybody."""
    pytest.importorskip("json_repair", reason="no extra json-repair")
    with pytest.raises(LimitError):
        extract_json("[" * 40_000, engine="json-repair")


def test_its_own_word_for_recursion_is_a_limit() -> None:
    """A deep text would be called broken, though it is only too deep."""
    pytest.importorskip("json_repair", reason="no extra json-repair")
    text = "{'a':" * 8_000
    with pytest.raises(LimitError, match=r"too deeply \(for json_repair"):
        repair_with_engine(text, text, 0)


@pytest.mark.parametrize(
    ("error", "ours"),
    [
        (RecursionError("deep"), LimitError),
        (IndexError("string index out of range"), BrokenJSONError),
        (ValueError("odd"), BrokenJSONError),
    ],
)
def test_its_errors_become_ours(
    monkeypatch: pytest.MonkeyPatch, error: Exception, ours: type[Exception]
) -> None:
    """A surprise of the engine would be a surprise of ours."""
    json_repair = pytest.importorskip("json_repair", reason="no extra json-repair")

    def fail(*_: Any, **__: Any) -> str:
        raise error

    monkeypatch.setattr(json_repair, "repair_json", fail)
    with pytest.raises(ours) as caught:
        extract_json("So: {'a': 1}", engine="json-repair")
    assert getattr(caught.value, "pos", None) == 4


def test_without_it_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It would fail at the first broken reply only, and not say what is missing."""
    monkeypatch.setattr(_engine, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"jsonsift\[json-repair\]"):
        extract_json('{"a": 1}', engine="json-repair")
