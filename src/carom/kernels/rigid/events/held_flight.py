"""Flight with contacts that last: explicit steps of order eight, cut where something touches, lets go, slips or sticks.

The unknowns are displacements and velocities of the modes, the energies, and the impulses of the contacts. Rows of
contacts may change with position: `place` writes them anew for every state (`kernels.rigid.moving`).
"""

import math
from typing import NamedTuple

from carom.kernels.explicit.single_impacts.dormand_prince import ESTIMATE_3, ESTIMATE_5, SOLUTION, STAGES, TABLE, C
from carom.kernels.rigid.events.flight import TOUCH, noise_of
from carom.kernels.rigid.events.held import (
    DIRECTION,
    FREE,
    FRICTION,
    PRESSURE,
    SHARED,
    SLIDES,
    STATE,
    STICKS,
    STILL,
    Holds,
    along,
    directed,
    loads,
    react,
    slack_of,
    slip_of,
)
from carom.kernels.rigid.impact_record import gauge
from carom.kernels.rigid.moving import BEYOND, RAW, Scene, place, pull_joints, turn_rates
from carom.kernels.rigid.rows import (
    LEADER,
    LENGTH,
    LOAD,
    MASS,
    OVERLAP,
    PULL,
    RATE,
    RESTING,
    ROUGH,
    SLIP,
    SLOPE,
    SPEED,
    STATUS,
    TWICE,
    WALL,
    WALL_SLIP,
    Q,
    V,
)
from carom.kernels.rigid.tables import System
from carom.kernels.types import Matrix, Vector

# what is added up, behind displacements and velocities
WORK_IN = 0
WORK_LOST = 1
WORK_RUBBED = 2
WORK_JOINTS = 3
SUMS = 4
OF_CONTACT = 4
"""Then of each contact three impulses, normal and along both tangents, and the work of friction."""

NOTHING = 0
TOUCHES = 1
PULLS = 2
SLIPS = 3
STOPS = 4
ENDS = 5  # the node of a contact comes to an end of its face

CUTS = 60
SHORTEST = 1e-14
"""Part of a sample below which a step has no length."""
AT_CONE = 1e-10
"""Friction beyond the cone by this part of the forces around is rounding."""


class Steps(NamedTuple):
    """Room for steps: rows of unknowns."""

    slopes: Matrix
    """Of each stage, and of the end of the step."""
    now: Vector
    then: Vector
    held: Vector
    """For each contact its reaction or distance at the start of the step, by which events are seen."""
    rates: Vector
    """For each open contact its rate at the start of the step."""
    begun: Matrix
    """For each contact the direction of its slip at the start of the step, and the slip."""
    path: Matrix
    """For each contact what its overlap does in the step, wherever along its edge: columns below."""


RAW_AT_START = 0  # [m]
RATE_AT_START = 1  # [m/s]
BENT_AT_START = 2  # the rate at which that changes [m/s²]
LEAST_BENT = 3  # and its extremes over the stages of the step
MOST_BENT = 4
BEYOND_AT_START = 5  # how far beyond the ends of its edge the node is [m]
PATH_SIZE = 6
SPREAD = 0.5
"""What rates of change may exceed those of the stages by, as part of how far these are apart."""


def read_state(system: System, into: Vector) -> None:
    """Write displacements and velocities of the modes; sums begin at zero."""
    modes = system.modes
    n = modes.shape[0]
    for i in range(into.size):
        into[i] = 0.0
    for k in range(n):
        into[k], into[n + k] = modes[k, Q], modes[k, V]


def put_state(state: Vector, system: System, scene: Scene) -> None:
    """Move the modes to a state, with all that is read of them."""
    modes = system.modes
    n = modes.shape[0]
    for k in range(n):
        modes[k, Q], modes[k, V] = state[k], state[n + k]
    place(system, scene)
    gauge(system)


