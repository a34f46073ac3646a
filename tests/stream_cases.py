"""Texts and ways to cut them, and what must hold for every stream of them."""

from __future__ import annotations

import json
import math
import os
import random
from pathlib import Path
from typing import Any, Final

import jsonsift
from jsonsift import Event, Stream
from jsonsift.stream import PartialStrings

from .every_way import is_same

__all__ = [
    "Expected",
    "TakenBackError",
    "apply_event",
    "assert_streams",
    "cut_at_random",
    "is_beginning",
    "list_corpus",
    "list_peer_inputs",
]

CORPUS: Final = Path(__file__).parents[1] / "corpus"

# ------------------------------------------------------------------------- texts


def list_corpus() -> list[str]:
    """Every reply of the corpus that is short enough to be cut everywhere."""
    files = [*CORPUS.glob("replies/*/*.txt"), *CORPUS.glob("untouched/*/*.txt")]
    return [jsonsift.decode(path.read_bytes()) for path in sorted(files)]


def list_peer_inputs() -> list[str]:
    """The inputs of other projects' test suites, where they lie beside the checkout."""
    shared = os.environ.get("JSONSIFT_SHARED", "")
    files = sorted(Path(shared, "peer-cases").glob("*.jsonl")) if shared else []
    lines = [line for path in files for line in path.read_text("utf-8").split("\n")]
    rows = [json.loads(line) for line in lines if line]
    return [row["input"] for row in rows if isinstance(row.get("input"), str)]


def cut_at_random(text: str, dice: random.Random) -> list[str]:
    """The text in pieces of random sizes, empty ones among them."""
    most = dice.choice((1, 3, 8, 40, len(text) + 1))
    pieces = []
    at = 0
    while at < len(text):
        size = dice.randint(0, most)
        pieces.append(text[at : at + size])
        at += size
    return pieces


# ------------------------------------------------------------------ what must hold


def is_beginning(shown: Any, later: Any) -> bool:
    """Whether ``later`` is what ``shown`` may grow into.

    With the documented exceptions: an empty object may turn out to be a list, and a
    value to be the first item of one.
    """
    todo = [(shown, later)]
    while todo:
        old, new = todo.pop()
        if isinstance(old, dict) and isinstance(new, dict):
            if list(old) != list(new)[: len(old)]:
                return False
            todo += [(value, new[key]) for key, value in old.items()]
        elif isinstance(old, list) and isinstance(new, list) and len(old) <= len(new):
            if old and new and isinstance(new[0], list) != isinstance(old[0], list):
                if isinstance(new[0], list) and is_beginning(old, new[0]):
                    continue
            todo += zip(old, new)  # noqa: B905 (the rest is new)
        elif isinstance(old, str) and isinstance(new, str):
            if not new.startswith(old):
                return False
        elif isinstance(new, list) and (new or old == {}):
            if old != {}:
                todo.append((old, new[0]))
        elif isinstance(old, float) and math.isnan(old):
            if not (isinstance(new, float) and math.isnan(new)):
                return False
        elif type(old) is not type(new) or old != new:
            return False
    return True


def apply_event(value: Any, event: Event) -> Any:
    """The value after the event, as a program that draws it would keep it."""
    path, op, delta = event
    if op == "reset":
        return None
    if op == "end":
        return value
    if not path:
        return [value] if op == "wrap" else _renew(delta)
    inside = value
    for step in path[:-1]:
        inside = inside[step]
    last = path[-1]
    if op == "grow":
        inside[last] += delta
    elif op == "wrap":
        inside[last] = [inside[last]]
    elif isinstance(inside, list) and last == len(inside):
        inside.append(_renew(delta))
    else:
        inside[last] = _renew(delta)
    return value


def _renew(delta: Any) -> Any:
    return type(delta)(delta) if isinstance(delta, (dict, list)) else delta


def _outcome(call: Any) -> tuple[Any, ...]:
    try:
        found = call()
    except jsonsift.JSONSiftError as error:
        return (type(error).__name__, str(error))
    return (found.value, found.span, found.text, found.edits, found.complete)


class Expected:
    """What every stream of a text must end in."""

    def __init__(self, text: str) -> None:
        self.outcome = list(_outcome(lambda: jsonsift.extract(text, pick="first")))

    def is_reached(self, pieces: list[str]) -> bool:
        stream = Stream()
        for piece in pieces:
            stream.feed(piece)
        return is_same(list(_outcome(stream.close)), self.outcome)


class TakenBackError(AssertionError):
    """What was shown is no beginning of what came later."""


def assert_grows(shown: Any, later: Any) -> None:
    if shown is not None and not is_beginning(shown, later):
        raise TakenBackError(f"{shown!r} became {later!r}")


def assert_streams(
    text: str,
    pieces: list[str],
    *,
    grows: bool = True,
    partial_strings: PartialStrings = True,
) -> None:
    """A stream of the pieces ends in the answer of the text, and events follow it.

    With ``grows`` nothing that it shows is taken back.
    """
    stream = Stream(events=True, partial_strings=partial_strings)
    kept = None
    before = None
    for piece in pieces:
        value = stream.feed(piece)
        for event in stream.take_events():
            kept = apply_event(kept, event)
        assert is_same(kept, value), (pieces, kept, value)
        if grows:
            assert_grows(before, value)
            before = stream.snapshot()
    expected = Expected(text).outcome
    actual = list(_outcome(stream.close))
    assert is_same(actual, expected), (pieces, actual, expected)
    for event in stream.take_events():
        kept = apply_event(kept, event)
    assert is_same(kept, stream.value), (pieces, kept, stream.value)
    if grows:
        assert_grows(before, stream.value)
