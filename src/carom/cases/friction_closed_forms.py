"""Friction and oblique impact against closed forms: laws with a force, and impulses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from carom.cases.base import Case, Run, register_case
from carom.contact import Contact, Friction, Place
from carom.laws import law
from carom.motions import Motion
from carom.problem import Problem
from carom.results import Row, Simulation
from carom.structures import Ground, Structure, Wall

GRAVITY = 9.81
COMPLIANT, IMPULSIVE, SHOWN = 1e-6, 1e-10, 5e-9
"""Tolerances: of sliding rows with a force, of impulses, and half the last digit that is printed."""
RATIOS = (1.0, 10.0, 100.0)
"""k_t/k_n at which sticking is looked at."""
STICKING = {1.0: 0.05, 10.0: 5e-3, 100.0: 5e-4}
PULSE, LASTING = 5.0, 0.4  # m/s², s


class Thrown(NamedTuple):
    """A body thrown against a wall: what it is, how fast, and what is left."""

    what: str
    inertia: float | None
    """Moment of inertia over mR²; None: a particle, which does not turn."""
    spin: float
    """ωR [m/s] before."""
    restitution: float
    friction: float
    speed: float
    """v_t⁺ [m/s]."""
    turning: float | None
    """(ωR)⁺ [m/s]."""


SLIDING = (
    Thrown("particle, e = 1, μ = 0.15", None, 0.0, 1.0, 0.15, 0.70, None),
    Thrown("disc, e = 0.5, μ = 0.1", 0.5, 0.0, 0.5, 0.1, 0.85, -0.30),
    Thrown("disc that rolls already, μ = 0.5", 0.5, -1.0, 0.5, 0.5, 1.0, -1.0),
)
HELD = (
    Thrown("disc, μ = 0.5 sticks", 0.5, 0.0, 0.5, 0.5, 2.0 / 3.0, -2.0 / 3.0),
    Thrown("sphere, μ = 0.5 sticks", 0.4, 0.0, 0.5, 0.5, 5.0 / 7.0, -5.0 / 7.0),
)
ROLLS = (("disc", 0.5, 0.16989467, 2.0 / 3.0), ("sphere", 0.4, 0.14562400, 5.0 / 7.0))
SLIP, INCLINE = 0.61936799, 2.35628724


@register_case
class FrictionClosedForms(Case):
    """Sliding rows by both kinds of laws, sticking rows by impulses, and by springs with their error."""

    name: ClassVar[str] = "friction-closed-forms"
    title: ClassVar[str] = "Friction and oblique impact against closed forms"
    paper: ClassVar[str] = "friction-closed-forms"
    place: ClassVar[str] = "impulse and momentum, Coulomb's friction"
    means: ClassVar[str] = "simulate"
    verified: ClassVar[str] = "closed form"
    notes: ClassVar[tuple[str, ...]] = (
        "Compliant: a linear law (e = 1) or the exact Hunt-Crossley form (e = 0.5), tangential spring with k_t = k_n "
        "unless said. What sticks comes the nearer to the rigid value the stiffer that spring is.",
        "A base pulse is a line in time between samples: it ends within one sample, about its end.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return them, published beside computed."""
        found: list[Row] = []
        for one in SLIDING:
            found += _both(f"{one.what}, compliant", one, _thrown(run, one, 1.0), COMPLIANT)
        for one in (*SLIDING, *HELD):
            found += _both(f"{one.what}, impulsive", one, _thrown(run, one, None), IMPULSIVE)
        for one in HELD:
            for ratio in RATIOS:
                tolerance = STICKING[ratio]
                found += _both(f"{one.what}, k_t/k_n = {ratio:g}", one, _thrown(run, one, ratio), tolerance)
        for rigid, kind in ((False, "compliant"), (True, "impulsive")):
            tolerance = IMPULSIVE if rigid else COMPLIANT
            for what, inertia, after, speed in ROLLS:
                rolled = _rolling(run, inertia, rigid)
                exact = (1.0 - speed) / (0.2 * GRAVITY)
                started = float(1.0 - rolled.velocity[-1, 1]) / (0.2 * GRAVITY)
                found += [
                    _row(f"{what} begins to roll after, {kind}", after, started, "s", max(tolerance, SHOWN)),
                    _row(f"{what} rolls on at, {kind}", speed, float(rolled.velocity[-1, 1]), "m/s", tolerance),
                ]
                assert abs(exact - after) < 2.0 * SHOWN  # the printed digits are those of the closed form
            found.append(_row(f"block on a base pulse, slip, {kind}", SLIP, _pulse(run, rigid), "m", 1e-6))
            found.append(_row(f"box on a 30° incline, {kind}", INCLINE, _incline(run, 0.3, rigid), "m/s²", 2e-7))
            found.append(_row(f"box on a 30° incline, μ = 0.58, {kind}", 0.0, _incline(run, 0.58, rigid), "m/s²", 2e-7))
        return found


