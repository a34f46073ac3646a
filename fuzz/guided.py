"""All questions on texts that are evolved by the lines of ours that they reach.

    pip install atheris
    python -m fuzz.guided --seconds 600 --texts FOLDER

Optional: the engine, libFuzzer in atheris, is not to be had on every machine.  It sees
the lines of the plain build and ends the process itself, so this is no subcommand.  It
stops at the first text that breaks a promise, names the question and keeps the text.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import Final

__all__ = ["main"]

_MOST_BYTES: Final = 2_000  # long texts are slow to ask about, and no richer


def _parse(arguments: list[str] | None) -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(
        prog="python -m fuzz.guided",
        description="Other options are libFuzzer's own: -help=1 lists them.",
    )
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--texts", type=Path, help="to go on with, and for new ones")
    return parser.parse_known_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    """Ask until a promise is broken or the time is over; the process ends here."""
    options, others = _parse(arguments)
    os.environ["JSONSIFT_BUILD"] = "pure"
    import atheris

    with atheris.instrument_imports(include=["jsonsift"]):
        from . import cases, oracles

    def ask(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        for oracle in oracles.QUICK:
            if message := oracles.fails(oracle, text):
                raise AssertionError(f"{oracle.__name__}: {message}\n  {text!r}")

    with tempfile.TemporaryDirectory() as folder:
        for number, reply in enumerate(cases.read_replies()):
            Path(folder, f"{number}.txt").write_text(reply, encoding="utf-8")
        folders = [folder]
        if options.texts is not None:
            options.texts.mkdir(parents=True, exist_ok=True)
            folders.insert(0, str(options.texts))  # new ones go to the first
        limits = [f"-max_total_time={options.seconds}", f"-max_len={_MOST_BYTES}"]
        atheris.Setup([sys.argv[0], *limits, *others, *folders], ask)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
