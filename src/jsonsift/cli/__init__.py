"""The command line, one module a command.

    _extract    jsonsift [FILE…]
    _rows       jsonsift --jsonl FILE --field NAME --out FILE
    _profile    jsonsift profile FILE…
    _check      jsonsift check FILE…

``_terminal`` has what every command says to a person, ``_files`` what it reads and
writes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from ._check import run_check
from ._extract import run_extract
from ._profile import run_profile

__all__ = ["main"]

# Words that are no file as the first argument; ./profile is one.
_COMMANDS: Final = {"profile": run_profile, "check": run_check}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, or those of the process.

    Returns the exit status.

    Raises:
        SystemExit: after ``--help`` and ``--version``, and for wrong arguments.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    command = _COMMANDS.get(arguments[0]) if arguments else None
    return command(arguments[1:]) if command else run_extract(arguments)
