"""The public calls: what they take, what they give, what their options mean."""

from __future__ import annotations

import copy
import inspect
import io
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from pydantic import BaseModel, Field

import jsonsift
from jsonsift import (
    BrokenJSONError,
    CandidateKind,
    EditKind,
    LimitError,
    NoJSONError,
    Risk,
    SchemaError,
    extract,
    extract_all,
    extract_json,
    from_file,
    load,
    loads,
    repair_json,
)

from .every_way import is_same, run_every_way

READERS: list[Callable[..., Any]] = [extract, extract_all, extract_json, loads]
FORMS: list[Callable[[str], Any]] = [
    str,
    str.encode,
    lambda text: bytearray(text.encode()),
    lambda text: memoryview(text.encode()),
    lambda text: memoryview(b"x" + text.encode() + b"x")[1:-1],
    lambda text: text.encode("utf-16"),
    lambda text: text.encode("utf-8-sig"),
    lambda text: text.encode("utf-32-le"),
]


# ------------------------------------------------------------------ what goes in


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_text_is_taken(form: Callable[[str], Any]) -> None:
    """Bytes of some kind or encoding would have to be decoded by the caller."""
    text = "{'a': ['é', '漢', '😀'],}"
    value = {"a": ["é", "漢", "😀"]}
    source = form(text)
    assert extract_json(source) == value
    assert extract(source).value == value
    assert [found.value for found in extract_all(source)] == [value]
    assert loads(source) == value
    assert json.loads(repair_json(source)) == value


@pytest.mark.parametrize("source", [None, 1, 1.5, ["{}"], {"a": 1}, object()])
@pytest.mark.parametrize("call", [*READERS, repair_json])
def test_other_types_are_type_errors(call: Callable[..., Any], source: Any) -> None:
    """A wrong argument would look like a reply without JSON."""
    with pytest.raises(TypeError, match=type(source).__name__):
        call(source)


def test_a_wrong_type_is_no_reason_for_the_default() -> None:
    """A mistake in the caller's code would be hidden by ``default``."""
    with pytest.raises(TypeError):
        extract_json(None, default={})  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("call", "options"),
    [
        (extract, {"pick": "longest"}),
        (extract_json, {"pick": None}),
        (extract, {"repair": "some"}),
        (extract_all, {"repair": True}),
        (loads, {"repair": ""}),
        (extract, {"reasoning": "keep"}),
        (extract_all, {"reasoning": False}),
        (extract, {"engine": "json_repair"}),
        (extract, {"max_depth": 0}),
        (loads, {"max_depth": 1025}),
        (extract_all, {"max_depth": -1}),
    ],
)
def test_options_are_checked(call: Callable[..., Any], options: dict[str, Any]) -> None:
    """A misspelt option would be ignored, and another policy hold."""
    (name,) = options
    with pytest.raises(ValueError, match=name) as caught:
        call('{"a": 1}', **options)
    assert not isinstance(caught.value, jsonsift.JSONSiftError)


@pytest.mark.parametrize("call", READERS)
def test_options_are_keywords(call: Callable[..., Any]) -> None:
    """``extract_json(reply, "first")`` would be taken for something."""
    with pytest.raises(TypeError):
        call("{}", "first")
    with pytest.raises(TypeError):
        call("{}", strict=True)
    kinds = [p.kind for p in inspect.signature(call).parameters.values()]
    assert kinds[1:] == [inspect.Parameter.KEYWORD_ONLY] * (len(kinds) - 1)


# ----------------------------------------------------------------- extract_json


@pytest.mark.parametrize("text", ["", " \n", "I can't help with that.", "use {name}"])
def test_no_json_is_an_error_or_the_default(text: str) -> None:
    """A reply without JSON would give a value, or no error."""
    for call in (extract, extract_json, loads):
        with pytest.raises(NoJSONError) as caught:
            call(text)
        assert not caught.value.in_reasoning
    assert extract_all(text) == []
    default: dict[str, Any] = {}
    assert extract_json(text, default=default) is default
    assert extract_json(text, default=None) is None


