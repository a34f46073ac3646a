"""Does the time of our calls grow as the length, on all families, up to 4 MB?"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any, Final

from jsonsift.linear import Family, Growth

from .report import clock, print_table
from .worker import Worker

__all__ = ["SIZES", "Row", "measure_all", "measure_memory", "run"]

SIZES: Final = (1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304)
MAX_EXPONENT: Final = 1.10
_LIMIT: Final = 2.0
_DOUBTFUL: Final = 0.3
_TRIES: Final = 3
_MEMORY_SIZE: Final = 4_194_304
_MEMORY_FACTOR: Final = 12
_MEMORY_CONSTANT: Final = 20_000_000


@dataclass(frozen=True)
class Row:
    """One function on one family."""

    subject: str
    growth: Growth

    @property
    def is_steep(self) -> bool:
        """Whether time grows too fast, or the call crashed."""
        steep = self.growth.exponent > MAX_EXPONENT
        return bool(self.growth.crash) or (
            steep and self.growth.last_exponent > MAX_EXPONENT
        )

    def to_json(self) -> dict[str, Any]:
        """What ``--json`` writes of it."""
        growth = self.growth
        return {
            "subject": self.subject,
            "family": growth.family.name,
            "exponent": round(growth.exponent, 3),
            "uncertainty": round(growth.uncertainty, 3),
            "collector_share": round(growth.collector_share, 3),
            "crash": growth.crash,
            "points": [[p.size, p.seconds, p.finished] for p in growth.points],
        }


def _measure(worker: Worker, family: Family, sizes: Sequence[int], limit: float) -> Row:
    """The growth; what looks a little too steep is measured again."""
    row = Row(worker.target, worker.measure(family, sizes, rounds=2, limit=limit))
    for tries in range(1, _TRIES):
        beyond_doubt = row.growth.exponent > MAX_EXPONENT + _DOUBTFUL
        if not row.is_steep or row.growth.crash or beyond_doubt:
            break
        again = worker.measure(family, sizes, rounds=2 + 3 * tries, limit=limit)
        row = min(row, Row(worker.target, again), key=lambda one: one.growth.exponent)
    return row


def measure_all(
    targets: dict[str, str],
    families: Sequence[Family],
    sizes: Sequence[int],
    seconds: float,
    build: str = "",
    limit: float = _LIMIT,
) -> list[Row]:
    """Each target (``module:function``, by the name to show) on each family.

    Family by family, so that a run that is out of time has measured all alike.
    """
    rows: list[Row] = []
    pairs = len(targets) * len(families)
    with ExitStack() as stack, clock(seconds, f"growth {build}") as running:
        workers = {
            name: stack.enter_context(closing(Worker(target, build)))
            for name, target in targets.items()
        }
        for family in families:
            if not running.runs(f"{len(rows)}/{pairs} {family}"):
                break
            for name, worker in workers.items():
                row = _measure(worker, family, sizes, limit)
                rows.append(Row(name, row.growth))
    return rows


def measure_memory(
    targets: dict[str, str], families: Sequence[Family], seconds: float, build: str
) -> list[dict[str, Any]]:
    """The peak memory of each target on each family at 4 MB."""
    rows: list[dict[str, Any]] = []
    with clock(seconds, f"memory {build}") as running:
        for name, target in targets.items():
            with closing(Worker(target, build)) as worker:
                for family in families:
                    if not running.runs(f"{name}: {family}"):
                        return rows
                    found = worker.measure_memory(family, _MEMORY_SIZE)
                    rows.append({"subject": name, "family": family.name, **found})
    return rows


def run(
    targets: dict[str, str],
    families: Sequence[Family],
    sizes: Sequence[int],
    seconds: float,
    build: str,
) -> tuple[list[Row], bool]:
    """Measure, and print the table of the targets and of what is too steep."""
    rows = measure_all(targets, families, sizes, seconds, build)
    table = []
    for name in targets:
        own = [row for row in rows if row.subject == name]
        if not own:
            continue
        worst = max(own, key=lambda row: row.growth.exponent)
        costly = max(own, key=_cost)
        table.append(
            [
                name, len(own), sum(row.is_steep for row in own),
                f"{worst.growth.exponent:.2f} ({worst.growth.family})",
                f"{_cost(costly):.0f} ns ({costly.growth.family})",
                f"{max(p.size for row in own for p in row.growth.points):,}",
            ]
        )  # fmt: skip
    head = ["function", "families", "steep", "largest exponent", "most per character",
            "largest size"]  # fmt: skip
    print_table(head, table)
    for row in rows:
        if row.is_steep:
            print(f"\n{row.subject} on {row.growth.family}: {row.growth.family!r}")
            print(row.growth)
    whole = len(rows) == len(targets) * len(families)
    if not whole:
        print(f"\nout of time: {len(rows)} of {len(targets) * len(families)} measured")
    return rows, not any(row.is_steep for row in rows)


def _cost(row: Row) -> float:
    """Nanoseconds a character at the largest size."""
    if not row.growth.points:
        return 0.0
    last = row.growth.points[-1]
    return last.seconds / last.size * 1e9


def run_memory(
    targets: dict[str, str], families: Sequence[Family], seconds: float, build: str
) -> tuple[list[dict[str, Any]], bool]:
    """Measure the memory, and print the worst of each target."""
    rows = measure_memory(targets, families, seconds, build)
    table, over = [], 0
    for name in targets:
        own = [row for row in rows if row["subject"] == name and "peak" in row]
        if not own:
            continue
        beyond = [row for row in own if _beyond(row, "peak")]
        own_work = [row for row in own if _beyond(row, "work")]
        worst = max(own, key=lambda row: row["peak"] / row["text"])
        over += len(own_work)
        table.append(
            [
                name, len(own), len(beyond), len(own_work),
                f"{worst['peak'] / worst['text']:.1f} x ({worst['family']})",
                f"{worst['held'] / worst['text']:.1f} x",
            ]
        )  # fmt: skip
    head = ["function", "families", "above 12 x + 20 MB", "without the result",
            "largest peak", "result of that"]  # fmt: skip
    print_table(head, table)
    return rows, over == 0


def _beyond(row: dict[str, Any], what: str) -> bool:
    """Whether the peak, or the part of it that is not the result, is too high."""
    amount = row["peak"] - (row["held"] if what == "work" else 0)
    return bool(amount > _MEMORY_FACTOR * row["text"] + _MEMORY_CONSTANT)
