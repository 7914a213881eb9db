"""New peaks of degrees of freedom inside a stretch of flight: none is missed, whatever the frequencies.

Displacement, velocity and absolute acceleration of a degree of freedom are sums over modes, and each mode is a free
vibration on a straight line, for the load is linear over a sample. With w = q̈ the second derivatives of the three are
w, w′ and w″, all free vibrations, of which w′² + ω²w² never grows: values at the left end of a part bound them in all
of it. A part of the stretch is settled for a quantity when a bound proves

- that it stays below its peak so far: it leaves its chord by no more than width²/8 times its largest second derivative,
  and modes that turn often in the part leave the line of their static answer by no more than their amplitude;
- or that its slope has one sign: it is largest at an end;
- or that its second derivative has one sign: the slope is monotone, and there is one crest at most, found by Newton's
  method in its bracket.

Otherwise the part is halved; parts are taken from left to right. All degrees of freedom share the states of the modes.

Words used here: `kind` is the quantity (0 displacement, 1 velocity, 2 absolute acceleration); x, d and b are its value,
its slope and its second derivative, with 0 and 1 for the two ends; `leaves` is a bound on how far something leaves its
chord or curve. A hull is a bound from Bernstein's polygon: a polynomial lies between the smallest and the largest of
its coefficients in Bernstein's basis.
"""

import math

from carom.kernels.modal.extremes import leaves_chord, leaves_curve
from carom.kernels.modal.propagator import INVERSE
from carom.kernels.rows import (
    CURVE_MARGIN,
    FIRST,
    LAST,
    LEFT,
    LINES,
    LOAD,
    MARGIN,
    MOST_BEND,
    MOST_JERK,
    NOW,
    OMEGA,
    PEAKS,
    RIGHT,
    SHAPE,
    SIGMA,
    SLOPE,
    SQUARE,
    STATE,
    STEADY,
    SWAYS,
    TWICE,
    V,
    W,
)
from carom.kernels.types import Matrix, Vector, side_by_side

# what is known of a quantity in a part of a flight
SETTLED = 0  # the quantity has no new peak inside
ONE_CREST = 1  # its slope is monotone and changes sign
UNKNOWN = 2  # no bound tells: the part has to be halved

SIXTH, THIRD, THIRTIETH = 1.0 / 6.0, 1.0 / 3.0, 1.0 / 30.0

CURVES = 5
"""Number of margins about chords: q, q̇, −ω²q − 2σq̇ and its first two derivatives. Margins about Hermite's curves are
numbered from here on, one for each of the three quantities."""

CLOSE = 3e-4
"""Distance to a crest, as share of its bracket, from which the parabola at hand gives its height: the error is of the
size of the cube, 3e-11."""
FINE = 1e-9  # length of a bracket, as share of the first one, in which a crest is flat to rounding
FINEST = 2.0**-40  # the smallest part that is looked at, as share of the stretch
PATIENCE = 4000  # number of parts looked at, after which no part is shorter than the stretch over this number
ROUNDING = 1e-12  # excess over a peak, as share of it, that does not count as a new peak
GROWTH = 2.0  # MOST_BEND and MOST_JERK over the accelerations that raised them, so that they rarely change
AMPLITUDE_ANGLE = 2.5  # turn of a mode in a part, ω·width [rad], above which its amplitude is the better bound


def column_of(kind: int) -> int:
    """Return where in a state a quantity stands: 0 displacement, 1 velocity, 2 absolute acceleration."""
    return 3 if kind == 2 else kind


def margins_outgrown(modes: Matrix) -> bool:
    """Return whether the present state in flight exceeds MOST_BEND or MOST_JERK of any mode.

    The margins of the degrees of freedom do not hold then, and have to be found anew (`flight_peaks.find_margins`).
    """
    found = False
    for k in range(modes.shape[0]):
        found = found or exceeds(modes[k])
    return found