def test_default_stands_in_for_no_json_only() -> None:
    """A limit or a forbidden repair would be hidden by the default."""
    assert extract_json("null value: []", default=1) == []
    with pytest.raises(LimitError):
        extract_json("[[1]]", default=None, max_depth=1)
    with pytest.raises(BrokenJSONError):
        extract_json("{'a': 1}", default=None, repair="off")
    thought = '<think>{"a": 1}</think> no'
    assert extract_json(thought, default=None) is None


TWO = 'First {"a": 1, "b": 2}, then {"a": 3}.'


def test_pick_chooses_by_place_or_merit() -> None:
    """The first, last or best value would be another one."""
    assert extract_json(TWO) == {"a": 1, "b": 2}
    assert extract_json(TWO, pick="best") == {"a": 1, "b": 2}
    assert extract_json(TWO, pick="first") == {"a": 1, "b": 2}
    assert extract_json(TWO, pick="last") == {"a": 3}
    assert [found.value for found in extract_all(TWO)] == [{"a": 1, "b": 2}, {"a": 3}]


def test_reasoning_is_a_fallback_only() -> None:
    """A draft would be preferred to the answer once reasoning may be read."""
    text = '<think>{"draft": 1, "longer": true}</think>{"answer": 2}'
    assert extract_json(text, reasoning="fallback") == {"answer": 2}
    draft = '<think>{"draft": 1}</think> no'
    found = extract(draft, reasoning="fallback")
    assert (found.value, found.kind) == ({"draft": 1}, CandidateKind.REASONING)
    (same,) = extract_all(draft, reasoning="fallback")
    assert same.value == {"draft": 1}
    assert extract_all(draft) == []


def test_max_length_counts_characters() -> None:
    """A limit would count bytes, or be off by one."""
    text = '{"a": "漢😀"}'
    for call in READERS:
        call(text, max_length=len(text))
        with pytest.raises(LimitError, match="max_length"):
            call(text, max_length=len(text) - 1)


def test_repair_is_a_ceiling() -> None:
    """A policy would allow a bolder repair than it says, or forbid a safer one."""
    by_risk = {
        Risk.NONE: '{"a": 1}',
        Risk.SAFE: "{'a': 1,} // x",
        Risk.CUT: '{"a": 1, "b',
        Risk.GUESS: '{"a": 1, "b": yes it is}',
    }
    allowed: dict[Any, Risk]
    allowed = {"off": Risk.NONE, "safe": Risk.SAFE, "all": Risk.GUESS}
    for repair, ceiling in allowed.items():
        for risk, text in by_risk.items():
            if risk <= ceiling:
                assert extract(text, repair=repair).risk == risk
                continue
            for call in (extract_json, loads):
                with pytest.raises(BrokenJSONError, match=repair) as caught:
                    call(text, repair=repair)
                assert caught.value.kind is not None
                assert caught.value.kind.risk > ceiling
            assert extract_all(text, repair=repair) == []


def test_a_permitted_value_is_found_beside_a_forbidden_one() -> None:
    """One broken draft would hide the valid answer beside it."""
    text = "Draft: {'a': 1, 'b': 2, 'c': 3}. Answer: {\"d\": 4}."
    assert extract_json(text, repair="off") == {"d": 4}
    assert [found.value for found in extract_all(text, repair="off")] == [{"d": 4}]


# -------------------------------------------------------------------- Extraction


