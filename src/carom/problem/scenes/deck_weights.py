"""What holds decks, and how their weight goes into bearings that slide."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from carom.contact import Place
from carom.errors import InputError, refusal
from carom.joints import Joint, SlidingBearing
from carom.structures.bridges.deck import Deck
from carom.units import standard_gravity

if TYPE_CHECKING:
    from carom.problem.problem import Problem

__all__ = ["GROUND", "is_ground", "normal_forces", "refuse_unsupported"]

GROUND = "ground"
"""What bearings and seats may stand on without a structure of that name."""


def is_ground(problem: Problem, place: Place) -> bool:
    """Whether a place is the ground itself, and no structure."""
    return place.structure == GROUND and GROUND not in problem.names


def refuse_unsupported(problem: Problem) -> None:
    """Refuse a deck that nothing holds."""
    places = [place for tie in problem.bearings for place in (tie.a, tie.b) if not is_ground(problem, place)]
    held = {problem.index(place.structure) for place in places}
    for i, structure in enumerate(problem.structures):
        if isinstance(structure, Deck) and not structure.free and i not in held:
            raise InputError(
                f'{structure.owner} has no support. Give it bearings, carom.Bearing(("{structure.name}", "sw"), '
                "…, rule=…), or say Deck(…, free=True) of a body that nothing holds."
            )


def normal_forces(problem: Problem) -> list[float]:
    """Return the normal force [N] of each bearing under the weight of its deck: the least forces in equilibrium."""
    found = [math.nan] * len(problem.ties)
    for i, structure in enumerate(problem.structures):
        if not isinstance(structure, Deck):
            continue
        under = [
            k for k, tie in enumerate(problem.ties)
            if problem.index(tie.a.structure) == i and any(_carries(rule) for rule in tie.rules)
        ]  # fmt: skip
        if not any(_asks(rule) for k in under for rule in problem.ties[k].rules):
            continue
        arms = np.array([structure.arm(problem.ties[k].a.at) for k in under])
        matrix = np.vstack([np.ones(len(under)), arms.T])
        wanted = np.array([structure.mass * standard_gravity, 0.0, 0.0]) if structure.mass else np.zeros(3)
        forces = np.linalg.pinv(matrix) @ wanted
        if forces.min() <= 0.0 or not np.allclose(matrix @ forces, wanted, atol=1e-9 * wanted[0]):
            raise refusal(
                "normal", f"the bearings of {structure.owner}",
                "must be given where their places alone cannot carry the weight in equilibrium", forces.tolist(),
                "Give `normal` to each SlidingBearing, or place bearings around the centre of mass.",
            )  # fmt: skip
        for k, force in zip(under, forces.tolist(), strict=True):
            found[k] = force
    return found


def _asks(rule: Joint) -> bool:
    return isinstance(rule, SlidingBearing) and rule.normal is None


def _carries(rule: Joint) -> bool:
    """Whether a rule is that of a bearing, which carries weight; keys, stops and soil do not."""
    return rule.dimension == 2 and rule.name != "stops"
