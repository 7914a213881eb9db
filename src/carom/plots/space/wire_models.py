"""Wire models in space: a result at a moment, members by their forces, contacts; and mode shapes, still or swinging."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.animation import FuncAnimation
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure

from carom.errors import refusal
from carom.plots.sheet import look_of, prefix, sheet, single
from carom.plots.space.layout import Layout
from carom.plots.style import GREY, INK, SERIES, in_style
from carom.results import Pounding, Width
from carom.structures import LinearStructure
from carom.units import number

__all__ = ["animate_mode", "plot_in_space", "plot_mode"]

Array = npt.NDArray[np.float64]

VIEW = (-60.0, 20.0)
"""From where is looked: degrees from x towards y, and above the ground."""
FORCES = {"axial force": "N", "shear": "N", "bending moment": "N m"}
"""What members can be coloured by, and units."""
SWING = 0.08
"""Largest displacement of a mode as it is drawn, of the largest side of the structure."""
HIT = "#E69F00"
AFTERGLOW = 0.02
"""Seconds for which a contact counts as closed after it opened: impacts are shorter than the time between samples."""
SWINGS = 40
"""Pictures of one swing of a mode."""
TENSION = LinearSegmentedColormap.from_list("tension", ["#0054A6", "#C4C8CE", "#C83E00"])
SIZE = LinearSegmentedColormap.from_list("size", ["#C4C8CE", "#C83E00"])


@in_style
def plot_in_space(
    result: Pounding, time: object = None, axes: Axes | None = None, *, by: str | None = None,
    scale: float | None = None, view: tuple[float, float] = VIEW,
) -> Axes:  # fmt: skip
    """Draw structures at rest and at a moment of a run, with their contacts; return the axes.

    Parameters
    ----------
    result
        A run, or what `study_pounding` returns; of structures in space.
    time
        When [s]; by default in the middle of the hardest impact, or at the largest displacement.
    axes
        Where to draw.
    by
        Colours members by ``"axial force"``, ``"shear"`` or ``"bending moment"``, counted from the start of the run.
    scale
        How many times displacements and gaps are enlarged; by default so that they are seen.
    view
        From where is looked: degrees from x towards y, and above the ground.
    """
    if not result.scene.in_space:
        raise refusal(
            "result", "plot_in_space", "must be of structures in space", result.title or "along x alone",
            "plot_geometry and plot_histories draw those that move along x.",
        )  # fmt: skip
    if by is not None and by not in FORCES:
        raise refusal("by", "plot_in_space", f"must be one of {', '.join(FORCES)}", by)
    layout = Layout(result, swaying=True)
    factor = layout.amplification if scale is None else scale
    sample = _sample(result, time)
    rest, project = layout.at(factor), _projection(view)
    now = [
        at + factor * (form.rows @ result.run.displacement[sample, list(form.outputs)])
        for at, form in zip(rest, layout.forms, strict=True)
    ]
    axes = sheet(1, height=95.0, width=Width.DOUBLE)[0] if axes is None else axes
    _room(axes, np.concatenate([*rest, *now]) @ project.T)
    told = None if by is None else list(FORCES).index(by)
    forces = [
        None if told is None or (found := form.member_forces(result.run, slice(sample, sample + 1))) is None
        else found[0, :, told]
        for form in layout.forms
    ]  # fmt: skip
    if by is not None and all(one is None for one in forces):
        raise refusal("by", "plot_in_space", "must be left out where no structure knows its members", by)
    largest = max((float(np.abs(one).max(initial=0.0)) for one in forces if one is not None), default=0.0) or 1.0
    least, colours = (-largest, TENSION) if by == "axial force" else (0.0, SIZE)
    norm = Normalize(least, largest)
    for i, (standing, form) in enumerate(zip(result.scene.standings, layout.forms, strict=True)):
        colour = str(look_of(result, standing)["color"]) if standing.moving else GREY
        _lines(axes, rest[i] @ project.T, [(s[0], s[-1]) for s in form.strokes], GREY, 0.4, order=1)
        _areas(axes, now[i] @ project.T, [level.corners for level in form.levels], colour)
        members, known = form.strokes, forces[i]
        if known is not None:
            _lines(axes, now[i] @ project.T, members[: known.size], colours(norm(known)), 1.5)
            members = members[known.size :]
        _lines(axes, now[i] @ project.T, members, colour, 0.9)
    _contacts(axes, result, [points @ project.T for points in now], float(result.run.time[sample]))
    if by is not None:
        unit, words = prefix(largest, FORCES[by])
        shown = ScalarMappable(Normalize(least * unit, largest * unit), colours)
        bar = axes.figure.colorbar(shown, ax=axes, shrink=0.6)
        bar.set_label(f"{by[0].upper()}{by[1:]} [{words}]" + (", tension positive" if by == "axial force" else ""))
    axes.set_title(f"{result.run.time[sample]:.3f} s, displacements and gaps × {factor:.3g}", loc="left")
    return axes


@in_style
def plot_mode(
    structure: LinearStructure, mode: int = 1, axes: Axes | None = None, *, scale: float | None = None,
    view: tuple[float, float] = VIEW,
) -> Axes:  # fmt: skip
    """Draw a mode shape, from 1, of a structure in space beside the structure at rest; return the axes.

    `scale` is how far the place that moves most is drawn [m]; `view` is as of `plot_in_space`.
    """
    picture = _Mode(structure, mode, axes, scale, view)
    picture.show(1.0)
    return picture.axes


def animate_mode(
    structure: LinearStructure, mode: int = 1, axes: Axes | None = None, *, scale: float | None = None,
    view: tuple[float, float] = VIEW, rate: float = 20.0,
) -> FuncAnimation:  # fmt: skip
    """Return a mode shape that swings, for a notebook or a file; as `plot_mode`, at `rate` pictures a second."""
    picture = in_style(_Mode)(structure, mode, axes, scale, view)
    figure = picture.axes.figure
    assert isinstance(figure, Figure)
    swings = np.sin(2.0 * np.pi * np.arange(SWINGS) / SWINGS).tolist()
    return FuncAnimation(figure, picture.show, frames=swings, interval=1e3 / rate, blit=False)


class _Mode:
    """A mode shape, and what of its picture moves."""

    def __init__(
        self, structure: LinearStructure, mode: int, axes: Axes | None, scale: float | None, view: tuple[float, float]
    ) -> None:
        form = structure.wireframe()
        if form is None:
            raise refusal(
                "structure", "plot_mode", "must have points that move in space", structure.owner,
                "A shear building has plot(structure.modes().shapes).",
            )  # fmt: skip
        shown = structure.lowest_modes
        if isinstance(mode, bool) or not isinstance(mode, (int, np.integer)) or not 1 <= mode <= shown.omega.size:
            raise refusal("mode", "plot_mode", f"must be a whole number in 1…{shown.omega.size}", mode)
        self.form, project = form, _projection(view)
        moved = form.rows @ shown.shapes[:, mode - 1]
        most = float(np.linalg.norm(moved, axis=1).max()) or 1.0
        side = float(np.ptp(form.positions, axis=0).max())
        reach = SWING * side if scale is None else number(scale, "m", name="scale", owner="plot_mode")
        self.rest, self.swing = form.positions @ project.T, reach / most * moved @ project.T
        self.axes = single(axes, height=80.0)
        _room(self.axes, np.concatenate([self.rest + self.swing, self.rest - self.swing]))
        bent = (*form.bends, *((),) * (len(form.edges) - len(form.bends)))
        self.strokes = [(a, *between, b) for (a, b), between in zip(form.edges, bent, strict=True)]
        self.slabs = [level.corners for level in form.levels]
        _lines(self.axes, self.rest, form.edges, GREY, 0.5, order=1)
        self.areas = _areas(self.axes, self.rest, self.slabs, SERIES[0].colour)
        self.lines = _lines(self.axes, self.rest, self.strokes, SERIES[0].colour, 1.0)
        self.axes.set_title(f"Mode {mode}: {shown.omega[mode - 1] / (2.0 * np.pi):.4g} Hz", loc="left")

    def show(self, amount: float) -> None:
        """Let it swing so far, from −1 to 1."""
        places = self.rest + amount * self.swing
        self.lines.set_segments([places[list(stroke)] for stroke in self.strokes])
        self.areas.set_verts([places[list(corners)] for corners in self.slabs if len(corners) > 2])


def _projection(view: tuple[float, float]) -> Array:
    """Return the rows that a point's three coordinates take to the page, shape (2, 3)."""
    around, above = np.radians(view)
    return np.array([
        [-np.sin(around), np.cos(around), 0.0],
        [-np.sin(above) * np.cos(around), -np.sin(above) * np.sin(around), np.cos(above)],
    ])  # fmt: skip


