"""The books of contacts and springs, step by step: who may touch, who does, who has parted, what was done."""

import math

from carom.kernels.contact.impact_record import close, renew
from carom.kernels.joints import FIRST, ROWS, RULE, Springs, follow, follow_rows, remember
from carom.kernels.laws import power_law
from carom.kernels.ledger import CONTACT_WORK, DAMPING, end_contact, note_released
from carom.kernels.rows import (
    CLOSED,
    EFFECTIVE_MASS,
    IMPULSE,
    OPEN,
    PEAK_FORCE,
    PEAK_OVERLAP,
    RELEASED,
    STATUS,
    WORK,
)
from carom.kernels.stepping.motion import spread
from carom.kernels.stepping.rows import (
    FORCE,
    GAP,
    MISSED,
    OVERLAP,
    OVERLAP_END,
    RATE,
    RATE_END,
    SPRING_WORK,
    STRONGEST,
    TANGENT,
    TYPICAL_DISPLACEMENT,
    TYPICAL_VELOCITY,
)
from carom.kernels.stepping.stage_forces import ACTIVE, FORCES, FREE_OVERLAP, OVERLAP_NOW, RATE_NOW, contact_law
from carom.kernels.types import Counts, Matrix, Vector


def look(q: int, modes: Matrix, joints: Matrix, reach: Matrix, spans: Counts) -> None:
    """Write overlaps (or drifts) and rates of all joints at a state of the modes, as those of the end."""
    for j in range(joints.shape[1]):
        joints[OVERLAP_END, j] = -joints[GAP, j]
        joints[RATE_END, j] = 0.0
    for part in range(2):
        spread(reach, spans, modes[q + part], joints[OVERLAP_END + part])


def anyone_near(h: float, span: float, contacts: Matrix, joints: Matrix) -> bool:
    """Return whether a contact is closed or may touch within the step."""
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] == CLOSED:
            return True
        if contacts[c, STATUS] == OPEN:
            leeway = 2.0 * span * h * (math.fabs(joints[RATE, c]) + math.fabs(joints[RATE_END, c]))
            if max(joints[OVERLAP, c], joints[OVERLAP_END, c]) + leeway > 0.0:
                return True
    return False


def prepare(
    now: float, h: float, stages: int, known: int, near: bool, contacts: Matrix, joints: Matrix, work: Matrix
) -> None:
    """Say which forces are sought, and open the book of an impact that may begin within this step.

    Its rate is that of the free motion where δ = 0. At a stage that is the start of the step all is known.
    """
    touching, count = contacts.shape[0], joints.shape[1]
    for u in range(stages * count):
        work[FORCES, u] = 0.0
        work[ACTIVE, u] = 0.0
    for i in range(known, stages):
        for joint in range(touching, count):
            work[ACTIVE, i * count + joint] = 1.0
    for i in range(stages if near else 0):
        for c in range(touching):
            u, state = i * count + c, contacts[c, STATUS]
            if i < known:
                work[OVERLAP_NOW, u] = joints[OVERLAP, c]
                work[RATE_NOW, u] = joints[RATE, c]
                work[FORCES, u] = joints[FORCE, c]
            elif state == CLOSED or (state == OPEN and work[FREE_OVERLAP, u] > 0.0):
                work[ACTIVE, u] = 1.0
    for c in range(touching if near else 0):
        if contacts[c, STATUS] == OPEN:
            later, before = joints[OVERLAP_END, c], joints[OVERLAP, c]
            share = 1.0
            if later > before:
                share = min(max(-before / (later - before), 0.0), 1.0)
            close(contacts[c], joints[RATE, c] + share * (joints[RATE_END, c] - joints[RATE, c]), 0.0, now + share * h)
            contacts[c, STATUS] = OPEN  # until the end of the step is seen to overlap


def wake(first: int, last: int, contacts: Matrix, count: int, work: Matrix) -> bool:
    """Make contacts active that others push into touching; return whether there were any."""
    more = False
    for i in range(first, last):
        for c in range(contacts.shape[0]):
            u = i * count + c
            if work[ACTIVE, u] == 0.0 and contacts[c, STATUS] == OPEN and work[OVERLAP_NOW, u] > 0.0:
                work[ACTIVE, u] = 1.0
                more = True
    return more


def enter_work(h: float, weights: Vector, contacts: Matrix, joints: Matrix, work: Matrix, run: Vector) -> None:
    """Enter work and impulse of the contact forces at the stages."""
    count = joints.shape[1]
    for j in range(weights.size):
        for c in range(contacts.shape[0]):
            u = j * count + c
            f = work[FORCES, u]
            if f != 0.0:
                row = contacts[c]
                done = weights[j] * h * f * work[RATE_NOW, u]
                if row[power_law.STIFFNESS] == 0.0:
                    run[DAMPING] += done  # a dashpot between modes
                else:
                    run[CONTACT_WORK] += done
                row[WORK] += done
                row[IMPULSE] += weights[j] * h * f
                row[PEAK_OVERLAP] = max(row[PEAK_OVERLAP], work[OVERLAP_NOW, u])


