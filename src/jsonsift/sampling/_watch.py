"""The one bridge off the island: who is told of a draw.

It leads to ``jsonsift.observe``.  Where this package is loaded by itself there is no
other side, and nobody is told.
"""

from __future__ import annotations

__all__ = ["OBSERVERS", "report_call"]

try:
    from .._observe import OBSERVERS, report_call
except ImportError:
    OBSERVERS = []

    def report_call(
        call: str, clock: int, size: int, outcome: str, *, values: int = 1
    ) -> None:
        """Tell nobody."""
