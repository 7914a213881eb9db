"""How a problem becomes arrays: the modes of its structures, and what contacts read of them.

Several supports: each structure moves relative to its own ground, and a contact between two of them also feels the
difference of the ground displacements. These are rigid modes of their own, driven by the ground and moved by no force,
exactly like a wall that is fixed in space; nothing else in the arrays changes. A ground displacement is the double
integral of its acceleration from rest, drift of the baseline included.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from carom.contact import Contact
from carom.errors import InputError, refusal
from carom.laws.base import FunctionLaw
from carom.laws.impulse import ImpulsiveLaw
from carom.problem.faces import FaceRead, spatial
from carom.problem.flat import Array, FlatProblem, Integers
from carom.problem.ground.supports import common_base
from carom.problem.joints import packed_joints
from carom.problem.labels import contact_label, distinct_labels
from carom.problem.modal_terms import initial_state, over_modes, participations
from carom.problem.outputs import COMPLETE, OutputRows, output_rows
from carom.problem.reduction import refuse_lost_start, refuse_unnamed_places
from carom.problem.relations import SidesRead, carried, read_normal, read_tangent, separate_mobilities
from carom.problem.scenes.decks import Stand, planar, scene_of_decks
from carom.problem.scenes.frictions import friction_of
from carom.problem.space import scene_in_space
from carom.structures.base import Modes

if TYPE_CHECKING:
    from carom.problem.problem import Problem

__all__ = ["flatten"]


def flatten(problem: Problem) -> FlatProblem:
    """Return the arrays of a problem; refuse contacts that cannot be."""
    faces = [None if contact.face is None else FaceRead(problem, contact) for contact in problem.pairs]
    pairs = list(zip(problem.pairs, faces, strict=True))
    normals = [read_normal(problem, contact) if face is None else face.read_normal() for contact, face in pairs]
    tangents, seconds = (
        [
            read_tangent(problem, contact, which)
            if face is None
            else face.read_tangent(which)
            if _rubs(contact)
            else None
            for contact, face in pairs
        ]
        for which in (0, 1)
    )
    under = [problem.supports.index(problem.support_of(name)) for name in problem.names]
    dampers = [read_normal(problem, damper) for damper in problem.dampers if damper.constant > 0.0]
    across, along = carried(problem, under, list(normals)), carried(problem, under, tangents)
    aside, between = carried(problem, under, seconds), carried(problem, under, list(dampers))
    crossed = np.any([grounds.any(axis=0) for grounds in (across, along, aside, between)], axis=0)
    in_space = spatial(problem)
    if len(problem.supports) > 1 and (in_space or planar(problem)):
        crossed[:, : 3 if in_space else 2] = True  # anchors stand on their grounds
    crossing = np.argwhere(crossed)  # support, component
    modes = [structure.modes() for structure in problem.structures]
    columns = _slices([found.omega.size for found in modes])
    own, total = columns[-1].stop, columns[-1].stop + len(crossing)

    omega, sigma, load, modal_mass, q0, v0 = np.zeros((6, total))
    participation = np.zeros((total, 3))
    mode_structure, support = np.full((2, total), -1)
    for i, (structure, found, at) in enumerate(zip(problem.structures, modes, columns, strict=True)):
        momenta = structure.mass_matrix @ found.shapes
        omega[at], sigma[at] = found.omega, found.sigma
        participation[at] = participations(structure, momenta)
        load[at] = over_modes(structure.load, found.shapes)
        modal_mass[at] = float(structure.massive)
        mode_structure[at], support[at] = i, under[i]
        q0[at], v0[at] = (over_modes(start, momenta) for start in initial_state(problem, structure))
        refuse_lost_start(problem, structure)
    participation[np.arange(own, total), crossing[:, 1]] = -1.0  # q = u_g of that support along that direction
    support[own:] = crossing[:, 0]

    labels = distinct_labels(contact_label(problem, contact) for contact in problem.pairs)
    reach, slide, second_slide = np.zeros((3, len(normals), total))
    for rows, read, grounds in (
        (reach, list[SidesRead | None](normals), across), (slide, tangents, along), (second_slide, seconds, aside),
    ):  # fmt: skip
        rows[:, own:] = grounds[:, crossing[:, 0], crossing[:, 1]]
        for into, both in zip(rows, read, strict=True):
            for (i, row, _), sign in zip(both or (), (1.0, -1.0), strict=False):
                into[columns[i]] += sign * over_modes(row, modes[i].shapes)
    mobility = np.array([separate_mobilities(problem, sides) for sides in normals]).reshape(-1, 2)
    for c, (contact, sides) in enumerate(zip(problem.pairs, normals, strict=True)):
        if not mobility[c].any():
            raise InputError(f"Contact {labels[c]!r} joins two places that no force moves. Give one a mass.")
        refuse_unnamed_places(problem, sides, f"contact {labels[c]!r}")
        if contact.edge is None and contact.face is None:
            _refuse_overlap(problem, contact, sides, labels[c])
    for sides in dampers:
        refuse_unnamed_places(problem, sides, "a damper")
    effective_mass = 1.0 / mobility.sum(axis=1)

    kept = output_rows(problem, normals)
    outputs, output_ground = _over_modes(problem, kept, modes, columns, participation)
    ground, dt, start = common_base(problem.supports)
    stretched = _damper_rows(problem, dampers, modes, columns, total)
    stretched[:, own:] = between[:, crossing[:, 0], crossing[:, 1]]
    dashpot_reach, dashpots = _dashpots(problem, modes, columns, stretched, modal_mass)
    laws = _laws(problem, effective_mass)
    rubbing = friction_of(problem.pairs, laws.laws, effective_mass, second_slide)
    stand = Stand(modes, columns, under, crossing, total)
    return FlatProblem(
        omega=omega, sigma=sigma, participation=participation, load=load, modal_mass=modal_mass,
        mode_structure=mode_structure, support=support, q0=q0, v0=v0, ground=ground, dt=dt, start=start,
        dashpot_reach=dashpot_reach, dashpots=dashpots,
        reach=reach, push=reach * modal_mass, slide=slide,
        gap=np.array([contact.gap for contact in problem.pairs], dtype=float), mobility=mobility,
        effective_mass=effective_mass, contact_labels=labels, **laws._asdict(),
        **packed_joints(problem.structures, modes, columns, total),
        outputs=outputs, output_ground=output_ground, output_structure=kept.owners, output_labels=kept.labels,
        output_units=kept.units,
        structure_names=problem.names, dof_structure=kept.dof_structure, dof_output=kept.dof_output,
        scene=(
            scene_in_space(problem, rubbing, stand, faces) if in_space
            else scene_of_decks(problem, rubbing, stand, q0)
        ),
    )  # fmt: skip


def _rubs(contact: Contact) -> bool:
    """Whether a contact has friction."""
    law = contact.law
    return contact.friction is not None or (isinstance(law, ImpulsiveLaw) and law.friction > 0.0)


class _Laws(NamedTuple):
    law_names: tuple[str, ...]
    laws: Array
    functions: tuple[FunctionLaw | None, ...]
    hypothesis: Integers
    restitution: Array
    friction: Array


def _laws(problem: Problem, effective_mass: Array) -> _Laws:
    """Return what the laws of all contacts say: a row of coefficients, a function, or a hypothesis on impulses."""
    count = len(problem.pairs)
    laws, hypothesis, friction = np.full((count, 8), math.nan), np.full(count, -1), np.zeros(count)
    functions: list[FunctionLaw | None] = [None] * count
    packed: list[Array] = [np.zeros(0)] * count
    for c, contact in enumerate(problem.pairs):
        law, mass = contact.law, effective_mass[c] if contact.mass is None else contact.mass
        if isinstance(law, ImpulsiveLaw):
            hypothesis[c], friction[c], packed[c] = law.hypothesis, law.friction, law.packed()
        elif isinstance(law, FunctionLaw):
            functions[c] = law
        else:
            laws[c] = law.power_form(mass).packed()
    restitution = np.zeros((count, max((row.size for row in packed), default=0)))
    for into, row in zip(restitution, packed, strict=True):
        into[: row.size] = row
    names = tuple(contact.law.name for contact in problem.pairs)
    return _Laws(names, laws, tuple(functions), hypothesis, restitution, friction)


def _over_modes(
    problem: Problem, kept: OutputRows, modes: list[Modes], columns: list[slice], participation: Array
) -> tuple[Array, Array]:
    """Return the outputs as rows over the modes, and what these leave out of the ground's acceleration."""
    structures = problem.structures
    outputs, left = np.zeros((len(kept.owners), participation.shape[0])), np.zeros((len(kept.owners), 3))
    for i, structure in enumerate(structures):
        if structure.outputs is None and structure.dof_names:
            first = kept.dof_output[kept.dof_structure.searchsorted(i)]
            outputs[first : first + len(structure.dof_names), columns[i]] = modes[i].shapes
    for o, row in kept.rows.items():
        i = int(kept.owners[o])
        at = columns[i]
        outputs[o, at] = over_modes(row, modes[i].shapes)
        left[o] = row @ structures[i].influence - outputs[o, at] @ participation[at]
    left[np.abs(left) <= COMPLETE * max(1.0, np.abs(left).max(initial=0.0))] = 0.0
    return outputs, left


