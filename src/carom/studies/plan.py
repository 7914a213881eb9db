"""All runs of a study, numbered: motions, samples within them, factors within those.

run = (motion · samples + sample) · factors + factor

A plan is plain data that travels to other processes; which runs are computed together changes nothing in them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from carom.budget import FLOAT, PROGRAM, RunSize, afford, in_bytes
from carom.motions.motion import Motion
from carom.problem import Problem
from carom.scenario.method import longest_step
from carom.scenario.motions.components import Components, given_to_problem, time_base_of
from carom.scenario.motions.grounds import AXES, grounds_under
from carom.scenario.studies.model import RunPart
from carom.scenario.studies.parameters import Parameter
from carom.scenario.studies.paths import changed
from carom.scenario.studies.quick import Known, delays_of, problem_of
from carom.scenario.studies.reading import Study
from carom.studies.outputs import Outputs
from carom.studies.vectors import Columns, kernel_takes, vectorised

__all__ = ["SAMPLING", "Plan", "Task", "finer", "plan_of"]

SAMPLING = 0.002
"""Time between samples [s] where there is no record, and the longest one where histories are looked at."""


OWN_COLUMNS = 8
"""Columns beside parameters and outputs: number, sample, motion, scale, intensities, status, message, version."""


class Task(NamedTuple):
    """Some samples under some motions, by every factor."""

    motions: tuple[int, ...]
    first: int
    last: int
    """One past the last sample."""


@dataclass(frozen=True, eq=False)
class Plan:
    """What every process needs to know to compute any of the runs."""

    tables: Mapping[str, Any]
    allow_overlap: bool
    sampling: float
    duration: float | None
    parameters: tuple[Parameter, ...]
    samples: Mapping[str, npt.NDArray[Any]]
    motions: tuple[Motion | Components | None, ...]
    motion_names: tuple[str, ...]
    factors: npt.NDArray[np.float64]
    """Factors of every motion, shape (motions, factors)."""
    measures: Mapping[str, npt.NDArray[np.float64]]
    """Intensity of every motion unscaled: ``pga`` and ``sa``."""
    outputs: tuple[str, ...]
    scheme: Mapping[str, Any]
    """``scheme`` and its options, as the scenario says."""
    run: RunPart
    count: int
    """Number of samples."""

    @property
    def per_sample(self) -> int:
        """Runs of one sample under one motion."""
        return int(self.factors.shape[1])

    @property
    def size(self) -> int:
        """Number of runs."""
        return len(self.motions) * self.count * self.per_sample

    def runs(self, task: Task) -> list[tuple[int, int]]:
        """Return the numbers of a task's runs, motion by motion: the first, and one past the last."""
        firsts = [(motion * self.count + task.first) * self.per_sample for motion in task.motions]
        return [(first, first + (task.last - task.first) * self.per_sample) for first in firsts]

    def size_of(self, task: Task) -> int:
        """Return the number of a task's runs."""
        return len(task.motions) * (task.last - task.first) * self.per_sample

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Motions that may be computed together: equally long, by the same factors; structures are then made once."""
        alone = tuple((motion,) for motion in range(len(self.motions)))
        same_factors = bool(np.all(self.factors == self.factors[0]))
        if not self.columns or self.motions[0] is None or not same_factors or delays_of(self.tables):
            return alone
        found: dict[Any, tuple[int, ...]] = {}
        for i, motion in enumerate(self.motions):
            assert motion is not None  # all or none
            key = time_base_of(motion)
            found[key] = (*found.get(key, ()), i)
        return tuple(found.values())

    @cached_property
    def base(self) -> Problem:
        """The problem that all runs start from."""
        return problem_of(self.tables, allow_overlap=self.allow_overlap)

    @cached_property
    def kept(self) -> Outputs:
        """What is kept of every run."""
        return Outputs(self.base, self.outputs)

    @cached_property
    def columns(self) -> Columns | None:
        """The samples by the ensemble's names; None: runs are computed one by one."""
        if self.kept.histories or not kernel_takes(self.base, self.scheme["scheme"]):
            return None
        found = vectorised(self.base, self.tables, self.parameters, self.samples)
        return None if self.motions[0] is None and not found else found  # nothing to vary: a single run

    @property
    def _event(self) -> bool:
        return bool(self.scheme["scheme"] == "event")

    @property
    def engine(self) -> str:
        """How runs are computed: ``"kernel"``, many at once, or ``"single"``."""
        return "single" if self.columns is None else "kernel"

    def problem(self, tables: Mapping[str, Any], motion: Any) -> Problem:
        """Return the problem of one sample, given its tables, under a motion."""
        return problem_of(tables, allow_overlap=self.allow_overlap, motion=motion, known=self._known)

    @cached_property
    def _known(self) -> Known:
        return Known()

    def tables_of(self, sample: int) -> dict[str, Any]:
        """Return the scenario of one sample."""
        values = ((one, self.samples[one.name][sample]) for one in self.parameters)
        plain = ((one, value.item() if isinstance(value, np.generic) else value) for one, value in values)
        return changed(self.tables, [change for one, value in plain for change in one.at(value)])

    def record(self, motion: int) -> Motion | Components | None:
        """Return a motion with samples close enough for what is looked at: the same straight lines."""
        if motion not in self._records:
            found = self.motions[motion]
            if found is not None and (self.kept.histories or not self._event):  # a scheme may step by samples
                found = found.finer(self.sampling) if isinstance(found, Components) else finer(found, self.sampling)
            self._records.clear()  # tasks go motion by motion
            self._records[motion] = found
        return self._records[motion]

    @cached_property
    def _records(self) -> dict[int, Motion | Components | None]:
        return {}

    def ground(self, tables: Mapping[str, Any], motion: Motion | Components | None) -> Any:
        """Return what a problem takes as its motion: one for all structures, or each its own arrival."""
        if isinstance(motion, Components) and not set(motion.along) <= set(AXES):
            return grounds_under(tables["structures"], motion.along)
        delays, given = {} if motion is None else delays_of(tables), given_to_problem(motion)
        return {name: (given, delay) for name, delay in delays.items()} if delays else given

    def inputs(self, task: Task) -> dict[str, npt.NDArray[Any]]:
        """Return the columns that a task's runs start from: numbers, motion, factor, intensities, parameters."""
        runs = [np.arange(first, last, dtype=np.int64) for first, last in self.runs(task)]
        samples = np.repeat(np.arange(task.first, task.last, dtype=np.int32), self.per_sample)
        sample = np.tile(samples, len(task.motions))
        found: dict[str, npt.NDArray[Any]] = {"run": np.concatenate(runs), "sample": sample}
        if self.motions[0] is not None:
            factors = [np.tile(self.factors[motion], task.last - task.first) for motion in task.motions]
            found["motion"] = np.repeat(np.array(task.motions, dtype=np.int32), samples.size)
            found["scale"] = np.concatenate(factors)
            found |= {name: values[found["motion"]] * found["scale"] for name, values in self.measures.items()}
        return found | {name: values[sample] for name, values in self.samples.items()}


