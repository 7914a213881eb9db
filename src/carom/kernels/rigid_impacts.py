"""Rigid contacts, event by event: exact flight, impacts located to rounding, contacts that come to rest.

Between events the motion is a power series (`motion_series`). An impact strikes all contacts that touch at that moment
together (`impulses`). Rebounds that become so low that rounding hides them, under an acceleration that presses, have
come to rest: infinitely many impacts in finite time end there, and a reaction force holds the contact until it would
pull.
"""

import math

from carom.kernels.complementarity import SOLVED, factored, solve, solved
from carom.kernels.impulses import BEFORE, FREE, IMPULSE, RESTITUTION, RIGHT, restitution_at, strike
from carom.kernels.ledger import CONTACT_WORK, DAMPING, FINISHED, INPUT, NOT_FINITE, STEP_LIMIT
from carom.kernels.moreau_jean import (
    CONTACT_SIZE,
    GAP,
    HYPOTHESIS,
    IMPACT_APPROACH,
    IMPACT_ENERGY,
    IMPACT_IMPULSE,
    IMPACT_OPEN,
    IMPACT_OVERLAP,
    IMPACT_PEAK,
    IMPACT_START,
    LARGEST_GAIN,
    LARGEST_IMPULSE,
    LARGEST_RESIDUAL,
    LARGEST_SHARE,
    LOAD,
    MASS,
    METHOD,
    NOT_COMPLEMENTARY,
    OVERLAP,
    PARTICIPATION,
    PUSH,
    RATE,
    RUN_SIZE,
    STEADY,
    SUM,
    TOGETHER,
    TWICE,
    WALL,
    Q,
    V,
    enter,
    gauge,
    write_sample,
)
from carom.kernels.motion_series import NEVER, SLOPE, TERMS, at, expand, first_rise, hold, largest, slope_at
from carom.kernels.types import Codes, Matrix, Vector

# columns of a contact, behind those of `moreau_jean`
STATUS = CONTACT_SIZE
APART = 0.0
RESTING = 1.0  # touching without speed: held while it presses
LEAVING = 2.0  # let go at this moment
RIGID_SIZE = STATUS + 1

# the run, behind the account of `moreau_jean`
LENGTH = RUN_SIZE  # the largest |gap| + Σ|reach·q| so far [m]
SPEED = RUN_SIZE + 1  # the largest Σ|reach·v| so far [m/s]
EVENTS = RUN_SIZE + 2
LIMIT = RUN_SIZE + 3
RESTS = RUN_SIZE + 4  # contacts that came to rest
BEGUN = RUN_SIZE + 5  # events before the sample
RIGID_RUN_SIZE = RUN_SIZE + 6

TOUCH = 1e-12
"""Contacts closer than this part of LENGTH touch."""
STILL = 1e-12
"""Rates below this part of SPEED are none."""
LOW = 1e-14
"""A rebound lower than this part of LENGTH is hidden by rounding."""
LEAST = 1e-6
"""Lengths [m] and speeds [m/s] by which rounding is judged are at least this."""
SLACK = 1e-10
"""A contact at rest is let go when it pulls with this part of the accelerations around it: above rounding."""
HURRY = 200
"""Impacts in one sample, from which on rebounds count as none that are ever less low: bodies that only their impacts
bring together come to rest too, with nothing that presses."""
ROUNDS = 200
"""Impacts at one moment, until nothing approaches."""

NODES = (-0.9324695142031521, -0.6612093864662645, -0.2386191860831969, 0.2386191860831969, 0.6612093864662645,
         0.9324695142031521)  # fmt: skip
WEIGHTS = (0.1713244923791704, 0.3607615730481386, 0.4679139345726910, 0.4679139345726910, 0.3607615730481386,
           0.1713244923791704)  # fmt: skip
"""Gauss's rule with six nodes."""


