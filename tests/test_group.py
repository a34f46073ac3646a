"""Values that follow one another, read as the list that they form: many of them."""

from __future__ import annotations

import json
import random
import tracemalloc
from collections.abc import Callable
from typing import Any, Final

import pytest

import jsonsift
from jsonsift._build import BUILD, list_objects, load_pure_layers
from jsonsift._sift import Sifter
from jsonsift._types import Edit, EditKind
from jsonsift.linear import Family, assert_linear

from .every_way import assert_replays

_ROWS: Final = [
    json.dumps({"id": i, "tags": ["a", {"b": "é" * (i % 3)}], "x": i / 7})
    for i in range(1500)
]
_PURE: Final = load_pure_layers()["_bounds"].list_objects
_FINDERS: Final = {"loaded": list_objects, "pure": _PURE}
Finder = Callable[[str, int, int, int], list[int]]


@pytest.mark.parametrize("between", ["\n", "\r\n", "", ", ", ",\n\n", " "])
@pytest.mark.parametrize("broken", [0, 700])
def test_rows_are_a_list(between: str, broken: int) -> None:
    """More rows than are read at once, one of them broken, however they are joined."""
    rows = list(_ROWS)
    rows[broken] = rows[broken][:-1] + ",}"
    reply = between.join(rows)
    (found,) = jsonsift.extract_all(reply)
    assert found.value == [json.loads(row) for row in _ROWS]
    assert json.loads(found.text) == found.value
    assert_replays(found)
    commas = [edit for edit in found.edits if edit.kind is EditKind.COMMA]
    assert commas == [
        Edit(reply.index(",}"), reply.index(",}") + 1, "", EditKind.COMMA)
    ]


def test_rows_with_a_schema_are_judged_one_by_one() -> None:
    """Rows that were read together are candidates by themselves too."""
    rows = ['{"a": "x"}'] * 40 + ['{"b": 7}'] + ['{"a": "x"}'] * 40
    schema = {"type": "object", "properties": {"b": {"const": 7}}, "required": ["b"]}
    found = jsonsift.extract("\n".join(rows), schema=schema)
    assert found.value == {"b": 7}
    assert found.span == (40 * 11, 40 * 11 + 8)


@pytest.mark.parametrize(
    "row", ['{"a": ' + "[" * 600 + "]" * 600 + "}", '{"a": 1' + "0" * 5000 + "}"]
)
def test_a_limit_is_passed_where_it_is(row: str) -> None:
    """The row that is too deep, or has too many digits, is named; no other."""
    before = '{"a": 1}\n' * 50
    with pytest.raises(jsonsift.LimitError) as error:
        jsonsift.extract_all(f"{before}{row}\n{before}")
    assert len(before) < error.value.pos < len(before) + len(row)


@pytest.mark.parametrize("finder", _FINDERS.values(), ids=_FINDERS)
@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('{"a": 1}{"b": [{}, "x"]} , \n{}\t{', 3),
        ('{"a": 1}', 0),  # what ends the text may go on
        ('{"a": 1}, "b": 2}', 0),
        ('{"a": 1} {"a": 1,} {}', 1),
        ('{"a": 1},, {}', 0),
        ('{"a": "\\ud800"} {}', 0),
        ('{"a": NaN} {}', 0),
        ('{"a": {"b": {"c": [1]}}} {}', 0),
        ('{"a": 1} // no\n{}', 0),
        ("", 0),
    ],
)  # fmt: skip
def test_objects_in_a_row(finder: Finder, text: str, count: int) -> None:
    """Each that is listed is valid, and a further one opens behind it."""
    bounds = finder(text, 0, len(text), 3)
    assert len(bounds) == 2 * count
    for start, end in zip(bounds[::2], bounds[1::2], strict=True):
        assert isinstance(json.loads(text[start:end]), dict)
        assert text[end:].lstrip(" \t\n\r,").startswith("{")


def _measure_peak(call: Callable[[str], Any], text: str) -> float:
    """Bytes at the peak beyond the result, in characters of the text."""
    tracemalloc.start()
    try:
        try:
            result = call(text)
        except jsonsift.NoJSONError:
            result = None
        held, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    del result
    return (peak - held) / len(text)