def exceeds(row: Vector) -> bool:
    """Return whether the present state of a mode in flight exceeds its MOST_BEND or MOST_JERK."""
    w = row[W]
    jerk = row[SLOPE] - row[TWICE] * w - row[SQUARE] * row[V]
    return bool(abs(w) > row[MOST_BEND] or abs(jerk) > row[MOST_JERK])


def raise_largest(row: Vector) -> None:
    """Raise MOST_BEND and MOST_JERK of a mode well beyond its present state in flight."""
    jerk = row[SLOPE] - row[TWICE] * row[W] - row[SQUARE] * row[V]
    row[MOST_BEND] = max(row[MOST_BEND], GROWTH * abs(row[W]))
    row[MOST_JERK] = max(row[MOST_JERK], GROWTH * abs(jerk))


def margin_of(kind: int, t: float, row: Vector) -> float:
    """Return how far a quantity of a mode leaves its chord in any stretch of flight no longer than `t`, at most.

    From kind CURVES on: how far it leaves Hermite's curve.
    """
    if kind < CURVES:
        by_bend, by_jerk = leaves_chord(kind, row[OMEGA], row[SIGMA], t)
    else:
        by_bend, by_jerk = leaves_curve(kind - CURVES, row[OMEGA], row[SIGMA], t)
    return by_bend * row[MOST_BEND] + by_jerk * row[MOST_JERK]


def write_state(row: Vector, into: int, q: float, v: float, now: float) -> None:
    """Write the state of a mode in flight, time `now` of the sample, and behind it the second derivative of q̈."""
    own = -row[SQUARE] * q - row[TWICE] * v
    w = row[LOAD] + row[SLOPE] * now + own
    change = -row[SQUARE] * v - row[TWICE] * w
    row[into], row[into + 1], row[into + 2], row[into + 3], row[into + 4] = q, v, w, row[STEADY] + own, change
    row[into + STATE] = -row[SQUARE] * w - row[TWICE] * (row[SLOPE] + change)


def sways(
    width: float, w: float, jerk: float, omega: float, square: float, twice: float
) -> tuple[float, float, float, float, float]:
    """Bound how far q, q̇, q̈ and the first two derivatives of q̈ leave their chords over a time `width`.

    Each leaves its chord by no more than width²/8 times its own largest second derivative, that is, the largest of q̈
    and of its first four derivatives. These follow from q̈ and its slope `jerk` at the start, since q⃛² + ω²q̈² never
    grows, and from the free equation of q̈, whose second derivative is −2σ q⃛ − ω² q̈.
    """
    swing = abs(jerk) + omega * abs(w)  # no less than the root of the sum of squares, which never grows
    bend = abs(w) + width * swing
    if omega * width > 1.0:
        bend = min(bend, swing / omega)
    part = 0.125 * width * width
    bend, swing = part * bend, part * swing
    second = twice * swing + square * bend
    third = twice * second + square * swing
    return bend, swing, second, third, twice * third + square * second


def bound_mode(row: Vector, now: float, width: float) -> None:
    """Write LINES and SWAYS of a mode over a part of a flight that begins at time `now` of the sample.

    LEFT and RIGHT hold the states at its ends. The line of a mode that turns little is its chord. That of a mode that
    turns far is its static answer to the load, place + drift·t with drift = slope/ω² and place = (load − 2σ drift)/ω²,
    which it leaves by no more than the amplitude of the vibration about it.
    """
    omega, square, twice, slope = row[OMEGA], row[SQUARE], row[TWICE], row[SLOPE]
    q, v, w, jerk = row[LEFT], row[LEFT + 1], row[LEFT + 2], slope + row[LEFT + 4]
    bend, swing, second, third, fourth = sways(width, w, jerk, omega, square, twice)
    row[SWAYS], row[SWAYS + 1], row[SWAYS + 2], row[SWAYS + 3], row[SWAYS + 4] = bend, swing, second, third, fourth
    if omega * width <= AMPLITUDE_ANGLE:
        for kind in range(3):
            line, column = LINES + 3 * kind, column_of(kind)
            row[line], row[line + 1] = row[LEFT + column], row[RIGHT + column]
            row[line + 2] = row[SWAYS + kind]
        return
    soft = 1.0 / square
    load, drift = row[LOAD] + slope * now, slope * soft
    place = (load - twice * drift) * soft
    free, rate = q - place, v - drift
    row[LINES], row[LINES + 1] = place, place + width * drift
    row[LINES + 2] = math.sqrt(free * free + rate * rate * soft)
    row[LINES + 3], row[LINES + 4] = drift, drift
    row[LINES + 5] = math.sqrt(rate * rate + w * w * soft)
    row[LINES + 6], row[LINES + 7] = row[STEADY] - load, row[STEADY] - load - slope * width
    row[LINES + 8] = math.sqrt(w * w + jerk * jerk * soft)


