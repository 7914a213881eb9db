"""Structures in space: plan and elevation, and what their slabs did along x and y and by turning."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from carom.plots.runs.envelopes import period_axis
from carom.plots.sheet import (
    WITHOUT,
    brief,
    fitted,
    hits_of,
    legend_above,
    look_of,
    mark_hits,
    points_per_unit,
    sheet,
)
from carom.plots.space.layout import Layout, form_of
from carom.plots.style import GREY, INK, MILLIMETRE, SERIES, in_style
from carom.results import Form, FormLevel, Pounding, Standing
from carom.units import si, standard_gravity

__all__ = ["plot_plan_and_elevation", "plot_slab_envelopes", "plot_slab_histories", "plot_slab_spectra", "slab_words"]

Array = npt.NDArray[np.float64]

AXES = "xyz"
MILLIRADIAN = 1e3
MOST_NAMED = 12
"""Contacts that a picture lists."""
MOST_PANELS = 3
"""Structures that a row of panels can hold."""
TURNING = 2
"""Beside 0 and 1, x and y: the rotation about the vertical axis."""
ENVELOPES = (
    ("x [mm]", 0, 0, 1e3), ("y [mm]", 1, 0, 1e3), ("Rotation [mrad]", TURNING, 0, MILLIRADIAN),
    ("Acceleration, {} [g]", -1, 2, 1.0 / standard_gravity),
)  # fmt: skip
"""Label, kind of motion (−1: that across the contacts), 0 for displacement and 2 for acceleration, and the unit."""
STILL = 1e-9
"""A motion that is so small, as a share of the largest, is rounding of none."""
ROOMY = 0.2
"""Structures that are larger in plan, as a share of the largest, have their names in them."""
HIT = "#D55E00"
LINE = 2.9
"""Height of a line of small letters [mm]."""


@in_style
def plot_plan_and_elevation(result: Pounding, axes: Sequence[Axes] | None = None) -> Sequence[Axes]:
    """Draw the structures from above and from the side, contacts numbered, filled where something touched; return both.

    Gaps are enlarged alike; all else is to scale.
    """
    layout = Layout(result)
    axis = result.scene.axis
    plan, elevation = sheet(1, 2, height=62.0) if axes is None else axes
    for view, (across, up), title in (
        (plan, (0, 1), "plan: x to the right, y upwards"),
        (elevation, (axis, 2), f"elevation: {AXES[axis]} to the right"),
    ):
        low, high = layout.box[:, [across, up]]
        margin = 0.08 * float((high - low).max())
        view.set(xlim=(low[0] - margin, high[0] + margin), ylim=(low[1] - margin, high[1] + margin), aspect="equal")
        view.axis("off")
        view.set_anchor("S")
        view.set_title(title, loc="left", fontsize=7.0, color=GREY)
        named: list[tuple[float, float]] = []
        for i, standing in enumerate(result.scene.standings):
            points = layout.positions[i][:, [across, up]]
            colour = look_of(result, standing)["color"] if standing.moving else GREY
            _outlines(view, layout.forms[i], points, colour, above=up == 1)
            inside = up == 1 and float(np.ptp(points, axis=0).min()) > ROOMY * layout.size
            below = float(points[:, 1].mean()) if inside else low[1] - 0.5 * margin
            _name(view, standing, points, below, [] if inside else named)
    elevation.axhline(0.0, color=INK, linewidth=0.6, zorder=1)
    _numbered(plan, elevation, result, layout, axis)
    return [plan, elevation]


def _outlines(axes: Axes, form: Form, points: Array, colour: str, *, above: bool) -> None:
    """Draw members as lines, and levels as polygons from above, as slabs from the side."""
    if not above or not any(len(level.corners) > 2 for level in form.levels):
        seen = {tuple(np.round(points[list(edge)], 4).ravel().tolist()): points[list(edge)] for edge in form.edges}
        axes.add_collection(LineCollection(list(seen.values()), colors=INK, linewidths=0.7, zorder=2))
    for k, level in enumerate(form.levels, 1):
        corners = points[list(level.corners)]
        if above and len(corners) > 2:
            top = k == len(form.levels)
            axes.add_patch(Polygon(corners, closed=True, facecolor=colour, alpha=0.12, edgecolor="none", zorder=1))
            axes.add_patch(
                Polygon(corners, closed=True, fill=False, edgecolor=colour, linewidth=1.4 if top else 0.5, zorder=3)
            )
        elif above:
            axes.plot(*corners.T, "o-", color=colour, markersize=2.0, linewidth=1.4, zorder=3)
        else:
            ends = corners[[int(corners[:, 0].argmin()), int(corners[:, 0].argmax())]]
            axes.plot(*ends.T, "o-", color=colour, markersize=1.5, linewidth=2.0, zorder=3)


def _name(axes: Axes, standing: Standing, points: Array, below: float, named: list[tuple[float, float]]) -> None:
    """Write a name below a structure, lower where another stands in its way."""
    left, right = float(points[:, 0].min()), float(points[:, 0].max())
    unit = points_per_unit(axes)
    text, size = fitted(standing.name, unit * (right - left) + 12.0, size=7.5)
    middle, half = 0.5 * (left + right), 0.3 * size * len(text) / unit
    lower = sum(one < middle + half and other > middle - half for one, other in named)
    named.append((middle - half, middle + half))
    axes.annotate(
        text, (middle, below), xytext=(0.0, -8.0 * lower), textcoords="offset points", ha="center", va="top",
        fontsize=size, annotation_clip=False,
    )  # fmt: skip


def _numbered(plan: Axes, elevation: Axes, result: Pounding, layout: Layout, axis: int) -> None:
    """Mark the contacts in both views; list them by number below."""
    scene = result.scene
    told: dict[tuple[float, ...], list[int]] = {}
    for c, touch in enumerate(scene.touches):
        left, right = layout.meeting(scene, c)
        face = HIT if result.per_contact[touch.label] else "white"
        for view, (across, up) in ((plan, (0, 1)), (elevation, (axis, 2))):
            ends = np.array([left, right])[:, [across, up]]
            view.plot(*ends.T, color=INK, linewidth=0.5, linestyle=(0, (1.5, 1.2)), zorder=4)
            view.plot(*ends.mean(axis=0), "o", markersize=3.4, color=INK, markerfacecolor=face, markeredgewidth=0.6,
                      zorder=5)  # fmt: skip
        told.setdefault(tuple(np.round(0.5 * (left + right)[:2], 3).tolist()), []).append(c + 1)
    for (x, y), numbers in told.items():
        backing = {"facecolor": "white", "edgecolor": "none", "pad": 0.3, "alpha": 0.8}
        plan.annotate(
            _ranges(numbers), (x, y), xytext=(0, 5), textcoords="offset points", ha="center", fontsize=5.5, zorder=4.5,
            bbox=backing,
        )  # fmt: skip
    named = [
        f"{c}  {brief(touch.label, 66)}, {si(touch.gap, 'm', 3)}"
        for c, touch in enumerate(scene.touches[:MOST_NAMED], 1)
    ]
    more = len(scene.touches) - MOST_NAMED
    _listed_below(plan, named + ([f"and {more} more"] if more > 0 else []))


def _listed_below(axes: Axes, lines: list[str]) -> None:
    """Write lines in two columns below all panels; the figure grows by what they take."""
    figure = axes.figure
    assert isinstance(figure, Figure)
    half = -(-len(lines) // 2)
    more = LINE * half * MILLIMETRE
    height = figure.get_figheight()
    for each in figure.axes:
        place = each.get_position()
        each.set_position((place.x0, (place.y0 * height + more) / (height + more), place.width,
                           place.height * height / (height + more)))  # fmt: skip
    figure.set_figheight(height + more)
    for x, column in ((0.07, lines[:half]), (0.54, lines[half:])):
        figure.text(
            x, (more + 2.0 * MILLIMETRE) / (height + more), "\n".join(column), ha="left", va="top", fontsize=6.0
        )


def _ranges(numbers: list[int]) -> str:
    """Return numbers as people list them: ``1–3, 5``."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(f"{part[0]}–{part[-1]}" if len(part) > 2 else ", ".join(map(str, part)) for part in parts)


