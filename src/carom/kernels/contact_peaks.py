"""True extremes while in contact: of forces and overlaps, and of degrees of freedom."""

from carom.kernels.collocation import (
    EIGHTH,
    EIGHTH_WEIGHTS,
    END,
    FIVE,
    FROM_TOUCH_2,
    FROM_TOUCH_4,
    NODES,
    PARABOLAS,
    PLAIN,
    POINTS,
    QUARTIC,
    TIMES,
    TO_PARTING_4,
)
from carom.kernels.flight_peaks import fit, fitted, rises, within
from carom.kernels.floor_strips import UNPUSHED, keep_peaks, stirred, wake
from carom.kernels.floor_sums import MET, SUMS, strips_at, sum_all, tell
from carom.kernels.mode_strips import forced_strips
from carom.kernels.rows import (
    AT_END,
    AT_NODES,
    BOTTOM,
    BOTTOM_OVERLAP,
    CLIMB,
    CLOSED,
    CREST,
    CREST_FORCE,
    DEPTH,
    FORCE,
    NOW,
    OVERLAP,
    PACE,
    PEAK_FORCE,
    PEAK_OVERLAP,
    PEAKS,
    RATE,
    SHAPE,
    STATUS,
    TOP_RATE,
    Q,
)
from carom.kernels.types import Matrix, Vector

DISPLACEMENT = PEAKS
VELOCITY = PEAKS + 1
ACCELERATION = PEAKS + 2


def coefficient(kind: int, p: int, f0: float, f1: float, f2: float, f3: float, f4: float) -> float:
    """Return the factor of s^p in the quartic through both ends and the nodes of a step."""
    low = QUARTIC[kind, p, 0] * f0 + QUARTIC[kind, p, 1] * f1
    return low + QUARTIC[kind, p, 2] * f2 + QUARTIC[kind, p, 3] * f3 + QUARTIC[kind, p, 4] * f4


def crest(kind: int, f0: float, f1: float, f2: float, f3: float, f4: float) -> tuple[float, float]:
    """Return where in [0, 1] the quartic through both ends and the nodes is largest, and how large."""
    place = 0.0
    top = f0
    for i in range(1, NODES + 2):
        value = f1 if i == 1 else f2 if i == 2 else f3 if i == 3 else f4
        if value > top:
            place, top = FIVE[kind, i], value
    c0 = f0
    c1 = coefficient(kind, 1, f0, f1, f2, f3, f4)
    c2 = coefficient(kind, 2, f0, f1, f2, f3, f4)
    c3 = coefficient(kind, 3, f0, f1, f2, f3, f4)
    c4 = coefficient(kind, 4, f0, f1, f2, f3, f4)
    s = place
    for _ in range(8):
        slope = c1 + s * (2.0 * c2 + s * (3.0 * c3 + s * 4.0 * c4))
        bend = 2.0 * c2 + s * (6.0 * c3 + s * 12.0 * c4)
        if not bend < 0.0:
            return place, top
        step = -slope / bend
        s = min(max(s + step, 0.0), 1.0)
        if abs(step) < 1e-7:
            break
    return s, max(top, c0 + s * (c1 + s * (c2 + s * (c3 + s * c4))))


def find_crests(kind: int, contacts: Matrix) -> bool:
    """Note where in a solved step forces and overlaps are largest, and how large; return whether any is inside."""
    inside = False
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] != CLOSED:
            continue
        row[CREST] = -1.0
        row[CREST_FORCE] = max(row[FORCE], row[AT_END])
        if row[CLIMB] > 0.0 or max(row[AT_NODES], row[AT_NODES + 1], row[AT_NODES + 2]) > row[CREST_FORCE]:
            s, top = crest(kind, row[FORCE], row[AT_NODES], row[AT_NODES + 1], row[AT_NODES + 2], row[AT_END])
            if 0.0 < s < 1.0:
                row[CREST], row[CREST_FORCE] = s, top
                inside = True
        row[BOTTOM] = -1.0
        row[BOTTOM_OVERLAP] = max(row[DEPTH], row[OVERLAP + END])
        if row[PACE] > 0.0 and row[RATE + END] < 0.0:
            s, most = crest(kind, row[DEPTH], row[OVERLAP], row[OVERLAP + 1], row[OVERLAP + 2], row[OVERLAP + END])
            if 0.0 < s < 1.0:
                row[BOTTOM], row[BOTTOM_OVERLAP] = s, most
                inside = True
    return inside


