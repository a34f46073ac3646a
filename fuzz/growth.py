"""Does the time of our calls grow as the length, on all families, up to 4 MB?

And how much memory do they take?  The value that comes out is as large as it is, 32
times the text for ``[{},{}`` and so on; so what is bounded is the work: how far the
peak is beyond the value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

from jsonsift.linear import Family, Growth, measure_growth

from .report import clock, print_table
from .worker import Worker

__all__ = [
    "LIMIT",
    "SIZES",
    "Row",
    "measure_all",
    "measure_memory",
    "run",
    "run_memory",
]

SIZES: Final = (1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304)
MAX_EXPONENT: Final = 1.10
LIMIT: Final = 60.0  # CPU seconds of one call, enough for all of ours
# Memory costs more for each byte the more of it is used: by so much at most may time
# be too steep where it is so for copies of a text, too.
_MOST_FOR_MEMORY: Final = 0.15
_COPIES: Final = 4
_WIDE: Final = Family("", "\U0001f600")  # characters of four bytes
_DOUBTFUL: Final = 0.3
_MORE_ROUNDS: Final = (2, 5)
_QUICK: Final = 0.25  # seconds of a call that may be four times as large
_LONG: Final = 1.0  # seconds of a call that no noise makes much longer
_MEMORY_FACTOR: Final = 12
_MEMORY_CONSTANT: Final = 20_000_000


@dataclass(frozen=True)
class Row:
    """One function on one family.

    ``memory`` is the growth of copying texts of the same sizes, if that was measured.
    """

    subject: str
    growth: Growth
    memory: Growth | None = None

    @property
    def looks_steep(self) -> bool:
        """Whether time grows too fast at the sizes measured, or the call crashed."""
        return bool(self.growth.crash) or _is_above(self.growth)

    @property
    def is_measured(self) -> bool:
        """Whether there is anything to judge: more than one size, or a crash."""
        return len(self.growth.points) > 1 or bool(self.growth.crash)

    @property
    def is_steep(self) -> bool:
        """The same, unless memory's cost grows as fast, or costs as much."""
        if self.growth.crash or self.memory is None:
            return self.looks_steep
        copies = self.memory.points[-1].seconds
        is_work = self.growth.points[-1].seconds > copies / 2
        return is_work and _is_above(self.growth, self.memory)

    @property
    def raised(self) -> str:
        """The exceptions that its calls ended with."""
        return " ".join(sorted({p.raised for p in self.growth.points if p.raised}))

    @property
    def largest(self) -> int:
        """The largest size that was measured to its end."""
        return max((p.size for p in self.growth.points if p.finished), default=0)

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
            "raised": self.raised,
        }


def _is_above(growth: Growth, memory: Growth | None = None) -> bool:
    """Whether time grows too fast over all and at last, even less what memory does."""
    if len(growth.points) < 2:
        return False
    # how much longer a call that was stopped would have taken nobody knows
    last = growth.last_exponent if growth.finished else growth.exponent
    exponents = [growth.exponent, last]
    if memory is not None:
        allowed = (memory.exponent - 1, memory.last_exponent - 1)
        exponents = [
            exponent - min(max(more, 0.0), _MOST_FOR_MEMORY)
            for exponent, more in zip(exponents, allowed, strict=True)
        ]
    return min(exponents) > MAX_EXPONENT


def _measure(worker: Worker, family: Family, sizes: Sequence[int], limit: float) -> Row:
    """The growth, each size timed once; what looks too steep is timed more carefully.

    One disturbed time can lift either exponent or lower it, but not both of a growth
    that is there: so either is enough for another look, and only both are a verdict.
    What is quick is looked at beyond the largest size too, however quick it is: what
    outgrows a cache does so once, true growth goes on, and stands out in the end.
    """
    row = Row(worker.target, worker.measure(family, sizes, rounds=1, limit=limit))
    for rounds in _MORE_ROUNDS:
        if not _is_doubtful(row.growth):
            break
        if row.growth.points[-1].seconds < _QUICK:
            sizes = [*sizes, 4 * sizes[-1]]
        again = worker.measure(family, sizes, rounds=rounds, limit=limit)
        row = Row(worker.target, again)
        if not row.looks_steep:
            break
    if row.looks_steep and not row.growth.crash:
        same = [point.size for point in row.growth.points]
        row = replace(row, memory=measure_growth(_copy, _WIDE, same, limit=limit))
    return row


def _copy(text: str) -> list[str]:
    """What any function does that makes a text of what it reads, a few times."""
    return [f"{text}." for _ in range(_COPIES)]


def _is_doubtful(growth: Growth) -> bool:
    """Whether the growth looks too steep, but could be noise."""
    if growth.crash or max(growth.exponent, growth.last_exponent) <= MAX_EXPONENT:
        return False
    far = growth.exponent > MAX_EXPONENT + _DOUBTFUL
    return not far or (growth.finished and growth.points[-1].seconds < _LONG)


