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

from carom.backends import backend_name
from carom.integrate.modes.dashpots import with_dashpots
from carom.integrate.outcomes import OF_RUN
from carom.integrate.schemes.base import Task, impacts_table
from carom.integrate.schemes.capability import Can
from carom.integrate.schemes.event_driven import ledger_of
from carom.integrate.schemes.impulsive import empty_histories
from carom.integrate.schemes.watch import OWN_LAW, account_of, cautions_of, long_step, unheld_of
from carom.integrate.tables import joint_rules, user_laws
from carom.kernels import ledger, rows
from carom.kernels.joints import Springs
from carom.kernels.laws import power_law
from carom.kernels.stepping import engine as stepping
from carom.kernels.stepping import rows as step_rows
from carom.kernels.stepping import stage_forces
from carom.kernels.stepping.tables import History, Links, Loads, Scheme, Scratch, State
from carom.problem import FlatProblem
from carom.results import Simulation
from carom.units import POSITIVE, number

__all__ = ["StepMap", "march"]

Array: TypeAlias = npt.NDArray[np.float64]

LEVELS = 28
"""Steps with a tolerance are dt/2^level, the shortest a 1e-8th of a sample."""


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
    known_start: bool = False
    """Whether the first stage is the start of the step, where all is known."""

    @property
    def stages(self) -> int:
        """Number of stages."""
        return int(self.weights.size)


STEPPING = Can(
    compliant=True, impulsive=False, friction=False, yielding=True, coupled_damping=True, functions=True, components=3
)
"""What all step-by-step schemes take."""


def march(task: Task, scheme: StepMap, dt: float | str | None) -> Simulation:
    """Run a task by a step-by-step scheme."""
    flat = task.flat
    rules = joint_rules.rules_of(flat.spring_rules)
    flat, replaced = user_laws.with_functions(flat, stepping.step_through, rules)
    real = flat.gap.size
    flat = with_dashpots(flat)
    kernel = replaced or joint_rules.kernel_with(rules, stepping.step_through)
    parts, lengths = 0, [task.dt / 2**level for level in range(LEVELS)]
    if dt is not None:
        longest = number(dt, "s", name="dt", owner=f"scheme '{scheme.name}'", within=POSITIVE)
        parts = max(math.ceil(task.dt / longest - 1e-9), 1)
        lengths = [task.dt / parts]
    reach = np.vstack([flat.reach, flat.spring_reach])
    push = np.ascontiguousarray(reach * flat.modal_mass)
    maps = np.stack([scheme.table(h, flat.omega, flat.sigma) for h in lengths])
    map_tables, links = _scheme(scheme, maps, reach, push), _links(flat, reach, push)
    modes, samples = flat.omega.size, task.ground.shape[1]
    capacity = 1024
    started = clock.perf_counter()
    while True:
        state, springs = _state(task, flat, scheme, rules)
        q, v, force, balance = empty_histories(samples, modes, modes, reach.shape[0], step_rows.LEDGER_SIZE)
        impacts = np.zeros((capacity, ledger.IMPACT_SIZE))
        code = kernel(
            task.dt, parts, Loads(_given(flat), flat.drives.which, task.ground), state, springs, map_tables, links,
            _scratch(flat, scheme, state), History(q, v, force, balance, impacts),
        )  # fmt: skip
        count = int(state.run[ledger.IMPACTS])
        if count <= capacity:
            break
        capacity = count  # more impacts than the table holds: now we know how many
    seconds = clock.perf_counter() - started
    steady = flat.load - flat.omega**2 * q - 2.0 * flat.sigma * v - force @ push
    extremes = np.ascontiguousarray(state.floors[step_rows.PEAKS : step_rows.PEAKS + 3].T)
    return Simulation(
        time=task.time,
        displacement=q @ flat.outputs.T,
        velocity=v @ flat.outputs.T,
        acceleration=steady @ flat.outputs.T,
        force=force[:, :real],
        gap=flat.gap[:real] - q @ flat.reach[:real].T,
        table=impacts_table(impacts[:count], flat.start),
        extremes=extremes,
        ledger=(account := _ledger(balance, flat)),
        dofs=flat.output_labels,
        contacts=flat.contact_labels,
        outcome=OF_RUN[code],
        evidence=_evidence(scheme, task, lengths, parts, state.run, account, seconds),
    )


