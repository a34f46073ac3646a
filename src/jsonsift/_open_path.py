"""Where in a value its text ends: the keys and indices that were written last.

It reads strict JSON and knows nothing of replies or repairs.
"""

from __future__ import annotations

import json
import re
from typing import Final

from ._later import compile_later

__all__ = ["find_last_path"]

# A string; one that does not close would be sought from each of its quotes.
_STRING: Final = r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)'
# Group 1 is a key, group 2 any other scalar.
_TOKEN: Final = compile_later(
    rf'({_STRING})[ \t\r\n]*+:|({_STRING}|[^\s\[\]{{}},:"]++)|[\[\]{{}},]', re.S
)


def find_last_path(text: str) -> tuple[str | int, ...]:
    """The keys and indices that lead to what strict JSON ends with, but for closers.

    It is read from the text: a dict does not tell which key was written last.
    """
    path: list[str | int | None] = []  # None in a container that nothing is in yet
    depth = 0
    for match in _TOKEN.finditer(text):
        mark = text[match.start()]
        if match[1] is None and mark in "]}":
            depth -= 1
            continue
        del path[depth:]
        if match[1] is not None:
            path[-1] = match[1]
        elif mark == ",":
            if isinstance(path[-1], int):
                path[-1] += 1
        else:
            if path and path[-1] is None:
                path[-1] = 0
            if mark in "[{":
                path.append(None)
                depth += 1
    return tuple(
        json.loads(step) if isinstance(step, str) else step
        for step in path
        if step is not None
    )
