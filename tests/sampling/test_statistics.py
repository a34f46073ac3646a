"""Draws have the distribution they should have, and the tests would notice.

Every cell (an operation, a shape, a size) draws ids and compares them with
float64 softmax restricted to the reference's set, by four tests (goodness.py).
A test rejects at p < LEVEL. With the number of p-values here, all from fixed
seeds, a right sampler would see a rejection for about one choice of seeds in
FALSE_ALARM (checked below).

The slow test repeats cells with 200 seeds and bounds the number of rejections at
p < 0.01 by the 99.9 % quantile of its binomial distribution.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped,unused-ignore]

from jsonsift.sampling import (
    XTC,
    Candidates,
    MinP,
    Sampler,
    SeededStream,
    Temperature,
    TopK,
    TopNSigma,
    TopP,
    TypicalP,
    gumbel_max,
    min_p,
    sample,
    top_k,
    top_n_sigma,
    top_p,
    typical_p,
    xtc,
)
from jsonsift.sampling._steps import Turn

from . import reference
from .goodness import p_values
from .shapes import Row, make

LEVEL = 1e-5
FALSE_ALARM = 50
DRAWS = 40_000
SIZES = (1000, 5003, 151_936)
STATISTIC_SHAPES = ("lm", "normal3", "normal1", "flat", "peaked", "ties", "masked")

T = 0.8
CHAIN = (Temperature(T), TopK(50), TopP(0.9), MinP(0.05))

Draw = Callable[[Row, np.random.Generator, int], np.ndarray]
Chances = Callable[[Row], np.ndarray]


def chain_draw(sampler: Sampler) -> Draw:
    """Return many draws of one narrowed row, as a call makes each of them."""

    def draw(row: Row, rng: np.random.Generator, n: int) -> np.ndarray:
        return sampler._narrowed(row, Turn(0, 0, None, rng)).draw(rng, n)

    return draw


def function_draw(keep: Callable[[Row], Candidates]) -> Draw:
    return lambda row, rng, n: keep(row).sample_many(n, rng=rng)


def restricted(row: Row, kept: np.ndarray, temperature: float) -> np.ndarray:
    chances = np.zeros(row.size)
    weights = np.exp(reference.exponents(row, temperature)[kept])
    chances[kept] = weights / weights.sum()
    return chances


def hf_chances(row: Row) -> np.ndarray:
    """T, then k (ties kept), then p and min-p of what is left."""
    kept = reference.top_k(row, 50, "all")
    kept = kept[reference.top_p(row[kept], 0.9, T)]
    kept = kept[reference.min_p(row[kept], 0.05, T)]
    return restricted(row, kept, T)


def vllm_chances(row: Row) -> np.ndarray:
    """T, then min-p of the whole row, then k and p of what is left."""
    kept = reference.min_p(row, 0.05, T)
    kept = kept[reference.top_k(row[kept], 50, "all")]
    kept = kept[reference.top_p(row[kept], 0.9, T)]
    return restricted(row, kept, T)


def llamacpp_chances(row: Row) -> np.ndarray:
    """k exactly, then p and min-p at temperature 1, and T last."""
    kept = reference.top_k(row, 50)
    kept = kept[reference.top_p(row[kept], 0.9)]
    kept = kept[reference.min_p(row[kept], 0.05)]
    return restricted(row, kept, T)


def minp_typical_chances(row: Row) -> np.ndarray:
    kept = np.sort(reference.min_p(row, 0.02, T))
    return restricted(row, kept[reference.typical_p(row[kept], 0.8, T, "all")], T)


def cell(kept: Callable[[Row], np.ndarray], temperature: float = T) -> Chances:
    return lambda row: restricted(row, kept(row), temperature)


OPERATIONS: dict[str, tuple[Draw, Chances]] = {
    "sample": (
        lambda row, rng, n: sample(row, T, rng=rng, n=n),
        lambda row: reference.probabilities(row, T),
    ),
    "sample-hot": (
        lambda row, rng, n: sample(row, 3.0, rng=rng, n=n),
        lambda row: reference.probabilities(row, 3.0),
    ),
    "sample-seeded": (
        lambda row, rng, n: sample(row, T, rng=int(rng.integers(2**63)), n=n),
        lambda row: reference.probabilities(row, T),
    ),
    "plain-chain": (
        chain_draw(Sampler([Temperature(T)])),
        lambda row: reference.probabilities(row, T),
    ),
    "top_k": (
        function_draw(lambda row: top_k(row, 20)),
        cell(lambda row: reference.top_k(row, 20), 1.0),
    ),
    "TopK": (
        chain_draw(Sampler([Temperature(T), TopK(300)])),
        cell(lambda row: reference.top_k(row, 300)),
    ),
    "top_p": (
        function_draw(lambda row: top_p(row, 0.9, T)),
        cell(lambda row: reference.top_p(row, 0.9, T)),
    ),
    "TopP": (
        chain_draw(Sampler([Temperature(T), TopP(0.9)])),
        cell(lambda row: reference.top_p(row, 0.9, T)),
    ),
    "min_p": (
        function_draw(lambda row: min_p(row, 0.05, T)),
        cell(lambda row: reference.min_p(row, 0.05, T)),
    ),
    "MinP": (
        chain_draw(Sampler([Temperature(T), MinP(0.05)])),
        cell(lambda row: reference.min_p(row, 0.05, T)),
    ),
    "typical_p": (
        function_draw(lambda row: typical_p(row, 0.9, T, ties="all")),
        cell(lambda row: reference.typical_p(row, 0.9, T, "all")),
    ),
    "TypicalP": (
        chain_draw(Sampler([Temperature(T), TypicalP(0.9, ties="all")])),
        cell(lambda row: reference.typical_p(row, 0.9, T, "all")),
    ),
    "top_n_sigma": (
        function_draw(lambda row: top_n_sigma(row, 1.3)),
        cell(lambda row: reference.top_n_sigma(row, 1.3), 1.0),
    ),
    "TopNSigma": (
        chain_draw(Sampler([Temperature(T), TopNSigma(1.3)])),
        cell(lambda row: reference.top_n_sigma(row, 1.3)),
    ),
    "xtc": (
        function_draw(lambda row: xtc(row, 0.05, 1.0, T)),
        cell(lambda row: reference.xtc(row, 0.05, T)),
    ),
    "XTC": (
        chain_draw(Sampler([Temperature(T), XTC(0.05, 1.0)])),
        cell(lambda row: reference.xtc(row, 0.05, T)),
    ),
    "hf": (chain_draw(Sampler(CHAIN, order="hf")), hf_chances),
    "vllm": (chain_draw(Sampler(CHAIN, order="vllm")), vllm_chances),
    "llamacpp": (chain_draw(Sampler(CHAIN, order="llamacpp")), llamacpp_chances),
    "minp-typical": (
        chain_draw(Sampler([Temperature(T), MinP(0.02), TypicalP(0.8, ties="all")])),
        minp_typical_chances,
    ),
}


def values_of(
    operation: str, shape: str, size: int, seed: int, draws: int = DRAWS
) -> dict[str, float]:
    draw, chances = OPERATIONS[operation]
    row = make(shape, size, seed)
    rng = np.random.default_rng([zlib.crc32(operation.encode()), size, seed])
    return p_values(draw(row, rng, draws), chances(row), rng)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_draws_fit(operation: str, size: int) -> None:
    """Every operation, shape and size draws from its float64 distribution."""
    for shape in STATISTIC_SHAPES:
        found = values_of(operation, shape, size, seed=1)
        assert min(found.values()) > LEVEL, (shape, found)


def test_false_alarms_are_as_rare_as_stated() -> None:
    """The stated rate follows from the number of p-values and their level."""
    number = len(OPERATIONS) * len(STATISTIC_SHAPES) * len(SIZES) * 4
    # Those of single draws, and a few others.
    number += (len(SINGLE) * 5 + 10) * 4
    assert number * LEVEL < 1.0 / FALSE_ALARM


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shape", ["lm", "normal3"])
def test_a_temperature_error_of_two_percent_is_rejected(shape: str, size: int) -> None:
    """The negative control: the same tests, a sampler 2 % too warm."""
    row = make(shape, size, 1)
    rng = np.random.default_rng(size)
    drawn = sample(row, T * 1.02, rng=rng, n=DRAWS)
    found = p_values(drawn, reference.probabilities(row, T), rng)
    assert found["mean"] < LEVEL, found


def test_a_dropped_block_is_rejected() -> None:
    """A second control: one position in 64 that is never drawn."""
    row = make("flat", 5003, 1)
    rng = np.random.default_rng(5)
    drawn = sample(row, T, rng=rng, n=DRAWS)
    found = p_values(drawn[drawn % 64 != 3], reference.probabilities(row, T), rng)
    assert found["scattered"] < LEVEL, found


def top_p_last_chances(row: Row) -> np.ndarray:
    """llama.cpp's order: p and min-p at temperature 1, T last."""
    kept = reference.top_p(row, 0.7)
    return restricted(row, kept[reference.min_p(row[kept], 0.2)], T)


