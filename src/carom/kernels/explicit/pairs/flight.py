"""Flight of two modes that meet at one contact, each moving a degree of freedom of its own, by hand.

Two oscillators are what studies run a million times. Their states stay in a processor's registers from sample to
sample, and each mode's extremes are looked for alone: over a sample, in which a mode turns by less than half a
revolution, its acceleration, a free vibration, changes sign once at most.
"""

from typing import NamedTuple

from carom.kernels.event.peak_search import CLOSE, FINE, cubic_crest, mode_by_series, nearer, summit
from carom.kernels.explicit.flight import later, propagate
from carom.kernels.explicit.histories import keeps
from carom.kernels.explicit.rows import END_LOAD, HERE, REACH, SHAKEN
from carom.kernels.ledger import DAMPING, INPUT, write_balance
from carom.kernels.modal.energy import area_between, flight_work
from carom.kernels.rows import (
    GAP,
    LOAD,
    MASS,
    OMEGA,
    OPEN,
    PEAKS,
    Q_END,
    SLOPE,
    SOFT,
    SQUARE,
    STATUS,
    STEADY,
    TWICE,
    V_END,
    W_END,
    Q,
    V,
    W,
)
from carom.kernels.tables import Histories, Shaking, Tables
from carom.kernels.types import Vector, seldom

CREST_TERMS = 14  # number of terms of a power series over three quarters of a radian: the first one left out is 2e-13


class Flying(NamedTuple):
    """A mode over a stretch of flight: numbers alone, since a GPU keeps no table in registers that it hands on."""

    twice: float
    """2σ [1/s]."""
    square: float
    """ω² [1/s²]."""
    steady: float
    """Its constant load."""
    slope: float
    """How its load changes."""
    load: float
    """Its load at the start."""
    q: float
    """Displacement at the start."""
    v: float
    """Velocity at the start."""
    q1: float
    """Displacement at the end."""
    v1: float
    """Velocity at the end."""
    end: float
    """The length of the stretch [s]."""


def derivatives(kind: int, mode: Flying, t: float) -> tuple[float, float, float, float]:
    """Return displacement, velocity or absolute acceleration of a mode in flight and its first three derivatives.

    They are those a time `t` into the stretch, by power series from its nearer end.
    """
    twice, square, steady, slope, load, q, v, q1, v1, end = mode
    if t > 0.5 * end:
        q, v = mode_by_series(twice, square, slope, q1, v1, load + slope * end, t - end, CREST_TERMS)
    else:
        q, v = mode_by_series(twice, square, slope, q, v, load, t, CREST_TERMS)
    own = -twice * v - square * q
    w = load + slope * t + own
    change = -twice * w - square * v
    jerk = slope + change
    snap = -twice * jerk - square * w
    if kind == 0:
        return q, v, w, jerk
    if kind == 1:
        return v, w, jerk, snap
    return steady + own, change, snap, -twice * snap - square * jerk


def crest(kind: int, mode: Flying, low: float, at: float, high: float, rising: bool) -> float:
    """Return the size of a quantity where its slope changes sign, once, between times `low` and `high` of a flight.

    It is found by Newton's method in this bracket, from `at` on; the parabola at the last place tells the rest.
    `rising` says which sign the slope has at `low`.
    """
    width = high - low
    best = 0.0
    for _ in range(40):
        if not low < at < high:
            at = 0.5 * (low + high)
        value, tilt, bend, _ = derivatives(kind, mode, at)
        best = max(best, abs(value))
        if abs(tilt) <= CLOSE * width * abs(bend) or high - low <= FINE * width:
            return max(best, summit(value, tilt, bend, high - low))
        at, low, high = nearer(at, low, high, (tilt > 0.0) == rising, tilt, bend)
    return best


