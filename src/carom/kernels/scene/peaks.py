"""True extremes within steps: of outputs, contacts, joints and gauges."""

import math

from carom.kernels.contact.collocation import PLAIN
from carom.kernels.contact.impact_record import renew
from carom.kernels.joints import DEFORMATION, PACE, TENSION
from carom.kernels.rows import CLOSED, PEAK_FORCE, PEAK_OVERLAP, STATUS, TOP_RATE
from carom.kernels.scene import clock, rows
from carom.kernels.scene.kinematics import move_all, read
from carom.kernels.scene.links import stretch
from carom.kernels.scene.rows import (
    AT_END,
    AT_START,
    FORCE,
    HIGHEST,
    LEFT_AT,
    LINK_D,
    LINK_DEFORMATION,
    LINK_FORCE,
    LINK_RATE,
    LOWEST,
    NOW,
    OUTPUT_ROW,
    OVERLAP,
    PEAK,
    RIDDEN,
    RIDE,
)
from carom.kernels.scene.step import ANYWHERE, look_at, place_turns, place_within
from carom.kernels.scene.tables import Motion, Plan
from carom.kernels.types import Vector

ROUNDED = 1.2e-14
"""Rounding in the acceleration of a quintic, as share of displacement over the square of the step."""
ALLOWED = 1e-6
"""The same that is let pass, as share of the largest acceleration so far."""
NEAR = 0.7
"""Part of the largest force so far from which on a step may hold a larger one."""


def watch_outputs(plan: Plan, motion: Motion) -> None:
    """Raise the peaks of all outputs by those of the step under way, and begin the next one at its end."""
    h, past = motion.clock[clock.LENGTH], motion.clock[clock.PAST]
    for o in range(motion.outputs.shape[0]):
        line, row = motion.outputs[o], plan.offsets[OUTPUT_ROW] + o
        u, v, w = read(row, plan, motion.end[0]), read(row, plan, motion.end[1]), read(row, plan, motion.end[2])
        g, ride = int(line[RIDDEN]), line[RIDE]
        slope = ride * motion.ground[1, g]
        base = ride * (motion.ground[0, g] + past * motion.ground[1, g])
        raise_peaks(line, u, v, w + base + h * slope)
        c1, c2 = h * line[NOW + 1], 0.5 * h * h * line[NOW + 2]
        rise, ramp = u - line[NOW] - c1 - c2, h * v - c1 - 2.0 * c2
        bend = h * h * w - 2.0 * c2
        c3, c4 = 10.0 * rise - 4.0 * ramp + 0.5 * bend, 7.0 * ramp - 15.0 * rise - bend
        c5 = 6.0 * rise - 3.0 * ramp + 0.5 * bend
        pace = max(abs(c1), abs(h * v))
        if line[NOW + 1] * v < 0.0 and max(abs(line[NOW]), abs(u)) + 0.5 * pace > line[PEAK]:
            s = turning(c1, 2.0 * c2, 3.0 * c3, 4.0 * c4, 5.0 * c5)
            top = abs(line[NOW] + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5)))))
            line[PEAK] = max(line[PEAK], top)
        if line[NOW + 2] * w < 0.0:
            s = turning(2.0 * c2, 6.0 * c3, 12.0 * c4, 20.0 * c5, 0.0)
            top = abs(c1 + s * (2.0 * c2 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / h
            line[PEAK + 1] = max(line[PEAK + 1], top)
        tells = ROUNDED * max(abs(u), abs(line[NOW])) < ALLOWED * h * h * line[PEAK + 2]
        if motion.clock[clock.KIND] != PLAIN or not tells:  # no quintic has the acceleration of a graded step
            line[NOW], line[NOW + 1], line[NOW + 2] = u, v, w
            continue
        jerk = 6.0 * c3 + h * h * h * slope
        under = 144.0 * c4 * c4 - 60.0 * c5 * jerk
        if under >= 0.0:
            half = -(12.0 * c4 + math.copysign(math.sqrt(under), c4))
            for s in (half / (60.0 * c5) if c5 != 0.0 else -1.0, jerk / half if half != 0.0 else -1.0):
                if s > 0.0 and s < 1.0:
                    top = (2.0 * c2 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5))) / (h * h) + base + s * h * slope
                    line[PEAK + 2] = max(line[PEAK + 2], abs(top))
        line[NOW], line[NOW + 1], line[NOW + 2] = u, v, w


