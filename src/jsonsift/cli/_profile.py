"""``jsonsift profile FILE…``: where the time went."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..batch import find_field
from ..profiling import Place, Profile, profile_replies
from ..report import count
from ._files import find_clash, open_bytes, read_bytes, write_stdout
from ._terminal import FAILED, FOUND, STDIN, Parser, Progress, label, run_guarded, say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["run_profile"]

_DESCRIPTION: Final = """\
Run extraction over replies, and print where the time went.

Each FILE is a reply, or with --field NDJSON with a reply in each line.  Without
a FILE, or for -, it reads standard input.
"""
_PLOTS: Final = (".png", ".svg", ".pdf")
_WIDTH: Final = 28  # of a bar in the table


def run_profile(argv: Sequence[str]) -> int:
    """Run the command with these arguments; its exit status."""
    parser = Parser(
        prog="jsonsift profile",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="replies")
    parser.add_argument(
        "--field",
        metavar="NAME",
        help="the files are NDJSON: which member of a line is the reply",
    )
    parser.add_argument(
        "--repair", choices=("all", "safe", "off"), default="all", help="as in jsonsift"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, not a table")
    parser.add_argument(
        "--plot",
        metavar="FILE",
        help=f"draw time over size to FILE ({', '.join(_PLOTS)})",
    )
    arguments = parser.parse_args(argv)
    arguments.files = arguments.files or [STDIN]
    if arguments.plot is not None:
        _check_plot(parser, arguments.plot)
    if clash := find_clash({"--plot": arguments.plot}, arguments.files):
        parser.error(clash)
    return run_guarded(_Profiling(arguments))


def _check_plot(parser: Parser, name: str) -> None:
    """Refuse what could not be drawn, before anything is measured."""
    if Path(name).suffix.lower() not in _PLOTS:
        listed = ", ".join(_PLOTS)
        parser.error(f"argument --plot: {label(name)} ends in none of {listed}")
    if find_spec("matplotlib") is None:
        parser.error('argument --plot: needs matplotlib: pip install "jsonsift[plot]"')


class _Profiling:
    """One run: the arguments, and the exit status so far."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.status = FOUND

    def run(self) -> None:
        profile = profile_replies(self._read(), repair=self.arguments.repair)
        if self.arguments.json:
            write_stdout(json.dumps(profile.to_dict(), indent=2) + "\n")
        else:
            write_stdout("".join(f"{line}\n" for line in _write_table(profile)))
        if self.arguments.plot is not None and profile.ns:
            self._plot(profile)

    def fail(self, where: str, message: str) -> None:
        self.status = FAILED
        say(f"{label(where)}: {message}")

    def _read(self) -> Iterator[tuple[Place, str | bytes]]:
        """Every reply; the time that passes in here is nobody's."""
        sizes = [_find_size(name) for name in self.arguments.files]
        bar = Progress(sum(sizes), "B")
        done = 0
        try:
            for name, size in zip(self.arguments.files, sizes, strict=True):
                try:
                    for place, reply in self._read_file(name):
                        bar.update(done + place.offset)
                        yield place, reply
                except OSError as error:
                    self.fail(name, error.strerror or str(error))
                done += size
        finally:
            bar.close()

    def _read_file(self, name: str) -> Iterator[tuple[Place, str | bytes]]:
        field = self.arguments.field
        if field is None:
            yield Place(name), read_bytes(name)
            return
        offset = 0
        with open_bytes(name) as file:
            for number, line in enumerate(file, 1):
                reply = _find_reply(line, field)
                if reply is not None:
                    yield Place(name, offset, number), reply
                elif not line.isspace():
                    self.fail(
                        f"{label(name)}:{number}",
                        f"no JSON object whose {field!r} is a text",
                    )
                offset += len(line)

    def _plot(self, profile: Profile) -> None:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        figure, (left, right) = pyplot.subplots(
            1, 2, figsize=(11, 4.5), layout="constrained", width_ratios=(3, 2)
        )
        _plot_calls(left, profile)
        _plot_stages(right, profile)
        try:
            figure.savefig(self.arguments.plot, dpi=150)
        except (OSError, ValueError) as error:  # no such folder; no such format
            self.fail(self.arguments.plot, str(error))
        finally:
            pyplot.close(figure)


def _find_size(name: str) -> int:
    try:
        return os.stat(name).st_size
    except OSError:  # which reading it will report
        return 0


def _find_reply(line: bytes, field: str) -> str | None:
    try:
        reply = find_field(json.loads(line), field, None)
    except (ValueError, RecursionError):
        return None
    return reply if isinstance(reply, str) else None


def _write_table(profile: Profile) -> Iterator[str]:
    total, size = sum(profile.ns), sum(profile.sizes)
    yield f"{count(len(profile.ns), 'reply').replace('replys', 'replies')}, " + (
        f"{size:,} characters or bytes, {total / 1e6:,.2f} ms"
        + (f", {size * 1e3 / total:,.1f} MB/s" if total else "")
    )
    if not profile.ns:
        return
    yield ""
    yield "stage           ms   share       runs            size"
    spent = {stage: time.ns for stage, time in profile.stages.items()}
    rest = max(0, total - sum(spent.values()))
    for stage, time in profile.stages.items():
        bar = "▇" * round(_WIDTH * time.ns / total)
        yield (
            f"{stage:9} {time.ns / 1e6:9,.2f}  {time.ns / total:6.1%}  "
            f"{time.runs:9,}  {time.size:14,}  {bar}".rstrip()
        )
    yield f"{'the rest':9} {rest / 1e6:9,.2f}  {rest / total:6.1%}"
    yield ""
    per_call, per_size = profile.find_percentiles(), profile.find_percentiles(True)
    yield "percentile   µs a reply   ns a character"
    for percent, ns in per_call.items():
        yield f"{percent:9}%   {ns / 1e3:10,.1f}   {per_size[percent]:14,.1f}"
    for name, counter in (("outcome", profile.outcomes), ("repair", profile.edits)):
        if counter:
            yield ""
            yield f"{name:20} {'count':>9}"
            yield from (f"{key:20} {n:9,}" for key, n in counter.most_common())
    yield ""
    yield "slowest     µs      size  outcome   where"
    for slow in profile.slowest:
        place = slow.place
        where = f"{label(place.file)}:{place.line} (byte {place.offset})"
        yield f"{slow.ns / 1e3:14,.1f}  {slow.size:8,}  {slow.outcome:8}  {where}"


def _plot_calls(axes: Axes, profile: Profile) -> None:
    sizes = [max(size, 1) for size in profile.sizes]
    axes.loglog(sizes, [ns / 1e3 for ns in profile.ns], ".", alpha=0.4, color="#1f6feb")
    axes.set(xlabel="size of the reply", ylabel="µs", title="Each reply")
    axes.grid(visible=True, which="both", alpha=0.2)


def _plot_stages(axes: Axes, profile: Profile) -> None:
    names = list(reversed(profile.stages))
    axes.barh(names, [profile.stages[name].ns / 1e6 for name in names], color="#1f6feb")
    axes.set(xlabel="ms", title="Stages, all replies together")
