"""The command line: ``python -m fuzz SUBCOMMAND``; each is a question.

growth     does the time of our calls, or of --target, grow as the length?
search     which text is the worst? evolved from all families and cases
oracles    does any text break a promise? Hypothesis and mutated cases
redos      can a pattern of the package be made slow?
canaries   does the gate catch what it must, and nothing else?
peers      how do other libraries grow on the same families?
all        all of these, one after the other
catalogue  write the package's catalogue from corpus/slow
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from . import canaries, cases
from .report import write_json

__all__ = ["main"]


def _run_canaries(options: argparse.Namespace) -> tuple[Any, bool]:
    rows = canaries.run(options.runs, options.load, options.share)
    return rows, all(row["right"] == row["runs"] for row in rows)


def _write_catalogue(options: argparse.Namespace) -> tuple[Any, bool]:
    families = cases.write_catalogue()
    print(f"{len(families)} families")
    return [family.name for family in families], True


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)

    command = commands.add_parser("canaries")
    command.add_argument("--runs", type=int, default=1)
    command.add_argument("--load", type=int, default=0, metavar="PROCESSES")
    command.add_argument("--share", type=int, default=10, metavar="N")
    command.set_defaults(run=_run_canaries)

    command = commands.add_parser("catalogue")
    command.set_defaults(run=_write_catalogue)

    for command in commands.choices.values():
        command.add_argument("--json", type=Path, metavar="FILE")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run one subcommand; 1 when it found something."""
    options = _make_parser().parse_args(arguments)
    results, clean = options.run(options)
    write_json(options.json, results)
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
