"""Rigid contacts, event by event: exact flight, impacts located to rounding, contacts that come to rest.

Between events the motion is a power series (`motion_series`). An impact strikes all contacts that touch at that moment
together (`impulses`). Rebounds that become so low that rounding hides them, under an acceleration that presses, have
come to rest: infinitely many impacts in finite time end there, and a reaction force holds the contact until it would
pull. Contacts have no friction here: those that have are followed by steps (`scenes`).
"""

import math

from carom.kernels.endings import (
    FINISHED,
    NO_FAULT,
    NOT_COMPLEMENTARY,
    NOT_FINITE,
    NOT_SEEN_TO_CLOSE,
    SOLVED,
    STEP_LIMIT,
    UNTRUSTED,
    WRONG_RATES,
)
from carom.kernels.ledger import (
    INPUT,
)
from carom.kernels.rigid.events.flight import STILL, TOUCH, fly, measure, next_event, noise_of
from carom.kernels.rigid.events.motion_series import expand
from carom.kernels.rigid.events.rest import NOISE, grip, pulled, stop
from carom.kernels.rigid.impact_record import MISMATCH, accuse, enter, gauge, judge_gain, open_book, write_sample
from carom.kernels.rigid.impulses.complementarity import solve
from carom.kernels.rigid.impulses.impulses import (
    BEFORE,
    FREE,
    IMPULSE,
    RESTITUTION,
    RIGHT,
    ROUGHNESS,
    grouped,
    moved,
    restitution_at,
    strike,
)
from carom.kernels.rigid.rows import (
    APART,
    DRAG,
    EVENTS,
    FAULT,
    HITS,
    HYPOTHESIS,
    IMPACT_ENERGY,
    IMPACT_FRICTION,
    IMPACT_IMPULSE,
    IMPACT_OPEN,
    LARGEST_IMPULSE,
    LARGEST_OVERLAP,
    LARGEST_RESIDUAL,
    LARGEST_SHARE,
    LEADER,
    LENGTH,
    LIMIT,
    LOAD,
    METHOD,
    OVERLAP,
    PARTICIPATION,
    PUSH,
    RATE,
    REACHED,
    RESTING,
    RESTS,
    ROUGH,
    SLIP,
    SLOPE,
    SPEED,
    STALLED,
    STATED,
    STATUS,
    STEADY,
    SUM,
    TOGETHER,
    WALL,
    WALL_SLIP,
    V,
)
from carom.kernels.rigid.tables import Flight, Histories, Solver, System
from carom.kernels.types import Codes, Matrix, Vector

LOW = 1e-14
"""A rebound lower than this part of LENGTH is hidden by rounding."""
HURRY = 200
"""Twice the impacts in one sample, from which on rebounds count as none that are ever less low: bodies that only their
impacts bring together come to rest too, with nothing that presses."""
UNSEEN = 1e-8
"""Contacts that overlap by more than this part of LENGTH were not seen to close."""
INSTANT = 1e-13
"""A flight shorter than this part of a sample has no length."""
NOISE_SHARE = 0.01
"""Rates below this part of STILL·SPEED are rounding to an impact."""
ROUNDS = 200
"""Impacts at one moment, until nothing approaches."""


