"""Plain float64 versions of every filter: sort the whole row, then cut.

Each returns the kept ids as an array, in the order in which they were taken.
``nudge`` multiplies the threshold, to find out whether rounding could decide.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


def exponents(logits: NDArray[np.floating], temperature: float) -> NDArray[np.float64]:
    y: NDArray[np.float64] = logits.astype(np.float64)
    y -= y.max()
    y /= temperature
    return y


def probabilities(
    logits: NDArray[np.floating], temperature: float = 1.0
) -> NDArray[np.float64]:
    weights: NDArray[np.float64] = np.exp(exponents(logits, temperature))
    weights /= weights.sum()
    return weights


def descending(logits: NDArray[np.floating]) -> Ids:
    order = np.lexsort((np.arange(logits.size), -logits.astype(np.float64)))
    return order[logits[order] > -np.inf]


def top_k(logits: NDArray[np.floating], k: int, ties: str = "exact") -> Ids:
    order = descending(logits)
    if ties == "all" and k < order.size:
        k = int(np.count_nonzero(logits[order] >= logits[order[k - 1]]))
    return order[:k]


def top_p(
    logits: NDArray[np.floating],
    p: float,
    temperature: float = 1.0,
    min_keep: int = 1,
    nudge: float = 1.0,
) -> Ids:
    order = descending(logits)
    if p >= 1.0:
        return order
    weights = np.exp(exponents(logits, temperature))[order]
    before = np.cumsum(weights) - weights
    count = int(np.count_nonzero(before < p * nudge * weights.sum()))
    return order[: max(count, min_keep, 1)]


def min_p(
    logits: NDArray[np.floating],
    p: float,
    temperature: float = 1.0,
    min_keep: int = 1,
    nudge: float = 1.0,
) -> Ids:
    order = descending(logits)
    chance = probabilities(logits, temperature)[order]
    count = int(np.count_nonzero(chance >= p * nudge * chance[0]))
    return order[: max(count, min_keep)]


def top_n_sigma(
    logits: NDArray[np.floating], n: float, min_keep: int = 1, nudge: float = 1.0
) -> Ids:
    order = descending(logits)
    values = logits[order].astype(np.float64)
    reach = n * nudge * values.std()
    slack = 0.0 if nudge == 1.0 else (nudge - 1.0) * abs(values[0])
    count = int(np.count_nonzero(values >= values[0] - reach - slack))
    return order[: max(count, min_keep, 1)]


def typical_p(
    logits: NDArray[np.floating],
    p: float,
    temperature: float = 1.0,
    ties: str = "exact",
    min_keep: int = 1,
    nudge: float = 1.0,
) -> Ids:
    alive = np.flatnonzero(logits > -np.inf)
    if p >= 1.0:
        return alive
    chance = probabilities(logits, temperature)[alive]
    with np.errstate(divide="ignore"):
        surprise = -np.log(chance)
    possible = chance > 0.0
    entropy = float((chance[possible] * surprise[possible]).sum())
    # Rounding must not part equal distances, nor decide between near ones.
    distance = np.round(np.abs(surprise - entropy), 9)
    order = np.lexsort((alive, distance))
    before = np.cumsum(chance[order]) - chance[order]
    count = max(int(np.count_nonzero(before < p * nudge)), 1)
    if ties == "all":
        # As in transformers, min_keep does not add ties of its own.
        count = int(np.count_nonzero(distance <= distance[order[count - 1]]))
    return alive[order[: max(count, min_keep)]]


def xtc(
    logits: NDArray[np.floating],
    threshold: float,
    temperature: float = 1.0,
    min_keep: int = 1,
    nudge: float = 1.0,
) -> Ids:
    order = descending(logits)
    chance = probabilities(logits, temperature)[order]
    dropped = int(np.count_nonzero(chance >= threshold * nudge)) - 1
    if dropped < 1 or order.size - dropped < min_keep:
        return order
    return order[dropped:]
