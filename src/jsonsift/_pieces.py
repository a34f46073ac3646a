# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""What is well formed, passed over in small pieces without a careful step.

A small piece nearly always ends inside a token, or before what decides the last one.
To run a step, have ``NeedMore`` raised in the depth of a look-ahead and unwind it costs
more than all the rest.  So what models mostly write is seen here first: a token is
taken, or waited for, or left to the careful step.

Rules of this file: it is a short cut and no reading of its own, as ``_runs`` is for
texts that are there as a whole.  It takes a token only where the careful step would do
just the same, and waits only where that would ask for more; at any doubt that decides.
So nothing shows later for it, and a test compares all that is shown with and without.
The pure build goes a shorter way still, where it can: see ``_tokens``.
"""

from __future__ import annotations

from typing import Final

from . import _columns as column
from . import _leaves as leaf
from ._codes import (
    AFTER,
    ARRAY,
    COLON,
    DONE,
    KEY,
    NOTHING,
    OBJECT,
    P_LACKING,
    P_TAKEN,
    P_UNSURE,
    Q_DOUBLE,
    SCALAR,
    STRING,
    VALUE,
)
from ._later import compile_later
from ._mend import Mender
from ._scan import skip_joined, skip_word

COMPILED: Final = not __file__.endswith(".py")
NOT_YET: Final = -2  # there is no colon behind the key yet; -1: none that is sure


_BLANK: Final = r"[ \t\r\n]*+"
_WHOLE: Final = rf"(?:{leaf.NUMBER.pattern}|true|false|null)"
_SCALAR: Final = compile_later(rf"{_WHOLE}(?=[\r\n]|{_BLANK}[,}}\]])")
_HALF: Final = compile_later(
    r"(?:[0-9\-][\w$.+\-]*+|[A-Za-z][\w$\-]*+" rf"|{_WHOLE}[ \t]{_BLANK})\Z"
)


def skip_scalar(text: str, pos: int, end: int) -> int:
    """Behind the number or literal at ``pos`` that a comma, closer or line end ends.

    -1 if there is no such, -2 if the text ends before that is known.
    """
    if not COMPILED:
        match = _SCALAR.match(text, pos, end)
        if match is not None:
            return match.end()
        return -1 if _HALF.match(text, pos, end) is None else NOT_YET
    ch = text[pos]
    if "0" <= ch <= "9" or ch == "-":
        if skip_joined(text, pos, end) >= end:
            return NOT_YET
        at = leaf.skip_plain_number(text, pos, end)
    elif "a" <= ch <= "z" or "A" <= ch <= "Z":
        if skip_word(text, pos, end) >= end:
            return NOT_YET
        at = leaf.skip_literal(text, pos, end) if ch >= "a" else -1
    else:
        return -1
    if at < 0 or text[at] == "\n" or text[at] == "\r":
        return at
    after = leaf.skip_blanks(text, at, end)
    if after >= end:
        return NOT_YET
    ch = text[after]
    return at if ch == "," or ch == "}" or ch == "]" else -1


class PieceReader(Mender):
    """A ``Mender`` with a short way for small pieces."""

    def _take_pieces(self) -> int:
        """Take tokens as long as they are known; why the next one is not."""
        known = P_TAKEN
        while known == P_TAKEN and self.place != DONE:
            if self.place == STRING:
                known = self._take_string_end()
            else:
                self.pos = pos = leaf.skip_blanks(self.text, self.pos, self.end)
                if pos >= self.end:
                    known = P_LACKING
                else:
                    known = self._take_at(pos, self.text[pos])
        return known

    def _take_at(self, pos: int, ch: str) -> int:
        """Take the token at ``pos``, outside a string."""
        if self.depth == 0:
            return P_UNSURE
        if self.place == AFTER:
            if ch != ",":
                return self._take_end(pos, ch)
            if self.kinds[self.depth] == OBJECT:
                return self._take_member(pos)
            return self._take_item(pos)
        if self.place == VALUE:
            return self._take_start(pos, ch)
        if self.place == COLON:
            return self._take_colon(pos, ch)
        return self._take_first_key(pos) if ch == '"' else P_UNSURE

    # -------------------------------------------------------------------- keys

    def _take_first_key(self, pos: int) -> int:
        """The key behind an opening brace."""
        if (
            self._lacks_quote(pos)
            or skip_word(self.text, pos + 1, self.end) >= self.end
        ):
            return P_LACKING
        colon = leaf.find_colon(self.text, pos, self.end)
        if colon < 0:
            return P_UNSURE  # seen as a key already, it speaks for JSON
        self._begin_member()
        self._pass_key(colon)
        return P_TAKEN

    def _pass_key(self, colon: int) -> None:
        """The key is taken, and its colon if what is behind it is there."""
        self.quoted_keys += 1
        behind = colon + 1
        if behind < self.end and self.text[behind] != "=":
            self.pos = behind
            self.place = VALUE
        else:
            self.pos = colon
            self.place = COLON

    def _take_colon(self, pos: int, ch: str) -> int:
        """The colon behind a key, unless it is none alone."""
        behind = pos + 1
        if ch == ":" and behind >= self.end:
            return P_LACKING
        if ch != ":" or self.text[behind] == "=":
            return P_UNSURE
        self.pos = behind
        self.place = VALUE
        return P_TAKEN

    def _lacks_quote(self, pos: int) -> bool:
        """Whether the mark at ``pos`` may still be one of three."""
        if pos + 1 < self.end and self.text[pos + 1] == '"':
            pos += 1
            if pos + 1 < self.end and self.text[pos + 1] == '"':
                pos += 1
        return pos + 1 >= self.end

    # ------------------------------------------------------------------ values

    def _take_start(self, pos: int, ch: str) -> int:
        """A value, or what it begins with."""
        if ch == '"':
            if self._lacks_quote(pos):
                return P_LACKING
            if self.text[pos + 1] == '"':
                return P_UNSURE
            self._begin_value(pos)
            self._begin_string(Q_DOUBLE, False, False, 0)
            return P_TAKEN
        if ch == "{" or ch == "[":
            self._begin_value(pos)
            if ch == "{":
                self._push_at_bracket(ch, OBJECT, KEY)
            else:
                self._push_at_bracket(ch, ARRAY, VALUE)
            return P_TAKEN
        end = skip_scalar(self.text, pos, self.end)
        if end < 0:
            return P_LACKING if end == NOT_YET else P_UNSURE
        if self.text[end] in "\r\n" and self.lasts[self.depth] == OBJECT:
            return P_UNSURE  # a word before the next object is dropped
        self._begin_value(pos)
        if ch <= "9":
            self.number_at = pos
        self.pos = end
        self.lasts[self.depth] = SCALAR
        self.place = AFTER
        return P_TAKEN

    def _begin_value(self, pos: int) -> None:
        """Note where the value starts, as ``_read_value`` does."""
        self.number_at = -1
        self.value_at = pos
        self.value_edits = self.edit_count

    def _take_string_end(self) -> int:
        """The quote that ends the open string."""
        if self.quote != Q_DOUBLE or self.depth == 0 or self.doubled or self.inner > 0:
            return P_UNSURE
        self.pos = pos = leaf.skip_quiet(self.text, self.pos, self.end)
        if pos >= self.end:
            return P_LACKING
        if self.text[pos] == "\\":
            return self._take_escape(pos)
        if self.text[pos] != '"' or (self.early and not self._asks_for_key()):
            return P_UNSURE
        after = leaf.skip_blanks(self.text, pos + 1, self.end)
        if after >= self.end:
            return P_LACKING
        ch = self.text[after]
        if self.is_key:
            if ch != ":":
                return P_UNSURE
            self.pos = pos + 1
            self.place = COLON
            return P_TAKEN
        if ch != "," and ch != "}" and ch != "]":
            return P_UNSURE
        if self.early:  # it is no key, for that it needs a colon
            self.early = False
            self.early_comma = -1
        if ch == "," and self.kinds[self.depth] == OBJECT:
            known = self._take_member(after)
            if known == P_TAKEN:
                self.lasts[self.depth] = SCALAR
            return known
        known = self._is_ended_by(after, ch)
        if known == P_TAKEN:
            self.pos = pos + 1
            self._value_done(SCALAR)
        return known

    def _take_escape(self, pos: int) -> int:
        """An escape of one letter, where it is not of a path such as ``C:\\new``."""
        if pos + 1 >= self.end:
            return P_LACKING
        if self.raw or pos == self.body + 2 or self.text[pos + 1] not in '"\\/bfnrt':
            return P_UNSURE
        self.pos = pos + 2
        return P_TAKEN

    def _asks_for_key(self) -> bool:
        """Whether it is asked of the open string, at its end, whether it is a key."""
        kind = self.kinds[self.depth]
        if kind != ARRAY:
            return kind == OBJECT
        if self.lasts[self.depth] == NOTHING:
            return True
        return self.early_comma >= column.number_at(self.starts, self.depth)

    def _is_ended_by(self, pos: int, ch: str) -> int:
        """Whether the comma or closer at ``pos`` is behind the end of the string."""
        if ch == ",":
            known = self._leads_to_item(pos)
            if known == P_TAKEN and "0" <= self._behind_comma(pos) <= "9":
                return P_UNSURE  # what is behind the number matters too
            return known
        while self._ends_something(ch):
            pos = leaf.skip_blanks(self.text, pos + 1, self.end)
            if pos >= self.end:
                return P_LACKING
            ch = self.text[pos]
            if ch == ",":
                return P_TAKEN
            if ch != "}" and ch != "]":
                break
        return P_UNSURE

    # ----------------------------------------------------- closers and commas

    def _take_item(self, comma: int) -> int:
        """The comma behind an item, if another surely follows."""
        known = self._leads_to_item(comma)
        if known != P_TAKEN:
            return known
        if self.lasts[self.depth] == ARRAY and self._around() == OBJECT:
            return P_UNSURE  # a row may have lost its opener
        if self._behind_comma(comma) == '"':
            if self.late_comma == comma:
                return P_UNSURE  # the string was a key
            self.early_comma = comma
            self.early_value_at = self.value_at
            self.early_value_edits = self.value_edits
        self._pass_comma(comma)
        self.pos = comma + 1
        self.place = VALUE
        return P_TAKEN

    def _take_member(self, comma: int) -> int:
        """The comma behind a member, with the key of the next."""
        pos = leaf.skip_blanks(self.text, comma + 1, self.end)
        if pos >= self.end:
            return P_LACKING
        colon = leaf.find_colon(self.text, pos, self.end)
        if colon < 0:
            return P_LACKING if colon == NOT_YET else P_UNSURE
        self.member_at = comma
        self.member_edits = self.edit_count
        self.comma_real = True
        self._pass_key(colon)
        return P_TAKEN

    def _leads_to_item(self, comma: int) -> int:
        """Whether the comma leads to an item of the array."""
        pos = leaf.skip_blanks(self.text, comma + 1, self.end)
        if pos >= self.end:
            return P_LACKING
        if self.kinds[self.depth] != ARRAY:
            return P_UNSURE
        ch = self.text[pos]
        if ch == '"':
            return P_LACKING if self._lacks_quote(pos) else P_TAKEN
        if ch == "{" or ch == "[":
            return P_TAKEN
        if not "0" <= ch <= "9":
            return P_UNSURE
        end = skip_word(self.text, pos, self.end)
        if end >= self.end:
            return P_LACKING if self._around() == OBJECT else P_TAKEN
        return P_UNSURE if self.text[end] == ":" else P_TAKEN

    def _behind_comma(self, comma: int) -> str:
        """The character that follows, which is there."""
        return self.text[leaf.skip_blanks(self.text, comma + 1, self.end)]

    def _pass_comma(self, comma: int) -> None:
        """Note where the next member or item starts, as ``_take_comma`` does."""
        self.member_at = comma
        self.member_edits = self.edit_count
        self.comma_real = True

    def _take_end(self, pos: int, ch: str) -> int:
        """The closer of the innermost container."""
        kind = self.kinds[self.depth]
        is_in_object = self._around() == OBJECT
        known = P_UNSURE
        if ch == "}" and kind == OBJECT:
            start = column.number_at(self.starts, self.depth)
            if self.text[start + 1] != "{":  # no template's
                known = P_TAKEN if is_in_object else self._ends_object(pos)
        elif ch == "]" and kind == ARRAY:
            known = self._ends_array(pos) if is_in_object else P_TAKEN
        if known == P_TAKEN:
            self.pos = pos + 1
            self._pop()
        return known

    def _ends_object(self, pos: int) -> int:
        """Whether the brace at ``pos`` ends the object: no member may follow."""
        pos = leaf.skip_blanks(self.text, pos + 1, self.end)
        if pos >= self.end:
            return P_LACKING
        if self.text[pos] != ",":
            return P_TAKEN if self.text[pos] == "]" else P_UNSURE
        if self.depth > 2 and self.kinds[self.depth - 2] == OBJECT:
            return P_TAKEN
        pos = leaf.skip_blanks(self.text, pos + 1, self.end)
        if pos >= self.end:
            return P_LACKING
        ch = self.text[pos]
        if leaf.find_colon(self.text, pos, self.end) == NOT_YET:
            return P_LACKING
        return P_TAKEN if self.depth > 1 and (ch == "{" or ch == "[") else P_UNSURE

    def _ends_array(self, pos: int) -> int:
        """Whether the bracket at ``pos`` ends the array, which no other may go on."""
        pos = leaf.skip_blanks(self.text, pos + 1, self.end)
        if pos >= self.end:
            return P_LACKING
        ch = self.text[pos]
        if ch != ",":
            return P_TAKEN if ch == "}" or ch == "]" else P_UNSURE
        pos = leaf.skip_blanks(self.text, pos + 1, self.end)
        if pos >= self.end:
            return P_LACKING
        return P_TAKEN if self.text[pos] == '"' else P_UNSURE
