"""Runs of scenes: friction of laws with a force, bodies that turn, faces, joints between anchors."""

from __future__ import annotations

import platform
import time as clocks
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.backends import backend_name
from carom.integrate.outcomes import OF_RUN
from carom.integrate.scenes import in_space
from carom.integrate.scenes.kernels import scene_kernel
from carom.integrate.scenes.tables import scene_of, tables_of_scene
from carom.integrate.schemes.base import Task, impacts_table
from carom.integrate.schemes.watch import OWN_LAW, account_of, cautions_of, fault_of, unheld_of
from carom.integrate.tables import joint_rules
from carom.kernels import ledger
from carom.kernels.scene import clock, rows, writing
from carom.kernels.scene.changes import FRICTION_COLUMN, TABLE_SIZE
from carom.kernels.scene.tables import Motion, Plan, Writing
from carom.kernels.tables import Shaking
from carom.problem import FlatProblem
from carom.results import LateSimulation, Simulation
from carom.results.space.scene_record import SceneRecord

__all__ = ["SCENE", "run_scene"]

Array = npt.NDArray[np.float64]
SCENE = "scene"
"""The path of these runs, as evidence names it."""
LEDGER = ("input", "kinetic", "strain", "damping", "contact", "friction", "joints")


def run_scene(task: Task) -> Simulation:
    """Run a problem by the engine of scenes."""
    started = clocks.perf_counter()
    flat, rules, kernel, own_law = scene_kernel(task.flat)
    plan, motion, written, code = _play(kernel, flat, rules, task, own_law)
    in_space.tell_rotations(flat, motion, written)
    outcome = OF_RUN[code]
    if outcome.failed:
        for history in written[:-1]:
            history[int(motion.run[ledger.WRITTEN]) :] = np.nan
    count = int(motion.run[ledger.IMPACTS])
    contacts = written.contacts.reshape(len(written.contacts), flat.gap.size, writing.CONTACT_COLUMNS)
    return LateSimulation(
        {
            "time": lambda: task.time,
            "displacement": lambda: written.q @ flat.outputs.T,
            "velocity": lambda: written.v @ flat.outputs.T,
            "acceleration": lambda: written.own @ flat.outputs.T,
            "force": lambda: contacts[..., writing.W_FORCE].copy(),
            "gap": lambda: _gaps(flat, plan, motion, written),
            "table": lambda: _impacts(written.impacts[:count], flat),
            "ledger": lambda: _ledger(written.ledger),
            "scene_record": lambda: _record(flat, plan, motion, written),
        },
        extremes=motion.outputs[:, rows.PEAK : rows.PEAK + 3].copy(),
        dofs=flat.output_labels,
        contacts=flat.contact_labels,
        outcome=outcome,
        evidence=_evidence(task, flat, motion, clocks.perf_counter() - started),
    )


def _play(
    kernel: Callable[..., int], flat: FlatProblem, rules: joint_rules.Rules, task: Task, may_create: bool
) -> tuple[Plan, Motion, Writing, int]:
    """Run a problem, again with more room where there are more impacts than the table holds."""
    samples, modes, capacity = task.ground.shape[1], flat.omega.size, 1024
    shaking = Shaking(flat.drives.which.copy(), np.array(task.ground), 1.0, task.dt)
    while True:
        plan, motion, springs = tables_of_scene(flat, rules, task.rtol, float(task.step_limit), task.ground, task.dt)
        motion.run[ledger.MAY_CREATE] = float(may_create)
        q, v, own = np.zeros((3, samples, modes))
        written = Writing(
            q, v, own, np.zeros((samples, flat.gap.size * writing.CONTACT_COLUMNS)),
            *in_space.room_for(flat, samples),
            np.zeros((samples, len(plan.links) * writing.LINK_COLUMNS)), np.zeros((samples, rows.LEDGER_SIZE)),
            np.zeros((capacity, TABLE_SIZE)),
        )  # fmt: skip
        code = int(kernel(plan, motion, springs, shaking, written))
        count = int(motion.run[ledger.IMPACTS])
        if count <= capacity:
            return plan, motion, written, code
        capacity = count


