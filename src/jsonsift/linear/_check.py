"""The verdict: does anything of a function grow faster than the length of its input?

A verdict must be the same on a busy machine.  So no time fails on one measurement:
what looks too steep is measured again, at larger sizes, where true growth only shows
more clearly and noise and caches less.  What is too steep even so, but not by much, is
compared with the machine: more memory costs more for each byte on some.  Lines and
depth are counted, not timed, and judged first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from ._calls import Errors
from ._families import Family, catalogue
from ._fit import fit_exponent
from ._growth import SIZES, Growth, Point, measure_growth
from ._steps import STEP_SIZES, StepGrowth, measure_steps

__all__ = ["NotLinearError", "assert_linear"]

_FEWEST_SIZES: Final = 3
_LEAST_SPREAD: Final = 4
_LEAST_LARGEST: Final = 256
_LARGER: Final = 4
_SMALLER: Final = 64
_AROUND: Final = (1, 4, 16, 32, 64, 256, 1_024)  # of so many parts of a size
_STEP_TRIES: Final = 2
_LOOKS: Final = 5
_FLAT_LOOKS: Final = 2
_CLOCK_ROUNDS: Final = 3
# No noise makes this much of sixteen times the length, nor of lines a beginning that
# costs less: no larger sizes are needed.
_BEYOND_DOUBT: Final = 0.35
# The machine is never allowed more than this on top.
_MOST_FOR_MEMORY: Final = 0.15
# The largest size must be so much too slow, by any one before, to be looked at again.
_AT_LAST: Final = 0.1
_COMPARED: Final = 4  # sizes, the largest among them
_FEW_LINES: Final = 1_000
_DEEP: Final = 200
# Seconds per character of one pass over memory that has left the caches: what is
# faster than this grows with them, not with the function's own work.
_MEMORY_SPEED: Final = 0.5e-9
# Where that is still so, nothing larger is tried: texts that the system must be asked
# for memory for, each time, cost much more than others.
_FAR: Final = 1_000_000

# Each of its characters becomes an object: none is among those that Python keeps.
_WIDE: Final = Family("", "\u2014")

_Found = tuple[str, Growth | StepGrowth]


class NotLinearError(AssertionError):
    """A function's cost grows faster than its input; the message shows how.

    ``family`` is the family on which it does, ``growth`` what was measured.
    """

    __module__ = "jsonsift.linear"  # the name that users import

    def __init__(self, message: str, growth: Growth | StepGrowth) -> None:
        super().__init__(message)
        self.growth = growth
        self.family: Family = growth.family

    def __reduce__(self) -> tuple[Any, ...]:
        return NotLinearError, (str(self), self.growth)


def assert_linear(
    fn: Callable[[Any], Any],
    families: Family | Iterable[Family] | None = None,
    max_exponent: float = 1.15,
    *,
    sizes: Sequence[int] = SIZES,
    step_sizes: Sequence[int] = STEP_SIZES,
    form: type = str,
    errors: Errors = (ValueError,),
    limit: float = 2.0,
) -> None:
    """Demand that time, lines run and recursion of ``fn`` grow no faster than its text.

    Args:
        fn: any callable of one text: function, method, coroutine function, generator.
        families: what the texts are made of, one family or several; the whole
            catalogue if not given.
        max_exponent: the cost may grow as this power of the size, at most.  Time may
            do so by as much more, up to 0.15, as it does on this machine for a linear
            function that makes many objects.
        sizes: lengths in characters that are timed, at least three, that grow by
            four in all and to 256 or more; what looks too steep is timed at larger
            ones as well.
        step_sizes: lengths at which executed lines are counted, at least three.  Of the
            two ``()`` leaves one out; without ``sizes`` all must be counted.
        form: ``bytes`` if ``fn`` takes those.
        errors: exceptions that are an outcome like any other: a function that raises
            one at once passes.  RecursionError and MemoryError never are.
        limit: CPU seconds that one call may take before it is stopped.

    Raises:
        NotLinearError: with the family, the table of what was measured, and lines that
            show it again.
        ValueError: there are no families, or too few, too small or without ``sizes``
            too large ones to see growth.
        Exception: what ``fn`` raised that is not among ``errors``.

    >>> assert_linear(str.split, [Family("", "a ")], sizes=(1_024, 4_096, 16_384))
    """
    __tracebackhide__ = True  # pytest shows the table, not these lines
    chosen = _list_families(families)
    _check_sizes(sizes, step_sizes)
    judge = _Judge(fn, max_exponent, form, errors, limit, is_timed=bool(sizes))
    for family in chosen:
        found = judge.count(family, step_sizes) if step_sizes else None
        if found is None and sizes:
            found = judge.time(family, sizes)
        if found is not None:
            what, growth = found
            raise NotLinearError(_describe(fn, what, growth, form), growth)


def _list_families(families: Family | Iterable[Family] | None) -> list[Family]:
    if families is None:
        return list(catalogue())
    chosen = [families] if isinstance(families, Family) else list(families)
    if not chosen:
        raise ValueError("no families: nothing would be tested")
    for family in chosen:
        if not isinstance(family, Family):
            raise TypeError(f"{family!r} is no Family; find_family has those by name")
    return chosen


def _check_sizes(sizes: Sequence[int], step_sizes: Sequence[int]) -> None:
    """A verdict on too few sizes would pass whatever grows."""
    if not sizes and not step_sizes:
        raise ValueError("neither sizes nor step_sizes: nothing would be tested")
    for name, given in (("sizes", sizes), ("step_sizes", step_sizes)):
        if not given:
            continue
        spread = max(given) >= _LEAST_SPREAD * min(given)
        if len(set(given)) < _FEWEST_SIZES or not spread or max(given) < _LEAST_LARGEST:
            raise ValueError(
                f"{name}={given!r}: growth shows over {_FEWEST_SIZES} sizes or more, "
                f"the largest {_LEAST_SPREAD} times the smallest and at least "
                f"{_LEAST_LARGEST} characters"
            )


class _Judge:
    """Measures one function until it is sure."""

    def __init__(
        self,
        fn: Callable[[Any], Any],
        max_exponent: float,
        form: type,
        errors: Errors,
        limit: float,
        *,
        is_timed: bool,
    ) -> None:
        self.fn = fn
        self.max_exponent = max_exponent
        self.form = form
        self.errors = errors
        self.limit = limit
        self.is_timed = is_timed

    # ----------------------------------------------------------- lines and depth

    def count(self, family: Family, sizes: Sequence[int]) -> _Found | None:
        """What is wrong with the counted cost, if anything is.

        Where the larger sizes are too much to be counted, two are left; of those only
        what is beyond doubt is believed, and the clock goes on.
        """
        found: _Found | None = None
        for _ in range(_STEP_TRIES):
            growth = measure_steps(
                self.fn, family, sizes, form=self.form, errors=self.errors
            )
            if len(growth.points) < _FEWEST_SIZES and not (self.is_timed or found):
                raise ValueError(
                    f"step_sizes={sizes!r}: too much to be counted, or a crash, on "
                    f"{family!r}; give smaller ones, or sizes to time as well"
                )
            if len(growth.points) < 2:  # too much at these sizes to be counted
                return found
            what = self._judge_steps(growth)
            if not what:
                return None
            found = what, growth
            sizes = [size * _LARGER for size in sizes]
        return found

    def _judge_steps(self, growth: StepGrowth) -> str:
        last = growth.points[-1]
        most = self.max_exponent
        if len(growth.points) < _FEWEST_SIZES:
            most += _BEYOND_DOUBT
        steep = min(growth.exponent, growth.last_exponent) > most
        if steep and last.lines > _FEW_LINES:
            return f"executed lines grow as size ** {growth.exponent:.2f}"
        if growth.depth_exponent > 0.5 and last.depth > _DEEP:
            return f"recursion grows with the input, to {last.depth:,} frames"
        return ""

    # ------------------------------------------------------------------ the clock

    def time(self, family: Family, sizes: Sequence[int]) -> _Found | None:
        """What is wrong with the time, if anything is.

        What is flat before it ever looked steep is linear; else it must be flat twice,
        as a slow moment may meet the shorter texts alone.  Steep is what is beyond
        doubt at the second look or later, and what most of the looks call steep.
        """
        growth, limit = self._look_first(family, sizes)
        if len(growth.points) < 2 and not growth.crash:
            return f"{growth.points[0].size:,} characters take too long", growth
        longer = limit * _LARGER
        steep, flat = list[Growth](), 0
        for look in range(_LOOKS):
            if look:
                growth, limit = self._look_again(growth, sizes, limit, longer)
            if growth.crash:
                return f"{growth.crash} at {growth.crash_size:,} characters", growth
            if self._is_a_pass(growth) and growth.points[-1].size >= _FAR:
                return None
            if look and self._is_beyond_doubt(growth):
                return self._say(growth)
            known = growth
            if self._is_cut(growth):
                known = replace(growth, points=growth.points[:-1])
            elif self._is_flat(growth) and not self._rises_from_any(growth):
                flat += 1
                if not steep or flat == _FLAT_LOOKS:
                    return None
            if not self._is_flat(known):
                steep.append(known)
        if len(steep) > _LOOKS / 2 and not self._is_the_memory(steep[-1]):
            return self._say(steep[-1])
        return None

    def _look_first(self, family: Family, sizes: Sequence[int]) -> tuple[Growth, float]:
        """What the sizes cost, or those around the only one there was time for.

        And the CPU seconds that a call may take from now on.
        """
        growth = self._measure(family, sizes, 2, self.limit)
        if len(growth.points) > 1 or growth.crash:
            return growth, self.limit
        only, limit = growth.points[0], self.limit
        if only.finished:  # of larger ones too, if there is more time
            limit *= _LARGER**2
        return self._measure(family, _list_around(only), 2, limit), limit

    def _look_again(
        self, growth: Growth, asked: Sequence[int], limit: float, longer: float
    ) -> tuple[Growth, float]:
        """What the upper sizes cost now, and those left out; larger ones if in doubt.

        A call that was stopped may have met a moment when the machine did something
        else: without the sizes that it hid, what grows at those alone would look flat.
        So calls may take longer from now on; and where larger sizes are tried.
        """
        upper = [point.size for point in growth.points[-_COMPARED:]]
        step = len(growth.family.unit + growth.family.closer)
        again = [*upper, *(size for size in asked if size - step >= upper[-1])]
        doubtful = not self._is_surely_steep(growth, _BEYOND_DOUBT)
        if self._is_cut(growth):
            limit = min(limit, longer) * _LARGER
        elif growth.finished and (doubtful or self._is_a_pass(growth)):
            if again[-1] == upper[-1]:
                again.append(again[-1] * _LARGER)
            limit = max(limit, longer)
        return self._measure(growth.family, again, _CLOCK_ROUNDS, limit), limit

    def _say(self, growth: Growth) -> _Found:
        return f"time grows as size ** {_show_exponent(growth)}", growth

    def _is_the_memory(self, growth: Growth) -> bool:
        """Whether it grows no faster than the machine's memory lets any function.

        Objects of their own for all characters are made and dropped in linear time,
        if all memory is equally fast.
        """
        excess = growth.exponent - self.max_exponent
        if growth.crash or not growth.finished:
            return False
        if self._is_a_pass(growth):
            return True
        if excess > _MOST_FOR_MEMORY:
            return False
        sizes = [point.size for point in growth.points[-_COMPARED:]]
        machine = measure_growth(list, _WIDE, sizes, rounds=_CLOCK_ROUNDS)
        return excess <= machine.exponent - 1

    def _is_a_pass(self, growth: Growth) -> bool:
        """Whether even the largest size took no longer than a pass over its memory."""
        last = growth.points[-1]
        return last.seconds < _MEMORY_SPEED * last.size

    def _is_surely_steep(self, growth: Growth, by: float = 0.0) -> bool:
        """Whether the exponent is too large, by so much, even less its uncertainty."""
        return growth.exponent - growth.uncertainty > self.max_exponent + by

    def _is_beyond_doubt(self, growth: Growth) -> bool:
        """Whether no noise makes that: there is no need to look again."""
        sure = self._is_surely_steep(growth, _BEYOND_DOUBT)
        return sure and self._rises_at_last(growth) and not self._is_a_pass(growth)

    def _measure(
        self, family: Family, sizes: Sequence[int], rounds: int, limit: float
    ) -> Growth:
        return measure_growth(
            self.fn,
            family,
            sizes,
            form=self.form,
            errors=self.errors,
            rounds=rounds,
            limit=limit,
        )

    def _is_cut(self, growth: Growth) -> bool:
        """Whether it may look flat only as a call was stopped.

        How much longer that would have taken nobody knows.
        """
        return not growth.finished and self._is_flat(growth)

    def _is_flat(self, growth: Growth) -> bool:
        """Whether the growth is within what is allowed."""
        return growth.exponent <= self.max_exponent or not self._rises_at_last(growth)

    def _rises_at_last(self, growth: Growth) -> bool:
        """Whether the largest size took too long compared with the one before.

        What grows truly does so there above all; what outgrows a cache does it once.
        """
        return growth.last_exponent > self.max_exponent

    def _rises_from_any(self, growth: Growth) -> bool:
        """Whether it took much too long compared with any of those before.

        One that met a slow moment twice would hide a growth that the others show.
        """
        costs = [(point.size, point.seconds) for point in growth.points[-_COMPARED:]]
        most = self.max_exponent + _AT_LAST
        return any(fit_exponent([cost, costs[-1]])[0] > most for cost in costs[:-1])


def _list_around(only: Point) -> list[int]:
    """Sizes up to the only one that was measured, and beyond if that came to an end."""
    parts = [by for by in _AROUND if only.finished or by <= _SMALLER]
    return sorted({max(1, only.size * by // _SMALLER) for by in parts})


def _show_exponent(growth: Growth) -> str:
    least = "" if growth.finished else " or more"
    return f"{growth.exponent:.2f} ± {growth.uncertainty:.2f}{least}"


def _describe(
    fn: Callable[[Any], Any], what: str, growth: Growth | StepGrowth, form: type
) -> str:
    """The message: what grows, on which texts, how, and how to see it again."""
    family = growth.family
    measure = "measure_growth" if isinstance(growth, Growth) else "measure_steps"
    name, call, line = _name(fn)
    form_argument = "" if form is str else ", form=bytes"
    title = f"on the family {family}" if family.name else "on the family"
    return "\n".join(
        [
            f"{name} is not linear: {what}",
            "",
            f"{title}: {family.why}" if family.why else f"{title}:",
            f"  {family!r}",
            "",
            str(growth),
            "",
            "to see it again:",
            "",
            f"    from jsonsift.linear import Family, {measure}",
            f"    {line}",
            f"    print({measure}({call}, {family!r}{form_argument}))",
        ]
    )


def _name(fn: Callable[[Any], Any]) -> tuple[str, str, str]:
    """The function's name, what to call in its place, and the line that makes that."""
    module = getattr(fn, "__module__", None)
    path = getattr(fn, "__qualname__", "")
    owner = getattr(fn, "__self__", None)
    if not module or not path or "<" in path:
        return path.rpartition(".")[2] or repr(fn), "fn", f"fn = ...  # {fn!r}"
    root = path.split(".")[0]
    line = f"from {module} import {root}"
    if owner is None or isinstance(owner, type):
        return path, path, line
    of_class, _, method = path.rpartition(".")
    return path, "fn", f"{line}; fn = {of_class}(...).{method}"
