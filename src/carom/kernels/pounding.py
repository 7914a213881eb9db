"""The event-driven engine: flight from sample to sample, touches, contact, and the account of it all.

    q̈ + 2σ q̇ + ω² q = load − participation·a_g(t) − pushᵀ F,      overlap = reach·q − gap

Flight is exact (`flight`), contact is stepped to tolerance (`contact_phase`). The kernel knows flat arrays and
nothing else.
"""

import math

from carom.kernels.contact_phase import (
    CLOSED,
    NO_CONTACT,
    OPEN,
    RELEASED,
    SCALARS,
    STAGES,
    STATUS,
    TIME,
    TINY_SPEED,
    chi_of,
)
from carom.kernels.contact_phase import (
    DAMPING as STATE_DAMPING,
)
from carom.kernels.contact_phase import (
    INPUT as STATE_INPUT,
)
from carom.kernels.contact_run import (
    CONTACT_WORK,
    DAMPING,
    FINISHED,
    INPUT,
    KINETIC,
    REJECTED,
    STEP_LIMIT,
    STEPS,
    STRAIN,
    TOTALS_SIZE,
    in_contact,
    relative_pull,
    touch,
)
from carom.kernels.flight import NO_TOUCH, first_crossing, leeway, move, overlap_of, rate_of
from carom.kernels.modal_energy import flight_input, modal_energy
from carom.kernels.peaks import flight_peaks
from carom.kernels.power_law import force, overlap_scale, speed_scale
from carom.kernels.propagator import fill_propagator
from carom.kernels.types import Codes, Matrix, Vector

MODE_ROWS = 11  # rows of modal scratch
STATE_ROWS = STAGES + 5  # rows of state scratch


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
                    speed = max(speed_scale(laws[whom], effective_mass[whom], rate, most), TINY_SPEED)
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
