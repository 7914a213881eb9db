"""Where within a step an open contact touches for the first time, or the proof that it does not.

At a distance d with the rate δ̇ a contact stays open for at least the time in which δ̇ t + ½ B t² covers d, where B is a
bound on d²δ/dt² in the step (`scene.reach`): one looks again only there. Where a touch comes nearer this is Newton's
method, from the one side.
"""

import math

from carom.kernels.scene import clock
from carom.kernels.scene.reach import bend_of_overlap
from carom.kernels.scene.rows import AT_END, AT_START, CLOSING, OVERLAP, WAKE
from carom.kernels.scene.step import look_at
from carom.kernels.scene.tables import Motion, Plan

LEAST_LEAP = 1e-4
"""Share of a step that is not looked into: a touch missed in it is less deep than B h²/8 times its square."""


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
    row, h = motion.contacts[c], motion.clock[clock.LENGTH]
    if row[WAKE] > motion.clock[clock.TRAVEL]:  # it slept when the step began
        look_at(c, 0.0, plan, motion)
        row[AT_START], row[AT_START + 1] = row[OVERLAP], row[CLOSING]
    touched = row[AT_END] > 0.0
    if touched and row[AT_START] > 0.0:
        return 1.0
    bend = bend_of_overlap(c, plan, motion)
    low = leap(max(-row[AT_START], 0.0), h * row[AT_START + 1], bend)
    high = 1.0 if touched else 1.0 - leap(max(-row[AT_END], 0.0), -h * row[AT_END + 1], bend)
    while low < high:
        look_at(c, low, plan, motion)
        if row[OVERLAP] > 0.0:
            return low
        low += max(leap(-row[OVERLAP], h * row[CLOSING], bend), LEAST_LEAP)
    return 1.0 if touched else -1.0