def slope(
    t: float, speed: float, tangents: int, state: Vector, system: System, scene: Scene, holds: Holds, into: Vector
) -> None:
    """Write the slopes of all unknowns at `t` after the last sample; reactions are left in `holds`."""
    put_state(state, system, scene)
    modes, contacts, table = system.modes, system.contacts, holds.table
    n = modes.shape[0]
    loads(t, system, holds.free)
    power, lost, rubbed = 0.0, 0.0, 0.0
    for k in range(n):
        if modes[k, MASS] > 0.0:
            load, drag = modes[k, LOAD] + modes[k, SLOPE] * t, modes[k, TWICE] * modes[k, V]
            if system.damping.shape[0] > 0:
                drag = 0.0
                for j in range(n):
                    drag += system.damping[k, j] * modes[j, V]
            power += load * modes[k, V]
            lost += drag * modes[k, V]
    into[2 * n + WORK_JOINTS] = pull_joints(system, scene, holds.free)
    directed(tangents, speed, system, holds)
    react(tangents, system, holds)
    for c in range(contacts.shape[0]):
        row, hold = contacts[c], table[c]
        first = 2 * n + SUMS + OF_CONTACT * c
        into[first] = hold[PRESSURE]
        power += hold[PRESSURE] * row[WALL]
        into[first + 3] = 0.0
        for i in range(2):
            into[first + 1 + i] = hold[FRICTION + i]
        for i in range(tangents):
            power += hold[FRICTION + i] * row[WALL_SLIP + i]
            into[first + 3] += hold[FRICTION + i] * row[SLIP + i]
        rubbed += into[first + 3]
    into[2 * n + WORK_IN], into[2 * n + WORK_LOST], into[2 * n + WORK_RUBBED] = power, lost, rubbed
    for k in range(n):
        into[k], into[n + k] = modes[k, V], holds.free[k]
    turn_rates(system, scene, into)


def step(
    t: float, h: float, speed: float, tangents: int, system: System, scene: Scene, holds: Holds, steps: Steps
) -> float:
    """Take one step from `now` to `then`, whose first slope is known; return its error in velocities [√kg·m/s]."""
    slopes, now, then = steps.slopes, steps.now, steps.then
    n, wide = system.modes.shape[0], now.size
    for c in range(system.contacts.shape[0]):
        steps.path[c, LEAST_BENT] = steps.path[c, MOST_BENT] = steps.path[c, BENT_AT_START]
    for i in range(1, STAGES):
        for k in range(2 * n):
            total = now[k]
            for j in range(i):
                total += h * TABLE[j, i] * slopes[j, k]
            then[k] = total
        slope(t + C[i] * h, speed, tangents, then, system, scene, holds, slopes[i])
        note_bends(system, holds, steps)
    third, fifth = 0.0, 0.0
    for k in range(wide):
        total, rough, fine = now[k], 0.0, 0.0
        for j in range(STAGES):
            total += h * TABLE[j, SOLUTION] * slopes[j, k]
            rough += h * TABLE[j, ESTIMATE_3] * slopes[j, k]
            fine += h * TABLE[j, ESTIMATE_5] * slopes[j, k]
        then[k] = total
        if n <= k < 2 * n:
            third, fifth = math.hypot(third, rough), math.hypot(fifth, fine)
        elif k < n:
            third, fifth = math.hypot(third, rough / h), math.hypot(fifth, fine / h)
    return fifth * fifth / math.hypot(fifth, 0.1 * third) if fifth > 0.0 else 0.0


def note_start(tangents: int, system: System, scene: Scene, holds: Holds, steps: Steps) -> None:
    """Keep what events are seen by: overlaps and rates of open contacts, directions of slips.

    A contact that would pull or slip already, just when `decide` found that all together hold, only bears too much of
    what it shares with others.
    """
    for c in range(system.contacts.shape[0]):
        row = system.contacts[c]
        steps.held[c], steps.rates[c] = row[OVERLAP], row[RATE]
        path, hold = steps.path[c], holds.table[c]
        path[RAW_AT_START], path[RATE_AT_START] = raw_overlap(c, system, scene), row[RATE]
        path[BENT_AT_START] = along(c, system, holds.free) + holds.bias[c]
        path[BEYOND_AT_START] = scene.edges[c, BEYOND]
        hold[SHARED] = 0.0
        if hold[STATE] != FREE and -hold[PRESSURE] > allowance(PULLS, c, system, holds):
            hold[SHARED] = 1.0
        if hold[STATE] == STICKS:
            drag = math.hypot(hold[FRICTION], hold[FRICTION + 1])
            if drag - row[ROUGH] * hold[PRESSURE] > allowance(SLIPS, c, system, holds):
                hold[SHARED] = 1.0
        for t in range(tangents):
            steps.begun[c, t], steps.begun[c, 2 + t] = holds.table[c, DIRECTION + t], row[SLIP + t]


