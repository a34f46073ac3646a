"""A sampler as the logits processor of a generation engine.

Nothing is imported from the engines: tensors are read and made through their
own methods (``float``, ``numpy``, ``new_tensor``), and where an engine insists on
a base class the caller passes it.

In mode ``"mask"`` a processor returns the processed logits, -inf outside the
surviving set, and the engine draws. In mode ``"force"`` the sampler draws and
the processor returns a row that is 0 at the drawn id and -inf elsewhere, so that
whatever the engine does next picks that id.

May live here: the engines' call signatures. Must not know: how steps work.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._edits import History
from ._rows import as_array, check_count

if TYPE_CHECKING:
    from ._sampler import Sampler

Mode = Literal["mask", "force"]
Kind = TypeVar("Kind", "VLLMProcessor", "SGLangProcessor")


def check_mode(mode: Mode) -> Mode:
    """Return ``mode``, or raise ValueError."""
    if mode not in ("mask", "force"):
        raise ValueError(f"mode must be 'mask' or 'force', not {mode!r}")
    return mode


def process_rows(
    sampler: Sampler,
    mode: Mode,
    logits: Any,
    *,
    steps: Sequence[int],
    histories: Sequence[History],
    seeds: Sequence[int | None] | None = None,
) -> NDArray[Any]:
    """Return processed logits, float32 or float64 ``[B, V]``, for ``logits``."""
    array = as_array(_on_host(logits))
    rows = np.full(array.shape, -np.inf, dtype=_row_type(array))
    if mode == "force":
        ids = sampler(array, step=steps, history=histories, seed=seeds)
        rows[np.arange(len(ids)), ids] = 0.0
        return rows
    found = sampler.candidates(array, step=steps, history=histories, seed=seeds)
    largest = _largest_of(logits)
    for row, kept in zip(rows, found, strict=True):
        # Where a low temperature carries the engine's type to infinity, the same
        # distribution with its peak at 0 does not; what is below may well.
        with np.errstate(over="ignore"):
            scaled = kept.logits.astype(np.float64) / kept.temperature
            row[kept.ids] = scaled if abs(scaled).max() <= largest else kept.scaled()
    return rows


def _largest_of(logits: Any) -> float:
    """Return the largest finite number of the type of ``logits``."""
    kind = str(getattr(logits, "dtype", "")).rpartition(".")[2]
    return float(np.finfo(kind if kind in ("float16", "float64") else "float32").max)


def _row_type(array: NDArray[Any]) -> type[np.floating[Any]]:
    return np.float64 if array.dtype == np.float64 else np.float32


def _on_host(logits: Any) -> Any:
    detached = logits.detach() if hasattr(logits, "detach") else logits
    return detached.cpu() if hasattr(detached, "cpu") else detached


def like(rows: NDArray[Any], logits: Any) -> Any:
    """Return ``rows`` as what ``logits`` is: its kind, dtype and device."""
    if hasattr(logits, "new_tensor"):
        return logits.new_tensor(rows, dtype=logits.dtype)
    return rows.astype(np.asarray(logits).dtype)


def read_ids(ids: Any) -> NDArray[Any]:
    """Return token ids of any kind as an array."""
    array = as_array(_on_host(ids))
    return array if array.size else array.astype(np.int64)


class HFProcessor:
    """A ``LogitsProcessor`` of Hugging Face transformers, by duck typing.

    ``generate`` tells a processor the ids so far but not where the prompt ends.
    The processor takes the length at its first call as the prompt's, and starts
    again when a call does not go on from the one before: see :meth:`_goes_on`. Use
    one processor for each ``generate``, or say ``prompt_length``.
    """

    def __init__(
        self, sampler: Sampler, mode: Mode, prompt_length: int | None = None
    ) -> None:
        self.sampler = sampler
        self.mode = check_mode(mode)
        if prompt_length is not None:
            prompt_length = check_count(prompt_length, "prompt_length", low=0)
        self.prompt_length = prompt_length
        self._began = 0
        self._last: NDArray[Any] | None = None

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Return processed ``scores``; neither argument is changed.

        Args:
            input_ids: ids so far, ``[B, L]``.
            scores: logits, ``[B, V]``.
        """
        ids = read_ids(input_ids)
        length = int(ids.shape[1])
        if not self._goes_on(ids):
            self._began = length
        # A copy: the engine may write to its ids.
        self._last = ids.copy()
        began = self._began if self.prompt_length is None else self.prompt_length
        if began > length:
            raise ValueError(f"prompt_length is {began}, but there are {length} ids")
        rows = process_rows(
            self.sampler,
            self.mode,
            scores,
            steps=[length - began] * len(ids),
            histories=[History(row[:began], row[began:]) for row in ids],
        )
        return like(rows, scores)

    def _goes_on(self, ids: NDArray[Any]) -> bool:
        """Return whether ``ids`` belong to the ``generate`` of the call before.

        Usually they are one longer: rows may have changed places (beams) or text,
        but not prompts. Assisted decoding also goes back, past the candidates that
        it rejected, to a text of which all but the last id was seen.
        """
        last = self._last
        if last is None or len(last) != len(ids):
            return False
        length = ids.shape[1]
        if not self._began < length <= last.shape[1] + 1:
            return False
        known = self._began if length > last.shape[1] else length - 1
        return np.array_equal(ids[:, :known], last[:, :known])


