"""A step of order five: Tsitouras' pair of orders five and four, in graded time from a touch on (`explicit.tableau`).

Within a step displacements are quintics through q, q̇ and q̈ at both ends, which is as good as the step itself.
"""

import math

import numpy as np

from carom.kernels.explicit.tableau import BY_PLACE, BY_RATE, MISS, SHARE, STAGES, TIME
from carom.kernels.joints import Springs
from carom.kernels.rows import CLOSED, STATUS
from carom.kernels.scene import clock
from carom.kernels.scene.accelerations import accelerate
from carom.kernels.scene.contact_forces import approach, press
from carom.kernels.scene.kinematics import move_anchor, move_body
from carom.kernels.scene.nearness import come_near, next_wake, path_of_step
from carom.kernels.scene.rows import (
    ALONG,
    AT_END,
    AT_START,
    CLOSING,
    CONTACT_POWERS,
    DISTANCE,
    END_DISTANCE,
    END_TRIAL,
    FORCE,
    MASS,
    NEAR,
    OVERLAP,
    SCENE_POWERS,
    SQUARE,
    TANGENT_STIFFNESS,
    TRIAL_FRICTION,
)
from carom.kernels.scene.tables import Motion, Plan
from carom.kernels.types import Vector

MISS_PLACE = np.array([MISS[kind] @ BY_RATE[kind] for kind in range(len(MISS))])
"""The same difference of displacements, from accelerations of the stages (kind, stage)."""
NOW = 0  # rows of `Motion.give`
RATE_NOW = 1
AT_THE_END = 2
RATE_AT_END = 3
ANYWHERE = 4
RATE_ANYWHERE = 5
FLOOR = 1e-3
"""Least speed of a structure in which errors are counted, as share of that of the liveliest."""


def attempt(h: float, kind: int, plan: Plan, motion: Motion, springs: Springs) -> float:
    """Try a step; return its error in units of the speeds of the structures. The state at its end is in `Motion`."""
    past = motion.clock[clock.PAST]
    motion.clock[clock.LENGTH], motion.clock[clock.KIND] = h, kind
    modes, slips = motion.load.size, 2 * motion.contacts.shape[0]
    q0, v0, trial, give = motion.now[0], motion.now[1], motion.end, motion.give[AT_THE_END]
    for k in range(modes):
        motion.stages[0, k] = motion.now[2, k]
    for n in range(motion.listed[NEAR]):
        for i in range(2 * motion.near[n], 2 * motion.near[n] + 2):
            motion.gives[0, i] = motion.give[RATE_NOW, i]
    for i in range(slips, motion.give.shape[1]):
        motion.gives[0, i] = motion.give[RATE_NOW, i]
    for s in range(1, STAGES):
        time = h * TIME[kind, s]
        for k in range(modes):
            rate, place = 0.0, 0.0
            for j in range(s):
                w = motion.stages[j, k]
                rate += BY_RATE[kind, s, j] * w
                place += BY_PLACE[kind, s, j] * w
            trial[1, k] = v0[k] + h * rate
            trial[0, k] = q0[k] + time * v0[k] + h * h * place
        for n in range(motion.listed[NEAR]):
            for i in range(2 * motion.near[n], 2 * motion.near[n] + 2):
                give[i] = motion.give[NOW, i] + h * rate_of(i, s, kind, motion)
        for i in range(slips, motion.give.shape[1]):
            give[i] = motion.give[NOW, i] + h * rate_of(i, s, kind, motion)
        accelerate(past + time, s == STAGES - 1, trial, give, plan, motion, springs, motion.gives[s], motion.powers[s])
        for k in range(modes):
            motion.stages[s, k] = trial[2, k]
    for n in range(motion.listed[NEAR]):
        for i in range(2 * motion.near[n], 2 * motion.near[n] + 2):
            motion.give[RATE_AT_END, i] = motion.gives[STAGES - 1, i]
    for i in range(slips, motion.give.shape[1]):
        motion.give[RATE_AT_END, i] = motion.gives[STAGES - 1, i]
    for n in range(motion.listed[NEAR]):
        note_end(motion.contacts[motion.near[n]])
    wake_up(plan, motion)
    return miss(h, kind, plan, motion)


