"""The fast path for two modes that meet at one contact, each moving a degree of freedom of its own.

Two oscillators are what studies run a million times. Equations, laws and records are those of `event.engine`; what is
left out is what such a pair does not need. Modes are slow beside samples, so that power series reach across one, and
contact is stepped explicitly (`pair_contact`). A run that turns out to need more (a touch without speed, above all)
ends as UNUSUAL and is left to the general engine.
"""

from typing import NamedTuple

from carom.kernels.contact.collocation import TERMS
from carom.kernels.contact.impact_record import open_book
from carom.kernels.contact.step import expand
from carom.kernels.endings import FINISHED, NO_FAULT, STEP_LIMIT, UNUSUAL
from carom.kernels.event.engine import arrive, shake
from carom.kernels.event.flight import NO_TOUCH, noise_of, overlap_of, rate_of, series_crossing
from carom.kernels.event.mode_table import LONGEST_ANGLE, TYPICAL_SPEED
from carom.kernels.event.peak_search import CLOSE, FINE, cubic_crest, mode_by_series, nearer, summit
from carom.kernels.explicit.pair_contact import (
    enter,
    in_touch,
)
from carom.kernels.explicit.pair_step import PER_POWER
from carom.kernels.laws.power_law import EXPONENT, STIFFNESS, overlap_scale
from carom.kernels.ledger import (
    AT_FIRST,
    DAMPING,
    FAULT,
    INPUT,
    KINETIC,
    LIMIT,
    REACHED,
    REJECTED,
    STEP,
    STEPS,
    STRAIN,
    begin_account,
    end_run,
    watch_balance,
)
from carom.kernels.modal.energy import SHORT_ANGLE, area_between, flight_work, modal_energy
from carom.kernels.modal.propagator import unit_responses
from carom.kernels.rows import (
    EFFECTIVE_MASS,
    EXPANSION,
    GAP,
    LEVER,
    LOAD,
    MASS,
    NOISE,
    OMEGA,
    OPEN,
    PARTICIPATION,
    PEAKS,
    PROPAGATOR,
    Q_END,
    QUICK,
    SCALE,
    SHAPE,
    SIGMA,
    SLOPE,
    SOFT,
    SPEED,
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
from carom.kernels.tables import Shaking, Tables
from carom.kernels.types import Matrix, Vector, seldom

SLOWER = 0.3  # largest frequency of a mode on this path, as share of that of a typical impact
CREST_TERMS = 11  # number of terms of a power series over a quarter of a radian: the first one left out is 6e-15

# a mode's answers over a whole sample
SPEED_ANSWER = PROPAGATOR
IMPULSE_ANSWER = PROPAGATOR + 1
STEP_ANSWER = PROPAGATOR + 2
RAMP_ANSWER = PROPAGATOR + 3


def series_state(row: Vector, t: float) -> tuple[float, float]:
    """Return displacement and velocity of a mode by its power series."""
    q = row[EXPANSION + TERMS - 1]
    v = 0.0
    for p in range(TERMS - 2, -1, -1):
        v = v * t + q
        q = q * t + row[EXPANSION + p]
    return q, v


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


def propagate(row: Vector, q: float, v: float, w: float, slope: float) -> tuple[float, float]:
    """Return displacement and velocity of a mode at the end of a whole sample, from its state and its load's slope.

    With the answers h, H₁ and H₂ to a unit impulse, step and ramp (`propagator`), and q̈ = w at the start,
    q = q₀ + (h + 2σH₁) v₀ + H₁ w + H₂ s and v = v₀ + h w + H₁ (s − ω² v₀).
    """
    step = row[STEP_ANSWER]
    return (
        q + row[SPEED_ANSWER] * v + step * w + row[RAMP_ANSWER] * slope,
        v + row[IMPULSE_ANSWER] * w + step * (slope - row[SQUARE] * v),
    )


def fly(begun: float, length: float, modes: Matrix) -> float:
    """Move both modes by part of a sample along their series, into the columns of its end; return the loads' work."""
    work = 0.0
    for k in range(2):
        row = modes[k]
        q, v = series_state(row, length)
        slope = row[SLOPE]
        load = row[LOAD] + slope * begun
        w = load + slope * length - row[SQUARE] * q - row[TWICE] * v
        row[Q_END], row[V_END], row[W_END] = q, v, w
        work += flight_work(row, row[Q], row[V], row[W], q, v, w, load, slope, length)
    return work


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


def put(row: Vector, q: float, v: float, w: float, load: float, slope: float) -> None:
    """Write the present state of a mode and its load over the sample."""
    row[Q], row[V], row[W] = q, v, w
    row[LOAD], row[SLOPE] = load, slope


def note_state(modes: Matrix, floors: Matrix) -> None:
    """Raise the peaks by the present state in flight."""
    for k in range(2):
        row, peaks = modes[k], floors[k]
        peaks[PEAKS] = max(peaks[PEAKS], abs(row[Q]))
        peaks[PEAKS + 1] = max(peaks[PEAKS + 1], abs(row[V]))
        own = row[STEADY] - row[SQUARE] * row[Q] - row[TWICE] * row[V]
        peaks[PEAKS + 2] = max(peaks[PEAKS + 2], abs(own))


def present(t: float, modes: Matrix) -> None:
    """Write the accelerations of the present state in flight."""
    for k in range(2):
        row = modes[k]
        row[W] = row[LOAD] + row[SLOPE] * t - row[SQUARE] * row[Q] - row[TWICE] * row[V]


def fly_to_touch(
    t: float, dt: float, begun: float, modes: Matrix, contacts: Matrix, floors: Matrix, run: Vector
) -> tuple[float, bool, int]:
    """Fly from time `t` of a sample to its end or the next touch; return the time, whether it closed, a status."""
    contact = contacts[0]
    left = dt - t
    expand(t, TERMS, modes, contacts)
    contact[NOISE] = noise_of(contact, modes)
    sign = 1.0 if contact[STATUS] == OPEN else -1.0
    at = series_crossing(sign, contact, left)
    met = at != NO_TOUCH and at <= left
    length = max(at, 1e-12 * left) if met else left
    run[INPUT] += fly(t, length, modes)
    for k in range(2):
        raise_peaks(t, length, modes[k], floors[k])
    arrive(modes)
    t = t + length if length < left else dt
    rate = rate_of(contact, modes, V)
    if not met:
        return t, False, UNUSUAL if sign < 0.0 and rate > 0.0 else FINISHED  # nothing holds them, and they come nearer
    run[STEPS] += 1.0
    if sign < 0.0:
        contact[STATUS] = OPEN
        return t, False, FINISHED
    if enter(begun + t, rate, abs(rate_of(contact, modes, W)) + abs(rate_of(contact, modes, SLOPE)) * dt, contact):
        return t, False, UNUSUAL
    run[STEP] = min(run[STEP], contact[SCALE] / contact[SPEED])
    return t, True, FINISHED


def begin(dt: float, modes: Matrix, contact: Vector, floors: Matrix, run: Vector) -> bool:
    """Work out what never changes, begin the book; return whether this path can take the run."""
    begin_account(run)
    run[STEP] = dt
    open_book(contact)
    if contact[STIFFNESS] <= 0.0 or overlap_of(contact, modes, Q) >= 0.0:
        return False
    contact[PER_POWER] = 1.0 / (contact[EXPONENT] + 1.0)
    swift = TYPICAL_SPEED / overlap_scale(contact, contact[EFFECTIVE_MASS], TYPICAL_SPEED)
    fit = True
    for k in range(2):
        row = modes[k]
        row[SQUARE] = row[OMEGA] * row[OMEGA]
        row[TWICE] = 2.0 * row[SIGMA]
        row[SOFT] = 1.0 / row[SQUARE] if row[OMEGA] * dt > SHORT_ANGLE else 0.0
        row[QUICK] = 0.0
        impulse, _, step, ramp = unit_responses(row[OMEGA], row[SIGMA], dt)
        row[SPEED_ANSWER] = impulse + row[TWICE] * step
        row[IMPULSE_ANSWER] = impulse
        row[STEP_ANSWER] = step
        row[RAMP_ANSWER] = ramp
        rate = max(row[OMEGA], row[TWICE])
        alone = row[MASS] == 1.0 and floors[k, SHAPE + 1 - k] == 0.0
        fit = fit and alone and rate * dt <= LONGEST_ANGLE and rate <= SLOWER * swift
        for i in range(3):
            floors[k, PEAKS + i] = 0.0
    return fit


def pound_pair(tables: Tables, shaking: Shaking, nothing: Matrix) -> int:
    """Run one pair from the first to the last sample of the ground motion; return how it ended.

    Tables and account are those of `event.engine.pound`; `nothing` has no rows, and takes no impact.
    """
    modes, contacts, floors, run = tables.modes, tables.contacts, tables.floors, tables.run
    if not begin(shaking.dt, modes, contacts[0], floors, run):
        return UNUSUAL
    status = march(tables, shaking, nothing)
    run[KINETIC], run[STRAIN] = modal_energy(modes)
    if status == FINISHED:
        watch_balance(run[REACHED], run)
    end_run(run[REACHED], contacts, nothing, run)
    for k in range(2):
        for j in range(3):
            floors[k, PEAKS + j] *= abs(floors[k, SHAPE + k])
    return UNUSUAL if run[FAULT] != NO_FAULT else status


def march(tables: Tables, shaking: Shaking, nothing: Matrix) -> int:
    """Go from sample to sample until the last one, or until the run cannot go on; return how it ended."""
    modes, contacts, floors, run = tables.modes, tables.contacts, tables.floors, tables.run
    support, ground, scale, dt = shaking.support, shaking.ground, shaking.scale, shaking.dt
    contact = contacts[0]
    a, b = modes[0], modes[1]
    reach_a, reach_b, gap = contact[LEVER], contact[LEVER + 2], contact[GAP]
    square_a, square_b, twice_a, twice_b = a[SQUARE], b[SQUARE], a[TWICE], b[TWICE]
    per_dt = 1.0 / dt
    ground_a, ground_b = ground[support[0]], ground[support[1]]
    steady_a, steady_b = a[STEADY], b[STEADY]
    shaken_a, shaken_b = scale * a[PARTICIPATION], scale * b[PARTICIPATION]
    # how far accelerations and their changes at the start of a sample can lift the overlap above its chord
    lift_a, lift_b = 0.125 * dt * dt * abs(reach_a), 0.125 * dt * dt * abs(reach_b)
    more_a, more_b = 1.0 + a[OMEGA] * dt, 1.0 + b[OMEGA] * dt
    # the same for displacements, velocities and absolute accelerations above theirs
    swell, rush = 0.125 * dt * dt, 0.125 * dt
    surge_a, surge_b = rush * (a[OMEGA] + twice_a), rush * (b[OMEGA] + twice_b)
    peaks_a, peaks_b = floors[0], floors[1]
    shake(0, scale, per_dt, support, ground, modes)
    present(0.0, modes)
    note_state(modes, floors)
    kinetic, strain = modal_energy(modes)
    held, marked = kinetic + strain, 0.0  # energy and input when the flight began
    run[AT_FIRST] = held
    closed = False
    overlap = overlap_of(contact, modes, Q)
    load_a, load_b = a[LOAD], b[LOAD]
    qa, va, wa, qb, vb, wb = a[Q], a[V], a[W], b[Q], b[V], b[W]
    ya, yb = -square_a * va - twice_a * wa, -square_b * vb - twice_b * wb
    pull_a, pull_b = steady_a - load_a + wa, steady_b - load_b + wb
    # ∫ p q̇ dt = [p q] − Σ p′ ∫ q dt over a flight: the products where it began, and the sums
    from_a, from_b, sum_a, sum_b = load_a * qa, load_b * qb, 0.0, 0.0
    for i in range(ground.shape[1] - 1):
        end_a = steady_a - shaken_a * ground_a[i + 1]
        end_b = steady_b - shaken_b * ground_b[i + 1]
        slope_a, slope_b = (end_a - load_a) * per_dt, (end_b - load_b) * per_dt
        if not closed and contact[STATUS] == OPEN:  # most samples: nobody is near
            qa1, va1 = propagate(a, qa, va, wa, slope_a)
            qb1, vb1 = propagate(b, qb, vb, wb, slope_b)
            after = reach_a * qa1 + reach_b * qb1 - gap
            bend_a = abs(wa) * more_a + abs(slope_a + ya) * dt
            bend_b = abs(wb) * more_b + abs(slope_b + yb) * dt
            if max(overlap, after) + lift_a * bend_a + lift_b * bend_b < 0.0:
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
                    put(a, qa, va, wa, load_a, slope_a)
                    a[Q_END], a[V_END], a[W_END] = qa1, va1, wa1
                    raise_peaks(0.0, dt, a, peaks_a)
                higher = max(abs(qb), abs(qb1)) + bend_b * swell > peaks_b[PEAKS]
                faster = max(abs(vb), abs(vb1)) + bend_b * rush > peaks_b[PEAKS + 1]
                harder = max(abs(pull_b), abs(pull_b1)) + bend_b * surge_b > peaks_b[PEAKS + 2]
                if higher | faster | harder:
                    put(b, qb, vb, wb, load_b, slope_b)
                    b[Q_END], b[V_END], b[W_END] = qb1, vb1, wb1
                    raise_peaks(0.0, dt, b, peaks_b)
                qa, va, wa, ya, pull_a, load_a = qa1, va1, wa1, ya1, pull_a1, end_a
                qb, vb, wb, yb, pull_b, load_b = qb1, vb1, wb1, yb1, pull_b1, end_b
                overlap = after
                continue
        run[INPUT] += gained(a, qa, load_a, sum_a, from_a) + gained(b, qb, load_b, sum_b, from_b)
        put(a, qa, va, wa, load_a, slope_a)
        put(b, qb, vb, wb, load_b, slope_b)
        t = 0.0
        while t < dt:
            run[REACHED] = i * dt + t
            if run[STEPS] + run[REJECTED] > run[LIMIT]:
                return STEP_LIMIT
            if not closed:
                t, closed, status = fly_to_touch(t, dt, i * dt, modes, contacts, floors, run)
                if closed:
                    kinetic, strain = modal_energy(modes)
                    run[DAMPING] += run[INPUT] - marked - (kinetic + strain - held)
            else:
                t, closed, status = in_touch(t, dt, i * dt, modes, contact, floors, tables.small, nothing, run)
                if not closed:
                    present(t, modes)
                    kinetic, strain = modal_energy(modes)
                    held, marked = kinetic + strain, run[INPUT]
            if status != FINISHED:
                return status
        load_a, load_b = end_a, end_b
        qa, va, wa, qb, vb, wb = a[Q], a[V], a[W], b[Q], b[V], b[W]
        ya, yb = -square_a * va - twice_a * wa, -square_b * vb - twice_b * wb
        pull_a, pull_b = steady_a - load_a + wa, steady_b - load_b + wb
        overlap = reach_a * qa + reach_b * qb - gap
        from_a, from_b, sum_a, sum_b = load_a * qa, load_b * qb, 0.0, 0.0
    run[INPUT] += gained(a, qa, load_a, sum_a, from_a) + gained(b, qb, load_b, sum_b, from_b)
    put(a, qa, va, wa, load_a, 0.0)
    put(b, qb, vb, wb, load_b, 0.0)
    run[REACHED] = (ground.shape[1] - 1) * dt
    if not closed:
        note_state(modes, floors)
        kinetic, strain = modal_energy(modes)
        run[DAMPING] += run[INPUT] - marked - (kinetic + strain - held)
    return FINISHED
