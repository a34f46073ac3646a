"""One guarded strict parse: the value that ``json.loads`` would give, or FAILED.

orjson does the work.  Three things it does otherwise than ``json.loads``, and this
module owns all three: integers beyond 64 bits (it makes floats of them), NaN and
numbers too large for a float (it refuses them), and hooks (it has none).  In the
other direction ``json.loads`` lets errors of its own escape, RecursionError and the
ValueError about too many digits; they become ``LimitError`` here.

It knows nothing of replies or repairs.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import orjson

from ._errors import LimitError

__all__ = ["FAILED", "Hooks", "apply_hooks", "check_depth", "parse_strict"]

FAILED: Final = object()  # the text is not strict JSON


class Hooks(NamedTuple):
    """The hooks of ``json.loads``, with its meanings."""

    parse_int: Callable[[str], Any] | None = None
    parse_float: Callable[[str], Any] | None = None
    parse_constant: Callable[[str], Any] | None = None
    object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None


NO_HOOKS: Final = Hooks()

# An integer that does not fit in 64 bits has at least 19 digits.
_LONG_DIGITS: Final = 19
_DIGITS_ONLY: Final = bytes(48 if 48 <= c <= 57 else 32 for c in range(256))
_LONG_RUN: Final = b"0" * _LONG_DIGITS
_NOT_BRACKETS: Final = bytes(c for c in range(256) if c not in b"[]{}")
_PEELS: Final = 16
_BRACKET_OR_STRING: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?+|[\[{]|[\]}]', re.S)
# One escape after the other; group 1 is half of a surrogate pair without the other.
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.S,
)
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


def parse_strict(
    text: str, max_depth: int = 512, at: int = 0, any_integer: bool = False
) -> Any:
    """The value of strict JSON, as ``json.loads`` reads it, or FAILED.

    ``at`` is where ``text`` stands in the reply; errors count from there.  With
    ``any_integer`` those that int() refuses are left as text, for a hook to read.

    Raises:
        LimitError: deeper than ``max_depth``, or an integer with more digits than
            ``sys.get_int_max_str_digits()`` allows.
    """
    try:
        data = text.encode()
    except UnicodeEncodeError:  # a raw lone surrogate: for the rewriter to mend
        return FAILED
    check_depth(text, data, max_depth, at)
    if _LONG_RUN not in data.translate(_DIGITS_ONLY):
        try:
            return orjson.loads(data)
        except orjson.JSONDecodeError as error:
            if not _is_json_all_the_same(text, error):
                return FAILED
    return _parse_with_stdlib(text, at, any_integer)


def apply_hooks(text: str, hooks: Hooks) -> Any:
    """What the caller's hooks make of strict JSON; their own errors pass through."""
    try:
        return json.loads(text, **hooks._asdict())
    except RecursionError:
        raise LimitError("nested too deeply for json.loads") from None


def _is_json_all_the_same(text: str, error: orjson.JSONDecodeError) -> bool:
    """Whether orjson stumbled on something that json.loads reads as a float."""
    if error.msg.startswith("number is infinity"):
        return True
    return text[error.pos : error.pos + 1] in ("N", "I", "-")


def _parse_with_stdlib(text: str, at: int, any_integer: bool) -> Any:
    if _has_lone_surrogate(text):
        return FAILED  # every string must be encodable: for the rewriter to mend
    try:
        return json.loads(text, parse_int=str if any_integer else None)
    except json.JSONDecodeError:
        return FAILED
    except RecursionError:
        raise LimitError("nested too deeply for json.loads", at) from None
    except ValueError:
        limit = sys.get_int_max_str_digits()
        run = re.search(rf"[0-9]{{{limit + 1},}}+", text)
        raise LimitError(
            f"an integer has more than {limit} digits, which int() refuses; "
            "parse_int= can read it",
            at + run.start() if run else at,
        ) from None


def _has_lone_surrogate(text: str) -> bool:
    if _SURROGATE.search(text) is None:
        return False
    return any(match[1] for match in _ESCAPE.finditer(text))


def check_depth(text: str, data: bytes, max_depth: int, at: int = 0) -> None:
    """Raise LimitError when ``text`` is nested deeper than ``max_depth``.

    Peeling ``[]`` and ``{}`` off what is left without everything else gives a bound
    at memory speed; only what survives it is walked bracket by bracket.
    """
    if data.count(b"[") + data.count(b"{") <= max_depth:
        return
    rest = data.translate(None, _NOT_BRACKETS)
    for _ in range(_PEELS):
        peeled = rest.replace(b"[]", b"").replace(b"{}", b"")
        if len(peeled) == len(rest):
            break
        rest = peeled
    if rest.count(b"[") + rest.count(b"{") + _PEELS <= max_depth:
        return
    depth = 0
    for match in _BRACKET_OR_STRING.finditer(text):
        mark = text[match.start()]
        if mark in "[{":
            depth += 1
            if depth > max_depth:
                message = f"nested deeper than {max_depth} (max_depth)"
                raise LimitError(message, at + match.start())
        elif mark in "]}":
            depth = max(depth - 1, 0)
