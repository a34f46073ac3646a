"""Goodness of fit of drawn ids with a float64 distribution.

Four tests, each of them good at another kind of error:

- ``ordered``: chi-square over 64 cells of about equal mass, ids by descending
  probability: finds wrong temperatures and thresholds;
- ``scattered``: chi-square over single ids where at least 10 draws are expected,
  the others in 64 cells by id modulo 64: finds favoured positions;
- ``mean``: a z-test on the mean of -log p over the draws: the sharpest against
  a wrong temperature. Left out (1.0) where fewer than 200 draws other than the
  most likely id are expected, since the mean is then far from normal;
- ``uniform``: Kolmogorov-Smirnov on the randomised probability transform, in id
  order: finds errors of the cumulative sums.

Each p-value is uniform for a right sampler (chi-square nearly so).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import stats  # type: ignore[import-untyped,unused-ignore]

Doubles = NDArray[np.float64]
Ids = NDArray[np.int64]

_CELLS = 64


def p_values(
    drawn: Ids, chances: Doubles, rng: np.random.Generator
) -> dict[str, float]:
    """Return the p-value of each test; 0 if an impossible id was drawn.

    ``chances`` is ``[V]``, of sum 1; ``rng`` serves the randomised transform.
    """
    counts = np.bincount(drawn, minlength=chances.size).astype(np.float64)
    if counts.size > chances.size or (counts[chances == 0.0] > 0).any():
        return {"ordered": 0.0, "scattered": 0.0, "mean": 0.0, "uniform": 0.0}
    order = np.argsort(-chances, kind="stable")
    before = np.cumsum(chances[order]) - chances[order]
    by_mass = np.empty(chances.size, dtype=np.int64)
    by_mass[order] = np.minimum(before * _CELLS, _CELLS - 1).astype(np.int64)
    expected = chances * drawn.size
    scattered = np.arange(chances.size) % _CELLS
    alone = np.flatnonzero(expected >= 10.0)
    scattered[alone] = _CELLS + np.arange(alone.size)
    below = np.cumsum(chances) - chances
    transformed = below[drawn] + rng.random(drawn.size) * chances[drawn]
    return {
        "ordered": _chi_square(counts, expected, by_mass),
        "scattered": _chi_square(counts, expected, scattered),
        "mean": _mean_surprise(drawn, chances),
        "uniform": float(stats.kstest(transformed, "uniform").pvalue),
    }


def _mean_surprise(drawn: Ids, chances: Doubles) -> float:
    possible = chances > 0.0
    surprise = np.zeros(chances.size)
    surprise[possible] = -np.log(chances[possible])
    mean = float((chances * surprise).sum())
    spread = float(np.sqrt((chances * (surprise - mean) ** 2).sum()))
    if drawn.size * (1.0 - chances.max()) < 200.0 or spread < 1e-9:
        return 1.0
    z = (float(surprise[drawn].mean()) - mean) / spread * np.sqrt(drawn.size)
    return float(2.0 * stats.norm.sf(abs(z)))


def _chi_square(counts: Doubles, expected: Doubles, cells: Ids) -> float:
    """Return the p-value, cells with fewer than 10 expected draws pooled."""
    seen = np.bincount(cells, weights=counts)
    due = np.bincount(cells, weights=expected)
    small = due < 10.0
    seen = np.append(seen[~small], seen[small].sum())
    due = np.append(due[~small], due[small].sum())
    if due[-1] < 10.0:
        # Too little to be a cell: give it to the largest one.
        largest = int(due[:-1].argmax()) if due.size > 1 else 0
        if due.size > 1:
            seen[largest] += seen[-1]
            due[largest] += due[-1]
            seen, due = seen[:-1], due[:-1]
    if due.size < 2:
        return 1.0
    statistic = float(((seen - due) ** 2 / due).sum())
    return float(stats.chi2.sf(statistic, due.size - 1))
