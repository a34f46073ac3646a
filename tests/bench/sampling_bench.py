"""Time the sampling methods against one another, after checking their answers.

    python -m tests.bench.sampling_bench                    # everything, some minutes
    python -m tests.bench.sampling_bench --json out.json    # and keep the numbers
    python -m tests.bench.sampling_bench --quick            # one size, few rounds

Only ratios mean anything, and only within one run: in every round all methods of
a task run one after the other in a new random order. Two ratios are made: the
median over rounds of the ratio within a round, and best time over best time.
Methods with threads of their own suffer most from other work on the machine, so
torch is timed with all its threads and with one, and the faster time counts; and
the *smaller* of the two ratios is the one that tables give and bars judge. The JSON
has both, and the quartiles over rounds.

*Hot*: the second of two calls in a row. *Cold*: a call after 96 MB of other memory
were written, which empties the caches.

Needs NumPy and SciPy; torch and transformers add their methods where installed.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from tests.bench.sampling_methods import (
    HAS_TORCH,
    HAS_TRANSFORMERS,
    MIN_P,
    TYPICAL,
    K,
    Method,
    P,
    T,
    methods,
    torch,
)
from tests.sampling import reference
from tests.sampling.goodness import p_values
from tests.sampling.shapes import make

SHAPES = ("lm", "normal3", "normal1", "flat", "peaked")
SIZES = (32_000, 128_256, 151_936, 256_000)
BATCHES = (8, 64)
CURVE = (1_000, 4_000, 16_000, 32_000, 64_000, 128_256, 256_000)
MAIN_SIZE = 151_936
# Methods that take this many times the fastest are timed in fewer rounds.
SLOW_NS = 30_000_000
TORCH_THREADS: int = torch.get_num_threads() if HAS_TORCH else 0

Times = dict[str, list[float]]

# (bar, task, competitor, cache, batch, least median ratio)
BARS = (
    ("1", "draw", "one-liner (Gumbel)", "hot", 1, 20.0),
    ("1", "draw", "one-liner (Gumbel)", "cold", 1, 8.0),
    ("1", "draw", "torch softmax + cumsum", "hot", 1, 2.0),
    ("1", "draw", "torch softmax + multinomial", "hot", 1, 20.0),
    ("2", "set", "NumPy argpartition", "hot", 1, 2.5),
    ("2", "chain", "transformers T, k, p, min-p", "hot", 1, 80.0),
    ("2", "chain", "transformers T, k, p, min-p", "cold", 1, 25.0),
    ("2", "chain", "torch.topk first", "hot", 64, 1.3),
    ("3", "top-p", "NumPy sort + cumsum", "hot", 1, 8.0),
    ("4", "draw", "pure Python loop", "hot", 1, 60.0),
)


def logits_for(shape: str, size: int, batch: int) -> dict[str, Any]:
    """Return the same logits ``[batch, size]``, float32, for each kind of method."""
    rows = np.stack([make(shape, size, seed) for seed in range(batch)])
    kinds: dict[str, Any] = {"numpy": rows}
    if HAS_TORCH:
        kinds["torch"] = torch.from_numpy(rows)
    return kinds


# Correctness first


def expected_chances(task: str, row: Any) -> Any:
    """Return the float64 distribution ``[V]`` that a task draws from."""
    kept = np.arange(row.size)
    if task in ("top-k", "chain"):
        kept = reference.top_k(row, K)
    if task == "top-p":
        kept = reference.top_p(row, P, T)
    if task == "typical":
        kept = reference.typical_p(row, TYPICAL, T)
    if task == "chain":
        kept = kept[reference.top_p(row[kept], P, T)]
        kept = kept[reference.min_p(row[kept], MIN_P, T)]
    if task == "min-p":
        kept = reference.min_p(row, MIN_P, T)
    chances = np.zeros(row.size)
    weights = np.exp(reference.exponents(row, T)[kept])
    chances[kept] = weights / weights.sum()
    return chances


def check(method: Method) -> str:
    """Return "" if a method draws what it should, else what is wrong."""
    size, draws = 1000, 4000
    for shape in ("lm", "normal3"):
        kinds = logits_for(shape, size, 1)
        row = kinds["numpy"][0]
        if method.task == "set":
            got = np.sort(np.asarray(method.call(kinds[method.kind])))[0]
            if got.tolist() != np.sort(reference.top_k(row, K)).tolist():
                return f"{shape}: another set"
            continue
        batch = method.largest_batch
        logits = kinds[method.kind].repeat(batch, 1 if method.kind == "torch" else 0)
        drawn = np.concatenate(
            [np.asarray(method.call(logits)) for _ in range(draws // batch)]
        )
        found = p_values(
            drawn, expected_chances(method.task, row), np.random.default_rng(1)
        )
        if min(found.values()) < 1e-5:
            return f"{shape}: {found}"
    return ""


# The clock


class Timer:
    """Time single calls with warm or with emptied caches."""

    def __init__(self, cache: str) -> None:
        self.cache = cache
        self._by_threads: dict[str, dict[int, list[float]]] = defaultdict(
            lambda: {1: [], TORCH_THREADS: []}
        )
        self._flood = np.zeros(12 * 1024 * 1024) if cache == "cold" else None

    def time(self, method: Method, logits: Any) -> float:
        """Return the nanoseconds of one call, torch with its better thread count."""
        if method.kind == "numpy":
            return self._time_once(method, logits)
        known = self._by_threads[method.name]
        # A few rounds with each count tell which is better here and now.
        counts = list(known)
        if sum(map(len, known.values())) >= 6:
            counts = [min(counts, key=lambda one: min(known[one]))]
        times = []
        for threads in counts:
            torch.set_num_threads(threads)
            times.append(self._time_once(method, logits))
            known[threads].append(times[-1])
        return min(times)

    def _time_once(self, method: Method, logits: Any) -> float:
        if self._flood is None:
            method.call(logits)
        else:
            self._flood += 1.0
        began = time.perf_counter_ns()
        method.call(logits)
        return float(time.perf_counter_ns() - began)


def time_task(
    chosen: list[Method], kinds: dict[str, Any], timer: Timer, rounds: int
) -> Times:
    """Return the times of every method, one for each round; NaN where left out."""
    times: Times = {method.name: [] for method in chosen}
    order = np.random.default_rng(1)
    for round_number in range(rounds):
        for index in order.permutation(len(chosen)):
            method = chosen[index]
            known = times[method.name]
            # Slow methods need fewer rounds, and would take most of the time.
            is_slow = known and min(known) > SLOW_NS
            if is_slow and round_number >= max(3, rounds // 8):
                known.append(float("nan"))
            else:
                known.append(timer.time(method, kinds[method.kind]))
    return times


def ratios(times: Times) -> dict[str, Any]:
    """Return each method's time over ours: the careful ratio and its spread."""
    ours, *others = times
    table: dict[str, Any] = {
        ours: {
            "us": statistics.median(times[ours]) / 1e3,
            "best us": min(times[ours]) / 1e3,
        },
    }
    for name in others:
        pairs = zip(times[name], times[ours], strict=True)
        each = [theirs / mine for theirs, mine in pairs if theirs == theirs]
        low, middle, high = np.percentile(each, [25, 50, 75])
        valid = [one for one in times[name] if one == one]
        table[name] = {
            "us": statistics.median(valid) / 1e3,
            "best us": min(valid) / 1e3,
            "ratio": min(float(middle), min(valid) / min(times[ours])),
            "median ratio": float(middle),
            "best over best": min(valid) / min(times[ours]),
            "quartiles": [float(low), float(high)],
            "rounds": len(each),
        }
    return table


