"""The examples of docs/sampling.md run, and say what they print."""

from __future__ import annotations

import doctest
from pathlib import Path

GUIDE = Path(__file__).parents[2] / "docs" / "sampling.md"


def test_the_examples_of_the_guide_run() -> None:
    """A guide whose examples fail is worse than none."""
    outcome = doctest.testfile(str(GUIDE), module_relative=False)
    assert outcome.attempted > 15
    assert outcome.failed == 0
