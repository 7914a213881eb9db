"""Rigid contacts event by event where they last with friction, or where bodies turn: steps of order eight."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from carom.backends import compiled
from carom.integrate.scenes.bodies import in_space, is_spatial, poses_of, told
from carom.integrate.schemes.base import Task
from carom.integrate.schemes.impulsive import (
    contacts_of,
    directions_of,
    empty_histories,
    floors_of,
    hypothesis_of,
    may_create,
    modes_of,
    solver_for,
)
from carom.integrate.tables import joint_rules
from carom.joints import joints
from carom.kernels.explicit.single_impacts.dormand_prince import STAGES
from carom.kernels.joints import PULL_ROWS
from carom.kernels.rigid import impact_record as rigid_book
from carom.kernels.rigid import moving, rows, space
from carom.kernels.rigid.events import held, held_flight, scenes
from carom.kernels.rigid.tables import Histories, System
from carom.problem import FlatProblem
from carom.problem.scenes.scene import nothing
from carom.results.space.scene_record import SceneRecord

__all__ = ["Found", "fresh_run", "peaks_of", "record_of", "scene_of", "scene_run"]

Array = npt.NDArray[np.float64]


class Found(NamedTuple):
    """What a run event by event has left."""

    path: str
    code: int
    run: Array
    contacts: Array
    peaks: Array
    table: Array
    ground: Array
    histories: tuple[Array, Array, Array, Array, Array]
    """Displacements and velocities of the modes, forces, energies, and what joints can give back."""
    gap: Array
    record: SceneRecord | None = None
    poses: Array | None = None
    """Of bodies in space (`scenes.bodies`)."""


def fresh_run(task: Task) -> Array:
    """Return the row of a run before it begins."""
    flat, run = task.flat, np.zeros(rows.RUN_SIZE)
    hypothesis = hypothesis_of(flat)
    run[rows.HYPOTHESIS], run[rows.LIMIT] = hypothesis, task.step_limit
    run[rows.MAY_CREATE], run[rows.LEAST_LOST] = may_create(flat, hypothesis), np.inf
    return run


def peaks_of(flat: FlatProblem) -> Array:
    """Return the table of peaks before a run."""
    peaks = np.zeros((flat.outputs.shape[0], 5))
    peaks[:, 3:] = floors_of(flat)[:, :2]
    return peaks


def scene_of(flat: FlatProblem, rules: joint_rules.Rules, samples: int) -> moving.Scene:
    """Return the scene of a problem as kernels take it; empty where it has none."""
    given = nothing(flat.gap.size, flat.omega.size) if flat.scene is None else flat.scene
    anchors, joined = given.anchor_body.size, len(given.joint_rules)
    plane = given.anchor_rows[:, [0, 1, 5], :].reshape(3 * anchors, flat.omega.size).copy()
    slots = max((joints.get(name).slots for name in given.joint_rules), default=0)
    springs = joint_rules.springs_from(
        rules, given.joint_rules, given.joint_rows, given.joint_numbers, np.zeros((joined, slots))
    )
    total, gauges = given.joint_rest.size + given.gauge_rest.size, given.gauge_rest.size
    limits = np.full((gauges, moving.GAUGE_SIZE), np.nan)
    limits[:, : moving.HIGH + 1] = given.gauge_limits
    limits[:, moving.LEAST], limits[:, moving.MOST] = np.inf, -np.inf
    scene = moving.Scene(
        given.node.copy(), given.face[:, :2].copy(), given.clearance.copy(), given.radius.copy(),
        given.body_modes.copy(),
        given.body_scale.copy(), given.body_pose.copy(), given.anchor_body.copy(), given.anchor_point.copy(), plane,
        np.concatenate([given.joint_anchors, given.gauge_anchors]),
        np.concatenate([given.joint_body, given.gauge_body]), np.concatenate([given.joint_axes, given.gauge_axes]),
        np.concatenate([given.joint_rest, given.gauge_rest]),
        np.concatenate([np.repeat(np.arange(joined), given.joint_rows), joined + np.arange(gauges)]), springs,
        np.zeros((PULL_ROWS, total)), np.zeros((total, flat.omega.size)),
        np.zeros((given.body_structure.size, moving.BODY_SIZE)), np.zeros((anchors, moving.ANCHOR_SIZE)),
        np.zeros((flat.gap.size, moving.EDGE_SIZE)), limits,
        np.full((samples, moving.W_COLUMNS * flat.gap.size), np.nan), np.full((samples, 2 * total), np.nan),
        np.zeros((samples, 0)), np.zeros((samples, 0)), np.zeros(3 * flat.gap.size), np.zeros(flat.omega.size),
    )  # fmt: skip
    return in_space(scene, given, flat.omega.size) if given.spatial else scene


def record_of(flat: FlatProblem, scene: moving.Scene, force: Array) -> SceneRecord:
    """Return what a run tells of friction, joints and gauges."""
    given, samples = flat.scene or nothing(flat.gap.size, flat.omega.size), len(scene.samples)
    contacts = scene.samples.reshape(samples, flat.gap.size, moving.W_COLUMNS)
    links = scene.readings.reshape(samples, -1, 2)
    joints_end = given.joint_rest.size
    peaks = np.nanmax(np.abs(links[:, :joints_end]), axis=0, initial=0.0)
    labels = [label for label, size in zip(given.joint_labels, given.joint_rows, strict=True) for _ in range(size)]
    friction = contacts[..., moving.W_FRICTION : moving.W_FRICTION + 2].copy()
    return SceneRecord(
        friction=friction,
        slip=contacts[..., moving.W_SLIP : moving.W_SLIP + 2].copy(),
        state=np.nan_to_num(contacts[..., moving.W_STATE]).astype(np.int64),
        place=contacts[..., moving.W_ALONG].copy(),
        joint_force=links[:, :joints_end, 1].copy(), joint_deformation=links[:, :joints_end, 0].copy(),
        joint_peaks=peaks[:, ::-1].copy(), joints=tuple(labels),
        gauge=links[:, joints_end:, 0].copy(),
        gauge_extremes=scene.gauges[:, [moving.LEAST, moving.MOST]].copy(),
        gauge_left=scene.gauges[:, moving.LEFT_AT] + flat.start, gauges=given.gauge_labels,
        **told(flat, scene, force, friction),
    )  # fmt: skip


def kernel_of(flat: FlatProblem, rules: joint_rules.Rules | None) -> Callable[..., int]:
    """Return the kernel that follows a scene, in the plane or in space, with the rules of its joints if it has any."""
    kernel, parts = (space.follow_scene, space.IN_FLIGHT) if is_spatial(flat) else (scenes.follow_scene, ())
    return compiled(kernel, dict(parts)) if rules is None else joint_rules.kernel_with(rules, kernel, parts)


def scene_run(task: Task) -> Found:
    """Fly by explicit steps; contacts that last hold, stick and slide."""
    flat, ground, dt = task.flat, task.ground.copy(), task.dt
    count, many, samples = flat.omega.size, flat.gap.size, ground.shape[1]
    given_modes, given_contacts = modes_of(flat), contacts_of(flat)
    directions = directions_of(flat, turning=True)
    names = () if flat.scene is None else flat.scene.joint_rules
    rules = joint_rules.rules_of(names)
    follow = kernel_of(flat, rules if names else None)
    capacity, size = 256, max(directions[0].shape[0], 1)
    while True:
        reach, push = (rows_of.copy() for rows_of in directions)
        modes, contacts, peaks = given_modes.copy(), given_contacts.copy(), peaks_of(flat)
        history = empty_histories(samples, count, count, many, rows.ENERGY_SIZE, min(len(names), 1))
        table, run = np.zeros((capacity, rigid_book.TABLE_SIZE)), fresh_run(task)
        system = System(
            modes, contacts, flat.damping.copy(), reach, push, reach @ push.T, flat.restitution.copy(),
            np.zeros(rows.ENERGY_SIZE), run,
        )  # fmt: skip
        wide = 2 * count + held_flight.SUMS + held_flight.OF_CONTACT * many
        steps = held_flight.Steps(
            np.zeros((STAGES + 1, wide)), np.zeros(wide), np.zeros(wide), np.zeros(many), np.zeros(many),
            np.zeros((many, 4)), np.zeros((many, held_flight.PATH_SIZE)),
        )  # fmt: skip
        scene = scene_of(flat, rules, samples)
        holds = held.Holds(
            np.zeros((many, held.HOLD_SIZE)), scene.bias, np.zeros((size, size + 3)),
            np.zeros(size, dtype=np.int64), np.zeros(count),
        )  # fmt: skip
        q, v, force, balance, stored = history
        code = follow(
            system, flat.drives.which.copy(), ground, dt, flat.outputs.copy(), peaks, scene,
            solver_for(size), holds, steps, Histories(q, v, force, stored, balance, table),
        )  # fmt: skip
        found = int(run[rows.IMPACTS])
        if found <= capacity:
            kept = np.zeros(samples) if not names else stored[:, 0]
            gap = scene.samples.reshape(samples, many, moving.W_COLUMNS)[..., moving.W_GAP].copy()
            histories, record = (q, v, force, balance, kept), record_of(flat, scene, force)
            path, poses = "space" if is_spatial(flat) else "scene", poses_of(scene)
            return Found(path, code, run, contacts, peaks, table[:found], ground, histories, gap, record, poses)
        capacity = found
