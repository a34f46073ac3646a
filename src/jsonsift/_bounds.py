# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""What the uncompiled rooms ask of every text, at memory speed.

Rules of this file: it is the door to those leaves, for whoever is not compiled.
"""

from __future__ import annotations

from typing import Any

from . import _checks as check
from . import _leaves as leaf
from . import _objects as objects


def find_mark(text: str, pos: int, end: int) -> int:
    """Where the next tag, fence, bracket or other mark of a reply stands, or -1."""
    return leaf.find_mark(text, pos, end)


def has_long_digits(text: str) -> bool:
    """Whether 19 digits stand in a row: an integer beyond 64 bits has as many."""
    return check.has_long_digits(text)


def encode_text(text: str) -> bytes | None:
    """The text as UTF-8; None if half of a surrogate pair is in it."""
    return check.encode_text(text)


def is_deeper(value: Any, text: str, limit: int) -> bool:
    """Whether dicts and lists are nested deeper than ``limit`` in the text's value."""
    return len(text) > 2 * limit and check.is_deeper(value, text, limit)


def list_objects(text: str, pos: int, end: int, most: int) -> list[int]:
    """Where the valid objects in a row at ``pos`` start and end, in turn."""
    return objects.list_objects(text, pos, end, most)
