"""Count what float32 noise does to Gumbel-max and to the exponential race.

    python -m tests.bench.sampling_noise            # about half a minute

The second part draws from a row in which one token has all the probability but
about 1e-8, with noise made in several ways, and counts draws of another token.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from jsonsift.sampling import gumbel_max, sample, softmax

SIZE = 151_936
_CHUNK = 10_000_000

Row = NDArray[np.float32]


def count_zeros(draws: int, rng: np.random.Generator) -> int:
    """Return how many float32 standard exponentials were exactly 0."""
    zeros = 0
    for start in range(0, draws, _CHUNK):
        count = min(_CHUNK, draws - start)
        noise = rng.standard_exponential(count, dtype=np.float32)
        zeros += count - int(np.count_nonzero(noise))
    return zeros


def gumbel_float32(row: Row, rng: np.random.Generator) -> int:
    """Gumbel noise as -log of float32 exponentials."""
    with np.errstate(divide="ignore"):
        noise = -np.log(rng.standard_exponential(row.size, dtype=np.float32))
    return int((row + noise).argmax())


def race_float32(row: Row, rng: np.random.Generator) -> int:
    """The exponential race: largest probability over float32 exponential."""
    weights = np.exp(row - row.max())
    with np.errstate(divide="ignore", invalid="ignore"):
        return int((weights / rng.standard_exponential(row.size, np.float32)).argmax())


METHODS: dict[str, Callable[[Row, np.random.Generator], int]] = {
    "float32 Gumbel": gumbel_float32,
    "float32 exponential race": race_float32,
    "gumbel_max (float64)": lambda row, rng: int(gumbel_max(row, rng=rng)),
    "sample": lambda row, rng: int(sample(row, rng=rng)),
}


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=300_000_000)
    parser.add_argument("--rows", type=int, default=3000)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    zeros = count_zeros(options.draws, rng)
    rate = zeros / options.draws
    print(f"float32 exponentials that are exactly 0: {zeros} of {options.draws:,}")
    print(f"  so {-np.expm1(-rate * SIZE):.2%} of rows of {SIZE:,} hold one")
    row = np.zeros(SIZE, dtype=np.float32)
    row[SIZE // 2] = 30.0
    due = 1.0 - softmax(row)[SIZE // 2]
    print(f"rows whose likeliest token has all but {due:.1e} of the probability:")
    for name, draw in METHODS.items():
        rng = np.random.default_rng(1)
        wrong = sum(draw(row, rng) != SIZE // 2 for _ in range(options.rows))
        print(f"  {name:26s} {wrong} wrong of {options.rows}")


if __name__ == "__main__":
    main()
