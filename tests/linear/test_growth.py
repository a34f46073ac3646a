"""Families, fits, clocks and counts: what they measure is what is there."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import pytest

from jsonsift.linear import (
    Family,
    Growth,
    Point,
    catalogue,
    find_family,
    measure_growth,
    measure_steps,
)
from jsonsift.linear._fit import fit_exponent

from ..doc_blocks import ROOT

WORDS = Family("<", "ab", ">")
SIZES = (256, 1_024, 4_096)


# ------------------------------------------------------------------------ families


def test_catalogue_is_that_of_the_corpus() -> None:
    """Run ``python -m fuzz catalogue`` after a change in corpus/slow."""
    files = sorted((ROOT / "corpus/slow").glob("*.json"))
    for path, family in zip(files, catalogue(), strict=True):
        case = json.loads(path.read_text(encoding="utf-8"))
        assert family == Family(name=path.stem, **case)


def test_catalogue_is_wide() -> None:
    """A kind of adversary would be gone: what each stands for, in its units."""
    assert len(catalogue()) >= 80
    assert all(family.why for family in catalogue())
    units = "".join(family.unit for family in catalogue())
    for mark in "{}[]()\"'\\`~<>/*#,:;=0.\n \u200b\u00a0\u201c\uff5b\ufeff\x00":
        assert mark in units or mark in ";=", repr(mark)
    assert {family.unit for family in catalogue()} >= {
        '{"', "{'", "[{", '"', '"a" "', "text { ", "`", "\n", "7", "<thought ",
    }  # fmt: skip


@pytest.mark.parametrize("size", [1, 5, 100, 101])
def test_build(size: int) -> None:
    """A text would be longer than asked, or hold no unit."""
    text = WORDS.build(size)
    assert text == "<" + "ab" * max(1, (size - 2) // 2) + ">"
    nested = Family("", "[", "1", "]").build(size)
    times = max(1, (size - 1) // 2)
    assert nested == "[" * times + "1" + "]" * times


def test_family_is_shown_as_it_is_written() -> None:
    """What a message shows could not be pasted."""
    for family in (*catalogue(), Family("", "[", "1", "]")):
        again = eval(repr(family), {"Family": Family})
        assert again.build(1_000) == family.build(1_000)
    with pytest.raises(ValueError, match="unit"):
        Family("a", "")


def test_a_name_that_is_nearly_right_gets_a_hint() -> None:
    """One letter wrong, and a hundred names would have to be read."""
    with pytest.raises(KeyError, match="did you mean brace-and-quote"):
        find_family("brace-and-qoute")
    with pytest.raises(KeyError, match=r"catalogue\(\) lists them"):
        find_family("no such thing")


# ------------------------------------------------------------------------- the fit


@pytest.mark.parametrize("power", [0.0, 1.0, 1.5, 2.0])
def test_fit(power: float) -> None:
    """The exponent of a power would not be that power."""
    points = [(float(size), 3.0 * size**power) for size in (100, 400, 1_600, 6_400)]
    exponent, uncertainty = fit_exponent(points)
    assert exponent == pytest.approx(power)
    assert uncertainty == pytest.approx(0.0)


def test_fit_is_robust_and_says_when_it_is_not_sure() -> None:
    """One bad measurement would decide."""
    points = [(float(size), float(size)) for size in (1, 4, 16, 64, 256)]
    points[2] = (16.0, 80.0)
    assert fit_exponent(points)[0] == pytest.approx(1.0, abs=0.05)
    bend = [(1.0, 1.0), (4.0, 4.0), (16.0, 16.0), (64.0, 256.0)]
    exponent, uncertainty = fit_exponent(bend)
    assert 1.1 < exponent < 2.0
    assert exponent - uncertainty < 1.0
    assert fit_exponent(points[:1]) == (0.0, 0.0)


def test_only_the_upper_sizes_count() -> None:
    """Growth that sets in late would be averaged away."""
    early = [Point(size, 1.0) for size in (1, 4, 16, 64)]
    late = [Point(64 * by, by**2) for by in (4, 16, 64)]
    assert Growth(WORDS, (*early, *late)).exponent == pytest.approx(2.0)


# ----------------------------------------------------------------------- the clock


def spend(text: str) -> None:
    """A microsecond a character."""
    until = time.process_time() + len(text) * 1e-6
    while time.process_time() < until:
        pass


def test_time_is_measured() -> None:
    """The clock would not show what a call takes, or its growth."""
    growth = measure_growth(spend, WORDS, SIZES)
    for point in growth.points:
        assert point.seconds == pytest.approx(point.size * 1e-6, rel=0.5)
    assert growth.exponent == pytest.approx(1.0, abs=0.15)
    assert [point.size for point in growth.points] == [256, 1_024, 4_096]
    assert growth.finished
    assert growth.collector_share < 0.5


def test_a_call_that_takes_too_long_is_stopped() -> None:
    """A function that hangs would hang the gate."""

    def hang_on_long(text: str) -> None:
        while len(text) > 1_000:
            pass

    began = time.process_time()
    growth = measure_growth(hang_on_long, WORDS, SIZES, limit=0.3)
    assert time.process_time() - began < 3
    assert not growth.finished
    assert growth.points[-1] == Point(1_024, 0.3, finished=False)
    assert "> 300.000 ms" in str(growth).replace("  ", " ")


def test_collector_is_off_while_timing_and_measured_apart() -> None:
    """Its pauses would be taken for the function's own growth."""

    def leave_cycles(text: str) -> None:
        keep = []
        for _ in text:
            ring: list[Any] = []
            ring.append(ring)
            keep.append(ring)

    growth = measure_growth(leave_cycles, WORDS, (20_000,))
    assert growth.collector_share > 0.02
    shown = str(replace(growth, collector_share=0.25)).splitlines()
    assert shown[-1] == "  beside it the cyclic collector: 25% of a call"
    assert measure_growth(str.split, WORDS, (20_000,)).collector_share < 0.2