def _sample(result: Pounding, time: object) -> int:
    run = result.run
    if time is not None:
        at = number(time, "s", name="time", owner="plot_in_space")
        if not run.time[0] <= at <= run.time[-1]:
            span = f"{run.time[0]:g} … {run.time[-1]:g} s"
            raise refusal("time", "plot_in_space", f"must lie in the run, {span}", time)
        return int(np.abs(run.time - at).argmin())
    if result.hardest is not None:
        table = run.table
        return int(np.abs(run.time - table["start"][result.hardest] - 0.5 * table["duration"][result.hardest]).argmin())
    return int(np.abs(run.displacement).max(axis=1).argmax())


def _room(axes: Axes, points: Array) -> None:
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.05 * float((high - low).max())
    axes.set(xlim=(low[0] - margin, high[0] + margin), ylim=(low[1] - margin, high[1] + margin), aspect="equal")
    axes.axis("off")


def _lines(
    axes: Axes, points: Array, strokes: Sequence[Sequence[int]], colour: Any, width: float, order: int = 3
) -> LineCollection:
    parts = [points[list(stroke)] for stroke in strokes]
    made = LineCollection(parts, colors=colour, linewidths=width, capstyle="round", zorder=order)
    axes.add_collection(made)
    return made


def _areas(axes: Axes, points: Array, slabs: Sequence[Sequence[int]], colour: str) -> PolyCollection:
    made = PolyCollection(
        [points[list(corners)] for corners in slabs if len(corners) > 2], facecolors=colour, edgecolors=colour,
        linewidths=0.9, alpha=0.14, zorder=2,
    )  # fmt: skip
    axes.add_collection(made)
    return made


def _contacts(axes: Axes, result: Pounding, places: list[Array], time: float) -> None:
    """Mark both sides of contacts; those that are closed are filled, larger where they are struck harder."""
    table = result.run.table
    for c, touch in enumerate(result.scene.touches):
        sides = np.array([places[i][point] for i, point in zip((touch.left, touch.right), touch.points, strict=True)])
        axes.plot(*sides.T, "-", color=INK, linewidth=0.5, zorder=4)
        axes.plot(*sides.T, "o", color=INK, markerfacecolor="white", markersize=2.0, markeredgewidth=0.5, zorder=4)
        since = time - table["start"]
        closed = (table["contact"] == c) & (since >= -AFTERGLOW) & (since <= table["duration"] + AFTERGLOW)
        if closed.any():
            share = float(result.blows[closed].max() / result.blows.max())
            axes.plot(*sides.mean(axis=0), "o", color=INK, markerfacecolor=HIT, markersize=4.0 + 5.0 * share**0.5,
                      markeredgewidth=0.5, zorder=5)  # fmt: skip
