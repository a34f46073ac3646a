"""Rows of logits of many shapes, from fixed seeds."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Row = NDArray[np.floating]


def _lm(rng: np.random.Generator, size: int) -> Row:
    ranked = -2.2 * np.log(np.arange(1, size + 1)) + rng.normal(0.0, 0.5, size)
    return rng.permutation(ranked)


def _peaked(rng: np.random.Generator, size: int) -> Row:
    row = rng.normal(0.0, 1.0, size)
    row[rng.integers(size)] = 20.0
    return row


def _masked(rng: np.random.Generator, size: int) -> Row:
    row = rng.normal(0.0, 2.0, size)
    row[rng.random(size) < 0.7] = -np.inf
    row[rng.integers(size)] = 1.0
    return row


SHAPES: dict[str, Callable[[np.random.Generator, int], Row]] = {
    "lm": _lm,
    "normal3": lambda rng, size: rng.normal(0.0, 3.0, size),
    "normal1": lambda rng, size: rng.normal(0.0, 1.0, size),
    "flat": lambda rng, size: rng.normal(0.0, 0.05, size),
    "peaked": _peaked,
    "ties": lambda rng, size: np.round(rng.normal(0.0, 2.0, size)),
    "equal": lambda rng, size: np.full(size, 3.25),
    "masked": _masked,
    "high": lambda rng, size: 1e4 + np.round(rng.normal(0.0, 2.0, size), 1),
    "lone": lambda rng, size: np.where(np.arange(size) == size // 2, 0.5, -np.inf),
}


def make(shape: str, size: int, seed: int = 0, dtype: str = "float32") -> Row:
    """Return the row ``[size]`` of a shape; the same for the same arguments."""
    rng = np.random.default_rng([zlib.crc32(shape.encode()), size, seed])
    return SHAPES[shape](rng, size).astype(dtype)
