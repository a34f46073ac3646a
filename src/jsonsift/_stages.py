"""A clock for the stages of one call.

Rules of this file: it adds up what it is told, and knows no stage but by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter_ns
from typing import Final, ParamSpec, TypeVar

from ._types import StageTime

__all__ = ["STAGES", "StageClock"]

P = ParamSpec("P")
T = TypeVar("T")

STAGES: Final = ("decode", "locate", "strict", "mend", "choose", "validate")


class StageClock:
    """Nanoseconds, runs and sizes of the stages, in the order of the pipeline."""

    def __init__(self) -> None:
        self._spent = {stage: [0, 0, 0] for stage in STAGES}

    def add(self, stage: str, ns: int = 0, runs: int = 0, size: int = 0) -> None:
        """Add to what a stage has cost so far."""
        spent = self._spent[stage]
        spent[0] += ns
        spent[1] += runs
        spent[2] += size

    def time(
        self, stage: str, size: int, call: Callable[P, T], *args: P.args, **kw: P.kwargs
    ) -> T:
        """``call(*args)``, its time added to the stage, whether or not it raises."""
        began = perf_counter_ns()
        try:
            return call(*args, **kw)
        finally:
            self.add(stage, perf_counter_ns() - began, 1, size)

    def read(self) -> Mapping[str, StageTime]:
        """What each stage has cost; those that did not run stand there with zeros."""
        return {stage: StageTime(*spent) for stage, spent in self._spent.items()}
