"""Reactions of contacts that last: held closed, sticking or sliding with Coulomb's friction.

    q̈ = f − pushᵀ p − slide_pushᵀ λ,      reach·q̈ + bias = 0 of contacts held,  slide·q̈ + bias = 0 where they stick,
    λ = μ p d where they slide, d the unit vector of the slip

What a state asks for is linear in the reactions. Which state a contact is in is settled where something changes
(`decide`), by the same complementarity problem as an impact, of accelerations in place of rates.
"""

import math
from typing import NamedTuple

from carom.kernels.endings import NOT_COMPLEMENTARY, SOLVED
from carom.kernels.rigid.events.rest import MOST_PATIENCE, STALLS
from carom.kernels.rigid.impulses.friction import rate_of, rough
from carom.kernels.rigid.rows import (
    LEADER,
    LEAVING,
    LOAD,
    PULL,
    RESTING,
    ROUGH,
    SLIP,
    SLOPE,
    SQUARE,
    STALLED,
    STATUS,
    TWICE,
    Q,
    V,
)
from carom.kernels.rigid.tables import Solver, System
from carom.kernels.types import Codes, Matrix, Vector

# columns of `Holds.table`, a row for each contact
STATE = 0
DIRECTION = 1  # d, along both tangents
PRESSURE = 3  # p [N]
FRICTION = 4  # λ along both tangents [N]
FORCED = 6  # 1: it has just reached the cone and slides, whatever `decide` would say of it at this moment
RUBBED = 7  # impulses of friction along both tangents since the last sample [N·s]
SHARED = 9  # 1: what it bears is a matter of convention (`react`); `decide` says whether it holds, step by step
HOLD_SIZE = 10

# states
FREE = 0.0
STICKS = 1.0
SLIDES = 2.0

NOISE = 1e-12
"""Accelerations below this part of those around are rounding."""
SLACK = 1e-10
"""A contact pulls, or leaves, where it does so with more than this part of the accelerations around it."""
TINY = 1e-10
"""A pivot below this part of its row belongs to a reaction that others already decide."""
SOFT = 1e-9
"""Where reactions are not decided by the motion, contacts give way by this part of what masses do: they share."""
STILL = 1e-10
"""A slip below this part of the speeds around it has no direction of its own."""


class Holds(NamedTuple):
    """Contacts that last, and scratch for their reactions."""

    table: Matrix
    """A row for each contact."""
    bias: Vector
    """That of the scene (`moving`)."""
    matrix: Matrix
    """The equations of the reactions, their right side behind them, and two columns of scratch."""
    which: Codes
    """Which row of `reach` each equation is of."""
    free: Vector
    """f, for each mode."""


def slack_of(system: System) -> float:
    """Return SLACK, more of it where events follow each other in no time: who holds whom is then rounding."""
    return SLACK * min(10.0 ** (0.5 * max(system.run[STALLED] - STALLS, 0.0)), MOST_PATIENCE)


def loads(t: float, system: System, into: Vector) -> None:
    """Write the accelerations of the modes without contacts, at `t` after the last sample."""
    modes, damping = system.modes, system.damping
    for k in range(modes.shape[0]):
        row = modes[k]
        drag = row[TWICE] * row[V]
        if damping.shape[0] > 0:
            drag = 0.0
            for j in range(modes.shape[0]):
                drag += damping[k, j] * modes[j, V]
        into[k] = row[LOAD] + row[SLOPE] * t - drag - row[SQUARE] * row[Q]


def along(row: int, system: System, x: Vector) -> float:
    """Return what a row of `reach` reads of numbers for the modes."""
    total = 0.0
    for k in range(x.size):
        total += system.reach[row, k] * x[k]
    return total


def slip_of(contact: int, tangents: int, system: System) -> float:
    """Return how fast a contact slides."""
    row = system.contacts[contact]
    return math.hypot(row[SLIP], row[SLIP + 1]) if tangents == 2 else abs(row[SLIP])


def directed(tangents: int, speed: float, system: System, holds: Holds) -> None:
    """Turn the directions of sliding contacts with their slips; slips below STILL·`speed` keep those they have."""
    for c in range(system.contacts.shape[0]):
        row, slip = holds.table[c], slip_of(c, tangents, system)
        if row[STATE] == SLIDES and slip > STILL * speed:
            for t in range(tangents):
                row[DIRECTION + t] = system.contacts[c, SLIP + t] / slip


