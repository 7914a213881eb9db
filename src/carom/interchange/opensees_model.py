"""A problem as nodes, springs and contacts of a one-dimensional OpenSees model.

Each degree of freedom is a node with one displacement, and every structure has a node that is fixed. K becomes springs
between nodes and to the fixed one, C dashpots along them, M masses and, where it couples nodes, inerters: the matrices
of OpenSees are those of the structure, to the last digits. Where a contact reads several degrees of freedom, what it
reads takes the place of one of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from carom.errors import InputError
from carom.interchange.opensees_materials import ContactMaterial, contact_material, storey_material
from carom.joints import InternalSpring
from carom.problem import Problem
from carom.problem.labels import output_label
from carom.problem.relations import read_normal
from carom.structures import LinearStructure, Oscillator
from carom.structures.matrices import Array

__all__ = ["OpenSeesModel", "model_of"]

MOST_DOFS = 300
"""Of a structure: its matrices become up to three elements for each pair of degrees of freedom."""
NOTHING = 1e-15
"""Share of the largest entry below which an entry of a matrix is rounding of none."""


DEPENDENT = 1e-9
"""Share of what is new in a place below which it follows from the others."""


@dataclass
class OpenSeesModel:
    """What a script states, in plain numbers; nodes and materials are numbered from 1."""

    masses: list[float] = field(default_factory=list)
    """Of each node; 0 for fixed ones."""
    fixed: list[int] = field(default_factory=list)
    springs: list[tuple[int, int, float, float]] = field(default_factory=list)
    """Two nodes, k [N/m], c [N·s/m]."""
    storeys: list[tuple[int, int, tuple[Any, ...]]] = field(default_factory=list)
    """Two nodes and the material of a storey that is not elastic, without its tag."""
    inerters: list[tuple[int, int, float]] = field(default_factory=list)
    """Two nodes, and the mass [kg] that resists relative acceleration."""
    contacts: list[tuple[int, int, ContactMaterial]] = field(default_factory=list)
    contact_labels: tuple[str, ...] = ()
    loads: list[tuple[int, int, float]] = field(default_factory=list)
    """Series of ground acceleration, node, and force per acceleration [kg]."""
    constant: list[tuple[int, float]] = field(default_factory=list)
    series: list[Array] = field(default_factory=list)
    """Ground accelerations [m/s²]."""
    start: list[tuple[int, float, float, float]] = field(default_factory=list)
    """Node, displacement, velocity and acceleration at the start, where not all are zero."""
    names: list[str] = field(default_factory=list)
    """Of the degrees of freedom."""
    recover: list[list[tuple[int, float]]] = field(default_factory=list)
    """Of each degree of freedom: nodes and weights that make it."""
    remarks: list[str] = field(default_factory=list)
    dt: float = 0.0
    """Of the series [s]."""


def model_of(problem: Problem) -> OpenSeesModel:
    """Return the model; refuse what OpenSees, or this form, does not have."""
    _refuse(problem)
    found = OpenSeesModel(dt=problem.flat().dt, contact_labels=problem.flat().contact_labels)
    flat = problem.flat()
    taken: dict[tuple[int, int], int] = {}
    for support, axis in np.argwhere(flat.ground.any(axis=2)).tolist():
        taken[support, axis] = len(found.series)
        found.series.append(flat.ground[support, axis])
    reads = [read_normal(problem, contact) for contact in problem.pairs]
    rows = [
        [side.row for pair in reads for side in pair if side.structure == i] for i in range(len(problem.structures))
    ]
    placed = [_structure(found, problem, structure, rows[i], taken) for i, structure in enumerate(problem.structures)]
    for contact, pair, mass in zip(problem.pairs, reads, flat.effective_mass, strict=True):
        material = contact_material(contact, 0, float(mass))
        (a, sign_a), (b, sign_b) = (placed[side.structure].at(side.row) for side in pair)
        if sign_a != sign_b and placed[pair[0].structure].size and placed[pair[1].structure].size:
            raise InputError(f"Contact '{_label(found)}' reads its sides along opposite directions. Turn one of them.")
        sign = sign_a if placed[pair[0].structure].size else sign_b
        found.contacts.append((a, b, material) if sign > 0 else (b, a, material))
    return found


def _label(model: OpenSeesModel) -> str:
    return model.contact_labels[len(model.contacts)]


@dataclass
class _Placed:
    """Where a structure stands among the nodes."""

    ground: int
    first: int
    size: int
    read: Array
    """Rows of z = read @ u, one for each node."""

    def at(self, row: Array) -> tuple[int, float]:
        """Return the node whose displacement is a row, and the sign."""
        if not self.size:
            return self.ground, 1.0
        for sign in (1.0, -1.0):
            hit = np.flatnonzero(np.abs(self.read - sign * row).max(axis=1) < 1e-12 * np.abs(row).max())
            if hit.size:
                return self.first + int(hit[0]), sign
        raise AssertionError("every row of a contact was made a node")


def _structure(
    model: OpenSeesModel, problem: Problem, structure: LinearStructure, rows: list[Array],
    taken: dict[tuple[int, int], int],
) -> _Placed:  # fmt: skip
    """Add a structure's nodes and elements."""
    ground = len(model.masses) + 1
    model.masses.append(0.0)
    model.fixed.append(ground)
    size = len(structure.dof_names)
    if not size:
        return _Placed(ground, ground, 0, np.zeros((0, 0)))
    read = _coordinates(structure, rows)
    back: Array = np.asarray(np.linalg.inv(read), dtype=np.float64)
    mass, damping, stiffness = (
        back.T @ matrix @ back
        for matrix in (structure.mass_matrix, structure.damping_matrix, structure.stiffness_matrix)
    )
    placed = _Placed(ground, ground + 1, size, read)
    stiffness = _storeys(model, structure, stiffness, placed)
    for i in range(size):
        for j in range(-1, i):
            k, c = (matrix[i].sum() if j < 0 else -matrix[i, j] for matrix in (stiffness, damping))
            k, c = (0.0 if abs(x) <= NOTHING * np.abs(m).max() else float(x) for x, m in ((k, stiffness), (c, damping)))
            if k or c:
                model.springs.append((placed.first + j if j >= 0 else ground, placed.first + i, k, c))
            if j >= 0 and abs(mass[i, j]) > NOTHING * np.abs(mass).max():
                model.inerters.append((placed.first + j, placed.first + i, -float(mass[i, j])))
    coupled = mass - np.diag(np.diag(mass))
    coupled[np.abs(coupled) <= NOTHING * np.abs(mass).max()] = 0.0
    model.masses += (np.diag(mass) + coupled.sum(axis=1)).tolist()
    for i, name in enumerate(structure.dof_names):
        model.names.append(output_label(structure.name, structure.dof_names, name))
        model.recover.append([(placed.first + int(j), float(back[i, j])) for j in np.flatnonzero(back[i])])
    _drive(model, problem, structure, placed, back, taken, (mass, damping))
    return placed


