"""One function measured in a process of its own, which may die of it.

    python -m fuzz.worker TARGET

reads a request a line, a family and how to measure it, and answers each with a line.
Native code that overflows its stack ends the process, not the run: ``Worker`` starts
another and says that this family was a crash.
"""

from __future__ import annotations

import gc
import json
import os
import selectors
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from jsonsift.linear import Family, Growth, Point, measure_growth

__all__ = ["Worker"]

_ROOT: Final = Path(__file__).parents[1]
_WALL: Final = 180.0  # seconds without an answer


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
        answer = self._ask({"family": asdict(family), **request})
        if "crash" in answer and "points" not in answer:
            return Growth(family, (), answer["crash"], 0)
        points = tuple(Point(*point) for point in answer["points"])
        return Growth(
            family, points, answer["crash"], answer["crash_size"], answer["collector"]
        )

    def measure_memory(self, family: Family, size: int) -> dict[str, int]:
        """Bytes of the text, of the peak above what was there, and of the result."""
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

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        if self._process is None:
            self._process = self._start()
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            ready = selector.select(_WALL)
        line = process.stdout.readline() if ready else ""
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        died = process.poll() if not ready else process.wait()
        self.close()
        return {"crash": "hangs" if died is None else f"the process died ({died})"}


# ---------------------------------------------------------------- in the process


def _serve(target: str) -> None:
    from .subjects import load_target

    function = load_target(target)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the function prints is no answer
    for line in sys.stdin:
        request = json.loads(line)
        family = Family(**request.pop("family"))
        answer: dict[str, Any]
        if "memory" in request:
            text = family.build(request["memory"])
            answer = {**_measure_memory(function, text)}
        else:
            growth = measure_growth(function, family, errors=(Exception,), **request)
            answer = {
                "points": [[p.size, p.seconds, p.finished] for p in growth.points],
                "crash": growth.crash,
                "crash_size": growth.crash_size,
                "collector": growth.collector_share,
            }
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _measure_memory(function: Any, text: str) -> dict[str, int]:
    """The peak of the resident memory, from Linux's own mark of it."""
    gc.collect()
    _trim()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = _read_status("VmRSS")
    try:
        result = function(text)
    except Exception:  # its traceback would hold all that the call had
        result = None
    peak, held = _read_status("VmHWM"), _read_status("VmRSS")
    del result
    return {
        "text": sys.getsizeof(text),
        "peak": max(0, peak - before),
        "held": max(0, held - before),
    }


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
