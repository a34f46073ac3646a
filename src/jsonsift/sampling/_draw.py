"""Draw from whole distributions: no filters, one call.

May live here: the public draws. Must not know: chains.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from time import perf_counter_ns
from typing import Any

import numpy as np

from ._blocks import BlockedRow
from ._lazy import LazyDraw
from ._random import UniformSource, batch_sources, uniform_source
from ._rows import (
    Floats,
    Ids,
    as_array,
    as_matrix,
    check_count,
    check_per_row,
    check_temperature,
    reject_row,
)
from ._watch import OBSERVERS, report_call


def sample(
    logits: object,
    temperature: float | Sequence[float] = 1.0,
    *,
    rng: UniformSource | int | Sequence[UniformSource | int | None] | None = None,
    n: int | None = None,
) -> Any:
    """Draw from softmax(logits / temperature), exactly, mostly without reading it.

    The algorithm is rejection from bounds given by the maxima of blocks of 64
    logits; docs/sampling.md proves it exact. Weights are float64.

    Args:
        logits: ``[V]`` or ``[B, V]``, float16, 32 or 64; not changed.
        temperature: a number, or one for each row. 0 or less means the largest
            logit, the lowest id among equals.
        rng: a seed, anything with ``random(n)`` (such as
            ``numpy.random.default_rng()``), or None for fresh entropy; or a
            sequence of one for each row. With one seed for a batch, row r draws
            from a stream of its own; a Generator is read row after row.
        n: how many independent draws for each row.

    Returns:
        An int for ``[V]``, int64 ``[B]`` for ``[B, V]``; with ``n``, int64
        ``[n]`` or ``[B, n]``.

    Raises:
        ValueError: a row holds NaN, +inf or nothing but -inf (the message names
            it); the temperature is not a finite number; V is 0.
        TypeError: the logits or the rng are of another kind.

    >>> import numpy as np
    >>> logits = np.log([0.7, 0.2, 0.1])
    >>> np.bincount(sample(logits, rng=1, n=100_000), minlength=3).round(-3).tolist()
    [70000, 20000, 10000]
    >>> sample(np.stack([logits, -logits]), 0.0).tolist()
    [0, 2]
    """
    clock = perf_counter_ns() if OBSERVERS else 0
    matrix, single = as_matrix(logits)
    sources = batch_sources(rng, len(matrix))
    drawn: Any
    if n is None and type(temperature) is float and 0.0 < temperature < math.inf:
        # The usual case, on the path of every token.
        ids = []
        for row, source in enumerate(sources):
            lazy = LazyDraw(BlockedRow(matrix[row], row), temperature)
            ids.append(lazy.draw_one(source))
        drawn = ids[0] if single else np.array(ids, np.int64)
    elif n is None:
        drawn = _draw_rows(matrix, temperature, sources, 1)[:, 0]
        drawn = int(drawn[0]) if single else drawn
    else:
        drawn = _draw_rows(matrix, temperature, sources, check_count(n, "n"))
        drawn = drawn[0] if single else drawn
    if clock:
        count = len(matrix) * (1 if n is None else n)
        report_call("sample", clock, matrix.size, "drawn", values=count)
    return drawn


def _draw_rows(
    matrix: Floats, temperature: Any, sources: Sequence[UniformSource], n: int
) -> Ids:
    rows = matrix.shape[0]
    heats = check_per_row(temperature, rows, "temperature", check_temperature)
    drawn = np.empty((rows, n), dtype=np.int64)
    for row, values in enumerate(matrix):
        heat = heats[row]
        if heat <= 0.0:
            drawn[row] = best_id(values, row)
        else:
            drawn[row] = LazyDraw(BlockedRow(values, row), heat).draw(sources[row], n)
    return drawn


def best_id(values: Floats, row: int) -> int:
    """Return the lowest id of the largest logit of one row, or raise ValueError."""
    best = int(values.argmax())
    peak = float(values[best])
    if not math.isfinite(peak):
        reject_row(values, peak, row)
    return best


def greedy(logits: object) -> Any:
    """Return the id of the largest logit, the lowest among equals.

    Args:
        logits: ``[V]`` or ``[B, V]``, float16, 32 or 64; not changed.

    Returns:
        An int for ``[V]``, int64 ``[B]`` for ``[B, V]``.

    Raises:
        ValueError: a row holds NaN, +inf or nothing but -inf.

    >>> import numpy as np
    >>> greedy(np.array([1.0, 2.0, 2.0]))
    1
    """
    matrix, single = as_matrix(logits)
    ids = [best_id(values, row) for row, values in enumerate(matrix)]
    return ids[0] if single else np.array(ids, dtype=np.int64)


def gumbel_max(
    logits: object,
    temperature: float = 1.0,
    *,
    rng: UniformSource | int | None = None,
    noise: object = None,
) -> Any:
    """Draw from softmax(logits / temperature) the textbook way.

    ``argmax(logits / temperature + g)`` with independent standard Gumbel noise
    ``g = -log(-log(u))`` (Gumbel 1954; Maddison, Tarlow and Minka, "A* Sampling",
    2014). It reads the whole row and draws V numbers: :func:`sample` has the
    same distribution at a small part of the cost. This one is for teaching,
    for reproducing others' results, and for noise of your own.

    The noise is float64 on purpose. ``u`` near 1 makes the large noise that
    wins, and -log(u) is never 0 there; exponential noise in float32 returns
    exact zeros, each of which makes its token win whatever its logit.

    Args:
        logits: ``[V]`` or ``[B, V]``, float16, 32 or 64; not changed.
        temperature: 0 or less means the largest logit, lowest id first.
        rng: a seed, anything with ``random(n)``, or None for fresh entropy.
        noise: the noise to add instead, of the shape of the logits.

    Returns:
        An int for ``[V]``, int64 ``[B]`` for ``[B, V]``.

    Raises:
        ValueError: as :func:`sample`; the noise is of another shape or NaN.

    >>> import numpy as np
    >>> gumbel_max(np.zeros(3), noise=np.array([0.1, 2.0, -1.0]))
    1
    """
    heat = check_temperature(temperature, "temperature")
    if heat <= 0.0:
        return greedy(logits)
    matrix, single = as_matrix(logits)
    y = np.empty(matrix.shape)
    for row, values in enumerate(matrix):
        peak = float(values[best_id(values, row)])
        # Overflow goes to -inf, the limit: the peak itself is at 0.
        with np.errstate(over="ignore"):
            y[row] = (values.astype(np.float64) - peak) / heat
    if noise is None:
        uniforms = np.asarray(uniform_source(rng).random(matrix.size))
        # 0 has probability 2**-53 and would be -inf noise; half a spacing is not.
        uniforms = np.maximum(uniforms, 2.0**-54)
        added = -np.log(-np.log(uniforms)).reshape(matrix.shape)
    else:
        added = as_array(noise).astype(np.float64)
        if added.shape != (matrix.shape[1:] if single else matrix.shape):
            raise ValueError("noise must have the shape of the logits")
        if np.isnan(added).any() or np.isinf(added).any():
            raise ValueError("noise must be finite")
        added = added.reshape(matrix.shape)
    ids = (y + added).argmax(axis=1)
    return int(ids[0]) if single else ids.astype(np.int64)
