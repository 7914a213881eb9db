"""Touches without speed: the rules by which they begin, for the general and the explicit engine.

A contact that began at δ = 0 without speed would stand still there. So its bodies fly on until they overlap a little,
or until it shows that they only graze each other or rest side by side. The rules take numbers of the moment of touch:
overlap, rate and relative acceleration of the two bodies, and scale and speed typical of the impact that would follow
(`power_law.overlap_scale`, `power_law.speed_scale`).

While they fly on with an overlap the contact force is left out. Its impulse, about k∫δ dt, grows as the cube of the
time: a small OVERRUN leaves out next to nothing.
"""

import math

SLOW = 1e-3
"""Rate of a touch, as part of the speed typical of the impact, below which it counts as a touch without speed."""
OVERRUN = 1e-2
"""How long bodies fly on after a touch without speed, as part of the duration of the contact, SCALE/SPEED."""
GENTLE = 8e-4
"""Largest overlap with which a contact without speed may begin, as part of the overlap at which its spring would stop
the impact. It is less than `ledger.INSIDE`, from which on a run reports a touch that was missed."""
GENTLE_FROM = 1e-6
"""Tolerance below which touches without speed begin more gently: what they leave out goes with the cube of OVERRUN."""
GENTLEST = 0.1
"""Least share of OVERRUN."""
MOST_CUTS = 12
"""How often the flight after a touch without speed is shortened, at most."""


def gently(tolerance: float) -> float:
    """Return what share of OVERRUN bodies fly on at this tolerance; overlaps are the square of that of GENTLE."""
    return 1.0 if tolerance >= GENTLE_FROM else max(math.pow(tolerance / GENTLE_FROM, 1.0 / 3.0), GENTLEST)


def is_gentle(overlap: float, scale: float, tolerance: float) -> bool:
    """Return whether a contact without speed may begin with such an overlap [m]."""
    share = gently(tolerance)
    return overlap <= share * share * GENTLE * scale


def time_to_fly_on(overlap: float, rate: float, approach: float, scale: float, speed: float, tolerance: float) -> float:
    """Return how long bodies fly on after a touch without speed [s]; `approach` is their relative acceleration.

    Where they only brush each other they fly on until that is over: they are held back, and part again before they
    overlap more than a contact may begin with: with b = −δ̈ the overlap rises to δ + δ̇²/2b, which must be at most half
    of what is gentle, and is back where it was after 2δ̇/b.
    """
    share = gently(tolerance)
    overrun = share * OVERRUN * scale / speed
    back = -approach
    if back > 0.0 and 2.0 * back * overlap + rate * rate <= back * share * share * GENTLE * scale:
        return max(overrun, 2.0 * rate / back)
    return overrun


def seems_at_rest(overlap: float, rate: float, pull: float, rest: float, noise: float) -> bool:
    """Return whether bodies that touch seem to stay as near as rounding for a time `rest`; `pull` bounds |δ̈|."""
    return overlap + rest * (abs(rate) + 0.5 * rest * pull) <= noise


def presses(overlap: float, rate: float, dt: float, noise: float) -> bool:
    """Return whether bodies overlap and come nearer, and not by rounding alone within a sample."""
    return rate > 0.0 and overlap > 0.0 and max(overlap, rate * dt) > noise
