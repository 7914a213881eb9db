"""Points of members and slabs: where they lie, and how they move by the displacements of their nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from carom.errors import refusal
from carom.structures.frame import element
from carom.structures.frame.assembly import Placed
from carom.structures.frame.members import Diaphragm, Member
from carom.structures.matrices import Array

__all__ = ["crossing", "outline_of", "point_of", "share_at", "slab_point", "wire"]


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


def slab_point(slab: Diaphragm, at: Array, nodes: Mapping[str, Array]) -> tuple[Array, Array]:
    """Return a point of a slab by its x and y: coordinates, and its rows of its first node's six, (3, 6)."""
    corner = nodes[slab.nodes[0]]
    x, y = at - corner[:2]
    rows = np.zeros((3, 6))
    rows[[0, 1], [0, 1]] = 1.0
    rows[:2, 5] = -y, x
    return np.array([*at, corner[2]]), rows


def crossing(members: Sequence[Member], nodes: Mapping[str, Array], height: float) -> dict[str, Array]:
    """Return the members that pass through a height between their nodes, and where they do."""
    found = {}
    for member in members:
        low, high = sorted((float(nodes[member.start][2]), float(nodes[member.end][2])))
        if low < height < high:
            share = share_at(member, nodes, height)
            found[member.name] = (1.0 - share) * nodes[member.start] + share * nodes[member.end]
    return found


def share_at(member: Member, nodes: Mapping[str, Array], height: float) -> float:
    """Return where a member passes through a height, from 0 at its start to 1 at its end."""
    start, end = float(nodes[member.start][2]), float(nodes[member.end][2])
    return (height - start) / (end - start)


def outline_of(points: Array, owner: str, level: int | float) -> Array:
    """Return the corners of the smallest convex area around points in plan, counter-clockwise."""
    try:
        corners: Array = points[ConvexHull(points).vertices]
    except (QhullError, ValueError):
        at = f"slab {level}" if isinstance(level, int) else f"what stands at {level:g} m"
        raise refusal(
            "facing", owner, "must have nodes around an area on each level", f"{at}, {len(points)} in a line",
            "Write a Contact for each place that can meet.",
        ) from None  # fmt: skip
    return corners