def rate_of(i: int, s: int, kind: int, motion: Motion) -> float:
    """Return the rate of a first-order state that leads from the start of the step to a stage."""
    rate = 0.0
    for j in range(s):
        rate += BY_RATE[kind, s, j] * motion.gives[j, i]
    return rate


def note_end(row: Vector) -> None:
    """Keep what a contact reads at the end of the step, for its row serves anywhere in it."""
    row[AT_END], row[AT_END + 1] = row[OVERLAP], row[CLOSING]
    row[AT_END + 2], row[AT_END + 3], row[END_TRIAL] = row[FORCE], row[ALONG], row[TRIAL_FRICTION]
    row[END_DISTANCE] = row[DISTANCE]


def wake_up(plan: Plan, motion: Motion) -> None:
    """Look at contacts that may meet in the step, at both of its ends."""
    time = motion.clock
    time[clock.AHEAD], time[clock.BEND] = time[clock.TRAVEL] + path_of_step(plan, motion), -1.0
    if time[clock.AHEAD] <= time[clock.NEXT]:
        return
    for c in range(motion.wake.size):
        if motion.wake[c] < 0.0 or motion.wake[c] >= time[clock.AHEAD]:
            continue
        come_near(c, plan, motion)
        row = motion.contacts[c]
        look_at(c, 0.0, plan, motion)
        row[AT_START], row[AT_START + 1], row[AT_START + 2] = row[OVERLAP], row[CLOSING], 0.0
        look_at(c, 1.0, plan, motion)
        note_end(row)
    next_wake(motion)


def miss(h: float, kind: int, plan: Plan, motion: Motion) -> float:
    """Return the difference of both orders in a step, in units of the speeds of the structures."""
    size = motion.size
    most = 0.0
    for s in range(size.shape[1]):
        size[1, s], size[2, s] = 0.0, 0.0
    for k in range(motion.load.size):
        if plan.modes[MASS, k] == 0.0:
            continue
        rate, place = 0.0, 0.0
        for s in range(STAGES):
            rate += MISS[kind, s] * motion.stages[s, k]
            place += MISS_PLACE[kind, s] * motion.stages[s, k]
        group = plan.group[k]
        size[2, group] += h * h * (rate * rate + place * place)
        size[1, group] += (
            motion.end[1, k] * motion.end[1, k] + plan.modes[SQUARE, k] * motion.end[0, k] * motion.end[0, k]
        )
    for s in range(size.shape[1]):
        most = max(most, max(size[0, s], size[1, s]))
    found = 0.0
    for s in range(size.shape[1]):
        found = max(found, size[2, s] / max(max(size[0, s], size[1, s]), FLOOR * FLOOR * most))
    found = max(found, miss_of_turns(kind, most, plan, motion))
    for n in range(motion.listed[NEAR]):
        c = motion.near[n]
        if motion.contacts[c, STATUS] == CLOSED and plan.friction[c, TANGENT_STIFFNESS] > 0.0:
            for i in range(2 * c, 2 * c + 2):
                rate = 0.0
                for s in range(STAGES):
                    rate += MISS[kind, s] * motion.gives[s, i]
                found = max(found, h * h * rate * rate * plan.friction[c, TANGENT_STIFFNESS] / most)
    return math.sqrt(found)


def miss_of_turns(_kind: int, _most: float, _plan: Plan, _motion: Motion) -> float:
    """Return the square of what both orders differ by in orientations that are first-order states: none here."""
    return 0.0


def place_turns(_share: float, _plan: Plan, _motion: Motion) -> None:
    """Write orientations that are first-order states at a share of the step: none here."""


