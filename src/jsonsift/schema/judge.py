"""The judge: how well an extraction fits a schema, and its value made to fit.

This is what the choice between readings is given; it alone joins the rules and the
validator.  Where the validator takes a value as it was parsed, that is the answer and
no rule is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any, Final

from .._types import Coercion, Extraction, Problem, Risk, Rule, Verdict
from .coerce import Coercer, list_allowed_rules
from .items import (
    UNKNOWN,
    Step,
    find_answer_items,
    find_item_schema,
    find_steps,
)
from .nodes import ListNode, list_arms
from .outcomes import Misfit, Outcome, Place, list_coercions, restore_misfits
from .source import Source
from .validators import RefusedError, Target, compile_target

__all__ = ["Judge", "make_judge"]

_CEILINGS: Final = {"all": Risk.GUESS, "safe": Risk.SAFE, "off": Risk.NONE}
_REQUESTS: Final = {rule.label: rule for rule in Rule if rule.on_request}
_TEXTUAL: Final = frozenset({Rule.TEXT_OF_SCALAR, Rule.TEXT_OF_VALUE})
_REFUSED: Final = 50  # how far a value is from fitting that only the validator refuses


class Judge:
    """Judges the readings of one reply."""

    def __init__(
        self, schema: Any, allowed: frozenset[Rule], parse: Callable[[str], Any]
    ) -> None:
        self._schema = schema
        self._target: Target = compile_target(schema)
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
        return self._judge(Place(found.value, Source(found)), alone=alone)

    def judge_item(self, value: Any) -> Verdict | None:
        """How one item fits of a list that is still being written.

        The rules apply to it if anything in the whole answer needs one, and the type
        alone if nothing does.  None where that makes a difference, or where the text of
        the reply is wanted, which an item has not.
        """
        place = Place([value]).child(0)
        exact = self._judge(place, alone=True)
        if not exact.exact:
            textual = any(one.rule in _TEXTUAL for one in exact.coercions)
            return None if textual else exact
        outcome = self._coerce(place)
        if not outcome.fits:
            return None if Rule.DROP_ITEM in self.allowed else exact
        if outcome.value == value:
            return exact
        ruled = self._decide(place, outcome, None)
        same = ruled.fits and type(ruled.value) is type(exact.value)
        return exact if same and ruled.value == exact.value else None

    def _judge(self, place: Place, *, alone: bool) -> Verdict:
        reason = None
        exact: tuple[Any, ...] = ()
        if self._target.is_type:
            try:
                exact = (self._target.validate(place.value),)
            except RefusedError as error:
                reason = error
            if exact and alone:
                return Verdict(True, True, 0, exact[0])
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

    def read_items(self, keys: tuple[str, ...]) -> ItemReader:
        """A reader of the list that the keys lead to, as the schema or the text does.

        Raises:
            ValueError: by the schema no list can stand there.
        """
        folds = Rule.KEY_FORM in self.allowed
        sure = not self._target.is_type
        steps = find_steps(
            self._target.node, keys, lambda field: folds and (sure or field.required)
        )
        schema = find_item_schema(self._schema, steps)
        judge = None
        if schema is not UNKNOWN:
            # it may be a type that only its place makes valid
            with suppress(NameError, RuntimeError, TypeError, ValueError):
                judge = Judge(schema, self.allowed, self._parse)
        return ItemReader(steps, judge, self.allowed)

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


class ItemReader:
    """Gives the items of one list as they come, each made to fit by itself.

    What it gives is of the type that an item of the answer has.  Where that cannot be
    known yet it gives nothing before the answer is there: when the type of the items is
    not known, and from an item on that does not fit, or might be read in two ways.
    """

    def __init__(
        self, steps: tuple[Step, ...], judge: Judge | None, allowed: frozenset[Rule]
    ) -> None:
        self._steps = steps
        self._judge = judge
        self._drops = Rule.DROP_ITEM in allowed
        self._keys: list[str | None] = [None] * len(steps)
        self._seen = [0] * len(steps)  # keys that are not meant, by step
        self._read = 0  # items that were looked at,
        self._given = 0  # and those that were given

    def take(self, value: Any, count_whole: Callable[[list[Any]], int]) -> list[Any]:
        """The next items of the list in an unfinished value."""
        judge, items = self._judge, self._find_list(value)
        if judge is None or items is None:
            return []
        taken: list[Any] = []
        whole = count_whole(items)
        while self._read < whole:
            verdict = judge.judge_item(items[self._read])
            if verdict is not None and verdict.fits:
                taken.append(verdict.value)
            elif verdict is None or not self._drops:
                self._judge = None  # the answer has the last word
                break
            self._read += 1
        self._given += len(taken)
        return taken

    def take_rest(self, answer: Any) -> list[Any]:
        """The items of the answer that were not given yet."""
        items = find_answer_items(answer, self._steps)[self._given :]
        self._given += len(items)
        return items

    def _find_list(self, value: Any) -> list[Any] | None:
        """The list in the value, whose keys may be written in another form."""
        for at, step in enumerate(self._steps):
            if not isinstance(value, dict):
                return None
            key = self._keys[at]
            if key is None or key not in value:
                key = step.find_key(value, self._seen[at])
                self._seen[at] = len(value)
                self._keys[at] = key
            if key is None:
                return None
            value = value[key]
        return value if isinstance(value, list) else None


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
    return Judge(schema, allowed, parse)