def settle_contacts(now: float, h: float, contacts: Matrix, joints: Matrix, impacts: Matrix, run: Vector) -> None:
    """See at the end of a step who touches and who has parted; write the forces there."""
    for c in range(contacts.shape[0]):
        row = contacts[c]
        before, held, state = joints[OVERLAP, c], joints[FORCE, c], row[STATUS]
        overlap, rate = joints[OVERLAP_END, c], joints[RATE_END, c]
        joints[OVERLAP, c], joints[RATE, c], joints[FORCE, c] = overlap, rate, 0.0
        if state == RELEASED and overlap <= 0.0:
            row[STATUS] = OPEN
        elif state == OPEN and overlap > 0.0:
            row[STATUS] = CLOSED
        elif state == CLOSED and overlap <= 0.0:
            share = before / (before - overlap) if before > overlap else 1.0
            end_contact(c, False, now + min(max(share, 0.0), 1.0) * h, rate, row, impacts, run)
        if row[STATUS] == CLOSED:
            renew(row, rate)
            f, _, _ = contact_law(row, overlap, rate)
            joints[FORCE, c] = f
            row[PEAK_FORCE] = max(row[PEAK_FORCE], f)
            row[PEAK_OVERLAP] = max(row[PEAK_OVERLAP], overlap)
            if row[power_law.TENSION] == 0.0 and f <= 0.0 and rate < 0.0:
                end_contact(c, True, now + h, rate, row, impacts, run)
        note_released(c, overlap, now + h, row, run)
        if row[STATUS] != state and row[STATUS] != RELEASED and state != RELEASED:
            since = min(h, math.fabs(overlap) / max(math.fabs(rate), 1e-300))
            run[MISSED] += since * max(math.fabs(held), math.fabs(joints[FORCE, c])) / row[EFFECTIVE_MASS]


def settle_rows(p: int, j: int, springs: Springs, joints: Matrix) -> tuple[bool, float, float, float]:
    """End the step of a spring of several rows, the first of them joint `j`.

    Return whether its force changed, the largest part of the force, the work done and the rates missed.
    """
    rows, force = springs.kinds[p, ROWS], springs.force
    follow_rows(
        springs.kinds[p, RULE], springs.numbers[p], springs.memory[p], joints[OVERLAP_END, j : j + rows],
        joints[RATE_END, j : j + rows], springs.after[p], force, springs.by_d, springs.by_rate,
    )  # fmt: skip
    changed, strongest, done, missed = False, 0.0, 0.0, 0.0
    for a in range(rows):
        way = joints[OVERLAP_END, j + a] - joints[OVERLAP, j + a]
        pace, rate, held = joints[RATE, j + a], joints[RATE_END, j + a], joints[FORCE, j + a]
        changed = changed or force[a] != held
        strongest = max(strongest, math.fabs(force[a]))
        done += 0.5 * way * (held + force[a])
        if pace * rate < 0.0:
            missed += math.fabs(pace * rate) / (math.fabs(pace) + math.fabs(rate))
        for b in range(rows):
            bent = joints[TANGENT + b, j + a] - springs.by_d[a, b]
            done += way * (joints[OVERLAP_END, j + b] - joints[OVERLAP, j + b]) * bent / 12.0
            joints[TANGENT + b, j + a] = springs.by_d[a, b]
    for a in range(rows):
        joints[OVERLAP, j + a], joints[RATE, j + a] = joints[OVERLAP_END, j + a], joints[RATE_END, j + a]
        joints[FORCE, j + a] = force[a]
    return changed, strongest, done, missed


def settle_springs(h: float, contacts: int, springs: Springs, joints: Matrix, run: Vector) -> bool:
    """End the step of every spring where its rows are, and enter its work; return whether any force changed."""
    changed, strongest, done, missed = False, 0.0, 0.0, 0.0
    for p in range(springs.kinds.shape[0]):
        j = contacts + springs.kinds[p, FIRST]
        if springs.kinds[p, ROWS] > 1:
            other, most, more, unseen = settle_rows(p, j, springs, joints)
            changed, strongest = changed or other, max(strongest, most)
            done, missed = done + more, missed + unseen
            continue
        before, pace, held, tangent = joints[OVERLAP, j], joints[RATE, j], joints[FORCE, j], joints[TANGENT, j]
        drift, rate = joints[OVERLAP_END, j], joints[RATE_END, j]
        f, slope, _ = follow(
            springs.kinds[p, RULE], springs.numbers[p], springs.memory[p], drift, rate, springs.after[p]
        )
        joints[OVERLAP, j], joints[RATE, j], joints[FORCE, j], joints[TANGENT, j] = drift, rate, f, slope
        changed = changed or f != held
        strongest = max(strongest, math.fabs(f))
        way = drift - before
        done += 0.5 * way * (held + f)
        if pace * rate < 0.0:  # it turned within the step: the path there was longer than what it remembers
            missed += math.fabs(pace * rate) / (math.fabs(pace) + math.fabs(rate))
        elif tangent != slope:
            done += way * way * (tangent - slope) / 12.0
    remember(springs)
    run[SPRING_WORK] += done
    run[MISSED] += 0.5 * h * missed * run[TYPICAL_VELOCITY] / run[TYPICAL_DISPLACEMENT]
    run[STRONGEST] = strongest
    return changed
