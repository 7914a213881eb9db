"""Event-driven: exact between impacts, every touch located, contact resolved to tolerance."""

from __future__ import annotations

import platform
import time as clock
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from carom.backends import backend_name
from carom.errors import refusal
from carom.integrate.engine import BUILDINGS, GENERAL, alone_by, run_alone, run_apart
from carom.integrate.modes.complex_modes import complex_modes_of
from carom.integrate.modes.damped_run import DampedRun, collocation, explicit_steps
from carom.integrate.modes.dashpots import with_dashpots
from carom.integrate.outcomes import OF_RUN
from carom.integrate.schemes.base import Task, impacts_table, register_scheme
from carom.integrate.schemes.capability import Can
from carom.integrate.schemes.event_impulsive import event_impulsive
from carom.integrate.schemes.scenes import SCENE, run_scene
from carom.integrate.schemes.watch import OWN_LAW, account_of, cautions_of, fault_of, unheld_of
from carom.integrate.tables import explicit as explicit_tables
from carom.integrate.tables import user_laws
from carom.integrate.tables.apart import apart_of, pairs_at_once
from carom.integrate.tables.explicit import explicit_engine, tables_for
from carom.integrate.tables.general import room_for_pairs, tables_of, works_side_by_side
from carom.kernels import ledger, rows
from carom.kernels.endings import FINISHED, NEEDS_ROOM
from carom.kernels.event import engine as pounding
from carom.kernels.event.complex_flight import pound_damped
from carom.kernels.tables import Histories, Tables
from carom.problem import FlatProblem
from carom.results import LateSimulation, Simulation

CAN = Can(
    compliant=True, impulsive=True, friction=True, yielding=False, coupled_damping=True, functions=True,
    components=3, turning=True, spatial=True, ensembles=True, gpu=True,
)  # fmt: skip


PATHS = ("quick", "general", SCENE)
COMPLEX = "complex modes"
"""The path of runs that fly in complex modes, as evidence names it."""


@register_scheme("event", aliases=("event-driven",), can=CAN, of_scenes=replace(CAN, yielding=True))
def event_driven(task: Task, *, path: str = "quick") -> Simulation:
    """Propagate modes exactly from sample to sample, locate touches, step contacts to tolerance.

    By default contacts are stepped by the explicit engine where it can, and by the general engine, which collocates on
    the contact forces, where it cannot. With ``path="general"`` the general engine takes all of it: a
    second opinion by other formulas. Friction of laws with a force, and bodies that turn, are for the engine of scenes,
    which ``path="scene"`` asks for where either could do it: explicit steps all the way.
    """
    if path not in PATHS:
        raise refusal("path", "scheme 'event'", f"must be one of {', '.join(map(repr, PATHS))}", path)
    if task.flat.impulsive:
        return event_impulsive(task)
    if task.flat.scene is not None or path == SCENE:
        return run_scene(task)
    started = clock.perf_counter()
    flat, found, damped = _follow(task, path)
    real = task.flat.gap.size
    (history_q, history_v, history_force, balance, impacts), code, run = found.histories, found.code, found.tables.run
    count = int(run[ledger.IMPACTS])
    outcome = OF_RUN[code]
    if outcome.failed:
        for history in (*(damped.histories if damped else (history_q, history_v)), history_force, balance):
            history[int(run[ledger.WRITTEN]) :] = np.nan

    def states() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        return damped.states if damped else (history_q, history_v)

    def acceleration() -> npt.NDArray[np.float64]:
        (q, v), force = states(), damped.forces(history_force) if damped else history_force
        return (flat.load - flat.omega**2 * q - 2.0 * flat.sigma * v - force @ flat.push) @ flat.outputs.T

    return LateSimulation(
        {
            "time": lambda: task.time,
            "displacement": lambda: states()[0] @ flat.outputs.T,
            "velocity": lambda: states()[1] @ flat.outputs.T,
            "acceleration": acceleration,
            "force": lambda: np.ascontiguousarray(history_force[:, :real]),
            "gap": lambda: flat.gap[:real] - states()[0] @ flat.reach[:real].T,
            "table": lambda: impacts_table(impacts[:count], flat.start),
            "ledger": lambda: ledger_of(damped.ledger(balance) if damped else balance),
        },
        extremes=found.extremes,
        dofs=flat.output_labels,
        contacts=flat.contact_labels,
        outcome=outcome,
        evidence=_evidence(found, task, flat, clock.perf_counter() - started),
    )


class _Found(NamedTuple):
    """What came out of an engine."""

    path: str
    code: int
    tables: Tables
    histories: Histories
    extremes: npt.NDArray[np.float64]
    """Of displacement, velocity and absolute acceleration, a row for each output."""


