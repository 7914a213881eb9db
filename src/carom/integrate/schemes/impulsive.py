"""What the two schemes for impulsive laws share: the laws taken, the table of impacts, how a run ended."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.backends import backend_name
from carom.errors import InputError
from carom.integrate.outcomes import OF_RUN
from carom.integrate.schemes import base as schemes
from carom.integrate.schemes.watch import FAULTS
from carom.kernels import endings, ledger
from carom.kernels.rigid import impact_record as rigid_book
from carom.kernels.rigid import rows
from carom.kernels.rigid.impulses import complementarity, hodograph, impulses
from carom.kernels.rigid.tables import Solver
from carom.problem import FlatProblem
from carom.results import Outcome
from carom.results.simulation import FRICTION_IMPULSES

__all__ = [
    "METHODS", "balanced", "blank_beyond", "common_evidence", "contact_evidence", "contacts_of",
    "directions_of", "empty_histories", "ending", "fault_of", "floors_of", "friction_of", "hypothesis_of", "impacts_of",
    "largest_of", "may_create", "mean_acceleration", "modes_of", "outcome_of", "solver_for",
]  # fmt: skip

Array = npt.NDArray[np.float64]

ROUNDING = 1e-9
"""Energy created below this part of the largest kinetic energy is not worth a word."""
UNEXPLAINED = 1e-6
"""Energy unaccounted for up to this part of the largest energy is let pass."""
UNBALANCED = 1e-9
"""So are impulses up to this part of all that add up."""
NOISE = 1e-11
"""Rates of contacts at rest, as part of the largest speed: what their reactions do on them is rounding."""
METHODS = {
    "auto": complementarity.AUTO,
    "gauss-seidel": complementarity.GAUSS_SEIDEL,
    "active-set": complementarity.ACTIVE_SET,
}


def hypothesis_of(flat: FlatProblem) -> int:
    """Return the hypothesis that all laws of a problem share; plastic impacts go with any."""
    plastic = np.array([_constant(row) == 0.0 for row in flat.restitution], dtype=bool)
    found = np.unique(flat.hypothesis[~plastic])
    if found.size > 1:
        names = sorted({flat.law_names[int(np.flatnonzero(~plastic & (flat.hypothesis == one))[0])] for one in found})
        raise InputError(
            f"Impulsive laws of one problem must share their hypothesis. Got {' and '.join(names)}. Choose one for all."
        )
    return int(found[0]) if found.size else int(flat.hypothesis[0]) if flat.hypothesis.size else 0


def may_create(flat: FlatProblem, hypothesis: int) -> bool:
    """Tell whether a hypothesis can create energy: Newton's and Poisson's, with friction or different restitutions."""
    alike = {_constant(row) for row in flat.restitution}
    differ = len(alike) > 1 or None in alike
    return hypothesis != impulses.ENERGETIC and (bool(flat.friction.any()) or differ)


def _constant(row: Array) -> float | None:
    """Return e of a law whose restitution is a number; None where it depends on the speed."""
    return float(row[2]) if row[0] == 1.0 else None


def directions_of(flat: FlatProblem, *, turning: bool = False) -> tuple[Array, Array]:
    """Return `reach` and `push`; where a contact has a tangent, the rows of tangents behind those of normals.

    Contacts that move (`turning`) have them, rough or not: one in the plane, two in space.
    """
    slides = tangents_of(flat)
    if turning:
        least = 2 if flat.scene is not None and flat.scene.spatial else 1
        slides += [np.zeros_like(flat.reach)] * (least - len(slides))
    return np.vstack([flat.reach, *slides]), np.vstack([flat.push, *(rows * flat.modal_mass for rows in slides)])


def tangents_of(flat: FlatProblem) -> list[Array]:
    """Return what modes do to the slips along the first tangents, and along the second ones where there are any."""
    if not flat.slide.any():
        return []
    second = None if flat.scene is None else flat.scene.second_slide
    return [flat.slide] if second is None or not second.any() else [flat.slide, second]


def modes_of(flat: FlatProblem) -> Array:
    """Return the table of modes, as given."""
    table = np.zeros((flat.omega.size, rows.MODE_SIZE))
    table[:, rows.SQUARE], table[:, rows.TWICE] = flat.omega**2, 2.0 * flat.sigma
    table[:, rows.STEADY], table[:, rows.PARTICIPATION] = flat.load, flat.drives.share
    table[:, rows.MASS], table[:, rows.Q], table[:, rows.V] = flat.modal_mass, flat.q0, flat.v0
    return table


def leaders_of(flat: FlatProblem) -> Array:
    """Return for each contact the first of those with which it hangs together through structures between them."""
    sizes = sum((np.abs(rows) for rows in tangents_of(flat)), np.abs(flat.reach))
    moves = (sizes != 0.0) & (flat.modal_mass > 0.0)
    owners = np.arange(flat.gap.size)
    for mode in moves.T:
        both = np.unique(owners[mode])
        owners[np.isin(owners, both[1:])] = both[0] if both.size else 0
    found: Array = owners.astype(np.float64)
    return found


def contacts_of(flat: FlatProblem) -> Array:
    """Return the table of contacts, as given."""
    table = np.zeros((flat.gap.size, rows.CONTACT_SIZE))
    table[:, rows.GAP], table[:, rows.LEADER], table[:, rows.ROUGH] = flat.gap, leaders_of(flat), flat.friction
    return table


def floors_of(flat: FlatProblem) -> Array:
    """Return, for every output, its first and last mode, the row of the ground it rides on, and how much of it."""
    moves = flat.outputs != 0.0
    count = flat.omega.size
    table = np.zeros((flat.outputs.shape[0], 4))
    table[:, 0] = first = moves.argmax(axis=1)
    table[:, 1] = np.where(moves.any(axis=1), count - moves[:, ::-1].argmax(axis=1), first)
    table[:, 2], table[:, 3] = flat.drives.ridden, flat.drives.ride
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


def impacts_of(table: Array, contacts: Array, reached: float, flat: FlatProblem) -> dict[str, Array]:
    """Return the impacts by the names of their columns, by start; friction where a contact has a tangent.

    `ended` is 1 where a contact parted, 0 where the run ended first, at the time `reached`: it has not separated yet.
    """
    still = np.flatnonzero(contacts[:, rows.IMPACT_OPEN] == 1.0)
    last = np.zeros((still.size, rigid_book.TABLE_SIZE))
    last[:, ledger.CONTACT] = still
    last[:, ledger.DURATION] = reached - contacts[still, rows.IMPACT_START]
    last[:, ledger.SEPARATION] = np.nan
    table[:, ledger.PARTED] = 1.0
    for column, book in BOOKS.items():
        last[:, column] = contacts[still, book]
    whole = np.concatenate([table, last])
    whole = whole[np.lexsort((whole[:, ledger.CONTACT], whole[:, ledger.BEGAN]))]
    found = {
        name: whole[:, column] + (flat.start if name == "start" else 0.0) for name, column in schemes.COLUMNS.items()
    }
    for name, column, _ in zip(FRICTION_IMPULSES, FRICTION_BOOKS, tangents_of(flat), strict=False):
        found[name] = whole[:, column].copy()
    return found


FRICTION_BOOKS = {
    rigid_book.TABLE_FRICTION: rows.IMPACT_FRICTION,
    rigid_book.TABLE_FRICTION + 1: rows.IMPACT_FRICTION + 1,
}


BOOKS = {
    ledger.BEGAN: rows.IMPACT_START,
    ledger.APPROACH: rows.IMPACT_APPROACH,
    ledger.TABLE_PEAK_FORCE: rows.IMPACT_PEAK,
    ledger.TABLE_PEAK_OVERLAP: rows.IMPACT_OVERLAP,
    ledger.TABLE_IMPULSE: rows.IMPACT_IMPULSE,
    ledger.ENERGY_LOST: rows.IMPACT_ENERGY,
    **FRICTION_BOOKS,
}
"""Columns of the impacts table, and where contacts that are still closed keep them."""


def friction_of(impacts: dict[str, Array], contacts: int) -> Array:
    """Return the sums of the impulses along each contact's tangents [N s], shape (tangents, contacts)."""
    given = [name for name in FRICTION_IMPULSES if name in impacts]
    found = np.zeros((len(given), contacts))
    for into, name in zip(found, given, strict=True):
        np.add.at(into, impacts["contact"].astype(np.int64), impacts[name])
    return found


