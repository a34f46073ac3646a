"""The guarded strict parse: what json.loads gives, and no error that is not ours."""

from __future__ import annotations

import inspect
import json
import math
import sys
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any, Final

import pytest

from jsonsift import (
    LimitError,
    NoJSONError,
    SchemaError,
    _build,
    extract,
    extract_all,
    extract_json,
    loads,
)
from jsonsift._strict import FAILED, check_depth, parse_strict
from jsonsift._types import EditKind
from jsonsift.batch import extract_many

from .every_way import is_same, run_every_way

# Integers that orjson alone would turn into floats, and the last ones that it reads.
LONG: Final = [
    2**63 - 1,
    2**63,
    2**64 - 1,
    2**64,
    -(2**63),
    -(2**63) - 1,
    10**40 + 1,
    -(10**300) - 7,
    int("9" * 4_300),
]
# Ways that a number takes to the strict parser.
PATHS: Final[dict[str, Callable[[str], str]]] = {
    "whole": lambda number: f'{{"n": {number}}}',
    "spaced": lambda number: f' \n{{"n": {number}}}\n',
    "fenced": lambda number: f'So:\n```json\n{{"n": {number}}}\n```\n',
    "in prose": lambda number: f'So: {{"n": {number}}} it is.',
    "mended after": lambda number: f'{{"n": {number},}}',
    "mended before": lambda number: f"{{'n': {number}}}",
    "bare key": lambda number: f"{{n: {number}, }}",
    "cut": lambda number: f'{{"n": {number}, "m',
}


def _name(number: int) -> str:
    digits = len(format(abs(number), "x")) * 4
    return f"{number}" if digits < 100 else f"about {digits} bits"


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("number", LONG, ids=_name)
def test_integers_keep_every_digit(number: int, path: str) -> None:
    """An id of 64 bits or more would come back as a float, or with wrong digits."""
    outcome = run_every_way(extract, PATHS[path](str(number)))
    assert is_same(outcome.value, {"n": number})


@pytest.mark.parametrize("number", LONG, ids=_name)
def test_long_integers_load(number: int) -> None:
    """The same as a whole text of its own, and as an item."""
    assert is_same(run_every_way(loads, str(number)).value, number)
    assert is_same(run_every_way(loads, f"[{number}, {number},]").value, [number] * 2)


@pytest.mark.parametrize("path", PATHS)
def test_five_thousand_digits_are_a_limit(path: str) -> None:
    """int()'s bare ValueError would leave a public function."""
    text = PATHS[path]("7" * 5_000)
    with pytest.raises(LimitError, match="more than 4300 digits"):
        extract_json(text)
    assert is_same(extract_json(text, parse_int=len), {"n": 5_000})
    outcome = run_every_way(extract, text)
    assert outcome.error == "LimitError"


def test_the_limit_of_digits_says_where() -> None:
    """The error would not say where in the reply the number stands."""
    text = 'So:\n```json\n{"n": ' + "1" * 5_000 + "}\n```"
    with pytest.raises(LimitError) as caught:
        extract_json(text)
    assert caught.value.pos == text.index("111")


def test_a_higher_digit_limit_of_the_interpreter_counts() -> None:
    """A caller who raised Python's own limit would be refused all the same."""
    kept = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(6_000)
    try:
        assert extract_json("[" + "7" * 5_000 + "]") == [int("7" * 5_000)]
    finally:
        sys.set_int_max_str_digits(kept)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1e400]", [math.inf]),
        ("[-1e400, 1]", [-math.inf, 1]),
        ("[1e-400]", [0.0]),
        ("[NaN]", [math.nan]),
        ("[Infinity, -Infinity]", [math.inf, -math.inf]),
        ('{"a": NaN, "b": 9223372036854775808}', {"a": math.nan, "b": 2**63}),
        ("[-0, -0.0, 0.0]", [0, -0.0, 0.0]),
        ("[0.1, 1E5, 5e-324]", [0.1, 1e5, 5e-324]),
        ("[1.7976931348623157e308]", [sys.float_info.max]),
        ("[123456789012345678901234567890.5]", [1.2345678901234568e29]),
        ('["\\u0000", "a\\u0000b"]', ["\0", "a\0b"]),
        ('["\\ud83d\\ude00\\u00e9"]', ["😀é"]),
        ('{"a": 1, "a": 2}', {"a": 2}),
    ],
)  # fmt: skip
def test_odd_valid_json_equals_json_loads(text: str, expected: Any) -> None:
    """What json.loads reads would be refused or rounded because orjson is stricter."""
    assert is_same(json.loads(text), expected)
    for call in (extract, loads):
        assert is_same(run_every_way(call, text).value, expected)
    assert extract(text).edits == ()
    mended = text[:-1] + "," + text[-1]
    assert is_same(run_every_way(extract, mended).value, expected)


