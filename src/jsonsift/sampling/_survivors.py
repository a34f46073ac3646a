"""One row on its way through a chain: whole, cut, or small and sorted.

A chain starts from a whole row behind its block maxima. A filter leaves either
a small sorted set, which every later filter only shortens, or a cut of the row,
which is not carried out until a later step needs it: drawing does not.

May live here: the three forms and the moves between them. Must not know:
parameters of a batch, presets, edits of logits.
"""

from __future__ import annotations

import math

import numpy as np

from ._blocks import block_row
from ._candidates import Candidates
from ._lazy import Cut, LazyDraw
from ._mass import Scaled
from ._narrow import (
    Numbers,
    count_min_p,
    count_n_sigma,
    count_top_k,
    count_top_p,
    cumulate,
    pick,
    scale_sorted,
    start_xtc,
)
from ._random import UniformSource, next_uniform
from ._rows import Doubles, Floats, Ids
from ._select import (
    Chosen,
    Ties,
    count_reaching,
    floor_min_p,
    floor_n_sigma,
    floor_with_min_keep,
    gather_cut,
    locate_largest,
    order_descending,
    select_largest,
    select_nucleus,
    select_typical,
    survivors_of_cut,
)

# Up to this many survivors are sorted at once; more are kept as a row of their
# own behind new block maxima.
_SORTED_AT_MOST = 1024


