"""Who runs in the race: ours in both builds, the peers, and the strict parsers.

Each is called as its documentation says to read a value from a text.  Peers are
imported when asked for, and those that are not installed are named.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from typing import Any, Final

import jsonsift
from jsonsift import _build

from ..every_way import list_changes

__all__ = ["LIMITS", "OURS", "PURE", "find_readers"]

Reader = Callable[[str], Any]

OURS: Final = "jsonsift"
PURE: Final = "jsonsift (pure)"
LIMITS: Final = ("orjson", "json")  # on the valid original: what cannot be beaten

_PEERS: Final = {
    "json_repair": "loads",
    "jsonmend": "loads",
    "parse_broken_json": "parse_broken_json",
    "fast_json_repair": "loads",
    "repairjson": "loads",
    "safe_json_repair": "parse_json_safe",
    "pyjson5": "loads",
}


def _read_pure() -> Reader:
    """Our reader with the plain build of the rewriter, beside the compiled one."""
    changes = list_changes("pure")
    kept = [(space, name, space[name]) for space, name, _ in changes]

    def read(text: str) -> Any:
        for space, name, pure in changes:
            space[name] = pure
        try:
            return jsonsift.extract_json(text)
        finally:
            for space, name, compiled in kept:
                space[name] = compiled

    return read


def find_readers(only: tuple[str, ...] = ()) -> tuple[dict[str, Reader], list[str]]:
    """All that are here (or those named), and the names of the peers that are not."""
    readers: dict[str, Reader] = {}
    missing = []
    if _build.BUILD == "compiled":
        readers[OURS] = jsonsift.extract_json
    else:
        missing.append(f"{OURS} (compiled)")
    readers[PURE] = _read_pure()
    for name, function in _PEERS.items():
        try:
            readers[name] = getattr(importlib.import_module(name), function)
        except ImportError:
            missing.append(name)
    readers["orjson"] = importlib.import_module("orjson").loads
    readers["json"] = json.loads
    if only:
        readers = {name: call for name, call in readers.items() if name in only}
    return readers, missing
