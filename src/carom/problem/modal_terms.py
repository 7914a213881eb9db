"""What a structure gives to the modal equations, for one structure or for many of a kind behind one another.

Mode shapes Φ and momenta M Φ have the shape (dofs, modes), or (S, dofs, modes) for S structures; what comes out has the
shape (modes, …), or (S, modes, …).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from carom.errors import refusal
from carom.problem.flat import Array
from carom.structures.base import LinearStructure
from carom.structures.solids.rigid_body import MovingSolid

if TYPE_CHECKING:
    from carom.problem.problem import Problem

__all__ = ["initial_state", "over_modes", "participations"]


def over_modes(row: Array, shapes: Array) -> Array:
    """Return r·Φ for a row r over the degrees of freedom, shape (dofs,), or one for each structure, (S, dofs)."""
    found: Array = (row[..., None, :] @ shapes)[..., 0, :]
    return found


def participations(structure: LinearStructure, momenta: Array) -> Array:
    """Return ι·M Φ along x, y and z, shape (…, modes, 3)."""
    found = np.zeros((*momenta.shape[:-2], momenta.shape[-1], 3))
    for axis in (0,) if structure.line else (0, 1, 2):
        found[..., axis] = over_modes(np.ascontiguousarray(structure.influence[:, axis]), momenta)
    return found


def initial_state(problem: Problem, structure: LinearStructure) -> tuple[Array, Array]:
    """Return initial displacements [m] and velocities [m/s] of a structure, shape (dofs,).

    Bodies in space say theirs themselves; a velocity that the problem gives counts instead.
    """
    rest = (0.0,) * len(structure.dof_names)
    own = (*structure.velocity, *structure.spin) if isinstance(structure, MovingSolid) else rest
    displacement = np.array(problem.initial_displacement.get(structure.name, rest))
    if isinstance(structure, MovingSolid) and displacement.any():
        raise refusal(
            "initial_displacement", "Problem", "must be left out for a body in space", structure.name,
            "Say where it stands: position=… and orientation=….",
        )  # fmt: skip
    return displacement, np.array(problem.initial_velocity.get(structure.name, own))
