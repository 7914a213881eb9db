"""The inputs as understood: what a scenario came to, in the units of an engineer."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import zip_longest
from typing import Any

import numpy as np

from carom.joints import InternalSpring
from carom.laws.impulse import ImpulsiveLaw
from carom.motions.motion import Motion
from carom.problem import Problem
from carom.problem.labels import place_label
from carom.reports.page import number
from carom.results import Table
from carom.scenario import Scenario
from carom.structures import Structure, TorsionalBuilding
from carom.structures.base import LinearStructure
from carom.structures.frame import Frame
from carom.structures.matrices import Array
from carom.structures.points import AXES
from carom.units import si, standard_gravity

__all__ = ["inputs", "problem_tables"]

MOST_STARTS = 12
"""Degrees of freedom whose start is told."""
MEASURES: dict[str, Callable[[Motion], str]] = {
    "record": lambda motion: motion.name,
    "event": lambda motion: ", ".join(part for part in (motion.event, motion.station, motion.component) if part) or "–",
    "length": lambda motion: f"{motion.duration:.4g} s, {motion.npts} samples at {motion.dt:g} s",
    "peak ground acceleration": lambda motion: f"{motion.pga / standard_gravity:.4g} g",
    "peak ground velocity": lambda motion: si(motion.pgv, "m/s", 4),
    "peak ground displacement": lambda motion: si(motion.pgd, "m", 4),
}
"""What the table of a ground motion tells."""


def inputs(scenario: Scenario) -> list[Table]:
    """Return the inputs as tables: structures, contacts, motion, analysis."""
    tables = problem_tables(scenario.problem)
    if scenario.ground:
        tables.append(_motion(scenario))
    if scenario.motion is None or any(support.y or support.z for support in scenario.problem.supports):
        grounds = _grounds(scenario.problem)
        tables += [grounds] if grounds.rows else []
    starts = _starts(scenario.problem)
    return [*tables, *([starts] if starts.rows else []), _analysis(scenario)]


def problem_tables(problem: Problem) -> list[Table]:
    """Return structures and contacts as tables."""
    found = [_structures(problem), *([_contacts(problem)] if problem.pairs else [])]
    return [*found, _dampers(problem)] if problem.dampers else found


def _dampers(problem: Problem) -> Table:
    """Return the dashpots between places."""
    rows = tuple(
        (f"{place_label(problem, one.a)} | {place_label(problem, one.b)}", f"{number(one.constant / 1e3, 4)} kN s/m")
        for one in problem.dampers
    )
    return Table("dampers", "Dampers", ("between", "constant"), rows)


def _structures(problem: Problem) -> Table:
    head = ("structure", "kind", "mass", "stiffness", "periods", "damping")
    return Table("structures", "Structures", head, tuple(_structure(structure) for structure in problem.structures))


def _structure(structure: LinearStructure) -> tuple[str, ...]:
    words = _kind(structure) + _storeys(structure)
    if not structure.massive:
        return structure.name, words, "–", "–", "–", "–"
    modes = structure.modes()
    moving = modes.omega > 0.0
    periods = ", ".join(f"{period:.3g}" for period in structure.periods[moving][:3])
    ratios = 100.0 * modes.sigma[moving] / modes.omega[moving]
    return (
        structure.name,
        words,
        _mass(float(np.diag(structure.influence.T @ structure.mass_matrix @ structure.influence).max())),
        _stiffness(structure),
        f"{periods} s" if periods else "rigid",
        _spread(ratios) if ratios.size else "–",
    )


def _kind(structure: LinearStructure) -> str:
    """Say what a structure is, and how large."""
    if isinstance(structure, Frame):
        return f"frame, {len(structure.nodes)} nodes, {len(structure.members)} members"
    if isinstance(structure, Structure):
        return f"structure by its matrices, {len(structure.dof_names)} degrees of freedom"
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(structure).__name__).lower()
    return f"{words}, {structure.floors} floors" if structure.floors else words


def _stiffness(structure: LinearStructure) -> str:
    """Say how stiff a structure is, where one number or one for each storey does."""
    if isinstance(structure, TorsionalBuilding):
        found = [list(one) for one in zip(*structure.storey_springs, strict=True)]
        return f"{_range(found[0], 'N/m')} along x, {_range(found[1], 'N/m')} along y"
    if isinstance(structure, (Frame, Structure)):
        return "–"
    stiffness = getattr(structure, "stiffnesses", None) or (getattr(structure, "stiffness", 0.0),)
    return _range([float(k) for k in stiffness], "N/m")


def _mass(kilograms: float) -> str:
    """Return a mass as engineers say it: 1200 t, not 1.2 kt."""
    return f"{float(f'{kilograms / 1e3:.4g}'):g} t" if kilograms >= 1e3 else si(1e3 * kilograms, "g", 4)


def _storeys(structure: LinearStructure) -> str:
    """Say what storeys do beyond k·d: ``; bilinear (yield drift 10 mm, hardening 0.05) in storeys 1, 2``."""
    springs = getattr(structure, "storeys", None) or ()
    places: dict[str, list[int]] = {}
    for i, spring in enumerate(springs, 1):
        if spring is not None:
            places.setdefault(_spring(spring), []).append(i)
    everywhere = len(places) == 1 and None not in springs
    where = "in all storeys" if everywhere else "in storey{} {}"
    return "".join(
        f"; {words} {where.format('s' if len(at) > 1 else '', ', '.join(map(str, at)))}" for words, at in places.items()
    )


def _spring(spring: InternalSpring) -> str:
    values = [
        f"{name.replace('_', ' ')} {si(getattr(spring, name), unit, 3) if unit else number(getattr(spring, name))}"
        for name, (unit, _) in spring.units.items()
    ]
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(spring).__name__)
    return f"{kind if '-' in kind else kind.lower()} ({', '.join(values)})"


def _range(values: list[float], unit: str) -> str:
    low, high = min(values), max(values)
    return si(low, unit, 3) if low == high else f"{si(low, unit, 3)} to {si(high, unit, 3)}"


def _spread(ratios: Array) -> str:
    low, high = float(ratios.min()), float(ratios.max())
    return f"{low:.3g} %" if high - low < 1e-9 * (high + 1.0) else f"{low:.3g} to {high:.3g} %"


def _contacts(problem: Problem) -> Table:
    flat = problem.flat()
    rows = []
    for contact, label, mass in zip(problem.pairs, flat.contact_labels, flat.effective_mass, strict=True):
        law = contact.law
        e: Any = getattr(law, "restitution", None)
        if isinstance(law, ImpulsiveLaw):
            stiffness, damping = "rigid", f"e = {e:g}" if isinstance(e, float) else "e by velocity"
        else:
            stiffness = si(law.stiffness, "N/m", 4) if law.n == 1.0 else f"{number(law.stiffness)} N/m^{law.n:g}"
            damping = "elastic" if law.m is None else f"e = {e:g}" if e is not None else f"damping {law.damping:g}"  # type: ignore[attr-defined]
            damping += "" if law.tension or not law.pulls else ", no tension"
        rows.append(
            (
                label,
                si(contact.gap, "m", 4),
                law.title,
                stiffness,
                damping,
                _mass(float(mass)),
            )
        )
    return Table(
        "contacts", "Contacts", ("contact", "gap", "law", "stiffness", "restitution", "effective mass"), tuple(rows)
    )


def _motion(scenario: Scenario) -> Table:
    """Return what is known of the motion, a column for each direction."""
    axes, motions = list(scenario.ground), list(scenario.ground.values())
    head = ("quantity", "value") if axes == ["x"] else ("quantity", *(f"along {axis}" for axis in axes))
    rows: list[tuple[str, ...]] = [(name, *map(told, motions)) for name, told in MEASURES.items()]
    steps = zip_longest(*(motion.processing for motion in motions), fillvalue="–")
    rows += [("processing", *step) for step in steps]
    return Table("ground-motion", "Ground motion", head, tuple(rows))


def _grounds(problem: Problem) -> Table:
    """Return what moves the ground under which structures, a row for each component."""
    rows = []
    for support in problem.supports:
        names = ", ".join(name for name in problem.names if problem.support_of(name) == support)
        for axis, motion in zip(AXES, support.along, strict=True):
            if motion is not None:
                peak = f"{motion.pga / standard_gravity:.4g} g"
                rows.append((names, axis, motion.name, peak, si(support.delay, "s", 4)))
    head = ("structures", "along", "record", "peak ground acceleration", "delay")
    return Table("grounds", "What moves the ground", head, tuple(rows))


def _starts(problem: Problem) -> Table:
    rows = []
    for word, given, unit in (
        ("displacement", problem.initial_displacement, "m"),
        ("velocity", problem.initial_velocity, "m/s"),
    ):
        rows += [(name, word, _start(problem.structure(name), values, unit)) for name, values in given.items()]
    return Table("initial-conditions", "Initial conditions", ("structure", "quantity", "value"), tuple(rows))


def _start(structure: LinearStructure, values: tuple[float, ...], unit: str) -> str:
    """Say where a structure starts: of many degrees of freedom those that do not start from zero, by name."""
    if structure.line or len(values) < 2:
        return ", ".join(si(v, unit, 4) for v in values)
    names = zip(structure.dof_names, values, strict=True)
    told = [f"{name} {_told(name, value, unit)}" for name, value in names if value]
    more = len(told) - MOST_STARTS
    return ", ".join([*told[:MOST_STARTS], *([f"and {more} more"] if more > 0 else [])]) or "0"


def _told(name: str, value: float, unit: str) -> str:
    turning = name.endswith(("rx", "ry", "rz"))
    return f"{number(value)} {unit.replace('m', 'rad')}" if turning else si(value, unit, 4)


def _analysis(scenario: Scenario) -> Table:
    analysis = scenario.analysis
    flat = scenario.problem.flat()
    rows: list[tuple[str, Any]] = [
        *_method(scenario),
        ("samples of histories", _sampling(flat.dt, analysis.sampling)),
        ("duration", si(analysis.duration, "s", 4) if analysis.duration is not None else "the record's"),
        ("damping of floor spectra", f"{100 * analysis.spectrum_damping:g} %"),
    ]
    return Table("analysis", "Analysis", ("option", "value"), tuple(rows))


def _method(scenario: Scenario) -> list[tuple[str, str]]:
    """Say how time advances, and how closely."""
    analysis = scenario.analysis
    rigid = any(isinstance(contact.law, ImpulsiveLaw) for contact in scenario.problem.pairs)
    if analysis.scheme == "event":
        rows = [("scheme", "event-driven: exact between impacts, touches located")]
        return rows if rigid else [*rows, ("tolerance in contact", number(analysis.rtol))]
    rows = [("scheme", analysis.scheme)]
    if analysis.dt is not None:
        rows.append(("time step", f"{si(analysis.dt, 's', 4)} at most"))
    elif rigid:
        rows.append(("time step", "from sample to sample"))
    else:
        rows.append(("tolerance of a step", number(analysis.rtol)))
    return rows + [(name, str(value)) for name, value in analysis.options.items() if name != "dt"]


def _sampling(record: float, asked: float | None) -> str:
    """Say how far samples of histories lie apart: as in the refined record, as asked for, or as the engine chooses."""
    step = record or asked
    return si(step, "s", 4) if step else "a fortieth of the shortest period"