def place_within(share: float, motion: Motion) -> None:
    """Write the state of all modes at a share of the step."""
    h, now, end, trial = motion.clock[clock.LENGTH], motion.now, motion.end, motion.trial
    s = share
    for k in range(motion.load.size):
        c1, c2 = h * now[1, k], 0.5 * h * h * now[2, k]
        rise = end[0, k] - now[0, k] - c1 - c2
        ramp = h * end[1, k] - c1 - 2.0 * c2
        bend = h * h * end[2, k] - 2.0 * c2
        c3, c4, c5 = 10.0 * rise - 4.0 * ramp + 0.5 * bend, 7.0 * ramp - 15.0 * rise - bend, 6.0 * rise - 3.0 * ramp
        c5 += 0.5 * bend
        trial[0, k] = now[0, k] + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5))))
        trial[1, k] = (c1 + s * (2.0 * c2 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / h


def look_at(c: int, share: float, plan: Plan, motion: Motion) -> None:
    """Read a contact at a share of the step, with its forces where it is closed."""
    place_within(share, motion)
    place_turns(share, plan, motion)
    q, v, row = motion.trial[0], motion.trial[1], motion.contacts[c]
    if plan.places[c, 0] >= 0:
        for i in range(plan.places.shape[1]):
            a = plan.places[c, i]
            if plan.anchor_body[a] >= 0:
                move_body(plan.anchor_body[a], q, v, motion.give[ANYWHERE], plan, motion)
            move_anchor(a, q, v, plan, motion)
    approach(c, q, v, plan, motion)
    if row[STATUS] == CLOSED:
        h, give, s = motion.clock[clock.LENGTH], motion.give, share
        for i in range(2 * c, 2 * c + 2):
            rise = give[AT_THE_END, i] - give[NOW, i]
            first, last = h * give[RATE_NOW, i] - rise, h * give[RATE_AT_END, i] - rise
            give[ANYWHERE, i] = give[NOW, i] + s * (rise + (1.0 - s) * ((1.0 - s) * first - s * last))
        press(c, give[ANYWHERE], plan, row)


def add_up(h: float, kind: int, motion: Motion) -> None:
    """Add the powers of a step made good to their sums; those of its first stage are kept in the first row."""
    for i in range(SCENE_POWERS):
        add_power(i, h, kind, motion)
    for n in range(motion.listed[NEAR]):
        first = SCENE_POWERS + CONTACT_POWERS * motion.near[n]
        for i in range(first, first + CONTACT_POWERS):
            add_power(i, h, kind, motion)


def add_power(i: int, h: float, kind: int, motion: Motion) -> None:
    """Add a power of a step made good to its sum."""
    total = 0.0
    for s in range(STAGES - 1):
        total += SHARE[kind, s] * motion.powers[s, i]
    motion.sums[i] += h * total


def power_of(i: int, motion: Motion) -> float:
    """Return what a power adds up to in the step that `Motion` holds."""
    kind, total = int(motion.clock[clock.KIND]), 0.0
    for s in range(STAGES - 1):
        total += SHARE[kind, s] * motion.powers[s, i]
    return motion.clock[clock.LENGTH] * total


def end_to_now(motion: Motion) -> None:
    """Begin the next step where this one ends."""
    for i in range(3):
        for k in range(motion.load.size):
            motion.now[i, k] = motion.end[i, k]
    for i in range(SCENE_POWERS):
        motion.powers[0, i] = motion.powers[STAGES - 1, i]
    for n in range(motion.listed[NEAR]):
        c = motion.near[n]
        for k in range(2 * c, 2 * c + 2):
            motion.give[NOW, k], motion.give[RATE_NOW, k] = motion.give[AT_THE_END, k], motion.give[RATE_AT_END, k]
        first = SCENE_POWERS + CONTACT_POWERS * c
        for i in range(first, first + CONTACT_POWERS):
            motion.powers[0, i] = motion.powers[STAGES - 1, i]
    for k in range(2 * motion.contacts.shape[0], motion.give.shape[1]):
        motion.give[NOW, k], motion.give[RATE_NOW, k] = motion.give[AT_THE_END, k], motion.give[RATE_AT_END, k]


def speeds_to_size(motion: Motion) -> None:
    """Keep the largest speed of each structure."""
    for s in range(motion.size.shape[1]):
        motion.size[0, s] = max(motion.size[0, s], motion.size[1, s])
