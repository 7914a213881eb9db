"""What the runs of an ensemble share, assembled once: structures, laws, gaps, ground motions, scales.

Structures are assembled once for each different combination of their values, in Python; laws, gaps and scales all at
once. Runs only pick.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from carom.errors import InputError, refusal
from carom.integrate.simulate import _ground as ground_of
from carom.integrate.tables import Tables, tables_of
from carom.integrate.variation import Aspect, Axis, Positions
from carom.integrate.varied import INITIAL, OWNER, Names, changed_law, power_law_only
from carom.kernels import pounding_batch as batch
from carom.kernels import power_law
from carom.problem import FlatProblem, Problem

__all__ = ["Stores"]

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


class Stores:
    """The stores of an ensemble, and which entries of them a run takes."""

    def __init__(
        self, problem: Problem, names: Names, axes: Sequence[Axis], duration: float | None, sampling: float | None
    ) -> None:
        self._axes = axes
        self._structures = Aspect(axes, names.structures)
        # laws look at structures too: the damping of some depends on the effective mass
        self._laws = Aspect(axes, {*names.structures, *names.laws, *names.parameters})
        self._gaps = Aspect(axes, names.gaps)
        self._motions = Aspect(axes, names.motion)
        self._scales = Aspect(axes, names.scale)
        self.structures = _assembled(_bare(problem, names), names, axes, self._structures)
        self.laws = self._law_rows(problem, names)
        self.gaps = np.tile(problem.flat().gap, (self._gaps.size, 1))
        for name, contacts in names.gaps.items():
            self.gaps[:, list(contacts)] = self._column(self._gaps, name)[:, None]
        self.factors = self._column(self._scales, "scale") if names.scale else np.ones(1)
        self.grounds, self.dt = self._ground_motions(problem, names, duration, sampling)

    def picks(self, runs: Integers, places: Integers) -> Integers:
        """Return what runs take and where they write, a row each as `carom.kernels.pounding_batch` reads it."""
        positions = np.unravel_index(runs, [axis.size for axis in self._axes])
        found = np.empty((runs.size, batch.PICK_SIZE), dtype=np.int64)
        found[:, batch.PLACE] = places
        for column, aspect in (
            (batch.STRUCTURE, self._structures),
            (batch.LAW, self._laws),
            (batch.GAPS, self._gaps),
            (batch.MOTION, self._motions),
            (batch.FACTOR, self._scales),
        ):
            found[:, column] = aspect.index(positions)
        return found

    def refuse_overlap(self, picks: Integers, labels: Sequence[str]) -> None:
        """Refuse runs that begin overlapping."""
        gap = self.gaps[picks[:, batch.GAPS]]
        closing, size = (
            table[picks[:, batch.STRUCTURE]] for table in (self.structures.closing, self.structures.closing_size)
        )
        bad = np.argwhere(closing - gap > 1e-12 * np.maximum(size, np.abs(gap)))
        if bad.size:
            i, c = bad[0]
            raise refusal(
                "gap", f"contact {labels[c]!r} in {OWNER}",
                f"must be at least the initial closing u_a − u_b = {closing[i, c]:g} m, else the two overlap at rest",
                float(gap[i, c]), "Widen it, or make the problem with allow_overlap=True.",
            )  # fmt: skip

    # assembling ----------------------------------------------------------------------------------------

    def _law_rows(self, problem: Problem, names: Names) -> Array:
        """Return the coefficients of all contacts' laws, shape (combinations, contacts, 8)."""
        at = self._laws.positions()
        structure = self._structures.index(at)
        found = np.empty((self._laws.size, len(problem.pairs), power_law.SIZE))
        for c, contact in enumerate(problem.pairs):
            chosen = [name for name, contacts in names.laws.items() if c in contacts]
            which, laws = self._chosen(chosen[0], at) if chosen else (np.zeros(self._laws.size), [contact.law])
            changes = {
                parameter: self._values(name, at)
                for name, (parameter, contacts) in names.parameters.items()
                if c in contacts
            }
            mass = self.structures.masses[structure, c]
            for k, law in enumerate(laws):
                mine = np.flatnonzero(which == k)
                made = changed_law(law, {name: values[mine] for name, values in changes.items()})
                found[mine, c] = made.power_form(mass[mine]).packed()
        return found

    def _ground_motions(
        self, problem: Problem, names: Names, duration: float | None, sampling: float | None
    ) -> tuple[Array, float]:
        """Return ground accelerations, shape (motions, supports, samples), and their time step."""
        shaken = problem.motion is not None or bool(names.motion)
        if not shaken and names.scale:
            raise refusal(
                "scale", OWNER, "must have a motion to scale", "none", "Give the problem one, or vary `motion`."
            )
        if not shaken and duration is None:
            raise InputError(f"{OWNER} needs `duration` [s] for a problem without ground motion.")
        if shaken and sampling is not None:
            raise InputError(f"{OWNER} takes `sampling` only without a record: runs go by the record's samples.")
        if not names.motion:
            flat = problem.flat() if shaken else self.structures.quickest
            ground, dt = ground_of(flat, duration, sampling)
            return np.array(ground)[None], dt
        axis = next(axis for axis in self._axes if "motion" in axis.values)
        at = self._motions.positions()[self._motions.dims[0]]
        motions = [axis.values["motion"][i] for i in at]
        longest = max(motion.duration for motion in motions) if duration is None else duration
        grounds = [
            ground_of(
                dataclasses.replace(self.structures.quickest, ground=m.acceleration[None], dt=motions[0].dt),
                longest,
                None,
            )[0]
            for m in motions
        ]
        return np.array(grounds), motions[0].dt

    # values --------------------------------------------------------------------------------------------

    def _values(self, name: str, at: Positions) -> Array:
        i = self._axis(name)
        found: Array = self._axes[i].values[name][at[i]]
        return found

    def _chosen(self, name: str, at: Positions) -> tuple[Integers, list[Any]]:
        """Return which of the different laws each combination has, and these laws."""
        i = self._axis(name)
        codes, firsts = self._axes[i].combined([name])
        return codes[at[i]], [self._axes[i].values[name][first] for first in firsts]

    def _column(self, aspect: Aspect, name: str) -> Array:
        return self._values(name, aspect.positions())

    def _axis(self, name: str) -> int:
        return next(i for i, axis in enumerate(self._axes) if name in axis.values)


def _assembled(bare: Problem, names: Names, axes: Sequence[Axis], aspect: Aspect) -> Structures:
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
