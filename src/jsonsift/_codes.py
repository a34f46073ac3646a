"""The vocabulary of the rewriter: its places, containers, delimiters and edit codes.

Plain numbers, because enums cost nearly half of the speed in the inner loop; the
compiled modules keep them as C integers.
"""

from __future__ import annotations

from typing import Final

# Places: what may come next.
VALUE: Final = 0
KEY: Final = 1
COLON: Final = 2
AFTER: Final = 3
STRING: Final = 4
DONE: Final = 5

# What a short cut says of a token in a small piece.
P_UNSURE: Final = 0  # the careful step decides
P_TAKEN: Final = 1
P_LACKING: Final = 2  # more text must come

# Containers, and what the last item of one was.
NOTHING: Final = 0
OBJECT: Final = 1
ARRAY: Final = 2
SET: Final = 3  # braces around bare items: {1, 2}
PAREN: Final = 4  # a tuple: (1, 2)
WRAP: Final = 5  # a call or grouping around one value: ObjectId("..."), ("x")
SCALAR: Final = 6

# What a growing value is reading.
G_NOTHING: Final = 0  # a value, a key or punctuation comes
G_STRING: Final = 1
G_KEY: Final = 2
G_TOKEN: Final = 3  # a number or literal

# Delimiters of strings.
Q_NONE: Final = 0
Q_DOUBLE: Final = 1  # "
Q_SINGLE: Final = 2  # '
Q_CURLY: Final = 3  # the curly, angled and full-width doubles
Q_CURLY_SINGLE: Final = 4
Q_BACKTICK: Final = 5
Q_TRIPLE: Final = 6  # """
Q_TRIPLE_SINGLE: Final = 7  # '''
Q_ESCAPED: Final = 8  # \"
Q_ENTITY: Final = 9  # &quot; or &#x22;
Q_ENTITY_DECIMAL: Final = 10  # &#34;

# Edit kinds, by their order in EditKind (a test holds the two together).
E_COMMENT: Final = 0
E_COMMA: Final = 1
E_QUOTE_MARK: Final = 2
E_BARE_KEY: Final = 3
E_LITERAL: Final = 4
E_NUMBER: Final = 5
E_CONTROL: Final = 6
E_MISSING_COMMA: Final = 7
E_FULL_WIDTH: Final = 8
E_CONCATENATION: Final = 9
E_WRAPPER: Final = 10
E_TUPLE: Final = 11
E_INVISIBLE: Final = 12
E_SURROGATE: Final = 13
E_ELLIPSIS: Final = 14
E_CUT: Final = 17
E_INNER_QUOTE: Final = 18
E_MISSING_QUOTE: Final = 19
E_MISSING_COLON: Final = 20
E_MISSING_VALUE: Final = 21
E_CLOSER: Final = 22
E_BARE_VALUE: Final = 23
E_STRAY_TEXT: Final = 24
E_ESCAPE: Final = 25
E_ESCAPED_MARKUP: Final = 26

# To find the end of a list that lost its start: characters, and levels in it.
ITEMS_LOOKED_AT: Final = 512
ITEMS_DEEPEST: Final = 16
MOST_TEXT: Final = 2**31 - 1  # characters: the largest number of four bytes
SHORT_WALK: Final = 64  # characters of comments that are walked again
LONG_LOOK: Final = 256  # characters looked ahead at, that are not looked at each time
CLOSERS_LOOKED_AT: Final = 32  # in a row, to tell which bracket one was meant to be

PATIENCE: Final = 256  # characters more, before a stream is looked ahead in again

# Readings of a wrong bracket.
R_OUTER: Final = 0  # a closer of a container around: those between were left open
R_MISTYPED: Final = 1  # of the wrong kind, but of the innermost container
R_SURPLUS: Final = 2  # one too many
R_OPENER: Final = 3  # right, and the opener that it answers to is missing
READINGS: Final = 4

NUL: Final = "\0"  # stands for "no character": the end of the text

# Searches that remember: what they look for.
F_BLOCK_END: Final = 0
F_LINE_END: Final = 1
F_MARKUP_END: Final = 2
F_FENCE: Final = 3
F_SQUARE: Final = 4
F_CURLY: Final = 5

# What edits write most, by its number in WORDS.
W_NOTHING: Final = 0
W_QUOTE: Final = 1
W_TRUE: Final = 2
W_FALSE: Final = 3
W_NULL: Final = 4
W_ESCAPED_QUOTE: Final = 11
WORDS: Final = (
    *("", '"', "true", "false", "null"),
    *(",", ":", "[", "]", "{", "}"),
    '\\"',
)
