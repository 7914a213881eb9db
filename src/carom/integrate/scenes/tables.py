"""A flat problem with its scene, laid out as the kernels of scenes take it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from carom.integrate.tables.joint_rules import Rules, springs_from
from carom.joints import joints
from carom.kernels import ledger, rows
from carom.kernels.contact.collocation import PLAIN
from carom.kernels.explicit.tableau import STAGES
from carom.kernels.joints import PULL_ROWS, Springs
from carom.kernels.laws import power_law
from carom.kernels.scene import clock
from carom.kernels.scene import rows as scene_rows
from carom.kernels.scene.step import NOW
from carom.kernels.scene.tables import Motion, Plan
from carom.kernels.space import rows as space_rows
from carom.problem import FlatProblem
from carom.problem.scenes.scene import FlatScene, nothing

__all__ = ["rules_in", "scene_of", "tables_of_scene"]

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

PLANE = (0, 1, 5)
"""Which of an anchor's six rows the plane has: x, y, rotation about z."""
FLOOR = 1e-6
"""Least speed in which errors are counted, as share of what loads and ground may give a structure."""
NOISE = 1e-13
"""Rounding in an overlap, as share of the distances that make it."""


class _Rows(NamedTuple):
    """Rows over the modes, the zeros left out."""

    first: Integers
    mode: Integers
    value: Array


def scene_of(flat: FlatProblem) -> FlatScene:
    """Return the scene of a problem; of one without, that its contacts make."""
    return flat.scene or nothing(flat.gap.size, flat.omega.size)


def rules_in(flat: FlatProblem) -> tuple[str, ...]:
    """Return the rules of all joints: those inside structures, then those between anchors."""
    return (*flat.spring_rules, *scene_of(flat).joint_rules)


def plan_of(flat: FlatProblem) -> Plan:
    """Return what never changes in a run."""
    scene = scene_of(flat)
    ends = 4 if scene.spatial else 2
    anchors = (scene.anchor_rows if scene.spatial else scene.anchor_rows[:, PLANE]).reshape(-1, flat.omega.size)
    inside, between, gauges = len(flat.spring_reach), len(scene.joint_rest), len(scene.gauge_rest)
    contacts = np.stack([flat.reach, flat.slide, scene.second_slide], axis=1)
    contacts[scene.node >= 0] = 0.0
    contacts[~scene.rubbing, 1:] = 0.0
    parts = (
        contacts.reshape(-1, flat.omega.size), anchors, flat.dashpot_reach, flat.spring_reach,
        np.zeros((between + gauges, flat.omega.size)), flat.outputs,
    )  # fmt: skip
    at = np.cumsum([0, *map(len, parts)])
    table = _sparse(np.vstack(parts))
    links = np.full((inside + between + gauges, 3), -1)
    axes = np.zeros((len(links), scene_rows.AXIS_SIZE))
    owner = np.repeat(np.arange(len(scene.joint_rows)), scene.joint_rows)
    for some, both, body, direction, rest in (
        (slice(inside, inside + between), scene.joint_anchors[owner], scene.joint_body[owner], scene.joint_axes,
         scene.joint_rest),
        (slice(inside + between, None), scene.gauge_anchors, scene.gauge_body, scene.gauge_axes, scene.gauge_rest),
    ):  # fmt: skip
        links[some, :2], links[some, 2] = both, body
        axes[some, :4], axes[some, scene_rows.REST] = direction, rest
    modes = np.stack([flat.omega**2, 2.0 * flat.sigma, flat.drives.share, flat.load, flat.modal_mass])
    return Plan(
        modes=modes, support=flat.drives.which.copy(), group=np.maximum(flat.mode_structure, 0), first=table.first,
        mode=table.mode, value=table.value, offsets=at[[1, 2, 3, 5]].astype(np.int64), dashpots=flat.dashpots.copy(),
        friction=scene.friction.copy(), places=np.column_stack([scene.node, scene.face[:, :ends]]).astype(np.int64),
        clearance=np.where(scene.node >= 0, scene.clearance, flat.gap), body_modes=scene.body_modes.copy(),
        body_shape=np.hstack([scene.body_scale, scene.body_pose]), reach=_reach(scene),
        riding=np.flatnonzero(scene.anchor_rows.any(axis=(1, 2))), anchor_body=scene.anchor_body.copy(),
        anchor_point=scene.anchor_point.copy(), links=links.astype(np.int64), axes=axes,
        limits=scene.gauge_limits.copy(),
    )  # fmt: skip