def react(tangents: int, system: System, holds: Holds) -> None:
    """Write the reactions that hold contacts closed and at rest, and take them from `free`, which q̈ then is."""
    contacts, push = system.contacts, system.push
    table, matrix, which, free = holds.table, holds.matrix, holds.which, holds.free
    many, size = contacts.shape[0], 0
    for c in range(many):
        if table[c, STATE] != FREE:
            which[size] = c
            size += 1
    held = size
    for i in range(held):
        c = which[i]
        for t in range(tangents):
            if table[c, STATE] == STICKS:
                which[size] = (1 + t) * many + c
                size += 1
    equations(size, tangents, 0.0, system, holds)
    if not solved_all(size, matrix):
        share_out(size, tangents, system, holds)
    for c in range(many):
        table[c, PRESSURE] = table[c, FRICTION] = table[c, FRICTION + 1] = 0.0
    for i in range(size):
        a = which[i]
        if a < many:
            table[a, PRESSURE] = matrix[i, size]
        else:
            table[a % many, FRICTION + a // many - 1] = matrix[i, size]
    for i in range(held):
        c = which[i]
        row = table[c]
        for t in range(tangents):
            if row[STATE] == SLIDES:
                row[FRICTION + t] = contacts[c, ROUGH] * row[PRESSURE] * row[DIRECTION + t]
            for k in range(free.size):
                free[k] -= row[FRICTION + t] * push[(1 + t) * many + c, k]
        for k in range(free.size):
            free[k] -= row[PRESSURE] * push[c, k]


def share_out(size: int, tangents: int, system: System, holds: Holds) -> None:
    """Solve the equations of reactions that the motion does not decide: contacts give way alike, and so share.

    What that leaves of the accelerations is a motion: it is taken away in the same manner.
    """
    matrix, found, left = holds.matrix, holds.matrix.shape[1] - 2, holds.matrix.shape[1] - 1
    equations(size, tangents, SOFT, system, holds)
    solved_all(size, matrix)
    for i in range(size):
        matrix[i, found] = matrix[i, size]
    equations(size, tangents, 0.0, system, holds)
    for i in range(size):
        matrix[i, left] = matrix[i, size]
        for j in range(size):
            matrix[i, left] -= matrix[i, j] * matrix[j, found]
    equations(size, tangents, SOFT, system, holds)
    for i in range(size):
        matrix[i, size] = matrix[i, left]
    solved_all(size, matrix)
    for i in range(size):
        matrix[i, size] += matrix[i, found]


def equations(size: int, tangents: int, soft: float, system: System, holds: Holds) -> None:
    """Write the equations of the reactions listed in `which`; `soft` is by what part of themselves they give way."""
    contacts, reach, push = system.contacts, system.reach, system.push
    table, matrix, which, free = holds.table, holds.matrix, holds.which, holds.free
    many = contacts.shape[0]
    for i in range(size):
        a = which[i]
        matrix[i, size] = along(a, system, free) + holds.bias[a]
        for j in range(size):
            b, total = which[j], 0.0
            for k in range(free.size):
                total += reach[a, k] * push[b, k]
            if i == j:
                total *= 1.0 + soft
            if b < many and table[b, STATE] == SLIDES:
                for t in range(tangents):
                    share = contacts[b, ROUGH] * table[b, DIRECTION + t]
                    for k in range(free.size):
                        total += share * reach[a, k] * push[(1 + t) * many + b, k]
            matrix[i, j] = total


def solved_all(size: int, matrix: Matrix) -> bool:
    """Solve equations in place, answer in column `size`; False where some do not decide: those unknowns are zero."""
    every = True
    for k in range(size):
        scale, best = 0.0, k
        for i in range(k, size):
            if abs(matrix[i, k]) > abs(matrix[best, k]):
                best = i
        for j in range(size):
            scale = max(scale, abs(matrix[best, j]))
        if abs(matrix[best, k]) <= TINY * scale or scale == 0.0:  # a redundant one: its row says nothing new
            for j in range(size + 1):
                matrix[k, j] = 0.0
            for i in range(size):
                matrix[i, k] = 0.0
            matrix[k, k] = 1.0
            every = False
            continue
        if best != k:
            for j in range(size + 1):
                matrix[k, j], matrix[best, j] = matrix[best, j], matrix[k, j]
        for i in range(k + 1, size):
            part = matrix[i, k] / matrix[k, k]
            if part != 0.0:
                for j in range(k, size + 1):
                    matrix[i, j] -= part * matrix[k, j]
    for k in range(size - 1, -1, -1):
        for j in range(k + 1, size):
            matrix[k, size] -= matrix[k, j] * matrix[j, size]
        matrix[k, size] /= matrix[k, k]
    return every


def decide(tangents: int, system: System, solver: Solver, holds: Holds, speed: float) -> int:
    """Settle which contacts at rest press, and which of them stick, from the loads in `free`; return whether solved.

    Contacts that slide already go on; the cone of the others is the one of Coulomb.
    """
    contacts, table, reach, push = system.contacts, holds.table, system.reach, system.push
    pressed, struck, work, active, cases = solver.pressed, solver.struck, solver.work, solver.active, solver.kept
    many, n = contacts.shape[0], 0
    for c in range(many):
        table[c, STATE] = FREE
        if contacts[c, STATUS] == RESTING:
            active[n] = c
            n += 1
    if n == 0:
        return SOLVED
    size = n * (1 + tangents)
    given, mu, least, found = struck[0], struck[1], struck[2], struck[3]
    scale = 0.0
    for i in range(size):
        c, a = active[i % n], (i // n) * many + active[i % n]
        given[i] = -(along(a, system, holds.free) + holds.bias[a])
        scale = max(scale, contacts[int(contacts[c, LEADER]), PULL])
        if i < n:
            scale = max(scale, abs(given[i]))
        for j in range(size):
            b, total = (j // n) * many + active[j % n], 0.0
            for k in range(holds.free.size):
                total += reach[a, k] * push[b, k]
            pressed[i, j] = total
    for i in range(n):
        c, row = active[i], table[active[i]]
        mu[i], least[i] = contacts[c, ROUGH], 0.0
        slips = slip_of(c, tangents, system) > STILL * speed
        if mu[i] > 0.0 and (slips or row[FORCED] == 1.0):  # friction along d goes with the pressure
            for t in range(tangents):
                if slips:
                    row[DIRECTION + t] = contacts[c, SLIP + t] / slip_of(c, tangents, system)
                for j in range(size):
                    pressed[j, i] += mu[i] * row[DIRECTION + t] * pressed[j, (1 + t) * n + i]
            for t in range(tangents):
                for j in range(size):
                    pressed[j, (1 + t) * n + i] = 1.0 if j == (1 + t) * n + i else 0.0
            mu[i], row[STATE] = 0.0, SLIDES
            if pressed[i, i] <= 0.0:
                return NOT_COMPLEMENTARY  # it jams: no acceleration goes with this slip
        if abs(given[i]) <= 0.1 * NOISE * scale:
            given[i] = 0.0
    status = rough(NOISE * scale, n, tangents, pressed, given, mu, least, found, work, cases)
    if status != SOLVED:
        return status
    slack = slack_of(system)
    for i in range(n):
        c, row = active[i], table[active[i]]
        rate = given[i]
        for j in range(size):
            rate += pressed[i, j] * found[j]
        if found[i] <= 0.0 and rate > 0.5 * slack * scale:
            row[STATE], contacts[c, STATUS] = FREE, LEAVING
            continue
        drag, leaves = 0.0, 0.0
        for t in range(tangents):
            drag = math.hypot(drag, found[(1 + t) * n + i])
            leaves = math.hypot(leaves, rate_of((1 + t) * n + i, size, pressed, given, found))
        if row[STATE] == SLIDES:
            continue
        bound = contacts[c, ROUGH] * found[i]
        holds_still = drag < bound * (1.0 - 1e-9) or leaves <= slack * scale  # at the cone, held by others
        row[STATE] = STICKS if bound > 0.0 and holds_still else SLIDES
        for t in range(tangents):
            row[DIRECTION + t] = found[(1 + t) * n + i] / drag if drag > 0.0 else 0.0
    return SOLVED
