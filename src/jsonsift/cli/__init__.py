"""The command line, one module a command.

    _extract    jsonsift [FILE…]
    _rows       jsonsift --jsonl FILE --field NAME --out FILE

``_terminal`` has what every command says to a person, ``_files`` what it reads and
writes.
"""

from __future__ import annotations

from collections.abc import Sequence

from ._extract import run_extract

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, or those of the process.

    Returns the exit status.

    Raises:
        SystemExit: after ``--help`` and ``--version``, and for wrong arguments.
    """
    return run_extract(argv)
