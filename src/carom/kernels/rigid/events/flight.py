"""Flight of rigid bodies from event to event: when something touches or lets go, and the motion until then."""

import math

from carom.kernels.ledger import DAMPING, INPUT
from carom.kernels.rigid.events.motion_series import NEVER, TERMS, at, first_rise, largest, slope_at
from carom.kernels.rigid.rows import (
    APART,
    GAP,
    IMPACT_IMPULSE,
    IMPACT_PEAK,
    LEADER,
    LENGTH,
    LOAD,
    MASS,
    PULL,
    RESTING,
    SLOPE,
    SPEED,
    SQUARE,
    STATUS,
    SUM,
    TWICE,
    Q,
    V,
)
from carom.kernels.rigid.tables import Flight, System
from carom.kernels.types import Codes, Matrix, Vector

TOUCH = 1e-12
"""Contacts closer than this part of LENGTH touch."""
STILL = 1e-12
"""Rates below this part of SPEED are none."""
LEAST = 1e-6
"""Lengths [m] and speeds [m/s] by which rounding is judged are at least this."""

NODES = (-0.9324695142031521, -0.6612093864662645, -0.2386191860831969, 0.2386191860831969, 0.6612093864662645,
         0.9324695142031521)  # fmt: skip
WEIGHTS = (0.1713244923791704, 0.3607615730481386, 0.4679139345726910, 0.4679139345726910, 0.3607615730481386,
           0.1713244923791704)  # fmt: skip
"""Gauss's rule with six nodes."""


def measure(span: float, reach: Matrix, modes: Matrix, contacts: Matrix) -> None:
    """Note the sizes by which rounding is judged; loads and springs over the time `span` count, though contacts resist.

    Bodies that only just begin to move have no acceleration yet; what their springs will give them counts as well. Each
    contact has its own length. Speeds and accelerations are those of all that hang together: impulses pass through.
    """
    for c in range(contacts.shape[0]):
        length, speed, pull = max(abs(contacts[c, GAP]), LEAST), LEAST, 0.0
        for k in range(modes.shape[0]):
            length += abs(reach[c, k] * modes[k, Q])
            speed += abs(reach[c, k] * modes[k, V])
            spring = modes[k, SQUARE] * (abs(modes[k, Q]) + abs(modes[k, V]) * span)
            force = abs(modes[k, LOAD]) + abs(modes[k, SLOPE]) * span + modes[k, TWICE] * abs(modes[k, V])
            pull += abs(reach[c, k]) * (force + spring)
        contacts[c, LENGTH] = max(contacts[c, LENGTH], length, pull * span * span)
        leader = contacts[int(contacts[c, LEADER])]
        leader[PULL] = max(leader[PULL], pull)
        leader[SPEED] = max(leader[SPEED], speed, pull * span)


def noise_of(contact: int, contacts: Matrix) -> float:
    """Return the rate [m/s] below which a contact's own is none."""
    return STILL * contacts[int(contacts[contact, LEADER]), SPEED]


def next_event(
    length: float, held: int, kept: Codes, reach: Matrix, contacts: Matrix, series: Matrix, reaction: Matrix,
    pulls: Vector, overlap: Vector,
) -> tuple[float, bool]:  # fmt: skip
    """Return when in the stretch a contact closes or a reaction ends, and whether anything does."""
    found = False
    for i in range(held):
        row = reaction[kept[i]]
        row[0] += pulls[kept[i]]
        when = first_rise(-1.0, row, length)
        row[0] -= pulls[kept[i]]
        if when != NEVER and when < length:
            length, found = when, True
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == RESTING:
            continue
        for p in range(TERMS):
            overlap[p] = 0.0
            for k in range(series.shape[0]):
                overlap[p] += reach[c, k] * series[k, p]
        overlap[0] -= row[GAP]
        row[STATUS] = APART
        none = 0  # an overlap that is none, and perhaps a rate: divided out, the next zero is found as sharply
        if abs(overlap[0]) <= TOUCH * row[LENGTH]:
            none = 2 if abs(overlap[1]) <= noise_of(c, contacts) else 1 if overlap[1] < 0.0 else 0
        if none > 0:
            for p in range(TERMS):
                overlap[p] = overlap[p + none] if p + none < TERMS else 0.0
        when = 0.0 if none == 2 and overlap[0] > 0.0 else first_rise(1.0, overlap, length)
        if when != NEVER and when <= length:
            length, found = when, True
    return length, found


def fly(
    t: float, length: float, held: int, kept: Codes, system: System, flight: Flight, shapes: Matrix, peaks: Matrix
) -> None:
    """Move on by `length`: peaks, work, impulses of the reactions, then the state."""
    modes, contacts, damping, energy = system.modes, system.contacts, system.damping, system.energy
    reach, push, series, reaction, floor = system.reach, system.push, flight.series, flight.reaction, flight.overlap
    for d in range(shapes.shape[0]):
        for p in range(TERMS):
            floor[p] = 0.0
            for k in range(int(peaks[d, 3]), int(peaks[d, 4])):
                floor[p] += shapes[d, k] * series[k, p]
        peaks[d, 0] = max(peaks[d, 0], largest(floor, False, length))
        peaks[d, 1] = max(peaks[d, 1], largest(floor, True, length))
    for g in range(6):
        s = 0.5 * length * (1.0 + NODES[g])
        weight = 0.5 * length * WEIGHTS[g]
        for k in range(modes.shape[0]):
            modes[k, V] = slope_at(series[k], s)
        for k in range(modes.shape[0]):
            if modes[k, MASS] > 0.0:
                drag = modes[k, TWICE] * modes[k, V]
                if damping.shape[0] > 0:
                    drag = 0.0
                    for j in range(modes.shape[0]):
                        drag += damping[k, j] * modes[j, V]
                energy[INPUT] += weight * (modes[k, LOAD] + modes[k, SLOPE] * (t + s)) * modes[k, V]
                energy[DAMPING] += weight * drag * modes[k, V]
        for i in range(held):
            row = contacts[kept[i]]
            force = at(reaction[kept[i]], s)
            wall = 0.0
            for k in range(modes.shape[0]):
                wall += (reach[kept[i], k] - push[kept[i], k]) * modes[k, V]
            energy[INPUT] += weight * force * wall
            row[IMPACT_IMPULSE] += weight * force
            row[SUM] += weight * force
    for i in range(held):
        row = contacts[kept[i]]
        most = largest(reaction[kept[i]], False, length)
        row[IMPACT_PEAK] = most if math.isnan(row[IMPACT_PEAK]) else max(row[IMPACT_PEAK], most)
    for k in range(modes.shape[0]):
        modes[k, Q] = at(series[k], length)
        modes[k, V] = slope_at(series[k], length)
