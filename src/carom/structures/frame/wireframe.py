"""How a frame is drawn: its members between nodes, bent as they are, its slabs seen from above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from carom.structures.drawing.wireframe import SAME_HEIGHT, Level, MemberForces, Wireframe, hull, level_of
from carom.structures.frame.assembly import Placed
from carom.structures.frame.members import Diaphragm, Link, Member
from carom.structures.frame.places import point_of
from carom.structures.matrices import Array

__all__ = ["wireframe_of"]

BENT_AT = (0.25, 0.5, 0.75)
"""Where between its ends a beam is drawn through points of its own, as shares of its length."""
MOST_BENT = 1000
"""Members; of frames with more, all are drawn straight."""
AXIAL, FIRST, LAST = 6, (1, 2, 4, 5), (10, 11)
"""Which of the twelve forces on a member's ends are kept: its axial force, shears and moments at the start, moments at
the end."""


def wireframe_of(
    nodes: Mapping[str, Array], members: Sequence[Member], links: Sequence[Link], diaphragms: Sequence[Diaphragm],
    motions: Array, placed: Mapping[str, Placed],
) -> Wireframe:  # fmt: skip
    """Return members and rigid arms as lines and slabs as levels; `motions` are those of the nodes, shape (6N, dofs).

    Where there are no slabs, nodes at one height are a level.
    """
    names = list(nodes)
    index = {name: i for i, name in enumerate(names)}
    positions = [np.array(at) for at in nodes.values()]
    rows = list(motions.reshape(len(names), 6, -1)[:, :3])
    turning = motions[5::6]
    ends = [(member.start, member.end) for member in members] + [(link.node, link.to) for link in links]
    edges = tuple((index[start], index[end]) for start, end in ends)
    levels: list[Level | None] = [_slab(slab, index, positions, rows, names, turning) for slab in diaphragms]
    if not levels:
        heights = sorted({round(float(at[2]) / SAME_HEIGHT) for at in nodes.values()})
        for height in heights:
            here = [i for name, i in index.items() if round(float(nodes[name][2]) / SAME_HEIGHT) == height]
            levels.append(level_of(f"level {height * SAME_HEIGHT:g} m", here, positions, rows, names))
    bends: list[tuple[int, ...]] = []
    for member in members if len(members) <= MOST_BENT else ():
        first, spot = len(positions), placed[member.name]
        for share in BENT_AT if member.kind == "beam" else ():
            at, own = point_of(member, spot, nodes, share)
            positions.append(at)
            rows.append(own @ motions[spot.at])
            names.append(f"{member.name} at {share:g}")
        bends.append(tuple(range(first, len(positions))))
    return Wireframe(
        tuple(names), np.array(positions), np.array(rows), edges, tuple(one for one in levels if one), tuple(bends),
        _forces(members, placed, motions),
    )  # fmt: skip


def _forces(members: Sequence[Member], placed: Mapping[str, Placed], motions: Array) -> MemberForces | None:
    """Return the rows of the forces in members; None where there are none."""
    kept = [AXIAL, *FIRST, *LAST]
    rows = [(spot.stiffness[kept] @ spot.follow) @ motions[spot.at] for spot in (placed[m.name] for m in members)]
    return MemberForces(tuple(member.name for member in members), np.array(rows)) if rows else None


def _slab(
    slab: Diaphragm, index: Mapping[str, int], positions: list[Array], rows: list[Array], names: list[str],
    turning: Array,
) -> Level:  # fmt: skip
    """Return a rigid slab, the centre of its mass put behind the other points."""
    members = [index[node] for node in slab.nodes]
    plan = np.array([positions[i][:2] for i in members])
    at = plan.mean(axis=0) if slab.at is None else np.array(slab.at)
    first, turn = members[0], turning[members[0]]
    x, y = at - positions[first][:2]
    names.append(slab.name)
    positions.append(np.array([*at, positions[first][2]]))
    rows.append(np.stack([rows[first][0] - y * turn, rows[first][1] + x * turn, np.zeros_like(turn)]))
    return Level(slab.name, tuple(members[i] for i in hull(plan)), len(positions) - 1, turn)
