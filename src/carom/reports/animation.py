"""The structures swaying and touching, for a page: data and script instead of a film."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.plots.animation import busy_window
from carom.plots.geometry import Sketch
from carom.plots.layout import Layout
from carom.plots.sheet import look_of
from carom.results import Form, Pounding
from carom.units import si

__all__ = ["animation_page", "sway"]

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]

FRAMES = 30.0
"""Frames per second of motion."""
LONGEST = 12.0
"""Seconds of motion."""
FINE, FINER = 1e-4, 1e-6
"""Displacements are told in such steps [m, rad], along a line and in space, where rotations have long arms."""
STILL = "#9aa0a6"
"""Colour of what does not move."""
NONE = 1e-9
"""A smaller share of a result does not move a point."""
MOST = 400
"""Impacts that are flashed: the hardest."""


def animation_page(result: Pounding) -> str | None:
    """Return the animation as a page of its own; None where nothing can sway."""
    from carom.reports.page import page  # the template system, which `sway` need not wait for

    data = sway(result)
    return None if data is None else page("sway.html.j2", title=result.title, animation=data)


def sway(result: Pounding) -> dict[str, Any] | None:
    """Return what the script needs to let the structures sway; None where nothing can."""
    scene = result.scene
    if not scene.shaken:
        return None
    begin, end = busy_window(result, longest=LONGEST)
    frames = np.searchsorted(result.run.time, np.arange(begin, end, 1.0 / FRAMES)).clip(0, result.run.time.size - 1)
    shown = _in_space(result, frames) if scene.in_space else _in_line(result, frames)
    return {"begin": begin, "rate": FRAMES, **shown, "impacts": _flashes(result, begin, end)}


def _in_line(result: Pounding, frames: Integers) -> dict[str, Any]:
    """Return structures that move along x alone: their floors, side by side."""
    scene, run = result.scene, result.run
    sketch = Sketch(result, swaying=True)
    structures = [
        {
            "name": one.name,
            "left": sketch.lefts[i],
            "levels": list(one.levels) if one.moving else [],
            "dofs": list(one.dofs) if one.moving else [],
            "colour": look_of(result, one)["color"],
            "columns": one.kind != "body",
            "height": 0.0 if one.moving else sketch.wall_height(result, one),
        }
        for i, one in enumerate(scene.standings)
    ]
    return {
        "space": False,
        "unit": FINE,
        "tall": sketch.tall,
        "width": sketch.width,
        "bay": sketch.bay,
        "amplification": sketch.amplification,
        "structures": structures,
        "sway": np.rint(run.displacement[frames] / FINE).astype(int).tolist(),
    }


def _in_space(result: Pounding, frames: Integers) -> dict[str, Any]:
    """Return structures in space: points, and by which results each of them moves."""
    scene, layout = result.scene, Layout(result, swaying=True)
    used = sorted({output for form in layout.forms for output in form.outputs})
    places = {output: k for k, output in enumerate(used)}
    structures = [
        {
            "name": standing.name,
            "colour": look_of(result, standing)["color"] if standing.moving else STILL,
            "points": layout.positions[i].round(3).tolist(),
            "weights": [_weights(row, form, places) for row in form.rows],
            "edges": [list(edge) for edge in form.edges],
            "slabs": [list(level.corners) for level in form.levels],
            "flat": any(len(level.corners) > 2 for level in form.levels),
        }
        for i, (standing, form) in enumerate(zip(scene.standings, layout.forms, strict=True))
    ]
    return {
        "space": True,
        "unit": FINER,
        "axis": scene.axis,
        "box": layout.box.round(3).tolist(),
        "amplification": layout.amplification,
        "structures": structures,
        "contacts": [
            {"left": [touch.left, touch.points[0]], "right": [touch.right, touch.points[1]]} for touch in scene.touches
        ],
        "sway": np.rint(result.run.displacement[frames][:, used] / FINER).astype(int).tolist(),
    }


def _weights(row: Array, form: Form, places: Mapping[int, int]) -> list[list[float]]:
    """Return what moves a point: each result, and how much of it goes along x, y and z."""
    moving = np.flatnonzero(np.abs(row).max(axis=0, initial=0.0) > NONE)
    return [[places[form.outputs[k]], *(float(f"{w:.5g}") for w in row[:, k])] for k in moving.tolist()]


def _flashes(result: Pounding, begin: float, end: float) -> list[dict[str, Any]]:
    table, scene = result.run.table, result.scene
    seen = np.flatnonzero((table["start"] >= begin) & (table["start"] <= end))
    hardest = seen[np.argsort(-result.blows[seen], kind="stable")][:MOST]
    found = []
    for row in np.sort(hardest).tolist():
        touch = scene.touches[int(table["contact"][row])]
        blow = float(result.blows[row])
        found.append(
            {
                "time": round(float(table["start"][row]), 4),
                "duration": round(float(table["duration"][row]), 4),
                "contact": int(table["contact"][row]),
                "left": touch.left,
                "level": touch.left_level,
                "share": round(blow / float(result.blows.max()), 3),
                "force": si(blow, result.blow_unit, 3),
            }
        )
    return found