def _gaps(flat: FlatProblem, plan: Plan, motion: Motion, written: Writing) -> Array:
    """Return the gaps of all contacts at samples."""
    in_space.read_far(flat, plan, motion, written)
    return written.contacts.reshape(len(written.contacts), flat.gap.size, writing.CONTACT_COLUMNS)[
        ..., writing.W_GAP
    ].copy()


def _impacts(lines: Array, flat: FlatProblem) -> dict[str, Array]:
    """Return the impacts by column, in the order in which they began."""
    lines = lines[np.argsort(lines[:, ledger.BEGAN], kind="stable")]
    found = impacts_table(lines, flat.start)
    if scene_of(flat).rubbing.any():
        found["friction_impulse"] = lines[:, FRICTION_COLUMN].copy()
    return found


def _ledger(table: Array) -> dict[str, Array]:
    found = {name: table[:, i] for i, name in enumerate(LEDGER)}
    at_start = table[0, rows.L_KINETIC] + table[0, rows.L_STRAIN]
    found["residual"] = at_start + table[:, rows.L_INPUT] - table[:, rows.L_KINETIC :].sum(axis=1)
    return found


def _record(flat: FlatProblem, plan: Plan, motion: Motion, written: Writing) -> SceneRecord:
    """Return what a run tells beyond histories and impacts; joints inside structures are not in it."""
    in_space.read_far(flat, plan, motion, written)
    scene, samples = scene_of(flat), len(written.q)
    contacts = written.contacts.reshape(samples, flat.gap.size, writing.CONTACT_COLUMNS)
    state = np.nan_to_num(contacts[..., writing.W_STATE]).astype(np.int64)
    links = written.links.reshape(samples, len(plan.links), writing.LINK_COLUMNS)
    inside = len(flat.spring_reach)
    between = inside + len(scene.joint_rest)
    slip = contacts[..., writing.W_SLIP : writing.W_SLIP + 2].copy()
    slip[(state != rows.STICKS) & (state != rows.SLIDES)] = np.nan
    along = np.where(scene.node >= 0, contacts[..., writing.W_ALONG], np.nan)
    labels = [label for label, size in zip(scene.joint_labels, scene.joint_rows, strict=True) for _ in range(size)]
    gauges = motion.links[between:]
    return SceneRecord(
        friction=contacts[..., writing.W_FRICTION : writing.W_FRICTION + 2].copy(), slip=slip, state=state, place=along,
        joint_force=links[:, inside:between, writing.W_TENSION].copy(),
        joint_deformation=links[:, inside:between, writing.W_DEFORMATION].copy(),
        joint_peaks=motion.links[inside:between, [rows.LINK_FORCE, rows.LINK_DEFORMATION]].copy(), joints=tuple(labels),
        gauge=links[:, between:, writing.W_DEFORMATION].copy(),
        gauge_extremes=gauges[:, [rows.LOWEST, rows.HIGHEST]].copy(),
        gauge_left=gauges[:, rows.LEFT_AT] + flat.start, gauges=scene.gauge_labels,
        **in_space.told(flat, written),
    )  # fmt: skip


def _evidence(task: Task, flat: FlatProblem, motion: Motion, seconds: float) -> dict[str, Any]:
    import numba

    run = motion.run
    fault = fault_of(run, flat.contact_labels, flat.start)
    cautions = cautions_of(run, OWN_LAW if run[ledger.MAY_CREATE] else "tighten `rtol`")
    cautions += unheld_of(run, flat.contact_labels, flat.start)
    return {
        "scheme": "event",
        "path": SCENE,
        "rtol": task.rtol,
        "steps": int(motion.clock[clock.ALL_STEPS]),
        "events": int(motion.clock[clock.EVENTS]),
        "contact_steps": int(run[ledger.STEPS]),
        "rejected_steps": int(run[ledger.REJECTED]),
        **account_of(run),
        "reached": flat.start + float(run[ledger.REACHED]),
        **({"fault": fault} if fault else {}),
        **({"cautions": cautions} if cautions else {}),
        "wall_time": seconds,
        "backend": backend_name(),
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__},
    }