@pytest.mark.parametrize("space", ["", " ", "\n"])
@pytest.mark.parametrize("rest", ["", ", 9223372036854775808", ", NaN"])
@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("\\ud83d", "\ufffd"),
        ("\\ude00", "\ufffd"),
        ("\\ude00\\ud83d", "\ufffd\ufffd"),
        ("a\\ud83dz", "a\ufffdz"),
        ("\\ud83d\\ud83d\\ude00", "\ufffd😀"),
        ("\\ud83d\\u0041", "\ufffdA"),
        ("\\\\ud83d\\ude00", "\\ud83d\ufffd"),
        ("\\uD83D\\n", "\ufffd\n"),
        ("\ud83d", "\ufffd"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
    ],
)
def test_lone_surrogates_become_the_replacement_character(
    written: str, read: str, rest: str, space: str
) -> None:
    """A returned string could not be encoded as UTF-8."""
    text = f'{space}["{written}"{rest}]'
    found = extract(text)
    assert found.value[0] == read
    assert found.edits
    assert {edit.kind for edit in found.edits} == {EditKind.SURROGATE}
    assert run_every_way(loads, text).value[0] == read
    assert run_every_way(extract, f'{{"k": ["{written}",]').value["k"][0] == read


@pytest.mark.parametrize("written", ["\\\\ud83d", "\\\\\\\\ude00", "\\ud83d\\ude00"])
def test_what_only_looks_like_a_lone_surrogate_stays(written: str) -> None:
    """An escaped backslash before ``ud83d`` would be taken for an escape."""
    for rest in ("", ", 9223372036854775808"):
        text = f'["{written}"{rest}]'
        assert extract(text).edits == ()
        assert is_same(loads(text), json.loads(text))


def test_nul_is_a_character_like_others() -> None:
    """A raw NUL would end the text, or be lost."""
    found = extract('{"a\0": "b\0c"}\0')
    assert found.value == {"a\0": "b\0c"}
    assert {edit.kind for edit in found.edits} == {EditKind.CONTROL}
    assert run_every_way(loads, '["\0"]').value == ["\0"]


# ------------------------------------------------------------------------- depth


def _nested(depth: int, opener: str = "[", core: str = "") -> str:
    closer = {"[": "]", '{"a":': "}"}[opener]
    return opener * depth + core + closer * depth


@pytest.mark.parametrize(("opener", "core"), [("[", ""), ('{"a":', "1")])
@pytest.mark.parametrize("fault", ["", ","])
def test_depth_up_to_the_limit_is_read(opener: str, core: str, fault: str) -> None:
    """A value as deep as max_depth allows would be refused, or one deeper read."""
    for depth, limit in ((512, 512), (513, 513), (1024, 1024)):
        value = extract_json(_nested(depth, opener, core + fault), max_depth=limit)
        reached = 0
        while value not in (1, []):
            value = value[0] if isinstance(value, list) else value["a"]
            reached += 1
        assert reached + (value == []) == depth
        deeper = _nested(depth + 1, opener, core + fault)
        with pytest.raises(LimitError, match=str(limit)):
            extract_json(deeper, max_depth=limit)
        with pytest.raises(LimitError, match=str(limit)):
            loads(deeper, max_depth=limit)


