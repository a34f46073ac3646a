"""Change single logits: penalties, biases, bans.

Each touches only the ids concerned: the cost is a copy of the row and a few
hundred entries, not passes over the vocabulary.

May live here: edits of logits. Must not know: filters, drawing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from reprlib import repr as shorten
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._dialects import Scope
from ._rows import (
    Floats,
    Ids,
    as_array,
    as_id_array,
    as_matrix,
    check_count,
    check_ids,
    check_number,
    check_per_row,
    is_listed,
    reject_row,
)


@dataclass(frozen=True, slots=True)
class History:
    """What one request has seen and said so far.

    Attributes:
        prompt: token ids of the prompt.
        output: token ids generated so far; their number is the step.
    """

    prompt: Any = field(default=())
    output: Any = field(default=())


def check_history(history: object, row: int) -> None:
    """Raise TypeError, which names the row, for what is no history at a glance."""
    if not isinstance(history, History):
        raise TypeError(
            f"row {row}: a history must be a History, not {shorten(history)}"
        )
    for name, ids in (("prompt", history.prompt), ("output", history.output)):
        if not is_listed(ids) or (len(ids) and is_listed(ids[0])):
            raise TypeError(
                f"row {row}: the {name} of its history must be a list of ids, not "
                f"{shorten(ids)}"
            )


@dataclass(frozen=True, slots=True)
class PenaltyRule:
    """Checked arguments of :func:`penalize` for one row."""

    repetition: float
    presence: float
    frequency: float
    scope: Scope
    window: int | None

    def __post_init__(self) -> None:
        if check_number(self.repetition, "repetition", 0.0, math.inf) == 0.0:
            raise ValueError("repetition must be above 0")
        check_number(self.presence, "presence", -math.inf, math.inf)
        check_number(self.frequency, "frequency", -math.inf, math.inf)
        if self.scope not in ("output", "all"):
            raise ValueError(f"scope must be 'output' or 'all', not {self.scope!r}")
        if self.window is not None:
            check_count(self.window, "window")


def penalize_row(values: Floats, rule: PenaltyRule, history: History, row: int) -> None:
    """Apply ``rule`` to one row in place."""
    prompt = check_ids(history.prompt, values.size, row, "prompt_ids")
    output = check_ids(history.output, values.size, row, "output_ids")
    if rule.window is not None:
        output = output[-rule.window :]
        left = rule.window - output.size
        prompt = prompt[max(prompt.size - left, 0) :]
    everything = np.concatenate((prompt, output))
    with np.errstate(over="ignore"):
        if rule.repetition != 1.0:
            seen = np.unique(everything)
            held = values[seen].astype(np.float64)
            factor = np.where(held > 0.0, 1.0 / rule.repetition, rule.repetition)
            values[seen] = held * factor
        if rule.presence or rule.frequency:
            counted = everything if rule.scope == "all" else output
            seen, counts = np.unique(counted, return_counts=True)
            held = values[seen].astype(np.float64)
            values[seen] = held - (rule.frequency * counts + rule.presence)


def penalize(
    logits: object,
    prompt_ids: Any,
    output_ids: Any,
    *,
    repetition: float = 1.0,
    presence: float = 0.0,
    frequency: float = 0.0,
    scope: Scope = "output",
    window: int | None = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Make tokens that occurred already less likely.

    A token of the prompt or the output has its logit divided by ``repetition``
    if positive, else multiplied by it (Keskar et al., "CTRL", 2019). Then
    ``frequency`` times its count, and ``presence`` once, are subtracted
    (OpenAI's definition); ``scope`` says whether these two count ids of the
    output alone, as vLLM does, or of the prompt too, as llama.cpp does.

    Args:
        logits: ``[V]`` or ``[B, V]``, float16, 32 or 64; not changed.
        prompt_ids: ids of the prompt: flat for ``[V]``, one flat sequence for
            each row of ``[B, V]``. Pass ``()`` to leave the prompt out of the
            repetition penalty too, as sglang does.
        output_ids: ids generated so far, likewise.
        repetition: above 0; 1 changes nothing, above 1 discourages.
        presence, frequency: finite; 0 changes nothing, above 0 discourages.
        window: look only at this many last ids of prompt + output.
        out: where to write the result; may be ``logits`` itself.

    Returns:
        An array of the shape of ``logits``, float32 (from float16 or 32) or
        float64; ``out`` if that was given.

    Raises:
        ValueError: an argument or a token id is out of range.
        TypeError: ids are not a list of integers, or a number is none.

    >>> import numpy as np
    >>> logits = np.array([2.0, -1.0, 3.0])
    >>> penalize(logits, [0], [1, 1], repetition=2.0, frequency=0.5).tolist()
    [1.0, -3.0, 3.0]
    """
    rule = PenaltyRule(repetition, presence, frequency, scope, window)
    matrix, result, single = _target(logits, out)
    rows = matrix.shape[0]
    prompts = [prompt_ids] if single else _listed(prompt_ids, rows, "prompt_ids")
    outputs = [output_ids] if single else _listed(output_ids, rows, "output_ids")
    for row, (prompt, output) in enumerate(zip(prompts, outputs, strict=True)):
        penalize_row(matrix[row], rule, History(prompt, output), row)
    return result


