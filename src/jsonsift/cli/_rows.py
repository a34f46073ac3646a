"""``jsonsift --jsonl FILE --field NAME --out FILE``: a file of replies to rows."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Final

from ..batch import (
    JobError,
    TargetExistsError,
    check_columns,
    check_target,
    extract_file,
)
from ..report import count
from ._files import find_clash
from ._terminal import FAILED, FOUND, STDIN, Progress, label, run_guarded, say

__all__ = ["check_rows", "run_rows"]

_OPTIONS: Final = ("repair", "reasoning", "schema")
_FOUND: Final = {"valid", "coerced", "repaired", "cut"}


def check_rows(arguments: argparse.Namespace) -> str | None:
    """What is wrong with the arguments that only this command has, or None."""
    if arguments.field is None or arguments.out is None:
        return "argument --jsonl: needs --field and --out"
    for option, name in (("--jsonl", arguments.jsonl), ("--out", arguments.out)):
        if name == STDIN:
            return (
                f"argument {option}: needs a FILE other than -, since a run that was "
                "killed goes on in it"
            )
    try:
        check_columns(arguments.keep)
    except ValueError as error:
        return f"argument --keep: {error}"
    try:
        check_target(arguments.out)
    except (ValueError, ImportError) as error:
        return f"argument --out: {label(arguments.out)}: {error}"
    return find_clash({"--out": arguments.out}, [arguments.jsonl])


def run_rows(arguments: argparse.Namespace) -> int:
    """Run the command; its exit status is 0 when every row has a value."""
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
        options["coerce"] = arguments.coerce or "all"
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
        except TargetExistsError:
            self.fail(arguments.out, "exists (--overwrite replaces it)")
            return
        except JobError as error:  # it names the file
            self.status = FAILED
            say(label(str(error)))
            return
        finally:
            if self._bar is not None:
                self._bar.close()
        say(f"{label(arguments.out)}: {_describe(summary.statuses)}")
        if summary.statuses.keys() - _FOUND:
            self.status = FAILED

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
