"""The runs of the rewriter over parts of one text, and the room to read them again.

Rules of this file: it runs the rewriter from where to where it is told, hands out a run
that it still has in place of another, and bounds what all runs take together.  It knows
nothing of candidates and of options, and never looks at what a run wrote: whether that
is JSON is for others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ._build import Mender
from ._errors import LimitError
from ._locate import find_last_closer
from ._stages import StageClock

__all__ = ["Reruns"]

_REREADS: Final = 2  # how often over the reply's length refused text is read again
_WINDOW: Final = 64  # characters in which a value is sought when others took too many
_MOST_IN_WINDOWS: Final = 8  # times the text, twice what values take that end in time


class Reruns:
    """Runs the rewriter over parts of one text, all of it within linear time.

    Attributes:
        room: characters that may be read again, at most about twice the text; whoever
            reads some again takes them off.
    """

    __slots__ = (
        "_clock",
        "_in_vain",
        "_in_windows",
        "_last",
        "_last_in_fence",
        "_max_depth",
        "_ready",
        "_text",
        "_whole",
        "room",
    )

    def __init__(
        self, text: str, max_depth: int, clock: StageClock | None, whole: Mender | None
    ) -> None:
        """``whole`` is a run over all of the text, if there was one."""
        self._text = text
        self._max_depth = max_depth
        self._clock = clock
        self._whole = self._last = whole  # the last run up to the end of the text
        self._last_in_fence: Mender | None = None
        # a run from, to; to be read next
        self._ready: tuple[int, int, Mender] | None = None
        self._in_vain = 0  # characters that strings were read on for, and ended before
        self._in_windows = 0  # and those of windows in which a value did not end
        self.room = _REREADS * len(text) + 4096

    def run(self, start: int, limit: int) -> Mender:
        """The rewriter, run from ``start``; the one run over the whole is kept."""
        ready, self._ready = self._ready, None
        if ready is not None and ready[0] == start and ready[1] == limit:
            return ready[2]
        kept = self._whole
        whole = limit == len(self._text)
        if kept is not None and kept.start == start and whole:
            return kept
        if self._in_vain > _REREADS * len(self._text):
            windowed = self._run_in_window(start, limit)
            if windowed is not None:
                return windowed
        mender = Mender(self._text, start, limit, max_depth=self._max_depth)
        last = self._last if whole else self._last_in_fence
        if last is not None:
            mender.recall(last)
        self._run(mender, start)
        self._in_vain += mender.in_vain
        if not whole:
            self._last_in_fence = mender
        else:
            self._last = mender
            self._whole = self._whole or mender
        return mender

    def run_past_fence(self, first: Mender, start: int, limit: int) -> Mender:
        """A string may hold the fence that seemed to end the block.

        If reading on past it ends the value by itself, that was so.
        """
        text = self._text
        if limit >= len(text) or self.room <= 0:
            return first
        second = self.run(start, len(text))
        self.room -= second.pos - start
        if second.complete and second.pos > limit:
            most = first.edit_count + (-1 if first.complete else 8)
            return second if second.edit_count <= most else first
        return first

    def keep_ready(self, mender: Mender, start: int, limit: int) -> None:
        """Keep this run for the next that is asked for, if it is the same."""
        self._ready = (start, limit, mender)

    def let_edits_go(self, mender: Mender, start: int) -> Callable[[], Any]:
        """Give back the memory of the edits, of a run up to the end of the text; what
        makes them once more.
        """
        mender.let_edits_go()
        self._whole = None if self._whole is mender else self._whole
        return lambda: self.run(start, len(self._text)).each_edit()

    def _run_in_window(self, start: int, limit: int) -> Mender | None:
        """The value at ``start`` if it ends well before more and more text does, so
        that a string which lost its quote is not read to the end in each of many.
        """
        text, size = self._text, _WINDOW
        while start + size < limit:
            end = find_last_closer(text, start, start + size) or start + size
            mender = Mender(text, start, end, max_depth=self._max_depth)
            self._run(mender, start)
            if mender.complete and mender.pos <= start + size // 2:
                return mender
            self._in_windows += end - start
            if self._in_windows > _MOST_IN_WINDOWS * len(text):
                raise LimitError("too many strings without their end", start)
            size *= 2
        return None

    def _run(self, mender: Mender, start: int) -> None:
        if self._clock is None:
            mender.run()
        else:
            self._clock.time("mend", 0, mender.run)
            self._clock.add("mend", size=mender.pos - start)