def solver_for(size: int) -> Solver:
    """Return scratch for impulses of up to `size` rows of contacts, normals and tangents, that act together."""
    active, kept = np.zeros((2, size), dtype=np.int64)
    struck = np.zeros((impulses.SCRATCH_ROWS, size))
    course = np.zeros((hodograph.COURSE_ROWS, hodograph.COURSE_COLUMNS))
    return Solver(np.zeros((size, size)), struck, np.zeros((size, size + 2)), active, kept, course)


def empty_histories(samples: int, *widths: int) -> list[Array]:
    """Return tables over the samples; what a run does not come to stays NaN."""
    return [np.full((samples, width), np.nan) for width in widths]


def blank_beyond(reached: float, span: float, *histories: Array) -> None:
    """Take away samples that a failed run wrote after the last good one."""
    first = int(np.floor(reached / span * (1.0 + 1e-12))) + 1
    for values in histories:
        values[first:] = np.nan


def largest_of(values: Array) -> Array:
    """Return the largest |value| of each column over the samples that were reached."""
    found: Array = np.nanmax(np.abs(values), axis=0, initial=0.0)
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
    if flat.scene is not None and flat.scene.joint_rules and not flat.springs.shape[0]:
        found["joints"] = table[:, rows.HYSTERETIC]
    created = table[:, rows.CREATED]
    if np.nanmax(created) > ROUNDING * np.nanmax(table[:, ledger.KINETIC]):
        found["contact"] = found["contact"] + created
        found["created"] = -created
    kept = found["kinetic"] + found["strain"]
    out = sum(values for name, values in found.items() if name not in ("input", "kinetic", "strain"))
    found["residual"] = kept[0] + found["input"] - kept - out
    return found