@pytest.mark.parametrize("opener", ["[", '{"a":'])
@pytest.mark.parametrize("depth", [1_025, 100_000])
@pytest.mark.parametrize(
    "around", ["{}", "So: {} and", "```json\n{}\n```", "{}\n", "\n\n{}", "[1,,{}]"]
)
def test_great_depth_is_a_limit(opener: str, depth: int, around: str) -> None:
    """Deep nesting would end in a RecursionError or a crash."""
    for closed in (True, False):
        core = "1" if opener != "[" else ""
        body = _nested(depth, opener, core) if closed else opener * depth
        text = around.replace("{}", body)
        for call in (extract_json, loads):
            with pytest.raises(LimitError, match="512") as caught:
                call(text)
            assert 0 <= caught.value.pos < len(text)
            assert text[caught.value.pos] in "[{"


def test_brackets_in_strings_are_not_depth() -> None:
    """A string full of brackets would pass for deep nesting."""
    text = json.dumps({"code": "[{" * 5_000, "b": ["\\" * 9 + '"[[['] * 400})
    assert is_same(extract_json(text), json.loads(text))
    check_depth(json.loads(text), text, 2)
    with pytest.raises(LimitError):
        check_depth(json.loads(text), text, 1)


def test_many_shallow_brackets_are_not_depth() -> None:
    """A long flat document would pass for a deep one."""
    text = json.dumps([[{"a": []}, {}] for _ in range(2_000)])
    assert is_same(parse_strict(text, max_depth=4), json.loads(text))
    with pytest.raises(LimitError):
        parse_strict(text, max_depth=3)


def test_a_comb_of_brackets_is_measured_right() -> None:
    """Uneven nesting would be measured wrong by the quick bound."""
    text = "[" + ",".join("[" * (n % 40) + "]" * (n % 40) for n in range(1, 500)
                          if n % 40) + "]"  # fmt: skip
    assert is_same(parse_strict(text, max_depth=40), json.loads(text))
    with pytest.raises(LimitError):
        parse_strict(text, max_depth=39)


# ------------------------------------------------------------------------- hooks


def _hooked(text: str) -> Any:
    return extract_json(
        text,
        parse_int=lambda digits: f"int {digits}",
        parse_float=Decimal,
        parse_constant=lambda name: f"constant {name}",
        object_pairs_hook=lambda pairs: pairs,
    )


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        " {} ",
        "So: {} it is",
        "```json\n{}\n```",
        "```\n{},\n```",
        "{},",
        "{} //x",
    ],
)
def test_hooks_are_called_on_every_path(around: str) -> None:
    """Hooks of json.loads would be forgotten on one of the paths."""
    text = '{"a": 1, "b": 0.1, "c": [-Infinity, 1E400], "a": 12345678901234567890}'
    expected = [
        ("a", "int 1"),
        ("b", Decimal("0.1")),
        ("c", ["constant -Infinity", Decimal("1E400")]),
        ("a", "int 12345678901234567890"),
    ]
    assert _hooked(around.replace("{}", text)) == expected
    mended = text.replace('"a": 1,', "'a': 1,,")
    assert _hooked(around.replace("{}", mended)) == expected


def test_hooks_reach_loads_and_extract_all() -> None:
    """The other calls would take hooks and not use them."""
    assert loads("[1.10, 2,]", parse_float=Decimal) == [Decimal("1.10"), 2]
    assert loads("1.10", parse_float=str) == "1.10"
    found = extract_all(
        'a {"x": 1.10} b {"x": [2,]}', parse_float=Decimal, parse_int=str
    )
    assert [one.value for one in found] == [{"x": Decimal("1.10")}, {"x": ["2"]}]


def test_errors_of_hooks_are_the_callers() -> None:
    """An error of the caller's own hook would be swallowed or renamed."""

    def refuse(digits: str) -> Any:
        raise ZeroDivisionError(digits)

    def object_to_values(pairs: list[tuple[str, Any]]) -> Any:
        raise ValueError("no objects, please")

    with pytest.raises(ZeroDivisionError):
        extract_json('{"a": 1}', parse_int=refuse)
    with pytest.raises(ValueError, match="no objects"):
        extract_json('{"a": 1}', object_pairs_hook=object_to_values)


