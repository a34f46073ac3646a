"""The walk over what needs no thought: members, items and containers in one go.

Rules of this file: those of ``_runs``, which it serves, and nobody else may call it.
This is how the pure build walks: as far as it can by patterns and the scanner of
``json``.  The compiled build takes the loop in ``_walks.pxd`` instead.  What each
passes over may differ, since a walk may stop at any doubt; what it writes down for
what it passed over may not.
"""

from __future__ import annotations

from json import JSONDecodeError, JSONDecoder
from typing import TYPE_CHECKING, Final

from . import _leaves as leaf
from ._codes import (
    AFTER,
    ARRAY,
    E_BARE_KEY,
    E_COMMA,
    E_COMMENT,
    E_LITERAL,
    E_QUOTE_MARK,
    KEY,
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

if TYPE_CHECKING:
    from ._runs import RunReader

__all__ = ["walk"]

LONGEST_TRY: Final = 8192  # characters of a container
MOST_VAIN: Final = 2 * LONGEST_TRY  # that are looked at before any is passed over
_SURROGATE: Final = compile_later(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
_COUNTED: Final = compile_later(r'"(?:[^"\\]++|\\.)*+"([ \t\n\r]*+:)?+')
# Behind a comma, a key that is not empty, its colon and a scalar: those that are plain,
# of which the last is kept, or one that is not.  No "" before another quote.
_GAP: Final = leaf.BLANKS.pattern
_COLON: Final = rf"(){_GAP}:(?!/){_GAP}"
_KEY: Final = rf'"(?!"){leaf.STRING.pattern}'
_TEXT: Final = rf'"(?!""){leaf.STRING.pattern}'
_SCALAR: Final = rf"{_TEXT}|{leaf.NUMBER.pattern}|true|false|null"
_MEMBERS: Final = compile_later(rf"(?:(,){_GAP}({_KEY}){_COLON}({_SCALAR}){_GAP})+")
_LOOSE_KEY: Final = rf"{_KEY}|'(?!'){leaf.APOSTROPHES.pattern}|{leaf.NAME.pattern}"
_LOOSE: Final = rf"'(?!''){leaf.APOSTROPHES.pattern}|{_SCALAR}|{leaf.LITERAL.pattern}"
_LOOSE_MEMBER: Final = compile_later(
    rf"(,){_GAP}({_LOOSE_KEY}){_COLON}({_LOOSE}){_GAP}"
)


def _refuse(constant: str) -> None:
    raise ValueError(constant)


# The values are thrown away: what is long to make is not made.
_DECODER: Final = JSONDecoder(parse_float=len, parse_int=len, parse_constant=_refuse)


def _skip_members(text: str, pos: int, end: int, found: list[int]) -> int:
    """Behind the members at ``pos``, each a comma, a key and a scalar, and the blanks.

    One that is not plain is passed alone.  ``found`` becomes how many keys and string
    values they have, where the last one's comma and key are, where that key ends, and
    where the value starts and ends.
    """
    match = _MEMBERS.match(text, pos, end) or _LOOSE_MEMBER.match(text, pos, end)
    if match is None:
        return -1
    if match.start(1) > pos:
        keys, strings = _count_strings(text, pos, match.end())
    else:
        keys, strings = 1, int(text[match.start(4)] == '"')
    comma, key, key_end, value = map(match.start, (1, 2, 3, 4))
    found[:7] = keys, strings, comma, key, key_end, value, match.end(4)
    return match.end()


def _count_strings(text: str, pos: int, end: int) -> tuple[int, int]:
    """How many keys and how many other strings there are in valid JSON."""
    strings = _COUNTED.findall(text, pos, end)
    values = strings.count("")
    return len(strings) - values, values


def _skip_container(text: str, pos: int, end: int, most: int, found: list[int]) -> int:
    """Behind the valid object or array at ``pos`` that nests at most so deeply; else,
    negative, how many characters were looked at.

    ``found`` becomes how many keys and how many other strings are in it.  The scanner
    of ``json`` is the fastest way through in the pure build; what is nearly as deep as
    allowed counts as too deep there.
    """
    piece = text[pos:end]
    try:
        _, size = _DECODER.raw_decode(piece)
    except JSONDecodeError as error:
        return -max(error.pos, 1)
    except (RecursionError, ValueError):  # the latter for NaN and its kind
        return -len(piece)
    opened = piece.count("{", 0, size) + piece.count("[", 0, size)
    may_be_half = piece.find("\\u", 0, size) >= 0 or not piece.isascii()
    if opened > most or (may_be_half and _SURROGATE.search(piece, 0, size) is not None):
        return -size
    found[:2] = _count_strings(piece, 0, size)
    return pos + size


def walk(books: RunReader) -> int:
    """Go on to the last comma or opener up to which there is no doubt.

    Gives where the doubt was: no other walk needs to begin before that.
    """
    walker = Walker(books)
    walker.walk()
    return walker.stopped_at


class Walker:
    """One walk: what was passed over and is not certain yet, and what is."""

    def __init__(self, books: RunReader) -> None:
        self.books = books
        self.text = books.text
        self.end = books.end
        self.stopped_at = books.pos
        self.found = [0] * 7  # what a pattern has to say beside
        self.key_end = books.pos
        self.run_comma = 0  # how many edits stand before the last comma
        self._enter_run()

    def walk(self) -> None:
        """Go on to the last comma or opener up to which there was no doubt."""
        place = self.books.place
        pos = self._skip_gap(self.books.pos)
        if place == AFTER:
            pos = self._skip_after(pos)
        elif place == KEY:
            value = self._skip_key(pos)
            if value >= 0:
                self._note_key(pos)
            pos = value
        while pos >= 0:
            pos = self._skip_value(pos)

    def _enter_run(self) -> None:
        """What the run is not yet sure of starts from what is so."""
        self.skipped_from = -1
        self.run_edits = self.books.edit_count
        self.run_depth = self.books.depth
        self.run_last = self.books.lasts[self.books.depth]
        self.run_value = self.books.value_at
        self.run_value_edits = self.books.value_edits
        self.run_number = self.books.number_at
        self.run_quoted_keys = self.books.quoted_keys
        self.run_bare_keys = self.books.bare_keys
        self.run_values = self.books.quoted_values

    def _stop_run(self, pos: int) -> int:
        """The run ends; no other begins before ``pos``.

        A container that was passed over is gone through after all.
        """
        self.stopped_at = pos if self.skipped_from < 0 else self.skipped_from + 1
        self._take_back(self.run_edits)
        return -1

    def _take_back(self, count: int) -> None:
        """Forget the edits behind the first ``count``; often there are none."""
        if self.books.edit_count > count:
            self.books._forget_edits(count)

    def _skip_gap(self, pos: int) -> int:
        """Behind the blanks and remarks at ``pos``."""
        pos = leaf.skip_blanks(self.text, pos, self.end)
        if pos < self.end and self.text[pos] == "/":
            return self._skip_remarks(pos)
        return pos

    def _skip_remarks(self, pos: int) -> int:
        """Behind the ``//`` comments at ``pos`` and the blanks; they are dropped."""
        while leaf.is_remark(self.text, pos, self.end):
            line = leaf.find_line_end(self.text, pos, self.end)
            if line < 0:
                break
            self.books._put_edit(pos, line, W_NOTHING, E_COMMENT)
            pos = leaf.skip_blanks(self.text, line, self.end)
        return pos

    # -------------------------------------------------------------------- keys

    def _skip_key(self, pos: int) -> int:
        """The key at ``pos`` and its colon: where its value starts, or -1."""
        end = self.end
        if pos + 2 >= end:
            return self._stop_run(pos)
        ch = self.text[pos]
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
        if colon + 1 >= end or self.text[colon] != ":":
            return self._stop_run(colon)
        if self.text[colon + 1] == "/":
            return self._stop_run(colon)
        return leaf.skip_blanks(self.text, colon + 1, end)

    def _note_key(self, pos: int) -> None:
        """The key at ``pos`` is passed over."""
        ch = self.text[pos]
        if ch == '"':
            self.run_quoted_keys += 1
        elif ch == "'":
            self.run_quoted_keys += 1
            self.books._put_edit(pos, pos + 1, W_QUOTE, E_QUOTE_MARK)
            self.books._put_edit(self.key_end - 1, self.key_end, W_QUOTE, E_QUOTE_MARK)
        else:
            self.run_bare_keys += 1
            self.books._put_edit(pos, pos, W_QUOTE, E_BARE_KEY)
            self.books._put_edit(self.key_end, self.key_end, W_QUOTE, E_BARE_KEY)

    # ------------------------------------------------------------------ values

    def _skip_value(self, pos: int) -> int:
        """The value at ``pos``: where the next value starts, or -1."""
        if pos >= self.end:
            return self._stop_run(pos)
        ch = self.text[pos]
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
        books = self.books
        if self.run_depth == 0 or books.tried < -MOST_VAIN or pos < books.tried_to:
            return -1
        most = self.books.max_depth - self.run_depth
        # long lists are of records, and hold a fault sooner or later
        longest = LONGEST_TRY if kind == OBJECT else LONGEST_TRY // 4
        end = min(self.end, pos + longest)
        after = _skip_container(self.text, pos, end, most, self.found)
        if after < 0:
            self.books.tried += after
            return -1
        self.books.tried += after - pos
        self.books.tried_to = after
        self.skipped_from = pos
        self.run_quoted_keys += self.found[0]
        self.run_values += self.found[1]
        self.run_last = kind
        self.run_value = pos
        self.run_value_edits = self.books.edit_count
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
            if after == pos + 2 and after < end and self.text[after] == ch:
                return -1  # three of them
            return after
        if "0" <= ch <= "9" or ch == "-":
            return leaf.skip_plain_number(self.text, pos, end)
        return leaf.skip_literal(self.text, pos, end)

    def _note_scalar(self, pos: int, end: int, ch: str) -> None:
        """The scalar at ``pos`` is passed over."""
        self.run_last = SCALAR
        self.run_value = pos
        self.run_value_edits = self.books.edit_count
        self.run_number = -1
        if ch == '"':
            self.run_values += 1
        elif ch == "'":
            self.run_values += 1
            self.books._put_edit(pos, pos + 1, W_QUOTE, E_QUOTE_MARK)
            self.books._put_edit(end - 1, end, W_QUOTE, E_QUOTE_MARK)
        elif "0" <= ch <= "9" or ch == "-":
            self.run_number = pos
        elif ch == "T":
            self.books._put_edit(pos, end, W_TRUE, E_LITERAL)
        elif ch == "F":
            self.books._put_edit(pos, end, W_FALSE, E_LITERAL)
        elif ch == "N":
            self.books._put_edit(pos, end, W_NULL, E_LITERAL)

    def _skip_opener(self, pos: int, kind: int) -> int:
        """A container opens: where its first value starts, or -1.

        An opener where a value is due is certain, and so is the key before it.
        """
        if self.books.depth >= self.books.max_depth:
            return self._stop_run(pos)
        self.books.pos = self.books.value_at = pos
        self.books.number_at = -1
        self.books.value_edits = self.books.edit_count
        self.books.quoted_keys = self.run_quoted_keys
        self.books.bare_keys = self.run_bare_keys
        self.books._push(kind, KEY if kind == OBJECT else VALUE)
        self.books.pos = pos + 1
        self._enter_run()
        first = self._skip_gap(pos + 1)
        if first >= self.end:
            return self._stop_run(first)
        ch = self.text[first]
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
            ch = self.text[pos]
            kind = self.books.kinds[self.run_depth]
            if ch == "/":
                behind = self._skip_remarks(pos)
                if behind == pos:
                    return self._stop_run(pos)
                pos = behind
                continue
            if ch != ",":
                opener = self.books.starts[self.run_depth]
                if ch == "}" and self.text[opener + 1] == "{":
                    return self._stop_run(pos)
                if not self.books._closes(kind, ch) or not self._leave(kind):
                    return self._stop_run(pos)
                pos += 1
                continue
            self.run_comma = self.books.edit_count
            following = self._skip_gap(pos + 1)
            if following >= end:
                return self._stop_run(following)
            ch = self.text[following]
            if ch == "}" or ch == "]":
                self._take_back(self.run_comma)  # those of the remarks come behind
                self._take_run(pos + 1, AFTER)
                self.books._edit(pos, pos + 1, "", E_COMMA)
                self.run_edits = self.books.edit_count
                pos += 1
            elif kind == OBJECT:
                after = _skip_members(self.text, pos, end, self.found)
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
        key = self.found[3]
        value = self.found[5]
        ch = self.text[value]
        self.run_quoted_keys += self.found[0] - 1
        self.run_values += self.found[1] - (1 if ch == '"' else 0)
        self._take_comma_at(self.found[2], key, KEY)
        self.key_end = self.found[4]
        self._note_key(key)
        self._note_scalar(value, self.found[6], ch)

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
        mark = self.text[behind]
        if mark != "," and mark != "]":
            return self._stop_run(behind)
        self._take_comma_at(comma, following, VALUE)
        self._note_scalar(following, after, ch)
        return behind

    def _leave(self, kind: int) -> bool:
        """A container closes, if the one around it is an object or array."""
        around = self.books.kinds[self.run_depth - 1]
        if around != OBJECT and around != ARRAY:
            return False
        self.run_value = self.books.starts[self.run_depth]
        self.run_value_edits = self.books.opened[self.run_depth]
        self.run_number = -1
        self.run_last = kind
        self.run_depth -= 1
        return True

    def _take_comma_at(self, comma: int, following: int, place: int) -> None:
        """All up to the comma is certain, and it leads to what follows."""
        self._take_run(following, place)
        self.books.member_at = comma
        self.books.member_edits = self.run_comma
        self.books.comma_real = True

    def _take_run(self, pos: int, place: int) -> None:
        """All up to ``pos`` is certain."""
        while self.books.depth > self.run_depth:
            self.books._count(self.books.kinds[self.books.depth], -1)
            self.books.depth -= 1
        self.books.lasts[self.books.depth] = self.run_last
        self.books.value_at = self.run_value
        self.books.value_edits = self.run_value_edits
        self.books.number_at = self.run_number
        self.books.quoted_keys = self.run_quoted_keys
        self.books.bare_keys = self.run_bare_keys
        self.books.quoted_values = self.run_values
        self.run_edits = self.books.edit_count
        self.skipped_from = -1
        self.books.place = place
        self.books.pos = pos