def _shaken(result: Pounding) -> list[tuple[int, Standing, Form]]:
    """Return the structures that move and have levels."""
    found = ((i, one, form_of(result, i)) for i, one in enumerate(result.scene.standings))
    return [(i, one, form) for i, one, form in found if one.moving and form.outputs and form.levels]


def slab_words(standing: Standing, level: FormLevel) -> str:
    """Return the name of a level: ``tower, floor 2``."""
    return f"{standing.name}, {level.name}"


@in_style
def plot_slab_histories(
    result: Pounding, what: str = "displacement", axis: int | None = None, axes: Sequence[Axes] | None = None
) -> Sequence[Axes]:
    """Draw the topmost slab of each structure over time, with and without contact; return the axes.

    `what` is ``"displacement"`` or ``"acceleration"`` of its centre along x (`axis` 0) or y (1), or ``"rotation"``
    about the vertical axis. Acceleration is that of the slab that contact raises most.
    """
    axis = result.scene.axis if axis is None else axis
    shown = _shaken(result)
    axes = sheet(len(shown), height=30.0, shared=True) if axes is None else axes
    word, factor = {
        "displacement": (f"{AXES[axis]} [mm]", 1e3),
        "acceleration": (f"{AXES[axis]} [g]", 1.0 / standard_gravity),
        "rotation": ("Rotation [mrad]", MILLIRADIAN),
    }[what]
    quantity = "acceleration" if what == "acceleration" else "displacement"
    time = result.run.time
    for here, (i, standing, form) in zip(axes, shown, strict=True):
        level = _level_of(result, i, form) if what == "acceleration" else form.levels[-1]
        row = level.turning if what == "rotation" else form.rows[level.centre, axis]
        without, with_ = (factor * form.history(run, row, quantity) for run in (result.twin, result.run))
        here.plot(time, with_, color=look_of(result, standing)["color"], linewidth=0.8, label="with contact")
        here.plot(time, without, **{**WITHOUT, "linewidth": 0.7}, label="without contact", zorder=1.8)
        here.axhline(0.0, color=GREY, linewidth=0.3, zorder=1.0)
        limit = 1.25 * max(np.abs(with_).max(), np.abs(without).max(), 1e-9)
        here.set(ylabel=word, ylim=(-limit, limit), xlim=(time[0], time[-1]))
        mark_hits(here, hits_of(result, standing))
        here.text(0.008, 0.05, brief(slab_words(standing, level), 80), transform=here.transAxes, ha="left", va="bottom",
                  fontsize=7.0, bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.8})  # fmt: skip
    axes[0].legend(loc="lower right", ncols=3, bbox_to_anchor=(1.0, 0.98), borderaxespad=0.0)
    axes[-1].set_xlabel("Time [s]")
    return axes


