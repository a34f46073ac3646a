"""Files and streams as bytes, in and out.

Rules of this file: it knows nothing of JSON.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO

from ..clean import decode_with_report
from ._terminal import STDIN, label

__all__ = [
    "check_encoding",
    "find_clash",
    "open_bytes",
    "read_bytes",
    "replace_file",
    "write_stdout",
]


def read_bytes(name: str) -> bytes:
    with open_bytes(name) as file:
        return file.read()


def open_bytes(name: str) -> AbstractContextManager[IO[bytes]]:
    """A file, or standard input, which stays open."""
    if name != STDIN:
        return open(name, "rb")
    if sys.stdin is None:
        raise OSError("standard input is closed")
    source = getattr(sys.stdin, "buffer", None)  # a text stream in its place has none
    return nullcontext(source or io.BytesIO(sys.stdin.read().encode()))


def find_clash(outputs: Mapping[str, str | None], inputs: Iterable[str]) -> str | None:
    """Why one of these options would write over an input or another output, or None."""
    read = {_identify(name) for name in inputs if name != STDIN}
    written: dict[object, str] = {}
    for option, name in outputs.items():
        if name is None or (os.path.exists(name) and not os.path.isfile(name)):
            continue  # a device can be both
        file = _identify(name)
        if file in read:
            return f"argument {option}: {label(name)} is also the input"
        if file in written:
            return (
                f"argument {option}: {label(name)} is named twice, see {written[file]}"
            )
        written[file] = option
    return None


def _identify(name: str) -> object:
    """The same for all names of a file, whether it exists or not."""
    try:
        found = os.stat(name)
    except (OSError, ValueError):
        return os.path.realpath(name)
    return found.st_dev, found.st_ino


def write_stdout(text: str) -> None:
    """UTF-8 whatever the locale says, for what reads it next."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is not None:
        sys.stdout.flush()
        buffer.write(text.encode())
        buffer.flush()  # so that reports and values come in order on a terminal
    elif sys.stdout is not None:
        sys.stdout.write(text)


def replace_file(path: Path, data: bytes) -> None:
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


def check_encoding(name: str) -> str:
    try:
        decode_with_report(b"{}", encoding=name)
    except LookupError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return name
