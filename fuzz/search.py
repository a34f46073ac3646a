"""Which text is the worst?  Families evolved for cost per character and for growth.

The first population is the catalogue, with parts of the corpus' replies as prefixes,
units and suffixes.  A generation keeps the fittest and fills up with their children:
changed by a token, crossed, or with a part of a mutated reply.  The pure build is
judged by counted lines, which are the same on every machine, so that a seed gives the
same search; the compiled build by the clock.  A suspect is believed only when
``assert_linear`` finds it too, and then made small.  So is what raises an exception
that is no outcome of the subject.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
import re
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from jsonsift._build import BUILD
from jsonsift.linear import (
    Family,
    NotLinearError,
    assert_linear,
    catalogue,
    measure_steps,
)

from .cases import read_replies, write_family
from .mutate import TOKENS, mutate_text, shrink
from .report import clock
from .screen import time_once
from .subjects import Subject, find_errors, find_length, find_ordinary, load_target

__all__ = ["Search", "run"]

MAX_EXPONENT: Final = 1.15
MAX_COST: Final = 20.0  # times the cost of ordinary text
_POPULATION: Final = 80
_CLOCKED: Final = (2_048, 16_384)
_COUNTED: Final = (2_048, 4_096, 8_192)
_CONFIRMED: Final = (4_096, 16_384, 65_536, 262_144)
_LONGEST: Final = 400  # characters of a part


class Search:
    """A population of families and what each of them costs one subject.

    Args:
        name, subject: what is attacked.
        seed: of all that is random.
        by_clock: judge by CPU time, else by counted lines.
        limit: CPU seconds that one call may take.
        errors: exceptions of the subject that are outcomes like any other.
        length: how long the subject finds a text.
        ordinary: what reads all of an ordinary text, if the subject does not.
    """

    def __init__(
        self,
        name: str,
        subject: Subject,
        seed: int,
        by_clock: bool | None = None,
        limit: float = 1.0,
        errors: tuple[type[Exception], ...] = (ValueError,),
        length: Callable[[str], int] = len,
        ordinary: Subject | None = None,
    ) -> None:
        self.name = name
        self.length = length
        self.errors = errors
        self.subject = subject
        self.limit = limit
        self.dice = random.Random(seed)
        self.by_clock = BUILD == "compiled" if by_clock is None else by_clock
        self.tried = 0
        self.calls = self.returns = 0  # what only raises is attacked in vain
        self.scores: dict[Family, tuple[float, float]] = {}  # growth, cost
        self.found: list[dict[str, Any]] = []
        self._known: set[str] = set()
        self.ordinary = self._measure_ordinary(ordinary or subject)

    # ------------------------------------------------------------------ the cost

    def _measure_ordinary(self, reader: Subject) -> float:
        """The cost of a character of ordinary text: the corpus' replies, joined."""
        replies = "\n\n".join(read_replies())
        whole = Family(replies[:1], replies[1:2_000] + " ")
        return self._measure(whole, reader)[1]

    def _measure(
        self, family: Family, reader: Subject | None = None
    ) -> tuple[float, float]:
        """The exponent, and the cost of a character."""
        subject = reader or self._call
        if self.by_clock:
            return self._time(family, subject)
        steps = measure_steps(subject, family, _COUNTED, errors=self.errors)
        if len(steps.points) < 2:
            return 9.0, 9.0
        return steps.exponent, steps.points[-1].lines / steps.points[-1].size

    def _call(self, text: str) -> Any:
        self.calls += 1
        result = self.subject(text)
        self.returns += 1
        return result

    def _time(self, family: Family, subject: Subject) -> tuple[float, float]:
        short, long = (family.build(size) for size in _CLOCKED)
        if len(long) <= len(short):
            return 0.0, 0.0
        try:
            quick, slow = (
                min(time_once(subject, text, self.limit, self.errors) for _ in range(2))
                for text in (short, long)
            )
        except (RecursionError, MemoryError):
            return 9.0, 9.0
        exponent = math.log(slow / quick) / math.log(len(long) / len(short))
        return exponent, slow / self.length(long)

    def _fitness(self, score: tuple[float, float]) -> float:
        growth, cost = score
        return max(growth / MAX_EXPONENT, cost / self.ordinary / MAX_COST)

    # ------------------------------------------------------------- the generation

    def step(self) -> None:
        """Make and judge one child; the first steps judge the catalogue."""
        family = self._next_family()
        self.tried += 1
        if family in self.scores:
            return
        try:
            self._judge(family)
        except Exception as error:
            self._note_error(family, type(error).__name__)
        if len(self.scores) > 2 * _POPULATION:
            self._select()

    def _judge(self, family: Family) -> None:
        score = self._measure(family)
        self.scores[family] = score
        if score[0] > MAX_EXPONENT:
            self._confirm_growth(family)
        if score[1] > MAX_COST * self.ordinary:
            self._note_cost(family, score[1])

    def _select(self) -> None:
        ranked = sorted(self.scores.items(), key=lambda item: -self._fitness(item[1]))
        kept = ranked[: _POPULATION // 2]
        rest = ranked[_POPULATION // 2 :]
        kept += self.dice.sample(rest, _POPULATION // 2)  # against a narrow breed
        self.scores = dict(kept)

    def _next_family(self) -> Family:
        first = catalogue()
        if self.tried < len(first):
            return replace(first[self.tried], name="", why="")
        dice = self.dice
        pool = list(self.scores)
        parent = max(
            dice.sample(pool, min(3, len(pool))),
            key=lambda one: self._fitness(self.scores[one]),
        )
        part = dice.choice(("prefix", "unit", "unit", "unit", "suffix", "closer"))
        kind = dice.random()
        if kind < 0.5:
            new = self._change_tokens(getattr(parent, part))
        elif kind < 0.75:
            new = getattr(dice.choice(pool), dice.choice(("prefix", "unit", "suffix")))
        else:
            replies = read_replies()
            reply = mutate_text(dice.choice(replies), replies, dice)
            at = dice.randint(0, len(reply))
            new = reply[at : at + dice.choice((2, 5, 20, 100))]
        if part == "unit" and not new:
            new = dice.choice(TOKENS)
        return replace(parent, **{part: new[:_LONGEST]})

    def _change_tokens(self, text: str) -> str:
        dice = self.dice
        at = dice.randint(0, len(text))
        kind = dice.randrange(4)
        if kind == 0 and text:
            return text[:at] + text[at + dice.randint(1, 4) :]
        if kind == 1:
            return text + dice.choice(TOKENS)
        if kind == 2:
            return text[:at] + dice.choice(TOKENS) + text[at + 1 :]
        return text[:at] + dice.choice(TOKENS) + text[at:]

    # ------------------------------------------------------------------ the finds

    def _confirm_growth(self, family: Family) -> None:
        """Keep the family, made small, when ``assert_linear`` fails on it too."""
        if self._is_linear(family):
            return
        small = self._minimise(family, lambda one: self._measure(one)[0] > MAX_EXPONENT)
        if self._is_linear(small):
            small = family
        try:
            self._demand(small)
        except NotLinearError as error:
            self._keep(small, "growth", str(error))

    def _is_linear(self, family: Family) -> bool:
        try:
            self._demand(family)
        except NotLinearError:
            return False
        return True

    def _demand(self, family: Family) -> None:
        assert_linear(
            self.subject, [family], MAX_EXPONENT,
            sizes=_CONFIRMED, limit=self.limit, errors=self.errors,
        )  # fmt: skip

    def _note_cost(self, family: Family, cost: float) -> None:
        again = min(cost, self._measure(family)[1], self._measure(family)[1])
        if again <= MAX_COST * self.ordinary:
            return
        enough = MAX_COST * self.ordinary
        small = self._minimise(family, lambda one: self._measure(one)[1] > enough)
        times = self._measure(small)[1] / self.ordinary
        self._keep(small, "cost", f"{times:.0f} times the cost of ordinary text")

    def _note_error(self, family: Family, name: str) -> None:
        small = self._minimise(family, lambda one: self._raises(one) == name)
        self._keep(small, "error", f"{name} at {_CLOCKED[0]:,} characters or more")

    def _raises(self, family: Family) -> str:
        """The exception that is no outcome, at the sizes of the search."""
        try:
            self._measure(family)
        except Exception as error:
            return type(error).__name__
        return ""

    def _minimise(self, family: Family, holds: Callable[[Family], bool]) -> Family:
        """The family with each part as short as ``holds`` allows."""
        for part in ("prefix", "suffix", "closer", "unit"):

            def still(text: str, part: str = part, family: Family = family) -> bool:
                if part == "unit" and not text:
                    return False
                return holds(replace(family, **{part: text}))

            family = replace(family, **{part: shrink(getattr(family, part), still, 60)})
        return family

    def _keep(self, family: Family, kind: str, says: str) -> None:
        shape = kind + re.sub(r"\w+", "w", family.unit)
        if shape in self._known:
            return
        self._known.add(shape)
        digest = hashlib.sha256(repr(family).encode("utf-8", "replace")).hexdigest()
        named = replace(
            family,
            name=f"found-{kind}-{digest[:8]}",
            why=f"Found by the search: {kind} of {self.name}.",
        )
        self.found.append({"family": asdict(named), "kind": kind, "says": says})
        print(f"\n{self.name}, {kind}: {family!r}\n{says}", flush=True)

    # ------------------------------------------------------------------ the state

    def save(self) -> dict[str, Any]:
        """All that is needed to go on."""
        return {
            "name": self.name,
            "tried": self.tried,
            "calls": [self.calls, self.returns],
            "dice": self.dice.getstate(),
            "scores": [[asdict(one), score] for one, score in self.scores.items()],
            "found": self.found,
            "known": sorted(self._known),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on where ``save`` was called."""
        version, numbers, gauss = state["dice"]
        self.dice.setstate((version, tuple(numbers), gauss))
        self.tried = state["tried"]
        self.calls, self.returns = state["calls"]
        self.scores = {
            Family(**family): (score[0], score[1]) for family, score in state["scores"]
        }
        self.found = state["found"]
        self._known = set(state["known"])


def run(
    targets: dict[str, str],
    seconds: float,
    seed: int,
    state: Path | None,
    keep: Path | None,
) -> tuple[list[dict[str, Any]], bool]:
    """Search for each target in turn, until the time is over; the finds.

    ``state`` is where a search is kept to go on with; ``keep`` is the folder that the
    families found are written to (corpus/slow, to make cases of them).
    """
    searches = [
        Search(
            name,
            load_target(target),
            seed,
            errors=find_errors(target),
            length=find_length(target),
            ordinary=find_ordinary(target),
        )
        for name, target in targets.items()
    ]
    if state is not None and state.exists():
        saved = {one["name"]: one for one in json.loads(state.read_text("utf-8"))}
        for one in searches:
            if one.name in saved:
                one.restore(saved[one.name])
    with clock(seconds, "search") as running:
        while running.runs(_describe(searches)):
            for one in searches:
                one.step()
            if state is not None and searches[0].tried % 200 == 0:
                _save(searches, state)
    if state is not None:
        _save(searches, state)
    found = [find for one in searches for find in one.found]
    if keep is not None:
        for find in found:
            print(f"wrote {write_family(Family(**find['family']), keep)}")
    for one in searches:
        print(_describe_worst(one))
    return found, not found


def _save(searches: list[Search], path: Path) -> None:
    path.write_text(json.dumps([one.save() for one in searches]), encoding="utf-8")


def _describe(searches: list[Search]) -> str:
    tried = sum(one.tried for one in searches)
    return f"{tried:,} families, {sum(len(one.found) for one in searches)} finds"


def _describe_worst(search: Search) -> str:
    growth = max(search.scores.items(), key=lambda item: item[1][0])
    cost = max(search.scores.items(), key=lambda item: item[1][1])
    return (
        f"{search.name}: {search.tried:,} families; steepest {growth[1][0]:.2f} "
        f"{growth[0]!r}; costliest {cost[1][1] / search.ordinary:.1f} times ordinary "
        f"text {cost[0]!r}; {len(search.found)} finds; "
        f"{search.returns:,} of {search.calls:,} calls returned"
    )
