"""What must hold for every text there is, tried on texts that Hypothesis makes up.

The profile is fixed: the same examples on every machine, no deadline.  To look for
new ones, set JSONSIFT_EXPLORE=20 (twenty times as many examples, new ones each time).
"""

from __future__ import annotations

import json
import math
import os
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Verbosity, example, given, settings
from hypothesis import strategies as st

import jsonsift

from .every_way import (
    BUILDS,
    NO_PARITY,
    apply_edits,
    assert_chunks_agree,
    assert_outcome,
    assert_replays,
    is_same,
    mend,
    run_call,
    run_every_way,
    use_build,
)

_EXPLORE = int(os.environ.get("JSONSIFT_EXPLORE", "0"))


def fixed(max_examples: int) -> settings:
    """The one profile, with a number of examples."""
    return settings(
        max_examples=max_examples * max(_EXPLORE, 1),
        derandomize=not _EXPLORE,
        database=None,
        deadline=None,
        verbosity=Verbosity.normal,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )


# --------------------------------------------------------------- texts of all kinds

# What decides something somewhere: each is a token for `hostile`.
_TOKENS = (
    *"{}[]()\"'`\\:,;+-./*#<>=_$ \n\t\r0123456789aefnrtuxN",
    '"a"', '"b": ', "{'c': ", '": ', '", "', '"}', '"]', "]}", '\\"', "\\\\", "\\n",
    "true", "fals", "None", "NaN", "-Infinity", "1e5", ".5", "0x1F", "1_000", "-",
    "```", "```json\n", "\n```", "~~~", "<think>", "</think>", "<|channel|>final",
    "//", "/* ", " */", "<!--", "-->", "...", "…", '"""', "'''", "&quot;",
    "ObjectId(", "new Date(", "f(1)", "key", "Sure, here: ", "C:\\", "\\u00", "\\ud8",
    "\\ud83d\\ude00", "\ud83d", "\ude00", "\x00", "\x1f", "\x7f", "\x85", "\ufeff",
    "“", "”", "‘", "’", "«", "｛", "｝", "［", "］", "：", "，", "＂", "\u00a0",
    "\u200b", "\u200d", "\u202e", "\u2028", "é", "漢", "😀", "１", "½",
)  # fmt: skip

hostile = st.lists(st.sampled_from(_TOKENS), max_size=24).map("".join)
# What is closed that was not opened, joined to nothing, or begun and left.
broken = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "{", "[", "(", "{a:", "[[", '{"a": [', '"a": [1, ']),
    st.lists(
        st.sampled_from([*"[]{}()\"':;,a1\\ \n", "，", "“", "”", "&quot;", "true"]),
        max_size=8,
    ).map("".join),
    st.sampled_from(["", "}", "]", ")", "]}"]),
)
any_text = st.one_of(
    hostile,
    st.text(st.characters(), max_size=40),  # lone surrogates too
    st.text(st.sampled_from('{}[]"\\,: a1'), max_size=40),
)
any_bytes = st.one_of(
    st.binary(max_size=40),
    hostile.map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.tuples(hostile, st.sampled_from(["utf-16", "utf-16-le", "utf-32-be", "latin-1"]))
    .map(lambda pair: pair[0].encode(pair[1], "ignore")),
)  # fmt: skip


# ------------------------------------------------------------------- valid JSON

_SPACES = st.sampled_from(["", "", "", " ", "\n", "\t ", "\r\n"])
_PARTS = (
    '\\"', "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u00e9",
    "\\u0000", "\\ud83d\\ude00", "\\uD834\\uDD1E", "😀", "'", "`", "```", "{", "}",
    "[", "]", "(", ")", ",", ":", ", ", ": ", "// x", "/*", "*/", "#", "<think>",
    "</think>", "“", "’", "：", "\u200d", "...", "null", "a", "b c", "&quot;", "+",
)  # fmt: skip
_PIECES = st.one_of(
    st.characters(exclude_characters='"\\', exclude_categories=["Cs", "Cc"]),
    st.sampled_from(_PARTS),
)
strings = st.lists(_PIECES, max_size=8).map(lambda pieces: f'"{"".join(pieces)}"')
_NUMBERS = (
    "0", "-0", "9007199254740993", "18446744073709551616", "-9223372036854775809",
    "1e400", "-1E+400", "1e-400", "0.1", "1.0", "-0.0", "5e-324", "1E5",
)  # fmt: skip
numbers = st.one_of(
    st.integers().map(str),
    st.integers(-(10**40), 10**40).map(str),
    st.sampled_from(_NUMBERS),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
)
scalars = st.one_of(st.sampled_from(["true", "false", "null"]), numbers, strings)