def note_peaks(contacts: Matrix) -> None:
    """Raise the peaks of the impacts under way by what was found, and the largest rate since touch."""
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED:
            row[PEAK_FORCE] = max(row[PEAK_FORCE], row[CREST_FORCE])
            row[PEAK_OVERLAP] = max(row[PEAK_OVERLAP], row[BOTTOM_OVERLAP], row[OVERLAP + 1])
            for i in range(POINTS):
                row[TOP_RATE] = max(row[TOP_RATE], row[RATE + i])


def contact_peaks(
    h: float, kind: int, t: float, terms: int, modes: Matrix, contacts: Matrix, floors: Matrix, small: Vector
) -> None:
    """Raise the peaks of degrees of freedom by a step of length `h`.

    NOW, or the strips of buildings, tell of its start, and are left telling its end; its accelerations are those that
    contact forces leave out. Displacements in between are read as Hermite's quintic; accelerations are known at the
    nodes, where the forces are, and velocities follow from them. Unless `terms` is zero, power series of so many from
    the end of the step, time `t` of the sample, tell displacements, and where no contact pushes the others too. A step
    of no length only tells where one is.
    """
    forces = AT_END if h > 0.0 else FORCE
    wide, many, count = small.size > SUMS, modes.shape[0], floors.shape[0]
    met, quiet = strips_at(many) + MET * count, False
    if wide:
        sum_all(Q, t, modes, floors, small)
        quiet = terms > 0 and not stirred(h, UNPUSHED, many, count, small)
        for d in range(count):
            if not quiet or small[met + d] != 0.0:
                wake(d, many, floors, small)
    inside = False
    for d in range(count):
        if quiet and small[met + d] == 0.0:
            continue
        floor = floors[d]
        u, speed, relative, own, change = tell(d, Q, modes, floors, small)
        pushed, alone = 0.0, True
        for c in range(contacts.shape[0]):
            share = floor[SHAPE + modes.shape[0] + c]
            if share != 0.0 and contacts[c, STATUS] == CLOSED:
                pushed += share * contacts[c, forces]
                alone = False
        end = own - pushed
        if wide:
            relative -= pushed
        floor[DISPLACEMENT] = max(floor[DISPLACEMENT], abs(u))
        floor[VELOCITY] = max(floor[VELOCITY], abs(speed))
        floor[ACCELERATION] = max(floor[ACCELERATION], abs(end))
        u0, speed0, relative0 = floor[NOW], floor[NOW + 1], floor[NOW + 2]
        if terms > 0:
            inside = inside or rises(0, h, u0, speed0, u, speed, floor)
        elif h > 0.0 and speed * speed0 < 0.0:
            most = quintic_extreme(u0, u, speed0, speed, relative0, relative, h)
            floor[DISPLACEMENT] = max(floor[DISPLACEMENT], most)
        if terms > 0 and alone:
            inside = inside or rises(1, h, speed0, relative0, speed, relative, floor)
            inside = inside or rises(2, h, floor[NOW + 3], floor[NOW + 4], own, change, floor)
        elif h > 0.0 and not (alone and calm(h, own, change, speed, floor)):
            start, first, middle, last = inner_accelerations(h, kind, own, change, 0, many, contacts, floor, small)
            most = max(abs(first), abs(middle), abs(last))
            hard = most >= 0.95 * floor[ACCELERATION]
            if max(abs(speed0), abs(speed)) + h * (most + abs(relative0 - start)) > floor[VELOCITY]:
                lag, turn = relative0 - start, relative - end - relative0 + start  # of the ground, linear in time
                first_relative = first + lag + turn * TIMES[kind, 0]
                middle_relative = middle + lag + turn * TIMES[kind, 1]
                last_relative = last + lag + turn * TIMES[kind, 2]
                most = velocity_extreme(
                    h, kind, speed0, speed, relative0, first_relative, middle_relative, last_relative, relative
                )  # fmt: skip
                floor[VELOCITY] = max(floor[VELOCITY], most)
            if hard and terms > 0:
                inside = True
            elif hard:
                most = acceleration_crest(
                    h, kind, own, change, 0, start, first, middle, last, end, many, contacts, floor, small
                )  # fmt: skip
                floor[ACCELERATION] = max(floor[ACCELERATION], most)
        if wide:
            small[strips_at(many) + 2 * count + d] = relative
            keep_peaks(d, many, floors, small)
        else:
            floor[NOW], floor[NOW + 1], floor[NOW + 2], floor[NOW + 3], floor[NOW + 4] = u, speed, relative, own, change
    if inside:
        series_peaks(h, t, terms, modes, contacts, floors, small)


