"""The problems that both codes run, and what is compared: displacement peaks and the largest force."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

import carom

EXACT = 1e-10
"""Tolerance of the runs that serve as the answer."""
CHANGE = 1e-8
"""Relative change of the gap by which sensitivity is measured."""
GAP = 0.01

LAWS = ("hertzdamp", "hertz", "ye-2009", "jankowski-2005", "mahmoud-jankowski-2011", "kelvin-voigt", "linear")
"""Laws for which OpenSees has a material."""
STIFFNESS = {"two": (1e8, 2e9), "soft": (2e7, 5e8), "three": (1e8, 2e9), "10 v 8": (6e9, 1e11)}
"""Contact stiffness [N/m] of linear laws and [N/m^1.5] of Hertz's kind; for buildings ten times that of a storey
(the usual rule, and about that of a slab), for the small masses of a test rig what is measured on concrete."""


OSCILLATORS = {
    "two": ((4600.0, 0.6), (3500.0, 0.3)),
    "soft": (
        (4600.0, 2.0 * math.pi * math.sqrt(4600.0 / 2.11e6)),
        (3500.0, 2.0 * math.pi * math.sqrt(3500.0 / 5.31e6)),
    ),
    "three": ((4600.0, 0.6), (3500.0, 0.3), (5200.0, 0.8)),
}
"""Mass [kg] and period [s], left to right; of the soft pair stiffnesses are given, 2.11e6 and 5.31e6 N/m."""
DAMPING = {"soft": 0.005}
"""Damping ratio of oscillators, where it is not 0.05."""
GAPS = {"soft": 0.02}
"""Gap [m], where it is not GAP."""


class Errors(NamedTuple):
    """Largest relative error of the displacement peaks, and that of the largest force."""

    displacement: float
    force: float

    @property
    def worst(self) -> float:
        """The larger of the two."""
        return max(self)


def law_of(name: str, structures: str) -> carom.laws.CompliantLaw:
    """Return a law at e = 0.65; v0 as published, which is what OpenSees takes (at the end of its first step)."""
    kind = carom.laws.laws.get(name)
    stiffness = STIFFNESS[structures][0 if kind.n == 1.0 else 1]
    if kind.m is None:
        return kind(stiffness=stiffness)
    return kind(stiffness=stiffness, restitution=0.65, v0="published")


def motion(name: str, end: float = 30.0) -> carom.Motion:
    """Return a built-in motion of exactly that length [s]."""
    suite = {found.name: found for found in carom.motions.suite("thirty")}
    found = suite[name] if name in suite else carom.motions.get(name)
    return found.padded(after=max(end - found.duration, 0.0)).trimmed(end=end)


def problem(structures: str, law_name: str, motion: carom.Motion) -> carom.Problem:
    """Return two oscillators, three in a row, or ten against eight storeys with all eight facing floors in contact."""
    law = law_of(law_name, structures)
    if structures == "10 v 8":
        buildings = [building(10, 3e8, "tall"), building(8, 6e8, "low")]
        return carom.Problem(buildings, [carom.facing("tall", "low", gap=GAP, law=law)], motion=motion)
    ratio, gap = DAMPING.get(structures, 0.05), GAPS.get(structures, GAP)
    row = [carom.Oscillator(mass=m, period=t, damping_ratio=ratio) for m, t in OSCILLATORS[structures]]
    contacts = [carom.Contact(i, i + 1, gap=gap, law=law) for i in range(len(row) - 1)]
    return carom.Problem(row, contacts, motion=motion)


def building(floors: int, stiffness: float, name: str, mass: float = 3e5) -> carom.ShearBuilding:
    """Return equal storeys, damped 5 % in the first and in the fourth (or last) mode."""
    bare = carom.ShearBuilding(masses=[mass] * floors, stiffnesses=[stiffness] * floors, damping_ratio=0.05)
    anchors = bare.frequencies[[0, min(3, floors - 1)]]
    return bare.replace(
        damping_ratio=None, damping=carom.Rayleigh.from_ratios(0.05, frequencies=anchors.tolist()), name=name
    )


def answer(run: carom.Simulation) -> np.ndarray:
    """Return the displacement peaks, then the largest force."""
    return np.append(run.extremes[:, 0], run.table["peak_force"].max(initial=0.0))


def errors(found: np.ndarray, exact: np.ndarray) -> Errors:
    """Return the relative errors of an answer."""
    relative = np.abs(found / exact - 1.0)
    return Errors(float(relative[:-1].max()), float(relative[-1]))


def amplification(problem: carom.Problem, exact: np.ndarray) -> float:
    """Return the relative change of the answer over that of the gaps."""
    moved = carom.simulate(problem.replace(gap=GAP * (1.0 + CHANGE)), rtol=EXACT)
    return errors(answer(moved), exact).worst / CHANGE
