"""The structures of an ensemble, each different one worked out once: as arrays where it knows how, else one by one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from carom.errors import InputError
from carom.integrate.ensembles.variation import Aspect, Axis, Positions
from carom.integrate.ensembles.varied import INITIAL, OWNER, Names
from carom.integrate.schemes.base import refuse_beyond_ensemble
from carom.integrate.schemes.capability import needs_of
from carom.integrate.tables.drive_rows import DriveRows
from carom.integrate.tables.general import answers, lay_modes, tables_of
from carom.kernels import rows
from carom.kernels.event import batch
from carom.kernels.tables import Tables
from carom.motions.motion import Motion
from carom.problem import (
    AtRest,
    FlatProblem,
    Problem,
    StackedPart,
    Support,
    initial_state,
    moving_along,
    stacked_part,
)
from carom.structures.base import LinearStructure
from carom.structures.stacked import as_numbers, value_at

__all__ = ["Structures", "assembled", "changed_problem"]

REMEMBERED = 2048
"""Sets of structures that are kept at hand: a thousand samples, and their twins in another problem."""
_made: dict[Any, tuple[object, Made]] = {}
_bared: WeakKeyDictionary[Problem, dict[Any, Problem]] = WeakKeyDictionary()

STAND_IN = Motion(np.ones(2), 1.0)
"""For any motion, where only matters along which axes the ground moves."""

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Moving = npt.NDArray[np.bool_]
"""For each support, whether it moves along x, y and z."""


@dataclass(frozen=True, eq=False)
class Structures:
    """The structures of a run, for every different combination: what is given of them in the engine's tables."""

    modes: Array
    levers: Array
    floors: Array
    mobility: Array
    """Of both sides of the contacts [1/kg]."""
    which: Integers
    """For each mode, which of `driven` drives it."""
    driven: DriveRows
    """The rows of ground acceleration that drive modes of any combination."""
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


class Part(NamedTuple):
    """What S different structures give to the tables of an ensemble, each in the place of one; N modes, O outputs."""

    structure: int
    """Which one of the problem's they stand for."""
    modes: Array
    """Shape (S, N, …)."""
    which: Integers
    """Shape (S, N): as that of `Structures`."""
    levers: Array
    """Shape (S, C, N, 2): reach and push."""
    floors: Array
    """Shape (S, O, …)."""
    mobility: Array
    """Shape (S, C, 2)."""
    quickest: FlatProblem
    """The problem with the quickest of them."""


def assembled(problem: Problem, names: Names, axes: Sequence[Axis], aspect: Aspect, moving: Moving) -> Structures:
    """Return the structures of all combinations of an aspect; `moving` says along which axes the ground moves.

    What a structure contributes depends on its own values alone: each different one is worked out once, and the
    combinations are put together from them. They are worked out as arrays where a structure knows how; the others are
    made one by one, and with them whole combinations where these are fewer, or where contacts of facing floors move
    with what varies: then both sides are others.
    """
    made = Making(_bare(problem, names, moving), names, axes, aspect.positions())
    stated, first = problem.flat(), made.first.flat
    if len(first.outputs) != len(stated.outputs) or first.gap.size != stated.gap.size:
        raise _uneven()
    own = {s: [name for name, (owner, _) in names.structures.items() if owner == s] for s in problem.names}
    different = {s: Aspect(axes, some) for s, some in own.items() if some}
    parts = {s: made.as_arrays(s, own[s], several) for s, several in different.items()}
    single = [s for s, part in parts.items() if part is None]
    modes_of_ground = bool(np.any(first.mode_structure < 0))  # belong to no structure
    whole = bool(single) and (modes_of_ground or sum(different[s].size for s in single) > aspect.size)
    found: list[tuple[Part, Integers]] = []
    for s, part in parts.items():
        given = None if whole else part or made.part(s, own[s], different[s])
        if given is None:
            return made.one_by_one(list(names.structures), made.at)
        found.append((given, different[s].index(made.at)))
    return _joined(made.first, found, aspect.size, made.driven)


