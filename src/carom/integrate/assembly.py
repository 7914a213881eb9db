"""The structures of an ensemble, assembled in Python once for each different combination of their values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.errors import InputError
from carom.integrate.schemes.base import refuse_beyond_ensemble
from carom.integrate.schemes.capability import needs_of
from carom.integrate.tables import tables_of
from carom.integrate.variation import Aspect, Axis
from carom.integrate.varied import INITIAL, OWNER, Names
from carom.kernels import rows
from carom.kernels.event import batch
from carom.kernels.tables import Tables
from carom.problem import FlatProblem, Problem

__all__ = ["Structures", "assembled"]

REMEMBERED = 2048
"""Sets of structures that are kept at hand: a thousand samples, and their twins in another problem."""
_made: dict[Any, Any] = {}

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Structures:
    """The structures of a run, for every different combination: what is given of them in the engine's tables."""

    modes: Array
    levers: Array
    floors: Array
    mobility: Array
    """Of both sides of the contacts [1/kg]."""
    support: Integers
    scratch: Tables
    """Tables of the right sizes."""
    quickest: FlatProblem
    """The combination with the shortest period."""

    @cached_property
    def masses(self) -> Array:
        """Effective masses of the contacts [kg]."""
        found: Array = 1.0 / (self.mobility[..., 0] + self.mobility[..., 1])
        return found

    @cached_property
    def closing(self) -> Array:
        """How far each contact is closed at the start [m]."""
        return _reached(self.levers, self.modes)

    @cached_property
    def closing_size(self) -> Array:
        """The same with all terms counted positive: what rounding is relative to."""
        return _reached(np.abs(self.levers), np.abs(self.modes))


def assembled(problem: Problem, names: Names, axes: Sequence[Axis], aspect: Aspect) -> Structures:
    """Return the structures of all combinations of an aspect.

    What a structure contributes depends on its own values alone. Where there are fewer different structures than
    combinations, as on grids, each is worked out once and the combinations are put together from them.
    """
    bare = _bare(problem, names)
    at = aspect.positions()
    where = {name: next(i for i, axis in enumerate(axes) if name in axis.values) for name in names.structures}

    def stacked(own: Collection[str], combinations: Integers) -> Structures:
        """Return some combinations; all but `own` values are those of the first."""
        first = {name: axes[k].values[name][at[k][0]] for name, k in where.items()}
        changes = ({name: axes[where[name]].values[name][at[where[name]][i]] for name in own} for i in combinations)
        return _stacked((_flat_with(bare, first | some, names.structures) for some in changes), combinations.size)

    different = {}
    for structure in problem.names:
        if own := [name for name, (owner, _) in names.structures.items() if owner == structure]:
            on = {k: [name for name in own if where[name] == k] for k in {where[name] for name in own}}
            values = np.stack([axes[k].combined(some)[0][at[k]] for k, some in on.items()])
            different[structure] = own, *np.unique(values, axis=1, return_index=True, return_inverse=True)[1:]
    fewer = 0 < sum(firsts.size for _, firsts, _ in different.values()) < aspect.size
    if not fewer or np.any(bare.flat().mode_structure < 0):  # modes of the ground belong to no structure
        return stacked(where, np.arange(aspect.size))
    found = [(bare.index(s), stacked(own, firsts), which) for s, (own, firsts, which) in different.items()]
    return _joined(bare, found, aspect.size)


def _stacked(problems: Iterable[tuple[FlatProblem, Tables]], count: int) -> Structures:
    """Return the structures of problems, one after the other."""
    made: Structures | None = None
    for i, (flat, tables) in enumerate(problems):
        if made is None:
            made = _room_for(count, flat, tables)
        elif not np.array_equal(flat.support, made.support) or flat.outputs.shape[0] != made.floors.shape[1]:
            raise InputError(f"{OWNER} needs structures with equally many degrees of freedom in all runs.")
        made.modes[i] = tables.modes[:, : batch.MODE_GIVEN]
        made.levers[i] = tables.contacts[:, batch.CONTACT_GIVEN :]
        made.floors[i] = tables.floors[:, batch.FLOOR_GIVEN :]
        made.mobility[i] = flat.mobility
        if _quick(flat) > _quick(made.quickest):
            made = replace(made, quickest=flat)
    assert made is not None  # an aspect has at least one combination
    return made


