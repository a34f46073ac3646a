"""What every command says to a person, and how it ends.

Rules of this file: it reads no replies.  Values go to stdout, everything else to
stderr, and nothing that a stream or an argument does may end in a traceback.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from contextlib import suppress
from time import monotonic
from typing import Any, Final, NoReturn, Protocol

__all__ = [
    "FAILED",
    "FOUND",
    "STDIN",
    "Command",
    "Parser",
    "Progress",
    "label",
    "paint",
    "run_guarded",
    "say",
    "word_for_command",
]

FOUND: Final = 0
FAILED: Final = 1
INTERRUPTED: Final = 130  # what a shell reports for Ctrl-C
STDIN: Final = "-"

_OPTION: Final = re.compile(r"\b(repair|reasoning)=['\"](\w+)['\"]")
_EVERY: Final = 0.1  # seconds between two states of a progress line


class Command(Protocol):
    """One run of a command."""

    status: int

    def run(self) -> None:
        """Do it."""

    def fail(self, where: str, message: str) -> None:
        """Say what went wrong, and remember it in the status."""


def run_guarded(command: Command) -> int:
    """Run it to its end, whatever happens to the streams; its exit status."""
    try:
        command.run()
        flush_streams()
    except BrokenPipeError:  # the reader has seen enough: `jsonsift … | head -1`
        silence(sys.stdout)
        silence(sys.stderr)
    except OSError as error:  # a full disk, for one; files have their own handling
        command.fail("<stdout>", error.strerror or str(error))
        silence(sys.stdout)
    except KeyboardInterrupt:
        return INTERRUPTED
    return command.status


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        say(f"{message} ({self.prog} --help lists the options)")
        raise SystemExit(2)


def say(message: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"jsonsift: {message}\n")


def label(name: str) -> str:
    """A file's name as messages show it, safe for a terminal."""
    if name == STDIN:
        return "<stdin>"
    return name if name.isprintable() else repr(name)


def word_for_command(message: str) -> str:
    """A message of the library, the options in it as they are given here."""
    return _OPTION.sub(r"--\1 \2", message)


def paint(text: str, colour: str) -> str:
    environ = os.environ
    plain = environ.get("NO_COLOR") or environ.get("TERM") == "dumb"
    if plain or not sys.stderr.isatty():
        return text
    return f"\x1b[{colour}m{text}\x1b[0m"


def flush_streams() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def silence(stream: Any) -> None:
    """Let nothing be written to it any more, also not by the interpreter as it ends."""
    with suppress(OSError, ValueError, AttributeError):  # closed, or not of the system
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class Progress:
    """A line on the terminal with share, rate and time left; none elsewhere."""

    def __init__(self, total: int, unit: str, start: int = 0) -> None:
        self._total = total
        self._unit = unit
        self._began = monotonic()
        self._drawn = 0.0
        self._start = start  # what an earlier run has done says nothing of the rate
        terminal = sys.stderr is not None and sys.stderr.isatty()
        self._shown = terminal and os.environ.get("TERM") != "dumb"

    def update(self, done: int, note: str = "") -> None:
        """Show how far it is, if it is time to."""
        now = monotonic()
        if not self._shown or now - self._drawn < _EVERY:
            return
        self._drawn = now
        sys.stderr.write(f"\r\x1b[K{self._describe(done, now - self._began)}{note}")
        sys.stderr.flush()

    def close(self) -> None:
        """Take the line away."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _describe(self, done: int, seconds: float) -> str:
        share = done / self._total if self._total else 1.0
        filled = int(24 * share)
        rate = (done - self._start) / seconds if seconds > 0 else 0.0
        left = (self._total - done) / rate if rate > 0 else 0.0
        bar = "━" * filled + "╌" * (24 - filled)
        return (
            f"{bar} {share:4.0%}  {_scale(done)} of {_scale(self._total)} {self._unit}"
            f"  {_scale(rate)}/s  {_clock(left)} left"
        )


def _scale(number: float) -> str:
    """``950``, ``12.3 k``, ``4.5 M``."""
    for factor, sign in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= factor:
            return f"{number / factor:.1f}{sign}"
    return f"{number:.0f}"


def _clock(seconds: float) -> str:
    """``0:07``, ``12:34``, ``1:02:03``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
