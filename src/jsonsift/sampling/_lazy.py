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

# Blocks whose maximum is within so many temperatures of the peak are hot: the
# deeper of these that leaves no more than _MOST_HOT of them. If none does, none is
# hot: then the row is so flat that the bounds of cold blocks are good ones.
_HOT_DEPTHS = (3.0, 8.0)
_MOST_HOT = 96
_FIRST_ROUND = 16
_LARGEST_ROUND = 1 << 16
# When this many proposals per draw were refused, the bounds are poor for this
# row. What was refused does not bias what another exact method then draws.
_PATIENCE = 512

# Found once: a call is made of so few operations that looking them up counts.
_exp = np.exp
_sum = np.add.reduce


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

    def keeps_one(self, token: int, value: float) -> bool:
        """Return whether the id ``token`` stays."""
        return value > self.floor or (value == self.floor and token <= self.last_id)


class LazyDraw:
    """An exact sampler of one row at one temperature, optionally cut.

    Args:
        row: the row.
        temperature: above 0.
        cut: which ids may be drawn; the peak must be one of them.
    """

    __slots__ = (
        "_bounds",
        "_cold",
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
        self._hot_mass = self._cold_mass = 0.0
        self._cold: Doubles | None = None
        peak = row.peak
        bounds = scale(row.maxima, peak, temperature)
        if row.height == 1:
            # The row is short: all of it is hot.
            self._hot: Ids | None = None
            self._sum_hot(row.values, _exp(bounds, bounds))
            return
        hot = None
        for depth in _HOT_DEPTHS:
            found = (bounds >= -depth).nonzero()[0]
            if found.shape[0] > _MOST_HOT:
                break
            hot = found
        self._bounds = _exp(bounds, bounds)
        if cut is not None:
            bounds[row.maxima < lowest_not_below(cut.floor, row.maxima.dtype)] = 0.0
        self._hot = hot
        if hot is None:
            # Every draw will need the running sums, so they serve for the mass too.
            self._cold = cold = bounds.cumsum()
            self._cold_mass = cold.item(-1) * row.height
            return
        bounds[hot] = 0.0
        self._cold_mass = float(_sum(bounds)) * row.height
        held = row.gather(hot)
        weights = scale(held, peak, temperature)
        self._sum_hot(held, _exp(weights, weights))

    def _sum_hot(self, values: Floats, weights: Doubles) -> None:
        """Keep the running sums of the weights of hot ids."""
        if self._cut is not None:
            ids = self._row.place(self._hot, np.arange(values.shape[0]))
            weights[~self._cut.keeps(ids, values.astype(np.float64))] = 0.0
        self._cumulated = cumulated = weights.cumsum()
        self._hot_mass = cumulated.item(-1)

    def draw_one(self, source: UniformSource) -> int:
        """Return the id that ``draw(source, 1)`` would, sooner.

        A single draw mostly ends at its first proposal or soon after, where
        Python's numbers cost less than arrays of a round.
        """
        uniforms = source.random(3 * _FIRST_ROUND)
        hot_mass = self._hot_mass
        total = hot_mass + self._cold_mass
        for at in range(_FIRST_ROUND):
            target = uniforms.item(at) * total
            if target < hot_mass:
                position = int(self._cumulated.searchsorted(target, "right"))
                return self._row.place_one(self._hot, position)
            slot = uniforms.item(_FIRST_ROUND + at)
            coin = uniforms.item(2 * _FIRST_ROUND + at)
            token = self._accept_one(target - hot_mass, slot, coin)
            if token >= 0:
                return token
        return int(self._rounds(source, 1, 4 * _FIRST_ROUND, _FIRST_ROUND)[0])

    def _accept_one(self, into: float, slot: float, coin: float) -> int:
        """Return the id of one proposal of a cold block, -1 if it is refused."""
        row = self._row
        if self._cold is None:
            self._cold = self._bounds.cumsum()
        block = int(self._cold.searchsorted(into / row.height, "right"))
        token: int = int(slot * row.height) * row.stride + block
        if block >= row.stride or token >= row.values.shape[0]:
            return -1
        value: float = row.values.item(token)
        # The same exp as that of the bounds, so that no weight is above its bound.
        weight = float(_exp((value - row.peak) / self._temperature))
        if coin * self._bounds.item(block) >= weight:
            return -1
        if self._cut is not None and not self._cut.keeps_one(token, value):
            return -1
        return token

    def draw(self, source: UniformSource, n: int) -> Ids:
        """Return ``n`` independent ids, int64 ``[n]``."""
        return self._rounds(source, n, max(_FIRST_ROUND, n + n // 4), 0)

    def _rounds(self, source: UniformSource, n: int, size: int, proposed: int) -> Ids:
        """Return ``n`` ids by rounds of ``size`` proposals, then more."""
        out = np.empty(n, dtype=np.int64)
        filled = 0
        total = self._hot_mass + self._cold_mass
        while filled < n:
            if proposed > _PATIENCE * n:
                out[filled:] = self._invert(source, n - filled)
                break
            size = min(size, _LARGEST_ROUND)
            uniforms = np.asarray(source.random(3 * size)).reshape(3, size)
            accepted = self._accept(uniforms[0] * total, uniforms[1], uniforms[2])
            taken = accepted[: n - filled]
            out[filled : filled + taken.size] = taken
            filled += taken.size
            proposed += size
            size *= 4
        return out

    def _accept(self, target: Doubles, slot: Doubles, coin: Doubles) -> Ids:
        """Return the accepted ids of a round of proposals, in their order."""
        if self._cold_mass == 0.0:
            return self._find_hot(target)
        row = self._row
        is_hot = target < self._hot_mass
        into = target - self._hot_mass
        into /= row.height
        if self._cold is None:
            self._cold = self._bounds.cumsum()
        block = self._cold.searchsorted(into, "right")
        # Rounding may carry a target past the last cold block: refuse those.
        is_cold = ~is_hot & (block < row.stride)
        block[~is_cold] = 0
        ids = (slot * row.height).astype(np.int64) * row.stride + block
        is_cold &= ids < row.values.shape[0]
        ids[~is_cold] = 0
        values = row.values[ids]
        weights = weigh(values, row.peak, self._temperature)
        is_cold &= coin * self._bounds[block] < weights
        if self._cut is not None:
            is_cold &= self._cut.keeps(ids, values.astype(np.float64))
        if self._hot_mass:
            ids[is_hot] = self._find_hot(target[is_hot])
        accepted: Ids = ids[is_hot | is_cold]
        return accepted

    def _find_hot(self, target: Doubles) -> Ids:
        found = self._cumulated.searchsorted(target, "right")
        return self._row.place(self._hot, found)

    def _invert(self, source: UniformSource, n: int) -> Ids:
        """Return ``n`` ids by inverting the whole cumulative distribution."""
        row = self._row
        weights = np.exp(row.exponents(self._temperature))
        if self._cut is not None:
            ids = np.arange(row.values.shape[0])
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
