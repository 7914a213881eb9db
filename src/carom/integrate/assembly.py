"""The structures of an ensemble, assembled in Python once for each different combination of their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from carom.errors import InputError
from carom.integrate.tables import Tables, tables_of
from carom.integrate.variation import Aspect, Axis
from carom.integrate.varied import INITIAL, OWNER, Names, power_law_only
from carom.kernels import pounding_batch as batch
from carom.problem import FlatProblem, Problem

__all__ = ["Structures", "assembled"]

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class Structures(NamedTuple):
    """The structures of a run, for every different combination: what is given of them in the engine's tables."""

    modes: Array
    levers: Array
    floors: Array
    masses: Array
    """Effective masses of the contacts [kg]."""
    closing: Array
    """How far each contact is closed at the start [m]."""
    closing_size: Array
    """The same with all terms counted positive: what rounding is relative to."""
    support: Integers
    scratch: Tables
    """Tables of the right sizes."""
    quickest: FlatProblem
    """The combination with the shortest period."""


def assembled(problem: Problem, names: Names, axes: Sequence[Axis], aspect: Aspect) -> Structures:
    """Return the structures of all combinations of an aspect."""
    bare = _bare(problem, names)
    at = aspect.positions()
    where = {name: next(i for i, axis in enumerate(axes) if name in axis.values) for name in names.structures}
    made: Structures | None = None
    for i in range(aspect.size):
        values = {name: axes[k].values[name][at[k][i]] for name, k in where.items()}
        flat = _with(bare, values, names.structures).flat()
        if not flat.classical:
            raise InputError(
                f"{OWNER} needs damping that leaves the modes uncoupled; this problem's couples them. "
                "Use a damping ratio, Rayleigh or Caughey damping."
            )
        tables = tables_of(flat)
        if made is None:
            made = _room_for(aspect.size, flat, tables)
        elif not np.array_equal(flat.support, made.support) or flat.shapes.shape[0] != made.floors.shape[1]:
            raise InputError(f"{OWNER} needs structures with equally many degrees of freedom in all runs.")
        made.modes[i] = tables.modes[:, : batch.MODE_GIVEN]
        made.levers[i] = tables.contacts[:, batch.CONTACT_GIVEN :]
        made.floors[i] = tables.floors[:, batch.FLOOR_GIVEN :]
        made.masses[i] = flat.effective_mass
        made.closing[i] = flat.reach @ flat.q0
        made.closing_size[i] = np.abs(flat.reach) @ np.abs(flat.q0)
        if _quick(flat) > _quick(made.quickest):
            made = made._replace(quickest=flat)
    assert made is not None  # an aspect has at least one combination
    return made


def _room_for(count: int, flat: FlatProblem, tables: Tables) -> Structures:
    modes, contacts, dofs = flat.omega.size, flat.gap.size, flat.shapes.shape[0]
    masses, closing, closing_size = np.empty((3, count, contacts))
    return Structures(
        modes=np.empty((count, modes, batch.MODE_GIVEN)),
        levers=np.empty((count, contacts, tables.contacts.shape[1] - batch.CONTACT_GIVEN)),
        floors=np.empty((count, dofs, tables.floors.shape[1] - batch.FLOOR_GIVEN)),
        masses=masses,
        closing=closing,
        closing_size=closing_size,
        support=flat.support.copy(),
        scratch=tables,
        quickest=flat,
    )


def _quick(flat: FlatProblem) -> float:
    """Return the highest circular frequency [rad/s] below that of a millisecond."""
    return float(flat.omega[flat.omega < 2000.0 * np.pi].max(initial=0.0))


def _bare(problem: Problem, names: Names) -> Problem:
    """Return the problem to assemble structures from: one motion for all is no matter, overlaps are judged later."""
    kept = isinstance(problem.motion, Mapping) and not names.motion
    changes: dict[str, Any] = {} if kept else {"motion": None}
    for contact in problem.pairs:
        power_law_only(contact.law)
    if problem.flat().springs.shape[0]:
        raise InputError(
            "ensemble needs structures that are linear between contacts; this problem has inelastic storeys or stops. "
            "carom.simulate takes them, by a step-by-step scheme."
        )
    if not problem.flat().classical:
        raise InputError(
            "ensemble needs damping that leaves the modes uncoupled; here it couples them. carom.simulate takes it."
        )
    return problem.replace(allow_overlap=True, **changes)


def _with(problem: Problem, values: Mapping[str, Any], names: Mapping[str, tuple[str, str]]) -> Problem:
    """Return the problem with fields of structures and initial values changed."""
    if not values:
        return problem
    fields: dict[str, dict[str, Any]] = {}
    initial: dict[str, dict[str, Any]] = {name: dict(getattr(problem, name)) for name in INITIAL}
    for name, value in values.items():
        structure, entry = names[name]
        if entry in INITIAL:
            initial[entry][structure] = value
        else:
            fields.setdefault(structure, {})[entry] = value
    structures = tuple(s.replace(**fields[s.name]) if s.name in fields else s for s in problem.structures)
    return problem.replace(structures=structures, **initial)
