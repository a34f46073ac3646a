"""One row of logits behind the maxima of its blocks.

Everything fast in this package starts from one pass: the maximum of each block
of 64 logits. The 63 others of a block can then be bounded without being read
again. Block ``b`` is the residue class ``{i : i % stride == b}``, because the
maximum over those is taken lane by lane along memory, which is the fastest
reduction that NumPy has.

A model has usually emptied the caches when a token is to be chosen. Then every
function and every NumPy operation costs microseconds for being fetched, and few
of them count for more than fast ones.

May live here: reading a row through its blocks. Must not know: randomness.
"""

from __future__ import annotations

import math

import numpy as np

from ._rows import Doubles, Floats, Ids, reject_row

BLOCK = 64
# Below these sizes a row has too few blocks for the bounds to pay.
_SMALL_ROW = 2048
_SMALL_BLOCK = 16
_FEW_BLOCKS = 8192
# Bytes that come out of memory at a time.
_CACHE_LINE = 64
# With at most so many blocks, a pass over all logits is cheaper than five calls.
_FEW_ENOUGH = 600
# More numbers than this many times k are folded before they are parted.
_PARTED_AT_MOST = 64

# The method of ndarrays goes through Python; this does not.
_largest = np.maximum.reduce
_larger = np.maximum
_INFINITE = math.inf
_SINGLE = np.dtype(np.float32)
_LOWEST_SINGLE = np.finfo(np.float32).min
_LOWEST_DOUBLE = np.finfo(np.float64).min
# No difference of float32 divided by a temperature above this leaves float64.
_NO_OVERFLOW = 1e-200


class BlockedRow:
    """A contiguous row ``[V]`` of float32 or float64 and its block maxima.

    A block of a short row is one logit: then the "bounds" are the row itself and
    every method is its own brute-force version.

    Args:
        values: the logits; not copied.
        row: its number in the batch, for the message.

    Attributes:
        values: the logits.
        stride: the number of blocks; id ``i`` is in block ``i % stride``.
        height: the number of slots of a block; block ``b`` holds the ids
            ``b, b + stride, ...`` below V, so the last slot may be vacant.
        maxima: the largest logit of each block, ``[stride]``; not to be written
            to, since they are the logits themselves if a block holds one.
        peak: the largest logit of the row, as a float.

    Raises:
        ValueError: the row holds NaN, +inf or nothing but -inf.
    """

    __slots__ = ("height", "maxima", "peak", "stride", "values")

    def __init__(self, values: Floats, row: int = 0) -> None:
        size = values.shape[0]
        if size >= _FEW_BLOCKS:
            stride = -(-size // BLOCK)
            # Out of memory, one number of each cache line comes sooner than the
            # maxima would read the row; these then find it in the cache.
            values[:: _CACHE_LINE // values.itemsize].copy()
        else:
            stride = size if size < _SMALL_ROW else -(-size // _SMALL_BLOCK)
        self.values = values
        self.stride = stride
        self.height = -(-size // stride)
        maxima = values
        if stride < size:
            even = size - size % stride
            maxima = _largest(values[:even].reshape(-1, stride), 0)
            if even < size:
                head = maxima[: size - even]
                _larger(head, values[even:], out=head)
        self.maxima = maxima
        # Sooner than a maximum. A NaN, which passes through maxima, is the peak.
        self.peak = peak = maxima.item(maxima.argmax())
        if not -_INFINITE < peak < _INFINITE:
            reject_row(values, peak, row)

    def gather(self, blocks: Ids) -> Floats:
        """Return the logits of ascending ``blocks``, those of lower ids first.

        ``place(blocks, p)`` names the id at position ``p``.
        """
        values, stride = self.values, self.stride
        size = values.shape[0]
        even = size - size % stride
        held = values[:even].reshape(-1, stride).take(blocks, 1).ravel()
        if even == size:
            return held
        # The last slot is vacant but in the first blocks.
        present = blocks[: blocks.searchsorted(size - even)]
        return np.concatenate((held, values[even:].take(present)))

    def place_one(self, blocks: Ids | None, position: int) -> int:
        """Return the id of one position."""
        if blocks is None:
            return position
        slot, column = divmod(position, blocks.shape[0])
        token: int = slot * self.stride + blocks.item(column)
        return token

    def place(self, blocks: Ids | None, positions: Ids) -> Ids:
        """Return the ids of ``positions`` in ``gather(blocks)``, or in the row."""
        if blocks is None:
            return positions
        slot, column = np.divmod(positions, blocks.shape[0])
        slot *= self.stride
        slot += blocks.take(column)
        return slot

    def locate(self, limit: np.floating | float) -> tuple[Ids | None, Ids, Floats]:
        """Return where the logits >= a finite ``limit`` are, and their values.

        That is the blocks that were read, None for the whole row, and positions
        in them, for ``place``. Both ascend, and so do the ids.
        """
        values = self.values
        blocks = None
        if self.stride > _FEW_ENOUGH and self.height > 1:
            reached = (self.maxima >= limit).nonzero()[0]
            if reached.shape[0] * 4 <= self.stride:
                blocks = reached
                values = self.gather(blocks)
        positions = (values >= limit).nonzero()[0]
        return blocks, positions, values.take(positions)

    def at_least(self, floor: float) -> tuple[Ids, Floats]:
        """Return ids (ascending) and values of all finite logits >= ``floor``."""
        limit = lowest_not_below(floor, self.values.dtype)
        blocks, positions, values = self.locate(limit)
        return self.place(blocks, positions), values

    def exponents(self, temperature: float) -> Doubles:
        """Return ``(logit - peak) / temperature`` of the whole row, float64."""
        return scale(self.values, self.peak, temperature)


def kth_bound(numbers: Floats, k: int) -> tuple[float, float]:
    """Return a value that at least ``k`` of ``numbers`` reach, and the largest.

    It is the k-th largest maximum of disjoint blocks: k of them reach it, each
    by an element of its own. So it is never above the k-th largest number, and
    few more than k numbers reach it if large ones are spread at random. Where a
    number is NaN, so is the largest.
    """
    size = numbers.shape[0]
    folded = numbers
    while size >= _PARTED_AT_MOST * k:
        half = size // 2
        halves = _larger(folded[:half], folded[half : 2 * half])
        if size % 2:
            _larger(halves[:1], folded[-1:], out=halves[:1])
        folded, size = halves, half
    largest = folded.item(folded.argmax())
    parted = folded.copy() if folded is numbers else folded
    parted.partition(size - k)
    return parted.item(size - k), largest


def scale(values: Floats, peak: float, temperature: float) -> Doubles:
    """Return ``(values - peak) / temperature`` in float64."""
    y = values.astype(np.float64)
    if temperature > _NO_OVERFLOW and values.dtype is _SINGLE:
        y -= peak
        y /= temperature
        return y
    # A tiny temperature sends what is below the peak to -inf: its limit.
    with np.errstate(over="ignore"):
        y -= peak
        y /= temperature
    return y


def lowest_not_below(floor: float, dtype: np.dtype[np.floating]) -> np.floating:
    """Return the lowest finite number of ``dtype`` that is >= ``floor``.

    Comparing float32 logits with a Python float would round the float first,
    to either side; comparing with this number gives the exact answer.
    """
    kind = dtype.type
    lowest = _LOWEST_SINGLE if dtype == _SINGLE else _LOWEST_DOUBLE
    if floor <= float(lowest):
        return lowest
    limit: np.floating = kind(floor)
    # As floats: NumPy 2 would round the right-hand side to float32 as well.
    if float(limit) < floor:
        limit = np.nextafter(limit, kind(math.inf))
    return limit
