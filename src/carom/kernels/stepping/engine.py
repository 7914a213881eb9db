"""Step-by-step schemes on pounding: one kernel for all of them, since on linear structures each is a linear map.

What a scheme is, Newmark's or Runge-Kutta's, is in the numbers of its map (`motion`, `carom.integrate.schemes`),
one for each step length dt/2^level. Contacts and springs that are not linear act by forces at the stages
(`stage_forces`). Steps end on the samples, where the record has its kinks. With a tolerance each step is taken once
whole and once in halves, and the difference decides on the level.
"""

import math

from carom.kernels.contact.impact_record import close, open_book
from carom.kernels.endings import FINISHED, NOT_FINITE, SOLVED, STEP_LIMIT, UNDERFLOW
from carom.kernels.joints import Springs, give_back
from carom.kernels.laws.power_law import stored_energy
from carom.kernels.ledger import (
    CONTACT_WORK,
    DAMPING,
    INPUT,
    KINETIC,
    LIMIT,
    REJECTED,
    STEPS,
    STRAIN,
    TOLERANCE,
    end_run,
)
from carom.kernels.rows import OPEN, STATUS, STORED_AT_START
from carom.kernels.stepping.motion import (
    account,
    apply_forces,
    balance,
    correct,
    exchange,
    free_row,
    load_sample,
    note,
    push_modes,
    spread,
)
from carom.kernels.stepping.records import (
    anyone_near,
    enter_work,
    look,
    prepare,
    settle_contacts,
    settle_springs,
    wake,
)
from carom.kernels.stepping.rows import (
    APART,
    ASKS_RATES,
    BROUGHT,
    CLOCK,
    DAMPED,
    FORCE,
    GAP,
    HELD,
    HYSTERETIC,
    ITERATIONS,
    KNOWN_START,
    MASS,
    MISSED,
    ORDER,
    OVERLAP,
    OVERLAP_END,
    OWN,
    OWN_ACCELERATION,
    PEAKS,
    PUSHED,
    Q_END,
    RATE_END,
    SHORTEST,
    SPAN,
    SPARE,
    SPRING_WORK,
    SQUARE,
    STRONGEST,
    TWICE,
    TYPICAL_DISPLACEMENT,
    Q,
    V,
    W,
)
from carom.kernels.stepping.stage_forces import (
    FORCES,
    FREE_OVERLAP,
    FREE_RATE,
    OVERLAP_NOW,
    RATE_NOW,
    at_rest,
    respond,
    solve_forces,
)
from carom.kernels.stepping.tables import History, Links, Loads, Scheme, Scratch, State
from carom.kernels.types import Counts, Matrix, Vector

LARGE = 1e100


def free_stages(
    t: float, h: float, first: int, last: int, near: bool, modes: Matrix, joints: Matrix, maps: Matrix, reach: Matrix,
    spans: Counts, work: Matrix,
) -> None:  # fmt: skip
    """Write what overlaps (and rates, where a contact is near) would be at stages first…last−1 without more forces."""
    count = joints.shape[1]
    for i in range(first, last):
        for part in range(2 if near else 1):
            free_row(maps[2 * i + part], t, h, modes, SPARE)
            for j in range(count):
                work[FREE_OVERLAP + part, i * count + j] = 0.0 if part == 1 else -joints[GAP, j]
            spread(reach, spans, modes[SPARE], work[FREE_OVERLAP + part, i * count : (i + 1) * count])


def solve_stages(
    t: float, h: float, level: int, begun: float, near: bool, state: State, springs: Springs, scheme: Scheme,
    links: Links, scratch: Scratch,
) -> int:  # fmt: skip
    """Find the forces at the stages, block by block; where the last stage is the end, look at the joints there."""
    contacts, joints, run, work = state.contacts, state.joints, state.run, scratch.work
    weights, blocks, answers = scheme.weights, scheme.blocks, scheme.answers
    stages, touching, count = weights.size, contacts.shape[0], joints.shape[1]
    own, known = run[OWN_ACCELERATION] != 0.0, int(run[KNOWN_START])
    free_stages(
        t, h, known, stages - 1 if own else stages, near, state.modes, joints, scheme.tables[level], links.reach,
        links.reach_spans, work,
    )  # fmt: skip
    if own:  # the last stage is the end
        for j in range(count):
            work[FREE_OVERLAP, (stages - 1) * count + j] = joints[OVERLAP_END, j]
            work[FREE_RATE, (stages - 1) * count + j] = joints[RATE_END, j]
    prepare(begun + t, h, stages, known, near, contacts, joints, work)
    for b in range(blocks.shape[0]):
        first, last = blocks[b, 0], blocks[b, 1]
        if last <= known:
            continue
        for _ in range(touching * stages + 1):
            status, iterations = solve_forces(
                first, last, near, level * stages + last, run[STRONGEST], contacts, springs, joints, work,
                answers[level], scratch.matrix,
            )  # fmt: skip
            run[ITERATIONS] += iterations
            if status != SOLVED:
                return status
            if not near or not wake(first, last, contacts, count, work):
                break
    if near:
        enter_work(h, weights, contacts, joints, work, run)
    if own:
        at = (stages - 1) * count
        if not near:
            respond(1, FORCES, at, at + count, answers[level, 1], work)
        for j in range(count):
            joints[OVERLAP_END, j] = work[OVERLAP_NOW, at + j]
            joints[RATE_END, j] = work[RATE_NOW, at + j]
    return SOLVED