def motion_of(flat: FlatProblem, plan: Plan, rtol: float, limit: float, shaken: float) -> Motion:
    """Return the state at the start, and room to work in; `shaken` is the largest acceleration of the ground."""
    modes, contacts, links = flat.omega.size, flat.gap.size, len(plan.links)
    structures = int(plan.group.max(initial=0)) + 1
    powers = scene_rows.SCENE_POWERS + scene_rows.CONTACT_POWERS * contacts
    scene, bodies = scene_of(flat), len(plan.body_modes)
    sizes = space_rows if scene.spatial else scene_rows
    gives = 2 * contacts + (space_rows.ORIENTATION * bodies if scene.spatial else 0)
    motion = Motion(
        now=np.zeros((3, modes)), end=np.zeros((3, modes)), trial=np.zeros((3, modes)),
        give=np.zeros((6, gives)), stages=np.zeros((STAGES, modes)), gives=np.zeros((STAGES, gives)),
        powers=np.zeros((STAGES, powers)), sums=np.zeros(powers), load=np.zeros(modes),
        bodies=np.zeros((bodies, sizes.BODY_SIZE)), anchors=np.zeros((len(plan.anchor_body), sizes.ANCHOR_SIZE)),
        contacts=np.zeros((contacts, sizes.CONTACT_SIZE)), near=np.arange(contacts), wake=np.full(contacts, -1.0),
        moved=np.arange(len(plan.anchor_body)), uses=np.zeros(len(plan.anchor_body), dtype=np.int64),
        listed=np.zeros(2, dtype=np.int64),
        outputs=np.zeros((len(flat.outputs), scene_rows.OUTPUT_SIZE)),
        links=np.zeros((links, scene_rows.LINK_SIZE)), pull=np.zeros((PULL_ROWS, links)),
        ground=np.zeros((2, flat.drives.support.size)), size=np.zeros((3, structures)),
        clock=np.zeros(clock.CLOCK_SIZE), run=np.zeros(ledger.RUN_SIZE),
    )  # fmt: skip
    motion.now[0], motion.now[1] = flat.q0, flat.v0
    motion.contacts[:, : power_law.SIZE] = flat.laws
    motion.contacts[:, rows.EFFECTIVE_MASS] = flat.effective_mass
    motion.contacts[:, rows.NOISE] = NOISE * _extent(flat)
    if scene.spatial:
        motion.give[NOW, 2 * contacts :] = scene.body_pose[:, 3:].reshape(-1)
        motion.contacts[:, space_rows.RADIUS], motion.contacts[:, space_rows.OVERHANG] = scene.radius, scene.overhang
        motion.contacts[scene.begins_past > 0, rows.STATUS] = scene_rows.PAST
    motion.outputs[:, scene_rows.RIDDEN], motion.outputs[:, scene_rows.RIDE] = flat.drives.ridden, flat.drives.ride
    typical = (np.abs(flat.drives.share) * shaken + np.abs(flat.load)) / np.maximum(flat.omega, 1.0)
    squares = flat.modal_mass * (FLOOR**2 * typical**2 + flat.v0**2 + (flat.omega * flat.q0) ** 2)
    np.add.at(motion.size[0], plan.group, squares)
    motion.size[0] = np.maximum(motion.size[0], 1e-200)
    motion.run[ledger.TOLERANCE], motion.run[ledger.LIMIT] = rtol, limit
    every = plan.friction[plan.friction[:, scene_rows.PRINTED] > 0.0, scene_rows.PRINTED_STEP]
    motion.clock[clock.CHECK_STEP] = every.min(initial=np.inf) if every.size else 0.0
    return motion


def tables_of_scene(
    flat: FlatProblem, rules: Rules, rtol: float, limit: float, ground: Array, dt: float
) -> tuple[Plan, Motion, Springs]:
    """Return the tables of a run."""
    plan = plan_of(flat)
    motion = motion_of(flat, plan, rtol, limit, float(np.abs(ground).max(initial=0.0)))
    quickest = float(flat.omega.max(initial=0.0))
    motion.clock[clock.STEP], motion.clock[clock.KIND] = min(dt, 0.1 / quickest if quickest else dt), PLAIN
    return plan, motion, springs_of_scene(flat, rules)


def springs_of_scene(flat: FlatProblem, rules: Rules) -> Springs:
    """Return all joints as kernels see them, without a memory."""
    scene, names = scene_of(flat), rules_in(flat)
    wide = max(flat.springs.shape[1], scene.joint_numbers.shape[1])
    numbers = np.zeros((len(names), wide))
    numbers[: len(flat.springs), : flat.springs.shape[1]] = flat.springs
    numbers[len(flat.springs) :, : scene.joint_numbers.shape[1]] = scene.joint_numbers
    slots = max((joints.get(name).slots for name in names), default=0)
    sizes = np.concatenate([flat.spring_rows, scene.joint_rows])
    return springs_from(rules, names, sizes, numbers, np.zeros((len(names), slots)))


def _extent(flat: FlatProblem) -> float:
    """Return the largest distance that overlaps are made of [m], at least one metre."""
    scene = scene_of(flat)
    places = (scene.anchor_point, scene.body_pose[:, : 3 if scene.spatial else 2], flat.gap)
    return max(1.0, *(float(np.abs(some).max(initial=0.0)) for some in places))


def _reach(scene: FlatScene) -> Array:
    """Return how far the farthest anchor of each body stands from its centre, with what lies before faces [m]."""
    before = float((np.abs(scene.clearance) + scene.radius).max(initial=0.0))
    far = np.linalg.norm(scene.anchor_point, axis=1)
    found = [far[scene.anchor_body == b].max(initial=0.0) + before for b in range(len(scene.body_modes))]
    return np.array(found, dtype=np.float64)


def _sparse(table: Array) -> _Rows:
    there = table != 0.0
    first = np.concatenate([[0], np.cumsum(there.sum(axis=1))]).astype(np.int64)
    return _Rows(first, np.nonzero(there)[1].astype(np.int64), np.ascontiguousarray(table[there]))
