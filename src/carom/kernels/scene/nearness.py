"""Which contacts are looked at: far ones sleep until they can meet, and cost nothing meanwhile.

No point of the scene moves farther in a step than the speeds of the modes let it: within a step these are quartics, and
a quartic stays below the largest of its Bernstein coefficients. TRAVEL adds up the largest of these paths. A node and a
face that are d apart can meet only after TRAVEL has grown by d/2, and until then their contact sleeps. A step in which
a sleeping contact might meet wakes it before the step is judged, and it is read at both ends: nothing is guessed.
"""

from carom.kernels.scene import clock
from carom.kernels.scene.kinematics import body_path, riding_path
from carom.kernels.scene.rows import END_DISTANCE, MOVED, NEAR
from carom.kernels.scene.tables import Motion, Plan
from carom.kernels.types import Codes

ROUNDED = 1.0 + 1e-6
"""Times a path that it counts for, since orientations follow spins to within the error of a step."""


def path_of_step(plan: Plan, motion: Motion) -> float:
    """Return how far a point of the scene moves in the step at hand, at most [m]; loads serve as scratch."""
    h, now, end, path = motion.clock[clock.LENGTH], motion.now, motion.end, motion.load
    for k in range(path.size):
        v0, v1, w0, w1 = now[1, k], end[1, k], 0.25 * h * now[2, k], 0.25 * h * end[2, k]
        middle = 5.0 * (end[0, k] - now[0, k]) / h - 2.0 * (v0 + v1) + w1 - w0
        path[k] = h * max(max(abs(v0), abs(v1)), max(max(abs(v0 + w0), abs(v1 - w1)), abs(middle)))
    body, rides = 0.0, 0.0
    for b in range(plan.body_modes.shape[0]):
        body = max(body, body_path(b, path, plan))
    for i in range(plan.riding.size):
        rides = max(rides, riding_path(plan.riding[i], path, plan))
    return ROUNDED * (body + rides)


def bend_of_step(plan: Plan, motion: Motion) -> float:
    """Return a bound on how a point of the scene is accelerated in the step at hand, times its length squared [m].

    Second derivatives of modes are cubics, which stay below the largest of their Bernstein coefficients; loads serve as
    scratch.
    """
    h, now, end, bend = motion.clock[clock.LENGTH], motion.now, motion.end, motion.load
    for k in range(bend.size):
        bend[k] = bend_of(now[0, k], h * now[1, k], h * h * now[2, k], end[0, k], h * end[1, k], h * h * end[2, k])
    path = motion.clock[clock.AHEAD] - motion.clock[clock.TRAVEL]
    body, rides = 0.0, 0.0
    for b in range(plan.body_modes.shape[0]):
        turns = path * path / plan.reach[b] if plan.reach[b] > 0.0 else 0.0  # ω² r, since ω r is no more than a speed
        body = max(body, body_path(b, bend, plan) + turns)
    for i in range(plan.riding.size):
        rides = max(rides, riding_path(plan.riding[i], bend, plan))
    return ROUNDED * (body + rides)


def bend_of(u0: float, v0: float, w0: float, u1: float, v1: float, w1: float) -> float:
    """Return a bound on |d²u/ds²| of the quintic through both ends, with derivatives by shares of the step."""
    rise, ramp, bend = u1 - u0 - v0 - 0.5 * w0, v1 - v0 - w0, w1 - w0
    c3, c4 = 10.0 * rise - 4.0 * ramp + 0.5 * bend, 7.0 * ramp - 15.0 * rise - bend
    return max(max(abs(w0), abs(w1)), max(abs(w0 + 2.0 * c3), abs(w0 + 4.0 * (c3 + c4))))


def begin_near(plan: Plan, motion: Motion) -> None:
    """Look at all contacts."""
    motion.clock[clock.NEXT] = 1e300
    for a in range(motion.uses.size):
        motion.uses[a] = 0
    for link in range(plan.links.shape[0]):
        for side in range(2):
            if plan.links[link, side] >= 0:
                motion.uses[plan.links[link, side]] += 1
    for c in range(motion.wake.size):
        motion.near[c], motion.wake[c] = c, -1.0
        for i in range(plan.places.shape[1]):
            if plan.places[c, i] >= 0:
                motion.uses[plan.places[c, i]] += 1
    motion.listed[NEAR], motion.listed[MOVED] = motion.wake.size, 0
    for a in range(motion.uses.size):
        if motion.uses[a] > 0:
            motion.moved[motion.listed[MOVED]] = a
            motion.listed[MOVED] += 1


def insert(which: int, count: int, into: Codes) -> None:
    """Put a number into a list in ascending order that has `count` of them."""
    at = count
    while at > 0 and into[at - 1] > which:
        into[at] = into[at - 1]
        at -= 1
    into[at] = which


def come_near(c: int, plan: Plan, motion: Motion) -> None:
    """Look at a contact again."""
    motion.wake[c] = -1.0
    insert(c, motion.listed[NEAR], motion.near)
    motion.listed[NEAR] += 1
    for i in range(plan.places.shape[1]):
        a = plan.places[c, i]
        if motion.uses[a] == 0:
            insert(a, motion.listed[MOVED], motion.moved)
            motion.listed[MOVED] += 1
        motion.uses[a] += 1


def go_far(c: int, plan: Plan, motion: Motion) -> None:
    """Let a contact sleep; whoever calls takes it from the list of those that are near."""
    motion.wake[c] = motion.clock[clock.TRAVEL] + 0.5 * motion.contacts[c, END_DISTANCE]
    motion.clock[clock.NEXT] = min(motion.clock[clock.NEXT], motion.wake[c])
    for i in range(plan.places.shape[1]):
        a = plan.places[c, i]
        motion.uses[a] -= 1
        if motion.uses[a] == 0:
            at = 0
            while motion.moved[at] != a:
                at += 1
            motion.listed[MOVED] -= 1
            for k in range(at, motion.listed[MOVED]):
                motion.moved[k] = motion.moved[k + 1]


def next_wake(motion: Motion) -> None:
    """Note when the next contact that sleeps is to be looked at."""
    soonest = 1e300
    for c in range(motion.wake.size):
        if motion.wake[c] >= 0.0:
            soonest = min(soonest, motion.wake[c])
    motion.clock[clock.NEXT] = soonest