def measure(span: float, reach: Matrix, modes: Matrix, contacts: Matrix, run: Vector) -> None:
    """Note the sizes by which rounding is judged; loads over the time `span` count, though contacts may resist them."""
    for c in range(contacts.shape[0]):
        length, speed, pull = max(abs(contacts[c, GAP]), LEAST), LEAST, 0.0
        for k in range(modes.shape[0]):
            length += abs(reach[c, k] * modes[k, Q])
            speed += abs(reach[c, k] * modes[k, V])
            pull += abs(reach[c, k] * modes[k, LOAD])
        run[LENGTH] = max(run[LENGTH], length, pull * span * span)
        run[SPEED] = max(run[SPEED], speed, pull * span)


def pressing(
    t: float, n: int, active: Codes, damping: Matrix, reach: Matrix, push: Matrix, still: Matrix, modes: Matrix,
    series: Matrix, reaction: Matrix, pressed: Matrix, struck: Matrix, pulls: Vector, work: Matrix, kept: Codes,
) -> tuple[int, float]:  # fmt: skip
    """Find the reactions with which the contacts listed hold now, in row IMPULSE of `struck`.

    Row RIGHT takes the acceleration of each gap with them. Returns whether they were found, and how large accelerations
    are.
    """
    expand(t, 0, kept, damping, reach, push, modes, series, reaction, pulls, work)
    size = 0.0
    for i in range(n):
        total = 0.0
        pull = 0.0
        for k in range(modes.shape[0]):
            total += abs(reach[active[i], k] * 2.0 * series[k, 2])
            pull -= reach[active[i], k] * 2.0 * series[k, 2]
        size = max(size, total)
        struck[FREE, i] = pull
        for j in range(n):
            pressed[i, j] = still[active[i], active[j]]
    for i in range(n):
        if abs(struck[FREE, i]) <= 1e-13 * size:
            struck[FREE, i] = 0.0
    status = solve(0, n, pressed, struck[FREE], struck[IMPULSE], work, kept)
    for i in range(n):
        struck[RIGHT, i] = struck[FREE, i]
        for j in range(n):
            struck[RIGHT, i] += pressed[i, j] * struck[IMPULSE, j]
    return status, size


def open_book(now: float, approach: float, row: Vector) -> None:
    """Begin the account of an impact or of a contact at rest."""
    row[IMPACT_OPEN] = 1.0
    row[IMPACT_START] = now
    row[IMPACT_APPROACH] = approach
    row[IMPACT_IMPULSE] = 0.0
    row[IMPACT_PEAK] = math.nan  # an impulse has no force
    row[IMPACT_OVERLAP] = 0.0
    row[IMPACT_ENERGY] = 0.0


def deliver(
    now: float, n: int, active: Codes, reach: Matrix, push: Matrix, still: Matrix, restitution: Matrix,
    modes: Matrix, contacts: Matrix, pressed: Matrix, struck: Matrix, work: Matrix, kept: Codes, energy: Vector,
    run: Vector,
) -> int:  # fmt: skip
    """Strike the contacts listed together, once, and enter the impulses in their books."""
    for i in range(n):
        a = active[i]
        rate = contacts[a, RATE] if abs(contacts[a, RATE]) > 0.01 * STILL * run[SPEED] else 0.0
        struck[BEFORE, i] = struck[FREE, i] = -rate
        struck[RESTITUTION, i] = restitution_at(restitution[a], abs(contacts[a, RATE]))
        contacts[a, PUSH] = contacts[a, RATE]  # the rate before
        for j in range(n):
            pressed[i, j] = still[a, active[j]]
    status, residual = strike(int(run[HYPOTHESIS]), int(run[METHOD]), n, pressed, struck, work, kept)
    most = 0.0
    for i in range(n):
        p = struck[IMPULSE, i]
        most = max(most, p)
        for k in range(modes.shape[0]):
            modes[k, V] -= push[active[i], k] * p
    gauge(reach, push, modes, contacts)
    taken = 0.0
    for i in range(n):
        row, p = contacts[active[i]], struck[IMPULSE, i]
        if p > 0.0:
            if row[IMPACT_OPEN] == 0.0:
                open_book(now, max(row[PUSH], 0.0), row)
            lost = 0.5 * p * (row[PUSH] + row[RATE])
            row[IMPACT_IMPULSE] += p
            row[IMPACT_ENERGY] += lost
            row[SUM] += p
            taken += lost
            energy[INPUT] += p * row[WALL]
    energy[CONTACT_WORK] += taken
    run[LARGEST_GAIN] = max(run[LARGEST_GAIN], -taken)
    if most > 0.0:
        run[LARGEST_RESIDUAL] = max(run[LARGEST_RESIDUAL], residual)
        run[LARGEST_SHARE] = max(run[LARGEST_SHARE], residual / most)
        run[LARGEST_IMPULSE] = max(run[LARGEST_IMPULSE], most)
        run[TOGETHER] = max(run[TOGETHER], n)
    return status


