"""What the plain build asks of a text all at once, by the methods of bytes.

Rules of this file: what is asked about brackets is asked of strict JSON, as far as it
goes.
"""

from __future__ import annotations

from typing import Any, Final

from . import _checks as check

__all__ = ["encode_text", "is_for_json_loads", "match_brackets"]

_LONG_RUN: Final = b"0" * 19
_DIGITS_ONLY: Final = bytes(48 if 48 <= c <= 57 else 32 for c in range(256))
_FEW_LEVELS: Final = 16
_NO_BRACKETS: Final = bytes(code for code in range(256) if code not in b"[]{}")
_NO_MARKS: Final = bytes(code for code in range(256) if code not in b'"[]{}')


def encode_text(text: str) -> bytes | None:
    """The text as UTF-8; None if half of a surrogate pair is in it."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return None


def has_long_digits(body: str | bytes) -> bool:
    """Whether 19 digits stand in a row, as in every integer beyond 64 bits, of which
    orjson makes a float.
    """
    if isinstance(body, str):
        body = body.encode()
    return _LONG_RUN in body.translate(_DIGITS_ONLY)


def is_for_json_loads(body: str | bytes, value: Any, limit: int) -> bool:
    """Whether orjson's value may be another than that of ``json.loads``, or is nested
    deeper than ``limit``.
    """
    if has_long_digits(body):
        return True
    if len(body) <= 2 * limit or are_nested_within(body, limit):
        return False
    return check.is_deeper(value, body, limit)


def are_nested_within(body: str | bytes, limit: int) -> bool:
    """Whether the brackets of strict JSON tell that they nest no deeper; those of
    strings count as well.
    """
    if isinstance(body, str):
        body = body.encode()
    marks = body.translate(None, _NO_MARKS)
    if marks.count(b"{") + marks.count(b"[") <= limit:
        return True
    if limit < _FEW_LEVELS or (b"\\" in body and b'\\"' in body):
        return False
    outline = b"".join(marks.replace(b'""', b"").split(b'"')[::2])
    return not match_brackets(outline, _FEW_LEVELS)


def match_brackets(outline: bytes, levels: int) -> bytes:
    """The brackets outside of strings that nothing answers to; those deeper inside of
    one another than ``levels``, an even number, may be left too.
    """
    brackets = outline.translate(None, _NO_BRACKETS)
    for _ in range(levels // 2):  # in a list of objects there are two to take away
        left = brackets.replace(b"{}", b"").replace(b"[]", b"")
        if len(left) == len(brackets):
            break
        brackets = left
    return brackets
