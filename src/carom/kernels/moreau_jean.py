"""Moreau-Jean time stepping: impulses instead of forces, one step of langlade2021's Table 2 after the other.

    M(q̇⁺ − q̇) + Δt P(q_θ, q̇_θ) − G + pushᵀ p = 0,      0 ≤ p ⊥ ġ⁺ + e ġ ≥ 0 for contacts predicted to close

In modal coordinates M = I and, the structures being linear, P = C q̇ + Ω² q: Newton's iteration of the paper ends after
its first pass, and J, W are the same in every step. Gaps are g = gap − reach·q, so that H of the paper is −reach.
Misprints of the paper are followed as corrected in its own text: (10) with q, Table 2 (iii) with +G, (17) without
W_αα p_α in the sum, the update q̇ + J⁻¹R̂.
"""

import math

from carom.kernels.complementarity import SOLVED, solve
from carom.kernels.impulses import BEFORE, FREE, IMPULSE, RESTITUTION, RIGHT, restitution_at, strike
from carom.kernels.ledger import (
    APPROACH,
    BEGAN,
    CONTACT,
    CONTACT_WORK,
    DAMPING,
    DURATION,
    ENERGY_LOST,
    FINISHED,
    INPUT,
    KINETIC,
    NOT_FINITE,
    SEPARATION,
    STRAIN,
    TABLE_IMPULSE,
    TABLE_PEAK_FORCE,
    TABLE_PEAK_OVERLAP,
)
from carom.kernels.types import Codes, Matrix, Vector

NOT_COMPLEMENTARY = 5
"""How a run ends whose impulses were not found; the others are in `ledger`."""

# a mode: given
SQUARE = 0  # ω²
TWICE = 1  # 2σ
SOFT = 2  # 1/J where modes are uncoupled
STEADY = 3  # constant load
PARTICIPATION = 4
MASS = 5  # 1, or 0 for a prescribed motion
Q = 6
V = 7
# worked out
LOAD = 8  # G, the impulse of the loads over the step
FORCE = 9  # R: G − Δt·P at the velocity before
V_NEW = 10  # after the step, then the mean velocity over it
MEAN = 11  # absolute acceleration, summed over the sample so far
SHAKEN = 12  # what the ground adds to it in a step
CHANGE = 13  # its sum over the step
MODE_SIZE = 14

# a contact: given
GAP = 0
# worked out
OVERLAP = 1
RATE = 2  # of the overlap: positive while closing
PUSH = 3  # impulse of the step
SUM = 4  # impulse since the last sample
IMPACT_OPEN = 5
IMPACT_START = 6
IMPACT_APPROACH = 7
IMPACT_IMPULSE = 8
IMPACT_PEAK = 9
IMPACT_OVERLAP = 10
IMPACT_ENERGY = 11
WALL = 12  # rate that prescribed motions give the overlap
CONTACT_SIZE = 13

# the run: settings
THETA = 0
GAMMA = 1
HYPOTHESIS = 2
METHOD = 3
PROJECTION = 4
# the account
IMPACTS = 5
CONTACT_STEPS = 6
LARGEST_RESIDUAL = 7  # of R_c [N·s]
LARGEST_SHARE = 8  # and relative to the largest impulse of its step
LARGEST_OVERLAP = 9
LARGEST_GAIN = 10  # energy that the impulses of one step created [J]
LARGEST_IMPULSE = 11
TOGETHER = 12  # most contacts solved at once
RUN_SIZE = 13


def gauge(reach: Matrix, push: Matrix, modes: Matrix, contacts: Matrix) -> None:
    """Work out overlaps and their rates."""
    for c in range(contacts.shape[0]):
        overlap = -contacts[c, GAP]
        rate = 0.0
        pushed = 0.0
        for k in range(modes.shape[0]):
            overlap += reach[c, k] * modes[k, Q]
            rate += reach[c, k] * modes[k, V]
            pushed += push[c, k] * modes[k, V]
        contacts[c, OVERLAP] = overlap
        contacts[c, RATE] = rate
        contacts[c, WALL] = rate - pushed


def place(across: Matrix, gap: Vector, modes: Matrix, places: Matrix) -> None:
    """Write all overlaps to the first row of `places`, their rates to the second; `across` is reachᵀ."""
    overlaps, rates = places[0], places[1]
    for c in range(gap.shape[0]):
        overlaps[c] = -gap[c]
        rates[c] = 0.0
    for k in range(modes.shape[0]):
        q, v, row = modes[k, Q], modes[k, V], across[k]
        for c in range(gap.shape[0]):
            overlaps[c] += row[c] * q
            rates[c] += row[c] * v


