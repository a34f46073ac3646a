"""``jsonsift [FILE…]``: the value in each file, printed.

Rules of this file: arguments to calls, values to JSON, errors to one line each;
nothing is parsed or repaired here.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from .. import __version__
from .._errors import BrokenJSONError, JSONSiftError, LimitError
from .._types import Extraction, Risk
from ..api import extract, extract_all, extract_json
from ..clean import decode_with_report
from ..report import (
    Entry,
    Places,
    count,
    describe_coercion,
    describe_edit,
    summarize,
    write_page,
)
from ._files import (
    check_encoding,
    find_clash,
    read_bytes,
    replace_file,
    write_stdout,
)
from ._rows import check_rows, run_rows
from ._terminal import (
    FAILED,
    FOUND,
    STDIN,
    Parser,
    label,
    paint,
    run_guarded,
    say,
    word_for_command,
)

__all__ = ["run_extract"]

_BOLD: Final = "1"
_COLOURS: Final = {Risk.SAFE: "32", Risk.CUT: "33", Risk.GUESS: "31"}

_DESCRIPTION: Final = """\
Print the JSON value in a language model's reply.

The reply is read from each FILE, or from standard input when there is none or FILE
is -. The value may stand in prose, in a fence or behind reasoning, and may be
broken: what had to be repaired is shown by --report.
"""
_EPILOG: Final = """\
jsonsift profile FILE… says where the time goes, jsonsift check FILE… which JSON files
are broken; each has a --help of its own.

exit status: 0 when a value was found in every FILE (with --jsonl: in every line), 1
when one held none, could not be read or passed a limit (the others are printed all the
same), 2 when the arguments are wrong.
"""


def run_extract(argv: Sequence[str]) -> int:
    """Run the command with these arguments; its exit status."""
    arguments = _read_arguments(argv)
    if arguments.jsonl is not None:
        return run_rows(arguments)
    return run_guarded(_Command(arguments))


class _Command:
    """One run: the arguments, and the exit status so far."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.status = FOUND
        self._texts: list[str] = []
        self._entries: list[Entry] = []  # for --html
        self._error = ""  # of the file at hand

    def run(self) -> None:
        for name in self.arguments.files or [STDIN]:
            text = self._read(name)
            if text is None:
                continue
            found = self._extract(name, text)
            if self.arguments.html is not None:
                self._entries.append(Entry(label(name), text, found, self._error))
            if found:
                if self.arguments.report:
                    _report(name, text, found)
                self._write(name, "".join(self._format(found)))
        if self._texts:  # --output, when something was found
            self._save(self.arguments.output, "".join(self._texts))
        if self.arguments.html is not None:
            page = io.StringIO()
            write_page(self._entries, page)
            self._save(self.arguments.html, page.getvalue())

    def _read(self, name: str) -> str | None:
        """The text of a file; None when it cannot be read, which is then reported."""
        try:
            data = read_bytes(name)
            decoded = decode_with_report(data, encoding=self.arguments.encoding)
        except OSError as error:
            self.fail(name, error.strerror or str(error))
            return None
        except LookupError as error:
            self.fail(name, str(error))
            return None
        if decoded.replaced:
            replaced = count(decoded.replaced, "character")
            say(f"{label(name)}: {replaced} could not be read as {decoded.encoding}")
        return decoded.text

    def _extract(self, name: str, text: str) -> list[Extraction]:
        self._error = ""
        options = {
            "repair": self.arguments.repair,
            "reasoning": self.arguments.reasoning,
            "schema": self.arguments.schema,
            "coerce": self.arguments.coerce or "all",
        }
        try:
            if self.arguments.all:
                found = extract_all(text, **options)
                if found:
                    return found  # else let extract say why
            return [extract(text, pick=self.arguments.pick or "best", **options)]
        except JSONSiftError as error:
            where, message = _describe_error(name, text, error)
            self.fail(where, message, is_name=False)
            self._error = message
            return []

    def _format(self, found: Iterable[Extraction]) -> Iterator[str]:
        arguments = self.arguments
        for extraction in found:
            value = extraction.value
            split = arguments.lines and not arguments.all and isinstance(value, list)
            for item in value if split else [value]:
                yield _dump(item, arguments) + "\n"

    def _write(self, name: str, text: str) -> None:
        if self.arguments.in_place:
            self._save(name, text)
        elif self.arguments.output is not None:
            self._texts.append(text)
        else:
            write_stdout(text)

    def _save(self, name: str, text: str) -> None:
        try:
            replace_file(Path(name), text.encode())
        except OSError as error:
            self.fail(name, error.strerror or str(error))

    def fail(self, where: str, message: str, *, is_name: bool = True) -> None:
        self.status = FAILED
        say(f"{label(where) if is_name else where}: {message}")


