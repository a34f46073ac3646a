"""The smallest scans of the rewriter.

Rules of this file: each function answers at a position, or -1 for "not sure", and
knows no state.  This is how the pure build does them: one compiled pattern each.  The
compiled build takes the loops of the same names in ``_leaves.pxd`` instead, which are
inlined where they are called.
"""

from __future__ import annotations

from typing import Final

from ._later import compile_later

__all__ = [
    "char_at",
    "find_colon",
    "find_mark",
    "plain_stem",
    "skip_blanks",
    "skip_literal",
    "skip_plain_number",
    "skip_quiet",
]

BLANKS: Final = compile_later(r"[ \t\n\r]*+")
# No curly closing mark, which may be meant for the end, and no C:\Users.
STRING: Final = (
    r'(?![^"\\]:\\)(?:[^"\\\x00-\x1f\u201d\ud800-\udfff]++'
    r'|\\(?:["\\/bfnrt]|u(?![dD])[0-9a-fA-F]{4}))*+"'
)
_QUIET: Final = compile_later(r'[^"\\\x00-\x1f\u201d\ud800-\udfff]*+')
APOSTROPHES: Final = r"[^'\"\\\x00-\x1f\ud800-\udfff]*+'"
NAME: Final = r"[A-Za-z_][A-Za-z0-9_$\-]*+(?=[\x00-\x7f])"
NUMBER: Final = compile_later(
    r"-?+(?:0(?![0-9])|[1-9][0-9]*+)(?:\.[0-9]++|(?!\.))(?:[eE][+-]?+[0-9]++|(?![eE]))"
)
_KEY: Final = compile_later(
    r'"(?!")[^"\\\x00-\x1f\u201d\ud800-\udfff]*+(?:"[ \t\n\r]*+(:)?+)?+'
)
_PLAIN_PIECE: Final = compile_later(r'[^"<\\\x00-\x1f\u201d\ud800-\udfff]*+')
_RUN: Final = " ,{}[])`"  # of what may stand behind a string, what a plain piece holds
_MARK: Final = compile_later(r"[{\[<◁｛［]|```|~~~|Here is my thought process:")
LITERAL: Final = compile_later("[tT]rue|[fF]alse|null|None")


def char_at(text: str, pos: int) -> str:
    """The character at ``pos``, which is in the text."""
    return text[pos]


def skip_blanks(text: str, pos: int, end: int) -> int:
    """Behind the JSON white space at ``pos``."""
    if pos < end and text[pos] > " ":
        return pos
    match = BLANKS.match(text, pos, end)
    return match.end() if match is not None else pos  # None: pos is behind end


def skip_quiet(text: str, pos: int, end: int) -> int:
    """The first character from ``pos`` on that a string must look at."""
    match = _QUIET.match(text, pos, end)
    return match.end() if match is not None else pos  # None: pos is behind end


def skip_plain_number(text: str, pos: int, end: int) -> int:
    """Behind the JSON number at ``pos``."""
    match = NUMBER.match(text, pos, end)
    return match.end() if match is not None else -1


def skip_literal(text: str, pos: int, end: int) -> int:
    """Behind the literal of JSON or Python at ``pos``."""
    match = LITERAL.match(text, pos, end)
    return match.end() if match is not None else -1


def find_colon(text: str, pos: int, end: int) -> int:
    """Where the colon stands behind the plain key at ``pos``; -1 if there is no such,
    -2 if the text ends before that is known.
    """
    match = _KEY.match(text, pos, end)
    if match is None:
        return -1
    if match.lastindex:
        return match.end() - 1
    return -2 if match.end() == end else -1


def plain_stem(piece: str) -> int:
    """How long the piece of a string is without the run of space, commas, closers and
    backticks at its end; -1 if it holds what a string must look at, such as a quote,
    or an opener in that run.
    """
    if _PLAIN_PIECE.fullmatch(piece) is None:
        return -1
    if piece and piece[-1] not in _RUN:
        return len(piece)
    stem = len(piece.rstrip(_RUN))
    return -1 if "{" in piece[stem:] or "[" in piece[stem:] else stem


def find_mark(text: str, pos: int, end: int) -> int:
    """Where the next tag, fence, bracket or other mark of a reply stands, or -1."""
    match = _MARK.search(text, pos, end)
    return match.start() if match is not None else -1
