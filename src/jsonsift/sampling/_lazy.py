"""Draw from softmax(logits / T) without touching most of the vocabulary.

The proof, in short (docs/sampling.md has it in full). Give every id a bound on
its weight ``w = exp((l - peak) / T)``: its own weight where its block was read
(a *hot* block), the weight of its block's maximum where not (a *cold* one).
Draw an id in proportion to the bounds and accept it with probability weight /
bound, else start again. An id is then accepted with probability proportional
to bound * weight / bound = weight. The total weight is never needed, and a
cold block is read only at the one slot that was proposed.

May live here: drawing from a row, whole or cut at a floor. Must not know: how
a floor was chosen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ._blocks import BlockedRow, lowest_not_below, scale
from ._random import UniformSource
from ._rows import Doubles, Floats, Ids

# Blocks whose maximum is within this many temperatures of the peak are hot,
# unless that would be more than _MOST_HOT: then the row is so flat that the
# bounds of cold blocks are good ones.
_HOT_DEPTH = 3.0
_MOST_HOT = 96
_FIRST_ROUND = 16
_LARGEST_ROUND = 1 << 16
# When this many proposals per draw were refused, the bounds are poor for this
# row. What was refused does not bias what another exact method then draws.
_PATIENCE = 512


@dataclass(frozen=True, slots=True)
class Cut:
    """Keep ids whose logit is above ``floor``, and at it those up to ``last_id``."""

    floor: float
    last_id: int

    def keeps(self, ids: Ids, values: Doubles) -> np.ndarray:
        """Return which of ``ids`` stay, bool, one for each."""
        kept: np.ndarray = (values > self.floor) | (
            (values == self.floor) & (ids <= self.last_id)
        )
        return kept


class LazyDraw:
    """An exact sampler of one row at one temperature, optionally cut.

    Args:
        row: the row; its peak must be finite.
        temperature: above 0.
        cut: which ids may be drawn; the peak must be one of them.
    """

    __slots__ = (
        "_bounds",
        "_cold_cumulated",
        "_cold_mass",
        "_cumulated",
        "_cut",
        "_hot",
        "_hot_mass",
        "_row",
        "_temperature",
    )

    def __init__(
        self, row: BlockedRow, temperature: float, cut: Cut | None = None
    ) -> None:
        self._row = row
        self._temperature = temperature
        self._cut = cut
        maxima = row.maxima
        depth = row.peak - _HOT_DEPTH * temperature
        hot = (maxima >= lowest_not_below(depth, maxima.dtype)).nonzero()[0]
        if hot.size > _MOST_HOT:
            hot = hot[:0]
        self._hot = hot
        bounds = weigh(maxima, row.peak, temperature)
        if cut is not None:
            bounds[maxima < lowest_not_below(cut.floor, maxima.dtype)] = 0.0
        bounds[hot] = 0.0
        self._bounds = bounds
        self._cold_mass = float(np.add.reduce(bounds)) * row.height
        self._cold_cumulated: Doubles | None = None
        self._cumulated: Doubles | None = None
        self._hot_mass = 0.0
        if hot.size:
            self._sum_hot()

    def _sum_hot(self) -> None:
        held = self._row.gather(self._hot).ravel()
        weights = weigh(held, self._row.peak, self._temperature)
        if self._cut is not None:
            ids = self._row.place(self._hot, np.arange(held.size))
            weights[~self._cut.keeps(ids, held.astype(np.float64))] = 0.0
        self._cumulated = weights.cumsum()
        self._hot_mass = float(self._cumulated[-1])

    def draw(self, source: UniformSource, n: int = 1) -> Ids:
        """Return ``n`` independent ids, int64 ``[n]``."""
        out = np.empty(n, dtype=np.int64)
        filled = proposed = 0
        total = self._hot_mass + self._cold_mass
        size = max(_FIRST_ROUND, n + n // 4)
        while filled < n:
            if proposed > _PATIENCE * n:
                out[filled:] = self._invert(source, n - filled)
                break
            size = min(size, _LARGEST_ROUND)
            uniforms = np.asarray(source.random(3 * size))
            if n == 1 and float(uniforms[0]) * total < self._hot_mass:
                # The usual case of one draw, without the machinery below.
                out[0] = self._hot_id(float(uniforms[0]) * total)
                return out
            uniforms = uniforms.reshape(3, size)
            accepted = self._accept(uniforms[0] * total, uniforms[1], uniforms[2])
            taken = accepted[: n - filled]
            out[filled : filled + taken.size] = taken
            filled += taken.size
            proposed += size
            size *= 4
        return out

    def _hot_id(self, target: float) -> int:
        assert self._cumulated is not None
        position = int(self._cumulated.searchsorted(target, side="right"))
        slot, column = divmod(position, int(self._hot.size))
        return slot * int(self._row.stride) + int(self._hot[column])

    def _hot_ids(self, target: Doubles) -> Ids:
        assert self._cumulated is not None
        positions = self._cumulated.searchsorted(target, side="right")
        return self._row.place(self._hot, positions)

    def _accept(self, target: Doubles, slot: Doubles, coin: Doubles) -> Ids:
        """Return the accepted ids of a round of proposals, in their order."""
        row = self._row
        is_hot = target < self._hot_mass
        into = target - self._hot_mass
        into /= row.height
        if self._cold_cumulated is None:
            self._cold_cumulated = self._bounds.cumsum()
        block = self._cold_cumulated.searchsorted(into, side="right")
        # Rounding may carry a target past the last cold block: refuse those.
        is_cold = ~is_hot & (block < row.stride)
        block[~is_cold] = 0
        ids = (slot * row.height).astype(np.int64) * row.stride + block
        is_cold &= ids < row.size
        ids[~is_cold] = 0
        values = row.values[ids]
        weights = weigh(values, row.peak, self._temperature)
        is_cold &= coin * self._bounds[block] < weights
        if self._cut is not None:
            is_cold &= self._cut.keeps(ids, values.astype(np.float64))
        if self._hot_mass:
            ids[is_hot] = self._hot_ids(target[is_hot])
        accepted: Ids = ids[is_hot | is_cold]
        return accepted

    def _invert(self, source: UniformSource, n: int) -> Ids:
        """Return ``n`` ids by inverting the whole cumulative distribution."""
        row = self._row
        weights = np.exp(row.exponents(self._temperature))
        if self._cut is not None:
            ids = np.arange(row.size)
            weights[~self._cut.keeps(ids, row.values.astype(np.float64))] = 0.0
        return invert(weights, source, n)


def weigh(values: Floats, peak: float, temperature: float) -> Doubles:
    """Return ``exp((values - peak) / temperature)`` in float64."""
    y = scale(values, peak, temperature)
    return np.exp(y, out=y)


def invert(weights: Doubles, source: UniformSource, n: int) -> Ids:
    """Return ``n`` positions of ``weights`` in proportion to them, int64 ``[n]``."""
    cumulated = weights.cumsum()
    total = float(cumulated[-1])
    if not 0.0 < total < math.inf:
        raise ValueError("weights must have a positive, finite sum")
    uniforms = np.asarray(source.random(n))
    return cumulated.searchsorted(uniforms * total, side="right")