def test_what_is_lazy_is_read_to_its_end() -> None:
    """A generator or a coroutine would cost nothing."""
    calls = []

    def note(text: str) -> Iterator[int]:
        yield len(text)
        calls.append("generator")

    async def wait(text: str) -> str:
        calls.append("coroutine")
        return text

    async def stream(text: str) -> AsyncIterator[str]:
        yield text
        calls.append("stream")

    for function in (note, wait, stream):
        measure_growth(function, WORDS, (256,))
    assert {*calls} == {"generator", "coroutine", "stream"}

    async def measure() -> None:
        measure_growth(wait, WORDS, (256,))

    with pytest.raises(RuntimeError, match="one is running here"):
        asyncio.run(measure())


def test_what_a_call_raised_is_shown() -> None:
    """A function that fails at once would look linear, and nobody would see why."""

    def fail_on_long(text: str) -> None:
        if len(text) > 1_000:
            raise UnicodeError

    growth = measure_growth(fail_on_long, WORDS, SIZES)
    assert [point.raised for point in growth.points] == ["", *["UnicodeError"] * 2]
    lines = str(growth).splitlines()
    assert [line.endswith("   UnicodeError") for line in lines[1:]] == [
        False,
        True,
        True,
    ]


def test_one_round_is_one_call_a_size() -> None:
    """Long calls would be made twice where once was asked for."""
    sizes = []

    def note(text: str) -> None:
        sizes.append(len(text))

    measure_growth(note, WORDS, SIZES, rounds=1)
    assert sizes[1:-1] == [256, 1_024, 4_096]  # the first warms up; the collector


def test_sizes_must_grow() -> None:
    """Points would be missing or double."""
    with pytest.raises(ValueError, match="must grow"):
        measure_growth(str.split, WORDS, (4_096, 256))
    with pytest.raises(ValueError, match="use str or bytes"):
        measure_growth(str.split, WORDS, form=list)


# ---------------------------------------------------------------------- the counts


def test_steps_are_counted_and_always_the_same() -> None:
    """The count would depend on the machine, or miss loops that share a line."""

    def on_one_line(text: str) -> list[str]:
        return [ch for ch in text if ch]

    one, other = (measure_steps(on_one_line, WORDS, SIZES) for _ in range(2))
    assert one == other
    assert one.exponent == pytest.approx(1.0, abs=0.02)
    assert [round(step.lines / step.size) for step in one.points] == [1, 1, 1]


def test_steps_are_those_of_the_function_alone() -> None:
    """Callbacks of the collector, which runs when it likes, would be counted too."""

    def leave_cycles(text: str) -> None:
        for _ in text:
            ring: list[Any] = []
            ring.append(ring)

    def watch(phase: str, info: dict[str, int]) -> None:
        seen.append(phase)

    seen: list[str] = []
    alone = measure_steps(leave_cycles, WORDS, SIZES)
    before = gc.get_threshold()
    gc.callbacks.append(watch)
    gc.set_threshold(1)
    try:
        leave_cycles("text" * 999)
        assert seen
        assert measure_steps(leave_cycles, WORDS, SIZES) == alone
        assert gc.isenabled()
    finally:
        gc.callbacks.remove(watch)
        gc.set_threshold(*before)


def test_depth_is_counted() -> None:
    """Recursion would go unseen as long as the interpreter bears it."""

    def nest(text: str, at: int = 0) -> int:
        return nest(text, at + 1) if at < len(text) else at

    growth = measure_steps(nest, WORDS, (100, 200, 400))
    assert [step.depth for step in growth.points] == [102, 202, 402]
    assert growth.depth_exponent == pytest.approx(1.0, abs=0.02)
    assert measure_steps(nest, WORDS, (400, 100_000)).points[1:] == ()


def test_a_tracer_is_put_back() -> None:
    """Coverage and debuggers would be cut off."""
    before = sys.gettrace()

    def trace(frame: Any, event: str, value: Any) -> None:
        return None

    sys.settrace(trace)
    try:
        measure_steps(str.split, WORDS, SIZES)
        now = sys.gettrace()
    finally:
        sys.settrace(before)
    assert now is trace
