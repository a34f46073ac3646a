"""Rows and arguments that nobody has on purpose: right, and without a warning.

Values at both ends of their type, denormals, masks of the lowest number, sorted
rows, temperatures from 5e-324 to 1e300, min_keep above V. Warnings are errors in
this suite.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jsonsift.sampling import (
    XTC,
    MinP,
    Sampler,
    Temperature,
    TopK,
    TopNSigma,
    TopP,
    TypicalP,
    gumbel_max,
    log_softmax,
    min_p,
    sample,
    softmax,
    top_k,
    top_n_sigma,
    top_p,
    typical_p,
    xtc,
)
from jsonsift.sampling._blocks import BlockedRow
from jsonsift.sampling._mass import Scaled, find_crossing
from jsonsift.sampling._nucleus import Nucleus
from jsonsift.sampling._select import deviation

from . import reference
from .shapes import Row

SIZES = (1, 2, 3, 17, 65, 300, 2047, 2048, 2100, 5003, 8192, 9000, 20_011, 66_001)
TEMPERATURES = (5e-324, 1e-300, 1e-40, 1e-8, 0.05, 0.7, 1.0, 2.5, 1e5, 1e38, 1e300)


def odd_row(rng: np.random.Generator) -> Row:
    """Return a row of an odd kind, size and type, with a finite logit."""
    size = int(rng.choice(SIZES))
    dtype = str(rng.choice(["float32", "float64", "float16"]))
    info = np.finfo(dtype)
    low, high = float(info.min) * 0.99, float(info.max) * 0.99
    normal = rng.normal(0.0, 1.0, size)
    hidden = rng.random(size) < 0.9
    kinds = (
        3.0 * normal,
        np.round(2.0 * normal),
        np.full(size, normal[0]),
        np.where(hidden, float(info.min), normal),
        np.where(hidden, -np.inf, normal),
        rng.choice([low, high, 0.0, 1.0, -1.0], size),
        normal * float(info.tiny),
        np.sort(normal),
        np.sort(normal)[::-1],
        0.01 * normal + 1e3,
    )
    row = kinds[rng.integers(len(kinds))].astype(dtype)
    if not (row > -np.inf).any():
        row[rng.integers(size)] = 0.0
    return row


@pytest.mark.parametrize("seed", range(12))
def test_sets_of_odd_rows_are_those_of_the_references(seed: int) -> None:
    """Or between those of thresholds nudged by 1e-9."""
    rng = np.random.default_rng([1, seed])
    for _ in range(25):
        row, heat = odd_row(rng), float(rng.choice(TEMPERATURES))
        p = float(rng.choice([0.0, 1e-9, 0.3, 0.9, 0.999999, 1.0]))
        k = int(rng.choice([1, 2, 50, 300, row.size, 10**12]))
        ties: Any = str(rng.choice(["exact", "all"]))
        keep = int(rng.choice([1, 1, 5, 10**9]))
        got = top_k(row, k, ties=ties).ids
        assert got.tolist() == reference.top_k(row, k, ties).tolist()
        for kept, plain in (
            (top_p(row, p, heat, min_keep=keep), reference.top_p),
            (min_p(row, p, heat, min_keep=keep), reference.min_p),
        ):
            with np.errstate(over="ignore"):
                sets = [
                    plain(row, p, heat, keep, nudge)
                    for nudge in (1.0 - 1e-9, 1.0, 1.0 + 1e-9)
                ]
            least, most = sorted((sets[0].size, sets[2].size))
            assert least <= len(kept) <= most
            if least == most:
                assert kept.ids.tolist() == sets[1].tolist()


@pytest.mark.parametrize("seed", range(12))
def test_draws_of_odd_rows_are_possible_ones(seed: int) -> None:
    """Of positive weight, finite, and one as the first of one."""
    rng = np.random.default_rng([2, seed])
    for number in range(25):
        row, heat = odd_row(rng), float(rng.choice(TEMPERATURES))
        with np.errstate(over="ignore"):
            weights = np.exp(reference.exponents(row, heat))
        drawn = sample(row, heat, rng=number, n=20)
        assert (weights[drawn] > 0.0).all()
        assert sample(row, heat, rng=number) == sample(row, heat, rng=number, n=1)[0]
        assert weights[gumbel_max(row, heat, rng=number)] > 0.0
        assert softmax(row, heat).sum() == pytest.approx(1.0)
        assert log_softmax(row, heat).max() <= 0.0
        for kept in (
            typical_p(row, 0.8, heat),
            top_n_sigma(row, 0.7),
            xtc(row, 0.1, 1.0, heat),
        ):
            assert len(kept) > 0
            assert np.isfinite(kept.logits).all()


@pytest.mark.parametrize("seed", range(12))
def test_chains_over_odd_rows_draw_from_their_candidates(seed: int) -> None:
    """Whatever filter follows whatever other."""
    rng = np.random.default_rng([3, seed])
    for number in range(20):
        row, keep = odd_row(rng), int(rng.choice([1, 1, 7]))
        pool = (
            Temperature(float(rng.choice(TEMPERATURES))),
            Temperature(0.5),
            TopK(int(rng.choice([1, 40, 3000]))),
            TopP(0.6, keep),
            TopP(0.95, keep),
            MinP(0.02, keep),
            MinP(0.5, keep),
            TypicalP(0.7, keep),
            TopNSigma(1.5, keep),
            XTC(0.05, 1.0, keep),
        )
        chain = [pool[at] for at in rng.permutation(len(pool))[: rng.integers(1, 6)]]
        sampler = Sampler(chain, seed=number)
        kept = sampler.candidates(row, step=1)
        assert (np.diff(kept.logits.astype(np.float64)) <= 0.0).all()
        assert len(set(kept.ids.tolist())) == len(kept) > 0
        for step in range(3):
            if not any(isinstance(one, XTC) for one in chain):
                assert sampler(row, step=step) in kept.ids
        assert sampler(row, step=1) in kept.ids


def test_the_nucleus_says_of_each_id_what_its_cut_says() -> None:
    """Asked one by one or carried out: the same set."""
    rng = np.random.default_rng(4)
    for _ in range(12):
        row = odd_row(rng)
        if row.dtype == np.float16:
            row = row.astype(np.float32)
        heat = float(rng.choice([5e-324, 0.05, 0.7, 2.5, 1e5, 1e300]))
        for p in (1e-9, 0.3, 0.9, 0.999):
            last = find_crossing(Scaled(row, float(row.max()), heat), p).position
            tokens = {*rng.integers(0, row.size, 12).tolist(), last}
            tokens |= {max(last - 1, 0), min(last + 1, row.size - 1)}
            nucleus = Nucleus(BlockedRow(row), p, heat)
            asked = {token: nucleus.holds(token) for token in tokens}
            cut = nucleus.cut()
            for token, held in asked.items():
                if row[token] > -np.inf:
                    assert held == cut.keeps_one(token, float(row[token]))


def test_the_deviation_of_the_largest_numbers_is_a_number() -> None:
    """Their squares are not."""
    values = np.array([1.7e308, -1.7e308])
    assert deviation(values) == pytest.approx(1.7e308)
    assert deviation(values[:1]) == 0.0
    row = np.random.default_rng(0).normal(0.0, 3.0, 40_000).astype(np.float32)
    assert deviation(row) == pytest.approx(float(row.astype(np.float64).std()))
