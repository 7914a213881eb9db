"""What the two schemes for impulsive laws share: the laws taken, the table of impacts, how a run ended."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.backends import backend_name
from carom.errors import InputError
from carom.integrate.schemes import base as schemes
from carom.kernels import complementarity, ledger, rigid_book, stage_forces
from carom.kernels import rigid_rows as rows
from carom.laws.impulse import ImpulsiveLaw
from carom.problem import FlatProblem, Problem
from carom.results import Outcome

__all__ = [
    "METHODS", "OUTCOMES", "balanced", "common_evidence", "contact_evidence", "contacts_of", "directions_of",
    "floors_of", "hypothesis_of", "impacts_of", "mean_acceleration", "modes_of", "restitution_of",
]  # fmt: skip

Array = npt.NDArray[np.float64]

ROUNDING = 1e-9
"""Energy created below this part of the largest kinetic energy is not worth a word."""
OUTCOMES = {
    **schemes.OUTCOMES,
    rows.NOT_COMPLEMENTARY: Outcome.NOT_COMPLEMENTARY,
    stage_forces.NO_SOLUTION: Outcome.NO_SOLUTION,
}
METHODS = {
    "auto": complementarity.AUTO,
    "gauss-seidel": complementarity.GAUSS_SEIDEL,
    "active-set": complementarity.ACTIVE_SET,
}


def impulsive(problem: Problem) -> bool:
    """Tell whether a problem's contacts are all impulsive; a mixture is refused."""
    kinds = {isinstance(contact.law, ImpulsiveLaw) for contact in problem.pairs}
    if kinds == {True, False}:
        raise InputError(
            "simulate takes either impulsive laws or laws with a stiffness, not both in one problem. "
            'Set one for all: problem.replace(law=carom.law("newton", restitution=…)).'
        )
    return kinds == {True}


def hypothesis_of(problem: Problem, scheme: str) -> int:
    """Return the hypothesis that all laws of a problem share; plastic impacts go with any."""
    if problem.pairs and not impulsive(problem):
        raise InputError(
            f"scheme='{scheme}' takes impulsive laws. "
            'Write problem.replace(law=carom.law("newton", restitution=…)), or use scheme="event".'
        )
    laws = [contact.law for contact in problem.pairs if isinstance(contact.law, ImpulsiveLaw)]
    found = {law.hypothesis: law.name for law in laws if law.restitution != 0.0}
    if len(found) > 1:
        names = " and ".join(sorted(found.values()))
        raise InputError(f"Impulsive laws of one problem must share their hypothesis. Got {names}. Choose one for all.")
    return next(iter(found or {law.hypothesis: law.name for law in laws}), 0)


def restitution_of(problem: Problem) -> Array:
    """Return e of every contact as kernels take it, one row each."""
    packed = [contact.law.packed() for contact in problem.pairs if isinstance(contact.law, ImpulsiveLaw)]
    table = np.zeros((len(packed), max((row.size for row in packed), default=3)))
    for into, row in zip(table, packed, strict=True):
        into[: row.size] = row
    return table


def directions_of(flat: FlatProblem) -> tuple[Array, Array]:
    """Return `reach` and `push`; where a contact has a tangent, the rows of tangents behind those of normals."""
    if not flat.slide.any():
        return flat.reach.copy(), flat.push.copy()
    return np.vstack([flat.reach, flat.slide]), np.vstack([flat.push, flat.slide * flat.modal_mass])


def modes_of(flat: FlatProblem) -> Array:
    """Return the table of modes, as given."""
    table = np.zeros((flat.omega.size, rows.MODE_SIZE))
    table[:, rows.SQUARE], table[:, rows.TWICE] = flat.omega**2, 2.0 * flat.sigma
    table[:, rows.STEADY], table[:, rows.PARTICIPATION] = flat.load, flat.participation
    table[:, rows.MASS], table[:, rows.Q], table[:, rows.V] = flat.modal_mass, flat.q0, flat.v0
    return table


