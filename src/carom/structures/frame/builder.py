"""Regular moment frames in a few words: storeys, bays, columns, beams, slabs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, product
from typing import Any, NamedTuple

import numpy as np

from carom.errors import refusal
from carom.structures.frame.material import Material
from carom.structures.frame.members import Diaphragm, Member
from carom.structures.frame.section import Section
from carom.units import NONNEGATIVE, POSITIVE, array, number

__all__ = ["moment_frame_parts"]

OWNER = "Frame.moment_frame"
WAY = 'Write setbacks={4: {"bays": (1, 2)}}: from storey 4 upwards bays 1 to 2 go on, with all rows.'


def moment_frame_parts(
    storeys: Any, bays: Any, rows: Any, columns: Any, beams: Any, material: Material, slab: Any, supports: Any,
    origin: Any, setbacks: Any = None,
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
    reach = _reaches(setbacks, len(heights), len(widths), len(depths))
    grid = [
        (i, j, k)
        for i, j, k in product(range(len(x)), range(len(y)), range(len(z)))
        if reach[max(k - 1, 0)].holds(i, j)
    ]
    nodes = {_node(i, j, k): (x[i], y[j], z[k]) for i, j, k in grid}
    of_storey = _of_storeys(columns, "columns", len(heights))
    of_floor = _of_storeys(beams, "beams", len(heights))
    members = []
    for i, j, k in grid:
        here = _node(i, j, k)
        if k > 0:
            members.append(Member(_node(i, j, k - 1), here, of_storey[k - 1], material, name=f"column {here}"))
            if i > 0 and reach[k - 1].holds(i - 1, j):
                members.append(Member(_node(i - 1, j, k), here, of_floor[k - 1], material, name=f"beam-x {here}"))
            if j > 0 and reach[k - 1].holds(i, j - 1):
                members.append(Member(_node(i, j - 1, k), here, of_floor[k - 1], material, name=f"beam-y {here}"))
    return {
        "nodes": nodes,
        "members": members,
        "supports": {_node(i, j, 0): supports for i, j, k in grid if k == 0},
        "diaphragms": _slabs(slab, x, y, reach),
        "plane": "xz" if flat else None,
    }


class Reach(NamedTuple):
    """The columns that stand in a storey: from which to which along x and along y, both included, from 0."""

    along_x: tuple[int, int]
    along_y: tuple[int, int]

    def holds(self, i: int, j: int) -> bool:
        """Whether a column is among them."""
        return self.along_x[0] <= i <= self.along_x[1] and self.along_y[0] <= j <= self.along_y[1]


def _reaches(setbacks: Any, storeys: int, bays: int, rows: int) -> list[Reach]:
    """Return which columns stand in each storey; a setback holds from its storey upwards."""
    given = {} if setbacks is None else setbacks
    if not isinstance(given, Mapping):
        raise refusal("setbacks", OWNER, "must map storeys to the bays and rows that go on", setbacks, WAY)
    now = Reach((0, bays), (0, rows))
    found = []
    for storey in given:
        if isinstance(storey, bool) or not isinstance(storey, (int, np.integer)) or not 2 <= storey <= storeys:
            raise refusal("setbacks", OWNER, f"must begin in a storey, 2…{storeys}", storey, WAY)
    for storey in range(1, storeys + 1):
        if storey in given:
            asked = given[storey]
            if not isinstance(asked, Mapping) or not asked or set(asked) - {"bays", "rows"}:
                raise refusal(f"setbacks[{storey}]", OWNER, "must say `bays`, `rows` or both", asked, WAY)
            now = Reach(
                _narrowed(asked.get("bays"), now.along_x, f"setbacks[{storey}] bays"),
                _narrowed(asked.get("rows"), now.along_y, f"setbacks[{storey}] rows"),
            )
        found.append(now)
    return found


def _narrowed(asked: Any, now: tuple[int, int], name: str) -> tuple[int, int]:
    """Return the columns around bays (first, last), from 1, which must be among those of the storey below."""
    if asked is None:
        return now
    whole = isinstance(asked, Sequence) and not isinstance(asked, str) and len(asked) == 2
    if not whole or any(isinstance(one, bool) or not isinstance(one, (int, np.integer)) for one in asked):
        raise refusal(name, OWNER, "must be the first and the last that go on, from 1", asked, WAY)
    first, last = int(asked[0]) - 1, int(asked[1])
    if not now[0] <= first < last <= now[1]:
        rule = f"must lie among those of the storey below, {now[0] + 1} to {now[1]}"
        raise refusal(name, OWNER, rule, tuple(asked), WAY)
    return first, last


def _slabs(slab: Any, x: Sequence[float], y: Sequence[float], reach: Sequence[Reach]) -> list[Diaphragm]:
    """Return a rigid slab for each floor; none where `slab` is None. Of a plane frame `slab` is a mass per length.

    Its mass lies evenly: the centre is that of its area, wherever columns stand.
    """
    if slab is None:
        return []
    plane = len(y) == 1
    per = number(slab, "kg/m" if plane else "kg/m^2", name="slab", owner=OWNER, within=NONNEGATIVE)
    found = []
    for level, ((west, east), (south, north)) in enumerate(reach, 1):
        long, wide = x[east] - x[west], y[north] - y[south]
        mass = per * long * (1.0 if plane else wide)
        nodes = tuple(_node(i, j, level) for i, j in product(range(west, east + 1), range(south, north + 1)))
        found.append(Diaphragm(
            f"floor {level}", nodes, at=(x[west] + 0.5 * long, y[south] + 0.5 * wide), mass=mass,
            inertia=mass * (long**2 + wide**2) / 12.0,
        ))  # fmt: skip
    return found


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