@st.composite
def _arrays(draw: st.DrawFn, items: st.SearchStrategy[str]) -> str:
    space = draw(_SPACES)
    inner = f"{draw(_SPACES)},{space}".join(draw(st.lists(items, max_size=4)))
    return f"[{space}{inner}{space}]"


@st.composite
def _objects(draw: st.DrawFn, items: st.SearchStrategy[str]) -> str:
    keys = draw(st.lists(strings, max_size=4, unique_by=json.loads))
    space = draw(_SPACES)
    colon = draw(_SPACES) + ":" + draw(_SPACES)
    inner = f"{space},{space}".join(key + colon + draw(items) for key in keys)
    return f"{{{space}{inner}{space}}}"


def _containers(items: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(_arrays(items), _objects(items))


documents = _containers(st.recursive(scalars, _containers, max_leaves=8))
values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.text(max_size=6), inner, max_size=4),
    ),
    max_leaves=12,
)
_STYLES = st.fixed_dictionaries(
    {
        "indent": st.sampled_from([None, 0, 2, "\t"]),
        "separators": st.sampled_from([None, (",", ":"), (" , ", " : ")]),
        "ensure_ascii": st.booleans(),
        "sort_keys": st.booleans(),
    }
)


@fixed(250)
@given(values, _STYLES)
def test_dumped_values_come_back(value: Any, style: dict[str, Any]) -> None:
    """What json.dumps wrote, in any of its styles, would be read otherwise."""
    text = json.dumps(value, **style)
    assert is_same(jsonsift.loads(text), json.loads(text))
    if isinstance(value, (dict, list)):
        found = jsonsift.extract(text)
        assert is_same(found.value, json.loads(text))
        assert (found.edits, found.complete, found.text) == ((), True, text)


@fixed(250)
@given(_objects(st.recursive(scalars, _containers, max_leaves=8)))
def test_what_was_escaped_once_more_comes_back(document: str) -> None:
    """An inner quote or a backslash would keep a backslash too many."""
    text = json.dumps(document)[1:-1]
    assert is_same(jsonsift.loads(text), json.loads(document))


@fixed(300)
@given(documents, st.sampled_from(["", "\n", " \t\r\n"]))
def test_valid_json_is_never_touched(document: str, space: str) -> None:
    """A valid document would come back changed, or with an edit."""
    text = space + document + space
    expected = json.loads(text)
    assert is_same(jsonsift.loads(text), expected)
    for found in (jsonsift.extract(text), *jsonsift.extract_all(text)):
        assert is_same(found.value, expected)
        assert (found.edits, found.complete, found.text) == ((), True, document)


@fixed(300)
@given(documents)
def test_rewriter_leaves_valid_json_alone(document: str) -> None:
    """The rewriter would repair what is valid, next to what is not."""
    for name in BUILDS:
        mended = mend(document, build=name)
        assert mended.edits == (), document
        assert (mended.text, mended.complete) == (document, True)


@fixed(250)
@given(documents, st.sampled_from([",}", ", // end\n}", ", ...}"]))
def test_one_fault_changes_nothing_else(document: str, fault: str) -> None:
    """A bad comma at the end would change a string or number far from it."""
    text = f'{{"kept": {document}{fault}'
    found = jsonsift.extract(text)
    assert is_same(found.value, {"kept": json.loads(document)}), found.edits
    assert all(edit.start >= 9 + len(document) for edit in found.edits), found.edits


@fixed(150)
@given(scalars)
def test_valid_scalars_load(text: str) -> None:
    """``loads`` of a scalar would not be that of ``json``."""
    assert is_same(jsonsift.loads(text), json.loads(text))


# ---------------------------------------------------------------- any text at all


def _assert_documented(text: Any) -> None:
    for call in (jsonsift.extract, jsonsift.extract_all, jsonsift.loads):
        outcome = run_call(call, text)  # replays the edits, too
        json.dumps(outcome.values, ensure_ascii=False).encode()
    run_call(jsonsift.extract_json, text, reasoning="fallback")
    run_call(jsonsift.extract_json, text, repair="safe", pick="first")
    run_call(jsonsift.extract_json, text, repair="off", pick="last")
    assert jsonsift.extract_json(text, default=0, max_depth=1024) is not ...
    outcome = run_call(jsonsift.repair_json, text)
    if not outcome.error:
        json.loads(outcome.value)


@fixed(600)
@given(any_text)
def test_any_text_gives_a_value_or_a_documented_error(text: str) -> None:
    """A foreign exception would leave a public function, or a string be no UTF-8."""
    _assert_documented(text)


@fixed(250)
@given(any_bytes)
def test_any_bytes_give_a_value_or_a_documented_error(data: bytes) -> None:
    """A foreign exception would leave a public function that was given bytes."""
    _assert_documented(data)