def finer(motion: Motion, step: float) -> Motion:
    """Return a motion whose samples lie at most so far apart [s]: the same straight lines."""
    parts = math.ceil(motion.dt / step - 1e-9)
    return motion.resampled(motion.dt / parts) if parts > 1 else motion


def plan_of(study: Study, samples: Mapping[str, npt.NDArray[Any]], count: int) -> Plan:
    """Return the plan of a study with these samples."""
    found = study.motions
    plan = Plan(
        tables={name: table for name, table in study.tables.items() if name not in ("motion", "analysis")},
        allow_overlap=study.analysis.allow_overlap,
        sampling=longest_step(study.analysis, SAMPLING),
        duration=study.run.duration or study.analysis.duration,
        parameters=study.parameters,
        samples=samples,
        motions=(None,) if found is None else found.motions,
        motion_names=() if found is None else found.names,
        factors=np.ones((1, 1)) if found is None else found.factors,
        measures={} if found is None else {"pga": found.pga} | ({} if found.sa is None else {"sa": found.sa}),
        outputs=study.outputs,
        scheme={"scheme": study.analysis.scheme, **study.analysis.options},
        run=study.run,
        count=count,
    )
    _refuse_beyond_budget(plan)
    return plan


def _refuse_beyond_budget(plan: Plan) -> None:
    """Refuse a study whose rows there is no memory for when it is reported, or one of whose runs is beyond reason."""
    runs, columns = plan.size, len(plan.samples) + len(plan.kept.units) + OWN_COLUMNS
    afford(
        PROGRAM + 2.0 * FLOAT * runs * columns, what="The study", because=f"{runs:,} runs of {columns} columns, "
        f"{in_bytes(float(FLOAT * runs * columns))} on disk",
        way_out="Ask for fewer samples, motions or scales.",
    )  # fmt: skip
    lasting = plan.duration or max(0.0 if one is None else one.duration for one in plan.motions)
    flat = plan.base.flat()
    whole = plan.kept.histories or not plan._event
    finest = min(plan.sampling if whole or one is None else one.dt for one in plan.motions)
    RunSize(lasting / finest, flat.omega.size, flat.gap.size, steps=_steps(plan, lasting)).refuse_beyond(
        what="A run of the study"
    )


def _steps(plan: Plan, lasting: float) -> float:
    step = plan.scheme.get("dt")
    return lasting / float(step) if step else 0.0
