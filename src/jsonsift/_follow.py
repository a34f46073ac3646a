"""Follows a reply while it is being written: finds the value in it, and lets it grow.

It composes what ``_sift`` composes, in the same order, but never looks back: it
commits to the first candidate that is JSON as far as it goes.  What the answer is,
the whole text decides when it is there; that is not done here.

Each phase is a method that takes the next piece of text: seeking a candidate,
considering one, following it, looking for another value right behind it, and at last
only keeping the text.  The text is in one hand at a time, the locator's or the
rewriter's, so that it can grow in place.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from io import StringIO
from typing import Any, Final

from ._build import REWRITER, GrowingValue, LiveMender, is_deeper
from ._choose import is_written
from ._errors import LimitError
from ._locate import (
    Locator,
    Unclosed,
    Undecided,
    begins_with_words,
    closes_fence,
    is_json_label,
    is_marker,
    opens_value,
    skip_blank,
    skip_trailing,
)
from ._types import Candidate, CandidateKind, Edit, EditKind, Risk, Span

__all__ = ["Follower"]

_KINDS: Final = tuple(EditKind)
_RISKS: Final = tuple(kind.risk for kind in _KINDS)
_REREADS: Final = 2  # as often over the text's length what was refused is read again
_LONG_LOOK: Final = 256  # undecided text of this length is not looked at each time
_FENCE_TRIES: Final = 16  # marks inside a block that do not close it
_TUPLE: Final = EditKind.TUPLE.code
_PLAIN_LENGTH: Final = 100  # so many characters of valid JSON do not come by chance
_BLANK: Final = "\ufeff \t\r\n"
_WHOLE_OPENERS: Final = "{[｛［("  # what a reply that is one value may begin with
_LONGEST_COMMENT_MARK: Final = 4


class Follower:
    """The value of a reply so far.

    ``feed`` takes the next piece of text and gives what is shown.
    """

    def __init__(
        self,
        ceiling: Risk,
        max_depth: int,
        *,
        partial_strings: bool,
        keys_wait: bool,
        record: bool,
    ) -> None:
        self.feed: Callable[[str], Any] = self._go_on
        self._is_shown = False
        self._phase: Callable[[str], None] = self._seek
        self._again = False  # the next phase has something to do at once
        self._rewriter = REWRITER
        self._allowed = bytes(risk <= ceiling for risk in _RISKS)
        self._joins = EditKind.JOIN.risk <= ceiling
        self._max_depth = max_depth
        self._partial_strings = partial_strings
        self._keys_wait = keys_wait
        self._record = record
        self._events: list[tuple[Any, ...]] = []
        self._growing = self._make_value()
        self._locator = Locator("", final=False)
        self._mender: LiveMender | None = None
        self._refused: LiveMender | None = None  # the last that was no JSON
        self._candidate = Candidate(Span(0, 0), CandidateKind.WHOLE)
        self._begun = False  # something but space has come
        self._begins_reply = False
        self._is_first_sought = False  # whether the reply begins with a bracket
        self._ended = 0  # how many values have ended,
        self._end = 0  # where the last one did,
        # and their repairs, in narrow columns: there may be one in every few characters
        self._edit_from, self._edit_to = array("i"), array("i")
        self._edit_kinds, self._edit_texts = array("B"), list[str]()
        self._retry_at = 0  # what is undecided is not tried again in less text
        self._reread = 0
        self._is_fenced = False
        self._fence_from = 0  # where the block's end is sought; 0: it is passed
        self._fence_tries = 0
        self._fence_is_far = False  # nothing read so far can begin its end
        self._rest = StringIO()  # text that nobody looks at any more

    def _go_on(self, more: str) -> Any:
        """Let the phase of the moment have the text, and those that come at once."""
        self._phase(more)
        while self._again:
            self._again = False
            self._phase("")
        return self._growing.root() if self._is_shown else None

    # ------------------------------------------------------------ what there is

    @property
    def complete(self) -> bool:
        """Whether the value is whole if nothing more comes."""
        if not self._is_shown:
            return False
        return self._mender is None or self._mender.is_whole()

    def find_open_path(self) -> tuple[Any, ...] | None:
        """The path of the innermost value that is not whole; None if all are.

        They are if nothing is held back that was read, and the rest closes all.
        """
        mender = self._mender
        if mender is not None and mender.shown >= mender.pos and self.complete:
            return None
        return self._growing.find_open_path()

    def list_edits(self) -> list[Edit]:
        """The repairs of what is shown."""
        kinds = [_KINDS[code] for code in self._edit_kinds]
        edits = list(map(Edit, self._edit_from, self._edit_to, self._edit_texts, kinds))
        if self._mender is not None and self._is_shown:
            edits += self._mender.edits()[: self._mender.shown_edits]
        return edits

    def count_whole(self, items: list[Any]) -> int:
        """How many items of a list in the value can no longer change."""
        return self._growing.count_whole(items)

    def take_events(self) -> list[tuple[Any, ...]]:
        """What has changed in what is shown since the last call."""
        events = self._events
        self._events = []
        if self._is_shown:
            events += self._growing.events
            self._growing.events.clear()
        return events

    def take_text(self) -> str:
        """All the text that was fed; what is shown is let go, nothing may be fed."""
        text = (self._mender or self._locator).take_text()
        self._locator.reasoning.clear()
        self._mender = None
        self.feed = self._go_on  # else it holds the rewriter, and that the value
        self._growing = self._make_value()
        self._is_shown = False
        return text + self._rest.getvalue()

    # ------------------------------------------------------------------ seeking

    def _seek(self, more: str) -> None:
        """There is no candidate yet."""
        locator = self._locator
        if more and not locator.feed(more):
            return
        if locator.end < self._retry_at:
            return
        if not self._begun:
            first = more.lstrip(_BLANK)[:1]
            self._begun = bool(first)
            if first == '"':  # the reply may be one string
                self._phase = self._keep
                return
        try:
            candidate = locator.next(locator.reached)
        except Unclosed:
            return
        except Undecided:
            self._wait(locator.reached, locator.end)
            return
        if candidate is None:
            return
        start = candidate.span.start
        if not self._is_first_sought:
            self._is_first_sought = True
            first_at = skip_blank(locator.text, 0, start)
            if first_at < start and self._may_be_value(first_at):
                self._read(first_at)
                self._phase = self._doubt
                return
        self._candidate = candidate
        near = start <= _LONG_LOOK
        self._begins_reply = near and not locator.text[:start].strip(_BLANK)
        self._is_fenced = candidate.kind is CandidateKind.FENCED
        self._fence_from = start
        self._fence_tries = 0
        self._read(start)

    def _wait(self, pos: int, end: int) -> None:
        """``text[pos:end]`` decides nothing: do not look at every new character."""
        ahead = end - pos
        self._retry_at = end + (ahead // 8 if ahead >= _LONG_LOOK else 0)

    def _read(self, start: int) -> None:
        """Set the rewriter to work at ``start``."""
        self._retry_at = 0
        self._mender = self._rewriter.LiveMender(
            self._locator.take_text(),
            start,
            self._growing,
            self._allowed,
            self._max_depth - (self._ended > 0),  # the list around them is one
            self._keys_wait,
        )
        if self._refused is not None:
            self._mender.recall_unbroken(self._refused)
        self._phase = self._consider
        self._again = True

    def _make_value(self) -> GrowingValue:
        return self._rewriter.GrowingValue(
            partial_strings=self._partial_strings, record=self._record
        )

    # ------------------------------------------------- considering a candidate

    def _consider(self, more: str) -> None:
        """A candidate is being read that may be JSON."""
        mender = self._mender
        assert mender is not None
        try:
            ended = mender.feed(more)
            if self._is_fenced:
                self._watch_fence(mender)
            if ended and self._ended and not self._is_convincing(mender):
                self._phase = self._keep  # it is no part of the list
            elif ended:
                mender.show()
                self._end_value(mender)
            elif self._is_likely(mender):
                self._is_shown = True
                mender.show()
                self._follow(mender)
        except (LimitError, ValueError):  # too deep, or too many digits
            self._phase = self._keep

    def _is_likely(self, mender: LiveMender) -> bool:
        """Whether this is JSON as far as it goes."""
        valid = mender.edit_count == 0
        if valid and self._ended:  # a further value of a list
            return mender.has_content()
        if valid and (self._begins_reply or is_json_label(self._candidate.label)):
            return mender.text[mender.start] == "{" or mender.has_content()
        length = len(mender.text)
        if length < self._retry_at or not mender.has_content():
            return False
        self._wait(mender.start, length)
        if not self._is_convincing(mender):
            return False
        if self._ended:  # shown when it is sure to be one
            return True
        if valid and mender.pos - mender.start > _PLAIN_LENGTH:
            return True
        return mender.quoted_keys + mender.quoted_values > 0

    def _is_convincing(self, mender: LiveMender, *, one_of_many: bool = False) -> bool:
        """The judgement that the whole reply will meet, about what is there."""
        roots = self._growing.roots
        value = roots[self._ended] if len(roots) > self._ended else [None]
        is_container = isinstance(value, (dict, list))
        if mender.edit_count == 0 and is_container:
            return True  # valid JSON is JSON
        is_meant = is_json_label(self._candidate.label)
        # of a list it is judged even where it begins the reply
        if not self._ended and not one_of_many:
            is_meant = is_meant or self._candidate.kind is CandidateKind.WHOLE
        if is_meant:
            return is_container or mender.bare_values == 0
        if not is_container or not (value or mender.complete):
            return False
        return is_written(
            mender.evidence(),
            mender.edit_risk(),
            lambda: mender.begins_with_edit(_TUPLE),
        )

    def _may_be_value(self, pos: int) -> bool:
        """Whether a bracket stands at ``pos`` that may open the reply as one value."""
        text = self._locator.text
        if text[pos] not in _WHOLE_OPENERS or is_marker(text, pos):
            return False
        return not begins_with_words(text)

    def _doubt(self, more: str) -> None:
        """The reply begins with a bracket that opens nothing like JSON.

        It may be one value all the same: ``{_"id": …`` with its quote in the wrong
        place.  What is in it shows when more than that value has come.
        """
        mender = self._mender
        assert mender is not None
        try:
            if not mender.feed(more):
                return
            mender.show()
        except (LimitError, ValueError):  # too deep, or too many digits
            self._phase = self._keep
        else:
            self._phase = self._look_past
            self._again = True

    def _look_past(self, more: str) -> None:
        """A value has ended that is the answer if it is the whole reply, else none."""
        mender = self._mender
        assert mender is not None
        mender.feed(more)
        text = mender.text
        if len(text) < self._retry_at:
            return
        end = skip_trailing(text, mender.pos, len(text))
        if len(text) - end < _LONGEST_COMMENT_MARK:
            self._wait(mender.pos, len(text))
        elif opens_value(text, end) and self._is_convincing(mender, one_of_many=True):
            self._phase = self._keep  # the whole reply may be a list of both
        else:
            self._refuse(mender)

    # ---------------------------------------------------------------- following

    def _follow(self, mender: LiveMender) -> None:
        """The value is shown from now on: no Python between the text and it."""
        mender.when_ended = self._after_following
        self._fence_is_far = False
        self.feed = self._follow_fenced if self._is_fenced else mender.follow

    def _after_following(self) -> Any:
        mender = self._mender
        assert mender is not None
        self.feed = self._go_on
        if mender.failed:
            self._phase = self._keep
        else:
            self._end_value(mender)
        return self._go_on("")

    def _follow_fenced(self, more: str) -> Any:
        """The value is being read, and shown up to what may end its block."""
        mender = self._mender
        assert mender is not None
        mark = self._locator.fence_mark[0]
        if self._fence_is_far and mark not in more:
            return mender.follow(more)
        try:
            ended = mender.feed(more)
            self._watch_fence(mender)
            mender.show()
        except (LimitError, ValueError):  # too deep, or too many digits
            self.feed = self._go_on
            self._phase = self._keep
            return self._go_on("")
        self._fence_is_far = mender.frozen_at < 0 and not mender.text.endswith(mark)
        return self._after_following() if ended else self._growing.root()

    def _watch_fence(self, mender: LiveMender) -> None:
        """Show nothing behind what may be the end of the block.

        A string may hold it; then the value goes on behind it and ends by itself.
        """
        if not self._fence_from:
            if mender.frozen_at >= 0 and mender.is_whole():
                mender.freeze(-1)
            return
        text = mender.text
        mark = self._locator.fence_mark
        inline = self._locator.fence_inline
        start = self._candidate.span.start
        at = text.find(mark, self._fence_from)
        while at >= 0 and self._fence_tries < _FENCE_TRIES:
            if closes_fence(text, start, at, mark, inline=inline):
                behind = text[at : at + 64].strip(mark[0] + " \t")
                passed = mender.pos > at  # inside a string
                self._fence_from = 0 if behind and passed else at  # 0: it is sure
                mender.freeze(at if passed else -1)
                return
            self._fence_tries += 1
            self._fence_from = at + len(mark)
            at = text.find(mark, self._fence_from)
        half = text[-len(mark) :]
        at = len(text) - len(half) + len(half.rstrip(mark[0]))
        mender.freeze(at if mender.pos > at else -1)
        self._fence_from = max(self._fence_from, len(text) - len(mark) + 1)

    def _end_value(self, mender: LiveMender) -> None:
        """The value has ended: by itself, or by what stands around it."""
        past_fence = mender.frozen_at >= 0
        if past_fence and not mender.complete:
            self._phase = self._keep
            return
        if not self._ended and not self._is_convincing(mender):
            if self._begins_reply and self._is_shown:
                self._phase = self._keep  # as the whole reply it will convince
            elif self._begins_reply:
                self._phase = self._look_past
                self._again = True
            else:
                self._refuse(mender)
            return
        mender.freeze(-1)
        mender.show()
        self._is_shown = True
        self._ended += 1
        self._end = mender.pos
        if past_fence or mender.stopped or not (mender.complete and self._joins):
            self._phase = self._keep
            return
        mender.write_edits(
            self._edit_from, self._edit_to, self._edit_texts, self._edit_kinds
        )
        self._mender = None
        self._locator.give_text(mender.take_text())
        self._phase = self._look_behind
        self._again = True

    def _refuse(self, mender: LiveMender) -> None:
        """It was no JSON: go on behind its first character."""
        if self._is_shown:
            self._events += [*self._growing.events, ((), "reset", None)]
            self._is_shown = False
        self._growing = self._make_value()
        self._reread += mender.pos - mender.start
        start = mender.start
        text = mender.take_text()
        self._refused, self._mender = mender, None
        self._locator.give_text(text)
        self._locator.reached = start + 1
        self._retry_at = 0
        if self._reread > _REREADS * len(text) + 4096:
            self._phase = self._keep
            return
        self._phase = self._seek
        self._again = True

    # ------------------------------------------------------- behind the value

    def _look_behind(self, more: str) -> None:
        """A value has ended; another one right behind it makes both a list."""
        locator = self._locator
        if more:
            locator.feed(more)
        if locator.end < self._retry_at:
            return
        try:
            start = locator.opens_record(self._end)
        except Undecided:
            self._wait(self._end, locator.end)
            return
        if start < 0 or (self._ended == 1 and self._fills_depth()):
            self._phase = self._keep
        else:
            self._read(start)

    def _fills_depth(self) -> bool:
        """Whether a list around the first value would be nested too deeply."""
        value, text = self._growing.root(), self._locator.text
        return is_deeper(value, text, self._max_depth - 1)

    def _keep(self, more: str) -> None:
        """What comes changes nothing that is shown."""
        if more:
            self._rest.write(more)
