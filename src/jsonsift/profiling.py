"""Where the time goes, over many replies.

It watches calls of ``extract`` as any observer would, and keeps of each its time and
its size; what a table or a picture shows is made of these.
"""

from __future__ import annotations

import heapq
import math
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from ._errors import JSONSiftError
from ._observe import Record, observe
from ._stages import STAGES
from ._types import StageTime
from .api import extract

__all__ = ["Place", "Profile", "Slow", "profile_replies"]

# Replies that need most of what is imported or compiled when it is first needed.
_WARM_UP: Final = (
    "<think>[1]</think>Sure:\n```json\n{a: 'b \"c\" d',}\n```\n[2] or [3,",
    '<tool_call>{"name": "f", "arguments": {}}</tool_call>',
    'I call f(x="y") {a: True}',
    '{"a": 1}\n{"b": 2}',
    '{"a": "\\ud800"}\n',
    '{"é": 1}'.encode("latin-1"),
    '{"a": 1}'.encode("utf-16-le"),
)
_SLOWEST: Final = 10
PERCENTILES: Final = (50, 90, 99, 100)


class Place(NamedTuple):
    """Where a reply stands: its file, its first byte there, and its line."""

    file: str
    offset: int = 0
    line: int = 1


class Slow(NamedTuple):
    """One of the slowest calls."""

    ns: int
    place: Place
    size: int
    outcome: str


class Profile:
    """The calls so far, added up.

    Attributes:
        ns, sizes: of each call, in order: nanoseconds, and characters or bytes.
        stages: what each stage cost, over all calls.
        outcomes, edits: how many calls had each outcome, and edits each kind.
    """

    def __init__(self) -> None:
        self.ns = array("Q")
        self.sizes = array("Q")
        self.stages = {stage: StageTime(0, 0, 0) for stage in STAGES}
        self.outcomes: Counter[str] = Counter()
        self.edits: Counter[str] = Counter()
        self._slowest: list[Slow] = []

    def add(self, record: Record, place: Place) -> None:
        """Add one call."""
        self.ns.append(record.ns)
        self.sizes.append(record.size)
        self.outcomes[record.outcome] += 1
        self.edits.update(record.edits)
        for stage, time in (record.stages or {}).items():
            sums = map(sum, zip(self.stages[stage], time, strict=True))
            self.stages[stage] = StageTime(*sums)
        slow = Slow(record.ns, place, record.size, record.outcome)
        if len(self._slowest) < _SLOWEST:
            heapq.heappush(self._slowest, slow)
        else:
            heapq.heappushpop(self._slowest, slow)

    @property
    def slowest(self) -> list[Slow]:
        """The ten slowest calls, the slowest first."""
        return sorted(self._slowest, reverse=True)

    def find_percentiles(self, per_size: bool = False) -> dict[int, float]:
        """Nanoseconds of a call, or of a character of it, at some percentiles.

        The nearest-rank definition: the least time that so many percent do not pass.
        """
        times: Sequence[float] = self.ns
        if per_size:
            pairs = zip(self.ns, self.sizes, strict=True)
            times = [ns / max(size, 1) for ns, size in pairs]
        times = sorted(times)
        if not times:
            return {}
        return {
            percent: times[max(0, math.ceil(percent / 100 * len(times)) - 1)]
            for percent in PERCENTILES
        }

    def to_dict(self) -> dict[str, Any]:
        """All but the single calls, as JSON can hold it."""
        return {
            "calls": len(self.ns),
            "ns": sum(self.ns),
            "size": sum(self.sizes),
            "stages": {stage: time._asdict() for stage, time in self.stages.items()},
            "percentiles_ns": {
                str(percent): ns for percent, ns in self.find_percentiles().items()
            },
            "outcomes": dict(self.outcomes.most_common()),
            "edits": dict(self.edits.most_common()),
            "slowest": [
                {
                    **slow.place._asdict(),
                    "ns": slow.ns,
                    "size": slow.size,
                    "outcome": slow.outcome,
                }
                for slow in self.slowest
            ],
        }


def profile_replies(
    replies: Iterable[tuple[Place, str | bytes]], **options: Any
) -> Profile:
    """Run ``extract`` on each reply, and say what that cost.

    Args:
        replies: each with its place, which the slowest are reported by.
        options: those of ``extract``.

    Raises:
        ValueError, TypeError: a wrong option.

    >>> found = profile_replies([(Place("a"), "{'a': 1}"), (Place("b"), "no")])
    >>> dict(found.outcomes), dict(found.edits)
    ({'repaired': 1, 'no-json': 1}, {'quote-mark': 2})
    """
    for reply in _WARM_UP:  # or the first reply would be the slowest
        with suppress(JSONSiftError):
            extract(reply, **options)
    profile = Profile()
    records: list[Record] = []
    with observe(records.append, stages=True, scope="context"):
        for place, reply in replies:
            with suppress(JSONSiftError):
                extract(reply, **options)
            profile.add(records.pop(), place)
            records.clear()
    return profile
