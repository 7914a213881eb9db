"""Fixed-step schemes on pounding: one kernel for all of them, since on linear structures each is a linear map.

In a step of length h a mode goes from (q, v, a) to its stages and to its end by

    stage or end = T·(q, v, a, p₀, p₁) − Σⱼ Gⱼ·push·Fⱼ

with loads p₀ and p₁ at the ends of the step and contact forces Fⱼ at the stages; `tables` holds T and G of every mode,
for steps of dt/2^level. What a scheme is, Newmark's or Runge-Kutta's, is in these numbers (`carom.integrate.schemes`).
Steps end on the samples, where the record has its kinks. With a tolerance each step is taken once whole and once in
halves, and the difference decides on the level.
"""

import math

from carom.kernels import power_law
from carom.kernels.contact_book import close, open_book, renew
from carom.kernels.flight import overlap_of, rate_of
from carom.kernels.hysteresis import KIND, SPRING_SIZE, commit
from carom.kernels.ledger import (
    CONTACT_WORK,
    DAMPING,
    FINISHED,
    INPUT,
    KINETIC,
    LIMIT,
    NOT_FINITE,
    REJECTED,
    STEP_LIMIT,
    STEPS,
    STRAIN,
    TOLERANCE,
    end_contact,
)
from carom.kernels.modal_energy import modal_energy
from carom.kernels.rows import (
    CLOSED,
    EFFECTIVE_MASS,
    FIRST,
    FORCE,
    IMPULSE,
    LAST,
    LEVER,
    LOAD,
    MASS,
    NOW,
    OMEGA,
    OPEN,
    OVERLAP,
    PARTICIPATION,
    PEAK_FORCE,
    PEAK_OVERLAP,
    PEAKS,
    Q_END,
    RATE,
    RELEASED,
    SHAPE,
    SIGMA,
    SLOPE,
    SQUARE,
    STATUS,
    STEADY,
    TRIAL,
    TWICE,
    V_END,
    W_END,
    WORK,
    Q,
    V,
    W,
)
from carom.kernels.stage_forces import (
    ACTIVE,
    FORCES,
    FREE_OVERLAP,
    FREE_RATE,
    SOLVED,
    at_stage,
    closed_force,
    solve_forces,
)
from carom.kernels.types import Codes, Matrix, Vector

UNDERFLOW = 7
LARGE = 1e100

# what a run is told and counts, besides the run's row
ORDER = 0  # of the scheme
SPAN = 1  # the farthest node, in steps
OWN_ACCELERATION = 2  # 1: the scheme carries an acceleration of its own, and its last stage is the end of the step
ITERATIONS = 3
REACHED = 4  # samples with a history
CLOCK = 5  # time reached [s]
SHORTEST = 6  # level of the shortest step
MISSED = 7  # speed that forces may have given unseen, where a contact opened or closed within a step [m/s]
TYPICAL_DISPLACEMENT = 8  # of this problem [m]: errors are relative to it, or to the largest so far
TYPICAL_VELOCITY = 9
SPRING_WORK = 10  # done by internal springs beyond k·d [J]
SETTING_SIZE = 11

SPARE = TRIAL + 1
"""Two columns of a mode for what is needed for a moment; TRIAL holds the scheme's own acceleration."""
SPRING = 3.0
"""Status of a row that is a spring inside a structure, beside OPEN, CLOSED and RELEASED."""
HYSTERETIC = 5
"""Column of the ledger that holds the work of the springs, behind those of `ledger`."""


def load_sample(i: int, dt: float, support: Codes, ground: Matrix, modes: Matrix) -> None:
    """Write the loads of sample `i`: their values at its start, and their slopes."""
    for k in range(modes.shape[0]):
        row = modes[k]
        first = ground[support[k], i]
        row[LOAD] = row[STEADY] - row[PARTICIPATION] * first
        row[SLOPE] = row[PARTICIPATION] * (first - ground[support[k], i + 1]) / dt


def balance(t: float, modes: Matrix, contacts: Matrix) -> None:
    """Write the accelerations that loads and contact forces leave at time `t` of the sample."""
    for k in range(modes.shape[0]):
        row = modes[k]
        row[W] = row[LOAD] + row[SLOPE] * t - row[TWICE] * row[V] - row[SQUARE] * row[Q]
    for c in range(contacts.shape[0]):
        if contacts[c, FORCE] != 0.0:
            for k in range(modes.shape[0]):
                modes[k, W] -= contacts[c, LEVER + 2 * k + 1] * contacts[c, FORCE]


