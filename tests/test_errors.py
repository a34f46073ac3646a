"""The errors: one small tree, picklable, with their place worked out when read."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest

import jsonsift
from jsonsift import (
    BrokenJSONError,
    JSONSiftError,
    LimitError,
    NoJSONError,
    SchemaError,
    extract_json,
)
from jsonsift._types import EditKind

ALL = [
    NoJSONError("the text holds no JSON"),
    NoJSONError("only in its reasoning", in_reasoning=True),
    NoJSONError("only in its reasoning", hint="ask", in_reasoning=True),
    LimitError("too deep", 17),
    LimitError("too deep", 17, hint="max_depth"),
    SchemaError("does not fit", {"a": 1}, KeyError("b"), complete=False),
    BrokenJSONError("a comment", '{\n  "a": 1 // x\n}', 11, EditKind.COMMENT),
]


@pytest.mark.parametrize("error", ALL, ids=lambda error: type(error).__name__)
def test_errors_are_value_errors_of_one_root(error: JSONSiftError) -> None:
    """``except ValueError`` around a json.loads would not catch ours."""
    assert isinstance(error, JSONSiftError)
    assert isinstance(error, ValueError)
    assert isinstance(error, json.JSONDecodeError) is isinstance(error, BrokenJSONError)


@pytest.mark.parametrize("error", ALL, ids=lambda error: type(error).__name__)
def test_errors_are_picklable(error: JSONSiftError) -> None:
    """An error would not come back whole from a worker process."""
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(twin) is type(error)
        assert str(twin) == str(error)
        ours = {key: repr(value) for key, value in vars(error).items()}
        assert {key: repr(value) for key, value in vars(twin).items()} == ours


def _broken(reply: str, **options: str) -> BrokenJSONError:
    with pytest.raises(BrokenJSONError) as caught:
        extract_json(reply, **options)  # type: ignore[call-overload]
    return caught.value


def test_broken_json_says_where_and_what() -> None:
    """The message would not show the place, or name another repair."""
    reply = 'Here:\n{"a": 1,\n "b": yes it is}'
    error = _broken(reply, repair="safe")
    assert error.kind is EditKind.BARE_VALUE
    assert error.doc == reply
    assert error.pos == reply.index("yes")
    assert (error.lineno, error.colno) == (3, 7)
    first, shown, caret = str(error).split("\n")
    assert first.endswith(f"at line 3, column 7 (char {error.pos})")
    assert EditKind.BARE_VALUE.sentence in first
    assert "repair='safe'" in first
    assert shown == '   "b": yes it is}'
    assert caret.index("^") == shown.index("yes")


def test_the_caret_stands_right_in_a_long_line() -> None:
    """A long line would be printed whole, or the mark stand wrong in it."""
    reply = '{"pad": "' + "x" * 100_000 + '", "a": NOTE, "z": "' + "y" * 100_000 + '"}'
    error = _broken(reply, repair="off")
    shown, caret = str(error).split("\n")[1:]
    assert len(shown) < 100
    assert shown.count("…") == 2
    assert shown[caret.index("^") :].startswith("NOTE")


def test_control_characters_do_not_move_the_caret() -> None:
    """A tab or an escape sequence before the fault would move the mark."""
    error = _broken('{"a\\t":\t\x1b"b\t",}', repair="off")
    shown, caret = str(error).split("\n")[1:]
    assert caret.index("^") - 2 == error.pos
    assert shown.isprintable()


@pytest.mark.parametrize(
    ("pos", "line", "column"), [(0, 1, 1), (2, 1, 3), (3, 2, 1), (5, 3, 1)]
)
def test_lines_and_columns_are_those_of_json(pos: int, line: int, column: int) -> None:
    """They would be counted otherwise than in json.JSONDecodeError."""
    doc = "ab\nc\n"
    ours, theirs = BrokenJSONError("x", doc, pos), json.JSONDecodeError("x", doc, pos)
    assert (ours.lineno, ours.colno) == (line, column)
    assert (theirs.lineno, theirs.colno) == (line, column)
    assert str(ours).count("\n") == 2


@pytest.mark.parametrize("kind", EditKind, ids=lambda kind: kind.name)
def test_every_kind_has_a_sentence(kind: EditKind) -> None:
    """A kind without words would break the message, when it is too late."""
    assert kind.sentence[0].islower() or kind.sentence.startswith("JSON")
    assert not kind.sentence.endswith(".")
    assert kind.label == kind.label.lower()


@pytest.mark.parametrize(
    ("reply", "options", "told"),
    [
        ("No.", {}, "the text holds no JSON"),
        (
            '<think>{"a": 1}</think> No.',
            {},
            "the reply holds JSON only in its reasoning, which is no answer",
        ),
        ("[[[1]]]", {"max_depth": 2}, "nested deeper than 2"),
        ("[[[1,]]]", {"max_depth": 2}, "nested deeper than 2"),
        ('"":[[]],7]', {"max_depth": 3}, "nested deeper than 3"),
        ("[1, 2]", {"max_length": 3}, "6 characters are more than 3"),
        ("[" + "1" * 5000 + "]", {}, "an integer has more than 4300 digits"),
        (
            "[1,\n 2",
            {"repair": "safe"},
            "the text ends inside the value, at line 2, column 3",
        ),
        (
            "[1 // one\n]",
            {"repair": "off"},
            "a comment, which JSON has not, at line 1, column 4",
        ),
    ],
)
def test_feedback_is_about_the_reply(
    reply: str, options: dict[str, Any], told: str
) -> None:
    """A model would be told of Python's options, which it does not know."""
    with pytest.raises(JSONSiftError) as caught:
        extract_json(reply, **options)
    assert caught.value.feedback() == (
        f"Your reply could not be used: {told}.\nReply with JSON only."
    )


def test_limit_errors_say_where() -> None:
    """The place would be missing where a limit was passed."""
    with pytest.raises(LimitError) as caught:
        extract_json("So: [[[[1]]]]", max_depth=3)
    assert caught.value.pos == 7
    with pytest.raises(LimitError) as caught:
        extract_json('{"a": 1}', max_length=7)
    assert caught.value.pos == 7


def test_all_errors_are_public() -> None:
    """A caller could not name what is raised."""
    for error in ALL:
        assert getattr(jsonsift, type(error).__name__) is type(error)
        assert type(error).__name__ in jsonsift.__all__
