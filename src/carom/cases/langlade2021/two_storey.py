"""The two-storey structures of langlade2021 as sticks: x, y and a rotation on each floor, fitted to six frequencies.

The paper has three-dimensional frames of fibres and leaves out what they would take: plan and thickness of the slabs,
edge beams, orientation of the columns, sections and pretension of the cables, base plates. A stick takes nothing of
this. Along x, along y and in torsion it is two storeys k1, k2 on two equal masses, and two frequencies give both:

    k1 + 2 k2 = m (ω1² + ω2²),    k1 k2 = m² ω1² ω2².

Of the two roots the one with k1 ≈ k2 is taken. Slabs meet at two corners each, 1.5 m off the axis, which move by
x ∓ 1.5 m·θ. Shaken along x, as on the table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from carom.cases.base import Case, Run
from carom.cases.langlade2021.shared import MODELS, PERIODS, STEPPED, TWO_STOREY_MASS, build, rigid
from carom.cases.langlade2021.table5 import records_of
from carom.contact import facing
from carom.motions import Motion, Spectrum, response_spectrum, suite
from carom.problem import Problem
from carom.results import Curve, Panel, Simulation
from carom.structures import TorsionalBuilding
from carom.units import standard_gravity

__all__ = [
    "CORNERS", "DAMPING", "HOW", "MEASURED", "MODES", "RADIUS", "SHOWN", "STEPS", "TESTS", "Test", "TwoStoreyCase",
    "corner", "corner_spectra", "count", "history_panel", "place", "shaken", "spectra_panels", "storeys", "structure",
    "turning", "two",
]  # fmt: skip

MODES = ("longitudinal", "longitudinal", "transverse", "transverse", "torsion", "torsion")
"""Order of Tables 6 and 7, first and second of each."""
MEASURED = ((2.10, 5.60, 6.10, 17.5, 8.60, 24.4), (3.70, 10.4, 8.20, 25.2, 10.1, 28.0))  # Hz, Table 7, experiment
DAMPING = ((0.7, 0.2, 1.3, 1.3, 2.0, 2.0), (1.0, 0.2, 1.0, 1.0, 3.0, 3.0))  # %, Table 6
RESTITUTION = 0.6  # section 4.2: "in all future calculations"
SPAN = 3.0  # m, section 4.1: facing corners stand half of it off the axis
STOREY = 2.5  # m, section 4.1

# ours
RADIUS = math.sqrt((SPAN**2 + SPAN**2) / 12.0)  # m: of gyration, of a uniform slab of 3 m by 3 m
STIFFER_CONTACT = 10.0
"""Stiffness of compliant contacts over max(k1, k2): the least that section 1 takes from Crozet et al."""
SHOWN = 20.0  # s

CORNERS = {"left": ("ne", "nw"), "right": ("se", "sw")}
"""Facing corners of both structures, left and right seen from Structure 1 towards Structure 2."""
STEPS = "impulses, steps of 1 ms"
HOW = (STEPS, "impulses, event by event", *(f"{model.short}, k_s = 10·max(k1, k2)" for model in MODELS[:3]))
"""Ways to run: the paper's own first, then compliant laws of its Table 4."""


class Test(NamedTuple):
    """A row of Table 8."""

    motion: str
    pga: float  # g
    gaps: tuple[float, float]  # m, left and right corner
    numerical: int
    experimental: int

    def __str__(self) -> str:
        return f"{self.motion} {self.pga:.2f} g"


TESTS = (
    Test("Cadarache", 0.45, (0.050, 0.055), 3, 3),
    Test("El Centro", 0.30, (0.050, 0.055), 3, 3),
    Test("Northridge", 0.20, (0.055, 0.060), 1, 1),
    Test("Kobe", 0.20, (0.045, 0.050), 3, 3),
    Test("Kobe", 0.25, (0.050, 0.055), 3, 4),
)


def storeys(inertia: float, low: float, high: float) -> tuple[float, float]:
    """Return the stiffness of the lower and of the upper storey from two frequencies [Hz] of two equal inertias."""
    a, b = (2.0 * math.pi * low) ** 2, (2.0 * math.pi * high) ** 2
    upper = 0.25 * inertia * (a + b + math.sqrt((a + b) ** 2 - 8.0 * a * b))
    return inertia * (a + b) - 2.0 * upper, upper


def structure(i: int, radius: float = RADIUS) -> TorsionalBuilding:
    """Return Structure 1 or 2 (i = 0, 1) as a stick, its floors with that radius of gyration [m]."""
    floor, measured = 0.5 * TWO_STOREY_MASS[i], MEASURED[i]
    by_frequency = np.argsort(measured)
    return TorsionalBuilding(
        masses=(floor, floor),
        stiffnesses_x=storeys(floor, *measured[:2]),
        stiffnesses_y=storeys(floor, *measured[2:4]),
        torsional_stiffnesses=storeys(floor * radius**2, *measured[4:]),
        width=SPAN, depth=SPAN, radii=radius, heights=STOREY, origin=(i * (SPAN + 0.05), 0.0),
        damping_ratio=tuple(0.01 * DAMPING[i][k] for k in by_frequency), name=str(i + 1),
    )  # fmt: skip


def two(test: Test, motion: Motion, radius: float = RADIUS, how: str = STEPS) -> Problem:
    """Return both structures with the gaps of a test under a motion along the row, scaled to its PGA."""
    models = dict(zip(HOW[2:], MODELS, strict=False))
    law = build(models[how], STIFFER_CONTACT) if how in models else rigid(RESTITUTION)
    left, right = test.gaps
    shaken = motion.scaled(pga=test.pga * standard_gravity)
    row = (structure(0, radius), structure(1, radius))
    return Problem(row, (facing("1", "2", gap=(right, left), law=law),), motion=shaken)


