# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""The rewriter's eyes: the text so far, and looking ahead in it.

Rules of this file: a method answers at a position and changes nothing but its own
memory of how far it has looked, so that no stretch is searched more than a constant
number of times; when the text so far does not decide, it raises NeedMore.
"""

from __future__ import annotations

import re
from typing import Final

from . import _columns as column
from . import _leaves as leaf
from ._chars import DOUBLE_QUOTES, FULL_WIDTH, INVISIBLE, SINGLE_QUOTES
from ._codes import (
    F_BLOCK_END,
    F_LINE_END,
    F_MARKUP_END,
    NUL,
    Q_BACKTICK,
    Q_CURLY,
    Q_CURLY_SINGLE,
    Q_DOUBLE,
    Q_ENTITY,
    Q_ENTITY_DECIMAL,
    Q_ESCAPED,
    Q_NONE,
    Q_SINGLE,
    Q_TRIPLE,
    Q_TRIPLE_SINGLE,
    SHORT_WALK,
)
from ._later import compile_later

COMPILED: Final = not __file__.endswith(".py")

# by F_BLOCK_END, F_LINE_END, F_MARKUP_END, F_FENCE, F_SQUARE, F_CURLY
NEEDLES: Final = ("*/", "\n", "-->", "```", "]", "}")

COMMENT_STRIDE: Final = 8  # one place in so many is remembered, of a run of comments
CLOSER_STRIDE: Final = 8  # and of closers

# What ends the plain part of a string, by its delimiter.
STOPS: Final = (
    '"',
    '"\N{RIGHT DOUBLE QUOTATION MARK}',
    "'\"",
    DOUBLE_QUOTES + '"',
    SINGLE_QUOTES + "'\"",
    '`"',
    '"',
    "'\"",
    '"',
    '&"',
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

_PLAIN: Final = tuple(
    compile_later(f"[^\\\\\\x00-\\x1f\\ud800-\\udfff{re.escape(stops)}]*+")
    for stops in STOPS
)
_WORD: Final = compile_later(r"[\w$\-]*+")
_STRICT_NUMBER: Final = compile_later(
    r"-?+(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+"
)
_JOINED: Final = compile_later(r"[\w$.+\-]*+")


class NeedMore(Exception):  # noqa: N818 (it is no error)
    """The text so far does not decide this step."""


def skip_space(text: str, pos: int, end: int) -> int:
    """The first position from ``pos`` on that is no JSON white space."""
    return leaf.skip_blanks(text, pos, end)


def skip_plain(text: str, pos: int, end: int, quote: int) -> int:
    """The first character from ``pos`` on that a string of this kind must look at."""
    if not COMPILED:
        match = _PLAIN[quote].match(text, pos, end)
        return match.end() if match is not None else pos  # None: pos is behind end
    if quote == Q_DOUBLE:
        return leaf.skip_quiet(text, pos, end)
    stops = STOPS[quote]
    while pos < end:
        ch = leaf.char_at(text, pos)
        if ch == "\\" or ch < " " or "\ud800" <= ch <= "\udfff" or ch in stops:
            break
        pos += 1
    return pos


def skip_word(text: str, pos: int, end: int) -> int:
    """The end of the run of letters, digits, ``_``, ``$`` and ``-`` at ``pos``."""
    if not COMPILED:
        match = _WORD.match(text, pos, end)
        return match.end() if match is not None else pos  # None: pos is behind end
    while pos < end:
        ch = leaf.char_at(text, pos)
        if not (
            "a" <= ch <= "z" or ch.isalnum() or ch == "_" or ch == "-" or ch == "$"
        ):
            break
        pos += 1
    return pos


def skip_joined(text: str, pos: int, end: int) -> int:
    """The end of the run of what a number may go on with."""
    if not COMPILED:
        match = _JOINED.match(text, pos, end)
        return match.end() if match is not None else pos
    while pos < end:
        ch = text[pos]
        if not ch.isalnum() and ch not in "_$.+-":
            break
        pos += 1
    return pos


def skip_digits(text: str, pos: int, end: int) -> int:
    """The end of the run of ASCII digits at ``pos``."""
    while pos < end and "0" <= text[pos] <= "9":
        pos += 1
    return pos


def skip_number(text: str, pos: int, end: int) -> int:
    """The end of the strict JSON number at ``pos``, or ``pos``."""
    if not COMPILED:
        match = _STRICT_NUMBER.match(text, pos, end)
        return match.end() if match is not None else pos
    whole = pos + 1 if pos < end and text[pos] == "-" else pos
    at = skip_digits(text, whole, end)
    if at == whole:
        return pos
    if text[whole] == "0":
        at = whole + 1
    if at < end and text[at] == ".":
        fraction = skip_digits(text, at + 1, end)
        at = fraction if fraction > at + 1 else at
    if at < end and (text[at] == "e" or text[at] == "E"):
        sign = at + 1 < end and (text[at + 1] == "+" or text[at + 1] == "-")
        exponent = at + 2 if sign else at + 1
        last = skip_digits(text, exponent, end)
        at = last if last > exponent else at
    return at


def is_structure(ch: str) -> bool:
    """Whether the character ends a bare token."""
    return ch == "," or ch == "}" or ch == "]" or ch == ")" or ch == NUL or ch == ":"


def is_blank(ch: str) -> bool:
    """Whether the character is white space."""
    return ch == " " or ch == "\n" or ch == "\t" or ch == "\r"


def starts_number(ch: str) -> bool:
    """Whether a number may start with this character."""
    return "0" <= ch <= "9" or ch == "-" or ch == "+" or ch == "."


def quote_length(quote: int) -> int:
    """How many characters a delimiter of this kind has."""
    if quote == Q_TRIPLE or quote == Q_TRIPLE_SINGLE:
        return 3
    if quote == Q_ESCAPED:
        return 2
    if quote == Q_ENTITY:
        return 6
    if quote == Q_ENTITY_DECIMAL:
        return 5
    return 1


class Scanner:
    """The text so far, and what stands at a place of it."""

    def __init__(
        self,
        text: str,
        start: int = 0,
        end: int = -1,
        *,
        final: bool = True,
        max_depth: int = 512,
    ) -> None:
        self._begin(text, start, end, final, max_depth)

    def _begin(
        self, text: str, start: int, end: int, final: bool, max_depth: int
    ) -> None:
        """Every layer sets its own state; one call for all, since they are many."""
        self.text = text
        self.start = start
        self.end = len(text) if end < 0 else min(end, len(text))
        self.limit = self.end
        self.final = final
        self.pos = start
        self.retry_at = 0  # an undecided step is not tried again in less text
        # searches that remember: of each from where, and where it was found
        self.sought = column.filled_column(2 * (len(STOPS) + len(NEEDLES)), -1)
        self.lost_from = -1
        self.lost_to = -1
        self.in_vain = 0  # characters behind the end of a string that were read in it
        self.unbroken_from = -1  # no quote, bracket or line end between these
        self.unbroken_to = -1
        self.fence_from = -1
        self.fence_at = -1
        self.comments_to: dict[int, int] = {}  # from a place between two comments
        # the last closers passed in a row, and where they end; both, and what follows
        # them, by the place of a closer
        self.closers = 0
        self.closers_end = start
        self.closers_to: dict[int, tuple[int, int, int]] = {}
        self.commas_to: dict[int, int] = {}
        # what has been looked at to compare readings, and the fault that it led to
        self.compared_to = start
        self.fault_at = start

    def recall(self, other: Scanner) -> None:
        """Take over what another run over the same text has searched ahead for.

        Without it, a reply with thousands of candidates would be searched to its end
        for the next quote by each of them.
        """
        if other.text is not self.text or other.limit != self.limit:
            return
        self.fence_from = other.fence_from
        self.fence_at = other.fence_at
        self.recall_unbroken(other)
        self.sought = other.sought
        self.comments_to = other.comments_to
        self.closers_to = other.closers_to
        self.commas_to = other.commas_to
        if other.end != other.limit:  # it stopped at a fence or tag,
            self._forget_sought(other.end)
            return
        self.compared_to = other.compared_to
        self.fault_at = other.fault_at

    def _forget_sought(self, end: int) -> None:
        """What was sought up to ``end`` in vain may stand behind it."""
        for which in range(len(STOPS) + len(NEEDLES)):
            if column.number_at(self.sought, 2 * which + 1) == end:
                column.put_number(self.sought, 2 * which, -1)

    def recall_unbroken(self, other: Scanner) -> None:
        """Take over what holds of a text that has grown since, too."""
        self.unbroken_from = other.unbroken_from
        self.unbroken_to = other.unbroken_to

    def _add_text(self, more: str) -> None:
        """The text grows in place, since nothing else holds it: the cost of many small
        pieces is linear.
        """
        text = self.text
        self.text = ""
        text += more
        self.text = text
        if not self.final:
            self.end = len(text)

    # ------------------------------------------------------- looking at places

    def _at(self, pos: int) -> str:
        """The character at ``pos``, full-width structure as ASCII; NUL at the end."""
        if pos >= self.end:
            if not self.final:
                raise NeedMore
            return NUL
        ch = leaf.char_at(self.text, pos)
        if ch >= "\u3000" and ch in FULL_WIDTH:
            return FULL_WIDTH[ch]
        return ch

    def _before(self, pos: int) -> str:
        return self.text[pos - 1] if pos > self.start else "\n"

    def _find(self, which: int, pos: int) -> int:
        """Where the needle stands next; the end when nowhere."""
        row = 2 * (len(STOPS) + which)
        first = column.number_at(self.sought, row)
        at = column.number_at(self.sought, row + 1)
        if 0 <= first <= pos <= at:
            return at
        at = self.text.find(NEEDLES[which], pos, self.end)
        if at < 0:
            if not self.final:
                raise NeedMore
            at = self.end
        column.put_number(self.sought, row, pos)
        column.put_number(self.sought, row + 1, at)
        return at

    def _has_line_end(self, pos: int, stop: int) -> bool:
        """Whether a line ends in ``text[pos:stop]``, which was looked at before."""
        return self.text.find("\n", pos, stop) >= 0

    def _word_end(self, pos: int) -> int:
        """The end of the word at ``pos``, or ``pos``."""
        end = skip_word(self.text, pos, self.end)
        if end >= self.end and not self.final:
            raise NeedMore
        return end

    def _number_end(self, pos: int) -> int:
        """The end of the strict JSON number at ``pos``, or ``pos``."""
        end = skip_number(self.text, pos, self.end)
        if not self.final and skip_joined(self.text, end, self.end) >= self.end:
            raise NeedMore  # 1E+ may go on as 1E+9
        return end

    def _token_end(self, pos: int) -> int:
        """The end of the run without space, structure or quotes."""
        while pos < self.end:
            ch = self.text[pos]
            if is_structure(ch) or is_blank(ch) or ch in '"{[(<#;\\':
                return pos
            if ch >= "\x7f" and (ch in FULL_WIDTH or ch in INVISIBLE):
                return pos
            if ch == "/" and self._at(pos + 1) in "/*":
                return pos
            pos += 1
        if not self.final:
            raise NeedMore
        return pos

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
        while note < self.end and self._at(note) not in ')\n"':
            note += 1
        return note + 1 if self._at(note) == ")" else note

    def _peek(self, pos: int) -> int:
        """The next position that is neither space nor comment; the end when none."""
        while True:
            pos = skip_space(self.text, pos, self.end)
            if pos >= self.end:
                if not self.final:
                    raise NeedMore
                return self.end
            ch = leaf.char_at(self.text, pos)
            if ch == "<" or ch == "`" or ch == "~":
                if self._is_stop(pos):
                    return self.end
            if ch not in "/#<\\" and " " <= ch < "\x7f":
                return pos
            after = self._skip_odd(pos)
            if after == pos:
                return pos
            pos = self._skip_comments(pos, after)

    def _skip_comments(self, first: int, pos: int) -> int:
        """Where the comments behind the one from ``first`` to ``pos`` lead.

        The quotes in comments may each ask for what follows all of them.  A run that
        meets a place of an earlier one goes on from where that one led.
        """
        passed: list[int] = []
        walked = pos
        steps = 0
        while True:
            after = self.comments_to.get(pos, pos)
            if after == pos:
                at = skip_space(self.text, pos, self.end)
                if at >= self.end or (self.text[at] in "<`~" and self._is_stop(at)):
                    break
                after = self._skip_odd(at)
                if after == at:
                    break
                walked = after
            if steps % COMMENT_STRIDE == 0:
                passed.append(pos)
            steps += 1
            pos = after
        if steps > COMMENT_STRIDE or walked - first > SHORT_WALK:
            for place in passed:
                self.comments_to[place] = pos
        return pos

    def _pass_closers(self, pos: int) -> int:
        """What follows the closers from ``pos`` on; how many there are is noted."""
        self.closers = 0
        while True:
            ch = self._at(pos)
            if ch != "}" and ch != "]" and ch != ")":
                return pos
            if self.closers == CLOSER_STRIDE:
                return self._pass_many_closers(pos)
            self.closers += 1
            self.closers_end = pos + 1
            pos = self._peek(pos + 1)

    def _pass_many_closers(self, pos: int) -> int:
        """Go on with closers of which so many were passed.

        The quotes in comments between them may each ask for what follows all of them.
        A walk that meets a place of an earlier one ends where that one did.
        """
        passed: list[int] = []
        steps = more = 0
        while self._at(pos) in ("}", "]", ")"):
            known = self.closers_to.get(pos)
            if known is not None:
                more, self.closers_end, pos = known
                break
            if steps % CLOSER_STRIDE == 0:
                passed.append(pos)
            steps += 1
            self.closers_end = pos + 1
            pos = self._peek(pos + 1)
        more += steps
        self.closers += more
        if steps > CLOSER_STRIDE:
            for place in passed:
                self.closers_to[place] = (more, self.closers_end, pos)
                more -= CLOSER_STRIDE
        return pos

    def _pass_commas(self, pos: int) -> int:
        """What follows the commas and ellipses from ``pos`` on.

        Quotes in comments between them ask for that as they do for closers.
        """
        passed: list[int] = []
        steps = 0
        while True:
            end = self._ellipsis_end(pos)
            if self._at(pos) == ",":
                end = pos + 1
            elif end == pos:
                break
            known = self.commas_to.get(pos)
            if known is not None:
                pos = known
                break
            if steps % CLOSER_STRIDE == 0:
                passed.append(pos)
            steps += 1
            pos = self._peek(end)
        if steps > CLOSER_STRIDE:
            for place in passed:
                self.commas_to[place] = pos
        return pos

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
            if self._at(pos + 1) in "nrt":
                if not self._at(pos + 2).isalnum() or self._is_value(pos + 2):
                    return pos + 2
            return pos
        if ch == "<":
            if pos + 4 > self.end and not self.final:
                raise NeedMore
            if self.text.startswith("<!--", pos, self.end):
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
        following = self._at(end)
        return not is_structure(following) and following != '"' and following != "'"

    def _is_stop(self, pos: int) -> bool:
        """Whether a mark at ``pos`` ends the value from outside: a fence, a tag."""
        ch = self.text[pos]
        second = self._at(pos + 1)
        if ch == "<":
            return (
                second == "/"
                or second == "|"
                or second == "\N{FULLWIDTH VERTICAL LINE}"
            )
        return second == ch and self._at(pos + 2) == ch

    # ------------------------------------------------------ looking for tokens

    def _open_quote(self, pos: int) -> int:
        """The kind of the opening delimiter at ``pos``, or Q_NONE."""
        if pos >= self.end:
            if not self.final:
                raise NeedMore
            return Q_NONE
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
                raise NeedMore
            if self.text.startswith("&#34;", pos, self.end):
                return Q_ENTITY_DECIMAL
            return Q_ENTITY if self._is_entity(pos) else Q_NONE
        if ch >= "\x80":
            if ch in DOUBLE_QUOTES:
                return Q_CURLY
            if ch in SINGLE_QUOTES:
                return Q_CURLY_SINGLE
        return Q_NONE

    def _is_entity(self, pos: int) -> bool:
        """Whether the quotation mark of HTML stands at ``pos``."""
        if self.text.startswith("&quot;", pos, self.end):
            return True
        return self.text.startswith("&#x22;", pos, self.end)

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
        if quote == Q_ENTITY or quote == Q_ENTITY_DECIMAL:
            if ch != "&":
                return 0
            if pos + 6 > self.end and not self.final:
                raise NeedMore
            if quote == Q_ENTITY_DECIMAL:
                return 5 if self.text.startswith("&#34;", pos, self.end) else 0
            return 6 if self._is_entity(pos) else 0
        mark = '"' if quote == Q_TRIPLE else "'"
        if ch == mark and self._at(pos + 1) == mark and self._at(pos + 2) == mark:
            return 3
        return 0

    def _end_quote(self, pos: int, quote: int) -> int:
        """The next delimiter from ``pos`` on that could close; the end when none."""
        first = column.number_at(self.sought, 2 * quote)
        at = column.number_at(self.sought, 2 * quote + 1)
        if 0 <= first <= pos <= at:
            return at
        at = pos
        while True:
            at = skip_plain(self.text, at, self.end, quote)
            if at >= self.end:
                if not self.final:
                    raise NeedMore
                at = self.end
                break
            if self._close_length(at, quote) > 0:
                if quote != Q_SINGLE or not self._is_apostrophe(at):
                    break
            if quote == Q_ESCAPED:
                at += self._nested_escape_length(at)
            else:
                at += 2 if self.text[at] == "\\" else 1
            at = min(at, self.end)
        column.put_number(self.sought, 2 * quote, pos)
        column.put_number(self.sought, 2 * quote + 1, at)
        return at

    def _nested_escape_length(self, pos: int) -> int:
        r"""How many characters are read at once in text that was escaped once more.

        Two backslashes are one, and may begin an escape: ``\\n``, and ``\\\"`` or
        ``\\\\`` where what is escaped needs a backslash of its own.
        """
        if self.text[pos] != "\\" or self._at(pos + 1) != "\\":
            return 1
        after = self._at(pos + 2)
        if after == "\\" and self._at(pos + 3) in '"\\':
            return 4
        return 3 if after in '"\\/bfnrt' else 2

    def _behind_string(self, pos: int) -> int:
        """What follows the string that opens at ``pos``; -1 when nothing closes it."""
        quote = self._open_quote(pos)
        close = self._end_quote(pos + quote_length(quote), quote)
        if close >= self.end:
            return -1
        return self._peek(close + self._close_length(close, quote))

    def _is_apostrophe(self, pos: int) -> bool:
        """Whether letters stand on both sides of the mark at ``pos``."""
        return self._before(pos).isalnum() and self._at(pos + 1).isalnum()

    def _is_key(self, pos: int) -> bool:
        """Whether a key and its colon stand at ``pos``."""
        if pos >= self.end:
            return False
        if self._open_quote(pos) != Q_NONE:
            after = self._behind_string(pos)
            return after >= 0 and self._at(after) == ":"
        close = self._word_end(pos + 1 if self._at(pos) == "@" else pos)
        if close == pos:
            return False
        while self._at(close) == ".":
            close = self._word_end(close + 1)
        if self._at(close) == '"':  # its opening quote alone is missing
            close += 1
        colon = self._peek(close)
        return self._at(colon) == ":" and self._at(colon + 1) != "/"

    def _is_quoted_key(self, pos: int) -> bool:
        return pos < self.end and self._open_quote(pos) != Q_NONE and self._is_key(pos)

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

    def _is_arrow(self, pos: int) -> bool:
        """Whether ``->`` stands here, in place of a colon."""
        return self._at(pos) == "-" and self._at(pos + 1) == ">"

    def _is_end_mark(self, pos: int) -> bool:
        """Whether a quote stands here, before a blank or structure: it closes words."""
        quote = self._open_quote(pos)
        inside = self._at(pos + quote_length(quote))
        return quote != Q_NONE and (is_blank(inside) or is_structure(inside))

    def _is_container(self, pos: int, ch: str) -> bool:
        """Whether a list or object stands here, not the mark of a note: ``[1]``."""
        inside = self._peek(pos + 1)
        if ch == "{":
            return self._at(inside) == "}" or self._is_key(inside)
        if self._at(inside) == "]" or self._open_quote(inside) != Q_NONE:
            return True
        if self._at(inside) in "[{":
            return True
        close = self._peek(self._token_end(inside))
        if self._at(close) == "]":
            return is_structure(self._at(self._peek(close + 1)))
        return self._at(close) == "," and self._is_value(inside)
