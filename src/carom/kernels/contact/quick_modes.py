"""Modes quicker than the contacts: each on its own, by power series over short steps and in closed form over long ones.

In plain steps of up to a few radians one series serves all points, as long as rounding asks for (`plain_answers`).
In closed form a force that is a parabola in time has exact answers. In steps that begin at a touch or end at a
separation the force is a parabola in s instead, and its answer is a quadrature that follows a few radians of the mode;
beyond that a mode follows the force so closely that a parabola in time is good enough.
"""

import numpy as np

from carom.kernels.contact.collocation import (
    AGES,
    END,
    FINE,
    MOMENTS,
    NODES,
    PARABOLAS,
    PLAIN,
    POINTS,
    POWERS,
    SHARES,
    TERMS,
    TIMES,
)
from carom.kernels.contact.forced_modes import FOLLOWED_BY_QUADRATURE, forced
from carom.kernels.contact.step import FREE
from carom.kernels.contact.work import unseen_work
from carom.kernels.event.flight import mode_after
from carom.kernels.event.mode_table import LONGEST_ANGLE
from carom.kernels.modal.energy import stiff_energy
from carom.kernels.modal.propagator import INVERSE, further_responses, unit_responses
from carom.kernels.rows import (
    AT_NODES,
    CLOSED,
    EXPANSION,
    FREE_OVERLAP,
    FREE_RATE,
    LEVER,
    LOAD,
    MASS,
    OMEGA,
    QUICK,
    RATES,
    SERIES,
    SIGMA,
    SLOPE,
    SQUARE,
    STATUS,
    TRIED,
    TRIED_BOW,
    TRIED_Q,
    TRIED_RAMP,
    TRIED_STEP,
    TRIED_V,
    TWICE,
    Q,
    V,
)
from carom.kernels.types import Matrix, Vector

BRIEF_ANGLE = 0.1  # turn of a mode [rad] up to which few terms of a series are exact to rounding, and energies by nodes
SERIES_ANGLE = 2.0  # turn of a mode [rad] up to which a series of as many terms as it asks for loses no digits
LONGEST = 36  # largest number of terms of such a series; far fewer are needed
SHARE_POWERS = TIMES[PLAIN] ** np.arange(LONGEST + 3)[:, None]
"""xᵖ at the points of a plain step, (power, point)."""


def angle_of(row: Vector, h: float) -> float:
    """Return by how much a mode turns in a step [rad]."""
    return max(row[OMEGA], row[TWICE]) * h


def few_terms(kind: int) -> float:
    """Return the turn [rad] up to which the few terms kept in the tables are enough."""
    return BRIEF_ANGLE if kind == PLAIN else LONGEST_ANGLE


def quick_weights(row: Vector, kind: int, h: float, first: int, weights: Vector) -> None:
    """Write what a mode makes, at points from `first` on, of unit forces at the nodes.

    Displacements at 3i + j, velocities RATES further on.
    """
    angle = angle_of(row, h)
    if angle <= few_terms(kind):
        series_weights(row, kind, h, weights)
        return
    for i in range(first, POINTS):
        at = NODES * i
        for j in range(NODES):
            weights[at + j] = 0.0
            weights[RATES + at + j] = 0.0
        if kind == PLAIN or angle > FOLLOWED_BY_QUADRATURE:
            t = h * TIMES[kind, i]
            impulse, _, step, ramp = unit_responses(row[OMEGA], row[SIGMA], t)
            bow, _, _ = further_responses(row[OMEGA], row[SIGMA], t, step, ramp)
            write_parabola(kind, h, i, impulse, step, ramp, bow, weights)
        else:
            for g in range(FINE):
                impulse, rate, _, _ = unit_responses(row[OMEGA], row[SIGMA], h * AGES[kind, i, g])
                for j in range(NODES):
                    weights[at + j] += h * impulse * SHARES[kind, i, g, j]
                    weights[RATES + at + j] += h * rate * SHARES[kind, i, g, j]


