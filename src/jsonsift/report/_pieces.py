"""What every kind of report says, before it has a look.

The reply becomes pieces (kept, dropped, added, outside), offsets become lines and
columns, and edits become sentences.  All is linear in the reply and its edits, and
nothing here knows of colours or markup.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from .._types import Coercion, Edit, Extraction, Rule

__all__ = [
    "ADDED",
    "DROPPED",
    "KEPT",
    "OUTSIDE",
    "Piece",
    "Places",
    "count",
    "describe_coercion",
    "describe_edit",
    "make_visible",
    "show",
    "split_reply",
    "summarize",
]

OUTSIDE: Final = "outside"
KEPT: Final = "kept"
DROPPED: Final = "dropped"
ADDED: Final = "added"

_DROPPING: Final = {Rule.EXTRA_KEY, Rule.FORBIDDEN_KEY, Rule.DROP_ITEM}
_ADDING: Final = {Rule.DEFAULT, Rule.EMPTY_LIST, Rule.LIST_OF_ALL}
_SHOWN: Final = 40  # characters of a changed text that a line about an edit shows


class Piece(NamedTuple):
    """A stretch of the reply, or of what was added; ``edit`` is the index of its edit.

    ``hidden`` says how many characters in the middle of ``text`` were left out.
    """

    role: str
    text: str
    rest: str = ""
    hidden: int = 0
    edit: int = -1


def split_reply(
    extraction: Extraction, *, room: int, most: int | None = None
) -> Iterator[Piece]:
    """The reply in pieces, in reading order.

    Args:
        extraction: what was found in it.
        room: how many characters of an unchanged stretch are shown; of a longer one
            its beginning and its end.
        most: how many edits are marked; what comes after stands there as it was.
    """
    reply, span = extraction.reply, extraction.span
    yield from _cut(OUTSIDE, reply, 0, span.start, room)
    at = span.start
    for number, edit in enumerate(extraction.edits[:most]):
        yield from _cut(KEPT, reply, at, edit.start, room)
        yield from _cut(DROPPED, reply, edit.start, edit.end, room, number)
        added = edit.replacement
        yield from _cut(ADDED, added, 0, len(added), room, number)
        at = edit.end
    yield from _cut(KEPT, reply, at, span.end, room)
    yield from _cut(OUTSIDE, reply, span.end, len(reply), room)


def _cut(
    role: str, text: str, start: int, end: int, room: int, edit: int = -1
) -> Iterator[Piece]:
    """``text[start:end]`` as a piece, its middle left out if it is long."""
    size = end - start
    if size <= 0:
        return
    if size <= room:
        yield Piece(role, text[start:end], edit=edit)
        return
    half = room // 2
    first, last = text[start : start + half], text[end - half : end]
    yield Piece(role, first, last, size - 2 * half, edit)


class Places:
    """Offsets to lines and columns, in one pass over the text for all of them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._seen = 0
        self._line = 1

    def find(self, offset: int) -> str:
        """``line:column`` of an offset, both counted from 1."""
        if offset < self._seen:
            self._seen, self._line = 0, 1
        self._line += self._text.count("\n", self._seen, offset)
        self._seen = offset
        return f"{self._line}:{offset - self._text.rfind(chr(10), 0, offset)}"


def summarize(extraction: Extraction) -> str:
    """What was found, in a line."""
    span = extraction.span
    words = (
        f"{extraction.kind.value} value, {count(span.end - span.start, 'character')}"
    )
    risks = Counter(edit.kind.risk for edit in extraction.edits)
    if not risks:
        return f"{words}, no repairs"
    shares = ", ".join(f"{risks[risk]} {risk.name.lower()}" for risk in sorted(risks))
    words += f", {count(sum(risks.values()), 'repair')}: {shares}"
    if not extraction.complete:
        words += f"; cut off at {_write_path(extraction.open_path)}"
    return words


def describe_edit(edit: Edit, text: str) -> str:
    """What an edit did to ``text``, the reply: a kind, a change and a reason."""
    kind = edit.kind
    old, new = show(text[edit.start : edit.end]), show(edit.replacement)
    if edit.start == edit.end:
        change = f"inserted {new}"
    elif not edit.replacement:
        change = f"dropped {old}"
    else:
        change = f"{old} became {new}"
    return f"{kind.label}: {change} ({kind.sentence})"


def describe_coercion(coercion: Coercion) -> str:
    """What a rule of a schema did to the value: its name, the place and the change."""
    rule = coercion.rule
    path = show(_write_path(coercion.path))[1:-1]
    old, new = (
        show(json.dumps(value, ensure_ascii=False, default=repr))
        for value in (coercion.before, coercion.after)
    )
    if rule in _DROPPING:
        return f"{rule.label}: {path}: dropped {old}"
    if rule in _ADDING:
        return f"{rule.label}: {path}: set to {new}"
    return f"{rule.label}: {path}: {old} became {new}"


def _write_path(path: Iterable[str | int]) -> str:
    """A path as JSONPath writes it: ``$["items"][0]``."""
    return "$" + "".join(f"[{json.dumps(step)}]" for step in path)


def show(text: str) -> str:
    """A piece of the reply between backticks, shortened and safe for a terminal."""
    if len(text) > _SHOWN:
        text = f"{text[: _SHOWN // 2]}…{text[-(_SHOWN // 2) :]}"
    return f"`{make_visible(text, line_ends=False)}`"


def make_visible(
    text: str,
    *,
    line_ends: bool = True,
    keep: Callable[[str], str] = str,
    name: Callable[[str], str] = str,
) -> str:
    """A text in which every character can be seen: ``<U+202E>`` for the unprintable.

    Args:
        text: the text.
        line_ends: leave LF, CR LF and tabs as they are.
        keep: what to make of a run of plain characters, such as ``html.escape``.
        name: what to make of the name of an odd one.
    """
    if line_ends:
        text = text.replace("\r\n", "\n")
    if text.isprintable():
        return keep(text)
    parts: list[str] = []
    start = 0
    for at, char in enumerate(text):
        if char.isprintable() or (line_ends and char in "\n\t"):
            continue
        parts += keep(text[start:at]), name(f"<U+{ord(char):04X}>")
        start = at + 1
    parts.append(keep(text[start:]))
    return "".join(parts)


def count(number: int, noun: str) -> str:
    """``1 repair``, ``2 repairs``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
