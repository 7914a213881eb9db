"""What the runs of an ensemble share, assembled once: structures, laws, gaps, ground motions, scales.

Structures are assembled by `assembly`; laws of one kind, gaps and scales are worked out all at once. Runs only pick.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from carom.errors import InputError, refusal
from carom.integrate.ensembles.assembly import assembled
from carom.integrate.ensembles.variation import Aspect, Axis, Positions
from carom.integrate.ensembles.varied import OWNER, Names, changed_law, taken_law
from carom.integrate.simulate import ground_of, refuse_beyond_budget
from carom.integrate.tables.ground_records import GroundRecords
from carom.kernels.event import batch
from carom.kernels.laws import power_law
from carom.laws.base import CompliantLaw
from carom.laws.stacked import grouped
from carom.problem import Problem, Support, common_base, moving_along

__all__ = ["Stores"]

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


FAR = 1e30
"""A gap that never closes [m]."""
LARGEST_GROUNDS = 2**28
"""Bytes of ground acceleration that runs take at once."""


class Stores:
    """The stores of an ensemble, and which entries of them a run takes."""

    def __init__(
        self, problem: Problem, names: Names, axes: Sequence[Axis], duration: float | None, sampling: float | None
    ) -> None:
        self._axes = axes
        self._structures = Aspect(axes, names.structures)
        # laws look at structures too: the damping of some depends on the effective mass
        self._laws = Aspect(axes, {*names.structures, *names.laws, *names.parameters})
        self._gaps = Aspect(axes, names.gaps, distinct=False)
        self._motions = Aspect(axes, names.motion)
        self._scales = Aspect(axes, names.scale, distinct=False)
        given = self._given_motions(problem, names)
        moving = np.any([moving_along(ground) for ground, _ in given], axis=0)
        self.structures = assembled(problem, names, axes, self._structures, moving)
        self.laws = self._law_rows(problem, names)
        self.gaps = np.tile(problem.flat().gap, (self._gaps.size, 1))
        for name, contacts in names.gaps.items():
            self.gaps[:, list(contacts)] = self._column(self._gaps, name)[:, None]
        self.factors = self._column(self._scales, "scale") if names.scale else np.ones(1)
        self._records = self._ground_records(problem, names, given, duration, sampling)
        self.dt = self._records.dt
        rows = self.structures.driven.count
        self._whole = self._records.size(rows) <= LARGEST_GROUNDS
        self._records.refuse_beyond(rows if self._whole else self.structures.which.shape[1])
        self.grounds = self._records.rows(self.structures.driven) if self._whole else np.zeros((0, 0, 0))
        """Rows of ground acceleration, shape (motions, rows, samples); of few runs at a time where all are too many."""

    def picks(self, runs: Integers, places: Integers) -> Integers:
        """Return what runs take and where they write, a row each as `carom.kernels.event.batch` reads it."""
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
            found[:, column] = aspect.index(positions) if aspect.size > 1 else 0
        return found

    def parts(self, runs: Integers) -> Iterator[tuple[Stores, Integers]]:
        """Yield stores with rows of ground acceleration, and which of `runs` these are for: all where they are few.

        Where structures differ in the directions along which the ground drives them, each has rows of its own.
        """
        if self._whole:
            yield self, np.arange(runs.size)
            return
        every, modes = self.structures.which.shape
        together = max(int(LARGEST_GROUNDS / self._records.size(modes)), 1)
        block = self._structures.index(np.unravel_index(runs, [axis.size for axis in self._axes])) // together
        for i in np.unique(block):
            own = slice(int(i) * together, min((int(i) + 1) * together, every))
            rows, which = np.unique(self.structures.which[own], return_inverse=True)
            part = copy.copy(self)
            numbered = np.zeros_like(self.structures.which)
            numbered[own] = which.reshape(-1, modes)
            part.structures = dataclasses.replace(self.structures, which=numbered)
            part.grounds = self._records.rows(self.structures.driven, rows)
            yield part, np.flatnonzero(block == i)

    def far_apart(self) -> Stores:
        """Return the same stores with gaps that never close."""
        other = copy.copy(self)
        other.gaps = np.full_like(self.gaps, FAR)
        return other

    @property
    def surely_apart(self) -> bool:
        """Whether even the least gap is more than the structures close at first, in whichever run."""
        return bool(np.all(self.structures.closing.max(axis=0) < self.gaps.min(axis=0)))

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
            which, laws = (
                self._chosen(chosen[0], at) if chosen else (np.zeros(self._laws.size, int), [taken_law(contact.law)])
            )
            changes = {
                parameter: self._values(name, at)
                for name, (parameter, contacts) in names.parameters.items()
                if c in contacts
            }
            mass = self.structures.masses[structure, c]
            if contact.mass is not None:
                mass = np.full_like(mass, contact.mass)
            for group in grouped(laws):
                place = np.full(len(laws), -1)
                place[group.members] = np.arange(len(group.members))
                mine = np.flatnonzero(place[which] >= 0)
                law = group.taken(place[which[mine]])
                made = changed_law(law, {name: values[mine] for name, values in changes.items()})
                found[mine, c] = made.power_form(mass[mine]).packed()
        return found

    def _given_motions(self, problem: Problem, names: Names) -> list[tuple[Array, float]]:
        """Return ground accelerations (supports, 3, samples) and time step of every different motion."""
        if not names.motion:
            flat = problem.flat()
            return [(flat.ground, flat.dt)]
        axis = next(axis for axis in self._axes if "motion" in axis.values)
        at = self._motions.positions()[self._motions.dims[0]]
        found: list[tuple[Array, float]] = []
        for motion in (axis.values["motion"][i] for i in at):
            ground, dt, _ = common_base((Support.under(motion),))
            if found and abs(dt / found[0][1] - 1.0) > 1e-12:
                raise refusal(
                    "motion", OWNER, f"must have components that start on one another's samples, {found[0][1]:g} s "
                    "apart in all motions", motion, "Shift them by whole samples.",
                )  # fmt: skip
            found.append((ground, dt))
        return found

    def _ground_records(
        self, problem: Problem, names: Names, given: Sequence[tuple[Array, float]], duration: float | None,
        sampling: float | None,
    ) -> GroundRecords:  # fmt: skip
        """Return the ground motions that runs take, and how long they last."""
        shaken = bool(names.motion) or problem.flat().ground.shape[2] > 0
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
            refuse_beyond_budget(flat, "event", duration, sampling)
            if not shaken:
                rest, dt = ground_of(flat, duration, sampling)
                return GroundRecords([np.zeros((len(flat.ground), 3, rest.shape[1]))], dt, None)
            return GroundRecords([given[0][0]], given[0][1], duration)
        grounds, dt = [ground for ground, _ in given], given[0][1]
        longest = max(ground.shape[2] - 1 for ground in grounds) * dt
        return GroundRecords(grounds, dt, longest if duration is None else duration)

    # values --------------------------------------------------------------------------------------------

    def _values(self, name: str, at: Positions) -> Array:
        i = self._axis(name)
        found: Array = self._axes[i].values[name][at[i]]
        return found

    def _chosen(self, name: str, at: Positions) -> tuple[Integers, list[CompliantLaw]]:
        """Return which of the different laws each combination has, and these laws."""
        i = self._axis(name)
        codes, firsts = self._axes[i].combined([name])
        return codes[at[i]], [self._axes[i].values[name][first] for first in firsts]

    def _column(self, aspect: Aspect, name: str) -> Array:
        return self._values(name, aspect.positions())

    def _axis(self, name: str) -> int:
        return next(i for i, axis in enumerate(self._axes) if name in axis.values)
