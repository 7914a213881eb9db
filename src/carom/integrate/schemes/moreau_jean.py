"""Moreau-Jean time stepping for impulsive laws (langlade2021 section 2)."""

from __future__ import annotations

import math
import time as clock
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.backends import compiled
from carom.errors import refusal
from carom.integrate.schemes.base import COLUMNS, Task, register_scheme
from carom.integrate.schemes.impulsive import (
    METHODS,
    OUTCOMES,
    balanced,
    common_evidence,
    hypothesis_of,
    restitution_of,
)
from carom.kernels import impulses, ledger
from carom.kernels import moreau_jean as kernel
from carom.results import Simulation
from carom.units import POSITIVE, Range, number

Array = npt.NDArray[np.float64]

OWNER = "moreau-jean"
THETAS = Range(0.5, 1.0, low_open=False, high_open=False)
CAUTION = (
    "forces and accelerations are impulses over a step (Δt = {step:g} s, means over a sample of {span:g} s) and depend "
    "on it; so do spectra of floor accelerations at periods not much longer than that"
)


@register_scheme("moreau-jean", aliases=("nscd", "time-stepping"))
def moreau_jean(
    task: Task,
    *,
    dt: float | str | None = None,
    theta: float = 0.5,
    gamma: float = 1.5,
    solver: str = "auto",
    projection: bool = False,
) -> Simulation:
    """Step the impulses of rigid contacts: θ-method, gaps predicted with γ, complementarity on the contacts predicted.

    Parameters
    ----------
    task
        The problem, all of whose laws are impulsive.
    dt
        Time step [s]; default: the samples'. Under a record it is shortened to divide a sample.
    theta
        θ of the method, ½ ≤ θ ≤ 1: ½ keeps the energy of a structure, 1 damps it.
    gamma
        γ of the prediction ĝ = g + γΔt ġ.
    solver
        ``"active-set"``, ``"gauss-seidel"``, or ``"auto"``: the first up to 60 simultaneous contacts.
    projection
        Whether overlaps left by a step are pushed apart at once; the energy this moves shows in the residual.
    """
    flat = task.flat
    hypothesis = hypothesis_of(task.problem, OWNER)
    theta = number(theta, "", name="theta", owner=OWNER, within=THETAS)
    gamma = number(gamma, "", name="gamma", owner=OWNER, within=Range(0.0, math.inf, low_open=False))
    if solver not in METHODS:
        raise refusal("solver", OWNER, f"must be one of {', '.join(map(repr, METHODS))}", solver)
    if not isinstance(projection, bool):
        raise refusal("projection", OWNER, "must be True or False", projection)
    ground, span, parts = _steps(task, dt)
    h = span / parts
    count, many, samples, dofs = flat.omega.size, flat.gap.size, ground.shape[1], flat.shapes.shape[0]

    modes = np.zeros((count, kernel.MODE_SIZE))
    for column, values in (
        (kernel.SQUARE, flat.omega**2), (kernel.TWICE, 2.0 * flat.sigma), (kernel.STEADY, flat.load),
        (kernel.PARTICIPATION, flat.participation), (kernel.MASS, flat.modal_mass), (kernel.Q, flat.q0),
        (kernel.V, flat.v0),
    ):  # fmt: skip
        modes[:, column] = values
    damping = np.zeros((0, 0)) if flat.classical else flat.damping.copy()
    inverse, answer = _inverse(task, damping, theta, h)
    modes[:, kernel.SOFT] = np.diag(inverse)
    contacts = np.zeros((many, kernel.CONTACT_SIZE))
    contacts[:, kernel.GAP] = flat.gap
    moves = flat.shapes != 0.0
    spans = np.zeros((2, count), dtype=np.int64)
    spans[0] = moves.argmax(axis=0)
    spans[1] = np.where(moves.any(axis=0), dofs - moves[::-1].argmax(axis=0), spans[0])
    places = np.zeros((3, many))
    places[2] = flat.gap
    given = modes.copy(), contacts.copy()

    capacity = 4096
    started = clock.perf_counter()
    while True:
        modes, contacts = (table.copy() for table in given)
        peaks = np.abs(np.stack([flat.shapes @ flat.q0, flat.shapes @ flat.v0, np.zeros(dofs)]))
        history = [np.zeros((samples, width)) for width in (count, count, count, many, ledger.LEDGER_SIZE)]
        table, run = np.zeros((capacity, ledger.IMPACT_SIZE)), np.zeros(kernel.RUN_SIZE)
        run[kernel.THETA], run[kernel.GAMMA], run[kernel.PROJECTION] = theta, gamma, float(projection)
        run[kernel.HYPOTHESIS], run[kernel.METHOD] = hypothesis, METHODS[solver]
        size = max(many, 1)
        code = compiled(kernel.march)(
            modes, contacts, flat.support, ground, parts, h, damping, inverse if damping.size else damping,
            flat.reach, flat.push, flat.reach.T.copy(), answer, flat.reach @ answer,
            flat.reach @ flat.push.T, restitution_of(task.problem), flat.shapes.T.copy(), spans, peaks,
            np.zeros((3, dofs)), np.zeros((size, size)), np.zeros((impulses.SCRATCH_COLUMNS, size)),
            np.zeros((size, size + 2)), np.zeros((2, size), dtype=np.int64), places, np.zeros(many),
            np.zeros(ledger.LEDGER_SIZE), *history, table, run,
        )  # fmt: skip
        found = int(run[kernel.IMPACTS])
        if found <= capacity:
            break
        capacity = found
    q, v, a, force, balance = history
    start = flat.start
    moved = tuple(np.ascontiguousarray(values @ flat.shapes.T) for values in (q, v, a))
    if parts == 1:
        extremes = np.stack([np.abs(values).max(axis=0) for values in moved], axis=1)
    else:
        extremes = peaks.T / np.array([1.0, 1.0, h])
    return Simulation(
        time=start + span * np.arange(samples, dtype=np.float64),
        displacement=moved[0],
        velocity=moved[1],
        acceleration=moved[2],
        force=force,
        gap=flat.gap - q @ flat.reach.T,
        table={name: table[:found, column] + (start if name == "start" else 0.0) for name, column in COLUMNS.items()},
        extremes=extremes,
        ledger=balanced(balance),
        dofs=flat.dof_labels,
        contacts=flat.contact_labels,
        outcome=OUTCOMES[code],
        evidence=_evidence(
            run,
            samples,
            parts,
            span,
            solver,
            projection,
            float(balance[:, ledger.KINETIC].max()),
            clock.perf_counter() - started,
        ),
    )


