"""What a process pays: importing, and memory: python -m tests.bench.process_bench

Importing is processor time beyond that of an interpreter that imports nothing, the
least of several fresh ones, with the byte code at hand as after an install.  Memory is
the traced peak of a call beyond the reply and the value, in multiples of the reply.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable
from typing import Any, Final

import orjson

import jsonsift

from .shapes import make_replies

_TURNS: Final = 15
_SHAPES: Final = ("valid", "fenced", "trailing comma", "single quotes", "every token")


def measure_import(line: str, cache: str) -> float:
    """Milliseconds of processor time of an interpreter that runs the line."""
    code = f"import time\n{line}\nprint(time.process_time() * 1e3)"
    env = {**os.environ, "PYTHONPYCACHEPREFIX": cache, "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, "-c", code]
    times = [
        float(subprocess.run(command, capture_output=True, check=True, env=env).stdout)
        for _ in range(_TURNS)
    ]
    return min(times)


def measure_memory(read: Callable[[str], Any], text: str) -> float:
    """Peak memory of a call beyond reply and value, in replies."""
    tracemalloc.start()
    try:
        value = read(text)
        held, peak = tracemalloc.get_traced_memory()
        del value
    finally:
        tracemalloc.stop()
    return (peak - held) / len(text.encode())


def main() -> None:
    """Print both."""
    with tempfile.TemporaryDirectory() as cache:
        bare = measure_import("pass", cache)
        for line in ("import orjson", "import orjson, regex", "import jsonsift"):
            print(f"{line:24}{measure_import(line, cache) - bare:8.1f} ms")
    for reply in make_replies(_SHAPES, ["5 MB"]):
        ours = measure_memory(jsonsift.extract_json, reply.text)
        strict = measure_memory(orjson.loads, reply.valid)
        print(
            f"peak, {reply.shape:18}{ours:8.2f} x the reply, of which orjson's own "
            f"{strict:.2f} x the valid text"
        )


if __name__ == "__main__":
    main()
