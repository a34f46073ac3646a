"""One function measured in a process of its own, which may die of it.

    python -m fuzz.worker TARGET

reads a request a line, a family and how to measure it, and answers each with a line.
Native code that overflows its stack ends the process, not the run: ``Worker`` starts
another and says that this family was a crash.  So is an exception that is no outcome
of the target (``subjects.find_errors``).
"""

from __future__ import annotations

import gc
import json
import os
import selectors
import subprocess
import sys
import types
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Any, Final

from jsonsift.linear import Family, Growth, Point, measure_growth

__all__ = ["Worker", "measure", "measure_size"]

_ROOT: Final = Path(__file__).parents[1]
_WALL: Final = 180.0  # seconds without an answer; or, where calls may take longer,
_CALLS: Final = 20  # the time of so many
_PIECE: Final = 16
_NO_PART: Final = (
    type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType,
)  # fmt: skip

Errors = tuple[type[Exception], ...]


class Worker:
    """Measures ``target`` (see ``subjects.load_target``) on families."""

    def __init__(self, target: str, build: str = "") -> None:
        self.target = target
        self.build = build
        self._process: subprocess.Popen[str] | None = None

    def measure(
        self, family: Family, sizes: Sequence[int], *, rounds: int, limit: float
    ) -> Growth:
        """The growth on the family; a process that died or hung is a crash."""
        request = {"sizes": list(sizes), "rounds": rounds, "limit": limit}
        answer = self._ask({"family": asdict(family), **request}, _CALLS * limit)
        if "crash" in answer and "points" not in answer:
            return Growth(family, (), answer["crash"], 0)
        points = tuple(Point(*point) for point in answer["points"])
        return Growth(
            family, points, answer["crash"], answer["crash_size"], answer["collector"]
        )

    def measure_memory(self, family: Family, size: int) -> dict[str, Any]:
        """Bytes of the ``text``, of the ``peak`` above what was there, of the ``value``
        that came out, and the exception ``raised`` in its place; or a ``crash``.
        """
        return self._ask({"family": asdict(family), "memory": size})

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()  # waits, and closes the pipes
            self._process = None

    def _start(self) -> subprocess.Popen[str]:
        env = {**os.environ, "JSONSIFT_BUILD": self.build}
        return subprocess.Popen(
            [sys.executable, "-m", "fuzz.worker", self.target],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=env, cwd=_ROOT, text=True,
        )  # fmt: skip

    def _ask(self, request: dict[str, Any], patience: float = 0.0) -> dict[str, Any]:
        if self._process is None:
            self._process = self._start()
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            ready = selector.select(max(_WALL, patience))
        line = process.stdout.readline() if ready else ""
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        died = process.poll() if not ready else process.wait()
        self.close()
        return {"crash": "hangs" if died is None else f"the process died ({died})"}


# ---------------------------------------------------------------- in the process


def _serve(target: str) -> None:
    from .subjects import find_errors, find_parser, load_target

    function, errors = load_target(target), find_errors(target)
    parse = find_parser(target)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the function prints is no answer
    for line in sys.stdin:
        request = json.loads(line)
        answers.write(json.dumps(measure(function, errors, request, parse)) + "\n")
        answers.flush()


def measure(
    function: Any,
    errors: Errors,
    request: dict[str, Any],
    parse: Callable[[str], Any] | None = None,
) -> dict[str, Any]:
    """The answer to a request; an exception that is not among ``errors`` is a crash.

    ``parse`` makes of a text that comes out the value that it was written from.
    """
    family = Family(**request.pop("family"))
    try:
        if "memory" in request:
            text = family.build(request["memory"])
            return _measure_memory(function, text, errors, parse)
        return _measure_growth(function, family, errors, request)
    except Exception as error:
        return {"crash": f"{type(error).__name__}: {str(error)[:200]}"}


def _measure_growth(
    function: Any, family: Family, errors: Errors, request: dict[str, Any]
) -> dict[str, Any]:
    growth = measure_growth(function, family, errors=errors, **request)
    return {
        "points": [astuple(point) for point in growth.points],
        "crash": growth.crash,
        "crash_size": growth.crash_size,
        "collector": growth.collector_share,
    }


def _measure_memory(
    function: Any, text: str, errors: Errors, parse: Callable[[str], Any] | None
) -> dict[str, Any]:
    """The peak of the resident memory, from Linux's own mark of it."""
    gc.collect()
    _trim()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = _read_status("VmRSS")
    raised, result = "", None
    try:
        result = function(text)
    except errors as error:  # its traceback would hold all that the call had
        raised = type(error).__name__
    peak = _read_status("VmHWM")
    if parse is not None and isinstance(result, str):
        result = (result, parse(result))
    return {
        "text": sys.getsizeof(text),
        "peak": max(0, peak - before),
        "value": measure_size(result, text),
        "raised": raised,
    }


def measure_size(value: Any, *others: Any) -> int:
    """Bytes of all objects that the value is made of, each counted once.

    What is among ``others``, a class, a function or a module is no part of it.  Memory
    is given out in pieces of 16 bytes.
    """
    seen = {id(other) for other in others}
    total, stack = 0, [value]
    while stack:
        one = stack.pop()
        if id(one) in seen or isinstance(one, _NO_PART):
            continue
        seen.add(id(one))
        total += -(-sys.getsizeof(one) // _PIECE) * _PIECE
        stack.extend(gc.get_referents(one))
        if isinstance(one, dict):  # whose keys, if text alone, are no referents
            stack.extend(one)
    return total


def _read_status(key: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1]) * 1024
    raise KeyError(key)


def _trim() -> None:
    """Give back what malloc keeps, so that it is counted when it is taken again."""
    import ctypes

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


if __name__ == "__main__":
    _serve(sys.argv[1])
