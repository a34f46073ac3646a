"""Runs a case every way there is and demands that all agree.

A case is a text and what is asked of it.  The ways: whole; one character at a time
and in random pieces through the resumable rewriter; with other text before and behind
it; from bytes; by the compiled and by the plain build of the rewriter.  A test that
calls ``run_every_way`` cannot forget one of them.

Nothing here knows a right answer: it knows only that all ways must give the same.
"""

from __future__ import annotations

import json
import math
import os
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import jsonsift
from jsonsift import _build, _follow, _reruns, _rows, api
from jsonsift._types import Edit

__all__ = [
    "BUILDS",
    "NO_PARITY",
    "REWRITERS",
    "Call",
    "Outcome",
    "apply_edits",
    "assert_chunks_agree",
    "assert_replays",
    "is_same",
    "mend",
    "mend_in_pieces",
    "run_call",
    "run_every_way",
    "use_build",
]

# One character at a time copies the text once a character: only for short ones.
_SHORT: Final = 1_500
_SEEDS: Final = (1, 2, 3)

# Behind the end that the rewriter was given: it must not be looked at.
_BEHIND: Final = ('"}]}, "more": [1, 2]}\n```\n', 'quot;": 1}', "!-- x -->", "`` {}")
_BEFORE: Final = 'Said "so": {"a": [\n'

Call = Callable[..., Any]


# ------------------------------------------------------------------- the builds


class _Build(NamedTuple):
    """What the public calls take from one build."""

    Mender: type
    read_at_once: Callable[..., Any]
    read_broken: Callable[[str], Any]
    list_objects: Callable[[str, int, int, int], list[int]]
    REWRITER: _build.Rewriter  # of streams


def _find_builds() -> dict[str, _Build]:
    """Each build that is here; the pure one always is."""
    layers = _build.load_pure_layers()
    short = layers["_shortcut"]
    pure = _Build(
        layers["_mend"].Mender,
        short.read_at_once,
        short.read_broken,
        layers["_bounds"].list_objects,
        _build.find_rewriter(layers),
    )
    builds = {"pure": pure}
    if _build.BUILD == "compiled":
        builds["compiled"] = _Build(
            _build.Mender,
            _build.read_at_once,
            _build.read_broken,
            _build.list_objects,
            _build.REWRITER,
        )
    return builds


_BUILDS: Final = _find_builds()
BUILDS: Final = {name: build.Mender for name, build in _BUILDS.items()}
REWRITERS: Final = {name: build.REWRITER for name, build in _BUILDS.items()}

# Why the two builds cannot be compared; empty when they can.
NO_PARITY: Final = (
    ""
    if "compiled" in BUILDS
    else "JSONSIFT_BUILD=pure leaves the compiled build out"
    if os.environ.get("JSONSIFT_BUILD") == "pure"
    else "only the pure build is installed (JSONSIFT_BUILD=compiled insists)"
)


def list_changes(name: str) -> list[tuple[dict[str, Any], str, Any]]:
    """What is set in which module, that all public calls and streams go through the
    rewriter of this build.
    """
    build = _BUILDS[name]
    owners = {
        "Mender": _reruns,
        "list_objects": _rows,
        "read_at_once": api,
        "read_broken": api,
        "REWRITER": _follow,
    }
    return [(vars(owner), one, getattr(build, one)) for one, owner in owners.items()]


@contextmanager
def use_build(name: str) -> Iterator[None]:
    """All public calls and streams inside go through the rewriter of this build."""
    changes = list_changes(name)
    kept = [(space, one, space[one]) for space, one, _ in changes]
    for space, one, new in changes:
        space[one] = new
    try:
        yield
    finally:
        for space, one, old in kept:
            space[one] = old


# ----------------------------------------------------------------- comparisons


def is_same(one: Any, other: Any) -> bool:
    """Equality in value and type; NaN is itself, 0.0 is not -0.0, order of keys counts.

    It walks instead of recursing: values are nested up to 1024 deep.
    """
    pairs = [(one, other)]
    while pairs:
        one, other = pairs.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, dict):
            if list(one) != list(other):
                return False
            pairs.extend(zip(one.values(), other.values(), strict=True))
        elif isinstance(one, (list, tuple)):
            if len(one) != len(other):
                return False
            pairs.extend(zip(one, other, strict=True))
        elif isinstance(one, float):
            if not _is_same_float(one, other):
                return False
        elif one != other:
            return False
    return True


def _is_same_float(one: float, other: float) -> bool:
    if math.isnan(one):
        return math.isnan(other)
    return one == other and math.copysign(1, one) == math.copysign(1, other)


def apply_edits(reply: str, span: tuple[int, int], edits: Sequence[Edit]) -> str:
    """``reply[span]`` with the edits applied, which must be in order and inside."""
    at, stop = span
    pieces = []
    for edit in edits:
        assert at <= edit.start <= edit.end <= stop, (edit, span, edits)
        pieces += [reply[at : edit.start], edit.replacement]
        at = edit.end
    pieces.append(reply[at:stop])
    return "".join(pieces)


def assert_replays(found: jsonsift.Extraction) -> None:
    """Applying the edits to the span gives strict JSON that loads to the value."""
    assert apply_edits(found.reply, found.span, found.edits) == found.text
    assert is_same(json.loads(found.text), found.value), found.text
    assert found.risk == max((edit.kind.risk for edit in found.edits), default=0)


# ------------------------------------------------------------------ public calls