def beyond(what: int, c: int, tangents: int, system: System, scene: Scene, holds: Holds, steps: Steps) -> float:
    """Return by how much a contact is beyond an event at the state that was last put; negative before it."""
    row, hold = system.contacts[c], holds.table[c]
    if what == TOUCHES:
        return row[OVERLAP]
    if what == PULLS:
        return -hold[PRESSURE]
    if what == ENDS:
        return scene.edges[c, BEYOND]
    if what == SLIPS:
        drag = math.hypot(hold[FRICTION], hold[FRICTION + 1])
        return drag - row[ROUGH] * hold[PRESSURE]
    slip = 0.0
    for t in range(tangents):
        slip -= steps.begun[c, t] * row[SLIP + t]
    if tangents == 2:  # along two tangents it comes to rest without a change of sign
        stopped = 2.0 * STILL * system.contacts[int(row[LEADER]), SPEED]
        if math.hypot(steps.begun[c, 2], steps.begun[c, 3]) > stopped:
            slip = max(slip, stopped - slip_of(c, 2, system))
    return slip


def watched(c: int, what: int, contacts: Matrix, scene: Scene, holds: Holds) -> bool:
    """Return whether an event can happen to a contact in the state that it is in."""
    state = holds.table[c, STATE]
    if what == TOUCHES:
        return bool(contacts[c, STATUS] != RESTING)
    if state == FREE:
        return False
    alone = holds.table[c, SHARED] == 0.0
    if what == PULLS:
        return bool(alone)
    if what == ENDS:
        return bool(scene.node.size > 0 and scene.node[c] >= 0)
    if what == SLIPS:
        return bool(state == STICKS and alone)
    return bool(state == SLIDES and contacts[c, ROUGH] > 0.0)


def allowance(what: int, c: int, system: System, holds: Holds) -> float:
    """Return what of `beyond` is rounding."""
    row = system.contacts[c]
    if what == ENDS:
        return 0.0
    if what == TOUCHES:  # a contact that others hold where it is
        return TOUCH * row[LENGTH] if row[RATE] <= noise_of(c, system.contacts) else 0.0
    if what == STOPS:
        return 0.01 * noise_of(c, system.contacts)
    mobility = along(c, system, system.push[c])
    size = system.contacts[int(row[LEADER]), PULL] / mobility if mobility > 0.0 else 0.0
    return slack_of(system) * size if what == PULLS else AT_CONE * max(size, holds.table[c, PRESSURE])


def first_seen(tangents: int, system: System, scene: Scene, holds: Holds, steps: Steps) -> tuple[int, int]:
    """Return what has happened by the end of a step, and to which contact: the one farthest beyond its allowance."""
    worst, found, whom = 0.0, NOTHING, -1
    for c in range(system.contacts.shape[0]):
        row = system.contacts[c]
        for what in (TOUCHES, PULLS, SLIPS, STOPS, ENDS):
            if not watched(c, what, system.contacts, scene, holds):
                continue
            over = beyond(what, c, tangents, system, scene, holds, steps)
            if what == TOUCHES and over - max(steps.held[c], 0.0) <= TOUCH * row[LENGTH]:
                comes = over > 0.0 and (steps.held[c] < 0.0 or row[RATE] > 0.0)
                if not comes:
                    continue
            allowed = allowance(what, c, system, holds)
            if over > allowed and over / (allowed + 1e-300) > worst:
                worst, found, whom = over / (allowed + 1e-300), what, c
    return found, whom


def note_bends(system: System, holds: Holds, steps: Steps) -> None:
    """Raise the extremes of how rates of open contacts change by those of the state of the last slopes."""
    for c in range(system.contacts.shape[0]):
        if system.contacts[c, STATUS] != RESTING:
            bent, path = along(c, system, holds.free) + holds.bias[c], steps.path[c]
            path[LEAST_BENT], path[MOST_BENT] = min(path[LEAST_BENT], bent), max(path[MOST_BENT], bent)


def raw_overlap(c: int, system: System, scene: Scene) -> float:
    """Return the overlap of a contact wherever along its edge the node is."""
    moves = scene.node.size > 0 and scene.node[c] >= 0
    return scene.edges[c, RAW] if moves else system.contacts[c, OVERLAP]