@pytest.mark.skipif(BUILD == "pure", reason="its columns are lists")
@pytest.mark.parametrize(
    "unit",
    ["{}", "{},", '{"id": 1}\n', "[\\]", "[[]:]", '}[\\0"', 'So {"id": 12,} and ',
     "```json\n{a b}\n```\n"],
)  # fmt: skip
def test_memory_of_many_values(unit: str) -> None:
    """What is not the answer takes no more than a few bytes a character."""
    jsonsift.extract_all("``` [1] {a:")  # what is loaded when it is first needed
    text = unit * (120_000 // len(unit))
    assert _measure_peak(jsonsift.extract_json, text) < 24


def test_a_value_behind_many_that_are_none() -> None:
    """A list of what only looks like JSON ends, and what stands behind it is found."""
    assert jsonsift.extract_json("{x y} " * 500 + '{"a": "b"}') == {"a": "b"}
    assert jsonsift.extract_json("[\\]" * 500 + '{"a": ["b", "c"]}') == {
        "a": ["b", "c"]
    }


@pytest.mark.parametrize("unit", ["{a: b}", "{name: x}\n", "{a: b}[x]\n"])
@pytest.mark.parametrize("count", [1, 40, 63, 64, 110, 1000])
def test_an_answer_behind_what_only_looks_like_json(unit: str, count: int) -> None:
    """It would be lost with the list that it seems to end."""
    reply = f"See {unit * count}" + '{"a": 1}'
    assert jsonsift.extract_json(reply) == {"a": 1}


@pytest.mark.linear
def test_rows_before_a_limit_are_read_once() -> None:
    """Each window of rows would be parsed again for each row in it."""
    rows = Family(
        "", '{"a": "words in a row"}\n', suffix=f'{{"a": {"7" * 5000}}}\n{{}}'
    )
    assert_linear(
        jsonsift.extract_json,
        rows,
        sizes=(32_768, 131_072, 524_288),
        step_sizes=(),
        errors=(jsonsift.LimitError,),
    )


_ODD_ROWS: Final = (
    *("{}", "｛}", "{'a': 1}", '{"a": 1,}', "{a: b}", "{1, 2}", "[1,]", "[a]"),
    *('{"a": "b" c}', "{some words}", '{//"\n}', "{a: b c d}", '{"a" 1}', "(1, 2)"),
)


@pytest.mark.parametrize("label", ["", "```json\n", "```\n", "[a'", "See: "])
def test_a_row_is_read_as_its_values_one_by_one(
    label: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is mended in one go, the answer and its repairs are the same."""
    dice = random.Random(label)
    replies = []
    for _ in range(60):
        rows = dice.choices(dice.sample(_ODD_ROWS, dice.randint(1, 3)), k=90)
        replies.append(label + dice.choice(["\n", "", ", ", " //x\n"]).join(rows))
    in_rows = [_read(reply) for reply in replies]
    monkeypatch.setattr(Sifter, "_reads_rows", lambda self, kind: False)
    assert in_rows == [_read(reply) for reply in replies]


def test_the_value_alone_of_a_list() -> None:
    """No repairs are kept for it, but where a policy must name one that it forbids."""
    for row in _ODD_ROWS:
        reply = '[{"a": 1,}] {' + row * 90
        assert jsonsift.extract_json(reply) == jsonsift.extract(reply).value
    reply = "{'a': 1}" * 30 + "{'a': b c}" + "{'a': 1}" * 30
    with pytest.raises(jsonsift.BrokenJSONError, match="forbids") as error:
        jsonsift.loads(reply, repair="safe")
    with pytest.raises(jsonsift.BrokenJSONError) as same:
        jsonsift.extract(reply, repair="safe")
    assert (error.value.pos, error.value.kind) == (same.value.pos, same.value.kind)
    assert error.value.pos > 240


def _read(reply: str) -> list[Any]:
    """All that is said of each value."""
    founds = jsonsift.extract_all(reply)
    for found in founds:
        assert_replays(found)
    return [
        (found.value, found.text, found.span, found.edits, found.risk, found.complete)
        for found in founds
    ]
