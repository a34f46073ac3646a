"""CPU time at growing sizes, and the power of the size that it grows with.

The smallest of several times is taken at each size: what disturbs a call only ever
adds to it.  All sizes are timed in turn, round after round, so that what changes on
the machine meanwhile touches all of them.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from ._calls import CRASHES, Caller, Errors, TookTooLongError, limit_time, settle_clock
from ._families import Family
from ._fit import fit_exponent

__all__ = ["SIZES", "Growth", "Point", "measure_growth"]

SIZES: Final = (16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144)
_FITTED: Final = 4  # the exponent is that of so many sizes at the upper end
_SAMPLE: Final = 0.002  # seconds that one sample of a quick call adds up to
_MOST_LOOPS: Final = 10_000
# Limits, and seconds: what costs more is clear enough by then.
_ENOUGH: Final = 2
_ENOUGH_SECONDS: Final = 10.0
_LOOKS: Final = 2  # more at a time because of which larger sizes would be left out
_LEAST: Final = 1e-9
_SHORT: Final = 0.3  # seconds of a call that is worth one more for the collector
_SHOWN: Final = 0.05
_STABLE: Final = 0.03  # rounds go on while the smallest times still fall by more


@dataclass(frozen=True, slots=True)
class Point:
    """The CPU time of one call at one size; a lower bound if it was not finished.

    ``raised`` names the exception that the call ended with, one of those that are an
    outcome; empty if it returned.
    """

    size: int
    seconds: float
    finished: bool = True
    raised: str = ""


@dataclass(frozen=True, slots=True)
class Growth:
    """How the time of a call grows with the size.

    ``exponent`` says as which power, at the upper end of the sizes; ``uncertainty`` how
    far it moves, at most, when any one size is left out.  ``crash`` names the exception
    that ended the measurement (RecursionError, MemoryError), at ``crash_size``.
    ``collector_share`` is what the cyclic collector, off while the times were taken,
    took of a call, from 0 to 1, at the largest size that takes less than 0.3 s.
    """

    family: Family
    points: tuple[Point, ...]
    crash: str = ""
    crash_size: int = 0
    collector_share: float = 0.0
    exponent: float = field(init=False)
    uncertainty: float = field(init=False)

    def __post_init__(self) -> None:
        upper = [(point.size, point.seconds) for point in self.points[-_FITTED:]]
        exponent, uncertainty = fit_exponent(upper)
        object.__setattr__(self, "exponent", exponent)
        object.__setattr__(self, "uncertainty", uncertainty)

    @property
    def last_exponent(self) -> float:
        """That of the two largest sizes alone: less sure, and the first to rise."""
        return fit_exponent([(p.size, p.seconds) for p in self.points[-2:]])[0]

    @property
    def finished(self) -> bool:
        """Whether no call had to be stopped."""
        return all(point.finished for point in self.points)

    def __str__(self) -> str:
        """The table: sizes, times, time per character and the local exponent.

        Behind them what a call raised; at the end the collector's share, if any.
        """
        lines = ["  characters        CPU time   per character   exponent"]
        for number, point in enumerate(self.points):
            sign = " " if point.finished else ">"
            line = (
                f"{point.size:12,}{sign:>4}{point.seconds * 1e3:9.3f} ms"
                f"{point.seconds / point.size * 1e9:13.1f} ns"
            )
            if number:
                pair = self.points[number - 1 : number + 1]
                line += f"{fit_exponent([(p.size, p.seconds) for p in pair])[0]:11.2f}"
            elif point.raised:
                line += " " * 11
            lines.append(f"{line}   {point.raised}".rstrip())
        if self.crash:
            lines.append(f"{self.crash_size:12,}     {self.crash}")
        if self.collector_share >= _SHOWN:
            share = f"{self.collector_share:.0%}"
            lines.append(f"  beside it the cyclic collector: {share} of a call")
        return "\n".join(lines)


def measure_growth(
    fn: Callable[[Any], Any],
    family: Family,
    sizes: Sequence[int] = SIZES,
    *,
    form: type = str,
    errors: Errors = (ValueError,),
    rounds: int = 3,
    limit: float = 2.0,
) -> Growth:
    """Time ``fn`` on the family at each of the sizes, smallest first.

    Args:
        fn: any callable of one text: function, method, coroutine function, generator
            (which is read to its end).
        family: what the texts are made of.
        sizes: lengths in characters, growing; best by a constant factor.
        form: ``bytes`` if ``fn`` takes those, in UTF-8.
        errors: exceptions that are an outcome like any other.
        rounds: how often each of the upper sizes is timed; if more than once, up to
            four times as often while the smallest times still fall, fewer where calls
            take long.
        limit: CPU seconds that one call may take.  A longer one is stopped (on POSIX,
            in the main thread) and stands in the table as a lower bound; larger sizes
            are left out, also where they would surely pass the limit.

    Raises:
        ValueError: sizes do not grow, or ``form`` is neither str nor bytes.
        Exception: what ``fn`` raised that is not among ``errors``, with a note.
    """
    if not isinstance(family, Family):
        raise TypeError(f"{family!r} is no Family; find_family has those by name")
    if list(sizes) != sorted(set(sizes)):
        raise ValueError(f"sizes must grow: {sizes!r}")
    with Caller(fn, family, form=form, errors=errors) as caller:
        return _Measurement(caller, limit).run(sizes, rounds)


class _Measurement:
    """The sizes that could be timed so far, and the smallest time of each."""

    def __init__(self, caller: Caller, limit: float) -> None:
        self.caller = caller
        self.limit = limit
        self.arguments: dict[int, str | bytes] = {}
        self.best: dict[int, float] = {}
        self.raised: dict[int, str] = {}
        self.unfinished: Point | None = None
        self.crash = ""
        self.crash_size = 0

    def run(self, sizes: Sequence[int], rounds: int) -> Growth:
        self._climb(sizes)
        settle_clock()
        fitted = sorted(self.best)[-_FITTED:]
        spent, enough = 0.0, min(_ENOUGH * self.limit, _ENOUGH_SECONDS)
        for done in range(1, 4 * rounds if rounds > 1 else 1):
            fell = max((self._sample(size) for size in fitted), default=0.0)
            spent += sum(self.best[size] for size in fitted)
            if (done + 1 >= rounds and fell < _STABLE) or spent > enough:
                break
        points = [
            Point(size, seconds, raised=self.raised[size])
            for size, seconds in sorted(self.best.items())
        ]
        if self.unfinished is not None:
            points.append(self.unfinished)
        return Growth(
            self.caller.family,
            tuple(points),
            self.crash,
            self.crash_size,
            self._measure_collector(),
        )

    def _climb(self, sizes: Sequence[int]) -> None:
        """Time each size once, and stop where the next would take too long."""
        self._warm_up()
        before = 0
        for size in sizes:
            length, argument = self.caller.build(size)
            if length <= before:  # the unit is longer than that
                continue
            if before and self._seems_too_long(before, length):
                return
            try:
                seconds = self._time_first(argument)
            except TookTooLongError:
                self.unfinished = Point(length, self.limit, finished=False)
                return
            except CRASHES as error:
                self.crash, self.crash_size = type(error).__name__, length
                return
            self.arguments[length] = argument
            self.best[length] = seconds
            self.raised[length] = self.caller.raised
            before = length

    def _seems_too_long(self, before: int, length: int) -> bool:
        """Whether so long a text would take too long, by what shorter ones took.

        One time alone may be of a moment when the machine did something else.
        """
        looks = 0
        while self.best[before] * length / before > self.limit:
            if looks == _LOOKS:
                return True
            self._sample(before)
            looks += 1
        return False

    def _warm_up(self) -> None:
        """One call on the shortest text: first calls import, compile and cache."""
        with suppress(*CRASHES, TookTooLongError), limit_time(self.limit):
            self.caller.call(self.caller.build(1)[1])

    def _sample(self, size: int) -> float:
        """Time the size once more; by which share its smallest time fell."""
        known = self.best[size]
        loops = min(_MOST_LOOPS, max(1, int(_SAMPLE / max(known, _LEAST))))
        seconds = self._time(self.arguments[size], loops, time.process_time)
        self.best[size] = min(known, seconds)
        return max(0.0, 1 - seconds / known)

    def _time_first(self, argument: str | bytes) -> float:
        """CPU seconds of a call of which nobody knows whether it ends.

        The clock is that of the thread: on Linux the one of the process is coarse
        while a timer runs on it.
        """
        with limit_time(self.limit):
            return self._time(argument, 1, time.thread_time)

    def _time(
        self, argument: str | bytes, loops: int, clock: Callable[[], float]
    ) -> float:
        """CPU seconds of one call, out of so many, the collector off."""
        call = self.caller.call
        enabled = gc.isenabled()
        gc.disable()
        try:
            began = clock()
            for _ in range(loops):
                call(argument)
            return max((clock() - began) / loops, _LEAST)
        finally:
            if enabled:
                gc.enable()

    def _measure_collector(self) -> float:
        """The share of the cyclic collector in a call at the largest quick size."""
        quick = [size for size, seconds in self.best.items() if seconds < _SHORT]
        if not quick:
            return 0.0
        spent = began = 0.0

        def watch(phase: str, _: dict[str, int]) -> None:
            nonlocal spent, began
            now = time.process_time()
            if phase == "start":
                began = now
            else:
                spent += now - began

        with _only_new_objects_collected():
            gc.callbacks.append(watch)
            start = time.process_time()
            try:
                self.caller.call(self.arguments[max(quick)])
            finally:
                gc.callbacks.remove(watch)
            return spent / max(time.process_time() - start, _LEAST)


@contextmanager
def _only_new_objects_collected() -> Iterator[None]:
    """Keep the collector to what is made inside, however much there is besides."""
    if gc.get_freeze_count():  # somebody's, who may rely on it
        gc.collect()
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