def _row(what: str, published: float, computed: float, unit: str, tolerance: float) -> Row:
    return Row(quantity=what, published=published, computed=computed, unit=unit, tolerance=tolerance, absolute=True)


def _both(what: str, one: Thrown, velocity: np.ndarray, tolerance: float) -> list[Row]:
    found = [_row(f"{what}: v_t⁺", one.speed, float(velocity[1]), "m/s", tolerance)]
    if one.turning is not None:
        found.append(_row(f"{what}: (ωR)⁺", one.turning, float(velocity[2]), "m/s", tolerance))
    return found


def _body(masses: Sequence[float], dofs: Sequence[str], **more: Any) -> Structure:
    none = np.zeros((len(masses), len(masses)))
    return Structure(np.diag(masses), none, damping_ratio=0.0, dofs=tuple(dofs), name="body", **more)


def _thrown(run: Run, one: Thrown, ratio: float | None) -> np.ndarray:
    """Return the velocities after an impact at 1 m/s across and 1 m/s along; no ratio: impulses."""
    round_ = one.inertia is not None
    body = _body((1.0, 1.0, one.inertia) if one.inertia else (1.0, 1.0), ("x", "y", "turn") if round_ else ("x", "y"))
    slip: Any = {"y": 1.0, "turn": 1.0} if round_ else "y"
    start = (1.0, 1.0, one.spin) if round_ else (1.0, 1.0)
    stated: dict[str, Any] = {"law": law("newton", restitution=one.restitution, friction=one.friction)}
    if ratio is not None:
        elastic = one.restitution == 1.0
        soft = law("linear", stiffness=1e6) if elastic else law("exact-hunt-crossley", stiffness=1e6, restitution=0.5)
        stated = {"law": soft, "friction": Friction(one.friction, stiffness_ratio=ratio)}
    contact = Contact(Place("body", "x"), Place("wall"), gap=0.02, tangent=(slip, None), **stated)
    problem = Problem((body, Wall(name="wall")), (contact,), initial_velocity={"body": start})
    found: Simulation = run(problem, duration=0.1, rtol=1e-9)
    velocity: np.ndarray = found.velocity[-1]
    return velocity


def _lying(
    dofs: dict[str, float], load: Sequence[float], slip: Any, friction: float, rigid: bool, **more: Any
) -> Problem:
    """Return a body that lies on the ground, from the overlap at which it rests."""
    influence = [0.0, 1.0] + [0.0] * (len(dofs) - 2)
    body = _body(tuple(dofs.values()), tuple(dofs), load=list(load), influence=influence)
    soft = law("kelvin-voigt", stiffness=1e11 if "motion" in more else 1e8, restitution=0.1)
    stated: dict[str, Any] = {"law": law("newton", restitution=0.0, friction=friction)}
    if not rigid:
        stated = {"law": soft, "friction": Friction(friction)}
        sag = load[0] / soft.stiffness
        more |= {"initial_displacement": {"body": (sag, *[0.0] * (len(dofs) - 1))}, "allow_overlap": True}
    contact = Contact(Place("body", "down"), Place("ground"), gap=0.0, tangent=(slip, None), **stated)
    return Problem((body, Ground(name="ground")), (contact,), **more)


def _rolling(run: Run, inertia: float, rigid: bool) -> Simulation:
    """Return a disc or sphere that slides at 1 m/s with μ = 0.2, until it rolls."""
    problem = _lying(
        {"down": 1.0, "x": 1.0, "turn": inertia}, (GRAVITY, 0.0, 0.0), {"x": 1.0, "turn": 1.0}, 0.2, rigid,
        initial_velocity={"body": (0.0, 1.0, 0.0)},
    )  # fmt: skip
    found: Simulation = run(problem, duration=0.2, rtol=1e-9)
    return found


def _pulse(run: Run, rigid: bool) -> float:
    """Return how far a block slips on a base that is accelerated for a while."""
    dt = LASTING / 400.5
    motion = Motion(np.where(np.arange(1050) <= 400, PULSE, 0.0), dt=dt)
    problem = _lying({"down": 2.0, "x": 2.0}, (2.0 * GRAVITY, 0.0), "x", 0.2, rigid, motion=motion)
    return -float(run(problem, rtol=1e-8).displacement[-1, 1])


def _incline(run: Run, friction: float, rigid: bool) -> float:
    """Return the acceleration of a box on an incline of 30°."""
    down, along = GRAVITY * math.cos(math.pi / 6.0), GRAVITY * math.sin(math.pi / 6.0)
    problem = _lying({"down": 1.0, "x": 1.0}, (down, along), "x", friction, rigid)
    found = run(problem, duration=1.0, sampling=0.01, rtol=1e-8)
    late = found.time > 0.5
    return float(np.polyfit(found.time[late], found.velocity[late, 1], 1)[0])
