"""Cross-sections: area, second moments, torsion constant, shear areas; by shape, by name, or as given.

Local y and z are the axes of the section, x runs along the member. `inertia_y` is the second moment about y and resists
bending in the x-z plane: of an upright I-beam the large one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.errors import refusal
from carom.structures.frame.fields import owner_of
from carom.structures.frame.steel import steel_shape
from carom.units import POSITIVE, number

__all__ = ["Section"]

SERIES_TERMS = 25
"""Terms of the series for the torsion of a rectangle: the first that is left out is below 1e-7 of the sum."""


@dataclass(frozen=True)
class Section:
    """A cross-section.

    Examples
    --------
    >>> import carom
    >>> carom.Section.steel("HEA 100").area
    0.00212...
    >>> carom.Section.rectangle("0.3 m", "0.6 m").inertia_y
    0.0054
    """

    area: Any
    """A [m²]."""
    inertia_y: Any
    """Second moment about y [m⁴]: bending in the x-z plane."""
    inertia_z: Any
    """Second moment about z [m⁴]: bending in the x-y plane."""
    torsion: Any
    """Torsion constant J [m⁴]."""
    shear_y: Any = None
    """Shear area κA along y [m²]; None: not known, and members with `shear=True` ask for it."""
    shear_z: Any = None
    """Shear area κA along z [m²]."""
    polar: Any = None
    """Second moment about x for the inertia of twisting [m⁴]; by default inertia_y + inertia_z."""
    name: str = ""

    def __post_init__(self) -> None:
        owner = owner_of("Section", self.name)
        for field, unit in (("area", "m^2"), ("shear_y", "m^2"), ("shear_z", "m^2"), ("inertia_y", "m^4"),
                            ("inertia_z", "m^4"), ("torsion", "m^4"), ("polar", "m^4")):  # fmt: skip
            value = getattr(self, field)
            if value is None and field in ("shear_y", "shear_z", "polar"):
                continue
            object.__setattr__(self, field, number(value, unit, name=field, owner=owner, within=POSITIVE))
        if self.polar is None:
            object.__setattr__(self, "polar", self.inertia_y + self.inertia_z)

    @classmethod
    def rectangle(cls, breadth: Any, depth: Any) -> Section:
        """Return a rectangle: `breadth` along y, `depth` along z. Its shear areas are 5/6 of its area."""
        b, h = (_length(value, name) for value, name in ((breadth, "breadth"), (depth, "depth")))
        shear = 5.0 / 6.0 * b * h
        return cls(b * h, b * h**3 / 12.0, h * b**3 / 12.0, _torsion_of_rectangle(b, h), shear, shear,
                   name=f"{b:g} × {h:g} m")  # fmt: skip

    @classmethod
    def circle(cls, diameter: Any) -> Section:
        """Return a full circle. Its shear areas are 9/10 of its area."""
        d = _length(diameter, "diameter")
        area, inertia = math.pi * d**2 / 4.0, math.pi * d**4 / 64.0
        return cls(area, inertia, inertia, 2.0 * inertia, 0.9 * area, 0.9 * area, name=f"⌀ {d:g} m")

    @classmethod
    def tube(cls, diameter: Any, wall: Any) -> Section:
        """Return a round tube, by outer diameter and thickness of the wall. Its shear areas are half its area."""
        d, t = _length(diameter, "diameter"), _length(wall, "wall")
        if 2.0 * t >= d:
            raise refusal("wall", "Section.tube", "must be less than half the diameter", wall)
        inner = d - 2.0 * t
        area, inertia = math.pi * (d**2 - inner**2) / 4.0, math.pi * (d**4 - inner**4) / 64.0
        return cls(area, inertia, inertia, 2.0 * inertia, 0.5 * area, 0.5 * area, name=f"⌀ {d:g} × {t:g} m")

    @classmethod
    def box(cls, breadth: Any, depth: Any, wall: Any) -> Section:
        """Return a hollow rectangle with one thickness of wall; its torsion constant is Bredt's, 4A₀²t/u."""
        b, h, t = (_length(v, n) for v, n in ((breadth, "breadth"), (depth, "depth"), (wall, "wall")))
        if 2.0 * t >= min(b, h):
            raise refusal("wall", "Section.box", "must be less than half of breadth and depth", wall)
        inside = (b - 2.0 * t, h - 2.0 * t)
        between = (b - t, h - t)  # of the walls' middles
        return cls(
            b * h - inside[0] * inside[1],
            (b * h**3 - inside[0] * inside[1] ** 3) / 12.0,
            (h * b**3 - inside[1] * inside[0] ** 3) / 12.0,
            2.0 * t * (between[0] * between[1]) ** 2 / (between[0] + between[1]),
            2.0 * between[0] * t, 2.0 * between[1] * t, name=f"{b:g} × {h:g} × {t:g} m",
        )  # fmt: skip

    @classmethod
    def steel(cls, name: str) -> Section:
        """Return a rolled shape by its name: HEA, HEB, IPE, W, such as ``"HEA 100"`` or ``"W14X176"``."""
        shape = steel_shape(name)
        web = shape.web_area
        return cls(shape.area, shape.inertia_y, shape.inertia_z, shape.torsion, shape.area - web, web, name=shape.name)


def _length(value: Any, name: str) -> float:
    return number(value, "m", name=name, owner="Section", within=POSITIVE)


def _torsion_of_rectangle(one: float, other: float) -> float:
    """Return J by Saint-Venant's series (Timoshenko & Goodier, Theory of Elasticity, section 109)."""
    short, long = sorted((one, other))
    n = np.arange(1, 2 * SERIES_TERMS, 2)
    series = np.sum(np.tanh(0.5 * n * math.pi * long / short) / n**5)
    return float(long * short**3 * (1.0 / 3.0 - 64.0 / math.pi**5 * short / long * series))