def touching(contacts: Matrix, active: Codes, run: Vector) -> int:
    """List the contacts that touch now."""
    n = 0
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] == RESTING or contacts[c, OVERLAP] >= -TOUCH * run[LENGTH]:
            active[n] = c
            n += 1
    return n


def collide(
    t: float, now: float, damping: Matrix, reach: Matrix, push: Matrix, still: Matrix, restitution: Matrix,
    modes: Matrix, contacts: Matrix, series: Matrix, reaction: Matrix, pressed: Matrix, struck: Matrix, pulls: Vector,
    work: Matrix, active: Codes, kept: Codes, energy: Vector, impacts: Matrix, run: Vector,
) -> int:  # fmt: skip
    """Settle everything that touches at this moment: impacts until nothing approaches, then who stays in contact."""
    n = touching(contacts, active, run)
    for _ in range(ROUNDS):
        fastest = 0.0
        for i in range(n):
            fastest = max(fastest, contacts[active[i], RATE])
        if fastest <= STILL * run[SPEED]:
            break
        run[EVENTS] += 1.0
        status = deliver(
            now, n, active, reach, push, still, restitution, modes, contacts, pressed, struck, work, kept,
            energy, run,
        )  # fmt: skip
        if status != SOLVED:
            return NOT_COMPLEMENTARY
    # who may come to rest: those already there, and those whose rebound is hidden by rounding
    n = touching(contacts, active, run)
    status, size = pressing(
        t, n, active, damping, reach, push, still, modes, series, reaction, pressed, struck, pulls, work, kept
    )
    if n > 0 and status != SOLVED:
        return NOT_COMPLEMENTARY
    slow = max(STILL * run[SPEED], math.sqrt(2.0 * size * LOW * run[LENGTH]))
    hurried = run[EVENTS] - run[BEGUN] > HURRY
    if hurried:
        slow = (slow + 1e-9 * run[SPEED]) * 10.0 ** ((run[EVENTS] - run[BEGUN] - HURRY) / 100.0)
    m = 0
    newly = False
    for i in range(n):
        row = contacts[active[i]]
        if abs(row[RATE]) <= STILL * run[SPEED] or (abs(row[RATE]) <= slow and (hurried or struck[IMPULSE, i] > 0.0)):
            if row[STATUS] != RESTING:
                newly = newly or abs(row[RATE]) > STILL * run[SPEED]
                if row[IMPACT_OPEN] == 1.0 and abs(row[RATE]) > STILL * run[SPEED]:
                    enter(active[i], now, row, impacts, run)
            row[STATUS] = RESTING
            active[m] = active[i]
            m += 1
        else:
            row[STATUS] = APART
            if row[IMPACT_OPEN] == 1.0:
                enter(active[i], now, row, impacts, run)
    if newly:
        run[RESTS] += 1.0
        stop(now, m, active, reach, push, still, modes, contacts, pulls, work, kept, energy)
    return FINISHED