def _follow(task: Task, path: str) -> tuple[FlatProblem, _Found, DampedRun | None]:
    """Run a task; return its problem with dashpots among the contacts, and the run if it flew in complex modes.

    What an engine for some problems does not bring to its end is left to the general one.
    """
    coupled = None if task.flat.classical or path == "general" else complex_modes_of(task.flat)
    flat, replaced = user_laws.with_functions(task.flat, pounding.pound if coupled is None else pound_damped)
    if path == "quick" and replaced is None and flat.classical and flat.gap.size:
        found = _quick(flat, task)
        if found is not None and found.code == FINISHED:
            return flat, found, None
    flat = with_dashpots(flat)
    run = partial(_run, flat=flat, task=task, may_create=replaced is not None, order=flat.output_order)
    tables = partial(tables_of, flat, by_structure=True)
    if coupled is not None:
        if replaced is None and works_side_by_side(flat):
            damped = DampedRun(flat, coupled, explicit_steps())
            found = run(COMPLEX, damped.run, partial(tables, pairs=0))
            if found.code == FINISHED:
                return flat, found, damped
        damped = DampedRun(flat, coupled, replaced or collocation())
        found = run(COMPLEX, damped.run, tables)
        if found.code == FINISHED or replaced is not None:
            return flat, found, damped
    if replaced is not None:
        return flat, run(GENERAL.path, alone_by(replaced), tables), None
    return flat, run(GENERAL.path, partial(_general, flat), partial(tables, pairs=0)), None


def _quick(flat: FlatProblem, task: Task) -> _Found | None:
    """Run a problem by the explicit engine, None where it is not for it."""
    few = flat.omega.size <= explicit_tables.MOST_MODES
    if not few and works_side_by_side(flat):
        tables = partial(tables_of, flat, by_structure=True)
        return _run(BUILDINGS.path, partial(run_alone, BUILDINGS), tables, flat, task, order=flat.output_order)
    engine = explicit_engine(flat)
    if engine is None or not few:
        return None
    return _run(engine.path, partial(run_alone, engine), lambda: tables_for(flat), flat, task)


def _general(
    flat: FlatProblem, tables: Tables, support: npt.NDArray[np.int64], ground: npt.NDArray[np.float64], dt: float,
    histories: Histories,
) -> int:  # fmt: skip
    """Run a problem by the general engine, part by part where it has many structures or contacts.

    The tables come without room for pairs of contacts; PAIRS_WANTED tells how many a run before this one wanted.
    """
    contacts = flat.gap.size
    few = pairs_at_once(contacts, int(tables.run[ledger.PAIRS_WANTED]))
    apart = apart_of(flat, tables, few)
    tables = tables._replace(pairs=room_for_pairs(contacts * contacts if apart is None else few))
    if apart is None:
        return run_alone(GENERAL, tables, support, ground, dt, histories)
    code = run_apart(apart, tables, support, ground, dt, histories)
    count = min(int(tables.run[ledger.IMPACTS]), len(histories.impacts))
    if apart.islands.root.size:  # each sample was gone through island by island: impacts end in another order
        lines = histories.impacts[:count]
        ended = lines[:, ledger.BEGAN] + lines[:, ledger.DURATION]
        histories.impacts[:count] = lines[ended.argsort(kind="stable")]
    return code


def _run(
    path: str, engine: Callable[..., int], tables_for: Callable[[], Tables], flat: FlatProblem, task: Task, *,
    may_create: bool = False, order: npt.NDArray[np.int64] | None = None,
) -> _Found:  # fmt: skip
    """Run a problem by an engine, again with more room where there are more impacts, or more contacts close at once,
    than the tables hold.

    `order` says which output a row of the tables is, where they stand in another order.
    """
    modes, contacts, samples = flat.omega.size, flat.gap.size, task.ground.shape[1]
    capacity, wanted = 1024, 0.0
    while True:
        tables = tables_for()
        history_q, history_v = np.empty((2, samples, modes))  # in one piece: long ones get large pages
        history_force, balance = np.zeros((samples, contacts)), np.empty((samples, ledger.LEDGER_SIZE))
        histories = Histories(
            history_q, history_v, history_force, balance, np.empty((capacity, ledger.IMPACT_SIZE))
        )  # fmt: skip
        run = tables.run
        run[ledger.TOLERANCE], run[ledger.LIMIT] = task.rtol, task.step_limit
        run[ledger.MAY_CREATE], run[ledger.PAIRS_WANTED] = 1.0 if may_create else 0.0, wanted
        code = engine(tables, flat.drives.which, task.ground, task.dt, histories)
        if code == NEEDS_ROOM:
            wanted = run[ledger.PAIRS_WANTED]
            continue
        count = int(run[ledger.IMPACTS])
        if count <= capacity:
            extremes = tables.floors[:, rows.PEAKS : rows.PEAKS + 3].copy()
            if order is not None:
                extremes[order] = extremes.copy()
            return _Found(path, code, tables, histories, extremes)
        capacity = count  # now we know how many


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


def _evidence(found: _Found, task: Task, flat: FlatProblem, seconds: float) -> dict[str, Any]:
    run = found.tables.run
    fault = fault_of(run, flat.contact_labels, flat.start)
    cautions = [
        *cautions_of(run, OWN_LAW if run[ledger.MAY_CREATE] else "tighten `rtol`"),
        *unheld_of(run, flat.contact_labels, flat.start),
    ]
    return {
        "scheme": "event",
        "path": found.path,
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