def test_an_extraction_says_all() -> None:
    """Where the value stood and what was done to it would be wrong or missing."""
    reply = 'Sure:\n```json\n{\'a\': [1, 2,], "b": "x'
    found = extract(reply)
    assert found.value == {"a": [1, 2], "b": "x"}
    assert found.reply == reply
    assert found.span == (reply.index("{"), len(reply))
    assert found.kind is CandidateKind.FENCED
    assert found.text == '{"a": [1, 2], "b": "x"}'
    assert [(reply[e.start : e.end], e.replacement, e.kind) for e in found.edits] == [
        ("'", '"', EditKind.QUOTE_MARK),
        ("'", '"', EditKind.QUOTE_MARK),
        (",", "", EditKind.COMMA),
        ("", '"', EditKind.CUT),
        ("", "}", EditKind.CUT),
    ]
    assert (found.complete, found.open_path) == (False, ("b",))
    assert found.risk is Risk.CUT
    assert found.timings is None
    assert repr(found) == f"<Extraction fenced 14:{len(reply)}, 5 edits, cut off>"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('{"items": [1, 2, 3, {"name": "A', ("items", 3, "name")),
        ('{"a": 1', ("a",)),
        ("[[1, 2], [3", (1, 0)),
        ('{"a": {"b": ', ("a",)),
        ("[", ()),
        ('{"a": 1}', ()),
        ('{"a": 1, "b": 2, "a": [3', ("a", 0)),
        ('{"\\u0061": [{}, {"x": "]}"}, ["', ("a", 2, 0)),
        ('{"a": 1, "b": [[], [1], {"c": {}}', ("b", 2)),
        ('{"a": 1} {"b": "x', (1, "b")),
    ],
)
def test_open_path_says_where_it_broke_off(
    text: str, path: tuple[str | int, ...]
) -> None:
    """The place where the reply broke off would be another one."""
    outcome = run_every_way(extract, text)
    assert outcome.reports[0][5] == path
    assert extract(text).complete is (text == '{"a": 1}')


@pytest.mark.parametrize(
    ("reply", "options"),
    [
        ('{"a": [1, 2.5, null]}', {}),
        ("Sure: {'a': [1, 2,], b: NaN", {}),
        ("{a:1} {b:2}", {}),
        ('"{\\"a\\": 1}"', {}),
        ("{'a': 1}", {"timings": True}),
        ("{'a': '1'}", {"schema": {"properties": {"a": {"type": "integer"}}}}),
    ],
)
def test_an_extraction_can_be_pickled(reply: str, options: dict[str, Any]) -> None:
    """A process that found something could not hand it to another."""
    for again in (
        pickle.loads(pickle.dumps(extract(reply, **options))),
        copy.deepcopy(extract(reply, **options)),
    ):
        found = extract(reply, **options)
        assert is_same(again.value, found.value)
        for name in (
            "reply", "span", "kind", "text", "edits", "risk", "complete",
            "open_depth", "open_path", "coercions",
        ):  # fmt: skip
            assert getattr(again, name) == getattr(found, name), name
        assert (again.timings is None) is (found.timings is None)
        assert again.explain() == found.explain()


class Words(str):
    """Text as some frameworks hand it over."""

    __slots__ = ()

    def __str__(self) -> str:
        return "another"


def test_subclasses_of_str_are_text() -> None:
    """The compiled rewriter takes str alone, and the reply would be a TypeError."""
    for text in ('{"a": 1}', "Sure: {'a': 1,}", "[{'a': 1}"):
        assert extract(Words(text)).value == extract(text).value
        assert extract(Words(text), timings=True).value == extract(text).value
        assert loads(Words(text)) == loads(text)
        assert len(extract_all(Words(text))) == 1


def test_edits_are_the_same_when_read_again() -> None:
    """Edits, which are made when they are read, would be made anew or be lost."""
    found = extract("{'a': 1,}")
    assert found.edits is found.edits
    assert len(found.edits) == 3


def test_timings_are_measured_when_asked_for() -> None:
    """Stages would be missing, or measured for everybody."""
    found = extract("So: {'a': 1,}", timings=True)
    assert found.timings is not None
    stages = ["decode", "locate", "strict", "mend", "choose", "validate"]
    assert list(found.timings) == stages
    ran = [stage for stage, time in found.timings.items() if time.runs]
    assert ran == ["locate", "strict", "mend", "choose"]
    assert all(found.timings[stage].ns > 0 for stage in ran)
    assert extract("So: {'a': 1,}").timings is None


# ------------------------------------------------------------------- extract_all


def test_values_with_nothing_between_are_one_list() -> None:
    """NDJSON would come back as its first line, or prose be taken for a separator."""
    lines = '{"a": 1}\n{"a": 2}\n{"a": 3}'
    (found,) = extract_all(lines)
    assert found.value == [{"a": 1}, {"a": 2}, {"a": 3}]
    assert {edit.kind for edit in found.edits} == {EditKind.JOIN}
    assert run_every_way(loads, lines).value == found.value
    assert len(extract_all('{"a": 1} and {"a": 2}')) == 2