def _coordinates(structure: LinearStructure, rows: list[Array]) -> Array:
    """Return rows, one for each node: degrees of freedom, and what contacts read in place of some of them."""
    read = np.eye(len(structure.dof_names))
    given: list[Array] = []
    taken = np.zeros(len(read), dtype=bool)
    for row in rows:
        if any(np.allclose(row, sign * other, rtol=0, atol=1e-12) for other in given for sign in (1.0, -1.0)):
            continue
        given.append(row)
        shares = np.linalg.solve(read.T, row)  # of what the nodes read so far, in what this row reads
        at = int(np.argmax(np.where(taken, 0.0, np.abs(shares))))
        if taken[at] or abs(shares[at]) <= DEPENDENT * np.abs(shares).max():
            raise InputError(
                f"Contacts on {structure.owner} read places that follow from one another, which the OpenSees model "
                "cannot have. Leave one of them out."
            )
        read[at], taken[at] = row, True
    return read


def _storeys(model: OpenSeesModel, structure: LinearStructure, stiffness: Array, placed: _Placed) -> Array:
    """Add the storeys that are not elastic; return K without them."""
    springs: tuple[InternalSpring | None, ...] = getattr(structure, "storeys", None) or ()
    if isinstance(structure, Oscillator):
        springs = (structure.spring,)
    if not any(springs):
        return stiffness
    if not np.array_equal(placed.read, np.eye(placed.size)):
        raise InputError(
            f"{structure.owner} yields and is touched between floors, which the OpenSees model cannot have."
        )
    given = [structure.stiffness] if isinstance(structure, Oscillator) else structure.stiffnesses  # type: ignore[attr-defined]
    left = stiffness.copy()
    for i, (spring, k) in enumerate(zip(springs, given, strict=True)):
        if spring is not None:
            drift = np.zeros(placed.size)
            drift[i] = 1.0
            if i:
                drift[i - 1] = -1.0
            left -= k * np.outer(drift, drift)
            model.storeys.append((placed.first + i - 1, placed.first + i, storey_material(spring, 0, float(k))))
    left[np.abs(left) <= 1e-12 * np.abs(stiffness).max()] = 0.0
    return left


