"""docs/repairs.md is true: every kind has its row, and every row does what it says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import jsonsift
from jsonsift import EditKind

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"\| `([\w-]+)` \| (\w+) \| `(.+)` \| `(.+)` \|")
ROWS = [
    match.groups()
    for line in (ROOT / "docs/repairs.md").read_text(encoding="utf-8").splitlines()
    if (match := ROW.fullmatch(line))
]
ELSEWHERE = {EditKind.ENGINE.label}  # what no text alone can show


@pytest.mark.parametrize(("label", "risk", "text", "value"), ROWS)
def test_row_does_what_it_says(label: str, risk: str, text: str, value: str) -> None:
    """A reader who tries the example gets another value, kind or risk."""
    found = jsonsift.extract(text)
    assert found.value == json.loads(value)
    kinds = {edit.kind.label: edit.kind for edit in found.edits}
    assert label in kinds
    assert kinds[label].risk.name.lower() == risk


def test_every_kind_has_a_row() -> None:
    """A repair was added without its row."""
    assert {row[0] for row in ROWS} == {kind.label for kind in EditKind} - ELSEWHERE


@pytest.mark.parametrize("label", [row[0] for row in ROWS])
def test_every_kind_has_a_look_alike(label: str) -> None:
    """A repair was added without a case of valid JSON that resembles its fault."""
    assert list((ROOT / "corpus/untouched" / label).glob("*.txt"))
