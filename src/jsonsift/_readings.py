# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""Which of several readings of a wrong bracket the rest of the text bears out.

Rules of this file: a reading is the containers that it leaves open and the place it
goes on from.  From there the structure alone is walked, strings and words passed over,
up to the first bracket, key or value that has no place; the reading that goes furthest
is the best.  It decides and changes nothing but its memory.
"""

from __future__ import annotations

from ._codes import (
    AFTER,
    ARRAY,
    KEY,
    NOTHING,
    NUL,
    OBJECT,
    PAREN,
    PATIENCE,
    Q_NONE,
    R_OPENER,
    READINGS,
    VALUE,
)
from ._scan import NeedMore, quote_length
from ._words import WordReader


class ReadingJudge(WordReader):
    """Compares readings by how far the text goes on as JSON in each of them."""

    def _begin(
        self, text: str, start: int, end: int, final: bool, max_depth: int
    ) -> None:
        WordReader._begin(self, text, start, end, final, max_depth)
        self.patience = 0
        # the walk under way: how far, the last comma or closer, the lowest depth
        self.walked_to = start
        self.mark = start
        self.lowest = 0

    def _may_compare(self) -> bool:
        """Whether readings may be compared here; it begins a comparison.

        Where one has looked none looks again, but from the very fault that it found:
        the reading taken went furthest, so no stretch is walked more than once a
        reading.  As a text streams in, what it does not decide is compared again when
        twice as much has come, or all.
        """
        if self.pos < self.compared_to and self.pos != self.fault_at:
            return False
        if not self.final:
            if self.end < self.patience:
                raise NeedMore
            self.patience = self.end + max(self.end - self.pos, PATIENCE)
        # by reading: how far it goes, and the last comma or closer before that
        self.reaches = [-1] * READINGS
        self.marks = [-1] * READINGS
        self.walked_to = self.compared_to
        return True

    def _best_reading(self, usual: int) -> int:
        """The reading that goes furthest, the usual one of equals; ends a comparison.

        Three readings at the most were weighed since ``_may_compare``.
        """
        best = usual
        for reading in range(READINGS):
            if self.reaches[reading] > self.reaches[best]:
                best = reading
        self.patience = 0
        self.fault_at = self.marks[best]
        self.compared_to = self.walked_to
        return best

    def _weigh(
        self, reading: int, depth: int, opened: int, pos: int, place: int
    ) -> None:
        """Note how far a reading goes: from ``pos`` on with ``depth`` containers open,
        and one of the kind ``opened`` in them unless that is NOTHING.

        Who supplies an opener must see it closed by a closer of its kind, else the
        reading counts for nothing.
        """
        kinds = self.kinds[: depth + 1]
        if opened != NOTHING:
            kinds.append(opened)
        self.mark = self.pos
        self.lowest = len(kinds) - 1
        reach = self._walk(kinds, pos, place)
        if reading == R_OPENER and self.lowest > depth:
            reach = -1
        self.reaches[reading] = reach
        self.marks[reading] = self.mark

    def _walk(self, kinds: bytearray, pos: int, place: int) -> int:
        """The first position that has no place in this reading, from ``pos`` on.

        The end when the text ends with containers open, one more when it does not.
        """
        while True:
            self.walked_to = max(self.walked_to, pos)
            pos = self._peek(pos)
            ch = self._at(pos)
            top = len(kinds) - 1
            if ch == NUL:
                return self.end + (top == 0)
            if ch == "}" or ch == "]" or ch == ")":
                if top == 0 or not self._closes(kinds[top], ch):
                    return pos
                self.mark = pos
                kinds.pop()
                self.lowest = min(self.lowest, top - 1)
                place = AFTER
                pos += 1
            elif top == 0:
                return self._end_walk(pos, ch)
            elif ch == "," and kinds[top] == OBJECT and self._is_in_number(pos):
                pos = self._token_end(pos + 1)
            elif ch == "," or ch == ";":
                self.mark = pos
                place = KEY if kinds[top] == OBJECT else VALUE
                pos += 1
            elif self._ellipsis_end(pos) > pos:
                pos = self._ellipsis_end(pos)
            else:
                if place == AFTER:  # a comma is missing
                    place = KEY if kinds[top] == OBJECT else VALUE
                after = self._walk_item(kinds, pos, place)
                if after < 0:
                    return pos
                place = VALUE if place == KEY else AFTER
                if place == AFTER and len(kinds) - 1 > top:
                    place = KEY if kinds[top + 1] == OBJECT else VALUE
                pos = after

    def _end_walk(self, pos: int, ch: str) -> int:
        """The value is whole: only what is joined to it by a comma has no place."""
        if ch == ",":
            self.mark = pos
            pos = self._peek(pos + 1)
            ch = self._at(pos)
            if ch == "{" or ch == "[" or self._is_key(pos):
                return pos
        return self.end + 1

    def _is_in_number(self, pos: int) -> bool:
        """Whether the comma stands between digits: ``1,234`` where a key is due."""
        if not ("0" <= self._before(pos) <= "9" and "0" <= self._at(pos + 1) <= "9"):
            return False
        return self._at(self._token_end(pos + 1)) != ":"

    def _walk_item(self, kinds: bytearray, pos: int, place: int) -> int:
        """Behind the key with its colon, the scalar or the opener that stands at
        ``pos`` and is due there; -1 if it is not.
        """
        ch = self._at(pos)
        if ch == "{" or ch == "[" or ch == "(":
            if place == KEY or len(kinds) > self.max_depth:
                return -1
            kinds.append(OBJECT if ch == "{" else ARRAY if ch == "[" else PAREN)
            return pos + 1
        quote = self._open_quote(pos)
        if quote != Q_NONE:
            end = self._end_quote(pos + quote_length(quote), quote)
            if end < self.end:
                end += self._close_length(end, quote)
        else:
            end = self._token_end(pos)
            if end == pos:
                return -1
            if self._at(end) == "(" and place == VALUE:
                kinds.append(PAREN)
                return end + 1
        after = self._peek(end)
        colon = self._at(after) == ":"
        if place == KEY:
            return after + 1 if colon else -1
        return end if not colon else -1
