"""The one place where the judge's rooms meet carom: a description becomes a `carom.Problem`."""

from __future__ import annotations

from typing import Any

import numpy as np

import carom
from tests.judge.assemble import initial_overlaps, storeys
from tests.judge.describe import Contact, Description, Law, Structure
from tests.judge.laws import FUNCTIONS


def as_carom(problem: Description) -> carom.Problem:
    """Return the same problem for carom; structure i is called ``s{i}``."""
    structures = [_structure(structure, f"s{i}") for i, structure in enumerate(problem.structures)]
    start: dict[str, dict[str, Any]] = {"displacement": {}, "velocity": {}}
    for i, structure in enumerate(problem.structures):
        for name, values in start.items():
            if (given := getattr(structure, name)) is not None:
                values[f"s{i}"] = list(given)
    return carom.Problem(
        structures, [_contact(contact, problem) for contact in problem.contacts],
        motion=_motion(problem),
        initial_displacement=start["displacement"], initial_velocity=start["velocity"],
        allow_overlap=bool(np.any(initial_overlaps(problem) > 0.0)),
        dampers=[
            carom.Damper(*_sides(damper.left, damper.right, problem), damper.constant) for damper in problem.dampers
        ],
    )  # fmt: skip


def _motion(problem: Description) -> Any:
    motions = [carom.Motion(np.array(row), problem.dt) for row in (problem.ground, *(problem.across or ()))]
    return motions[0] if len(motions) == 1 else dict(zip("xyz", motions, strict=True))


def _structure(given: Structure, name: str) -> Any:
    if given.kind == "wall":
        return carom.Wall(name=name)
    if given.kind == "fixed wall":
        return carom.Wall(name=name, moving=False)
    if given.kind == "body" and given.influence is None:
        push = 0.0 if given.load is None else given.load[0] / given.masses[0]
        dashpot = 0.0 if given.matrix is None else given.matrix[0][0]
        return carom.Body(
            mass=given.masses[0], stiffness=given.stiffnesses[0], damping=dashpot, gravity=push, name=name
        )
    damping: dict[str, Any] = {}
    if given.matrix is not None and (given.influence is None or np.any(given.matrix)):
        damping["damping"] = np.array(given.matrix)
    elif given.rayleigh is not None:
        damping["damping"] = carom.Rayleigh(*given.rayleigh)
    elif given.ratios is not None:
        damping["damping_ratio"] = given.ratios[0] if len(given.ratios) == 1 else list(given.ratios)
    if given.influence is not None:
        return carom.Structure(
            list(given.masses), storeys(given.stiffnesses), influence=given.influence, name=name, **damping,
            **({} if given.load is None else {"load": list(given.load)}),
        )  # fmt: skip
    if given.kind == "oscillator" and given.load is None:
        return carom.Oscillator(mass=given.masses[0], stiffness=given.stiffnesses[0], name=name, **damping)
    if given.kind == "building" and given.load is None:
        return carom.ShearBuilding(masses=list(given.masses), stiffnesses=list(given.stiffnesses), name=name, **damping)
    load = {} if given.load is None else {"load": list(given.load)}
    return carom.Structure(list(given.masses), storeys(given.stiffnesses), name=name, **damping, **load)


def _sides(left: tuple[int, int], right: tuple[int, int], problem: Description) -> list[Any]:
    return [(f"s{i}", floor) if problem.structures[i].masses else f"s{i}" for i, floor in (left, right)]


def _contact(given: Contact, problem: Description) -> carom.Contact:
    return carom.Contact(*_sides(given.left, given.right, problem), gap=given.gap, law=_law(given.law))


def _law(given: Law) -> Any:
    options: dict[str, Any] = {"tension": given.tension}
    if given.function:
        if given.name not in carom.laws.laws.names():
            carom.register_law(given.name)(FUNCTIONS[given.name][1])
        return carom.law(given.name, **options)
    for name in ("restitution", "damping"):
        if getattr(given, name) is not None:
            options[name] = getattr(given, name)
    if given.published:
        options["v0"] = "published"
    return carom.law(given.name, stiffness=given.stiffness, **options)
