# cython: language_level=3, boundscheck=False, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""The lenient rewriter: text that is nearly JSON in, edits that make it JSON out.

The machine walks the text once.  Its state is a stack of open containers and a
*place*: what may come next (a value, a key, a colon, what follows a value, or the
inside of a string).  At each place a short list of readings is tried in order, the
valid one first and the repairs last; a repair is written down as an edit, and what
is valid is never touched.  So the answer is always a strict parse of the edited text.

Rules of this file:

* A step looks first and commits after: until it knows what to do it changes nothing.
  If the text so far does not decide, ``_NeedMore`` unwinds the step, and the same
  step runs again when more has come.  Chunked and whole text go the same way.
* Look-ahead remembers how far it has looked (``_end_quote``, ``_find``), and starts
  only at a quote, a comma, a closer or a line end, so that no stretch is looked at
  more than a constant number of times.
* Nothing here builds values, slices the rest of the text or recurses.
* It knows nothing of replies, fences or policies: only where its value starts.

It is plain Python; ``_mend.pxd`` gives C types to the compiled build.
"""

from __future__ import annotations

import re
from typing import Final

from ._chars import DOUBLE_QUOTES, FULL_WIDTH, INVISIBLE, SINGLE_QUOTES
from ._errors import LimitError
from ._types import Edit, EditKind

COMPILED: Final = not __file__.endswith(".py")

# Places: what may come next.
VALUE: Final = 0
KEY: Final = 1
COLON: Final = 2
AFTER: Final = 3
STRING: Final = 4
DONE: Final = 5

# Containers, and what the last item of one was.
NOTHING: Final = 0
OBJECT: Final = 1
ARRAY: Final = 2
SET: Final = 3  # braces around bare items: {1, 2}
PAREN: Final = 4  # a tuple: (1, 2)
WRAP: Final = 5  # a call or grouping around one value: ObjectId("..."), ("x")
SCALAR: Final = 6

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
Q_ENTITY: Final = 9  # &quot;

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
E_CUT: Final = 18
E_INNER_QUOTE: Final = 19
E_MISSING_QUOTE: Final = 20
E_MISSING_COLON: Final = 21
E_MISSING_VALUE: Final = 22
E_CLOSER: Final = 23
E_BARE_VALUE: Final = 24
E_STRAY_TEXT: Final = 25
E_ESCAPE: Final = 26
E_ESCAPED_MARKUP: Final = 27

KINDS: Final = tuple(EditKind)

CLOSERS_LOOKED_AT: Final = 32  # in a row, to tell which bracket one was meant to be

NUL: Final = "\0"  # stands for "no character": the end of the text

# Searches that remember: what they look for.
F_BLOCK_END: Final = 0
F_LINE_END: Final = 1
F_MARKUP_END: Final = 2
F_TRIPLE: Final = 3
F_TRIPLE_SINGLE: Final = 4
NEEDLES: Final = ("*/", "\n", "-->", '"""', "'''")

SPECIAL_QUOTES: Final = DOUBLE_QUOTES + SINGLE_QUOTES

# What ends the plain part of a string, by its delimiter.
STOPS: Final = (
    '"',
    '"',
    "'\"",
    DOUBLE_QUOTES + '"',
    SINGLE_QUOTES + "'\"",
    '`"',
    '"',
    "'\"",
    '"',
    '&"',
)

LITERALS: Final = {
    "true": "true",
    "false": "false",
    "null": "null",
    "none": "null",
    "undefined": "null",
    "nil": "null",
    "nan": "null",
    "inf": "null",
    "infinity": "null",
}
# json.loads reads these as floats, so they stay as they are.
FLOAT_WORDS: Final = ("NaN", "Infinity", "-Infinity")

_PLAIN: Final = tuple(
    re.compile(f"[^\\\\\\x00-\\x1f\\ud800-\\udfff{re.escape(stops)}]*+")
    for stops in STOPS
)
_SPACE: Final = re.compile(r"[ \t\n\r]*+")
_WORD: Final = re.compile(r"[\w$\-]*+")
_STRICT_NUMBER: Final = re.compile(
    r"-?+(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+"
)
# group 1 sign, 2 whole digits, 3 fraction, 4 exponent
_LOOSE_NUMBER: Final = re.compile(
    r"([+-]?+)([0-9][0-9_]*+)?+(?:(\.)([0-9][0-9_]*+)?+)?+(?:[eE]([+-]?+)([0-9]*+))?+n?+"
)
_HEX: Final = re.compile(r"([+-]?+)0[xX]([0-9a-fA-F]++)")


class _NeedMore(Exception):
    """The text so far does not decide this step."""


_NEED_MORE: Final = _NeedMore()


def skip_space(text: str, pos: int, end: int) -> int:
    """The first position from ``pos`` on that is no JSON white space."""
    if not COMPILED:
        return _SPACE.match(text, pos, end).end()  # type: ignore[union-attr]
    while pos < end:
        ch = text[pos]
        if ch != " " and ch != "\n" and ch != "\t" and ch != "\r":
            break
        pos += 1
    return pos


def skip_plain(text: str, pos: int, end: int, quote: int) -> int:
    """The first character from ``pos`` on that a string of this kind must look at."""
    if not COMPILED:
        return _PLAIN[quote].match(text, pos, end).end()  # type: ignore[union-attr]
    if quote == Q_DOUBLE:
        while pos < end:
            ch = text[pos]
            if ch == '"' or ch == "\\" or ch < " " or "\ud800" <= ch <= "\udfff":
                break
            pos += 1
        return pos
    stops = STOPS[quote]
    while pos < end:
        ch = text[pos]
        if ch == "\\" or ch < " " or "\ud800" <= ch <= "\udfff" or ch in stops:
            break
        pos += 1
    return pos


def skip_word(text: str, pos: int, end: int) -> int:
    """The end of the run of letters, digits, ``_``, ``$`` and ``-`` at ``pos``."""
    return _WORD.match(text, pos, end).end()  # type: ignore[union-attr]


def skip_number(text: str, pos: int, end: int) -> int:
    """The end of the strict JSON number at ``pos``, or ``pos``."""
    match = _STRICT_NUMBER.match(text, pos, end)
    return match.end() if match is not None else pos


def normalize_number(token: str) -> str:
    """The JSON form of a number in another language's form, or ``""``.

    Leading zeros are no number: ``02134`` is a postcode, and its zero counts.
    """
    match = _HEX.fullmatch(token)
    if match is not None:
        if len(token) > 4000:
            return ""
        sign = "-" if match[1] == "-" else ""
        return f"{sign}{int(match[2], 16)}"
    match = _LOOSE_NUMBER.fullmatch(token)
    if match is None or (match[2] is None and match[4] is None):
        return ""
    sign, whole, dot, fraction, exp_sign, exponent = match.groups()
    whole = (whole or "0").replace("_", "")
    if len(whole) > 1 and whole[0] == "0":
        return ""
    fraction = (fraction or "").replace("_", "")
    number = ("-" if sign == "-" else "") + whole
    if dot:
        number += "." + (fraction or "0")
    if exponent:
        number += f"e{exp_sign}{exponent}"
    return number


def starts_number(ch: str) -> bool:
    """Whether a number may start with this character."""
    return "0" <= ch <= "9" or ch == "-" or ch == "+" or ch == "."


def is_structure(ch: str) -> bool:
    """Whether the character ends a bare token."""
    return ch == "," or ch == "}" or ch == "]" or ch == ")" or ch == NUL or ch == ":"


def is_blank(ch: str) -> bool:
    """Whether the character is white space."""
    return ch == " " or ch == "\n" or ch == "\t" or ch == "\r"


def quote_length(quote: int) -> int:
    """How many characters a delimiter of this kind has."""
    if quote == Q_TRIPLE or quote == Q_TRIPLE_SINGLE:
        return 3
    if quote == Q_ESCAPED:
        return 2
    if quote == Q_ENTITY:
        return 6
    return 1


