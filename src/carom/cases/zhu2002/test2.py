"""zhu2002 test 2: a model girder on rubber supports that strikes an abutment, shaken along its axis and at 22.5°."""

from __future__ import annotations

import math
from functools import cache
from typing import ClassVar

import numpy as np

from carom.cases.base import NO_CURVE, Case, Run, register_case, stated
from carom.contact import Bearing, Friction, Place, facing
from carom.joints import Elastomeric
from carom.laws import law
from carom.motions import Motion
from carom.problem import Problem
from carom.results import Curve, FigureData, Panel, Row, Simulation, Width
from carom.structures import Abutment, Deck

# printed
MASS, INERTIA = 2.0, 6.8e-3  # kg, kg·m²
STIFFNESS = 1.5474e5  # N/m, K_cnt
RESTITUTION, TANGENTIAL = 0.4, 0.9
STATIC, KINETIC = 0.2, 0.15
ANGLE = math.radians(22.5)
STEP = 1e-3  # s
DASHPOTS = (220.287, 26.3558)  # N·s/m, C and C_t
NODAL = 1.0  # kg, the mass of (16) at each of the two pairs

# ours: stated in figures that we do not have
LENGTH, WIDTH = 0.190, 0.0686  # m: a plate of that size has the printed inertia
FREQUENCY, SUPPORT_RATIO = 2.5, 0.05  # Hz of the girder on its four rubber supports, and their damping
GAP = 0.002  # m
WAVE, AMPLITUDE, CYCLES = 3.0, 1.5, 12  # Hz, m/s², of the sine
SAMPLE = 1e-3  # s


def girder(angle: float, friction: Friction) -> Problem:
    """Return the girder before its abutment, shaken by a sine at an angle to its axis."""
    deck = Deck(length=LENGTH, width=WIDTH, mass=MASS, inertia=INERTIA, name="girder")
    wall = Abutment.beside(deck, "e", gap=GAP, width=4.0 * WIDTH, name="abutment")
    omega = 2.0 * math.pi * FREQUENCY
    pad = Elastomeric(MASS * omega**2 / 4.0, 2.0 * SUPPORT_RATIO * MASS * omega / 4.0)
    bearings = tuple(Bearing(Place("girder", one), Place("ground"), rule=pad) for one in deck.corner_names)
    pair = facing("girder", "abutment", law=law("kelvin-voigt", stiffness=STIFFNESS, restitution=RESTITUTION),
                  friction=friction)  # fmt: skip
    contacts = tuple(one.replace(mass=NODAL) for one in pair.expand(deck, wall))
    time = np.arange(0.0, CYCLES / WAVE, SAMPLE)
    shaking = AMPLITUDE * np.sin(2.0 * math.pi * WAVE * time)
    ground = {"x": Motion(shaking * math.cos(angle), SAMPLE), "y": Motion(shaking * math.sin(angle), SAMPLE)}
    if angle == 0.0:
        del ground["y"]
    return Problem((deck, wall), contacts, bearings=bearings, motion=ground)  # type: ignore[arg-type]


COULOMB = Friction(STATIC, KINETIC, restitution=TANGENTIAL)
PRINTED = Friction(STATIC, KINETIC, restitution=TANGENTIAL, rule="zhu2002", step=STEP)


@cache
def followed(run: Run, angle: float, printed: bool) -> Simulation:
    """Return the run, by Coulomb's friction or by the rule as printed."""
    found: Simulation = run(girder(angle, PRINTED if printed else COULOMB), rtol=1e-6)
    return found


