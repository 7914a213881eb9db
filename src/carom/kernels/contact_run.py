"""Contact from touch to separation: which step next, which event ends it, what goes into the books."""

import math

from carom.kernels import power_law
from carom.kernels.contact_phase import (
    BY_RATE,
    BY_TIME,
    BY_Y,
    CLIMBING,
    CLOSED,
    GRADING,
    IMPULSE_AT_TOUCH,
    NO_CONTACT,
    OPEN,
    RELEASED,
    SCALARS,
    SCALE,
    SHORT,
    SPEED,
    START,
    STATUS,
    TAU,
    TIME,
    TOP_RATE,
    TOUCH_RATE,
    WORK_AT_TOUCH,
    Y,
    close,
    force_climb,
    forces,
    graded,
    overlap_acceleration,
    renew,
    step,
)
from carom.kernels.contact_phase import (
    PEAK_FORCE as BOOK_PEAK_FORCE,
)
from carom.kernels.contact_phase import (
    PEAK_OVERLAP as BOOK_PEAK_OVERLAP,
)
from carom.kernels.flight import overlap_of, rate_of
from carom.kernels.peaks import contact_peaks
from carom.kernels.types import Matrix, Vector

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

# what may end a contact step early
NOTHING = 0
CLIMB = 1  # a force is extreme
TURN = 2  # an overlap is largest
PULL = 3  # a closed contact without tension would pull
PART = 4  # a secondary contact separates
MEET = 5  # an open contact closes


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
    change = 0.0
    for k in range(omega.size):
        change += reach[contact, k] * slope[k]
    pull = overlap_acceleration(contact, omega, sigma, load, slope, reach, push, z, t, found)
    return pull, abs(pull) + abs(change) * span


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
            bend = overlap_acceleration(primary, omega, sigma, load, slope, reach, push, z, z[base + TIME], found)
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
