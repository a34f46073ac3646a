"""An Extraction as plain text, and in colour with rich."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final

from .._types import Edit, Extraction, Risk
from ._pieces import (
    ADDED,
    DROPPED,
    KEPT,
    OUTSIDE,
    Piece,
    Places,
    count,
    describe_coercion,
    describe_edit,
    make_visible,
    split_reply,
    summarize,
)

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["explain", "make_rich"]

_ROOM: Final = 240  # characters of an unchanged stretch that are shown
_MOST: Final = 200  # edits that are shown
_MARKS: Final = {DROPPED: ("[-", "-]"), ADDED: ("{+", "+}")}
_STYLES: Final = {
    OUTSIDE: "dim",
    KEPT: "",
    DROPPED: "red strike",
    ADDED: "bold green",
}
_RISK_STYLES: Final = {Risk.SAFE: "green", Risk.CUT: "yellow", Risk.GUESS: "red"}


def explain(extraction: Extraction, *, color: bool = False) -> str:
    """See ``Extraction.explain``."""
    if color:
        return _paint(make_rich(extraction))
    lines = [summarize(extraction), ""]
    shown = "".join(
        _mark(piece) for piece in split_reply(extraction, room=_ROOM, most=_MOST)
    )
    lines += [shown.rstrip("\n"), ""]
    places = Places(extraction.reply)
    for edit in extraction.edits[:_MOST]:
        lines.append(" ".join(_describe(edit, extraction.reply, places)))
    if len(extraction.edits) > _MOST:
        lines.append(f"… and {count(len(extraction.edits) - _MOST, 'repair')} more")
    for coercion in extraction.coercions[:_MOST]:
        risk = coercion.rule.risk.name.lower()
        lines.append(f"{risk} {describe_coercion(coercion)}")
    if len(extraction.coercions) > _MOST:
        hidden = len(extraction.coercions) - _MOST
        lines.append(f"… and {count(hidden, 'change')} more")
    return "\n".join(lines).rstrip("\n")


def make_rich(extraction: Extraction) -> Text:
    """The explanation as a text that rich prints.

    Raises:
        ImportError: rich is not installed.
    """
    try:
        from rich.text import Text
    except ImportError as error:
        message = 'colour needs rich: pip install "jsonsift[report]"'
        raise ImportError(message) from error

    text = Text(no_wrap=False)
    text.append(summarize(extraction), style="bold").append("\n\n")
    for piece in split_reply(extraction, room=_ROOM, most=_MOST):
        style = _STYLES[piece.role]
        text.append(make_visible(piece.text), style=style)
        if piece.hidden:
            text.append(_say_hidden(piece), style="dim italic")
            text.append(make_visible(piece.rest), style=style)
    text.append("\n")
    places = Places(extraction.reply)
    for edit in extraction.edits[:_MOST]:
        where, risk, words = _describe(edit, extraction.reply, places)
        text.append(f"\n{where} ", style="bold")
        text.append(f"{risk} ", style=_RISK_STYLES[edit.kind.risk]).append(words)
    if len(extraction.edits) > _MOST:
        more = count(len(extraction.edits) - _MOST, "repair")
        text.append(f"\n… and {more} more")
    for coercion in extraction.coercions[:_MOST]:
        rule = coercion.rule
        risk = rule.risk.name.lower()
        text.append(f"\n{risk} ", style=_RISK_STYLES[rule.risk])
        text.append(describe_coercion(coercion))
    if len(extraction.coercions) > _MOST:
        more = count(len(extraction.coercions) - _MOST, "change")
        text.append(f"\n… and {more} more")
    text.rstrip()
    return text


def _paint(text: Any) -> str:
    """What rich prints, as text with terminal codes, not wrapped."""
    from rich.console import Console

    target = io.StringIO()
    console = Console(
        file=target,
        force_terminal=True,
        color_system="standard",
        no_color=False,
        soft_wrap=True,
        legacy_windows=False,
    )
    console.print(text, end="")
    return target.getvalue()


def _mark(piece: Piece) -> str:
    before, after = _MARKS.get(piece.role, ("", ""))
    shown = make_visible(piece.text)
    if piece.hidden:
        shown += _say_hidden(piece) + make_visible(piece.rest)
    return f"{before}{shown}{after}"


def _say_hidden(piece: Piece) -> str:
    return f" … {count(piece.hidden, 'character')} … "


def _describe(edit: Edit, reply: str, places: Places) -> tuple[str, str, str]:
    risk = edit.kind.risk.name.lower()
    return places.find(edit.start), risk, describe_edit(edit, reply)
