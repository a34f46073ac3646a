"""The race itself: check the answer, then time all readers in turn, round by round.

Only processor time counts, the collector is off while the clock runs, and every call
gets a string of its own, so that nothing which a reader left in one (its UTF-8, its
hash) helps the next.  What is compared are ratios of one round, which noise hits
alike; their median and quartiles are reported.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from .readers import LIMITS, Reader
from .shapes import Reply

__all__ = ["Result", "Times", "ratio", "run_race"]

_LEAST: Final = 0.002  # seconds that a sample should take at least
_MOST_CALLS: Final = 2_000


class Times(NamedTuple):
    """Seconds a call, one for each round; none where the reader is not ranked."""

    seconds: tuple[float, ...] = ()
    verdict: str = "right"  # "wrong", "error" or "too slow"

    @property
    def best(self) -> float:
        """The least, infinite when there is none."""
        return min(self.seconds, default=float("inf"))


class Result(NamedTuple):
    """One reply and the times of all readers on it."""

    reply: Reply
    times: dict[str, Times]

    def speed(self, name: str) -> float:
        """Megabytes of UTF-8 a second in the best round."""
        return len(self.reply.text.encode()) / self.times[name].best / 1e6

    def fastest(self, besides: Sequence[str]) -> str | None:
        """The fastest reader that is right, of those not named; None if none is."""
        able = [
            name
            for name, times in self.times.items()
            if times.seconds and name not in besides
        ]
        return min(
            able,
            key=lambda name: statistics.median(self.times[name].seconds),
            default=None,
        )


def ratio(result: Result, one: str, other: str) -> tuple[float, float, float]:
    """How many times as fast ``one`` is as ``other``: lower quartile, median, upper."""
    first, second = result.times[one].seconds, result.times[other].seconds
    ratios = [b / a for a, b in zip(first, second, strict=True)]
    if len(ratios) < 2:
        return ratios[0], ratios[0], ratios[0]
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return low, middle, high


def _is_equal(one: Any, other: Any) -> bool:
    """Equality by value, booleans apart; an error while comparing is inequality."""
    try:
        return bool(one == other) and repr(one)[:99] == repr(other)[:99]
    except RecursionError:
        return False


def _copies(text: str, count: int) -> list[str]:
    """The text so many times, each an object of its own."""
    return [(text + "x")[:-1] for _ in range(count)]


def _time_once(call: Reader, text: str, count: int) -> float:
    texts = _copies(text, count)
    gc.disable()
    try:
        start = time.process_time()
        for one in texts:
            call(one)
        return (time.process_time() - start) / count
    finally:
        gc.enable()


def _judge(call: Reader, reply: Reply, text: str) -> tuple[str, float]:
    """Whether the reader is right here, and how long one call took."""
    gc.disable()
    start = time.process_time()
    try:
        value = call(text)
    except Exception:
        return "error", 0.0
    finally:
        spent = time.process_time() - start
        gc.enable()
    right = text is reply.valid or _is_equal(value, reply.answer)
    return ("right" if right else "wrong"), spent


def _time_reply(
    reply: Reply, readers: dict[str, Reader], rounds: int, patience: float
) -> dict[str, Times]:
    """All readers on one reply, in turn."""
    texts = {name: reply.valid if name in LIMITS else reply.text for name in readers}
    times: dict[str, Times] = {}
    samples: dict[str, list[float]] = {}
    counts: dict[str, int] = {}
    for name, call in readers.items():
        verdict, spent = _judge(call, reply, texts[name])
        if verdict == "right" and spent > patience:
            verdict = "too slow"
        times[name] = Times(verdict=verdict)
        if verdict == "right":
            samples[name] = []
            spent = min(spent, _time_once(call, texts[name], 1))
            wanted = int(_LEAST / max(spent, 1e-7))
            counts[name] = min(max(1, wanted), _MOST_CALLS)
    for _ in range(rounds):
        for name, seconds in samples.items():
            seconds.append(_time_once(readers[name], texts[name], counts[name]))
    for name, seconds in samples.items():
        times[name] = Times(tuple(seconds))
    return times


def run_race(
    replies: Iterable[Reply],
    readers: dict[str, Reader],
    *,
    rounds: int = 15,
    patience: float = 2.0,
    show: Callable[[Result], None] | None = None,
) -> Sequence[Result]:
    """Time every reader on every reply.

    A reader that took longer than ``patience`` seconds for one call is left out, and
    so is it on larger replies of that shape.
    """
    results = []
    tired: set[tuple[str, str]] = set()
    for reply in replies:
        able = {
            name: call
            for name, call in readers.items()
            if (name, reply.shape) not in tired
        }
        most = max(3, rounds // 3) if len(reply.text) > 1_000_000 else rounds
        times = _time_reply(reply, able, most, patience)
        for name in readers:
            times.setdefault(name, Times(verdict="too slow"))
            # twenty-five times as much next: not if it would be over the patience
            slow = times[name].seconds and times[name].best > patience / 25
            if times[name].verdict == "too slow" or slow:
                tired.add((name, reply.shape))
        result = Result(reply, times)
        results.append(result)
        if show is not None:
            show(result)
    return results