def predicted(reach: float, places: Matrix, active: Codes) -> int:
    """List the contacts Ω with ĝ = g + γΔt ġ ≤ 0, (12) and (13), `reach` being γΔt; return how many."""
    n = 0
    for c in range(places.shape[1]):
        if places[0, c] + reach * places[1, c] >= 0.0:
            active[n] = c
            n += 1
    return n


def free_velocity(
    i: int, share: float, h: float, theta: float, support: Codes, ground: Matrix, damping: Matrix, inverse: Matrix,
    modes: Matrix,
) -> None:  # fmt: skip
    """Write G and q̇ + J⁻¹R, the velocity without impulses, (4), (8) and (9).

    The step has its middle at the part `share` of sample `i`. `inverse` is J⁻¹ where modes are coupled.
    """
    coupled = inverse.shape[0] > 0
    for k in range(modes.shape[0]):
        row = modes[k]
        first = ground[support[k], i]
        row[SHAKEN] = (
            h * row[PARTICIPATION] * (first + (ground[support[k], i + 1] - first) * share)
        )  # the exact integral
        row[LOAD] = h * row[STEADY] - row[SHAKEN]
        row[FORCE] = row[LOAD] - h * (row[TWICE] * row[V] + row[SQUARE] * (row[Q] + theta * h * row[V]))
        row[V_NEW] = row[V] + row[SOFT] * row[FORCE]
    if coupled:
        for k in range(modes.shape[0]):
            drag = -modes[k, TWICE] * modes[k, V]
            for j in range(modes.shape[0]):
                drag += damping[k, j] * modes[j, V]
            modes[k, FORCE] -= h * drag
        for k in range(modes.shape[0]):
            total = modes[k, V]
            for j in range(modes.shape[0]):
                total += inverse[k, j] * modes[j, FORCE]
            modes[k, V_NEW] = total


def contact_impulses(
    n: int, reach: Matrix, answer: Matrix, w: Matrix, restitution: Matrix, modes: Matrix, contacts: Matrix,
    active: Codes, pressed: Matrix, struck: Matrix, work: Matrix, kept: Codes, run: Vector,
) -> int:  # fmt: skip
    """Find the impulses of the contacts Ω, (14) to (20), and add their answer to the new velocities."""
    for i in range(n):
        a = active[i]
        free = 0.0
        for k in range(modes.shape[0]):
            free += reach[a, k] * modes[k, V_NEW]
        struck[BEFORE, i] = -contacts[a, RATE]
        struck[FREE, i] = -free  # b, (19)
        struck[RESTITUTION, i] = restitution_at(restitution[a], abs(contacts[a, RATE]))
        for j in range(n):
            pressed[i, j] = w[a, active[j]]
    status, residual = strike(int(run[HYPOTHESIS]), int(run[METHOD]), n, pressed, struck, work, kept)
    largest = 0.0
    for i in range(n):
        p = struck[IMPULSE, i]
        contacts[active[i], PUSH] = p
        if p > 0.0:
            largest = max(largest, p)
            for k in range(modes.shape[0]):
                modes[k, V_NEW] -= answer[k, active[i]] * p
    if largest > 0.0:
        run[CONTACT_STEPS] += 1.0
        run[LARGEST_RESIDUAL] = max(run[LARGEST_RESIDUAL], residual)
        run[LARGEST_SHARE] = max(run[LARGEST_SHARE], residual / largest)
        run[LARGEST_IMPULSE] = max(run[LARGEST_IMPULSE], largest)
        run[TOGETHER] = max(run[TOGETHER], n)
    return status


def advance(h: float, theta: float, damping: Matrix, modes: Matrix, energy: Vector) -> None:
    """Move on by (5) and (7), and enter the work of loads and dampers; exact for θ = 1/2."""
    work = 0.0
    lost = 0.0
    for k in range(modes.shape[0]):
        row = modes[k]
        middle = (1.0 - theta) * row[V] + theta * row[V_NEW]
        row[Q] += h * middle
        row[CHANGE] = row[V_NEW] - row[V] + row[SHAKEN]
        row[MEAN] += row[CHANGE]
        row[V] = row[V_NEW]
        row[V_NEW] = middle
        work += row[MASS] * row[LOAD] * middle
        lost += row[MASS] * row[TWICE] * middle * middle
    if damping.shape[0] > 0:
        lost = 0.0
        for k in range(modes.shape[0]):
            for j in range(modes.shape[0]):
                lost += modes[k, MASS] * modes[k, V_NEW] * damping[k, j] * modes[j, V_NEW]
    energy[INPUT] += work
    energy[DAMPING] += h * lost


