"""How a frame is drawn: its members between nodes, its slabs seen from above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from carom.structures.frame.members import Diaphragm, Link, Member
from carom.structures.matrices import Array
from carom.structures.wireframe import SAME_HEIGHT, Level, Wireframe, hull, level_of

__all__ = ["wireframe_of"]


def wireframe_of(
    nodes: Mapping[str, Array], members: Sequence[Member], links: Sequence[Link], diaphragms: Sequence[Diaphragm],
    motions: Array,
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
    return Wireframe(tuple(names), np.array(positions), np.array(rows), edges, tuple(one for one in levels if one))


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
