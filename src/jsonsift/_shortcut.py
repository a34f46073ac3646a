"""The short way to the answer of most replies: one valid value, alone or in sight.

Rules of this file: it gives what the composer would give, and nothing where that is not
certain at a glance.
"""

from __future__ import annotations

from typing import Any, Final

from ._build import find_mark, has_broken_line
from ._chars import PAIRS, PLAIN_OPENERS
from ._strict import FAILED, parse_strict

__all__ = ["read_valid"]

_FENCE: Final = "```json\n"
_FENCE_ENDS: Final = ("\n```\n", "\n```")


def read_valid(text: str) -> Any:
    """The value of a reply that holds one, valid, and nothing else that might be one.

    Most replies do: an object or array by itself, or one in a fence that says JSON, or
    an object in prose.  Whatever else a reply may be gives FAILED: this is the same
    answer as the long way's, with nothing reported.
    """
    if text[:1] in PLAIN_OPENERS:
        return _read_closed(text, 0)
    end = len(text)
    start = find_mark(text, 0, end)
    if start > 0 and not text[0].isalnum():
        return FAILED  # blanks, a comment or a quote may begin a value
    if text.startswith("{", start):
        close = after = text.rfind("}") + 1
    elif text.startswith(_FENCE, start):
        start += len(_FENCE)
        close = text.find("`", start)
        after = close + 3
        if text[close - 1 : after + 1] not in _FENCE_ENDS:
            return FAILED
    else:
        return FAILED
    if find_mark(text, after, end) >= 0:
        return FAILED
    value = _read_closed(text[start : close - (close < after)], start)
    return value if value or close < after else FAILED  # of {} in prose little is sure


def _read_closed(text: str, at: int) -> Any:
    """The value of strict JSON that stands at ``at``, if it is an object or array."""
    edge = text if text[-1:] in ("}", "]") else text.rstrip()
    if edge[:1] + edge[-1:] not in PAIRS:
        return FAILED
    # an error of the parser holds the whole text, decoded again
    if not text.isascii() and has_broken_line(text):
        return FAILED
    return parse_strict(text, at=at)
