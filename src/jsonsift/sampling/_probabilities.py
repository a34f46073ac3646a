"""Whole distributions, in float64.

May live here: softmax and its logarithm. Must not know: filters, drawing.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._rows import Doubles, as_array, as_matrix, check_number, reject_row


def log_softmax(logits: object, temperature: float = 1.0) -> Doubles:
    """Return the logarithm of softmax(logits / temperature).

    Args:
        logits: ``[V]`` or ``[B, V]``, float16, 32 or 64; not changed.
        temperature: above 0.

    Returns:
        float64 of the same shape. -inf where the logit is.

    Raises:
        ValueError: the temperature is not above 0; a row holds NaN, +inf or
            nothing but -inf.

    >>> import numpy as np
    >>> np.exp(log_softmax(np.array([0.0, np.log(3.0)]))).round(6).tolist()
    [0.25, 0.75]
    """
    y, single = _shifted(logits, temperature)
    y -= np.log(np.exp(y).sum(axis=1, keepdims=True))
    return y[0] if single else y


def softmax(logits: object, temperature: float = 1.0) -> Doubles:
    """Return softmax(logits / temperature), float64 of the same shape.

    Arguments and errors are those of :func:`log_softmax`.

    >>> import numpy as np
    >>> softmax(np.array([0.0, np.log(3.0)])).round(6).tolist()
    [0.25, 0.75]
    """
    y, single = _shifted(logits, temperature)
    np.exp(y, out=y)
    y /= y.sum(axis=1, keepdims=True)
    return y[0] if single else y


def logprobs(logits: object, ids: Any, temperature: float = 1.0) -> Any:
    """Return the log-probabilities of some ids.

    Args:
        logits: ``[V]`` or ``[B, V]``, float16, 32 or 64; not changed.
        ids: for ``[V]`` an id or ids ``[m]``; for ``[B, V]`` an id for each row
            ``[B]`` or some for each ``[B, m]``.
        temperature: above 0; 1 gives the model's own log-probabilities.

    Returns:
        float64 of the shape of ``ids``; a float for a single id.

    Raises:
        ValueError: as :func:`log_softmax`, or an id is outside the vocabulary,
            or the shape of ``ids`` does not fit.

    >>> import numpy as np
    >>> round(logprobs(np.array([0.0, np.log(3.0)]), 1), 6)
    -0.287682
    """
    y, single = _shifted(logits, temperature)
    wanted = as_array(ids)
    rows, vocabulary = y.shape
    if wanted.dtype.kind not in "iu" and wanted.size:
        raise ValueError("ids must be integers")
    wanted = wanted.astype(np.int64)
    if wanted.size and not 0 <= wanted.min() <= wanted.max() < vocabulary:
        raise ValueError(f"ids must be in 0..{vocabulary - 1}")
    if single:
        picked = y[0][wanted]
    elif wanted.ndim in (1, 2) and wanted.shape[0] == rows:
        each = wanted if wanted.ndim == 2 else wanted[:, np.newaxis]
        picked = np.take_along_axis(y, each, axis=1).reshape(wanted.shape)
    else:
        raise ValueError(f"ids must be [{rows}] or [{rows}, m] for {rows} rows")
    totals = np.log(np.exp(y, out=y).sum(axis=1))
    if not single:
        totals = totals.reshape(rows, *[1] * (wanted.ndim - 1))
    result = picked - (totals[0] if single else totals)
    return float(result) if result.ndim == 0 else result


def _shifted(logits: object, temperature: float) -> tuple[Doubles, bool]:
    """Return ``(logits - peak) / temperature`` as ``[B, V]``, checked."""
    temperature = check_number(temperature, "temperature", 0.0, math.inf)
    if temperature == 0.0:
        raise ValueError("temperature must be above 0 for a softmax")
    matrix, single = as_matrix(logits)
    peaks = matrix.max(axis=1)
    for row in np.flatnonzero(~np.isfinite(peaks)):
        reject_row(matrix[row], float(peaks[row]), int(row))
    y = matrix.astype(np.float64)
    with np.errstate(over="ignore"):
        y -= peaks[:, np.newaxis]
        y /= temperature
    return y, single
