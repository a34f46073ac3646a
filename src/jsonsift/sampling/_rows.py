"""What callers hand in, turned into checked rows of float32 or float64.

May live here: acceptance of array-likes, the checks of scalars and per-row
values, and the messages that name a row. Must not know: any sampling rule.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import index
from reprlib import repr as shorten
from typing import Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Doubles = NDArray[np.float64]
Ids = NDArray[np.int64]
Checked = TypeVar("Checked")

# float16 is widened because NumPy compares and reduces halves one at a time;
# the widening is exact, so no result depends on it.
_WORKING: dict[np.dtype[Any], np.dtype[Any]] = {
    np.dtype(np.float16): np.dtype(np.float32),
    np.dtype(np.float32): np.dtype(np.float32),
    np.dtype(np.float64): np.dtype(np.float64),
}


_SINGLE, _DOUBLE = np.dtype(np.float32), np.dtype(np.float64)
_Array = np.ndarray


def as_array(source: object) -> NDArray[Any]:
    """Return ``source`` as an ndarray, sharing memory where that is possible.

    Takes ndarrays, sequences, and objects with ``__array__``, ``__dlpack__``
    or ``.numpy()``. Tensors that track gradients are detached and bfloat16
    tensors go through float32, both by duck typing: torch is never imported.
    """
    if type(source) is np.ndarray:
        return source
    if isinstance(source, np.ma.MaskedArray):
        raise TypeError("a masked array would lose its mask: fill it with -inf first")
    tensor: Any = source
    if hasattr(tensor, "detach"):
        tensor = tensor.detach()
    if str(getattr(tensor, "dtype", "")).endswith("bfloat16"):
        # NumPy has no bfloat16; every bfloat16 is a float32.
        if hasattr(tensor, "float"):
            tensor = tensor.float()
        elif hasattr(tensor, "astype"):
            tensor = tensor.astype(np.float32)
    if not hasattr(tensor, "__array__"):
        if hasattr(tensor, "__dlpack__"):
            return np.from_dlpack(tensor)
        if callable(getattr(tensor, "numpy", None)):
            return np.asarray(tensor.numpy())
    return np.asarray(tensor)


def as_matrix(logits: object) -> tuple[Floats, bool]:
    """Return ``logits`` as ``[B, V]`` and whether they came as one row ``[V]``.

    The dtype is float32 (from float16 and float32) or float64 (from float64,
    integers and Python numbers). The caller's array is never written to.
    """
    if type(logits) is _Array:
        # The usual case, on the path of every token. Built-in dtypes are unique.
        # Only rows must be contiguous: a batch may be a slice of something larger.
        kind, shape = logits.dtype, logits.shape
        if (kind is _SINGLE or kind is _DOUBLE) and 0 < len(shape) < 3:
            if shape[-1] and logits.strides[-1] == kind.itemsize:
                return (logits, False) if len(shape) > 1 else (logits[None], True)
    array = as_array(logits)
    if array.ndim not in (1, 2):
        raise ValueError(f"logits must be [V] or [B, V], not {array.ndim}-D")
    if array.dtype.name == "bfloat16":
        # Of the package ml_dtypes; every bfloat16 is a float32.
        array = array.astype(np.float32)
    if array.dtype not in _WORKING:
        if array.dtype.kind in "iu" or array.dtype.newbyteorder("=") in _WORKING:
            wide = np.float64 if array.dtype.kind in "iu" else array.dtype
            array = array.astype(np.dtype(wide).newbyteorder("="))
        else:
            raise TypeError(f"logits must be float16, 32 or 64, not {array.dtype}")
    array = np.ascontiguousarray(array, dtype=_WORKING[array.dtype])
    if array.shape[-1] == 0:
        raise ValueError("logits have no vocabulary: V = 0")
    if array.ndim == 1:
        return array.reshape(1, -1), True
    return array, False


def reject_row(values: Floats, peak: float, row: int) -> NoReturn:
    """Raise the ValueError for a row whose largest value ``peak`` is not finite."""
    if peak == -math.inf:
        raise ValueError(f"row {row}: every logit is -inf, so nothing can be drawn")
    if math.isnan(peak):
        first = int(np.flatnonzero(np.isnan(values))[0])
        raise ValueError(f"row {row}: NaN at id {first}")
    first = int(np.flatnonzero(values == np.inf)[0])
    raise ValueError(f"row {row}: +inf at id {first} has no softmax")


def is_listed(value: object) -> bool:
    """Return whether ``value`` holds one value for each row."""
    if isinstance(value, Sequence):
        return not isinstance(value, (str, bytes, bytearray))
    # An array or a tensor.
    return getattr(value, "ndim", 0) > 0


def check_per_row(
    value: Any, rows: int, name: str, check: Callable[[Any, str], Checked]
) -> list[Checked]:
    """Return ``check(value, name)`` for each of ``rows`` rows, or, of a value for
    each row, ``check`` of each with a name that says which row's it is."""
    if not is_listed(value):
        return [check(value, name)] * rows
    if len(value) != rows:
        raise ValueError(f"{name} has {len(value)} values for a batch of {rows} rows")
    return [check(one, f"{name} of row {row}") for row, one in enumerate(value)]


def check_number(value: object, name: str, low: float, high: float) -> float:
    """Return ``value`` as a float in ``[low, high]``, or raise ValueError."""
    try:
        if isinstance(value, (str, bytes, bytearray)) or is_listed(value):
            raise TypeError
        number = float(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be a number, not {value!r}") from None
    except OverflowError:
        number = math.inf
    if not low <= number <= high or math.isinf(number):
        bound = f" in [{low:g}, {high:g}]"
        if math.isinf(high):
            bound = "" if math.isinf(low) else f" of at least {low:g}"
        raise ValueError(f"{name} must be a finite number{bound}, not {value!r}")
    return number


def check_temperature(value: object, name: str) -> float:
    """Return ``value`` as a finite float, or raise ValueError."""
    return check_number(value, name, -math.inf, math.inf)


def check_count(value: object, name: str, low: int = 1) -> int:
    """Return ``value`` as an integer of at least ``low``, or raise ValueError."""
    try:
        if isinstance(value, bool):
            raise TypeError
        count = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {value!r}") from None
    if count < low:
        raise ValueError(f"{name} must be at least {low}, not {count}")
    return count


def as_id_array(ids: object, name: str) -> Ids:
    """Return ``ids`` as int64 ``[m]``, or raise TypeError."""
    try:
        array = as_array(ids)
    except ValueError:
        # Lists of different lengths.
        array = np.empty((0, 0))
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise TypeError(f"{name} must be a list of ids (integers), not {shorten(ids)}")
    return array.astype(np.int64)


def check_ids(ids: object, vocabulary: int, row: int, name: str) -> Ids:
    """Return ``ids`` as int64 ``[m]`` within the vocabulary, or raise."""
    array = as_id_array(ids, f"row {row}: {name}")
    if array.size == 0:
        return array
    if array.min() < 0 or array.max() >= vocabulary:
        bad = array[(array < 0) | (array >= vocabulary)][0]
        raise ValueError(f"row {row}: {name} has id {bad}, outside 0..{vocabulary - 1}")
    return array
