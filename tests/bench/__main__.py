"""The race of jsonsift and its peers: python -m tests.bench [--quick].

Every reader reads every reply; who gives a wrong answer is marked and not ranked.
Speeds are megabytes a second in the best round, to be compared within a row.  The
ratios are medians over the rounds, with the quartiles in brackets: jsonsift against
the fastest peer that is right, and against orjson on the valid original.
"""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from .race import Result, ratio, run_race
from .race_table import find_fastest_peer, print_tables
from .readers import OURS, PURE, find_readers
from .shapes import SHAPES, SIZES, make_replies

_QUICK: Final = ("2 KB", "200 KB")
_MARKS: Final = {"wrong": "wrong", "error": "error", "too slow": "slow"}


def _show_ratio(result: Result, one: str, other: str | None) -> str:
    if other is None or not (result.times[one].seconds and result.times[other].seconds):
        return f"{'–':>19}"
    low, middle, high = ratio(result, one, other)
    return f"{middle:6.2f} [{low:5.2f} {high:5.2f}]"


class Table:
    """Prints a row as soon as it was run."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.ours = OURS if OURS in names else PURE
        heads = "".join(f"{name[:11]:>12}" for name in names)
        print(f"{'shape':16}{'size':>7}{heads}{'vs fastest peer':>20}{'vs orjson':>20}")

    def show(self, result: Result) -> None:
        """One reply."""
        reply = result.reply
        cells = ""
        for name in self.names:
            times = result.times[name]
            mark = _MARKS.get(times.verdict, "")
            cells += f"{mark or format(result.speed(name), '.1f'):>12}"
        peer = _show_ratio(result, self.ours, find_fastest_peer(result))
        limit = "orjson" if "orjson" in self.names else None
        over = _show_ratio(result, self.ours, limit)
        print(f"{reply.shape:16}{reply.size:>7}{cells} {peer} {over}", flush=True)


def as_records(results: Sequence[Result]) -> list[dict[str, Any]]:
    """The results as plain values, for a file."""
    return [
        {
            "shape": result.reply.shape,
            "group": result.reply.group,
            "size": result.reply.size,
            "bytes": len(result.reply.text.encode()),
            "fastest peer": find_fastest_peer(result),
            "readers": {
                name: {"verdict": times.verdict, "seconds": times.seconds}
                for name, times in result.times.items()
            },
        }
        for result in results
    ]


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--quick", action="store_true", help="two sizes, few rounds")
    parser.add_argument("--shape", action="append", choices=SHAPES, default=[])
    parser.add_argument("--size", action="append", choices=SIZES, default=[])
    parser.add_argument("--reader", action="append", default=[])
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument(
        "--patience", type=float, default=0.5, help="seconds that a call may take"
    )
    parser.add_argument("--json", type=Path, help="write the samples to this file")
    parser.add_argument("--plot", type=Path, help="draw the picture (Matplotlib)")
    return parser.parse_args()


def main() -> None:
    """Run the race and print it."""
    options = _parse_arguments()
    readers, missing = find_readers(tuple(options.reader))
    sizes = options.size or (_QUICK if options.quick else list(SIZES))
    table = Table(list(readers))
    results = run_race(
        make_replies(options.shape or list(SHAPES), sizes),
        readers,
        rounds=options.rounds or (7 if options.quick else 15),
        patience=options.patience,
        show=table.show,
    )
    print_tables(results)
    if missing:
        print(f"not installed: {', '.join(missing)}")
    if options.json:
        machine = f"{platform.python_implementation()} {platform.python_version()}"
        record = {"python": machine, "results": as_records(results)}
        options.json.write_text(json.dumps(record), encoding="utf-8")
    if options.plot:
        from .race_plot import draw

        draw(as_records(results), options.plot)


if __name__ == "__main__":
    main()
