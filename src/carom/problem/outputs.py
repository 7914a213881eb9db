"""What results keep of a problem: rows over the degrees of freedom of its structures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from carom.errors import refusal
from carom.problem.flat import Array, Integers
from carom.problem.labels import distinct_labels, output_label, place_label
from carom.problem.relations import SidesRead, read_alone

if TYPE_CHECKING:
    from carom.problem.problem import Problem

__all__ = ["COMPLETE", "OutputRows", "dof_of", "output_rows"]

COMPLETE = 1e-9
"""Shares of the ground that a point's modes leave out up to this are rounding of none."""


class OutputRows(NamedTuple):
    """The outputs of a problem: O of them, from D degrees of freedom."""

    owners: Integers
    """Index of the structure of each output, shape (O,)."""
    labels: tuple[str, ...]
    units: tuple[str, ...]
    rows: dict[int, Array]
    """By output: its row over the degrees of freedom of its structure; not for those of a structure that keeps every
    degree of freedom, which are these in their order."""
    dof_structure: Integers
    """Index of the structure of each degree of freedom, shape (D,)."""
    dof_output: Integers
    """Which output each degree of freedom is, shape (D,); −1 where results do not keep it."""


def output_rows(problem: Problem, normals: Sequence[SidesRead]) -> OutputRows:
    """Return the rows that results keep: what structures say, what the problem asks for, then contact points.

    Not a point of a column in the ground storey: it rides on the ground by more than its floor does, and only its gap
    and force are kept.
    """
    structures = problem.structures
    dofs = [len(structure.dof_names) for structure in structures]
    starts = np.cumsum([0, *dofs])
    dof_output = np.full(starts[-1], -1)
    owners: list[int] = []
    labels: list[str] = []
    units: list[str] = []
    rows: dict[int, Array] = {}  # of outputs that are no degree of freedom of a structure that keeps them all
    for i, structure in enumerate(structures):
        named = structure.outputs
        if named is None:
            dof_output[starts[i] : starts[i + 1]] = np.arange(len(owners), len(owners) + dofs[i])
        for name in structure.dof_names if named is None else named:
            if named is not None:
                rows[len(owners)] = row = named[name]
                if (dof := dof_of(row)) >= 0 and dof_output[starts[i] + dof] < 0:
                    dof_output[starts[i] + dof] = len(owners)
            owners.append(i)
            labels.append(output_label(structure.name, structure.dof_names, name))
            units.append(structure.output_unit(name))
    asked = [(place, read_alone(problem, place)) for place in problem.outputs]
    for place, read in asked:
        if structures[read.structure].spatial:
            raise refusal(
                "outputs", "Problem", "must not be places on bodies in space, which turn by more than a little", place,
                "Where they are follows from `scene_record.centre` and `scene_record.turned` of the run.",
            )  # fmt: skip
    met = [
        (place, read)
        for contact, sides in zip(problem.pairs, normals, strict=True)
        for place, read in zip((contact.a, contact.b), sides, strict=True)
        if structures[read.structure].massive and not structures[read.structure].turning and contact.face is None
    ]
    added: dict[int, set[bytes]] = {}
    for n, (place, (i, row, share)) in enumerate((*asked, *met)):
        dof = dof_of(row)
        if (dof >= 0 and dof_output[starts[i] + dof] >= 0) or not row.any():
            continue
        if i not in added:
            added[i] = {one.tobytes() for o, one in rows.items() if owners[o] == i}
        if row.tobytes() in added[i]:
            continue
        if np.abs(share - row @ structures[i].influence).max() <= COMPLETE:
            added[i].add(row.tobytes())
            if dof >= 0:
                dof_output[starts[i] + dof] = len(owners)
            rows[len(owners)] = row
            owners.append(i)
            labels.append(place_label(problem, place))
            units.append(structures[i].unit_of(place.at))
        elif n < len(asked):
            raise refusal(
                "outputs", "Problem", "must be places that ride on the ground as the floor above them does", place,
                "Of a point of a column in the ground storey only gap and force of its contact are kept.",
            )  # fmt: skip
    of_dofs = np.repeat(np.arange(len(dofs)), dofs)
    return OutputRows(
        np.array(owners, dtype=np.int64), distinct_labels(labels), tuple(units), rows, of_dofs, dof_output
    )


def dof_of(row: Array) -> int:
    """Return which degree of freedom a row reads alone; −1: several, or a share of one."""
    first = int(row.argmax()) if row.size else 0
    return first if row.size and row[first] == 1.0 and np.count_nonzero(row) == 1 else -1
