"""Rolled steel shapes by name: HEA, HEB, IPE by their dimensions, W by their published properties.

Of European shapes the dimensions of EN 10365 are kept, and the rest follows from the outline with its four fillets; the
torsion constant is that of El Darwish and Johnston (1965), as makers print it. Of American shapes area, second moments
and torsion constant are those of the AISC shapes database, to the digits printed there.
"""

from __future__ import annotations

import csv
import math
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from carom.errors import UnknownNameError

__all__ = ["Shape", "steel_shape"]

INCH = 0.0254
"""[m]."""
MILLIMETRE = 1e-3
"""[m]."""


class Shape(NamedTuple):
    """A rolled shape; y across its flanges, z along its web."""

    name: str
    area: float
    """[m²]."""
    inertia_y: float
    """[m⁴]."""
    inertia_z: float
    """[m⁴]."""
    torsion: float
    """[m⁴]."""
    web_area: float
    """Depth times thickness of the web [m²]."""


def steel_shape(name: str) -> Shape:
    """Return a shape by its name, however it is spelt: ``"HEA 100"``, ``"hea100"``, ``"HE 100 A"``."""
    shapes = _shapes()
    key = _key(name) if isinstance(name, str) else ""
    if key not in shapes:
        raise UnknownNameError("steel shape", name, [shape.name for shape in shapes.values()])
    return shapes[key]


@cache
def _shapes() -> dict[str, Shape]:
    found: dict[str, Shape] = {}
    for row in _table("european_shapes.csv"):
        dimensions = (float(value) * MILLIMETRE for key, value in row.items() if key != "name")
        shape = i_shape(row["name"], *dimensions)
        found[_key(shape.name)] = shape
    for row in _table("american_shapes.csv"):
        inches = {key: float(value) for key, value in row.items() if key != "name"}
        found[_key(row["name"])] = Shape(
            row["name"], inches["area_in2"] * INCH**2, inches["inertia_y_in4"] * INCH**4,
            inches["inertia_z_in4"] * INCH**4, inches["torsion_in4"] * INCH**4,
            inches["depth_in"] * inches["web_in"] * INCH**2,
        )  # fmt: skip
    for number in {key[3:] for key in found if key.startswith("HEA")}:  # EN 10365 calls them HE 100 A
        for letter in "AB":
            if (key := f"HE{letter}{number}") in found:
                found[f"HE{number}{letter}"] = found[key]
    return found


def _table(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((files("carom.structures.frame") / name).read_text("utf-8").splitlines()))


def _key(name: str) -> str:
    return "".join(name.split()).upper()


def i_shape(name: str, depth: float, breadth: float, web: float, flange: float, fillet: float) -> Shape:
    """Return an I-shape with parallel flanges and a fillet in each of its four corners; all [m]."""
    clear = depth - 2.0 * flange
    corner, away, own = _fillet(fillet)
    area = 2.0 * breadth * flange + clear * web + 4.0 * corner
    inertia_y = (breadth * depth**3 - (breadth - web) * clear**3) / 12.0
    inertia_y += 4.0 * (own + corner * (0.5 * clear - away) ** 2)
    inertia_z = (2.0 * flange * breadth**3 + clear * web**3) / 12.0
    inertia_z += 4.0 * (own + corner * (0.5 * web + away) ** 2)
    inscribed = ((fillet + 0.5 * web) ** 2 + (fillet + flange) ** 2 - fillet**2) / (2.0 * fillet + flange)
    junction = web / flange * (0.145 + 0.1 * fillet / flange) * inscribed**4
    torsion = 2.0 / 3.0 * (breadth - 0.63 * flange) * flange**3 + clear * web**3 / 3.0 + 2.0 * junction
    return Shape(name, area, inertia_y, inertia_z, torsion, depth * web)


def _fillet(radius: float) -> tuple[float, float, float]:
    """Return of a fillet its area, the distance of its centroid from both faces, and its own second moment.

    It is a square without the quarter of a circle around its far corner.
    """
    square, quarter = radius**2, 0.25 * math.pi * radius**2
    to_centre = 4.0 * radius / (3.0 * math.pi)  # from the centroid of the quarter to the centre of its circle
    area = square - quarter
    away = (square * 0.5 * radius - quarter * (radius - to_centre)) / area
    quarter_own = math.pi * radius**4 / 16.0 - quarter * to_centre**2
    about_face = radius**4 / 3.0 - quarter_own - quarter * (radius - to_centre) ** 2
    return area, away, about_face - area * away**2
