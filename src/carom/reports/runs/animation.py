"""The structures swaying and touching, for a page: data and script instead of a film."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from carom.plots.runs.animation import busy_window
from carom.plots.runs.geometry import Sketch
from carom.plots.sheet import look_of
from carom.reports.runs.space_data import space_data
from carom.results import Pounding
from carom.units import si
from carom.web import packed

__all__ = ["animation_page", "flashes", "in_line", "sway"]

Integers = npt.NDArray[np.intp]

FRAMES = 30.0
"""Frames per second of motion."""
LONGEST = 12.0
"""Seconds of motion."""
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
    if scene.in_space:
        shown = space_data(result, frames)
    else:
        told, moved = in_line(result, frames)
        shown = {**told, "space": False, "sway": packed(moved, "i2"), "columns": moved.shape[1]}
    return {"begin": begin, "rate": FRAMES, **shown, "impacts": flashes(result, begin, end)}


def in_line(result: Pounding, frames: Integers) -> tuple[dict[str, Any], npt.NDArray[np.float64]]:
    """Return structures that move along x alone, floors side by side, and at some samples how far each floor moved."""
    scene, run = result.scene, result.run
    sketch = Sketch(result, swaying=True)
    dofs = [dof for one in scene.standings if one.moving for dof in one.dofs]
    structures = [
        {
            "name": one.name,
            "left": sketch.lefts[i],
            "levels": list(one.levels) if one.moving else [],
            "dofs": [dofs.index(dof) for dof in one.dofs] if one.moving else [],
            "colour": look_of(result, one)["color"],
            "columns": one.kind != "body",
            "height": 0.0 if one.moving else sketch.wall_height(result, one),
        }
        for i, one in enumerate(scene.standings)
    ]
    told = {
        "tall": sketch.tall,
        "width": sketch.width,
        "bay": sketch.bay,
        "amplification": sketch.amplification,
        "structures": structures,
    }
    return told, run.displacement[:, dofs][frames]


def flashes(result: Pounding, begin: float, end: float, most: int = MOST) -> list[dict[str, Any]]:
    """Return the hardest impacts between two moments, in order of time."""
    table, scene = result.run.table, result.scene
    seen = np.flatnonzero((table["start"] >= begin) & (table["start"] <= end))
    hardest = seen[np.argsort(-result.blows[seen], kind="stable")][:most]
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
