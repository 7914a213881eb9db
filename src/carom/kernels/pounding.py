"""The event-driven engine: flight from sample to sample, touches, contact, and the account of it all.

    q̈ + 2σ q̇ + ω² q = load − participation·a_g(t) − pushᵀ F,      overlap = reach·q − gap

Flight is exact (`flight`), contact is stepped to tolerance (`contact_phase`). The kernel knows flat arrays and
nothing else.
"""

import math

from carom.kernels import contact_phase as phase
from carom.kernels import power_law
from carom.kernels.contact_phase import (
    chi_of,
    close,
    force_climb,
    forces,
    graded,
    renew,
    step,
)
from carom.kernels.flight import NO_TOUCH, first_crossing, leeway, move, overlap_of, rate_of
from carom.kernels.power_law import force, overlap_scale, speed_scale
from carom.kernels.propagator import fill_propagator
from carom.kernels.types import Codes, Matrix, Vector

FINISHED = 0
STEP_LIMIT = 3
NOT_FINITE = 4

# columns of the impacts table
CONTACT = 0
BEGAN = 1
DURATION = 2
APPROACH = 3
SEPARATION = 4
PEAK_FORCE = 5
PEAK_OVERLAP = 6
IMPULSE = 7
ENERGY_LOST = 8
IMPACT_SIZE = 9

# the ledger, and behind it the counters
INPUT = 0
KINETIC = 1
STRAIN = 2
DAMPING = 3
CONTACT_WORK = 4
LEDGER_SIZE = 5
STEPS = 5
REJECTED = 6
IMPACTS = 7
TOTALS_SIZE = 8

STATUS = phase.STATUS
OPEN = phase.OPEN
CLOSED = phase.CLOSED
RELEASED = phase.RELEASED
TOUCH_RATE = phase.TOUCH_RATE
TOP_RATE = phase.TOP_RATE
START = phase.START
SCALE = phase.SCALE
GRADING = phase.GRADING
SPEED = phase.SPEED
BOOK_PEAK_FORCE = phase.PEAK_FORCE
BOOK_PEAK_OVERLAP = phase.PEAK_OVERLAP
WORK_AT_TOUCH = phase.WORK_AT_TOUCH
IMPULSE_AT_TOUCH = phase.IMPULSE_AT_TOUCH
CLIMBING = phase.CLIMBING
TAU = phase.TAU
BY_Y = phase.BY_Y
BY_RATE = phase.BY_RATE
BY_TIME = phase.BY_TIME
Y = phase.Y
TIME = phase.TIME
STATE_INPUT = phase.INPUT
STATE_DAMPING = phase.DAMPING
SCALARS = phase.SCALARS
SHORT = phase.SHORT
STAGES = phase.STAGES
NO_CONTACT = phase.NO_CONTACT

# what may end a contact step early
NOTHING = 0
CLIMB = 1  # a force is extreme
TURN = 2  # an overlap is largest
PULL = 3  # a closed contact without tension would pull
PART = 4  # a secondary contact separates
MEET = 5  # an open contact closes

MODE_ROWS = 11  # rows of modal scratch
TOLD_SIZE = 6  # columns of `told`, which has two rows more than degrees of freedom
STATE_ROWS = STAGES + 5  # rows of state scratch


def modal_energy(omega: Vector, energy: Vector, q: Vector, v: Vector) -> tuple[float, float]:
    """Return kinetic and strain energy relative to the ground [J]."""
    kinetic = 0.0
    strain = 0.0
    for k in range(q.size):
        kinetic += 0.5 * energy[k] * v[k] * v[k]
        strain += 0.5 * energy[k] * omega[k] * omega[k] * q[k] * q[k]
    return kinetic, strain


def flight_input(
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    energy: Vector,
    q: Vector,
    v: Vector,
    q_end: Vector,
    v_end: Vector,
    t: float,
) -> float:
    """Return the work of linear loads over a stretch of flight: ∫ p q̇ dt = [p q] − p′ ∫ q dt [J]."""
    total = 0.0
    for k in range(q.size):
        if energy[k] == 0.0:
            continue
        end_load = load[k] + slope[k] * t
        if omega[k] * t > 1e-3:
            mean = 0.5 * (load[k] + end_load)
            area = (mean * t - (v_end[k] - v[k]) - 2.0 * sigma[k] * (q_end[k] - q[k])) / (omega[k] * omega[k])
        else:  # Hermite's quintic: exact for the cubic of a rigid mode
            a0 = load[k] - 2.0 * sigma[k] * v[k] - omega[k] * omega[k] * q[k]
            a1 = end_load - 2.0 * sigma[k] * v_end[k] - omega[k] * omega[k] * q_end[k]
            area = t * (0.5 * (q[k] + q_end[k]) + t * (0.1 * (v[k] - v_end[k]) + t * (a0 + a1) / 120.0))
        total += energy[k] * (end_load * q_end[k] - load[k] * q[k] - slope[k] * area)
    return total


