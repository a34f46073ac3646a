"""The sets kept by filters are those of sorting the whole row in float64.

A threshold may be hit so exactly that two orders of summation disagree. Such
cases are recognised by nudging the reference's threshold by 1e-9 to both sides:
then the result must lie between the two. They must be rare, or nothing would be
tested.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from jsonsift.sampling import (
    Candidates,
    _nucleus,
    min_p,
    top_k,
    top_n_sigma,
    top_p,
    typical_p,
    xtc,
)
from jsonsift.sampling._mass import Scaled, mass_before, mass_below

from . import reference
from .shapes import SHAPES, Row, make

SMALL = (1, 2, 3, 5, 17, 63, 64, 65, 130, 1000, 1025)
MIDDLE = (2047, 2048, 2049, 5003, 8191, 8192, 8193, 20011)
LARGE = (65537, 151936)
TEMPERATURES = (0.05, 0.7, 1.0, 2.5)


class Tally:
    """Compare kept ids with the reference, and count what rounding may decide."""

    def __init__(self) -> None:
        self.exact = self.ambiguous = 0

    def check(
        self,
        kept: Candidates,
        expected: Callable[[float], np.ndarray],
        row: Row,
        *,
        is_prefix: bool = True,
    ) -> None:
        order = np.lexsort((kept.ids, -kept.logits.astype(np.float64)))
        assert order.tolist() == list(range(len(kept))), "not sorted"
        assert np.array_equal(kept.logits, row[kept.ids].astype(kept.logits.dtype))
        assert kept.ids.dtype == np.int64
        less, more = expected(1.0 - 1e-9), expected(1.0 + 1e-9)
        if less.size == more.size:
            assert sorted(kept.ids.tolist()) == sorted(less.tolist())
            self.exact += 1
            return
        self.ambiguous += 1
        low, high = sorted((less.size, more.size))
        assert low <= len(kept) <= high
        longest = less if less.size > more.size else more
        assert set(kept.ids.tolist()) <= set(longest.tolist())
        if is_prefix:
            assert kept.ids.tolist() == longest[: len(kept)].tolist()

    def finish(self) -> None:
        assert self.exact > 0
        assert self.ambiguous <= 0.1 * (self.exact + self.ambiguous)


def rows(sizes: tuple[int, ...]) -> list[tuple[str, Row]]:
    dtypes = ("float32", "float64", "float16")
    return [
        (shape, make(shape, size, seed, dtypes[(size + seed) % 3]))
        for shape in SHAPES
        for size in sizes
        for seed in range(3 if size < 2000 else 1)
    ]


GROUPS = pytest.mark.parametrize(
    "sizes", [SMALL, MIDDLE, LARGE], ids=["small", "middle", "large"]
)


@GROUPS
def test_top_k_keeps_the_reference_set(sizes: tuple[int, ...]) -> None:
    """k ids exactly, lowest first among ties; or all ties; never a -inf."""
    for _, row in rows(sizes):
        for k in (1, 2, 7, 50, row.size - 1, row.size, row.size + 5):
            if k < 1 or (k > 50 and row.size > 100_000):
                continue
            for ties in ("exact", "all"):
                kept = top_k(row, k, ties=ties)
                assert kept.ids.tolist() == reference.top_k(row, k, ties).tolist()


@GROUPS
def test_top_p_keeps_the_reference_set(sizes: tuple[int, ...]) -> None:
    """The nucleus is right whether found near the peak or by the histogram."""
    tally = Tally()
    for _, row in rows(sizes):
        for temperature in TEMPERATURES:
            for p in (0.0, 0.3, 0.9, 0.999):
                for min_keep in (1, 4) if row.size < 2000 else (1,):
                    tally.check(
                        top_p(row, p, temperature, min_keep=min_keep),
                        partial(reference.top_p, row, p, temperature, min_keep),
                        row,
                    )
            if row.size > 60000:
                break
    tally.finish()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_middling_nucleus_needs_no_histogram(
    dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds of ids are gathered: the same set as by the sorted row."""
    row = make("normal3", 50_257, 3, dtype)
    expected = reference.top_p(row, 0.9, 0.8)
    assert 100 < expected.size < 1000

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a histogram was made")

    monkeypatch.setattr(_nucleus, "find_crossing", refuse)
    assert top_p(row, 0.9, 0.8).ids.tolist() == expected.tolist()
    with pytest.raises(AssertionError, match="a histogram"):
        top_p(make("flat", 50_257, 3, dtype), 0.9)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("temperature", TEMPERATURES)
