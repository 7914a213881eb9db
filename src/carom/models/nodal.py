"""A model of nodes in the units and axes of another program, and the structure that it makes."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.errors import ValidityWarning, refusal
from carom.models.held import Reduced, reduced
from carom.structures import Location, Structure
from carom.structures.matrices import Array, frozen
from carom.units import POSITIVE, number

__all__ = ["NodalModel", "turned"]

ALL_POINTS = 20_000_000
"""Numbers in the rows of points up to which every node is a point; beyond, those that are named."""
WORLD = {
    "z": np.eye(3),
    "y": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]),
}
"""By the axis of the model that points upwards: x, y and z from the model's own axes."""


def turned(up: str, owner: str) -> Array:
    """Return x, y and z, rows, from the axes of a model of which one points upwards."""
    if up not in WORLD:
        raise refusal("up", owner, "must be 'y' or 'z'", up)
    return WORLD[up]


@dataclass
class NodalModel:
    """Matrices over all degrees of freedom of all nodes, as if nothing were held, and what holds them."""

    label: str
    """How messages call it."""
    owner: str
    """The function that was asked."""
    names: Sequence[str]
    """Of the degrees of freedom."""
    nodes: Mapping[Any, tuple[str, Array, Mapping[str, int]]]
    """By the model's own name or number of a node: the name of its point, its coordinates, shape (3,), and where its
    degrees of freedom along x, y and z stand."""
    mass: Array
    damping: Array
    stiffness: Array
    motions: Array
    """All degrees of freedom from those that nothing holds."""
    turn: Array
    """World axes, rows, from those of the model."""
    force: float
    """Unit of force [N]."""
    length: float
    """Unit of length [m]."""
    elements: Sequence[Sequence[Any]] = ()
    """Nodes of each element, by which the model is drawn."""

    @staticmethod
    def units(force: str, length: str, owner: str) -> tuple[float, float]:
        """Return the units of a model in N and m."""
        return _unit(force, "N", "force", owner), _unit(length, "m", "length", owner)

    def structure(
        self, remarks: Sequence[str], points: Mapping[str, Any] | None, damping_ratio: Any, name: str
    ) -> Structure:
        """Return the structure; warn of all that was left out."""
        left, influence = self._in_si()
        every = 3 * len(self.nodes) * len(left.names) <= ALL_POINTS
        places, words = self._points(left, points, every)
        for remark in [*remarks, *left.remarks, *words]:
            warnings.warn(ValidityWarning(f"{self.label}: {remark}."), stacklevel=3)
        damped = damping_ratio is None and bool(left.damping.any())
        return Structure(
            left.mass, left.stiffness, damping_ratio=damping_ratio, damping=left.damping if damped else None,
            influence=influence, dofs=left.names, points=places, lines=self._lines() if every else None, name=name,
        )  # fmt: skip

    def _lines(self) -> list[tuple[list[float], list[float]]]:
        """Return what elements join: two nodes, or those around a larger one."""
        found: dict[tuple[Any, ...], tuple[list[float], list[float]]] = {}
        for nodes in self.elements:
            around = zip(nodes, [*nodes[1:], nodes[0]], strict=True) if len(nodes) > 2 else [tuple(nodes)]
            for pair in around:
                if len(pair) == 2 and pair[0] != pair[1]:
                    start, end = (self._place(node) for node in pair)
                    if start != end:
                        found.setdefault(tuple(sorted(map(str, pair))), (start, end))
        return list(found.values())

    def _place(self, node: Any) -> list[float]:
        at: list[float] = (self.length * self.turn @ self.nodes[node][1] + 0.0).tolist()
        return at

    def _in_si(self) -> tuple[Reduced, Array]:
        """Return the matrices of what moves, in SI, and ι."""
        rides = np.zeros((len(self.names), 3))
        unit = np.ones(len(self.names))  # SI displacements of one unit of the model
        for _, _, ways in self.nodes.values():
            for way, equation in ways.items():
                unit[equation] = self.length
                rides[equation] = self.turn[:, "xyz".index(way)]
        scale = self.force * self.length / np.outer(unit, unit)
        mass, damping, stiffness = (matrix * scale for matrix in (self.mass, self.damping, self.stiffness))
        own = unit[_own(self.motions)]
        motions = unit[:, None] * self.motions / own
        left = reduced(self.names, mass, damping, stiffness, motions, self.label)
        # what the ground's acceleration does, mass between supports and what moves included
        influence = np.linalg.solve(left.mass, left.motions.T @ (mass @ rides))
        return left, np.where(np.abs(influence) < 1e-14, 0.0, influence)

    def _points(
        self, left: Reduced, asked: Mapping[str, Any] | None, every: bool
    ) -> tuple[dict[str, Location], list[str]]:
        """Return the points, and words where not every node is one."""
        named = dict(asked or {})
        for label, node in named.items():
            if node not in self.nodes:
                known = ", ".join(map(str, list(self.nodes)[:6])) + (", …" if len(self.nodes) > 6 else "")
                raise refusal("points", self.owner, f"must name nodes of the model ({known})", {label: node})
        found = {}
        for node in self.nodes if every else dict.fromkeys(named.values()):
            location = self._location(left, node)
            if location.rows.any():
                found[self.nodes[node][0]] = location
        found |= {label: self._location(left, node) for label, node in named.items()}
        return found, [] if every else ["of so many nodes only those named in `points` are points"]

    def _location(self, left: Reduced, node: Any) -> Location:
        _, _, ways = self.nodes[node]
        rows = np.zeros((3, len(left.names)))
        for way, equation in ways.items():
            rows += np.outer(self.turn[:, "xyz".index(way)], left.motions[equation])
        x, y, z = self._place(node)
        return Location((x, y, z), frozen(rows + 0.0))


def _unit(given: str, si: str, name: str, owner: str) -> float:
    """Return a unit in SI; that of SI itself needs no library."""
    return 1.0 if given == si else number(f"1 {given}", si, name=name, owner=owner, within=POSITIVE)


def _own(motions: Array) -> list[int]:
    """Return of each column of T the degree of freedom that it is."""
    alone = np.count_nonzero(motions, axis=1) == 1
    return [int(np.flatnonzero((column == 1.0) & alone)[0]) for column in motions.T]