def top_p_min_p_chances(row: Row) -> np.ndarray:
    kept = reference.top_p(row, 0.6, T)
    return restricted(row, kept[reference.min_p(row[kept], 0.05, T)], T)


SINGLE: dict[str, tuple[Callable[..., np.ndarray], Chances]] = {
    "sample": (
        lambda rows, rng: sample(rows, T, rng=rng),
        lambda row: reference.probabilities(row, T),
    ),
    "plain-chain": (
        Sampler([Temperature(T)]),
        lambda row: reference.probabilities(row, T),
    ),
    "TopP": (
        Sampler([Temperature(T), TopP(0.6)]),
        cell(lambda row: reference.top_p(row, 0.6, T)),
    ),
    # Small enough that the nucleus is carried out after three refusals.
    "small-TopP": (
        Sampler([Temperature(T), TopP(0.1)]),
        cell(lambda row: reference.top_p(row, 0.1, T)),
    ),
    "TopP-MinP": (
        Sampler([Temperature(T), TopP(0.6), MinP(0.05)]),
        top_p_min_p_chances,
    ),
    "TopP-MinP-T": (
        Sampler([TopP(0.7), MinP(0.2), Temperature(T)], order="llamacpp"),
        top_p_last_chances,
    ),
}


@pytest.mark.parametrize("shape", ["normal3", "normal1", "flat", "ties", "masked"])
@pytest.mark.parametrize("call", SINGLE)
def test_single_draws_fit(call: str, shape: str) -> None:
    """Calls that draw once, on their own path, have the same distribution."""
    draw, chances = SINGLE[call]
    row = make(shape, 5003, 2)
    batch = np.broadcast_to(row, (500, row.size))
    rng = np.random.default_rng(zlib.crc32(f"{call} {shape}".encode()))
    drawn = np.concatenate([draw(batch, rng=rng) for _ in range(20)])
    found = p_values(drawn, chances(row), rng)
    assert min(found.values()) > LEVEL, found


