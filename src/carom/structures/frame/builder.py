"""Regular moment frames in a few words: storeys, bays, columns, beams, slabs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, product
from typing import Any

from carom.errors import refusal
from carom.structures.frame.material import Material
from carom.structures.frame.members import Diaphragm, Member
from carom.structures.frame.section import Section
from carom.units import NONNEGATIVE, POSITIVE, array, number

__all__ = ["moment_frame_parts"]

OWNER = "Frame.moment_frame"


def moment_frame_parts(
    storeys: Any, bays: Any, rows: Any, columns: Any, beams: Any, material: Material, slab: Any, supports: Any,
    origin: Any,
) -> dict[str, Any]:  # fmt: skip
    """Return the fields of a regular frame; `carom.Frame.moment_frame` explains the arguments."""
    heights, widths, depths = (
        _lengths(given, name)
        for given, name in ((storeys, "storeys"), (bays, "bays"), (() if rows is None else rows, "rows"))
    )
    if not heights or not widths:
        raise refusal("bays" if heights else "storeys", OWNER, "must not be empty", bays if heights else storeys)
    start = array(origin, "m", name="origin", owner=OWNER)
    if start.shape != (3,):
        raise refusal("origin", OWNER, "must be three coordinates x, y, z", origin)
    x0, y0, z0 = start.tolist()
    x, y, z = (list(accumulate(steps, initial=at)) for steps, at in ((widths, x0), (depths, y0), (heights, z0)))
    flat = not depths
    grid = list(product(range(len(x)), range(len(y)), range(len(z))))
    nodes = {_node(i, j, k): (x[i], y[j], z[k]) for i, j, k in grid}
    of_storey = _of_storeys(columns, "columns", len(heights))
    of_floor = _of_storeys(beams, "beams", len(heights))
    members = []
    for i, j, k in grid:
        here = _node(i, j, k)
        if k > 0:
            members.append(Member(_node(i, j, k - 1), here, of_storey[k - 1], material, name=f"column {here}"))
            if i > 0:
                members.append(Member(_node(i - 1, j, k), here, of_floor[k - 1], material, name=f"beam-x {here}"))
            if j > 0:
                members.append(Member(_node(i, j - 1, k), here, of_floor[k - 1], material, name=f"beam-y {here}"))
    return {
        "nodes": nodes,
        "members": members,
        "supports": {_node(i, j, 0): supports for i, j, k in grid if k == 0},
        "diaphragms": _slabs(slab, sum(widths), sum(depths), len(x), len(y), len(z)),
        "plane": "xz" if flat else None,
    }


def _slabs(slab: Any, long: float, wide: float, columns: int, rows: int, levels: int) -> list[Diaphragm]:
    """Return a rigid slab for each floor; none where `slab` is None. Of a plane frame `slab` is a mass per length."""
    if slab is None:
        return []
    unit, area = ("kg/m^2", long * wide) if wide else ("kg/m", long)
    mass = area * number(slab, unit, name="slab", owner=OWNER, within=NONNEGATIVE)
    inertia = mass * (long**2 + wide**2) / 12.0
    return [
        Diaphragm(
            f"floor {level}", tuple(_node(i, j, level) for i in range(columns) for j in range(rows)), mass=mass,
            inertia=inertia,
        )
        for level in range(1, levels)
    ]  # fmt: skip


def _node(i: int, j: int, level: int) -> str:
    """Return the name of a node: which column along x, which along y, which level, each from 0."""
    return f"{i}-{j}-{level}"


def _lengths(given: Any, name: str) -> list[float]:
    if isinstance(given, str) or not hasattr(given, "__len__"):
        raise refusal(name, OWNER, "must be a list of lengths", given, f'Write {name}=["4 m"] * 3.')
    return [number(value, "m", name=name, owner=OWNER, within=POSITIVE) for value in given]


def _of_storeys(given: Any, name: str, storeys: int) -> Sequence[Section]:
    """Return a section for each storey, from one for all or a list, bottom to top."""
    found = [given] * storeys if isinstance(given, Section) else given
    sound = isinstance(found, Sequence) and all(isinstance(one, Section) for one in found)
    if not sound or len(found) != storeys:
        rule = f"must be a carom.Section, or one for each of {storeys} storeys, bottom to top"
        raise refusal(name, OWNER, rule, given)
    return list(found)
