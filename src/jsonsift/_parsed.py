"""What a parse says beside a value, and how deep it goes where nothing else is said."""

from __future__ import annotations

from typing import Final

__all__ = ["FAILED", "MAX_DEPTH", "UNSURE"]

MAX_DEPTH: Final = 512
FAILED: Final = object()  # the text is not strict JSON
UNSURE: Final = object()  # a slower way must tell
