"""The walk over what needs no thought: members, items and containers in one go.

Rules of this file: those of ``_runs``, which it serves, and nobody else may call it.
This is how the pure build walks: as far as it can by patterns, one for a member or
item, and by the scanner of ``json``.  The compiled build takes the loop in
``_walks.pxd`` instead.  What each passes over may differ, since a walk may stop at any
doubt; what it writes down for what it passed over may not.
"""

from __future__ import annotations

from array import array
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any, Final

from . import _columns as column
from . import _leaves as leaf
from ._codes import (
    AFTER,
    ARRAY,
    DONE,
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
from ._later import compile_later
from ._objects import DECODER, SURROGATE

if TYPE_CHECKING:
    from ._runs import RunReader

__all__ = ["read_at_once", "told_value", "walk"]

LONGEST_TRY: Final = 8192  # characters of a container
MOST_VAIN: Final = 2 * LONGEST_TRY  # that are looked at before any is passed over
_ERROR: Final = 64  # characters that an error of the scanner costs as much as
_COUNTED: Final = compile_later(r'"(?:[^"\\]++|\\.)*+"([ \t\n\r]*+:)?+')
# A key that is not empty and its colon, then a scalar or what opens a container; no ""
# before another quote.  Before them a comma, or none where the container has begun.
_GAP: Final = leaf.BLANKS.pattern
_KEY: Final = (
    rf"(\"(?!\"){leaf.STRING}|'(?!'){leaf.APOSTROPHES}"
    rf"|{leaf.NAME}){_GAP}:(?!/){_GAP}"
)
_SCALAR: Final = (
    rf"\"(?!\"\"){leaf.STRING}|'(?!''){leaf.APOSTROPHES}"
    rf"|{leaf.NUMBER.pattern}|{leaf.LITERAL.pattern}"
)
_MEMBER: Final = rf"{_KEY}(?:({_SCALAR})|(?=[\"{{\[]))"
_ITEM: Final = rf"(?:({_SCALAR})(?={_GAP}[,\]])|(?=[{{\[]))"
_PLAIN_START: Final = compile_later(rf"\{{{_GAP}[\"}}]|\[{_GAP}[\"\d\-tfn{{\[\]]")
_FIRST_MEMBER: Final = compile_later(rf"{_GAP}{_MEMBER}")
_NEXT_MEMBER: Final = compile_later(rf"{_GAP}(,){_GAP}{_MEMBER}")
_FIRST_ITEM: Final = compile_later(rf"{_GAP}(?:({_SCALAR})|(?=[{{\[]))")
_NEXT_ITEM: Final = compile_later(rf"{_GAP}(,){_GAP}{_ITEM}")
_NEXT_MARK: Final = compile_later(rf"{_GAP}([}}\]]|,(?={_GAP}(?://|[}}\]]))|//)")
# Rows of edits, as in ``_columns.what_at``.
_MOST_LENGTH: Final = 0xFFFF
_MARK_EDITS: Final = array("i", [1 << 15 | W_QUOTE << 5 | E_QUOTE_MARK] * 2)
_KEY_EDITS: Final = array("i", [W_QUOTE << 5 | E_BARE_KEY] * 2)
_NUMERIC: Final = frozenset("-0123456789")
_LITERALS: Final = {
    "T": 4 << 15 | W_TRUE << 5 | E_LITERAL,
    "F": 5 << 15 | W_FALSE << 5 | E_LITERAL,
    "N": 4 << 15 | W_NULL << 5 | E_LITERAL,
}

# Where the last value is, how many edits come before it, where it is if it is a number,
# its kind, and how many quoted keys, bare keys and strings were seen.
_State = tuple[int, int, int, int, int, int, int]


def walk(books: RunReader) -> int:
    """Go on to the last comma or opener up to which there is no doubt, or to the end.

    Gives where no other walk needs to begin before.
    """
    return Walker(books).walk()


def read_at_once(books: RunReader, text: str, max_depth: int) -> Any:
    """The value of a short text that one walk passes over; else NotImplemented, and the
    books are begun, which take longer to make than a short text to walk over.

    The compiled build makes values of the tokens that walks passed over; the pure one
    never does.
    """
    books._begin(text, 0, len(text), True, max_depth)
    return NotImplemented


def told_value(books: RunReader) -> Any:
    """The value of the mended text, of the tokens that walks passed over and of what
    the careful steps made of the rest; NotImplemented where they don't tell.
    """
    del books
    return NotImplemented


class Walker:
    """One walk: what was passed over and is not certain yet."""

    def __init__(self, books: RunReader) -> None:
        self.books = books
        self.text = books.text
        self.end = books.end
        self.depth = books.depth
        self.last = books.lasts[books.depth]
        self.value_at = books.value_at
        self.value_edits = books.value_edits
        self.number_at = books.number_at
        self.quoted_keys = books.quoted_keys
        self.bare_keys = books.bare_keys
        self.strings = books.quoted_values
        # rows behind the last are of edits that were taken back
        self.froms, self.whats = books.edit_from, books.edit_what
        del self.froms[books.edit_count :]
        del self.whats[books.edit_count :]
        self.doubt_at = -1
        self.due = False  # a container is due, and not what follows a value
        self.skipped_from = -1  # where one that was skipped starts, till it is certain

    def walk(self) -> int:
        """Go on until there is a doubt; where no other walk needs to begin before."""
        books = self.books
        start = pos = self._skip_gap(books.pos)
        if books.place != AFTER:
            pos = self._begin(pos, books.place == KEY)
        while pos >= 0:
            start = pos
            if self.due:
                pos = self._pass_container(pos)
                continue
            if books.kinds[self.depth] == OBJECT:
                pos = self._pass_members(pos)
            else:
                pos = self._pass_items(pos)
            if pos >= 0 and not self.due:
                start = pos
                pos = self._pass_mark(pos)
        count = books.edit_count
        del self.froms[count:]
        del self.whats[count:]
        if self.skipped_from >= 0:
            return self.skipped_from + 1
        return max(start, self.doubt_at) + 1

    # ------------------------------------------------------------ what is certain

    def _read_state(self) -> _State:
        """What is certain as soon as a comma is that leads to something."""
        return (
            self.value_at,
            self.value_edits,
            self.number_at,
            self.last,
            self.quoted_keys,
            self.bare_keys,
            self.strings,
        )

    def _make_certain(self, pos: int, place: int, edits: int, state: _State) -> None:
        """All up to ``pos`` is certain, and so many edits."""
        books = self.books
        while books.depth > self.depth:
            books._count(books.kinds[books.depth], -1)
            books.depth -= 1
        books.value_at, books.value_edits, books.number_at, last = state[:4]
        books.quoted_keys, books.bare_keys, books.quoted_values = state[4:]
        books.lasts[books.depth] = last
        books.edit_count = edits
        books.place = place
        books.pos = pos
        self.skipped_from = -1

    def _take_comma(
        self, comma: int, following: int, place: int, edits: int, state: _State
    ) -> None:
        """All up to the comma is certain, and it leads to what follows."""
        self._make_certain(following, place, edits, state)
        books = self.books
        books.member_at = comma
        books.member_edits = edits
        books.comma_real = True

    # --------------------------------------------------------- members and items

    def _skip_gap(self, pos: int) -> int:
        """Behind the blanks and ``//`` comments at ``pos``; the latter are dropped."""
        text, end = self.text, self.end
        pos = leaf.skip_blanks(text, pos, end)
        while text.startswith("//", pos, end):
            line = text.find("\n", pos, end)
            if line < 0:
                break
            self.froms.append(pos)
            if line - pos <= _MOST_LENGTH:
                self.whats.append((line - pos) << 15 | W_NOTHING << 5 | E_COMMENT)
            else:
                books = self.books
                what = (line - pos) << 32 | W_NOTHING << 5 | E_COMMENT
                column.put_long(books.long_whats, books.long_count, what)
                self.whats.append(~books.long_count)
                books.long_count += 1
            pos = leaf.skip_blanks(text, line, end)
        return pos

    def _begin(self, pos: int, is_member: bool, is_next: bool = True) -> int:
        """A member or item at ``pos``, where all before it is certain if it
        ``is_next``: behind it, or -1.
        """
        if is_member:
            match = _FIRST_MEMBER.match(self.text, pos, self.end)
        else:
            match = _FIRST_ITEM.match(self.text, pos, self.end)
        if match is None:
            return -1
        value = match.start(2 if is_member else 1)
        if is_member:
            key = match.start(1)
            self._note_key(key, match.end(1))
            if value < 0 and self.text[match.end()] == '"':
                return self._certify_key(key, match.end()) if is_next else -1
        if value < 0:
            self.due = True
        else:
            self._note_scalar(value)
        return match.end()

    def _certify_key(self, key: int, value: int) -> int:
        """Between quotes on both sides a colon is certain, and so is the key before
        it; but not the string that is the value.  Gives -1.
        """
        books = self.books
        if self.text[key] == '"' and books.place == KEY:
            if books.member_at < 0:
                books.member_at = key
                books.member_edits = len(self.froms)
            books.quoted_keys = self.quoted_keys
            books.edit_count = len(self.froms)
            books.place = VALUE
            books.pos = value
            self.doubt_at = value
        return -1

    def _note_key(self, pos: int, end: int) -> None:
        ch = self.text[pos]
        if ch == '"':
            self.quoted_keys += 1
        elif ch == "'":
            self.quoted_keys += 1
            self.froms.append(pos)
            self.froms.append(end - 1)
            self.whats.extend(_MARK_EDITS)
        else:
            self.bare_keys += 1
            self.froms.append(pos)
            self.froms.append(end)
            self.whats.extend(_KEY_EDITS)

    def _note_scalar(self, pos: int) -> None:
        ch = self.text[pos]
        self.last = SCALAR
        self.value_at = pos
        self.value_edits = len(self.froms)
        self.number_at = pos if ch in _NUMERIC else -1
        if ch == '"':
            self.strings += 1
        elif ch == "'":
            self.strings += 1
            self.froms.append(pos)
            self.froms.append(self.text.index("'", pos + 1))
            self.whats.extend(_MARK_EDITS)
        elif ch in _LITERALS:
            self.froms.append(pos)
            self.whats.append(_LITERALS[ch])

    def _pass_members(self, pos: int) -> int:
        """Behind the members at ``pos``, each with the comma before it."""
        text, end, froms, whats = self.text, self.end, self.froms, self.whats
        match = _NEXT_MEMBER.match
        found = match(text, pos, end)
        if found is None:
            return pos
        value_at, value_edits, number_at, last, quoted, bare, strings = (
            self._read_state()
        )
        while found is not None:
            (_, pos), (comma, _), (key, key_end), (value, behind) = found.regs
            edits = len(froms)
            state = (value_at, value_edits, number_at, last, quoted, bare, strings)
            ch = text[key]
            if ch == '"':
                quoted += 1
            elif ch == "'":
                quoted += 1
                froms.append(key)
                froms.append(key_end - 1)
                whats.extend(_MARK_EDITS)
            else:
                bare += 1
                froms.append(key)
                froms.append(key_end)
                whats.extend(_KEY_EDITS)
            if value < 0:
                self.due = True
                break
            last = SCALAR
            value_at = value
            value_edits = len(froms)
            ch = text[value]
            number_at = value if ch in _NUMERIC else -1
            if ch == '"':
                strings += 1
            elif ch == "'":
                strings += 1
                froms.append(value)
                froms.append(behind - 1)
                whats.extend(_MARK_EDITS)
            elif ch in _LITERALS:
                froms.append(value)
                whats.append(_LITERALS[ch])
            found = match(text, pos, end)
        self._take_comma(comma, key, KEY, edits, state)
        self.value_at, self.value_edits, self.last = value_at, value_edits, last
        self.number_at, self.strings = number_at, strings
        self.quoted_keys, self.bare_keys = quoted, bare
        if self.due and text[pos] == '"':
            return self._certify_key(key, pos)
        return pos

    def _pass_items(self, pos: int) -> int:
        """Behind the items at ``pos``, each with the comma before it; -1 in doubt."""
        text, end, froms, whats = self.text, self.end, self.froms, self.whats
        match = _NEXT_ITEM.match
        found = match(text, pos, end)
        if found is None:
            return pos
        while found is not None:
            (_, pos), (comma, _), (value, behind) = found.regs
            edits = len(froms)
            state = self._read_state()
            if value < 0:
                self.due = True
                value = pos
                break
            if self.last == ARRAY:
                return -1  # may be of a row that lost its opener
            self.last = SCALAR
            self.value_at = value
            self.value_edits = edits
            ch = text[value]
            self.number_at = value if ch in _NUMERIC else -1
            if ch == '"':
                self.strings += 1
            elif ch == "'":
                self.strings += 1
                froms.append(value)
                froms.append(behind - 1)
                whats.extend(_MARK_EDITS)
            elif ch in _LITERALS:
                froms.append(value)
                whats.append(_LITERALS[ch])
            found = match(text, pos, end)
        self._take_comma(comma, value, VALUE, edits, state)
        return pos

    # ----------------------------------------------------- openers, closers, commas

    def _pass_container(self, pos: int) -> int:
        """A container starts at ``pos``: behind it if it is valid; in it; or -1."""
        self.due = False
        books, text = self.books, self.text
        kind = OBJECT if text[pos] == "{" else ARRAY
        after = self._skip_valid(pos, kind)
        if after < 0:
            return self._open(pos, kind)
        self.skipped_from = pos
        self.last = kind
        self.value_at = pos
        self.value_edits = len(self.froms)
        self.number_at = -1
        books.tried_to = after
        return after

    def _skip_valid(self, pos: int, kind: int) -> int:
        """Behind the valid container at ``pos``, or -1.

        The root is not tried, since it holds the fault, and nothing is where more was
        looked at in vain than passed over.  What is nearly as deep as allowed counts
        as too deep.
        """
        books = self.books
        if self.depth == 0 or books.tried < -MOST_VAIN or pos < books.tried_to:
            return -1
        if _PLAIN_START.match(self.text, pos, self.end) is None:
            return -1
        # long lists are of records, and hold a fault sooner or later
        longest = LONGEST_TRY if kind == OBJECT else LONGEST_TRY // 4
        piece = self.text[pos : min(self.end, pos + longest)]
        try:
            _, size = DECODER.raw_decode(piece)
        except JSONDecodeError as error:
            books.tried -= max(error.pos, _ERROR)
            return -1
        except (RecursionError, ValueError):  # the latter for NaN and its kind
            books.tried -= len(piece)
            return -1
        opened = piece.count("{", 0, size) + piece.count("[", 0, size)
        may_be_half = piece.find("\\u", 0, size) >= 0 or not piece.isascii()
        is_half = may_be_half and SURROGATE.search(piece, 0, size) is not None
        if is_half or opened > books.max_depth - self.depth:
            books.tried -= size
            return -1
        books.tried += size
        strings = _COUNTED.findall(piece, 0, size)
        values = strings.count("")
        self.quoted_keys += len(strings) - values
        self.strings += values
        return pos + size

    def _open(self, pos: int, kind: int) -> int:
        """An opener is certain where a value is due: behind what is first in it."""
        books = self.books
        if books.depth >= books.max_depth:
            return -1
        count = len(self.froms)
        books.value_at = self.value_at = pos
        books.number_at = self.number_at = books.member_at = -1
        books.value_edits = books.edit_count = self.value_edits = count
        books.member_edits = count
        books.quoted_keys = self.quoted_keys
        books.bare_keys = self.bare_keys
        books.depth = self.depth = depth = books.depth + 1
        books.kinds[depth] = kind
        books.lasts[depth] = self.last = NOTHING
        column.put_numbers(books.starts, books.opened, depth, pos, count)
        books._count(kind, 1)
        books.place = KEY if kind == OBJECT else VALUE
        books.pos = pos + 1
        first = self._skip_gap(pos + 1)
        if first >= self.end:
            return -1
        if self.text[first] in "}]":
            return first
        return self._begin(first, kind == OBJECT)

    def _pass_mark(self, pos: int) -> int:
        """A closer, a comma before no plain item, or a remark: behind it, or -1."""
        match = _NEXT_MARK.match(self.text, pos, self.end)
        if match is None:
            return -1
        pos = match.start(1)
        ch = self.text[pos]
        if ch == ",":
            return self._pass_comma(pos)
        if ch == "/":
            after = self._skip_gap(pos)
            return after if after > pos else -1
        books = self.books
        kind = books.kinds[self.depth]
        opener = books.starts[self.depth]
        around = books.kinds[self.depth - 1]
        if ch == "}" and self.text[opener + 1] == "{":
            return -1
        if not books._closes(kind, ch):
            return -1
        if around != OBJECT and around != ARRAY:
            behind = leaf.skip_blanks(self.text, pos + 1, self.end)
            if self.depth > 1 or behind < self.end:
                return -1  # not the end of the root and of the text
        self.value_at = opener
        self.value_edits = books.opened[self.depth]
        self.number_at = -1
        self.last = kind
        self.depth -= 1
        if self.depth == 0:
            self._make_certain(pos + 1, DONE, len(self.froms), self._read_state())
            return -1
        return pos + 1

    def _pass_comma(self, pos: int) -> int:
        """A comma before a closer is dropped; behind remarks an item may follow."""
        books = self.books
        edits = len(self.froms)
        following = self._skip_gap(pos + 1)
        if following >= self.end:
            return -1
        state = self._read_state()
        if self.text[following] in "}]":
            del self.froms[edits:]  # those of the remarks come behind
            del self.whats[edits:]
            self._make_certain(pos + 1, AFTER, edits, state)
            books._edit(pos, pos + 1, "", E_COMMA)
            return pos + 1
        is_member = books.kinds[self.depth] == OBJECT
        if not is_member and self.last == ARRAY and self.text[following] not in "{[":
            return -1  # may be of a row that lost its opener
        count = len(self.froms)
        after = self._begin(following, is_member, False)
        if after < 0 or (not is_member and not self._is_item(after)):
            return -1
        place = KEY if is_member else VALUE
        self._take_comma(pos, following, place, edits, state)
        books.edit_count = count
        return after

    def _is_item(self, after: int) -> bool:
        """Whether what ``_begin`` passed over is an item for certain."""
        if self.due:
            return True
        after = leaf.skip_blanks(self.text, after, self.end)
        return self.text.startswith((",", "]"), after, self.end)
