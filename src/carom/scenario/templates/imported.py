"""Parts of a new scenario for structures that come from files of other programs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from carom.scenario.templates.space import torsional_contact
from carom.structures import LinearStructure, ShearBuilding, TorsionalBuilding
from carom.structures.drawing.wireframe import SAME_HEIGHT

__all__ = ["Imported", "contact_between", "neighbour"]


@dataclass(frozen=True)
class Imported:
    """A structure from a file, and the text that states it."""

    name: str
    text: str
    file: str
    """Relative to the scenario."""
    structure: LinearStructure

    @property
    def top(self) -> float:
        """Height of its highest floor or point [m]."""
        heights = getattr(self.structure, "heights", None)
        if heights is not None:
            return float(max(heights))
        known = [point.position[2] for point in self.structure.points.values() if point.position is not None]
        return float(max(known, default=np.inf))


def neighbour(text: str, floors: int, height: str) -> Imported:
    """Return a plain building that a scenario states itself."""
    form: Any = {"masses": [1.0] * floors, "stiffnesses": 1.0, "heights": height}
    building = ShearBuilding(**form, name="neighbour")
    return Imported("neighbour", text, "", building)


def contact_between(left: Imported, right: Imported, gap: str) -> str:
    """Return the contact of two neighbours: all facing floors where both have floors, else one place."""
    if all(isinstance(one.structure, ShearBuilding) for one in (left, right)):
        return f"""[[contacts]]  # two names: all facing floors
left = "{left.name}"
right = "{right.name}"
gap = {gap}
law = "slabs"
{_columns(left.structure, right.structure)}"""
    if all(isinstance(one.structure, TorsionalBuilding) for one in (left, right)):
        return torsional_contact(left.name, right.name, gap.strip('"'))
    height = min(left.top, right.top)
    return f"""[[contacts]]  # one table for each place where they may meet
left = {_side(left, height, 1.0)}
right = {_side(right, height, -1.0)}
gap = {gap}
law = "slabs"
"""


def _columns(left: LinearStructure, right: LinearStructure) -> str:
    """Return the line that is needed where slabs stand at different heights."""
    heights: list[Any] = [getattr(building, "heights", None) for building in (left, right)]
    if None in heights or any(abs(a - b) < SAME_HEIGHT for a, b in product(*heights)):
        return ""
    return "columns = true  # slabs at different heights: they meet the neighbour's columns\n"


def _side(one: Imported, height: float, outwards: float) -> str:
    """Return the place of a structure near a height that is outermost to one side along x."""
    structure = one.structure
    if isinstance(structure, (ShearBuilding, TorsionalBuilding)):
        heights = np.array(structure.heights if structure.heights is not None else [height])
        floor = int(np.argmin(np.abs(heights - height))) + 1
        edge = "" if isinstance(structure, ShearBuilding) else f', corner = "{"e" if outwards > 0.0 else "w"}"'
        return f'{{structure = "{one.name}", floor = {floor}{edge}}}'
    movers = {
        name: np.array(point.position)
        for name, point in structure.points.items()
        if point.position is not None and point.rows[0].any()
    }
    if not movers:
        return f'{{structure = "{one.name}", dof = "{structure.dof_names[-1]}"}}'
    best = min(movers, key=lambda name: (round(abs(movers[name][2] - height), 3), -outwards * movers[name][0]))
    return f'{{structure = "{one.name}", point = "{best}", direction = "x"}}'
