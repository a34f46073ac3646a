"""Find which logits of a whole row survive a filter, without sorting the row.

Exact means: the same set as sorting the row by (logit descending, id
ascending) in float64 and cutting where the filter says. Sums are float64;
where two orders of summation differ in the last bits, so may two programs at a
threshold that is hit to that precision.

May live here: filters of a whole row. Must not know: chains, randomness.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np

from ._blocks import SMALL_ROW, BlockedRow, block_row, kth_bound, lowest_not_below
from ._lazy import Cut, weigh
from ._mass import Scaled, find_crossing, mean_exponent, sum_weights
from ._rows import Doubles, Floats, Ids

Ties = Literal["exact", "all"]

# A nucleus is first looked for among the logits this many temperatures below
# the peak; exp(-7) is about 1/1100 of the most likely token.
_PREFIX_DEPTH = 7.0
# Relative error bound of a float32 pass of exp and pairwise sums: below 7e-6
# from rounding the exponent (|y| < 40; what is below adds under 1e-12), 5e-7
# from exp and 2e-6 from the sums.
_SINGLE_ERROR = 2e-5
# Outside this range of temperatures 1/T or y leaves float32.
_SINGLE_RANGE = (1e-30, 1e30)
# A deviation is summed in pieces that stay in the cache.
_CHUNK = 16384


def check_ties(ties: Ties) -> Ties:
    """Return ``ties``, or raise ValueError."""
    if ties not in ("exact", "all"):
        raise ValueError(f"ties must be 'exact' or 'all', not {ties!r}")
    return ties


class Chosen(NamedTuple):
    """Survivors by descending logit, ids ascending among equals."""

    ids: Ids
    values: Floats


def order_descending(ids: Ids, values: Floats) -> Chosen:
    """Sort survivors given by ascending id."""
    order = _descending(values)
    return Chosen(ids[order], values[order])


def _descending(values: Floats) -> Ids:
    """Return the positions of ``values``, largest first, ascending among equals."""
    if values.shape[0] > 1024 and values.dtype == np.float32:
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
    blocks, chosen = locate_largest(row, k, ties)
    return Chosen(row.place(blocks, chosen.ids), chosen.values)


def locate_largest(row: BlockedRow, k: int, ties: Ties) -> tuple[Ids | None, Chosen]:
    """Return the same as blocks and positions in them, for ``row.place``."""
    limit = None
    if k < row.values.shape[0]:
        limit = kth_bound(row.maxima if k * 4 <= row.stride else row.values, k)
    if limit is None or limit == -math.inf:
        limit = lowest_not_below(-math.inf, row.values.dtype)
    blocks, positions, values = row.locate(limit)
    if positions.shape[0] > 4 * k + 64:
        positions, values = _drop_below_kth(positions, values, k)
    return blocks, _first(positions, values, k, ties)


def select_largest_of(values: Floats, k: int, ties: Ties, row: int) -> Chosen:
    """Return the same of a row as it came in, or raise ValueError naming ``row``
    if it holds NaN, +inf or nothing but -inf."""
    if k < values.shape[0] < SMALL_ROW:
        # Without blocks: where they do not pay, every microsecond counts.
        bound = kth_bound(values, k)
        if bound > -math.inf and values[values.argmax()] < math.inf:
            ids = (values >= bound).nonzero()[0]
            if ids.shape[0] <= 4 * k + 64:
                return _first(ids, values[ids], k, ties)
    return select_largest(block_row(values, row), k, ties)


def _first(ids: Ids, values: Floats, k: int, ties: Ties) -> Chosen:
    """Return the ``k`` largest of survivors given by ascending id."""
    order = _descending(values)
    if ties == "all" and ids.shape[0] > k and values[order[k]] == values[order[k - 1]]:
        k = int(np.count_nonzero(values >= values[order[k]]))
    order = order[:k]
    return Chosen(ids[order], values[order])


def _drop_below_kth(ids: Ids, values: Floats, k: int) -> tuple[Ids, Floats]:
    cut = values.size - k
    parted = values.copy()
    parted.partition(cut)
    kept = values >= parted[cut]
    return ids[kept], values[kept]


def floor_min_p(row: BlockedRow, p: float, temperature: float) -> float:
    """Return the logit at which a token has ``p`` times the largest probability."""
    return row.peak + temperature * math.log(p) if p > 0.0 else -math.inf


def floor_n_sigma(row: BlockedRow, n: float) -> float:
    """Return the peak less ``n`` standard deviations of the finite logits."""
    values = row.values
    if float(values.min()) == -math.inf:
        values = values[values > -np.inf]
    mean = float(values.mean(dtype=np.float64))
    squares = 0.0
    for start in range(0, values.size, _CHUNK):
        apart = values[start : start + _CHUNK].astype(np.float64)
        apart -= mean
        apart *= apart
        squares += float(apart.sum())
    return row.peak - n * math.sqrt(squares / values.size)


def floor_with_min_keep(row: BlockedRow, floor: float, min_keep: int) -> Cut:
    """Return the cut at ``floor``, lowered until ``min_keep`` ids survive it."""
    if min_keep > 1:
        kept = select_largest(row, min_keep)
        if kept.values[-1] < floor:
            return _cut_after(kept)
    return Cut(floor, row.size)


def survivors_of_cut(row: BlockedRow, cut: Cut) -> tuple[Ids, Floats]:
    """Return ids, ascending, and logits of everything that survives ``cut``."""
    ids, values = row.at_least(cut.floor)
    if cut.last_id < row.size:
        kept = cut.keeps(ids, values.astype(np.float64))
        ids, values = ids[kept], values[kept]
    return ids, values


def gather_cut(row: BlockedRow, cut: Cut) -> Chosen:
    """Return everything that survives ``cut``, sorted."""
    return order_descending(*survivors_of_cut(row, cut))


def count_reaching(values: Floats, floor: float) -> int:
    """Return how many of ``values``, descending, are at least ``floor``."""
    return int(np.count_nonzero(values >= lowest_not_below(floor, values.dtype)))


def select_nucleus(
    row: BlockedRow, p: float, temperature: float, min_keep: int = 1
) -> Chosen | Cut:
    """Return the smallest set of most likely tokens with mass ``p``.

    A small nucleus comes back sorted, a large one as the cut that defines it.
    """
    if p >= 1.0:
        return Cut(-math.inf, row.size)
    found = _nucleus_in_prefix(row, p, temperature, min_keep)
    return _nucleus_cut(row, p, temperature, min_keep) if found is None else found


def _nucleus_in_prefix(
    row: BlockedRow, p: float, temperature: float, min_keep: int
) -> Chosen | None:
    """Look among the logits near the peak, with bounds on the rest of the mass."""
    floor = row.peak - _PREFIX_DEPTH * temperature
    limit = lowest_not_below(floor, row.values.dtype)
    blocks = (row.maxima >= limit).nonzero()[0]
    if row.stride < row.size and blocks.size * 4 > row.stride:
        return None
    held = row.gather(blocks).ravel()
    positions = (held >= limit).nonzero()[0]
    near = order_descending(row.place(blocks, positions), held[positions])
    cumulated = weigh(near.values, row.peak, temperature).cumsum()
    read = float(weigh(held, row.peak, temperature).sum())
    bounds = weigh(row.maxima, row.peak, temperature)
    bounds[blocks] = 0.0
    unread = float(bounds.sum())
    count = _agreed_count(
        row, cumulated, p, temperature, (read + unread, read + unread * row.height)
    )
    if count is None or count > near.values.size:
        return None
    count = max(count, min_keep)
    if count > near.values.size:
        return select_largest(row, count)
    return Chosen(near.ids[:count], near.values[:count])


def _agreed_count(
    row: BlockedRow,
    cumulated: Doubles,
    p: float,
    temperature: float,
    bounds: tuple[float, float],
) -> int | None:
    """Return how many of the prefix are in the nucleus; None if more than all.

    The normaliser is only known within ``bounds``. They are tightened until
    both ends give the same answer: by a float32 pass, then by a float64 one.
    """
    low, high = bounds
    for tighten in (_single_normaliser, _double_normaliser):
        least = int(cumulated.searchsorted(p * low, side="left"))
        most = int(cumulated.searchsorted(p * high, side="left"))
        if least == most or least == cumulated.size:
            break
        low, high = tighten(row, temperature, low, high)
    else:
        least = int(cumulated.searchsorted(p * low, side="left"))
    return None if least == cumulated.size else least + 1


def _single_normaliser(
    row: BlockedRow, temperature: float, low: float, high: float
) -> tuple[float, float]:
    narrow, wide = _SINGLE_RANGE
    if row.values.dtype != np.float32 or not narrow < temperature < wide:
        return low, high
    # A row masked with the lowest float32 overflows to -inf: its limit.
    with np.errstate(over="ignore"):
        y = row.values - np.float32(row.peak)
        y *= np.float32(1.0 / temperature)
        total = float(np.exp(y, out=y).sum())
    return (
        max(low, total * (1.0 - _SINGLE_ERROR)),
        min(high, total * (1.0 + _SINGLE_ERROR)),
    )


def _double_normaliser(
    row: BlockedRow, temperature: float, low: float, high: float
) -> tuple[float, float]:
    total = sum_weights(Scaled(row.values, row.peak, temperature))
    return total, total


def _nucleus_cut(row: BlockedRow, p: float, temperature: float, min_keep: int) -> Cut:
    last = find_crossing(Scaled(row.values, row.peak, temperature), p).position
    cut = Cut(float(row.values[last]), last)
    if min_keep > 1:
        kept = select_largest(row, min_keep)
        if not cut.keeps(kept.ids[-1:], kept.values[-1:].astype(np.float64))[0]:
            return _cut_after(kept)
    return cut


def _cut_after(chosen: Chosen) -> Cut:
    return Cut(float(chosen.values[-1]), int(chosen.ids[-1]))


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
