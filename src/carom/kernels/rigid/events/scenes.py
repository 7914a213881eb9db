"""Rigid contacts event by event where they slide with friction while they last, and where rows change with position.

Between events the motion is followed by explicit steps of order eight (`held_flight`) with reactions that hold contacts
closed, let them slide or stick (`held`). Impacts, and what comes to rest after them, are those of `impacts`.
"""

import math

from carom.kernels.endings import (
    FINISHED,
    NO_FAULT,
    NOT_COMPLEMENTARY,
    NOT_FINITE,
    SOLVED,
    STEP_LIMIT,
    UNDERFLOW,
    UNTRUSTED,
)
from carom.kernels.explicit.single_impacts.dormand_prince import STAGES
from carom.kernels.joints import DEFORMATION, give_back, remember
from carom.kernels.ledger import CONTACT_WORK, DAMPING, INPUT
from carom.kernels.rigid.events.flight import TOUCH, measure, noise_of
from carom.kernels.rigid.events.held import (
    DIRECTION,
    FORCED,
    FREE,
    FRICTION,
    PRESSURE,
    RUBBED,
    SHARED,
    STATE,
    STICKS,
    STILL,
    Holds,
    along,
    decide,
    loads,
    slip_of,
    solved_all,
)
from carom.kernels.rigid.events.held_flight import (
    ENDS,
    NOTHING,
    OF_CONTACT,
    PULLS,
    SHORTEST,
    SLIPS,
    STOPS,
    SUMS,
    TOUCHES,
    WORK_IN,
    WORK_JOINTS,
    WORK_LOST,
    WORK_RUBBED,
    Steps,
    cut,
    first_seen,
    note_start,
    read_state,
    slope,
    step,
    surely_open,
)
from carom.kernels.rigid.events.impacts import (
    NOISE_SHARE,
    ROUNDS,
    UNSEEN,
    approaching,
    come_to_rest,
    meet,
    overlapped,
    part,
    touching,
)
from carom.kernels.rigid.events.rest import let_go, stop
from carom.kernels.rigid.impact_record import gauge, open_book, write_sample
from carom.kernels.rigid.impulses.impulses import COMPRESSION, IMPULSE, grouped, strike_rough
from carom.kernels.rigid.moving import (
    PAST,
    W_COLUMNS,
    W_FRICTION,
    W_SLIP,
    W_STATE,
    Scene,
    mind_ends,
    place,
    pull_joints,
    read_gauges,
    take_turns,
    write_scene,
)
from carom.kernels.rigid.rows import (
    APART,
    EVENTS,
    FAULT,
    HITS,
    HYPOTHESIS,
    HYSTERETIC,
    IMPACT_ENERGY,
    IMPACT_FRICTION,
    IMPACT_IMPULSE,
    IMPACT_OPEN,
    IMPACT_PEAK,
    LEADER,
    LEAVING,
    LENGTH,
    LIMIT,
    LOAD,
    OVERLAP,
    PARTICIPATION,
    PASSES,
    PULL,
    RATE,
    REACHED,
    RESTING,
    ROUGH,
    SLIP,
    SLOPE,
    SPEED,
    STALLED,
    STATED,
    STATUS,
    STEADY,
    SUM,
    Q,
    V,
)
from carom.kernels.rigid.tables import Histories, Solver, System
from carom.kernels.types import Codes, Matrix

SMOOTH = 3.0
GONE_PAST = 4.0
"""States beside those of `held`, as `carom.results.space.scene_record` tells them."""
PRECISION = 1e-12
"""Error of a step, as part of the speeds so far."""
GIVES = 1e-8
"""Part of an error that is left when it is taken away: contacts that contradict each other share it."""
MOST_STALLED = 200
"""Events at one moment, until a run gives up."""
CROWD = 20_000
"""Steps within one sample, until a run gives up: contacts that share their friction may go on for ever."""
LEAST_CUT = 0.25
"""Part of a step to which it is shortened at most, in which contacts may have closed and opened again."""
STOPPED = 1e-6
"""With two tangents a slip has stopped where it turned by a right angle in a step and this part of it is left."""


