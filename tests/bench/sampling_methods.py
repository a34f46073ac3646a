"""The ways of drawing a token that the sampling benchmark compares.

A method takes logits ``[B, V]`` of its own kind and returns token ids; what is
prepared outside of the clock is only the kind (ndarray or torch tensor). Methods
of one task answer the same question, so their times can be divided.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from jsonsift.sampling import (
    MinP,
    Sampler,
    Temperature,
    TopK,
    TopP,
    TypicalP,
    sample,
    top_k,
)

T = 0.8
K = 50
P = 0.9
MIN_P = 0.05
TYPICAL = 0.9

_rng = np.random.default_rng(0)
_uniforms = random.Random(0)

HAS_TORCH = importlib.util.find_spec("torch") is not None
HAS_TRANSFORMERS = HAS_TORCH and importlib.util.find_spec("transformers") is not None
torch: Any = importlib.import_module("torch") if HAS_TORCH else None


@dataclass(frozen=True)
class Method:
    """One way to do one task.

    Attributes:
        task: what is drawn; see TASKS in sampling_bench.
        name: how the tables call it; ours begin with "jsonsift".
        kind: "numpy" or "torch".
        call: from logits ``[B, V]`` to ids ``[B]`` (``[B, k]`` for the task "set").
        largest_batch: the largest batch that it is timed with.
    """

    task: str
    name: str
    kind: str
    call: Callable[[Any], Any]
    largest_batch: int = 64


# Ours


def _ours(*steps: Any) -> Callable[[Any], Any]:
    sampler = Sampler(steps, order="hf")
    return lambda logits: sampler(logits, rng=_rng)


def _our_top_k(logits: Any) -> Any:
    return [kept.ids for kept in top_k(logits, K)]


# The three versions of the brief


def _pure_python(logits: Any) -> Any:
    chosen = []
    for row in logits.tolist():
        scaled = [value / T for value in row]
        peak = max(scaled)
        weights = [math.exp(value - peak) for value in scaled]
        target = _uniforms.random() * sum(weights)
        running = 0.0
        chosen.append(len(weights) - 1)
        for token, weight in enumerate(weights):
            running += weight
            if running >= target:
                chosen[-1] = token
                break
    return chosen


def _softmax_choice(logits: Any) -> Any:
    chosen = []
    for row in logits:
        y = row.astype(np.float64) / T
        weights = np.exp(y - y.max())
        chosen.append(_rng.choice(row.size, p=weights / weights.sum()))
    return chosen


def _one_liner(logits: Any) -> Any:
    return [np.argmax(row / T + _rng.gumbel(size=row.size)) for row in logits]


# NumPy versions


def _numpy_cumsum(logits: Any) -> Any:
    chosen = []
    for row in logits:
        y = row.astype(np.float64) / T
        running = np.cumsum(np.exp(y - y.max()))
        chosen.append(running.searchsorted(_rng.random() * running[-1], side="right"))
    return chosen


def _argpartition(logits: Any) -> Any:
    return np.argpartition(logits, logits.shape[1] - K, axis=1)[:, -K:]


def _argpartition_sorted(logits: Any) -> Any:
    """Return what top_k does: ids by descending logit, beside their logits."""
    found = []
    for row in logits:
        ids = np.argpartition(row, row.size - K)[-K:]
        held = row[ids]
        order = np.argsort(-held)
        found.append((ids[order], held[order]))
    return [ids for ids, _ in found]


def _numpy_sort_top_p(logits: Any) -> Any:
    chosen = []
    for row in logits:
        order = np.argsort(-row)
        y = row[order] / T
        weights = np.exp(y - y[0])
        running = np.cumsum(weights)
        count = running.searchsorted(P * running[-1]) + 1
        target = _rng.random() * running[count - 1]
        chosen.append(order[running.searchsorted(target, side="right")])
    return chosen


def _argpartition_chain(logits: Any) -> Any:
    chosen = []
    for row, ids in zip(logits, _argpartition(logits), strict=True):
        ids = ids[np.argsort(-row[ids])]
        y = row[ids] / T
        weights = np.exp(y - y[0])
        running = np.cumsum(weights)
        count = running.searchsorted(P * running[-1]) + 1
        kept = weights[:count]
        running = np.cumsum(kept[kept >= MIN_P * kept[0]])
        target = _rng.random() * running[-1]
        chosen.append(ids[running.searchsorted(target, side="right")])
    return chosen


# Torch versions


def _torch_multinomial(logits: Any) -> Any:
    return torch.multinomial((logits / T).softmax(-1), 1).squeeze(1)


def _torch_race(logits: Any) -> Any:
    chances = (logits / T).softmax(-1)
    return chances.div_(torch.empty_like(chances).exponential_(1.0)).argmax(-1)


def _torch_cumsum(logits: Any) -> Any:
    running = (logits / T).softmax(-1).cumsum(-1)
    target = torch.rand(len(logits), 1) * running[:, -1:]
    found = torch.searchsorted(running, target, right=True).squeeze(1)
    return found.clamp_(max=logits.shape[1] - 1)


def _torch_topk(logits: Any) -> Any:
    return torch.topk(logits, K).indices


def _torch_topk_chain(logits: Any) -> Any:
    values, ids = torch.topk(logits, K)
    chances = (values / T).softmax(-1)
    before = chances.cumsum(-1) - chances
    chances = chances * (before < P)
    chances = chances * (chances >= MIN_P * chances[:, :1])
    return ids.gather(1, torch.multinomial(chances, 1)).squeeze(1)


def _warpers(*wanted: str) -> Callable[[Any], Any]:
    module = importlib.import_module("transformers.generation.logits_process")
    built = {
        "T": lambda: module.TemperatureLogitsWarper(T),
        "k": lambda: module.TopKLogitsWarper(K),
        "p": lambda: module.TopPLogitsWarper(P),
        "min-p": lambda: module.MinPLogitsWarper(MIN_P),
        "typical": lambda: module.TypicalLogitsWarper(TYPICAL),
    }
    chain = [built[one]() for one in wanted]

    def call(logits: Any) -> Any:
        for warper in chain:
            logits = warper(None, logits)
        return torch.multinomial(logits.softmax(-1), 1).squeeze(1)

    return call


def methods() -> list[Method]:
    """Return every method that can run here; ours comes first in each task."""
    found = [
        Method("draw", "jsonsift sample", "numpy", lambda x: sample(x, T, rng=_rng)),
        Method("draw", "pure Python loop", "numpy", _pure_python, 1),
        Method("draw", "softmax + choice", "numpy", _softmax_choice, 8),
        Method("draw", "one-liner (Gumbel)", "numpy", _one_liner),
        Method("draw", "NumPy cumsum", "numpy", _numpy_cumsum),
        Method("set", "jsonsift top_k", "numpy", _our_top_k),
        Method("set", "NumPy argpartition", "numpy", _argpartition),
        Method("set", "NumPy argpartition, sorted", "numpy", _argpartition_sorted),
        Method("top-k", "jsonsift T, k", "numpy", _ours(Temperature(T), TopK(K))),
        Method("top-p", "jsonsift T, p", "numpy", _ours(Temperature(T), TopP(P))),
        Method("top-p", "NumPy sort + cumsum", "numpy", _numpy_sort_top_p),
        Method(
            "min-p", "jsonsift T, min-p", "numpy", _ours(Temperature(T), MinP(MIN_P))
        ),
        Method(
            "typical",
            "jsonsift T, typical",
            "numpy",
            _ours(Temperature(T), TypicalP(TYPICAL)),
        ),
        Method(
            "chain",
            "jsonsift T, k, p, min-p",
            "numpy",
            _ours(Temperature(T), TopK(K), TopP(P), MinP(MIN_P)),
        ),
        Method("chain", "NumPy argpartition first", "numpy", _argpartition_chain),
    ]
    if HAS_TORCH:
        found += [
            Method("draw", "torch softmax + multinomial", "torch", _torch_multinomial),
            Method("draw", "torch race", "torch", _torch_race),
            Method("draw", "torch softmax + cumsum", "torch", _torch_cumsum),
            Method("set", "torch.topk", "torch", _torch_topk),
            Method("chain", "torch.topk first", "torch", _torch_topk_chain),
        ]
    if HAS_TRANSFORMERS:
        found += [
            Method("top-k", "transformers T, k", "torch", _warpers("T", "k")),
            Method("top-p", "transformers T, p", "torch", _warpers("T", "p"), 8),
            Method("min-p", "transformers T, min-p", "torch", _warpers("T", "min-p")),
            Method(
                "typical",
                "transformers T, typical",
                "torch",
                _warpers("T", "typical"),
                8,
            ),
            Method(
                "chain",
                "transformers T, k, p, min-p",
                "torch",
                _warpers("T", "k", "p", "min-p"),
            ),
        ]
    return found
