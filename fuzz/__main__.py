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
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jsonsift._build import BUILD
from jsonsift.linear import Family, catalogue, find_family

try:
    from . import canaries, cases, growth, oracles, peers, plot, redos, search, subjects
    from .report import write_json
except ModuleNotFoundError as error:
    sys.exit(f"{error}: pip install -e '.[fuzz]'")

__all__ = ["main"]


def _read_family(name: str) -> Family:
    """The argument of ``--family``."""
    try:
        return find_family(name)
    except KeyError as error:
        raise argparse.ArgumentTypeError(error.args[0]) from None


def _read_target(name: str) -> tuple[str, str]:
    """The argument of ``--target``: one of ours by its name, or module:function."""
    target = subjects.find_targets().get(name, name)
    try:
        subjects.load_target(target)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return name, target


def _read_path(name: str) -> Path:
    """Where a file is written in the end: that it cannot be is told before."""
    path = Path(name)
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {path.parent}")
    return path


def _read_picture(name: str) -> Path:
    """The argument of ``--plot``."""
    path = _read_path(name)
    if path.suffix not in (".png", ".svg", ".pdf"):
        raise argparse.ArgumentTypeError(f"{name}: no .png, .svg or .pdf")
    return path


def _read_positive(kind: type, least: float = 0) -> Callable[[str], Any]:
    """The argument of an option that is a number above 0, or no less than another."""

    def read(text: str) -> Any:
        number = kind(text)
        if number <= 0 or number < least:
            raise argparse.ArgumentTypeError(f"{text} is too little")
        return number

    read.__name__ = kind.__name__  # which argparse names
    return read


def _choose_families(options: argparse.Namespace) -> list[Family]:
    return options.family or list(catalogue())


def _choose_targets(options: argparse.Namespace) -> dict[str, str]:
    """What ``--target`` names, or else all calls of ours."""
    return dict(options.target) or subjects.find_targets()


def _run_growth(options: argparse.Namespace) -> tuple[Any, bool]:
    families, targets = _choose_families(options), _choose_targets(options)
    build = options.build or BUILD
    most = options.largest or (1_048_576 if build == "pure" else growth.SIZES[-1])
    if options.memory:
        if options.limit is not None or options.plot is not None:
            raise SystemExit(
                "--memory times nothing: it takes no --limit and no --plot"
            )
        return growth.run_memory(targets, families, most, options.seconds, build)
    sizes = [size for size in growth.SIZES if size <= most]
    rows, clean = growth.run(
        targets, families, sizes, options.seconds, build, options.limit or growth.LIMIT
    )
    if options.plot is not None:
        plot.draw(rows, options.plot, f"CPU time, {len(families)} families, {build}")
    return [row.to_json() for row in rows], clean


def _run_peers(options: argparse.Namespace) -> tuple[Any, bool]:
    families = _choose_families(options)
    rows = peers.run(families, options.seconds)
    if options.plot is not None:
        plot.draw(rows, options.plot, f"CPU time on {len(families)} families")
    return [row.to_json() for row in rows], True


def _run_search(options: argparse.Namespace) -> tuple[Any, bool]:
    targets = _choose_targets(options)
    return search.run(
        targets, options.seconds, options.seed, options.state, options.keep
    )


def _run_oracles(options: argparse.Namespace) -> tuple[Any, bool]:
    return oracles.run(options.seconds, options.seed)


def _run_redos(options: argparse.Namespace) -> tuple[Any, bool]:
    return redos.run(options.seconds, options.seed)


def _run_all(options: argparse.Namespace) -> tuple[Any, bool]:
    """Every question with its own defaults, the time divided between them."""
    results: dict[str, Any] = {}
    clean = True
    names = ("canaries", "redos", "growth", "search", "oracles", "peers")
    for name in names:
        arguments = [name]
        if name != "canaries":
            arguments += ["--seconds", str(options.seconds / (len(names) - 1))]
        if name in ("search", "oracles", "redos"):
            arguments += ["--seed", str(options.seed)]
        print(f"\n# {name}\n", flush=True)
        chosen = _make_parser().parse_args(arguments)
        results[name], passed = chosen.run(chosen)
        clean = clean and passed
    return results, clean


def _run_canaries(options: argparse.Namespace) -> tuple[Any, bool]:
    rows = canaries.run(options.runs, options.load, options.share)
    return rows, all(row["right"] == row["runs"] for row in rows)


def _write_catalogue(options: argparse.Namespace) -> tuple[Any, bool]:
    families = cases.write_catalogue()
    print(f"{len(families)} families")
    return [family.name for family in families], True


def _add_target(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--target", action="append", default=[], type=_read_target,
        metavar="MODULE:FUNCTION", help="in the place of all calls of ours",
    )  # fmt: skip


def _add_measuring(command: argparse.ArgumentParser, seconds: float) -> None:
    add = command.add_argument
    add("--family", action="append", default=[], type=_read_family, metavar="NAME",
        help="in the place of the whole catalogue")  # fmt: skip
    add("--seconds", type=_read_positive(float), default=seconds)
    add("--plot", type=_read_picture, metavar="FILE.png",
        help="lines of time against size")  # fmt: skip


def _add_time(command: argparse.ArgumentParser, seconds: float) -> None:
    command.add_argument("--seconds", type=_read_positive(float), default=seconds)
    command.add_argument("--seed", type=int, default=0)


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)

    command = commands.add_parser("growth")
    command.add_argument(
        "--largest", type=_read_positive(int, growth.SIZES[1]), metavar="CHARACTERS"
    )
    command.add_argument("--memory", action="store_true", help="memory instead")
    command.add_argument(
        "--limit", type=_read_positive(float), metavar="SECONDS",
        help="of one call; larger sizes are left out where it would take longer",
    )  # fmt: skip
    _add_target(command)
    command.add_argument(
        "--build", choices=("pure", "compiled"), help="in the place of the loaded one"
    )
    _add_measuring(command, seconds=7_200)
    command.set_defaults(run=_run_growth)

    command = commands.add_parser("peers")
    _add_measuring(command, seconds=7_200)
    command.set_defaults(run=_run_peers)

    command = commands.add_parser("search")
    _add_time(command, seconds=1_800)
    _add_target(command)
    command.add_argument(
        "--state", type=_read_path, metavar="FILE", help="to go on with"
    )
    command.add_argument("--keep", type=Path, metavar="FOLDER", help="for the finds")
    command.set_defaults(run=_run_search)

    for name, run in (("oracles", _run_oracles), ("redos", _run_redos)):
        command = commands.add_parser(name)
        _add_time(command, seconds=1_800)
        command.set_defaults(run=run)

    command = commands.add_parser("all")
    _add_time(command, seconds=7_200)
    command.set_defaults(run=_run_all)

    command = commands.add_parser("canaries")
    add = command.add_argument
    add("--runs", type=_read_positive(int), default=1, help="of all, one by one")
    add("--load", type=int, default=0, metavar="PROCESSES",
        help="so many that do nothing but keep a processor busy")  # fmt: skip
    add("--share", type=_read_positive(int), default=10, metavar="N",
        help="a linear function is tried on every Nth family")  # fmt: skip
    command.set_defaults(run=_run_canaries)

    command = commands.add_parser("catalogue")
    command.set_defaults(run=_write_catalogue)

    for command in commands.choices.values():
        command.add_argument("--json", type=_read_path, metavar="FILE")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run one subcommand; 1 when it found something."""
    options = _make_parser().parse_args(arguments)
    results, clean = options.run(options)
    write_json(options.json, results)
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