@pytest.mark.parametrize(
    "error",
    [
        NoJSONError("inside"),
        SchemaError("inside", None, None),
        LimitError("inside"),
        RecursionError("inside"),
        KeyError("inside"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_of_hooks_are_no_outcome(error: Exception) -> None:
    """A default would stand in for a fault in the caller's code, or hide its name."""

    def fail(pairs: list[tuple[str, Any]]) -> Any:
        raise error

    for text in ('{"a": 1}', "So: {a: 1}"):
        for call in (loads, extract_all, partial(extract_json, default=None)):
            with pytest.raises(type(error)) as caught:
                call(text, object_pairs_hook=fail)
            assert caught.value is error
    assert extract_many([text], object_pairs_hook=fail).__next__().status == "error"


def test_a_hook_may_read_what_a_hook_reads() -> None:
    """An error from within would stay marked, and a default not stand in for it."""

    def read_inner(pairs: list[tuple[str, Any]]) -> Any:
        return {key: extract_json(one, default="none") for key, one in pairs}

    text = '{"a": "[1,]", "b": "no"}'
    assert extract_json(text, object_pairs_hook=read_inner) == {"a": [1], "b": "none"}


@pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="the limit does not count what recurses in C"
)
def test_recursion_of_json_loads_is_a_limit() -> None:
    """Where hooks are called the stack may end in json.loads itself."""
    text = '{"a":' * 900 + "1" + "}" * 900
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 300)
    try:
        with pytest.raises(LimitError, match="nested too deeply"):
            extract_json(text, max_depth=1024, parse_float=Decimal)
    finally:
        sys.setrecursionlimit(limit)


# ---------------------------------------------------------------- the parse itself


@pytest.mark.parametrize(
    "text",
    ["", " ", "{", "[1,]", "{'a': 1}", "[01]", "nan", "-", '"a', "[1] 2", "\ud800"],
)
def test_what_is_no_json_fails_without_an_error(text: str) -> None:
    """Invalid text would raise where the rewriter should get its turn."""
    assert parse_strict(text) is FAILED
    assert parse_strict(text, any_integer=True) is FAILED


def test_offsets_count_from_where_the_text_stands() -> None:
    """Errors would point into the piece and not into the reply."""
    with pytest.raises(LimitError) as caught:
        parse_strict("[[[]]]", max_depth=2, at=100)
    assert caught.value.pos == 102


def test_brackets_in_strings_hide_no_depth() -> None:
    """A value nested deeper than allowed would come back."""
    text = "[" + '["]",' * 20 + "1" + "]" * 21
    with pytest.raises(LimitError, match="deeper than 8"):
        parse_strict(text, max_depth=8)


def test_beyond_what_orjson_nests_is_a_limit_error() -> None:
    """The rewriter would be tried on valid JSON."""
    for max_depth in (512, 1024):
        with pytest.raises(LimitError) as caught:
            parse_strict("[" * 1100 + "]" * 1100, max_depth, at=7)
        assert caught.value.pos == 7 + max_depth


def test_no_parser_nests_deeper_than_it_may() -> None:
    """Where the interpreter may recurse far, json.loads would nest without limit."""
    kept = sys.getrecursionlimit()
    text = "[NaN," + "[" * 1_500 + "]" * 1_501
    sys.setrecursionlimit(20_000)
    try:
        for depth in (512, 1024):
            with pytest.raises(LimitError, match=rf"deeper than {depth} \(max_depth"):
                parse_strict(text, depth)
    finally:
        sys.setrecursionlimit(kept)


_SHORT_WAYS: Final = {
    "loaded": _build.read_valid,
    "pure": _build.load_pure_layers()["_shortcut"].read_valid,
}


@pytest.mark.parametrize("way", _SHORT_WAYS)
@pytest.mark.parametrize("word", ["x", "é", "字", "😀"])
@pytest.mark.parametrize(
    "space",
    ["", " ", "\n", "\r\n", "\t\n", "\n\n  ", " \t\r\n", "\n" + " " * 70, " \n" * 99],
)
def test_the_short_way_takes_any_white_space(way: str, word: str, space: str) -> None:
    """Valid JSON would be taken for broken by what stands around its line ends."""
    document = f'["{word}",{{"a":[1,-2.5],"b":{{}}}},true,[null]'
    for mark in "[]{},:":
        document = document.replace(mark, f"{space}{mark}{space}")
    for size in range(0, 300, 7):  # it looks at 64 characters at once
        text = (
            f'["{"x" * size}",{space}{document.strip()},{space}"{"x" * size}"{space}]]'
        )
        assert is_same(_SHORT_WAYS[way](text), json.loads(text))
