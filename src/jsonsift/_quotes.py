# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""The hardest question of lenient JSON: is this quote the end of the string?

Rules of this file: it decides and changes nothing but its memory.  A quote closes a
string when what follows can follow a string there, judged by the next token or two;
else it is part of the text, unless what stands before it shows that the string ended
earlier (``_lost``).  A string in valid JSON always closes at its first quote by these
rules, whatever it holds.
"""

from __future__ import annotations

from typing import Final

from ._chars import DOUBLE_QUOTES
from ._codes import ARRAY, F_LINE_END, NUL, OBJECT, Q_DOUBLE, Q_NONE
from ._lost import LostQuotes
from ._scan import is_blank, is_structure, quote_length

LEFT_MARK: Final = "\N{LEFT DOUBLE QUOTATION MARK}"
PAIR_LENGTH: Final = 256  # characters at the most, of words in curly marks
ITEMS_NEAR: Final = 8  # items without a comma between them that are looked at
DOUBLE_MARKS: Final = '"' + DOUBLE_QUOTES


class QuoteJudge(LostQuotes):
    """Decides what a quote inside a string is; it changes nothing but its memory."""

    def _begin(
        self, text: str, start: int, end: int, final: bool, max_depth: int
    ) -> None:
        LostQuotes._begin(self, text, start, end, final, max_depth)
        # the string being read
        self.quote = Q_NONE
        self.doubled = False
        self.block = False  # triple quotes with a line break behind them
        self.early = False  # opened before it was known that it is no key
        self.early_comma = -1  # the comma before it, and the value before that
        self.early_value_at = -1
        self.early_value_edits = 0
        self.late_comma = -1  # a comma that such a string was taken back for
        self.raw = False
        self.body_edits = 0
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