def quick_rise(
    reach: Matrix,
    contact: int,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    q: Vector,
    v: Vector,
    t: float,
) -> float:
    """Bound how far an overlap can rise above its chord: cheaper and wider than `leeway`."""
    total = 0.0
    for k in range(q.size):
        o2 = omega[k] * omega[k]
        w = load[k] - 2.0 * sigma[k] * v[k] - o2 * q[k]
        jerk = slope[k] - 2.0 * sigma[k] * w - o2 * v[k]
        total += abs(reach[contact, k]) * (abs(w) * (1.0 + omega[k] * t) + abs(jerk) * t)
    return 0.125 * t * t * total


def describe(
    shapes: Matrix,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    steady: Vector,
    q: Vector,
    v: Vector,
    t: float,
    dof: int,
    row: Vector,
) -> None:
    """Write displacement, velocity, absolute acceleration of a degree of freedom and their slopes to `row`."""
    u = 0.0
    speed = 0.0
    relative = 0.0
    absolute = 0.0
    change = 0.0
    for k in range(q.size):
        weight = shapes[dof, k]
        o2 = omega[k] * omega[k]
        own = -o2 * q[k] - 2.0 * sigma[k] * v[k]
        w = load[k] + slope[k] * t + own
        u += weight * q[k]
        speed += weight * v[k]
        relative += weight * w
        absolute += weight * (steady[k] + own)
        change -= weight * (o2 * v[k] + 2.0 * sigma[k] * w)
    row[0] = u
    row[1] = speed
    row[2] = absolute
    row[3] = speed
    row[4] = relative
    row[5] = change


def flight_peaks(
    shapes: Matrix,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    steady: Vector,
    q: Vector,
    v: Vector,
    q_end: Vector,
    v_end: Vector,
    t: float,
    fresh: bool,
    told: Matrix,
    peaks: Matrix,
    trial: Matrix,
) -> None:
    """Raise the peaks by the true extremes over a stretch of flight.

    Row d of `told` describes degree of freedom d at the start of the stretch (written here where `fresh`), and
    is left describing its end.
    """
    row = told[shapes.shape[0]]
    spare = told[shapes.shape[0] + 1]
    for dof in range(shapes.shape[0]):
        if fresh:
            describe(shapes, omega, sigma, load, slope, steady, q, v, 0.0, dof, told[dof])
        describe(shapes, omega, sigma, load, slope, steady, q_end, v_end, t, dof, row)
        for kind in range(3):
            d0 = told[dof, 3 + kind]
            d1 = row[3 + kind]
            best = max(peaks[dof, kind], abs(row[kind]), abs(told[dof, kind]))
            highest = max(abs(row[kind]), abs(told[dof, kind])) + 0.5 * t * max(abs(d0), abs(d1))
            if d0 * d1 < 0.0 and highest > best:
                best = max(
                    best, extreme(shapes, omega, sigma, load, slope, steady, q, v, t, dof, kind, d0, d1, trial, spare)
                )
            peaks[dof, kind] = best
        for i in range(6):
            told[dof, i] = row[i]


def extreme(
    shapes: Matrix,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    steady: Vector,
    q: Vector,
    v: Vector,
    t: float,
    dof: int,
    kind: int,
    d0: float,
    d1: float,
    trial: Matrix,
    row: Vector,
) -> float:
    """Return the largest size of a quantity whose slope changes sign within a stretch of flight."""
    low = 0.0
    high = t
    f_low = d0
    f_high = d1
    best = 0.0
    for iteration in range(40):
        at = (low * f_high - high * f_low) / (f_high - f_low)
        if iteration % 4 == 3 or not low < at < high:
            at = 0.5 * (low + high)
        move(omega, sigma, load, slope, q, v, at, trial[0], trial[1])
        describe(shapes, omega, sigma, load, slope, steady, trial[0], trial[1], at, dof, row)
        d = row[3 + kind]
        best = max(best, abs(row[kind]))
        if abs(d) <= 1e-6 * (abs(d0) + abs(d1)) or high - low <= 1e-9 * t:
            break
        if (d > 0.0) == (d0 > 0.0):
            low = at
            f_low = d
        else:
            high = at
            f_high = d
    return best


