"""Many structures in the place of one, in a problem that stays as it is otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from carom.problem.flat import Array
from carom.problem.modal_terms import over_modes, participations
from carom.problem.outputs import dof_of, output_rows
from carom.problem.relations import read_normal
from carom.structures.stacked import StackedModes

if TYPE_CHECKING:
    from carom.problem.problem import Problem

__all__ = ["StackedPart", "stacked_part"]


class StackedPart(NamedTuple):
    """What S structures give to a problem's arrays, each in the place of one; N modes and O outputs of its own.

    The names are those of `FlatProblem`.
    """

    omega: Array
    """Shape (S, N)."""
    sigma: Array
    """Shape (S, N)."""
    participation: Array
    """Shape (S, N, 3)."""
    load: Array
    """Shape (S, N)."""
    q0: Array
    """Shape (S, N)."""
    v0: Array
    """Shape (S, N)."""
    reach: Array
    """Shape (S, C, N)."""
    outputs: Array
    """Shape (S, O, N)."""
    mobility: Array
    """Shape (S, C, 2); 0 on sides of other structures."""


def stacked_part(
    problem: Problem, which: int, modes: StackedModes, displacement: Array, velocity: Array
) -> StackedPart:
    """Return what structures with these modes give in the place of the structure `which`.

    They start from displacements [m] and velocities [m/s] of shape (S, dofs), or (dofs,) for all.
    """
    structure = problem.structures[which]
    count, dofs, n = modes.shapes.shape
    momenta = modes.masses[:, :, None] * modes.shapes

    def read(row: Array) -> Array:
        dof = dof_of(row)
        return modes.shapes[:, dof] if dof >= 0 else over_modes(row, modes.shapes)

    normals = [read_normal(problem, contact) for contact in problem.pairs]
    reach, mobility = np.zeros((count, len(normals), n)), np.zeros((count, len(normals), 2))
    for c, sides in enumerate(normals):
        rows = [read_side.row if read_side.structure == which else None for read_side in sides]
        for row, sign in zip(rows, (1.0, -1.0), strict=True):
            if row is not None:
                reach[:, c] += sign * read(row)
        if rows[0] is not None and rows[1] is not None:  # both sides on this structure: all of it with the first
            rows = [rows[0] - rows[1], None]
        for side, row in enumerate(rows):
            if row is not None:
                mobility[:, c, side] = np.sum(row**2 / modes.masses, axis=1)

    kept = output_rows(problem, normals)
    own = np.flatnonzero(kept.owners == which)
    dof_at = {int(output): dof for dof, output in enumerate(kept.dof_output[kept.dof_structure == which])}
    outputs = np.zeros((count, own.size, n))
    for k, o in enumerate(own.tolist()):
        outputs[:, k] = read(kept.rows[o]) if o in kept.rows else modes.shapes[:, dof_at[o]]
    return StackedPart(
        modes.omega, modes.sigma, participations(structure, momenta), over_modes(modes.load, modes.shapes),
        over_modes(np.broadcast_to(displacement, (count, dofs)), momenta),
        over_modes(np.broadcast_to(velocity, (count, dofs)), momenta), reach, outputs, mobility,
    )  # fmt: skip