def series_weights(row: Vector, kind: int, h: float, weights: Vector) -> None:
    """Write what `quick_weights` tells of all points of a step that is short for the mode."""
    for j in range(2 * NODES * POINTS):
        weights[j] = 0.0
    power = 1.0
    for p in range(1, TERMS):
        power *= h
        answer = power * row[SERIES + p]
        for j in range(NODES * POINTS):
            weights[j] += answer * h * MOMENTS[kind, p, j]
            weights[RATES + j] += p * answer * MOMENTS[kind, p - 1, j]


def free_at(row: Vector, kind: int, h: float, t: float, s: float) -> tuple[float, float]:
    """Return displacement and velocity of a mode `s` after time `t` of the sample, without contact forces.

    `h` is the length of the step.
    """
    if angle_of(row, h) > few_terms(kind):
        return mode_after(row, row[Q], row[V], row[LOAD] + row[SLOPE] * t, row[SLOPE], s)
    q = row[EXPANSION + TERMS - 1]
    v = 0.0
    for p in range(TERMS - 2, -1, -1):
        v = v * s + q
        q = q * s + row[EXPANSION + p]
    return q, v


def long_series(row: Vector, h: float) -> tuple[float, float, float, float, float, float, float, float]:
    """Return H₂/h³ at the four points of a plain step, and H₃/h⁴: answers to a unit ramp and to its integral.

    The answer to a unit impulse is h·Σ cₚ xᵖ at the share x of the step.
    """
    twice, square = row[TWICE] * h, row[SQUARE] * h * h
    before, term = 0.0, 1.0
    r0, r1, r2, r3 = 0.0, 0.0, 0.0, 0.0
    b0, b1, b2, b3 = 0.0, 0.0, 0.0, 0.0
    for p in range(1, LONGEST):
        ramp = term * INVERSE[p + 1] * INVERSE[p + 2]
        bow = ramp * INVERSE[p + 3]
        r0 += ramp * SHARE_POWERS[p + 2, 0]
        r1 += ramp * SHARE_POWERS[p + 2, 1]
        r2 += ramp * SHARE_POWERS[p + 2, 2]
        r3 += ramp
        b0 += bow * SHARE_POWERS[p + 3, 0]
        b1 += bow * SHARE_POWERS[p + 3, 1]
        b2 += bow * SHARE_POWERS[p + 3, 2]
        b3 += bow
        before, term = term, -(twice * term + square * before * INVERSE[p]) * INVERSE[p + 1]
        if abs(term) + abs(before) < 1e-15:  # divided by p² before it counts
            break
    return r0, r1, r2, r3, b0, b1, b2, b3


def plain_answers(row: Vector, h: float, t: float, weights: Vector) -> None:
    """Write what `quick_weights` and `free_at` tell of all points of a plain step; keep what its end needs.

    H₂ and H₃ come from a series, the rest from the equation of motion: H₁ = s²/2 − 2σH₂ − ω²H₃, and so on down.
    """
    r0, r1, r2, r3, b0, b1, b2, b3 = long_series(row, h)
    twice, square, slope = row[TWICE], row[SQUARE], row[SLOPE]
    q, v, load = row[Q], row[V], row[LOAD] + slope * t
    for i in range(POINTS):
        s = h * TIMES[PLAIN, i]
        ramp = h * h * h * (r0 if i == 0 else r1 if i == 1 else r2 if i == 2 else r3)
        bow = h * h * h * h * (b0 if i == 0 else b1 if i == 1 else b2 if i == 2 else b3)
        step = 0.5 * s * s - twice * ramp - square * bow
        impulse = s - twice * step - square * ramp
        rate = 1.0 - twice * impulse - square * step
        write_parabola(PLAIN, h, i, impulse, step, ramp, bow, weights)
        weights[FREE + 2 * i] = (rate + twice * impulse) * q + impulse * v + step * load + ramp * slope
        weights[FREE + 2 * i + 1] = rate * v - square * impulse * q + impulse * load + step * slope
        if i == END:
            row[TRIED] = h
            row[TRIED_Q] = weights[FREE + 2 * i]
            row[TRIED_V] = weights[FREE + 2 * i + 1]
            row[TRIED_STEP], row[TRIED_RAMP], row[TRIED_BOW] = step, ramp, bow


