"""The steps of a chain: parameters, checked when built, and what they do.

Every number may be a sequence with one value for each row of the batch. A step
is *bound* to a row and a dialect once, when the sampler is built; the bound
step is a plain function.

May live here: one class a step. Must not know: batches, the order of steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._dialects import Dialect, Scope
from ._edits import (
    History,
    PenaltyRule,
    ban_row,
    bias_row,
    check_bans,
    checked_bias,
    ids_per_row,
    penalize_row,
)
from ._filters import check_mass, check_share, check_threshold
from ._random import UniformSource, next_uniform
from ._rows import Floats, check_count, check_per_row, check_temperature, is_listed
from ._schedules import Schedule
from ._select import Ties, check_ties
from ._survivors import Survivors

PerRow = float | Sequence[float]


@dataclass(slots=True)
class Turn:
    """What a step may need to know of the token that is being chosen.

    Attributes:
        row: the row's number in the batch.
        step: how many tokens the row has generated; None if nobody said.
        history: the row's ids so far; None if nobody said.
        source: the row's uniforms.
    """

    row: int
    step: int | None
    history: History | None
    source: UniformSource


Edit = Callable[[Floats, Turn], None]
Narrow = Callable[[Survivors, Turn], Survivors]


class Step:
    """One step of a chain: an edit of logits, a temperature, or a filter."""

    __slots__ = ()

    def rows(self) -> int | None:
        """Return the number of rows that the parameters are for; None for any."""
        raise NotImplementedError

    def is_random(self) -> bool:
        """Return whether a uniform decides what the step leaves."""
        return False

    def bind(self, row: int, dialect: Dialect) -> tuple[Edit | None, Narrow | None]:
        """Return what the step does to one row: an edit or a narrowing."""
        raise NotImplementedError


def _each(value: Any) -> list[Any]:
    return list(value) if is_listed(value) else [value]


def _check_each(value: Any, name: str, check: Callable[[Any, str], object]) -> None:
    check_per_row(value, len(_each(value)), name, check)


def _check_heat(value: float | Schedule, name: str) -> None:
    if not callable(value):
        check_temperature(value, name)


def _at(value: Any, row: int) -> Any:
    return value[row] if is_listed(value) else value


def _count_rows(*values: object) -> int | None:
    lengths = {len(_each(value)) for value in values if is_listed(value)}
    if len(lengths) > 1:
        raise ValueError(f"parameters are for batches of different sizes: {lengths}")
    return lengths.pop() if lengths else None


@dataclass(frozen=True, slots=True)
class Temperature(Step):
    """Divide the logits by a number, or by a schedule's value at the step.

    0 or less keeps the largest logit alone, the lowest id among equals.

    Args:
        value: a finite number or a callable from the step to one; or a sequence
            of these, one for each row.
    """

    value: float | Schedule | Sequence[float | Schedule]

    def __post_init__(self) -> None:
        _check_each(self.value, "temperature", _check_heat)

    def rows(self) -> int | None:
        return _count_rows(self.value)

    def bind(self, row: int, dialect: Dialect) -> tuple[None, Narrow]:
        value: float | Schedule = _at(self.value, row)
        if not callable(value):
            fixed = float(value) if value >= dialect.greedy_below else 0.0
            return None, lambda left, turn: left.heat(fixed)
        schedule = value

        def narrow(left: Survivors, turn: Turn) -> Survivors:
            if turn.step is None:
                raise ValueError("a temperature schedule needs step= or history=")
            name = f"row {turn.row}: the temperature at step {turn.step}"
            heat = check_temperature(schedule(turn.step), name)
            return left.heat(heat if heat >= dialect.greedy_below else 0.0)

        return None, narrow


@dataclass(frozen=True, slots=True)
class TopK(Step):
    """Keep the ``k`` largest logits; see :func:`jsonsift.sampling.top_k`.

    ``ties`` overrides what the order preset does with logits equal to the k-th.
    """

    k: int | Sequence[int]
    ties: Ties | None = None

    def __post_init__(self) -> None:
        _check_each(self.k, "k", check_count)
        if self.ties is not None:
            check_ties(self.ties)

    def rows(self) -> int | None:
        return _count_rows(self.k)

    def bind(self, row: int, dialect: Dialect) -> tuple[None, Narrow]:
        k, ties = int(_at(self.k, row)), self.ties or dialect.ties
        return None, lambda left, turn: left.keep_top_k(k, ties)


@dataclass(frozen=True, slots=True)
class TopP(Step):
    """Keep the smallest set of mass ``p``; see :func:`jsonsift.sampling.top_p`."""

    p: PerRow
    min_keep: int = 1

    def __post_init__(self) -> None:
        _check_each(self.p, "p", check_mass)
        check_count(self.min_keep, "min_keep")

    def rows(self) -> int | None:
        return _count_rows(self.p)

    def bind(self, row: int, dialect: Dialect) -> tuple[None, Narrow]:
        p, min_keep = float(_at(self.p, row)), self.min_keep
        return None, lambda left, turn: left.keep_top_p(p, min_keep)


@dataclass(frozen=True, slots=True)
class MinP(Step):
    """Keep ``p`` times the best or more; see :func:`jsonsift.sampling.min_p`."""

    p: PerRow
    min_keep: int = 1

    def __post_init__(self) -> None:
        _check_each(self.p, "p", check_share)
        check_count(self.min_keep, "min_keep")

    def rows(self) -> int | None:
        return _count_rows(self.p)

    def bind(self, row: int, dialect: Dialect) -> tuple[None, Narrow]:
        p, min_keep = float(_at(self.p, row)), self.min_keep
        return None, lambda left, turn: left.keep_min_p(p, min_keep)


@dataclass(frozen=True, slots=True)
class TypicalP(Step):
    """Keep what is nearest to the entropy; see :func:`jsonsift.sampling.typical_p`.

    ``ties`` overrides what the order preset does with equal distances.
    """

    p: PerRow
    min_keep: int = 1
    ties: Ties | None = None

    def __post_init__(self) -> None:
        _check_each(self.p, "p", check_mass)
        check_count(self.min_keep, "min_keep")
        if self.ties is not None:
            check_ties(self.ties)

    def rows(self) -> int | None:
        return _count_rows(self.p)

    def bind(self, row: int, dialect: Dialect) -> tuple[None, Narrow]:
        p, min_keep = float(_at(self.p, row)), self.min_keep
        ties = self.ties or dialect.typical_ties
        on_equal = dialect.typical_crosses_on_equal
        return None, lambda left, turn: left.keep_typical(
            p, ties, min_keep, cross_on_equal=on_equal
        )


@dataclass(frozen=True, slots=True)
class TopNSigma(Step):
    """Keep ``n`` deviations from the top; see :func:`jsonsift.sampling.top_n_sigma`."""

    n: PerRow
    min_keep: int = 1

    def __post_init__(self) -> None:
        _check_each(self.n, "n", check_mass)
        check_count(self.min_keep, "min_keep")

    def rows(self) -> int | None:
        return _count_rows(self.n)

    def bind(self, row: int, dialect: Dialect) -> tuple[None, Narrow]:
        n, min_keep = float(_at(self.n, row)), self.min_keep
        return None, lambda left, turn: left.keep_n_sigma(n, min_keep)


@dataclass(frozen=True, slots=True)
class XTC(Step):
    """Sometimes drop the top choices; see :func:`jsonsift.sampling.xtc`."""

    threshold: PerRow = 0.1
    probability: PerRow = 0.5
    min_keep: int = 1

    def __post_init__(self) -> None:
        _check_each(self.threshold, "threshold", check_threshold)
        _check_each(self.probability, "probability", check_share)
        check_count(self.min_keep, "min_keep")

    def rows(self) -> int | None:
        return _count_rows(self.threshold, self.probability)

    def is_random(self) -> bool:
        return any(0.0 < one < 1.0 for one in _each(self.probability))

    def bind(self, row: int, dialect: Dialect) -> tuple[None, Narrow]:
        threshold = float(_at(self.threshold, row))
        probability = float(_at(self.probability, row))

        def narrow(left: Survivors, turn: Turn) -> Survivors:
            if next_uniform(turn.source) < probability:
                return left.drop_xtc(threshold, self.min_keep)
            return left

        return None, narrow


@dataclass(frozen=True, slots=True)
class Penalties(Step):
    """Discourage what was said already; see :func:`jsonsift.sampling.penalize`.

    ``scope`` and ``window`` override those of the order preset.
    """

    repetition: PerRow = 1.0
    presence: PerRow = 0.0
    frequency: PerRow = 0.0
    scope: Scope | None = None
    window: int | None = None

    def __post_init__(self) -> None:
        rows = self.rows()
        for row in range(1 if rows is None else rows):
            try:
                self._rule(row, "output", None)
            except ValueError as error:
                if rows is None:
                    raise
                raise ValueError(f"row {row}: {error}") from error

    def _rule(self, row: int, scope: Scope, window: int | None) -> PenaltyRule:
        return PenaltyRule(
            _at(self.repetition, row),
            _at(self.presence, row),
            _at(self.frequency, row),
            scope if self.scope is None else self.scope,
            window if self.window is None else self.window,
        )

    def rows(self) -> int | None:
        return _count_rows(self.repetition, self.presence, self.frequency)

    def bind(self, row: int, dialect: Dialect) -> tuple[Edit, None]:
        rule = self._rule(row, dialect.scope, dialect.window)
        if not dialect.counts and (rule.presence or rule.frequency):
            raise ValueError(
                f"{dialect.name} has no presence or frequency penalty: leave out "
                "order= to combine steps of your own"
            )

        def edit(values: Floats, turn: Turn) -> None:
            if turn.history is None:
                raise ValueError("penalties need history=")
            penalize_row(values, rule, turn.history, turn.row)

        return edit, None


@dataclass(frozen=True, slots=True)
class Bias(Step):
    """Add to single logits; see :func:`jsonsift.sampling.logit_bias`."""

    bias: Mapping[int, float] | Sequence[Mapping[int, float]]

    def __post_init__(self) -> None:
        _check_each(self.bias, "bias", checked_bias)

    def rows(self) -> int | None:
        return _count_rows(self.bias)

    def bind(self, row: int, dialect: Dialect) -> tuple[Edit, None]:
        ids, amounts = checked_bias(_at(self.bias, row), "bias")
        return lambda values, turn: bias_row(values, ids, amounts, turn.row), None


@dataclass(frozen=True, slots=True)
class Ban(Step):
    """Forbid ids; see :func:`jsonsift.sampling.ban`."""

    ids: Any

    def __post_init__(self) -> None:
        check_bans(self.ids)

    def rows(self) -> int | None:
        return len(self.ids) if ids_per_row(self.ids) else None

    def bind(self, row: int, dialect: Dialect) -> tuple[Edit, None]:
        ids = self.ids[row] if ids_per_row(self.ids) else self.ids
        return lambda values, turn: ban_row(values, ids, turn.row), None
