# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""Strings: opening and closing delimiters, escapes, control characters, the cut end.

Rules of this file: content is never changed but where JSON cannot hold it as it is.
"""

from __future__ import annotations

import json
import re
from typing import Final

from . import _columns as column
from ._codes import (
    COLON,
    E_CONCATENATION,
    E_CUT,
    E_ESCAPE,
    E_ESCAPED_MARKUP,
    E_INNER_QUOTE,
    E_MISSING_QUOTE,
    E_QUOTE_MARK,
    E_SURROGATE,
    KEY,
    Q_BACKTICK,
    Q_DOUBLE,
    Q_ENTITY,
    Q_ENTITY_DECIMAL,
    Q_ESCAPED,
    Q_NONE,
    Q_TRIPLE,
    Q_TRIPLE_SINGLE,
    SCALAR,
    SHORT_WALK,
    STRING,
)
from ._errors import LimitError
from ._quotes import QuoteJudge
from ._scan import (
    NeedMore,
    is_blank,
    is_structure,
    quote_length,
    skip_plain,
    skip_space,
    skip_word,
)

HEX_DIGITS: Final = "0123456789abcdefABCDEF"
ENTITY_LENGTH: Final = 34  # characters at the most, of an entity of HTML
MOST_MARKS: Final = 8  # around one value
MOST_ASKED: Final = 8  # quotes that ask for the same place far ahead
MARK_LENGTH: Final = 64  # characters at the most, of a tag around the value
# Strings that ended long before they were read to the end of the text: so many times
# its length in all, and so many characters of a short one.
VAIN_TIMES: Final = 16
VAIN_FREE: Final = 65_536


_CODE: Final = re.compile(r"&#(?:[0-9]{1,8}|[xX][0-9a-fA-F]{1,7});")


def read_entity(entity: str) -> str:
    """What a whole entity stands for, such as ``&amp;``; empty if for nothing.

    ``unescape`` alone would read the beginning of a longer name too.
    """
    from html import entities, unescape

    if _CODE.fullmatch(entity) or entity[1:] in entities.html5:
        return unescape(entity)
    return ""


class StringReader(QuoteJudge):
    """Reads strings: their delimiters, escapes, control characters and ends."""

    # --------------------------------------------------------- opening, reading

    def _open_string(self, is_key: bool) -> None:
        """A string begins: note its delimiter, and what it will be part of."""
        pos = self.pos
        quote = self._open_quote(pos)
        length = quote_length(quote)
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
        layout = self._line_break(pos + length) if length == 3 else 0
        self._begin_string(quote, is_key, doubled, layout)

    def _begin_string(
        self, quote: int, is_key: bool, doubled: bool, layout: int
    ) -> None:
        """Pass over the opening delimiter; what follows is the inside of a string."""
        pos = self.pos
        length = quote_length(quote)
        self.quote = quote
        self.is_key = is_key
        self.doubled = doubled
        self.block = layout > 0
        self.early = not is_key and not self.final
        self.raw = False
        self.inner = 0
        self.inner_quotes = 0
        if is_key:
            self.quoted_keys += 1
        else:
            self.quoted_values += 1
        if quote != Q_DOUBLE:
            self._edit(pos, pos + length, '"', self._mark_kind())
        self.pos = pos + length
        if doubled or layout > 0:
            self._drop(max(layout, 1), E_QUOTE_MARK)
        self.body = self.counted = self.pos
        self.body_edits = self.edit_count
        self.curly = 0
        self.square = 0
        self.place = STRING

    def _line_break(self, pos: int) -> int:
        """How long the line break at ``pos`` is; 0 for none."""
        if self._at(pos) == "\r" and self._at(pos + 1) == "\n":
            return 2
        return 1 if self._at(pos) == "\n" else 0

    def _ends_block(self, pos: int) -> bool:
        """Whether triple quotes on a line of their own close the string here.

        The line breaks next to quotes that stand on lines of their own are layout.
        """
        length = self._line_break(pos)
        at = pos + length
        while length > 0 and self._at(at) in " \t":
            at += 1
        if length == 0 or at >= self.end:
            return False
        close = self._close_length(at, self.quote)
        if close == 0 or self._leads_triple(at):
            return False
        self._end_string(pos, at + close - pos)
        return True

    def _mark_kind(self) -> int:
        """The edit kind of putting plain quotes in place of this string's."""
        quote = self.quote
        if quote == Q_ESCAPED or quote == Q_ENTITY or quote == Q_ENTITY_DECIMAL:
            return E_ESCAPED_MARKUP
        return E_QUOTE_MARK

    def _is_doubled(self, pos: int, is_key: bool) -> bool:
        """Whether two marks open the string together: ``""answer"": …``."""
        ch = self.text[pos]
        if self._at(pos + 1) != ch:
            return False
        after = self._at(pos + 2)
        if is_structure(after) or after == ch or after in "\n\r":
            return False
        if after == "+":
            return self._open_quote(self._peek(pos + 3)) == Q_NONE
        if after in "/#<" and self._skip_odd(pos + 2) > pos + 2:
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
                if self.final:
                    self._cut_string(self.end)
                return
            length = self._close_length(pos, self.quote)
            ch = self.text[pos]
            if self.early and (length > 0 or ch == "\N{RIGHT DOUBLE QUOTATION MARK}"):
                if self._was_key():
                    return
            if length > 0:
                if self._try_close(pos, length):
                    return
                continue
            if ch == "\\":
                if self._read_escape(pos):
                    return
            elif ch == "&" and quote_length(self.quote) > 3:
                self._read_entity(pos)
            elif ch == "\N{RIGHT DOUBLE QUOTATION MARK}" and self.quote == Q_DOUBLE:
                if self._closes_curly(pos):
                    self._end_string(pos, 1)
                    return
                self.pos = pos + 1
            elif ch == '"':
                self._edit(pos, pos + 1, '\\"', E_QUOTE_MARK)
                self.pos = pos + 1
            elif ch < " " or "\ud800" <= ch <= "\udfff":
                if self.block and self._ends_block(pos):
                    return
                self._edit_control(pos)
                self.pos = pos + 1
            else:
                self.pos = pos + 1

    def _was_key(self) -> bool:
        """Whether the value that ends here turned out to be the key of a member."""
        return False

    def _try_close(self, pos: int, length: int) -> bool:
        """The string ends here, ended before, or goes on past an inner quote."""
        if self.quote == Q_TRIPLE or self.quote == Q_TRIPLE_SINGLE:
            if self._leads_triple(pos):
                if self.text[pos] == '"':
                    self._edit(pos, pos + 1, '\\"', E_QUOTE_MARK)
                self.pos = pos + 1
                return False
            self._end_string(pos, length)
            return True
        if self._closes_here(pos, length):
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

    def _closes_here(self, pos: int, length: int) -> bool:
        """Whether what follows the quote says that it closes the string."""
        after = self._peek(pos + length)
        return self._may_ask(pos, after) and self._note_answer(
            pos, after, self._is_closing(pos, length)
        )

    def _opens_next(self, pos: int) -> bool:
        """The same for a curly mark before ``pos``."""
        after = self._peek(pos)
        return self._may_ask(pos, after) and self._note_answer(
            pos, after, QuoteJudge._opens_next(self, pos)
        )

    def _fits_behind_commas(self, pos: int, following: int) -> bool:
        """The same for what stands behind commas,"""
        return self._may_ask(pos, following) and self._note_answer(
            pos, following, QuoteJudge._fits_behind_commas(self, pos, following)
        )

    def _fits_behind_closers(self, first: int, at: int) -> bool:
        """and for what stands behind closers."""
        return self._may_ask(first, at) and self._note_answer(
            first, at, QuoteJudge._fits_behind_closers(self, first, at)
        )

    def _may_ask(self, pos: int, after: int) -> bool:
        """Whether what stands at ``after`` is still to be looked at for this quote.

        All quotes in comments lead behind those, where what stands may be long: once it
        said no to so many, those further from it than a few characters are text.
        """
        if after - pos <= SHORT_WALK or after >= self.end:
            return True
        count, last = self.asked.get(after, (0, -1))
        return count < MOST_ASKED or pos <= last  # one undecided is tried again

    def _note_answer(self, pos: int, after: int, fits: bool) -> bool:
        """The answer that what stands at ``after`` gave; a no is counted."""
        if not fits and after - pos > SHORT_WALK:
            count, last = self.asked.get(after, (0, -1))
            if pos > last:
                self.asked[after] = (count + 1, pos)
        return fits

    def _leads_triple(self, pos: int) -> bool:
        """Whether a quote of the text stands right before the three that close it:
        a run of four or five closes with its last three.
        """
        mark = self.text[pos]
        at = pos + 3
        while at < pos + 6 and self._at(at) == mark:
            at += 1
        return pos + 3 < at < pos + 6

    # ------------------------------------------------------------------ ending

    def _end_string(self, pos: int, length: int) -> None:
        """The delimiter at ``pos`` closes the string; pieces after ``+`` join it."""
        end = pos + length
        twice = self.doubled and self._at(end) == self.text[pos]
        again = -1 if self.is_key else self._next_piece(end + 1 if twice else end)
        if again >= 0:
            self.quote = self._open_quote(again)
            self.pos = again + quote_length(self.quote)
            self._edit(pos, self.pos, "", E_CONCATENATION)
            return
        if self.text[pos] != '"' or length > 1:
            self._edit(pos, end, '"', self._mark_kind())
        self.pos = end
        if twice:
            self._drop(1, E_QUOTE_MARK)
        self._string_done()

    def _string_done(self) -> None:
        if self.is_key:
            self.place = COLON
        else:
            self._value_done(SCALAR)

    def _forget_edits_from(self, at: int) -> None:
        """Take back this string's repairs from ``at`` on."""
        count = self.edit_count
        while (
            count > self.body_edits
            and column.number_at(self.edit_from, count - 1) >= at
        ):
            count -= 1
        self._forget_edits(count)

    def _end_string_before(self, at: int) -> None:
        """The closing quote was left out at ``at``, before what we read since."""
        self._forget_edits_from(at)
        self._edit(at, at, '"', E_MISSING_QUOTE)
        self.pos = at
        self._string_done()

    def _cut_string(self, at: int) -> None:
        """The text ended inside a string, at ``at`` when a half escape is left out."""
        if self.is_key:
            colon = skip_word(self.text, self.body, at)
            if colon > self.body and self.text.startswith(":", colon):
                tail = self._closing_tail(at)
                if tail < at and self._left_open(tail, at) == 0:
                    self._count_in_vain(colon)
                    self._end_string_before(colon)
                    return
            self.place = KEY
            self.quoted_keys -= 1
            self.pos = self.end
            self._cut()
            return
        tail = self._closed_before_tag(at) if self.depth > 0 else at
        mark = self._outer_mark(at) if at == self.end and tail == at else at
        if mark < at:
            self._forget_edits_from(mark)
            tail = at = mark
        # other closers before a tag may be text
        tagged = self.text.startswith("<", skip_space(self.text, mark, self.end))
        if tail == at and self.depth > 0 and not tagged:
            tail = self._closing_tail(at)
        if tail == at and self.depth > 0:
            tail = self._closing_lines(self.body, at)
        if tail < at:
            self._count_in_vain(tail)
            tail = self._trim(tail)
            curly = self.text[tail - 1] == "\N{RIGHT DOUBLE QUOTATION MARK}"
            self._forget_edits_from(tail)
            if curly and tail - 1 > self.body and not self._is_last_end(tail):
                self._forget_edits_from(tail - 1)
                self._end_string(tail - 1, 1)
            else:
                self._end_string_before(tail)
            return
        self._break_off(at)

    def _count_in_vain(self, at: int) -> None:
        """The string was read to the end of the text, and had ended at ``at``."""
        self.in_vain += self.end - at
        if self.in_vain > VAIN_TIMES * (self.end - self.start) + VAIN_FREE:
            raise LimitError("too many strings without their end", at)

    def _break_off(self, at: int) -> None:
        """The value ends where the text does, a string whose content ends at ``at``."""
        self._edit(at, self.end, '"', E_CUT)
        self.pos = self.end
        self.complete = False
        self._value_done(SCALAR)
        if self.depth > 0:
            self.open_depth = self.depth
            self._close_all(self.end)

    def _closed_before_tag(self, end: int) -> int:
        """Where closers of all that is open stand before a tag that closes nothing
        inside the string; ``end`` if nowhere: ``{"a": "b}</answer> Bye``.

        corpus: replies/missing-quote
        """
        tried = 0
        self.curly = self.square = 0  # counted further, as far as quotes were met
        self.counted = self.body
        at = self.text.find("<", self.body, end)
        while at >= 0 and tried < MOST_MARKS:
            found = at
            while found > self.body and self.text[found - 1] in "}]) \t\r\n":
                found -= 1
            if found < at:
                found = self._skip_balanced(found, at)
            if found < at and self._left_open(found, at) == 0:
                tried += 1
                if self._is_outer_tag(at):
                    return found
            at = self.text.find("<", at + 1, end)
        return end

    def _is_outer_tag(self, at: int) -> bool:
        """Whether a tag stands here that closes nothing inside the string."""
        if self.text.startswith("<|", at):
            return self.text.find("|>", at + 2, at + MARK_LENGTH) >= 0
        name = skip_word(self.text, at + 2, self.end)
        if name == at + 2 or not self.text.startswith(">", name):
            return False
        if not self.text.startswith("</", at):
            return False
        return self.text.find("<" + self.text[at + 2 : name], self.body, at) < 0

    def _outer_mark(self, end: int) -> int:
        """Where the tags and fences begin that the text ends with, and that close
        nothing inside the string; ``end`` if none: ``{"a": "b</answer>``.
        """
        at = self._trim(end)
        found = end
        for _ in range(MOST_MARKS):
            start = self._mark_before(at) if at > self.body else -1
            if start < 0:
                break
            found = at = self._trim(start)
        return found

    def _mark_before(self, end: int) -> int:
        """The start of the closing tag or fence that ends at ``end``; -1 if none."""
        body = self.body
        if self.text[end - 1] == "`":
            at = end - 3
            fence = at > body and self.text.startswith("\n```", at - 1, end)
            odd = fence and self.text.count("```", body, end) % 2 == 1
            return at if odd else -1
        if self.text[end - 1] != ">":
            return -1
        at = self.text.rfind("<", max(body, end - MARK_LENGTH), end)
        if at < 0:
            return -1
        if self.text.find(">", at, end) < end - 1:
            return -1
        return at if self._is_outer_tag(at) else -1

    # ----------------------------------------------------------------- escapes

    def _read_escape(self, pos: int) -> bool:
        """A backslash inside a string; True when the text was cut inside it."""
        if pos + 1 >= self.end:
            if not self.final:
                raise NeedMore
            self._cut_string(pos)
            return True
        ch = self.text[pos + 1]
        if self.quote == Q_ESCAPED and ch == "\\":
            return self._read_nested_escape(pos)
        if ch == "&" and self._close_length(pos + 1, self.quote) > 0:
            end = pos + 1 + quote_length(self.quote)
            self._edit(pos, end, '\\"', E_ESCAPED_MARKUP)
            self.pos = end
            return False
        if self.raw or self._starts_drive(pos):
            return self._read_raw_backslash(pos, ch)
        if ch == "u":
            return self._read_unicode_escape(pos, 1)
        if ch == "'" or (ch == "`" and self.quote == Q_BACKTICK):
            self._edit(
                pos, pos + 1, "", E_ESCAPE if self.quote == Q_DOUBLE else E_QUOTE_MARK
            )
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

    def _read_nested_escape(self, pos: int) -> bool:
        r"""Two backslashes in text that was escaped once more: ``\\n`` means ``\n``."""
        after = self._at(pos + 2)
        if after == "u":
            return self._read_unicode_escape(pos, 2)
        length = self._nested_escape_length(pos)
        if pos + 2 >= self.end or (after == "\\" and pos + 3 >= self.end):
            self._cut_string(pos)
            return True
        if length > 2:
            self._edit(pos, pos + length - 2, "", E_ESCAPED_MARKUP)
        self.pos = pos + length  # two are a backslash of the text
        return False

    def _read_entity(self, pos: int) -> None:
        """An entity of HTML, in a string whose quotes are such: what it stands for."""
        end = self.text.find(";", pos, min(pos + ENTITY_LENGTH, self.end))
        if end < 0 and pos + ENTITY_LENGTH > self.end and not self.final:
            raise NeedMore
        meant = read_entity(self.text[pos : end + 1]) if end > pos else ""
        if not meant:
            self.pos = pos + 1
            return
        self._edit(
            pos, end + 1, json.dumps(meant, ensure_ascii=False)[1:-1], E_ESCAPED_MARKUP
        )
        self.pos = end + 1

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
        r"""Whether ``C:\Users\new`` starts here: raw if any escape is invalid.

        Or if the last one would be ``\"``, and the string is over there: ``"C:\", 1``.
        """
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
            last = at
            at = self.text.find("\\", at + 2, end)
            if at < 0 and ch == '"':
                return self._is_over(last + 2)
        return False

    def _is_over(self, pos: int) -> bool:
        """Whether nothing but structure goes on at ``pos``, behind an escaped mark."""
        if self._end_quote(pos, Q_DOUBLE) < self.end:
            return self._opens_next(pos)
        depth = self.depth
        at = self._peek(pos)
        while depth > 0 and at < self.end:
            if not self._closes(self.kinds[depth], self._at(at)):
                return False
            depth -= 1
            at = self._peek(at + 1)
        return depth < self.depth

    def _is_hex(self, pos: int) -> bool:
        """Whether four hexadecimal digits stand at ``pos``."""
        for offset in range(4):
            if self._at(pos + offset) not in HEX_DIGITS:
                return False
        return True

    def _read_unicode_escape(self, pos: int, marks: int) -> bool:
        r"""``\uXXXX``: whole, broken, cut off, or half of a surrogate pair.

        ``marks`` backslashes begin it: two where all was escaped once more.
        """
        digits = pos + marks + 1
        end = digits + 4
        for at in range(digits, end):
            if self._at(at) not in HEX_DIGITS:
                if at >= self.end:
                    self._cut_string(pos)
                    return True
                if marks == 1:
                    self._edit(pos, pos + 1, "\\\\", E_ESCAPE)
                self.pos = pos + marks
                return False
        code = int(self.text[digits:end], 16)
        if not 0xD800 <= code <= 0xDFFF:
            if marks > 1:
                self._edit(pos, pos + 1, "", E_ESCAPED_MARKUP)
            self.pos = end
            return False
        if code <= 0xDBFF:
            lead = "\\u" if marks == 1 else "\\\\u"
            half = self.text[end : min(end + marks + 5, self.end)]
            if len(half) < marks + 5 and lead.startswith(half[: marks + 1]):
                if not self.final:
                    raise NeedMore
                self._cut_string(pos)
                return True
            if half.startswith(lead) and self._is_low_half(end + marks + 1):
                self.pos = end + len(half)
                if marks > 1:  # as one, since half of a pair is no text
                    pair = self.text[pos + 1 : end] + half[1:]
                    self._edit(pos, self.pos, pair, E_ESCAPED_MARKUP)
                return False
        self._edit(pos, end, "\N{REPLACEMENT CHARACTER}", E_SURROGATE)
        self.pos = end
        return False

    def _is_low_half(self, pos: int) -> bool:
        """Whether the digits at ``pos`` are those of the second half of a pair."""
        is_low = self._at(pos) in "dD" and self._at(pos + 1) in "cdefCDEF"
        return is_low and self._is_hex(pos)