def test_extract_all_is_in_reading_order() -> None:
    """The order would be that of rank and not that of the reply."""
    text = 'a {"x": 1} b\n```json\n{"y": 2}\n```\nc {"z": 3,}'
    found = run_every_way(extract_all, text)
    assert found.values == ({"x": 1}, {"y": 2}, {"z": 3})
    starts = [report[0].start for report in found.reports]
    assert starts == sorted(starts)


# ------------------------------------------------------- loads, load, from_file


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-0.5", -0.5),
        ("true", True),
        ("True", True),
        ("None", None),
        ("'a'", "a"),
        ("“a”", "a"),
        ('"a" // x', "a"),
        ("0x1F", 31),
        ("+1", 1),
        (".5", 0.5),
        ("1_000", 1000),
        ("02134", "02134"),
        ("\ufeff[1]", [1]),
        ('"{\\"a\\": 1}"', '{"a": 1}'),
    ],
)
def test_scalars_load(text: str, value: Any) -> None:
    """``loads`` would refuse a scalar, or unwrap what json.loads does not."""
    assert is_same(run_every_way(loads, text).value, value)


def test_loads_reads_a_reply_too() -> None:
    """A value with prose around it would be refused by ``loads``."""
    assert loads('Here: {"a": 1} there') == {"a": 1}
    with pytest.raises(NoJSONError):
        loads("just words")


def test_a_json_string_that_holds_json_is_unwrapped() -> None:
    """A reply encoded twice would stay a string, or a string inside be unwrapped."""
    text = json.dumps(json.dumps({"a": [1]}))
    found = extract(text)
    assert found.value == {"a": [1]}
    assert [edit.kind for edit in found.edits] == [EditKind.UNWRAP]
    assert extract_json(json.dumps(text)) == {"a": [1]}
    assert extract_json('["{\\"a\\": 1}"]') == ['{"a": 1}']
    assert extract_json(text, repair="off") == json.dumps({"a": [1]})


def test_load_takes_text_and_binary_files() -> None:
    """A file opened in one of the modes would not be read."""
    assert load(io.StringIO("{'a': 1}")) == {"a": 1}
    assert load(io.BytesIO("['é']".encode("utf-16"))) == ["é"]
    assert load(io.StringIO("[1.5]"), parse_float=str) == ["1.5"]
    with pytest.raises(BrokenJSONError):
        load(io.StringIO("[1,]"), repair="off")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_from_file_reads_any_encoding(tmp_path: Path, encoding: str) -> None:
    """A file in another encoding would be read as garbage."""
    path = tmp_path / "reply.json"
    path.write_text("{'name': 'Zoë', 'n': [1,]}", encoding)
    assert from_file(path) == {"name": "Zoë", "n": [1]}
    assert from_file(str(path)) == {"name": "Zoë", "n": [1]}


def test_from_file_lets_os_errors_through(tmp_path: Path) -> None:
    """A missing file would look like a text without JSON."""
    with pytest.raises(FileNotFoundError):
        from_file(tmp_path / "missing.json")
    with pytest.raises(OSError, match=r"irectory|denied"):
        from_file(tmp_path)


# ------------------------------------------------------------------- repair_json


def test_repair_json_has_the_signature_of_json_repair() -> None:
    """A call with its arguments, by place or by name, would be a TypeError."""
    theirs = pytest.importorskip("json_repair").repair_json
    parameters = inspect.signature(theirs).parameters.values()
    ours = inspect.signature(repair_json).parameters
    places = [
        (one.name, one.default)
        for one in parameters
        if one.kind is one.POSITIONAL_OR_KEYWORD
    ]
    assert places == [
        (one.name, one.default)
        for one in ours.values()
        if one.kind is one.POSITIONAL_OR_KEYWORD
    ]
    assert repair_json("[1,]", True) == [1]
    assert repair_json("[1,]", False, True, False, io.StringIO("{a: 2}")) == '{"a": 2}'


