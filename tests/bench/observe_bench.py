"""What it costs that calls can be observed: python -m tests.bench.observe_bench

Three rows a text of 2 KB, each against ``extract`` with its line about observers taken
out of the source: as it is while nobody listens, with an observer, and with one that
asks for the stages.  All run in turn in this process, many short rounds in an order
that changes, and the ratio of the least times counts.  The first row is also given as
the median over the rounds of the ratio of neighbours, which a slow phase of the machine
does not move.
"""

from __future__ import annotations

import inspect
import json
import random
import statistics
import sys
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any, Final

from jsonsift import api, observe

_ROUNDS: Final = 600
_CALLS: Final = 40
_CHECK: Final = """\
    if timings or OBSERVERS:
        return _sift_observed("extract", reply, options, Sifter.find_best)
"""


def make_texts() -> dict[str, str]:
    """Replies of 2 KB: valid, fenced in prose, and with a fault in each item."""
    item = {"id": 17, "name": "Ada Lovelace", "tags": ["x", "y"], "price": 12.5}
    valid = json.dumps([item] * 28, indent=None)
    return {
        "valid": valid,
        "fenced": f"Here is the list:\n```json\n{valid}\n```\nAnything else?",
        "broken": valid.replace("}", ",}").replace('"id"', "id"),
    }


def make_unobserved() -> Callable[[str], Any]:
    """``extract`` compiled again without its look at the observers."""
    source = inspect.getsource(api.extract)
    assert source.count(_CHECK) == 1, "extract has changed: look at _CHECK"
    names: dict[str, Any] = dict(vars(api))
    exec(compile(source.replace(_CHECK, ""), "<unobserved>", "exec"), names)
    made: Callable[[str], Any] = names["extract"]
    return made


def spend(call: Callable[[str], Any], text: str) -> int:
    """Nanoseconds of a few calls."""
    began = perf_counter_ns()
    for _ in range(_CALLS):
        call(text)
    return perf_counter_ns() - began


def measure(text: str) -> tuple[int, dict[str, float], float]:
    """Nanoseconds of a bare call, the ratio of each way to it, and the median ratio."""
    bare = make_unobserved()
    spent: dict[str, list[int]] = {"bare": [], "off": [], "on": [], "stages": []}
    shuffle = random.Random(9).shuffle
    ways = list(spent)
    for _ in range(_ROUNDS):
        shuffle(ways)
        for way in ways:
            if way in ("bare", "off"):
                call = bare if way == "bare" else api.extract
                spent[way].append(spend(call, text))
                continue
            with observe(lambda record: None, stages=way == "stages"):
                spent[way].append(spend(api.extract, text))
    least = {way: min(times) for way, times in spent.items()}
    ratios = {way: least[way] / least["bare"] for way in ("off", "on", "stages")}
    pairs = zip(spent["off"], spent["bare"], strict=True)
    median = statistics.median(off / without for off, without in pairs)
    return least["bare"] // _CALLS, ratios, median


def main() -> int:
    """Print the table."""
    print("reply   chars  bare µs    off  (median)     on  stages")
    for name, text in make_texts().items():
        bare, ratios, median = measure(text)
        print(
            f"{name:7} {len(text):5} {bare / 1000:8.1f}  {ratios['off']:.3f}   "
            f"({median:.3f})  {ratios['on']:.3f}   {ratios['stages']:.3f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
