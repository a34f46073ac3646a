"""Temperatures that change from token to token.

A schedule is any callable from the step (0 for the first generated token) to a
temperature. Those built here can be pickled.

May live here: such callables. Must not know: sampling.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from ._rows import check_count, check_number

Schedule = Callable[[int], float]


def _temperature(value: object, name: str) -> float:
    return check_number(value, name, 0.0, math.inf)


def _constant_at(value: float, step: int) -> float:
    return value


def _linear_at(start: float, end: float, steps: int, step: int) -> float:
    done = min(step, steps) / steps
    return start * (1.0 - done) + end * done


def _exponential_at(start: float, decay: float, floor: float, step: int) -> float:
    return max(floor, start * decay**step)


def _cosine_at(start: float, end: float, steps: int, step: int) -> float:
    done = min(step, steps) / steps
    return end + (start - end) * (1.0 + math.cos(math.pi * done)) / 2.0


def _piecewise_at(pieces: tuple[tuple[int, float], ...], step: int) -> float:
    value = pieces[0][1]
    for first, later in pieces:
        if step < first:
            break
        value = later
    return value


def constant(temperature: float) -> Schedule:
    """Return the schedule that is always ``temperature`` (at least 0).

    >>> constant(0.7)(123)
    0.7
    """
    return partial(_constant_at, _temperature(temperature, "temperature"))


def linear(start: float, end: float, steps: int) -> Schedule:
    """Return a straight line from ``start`` at step 0 to ``end`` at ``steps``.

    It stays at ``end`` afterwards. Raises ValueError for a negative temperature
    or fewer than one step.

    >>> [linear(1.0, 0.5, 10)(step) for step in (0, 5, 10, 99)]
    [1.0, 0.75, 0.5, 0.5]
    """
    start, end = _temperature(start, "start"), _temperature(end, "end")
    return partial(_linear_at, start, end, check_count(steps, "steps"))


def exponential(start: float, decay: float, *, floor: float = 0.0) -> Schedule:
    """Return ``start * decay ** step``, never below ``floor``.

    ``decay`` is in [0, 1]: 0.99 takes one percent off at each token. Raises
    ValueError outside of that, or for a negative temperature.

    >>> [exponential(1.0, 0.5, floor=0.2)(step) for step in range(4)]
    [1.0, 0.5, 0.25, 0.2]
    """
    start, floor = _temperature(start, "start"), _temperature(floor, "floor")
    return partial(_exponential_at, start, check_number(decay, "decay", 0, 1), floor)


def cosine(start: float, end: float, steps: int) -> Schedule:
    """Return half a cosine from ``start`` at step 0 to ``end`` at ``steps``.

    It stays at ``end`` afterwards. Raises ValueError as :func:`linear` does.

    >>> [round(cosine(1.0, 0.5, 10)(step), 3) for step in (0, 5, 10, 99)]
    [1.0, 0.75, 0.5, 0.5]
    """
    start, end = _temperature(start, "start"), _temperature(end, "end")
    return partial(_cosine_at, start, end, check_count(steps, "steps"))


def piecewise(pieces: Sequence[tuple[int, float]]) -> Schedule:
    """Return a staircase: each ``(first step, temperature)`` holds to the next.

    Raises ValueError unless the first piece is at step 0 and steps increase.

    >>> stairs = piecewise([(0, 1.0), (8, 0.6)])
    >>> [stairs(step) for step in (0, 7, 8, 50)]
    [1.0, 1.0, 0.6, 0.6]
    """
    checked = tuple(
        (check_count(first, "a first step", 0), _temperature(value, "temperature"))
        for first, value in pieces
    )
    firsts = [first for first, _ in checked]
    if not firsts or firsts[0] != 0 or firsts != sorted(set(firsts)):
        raise ValueError("pieces must start at step 0 and go upwards")
    return partial(_piecewise_at, checked)