def _damper_rows(
    problem: Problem, dampers: list[SidesRead], modes: list[Modes], columns: list[slice], total: int
) -> Array:
    """Return what dampers of the problem read of the modes of their two sides."""
    found = np.zeros((len(dampers), total))
    for into, both in zip(found, dampers, strict=True):
        for (i, row, _), sign in zip(both, (1.0, -1.0), strict=True):
            into[columns[i]] += sign * over_modes(row, modes[i].shapes)
        if not into.any():
            names = " and ".join(f"'{problem.names[read.structure]}'" for read in both)
            raise InputError(f"Damper joins two places of {names} that no force moves. Give one a mass.")
    return found


def _dashpots(
    problem: Problem, modes: list[Modes], columns: list[slice], dampers: Array, modal_mass: Array
) -> tuple[Array, Array]:
    """Return what damping has beyond 2σ in every mode as dashpots: rows b over all modes and constants c, Σ c bᵀb.

    Rows have the length one over the modes that forces move.
    What a matrix C has beside its diagonal is split into as many as it needs, and some of their constants are negative.
    Dashpots that structures state and `dampers` between places, rows over all modes, are rows of their own, whatever
    the number of modes; those whose constant is zero are none.
    """
    total = dampers.shape[1]
    beside = np.zeros((total, total))
    for structure, at in zip(problem.structures, columns, strict=True):
        if not structure.classical:
            beside[at, at] = structure.coupling
    reach, constants = [np.zeros((0, total))], [np.zeros(0)]
    if beside.any():
        values, vectors = np.linalg.eigh(beside)
        kept = np.abs(values) > 1e-12 * np.abs(values).max()
        reach.append(vectors[:, kept].T)
        constants.append(values[kept])
    stated = [
        (over_modes(row, found.shapes), at, constant)
        for structure, found, at in zip(problem.structures, modes, columns, strict=True)
        for row, constant in structure.dashpots
        if constant > 0.0
    ]
    rows = np.zeros((len(stated), total))
    for into, (row, at, _) in zip(rows, stated, strict=True):
        into[at] = row
    rows = np.vstack([rows, dampers])
    wanted = [constant for _, _, constant in stated] + [one.constant for one in problem.dampers if one.constant > 0.0]
    lengths = np.linalg.norm(rows * modal_mass, axis=1)
    reach.append(rows / lengths[:, None])
    constants.append(np.array(wanted) * lengths**2)
    return np.vstack(reach), np.concatenate(constants)


def _refuse_overlap(problem: Problem, contact: Contact, sides: SidesRead, label: str) -> None:
    ua, ub = (
        float(read.row @ problem.initial_displacement.get(problem.names[read.structure], np.zeros(read.row.size)))
        for read in sides
    )
    closing = ua - ub
    if not problem.allow_overlap and closing - contact.gap > 1e-12 * max(abs(ua), abs(ub), abs(contact.gap)):
        raise refusal(
            "gap", f"contact {label!r}",
            f"must be at least the initial closing u_a − u_b = {closing:g} m, else the two overlap at rest",
            contact.gap, "Widen it, or pass allow_overlap=True.",
        )  # fmt: skip


def _slices(sizes: list[int]) -> list[slice]:
    """Return consecutive slices of the given sizes."""
    ends = np.cumsum(sizes).tolist()
    return [slice(end - size, end) for end, size in zip(ends, sizes, strict=True)]
