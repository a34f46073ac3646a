"""One row on its way through a chain: whole, cut, or a short list.

A chain starts from a whole row behind its block maxima. A filter returns what
is left: a short list, which every later filter only shortens, or the row with a
cut, which is not carried out until a later step needs it: drawing does not.

May live here: rows with cuts, and the moves to short lists. Must not know:
parameters of a batch, presets, edits of logits.
"""

from __future__ import annotations

import math

import numpy as np

from ._blocks import BlockedRow
from ._candidates import Candidates
from ._lazy import Cut, LazyDraw
from ._mass import Scaled
from ._nucleus import Nucleus, cut_nucleus, select_nucleus
from ._random import UniformSource
from ._rows import Floats, Ids
from ._select import (
    Chosen,
    Ties,
    floor_min_p,
    floor_n_sigma,
    floor_with_min_keep,
    gather_cut,
    locate_largest,
    order_descending,
    select_largest,
    select_typical,
    survivors_of_cut,
)
from ._shortlist import LEAST_HEAT, Shortlist

# Up to this many survivors are sorted at once; more are kept as a row of their
# own behind new block maxima.
_SORTED_AT_MOST = 1024
# So many ids are asked whether the nucleus holds them before it is carried out.
_ASKED_AT_MOST = 3


class CutRow:
    """A row, perhaps cut, and the temperature to read its logits at.

    Args:
        row: the row.
        names: the ids, ascending, where the row is what was left of a larger one.
    """

    __slots__ = ("_cut", "_names", "_nucleus", "_row", "_temperature")

    def __init__(
        self, row: BlockedRow, names: Ids | None = None, temperature: float = 1.0
    ) -> None:
        self._row = row
        self._names = names
        self._temperature = temperature
        # Both may apply.
        self._cut: Cut | None = None
        self._nucleus: Nucleus | None = None

    def heat(self, temperature: float) -> Survivors:
        """Divide by ``temperature``; 0 or less keeps the best alone."""
        if temperature <= 0.0:
            best = self._row.values.argmax().reshape(1).astype(np.int64)
            return self._listed((best, self._row.values[best]))
        self._temperature = max(self._temperature * temperature, LEAST_HEAT)
        return self

    def keep_top_k(self, k: int, ties: Ties) -> Survivors:
        """Keep the ``k`` most likely."""
        if self._nucleus is not None:
            self._settle()
        if self._cut is None and self._names is None:
            # Most filters come after this one: what they drop needs no id.
            blocks, (ids, values) = locate_largest(self._row, k, ties)
            return Shortlist(ids, values, self._temperature, self._row, blocks)
        ids, values = select_largest(self._row, k, ties)
        if self._cut is not None:
            # Both keep a beginning of the same order, so the shorter one rules.
            kept = self._cut.keeps(ids, values.astype(np.float64))
            count = int(np.count_nonzero(kept))
            ids, values = ids[:count], values[:count]
        return self._listed((ids, values))

    def keep_top_p(self, p: float, min_keep: int) -> Survivors:
        """Keep the smallest set of most likely ids with mass ``p``."""
        if p >= 1.0:
            return self
        left = self._carried_out()
        if left is not self:
            return left.keep_top_p(p, min_keep)
        small = select_nucleus(self._row, p, self._temperature, min_keep)
        if small is not None:
            return self._listed(small)
        if min_keep > 1:
            self._cut = cut_nucleus(self._row, p, self._temperature, min_keep)
        else:
            self._nucleus = Nucleus(self._row, p, self._temperature)
        return self

    def keep_min_p(self, p: float, min_keep: int) -> Survivors:
        """Keep ids of at least ``p`` times the largest probability."""
        if p <= 0.0:
            return self
        floor = floor_min_p(self._row, p, self._temperature)
        return self.keep_at_least(floor, min_keep)

    def keep_n_sigma(self, n: float, min_keep: int) -> Survivors:
        """Keep logits within ``n`` standard deviations of the largest."""
        left = self._carried_out()
        if left is not self:
            return left.keep_n_sigma(n, min_keep)
        return self.keep_at_least(floor_n_sigma(self._row, n), min_keep)

    def keep_at_least(self, floor: float, min_keep: int) -> Survivors:
        """Keep logits of at least ``floor``."""
        if min_keep > 1:
            left = self._carried_out()
            if left is not self:
                return left.keep_at_least(floor, min_keep)
        if self._cut is None or floor > self._cut.floor:
            self._cut = floor_with_min_keep(self._row, floor, min_keep)
        return self

    def keep_typical(
        self, p: float, ties: Ties, min_keep: int, *, cross_on_equal: bool
    ) -> Survivors:
        """Keep ids whose surprise is nearest to the entropy, of mass ``p``."""
        if p >= 1.0:
            return self
        left = self._carried_out()
        if left is not self:
            return left.keep_typical(p, ties, min_keep, cross_on_equal=cross_on_equal)
        kept = select_typical(
            Scaled(self._row.values, self._row.peak, self._temperature),
            p,
            ties=ties,
            cross_on_equal=cross_on_equal,
            min_keep=min_keep,
        )
        return self._reduced_to(kept, self._row.values[kept])

    def drop_xtc(self, threshold: float, min_keep: int) -> Survivors:
        """Drop all ids that reach ``threshold`` but the least likely of them."""
        left = self._carried_out()
        if left is not self:
            return left.drop_xtc(threshold, min_keep)
        values = self._row.values
        weights = np.exp(self._row.exponents(self._temperature))
        reach = np.flatnonzero(weights >= threshold * float(weights.sum()))
        if reach.size < 2:
            return self
        ids, _ = order_descending(reach, values[reach])
        alive = values > -np.inf
        alive[ids[:-1]] = False
        kept = np.flatnonzero(alive)
        if kept.size < min_keep:
            return self
        return self._reduced_to(kept, values[kept])

    # Results

    def draw(self, source: UniformSource, n: int) -> Ids:
        """Return ``n`` independent ids, int64 ``[n]``."""
        self._settle()
        lazy = LazyDraw(self._row, self._temperature, self._cut)
        return self._named(lazy.draw(source, n))

    def draw_one(self, source: UniformSource) -> int:
        """Return one id."""
        lazy = LazyDraw(self._row, self._temperature, self._cut)
        token = lazy.draw_one(source)
        if self._nucleus is not None:
            token = self._draw_in_nucleus(lazy, token, source)
        return token if self._names is None else int(self._names[token])

    def _draw_in_nucleus(
        self, lazy: LazyDraw, token: int, source: UniformSource
    ) -> int:
        # The first draw that is in the nucleus is distributed as in the nucleus.
        assert self._nucleus is not None
        for _ in range(_ASKED_AT_MOST):
            if self._nucleus.holds(token):
                return token
            token = lazy.draw_one(source)
        self._settle()
        return LazyDraw(self._row, self._temperature, self._cut).draw_one(source)

    def candidates(self) -> Candidates:
        """Return everything that is left, sorted."""
        self._settle()
        cut = self._cut or Cut(-math.inf, self._row.values.shape[0])
        ids, values = gather_cut(self._row, cut)
        return Candidates(self._named(ids), values, self._temperature)

    # Moves

    def _named(self, positions: Ids) -> Ids:
        return positions if self._names is None else self._names[positions]

    def _listed(self, chosen: Chosen) -> Shortlist:
        positions, values = chosen
        return Shortlist(self._named(positions), values, self._temperature)

    def _settle(self) -> None:
        """Turn a nucleus that was only asked about into a cut."""
        if self._nucleus is not None:
            cut = self._nucleus.cut()
            self._nucleus = None
            if self._cut is None or cut.floor >= self._cut.floor:
                self._cut = cut

    def _carried_out(self) -> Survivors:
        """Return what the cut leaves; this row if nothing is cut."""
        self._settle()
        if self._cut is None:
            return self
        return self._reduced_to(*survivors_of_cut(self._row, self._cut))

    def _reduced_to(self, positions: Ids, values: Floats) -> Survivors:
        """Return ``positions``, ascending, and their logits."""
        if positions.size <= _SORTED_AT_MOST:
            return self._listed(order_descending(positions, values))
        return CutRow(BlockedRow(values), self._named(positions), self._temperature)


Survivors = CutRow | Shortlist
