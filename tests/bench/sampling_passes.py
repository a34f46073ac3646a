"""Time the first passes over a row: what brings it out of memory, and the maxima.

    python -m tests.bench.sampling_passes           # some seconds

In three places: a row in the cache, a row after the caches were emptied, and the
64 rows of a batch one after the other. The best of the rounds counts; only ratios
mean anything.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from tests.sampling.shapes import Row, make

SIZE = 151_936
BLOCK = 64
LINE = 16
BATCH = 64


def block_maxima(row: Row) -> None:
    """Take the maxima alone."""
    np.maximum.reduce(row.reshape(BLOCK, -1), 0)


def argmax(row: Row) -> None:
    """Find the peak."""
    row.argmax()


def lines(row: Row) -> None:
    """Copy one number of each cache line."""
    row[::LINE].copy()


def argmax_first(row: Row) -> None:
    """Find the peak, then take the maxima."""
    row.argmax()
    block_maxima(row)


def lines_first(row: Row) -> None:
    """Touch each cache line, then take the maxima, as BlockedRow does."""
    lines(row)
    block_maxima(row)


PASSES: dict[str, Callable[[Row], None]] = {
    "block maxima": block_maxima,
    "argmax": argmax,
    "cache lines": lines,
    "argmax, then block maxima": argmax_first,
    "cache lines, then block maxima": lines_first,
}


def time_passes(rows: list[Row], rounds: int, flood: Row | None) -> dict[str, float]:
    """Return the microseconds a row of each pass, the best of the rounds."""
    best = dict.fromkeys(PASSES, float("inf"))
    for _ in range(rounds):
        for name, call in PASSES.items():
            if flood is not None:
                flood += 1.0
            elif len(rows) == 1:
                call(rows[0])
            began = time.perf_counter_ns()
            for row in rows:
                call(row)
            spent = (time.perf_counter_ns() - began) / 1e3 / len(rows)
            best[name] = min(best[name], spent)
    return best


def main() -> None:
    """Time and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=60)
    options = parser.parse_args()
    rows = [make("lm", SIZE, seed) for seed in range(BATCH)]
    places = (
        ("in the cache", rows[:1], None),
        ("caches emptied", rows[:1], np.zeros(12 * 1024 * 1024)),
        (f"{BATCH} rows", list(np.stack(rows)), None),
    )
    for place, chosen, flood in places:
        for name, spent in time_passes(chosen, options.rounds, flood).items():
            print(f"{place:16s} {name:32s} {spent:6.1f} us a row")


if __name__ == "__main__":
    main()
