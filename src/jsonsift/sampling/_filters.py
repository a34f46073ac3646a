"""The filters as plain functions: logits in, candidates out.

May live here: one public function a filter. Must not know: chains of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ._blocks import BlockedRow
from ._candidates import Candidates
from ._random import UniformSource, batch_sources, next_uniform
from ._rows import (
    as_matrix,
    check_count,
    check_number,
    check_per_row,
    check_temperature,
)
from ._select import Ties, check_ties, select_largest_of
from ._survivors import CutRow, Survivors

PerRow = float | Sequence[float]


def top_k(logits: object, k: int | Sequence[int], *, ties: Ties = "exact") -> Any:
    """Keep the ``k`` largest logits (Fan, Lewis and Dauphin, 2018).

    Args:
        logits: ``[V]`` or ``[B, V]``, float16, 32 or 64; not changed.
        k: at least 1, or one for each row; above V it keeps everything.
        ties: ``"exact"`` keeps k, the lowest ids among those equal to the k-th;
            ``"all"`` keeps all that are equal to it.

    Returns:
        :class:`Candidates`, or a list of one for each row. A logit of -inf is
        never kept.

    Raises:
        ValueError: k is below 1; a row holds NaN, +inf or nothing but -inf.

    >>> import numpy as np
    >>> top_k(np.array([1.0, 3.0, 2.0, 2.0]), 2).ids.tolist()
    [1, 2]
    >>> top_k(np.array([1.0, 3.0, 2.0, 2.0]), 2, ties="all").ids.tolist()
    [1, 2, 3]
    """
    if ties != "exact":
        check_ties(ties)
    matrix, single = as_matrix(logits)
    if type(k) is int and k > 0:
        counts = [k] * len(matrix)
    else:
        counts = check_per_row(k, len(matrix), "k", check_count)
    found = []
    for row, count in enumerate(counts):
        ids, values = select_largest_of(matrix[row], count, ties, row)
        found.append(Candidates(ids, values))
    return found[0] if single else found


def top_p(
    logits: object, p: PerRow, temperature: PerRow = 1.0, *, min_keep: int = 1
) -> Any:
    """Keep the fewest most likely tokens that together reach mass ``p``.

    The nucleus of Holtzman et al., "The curious case of neural text
    degeneration", 2019. The token that crosses ``p`` is kept: an id stays if the
    mass of what sorts before it (higher logit, or equal and a lower id) is
    below ``p``.

    Args:
        logits: ``[V]`` or ``[B, V]``, float16, 32 or 64; not changed.
        p: at least 0, or one for each row; 0 keeps one token, 1 or more
            everything.
        temperature: divides the logits before the mass is counted; 0 or less
            keeps the best token alone.
        min_keep: keep at least so many.

    Returns:
        :class:`Candidates`, or a list of one for each row.

    Raises:
        ValueError: an argument is out of range; a row holds NaN, +inf or
            nothing but -inf.

    >>> import numpy as np
    >>> top_p(np.log([0.5, 0.3, 0.2]), 0.6).ids.tolist()
    [0, 1]
    """
    check_count(min_keep, "min_keep")

    def narrow(left: Survivors, p: float) -> Survivors:
        return left.keep_top_p(p, min_keep)

    return _each_row(logits, p, "p", check_mass, temperature, narrow)


def min_p(
    logits: object, p: PerRow, temperature: PerRow = 1.0, *, min_keep: int = 1
) -> Any:
    """Keep tokens of at least ``p`` times the largest probability.

    Nguyen et al., "Turning up the heat: min-p sampling", 2024. No normaliser is
    needed: it is a floor of ``peak + temperature * log(p)`` on the logits.

    Args:
        logits: ``[V]`` or ``[B, V]``, float16, 32 or 64; not changed.
        p: in [0, 1], or one for each row; 0 keeps everything.
        temperature: divides the logits first; 0 or less keeps the best alone.
        min_keep: keep at least so many.

    Returns:
        :class:`Candidates`, or a list of one for each row.

    Raises:
        ValueError: as :func:`top_p`.

    >>> import numpy as np
    >>> min_p(np.log([0.5, 0.3, 0.2]), 0.5).ids.tolist()
    [0, 1]
    """
    check_count(min_keep, "min_keep")

    def narrow(left: Survivors, p: float) -> Survivors:
        return left.keep_min_p(p, min_keep)

    return _each_row(logits, p, "p", check_share, temperature, narrow)


def typical_p(
    logits: object,
    p: PerRow,
    temperature: PerRow = 1.0,
    *,
    ties: Ties = "exact",
    min_keep: int = 1,
) -> Any:
    """Keep the tokens whose surprise is nearest to the entropy, of mass ``p``.

    Meister et al., "Locally typical sampling", 2022: tokens are taken by
    ascending ``|-log q - H|`` until their mass reaches ``p``.

    Args:
        logits: ``[V]`` or ``[B, V]``, float16, 32 or 64; not changed.
        p: at least 0, or one for each row; 1 or more keeps everything.
        temperature: divides the logits first; 0 or less keeps the best alone.
        ties: whether only the lowest ids of equal distance cross, or all do.
        min_keep: keep at least so many.

    Returns:
        :class:`Candidates`, or a list of one for each row. The most likely
        token need not be among them.

    Raises:
        ValueError: as :func:`top_p`.

    >>> import numpy as np
    >>> typical_p(np.log([0.5, 0.2, 0.15, 0.15]), 0.2).ids.tolist()
    [1]
    """
    check_count(min_keep, "min_keep")
    check_ties(ties)

    def narrow(left: Survivors, p: float) -> Survivors:
        return left.keep_typical(p, ties, min_keep, cross_on_equal=True)

    return _each_row(logits, p, "p", check_mass, temperature, narrow)


def top_n_sigma(logits: object, n: PerRow, *, min_keep: int = 1) -> Any:
    """Keep logits within ``n`` standard deviations of the largest.

    Tang et al., "Top-nσ: not all logits are you need", 2024. The deviation is
    that of the finite logits (divided by their number). A temperature would
    scale both sides alike, so it takes none.

    Args:
        logits: ``[V]`` or ``[B, V]``, float16, 32 or 64; not changed.
        n: at least 0, or one for each row.
        min_keep: keep at least so many.

    Returns:
        :class:`Candidates`, or a list of one for each row.

    Raises:
        ValueError: as :func:`top_p`.

    >>> import numpy as np
    >>> top_n_sigma(np.array([0.0, 0.0, 0.0, 4.0, 3.5]), 1.0).ids.tolist()
    [3, 4]
    """
    check_count(min_keep, "min_keep")

    def narrow(left: Survivors, n: float) -> Survivors:
        return left.keep_n_sigma(n, min_keep)

    return _each_row(logits, n, "n", check_mass, 1.0, narrow)


def xtc(
    logits: object,
    threshold: PerRow = 0.1,
    probability: float = 0.5,
    temperature: PerRow = 1.0,
    *,
    min_keep: int = 1,
    rng: UniformSource | int | Sequence[UniformSource | int | None] | None = None,
) -> Any:
    """With some probability, drop the top choices ("exclude top choices").

    All tokens that reach ``threshold`` are dropped but the least likely of them,
    if there are two or more. By P. E. Weidmann, 2024, as in llama.cpp.

    Args:
        logits: ``[V]`` or ``[B, V]``, float16, 32 or 64; not changed.
        threshold: a probability above 0, or one for each row; above 0.5 two
            tokens cannot reach it.
        probability: how often to drop, in [0, 1]. Each row takes one uniform.
        temperature: divides the logits first; 0 or less keeps the best alone.
        min_keep: drop nothing if fewer would be left.
        rng: as in :func:`jsonsift.sampling.sample`.

    Returns:
        :class:`Candidates`, or a list of one for each row.

    Raises:
        ValueError: as :func:`top_p`.

    >>> import numpy as np
    >>> xtc(np.log([0.5, 0.3, 0.2]), 0.25, 1.0).ids.tolist()
    [1, 2]
    """
    check_count(min_keep, "min_keep")
    check_share(probability, "probability")
    matrix, _ = as_matrix(logits)
    sources = iter(batch_sources(rng, matrix.shape[0]))

    def narrow(left: Survivors, threshold: float) -> Survivors:
        if next_uniform(next(sources)) < probability:
            return left.drop_xtc(threshold, min_keep)
        return left

    return _each_row(
        logits, threshold, "threshold", check_threshold, temperature, narrow
    )


def check_mass(value: object, name: str) -> float:
    """Return ``value`` as a float, or raise ValueError unless it is 0 or more."""
    return check_number(value, name, 0.0, math.inf)


def check_share(value: object, name: str) -> float:
    """Return ``value`` as a float, or raise ValueError unless it is in [0, 1]."""
    return check_number(value, name, 0.0, 1.0)


def check_threshold(value: object, name: str) -> float:
    """Return ``value`` as a float, or raise ValueError unless it is in (0, 1]."""
    threshold = check_share(value, name)
    if threshold == 0.0:
        raise ValueError(f"{name} must be above 0")
    return threshold


def _each_row(
    logits: object,
    parameter: Any,
    name: str,
    check: Callable[[Any, str], float],
    temperature: PerRow,
    narrow: Callable[[Survivors, Any], Survivors],
) -> Candidates | list[Candidates]:
    matrix, single = as_matrix(logits)
    rows = matrix.shape[0]
    heats = check_per_row(temperature, rows, "temperature", check_temperature)
    found = []
    for row, value in enumerate(check_per_row(parameter, rows, name, check)):
        whole = CutRow(BlockedRow(matrix[row], row))
        found.append(narrow(whole.heat(heats[row]), value).candidates())
    return found[0] if single else found
