"""The two-storey structures of langlade2021 as frames: columns, slabs and cables, six named parameters each.

Stated are a span of 3 m, storeys of 2.5 m, HEA100 and HEA140 columns, masses of 9200 and 7000 kg, slabs of concrete
and cables across the direction of shaking. Not stated are plan and thickness of the slabs, beams, orientation of the
columns, cables and base plates. Here the plan is 3 m by 3 m, columns are strong along the row, the slabs are rigid in
their plane, and weight softens the columns (P-Δ). Untuned, bases are fixed, slabs do not bend, and there are no
cables. Tuned, six parameters are fitted to the six measured frequencies: the rotation spring of the bases and the
bending stiffness of the beams to the two along the row, then the cables of both storeys and the radii of gyration of
both floors to the others.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares

from carom.cases.langlade2021.shared import GAP, MASS, TWO_STOREY_MASS, rigid
from carom.cases.langlade2021.table5 import BEST
from carom.cases.langlade2021.table5 import Test as SingleTest
from carom.cases.langlade2021.two_storey import CORNERS as FACING
from carom.cases.langlade2021.two_storey import DAMPING, MEASURED, RADIUS, Test
from carom.contact import Contact, Place
from carom.motions import Motion
from carom.problem import Problem
from carom.structures import Rayleigh
from carom.structures.frame import Diaphragm, Frame, Material, Member, Section, Spring
from carom.units import standard_gravity

__all__ = [
    "UNTUNED", "Tuning", "fitted", "frame", "plane_frame", "plane_frames", "six_frequencies", "storey_stiffness",
    "two_frames",
]  # fmt: skip

COLUMNS = ("HEA 100", "HEA 140")
SPAN, STOREY = 3.0, 2.5  # [m]
CORNERS = {"sw": (0.0, 0.0), "se": (SPAN, 0.0), "ne": (SPAN, SPAN), "nw": (0.0, SPAN)}
STEEL = Material.steel()
WEIGHTLESS = STEEL.replace(density=0.0)
THIN = 1e-9  # second moment of a cable [m⁴], without effect


class Tuning(NamedTuple):
    """What is not stated of a structure."""

    base: float | None
    """Rotation spring under each column [N·m/rad]; None: clamped."""
    beams: float
    """Bending stiffness EI of the beams between columns, the slab's share included [N·m²]."""
    cables: tuple[float, float]
    """EA of a cable, lower and upper storey [N]; two cross in both faces across the row."""
    radii: tuple[float, float]
    """Radius of gyration of the floors [m]."""


UNTUNED = Tuning(None, 1e14, (0.0, 0.0), (RADIUS, RADIUS))
OTHERS = 0.02
"""Damping ratio of modes that Table 6 does not have: slabs that rock, columns that stretch."""
STARTS = (3e7, 2e7, 3e7, 5e7, 1.2, 1.2)  # where the fit begins, in the order of Tuning's numbers


def frame(i: int, tuning: Tuning, storeys: int = 2, **more: Any) -> Frame:
    """Return Structure 1 or 2 (i = 0, 1), or its first storey alone."""
    column = Section.steel(COLUMNS[i])
    per_storey = 4.0 * STEEL.density * column.area * STOREY
    beam = Section(1.0, *[tuning.beams / WEIGHTLESS.young] * 3)
    nodes = {f"{name}{k}": (*at, STOREY * k) for name, at in CORNERS.items() for k in range(storeys + 1)}
    members, slabs = [], []
    ring = list(CORNERS)
    for k in range(1, storeys + 1):
        members += [Member(f"{n}{k - 1}", f"{n}{k}", column, STEEL, name=f"column-{n}{k}") for n in ring]
        members += [
            Member(f"{a}{k}", f"{b}{k}", beam, WEIGHTLESS, name=f"beam-{a}-{b}{k}")
            for a, b in zip(ring, ring[1:] + ring[:1], strict=True)
        ]
        if tuning.cables[k - 1] > 0.0:
            cable = Section(tuning.cables[k - 1] / WEIGHTLESS.young, THIN, THIN, THIN)
            members += [
                Member(f"{a}{k - 1}", f"{b}{k}", cable, WEIGHTLESS, kind="truss", name=f"cable-{a}-{b}{k}")
                for a, b in (("sw", "nw"), ("nw", "sw"), ("se", "ne"), ("ne", "se"))
            ]
        beside = per_storey * (0.5 if storeys == 2 and k == 2 else 1.0)  # of the columns that move with this floor
        mass = 0.5 * TWO_STOREY_MASS[i] - beside
        slabs.append(Diaphragm(f"slab{k}", tuple(f"{n}{k}" for n in ring), mass=mass, radius=tuning.radii[k - 1]))
    feet = {f"{n}0": "fixed" if tuning.base is None else "ux uy uz rz" for n in ring}
    springs = [] if tuning.base is None else [Spring(foot, tuning.base, way) for foot in feet for way in ("rx", "ry")]
    return Frame(
        nodes=nodes, members=members, supports=feet, springs=springs, diaphragms=slabs, gravity=True, lumped=True,
        name=str(i + 1), **more,
    )  # fmt: skip


