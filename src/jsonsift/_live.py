# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""The rewriter as a stream sees it: what is settled so far, as a value that grows.

Rules of this file: it reads no JSON and mends nothing.  It knows up to where, in the
text and in the edits, nothing that comes can change what the rewriter made of it, and
passes that much on, once.  So what a stream shows is the beginning of the answer.

What is not settled, and therefore waits: a comma and key whose value has not begun;
a number before a comma that may be one of its own; the first characters of a string
in a list or on a line of its own, which may be a key that lost its brace; all in a
call or in parentheses, which may be a tuple; and in a string the last run of space,
commas, closers, backticks and closing tags, since a string that lost its closing
quote ends before such a run.  Three repairs come later than that, and are changes of
the value: see ``_become_set``, ``_open_list_before`` and ``_was_key``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from . import _columns as column
from . import _leaves as leaf
from ._codes import (
    AFTER,
    DONE,
    E_CLOSER,
    E_COMMA,
    NOTHING,
    OBJECT,
    Q_DOUBLE,
    SCALAR,
    STRING,
    VALUE,
    WRAP,
)
from ._errors import LimitError
from ._grow import GrowingValue
from ._mend import Mender
from ._pieces import PieceReader
from ._scan import NeedMore, is_blank, skip_space, skip_word

COMPILED: Final = not __file__.endswith(".py")
if not COMPILED:  # its own loops are as short
    from . import _tokens as tokens

# What may stand between the end of a string without its quote and what follows.
RUN: Final = " \t\n\r,{}[])`\N{RIGHT DOUBLE QUOTATION MARK}"
LONGEST_KEY: Final = 64
LONGEST_TAG: Final = 64
MOST_TAGS: Final = 8  # of a string, behind closers: as many as when it is cut
_BLANKS_LOOKED_AT: Final = 64