def below(kind: int, peak: float, floor: Vector, modes: Matrix) -> bool:
    """Return whether a quantity of a degree of freedom surely stays below its peak in a part of a flight."""
    start, end, leaves = 0.0, 0.0, 0.0
    line = LINES + 3 * kind
    for k in range(int(floor[FIRST]), int(floor[LAST])):
        row, weight = modes[k], floor[SHAPE + k]
        start += weight * row[line]
        end += weight * row[line + 1]
        leaves += abs(weight) * row[line + 2]
    return not max(abs(start), abs(end)) + leaves > peak * (1.0 + ROUNDING)  # so that what is not a number ends here


def at_end(kind: int, state: int, floor: Vector, modes: Matrix) -> tuple[float, float, float]:
    """Return a quantity of a degree of freedom, its slope and its second derivative at an end of a part of a flight.

    The states of the modes there begin at column `state`.
    """
    value, slope, bend = 0.0, 0.0, 0.0
    column = state + column_of(kind)
    for k in range(int(floor[FIRST]), int(floor[LAST])):
        row, weight = modes[k], floor[SHAPE + k]
        value += weight * row[column]
        slope += weight * row[column + 1]
        if kind == 0:
            bend += weight * row[state + 2]
        elif kind == 1:
            bend += weight * (row[SLOPE] + row[state + 4])
        else:
            bend += weight * row[state + STATE]
    return value, slope, bend


def sways_of(kind: int, floor: Vector, modes: Matrix) -> tuple[float, float, float]:
    """Bound how far a quantity of a degree of freedom, its slope and its second derivative leave their chords."""
    second, third, fourth = 0.0, 0.0, 0.0
    for k in range(int(floor[FIRST]), int(floor[LAST])):
        row, weight = modes[k], abs(floor[SHAPE + k])
        second += weight * row[SWAYS + kind]
        third += weight * row[SWAYS + kind + 1]
        fourth += weight * row[SWAYS + kind + 2]
    return second, third, fourth


def verdict(
    width: float, x0: float, d0: float, b0: float, x1: float, d1: float, b1: float, leaves: float, slope_leaves: float,
    bend_leaves: float, peak: float,
) -> int:  # fmt: skip
    """Return what is known of a quantity between two places `width` apart.

    Given are it, its slope and its second derivative at both, and how far each leaves its chord at most; `peak` is no
    smaller than the quantity is at either place.
    """
    bulges = min(leaves, 0.125 * width * width * (max(abs(b0), abs(b1)) + bend_leaves))
    if not max(abs(x0), abs(x1)) + bulges > peak * (1.0 + ROUNDING):
        return SETTLED
    if d0 * d1 > 0.0 and min(abs(d0), abs(d1)) >= slope_leaves:
        return SETTLED
    if not (b0 * b1 > 0.0 and min(abs(b0), abs(b1)) >= bend_leaves):
        return UNKNOWN
    turn = d0 - d1
    under = abs(x0 * turn + d0 * (x1 - x0 - d1 * width))  # where the tangents at both ends meet, times the turn
    if d0 * d1 >= 0.0 or not under > peak * (1.0 + ROUNDING) * abs(turn):
        return SETTLED
    return ONE_CREST


