# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""Closing brackets: of the innermost container, of one around it, or of none; and
whether one is missing.

Rules of this file: what follows a closer tells what it was meant to be; a reading in
which the text goes on as JSON wins over one in which it does not, and of those that
all do so for a while the one that goes furthest wins.
"""

from __future__ import annotations

from . import _columns as column
from ._codes import (
    AFTER,
    ARRAY,
    CLOSERS_LOOKED_AT,
    E_CLOSER,
    E_COMMA,
    E_FULL_WIDTH,
    F_CURLY,
    F_SQUARE,
    ITEMS_DEEPEST,
    ITEMS_LOOKED_AT,
    KEY,
    NOTHING,
    NUL,
    OBJECT,
    Q_DOUBLE,
    Q_NONE,
    R_MISTYPED,
    R_OPENER,
    R_OUTER,
    R_SURPLUS,
    SCALAR,
    VALUE,
)
from ._readings import ReadingJudge
from ._scan import is_structure, quote_length


class CloserReader(ReadingJudge):
    """Reads closers, and takes back commas that led to none but them."""

    def _take(self, ch: str) -> None:
        """Pass over one structural character, narrowing it when it is full-width."""
        if self.text[self.pos] != ch:
            self._edit(self.pos, self.pos + 1, ch, E_FULL_WIDTH)
        self.pos += 1

    def _drop_comma(self) -> None:
        """Take back the comma that promised an item which never came."""
        if self.member_at < 0:
            return
        index = self.member_edits
        if self.comma_real:
            at = self.member_at
            self._insert_edit(index, at, at + 1, "", E_COMMA)
        elif self._edit_end(index) > self.member_at:
            # another mark stands there, and goes too
            is_closer = self._edit_kind(index) == E_CLOSER
            self._edit_anew(index, "", E_CLOSER if is_closer else E_COMMA)
        else:
            self._remove_edit(index)
        self.member_at = -1
        self.member_edits = self.edit_count

    def _close_unfilled(self, ch: str) -> None:
        """A closer stands where an item or member was due."""
        if not self._ends_something(ch) and self._is_one_too_many():
            self._drop_closer()
            return
        depth = self.depth
        self._drop_comma()
        self.place = AFTER
        self._read_closer(ch)
        if self.depth == depth and self.lasts[depth] == NOTHING:
            # it was dropped, and no comma is due behind nothing
            self.place = KEY if self.kinds[depth] == OBJECT else VALUE

    def _drop_closer(self) -> None:
        """The closer is one too many; behind nothing no comma is due."""
        self._drop(1, E_CLOSER)
        if self.lasts[self.depth] == NOTHING:
            self.place = KEY if self.kinds[self.depth] == OBJECT else VALUE

    def _read_closer(self, ch: str) -> None:
        """A closing bracket: of the innermost container, of one around it, of none."""
        if not self._ends_something(ch):
            self._read_surplus(ch)
        elif self._closes(self.kinds[self.depth], ch):
            self._close_top(ch)
        else:
            self._read_misfit(ch)

    def _close_top(self, ch: str) -> None:
        kind = self.kinds[self.depth]
        if kind == OBJECT and self._is_doubled_brace():
            self._drop_closer()
            return
        if kind == OBJECT and self._around() != OBJECT and self._goes_on(self.pos + 1):
            self._drop_closer()
            return
        if kind == ARRAY and self._around() == OBJECT and self._goes_on_array():
            return
        if kind == OBJECT or kind == ARRAY:
            self._take(ch)
        else:
            new = self._closer_of(self.depth)
            opener = column.number_at(self.opened, self.depth)
            self._edit(self.pos, self.pos + 1, new, self._edit_kind(opener))
            self.pos += 1
        self._pop()

    def _is_doubled_brace(self) -> bool:
        """Whether two braces opened the object, and two stand here: a template's."""
        if self.text[column.number_at(self.starts, self.depth) + 1] != "{":
            return False
        if self._is_last_end(self.pos):
            return False  # the first of the two was dropped
        return self._at(self.pos + 1) == "}"

    def _goes_on(self, pos: int) -> bool:
        """Whether members follow a brace that no object around it can take.

        corpus: replies/extra-bracket, replies/premature-close
        """
        after = self._peek(pos)
        surplus = 0
        while self._at(after) == "}" and self.objects == 1:
            after = self._peek(after + 1)
            surplus += 1
            if surplus > CLOSERS_LOOKED_AT:
                return False
        if self._at(after) != ",":
            return False
        if self.depth > 2 and self.kinds[self.depth - 2] == OBJECT and not surplus:
            return False  # the array ended instead, and lost its bracket
        after = self._peek(after + 1)
        quote = self._open_quote(after) if after < self.end else Q_NONE
        if quote == Q_NONE:
            return self.depth == 1 and self.bare_keys > 0 and self._is_key(after)
        if self._is_key(after):
            start = column.number_at(self.starts, self.depth)
            return self.depth == 1 or not self._has_key(start, after)
        # the colon may be missing too, when nothing but the object can go on
        if self.depth != 1:
            return False
        value = self._behind_string(after)
        return 0 <= value < self.end and self._open_quote(value) != Q_NONE

    def _has_key(self, start: int, pos: int) -> bool:
        """Whether the object at ``start`` has the key that stands at ``pos``.

        Then the next object of the list begins there, and lost its brace.
        """
        quote = self._open_quote(pos)
        if quote == Q_NONE:
            return False
        key = self.text[pos : self._end_quote(pos + quote_length(quote), quote) + 1]
        at = self.text.find(key, start + 1, pos)
        if at < 0 or self._at(self._peek(at + len(key))) != ":":
            return False
        nested = self.text.count("{", start + 1, at)
        return nested == self.text.count("}", start + 1, at)

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
        self.member_at = self.pos if new else -1
        self.member_edits = self.edit_count
        self.comma_real = False
        self._add_edit(self.pos, bracket + 1, new, E_CLOSER)
        self.pos = bracket + 1
        self.place = VALUE if new or empty else AFTER
        return True

    def _read_misfit(self, ch: str) -> None:
        """A closer that answers to something open, but not to the innermost.

        In ``{"a": [1, 2}, "b": 3}`` the object goes on, so it was meant for the array.
        """
        outer = self.depth - 1
        while not self._closes(self.kinds[outer], ch):
            outer -= 1
        usual = R_OUTER
        if not self._fits(outer - 1, self.pos + 1):
            if self._fits(self.depth - 1, self.pos + 1):
                usual = R_MISTYPED
        reading = self._closer_reading(usual, outer)
        if reading == R_OUTER:
            self._insert_closer()
        elif reading == R_MISTYPED:
            self._replace_closer()
        else:
            self._drop_closer()

    def _closer_reading(self, usual: int, outer: int) -> int:
        """What a closer that does not fit was meant to be; ``outer`` is the depth of
        the container around that it answers to, 0 for none.
        """
        if not self._may_compare():
            return usual
        behind = self.pos + 1
        self._weigh(R_MISTYPED, self.depth - 1, NOTHING, behind, AFTER)
        self._weigh(R_SURPLUS, self.depth, NOTHING, behind, AFTER)
        if outer > 0:
            self._weigh(R_OUTER, outer - 1, NOTHING, behind, AFTER)
        return self._best_reading(usual)

    def _replace_closer(self) -> None:
        """The closer is of the wrong kind, and meant for the innermost container."""
        self._edit(self.pos, self.pos + 1, self._closer_of(self.depth), E_CLOSER)
        self.pos += 1
        self._pop()

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
        if depth == 0:
            return ch != "," or self._peek(at + 1) >= self.end
        if ch != ",":
            return ch != NUL and self._is_value(at)
        following = self._peek(at + 1)
        if is_structure(self._at(following)):
            return True
        return (self.kinds[depth] == OBJECT) == self._is_key(following)

    def _is_one_too_many(self) -> bool:
        """Whether what follows goes on inside the container that is open."""
        if not self._fits(self.depth - 1, self.pos + 1):
            return True
        if self._before(self.pos) == self.text[self.pos]:
            return self._fits(self.depth, self.pos + 1)  # the same closer twice
        after = self._peek(self.pos + 1)
        return self.depth == 1 and after < self.end and self._is_value(after)

    def _read_surplus(self, ch: str) -> None:
        """A closer that nothing open answers to: mistyped, or one too many."""
        usual = R_SURPLUS if self._is_one_too_many() else R_MISTYPED
        if self._closer_reading(usual, 0) == R_SURPLUS:
            self._drop_closer()
        else:
            self._replace_closer()

    def _insert_closer(self) -> None:
        """The innermost container was left open: close it here."""
        new = self._closer_of(self.depth)
        self._edit(self.pos, self.pos, new, E_CLOSER)
        self._pop()

    # ------------------------------------------------ brackets that are missing

    def _item_reading(self, pos: int, ch: str) -> int:
        """What an item at ``pos`` says, where a member of the object was due.

        The object was left open, or the list that begins with the last value lost its
        bracket; else what stands there is too much.
        """
        if self._is_key(pos) or not self._is_value(pos) or self._is_supplied():
            return R_SURPLUS
        implied = self._is_implied()
        if implied and self._open_quote(pos) != Q_NONE and self._behind_string(pos) < 0:
            return R_SURPLUS  # half a key
        between = self._around() == ARRAY and (ch == "{" or implied)
        usual = R_OUTER if between else R_SURPLUS
        if not between and self._lacks_opener(pos):
            usual = R_OPENER
        if not self._may_compare():
            return usual
        if between:
            self._weigh(R_OUTER, self.depth - 1, NOTHING, self.pos, AFTER)
        elif ch == "{":
            self._weigh(R_SURPLUS, self.depth, NOTHING, pos + 1, KEY)
        self._weigh(R_OPENER, self.depth, ARRAY, self.pos, AFTER)
        return self._best_reading(usual)

    def _member_reading(self, pos: int) -> int:
        """What a key at ``pos`` says, where an item of an array in an object was due.

        The array was left open, or the object that begins with the key lost its brace.
        """
        again = self.lasts[self.depth] == OBJECT
        again = again and self._has_key(self.value_at, pos)
        usual = R_OPENER if again else R_OUTER
        if not self._may_compare():
            return usual
        self._weigh(R_OUTER, self.depth - 1, NOTHING, self.pos, AFTER)
        self._weigh(R_OPENER, self.depth, OBJECT, pos, KEY)
        return self._best_reading(usual)

    def _lacks_opener(self, pos: int) -> bool:
        """Whether the last value and what follows are a list without its ``[``."""
        end = self._items_end(pos)
        if end == 0:
            return False
        return self.arrays == 0 or self._fits(self.depth, end + 1)

    def _items_end(self, pos: int) -> int:
        """The ``]`` behind items that stand where a member is due; 0 if there is none.

        ``{"t": "x", "y"], "n": 1}``: the list lost its opening bracket.
        """
        first, stop = pos, pos + ITEMS_LOOKED_AT
        if self.items_depth == self.depth and self.items_from < pos <= self.items_to:
            pos = self.items_to  # others were sought up to here
        depth = 0
        while pos < self.end and pos < stop:
            ch = self._at(pos)
            quote = self._open_quote(pos)
            if quote != Q_NONE:
                if depth == 0 and self._is_key(pos):
                    return 0
                pos = self._end_quote(pos + quote_length(quote), quote)
            elif ch == "{" or ch == "[":
                depth += 1
                if depth > ITEMS_DEEPEST:
                    return 0
            elif ch == "]" and depth == 0:
                return pos
            elif ch == "}" or ch == "]":
                depth -= 1
            elif depth == 0 and (
                ch == ":" or (ch.isalpha() and not self._is_value(pos))
            ):
                return 0
            if depth < 0:
                return 0
            pos += 1
        if pos < stop:
            self._at(pos)  # raises while more may come
        if depth == 0:
            self.items_from, self.items_to, self.items_depth = first, pos, self.depth
        return 0

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

    def _is_lone_member(self, pos: int) -> bool:
        """Whether up to three words and a colon lead to a container or whole string.

        Among the items of a list that is a member which lost its braces.
        corpus: replies/words-in-brackets
        """
        words = 0
        end = self._word_end(pos)
        while end > pos and words < 3:
            words += 1
            pos = end + 1 if self._at(end) == " " else end
            end = self._word_end(pos)
        if words == 0 or self._at(pos) != ":":
            return False
        after = self._peek(pos + 1)
        ch = self._at(after)
        if ch == "{" or ch == "[":
            return True
        return ch != NUL and self._is_whole_string(after)

    def _is_afterword(self, pos: int) -> bool:
        """Whether words behind a list that was never closed are none of its items:
        they are the rest of the text, from a line of their own on.
        """
        if self._is_value(pos) or not self._starts_line(pos):
            return False
        if self.lasts[self.depth] == SCALAR and self.number_at < 0:
            if self._open_quote(self.value_at) == Q_NONE:
                return False  # the words before them were an item, too
        if self._at(self._word_end(pos)) != " ":
            return False
        return (
            self._end_quote(pos, Q_DOUBLE) >= self.end
            and self._find(F_SQUARE, pos) >= self.end
            and self._find(F_CURLY, pos) >= self.end
        )
