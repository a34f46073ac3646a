# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""The hardest question of lenient JSON: is this quote the end of the string?

Rules of this file: it decides and changes nothing but its memory.  A quote closes a
string when what follows can follow a string there, judged by the next token or two;
else it is part of the text, unless what stands before it shows that the string ended
earlier and lost its closing quote.  A string in valid JSON always closes at its first
quote by these rules, whatever it holds.
"""

from __future__ import annotations

from typing import Final

from . import _leaves as leaf
from ._chars import DOUBLE_QUOTES, INVISIBLE
from ._codes import (
    ARRAY,
    F_LINE_END,
    NOTHING,
    NUL,
    OBJECT,
    Q_DOUBLE,
    Q_NONE,
)
from ._ledger import Ledger
from ._scan import (
    is_blank,
    is_structure,
    quote_length,
    skip_space,
    starts_number,
)

LEFT_MARK: Final = "\N{LEFT DOUBLE QUOTATION MARK}"
PAIR_LENGTH: Final = 256  # characters at the most, of words in curly marks
PASTED_LOOKED_AT: Final = 4_096  # characters, for brackets between two quotes
ITEMS_NEAR: Final = 8  # items without a comma between them that are looked at
DOUBLE_MARKS: Final = '"' + DOUBLE_QUOTES


class QuoteJudge(Ledger):
    """Decides what a quote inside a string is; it changes nothing but its memory."""

    def _begin(
        self, text: str, start: int, end: int, final: bool, max_depth: int
    ) -> None:
        Ledger._begin(self, text, start, end, final, max_depth)
        # the string being read
        self.quote = Q_NONE
        self.is_key = False
        self.doubled = False
        self.block = False  # triple quotes with a line break behind them
        self.early = False  # opened before it was known that it is no key
        self.early_comma = -1  # the comma before it, and the value before that
        self.early_value_at = -1
        self.early_value_edits = 0
        self.late_comma = -1  # a comma that such a string was taken back for
        self.raw = False
        self.body = start
        self.body_edits = 0
        # quoted words inside it, and the brackets pasted with them
        self.inner = 0
        self.inner_quotes = 0
        self.balance = 0
        self.balance_at = start
        # all brackets inside it, counted up to a place
        self.counted = start
        self.curly = 0
        self.square = 0
        # by what comments lead to: how many quotes asked for it, and the last of them
        self.asked: dict[int, tuple[int, int]] = {}

    # -------------------------------------------------- does this quote close?

    def _is_closing(self, pos: int, length: int) -> bool:
        """Whether what follows the quote can follow a string here."""
        after = self._peek(pos + length)
        ch = self._at(after)
        if ch == NUL:
            return True
        if self._next_piece(pos + length) >= 0:
            return True
        if ch == "+":
            return False
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

    def _next_piece(self, pos: int) -> int:
        """Where the next piece of a concatenation opens, behind a quote; -1 if nowhere.

        ``"a" + "b"``, or as Python joins the lines of a member's value.
        """
        at = self._peek(pos)
        if self._at(at) == "+":
            at = self._peek(at + 1)
            return at if at < self.end and self._open_quote(at) != Q_NONE else -1
        if self.is_key or self.inner_quotes > 0 or self.kinds[self.depth] != OBJECT:
            return -1
        if at >= self.end or self._open_quote(at) != self.quote:
            return -1
        if self.text.find("\n", pos, at) < 0 or self._is_key(at):
            return -1
        behind = self._behind_string(at)
        if behind < 0:
            return -1
        ch = self._at(behind)
        more = self._open_quote(behind) == self.quote
        return at if more or ch == "," or ch == "}" else -1

    def _closes_curly(self, pos: int) -> bool:
        """Whether a curly mark closes a string that a straight one opened.

        Only when structure leads from it to the next straight mark, and that one opens
        a string: in valid JSON it would close this one, with structure behind it.
        """
        opener = self.text.rfind(LEFT_MARK, max(self.body, pos - PAIR_LENGTH), pos)
        if opener >= 0 and self.text.find(self.text[pos], opener, pos) < 0:
            return False  # the second of a pair inside the string
        if not self.is_key:
            return self._opens_next(pos + 1)
        if self._at(self._peek(pos + 1)) != ":":
            return False
        close = self._end_quote(pos + 1, Q_DOUBLE)
        return close >= self.end or self._at(self._peek(close + 1)) != ":"

    def _opens_next(self, pos: int) -> bool:
        """Whether structure from ``pos`` on leads to a next mark that opens a string.

        If it were the end of this string, structure would stand behind it.
        """
        at = self._peek(pos)
        if not is_structure(self._at(at)):
            return False
        close = self._end_quote(pos, Q_DOUBLE)
        if close >= self.end or is_structure(self._at(self._peek(close + 1))):
            return False
        return at < close and self._leads(at, close)

    def _closes_key(self, pos: int, length: int, after: int, ch: str) -> bool:
        if ch == ":" or ch == "=" or self._is_arrow(after):
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
            behind = self._behind_string(after)
            if behind < 0:
                return gap
            return is_structure(self._at(behind)) and self._at(behind) != ":"
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
        return self._fits_behind_closers(after, self._pass_closers(after))

    def _fits_behind_closers(self, first: int, at: int) -> bool:
        """Whether what stands at ``at`` fits behind the closers from ``first`` on."""
        closers = self.closers
        line = self.closers_end
        ch = self._at(at)
        if ch == NUL or ch == ",":
            return True
        if closers >= self.depth:
            return self.inner == 0 or not self._closes_later(at)
        if is_blank(self._at(line)) and self._has_line_end(line, at):
            return True
        if self.inner > 0:
            return False
        if ch == ";" or ch == "{" or ch == "[" or self._open_quote(at) != Q_NONE:
            return True
        in_list = self.kinds[self.depth - closers] != OBJECT
        if in_list and self._is_value(at) and self._list_goes_on(at):
            return True
        return self.inner_quotes == 0 and self._leads_past_stray(at, not in_list)

    def _closes_later(self, pos: int) -> bool:
        """Whether a quote further on would close the string as well or better."""
        close = self._end_quote(pos, self.quote)
        if close >= self.end:
            return False
        ch = self._at(self._peek(close + self._close_length(close, self.quote)))
        return ch == "}" or ch == "]" or ch == ","

    def _closes_before_comma(self, pos: int, after: int) -> bool:
        """A comma follows: what comes after it must look like a member or item."""
        return self._fits_behind_commas(pos, self._pass_commas(self._peek(after + 1)))

    def _fits_behind_commas(self, pos: int, following: int) -> bool:
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
            if self._lost_key_quote(at) >= 0 or self._is_doubled_key(at):
                return True
            if self._is_curly_key(at):
                return True
            close = self._end_quote(at + quote_length(quote), quote)
            if close >= self.end:
                return True
            next_at = self._peek(close + self._close_length(close, quote))
            ch = self._at(next_at)
            if is_structure(ch) or ch == "=" or self._is_arrow(next_at):
                return True
            if self._is_value(next_at):
                return True
            return self._is_key_with_quotes(close, quote)
        if ch == "{" or ch == "[":
            return True
        if self._peek(max(self._word_end(at), at + 1)) >= self.end:
            return True  # cut inside a bare key
        return self._is_stray_before_key(at) or self._is_key_of_words(at)

    def _is_curly_key(self, at: int) -> bool:
        """Whether a key that a curly mark closes stands here: ``"b”: 1``."""
        end = self._word_end(at + 1)
        while self._at(end) == " ":
            end = self._word_end(end + 1)
        if end == at + 1 or self._at(end) != "\N{RIGHT DOUBLE QUOTATION MARK}":
            return False
        return self._at(self._peek(end + 1)) == ":"

    def _is_key_with_quotes(self, close: int, quote: int) -> bool:
        """Whether the next key itself holds a quoted word: ``"b "c" d": 1``."""
        for _ in range(3):
            start = close + self._close_length(close, quote)
            close = self._end_quote(start, quote)
            if close >= self.end or self.text.find(",", start, close) >= 0:
                return False
            after = self._peek(close + self._close_length(close, quote))
            if self._at(after) == ":":
                return self._is_value(self._peek(after + 1))
        return False

    def _is_doubled_key(self, at: int) -> bool:
        """Whether a key in doubled quotes stands here: ``""b"": 1``."""
        if self._at(at + 1) != self.text[at]:
            return False
        end = self._word_end(at + 2)
        return end > at + 2 and self._at(end) == self.text[at]

    def _is_stray_before_key(self, at: int) -> bool:
        """Whether one word, or words up to a line end, stand before the next key."""
        word = max(self._word_end(at), at + 1)
        if self._is_quoted_key(self._peek(word)):
            return True
        close = self._end_quote(at, Q_DOUBLE)
        if close < self.end and not self._has_line_end(at, close):
            return False
        line = self._find(F_LINE_END, at)
        after = self._peek(line)
        return self._at(after) == '"' and self._is_key(after)

    def _is_key_of_words(self, at: int) -> bool:
        """Whether two or three bare words, a colon and a value stand here."""
        for _ in range(3):
            end = self._word_end(at)
            if end == at:
                return False
            if self._at(end) == ":":
                return self._is_value(self._peek(end + 1))
            if self._at(end) != " ":
                return False
            at = end + 1
        return False

    def _closes_before_item(self, pos: int, at: int, ch: str) -> bool:
        quote = self._open_quote(at)
        if quote != Q_NONE:
            if self.inner == 0:
                return True
            if self._pasted(at):
                return False
            behind = self._behind_string(at)
            return behind >= 0 and self._at(behind) in ",]"
        if self.inner > 0:
            return False
        if ch == "{" or ch == "[" or ch == "(":
            return True
        if self._is_value(at):
            return self._list_goes_on(self._token_end(at))
        if self.inner_quotes == 0 and not self._is_inch_mark(pos):
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

    def _list_goes_on(self, end: int) -> bool:
        """Whether a list goes on behind the value that ends at ``end``: by structure,
        or by whole items whose commas are missing.

        corpus: replies/missing-comma
        """
        for missing in range(ITEMS_NEAR):
            after = self._peek(end)
            ch = self._at(after)
            quote = self._open_quote(after) if ch != NUL else Q_NONE
            if is_structure(ch):
                if missing == 0 or ch != ",":
                    return True
                return not self._is_end_mark(self._peek(after + 1))
            if quote != Q_NONE:
                if after == end or self._is_end_mark(after):
                    return False
                if self._is_string_item(after):
                    return True
                end = self._end_quote(after + quote_length(quote), quote)
                if end >= self.end:
                    return True
                end += self._close_length(end, quote)
                if is_structure(self._at(self._peek(end))):
                    return False
            elif ch == "{" or ch == "[":
                on_next_line = self._has_line_end(end, after)
                return on_next_line or self._is_container(after, ch)
            elif self._is_value(after):
                end = self._token_end(after)
            else:
                return False
        return False

    def _is_inch_mark(self, pos: int) -> bool:
        """Whether the quote stands behind a number in a text: ``a 27" screen``."""
        at = pos
        while at > self.body and self.text[at - 1] in "0123456789./'":
            at -= 1
        return self.body < at < pos and is_blank(self.text[at - 1])

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
        behind = self._behind_string(after)
        if behind < 0:
            return True
        if self._open_quote(behind) != Q_NONE:
            return self._at(behind) in DOUBLE_MARKS
        return self._list_goes_on(behind)

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
            return self._list_goes_on(self._token_end(after))
        if self._is_inch_mark(pos):
            return False
        if in_object and ch == "{":
            return self._is_next_item(pos + length, after)
        if in_object and ch == "[":
            return False
        return self._leads_past_stray(after, in_object)

    def _is_next_item(self, end: int, brace: int) -> bool:
        """Whether the next object of a list starts on a line of its own, as this one
        lost its brace.
        """
        if self._around() != ARRAY or self.text.find("\n", end, brace) < 0:
            return False
        return self._is_quoted_key(self._peek(brace + 1))

    def _leads_past_stray(self, at: int, in_object: bool) -> bool:
        """Whether stray words lead up to structure, without meeting another quote."""
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

    # -------------------------------------------- quotes and brackets inside

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

    # ---------------------------------- did the string end before this quote?

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

    def _closing_lines(self, end: int) -> int:
        """The line end before lines that close all that is open; ``end`` if none.

        The text that an unclosed string ran into may go on behind them.
        """
        line = self.text.find("\n", self.body, end)
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
