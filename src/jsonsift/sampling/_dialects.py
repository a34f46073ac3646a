"""Whose rules a chain follows: the order of steps and the fine print.

Sources, as they stood when docs/sampling.md was written: transformers'
``generation/utils.py`` and ``logits_process.py``, vLLM's V1 sampler, llama.cpp's
``common/sampling.cpp`` and ``llama-sampling.cpp``.

May live here: the rules as data. Must not know: how steps work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ._select import Ties

Order = Literal["hf", "vllm", "llamacpp"]
Scope = Literal["output", "all"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """The rules that differ between engines.

    Attributes:
        name: what messages call the engine.
        order: step class names in the order of the engine; None keeps the
            caller's order and allows every step.
        ties: what top-k does with logits equal to the k-th.
        typical_ties: the same for typical-p and equal distances.
        typical_crosses_on_equal: whether reaching the mass exactly ends it.
        scope: which ids presence and frequency penalties count.
        window: how many of the last ids penalties look at; None for all.
        counts: whether the engine has presence and frequency penalties.
        greedy_below: temperatures below this are greedy.
    """

    name: str
    order: tuple[str, ...] | None = None
    ties: Ties = "exact"
    typical_ties: Ties = "exact"
    typical_crosses_on_equal: bool = True
    scope: Scope = "output"
    window: int | None = None
    counts: bool = True
    greedy_below: float = 0.0


AS_GIVEN = Dialect(name="jsonsift")

DIALECTS: dict[str, Dialect] = {
    "hf": Dialect(
        name="transformers",
        order=(
            "Bias",
            "Penalties",
            "Ban",
            "Temperature",
            "TopK",
            "TopP",
            "MinP",
            "TypicalP",
        ),
        ties="all",
        typical_ties="all",
        counts=False,
    ),
    "vllm": Dialect(
        name="vLLM",
        order=("Ban", "Bias", "Penalties", "Temperature", "MinP", "TopK", "TopP"),
        ties="all",
        greedy_below=1e-5,
    ),
    "llamacpp": Dialect(
        name="llama.cpp",
        order=(
            "Bias",
            "Ban",
            "Penalties",
            "TopNSigma",
            "TopK",
            "TypicalP",
            "TopP",
            "MinP",
            "XTC",
            "Temperature",
        ),
        typical_crosses_on_equal=False,
        scope="all",
        window=64,
    ),
}


def dialect_for(order: Order | None) -> Dialect:
    """Return the rules that ``order`` names, or raise ValueError."""
    if order is None:
        return AS_GIVEN
    if order not in DIALECTS:
        known = ", ".join(map(repr, DIALECTS))
        raise ValueError(f"order must be one of {known} or None, not {order!r}")
    return DIALECTS[order]
