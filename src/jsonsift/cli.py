"""The command line: arguments to calls, values to JSON, errors to one line each.

Rules of this file: nothing is parsed or repaired here, and nothing that a file, a
stream or an argument does may end in a traceback.  Values are written to stdout or
to the file asked for, everything else to stderr.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NoReturn

from . import __version__
from ._errors import BrokenJSONError, JSONSiftError, LimitError
from ._types import Coercion, Edit, Extraction, Risk, Rule
from .api import extract, extract_all, extract_json
from .clean import decode_with_report

__all__ = ["main"]

FOUND: Final = 0
FAILED: Final = 1
INTERRUPTED: Final = 130  # what a shell reports for Ctrl-C

_STDIN: Final = "-"
_SHOWN: Final = 40  # characters of a replaced text that a report shows
_BOLD: Final = "1"
_COLOURS: Final = {Risk.SAFE: "32", Risk.CUT: "33", Risk.GUESS: "31"}
_DROPPING: Final = {Rule.EXTRA_KEY, Rule.FORBIDDEN_KEY, Rule.DROP_ITEM}
_ADDING: Final = {Rule.DEFAULT, Rule.EMPTY_LIST, Rule.LIST_OF_ALL}

_DESCRIPTION: Final = """\
Print the JSON value in a language model's reply.

