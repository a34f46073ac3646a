"""One row on its way through a chain: whole, cut, or small and sorted.

A chain starts from a whole row behind its block maxima. A filter leaves either
a small sorted set, which every later filter only shortens, or a cut of the row,
which is not carried out until a later step needs it: drawing does not.

For the few dozen survivors of a usual chain, Python's lists and bisection cost
less than calls into NumPy; they serve arrays alike.

May live here: the three forms and the moves between them. Must not know:
parameters of a batch, presets, edits of logits.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from operator import neg

import numpy as np

from ._blocks import BlockedRow, lowest_not_below, scale
from ._candidates import Candidates
from ._edits import History
from ._lazy import Cut, LazyDraw
from ._mass import Scaled
from ._nucleus import Nucleus, cut_nucleus, select_nucleus
from ._random import UniformSource, next_uniform, uniform_source
from ._rows import Floats, Ids
from ._select import (
    Chosen,
    Ties,
    floor_min_p,
    floor_n_sigma,
    floor_with_min_keep,
    gather_cut,
    order_descending,
    select_largest,
    select_typical,
    survivors_of_cut,
)

# Up to this many survivors are sorted at once; more are kept as a row of their
# own behind new block maxima.
_SORTED_AT_MOST = 1024
# Up to this many are held in lists.
_LISTED_AT_MOST = 64
# So many ids are asked whether the nucleus holds them before it is carried out.
_ASKED_AT_MOST = 3

Numbers = Sequence[float] | Floats


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
    step: int | None = None
    history: History | None = None
    source: UniformSource = field(default_factory=partial(uniform_source, None))


class Survivors:
    """The ids of one row that a chain has not removed, and their temperature.

    Args:
        row: the row, whole.
        turn: what it is for.
    """

    __slots__ = (
        "_count",
        "_cut",
        "_ids",
        "_names",
        "_nucleus",
        "_row",
        "_sums",
        "_temperature",
        "_values",
        "_y",
        "turn",
    )

    def __init__(self, row: BlockedRow, turn: Turn) -> None:
        self.turn = turn
        self._row = row
        self._temperature = 1.0
        # Of a row that was carried over from a larger one: its ids.
        self._names: Ids | None = None
        # A whole row may have a cut, and a nucleus that is not yet carried out.
        self._cut: Cut | None = None
        self._nucleus: Nucleus | None = None
        # A sorted set: the first _count of ids, logits, scaled logits, and of the
        # running sums of weights where they are known.
        self._ids: Ids | None = None
        self._values: Floats
        self._y: Numbers
        self._sums: Numbers | None
        self._count: int

    # Temperature

    def heat(self, temperature: float) -> None:
        """Divide what is left by ``temperature``; 0 or less keeps the best alone."""
        if temperature <= 0.0:
            self._keep_best()
            return
        # Two tiny temperatures must not make 0.
        self._temperature = max(self._temperature * temperature, 5e-324)
        if self._ids is not None:
            self._set_sorted(*self._kept())

    def _keep_best(self) -> None:
        if self._ids is not None:
            self._count = 1
            return
        best = self._row.values.argmax().reshape(1).astype(np.int64)
        self._set_sorted(self._named(best), self._row.values[best])

    # Filters

    def keep_top_k(self, k: int, ties: Ties) -> None:
        """Keep the ``k`` most likely."""
        if self._ids is not None:
            if k < self._count and ties == "all":
                values = self._kept()[1]
                self._count -= int(values[::-1].searchsorted(values[k - 1]))
            elif k < self._count:
                self._count = k
            return
        if self._nucleus is not None:
            self._settle()
        ids, values = select_largest(self._row, k, ties)
        if self._cut is not None:
            # Both keep a beginning of the same order, so the shorter one rules.
            kept = self._cut.keeps(ids, values.astype(np.float64))
            count = int(np.count_nonzero(kept))
            ids, values = ids[:count], values[:count]
        self._set_sorted(self._named(ids), values)

    def keep_top_p(self, p: float, min_keep: int) -> None:
        """Keep the smallest set of most likely ids with mass ``p``."""
        if p >= 1.0:
            return
        self._materialise()
        if self._ids is not None:
            sums, count = self._cumulated(), self._count
            found = bisect_left(sums, p * float(sums[count - 1]), 0, count) + 1
            self._shorten(found, min_keep)
            return
        small = select_nucleus(self._row, p, self._temperature, min_keep)
        if small is not None:
            self._set_sorted(self._named(small[0]), small[1])
        elif min_keep > 1:
            self._cut = cut_nucleus(self._row, p, self._temperature, min_keep)
        else:
            self._nucleus = Nucleus(self._row, p, self._temperature)

    def keep_min_p(self, p: float, min_keep: int) -> None:
        """Keep ids of at least ``p`` times the largest probability."""
        if p <= 0.0:
            return
        if self._ids is not None:
            found = bisect_right(self._y, -math.log(p), 0, self._count, key=neg)
            self._shorten(found, min_keep)
        else:
            self._lower(floor_min_p(self._row, p, self._temperature), min_keep)

    def keep_n_sigma(self, n: float, min_keep: int) -> None:
        """Keep logits within ``n`` standard deviations of the largest."""
        self._materialise()
        if self._ids is None:
            self._lower(floor_n_sigma(self._row, n), min_keep)
            return
        values = self._kept()[1].astype(np.float64)
        floor = float(values[0]) - n * float(values.std())
        self._shorten(bisect_right(values, -floor, key=neg), min_keep)

    def _lower(self, floor: float, min_keep: int) -> None:
        if min_keep > 1:
            self._materialise()
        if self._ids is not None:
            limit = -lowest_not_below(floor, self._values.dtype)
            found = bisect_right(self._values, limit, 0, self._count, key=neg)
            self._shorten(found, min_keep)
        elif self._cut is None or floor > self._cut.floor:
            self._cut = floor_with_min_keep(self._row, floor, min_keep)

    def keep_typical(
        self, p: float, ties: Ties, min_keep: int, *, cross_on_equal: bool
    ) -> None:
        """Keep ids whose surprise is nearest to the entropy, of mass ``p``."""
        if p >= 1.0:
            return
        self._materialise()
        sorted_ids, values, peak = self._ids, self._row.values, self._row.peak
        if sorted_ids is not None:
            sorted_ids, values = self._kept()
            peak = float(values[0])
        kept = select_typical(
            Scaled(values, peak, self._temperature),
            p,
            ties=ties,
            cross_on_equal=cross_on_equal,
            min_keep=min_keep,
        )
        if sorted_ids is None:
            self._narrow_to(self._named(kept), values[kept])
        else:
            self._set_sorted(sorted_ids[kept], values[kept])

    def drop_xtc(self, threshold: float, min_keep: int) -> None:
        """Drop all ids that reach ``threshold`` but the least likely of them."""
        self._materialise()
        if self._ids is not None:
            sums, count = self._cumulated(), self._count
            floor = math.log(threshold * float(sums[count - 1]))
            dropped = bisect_right(self._y, -floor, 0, count, key=neg) - 1
            if dropped > 0 and count - dropped >= min_keep:
                ids, values = self._kept()
                self._set_sorted(ids[dropped:], values[dropped:])
            return
        weights = np.exp(self._row.exponents(self._temperature))
        reach = np.flatnonzero(weights >= threshold * float(weights.sum()))
        if reach.size < 2:
            return
        ids, _ = order_descending(reach, self._row.values[reach])
        alive = self._row.values > -np.inf
        alive[ids[:-1]] = False
        left = np.flatnonzero(alive)
        if left.size >= min_keep:
            self._narrow_to(self._named(left), self._row.values[left])

    # Results

    def draw(self, source: UniformSource, n: int) -> Ids:
        """Return ``n`` independent ids, int64 ``[n]``."""
        if self._ids is None:
            self._settle()
            lazy = LazyDraw(self._row, self._temperature, self._cut)
            return self._named(lazy.draw(source, n))
        if self._count == 1:
            return self._ids[:1].repeat(n)
        sums = np.asarray(self._cumulated()[: self._count])
        drawn: Ids = self._ids[sums.searchsorted(source.random(n) * sums[-1], "right")]
        return drawn

    def draw_one(self, source: UniformSource) -> int:
        """Return one id."""
        if self._ids is None:
            token = self._draw_of_row(source)
            return token if self._names is None else int(self._names[token])
        at = 0
        if self._count > 1:
            sums, last = self._cumulated(), self._count - 1
            target = next_uniform(source) * float(sums[last])
            at = bisect_right(sums, target, 0, last)
        return int(self._ids[at])

    def _draw_of_row(self, source: UniformSource) -> int:
        lazy = LazyDraw(self._row, self._temperature, self._cut)
        if self._nucleus is None:
            return lazy.draw_one(source)
        # What is drawn until the nucleus holds it is distributed as in the nucleus.
        for _ in range(_ASKED_AT_MOST):
            token = lazy.draw_one(source)
            if self._nucleus.holds(token):
                return token
        self._settle()
        return LazyDraw(self._row, self._temperature, self._cut).draw_one(source)

    def candidates(self) -> Candidates:
        """Return everything that is left, sorted."""
        if self._ids is not None:
            return Candidates(*self._kept(), self._temperature)
        self._settle()
        cut = self._cut or Cut(-math.inf, self._row.values.shape[0])
        ids, values = gather_cut(self._row, cut)
        return Candidates(self._named(ids), values, self._temperature)

    # Moves between the forms

    def _named(self, positions: Ids) -> Ids:
        return positions if self._names is None else self._names[positions]

    def _set_sorted(self, ids: Ids, values: Floats) -> None:
        """Go on with a sorted set."""
        self._ids, self._values = ids, values
        self._sums = None
        self._count = ids.shape[0]
        if self._count > _LISTED_AT_MOST:
            self._y = scale(values, float(values[0]), self._temperature)
            return
        listed, heat = values.tolist(), self._temperature
        peak = listed[0]
        self._y = [(value - peak) / heat for value in listed]

    def _kept(self) -> Chosen:
        """Return the sorted set."""
        assert self._ids is not None
        return self._ids[: self._count], self._values[: self._count]

    def _shorten(self, count: int, min_keep: int) -> None:
        self._count = min(max(count, min_keep), self._count)

    def _cumulated(self) -> Numbers:
        """Return the running sums of weights of the sorted set."""
        if self._sums is None:
            y = self._y
            if isinstance(y, np.ndarray):
                self._sums = np.exp(y).cumsum()
            else:
                self._sums = list(accumulate(map(math.exp, y)))
        return self._sums

    def _settle(self) -> None:
        """Turn a nucleus that was only asked about into a cut."""
        if self._nucleus is not None:
            cut = self._nucleus.cut()
            self._nucleus = None
            if self._cut is None or cut.floor >= self._cut.floor:
                self._cut = cut

    def _materialise(self) -> None:
        """Carry out what is pending."""
        if self._ids is not None:
            return
        self._settle()
        if self._cut is not None:
            ids, values = survivors_of_cut(self._row, self._cut)
            self._narrow_to(self._named(ids), values)

    def _narrow_to(self, ids: Ids, values: Floats) -> None:
        """Go on with ``ids``, ascending, and their logits."""
        self._cut = None
        if ids.size <= _SORTED_AT_MOST:
            self._set_sorted(*order_descending(ids, values))
            return
        self._names = ids
        self._row = BlockedRow(values)
