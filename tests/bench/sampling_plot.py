"""Draw docs/images/sampling-time.png from the JSON of sampling_bench.

    python -m tests.bench.sampling_bench --json out.json
    python -m tests.bench.sampling_plot out.json docs/images/sampling-time.png

Needs Matplotlib.
"""

from __future__ import annotations

import argparse
import importlib
import json
from pathlib import Path
from typing import Any

TASKS = {
    "draw": "drawing from the softmax",
    "chain": "T, top-k, top-p, min-p",
    "top-p": "T, top-p",
    "typical": "T, typical-p",
    "min-p": "T, min-p",
    "set": "the 50 largest",
}
COLOURS = ("#6b6b6b", "#b8860b", "#2a7f9e", "#8a4fa3", "#3f8f4f", "#a0522d", "#5566aa")


def draw_task(axes: Any, curve: list[dict[str, Any]], task: str) -> None:
    """Draw one line for each method of a task."""
    records = [record for record in curve if record["task"] == task]
    names = {name: None for record in records for name in record["methods"]}
    colours = iter(COLOURS)
    for name in names:
        points = [
            (record["V"], record["methods"][name]["best us"] / 1e3)
            for record in records
            if name in record["methods"]
        ]
        is_ours = name.startswith("jsonsift")
        axes.plot(
            *zip(*points, strict=True),
            color="#c8102e" if is_ours else next(colours),
            linewidth=2.6 if is_ours else 1.3,
            marker="o",
            markersize=4 if is_ours else 3,
            label=name,
            zorder=3 if is_ours else 2,
        )
    axes.set(xscale="log", yscale="log", title=TASKS[task])
    axes.grid(visible=True, which="major", color="#dddddd", linewidth=0.7)
    axes.legend(fontsize=7, frameon=False, loc="upper left")
    low, high = axes.get_ylim()
    # Room for the legend above the lines.
    axes.set_ylim(low, high * 12)


def main() -> None:
    """Read the JSON, write the picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("json", type=Path)
    parser.add_argument("picture", type=Path)
    options = parser.parse_args()
    curve = json.loads(options.json.read_text(encoding="utf-8"))["curve"]
    importlib.import_module("matplotlib").use("Agg")
    plt = importlib.import_module("matplotlib.pyplot")
    figure, grid = plt.subplots(2, 3, figsize=(13, 8.5), layout="constrained")
    for axes, task in zip(grid.flat, TASKS, strict=True):
        draw_task(axes, curve, task)
    for axes in grid[1]:
        axes.set_xlabel("vocabulary size")
    for axes in grid[:, 0]:
        axes.set_ylabel("milliseconds a row, hot, best of rounds")
    figure.suptitle("Time to sample one row of float32 logits (shape: language model)")
    figure.savefig(options.picture, dpi=110)


if __name__ == "__main__":
    main()
