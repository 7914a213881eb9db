"""Event-driven with impulsive laws: exact flight, impacts located to rounding, contacts that come to rest."""

from __future__ import annotations

import time as clock

import numpy as np
import numpy.typing as npt

from carom.backends import compiled
from carom.integrate.schemes.base import Task
from carom.integrate.schemes.impulsive import (
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
from carom.kernels import endings
from carom.kernels.rigid import impact_record as rigid_book
from carom.kernels.rigid import impacts as rigid_impacts
from carom.kernels.rigid import motion_series, plain_contact, rows
from carom.kernels.rigid.tables import Flight, Histories, System
from carom.results import Simulation

__all__ = ["event_impulsive"]

Array = npt.NDArray[np.float64]

CAUTION = (
    "impacts take no time: accelerations and forces are means over the sample before (Δt = {span:g} s) and depend on "
    "it: they grow without bound as it falls, as langlade2021 warns, and do not serve design; nor do spectra of floor "
    "accelerations at periods not much longer than that"
)

FRICTIONLESS = (
    "contacts came to rest and slide without friction there: event by event friction acts in impacts only; "
    "scheme='moreau-jean' has it in contacts that last"
)


def event_impulsive(task: Task) -> Simulation:
    """Follow rigid contacts from event to event; modes may be coupled by damping."""
    flat, ground, dt = task.flat, task.ground.copy(), task.dt  # kernels are compiled for arrays that can be written to
    hypothesis = hypothesis_of(flat)
    count, many, samples, dofs = flat.omega.size, flat.gap.size, ground.shape[1], flat.outputs.shape[0]
    given_modes, given_contacts = modes_of(flat), contacts_of(flat)
    reach, push = directions_of(flat)
    damping, floors = flat.damping.copy(), floors_of(flat)
    bounce = rigid_impacts.bounce if flat.slide.any() else plain_contact.bounce
    rapid = max(float(flat.omega.max()), float(2.0 * flat.sigma.max()))
    if damping.size:
        rapid = max(rapid, float(np.linalg.norm(damping, 2)))
    stride = 1.0 / rapid if rapid > 0.0 else dt

    capacity, size = 256, max(reach.shape[0], 1)
    started = clock.perf_counter()
    while True:
        modes, contacts, peaks = given_modes.copy(), given_contacts.copy(), np.zeros((dofs, 5))
        peaks[:, 3:] = floors[:, :2]
        history = empty_histories(samples, count, count, many, rows.ENERGY_SIZE)
        table, run = np.zeros((capacity, rigid_book.TABLE_SIZE)), np.zeros(rows.RUN_SIZE)
        run[rows.HYPOTHESIS], run[rows.LIMIT] = hypothesis, task.step_limit
        run[rows.MAY_CREATE], run[rows.LEAST_LOST] = may_create(flat, hypothesis), np.inf
        system = System(
            modes, contacts, damping, reach, push, reach @ push.T, flat.restitution.copy(),
            np.zeros(rows.ENERGY_SIZE), run,
        )  # fmt: skip
        terms = motion_series.TERMS
        flight = Flight(np.zeros((count, terms)), np.zeros((size, terms)), np.zeros(size), np.zeros(terms))
        q, v, force, balance = history
        histories = Histories(q, v, force, np.zeros((0, 0)), balance, table)
        code = compiled(bounce)(
            system, flat.drives.which.copy(), ground, dt, stride, flat.outputs.copy(), peaks, flight, solver_for(size),
            histories,
        )  # fmt: skip
        found = int(run[rows.IMPACTS])
        if found <= capacity:
            break
        capacity = found
    reached = float(run[rows.REACHED])
    if code != endings.FINISHED:
        blank_beyond(reached, dt, *history)
    displacement, velocity = q @ flat.outputs.T, v @ flat.outputs.T
    acceleration = mean_acceleration(velocity, ground, floors, dt)
    peaks[:, 2] = largest_of(acceleration)
    if code == endings.NOT_FINITE:
        peaks[:, 0], peaks[:, 1] = largest_of(displacement), largest_of(velocity)
    impacts, account = impacts_of(table[:found], contacts, reached, flat), balanced(balance, flat, np.zeros(samples))
    fault = None
    if code in (endings.FINISHED, endings.UNTRUSTED):
        fault = fault_of(
            run, flat, ground, dt, v, force, friction_of(impacts, many), account, contacts[:, rows.SPEED].max(), True
        )
    cautions = [CAUTION.format(span=dt)]
    if run[rows.RESTS] and flat.slide.any():
        cautions.append(FRICTIONLESS)
    return Simulation(
        time=task.time,
        displacement=displacement,
        velocity=velocity,
        acceleration=acceleration,
        force=force,
        gap=flat.gap - q @ flat.reach.T,
        table=impacts,
        extremes=peaks[:, :3].copy(),
        ledger=account,
        dofs=flat.output_labels,
        contacts=flat.contact_labels,
        outcome=outcome_of(code, fault),
        evidence={
            "scheme": "event",
            "contact": "impulsive",
            "events": int(run[rows.EVENTS]),
            "came_to_rest": int(run[rows.RESTS]),
            **ending(code, run, flat, fault),
            **contact_evidence(run, balance, impacts, "one impact", cautions),
            **common_evidence(clock.perf_counter() - started),
        },
    )
