"""Flight to the next touch: when the first contact of a stretch closes, and how a touch without speed begins.

`fly_to_touch` is what the loop of `engine` asks for. The rules of touches without speed are in `slow_touches`.
"""

from carom.kernels.contact.collocation import TERMS
from carom.kernels.contact.events import NO_CONTACT
from carom.kernels.contact.impact_record import TINY_SPEED
from carom.kernels.contact.present_state import touch
from carom.kernels.contact.step import expand
from carom.kernels.event.flight import (
    NO_TOUCH,
    arrive,
    first_crossing,
    leeway,
    move,
    noise_of,
    overlap_of,
    rate_of,
    series_crossing,
)
from carom.kernels.event.flight_peaks import fill_state, flight_peaks
from carom.kernels.event.peak_search import margins_outgrown
from carom.kernels.event.slow_touches import MOST_CUTS, SLOW, is_gentle, presses, seems_at_rest, time_to_fly_on
from carom.kernels.laws.power_law import overlap_scale, speed_scale
from carom.kernels.ledger import INPUT, STEPS, TOLERANCE
from carom.kernels.modal.energy import flight_work
from carom.kernels.rows import (
    CROSSING,
    EFFECTIVE_MASS,
    LOAD,
    NOISE,
    OPEN,
    Q_END,
    RELEASED,
    SLOPE,
    STATUS,
    V_END,
    W_END,
    Q,
    V,
    W,
)
from carom.kernels.tables import Tables
from carom.kernels.types import Matrix, Vector, unit


def fly(begun: float, length: float, modes: Matrix) -> float:
    """Move all modes by part of a sample, into the columns of its end; return the work of the loads."""
    move(modes, begun, length, Q_END)
    fill_state(modes, Q_END, begun + length)
    work = 0.0
    for k in range(modes.shape[0]):
        row = modes[k]
        slope = row[SLOPE]
        load = row[LOAD] + slope * begun
        work += flight_work(row, row[Q], row[V], row[W], row[Q_END], row[V_END], row[W_END], load, slope, length)
    return work


def next_touch(begun: float, length: float, by_series: bool, modes: Matrix, contacts: Matrix) -> tuple[float, int]:
    """Return when in a stretch of flight the first contact closes, or a released one opens, and which contact it is.

    The stretch is `length` long and begins at time `begun` of the sample; the columns of the end hold the state at its
    end. Overlaps are taken from power series where `by_series` says that these reach over a sample, else from the
    closed forms of the modes. Every contact is searched over the whole stretch, whatever was found of the others, and
    column CROSSING takes its time: `stop_at_other_touch` asks for it.
    """
    first, whom = length, NO_CONTACT
    expanded = False
    for c in range(contacts.shape[0]):
        row = contacts[c]
        row[CROSSING] = NO_TOUCH
        sign = 1.0 if row[STATUS] == OPEN else -1.0  # of a released contact the overlap has to fall through zero
        if sign > 0.0:
            nearest = max(overlap_of(row, modes, Q), overlap_of(row, modes, Q_END))
            rise, _ = leeway(row, modes, Q, begun, length)
            if nearest + rise < 0.0:
                continue
        if by_series:
            if not expanded:
                expand(begun, TERMS, modes, contacts)
                expanded = True
            row[NOISE] = noise_of(row, modes)
            at = series_crossing(sign, row, length)
        else:
            at = first_crossing(sign, row, modes, begun, length)
        if at != NO_TOUCH and at <= length:
            if sign < 0.0:
                at = max(at, 1e-12 * length)  # not at once: time has to go on
            row[CROSSING] = at
            if at < first or whom == NO_CONTACT:
                first, whom = at, c
    return first, whom


def slow_touch(dt: float, tolerance: float, row: Vector, modes: Matrix) -> float:
    """Return how long to fly on after a touch without speed [s]; zero for a touch with speed.

    The columns of the end hold the state at touch.
    """
    rate = rate_of(row, modes, V_END)
    approach = rate_of(row, modes, W_END)  # the relative acceleration [m/s²]
    most = abs(approach) + abs(rate_of(row, modes, SLOPE)) * dt
    speed = max(speed_scale(row, row[EFFECTIVE_MASS], rate, most), TINY_SPEED)
    if rate >= SLOW * speed:
        return 0.0
    scale = overlap_scale(row, row[EFFECTIVE_MASS], speed)
    return time_to_fly_on(max(overlap_of(row, modes, Q_END), 0.0), rate, approach, scale, speed, tolerance)


def stay_at_rest(t: float, length: float, left: float, dt: float, row: Vector, modes: Matrix) -> bool:
    """Return whether bodies that touch after `length` of a stretch are as near as rounding until it ends.

    The stretch is `left` long and begins at time `t` of the sample. The columns of the end hold the state at touch;
    where bodies seem to rest then, they take the state at the end of the stretch.
    """
    rest, noise = left - length, noise_of(row, modes)
    pull = abs(rate_of(row, modes, W_END)) + abs(rate_of(row, modes, SLOPE)) * dt
    if not seems_at_rest(max(overlap_of(row, modes, Q_END), 0.0), rate_of(row, modes, V_END), pull, rest, noise):
        return False
    fly(t, left, modes)
    return overlap_of(row, modes, Q_END) <= noise