def checked_bias(bias: object, name: str) -> tuple[Ids, NDArray[np.float64]]:
    """Return ids ``[m]`` and what to add to their logits, or raise."""
    if not isinstance(bias, Mapping):
        raise TypeError(f"{name} must map ids to amounts, not be {bias!r}")
    if not all(isinstance(one, (int, np.integer)) for one in bias):
        raise TypeError(f"the keys of {name} must be integers: token ids")
    ids = np.array(list(bias), dtype=np.int64)
    if set(map(type, bias.values())) == {float}:
        # The usual case, without a call for each.
        amounts = np.fromiter(bias.values(), dtype=np.float64, count=len(bias))
        if (amounts < math.inf).all():  # NaN is not
            return ids, amounts
    checked = [_amount(one, token, name) for token, one in bias.items()]
    return ids, np.array(checked, dtype=np.float64)


def _amount(value: object, token: int, name: str) -> float:
    if isinstance(value, (float, np.floating)) and value == -math.inf:
        return -math.inf
    return check_number(value, f"{name} of id {token}", -math.inf, math.inf)


def bias_row(values: Floats, ids: Ids, amounts: NDArray[np.float64], row: int) -> None:
    """Add ``amounts`` to the logits of ``ids`` in place."""
    ids = check_ids(ids, values.size, row, "bias")
    held = values[ids].astype(np.float64)
    if np.isneginf(amounts[held == np.inf]).any():
        # Their sum would be NaN, and the row be said to hold that.
        reject_row(values, math.inf, row)
    with np.errstate(over="ignore"):
        values[ids] = held + amounts


def logit_bias(
    logits: object,
    bias: Mapping[int, float] | Sequence[Mapping[int, float]],
    *,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Add a number to the logits of some ids.

    Args:
        logits: ``[V]`` or ``[B, V]``, float16, 32 or 64; not changed.
        bias: id to amount, finite or -inf; for ``[B, V]`` one for all rows or a
            sequence of one for each.
        out: where to write the result; may be ``logits`` itself.

    Returns:
        As :func:`penalize`.

    Raises:
        ValueError: an id is outside the vocabulary; an amount is NaN or +inf, or
            -inf where the logit is +inf.
        TypeError: an id is no integer or an amount no number.

    >>> import numpy as np
    >>> logit_bias(np.zeros(3), {1: 5.0, 2: -np.inf}).tolist()
    [0.0, 5.0, -inf]
    """
    matrix, result, _ = _target(logits, out)
    biases = check_per_row(bias, matrix.shape[0], "bias", checked_bias)
    for row, (ids, amounts) in enumerate(biases):
        bias_row(matrix[row], ids, amounts, row)
    return result


def ban_row(values: Floats, ids: object, row: int) -> None:
    """Set the logits of ``ids`` to -inf in place."""
    values[check_ids(ids, values.size, row, "ban")] = -np.inf


def check_bans(ids: Any) -> None:
    """Raise unless ``ids`` are a list of ids, or of one such list for each row."""
    name = "the ids to ban"
    if not ids_per_row(ids):
        _check_ban(ids, name)
        return
    for row, one in enumerate(ids):
        _check_ban(one, f"{name} in row {row}")


def _check_ban(ids: object, name: str) -> None:
    array = as_id_array(ids, name)
    if array.size and array.min() < 0:
        raise ValueError(f"{name} must be at least 0, not {array.min()}")


def ids_per_row(ids: Any) -> bool:
    """Return whether ``ids`` is a sequence of sequences, one for each row."""
    if isinstance(ids, (list, tuple)):
        return bool(ids) and np.ndim(ids[0]) > 0
    return np.ndim(as_array(ids)) > 1


def ban(logits: object, ids: Any, *, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Set the logits of ``ids`` to -inf.

    Args:
        logits: ``[V]`` or ``[B, V]``, float16, 32 or 64; not changed.
        ids: token ids for all rows, or a list of id lists, one for each row.
        out: where to write the result; may be ``logits`` itself.

    Returns:
        As :func:`penalize`.

    Raises:
        ValueError: an id is outside the vocabulary.
        TypeError: the ids are not a list (or for each row one) of integers.

    >>> import numpy as np
    >>> ban(np.zeros(3), [0, 2]).tolist()
    [-inf, 0.0, -inf]
    """
    matrix, result, _ = _target(logits, out)
    rows = matrix.shape[0]
    banned = _listed(ids, rows, "ids") if ids_per_row(ids) else [ids] * rows
    for row, one in enumerate(banned):
        ban_row(matrix[row], one, row)
    return result


def _listed(values: Any, rows: int, name: str) -> list[Any]:
    if len(values) != rows:
        raise ValueError(f"{name} has {len(values)} values for a batch of {rows} rows")
    return list(values)


def _target(
    logits: object, out: NDArray[Any] | None
) -> tuple[Floats, NDArray[Any], bool]:
    """Return a writable ``[B, V]`` that holds the logits, the array to return,
    and whether ``logits`` was one row."""
    matrix, single = as_matrix(logits)
    if out is None:
        matrix = matrix.copy()
        return matrix, matrix[0] if single else matrix, single
    shape = matrix.shape[1:] if single else matrix.shape
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be an ndarray, not {type(out).__name__}")
    if out.shape != shape or out.dtype.kind != "f":
        raise ValueError(f"out must be a float array of shape {shape}")
    writable = out[np.newaxis] if single else out
    writable[...] = matrix
    return writable, out, single