def meet(n: int, noise: float, active: Codes, system: System, solver: Solver) -> None:
    """Write W and the rates of the `n` contacts in `active`, tangents behind normals where there are any."""
    reach, still, restitution, contacts = system.reach, system.still, system.restitution, system.contacts
    pressed, struck = solver.pressed, solver.struck
    many = contacts.shape[0]
    size = n * (reach.shape[0] // many)
    for i in range(size):
        row, a = contacts[active[i % n]], active[i % n] + many * (i // n)
        rate = row[RATE] if i < n else row[SLIP + i // n - 1]
        struck[BEFORE, i] = struck[FREE, i] = -rate if abs(rate) > noise else 0.0
        struck[RESTITUTION, i] = restitution_at(restitution[active[i % n]], abs(row[RATE]))
        struck[ROUGHNESS, i] = row[ROUGH]
        for j in range(size):
            pressed[i, j] = still[a, active[j % n] + many * (j // n)]
    for i in range(n):
        contacts[active[i], PUSH] = contacts[active[i], RATE]  # the rates before
        for t in range(size // n - 1):
            contacts[active[i], DRAG + t] = contacts[active[i], SLIP + t]


def part(now: float, n: int, residual: float, active: Codes, system: System, solver: Solver) -> None:
    """Apply the impulses found and enter them in the records of their contacts."""
    reach, push, modes, contacts = system.reach, system.push, system.modes, system.contacts
    pressed, struck, energy, run = solver.pressed, solver.struck, system.energy, system.run
    many = contacts.shape[0]
    tangents = reach.shape[0] // many - 1
    size = n * (1 + tangents)
    for i in range(size):
        p, a = struck[IMPULSE, i], active[i % n] + many * (i // n)
        for k in range(modes.shape[0]):
            modes[k, V] -= push[a, k] * p
    gauge(system)
    moved(size, pressed, struck[BEFORE], struck[IMPULSE], struck[RIGHT])
    most, taken, all_of_them, hardest = 0.0, 0.0, 0.0, active[0]
    leader = contacts[int(contacts[active[0], LEADER])]
    for i in range(n):
        row, p = contacts[active[i]], struck[IMPULSE, i]
        if p > most:
            most, hardest = p, active[i]
        if abs(row[RATE] + struck[RIGHT, i]) > MISMATCH * leader[SPEED]:
            accuse(WRONG_RATES, active[i], row[RATE] + struck[RIGHT, i], run)
        if p > 0.0:
            if row[IMPACT_OPEN] == 0.0:
                open_book(now, max(row[PUSH], 0.0), math.nan, row)  # an impulse has no force
            lost = 0.5 * p * (row[PUSH] + row[RATE])
            energy[INPUT] += p * row[WALL]
            for t in range(tangents):
                drag = struck[IMPULSE, n * (1 + t) + i]
                lost += 0.5 * drag * (row[DRAG + t] + row[SLIP + t])
                energy[INPUT] += drag * row[WALL_SLIP + t]
                row[IMPACT_FRICTION + t] += drag
            row[IMPACT_IMPULSE] += p
            row[IMPACT_ENERGY] += lost
            row[SUM] += p
            taken += lost
            all_of_them += p
    if most > 0.0:
        leader[HITS] += 2.0
        judge_gain(taken, STILL * leader[SPEED] * all_of_them, hardest, modes, energy, run)
        run[LARGEST_RESIDUAL] = max(run[LARGEST_RESIDUAL], residual)
        run[LARGEST_SHARE] = max(run[LARGEST_SHARE], residual / most)
        run[LARGEST_IMPULSE] = max(run[LARGEST_IMPULSE], most)
        run[TOGETHER] = max(run[TOGETHER], n)


def touching(contacts: Matrix, active: Codes) -> int:
    """List the contacts that touch now."""
    n = 0
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] == RESTING or contacts[c, OVERLAP] >= -TOUCH * contacts[c, LENGTH]:
            active[n] = c
            n += 1
    return n


def overlapped(contacts: Matrix, run: Vector) -> None:
    """Note how deep contacts overlap; accuse the run where one does that was not seen to close."""
    for c in range(contacts.shape[0]):
        row = contacts[c]
        deep = row[OVERLAP] - row[STATED]
        if row[OVERLAP] < 0.0:
            row[STATED] = 0.0
        run[LARGEST_OVERLAP] = max(run[LARGEST_OVERLAP], deep)
        if deep > UNSEEN * row[LENGTH]:
            accuse(NOT_SEEN_TO_CLOSE, c, deep, run)


def approaching(n: int, contacts: Matrix, active: Codes) -> bool:
    """Return whether any of the contacts listed approaches."""
    found = False
    for i in range(n):
        found = found or contacts[active[i], RATE] > noise_of(active[i], contacts)
    return found


def come_to_rest(
    now: float, n: int, size: float, contacts: Matrix, struck: Matrix, active: Codes, impacts: Matrix, run: Vector
) -> int:
    """Tell who of the contacts listed rests: those already there, and those whose rebound is hidden by rounding.

    Row IMPULSE of `struck` says who is pressed. Returns how many rest, listed first, where a rate is to be taken away;
    else 0.
    """
    m = 0
    newly = False
    for i in range(n):
        row = contacts[active[i]]
        leader, noise = contacts[int(row[LEADER])], noise_of(active[i], contacts)
        slow = max(noise, math.sqrt(2.0 * size * LOW * row[LENGTH]))
        hurried = leader[HITS] > HURRY
        if hurried:
            slow = (slow + 1e-9 * leader[SPEED]) * 10.0 ** ((leader[HITS] - HURRY) / 100.0)
        moving = abs(row[RATE]) > noise
        rests = not moving or (abs(row[RATE]) <= slow and (hurried or struck[IMPULSE, i] > 0.0))
        newly = newly or (rests and moving)  # one at rest may have been moved again by an impact elsewhere
        if row[IMPACT_OPEN] == 1.0 and (not rests or (moving and row[STATUS] != RESTING)):
            enter(active[i], now, -row[RATE], row, impacts, run)
        row[STATUS] = RESTING if rests else APART
        if rests:
            active[m] = active[i]
            m += 1
    run[RESTS] += 1.0 if newly else 0.0
    return m if newly else 0


def bounce(
    system: System, support: Codes, ground: Matrix, dt: float, stride: float, shapes: Matrix, peaks: Matrix,
    flight: Flight, solver: Solver, histories: Histories,
) -> int:  # fmt: skip
    """Run one problem from the first to the last sample; `stride` is the longest stretch; return how it ended.

    `ground` holds rows of acceleration that drive modes, a column for each sample `dt` after the last; `support`
    says which row shakes a mode. `peaks` holds for each degree of freedom its three peaks and the first and last mode
    that moves it.
    """
    modes, contacts, reach, still, run = system.modes, system.contacts, system.reach, system.still, system.run
    pressed, struck, work, active, kept, _ = solver
    impacts = histories.impacts
    hypothesis, method = int(run[HYPOTHESIS]), int(run[METHOD])
    gauge(system)
    for c in range(contacts.shape[0]):
        contacts[c, STATED] = max(contacts[c, OVERLAP], 0.0)
    write_sample(0, dt, system, histories)
    fresh = True
    for i in range(ground.shape[1] - 1):
        for k in range(modes.shape[0]):
            first, last = ground[support[k], i], ground[support[k], i + 1]
            modes[k, LOAD] = modes[k, STEADY] - modes[k, PARTICIPATION] * first
            modes[k, SLOPE] = modes[k, PARTICIPATION] * (first - last) / dt
        measure(min(dt, stride), reach, modes, contacts)
        t = 0.0
        for c in range(contacts.shape[0]):
            contacts[c, HITS] = 0.0
        while t < dt:
            now = run[REACHED] = i * dt + t
            if fresh:
                # impacts of all that touches at this moment, until nothing approaches
                n, rounds = touching(contacts, active), 0
                while rounds < ROUNDS and approaching(n, contacts, active):
                    rounds += 1
                    run[EVENTS] += 1.0
                    first = 0
                    while first < n:  # group by group
                        last = grouped(first, n, contacts.shape[0], active, still)
                        size, those = last - first, active[first:last]
                        first = last
                        if not approaching(size, contacts, those):
                            continue
                        noise = NOISE_SHARE * noise_of(those[0], contacts)
                        meet(size, noise, those, system, solver)
                        status, residual = strike(hypothesis, method, noise, size, pressed, struck, work, kept)
                        part(now, size, residual, those, system, solver)
                        if status != SOLVED:
                            return NOT_COMPLEMENTARY
                        if run[FAULT] != NO_FAULT:
                            return UNTRUSTED
                # then who stays in contact
                n = touching(contacts, active)
                if n > 0:
                    expand(t, 0, kept, system, flight, work)
                    pull = pulled(n, system, flight.series, solver)
                    if solve(0, NOISE * pull, n, pressed, struck[FREE], struck[IMPULSE], work, kept) != SOLVED:
                        return NOT_COMPLEMENTARY
                    n = come_to_rest(now, n, pull, contacts, struck, active, impacts, run)
                if n > 0:
                    stop(now, n, system, flight.pulls, solver)
                fresh = False
            if run[EVENTS] > run[LIMIT]:
                return STEP_LIMIT
            length = min(dt - t, stride)
            held = grip(t, now, system, flight, solver, impacts)
            if held < 0:
                return NOT_COMPLEMENTARY
            for j in range(held):
                if contacts[kept[j], IMPACT_OPEN] == 0.0:
                    open_book(now, 0.0, math.nan, contacts[kept[j]])
            length, fresh = next_event(
                length, held, kept, reach, contacts, flight.series, flight.reaction, flight.pulls, flight.overlap
            )
            run[STALLED] = run[STALLED] + 1.0 if length <= INSTANT * dt else 0.0
            if fresh:
                run[EVENTS] += 1.0
            fly(t, length, held, kept, system, flight, shapes, peaks)
            gauge(system)
            measure(min(dt, stride), reach, modes, contacts)
            overlapped(contacts, run)
            if run[FAULT] != NO_FAULT:
                run[REACHED] = now + length
                return UNTRUSTED
            t = dt if not fresh and dt - t <= stride else t + length
        if not write_sample(i + 1, dt, system, histories):
            return NOT_FINITE
        run[REACHED] = (i + 1) * dt
    return FINISHED
