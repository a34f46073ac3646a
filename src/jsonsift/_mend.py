# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""The lenient rewriter: text that is nearly JSON in, edits that make it JSON out.

The machine walks the text once.  Its state is a stack of open containers and a
*place*: what may come next (a value, a key, a colon, what follows a value, or the
inside of a string).  At each place a short list of readings is tried in order, the
valid one first and the repairs last; a repair is written down as an edit, and what
is valid is never touched.  So the answer is always a strict parse of the edited text.

Rules of this file:

* A step looks first and commits after: until it knows what to do it changes nothing.
  If the text so far does not decide, ``NeedMore`` unwinds the step, and the same
  step runs again when more has come.  Chunked and whole text go the same way.
* Look-ahead remembers how far it has looked (``_end_quote``, ``_find``), and starts
  only at a quote, a comma, a closer or a line end, so that no stretch is looked at
  more than a constant number of times.
* Nothing here builds values, slices the rest of the text or recurses.
* It knows nothing of replies, fences or policies: only where its value starts.

The machine is built in layers, one a file, each on the one before: ``_scan`` (the text
and looking ahead in it), ``_ledger`` (what is open, and the edits), ``_lost`` (where
did a string end that lost its quote?), ``_quotes`` (does this quote close?),
``_strings``, ``_words``, ``_readings`` (which reading of a wrong bracket goes
furthest?), ``_closers``, ``_runs`` (what is well formed, in one go), and here values,
commas, keys and colons.  On it stand ``_pieces`` and ``_live``, for streams.  All are
plain Python; the ``.pxd`` beside each gives C types to the compiled build.
"""

from __future__ import annotations

from typing import Final

from . import _columns as column
from ._codes import (
    AFTER,
    ARRAY,
    COLON,
    DONE,
    E_BARE_KEY,
    E_CLOSER,
    E_COMMA,
    E_COMMENT,
    E_ELLIPSIS,
    E_ESCAPED_MARKUP,
    E_INVISIBLE,
    E_LITERAL,
    E_MISSING_COLON,
    E_MISSING_COMMA,
    E_MISSING_VALUE,
    E_STRAY_TEXT,
    E_TUPLE,
    KEY,
    LONG_LOOK,
    NOTHING,
    NUL,
    OBJECT,
    P_LACKING,
    P_UNSURE,
    PAREN,
    Q_NONE,
    R_OPENER,
    R_OUTER,
    R_SURPLUS,
    SCALAR,
    SET,
    STRING,
    VALUE,
    WRAP,
)
from ._runs import RunReader
from ._scan import (
    LITERALS,
    NeedMore,
    is_blank,
    quote_length,
    skip_space,
    starts_number,
)
from ._words import PREFIXES

ELLIPSES: Final = ".\N{HORIZONTAL ELLIPSIS}"
LONGEST_NOTE: Final = 80  # characters that tell what an ellipsis stands for


class Mender(RunReader):
    """One value, read leniently from ``text[start:end]``.

    With ``final=False`` more text may come through ``feed``; ``close`` says that
    there is none.  ``run`` walks as far as the text decides and answers whether the
    value has ended.  Then ``pos`` is where, ``complete`` tells whether it ended by
    itself, and ``edits`` and ``mended`` give the repairs and the strict text.
    """

    # ----------------------------------------------------------------- driving

    def feed(self, more: str) -> bool:
        """Add text and go on; True when the value has ended."""
        self._add_text(more)
        return self._go_on()

    def _go_on(self) -> bool:
        """Go on if enough has come; True when the value has ended."""
        if self.final:
            return self.place == DONE
        return self.end >= self.retry_at and self.run()

    def close(self) -> bool:
        """No more text comes: settle what is open."""
        self.final = True
        return self.run()

    def run(self) -> bool:
        """Walk as far as the text decides; True when the value has ended."""
        try:
            while self.place != DONE:
                if self.final:
                    if self.depth > 0:
                        self._skip_run()
                        if self.place == DONE:
                            break
                elif self.end - self.pos < LONG_LOOK:
                    if self._take_pieces() == P_LACKING:
                        return False
                    if self.place == DONE:
                        return True
                self._step()
                if self.pos >= self.end and not self.final:
                    return self.place == DONE
        except NeedMore:
            # what a look-ahead has read it reads again: not for every new character
            ahead = self.end - self.pos
            if ahead >= LONG_LOOK:
                self.retry_at = self.end + ahead // 8
            return False
        return True

    def _take_pieces(self) -> int:
        """Do as the steps would, as far as that is known without them."""
        return P_UNSURE

    def _step(self) -> None:
        if self.place == STRING:
            self._read_string()
        else:
            ch = self._next_char()
            if self.pos >= self.end:
                if self.final:
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
                return NUL
            ch = self.text[pos]
            if ch == "<" or ch == "`" or ch == "~":
                if self._is_stop(pos) and not self._is_fenced(pos):
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

    # ------------------------------------------------------------------ values

    def _read_value(self, ch: str) -> None:
        """A value is due: at the root, after a colon, or as the item of an array."""
        self.number_at = -1
        self.value_at = self.pos
        self.value_edits = self.edit_count
        if ch == "{":
            self._push_at_bracket(ch, OBJECT, KEY)
        elif ch == "[":
            self._push_at_bracket(ch, ARRAY, VALUE)
        elif ch == "(" and self._is_function(self.pos):
            self._read_bare_value()
        elif ch == "(":
            self._push(WRAP, VALUE)
            self._drop(1, E_TUPLE)
            self.member_edits = self.edit_count
        elif ch == "," or ch == "}" or ch == "]" or ch == ")":
            self._read_no_value(ch)
        elif ch == ":":
            self._drop(1, E_STRAY_TEXT)
        elif self._skip_ellipsis():
            pass
        elif ch == "`" and self._is_stop(self.pos):
            self._read_fence()
        elif self._open_quote(self.pos) != Q_NONE:
            if self.final and self._begins_with_member(self.pos):
                self._open_implied(self.pos)
            else:
                self._open_string(False)
        elif self._skip_lead_in():
            pass
        elif starts_number(ch):
            self._read_number()
        elif self._begins_with_bare_member(ch):
            self._open_implied(self.pos)
        else:
            self._read_word()

    def _skip_lead_in(self) -> bool:
        """``[{…}, and {…}]``: a word before the next object of a list is dropped."""
        if self.lasts[self.depth] != OBJECT or self.kinds[self.depth] == WRAP:
            return False
        end = max(self._word_end(self.pos), self.pos + 1)
        is_item = self._is_value(self.pos) and self._open_quote(self.pos) == Q_NONE
        if is_item or not is_blank(self._at(end)):
            return False
        bracket = self._peek(end)
        if self._at(bracket) != "{" or not self._is_quoted_key(self._peek(bracket + 1)):
            return False
        self._drop(end - self.pos, E_STRAY_TEXT)
        return True

    def _was_key(self) -> bool:
        """A string opened while its end was not there: read on, or as a key after all.

        So a stream shows the string as it grows.
        """
        after_comma = self.early_comma >= column.number_at(self.starts, self.depth)
        if after_comma and self._is_quoted_key(self.value_at):
            self._forget_edits(self.member_edits)
            self.pos = self.early_comma
            self.value_at = self.early_value_at
            self.value_edits = self.early_value_edits
            self.late_comma = self.pos
            self.place = AFTER
        elif self._begins_with_member(self.value_at):
            self._forget_edits(self.value_edits)
            self.pos = self.value_at
            self._open_implied(self.pos)
        else:
            self.early = False
            self.early_comma = -1
            return False
        self.early = False
        self.early_comma = -1
        self.quoted_values -= 1
        return True

    def _opens_early(self, pos: int) -> bool:
        """Whether a string of a list is opened before it is known that it is no key."""
        if self.late_comma == self.pos or self._open_quote(pos) == Q_NONE:
            return False
        return self.lasts[self.depth] != ARRAY or self._around() != OBJECT

    def _begins_with_member(self, pos: int) -> bool:
        """Whether a key stands where a value is due: ``["a": 1]``, ``"a": "b": 1``."""
        kind = self.kinds[self.depth]
        if kind == ARRAY:
            return self.lasts[self.depth] == NOTHING and self._is_key(pos)
        if kind != OBJECT and self.depth > 0:
            return False
        if not self._is_key(pos):
            return False
        colon = self._behind_string(pos)
        return self._is_value(self._peek(colon + 1))

    def _begins_with_bare_member(self, ch: str) -> bool:
        """Whether a bare key stands here, of an object that lost its brace only."""
        if self.depth == 0 or not (ch.isalpha() or ch in "_$"):
            return False
        if self.kinds[self.depth] == ARRAY and self._is_lone_member(self.pos):
            return True
        end = self._word_end(self.pos)
        if self._at(end) != ":" or not self._is_value(self._peek(end + 1)):
            return False
        if not self._may_compare():
            return False
        behind = self._bare_end(self.pos)
        self._weigh(R_SURPLUS, self.depth, NOTHING, behind, AFTER)
        self._weigh(R_OPENER, self.depth, OBJECT, self.pos, KEY)
        return self._best_reading(R_SURPLUS) == R_OPENER

    def _push_at_bracket(self, ch: str, kind: int, place: int) -> None:
        self._push(kind, place)
        self._take(ch)
        self.member_edits = self.edit_count

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
            self._close_unfilled(ch)

    def _skip_ellipsis(self) -> bool:
        """``...`` stands for what the writer left out; it is dropped."""
        ch = self._at(self.pos)
        if ch != "." and ch != "\N{HORIZONTAL ELLIPSIS}":
            return False
        end = self._omission_end(self.pos)
        if end == self.pos:
            end = self._ellipsis_end(self.pos)
        if end == self.pos:
            return False
        self._drop(end - self.pos, E_ELLIPSIS)
        return True

    def _omission_end(self, pos: int) -> int:
        """The end of words in a list that tell what was left out, or ``pos``.

        ``[1, ... and 3 more]``, ``[1, ...more items...]``, but not ``[1, ...rest]``.
        """
        if self.kinds[self.depth] != ARRAY or self.lasts[self.depth] == NOTHING:
            return pos
        end = pos
        while self._at(end) in ELLIPSES:
            end += 1
        if end < pos + 3 and self.text[pos] == ".":
            return pos
        start = end = skip_space(self.text, end, self.end)
        if not self._at(start).isalpha():
            return pos
        while end < start + LONGEST_NOTE and (
            self._at(end).isalnum() or self._at(end) == " " or self._at(end) in ELLIPSES
        ):
            end += 1
        words = self.text[start:end].rstrip()
        if self._at(end) not in "]\n," and end < self.end:
            return pos
        return end if " " in words or words.endswith(tuple(ELLIPSES)) else pos

    # ----------------------------------------------------------- after a value

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
        elif self._is_afterword(self.pos):
            self._drop(self.end - self.pos, E_STRAY_TEXT)
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
        self.member_edits = self.edit_count
        self.comma_real = False
        self._edit(self.pos, self.pos, ",", E_MISSING_COMMA)
        self._after_comma()

    def _after_comma(self) -> None:
        """What a comma leads to; an array may turn out to hold members."""
        kind = self.kinds[self.depth]
        if kind == WRAP:
            self._become_tuple()
        self.place = KEY if kind == OBJECT else VALUE

    def _become_tuple(self) -> None:
        """A comma in parentheses: they hold items, not one value."""
        self._count_wrap(-1)
        self.kinds[self.depth] = PAREN
        opener = column.number_at(self.opened, self.depth)
        self._edit_anew(opener, "[", self._edit_kind(opener))

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

    def _read_comma(self, ch: str) -> None:
        """A comma: between two things, or before nothing."""
        after = self._peek(self.pos + 1)
        while self._ellipsis_end(after) > after:
            after = self._peek(self._ellipsis_end(after))
        following = self._at(after)
        if following == "," or following == ";":
            self._drop(1, E_COMMA)
            return
        kind = self.kinds[self.depth]
        if following == "}" or following == "]" or following == ")":
            if kind == WRAP:
                self._become_tuple()
            self._drop(1, E_COMMA)
            return
        if kind == OBJECT:
            if self._join_thousands() or self._quote_grouped():
                return
            reading = self._item_reading(after, following)
            if reading == R_OUTER:
                self._insert_closer()
                return
            if reading == R_OPENER:
                self._open_list_before()
                return
        elif kind == ARRAY and not self.final and self._opens_early(after):
            self.early_comma = self.pos
            self.early_value_at = self.value_at
            self.early_value_edits = self.value_edits
        elif self._is_quoted_key(after) or self._is_bare_member(after, kind):
            if kind == ARRAY and self._around() == OBJECT:
                if self._member_reading(after) == R_OUTER:
                    self._insert_closer()
                    return
            self._take_comma(ch)
            self._after_comma()
            self._open_implied(after)
            return
        elif kind == ARRAY and self._lacks_row(after):
            self._take_comma(ch)
            self._open_row(after)
            return
        self._take_comma(ch)
        self._after_comma()

    def _is_bare_member(self, pos: int, kind: int) -> bool:
        """Whether a bare key and its value follow in a list inside an object."""
        if kind != ARRAY or self._around() != OBJECT:
            return False
        end = self._word_end(pos)
        if end == pos or self._at(end) != ":":
            return False
        if not self.text[pos].isalpha() and self.text[pos] not in "_$":
            return False
        return self._is_value(self._peek(end + 1))

    def _take_comma(self, ch: str) -> None:
        self.member_at = self.pos
        self.member_edits = self.edit_count
        self.comma_real = True
        if ch == ";":
            self._edit(self.pos, self.pos + 1, ",", E_MISSING_COMMA)
            self.comma_real = False
            self.pos += 1
        else:
            self._take(",")
            self.comma_real = self.text[self.pos - 1] == ","

    def _open_implied(self, at: int) -> None:
        """Members stand in an array: the brace before them is missing."""
        self._skip_to(at)
        self._push(OBJECT, KEY)
        self._edit(self.pos, self.pos, "{", E_CLOSER)
        self.member_edits = self.edit_count

    def _skip_to(self, at: int) -> None:
        """Pass over the space and comments up to ``at``."""
        while self.pos < at:
            self._next_char()
            if self.pos < at and not self._skip_ellipsis():
                break

    def _open_list_before(self) -> None:
        """The last value was the first item of a list that lost its bracket."""
        self.may_be_deeper = True
        at = self.value_at
        index = self.value_edits
        last = self.lasts[self.depth]
        self._push(ARRAY, AFTER)
        column.put_number(self.starts, self.depth, at)
        column.put_number(self.opened, self.depth, index)
        self.lasts[self.depth] = last
        self._insert_edit(index, at, at, "[", E_CLOSER)
        self.member_edits = self.edit_count

    def _open_row(self, at: int) -> None:
        self._skip_to(at)
        self._push(ARRAY, VALUE)
        self._edit(self.pos, self.pos, "[", E_CLOSER)
        self.member_edits = self.edit_count

    # -------------------------------------------------------------------- keys

    def _read_key(self, ch: str) -> None:
        """A key is due, or the end of the object."""
        first = self.lasts[self.depth] == NOTHING
        if ch == "}" or ch == "]" or ch == ")":
            self._close_unfilled(ch)
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
        elif ch in "bfru" and self._skip_prefix():
            pass
        elif ch == "." and self._is_spread(self.pos):
            self._drop_stray()
        elif ch.isalnum() or ch in "_$@" or starts_number(ch):
            self._read_bare_key(first)
        elif ch == ":" and self._word_end(self.pos + 1) > self.pos + 1:
            self._drop(1, E_STRAY_TEXT)  # a symbol of Ruby
        else:
            self._drop_stray()

    def _is_spread(self, pos: int) -> bool:
        """Whether a name behind three points stands here: ``{...base, a: 1}``."""
        if self._at(pos + 1) != "." or self._at(pos + 2) != ".":
            return False
        return pos + 3 < self._word_end(pos + 3) < self.end

    def _skip_prefix(self) -> bool:
        """What Python writes before a quote: ``{u'a': 1}``."""
        end = self._word_end(self.pos)
        if end - self.pos > 2 or self.text[self.pos : end] not in PREFIXES:
            return False
        if not self._is_quoted_key(end):
            return False
        self._drop(end - self.pos, E_LITERAL)
        return True

    def _begin_member(self) -> None:
        """Remember where a member starts that has no comma before it."""
        if self.member_at < 0:
            self.member_at = self.pos
            self.member_edits = self.edit_count

    def _become_set(self) -> None:
        """Braces around items that have no keys make an array."""
        at = column.number_at(self.starts, self.depth)
        index = column.number_at(self.opened, self.depth)
        if index < self.edit_count and column.number_at(self.edit_from, index) == at:
            # the brace was full-width, or supplied
            supplied = self._edit_end(index) == at
            kind = self._edit_kind(index) if supplied else E_TUPLE
            self._edit_anew(index, "[", kind)
        else:
            self._insert_edit(index, at, at + 1, "[", E_TUPLE)
        self.kinds[self.depth] = SET

    def _read_bare_key(self, first: bool) -> None:
        """A key without quotes; without a colon it is an item of a set, or stray."""
        pos = self.pos
        end = self._bare_key_end(pos)
        after = self._peek(end)
        following = self._at(after)
        if following == ":" or following == "=" or self._is_arrow(after):
            self._take_bare_key(end)
        elif following == NUL:
            self._begin_member()
            self.pos = self.end
            self._cut()
        elif (following == "," or following == "}") and first:
            if self._leads_to_key(after):
                self._take_bare_key(end)
                self.bare_values += 1  # its value is guessed
            else:
                self._become_set()
                self.place = VALUE
        elif (
            self._open_quote(after) != Q_NONE and not self._is_key(after)
        ) or self._is_value_word(after):
            self._take_bare_key(end)
        else:
            self._drop_stray()

    def _leads_to_key(self, pos: int) -> bool:
        """Whether a key and its colon stand behind the comma at ``pos``."""
        return self._at(pos) == "," and self._is_key(self._peek(pos + 1))

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
        closes = self._at(end) == '"' and self._at(self._peek(end + 1)) == ":"
        self._begin_member()
        pos = self.pos
        self.bare_keys += 1
        self._edit(pos, pos, '"', E_BARE_KEY)
        self._escape_bare(pos, end)
        self.pos = end
        if closes:
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
        elif ch == "=" or self._is_arrow(pos):
            length = 2 if self._at(pos + 1) == ">" else 1
            self._edit(pos, pos + length, ":", E_MISSING_COLON)
            self.pos += length
            self.place = VALUE
        elif ch == "," or ch == "}" or ch == "]" or ch == ")":
            first = self.lasts[self.depth] == NOTHING and ch != "]"
            if first and not self._leads_to_key(pos):
                self._become_set()
            else:
                self.value_at = pos
                self.value_edits = self.edit_count
                self.number_at = -1
                self._edit(pos, pos, ": null", E_MISSING_VALUE)
            self._value_done(SCALAR)
        else:
            self._edit(pos, pos, ":", E_MISSING_COLON)
            self.place = VALUE
