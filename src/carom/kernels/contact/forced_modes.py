"""What contact forces make of one mode in a solved step.

A step is solved with forces that are parabolas in s through their values at three nodes (`collocation`). Once solved,
the law tells them at both ends too: the quartic through all five points knows a force far better than the parabola
does. What moves as one mass feels no difference, for Gauss' quadrature is as good as the quartic. A mode that turns by
some radians in the step does: it follows a force, and its velocity the slope of the force.
"""

from carom.kernels.contact.collocation import (
    FEW,
    FEW_SHARES,
    FEW_WEIGHTS,
    FINE,
    FINE_SHARES,
    FINE_WEIGHTS,
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
    FORCE,
    LEVER,
    LOAD,
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

FOLLOWED_BY_QUADRATURE = 8.0  # turn of a mode in a step [rad] that the quadrature follows to many digits
SHORT_ANGLE = 0.1  # turn of a mode [rad] below which its answer to an impulse is nearly linear in time


def keep_start(modes: Matrix) -> None:
    """Keep the state at the start of a step, in the columns of the end of a stretch of flight."""
    for k in range(modes.shape[0]):
        modes[k, Q_END], modes[k, V_END] = modes[k, Q], modes[k, V]


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
            for j in range(NODES):
                load = push * row[AT_NODES + j]
                f0 += load * PARABOLAS[kind, j, 0]
                f1 += load * PARABOLAS[kind, j, 1]
                f2 += load * PARABOLAS[kind, j, 2]
        else:
            a, b, c0, d, e = row[FORCE], row[AT_NODES], row[AT_NODES + 1], row[AT_NODES + 2], row[AT_END]
            f0 += push * coefficient(kind, 0, a, b, c0, d, e)
            f1 += push * coefficient(kind, 1, a, b, c0, d, e)
            f2 += push * coefficient(kind, 2, a, b, c0, d, e)
            f3 += push * coefficient(kind, 3, a, b, c0, d, e)
            f4 += push * coefficient(kind, 4, a, b, c0, d, e)
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
