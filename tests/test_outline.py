"""The short cut of the plain build gives what the rewriter gives, or nothing."""

from __future__ import annotations

import json
import random
from typing import Any, Final

import pytest

from fuzz.mutate import mutate_text
from jsonsift import _outline
from jsonsift._outline import MOST_LEVELS, read_outline
from jsonsift._parsed import FAILED, MAX_DEPTH

from .bench.shapes import SHAPES, make_replies
from .damage.operators import OPERATORS
from .damage.trials import draw_cases, draw_pairs
from .every_way import BUILDS, is_same
from .stream_cases import list_corpus, list_peer_inputs

# What it is there for; a text that it leaves is read as well, but slowly.
TAKEN: Final = {
    "a comma before a closer": '{"a": [1, "x", ], }',
    "keys without quotes": '{a: 1, b-c : {"d": "e"}}',
    "apostrophes": "{'a': 'b', 'c': ['d, ]', '']}",
    "apostrophes inside of strings": """{"it's": "isn't", 'b': 'c'}""",
    "literals of Python": '{"a": [True, False, None], "None": "True"}',
    "names like literals": '{True: False, "a": None}',
    "remarks": '{ // say {a, \n  "a": 1, // don\'t, ]\n  "b": 2 // }\n}',
    "addresses": "{'a': 'https://b.c/d', \"e\": 'http://f',}",
    "no comma at the end of a line": '{\n "a": "b"\n "c": [1]\n "d": {}\n}',
    "no comma between rows": '{"a": [\n{"b": 1}\n{"b": 2}\n[3]\n[4]\n]}',
    "words in quotes": '{"a": "he said "yes" and "no way" to it", "b": ["x "y" z"]}',
    "escapes": '{"a": "say \\"b\\"", "c": "\\\\", "d": "\\\\\\"", }',
    "cut in a string": '{"a": [{"b": 1}, {"c": "d e',
    "cut behind an escape": '{"a": "say \\"b\\" \\n c',
    "cut behind a comma": '{"a": [{"b": "c"}, ',
    "several kinds": '{a: \'b\', // c\n \'d\': [True, "e", ],\n "f": "g',
    "commas, then words": '{"a": ["b",], \n"c": "d "e" f", g: {}',
    "other scripts": '{"数据": "分析", "é": ["😀", ], }',
}
# What may be meant otherwise, or is no value by itself: the rewriter decides.
LEFT: Final = (
    '{"a": 1} // b',
    '{"a": 1}\n// b\n',
    '{"a": 1,} and more',
    "[1, 2, ]",
    "{'a\": 1}",
    "{'a': \"b}",
    "{'a': 'it's'}",
    "{'a': 'b\\'c'}",
    '{"a": \'b "c" d\'}',
    '{"a": "b", "c": \'d',
    '{"a": "b}',
    '{"a": "b</answer>',
    '{"a": "b\\',
    '{"the "big" key": 1}',
    '{"a": "b"c": 1}',
    '{"a": "x”, y"\n"b": 1}',
    "[\n'a'\n'b'\n'c'\n]",
    '["a", 31\n"b", 5\n":c", 9]',
    '["a"\n"b "c" d"\n]',
    '{"a": \'b \'c"d"',
    '{"a": "C:\\"\n"b": 1}',
    '{"a": http://b.c/d\n}',
    '{"a": 12345678901234567890, }',
    '{"a": NaN, }',
    '{"a": "\\ud800", }',
    '{"a": "\ud800", }',
    '{"a": "\x01", }',
    '{"a": "b\x02", \'c\': 1}',
    "{'a': ''' b ''', }",
    '{"a": ' * (MOST_LEVELS + 2) + '"b"' + "}" * (MOST_LEVELS + 1),
    '{"a": ' + "[" * MAX_DEPTH + "1," + "]" * MAX_DEPTH + "}",
)


def read_by_rewriter(text: str) -> Any:
    """The value of all of the text, or FAILED if there is more than that."""
    mender = BUILDS["pure"](text)
    mender.run()
    if text[mender.pos :].strip():
        return FAILED
    return json.loads(mender.mended())


def assert_same(text: str) -> bool:
    """Whether the short cut takes the text; then the rewriter must agree."""
    value = read_outline(text) if text.startswith(("{", "[")) else FAILED
    assert value is FAILED or is_same(value, read_by_rewriter(text)), text
    return value is not FAILED


@pytest.mark.parametrize("name", TAKEN)
def test_what_it_takes(name: str) -> None:
    """A rule of it never applies."""
    assert assert_same(TAKEN[name])


@pytest.mark.parametrize("text", LEFT)
def test_what_it_leaves(text: str) -> None:
    """It takes what may be read otherwise."""
    assert read_outline(text) is FAILED


def test_it_takes_every_malformed_shape_of_the_race() -> None:
    """A shape would be read at the pace of the walk."""
    malformed = [
        name for name, one in SHAPES.items() if one.group in ("light", "dense")
    ]
    for reply in make_replies(malformed, ["2 KB"]):
        assert is_same(read_outline(reply.text), reply.answer), reply.shape


@pytest.mark.parametrize("name", OPERATORS)
def test_damaged_documents(name: str) -> None:
    """One damage is mended otherwise by the rewriter."""
    for case in draw_cases(OPERATORS[name], 12, seed=13):
        assert_same(case.text)


def test_documents_with_two_damages() -> None:
    """A second damage makes what stands outside of strings look like something else."""
    taken = sum(assert_same(case.text) for _, case in draw_pairs(800, seed=13))
    assert taken > 10


@pytest.mark.parametrize("block", [8, _outline.BLOCK])
def test_changed_texts(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text looks well formed outside of its strings, or of a block of them, and is
    read otherwise.
    """
    monkeypatch.setattr(_outline, "BLOCK", block)
    monkeypatch.setattr(_outline, "FAR", block)
    dice = random.Random(block)
    texts = [*list_corpus(), *list_peer_inputs(), *TAKEN.values(), *LEFT]
    texts = [text for text in texts if len(text) < 1_000 and text[:1] in ("{", "[")]
    taken = 0
    for _ in range(6_000):
        taken += assert_same(mutate_text(dice.choice(texts), texts, dice))
    assert taken > 200


@pytest.mark.parametrize("block", range(12, 20))
def test_no_block_ends_in_a_remark(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of the remark would be read."""
    monkeypatch.setattr(_outline, "BLOCK", block)
    assert_same('{"rows": [[1, 2, // one<3, 4], // two\n[5, 6]]}')


def test_long_texts_are_mended_block_by_block() -> None:
    """A block would end inside of a string, or before what a comma stands before."""
    record = """{'id': %d, "it's, [1, ": ['}, {', 'c',],}"""
    rows = [{"id": i, "it's, [1, ": ["}, {", "c"]} for i in range(9_000)]
    for gap in (" ", "\n  "):
        text = f",{gap}".join(record % i for i in range(9_000))
        assert len(text) > 5 * _outline.BLOCK
        assert read_outline(f"[{text},]") == rows
