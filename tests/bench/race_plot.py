"""Draw the picture of a race: python -m tests.bench --plot docs/images/speed.png

Needs Matplotlib.  Each panel is a reply size; a dot is a reader's speed on a shape,
left out where it is wrong.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .readers import LIMITS, OURS, PURE

__all__ = ["draw"]

_COLOURS = ("#6b6b6b", "#b8860b", "#2a7f9e", "#8a4fa3", "#3f8f4f", "#a0522d", "#5566aa")


def _styles(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    styles: dict[str, dict[str, Any]] = {
        OURS: {"color": "#c8102e", "marker": "D", "s": 46, "zorder": 4},
        PURE: {"color": "#c8102e", "marker": "o", "s": 26, "zorder": 3},
        "orjson": {"color": "black", "marker": "|", "s": 90, "zorder": 2},
        "json": {"color": "#999999", "marker": "|", "s": 90, "zorder": 2},
    }
    colours = iter(_COLOURS)
    for name in names:
        if name not in styles:
            styles[name] = {"color": next(colours), "marker": "o", "s": 22}
    return styles


def _draw_size(axes: Any, records: Sequence[dict[str, Any]]) -> None:
    shapes = [record["shape"] for record in records]
    names = list(records[0]["readers"])
    for name, style in _styles(names).items():
        points = [
            (record["bytes"] / min(seconds) / 1e6, len(shapes) - row)
            for row, record in enumerate(records)
            if name in record["readers"]
            and (seconds := record["readers"][name]["seconds"])
        ]
        label = f"{name}, on the valid text" if name in LIMITS else name
        if points:
            axes.scatter(*zip(*points, strict=True), label=label, **style)
    axes.set(xscale="log", title=records[0]["size"], xlabel="MB/s")
    axes.set_yticks([len(shapes) - row for row in range(len(shapes))], shapes)
    axes.grid(visible=True, which="major", color="#dddddd", linewidth=0.7)


def draw(records: Sequence[dict[str, Any]], picture: Path) -> None:
    """Draw the records of a race, a panel for each size."""
    importlib.import_module("matplotlib").use("Agg")
    plt = importlib.import_module("matplotlib.pyplot")
    sizes = list(dict.fromkeys(record["size"] for record in records))
    figure, panels = plt.subplots(
        1, len(sizes), figsize=(4 + 4 * len(sizes), 7), sharey=True,
        layout="constrained", squeeze=False,
    )  # fmt: skip
    for axes, size in zip(panels.flat, sizes, strict=True):
        _draw_size(axes, [record for record in records if record["size"] == size])
    handles, labels = panels.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=6, frameon=False)
    figure.suptitle("Right answers only: megabytes of reply a second, best round")
    figure.savefig(picture, dpi=110)
