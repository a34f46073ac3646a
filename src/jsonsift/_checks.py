"""What is asked of a whole text around a strict parse, and of its value.

Rules of this file: those of ``_leaves``; it parses nothing.  The compiled build takes
the loops of ``_checks.pxd``.
"""

from __future__ import annotations

from typing import Any

__all__ = ["has_broken_line", "is_deeper", "nests_deeper"]


def has_broken_line(text: str, pos: int, end: int) -> bool:
    """Whether ``text[pos:end]`` is no JSON by what stands around a line end.

    No string of JSON holds a line end, so that around it stand tokens: a comma before
    a closer, or a quote before a quote, need no parser.  The compiled build looks; the
    pure one does not, since that would take as long as to parse.
    """
    return False


def is_deeper(value: Any, text: str | bytes, limit: int) -> bool:
    """Whether dicts and lists are nested deeper than ``limit`` in the text's value.

    The compiled build walks the value, which costs less than to count.
    """
    if isinstance(text, str):
        count = text.count("{") + text.count("[")
    else:
        count = text.count(b"{") + text.count(b"[")
    return count > limit and nests_deeper(value, limit)


def nests_deeper(value: Any, limit: int) -> bool:
    """Whether dicts and lists are nested deeper than ``limit``."""
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(limit):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return False
    return True
