"""Where structures come to rest under their loads."""

from __future__ import annotations

import numpy as np

from carom.errors import refusal
from carom.joints import Driven
from carom.structures.base import LinearStructure

__all__ = ["REST", "AtRest", "rest_of"]

REST = "rest"
"""What is written for displacements at rest."""
HELD = 1e-12
"""Part of a load up to which what it does to a rigid mode is rounding of none."""


class AtRest(tuple[float, ...]):
    """Displacements at rest under the loads [m]: of another structure in the same place they are others."""

    __slots__ = ()


def rest_of(structure: LinearStructure) -> AtRest:
    """Return K⁻¹p, contacts left out; refuse a structure that has no rest, or whose joints would push it off there."""
    modes = structure.modes()
    push = structure.load @ modes.shapes
    held = modes.omega > 0.0
    if (np.abs(push) > HELD * (np.abs(structure.load) @ np.abs(modes.shapes)))[~held].any():
        raise refusal(
            "initial_displacement", structure.owner, "must not be 'rest' where no spring holds it against its load",
            REST, "Tie it by a stiffness, or give numbers.",
        )  # fmt: skip
    found = modes.shapes[:, held] @ (push[held] / modes.omega[held] ** 2)
    for rows, joint in structure.joints:
        if Driven(joint).try_at(rows @ found).force.any():
            raise refusal(
                "initial_displacement", structure.owner,
                f"must not be 'rest' where a joint yields or stops before it: '{joint.name}'", REST,
                "Lighten the load, or begin without it.",
            )  # fmt: skip
    return AtRest(found.tolist())
