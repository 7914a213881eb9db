"""Rigid contacts at rest: held by a reaction force while it presses, let go when it would pull."""

import math

from carom.kernels.endings import SOLVED
from carom.kernels.ledger import CONTACT_WORK, INPUT
from carom.kernels.rigid.events.motion_series import TERMS, expand, hold
from carom.kernels.rigid.impact_record import enter, gauge, open_book
from carom.kernels.rigid.impulses.complementarity import factored, solve, solved
from carom.kernels.rigid.impulses.impulses import FREE, IMPULSE, RIGHT, moved
from carom.kernels.rigid.rows import (
    IMPACT_ENERGY,
    IMPACT_IMPULSE,
    IMPACT_OPEN,
    LEADER,
    LEAVING,
    OVERLAP,
    PULL,
    PUSH,
    RATE,
    RESTING,
    STALLED,
    STATED,
    STATUS,
    SUM,
    WALL,
    Q,
    V,
)
from carom.kernels.rigid.tables import Flight, Solver, System
from carom.kernels.types import Codes, Matrix, Vector

NOISE = 1e-12
"""Accelerations below this part of those around are rounding: a redundant row may contradict itself by as much."""
SLACK = 1e-10
"""A contact at rest is let go when it pulls with this part of the accelerations around it: above rounding."""
STALLS = 5
"""Flights of no length in a row, from which on contacts at rest are let go ever less readily: who holds whom is then a
matter of rounding."""
MOST_PATIENCE = 1e4
"""By which SLACK grows at most."""


def pulled(n: int, system: System, series: Matrix, solver: Solver) -> float:
    """Write the accelerations that the gaps listed have now without reactions, row FREE of `struck`, and W.

    Returns how large accelerations are. Reactions that hold the gaps closed solve this complementarity problem.
    """
    reach, still, contacts = system.reach, system.still, system.contacts
    active, pressed, struck = solver.active, solver.pressed, solver.struck
    size = 0.0
    for i in range(n):  # accelerations now may all be none: a jammed row whose load changes its sign
        size = max(size, contacts[int(contacts[active[i], LEADER]), PULL])
    for i in range(n):
        total = 0.0
        pull = 0.0
        for k in range(series.shape[0]):
            total += abs(reach[active[i], k] * 2.0 * series[k, 2])
            pull -= reach[active[i], k] * 2.0 * series[k, 2]
        size = max(size, total)
        struck[FREE, i] = pull
        for j in range(n):
            pressed[i, j] = still[active[i], active[j]]
    for i in range(n):
        if abs(struck[FREE, i]) <= 0.1 * NOISE * size:
            struck[FREE, i] = 0.0
    return size


def stop(now: float, n: int, system: System, pulls: Vector, solver: Solver) -> None:
    """Take away the rates of contacts that have come to rest: what the rest of their rebounds would have done."""
    push, still, modes, contacts, energy = system.push, system.still, system.modes, system.contacts, system.energy
    active, kept, work = solver.active, solver.kept, solver.work
    held = 0
    for i in range(n):
        kept[held] = active[i]
        pulls[active[i]] = -contacts[active[i], RATE]
        contacts[active[i], PUSH] = contacts[active[i], RATE]
        if factored(held, still, work, kept):
            held += 1
    into = work.shape[1] - 2
    solved(held, pulls, work, kept, into)
    for i in range(held):
        for k in range(modes.shape[0]):
            modes[k, V] -= push[kept[i], k] * work[i, into]
    gauge(system)
    for i in range(held):
        row, p = contacts[kept[i]], work[i, into]
        if row[IMPACT_OPEN] == 0.0:
            open_book(now, 0.0, math.nan, row)
        lost = 0.5 * p * (row[PUSH] + row[RATE])
        row[IMPACT_IMPULSE] += p
        row[IMPACT_ENERGY] += lost
        row[SUM] += p
        energy[CONTACT_WORK] += lost
        energy[INPUT] += p * row[WALL]


