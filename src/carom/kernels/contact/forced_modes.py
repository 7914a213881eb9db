"""What contact forces make of one mode in a solved step.

A step is solved with forces that are parabolas in s through their values at three nodes (`collocation`). Once solved,
the law tells them at both ends too: the quartic through all five points knows a force far better than the parabola
does. What moves as one mass feels no difference, for Gauss' quadrature is as good as the quartic. A mode that turns by
some radians in the step does: it follows a force, and its velocity the slope of the force.
"""

from carom.kernels.contact.collocation import (
    END,
    FEW,
    FEW_SHARES,
    FEW_WEIGHTS,
    FINE,
    FINE_SHARES,
    FINE_WEIGHTS,
    LONG,
    NODES,
    PARABOLAS,
    PLAIN,
)
from carom.kernels.contact.step_curves import coefficient, elapsed, share_of_time, time_slope
from carom.kernels.modal.propagator import further_responses, unit_responses
from carom.kernels.rows import (
    AT_END,
    AT_NODES,
    CLOSED,
    COURSE,
    FORCE,
    LEVER,
    LOAD,
    MOMENT,
    OMEGA,
    Q_END,
    SIGMA,
    SLOPE,
    SQUARE,
    STATUS,
    TWICE,
    V_END,
    Q,
    V,
)
from carom.kernels.types import Matrix, Vector

PARABOLA = COURSE + 5  # of a force: the parabola in time, as powers of the share of the step
FOLLOWED_BY_QUADRATURE = 8.0  # turn of a mode in a step [rad] that the quadrature follows to many digits
SHORT_ANGLE = 0.1  # turn of a mode [rad] below which its answer to an impulse is nearly linear in time


def keep_start(modes: Matrix) -> None:
    """Keep the state at the start of a step, in the columns of the end of a stretch of flight."""
    for k in range(modes.shape[0]):
        modes[k, Q_END], modes[k, V_END] = modes[k, Q], modes[k, V]


def lay_courses(kind: int, contacts: Matrix) -> None:
    """Write the forces of a solved step as polynomials (COURSE): what all modes ask for."""
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] != CLOSED:
            continue
        start, first, middle, last, end = row[FORCE], row[AT_NODES], row[AT_NODES + 1], row[AT_NODES + 2], row[AT_END]
        for p in range(5):
            row[COURSE + p] = coefficient(kind, p, start, first, middle, last, end)
        for p in range(3):
            row[PARABOLA + p] = 0.0
            for j in range(NODES):
                row[PARABOLA + p] += row[AT_NODES + j] * PARABOLAS[kind, j, p]


def lay_moments(kind: int, h: float, late: float, terms: int, contacts: Matrix) -> None:
    """Write the moments of forces from the start of a solved step until `late` after it, as those of its end.

    There are so many `terms`: ∫ (late − s)ᵖ F(s) ds with p from 0 on.
    """
    s, end = share_of_time(kind, late / h), MOMENT + LONG * END
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] != CLOSED:
            continue
        for p in range(terms):
            row[end + p] = 0.0
        for i in range(FINE):
            place = s * FINE_SHARES[i]
            load = row[COURSE + 3] + place * row[COURSE + 4]
            load = row[COURSE] + place * (row[COURSE + 1] + place * (row[COURSE + 2] + place * load))
            part, age = s * FINE_WEIGHTS[i] * h * time_slope(kind, place) * load, late - h * elapsed(kind, place)
            for p in range(terms):
                row[end + p] += part
                part *= age


def mode_inside(
    k: int, kind: int, h: float, t: float, late: float, modes: Matrix, contacts: Matrix
) -> tuple[float, float]:
    """Return displacement and velocity of a mode `late` after the start of a solved step."""
    row = modes[k]
    impulse, rate, step, ramp = unit_responses(row[OMEGA], row[SIGMA], late)
    load, slope = row[LOAD] + row[SLOPE] * t, row[SLOPE]
    q = (rate + row[TWICE] * impulse) * row[Q_END] + impulse * row[V_END] + step * load + ramp * slope
    v = rate * row[V_END] - row[SQUARE] * impulse * row[Q_END] + impulse * load + step * slope
    moved, given = forced(k, kind, h, late, impulse, step, ramp, modes, contacts)
    return q - moved, v - given


def forced(
    k: int, kind: int, h: float, late: float, impulse: float, step: float, ramp: float, modes: Matrix, contacts: Matrix
) -> tuple[float, float]:
    """Return how far contact forces have moved a mode `late` after the start of a step, and the speed they gave it.

    `impulse`, `step` and `ramp` are the answers of the mode at that time (`unit_responses`).
    """
    f0, f1, f2, f3, f4 = 0.0, 0.0, 0.0, 0.0, 0.0
    in_time = kind != PLAIN and max(modes[k, OMEGA], modes[k, TWICE]) * h > FOLLOWED_BY_QUADRATURE
    for c in range(contacts.shape[0]):
        row, push = contacts[c], contacts[c, LEVER + 2 * k + 1]
        if row[STATUS] != CLOSED or push == 0.0:
            continue
        if in_time:  # the mode follows the force so closely that a parabola in time will do
            f0 += push * row[PARABOLA]
            f1 += push * row[PARABOLA + 1]
            f2 += push * row[PARABOLA + 2]
        else:
            f0 += push * row[COURSE]
            f1 += push * row[COURSE + 1]
            f2 += push * row[COURSE + 2]
            f3 += push * row[COURSE + 3]
            f4 += push * row[COURSE + 4]
    if kind != PLAIN and not in_time:
        return by_quadrature(kind, h, late, f0, f1, f2, f3, f4, modes[k])
    third, fourth, fifth = further_responses(modes[k, OMEGA], modes[k, SIGMA], late, step, ramp)
    f1, f2, f3, f4 = f1 / h, 2.0 * f2 / (h * h), 6.0 * f3 / (h * h * h), 24.0 * f4 / (h * h * h * h)
    moved = f0 * step + f1 * ramp + f2 * third + f3 * fourth + f4 * fifth
    return moved, f0 * impulse + f1 * step + f2 * ramp + f3 * third + f4 * fourth


def by_quadrature(
    kind: int, h: float, late: float, f0: float, f1: float, f2: float, f3: float, f4: float, row: Vector
) -> tuple[float, float]:
    """Return what `forced` does for a load that is a quartic in s, with these factors of its powers."""
    s, q, v = share_of_time(kind, late / h), 0.0, 0.0
    slow = max(row[OMEGA], row[TWICE]) * late < SHORT_ANGLE
    for i in range(FEW if slow else FINE):
        place, weight = (FEW_SHARES[i], FEW_WEIGHTS[i]) if slow else (FINE_SHARES[i], FINE_WEIGHTS[i])
        place *= s
        impulse, rate, _, _ = unit_responses(row[OMEGA], row[SIGMA], late - h * elapsed(kind, place))
        load = f0 + place * (f1 + place * (f2 + place * (f3 + place * f4)))
        push = s * weight * h * time_slope(kind, place) * load
        q += push * impulse
        v += push * rate
    return q, v