def note(t: float, h: float, modes: Matrix, floors: Matrix) -> None:
    """Note peaks at the end of a step; where a velocity changed sign, that of the cubic through the step too."""
    for k in range(modes.shape[0]):
        row = modes[k]
        row[SPARE] = row[W] + row[STEADY] - row[LOAD] - row[SLOPE] * t  # absolute: without what the ground takes along
    for d in range(floors.shape[0]):
        row = floors[d]
        u, v, w = 0.0, 0.0, 0.0
        for k in range(int(row[FIRST]), int(row[LAST])):
            u += row[SHAPE + k] * modes[k, Q]
            v += row[SHAPE + k] * modes[k, V]
            w += row[SHAPE + k] * modes[k, SPARE]
        before, pace = row[NOW], row[NOW + 1]
        if pace * v < 0.0:
            x = pace / (pace - v)
            bent = x * x * (3.0 - 2.0 * x)
            top = before * (1.0 - bent) + u * bent + h * x * (1.0 - x) * (pace * (1.0 - x) - v * x)
            row[PEAKS] = max(row[PEAKS], abs(top))
        row[PEAKS] = max(row[PEAKS], abs(u))
        row[PEAKS + 1] = max(row[PEAKS + 1], abs(v))
        row[PEAKS + 2] = max(row[PEAKS + 2], abs(w))
        row[NOW] = u
        row[NOW + 1] = v


def free_end(t: float, h: float, level: int, stages: int, modes: Matrix, tables: Matrix) -> None:
    """Move all modes over a step as if nothing touched, into the columns of its end."""
    r = 2 * stages
    for k in range(modes.shape[0]):
        row = modes[k]
        q, v, a = row[Q], row[V], row[TRIAL]
        p0 = row[LOAD] + row[SLOPE] * t
        p1 = p0 + row[SLOPE] * h
        g = tables[level, k]
        row[Q_END] = g[r, 0] * q + g[r, 1] * v + g[r, 2] * a + g[r, 3] * p0 + g[r, 4] * p1
        row[V_END] = g[r + 1, 0] * q + g[r + 1, 1] * v + g[r + 1, 2] * a + g[r + 1, 3] * p0 + g[r + 1, 4] * p1
        row[W_END] = g[r + 2, 0] * q + g[r + 2, 1] * v + g[r + 2, 2] * a + g[r + 2, 3] * p0 + g[r + 2, 4] * p1


def free_stages(t: float, h: float, level: int, stages: int, modes: Matrix, contacts: Matrix, tables: Matrix,
                work: Matrix) -> None:  # fmt: skip
    """Write what overlaps and rates would be at the stages if nothing touched."""
    for i in range(stages):
        r = 2 * i
        for k in range(modes.shape[0]):
            row = modes[k]
            q, v, a = row[Q], row[V], row[TRIAL]
            p0 = row[LOAD] + row[SLOPE] * t
            p1 = p0 + row[SLOPE] * h
            g = tables[level, k]
            row[SPARE] = g[r, 0] * q + g[r, 1] * v + g[r, 2] * a + g[r, 3] * p0 + g[r, 4] * p1
            row[SPARE + 1] = g[r + 1, 0] * q + g[r + 1, 1] * v + g[r + 1, 2] * a + g[r + 1, 3] * p0 + g[r + 1, 4] * p1
        for c in range(contacts.shape[0]):
            work[FREE_OVERLAP, c * stages + i] = overlap_of(contacts[c], modes, SPARE)
            work[FREE_RATE, c * stages + i] = rate_of(contacts[c], modes, SPARE + 1)


def anyone_near(h: float, span: float, modes: Matrix, contacts: Matrix) -> bool:
    """Return whether a contact is closed or may touch within the step."""
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] in (CLOSED, SPRING):
            return True
        if row[STATUS] == OPEN:
            later = overlap_of(row, modes, Q_END)
            leeway = 2.0 * span * h * (abs(row[RATE]) + abs(rate_of(row, modes, V_END)))
            if max(row[OVERLAP], later) + leeway > 0.0:
                return True
    return False


