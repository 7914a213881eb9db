"""The hardest impact of each contact, followed closely: run again from the last sample at which nothing touched.

Histories lie on the samples of the record, which are too far apart for the few milliseconds of an impact. From a
sample at which all contacts are open the motion is restarted with samples as dense as the impact needs. The
record between its samples is a straight line, so that it is the same motion.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.integrate.simulate import simulate
from carom.laws.impulse import ImpulsiveLaw
from carom.motions import Motion
from carom.problem import FlatProblem, Problem, Support
from carom.results import Loop, Simulation

__all__ = ["close_ups"]

POINTS = 120
"""Samples of an impact."""
MOST = 6
"""Contacts that are followed: those hit hardest."""


def close_ups(
    problem: Problem, run: Simulation, *, scheme: str = "event", rtol: float = 1e-6, most: int = MOST
) -> tuple[Loop, ...]:
    """Return the hardest impact of each contact, hardest contact first; none where impacts take no time."""
    table = run.table
    if any(isinstance(contact.law, ImpulsiveLaw) for contact in problem.pairs):
        return ()
    hardest: dict[int, int] = {}
    for row in np.argsort(-table["peak_force"], kind="stable").tolist():
        hardest.setdefault(int(table["contact"][row]), row)
    rows = list(hardest.values())[:most]
    return tuple(_loop(problem, run, row, scheme, rtol) for row in rows)


def _loop(problem: Problem, run: Simulation, row: int, scheme: str, rtol: float) -> Loop:
    contact, start = int(run.table["contact"][row]), float(run.table["start"][row])
    end = start + float(run.table["duration"][row])
    shown, begin = _restarted(problem, run, (start, end), scheme, rtol)
    time = shown.time + begin - start
    inside = (time > 0.0) & (time < end - start)
    return Loop(
        contact=run.contacts[contact],
        impact=row,
        time=time[inside],
        overlap=-shown.gap[inside, contact],
        force=shown.force[inside, contact],
    )


def _restarted(
    problem: Problem, run: Simulation, impact: tuple[float, float], scheme: str, rtol: float
) -> tuple[Simulation, float]:
    """Return a run from shortly before an impact to its end, densely sampled, and what its times count from [s].

    The run itself where its state does not tell all: what grounds of their own carry, several supports or a wall
    fixed in space, is not in the histories, nor is what yielding storeys remember, nor degrees of freedom that are no
    outputs.
    """
    flat = problem.flat()
    start, end = impact
    open_everywhere = (run.gap > 0.0).all(axis=1) & (run.time < start)
    partial = len(problem.supports) > 1 or (flat.modal_mass == 0.0).any() or flat.springs.shape[0] > 0
    partial = partial or (flat.dof_output < 0).any()
    if partial or not open_everywhere.any():
        return run, 0.0
    first = int(np.flatnonzero(open_everywhere)[-1])
    begin = float(run.time[first])
    motion, sampling = _window(flat, run, first, end, (end - start) / POINTS)
    states: dict[str, Any] = {
        f"initial_{name}": {
            structure.name: getattr(run, name)[first, flat.dof_output[flat.dof_structure == i]]
            for i, structure in enumerate(problem.structures)
            if structure.massive
        }
        for name in ("displacement", "velocity")
    }
    asked: dict[str, Any] = {} if motion is not None else {"duration": end - begin, "sampling": sampling}
    closely = simulate(problem.replace(motion=motion, **states), scheme=scheme, rtol=rtol, fail="return", **asked)
    return closely, begin if motion is None else 0.0  # without a record time begins at zero


def _window(flat: FlatProblem, run: Simulation, first: int, end: float, step: float) -> tuple[Support | None, float]:
    """Return the ground between two samples on a dense base, and its step; no motion where there is none."""
    dt = float(run.time[1] - run.time[0])
    parts = min(max(math.ceil(dt / step), 1), 1000)
    if flat.ground.shape[2] == 0:
        return None, dt / parts
    last = min(math.ceil((end - run.time[first]) / dt) + first + 1, run.time.size)
    samples = np.zeros((3, max(last - first + 1, 2)))
    there = flat.ground[0, :, first : first + samples.shape[1]]
    samples[:, : there.shape[1]] = there
    moves = flat.ground[0].any(axis=1)
    moves[0] |= not moves.any()
    motions = [Motion(one, dt=dt, start=float(run.time[first])).resampled(dt / parts) for one in samples[moves]]
    found: list[Motion | None] = [None, None, None]
    for axis, motion in zip(np.flatnonzero(moves), motions, strict=True):
        found[axis] = motion
    return Support.of(found), dt / parts