class _Request:
    """What a vLLM processor remembers of one slot of the batch."""

    def __init__(self, slot: int, params: Any, prompt: Any, output: Any) -> None:
        extra = getattr(params, "extra_args", None) or {}
        self.active = bool(extra.get("jsonsift", True))
        self.seed = _request_seed(getattr(params, "seed", None), slot)
        self.prompt = () if prompt is None else prompt
        # vLLM appends to this list, so it must not be copied.
        self.output = output


class VLLMProcessor:
    """A logits processor of vLLM's V1 engine; see :meth:`Sampler.as_vllm`."""

    sampler: Sampler
    mode: Mode

    def __init__(
        self, vllm_config: Any = None, device: Any = None, is_pin_memory: bool = False
    ) -> None:
        self._requests: dict[int, _Request] = {}

    @classmethod
    def validate_params(cls, sampling_params: Any) -> None:
        """Accept every request's parameters."""

    def is_argmax_invariant(self) -> bool:
        """Return False: greedy requests are to be processed too."""
        return False

    def update_state(self, batch_update: Any) -> None:
        """Follow requests as they come, go and move between slots.

        ``batch_update`` is None or has ``removed`` (slots), ``added`` (slot,
        sampling parameters, prompt ids, output ids) and ``moved`` (from, to,
        direction), to be carried out in this order.
        """
        if batch_update is None:
            return
        requests = self._requests
        for slot in batch_update.removed:
            requests.pop(slot, None)
        for slot, params, prompt, output in batch_update.added:
            requests[slot] = _Request(slot, params, prompt, output)
        for source, target, direction in batch_update.moved:
            moving, displaced = requests.pop(source, None), requests.pop(target, None)
            if moving is not None:
                requests[target] = moving
            if displaced is not None and _is_swap(direction):
                requests[source] = displaced

    def apply(self, logits: Any) -> Any:
        """Return ``logits`` ``[B, V]`` with the rows of active requests processed."""
        slots = [slot for slot, one in sorted(self._requests.items()) if one.active]
        slots = [slot for slot in slots if slot < len(logits)]
        if not slots:
            return logits
        requests = [self._requests[slot] for slot in slots]
        seeds = [one.seed for one in requests]
        rows = process_rows(
            self.sampler,
            self.mode,
            logits[slots],
            steps=[len(one.output) for one in requests],
            histories=[History(one.prompt, list(one.output)) for one in requests],
            seeds=seeds,
        )
        logits[slots] = like(rows, logits)
        return logits


def _is_swap(direction: Any) -> bool:
    return str(getattr(direction, "name", direction)).upper() == "SWAP"


class SGLangProcessor:
    """A custom logit processor of sglang; see :meth:`Sampler.as_sglang`."""

    sampler: Sampler
    mode: Mode

    def __call__(self, logits: Any, custom_param_list: Any = None) -> Any:
        """Return processed ``logits``, ``[n, V]``.

        Args:
            logits: one row for each request that uses this processor.
            custom_param_list: a dict (or None) for each row. ``"__req__"``, which
                sglang adds, holds ``origin_input_ids`` and ``output_ids``;
                ``"seed"`` may hold the request's seed; one that is no integer is
                warned of and left out.
        """
        params = custom_param_list or [None] * len(logits)
        histories, seeds = [], []
        for row, one in enumerate(params):
            request = (one or {}).get("__req__")
            prompt = getattr(request, "origin_input_ids", None)
            output = getattr(request, "output_ids", None)
            histories.append(History(_listed(prompt), _listed(output)))
            seeds.append(_request_seed((one or {}).get("seed"), row))
        rows = process_rows(
            self.sampler,
            self.mode,
            logits,
            steps=[len(history.output) for history in histories],
            histories=histories,
            seeds=seeds,
        )
        return like(rows, logits)


def _request_seed(seed: object, row: int) -> int | None:
    # An error here would stop the whole batch for what one client sent. Engines
    # take negative seeds, so they are seeds.
    if seed is None:
        return None
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        message = f"row {row}: drawn without its seed, which is no integer: {seed!r}"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
        return None
    return int(seed) % 2**64


def _listed(ids: Any) -> list[int]:
    return [] if ids is None else [int(one) for one in ids]


def processor_class(
    kind: type[Kind], sampler: Sampler, mode: Mode, base: type | None
) -> type[Kind]:
    """Return a class of ``kind`` bound to ``sampler``, derived from ``base`` too."""
    bases = (kind,) if base is None else (kind, base)
    members = {"sampler": sampler, "mode": check_mode(mode), "__module__": __name__}
    return type(f"Bound{kind.__name__}", bases, members)
