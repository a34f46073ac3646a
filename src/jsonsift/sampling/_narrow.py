"""Filters of a set that an earlier filter already made small and sorted.

Every function says how many of the most likely stay. They look at a handful of
numbers by bisection, which serves lists and arrays alike: for the few dozen
survivors of a usual chain, lists cost less than calls into NumPy.

May live here: filters of a sorted set. Must not know: the vocabulary.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from operator import neg

import numpy as np

from ._blocks import scale
from ._rows import Doubles, Floats
from ._select import Ties

Numbers = Sequence[float] | Doubles

# Up to this many numbers are held in lists.
_LISTED_AT_MOST = 64


def scale_sorted(values: Floats, temperature: float) -> Numbers:
    """Return ``(values - values[0]) / temperature``, descending from 0."""
    if values.size > _LISTED_AT_MOST:
        return scale(values, float(values[0]), temperature)
    listed = values.tolist()
    peak = listed[0]
    return [(value - peak) / temperature for value in listed]


def cumulate(y: Numbers) -> Numbers:
    """Return the running sums of exp(y)."""
    if isinstance(y, np.ndarray):
        sums: Doubles = np.exp(y).cumsum()
        return sums
    return list(accumulate(map(math.exp, y)))


def count_top_k(values: Floats, k: int, ties: Ties = "exact") -> int:
    """Return how many of ``values`` are the ``k`` largest, or equal to the k-th."""
    if k >= values.size:
        return int(values.size)
    if ties == "exact":
        return k
    return int(values.size) - int(values[::-1].searchsorted(values[k - 1]))


def count_top_p(sums: Numbers, p: float, min_keep: int = 1) -> int:
    """Return how many make the smallest set of mass ``p``, by their running sums."""
    if p >= 1.0:
        return len(sums)
    count = bisect_left(sums, p * float(sums[-1])) + 1
    return min(max(count, min_keep), len(sums))


def count_min_p(y: Numbers, p: float, min_keep: int = 1) -> int:
    """Return how many of ``y`` have at least ``p`` times the largest probability."""
    if p <= 0.0:
        return len(y)
    return _count_at_least(y, math.log(p), min_keep)


def count_n_sigma(values: Doubles, n: float, min_keep: int = 1) -> int:
    """Return how many are within ``n`` standard deviations of the first."""
    return _count_at_least(values, float(values[0]) - n * float(values.std()), min_keep)


def start_xtc(sums: Numbers, y: Numbers, threshold: float, min_keep: int = 1) -> int:
    """Return how many leading tokens XTC drops: all that reach ``threshold``
    but the least likely of them, none when fewer than ``min_keep`` would stay."""
    reach = _count_at_least(y, math.log(threshold * float(sums[-1])), 0)
    if reach < 2 or len(y) - (reach - 1) < min_keep:
        return 0
    return reach - 1


def pick(sums: Numbers, uniform: float) -> int:
    """Return the position at which running sums pass ``uniform`` of the last."""
    return bisect_right(sums, uniform * float(sums[-1]))


def _count_at_least(descending: Numbers, floor: float, min_keep: int) -> int:
    count = bisect_right(descending, -floor, key=neg)
    return min(max(count, min_keep), len(descending))