def test_seeded_single_draws_fit() -> None:
    """So have draws of which each takes its numbers from (seed, step)."""
    row = make("normal1", 5003, 2)
    batch = np.broadcast_to(row, (500, row.size))
    for number, sampler in enumerate(
        (Sampler([Temperature(T)], seed=11), Sampler([Temperature(T)], seed=range(500)))
    ):
        drawn = np.concatenate([sampler(batch, step=step) for step in range(20)])
        rng = np.random.default_rng(number)
        found = p_values(drawn, reference.probabilities(row, T), rng)
        assert min(found.values()) > LEVEL, found


@pytest.mark.parametrize("shape", ["normal3", "peaked", "ties"])
def test_gumbel_max_fits(shape: str) -> None:
    """The textbook version, whose noise comes from uniforms."""
    row = make(shape, 300, 2)
    batch = np.broadcast_to(row, (5000, row.size))
    rng = np.random.default_rng(3)
    drawn = np.concatenate([gumbel_max(batch, T, rng=rng) for _ in range(4)])
    found = p_values(drawn, reference.probabilities(row, T), rng)
    assert min(found.values()) > LEVEL, found


def test_hopeless_bounds_still_fit() -> None:
    """A cut through equal logits refuses nearly every proposal: the way out."""
    row = make("equal", 20_011)
    kept = reference.top_p(row, 0.0002)
    assert kept.size == 5
    narrowed = Sampler([TopP(0.0002)])._narrowed(
        row, Turn(0, None, None, np.random.default_rng(0))
    )
    rng = np.random.default_rng(7)
    drawn = np.array([narrowed.draw_one(rng) for _ in range(300)])
    chances = restricted(row, kept, 1.0)
    assert min(p_values(drawn, chances, rng).values()) > LEVEL