@register_case
class Test2(Case):
    """The dashpots from restitution, and what the paper says to see: rebound, rotation, lateral drift."""

    name: ClassVar[str] = "zhu2002-test2"
    title: ClassVar[str] = "Model girder against an abutment, shaken along its axis and at 22.5°"
    paper: ClassVar[str] = "zhu2002"
    place: ClassVar[str] = "test 2, Figures 10-13"
    means: ClassVar[str] = "simulate"
    notes: ClassVar[tuple[str, ...]] = (
        f"Ours, since the figures that say them are not at hand: girder {1e3 * LENGTH:g} mm × {1e3 * WIDTH:g} mm (a "
        f"plate of the printed inertia), {FREQUENCY:g} Hz on four rubber supports with {100 * SUPPORT_RATIO:g} % "
        f"damping, gap {1e3 * GAP:g} mm, {CYCLES} cycles of a sine of {WAVE:g} Hz and {AMPLITUDE:g} m/s².",
        "Two contact pairs, the corners of the struck end, each with the nodal mass of 1 kg of the printed dashpots.",
        "Friction is Coulomb's here; the rule as printed, looked at every 1 ms, is drawn beside it.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return the dashpots, and what the paper states, with what is not published."""
        normal = 2.0 * _ratio(RESTITUTION) * math.sqrt(STIFFNESS * NODAL)
        along = 2.0 * _ratio(TANGENTIAL) * math.sqrt(STIFFNESS * NODAL)
        straight, oblique = followed(run, 0.0, False), followed(run, ANGLE, False)
        hits = oblique.table
        back = float(np.nanmin(hits["separation_velocity"][hits["ended"] > 0.0]))
        turning = np.abs(oblique.displacement[:, 2])
        aside = oblique.displacement[:, 1] - _free(run)
        size = float(np.abs(oblique.displacement[:, 1]).max())
        found = [
            Row(quantity="C", published=DASHPOTS[0], computed=normal, unit="N s/m", tolerance=1e-3),
            Row(quantity="C_t", published=DASHPOTS[1], computed=along, unit="N s/m", tolerance=1e-3),
            stated("1D case: the girder rebounds from the abutment", float(straight.impact_count > CYCLES // 2)),
            stated("1D case: it does not turn", float(np.abs(straight.displacement[:, 2]).max() < 1e-9)),
            stated("2D case: it rebounds from every impact", float(back > 0.0)),
            stated("2D case: it turns", float(turning.max() > 1e-3)),
            stated("2D case: it drifts aside of its motion without contact", float(np.abs(aside).max() > 0.02 * size)),
        ]
        for what, value, unit in (
            ("1D case: largest x", 1e3 * float(straight.extremes[0, 0]), "mm"),
            ("2D case: largest x", 1e3 * float(oblique.extremes[0, 0]), "mm"),
            ("2D case: largest y", 1e3 * float(oblique.extremes[1, 0]), "mm"),
            ("2D case: largest rotation", 1e3 * float(oblique.extremes[2, 0]), "mrad"),
        ):
            found.append(Row(quantity=what, published=None, computed=value, unit=unit, reason=NO_CURVE))
        return found

    def figures(self, run: Run) -> list[FigureData]:
        """Return the histories of Figures 12 and 13: x in one dimension; x, y and rotation in two."""
        panels = [_panel(run, 0.0, 0, "1D: x [mm]")]
        panels += [
            _panel(run, ANGLE, k, f"2D: {word}") for k, word in enumerate(("x [mm]", "y [mm]", "rotation [mrad]"))
        ]
        return [
            FigureData(
                "zhu2002-test2", "Model girder against an abutment", "after zhu2002 Figs. 12 and 13", tuple(panels),
                columns=2, width=Width.DOUBLE, aspect=0.5, legend=True,
            )
        ]  # fmt: skip


def _panel(run: Run, angle: float, dof: int, label: str) -> Panel:
    curves = []
    for k, (printed, word) in enumerate(((False, "Coulomb's friction"), (True, "rule as printed"))):
        found = followed(run, angle, printed)
        curves.append(Curve(found.time, 1e3 * found.displacement[:, dof], word, series=k))
    return Panel("time [s]", label, tuple(curves))


def _free(run: Run) -> np.ndarray:
    """Return the lateral motion without contact."""
    found = run(girder(ANGLE, COULOMB).without_contacts())
    lateral: np.ndarray = found.displacement[:, 1]
    return lateral


def _ratio(restitution: float) -> float:
    """Return ξ of (17)."""
    log = math.log(restitution)
    return -log / math.hypot(math.pi, log)