class Parcel(BaseModel):
    number: int = Field(alias="no")
    names: list[str] = []


PARCEL: Final = {
    "type": "object",
    "properties": {
        "n": {"type": "integer"},
        "names": {"type": "array", "items": {"$ref": "#/$defs/name"}},
        "d": {"const": {"properties": {"x": 1}}, "default": {"properties": {"x": 1}}},
    },
    "required": ["n"],
    "$defs": {"name": {"type": "string"}},
}


@pytest.mark.parametrize(
    ("text", "schema"),
    [
        ('{"n": "5", "names": "x", "other": [1,]', PARCEL),
        ('{n: 5.0, "names": ["x", 3]}', PARCEL),
        ('"{\\"n\\": 1}"', PARCEL),
        ('{"names": []}', PARCEL),
        ('{"n": "five"}', PARCEL),
        ('{"n": null}', PARCEL),
        ('{"no": "1", "more": 2}', Parcel),
        ('{"no": 1, "names": "x"', Parcel),
        ('{"names": []}', Parcel),
        ('{"a": 1,}', True),
        ('{"a": 1,}', False),
    ],
)
def test_repair_json_fits_schemas_as_json_repair_does(text: str, schema: Any) -> None:
    """A program that moves over would get another value."""
    theirs = pytest.importorskip("json_repair").repair_json
    try:
        expected = theirs(text, schema=schema)
    except ValueError:
        with pytest.raises(SchemaError):
            repair_json(text, schema=schema)
        return
    assert json.loads(repair_json(text, schema=schema)) == json.loads(expected)
    value = repair_json(text, schema=schema, return_objects=True)
    assert value == json.loads(expected)


def test_repair_json_tells_what_made_a_value_fit() -> None:
    """The log would hold the repairs and leave out the rest."""
    value, log = repair_json('{"n": "5",}', schema=PARCEL, logging=True)
    assert value["n"] == 5
    assert [type(one).__name__ for one in log] == ["Edit", "Coercion", "Coercion"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"schema_repair_mode": "salvage"}, "nobody wrote"),
        ({"schema_repair_mode": "salvage", "schema": PARCEL}, "nobody wrote"),
        ({"schema_repair_mode": "other"}, "use 'standard'"),
        ({"schema": PARCEL, "strict": True}, "cannot be used together"),
        ({"schema": "object"}, "use a JSON Schema"),
        ({"schema": int}, "use a JSON Schema"),
        ({"schema": {"type": "nonsense"}}, "not a valid JSON Schema"),
    ],
)
def test_repair_json_refuses_what_it_cannot_do(
    options: dict[str, Any], message: str
) -> None:
    """An argument would be taken and ignored."""
    with pytest.raises(ValueError, match=message):
        repair_json('{"n": 1}', **options)


def test_repair_json_takes_the_keywords_of_json_repair() -> None:
    """It would not drop in for the function of that name."""
    broken = "{'é': [1, 2"
    assert repair_json(broken) == '{"\\u00e9": [1, 2]}'
    assert repair_json(broken, ensure_ascii=False) == '{"é": [1, 2]}'
    assert repair_json(broken, return_objects=True) == {"é": [1, 2]}
    assert repair_json(broken, skip_json_loads=True) == repair_json(broken)
    assert repair_json(json_fd=io.StringIO(broken)) == repair_json(broken)
    assert repair_json("[1,]", indent=1) == "[\n 1\n]"
    value, log = repair_json("[1,]", logging=True)
    assert (value, [edit.kind for edit in log]) == ([1], [EditKind.COMMA])


@pytest.mark.parametrize("text", ["", "just words", "<think>{}</think>"])
def test_repair_json_raises_where_there_is_nothing(text: str) -> None:
    """An empty string would pass for a value."""
    with pytest.raises(NoJSONError):
        repair_json(text)


# ------------------------------------------------------------------ the surface


def test_all_public_names_are_there() -> None:
    """A documented name could not be imported."""
    for name in jsonsift.__all__:
        assert getattr(jsonsift, name) is not None
    assert sorted(jsonsift.__all__) == jsonsift.__all__