def test_xtc_happens_as_often_as_asked() -> None:
    """A chain with XTC at 30 % is the mixture of both distributions."""
    row = make("lm", 1000, 4)
    sampler = Sampler([Temperature(T), XTC(0.05, 0.3)])
    batch = np.broadcast_to(row, (1000, row.size))
    rng = np.random.default_rng(6)
    drawn = np.concatenate([sampler(batch, rng=rng) for _ in range(10)])
    left = restricted(row, reference.xtc(row, 0.05, T), T)
    mixture = 0.3 * left + 0.7 * reference.probabilities(row, T)
    assert min(p_values(drawn, mixture, rng).values()) > LEVEL


def test_streams_are_uniform_and_independent() -> None:
    """SeededStream over many seeds and steps: uniform, no pairwise relation."""
    first = np.array([SeededStream(seed).random(2) for seed in range(20_000)])
    steps = np.array([SeededStream(5, step).random(2) for step in range(20_000)])
    for pairs in (first, steps):
        assert stats.kstest(pairs[:, 0], "uniform").pvalue > LEVEL
        cells = (pairs[:, 0] * 16).astype(int) * 16 + (pairs[:, 1] * 16).astype(int)
        assert stats.chisquare(np.bincount(cells, minlength=256)).pvalue > LEVEL
        following = np.floor(pairs[:-1, 0] * 16) * 16 + np.floor(pairs[1:, 0] * 16)
        counts = np.bincount(following.astype(int), minlength=256)
        assert stats.chisquare(counts).pvalue > LEVEL


def test_a_certain_token_is_always_drawn() -> None:
    """What float32 noise gets wrong: a zero makes a random token win."""
    row = np.full(151_936, -30.0, dtype=np.float32)
    row[77] = 30.0
    assert (sample(row, rng=1, n=100_000) == 77).all()


SLOW_OPERATIONS = ("sample", "TopP", "MinP", "TypicalP", "TopK", "hf", "vllm")


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("shape", ["lm", "normal3", "flat", "masked"])
@pytest.mark.parametrize("operation", SLOW_OPERATIONS)
def test_two_hundred_seeds(operation: str, shape: str) -> None:
    """Rejections at 1 % over 200 seeds are no more than chance explains."""
    found = [
        values_of(operation, shape, 5003, seed, draws=10_000) for seed in range(200)
    ]
    for test in ("ordered", "scattered", "mean", "uniform"):
        rejected = sum(one[test] < 0.01 for one in found)
        assert rejected <= stats.binom.ppf(0.999, 200, 0.01), (test, rejected)