def _state(task: Task, flat: FlatProblem, scheme: StepMap, rules: joint_rules.Rules) -> tuple[State, Springs]:
    """Return what a step changes as it is at the start, and the joints inside structures."""
    modes, contacts, dofs = flat.omega.size, flat.gap.size, flat.outputs.shape[0]
    sizes = (
        (step_rows.MODE_ROWS, modes), (contacts, step_rows.CONTACT_SIZE),
        (step_rows.JOINT_ROWS, contacts + flat.spring_reach.shape[0]), (step_rows.FLOOR_ROWS, dofs),
        (step_rows.RUN_SIZE,), (flat.springs.shape[0], joint_rules.slots_of(flat)),
    )  # fmt: skip
    ends = np.cumsum([0, *(math.prod(size) for size in sizes)])
    buffer = np.zeros(ends[-1])
    *tables, memory = (buffer[a:b].reshape(size) for a, b, size in zip(ends[:-1], ends[1:], sizes, strict=True))
    state = State(buffer, *tables)
    state.modes[step_rows.Q], state.modes[step_rows.V] = flat.q0, flat.v0
    state.contacts[:, : power_law.SIZE] = flat.laws
    state.contacts[:, rows.EFFECTIVE_MASS] = flat.effective_mass
    state.joints[step_rows.GAP, :contacts] = flat.gap
    state.floors[step_rows.INFLUENCE], state.floors[step_rows.SUPPORT] = flat.drives.ride, flat.drives.ridden
    for name, value in (
        (ledger.TOLERANCE, task.rtol), (ledger.LIMIT, task.step_limit), (step_rows.ORDER, scheme.order),
        (step_rows.SPAN, scheme.span), (step_rows.OWN_ACCELERATION, float(scheme.own_acceleration)),
        (step_rows.KNOWN_START, float(scheme.known_start)), (ledger.LEAST_LOST, ledger.NO_LOSS),
        (step_rows.ASKS_RATES, float(joint_rules.rated(flat))),
        (ledger.MAY_CREATE, 1.0),  # steps too long for a contact can: it is said, and no fault
    ):  # fmt: skip
        state.run[name] = value
    state.run[step_rows.TYPICAL_DISPLACEMENT : step_rows.TYPICAL_VELOCITY + 1] = _typical(task)
    return state, joint_rules.springs_of(flat, rules, memory)


def _scratch(flat: FlatProblem, scheme: StepMap, state: State) -> Scratch:
    """Return room to work in, with the rows of each joint told of one another."""
    contacts, count = flat.gap.size, state.joints.shape[1]
    unknowns = count * scheme.stages
    work = np.zeros((stage_forces.SCRATCH_ROWS, unknowns))
    mates = work[stage_forces.MATES : stage_forces.MATES + 2]
    mates[:] = -1.0
    for first, size in zip(np.cumsum(flat.spring_rows) - flat.spring_rows, flat.spring_rows, strict=True):
        for stage, row in np.ndindex(scheme.stages, int(size)):
            at = stage * count + contacts + first
            mates[: size - 1, at + row] = [at + other for other in range(size) if other != row]
    return Scratch(work, np.zeros((unknowns, unknowns)), np.zeros((2, flat.omega.size)), np.zeros_like(state.buffer))


def _given(flat: FlatProblem) -> Array:
    """Return what never changes of the modes, one column each."""
    return np.stack([flat.omega**2, 2.0 * flat.sigma, flat.drives.share, flat.load, flat.modal_mass])


def _scheme(scheme: StepMap, maps: Array, reach: Array, push: Array) -> Scheme:
    """Return the scheme's maps, and how joints answer forces by them."""
    return Scheme(
        np.ascontiguousarray(maps.transpose(0, 2, 3, 1)), _answers(maps, reach, push, scheme.stages),
        scheme.weights, np.array(scheme.blocks, dtype=np.int64),
    )  # fmt: skip