class Made(NamedTuple):
    """A problem of an ensemble, as arrays and as tables."""

    problem: Problem
    flat: FlatProblem
    tables: Tables


class Making:
    """How the structures of an ensemble are made, from a problem and values on axes."""

    def __init__(self, bare: Problem, names: Names, axes: Sequence[Axis], at: Positions) -> None:
        self.at = at
        self._bare, self._names, self._axes = bare, names.structures, axes
        self._axis = {name: next(i for i, axis in enumerate(axes) if name in axis.values) for name in names.structures}
        self.first = self._with_values([], at, 0)
        """The first combination."""
        self.driven = DriveRows()

    def one_by_one(self, own: Collection[str], at: Positions) -> Structures:
        """Return the problem at some positions; all but `own` values are those of the first combination."""
        return _stacked((self._with_values(own, at, i) for i in range(at[0].size)), at[0].size, self.driven)

    def part(self, structure: str, own: Collection[str], different: Aspect) -> Part | None:
        """Return the different structures in the place of one, made one by one; None where they move its contacts."""
        at, moved = different.positions(), False
        met = [contact.relation[:2] for contact in self.first.problem.pairs]

        def each() -> Iterator[Made]:
            nonlocal moved
            for k in range(different.size):
                one = self._with_values(own, at, k)
                moved = moved or [contact.relation[:2] for contact in one.problem.pairs] != met
                yield one

        found = _stacked(each(), different.size, self.driven)
        if moved:
            return None
        i = self._bare.index(structure)
        modes, outputs = _places_of(i, found.quickest)
        levers = found.levers.reshape(*found.levers.shape[:2], found.levers.shape[2] // 2, 2)
        return Part(
            i, found.modes[:, modes], found.which[:, modes], levers[:, :, modes], found.floors[:, outputs],
            found.mobility, found.quickest,
        )  # fmt: skip

    def as_arrays(self, structure: str, own: Collection[str], different: Aspect) -> Part | None:
        """Return the different structures in the place of one, worked out together; None where it does not know how."""
        i, at = self._bare.index(structure), different.positions()
        stated = self.first.problem.structures[i]
        given = {self._names[name][1]: self._values(name, at) for name in own}
        start = self._start(stated, {entry: given.pop(entry) for entry in INITIAL if entry in given}, at)
        stacked = None if start is None else stated.stacked(different.size, given)
        if stacked is None or start is None:
            return None
        quickest = self._with_values(own, at, int(np.argmax(_quickest(stacked.omega)))).flat
        return self._laid(i, stacked_part(self.first.problem, i, stacked, *start), quickest)

    def _laid(self, structure: int, given: StackedPart, quickest: FlatProblem) -> Part:
        """Return what many structures in the place of one give to a problem, as the tables have it."""
        _, flat, tables = self.first
        modes, outputs = _places_of(structure, flat)
        count, total, shape = len(given.omega), flat.omega.size, rows.SHAPE - batch.FLOOR_GIVEN
        laid = np.zeros((count, modes.size, batch.MODE_GIVEN))
        which, share = self.driven.of_many(given.participation, int(flat.support[modes[0]]), moving_along(flat.ground))
        lay_modes(given, share, 1.0, laid)
        floors = np.tile(tables.floors[outputs, batch.FLOOR_GIVEN :], (count, 1, 1))
        floors[:, :, shape + modes] = given.outputs
        floors[:, :, shape + total :] = answers(given.outputs, given.reach, total)
        return Part(structure, laid, which, np.stack([given.reach] * 2, axis=-1), floors, given.mobility, quickest)

    def _start(
        self, structure: LinearStructure, given: Mapping[str, Sequence[Any]], at: Positions
    ) -> tuple[Array, Array] | None:
        """Return initial displacements and velocities, (dofs,) or a row for each different structure."""
        if isinstance(self.first.problem.initial_displacement.get(structure.name), AtRest):
            return None  # each has a rest of its own
        found = dict(zip(INITIAL, initial_state(self.first.problem, structure), strict=True))
        for entry, values in given.items():
            numbers = as_numbers(values)
            if numbers is None or numbers.size != len(values) * len(structure.dof_names):
                return None
            found[entry] = numbers.reshape(len(values), -1)
            if (bad := np.argwhere(~np.isfinite(found[entry]))).size:  # refused as a problem of its own
                self._with_values([f"{structure.name}.{entry}"], at, int(bad[0, 0]))
        return found["initial_displacement"], found["initial_velocity"]

    def _values(self, name: str, at: Positions) -> Any:
        """Return the values of a name at many positions."""
        axis = self._axis[name]
        values, wanted = self._axes[axis].values[name], at[axis]
        return values[wanted] if isinstance(values, np.ndarray) else [values[i] for i in wanted.tolist()]

    def _with_values(self, own: Collection[str], at: Positions, i: int) -> Made:
        """Return the problem with its `own` values at one of many positions, and others as they are first."""
        where = {name: int((at if name in own else self.at)[axis][i if name in own else 0])
                 for name, axis in self._axis.items()}  # fmt: skip
        values = {name: value_at(self._axes[self._axis[name]].values[name], k) for name, k in where.items()}
        return _made_with(self._bare, values, self._names)


def _stacked(problems: Iterable[Made], count: int, driven: DriveRows) -> Structures:
    """Return the structures of problems, one after the other."""
    made: Structures | None = None
    for i, (_, flat, tables) in enumerate(problems):
        if made is None:
            made = _room_for(count, flat, tables, driven)
        elif flat.outputs.shape[0] != made.floors.shape[1]:
            raise _uneven()
        elif flat.gap.size != made.levers.shape[1]:
            raise InputError(f"{OWNER} needs equally many contacts in all runs, as in its problem.")
        elif flat.omega.size != made.which.shape[1]:
            raise InputError(
                f"{OWNER} needs contacts whose two sides take along the ground's displacement alike in all runs. Leave "
                "the influence of degrees of freedom that touch as it is, or touch at points."
            )
        made.modes[i] = tables.modes[:, : batch.MODE_GIVEN]
        made.which[i] = driven.of(flat.drives)
        made.levers[i] = tables.contacts[:, batch.CONTACT_GIVEN :]
        made.floors[i] = tables.floors[:, batch.FLOOR_GIVEN :]
        made.mobility[i] = flat.mobility
        if _quick(flat) > _quick(made.quickest):
            made = replace(made, quickest=flat)
    assert made is not None  # an aspect has at least one combination
    return made


def _joined(first: Made, found: Sequence[tuple[Part, Integers]], count: int, driven: DriveRows) -> Structures:
    """Return combinations put together: of each structure what varies with it, and which of these they take."""
    problem, flat, tables = first
    made = _room_for(count, max((flat, *(part.quickest for part, _ in found)), key=_quick), tables, driven)
    made.modes[:] = tables.modes[:, : batch.MODE_GIVEN]
    made.which[:] = driven.of(flat.drives)
    made.levers[:] = tables.contacts[:, batch.CONTACT_GIVEN :]
    made.floors[:] = tables.floors[:, batch.FLOOR_GIVEN :]
    made.mobility[:] = flat.mobility
    levers = made.levers.reshape(*made.levers.shape[:2], made.levers.shape[2] // 2, 2)
    for part, which in found:
        modes, outputs = _places_of(part.structure, flat)
        if part.modes.shape[1] != modes.size or part.floors.shape[1:] != (outputs.size, made.floors.shape[2]):
            raise _uneven()
        made.modes[:, modes] = part.modes[which]
        made.which[:, modes] = part.which[which]
        made.floors[:, outputs] = part.floors[which]
        levers[:, :, modes] = part.levers[which]
        for c, contact in enumerate(problem.pairs):
            for side, place in enumerate((contact.a, contact.b)):
                if problem.index(place.structure) == part.structure:
                    made.mobility[:, c, side] = part.mobility[which, c, side]
    return made


def _uneven() -> InputError:
    return InputError(f"{OWNER} needs structures with equally many degrees of freedom in all runs, as in its problem.")


def _places_of(structure: int, flat: FlatProblem) -> tuple[Integers, Integers]:
    """Return the modes of a structure, and its outputs."""
    return np.flatnonzero(flat.mode_structure == structure), np.flatnonzero(flat.output_structure == structure)


def _room_for(count: int, flat: FlatProblem, tables: Tables, driven: DriveRows) -> Structures:
    modes, contacts, dofs = flat.omega.size, flat.gap.size, flat.outputs.shape[0]
    return Structures(
        modes=np.empty((count, modes, batch.MODE_GIVEN)),
        levers=np.empty((count, contacts, tables.contacts.shape[1] - batch.CONTACT_GIVEN)),
        floors=np.empty((count, dofs, tables.floors.shape[1] - batch.FLOOR_GIVEN)),
        mobility=np.empty((count, contacts, 2)),
        which=np.zeros((count, modes), dtype=np.int64),
        driven=driven,
        scratch=tables,
        quickest=flat,
    )


def _reached(levers: Array, modes: Array) -> Array:
    """Return reach · q, shape (combinations, contacts)."""
    found: Array = np.einsum("icn,in->ic", levers[:, :, ::2], modes[:, :, rows.Q])
    return found


def _quick(flat: FlatProblem) -> float:
    """Return the highest circular frequency [rad/s] below that of a millisecond."""
    return float(_quickest(flat.omega))


def _quickest(omega: Array) -> Array:
    """Return the same of many structures, a row of frequencies each."""
    found: Array = np.max(omega, axis=-1, initial=0.0, where=omega < 2000.0 * np.pi)
    return found


def _bare(problem: Problem, names: Names, moving: Moving) -> Problem:
    """Return the problem to assemble structures from, whose overlaps are judged later.

    Of one motion for all only matters along which axes it is. Made once for a problem that lives: loops ask for
    ensembles of the same one again.
    """
    kept = isinstance(problem.motion, Mapping) and not names.motion
    axes = tuple(bool(column.any()) for column in moving.T)
    made = _bared.setdefault(problem, {})
    key = None if kept else axes
    if key not in made:
        changes: dict[str, Any] = {} if kept else {"motion": _stand_in(axes)}
        made[key] = problem.replace(allow_overlap=True, **changes)
    return made[key]


def _stand_in(axes: tuple[bool, ...]) -> Support | None:
    """Return a motion along these axes; none where they are not more than x."""
    return Support.of(STAND_IN if moves else None for moves in axes) if any(axes[1:]) else None


def _made_with(problem: Problem, values: Mapping[str, Any], names: Mapping[str, tuple[str, str]]) -> Made:
    """Return the problem with values changed; those made last are at hand.

    Studies ask for the same structures again under every motion of another length.
    """
    motion = problem.motion
    shaken = motion.along if isinstance(motion, Support) else (motion,)
    parts = (*problem.structures, *problem.contacts, *shaken)
    initial = tuple(tuple(getattr(problem, name).items()) for name in INITIAL)
    key: Any = (tuple(map(id, parts)), initial, tuple(names.items()), tuple(values.items()))
    try:
        found = _made.get(key)
    except TypeError:  # a list among the values
        key, found = None, None
    if found is None:
        changed = changed_problem(problem, values, names)
        flat = changed.flat()
        if flat.spring_rules or not flat.classical:  # of what a problem asks for, structures change these alone
            refuse_beyond_ensemble(needs_of(flat))
        found = parts, Made(changed, flat, tables_of(flat))
        if key is not None:
            _made[key] = found  # with its parts: while they live no other object has their identity
            while len(_made) > REMEMBERED:
                _made.pop(next(iter(_made)), None)
    return found[1]


def changed_problem(problem: Problem, values: Mapping[str, Any], names: Mapping[str, tuple[str, str]]) -> Problem:
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
