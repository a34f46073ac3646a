"""Find where probability mass, summed in some order, crosses a target.

No row is sorted: a weighted histogram of the sort key finds the one bin that
holds the crossing, and only that bin is sorted. Rows are read in chunks that
stay in the cache; whole-row temporaries would cost more in page faults than
in arithmetic.

The sort key is ``|y - center|`` with ``y = (logit - peak) / temperature <= 0``.
A center of 0 sorts by descending probability (top-p), a center at the mean of y
by distance of surprise from entropy (typical-p): surprise less entropy is
``(log Z - y) - (log Z - mean y)``.

May live here: sums over whole rows. Must not know: filters' arguments.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from ._rows import Doubles, Floats, Ids

_CHUNK = 16384
# The same number of bytes in both.
_CHUNKS: dict[type[np.floating], int] = {np.float32: 2 * _CHUNK, np.float64: _CHUNK}
# So many sums of a chunk are made side by side.
_LANES = 1024
# Relative error bounds of a pass of exp and sums. float32: below 7e-6 from
# rounding the exponent (|y| < 40), 5e-7 from exp and 4e-6 from the sums (32 numbers
# in turn, then pairwise). float64: 40 * 3 * 2**-53 from the exponent, and less.
_ERRORS: dict[type[np.floating], float] = {np.float32: 2e-5, np.float64: 1e-13}
# A weight below this, exp(-40), may be off by all of it. Those of a row add less
# than 1e-12 to the weight of the peak, which is 1.
_NEGLIGIBLE = 4.3e-18
# Outside this range of temperatures 1/T or y leaves float32.
_SINGLE_RANGE = (1e-30, 1e30)
_BINS = 4096
# Keys beyond this add under V * exp(-40), too little to need fine bins.
_DEEPEST_KEY = 40.0
# A row whose keys span less is one bin: the bins per unit would leave float64.
_NARROWEST = 1e-300


_sum = np.add.reduce


class Scaled(NamedTuple):
    """A row of logits, its largest, and the temperature over which to read it."""

    values: Floats
    peak: float
    temperature: float

    def exponents(self, positions: Ids) -> Doubles:
        """Return y of ``positions``, by the same operations as a chunk."""
        y = self.values[positions].astype(np.float64)
        y -= self.peak
        y /= self.temperature
        return y


def _chunks(row: Scaled) -> Iterator[tuple[Doubles, Doubles]]:
    """Yield y and exp(y) piece by piece, in buffers that are used again."""
    size = row.values.size
    y_buffer = np.empty(min(size, _CHUNK))
    weight_buffer = np.empty(min(size, _CHUNK))
    for start in range(0, size, _CHUNK):
        part = row.values[start : start + _CHUNK]
        y, weights = y_buffer[: part.size], weight_buffer[: part.size]
        y[...] = part
        y -= row.peak
        if row.temperature != 1.0:
            y /= row.temperature
        np.exp(y, out=weights)
        yield y, weights


def fits_single(row: Scaled) -> bool:
    """Return whether float32 can tell its weights to its error bound."""
    low, high = _SINGLE_RANGE
    return row.values.dtype == np.float32 and low < row.temperature < high


def mass_before(row: Scaled, token: int) -> tuple[float, float, float]:
    """Return the mass of ids that sort before ``token``, of all, and how far their
    difference may be off; before are higher logits, and equal ones of lower id.

    Raising the weights to at least that of the token leaves what is above it as
    it is, and makes the rest something that counting takes off again.
    """
    kind = np.float32 if fits_single(row) else np.float64
    weight, level = _level_of(row, token, kind)
    total = raised = 0.0
    for weights in _quick_chunks(row, kind):
        total += _add_up(weights)
        np.maximum(weights, level[: weights.size], out=weights)
        raised += _add_up(weights)
    values = row.values
    others = np.count_nonzero(values <= values[token])
    others -= np.count_nonzero(values[:token] == values[token])
    error = _ERRORS[kind] * (raised + total)
    return raised - float(others) * weight, total, error


def mass_below(
    row: Scaled, token: int, others: int, kind: type[np.floating]
) -> tuple[float, float]:
    """Return the mass of logits below that of ``token``, all but ``others`` of
    them, and how far it may be off; the pass is one in ``kind``.

    Lowering the weights to at most that of the token works the same way. What
    is above may be most of the mass, and adds little to the error.
    """
    weight, level = _level_of(row, token, kind)
    lowered = 0.0
    for weights in _quick_chunks(row, kind):
        np.minimum(weights, level[: weights.size], out=weights)
        lowered += _add_up(weights)
    error = _ERRORS[kind] * lowered + row.values.size * _NEGLIGIBLE
    return lowered - others * weight, error


def _level_of(row: Scaled, token: int, kind: type[np.floating]) -> tuple[float, Floats]:
    """Return the weight of ``token``, and a chunk of it: comparing with a single
    number takes NumPy four times as long."""
    alone = Scaled(row.values[token : token + 1], row.peak, row.temperature)
    weight = float(next(_quick_chunks(alone, kind))[0])
    return weight, np.full(min(row.values.size, _CHUNKS[kind]), weight, kind)


def _add_up(weights: Floats) -> float:
    """Return the sum of a chunk, lane by lane along memory: the fastest order."""
    even = weights.size - weights.size % _LANES
    total = float(_sum(_sum(weights[:even].reshape(-1, _LANES), 0))) if even else 0.0
    return total + float(_sum(weights[even:]))


def _quick_chunks(row: Scaled, kind: type[np.floating]) -> Iterator[Floats]:
    """Yield exp(y) piece by piece, of type ``kind``, in a buffer that is used again."""
    size, step = row.values.size, _CHUNKS[kind]
    buffer = np.empty(min(size, step), kind)
    peak = kind(row.peak)
    # float32 multiplies sooner than it divides; 1/T may leave float64.
    over: np.ufunc = np.divide
    heat = kind(row.temperature)
    if kind is np.float32:
        over, heat = np.multiply, kind(1.0 / row.temperature)
    # A row masked with the lowest number overflows to -inf: its limit.
    with np.errstate(over="ignore"):
        for start in range(0, size, step):
            part = row.values[start : start + step]
            weights = buffer[: part.size]
            np.subtract(part, peak, out=weights, dtype=kind)
            over(weights, heat, out=weights)
            yield np.exp(weights, out=weights)


def mean_exponent(row: Scaled) -> float:
    """Return the mean of y under the weights exp(y)."""
    totals, moments = [], []
    with np.errstate(over="ignore"):
        for y, weights in _chunks(row):
            totals.append(float(weights.sum()))
            # Where a weight is 0, y may be -inf, and their product NaN.
            np.maximum(y, -1e308, out=y)
            # Not np.dot: a BLAS may start threads for it, at many times the cost.
            y *= weights
            moments.append(float(y.sum()))
    return math.fsum(moments) / math.fsum(totals)


class Crossing(NamedTuple):
    """Where the mass crosses: the last id taken, by its key and position."""

    key: float
    position: int


def find_crossing(
    row: Scaled, p: float, *, center: float = 0.0, on_equal: bool = True
) -> Crossing:
    """Return the first position at which mass by ascending key crosses ``p``.

    Equal keys are taken by ascending position. With ``on_equal`` a mass of
    exactly ``p`` has crossed. When rounding lets nothing cross, the last
    position of positive weight counts as crossing.
    """
    with np.errstate(over="ignore"):
        span = _span(row, center)
        scale = (_BINS - 1) / span if span > _NARROWEST else 0.0
        mass = np.cumsum(_histogram(row, center, span, scale), dtype=np.float64)
        target = p * float(mass[-1])
        side: Literal["left", "right"] = "left" if on_equal else "right"
        # A target of 0 is crossed by the first id, not by an empty first bin.
        rises = np.flatnonzero(np.diff(mass, prepend=0.0) > 0.0)
        at = int(mass.searchsorted(target, side=side))
        at = min(max(at, int(rises[0])), int(rises[-1]))
        members = _members(row, center, span, scale, at)
        y = row.exponents(members)
    keys = np.abs(y - center)
    # Division by the temperature may round two logits to one y: sort by logit
    # where that is the order meant.
    order = np.argsort(-row.values[members] if center == 0.0 else keys, kind="stable")
    before = float(mass[at - 1]) if at else 0.0
    cumulated = before + np.cumsum(np.exp(y[order]))
    last = min(int(cumulated.searchsorted(target, side=side)), members.size - 1)
    found = order[last]
    return Crossing(float(keys[found]), int(members[found]))


def _span(row: Scaled, center: float) -> float:
    """Return the largest key worth a bin of its own."""
    lowest = float(row.values.min())
    if lowest == -math.inf:
        lowest = float(row.values[row.values > -np.inf].min())
    deepest = (row.peak - lowest) / row.temperature
    return min(max(deepest + center, -center), _DEEPEST_KEY)


def _bin(keys: Doubles, span: float, scale: float) -> Ids:
    np.minimum(keys, span, out=keys)
    keys *= scale
    return keys.astype(np.int64)


def _histogram(row: Scaled, center: float, span: float, scale: float) -> Doubles:
    mass = np.zeros(_BINS)
    for y, weights in _chunks(row):
        if center:
            y -= center
            np.abs(y, out=y)
        else:
            np.negative(y, out=y)
        which = _bin(y, span, scale)
        mass += np.bincount(which, weights=weights, minlength=_BINS)
    return mass


def _members(row: Scaled, center: float, span: float, scale: float, at: int) -> Ids:
    """Return the positions of positive weight whose key is in bin ``at``."""
    if scale == 0.0:
        positions = np.arange(row.values.size)
    else:
        # A bin to each side, against rounding; what is too much falls out below.
        near = max(at - 1, 0) / scale
        far = math.inf if at == _BINS - 1 else (at + 2) / scale
        inside = _within(row, center - far, center - near)
        if center:
            inside |= _within(row, center + near, center + far)
        positions = np.flatnonzero(inside)
    y = row.exponents(positions)
    which = _bin(np.abs(y - center), span, scale)
    members: Ids = positions[(which == at) & (np.exp(y) > 0.0)]
    return members


def _within(row: Scaled, low: float, high: float) -> np.ndarray:
    """Return which logits have y in about ``[low, high]``, bool ``[V]``."""
    kind = row.values.dtype.type
    slack = 1e-6 * max(abs(row.peak), 1e-30)
    floor = row.peak + low * row.temperature - slack
    ceiling = row.peak + high * row.temperature + slack
    inside: np.ndarray = row.values >= kind(floor)
    inside &= row.values <= kind(ceiling)
    return inside
