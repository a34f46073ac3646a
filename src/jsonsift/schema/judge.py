"""The judge: how well an extraction fits a schema, and its value made to fit.

This is what the choice between readings is given; it alone joins the rules and the
validator.  Where the validator takes a value as it was parsed, that is the answer and
no rule is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from .._types import Coercion, Extraction, Problem, Risk, Rule, Verdict
from .coerce import Coercer, list_allowed_rules
from .nodes import ListNode, list_arms
from .outcomes import Misfit, Outcome, Place, list_coercions, restore_misfits
from .source import Source
from .validators import RefusedError, Target, compile_target

__all__ = ["Judge", "make_judge"]

_CEILINGS: Final = {"all": Risk.GUESS, "safe": Risk.SAFE, "off": Risk.NONE}
_REQUESTS: Final = {rule.label: rule for rule in Rule if rule.on_request}
_REFUSED: Final = 50  # how far a value is from fitting that only the validator refuses


class Judge:
    """Judges the readings of one reply."""

    def __init__(
        self, target: Target, allowed: frozenset[Rule], parse: Callable[[str], Any]
    ) -> None:
        self._target = target
        self._parse = parse
        self.allowed = allowed

    @property
    def wants_list(self) -> bool:
        """Whether several values might be meant as one list."""
        if Rule.LIST_OF_ALL not in self.allowed:
            return False
        return any(isinstance(arm, ListNode) for arm in list_arms(self._target.node))

    def judge(self, found: Extraction, *, alone: bool = False) -> Verdict:
        """How the value fits.  When it is ``alone`` its cost is of no matter."""
        reason = None
        exact: tuple[Any, ...] = ()
        if self._target.is_type:
            try:
                exact = (self._target.validate(found.value),)
            except RefusedError as error:
                reason = error
            if exact and alone:
                return Verdict(True, True, 0, exact[0])
        place = Place(found.value, Source(found))
        outcome = self._coerce(place)
        if exact:
            return Verdict(True, True, outcome.cost, exact[0])
        return self._decide(place, outcome, reason)

    def judge_text(self, text: str, words: str) -> Verdict:
        """How the text of a reply fits that holds no JSON which does.

        Where a string is wanted it is the text; ``words``, which is the text without
        JSON, may say a number, a truth value or a choice.
        """
        place = Place(words, reply=text)
        return self._decide(place, self._coerce(place), None)

    def read_partial(self, value: Any, open_path: tuple[str | int, ...] | None) -> Any:
        """What an unfinished value shows already, as plain data.

        All fields are there: those that have not come, or do not fit yet, are null,
        lists are empty.  ``open_path`` is where the text ends, when that is known.
        No validator is asked, since it would miss what is still to come.
        """
        shown = self._coerce(Place(value), partial=True, open_path=open_path).value
        return None if isinstance(shown, Misfit) else shown

    def list_refused(self, found: Extraction) -> tuple[Problem, ...]:
        """Of a value that does not fit, what the validator alone refuses.

        It is asked about what the rules made of the value, and heard about the parts
        in which nothing else is wrong.
        """
        outcome = self._coerce(Place(found.value, Source(found)))
        value = outcome.value
        if outcome.fits or not isinstance(value, (dict, list)):
            return ()
        wrong = restore_misfits(value)
        try:
            self._target.validate(value)
        except RefusedError as error:
            return tuple(
                problem
                for problem in error.problems
                if not _meets(_find_place(value, problem.path), wrong)
            )
        except Exception:  # of a validator that such a half-made value is too much for
            return ()
        return ()

    def _coerce(
        self,
        place: Place,
        *,
        partial: bool = False,
        open_path: tuple[str | int, ...] | None = None,
    ) -> Outcome:
        coercer = Coercer(
            self.allowed,
            self._parse,
            fills=not self._target.is_type,
            partial=partial,
            open_path=open_path,
        )
        try:
            return coercer.coerce(place, self._target.node)
        except RecursionError:  # little was left of the caller's stack
            deep = Misfit(place, None, "a value that is not nested as deeply")
            return Outcome(deep, _REFUSED, place, misfits=(deep,))

    def _decide(
        self, place: Place, outcome: Outcome, refused: RefusedError | None
    ) -> Verdict:
        """The verdict on what the rules made of a value: the validator's."""
        reason = refused.reason if refused is not None else None
        if not outcome.fits:
            if not self._target.is_type and not self._target.renames:
                return self._take_as_it_is(place, outcome)
            problems = tuple(map(_as_problem, outcome.misfits))
            return Verdict(False, False, outcome.cost, None, (), problems, reason)
        try:
            value = self._target.validate(outcome.value)
        except RefusedError as error:
            cost = outcome.cost + _REFUSED
            return Verdict(False, False, cost, None, (), error.problems, error.reason)
        coercions: tuple[Coercion, ...] = tuple(list_coercions(outcome))
        return Verdict(True, False, outcome.cost, value, coercions)

    def _take_as_it_is(self, place: Place, outcome: Outcome) -> Verdict:
        """The value of which the rules make nothing, if the validator takes it."""
        problems = tuple(map(_as_problem, outcome.misfits))
        misfit = Verdict(False, False, outcome.cost, None, (), problems)
        if place.reply is not None:
            return misfit
        try:
            value = self._target.validate(place.value)
        except RefusedError as error:
            return misfit._replace(reason=error.reason)
        return Verdict(True, True, outcome.cost, value)


def _as_problem(misfit: Misfit) -> Problem:
    missing = misfit.missing is not None
    found = None if missing else misfit.place.value
    return Problem(misfit.path(), found, misfit.wanted, missing)


def _find_place(value: Any, path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """The path as far as it leads; a validator may name arms of a union in it."""
    for depth, step in enumerate(path):
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return path[:depth]
    return path


def _meets(path: tuple[str | int, ...], others: list[tuple[str | int, ...]]) -> bool:
    """Whether one of the others lies on the path, or behind it."""
    return any(path[: len(other)] == other[: len(path)] for other in others)


def make_judge(
    schema: Any, coerce: str | Collection[str], parse: Callable[[str], Any]
) -> Judge:
    """The judge for a schema.

    ``coerce`` is "all", "safe" or "off", or a collection of one of these and of the
    names of rules that are used on request only: {"all", "drop-item"}.

    Raises:
        ValueError: ``coerce`` has no such value, or the schema is not valid.
        TypeError: the schema is no type and no dict.
    """
    names = {coerce} if isinstance(coerce, str) else set(coerce)
    ceilings = names & _CEILINGS.keys()
    requested = names & _REQUESTS.keys()
    if len(ceilings) > 1 or names - ceilings - requested:
        listed = ", ".join(map(repr, (*_CEILINGS, *_REQUESTS)))
        raise ValueError(f"coerce={coerce!r}: use one of {listed}, or several")
    risk = _CEILINGS[next(iter(ceilings), "all")]
    rules = frozenset(_REQUESTS[name] for name in requested)
    allowed = list_allowed_rules(risk, rules)
    return Judge(compile_target(schema), allowed, parse)
