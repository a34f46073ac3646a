# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""The rewriter's books: what is open, and the edits written down so far.

Rules of this file: it keeps the stack and the edits in order and knows no reading; a
repair of what was passed before is inserted where it belongs.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence
from typing import Any, Final

from . import _columns as column
from ._codes import (
    AFTER,
    ARRAY,
    COLON,
    DONE,
    E_CONTROL,
    E_CUT,
    E_STRAY_TEXT,
    E_SURROGATE,
    KEY,
    MOST_TEXT,
    NOTHING,
    OBJECT,
    PAREN,
    SCALAR,
    SET,
    VALUE,
    WORDS,
    WRAP,
)
from ._errors import LimitError
from ._scan import Scanner
from ._types import Edit, EditKind

KINDS: Final = tuple(EditKind)
MOST_WRAPS: Final = 512
RISKS: Final = bytes(kind.risk for kind in EditKind)
MANY_FORGOTTEN: Final = 65_536  # repairs that hold too much memory for nobody
# What is not among the words has a number behind theirs.
NUMBERS: Final = {word: number for number, word in enumerate(WORDS)}
# What an edit is: the length of what is replaced, the word, and the kind.
LENGTH_AT: Final = 32
WORD_AT: Final = 5
KIND_BITS: Final = 31
WORD_BITS: Final = 0x7FFFFFF
WORD_AND_KIND: Final = 0xFFFFFFFF
# In a row of edit_what, where most have room (see ``_columns.what_at``).
SHORT_LENGTH_AT: Final = 15
MOST_SHORT_LENGTH: Final = 0xFFFF
MOST_SHORT_WORD: Final = 0x3FF


def control_escape(ch: str) -> str:
    """The JSON escape of a control character."""
    if ch == "\n":
        return "\\n"
    if ch == "\t":
        return "\\t"
    if ch == "\r":
        return "\\r"
    return f"\\u{ord(ch):04x}"


