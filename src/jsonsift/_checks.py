"""What is asked of a whole text around a strict parse, and of its value.

Rules of this file: those of ``_leaves``; it parses nothing.  The compiled build takes
the loops of ``_checks.pxd``.
"""

from __future__ import annotations

from typing import Any, Final

__all__ = [
    "encode_text",
    "has_broken_line",
    "has_long_digits",
    "is_deeper",
    "nests_deeper",
    "opens_container",
]

_LONG_RUN: Final = b"0" * 19
_DIGITS_ONLY: Final = bytes(48 if 48 <= c <= 57 else 32 for c in range(256))


def has_long_digits(text: str | bytes) -> bool:
    """Whether 19 digits stand in a row.

    The compiled build looks at every 19th character only: such a row covers one of
    them, and reaches nine further to one side or the other.
    """
    body = text.encode("utf-8", "replace") if isinstance(text, str) else text
    return _LONG_RUN in body.translate(_DIGITS_ONLY)


def has_broken_line(text: str, pos: int) -> bool:
    """Whether the text is no JSON by what stands around a line end from ``pos`` on.

    No string of JSON holds a line end, so that around it stand tokens: a comma before
    a closer, or a quote before a quote, need no parser.  The compiled build looks; the
    pure one does not, since that would take as long as to parse.
    """
    return False


def encode_text(text: str) -> bytes | None:
    """The text as UTF-8; None if half of a surrogate pair is in it."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return None


def opens_container(body: str | bytes) -> bool:
    """Whether it begins with a bracket; it is ASCII or encoded."""
    if isinstance(body, str):
        return body.startswith(("{", "["))
    return body.startswith((b"{", b"["))


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