def measure_all(
    targets: dict[str, str],
    families: Sequence[Family],
    sizes: Sequence[int],
    seconds: float,
    build: str = "",
    limit: float = LIMIT,
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
                rows.append(replace(row, subject=name))
    return rows


def measure_memory(
    targets: dict[str, str],
    families: Sequence[Family],
    size: int,
    seconds: float,
    build: str,
) -> list[dict[str, Any]]:
    """The peak memory of each target on each family at that size.

    Each in a process of its own: what malloc keeps of one call, and where, moves the
    peak of the next by a third.
    """
    rows: list[dict[str, Any]] = []
    with clock(seconds, f"memory {build}") as running:
        for (name, target), family in product(targets.items(), families):
            if not running.runs(f"{name}: {family}"):
                break
            with closing(Worker(target, build)) as worker:
                found = worker.measure_memory(family, size)
            if "crash" not in found:
                found["work"] = max(0, found["peak"] - found["value"])
            rows.append({"subject": name, "family": family.name, **found})
    return rows


def run(
    targets: dict[str, str],
    families: Sequence[Family],
    sizes: Sequence[int],
    seconds: float,
    build: str,
    limit: float = LIMIT,
) -> tuple[list[Row], bool]:
    """Measure, and print the table of the targets and of what is too steep."""
    rows = measure_all(targets, families, sizes, seconds, build, limit)
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
                sum(2 * row.largest > sizes[-1] for row in own),
                _count_raised(row.raised for row in own),
            ]
        )  # fmt: skip
    head = ["function", "families", "steep", "largest exponent", "most per character",
            f"to {sizes[-1]:,}", "raised"]  # fmt: skip
    print_table(head, table)
    for row in rows:
        if row.is_steep:
            print(f"\n{row.subject} on {row.growth.family}: {row.growth.family!r}")
            print(row.growth)
    for row in rows:
        if not row.is_measured:
            print(f"\n{row.subject} on {row.growth.family}: too slow to be measured")
    is_whole = _tell_whether_all(len(rows), len(targets) * len(families))
    return rows, is_whole and all(row.is_measured and not row.is_steep for row in rows)


def _tell_whether_all(done: int, pairs: int) -> bool:
    """Whether all pairs of function and family were measured; tell if not."""
    if done < pairs:
        print(f"\nout of time: {done} of {pairs} measured")
    return done == pairs


def _cost(row: Row) -> float:
    """Nanoseconds a character at the largest size."""
    if not row.growth.points:
        return 0.0
    last = row.growth.points[-1]
    return last.seconds / last.size * 1e9


def _count_raised(names: Iterable[str]) -> str:
    """Each exception, and on how many families it was the outcome."""
    counts = Counter(name for name in names if name)
    return ", ".join(f"{name} on {count}" for name, count in counts.most_common())


def run_memory(
    targets: dict[str, str],
    families: Sequence[Family],
    size: int,
    seconds: float,
    build: str,
) -> tuple[list[dict[str, Any]], bool]:
    """Measure the memory, and print the worst of each target."""
    rows = measure_memory(targets, families, size, seconds, build)
    table = []
    for name in targets:
        own = [row for row in rows if row["subject"] == name]
        done = [row for row in own if "crash" not in row]
        if not done:
            continue
        most = max(done, key=lambda row: row["work"] / row["text"])
        large = max(done, key=lambda row: row["value"] / row["text"])
        table.append(
            [
                name, len(own), sum(map(_is_too_much, own)),
                f"{most['work'] / most['text']:.1f} x ({most['family']})",
                f"{large['value'] / large['text']:.1f} x ({large['family']})",
                _count_raised(row["raised"] for row in done),
            ]
        )  # fmt: skip
    head = ["function", "families", "above 12 x + 20 MB", "most work", "largest value",
            "raised"]  # fmt: skip
    print_table(head, table)
    for row in rows:
        if "crash" in row:
            print(f"\n{row['subject']} on {row['family']}: {row['crash']}")
        elif _is_too_much(row):
            print(
                f"\n{row['subject']} on {row['family']}: {row['text']:,} bytes of text,"
                f" {row['value']:,} of value, {row['work']:,} of work beside it"
            )
    is_whole = _tell_whether_all(len(rows), len(targets) * len(families))
    return rows, is_whole and not any(map(_is_too_much, rows))


def _is_too_much(row: dict[str, Any]) -> bool:
    """Whether the call takes too much memory beside its value, or crashed."""
    if "crash" in row:
        return True
    return bool(row["work"] > _MEMORY_FACTOR * row["text"] + _MEMORY_CONSTANT)
