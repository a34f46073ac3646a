"""One row of logits behind the maxima of its blocks.

Everything fast in this package starts from one pass: the maximum of each block
of 64 logits. The 63 others of a block can then be bounded without being read
again. Block ``b`` is the residue class ``{i : i % stride == b}``, because the
maximum over those is taken lane by lane along memory, which is the fastest
reduction that NumPy has.

NaN passes through a maximum, so the peak of the maxima also says whether the
row holds NaN, +inf or nothing but -inf, at no cost.

May live here: reading a row through its blocks. Must not know: randomness.
"""

from __future__ import annotations

import math

import numpy as np

from ._rows import Doubles, Floats, Ids, reject_row

BLOCK = 64
# Below these sizes a row has too few blocks for the bounds to pay.
SMALL_ROW = 2048
_SMALL_BLOCK = 16
_FEW_BLOCKS = 8192
# With at most so many blocks, a pass over all logits is cheaper than five calls.
_FEW_ENOUGH = 600

# The method of ndarrays goes through Python; this does not.
_largest = np.maximum.reduce
_larger = np.maximum
_SINGLE = np.dtype(np.float32)
_LOWEST_SINGLE = np.finfo(np.float32).min
_LOWEST_DOUBLE = np.finfo(np.float64).min
# No difference of float32 divided by a temperature above this leaves float64.
_NO_OVERFLOW = 1e-200


def block_for(size: int) -> int:
    """Return how many logits a block should hold.

    With a block of one logit the "bounds" are the row itself and every method
    is its own brute-force version.
    """
    if size < SMALL_ROW:
        return 1
    return BLOCK if size >= _FEW_BLOCKS else _SMALL_BLOCK


class BlockedRow:
    """A contiguous row ``[V]`` of float32 or float64 and its block maxima.

    Attributes:
        values: the logits, not copied.
        stride: the number of blocks; id ``i`` is in block ``i % stride``.
        height: the number of slots of a block; block ``b`` holds the ids
            ``b, b + stride, ...`` below V, so the last slot may be vacant.
        maxima: the largest logit of each block, ``[stride]``; not to be written
            to, since they are the logits themselves if a block holds one.
        peak: the largest logit of the row, as a float (NaN if there is one).
    """

    stride: int
    height: int
    _tail: Floats | None

    __slots__ = ("_grid", "_tail", "height", "maxima", "peak", "stride", "values")

    def __init__(self, values: Floats, block: int) -> None:
        size = values.shape[0]
        self.values = values
        self.stride = stride = -(-size // block)
        self.height = full = size // stride
        self._tail = None
        if full == 1:
            self._grid = values[np.newaxis]
            self.maxima = values
        elif full * stride == size:
            self._grid = values.reshape(full, stride)
            self.maxima = _largest(self._grid, 0)
        else:
            self.height = full + 1
            self._tail = values[full * stride :]
            self._grid = values[: full * stride].reshape(full, stride)
            self.maxima = _largest(self._grid, 0)
            head = self.maxima[: self._tail.size]
            np.maximum(head, self._tail, out=head)
        # Sooner than a maximum; it finds NaN as well.
        self.peak = float(self.maxima[self.maxima.argmax()])

    @property
    def size(self) -> int:
        return int(self.values.shape[0])

    def gather(self, blocks: Ids) -> Floats:
        """Return the logits of ascending ``blocks``, ``[height, blocks]``.

        Read row by row they are in the order of ids. Vacant slots read -inf.
        ``place(blocks, p)`` names position ``p`` of the flat array.
        """
        inside = self._grid.take(blocks, axis=1)
        if self._tail is None:
            return inside
        last = np.full(blocks.size, -np.inf, dtype=inside.dtype)
        present = blocks[: blocks.searchsorted(self._tail.size)]
        last[: present.size] = self._tail[present]
        return np.concatenate((inside, last[np.newaxis]))

    def place_one(self, blocks: Ids | None, position: int) -> int:
        """Return the id of one position."""
        if blocks is None:
            return position
        slot, column = divmod(position, blocks.shape[0])
        token: int = slot * self.stride + int(blocks[column])
        return token

    def place(self, blocks: Ids | None, positions: Ids) -> Ids:
        """Return the ids of ``positions`` in ``gather(blocks)``, or in the row."""
        if blocks is None:
            return positions
        slot, column = np.divmod(positions, blocks.size)
        ids: Ids = slot * self.stride + blocks[column]
        return ids

    def at_least(self, floor: float) -> tuple[Ids, Floats]:
        """Return ids (ascending) and values of all finite logits >= ``floor``."""
        return self.reaching(lowest_not_below(floor, self.values.dtype))

    def reaching(self, limit: np.floating) -> tuple[Ids, Floats]:
        """Return ids (ascending) and values of all logits >= a finite ``limit``."""
        blocks, positions, values = self.locate(limit)
        return self.place(blocks, positions), values

    def locate(self, limit: np.floating) -> tuple[Ids | None, Ids, Floats]:
        """Return the same before ``place``: blocks, positions and values.

        Blocks of None mean that the whole row was read.
        """
        if self.stride > _FEW_ENOUGH and self.height > 1:
            blocks = (self.maxima >= limit).nonzero()[0]
            if blocks.shape[0] * 4 <= self.stride:
                held = self.gather(blocks).ravel()
                positions = (held >= limit).nonzero()[0]
                return blocks, positions, held[positions]
        positions = (self.values >= limit).nonzero()[0]
        return None, positions, self.values[positions]

    def exponents(self, temperature: float) -> Doubles:
        """Return ``(logit - peak) / temperature`` of the whole row, float64."""
        return scale(self.values, self.peak, temperature)


def block_row(values: Floats, row: int) -> BlockedRow:
    """Return ``values`` behind block maxima, or raise ValueError naming ``row``
    if they hold NaN, +inf or nothing but -inf."""
    blocked = BlockedRow(values, block_for(values.shape[0]))
    if not math.isfinite(blocked.peak):
        reject_row(values, blocked.peak, row)
    return blocked


def kth_bound(numbers: Floats, k: int) -> np.floating:
    """Return a value that at least ``k`` of ``numbers`` reach.

    It is the k-th largest maximum of disjoint blocks: k of them reach it, each
    by an element of its own. So it is never above the k-th largest number. With
    ``4 * k`` blocks or more, 15 % more than k numbers reach it, or fewer, if
    large ones are spread at random.
    """
    size = numbers.shape[0]
    if size < 8 * k:
        numbers = numbers.copy()
    while size >= 8 * k:
        half = size // 2
        numbers = _larger(numbers[:half], numbers[half : 2 * half])
        size = half
    numbers.partition(size - k)
    bound: np.floating = numbers[size - k]
    return bound


def scale(values: Floats, peak: float, temperature: float) -> Doubles:
    """Return ``(values - peak) / temperature`` in float64."""
    y = values.astype(np.float64)
    if temperature > _NO_OVERFLOW and values.dtype == _SINGLE:
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
