# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""What the uncompiled rooms ask of every text, at memory speed.

Rules of this file: it is the door to those leaves, for whoever is not compiled.
"""

from __future__ import annotations

from typing import Any

from . import _checks as check
from . import _leaves as leaf
from . import _loads as load
from . import _objects as objects


def find_mark(text: str, pos: int, end: int) -> int:
    """Where the next tag, fence, bracket or other mark of a reply stands, or -1."""
    return leaf.find_mark(text, pos, end)


def is_deeper(value: Any, text: str, limit: int) -> bool:
    """Whether dicts and lists are nested deeper than ``limit`` in the text's value."""
    return len(text) > 2 * limit and check.is_deeper(value, text, limit)


def list_objects(text: str, pos: int, end: int, most: int) -> list[int]:
    """Where the valid objects in a row at ``pos`` start and end, in turn."""
    return objects.list_objects(text, pos, end, most)


def load_text(text: str, start: int, end: int, max_depth: int) -> Any:
    """The value of the object or array that ``text[start:end]`` is; None if that is no
    strict JSON, and NotImplemented where only ``json.loads`` tells, or where it is
    nested deeper than ``max_depth``.
    """
    return load.load_text(text, start, end, max_depth)
