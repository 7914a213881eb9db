"""Friction of contacts whose laws have a force, as the rows that kernels take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from carom.contact import Contact
from carom.errors import refusal
from carom.kernels.laws import power_law
from carom.problem.scenes.scene import Array, FlatScene, nothing

__all__ = ["friction_of", "normal_stiffness"]

TYPICAL_SPEED = 0.2
"""Of a touch [m/s]: for laws that are not linear, k_n is the secant stiffness of the impact with this speed."""


def friction_of(
    contacts: Sequence[Contact], laws: Array, effective_mass: Array, second_slide: Array
) -> FlatScene | None:
    """Return the scene that contacts with constant rows and friction make; None where one tangent tells all of it.

    Impulsive laws have their friction in the problem itself.
    """
    if all(contact.friction is None for contact in contacts) and not second_slide.any():
        return None
    scene = nothing(len(contacts), second_slide.shape[1])
    rows = scene.friction.copy()
    for c, contact in enumerate(contacts):
        if contact.friction is not None:
            mass = float(effective_mass[c]) if contact.mass is None else contact.mass
            rows[c] = contact.friction.packed(_stiffness(contact, laws[c], mass), mass)
    return replace(scene, friction=rows, second_slide=second_slide)


def normal_stiffness(law: Array, mass: float) -> float:
    """Return k_n [N/m] of a law's coefficients: K δⁿ⁻¹ at the overlap at which the spring stops a typical impact."""
    exponent = float(law[power_law.EXPONENT])
    if exponent == 1.0:
        return float(law[power_law.STIFFNESS])
    overlap = float(power_law.overlap_scale(law, mass, TYPICAL_SPEED))
    return float(law[power_law.STIFFNESS]) * math.pow(overlap, exponent - 1.0)


def _stiffness(contact: Contact, law: Array, mass: float) -> float:
    """Return k_n of a contact; of a law that is a function nobody knows it."""
    friction = contact.friction
    assert friction is not None
    if friction.stiffness is not None:
        return friction.stiffness
    if math.isnan(float(law[power_law.STIFFNESS])):
        raise refusal(
            "stiffness_ratio", "Friction", f"cannot be used with '{contact.law.name}', a function without a stiffness",
            friction.stiffness_ratio, "Give the tangential stiffness itself: Friction(…, stiffness=…).",
        )  # fmt: skip
    return normal_stiffness(law, mass)
