# cython: language_level=3, wraparound=False
# cython: infer_types=False, annotation_typing=False
"""Runs of what needs no thought, passed over in one go: most of what models write.

That is what is well formed, and the commonest ways to write it otherwise: apostrophes
for quotes, bare keys, Python's literals, a comma before a closer; and quoted words in
strings, in the compiled build.

Rules of this file: it is a short cut and no reading of its own.  It passes over a
member or item only where the careful steps would do just the same, which it knows when
what follows is of this kind too; at the first doubt it stops where all was sure, and
the careful steps go on from there.  It never looks twice at a place.  Text that comes
in pieces goes without it, so that every test which compares pieces with the whole
holds the two against each other.
"""

from __future__ import annotations

from typing import Any

from ._closers import CloserReader
from ._codes import AFTER, ARRAY, KEY, OBJECT, VALUE

if __file__.endswith(".py"):  # the compiled build has the loop of its own
    from . import _walks as walks


class RunReader(CloserReader):
    """Passes over members and items that need no thought, containers and all."""

    def _begin(
        self, text: str, start: int, end: int, final: bool, max_depth: int
    ) -> None:
        CloserReader._begin(self, text, start, end, final, max_depth)
        self.run_from = start
        # of the walks of the pure build
        self.tried = 0  # more characters passed over in tries than looked at in vain
        self.tried_to = start  # what was passed over as a valid container ends there

    def _read_at_once(self, text: str, max_depth: int) -> Any:
        """Begin a whole text; if it is short, and nothing in it needs a thought, its
        value, or else NotImplemented.
        """
        return walks.read_at_once(self, text, max_depth)

    def _told_value(self) -> Any:
        """The value, where the walks tell; else NotImplemented."""
        return walks.told_value(self)

    def _skip_run(self) -> None:
        """Go on to the last comma or opener before any doubt, or to the end."""
        kind = self.kinds[self.depth]
        if self.pos >= self.run_from and (kind == OBJECT or kind == ARRAY):
            if self.place == KEY or self.place == AFTER or self.place == VALUE:
                self.run_from = walks.walk(self)
