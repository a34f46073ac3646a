"""``jsonsift check FILE…``: are they JSON?  ``--fix`` mends those that are not.

For hooks of version control: the files are meant to be JSON as a whole, and what is
valid stays as it is, byte for byte.
"""

from __future__ import annotations

import argparse
import codecs
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from .._chars import JSON_SPACE
from .._errors import BrokenJSONError, JSONSiftError, LimitError, NoJSONError
from .._types import CandidateKind, Extraction, Span
from ..api import extract
from ..clean import decode_with_report
from ..report import Places, count, describe_edit, show
from ._files import read_bytes, replace_file
from ._terminal import (
    FAILED,
    FOUND,
    STDIN,
    Parser,
    label,
    run_guarded,
    say,
    word_for_command,
)

__all__ = ["run_check"]

_DESCRIPTION: Final = """\
Say which files are not valid JSON, and why.

Standard input is read when there is no FILE or FILE is -. The whole file must
be one value. With --fix what can be repaired is. The exit status is 1 then too,
as hooks of version control want it.
"""
_SHOWN: Final = 5  # repairs of a file that are said
_LINE_END: Final = re.compile(r"\r?\n\Z")


def run_check(argv: Sequence[str]) -> int:
    """Run the command with these arguments; its exit status."""
    parser = Parser(
        prog="jsonsift check",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="JSON files")
    parser.add_argument("--fix", action="store_true", help="repair them in place")
    parser.add_argument(
        "--repair",
        choices=("all", "safe"),
        default="safe",
        help="repair what has one reading only, or guess too (default: safe)",
    )
    arguments = parser.parse_args(argv)
    if arguments.fix and (STDIN in arguments.files or not arguments.files):
        parser.error("--fix needs a FILE to write to, other than -")
    return run_guarded(_Check(arguments))


class _Check:
    """One run: the arguments, and the exit status so far."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.status = FOUND

    def run(self) -> None:
        for name in self.arguments.files or [STDIN]:
            try:
                self._check(name)
            except OSError as error:
                self.fail(name, error.strerror or str(error))

    def fail(self, where: str, message: str) -> None:
        self.status = FAILED
        say(f"{label(where)}: {message}")

    def _check(self, name: str) -> None:
        data = read_bytes(name)
        decoded = decode_with_report(data)
        text = decoded.text
        if decoded.replaced:
            unread = count(decoded.replaced, "character")
            self.fail(name, f"{unread} could not be read as {decoded.encoding}")
            return
        plain = decoded.encoding == "utf-8" and not data.startswith(codecs.BOM_UTF8)
        found = self._read(name, text)
        if found is None:
            return
        outside = list(_find_outside(found))
        if plain and not found.edits and not outside:
            return
        if not plain:
            self._say_encoding(name, data, decoded.encoding)
        self._say_edits(name, found, outside)
        if self.arguments.fix:
            end = _LINE_END.search(text)
            replace_file(Path(name), f"{found.text}{end[0] if end else ''}".encode())
            say(f"{label(name)}: repaired")

    def _read(self, name: str, text: str) -> Extraction | None:
        """The value that the whole file is, without repairs if it needs none."""
        for repair in ("off", self.arguments.repair):
            try:
                found = extract(text, repair=repair)
            except JSONSiftError as error:
                problem = error
                continue
            if found.kind is CandidateKind.WHOLE:
                return found
            problem = NoJSONError("the file is not one JSON value and nothing else")
        where = label(name)
        if isinstance(problem, (BrokenJSONError, LimitError)):
            where += f":{Places(text).find(problem.pos)}"
        message = problem.msg if isinstance(problem, BrokenJSONError) else str(problem)
        self.status = FAILED
        say(f"{where}: {word_for_command(message)}")
        return None

    def _say_encoding(self, name: str, data: bytes, encoding: str) -> None:
        marked = data.startswith(codecs.BOM_UTF8)
        self.fail(name, "has a byte order mark" if marked else f"is {encoding}")

    def _say_edits(self, name: str, found: Extraction, outside: list[Span]) -> None:
        places, text = Places(found.reply), found.reply
        said = [(edit.start, describe_edit(edit, text)) for edit in found.edits]
        for start, end in outside:
            dropped = show(text[start:end])
            said.append((start, f"dropped {dropped} (it stands outside the value)"))
        for at, what in sorted(said)[:_SHOWN]:
            say(f"{label(name)}:{places.find(at)}: {what}")
        if len(said) > _SHOWN:
            say(f"{label(name)}: and {count(len(said) - _SHOWN, 'repair')} more")
        if said:
            self.status = FAILED


def _find_outside(found: Extraction) -> Iterator[Span]:
    """What stands before and behind the value and is no white space of JSON."""
    text = found.reply
    for start, end in ((0, found.span.start), (found.span.end, len(text))):
        around = text[start:end]
        inner = around.strip(JSON_SPACE)
        if inner:
            at = start + around.index(inner)
            yield Span(at, at + len(inner))