def _drive(
    model: OpenSeesModel, problem: Problem, structure: LinearStructure, placed: _Placed, back: Array,
    taken: dict[tuple[int, int], int], matrices: tuple[Array, Array],
) -> None:  # fmt: skip
    """Add the forces of the ground and of loads, and the state at the start with its acceleration."""
    mass, damping = matrices
    support = problem.supports.index(problem.support_of(structure.name))
    drive = back.T @ structure.mass_matrix @ structure.influence
    force = back.T @ np.asarray(structure.load)
    for axis in range(3):
        series = taken.get((support, axis))
        if series is not None:
            along = enumerate(drive[:, axis].tolist(), start=placed.first)
            model.loads += [(series, node, -force) for node, force in along if force]
    model.constant += [(placed.first + int(i), float(force[i])) for i in np.flatnonzero(force)]
    disp, velocity = (
        placed.read @ np.array(given.get(structure.name, np.zeros(placed.size)))
        for given in (problem.initial_displacement, problem.initial_velocity)
    )
    begin = problem.flat().ground[support, :, 0] if model.series else np.zeros(3)
    elastic = back.T @ structure.stiffness_matrix @ back
    acceleration = np.linalg.solve(mass, force - drive @ begin - damping @ velocity - elastic @ disp)
    for i in range(placed.size):
        if disp[i] or velocity[i] or acceleration[i]:
            model.start.append((placed.first + i, float(disp[i]), float(velocity[i]), float(acceleration[i])))


def _refuse(problem: Problem) -> None:
    """Refuse what has no counterpart."""
    flat = problem.flat()
    if np.any(flat.mode_structure < 0):
        raise InputError(
            "Contacts whose sides ride on the ground differently are not written for OpenSees, whose displacements "
            "count from one ground: motions of their own, delays, walls fixed in space."
        )
    for contact in problem.pairs:
        if contact.relation.tangent is not None:
            raise InputError("Friction is not written for OpenSees: leave out the contacts' tangents.")
    for structure in problem.structures:
        if len(structure.dof_names) > MOST_DOFS:
            raise InputError(
                f"{structure.owner} has {len(structure.dof_names)} degrees of freedom; {MOST_DOFS} are written for "
                "OpenSees at most. Reduce it first."
            )
        internal = getattr(structure, "storeys", None) is not None or isinstance(structure, Oscillator)
        if structure.joints and not internal:
            raise InputError(f"{structure.owner} has joints of its own, for which no OpenSees material is written.")
