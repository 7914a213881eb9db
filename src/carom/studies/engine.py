"""Compute the runs of a task: many at once by the ensemble kernel where it can, one by one where not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.errors import CaromError
from carom.integrate.ensemble import ensemble
from carom.integrate.simulate import simulate
from carom.problem import Problem
from carom.studies.plan import Plan, Task
from carom.studies.statuses import REFUSED, STATUSES

__all__ = ["Rows", "compute", "nothing_of"]

Rows = dict[str, npt.NDArray[Any]]
"""Columns of some runs: inputs, outputs, ``status`` as a position in `STATUSES`, and ``message``."""

Tell = Callable[[int], object]


def compute(plan: Plan, task: Task, *, device: str = "cpu", tell: Tell = lambda _: None) -> Rows:
    """Return the rows of a task; `tell` is called with numbers of runs as they finish. No run raises."""
    rows = _kernel(plan, task, device, tell) if plan.engine == "kernel" else _single(plan, task, tell)
    return {**plan.inputs(task), **rows}


def nothing_of(plan: Plan, task: Task, status: str, message: str) -> Rows:
    """Return the rows of a task of which nothing is known but why."""
    return {**plan.inputs(task), **_nothing(plan, len(plan.runs(task)), status, message)}


def _nothing(plan: Plan, count: int, status: str, message: str) -> Rows:
    rows: Rows = {name: np.full(count, np.nan) for name in plan.kept.units}
    rows["status"] = np.full(count, STATUSES.index(status), dtype=np.int8)
    rows["message"] = np.full(count, message, dtype=object)
    return rows


def _kernel(plan: Plan, task: Task, device: str, tell: Tell) -> Rows:
    """Run samples × factors in one ensemble; one that it refuses is halved until the sample to blame is alone."""
    columns, count = plan.columns, task.last - task.first
    assert columns is not None  # asked for by the plan's engine
    motion = plan.motions[task.motion]
    factors = plan.factors[task.motion]
    paired = {name: values[task.first : task.last] for name, values in columns.items()}
    scaled = {"scale": factors} if paired and motion is not None else {}
    paired = paired or {"scale": np.tile(factors, count)}  # nothing varies but the motion
    done = [0]

    def progress(finished: int, _: int) -> None:
        share = min(finished, count * plan.per_sample)
        tell(share - done[0])
        done[0] = share

    try:
        problem = plan.base.replace(motion=plan.ground(plan.tables, motion))
        many = ensemble(
            problem, zip=paired, vary=scaled, rtol=plan.run.rtol, duration=plan.duration,
            sampling=plan.sampling if motion is None else None, step_limit=plan.run.step_limit,
            twin=plan.kept.twin, device=device, progress=progress,
        )  # fmt: skip
    except CaromError as error:
        if count == 1:
            return _nothing(plan, plan.per_sample, REFUSED, str(error))
        middle = (task.first + task.last) // 2
        halves = [
            _kernel(plan, half, device, tell) for half in (task._replace(last=middle), task._replace(first=middle))
        ]
        return {name: np.concatenate([half[name] for half in halves]) for name in halves[0]}
    found, codes = plan.kept.of_ensemble(many)
    if scaled:  # the ensemble's first dimension is the factor, ours is the sample
        order = np.arange(count * plan.per_sample).reshape(plan.per_sample, count).T.ravel()
        found, codes = {name: column[order] for name, column in found.items()}, codes[order]
    return {**found, "status": codes.astype(np.int8), "message": np.full(codes.size, "", dtype=object)}


def _single(plan: Plan, task: Task, tell: Tell) -> Rows:
    parts = []
    for sample in range(task.first, task.last):
        tables = plan.tables_of(sample)
        problem: Problem | None = None
        for factor in plan.factors[task.motion]:
            try:
                motion = _shaken(plan, tables, task.motion, float(factor))
                problem = plan.problem(tables, motion) if problem is None else problem.replace(motion=motion)
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
        "rtol": plan.run.rtol, "duration": plan.duration, "step_limit": plan.run.step_limit, "fail": "return",
        "sampling": plan.sampling if problem.motion is None else None,
    }  # fmt: skip
    run = simulate(problem, **options)
    twin = simulate(problem.replace(contacts=()), **options) if plan.kept.twin else None
    values, code = plan.kept.of_run(run, twin)
    rows: Rows = {name: np.array([value]) for name, value in values.items()}
    return {**rows, "status": np.array([code], dtype=np.int8), "message": np.array([""], dtype=object)}
