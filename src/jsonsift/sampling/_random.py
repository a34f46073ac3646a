"""Where uniforms come from.

May live here: anything that yields float64 uniforms in [0, 1). Must not know:
what they are used for.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ._rows import check_count, is_listed

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15
_STEP_GAMMA = 0xD1B54A32D192ED03
_ROW_GAMMA = 0x8CB92BA72F3D8DD7
_TO_UNIT = 2.0**-53
_Generator = np.random.Generator


@runtime_checkable
class UniformSource(Protocol):
    """Anything whose ``random(n)`` returns ``n`` float64 uniforms in ``[0, 1)``.

    ``numpy.random.Generator`` and :class:`SeededStream` are such sources.
    """

    def random(self, n: int, /) -> NDArray[np.float64]:
        """Return the next ``n`` uniforms."""


def _mix(word: int) -> int:
    """SplitMix64's finaliser, a bijection of 64-bit words."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
    return word ^ (word >> 31)


def check_seed(seed: int) -> int:
    """Return ``seed`` as an int in ``[0, 2**64)``, or raise."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise TypeError(f"a seed must be an integer in [0, 2**64), not {seed!r}")
    if not 0 <= seed <= _MASK:
        raise ValueError(f"a seed must be in [0, 2**64), not {seed}")
    return int(seed)


def row_seed(seed: int, row: int) -> int:
    """Return the seed of batch row ``row`` when one seed serves a whole batch.

    Row 0 keeps the seed itself, so that a batch of one equals a single row.
    """
    return seed if row == 0 else _mix((seed + row * _ROW_GAMMA) & _MASK)


class _Checked:
    """A caller's own source, whose numbers are looked at before they are used."""

    def __init__(self, source: UniformSource) -> None:
        self._source = source

    def random(self, n: int, /) -> NDArray[np.float64]:
        uniforms = np.asarray(self._source.random(n), dtype=np.float64)
        if uniforms.shape != (n,) or not ((uniforms >= 0.0) & (uniforms < 1.0)).all():
            raise ValueError(f"rng.random({n}) must return {n} numbers in [0, 1)")
        return uniforms


class SeededStream:
    """Uniforms that are a pure function of ``(seed, step)``.

    The j-th uniform is the top 53 bits of ``mix(key + (j + 1) * gamma)``, where
    ``mix`` and ``gamma`` are those of SplitMix64 (Steele, Lea and Flood, "Fast
    splittable pseudorandom number generators", OOPSLA 2014) and ``key`` hashes
    seed and step. Nothing is shared between streams, so what one request draws
    cannot depend on the requests beside it, and building one costs about as
    much as one NumPy call. It is not for cryptography.

    Args:
        seed: an integer in ``[0, 2**64)``.
        step: a non-negative integer, one for each token.

    Raises:
        TypeError: seed or step is not an integer.
        ValueError: seed or step is out of range.

    >>> SeededStream(7, 2).random(2).tolist() == SeededStream(7, 2).random(2).tolist()
    True
    >>> stream = SeededStream(7)
    >>> [*stream.random(1), *stream.random(2)] == SeededStream(7).random(3).tolist()
    True
    """

    __slots__ = ("_at",)

    def __init__(self, seed: int, step: int = 0) -> None:
        if type(step) is not int or step < 0:
            step = check_count(step, "step", low=0)
        key = _mix((check_seed(seed) + _GAMMA) & _MASK)
        self._at = _mix((key + (step + 1) * _STEP_GAMMA) & _MASK)

    def random(self, n: int, /) -> NDArray[np.float64]:
        """Return the next ``n`` uniforms of the stream, float64 ``[n]``."""
        words = np.arange(1, n + 1, dtype=np.uint64)
        words *= np.uint64(_GAMMA)
        words += np.uint64(self._at)
        self._at = (self._at + n * _GAMMA) & _MASK
        words ^= words >> np.uint64(30)
        words *= np.uint64(0xBF58476D1CE4E5B9)
        words ^= words >> np.uint64(27)
        words *= np.uint64(0x94D049BB133111EB)
        words ^= words >> np.uint64(31)
        words >>= np.uint64(11)
        return words.astype(np.float64) * _TO_UNIT


