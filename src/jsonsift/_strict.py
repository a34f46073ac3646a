"""One guarded strict parse: the value that ``json.loads`` would give, or FAILED.

Objects and arrays are parsed as ``_loads`` does it; what that leaves to ``json.loads``
(NaN, numbers beyond a float, the longest integers, scalars by themselves) is parsed
here.  ``json.loads`` lets errors of its own escape, RecursionError and the ValueError
about too many digits; they become ``LimitError``.  Hooks are its own too.

It knows nothing of replies or repairs.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from ._build import is_deeper, load_text
from ._chars import PAIRS
from ._errors import JSONSiftError, LimitError
from ._later import compile_later
from ._parsed import FAILED

__all__ = [
    "FAILED",
    "Hooks",
    "apply_hooks",
    "check_depth",
    "is_closed",
    "parse_strict",
]


class Hooks(NamedTuple):
    """The hooks of ``json.loads``, with its meanings."""

    parse_int: Callable[[str], Any] | None = None
    parse_float: Callable[[str], Any] | None = None
    parse_constant: Callable[[str], Any] | None = None
    object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None


NO_HOOKS: Final = Hooks()

_BLANKS: Final = " \t\n\r"
_BRACKET_OR_STRING: Final = compile_later(r'"(?:[^"\\]++|\\.)*+"?+|[\[{]|[\]}]', re.S)
# One escape after the other; group 1 is half of a surrogate pair without the other.
_ESCAPE: Final = compile_later(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.S,
)
_SURROGATE: Final = compile_later(r"\\u[dD][89a-fA-F]")


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
    body = text.strip(_BLANKS)
    if body.startswith(("{", "[")):
        value = load_text(body, 0, len(body), max_depth)
        if value is not NotImplemented:
            return FAILED if value is None else value
    value = _parse_with_stdlib(text, max_depth, at, any_integer)
    if value is not FAILED:
        check_depth(value, text, max_depth, at)
    return value


def apply_hooks(text: str, hooks: Hooks) -> Any:
    """What the caller's hooks make of strict JSON; their own errors pass through."""
    try:
        return json.loads(text, **hooks._asdict())
    except JSONSiftError as error:
        error.is_callers = True  # no outcome of this call
        raise
    except RecursionError:
        if _is_too_deep(text):
            raise _recursion_error() from None
        raise


def _is_too_deep(text: str) -> bool:
    """Whether ``json.loads`` recurses too deeply by itself, without hooks."""
    try:
        json.loads(text, parse_int=str)
    except RecursionError:
        return True
    return False


def _parse_with_stdlib(text: str, max_depth: int, at: int, any_integer: bool) -> Any:
    if _has_lone_surrogate(text):
        return FAILED  # every string must be encodable: for the rewriter to mend
    try:
        return json.loads(text, parse_int=str if any_integer else None)
    except json.JSONDecodeError:
        return FAILED
    except RecursionError:
        pos = _find_deeper(text, max_depth)
        error = _recursion_error(at) if pos < 0 else _depth_error(max_depth, at + pos)
        raise error from None
    except ValueError:
        limit = sys.get_int_max_str_digits()
        run = re.search(rf"[0-9]{{{limit + 1},}}+", text)
        raise LimitError(
            f"an integer has more than {limit} digits",
            at + run.start() if run else at,
            hint="int() refuses it; parse_int= can read it",
        ) from None


def _has_lone_surrogate(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    if _SURROGATE.search(text) is None:
        return False
    return any(match[1] for match in _ESCAPE.finditer(text))


def check_depth(value: Any, text: str, max_depth: int, at: int = 0) -> None:
    """Raise LimitError when ``value``, the text's, is nested deeper than that."""
    if is_deeper(value, text, max_depth):
        raise _depth_error(max_depth, at + max(_find_deeper(text, max_depth), 0))


def _find_deeper(text: str, max_depth: int) -> int:
    """Where a bracket opens that is nested deeper, or -1."""
    depth = 0
    for match in _BRACKET_OR_STRING.finditer(text):
        mark = text[match.start()]
        if mark in "[{":
            depth += 1
            if depth > max_depth:
                return match.start()
        elif mark in "]}":
            depth = max(depth - 1, 0)
    return -1


def _depth_error(max_depth: int, pos: int) -> LimitError:
    return LimitError(f"nested deeper than {max_depth}", pos, hint="max_depth")


def _recursion_error(at: int = 0) -> LimitError:
    return LimitError("nested too deeply", at, hint="for json.loads on this stack")


def is_closed(body: str) -> bool:
    """Whether a text ends as it began; what does not is no JSON, and need not be tried.

    A strict parse fails late for the commonest fault of all, the end cut off.
    """
    if body[0] != "{" and body[0] != "[":
        return True
    return body[0] + body[-1] in PAIRS