The reply is read from each FILE, or from standard input when there is none or FILE
is -. The value may stand in prose, in a fence or behind reasoning, and may be
broken: what had to be repaired is shown by --report.
"""
_EPILOG: Final = """\
exit status: 0 when a value was found in every FILE, 1 when one held none, could not
be read or passed a limit (the others are printed all the same), 2 when the arguments
are wrong.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, or those of the process.

    Returns the exit status.

    Raises:
        SystemExit: after ``--help`` and ``--version``, and for wrong arguments.
    """
    arguments = _read_arguments(argv)
    command = _Command(arguments)
    try:
        command.run()
        _flush_streams()
    except BrokenPipeError:  # the reader has seen enough: `jsonsift … | head -1`
        _silence(sys.stdout)
        _silence(sys.stderr)
    except OSError as error:  # a full disk, for one; files have their own handling
        command.fail("<stdout>", error.strerror or str(error))
        _silence(sys.stdout)
    except KeyboardInterrupt:
        return INTERRUPTED
    return command.status


class _Command:
    """One run: the arguments, and the exit status so far."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.status = FOUND
        self._texts: list[str] = []

    def run(self) -> None:
        for name in self.arguments.files or [_STDIN]:
            text = self._read(name)
            if text is None:
                continue
            found = self._extract(name, text)
            if found:
                if self.arguments.report:
                    _report(name, text, found)
                self._write(name, "".join(self._format(found)))
        if self._texts:  # --output, when something was found
            self._save(self.arguments.output, "".join(self._texts))

    def _read(self, name: str) -> str | None:
        """The text of a file; None when it cannot be read, which is then reported."""
        try:
            data = _read_bytes(name)
            decoded = decode_with_report(data, encoding=self.arguments.encoding)
        except OSError as error:
            self.fail(name, error.strerror or str(error))
            return None
        except LookupError as error:
            self.fail(name, str(error))
            return None
        if decoded.replaced:
            count = _count(decoded.replaced, "character")
            _say(f"{_label(name)}: {count} could not be read as {decoded.encoding}")
        return decoded.text

    def _extract(self, name: str, text: str) -> list[Extraction]:
        options = {
            "repair": self.arguments.repair,
            "reasoning": self.arguments.reasoning,
            "schema": self.arguments.schema,
            "coerce": self.arguments.coerce,
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
            _write_stdout(text)

    def _save(self, name: str, text: str) -> None:
        try:
            _replace_file(Path(name), text.encode())
        except OSError as error:
            self.fail(name, error.strerror or str(error))

    def fail(self, where: str, message: str, *, is_name: bool = True) -> None:
        self.status = FAILED
        _say(f"{_label(where) if is_name else where}: {message}")


# ------------------------------------------------------------------------ arguments


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        _say(f"{message} (jsonsift --help lists the options)")
        raise SystemExit(2)


def _read_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = _make_parser()
    arguments = parser.parse_args(argv)
    if arguments.in_place and (_STDIN in arguments.files or not arguments.files):
        parser.error("--in-place needs a FILE to write to, other than -")
    if arguments.lines and arguments.indent is not None:
        parser.error("argument --indent: not allowed with argument --lines")
    return arguments


def _make_parser() -> _Parser:
    parser = _Parser(
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
        default="all",
        help="allow all of those rules, those with one reading only, or none "
        "(default: all)",
    )
    group.add_argument(
        "--encoding",
        type=_check_encoding,
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
    target = group.add_mutually_exclusive_group()
    target.add_argument(
        "--output", metavar="FILE", help="write to FILE, if something was found"
    )
    target.add_argument(
        "--in-place",
        action="store_true",
        help="replace each FILE by the JSON that was found in it",
    )


def _check_encoding(name: str) -> str:
    try:
        decode_with_report(b"{}", encoding=name)
    except LookupError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return name


def _read_schema(name: str) -> Any:
    """The JSON Schema in a file, checked."""
    try:
        schema = json.loads(Path(name).read_bytes())
        if not isinstance(schema, dict):
            raise ValueError("it is no object")
        extract_json("", schema=schema, default=None)
    except (OSError, ValueError, RecursionError, ImportError) as error:
        raise argparse.ArgumentTypeError(f"{_label(name)}: {error}") from None
    return schema


def _check_indent(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 99")
    return int(text)


# --------------------------------------------------------------------- input, output


def _read_bytes(name: str) -> bytes:
    if name != _STDIN:
        return Path(name).read_bytes()
    if sys.stdin is None:
        raise OSError("standard input is closed")
    source = getattr(sys.stdin, "buffer", None)
    data = source.read() if source is not None else sys.stdin.read().encode()
    return bytes(data)


def _dump(value: Any, arguments: argparse.Namespace) -> str:
    indent = 2 if arguments.indent is None else arguments.indent
    return json.dumps(
        value,
        ensure_ascii=arguments.ensure_ascii,
        sort_keys=arguments.sort_keys,
        indent=None if arguments.compact or arguments.lines else indent,
        separators=(",", ":") if arguments.compact else None,
    )


def _write_stdout(text: str) -> None:
    """UTF-8 whatever the locale says, for what reads it next."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is not None:
        sys.stdout.flush()
        buffer.write(text.encode())
        buffer.flush()  # so that reports and values come in order on a terminal
    elif sys.stdout is not None:
        sys.stdout.write(text)


def _replace_file(path: Path, data: bytes) -> None:
    """Write a file; one that exists is replaced at once, so that none is left half."""
    path = path.resolve()  # what a link points to, not the link
    if not path.is_file():  # new, or a device
        path.write_bytes(data)
        return
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:64]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        shutil.copymode(path, name)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _say(message: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"jsonsift: {message}\n")


def _flush_streams() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def _silence(stream: Any) -> None:
    """Let nothing be written to it any more, also not by the interpreter as it ends."""
    with suppress(OSError, ValueError, AttributeError):  # closed, or not of the system
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


# --------------------------------------------------------------------------- reports


class _Places:
    """Offsets to lines and columns, in one pass over the text for all of them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._seen = 0
        self._line = 1

    def find(self, offset: int) -> str:
        """``line:column`` of an offset, both counted from 1."""
        if offset < self._seen:
            self._seen, self._line = 0, 1
        self._line += self._text.count("\n", self._seen, offset)
        self._seen = offset
        return f"{self._line}:{offset - self._text.rfind(chr(10), 0, offset)}"


def _report(name: str, text: str, found: Iterable[Extraction]) -> None:
    """What was found and what was repaired, a line each."""
    if sys.stderr is None:
        return
    places = _Places(text)
    for extraction in found:
        where = f"{_label(name)}:{places.find(extraction.span.start)}:"
        lines = [f"{_paint(where, _BOLD)} {_summarize(extraction)}"]
        for edit in extraction.edits:
            where = f"{_label(name)}:{places.find(edit.start)}:"
            lines.append(f"{_paint(where, _BOLD)} {_describe_edit(edit, text)}")
        where = f"{_label(name)}:"
        for coercion in extraction.coercions:
            lines.append(f"{_paint(where, _BOLD)} {_describe_coercion(coercion)}")
        sys.stderr.write("\n".join(lines) + "\n")


def _summarize(extraction: Extraction) -> str:
    span = extraction.span
    words = (
        f"{extraction.kind.value} value, {_count(span.end - span.start, 'character')}"
    )
    risks = Counter(edit.kind.risk for edit in extraction.edits)
    if not risks:
        return f"{words}, no repairs"
    shares = ", ".join(f"{risks[risk]} {risk.name.lower()}" for risk in sorted(risks))
    words += f", {_count(sum(risks.values()), 'repair')}: {shares}"
    if not extraction.complete:
        words += f"; cut off in {_write_path(extraction.open_path)}"
    return words


def _write_path(path: Iterable[str | int]) -> str:
    return "$" + "".join(f"[{json.dumps(step)}]" for step in path)


def _describe_edit(edit: Edit, text: str) -> str:
    kind = edit.kind
    risk = _paint(kind.risk.name.lower(), _COLOURS[kind.risk])
    old, new = _show(text[edit.start : edit.end]), _show(edit.replacement)
    if edit.start == edit.end:
        change = f"inserted {new}"
    elif not edit.replacement:
        change = f"dropped {old}"
    else:
        change = f"{old} became {new}"
    return f"{risk} {kind.label}: {change} ({kind.sentence})"


def _describe_coercion(coercion: Coercion) -> str:
    rule = coercion.rule
    risk = _paint(rule.risk.name.lower(), _COLOURS[rule.risk])
    path = _show(_write_path(coercion.path))[1:-1]
    old, new = (
        _show(json.dumps(value, ensure_ascii=False))
        for value in (coercion.before, coercion.after)
    )
    if rule in _DROPPING:
        return f"{risk} {rule.label}: {path}: dropped {old}"
    if rule in _ADDING:
        return f"{risk} {rule.label}: {path}: set to {new}"
    return f"{risk} {rule.label}: {path}: {old} became {new}"


def _describe_error(name: str, text: str, error: JSONSiftError) -> tuple[str, str]:
    """Where it went wrong, and what is wrong in one line."""
    where = _label(name)
    if isinstance(error, (BrokenJSONError, LimitError)):
        where += f":{_Places(text).find(error.pos)}"
    message = error.msg if isinstance(error, BrokenJSONError) else str(error)
    return where, message


def _show(text: str) -> str:
    """A piece of the reply between backticks, shortened and safe for a terminal."""
    if len(text) > _SHOWN:
        text = f"{text[: _SHOWN // 2]}…{text[-(_SHOWN // 2) :]}"
    shown = (c if c.isprintable() else f"<U+{ord(c):04X}>" for c in text)
    return f"`{''.join(shown)}`"


def _label(name: str) -> str:
    """A file's name as messages show it, safe for a terminal."""
    if name == _STDIN:
        return "<stdin>"
    return name if name.isprintable() else repr(name)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _paint(text: str, colour: str) -> str:
    environ = os.environ
    plain = environ.get("NO_COLOR") or environ.get("TERM") == "dumb"
    if plain or not sys.stderr.isatty():
        return text
    return f"\x1b[{colour}m{text}\x1b[0m"
