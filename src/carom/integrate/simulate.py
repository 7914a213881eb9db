"""`carom.simulate`: structures that may hit each other, under ground motion or released from rest."""

from __future__ import annotations

import platform
import time as clock
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.backends import backend_name, compiled
from carom.errors import InputError, RunError, UnknownNameError, refusal
from carom.integrate.tables import tables_of
from carom.kernels import ledger, pounding, rows
from carom.problem import FlatProblem, Problem
from carom.results import Outcome, Simulation
from carom.units import POSITIVE, Range, number

__all__ = ["simulate"]

OWNER = "simulate"
SCHEMES = ("event",)
TOLERANCES = Range(1e-12, 1e-3, low_open=False, high_open=False)
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


def simulate(
    problem: Problem,
    *,
    scheme: str = "event",
    rtol: float = 1e-6,
    duration: float | str | None = None,
    sampling: float | str | None = None,
    step_limit: int = 1_000_000,
    fail: str = "raise",
) -> Simulation:
    """Run a problem to the end of its record.

    Parameters
    ----------
    problem
        Who stands beside whom, shaken how.
    scheme
        ``"event"``: exact between impacts, every touch located, contact stepped to tolerance.
    rtol
        Tolerance of a step in contact, relative to typical size.
    duration
        Time to run [s]; default: the record's. Longer: the ground rests after the record.
    sampling
        Time between samples of the history [s] where there is no record; default: a fortieth of the shortest
        natural period above a millisecond.
    step_limit
        Largest number of steps in contact, tried ones and touches included.
    fail
        ``"raise"`` (default), or ``"return"`` to get a failed run as a result too, up to where it came.
    """
    if not isinstance(problem, Problem):
        raise refusal("problem", OWNER, "must be a carom.Problem", problem)
    if scheme not in SCHEMES:
        raise UnknownNameError("scheme", scheme, SCHEMES)
    if fail not in ("raise", "return"):
        raise refusal("fail", OWNER, "must be 'raise' or 'return'", fail)
    tolerance = number(rtol, "", name="rtol", owner=OWNER, within=TOLERANCES)
    if isinstance(step_limit, bool) or not isinstance(step_limit, (int, np.integer)) or step_limit < 1:
        raise refusal("step_limit", OWNER, "must be a whole number of at least 1", step_limit)
    flat = problem.flat()
    if not flat.classical:
        raise InputError(
            "simulate with scheme='event' needs damping that leaves the modes uncoupled; this problem's couples them. "
            "Use a damping ratio, Rayleigh or Caughey damping."
        )
    if np.isnan(flat.laws).any():
        raise InputError(
            "simulate takes laws of the power form; a law that is a Python function serves carom.impact only."
        )
    ground, dt = _ground(flat, duration, sampling)
    return _run(flat, ground, dt, tolerance, int(step_limit), fail)


def _run(
    flat: FlatProblem, ground: npt.NDArray[np.float64], dt: float, rtol: float, step_limit: int, fail: str
) -> Simulation:
    modes, contacts, samples = flat.omega.size, flat.gap.size, ground.shape[1]
    capacity = 1024
    started = clock.perf_counter()
    while True:
        tables = tables_of(flat)
        history_q, history_v = np.zeros((samples, modes)), np.zeros((samples, modes))
        history_force, balance = np.zeros((samples, contacts)), np.zeros((samples, ledger.LEDGER_SIZE))
        impacts, run = np.zeros((capacity, ledger.IMPACT_SIZE)), np.zeros(ledger.RUN_SIZE)
        run[ledger.TOLERANCE], run[ledger.LIMIT] = rtol, step_limit
        code = compiled(pounding.pound)(
            *tables, flat.support, ground, 1.0, dt, history_q, history_v, history_force, balance, impacts, run
        )
        count = int(run[ledger.IMPACTS])
        if count <= capacity:
            break
        capacity = count  # more impacts than the table holds: now we know how many
    outcome = OUTCOMES[code]
    if outcome.failed and fail == "raise":
        raise RunError(f"The run failed: {outcome.text}.")
    steady = flat.load - flat.omega**2 * history_q - 2.0 * flat.sigma * history_v - history_force @ flat.push
    return Simulation(
        time=flat.start + dt * np.arange(samples, dtype=np.float64),
        displacement=history_q @ flat.shapes.T,
        velocity=history_v @ flat.shapes.T,
        acceleration=steady @ flat.shapes.T,
        force=history_force,
        gap=flat.gap - history_q @ flat.reach.T,
        table={
            name: impacts[:count, column] + (flat.start if name == "start" else 0.0) for name, column in COLUMNS.items()
        },
        extremes=tables.floors[:, rows.PEAKS : rows.PEAKS + 3].copy(),
        ledger=_ledger(balance),
        dofs=flat.dof_labels,
        contacts=flat.contact_labels,
        outcome=outcome,
        evidence=_evidence(run, rtol, clock.perf_counter() - started),
    )


def _ground(
    flat: FlatProblem, duration: float | str | None, sampling: float | str | None
) -> tuple[npt.NDArray[np.float64], float]:
    """Return the ground accelerations to run with, and their time step."""
    asked = None if duration is None else number(duration, "s", name="duration", owner=OWNER, within=POSITIVE)
    if flat.ground.shape[1] == 0:
        if asked is None:
            raise InputError("simulate needs `duration` [s] for a problem without ground motion.")
        if sampling is None:
            quick = flat.omega[(flat.omega > 0.0) & (flat.omega < 2000.0 * np.pi)]
            dt = 2.0 * np.pi / (40.0 * quick.max()) if quick.size else asked / 1000.0
        else:
            dt = number(sampling, "s", name="sampling", owner=OWNER, within=POSITIVE)
        samples = max(int(np.ceil(asked / dt - 1e-9)), 1) + 1
        return np.zeros((max(flat.ground.shape[0], 1), samples)), asked / (samples - 1)
    if sampling is not None:
        raise InputError("simulate takes `sampling` only without a record: the history lies on the record's samples.")
    ground = np.ascontiguousarray(flat.ground)
    if asked is not None:
        samples = int(np.ceil(asked / flat.dt - 1e-9)) + 1
        padded = np.zeros((ground.shape[0], samples))
        padded[:, : min(samples, ground.shape[1])] = ground[:, :samples]
        ground = padded
    return ground, flat.dt


def _ledger(table: npt.NDArray[np.float64]) -> dict[str, npt.NDArray[np.float64]]:
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
