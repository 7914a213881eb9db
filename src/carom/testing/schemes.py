"""What every scheme keeps: its order, its energy, and its word on what it can do."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.contact import Bearing, Contact, Place, facing
from carom.errors import InputError
from carom.integrate.schemes.base import can_of, options_of, order_of, schemes
from carom.integrate.schemes.capability import WORDS, Can
from carom.integrate.simulate import simulate
from carom.joints import Bilinear, Elastomeric
from carom.laws.catalogue import law
from carom.motions.motion import MotionSet
from carom.motions.synthetic import harmonic
from carom.problem import Problem
from carom.structures import Abutment, Deck, FixedBody, Girder, Oscillator, ShearBuilding, Structure, Wall
from carom.testing.hold import hold

__all__ = ["check_scheme"]

PERIOD, RATIO, SPEED = 0.5, 0.05, 1.0
"""Of the oscillator whose free decay is known in closed form [s, –, m/s]."""
STEPS = (0.01, 0.005)
"""Steps at which the order is measured [s]."""
FINE = 1e-4
"""Step at which a scheme is compared with others [s]."""


def check_scheme(name: str) -> None:
    """Hold a scheme, by its registered name, to its contract.

    A free oscillator decays as the closed form says: to 1e-6, or at the scheme's order where it has one. What it says
    it can (`Can`) it runs, with the energy ledger closed; what it says it cannot is refused with the schemes that can.
    """
    scheme = schemes.get(name)
    can, order, stepped = can_of(scheme), order_of(scheme), "dt" in options_of(scheme)
    _decay(name, order, stepped)
    for feature in WORDS:
        if feature in ("friction", "functions"):
            continue  # the first needs a contact that can slide, a function a scheme compiled for it
        problem = _problem(feature, can)
        if getattr(can, feature):
            _runs(name, feature, problem, stepped)
        else:
            _refuses(name, feature, problem)


def _decay(name: str, order: int | None, stepped: bool) -> None:
    one = Oscillator(mass=1000.0, period=PERIOD, damping_ratio=RATIO, name="one")
    problem = Problem((one,), initial_velocity={"one": (SPEED,)})
    errors = []
    for step in STEPS if stepped else STEPS[:1]:
        more: dict[str, Any] = {"dt": step} if stepped else {}
        run = simulate(problem, scheme=name, duration=1.0, sampling=STEPS[0], **more)
        omega = 2.0 * math.pi / PERIOD
        swift = omega * math.sqrt(1.0 - RATIO**2)
        exact = SPEED * np.exp(-RATIO * omega * run.time) * np.sin(swift * run.time) / swift
        errors.append(float(np.abs(run.displacement[:, 0] - exact).max() / np.abs(exact).max()))
    if order is None or not stepped:
        hold(errors[0] <= 1e-6, f"{name}: a free decay is off by {errors[0]:.2g} of its peak.")
        return
    hold(errors[0] < 0.5, f"{name}: a free decay in {STEPS[0] / PERIOD:.2g} periods a step is off by {errors[0]:.2g}.")
    gained = math.log2(errors[0] / errors[1]) if errors[1] > 1e-12 else math.inf
    hold(gained > order - 0.4, f"{name} says order {order}; halving the step gains 2^{gained:.2f}.")


def _problem(feature: str, can: Can) -> Problem:
    """Return a problem that needs a feature, and as little else as can be."""
    impulsive = feature == "impulsive" or (feature != "compliant" and not can.compliant)
    chosen = law("newton", restitution=0.6) if impulsive else law("kelvin-voigt", stiffness=2e7, restitution=0.6)
    coupled = np.array([[6e4, -1e4], [-1e4, 4e4]]) if feature == "coupled_damping" else None
    left = ShearBuilding(
        masses=(2e4, 2e4), stiffnesses=(8e6, 8e6), damping=coupled,
        damping_ratio=None if feature == "coupled_damping" else 0.03,
        storeys=Bilinear(0.01, 0.1) if feature == "yielding" else None, name="left",
    )  # fmt: skip
    shake = harmonic(amplitude=4.0, frequency=1.6, duration=1.0, dt=0.01)
    place: Any = ("left", 2)
    wall: Any = "wall"
    if feature == "turning":
        deck = Deck(length=10.0, width=5.0, skew=0.3, mass=2e4, name="left")
        end = Abutment.beside(deck, "e", gap=0.01, name="wall")
        places = (Place("left", corner) for corner in deck.corner_names)
        pads = tuple(Bearing(place, Place("ground"), rule=Elastomeric(1e6, 1e4)) for place in places)
        return Problem((deck, end), (facing("left", "wall", law=chosen),), motion=shake, bearings=pads)
    if feature == "spatial":
        box = Girder(length=2.0, width=1.0, depth=0.5, mass=2e4, position=(0.0, 0.0, 0.26), name="left")
        floor = FixedBody.plate((0.0, 0.0, 0.0), normal="z", size=10.0, name="wall")
        corners = tuple(
            Contact(Place("left", corner), Place("wall"), face="face", law=chosen)
            for corner in ("sw bottom", "se bottom", "ne bottom", "nw bottom")
        )
        return Problem((box, floor), corners, motion=shake)
    if feature == "three_components":
        aslant = Structure(
            left.mass_matrix, left.stiffness_matrix, damping_ratio=0.03, name="left",
            influence=np.array([[0.6, 0.8, 0.0], [1.0, 0.0, 0.0]]),
        )  # fmt: skip
        across = MotionSet((shake, shake.scaled(factor=-0.5)))
        return Problem((aslant, Wall("wall")), (Contact(place, wall, gap=0.01, law=chosen),), motion=across)
    return Problem((left, Wall("wall")), (Contact(place, wall, gap=0.01, law=chosen),), motion=shake)


def _runs(name: str, feature: str, problem: Problem, stepped: bool) -> None:
    more: dict[str, Any] = {"dt": FINE} if stepped else {}
    run = simulate(problem, scheme=name, fail="return", **more)
    hold(not run.outcome.failed, f"{name} says it can have {WORDS[feature]}; its run ended as {run.outcome.word}.")
    hold(run.table["start"].size > 0, f"{name}: no impact in a problem that has some ({WORDS[feature]}).")
    size = float(run.ledger["input"].max())
    left = float(np.abs(run.ledger["residual"]).max())
    hold(left <= 2e-2 * size, f"{name} with {WORDS[feature]}: {left:.3g} J of {size:.3g} J unaccounted for.")


def _refuses(name: str, feature: str, problem: Problem) -> None:
    try:
        simulate(problem, scheme=name)
    except InputError as refused:
        hold(WORDS[feature] in str(refused), f"{name} refuses {WORDS[feature]} in other words: {refused}")
        return
    raise AssertionError(f"{name} says it cannot have {WORDS[feature]}, and ran with it.")
