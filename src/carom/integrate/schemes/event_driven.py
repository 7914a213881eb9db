"""Event-driven: exact between impacts, every touch located, contact resolved to tolerance."""

from __future__ import annotations

import platform
import time as clock
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.backends import backend_name, compiled
from carom.errors import InputError
from carom.integrate.schemes.base import Task, register_scheme
from carom.integrate.tables import tables_of
from carom.kernels import ledger, pounding, rows
from carom.results import Outcome, Simulation

COLUMNS = {
    "contact": ledger.CONTACT,
    "start": ledger.BEGAN,
    "duration": ledger.DURATION,
    "approach_velocity": ledger.APPROACH,
    "separation_velocity": ledger.SEPARATION,
    "peak_force": ledger.TABLE_PEAK_FORCE,
    "peak_overlap": ledger.TABLE_PEAK_OVERLAP,
    "impulse": ledger.TABLE_IMPULSE,
    "energy_lost": ledger.ENERGY_LOST,
}
OUTCOMES = {
    ledger.FINISHED: Outcome.FINISHED,
    ledger.STEP_LIMIT: Outcome.STEP_LIMIT,
    ledger.NOT_FINITE: Outcome.NOT_FINITE,
}


@register_scheme("event", aliases=("event-driven",))
def event_driven(task: Task) -> Simulation:
    """Propagate modes exactly from sample to sample, locate touches, step contacts by collocation on their forces."""
    flat, ground, dt = task.flat, task.ground, task.dt
    if not flat.classical:
        raise InputError(
            "simulate with scheme='event' needs damping that leaves the modes uncoupled; this problem's couples them. "
            "Use a damping ratio, Rayleigh or Caughey damping."
        )
    if flat.springs.shape[0]:
        raise InputError(
            "simulate with scheme='event' needs structures that are linear between contacts; this problem has "
            "inelastic storeys or stops. Use a step-by-step scheme, such as scheme='newmark'."
        )
    if np.isnan(flat.laws).any():
        raise InputError(
            "simulate takes laws of the power form; a law that is a Python function serves carom.impact only."
        )
    modes, contacts, samples = flat.omega.size, flat.gap.size, ground.shape[1]
    capacity = 1024
    started = clock.perf_counter()
    while True:
        tables = tables_of(flat)
        history_q, history_v = np.zeros((samples, modes)), np.zeros((samples, modes))
        history_force, balance = np.zeros((samples, contacts)), np.zeros((samples, ledger.LEDGER_SIZE))
        impacts, run = np.zeros((capacity, ledger.IMPACT_SIZE)), np.zeros(ledger.RUN_SIZE)
        run[ledger.TOLERANCE], run[ledger.LIMIT] = task.rtol, task.step_limit
        code = compiled(pounding.pound)(
            *tables, flat.support, ground, 1.0, dt, history_q, history_v, history_force, balance, impacts, run
        )
        count = int(run[ledger.IMPACTS])
        if count <= capacity:
            break
        capacity = count  # more impacts than the table holds: now we know how many
    outcome = OUTCOMES[code]
    steady = flat.load - flat.omega**2 * history_q - 2.0 * flat.sigma * history_v - history_force @ flat.push
    return Simulation(
        time=task.time,
        displacement=history_q @ flat.shapes.T,
        velocity=history_v @ flat.shapes.T,
        acceleration=steady @ flat.shapes.T,
        force=history_force,
        gap=flat.gap - history_q @ flat.reach.T,
        table={
            name: impacts[:count, column] + (flat.start if name == "start" else 0.0) for name, column in COLUMNS.items()
        },
        extremes=tables.floors[:, rows.PEAKS : rows.PEAKS + 3].copy(),
        ledger=ledger_of(balance),
        dofs=flat.dof_labels,
        contacts=flat.contact_labels,
        outcome=outcome,
        evidence=_evidence(run, task.rtol, clock.perf_counter() - started),
    )


def ledger_of(table: npt.NDArray[np.float64]) -> dict[str, npt.NDArray[np.float64]]:
    """Return the energy ledger by name, with the residual of its balance."""
    names = ("input", "kinetic", "strain", "damping", "contact")
    found = {name: table[:, i] for i, name in enumerate(names)}
    at_start = table[0, ledger.KINETIC] + table[0, ledger.STRAIN]
    found["residual"] = at_start + table[:, ledger.INPUT] - table[:, ledger.KINETIC :].sum(axis=1)
    return found


def _evidence(run: npt.NDArray[np.float64], rtol: float, seconds: float) -> dict[str, Any]:
    import numba

    return {
        "scheme": "event",
        "rtol": rtol,
        "contact_steps": int(run[ledger.STEPS]),
        "rejected_steps": int(run[ledger.REJECTED]),
        "impacts": int(run[ledger.IMPACTS]),
        "wall_time": seconds,
        "backend": backend_name(),
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__},
    }
