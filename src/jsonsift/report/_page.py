"""Extractions as one self-contained HTML page.

The page holds no script, loads nothing, and says so in its content security policy.
Everything that comes from a reply or from outside goes through ``_escape``.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Final, NamedTuple

from .._types import Extraction
from ._pieces import (
    ADDED,
    DROPPED,
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

__all__ = ["Entry", "write_page"]

_ROOM: Final = 4_000  # characters of an unchanged stretch that are shown
_MOST: Final = 2_000  # edits of a value that are shown
_LONGEST: Final = 200_000  # characters of a value that are shown

_STYLE: Final = """
:root { color-scheme: light dark; --ground: #fff; --panel: #f5f6f8; --ink: #1b1f24;
  --faint: #57606a; --line: #d0d7de; --gone: #a40e26; --gone-ground: #ffe4e4;
  --new: #0a5c2b; --new-ground: #d9f5e0; --cut: #7a4b00; --link: #0550ae; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171c; --panel: #1e232a;
  --ink: #e6e9ed; --faint: #a3adb8; --line: #3b434d; --gone: #ffa8a8;
  --gone-ground: #4a1d22; --new: #93e6ab; --new-ground: #15391f; --cut: #f2c46d;
  --link: #8ec5ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem;
  background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .25rem; }
h1, h2, td { overflow-wrap: anywhere; }
a { color: var(--link); } a:focus-visible, pre:focus-visible, summary:focus-visible {
  outline: 3px solid var(--link); outline-offset: 2px; }
pre, code, td:first-child { font-family: ui-monospace, "DejaVu Sans Mono", monospace; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  padding: .75rem 1rem; overflow: auto; max-height: 70vh; white-space: pre-wrap;
  overflow-wrap: anywhere; font-size: .875rem; tab-size: 2; unicode-bidi: plaintext; }
.outside, .hidden, .odd { color: var(--faint); } .hidden { font-style: italic; }
.odd { border: 1px solid var(--line); border-radius: 3px; font-size: .8em; }
del { color: var(--gone); background: var(--gone-ground); text-decoration:
  line-through 2px; unicode-bidi: isolate; }
ins { color: var(--new); background: var(--new-ground); font-weight: 700;
  text-decoration: underline 2px; text-underline-offset: 3px; unicode-bidi: isolate; }
:target { outline: 3px solid var(--link); }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: start; vertical-align: top; padding: .35rem .75rem .35rem 0;
  border-bottom: 1px solid var(--line); }
td:not(:last-child) { white-space: nowrap; }
.safe { color: var(--new); } .cut { color: var(--cut); }
.guess, .error { color: var(--gone); } .safe, .cut, .guess, .error { font-weight: 600; }
details { margin-top: 1rem; }
p.legend { color: var(--faint); font-size: .9rem; }
"""
_DIGEST: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_HEAD: Final = f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
style-src 'sha256-{_DIGEST}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>jsonsift report</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>jsonsift report</h1>
"""
_LEGEND: Final = """\
<p class="legend">In the replies, <del>what was dropped</del> is struck through,
<ins>what was inserted</ins> is underlined, and <span class="outside">what is no part
of the value</span> is faint.</p>
"""
_FOOT: Final = "</body>\n</html>\n"


class Entry(NamedTuple):
    """One reply: its name, its text, and what was found in it or what went wrong."""

    name: str
    reply: str
    found: Sequence[Extraction] = ()
    error: str = ""


def write_page(entries: Iterable[Entry], target: IO[str]) -> None:
    """Write one self-contained page about these replies; each is let go once written.

    Of a stretch without edits up to 4,000 characters are shown, of the edits of a
    value 2,000, and of a value 200,000 characters; what is left out is counted.
    """
    target.write(_HEAD + _LEGEND)
    for number, entry in enumerate(entries):
        target.writelines(_write_entry(entry, f"r{number}"))
    target.write(_FOOT)