def test_passes_over_a_row_keep_within_their_error(
    kind: type[np.floating], temperature: float
) -> None:
    """The masses before and below an id, against sums in the order of the logits."""
    for shape in SHAPES:
        row = make(shape, 70_001, 1)
        scaled = Scaled(row, float(row.max()), temperature)
        order = reference.descending(row)
        weights = np.exp(reference.exponents(row, temperature))[order]
        for place in {0, 1, order.size // 100, order.size // 2, order.size - 1}:
            if place >= order.size:
                continue
            token = int(order[place])
            mass, total, error = mass_before(scaled, token)
            exact = float(weights[:place].sum()) - 0.3 * float(weights.sum())
            assert abs(mass - 0.3 * total - exact) <= error
            lower = row[order] < row[token]
            below = float(weights[lower].sum())
            above = int(np.count_nonzero(row >= row[token]))
            found, error = mass_below(scaled, token, above, kind)
            assert abs(found - below) <= error


@GROUPS
def test_min_p_keeps_the_reference_set(sizes: tuple[int, ...]) -> None:
    """The floor on logits is the rule on probabilities."""
    tally = Tally()
    for _, row in rows(sizes):
        for temperature in TEMPERATURES:
            for p in (1e-4, 0.05, 0.5, 1.0):
                for min_keep in (1, 4) if row.size < 2000 else (1,):
                    tally.check(
                        min_p(row, p, temperature, min_keep=min_keep),
                        partial(reference.min_p, row, p, temperature, min_keep),
                        row,
                    )
            if row.size > 60000:
                break
    # p = 1 keeps the ties of the peak: always at the threshold.
    assert tally.exact > tally.ambiguous


@GROUPS
def test_top_n_sigma_keeps_the_reference_set(sizes: tuple[int, ...]) -> None:
    """The deviation is that of the finite logits."""
    tally = Tally()
    for shape, row in rows(sizes):
        if shape in ("equal", "lone"):
            # No deviation at all: every finite logit is at the threshold.
            assert len(top_n_sigma(row, 1.0)) == reference.descending(row).size
            continue
        for n in (0.5, 1.0, 2.3):
            tally.check(
                top_n_sigma(row, n, min_keep=2),
                partial(reference.top_n_sigma, row, n, 2),
                row,
            )
    assert tally.exact > 4 * tally.ambiguous


@GROUPS
def test_typical_p_keeps_the_reference_set(sizes: tuple[int, ...]) -> None:
    """Ids are taken by distance of surprise from entropy."""
    tally = Tally()
    for shape, row in rows(sizes):
        if shape in ("equal", "flat", "high"):
            # Distances here differ by rounding alone; test_typical_ties has them.
            continue
        for temperature in (0.7, 1.0, 2.5):
            if row.size > 60_000 and temperature != 1.0:
                continue
            for p in (0.2, 0.9):
                for ties in ("exact", "all"):
                    if shape == "ties" and ties == "exact":
                        continue
                    tally.check(
                        typical_p(row, p, temperature, ties=ties, min_keep=2),
                        partial(reference.typical_p, row, p, temperature, ties, 2),
                        row,
                        is_prefix=False,
                    )
    tally.finish()


def test_typical_ties() -> None:
    """Equal distances: the lowest ids cross, or all do."""
    row = np.log(np.array([0.25, 0.25, 0.25, 0.25]))
    assert typical_p(row, 0.6).ids.tolist() == [0, 1, 2]
    assert typical_p(row, 0.6, ties="all").ids.tolist() == [0, 1, 2, 3]


@GROUPS
def test_xtc_keeps_the_reference_set(sizes: tuple[int, ...]) -> None:
    """All that reach the threshold go but the least likely of them."""
    tally = Tally()
    for _, row in rows(sizes):
        for temperature in (0.7, 2.5):
            if row.size > 100_000:
                break
            for threshold in (0.01, 0.1, 0.4):
                for min_keep in (1,) if row.size > 2000 else (1, 3):
                    tally.check(
                        xtc(row, threshold, 1.0, temperature, min_keep=min_keep),
                        partial(reference.xtc, row, threshold, temperature, min_keep),
                        row,
                        is_prefix=False,
                    )
    assert tally.exact > 8 * tally.ambiguous


LOGITS = hnp.arrays(
    np.float32,
    st.integers(1, 90),
    elements=st.one_of(
        st.integers(-6, 6).map(float),
        st.floats(-40, 40, width=32),
        st.just(-np.inf),
    ),
).filter(lambda row: bool((row > -np.inf).any()))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(LOGITS, st.integers(1, 100), st.floats(0, 1), st.sampled_from([0.1, 1.0, 3.0]))
def test_any_row_agrees(row: Row, k: int, p: float, temperature: float) -> None:
    """Rows nobody thought of: ties, -inf and all."""
    assert top_k(row, k).ids.tolist() == reference.top_k(row, k).tolist()
    both = [reference.top_p(row, p, temperature, 1, 1.0 + d) for d in (-1e-9, 1e-9)]
    assert both[0].size <= len(top_p(row, p, temperature)) <= both[1].size
    both = [reference.min_p(row, p, temperature, 1, 1.0 + d) for d in (1e-9, -1e-9)]
    assert both[0].size <= len(min_p(row, p, temperature)) <= both[1].size
