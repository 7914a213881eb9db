"""Points of members: where they lie, and how they move by the displacements of their nodes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from carom.structures.frame import element
from carom.structures.frame.assembly import Placed
from carom.structures.frame.members import Member
from carom.structures.matrices import Array

__all__ = ["point_of", "wire"]


def point_of(member: Member, spot: Placed, nodes: Mapping[str, Array], share: float) -> tuple[Array, Array]:
    """Return a point at a share of a member from its start: coordinates, and its rows of the nodes' twelve, (3, 12)."""
    if member.kind == "beam":
        local = element.displacement_rows(share, spot.length, member.stiffnesses) @ spot.follow
    else:
        local = (1.0 - share) * spot.to_ends[:3] + share * spot.to_ends[6:9]
    start = nodes[member.start] + (member.offsets or ((0.0, 0.0, 0.0),))[0]
    return start + share * spot.length * spot.axes[0], spot.axes.T @ local


def wire(
    member: Member, spot: Placed, nodes: Mapping[str, Array], moved: Mapping[str, Array] | None, parts: int
) -> Array:
    """Return points along a member, moved by displacements of nodes where they are given; shape (parts + 1, 3)."""
    found = []
    for share in np.linspace(0.0, 1.0, parts + 1):
        position, rows = point_of(member, spot, nodes, float(share))
        if moved is not None:
            position = position + rows @ np.concatenate([moved[member.start], moved[member.end]])
        found.append(position)
    return np.array(found)