def fault_of(
    run: Array, flat: FlatProblem, ground: Array, span: float, velocity: Array, force: Array, friction: Array,
    balance: dict[str, Array], pace: float, complete: bool,
) -> dict[str, Any] | None:  # fmt: skip
    """Return how a run contradicts itself: what, at which contact, when, how much; None where it does not.

    Besides what the kernel saw: momentum of modes without a spring, which impulses and loads alone can change, and,
    where `complete` says that the ledger should have it all, energy that is unaccounted for.
    `velocity` is that of the modes; `friction` the sums of the impulses along the tangents; `pace` a speed [m/s] by
    which rounding is judged besides those at the samples.
    """
    labels, kind = flat.contact_labels, int(run[rows.FAULT])
    if kind != endings.NO_FAULT:
        return {
            "what": FAULTS[kind][0],
            "contact": labels[int(run[rows.FAULT_CONTACT])],
            "time": flat.start + float(run[rows.REACHED]),
            "value": float(run[rows.FAULT_VALUE]),
            "unit": FAULTS[kind][1],
        }
    impulse = force.sum(axis=0) * span
    free = (flat.omega == 0.0) & (flat.sigma == 0.0) & (flat.modal_mass > 0.0)
    turning = flat.scene is not None and flat.scene.turning  # rows of contacts change: there is no such sum
    if free.any() and not flat.damping.size and not flat.springs.shape[0] and not turning:
        shaken = 0.5 * span * (ground[:, 1:] + ground[:, :-1]).sum(axis=1)
        time = span * (ground.shape[1] - 1)
        parts = [-velocity[-1], velocity[0], flat.load * time, -flat.drives.share * shaken[flat.drives.which]]
        parts += list(-flat.push * impulse[:, None])
        for slide, impulses_along in zip(tangents_of(flat), friction, strict=True):
            parts += list(-(slide * flat.modal_mass) * impulses_along[:, None])
        table = np.array(parts)[:, free]
        scale = max(float(np.abs(table).sum(axis=0).max()), float(np.abs(velocity).max()), 1e-300)
        off = np.abs(table.sum(axis=0)) / scale
        if off.max() > UNBALANCED:
            mode = np.flatnonzero(free)[off.argmax()]
            contact = np.abs(flat.push[:, mode] * impulse).argmax() if labels else None
            return {
                "what": "momentum does not balance: impulses and loads do not add up to the change of a velocity",
                "contact": None if contact is None else labels[int(contact)],
                "time": flat.start + float(run[rows.REACHED]),
                "value": float(off.max()),
                "unit": "of all impulses",
            }
    if complete:
        speed = float((np.abs(velocity) @ np.abs(flat.reach).T).max(initial=0.0)) + pace
        allowed = UNEXPLAINED * float(run[rows.LARGEST_ENERGY]) + NOISE * speed * float(np.abs(impulse).sum())
        missing = np.abs(balance["residual"])
        if missing.max() > allowed:
            sample = int((missing > allowed).argmax())
            return {
                "what": "energy is unaccounted for",
                "contact": labels[int(np.abs(force[sample]).argmax())] if labels else None,
                "time": flat.start + span * sample,
                "value": float(balance["residual"][sample]),
                "unit": "J",
            }
    return None