def settle(
    t: float, h: float, begun: float, seen: bool, state: State, springs: Springs, links: Links, impacts: Matrix
) -> None:
    """See who touches at the end of a step, and write all forces there; `seen`: overlaps and drifts are known."""
    modes, contacts, joints, run = state.modes, state.contacts, state.joints, state.run
    push, push_spans = links.push, links.push_spans
    touching = contacts.shape[0]
    if not seen:
        look(Q, modes, joints, links.reach, links.reach_spans)
    settle_contacts(begun + t, h, contacts, joints, impacts, run)
    if settle_springs(h, touching, springs, joints, run):
        held = modes[HELD]
        for k in range(held.size):
            held[k] = 0.0
        spread(push[touching:], push_spans[touching:], joints[FORCE, touching:], held)
    push_modes(touching, joints[FORCE], push, push_spans, modes, PUSHED)


def apart(gain: float, state: State, shapes: Matrix, spans: Counts, trial: Matrix) -> float:
    """Return how wrong the present state is, from how far it lies from a trial one, relative to typical size.

    Both may have missed the same force, that of a contact behind the last stage: it counts as well.
    """
    modes, floors, run = state.modes, state.floors, state.run
    for k in range(modes.shape[1]):
        trial[0, k] = modes[Q, k] - trial[0, k]
        trial[1, k] = modes[V, k] - trial[1, k]
    worst = 0.0
    for part in range(2):
        typical = run[TYPICAL_DISPLACEMENT + part]
        for d in range(floors.shape[1]):
            floors[APART, d] = 0.0
            typical = max(typical, floors[PEAKS + part, d])
        spread(shapes, spans, trial[part], floors[APART])
        for d in range(floors.shape[1]):
            worst = max(worst, math.fabs(floors[APART, d]) / (gain * typical))
        if part == 1:
            worst = max(worst, run[MISSED] / typical)
    return worst


def copy(source: Vector, target: Vector, run: Vector) -> None:
    """Copy the whole state of a run, but for what it counts whether steps are kept or not."""
    rejected, iterations = run[REJECTED], run[ITERATIONS]
    for i in range(source.size):
        target[i] = source[i]
    run[REJECTED], run[ITERATIONS] = rejected, iterations


def open_books(modes: Matrix, contacts: Matrix, joints: Matrix, reach: Matrix, spans: Counts) -> None:
    """Begin the books of the contacts; those that overlap at the start enter a touch."""
    look(Q, modes, joints, reach, spans)
    for c in range(contacts.shape[0]):
        open_book(contacts[c])
        if joints[OVERLAP_END, c] > 0.0:
            row = contacts[c]
            close(row, joints[RATE_END, c], 0.0, 0.0)
            row[STORED_AT_START] = stored_energy(row, joints[OVERLAP_END, c], math.sqrt(joints[OVERLAP_END, c]))
            row[STATUS] = OPEN  # until its force is worked out, as at the end of any step


def record(i: int, given: Matrix, state: State, springs: Springs, history: History) -> bool:
    """Write a sample of the history and of the ledger; return whether all is finite."""
    modes, joints, run, ledger = state.modes, state.joints, state.run, history.ledger
    kinetic, strain, size, brought, damped = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(modes.shape[1]):
        q, v = modes[Q, k], modes[V, k]
        size += math.fabs(q) + math.fabs(v)
        brought += given[MASS, k] * modes[BROUGHT, k]
        damped += given[MASS, k] * given[TWICE, k] * modes[DAMPED, k]
        kinetic += 0.5 * given[MASS, k] * v * v
        strain += 0.5 * given[MASS, k] * given[SQUARE, k] * q * q
    if not size < LARGE:
        return False
    for k in range(modes.shape[1]):
        history.q[i, k] = modes[Q, k]
        history.v[i, k] = modes[V, k]
    for j in range(joints.shape[1]):
        history.force[i, j] = joints[FORCE, j]
    kept = give_back(springs, joints[OVERLAP, state.contacts.shape[0] :])
    if i == 0:  # what springs hold at the start is there, not taken
        run[SPRING_WORK] = kept
    ledger[i, INPUT] = brought
    ledger[i, KINETIC] = kinetic
    ledger[i, STRAIN] = strain + kept
    ledger[i, DAMPING] = damped + run[DAMPING]
    ledger[i, CONTACT_WORK] = run[CONTACT_WORK]
    ledger[i, HYSTERETIC] = run[SPRING_WORK] - kept
    return True


