"""What a process pays: importing, the first call, memory and threads.

Run it as python -m tests.bench.process_bench.  Importing and first calls are processor
time beyond that of an interpreter that imports nothing, the least of several fresh
ones, with the byte code at hand as after an install.  Memory is the resident peak of
one call in a fresh process beyond what was there before it and the value, in multiples
of the reply.  Threads are compared by the clock on the wall, in turn.
"""

from __future__ import annotations

import json.scanner
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Any, Final

import orjson

import jsonsift

from .shapes import make_replies

_TURNS: Final = 15
_LINES: Final = (
    "import orjson",
    "import orjson, regex",
    "import jsonsift",
    """import jsonsift; jsonsift.extract_json('{"a": 1}')""",
    """import jsonsift; jsonsift.extract_json('{"a": 1,}')""",
    """import jsonsift; jsonsift.extract_json('So: {"a": 1,}!')""",
)
_SHAPES: Final = ("valid", "fenced", "trailing comma", "single quotes", "every token")
_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "jsonsift": jsonsift.extract_json,
    "orjson": orjson.loads,
}
_CHILD: Final = "from tests.bench.process_bench import print_peak; print_peak"
_THREADS: Final = 16
_CALLS: Final = 10_000


# ------------------------------------------------------------------ start of a process


def measure_start(line: str, cache: str) -> float:
    """Milliseconds of processor time of an interpreter that runs the line."""
    code = f"import time\n{line}\nprint(time.process_time() * 1e3)"
    env = {**os.environ, "PYTHONPYCACHEPREFIX": cache, "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, "-c", code]
    times = [
        float(subprocess.run(command, capture_output=True, check=True, env=env).stdout)
        for _ in range(_TURNS)
    ]
    return min(times)


# ------------------------------------------------------------------------------ memory


def _read_status(field: str) -> int:
    """Bytes of memory of this process, by Linux."""
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise OSError(f"no {field} here")


def print_peak(shape: str, name: str) -> None:
    """How far one call goes beyond input and value, in inputs; a process for each."""
    (reply,) = make_replies([shape], ["5 MB"])
    text = reply.valid if name == "orjson" else reply.text
    read = _READERS[name]
    read("[1]")  # what is loaded when it is first needed
    Path("/proc/self/clear_refs").write_text("5", "ascii")  # the peak starts anew
    before = _read_status("VmRSS")
    value = read(text)
    peak = _read_status("VmHWM") - before
    del value
    tracemalloc.start()
    value = read(text)
    held, _ = tracemalloc.get_traced_memory()
    del value
    print((peak - held) / len(text.encode()))


def measure_peak(shape: str, name: str) -> float:
    """``print_peak`` in a process of its own."""
    command = [sys.executable, "-c", _CHILD + f"({shape!r}, {name!r})"]
    return float(subprocess.run(command, capture_output=True, check=True).stdout)


# ----------------------------------------------------------------------------- threads


# Small replies, each in its own words: valid, in prose, broken, in a fence.
_KINDS: Final = (
    '{{"id": {0}, "tags": ["a", "{0}"]}}',
    'Here you are: {{"id": {0}, "tags": ["a", "{0}"]}} ok?',
    '{{"id": {0}, "tags": ["a", "{0}",]}}',
    "```\n{{'id': {0}, tags: ['a', '{0}']}}\n```",
)


def _read_all(replies: list[str], read: Callable[[str], Any]) -> int:
    """Read them; how many were right."""
    right = 0
    for reply in replies:
        value = read(reply)
        right += value["tags"] == ["a", str(value["id"])]
    return right


def _time_threads(
    batches: list[list[str]], read: Callable[[str], Any], threads: int
) -> float:
    with ThreadPoolExecutor(threads) as pool:
        began = time.perf_counter()
        right = sum(pool.map(_read_all, batches, repeat(read)))
        spent = time.perf_counter() - began
    if right != sum(map(len, batches)):
        raise ArithmeticError(f"only {right} answers were right")
    return spent


def make_plain_json() -> Callable[[str], Any]:
    """The parser of ``json`` without its parts in C, as what Python code is."""
    decoder = json.JSONDecoder()
    decoder.parse_string = json.decoder.py_scanstring  # type: ignore[attr-defined]
    decoder.scan_once = json.scanner.py_make_scanner(decoder)  # type: ignore[attr-defined]
    return decoder.decode


def measure_threads(
    read: Callable[[str], Any], kinds: Sequence[str]
) -> tuple[float, float]:
    """Seconds of all extractions in one thread, and how many times as long in many."""
    batches = [
        [kinds[i % len(kinds)].format(i) for i in range(n * _CALLS, (n + 1) * _CALLS)]
        for n in range(_THREADS)
    ]
    pairs = [
        (_time_threads(batches, read, 1), _time_threads(batches, read, _THREADS))
        for _ in range(_TURNS // 3)
    ]
    ratio = statistics.median(many / one for one, many in pairs)
    return min(one for one, _ in pairs), ratio


def main() -> None:
    """Print all."""
    with tempfile.TemporaryDirectory() as cache:
        bare = measure_start("pass", cache)
        for line in _LINES:
            print(f"{line:56}{measure_start(line, cache) - bare:8.1f} ms", flush=True)
    for shape in _SHAPES:
        ours, strict = measure_peak(shape, "jsonsift"), measure_peak(shape, "orjson")
        print(
            f"peak, {shape:18}{ours:8.2f} x the reply, orjson's {strict:.2f} x the "
            "valid text",
            flush=True,
        )
    one, ratio = measure_threads(jsonsift.extract_json, _KINDS)
    print(f"{_THREADS * _CALLS} extractions in one thread   {one:8.2f} s")
    print(f"in {_THREADS} threads, {_CALLS} each    {ratio:8.2f} x the time of one")
    for name, read in (("orjson", orjson.loads), ("json in Python", make_plain_json())):
        _, ratio = measure_threads(read, _KINDS[:1])
        print(f"the same of {name:18}{ratio:8.2f} x, valid text")


if __name__ == "__main__":
    main()
