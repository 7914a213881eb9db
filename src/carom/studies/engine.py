"""Compute the runs of a task: many at once by the ensemble kernel where it can, one by one where not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.errors import CaromError
from carom.integrate.ensembles.ensemble import ensemble
from carom.integrate.simulate import simulate, why_failed
from carom.problem import Problem
from carom.results import Outcome
from carom.scenario.motions.components import given_to_problem
from carom.studies.outputs import FAR
from carom.studies.plan import Plan, Task
from carom.studies.statuses import REFUSED, STATUSES

__all__ = ["Rows", "compute", "nothing_of"]

Rows = dict[str, npt.NDArray[Any]]
"""Columns of some runs: inputs, outputs, ``status`` as a position in `STATUSES`, and ``message``."""

Tell = Callable[[int], object]

REASONS = np.array([outcome.text if outcome.failed else "" for outcome in Outcome], dtype=object)
"""Why a run failed, by how it ended; nothing for one that did not."""
HELD = 30 << 20
"""Bytes: a little less than glibc keeps of what is freed, at most."""


def compute(plan: Plan, task: Task, *, device: str = "cpu", tell: Tell = lambda _: None) -> Rows:
    """Return the rows of a task; `tell` is called with numbers of runs as they finish. No run raises."""
    rows = _kernel(plan, task, device, tell) if plan.engine == "kernel" else _single(plan, task, tell)
    return {**plan.inputs(task), **rows}


def nothing_of(plan: Plan, task: Task, status: str, message: str) -> Rows:
    """Return the rows of a task of which nothing is known but why."""
    return {**plan.inputs(task), **_nothing(plan, plan.size_of(task), status, message)}


def _nothing(plan: Plan, count: int, status: str, message: str) -> Rows:
    rows: Rows = {name: np.full(count, np.nan) for name in plan.kept.units}
    rows["status"] = np.full(count, STATUSES.index(status), dtype=np.int8)
    rows["message"] = np.full(count, message, dtype=object)
    return rows


def _kernel(plan: Plan, task: Task, device: str, tell: Tell) -> Rows:
    """Run samples × motions × factors in one ensemble; what it refuses is halved until the sample to blame is alone."""
    columns, count, size = plan.columns, task.last - task.first, plan.size_of(task)
    assert columns is not None  # asked for by the plan's engine
    motion, factors = plan.motions[task.motions[0]], plan.factors[task.motions[0]]
    paired = {name: values[task.first : task.last] for name, values in columns.items()}
    outer: dict[str, Any] = {"scale": factors} if paired and motion is not None else {}
    if len(task.motions) > 1:
        outer = {"motion": [given_to_problem(plan.motions[i]) for i in task.motions], **outer}
        motion = None
    paired = paired or {"scale": np.tile(factors, count)}  # nothing varies but the motion
    done = [0]

    def progress(finished: int, _: int) -> None:
        share = min(finished, size)  # runs without contact are counted too
        tell(share - done[0])
        done[0] = share

    try:
        many = ensemble(
            plan.base.replace(motion=plan.ground(plan.tables, motion)), zip=paired, vary=outer, rtol=plan.run.rtol,
            duration=plan.duration, sampling=plan.sampling if plan.motions[0] is None else None,
            step_limit=plan.run.step_limit, twin=plan.kept.twin, device=device, progress=progress,
        )  # fmt: skip
    except CaromError as error:
        if count == 1:
            return _nothing(plan, size, REFUSED, str(error))
        middle = (task.first + task.last) // 2
        halves = [
            (_kernel(plan, half, device, tell)) for half in (task._replace(last=middle), task._replace(first=middle))
        ]
        return _side_by_side(halves, len(task.motions))
    found, codes = plan.kept.of_ensemble(many)
    if outer:  # the ensemble goes by motion, factor and sample, we by motion, sample and factor
        order = np.arange(size).reshape(len(task.motions), plan.per_sample, count).transpose(0, 2, 1).ravel()
        found, codes = {name: column[order] for name, column in found.items()}, codes[order]
    return {**found, "status": codes.astype(np.int8), "message": REASONS[codes]}


def _side_by_side(halves: list[Rows], motions: int) -> Rows:
    """Return the rows of a task from those of its halves, each motion by motion."""
    return {
        name: np.concatenate([half[name].reshape(motions, -1) for half in halves], axis=1).ravel() for name in halves[0]
    }


def _single(plan: Plan, task: Task, tell: Tell) -> Rows:
    # once so much was freed, glibc keeps smaller blocks; else runs get their histories from the system, page by page
    np.empty(HELD, dtype=np.uint8)
    parts = []
    for motion in task.motions:
        for sample in range(task.first, task.last):
            tables = plan.tables_of(sample)
            problem: Problem | None = None
            for factor in plan.factors[motion]:
                try:
                    ground = _shaken(plan, tables, motion, float(factor))
                    problem = plan.problem(tables, ground) if problem is None else problem.replace(motion=ground)
                    parts.append(_one(plan, problem))
                except CaromError as error:
                    parts.append(_nothing(plan, 1, REFUSED, str(error)))
                tell(1)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _shaken(plan: Plan, tables: dict[str, Any], motion: int, factor: float) -> Any:
    record = plan.record(motion)
    if record is None:
        return None
    return plan.ground(tables, record.scaled(factor=factor) if factor != 1.0 else record)


def _one(plan: Plan, problem: Problem) -> Rows:
    options: dict[str, Any] = {
        **plan.scheme, "rtol": plan.run.rtol, "duration": plan.duration, "step_limit": plan.run.step_limit,
        "sampling": plan.sampling if problem.motion is None else None, "fail": "return",
    }  # fmt: skip
    run = simulate(problem, **options)
    twin = simulate(problem.replace(gap=FAR), **options) if plan.kept.twin else None
    values, code = plan.kept.of_run(run, problem.flat().gap, twin)
    rows: Rows = {name: np.array([value]) for name, value in values.items()}
    message = why_failed(run) if run.outcome.failed else ""
    return {**rows, "status": np.array([code], dtype=np.int8), "message": np.array([message], dtype=object)}
