"""A bridge in space to start from: skewed girders that rest on seats by contact, shaken along x, y and upwards."""

from __future__ import annotations

import math
from itertools import pairwise

from carom.scenario.templates.bridge import written
from carom.units import number

__all__ = ["girders_text"]

LENGTH, WIDTH, DEPTH = 30.0, 10.0, 1.8
"""Of a girder [m]."""
TOP = 8.0
"""Height of the seats [m]."""
SEAT = 0.8
"""How far a girder lies on its seat [m]."""
CORNERS = ("sw", "se", "ne", "nw")


def girders_text(spans: int, gap: str, skew: str, law: str) -> str:
    """Return structures, contacts, bearings and seats of a bridge with so many equal girders in space."""
    apart, lean = number(gap, "m", name="gap", owner="new"), math.tan(number(skew, "rad", name="skew", owner="new"))
    names = [f"span {i + 1}" for i in range(spans)]
    caps = [f"cap {i + 1}" for i in range(spans - 1)]
    pace = LENGTH + apart
    end = 0.5 * LENGTH + apart
    parts = [_abutment("west", -end, 1.0, lean, commented=True)]
    for i, name in enumerate(names):
        parts.append(_span(name, i * pace, skew, commented=i == 0))
        if i < len(caps):
            parts.append(_cap(caps[i], (i + 0.5) * pace, apart, lean, commented=i == 0))
    parts += [_abutment("east", (spans - 1) * pace + end, -1.0, lean, commented=False), law]
    below = ["west", *caps, "east"]
    for i, name in enumerate(names):
        parts += _resting(name, below[i], below[i + 1], commented=i == 0)
    parts.append(_striking("span 1", "w", "west", "wall", commented=True))
    for left, right in pairwise(names):
        parts += [_striking(left, "e", right, "w"), _striking(right, "w", left, "e")]
    parts.append(_striking(names[-1], "e", "east", "wall"))
    for i, cap in enumerate(caps):
        parts += _column(cap, commented=i == 0)
    for i, name in enumerate(names):
        parts += [_seat(name, "w", below[i], commented=i == 0), _seat(name, "e", below[i + 1])]
    return "\n".join(parts)


def _points(rows: dict[str, tuple[float, float, float]]) -> str:
    return "{" + ", ".join(f'"{name}" = [{x:.4g}, {y:.4g}, {z:.4g}]' for name, (x, y, z) in rows.items()) + "}"


def _span(name: str, x: float, skew: str, *, commented: bool) -> str:
    lines = [
        (f'[structures."{name}"]', "a rigid box in space; it lifts off, turns and falls as far as it likes"),
        ('kind = "girder"', ""),
        (f'length = "{LENGTH:g} m"', ""),
        (f'width = "{WIDTH:g} m"', ""),
        (f'depth = "{DEPTH:g} m"', ""),
        (f'skew = "{skew}"', "of its ends, clockwise from square seen from above"),
        ('mass = "420 t"', ""),
        (f"position = [{x:.6g}, 0, {TOP + 0.5 * DEPTH:g}]", "of its middle"),
        ('# points = {"middle" = [0, 0, "-0.9 m"]}', "corners are called sw bottom to ne top"),
    ]
    return written(lines, commented)


def _abutment(name: str, x: float, towards: float, lean: float, *, commented: bool) -> str:
    """An L of a wall and a seat, both along the skew."""
    y = 0.5 * WIDTH + 1.0
    corners: dict[str, tuple[float, float, float]] = {}
    for word, across in (("s", -y), ("n", y)):
        at = x + across * lean
        inner = at + towards * (SEAT + 0.3)
        corners |= {
            f"{word} foot": (at, across, TOP),
            f"{word} head": (at, across, TOP + DEPTH + 0.3),
            f"{word} edge": (inner, across, TOP),
            f"{word} ground": (inner, across, 0.0),
            f"{word} back": (at - towards, across, TOP + DEPTH + 0.3),
        }
    wall = ["s foot", "n foot", "n head", "s head"]
    seat, front = ["s foot", "s edge", "n edge", "n foot"], ["s ground", "n ground", "n edge", "s edge"]
    back = ["s head", "n head", "n back", "s back"]
    if towards < 0.0:
        wall, seat, front, back = wall[::-1], seat[::-1], front[::-1], back[::-1]
    lines = [
        (f"[structures.{name}]", "stands on the ground: named points, and faces counter-clockwise seen from outside"),
        ('kind = "fixed-body"', ""),
        (f"points = {_points(corners)}", ""),
        (f"faces = {{wall = {wall}, seat = {seat}, front = {front}, top = {back}}}".replace("'", '"'), ""),
    ]
    return written(lines, commented)