def straighten(n: int, system: System, pulls: Vector, solver: Solver) -> None:
    """Take away what rounding has left of the overlaps and rates of contacts at rest: both add up over a long rest.

    A contact that the problem states as overlapping stays where it was stated.
    """
    push, still, modes, contacts = system.push, system.still, system.modes, system.contacts
    active, kept, work = solver.active, solver.kept, solver.work
    held, into = 0, work.shape[1] - 2
    for i in range(n):
        kept[held] = active[i]
        if factored(held, still, work, kept):
            held += 1
    for column in (Q, V):
        for i in range(held):
            row = contacts[kept[i]]
            pulls[kept[i]] = row[STATED] - row[OVERLAP] if column == Q else -row[RATE]
        solved(held, pulls, work, kept, into)
        for i in range(held):
            for k in range(modes.shape[0]):
                modes[k, column] -= push[kept[i], k] * work[i, into]
    gauge(system)


def grip(t: float, now: float, system: System, flight: Flight, solver: Solver, impacts: Matrix) -> int:
    """Write the series of the stretch ahead, holding the contacts at rest that press; return how many, −1 on failure.

    They are listed in `kept`; `pulls` takes the tension at which each lets go, next to nothing. What pulls is let go.
    """
    still, contacts, run, reaction, pulls = system.still, system.contacts, system.run, flight.reaction, flight.pulls
    pressed, struck, work, active, kept, _ = solver
    n = 0
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] == RESTING:
            active[n] = c
            n += 1
    if n == 0:
        expand(t, 0, kept, system, flight, work)
        return 0
    straighten(n, system, pulls, solver)
    patience = min(10.0 ** (0.5 * max(run[STALLED] - STALLS, 0.0)), MOST_PATIENCE)
    expand(t, 0, kept, system, flight, work)
    size = pulled(n, system, flight.series, solver)
    status = solve(0, NOISE * size, n, pressed, struck[FREE], struck[IMPULSE], work, kept)
    moved(n, pressed, struck[FREE], struck[IMPULSE], struck[RIGHT])
    if status != SOLVED:
        return -1
    held = 0
    for i in range(n):
        if struck[IMPULSE, i] > 0.0:
            kept[held] = active[i]
            held += 1
        elif struck[RIGHT, i] > 0.5 * SLACK * patience * size:
            let_go(active[i], now, contacts[active[i]], impacts, run)
    while True:
        for i in range(n):  # neither pressing nor leaving: held as well where others do not decide it
            if contacts[active[i], STATUS] == RESTING and not among(active[i], held, kept):
                kept[held] = active[i]
                if hold(held + 1, kept, still, work):
                    held += 1
        hold(held, kept, still, work)
        expand(t, held, kept, system, flight, work)
        worst, whom = -0.5, -1
        for i in range(held):
            row = reaction[kept[i]]
            row[TERMS - 2] = row[TERMS - 1] = 0.0
            slack = SLACK * patience * size / still[kept[i], kept[i]]
            pulls[kept[i]] = slack
            if slack > 0.0 and row[0] / slack < worst:
                worst, whom = row[0] / slack, i
        if whom < 0:
            return held
        let_go(kept[whom], now, contacts[kept[whom]], impacts, run)
        for i in range(whom, held - 1):
            kept[i] = kept[i + 1]
        held -= 1  # those that it decided are looked at again: nobody else would see them close


def among(contact: int, held: int, kept: Codes) -> bool:
    """Return whether a contact is one of those held."""
    found = False
    for i in range(held):
        found = found or kept[i] == contact
    return found


def let_go(contact: int, now: float, row: Vector, impacts: Matrix, run: Vector) -> None:
    """End a contact at rest."""
    row[STATUS] = LEAVING
    if row[IMPACT_OPEN] == 1.0:
        enter(contact, now, -row[RATE], row, impacts, run)
