"""`carom.compare`: the same problem by penalty laws, stiffer and stiffer, and by rigid contact."""

from __future__ import annotations

import time as clock
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from carom.errors import CaromError, InputError, refusal
from carom.integrate.simulate import simulate
from carom.laws.base import DampedLaw
from carom.laws.catalogue import impulsive_laws
from carom.laws.catalogue import law as build
from carom.laws.catalogue import laws as catalogue
from carom.laws.impulse import ImpulsiveLaw
from carom.laws.stiffness import equivalent
from carom.problem import Problem
from carom.results import PenaltyComparison, Simulation
from carom.units import POSITIVE, array, number

__all__ = ["compare"]

OWNER = "compare"
NEARLY_TOUCHING = 1e-12
"""Gap [m] of penalty contacts that touch at rest: a contact that begins at no overlap and no speed has no scale."""
UNTOUCHED = 0.1
"""Speed [m/s] where nothing touched: any will do."""
LAWS = ("kelvin-voigt", "hunt-crossley-exact", "lankarani-nikravesh-1990")


def compare(
    problem: Problem,
    *,
    stiffnesses: float | str | Sequence[float | str],
    laws: str | Iterable[str] = LAWS,
    restitution: float | None = None,
    calibrated: bool = True,
    **options: Any,
) -> PenaltyComparison:
    """Run a problem with penalty laws at several stiffnesses and with rigid contact, and measure how they differ.

    Parameters
    ----------
    problem
        Its gaps and structures are kept, its laws replaced.
    stiffnesses
        One or several contact stiffnesses of a linear law [N/m]. A law with another exponent takes at each contact the
        stiffness with which an undamped impact, at the median speed of the rigid run, has the same peak force.
    laws
        Names of laws with a stiffness, one or several.
    restitution
        e of all; by default that of the problem's first contact.
    calibrated
        Whether each law's damping is solved so that it achieves e at the speeds of the rigid run.
    options
        As for `carom.simulate`: ``duration``, ``sampling``, ``rtol``.
    """
    if not isinstance(problem, Problem):
        raise refusal("problem", OWNER, "must be a carom.Problem", problem)
    if not problem.pairs:
        raise InputError("compare needs a problem with contacts: there is nothing to compare without.")
    names = (laws,) if isinstance(laws, str) else tuple(laws)
    given = stiffnesses if isinstance(stiffnesses, str | float | int) else list(stiffnesses)
    stiff = np.sort(np.atleast_1d(array(given, "N/m", name="stiffnesses", owner=OWNER, within=POSITIVE)))
    e = _restitution(problem, restitution)
    for name in names:
        if name in impulsive_laws:
            raise refusal("laws", OWNER, "must be laws with a stiffness", name)
    rigid = simulate(problem.replace(law=build("newton", restitution=e)), **options)
    masses, speeds = problem.flat().effective_mass, _speeds(problem, rigid)
    own = np.array([[_own(name, k, masses[0], speeds[0]) for k in stiff.tolist()] for name in names])
    values = {
        name: np.full((len(names), stiff.size), np.nan)
        for name in ("history", "peaks", "impacts", "overlap", "steps", "seconds")
    }
    for i, name in enumerate(names):
        for j, stiffness in enumerate(stiff):
            begin = clock.perf_counter()
            try:
                run = simulate(_with(problem, speeds, name, float(stiffness), e, calibrated), **options)
            except CaromError:  # a law that cannot achieve e, or a run that fails: its row says so by having no numbers
                continue
            values["seconds"][i, j] = clock.perf_counter() - begin
            values["history"][i, j], values["peaks"][i, j] = _differences(run, rigid)
            values["impacts"][i, j] = run.table["start"].size
            values["overlap"][i, j] = run.table["peak_overlap"].max(initial=0.0)
            values["steps"][i, j] = run.evidence["contact_steps"]
    return PenaltyComparison(rigid, names, stiff, own, values, rigid.evidence["most_contacts_at_once"] > 1, e)


def _restitution(problem: Problem, given: float | None) -> float:
    if given is None:
        law = problem.pairs[0].law
        if isinstance(law, ImpulsiveLaw):
            return law.at(0.0)
        if isinstance(law, DampedLaw) and law.restitution is not None:
            return float(law.restitution)
        raise InputError("compare needs `restitution`: the problem's first law states none.")
    return number(given, "", name="restitution", owner=OWNER)


def _speeds(problem: Problem, rigid: Simulation) -> list[float]:
    """Return the median approach velocity at each contact of the rigid run [m/s]; of all where it never touched."""
    found = rigid.table["approach_velocity"]
    usual = float(np.median(found[found > 0.0])) if (found > 0.0).any() else UNTOUCHED
    speeds = []
    for c in range(len(problem.pairs)):
        mine = found[(rigid.table["contact"] == c) & (found > 0.0)]
        speeds.append(float(np.median(mine)) if mine.size else usual)
    return speeds


def _own(name: str, stiffness: float, mass: float, speed: float) -> float:
    """Return a law's own stiffness [N/mⁿ]: that with the elastic peak force of a linear law."""
    return equivalent(stiffness, 1.0, catalogue.get(name).n, mass, speed)


def _with(
    problem: Problem, speeds: Sequence[float], name: str, stiffness: float, e: float, calibrated: bool
) -> Problem:
    """Return the problem with a penalty law whose stiffness and damping fit each contact's mass and speed."""
    contacts = []
    for given, mass, speed in zip(problem.pairs, problem.flat().effective_mass.tolist(), speeds, strict=True):
        law = build(name, stiffness=_own(name, stiffness, mass, speed), restitution=e)
        if calibrated and isinstance(law, DampedLaw):
            law = law.calibrated(mass=mass, velocity=speed)
        contacts.append(given.replace(law=law, gap=NEARLY_TOUCHING if given.gap == 0.0 else given.gap))
    return problem.replace(contacts=contacts)


def _differences(run: Simulation, rigid: Simulation) -> tuple[float, float]:
    scale = float(np.abs(rigid.displacement).max())
    history = float(np.abs(run.displacement - rigid.displacement).max()) / scale
    moved = rigid.extremes[:, 0] > 0.0
    peaks = np.abs(run.extremes[moved, 0] / rigid.extremes[moved, 0] - 1.0)
    return history, float(peaks.max(initial=0.0))
