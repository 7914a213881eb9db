"""The contacts in a step of Moreau-Jean's: which are predicted to close, their rates, impulses and records.

Equations are those of langlade2021, as in `steps`.
"""

from carom.kernels.endings import NOT_SEEN_TO_CLOSE
from carom.kernels.ledger import INPUT
from carom.kernels.rigid.impact_record import accuse, enter, judge_gain, open_book
from carom.kernels.rigid.impulses.impulses import BEFORE, FREE, IMPULSE, RESTITUTION, ROUGHNESS, restitution_at
from carom.kernels.rigid.moreau_jean.free_steps import ROUNDING
from carom.kernels.rigid.rows import (
    CONTACT_STEPS,
    DRAG,
    GAP,
    IMPACT_ENERGY,
    IMPACT_FRICTION,
    IMPACT_IMPULSE,
    IMPACT_OPEN,
    IMPACT_OVERLAP,
    IMPACT_PEAK,
    LARGEST_IMPULSE,
    LARGEST_OVERLAP,
    LARGEST_RESIDUAL,
    LARGEST_SHARE,
    LENGTH,
    LISTED,
    OVERLAP,
    PUSH,
    RATE,
    ROUGH,
    SLIP,
    SUM,
    TOGETHER,
    V_NEW,
    Q,
    V,
)
from carom.kernels.rigid.tables import System, Trail
from carom.kernels.types import Codes, Matrix, Vector

UNSEEN = 1e-8
"""Overlap beyond what a step can bring, as part of the lengths that add up to it, that is no rounding."""
NEAR = 1e-6
"""Gaps [m] from which on rounding is looked at: it cannot make up more."""
NOISY = 100.0
"""Rates up to this multiple of those are let pass where energy is judged."""


def predicted(ahead: float, reach: Matrix, modes: Matrix, contacts: Matrix, active: Codes) -> int:
    """List the contacts Ω with ĝ = g + γΔt ġ ≤ 0, (12) and (13), `ahead` being γΔt; return how many.

    Bodies that move alike at no distance are contacts, whichever sign rounding gives ĝ.
    """
    n = 0
    for c in range(contacts.shape[0]):
        contacts[c, LISTED] = 0.0
        near = contacts[c, OVERLAP] + ahead * contacts[c, RATE]
        if -NEAR < near < 0.0:
            size = abs(contacts[c, GAP]) + contacts[c, LENGTH]
            for k in range(modes.shape[0]):
                size += abs(reach[c, k]) * (abs(modes[k, Q]) + ahead * abs(modes[k, V]))
            near += ROUNDING * size
        if near >= 0.0:
            contacts[c, LISTED] = 1.0
            active[n] = c
            n += 1
    return n


def unforeseen(
    m: int, h: float, theta: float, ahead: float, reach: Matrix, contacts: Matrix, trail_q: Matrix, trail_v: Matrix,
    run: Vector,
) -> None:  # fmt: skip
    """Accuse the run where a contact overlaps more than a step can bring that was not predicted to close in it.

    Not predicted means overlap + γΔt·rate < 0 at the start of the last of `m` steps; the step adds Δt times the mean of
    the rates. The scheme leaves overlaps of this size, of the order of Δt, by construction.
    """
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[OVERLAP] > 0.0 and row[LISTED] == 0.0:
            rate, size = 0.0, abs(row[GAP])
            for k in range(reach.shape[1]):
                rate += reach[c, k] * trail_v[k, m - 1]
                size += abs(reach[c, k]) * (abs(trail_q[k, m]) + h * abs(trail_v[k, m]))
            most = (h * (1.0 - theta) - ahead) * rate + h * theta * row[RATE]
            if row[OVERLAP] > max(most, 0.0) + UNSEEN * size:
                accuse(NOT_SEEN_TO_CLOSE, c, row[OVERLAP], run)


