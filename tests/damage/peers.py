"""The other libraries on the same damaged documents.

They are imported when asked for, and those that are not installed are named.  All
are measured by value, so that 5 and 5.0 are one; what a peer raises is a wrong answer.
"""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

import jsonsift

from .model import Case
from .operators import OPERATORS
from .trials import attempt, draw_cases, draw_pairs

__all__ = ["compare", "find_readers"]

Reader = Callable[[str], Any]
OURS: Final = "jsonsift"
# Module and function of each, as its documentation says to read a value from a reply.
_PEERS: Final = {
    "json_repair": "loads",
    "jsonmend": "loads",
    "parse_broken_json": "parse_broken_json",
    "fast_json_repair": "loads",
    "repairjson": "loads",
}


def find_readers() -> tuple[dict[str, Reader], list[str]]:
    """Ours and the peers that are here, and the names of those that are not."""
    readers: dict[str, Reader] = {OURS: jsonsift.extract_json}
    missing = []
    for name, function in _PEERS.items():
        try:
            readers[name] = getattr(importlib.import_module(name), function)
        except ImportError:
            missing.append(name)
    return readers, missing


class Row:
    """One operator: how often each reader is right, and where only a peer is."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0
        self.right: Counter[str] = Counter()
        self.lost: list[tuple[str, str, Any, Any]] = []  # by whom, text, got, expected

    def add(self, case: Case, readers: dict[str, Reader], name: str) -> None:
        """Let all readers read one text."""
        got = {reader: attempt(call, case.text) for reader, call in readers.items()}
        right = [one for one in got if case.accepts(got[one], by_value=True)]
        self.count += 1
        self.right.update(right)
        if right and OURS not in right:
            by = f"{name}: {', '.join(right)}"
            self.lost.append((by, case.text, got[OURS], case.expected))

    def share(self, reader: str) -> float:
        """What the reader got right, in percent."""
        return 100 * self.right[reader] / self.count if self.count else 0.0


def _read_rows(
    names: Sequence[str], count: int, seed: int, readers: dict[str, Reader]
) -> list[Row]:
    rows: list[Row] = []
    for name in (*names, "pairs"):
        if sys.stderr.isatty():
            print(
                f"\r{len(rows):4}/{len(names) + 1} {name:40}", end="", file=sys.stderr
            )
        row = Row(name)
        if name == "pairs":
            for pair, case in draw_pairs(5 * count, seed):
                row.add(case, readers, pair)
        else:
            for case in draw_cases(OPERATORS[name], count, seed):
                row.add(case, readers, name)
        rows.append(row)
    return rows


def compare(
    names: Sequence[str], count: int, seed: int, show: int
) -> list[dict[str, Any]]:
    """Print the percentages side by side, then where ours is wrong and a peer right."""
    readers, missing = find_readers()
    rows = _read_rows(names, count, seed, readers)
    print(f"{'':36}{'documents':>10}" + "".join(f"{name[:12]:>14}" for name in readers))
    for row in rows:
        shares = "".join(f"{row.share(reader):14.1f}" for reader in readers)
        print(f"{row.name:36}{row.count:10}{shares}")
    means = (sum(row.share(one) for row in rows) / len(rows) for one in readers)
    print(f"{'mean':46}" + "".join(f"{mean:14.1f}" for mean in means))
    if missing:
        print(f"not installed: {', '.join(missing)}")
    _print_lost(rows, show)
    return [
        {"name": row.name, "documents": row.count, "right": dict(row.right),
         "lost": len(row.lost)}
        for row in rows
    ]  # fmt: skip


def _print_lost(rows: Sequence[Row], show: int) -> None:
    total = sum(len(row.lost) for row in rows)
    print(f"\nours wrong and a peer right: {total} of {sum(row.count for row in rows)}")
    for row in rows:
        if row.lost:
            print(f"  {row.name}: {len(row.lost)}")
        for by, text, got, expected in sorted(row.lost, key=lambda one: len(one[1]))[
            :show
        ]:
            print(f"    {by}\n      text {text!r}\n      got  {got!r}")
            print(f"      not  {expected!r}")