# ------------------------------------------------------------------------ arguments


def _read_arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = _make_parser()
    arguments = parser.parse_args(argv)
    if arguments.in_place and (STDIN in arguments.files or not arguments.files):
        parser.error("--in-place needs a FILE to write to, other than -")
    if arguments.jsonl is None:
        for name in ("field", "out", "keep", "workers", "overwrite"):
            if getattr(arguments, name):
                parser.error(f"argument --{name}: needs --jsonl")
    elif others := _list_unused(arguments):
        parser.error(f"argument --jsonl: not allowed with {', '.join(others)}")
    elif problem := check_rows(arguments):
        parser.error(problem)
    if arguments.coerce is not None and arguments.schema is None:
        parser.error("argument --coerce: needs --schema")
    if arguments.lines and arguments.indent is not None:
        parser.error("argument --indent: not allowed with argument --lines")
    outputs = {"--output": arguments.output, "--html": arguments.html}
    if clash := find_clash(outputs, arguments.files):
        parser.error(clash)
    return arguments


def _list_unused(arguments: argparse.Namespace) -> list[str]:
    """What was given beside --jsonl and would say nothing there."""
    names = ("all", "encoding", "indent", "compact", "lines", "sort_keys", "report")
    given = [
        f"--{name.replace('_', '-')}"
        for name in (*names, "html", "output", "in_place")
        if getattr(arguments, name) not in (None, False)
    ]
    if not arguments.ensure_ascii:
        given.append("--no-ensure-ascii")
    return [*given, "FILE"] if arguments.files else given


def _make_parser() -> Parser:
    parser = Parser(
        prog="jsonsift",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="a model's reply")
    parser.add_argument(
        "--version", action="version", version=f"jsonsift {__version__}"
    )
    _add_reading(parser.add_argument_group("reading"))
    _add_writing(parser.add_argument_group("writing"))
    _add_rows(parser.add_argument_group("many replies in one file"))
    return parser


def _add_reading(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--repair",
        choices=("all", "safe", "off"),
        default="all",
        help="allow all repairs, those with one reading only, or none (default: all)",
    )
    which = group.add_mutually_exclusive_group()
    which.add_argument(
        "--pick",
        choices=("best", "first", "last"),
        help="which value, when there are several (default: best)",
    )
    which.add_argument(
        "--all", action="store_true", help="every value, in reading order"
    )
    group.add_argument(
        "--reasoning",
        choices=("skip", "fallback"),
        default="skip",
        help="skip what stands in reasoning blocks, or take it when there is no JSON "
        "outside (default: skip)",
    )
    group.add_argument(
        "--schema",
        type=_read_schema,
        metavar="FILE",
        help="a JSON Schema: the value that fits it, made to fit by the rules of "
        "docs/schemas.md",
    )
    group.add_argument(
        "--coerce",
        choices=("all", "safe", "off"),
        help="allow all of those rules, those with one reading only, or none "
        "(default: all)",
    )
    group.add_argument(
        "--encoding",
        type=check_encoding,
        metavar="NAME",
        help="the encoding of the input (default: found out)",
    )