def run_case(
    everything: list[Method],
    shape: str,
    size: int,
    batch: int,
    cache: str,
    rounds: int,
) -> list[dict[str, Any]]:
    """Return one record for each task."""
    kinds = logits_for(shape, size, batch)
    timer = Timer(cache)
    tasks: dict[str, list[Method]] = defaultdict(list)
    for method in everything:
        if method.largest_batch >= batch:
            tasks[method.task].append(method)
    records = []
    for task, chosen in tasks.items():
        if len(chosen) < 2:
            continue
        times = time_task(chosen, kinds, timer, rounds)
        case = {"task": task, "shape": shape, "V": size, "batch": batch}
        records.append({**case, "cache": cache, "methods": ratios(times)})
    return records


def run_all(everything: list[Method], options: argparse.Namespace) -> dict[str, Any]:
    """Return all records of a run."""
    sizes = (MAIN_SIZE,) if options.quick else SIZES
    hot, cold = (12, 8) if options.quick else (30, 15)
    records = []
    for size in sizes:
        for shape in SHAPES:
            show_progress(f"V={size} {shape}")
            records += run_case(everything, shape, size, 1, "hot", hot)
            records += run_case(everything, shape, size, 1, "cold", cold)
    batched = [one for one in everything if one.task in ("draw", "set", "chain")]
    for size in (MAIN_SIZE,) if options.quick else (32_000, MAIN_SIZE):
        for batch in BATCHES:
            for shape in SHAPES if size == MAIN_SIZE else ("lm", "normal3"):
                show_progress(f"V={size} batch={batch} {shape}")
                rounds = max(4, hot // 4) if batch == 64 else max(6, hot // 2)
                records += run_case(batched, shape, size, batch, "hot", rounds)
    curve = []
    for size in CURVE:
        show_progress(f"curve V={size}")
        curve += run_case(everything, "lm", size, 1, "hot", hot // 2)
    return {"records": records, "curve": curve}


def show_progress(text: str) -> None:
    """Print where the run is."""
    print(f"... {text}", flush=True)


# Reading the records


def over_shapes(
    records: list[dict[str, Any]],
    task: str,
    name: str,
    size: int,
    batch: int,
    cache: str,
) -> list[float]:
    """Return the median ratio of each shape."""
    case = {"task": task, "V": size, "batch": batch, "cache": cache}
    return [
        record["methods"][name]["ratio"]
        for record in records
        if case.items() <= record.items() and name in record["methods"]
    ]


def print_tables(records: list[dict[str, Any]]) -> None:
    """Print, for each case, every method's ratio to ours over the shapes."""
    cases = {(r["V"], r["batch"], r["cache"]): None for r in records}
    for size, batch, cache in cases:
        print(f"\nV = {size}, batch {batch}, {cache}: time / ours, median over shapes")
        seen: dict[tuple[str, str], None] = {}
        ours: dict[str, list[float]] = defaultdict(list)
        for record in records:
            if (record["V"], record["batch"], record["cache"]) == (size, batch, cache):
                first, *others = record["methods"]
                ours[f"{record['task']}: {first}"].append(
                    record["methods"][first]["us"]
                )
                seen.update({(record["task"], name): None for name in others})
        for label, us in ours.items():
            print(f"  {label:42s} {min(us):8.0f} to {max(us):.0f} us")
        for task, name in seen:
            each = over_shapes(records, task, name, size, batch, cache)
            middle = statistics.median(each)
            print(
                f"  {task:8s} {name:32s} {middle:7.1f}   ({min(each):.2f}"
                f" to {max(each):.2f} over shapes)"
            )


def print_bars(
    records: list[dict[str, Any]], curve: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Print and return whether the bars that we set ourselves are met in this run."""
    print(f"\nBars at V = {MAIN_SIZE}, float32, median over shapes")
    results = []
    for bar, task, name, cache, batch, least in BARS:
        each = over_shapes(records, task, name, MAIN_SIZE, batch, cache)
        if not each:
            print(f"  {bar}. {task} / {name}: not run")
            continue
        middle = statistics.median(each)
        results.append(
            {
                "bar": bar,
                "task": task,
                "against": name,
                "cache": cache,
                "batch": batch,
                "least": least,
                "measured": middle,
                "met": middle >= least,
            }
        )
        verdict = "met" if middle >= least else "MISSED"
        print(
            f"  {bar}. {task:6s} {name:30s} {cache:4s} batch {batch:2d}:"
            f" {middle:6.1f}, at least {least:g}: {verdict}"
        )
    for name in ("NumPy argpartition", "NumPy argpartition, sorted"):
        results.append(worst_of_all(records + curve, "set", name, 0.95))
    return results


def worst_of_all(
    records: list[dict[str, Any]], task: str, name: str, least: float
) -> dict[str, Any]:
    """Print and return the least ratio of all cases, and how many are below a bar."""
    each = {
        (r["V"], r["shape"], r["batch"], r["cache"]): r["methods"][name]["ratio"]
        for r in records
        if r["task"] == task and name in r["methods"]
    }
    case = min(each, key=lambda one: each[one])
    below = sum(ratio < least for ratio in each.values())
    print(
        f"  2. {task} / {name}, worst of {len(each)} cases: {each[case]:.2f} at"
        f" V={case[0]} {case[1]} batch {case[2]} {case[3]}; {below} below {least:g}:"
        f" {'MISSED' if below else 'met'}"
    )
    return {
        "bar": "2",
        "task": task,
        "against": name,
        "case": list(case),
        "least": least,
        "measured": each[case],
        "below": sorted([*one, ratio] for one, ratio in each.items() if ratio < least),
        "cases": len(each),
        "met": not below,
    }


def main() -> None:
    """Check, time, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path, help="write all numbers to this file")
    parser.add_argument("--quick", action="store_true", help="one size, few rounds")
    options = parser.parse_args()
    everything = methods()
    for method in everything:
        wrong = check(method)
        print(f"checked {method.task}: {method.name}: {wrong or 'right'}")
        if wrong and method.name.startswith("jsonsift"):
            raise SystemExit("ours is wrong: not timed")
    if not HAS_TRANSFORMERS:
        print("torch or transformers is not installed: their methods are left out")
    result = run_all(everything, options)
    print("\nThe curve, one shape (lm)")
    print_tables(result["curve"])
    print("\nAll shapes")
    print_tables(result["records"])
    result["bars"] = print_bars(result["records"], result["curve"])
    result["about"] = {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": torch.__version__ if HAS_TORCH else None,
        "torch threads": [1, TORCH_THREADS],
    }
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