def contact_peaks(
    shapes: Matrix,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    steady: Vector,
    push: Matrix,
    z: Vector,
    found: Vector,
    peaks: Matrix,
    told: Matrix,
    fresh: bool,
) -> None:
    """Raise the peaks by a step in contact, whose start `told` describes unless `fresh`; describe its end.

    Between the two, displacements are interpolated by Hermite's quintic: the extremes are those of the motion
    to far more digits than the tolerance.
    """
    modes = omega.size
    dofs = shapes.shape[0]
    t = z[2 * modes + TIME]
    span = t - told[dofs, 0]
    for dof in range(dofs):
        u = 0.0
        speed = 0.0
        relative = 0.0
        absolute = 0.0
        for k in range(modes):
            weight = shapes[dof, k]
            if weight != 0.0:
                own = -omega[k] * omega[k] * z[k] - 2.0 * sigma[k] * z[modes + k]
                for c in range(found.size):
                    own -= push[c, k] * found[c]
                u += weight * z[k]
                speed += weight * z[modes + k]
                relative += weight * (own + load[k] + slope[k] * t)
                absolute += weight * (own + steady[k])
        peaks[dof, 0] = max(peaks[dof, 0], abs(u))
        peaks[dof, 1] = max(peaks[dof, 1], abs(speed))
        peaks[dof, 2] = max(peaks[dof, 2], abs(absolute))
        if not fresh and span > 0.0 and speed * told[dof, 1] < 0.0:
            peaks[dof, 0] = max(
                peaks[dof, 0], quintic_extreme(told[dof, 0], u, told[dof, 1], speed, told[dof, 2], relative, span)
            )
        told[dof, 0] = u
        told[dof, 1] = speed
        told[dof, 2] = relative
    told[dofs, 0] = t


def quintic_extreme(u0: float, u1: float, v0: float, v1: float, a0: float, a1: float, h: float) -> float:
    """Return |u| where Hermite's quintic through both ends of a step is extreme; v changes sign in between."""
    d0 = h * v0
    b0 = h * h * a0
    rest = u1 - u0 - d0 - 0.5 * b0
    turn = h * v1 - d0 - b0
    twist = h * h * a1 - b0
    c3 = 10.0 * rest - 4.0 * turn + 0.5 * twist
    c4 = -15.0 * rest + 7.0 * turn - twist
    c5 = 6.0 * rest - 3.0 * turn + 0.5 * twist
    low = 0.0
    high = 1.0
    s = v0 / (v0 - v1)
    for _ in range(60):
        slope = d0 + s * (b0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))
        if (slope > 0.0) == (v0 > 0.0):
            low = s
        else:
            high = s
        bend = b0 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5))
        better = s - slope / bend if bend != 0.0 else low
        if not low < better < high:
            better = 0.5 * (low + high)
        if abs(better - s) < 1e-9:
            break
        s = better
    return abs(u0 + s * (d0 + s * (0.5 * b0 + s * (c3 + s * (c4 + s * c5)))))


def choose_primary(reach: Matrix, gap: Vector, book: Matrix, z: Vector, modes: int) -> int:
    """Return the closed contact that touched last, unless it hardly moves yet; set its y. NO_CONTACT: all are open."""
    primary = NO_CONTACT
    for turn in range(2):
        for c in range(gap.size):
            if book[c, STATUS] != CLOSED:
                continue
            moving = overlap_of(reach, gap, c, z[:modes]) > 1e-4 * book[c, SCALE]
            moving = moving or rate_of(reach, c, z[modes : 2 * modes]) > 1e-3 * book[c, SPEED]
            if (moving or turn == 1) and (primary == NO_CONTACT or book[c, START] >= book[primary, START]):
                primary = c
        if primary != NO_CONTACT:
            break
    if primary != NO_CONTACT:
        overlap = max(overlap_of(reach, gap, primary, z[:modes]), 0.0)
        z[2 * modes + Y] = (overlap / book[primary, SCALE]) ** (1.0 / book[primary, GRADING])
    return primary


def end_contact(
    contact: int,
    how: float,
    now: float,
    rate: float,
    modes: int,
    book: Matrix,
    z: Vector,
    impacts: Matrix,
    totals: Vector,
) -> None:
    """Close the book of a contact and enter its row in the impacts table, while there is room."""
    contacts = book.shape[0]
    row = int(totals[IMPACTS])
    totals[IMPACTS] += 1.0
    if row < impacts.shape[0]:
        base = 2 * modes + SCALARS
        impacts[row, CONTACT] = contact
        impacts[row, BEGAN] = book[contact, START]
        impacts[row, DURATION] = now - book[contact, START]
        impacts[row, APPROACH] = book[contact, TOUCH_RATE]
        impacts[row, SEPARATION] = -rate
        impacts[row, PEAK_FORCE] = book[contact, BOOK_PEAK_FORCE]
        impacts[row, PEAK_OVERLAP] = book[contact, BOOK_PEAK_OVERLAP]
        impacts[row, IMPULSE] = z[base + contacts + contact] - book[contact, IMPULSE_AT_TOUCH]
        impacts[row, ENERGY_LOST] = z[base + contact] - book[contact, WORK_AT_TOUCH]
    book[contact, STATUS] = how