class Outcome(NamedTuple):
    """What a call gave: values with what was done to read them, or an error."""

    values: tuple[Any, ...] = ()
    reports: tuple[Any, ...] = ()
    error: str = ""
    detail: tuple[Any, ...] = ()

    @property
    def value(self) -> Any:
        assert not self.error, self
        return self.values[0]


def run_call(call: Call, text: Any, **options: Any) -> Outcome:
    """The outcome of a public call; only documented errors are outcomes."""
    try:
        result = call(text, **options)
    except jsonsift.JSONSiftError as error:
        where = getattr(error, "pos", None)
        return Outcome(error=type(error).__name__, detail=(str(error), where))
    if isinstance(result, jsonsift.Extraction):
        result = [result]
    elif not _is_extractions(call):
        return Outcome((result,))
    for found in result:
        assert_replays(found)
    return Outcome(
        tuple(found.value for found in result),
        tuple(
            (found.span, found.text, found.kind, found.edits, found.complete,
             found.open_path)
            for found in result
        ),
    )  # fmt: skip


def _is_extractions(call: Call) -> bool:
    return call is jsonsift.extract_all


def run_every_way(call: Call, text: str, **options: Any) -> Outcome:
    """The outcome of ``call(text, **options)``, the same from every way.

    ``call`` is ``extract``, ``extract_all`` or ``loads``; edits are replayed.
    """
    outcome = run_call(call, text, **options)
    if _is_plain(text):
        data = text.encode()
        for form in (data, bytearray(data), memoryview(data)):
            assert_outcome(outcome, run_call(call, form, **options), type(form))
    for name in BUILDS:
        with use_build(name):
            assert_outcome(outcome, run_call(call, text, **options), name)
    for start in _starts(text):
        assert_chunks_agree(text, start)
    return outcome


def assert_outcome(expected: Outcome, actual: Outcome, way: object) -> None:
    assert is_same(expected.values, actual.values), way
    assert expected[1:] == actual[1:], way


def _is_plain(text: str) -> bool:
    """Whether the UTF-8 bytes of the text are decoded to the very text."""
    try:
        return jsonsift.decode(text.encode()) == text
    except UnicodeEncodeError:
        return False


def _starts(text: str) -> list[int]:
    """Where the rewriter is set to work: the text's start, and its first bracket."""
    brackets = [at for at in map(text.find, "{[") if at > 0]
    return [0, min(brackets)] if brackets else [0]


# ------------------------------------------------------------------ the rewriter


class Mended(NamedTuple):
    """All that a run of the rewriter says."""

    edits: tuple[Edit, ...] = ()
    text: str = ""
    pos: int = 0
    complete: bool = False
    open_depth: int = 0
    seen: tuple[int, ...] = ()
    error: str = ""


def _result(mender: Any, run: Callable[[], Any]) -> Mended:
    """What the rewriter says after ``run``, offsets counted from its start."""
    start = mender.start
    try:
        run()
    except jsonsift.LimitError as error:
        return Mended(error=str(error), pos=error.pos - start)
    return Mended(
        tuple(
            edit._replace(start=edit.start - start, end=edit.end - start)
            for edit in mender.edits()
        ),
        mender.mended(),
        mender.pos - start,
        mender.complete,
        mender.open_depth,
        (mender.quoted_keys, mender.bare_keys, mender.quoted_values,
         mender.bare_values, mender.stray),
    )  # fmt: skip


def mend(text: str, start: int = 0, end: int = -1, *, build: str = "") -> Mended:
    """A run of the rewriter over the whole text."""
    mender = (BUILDS[build] if build else _build.Mender)(text, start, end)

    def run() -> None:
        assert mender.run(), "the whole text was there, and the run did not end"

    return _result(mender, run)


def mend_in_pieces(text: str, sizes: Iterator[int], *, build: str = "") -> Mended:
    """A run of the rewriter fed piece by piece."""
    mender = (BUILDS[build] if build else _build.Mender)("", 0, final=False)

    def run() -> None:
        at = 0
        while at < len(text):
            size = next(sizes)
            if mender.feed(text[at : at + size]):
                return
            at += size
        assert mender.close(), "the text was closed, and the run did not end"

    return _result(mender, run)


def _ones() -> Iterator[int]:
    while True:
        yield 1


def _random_sizes(seed: int, length: int) -> Iterator[int]:
    dice = random.Random(seed)
    most = max(7, length // 30)
    while True:
        yield dice.randint(1, most)


def assert_chunks_agree(text: str, start: int = 0) -> None:
    """The rewriter gives the same whole, in pieces and within text, in all builds."""
    body = text[start:]
    whole = mend(body)
    if not whole.error:
        assert apply_edits(body, (0, whole.pos), whole.edits) == whole.text
    for name in BUILDS:
        assert mend(body, build=name) == whole, name
        if len(body) <= _SHORT:
            pieces = mend_in_pieces(body, _ones(), build=name)
            assert pieces == whole, f"{name}, one character at a time"
        for seed in _SEEDS:
            sizes = _random_sizes(seed, len(body))
            pieces = mend_in_pieces(body, sizes, build=name)
            assert pieces == whole, f"{name}, random pieces, seed {seed}"
        for behind in _BEHIND:
            padded = _BEFORE + body + behind
            end = len(_BEFORE) + len(body)
            inside = mend(padded, len(_BEFORE), end, build=name)
            assert inside == whole, f"{name}, with {behind!r} behind the end"
