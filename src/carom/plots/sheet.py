"""Sheets of panels in millimetres, and what figures of a run have in common."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.textpath import TextPath

from carom.plots.style import GREY, INK, MILLIMETRE, SERIES, WIDTHS, style
from carom.results import Pounding, Standing, Width

__all__ = [
    "WITHOUT",
    "brief",
    "fitted",
    "hit_floor",
    "hits_of",
    "legend_above",
    "look_of",
    "mark_hits",
    "points_per_unit",
    "prefix",
    "sheet",
    "single",
    "worded",
]

LEFT, RIGHT, BOTTOM, TOP, ACROSS, BETWEEN = 13.0, 3.0, 9.0, 6.0, 14.0, 8.0  # room around and between panels [mm]

WITHOUT: dict[str, Any] = {"color": GREY, "linestyle": (0, (2.4, 1.4)), "linewidth": 0.9}
"""How the twin without contact is drawn, everywhere."""


def sheet(
    rows: int, columns: int = 1, *, height: float, width: Width = Width.DOUBLE, shared: bool = False
) -> list[Axes]:
    """Return the panels of a new figure in reading order; `height` is that of one panel [mm].

    Panels that share their x axis stand closer, and only the lowest shows its numbers.
    """
    across, between = ACROSS, 2.5 if shared else BETWEEN + BOTTOM - 4.0
    full = WIDTHS[width]
    panel = (full - LEFT - RIGHT - (columns - 1) * across) / columns
    tall = TOP + BOTTOM + rows * height + (rows - 1) * between
    with style():
        figure = Figure(figsize=(full * MILLIMETRE, tall * MILLIMETRE))
        FigureCanvasAgg(figure)
        found: list[Axes] = []
        for i in range(rows * columns):
            row, column = divmod(i, columns)
            x, y = LEFT + column * (panel + across), tall - TOP - height - row * (height + between)
            axes = figure.add_axes((x / full, y / tall, panel / full, height / tall))
            if shared and row < rows - 1:
                axes.tick_params(labelbottom=False)
            found.append(axes)
    return found


def single(axes: Axes | None, *, height: float = 55.0, width: Width = Width.SINGLE) -> Axes:
    """Return the given panel, or a new one."""
    return axes if axes is not None else sheet(1, height=height, width=width)[0]


def brief(text: str, most: int = 34) -> str:
    """Return a label that fits; a long one loses its middle, since floors stand at the end."""
    if len(text) <= most:
        return text
    end = most // 3
    return f"{text[: most - end - 1].rstrip()}…{text[-end:].lstrip()}"


def fitted(text: str, room: float, *, size: float = 8.0, least: float = 5.5) -> tuple[str, float]:
    """Return a text and its size that do not take more than the room [pt]: smaller first, then without its middle."""
    for points in np.arange(size, least - 0.1, -0.5).tolist():
        if _width(text, points) <= room:
            return text, points
    shorter = (brief(text, most) for most in range(len(text) - 1, 3, -1))
    return next((one for one in shorter if _width(one, least) <= room), brief(text, 4)), least


def points_per_unit(axes: Axes) -> float:
    """Return how many points one unit of the data takes in a panel of equal scales."""
    box, (left, right), (low, high) = axes.bbox, axes.get_xlim(), axes.get_ylim()
    dots = min(box.width / (right - left), box.height / (high - low))
    return float(72.0 * dots / axes.figure.dpi)


def _width(text: str, size: float) -> float:
    return float(TextPath((0.0, 0.0), text, size=size).get_extents().width) if text.strip() else 0.0


def legend_above(axes: Axes, *, owned: bool = True, handles: list[Any] | None = None) -> None:
    """Set the legend above a panel, as many entries beside each other as the page has room for.

    A figure of our own (`owned`) grows by what it takes, its panels do not shrink.
    """
    found = axes.get_legend_handles_labels()[0] if handles is None else handles
    if not found:
        return
    figure = axes.figure
    room = axes.figure.bbox.width / axes.figure.dpi / MILLIMETRE * (1.0 - axes.get_position().x0)
    longest = max(len(str(handle.get_label())) for handle in found)
    columns = max(int(room // (10.0 + 1.15 * longest)), 1)
    rows = -(-len(found) // columns)
    axes.legend(
        handles=found, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=columns, borderaxespad=0.3, fontsize=6.5
    )
    if not owned or not isinstance(figure, Figure):
        return
    more = max(3.4 * rows + 1.0 - TOP, 0.0) * MILLIMETRE
    height = figure.get_figheight()
    for each in figure.axes:
        place = each.get_position()
        each.set_position((place.x0, place.y0 * height / (height + more),
                           place.width, place.height * height / (height + more)))  # fmt: skip
    figure.set_figheight(height + more)


def look_of(result: Pounding, standing: Standing) -> dict[str, Any]:
    """Return colour and dashes of a structure: the same in every figure."""
    look = SERIES[result.scene.standings.index(standing) % len(SERIES)]
    return {"color": look.colour, "linestyle": look.dashes}


def hit_floor(result: Pounding, standing: Standing) -> int:
    """Return the floor, from 0, whose acceleration contact raises most; the top one where nothing touched."""
    dofs = list(standing.dofs)
    if not result.pounds:
        return len(dofs) - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = result.run.extremes[dofs, 2] / result.twin.extremes[dofs, 2]
    return int(np.argmax(np.nan_to_num(ratio, nan=0.0, posinf=np.inf)))


def hits_of(result: Pounding, standing: Standing) -> npt.NDArray[np.float64]:
    """Return the times [s] at which a structure was touched."""
    here = result.scene.standings.index(standing)
    own = [c for c, touch in enumerate(result.scene.touches) if here in (touch.left, touch.right)]
    return result.run.table["start"][np.isin(result.run.table["contact"], own)]


def mark_hits(axes: Axes, times: npt.ArrayLike) -> None:
    """Mark impacts by ticks along the upper edge."""
    at = np.asarray(times)
    if at.size:
        axes.plot(
            at, np.full(at.size, 0.93), "v", transform=axes.get_xaxis_transform(), color=INK, markersize=3.0,
            markeredgewidth=0.0, label="impact", clip_on=True,
        )  # fmt: skip


def prefix(largest: float, unit: str) -> tuple[float, str]:
    """Return the factor and the unit in which values up to `largest` read well: (1e-6, ``"MN"``)."""
    if not largest > 0.0:
        return 1.0, unit
    power = min(max(3 * int(np.floor(np.log10(largest) / 3)), -9), 9)
    sign = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G"}[power]
    return 10.0**-power, f"{sign}{unit}"


def worded(label: str, largest: float = 0.0) -> tuple[float, str]:
    """Return the factor and the words for an axis of a column: ``peak_force [N]`` reads ``Peak force [MN]``."""
    name, _, unit = label.partition(" [")
    unit = unit.removesuffix("]")
    words = name.replace("no_pounding.", "").replace("_", " ").replace(".", ", ")
    words = words[:1].upper() + words[1:]
    if unit not in ("N", "m", "N s", "J"):
        return 1.0, f"{words} [{unit.replace('m/s2', 'm/s²')}]" if unit else words
    factor, shown = prefix(largest, unit)
    return factor, f"{words} [{shown}]"
