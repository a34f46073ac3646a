"""A small set of survivors, sorted: what the later filters of a chain work on.

For the few dozen survivors of a usual chain, Python's lists and bisection cost
less than calls into NumPy; they serve arrays alike.

May live here: filters of and draws from a sorted set. Must not know: the
vocabulary, chains.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from operator import neg

import numpy as np

from ._blocks import BlockedRow, scale
from ._candidates import Candidates
from ._mass import Scaled
from ._random import UniformSource, next_uniform
from ._rows import Floats, Ids
from ._select import Chosen, Ties, deviation, select_typical

# Up to this many are held in lists.
_LISTED_AT_MOST = 64
# The product of two tiny temperatures is not 0.
LEAST_HEAT = 5e-324

Numbers = Sequence[float] | Floats


class Shortlist:
    """Ids by descending logit, and the temperature to read their logits at.

    Every filter shortens it in place and returns it.

    Args:
        ids: ids, ascending among equal logits; or, with ``row``, positions in
            ``blocks`` of it, since most of them never need a name.
        values: their logits.
        temperature: above 0.
    """

    __slots__ = (
        "_blocks",
        "_count",
        "_ids",
        "_logits",
        "_row",
        "_sums",
        "_temperature",
        "_values",
    )

    def __init__(
        self,
        ids: Ids,
        values: Floats,
        temperature: float,
        row: BlockedRow | None = None,
        blocks: Ids | None = None,
    ) -> None:
        self._row = row
        self._blocks = blocks
        self._ids, self._values = ids, values
        # What is kept is the first _count of all of these.
        self._count = count = ids.shape[0]
        self._temperature = temperature
        # The logits again, and the running sums of weights where they are known.
        self._logits: Numbers
        if count <= _LISTED_AT_MOST:
            self._logits = values.tolist()
        else:
            # Not float32: NumPy would round what is compared with it.
            self._logits = values.astype(np.float64)
        self._sums: Numbers | None = None

    def heat(self, temperature: float) -> Shortlist:
        """Divide by ``temperature``; 0 or less keeps the best alone."""
        if temperature <= 0.0:
            self._count = 1
            return self
        heat = max(self._temperature * temperature, LEAST_HEAT)
        return Shortlist(*self._kept(), heat)

    def keep_top_k(self, k: int, ties: Ties) -> Shortlist:
        """Keep the ``k`` most likely."""
        if k < self._count and ties == "all":
            values = self._values[: self._count]
            self._count -= int(values[::-1].searchsorted(values[k - 1]))
        elif k < self._count:
            self._count = k
        return self

    def keep_top_p(self, p: float, min_keep: int) -> Shortlist:
        """Keep the smallest set of most likely ids with mass ``p``."""
        if p < 1.0:
            sums, count = self._cumulated(), self._count
            found = bisect_left(sums, p * float(sums[count - 1]), 0, count) + 1
            self._count = min(max(found, min_keep), count)
        return self

    def keep_min_p(self, p: float, min_keep: int) -> Shortlist:
        """Keep ids of at least ``p`` times the largest probability."""
        if p > 0.0:
            floor = float(self._logits[0]) + self._temperature * math.log(p)
            return self.keep_at_least(floor, min_keep)
        return self

    def keep_n_sigma(self, n: float, min_keep: int) -> Shortlist:
        """Keep logits within ``n`` standard deviations of the largest."""
        values = self._values[: self._count]
        return self.keep_at_least(float(values[0]) - n * deviation(values), min_keep)

    def keep_at_least(self, floor: float, min_keep: int) -> Shortlist:
        """Keep logits of at least ``floor``."""
        found = bisect_right(self._logits, -floor, 0, self._count, key=neg)
        self._count = min(max(found, min_keep), self._count)
        return self

    def keep_typical(
        self, p: float, ties: Ties, min_keep: int, *, cross_on_equal: bool
    ) -> Shortlist:
        """Keep ids whose surprise is nearest to the entropy, of mass ``p``."""
        if p >= 1.0:
            return self
        ids, values = self._kept()
        kept = select_typical(
            Scaled(values, float(values[0]), self._temperature),
            p,
            ties=ties,
            cross_on_equal=cross_on_equal,
            min_keep=min_keep,
        )
        return Shortlist(ids[kept], values[kept], self._temperature)

    def drop_xtc(self, threshold: float, min_keep: int) -> Shortlist:
        """Drop all ids that reach ``threshold`` but the least likely of them."""
        sums, count = self._cumulated(), self._count
        reach = threshold * float(sums[count - 1])
        floor = float(self._logits[0]) + self._temperature * math.log(reach)
        dropped = bisect_right(self._logits, -floor, 0, count, key=neg) - 1
        if dropped < 1 or count - dropped < min_keep:
            return self
        ids, values = self._kept()
        return Shortlist(ids[dropped:], values[dropped:], self._temperature)

    def draw(self, source: UniformSource, n: int) -> Ids:
        """Return ``n`` independent ids, int64 ``[n]``."""
        ids, _ = self._kept()
        if self._count == 1:
            return ids.repeat(n)
        sums = np.asarray(self._cumulated()[: self._count])
        drawn: Ids = ids[sums.searchsorted(source.random(n) * sums[-1], "right")]
        return drawn

    def draw_one(self, source: UniformSource) -> int:
        """Return one id, that which ``draw(source, 1)`` would."""
        at = 0
        if self._count > 1:
            sums, last = self._cumulated(), self._count - 1
            target = next_uniform(source) * float(sums[last])
            at = bisect_right(sums, target, 0, last)
        at = self._ids.item(at)
        return at if self._row is None else self._row.place_one(self._blocks, at)

    def candidates(self) -> Candidates:
        """Return everything that is left."""
        return Candidates(*self._kept(), self._temperature)

    def _kept(self) -> Chosen:
        ids, values = self._ids[: self._count], self._values[: self._count]
        if self._row is not None:
            ids = self._row.place(self._blocks, ids)
        return ids, values

    def _cumulated(self) -> Numbers:
        """Return the running sums of weights."""
        if self._sums is None:
            logits, heat = self._logits, self._temperature
            if isinstance(logits, list):
                peak = logits[0]
                weights = [math.exp((logit - peak) / heat) for logit in logits]
                self._sums = list(accumulate(weights))
            else:
                y = scale(self._values, float(logits[0]), heat)
                self._sums = np.exp(y, out=y).cumsum()
        return self._sums