def raise_peaks(line: Vector, u: float, v: float, own: float) -> None:
    """Raise the peaks of an output by its values at a moment."""
    line[PEAK], line[PEAK + 1] = max(line[PEAK], abs(u)), max(line[PEAK + 1], abs(v))
    line[PEAK + 2] = max(line[PEAK + 2], abs(own))


def begin_outputs(plan: Plan, motion: Motion) -> None:
    """Read outputs at the start of a step before which forces may have jumped."""
    past = motion.clock[clock.PAST]
    for o in range(motion.outputs.shape[0]):
        line, row = motion.outputs[o], plan.offsets[OUTPUT_ROW] + o
        for i in range(3):
            line[NOW + i] = read(row, plan, motion.now[i])
        g = int(line[RIDDEN])
        own = line[NOW + 2] + line[RIDE] * (motion.ground[0, g] + past * motion.ground[1, g])
        raise_peaks(line, line[NOW], line[NOW + 1], own)


def turning(c0: float, c1: float, c2: float, c3: float, c4: float) -> float:
    """Return a root in [0, 1] of a quartic that has different signs at its ends."""
    low, high = 0.0, 1.0
    end = c0 + c1 + c2 + c3 + c4
    s = min(max(c0 / (c0 - end), 0.0), 1.0)
    for _ in range(30):
        value = c0 + s * (c1 + s * (c2 + s * (c3 + s * c4)))
        if value * c0 > 0.0:
            low = s
        else:
            high = s
        slope = c1 + s * (2.0 * c2 + s * (3.0 * c3 + s * 4.0 * c4))
        step = value / slope if slope != 0.0 else 2.0
        s -= step
        if not (s > low and s < high):
            s = 0.5 * (low + high)
        if abs(step) < 1e-9:
            break
    return s


def watch_contacts(plan: Plan, motion: Motion) -> None:
    """Raise the peaks of closed contacts by those of the step under way."""
    for n in range(motion.listed[rows.NEAR]):
        c = motion.near[n]
        row = motion.contacts[c]
        if row[STATUS] != CLOSED:
            continue
        top = max(row[AT_START + 2], row[AT_END + 2])
        if top > NEAR * row[PEAK_FORCE]:
            row[PEAK_FORCE] = max(row[PEAK_FORCE], max(top, inner_force(c, plan, motion)))
        deepest = max(row[AT_START], row[AT_END])
        if row[AT_START + 1] > 0.0 and row[AT_END + 1] < 0.0:
            share = row[AT_START + 1] / (row[AT_START + 1] - row[AT_END + 1])
            look_at(c, share, plan, motion)
            deepest = max(deepest, row[OVERLAP])
        row[PEAK_OVERLAP] = max(row[PEAK_OVERLAP], deepest)
        if row[AT_END + 1] > row[TOP_RATE]:
            renew(row, row[AT_END + 1])


def inner_force(c: int, plan: Plan, motion: Motion) -> float:
    """Return the largest force found inside the step, by parabolas."""
    row = motion.contacts[c]
    low, middle, high = 0.0, 0.5, 1.0
    first, last = row[AT_START + 2], row[AT_END + 2]
    look_at(c, middle, plan, motion)
    inside = row[FORCE]
    best = inside
    for _ in range(6):
        left, right = (middle - low) * (inside - last), (middle - high) * (inside - first)
        below = 2.0 * (left - right)
        if not (inside > first and inside > last) and not (low == 0.0 and high == 1.0):
            break
        if below == 0.0:
            break
        at = middle - ((middle - low) * left - (middle - high) * right) / below
        if not (at > low and at < high) or abs(at - middle) < 1e-6:
            break
        look_at(c, at, plan, motion)
        found = row[FORCE]
        best = max(best, found)
        if at < middle:
            if found >= inside:
                high, last, middle, inside = middle, inside, at, found
            else:
                low, first = at, found
        elif found >= inside:
            low, first, middle, inside = middle, inside, at, found
        else:
            high, last = at, found
    return best