def _joined(problem: Problem, found: Sequence[tuple[int, Structures, Integers]], count: int) -> Structures:
    """Return combinations put together: of each structure what varies with it, and which of these they take."""
    quickest = max((one.quickest for _, one, _ in found), key=_quick)
    made = _room_for(count, quickest, found[0][1].scratch)
    for name in ("modes", "levers", "floors", "mobility"):
        getattr(made, name)[:] = getattr(found[0][1], name)[0]  # what never varies
    for structure, one, which in found:
        if not np.array_equal(one.support, made.support) or one.floors.shape[1:] != made.floors.shape[1:]:
            raise InputError(f"{OWNER} needs structures with equally many degrees of freedom in all runs.")
        modes, dofs = (np.flatnonzero(at == structure) for at in (quickest.mode_structure, quickest.output_structure))
        made.modes[:, modes] = one.modes[:, modes][which]
        made.floors[:, dofs] = one.floors[:, dofs][which]
        for column in (2 * modes, 2 * modes + 1):  # reach and push
            made.levers[:, :, column] = one.levers[:, :, column][which]
        for c, contact in enumerate(problem.pairs):
            for side, place in enumerate((contact.a, contact.b)):
                if problem.index(place.structure) == structure:
                    made.mobility[:, c, side] = one.mobility[which, c, side]
    return made


def _room_for(count: int, flat: FlatProblem, tables: Tables) -> Structures:
    modes, contacts, dofs = flat.omega.size, flat.gap.size, flat.outputs.shape[0]
    return Structures(
        modes=np.empty((count, modes, batch.MODE_GIVEN)),
        levers=np.empty((count, contacts, tables.contacts.shape[1] - batch.CONTACT_GIVEN)),
        floors=np.empty((count, dofs, tables.floors.shape[1] - batch.FLOOR_GIVEN)),
        mobility=np.empty((count, contacts, 2)),
        support=flat.support.copy(),
        scratch=tables,
        quickest=flat,
    )


def _reached(levers: Array, modes: Array) -> Array:
    """Return reach · q, shape (combinations, contacts)."""
    found: Array = np.einsum("icn,in->ic", levers[:, :, ::2], modes[:, :, rows.Q])
    return found


def _quick(flat: FlatProblem) -> float:
    """Return the highest circular frequency [rad/s] below that of a millisecond."""
    return float(flat.omega[flat.omega < 2000.0 * np.pi].max(initial=0.0))


def _bare(problem: Problem, names: Names) -> Problem:
    """Return the problem to assemble structures from: one motion for all is no matter, overlaps are judged later."""
    kept = isinstance(problem.motion, Mapping) and not names.motion
    changes: dict[str, Any] = {} if kept else {"motion": None}
    return problem.replace(allow_overlap=True, **changes)


def _flat_with(
    problem: Problem, values: Mapping[str, Any], names: Mapping[str, tuple[str, str]]
) -> tuple[FlatProblem, Tables]:
    """Return the problem with values changed, as arrays and tables; those made last are at hand.

    Studies ask for the same structures again under every motion of another length.
    """
    parts = (*problem.structures, *problem.contacts, problem.motion)
    initial = tuple(tuple(getattr(problem, name).items()) for name in INITIAL)
    key: Any = (tuple(map(id, parts)), initial, tuple(names.items()), tuple(values.items()))
    try:
        found = _made.get(key)
    except TypeError:  # a list among the values
        key, found = None, None
    if found is None:
        flat = _with(problem, values, names).flat()
        if flat.spring_rules or not flat.classical:  # of what a problem asks for, structures change these alone
            refuse_beyond_ensemble(needs_of(flat))
        found = parts, flat, tables_of(flat)
        if key is not None:
            _made[key] = found  # with its parts: while they live no other object has their identity
            while len(_made) > REMEMBERED:
                _made.pop(next(iter(_made)), None)
    return found[1], found[2]


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
