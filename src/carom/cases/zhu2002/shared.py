"""zhu2002 test 1: two equal point masses on equal springs that just touch at rest, and both its closed forms.

The sum of the displacements never feels the contact, s = −u0 cos ωt. Their difference swings freely for half a period
π/ω while the masses are apart and, with a linear contact K, for π/ω_c with ω_c² = ω² + 2K/m while they touch. Without
duration of contact (K → ∞) this is the paper's theory: the masses exchange their motion every half period.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.cases.base import Run
from carom.contact import Contact, Place
from carom.laws import law
from carom.problem import Problem
from carom.results import Simulation
from carom.structures import Oscillator

__all__ = ["CONTACT", "PERIOD", "RELEASED", "closed_form", "contact_time", "release"]

# ours: the parameters stand in Figure 6, which we do not have
MASS = 2.0  # kg, that of the girder of test 2
CONTACT = 1.5474e5  # N/m, K_cnt of test 2
PERIOD = 1.0  # s
RELEASED = 0.010  # m, the first mass pulled away from the second

OMEGA = 2.0 * math.pi / PERIOD


def release(run: Run, *, sampling: float, periods: float, stiffness: float = CONTACT, **how: Any) -> Simulation:
    """Release the first mass and follow both for so many periods, by the engine or as told."""
    pair = tuple(Oscillator(mass=MASS, period=PERIOD, name=name) for name in ("m1", "m2"))
    contact = Contact(Place("m1"), Place("m2"), gap=0.0, law=law("linear", stiffness=stiffness))
    problem = Problem(pair, (contact,), initial_displacement={"m1": (-RELEASED,)})
    result: Simulation = run(problem, duration=periods * PERIOD, sampling=sampling, **how)
    return result


def contact_time(stiffness: float) -> float:
    """Return how long the masses touch [s]; nothing for an infinite stiffness."""
    return math.pi / math.sqrt(OMEGA**2 + 2.0 * stiffness / MASS)


def closed_form(time: npt.ArrayLike, stiffness: float = math.inf) -> npt.NDArray[np.float64]:
    """Return the displacements of both masses [m] at times [s], shape (…, 2)."""
    t = np.asarray(time, dtype=np.float64)
    apart, together = 0.5 * PERIOD, contact_time(stiffness)
    phase = np.mod(t + 0.25 * PERIOD, apart + together)  # the release is the middle of a flight
    difference = -RELEASED * np.sin(OMEGA * phase)
    if together > 0.0:
        touching = phase > apart
        pressed = RELEASED * OMEGA * together / math.pi * np.sin(math.pi * (phase - apart) / together)
        difference = np.where(touching, pressed, difference)
    total = -RELEASED * np.cos(OMEGA * t)
    return np.stack([0.5 * (total + difference), 0.5 * (total - difference)], axis=-1)
