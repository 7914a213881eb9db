"""Event-driven with impulsive laws: exact flight, impacts located to rounding, contacts that come to rest."""

from __future__ import annotations

import time as clock

import numpy as np
import numpy.typing as npt

from carom.backends import compiled
from carom.integrate.scenes.bodies import is_spatial, placed, rotations_of
from carom.integrate.schemes.base import Task
from carom.integrate.schemes.event_scene import Found, fresh_run, peaks_of, scene_run
from carom.integrate.schemes.impulsive import (
    balanced,
    blank_beyond,
    common_evidence,
    contact_evidence,
    contacts_of,
    empty_histories,
    ending,
    fault_of,
    floors_of,
    friction_of,
    impacts_of,
    largest_of,
    mean_acceleration,
    modes_of,
    outcome_of,
    solver_for,
)
from carom.kernels import endings
from carom.kernels.rigid import impact_record as rigid_book
from carom.kernels.rigid import rows
from carom.kernels.rigid.events import impacts as rigid_impacts
from carom.kernels.rigid.events import motion_series
from carom.kernels.rigid.tables import Flight, Histories, System
from carom.results import Simulation

__all__ = ["event_impulsive"]

Array = npt.NDArray[np.float64]

CAUTION = (
    "impacts take no time: accelerations and forces are means over the sample before (Δt = {span:g} s) and depend on "
    "it: they grow without bound as it falls, as langlade2021 warns, and do not serve design; nor do spectra of floor "
    "accelerations at periods not much longer than that"
)


def event_impulsive(task: Task) -> Simulation:
    """Follow rigid contacts from event to event; modes may be coupled by damping."""
    flat, dt = task.flat, task.dt
    started = clock.perf_counter()
    by_steps = bool(flat.friction.any()) or (flat.scene is not None and flat.scene.turning)
    found = scene_run(task) if by_steps else series_run(task)
    code, run, contacts, peaks, ground = found.code, found.run, found.contacts, found.peaks, found.ground
    q, v, force, balance, stored = found.histories
    many, floors = flat.gap.size, floors_of(flat)
    reached = float(run[rows.REACHED])
    if code != endings.FINISHED:
        blank_beyond(reached, dt, *found.histories)
    if found.poses is None or not is_spatial(flat):
        displacement, velocity = q @ flat.outputs.T, v @ flat.outputs.T
    else:
        displacement, velocity = placed(flat, found.poses, q, v)
        turns = rotations_of(flat)
        peaks[turns, 0], peaks[turns, 1] = largest_of(displacement[:, turns]), largest_of(velocity[:, turns])
    acceleration = mean_acceleration(velocity, ground, floors, dt)
    peaks[:, 2] = largest_of(acceleration)
    if code == endings.NOT_FINITE:
        peaks[:, 0], peaks[:, 1] = largest_of(displacement), largest_of(velocity)
    impacts, account = impacts_of(found.table, contacts, reached, flat), balanced(balance, flat, stored)
    fault = None
    if code in (endings.FINISHED, endings.UNTRUSTED):
        fault = fault_of(
            run, flat, ground, dt, v, force, friction_of(impacts, many), account, contacts[:, rows.SPEED].max(), True
        )
    return Simulation(
        time=task.time,
        displacement=displacement,
        velocity=velocity,
        acceleration=acceleration,
        force=force,
        gap=found.gap,
        table=impacts,
        extremes=peaks[:, :3].copy(),
        ledger=account,
        dofs=flat.output_labels,
        contacts=flat.contact_labels,
        scene_record=found.record,
        outcome=outcome_of(code, fault),
        evidence={
            "scheme": "event",
            "contact": "impulsive",
            "path": found.path,
            "events": int(run[rows.EVENTS]),
            "came_to_rest": int(run[rows.RESTS]),
            **ending(code, run, flat, fault),
            **contact_evidence(run, balance, impacts, "one impact", [CAUTION.format(span=dt)]),
            **common_evidence(clock.perf_counter() - started),
        },
    )


def series_run(task: Task) -> Found:
    """Fly by power series, exact to rounding; contacts that last slide without friction."""
    flat, ground, dt = task.flat, task.ground.copy(), task.dt  # kernels are compiled for arrays that can be written to
    count, many, samples = flat.omega.size, flat.gap.size, ground.shape[1]
    given_modes, given_contacts = modes_of(flat), contacts_of(flat)
    damping = flat.damping.copy()
    rapid = max(float(flat.omega.max()), float(2.0 * flat.sigma.max()))
    if damping.size:
        rapid = max(rapid, float(np.linalg.norm(damping, 2)))
    stride = 1.0 / rapid if rapid > 0.0 else dt
    capacity, size, terms = 256, max(many, 1), motion_series.TERMS
    while True:
        modes, contacts, peaks = given_modes.copy(), given_contacts.copy(), peaks_of(flat)
        history = empty_histories(samples, count, count, many, rows.ENERGY_SIZE)
        table, run = np.zeros((capacity, rigid_book.TABLE_SIZE)), fresh_run(task)
        system = System(
            modes, contacts, damping, flat.reach.copy(), flat.push.copy(), flat.reach @ flat.push.T,
            flat.restitution.copy(), np.zeros(rows.ENERGY_SIZE), run,
        )  # fmt: skip
        flight = Flight(np.zeros((count, terms)), np.zeros((size, terms)), np.zeros(size), np.zeros(terms))
        q, v, force, balance = history
        code = compiled(rigid_impacts.bounce)(
            system, flat.drives.which.copy(), ground, dt, stride, flat.outputs.copy(), peaks, flight, solver_for(size),
            Histories(q, v, force, np.zeros((0, 0)), balance, table),
        )  # fmt: skip
        found = int(run[rows.IMPACTS])
        if found <= capacity:
            gap = flat.gap - q @ flat.reach.T
            histories = q, v, force, balance, np.zeros(samples)
            return Found("series", code, run, contacts, peaks, table[:found], ground, histories, gap)
        capacity = found
