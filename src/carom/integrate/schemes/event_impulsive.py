"""Event-driven with impulsive laws: exact flight, impacts located to rounding, contacts that come to rest."""

from __future__ import annotations

import time as clock
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.backends import compiled
from carom.integrate.schemes.base import COLUMNS, Task
from carom.integrate.schemes.impulsive import (
    OUTCOMES,
    balanced,
    common_evidence,
    hypothesis_of,
    restitution_of,
)
from carom.kernels import impulses, ledger, motion_series
from carom.kernels import moreau_jean as base
from carom.kernels import rigid_impacts as kernel
from carom.results import Simulation

__all__ = ["event_impulsive"]

Array = npt.NDArray[np.float64]

CAUTION = (
    "impacts take no time: accelerations and forces are means over the sample before (Δt = {span:g} s) and depend on "
    "it; so do spectra of floor accelerations at periods not much longer than that"
)


def event_impulsive(task: Task) -> Simulation:
    """Follow rigid contacts from event to event; modes may be coupled by damping."""
    flat, ground, dt = task.flat, task.ground, task.dt
    hypothesis = hypothesis_of(task.problem, "event")
    count, many, samples, dofs = flat.omega.size, flat.gap.size, ground.shape[1], flat.shapes.shape[0]
    given = np.zeros((count, base.MODE_SIZE + 1))
    for column, values in (
        (base.SQUARE, flat.omega**2), (base.TWICE, 2.0 * flat.sigma), (base.STEADY, flat.load),
        (base.PARTICIPATION, flat.participation), (base.MASS, flat.modal_mass), (base.Q, flat.q0), (base.V, flat.v0),
    ):  # fmt: skip
        given[:, column] = values
    damping = flat.damping.copy()
    rapid = max(float(flat.omega.max()), float(2.0 * flat.sigma.max()))
    if damping.size:
        rapid = max(rapid, float(np.linalg.norm(damping, 2)))
    stride = 1.0 / rapid if rapid > 0.0 else dt
    moves = flat.shapes != 0.0
    first = moves.argmax(axis=1)
    last = np.where(moves.any(axis=1), count - moves[:, ::-1].argmax(axis=1), first)

    capacity, size = 4096, max(many, 1)
    started = clock.perf_counter()
    while True:
        modes, contacts, peaks = given.copy(), np.zeros((many, kernel.RIGID_SIZE)), np.zeros((dofs, 5))
        contacts[:, base.GAP], peaks[:, 3], peaks[:, 4] = flat.gap, first, last
        history = [np.zeros((samples, width)) for width in (count, count, count, many, ledger.LEDGER_SIZE)]
        table, run = np.zeros((capacity, ledger.IMPACT_SIZE)), np.zeros(kernel.RIGID_RUN_SIZE)
        run[base.HYPOTHESIS], run[kernel.LIMIT] = hypothesis, task.step_limit
        code = compiled(kernel.bounce)(
            modes, contacts, flat.support, ground, dt, stride, damping, flat.reach, flat.push,
            flat.reach @ flat.push.T, restitution_of(task.problem), flat.shapes, peaks,
            np.zeros((count, motion_series.TERMS)), np.zeros((size, motion_series.TERMS)), np.zeros((size, size)),
            np.zeros((impulses.SCRATCH_COLUMNS, size)), np.zeros((size, size + 2)), np.zeros((2, size), dtype=np.int64),
            np.zeros(size), np.zeros(motion_series.TERMS), np.zeros(ledger.LEDGER_SIZE), *history, table, run,
        )  # fmt: skip
        found = int(run[base.IMPACTS])
        if found <= capacity:
            break
        capacity = found
    q, v, a, force, balance = history
    shaken = flat.participation * 0.5 * (ground[flat.support, 1:] + ground[flat.support, :-1]).T
    a[1:] = np.diff(v, axis=0) / dt + shaken  # Δv/Δt relative to the ground, and the ground's own
    acceleration = a @ flat.shapes.T
    peaks[:, 2] = np.abs(acceleration).max(axis=0, initial=0.0)
    start = flat.start
    return Simulation(
        time=task.time,
        displacement=q @ flat.shapes.T,
        velocity=v @ flat.shapes.T,
        acceleration=acceleration,
        force=force,
        gap=flat.gap - q @ flat.reach.T,
        table={name: table[:found, column] + (start if name == "start" else 0.0) for name, column in COLUMNS.items()},
        extremes=peaks[:, :3].copy(),
        ledger=balanced(balance),
        dofs=flat.dof_labels,
        contacts=flat.contact_labels,
        outcome=OUTCOMES[code],
        evidence=_evidence(run, dt, float(balance[:, ledger.KINETIC].max()), clock.perf_counter() - started),
    )


def _evidence(run: Array, dt: float, energy: float, seconds: float) -> dict[str, Any]:
    cautions, gain = [CAUTION.format(span=dt)], float(run[base.LARGEST_GAIN])
    if gain > 1e-9 * max(energy, 1e-300):
        cautions.append(f"one impact created {gain:.3g} J: contacts struck together had different restitutions")
    return {
        "scheme": "event",
        "contact": "impulsive",
        "events": int(run[kernel.EVENTS]),
        "impacts": int(run[base.IMPACTS]),
        "came_to_rest": int(run[kernel.RESTS]),
        "most_contacts_at_once": int(run[base.TOGETHER]),
        "largest_contact_residual": float(run[base.LARGEST_RESIDUAL]),
        "largest_relative_contact_residual": float(run[base.LARGEST_SHARE]),
        "largest_impulse": float(run[base.LARGEST_IMPULSE]),
        "largest_energy_gain": gain,
        "cautions": cautions,
        **common_evidence(seconds),
    }