def series_peaks(
    h: float, t: float, terms: int, modes: Matrix, contacts: Matrix, floors: Matrix, small: Vector
) -> None:
    """Raise the peaks in a plain step by power series; those of velocity only where no contact pushes."""
    count = modes.shape[0]
    forced_strips(h, t, terms, modes, contacts, small)
    for d in range(floors.shape[0]):
        floor = floors[d]
        wake(d, count, floors, small)
        u, speed, relative, own, change = tell(d, Q, modes, floors, small)
        if rises(0, h, floor[NOW], floor[NOW + 1], u, speed, floor):
            floor[DISPLACEMENT] = max(floor[DISPLACEMENT], within(0, h, u, speed, terms, floor, count, small))
        pushed, bow, alone = 0.0, 0.0, True
        for c in range(contacts.shape[0]):
            row, share = contacts[c], floor[SHAPE + count + c]
            if share != 0.0 and row[STATUS] == CLOSED:
                alone = False
                pushed += share * row[AT_END]
                for j in range(NODES):
                    bow += share * row[AT_NODES + j] * PARABOLAS[PLAIN, j, 2] / (h * h)
        if alone:
            if rises(1, h, floor[NOW + 1], floor[NOW + 2], speed, relative, floor):
                most = within(1, h, speed, relative, terms, floor, count, small)
                floor[VELOCITY] = max(floor[VELOCITY], most)
            if rises(2, h, floor[NOW + 3], floor[NOW + 4], own, change, floor):
                most = within(2, h, own, change, terms, floor, count, small)
                floor[ACCELERATION] = max(floor[ACCELERATION], most)
        else:
            fit(2, True, own, change, terms, floor, count, small)
            small[2] += bow  # the series tells of all, and this is what contact forces leave out
            start, first, middle, last = inner_accelerations(
                h, PLAIN, own, change, terms, count, contacts, floor, small
            )
            if max(abs(first), abs(middle), abs(last)) >= 0.95 * floor[ACCELERATION]:
                end = own - pushed
                most = acceleration_crest(
                    h, PLAIN, own, change, terms, start, first, middle, last, end, count, contacts, floor, small
                )  # fmt: skip
                floor[ACCELERATION] = max(floor[ACCELERATION], most)
        keep_peaks(d, count, floors, small)


def calm(h: float, own: float, change: float, speed: float, floor: Vector) -> bool:
    """Return whether a degree of freedom that no contact pushes surely reaches no peak inside a step but at its ends.

    Hermite's cubic exceeds its ends by no more than a quarter of its steeper slope times the way.
    """
    speed0, relative0, own0, change0 = floor[NOW + 1], floor[NOW + 2], floor[NOW + 3], floor[NOW + 4]
    most = max(abs(own0), abs(own)) + 0.25 * h * max(abs(change0), abs(change))
    slow = max(abs(speed0), abs(speed)) + h * (most + abs(relative0 - own0)) <= floor[VELOCITY]
    return bool(slow and most < 0.95 * floor[ACCELERATION])


def own_within(s: float, h: float, own: float, change: float, terms: int, floor: Vector, small: Vector) -> float:
    """Return the acceleration that contact forces leave out, a share `s` into a step.

    By its power series from the end, fitted before, or without `terms` by Hermite's cubic from NOW to `own`.
    """
    if terms > 0:
        value, _, _ = fitted((s - 1.0) * h, terms - 2, small)
        return value
    return cubic(s, floor[NOW + 3], own, h * floor[NOW + 4], h * change)


def inner_accelerations(
    h: float, kind: int, own: float, change: float, terms: int, modes: int, contacts: Matrix, floor: Vector,
    small: Vector,
) -> tuple[float, float, float, float]:  # fmt: skip
    """Return the absolute acceleration at the start of a step and at its nodes [m/s²]."""
    start = floor[NOW + 3]
    first = own_within(TIMES[kind, 0], h, own, change, terms, floor, small)
    middle = own_within(TIMES[kind, 1], h, own, change, terms, floor, small)
    last = own_within(TIMES[kind, 2], h, own, change, terms, floor, small)
    for c in range(contacts.shape[0]):
        row = contacts[c]
        share = floor[SHAPE + modes + c]
        if share != 0.0 and row[STATUS] == CLOSED:
            start -= share * row[FORCE]
            first -= share * row[AT_NODES]
            middle -= share * row[AT_NODES + 1]
            last -= share * row[AT_NODES + 2]
    return start, first, middle, last


