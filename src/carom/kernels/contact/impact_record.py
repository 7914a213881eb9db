"""What is kept on a contact during an impact: whether it is open or closed, and the speeds that its law asks for."""

import math

from carom.kernels.contact.collocation import FROM_TOUCH_2, FROM_TOUCH_4, PLAIN, TO_PARTING_2, TO_PARTING_4
from carom.kernels.laws import power_law
from carom.kernels.laws.power_law import (
    damping_factor,
    force_slopes,
    grading,
    overlap_scale,
    reference_rate,
    speed_scale,
)
from carom.kernels.rows import (
    CHI_APPROACH,
    CHI_RESTITUTION,
    CLOSED,
    DEPTH,
    DIRECTION,
    EFFECTIVE_MASS,
    ERROR_WEIGHT,
    FOLLOWS_ABOVE,
    HELD,
    IMPULSE,
    LAST_STRIDE,
    NOISE,
    OPEN,
    PACE,
    PARTING_KIND,
    PEAK_FORCE,
    PEAK_OVERLAP,
    REACHABLE_SPEED,
    RECENT_SPEED,
    SCALE,
    SPEED,
    START,
    STATUS,
    STRIDE,
    TOP_RATE,
    TOUCH_KIND,
    TOUCH_RATE,
    TOUCHES,
    WORK,
)
from carom.kernels.types import Matrix, Vector

TINY_SPEED = 1e-6  # the speed [m/s] that stands for that of slower touches
FIRST_STRIDE = 0.5  # first step of the first impact, in units of SCALE/SPEED
MANY_TOUCHES = 100.0  # touches of a contact after which an impact is computed twice as well as the first
ROUNDING = 1e-12  # of a force, as share of the impact's largest
RATE_MISS = 5.0  # what a step may miss of a contact's rate at most, over the tolerance of its speed
MANY_ELASTIC = 20.0
"""Touches of a contact without damping after which that is so: its impacts are alike, and so are their errors."""


def open_book(row: Vector) -> None:
    """Begin the record of a contact that is open."""
    row[STATUS] = OPEN
    row[SCALE] = 0.0
    row[TOUCHES] = 0.0
    row[STRIDE] = FIRST_STRIDE
    row[LAST_STRIDE] = FIRST_STRIDE
    both = grading(row)
    row[TOUCH_KIND] = FROM_TOUCH_2 if both == 2.0 else FROM_TOUCH_4 if both == 4.0 else PLAIN
    ends = both
    if row[power_law.RESTITUTION_SHARE] == 0.0:  # no damping when it parts: the spring alone
        twice = 2.0 * row[power_law.EXPONENT]
        ends = 1.0 if twice % 2.0 == 0.0 else 2.0 if twice % 1.0 == 0.0 else 4.0
    row[PARTING_KIND] = TO_PARTING_2 if ends == 2.0 else TO_PARTING_4 if ends == 4.0 else PLAIN


def renew(row: Vector, rate: float) -> None:
    """Note the largest rate since touch, and the damping factors that follow from it."""
    row[TOP_RATE] = max(row[TOP_RATE], rate)
    reference = reference_rate(row, row[TOUCH_RATE], row[TOP_RATE])
    follows = row[power_law.RATE_POWER] != 0.0 and row[power_law.PUBLISHED_RATE] == 0.0
    if follows:  # χ/v* of a rate that is rounding would answer rounding
        reference = max(reference, row[NOISE] * row[SPEED] / row[SCALE])
    row[CHI_APPROACH] = damping_factor(row, 1.0, reference)
    row[CHI_RESTITUTION] = damping_factor(row, -1.0, reference)
    row[FOLLOWS_ABOVE] = 2.0 * reference if follows else math.inf


def close(row: Vector, rate: float, pull: float, t: float) -> None:
    """Enter a touch; `pull` is the relative acceleration then [m/s²]: the scale of touches without speed."""
    row[STATUS] = CLOSED
    row[DIRECTION] = 1.0
    row[TOUCH_RATE] = max(rate, 0.0)
    row[TOP_RATE] = row[TOUCH_RATE]
    row[START] = t
    row[PEAK_FORCE] = 0.0
    row[PEAK_OVERLAP] = 0.0
    row[WORK] = 0.0
    row[HELD] = 0.0
    row[IMPULSE] = 0.0
    if row[power_law.STIFFNESS] > 0.0:
        row[SPEED] = max(speed_scale(row, row[EFFECTIVE_MASS], row[TOUCH_RATE], pull), TINY_SPEED)
        row[SCALE] = overlap_scale(row, row[EFFECTIVE_MASS], row[SPEED])
    else:  # a dashpot between modes: no spring gives it a scale or a first step; its speed is the largest so far
        row[SPEED], row[SCALE], row[PEAK_OVERLAP] = TINY_SPEED, 1.0, 1.0
    row[RECENT_SPEED], row[REACHABLE_SPEED] = row[SPEED], row[SPEED]
    many = row[TOUCHES] / (MANY_TOUCHES if row[power_law.DAMPING] > 0.0 else MANY_ELASTIC)
    row[ERROR_WEIGHT] = 1.0 + many * many
    row[TOUCHES] += 1.0
    renew(row, row[TOUCH_RATE])


def closed_ones(contacts: Matrix) -> tuple[int, int]:
    """Return the first contact that is closed, and the one behind the last: mostly few of many, and neighbours."""
    first, after = contacts.shape[0], 0
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] == CLOSED:
            first, after = min(first, c), c + 1
    return first, after


def lets_go_below(tolerance: float, chi: float, row: Vector) -> float:
    """Return the force [N] below which a closed contact without tension lets go: a little less than zero.

    Damping over v* lets bodies part no faster than at v*/d. At that rate they press ever less and never pull: what is
    left of the force is what the step misses of the rate, and its sign says nothing.
    """
    _, by_rate = force_slopes(row, chi, row[DEPTH], math.sqrt(row[DEPTH]), row[PACE])
    return -RATE_MISS * tolerance * row[SPEED] * abs(by_rate) - ROUNDING * row[PEAK_FORCE]


def follows(row: Vector, rate: float) -> bool:
    """Return whether χ follows the rate, as it does in a touch without speed that gathers some."""
    return rate > row[FOLLOWS_ABOVE]


def chi_of(row: Vector, rate: float) -> float:
    """Return χ of a closed contact at this rate."""
    if rate > row[FOLLOWS_ABOVE]:
        return damping_factor(row, rate, 0.5 * rate)
    return row[CHI_APPROACH] if row[DIRECTION] > 0.0 else row[CHI_RESTITUTION]


def slopes_of(row: Vector, chi: float, overlap: float, root: float, rate: float) -> tuple[float, float]:
    """Return ∂F/∂δ and ∂F/∂δ̇ of a closed contact; where χ follows the rate their product is constant."""
    by_overlap, by_rate = force_slopes(row, chi, overlap, root, rate)
    return by_overlap, 0.0 if rate > row[FOLLOWS_ABOVE] else by_rate