def touch(
    contact: int,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    reach: Matrix,
    push: Matrix,
    laws: Matrix,
    effective_mass: Vector,
    book: Matrix,
    z: Vector,
    found: Vector,
    now: float,
    span: float,
) -> None:
    """Enter a touch in the book; `found` holds the forces of contacts closed already, `span` [s] gives pull a scale."""
    modes = omega.size
    contacts = book.shape[0]
    base = 2 * modes + SCALARS
    close(
        laws[contact],
        book[contact],
        effective_mass[contact],
        rate_of(reach, contact, z[modes : 2 * modes]),
        relative_pull(contact, omega, sigma, load, slope, reach, push, z, z[2 * modes + TIME], found, span)[1],
        now,
        z[base + contact],
        z[base + contacts + contact],
    )


def relative_pull(
    contact: int,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    reach: Matrix,
    push: Matrix,
    z: Vector,
    t: float,
    found: Vector,
    span: float,
) -> tuple[float, float]:
    """Return the second derivative of an overlap [m/s²], and its size with what the loads may add within `span`."""
    modes = omega.size
    total = 0.0
    change = 0.0
    for k in range(modes):
        a = load[k] + slope[k] * t - 2.0 * sigma[k] * z[modes + k] - omega[k] * omega[k] * z[k]
        for c in range(found.size):
            a -= push[c, k] * found[c]
        total += reach[contact, k] * a
        change += reach[contact, k] * slope[k]
    return total, abs(total) + abs(change) * span


def event_value(
    event: int,
    contact: int,
    primary: int,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    reach: Matrix,
    push: Matrix,
    gap: Vector,
    laws: Matrix,
    book: Matrix,
    z: Vector,
    found: Vector,
) -> float:
    """Return the function whose change of sign is the event."""
    modes = omega.size
    if event == CLIMB:
        return force_climb(contact, primary, omega, sigma, load, slope, reach, push, gap, laws, book, z, found)
    if event == TURN:
        return rate_of(reach, contact, z[modes : 2 * modes])
    if event == PULL:
        forces(primary, reach, gap, laws, book, z, modes, found)
        return found[contact]
    return overlap_of(reach, gap, contact, z[:modes])


def note_climbing(
    primary: int,
    spared: int,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    reach: Matrix,
    push: Matrix,
    gap: Vector,
    laws: Matrix,
    book: Matrix,
    z: Vector,
    found: Vector,
) -> None:
    """Note of each closed contact whether its force rises; `spared` has just passed its extreme and is known."""
    for c in range(gap.size):
        if book[c, STATUS] == CLOSED and c != spared:
            book[c, CLIMBING] = force_climb(
                c, primary, omega, sigma, load, slope, reach, push, gap, laws, book, z, found
            )  # fmt: skip


