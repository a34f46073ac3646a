"""What is written down of edits, where it is more than a row has room for."""

from __future__ import annotations

import pytest

import jsonsift
from jsonsift import _reruns

from .every_way import BUILDS, NO_PARITY, assert_replays, mend, use_build

MANY = 70_000  # more than the length in a row
WORDS = range(0x100, 0x100 + 3_000)  # and than the words that are known by a number

CASES = {
    "commas": "[1" + "," * MANY + "]",
    "commas-and-a-removal-before": "[1, 2 x," + "," * (2**16 - 3) + "]",
    "as-many-commas-as-a-row-has-room-for": "[[1" + "," * 2**16 + "], [2,,], 3]",
    "line-comment": "[1, // " + "x" * MANY + "\n 2, // y\n 3,]",
    "comment-before-a-comma": "{'a': 1 // " + "x" * MANY + "\n, 'b': [2,],}",
    "block-comment": "[1, /* " + "x" * MANY + " */ 'b', /* c */ 2]",
    "different-words": "[" + ", ".join(map(hex, WORDS)) + ", 0x100, 0xbb7, 'a']",
    "set-behind-a-long-edit": "[/* " + "x" * MANY + " */ {1, 2}, {'a', 3,},]",
    "word-put-in-place-of-a-long-one": "(" + "/* " + "x" * MANY + " */ 1, 2)",
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
@pytest.mark.parametrize("build", BUILDS)
def test_long_edits_replay(build: str, text: str) -> None:
    """An edit would lose its length or its word."""
    with use_build(build):
        found = jsonsift.extract(text)
    assert found.edits
    assert_replays(found)


@pytest.mark.skipif(bool(NO_PARITY), reason=NO_PARITY)
@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_long_edits_are_the_same_in_both_builds(text: str) -> None:
    """The walks would write down others than the steps."""
    assert mend(text, build="pure") == mend(text, build="compiled")


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("depth", [1, 62, 63, 64, 65, 80])
@pytest.mark.parametrize(
    "last",
    [
        "'a',",  # nothing that needs a thought
        "'a' 'b'",
        "'a', b c, 'd'",
        '"a "b" c"',
        '"a "b" c", "d "e", "f"',
        "{'a': 1, // b\n'c': \"d \"e\" f.\", g: [None,],}",
        "{'a': 1, 'b' 2, \"c\": \"\\x\"}",
        '{\'a\': 1, "b": "c "d e", "f": \'g\'}',
    ],
)
def test_short_replies_are_mended_alike(build: str, depth: int, last: str) -> None:
    """What was passed over would be lost where the books begin, at some length, depth
    or doubt.
    """
    for closers in ("]" * depth, "]" * (depth - 1), "]" * depth + " \n"):
        rest = "'," + "[" * (depth - 1) + last + closers
        for length in (0, 2_560, 2_561):  # the longest that is short, and one more
            text = "['" + "x" * (length - len(rest) - 2) + rest
            with use_build(build):
                value = jsonsift.extract(text).value
                assert jsonsift.extract_json(text) == jsonsift.loads(text) == value


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'é': 1, b: 0x10,}", {"é": 1, "b": 16}),
        ("['é', 5€, 'a\ud800']", ["é", "5€", "a\ufffd"]),
        ("['a\ud800', b\"]", ["a\ufffd", "b"]),
        ("['山\x01', \"川\",, '\x80߿ࠀ\uffff']", ["山\x01", "川", "\x80߿ࠀ\uffff"]),
        ("['😀', 山川, \"ab\U0010ffff\"", ["😀", "山川", "ab\U0010ffff"]),
        ("[1, /* 山 */ 'b',]", [1, "b"]),
    ],
    ids=[
        "latin",
        "wider-word",
        "ascii-but-for-a-half",
        "half-wide",
        "wide",
        "left-out",
    ],
)
def test_text_beyond_ascii_is_encoded_as_it_is_mended(
    build: str, text: str, value: object
) -> None:
    """A character would be lost, or another, where edits are written into UTF-8."""
    mend(text, build=build)  # compares what the parser is given with the mended text
    with use_build(build):
        assert jsonsift.extract_json(text) == jsonsift.extract(text).value == value


@pytest.mark.parametrize("build", BUILDS)
def test_edits_that_were_let_go_are_made_again(build: str) -> None:
    """An error would name no edit, or a value be another."""
    text = "[" + "x," * 50_000 + "]"
    with use_build(build):
        value = jsonsift.loads(text)
        found = jsonsift.extract(text)
        with pytest.raises(jsonsift.BrokenJSONError) as caught:
            jsonsift.loads(text[:-1] + "]", repair="safe")
        whole = jsonsift.loads("'a': 1, " + "b: 'c', " * 20_000)
    assert value == found.value == ["x"] * 50_000
    assert len(found.edits) > 2**16
    assert caught.value.pos == 1
    assert whole == {"a": 1, "b": "c"}


def test_what_the_short_way_mended_is_not_mended_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A long integer, which needs another parser, would cost all of it twice."""

    def mend_again(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(_reruns, "Mender", mend_again)
    value = jsonsift.extract_json("{'id': 1234567890123456789,}")
    assert value == {"id": 1234567890123456789}
