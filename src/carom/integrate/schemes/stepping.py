"""What all step-by-step schemes share: a scheme is a linear map of a mode over a step, the kernel does the rest.

The contact laws act at the stages. Fixed step: `dt` is the longest step, each sample is divided into equal ones.
Without `dt` the step is controlled by `rtol`: each is taken whole and in halves.
"""

from __future__ import annotations

import math
import platform
import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from carom.backends import backend_name, compiled
from carom.errors import InputError
from carom.integrate.schemes import base
from carom.integrate.schemes.base import COLUMNS, Task
from carom.integrate.schemes.event_driven import ledger_of
from carom.integrate.schemes.inelastic import stored_beyond
from carom.integrate.tables import tables_of
from carom.kernels import hysteresis, ledger, rows, stage_forces, stepping
from carom.problem import FlatProblem
from carom.results import Outcome, Simulation
from carom.units import POSITIVE, number

__all__ = ["StepMap", "march"]

Array: TypeAlias = npt.NDArray[np.float64]

LEVELS = 28
"""Steps with a tolerance are dt/2^level, the shortest a 1e-8th of a sample."""

OUTCOMES = {
    **base.OUTCOMES,
    stage_forces.NO_SOLUTION: Outcome.NO_SOLUTION,
    stage_forces.SINGULAR: Outcome.SINGULAR,
    stepping.UNDERFLOW: Outcome.STEP_UNDERFLOW,
}


@dataclass(frozen=True)
class StepMap:
    """A scheme on a mode q̈ + 2σ q̇ + ω² q = p − F."""

    name: str
    order: int
    weights: Array
    """Of the stages, for work and impulse of the forces, shape (s,)."""
    blocks: tuple[tuple[int, int], ...]
    """Ranges of stages that are solved together."""
    table: Callable[[float, Array, Array], Array]
    """(h, ω, σ) to the map of each mode, shape (N, 2s+3, 5+s): rows q and v of every stage, then q, v, a of the end;
    columns q, v, a, p₀, p₁ at the ends of the step, then what unit forces at the stages take away."""
    span: float = 1.0
    """The farthest stage, in steps."""
    own_acceleration: bool = False
    """Whether the scheme carries its own acceleration from step to step; its last stage is then the end."""

    @property
    def stages(self) -> int:
        """Number of stages."""
        return int(self.weights.size)


def march(task: Task, scheme: StepMap, dt: float | str | None) -> Simulation:
    """Run a task by a step-by-step scheme."""
    flat = task.flat
    if not flat.classical:
        raise InputError(
            f"simulate with scheme='{scheme.name}' needs damping that leaves the modes uncoupled; this problem's "
            "couples them. Use a damping ratio, Rayleigh or Caughey damping."
        )
    if np.isnan(flat.laws).any():
        raise InputError(
            "simulate takes laws of the power form; a law that is a Python function serves carom.impact only."
        )
    parts, lengths = 0, [task.dt / 2**level for level in range(LEVELS)]
    if dt is not None:
        longest = number(dt, "s", name="dt", owner=f"scheme '{scheme.name}'", within=POSITIVE)
        parts = max(math.ceil(task.dt / longest - 1e-9), 1)
        lengths = [task.dt / parts]
    maps = np.stack([scheme.table(h, flat.omega, flat.sigma) for h in lengths])
    reach = np.vstack([flat.reach, flat.spring_reach])
    push = reach * flat.modal_mass
    answers = _answers(maps, reach, push, scheme.stages)
    modes, contacts, samples = flat.omega.size, flat.gap.size, task.ground.shape[1]
    unknowns = reach.shape[0] * scheme.stages
    capacity = 1024
    started = clock.perf_counter()
    while True:
        tables = tables_of(flat)
        history_q, history_v = np.zeros((samples, modes)), np.zeros((samples, modes))
        joints = _joints(tables.contacts, flat)
        history_force, balance = np.zeros((samples, reach.shape[0])), np.zeros((samples, ledger.LEDGER_SIZE + 1))
        impacts, run = np.zeros((capacity, ledger.IMPACT_SIZE)), np.zeros(ledger.RUN_SIZE)
        run[ledger.TOLERANCE], run[ledger.LIMIT] = task.rtol, task.step_limit
        settings = np.zeros(stepping.SETTING_SIZE)
        settings[stepping.ORDER], settings[stepping.SPAN] = scheme.order, scheme.span
        settings[stepping.OWN_ACCELERATION] = float(scheme.own_acceleration)
        settings[stepping.TYPICAL_DISPLACEMENT], settings[stepping.TYPICAL_VELOCITY] = _typical(task)
        code = compiled(stepping.step_through)(
            tables.modes, joints, tables.floors, flat.support, task.ground, task.dt, parts, maps, answers,
            scheme.weights, np.array(scheme.blocks, dtype=np.int64).ravel(),
            np.zeros((stage_forces.SCRATCH_ROWS, unknowns)), np.zeros((unknowns, unknowns + 1)),
            np.zeros_like(tables.modes), np.zeros_like(joints), np.zeros_like(tables.floors),
            np.zeros_like(run), np.zeros((modes, 2)),
            history_q, history_v, history_force, balance, impacts, settings, run,
        )  # fmt: skip
        count = int(run[ledger.IMPACTS])
        if count <= capacity:
            break
        capacity = count  # more impacts than the table holds: now we know how many
    seconds = clock.perf_counter() - started
    reached = int(settings[stepping.REACHED])
    q, v, force = history_q[:reached], history_v[:reached], history_force[:reached]
    steady = flat.load - flat.omega**2 * q - 2.0 * flat.sigma * v - force @ push
    return Simulation(
        time=task.time[:reached],
        displacement=q @ flat.shapes.T,
        velocity=v @ flat.shapes.T,
        acceleration=steady @ flat.shapes.T,
        force=force[:, :contacts],
        gap=flat.gap - q @ flat.reach.T,
        table={
            name: impacts[:count, column] + (flat.start if name == "start" else 0.0) for name, column in COLUMNS.items()
        },
        extremes=tables.floors[:, :3].copy(),
        ledger=_ledger(balance[:reached], flat, q, force[:, contacts:]),
        dofs=flat.dof_labels,
        contacts=flat.contact_labels,
        outcome=OUTCOMES[code],
        evidence=_evidence(scheme, task, lengths, parts, settings, run, seconds),
    )