def in_contact(
    until: float,
    before: float,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    steady: Vector,
    energy: Vector,
    reach: Matrix,
    push: Matrix,
    gap: Vector,
    laws: Matrix,
    effective_mass: Vector,
    shapes: Matrix,
    rtol: float,
    step_limit: int,
    book: Matrix,
    told: Matrix,
    state: Matrix,
    found: Vector,
    impacts: Matrix,
    peaks: Matrix,
    totals: Vector,
) -> int:
    """Step closed contacts until the time `until` of the sample, or until all are open; return a status.

    Row 0 of `state` holds the state and takes the new one; `before` is the time at which the sample began.
    """
    modes = omega.size
    contacts = gap.size
    base = 2 * modes
    z = state[0]
    new = state[1]
    stage = state[2]
    weights = state[3]
    kept = state[4]
    k = state[5:]
    primary = choose_primary(reach, gap, book, z, modes)
    h = 0.1 / book[primary, SPEED]
    note_climbing(primary, NO_CONTACT, omega, sigma, load, slope, reach, push, gap, laws, book, z, found)
    forces(primary, reach, gap, laws, book, z, modes, found)
    contact_peaks(shapes, omega, sigma, load, slope, steady, push, z, found, peaks, told, True)
    for _ in range(step_limit):
        if primary == NO_CONTACT or z[base + TIME] >= until:
            return FINISHED
        if totals[STEPS] + totals[REJECTED] > step_limit:
            return STEP_LIMIT
        row = book[primary]
        y = z[base + Y]
        rate = rate_of(reach, primary, z[modes:base])
        if y <= 0.0 and rate <= 0.0:  # it never pressed
            now = before + z[base + TIME]
            end_contact(primary, OPEN, now, rate, modes, book, z, impacts, totals)
            totals[STEPS] += 1.0
            primary = choose_primary(reach, gap, book, z, modes)
            continue
        _, _, stretch = graded(row, y)
        speed = row[SPEED]
        for q in range(modes):
            weights[q] = 1.0 / max(abs(z[q]), row[SCALE])
            weights[modes + q] = 1.0 / max(abs(z[modes + q]), speed)
        for q in range(base, z.size):
            weights[q] = 0.0
        weights[base + Y] = 1.0
        weights[base + TIME] = speed / row[SCALE]

        # choose the step: in τ, or landing exactly on the end of the sample, on δ = 0 or on a kink at δ̇ = 0
        if abs(rate) * h > 0.5:
            h = 0.5 / abs(rate)
        variable = TAU
        part = h
        left = math.inf
        remaining = until - z[base + TIME]
        _, _, ahead = graded(row, max(y + h * rate, 0.0))
        passes = 0.5 * h * (stretch + ahead)
        if passes > 0.0 and remaining < 1.5 * passes:
            left = h * remaining / passes
            if remaining <= SHORT * h * stretch:
                variable = BY_TIME
                part = remaining
        if rate < 0.0 and -y / rate < left:
            left = -y / rate
            variable = TAU
            if left <= SHORT * h and y <= 0.15:
                variable = BY_Y
                part = -y
        kinked = laws[primary, power_law.RESTITUTION_SHARE] != 1.0 and abs(rate) > 1e-11 * speed
        if kinked and stretch > 0.0:
            forces(primary, reach, gap, laws, book, z, modes, found)
            bend = 0.0
            for q in range(modes):
                a = load[q] + slope[q] * z[base + TIME] - 2.0 * sigma[q] * z[modes + q] - omega[q] * omega[q] * z[q]
                for c in range(contacts):
                    a -= push[c, q] * found[c]
                bend += reach[primary, q] * a
            if rate * bend < 0.0 and -rate / (bend * stretch) < left:
                left = -rate / (bend * stretch)
                variable = TAU
                if left <= SHORT * h:
                    variable = BY_RATE
                    part = -rate
        if variable == TAU and left < 1.5 * h:
            part = h = 0.6 * left
        error = step(
            variable, part, primary, omega, sigma, load, slope, energy, reach, push, gap, laws, book, z, weights, found,
            stage, k, new,
        ) / rtol  # fmt: skip
        if variable != TAU:
            error *= 30.0
        passed = (variable == TAU and new[base + Y] < 0.0) or (variable != BY_TIME and new[base + TIME] > until)
        if kinked and variable != BY_RATE and rate * rate_of(reach, primary, new[modes:base]) < 0.0:
            passed = True
        if not 0.0 <= error <= 1.0 or passed:
            totals[REJECTED] += 1.0
            if variable != TAU:
                h = 0.5 * min(left, h) if variable != BY_TIME else 0.25 * h
            elif passed or not 0.0 <= error < math.inf:
                h *= 0.25
            else:
                h *= max(0.1, 0.8 * error**-0.125)
            if not h * speed > 1e-14:
                return NOT_FINITE
            continue
        totals[STEPS] += 1.0
        growth = 4.0 if error < 1e-5 else min(4.0, 0.8 * error**-0.125)

        # the first event inside the step ends it
        event = NOTHING
        whom = primary
        share = 1.0
        fine = 1e-12
        for kind in range(CLIMB, MEET + 1):
            for c in range(contacts):
                if kind <= TURN and book[c, STATUS] != CLOSED:
                    continue
                if kind == PULL and (book[c, STATUS] != CLOSED or laws[c, power_law.TENSION] != 0.0):
                    continue
                if kind == PART and (book[c, STATUS] != CLOSED or c == primary):
                    continue
                if kind == MEET and book[c, STATUS] != OPEN:
                    continue
                end = event_value(
                    kind, c, primary, omega, sigma, load, slope, reach, push, gap, laws, book, new, found
                )  # fmt: skip
                begin = book[c, CLIMBING]
                if kind == TURN:
                    begin = rate_of(reach, c, z[modes:base])
                    bent = c != primary and laws[c, power_law.RESTITUTION_SHARE] != 1.0
                    fine = 1e-12 if bent else 1e-4
                    at_start = abs(begin) < 10.0 * fine * abs(end)  # the turn that ended the step before
                    if not begin * end < 0.0 or (begin < 0.0 and not bent) or at_start:
                        continue
                elif kind == PULL:
                    if not (end < 0.0 and rate_of(reach, c, new[modes:base]) < 0.0):
                        continue
                    begin = event_value(
                        kind, c, primary, omega, sigma, load, slope, reach, push, gap, laws, book, z, found
                    )  # fmt: skip
                    begin = max(begin, -end * 1e-9)
                elif kind == PART:
                    if end > 0.0:
                        continue
                    begin = max(overlap_of(reach, gap, c, z[:modes]), -1e-12 * end)
                elif kind == MEET:
                    if not (end >= 0.0 and rate_of(reach, c, new[modes:base]) > 0.0):
                        continue
                    begin = min(overlap_of(reach, gap, c, z[:modes]), -1e-12 * end - 1e-300)
                elif not begin * end < 0.0:
                    continue
                # repeat the step with other lengths until the function is zero at its end
                low = 0.0
                high = share
                f_low = begin
                f_high = end
                at = share
                if kind != TURN:
                    fine = 1e-4 if kind == CLIMB else 1e-12
                for iteration in range(80):
                    at = 0.5 * (low + high)
                    if iteration % 4 != 3 and f_high != f_low and math.isfinite(f_low):
                        secant = (low * f_high - high * f_low) / (f_high - f_low)
                        if low < secant < high:
                            at = secant
                    if min(at - low, high - at) <= fine * share:
                        break
                    if step(
                        variable, at * part, primary, omega, sigma, load, slope, energy, reach, push, gap, laws, book,
                        z, weights, found, stage, k, kept,
                    ) < 0.0:  # fmt: skip
                        break
                    value = event_value(
                        kind, c, primary, omega, sigma, load, slope, reach, push, gap, laws, book, kept, found
                    )  # fmt: skip
                    if value == 0.0:
                        break
                    if (value > 0.0) == (f_low > 0.0):
                        low = at
                        f_low = value
                    else:
                        high = at
                        f_high = value
                if fine > 1e-5 and at > 0.999 * share:
                    continue
                share = at
                event = kind
                whom = c
                step(
                    variable, share * part, primary, omega, sigma, load, slope, energy, reach, push, gap, laws, book, z,
                    weights, found, stage, k, new,
                )  # fmt: skip
        landed = variable != TAU and event == NOTHING
        for q in range(z.size):
            z[q] = new[q]
        if landed and variable == BY_TIME:
            z[base + TIME] = until
        if landed and variable == BY_Y:
            z[base + Y] = 0.0
        if not math.isfinite(z[base + Y] + z[0] + z[modes]):
            return NOT_FINITE
        if variable == TAU:
            h *= growth if event == NOTHING else 1.0

        # keep the books
        forces(primary, reach, gap, laws, book, z, modes, found)
        for c in range(contacts):
            if book[c, STATUS] == CLOSED:
                rate = rate_of(reach, c, z[modes:base])
                if c == primary:
                    overlap, _, _ = graded(book[c], z[base + Y])
                else:
                    overlap = max(overlap_of(reach, gap, c, z[:modes]), 0.0)
                book[c, BOOK_PEAK_FORCE] = max(book[c, BOOK_PEAK_FORCE], found[c])
                book[c, BOOK_PEAK_OVERLAP] = max(book[c, BOOK_PEAK_OVERLAP], overlap)
                if rate > book[c, TOP_RATE]:
                    renew(laws[c], book[c], rate)
        contact_peaks(shapes, omega, sigma, load, slope, steady, push, z, found, peaks, told, False)
        now = before + z[base + TIME]
        changed = False
        if landed and variable == BY_Y:
            end_contact(primary, OPEN, now, rate_of(reach, primary, z[modes:base]), modes, book, z, impacts, totals)
            changed = True
        elif event == PULL:
            end_contact(whom, RELEASED, now, rate_of(reach, whom, z[modes:base]), modes, book, z, impacts, totals)
            changed = True
        elif event == PART:
            end_contact(whom, OPEN, now, rate_of(reach, whom, z[modes:base]), modes, book, z, impacts, totals)
            changed = True
        elif event == MEET:
            touch(whom, omega, sigma, load, slope, reach, push, laws, effective_mass, book, z, found, now, until)
            changed = True
        for c in range(contacts):
            if book[c, STATUS] == RELEASED and overlap_of(reach, gap, c, z[:modes]) <= 0.0:
                book[c, STATUS] = OPEN
        if changed:
            primary = choose_primary(reach, gap, book, z, modes)
            if primary == NO_CONTACT:
                return FINISHED
            h = 0.1 / book[primary, SPEED]
        if event == CLIMB:
            book[whom, CLIMBING] = -book[whom, CLIMBING]
        else:
            whom = NO_CONTACT
        note_climbing(primary, whom, omega, sigma, load, slope, reach, push, gap, laws, book, z, found)
        if landed and variable == BY_RATE:
            book[primary, CLIMBING] = -1.0  # behind the kink the force falls with the overlap
    return STEP_LIMIT


