"""mahmoud2008 remark 1: the paper's own integrator, Burrage's two stages with slanting Newton, beside ours."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from carom.cases.base import Case, Run, register_case
from carom.cases.mahmoud2008 import concrete, steel
from carom.cases.mahmoud2008 import figs8to13 as amplification
from carom.cases.mahmoud2008.shared import MODELS, build
from carom.cases.mahmoud2008.towers import achieved, orbits, towers
from carom.contact import Contact, Place
from carom.laws import CompliantLaw
from carom.motions import suite
from carom.problem import Problem
from carom.results import Curve, FigureData, Kind, Panel, Row, Simulation, Width
from carom.structures import Body, Ground, Oscillator

# ours: the paper prints no step
FREQUENCY, AMPLITUDE, CYCLES = 3.0, 2.6, 20  # Hz, m/s²: a point of Figure 6, from its steady state on
MOTION, SECOND, RATIO = 12, 1.0, 0.5  # the first of the built-in thirty at 0.5 g; T2 [s], T1/T2

UNPRINTED = "not in the paper, which prints neither its steps nor what they leave"


class Tried(NamedTuple):
    """A problem of the paper, a quantity of it, and the steps tried."""

    what: str
    steps: tuple[float, ...]
    """[s], longest first."""
    state: Callable[[Run, str], Problem]
    """From the means to run and a model."""
    read: Callable[[Simulation], float]
    how: dict[str, Any]


def _strike(law: CompliantLaw, mass: float, velocity: float, gravity: float = 0.0) -> Problem:
    """Return a body that touches a fixed one at that velocity."""
    body = Body(mass=mass, gravity=gravity, name="striker") if gravity else Body(mass=mass, name="striker")
    touch = Contact(Place("striker"), Place("ground"), gap=0.0, law=law)
    return Problem((body, Ground(name="ground")), (touch,), initial_velocity={"striker": (velocity,)})


def _ball(_run: Run, key: str) -> Problem:
    speed = math.sqrt(2.0 * steel.GRAVITY * steel.DROP * steel.INCH)
    mass = steel.mass(steel.LIKELY_DIAMETER)
    return _strike(build(key, steel.STIFFNESS[key]), mass, speed, steel.GRAVITY)


def _pendulum(_run: Run, key: str) -> Problem:
    return _strike(build(key, concrete.STIFFNESS[key]), concrete.MASS, concrete.VELOCITY)


def _towers(run: Run, key: str) -> Problem:
    law = build(key, steel.STIFFNESS[key])
    start = orbits(FREQUENCY, 1, achieved(run, law), AMPLITUDE)[0]
    return towers(law, FREQUENCY, AMPLITUDE, start, CYCLES)


def _oscillators(_run: Run, key: str) -> Problem:
    names, periods = ("SDOF 1", "SDOF 2"), (RATIO * SECOND, SECOND)
    two = tuple(
        Oscillator(mass=amplification.MASS, period=period, damping_ratio=amplification.DAMPING, name=name)
        for name, period in zip(names, periods, strict=True)
    )
    law = build(key, amplification.STIFFNESS)
    between = Contact(Place(names[0]), Place(names[1]), gap=amplification.GAP, law=law)
    return Problem(two, (between,), motion=suite("thirty")[MOTION])


def _peak_force(result: Simulation) -> float:
    return float(result.table["peak_force"].max())


def _last_speed(result: Simulation) -> float:
    return float(result.table["approach_velocity"][-1])


def _peak_displacement(result: Simulation) -> float:
    return float(result.extremes[0, 0])


TRIED = (
    Tried("steel ball: peak force", (1e-6, 1e-7, 1e-8), _ball, _peak_force, {"duration": 3e-5, "sampling": 1e-6}),
    Tried("concrete: peak force", (1e-3, 1e-4, 1e-5), _pendulum, _peak_force, {"duration": 0.015, "sampling": 1e-3}),
    Tried("towers, 3 Hz: velocity of the 20th impact", (1e-3, 1e-4, 1e-5), _towers, _last_speed, {}),
    Tried("two oscillators: peak displacement of SDOF 1", (1e-2, 1e-3, 1e-4), _oscillators, _peak_displacement, {}),
)


@register_case
class Burrage(Case):
    """Quantities of the paper's four comparisons by its own integrator at fixed steps, beside ours."""

    name: ClassVar[str] = "mahmoud2008-burrage"
    title: ClassVar[str] = "The paper's integrator, Burrage with slanting Newton, beside the event-driven engine"
    paper: ClassVar[str] = "mahmoud2008"
    place: ClassVar[str] = "remark 1, (17)-(19), with the problems of (13)-(15)"
    means: ClassVar[str] = "simulate"
    verified: ClassVar[str] = "two integrators that share no step"
    notes: ClassVar[tuple[str, ...]] = (
        "The paper had its numbers from Burrage's two-stage method and does not print its steps, nor the tableau: the "
        "algebraically stable one is taken (see mahmoud2008-fig14). The other cases of this paper are computed event "
        "by event; the rows show how far the paper's method at fixed steps is from that.",
        "Jankowski's dashpot is switched off where approach turns to restitution, and its damping has an infinite "
        "slope at the touch: there the error falls about as the step does. Hertzdamp has neither, and it falls faster. "
        "At about a hundredth of the contact's duration all are within 0.1 %: with a sensible step the integrator "
        "explains none of the differences that the other cases show.",
        "A step about as long as the contact may not only be wrong: with Jankowski's model at 1 ms the towers get "
        "through the 20 cycles shown, with errors of 0 to 10 % from starts that differ by 1e-7, but over the 33 s of "
        "mahmoud2008-fig6 a step comes, from most of these starts, whose equations slanting Newton does not solve. "
        "The paper met no numerical problems.",
    )

    @cached_property
    def _found(self) -> dict[tuple[str, str], list[float]]:
        return {}

    def _differences(self, run: Run, tried: Tried, key: str) -> list[float]:
        """Return for every step the difference from the event-driven engine [%]."""
        if (tried.what, key) not in self._found:
            problem = tried.state(run, key)
            ours = tried.read(run(problem, **tried.how))
            theirs = [tried.read(run(problem, scheme="burrage", dt=step, **tried.how)) for step in tried.steps]
            self._found[tried.what, key] = [100.0 * (value / ours - 1.0) for value in theirs]
        return self._found[tried.what, key]

    def rows(self, run: Run) -> list[Row]:
        """Return the differences, problem by problem."""
        rows = []
        for tried in TRIED:
            for key, model in MODELS.items():
                for step, off in zip(tried.steps, self._differences(run, tried, key), strict=True):
                    title = f"{tried.what}, {model.title}: Burrage at {step:g} s against ours"
                    rows.append(Row(quantity=title, published=None, computed=off, unit="%", reason=UNPRINTED))
        return rows

    def figures(self, run: Run) -> list[FigureData]:
        """Return the differences over the step, one panel for each problem."""
        panels = []
        for tried in TRIED:
            curves = []
            for series, (key, model) in enumerate(MODELS.items()):
                x, y = np.log10(tried.steps), np.log10(np.abs(self._differences(run, tried, key)))
                curves += [Curve(x, y, model.title, Kind.POINTS, series), Curve(x, y, series=series)]
            panels.append(Panel(r"$\log_{10}$ step [s]", r"$\log_{10}$ difference [%]", tuple(curves), tried.what))
        return [
            FigureData(
                self.name,
                self.title,
                "after mahmoud2008 remark 1",
                tuple(panels),
                columns=2,
                width=Width.DOUBLE,
                aspect=0.6,
                legend=True,
            )
        ]
