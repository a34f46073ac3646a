# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""The short way to the answer of most replies: one value, alone or in sight.

Rules of this file: it gives what the composer would give, and nothing where that is not
certain at a glance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from . import _checks as check
from . import _leaves as leaf
from . import _loads as load
from ._errors import LimitError
from ._mend import Mender
from ._parsed import FAILED, MANY_EDITS, MAX_DEPTH, SHORT_REST, UNSURE

COMPILED: Final = not __file__.endswith(".py")
if not COMPILED:  # the loops of the compiled build are faster
    from . import _outline as outline

__all__ = ["read_at_once", "read_broken", "read_valid"]

LOOKED_AT: Final = 16384  # characters at the end
FENCE: Final = "```json\n"
FENCE_ENDS: Final = ("\n```\n", "\n```")


def read_at_once(text: str, read_further: Callable[[str, Any], Any]) -> Any:
    """The value that ``read_valid`` gives; if it fails, and the reply begins with a
    bracket and no marker or prose in it, the one that ``read_broken`` gives.

    Where none is given, it is for ``read_further`` to give, which gets what was found:
    FAILED, UNSURE, or what ``read_broken`` gives in place of a value.
    """
    found = read_valid(text)
    if found is FAILED and _begins_with_bracket(text):
        found = read_broken(text)
    return found if isinstance(found, (dict, list)) else read_further(text, found)


def _begins_with_bracket(text: str) -> bool:
    """Whether a reply begins with a bracket, and no marker or prose in it."""
    if not text:
        return False
    ch = leaf.char_at(text, 0)
    if ch != "[" or len(text) == 1:
        return ch == "{"
    following = leaf.char_at(text, 1)
    return following == "{" or (following < "A" and following != "/")


def read_valid(text: str) -> Any:
    """The value of a reply that holds it valid, and nothing else that might be one.

    Most replies do: an object or array by itself, or in a fence that says JSON, or an
    object in prose, and behind reasoning too.  Of whatever else a reply may be gives
    FAILED, and UNSURE what only the long way can tell.  A value is the same answer as
    the long way's, with nothing reported.
    """
    end = len(text)
    if end == 0:
        return FAILED
    ch = leaf.char_at(text, 0)
    if ch == "{" or ch == "[":
        return _parse_closed(text, 0, end)
    at = _skip_reasoning(text) if ch == "<" else 0
    start = leaf.find_mark(text, at, end)
    if start < 0 or (at == 0 and start > 0 and not ch.isalnum()):
        return FAILED  # blanks, a comment or a quote may begin a value
    if text.startswith(FENCE, start):
        return _read_fences(text, start)
    after = text.rfind("}") + 1
    if leaf.char_at(text, start) != "{" or leaf.find_mark(text, after, end) >= 0:
        return FAILED
    return _parse_closed(text, start, after) or FAILED  # of {} in prose little is sure


def _skip_reasoning(text: str) -> int:
    """Behind the reasoning that the reply begins with; 0 if there is none."""
    if not text.startswith("<think>"):
        return 0
    close = text.find("</")
    return close + len("</think>") if text.startswith("</think>", close) else 0


def _read_fences(text: str, start: int) -> Any:
    """The value in the fence at ``start``, or the longest of several."""
    end = len(text)
    longest = 0
    best: Any = FAILED
    while start >= 0:
        if not text.startswith(FENCE, start):
            return FAILED
        start += len(FENCE)
        close = text.find("`", start)
        if close <= start or text[close - 1 : close + 4] not in FENCE_ENDS:
            return FAILED
        size = _behind_text(text, start, close - 1) - start
        value = _parse_closed(text, start, start + size)
        start = leaf.find_mark(text, close + 3, end)
        if value is FAILED or value is UNSURE or (start < 0 and longest == 0):
            return value
        if not isinstance(value, dict) or not value:
            return FAILED  # whether it says enough to be chosen
        if size >= longest:  # the last among equals
            longest = size
            best = value
    return best


def _behind_text(text: str, start: int, end: int) -> int:
    """The end without the blanks before it."""
    while end > start and leaf.char_at(text, end - 1).isspace():
        end -= 1
    return end


def _parse_closed(text: str, start: int, end: int) -> Any:
    """The value of strict JSON, if it is an object or array; FAILED or UNSURE else."""
    end = _behind_text(text, start, end)
    if end - start < 2:
        return FAILED
    first = leaf.char_at(text, start)
    last = leaf.char_at(text, end - 1)
    if first == "{" and last == "}":
        pos = leaf.skip_blanks(text, start + 1, end)
        if leaf.char_at(text, pos) != '"' and leaf.char_at(text, pos) != "}":
            return FAILED
    elif first != "[" or last != "]":
        return FAILED
    # what a parser made in vain costs more than a look at the text
    if _ends_with_comma(text, start, end):
        return FAILED
    if check.has_broken_line(text, max(end - LOOKED_AT, start), end):
        return FAILED
    value = load.load_text(text, start, end, MAX_DEPTH)
    if value is None:
        return FAILED
    return UNSURE if value is NotImplemented else value


def _ends_with_comma(text: str, start: int, end: int) -> bool:
    """Whether a comma stands before the closers of the last line."""
    pos = end - 1
    while pos > start:
        ch = leaf.char_at(text, pos)
        if ch != "}" and ch != "]" and ch != " ":
            return ch == ","
        pos -= 1
    return False


def read_broken(text: str) -> Any:
    """The value of a reply that is one, an object or array that must be mended, and
    nothing else; if it is not, the rewriter that ran over it, or None if that let its
    many edits go or it is nested too deeply.
    """
    if not COMPILED:
        value = outline.read_outline(text)
        if value is not FAILED:
            return value
    end = len(text)
    mender = Mender.__new__(Mender)  # without what a call of a class takes
    try:
        value = mender._read_at_once(text, MAX_DEPTH)
        if value is not NotImplemented:
            return value
        mender.run()
    except LimitError:  # an answer may stand behind it
        return None
    value = _read_run(mender, text, end)
    if value is mender:
        mender._untell()  # which takes memory, and nobody will ask for
    return value


def _read_run(mender: Mender, text: str, end: int) -> Any:
    """The value of a run that has ended, or what ``read_broken`` gives in its place."""
    pos = mender.pos
    written = mender.quoted_keys + mender.bare_keys + mender.quoted_values
    if written == 0 or end - pos >= SHORT_REST:
        return mender
    if pos < end and text[pos:].strip():
        return mender
    value = mender._told_value()
    if isinstance(value, (dict, list)):
        return value
    body = mender.mended()
    if not body.startswith(("{", "[")):
        return mender
    has_many = mender.edit_count > MANY_EDITS
    if has_many:
        mender.let_edits_go()  # as the parse takes more memory still
    value = load.load_text(body, 0, len(body), MAX_DEPTH)
    if isinstance(value, (dict, list)):
        return value
    return None if has_many else mender