def quintic_hull(t: float, x0: float, d0: float, b0: float, x1: float, d1: float, b1: float) -> float:
    """Return a bound on the size of the quintic with these values and derivatives at its ends: Bernstein's polygon."""
    slope, end_slope, bend = 0.2 * t * d0, 0.2 * t * d1, 0.05 * t * t
    left, right = max(abs(x0), abs(x0 + slope)), max(abs(x1), abs(x1 - end_slope))
    inner = max(abs(x0 + 2.0 * slope + bend * b0), abs(x1 - 2.0 * end_slope + bend * b1))
    return max(left, right, inner)


def cubic_hull(t: float, x0: float, d0: float, x1: float, d1: float) -> float:
    """Return a bound on the size of the cubic with these values and slopes at its ends: Bernstein's polygon."""
    third = t / 3.0
    return max(abs(x0), abs(x0 + third * d0), abs(x1), abs(x1 - third * d1))


@side_by_side
def may_rise(t: float, u: float, speed: float, relative: float, absolute: float, change: float, floor: Vector) -> int:
    """Return which quantities of a degree of freedom may have a new peak inside a flight, 1, 2 and 4 added up.

    NOW holds its state at the start; that at the end, a time `t` later, is given. Three tests follow each other, each
    dearer and sharper than the one before: the chord and its margin, the hull of Hermite's curve and its margin, and
    `verdict`, which sees whether the slope keeps its sign.
    """
    u0, speed0, relative0, absolute0, change0 = (
        floor[NOW],
        floor[NOW + 1],
        floor[NOW + 2],
        floor[NOW + 3],
        floor[NOW + 4],
    )
    leaves, slope_leaves, bend_leaves = floor[MARGIN], floor[MARGIN + 1], floor[MARGIN + 2]
    higher = max(abs(u0), abs(u)) + leaves > floor[PEAKS]
    faster = max(abs(speed0), abs(speed)) + slope_leaves > floor[PEAKS + 1]
    harder = max(abs(absolute0), abs(absolute)) + bend_leaves > floor[PEAKS + 2]
    found = 0
    if not (higher | faster | harder):
        return found
    ramp = (relative - absolute - relative0 + absolute0) / t  # of the loads, linear in time
    if higher:
        most = quintic_hull(t, u0, speed0, relative0, u, speed, relative)
        higher = most + floor[CURVE_MARGIN] > floor[PEAKS]
    if faster:
        most = quintic_hull(t, speed0, relative0, change0 + ramp, speed, relative, change + ramp)
        faster = most + floor[CURVE_MARGIN + 1] > floor[PEAKS + 1]
    if harder:
        harder = cubic_hull(t, absolute0, change0, absolute, change) + floor[CURVE_MARGIN + 2] > floor[PEAKS + 2]
    if higher:
        known = verdict(
            t, u0, speed0, relative0, u, speed, relative, leaves, slope_leaves, bend_leaves, floor[PEAKS]
        )  # fmt: skip
        found += 0 if known == SETTLED else 1
    if faster:
        known = verdict(
            t, speed0, relative0, change0 + ramp, speed, relative, change + ramp, slope_leaves, bend_leaves,
            floor[MARGIN + 3], floor[PEAKS + 1],
        )  # fmt: skip
        found += 0 if known == SETTLED else 2
    if harder:
        steady = change0 * change > 0.0 and min(abs(change0), abs(change)) >= floor[MARGIN + 3]
        found += 0 if steady else 4
    return found


def sextic_hull(
    t: float, x0: float, d0: float, b0: float, x1: float, d1: float, b1: float, leaves: float
) -> float:  # fmt: skip
    """Return a bound on a quantity inside a stretch, from values and two derivatives at its ends.

    It leaves the quintic through them by s³(t − s)³/720 times a sixth derivative, which is a share of the middle one of
    Bernstein's polynomials of degree six: `leaves` is t⁶/14400 times the largest. The ends themselves do not count.
    """
    rise, end_rise, bow, end_bow = t * d0, t * d1, t * t * b0, t * t * b1
    outer = max(abs(x0 + SIXTH * rise), abs(x1 - SIXTH * end_rise))
    inner = max(abs(x0 + THIRD * rise + THIRTIETH * bow), abs(x1 - THIRD * end_rise + THIRTIETH * end_bow))
    middle = abs(0.5 * (x0 + x1) + 0.2 * (rise - end_rise) + 0.025 * (bow + end_bow)) + leaves
    return max(max(outer, inner), middle)