def cross(
    i: int, dt: float, parts: int, level: int, given: Matrix, state: State, springs: Springs, scheme: Scheme,
    links: Links, scratch: Scratch, impacts: Matrix,
) -> tuple[int, int]:  # fmt: skip
    """Go over sample `i` in equal parts, or in steps of dt/2^level as long as the tolerance lets them.

    Return status and level. With a tolerance a step is tried whole (turn 0), then taken in halves (turns 1 and 2).
    """
    modes, contacts, joints, run = state.modes, state.contacts, state.joints, state.run
    tables, work, trial = scheme.tables, scratch.work, scratch.trial
    stages, touching, count = scheme.weights.size, contacts.shape[0], joints.shape[1]
    own, fixed = run[OWN_ACCELERATION] != 0.0, parts > 0
    deepest = tables.shape[0] - 2
    whole = parts if fixed else 1 << (deepest + 1)
    gain = 2.0 ** run[ORDER] - 1.0  # of two halves over one whole
    at, turn, size = 0, 0, 1
    while at < whole:
        if turn == 0:
            run[CLOCK] = i * dt + dt * (at / whole)
            if not fixed:
                size = 1 << (deepest + 1 - level)
                if run[STEPS] + run[REJECTED] > run[LIMIT]:
                    return STEP_LIMIT, level
                copy(state.buffer, scratch.before, run)
        h = dt * (size / whole) * (1.0 if turn == 0 else 0.5)
        t = dt * (at / whole) + (h if turn == 2 else 0.0)
        which = level + (1 if turn > 0 else 0)
        for part in range(3 if own else 2):
            free_row(tables[which, 2 * stages + part], t, h, modes, Q_END + part)
        near, forced, status = False, False, SOLVED
        if count > 0:
            look(Q_END, modes, joints, links.reach, links.reach_spans)
            near = run[ASKS_RATES] != 0.0 or anyone_near(h, run[SPAN], contacts, joints)
        if near or (count > touching and not (own and at_rest(touching, springs, joints, run[STRONGEST]))):
            status = solve_stages(t, h, which, i * dt, near, state, springs, scheme, links, scratch)
            forced = apply_forces(which, stages, count, modes, tables, links.push, links.push_spans, work[FORCES])
        if status == SOLVED:
            exchange(modes)
            if count > 0:
                settle(t, h, i * dt, own or not forced, state, springs, links, impacts)
            balance(t + h, given, modes)
            if own and near:
                correct(modes, contacts, joints, links.push, work[FORCES, (stages - 1) * count :])
            account(t, h, modes)
            note(t + h, h, given, modes, state.floors, links.shapes, links.shape_spans)
            if fixed:
                run[STEPS] += 1.0
                at += 1
                continue
            if turn == 0:
                for k in range(modes.shape[1]):
                    trial[0, k] = modes[Q, k]
                    trial[1, k] = modes[V, k]
                copy(scratch.before, state.buffer, run)
                run[MISSED] = 0.0
            if turn < 2:
                turn += 1
                continue
        elif fixed:
            return status, level
        turn = 0
        error = math.inf
        if status == SOLVED:
            error = apart(gain, state, links.shapes, links.shape_spans, trial) / run[TOLERANCE]
        if error <= 1.0:
            run[STEPS] += 2.0
            run[SHORTEST] = max(run[SHORTEST], level + 1.0)
            at += size
            if level > 0 and error < 0.3 * 0.5 ** (run[ORDER] + 1.0) and at % (2 * size) == 0:
                level -= 1
            continue
        copy(scratch.before, state.buffer, run)
        run[REJECTED] += 1.0
        if level == deepest:
            return (UNDERFLOW if status == SOLVED else status), level
        level += 1
    return FINISHED, level


def step_through(
    dt: float, parts: int, loads: Loads, state: State, springs: Springs, scheme: Scheme, links: Links,
    scratch: Scratch, history: History,
) -> int:  # fmt: skip
    """Run one problem from the first to the last sample; return how it ended.

    `parts`: equal steps in each sample, by the first level of the scheme's tables; 0: as many as the tolerance asks
    for.
    """
    modes, run, given = state.modes, state.run, loads.given
    samples = loads.ground.shape[1]
    status, level = FINISHED, 0
    load_sample(0, dt, loads.support, loads.ground, given, modes, state.floors)
    open_books(modes, state.contacts, state.joints, links.reach, links.reach_spans)
    settle(0.0, 0.0, 0.0, True, state, springs, links, history.impacts)
    balance(0.0, given, modes)
    for k in range(modes.shape[1]):
        modes[OWN, k] = modes[W, k]
    note(0.0, 0.0, given, modes, state.floors, links.shapes, links.shape_spans)
    for i in range(samples):
        if not record(i, given, state, springs, history):
            status = NOT_FINITE
            break
        run[CLOCK] = i * dt
        if i == samples - 1:
            break
        load_sample(i, dt, loads.support, loads.ground, given, modes, state.floors)
        status, level = cross(
            i, dt, parts, level, given, state, springs, scheme, links, scratch, history.impacts
        )  # fmt: skip
        if status != FINISHED:
            break
    end_run(run[CLOCK], state.contacts, history.impacts, run)
    return status