def stop(
    now: float, n: int, active: Codes, reach: Matrix, push: Matrix, still: Matrix, modes: Matrix, contacts: Matrix,
    pulls: Vector, work: Matrix, kept: Codes, energy: Vector,
) -> None:  # fmt: skip
    """Take away the rates of contacts that have come to rest: what the rest of their rebounds would have done."""
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
    gauge(reach, push, modes, contacts)
    for i in range(held):
        row, p = contacts[kept[i]], work[i, into]
        if row[IMPACT_OPEN] == 0.0:
            open_book(now, 0.0, row)
        lost = 0.5 * p * (row[PUSH] + row[RATE])
        row[IMPACT_IMPULSE] += p
        row[IMPACT_ENERGY] += lost
        row[SUM] += p
        energy[CONTACT_WORK] += lost
        energy[INPUT] += p * row[WALL]


def grip(
    t: float, now: float, damping: Matrix, reach: Matrix, push: Matrix, still: Matrix, modes: Matrix,
    contacts: Matrix, series: Matrix, reaction: Matrix, pressed: Matrix, struck: Matrix, pulls: Vector, work: Matrix,
    active: Codes, kept: Codes, impacts: Matrix, run: Vector,
) -> int:  # fmt: skip
    """Write the series of the stretch ahead, holding the contacts at rest that press; return how many, −1 on failure.

    They are listed in `kept`; `pulls` takes the tension at which each lets go, next to nothing. What pulls is let go.
    """
    n = 0
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] == RESTING:
            active[n] = c
            n += 1
    if n == 0:
        expand(t, 0, kept, damping, reach, push, modes, series, reaction, pulls, work)
        return 0
    status, size = pressing(
        t, n, active, damping, reach, push, still, modes, series, reaction, pressed, struck, pulls, work, kept
    )
    if status != SOLVED:
        return -1
    held = 0
    for i in range(n):
        if struck[IMPULSE, i] > 0.0:
            kept[held] = active[i]
            held += 1
        elif struck[RIGHT, i] > 0.5 * SLACK * size:
            let_go(active[i], now, contacts[active[i]], impacts, run)
    for i in range(n):  # neither pressing nor leaving: held as well where others do not decide it
        if contacts[active[i], STATUS] == RESTING and struck[IMPULSE, i] <= 0.0:
            kept[held] = active[i]
            if hold(held + 1, kept, still, work):
                held += 1
    while True:
        hold(held, kept, still, work)
        expand(t, held, kept, damping, reach, push, modes, series, reaction, pulls, work)
        worst, whom = -0.5, -1
        for i in range(held):
            row = reaction[kept[i]]
            row[TERMS - 2] = row[TERMS - 1] = 0.0
            slack = SLACK * size / still[kept[i], kept[i]]
            pulls[kept[i]] = slack
            if slack > 0.0 and row[0] / slack < worst:
                worst, whom = row[0] / slack, i
        if whom < 0:
            return held
        let_go(kept[whom], now, contacts[kept[whom]], impacts, run)
        for i in range(whom, held - 1):
            kept[i] = kept[i + 1]
        held -= 1


def let_go(contact: int, now: float, row: Vector, impacts: Matrix, run: Vector) -> None:
    """End a contact at rest."""
    row[STATUS] = LEAVING
    if row[IMPACT_OPEN] == 1.0:
        enter(contact, now, row, impacts, run)


