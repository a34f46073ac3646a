"""A list of pairs read as an object, and an object written as one."""

from __future__ import annotations

from typing import Any, Final

from .nodes import ListNode, Node, ObjectNode
from .outcomes import Place

__all__ = ["make_pairs", "read_pairs"]

_KEY_NAMES: Final = ("key", "name", "k")
_VALUE_NAMES: Final = ("value", "v")


def read_pairs(place: Place) -> dict[str, tuple[Place, str | int]] | None:
    """A list of ``[key, value]`` or ``{"key": …, "value": …}``: values by key."""
    pairs: dict[str, tuple[Place, str | int]] = {}
    for at, item in enumerate(place.value):
        child = place.child(at)
        if isinstance(item, list) and len(item) == 2 and isinstance(item[0], str):
            key: str = item[0]
            name: str | int = 1
        elif isinstance(item, dict) and len(item) == 2:
            names = [one for one in _KEY_NAMES if isinstance(item.get(one), str)]
            values = [one for one in _VALUE_NAMES if one in item]
            if not names or not values:
                return None
            key, name = item[names[0]], values[0]
        else:
            return None
        if key in pairs:
            return None
        pairs[key] = (child, name)
    return pairs


def make_pairs(value: dict[str, Any], pair: Node | None) -> list[Any] | None:
    """An object as a list of pairs, in the form that the list's items have."""
    if isinstance(pair, ListNode) and len(pair.first) == 2 and pair.items is None:
        return [[key, one] for key, one in value.items()]
    if isinstance(pair, ObjectNode) and len(pair.fields) == 2:
        names = [one.key for one in pair.fields if one.key in _KEY_NAMES]
        values = [one.key for one in pair.fields if one.key in _VALUE_NAMES]
        if names and values:
            return [{names[0]: key, values[0]: one} for key, one in value.items()]
    return None
