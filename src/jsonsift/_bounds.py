# cython: language_level=3, boundscheck=False, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""Two questions that a strict parse must ask of every text, at memory speed.

Rules of this file: it knows nothing of JSON but digits, dicts and lists; it imports
nothing of ours.
"""

from __future__ import annotations

from typing import Any, Final

COMPILED: Final = not __file__.endswith(".py")

# An integer that does not fit in 64 bits has at least 19 digits.
LONG_DIGITS: Final = 19
_DIGITS_ONLY: Final = bytes(48 if 48 <= c <= 57 else 32 for c in range(256))
_LONG_RUN: Final = b"0" * LONG_DIGITS


def has_long_digits(text: str) -> bool:
    """Whether 19 digits stand in a row.

    Such a row covers an index that 19 divides, so that looking at every 19th character
    finds it; and it reaches nine further to one side or the other.
    """
    if not COMPILED:
        return _LONG_RUN in text.encode("utf-8", "replace").translate(_DIGITS_ONLY)
    end = len(text)
    at = 0
    while at < end:
        if "0" <= text[at] <= "9":
            if (at >= 9 and "0" <= text[at - 9] <= "9") or (
                at + 9 < end and "0" <= text[at + 9] <= "9"
            ):
                first = at
                while first > 0 and "0" <= text[first - 1] <= "9":
                    first -= 1
                if skip_digits_of(text, at, end) - first >= LONG_DIGITS:
                    return True
        at += LONG_DIGITS
    return False


def skip_digits_of(text: str, pos: int, end: int) -> int:
    """The end of the digits at ``pos``."""
    while pos < end and "0" <= text[pos] <= "9":
        pos += 1
    return pos


def is_deeper(value: Any, limit: int) -> bool:
    """Whether dicts and lists are nested deeper than ``limit``."""
    if type(value) is dict:
        if limit <= 0:
            return True
        for inner in value.values():
            if type(inner) is dict or type(inner) is list:
                if is_deeper(inner, limit - 1):
                    return True
    elif type(value) is list:
        if limit <= 0:
            return True
        for inner in value:
            if type(inner) is dict or type(inner) is list:
                if is_deeper(inner, limit - 1):
                    return True
    return False
