"""The strict parse of an object or array, where it stands in its text.

Rules of this file: it gives what ``json.loads`` gives, or says that it can't tell.
This is how the pure build parses, by orjson, and what that does otherwise is asked of
the text and of the value.  The compiled build takes the parser in ``_loads.pxd``
instead, which needs no copy of the text and makes no UTF-8 of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from json import JSONDecodeError
from typing import Any

from ._bytes import encode_text, is_for_json_loads

__all__ = ["load_text"]


@cache
def _find_orjson() -> Callable[[str | bytes], Any]:
    """Its ``loads``; the compiled build does without, and the import takes time."""
    from orjson import loads

    return loads


def load_text(text: str, start: int, end: int, max_depth: int) -> Any:
    """The value of the object or array that ``text[start:end]`` is; None if that is no
    strict JSON, and NotImplemented where only ``json.loads`` tells, or where it is
    nested deeper than ``max_depth``.
    """
    piece = text[start:end]
    body = piece if piece.isascii() else encode_text(piece)
    if body is None:
        return None
    try:
        value = _find_orjson()(body)
    except JSONDecodeError as error:
        at = error.pos
        is_odd = error.msg.startswith(("depth limit", "number is infinity"))
        is_odd = is_odd or error.doc[at : at + 1] in ("N", "I", "-")
        return NotImplemented if is_odd else None
    return NotImplemented if is_for_json_loads(body, value, max_depth) else value
