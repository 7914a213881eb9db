"""A frame at rest under constant loads: displacements, member forces, reactions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from carom.structures.frame import element
from carom.structures.frame.assembly import Assembled, centre_of, solved
from carom.structures.frame.members import WAYS, Diaphragm, Member
from carom.structures.matrices import Array

__all__ = ["FORCES", "Static", "is_force", "loads_of", "static"]

FORCES = ("n", "vy", "vz", "t", "my", "mz")
"""Forces on an end of a member in local axes: along x, y and z [N], moments about them [N·m]."""


class Static(NamedTuple):
    """What loads do to a frame."""

    displacements: dict[str, Array]
    """Of nodes: ux, uy, uz [m], rx, ry, rz [rad]."""
    forces: dict[str, Array]
    """On both ends of members in local axes, n, vy, vz, t, my, mz at the start, then at the end; shape (12,)."""
    reactions: dict[str, Array]
    """Of supports on their nodes: three forces [N], three moments [N·m]."""

    def tension(self, member: str) -> float:
        """Return the axial force of a member, mean of both ends, tension positive [N]."""
        ends = self.forces[member]
        return float(0.5 * (ends[6] - ends[0]))


def loads_of(
    nodes: Mapping[str, Array], members: Sequence[Member], diaphragms: Sequence[Diaphragm], loads: Mapping[str, Array],
    weights: Mapping[str, float], gravity: float, of: Assembled,
) -> tuple[Array, dict[str, Array]]:  # fmt: skip
    """Return the forces on all displacements of nodes, shape (6N,), and those of member loads on held ends."""
    where = {name: 6 * i for i, name in enumerate(nodes)}
    forces = np.zeros(6 * len(nodes))
    slabs = {slab.name: slab for slab in diaphragms}
    for name, values in loads.items():
        node, force = (name, values) if name in where else _at_first_node(slabs[name], values, nodes)
        forces[where[node] : where[node] + 6] += force
    for node, mass in weights.items():
        forces[where[node] + 2] -= mass * gravity
    fixed = {}
    for member in members:
        load = np.array(member.load) - [0.0, 0.0, member.mass_per_length * gravity]
        if not load.any():
            continue
        spot = of.placed[member.name]
        local = spot.axes @ load
        if member.kind == "beam":
            whole = element.uniform_load(spot.length, local, member.stiffnesses)
        else:
            whole = np.zeros(12)
            whole[0:3] = whole[6:9] = 0.5 * spot.length * local
        forces[spot.at] += spot.follow.T @ whole
        if (free := member.free_ends()).size:  # what an end lets go is zero, and the others take its share over
            share = np.linalg.solve(spot.stiffness[np.ix_(free, free)], whole[free])
            whole = whole - spot.stiffness[:, free] @ share
        fixed[member.name] = whole
    return forces, fixed


def _at_first_node(slab: Diaphragm, force: Array, nodes: Mapping[str, Array]) -> tuple[str, Array]:
    """Return a node of a slab, and there the force that does what one at its centre of mass does."""
    node = slab.nodes[0]
    x, y = centre_of(slab, nodes) - nodes[node][:2]
    moved = force.copy()
    moved[5] += x * force[1] - y * force[0]
    return node, moved


def static(
    nodes: Mapping[str, Array], held: Mapping[str, frozenset[str]], of: Assembled, forces: Array,
    fixed: Mapping[str, Array],
) -> Static:  # fmt: skip
    """Return the frame at rest under forces on its nodes; `fixed` are the parts that come from member loads."""
    found = solved(of, of.expand.T @ forces)
    left = of.nodes_stiffness @ found - forces
    names = list(nodes)
    reactions = {
        name: np.where([way in ways for way in WAYS], left[6 * names.index(name) : 6 * names.index(name) + 6], 0.0)
        for name, ways in held.items()
    }
    ends = {
        name: spot.stiffness @ (spot.follow @ found[spot.at]) - fixed.get(name, 0.0) for name, spot in of.placed.items()
    }
    return Static({name: found[6 * i : 6 * i + 6] for i, name in enumerate(names)}, ends, reactions)


def is_force(place: object) -> bool:
    """Return whether a place is a member force, or a sum of such."""
    if isinstance(place, Mapping):
        return bool(place) and all(is_force(one) for one in place)
    return isinstance(place, tuple) and len(place) == 3 and all(isinstance(word, str) for word in place)
