"""What a long run shows: a bar on a terminal, tables on paper, results as JSON.

Where the bar would go to a file, a line a minute goes there in its place.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

__all__ = ["Bar", "clock", "print_table", "track", "write_json"]

_MINUTE: Final = 60.0

T = TypeVar("T")


class Bar(Protocol):
    """Where a long run says how far it is."""

    def __call__(self, done: float, note: str) -> None: ...


@contextmanager
def _progress(title: str, total: float) -> Iterator[Bar]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    console = Console(file=sys.stderr)
    with Progress(*columns, console=console, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(title, total=total, note="")

        said = time.monotonic()

        def show(done: float, note: str) -> None:
            nonlocal said
            bar.update(task, completed=done, note=note)
            if bar.disable and time.monotonic() > said + _MINUTE:
                said = time.monotonic()
                print(f"{title}: {done / total:.0%} {note}", file=sys.stderr)

        yield show


def track(items: Sequence[T], title: str) -> Iterator[T]:
    """The items, with a bar of how many are done."""
    with _progress(title, len(items)) as show:
        for number, item in enumerate(items):
            show(number, "")
            yield item
        show(len(items), "")


class Clock:
    """Counts down the seconds of a run."""

    def __init__(self, seconds: float, show: Bar) -> None:
        self.seconds = seconds
        self.began = time.monotonic()
        self._show = show

    def runs(self, note: str = "") -> bool:
        """Whether there is time left; shows what was done."""
        spent = time.monotonic() - self.began
        self._show(min(spent, self.seconds), note)
        return spent < self.seconds


@contextmanager
def clock(seconds: float, title: str) -> Iterator[Clock]:
    """A run of so many seconds, with a bar of how many are over."""
    with _progress(title, seconds) as show:
        yield Clock(seconds, show)


def print_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A Markdown table, its columns padded so that it reads as plain text too."""
    cells = [list(head), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for number, row in enumerate(cells):
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print(f"| {' | '.join(padded)} |")
        if number == 0:
            print(f"|{'|'.join('-' * (width + 2) for width in widths)}|")


def write_json(path: Path | None, results: Any) -> None:
    """Write the results of a run where ``--json`` says."""
    if path is not None:
        text = json.dumps(results, indent=2, ensure_ascii=True)
        path.write_text(text + "\n", encoding="utf-8")