def _joints(contacts: Array, flat: FlatProblem) -> Array:
    """Return the rows of the contacts and, below them, those of the springs that are not linear."""
    count, size = contacts.shape
    found = np.zeros((count + flat.springs.shape[0], size + hysteresis.SPRING_SIZE))
    found[:count, :size] = contacts
    inside = found[count:]
    inside[:, rows.EFFECTIVE_MASS] = 1.0
    inside[:, rows.LEVER : size : 2] = flat.spring_reach
    inside[:, rows.LEVER + 1 : size : 2] = flat.spring_reach * flat.modal_mass
    inside[:, size:] = flat.springs
    return found


def _answers(maps: Array, reach: Array, push: Array, stages: int) -> Array:
    """Return how overlaps and rates at the stages answer forces there, shape (levels, 2, C·s, C·s)."""
    size = reach.shape[0] * stages
    found = [
        np.einsum("ck,lkij,dk->lcidj", reach, maps[:, :, part : 2 * stages : 2, 5:], push, optimize=True)
        for part in (0, 1)
    ]
    return np.ascontiguousarray(np.stack(found, axis=1).reshape(maps.shape[0], 2, size, size))


def _ledger(table: Array, flat: FlatProblem, q: Array, added: Array) -> dict[str, Array]:
    """Return the ledger; with inelastic storeys strain is what can be had back, the rest of their work hysteretic."""
    found = ledger_of(table)
    if flat.springs.shape[0] == 0:
        return ledger_of(table[:, : ledger.LEDGER_SIZE])
    more = stored_beyond(flat, q, added)
    found["strain"] = found["strain"] + more
    found["hysteretic"] = table[:, stepping.HYSTERETIC] - more
    found["residual"] = found.pop("residual")  # last, as everywhere
    return found


def _typical(task: Task) -> tuple[float, float]:
    """Return a displacement and a velocity [m, m/s] of the size that loads and initial state ask for."""
    flat = task.flat
    pace = np.maximum(flat.omega, 1.0)
    load = np.abs(flat.participation) * np.abs(task.ground).max(initial=0.0) + np.abs(flat.load)
    swing = load / pace**2 + np.abs(flat.q0) + np.abs(flat.v0) / pace
    shapes = np.abs(flat.shapes)
    return float((shapes @ swing).max()) + 1e-30, float((shapes @ (pace * swing)).max()) + 1e-30


def _evidence(
    scheme: StepMap, task: Task, lengths: list[float], parts: int, settings: Array, run: Array, seconds: float
) -> dict[str, Any]:
    import numba

    shortest = lengths[int(settings[stepping.SHORTEST])]
    step = {"step": lengths[0]} if parts else {"rtol": task.rtol, "shortest_step": shortest}
    return {
        "scheme": scheme.name,
        "order": scheme.order,
        **step,
        "steps": int(run[ledger.STEPS]),
        "rejected_steps": int(run[ledger.REJECTED]),
        "iterations": int(settings[stepping.ITERATIONS]),
        "reached": float(settings[stepping.CLOCK]) + task.flat.start,
        "impacts": int(run[ledger.IMPACTS]),
        "wall_time": seconds,
        "backend": backend_name(),
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__},
    }
