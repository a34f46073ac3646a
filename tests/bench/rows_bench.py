"""Rows of JSON, one a line: python -m tests.bench.rows_bench.

Each reader gets the same rows, all valid or each with a comma too many and a literal of
Python, and must give the list of all.  Processor time, the better of two rounds, a row;
who is wrong, or would take longer than the patience, is marked.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from typing import Any, Final

import orjson

import jsonsift

from .readers import find_readers

_COUNT: Final = 100_000
_FEW: Final = 500  # rows that tell how long all would take
_PATIENCE: Final = 20.0  # seconds
_ROUNDS: Final = 2
_VALID: Final = (
    '{{"id": {0}, "name": "row {0}", "tags": ["a", "b"], "score": {0}.25, '
    '"ok": true}}\n'
)
_BROKEN: Final = _VALID.replace("]", ",]").replace("true", "True")


def _read_all(text: str) -> Any:
    """The value of the only extraction, its edits made too."""
    (found,) = jsonsift.extract_all(text)
    assert isinstance(found.edits, tuple)
    return found.value


def _read_lines(text: str) -> Any:
    return [orjson.loads(line) for line in text.splitlines()]


def _find_readers() -> dict[str, Callable[[str], Any]]:
    readers: dict[str, Callable[[str], Any]] = {
        "extract_json": jsonsift.extract_json,
        "loads": jsonsift.loads,
        "extract_all": lambda text: jsonsift.extract_all(text)[0].value,
        "extract_all, with edits": _read_all,
        "orjson a line": _read_lines,
    }
    peers, _ = find_readers()
    ours = ("jsonsift", "jsonsift (pure)", "orjson", "json")
    return readers | {name: call for name, call in peers.items() if name not in ours}


def _time(call: Callable[[str], Any], text: str, expected: Any) -> float | str:
    """Seconds of processor time, or why there are none."""
    gc.collect()
    began = time.process_time()
    try:
        value = call(text)
    except Exception as error:
        return type(error).__name__
    spent = time.process_time() - began
    return spent if value == expected else "wrong"


def measure(call: Callable[[str], Any], row: str, count: int) -> float | str:
    """Microseconds a row, or why there are none."""
    best: float | str = "slow"
    for size, rounds in ((_FEW, 1), (count, _ROUNDS)):
        text = "".join(map(row.format, range(size)))
        expected = [json.loads(_VALID.format(i)) for i in range(size)]
        times = [_time(call, text, expected) for _ in range(rounds)]
        wrong = [one for one in times if isinstance(one, str)]
        if wrong:
            return wrong[0]
        best = min(one for one in times if not isinstance(one, str)) / size * 1e6
        if best * count > _PATIENCE * 1e6:
            return "slow"
    return best


def main() -> None:
    """Print the table."""
    print(f"{'µs a row':26}{'valid':>20}{'broken':>20}")
    for name, call in _find_readers().items():
        shown = []
        for row in (_VALID, _BROKEN):
            taken = measure(call, row, _COUNT)
            shown.append(taken if isinstance(taken, str) else f"{taken:.2f}")
        print(f"{name:26}{shown[0]:>20}{shown[1]:>20}", flush=True)


if __name__ == "__main__":
    main()
