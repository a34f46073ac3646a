"""Values made where the text lies: json.loads's own, of valid text and of mended."""

from __future__ import annotations

import gc
import json
import random
import re
import sys
from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jsonsift import JSONSiftError, _build, extract, extract_json, loads

from .every_way import is_same

DEEP: Final = 512
# One character more, so that all have so many bytes each.
WIDTHS: Final = {"ascii": "", "latin": "é", "wide": "名", "widest": "😀"}
NUMBERS: Final = (
    *("0", "-0", "7", "-12", "999999999999999999", "1000000000000000000"),
    *("-9223372036854775809", "18446744073709551616", "1" * 500, "1" * 600),
    *("0.1", "-0.0", "5e-324", "2.5E+3", "1e22", "1e23", "9007199254740993.0"),
    *("1.7976931348623157e308", "123456789.123456789123456789", "0." + "3" * 400),
    *("1e-400", "12345678.12345678", "1.00000000000000011102230246251565"),
)
NO_NUMBERS: Final = (
    *("01", "-01", "1.", ".5", "-", "+1", "1e", "1e+", "0x1", "1_0", "--1", "1.e5"),
    *("00", "1a", "1.2.3", "\N{FULLWIDTH DIGIT ONE}"),
)
SCALARS: Final = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
)
KEYS: Final = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
DOCUMENTS: Final = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5)
    ),
    max_leaves=30,
).map(lambda value: value if isinstance(value, (dict, list)) else [value])


def has_long_digits(text: str) -> bool:
    """Whether this build leaves the text to json.loads for its digits."""
    most = 18 if _build.BUILD == "pure" else 500
    return re.search(rf"[0-9]{{{most + 1}}}", text) is not None


def load(text: str) -> Any:
    """What the parser of this build gives of a text in the middle of another."""
    before, behind = '"]}', '"]}1e5"'
    whole = before + text + behind
    found = _build.load_text(whole, len(before), len(before) + len(text), DEEP)
    alone = _build.load_text(text, 0, len(text), DEEP)
    assert (found is None) == (alone is None)
    assert (found is NotImplemented) == (alone is NotImplemented)
    assert is_same(found, alone) or found is alone
    return found


def assert_loaded(text: str) -> None:
    """The value is json.loads's own, or is left to it for its digits."""
    found = load(text)
    if found is NotImplemented:
        assert has_long_digits(text)
    else:
        assert is_same(found, json.loads(text))


@given(DOCUMENTS, st.booleans(), st.sampled_from([None, 0, 3]))
def test_a_document_is_loaded(value: Any, is_ascii: bool, indent: int | None) -> None:
    """A value would be another, or be of another type."""
    assert_loaded(json.dumps(value, ensure_ascii=is_ascii, indent=indent))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_is_loaded(number: str, width: str) -> None:
    """Digits would be lost, or a float be rounded twice."""
    for rest in ("", " ", ', "after eight more"'):
        assert_loaded(f'["{WIDTHS[width]}", {number}{rest}]')


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("number", NO_NUMBERS)
def test_what_is_no_number_is_not_loaded(number: str, width: str) -> None:
    """A text would be called valid that is not, and its fault not be told."""
    assert load(f'["{WIDTHS[width]}", {number}]') in (None, NotImplemented)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "body",
    [
        *('"', "\\", "\\x", "\\u12", "\\u123g", "\\ud83d", "\\ude00", "\\ud83d\\u0041"),
        *("\\ud83d\\ud83d", "a\nb", "a\tb", "\x00", "\x1f", "\ud83d", "\\U00000041"),
        *("\\n\\", "\\ude00\\ud83d", "\\ud83d\\n", "\\uD83Dx\\uDE00"),
    ],
)
def test_a_broken_string_is_not_loaded(body: str, width: str) -> None:
    """A half of a pair would get out, or a control character pass for valid."""
    for text in (f'["{WIDTHS[width]}{body}"]', f'{{"{WIDTHS[width]}{body}": 1}}'):
        assert load(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[",
        "[1",
        '{"a"',
        '{"a":',
        '{"a":1',
        "[1,",
        "[,1]",
        "[1,]",
        "[1 2]",
        "{,}",
        '{"a":1,}',
        '{"a" 1}',
        "{a:1}",
        "[1}",
        '{"a":1]',
        "[]]",
        "{1:2}",
        '{"a":1 "b":2}',
        "[tru]",
        "[nulls]",
        "[True]",
        "['a']",
        "[1]2",
        '{"a"}',
        '{"a":}',
        "[1;2]",
        "[|]",
        '{"a":1,"b"}',
        "[\\]",
        '["a" "b"]',
        '{"a":{"b":1}',
        '["a]',
        "[1,\xa02]",
    ],
)
def test_broken_text_is_not_loaded(text: str) -> None:
    """It would be an answer without a repair."""
    for character in WIDTHS.values():
        assert load(text.replace("a", f"a{character}")) is None


@pytest.mark.parametrize("text", ["[NaN]", '{"a": -Infinity}', "[Infinity]", "[1e999]"])
def test_what_only_json_loads_tells_is_left_to_it(text: str) -> None:
    """The value would be lost, though json.loads reads it."""
    assert load(text) is NotImplemented


