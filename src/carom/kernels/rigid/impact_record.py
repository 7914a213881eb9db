"""The account of rigid contacts: what touches and how fast, the book of an impact, a sample of the history."""

import math

from carom.kernels.endings import ENERGY_CREATED, NO_FAULT
from carom.kernels.ledger import (
    APPROACH,
    BEGAN,
    CONTACT,
    CONTACT_WORK,
    DURATION,
    ENERGY_LOST,
    IMPACT_SIZE,
    INPUT,
    KINETIC,
    SEPARATION,
    STRAIN,
    TABLE_IMPULSE,
    TABLE_PEAK_FORCE,
    TABLE_PEAK_OVERLAP,
)
from carom.kernels.rigid.rows import (
    CREATED,
    ENERGY_SIZE,
    FAULT,
    FAULT_CONTACT,
    FAULT_VALUE,
    GAP,
    IMPACT_APPROACH,
    IMPACT_ENERGY,
    IMPACT_FRICTION,
    IMPACT_IMPULSE,
    IMPACT_OPEN,
    IMPACT_OVERLAP,
    IMPACT_PEAK,
    IMPACT_START,
    IMPACTS,
    LARGEST_ENERGY,
    LARGEST_GAIN,
    LEAST_LOST,
    MASS,
    MAY_CREATE,
    OVERLAP,
    RATE,
    SLIP,
    SQUARE,
    SUM,
    WALL,
    WALL_SLIP,
    Q,
    V,
)
from carom.kernels.rigid.tables import Histories, System
from carom.kernels.types import Matrix, Vector

TABLE_FRICTION = IMPACT_SIZE
"""Column of the impacts table behind those of `ledger`: the impulse of friction, along both tangents."""
TABLE_SIZE = IMPACT_SIZE + 2

GAIN = 1e-6
"""Energy that an impact may create by errors, as part of the largest energy so far."""
MISMATCH = 1e-8
"""Difference between the rates after an impact and those that its impulses give, as part of the largest speed."""


def accuse(fault: float, contact: int, value: float, run: Vector) -> None:
    """Note that the run contradicts itself, the first time it does."""
    if run[FAULT] == NO_FAULT:
        run[FAULT], run[FAULT_CONTACT], run[FAULT_VALUE] = fault, contact, value


def energy_now(modes: Matrix, energy: Vector) -> float:
    """Return the largest of the energy held now and of what came in [J]: by it gains are judged."""
    held = 0.0
    for k in range(modes.shape[0]):
        row = modes[k]
        held += 0.5 * row[MASS] * (row[V] * row[V] + row[SQUARE] * row[Q] * row[Q])
    return max(held, abs(energy[INPUT]))


def judge_gain(taken: float, excused: float, contact: int, modes: Matrix, energy: Vector, run: Vector) -> None:
    """Note the energy [J] that contacts took together; accuse the run where they created more than is `excused`."""
    energy[CONTACT_WORK] += taken
    energy[CREATED] += max(-taken, 0.0)
    run[LARGEST_GAIN] = max(run[LARGEST_GAIN], -taken)
    run[LEAST_LOST] = min(run[LEAST_LOST], taken)
    if -taken > excused and run[MAY_CREATE] == 0.0:
        run[LARGEST_ENERGY] = max(run[LARGEST_ENERGY], energy_now(modes, energy))
        if -taken - excused > GAIN * run[LARGEST_ENERGY]:
            accuse(ENERGY_CREATED, contact, -taken, run)


def gauge(system: System) -> None:
    """Work out overlaps, their rates and slips; rows of tangents follow those of normals where there are any."""
    reach, push, modes, contacts = system.reach, system.push, system.modes, system.contacts
    many = contacts.shape[0]
    for c in range(many):
        overlap, rate, pushed = -contacts[c, GAP], 0.0, 0.0
        for k in range(modes.shape[0]):
            overlap += reach[c, k] * modes[k, Q]
            rate += reach[c, k] * modes[k, V]
            pushed += push[c, k] * modes[k, V]
        contacts[c, OVERLAP] = overlap
        contacts[c, RATE] = rate
        contacts[c, WALL] = rate - pushed
        for t in range(reach.shape[0] // many - 1):
            row = (1 + t) * many + c
            rate, pushed = 0.0, 0.0
            for k in range(modes.shape[0]):
                rate += reach[row, k] * modes[k, V]
                pushed += push[row, k] * modes[k, V]
            contacts[c, SLIP + t] = rate
            contacts[c, WALL_SLIP + t] = rate - pushed


def open_book(now: float, approach: float, peak: float, row: Vector) -> None:
    """Begin the account of an impact or of a contact at rest."""
    row[IMPACT_OPEN] = 1.0
    row[IMPACT_START] = now
    row[IMPACT_APPROACH] = approach
    row[IMPACT_IMPULSE] = row[IMPACT_OVERLAP] = row[IMPACT_ENERGY] = 0.0
    row[IMPACT_FRICTION] = row[IMPACT_FRICTION + 1] = 0.0
    row[IMPACT_PEAK] = peak


def enter(contact: int, now: float, separation: float, row: Vector, impacts: Matrix, run: Vector) -> None:
    """Close the book of an impact."""
    line = int(run[IMPACTS])
    run[IMPACTS] += 1.0
    row[IMPACT_OPEN] = 0.0
    if line < impacts.shape[0]:
        into = impacts[line]
        into[CONTACT] = contact
        into[BEGAN] = row[IMPACT_START]
        into[DURATION] = now - row[IMPACT_START]
        into[APPROACH] = row[IMPACT_APPROACH]
        into[SEPARATION] = separation
        into[TABLE_PEAK_FORCE] = row[IMPACT_PEAK]
        into[TABLE_PEAK_OVERLAP] = row[IMPACT_OVERLAP]
        into[TABLE_IMPULSE] = row[IMPACT_IMPULSE]
        into[ENERGY_LOST] = row[IMPACT_ENERGY]
        into[TABLE_FRICTION] = row[IMPACT_FRICTION]
        into[TABLE_FRICTION + 1] = row[IMPACT_FRICTION + 1]


def write_sample(i: int, span: float, system: System, histories: Histories) -> bool:
    """Write the state at sample `i`; forces are means over the time `span` before it. False where it left all range."""
    modes, contacts, energy, run = system.modes, system.contacts, system.energy, system.run
    kinetic = 0.0
    strain = 0.0
    for k in range(modes.shape[0]):
        row = modes[k]
        histories.q[i, k] = row[Q]
        histories.v[i, k] = row[V]
        kinetic += row[MASS] * row[V] * row[V]
        strain += row[MASS] * row[SQUARE] * row[Q] * row[Q]
    for c in range(contacts.shape[0]):
        histories.force[i, c] = contacts[c, SUM] / span
        contacts[c, SUM] = 0.0
    energy[KINETIC], energy[STRAIN] = 0.5 * kinetic, 0.5 * strain
    for column in range(ENERGY_SIZE):
        histories.ledger[i, column] = energy[column]
    run[LARGEST_ENERGY] = max(run[LARGEST_ENERGY], energy[KINETIC] + energy[STRAIN], abs(energy[INPUT]))
    return math.isfinite(kinetic + strain)