def write_parabola(
    kind: int, h: float, i: int, impulse: float, step: float, ramp: float, bow: float, weights: Vector
) -> None:
    """Write what a mode makes of forces that are a parabola in time, from its answers at point `i`."""
    at = NODES * i
    per = 1.0 / h
    for j in range(NODES):
        a, b, c = PARABOLAS[kind, j, 0], PARABOLAS[kind, j, 1] * per, 2.0 * PARABOLAS[kind, j, 2] * per * per
        weights[at + j] = a * step + b * ramp + c * bow
        weights[RATES + at + j] = a * impulse + b * step + c * ramp


def add_quick(kind: int, h: float, t: float, modes: Matrix, contacts: Matrix, pairs: Matrix, weights: Vector) -> None:
    """Add what quick modes contribute to free overlaps, and to how forces change them."""
    count = contacts.shape[0]
    for k in range(modes.shape[0]):
        row = modes[k]
        if row[QUICK] == 0.0:
            continue
        if kind == PLAIN and BRIEF_ANGLE < angle_of(row, h) <= SERIES_ANGLE:
            plain_answers(row, h, t, weights)
        else:
            quick_weights(row, kind, h, 0, weights)
            for i in range(POINTS):
                weights[FREE + 2 * i], weights[FREE + 2 * i + 1] = free_at(row, kind, h, t, h * TIMES[kind, i])
        for i in range(POINTS):
            q, v = weights[FREE + 2 * i], weights[FREE + 2 * i + 1]
            for c in range(count):
                contacts[c, FREE_OVERLAP + i] += contacts[c, LEVER + 2 * k] * q
                contacts[c, FREE_RATE + i] += contacts[c, LEVER + 2 * k] * v
        for c in range(count):
            closed = contacts[c, STATUS] == CLOSED
            for d in range(c + 1):
                other = contacts[d, STATUS] == CLOSED
                share = contacts[c, LEVER + 2 * k] * contacts[d, LEVER + 2 * k + 1]
                if share != 0.0 and (closed or other):
                    pair = pairs[c * count + d]
                    if closed and other:
                        for i in range(POINTS * NODES):
                            pair[i] += share * weights[i]
                            pair[RATES + i] += share * weights[RATES + i]
                    else:
                        for i in range(END * NODES, POINTS * NODES):
                            pair[i] += share * weights[i]
                            pair[RATES + i] += share * weights[RATES + i]


