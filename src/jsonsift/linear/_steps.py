"""The cost that no clock sees: how many lines of Python a call runs, and how deep.

Each line and each call counts, also every turn of a loop that stands on one line, so
the count is that of the bytecodes up to a constant factor, at a fraction of the price
of tracing those.  The same call gives the same count, on any machine, however busy,
and whatever else the process holds: the cyclic collector, which runs when it likes and
runs others' callbacks, is off meanwhile.  What C code does no line shows; that is for
the clock.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final

from ._calls import CRASHES, Caller, Errors, TookTooLongError, limit_time
from ._families import Family
from ._fit import fit_exponent

__all__ = ["STEP_SIZES", "StepGrowth", "Steps", "measure_steps"]

STEP_SIZES: Final = (2_048, 4_096, 8_192)
_MOST_STEPS: Final = 3_000_000
_MOST_SECONDS: Final = 2.0  # traced, and C code that hangs


@dataclass(frozen=True, slots=True)
class Steps:
    """The lines that a call ran and the frames it stacked, at one size."""

    size: int
    lines: int
    depth: int


@dataclass(frozen=True, slots=True)
class StepGrowth:
    """How the lines and the depth of a call grow with the size."""

    family: Family
    points: tuple[Steps, ...]

    @property
    def exponent(self) -> float:
        """That of the lines; exact for what a power describes."""
        return fit_exponent([(point.size, point.lines) for point in self.points])[0]

    @property
    def last_exponent(self) -> float:
        """That of the two largest sizes alone: lower where the growth levels off."""
        return fit_exponent([(p.size, p.lines) for p in self.points[-2:]])[0]

    @property
    def depth_exponent(self) -> float:
        """That of the depth of recursion."""
        return fit_exponent([(point.size, point.depth) for point in self.points])[0]

    def __str__(self) -> str:
        lines = ["  characters   lines executed   per character   depth"]
        lines += [
            f"{point.size:12,}{point.lines:17,}{point.lines / point.size:16.1f}"
            f"{point.depth:8,}"
            for point in self.points
        ]
        return "\n".join(lines)


def measure_steps(
    fn: Callable[[Any], Any],
    family: Family,
    sizes: Sequence[int] = STEP_SIZES,
    *,
    form: type = str,
    errors: Errors = (ValueError,),
) -> StepGrowth:
    """Count what ``fn`` executes on the family at each of the sizes.

    The lines of the shortest text are taken off, so that what every call costs does
    not hide how the rest grows.  Sizes where a call crashes, hangs or runs more than
    three million lines are left out, and those behind them.
    """
    points: list[Steps] = []
    with Caller(fn, family, form=form, errors=errors) as caller:
        _try_to_count(caller, 1)  # first calls import, compile and cache
        base = _try_to_count(caller, 1)
        for size in sizes:
            found = _try_to_count(caller, size)
            if found is None or base is None:
                break
            lines = max(1, found.lines - base.lines)
            points.append(Steps(found.size, lines, found.depth))
    return StepGrowth(family, tuple(points))


def _try_to_count(caller: Caller, size: int) -> Steps | None:
    """The steps at one size; None when the call crashes or does not end soon."""
    try:
        with limit_time(_MOST_SECONDS):
            return _count(caller, size)
    except (*CRASHES, TookTooLongError):
        return None


def _count(caller: Caller, size: int) -> Steps:
    length, argument = caller.build(size)
    lines = depth = deepest = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines, depth, deepest
        if event == "return":
            depth -= 1
            return trace
        lines += 1
        if event == "call":
            depth += 1
            deepest = max(deepest, depth)
        if lines > _MOST_STEPS:
            raise TookTooLongError
        return trace

    before, collects = sys.gettrace(), gc.isenabled()
    gc.disable()
    sys.settrace(trace)
    try:
        caller.call(argument)
    finally:
        sys.settrace(before)
        if collects:
            gc.enable()
    return Steps(length, lines, deepest)
