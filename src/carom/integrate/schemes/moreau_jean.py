"""Moreau-Jean time stepping for impulsive laws (langlade2021 section 2)."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.backends import compiled
from carom.errors import refusal
from carom.integrate.scenes.bodies import is_spatial, placed, poses_of, rotations_of
from carom.integrate.schemes.base import Task, register_scheme
from carom.integrate.schemes.capability import Can
from carom.integrate.schemes.event_scene import record_of, scene_of
from carom.integrate.schemes.impulsive import (
    METHODS,
    balanced,
    blank_beyond,
    common_evidence,
    contact_evidence,
    contacts_of,
    directions_of,
    empty_histories,
    ending,
    fault_of,
    floors_of,
    friction_of,
    hypothesis_of,
    impacts_of,
    largest_of,
    may_create,
    mean_acceleration,
    modes_of,
    outcome_of,
    solver_for,
)
from carom.integrate.schemes.watch import long_step
from carom.integrate.tables import joint_rules
from carom.kernels import endings
from carom.kernels.joints import PULL_ROWS
from carom.kernels.rigid import impact_record as rigid_book
from carom.kernels.rigid import moving, rows, space
from carom.kernels.rigid.impulses import impulses
from carom.kernels.rigid.moreau_jean import free_steps, plain_contact
from carom.kernels.rigid.moreau_jean import steps as kernel
from carom.kernels.rigid.tables import Floors, Histories, Inside, Linearised, System, Trail
from carom.problem import FlatProblem
from carom.results import Simulation
from carom.units import POSITIVE, Range, number

Array = npt.NDArray[np.float64]

OWNER = "moreau-jean"
THETAS = Range(0.5, 1.0, low_open=False, high_open=False)
CAUTION = (
    "forces and accelerations are impulses over a step (Δt = {step:g} s, means over a sample of {span:g} s) and depend "
    "on it: they grow without bound as it falls, as langlade2021 warns, and do not serve design; nor do spectra of "
    "floor accelerations at periods not much longer than that"
)


CAN = Can(
    compliant=False,
    impulsive=True,
    friction=True,
    yielding=True,
    coupled_damping=True,
    turning=True,
    spatial=True,
    components=3,
)


@register_scheme("moreau-jean", aliases=("nscd", "time-stepping"), can=CAN, order=1)
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
    hypothesis = hypothesis_of(flat)
    theta = number(theta, "", name="theta", owner=OWNER, within=THETAS)
    gamma = number(gamma, "", name="gamma", owner=OWNER, within=Range(0.0, math.inf, low_open=False))
    if solver not in METHODS:
        raise refusal("solver", OWNER, f"must be one of {', '.join(map(repr, METHODS))}", solver)
    if not isinstance(projection, bool):
        raise refusal("projection", OWNER, "must be True or False", projection)
    ground, span, parts = _steps(task, dt)
    ground = ground.copy()  # kernels are compiled once, for arrays that can be written to
    h = span / parts
    count, many, samples, dofs = flat.omega.size, flat.gap.size, ground.shape[1], flat.outputs.shape[0]

    turning = flat.scene is not None and flat.scene.turning
    reach, push = directions_of(flat, turning=turning)
    joined = len(flat.spring_rules)
    coupled = joined > 0 or not flat.classical
    damping = (flat.damping.copy() if flat.damping.size else np.diag(2.0 * flat.sigma)) if coupled else np.zeros((0, 0))
    inverse, answer = _inverse(task, damping, push, theta, h)
    given_modes, given_contacts = modes_of(flat), contacts_of(flat)
    if coupled:
        given_modes[:, rows.TWICE] = 0.0  # the matrix has it
    floors = floors_of(flat)
    between = flat.scene.joint_rules if flat.scene is not None else ()
    rules, slots = joint_rules.rules_of((*flat.spring_rules, *between)), joint_rules.slots_of(flat)
    march = _kernel(flat, rules, turning)
    width, size = free_steps.STRETCH + 1, max(reach.shape[0], 1)

    capacity = 256
    started = clock.perf_counter()
    while True:
        modes, contacts = given_modes.copy(), given_contacts.copy()
        worst = np.zeros((3 * dofs, width))
        widths = count, count, many, min(joined, 1), rows.ENERGY_SIZE
        history = empty_histories(samples, *widths)
        history[3][0] = 0.0  # springs begin unstretched
        table, run = np.zeros((capacity, rigid_book.TABLE_SIZE)), np.zeros(rows.RUN_SIZE)
        run[rows.THETA], run[rows.GAMMA], run[rows.PROJECTION] = theta, gamma, float(projection)
        run[rows.HYPOTHESIS], run[rows.METHOD] = hypothesis, METHODS[solver]
        newton = hypothesis == impulses.NEWTON  # without friction it creates in settling alone, which the kernel knows
        run[rows.MAY_CREATE] = flat.slide.any() if newton else may_create(flat, hypothesis)
        run[rows.LEAST_LOST] = np.inf
        system = System(
            modes, contacts, damping, reach.copy(), push.copy(), reach[:many] @ push[:many].T, flat.restitution.copy(),
            np.zeros(rows.ENERGY_SIZE), run,
        )  # fmt: skip
        inside = Inside(
            flat.spring_reach.copy(), joint_rules.springs_of(flat, rules, np.zeros((joined, slots))),
            np.zeros((PULL_ROWS, flat.spring_reach.shape[0])),
        )  # fmt: skip
        scratch = np.zeros((free_steps.SHAKEN + ground.shape[0], width))
        trail_q, trail_v = np.zeros((2, count, width))
        trail = Trail(trail_q, trail_v, scratch, np.zeros((3, many)))
        q, v, force, stored, balance = history
        scene = scene_of(flat, rules, samples)
        code = march(
            system, flat.drives.which.copy(), ground, parts, h, Linearised(inverse, answer, reach @ answer), inside,
            Floors(flat.outputs.copy(), floors, worst), solver_for(size), trail,
            Histories(q, v, force, stored, balance, table), scene,
        )  # fmt: skip
        found = int(run[rows.IMPACTS])
        if found <= capacity:
            break
        capacity = found
    reached = float(run[rows.REACHED])
    if code != endings.FINISHED:
        blank_beyond(reached, span, *history)
    displacement, velocity = placed(flat, poses_of(scene), q, v)
    acceleration = mean_acceleration(velocity, ground, floors, span)
    if parts == 1 or code == endings.NOT_FINITE:
        extremes = np.stack([largest_of(values) for values in (displacement, velocity, acceleration)], axis=1)
    else:
        first = np.abs([displacement[0], velocity[0], np.zeros(dofs)]).T
        extremes = np.maximum(worst.max(axis=1).reshape(dofs, 3), first)
        turns = rotations_of(flat)  # the modes of which do not tell them
        for kind, values in enumerate((displacement, velocity, acceleration)):
            extremes[turns, kind] = largest_of(values[:, turns])
    impacts, account = impacts_of(table[:found], contacts, reached, flat), balanced(balance, flat, stored.sum(axis=1))
    fault = None
    if code in (endings.FINISHED, endings.UNTRUSTED):
        complete = theta == 0.5 and not projection and not joined
        fault = fault_of(run, flat, ground, span, v, force, friction_of(impacts, many), account, 0.0, complete)
    cautions = [CAUTION.format(step=h, span=span), *long_step(h, flat.omega)]
    return Simulation(
        time=flat.start + span * np.arange(samples, dtype=np.float64),
        displacement=displacement,
        velocity=velocity,
        acceleration=acceleration,
        force=force,
        gap=scene.samples[:, moving.W_GAP :: moving.W_COLUMNS].copy() if turning else flat.gap - q @ flat.reach.T,
        table=impacts,
        extremes=extremes,
        ledger=account,
        dofs=flat.output_labels,
        contacts=flat.contact_labels,
        scene_record=record_of(flat, scene, force) if turning else None,
        outcome=outcome_of(code, fault),
        evidence={
            **_evidence(run, parts, span, solver, projection),
            **ending(code, run, flat, fault),
            **contact_evidence(run, balance, impacts, "impulses of one step", cautions),
            **common_evidence(clock.perf_counter() - started),
        },
    )


def _kernel(flat: FlatProblem, rules: joint_rules.Rules, turning: bool) -> Callable[..., int]:
    """Return the kernel with no more in it than a problem asks for."""
    if not turning and not flat.spring_rules and not flat.slide.any():
        return compiled(plain_contact.march)
    if is_spatial(flat):
        return joint_rules.kernel_with(rules, space.march, space.IN_STEPS)
    return joint_rules.kernel_with(rules, kernel.march if turning else plain_contact.still_march)


def _steps(task: Task, dt: float | str | None) -> tuple[Array, float, int]:
    """Return the ground, the time between its samples and how many steps go into it.

    Without a record the samples follow the steps, unless these fit into those.
    """
    if dt is None:
        return task.ground, task.dt, 1
    step = number(dt, "s", name="dt", owner=OWNER, within=POSITIVE)
    ratio = task.dt / step
    if task.flat.ground.shape[2]:
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


def _inverse(task: Task, damping: Array, push: Array, theta: float, h: float) -> tuple[Array, Array]:
    """Return J⁻¹, (9), as one row where it is diagonal, and J⁻¹ pushᵀ."""
    flat = task.flat
    diagonal = 1.0 + (theta * h * flat.omega) ** 2
    if not damping.size:
        soft = 1.0 / (diagonal + 2.0 * theta * h * flat.sigma)
        return soft[None, :], np.ascontiguousarray(soft[:, None] * push.T)
    inverse = np.ascontiguousarray(np.linalg.inv(theta * h * damping + np.diag(diagonal)))
    return inverse, np.ascontiguousarray(inverse @ push.T)


def _evidence(run: Array, parts: int, span: float, solver: str, projection: bool) -> dict[str, Any]:
    return {
        "scheme": OWNER,
        "time_step": span / parts,
        "theta": float(run[rows.THETA]),
        "gamma": float(run[rows.GAMMA]),
        "steps": round(float(run[rows.REACHED]) * parts / span),
        "contact_steps": int(run[rows.CONTACT_STEPS]),
        "iterations": int(run[rows.PASSES]),
        "solver": solver,
        "projection": projection,
    }
