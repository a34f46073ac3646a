"""The smallest set of most likely ids with mass p, without sorting the row.

A small nucleus is sorted. A large one is not: its last member is found by a
histogram, or it is only asked whether it holds an id that was drawn.

May live here: the nucleus of a whole row. Must not know: chains.
"""

from __future__ import annotations

from ._blocks import BlockedRow, lowest_not_below
from ._lazy import Cut, weigh
from ._mass import (
    SINGLE_ERROR,
    Scaled,
    find_crossing,
    fits_single,
    mass_before,
    sum_single,
    sum_weights,
)
from ._rows import Doubles
from ._select import Chosen, cut_after, descending, select_largest

# A nucleus is first looked for among the logits this many temperatures below
# the peak; exp(-7) is about 1/1100 of the most likely token.
_PREFIX_DEPTH = 7.0


class Nucleus:
    """The nucleus of a row, not carried out.

    Args:
        row: the row.
        p: the mass, in ``[0, 1)``.
        temperature: above 0.
    """

    __slots__ = ("_cut", "_p", "_row", "_scaled")

    def __init__(self, row: BlockedRow, p: float, temperature: float) -> None:
        self._row = row
        self._p = p
        self._scaled = Scaled(row.values, row.peak, temperature)
        self._cut: Cut | None = None

    def holds(self, token: int) -> bool:
        """Return whether ``token`` is in it: less than p is the mass before it."""
        if self._cut is None:
            before, total, error = mass_before(self._scaled, token)
            beyond = before - self._p * total
            if abs(beyond) > error:
                return beyond < 0.0
        return self.cut().keeps_one(token, float(self._row.values[token]))

    def cut(self) -> Cut:
        """Return the cut that leaves it."""
        if self._cut is None:
            last = find_crossing(self._scaled, self._p).position
            self._cut = Cut(float(self._row.values[last]), last)
        return self._cut


def cut_nucleus(row: BlockedRow, p: float, temperature: float, min_keep: int) -> Cut:
    """Return the cut that leaves the nucleus, but at least ``min_keep`` ids."""
    cut = Nucleus(row, p, temperature).cut()
    if min_keep > 1:
        ids, values = kept = select_largest(row, min_keep)
        if not cut.keeps_one(int(ids[-1]), float(values[-1])):
            return cut_after(kept)
    return cut


def select_nucleus(
    row: BlockedRow, p: float, temperature: float, min_keep: int
) -> Chosen | None:
    """Return the nucleus, sorted, and at least ``min_keep`` ids; None if it is
    not small.

    It is looked for among the logits near the peak, with bounds on the mass of
    the rest.
    """
    maxima, peak = row.maxima, row.peak
    limit = lowest_not_below(peak - _PREFIX_DEPTH * temperature, maxima.dtype)
    blocks = (maxima >= limit).nonzero()[0]
    if row.height > 1 and blocks.shape[0] * 4 > row.stride:
        return None
    held = row.gather(blocks)
    weights = weigh(held, peak, temperature)
    bounds = weigh(maxima, peak, temperature)
    bounds[blocks] = 0.0
    read, unread = float(weights.sum()), float(bounds.sum())
    near = (held >= limit).nonzero()[0]
    weights = weights.take(near)
    if float(weights.sum()) < p * (read + unread):
        return None
    values = held.take(near)
    order = descending(values)
    count = _agreed_count(
        Scaled(row.values, peak, temperature),
        weights.take(order).cumsum(),
        p,
        (read + unread, read + unread * row.height),
    )
    if count is None:
        return None
    count = max(count, min_keep)
    if count > order.shape[0]:
        return select_largest(row, count)
    order = order[:count]
    return row.place(blocks, near.take(order)), values.take(order)


def _agreed_count(
    row: Scaled, cumulated: Doubles, p: float, bounds: tuple[float, float]
) -> int | None:
    """Return how many of the prefix are in the nucleus; None if more than all.

    The normaliser is only known within ``bounds``. They are tightened until
    both ends give the same answer: by a float32 pass, then by a float64 one.
    """
    low, high = bounds
    for tighten in (_bound_by_single, _bound_by_double):
        least = int(cumulated.searchsorted(p * low, side="left"))
        most = int(cumulated.searchsorted(p * high, side="left"))
        if least == most or least == cumulated.size:
            break
        low, high = tighten(row, low, high)
    else:
        least = int(cumulated.searchsorted(p * low, side="left"))
    return None if least == cumulated.size else least + 1


def _bound_by_single(row: Scaled, low: float, high: float) -> tuple[float, float]:
    if not fits_single(row):
        return low, high
    total = sum_single(row)
    return (
        max(low, total * (1.0 - SINGLE_ERROR)),
        min(high, total * (1.0 + SINGLE_ERROR)),
    )


def _bound_by_double(row: Scaled, low: float, high: float) -> tuple[float, float]:
    total = sum_weights(row)
    return total, total
