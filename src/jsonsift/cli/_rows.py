"""``jsonsift --jsonl FILE --field NAME --out FILE``: a file of replies to rows."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Final

from .._errors import JSONSiftError
from ..batch import extract_file
from ..report import count
from ._terminal import FAILED, FOUND, Progress, label, run_guarded, say

__all__ = ["run_rows"]

_OPTIONS: Final = ("repair", "reasoning")


def run_rows(arguments: argparse.Namespace) -> int:
    """Run the command; its exit status is 0 when the target was written."""
    return run_guarded(_Rows(arguments))


class _Rows:
    """One run: the arguments, and the exit status so far."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.status = FOUND
        self._bar: Progress | None = None

    def run(self) -> None:
        arguments = self.arguments
        options = {name: getattr(arguments, name) for name in _OPTIONS}
        options["pick"] = arguments.pick or "best"
        try:
            summary = extract_file(
                arguments.jsonl,
                arguments.out,
                field=arguments.field,
                keep=arguments.keep,
                workers=arguments.workers,
                overwrite=arguments.overwrite,
                progress=self._tell,
                **options,
            )
        except OSError as error:
            name = error.filename if isinstance(error.filename, str) else arguments.out
            self.fail(name, error.strerror or str(error))
            return
        except JSONSiftError as error:
            self.fail(arguments.out, str(error))
            return
        finally:
            if self._bar is not None:
                self._bar.close()
        say(f"{label(arguments.out)}: {_describe(summary.statuses)}")

    def fail(self, where: str, message: str) -> None:
        self.status = FAILED
        say(f"{label(where)}: {message}")

    def _tell(self, done: int, total: int, statuses: Counter[str]) -> None:
        if self._bar is None:  # the first time, with what an earlier run has done
            self._bar = Progress(total, "B", done)
        self._bar.update(done, f"  {statuses.total():,} rows")


def _describe(statuses: Counter[str]) -> str:
    """``3 rows: 2 valid, 1 repaired``."""
    rows = count(statuses.total(), "row")
    shares = ", ".join(f"{number} {name}" for name, number in statuses.most_common())
    return f"{rows}: {shares}" if shares else rows