@lru_cache(maxsize=1024)
def shaken(run: Run, test: Test, motion: Motion, radius: float = RADIUS, how: str = STEPS) -> Simulation:
    """Return the sticks under the motion by one of the ways to run, by default the paper's method."""
    options: dict[str, Any] = STEPPED if how == STEPS else {}
    result: Simulation = run(two(test, motion, radius, how), **options)
    return result


def place(i: int, side: str, floor: int = 2) -> str:
    """Return what a facing corner of Structure 1 or 2 (i = 0, 1), or its floor's centre, is called in results."""
    return f"{i + 1} floor {floor} ux" if side == "centre" else f"{i + 1} floor {floor} {CORNERS[side][i]} along x"


def count(result: Simulation, side: str, floor: int = 2) -> float:
    """Return the number of impacts at a corner, by default of the second floor."""
    name = " | ".join(f"{i + 1} floor {floor} {CORNERS[side][i]}" for i in range(2))
    return float(np.count_nonzero(result.table["contact"] == result.contacts.index(name)))


def corner(result: Simulation, of: str, i: int, side: str, floor: int = 2) -> npt.NDArray[np.float64]:
    """Return the history of a corner or of the centre: its displacement, velocity or acceleration along x."""
    found: npt.NDArray[np.float64] = getattr(result, of)[:, result.dofs.index(place(i, side, floor))]
    return found


def turning(result: Simulation, i: int, floor: int = 2) -> float:
    """Return the largest rotation of a floor [rad]."""
    return float(result.extremes[result.dofs.index(f"{i + 1} floor {floor} rz"), 0])


def corner_spectra(result: Simulation, i: int) -> Spectrum:
    """Return 5 % spectra of the second floor's accelerations along x: left corner, right corner and centre."""
    dt = float(result.time[1] - result.time[0])
    floors = [Motion(corner(result, "acceleration", i, side), dt=dt) for side in (*CORNERS, "centre")]
    return response_spectrum(floors, PERIODS, 0.05)


def history_panel(result: Simulation, of: str, title: str, legend: str) -> Panel:
    """Return the left corners of both second floors."""
    factor, name = (1e3, "Displacement $u$ [mm]") if of == "displacement" else (1.0, r"$\Delta v/\Delta t$ [m/s$^2$]")
    moved = [factor * corner(result, of, i, "left") for i in range(2)]
    curves = tuple(Curve(result.time, y, f"Structure {i + 1}", series=i) for i, y in enumerate(moved))
    most = float(np.abs(moved).max())
    room = (-1.1 * most, (1.6 if legend else 1.1) * most)  # the legend stands above the curves
    return Panel("Time $t$ [s]", name, curves, title, xlim=(0.0, SHOWN), ylim=room, legend=legend)


def spectra_panels(result: Simulation) -> tuple[Panel, ...]:
    """Return PSV and PSA of both corners and the centre of each second floor."""
    panels = []
    for i in range(2):
        found = corner_spectra(result, i)
        for name, unit, of in (("PSV", "m/s", "psv"), ("PSA", r"m/s$^2$", "psa")):
            curves = tuple(
                Curve(np.log10(found.periods), getattr(found, of)[k], title, series=k)
                for k, title in enumerate(("left corner", "right corner", "centre"))
            )
            legend = "upper left" if (i, name) == (0, "PSV") else ""
            label = r"$\log_{10}$ period [s]"
            panels.append(Panel(label, f"{name} [{unit}]", curves, f"Structure {i + 1}", legend=legend))
    return tuple(panels)


class TwoStoreyCase(Case):
    """What the cases of the shaken two-storey frames share: motions at hand, and which of them figures show."""

    paper: ClassVar[str] = "langlade2021"
    means: ClassVar[str] = "simulate"
    verified: ClassVar[str] = "closed form of two equal masses; with equal gaps, two shear buildings without rotation"
    notes: ClassVar[tuple[str, ...]] = (
        "Neither the shaking table's motions nor what the paper's frames of fibres take are published. Ours are sticks "
        "with x, y and a rotation on each floor, fitted exactly to the six measured frequencies (langlade2021-table7), "
        "with the damping of Table 6 in each mode and half of 9200 and 7000 kg on each floor. Slabs meet at corners "
        "1.5 m off the axis, shaken along the row as on the table; by the paper's method, e = 0.6 and 1 ms, and by the "
        "compliant laws of its Table 4 at 10·max(k1, k2) and e = 0.65.",
        "Motions as in langlade2021-table5: all records of an earthquake where they are given (--records DIR, or "
        "motions=[…]), else the built-in thirty; figures show the first record, or of those that pound at a left "
        "corner the middle one.",
    )

    def __init__(self, motions: Sequence[Motion] | None = None) -> None:
        self.records = {test.motion: records_of(test.motion, motions or ()) for test in TESTS}

    def shown(self, run: Run, test: Test) -> Motion:
        """Return the motion that the figures show: the first record, or the middle one of those that pound."""
        if self.records[test.motion]:
            return self.records[test.motion][0]
        struck = {motion: count(shaken(run, test, motion), "left") for motion in suite("thirty")}
        pounding = sorted((motion for motion in struck if struck[motion]), key=struck.__getitem__)
        return pounding[len(pounding) // 2]

    def ahead(self, test: Test) -> str:
        """Return the title of a panel: that of the test, and whether its motion stands in for another."""
        ahead = "" if self.records[test.motion] else "stand-in for "
        return f"{ahead}{test.motion}, {test.pga:.2f} g"
