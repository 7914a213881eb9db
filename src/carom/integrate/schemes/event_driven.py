"""Event-driven: exact between impacts, every touch located, contact resolved to tolerance."""

from __future__ import annotations

import platform
import time as clock
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.backends import backend_name
from carom.integrate import user_laws
from carom.integrate.apart import apart_of
from carom.integrate.dashpots import with_dashpots
from carom.integrate.engine import alone_by, run_alone
from carom.integrate.outcomes import OF_RUN
from carom.integrate.schemes.base import Task, impacts_table, register_scheme
from carom.integrate.schemes.capability import Can
from carom.integrate.schemes.event_impulsive import event_impulsive
from carom.integrate.schemes.watch import OWN_LAW, account_of, cautions_of, fault_of, unheld_of
from carom.integrate.tables import tables_of
from carom.kernels import ledger, rows
from carom.kernels.event import engine as pounding
from carom.kernels.tables import Histories
from carom.problem import FlatProblem
from carom.results import LateSimulation, Simulation

CAN = Can(
    compliant=True, impulsive=True, friction=True, yielding=False, coupled_damping=True, functions=True,
    ensembles=True, gpu=True,
)  # fmt: skip


@register_scheme("event", aliases=("event-driven",), can=CAN)
def event_driven(task: Task) -> Simulation:
    """Propagate modes exactly from sample to sample, locate touches, step contacts by collocation on their forces."""
    if task.flat.impulsive:
        return event_impulsive(task)
    flat, replaced = user_laws.with_functions(task.flat, pounding.pound)
    engine = run_alone if replaced is None else alone_by(replaced)
    ground, dt = task.ground, task.dt
    real = flat.gap.size
    flat = with_dashpots(flat)
    modes, contacts, samples = flat.omega.size, flat.gap.size, ground.shape[1]
    capacity = 1024
    started = clock.perf_counter()
    while True:
        tables = tables_of(flat, by_structure=True)
        history_q, history_v = np.empty((2, samples, modes))  # in one piece: long ones get large pages
        history_force, balance = np.zeros((samples, contacts)), np.empty((samples, ledger.LEDGER_SIZE))
        impacts, run = np.empty((capacity, ledger.IMPACT_SIZE)), tables.run
        histories = Histories(history_q, history_v, history_force, balance, impacts)
        run[ledger.TOLERANCE], run[ledger.LIMIT] = task.rtol, task.step_limit
        run[ledger.MAY_CREATE] = 0.0 if replaced is None else 1.0
        apart = apart_of(flat, tables) if replaced is None else None
        code = engine(tables, flat.support, ground, dt, histories, apart)
        count = int(run[ledger.IMPACTS])
        if count <= capacity:
            break
        capacity = count  # more impacts than the table holds: now we know how many
    if (
        apart is not None and apart.islands.root.size
    ):  # each sample was gone through island by island: impacts end in another order
        ended = impacts[:count, ledger.BEGAN] + impacts[:count, ledger.DURATION]
        impacts[:count] = impacts[ended.argsort(kind="stable")]
    outcome = OF_RUN[code]
    if outcome.failed:
        for history in (history_q, history_v, history_force, balance):
            history[int(run[ledger.WRITTEN]) :] = np.nan

    def acceleration() -> npt.NDArray[np.float64]:
        own = flat.load - flat.omega**2 * history_q - 2.0 * flat.sigma * history_v - history_force @ flat.push
        return own @ flat.outputs.T

    extremes = tables.floors[:, rows.PEAKS : rows.PEAKS + 3].copy()
    if flat.output_order is not None:
        extremes[flat.output_order] = extremes.copy()
    return LateSimulation(
        {
            "time": lambda: task.time,
            "displacement": lambda: history_q @ flat.outputs.T,
            "velocity": lambda: history_v @ flat.outputs.T,
            "acceleration": acceleration,
            "force": lambda: np.ascontiguousarray(history_force[:, :real]),
            "gap": lambda: flat.gap[:real] - history_q @ flat.reach[:real].T,
            "table": lambda: impacts_table(impacts[:count], flat.start),
            "ledger": lambda: ledger_of(balance),
        },
        extremes=extremes,
        dofs=flat.output_labels,
        contacts=flat.contact_labels,
        outcome=outcome,
        evidence=_evidence(run, task, flat, clock.perf_counter() - started),
    )


def ledger_of(table: npt.NDArray[np.float64]) -> dict[str, npt.NDArray[np.float64]]:
    """Return the energy ledger by name, with the residual of its balance."""
    names = ("input", "kinetic", "strain", "damping", "contact")
    found = {name: table[:, i] for i, name in enumerate(names)}
    at_start = table[0, ledger.KINETIC] + table[0, ledger.STRAIN]
    found["residual"] = at_start + table[:, ledger.INPUT] - table[:, ledger.KINETIC :].sum(axis=1)
    return found


@cache
def _versions() -> dict[str, str]:
    import numba

    return {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__}


def _evidence(run: npt.NDArray[np.float64], task: Task, flat: FlatProblem, seconds: float) -> dict[str, Any]:
    fault = fault_of(run, flat.contact_labels, flat.start)
    cautions = [
        *cautions_of(run, OWN_LAW if run[ledger.MAY_CREATE] else "tighten `rtol`"),
        *unheld_of(run, flat.contact_labels, flat.start),
    ]
    return {
        "scheme": "event",
        "path": "general",
        "quick_modes": int(run[ledger.QUICK_MODES]),
        "rtol": task.rtol,
        "contact_steps": int(run[ledger.STEPS]),
        "rejected_steps": int(run[ledger.REJECTED]),
        **account_of(run),
        "reached": flat.start + float(run[ledger.REACHED]),
        **({"fault": fault} if fault else {}),
        **({"cautions": cautions} if cautions else {}),
        "wall_time": seconds,
        "backend": backend_name(),
        "versions": dict(_versions()),
    }