class LiveMender(PieceReader):
    """A ``Mender`` in a text that is still being written.

    ``value`` grows with what is settled.  ``allowed[code]`` is 1 for the kinds of edits
    that may be shown; at any other the value stays as it is, and ``stopped`` is True.
    With ``keys_wait`` no string shows that may turn out to be a key.
    """

    def __init__(
        self,
        text: str,
        start: int,
        value: GrowingValue,
        allowed: bytes,
        max_depth: int = 512,
        keys_wait: bool = False,
    ) -> None:
        self._begin(text, start, -1, False, max_depth)
        self.value = value
        self.allowed = allowed
        self.keys_wait = keys_wait
        self.level = len(value.stack) - 1  # where this root is in the value's stack
        self.stopped = False
        self.failed = False
        self.when_ended: Callable[[], None] | None = None
        self.frozen_at = -1  # nothing behind this place is shown, if it is one
        # how much was passed on: of the text, and of the edits
        self.shown = start
        self.shown_edits = 0
        self.withholds = False  # the last value, which may be another
        self.in_plain = False  # in a string that is shown up to its last run
        self.root: Any = None  # what is shown meanwhile
        # in the string whose body this is: where its last run starts, where the tags
        # in that run ended when it was found, how far we know, and where the run holds
        # a comma; where the string ends if it is never closed, since the text behind
        # closes everything
        self.run_body = -1
        self.run_at = start
        self.run_stem = start
        self.run_known = start
        self.comma_in_run = -1
        self.ends_at = -1
        self.tags_tried = 0

    def take_text(self) -> str:
        """The text, for whoever goes on with it; this rewriter is of no use then."""
        text = self.text
        self.text = ""
        self.end = 0
        self.final = True
        self.place = DONE
        return text

    def freeze(self, pos: int) -> None:
        """Show nothing behind ``pos`` until told otherwise (-1)."""
        if pos >= 0:
            while pos > self.start and self.text[pos - 1] in RUN:
                pos -= 1
        self.frozen_at = pos

    # --------------------------------------------------------------- passing on

    def follow(self, more: str) -> Any:
        """``feed`` and ``show`` in one; what is shown then.

        When the value has ended, ``when_ended`` is called and says what is shown; so
        it is when there is nothing more to show: the text is nested too deeply, or an
        integer has too many digits.
        """
        at = -1  # in the pure build what the step does is shown in any case
        edits = 0
        tells = True
        try:
            if not COMPILED:
                if tokens.take_piece(self, more):
                    return self.root
            elif self.in_plain and self._go_on_plain(more):
                return self.root
            else:
                at = self.pos
                edits = self.edit_count
                tells = self.withholds or (self.place == VALUE and '"' in more)
                self._add_text(more)
            self.in_plain = False
            ended = self._go_on()
            # what was withheld may show without a step, by more text alone
            if tells or self.pos != at or self.edit_count != edits:
                self.show()
        except (LimitError, ValueError):
            self.stopped = self.failed = True
            ended = True
        if ended and self.when_ended is not None:
            return self.when_ended()
        if self.stopped:
            self.root = self.value.root()
        return self.root

    def _go_on_plain(self, more: str) -> bool:
        """Take what can only be more of the string, as ``feed`` and ``show`` do."""
        stem = leaf.plain_stem(more)
        if stem < 0:
            return False
        before = self.end
        self._add_text(more)
        self.pos = self.run_known = self.end
        if stem > 0:
            at = self.shown
            self.shown = self.run_at = self.run_stem = before + stem
            if at < before or stem < len(more):
                more = self.text[at : self.shown]
            self.value.grow(more)
        return True

    def _is_in_plain(self) -> bool:
        """Whether plain text that comes can only be more of the open string."""
        if self.is_key or self.quote != Q_DOUBLE:
            return False
        if self.pos < self.end or self.depth == 0 or self.ends_at >= 0:
            return False
        if self.shown != self.run_at or self.shown_edits < self.edit_count:
            return False
        if self.stopped or self.frozen_at >= 0:
            return False
        # what may be a tag is not shown before it is known to be none
        return self.text.rfind("<", max(self.body, self.end - LONGEST_TAG)) < 0

    def show(self) -> None:
        """Pass on what has been settled."""
        if self.stopped:
            return
        edits = self.edit_count
        to = self.pos
        place = self.place
        value_ended = place == AFTER or place == DONE
        self.withholds = False
        if place == STRING and not self.is_key:
            if self.early and self._may_be_key():
                self.withholds = True
                to = self.value_at
                edits = self.value_edits
                if self.early_comma >= column.number_at(self.starts, self.depth):
                    to = self.member_at
                    edits = self.member_edits
                    value_ended = True  # the one before
            else:
                to = self._settled_in_string()
        elif value_ended:
            if self.number_at >= 0 and self._may_be_regrouped():
                self.withholds = True
                to = self.value_at
                edits = self.value_edits
                value_ended = False
        elif place == VALUE and self._is_at_lone_quote():
            to = self.pos + 1
        elif self.member_at >= 0:
            to = self.member_at
            edits = self.member_edits
            value_ended = True
        if self.parens > 0:
            depth = self.kinds.find(WRAP, 1, self.depth + 1)
            if depth > 0:
                to = column.number_at(self.starts, depth)
                edits = column.number_at(self.opened, depth)
                value_ended = False
        if 0 <= self.frozen_at < to:
            to = self.frozen_at
            value_ended = False
        if to > self.shown or edits > self.shown_edits:
            self._pass_on(to, edits)
        if self.value.mode:  # inside a token
            if value_ended and not self.stopped:
                self.value.end_token()
            self.value.show()
        self.in_plain = place == STRING and self._is_in_plain()
        self.root = self.value.root()

    def _pass_on(self, to: int, edits: int) -> None:
        """Have the value read the mended text up to ``to``, and so many edits of it."""
        at = self.shown
        i = min(self.shown_edits, self.edit_count)
        if i > 0:  # a removal may have grown
            at = max(at, self._edit_end(i - 1))
        while i < edits:
            start = column.number_at(self.edit_from, i)
            end = self._edit_end(i)
            if end > to:
                break
            if self.allowed[self._edit_kind(i)] == 0:
                self.stopped = True
                to = start
                break
            if start >= at:
                self.value.read(self.text, at, start)
                new = self._edit_text(i)
                self.value.read(new, 0, len(new))
            at = max(at, end)  # else a quote that was shown before its kind was known
            i += 1
        if i < self.edit_count:
            to = min(to, column.number_at(self.edit_from, i))
        if to > at:
            self.value.read(self.text, at, to)
            at = to
        self.shown = at
        self.shown_edits = i
        if self.stopped:  # what a comma or closer ends is whole, should they be wrong
            kind = self._edit_kind(i)
            if kind == E_COMMA or kind == E_CLOSER:
                self.value.end_token()

    def _is_at_lone_quote(self) -> bool:
        """Whether a quote was written last where a value is due: a string begins."""
        pos = self.pos
        if self.keys_wait or pos != self.end - 1 or self.text[pos] != '"':
            return False
        return self.kinds[self.depth] == OBJECT and not self._opens_line(pos)

    def _may_be_key(self) -> bool:
        """Whether the open string is short enough to be a key, and stands like one.

        ``[{…}, "a": 1}`` has lost a brace, and so has a colon with a line end behind.
        """
        if self.pos - self.body >= LONGEST_KEY:
            return False
        if self.keys_wait or self.kinds[self.depth] != OBJECT:
            return True
        return self._opens_line(self.value_at)

    def _opens_line(self, pos: int) -> bool:
        """Whether a line end and nothing but space stands before ``pos``."""
        before = self.text[max(self.start, pos - LONGEST_KEY) : pos]
        return "\n" in before[len(before.rstrip()) :]

    def _may_be_regrouped(self) -> bool:
        """Whether the last value, a number, may go on behind a comma: ``1,234``."""
        if self.kinds[self.depth] != OBJECT or self.lasts[self.depth] != SCALAR:
            return False
        if self.place == DONE:
            return False
        pos = self.pos
        if pos >= self.end:
            return True
        if self.text[pos] != ",":
            return False
        return pos + 1 >= self.end or "0" <= self.text[pos + 1] <= "9"

    # ------------------------------------------------------------- in a string

    def _settled_in_string(self) -> int:
        """Up to where the open string cannot end, whatever comes."""
        if self.run_body != self.body:
            self._begin_run()
        pos = self.pos
        if self.depth == 0:
            return pos
        if pos > self.run_known:
            stem = pos
            opened = -1  # behind an opener: nothing ends before one but at a comma
            while stem > self.run_known and self.text[stem - 1] in RUN:
                stem -= 1
                ch = self.text[stem]
                if ch == ",":
                    opened = -1
                elif opened < 0 and (ch == "{" or ch == "["):
                    opened = stem + 1
            if opened >= 0 and (stem > self.run_known or not self._holds_comma()):
                stem = opened
            if stem > self.run_known:
                before = self._before_tags(stem)
                if self.ends_at < 0:
                    self._find_closed_before_tag(self.run_at, before)
                # a line end in a string is mended: no repair, none
                if self.ends_at < 0 and self.edit_count > self.body_edits:
                    self._find_closing_lines(self.run_at, before)
                self.run_at = before
                self.run_stem = stem
            self.run_known = pos
        return self.ends_at if self.ends_at >= 0 else self.run_at

    def _begin_run(self) -> None:
        """Nothing of the open string is known yet."""
        self.run_body = self.body
        self.run_at = self.run_stem = self.run_known = self.body
        self.ends_at = -1
        self.tags_tried = 0

    def _holds_comma(self) -> bool:
        """Whether a comma stands in the run as far as it is known."""
        if self.comma_in_run < self.run_at:
            self.comma_in_run = self.text.find(",", self.run_at, self.run_known)
        return self.comma_in_run >= 0

    def _before_tags(self, pos: int) -> int:
        """Before the closing tags, whole or half, that the string so far ends with.

        If the text ends there, so did the string before them: ``{"a": "b</answer>``.
        A tag that was cut at ``run_stem`` begins where it did, so that a walk which
        gets there ends where the last one did, and need not go over those tags again.
        """
        least = self.run_at
        while pos > self.run_stem:
            at = self.text.rfind("<", max(least, pos - LONGEST_TAG), pos)
            if at < 0:
                break
            if at + 1 < pos and self.text[at + 1] != "|":
                if self.text[at + 1] != "/":
                    break
                name = skip_word(self.text, at + 2, pos)
                if name < pos and (name < pos - 1 or self.text[name] != ">"):
                    break
            pos = at
            while pos > least and self.text[pos - 1] in RUN:
                pos -= 1
        return pos if pos > self.run_stem else least

    def _find_closing_lines(self, pos: int, end: int) -> None:
        """Note a line end in ``text[pos:end]`` behind which all that is open closes.

        If the string is never closed, it ends there.
        """
        line = self._closing_lines(pos, end)
        if line < end:
            while line > pos and self.text[line - 1] in RUN:
                line -= 1
            self.ends_at = line

    def _find_closed_before_tag(self, pos: int, end: int) -> None:
        """Note a closing tag in ``text[pos:end]`` before which all that is open closes.

        If the string is never closed, it ends before those closers.
        """
        at = self.text.find("<", pos, end)
        while at >= 0 and self.tags_tried < MOST_TAGS:
            found = at
            while found > self.body and self.text[found - 1] in "}]) \t\r\n":
                found -= 1
            if found < at and self.text[found:at].strip():
                self.tags_tried += 1
                counted, curly, square = self.counted, self.curly, self.square
                self.counted = self.body
                self.curly = self.square = 0
                found = self._skip_balanced(found, at)
                self.counted, self.curly, self.square = counted, curly, square
                if self._left_open(found, at) == 0 and self._is_outer_tag(at):
                    while found > self.body and self.text[found - 1] in RUN:
                        found -= 1
                    self.ends_at = found
                    return
            at = self.text.find("<", at + 1, end)

    # --------------------------------------------------- is the value whole?

    def has_content(self) -> bool:
        """Whether there is more than an opening bracket and half a member."""
        if self.depth > 1 or self.place == DONE or self.lasts[self.depth] != NOTHING:
            return True
        return self.place == STRING and not self.is_key

    def is_whole(self) -> bool:
        """Whether the value is complete if nothing more comes."""
        if self.place == DONE:
            return self.complete
        at = self.pos
        if self.place == STRING:
            at = self._behind_quote(at)
            if at < 0:
                return False
        depth = self.depth
        blanks = 0
        while depth > 0:
            if at >= self.end:
                return False
            ch = self.text[at]
            if is_blank(ch):
                blanks += 1
                if blanks > _BLANKS_LOOKED_AT:
                    return False
            elif self._closes(self.kinds[depth], ch):
                depth -= 1
            else:
                return False
            at += 1
        at = skip_space(self.text, at, min(at + _BLANKS_LOOKED_AT, self.end))
        return at >= self.end or self.text[at] not in ',:}])"'

    def _behind_quote(self, pos: int) -> int:
        """Behind the quote at ``pos`` that may close the open string; -1 if none."""
        if pos >= self.end:
            return -1
        try:
            length = self._close_length(pos, self.quote)
        except NeedMore:
            return -1
        return pos + length if length > 0 else -1

    # ----------------------------------------- repairs of what was passed on

    def _insert_edit(
        self, index: int, start: int, end: int, new: str, kind: int
    ) -> None:
        if index < self.shown_edits:
            self.shown_edits += 1
        Mender._insert_edit(self, index, start, end, new, kind)

    def _become_set(self) -> None:
        """``{`` was shown as an object, empty as yet; it is a list."""
        depth = self.depth
        index = column.number_at(self.opened, depth)
        Mender._become_set(self)
        if self.shown > column.number_at(self.starts, depth) and not self.stopped:
            self.value.become_list(self.level + depth)
            self.shown_edits = max(self.shown_edits, index + 1)

    def _open_list_before(self) -> None:
        """The last value was shown as a member; it is the first item of a list."""
        depth = self.depth
        at = self.value_at
        index = self.value_edits
        # a null that was supplied is shown as soon as its repair is
        is_shown = self.shown > at or self.shown_edits > index
        Mender._open_list_before(self)
        if self.stopped or not is_shown:
            pass
        elif self.value.has_unplaced():
            self._forget_shown(at, index)
        else:
            self.value.wrap_last(self.level + depth)
            self.shown_edits = max(self.shown_edits, index + 1)

    def _was_key(self) -> bool:
        """A string was shown as a value; it is the key of an object in its place."""
        at = self.value_at
        if not Mender._was_key(self):
            return False
        if self.stopped:
            return True
        if self.shown > at:
            self.value.forget_last()
        if self.shown > self.pos:
            self.shown = self.pos
            self.shown_edits = min(self.shown_edits, self.value_edits)
        return True

    def _forget_shown(self, at: int, edits: int) -> None:
        """Pass on once more what stands from ``at`` on, of which nothing shows."""
        self.value.forget_last()
        self.shown = at
        self.shown_edits = min(self.shown_edits, edits)