def _damage(document: str, seed: int) -> str:
    """The document with a few characters removed, doubled or replaced."""
    dice = random.Random(seed)
    text = list(document)
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(text))
        text[at] = dice.choice(["", text[at] * 2, dice.choice(_TOKENS) + text[at]])
    return "".join(text)


damaged = st.builds(_damage, documents, st.integers(0, 2**16))


@fixed(400)
@given(damaged)
def test_damaged_json_gives_a_value_or_a_documented_error(text: str) -> None:
    """Nearly valid JSON would be read by edits that do not replay."""
    _assert_documented(text)


def assert_writes_json(text: str) -> None:
    """What the rewriter writes loads, and its edits say how it came about."""
    mended = mend(text)
    if mended.error:
        return
    assert apply_edits(text, (0, mended.pos), mended.edits) == mended.text
    json.loads(mended.text)


@fixed(1_500)
@given(st.one_of(damaged, hostile, broken))
@example('{}, "a": 1}')
@example('{"z": [)1]}')
@example('{"k": 1; -}')
@example('{"a": 1\n,3}')
@example('{"a": 1\n1,2}')
@example('{"a": 4,234\N{FULLWIDTH COMMA}234')
@example('{"a": , ["", ""]}')
@example('{"a": 1, "", {}]')
@example('{"z": ["q", x&quot;: ]}')
@example('{"a": ["q"], [')
@example('(t, "a": 1)')
@example('(""+\N{RIGHT DOUBLE QUOTATION MARK})')
@example(r'[\"a\\":"}')
@example(r"[\"path\\\\\" :\n\"x y\"} ]")
@example(r"\"\\u")
def test_the_rewriter_writes_strict_json(text: str) -> None:
    """The edited text would be no JSON, and the answer no strict parse of it."""
    assert_writes_json(text)


@fixed(300)
@given(st.one_of(damaged, hostile))
@example("[1, +</think> [2]")
@example('{t"```"u')
def test_pieces_give_what_the_whole_gives(text: str) -> None:
    """Streamed text would be repaired otherwise than the same text at once."""
    assert_chunks_agree(text)


@pytest.mark.skipif(bool(NO_PARITY), reason=NO_PARITY)
@fixed(400)
@given(st.one_of(damaged, any_text))
def test_builds_agree(text: str) -> None:
    """The compiled and the plain build would give different answers."""
    for call in (jsonsift.extract, jsonsift.extract_all, jsonsift.loads):
        outcomes = {}
        for name in BUILDS:
            with use_build(name):
                outcomes[name] = run_call(call, text)
        assert_outcome(outcomes["pure"], outcomes["compiled"], call.__name__)


@fixed(300)
@given(st.one_of(damaged, any_text))
def test_repair_json_is_idempotent(text: str) -> None:
    """Repaired text would be repaired again into something else."""
    outcome = run_call(jsonsift.loads, text)
    if outcome.error:
        return
    repaired = jsonsift.repair_json(text)
    assert is_same(jsonsift.loads(repaired), outcome.value)
    assert jsonsift.repair_json(repaired) == repaired


# ---------------------------------------------------------------- inside a reply

_WORDS = (
    "Sure!", "Here is the JSON you asked for:", "It's done.", "e.g.", "1) first",
    "see [1]", "use {name} there", "**bold**", "5 > 3", '"quoted"', "- item", "`code`",
    "a/b", "漢字", "😀", "\n", "\n\n", "x = 1;", "(optional)", "§ 2",
)  # fmt: skip
_PROSE = st.lists(st.sampled_from(_WORDS), max_size=6).map(" ".join)


@fixed(300)
@given(_PROSE, documents, _PROSE, st.sampled_from(["json", "JSON", "json5 title=x"]))
def test_fenced_json_is_given_back(
    before: str, document: str, after: str, label: str
) -> None:
    """Valid JSON in a fence with prose around it would come back changed."""
    found = jsonsift.extract(f"{before}\n```{label}\n{document}\n```\n{after}")
    assert is_same(found.value, json.loads(document))
    assert (found.edits, found.text) == ((), document)
    assert found.kind is jsonsift.CandidateKind.FENCED


@fixed(300)
@given(_PROSE, strings, documents, _PROSE)
def test_json_in_prose_is_given_back(
    before: str, key: str, document: str, after: str
) -> None:
    """A valid object in prose would come back changed."""
    text = f"{{{key}: {document}}}"
    found = jsonsift.extract(f"{before} so: {text} is what I found. {after}")
    assert is_same(found.value, json.loads(text))
    assert (found.edits, found.text) == ((), text)