def test_what_is_too_deep_is_told() -> None:
    """A value would be given that is nested deeper than is allowed."""
    for most in (1, 3, DEEP, 1_000):
        text = "[" * most + "]" * most
        found = _build.load_text(text, 0, len(text), most)
        assert isinstance(found, list)
        assert _build.load_text(f"[{text}]", 0, len(text) + 2, most) is NotImplemented


@pytest.mark.parametrize("width", WIDTHS)
def test_keys_are_told_apart(width: str) -> None:
    """A key that is like the last ones would be one of them: by its length, by how it
    begins and ends, or by the bytes it has where characters are wider.
    """
    dice = random.Random(width)
    parts = [
        "a",
        "b",
        "ab",
        "é",
        "扡",
        "扡扢",
        "abcdefgh",
        "hgfedcba",
        "\x7f",
        "😀",
        '\\"',
    ]
    rows = []
    for _ in range(60):
        keys = ["".join(dice.choices(parts, k=dice.randint(0, 9))) for _ in range(30)]
        rows.append(
            "{" + ", ".join(f'"{key}": {n}' for n, key in enumerate(keys)) + "}"
        )
    text = f'["{WIDTHS[width]}", ' + ",\n".join(rows) + "]"
    assert is_same(load(text), json.loads(text))
    broken = text.replace("},\n{", "} {", 7).replace('", "', '" "', 5)
    assert is_same(extract_json(broken), extract(broken).value)


def test_a_piece_of_other_width_has_keys_of_its_own() -> None:
    """What was mended of a wide text may be ASCII, and two bytes are one character or
    two.
    """
    text = '[{"扡": 1}, {"ab": 0x10}, {"扡": 3 "ab": 4}]'
    expected = [{"扡": 1}, {"ab": 16}, {"扡": 3, "ab": 4}]
    assert extract_json(text) == extract(text).value == expected


@pytest.mark.parametrize("before", ["", "x" * 3_000])
@pytest.mark.parametrize("end", ["()" + "]" * 512, "("])
def test_a_list_that_was_parentheses_counts_for_depth(before: str, end: str) -> None:
    """A value would be nested deeper than is allowed."""
    text = f"['{before}'," + "[" * 511 + end
    assert _value(extract_json, text) == _value(loads, text) == "LimitError"


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        ("\"a': 1, 'b\"", "'a': 1, 'b'", {"a": 1, "b": 7}),
        ('"a: 1, b"', "a: 1, b", {"a": 1, "b": 7}),
        ("'a: 1, b'", "a: 1, b", {"a": 1, "b": 7}),
        ("\"b': 2}, {'b\"", "'b': 2}, {'b'", {"b": 7}),
    ],
)
def test_a_key_does_not_go_on_behind_its_end(
    first: str, then: str, expected: dict[str, int]
) -> None:
    """What follows a key would be taken for a part of it, as it was of the last one."""
    text = f"[{{x: 0, {first}: 5}}, {{x: 0, {first}: 6}}, {{x: 0, {then}: 7}}]"
    found = extract_json(text)
    assert found == extract(text).value
    assert found[-1].items() >= expected.items()


def _damage(text: str, dice: random.Random) -> str:
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(text) + 1)
        cut = dice.choice((0, 0, 1, 1, 2))
        new = dice.choice(("", "", *"\"',:{}[]\n\\<`#é名", "// x\n", ",,", "null", "“"))
        text = text[:at] + new + text[at + cut :]
    return text


def _value(call: Callable[[str], Any], text: str) -> Any:
    try:
        return call(text)
    except JSONSiftError as error:
        return type(error).__name__


@given(
    st.lists(DOCUMENTS, min_size=1, max_size=12), st.integers(0, 2**32), st.booleans()
)
def test_the_value_alone_is_that_of_the_mended_text(
    values: list[Any], seed: int, is_ascii: bool
) -> None:
    """A value made of what was passed over would not be the one the edits tell."""
    dice = random.Random(seed)
    text = json.dumps(values, indent=2, ensure_ascii=is_ascii)
    if dice.random() < 0.3:
        text = text.replace('"', "'")
    text = _damage(text, dice)
    expected = _value(lambda reply: extract(reply).value, text)
    assert is_same(_value(extract_json, text), expected)


@pytest.mark.parametrize(
    "text",
    [
        '[{"a": "x", "b": [1.5, null]}, {"a": "y\\n", "c": 12345678901234567890}]',
        '[{"a": "x", "b": [1.5, null]}, {"a": "y" "c": 2}, {"a": "z", "b": [2]}]',
        '{"a": ["x", "y", {"k\\u00e9y": "long enough to be no key at all"}, "z',
        '[{"a": {"b": "c"}}, {"a": {"b": "d", "x": tru}}, {"a": 1e999}]',
        '{"a": ["\\ud83d", "b"], "n": ' + "1" * 5000 + "}",
        '["a", {"b": "c "d" e", "f": 1}, {"f": 2}]',
        "[" * 600 + '"a"',
    ],
)
def test_nothing_is_kept(text: str) -> None:
    """A value or key that nobody lets go would fill the memory of a service."""

    def run(times: int) -> int:
        for _ in range(times):
            _value(extract_json, text)
            _build.load_text(text, 0, len(text), DEEP)
        gc.collect()
        return sys.getallocatedblocks()

    run(50)
    before = run(1)
    assert run(300) - before < 250  # some for caches that fill