class Mender:
    """One value, read leniently from ``text[start:end]``.

    With ``final=False`` more text may come through ``feed``; ``close`` says that
    there is none.  ``run`` walks as far as the text decides and answers whether the
    value has ended.  Then ``pos`` is where, ``complete`` tells whether it ended by
    itself, and ``edits`` and ``mended`` give the repairs and the strict text.
    """

    def __init__(
        self,
        text: str,
        start: int = 0,
        end: int = -1,
        *,
        final: bool = True,
        max_depth: int = 512,
    ) -> None:
        self.text = text
        self.start = start
        self.end = len(text) if end < 0 else end
        self.final = final
        self.max_depth = max_depth
        self.pos = start
        self.place = VALUE
        self.complete = True
        self.open_depth = 0
        # the stack: kinds[0] is the root, which is no container
        self.depth = 0
        self.kinds = bytearray(1)
        self.lasts = bytearray(1)
        self.starts = [start]
        self.opened = [0]
        self.objects = 0
        self.arrays = 0
        self.parens = 0
        # the string being read
        self.quote = Q_NONE
        self.is_key = False
        self.body = start
        self.body_edits = 0
        self.doubled = False
        self.raw = False
        self.inner = 0
        self.inner_quotes = 0
        self.balance = 0
        self.balance_at = start
        self.counted = start
        self.curly = 0
        self.square = 0
        # the member or item begun: where it goes back to when the text is cut
        self.member_at = -1
        self.member_edits = 0
        self.comma_real = False
        self.number_at = -1
        # what was seen, for whoever judges whether this was JSON at all
        self.quoted_keys = 0
        self.bare_keys = 0
        self.quoted_values = 0
        self.bare_values = 0
        self.stray = 0
        # searches that remember
        self.quote_sought = Q_NONE
        self.quote_from = -1
        self.quote_at = -1
        self.found_from = [-1, -1, -1, -1, -1]
        self.found_at = [-1, -1, -1, -1, -1]
        # edits, column by column
        self.edit_starts: list[int] = []
        self.edit_ends: list[int] = []
        self.edit_texts: list[str] = []
        self.edit_kinds: list[int] = []

    # ---------------------------------------------------------------- driving

    def feed(self, more: str) -> bool:
        """Add text and go on; True when the value has ended."""
        self.text += more
        self.end = len(self.text)
        return self.run()

    def close(self) -> bool:
        """No more text comes: settle what is open."""
        self.final = True
        return self.run()

    def run(self) -> bool:
        """Walk as far as the text decides; True when the value has ended."""
        try:
            while self.place != DONE:
                self._step()
        except _NeedMore:
            return False
        return True

    def edits(self) -> tuple[Edit, ...]:
        """The repairs, in order."""
        return tuple(
            Edit(start, end, new, KINDS[kind])
            for start, end, new, kind in zip(
                self.edit_starts,
                self.edit_ends,
                self.edit_texts,
                self.edit_kinds,
                strict=True,
            )
        )

    def edit_codes(self) -> list[int]:
        """The kinds of the repairs, as indexes into ``EditKind``."""
        return self.edit_kinds

    def mended(self) -> str:
        """``text[start:pos]`` with the edits applied: strict JSON once it ended."""
        pieces: list[str] = []
        at = self.start
        for i in range(len(self.edit_starts)):
            start = self.edit_starts[i]
            if start > at:
                pieces.append(self.text[at:start])
            pieces.append(self.edit_texts[i])
            at = self.edit_ends[i]
        pieces.append(self.text[at : self.pos])
        return "".join(pieces)

    # ------------------------------------------------------------------ edits

    def _edit(self, start: int, end: int, new: str, kind: int) -> None:
        """Write down a repair; neighbouring removals of one kind become one."""
        last = len(self.edit_starts) - 1
        if (
            last >= 0
            and not new
            and self.edit_ends[last] == start
            and self.edit_kinds[last] == kind
            and not self.edit_texts[last]
            and last >= self.member_edits
        ):
            self.edit_ends[last] = end
            return
        self.edit_starts.append(start)
        self.edit_ends.append(end)
        self.edit_texts.append(new)
        self.edit_kinds.append(kind)

    def _insert_edit(self, index: int, start: int, end: int, new: str, kind: int) -> None:
        """Write down a repair of what was passed before."""
        self.edit_starts.insert(index, start)
        self.edit_ends.insert(index, end)
        self.edit_texts.insert(index, new)
        self.edit_kinds.insert(index, kind)

    def _forget_edits(self, count: int) -> None:
        """Take back the repairs after the first ``count``."""
        del self.edit_starts[count:]
        del self.edit_ends[count:]
        del self.edit_texts[count:]
        del self.edit_kinds[count:]

    # ---------------------------------------------------------------- looking

    def _at(self, pos: int) -> str:
        """The character at ``pos``, full-width structure as ASCII; NUL at the end."""
        if pos >= self.end:
            if not self.final:
                raise _NEED_MORE
            return NUL
        ch = self.text[pos]
        if ch > "\u3000" and ch in FULL_WIDTH:
            return FULL_WIDTH[ch]
        return ch

    def _before(self, pos: int) -> str:
        return self.text[pos - 1] if pos > self.start else "\n"

    def _find(self, which: int, pos: int) -> int:
        """Where the needle stands next; the end when nowhere."""
        if self.found_from[which] >= 0:
            if self.found_from[which] <= pos <= self.found_at[which]:
                return self.found_at[which]
        at = self.text.find(NEEDLES[which], pos, self.end)
        if at < 0:
            if not self.final:
                raise _NEED_MORE
            at = self.end
        self.found_from[which] = pos
        self.found_at[which] = at
        return at

    def _word_end(self, pos: int) -> int:
        """The end of the word at ``pos``, or ``pos``."""
        end = skip_word(self.text, pos, self.end)
        if end >= self.end and not self.final:
            raise _NEED_MORE
        return end

    def _number_end(self, pos: int) -> int:
        """The end of the strict JSON number at ``pos``, or ``pos``."""
        end = skip_number(self.text, pos, self.end)
        if self._word_end(end) >= self.end and not self.final:
            raise _NEED_MORE
        return end

    def _peek(self, pos: int) -> int:
        """The next position that is neither space nor comment; the end when none."""
        while True:
            pos = skip_space(self.text, pos, self.end)
            if pos >= self.end:
                if not self.final:
                    raise _NEED_MORE
                return self.end
            ch = self.text[pos]
            if ch == "<" or ch == "`" or ch == "~":
                if self._is_stop(pos):
                    return self.end
            if ch not in "/#<\\" and " " <= ch < "\x7f":
                return pos
            after = self._skip_odd(pos)
            if after == pos:
                return pos
            pos = after

    def _skip_odd(self, pos: int) -> int:
        """The end of the comment or invisible character at ``pos``, or ``pos``."""
        ch = self.text[pos]
        if ch == "/":
            following = self._at(pos + 1)
            if following == "/":
                return self._find(F_LINE_END, pos)
            if following == "*":
                return min(self._find(F_BLOCK_END, pos + 2) + 2, self.end)
            return pos
        if ch == "#":
            return self._find(F_LINE_END, pos) if self._is_remark(pos) else pos
        if ch == "\\":
            # an escaped line end between tokens: one level of escaping too many
            if self._at(pos + 1) in "nrt" and not self._at(pos + 2).isalnum():
                return pos + 2
            return pos
        if ch == "<":
            if pos + 4 > self.end and not self.final:
                raise _NEED_MORE
            if self.text.startswith("<!--", pos):
                return min(self._find(F_MARKUP_END, pos + 4) + 3, self.end)
            return pos
        if ch < " " or (ch >= "\x7f" and ch in INVISIBLE):
            return pos + 1
        return pos

    def _is_remark(self, pos: int) -> bool:
        """Whether ``#`` begins a comment: ``#0a7f2c,`` is a colour instead."""
        end = self._word_end(pos + 1)
        if end == pos + 1:
            return True
        return not is_structure(self._at(end))

    def _is_stop(self, pos: int) -> bool:
        """Whether a mark at ``pos`` ends the value from outside: a fence, a tag."""
        ch = self.text[pos]
        second = self._at(pos + 1)
        if ch == "<":
            return second == "/" or second == "|" or second == "\N{FULLWIDTH VERTICAL LINE}"
        return second == ch and self._at(pos + 2) == ch

    def _open_quote(self, pos: int) -> int:
        """The kind of the opening delimiter at ``pos``, or Q_NONE."""
        ch = self.text[pos]
        if ch == '"' or ch == "'":
            if self._at(pos + 1) == ch and self._at(pos + 2) == ch:
                if not is_structure(self._at(pos + 3)):
                    return Q_TRIPLE if ch == '"' else Q_TRIPLE_SINGLE
            return Q_DOUBLE if ch == '"' else Q_SINGLE
        if ch == "`":
            return Q_BACKTICK
        if ch == "\\":
            return Q_ESCAPED if self._at(pos + 1) == '"' else Q_NONE
        if ch == "&":
            if pos + 6 > self.end and not self.final:
                raise _NEED_MORE
            return Q_ENTITY if self.text.startswith("&quot;", pos) else Q_NONE
        if ch >= "\x80":
            if ch in DOUBLE_QUOTES:
                return Q_CURLY
            if ch in SINGLE_QUOTES:
                return Q_CURLY_SINGLE
        return Q_NONE

    def _close_length(self, pos: int, quote: int) -> int:
        """How long the delimiter at ``pos`` is that can close the kind; 0 if none."""
        ch = self.text[pos]
        if quote == Q_DOUBLE:
            return 1 if ch == '"' else 0
        if quote == Q_SINGLE:
            return 1 if ch == "'" else 0
        if quote == Q_CURLY:
            return 1 if ch == '"' or ch in DOUBLE_QUOTES else 0
        if quote == Q_CURLY_SINGLE:
            return 1 if ch == "'" or ch in SINGLE_QUOTES else 0
        if quote == Q_BACKTICK:
            return 1 if ch == "`" else 0
        if quote == Q_ESCAPED:
            if ch == "\\" and self._at(pos + 1) == '"':
                return 2
            return 1 if ch == '"' else 0
        if quote == Q_ENTITY:
            if ch != "&":
                return 0
            if pos + 6 > self.end and not self.final:
                raise _NEED_MORE
            return 6 if self.text.startswith("&quot;", pos) else 0
        mark = '"' if quote == Q_TRIPLE else "'"
        if ch == mark and self._at(pos + 1) == mark and self._at(pos + 2) == mark:
            return 3
        return 0

    def _end_quote(self, pos: int, quote: int) -> int:
        """The next delimiter from ``pos`` on that could close; the end when none."""
        if quote == self.quote_sought and self.quote_from <= pos <= self.quote_at:
            return self.quote_at
        at = pos
        while True:
            at = skip_plain(self.text, at, self.end, quote)
            if at >= self.end:
                if not self.final:
                    raise _NEED_MORE
                at = self.end
                break
            if self._close_length(at, quote) > 0:
                if quote != Q_SINGLE or not self._is_apostrophe(at):
                    break
            at += 2 if self.text[at] == "\\" else 1
        at = min(at, self.end)
        self.quote_sought = quote
        self.quote_from = pos
        self.quote_at = at
        return at

    def _is_apostrophe(self, pos: int) -> bool:
        """Whether letters stand on both sides of the mark at ``pos``."""
        return self._before(pos).isalnum() and self._at(pos + 1).isalnum()

    def _is_key(self, pos: int) -> bool:
        """Whether a key and its colon stand at ``pos``."""
        if pos >= self.end:
            return False
        quote = self._open_quote(pos)
        if quote != Q_NONE:
            close = self._end_quote(pos + quote_length(quote), quote)
            if close >= self.end:
                return False
            length = self._close_length(close, quote)
            return self._at(self._peek(close + length)) == ":"
        close = self._word_end(pos)
        if close == pos:
            return False
        while self._at(close) == ".":
            close = self._word_end(close + 1)
        if self._at(close) == '"':  # its opening quote alone is missing
            close += 1
        colon = self._peek(close)
        return self._at(colon) == ":" and self._at(colon + 1) != "/"

    def _is_value(self, pos: int) -> bool:
        """Whether a JSON value seems to start at ``pos``: no bare word."""
        ch = self._at(pos)
        if ch == NUL:
            return False
        if ch == "{" or ch == "[" or self._open_quote(pos) != Q_NONE:
            return True
        end = self._word_end(pos)
        if starts_number(ch):
            end = self._number_end(pos)
            return end > pos and (end >= self.end or not self._at(end).isalnum())
        return end > pos and self.text[pos:end].lower() in LITERALS

    # --------------------------------------------------------------- stepping

    def _step(self) -> None:
        if self.place == STRING:
            self._read_string()
            return
        ch = self._next_char()
        if self.pos >= self.end:
            self._cut()
        elif self.place == VALUE:
            self._read_value(ch)
        elif self.place == AFTER:
            self._read_after(ch)
        elif self.place == KEY:
            self._read_key(ch)
        else:
            self._read_colon(ch)

    def _next_char(self) -> str:
        """Pass over space, comments and invisible characters; what stands there."""
        while True:
            self.pos = pos = skip_space(self.text, self.pos, self.end)
            if pos >= self.end:
                if not self.final:
                    raise _NEED_MORE
                return NUL
            ch = self.text[pos]
            if ch == "<" or ch == "`" or ch == "~":
                if self._is_stop(pos):
                    self.end = pos
                    self.final = True
                    return NUL
            if ch not in "/#<\\" and " " <= ch < "\x7f":
                return ch
            after = self._skip_odd(pos)
            if after == pos:
                return self._at(pos)
            kind = E_COMMENT if ch in "/#<" else E_INVISIBLE
            self._edit(pos, after, "", E_ESCAPED_MARKUP if ch == "\\" else kind)
            self.pos = after

    def _take(self, ch: str) -> None:
        """Pass over one structural character, narrowing it when it is full-width."""
        if self.text[self.pos] != ch:
            self._edit(self.pos, self.pos + 1, ch, E_FULL_WIDTH)
        self.pos += 1

    def _drop(self, length: int, kind: int) -> None:
        """Remove the next characters."""
        self._edit(self.pos, self.pos + length, "", kind)
        self.pos += length
        if kind == E_STRAY_TEXT:
            self.stray += 1

    def _push(self, kind: int, place: int) -> None:
        """A container opens at ``pos``, whose opener is the next thing written."""
        if self.depth >= self.max_depth:
            raise LimitError(
                f"nested deeper than {self.max_depth} (max_depth)", self.pos
            )
        self.depth += 1
        self.kinds.append(kind)
        self.lasts.append(NOTHING)
        self.starts.append(self.pos)
        self.opened.append(len(self.edit_starts))
        self._count(kind, 1)
        self.place = place
        self.member_at = -1
        self.member_edits = len(self.edit_starts)

    def _count(self, kind: int, step: int) -> None:
        if kind == ARRAY:
            self.arrays += step
        elif kind == PAREN or kind == WRAP:
            self.parens += step
        else:
            self.objects += step

    def _pop(self) -> None:
        """The innermost container has ended: it is an item of the one around it."""
        kind = self.kinds.pop()
        self.lasts.pop()
        self.starts.pop()
        self.opened.pop()
        self.depth -= 1
        self._count(kind, -1)
        self._value_done(kind)

    def _value_done(self, kind: int) -> None:
        self.lasts[self.depth] = kind
        self.place = AFTER if self.depth > 0 else DONE
        if kind != SCALAR:
            self.number_at = -1

    # ----------------------------------------------------------------- values

    def _read_value(self, ch: str) -> None:
        """A value is due: at the root, after a colon, or as the item of an array."""
        self.number_at = -1
        if ch == "{":
            self._push_at_bracket(ch, OBJECT, KEY)
        elif ch == "[":
            self._push_at_bracket(ch, ARRAY, VALUE)
        elif ch == "(":
            self._push(WRAP, VALUE)
            self._drop(1, E_TUPLE)
            self.member_edits = len(self.edit_starts)
        elif ch == "," or ch == "}" or ch == "]" or ch == ")":
            self._read_no_value(ch)
        elif ch == ":":
            self._drop(1, E_STRAY_TEXT)
        elif self._skip_ellipsis():
            pass
        elif self._open_quote(self.pos) != Q_NONE:
            self._open_string(False)
        elif starts_number(ch):
            self._read_number()
        else:
            self._read_word()

    def _push_at_bracket(self, ch: str, kind: int, place: int) -> None:
        self._push(kind, place)
        self._take(ch)
        self.member_edits = len(self.edit_starts)

    def _read_no_value(self, ch: str) -> None:
        """A comma or closer stands where a value was due."""
        kind = self.kinds[self.depth]
        if kind == OBJECT:
            self._edit(self.pos, self.pos, "null", E_MISSING_VALUE)
            self._value_done(SCALAR)
        elif self.depth == 0:
            self._drop(1, E_STRAY_TEXT)
        elif ch == ",":
            self._drop(1, E_COMMA)
        else:
            self._drop_comma()
            self.place = AFTER
            self._read_closer(ch)

    def _drop_comma(self) -> None:
        """Take back the comma that promised an item which never came."""
        if self.member_at < 0:
            return
        if self.comma_real:
            at = self.member_at
            self._insert_edit(self.member_edits, at, at + 1, "", E_COMMA)
        else:
            index = self.member_edits
            del self.edit_starts[index]
            del self.edit_ends[index]
            del self.edit_texts[index]
            del self.edit_kinds[index]
        self.member_at = -1
        self.member_edits = len(self.edit_starts)

    def _skip_ellipsis(self) -> bool:
        """``...`` stands for what the writer left out; it is dropped."""
        end = self._ellipsis_end(self.pos)
        if end == self.pos:
            return False
        self._drop(end - self.pos, E_ELLIPSIS)
        return True

    def _ellipsis_end(self, pos: int) -> int:
        end = pos
        if self._at(pos) == "\N{HORIZONTAL ELLIPSIS}":
            end = pos + 1
        else:
            while self._at(end) == ".":
                end += 1
            if end < pos + 3:
                return pos
        following = self._at(end)
        if not (is_structure(following) or is_blank(following) or following == "/"):
            return pos
        note = skip_space(self.text, end, self.end)
        if self._at(note) != "(":
            return end
        while note < self.end and self._at(note) not in ")\n\"":
            note += 1
        return note + 1 if self._at(note) == ")" else note

    def _read_number(self) -> None:
        """A number, in JSON's form or another's; else it is the start of a word."""
        pos = self.pos
        end = self._number_end(pos)
        following = self._at(end)
        ends = is_structure(following) or is_blank(following) or following == ";"
        if following == "#" or following == "/" or following == "\\":
            ends = self._skip_odd(end) > end
        if end > pos and ends:
            if following != ":" and not self._is_phrase(end):
                self.number_at = pos
                self.pos = end
                self._value_done(SCALAR)
                return
        end = self._token_end(pos)
        if self._at(end) == ":":  # 07:30, 1:50
            self._read_bare_value()
            return
        token = self.text[pos:end]
        if (token == "-" or token == "+") and self._peek(end) >= self.end:
            self._drop(self.end - pos, E_CUT)
            self._cut()
            return
        if not self._is_phrase(end) and (end < self.end or not self._cut_number(token)):
            new = self._number_text(token)
            if new:
                self._edit(pos, end, new, E_NUMBER)
                self.pos = end
                self._value_done(SCALAR)
            else:
                self._read_bare_value()
        elif self.place == VALUE:
            self._read_bare_value()

    def _number_text(self, token: str) -> str:
        if token in FLOAT_WORDS:
            return token
        if token[0] in "+-" and token[1:].lower() in ("nan", "inf", "infinity"):
            return "Infinity" if token == "+Infinity" else "null"
        return normalize_number(token)

    def _cut_number(self, token: str) -> bool:
        """A number that the end of the text broke off keeps its whole part."""
        stem = token.rstrip("+-")
        if stem == token and not token.endswith((".", "e", "E")):
            return False
        new = normalize_number(stem.rstrip("eE").rstrip("."))
        if not new:
            return False
        self._edit(self.pos, self.end, new, E_CUT)
        self.pos = self.end
        self.complete = self.complete and self.depth == 0
        self._value_done(SCALAR)
        return True

    def _token_end(self, pos: int) -> int:
        """The end of the run without space, structure or quotes."""
        while pos < self.end:
            ch = self.text[pos]
            if is_structure(ch) or is_blank(ch) or ch in "\"{[(#;\\":
                return pos
            if ch >= "\x7f" and (ch in FULL_WIDTH or ch in INVISIBLE):
                return pos
            if ch == "/" and self._at(pos + 1) in "/*":
                return pos
            pos += 1
        if not self.final:
            raise _NEED_MORE
        return pos

    def _is_phrase(self, end: int) -> bool:
        """Whether words go on after the token that ended: ``10 USD``, ``True North``."""
        ch = self._at(end)
        if ch == "\n" or ch == "\r":
            return False
        after = self._peek(end)
        if after >= self.end or self._find(F_LINE_END, end) < after:
            return False
        ch = self._at(after)
        if is_structure(ch) or ch == "{" or ch == "[" or ch == ";":
            return False
        if ch == "." or self._open_quote(after) != Q_NONE:
            return ch == '"' and after == end and self._is_missing_opener(after)
        if self._is_key(after):
            return False
        if self.kinds[self.depth] != OBJECT:
            return not self._is_value(after)
        return True

    def _is_missing_opener(self, quote_at: int) -> bool:
        """Whether the quote right after a token closes it: ``abc",``."""
        after = self._peek(quote_at + 1)
        return is_structure(self._at(after)) and not self._is_key(quote_at)

    def _read_word(self) -> None:
        """A literal, a call around a value, a prefixed string, or a bare value."""
        pos = self.pos
        end = self._word_end(pos)
        word = self.text[pos:end]
        following = self._at(end)
        if following == "(" or (word == "new" and following == " "):
            if self._read_call(end):
                return
        if following == '"' or following == "'":
            if word in ("r", "b", "f", "u", "rb", "br", "fr", "rf"):
                self._drop(end - pos, E_LITERAL)
                return
        literal = self._literal_of(word, end)
        if literal and not self._is_phrase(end):
            if literal != word:
                cut = end >= self.end and word.lower() not in LITERALS
                self._edit(pos, end, literal, E_CUT if cut else E_LITERAL)
            self.pos = end
            self._value_done(SCALAR)
            return
        self._read_bare_value()

    def _literal_of(self, word: str, end: int) -> str:
        """The JSON literal that a word stands for, or ``""``."""
        if word in FLOAT_WORDS:
            return word
        lowered = word.lower()
        if lowered in LITERALS:
            return LITERALS[lowered]
        if end >= self.end and self.depth > 0 and lowered:
            for name in ("true", "false", "null", "none", "undefined"):
                if name.startswith(lowered):
                    return LITERALS[name]
        return ""

    def _read_call(self, end: int) -> bool:
        """``ObjectId("…")``, ``callback({…})``: the call is nothing, its argument all."""
        if self.text[end] == " ":
            end = self._word_end(self._peek(end))
        while self._at(end) == ".":
            end = self._word_end(end + 1)
        if self._at(end) != "(":
            return False
        inside = self._peek(end + 1)
        ch = self._at(inside)
        if starts_number(ch):
            # one letter and a number, F(3), is how people write, not a call
            if end - self.pos < 2 or not self._ends_call(inside):
                return False
        elif ch == ")":
            return False
        elif ch != "{" and ch != "[" and ch != "(":
            quote = self._open_quote(inside) if inside < self.end else Q_NONE
            if quote == Q_NONE:
                return False
        self._push(WRAP, VALUE)
        self._drop(end + 1 - self.pos, E_WRAPPER)
        self.member_edits = len(self.edit_starts)
        return True

    def _ends_call(self, pos: int) -> bool:
        return self._at(self._peek(self._number_end(pos))) == ")"

    # ------------------------------------------------------------ bare values

    def _read_bare_value(self) -> None:
        """Words without quotes: a string that ends where the structure goes on."""
        pos = self.pos
        end = self._bare_end(pos)
        closed = end < self.end and self.text[end] == '"' and self._is_bare_close(end)
        last = end
        while not closed and last > pos and is_blank(self.text[last - 1]):
            last -= 1
        if last == pos and not closed:
            self._drop_stray()
            return
        self.bare_values += 1
        kind = E_MISSING_QUOTE if closed else E_BARE_VALUE
        self._edit(pos, pos, '"', kind)
        self._escape_bare(pos, last)
        self.pos = last + 1 if closed else last
        if not closed:
            if end >= self.end:
                kind = E_CUT if self.depth > 0 else kind
            self._edit(last, last, '"', kind)
        self._value_done(SCALAR)

    def _escape_bare(self, pos: int, end: int) -> None:
        """What stands bare means itself: backslashes and quotes are escaped."""
        while True:
            pos = skip_plain(self.text, pos, end, Q_DOUBLE)
            if pos >= end:
                return
            ch = self.text[pos]
            if ch == '"' or ch == "\\":
                self._edit(pos, pos + 1, "\\" + ch, E_INNER_QUOTE)
            else:
                self._edit_control(pos)
            pos += 1

    def _edit_control(self, pos: int) -> None:
        """A raw control character or lone surrogate inside a string."""
        ch = self.text[pos]
        if ch < " ":
            self._edit(pos, pos + 1, control_escape(ch), E_CONTROL)
        else:
            self._edit(pos, pos + 1, "\N{REPLACEMENT CHARACTER}", E_SURROGATE)

    def _bare_end(self, pos: int) -> int:
        """Where a bare value ends: at structure that something valid follows."""
        in_object = self.kinds[self.depth] == OBJECT
        nested = 0
        reach = pos if in_object else self._lost_opener(pos)
        while True:
            if pos >= self.end:
                if not self.final:
                    raise _NEED_MORE
                return self.end
            ch = self._at(pos)
            if ch == "(" or ch == "{" or ch == "[":
                nested += 1
            elif ch == ")" or ch == "}" or ch == "]":
                if nested == 0 and self._ends_bare_at(ch):
                    return pos
                nested = max(nested - 1, 0)
            elif ch == "," or ch == ";":
                if pos >= reach and self._ends_bare_comma(pos, in_object, nested):
                    return pos
            elif ch == "\n":
                if nested == 0 and self._ends_bare_line(pos, in_object):
                    return pos
            elif ch == '"':
                if self._is_bare_close(pos) or self._is_bare_stop(pos, in_object):
                    return pos
            elif ch == "/" or ch == "#":
                if is_blank(self._before(pos)) and self._skip_odd(pos) > pos:
                    return pos
            elif ch == "`" or ch == "<":
                if self._is_stop(pos):
                    return pos
            pos += 1

    def _lost_opener(self, pos: int) -> int:
        """Where the item at ``pos`` closes that lost its opening quote; else ``pos``.

        ``[to Paris, by Friday", "next"]``: one item, if the line has no brackets.
        """
        close = self._end_quote(pos, Q_DOUBLE)
        if close >= self.end or self._before(close) in ",[{: \n":
            return pos
        if not self._is_bare_close(close):
            return pos
        at = pos
        while at < close:
            if self.text[at] in "[]{}\n":
                return pos
            at += 1
        return close

    def _ends_bare_at(self, ch: str) -> bool:
        """Whether this closer closes something that is open around the bare value."""
        if ch == "}":
            return self.objects > 0
        if ch == "]":
            return self.arrays > 0 or self.objects > 0
        return self.parens > 0

    def _ends_bare_comma(self, pos: int, in_object: bool, nested: int) -> bool:
        if not in_object:
            return nested == 0
        after = self._peek(pos + 1)
        ch = self._at(after)
        if nested > 0:
            return ch == '"' and self._is_key(after)
        return is_structure(ch) or self._is_key(after)

    def _ends_bare_line(self, pos: int, in_object: bool) -> bool:
        after = self._peek(pos)
        ch = self._at(after)
        if is_structure(ch):
            return True
        return not in_object or self._is_key(after)

    def _is_bare_close(self, pos: int) -> bool:
        """Whether this quote is the end of a string whose opening quote is missing."""
        after = self._peek(pos + 1)
        ch = self._at(after)
        if ch == ":":
            return False
        if ch == ",":
            following = self._peek(after + 1)
            if self.kinds[self.depth] == OBJECT:
                if not is_structure(self._at(following)):
                    return self._is_key(following)
            return True
        return is_structure(ch) and not is_blank(self._before(pos))

    def _is_bare_stop(self, pos: int, in_object: bool) -> bool:
        """Whether this quote begins the next key or item."""
        if in_object:
            return self._is_key(pos)
        close = self._end_quote(pos + 1, Q_DOUBLE)
        return close < self.end and is_structure(self._at(self._peek(close + 1)))

    # ------------------------------------------------------------ after a value

    def _read_after(self, ch: str) -> None:
        """An item or member is whole: a comma or a closer is due."""
        if ch == "," or ch == ";":
            self._read_comma(ch)
        elif ch == "}" or ch == "]" or ch == ")":
            self._read_closer(ch)
        elif self._skip_ellipsis():
            pass
        elif self.kinds[self.depth] == OBJECT:
            self._read_after_member(ch)
        elif ch == ":" or ch == "=" or ch == "+" or not self._is_item(ch):
            self._drop_stray()
        else:
            self._insert_comma()

    def _is_item(self, ch: str) -> bool:
        """Whether what follows in an array can be an item: a bare word may, alone."""
        if self._is_value(self.pos) or ch == "(":
            return True
        return ch.isalnum() or ch == "_" or ch == "$"

    def _insert_comma(self) -> None:
        """The comma between two values is missing."""
        self.member_at = self.pos
        self.member_edits = len(self.edit_starts)
        self.comma_real = False
        self._edit(self.pos, self.pos, ",", E_MISSING_COMMA)
        self._after_comma(self.pos)

    def _after_comma(self, following: int) -> None:
        """What a comma leads to; an array may turn out to hold members."""
        kind = self.kinds[self.depth]
        if kind == WRAP:
            self.kinds[self.depth] = PAREN
            self.edit_texts[self.opened[self.depth]] = "["
            kind = PAREN
        self.place = KEY if kind == OBJECT else VALUE

    def _read_after_member(self, ch: str) -> None:
        """Something stands after a member where a comma or brace was due."""
        if self._is_key(self.pos):
            self._insert_comma()
        elif ch == "{" and self._around() == ARRAY:
            self._insert_closer()
        elif ch == "{" or ch == "[" or ch == "(":
            self._drop(1, E_CLOSER)
        else:
            quote = self._open_quote(self.pos)
            if quote == Q_NONE:
                self._drop_stray()
                return
            close = self._end_quote(self.pos + quote_length(quote), quote)
            if close >= self.end:
                self._drop(self.end - self.pos, E_STRAY_TEXT)
                return
            close += self._close_length(close, quote)
            if self._is_value(self._peek(close)):
                self._insert_comma()
            else:
                self._drop(close - self.pos, E_STRAY_TEXT)

    def _around(self) -> int:
        """The container around the innermost one."""
        return self.kinds[self.depth - 1] if self.depth > 0 else NOTHING

    def _drop_stray(self) -> None:
        """Remove a run of text that is no part of the structure."""
        pos = self.pos + 1
        while pos < self.end:
            ch = self._at(pos)
            if is_structure(ch) or ch == "{" or ch == "[" or ch == "\n":
                break
            if self._open_quote(pos) != Q_NONE and not self._is_apostrophe(pos):
                break
            if ch == "/" or ch == "#" or ch == "<":
                if self._skip_odd(pos) > pos or ch == "<":
                    break
            pos += 1
        if pos >= self.end and not self.final:
            raise _NEED_MORE
        self._drop(pos - self.pos, E_STRAY_TEXT)

    def _read_comma(self, ch: str) -> None:
        """A comma: between two things, or before nothing."""
        after = self._peek(self.pos + 1)
        while self._ellipsis_end(after) > after:
            after = self._peek(self._ellipsis_end(after))
        following = self._at(after)
        if following == "," or following == ";":
            self._drop(1, E_COMMA)
            return
        if following == "}" or following == "]" or following == ")":
            self._drop(1, E_COMMA)
            return
        kind = self.kinds[self.depth]
        if kind == OBJECT:
            if self._join_thousands():
                return
            if following == "{" and self._around() == ARRAY:
                self._insert_closer()
                return
        elif self._is_quoted_key(after):
            if self._around() == OBJECT and kind == ARRAY:
                self._insert_closer()
                return
            self._take_comma(ch)
            self._open_implied(after)
            return
        elif kind == ARRAY and self._lacks_row(after):
            self._take_comma(ch)
            self._open_row(after)
            return
        self._take_comma(ch)
        self._after_comma(after)

    def _take_comma(self, ch: str) -> None:
        self.member_at = self.pos
        self.member_edits = len(self.edit_starts)
        self.comma_real = True
        if ch == ";":
            self._edit(self.pos, self.pos + 1, ",", E_MISSING_COMMA)
            self.comma_real = False
            self.pos += 1
        else:
            self._take(",")
            self.comma_real = self.text[self.pos - 1] == ","

    def _is_quoted_key(self, pos: int) -> bool:
        return (
            pos < self.end and self._open_quote(pos) != Q_NONE and self._is_key(pos)
        )

    def _open_implied(self, at: int) -> None:
        """Members stand in an array: the brace before them is missing."""
        self._skip_to(at)
        self._push(OBJECT, KEY)
        self._edit(self.pos, self.pos, "{", E_CLOSER)
        self.member_edits = len(self.edit_starts)

    def _skip_to(self, at: int) -> None:
        """Pass over the space and comments up to ``at``."""
        while self.pos < at:
            self._next_char()
            if self.pos < at and not self._skip_ellipsis():
                break

    def _lacks_row(self, pos: int) -> bool:
        """Whether scalars follow rows and end in ``], [``: a row lost its opener.

        corpus: replies/missing-bracket/row-opener
        """
        if self.lasts[self.depth] != ARRAY or self._around() != OBJECT:
            return False
        while True:
            ch = self._at(pos)
            quote = self._open_quote(pos) if ch != NUL else Q_NONE
            if quote != Q_NONE:
                pos = self._end_quote(pos + quote_length(quote), quote)
                if pos < self.end:
                    pos += self._close_length(pos, quote)
            else:
                pos = self._token_end(pos)
            pos = self._peek(pos)
            if self._at(pos) != ",":
                break
            pos = self._peek(pos + 1)
        if self._at(pos) != "]":
            return False
        pos = self._peek(pos + 1)
        return self._at(pos) == "," and self._at(self._peek(pos + 1)) == "["

    def _open_row(self, at: int) -> None:
        self._skip_to(at)
        self._push(ARRAY, VALUE)
        self._edit(self.pos, self.pos, "[", E_CLOSER)
        self.member_edits = len(self.edit_starts)

    def _join_thousands(self) -> bool:
        """``1,234,567`` where a key is due after the comma can only be one number."""
        first = self.number_at
        pos = self.pos
        if first < 0 or pos - first > 4 or self._before(pos) == "." or self.text[pos] != ",":
            return False
        if not self.text[first:pos].lstrip("-").isdigit():
            return False
        end = pos
        while self._at(end) == "," and self._is_group(end + 1):
            end += 4
        if end == pos:
            return False
        if self._at(end) == "." and self._at(end + 1).isdigit():
            end += 1
            while self._at(end).isdigit():
                end += 1
        if self._at(self._peek(end)) == ":":
            return False
        while self.pos < end:
            if self.text[self.pos] == ",":
                self._drop(1, E_NUMBER)
            else:
                self.pos += 1
        self.number_at = -1
        return True

    def _is_group(self, pos: int) -> bool:
        """Whether exactly three digits stand at ``pos``."""
        for offset in range(3):
            if not "0" <= self._at(pos + offset) <= "9":
                return False
        return not ("0" <= self._at(pos + 3) <= "9" or self._at(pos + 3) == ":")

    # ---------------------------------------------------------------- closers

    def _read_closer(self, ch: str) -> None:
        """A closing bracket: of the innermost container, of one around it, of none."""
        if not self._ends_something(ch):
            self._read_surplus(ch)
        elif self._closes(self.kinds[self.depth], ch):
            self._close_top(ch)
        elif self._is_mistyped(ch):
            self._edit(self.pos, self.pos + 1, self._closer_of(self.depth), E_CLOSER)
            self.pos += 1
            self._pop()
        else:
            self._insert_closer()

    def _ends_something(self, ch: str) -> bool:
        if ch == "}":
            return self.objects > 0
        if ch == "]":
            return self.arrays > 0
        return self.parens > 0

    def _closes(self, kind: int, ch: str) -> bool:
        if ch == "}":
            return kind == OBJECT or kind == SET
        if ch == "]":
            return kind == ARRAY
        return kind == PAREN or kind == WRAP

    def _closer_of(self, depth: int) -> str:
        kind = self.kinds[depth]
        if kind == OBJECT:
            return "}"
        if kind != WRAP:
            return "]"
        if self.lasts[depth] == NOTHING:
            self.edit_texts[self.opened[depth]] = "["
            return "]"
        return ""

    def _close_top(self, ch: str) -> None:
        kind = self.kinds[self.depth]
        if kind == OBJECT and self._around() != OBJECT and self._goes_on(self.pos + 1):
            self._drop(1, E_CLOSER)
            return
        if kind == ARRAY and self._around() == OBJECT and self._goes_on_array():
            return
        if kind == OBJECT or kind == ARRAY:
            self._take(ch)
        else:
            new = self._closer_of(self.depth)
            opener = self.opened[self.depth]
            self._edit(self.pos, self.pos + 1, new, self.edit_kinds[opener])
            self.pos += 1
        self._pop()

    def _goes_on(self, pos: int) -> bool:
        """Whether members follow a brace that no object around it can take.

        corpus: replies/extra-bracket, replies/premature-close
        """
        after = self._peek(pos)
        surplus = False
        while self._at(after) == "}" and self.objects == 1:
            after = self._peek(after + 1)
            surplus = True
        if self._at(after) != ",":
            return False
        if self.depth > 2 and self.kinds[self.depth - 2] == OBJECT and not surplus:
            return False  # the array ended instead, and lost its bracket
        after = self._peek(after + 1)
        quote = self._open_quote(after) if after < self.end else Q_NONE
        if quote == Q_NONE:
            return False
        if self._is_key(after):
            return True
        # the colon may be missing too, when nothing but the object can go on
        if self.depth != 1:
            return False
        close = self._end_quote(after + quote_length(quote), quote)
        if close >= self.end:
            return False
        value = self._peek(close + self._close_length(close, quote))
        return value < self.end and self._open_quote(value) != Q_NONE

    def _goes_on_array(self) -> bool:
        """``["a"], ["b"]`` where a key is due: the second array goes on the first."""
        comma = self._peek(self.pos + 1)
        if self._at(comma) != ",":
            return False
        bracket = self._peek(comma + 1)
        if self._at(bracket) != "[":
            return False
        empty = self.lasts[self.depth] == NOTHING
        new = "" if empty or self._at(self._peek(bracket + 1)) == "]" else ","
        self._edit(self.pos, bracket + 1, new, E_CLOSER)
        self.pos = bracket + 1
        self.place = VALUE if new or empty else AFTER
        self.member_at = -1
        self.member_edits = len(self.edit_starts)
        return True

    def _is_mistyped(self, ch: str) -> bool:
        """Whether the closer was meant for the innermost container after all.

        Else it closes what is between too.  What follows tells: in
        ``{"a": [1, 2}, "b": 3}`` the object goes on.
        """
        outer = self.depth - 1
        while not self._closes(self.kinds[outer], ch):
            outer -= 1
        if self._fits(outer - 1, self.pos + 1):
            return False
        return self._fits(self.depth - 1, self.pos + 1)

    def _fits(self, depth: int, pos: int) -> bool:
        """Whether what stands at ``pos`` can go on where ``depth`` are still open."""
        at = self._peek(pos)
        ch = self._at(at)
        steps = 0
        while ch == "}" or ch == "]" or ch == ")":
            if depth == 0 or not self._closes(self.kinds[depth], ch):
                return False
            steps += 1
            if steps > CLOSERS_LOOKED_AT:
                return True
            depth -= 1
            at = self._peek(at + 1)
            ch = self._at(at)
        if depth == 0 or ch == NUL:
            return depth == 0 and ch == NUL
        if ch != ",":
            return True
        following = self._peek(at + 1)
        if is_structure(self._at(following)):
            return True
        return (self.kinds[depth] == OBJECT) == self._is_key(following)

    def _read_surplus(self, ch: str) -> None:
        """A closer that nothing open answers to: mistyped, or one too many."""
        if not self._fits(self.depth - 1, self.pos + 1):
            self._drop(1, E_CLOSER)
            return
        self._edit(self.pos, self.pos + 1, self._closer_of(self.depth), E_CLOSER)
        self.pos += 1
        self._pop()

    def _insert_closer(self) -> None:
        """The innermost container was left open: close it here."""
        new = self._closer_of(self.depth)
        self._edit(self.pos, self.pos, new, E_CLOSER)
        self._pop()

    # ------------------------------------------------------------------- keys

    def _read_key(self, ch: str) -> None:
        """A key is due, or the end of the object."""
        first = self.lasts[self.depth] == NOTHING
        if ch == "}" or ch == "]" or ch == ")":
            self._drop_comma()
            self._read_closer(ch)
        elif ch == ",":
            self._drop(1, E_COMMA)
        elif ch == "{" or ch == "[" or ch == "(":
            if ch == "[" and first:
                self._become_set()
                self.place = VALUE
            else:
                self._drop(1, E_CLOSER)
        elif self._skip_ellipsis():
            pass
        elif self._open_quote(self.pos) != Q_NONE:
            self._begin_member()
            self._open_string(True)
        elif ch.isalnum() or ch == "_" or ch == "$" or starts_number(ch):
            self._read_bare_key(first)
        else:
            self._drop_stray()

    def _begin_member(self) -> None:
        """Remember where a member starts that has no comma before it."""
        if self.member_at < 0:
            self.member_at = self.pos
            self.member_edits = len(self.edit_starts)

    def _become_set(self) -> None:
        """Braces around items that have no keys make an array."""
        at = self.starts[self.depth]
        index = self.opened[self.depth]
        if index < len(self.edit_starts) and self.edit_starts[index] == at:
            self.edit_ends[index] = at + 1
            self.edit_texts[index] = "["
            self.edit_kinds[index] = E_TUPLE
        else:
            self._insert_edit(index, at, at + 1, "[", E_TUPLE)
        self.kinds[self.depth] = SET

    def _read_bare_key(self, first: bool) -> None:
        """A key without quotes; without a colon it is an item of a set, or stray."""
        pos = self.pos
        end = self._bare_key_end(pos)
        after = self._peek(end)
        following = self._at(after)
        if following == ":" or following == "=":
            self._take_bare_key(end)
        elif following == NUL:
            self._begin_member()
            self.pos = self.end
            self._cut()
        elif (following == "," or following == "}") and first:
            self._become_set()
            self.place = VALUE
        elif self._open_quote(after) != Q_NONE and not self._is_key(after):
            self._take_bare_key(end)
        elif self._before(end) == '"' or self._is_value_word(after):
            self._take_bare_key(end)
        else:
            self._drop_stray()

    def _is_value_word(self, pos: int) -> bool:
        ch = self._at(pos)
        return ch != NUL and self._open_quote(pos) == Q_NONE and self._is_value(pos)

    def _bare_key_end(self, pos: int) -> int:
        """The end of a bare key: words up to a colon on the same line."""
        end = self._word_end(pos)
        while True:
            while self._at(end) == "." or self._at(end) == "@" or self._at(end) == "/":
                if self._skip_odd(end) > end:
                    return end
                end = self._word_end(end + 1)
            if self._at(end) != " ":
                return max(end, pos + 1)
            following = self._word_end(end + 1)
            if following == end + 1 or self._at(following) not in " :":
                return end
            if self.text[end + 1 : following].lower() in LITERALS:
                return end
            end = following

    def _take_bare_key(self, end: int) -> None:
        self._begin_member()
        pos = self.pos
        self.bare_keys += 1
        self._edit(pos, pos, '"', E_BARE_KEY)
        self._escape_bare(pos, end)
        self.pos = end
        if self._at(end) == '"' and self._at(self._peek(end + 1)) == ":":
            self.pos += 1  # the opening quote alone is missing
        else:
            self._edit(end, end, '"', E_BARE_KEY)
        self.place = COLON

    def _read_colon(self, ch: str) -> None:
        """A colon is due after a key."""
        pos = self.pos
        if ch == ":":
            walrus = self._at(pos + 1) == "="
            self._take(ch)
            if walrus:
                self._drop(1, E_MISSING_COLON)
            self.place = VALUE
        elif ch == "=":
            length = 2 if self._at(pos + 1) == ">" else 1
            self._edit(pos, pos + length, ":", E_MISSING_COLON)
            self.pos += length
            self.place = VALUE
        elif ch == "," or ch == "}" or ch == "]" or ch == ")":
            if self.lasts[self.depth] == NOTHING and ch != "]":
                self._become_set()
            else:
                self._edit(pos, pos, ": null", E_MISSING_VALUE)
            self._value_done(SCALAR)
        else:
            self._edit(pos, pos, ":", E_MISSING_COLON)
            self.place = VALUE

    # ---------------------------------------------------------------- strings

    def _open_string(self, is_key: bool) -> None:
        """A string begins: note its delimiter, and what it will be part of."""
        pos = self.pos
        quote = self._open_quote(pos)
        length = quote_length(quote)
        if not is_key and self.kinds[self.depth] == ARRAY:
            if self.lasts[self.depth] == NOTHING and self._is_key(pos):
                self._open_implied(pos)
                return
        if is_key:
            colon = self._lost_key_quote(pos)
            if colon >= 0:
                self.quoted_keys += 1
                if quote != Q_DOUBLE:
                    self._edit(pos, pos + length, '"', E_QUOTE_MARK)
                self._edit(colon, colon, '"', E_MISSING_QUOTE)
                self.pos = colon
                self.place = COLON
                return
        doubled = length == 1 and self._is_doubled(pos, is_key)
        self.quote = quote
        self.is_key = is_key
        self.doubled = doubled
        self.raw = False
        self.inner = 0
        self.inner_quotes = 0
        if is_key:
            self.quoted_keys += 1
        else:
            self.quoted_values += 1
        if quote != Q_DOUBLE:
            marks = quote == Q_ESCAPED or quote == Q_ENTITY
            kind = E_ESCAPED_MARKUP if marks else E_QUOTE_MARK
            self._edit(pos, pos + length, '"', kind)
        self.pos = pos + length
        if doubled:
            self._drop(1, E_QUOTE_MARK)
        self.body = self.counted = self.pos
        self.body_edits = len(self.edit_starts)
        self.curly = 0
        self.square = 0
        self.place = STRING

    def _lost_key_quote(self, pos: int) -> int:
        """The colon before which a key's closing quote is missing; -1 if it is not.

        ``"score: 9, "count": 1``: the next quote closes no key, but a value starts
        after the colon.
        """
        quote = self._open_quote(pos)
        if quote_length(quote) != 1:
            return -1
        colon = self._word_end(pos + 1)
        if colon == pos + 1 or self._at(colon) != ":":
            return -1
        close = self._end_quote(pos + 1, quote)
        if close >= self.end or self._at(self._peek(close + 1)) == ":":
            return -1
        return colon if self._is_value(self._peek(colon + 1)) else -1

    def _is_doubled(self, pos: int, is_key: bool) -> bool:
        """Whether two marks open the string together: ``""answer"": …``."""
        ch = self.text[pos]
        if self._at(pos + 1) != ch:
            return False
        after = self._at(pos + 2)
        if is_structure(after) or after == ch or after in "/#+<\n\r":
            return False
        if is_blank(after):
            if not is_key:
                return False
            following = self._at(self._peek(pos + 2))
            return following.isalnum()
        close = self._end_quote(pos + 2, self._open_quote(pos))
        if close >= self.end:
            return True
        following = self._at(self._peek(close + 1))
        return is_structure(following) or self._at(close + 1) == ch

    def _read_string(self) -> None:
        """Go on inside a string, up to the quote that closes it."""
        while True:
            self.pos = pos = skip_plain(self.text, self.pos, self.end, self.quote)
            if pos >= self.end:
                if not self.final:
                    raise _NEED_MORE
                self._cut_string(self.end)
                return
            length = self._close_length(pos, self.quote)
            if length > 0:
                if self._try_close(pos, length):
                    return
                continue
            ch = self.text[pos]
            if ch == "\\":
                if self._read_escape(pos):
                    return
            elif ch == '"':
                self._edit(pos, pos + 1, '\\"', E_QUOTE_MARK)
                self.pos = pos + 1
            elif ch < " " or "\ud800" <= ch <= "\udfff":
                self._edit_control(pos)
                self.pos = pos + 1
            else:
                self.pos = pos + 1

    def _try_close(self, pos: int, length: int) -> bool:
        """The string ends here, ended before, or goes on past an inner quote."""
        if self.quote == Q_TRIPLE or self.quote == Q_TRIPLE_SINGLE:
            self._end_string(pos, length)
            return True
        if self._is_closing(pos, length):
            self._end_string(pos, length)
            return True
        before = self._ended_before(pos)
        if before >= 0:
            self._end_string_before(before)
            return True
        self._note_inner_quote(pos, length)
        if self.text[pos] == '"':
            self._edit(pos, pos + 1, '\\"', E_INNER_QUOTE)
        elif length > 1:
            self._edit(pos, pos + length, '\\"', E_INNER_QUOTE)
        self.pos = pos + length
        return False

    def _note_inner_quote(self, pos: int, length: int) -> None:
        """Keep count of quoted words and pasted brackets inside the string."""
        if self.inner_quotes == 0:
            before = pos - 1
            while before >= self.body and is_blank(self.text[before]):
                before -= 1
            opener = before >= self.body and self.text[before] in "{["
            self.balance = 1 if opener else 0
            self.balance_at = pos
        self.inner_quotes += 1
        opens = self._opens_inner(pos, length)
        self.inner = 1 if opens and self.inner == 0 else 0

    def _opens_inner(self, pos: int, length: int) -> bool:
        """Whether the mark looks like the first of a pair inside the text."""
        before = self._before(pos)
        after = self._at(pos + length)
        if is_blank(after) or is_structure(after):
            return False
        return pos == self.body or is_blank(before) or before in "([{<=:,-/>\u2014"

    def _pasted(self, pos: int) -> bool:
        """Whether ``pos`` stands inside brackets that were pasted into the string."""
        if self.inner_quotes == 0:
            return False
        at = self.balance_at
        while at < pos:
            ch = self.text[at]
            if ch == "{" or ch == "[":
                self.balance += 1
            elif ch == "}" or ch == "]":
                self.balance = max(self.balance - 1, 0)
            at += 1
        self.balance_at = max(at, self.balance_at)
        return self.balance > 0

    def _end_string(self, pos: int, length: int) -> None:
        """The delimiter at ``pos`` closes the string; pieces after ``+`` join it."""
        end = pos + length
        twice = self.doubled and self._at(end) == self.text[pos]
        plus = self._peek(end + 1 if twice else end)
        if self._at(plus) == "+" and not self.is_key:
            again = self._peek(plus + 1)
            quote = self._open_quote(again) if again < self.end else Q_NONE
            if quote != Q_NONE and quote_length(quote) == 1:
                self._edit(pos, again + 1, "", E_CONCATENATION)
                self.quote = quote
                self.pos = again + 1
                return
        if self.text[pos] != '"' or length > 1:
            marks = self.quote == Q_ESCAPED or self.quote == Q_ENTITY
            kind = E_ESCAPED_MARKUP if marks else E_QUOTE_MARK
            self._edit(pos, end, '"', kind)
        self.pos = end
        if twice:
            self._drop(1, E_QUOTE_MARK)
        self._string_done()

    def _string_done(self) -> None:
        if self.is_key:
            self.place = COLON
        else:
            self._value_done(SCALAR)

    def _end_string_before(self, at: int) -> None:
        """The closing quote was left out at ``at``, before what we read since."""
        count = len(self.edit_starts)
        while count > self.body_edits and self.edit_starts[count - 1] >= at:
            count -= 1
        self._forget_edits(count)
        self._edit(at, at, '"', E_MISSING_QUOTE)
        self.pos = at
        self._string_done()

    # ------------------------------------------------- does this quote close?

    def _is_closing(self, pos: int, length: int) -> bool:
        """Whether what follows the quote can follow a string here."""
        after = self._peek(pos + length)
        ch = self._at(after)
        if ch == NUL:
            return True
        if ch == "+":
            again = self._peek(after + 1)
            return again < self.end and self._open_quote(again) != Q_NONE
        if self.is_key:
            return self._closes_key(pos, length, after, ch)
        if self.depth == 0:
            return ch == "," or ch == ";"
        if ch == "}" or ch == "]" or ch == ")":
            return self._closes_before_bracket(after, ch)
        if ch == "," or ch == ";":
            return self._closes_before_comma(pos, after)
        if ch == ":":
            return False
        gap = after > pos + length
        if self._open_quote(after) != Q_NONE:
            return self._closes_before_quote(pos, after, gap)
        return gap and self._closes_before_word(pos, length, after, ch)

    def _closes_key(self, pos: int, length: int, after: int, ch: str) -> bool:
        if ch == ":" or ch == "=":
            return True
        if ch == "," or ch == "}":
            return self.inner == 0
        if ch == "{" or ch == "[":
            return True
        gap = after > pos + length
        quote = self._open_quote(after)
        if quote != Q_NONE:
            if pos == self.body and not gap:
                return False
            if self.doubled and not gap:
                return self._at(self._peek(after + quote_length(quote))) == ":"
            # the colon is missing: the value must be a whole string
            close = self._end_quote(after + quote_length(quote), quote)
            if close >= self.end:
                return gap
            next_at = self._peek(close + self._close_length(close, quote))
            return is_structure(self._at(next_at)) and self._at(next_at) != ":"
        return gap and self._is_value(after)

    def _closes_before_bracket(self, after: int, ch: str) -> bool:
        """A closer follows: it must answer to something open, and fit what follows."""
        if not self._ends_something(ch):
            if self.inner_quotes > 0:
                return False
            if ch == ")" and not is_structure(self._at(self._peek(after + 1))):
                return False
        if self._pasted(after) and self.inner > 0:
            return False
        closers = 0
        at = after
        while True:
            ch = self._at(at)
            if ch != "}" and ch != "]" and ch != ")":
                break
            closers += 1
            line = at + 1
            at = self._peek(at + 1)
        if ch == NUL or ch == ",":
            return True
        if closers >= self.depth:
            return self.inner == 0 or not self._closes_later(at)
        if is_blank(self._at(line)) and self._find(F_LINE_END, line) < at:
            return True
        if self.inner > 0:
            return False
        return ch == ";" or ch == "{" or ch == "[" or self._open_quote(at) != Q_NONE

    def _closes_later(self, pos: int) -> bool:
        """Whether a quote further on would close the string as well or better."""
        close = self._end_quote(pos, self.quote)
        if close >= self.end:
            return False
        ch = self._at(self._peek(close + self._close_length(close, self.quote)))
        return ch == "}" or ch == "]" or ch == ","

    def _closes_before_comma(self, pos: int, after: int) -> bool:
        """A comma follows: what comes after it must look like a member or item."""
        following = self._peek(after + 1)
        while self._at(following) == "," or self._ellipsis_end(following) > following:
            following = self._peek(max(following + 1, self._ellipsis_end(following)))
        ch = self._at(following)
        if ch == NUL:
            return True
        if ch == "}" or ch == "]" or ch == ")":
            return self.inner == 0 or self._closes_before_bracket(following, ch)
        if self.kinds[self.depth] == OBJECT:
            return self._closes_before_member(following, ch)
        return self._closes_before_item(pos, following, ch)

    def _closes_before_member(self, at: int, ch: str) -> bool:
        quote = self._open_quote(at)
        if self._is_key(at):
            if self.inner == 0:
                return True
            if self._pasted(at):
                return False
            return quote != Q_NONE
        if self.inner > 0:
            return False
        if quote != Q_NONE:
            if self._lost_key_quote(at) >= 0:
                return True
            close = self._end_quote(at + quote_length(quote), quote)
            if close >= self.end:
                return True
            next_at = self._peek(close + self._close_length(close, quote))
            return is_structure(self._at(next_at)) or self._is_value(next_at)
        if ch == "{" or ch == "[":
            return True
        # a stray word before the next key: "x", NOTE "b": 1
        word = self._word_end(at)
        return word > at and self._is_quoted_key(self._peek(word))

    def _closes_before_item(self, pos: int, at: int, ch: str) -> bool:
        quote = self._open_quote(at)
        if quote != Q_NONE:
            if self.inner == 0:
                return True
            close = self._end_quote(at + quote_length(quote), quote)
            if close >= self.end:
                return False
            next_at = self._at(self._peek(close + self._close_length(close, quote)))
            return next_at == "," or next_at == "]"
        if self.inner > 0:
            return False
        if ch == "{" or ch == "[" or ch == "(":
            return True
        if self._is_value(at):
            end = self._token_end(at)
            return is_structure(self._at(self._peek(end)))
        if self.inner_quotes == 0 and not self._before(pos).isdigit():
            return True
        # bare words are items of their own, unless a closing quote shows that they
        # are the rest of this string: 27", and so on"
        close = self._end_quote(at, self.quote)
        if close >= self.end:
            return True
        before = close - 1
        while before > at and is_blank(self.text[before]):
            before -= 1
        return self.text[before] in ",[{:"

    def _closes_before_quote(self, pos: int, after: int, gap: bool) -> bool:
        """Another quote follows: a missing comma, or one of the two is inside."""
        if self._is_key(after) and self.kinds[self.depth] == OBJECT:
            return self.inner == 0 or not self._pasted(after)
        if self.doubled and not gap:
            follow = self._at(self._peek(after + 1))
            return is_structure(follow)
        quote = self._open_quote(after)
        if not gap:
            follow = self._at(self._peek(after + quote_length(quote)))
            if is_structure(follow) and pos > self.body:
                return False
        if self.kinds[self.depth] == OBJECT or self.inner > 0:
            return False
        if not gap:
            return True
        close = self._end_quote(after + quote_length(quote), quote)
        if close >= self.end:
            return True
        follow = self._at(self._peek(close + self._close_length(close, quote)))
        return (
            follow == "," or follow == "]" or (follow != NUL and follow in DOUBLE_MARKS)
        )

    def _closes_before_word(self, pos: int, length: int, after: int, ch: str) -> bool:
        """Something bare follows after a space: a value, a key or a stray word."""
        if self.inner > 0 or self._opens_inner(pos, length):
            return False
        in_object = self.kinds[self.depth] == OBJECT
        if in_object and self._is_key(after):
            return True
        if not in_object and self._is_value(after):
            if ch == "{" or ch == "[":
                return True
            return is_structure(self._at(self._peek(self._token_end(after))))
        if self._before(pos).isdigit():
            return False
        if in_object and (ch == "{" or ch == "["):
            return False
        # a stray word runs up to the structure without meeting another quote
        at = after
        while True:
            ch = self._at(at)
            if ch == NUL:
                return True
            if self._open_quote(at) != Q_NONE:
                return False
            if ch == "}" or ch == "]":
                return self._ends_something(ch)
            if ch == ",":
                return not in_object or self._is_quoted_key(self._peek(at + 1))
            at += 1

    # ------------------------------------------- did the string end before it?

    def _ended_before(self, pos: int) -> int:
        """Where the string ended if its closing quote was left out; -1 if not.

        Just before this quote there must be structure, and after it what that
        structure leads to: ``"New York, "gender": "male"``.
        """
        if self.is_key:
            return self._key_ended_before(pos)
        if self.depth == 0:
            return -1
        first = pos
        comma = -1
        line = -1
        while first > self.body:
            ch = self.text[first - 1]
            if ch == ",":
                comma = first - 1
            elif ch == "\n":
                line = first - 1
            elif not is_blank(ch) and ch not in "{}[]":
                break
            first -= 1
        first = self._skip_balanced(first, pos)
        if first == pos:
            return -1
        start = skip_space(self.text, first, pos)
        if start < pos and self._leads(start, pos):
            if not self._pasted(start):
                return first if start > first else start
        if comma >= 0 and self._leads(comma, pos) and not self._pasted(comma):
            return self._trim(comma)
        if line >= 0 and start == pos and self.kinds[self.depth] == OBJECT:
            if self._is_key(pos) and not self._pasted(line):
                return self._trim(line)
        return -1

    def _skip_balanced(self, at: int, end: int) -> int:
        """Behind the closers at ``at`` that answer to openers inside the string."""
        self._count_brackets(at)
        curly = self.curly
        square = self.square
        last = at
        while at < end:
            ch = self.text[at]
            if ch == "}" and curly > 0:
                curly -= 1
                last = at + 1
            elif ch == "]" and square > 0:
                square -= 1
                last = at + 1
            elif not is_blank(ch):
                break
            at += 1
        return last

    def _count_brackets(self, end: int) -> None:
        """Keep the balance of the brackets inside the string, up to ``end``."""
        at = self.counted
        while at < end:
            ch = self.text[at]
            if ch == "{":
                self.curly += 1
            elif ch == "}":
                self.curly = max(self.curly - 1, 0)
            elif ch == "[":
                self.square += 1
            elif ch == "]":
                self.square = max(self.square - 1, 0)
            at += 1
        self.counted = at

    def _trim(self, pos: int) -> int:
        while pos > self.body and is_blank(self.text[pos - 1]):
            pos -= 1
        return pos

    def _leads(self, at: int, pos: int) -> bool:
        """Whether the structure in ``text[at:pos]`` is legal here and leads to ``pos``."""
        depth = self.depth
        opened = NOTHING
        due = False  # a comma or opener went before
        while at < pos:
            ch = self.text[at]
            at += 1
            if is_blank(ch):
                continue
            if ch == ",":
                if due:
                    return False
                due = True
            elif ch == "{" or ch == "[":
                kind = opened if opened != NOTHING else self.kinds[depth]
                if not due or kind == OBJECT:
                    return False
                opened = OBJECT if ch == "{" else ARRAY
            else:
                if due or opened != NOTHING or depth == 0:
                    return False
                if not self._closes(self.kinds[depth], ch):
                    return False
                depth -= 1
        if not due:
            return False
        kind = opened if opened != NOTHING else self.kinds[depth]
        if kind == OBJECT:
            return self._is_key(pos)
        if depth == 0 and opened == NOTHING:
            return False
        quote = self._open_quote(pos)
        if quote == Q_NONE:
            return False
        close = self._end_quote(pos + quote_length(quote), quote)
        if close >= self.end:
            return False
        after = self._peek(close + self._close_length(close, quote))
        ch = self._at(after)
        if ch == ",":
            return self._is_value(self._peek(after + 1)) or self._at(
                self._peek(after + 1)
            ) in "]}"
        return ch == "]"

    def _key_ended_before(self, pos: int) -> int:
        """``{"key:"value"}`` and ``{"name: null, "b": 2}``: the colon shows the end."""
        if self.inner_quotes > 0:
            return -1
        colon = self.text.find(":", self.body, pos)
        if colon < 0:
            return -1
        at = skip_space(self.text, colon + 1, pos)
        if at == pos:
            return self._trim(colon)
        if not self._is_value(at) or self.text[at] == '"':
            return -1
        end = self._token_end(at)
        end = skip_space(self.text, end, pos)
        if end < pos and self.text[end] == "," and self._is_key(pos):
            if skip_space(self.text, end + 1, pos) == pos:
                return self._trim(colon)
        return -1

    # ---------------------------------------------------------------- escapes

    def _read_escape(self, pos: int) -> bool:
        """A backslash inside a string; True when the text was cut inside it."""
        if pos + 1 >= self.end:
            if not self.final:
                raise _NEED_MORE
            self._cut_string(pos)
            return True
        ch = self.text[pos + 1]
        if self.quote == Q_ESCAPED and ch == "\\":
            # one level of escaping around everything: \\n means \n
            if self._at(pos + 2) == NUL:
                self._cut_string(pos)
                return True
            self._edit(pos, pos + 1, "", E_ESCAPED_MARKUP)
            self.pos = pos + 3
            return False
        if self.raw or self._starts_drive(pos):
            return self._read_raw_backslash(pos, ch)
        if ch == "u":
            return self._read_unicode_escape(pos)
        if ch == "'" or (ch == "`" and self.quote == Q_BACKTICK):
            self._edit(pos, pos + 1, "", E_ESCAPE if self.quote == Q_DOUBLE else E_QUOTE_MARK)
            self.pos = pos + 2
        elif ch in '"\\/bfnrt':
            self.pos = pos + 2
        elif ch == "\n" or ch == "\r":
            self._edit(pos, pos + 1, "", E_ESCAPE)
            self.pos = pos + 1
        elif ch >= "\x80" and ch.isalpha():
            # no language escapes a letter outside ASCII
            self._edit(pos, pos + 1, "", E_ESCAPE)
            self.pos = pos + 2 if not "\ud800" <= ch <= "\udfff" else pos + 1
        else:
            self._edit(pos, pos + 1, "\\\\", E_ESCAPE)
            self.pos = pos + 1
        return False

    def _read_raw_backslash(self, pos: int, ch: str) -> bool:
        """In a raw path a backslash is itself, but before the closing quote too."""
        if ch == "\\":
            self.pos = pos + 2
            return False
        self.raw = True
        self._edit(pos, pos + 1, "\\\\", E_ESCAPE)
        self.pos = pos + 1
        return False

    def _starts_drive(self, pos: int) -> bool:
        r"""Whether ``C:\Users\new`` starts here: raw, if any escape in it is invalid."""
        if pos != self.body + 2 or self.text[self.body + 1] != ":":
            return False
        if not self.text[self.body].isalpha() or self.text[pos + 1] == "\\":
            return False
        end = self._end_quote(pos, self.quote)
        at = self.text.find("\\", pos, end)
        while at >= 0 and at + 1 < end:
            ch = self.text[at + 1]
            if ch not in '"\\/bfnrtu':
                return True
            if ch == "u" and not self._is_hex(at + 2):
                return True
            at = self.text.find("\\", at + 2, end)
        return False

    def _is_hex(self, pos: int) -> bool:
        """Whether four hexadecimal digits stand at ``pos``."""
        for offset in range(4):
            if self._at(pos + offset) not in HEX_DIGITS:
                return False
        return True

    def _read_unicode_escape(self, pos: int) -> bool:
        r"""``\uXXXX``: whole, broken, cut off, or half of a surrogate pair."""
        offset = 2
        while offset < 6:
            ch = self._at(pos + offset)
            if ch == NUL and pos + offset >= self.end:
                self._cut_string(pos)
                return True
            if ch not in HEX_DIGITS:
                self._edit(pos, pos + 1, "\\\\", E_ESCAPE)
                self.pos = pos + 1
                return False
            offset += 1
        code = int(self.text[pos + 2 : pos + 6], 16)
        if not 0xD800 <= code <= 0xDFFF:
            self.pos = pos + 6
            return False
        if code <= 0xDBFF:
            rest = self.end - pos
            if rest < 12 and self._is_half_pair(pos + 6):
                if not self.final:
                    raise _NEED_MORE
                self._cut_string(pos)
                return True
            if rest >= 12 and self._at(pos + 6) == "\\" and self._at(pos + 7) == "u":
                if self._at(pos + 8) in "dD" and self._at(pos + 9) in "cdefCDEF":
                    if self._is_hex(pos + 8):
                        self.pos = pos + 12
                        return False
        self._edit(pos, pos + 6, "\N{REPLACEMENT CHARACTER}", E_SURROGATE)
        self.pos = pos + 6
        return False

    def _is_half_pair(self, pos: int) -> bool:
        """Whether the text ends where the second half of a pair may still come."""
        tail = self.text[pos : self.end]
        return len(tail) < 6 and (tail[:2] in ("", "\\", "\\u"))

    # -------------------------------------------------- the end of the text

    def _cut(self) -> None:
        """The text ended outside a string: drop what was half-written, close the rest."""
        if self.depth == 0:
            if self.place == VALUE:
                self._edit(self.pos, self.pos, "null", E_CUT)
            self.complete = False
            self.place = DONE
            return
        half = self.place == KEY or self.place == COLON
        half = half or (self.place == VALUE and self.kinds[self.depth] == OBJECT)
        half = half or (self.place == VALUE and self.member_at >= 0)
        start = self.end
        if half and self.member_at >= 0:
            self._forget_edits(self.member_edits)
            start = self.member_at
        self._close_all(start)

    def _close_all(self, start: int) -> None:
        """Write the closers of everything open in place of ``text[start:end]``."""
        closers = []
        depth = self.depth
        while depth > 0:
            closers.append(self._closer_of(depth))
            depth -= 1
        self._edit(start, self.end, "".join(closers), E_CUT)
        self.open_depth = self.depth
        self.depth = 0
        del self.kinds[1:]
        del self.lasts[1:]
        self.pos = self.end
        self.complete = False
        self.place = DONE

    def _cut_string(self, at: int) -> None:
        """The text ended inside a string, at ``at`` when a half escape is left out."""
        if self.is_key:
            colon = skip_word(self.text, self.body, at)
            if colon > self.body and self.text.startswith(":", colon):
                if self._closing_tail(at) < at:
                    self._end_string_before(colon)
                    return
            self.place = KEY
            self.quoted_keys -= 1
            self.pos = self.end
            self._cut()
            return
        tail = self._closing_tail(at) if self.depth > 0 else at
        if tail < at:
            self._end_string_before(self._trim(tail))
            return
        self._edit(at, self.end, '"', E_CUT)
        self.pos = self.end
        self.complete = False
        self._value_done(SCALAR)
        if self.depth > 0:
            self.open_depth = self.depth
            self._close_all(self.end)

    def _closing_tail(self, end: int) -> int:
        """Where the closers begin that an unclosed string ends with; ``end`` if none.

        They are structure if they answer to what is open and to nothing inside.
        corpus: replies/missing-quote
        """
        at = end
        found = end
        closers = 0
        while at > self.body and closers <= self.depth:
            ch = self.text[at - 1]
            if ch == "`" and found == end:
                at -= 1
                continue
            if not is_blank(ch):
                if ch != "}" and ch != "]" and ch != ")":
                    break
                found = at - 1
                closers += 1
            at -= 1
        found = self._skip_balanced(found, end)
        while found < end:
            if self._answers(found, end):
                return found
            found += 1
            while found < end and self.text[found] not in "}])":
                found += 1
        return end

    def _answers(self, at: int, end: int) -> bool:
        """Whether the closers in ``text[at:end]`` answer, in order, to what is open."""
        depth = self.depth
        while at < end:
            ch = self.text[at]
            if ch == "}" or ch == "]" or ch == ")":
                if depth == 0 or not self._closes(self.kinds[depth], ch):
                    return False
                depth -= 1
            at += 1
        return True


HEX_DIGITS: Final = "0123456789abcdefABCDEF"
DOUBLE_MARKS: Final = '"' + DOUBLE_QUOTES


def control_escape(ch: str) -> str:
    """The JSON escape of a control character."""
    if ch == "\n":
        return "\\n"
    if ch == "\t":
        return "\\t"
    if ch == "\r":
        return "\\r"
    return f"\\u{ord(ch):04x}"