def project(
    reach: Matrix, push: Matrix, still: Matrix, modes: Matrix, contacts: Matrix, active: Codes, pressed: Matrix,
    struck: Matrix, work: Matrix, kept: Codes,
) -> int:  # fmt: skip
    """Push bodies apart that overlap, by the shortest way in the metric of the masses; velocities stay."""
    n = 0
    deepest = 0.0
    for c in range(contacts.shape[0]):
        overlap = -contacts[c, GAP]
        for k in range(modes.shape[0]):
            overlap += reach[c, k] * modes[k, Q]
        if overlap >= 0.0 or contacts[c, PUSH] > 0.0:
            deepest = max(deepest, overlap)
            active[n] = c
            struck[RIGHT, n] = -overlap
            n += 1
    if n == 0 or deepest <= 0.0:
        return SOLVED
    for i in range(n):
        for j in range(n):
            pressed[i, j] = still[active[i], active[j]]
    status = solve(0, n, pressed, struck[RIGHT], struck[IMPULSE], work, kept)
    for i in range(n):
        for k in range(modes.shape[0]):
            modes[k, Q] -= push[active[i], k] * struck[IMPULSE, i]
    return status


def enter(contact: int, now: float, row: Vector, impacts: Matrix, run: Vector) -> None:
    """Close the book of an impact: consecutive steps with an impulse are one."""
    line = int(run[IMPACTS])
    run[IMPACTS] += 1.0
    row[IMPACT_OPEN] = 0.0
    if line < impacts.shape[0]:
        impacts[line, CONTACT] = contact
        impacts[line, BEGAN] = row[IMPACT_START]
        impacts[line, DURATION] = now - row[IMPACT_START]
        impacts[line, APPROACH] = row[IMPACT_APPROACH]
        impacts[line, SEPARATION] = -row[RATE]
        impacts[line, TABLE_PEAK_FORCE] = row[IMPACT_PEAK]
        impacts[line, TABLE_PEAK_OVERLAP] = row[IMPACT_OVERLAP]
        impacts[line, TABLE_IMPULSE] = row[IMPACT_IMPULSE]
        impacts[line, ENERGY_LOST] = row[IMPACT_ENERGY]


def account(
    now: float, h: float, theta: float, reach: Matrix, push: Matrix, modes: Matrix, before: Vector, contacts: Matrix,
    energy: Vector, impacts: Matrix, run: Vector,
) -> int:  # fmt: skip
    """Enter the impulses of a step in the books of their contacts; return how many books are open.

    `before` holds the rates at its start, column V_NEW of the modes the mean velocities over it.
    """
    taken = 0.0
    books = 0
    for c in range(contacts.shape[0]):
        row = contacts[c]
        p = row[PUSH]
        if p > 0.0:
            if row[IMPACT_OPEN] == 0.0:
                row[IMPACT_OPEN] = 1.0
                row[IMPACT_START] = now
                row[IMPACT_APPROACH] = max(before[c], 0.0)
                row[IMPACT_IMPULSE] = 0.0
                row[IMPACT_PEAK] = 0.0
                row[IMPACT_OVERLAP] = 0.0
                row[IMPACT_ENERGY] = 0.0
            lost = p * ((1.0 - theta) * before[c] + theta * row[RATE])
            for k in range(modes.shape[0]):  # what a prescribed motion does
                energy[INPUT] += p * (reach[c, k] - push[c, k]) * modes[k, V_NEW]
            row[IMPACT_IMPULSE] += p
            row[IMPACT_ENERGY] += lost
            row[IMPACT_PEAK] = max(row[IMPACT_PEAK], p / h)
            row[IMPACT_OVERLAP] = max(row[IMPACT_OVERLAP], row[OVERLAP])
            row[SUM] += p
            taken += lost
            books += 1
            run[LARGEST_OVERLAP] = max(run[LARGEST_OVERLAP], row[OVERLAP])
        elif row[IMPACT_OPEN] == 1.0:
            row[RATE], after = before[c], row[RATE]  # the rate with which it left
            enter(c, now, row, impacts, run)
            row[RATE] = after
    energy[CONTACT_WORK] += taken
    run[LARGEST_GAIN] = max(run[LARGEST_GAIN], -taken)
    return books


