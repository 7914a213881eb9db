"""How a structure in space is drawn: points that move with it, lines between them, levels seen from above."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from carom.structures.matrices import Array
from carom.structures.points import Location

__all__ = ["Level", "Line", "MemberForces", "Wireframe", "hull", "level_of", "moves_in_space", "of_points"]

Line = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Coordinates of both ends [m]."""

SAME_HEIGHT = 0.01
"""Points whose heights differ by less [m] belong to one level."""
SAME_PLACE = 1e-6
"""Points that lie closer in plan [m] stand above each other."""


class Level(NamedTuple):
    """A slab, or points at one height."""

    name: str
    corners: tuple[int, ...]
    """The points around it, counter-clockwise; one or two where it has no extent."""
    centre: int
    """The point that stands for it."""
    turning: Array
    """Row of its rotation about the vertical axis, counter-clockwise, shape (dofs,)."""


class MemberForces(NamedTuple):
    """Forces in M members, by what displacements do."""

    names: tuple[str, ...]
    """Of the members; these are the first M edges."""
    rows: Array
    """Axial force, tension positive, shear forces along both local axes [N]; bending moments about both at the start,
    and at the end [N·m]. Shape (M, 7, dofs)."""


class Wireframe(NamedTuple):
    """P points, what joins them, and levels."""

    names: tuple[str, ...]
    """Of the points."""
    positions: Array
    """Shape (P, 3) [m]."""
    rows: Array
    """How the points move along x, y and z relative to the ground, shape (P, 3, dofs)."""
    edges: tuple[tuple[int, int], ...]
    levels: tuple[Level, ...]
    bends: tuple[tuple[int, ...], ...] = ()
    """Of the first edges: the points between their ends, through which they bend."""
    forces: MemberForces | None = None


def moves_in_space(points: Mapping[str, Location]) -> bool:
    """Whether some point with coordinates moves along y or z."""
    return any(point.position is not None and point.rows[1:].any() for point in points.values())


def hull(plan: Array) -> list[int]:
    """Return the points of a plan (P, 2) that lie around it, counter-clockwise (the monotone chain of Andrew)."""
    order = sorted(range(len(plan)), key=lambda i: (plan[i, 0], plan[i, 1]))

    def chain(points: Iterable[int]) -> list[int]:
        found: list[int] = []
        for i in points:
            while len(found) > 1:
                one, other = plan[found[-1]] - plan[found[-2]], plan[i] - plan[found[-2]]
                if one[0] * other[1] - one[1] * other[0] > SAME_PLACE**2:
                    break
                found.pop()
            found.append(i)
        return found

    lower, upper = chain(order), chain(reversed(order))
    return lower[:-1] + upper[:-1] or order


def level_of(
    name: str, members: Sequence[int], positions: list[Array], rows: list[Array], names: list[str]
) -> Level | None:
    """Return the level of some points, its centre put behind the others; None where nothing of it moves.

    Its motion is the rigid one in plan that is nearest to the points'; of a rigid slab that is its own.
    """
    if not any(rows[i].any() for i in members):
        return None
    plan, moved = np.array([positions[i][:2] for i in members]), np.array([rows[i] for i in members])
    middle = plan.mean(axis=0)
    arms = plan - middle
    inertia = float((arms**2).sum())
    turning = (arms[:, 0] @ moved[:, 1] - arms[:, 1] @ moved[:, 0]) / inertia if inertia > SAME_PLACE**2 else None
    positions.append(np.array([*middle, float(np.mean([positions[i][2] for i in members]))]))
    rows.append(moved.mean(axis=0))
    names.append(f"{name} centre")
    around = tuple(members[i] for i in hull(plan))
    return Level(name, around, len(positions) - 1, np.zeros(rows[0].shape[1]) if turning is None else turning)


def of_points(points: Mapping[str, Location], lines: Sequence[Line] = ()) -> Wireframe | None:
    """Return how a structure of which points are known is drawn: its lines, levels where heights agree.

    Without lines, uprights stand below the points. An end of a line where no point stands does not move.
    """
    placed = {name: point for name, point in points.items() if point.position is not None}
    if not moves_in_space(placed):
        return None
    names = list(placed)
    positions = [np.array(point.position) for point in placed.values()]
    rows = [np.array(point.rows) for point in placed.values()]
    heights = np.array([at[2] for at in positions])
    groups: list[list[int]] = []
    for i in np.argsort(heights, kind="stable").tolist():
        if groups and heights[i] - heights[groups[-1][0]] < SAME_HEIGHT:
            groups[-1].append(i)
        else:
            groups.append([i])
    join = _along_lines if lines else _uprights
    edges = join(lines, positions, rows, names)
    levels = [level_of(f"level {heights[one[0]]:g} m", one, positions, rows, names) for one in groups]
    return Wireframe(
        tuple(names), np.array(positions), np.array(rows), tuple(edges), tuple(one for one in levels if one)
    )


def _along_lines(
    lines: Sequence[Line], positions: list[Array], rows: list[Array], names: list[str]
) -> list[tuple[int, int]]:
    """Return lines as edges between points; ends that do not move are put behind the points."""
    places = {tuple(np.round(at, 6).tolist()): i for i, at in reversed(list(enumerate(positions)))}
    found = []
    for line in lines:
        ends = []
        for end in line:
            key = tuple(np.round(end, 6).tolist())
            if key not in places:
                places[key] = len(positions)
                positions.append(np.array(end))
                rows.append(np.zeros_like(rows[0]))
                names.append(f"support {len(positions)}")
            ends.append(places[key])
        if ends[0] != ends[1]:
            found.append((ends[0], ends[1]))
    return found


def _uprights(_: Sequence[Line], positions: list[Array], rows: list[Array], names: list[str]) -> list[tuple[int, int]]:
    """Return edges from each point to the one below it, or to the ground, whose points are put behind the others."""
    heights = [float(at[2]) for at in positions]
    found: list[tuple[int, int]] = []
    for i in range(len(heights)):
        below = [j for j in range(len(heights)) if heights[j] < heights[i] and _above(positions[i], positions[j])]
        if below:
            found.append((max(below, key=lambda j: heights[j]), i))
        elif heights[i] > 0.0:
            found.append((len(positions), i))
            positions.append(np.array([*positions[i][:2], 0.0]))
            rows.append(np.zeros_like(rows[0]))
            names.append(f"below {names[i]}")
    return found


def _above(one: Array, other: Array) -> bool:
    return bool(np.hypot(*(one - other)[:2]) < SAME_PLACE)