def fresh_still(system: System) -> None:
    """Write what impulses do to rates, for the rows as they are now."""
    reach, push, still = system.reach, system.push, system.still
    for a in range(reach.shape[0]):
        for b in range(push.shape[0]):
            total = 0.0
            for k in range(reach.shape[1]):
                total += reach[a, k] * push[b, k]
            still[a, b] = total


def speed_of(system: System) -> float:
    """Return the largest speed of a contact so far [m/s]."""
    fastest = 0.0
    for c in range(system.contacts.shape[0]):
        fastest = max(fastest, system.contacts[c, SPEED])
    return fastest


def straighten(tangents: int, system: System, scene: Scene, holds: Holds) -> None:
    """Take away what rounding and steps have left of overlaps and rates of contacts held, and of slips that stick."""
    contacts, modes, reach, push = system.contacts, system.modes, system.reach, system.push
    many, matrix, which = contacts.shape[0], holds.matrix, holds.which
    for column in (Q, V):
        size = 0
        for c in range(many):
            if holds.table[c, STATE] != FREE:
                which[size] = c
                size += 1
        held = size
        for i in range(held if column == V else 0):
            for t in range(tangents):
                if holds.table[which[i], STATE] == STICKS:
                    which[size] = (1 + t) * many + which[i]
                    size += 1
        if size == 0:
            return
        for i in range(size):
            a = which[i]
            row = contacts[a % many]
            wrong = row[OVERLAP] - row[STATED] if column == Q else row[RATE]
            matrix[i, size] = wrong if a < many else row[SLIP + a // many - 1]
            for j in range(size):
                total = 0.0
                for k in range(modes.shape[0]):
                    total += reach[a, k] * push[which[j], k]
                matrix[i, j] = total * (1.0 + GIVES) if i == j else total
        solved_all(size, matrix)
        for j in range(size):
            for k in range(modes.shape[0]):
                modes[k, column] -= push[which[j], k] * matrix[j, size]
        place(system, scene)
        gauge(system)


def strike_all(now: float, tangents: int, system: System, solver: Solver, holds: Holds) -> int:
    """Let all that touches at this moment strike until nothing approaches; return SOLVED, or why not."""
    contacts, run, active = system.contacts, system.run, solver.active
    rounds, n = 0, touching(contacts, active)
    while rounds < ROUNDS and approaching(n, contacts, active):
        rounds += 1
        run[EVENTS] += 1.0
        first = 0
        while first < n:
            last = grouped(first, n, contacts.shape[0], active, system.still)
            size, those = last - first, active[first:last]
            first = last
            if not approaching(size, contacts, those):
                continue
            noise = NOISE_SHARE * noise_of(those[0], contacts)
            meet(size, noise, those, system, solver)
            status, residual = strike_rough(
                int(run[HYPOTHESIS]), noise, size, tangents, solver.pressed, solver.struck, solver.work, solver.kept,
                solver.course,
            )  # fmt: skip
            part(now, size, residual, those, system, solver)
            for i in range(size * tangents):
                holds.table[those[i % size], RUBBED + i // size] += solver.struck[IMPULSE, size + i]
            if status != SOLVED:
                return NOT_COMPLEMENTARY
            if run[FAULT] != NO_FAULT:
                return UNTRUSTED
    return SOLVED


def settle(now: float, system: System, scene: Scene, solver: Solver, holds: Holds, impacts: Matrix) -> None:
    """See which contacts that touch come to rest, and take away the rates they have left."""
    contacts, active, struck = system.contacts, solver.active, solver.struck
    n = touching(contacts, active)
    if n == 0:
        return
    size = 0.0
    for i in range(n):  # what presses without reactions
        struck[IMPULSE, i] = along(active[i], system, holds.free) + holds.bias[active[i]]
        size = max(size, contacts[int(contacts[active[i], LEADER]), PULL], abs(struck[IMPULSE, i]))
    n = come_to_rest(now, n, size, contacts, struck, active, impacts, system.run)
    if n > 0:
        stop(now, n, system, struck[COMPRESSION], solver)
        place(system, scene)
        gauge(system)


def resume(
    now: float, t: float, tangents: int, system: System, scene: Scene, solver: Solver, holds: Holds, impacts: Matrix
) -> int:
    """Settle the states of all contacts at rest; return whether that could be solved."""
    contacts, table = system.contacts, holds.table
    loads(t, system, holds.free)
    pull_joints(system, scene, holds.free)
    status = decide(tangents, system, solver, holds, speed_of(system))
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == LEAVING:
            let_go(c, now, row, impacts, system.run)
            row[STATUS] = APART
        if table[c, STATE] != FREE and row[IMPACT_OPEN] == 0.0:
            open_book(now, 0.0, math.nan, row)
    straighten(tangents, system, scene, holds)
    return status


def account(system: System, holds: Holds, steps: Steps) -> None:
    """Add what a step brought to the energies and to the records of the contacts."""
    n, energy, then = system.modes.shape[0], system.energy, steps.then
    energy[INPUT] += then[2 * n + WORK_IN]
    energy[DAMPING] += then[2 * n + WORK_LOST]
    energy[CONTACT_WORK] += then[2 * n + WORK_RUBBED]
    energy[HYSTERETIC] += then[2 * n + WORK_JOINTS]
    for c in range(system.contacts.shape[0]):
        row, first = system.contacts[c], 2 * n + SUMS + OF_CONTACT * c
        if row[STATUS] == RESTING:
            row[SUM] += then[first]
            for i in range(2):
                holds.table[c, RUBBED + i] += then[first + 1 + i]
            row[IMPACT_IMPULSE] += then[first]
            row[IMPACT_FRICTION] += then[first + 1]
            row[IMPACT_FRICTION + 1] += then[first + 2]
            row[IMPACT_ENERGY] += then[first + 3]
            most = holds.table[c, PRESSURE]
            row[IMPACT_PEAK] = most if math.isnan(row[IMPACT_PEAK]) else max(row[IMPACT_PEAK], most)


def raise_peaks(h: float, shapes: Matrix, peaks: Matrix, n: int, steps: Steps) -> None:
    """Raise the largest displacement and velocity of every output over a step, cubics between its ends."""
    for d in range(shapes.shape[0]):
        a, da, b, db, bend, bent = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(int(peaks[d, 3]), int(peaks[d, 4])):
            share = shapes[d, k]
            a, da, bend = a + share * steps.now[k], da + share * steps.now[n + k], bend + share * steps.slopes[0, n + k]
            b, db = b + share * steps.then[k], db + share * steps.then[n + k]
            bent += share * steps.slopes[STAGES, n + k]
        peaks[d, 0] = max(peaks[d, 0], crest(a, h * da, b, h * db))
        peaks[d, 1] = max(peaks[d, 1], crest(da, h * bend, db, h * bent))


def crest(a: float, da: float, b: float, db: float) -> float:
    """Return the largest size of the cubic through both ends of a step with slopes by the length of it."""
    found = max(abs(a), abs(b))
    if da * db < 0.0:
        low, high = 0.0, 1.0
        for _ in range(40):
            s = 0.5 * (low + high)
            tilt = 6.0 * (b - a) * s * (1.0 - s) + da * (1.0 - s) * (1.0 - 3.0 * s) + db * s * (3.0 * s - 2.0)
            if tilt * da > 0.0:
                low = s
            else:
                high = s
        s = 0.5 * (low + high)
        between = a + s * s * (3.0 - 2.0 * s) * (b - a) + s * (1.0 - s) * (da * (1.0 - s) - db * s)
        found = max(found, abs(between))
    return found


def answer(
    what: int, c: int, now: float, tangents: int, system: System, scene: Scene, holds: Holds, steps: Steps,
    impacts: Matrix,
) -> bool:  # fmt: skip
    """Do what an event asks for; return whether something touches."""
    row, hold = system.contacts[c], holds.table[c]
    if what == TOUCHES:
        if row[OVERLAP] <= UNSEEN * row[LENGTH]:
            return True
        for other in range(system.contacts.shape[0]):  # it came in past an end, as may others at this moment
            row = system.contacts[other]
            if row[STATUS] != RESTING and row[OVERLAP] > UNSEEN * row[LENGTH]:
                scene.edges[other, PAST] = 1.0
        place(system, scene)
        gauge(system)
    elif what in (PULLS, ENDS):
        let_go(c, now, row, impacts, system.run)
        row[STATUS], hold[STATE] = APART, FREE
        if what == ENDS:
            scene.edges[c, PAST] = 1.0
        place(system, scene)
        gauge(system)
    elif what == SLIPS:
        drag = math.hypot(hold[FRICTION], hold[FRICTION + 1])
        hold[FORCED] = 1.0
        for i in range(tangents):
            hold[DIRECTION + i] = hold[FRICTION + i] / drag if drag > 0.0 else 0.0
    elif what == STOPS:
        for other in range(system.contacts.shape[0]):
            holds.table[other, FORCED] = 0.0
        before = math.hypot(steps.begun[c, 2], steps.begun[c, 3])
        still = 10.0 * STILL * system.contacts[int(row[LEADER]), SPEED]
        if tangents == 1 or slip_of(c, tangents, system) <= max(STOPPED * before, still):
            hold[STATE] = STICKS
            straighten(tangents, system, scene, holds)
    return False


def left_and_came_back(contacts: Matrix, steps: Steps) -> bool:
    """Return whether a contact that touches at the end of a step touched at its start, too, and opened."""
    found = False
    for c in range(contacts.shape[0]):
        row = contacts[c]
        noise = noise_of(c, contacts)
        seen = 0.0 if row[RATE] > noise else TOUCH * row[LENGTH]
        if row[STATUS] != RESTING and row[OVERLAP] > seen and row[RATE] > 0.0:
            found = found or (steps.held[c] >= -10.0 * TOUCH * row[LENGTH] and steps.rates[c] <= noise)
    return found


def follow_scene(
    system: System, support: Codes, ground: Matrix, dt: float, shapes: Matrix, peaks: Matrix, scene: Scene,
    solver: Solver, holds: Holds, steps: Steps, histories: Histories,
) -> int:  # fmt: skip
    """Run one problem from the first to the last sample; return how it ended. Arguments as of `impacts.bounce`.

    Rows of tangents stand behind those of normals, one or two for each contact.
    """
    modes, contacts, run, impacts = system.modes, system.contacts, system.run, histories.impacts
    n, tangents = modes.shape[0], system.reach.shape[0] // max(contacts.shape[0], 1) - 1
    place(system, scene)
    gauge(system)
    mind_ends(system, scene)
    place(system, scene)
    gauge(system)
    for c in range(contacts.shape[0]):
        contacts[c, STATED] = max(contacts[c, OVERLAP], 0.0)
    write_all(0, dt, tangents, system, scene, holds, histories)
    fresh, changed, h, quickest = True, True, dt, 0.0
    for i in range(ground.shape[1] - 1):
        for k in range(n):
            first, last = ground[support[k], i], ground[support[k], i + 1]
            modes[k, LOAD] = modes[k, STEADY] - modes[k, PARTICIPATION] * first
            modes[k, SLOPE] = modes[k, PARTICIPATION] * (first - last) / dt
            quickest = max(
                quickest, (abs(modes[k, LOAD]) + abs(modes[k, SLOPE]) * dt) * dt
            )  # what reactions hold counts as well
        measure(dt, system.reach, modes, contacts)
        t, crowd = 0.0, 0
        for c in range(contacts.shape[0]):
            contacts[c, HITS] = 0.0
        while t < dt:
            now = run[REACHED] = i * dt + t
            if fresh:
                fresh_still(system)
                status = strike_all(now, tangents, system, solver, holds)
                if status != SOLVED:
                    return status
                loads(t, system, holds.free)
                pull_joints(system, scene, holds.free)
                settle(now, system, scene, solver, holds, impacts)
            if fresh or changed:
                if resume(now, t, tangents, system, scene, solver, holds, impacts) != SOLVED:
                    return NOT_COMPLEMENTARY
                fresh, changed = False, False
            else:
                straighten(tangents, system, scene, holds)
            run[PASSES] += 1.0
            crowd += 1
            if run[PASSES] > run[LIMIT] or crowd > CROWD:
                return STEP_LIMIT
            speed = speed_of(system)
            read_state(system, steps.now)
            slope(t, speed, tangents, steps.now, system, scene, holds, steps.slopes[0])
            note_start(tangents, system, scene, holds, steps)
            for k in range(n):
                quickest = max(quickest, abs(steps.now[n + k]), abs(steps.slopes[0, n + k]) * dt)
            taken, error, what, whom = min(h, dt - t), 0.0, NOTHING, -1
            while True:
                error = step(t, taken, speed, tangents, system, scene, holds, steps)
                allowed = PRECISION * quickest
                if error > allowed and taken > SHORTEST * dt:
                    taken *= max(0.2, 0.9 * (allowed / error) ** 0.125)
                    continue
                slope(t + taken, speed, tangents, steps.then, system, scene, holds, steps.slopes[STAGES])
                share = surely_open(taken, system, scene, steps)
                what, whom = first_seen(tangents, system, scene, holds, steps)
                if left_and_came_back(contacts, steps) and taken > SHORTEST * dt:
                    taken *= 0.5
                elif share < 1.0 and taken > SHORTEST * dt:
                    taken *= max(share, LEAST_CUT)
                else:
                    break
            whole = what == NOTHING and taken == dt - t
            if what != NOTHING:
                taken, what, whom = cut(t, taken, speed, tangents, system, scene, holds, steps)
                run[EVENTS] += 1.0
            else:
                h = taken * (min(4.0, 0.9 * (allowed / error) ** 0.125) if error > 0.0 else 4.0)
            run[STALLED] = run[STALLED] + 1.0 if taken <= SHORTEST * dt else 0.0
            for c in range(contacts.shape[0]):
                if run[STALLED] == 0.0:
                    holds.table[c, FORCED] = 0.0
                changed = changed or holds.table[c, SHARED] == 1.0
            if run[STALLED] > MOST_STALLED:
                return UNDERFLOW
            account(system, holds, steps)
            raise_peaks(taken, shapes, peaks, n, steps)
            take_turns(system, scene)
            remember(scene.springs)
            read_gauges(i * dt + t + taken, scene)
            mind_ends(system, scene)
            measure(dt, system.reach, modes, contacts)
            t = dt if whole else t + taken
            if what != NOTHING:
                fresh = answer(what, whom, i * dt + t, tangents, system, scene, holds, steps, impacts)
                changed = True
            overlapped(contacts, run)
            if run[FAULT] != NO_FAULT:
                run[REACHED] = i * dt + t
                return UNTRUSTED
            if not math.isfinite(steps.then[0]):
                return NOT_FINITE
        if not write_all(i + 1, dt, tangents, system, scene, holds, histories):
            return NOT_FINITE
        run[REACHED] = (i + 1) * dt
    return FINISHED


def write_all(
    i: int, dt: float, tangents: int, system: System, scene: Scene, holds: Holds, histories: Histories
) -> bool:
    """Write a sample: states and friction of contacts, what joints can give back, and all the rest."""
    if scene.joint_rest.size > 0:
        pull_joints(system, scene, holds.free)
        histories.stored[i, 0] = give_back(scene.springs, scene.pull[DEFORMATION])
        read_gauges(i * dt, scene)
    write_scene(i, system, scene)
    for c in range(system.contacts.shape[0]):
        into, row = scene.samples[i, W_COLUMNS * c : W_COLUMNS * (c + 1)], system.contacts[c]
        state = holds.table[c, STATE]
        rough = state != FREE and row[ROUGH] > 0.0
        into[W_STATE] = state if rough else (SMOOTH if state != FREE else FREE)
        if state == FREE and scene.edges[c, PAST] == 1.0:
            into[W_STATE] = GONE_PAST
        for t in range(2):
            into[W_FRICTION + t] = holds.table[c, RUBBED + t] / dt
            holds.table[c, RUBBED + t] = 0.0
            into[W_SLIP + t] = row[SLIP + t] if rough and t < tangents else math.nan
    return write_sample(i, dt, system, histories)
