"""Classes of characters, each named once.

Rules of this file: constants only; odd characters by their Unicode names, so that a
reader can see what an editor would not show.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "BIDI_CONTROLS",
    "BYTE_ORDER_MARK",
    "DOUBLE_QUOTES",
    "ESCAPE_STARTERS",
    "FULL_WIDTH",
    "INVISIBLE",
    "JOINERS",
    "JSON_SPACE",
    "LINE_BREAKS",
    "MOJIBAKE_MARKS",
    "NEVER_SHOWN",
    "ODD_SPACE",
    "PAIRS",
    "PLAIN_CONTROLS",
    "SINGLE_QUOTES",
    "WIDE_SPACES",
    "ZERO_WIDTH",
]

JSON_SPACE: Final = " \t\n\r"

PAIRS: Final = ("{}", "[]")  # what an object or array begins and ends with

BYTE_ORDER_MARK: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"

# White space to Unicode or to a reader, but not to JSON.
ODD_SPACE: Final = (
    "\v\f\x1c\x1d\x1e\x1f\x85"
    "\N{NO-BREAK SPACE}\N{OGHAM SPACE MARK}\N{MONGOLIAN VOWEL SEPARATOR}"
    "\N{EN QUAD}\N{EM QUAD}\N{EN SPACE}\N{EM SPACE}\N{THREE-PER-EM SPACE}"
    "\N{FOUR-PER-EM SPACE}\N{SIX-PER-EM SPACE}\N{FIGURE SPACE}"
    "\N{PUNCTUATION SPACE}\N{THIN SPACE}\N{HAIR SPACE}"
    "\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}\N{NARROW NO-BREAK SPACE}"
    "\N{MEDIUM MATHEMATICAL SPACE}\N{IDEOGRAPHIC SPACE}"
)

# Joiners are content inside words and emoji; outside strings they are nothing.
ZERO_WIDTH: Final = (
    "\N{SOFT HYPHEN}\N{ZERO WIDTH SPACE}\N{ZERO WIDTH NON-JOINER}"
    "\N{ZERO WIDTH JOINER}\N{WORD JOINER}" + BYTE_ORDER_MARK
)

BIDI_CONTROLS: Final = (
    "\N{LEFT-TO-RIGHT MARK}\N{RIGHT-TO-LEFT MARK}\N{ARABIC LETTER MARK}"
    "\N{LEFT-TO-RIGHT EMBEDDING}\N{RIGHT-TO-LEFT EMBEDDING}"
    "\N{POP DIRECTIONAL FORMATTING}\N{LEFT-TO-RIGHT OVERRIDE}"
    "\N{RIGHT-TO-LEFT OVERRIDE}\N{LEFT-TO-RIGHT ISOLATE}"
    "\N{RIGHT-TO-LEFT ISOLATE}\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"
)

# What carries no meaning between two JSON tokens.
INVISIBLE: Final = ODD_SPACE + ZERO_WIDTH + BIDI_CONTROLS

# Marks that stand for the quotation mark ", besides itself.
DOUBLE_QUOTES: Final = (
    "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
    "\N{DOUBLE LOW-9 QUOTATION MARK}\N{DOUBLE HIGH-REVERSED-9 QUOTATION MARK}"
    "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}"
    "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}"
    "\N{FULLWIDTH QUOTATION MARK}"
)

# Marks that stand for the apostrophe ', besides itself.
SINGLE_QUOTES: Final = (
    "\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}"
    "\N{SINGLE LOW-9 QUOTATION MARK}\N{SINGLE HIGH-REVERSED-9 QUOTATION MARK}"
    "\N{ACUTE ACCENT}\N{FULLWIDTH APOSTROPHE}"
)

# Full-width and ideographic structure and what it stands for.
FULL_WIDTH: Final = {
    "\N{FULLWIDTH LEFT CURLY BRACKET}": "{",
    "\N{FULLWIDTH RIGHT CURLY BRACKET}": "}",
    "\N{FULLWIDTH LEFT SQUARE BRACKET}": "[",
    "\N{FULLWIDTH RIGHT SQUARE BRACKET}": "]",
    "\N{FULLWIDTH LEFT PARENTHESIS}": "(",
    "\N{FULLWIDTH RIGHT PARENTHESIS}": ")",
    "\N{FULLWIDTH COLON}": ":",
    "\N{FULLWIDTH COMMA}": ",",
    "\N{IDEOGRAPHIC COMMA}": ",",
}

# The rest is for `clean`: there each character belongs to exactly one switch.

# What starts a terminal's control sequence: ESC, and the 8-bit form of ESC [.
ESCAPE_STARTERS: Final = "\x1b\x9b"

# Ends of line and page to Unicode, besides CR and LF.
LINE_BREAKS: Final = "\v\f\x85\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}"

# C0, DEL and C1, without what is white space or starts an escape sequence.
PLAIN_CONTROLS: Final = "".join(
    chr(code)
    for code in (*range(0x20), *range(0x7F, 0xA0))
    if chr(code) not in JSON_SPACE + LINE_BREAKS + ESCAPE_STARTERS
)

# Spaces that are not U+0020, whatever their width.
WIDE_SPACES: Final = (
    "\N{NO-BREAK SPACE}\N{OGHAM SPACE MARK}"
    "\N{EN QUAD}\N{EM QUAD}\N{EN SPACE}\N{EM SPACE}\N{THREE-PER-EM SPACE}"
    "\N{FOUR-PER-EM SPACE}\N{SIX-PER-EM SPACE}\N{FIGURE SPACE}"
    "\N{PUNCTUATION SPACE}\N{THIN SPACE}\N{HAIR SPACE}"
    "\N{NARROW NO-BREAK SPACE}\N{MEDIUM MATHEMATICAL SPACE}\N{IDEOGRAPHIC SPACE}"
)

# Content where they stand between letters or emoji: they choose the letters' shapes.
JOINERS: Final = (
    "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}\N{MONGOLIAN VOWEL SEPARATOR}"
)

# Nothing to see wherever they stand: hyphenation and line break hints, invisible
# operators, deprecated shaping controls, interlinear annotation.
NEVER_SHOWN: Final = (
    "\N{SOFT HYPHEN}\N{ZERO WIDTH SPACE}\N{WORD JOINER}"
    "\N{FUNCTION APPLICATION}\N{INVISIBLE TIMES}\N{INVISIBLE SEPARATOR}"
    "\N{INVISIBLE PLUS}"
    "\N{INHIBIT SYMMETRIC SWAPPING}\N{ACTIVATE SYMMETRIC SWAPPING}"
    "\N{INHIBIT ARABIC FORM SHAPING}\N{ACTIVATE ARABIC FORM SHAPING}"
    "\N{NATIONAL DIGIT SHAPES}\N{NOMINAL DIGIT SHAPES}"
    "\N{INTERLINEAR ANNOTATION ANCHOR}\N{INTERLINEAR ANNOTATION SEPARATOR}"
    "\N{INTERLINEAR ANNOTATION TERMINATOR}" + BYTE_ORDER_MARK
)

# A UTF-8 byte order mark read as Latin-1 or Windows-1252, that read so again, and as
# the code pages 437 and 850 of a console.
MOJIBAKE_MARKS: Final = ("ï»¿", "Ã¯Â»Â¿", "∩╗┐", "´╗┐")
