"""Where within a step an open contact touches for the first time, or the proof that it does not.

A node and a face stay apart as long as paths within the step do not add up to their distance. Else, at a distance d
with the rate δ̇, they do for at least the time in which δ̇ t + ½ B t² covers d, where B is a bound on d²δ/dt² in the
step: one looks again only there. Where a touch comes nearer this is Newton's method, from the one side.
"""

import math

from carom.kernels.scene import clock
from carom.kernels.scene.kinematics import read
from carom.kernels.scene.nearness import bend_of, bend_of_step
from carom.kernels.scene.rows import AT_END, AT_START, CLOSING, CONTACT_ROWS, END_DISTANCE, LENGTH, OVERLAP
from carom.kernels.scene.step import look_at
from carom.kernels.scene.tables import Motion, Plan

LEAST_LEAP = 1e-4
"""Share of a step that is not looked into: a touch missed in it is less deep than B h²/8 times its square."""


def bend_of_overlap(c: int, plan: Plan, motion: Motion) -> float:
    """Return a bound on |d²δ/ds²| of an open contact in the step, s its share.

    With δ = −n·r, r the way from the face to the node: |δ''| ≤ |r''| + 2|n'||r'| + |n''||r|. A body whose face
    measures ℓ around reaches at least ℓ/2π from its centre: it turns by no more than 2π/ℓ times the paths of points.
    """
    row, time = motion.contacts[c], motion.clock
    h = time[clock.LENGTH]
    if plan.places[c, 0] < 0:
        first = CONTACT_ROWS * c
        return bend_of(
            row[AT_START], h * row[AT_START + 1], h * h * read(first, plan, motion.now[2]),
            row[AT_END], h * row[AT_END + 1], h * h * read(first, plan, motion.end[2]),
        )  # fmt: skip
    if time[clock.BEND] < 0.0:
        time[clock.BEND] = bend_of_step(plan, motion)
    path, bend = time[clock.AHEAD] - time[clock.TRAVEL], time[clock.BEND]
    per_length = 2.0 * math.pi / row[LENGTH]
    turn = per_length * path
    away = row[LENGTH] + row[END_DISTANCE] + 2.0 * path
    return 2.0 * bend + 4.0 * turn * path + (per_length * bend + turn * turn) * away


def leap(away: float, rate: float, bend: float) -> float:
    """Return for how long a contact stays open that is so far apart and comes nearer at a rate, in shares."""
    under = math.sqrt(rate * rate + 2.0 * bend * away)
    if rate > 0.0:
        return 2.0 * away / (rate + under)
    return (under - rate) / bend if bend > 0.0 else 2.0


def first_touch(c: int, plan: Plan, motion: Motion) -> float:
    """Return a share of the step at which an open contact overlaps for the first time, or −1: it never does.

    The first touch lies between there and LEAST_LEAP before.
    """
    row, time = motion.contacts[c], motion.clock
    touched = row[AT_END] > 0.0
    if touched and row[AT_START] > 0.0:
        return 1.0
    apart = plan.places[c, 0] >= 0 and row[END_DISTANCE] - row[AT_START] > 2.0 * (
        time[clock.AHEAD] - time[clock.TRAVEL]
    )
    if apart and not touched:
        return -1.0
    h, bend = time[clock.LENGTH], bend_of_overlap(c, plan, motion)
    low = leap(max(-row[AT_START], 0.0), h * row[AT_START + 1], bend)
    high = 1.0 if touched else 1.0 - leap(max(-row[AT_END], 0.0), -h * row[AT_END + 1], bend)
    while low < high:
        look_at(c, low, plan, motion)
        if row[OVERLAP] > 0.0:
            return low
        low += max(leap(-row[OVERLAP], h * row[CLOSING], bend), LEAST_LEAP)
    return 1.0 if touched else -1.0
