"""Whether a value is the right one, or a true prefix of it."""

from __future__ import annotations

import math
from typing import Any

__all__ = ["is_equal", "is_prefix"]


def is_equal(one: Any, other: Any, *, by_value: bool = False) -> bool:
    """Equality in value, type and order of keys; ``by_value`` takes 1 and 1.0 as one.

    The peers are measured by value, and so are we beside them.
    """
    if isinstance(one, dict) and isinstance(other, dict):
        ordered = by_value or list(one) == list(other)
        return ordered and one.keys() == other.keys() and all(
            is_equal(one[key], other[key], by_value=by_value) for key in one
        )  # fmt: skip
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(
            is_equal(*pair, by_value=by_value) for pair in zip(one, other, strict=True)
        )
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    loose = by_value and _is_number(one) and _is_number(other)
    return bool(one == other) and (loose or type(one) is type(other))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_prefix(part: Any, whole: Any, *, by_value: bool = False) -> bool:
    """Whether ``part`` is all that was known of ``whole`` when the text broke off.

    All but the last thing on the way to the break is equal; the last is a prefix
    itself: fewer items or members, a shorter string, a number with fewer digits.
    """
    if isinstance(whole, dict) and isinstance(part, dict):
        if list(part) != list(whole)[: len(part)]:
            return False
        part, whole = list(part.values()), list(whole.values())
    if isinstance(whole, list) and isinstance(part, list):
        settled = len(part) - 1
        return len(part) <= len(whole) and (
            not part
            or (
                is_equal(part[:settled], whole[:settled], by_value=by_value)
                and is_prefix(part[settled], whole[settled], by_value=by_value)
            )
        )
    if isinstance(whole, str) and isinstance(part, str):
        return whole.startswith(part)
    if _is_number(whole) and _is_number(part):
        return _is_number_prefix(part, whole)
    return is_equal(part, whole, by_value=by_value)


def _is_number_prefix(part: float, whole: float) -> bool:
    """``-12`` of ``-12.5e3``: the digits written so far, or an exponent cut short."""
    digits, text = repr(part).removesuffix(".0"), repr(whole)
    if part == 0:  # -0, which has no sign as an int
        return text.lstrip("-").startswith("0")
    return text.startswith(digits[:1] if "e" in text else digits)