class Survivors:
    """The ids of one row that a chain has not removed, and their temperature.

    Args:
        values: a contiguous row ``[V]``, float32 or float64.
        row: its number in the batch, for messages.

    Raises:
        ValueError: the row holds NaN, +inf, or nothing but -inf.
    """

    __slots__ = (
        "_blocks",
        "_cut",
        "_ids",
        "_row",
        "_sorted",
        "_sums",
        "_temperature",
        "_y",
    )

    def __init__(self, values: Floats, row: int = 0) -> None:
        self._row = block_row(values, row)
        self._ids: Ids | None = None
        # With blocks the ids of the sorted set are positions, yet to be placed.
        self._blocks: Ids | None = None
        self._cut: Cut | None = None
        self._sorted: Chosen | None = None
        self._y: Numbers = ()
        self._sums: Numbers | None = None
        self._temperature = 1.0

    # Temperature

    def heat(self, temperature: float) -> None:
        """Divide what is left by ``temperature``; 0 or less keeps the best alone."""
        if temperature <= 0.0:
            self._keep_best()
            return
        # Two tiny temperatures must not make 0.
        self._temperature = max(self._temperature * temperature, 5e-324)
        if self._sorted is not None:
            self._set_sorted(self._kept())

    def _keep_best(self) -> None:
        if self._sorted is not None:
            self._shorten(1)
            return
        best = self._row.values.argmax().reshape(1).astype(np.int64)
        self._set_sorted(Chosen(self._named(best), self._row.values[best]))

    # Filters

    def keep_top_k(self, k: int, ties: Ties) -> None:
        """Keep the ``k`` most likely."""
        if self._sorted is not None:
            self._shorten(count_top_k(self._kept().values, k, ties))
            return
        if self._cut is None and self._ids is None:
            # Most filters come after this one: what they drop needs no id.
            self._blocks, chosen = locate_largest(self._row, k, ties)
            self._set_sorted(chosen)
            return
        chosen = select_largest(self._row, k, ties)
        if self._cut is not None:
            # Both keep a beginning of the same order, so the shorter one rules.
            kept = self._cut.keeps(chosen.ids, chosen.values.astype(np.float64))
            count = int(np.count_nonzero(kept))
            chosen = Chosen(chosen.ids[:count], chosen.values[:count])
            self._cut = None
        if self._ids is not None:
            chosen = Chosen(self._named(chosen.ids), chosen.values)
        self._set_sorted(chosen)

    def keep_top_p(self, p: float, min_keep: int) -> None:
        """Keep the smallest set of most likely ids with mass ``p``."""
        if self._sorted is None and self._cut is not None:
            self._materialise()
        if self._sorted is not None:
            sums = self._sums
            if sums is None:
                self._sums = sums = cumulate(self._y)
            self._shorten(count_top_p(sums, p, min_keep))
            return
        if p >= 1.0:
            return
        found = select_nucleus(self._row, p, self._temperature, min_keep)
        if isinstance(found, Cut):
            self._cut = found
        else:
            self._set_sorted(Chosen(self._named(found.ids), found.values))

    def keep_min_p(self, p: float, min_keep: int) -> None:
        """Keep ids of at least ``p`` times the largest probability."""
        if self._sorted is not None:
            self._shorten(count_min_p(self._y, p, min_keep))
        elif p > 0.0:
            self._lower(floor_min_p(self._row, p, self._temperature), min_keep)

    def keep_n_sigma(self, n: float, min_keep: int) -> None:
        """Keep logits within ``n`` standard deviations of the largest."""
        if self._materialise() is not None:
            values = self._sorted_values()
            self._shorten(count_n_sigma(values, n, min_keep))
        else:
            self._lower(floor_n_sigma(self._row, n), min_keep)

    def _lower(self, floor: float, min_keep: int) -> None:
        if self._cut is not None and floor <= self._cut.floor:
            # The row is already cut above it.
            return
        if self._cut is not None and min_keep > 1:
            self._materialise()
            if self._sorted is not None:
                count = count_reaching(self._kept().values, floor)
                self._shorten(min(max(count, min_keep), len(self._y)))
                return
        self._cut = floor_with_min_keep(self._row, floor, min_keep)

    def keep_typical(
        self, p: float, ties: Ties, min_keep: int, *, cross_on_equal: bool
    ) -> None:
        """Keep ids whose surprise is nearest to the entropy, of mass ``p``."""
        if p >= 1.0:
            return
        chosen = self._materialise()
        values = self._row.values if chosen is None else chosen.values
        kept = select_typical(
            Scaled(values, float(values.max()), self._temperature),
            p,
            ties=ties,
            cross_on_equal=cross_on_equal,
            min_keep=min_keep,
        )
        if chosen is None:
            self._narrow_to(self._named(kept), self._row.values[kept])
        else:
            self._set_sorted(Chosen(chosen.ids[kept], chosen.values[kept]))

    def drop_xtc(self, threshold: float, min_keep: int) -> None:
        """Drop all ids that reach ``threshold`` but the least likely of them."""
        if self._materialise() is not None:
            sums = self._cumulated()
            self._drop_first(start_xtc(sums, self._y, threshold, min_keep))
            return
        weights = np.exp(self._row.exponents(self._temperature))
        reach = np.flatnonzero(weights >= threshold * float(weights.sum()))
        if reach.size < 2:
            return
        dropped = order_descending(reach, self._row.values[reach]).ids[:-1]
        kept = self._row.values > -np.inf
        kept[dropped] = False
        positions = np.flatnonzero(kept)
        if positions.size >= min_keep:
            self._narrow_to(self._named(positions), self._row.values[positions])

    # Results

    def draw(self, source: UniformSource, n: int) -> Ids:
        """Return ``n`` independent ids, int64 ``[n]``."""
        if self._sorted is not None:
            ids = self._row.place(self._blocks, self._kept().ids)
            if ids.size == 1:
                return ids.repeat(n)
            sums = self._cumulated()
            picked = [pick(sums, float(one)) for one in source.random(n)]
            return ids[picked]
        lazy = LazyDraw(self._row, self._temperature, self._cut)
        return self._named(lazy.draw(source, n))

    def draw_one(self, source: UniformSource) -> int:
        """Return one id, the one that ``draw(source, 1)`` would."""
        if self._sorted is None:
            lazy = LazyDraw(self._row, self._temperature, self._cut)
            token = lazy.draw_one(source)
            return token if self._ids is None else int(self._ids[token])
        at = 0
        if len(self._y) > 1:
            at = pick(self._cumulated(), next_uniform(source))
        return self._row.place_one(self._blocks, int(self._sorted.ids[at]))

    def candidates(self) -> Candidates:
        """Return everything that is left, sorted."""
        if self._sorted is not None:
            chosen = self._kept()
            ids = self._row.place(self._blocks, chosen.ids)
            return Candidates(ids, chosen.values, self._temperature)
        cut = self._cut or Cut(-math.inf, self._row.size)
        found = gather_cut(self._row, cut)
        return Candidates(self._named(found.ids), found.values, self._temperature)

    # Moves between the forms

    def _named(self, positions: Ids) -> Ids:
        return positions if self._ids is None else self._ids[positions]

    def _sorted_values(self) -> Doubles:
        return self._kept().values.astype(np.float64)

    def _cumulated(self) -> Numbers:
        """Return the running sums of weights of the sorted set."""
        if self._sums is None:
            self._sums = cumulate(self._y)
        return self._sums

    def _set_sorted(self, chosen: Chosen) -> None:
        self._sorted = chosen
        self._y = scale_sorted(chosen.values, self._temperature)
        self._sums = None

    def _kept(self) -> Chosen:
        """Return the sorted set; ``_sorted`` may hold more behind it."""
        assert self._sorted is not None
        ids, values = self._sorted
        count = len(self._y)
        return Chosen(ids[:count], values[:count])

    def _shorten(self, count: int) -> None:
        if count < len(self._y):
            self._y = self._y[:count]
            if self._sums is not None:
                self._sums = self._sums[:count]

    def _drop_first(self, count: int) -> None:
        if count:
            ids, values = self._kept()
            self._set_sorted(Chosen(ids[count:], values[count:]))

    def _materialise(self) -> Chosen | None:
        """Carry out a pending cut; return the sorted set if it is one by now."""
        if self._sorted is None and self._cut is not None:
            ids, values = survivors_of_cut(self._row, self._cut)
            self._narrow_to(self._named(ids), values)
        return None if self._sorted is None else self._kept()

    def _narrow_to(self, ids: Ids, values: Floats) -> None:
        """Go on with ``ids``, ascending, and their logits."""
        self._cut = None
        if ids.size <= _SORTED_AT_MOST:
            self._set_sorted(order_descending(ids, values))
            return
        self._ids = ids
        self._row = block_row(values, 0)
