"""A frame as a wire model: at rest, moved by loads, or in one of its modes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from scipy.spatial import ConvexHull, QhullError

from carom.errors import refusal
from carom.plots.sheet import single
from carom.plots.style import GREY, INK, SERIES, in_style
from carom.structures.frame import Frame, Static

__all__ = ["plot_frame"]

Array = npt.NDArray[np.float64]

VIEW = (-62.0, 18.0)
"""From where a frame in space is seen: degrees from x towards y, and above the ground."""
FLAT = {"xz": (0, 2), "xy": (0, 1), "yz": (1, 2)}
"""Coordinates of a plane frame that are drawn."""
SHOWN = 0.08
"""Largest displacement as it is drawn, of the largest side of the frame."""
PARTS = 12
"""Straight pieces that a bent member is drawn with."""
PANEL = 69.0
"""Width of a panel of its own [mm]."""
TALLEST, LOWEST = 110.0, 25.0
"""Heights of a panel of its own [mm]."""


@in_style
def plot_frame(
    frame: Frame, axes: Axes | None = None, *, mode: int | None = None, moved: Static | None = None,
    scale: float | None = None, view: tuple[float, float] = VIEW,
) -> Axes:  # fmt: skip
    """Draw members, slabs and supports of a frame; return the axes.

    `mode`, from 1, draws a mode shape beside it, `moved` what loads do (`Frame.static`). Displacements are drawn
    `scale` times as large as they are; without it, so that they are seen. `view` is from where a frame in space is
    seen: degrees from x towards y, and above the ground.
    """
    if mode is not None and moved is not None:
        raise refusal("mode", "plot_frame", "must be left out where `moved` is given", mode)
    shifts = frame.mode_displacements(mode) if mode is not None else moved.displacements if moved is not None else None
    project = _projection(frame, view)
    factor = 1.0
    if shifts is not None:
        factor = _factor(frame, shifts) if scale is None else scale
    rest = _projected(frame.wires(parts=1), project)
    bent = None if shifts is None else _projected(frame.wires(_times(shifts, factor), parts=PARTS), project)
    everything = np.concatenate([*rest, *(bent or [])])
    axes = _panel(axes, everything)
    _slabs(axes, frame, None if shifts is None else _times(shifts, factor), project)
    if bent is None:
        axes.add_collection(LineCollection(rest, colors=INK, linewidths=0.9, capstyle="round", zorder=2))
    else:
        axes.add_collection(LineCollection(rest, colors=GREY, linewidths=0.5, zorder=1))
        axes.add_collection(LineCollection(bent, colors=SERIES[0].colour, linewidths=1.1, capstyle="round", zorder=2))
    _supports(axes, frame, project)
    if mode is not None:
        axes.set_title(f"Mode {mode}: {frame.frequencies[mode - 1]:.4g} Hz", loc="left")
    elif moved is not None:
        axes.set_title(f"Displacements × {factor:.3g}", loc="left")
    return axes


def _projection(frame: Frame, view: tuple[float, float]) -> Array:
    """Return the rows that a point's three coordinates take to the page, shape (2, 3)."""
    if frame.plane is not None:
        return np.eye(3)[list(FLAT[frame.plane])]
    around, above = np.radians(view)
    return np.array([
        [-np.sin(around), np.cos(around), 0.0],
        [-np.sin(above) * np.cos(around), -np.sin(above) * np.sin(around), np.cos(above)],
    ])  # fmt: skip


def _projected(wires: Mapping[str, Array], project: Array) -> list[Array]:
    return [points @ project.T for points in wires.values()]


def _times(shifts: Mapping[str, Array], factor: float) -> dict[str, Array]:
    return {node: factor * values for node, values in shifts.items()}


def _factor(frame: Frame, shifts: Mapping[str, Array]) -> float:
    """Return how much displacements are enlarged; of static ones a round number."""
    largest = max(float(np.linalg.norm(values[:3])) for values in shifts.values())
    side = float(np.ptp(np.array(list(frame.nodes.values())), axis=0).max())
    if not largest > 0.0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(SHOWN * side / largest))
    return float(power * max(step for step in (1.0, 2.0, 5.0) if step * power <= 1.0001 * SHOWN * side / largest))


def _panel(axes: Axes | None, points: Array) -> Axes:
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.06 * float((high - low).max())
    wide, tall = high - low + 2.0 * margin
    axes = single(axes, height=float(np.clip(PANEL * tall / wide, LOWEST, TALLEST)))
    axes.set(xlim=(low[0] - margin, high[0] + margin), ylim=(low[1] - margin, high[1] + margin))
    axes.set_aspect("equal")
    axes.axis("off")
    return axes


def _slabs(axes: Axes, frame: Frame, moved: Mapping[str, Array] | None, project: Array) -> None:
    """Shade slabs, where they have an area on the page."""
    outlines = []
    for slab in frame.diaphragms:
        points = np.array([frame.nodes[node] + (0.0 if moved is None else moved[node][:3]) for node in slab.nodes])
        try:
            outlines.append(points[ConvexHull(points[:, :2]).vertices] @ project.T)
        except (QhullError, ValueError):  # its nodes stand in a line
            continue
    fill = SERIES[0].colour if moved is not None else GREY
    axes.add_collection(PolyCollection(outlines, facecolors=fill, edgecolors="none", alpha=0.12, zorder=0))


def _supports(axes: Axes, frame: Frame, project: Array) -> None:
    """Mark what is held: squares where rotations are, triangles where displacements are, circles for some of them."""
    kinds: dict[str, list[Array]] = {"s": [], "^": [], "o": []}
    for node, held in frame.supports.items():
        kinds[_mark(held, frame.plane)].append(frame.nodes[node] @ project.T)
    for marker, found in kinds.items():
        if found:
            look: dict[str, Any] = {"color": INK, "markersize": 3.4, "markeredgewidth": 0.0, "zorder": 3}
            axes.plot(*np.array(found).T, marker, clip_on=False, **look)


def _mark(held: Iterable[str], plane: str | None) -> str:
    able = {"xz": "ux uz ry", "xy": "ux uy rz", "yz": "uy uz rx"}.get(plane or "", "ux uy uz rx ry rz").split()
    kept = set(held)
    if kept.issuperset(able):
        return "s"
    return "^" if kept.issuperset(way for way in able if way.startswith("u")) else "o"