def gather(
    n: int, many: int, reach: Matrix, w: Matrix, restitution: Matrix, modes: Matrix, contacts: Matrix, active: Codes,
    pressed: Matrix, struck: Matrix,
) -> float:  # fmt: skip
    """Write W and the rates of the contacts Ω, b of (19), tangents behind normals where there are any.

    Returns which rates are rounding.
    """
    size = n * (reach.shape[0] // many)
    largest = 0.0
    for i in range(size):
        row, a = contacts[active[i % n]], active[i % n] + many * (i // n)
        free, sizes = 0.0, 0.0
        for k in range(modes.shape[0]):
            free += reach[a, k] * modes[k, V_NEW]
            sizes += abs(reach[a, k] * modes[k, V_NEW])
        largest = max(largest, sizes)
        struck[BEFORE, i] = -row[RATE] if i < n else -row[SLIP + i // n - 1]
        struck[FREE, i] = -free
        struck[RESTITUTION, i] = restitution_at(restitution[active[i % n]], abs(row[RATE]))
        struck[ROUGHNESS, i] = row[ROUGH]
        for j in range(size):
            pressed[i, j] = w[a, active[j % n] + many * (j // n)]
    return ROUNDING * largest


def respond(n: int, size: int, answer: Matrix, modes: Matrix, contacts: Matrix, active: Codes, struck: Matrix) -> None:
    """Note the impulses and add their answer J⁻¹Hᵀp to the new velocities."""
    for i in range(size):
        p, a = struck[IMPULSE, i], active[i % n] + contacts.shape[0] * (i // n)
        contacts[active[i % n], PUSH if i < n else DRAG + i // n - 1] = p
        if p != 0.0:
            for k in range(modes.shape[0]):
                modes[k, V_NEW] -= answer[k, a] * p


def note(n: int, together: int, left: float, contacts: Matrix, active: Codes, run: Vector) -> None:
    """Note how large the impulses of a step were and how well they met their conditions."""
    largest = 0.0
    for i in range(n):
        largest = max(largest, contacts[active[i], PUSH])
    if largest > 0.0:
        run[CONTACT_STEPS] += 1.0
        run[LARGEST_RESIDUAL] = max(run[LARGEST_RESIDUAL], left)
        run[LARGEST_SHARE] = max(run[LARGEST_SHARE], left / largest)
        run[LARGEST_IMPULSE] = max(run[LARGEST_IMPULSE], largest)
        run[TOGETHER] = max(run[TOGETHER], together)


def overlapping(
    reach: Matrix, still: Matrix, modes: Matrix, contacts: Matrix, active: Codes, pressed: Matrix, struck: Matrix
) -> int:
    """List the bodies to push apart, as a plastic impact whose rates are their gaps; return how many, 0 if none."""
    n = 0
    deepest = 0.0
    for c in range(contacts.shape[0]):
        overlap = -contacts[c, GAP]
        for k in range(modes.shape[0]):
            overlap += reach[c, k] * modes[k, Q]
        if overlap >= 0.0 or contacts[c, PUSH] > 0.0:
            deepest = max(deepest, overlap)
            active[n] = c
            struck[BEFORE, n] = struck[FREE, n] = -overlap
            struck[RESTITUTION, n] = 0.0
            n += 1
    for i in range(n):
        for j in range(n):
            pressed[i, j] = still[active[i], active[j]]
    return n if deepest > 0.0 else 0


def account(now: float, h: float, noise: float, newton: bool, system: System, trail: Trail, impacts: Matrix) -> int:
    """Enter the impulses of a step in the records of their contacts; return how many records are open.

    Consecutive steps with an impulse are one impact. Impulses work against the mean of rates before and after, whatever
    θ is. Under Newton's hypothesis, as published, a contact that separates and is pressed back in the same step is
    stopped against its rate: that much may be created, and what impulses do on rates below `noise`.
    """
    modes, contacts, reach, push = system.modes, system.contacts, system.reach, system.push
    energy, run, trail_v, before = system.energy, system.run, trail.v, trail.before
    many = contacts.shape[0]
    taken, excused, most, hardest = 0.0, 0.0, 0.0, 0
    books = 0
    for c in range(many):
        row = contacts[c]
        p = row[PUSH]
        if p > 0.0:
            if row[IMPACT_OPEN] == 0.0:
                open_book(now, max(before[0, c], 0.0), 0.0, row)
            lost = 0.5 * p * (before[0, c] + row[RATE])
            for k in range(modes.shape[0]):  # what a prescribed motion does
                energy[INPUT] += 0.5 * p * (reach[c, k] - push[c, k]) * (trail_v[k, 0] + modes[k, V])
            for t in range(reach.shape[0] // many - 1):
                drag, at = row[DRAG + t], many * (1 + t) + c
                lost += 0.5 * drag * (before[1 + t, c] + row[SLIP + t])
                for k in range(modes.shape[0]):
                    energy[INPUT] += 0.5 * drag * (reach[at, k] - push[at, k]) * (trail_v[k, 0] + modes[k, V])
                row[IMPACT_FRICTION + t] += drag
            row[IMPACT_IMPULSE] += p
            row[IMPACT_ENERGY] += lost
            row[IMPACT_PEAK] = max(row[IMPACT_PEAK], p / h)
            row[IMPACT_OVERLAP] = max(row[IMPACT_OVERLAP], row[OVERLAP])
            row[SUM] += p
            taken += lost
            if p > most:
                most, hardest = p, c
            excused += NOISY * noise * p
            if newton:  # stopped while it separates
                excused += 0.5 * p * max(-before[0, c], 0.0)
            books += 1
            run[LARGEST_OVERLAP] = max(run[LARGEST_OVERLAP], row[OVERLAP])
        elif row[IMPACT_OPEN] == 1.0:
            enter(c, now, -before[0, c], row, impacts, run)  # the rate with which it left
    if most > 0.0:
        judge_gain(taken, excused, hardest, modes, energy, run)
    return books