def write_sample(
    i: int, span: float, modes: Matrix, contacts: Matrix, energy: Vector, history_q: Matrix, history_v: Matrix,
    history_a: Matrix, history_force: Matrix, ledger: Matrix,
) -> bool:  # fmt: skip
    """Write the state at sample `i`; forces and accelerations are means over the time `span` before it."""
    kinetic = 0.0
    strain = 0.0
    for k in range(modes.shape[0]):
        row = modes[k]
        history_q[i, k] = row[Q]
        history_v[i, k] = row[V]
        history_a[i, k] = row[MEAN] / span
        row[MEAN] = 0.0
        kinetic += 0.5 * row[MASS] * row[V] * row[V]
        strain += 0.5 * row[MASS] * row[SQUARE] * row[Q] * row[Q]
    for c in range(contacts.shape[0]):
        history_force[i, c] = contacts[c, SUM] / span
        contacts[c, SUM] = 0.0
    ledger[i, INPUT] = energy[INPUT]
    ledger[i, KINETIC] = kinetic
    ledger[i, STRAIN] = strain
    ledger[i, DAMPING] = energy[DAMPING]
    ledger[i, CONTACT_WORK] = energy[CONTACT_WORK]
    return math.isfinite(kinetic + strain)


def raise_peaks(spread: Matrix, spans: Codes, modes: Matrix, floors: Matrix, peaks: Matrix) -> None:
    """Raise the largest |displacement|, |velocity| and |mean absolute acceleration| of a step.

    `spread` is shapesᵀ; a mode moves the degrees of freedom from its first to its last in `spans`.
    """
    size = floors.shape[1]
    for row in range(3):
        for d in range(size):
            floors[row, d] = 0.0
    for k in range(modes.shape[0]):
        q, v, change, shape = modes[k, Q], modes[k, V], modes[k, CHANGE], spread[k]
        for d in range(spans[0, k], spans[1, k]):
            floors[0, d] += shape[d] * q
            floors[1, d] += shape[d] * v
            floors[2, d] += shape[d] * change
    for row in range(3):
        for d in range(size):
            peaks[row, d] = max(peaks[row, d], abs(floors[row, d]))


def march(
    modes: Matrix, contacts: Matrix, support: Codes, ground: Matrix, parts: int, h: float, damping: Matrix,
    inverse: Matrix, reach: Matrix, push: Matrix, across: Matrix, answer: Matrix, w: Matrix, still: Matrix,
    restitution: Matrix, spread: Matrix, spans: Codes, peaks: Matrix, floors: Matrix, pressed: Matrix, struck: Matrix,
    work: Matrix, codes: Matrix, places: Matrix, before: Vector, energy: Vector, history_q: Matrix, history_v: Matrix,
    history_a: Matrix, history_force: Matrix, ledger: Matrix, impacts: Matrix, run: Vector,
) -> int:  # fmt: skip
    """Run one problem, `parts` steps of length `h` from each sample of `ground` to the next; return how it ended.

    Peaks (of accelerations times `h`) are followed where a sample has several steps; else histories have them.
    """
    theta, gamma = run[THETA], run[GAMMA]
    active, kept = codes[0], codes[1]
    gap = places[2]
    books = 0
    place(across, gap, modes, places)
    write_sample(0, h, modes, contacts, energy, history_q, history_v, history_a, history_force, ledger)
    for i in range(ground.shape[1] - 1):
        for part in range(parts):
            # (i) which contacts are predicted to close
            n = predicted(gamma * h, places, active)
            # (ii)-(iii) the velocity without impulses
            free_velocity(i, (part + 0.5) / parts, h, theta, support, ground, damping, inverse, modes)
            # (iv)-(vi), (x) impulses, and the velocity with them
            busy = n + books > 0
            if busy:
                for c in range(contacts.shape[0]):
                    contacts[c, PUSH] = 0.0
                    contacts[c, RATE] = before[c] = places[1, c]
            if n > 0:
                status = contact_impulses(
                    n, reach, answer, w, restitution, modes, contacts, active, pressed, struck, work, kept, run
                )
                if status != SOLVED:
                    return NOT_COMPLEMENTARY
            # (viii) kinematics
            advance(h, theta, damping, modes, energy)
            if run[PROJECTION] != 0.0:
                project(reach, push, still, modes, contacts, active, pressed, struck, work, kept)
            place(across, gap, modes, places)
            if busy:
                for c in range(contacts.shape[0]):
                    contacts[c, OVERLAP], contacts[c, RATE] = places[0, c], places[1, c]
                now = (i * parts + part) * h
                books = account(now, h, theta, reach, push, modes, before, contacts, energy, impacts, run)
            if parts > 1:
                raise_peaks(spread, spans, modes, floors, peaks)
        span = parts * h
        if not write_sample(
            i + 1, span, modes, contacts, energy, history_q, history_v, history_a, history_force, ledger
        ):
            return NOT_FINITE
    for c in range(contacts.shape[0]):
        if contacts[c, IMPACT_OPEN] == 1.0:
            enter(c, (ground.shape[1] - 1) * parts * h, contacts[c], impacts, run)
    return FINISHED
