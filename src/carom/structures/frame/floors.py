"""Rigid slabs of a frame as neighbours see them: their heights, their outlines in plan, and what stands between."""

from __future__ import annotations

import math
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from carom.errors import UnknownNameError, refusal
from carom.structures.damped import Damped
from carom.structures.frame.assembly import centre_of
from carom.structures.frame.members import Diaphragm
from carom.structures.frame.places import crossing, outline_of
from carom.structures.matrices import Array
from carom.structures.points import Location

__all__ = ["Floored"]

ONE_LEVEL = 1e-3
"""Heights and distances below which slabs lie at one level, and points at one place [m]."""


class Floored(Damped):
    """A structure of nodes, members and slabs that may face neighbours."""

    nodes: Any
    members: Any
    diaphragms: Any
    plane: str | None

    def _slab_point(self, slab: Diaphragm, where: Any) -> Location:
        raise NotImplementedError

    @cached_property
    def _floors(self) -> tuple[Diaphragm, ...]:
        """The slabs, bottom to top; none where two lie at one height."""
        found = sorted(self.diaphragms, key=lambda slab: float(self.nodes[slab.nodes[0]][2]))
        heights = [float(self.nodes[slab.nodes[0]][2]) for slab in found]
        return () if any(b - a < ONE_LEVEL for a, b in pairwise(heights)) else tuple(found)

    @property
    def slab_heights(self) -> tuple[float, ...] | None:
        """Heights of the slabs [m], bottom to top, where no two lie at one; None: there are none."""
        return tuple(float(self.nodes[slab.nodes[0]][2]) for slab in self._floors) or None

    def outline(self, level: int | float) -> Array | None:
        """Return the corners of a slab in plan [m], counter-clockwise; at a height those of what stands there."""
        if self.plane is not None:
            return None
        return outline_of(np.array([point[:2] for point in self._standing(level).values()]), self.owner, level)

    def place_at(self, level: int | float, x: float, y: float) -> tuple[int | float, object]:
        """Return how a contact names a point of a slab, by its number from 1, or of what stands at a height."""
        near = {name: math.hypot(at[0] - x, at[1] - y) for name, at in self._standing(level).items()}
        name = min(near, key=near.__getitem__)
        if near[name] < ONE_LEVEL:
            return level, name
        if isinstance(level, float):
            raise refusal(
                "columns", self.owner, "must stand where a slab meets them", f"({x:g}, {y:g}, {level:g}) m",
                "Write a Contact with the member that is struck.",
            )  # fmt: skip
        return level, (x, y)

    def drift_rows(self, storey: int, at: Any = None) -> Array:
        """Return how far a slab moves beyond the one below, at its centre or at (x, y) or a node; shape (3, dofs)."""
        i = self._taken_storey(storey, len(self._floors)) - 1
        slab = self._floors[i]
        if isinstance(at, str) and at not in self.nodes:
            raise UnknownNameError(f"node of {self.owner}:", at, self.nodes)
        where = centre_of(slab, self.nodes) if at is None else self.nodes[at][:2] if isinstance(at, str) else at
        top = self._slab_point(slab, where).rows
        return top - self._slab_point(self._floors[i - 1], where).rows if i else top

    def above(self, storey: int) -> Array:
        """Return 1 for each degree of freedom that stands above the slab below a storey, 0 for others."""
        if storey == 1:
            return np.ones(len(self.dof_names))
        below = self._floors[self._taken_storey(storey, len(self._floors)) - 2]
        height = float(self.nodes[below.nodes[0]][2]) + ONE_LEVEL
        slabs = {slab.name: slab.nodes[0] for slab in self.diaphragms}
        owners = (name.rpartition(" ")[0] for name in self.dof_names)
        return np.array([float(self.nodes[slabs.get(one, one)][2] > height) for one in owners])

    def _standing(self, level: int | float) -> dict[str, Array]:
        """Return the nodes of a slab, by its number from 1, or members through a height, and where they are."""
        if isinstance(level, float):
            return crossing(self.members, self.nodes, level)
        return {node: self.nodes[node] for node in self._floors[level - 1].nodes}