# ------------------------------------------------------------------ truncated JSON


def is_prefix(part: Any, whole: Any) -> bool:
    """Whether ``part`` is what a reader of the first characters of ``whole`` knows.

    All of it but the last thing on the path that was being written is equal; that
    last thing is a prefix itself: fewer items, a shorter string, or a number whose
    last digits, fraction or exponent are missing.
    """
    if isinstance(whole, str):
        return isinstance(part, str) and whole.startswith(part)
    if isinstance(whole, bool) or whole is None:
        return part is whole
    if isinstance(whole, (int, float)):
        return _is_number_prefix(part, whole)
    if type(part) is not type(whole) or len(part) > len(whole):
        return False
    if isinstance(whole, dict):
        if list(part) != list(whole)[: len(part)]:
            return False
        part, whole = list(part.values()), list(whole.values())
    settled = max(len(part) - 1, 0)
    if not is_same(part[:settled], whole[:settled]):
        return False
    return not part or is_prefix(part[-1], whole[settled])


def _is_number_prefix(part: Any, whole: float) -> bool:
    if isinstance(part, bool) or not isinstance(part, (int, float)):
        return False
    if isinstance(part, int) and isinstance(whole, int):
        return str(whole).startswith(str(part))
    return part == 0 or math.copysign(1, part) == math.copysign(1, whole)


def _assert_every_cut_is_a_prefix(read: Callable[[str], Any], document: str) -> None:
    whole = json.loads(document)
    for stop in range(1, len(document)):
        part = read(document[:stop])
        assert is_prefix(part, whole), (document[:stop], part)


@fixed(120)
@given(documents)
@example('{"a": [1, {"b": "c\\n\\ud83d\\ude00"}, -12.5e3], "d": null, "e": true}')
def test_cut_json_gives_a_prefix(document: str) -> None:
    """A reply cut anywhere would be read as something that was never written."""
    _assert_every_cut_is_a_prefix(jsonsift.extract_json, document)
    _assert_every_cut_is_a_prefix(jsonsift.loads, document)


@fixed(120)
@given(documents, st.data())
def test_a_cut_is_reported(document: str, data: st.DataObject) -> None:
    """A cut value would look complete, or say a wrong place where it broke off."""
    stop = data.draw(st.integers(1, len(document) - 1))
    found = jsonsift.extract(document[:stop])
    assert_replays(found)
    if found.complete:  # the rest was taken for closers that an open string ends with
        assert found.edits, document[:stop]
    value = found.value
    for step in found.open_path:
        assert step in (
            list(value)[-1:] if isinstance(value, dict) else [len(value) - 1]
        )
        value = value[step]


# ------------------------------------------------------------------- found inputs

# What the properties above once found, small: text, the rewriter's text, why.
FOUND = {
    "colon at the end of a piece": ('{"a": 1}', '{"a": 1}'),
    "word cut by the end of a piece": ('{"a" true}', '{"a" :true}'),
    "number cut by the end of a piece": ('{"a" 1e5}', '{"a" :1e5}'),
    "half an escaped escape at the end": ('{\\"a\\": \\"x\\\\', '{"a": "x"}'),
    "surplus closer where a key is due": ('{"a": 1, t] "b": 2}', '{"a": 1,  "b": 2}'),
    "surplus closer where the first item is due": ('[}{"a": 1}]', '[{"a": 1}]'),
    "surplus closer where the next item is due": ("[1, } 2]", "[1,  2]"),
    "comment mark across the end": ("[1, <", '[1, "<"]'),
    "backslash right before the end": ('[+": \\', '["+\\": \\\\"]'),
}


# Texts on which a layer of the pure build once looked behind the end of a stretch.
FOUND_BETWEEN_BUILDS = [
    '{"a: b&#34;c": 1}',
    '*/{｛\\u&#34;\'"k": ```&#34;&#34;//]a*/:\\}"a(；null｛\\u)</think>:true',
    "1\n*/&#34;,;'--“1-｛&quot;null:”&quot;)\n/*” )1[]",
]


@pytest.mark.parametrize("call", [jsonsift.extract, jsonsift.loads])
@pytest.mark.parametrize("text", FOUND_BETWEEN_BUILDS)
def test_found_between_builds(text: str, call: Any) -> None:
    """The two builds would differ, or the pure one raise an error of its own."""
    run_every_way(call, text)


@pytest.mark.parametrize("name", FOUND)
def test_found_inputs(name: str) -> None:
    """A fault that was found once would be back."""
    text, expected = FOUND[name]
    mended = mend(text)
    assert is_same(json.loads(mended.text), json.loads(expected))
    assert_chunks_agree(text)
    _assert_documented(text)
