"""How much of damaged JSON comes back: python -m tests.damage --help"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from . import peers
from .operators import OPERATORS
from .trials import Tally, draw_cases, draw_pairs, run, run_harm, run_pairs

_PAIRS = 10_000
_HARD = 20_000


def _parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.damage", description=__doc__)
    parser.add_argument("--documents", type=int, help="how many a row (2,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--operator", action="append", help="only these rows")
    parser.add_argument(
        "--show", type=int, default=0, help="failing examples a row, the shortest first"
    )
    parser.add_argument("--pairs", action="store_true", help="two damages at once")
    parser.add_argument("--harm", action="store_true", help="what must stay as it was")
    parser.add_argument("--peers", action="store_true", help="other libraries beside")
    parser.add_argument("--list", action="store_true", help="what each operator does")
    parser.add_argument("--json", type=Path, help="write the figures there, too")
    options = parser.parse_args(arguments)
    unknown = set(options.operator or ()) - set(OPERATORS)
    if unknown:
        parser.error(f"no such operator: {', '.join(sorted(unknown))}")
    return options


def _tallies(options: argparse.Namespace) -> Iterator[Tally]:
    seed = options.seed
    if options.pairs:
        yield run_pairs(draw_pairs(options.documents or _PAIRS, seed))
    elif options.harm:
        yield from run_harm(options.documents or _HARD, seed)
    else:
        for name in options.operator or OPERATORS:
            cases = draw_cases(OPERATORS[name], options.documents or 2_000, seed)
            yield run(name, cases)


def _print_rows(tallies: Iterable[Tally], show: int) -> list[dict[str, Any]]:
    """The table, row by row as they come: that is the progress, too."""
    print(f"{'':40}{'documents':>10}{'wrong':>7}{'recovered':>11}{'s':>7}")
    rows = []
    start = time.perf_counter()
    for tally in tallies:
        seconds = time.perf_counter() - start
        wrong = len(tally.failures)
        print(
            f"{tally.name:40}{tally.count:10}{wrong:7}"
            f"{tally.share:10.2f}%{seconds:7.1f}",
            flush=True,
        )
        for failure in sorted(tally.failures, key=lambda one: len(one.text))[:show]:
            print(f"    {failure.name}\n      text {failure.text!r}")
            print(f"      got  {failure.got!r}\n      not  {failure.expected!r}")
        rows.append({"name": tally.name, "documents": tally.count, "wrong": wrong})
        start = time.perf_counter()
    return rows


def main(arguments: list[str]) -> int:
    """Print what was asked for."""
    options = _parse_arguments(arguments)
    if options.list:
        for name, operator in OPERATORS.items():
            print(f"{name:40}{operator.family.name.lower():10}{operator.meaning}")
        return 0
    if options.peers:
        names = options.operator or list(OPERATORS)
        rows = peers.compare(
            names, options.documents or 200, options.seed, options.show
        )
    else:
        rows = _print_rows(_tallies(options), options.show)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
