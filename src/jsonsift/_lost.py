# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""Where did a string end that lost its closing quote?

Rules of this file: it decides and changes nothing but its memory.  Structure inside the
string that answers to what is open, and leads to what stands behind it, ended it.
"""

from __future__ import annotations

from typing import Final

from . import _leaves as leaf
from ._chars import INVISIBLE
from ._codes import ARRAY, NOTHING, OBJECT, Q_NONE
from ._ledger import Ledger
from ._scan import is_blank, is_structure, quote_length, skip_space, starts_number

PASTED_LOOKED_AT: Final = 4_096  # characters, for brackets between two quotes


class LostQuotes(Ledger):
    """Finds the end of a string that lost its quote; it changes only its memory."""

    def _begin(
        self, text: str, start: int, end: int, final: bool, max_depth: int
    ) -> None:
        Ledger._begin(self, text, start, end, final, max_depth)
        # the string being read: where its text begins, and what it is
        self.body = start
        self.is_key = False
        # quoted words inside it, and the brackets pasted with them
        self.inner = 0
        self.inner_quotes = 0
        self.balance = 0
        self.balance_at = start
        # all brackets inside it, counted up to a place
        self.counted = start
        self.curly = 0
        self.square = 0

    def _pasted(self, pos: int) -> bool:
        """Whether ``pos`` stands inside brackets that were pasted into the string."""
        if self.inner_quotes == 0:
            return False
        # comments lead far beyond what stands in one string
        at = max(self.balance_at, pos - PASTED_LOOKED_AT)
        while at < pos:
            ch = self.text[at]
            if ch == "{" or ch == "[":
                self.balance += 1
            elif ch == "}" or ch == "]":
                self.balance = max(self.balance - 1, 0)
            at += 1
        self.balance_at = max(at, self.balance_at)
        return self.balance > 0

    def _ended_before(self, pos: int) -> int:
        """Where the string ended if its closing quote was left out; -1 if not.

        Just before this quote there must be structure, and after it what that
        structure leads to: ``"New York, "gender": "male"``.
        """
        if self.is_key:
            return self._key_ended_before(pos)
        if self.depth == 0:
            return -1
        if self.inner > 0 and self.kinds[self.depth] != OBJECT:
            return -1  # it closes a quoted word: "was late," she said
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
            ch = leaf.char_at(self.text, at)
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
        """Whether the structure in ``text[at:pos]`` is legal and leads to ``pos``."""
        depth = self.depth
        opened = NOTHING
        due = False  # a comma or opener went before
        while at < pos:
            ch = self.text[at]
            at += 1
            if is_blank(ch) or (ch >= "\x7f" and ch in INVISIBLE):
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
            elif starts_number(ch) or ch.isalpha():
                if not due or opened != NOTHING or self.kinds[depth] == OBJECT:
                    return False
                at = self._token_end(at)
                due = False
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
            return self._is_key(pos) or self._is_curly_key(pos)
        if depth == 0 and opened == NOTHING:
            return False
        return self._is_string_item(pos)

    def _is_curly_key(self, at: int) -> bool:
        """Whether a key that a curly mark closes stands here: ``"b”: 1``."""
        end = self._word_end(at + 1)
        while self._at(end) == " ":
            end = self._word_end(end + 1)
        if end == at + 1 or self._at(end) != "\N{RIGHT DOUBLE QUOTATION MARK}":
            return False
        return self._at(self._peek(end + 1)) == ":"

    def _is_string_item(self, pos: int) -> bool:
        """Whether a whole string stands here that can be the item of a list."""
        if self._open_quote(pos) == Q_NONE:
            return False
        after = self._behind_string(pos)
        if after < 0:
            return False
        if self._at(after) != ",":
            return self._at(after) == "]"
        following = self._peek(after + 1)
        return self._is_value(following) or self._at(following) in "]}"

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
        if close >= self.end or is_structure(self._at(self._peek(close + 1))):
            return -1
        return colon if self._is_value(self._peek(colon + 1)) else -1

    def _closing_tail(self, end: int) -> int:
        """Where the closers begin that an unclosed string ends with; ``end`` if none.

        They are structure if they answer to what is open and to nothing inside.
        corpus: replies/missing-quote
        """
        at = end
        found = end
        closers = 0
        marked = False  # by a fence, so that they must close all
        while at > self.body and closers <= self.depth:
            ch = self.text[at - 1]
            if ch == "`" and found == end:
                marked = True
            elif not is_blank(ch):
                if ch != "}" and ch != "]" and ch != ")":
                    break
                found = at - 1
                closers += 1
            at -= 1
        found = self._skip_balanced(found, end)
        while found < end:
            if self.text[found] in "}])":
                left = self._left_open(found, end)
                if left == 0 or (left > 0 and not marked):
                    return found
            found += 1
        return end

    def _closing_lines(self, start: int, end: int) -> int:
        """The line end in ``text[start:end]`` before lines that close all that is open;
        ``end`` if none.

        The text that an unclosed string ran into may go on behind them.
        """
        line = self.text.find("\n", start, end)
        while line >= 0:
            depth = self.depth
            at = line
            while at < end and depth > 0:
                ch = self.text[at]
                if not is_blank(ch):
                    if not self._closes(self.kinds[depth], ch):
                        break
                    depth -= 1
                at += 1
            if depth == 0:
                return line
            line = self.text.find("\n", max(at, line + 1), end)
        return end

    def _left_open(self, at: int, end: int) -> int:
        """How many containers the closers in ``text[at:end]`` leave open; -1 when they
        do not answer, in order, to what is open.
        """
        depth = self.depth
        while at < end:
            ch = self.text[at]
            if ch == "}" or ch == "]" or ch == ")":
                if depth == 0 or not self._closes(self.kinds[depth], ch):
                    return -1
                depth -= 1
            at += 1
        return depth
