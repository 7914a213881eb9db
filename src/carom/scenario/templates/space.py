"""Scenarios in space to start from: buildings that turn, and frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from carom.units import number

__all__ = ["frame_text", "frames_contacts", "space_motion", "torsional_contact", "torsional_text"]

WIDTH, DEPTH = 12.0, 18.0
"""Of the slabs of a building that turns [m]."""
SPREAD = 1.5
"""Its torsional stiffness, as a multiple of k(w² + d²)/12: walls stand farther out than a uniform spread."""
OFF = 1.0
"""How far north of the middle its mass is centred [m]."""
BAY, ROW = 6.0, 5.0
"""Distances of the columns of a frame [m]."""


def torsional_text(name: str, place: int, floors: int, values: Sequence[str], gap: str, *, commented: bool) -> str:
    """Return a building that turns; `values` are floor mass, storey stiffness and storey height."""
    mass, stiffness, height = values
    turning = SPREAD * number(stiffness, "N/m", name="stiffnesses", owner="new") * (WIDTH**2 + DEPTH**2) / 12.0
    origin = place * (WIDTH + number(gap, "m", name="gap", owner="new"))
    north = DEPTH / 2.0 + (OFF if place == 0 else 0.0)
    lines = [
        (f"[structures.{name}]", "x points east, y north; the first slab above ground is 1"),
        ('kind = "torsional-building"', "or moment-frame, frame, matrices, shear-building …"),
        (f"floors = {floors}", ""),
        (f'masses = "{mass}"', "one value for all floors, or a list from bottom to top"),
        (f'stiffnesses_x = "{stiffness}"', "of the storeys, along x"),
        (f'stiffnesses_y = "{stiffness}"', ""),
        (f'torsional_stiffnesses = "{turning / 1e9:.4g} GN*m"', "or columns = [[x, y, kx, ky], …]"),
        (f'width = "{WIDTH:g} m"', "of the slabs, along x; or plan = [[0, 0], [12, 0], …]"),
        (f'depth = "{DEPTH:g} m"', ""),
        (f'centres_of_mass = ["{WIDTH / 2:g} m", "{north:g} m"]', "off the middle, the building turns"),
        ("# accidental_y = \"5 %\"", "every mass moves north by this share of the slab"),
        (f'origin = ["{origin:g} m", 0]', "where the south-west corner stands"),
        (f'heights = "{height}"', "of every storey; or a list of heights above ground"),
        ('damping_ratio = "5 %"', "of critical, in every mode"),
    ]  # fmt: skip
    return _written(lines, commented)


def torsional_contact(left: str, right: str, gap: str) -> str:
    """Return the contact between two buildings that turn."""
    return f"""[[contacts]]  # two names: on all levels, at both ends of the edges that face each other
left = "{left}"
right = "{right}"
gap = ["{gap}", "{gap}"]  # at the southern and at the northern end; they need not be equal
law = "slabs"

# [[contacts]]  # one place: a corner, the middle of an edge, or x and y in plan, and along which direction
# left = {{structure = "{left}", floor = 1, corner = "ne", direction = "x"}}
# right = {{structure = "{right}", floor = 1, corner = "nw"}}
# gap = "{gap}"
# law = "slabs"
"""


def frame_text(name: str, place: int, floors: int, height: str, gap: str, *, commented: bool) -> str:
    """Return a regular frame of one bay and one row."""
    origin = place * (BAY + number(gap, "m", name="gap", owner="new"))
    storeys = ", ".join([f'"{height}"'] * floors)
    lines = [
        (f"[structures.{name}]", "nodes are called i-j-level, slabs floor 1 and so on"),
        ('kind = "moment-frame"', "or frame: node by node and member by member"),
        (f"storeys = [{storeys}]", "heights, bottom to top"),
        (f'bays = ["{BAY:g} m"]', "distances of the columns along x"),
        (f'rows = ["{ROW:g} m"]', "and along y; without it the frame is plane"),
        ('columns = {rectangle = ["0.4 m", "0.4 m"]}', 'or "HEB 240"; or one for each storey'),
        ('beams = {rectangle = ["0.3 m", "0.5 m"]}', ""),
        ('material = "concrete"', 'or steel, or {young = "30 GPa", poisson = 0.2, density = "2500 kg/m^3"}'),
        ('slab = "600 kg/m^2"', "a rigid slab on each floor"),
        (f'origin = ["{origin:g} m", 0, 0]', "foot of the first column"),
        ("gravity = true", "weight acts: columns are softer under it"),
        ('damping_ratio = "5 %"', "of critical, in every mode"),
    ]  # fmt: skip
    return _written(lines, commented)


def frames_contacts(left: str, right: str, floors: int, gap: str) -> Iterator[str]:
    """Yield the contacts between two frames: both corners of every slab that has one beside it."""
    for level in range(1, floors + 1):
        for row, side in ((0, "south"), (1, "north")):
            yield f"""[[contacts]]
left = {{structure = "{left}", node = "1-{row}-{level}", direction = "x"}}
right = {{structure = "{right}", node = "0-{row}-{level}"}}
gap = "{gap}"
law = "slabs"
label = "{left} | {right} floor {level}, {side}"
"""


def space_motion(record: str, scaled: str) -> str:
    """Return a motion along x and y."""
    return f"""[motion.x]
record = {record}  # a file, relative to this one, or a built-in name
{scaled}  # scaled to

[motion.y]  # the other component of the record, if it is at hand; [motion.z] is upwards
record = {record}
factor = 0.5
"""


def _written(lines: Sequence[tuple[str, str]], commented: bool) -> str:
    return "".join(f"{line}  # {about}\n" if about and commented else f"{line}\n" for line, about in lines
                   if commented or not line.startswith("#"))  # fmt: skip