def enter(c: int, now: float, h: float, stages: int, modes: Matrix, contacts: Matrix, work: Matrix) -> None:
    """Open the book of an impact that begins within this step: its rate is that of the free motion where δ = 0."""
    row = contacts[c]
    later = overlap_of(row, modes, Q_END)
    share = 1.0
    if later > row[OVERLAP]:
        share = min(max(-row[OVERLAP] / (later - row[OVERLAP]), 0.0), 1.0)
    rate = row[RATE] + share * (rate_of(row, modes, V_END) - row[RATE])
    close(row, rate, 0.0, now + share * h)
    row[STATUS] = OPEN  # until the end of the step is seen to overlap
    for i in range(stages):
        u = c * stages + i
        work[ACTIVE, u] = 1.0 if work[FREE_OVERLAP, u] > 0.0 else 0.0


def touch_stages(
    now: float, h: float, level: int, modes: Matrix, contacts: Matrix, answers: Matrix, blocks: Codes,
    work: Matrix, matrix: Matrix, settings: Vector,
) -> int:  # fmt: skip
    """Solve for the contact forces at the stages, block by block."""
    stages = int(work.shape[1] // max(contacts.shape[0], 1))
    overlaps, rates = answers[level, 0], answers[level, 1]
    for c in range(contacts.shape[0]):
        row = contacts[c]
        closed = row[STATUS] in (CLOSED, SPRING)
        for i in range(stages):
            u = c * stages + i
            work[ACTIVE, u] = 1.0 if closed else 0.0
            work[FORCES, u] = row[FORCE] if row[STATUS] == SPRING else 0.0
        if row[STATUS] == OPEN:
            enter(c, now, h, stages, modes, contacts, work)
    for b in range(blocks.shape[0] // 2):
        first, last = int(blocks[2 * b]), int(blocks[2 * b + 1])
        for _ in range(work.shape[1] + 1):
            busy = False
            for u in range(work.shape[1]):
                busy = busy or (work[ACTIVE, u] != 0.0 and first <= u % stages < last)
            if busy:
                status, iterations = solve_forces(first, last, stages, contacts, work, overlaps, rates, matrix)
                settings[ITERATIONS] += iterations
                if status != SOLVED:
                    return status
            more = False  # a contact that others push into touching
            for u in range(work.shape[1]):
                waits = work[ACTIVE, u] == 0.0 and first <= u % stages < last and contacts[u // stages, STATUS] == OPEN
                if waits and at_stage(u, FREE_OVERLAP, FORCES, work, overlaps) > 0.0:
                    work[ACTIVE, u] = 1.0
                    more = True
            if not more:
                break
    return SOLVED


def apply_forces(h: float, level: int, modes: Matrix, contacts: Matrix, tables: Matrix, weights: Vector,
                 answers: Matrix, work: Matrix, settings: Vector, run: Vector) -> None:  # fmt: skip
    """Add what the forces do to the end of the step, and their work and impulse to the books."""
    stages = weights.size
    overlaps, rates = answers[level, 0], answers[level, 1]
    r = 2 * stages
    for j in range(stages):
        for k in range(modes.shape[0]):
            modes[k, SPARE] = 0.0
        for c in range(contacts.shape[0]):
            row = contacts[c]
            u = c * stages + j
            f = work[FORCES, u]
            if f == 0.0:
                continue
            for k in range(modes.shape[0]):
                modes[k, SPARE] += row[LEVER + 2 * k + 1] * f
            done = weights[j] * h * f * at_stage(u, FREE_RATE, FORCES, work, rates)
            if row[STATUS] == SPRING:
                settings[SPRING_WORK] += done
                continue
            run[CONTACT_WORK] += done
            row[WORK] += done
            row[IMPULSE] += weights[j] * h * f
            row[PEAK_OVERLAP] = max(row[PEAK_OVERLAP], at_stage(u, FREE_OVERLAP, FORCES, work, overlaps))
        for k in range(modes.shape[0]):
            row = modes[k]
            row[Q_END] -= tables[level, k, r, 5 + j] * row[SPARE]
            row[V_END] -= tables[level, k, r + 1, 5 + j] * row[SPARE]
            row[W_END] -= tables[level, k, r + 2, 5 + j] * row[SPARE]


def close_books(
    now: float, h: float, modes: Matrix, contacts: Matrix, impacts: Matrix, settings: Vector, run: Vector
) -> None:
    """See at the end of a step, in columns Q and V, who touches and who has parted; write the forces there."""
    for c in range(contacts.shape[0]):
        row = contacts[c]
        before, pace, held, state = row[OVERLAP], row[RATE], row[FORCE], row[STATUS]
        row[OVERLAP] = overlap_of(row, modes, Q)
        row[RATE] = rate_of(row, modes, V)
        row[FORCE] = 0.0
        if row[STATUS] == SPRING:
            commit(row, row.size - SPRING_SIZE, row[OVERLAP])
            row[FORCE] = closed_force(row, row[OVERLAP], row[RATE])
            if pace * row[RATE] < 0.0:  # it turned within the step: the path there was longer than what it remembers
                longer = 0.5 * h * abs(pace * row[RATE]) / (abs(pace) + abs(row[RATE]))
                settings[MISSED] += longer * settings[TYPICAL_VELOCITY] / settings[TYPICAL_DISPLACEMENT]
            continue
        if row[STATUS] == RELEASED and row[OVERLAP] <= 0.0:
            row[STATUS] = OPEN
        elif row[STATUS] == OPEN and row[OVERLAP] > 0.0:
            row[STATUS] = CLOSED
        elif row[STATUS] == CLOSED and row[OVERLAP] <= 0.0:
            share = before / (before - row[OVERLAP]) if before > row[OVERLAP] else 1.0
            end_contact(c, False, now + min(max(share, 0.0), 1.0) * h, row[RATE], row, impacts, run)
        if row[STATUS] == CLOSED:
            renew(row, row[RATE])
            row[FORCE] = closed_force(row, row[OVERLAP], row[RATE])
            row[PEAK_FORCE] = max(row[PEAK_FORCE], row[FORCE])
            row[PEAK_OVERLAP] = max(row[PEAK_OVERLAP], row[OVERLAP])
            if row[power_law.TENSION] == 0.0 and row[FORCE] <= 0.0 and row[RATE] < 0.0:
                end_contact(c, True, now + h, row[RATE], row, impacts, run)
        if row[STATUS] != state and row[STATUS] != RELEASED and state != RELEASED:
            since = min(h, abs(row[OVERLAP]) / max(abs(row[RATE]), 1e-300))
            settings[MISSED] += since * max(abs(held), abs(row[FORCE])) / row[EFFECTIVE_MASS]


def advance(
    t: float, h: float, level: int, begun: float, modes: Matrix, contacts: Matrix, floors: Matrix, tables: Matrix,
    answers: Matrix, weights: Vector, blocks: Codes, work: Matrix, matrix: Matrix, impacts: Matrix, settings: Vector,
    run: Vector,
) -> int:  # fmt: skip
    """Take one step from time `t` of the sample that began at `begun`."""
    stages = weights.size
    free_end(t, h, level, stages, modes, tables)
    near = contacts.shape[0] > 0 and anyone_near(h, settings[SPAN], modes, contacts)
    if near:
        free_stages(t, h, level, stages, modes, contacts, tables, work)
        status = touch_stages(begun + t, h, level, modes, contacts, answers, blocks, work, matrix, settings)
        if status != SOLVED:
            return status
        apply_forces(h, level, modes, contacts, tables, weights, answers, work, settings, run)
    own = settings[OWN_ACCELERATION] != 0.0
    for k in range(modes.shape[0]):
        row = modes[k]
        q, v, w = row[Q], row[V], row[W]
        row[Q], row[V] = row[Q_END], row[V_END]
        row[Q_END], row[V_END] = q, v  # kept for the account
        if own:
            row[TRIAL] = row[W_END]
        row[W_END] = w
    close_books(begun + t, h, modes, contacts, impacts, settings, run)
    balance(t + h, modes, contacts)
    if own and near:  # where a contact opened or closed, its force at the end is not the one the scheme worked with
        for c in range(contacts.shape[0]):
            jump = contacts[c, FORCE] - work[FORCES, (c + 1) * stages - 1]
            if jump != 0.0:
                for k in range(modes.shape[0]):
                    modes[k, TRIAL] -= contacts[c, LEVER + 2 * k + 1] * jump
    for k in range(modes.shape[0]):
        row = modes[k]
        if row[MASS] == 0.0:
            continue
        v0, w0, v1, w1 = row[V_END], row[W_END], row[V], row[W]
        p0 = row[LOAD] + row[SLOPE] * t
        p1 = p0 + row[SLOPE] * h
        turn = row[SLOPE] * (v0 - v1) + p0 * w0 - p1 * w1
        run[INPUT] += row[MASS] * h * (0.5 * (p0 * v0 + p1 * v1) + h * turn / 12.0)
        run[DAMPING] += row[MASS] * row[TWICE] * h * (0.5 * (v0 * v0 + v1 * v1) + h * (v0 * w0 - v1 * w1) / 6.0)
    note(t + h, h, modes, floors)
    return FINISHED


def copy_into(source: Matrix, target: Matrix) -> None:
    """Copy a table."""
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            target[i, j] = source[i, j]


def copy_row(source: Vector, target: Vector) -> None:
    """Copy a row."""
    for i in range(source.size):
        target[i] = source[i]


def apart(gain: float, floors: Matrix, modes: Matrix, trial: Matrix, settings: Vector) -> float:
    """Return how wrong the present state is, from how far it lies from a trial one, relative to typical size.

    Both may have missed the same force, that of a contact behind the last stage: it counts as well.
    """
    largest_u, largest_v = settings[TYPICAL_DISPLACEMENT], settings[TYPICAL_VELOCITY]
    du, dv = 0.0, 0.0
    for d in range(floors.shape[0]):
        row = floors[d]
        largest_u = max(largest_u, row[PEAKS])
        largest_v = max(largest_v, row[PEAKS + 1])
        u, v = 0.0, 0.0
        for k in range(int(row[FIRST]), int(row[LAST])):
            u += row[SHAPE + k] * (modes[k, Q] - trial[k, 0])
            v += row[SHAPE + k] * (modes[k, V] - trial[k, 1])
        du = max(du, abs(u))
        dv = max(dv, abs(v))
    return max(du / (gain * largest_u), dv / (gain * largest_v), settings[MISSED] / largest_v)


def controlled_sample(
    dt: float, begun: float, level: int, modes: Matrix, contacts: Matrix, floors: Matrix, tables: Matrix,
    answers: Matrix, weights: Vector, blocks: Codes, work: Matrix, matrix: Matrix, impacts: Matrix, settings: Vector,
    run: Vector, kept_modes: Matrix, kept_contacts: Matrix, kept_floors: Matrix, kept_run: Vector, trial: Matrix,
) -> tuple[int, int]:  # fmt: skip
    """Go over a sample in steps of dt/2^level, each as long as the tolerance lets it; return status and level."""
    deepest = tables.shape[0] - 2
    whole = 1 << (deepest + 1)
    at = 0
    while at < whole:
        size = 1 << (deepest + 1 - level)
        t, h = dt * (at / whole), dt * (size / whole)
        settings[CLOCK] = begun + t
        if run[STEPS] + run[REJECTED] > run[LIMIT]:
            return STEP_LIMIT, level
        copy_into(modes, kept_modes)
        copy_into(contacts, kept_contacts)
        copy_into(floors, kept_floors)
        copy_row(run, kept_run)
        kept_work = settings[SPRING_WORK]
        status = advance(
            t, h, level, begun, modes, contacts, floors, tables, answers, weights, blocks, work, matrix, impacts,
            settings, run,
        )  # fmt: skip
        for k in range(modes.shape[0]):
            trial[k, 0] = modes[k, Q]
            trial[k, 1] = modes[k, V]
        copy_into(kept_modes, modes)
        copy_into(kept_contacts, contacts)
        copy_into(kept_floors, floors)
        copy_row(kept_run, run)
        settings[SPRING_WORK] = kept_work
        error = math.inf
        if status == FINISHED:
            settings[MISSED] = 0.0
            for half in range(2):
                if status == FINISHED:
                    status = advance(
                        t + 0.5 * half * h, 0.5 * h, level + 1, begun, modes, contacts, floors, tables, answers,
                        weights, blocks, work, matrix, impacts, settings, run,
                    )  # fmt: skip
            if status == FINISHED:
                gain = 2.0 ** settings[ORDER] - 1.0  # of two halves over one whole
                error = apart(gain, floors, modes, trial, settings) / run[TOLERANCE]
        if error <= 1.0:
            run[STEPS] += 2.0
            settings[SHORTEST] = max(settings[SHORTEST], level + 1.0)
            at += size
            if level > 0 and error < 0.3 * 0.5 ** (settings[ORDER] + 1.0) and at % (2 * size) == 0:
                level -= 1
            continue
        copy_into(kept_modes, modes)
        copy_into(kept_contacts, contacts)
        copy_into(kept_floors, floors)
        copy_row(kept_run, run)
        settings[SPRING_WORK] = kept_work
        run[REJECTED] += 1.0
        if level == deepest:
            return (UNDERFLOW if status == FINISHED else status), level
        level += 1
    return FINISHED, level


def begin(dt: float, support: Codes, ground: Matrix, modes: Matrix, contacts: Matrix, floors: Matrix) -> None:
    """Work out what never changes, and the state at the start."""
    for k in range(modes.shape[0]):
        modes[k, SQUARE] = modes[k, OMEGA] * modes[k, OMEGA]
        modes[k, TWICE] = 2.0 * modes[k, SIGMA]
    load_sample(0, dt, support, ground, modes)
    for c in range(contacts.shape[0]):
        row = contacts[c]
        row[FORCE] = 0.0
        row[OVERLAP] = overlap_of(row, modes, Q)
        row[RATE] = rate_of(row, modes, V)
        if row[row.size - SPRING_SIZE + KIND] != 0.0:
            row[STATUS] = SPRING
            commit(row, row.size - SPRING_SIZE, row[OVERLAP])
            row[FORCE] = closed_force(row, row[OVERLAP], row[RATE])
            continue
        open_book(row)
        if row[OVERLAP] > 0.0:
            close(row, row[RATE], 0.0, 0.0)
            row[FORCE] = closed_force(row, row[OVERLAP], row[RATE])
    balance(0.0, modes, contacts)
    for k in range(modes.shape[0]):
        modes[k, TRIAL] = modes[k, W]
    for d in range(floors.shape[0]):
        for column in (PEAKS, PEAKS + 1, PEAKS + 2, NOW, NOW + 1):
            floors[d, column] = 0.0
    note(0.0, 0.0, modes, floors)


def step_through(
    modes: Matrix, contacts: Matrix, floors: Matrix, support: Codes, ground: Matrix, dt: float, parts: int,
    tables: Matrix, answers: Matrix, weights: Vector, blocks: Codes, work: Matrix, matrix: Matrix,
    kept_modes: Matrix, kept_contacts: Matrix, kept_floors: Matrix, kept_run: Vector, trial: Matrix,
    history_q: Matrix, history_v: Matrix, history_force: Matrix, ledger: Matrix, impacts: Matrix, settings: Vector,
    run: Vector,
) -> int:  # fmt: skip
    """Run one problem from the first to the last sample; return how it ended.

    `parts`: equal steps in each sample, by the first level of `tables`; 0: as many as the tolerance asks for.
    """
    samples = ground.shape[1]
    begin(dt, support, ground, modes, contacts, floors)
    level = 0
    status = FINISHED
    for i in range(samples):
        for k in range(modes.shape[0]):
            if not abs(modes[k, Q]) + abs(modes[k, V]) < LARGE:
                return NOT_FINITE
        settings[CLOCK] = i * dt
        settings[REACHED] = i + 1.0
        for k in range(modes.shape[0]):
            history_q[i, k] = modes[k, Q]
            history_v[i, k] = modes[k, V]
        for c in range(contacts.shape[0]):
            history_force[i, c] = contacts[c, FORCE]
        ledger[i, INPUT] = run[INPUT]
        ledger[i, KINETIC], ledger[i, STRAIN] = modal_energy(modes)
        ledger[i, DAMPING] = run[DAMPING]
        ledger[i, CONTACT_WORK] = run[CONTACT_WORK]
        ledger[i, HYSTERETIC] = settings[SPRING_WORK]
        if i == samples - 1:
            break
        load_sample(i, dt, support, ground, modes)
        if parts == 0:
            status, level = controlled_sample(
                dt, i * dt, level, modes, contacts, floors, tables, answers, weights, blocks, work, matrix, impacts,
                settings, run, kept_modes, kept_contacts, kept_floors, kept_run, trial,
            )  # fmt: skip
            if status != FINISHED:
                return status
            continue
        h = dt / parts
        for part in range(parts):
            status = advance(
                part * h, h, 0, i * dt, modes, contacts, floors, tables, answers, weights, blocks, work, matrix,
                impacts, settings, run,
            )  # fmt: skip
            if status != FINISHED:
                settings[CLOCK] = i * dt + part * h
                return status
        run[STEPS] += parts
    return status