def accept_quick(
    k: int, kind: int, h: float, t: float, modes: Matrix, contacts: Matrix, weights: Vector
) -> tuple[float, float, float]:
    """Carry a quick mode to the end of the step; return the work of its load and what its damping took [J].

    Behind them what contacts did to it beyond what nodes of the step see, dashpots apart.
    """
    row = modes[k]
    angle = angle_of(row, h)
    swings = kind == PLAIN and angle > SERIES_ANGLE
    # forces are a parabola in time, and energies have closed forms
    stiff = angle > (BRIEF_ANGLE if kind == PLAIN else FOLLOWED_BY_QUADRATURE)
    known = kind == PLAIN and BRIEF_ANGLE < angle <= SERIES_ANGLE and row[TRIED] == h
    first = END if stiff and not swings else 0
    if known:
        impulse = h - row[TWICE] * row[TRIED_STEP] - row[SQUARE] * row[TRIED_RAMP]
        write_parabola(PLAIN, h, END, impulse, row[TRIED_STEP], row[TRIED_RAMP], row[TRIED_BOW], weights)
    else:
        quick_weights(row, kind, h, first, weights)
    q, v = row[TRIED_Q], row[TRIED_V]
    free_q, free_v = q, v
    for i in range(first, POINTS):
        if not known:
            q, v = free_at(row, kind, h, t, h * TIMES[kind, i])
        free_q, free_v = q, v
        q, v = pushed(k, i, q, v, contacts, weights)
        weights[FREE + i], weights[FREE + POINTS + i] = v, free_v
    load, slope = row[LOAD] + row[SLOPE] * t, row[SLOPE]
    work, lost, taken = 0.0, 0.0, 0.0
    if stiff:
        a, b, bow = 0.0, 0.0, 0.0
        for c in range(contacts.shape[0]):
            if contacts[c, STATUS] == CLOSED:
                for j in range(NODES):
                    part = contacts[c, LEVER + 2 * k + 1] * contacts[c, AT_NODES + j]
                    a += part * PARABOLAS[kind, j, 0]
                    b += part * PARABOLAS[kind, j, 1]
                    bow += part * PARABOLAS[kind, j, 2]
        work, lost, area, moment = stiff_energy(
            row, 1.0 / row[SQUARE], row[Q], row[V], q, v, load, slope, a, b / h, bow / (h * h), h
        )
        if swings:
            taken, spent = unseen_work(k, h, q, area, moment, FREE, weights, modes, contacts)
            lost += spent
    else:
        apart = angle > BRIEF_ANGLE  # the free motion may swing in ways that nodes do not see, and has a closed form
        if apart:
            soft = 1.0 / row[SQUARE]
            work, lost, _, _ = stiff_energy(row, soft, row[Q], row[V], free_q, free_v, load, slope, 0.0, 0.0, 0.0, h)
        else:
            work = h * POWERS[kind, 0] * load * row[V]
            lost = h * POWERS[kind, 0] * row[TWICE] * row[V] * row[V]
        for i in range(POINTS):
            rate, known_rate = weights[FREE + i], weights[FREE + POINTS + i] if apart else 0.0
            more = h * POWERS[kind, 1 + i] * (rate - known_rate)
            work += more * (load + slope * h * TIMES[kind, i])
            lost += more * row[TWICE] * (rate + known_rate)
    held = v * v + row[SQUARE] * q * q
    if angle > BRIEF_ANGLE and (kind == PLAIN or not stiff):
        q, v = followed(k, kind, h, known, free_q, free_v, modes, contacts)
        taken -= 0.5 * row[MASS] * (v * v + row[SQUARE] * q * q - held)
    row[Q] = q
    row[V] = v
    return row[MASS] * work, row[MASS] * lost, taken


def followed(
    k: int, kind: int, h: float, known: bool, free_q: float, free_v: float, modes: Matrix, contacts: Matrix
) -> tuple[float, float]:
    """Return where a solved step leaves a quick mode under forces as they are known now, better than while solving.

    `known` says whether its answers at the end of the step are kept; `free_q` and `free_v` are without forces.
    """
    row = modes[k]
    step, ramp = row[TRIED_STEP], row[TRIED_RAMP]
    impulse = h - row[TWICE] * step - row[SQUARE] * ramp
    if not known:
        impulse, _, step, ramp = unit_responses(row[OMEGA], row[SIGMA], h)
    moved, given = forced(k, kind, h, h, impulse, step, ramp, modes, contacts)
    return free_q - moved, free_v - given


def pushed(k: int, i: int, q: float, v: float, contacts: Matrix, weights: Vector) -> tuple[float, float]:
    """Return displacement and velocity of a quick mode at point `i` of a solved step, from those without forces."""
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] == CLOSED:
            for j in range(NODES):
                part = contacts[c, LEVER + 2 * k + 1] * contacts[c, AT_NODES + j]
                q -= part * weights[NODES * i + j]
                v -= part * weights[RATES + NODES * i + j]
    return q, v
