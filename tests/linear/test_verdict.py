"""Verdicts on made-up costs in made-up noise: how often is the gate wrong?

A real busy machine shows one error in thousands only by chance.  Here the clock is a
model, so that thousands of verdicts take seconds and are the same each time.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

import pytest

from jsonsift.linear import Family, _check, _growth
from jsonsift.linear._calls import Caller, TookTooLongError

SIZES: Final = (64, 256, 1_024, 4_096, 16_384, 65_536)
TRIALS: Final = 150
FAMILY: Final = Family("", "x")

STEEP: Final[dict[str, Callable[[int], float]]] = {
    "quadratic behind a linear part": lambda n: 107e-9 * n + 5.2e-12 * n * n,
    "quadratic": lambda n: 1e-6 + 2e-9 * n * n,
    "power of 1.5": lambda n: 1e-6 + 20e-9 * n**1.5,
    "power of 1.4": lambda n: 1e-6 + 20e-9 * n**1.4,
    "cubic, late": lambda n: 1e-6 + 50e-9 * n + 1e-15 * n**3,
    "quadratic, stopped soon": lambda n: 1e-6 * n + 1e-10 * n * n,
    "never returns": lambda n: 5e-7 * n if n <= 20_000 else 1e6,
}
FLAT: Final[dict[str, Callable[[int], float]]] = {
    "linear": lambda n: 2e-6 + 50e-9 * n,
    "linear, near the limit": lambda n: 2e-6 + 3e-6 * n,
    "n log n": lambda n: 1e-6 + 5e-9 * n * n.bit_length(),
    "beyond a cache": lambda n: 1e-6 + (1e-9 if n < 30_000 else 3e-9) * n,
    "a slow end": lambda n: 1e-6 + 1e-9 * min(n, 60_000) + 4e-9 * max(0, n - 60_000),
}
# How slow a moment may be, how many seconds it lasts, how much each call varies.
NOISES: Final = ((1.3, 0.05, 0.02), (2.0, 0.02, 0.05), (2.0, 0.3, 0.05))
HEAVY: Final = ((3.0, 0.1, 0.1), (4.0, 0.5, 0.1))


class _Machine:
    """A clock on which half of all moments are slow."""

    def __init__(self, noise: tuple[float, float, float], seed: int) -> None:
        self.slowest, self.lasts, self.jitter = noise
        self.random = random.Random(seed)
        self.now = self.until = 0.0
        self.factor = 1.0

    def call(self, size: int, cost: Callable[[int], float], limit: float) -> float:
        """Seconds of a call; of one that takes longer than the limit at least that."""
        if self.now >= self.until:
            is_slow = self.random.random() < 0.5
            self.factor = self.random.uniform(1, self.slowest) if is_slow else 1.0
            self.until = self.now + self.random.expovariate(1 / self.lasts)
        varied = 1 + abs(self.random.gauss(0, self.jitter))
        seconds = cost(size) * self.factor * varied
        self.now += 2 * min(seconds, limit)  # others have the processor too
        return seconds


def _count_flagged(
    monkeypatch: pytest.MonkeyPatch,
    cost: Callable[[int], float],
    noise: tuple[float, float, float],
    limit: float,
) -> int:
    """How many of the trials the gate calls steep."""
    texts: dict[int, str] = {}

    def build(_: Any, size: int) -> tuple[int, str]:
        return size, texts.setdefault(size, "x" * size)

    def call(measurement: Any, argument: str) -> float:
        # that of the memory, which the gate compares with, is always linear
        own = cost if measurement.caller.function is len else FLAT["linear"]
        return machine.call(len(argument), own, measurement.limit)

    def time_first(self: Any, argument: str) -> float:
        seconds = call(self, argument)
        if seconds > self.limit:
            raise TookTooLongError
        return seconds

    def time(self: Any, argument: str, loops: int, clock: Any) -> float:
        few = min(loops, 20)
        return sum(call(self, argument) for _ in range(few)) / few

    measured = _growth._Measurement
    monkeypatch.setattr(Caller, "build", build)
    monkeypatch.setattr(_growth, "settle_clock", lambda: None)
    monkeypatch.setattr(measured, "_time_first", time_first)
    monkeypatch.setattr(measured, "_time", time)
    monkeypatch.setattr(measured, "_warm_up", lambda _: None)
    monkeypatch.setattr(measured, "_measure_collector", lambda _: 0.0)
    flagged = 0
    for seed in range(TRIALS):
        machine = _Machine(noise, seed)
        judge = _check._Judge(len, 1.15, str, (), limit, is_timed=True)
        flagged += judge.time(FAMILY, SIZES) is not None
    return flagged


@pytest.mark.parametrize("limit", [0.2, 2.0])
@pytest.mark.parametrize("noise", [*NOISES, *HEAVY])
@pytest.mark.parametrize("name", FLAT)
def test_no_linear_cost_is_flagged(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    noise: tuple[float, float, float],
    limit: float,
) -> None:
    assert _count_flagged(monkeypatch, FLAT[name], noise, limit) == 0


@pytest.mark.parametrize("limit", [0.2, 2.0])
@pytest.mark.parametrize("noise", [*NOISES, *HEAVY])
@pytest.mark.parametrize("name", STEEP)
def test_every_steep_cost_is_caught(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    noise: tuple[float, float, float],
    limit: float,
) -> None:
    least = 0.95 * TRIALS if noise in HEAVY else TRIALS
    assert _count_flagged(monkeypatch, STEEP[name], noise, limit) >= least