def turning(kind: int, mode: Flying, b0: float, b1: float) -> tuple[float, float]:
    """Return when in a flight the second derivative of a quantity is zero, and the slope of the quantity then.

    The second derivative is `b0` at the start and `b1` at the end, and their signs differ.
    """
    end = mode.end
    low, high = 0.0, end
    t = end * b0 / (b0 - b1)
    tilt = 0.0
    for _ in range(40):
        _, tilt, bend, twist = derivatives(kind, mode, t)
        if (bend > 0.0) == (b0 > 0.0):
            low = t
        else:
            high = t
        step = -bend / twist if twist != 0.0 else end
        if abs(step) <= FINE * end or high - low <= FINE * end:
            break
        t = t + step if low < t + step < high else 0.5 * (low + high)
    return t, tilt


@seldom
def crests(kind: int, mode: Flying, rise: float, d0: float, d1: float, b0: float, b1: float) -> float:
    """Return the largest size that a quantity has at crests inside a stretch of flight, 0 where there is none.

    The quantity rises by `rise`; its slope is `d0` at the start and `d1` at the end, its second derivative `b0` and
    `b1`.
    """
    t = mode.end
    if d0 * d1 < 0.0:
        at = t * cubic_crest(rise, t * d0, t * d1)
        return crest(kind, mode, 0.0, at, t, d0 > 0.0)
    at, tilt = turning(kind, mode, b0, b1)
    if not (tilt * d0 < 0.0 or tilt * d1 < 0.0):  # the slope is nearest to zero there, or beyond
        return 0.0
    first = crest(kind, mode, 0.0, 0.5 * at, at, d0 > 0.0)
    return max(first, crest(kind, mode, at, 0.5 * (at + t), t, tilt > 0.0))


def raise_one(
    kind: int, begun: float, t: float, start: float, end: float, d0: float, d1: float, b0: float, b1: float,
    twist: float, row: Vector, peaks: Vector,
) -> None:  # fmt: skip
    """Raise a peak by the end of a stretch of flight and by crests inside.

    Given are slope and second derivative at both ends, and the third at the start. The second is a free vibration,
    slow beside samples: it changes sign once at most, and the slope twice.
    """
    highest = max(peaks[PEAKS + kind], abs(end))
    leaves = 0.125 * t * t * (abs(twist) + row[OMEGA] * abs(b0))  # how far the slope leaves its chord, at most
    if d0 * d1 < 0.0:
        # between two ends a crest stays below both tangents, unless the quantity bends both ways
        steepest = abs(d1) if b0 * b1 >= 0.0 else max(abs(d0), abs(d1)) + leaves
        sought = abs(end) + t * steepest > highest
    else:
        sought = b0 * b1 < 0.0 and min(abs(d0), abs(d1)) < leaves
    if sought:
        mode = Flying(
            row[TWICE], row[SQUARE], row[STEADY], row[SLOPE], row[LOAD] + row[SLOPE] * begun, row[Q], row[V],
            row[Q_END], row[V_END], t,
        )  # fmt: skip
        highest = max(highest, crests(kind, mode, end - start, d0, d1, b0, b1))
    peaks[PEAKS + kind] = highest


def raise_peaks(begun: float, t: float, row: Vector, peaks: Vector) -> None:
    """Raise the peaks of a mode over a stretch of flight; the columns of the end hold its end."""
    v, w, q1, v1, w1 = row[V], row[W], row[Q_END], row[V_END], row[W_END]
    square, twice, slope = row[SQUARE], row[TWICE], row[SLOPE]
    change, change1 = -square * v - twice * w, -square * v1 - twice * w1
    jerk, jerk1 = slope + change, slope + change1
    snap, snap1 = -square * w - twice * jerk, -square * w1 - twice * jerk1
    raise_one(0, begun, t, row[Q], q1, v, v1, w, w1, jerk, row, peaks)
    raise_one(1, begun, t, v, v1, w, w1, jerk, jerk1, snap, row, peaks)
    own, own1 = row[STEADY] - square * row[Q] - twice * v, row[STEADY] - square * q1 - twice * v1
    raise_one(2, begun, t, own, own1, change, change1, snap, snap1, -square * jerk - twice * snap, row, peaks)


