"""What a user says of a torsional building, taken and checked field by field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from carom.errors import InputError, refusal
from carom.structures.torsional.plan import Plan, is_point, points_of
from carom.structures.torsional.storeys import storey_of
from carom.units import ANY, NONNEGATIVE, POSITIVE, array, number

if TYPE_CHECKING:
    from carom.structures.torsional.building import TorsionalBuilding

__all__ = ["centres", "columns", "floors_of", "heights", "numbers", "point", "polygons", "refuse_centres_outside",
           "refuse_missing"]  # fmt: skip

NUMBERS = (
    "masses", "stiffnesses_x", "stiffnesses_y", "torsional_stiffnesses", "width", "depth", "radii", "inertias",
)  # fmt: skip
STIFFNESSES = ("stiffnesses_x", "stiffnesses_y", "torsional_stiffnesses")
COLUMN_UNITS = {"x": "m", "y": "m", "kx": "N/m", "ky": "N/m", "kz": "N*m"}


def refuse_missing(building: TorsionalBuilding) -> None:
    """Refuse what says too little of a building, or something twice."""
    owner = building.owner
    if building.masses is None:
        raise InputError(f"{owner} needs `masses` [kg], one for each floor.")
    given = [name for name in STIFFNESSES if getattr(building, name) is not None]
    if building.columns is None and len(given) < len(STIFFNESSES):
        missing = ", ".join(f"`{name}`" for name in STIFFNESSES if name not in given)
        raise InputError(f"{owner} needs {missing}, or all of a storey's `columns` instead.")
    for name in (*given, *(("centres_of_stiffness",) if building.centres_of_stiffness is not None else ())):
        if building.columns is not None:
            raise InputError(f"{owner} takes `{name}` or `columns`, not both: it follows from the columns.")
    if (building.width is None) != (building.depth is None) or (building.width is None) == (building.plan is None):
        raise InputError(f"{owner} needs `width` and `depth` of its slabs [m], or the vertices of their `plan`.")
    if building.radii is not None and building.inertias is not None:
        raise InputError(f"{owner} takes `radii` or `inertias`, not both.")


def floors_of(building: TorsionalBuilding) -> int:
    """Return the number of floors: of the longest list."""
    sizes = [1]
    for depth, names in ((0, (*NUMBERS, "heights")), (1, ("centres_of_mass", "centres_of_stiffness")),
                         (2, ("plan", "columns"))):  # fmt: skip
        sizes += [len(given) for name in names if _listed(given := getattr(building, name), depth)]
    return max(sizes)


def _listed(given: Any, depth: int) -> bool:
    """Whether something is a list of what itself stands `depth` brackets deep."""
    for _ in range(depth):
        if not _is_list(given) or not len(given):
            return False
        given = given[0]
    return _is_list(given)


def _is_list(given: Any) -> bool:
    return isinstance(given, (Sequence, np.ndarray)) and not isinstance(given, str) and getattr(given, "ndim", 1) > 0


def numbers(building: TorsionalBuilding, name: str, unit: str, n: int) -> tuple[float, ...]:
    """Take a positive number for each floor."""
    given = getattr(building, name)
    values = array(given, unit, name=name, owner=building.owner, within=POSITIVE)
    if values.ndim > 1 or values.size not in (1, n):
        rule = f"must be one number, or one for each of {n} floors"
        raise refusal(name, building.owner, rule, values.size, "Lists go bottom to top.")
    found: tuple[float, ...] = tuple(np.broadcast_to(values, n).tolist())
    return found


def heights(building: TorsionalBuilding, n: int) -> tuple[float, ...] | None:
    """Take heights above ground, or one storey height."""
    if building.heights is None:
        return None
    given = array(building.heights, "m", name="heights", owner=building.owner, within=POSITIVE)
    found = float(given) * np.arange(1, n + 1) if given.ndim == 0 else given
    if found.shape != (n,):
        raise refusal("heights", building.owner, f"must be one storey height, or {n} heights above ground",
                      building.heights)  # fmt: skip
    if np.any(np.diff(found) <= 0.0):
        raise refusal(
            "heights", building.owner, "must increase from floor to floor, they are heights above ground",
            found.tolist(), "Storey heights become so by numpy.cumsum.",
        )  # fmt: skip
    return tuple(found.tolist())


def point(building: TorsionalBuilding, name: str) -> tuple[float, float]:
    """Take x and y."""
    given = getattr(building, name)
    if not is_point(given):
        raise refusal(name, building.owner, "must be x and y", given, 'Write ("3 m", "2.5 m").')
    return points_of(given, name, building.owner)[0]


def centres(building: TorsionalBuilding, name: str, n: int) -> tuple[tuple[float, float], ...] | None:
    """Take a point for each floor, or one for all."""
    if getattr(building, name) is None:
        return None
    return _each(points_of(getattr(building, name), name, building.owner), n, name, building.owner)


def polygons(building: TorsionalBuilding, n: int) -> tuple[tuple[tuple[float, float], ...], ...] | None:
    """Take the vertices of the slab of each floor, or those of all."""
    given = building.plan
    if given is None:
        return None
    several = given if _listed(given, 2) else (given,)
    return _each([Plan.of(one, building.owner).vertices for one in several], n, "plan", building.owner)


def columns(building: TorsionalBuilding, n: int) -> tuple[tuple[tuple[float, ...], ...], ...] | None:
    """Take the columns of each storey, or those of all; refuse what stands beside the slab or holds nothing."""
    given, owner = building.columns, building.owner
    if given is None:
        return None
    several = given if _listed(given, 2) else (given,)
    found = _each([_columns(one, owner) for one in several], n, "columns", owner)
    for storey, (own, plan) in enumerate(zip(found, building.plans, strict=True), 1):
        for x, y, *_ in own:
            if not plan.holds(x, y):
                raise refusal("columns", owner, f"must stand under the slab of floor {storey}", (x, y),
                              "Coordinates are those of the plan.")  # fmt: skip
    for storey, springs in enumerate((storey_of(np.array(own))[:3] for own in found), 1):
        for what, stiffness in zip(("along x", "along y", "about the vertical axis"), springs, strict=True):
            if not stiffness > 0.0:
                raise refusal("columns", owner, f"must resist {what} in storey {storey}", stiffness,
                              "Add columns or walls, or stiffness about their own axis as a fifth number.")  # fmt: skip
    return found


def _columns(given: Any, owner: str) -> tuple[tuple[float, ...], ...]:
    """Take one storey's columns, each filled up to five numbers."""
    rule = "must be a list of columns and walls, each x, y, kx, ky and perhaps kz"
    way_out = 'Write [(0, 0, "5 MN/m", "5 MN/m"), …].'
    if not _is_list(given) or not len(given):
        raise refusal("columns", owner, rule, given, way_out)
    found = []
    for column in given:
        if not _is_list(column) or len(column) not in (4, 5):
            raise refusal("columns", owner, rule, column, way_out)
        values = [
            number(value, unit, name=f"{what} in columns", owner=owner, within=NONNEGATIVE if what[0] == "k" else ANY)
            for value, (what, unit) in zip(column, COLUMN_UNITS.items(), strict=False)
        ]
        found.append((*values, *(0.0,) * (5 - len(values))))
    return tuple(found)


def _each(found: Sequence[Any], n: int, name: str, owner: str) -> tuple[Any, ...]:
    """Return one for each floor."""
    if len(found) not in (1, n):
        raise refusal(name, owner, f"must be one for all, or one for each of {n} floors", len(found))
    return tuple(found) * (n if len(found) == 1 else 1)


def refuse_centres_outside(building: TorsionalBuilding) -> None:
    """Refuse a mass that its slab cannot have where it is said to be."""
    for floor, (plan, centre) in enumerate(zip(building.plans, building.mass_centres, strict=True), 1):
        low, high = plan.corners.min(axis=0), plan.corners.max(axis=0)
        if np.any(centre < low) or np.any(centre > high):
            shifted = building.accidental_x or building.accidental_y
            raise refusal(
                "accidental_x, accidental_y" if shifted else "centres_of_mass", building.owner,
                f"must leave the centre of mass above the slab of floor {floor}, "
                f"x {low[0]:g} to {high[0]:g} m and y {low[1]:g} to {high[1]:g} m",
                tuple(centre.tolist()), "Coordinates are those of the plan.",
            )  # fmt: skip
