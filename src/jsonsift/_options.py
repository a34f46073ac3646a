"""What a call may say of how a reply is to be read, and whether it is allowed.

Rules of this file: it checks and reads nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ._engine import require_engine
from ._parsed import MAX_DEPTH
from ._strict import NO_HOOKS, Hooks
from ._types import Repair

__all__ = [
    "DEEPEST",
    "MAX_DEPTH",
    "USUAL",
    "Hook",
    "Options",
    "PairsHook",
    "Reasoning",
    "RepairName",
    "make_options",
]

RepairName: TypeAlias = Literal["all", "safe", "off"]
Reasoning: TypeAlias = Literal["skip", "fallback"]
Hook: TypeAlias = Callable[[str], Any] | None
PairsHook: TypeAlias = Callable[[list[tuple[str, Any]]], Any] | None

DEEPEST: Final = 1024
_CHOICES: Final = {
    "pick": ("best", "first", "last"),
    "repair": ("all", "safe", "off"),
    "reasoning": ("skip", "fallback"),
    "engine": ("jsonsift", "json-repair"),
}


class Options(NamedTuple):
    """How to read a reply; see ``extract`` for the meanings."""

    pick: str = "best"
    repair: Repair = Repair.ALL
    reasoning: str = "skip"
    engine: str = "jsonsift"
    max_depth: int = 512
    max_length: int | None = None
    hooks: Hooks = NO_HOOKS
    timings: bool = False


# What nearly every call asks for is not checked anew.
USUAL: Final = Options()
_USUAL_OTHERS: Final = {
    "pick": "best",
    "reasoning": "skip",
    "engine": "jsonsift",
    "max_length": None,
    "timings": False,
}


def make_options(
    *, hooks: Hooks, max_depth: int, repair: str, **others: Any
) -> Options:
    """The options, checked."""
    options = USUAL
    if (
        max_depth is not MAX_DEPTH
        or repair != "all"
        or not (others.items() <= _USUAL_OTHERS.items())
    ):
        options = _check_options(max_depth=max_depth, repair=repair, **others)
    return options if hooks == NO_HOOKS else options._replace(hooks=hooks)


def _check_options(*, max_depth: int, repair: str, **others: Any) -> Options:
    for name, value in {"repair": repair, **others}.items():
        choices = _CHOICES.get(name)
        if choices is not None and value not in choices:
            listed = ", ".join(map(repr, choices))
            raise ValueError(f"{name}={value!r}: use one of {listed}")
    if type(max_depth) is not int or not 1 <= max_depth <= DEEPEST:
        raise ValueError(f"max_depth={max_depth!r}: use 1 to {DEEPEST}")
    if others.get("engine") == "json-repair":
        require_engine()
    most = others.get("max_length")
    if most is not None and (type(most) is not int or most < 0):
        raise ValueError(f"max_length={most!r}: use a number of characters, or None")
    return Options(repair=Repair(repair), max_depth=max_depth, **others)