class Ledger(Scanner):
    """The containers that are open, the members begun in them, and the edits."""

    def _begin(
        self, text: str, start: int, end: int, final: bool, max_depth: int
    ) -> None:
        Scanner._begin(self, text, start, end, final, max_depth)
        self._check_length()
        self.max_depth = max_depth  # and one more for each WRAP that is open
        self.place = VALUE
        self.complete = True
        self.open_depth = 0
        # the stack, up to depth: kinds[0] is the root, which is no container
        self.depth = 0
        self.kinds = column.new_bytes(max_depth + MOST_WRAPS + 2)
        self.lasts = column.new_bytes(max_depth + MOST_WRAPS + 2)
        self.starts = column.new_column()
        self.opened = column.new_column()
        column.put_number(self.starts, 0, start)
        column.put_number(self.opened, 0, 0)
        self.objects = 0
        self.arrays = 0
        self.parens = 0
        self.wraps = 0
        # than was counted: a WRAP may end as a list, or one be opened around a value
        self.may_be_deeper = False
        # the member or item begun: where it goes back to when the text is cut
        self.member_at = -1
        self.member_edits = 0
        self.comma_real = False
        self.number_at = -1
        # the last value: where it starts, and how many edits came before it
        self.value_at = start
        self.value_edits = 0
        # where items of a list without its bracket were sought in vain, at which depth
        self.items_from = -1
        self.items_to = -1
        self.items_depth = -1
        # what was seen, for whoever judges whether this was JSON at all
        self.quoted_keys = 0
        self.bare_keys = 0
        self.quoted_values = 0
        self.bare_values = 0
        self.stray = 0
        self._begin_edits()
        # what the walks tell if somebody asks: so many rows, of all up to there, with
        # so many edits
        self.told: bytearray | None = None
        self.told_values: list[Any] = []
        self.built: Any = None  # what makes their values
        self.is_clean = False  # the last container that they passed over
        self.vain_to = start  # they tried in vain to parse what begins before
        self._untell()

    def _begin_edits(self) -> None:
        """There are none yet: column by column."""
        self.edit_count = 0
        self.edit_from = column.new_dense_column()
        self.edit_what = column.new_dense_column()
        self.long_whats = column.filled_column(0, 0)
        self.long_count = 0
        self.odd_words: list[str] = []
        self.odd_numbers: dict[str, int] | None = None  # of the first of them

    def _tell(self, count: int, pos: int, edits: int) -> None:
        """The walks have told that much, and nothing of it will change."""
        self.told_count = count
        self.told_to = pos
        self.told_edits = edits

    def _untell(self) -> None:
        """What the walks told does not hold: what was passed over is read otherwise."""
        self.told = None
        self.told_values = []
        self._tell(0, self.start, 0)

    def _add_text(self, more: str) -> None:
        Scanner._add_text(self, more)
        self._check_length()

    def _check_length(self) -> None:
        """Columns hold no larger numbers in the compiled build, and so in none."""
        if len(self.text) > MOST_TEXT:
            raise LimitError(f"more than {MOST_TEXT} characters of broken JSON")

    # ------------------------------------------------------------------ edits

    def edits(self) -> tuple[Edit, ...]:
        """The repairs, in order."""
        return tuple(self.each_edit())

    def each_edit(self) -> Iterator[Edit]:
        """The same, one at a time: each is ten times as large as its row."""
        for i in range(self.edit_count):
            start = column.number_at(self.edit_from, i)
            kind = KINDS[self._edit_kind(i)]
            yield Edit(start, self._edit_end(i), self._edit_text(i), kind)

    def write_edits(
        self,
        starts: MutableSequence[int],
        ends: MutableSequence[int],
        texts: list[str],
        kinds: MutableSequence[int],
    ) -> None:
        """Add the repairs to columns, the kind as its code."""
        for i in range(self.edit_count):
            starts.append(column.number_at(self.edit_from, i))
            ends.append(self._edit_end(i))
            texts.append(self._edit_text(i))
            kinds.append(self._edit_kind(i))

    def edit_risk(self) -> int:
        """The largest risk of the repairs, as in ``Risk``."""
        largest = 0
        for i in range(self.edit_count):
            risk = RISKS[self._edit_kind(i)]
            if risk > largest:
                largest = risk
        return largest

    def evidence(self) -> tuple[int, int, int, int, int]:
        """How many quoted and bare keys, quoted and bare values, and stray words were
        seen.
        """
        return (
            self.quoted_keys,
            self.bare_keys,
            self.quoted_values,
            self.bare_values,
            self.stray,
        )

    def __sizeof__(self) -> int:
        """Bytes of all that the books hold, for ``sys.getsizeof``."""
        held = column.size_of(self.edit_from) + column.size_of(self.edit_what)
        held += column.size_of(self.long_whats)
        return object.__sizeof__(self) + held

    def begins_with_edit(self, kind: int) -> bool:
        """Whether the first repair is of this kind, an index into ``EditKind``."""
        return self.edit_count > 0 and self._edit_kind(0) == kind

    def ends_with_edit(self, kind: int) -> bool:
        """Whether the last repair is of this kind, an index into ``EditKind``."""
        return self.edit_count > 0 and self._edit_kind(self.edit_count - 1) == kind

    def mended(self) -> str:
        """``text[start:pos]`` with the edits applied: strict JSON once it ended."""
        return column.apply_edits(
            self.text,
            self.start,
            self.pos,
            self.edit_from,
            self.edit_what,
            self.long_whats,
            WORDS,
            self.odd_words,
            self.edit_count,
        )

    def let_edits_go(self) -> None:
        """Give back the memory of the repairs, when nobody will ask for them."""
        self._untell()
        self._begin_edits()

    def _edit_end(self, i: int) -> int:
        """Where what the repair in row ``i`` replaces ends."""
        length = column.what_at(self.edit_what, self.long_whats, i) >> LENGTH_AT
        return column.number_at(self.edit_from, i) + length

    def _edit_kind(self, i: int) -> int:
        what = column.number_at(self.edit_what, i)
        if what < 0:
            what = column.long_at(self.long_whats, ~what)
        return what & KIND_BITS

    def _edit_text(self, i: int) -> str:
        """What the repair in row ``i`` writes."""
        word = (
            column.what_at(self.edit_what, self.long_whats, i) >> WORD_AT
        ) & WORD_BITS
        return WORDS[word] if word < len(WORDS) else self.odd_words[word - len(WORDS)]

    def _word_of(self, new: str) -> int:
        """The number of what is written."""
        word: int = NUMBERS.get(new, -1)
        if word < 0:
            if self.odd_numbers is None:
                self.odd_numbers = {}
            word = self.odd_numbers.get(new, -1)
        if word < 0:
            word = len(WORDS) + len(self.odd_words)
            if word > WORD_BITS:
                raise LimitError(f"more than {WORD_BITS} repairs", self.pos)
            self.odd_words.append(new)
            if word <= MOST_SHORT_WORD and self.odd_numbers is not None:
                self.odd_numbers[new] = word
        return word

    def _put_what(self, i: int, what: int) -> None:
        """Write what the repair in row ``i`` is."""
        length = what >> LENGTH_AT
        rest = what & WORD_AND_KIND
        if length <= MOST_SHORT_LENGTH and rest >> WORD_AT <= MOST_SHORT_WORD:
            column.put_number(self.edit_what, i, (length << SHORT_LENGTH_AT) | rest)
        else:
            column.put_long(self.long_whats, self.long_count, what)
            column.put_number(self.edit_what, i, ~self.long_count)
            self.long_count += 1

    def _replace_what(self, i: int, what: int) -> None:
        """The same where row ``i`` was written, of which no other is a copy."""
        if i < self.told_edits:
            self._untell()
        row = column.number_at(self.edit_what, i)
        if row < 0:
            column.put_long(self.long_whats, ~row, what)
        else:
            self._put_what(i, what)

    def _edit_anew(self, i: int, new: str, kind: int) -> None:
        """Have the repair in row ``i`` write something else, or be of another kind."""
        length = column.what_at(self.edit_what, self.long_whats, i) >> LENGTH_AT
        what = (length << LENGTH_AT) | (self._word_of(new) << WORD_AT) | kind
        self._replace_what(i, what)

    def _edit(self, start: int, end: int, new: str, kind: int) -> None:
        """Write down a repair; neighbouring removals of one kind become one."""
        last = self.edit_count - 1
        if new:
            self._add_edit(start, end, new, kind)
        elif start < end:
            what = -1
            if last >= self.member_edits and self._edit_end(last) == start:
                what = column.what_at(self.edit_what, self.long_whats, last)
            # it is of the kind, and writes nothing
            if what >= 0 and what & WORD_AND_KIND == kind:
                self._replace_what(last, what + ((end - start) << LENGTH_AT))
            else:
                self._add_edit(start, end, new, kind)

    def _is_last_end(self, pos: int) -> bool:
        """Whether what the last repair replaced ends at ``pos``."""
        last = self.edit_count - 1
        return last >= 0 and self._edit_end(last) == pos

    def _is_supplied(self) -> bool:
        """Whether the last value is a list whose bracket was supplied, or was supplied
        together with its colon.
        """
        index = self.value_edits
        if index >= self.edit_count or self._edit_text(index) not in ("[", ": null"):
            return False
        return self._is_inserted(index, self.value_at)

    def _is_implied(self) -> bool:
        """Whether the bracket of the innermost container was supplied."""
        index = column.number_at(self.opened, self.depth)
        at = column.number_at(self.starts, self.depth)
        return index < self.edit_count and self._is_inserted(index, at)

    def _is_inserted(self, index: int, at: int) -> bool:
        """Whether the repair in row ``index`` replaces nothing, at ``at``."""
        if column.number_at(self.edit_from, index) != at:
            return False
        return self._edit_end(index) == at

    def _add_edit(self, start: int, end: int, new: str, kind: int) -> None:
        """Write down a repair that joins no other."""
        self._put_edit(start, end, self._word_of(new), kind)

    def _put_edit(self, start: int, end: int, word: int, kind: int) -> None:
        """The same for a word that has a number."""
        if start < self.told_to:
            self._untell()
        if not column.has_room(self.edit_from, self.edit_count):
            self._make_room(start)
        column.put_number(self.edit_from, self.edit_count, start)
        length = end - start
        what = (word << WORD_AT) | kind
        if length <= MOST_SHORT_LENGTH and word <= MOST_SHORT_WORD:
            what |= length << SHORT_LENGTH_AT
            column.put_number(self.edit_what, self.edit_count, what)
        else:
            self._put_what(self.edit_count, what | (length << LENGTH_AT))
        self.edit_count += 1

    def _make_room(self, pos: int) -> None:
        """Have room for the repairs of the text behind ``pos``, if it goes on so."""
        done, whole = pos - self.start, self.end - self.start
        rows = column.rows_at_rate(self.edit_count, done, whole)
        column.reserve(self.edit_from, rows)
        column.reserve(self.edit_what, rows)

    def _insert_edit(
        self, index: int, start: int, end: int, new: str, kind: int
    ) -> None:
        """Write down a repair of what was passed before."""
        if index < self.told_edits:
            self._untell()
        for i in range(self.edit_count, index, -1):
            column.put_number(
                self.edit_from, i, column.number_at(self.edit_from, i - 1)
            )
            what = column.number_at(self.edit_what, i - 1)
            column.put_number(self.edit_what, i, what)
        count = self.edit_count
        self.edit_count = index
        self._add_edit(start, end, new, kind)
        self.edit_count = count + 1

    def _remove_edit(self, index: int) -> None:
        """Take back one repair of what was passed before."""
        if index < self.told_edits:
            self._untell()
        self.edit_count -= 1
        for i in range(index, self.edit_count):
            column.put_number(
                self.edit_from, i, column.number_at(self.edit_from, i + 1)
            )
            what = column.number_at(self.edit_what, i + 1)
            column.put_number(self.edit_what, i, what)

    def _forget_edits(self, count: int) -> None:
        """Take back the repairs after the first ``count``."""
        if count < self.told_edits:
            self._untell()
        if self.edit_count - count > MANY_FORGOTTEN and count < self.edit_count // 8:
            self._give_back(count)
        self.edit_count = count

    def _give_back(self, count: int) -> None:
        """The room of the repairs after the first ``count``, who are few, is let go."""
        starts, whats = self.edit_from, self.edit_what
        self.edit_from = column.new_dense_column()
        self.edit_what = column.new_dense_column()
        for i in range(count):
            column.put_number(self.edit_from, i, column.number_at(starts, i))
            column.put_number(self.edit_what, i, column.number_at(whats, i))

    def _drop(self, length: int, kind: int) -> None:
        """Remove the next characters."""
        self._edit(self.pos, self.pos + length, "", kind)
        self.pos += length
        if kind == E_STRAY_TEXT:
            self.stray += 1

    def _edit_control(self, pos: int) -> None:
        """A raw control character or lone surrogate inside a string."""
        ch = self.text[pos]
        if ch < " ":
            self._edit(pos, pos + 1, control_escape(ch), E_CONTROL)
        else:
            self._edit(pos, pos + 1, "\N{REPLACEMENT CHARACTER}", E_SURROGATE)

    # -------------------------------------------------------------- containers

    def _push(self, kind: int, place: int) -> None:
        """A container opens at ``pos``, whose opener is the next thing written."""
        if kind == WRAP:
            self._count_wrap(1)
        elif self.depth >= self.max_depth:
            self._exceed_depth()
        self.depth += 1
        self.kinds[self.depth] = kind
        self.lasts[self.depth] = NOTHING
        column.put_numbers(
            self.starts, self.opened, self.depth, self.pos, self.edit_count
        )
        self._count(kind, 1)
        self.place = place
        self.member_at = -1
        self.member_edits = self.edit_count

    def _count_wrap(self, step: int) -> None:
        """A call or parentheses around one value leave no container, and nest beside
        the limit, MOST_WRAPS of them.
        """
        if step > 0:
            self.may_be_deeper = True
            if self.wraps == MOST_WRAPS:
                self._exceed_depth()
        self.wraps += step
        self.max_depth += step
        if self.depth > self.max_depth:
            self._exceed_depth()

    def _exceed_depth(self) -> None:
        most = self.max_depth - self.wraps
        raise LimitError(f"nested deeper than {most}", self.pos, hint="max_depth")

    def _count(self, kind: int, step: int) -> None:
        if kind == ARRAY:
            self.arrays += step
        elif kind == PAREN or kind == WRAP:
            self.parens += step
        else:
            self.objects += step

    def _pop(self) -> None:
        """The innermost container has ended: it is an item of the one around it."""
        kind = self.kinds[self.depth]
        self.value_at = column.number_at(self.starts, self.depth)
        self.value_edits = column.number_at(self.opened, self.depth)
        self.depth -= 1
        self._count(kind, -1)
        if kind == WRAP:
            self._count_wrap(-1)
        self._value_done(kind)

    def _value_done(self, kind: int) -> None:
        self.lasts[self.depth] = kind
        self.place = AFTER if self.depth > 0 else DONE
        if kind != SCALAR:
            self.number_at = -1

    def _around(self) -> int:
        """The container around the innermost one."""
        return self.kinds[self.depth - 1] if self.depth > 0 else NOTHING

    def _ends_something(self, ch: str) -> bool:
        if ch == "}":
            return self.objects > 0
        if ch == "]":
            return self.arrays > 0
        return self.parens > 0

    def _closes(self, kind: int, ch: str) -> bool:
        if ch == "}":
            return kind == OBJECT or kind == SET
        if ch == "]":
            return kind == ARRAY
        return ch == ")" and (kind == PAREN or kind == WRAP)

    def _closer_of(self, depth: int) -> str:
        kind = self.kinds[depth]
        if kind == OBJECT:
            return "}"
        if kind != WRAP:
            return "]"
        if self.lasts[depth] == NOTHING:
            opener = column.number_at(self.opened, depth)
            self._edit_anew(opener, "[", self._edit_kind(opener))
            return "]"
        return ""

    # ----------------------------------------------------- the end of the text

    def _cut(self) -> None:
        """The text ended outside a string: drop the half-written, close the rest."""
        if self.depth == 0:
            if self.place == VALUE:
                self._edit(self.pos, self.pos, "null", E_CUT)
            self.complete = False
            self.place = DONE
            return
        half = self.place == KEY or self.place == COLON
        half = half or (self.place == VALUE and self.kinds[self.depth] == OBJECT)
        half = half or (self.place == VALUE and self.member_at >= 0)
        start = self.end
        if half and self.member_at >= 0:
            self._forget_edits(self.member_edits)
            start = self.member_at
        self._close_all(start)

    def _close_all(self, start: int) -> None:
        """Write the closers of everything open in place of ``text[start:end]``."""
        closers = []
        depth = self.depth
        while depth > 0:
            closers.append(self._closer_of(depth))
            depth -= 1
        self._edit(start, self.end, "".join(closers), E_CUT)
        self.open_depth = self.depth
        self.depth = 0
        self.pos = self.end
        self.complete = False
        self.place = DONE
