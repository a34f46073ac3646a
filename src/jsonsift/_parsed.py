"""What a parse says beside a value, and what holds where nothing else is said."""

from __future__ import annotations

from typing import Final

__all__ = ["FAILED", "MANY_EDITS", "MAX_DEPTH", "SHORT_REST", "UNSURE"]

MAX_DEPTH: Final = 512
FAILED: Final = object()  # the text is not strict JSON
UNSURE: Final = object()  # a slower way must tell
MANY_EDITS: Final = 65_536  # which take more memory than is kept for nobody
SHORT_REST: Final = 16  # characters behind a value that say nothing more
