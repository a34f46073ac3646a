"""The tables of docs/speed.md, in Markdown: medians of ratios, a row a shape.

Rules of this file: it prints what the race measured and measures nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .race import Result, ratio
from .readers import LIMITS, OURS, PURE

__all__ = ["find_fastest_peer", "print_tables"]

_STRICT = "orjson"
_PLAIN_PEERS = ("json_repair", "jsonmend")  # the ones in Python


def find_fastest_peer(result: Result) -> str | None:
    """The fastest of the others that give the right answer; None when none does."""
    return result.fastest(besides=(OURS, PURE, *LIMITS))


def _write_ratio(result: Result, one: str, other: str | None) -> str:
    """How many times as fast; a dash where one of the two is wrong or too slow."""
    if other is None:
        return "–"
    both = [result.times[name] for name in (one, other) if name in result.times]
    if len(both) < 2 or not all(times.seconds for times in both):
        return "–"
    return f"{ratio(result, one, other)[1]:.2f}"


def _print_table(
    results: Sequence[Result], write: Callable[[Result], str], heading: str
) -> None:
    sizes = list(dict.fromkeys(result.reply.size for result in results))
    cells = {(r.reply.shape, r.reply.size): write(r) for r in results}
    print(f"\n{heading}\n\n| shape | {' | '.join(sizes)} |")
    print("|---" * (len(sizes) + 1) + "|")
    for shape in dict.fromkeys(result.reply.shape for result in results):
        row = [cells.get((shape, size), "–") for size in sizes]
        print(f"| {shape} | {' | '.join(row)} |")


def print_tables(results: Sequence[Result]) -> None:
    """The compiled build beside the fastest peer and orjson, the plain one beside
    the peers in Python; what did not run has no table.
    """
    names = set(results[0].times)
    if OURS in names:
        _print_table(
            results,
            lambda one: " / ".join(
                _write_ratio(one, OURS, other)
                for other in (find_fastest_peer(one), _STRICT)
            ),
            "times as fast as the fastest peer that is right / as orjson on valid text",
        )
    if PURE in names and names.issuperset(_PLAIN_PEERS):
        _print_table(
            [one for one in results if one.reply.group in ("light", "dense")],
            lambda one: " / ".join(
                _write_ratio(one, PURE, other) for other in _PLAIN_PEERS
            ),
            "the plain build: times as fast as json_repair / as jsonmend",
        )
