"""The exponent of a growth, robustly: how cost depends on size as a power of it.

Theil-Sen: the median of the slopes between all pairs of points, in logarithms, so that
one bad measurement does not decide (H. Theil 1950; P. K. Sen, "Estimates of the
regression coefficient based on Kendall's tau", JASA 63, 1968).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from statistics import median

__all__ = ["fit_exponent"]

_LEAST = 1e-9


def fit_exponent(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The exponent of (size, cost) points, and its uncertainty.

    The uncertainty is how far the exponent moves, at most, when any one of the points
    is left out.  Of fewer than two sizes nothing can be said: ``(0.0, 0.0)``.
    """
    exponent = _theil_sen(points)
    if len(points) < 3:
        return exponent, 0.0
    fewer = (
        _theil_sen([*points[:left_out], *points[left_out + 1 :]])
        for left_out in range(len(points))
    )
    return exponent, max(abs(other - exponent) for other in fewer)


def _theil_sen(points: Sequence[tuple[float, float]]) -> float:
    logs = [(math.log(size), math.log(max(cost, _LEAST))) for size, cost in points]
    slopes = [
        (second[1] - first[1]) / (second[0] - first[0])
        for first, second in combinations(logs, 2)
        if second[0] != first[0]
    ]
    return median(slopes) if slopes else 0.0