def time_past_slow_touch(
    t: float, length: float, overrun: float, left: float, dt: float, tolerance: float, row: Vector, modes: Matrix
) -> float:
    """Return how long to fly on after a touch without speed that comes after `length` of a stretch [s].

    The answer is at most `overrun`, and short enough for the contact to begin with an overlap that is small beside the
    one its speed will make: where a structure is stiff, the relative acceleration may grow much meanwhile.
    """
    for _ in range(MOST_CUTS):
        fly(t, min(length + overrun, left), modes)
        overlap, rate = overlap_of(row, modes, Q_END), rate_of(row, modes, V_END)
        approach = abs(rate_of(row, modes, W_END)) + abs(rate_of(row, modes, SLOPE)) * dt
        speed = max(speed_scale(row, row[EFFECTIVE_MASS], rate, approach), TINY_SPEED)
        if is_gentle(overlap, overlap_scale(row, row[EFFECTIVE_MASS], speed), tolerance):
            break
        overrun *= 0.25
    return overrun


def stop_at_other_touch(
    t: float, length: float, overrun: float, left: float, dt: float, whom: int, tables: Tables
) -> tuple[float, int]:
    """Return where in the stretch to end the flight after a touch without speed, since others may touch meanwhile.

    With it comes the contact that closes there with speed, if any. The touch of contact `whom` comes after `length` of
    the stretch, which begins at time `t` of the sample; the flight would go on for `overrun`.
    """
    modes, contacts, run = tables.modes, tables.contacts, tables.run
    end, other = min(length + overrun, left), NO_CONTACT
    alone = True
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if c != whom and row[STATUS] == OPEN and length <= row[CROSSING] <= end:
            alone = False
            fly(t, row[CROSSING], modes)
            lasts = slow_touch(dt, run[TOLERANCE], row, modes)
            if lasts > 0.0:
                lasts = time_past_slow_touch(t, row[CROSSING], lasts, left, dt, run[TOLERANCE], row, modes)
                if row[CROSSING] + lasts < end:
                    end, other = row[CROSSING] + lasts, NO_CONTACT
            else:
                end, other = row[CROSSING], c
    if not alone:  # for some the flight ends sooner than was thought: they may be deep for so little speed
        for c in range(contacts.shape[0]):
            row = contacts[c]
            if c != other and row[STATUS] == OPEN and length <= row[CROSSING] < end:
                lasts = time_past_slow_touch(
                    t, row[CROSSING], end - row[CROSSING], left, dt, run[TOLERANCE], row, modes
                )
                if row[CROSSING] + lasts < end:
                    end, other = row[CROSSING] + lasts, NO_CONTACT
    return end, other


def pressed_together(length: float, dt: float, modes: Matrix, contacts: Matrix) -> int:
    """Return a contact that has touched within `length` of a stretch and presses at its end, not by rounding alone.

    The columns of the end hold the state there.
    """
    for c in range(contacts.shape[0]):
        row = contacts[c]
        touched = row[STATUS] == OPEN and 0.0 <= row[CROSSING] <= length
        if touched and presses(overlap_of(row, modes, Q_END), rate_of(row, modes, V_END), dt, noise_of(row, modes)):
            return c
    return NO_CONTACT


@unit
def fly_to_touch(
    t: float, dt: float, begun: float, by_series: bool, series_span: float, tables: Tables
) -> tuple[float, bool]:
    """Fly from time `t` of a sample to its end or to the next touch; return the time, and whether a contact closed.

    The sample is `dt` long and began at time `begun` of the run; `by_series` and `series_span` are what `prepare`
    found. Bodies that touch without speed fly on for a moment: then they overlap a little and the contact closes, or
    they have only grazed each other and the flight goes on.
    """
    modes, contacts, run = tables.modes, tables.contacts, tables.run
    left = dt - t
    work = fly(t, left, modes)
    length, whom = next_touch(t, left, by_series, modes, contacts)
    if whom != NO_CONTACT:
        row = contacts[whom]
        work = fly(t, length, modes)
        if row[STATUS] == OPEN:
            overrun = slow_touch(dt, run[TOLERANCE], row, modes)
            if overrun > 0.0 and stay_at_rest(t, length, left, dt, row, modes):
                overrun = left - length
            if overrun > 0.0:
                overrun = time_past_slow_touch(t, length, overrun, left, dt, run[TOLERANCE], row, modes)
                length, other = stop_at_other_touch(t, length, overrun, left, dt, whom, tables)
                work = fly(t, length, modes)
                whom = other if other != NO_CONTACT else pressed_together(length, dt, modes, contacts)
                if whom == NO_CONTACT:
                    run[STEPS] += 1.0
    if length > 0.0:
        flight_peaks(t, length, series_span, margins_outgrown(modes), tables)
    run[INPUT] += work
    arrive(modes)
    t = t + length if length < left else dt
    if whom == NO_CONTACT:
        return t, False
    run[STEPS] += 1.0
    if contacts[whom, STATUS] == RELEASED:
        contacts[whom, STATUS] = OPEN
        return t, False
    touch(whom, begun + t, dt, TINY_SPEED, contacts[whom], modes, run)
    return t, True