def watch_links(plan: Plan, motion: Motion) -> None:
    """Raise the peaks of joints by their values at the end of the step; find true extremes of gauges."""
    gauges = plan.limits.shape[0]
    joints = plan.links.shape[0] - gauges
    for link in range(joints):
        line = motion.links[link]
        line[LINK_FORCE] = max(line[LINK_FORCE], abs(motion.pull[TENSION, link]))
        line[LINK_DEFORMATION] = max(line[LINK_DEFORMATION], abs(motion.pull[DEFORMATION, link]))
    h = motion.clock[clock.LENGTH]
    for link in range(joints, joints + gauges):
        line = motion.links[link]
        d, rate = motion.pull[DEFORMATION, link], motion.pull[PACE, link]
        low, high = min(d, line[LOWEST]), max(d, line[HIGHEST])
        if line[LINK_RATE] * rate < 0.0:
            extreme = crest(line[LINK_D], h * line[LINK_RATE], d, h * rate)
            low, high = min(low, extreme), max(high, extreme)
        line[LOWEST], line[HIGHEST] = low, high
        limits = plan.limits[link - joints]
        if math.isnan(line[LEFT_AT]) and (low < limits[0] or high > limits[1]):
            start = motion.clock[clock.SAMPLE] + motion.clock[clock.PAST]
            line[LEFT_AT] = start + h * crossing(link, limits, plan, motion)
        line[LINK_D], line[LINK_RATE] = d, rate


def begin_links(plan: Plan, motion: Motion) -> None:
    """Note what gauges read at the start."""
    joints = plan.links.shape[0] - plan.limits.shape[0]
    for link in range(joints, plan.links.shape[0]):
        line, d = motion.links[link], motion.pull[DEFORMATION, link]
        line[LINK_D], line[LINK_RATE] = d, motion.pull[PACE, link]
        line[LOWEST], line[HIGHEST], line[LEFT_AT] = d, d, math.nan
        limits = plan.limits[link - joints]
        if d < limits[0] or d > limits[1]:
            line[LEFT_AT] = 0.0


def crest(d0: float, first: float, d1: float, last: float) -> float:
    """Return the value of a cubic where it turns; slopes at its ends, of different signs, are in shares of the step."""
    rise = d1 - d0
    a, b = first + last - 2.0 * rise, 3.0 * rise - 2.0 * first - last
    s = turning(first, 2.0 * b, 3.0 * a, 0.0, 0.0)
    return d0 + s * (first + s * (b + s * a))


def crossing(link: int, limits: Vector, plan: Plan, motion: Motion) -> float:
    """Return the share of the step at which a gauge first leaves its limits: halving, from where it is surely out."""
    low, high = 0.0, 1.0
    for i in range(1, 9):  # where it turned inside the step it may be back within
        if outside(link, i / 8.0, limits, plan, motion):
            low, high = (i - 1) / 8.0, i / 8.0
            break
    for _ in range(45):
        middle = 0.5 * (low + high)
        if outside(link, middle, limits, plan, motion):
            high = middle
        else:
            low = middle
    return high


def outside(link: int, share: float, limits: Vector, plan: Plan, motion: Motion) -> bool:
    """Return whether a gauge is outside its limits at a share of the step."""
    place_within(share, motion)
    place_turns(share, plan, motion)
    move_all(motion.trial[0], motion.trial[1], motion.give[ANYWHERE], plan, motion)
    kept, kept_rate = motion.pull[DEFORMATION, link], motion.pull[PACE, link]
    stretch(link, motion.trial[0], motion.trial[1], plan, motion)
    d = motion.pull[DEFORMATION, link]
    motion.pull[DEFORMATION, link], motion.pull[PACE, link] = kept, kept_rate
    return bool(d < limits[0] or d > limits[1])
