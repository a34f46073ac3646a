# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""Runs of what needs no thought, passed over in one go: most of what models write.

That is what is well formed, and the commonest ways to write it otherwise: apostrophes
for quotes, bare keys, Python's literals, a comma before a closer.

Rules of this file: it is a short cut and no reading of its own.  It passes over a
member or item only where the careful steps would do just the same, which it knows when
what follows is of this kind too; at the first doubt it stops where all was sure, and
the careful steps go on from there.  It never looks twice at a place.  Text that comes
in pieces goes without it, so that every test which compares pieces with the whole
holds the two against each other.
"""

from __future__ import annotations

from . import _leaves as leaf
from . import _stretches as stretch
from ._closers import CloserReader
from ._codes import (
    AFTER,
    ARRAY,
    E_BARE_KEY,
    E_COMMA,
    E_COMMENT,
    E_LITERAL,
    E_QUOTE_MARK,
    KEY,
    NOTHING,
    OBJECT,
    SCALAR,
    VALUE,
    W_FALSE,
    W_NOTHING,
    W_NULL,
    W_QUOTE,
    W_TRUE,
)


class RunReader(CloserReader):
    """Passes over members and items that need no thought, containers and all."""

    def _begin(
        self, text: str, start: int, end: int, final: bool, max_depth: int
    ) -> None:
        CloserReader._begin(self, text, start, end, final, max_depth)
        self.run_from = start
        self.try_credit = 2 * stretch.LONGEST_TRY  # characters to look at in vain
        self.found = leaf.filled_column(7, 0)  # what a leaf has to say beside
        self.tried_to = start  # what was passed over as a valid container ends there
        self.skipped_from = -1  # where one starts that is not certain yet
        self.key_end = start
        # what was passed over and is not certain yet
        self.run_depth = 0
        self.run_last = NOTHING
        self.run_value = start
        self.run_value_edits = 0
        self.run_number = -1
        self.run_quoted_keys = 0
        self.run_bare_keys = 0
        self.run_values = 0
        self.run_edits = 0
        self.run_comma = 0  # how many of them stand before the last comma

    def _skip_run(self) -> None:
        """Go on to the last comma or opener up to which there was no doubt."""
        kind = self.kinds[self.depth]
        if self.pos < self.run_from or (kind != OBJECT and kind != ARRAY):
            return
        if self.place != KEY and self.place != AFTER and self.place != VALUE:
            return
        self._enter_run()
        pos = self._skip_gap(self.pos)
        if self.place == AFTER:
            pos = self._skip_after(pos)
        elif self.place == KEY:
            value = self._skip_key(pos)
            if value >= 0:
                self._note_key(pos)
            pos = value
        while pos >= 0:
            pos = self._skip_value(pos)

    def _enter_run(self) -> None:
        """What the run is not yet sure of starts from what is so."""
        self.skipped_from = -1
        self.run_edits = self.edit_count
        self.run_depth = self.depth
        self.run_last = self.lasts[self.depth]
        self.run_value = self.value_at
        self.run_value_edits = self.value_edits
        self.run_number = self.number_at
        self.run_quoted_keys = self.quoted_keys
        self.run_bare_keys = self.bare_keys
        self.run_values = self.quoted_values

    def _stop_run(self, pos: int) -> int:
        """The run ends; no other begins before ``pos``.

        A container that was passed over is gone through after all.
        """
        self.run_from = pos if self.skipped_from < 0 else self.skipped_from + 1
        self._take_back(self.run_edits)
        return -1

    def _take_back(self, count: int) -> None:
        """Forget the edits behind the first ``count``; often there are none."""
        if self.edit_count > count:
            self._forget_edits(count)

    def _skip_gap(self, pos: int) -> int:
        """Behind the blanks and remarks at ``pos``."""
        pos = leaf.skip_blanks(self.text, pos, self.end)
        if pos < self.end and leaf.char_at(self.text, pos) == "/":
            return self._skip_remarks(pos)
        return pos

    def _skip_remarks(self, pos: int) -> int:
        """Behind the ``//`` comments at ``pos`` and the blanks; they are dropped."""
        while leaf.is_remark(self.text, pos, self.end):
            line = leaf.find_line_end(self.text, pos, self.end)
            if line < 0:
                break
            self._put_edit(pos, line, W_NOTHING, E_COMMENT)
            pos = leaf.skip_blanks(self.text, line, self.end)
        return pos

    # -------------------------------------------------------------------- keys

    def _skip_key(self, pos: int) -> int:
        """The key at ``pos`` and its colon: where its value starts, or -1."""
        end = self.end
        if pos + 2 >= end:
            return self._stop_run(pos)
        ch = leaf.char_at(self.text, pos)
        if ch == '"':
            key = leaf.skip_string(self.text, pos + 1, end)
        elif ch == "'":
            key = leaf.skip_apostrophes(self.text, pos + 1, end)
        else:
            key = leaf.skip_name(self.text, pos, end)
        if key < pos + 1 or (key == pos + 2 and (ch == '"' or ch == "'")):
            return self._stop_run(pos + 1)
        self.key_end = key
        colon = leaf.skip_blanks(self.text, key, end)
        if colon + 1 >= end or leaf.char_at(self.text, colon) != ":":
            return self._stop_run(colon)
        if leaf.char_at(self.text, colon + 1) == "/":
            return self._stop_run(colon)
        return leaf.skip_blanks(self.text, colon + 1, end)

    def _note_key(self, pos: int) -> None:
        """The key at ``pos`` is passed over."""
        ch = leaf.char_at(self.text, pos)
        if ch == '"':
            self.run_quoted_keys += 1
        elif ch == "'":
            self.run_quoted_keys += 1
            self._put_edit(pos, pos + 1, W_QUOTE, E_QUOTE_MARK)
            self._put_edit(self.key_end - 1, self.key_end, W_QUOTE, E_QUOTE_MARK)
        else:
            self.run_bare_keys += 1
            self._put_edit(pos, pos, W_QUOTE, E_BARE_KEY)
            self._put_edit(self.key_end, self.key_end, W_QUOTE, E_BARE_KEY)

    # ------------------------------------------------------------------ values

    def _skip_value(self, pos: int) -> int:
        """The value at ``pos``: where the next value starts, or -1."""
        if pos >= self.end:
            return self._stop_run(pos)
        ch = leaf.char_at(self.text, pos)
        if ch == "{" or ch == "[":
            kind = OBJECT if ch == "{" else ARRAY
            after = self._skip_container(pos, kind)
            if after < 0:
                return self._skip_opener(pos, kind)
            return self._skip_after(after)
        after = self._skip_scalar(pos, ch)
        if after < 0:
            return self._stop_run(pos + 1)
        self._note_scalar(pos, after, ch)
        return self._skip_after(after)

    def _skip_container(self, pos: int, kind: int) -> int:
        """Behind the valid container at ``pos``, or -1.

        The root is not tried, since it holds the fault, and nothing is where more was
        looked at in vain than passed over.
        """
        if self.run_depth == 0 or self.try_credit < 0 or pos < self.tried_to:
            return -1
        most = self.max_depth - self.run_depth
        # long lists are of records, and hold a fault sooner or later
        longest = stretch.LONGEST_TRY if kind == OBJECT else stretch.LONGEST_TRY // 4
        end = min(self.end, pos + longest)
        after = stretch.skip_container(self.text, pos, end, most, self.found)
        if after < 0:
            self.try_credit += after
            return -1
        self.try_credit += after - pos
        self.tried_to = after
        self.skipped_from = pos
        self.run_quoted_keys += leaf.number_at(self.found, 0)
        self.run_values += leaf.number_at(self.found, 1)
        self.run_last = kind
        self.run_value = pos
        self.run_value_edits = self.edit_count
        self.run_number = -1
        return after

    def _skip_scalar(self, pos: int, ch: str) -> int:
        """Behind the string, number or literal at ``pos``; -1 if in doubt."""
        end = self.end
        if ch == '"' or ch == "'":
            if ch == '"':
                after = leaf.skip_string(self.text, pos + 1, end)
            else:
                after = leaf.skip_apostrophes(self.text, pos + 1, end)
            if (
                after == pos + 2
                and after < end
                and leaf.char_at(self.text, after) == ch
            ):
                return -1  # three of them
            return after
        if "0" <= ch <= "9" or ch == "-":
            return leaf.skip_plain_number(self.text, pos, end)
        return leaf.skip_literal(self.text, pos, end)

    def _note_scalar(self, pos: int, end: int, ch: str) -> None:
        """The scalar at ``pos`` is passed over."""
        self.run_last = SCALAR
        self.run_value = pos
        self.run_value_edits = self.edit_count
        self.run_number = -1
        if ch == '"':
            self.run_values += 1
        elif ch == "'":
            self.run_values += 1
            self._put_edit(pos, pos + 1, W_QUOTE, E_QUOTE_MARK)
            self._put_edit(end - 1, end, W_QUOTE, E_QUOTE_MARK)
        elif "0" <= ch <= "9" or ch == "-":
            self.run_number = pos
        elif ch == "T":
            self._put_edit(pos, end, W_TRUE, E_LITERAL)
        elif ch == "F":
            self._put_edit(pos, end, W_FALSE, E_LITERAL)
        elif ch == "N":
            self._put_edit(pos, end, W_NULL, E_LITERAL)

    def _skip_opener(self, pos: int, kind: int) -> int:
        """A container opens: where its first value starts, or -1.

        An opener where a value is due is certain, and so is the key before it.
        """
        if self.depth >= self.max_depth:
            return self._stop_run(pos)
        self.pos = self.value_at = pos
        self.number_at = -1
        self.value_edits = self.edit_count
        self.quoted_keys = self.run_quoted_keys
        self.bare_keys = self.run_bare_keys
        self._push(kind, KEY if kind == OBJECT else VALUE)
        self.pos = pos + 1
        self._enter_run()
        first = self._skip_gap(pos + 1)
        if first >= self.end:
            return self._stop_run(first)
        ch = leaf.char_at(self.text, first)
        if ch == "}" or ch == "]":
            return self._skip_after(first)
        if kind == OBJECT:
            value = self._skip_key(first)
            if value >= 0:
                self._note_key(first)
            return value
        return first

    # ----------------------------------------------------- closers and commas

    def _skip_after(self, pos: int) -> int:
        """Closers and a comma behind a value: where the next value starts, or -1."""
        end = self.end
        while True:
            pos = leaf.skip_blanks(self.text, pos, end)
            if pos >= end:
                return self._stop_run(pos)
            ch = leaf.char_at(self.text, pos)
            kind = self.kinds[self.run_depth]
            if ch == "/":
                behind = self._skip_remarks(pos)
                if behind == pos:
                    return self._stop_run(pos)
                pos = behind
                continue
            if ch != ",":
                opener = leaf.number_at(self.starts, self.run_depth)
                if ch == "}" and leaf.char_at(self.text, opener + 1) == "{":
                    return self._stop_run(pos)
                if not self._closes(kind, ch) or not self._leave(kind):
                    return self._stop_run(pos)
                pos += 1
                continue
            self.run_comma = self.edit_count
            following = self._skip_gap(pos + 1)
            if following >= end:
                return self._stop_run(following)
            ch = leaf.char_at(self.text, following)
            if ch == "}" or ch == "]":
                self._take_back(self.run_comma)  # those of the remarks come behind
                self._take_run(pos + 1, AFTER)
                self._edit(pos, pos + 1, "", E_COMMA)
                self.run_edits = self.edit_count
                pos += 1
            elif kind == OBJECT:
                after = stretch.skip_members(self.text, pos, end, self.found)
                if after < 0:
                    return self._skip_to_member(pos, following)
                self._note_members()
                pos = after
            elif ch == "{" or ch == "[":
                self._take_comma_at(pos, following, VALUE)
                return following
            else:
                pos = self._skip_to_item(pos, following, ch)
                if pos < 0:
                    return -1

    def _note_members(self) -> None:
        """All members passed are certain but for the last one, behind its comma."""
        key = leaf.number_at(self.found, 3)
        value = leaf.number_at(self.found, 5)
        ch = leaf.char_at(self.text, value)
        self.run_quoted_keys += leaf.number_at(self.found, 0) - 1
        self.run_values += leaf.number_at(self.found, 1) - (1 if ch == '"' else 0)
        self._take_comma_at(leaf.number_at(self.found, 2), key, KEY)
        self.key_end = leaf.number_at(self.found, 4)
        self._note_key(key)
        self._note_scalar(value, leaf.number_at(self.found, 6), ch)

    def _skip_to_member(self, comma: int, following: int) -> int:
        """A comma, if a key with its colon follows: where its value starts, or -1."""
        value = self._skip_key(following)
        if value >= 0:
            self._take_comma_at(comma, following, KEY)
            self._note_key(following)
        return value

    def _skip_to_item(self, comma: int, following: int, ch: str) -> int:
        """A comma, if a scalar follows that is no key: its end, or -1."""
        if self.run_last == ARRAY:
            return self._stop_run(following)  # may be of a row that lost its opener
        after = self._skip_scalar(following, ch)
        if after < 0:
            return self._stop_run(following + 1)
        behind = leaf.skip_blanks(self.text, after, self.end)
        if behind >= self.end:
            return self._stop_run(behind)
        mark = leaf.char_at(self.text, behind)
        if mark != "," and mark != "]":
            return self._stop_run(behind)
        self._take_comma_at(comma, following, VALUE)
        self._note_scalar(following, after, ch)
        return behind

    def _leave(self, kind: int) -> bool:
        """A container closes, if the one around it is an object or array."""
        around = self.kinds[self.run_depth - 1]
        if around != OBJECT and around != ARRAY:
            return False
        self.run_value = leaf.number_at(self.starts, self.run_depth)
        self.run_value_edits = leaf.number_at(self.opened, self.run_depth)
        self.run_number = -1
        self.run_last = kind
        self.run_depth -= 1
        return True

    def _take_comma_at(self, comma: int, following: int, place: int) -> None:
        """All up to the comma is certain, and it leads to what follows."""
        self._take_run(following, place)
        self.member_at = comma
        self.member_edits = self.run_comma
        self.comma_real = True

    def _take_run(self, pos: int, place: int) -> None:
        """All up to ``pos`` is certain."""
        while self.depth > self.run_depth:
            self._count(self.kinds[self.depth], -1)
            self.depth -= 1
        self.lasts[self.depth] = self.run_last
        self.value_at = self.run_value
        self.value_edits = self.run_value_edits
        self.number_at = self.run_number
        self.quoted_keys = self.run_quoted_keys
        self.bare_keys = self.run_bare_keys
        self.quoted_values = self.run_values
        self.run_edits = self.edit_count
        self.skipped_from = -1
        self.place = place
        self.pos = pos