def _links(flat: FlatProblem, reach: Array, push: Array) -> Links:
    """Return the matrices between modes, joints and floors, with their spans."""
    # writable copies: one type, one compilation
    along, shapes = np.array(reach.T, order="C"), np.array(flat.outputs.T, order="C")
    contacts = flat.gap.size
    return Links(
        along, _spans(along, 4), push, np.vstack([_spans(push[:contacts]), _spans(push[contacts:], 4)]),
        shapes, _spans(shapes, 4),
    )  # fmt: skip


def _spans(matrix: npt.NDArray[Any], together: int = 1) -> npt.NDArray[np.uint64]:
    """Return, shape (rows, 2), where the entries of each row begin and end; `together`: for so many rows alike."""
    there = matrix != 0.0
    if not there.size:
        return np.zeros((matrix.shape[0], 2), dtype=np.uint64)
    groups = there[: there.shape[0] // together * together].reshape(-1, together, there.shape[1])
    groups[:] = groups.any(axis=1, keepdims=True)
    first = there.argmax(axis=1)
    last = np.where(there.any(axis=1), there.shape[1] - there[:, ::-1].argmax(axis=1), first)
    return np.stack([first, last], axis=1).astype(np.uint64)


def _answers(maps: Array, reach: Array, push: Array, stages: int) -> Array:
    """Return how overlaps and rates at the stages answer forces there, shape (levels, 2, s·C, s·C), forces first."""
    levels, count = maps.shape[0], reach.shape[0]
    forced = maps[:, :, : 2 * stages, 5:].transpose(0, 2, 3, 1)  # level, quantity and stage, force, mode
    found = (reach * forced[:, :, :, None]) @ push.T  # the last two: joint that answers, joint that pushes
    found = found.reshape(levels, stages, 2, stages, count, count).transpose(0, 2, 3, 5, 1, 4)
    return np.ascontiguousarray(found.reshape(levels, 2, stages * count, stages * count))


def _ledger(table: Array, flat: FlatProblem) -> dict[str, Array]:
    """Return the ledger; with inelastic storeys strain is what can be had back, the rest of their work hysteretic."""
    if flat.springs.shape[0] == 0:
        return ledger_of(table[:, : ledger.LEDGER_SIZE])
    found = ledger_of(table)
    found["hysteretic"] = table[:, step_rows.HYSTERETIC]
    found["residual"] = found.pop("residual")  # last, as everywhere
    return found


def _typical(task: Task) -> tuple[float, float]:
    """Return a displacement and a velocity [m, m/s] of the size that loads and initial state ask for."""
    flat = task.flat
    pace = np.maximum(flat.omega, 1.0)
    load = np.abs(flat.drives.share) * np.abs(task.ground).max(initial=0.0) + np.abs(flat.load)
    swing = load / pace**2 + np.abs(flat.q0) + np.abs(flat.v0) / pace
    shapes = np.abs(flat.outputs)
    return float((shapes @ swing).max()) + 1e-30, float((shapes @ (pace * swing)).max()) + 1e-30


def _evidence(
    scheme: StepMap, task: Task, lengths: list[float], parts: int, run: Array, balance: dict[str, Array], seconds: float
) -> dict[str, Any]:
    import numba

    run[ledger.SUPPLY] = np.nanmax(balance["kinetic"] + balance["strain"], initial=0.0) + np.nanmax(balance["input"])
    own_law = any(law is not None for law in task.flat.functions)
    cautions = cautions_of(run, OWN_LAW if own_law else "shorten the step" if parts else "tighten `rtol`")
    cautions += unheld_of(run, task.flat.contact_labels, task.flat.start)
    cautions += long_step(lengths[0], task.flat.omega) if parts else []
    shortest = lengths[int(run[step_rows.SHORTEST])]
    step = {"step": lengths[0]} if parts else {"rtol": task.rtol, "shortest_step": shortest}
    return {
        "scheme": scheme.name,
        "order": scheme.order,
        **step,
        "steps": int(run[ledger.STEPS]),
        "rejected_steps": int(run[ledger.REJECTED]),
        "iterations": int(run[step_rows.ITERATIONS]),
        **account_of(run),
        "reached": float(run[step_rows.CLOCK]) + task.flat.start,
        **({"cautions": cautions} if cautions else {}),
        "wall_time": seconds,
        "backend": backend_name(),
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__},
    }