def _add_writing(group: argparse._ArgumentGroup) -> None:
    layout = group.add_mutually_exclusive_group()
    layout.add_argument(
        "--indent",
        type=_check_indent,
        metavar="N",
        help="spaces a level (default: 2)",
    )
    layout.add_argument(
        "--compact", action="store_true", help="one line, without spaces"
    )
    group.add_argument(
        "--lines",
        action="store_true",
        help="NDJSON: the items of a list, or with --all the values, one a line",
    )
    group.add_argument("--sort-keys", action="store_true", help="sort keys by name")
    group.add_argument(
        "--no-ensure-ascii",
        dest="ensure_ascii",
        action="store_false",
        help=r"write é as itself, in UTF-8 (default: \u00e9, as json.dumps does)",
    )
    group.add_argument(
        "--report",
        action="store_true",
        help="say on stderr what was found and repaired, and where",
    )
    group.add_argument(
        "--html",
        metavar="FILE",
        help="write a page to FILE that shows the replies and what was repaired",
    )
    target = group.add_mutually_exclusive_group()
    target.add_argument(
        "--output", metavar="FILE", help="write to FILE, if something was found"
    )
    target.add_argument(
        "--in-place",
        action="store_true",
        help="replace each FILE by the JSON that was found in it",
    )


def _add_rows(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--jsonl",
        metavar="FILE",
        help="read a reply from each line of an NDJSON file; goes on where it was when "
        "it was killed",
    )
    group.add_argument(
        "--field", metavar="NAME", help="which member of a line is the reply (a.0.b)"
    )
    group.add_argument(
        "--out", metavar="FILE", help="write a row for each to FILE, NDJSON or .parquet"
    )
    group.add_argument(
        "--keep",
        metavar="NAME",
        action="append",
        default=[],
        help="a member of the line to copy into the row; may be given again",
    )
    group.add_argument(
        "--workers",
        type=_check_workers,
        metavar="N",
        help="how many processes (default: one a processor)",
    )
    group.add_argument(
        "--overwrite", action="store_true", help="replace an --out that exists"
    )


def _check_workers(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= 9999):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 9999")
    return int(text)


def _read_schema(name: str) -> Any:
    """The JSON Schema in a file, checked."""
    try:
        schema = json.loads(Path(name).read_bytes())
        if not isinstance(schema, dict):
            raise ValueError("it is no object")
        extract_json("", schema=schema, default=None)
    except OSError as error:
        problem = error.strerror or str(error)
    except ImportError:
        problem = 'needs jsonschema: pip install "jsonsift[schema]"'
    except (ValueError, TypeError, RecursionError) as error:
        problem = str(error)
    else:
        return schema
    raise argparse.ArgumentTypeError(f"{label(name)}: {problem}")


def _check_indent(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 99")
    return int(text)


# --------------------------------------------------------------------- input, output


def _dump(value: Any, arguments: argparse.Namespace) -> str:
    indent = 2 if arguments.indent is None else arguments.indent
    return json.dumps(
        value,
        ensure_ascii=arguments.ensure_ascii,
        sort_keys=arguments.sort_keys,
        indent=None if arguments.compact or arguments.lines else indent,
        separators=(",", ":") if arguments.compact else None,
    )


# --------------------------------------------------------------------------- reports


def _report(name: str, text: str, found: Iterable[Extraction]) -> None:
    """What was found and what was repaired, a line each."""
    if sys.stderr is None:
        return
    places = Places(text)
    for extraction in found:
        where = f"{label(name)}:{places.find(extraction.span.start)}:"
        lines = [f"{paint(where, _BOLD)} {summarize(extraction)}"]
        for edit in extraction.edits:
            where = f"{label(name)}:{places.find(edit.start)}:"
            risk = paint(edit.kind.risk.name.lower(), _COLOURS[edit.kind.risk])
            lines.append(f"{paint(where, _BOLD)} {risk} {describe_edit(edit, text)}")
        where = paint(f"{label(name)}:", _BOLD)
        for coercion in extraction.coercions:
            rule = coercion.rule
            risk = paint(rule.risk.name.lower(), _COLOURS[rule.risk])
            lines.append(f"{where} {risk} {describe_coercion(coercion)}")
        sys.stderr.write("\n".join(lines) + "\n")


def _describe_error(name: str, text: str, error: JSONSiftError) -> tuple[str, str]:
    """Where it went wrong, and what is wrong in one line."""
    where = label(name)
    if isinstance(error, (BrokenJSONError, LimitError)):
        where += f":{Places(text).find(error.pos)}"
    message = error.msg if isinstance(error, BrokenJSONError) else str(error)
    return where, word_for_command(message)
