"""Log-log lines of time against size, a panel a function, the steep families named."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from .growth import Row

__all__ = ["draw"]

_COLUMNS: Final = 3
_NAMED: Final = 4  # so many of the steep families are named in a panel
_QUIET, _STEEP, _GUIDE = "#7a8fa6", ("#c0392b", "#d98200", "#8e44ad", "#00796b"), "#bbb"


def draw(rows: Sequence[Row], path: Path, title: str) -> None:
    """Write the picture to ``path``."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    names = list(dict.fromkeys(row.subject for row in rows))
    columns = min(_COLUMNS, len(names))
    lines = math.ceil(len(names) / columns)
    figure, axes = pyplot.subplots(
        lines, columns, figsize=(4.6 * columns, 3.6 * lines + 0.5),
        sharex=True, sharey=True, squeeze=False, layout="constrained",
    )  # fmt: skip
    panels = axes.ravel()
    for panel, name in zip(panels, names, strict=False):
        _draw_panel(panel, name, [row for row in rows if row.subject == name])
    for panel in panels[len(names) :]:
        panel.set_visible(False)
    for panel in axes[:, 0]:
        panel.set_ylabel("CPU time (s)")
    for panel in axes[-1]:
        panel.set_xlabel("characters")
    figure.suptitle(title)
    figure.savefig(path, dpi=130)
    pyplot.close(figure)


def _draw_panel(panel: Any, name: str, rows: Sequence[Row]) -> None:
    steep = sorted(
        (row for row in rows if row.is_steep and len(row.growth.points) > 1),
        key=lambda row: -row.growth.exponent,
    )
    named = {id(row): color for row, color in zip(steep, _STEEP, strict=False)}
    for row in rows:
        points = row.growth.points
        color = named.get(id(row))
        panel.loglog(
            [point.size for point in points],
            [point.seconds for point in points],
            color=color or (_QUIET if not row.is_steep else "#e2a29b"),
            linewidth=1.6 if color else 0.6,
            alpha=1.0 if color else 0.5,
            zorder=3 if color else 2,
            label=f"{row.growth.family} ({row.growth.exponent:.1f})" if color else None,
        )
    largest = max((p.size for row in rows for p in row.growth.points), default=1)
    smallest = min((p.size for row in rows for p in row.growth.points), default=1)
    for power, style in ((1, "--"), (2, ":")):
        ends = [smallest, largest]
        panel.loglog(
            ends, [2e-5 * (size / smallest) ** power for size in ends],
            color=_GUIDE, linestyle=style, linewidth=1.2, zorder=1,
        )  # fmt: skip
    panel.set_title(f"{name}: {len(steep)} of {len(rows)} families steep", fontsize=10)
    panel.set_ylim(1e-7, 30)
    panel.grid(visible=True, which="major", linewidth=0.3)
    if steep:
        panel.legend(fontsize=7, loc="upper left", frameon=False)