def _level_of(result: Pounding, i: int, form: Form) -> FormLevel:
    """Return the level whose spectra are drawn, the one that contact raises most."""
    return next((form.levels[one.level] for one in result.slab_spectra if one.standing == i), form.levels[-1])


def _row(form: Form, level: FormLevel, kind: int) -> Array:
    """Return what is read of a level: its centre along x (0) or y (1), or its rotation (2)."""
    return level.turning if kind == TURNING else form.rows[level.centre, kind]


def _seen(result: Pounding, kind: int, column: int) -> bool:
    """Whether a kind of motion is more than rounding of the largest displacement, or acceleration."""
    forms = [form for _, _, form in _shaken(result)]
    peaks = [
        max(form.peak(result.run, _row(form, level, k), column) for form in forms for level in form.levels)
        for k in (0, 1, kind)
    ]
    return peaks[2] > STILL * max(peaks[:2])


@in_style
def plot_slab_envelopes(result: Pounding, axes: Sequence[Axes] | None = None) -> Sequence[Axes]:
    """Draw the largest displacements along x and y, rotation and acceleration over the height; return the four axes."""
    owned = axes is None
    axis = result.scene.axis
    shown = [one for one in ENVELOPES if _seen(result, one[1] if one[1] >= 0 else axis, one[2])]
    axes = sheet(1, len(shown), height=52.0) if axes is None else axes
    for i, standing, form in _shaken(result):
        look = SERIES[i % len(SERIES)]
        heights = [level.height for level in form.levels]
        for here, (_, kind, column, factor) in zip(axes, shown, strict=True):
            rows = [_row(form, level, kind if kind >= 0 else axis) for level in form.levels]
            without, with_ = (
                [factor * form.peak(run, row, column) for row in rows] for run in (result.twin, result.run)
            )
            here.plot(without, heights, look.marker, fillstyle="none", color=look.colour, linestyle=(0, (2.4, 1.4)),
                      linewidth=0.7, markersize=2.8, markeredgewidth=0.5,
                      label=f"{brief(standing.name)}, without contact")  # fmt: skip
            here.plot(with_, heights, look.marker, color=look.colour, linestyle="-", markersize=3.2,
                      label=f"{brief(standing.name)}, with contact")  # fmt: skip
    for here, (label, *_) in zip(axes, shown, strict=True):
        here.set(xlabel=label.format(AXES[axis]))
        here.set_xlim(left=0.0)
        here.set_ylim(0.0, 1.06 * here.dataLim.y1 or 1.0)
        here.locator_params(axis="x", nbins=4)
    axes[0].set_ylabel("Height [m]")
    legend_above(axes[0], owned=owned)
    return axes


@in_style
def plot_slab_spectra(result: Pounding, quantity: str = "psa", axes: Sequence[Axes] | None = None) -> Sequence[Axes]:
    """Draw floor spectra at centre and corners of each structure's slab that contact raises most; return the axes."""
    shown = result.slab_spectra[:MOST_PANELS]
    axes = sheet(1, len(shown), height=52.0) if axes is None else axes
    factor = 1.0 / standard_gravity if quantity == "psa" else 1.0
    words = "Pseudo-acceleration [g]" if quantity == "psa" else "Pseudo-velocity [m/s]"
    for here, one in zip(axes, shown, strict=True):
        standing = result.scene.standings[one.standing]
        level = form_of(result, one.standing).levels[one.level]
        for k, name in enumerate(one.names):
            colour = SERIES[k % len(SERIES)].colour
            here.plot(one.spectra.periods, factor * getattr(one.spectra, quantity)[k], color=colour, label=name)
            without = factor * getattr(one.spectra, f"{quantity}_without")[k]
            label = "_" if k else "without contact"
            here.plot(one.spectra.periods, without, **{**WITHOUT, "color": colour}, label=label)
        period_axis(here, one.spectra.periods)
        here.set(xlabel="Period [s]")
        here.set_ylim(0.0, 1.3 * here.get_ylim()[1])
        here.set_title(brief(f"{slab_words(standing, level)}, along {AXES[one.axis]}", 90 // len(shown)), loc="left")
        here.legend(loc="upper right", fontsize=6.0)
    axes[0].set_ylabel(f"{words}, {100 * shown[0].spectra.damping:g} %")
    return axes