def fly(t: float, length: float, dt: float, tables: Tables) -> None:  # noqa: ARG001 the signature is that of many modes
    """Fly on by part of a sample from its time `t` on: peaks, the work of the loads, the new state."""
    for k in range(2):
        row = tables.modes[k]
        q, v = later(row, t, length)
        slope = row[SLOPE]
        load = row[LOAD] + slope * t
        w = load + slope * length - row[SQUARE] * q - row[TWICE] * v
        row[Q_END], row[V_END], row[W_END] = q, v, w
        tables.run[INPUT] += flight_work(row, row[Q], row[V], row[W], q, v, w, load, slope, length)
        raise_peaks(t, length, row, tables.floors[k])
        row[Q], row[V], row[W] = q, v, w


def swept(
    dt: float, row: Vector, q: float, v: float, w: float, q1: float, v1: float, w1: float, load: float, end_load: float
) -> float:
    """Return ∫ q dt over a whole sample in flight, times ω² where SOFT says so."""
    if row[SOFT] > 0.0:
        return 0.5 * (load + end_load) * dt - (v1 - v) - row[TWICE] * (q1 - q)
    return area_between(q, q1, v, v1, w, w1, dt)


def gained(row: Vector, q: float, load: float, total: float, at_start: float) -> float:
    """Return the work of the load on a mode over whole samples in flight [J]; `total` adds up slopes times `swept`."""
    return row[MASS] * (load * q - at_start - total * (row[SOFT] if row[SOFT] > 0.0 else 1.0))


def put(row: Vector, q: float, v: float, w: float, load: float, end_load: float, slope: float) -> None:
    """Write the present state of a mode and its load over the sample."""
    row[Q], row[V], row[W] = q, v, w
    row[LOAD], row[END_LOAD], row[SLOPE] = load, end_load, slope


def write_pair(
    i: int, qa: float, va: float, qb: float, vb: float, received: float, energy_before: float, input_before: float,
    tables: Tables, histories: Histories,
) -> None:  # fmt: skip
    """Write what `histories.write_sample` does of a pair in flight; `received` is the input so far [J]."""
    a, b, run = tables.modes[0], tables.modes[1], tables.run
    histories.q[i, 0], histories.q[i, 1] = qa, qb
    histories.v[i, 0], histories.v[i, 1] = va, vb
    kinetic = 0.5 * a[MASS] * va * va + 0.5 * b[MASS] * vb * vb
    strain = 0.5 * a[MASS] * a[SQUARE] * qa * qa + 0.5 * b[MASS] * b[SQUARE] * qb * qb
    line = histories.ledger[i]
    lost = received - input_before - (kinetic + strain - energy_before)
    write_balance(kinetic, strain, run[DAMPING] + lost, run, line)
    line[INPUT] = received