def next_event(
    length: float, held: int, kept: Codes, reach: Matrix, contacts: Matrix, series: Matrix, reaction: Matrix,
    pulls: Vector, overlap: Vector, run: Vector,
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
        if abs(overlap[0]) <= TOUCH * run[LENGTH]:
            none = 2 if abs(overlap[1]) <= STILL * run[SPEED] else 1 if overlap[1] < 0.0 else 0
        if none > 0:
            for p in range(TERMS):
                overlap[p] = overlap[p + none] if p + none < TERMS else 0.0
        when = 0.0 if none == 2 and overlap[0] > 0.0 else first_rise(1.0, overlap, length)
        if when != NEVER and when <= length:
            length, found = when, True
    return length, found


def fly(
    t: float, length: float, held: int, kept: Codes, damping: Matrix, reach: Matrix, push: Matrix, modes: Matrix,
    contacts: Matrix, series: Matrix, reaction: Matrix, shapes: Matrix, peaks: Matrix, floor: Vector, energy: Vector,
) -> None:  # fmt: skip
    """Move on by `length`: peaks, work, impulses of the reactions, then the state."""
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


def bounce(
    modes: Matrix, contacts: Matrix, support: Codes, ground: Matrix, dt: float, stride: float, damping: Matrix,
    reach: Matrix, push: Matrix, still: Matrix, restitution: Matrix, shapes: Matrix, peaks: Matrix, series: Matrix,
    reaction: Matrix, pressed: Matrix, struck: Matrix, work: Matrix, codes: Matrix, pulls: Vector, overlap: Vector,
    energy: Vector, history_q: Matrix, history_v: Matrix, history_a: Matrix, history_force: Matrix, ledger: Matrix,
    impacts: Matrix, run: Vector,
) -> int:  # fmt: skip
    """Run one problem from the first to the last sample; `stride` is the longest stretch; return how it ended."""
    active, kept = codes[0], codes[1]
    gauge(reach, push, modes, contacts)
    measure(min(dt, stride), reach, modes, contacts, run)
    write_sample(0, dt, modes, contacts, energy, history_q, history_v, history_a, history_force, ledger)
    fresh = True
    for i in range(ground.shape[1] - 1):
        for k in range(modes.shape[0]):
            first, last = ground[support[k], i], ground[support[k], i + 1]
            modes[k, LOAD] = modes[k, STEADY] - modes[k, PARTICIPATION] * first
            modes[k, SLOPE] = modes[k, PARTICIPATION] * (first - last) / dt
        t = 0.0
        run[BEGUN] = run[EVENTS]
        while t < dt:
            now = i * dt + t
            if fresh:
                code = collide(
                    t, now, damping, reach, push, still, restitution, modes, contacts, series, reaction, pressed,
                    struck, pulls, work, active, kept, energy, impacts, run,
                )  # fmt: skip
                if code != FINISHED:
                    return code
                fresh = False
            if run[EVENTS] > run[LIMIT]:
                return STEP_LIMIT
            length = min(dt - t, stride)
            held = grip(
                t, now, damping, reach, push, still, modes, contacts, series, reaction, pressed, struck, pulls, work,
                active, kept, impacts, run,
            )  # fmt: skip
            if held < 0:
                return NOT_COMPLEMENTARY
            for j in range(held):
                if contacts[kept[j], IMPACT_OPEN] == 0.0:
                    open_book(now, 0.0, contacts[kept[j]])
            length, fresh = next_event(length, held, kept, reach, contacts, series, reaction, pulls, overlap, run)
            if fresh:
                run[EVENTS] += 1.0
            fly(
                t,
                length,
                held,
                kept,
                damping,
                reach,
                push,
                modes,
                contacts,
                series,
                reaction,
                shapes,
                peaks,
                overlap,
                energy,
            )
            gauge(reach, push, modes, contacts)
            measure(min(dt, stride), reach, modes, contacts, run)
            t = dt if not fresh and dt - t <= stride else t + length
        if not write_sample(i + 1, dt, modes, contacts, energy, history_q, history_v, history_a, history_force, ledger):
            return NOT_FINITE
    for c in range(contacts.shape[0]):
        if contacts[c, IMPACT_OPEN] == 1.0:
            enter(c, (ground.shape[1] - 1) * dt, contacts[c], impacts, run)
    return FINISHED