def six_frequencies(of: Frame) -> npt.NDArray[np.float64]:
    """Return the first two frequencies [Hz] along the row, across and in torsion, as Table 7 orders them."""
    return of.frequencies[_six_modes(of)]


def _six_modes(of: Frame) -> npt.NDArray[np.int64]:
    """Return which modes they are."""
    shapes = of.modes().shapes
    moved = np.array(
        [
            sum(of.mass_matrix[j, j] * shapes[j] ** 2 for j in (of.dof_names.index(f"slab{k} {way}") for k in (1, 2)))
            for way in ("ux", "uy", "rz")
        ]
    )  # of the kinetic energy of each mode, what each way has
    kinds = np.where(moved.max(axis=0) > 0.5, moved.argmax(axis=0), -1)
    return np.concatenate([np.flatnonzero(kinds == way)[:2] for way in range(3)])


@lru_cache(maxsize=2)
def fitted(i: int) -> Tuning:
    """Return the six parameters of Structure 1 or 2 (i = 0, 1) that come closest to its measured frequencies."""
    printed = np.array(MEASURED[i])
    start = np.log(STARTS)

    def tuning(numbers: npt.NDArray[np.float64]) -> Tuning:
        base, beams, lower, upper, one, other = np.exp(numbers).tolist()
        return Tuning(base, beams, (lower, upper), (one, other))

    def misses(numbers: npt.NDArray[np.float64], modes: slice) -> npt.NDArray[np.float64]:
        found: npt.NDArray[np.float64] = six_frequencies(frame(i, tuning(numbers)))[modes] / printed[modes] - 1.0
        return found

    along = least_squares(lambda x: misses(np.concatenate([x, start[2:]]), slice(0, 2)), start[:2]).x
    across = least_squares(lambda x: misses(np.concatenate([along, x]), slice(2, 6)), start[2:]).x
    return tuning(np.concatenate([along, across]))


def storey_stiffness(i: int, tuning: Tuning) -> float:
    """Return the stiffness along the row [N/m] of the first storey alone, as the single-storey tests have it."""
    one = frame(i, tuning, storeys=1)
    row = one.dof_names.index("slab1 ux")
    return float(1.0 / np.linalg.inv(one.stiffness_matrix)[row, row])


def _damped(i: int) -> Frame:
    """Return a fitted structure with the damping of Table 6; results keep facing corners and a column's foot."""
    plain = frame(i, fitted(i))
    ratios = np.full(plain.frequencies.size, OTHERS)
    ratios[_six_modes(plain)] = 0.01 * np.array(DAMPING[i])
    kept = {side: f"{corners[i]}2" for side, corners in FACING.items()} | {"foot": ("column-se1", "my", "start")}
    return plain.replace(damping_ratio=tuple(ratios.tolist()), outputs=kept)


def two_frames(test: Test, motion: Motion) -> Problem:
    """Return both frames with the gaps of a test, slab corner to slab corner, under a motion scaled to its PGA."""
    contacts = [
        Contact(
            Place("1", f"{one}{floor}", "x"), Place("2", f"{other}{floor}", "x"), gap=gap, law=rigid(BEST),
            name=f"floor {floor}, {side} corner",
        )
        for floor in (1, 2)
        for (side, (one, other)), gap in zip(FACING.items(), test.gaps, strict=True)
    ]  # fmt: skip
    return Problem((_damped(0), _damped(1)), tuple(contacts), motion=motion.scaled(pga=test.pga * standard_gravity))


def plane_frame(i: int, **more: Any) -> Frame:
    """Return one face of the first storey of Structure 1 or 2 (i = 0, 1), in its plane, with half of its mass."""
    tuning, column = fitted(i), Section.steel(COLUMNS[i])
    beam = Section(1.0, *[tuning.beams / WEIGHTLESS.young] * 3)
    top = 0.5 * MASS[i] - STEEL.density * column.area * STOREY  # half of both columns moves with the slab, half stands
    return Frame(
        nodes={"w0": (0, 0, 0), "w1": (0, 0, STOREY), "e0": (SPAN, 0, 0), "e1": (SPAN, 0, STOREY)},
        members=[
            Member("w0", "w1", column, STEEL, name="column-w"), Member("e0", "e1", column, STEEL, name="column-e"),
            Member("w1", "e1", beam, WEIGHTLESS, name="beam"),
        ],
        supports={"w0": "ux uz", "e0": "ux uz"}, plane="xz", gravity=True, lumped=True, name=str(i + 1),
        springs=[Spring(foot, float(tuning.base or 0.0), "ry") for foot in ("w0", "e0")],
        diaphragms=[Diaphragm("slab", ("w1", "e1"), mass=top)], **more,
    )  # fmt: skip


def plane_frames(test: SingleTest, motion: Motion) -> Problem:
    """Return both plane frames, 2 cm apart, with Rayleigh damping of the printed ratio at their lowest two modes."""
    both = [plane_frame(i, damping=Rayleigh.from_ratios(ratio, modes=(1, 2))) for i, ratio in enumerate(test.damping)]
    between = Contact(Place("1", "e1", "x"), Place("2", "w1", "x"), gap=GAP, law=rigid(BEST))
    return Problem(tuple(both), (between,), motion=motion.scaled(pga=test.pga * standard_gravity))