_shared = np.random.default_rng()


def _reseed_after_fork() -> None:
    # Without this, workers forked from one parent would all draw the same tokens.
    global _shared
    _shared = np.random.default_rng()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reseed_after_fork)


def uniform_source(rng: UniformSource | int | None) -> UniformSource:
    """Return the source that ``rng`` names: itself, a seed's, or fresh entropy."""
    if rng is None:
        return _shared
    if isinstance(rng, _Generator):
        return rng
    if isinstance(rng, (int, np.integer)):
        return SeededStream(check_seed(rng))
    if isinstance(rng, random.Random):
        raise TypeError(
            "random.Random cannot fill arrays: pass numpy.random.default_rng(seed)"
        )
    if isinstance(rng, SeededStream):
        return rng
    if not isinstance(rng, UniformSource):
        raise TypeError(
            "rng must be a seed (an integer in [0, 2**64)) or have random(n), as "
            "numpy.random.default_rng(7) has; or be a sequence of these, one for each "
            f"row of a batch. It is {rng!r}"
        )
    return _Checked(rng)


def next_uniform(source: UniformSource) -> float:
    """Return the next uniform of ``source``."""
    if type(source) is _Generator:
        return source.random()
    return float(source.random(1)[0])


def batch_sources(
    rng: UniformSource | int | Sequence[UniformSource | int | None] | None, rows: int
) -> list[UniformSource]:
    """Return one source for each of ``rows`` rows, from one ``rng`` or one each."""
    if rng is None or isinstance(rng, _Generator):
        return [_shared if rng is None else rng] * rows
    if isinstance(rng, (int, np.integer)):
        seed = check_seed(rng)
        return [SeededStream(row_seed(seed, row)) for row in range(rows)]
    if is_listed(rng):
        listed: Any = rng
        if len(listed) != rows:
            raise ValueError(f"rng has {len(listed)} values for a batch of {rows} rows")
        return [uniform_source(one) for one in listed]
    whole: Any = rng
    return [uniform_source(whole)] * rows


def refuse_seed_with_step(rng: object) -> None:
    """Raise ValueError if ``rng``, given beside a step, is or holds a seed."""
    for one in rng if is_listed(rng) else (rng,):  # type: ignore[attr-defined]
        if isinstance(one, (int, np.integer)):
            raise ValueError(
                f"rng={one!r} would draw with the same numbers at every step: give "
                f"seed={one!r} and step=, or as rng= a Generator, made once"
            )


def list_seeds(seed: object) -> list[int | None]:
    """Return the seeds of ``seed``, one or one for each row, or raise."""
    if isinstance(seed, (int, np.integer)):
        return [check_seed(seed)]  # type: ignore[arg-type]
    if not is_listed(seed):
        raise TypeError(
            "seed must be an integer in [0, 2**64), or a sequence of one (or None) "
            f"for each row; what has random(n) goes to rng=. It is {seed!r}"
        )
    listed: Any = seed
    return [None if one is None else check_seed(one) for one in listed]


def row_seeds(seed: int | Sequence[int | None] | None, rows: int) -> list[int | None]:
    """Return one seed for each of ``rows`` rows, from one seed or one each."""
    if seed is None:
        return [None] * rows
    if isinstance(seed, (int, np.integer)):
        whole = check_seed(seed)
        return [row_seed(whole, row) for row in range(rows)]
    listed = list_seeds(seed)
    if len(listed) != rows:
        raise ValueError(f"seed has {len(listed)} values for a batch of {rows} rows")
    return listed


def seeded_source(seed: int | None, step: int | None) -> UniformSource:
    """Return the stream of ``(seed, step)``; fresh entropy without a seed."""
    return _shared if seed is None else SeededStream(seed, _known(step))


def _known(step: int | None) -> int:
    # Falling back to 0 would draw every token of a request with the same numbers.
    if step is None:
        raise ValueError("a seeded draw is a function of (seed, step): give step=")
    return step