def _steps(task: Task, dt: float | str | None) -> tuple[Array, float, int]:
    """Return the ground, the time between its samples and how many steps go into it.

    Without a record the samples follow the steps, unless these fit into those.
    """
    if dt is None:
        return task.ground, task.dt, 1
    step = number(dt, "s", name="dt", owner=OWNER, within=POSITIVE)
    ratio = task.dt / step
    if task.flat.ground.shape[1]:
        if ratio < 1.0 - 1e-9:
            raise refusal(
                "dt", OWNER, f"must not exceed the record's time step, {task.dt:g} s", dt, "Resample the record."
            )
        return task.ground, task.dt, max(math.ceil(ratio - 1e-9), 1)
    if ratio > 0.5 and abs(ratio - round(ratio)) < 1e-9 * ratio:
        return task.ground, task.dt, round(ratio)
    whole = task.dt * (task.ground.shape[1] - 1)
    steps = max(math.ceil(whole / step - 1e-9), 1)
    return np.zeros((task.ground.shape[0], steps + 1)), whole / steps, 1


def _inverse(task: Task, damping: Array, theta: float, h: float) -> tuple[Array, Array]:
    """Return J⁻¹, (9), and J⁻¹ pushᵀ."""
    flat = task.flat
    drag = damping if damping.size else np.diag(2.0 * flat.sigma)
    jacobian = np.eye(flat.omega.size) + theta * h * drag + np.diag((theta * h * flat.omega) ** 2)
    inverse = np.asarray(np.linalg.inv(jacobian), dtype=np.float64)
    return inverse, np.ascontiguousarray(inverse @ flat.push.T)


def _evidence(
    run: Array, samples: int, parts: int, span: float, solver: str, projection: bool, energy: float, seconds: float
) -> dict[str, Any]:
    cautions = [CAUTION.format(step=span / parts, span=span)]
    gain, biggest = float(run[kernel.LARGEST_GAIN]), float(run[kernel.LARGEST_IMPULSE])
    if gain > 1e-9 * max(energy, 1e-300):
        cautions.append(f"impulses of one step created up to {gain:.3g} J")
    return {
        "scheme": OWNER,
        "time_step": span / parts,
        "theta": float(run[kernel.THETA]),
        "gamma": float(run[kernel.GAMMA]),
        "steps": (samples - 1) * parts,
        "contact_steps": int(run[kernel.CONTACT_STEPS]),
        "impacts": int(run[kernel.IMPACTS]),
        "solver": solver,
        "projection": projection,
        "most_contacts_at_once": int(run[kernel.TOGETHER]),
        "largest_contact_residual": float(run[kernel.LARGEST_RESIDUAL]),
        "largest_relative_contact_residual": float(run[kernel.LARGEST_SHARE]),
        "largest_impulse": biggest,
        "largest_overlap": float(run[kernel.LARGEST_OVERLAP]),
        "largest_energy_gain": gain,
        "cautions": cautions,
        **common_evidence(seconds),
    }