def test_names_that_come_later_are_names_like_others() -> None:
    """They would be missing where all names are listed, or any name be there."""
    script = (
        "import sys, jsonsift\n"
        "assert not {'jsonsift.stream', 'jsonsift.batch', 'regex'} & set(sys.modules)\n"
        "assert set(jsonsift.__all__) <= set(dir(jsonsift))\n"
        "assert not hasattr(jsonsift, 'extract_jsn')\n"
        "from jsonsift import *\n"
        "assert Stream is jsonsift.Stream and 'Stream' in vars(jsonsift)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("call", [*READERS, load, from_file, repair_json])
def test_public_calls_are_documented(call: Callable[..., Any]) -> None:
    """A reader of ``help()`` would find nothing."""
    assert call.__doc__
    assert "Raises:" in call.__doc__ or ">>>" in call.__doc__


@pytest.mark.parametrize(
    "wrap",
    [
        "{}", " {}", "```json\n{}\n```", "```json\n{}\n```\n", "So: {}", "1 {} ok?",
        "So: {} or [2]", "So (see [1]): {}", "<i>So</i> {}", "# So\n{}", "({})",
        '"So": {}', "So {}\n```\n[2]\n```", "So:\n```json\n{}\n```\nok?",
        "So:\n```json\n{}```", "So:\n```json\n{}\n```x", "So `[2]`:\n```json\n{}\n```",
        "So:\n```json\n{}\n```\n</think> no", "So:\n```json\n{}\n",
        '<think>\nNo {"x": 1}\n</think>\n\n{}', "<think>a</reason>b</think>\n{}",
        "<think>a</think> So {} ok?", "<think>a</think>\n```json\n{}\n```\nok?",
        "<think>{}</think>", "<think>{}", "<think>a</think>{}</think>",
        "<think>a</b>{}",
        "<THINK>a</THINK>{}", "<thinking>a</thinking>{}", "<think>a</think>{} <b>",
        'A:\n```json\n{"x": 1}\n```\nB:\n```json\n{}\n```',
        'A:\n```json\n{}\n```\nB:\n```json\n{"b": [1, 2]}\n```\n',
        "A:\n```json\n{}\n```\n```json\n{}\n```\nok?", "```json\n{}\n```\n[1]",
        "A:\n```json\n{}\n```\n```py\nx\n```", "```json\n{}\n\n```\n```json\n{}\n```",
        "```json\n\n{}\n```\n```json\n{}\n```",
        "<think>a</think>\n{}\n```json\n{}\n```",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "inside",
    [
        '{"a": [1, 2]}', "[1]", '[{"a": "```"}]', '{"a": "\n```"}', '{"a": 1,}', "{}",
        "[", '{"a": 1', "12", '"[1]"', '{"a": 1} {"a": 2}', "</think> [1]",
        "[1]\n```\n[2]", '{"a": 9223372036854775808}', '["\\ud800"]', "", "\n", "{]",
        "[" * 600 + "]" * 600, '{"a":' * 600 + "1" + "}" * 600, "[1, 2,]", "{{a}}",
        "{'a': 1} {'b': 2}", "{'a': 1}\n", "[TOOL_CALLS]", '["a", b] so', '{"a": NaN}',
        '{"a": "</think>"}', '{"a": "<b>"}', '{"a": "\u6771",\n}', "{ }",
        '{"a": 1}\n```\n```json\n{"b": 2}', '{"a": 1e999}', '{"a": "\ud800"}',
        "[[], 1]", '[{"a": "é"}]',
    ],
)  # fmt: skip
def test_the_short_way_gives_what_the_long_way_gives(inside: str, wrap: str) -> None:
    """extract_json alone has a short way; its answer would be another."""
    reply = wrap.replace("{}", inside)

    def read(call: Callable[[str], Any]) -> Any:
        try:
            return call(reply)
        except jsonsift.JSONSiftError as error:
            return type(error), str(error)

    assert read(extract_json) == read(lambda text: extract(text).value)
