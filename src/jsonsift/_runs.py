# cython: language_level=3, boundscheck=False, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""Runs of what is well formed, passed over in one go: most of what models write.

Rules of this file: it is a short cut and no reading of its own.  It passes over a
member or item only where the careful steps would do just the same, which it knows when
what follows is well formed too; at the first doubt it stops where all was sure, and
the careful steps go on from there.  It never looks twice at a place.  Text that comes
in pieces goes without it, so that every test which compares pieces with the whole
holds the two against each other.
"""

from __future__ import annotations

from ._closers import CloserReader
from ._codes import (
    AFTER,
    ARRAY,
    KEY,
    NOTHING,
    OBJECT,
    SCALAR,
    VALUE,
)
from ._scan import skip_scalar, skip_space, skip_string


class RunReader(CloserReader):
    """Passes over members and items that are well formed, containers and all."""

    def __init__(
        self,
        text: str,
        start: int = 0,
        end: int = -1,
        *,
        final: bool = True,
        max_depth: int = 512,
    ) -> None:
        super().__init__(text, start, end, final=final, max_depth=max_depth)
        self.run_from = start
        # what was passed over and is not certain yet
        self.run_depth = 0
        self.run_last = NOTHING
        self.run_value = start
        self.run_number = -1
        self.run_keys = 0
        self.run_values = 0

    def _skip_run(self) -> None:
        """Go on to the last comma or opener up to which all is well formed."""
        if self.pos < self.run_from:
            return
        kind = self.kinds[self.depth]
        if kind != OBJECT and kind != ARRAY:
            return
        self._enter_run()
        pos = skip_space(self.text, self.pos, self.end)
        if self.place == KEY:
            pos = self._skip_key(pos)
            if pos >= 0:
                self.run_keys += 1
        elif self.place == AFTER:
            pos = self._skip_after(pos)
        elif self.place != VALUE:
            return
        while pos >= 0:
            pos = self._skip_value(pos)

    def _enter_run(self) -> None:
        """What the run is not yet sure of starts from what is so."""
        self.run_depth = self.depth
        self.run_last = self.lasts[self.depth]
        self.run_value = self.value_at
        self.run_number = self.number_at
        self.run_keys = self.quoted_keys
        self.run_values = self.quoted_values

    def _stop_run(self, pos: int) -> int:
        """The run ends; no other begins before ``pos``."""
        self.run_from = pos
        return -1

    def _skip_key(self, pos: int) -> int:
        """The key at ``pos`` and its colon: where its value starts, or -1."""
        text = self.text
        end = self.end
        if pos + 1 >= end or text[pos] != '"' or text[pos + 1] == '"':
            return self._stop_run(pos)
        colon = skip_string(text, pos + 1, end)
        if colon < 0:
            return self._stop_run(pos + 1)
        colon = skip_space(text, colon, end)
        if colon >= end or text[colon] != ":":
            return self._stop_run(colon)
        return skip_space(text, colon + 1, end)

    def _skip_value(self, pos: int) -> int:
        """The value at ``pos``: where the next value starts, or -1."""
        if pos >= self.end:
            return self._stop_run(pos)
        ch = self.text[pos]
        if ch == "{" or ch == "[":
            return self._skip_opener(pos, OBJECT if ch == "{" else ARRAY)
        after = skip_scalar(self.text, pos, self.end)
        if after < 0:
            return self._stop_run(pos + 1)
        self._note_scalar(pos, ch)
        return self._skip_after(after)

    def _note_scalar(self, pos: int, ch: str) -> None:
        self.run_last = SCALAR
        self.run_value = pos
        self.run_number = pos if "0" <= ch <= "9" or ch == "-" else -1
        if ch == '"':
            self.run_values += 1

    def _skip_opener(self, pos: int, kind: int) -> int:
        """A container opens: where its first value starts, or -1.

        An opener where a value is due is certain, and so is the key before it.
        """
        if self.depth >= self.max_depth:
            return self._stop_run(pos)
        self.pos = self.value_at = pos
        self.number_at = -1
        self.value_edits = len(self.edit_starts)
        self.quoted_keys = self.run_keys
        self._push(kind, KEY if kind == OBJECT else VALUE)
        self.pos = pos + 1
        self._enter_run()
        pos = skip_space(self.text, pos + 1, self.end)
        if pos >= self.end:
            return self._stop_run(pos)
        if self.text[pos] == ("}" if kind == OBJECT else "]"):
            return self._skip_after(pos)
        if kind == OBJECT:
            pos = self._skip_key(pos)
            self.run_keys += 1
        return pos

    def _skip_after(self, pos: int) -> int:
        """Closers and a comma behind a value: where the next value starts, or -1."""
        text = self.text
        end = self.end
        while True:
            pos = skip_space(text, pos, end)
            if pos >= end:
                return self._stop_run(pos)
            ch = text[pos]
            kind = self.kinds[self.run_depth]
            if ch != ",":
                if self.run_depth < 2 or ch != ("}" if kind == OBJECT else "]"):
                    return self._stop_run(pos)
                if ch == "}" and text[self.starts[self.run_depth] + 1] == "{":
                    return self._stop_run(pos)
                if not self._leave(kind):
                    return self._stop_run(pos)
                pos += 1
                continue
            following = skip_space(text, pos + 1, end)
            if following >= end:
                return self._stop_run(following)
            if kind == OBJECT:
                value = self._skip_key(following)
                if value >= 0:
                    self._take_run(pos, following, KEY)
                    self.run_keys += 1
                return value
            ch = text[following]
            if ch == "{" or ch == "[":
                self._take_run(pos, following, VALUE)
                return following
            # a scalar among rows may be one of a row that lost its opener
            after = skip_scalar(text, following, end) if self.run_last != ARRAY else -1
            if after < 0:
                return self._stop_run(following)
            after = skip_space(text, after, end)
            if after >= end or (text[after] != "," and text[after] != "]"):
                return self._stop_run(after)
            self._take_run(pos, following, VALUE)
            self._note_scalar(following, ch)
            pos = after

    def _leave(self, kind: int) -> bool:
        """A container closes; False if the one around it is no object or array."""
        self.run_value = self.starts[self.run_depth]
        self.run_number = -1
        self.run_last = kind
        self.run_depth -= 1
        around = self.kinds[self.run_depth]
        return around == OBJECT or around == ARRAY

    def _take_run(self, comma: int, following: int, place: int) -> None:
        """All up to the comma is certain."""
        while self.depth > self.run_depth:
            self._count(self.kinds[self.depth], -1)
            self.depth -= 1
        self.lasts[self.depth] = self.run_last
        self.value_at = self.run_value
        self.number_at = self.run_number
        self.quoted_keys = self.run_keys
        self.quoted_values = self.run_values
        self.value_edits = self.member_edits = len(self.edit_starts)
        self.member_at = comma
        self.comma_real = True
        self.place = place
        self.pos = following
