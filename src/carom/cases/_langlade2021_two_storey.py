"""The two-storey structures of langlade2021 as sticks: x, y and a rotation on each floor, fitted to six frequencies.

The paper has three-dimensional frames of fibres and leaves out what they would take: plan and thickness of the slabs,
edge beams, orientation of the columns, sections and pretension of the cables, base plates. A stick takes nothing of
this. Along x, along y and in torsion it is two storeys k1, k2 on two equal masses, and two frequencies give both:

    k1 + 2 k2 = m (ω1² + ω2²),    k1 k2 = m² ω1² ω2².

Of the two roots the one with k1 ≈ k2 is taken. Slabs meet at two corners each, which move by x − yθ.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from carom.cases._langlade2021 import TWO_STOREY_MASS, rigid
from carom.contact import Contact, Place
from carom.motions import Motion
from carom.problem import Problem
from carom.results import Simulation
from carom.structures import Structure
from carom.units import standard_gravity

__all__ = [
    "CONTACTS",
    "CORNERS",
    "DAMPING",
    "MEASURED",
    "MODES",
    "RADIUS",
    "Test",
    "corner",
    "storeys",
    "structure",
    "two",
]

MODES = ("longitudinal", "longitudinal", "transverse", "transverse", "torsion", "torsion")
"""Order of Tables 6 and 7, first and second of each."""
MEASURED = ((2.10, 5.60, 6.10, 17.5, 8.60, 24.4), (3.70, 10.4, 8.20, 25.2, 10.1, 28.0))  # Hz, Table 7, experiment
DAMPING = ((0.7, 0.2, 1.3, 1.3, 2.0, 2.0), (1.0, 0.2, 1.0, 1.0, 3.0, 3.0))  # %, Table 6
RESTITUTION = 0.6  # section 4.2: "in all future calculations"
HALF_SPAN = 1.5  # m: half of the span of 3 m, section 4.1

# ours
RADIUS = math.sqrt((3.0**2 + 3.0**2) / 12.0)  # m: of gyration, of a uniform slab of 3 m by 3 m

CORNERS = {"left": HALF_SPAN, "right": -HALF_SPAN}  # m: y of the facing corners
CONTACTS = tuple((floor, side) for floor in (1, 2) for side in CORNERS)
"""Floor and corner of each contact, in the order of the results."""
DOFS = ("x1", "x2", "y1", "y2", "r1", "r2")


class Test(NamedTuple):
    """A row of Table 8."""

    motion: str
    pga: float  # g
    gaps: tuple[float, float]  # m, left and right corner
    numerical: int
    experimental: int

    def __str__(self) -> str:
        return f"{self.motion} {self.pga:.2f} g"


def storeys(mass: float, low: float, high: float) -> tuple[float, float]:
    """Return the stiffness of the lower and of the upper storey from two frequencies [Hz] of two equal masses."""
    a, b = (2.0 * math.pi * low) ** 2, (2.0 * math.pi * high) ** 2
    upper = 0.25 * mass * (a + b + math.sqrt((a + b) ** 2 - 8.0 * a * b))
    return mass * (a + b) - 2.0 * upper, upper


def structure(i: int, radius: float = RADIUS) -> Structure:
    """Return Structure 1 or 2 (i = 0, 1) as a stick, its floors with that radius of gyration [m]."""
    floor = 0.5 * TWO_STOREY_MASS[i]
    inertia = (floor, floor, floor * radius**2)
    stiffness = np.zeros((6, 6))
    for k, mass in enumerate(inertia):
        lower, upper = storeys(mass, *MEASURED[i][2 * k : 2 * k + 2])
        stiffness[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = [[lower + upper, -upper], [-upper, upper]]
    by_frequency = np.argsort(MEASURED[i])
    return Structure(
        np.repeat(inertia, 2),
        stiffness,
        damping_ratio=tuple(0.01 * DAMPING[i][k] for k in by_frequency),
        influence=np.array([1.0, 1.0, 0.0, 0.0, 0.0, 0.0]),
        dofs=DOFS,
        name=str(i + 1),
    )


def two(test: Test, motion: Motion, radius: float = RADIUS) -> Problem:
    """Return both structures with the gaps of a test under a motion scaled to its PGA."""
    gaps = dict(zip(CORNERS, test.gaps, strict=True))
    contacts = []
    for floor, side in CONTACTS:
        at = {f"x{floor}": 1.0, f"r{floor}": -CORNERS[side]}
        name = f"floor {floor}, {side} corner"
        contacts.append(Contact(Place("1", at), Place("2", at), gap=gaps[side], law=rigid(RESTITUTION), name=name))
    shaken = motion.scaled(pga=test.pga * standard_gravity)
    return Problem((structure(0, radius), structure(1, radius)), tuple(contacts), motion=shaken)


def corner(result: Simulation, of: str, i: int, side: str, floor: int = 2) -> npt.NDArray[np.float64]:
    """Return the history of a corner of Structure 1 or 2 (i = 0, 1): its displacement or acceleration along x."""
    x, r = (len(DOFS) * i + DOFS.index(f"{dof}{floor}") for dof in "xr")
    history = getattr(result, of)
    moved: npt.NDArray[np.float64] = history[:, x] - CORNERS[side] * history[:, r]
    return moved