def _cap(name: str, x: float, apart: float, lean: float, *, commented: bool) -> str:
    """The top of a pier: a body with a face on which girders lie, on springs."""
    along, y, depth = SEAT + 0.5 * apart, 0.5 * WIDTH + 0.5, 0.5
    plan = {"sw": (-along, -y), "se": (along, -y), "ne": (along, y), "nw": (-along, y)}
    corners = {
        f"{word} {level}": (px + py * lean, py, depth if level == "top" else -depth)
        for level in ("bottom", "top")
        for word, (px, py) in plan.items()
    }
    lines = [
        (f'[structures."{name}"]', "the top of a pier: a body with a face on which girders lie"),
        ('kind = "rigid-body"', ""),
        ('mass = "120 t"', ""),
        ('inertia = ["1300 t*m^2", "60 t*m^2", "1340 t*m^2"]', "about its own axes"),
        (f"points = {_points(corners)}", ""),
        ('faces = {top = ["sw top", "se top", "ne top", "nw top"]}', ""),
        (f"position = [{x:.6g}, 0, {TOP - depth:g}]", ""),
        ("gravity = 0", "its springs are undeformed under its own weight"),
    ]
    return written(lines, commented)


def _resting(name: str, west: str, east: str, *, commented: bool) -> list[str]:
    """Girders lie on what is below by contact, and on pads that hold them sideways."""
    found = []
    for ends, on in ((("sw", "nw"), west), (("se", "ne"), east)):
        nodes = ", ".join(f'"{corner} bottom"' for corner in ends)
        face = "top" if on.startswith("cap") else "seat"
        lines = [
            ("[[contacts]]", "points of the left structure on a face of the right one; gaps are as they stand"),
            (f'left = "{name}"', ""),
            (f"nodes = [{nodes}]", ""),
            (f'right = "{on}"', ""),
            (f'face = "{face}"', ""),
            ('law = "pads"', ""),
            ("friction = 0.1", "beside the pads"),
        ]
        pads = [
            ("[[bearings]]", "what holds it sideways"),
            (f'deck = "{name}"', ""),
            (f"at = [{nodes}]", ""),
            (f'on = "{on}"', ""),
            ('rule = {kind = "elastomeric", stiffness = "2 MN/m", damping = "40 kN*s/m"}', ""),
        ]
        found += [written(lines, commented), written(pads, commented)]
        commented = False
    return found


def _striking(name: str, end: str, other: str, face: str, *, commented: bool = False) -> str:
    nodes = ", ".join(f'"{side}{end} {level}"' for level in ("bottom", "top") for side in "sn")
    lines = [
        ("[[contacts]]", "the corners of an end against the face before it"),
        (f'left = "{name}"', ""),
        (f"nodes = [{nodes}]", ""),
        (f'right = "{other}"', ""),
        (f'face = "{face}"', ""),
        ('law = "ends"', ""),
        ("friction = 0.4", ""),
    ]
    return written(lines, commented)


def _column(cap: str, *, commented: bool) -> list[str]:
    """What carries the top of a pier: springs along x and y, and stiff ones upwards."""
    corners = ", ".join(f'"{corner} bottom"' for corner in CORNERS)
    sideways = [
        ("[[bearings]]", "the column below: a quarter of its stiffness at each corner"),
        (f'deck = "{cap}"', ""),
        (f"at = [{corners}]", ""),
        ('on = "ground"', ""),
        ('rule = {kind = "elastomeric", stiffness = "20 MN/m", across = "40 MN/m", damping = "200 kN*s/m"}', ""),
        ('along = "x"', ""),
    ]
    upwards = [
        ("[[bearings]]", "upwards it is stiff"),
        (f'deck = "{cap}"', ""),
        (f"at = [{corners}]", ""),
        ('on = "ground"', ""),
        ('rule = {kind = "elastomeric", stiffness = "800 MN/m", across = "1 N/m", damping = "2 MN*s/m"}', ""),
        ('along = "z"', ""),
    ]
    return [written(sideways, commented), written(upwards, commented)]


def _seat(deck: str, end: str, on: str, *, commented: bool = False) -> str:
    lines = [
        ("[[seats]]", "results tell whether a corner of that end has left it, and when"),
        (f'deck = "{deck}"', ""),
        (f'end = "{end}"', ""),
        (f'on = "{on}"', ""),
        (f'length = "{SEAT:g} m"', "from the end to the edge of the seat, square to the end"),
    ]
    return written(lines, commented)