def outcome_of(code: int, fault: dict[str, Any] | None) -> Outcome:
    """Return how a run ended; one that contradicts itself is not to be trusted."""
    return Outcome.UNTRUSTED if code == endings.FINISHED and fault is not None else OF_RUN[code]


def ending(code: int, run: Array, flat: FlatProblem, fault: dict[str, Any] | None) -> dict[str, Any]:
    """Return what the evidence of a failed run says of its end."""
    found: dict[str, Any] = {}
    if outcome_of(code, fault).failed:
        found["reached"] = flat.start + float(run[rows.REACHED])
    if fault is not None:
        found["fault"] = fault
    return found


def contact_evidence(
    run: Array, balance: Array, table: dict[str, Array], what: str, cautions: list[str]
) -> dict[str, Any]:
    """Return what both schemes say of their contacts; energy from nothing is a caution."""
    impacts, closed = table["start"].size, int(np.count_nonzero(table["ended"] == 0.0))
    gain, created = float(run[rows.LARGEST_GAIN]), float(np.nanmax(balance[:, rows.CREATED]))
    least = float(run[rows.LEAST_LOST])
    if created > ROUNDING * max(float(np.nanmax(balance[:, ledger.KINETIC])), 1e-300):
        cautions.append(
            f"{what} created up to {gain:.3g} J, all together {created:.3g} J: Newton's and Poisson's hypotheses can, "
            "with friction, different restitutions or, Newton's, in steps in which contacts settle; "
            'carom.law("stronge", …) cannot'
        )
    return {
        "impacts": impacts,
        "guarded_impacts": 0,
        "closed_at_end": closed,
        "most_contacts_at_once": int(run[rows.TOGETHER]),
        "largest_contact_residual": float(run[rows.LARGEST_RESIDUAL]),
        "largest_relative_contact_residual": float(run[rows.LARGEST_SHARE]),
        "largest_impulse": float(run[rows.LARGEST_IMPULSE]),
        "largest_overlap": float(run[rows.LARGEST_OVERLAP]),
        "smallest_energy_lost": least if np.isfinite(least) else 0.0,
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
