"""Who is told about each call, and what they are told.

Rules of this file: it knows no call of the library, only their records, so that every
room may report here, ``sampling`` too.  While nobody listens, ``OBSERVERS`` is empty,
and a call does no more than look at it.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from time import perf_counter_ns, time_ns
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

from ._errors import JSONSiftError
from ._types import Extraction, StageTime

__all__ = [
    "OBSERVERS",
    "Observation",
    "Record",
    "describe_call",
    "notify",
    "observe",
    "report_call",
    "wants_stages",
]

Scope: TypeAlias = Literal["process", "context"]

_WORST_FIRST: Final = ("cut", "repaired", "coerced", "valid", "no-json")
_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})


class Record(NamedTuple):
    """One call, as an observer sees it.

    Attributes:
        call: the function's name: "extract" (for ``extract_json`` too), "extract_all",
            "loads", "repair_json", "stream", "clean_text", "decode" or "sample".
        began: when it began, in nanoseconds since the epoch.
        ns: how long it took, in nanoseconds; of a stream what its calls took, without
            the time between them.
        size: characters or bytes that went in; for "sample" the number of logits.
        outcome: "valid", "coerced", "repaired" or "cut" for a value; "no-json",
            "broken", "limit", "schema" or "error" for an exception; "changed" or
            "unchanged" for text; "drawn" for tokens.
        values: how many values were found, or tokens drawn.
        kind: where the value stood: "whole", "fenced", "wrapper", "bare",
            "reasoning"; empty without a value.
        edits: how many edits of each kind, by ``EditKind.label``.
        error: the name of the exception's class; empty without one.
        stages: nanoseconds, runs and sizes a stage, if an observer asked for them.
    """

    call: str
    began: int
    ns: int
    size: int
    outcome: str
    values: int = 1
    kind: str = ""
    edits: Mapping[str, int] = _NOTHING
    error: str = ""
    stages: Mapping[str, StageTime] | None = None


Callback: TypeAlias = Callable[[Record], object]


class Observation:
    """A callback that hears of calls until it is closed; also a context manager."""

    def __init__(self, callback: Callback, *, stages: bool, scope: Scope) -> None:
        self.callback = callback
        self.stages = stages
        self.scope = scope

    def close(self) -> None:
        """Stop; a second time does nothing."""
        if self in OBSERVERS:
            OBSERVERS.remove(self)

    def __enter__(self) -> "Observation":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


OBSERVERS: list[Observation] = []  # changed in place only
_here: Final[ContextVar[tuple[Observation, ...]]] = ContextVar("_here", default=())
_reporting: Final[ContextVar[bool]] = ContextVar("_reporting", default=False)


def observe(
    callback: Callback, *, stages: bool = False, scope: Scope = "process"
) -> Observation:
    """Call ``callback(record)`` after each call of the library, from now on.

    The callback runs in the thread and context of the call, before that returns or
    raises.  An error of its own is logged and does not reach the caller, and calls
    that it makes itself are not observed.  Several observers may listen.

    Args:
        callback: takes a :class:`Record`; ``jsonsift.integrations`` has ready ones.
        stages: fill ``Record.stages``, which costs a few microseconds a call.
        scope: "process" for the calls of all threads; "context" for those of this
            thread or task and of the tasks that it starts.

    Returns:
        An :class:`Observation`: close it, or use it in a ``with`` statement, to stop.

    Raises:
        TypeError: the callback cannot be called, or is a class.
        ValueError: there is no such scope.

    >>> from jsonsift import extract_json, observe
    >>> seen = []
    >>> with observe(seen.append):
    ...     _ = extract_json("Sure: {'a': 1,}")
    >>> seen[0].call, seen[0].outcome, seen[0].kind, dict(seen[0].edits)
    ('extract', 'repaired', 'bare', {'quote-mark': 2, 'extra-comma': 1})
    """
    if not callable(callback):
        raise TypeError(f"expected a callback, not {type(callback).__name__}")
    if isinstance(callback, type):  # would make an object a call, and hear nothing
        raise TypeError(f"expected a callback: {callback.__name__}(…), not the class")
    if scope not in ("process", "context"):
        raise ValueError(f"scope={scope!r}: use one of 'process', 'context'")
    observation = Observation(callback, stages=stages, scope=scope)
    if scope == "context":
        open_ones = tuple(other for other in _here.get() if other in OBSERVERS)
        _here.set((*open_ones, observation))
    OBSERVERS.append(observation)
    return observation


def wants_stages() -> bool:
    """Whether somebody who listens asked for the time of each stage."""
    return any(observation.stages for observation in OBSERVERS)


def notify(record: Record) -> None:
    """Tell everybody who listens."""
    if _reporting.get():
        return
    token = _reporting.set(True)
    try:
        for observation in tuple(OBSERVERS):
            if observation.scope == "process" or observation in _here.get():
                _tell(observation.callback, record)
    finally:
        _reporting.reset(token)


def describe_call(
    call: str,
    began: int,
    ns: int,
    size: int,
    founds: Sequence[Extraction],
    error: BaseException | None,
    stages: Mapping[str, StageTime] | None,
) -> Record:
    """The record of a call that found these, or failed."""
    if error is not None:
        outcome = "error"
        if isinstance(error, JSONSiftError) and not error.is_callers:
            outcome = error.outcome
        name = type(error).__name__
        return Record(call, began, ns, size, outcome, 0, error=name, stages=stages)
    edits = Counter(edit.kind.label for found in founds for edit in found.edits)
    kind = founds[0].kind.value if founds else ""
    outcomes = {found.outcome for found in founds} or {"no-json"}
    worst = next(one for one in _WORST_FIRST if one in outcomes)
    return Record(call, began, ns, size, worst, len(founds), kind, edits, "", stages)


def report_call(
    call: str, clock: int, size: int, outcome: str, *, values: int = 1
) -> None:
    """Tell of a call that began at ``clock`` (of ``perf_counter_ns``) and ends now."""
    ns = perf_counter_ns() - clock
    notify(Record(call, time_ns() - ns, ns, size, outcome, values))


def _tell(callback: Callback, record: Record) -> None:
    try:
        callback(record)
    except Exception:
        import logging  # needed by few, and slow to load

        logging.getLogger("jsonsift").exception("an observer of %s failed", record.call)