def fly_clear(
    i: int, energy_before: float, input_before: float, tables: Tables, shaking: Shaking, histories: Histories
) -> int:
    """Fly over whole samples from sample `i` on while a bound proves that nobody touches; return where that ends.

    What `flight.fly_clear` does, with all that a sample needs in registers.
    """
    contact, run, last = tables.contacts[0], tables.run, shaking.ground.shape[1] - 1
    dt, per_dt = shaking.dt, 1.0 / shaking.dt
    a, b = tables.modes[0], tables.modes[1]
    reach_a, reach_b, gap = a[REACH], b[REACH], contact[GAP]
    square_a, square_b, twice_a, twice_b = a[SQUARE], b[SQUARE], a[TWICE], b[TWICE]
    ground_a, ground_b = shaking.ground[shaking.support[0]], shaking.ground[shaking.support[1]]
    steady_a, steady_b, shaken_a, shaken_b = a[STEADY], b[STEADY], a[SHAKEN], b[SHAKEN]
    # how far accelerations and their changes at the start of a sample can lift the overlap above its chord
    lift_a, lift_b = 0.125 * dt * dt * abs(reach_a), 0.125 * dt * dt * abs(reach_b)
    more_a, more_b = 1.0 + a[OMEGA] * dt, 1.0 + b[OMEGA] * dt
    # the same for displacements, velocities and absolute accelerations above theirs
    swell, rush = 0.125 * dt * dt, 0.125 * dt
    surge_a, surge_b = rush * (a[OMEGA] + twice_a), rush * (b[OMEGA] + twice_b)
    peaks_a, peaks_b = tables.floors[0], tables.floors[1]
    load_a, load_b, overlap = a[LOAD], b[LOAD], contact[HERE]
    qa, va, wa, qb, vb, wb = a[Q], a[V], a[W], b[Q], b[V], b[W]
    ya, yb = -square_a * va - twice_a * wa, -square_b * vb - twice_b * wb
    pull_a, pull_b = steady_a - load_a + wa, steady_b - load_b + wb
    # ∫ p q̇ dt = [p q] − Σ p′ ∫ q dt over a flight: the products where it began, and the sums
    from_a, from_b, sum_a, sum_b = load_a * qa, load_b * qb, 0.0, 0.0
    end_a, end_b, slope_a, slope_b = load_a, load_b, 0.0, 0.0
    while i < last:
        end_a = steady_a - shaken_a * ground_a[i + 1]
        end_b = steady_b - shaken_b * ground_b[i + 1]
        slope_a, slope_b = (end_a - load_a) * per_dt, (end_b - load_b) * per_dt
        qa1, va1 = propagate(a, qa, va, wa, slope_a)
        qb1, vb1 = propagate(b, qb, vb, wb, slope_b)
        after = reach_a * qa1 + reach_b * qb1 - gap
        bend_a = abs(wa) * more_a + abs(slope_a + ya) * dt
        bend_b = abs(wb) * more_b + abs(slope_b + yb) * dt
        if contact[STATUS] != OPEN or not max(overlap, after) + lift_a * bend_a + lift_b * bend_b < 0.0:
            break
        wa1 = end_a - twice_a * va1 - square_a * qa1
        wb1 = end_b - twice_b * vb1 - square_b * qb1
        ya1, yb1 = -square_a * va1 - twice_a * wa1, -square_b * vb1 - twice_b * wb1
        sum_a += slope_a * swept(dt, a, qa, va, wa, qa1, va1, wa1, load_a, end_a)
        sum_b += slope_b * swept(dt, b, qb, vb, wb, qb1, vb1, wb1, load_b, end_b)
        pull_a1, pull_b1 = steady_a - end_a + wa1, steady_b - end_b + wb1
        higher = max(abs(qa), abs(qa1)) + bend_a * swell > peaks_a[PEAKS]
        faster = max(abs(va), abs(va1)) + bend_a * rush > peaks_a[PEAKS + 1]
        harder = max(abs(pull_a), abs(pull_a1)) + bend_a * surge_a > peaks_a[PEAKS + 2]
        if higher | faster | harder:
            put(a, qa, va, wa, load_a, end_a, slope_a)
            a[Q_END], a[V_END], a[W_END] = qa1, va1, wa1
            raise_peaks(0.0, dt, a, peaks_a)
        higher = max(abs(qb), abs(qb1)) + bend_b * swell > peaks_b[PEAKS]
        faster = max(abs(vb), abs(vb1)) + bend_b * rush > peaks_b[PEAKS + 1]
        harder = max(abs(pull_b), abs(pull_b1)) + bend_b * surge_b > peaks_b[PEAKS + 2]
        if higher | faster | harder:
            put(b, qb, vb, wb, load_b, end_b, slope_b)
            b[Q_END], b[V_END], b[W_END] = qb1, vb1, wb1
            raise_peaks(0.0, dt, b, peaks_b)
        qa, va, wa, ya, pull_a, load_a = qa1, va1, wa1, ya1, pull_a1, end_a
        qb, vb, wb, yb, pull_b, load_b = qb1, vb1, wb1, yb1, pull_b1, end_b
        overlap = after
        i += 1
        if keeps(histories):
            received = run[INPUT] + (gained(a, qa, load_a, sum_a, from_a) + gained(b, qb, load_b, sum_b, from_b))
            write_pair(i, qa, va, qb, vb, received, energy_before, input_before, tables, histories)
    run[INPUT] += gained(a, qa, load_a, sum_a, from_a) + gained(b, qb, load_b, sum_b, from_b)
    put(a, qa, va, wa, load_a, end_a, slope_a)
    put(b, qb, vb, wb, load_b, end_b, slope_b)
    contact[HERE] = overlap
    return i
