"""Ensembles of scenes: problems are made once for each different set of values, runs go through all cores.

A run of a scene takes long enough that Python between runs costs nothing that matters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.backends import in_threads
from carom.errors import InputError
from carom.integrate.ensembles.assembly import changed_problem
from carom.integrate.ensembles.batches import Found, Progress
from carom.integrate.ensembles.variation import Aspect, Axis, Positions
from carom.integrate.ensembles.varied import FRICTION, OWNER, Names, changed_law, taken_law, with_friction
from carom.integrate.scenes.kernels import scene_kernel
from carom.integrate.scenes.tables import scene_of, tables_of_scene
from carom.integrate.simulate import ground_of, refuse_beyond_budget
from carom.kernels.event import batch
from carom.kernels.scene import rows
from carom.kernels.scene.changes import TABLE_SIZE
from carom.kernels.scene.tables import Writing
from carom.kernels.tables import Shaking
from carom.problem import FlatProblem, Problem, Support, common_base

__all__ = ["SceneRuns"]

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class SceneRuns:
    """What the runs of an ensemble of scenes take, and how they are computed."""

    def __init__(
        self, problem: Problem, names: Names, axes: Sequence[Axis], duration: float | None, sampling: float | None
    ) -> None:
        self._axes = axes
        stated = {*names.structures, *names.laws, *names.parameters, *names.gaps}
        self._stated, self._motions = Aspect(axes, stated), Aspect(axes, names.motion)
        self._scales = Aspect(axes, names.scale, distinct=False)
        self._problems = [
            _changed(problem, names, self._values(stated, self._stated, i)) for i in range(self._stated.size)
        ]
        self._factors = (
            np.array([self._values(names.scale, self._scales, i)["scale"] for i in range(self._scales.size)])
            if names.scale
            else np.ones(1)
        )
        self._grounds = [
            common_base((Support.under(self._values(names.motion, self._motions, i)["motion"]),))
            for i in range(self._motions.size if names.motion else 0)
        ]
        if self._grounds and len(problem.supports) > 1:
            raise InputError(
                f"{OWNER} varies `motion` of a problem whose structures have motions of their own. Run one ensemble "
                "for each, or vary `scale`."
            )
        self._times = duration, sampling
        if self._grounds and duration is None:
            self._times = max((ground.shape[2] - 1) * dt for ground, dt, _ in self._grounds), sampling
        self._flats = {True: [made.flat() for made in self._problems]}
        refuse_beyond_budget(self.of(0, 0), "event", *self._times)
        scene = scene_of(self._flats[True][0])
        self.gauges = scene.gauge_labels

    @property
    def structures(self) -> int:
        """How many different problems there are, but for the motion."""
        return self._stated.size

    def of(self, stated: int, motion: int, contacts: bool = True) -> FlatProblem:
        """Return a problem under a motion."""
        if contacts not in self._flats:
            self._flats[contacts] = [made.without_contacts().flat() for made in self._problems]
        flat = self._flats[contacts][stated]
        if not self._grounds:
            return flat
        ground, dt, start = self._grounds[motion]
        return replace(flat, ground=ground, dt=dt, start=start)

    def compute(
        self, runs: Integers, rtol: float, step_limit: int, progress: Progress, *, contacts: bool = True
    ) -> tuple[Found, Array]:
        """Compute runs; return what came out, and of gauges (runs, G, 3) least, largest and when they left limits."""
        positions = np.unravel_index(runs, [axis.size for axis in self._axes])
        stated, motion, factor = (
            aspect.index(positions) if aspect.size > 1 else np.zeros(runs.size, dtype=np.int64)
            for aspect in (self._stated, self._motions, self._scales)
        )
        outputs = len(self.of(0, 0, contacts).outputs)
        found = Found(np.empty((runs.size, batch.result_size(outputs))), np.empty(runs.size, dtype=np.int64))
        gauges = np.full((runs.size, len(self.gauges), 3), np.nan)
        _, rules, kernel, _ = scene_kernel(self.of(0, 0, contacts))

        def run(start: int, stop: int) -> None:
            for i in range(start, stop):
                flat = self.of(int(stated[i]), int(motion[i]), contacts)
                ground, dt = ground_of(flat, *self._times)
                plan, moving, springs = tables_of_scene(flat, rules, rtol, float(step_limit), ground, dt)
                shaking = Shaking(flat.drives.which.copy(), ground.copy(), float(self._factors[factor[i]]), dt)
                found.codes[i] = kernel(plan, moving, springs, shaking, _nothing_written(flat))
                found.table[i, : batch.ACCOUNT_KEPT] = moving.run[: batch.ACCOUNT_KEPT]
                found.table[i, batch.ACCOUNT_KEPT :] = moving.outputs[:, rows.PEAK : rows.PEAK + 3].ravel()
                if contacts and self.gauges:
                    last = moving.links[-len(self.gauges) :]
                    gauges[i] = last[:, [rows.LOWEST, rows.HIGHEST, rows.LEFT_AT]]
                    gauges[i, :, 2] += flat.start
            progress.add(stop - start)

        in_threads(run, runs.size, chunk=1)
        return found, gauges

    def _values(self, names: Any, aspect: Aspect, which: int) -> dict[str, Any]:
        """Return the values that a combination has of these names."""
        at: Positions = aspect.positions()
        return {
            name: axis.values[name][at[a][which]]
            for a, axis in enumerate(self._axes)
            for name in axis.values
            if name in names
        }


def _nothing_written(flat: FlatProblem) -> Writing:
    """Return records without rows: only the account is wanted."""
    none = np.zeros((0, flat.omega.size))
    wide = np.zeros((0, 1))
    return Writing(none, none, none, wide, wide, wide, wide, np.zeros((0, rows.LEDGER_SIZE)), np.zeros((0, TABLE_SIZE)))


def _changed(problem: Problem, names: Names, values: Mapping[str, Any]) -> Problem:
    """Return a problem with these values in place of its own."""
    changed = changed_problem(
        problem, {name: value for name, value in values.items() if name in names.structures}, names.structures
    )
    contacts = list(problem.pairs)
    for c, contact in enumerate(contacts):
        made, parameters = contact, {}
        for name, value in values.items():
            if c in names.gaps.get(name, ()):
                made = made.replace(gap=float(value))
            elif c in names.laws.get(name, ()):
                made = made.replace(law=value)
            elif name in names.parameters and names.parameters[name][0] == FRICTION:
                made = with_friction(made, float(value)) if c in names.parameters[name][1] else made
            elif name in names.parameters and c in names.parameters[name][1]:
                parameters[names.parameters[name][0]] = float(value)
        if parameters:
            made = made.replace(law=changed_law(taken_law(made.law), parameters))
        contacts[c] = made
    return changed.replace(contacts=tuple(contacts)) if contacts != list(problem.pairs) else changed
