"""A typed value while it is being written: ``Stream(schema=…)``."""

from __future__ import annotations

from typing import Any, Final, Literal

import pydantic
import pytest

from jsonsift import NoJSONError, SchemaError, Stream

from .every_way import BUILDS, use_build


class Step(pydantic.BaseModel):
    kind: Literal["run", "runaway"]
    text: str
    cost: float = 0.0


class Plan(pydantic.BaseModel):
    title: str
    steps: list[Step]
    urgent: bool | None = None


REPLY = (
    'Sure!\n```json\n{"Title": "Go", "steps": [{"kind": "run", "text": "a", '
    '"cost": "$1.50"}, {"kind": "runaway", "text": "bc"}], "urgent": "yes"}\n```'
)
PLAN = Plan(
    title="Go",
    steps=[
        Step(kind="run", text="a", cost=1.5),
        Step(kind="runaway", text="bc"),
    ],
    urgent=True,
)


def is_beginning(early: Any, late: Any) -> bool:
    """Whether nothing that was shown was taken back."""
    if early is None:
        return True
    if isinstance(early, str):
        return isinstance(late, str) and late.startswith(early)
    if isinstance(early, dict):
        return all(is_beginning(early[key], late.get(key)) for key in early)
    if isinstance(early, list):
        pairs = zip(early, late, strict=False)
        return len(early) <= len(late) and all(is_beginning(a, b) for a, b in pairs)
    return bool(early == late)


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_the_value_grows_into_the_answer(build: str, size: int) -> None:
    """Something would be shown that is no part of the answer, or fields be missing."""
    with use_build(build):
        stream = Stream(schema=Plan)
        shown: Any = None
        for at in range(0, len(REPLY), size):
            stream.feed(REPLY[at : at + size])
            partial = stream.partial
            assert is_beginning(shown, partial)
            if partial is not None:
                assert partial.keys() == {"title", "steps", "urgent"}
            shown = partial
        assert is_beginning(shown, PLAN.model_dump())
        found = stream.close()
    assert found.value == stream.partial == PLAN
    assert found.coercions[0].rule.label == "key-form"


@pytest.mark.parametrize("build", BUILDS)
def test_what_is_done(build: str) -> None:
    """A value would be taken for whole that still grows."""
    with use_build(build):
        stream = Stream(schema=Plan)
        assert not stream.done()
        stream.feed('{"title": "G')
        assert stream.partial == {"title": "G", "steps": [], "urgent": None}
        assert not stream.done(("title",))
        stream.feed('o", "steps": [{"kind": "run')
        assert stream.done(("title",))
        assert stream.partial["steps"] == [{"kind": None, "text": None, "cost": None}]
        assert not stream.done(("steps",))
        assert not stream.done(("steps", 0))
        stream.feed('", "text": "a"}, {')
        assert stream.partial["steps"][0]["kind"] == "run"
        assert stream.done(("steps", 0, "kind"))
        assert stream.done(("steps", 0))
        assert not stream.done(("steps",))
        assert not stream.done(("steps", 1))
        assert not stream.done(("steps", 2))
        stream.feed('"kind": "run", "text": "b"}]}')
        plan = stream.close().value
        assert stream.done(("steps",))
        assert stream.done("steps[1].text")
        assert not stream.done("steps[2]")
        assert not stream.done("urgent")
        assert stream.done()
        assert plan.steps == [Step(kind="run", text=text) for text in "ab"]


def test_what_is_done_when_hooks_or_a_schema_made_the_answer() -> None:
    """Any path would be there at the end, or none that a hook's object hides."""
    hooked = Stream(object_pairs_hook=tuple, parse_int=str)
    fitted = Stream(schema=float)
    for stream in (hooked, fitted):
        stream.feed('{"a": [1]}' if stream is hooked else "12")
        stream.close()
        assert stream.done()
        assert stream.done("a[0]") is stream.done("a") is (stream is hooked)
        assert not stream.done("a[1]")
        assert not stream.done("b")
    null = Stream()
    null.feed("null")
    assert null.close().value is None
    assert null.done()


def test_an_answer_that_does_not_fit() -> None:
    """``close`` would return what is no Plan."""
    stream = Stream(schema=Plan)
    stream.feed('{"title": 1, "steps": "none"}')
    with pytest.raises(SchemaError):
        stream.close()
    assert not stream.done()
    empty = Stream(schema=Plan)
    assert empty.partial is None
    with pytest.raises(NoJSONError):
        empty.close()


def test_without_a_schema() -> None:
    """``partial`` would be another value than ``value``."""
    stream = Stream()
    stream.feed('{"a": [1, ')
    assert stream.partial == {"a": [1]}
    assert stream.done(("a", 0))
    assert not stream.done(("a",))
    assert stream.close().value == {"a": [1]}
    assert stream.done(("a",))
    with pytest.raises(ValueError, match="hooks"):
        Stream(schema=Plan, parse_int=str)


class Mark(pydantic.BaseModel):
    level: Literal["low", "high"] | None = None
    n: float | None = None
    sure: bool | None = None
    text: str | None = None
    tags: list[str] = []


# what came, what shows of it, and whether it is done
LAST: Final = (
    ('{"level": "high"}', "level", "high", True),
    ('{"level": "HIGH" }', "level", "high", True),
    ('{"n": "12"}', "n", 12, True),
    ('{"n": 12}', "n", 12, True),
    ('{"sure": "yes"}\n', "sure", True, True),
    ('{"text": "x"}', "text", "x", True),
    ('```json\n{"level": "high"}\n```', "level", "high", True),
    ('{"level": "high"', "level", None, False),
    ('{"level": "high', "level", None, False),
    ('{"n": "12"', "n", None, False),
    ('{"n": 12', "n", None, False),
    ('{"text": "x"', "text", "x", False),
    # what may not be the end of the string is not shown, so that it is not done
    ('{"text": "x (y)"}', "text", "x (y", False),
    ('{"text": "x, "}', "text", "x", False),
    ('{"tags": ["a"]}', "tags", ["a"], True),
)


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("size", [1, 1000])
def test_the_last_field_shows_when_the_value_is_whole(build: str, size: int) -> None:
    """A choice or number at the end would not show before ``close``."""
    with use_build(build):
        for text, field, shown, done in LAST:
            stream = Stream(schema=Mark)
            for at in range(0, len(text), size):
                stream.feed(text[at : at + size])
            assert stream.partial[field] == shown, text
            assert stream.done(field) is stream.done() is done, text


def test_unknown_keys_without_rules() -> None:
    """All that came would vanish for one key that the model ignores."""
    stream = Stream(schema=Step, coerce="off")
    stream.feed('{"kind": "run", "note": "x", "text": "a", ')
    assert stream.partial == {"kind": "run", "text": "a", "cost": None}
    assert stream.close().value == Step(kind="run", text="a")
