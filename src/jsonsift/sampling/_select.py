"""Find which logits of a whole row survive a filter, without sorting the row.

Exact means: the same set as sorting the row by (logit descending, id
ascending) in float64 and cutting where the filter says. Sums are float64;
where two orders of summation differ in the last bits, so may two programs at a
threshold that is hit to that precision.

May live here: filters of a whole row. Must not know: chains, randomness.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

import numpy as np

from ._blocks import BlockedRow, kth_bound, lowest_not_below
from ._lazy import Cut
from ._mass import Scaled, find_crossing, mean_exponent
from ._rows import Doubles, Floats, Ids

Ties = Literal["exact", "all"]

# Up to this size a row is folded or parted to find its k largest.
_FOLDED_AT_MOST = 1 << 16
# So few are sorted sooner by an indirect sort.
_FEW = 1024
# A deviation is summed in pieces that stay in the cache.
_CHUNK = 16384


def check_ties(ties: Ties) -> Ties:
    """Return ``ties``, or raise ValueError."""
    if ties not in ("exact", "all"):
        raise ValueError(f"ties must be 'exact' or 'all', not {ties!r}")
    return ties


# Survivors by descending logit, ids ascending among equals: ids, logits.
Chosen = tuple[Ids, Floats]


def order_descending(ids: Ids, values: Floats) -> Chosen:
    """Sort survivors given by ascending id."""
    order = descending(values)
    return ids.take(order), values.take(order)


def descending(values: Floats) -> Ids:
    """Return the positions of ``values``, largest first, ascending among equals."""
    if values.shape[0] > _FEW and values.dtype == np.float32:
        return _order_by_words(values)
    return (-values).argsort(kind="stable")


def _order_by_words(values: Floats) -> Ids:
    # Sorting plain 64-bit words beats a stable indirect sort of long arrays: the
    # high half orders the floats, the low half is the position, so ties go right.
    # Adding 0.0 turns -0.0, which equals 0.0, into it.
    bits = (values + np.float32(0.0)).view(np.int32)
    # Flipping the magnitude of negative floats makes their bits order as integers.
    ascending = bits ^ ((bits >> 31) & np.int32(0x7FFFFFFF))
    words = (~ascending).astype(np.int64) << 32
    words |= np.arange(values.size, dtype=np.int64)
    words.sort()
    words &= 0xFFFFFFFF
    return words


def select_largest(row: BlockedRow, k: int, ties: Ties = "exact") -> Chosen:
    """Return the ``k`` largest finite logits; ``ties="all"`` adds those equal to
    the last."""
    blocks, (positions, values) = locate_largest(row, k, ties)
    return row.place(blocks, positions), values


def locate_largest(row: BlockedRow, k: int, ties: Ties) -> tuple[Ids | None, Chosen]:
    """Return the same as blocks and positions in them, for ``row.place``."""
    values = row.values
    size = values.shape[0]
    bound: np.floating | float = -math.inf
    if k * 4 <= row.stride:
        parted = row.maxima.copy()
        parted.partition(row.stride - k)
        bound = parted.item(row.stride - k)
    elif k < size:
        bound, _ = kth_bound(values, k)
    if bound == -math.inf:
        bound = lowest_not_below(-math.inf, values.dtype)
    blocks, positions, values = row.locate(bound)
    return blocks, _take_largest(positions, values, k, ties)


def select_largest_of(values: Floats, k: int, ties: Ties, row: int) -> Chosen:
    """Return the same of a row as it came in, or raise ValueError naming ``row``
    if it holds NaN, +inf or nothing but -inf."""
    if k < values.shape[0] <= _FOLDED_AT_MOST:
        # Parting the row, folded if long, takes fewer operations than its blocks.
        bound, largest = kth_bound(values, k)
        if bound > -math.inf and largest < math.inf:
            ids = (values >= bound).nonzero()[0]
            return _take_largest(ids, values[ids], k, ties)
    return select_largest(BlockedRow(values, row), k, ties)


def _take_largest(ids: Ids, values: Floats, k: int, ties: Ties) -> Chosen:
    """Return the ``k`` largest of survivors given by ascending id."""
    if ties == "exact" and ids.shape[0] <= _FEW:
        # The usual case, on the path of every token.
        order = (-values).argsort(kind="stable")[:k]
        return ids[order], values[order]
    if ids.shape[0] > 4 * k + 64:
        parted = values.copy()
        parted.partition(values.shape[0] - k)
        near = (values >= parted[values.shape[0] - k]).nonzero()[0]
        ids, values = ids.take(near), values.take(near)
    order = descending(values)
    if ties == "all" and ids.shape[0] > k and values[order[k]] == values[order[k - 1]]:
        k = int(np.count_nonzero(values >= values[order[k]]))
    order = order[:k]
    return ids.take(order), values.take(order)


def floor_min_p(row: BlockedRow, p: float, temperature: float) -> float:
    """Return the logit at which a token has ``p`` times the largest probability."""
    return row.peak + temperature * math.log(p) if p > 0.0 else -math.inf


def floor_n_sigma(row: BlockedRow, n: float) -> float:
    """Return the peak less ``n`` standard deviations of the finite logits."""
    values = row.values
    if float(values.min()) == -math.inf:
        values = values[values > -np.inf]
    return row.peak - n * deviation(values)


def deviation(values: Floats) -> float:
    """Return the standard deviation of finite ``values`` (divided by their number)."""
    largest = max(abs(float(values.max())), abs(float(values.min())))
    # Squares of larger ones leave float64.
    unit = largest if largest > 1e150 else 1.0
    total = squares = 0.0
    for chunk in _chunks(values, unit):
        total += float(chunk.sum())
    mean = total / values.size
    for chunk in _chunks(values, unit):
        chunk -= mean
        chunk *= chunk
        squares += float(chunk.sum())
    return math.sqrt(squares / values.size) * unit


def _chunks(values: Floats, unit: float) -> Iterator[Doubles]:
    for start in range(0, values.size, _CHUNK):
        yield values[start : start + _CHUNK].astype(np.float64) / unit


def floor_with_min_keep(row: BlockedRow, floor: float, min_keep: int) -> Cut:
    """Return the cut at ``floor``, lowered until ``min_keep`` ids survive it."""
    if min_keep > 1:
        kept = select_largest(row, min_keep)
        if float(kept[1][-1]) < floor:
            return cut_after(kept)
    return Cut(floor, row.values.shape[0])


def survivors_of_cut(row: BlockedRow, cut: Cut) -> tuple[Ids, Floats]:
    """Return ids, ascending, and logits of everything that survives ``cut``."""
    ids, values = row.at_least(cut.floor)
    if cut.last_id < row.values.shape[0]:
        kept = cut.keeps(ids, values.astype(np.float64))
        ids, values = ids[kept], values[kept]
    return ids, values


def gather_cut(row: BlockedRow, cut: Cut) -> Chosen:
    """Return everything that survives ``cut``, sorted."""
    return order_descending(*survivors_of_cut(row, cut))


def cut_after(chosen: Chosen) -> Cut:
    """Return the cut of which ``chosen`` is what survives."""
    ids, values = chosen
    return Cut(float(values[-1]), int(ids[-1]))


def select_typical(
    row: Scaled,
    p: float,
    *,
    ties: Ties = "exact",
    cross_on_equal: bool = True,
    min_keep: int = 1,
) -> Ids:
    """Return the positions whose surprise is closest to the entropy, ascending.

    Tokens are taken by ascending ``|-log q - H|``, positions ascending among
    equals, until their mass crosses ``p``.
    """
    center = mean_exponent(row)
    last = find_crossing(row, p, center=center, on_equal=cross_on_equal)
    # Only these can be near enough; the keys decide.
    reach = last.key * row.temperature
    middle = row.peak + center * row.temperature
    slack = 1e-6 * max(abs(row.peak), abs(middle), reach)
    low = lowest_not_below(middle - reach - slack, row.values.dtype)
    near = np.flatnonzero(row.values >= low)
    with np.errstate(over="ignore"):
        keys = np.abs(row.exponents(near) - center)
    kept = keys < last.key
    kept |= (keys == last.key) & ((near <= last.position) | (ties == "all"))
    found: Ids = near[kept]
    if found.size >= min_keep:
        return found
    alive = np.flatnonzero(row.values > -np.inf)
    with np.errstate(over="ignore"):
        keys = np.abs(row.exponents(alive) - center)
    nearest = alive[np.argsort(keys, kind="stable")[:min_keep]]
    nearest.sort()
    return nearest
