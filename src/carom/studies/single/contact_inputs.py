"""What is least known of a contact: its stiffness, for which the adviser gives a range, and its restitution."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from carom.contact import Contact
from carom.errors import CaromError
from carom.laws.base import CompliantLaw, DampedLaw, FunctionLaw, stiffness_unit
from carom.laws.impulse import ImpulsiveLaw
from carom.laws.stiffness import Advice, advise
from carom.problem import Problem, read_normal, separate_mobilities
from carom.results import Simulation

__all__ = ["MATERIAL", "STIFFER", "advised", "other_inputs", "structure_stiffness"]

STIFFER = 10.0
"""A contact should be so many times as stiff as the stiffer structure: langlade2021 after Crozet 2018."""
MATERIAL = "concrete"
"""Problems do not say what their structures are made of."""
RESTITUTION = 0.1
"""By how much the restitution is raised and lowered: that far tests of one material scatter."""
LEAST = 0.05
"""Restitution is not lowered below this: some laws are not defined at 0."""
SAME = 0.01
"""A stiffness this close to the one given needs no run of its own."""


def advised(problem: Problem, run: Simulation, contact: int) -> Advice | None:
    """Return the adviser's range of a contact's stiffness at the speeds of a run; None where it knows no such law."""
    pair = problem.pairs[contact]
    if not isinstance(pair.law, CompliantLaw) or isinstance(pair.law, FunctionLaw) or pair.law.n not in (1.0, 1.5):
        return None
    masses = [1.0 / m for m in _mobilities(problem, pair) if m > 0.0]
    speeds = run.table["approach_velocity"]
    own = speeds[run.table["contact"] == contact]
    speeds = own if own.size else speeds
    speeds = speeds[speeds > 0.0]
    if not masses or not speeds.size:
        return None
    stiffer = structure_stiffness(problem, pair)
    return advise(
        exponent=pair.law.n, materials=(MATERIAL, MATERIAL), masses=(masses[0], masses[-1]),
        velocity=float(np.median(speeds)), structure_stiffness=stiffer if stiffer > 0.0 else None,
    )  # fmt: skip


def structure_stiffness(problem: Problem, contact: Contact) -> float:
    """Return the largest stiffness [N/m] that either side has of its own: of a storey, a spring, a bearing."""
    found = [0.0]
    for place in (contact.a, contact.b):
        structure = problem.structure(place.structure)
        storeys = getattr(structure, "stiffnesses", None) or (getattr(structure, "stiffness", None),)
        found += [float(k) for k in storeys if k is not None]
    return max(found)


def other_inputs(problem: Problem, run: Simulation) -> Iterator[tuple[str, Problem]]:
    """Yield the problem with stiffnesses at both ends of the adviser's ranges, then with other restitutions."""
    ranges = [advised(problem, run, c) for c in range(len(problem.pairs))]
    hardest = int(run.table["contact"][int(np.argmax(run.table["peak_force"]))])  # whose range is told
    for words, end in (("least", "low"), ("largest", "high")):

        def stiffness(c: int, law: CompliantLaw, end: str = end) -> CompliantLaw | None:
            advice = ranges[c]
            if advice is None:
                return None
            wanted = float(getattr(advice, end))
            return None if abs(wanted / law.stiffness - 1.0) < SAME else law.replace(stiffness=wanted)

        told = ranges[hardest]
        much = "" if told is None else f" of {getattr(told, end):.3g} {stiffness_unit(told.exponent)}"
        yield from _changed(problem, f"contact stiffness{much}, the adviser's {words}", stiffness)
    for words, change in (("lower", -RESTITUTION), ("higher", RESTITUTION)):

        def restitution(_: int, law: CompliantLaw | ImpulsiveLaw, change: float = change) -> object:
            e = getattr(law, "restitution", None)
            if not isinstance(e, float) or (isinstance(law, DampedLaw) and law.damping is not None):
                return None
            wanted = min(max(e + change, min(e, LEAST)), 1.0)
            return None if wanted == e else law.replace(restitution=wanted)

        yield from _changed(problem, f"restitution {RESTITUTION:g} {words}", restitution)


def _changed(problem: Problem, words: str, change: Callable[..., object]) -> Iterator[tuple[str, Problem]]:
    """Yield the problem with other laws; nothing where no law changes, or where one cannot be so."""
    try:
        laws = [change(c, pair.law) for c, pair in enumerate(problem.pairs)]
    except CaromError:  # a law that is not defined at that restitution
        return
    if any(law is not None for law in laws):
        pairs = zip(problem.pairs, laws, strict=True)
        yield words, problem.replace(contacts=tuple(p if law is None else p.replace(law=law) for p, law in pairs))


def _mobilities(problem: Problem, contact: Contact) -> list[float]:
    """Return of both sides the inverse of the mass that a contact force feels there [1/kg]; 0 of what is not moved."""
    return list(separate_mobilities(problem, read_normal(problem, contact)))