def leap(away: float, rate: float, bent: float) -> float:
    """Return for how long bodies so far apart stay open that come nearer at a rate which grows by `bent` at most."""
    under = rate * rate + 2.0 * bent * away
    if rate > 0.0:
        return 2.0 * away / (rate + math.sqrt(under)) if under >= 0.0 else math.inf
    return (math.sqrt(under) - rate) / bent if bent > 0.0 else math.inf


def surely_open(h: float, system: System, scene: Scene, steps: Steps) -> float:
    """Return the part of a step up to which contacts open at both ends have stayed so for sure; 1 if throughout.

    That is so where what is free from the start on and what is free back from the end on meet.
    """
    part = 1.0
    for c in range(system.contacts.shape[0]):
        row, path = system.contacts[c], steps.path[c]
        noise = TOUCH * row[LENGTH]
        if row[STATUS] == RESTING or row[OVERLAP] > 0.0 or steps.held[c] > noise:
            continue
        if scene.node.size > 0 and scene.node[c] >= 0 and min(path[BEYOND_AT_START], scene.edges[c, BEYOND]) > 0.0:
            continue  # beside its edge
        bent = path[MOST_BENT] + SPREAD * (path[MOST_BENT] - path[LEAST_BENT])
        first = leap(max(-path[RAW_AT_START], 0.0) + noise, path[RATE_AT_START], bent)
        last = leap(max(-raw_overlap(c, system, scene), 0.0) + noise, -row[RATE], bent)
        if first + last < h:
            part = min(part, first / h)
    return part


def fly_to(
    t: float, h: float, speed: float, tangents: int, system: System, scene: Scene, holds: Holds, steps: Steps
) -> None:
    """Take a step of a given length and work out all that holds at its end, reactions included."""
    step(t, h, speed, tangents, system, scene, holds, steps)
    slope(t + h, speed, tangents, steps.then, system, scene, holds, steps.slopes[STAGES])


def cut(
    t: float, h: float, speed: float, tangents: int, system: System, scene: Scene, holds: Holds, steps: Steps
) -> tuple[float, int, int]:
    """Shorten the step that was taken so that it ends with the first event; return its length, what and to whom."""
    found, whom = first_seen(tangents, system, scene, holds, steps)
    for _ in range(20):
        high, above = h, beyond(found, whom, tangents, system, scene, holds, steps)
        slope(t, speed, tangents, steps.now, system, scene, holds, steps.slopes[0])
        low, under = 0.0, beyond(found, whom, tangents, system, scene, holds, steps)
        slack = 0.0
        if under >= 0.0:  # by rounding it is beyond already; what is looked for is when it is so by more
            comes = found == TOUCHES and steps.rates[whom] > noise_of(whom, system.contacts)
            slack = TOUCH * system.contacts[whom, LENGTH] if found == TOUCHES else allowance(found, whom, system, holds)
            if comes or under >= slack:
                fly_to(t, 0.0, speed, tangents, system, scene, holds, steps)
                return 0.0, found, whom
            under, above = under - slack, above - slack
            if above <= 0.0:
                fly_to(t, h, speed, tangents, system, scene, holds, steps)
                return h, found, whom
        side = 0
        fine = fineness(found, whom, system, holds)
        for i in range(CUTS):
            h = high - above * (high - low) / (above - under) if i % 4 != 3 else 0.5 * (low + high)
            fly_to(t, h, speed, tangents, system, scene, holds, steps)
            value = beyond(found, whom, tangents, system, scene, holds, steps) - slack
            if value > 0.0:
                high, above = h, value
                under *= 0.5 if side == 1 else 1.0
                side = 1
            else:
                low, under = h, value
                above *= 0.5 if side == -1 else 1.0
                side = -1
            if abs(value) <= fine or high - low <= 1e-15 * (t + h):
                break
        other, another = first_seen(tangents, system, scene, holds, steps)
        if other == NOTHING or (other == found and another == whom):
            return h, found, whom
        found, whom = other, another
    return h, found, whom


def fineness(what: int, c: int, system: System, holds: Holds) -> float:
    """Return how exactly an event is located: a length, a force or a speed."""
    if what in (TOUCHES, ENDS):
        return 0.1 * TOUCH * system.contacts[c, LENGTH]
    return 1e-3 * allowance(what, c, system, holds)