def _write_entry(entry: Entry, anchor: str) -> Iterator[str]:
    yield f'<section id="{anchor}">\n<h2>{_escape(entry.name)}</h2>\n'
    if entry.error:
        yield f'<p class="error">{_escape(entry.error)}</p>\n'
    if not entry.found:
        for piece in _cut_reply(entry.reply):
            yield f"{_OPEN_PRE}{_show_piece(piece)}</pre>\n"
    for number, extraction in enumerate(entry.found):
        yield from _write_extraction(extraction, f"{anchor}-{number}")
    yield "</section>\n"


_OPEN_PRE: Final = '<pre tabindex="0">\n'  # a line end right behind <pre> is none


def _cut_reply(reply: str) -> Iterator[Piece]:
    if len(reply) <= 2 * _ROOM:
        yield Piece(OUTSIDE, reply)
    else:
        hidden = len(reply) - 2 * _ROOM
        yield Piece(OUTSIDE, reply[:_ROOM], reply[-_ROOM:], hidden)


def _write_extraction(extraction: Extraction, anchor: str) -> Iterator[str]:
    yield f"<p>{_escape(summarize(extraction))}</p>\n{_OPEN_PRE}"
    last = -1
    for piece in split_reply(extraction, room=_ROOM, most=_MOST):
        begins, last = piece.edit > last, max(piece.edit, last)
        yield _show_piece(piece, f' id="{anchor}-{piece.edit}"' if begins else "")
    yield "</pre>\n"
    yield from _write_edits(extraction, anchor)
    value = _dump(extraction)
    if len(value) > _LONGEST:
        value = f"{value[:_LONGEST]}\n… {count(len(value) - _LONGEST, 'character')} …"
    yield f"<details><summary>Value</summary>{_OPEN_PRE}{_escape(value)}</pre>"
    yield "</details>\n"


def _dump(extraction: Extraction) -> str:
    try:
        return json.dumps(extraction.value, ensure_ascii=False, indent=2, default=repr)
    except RecursionError:  # deeper than json.dumps indents
        return extraction.text


def _write_edits(extraction: Extraction, anchor: str) -> Iterator[str]:
    edits, coercions = extraction.edits, extraction.coercions
    if not edits and not coercions:
        return
    yield "<table>\n<thead><tr><th>Place</th><th>Risk</th><th>Repair</th></tr></thead>"
    yield "\n<tbody>\n"
    places = Places(extraction.reply)
    for number, edit in enumerate(edits[:_MOST]):
        where, risk = places.find(edit.start), edit.kind.risk.name.lower()
        words = _escape(describe_edit(edit, extraction.reply))
        yield (
            f'<tr><td><a href="#{anchor}-{number}">{where}</a></td>'
            f'<td class="{risk}">{risk}</td><td>{words}</td></tr>\n'
        )
    for coercion in coercions[:_MOST]:
        risk = coercion.rule.risk.name.lower()
        words = _escape(describe_coercion(coercion))
        yield f'<tr><td></td><td class="{risk}">{risk}</td><td>{words}</td></tr>\n'
    yield "</tbody>\n</table>\n"
    if len(edits) > _MOST:
        yield f"<p>… and {count(len(edits) - _MOST, 'repair')} more</p>\n"
    if len(coercions) > _MOST:
        yield f"<p>… and {count(len(coercions) - _MOST, 'change')} more</p>\n"


def _show_piece(piece: Piece, mark: str = "") -> str:
    shown = _escape(piece.text)
    if piece.hidden:
        hidden = count(piece.hidden, "character")
        shown += f'<span class="hidden"> … {hidden} … </span>{_escape(piece.rest)}'
    if piece.role == DROPPED:
        shown = shown.replace("\n", f"{_name_odd('↵')}\n")  # else nothing is seen
        return f"<del{mark}>{shown}</del>"
    if piece.role == ADDED:
        return f"<ins{mark}>{shown}</ins>"
    if piece.role == OUTSIDE:
        return f'<span class="outside">{shown}</span>'
    return shown


def _escape(text: str) -> str:
    """Text that is only text wherever it stands in the page."""
    return make_visible(text, keep=html.escape, name=_name_odd)


def _name_odd(name: str) -> str:
    return f'<span class="odd">{html.escape(name)}</span>'
