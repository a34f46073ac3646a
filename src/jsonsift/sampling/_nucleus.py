"""The smallest set of most likely ids with mass p, without sorting the row.

A small nucleus is sorted. A large one is not: its last member is found by a
histogram, or it is only asked whether it holds an id that was drawn.

May live here: the nucleus of a whole row. Must not know: chains.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ._blocks import BlockedRow, lowest_not_below
from ._lazy import Cut, weigh
from ._mass import Scaled, find_crossing, fits_single, mass_before, mass_below
from ._rows import Doubles, Floats, Ids
from ._select import Chosen, cut_after, descending, select_largest

# A nucleus is first looked for among the logits this many temperatures below
# the peak; exp(-7) is about 1/1100 of the most likely token.
_PREFIX_DEPTH = 7.0
# Blocks are read this deep, if at most one in so many reaches it.
_READ_DEPTH = 12.0
_READ_OF = 8
# As far as the depth above, and ids, if at most one in so many does.
_FEW_OF = 16


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


class _Prefix(NamedTuple):
    """All ids at or above some logit, ascending, and bounds on the mass of the row."""

    ids: Ids
    values: Floats
    bounds: tuple[float, float]


def select_nucleus(
    row: BlockedRow, p: float, temperature: float, min_keep: int
) -> Chosen | None:
    """Return the nucleus, sorted, and at least ``min_keep`` ids; None if it is
    not small."""
    scaled = Scaled(row.values, row.peak, temperature)
    for gather in (_gather_near_peak, _gather_top):
        prefix = gather(row, p, temperature)
        if prefix is None:
            continue
        order = descending(prefix.values)
        values = prefix.values.take(order)
        cumulated = weigh(values, row.peak, temperature).cumsum()
        count = _count_nucleus(scaled, p, prefix, order, cumulated)
        if count is None:
            continue
        if min_keep > order.shape[0]:
            return select_largest(row, min_keep)
        count = max(count, min_keep)
        return prefix.ids.take(order[:count]), values[:count]
    return None


def _gather_near_peak(row: BlockedRow, p: float, temperature: float) -> _Prefix | None:
    """Return the ids near the peak; None if they are many, or surely too few.

    Blocks are read to a greater depth than ids are taken from, where these are
    few: what is read tightens the bounds, which saves a pass over the row.
    """
    maxima, peak = row.maxima, row.peak
    limit = lowest_not_below(peak - _PREFIX_DEPTH * temperature, maxima.dtype)
    deeper = lowest_not_below(peak - _READ_DEPTH * temperature, maxima.dtype)
    blocks = (maxima >= deeper).nonzero()[0]
    if blocks.shape[0] * _READ_OF > row.stride:
        blocks = (maxima >= limit).nonzero()[0]
        if row.height > 1 and blocks.shape[0] * _FEW_OF > row.stride:
            return None
    held = row.gather(blocks)
    bounds = weigh(maxima, peak, temperature)
    bounds[blocks] = 0.0
    weights = weigh(held, peak, temperature)
    read, unread = float(weights.sum()), float(bounds.sum())
    near = (held >= limit).nonzero()[0]
    if float(weights.take(near).sum()) < p * (read + unread):
        return None
    return _Prefix(
        row.place(blocks, near),
        held.take(near),
        (read + unread, read + unread * row.height),
    )


def _gather_top(row: BlockedRow, p: float, temperature: float) -> _Prefix | None:
    """Return about a fiftieth of the ids, the top, or None if that is hardly enough.

    Three in four blocks reach the lower quartile of their maxima, by few ids each.
    What the ids below weigh is estimated from some of them, lest a pass over the
    row be made in vain: nothing else depends on the estimate.
    """
    maxima, peak = row.maxima, row.peak
    if row.height == 1 or float(maxima.min()) >= peak - _PREFIX_DEPTH * temperature:
        return None
    parted = maxima.copy()
    parted.partition(row.stride // 4)
    limit = parted.item(row.stride // 4)
    ids, values = row.at_least(limit)
    if ids.shape[0] * _FEW_OF > row.values.shape[0]:
        return None
    mass = float(weigh(values, peak, temperature).sum())
    some = row.values[:: row.height].copy()
    rest = row.height * float(weigh(some[some < limit], peak, temperature).sum())
    return None if mass < p * (mass + rest) else _Prefix(ids, values, (mass, math.inf))


def _count_nucleus(
    scaled: Scaled, p: float, prefix: _Prefix, order: Ids, cumulated: Doubles
) -> int | None:
    """Return how many of the prefix are in the nucleus; None if more than all.

    The mass of the row is only known within bounds. They are tightened until both
    ends give the same answer: by a float32 pass over the row, then a float64 one.
    """
    size = cumulated.shape[0]
    mass, last = cumulated.item(-1), prefix.ids.item(order.item(-1))
    low, high = prefix.bounds
    for kind in (np.float32, np.float64):
        least = int(cumulated.searchsorted(p * low, side="left"))
        most = int(cumulated.searchsorted(p * high, side="left"))
        if least == most or least == size:
            break
        if kind is np.float64 or fits_single(scaled):
            rest, error = mass_below(scaled, last, size, kind)
            low = max(low, mass + rest - error)
            high = min(high, mass + rest + error)
    else:
        least = int(cumulated.searchsorted(p * (low + high) / 2.0, side="left"))
    return None if least == size else least + 1