def acceleration_crest(
    h: float, kind: int, own: float, change: float, terms: int, start: float, first: float, middle: float, last: float,
    end: float, modes: int, contacts: Matrix, floor: Vector, small: Vector,
) -> float:  # fmt: skip
    """Return the largest |absolute acceleration| inside a step [m/s²], by the quartic through its ends and nodes.

    Where a force is largest all is known better: what the quartic misses there, it misses where it is largest itself.
    """
    sign = 1.0 if first + middle + last > 0.0 else -1.0
    place, top = crest(kind, sign * start, sign * first, sign * middle, sign * last, sign * end)
    best, nearest = top, 1.0
    for c in range(contacts.shape[0]):
        row = contacts[c]
        away = abs(row[CREST] - place)
        if row[STATUS] == CLOSED and row[CREST] > 0.0 and floor[SHAPE + modes + c] != 0.0 and away < nearest:
            at = elapsed(kind, row[CREST])
            left = own_within(at, h, own, change, terms, floor, small) - floor[SHAPE + modes + c] * row[CREST_FORCE]
            for other in range(contacts.shape[0]):
                share = floor[SHAPE + modes + other]
                if other != c and contacts[other, STATUS] == CLOSED and share != 0.0:
                    left -= share * force_within(kind, row[CREST], contacts[other])
            told, _ = quartic_at(kind, row[CREST], sign * start, sign * first, sign * middle, sign * last, sign * end)
            best, nearest = sign * left + top - told, away
    return best


def force_within(kind: int, s: float, row: Vector) -> float:
    """Return a contact's force inside a solved step by the quartic through ends and nodes [N]."""
    total = 0.0
    for p in range(NODES + 1, -1, -1):
        total = total * s + QUARTIC[kind, p, 0] * row[FORCE] + QUARTIC[kind, p, 4] * row[AT_END]
        for j in range(NODES):
            total += QUARTIC[kind, p, 1 + j] * row[AT_NODES + j]
    return total


def velocity_extreme(
    h: float, kind: int, v0: float, v1: float, a0: float, a1: float, a2: float, a3: float, a4: float
) -> float:
    """Return the largest |v| where the acceleration, known at ends and nodes, changes sign inside a step; or zero.

    In steps from a touch or to a separation it is smooth in s, not in time.
    """
    best = 0.0
    for i in range(NODES + 1):
        left = a0 if i == 0 else a1 if i == 1 else a2 if i == 2 else a3
        right = a1 if i == 0 else a2 if i == 1 else a3 if i == 2 else a4
        if left * right < 0.0:
            s = FIVE[kind, i] + (FIVE[kind, i + 1] - FIVE[kind, i]) * left / (left - right)
            for _ in range(4):
                value, slope = quartic_at(kind, s, a0, a1, a2, a3, a4)
                if slope != 0.0:
                    s = min(max(s - value / slope, FIVE[kind, i]), FIVE[kind, i + 1])
            begun = 0.0 if s < 0.5 else 1.0  # from the nearer end
            gained = 0.0
            for g in range(EIGHTH.size):
                at = begun + (s - begun) * EIGHTH[g]
                value, _ = quartic_at(kind, at, a0, a1, a2, a3, a4)
                gained += EIGHTH_WEIGHTS[g] * value * hurry(kind, at)
            best = max(best, abs((v0 if begun == 0.0 else v1) + h * (s - begun) * gained))
    return best


def quartic_at(kind: int, s: float, f0: float, f1: float, f2: float, f3: float, f4: float) -> tuple[float, float]:
    """Return the quartic through both ends and the nodes, and its slope."""
    value, slope = 0.0, 0.0
    for p in range(NODES + 1, -1, -1):
        slope = slope * s + value
        value = value * s + coefficient(kind, p, f0, f1, f2, f3, f4)
    return value, slope


def cubic(s: float, f0: float, f1: float, d0: float, d1: float) -> float:
    """Return Hermite's cubic through two ends at a share of the way; `d0` and `d1` are slopes times the way."""
    rise = f1 - f0
    return f0 + s * (d0 + s * (3.0 * rise - 2.0 * d0 - d1 + s * (d0 + d1 - 2.0 * rise)))


def elapsed(kind: int, s: float) -> float:
    """Return T(s), the share of a step's time."""
    if kind == PLAIN:
        return s
    left = s if kind in (FROM_TOUCH_2, FROM_TOUCH_4) else 1.0 - s
    share = left * left
    if kind in (FROM_TOUCH_4, TO_PARTING_4):
        share *= share
    return share if kind in (FROM_TOUCH_2, FROM_TOUCH_4) else 1.0 - share


def hurry(kind: int, s: float) -> float:
    """Return T′(s)."""
    if kind == PLAIN:
        return 1.0
    left = s if kind in (FROM_TOUCH_2, FROM_TOUCH_4) else 1.0 - s
    if kind in (FROM_TOUCH_4, TO_PARTING_4):
        return 4.0 * left * left * left
    return 2.0 * left


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