def pound(
    omega: Vector,
    sigma: Vector,
    participation: Vector,
    steady: Vector,
    support: Codes,
    energy: Vector,
    reach: Matrix,
    push: Matrix,
    gap: Vector,
    laws: Matrix,
    effective_mass: Vector,
    shapes: Matrix,
    ground: Matrix,
    dt: float,
    rtol: float,
    step_limit: int,
    q: Vector,
    v: Vector,
    propagators: Matrix,
    modal: Matrix,
    state: Matrix,
    found: Vector,
    book: Matrix,
    told: Matrix,
    history_q: Matrix,
    history_v: Matrix,
    history_force: Matrix,
    ledger: Matrix,
    impacts: Matrix,
    peaks: Matrix,
    totals: Vector,
) -> int:
    """Run one problem from the first to the last sample of `ground`; return how it ended.

    `q` and `v` hold the initial state and take the last one. Histories are written where they have rows.
    """
    modes = omega.size
    contacts = gap.size
    base = 2 * modes
    samples = ground.shape[1]
    load = modal[0]
    slope = modal[1]
    shifted = modal[2]
    q_end = modal[3]
    v_end = modal[4]
    scratch = modal[5:]
    z = state[0]
    for i in range(z.size):
        z[i] = 0.0
    for k in range(modes):
        fill_propagator(omega[k], sigma[k], dt, propagators[k])
        z[k] = q[k]
        z[modes + k] = v[k]
    for i in range(TOTALS_SIZE):
        totals[i] = 0.0
    for c in range(contacts):
        book[c, STATUS] = OPEN
        found[c] = 0.0
        if overlap_of(reach, gap, c, q) > 0.0:
            for k in range(modes):
                load[k] = steady[k] - participation[k] * ground[support[k], 0]
                slope[k] = 0.0
            touch(c, omega, sigma, load, slope, reach, push, laws, effective_mass, book, z, found, 0.0, dt)
    kinetic, strain = modal_energy(omega, energy, q, v)
    fresh = True
    closed = False
    for c in range(contacts):
        closed = closed or book[c, STATUS] == CLOSED

    for i in range(samples):
        if i < history_q.shape[0]:
            forces_now(reach, gap, laws, book, q, v, found)
            for k in range(modes):
                history_q[i, k] = q[k]
                history_v[i, k] = v[k]
            for c in range(contacts):
                history_force[i, c] = found[c]
        if i < ledger.shape[0]:
            if fresh:
                kinetic, strain = modal_energy(omega, energy, q, v)
            ledger[i, INPUT] = totals[INPUT]
            ledger[i, KINETIC] = kinetic
            ledger[i, STRAIN] = strain
            ledger[i, DAMPING] = totals[DAMPING]
            ledger[i, CONTACT_WORK] = totals[CONTACT_WORK]
        if i == samples - 1:
            break
        for k in range(modes):
            first = ground[support[k], i]
            load[k] = steady[k] - participation[k] * first
            slope[k] = -participation[k] * (ground[support[k], i + 1] - first) / dt
        t = 0.0
        before = i * dt
        while t < dt:
            if totals[STEPS] + totals[REJECTED] > step_limit:
                return STEP_LIMIT
            if closed:
                for k in range(modes):
                    z[k] = q[k]
                    z[modes + k] = v[k]
                z[base + TIME] = t
                z[base + STATE_INPUT] = 0.0
                z[base + STATE_DAMPING] = 0.0
                for c in range(contacts):
                    z[base + SCALARS + c] = totals[TOTALS_SIZE + c]
                    z[base + SCALARS + contacts + c] = totals[TOTALS_SIZE + contacts + c]
                status = in_contact(
                    dt, before, omega, sigma, load, slope, steady, energy, reach, push, gap, laws, effective_mass,
                    shapes, rtol, step_limit, book, told, state, found, impacts, peaks, totals,
                )  # fmt: skip
                if status != FINISHED:
                    return status
                for k in range(modes):
                    q[k] = z[k]
                    v[k] = z[modes + k]
                t = z[base + TIME]
                fresh = True
                totals[INPUT] += z[base + STATE_INPUT]
                totals[DAMPING] += z[base + STATE_DAMPING]
                totals[CONTACT_WORK] = 0.0
                for c in range(contacts):
                    totals[TOTALS_SIZE + c] = z[base + SCALARS + c]
                    totals[TOTALS_SIZE + contacts + c] = z[base + SCALARS + contacts + c]
                    totals[CONTACT_WORK] += z[base + SCALARS + c]
                closed = False
                for c in range(contacts):
                    closed = closed or book[c, STATUS] == CLOSED
                continue

            # flight: to the end of the sample, unless a bound cannot rule out a touch and one is found
            length = dt - t
            for k in range(modes):
                shifted[k] = load[k] + slope[k] * t
            if t == 0.0:
                for k in range(modes):
                    end_load = load[k] + slope[k] * dt
                    p = propagators[k]
                    q_end[k] = p[0] * q[k] + p[1] * v[k] + p[2] * load[k] + p[3] * end_load
                    v_end[k] = p[4] * q[k] + p[5] * v[k] + p[6] * load[k] + p[7] * end_load
            else:
                move(omega, sigma, shifted, slope, q, v, length, q_end, v_end)
            whom = NO_CONTACT
            for c in range(contacts):
                if book[c, STATUS] == OPEN:
                    nearest = max(overlap_of(reach, gap, c, q), overlap_of(reach, gap, c, q_end))
                    if nearest + quick_rise(reach, c, omega, sigma, shifted, slope, q, v, length) < 0.0:
                        continue
                    rise, _ = leeway(reach, c, omega, sigma, shifted, slope, q, v, 0.0, length)
                    if nearest + rise < 0.0:
                        continue
                sign = 1.0 if book[c, STATUS] == OPEN else -1.0
                at = first_crossing(sign, reach, gap, c, omega, sigma, shifted, slope, q, v, length, scratch)
                if at != NO_TOUCH and at <= length:
                    if sign < 0.0:
                        at = max(at, 1e-12 * dt)
                    if at < length or whom == NO_CONTACT:
                        length = at
                        whom = c
            if whom != NO_CONTACT:
                move(omega, sigma, shifted, slope, q, v, length, q_end, v_end)
                if book[whom, STATUS] == OPEN:
                    # a touch without speed would stand still at δ = 0: fly on for a moment
                    for k in range(modes):
                        z[k] = q_end[k]
                        z[modes + k] = v_end[k]
                    for c in range(contacts):
                        found[c] = 0.0
                    rate = rate_of(reach, whom, v_end)
                    pull, most = relative_pull(whom, omega, sigma, load, slope, reach, push, z, t + length, found, dt)
                    speed = max(speed_scale(laws[whom], effective_mass[whom], rate, most), phase.TINY_SPEED)
                    moment = 0.0
                    if rate < 1e-3 * speed:
                        moment = 1e-2 * overlap_scale(laws[whom], effective_mass[whom], speed) / speed
                        if pull <= 0.0 and moment < dt - t - length:
                            whom = NO_CONTACT  # a graze: it turns back before it presses
                    if moment > 0.0:
                        length = min(length + moment, dt - t)
                        move(omega, sigma, shifted, slope, q, v, length, q_end, v_end)
                        if whom != NO_CONTACT and not (
                            rate_of(reach, whom, v_end) > 0.0 and overlap_of(reach, gap, whom, q_end) > 0.0
                        ):
                            whom = NO_CONTACT
                        if whom == NO_CONTACT:
                            totals[STEPS] += 1.0
            work = flight_input(omega, sigma, shifted, slope, energy, q, v, q_end, v_end, length)
            if fresh:
                kinetic, strain = modal_energy(omega, energy, q, v)
            kinetic_end, strain_end = modal_energy(omega, energy, q_end, v_end)
            totals[INPUT] += work
            totals[DAMPING] += work - (kinetic_end - kinetic) - (strain_end - strain)
            kinetic = kinetic_end
            strain = strain_end
            flight_peaks(
                shapes, omega, sigma, shifted, slope, steady, q, v, q_end, v_end, length, fresh, told, peaks, scratch
            )
            fresh = False
            for k in range(modes):
                q[k] = q_end[k]
                v[k] = v_end[k]
            t = t + length if length < dt - t else dt
            if whom != NO_CONTACT:
                totals[STEPS] += 1.0
                if book[whom, STATUS] == RELEASED:
                    book[whom, STATUS] = OPEN
                else:
                    for k in range(modes):
                        z[k] = q[k]
                        z[modes + k] = v[k]
                    z[base + TIME] = t
                    for c in range(contacts):
                        found[c] = 0.0
                    touch(
                        whom,
                        omega,
                        sigma,
                        load,
                        slope,
                        reach,
                        push,
                        laws,
                        effective_mass,
                        book,
                        z,
                        found,
                        before + t,
                        dt,
                    )
                    closed = True
    return FINISHED


def forces_now(reach: Matrix, gap: Vector, laws: Matrix, book: Matrix, q: Vector, v: Vector, found: Vector) -> None:
    """Write the contact forces of a modal state to `found` [N]."""
    for c in range(gap.size):
        found[c] = 0.0
        if book[c, STATUS] == CLOSED:
            overlap = max(overlap_of(reach, gap, c, q), 0.0)
            rate = rate_of(reach, c, v)
            root = math.sqrt(overlap)
            found[c] = force(laws[c], chi_of(laws[c], book[c], rate), overlap, root, rate)