def quartic_hull(t: float, x0: float, d0: float, x1: float, d1: float, leaves: float) -> float:
    """Return a bound as `sextic_hull` does, from values and slopes at the ends.

    A quantity leaves the cubic through them by s²(t − s)²/24 times a fourth derivative: `leaves` is t⁴/144 times the
    largest.
    """
    rise, end_rise = t * d0, t * d1
    outer = max(abs(x0 + 0.25 * rise), abs(x1 - 0.25 * end_rise))
    return max(outer, abs(0.5 * (x0 + x1) + SIXTH * (rise - end_rise)) + leaves)


def bends_one_way(x0: float, d0: float, b0: float, x1: float, d1: float, b1: float, leaves: float) -> bool:
    """Return whether a second derivative surely has one sign in a stretch of unit length.

    It leaves that of the quintic by 1/1920 of a sixth derivative at most, which is 7.5 times what `leaves` stands for
    (`sextic_hull`).
    """
    p1, p2, p3, p4 = x0 + 0.2 * d0, x0 + 0.4 * d0 + 0.05 * b0, x1 - 0.4 * d1 + 0.05 * b1, x1 - 0.2 * d1
    bow, end_bow = 20.0 * (p1 - 2.0 * p2 + p3), 20.0 * (p2 - 2.0 * p3 + p4)
    least, most = min(min(b0, b1), min(bow, end_bow)), max(max(b0, b1), max(bow, end_bow))
    return max(least, -most) > 7.5 * leaves


def cubic_crest(rise: float, d0: float, d1: float) -> float:
    """Return where in (0, 1) a cubic is extreme that rises by `rise`, with slopes of different signs at its ends."""
    bend = 3.0 * rise - 2.0 * d0 - d1
    root = math.sqrt(max(bend * bend - 3.0 * (d0 + d1 - 2.0 * rise) * d0, 0.0))
    below = root - bend if d0 > 0.0 else root + bend
    return abs(d0) / below if below > 0.0 else 0.0


def summit(value: float, slope: float, bend: float, width: float) -> float:
    """Return the size of the crest of the parabola with this value, slope and second derivative at a place.

    It is 0 where the crest lies farther off than `width`, or is no crest of the size.
    """
    if value * bend < 0.0 and abs(slope) < abs(bend) * width:
        return abs(value - 0.5 * slope * slope / bend)
    return 0.0


def nearer(at: float, low: float, high: float, before: bool, slope: float, bend: float) -> tuple[float, float, float]:
    """Return where Newton's method looks for a crest next, and the two ends of its bracket.

    `before` says that `at` comes before the crest.
    """
    better = at - slope / bend if bend != 0.0 else at if before else low
    return (better, at, high) if before else (better, low, at)


def mode_by_series(
    damping: float, spring: float, slope: float, q: float, v: float, load: float, t: float, terms: int
) -> tuple[float, float]:
    """Return displacement and velocity of a mode in flight a time `t` after this state, or before it where `t` < 0.

    They come from the first `terms` terms of its power series. Of the mode 2σ and ω² are given as `damping` and
    `spring`, of its load the value at this state and the slope.
    """
    twice, square = t * damping, t * t * spring
    pull = load - damping * v - spring * q
    before = 0.5 * t * t * pull
    term = (t * t * t * (slope - damping * pull) - square * t * v) / 6.0
    way = q + t * v + before + term
    speed = t * v + 2.0 * before + 3.0 * term
    for p in range(4, terms):
        before, term = term, -INVERSE[p] * (twice * term + INVERSE[p - 1] * square * before)
        way += term
        speed += p * term
    return way, speed / t if t != 0.0 else v