def contacts_of(problem: Problem, flat: FlatProblem) -> Array:
    """Return the table of contacts, as given."""
    table = np.zeros((flat.gap.size, rows.CONTACT_SIZE))
    table[:, rows.GAP] = flat.gap
    for row, contact in zip(table, problem.pairs, strict=True):
        if isinstance(contact.law, ImpulsiveLaw):
            row[rows.ROUGH] = contact.law.friction
    return table


def floors_of(flat: FlatProblem) -> Array:
    """Return, for every degree of freedom, its first and last mode, its ground, and what it takes of its motion."""
    moves = flat.shapes != 0.0
    count = flat.omega.size
    table = np.zeros((flat.shapes.shape[0], 4))
    table[:, 0] = first = moves.argmax(axis=1)
    table[:, 1] = np.where(moves.any(axis=1), count - moves[:, ::-1].argmax(axis=1), first)
    table[:, 2] = flat.support[first] if count else 0
    table[:, 3] = flat.shapes @ flat.participation
    return table


def mean_acceleration(velocity: Array, ground: Array, floors: Array, span: float) -> Array:
    """Return absolute accelerations, Δv/Δt over the sample before; the ground's own is straight lines."""
    found = np.zeros_like(velocity)
    np.subtract(velocity[1:], velocity[:-1], out=found[1:])
    found[1:] /= span
    if ground.any():
        ridden = ground[floors[:, 2].astype(np.int64)]
        found[1:] += floors[:, 3] * (0.5 * (ridden[:, 1:] + ridden[:, :-1])).T
    return found


def impacts_of(table: Array, flat: FlatProblem) -> dict[str, Array]:
    """Return the impacts by the names of their columns; friction where a contact has a tangent."""
    found = {
        name: table[:, column] + (flat.start if name == "start" else 0.0) for name, column in schemes.COLUMNS.items()
    }
    if flat.slide.any():
        found["friction_impulse"] = table[:, rigid_book.TABLE_FRICTION].copy()
    return found


def balanced(table: Array, flat: FlatProblem, stored: Array) -> dict[str, Array]:
    """Return the ledger by name; residual: what was held and came in, less what is held and was lost.

    `stored` is what yielding springs can give back beyond the modes' strain energy, at every sample [J].

    Impacts that gave more than they took stand in a column of their own, below zero: what came from nothing.
    """
    names = ("input", "kinetic", "strain", "damping", "contact")
    found = {name: table[:, i] for i, name in enumerate(names)}
    if flat.springs.shape[0]:
        found["strain"] = found["strain"] + stored
        found["hysteretic"] = table[:, rows.HYSTERETIC] - stored
    created = table[:, rows.CREATED]
    if created[-1] > ROUNDING * table[:, ledger.KINETIC].max():
        found["contact"] = found["contact"] + created
        found["created"] = -created
    kept = found["kinetic"] + found["strain"]
    out = sum(values for name, values in found.items() if name not in ("input", "kinetic", "strain"))
    found["residual"] = kept[0] + found["input"] - kept - out
    return found


def contact_evidence(run: Array, balance: Array, what: str, cautions: list[str]) -> dict[str, Any]:
    """Return what both schemes say of their contacts; energy from nothing is a caution."""
    gain, created = float(run[rows.LARGEST_GAIN]), float(balance[-1, rows.CREATED])
    if created > ROUNDING * max(float(balance[:, ledger.KINETIC].max()), 1e-300):
        cautions.append(
            f"{what} created up to {gain:.3g} J, all together {created:.3g} J: Newton's and Poisson's hypotheses can, "
            'with friction or different restitutions; carom.law("stronge", …) cannot'
        )
    return {
        "impacts": int(run[rows.IMPACTS]),
        "most_contacts_at_once": int(run[rows.TOGETHER]),
        "largest_contact_residual": float(run[rows.LARGEST_RESIDUAL]),
        "largest_relative_contact_residual": float(run[rows.LARGEST_SHARE]),
        "largest_impulse": float(run[rows.LARGEST_IMPULSE]),
        "largest_energy_gain": gain,
        "energy_created": created,
        "cautions": cautions,
    }


def common_evidence(seconds: float) -> dict[str, Any]:
    """Return what every run says of the machine it ran on."""
    import numba

    return {
        "wall_time": seconds,
        "backend": backend_name(),
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__},
    }
