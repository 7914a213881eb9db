"""Random torsional buildings, and what they are, worked out slowly: no line of the package, no matrix product."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

import carom

Point = tuple[float, float]


class Told(NamedTuple):
    """A building as plain numbers, storeys by their columns."""

    masses: list[float]
    inertias: list[float]
    centres: list[Point]
    """Of mass, in plan."""
    columns: list[list[tuple[float, float, float, float, float]]]
    origin: Point
    angle: float
    plans: list[list[Point]]


def random_building(rng: np.random.Generator, floors: int | None = None) -> Told:
    """One to five floors, slabs that differ, columns where they happen to stand, turned and moved in the world."""
    n = int(rng.integers(1, 6)) if floors is None else floors
    plans, centres, columns = [], [], []
    for _ in range(n):
        width, depth = rng.uniform(5.0, 20.0, 2)
        plans.append([(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)])
        centres.append((width * rng.uniform(0.3, 0.7), depth * rng.uniform(0.3, 0.7)))
        count = int(rng.integers(2, 7))
        columns.append(
            [
                (rng.uniform(0, width), rng.uniform(0, depth), *rng.uniform(1e7, 1e8, 2), rng.choice([0.0, 1e8]))
                for _ in range(count)
            ]
        )
    masses = rng.uniform(5e4, 3e5, n)
    return Told(
        masses.tolist(), (masses * rng.uniform(2.0, 6.0, n) ** 2).tolist(), centres, columns,
        (float(rng.uniform(-50, 50)), float(rng.uniform(-50, 50))), float(rng.uniform(-4.0, 4.0)), plans,
    )  # fmt: skip


def as_carom(told: Told, by_columns: bool = True, **more: Any) -> carom.TorsionalBuilding:
    """State it by columns, or by the stiffnesses and centres that a textbook sums up from them."""
    given: dict[str, Any] = {
        "masses": told.masses, "inertias": told.inertias, "centres_of_mass": told.centres, "plan": told.plans,
        "origin": told.origin, "angle": told.angle,
    }  # fmt: skip
    if by_columns:
        return carom.TorsionalBuilding(columns=told.columns, **given, **more)
    found: dict[str, list[Any]] = {"x": [], "y": [], "turn": [], "centre": []}
    for storey in told.columns:
        along_x, along_y = sum(c[2] for c in storey), sum(c[3] for c in storey)
        xs = sum(c[3] * c[0] for c in storey) / along_y
        ys = sum(c[2] * c[1] for c in storey) / along_x
        found["x"].append(along_x)
        found["y"].append(along_y)
        found["centre"].append((xs, ys))
        found["turn"].append(sum(c[2] * (c[1] - ys) ** 2 + c[3] * (c[0] - xs) ** 2 + c[4] for c in storey))
    return carom.TorsionalBuilding(
        stiffnesses_x=found["x"], stiffnesses_y=found["y"], torsional_stiffnesses=found["turn"],
        centres_of_stiffness=found["centre"], **given, **more,
    )  # fmt: skip


def in_world(told: Told, point: Point) -> Point:
    c, s = math.cos(told.angle), math.sin(told.angle)
    return told.origin[0] + c * point[0] - s * point[1], told.origin[1] + s * point[0] + c * point[1]


def moved(told: Told, u: np.ndarray, floor: int, point: Point) -> tuple[float, float, float]:
    """How a point of a slab moves in the world, and how the slab turns: of a rigid body, for a small rotation."""
    if floor < 0:
        return 0.0, 0.0, 0.0
    ux, uy, turn = u[3 * floor : 3 * floor + 3]
    (x, y), (xc, yc) = in_world(told, point), in_world(told, told.centres[floor])
    return ux - turn * (y - yc), uy + turn * (x - xc), turn


def forces(told: Told, u: np.ndarray) -> np.ndarray:
    """What the columns resist with: forces along x and y and a moment about the centre of mass, on every floor."""
    found = np.zeros_like(u)
    c, s = math.cos(told.angle), math.sin(told.angle)
    for storey, columns in enumerate(told.columns):
        for x, y, kx, ky, own in columns:
            top, foot = moved(told, u, storey, (x, y)), moved(told, u, storey - 1, (x, y))
            dx, dy, turned = (a - b for a, b in zip(top, foot, strict=True))
            along, across = kx * (c * dx + s * dy), ky * (-s * dx + c * dy)
            fx, fy, moment = c * along - s * across, s * along + c * across, own * turned
            px, py = in_world(told, (x, y))
            for floor, sign in ((storey, 1.0), (storey - 1, -1.0)):
                if floor >= 0:
                    xc, yc = in_world(told, told.centres[floor])
                    found[3 * floor] += sign * fx
                    found[3 * floor + 1] += sign * fy
                    found[3 * floor + 2] += sign * ((px - xc) * fy - (py - yc) * fx + moment)
    return found


def stiffness_matrix(told: Told) -> np.ndarray:
    """Column by column: the forces of a unit displacement."""
    n = 3 * len(told.masses)
    return np.array([forces(told, unit) for unit in np.eye(n)]).T


def mass_matrix(told: Told) -> np.ndarray:
    return np.diag([value for m, j in zip(told.masses, told.inertias, strict=True) for value in (m, m, j)])
