"""Paths as users write them: ``a.b[0]``, ``$["odd key"].rows[*]``, or keys and indices.

It knows only how a path is written, and no values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final, TypeAlias

__all__ = ["Path", "read_list_path", "read_path"]

Path: TypeAlias = str | Sequence[str | int]

_NAME: Final = r"[^.\[\]]+"
_STEP: Final = re.compile(
    rf'\.(?P<name>{_NAME})|\[(?P<at>\d+)\]|\[(?P<key>"(?:[^"\\]|\\.)*")\]'
    rf"|(?P<first>{_NAME})"
)


def read_path(path: Path) -> tuple[str | int, ...]:
    """The keys and indices of a path; a leading ``$`` or ``$.`` says nothing.

    Raises:
        ValueError: the text is no path.
        TypeError: it is neither text nor a sequence of keys and indices.
    """
    if isinstance(path, str):
        return _read_text(path)
    if not isinstance(path, Sequence) or isinstance(path, (bytes, bytearray)):
        raise TypeError(f"path={path!r}: text, or a tuple of keys and indices")
    for step in path:
        if not isinstance(step, (str, int)) or isinstance(step, bool):
            raise TypeError(f"path={path!r}: {step!r} is neither a key nor an index")
    return tuple(path)


def _read_text(path: str) -> tuple[str | int, ...]:
    # a key may begin with a dollar sign itself
    text = path[1:] if path == "$" or path.startswith(("$.", "$[")) else path
    text = text.removeprefix(".")
    steps: list[str | int] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        # a name stands at the beginning, or behind a dot
        if match is None or match.lastgroup == ("first" if at else "name"):
            raise ValueError(f"path={path!r}: keys and indices, as in rows[0].name")
        if match["at"] is not None:
            steps.append(int(match["at"]))
        elif match["key"] is not None:
            steps.append(str(json.loads(match["key"])))
        else:
            steps.append(match["first"] or match["name"])
        at = match.end()
    return tuple(steps)


def read_list_path(path: Path) -> tuple[str, ...]:
    """The keys that lead to the list whose items ``path`` names.

    In text it ends in ``[*]``; a tuple of keys names the list itself.

    Raises:
        ValueError: it does not end so, or goes through another list.
        TypeError: it is neither text nor a sequence of keys.
    """
    if isinstance(path, str):
        if not path.endswith("[*]"):
            raise ValueError(f"path={path!r}: it names a list, and ends in [*]")
        inner = path.removesuffix("[*]")
        if "[*]" in inner:
            raise ValueError(f"path={path!r}: only one [*] is supported, at the end")
        steps = read_path(inner)
    else:
        steps = read_path(path)
    keys = tuple(step for step in steps if isinstance(step, str))
    if len(keys) < len(steps):
        raise ValueError(
            f"path={path!r}: keys with dots between, such as data.rows[*], and no index"
        )
    return keys
