"""Many steps at once while nothing is near: between contacts a step of Moreau-Jean is a linear map of each mode.

Modes run one after the other along a stretch of steps, so that all the rest, gaps, energies and peaks, is done for many
steps in a row. A stretch ends before the first step for which a contact is predicted to close.
"""

from carom.kernels.ledger import DAMPING, INPUT
from carom.kernels.rigid.impact_record import write_sample
from carom.kernels.rigid.rows import GAP, MASS, PARTICIPATION, SQUARE, STEADY, TWICE, Q, V
from carom.kernels.rigid.tables import Floors, Histories, System, Trail
from carom.kernels.types import Codes, Matrix

ROUNDING = 1e-14
"""Sums are none below this part of the sizes that add up to them."""
STRETCH = 64
"""Steps of a stretch at most."""

# rows of `scratch`, behind them the mean acceleration of each ground over each step
AHEAD = 0  # a contact's overlap as predicted
GAINED = 1  # work of the loads
LOST = 2  # and of the dampers
FLOOR = 3  # displacements, then velocities of a floor
SHAKEN = 4


def shake(s: int, m: int, parts: int, ground: Matrix, scratch: Matrix) -> None:
    """Write the mean accelerations of the grounds over `m` steps from step `s`: the record is straight lines."""
    for g in range(ground.shape[0]):
        row, into = ground[g], scratch[SHAKEN + g]
        i, part = s // parts, s % parts
        j = 0
        while j < m:
            first, slope = row[i], (row[i + 1] - row[i]) / parts
            last = min(m, j + parts - part)
            base = part - j + 0.5
            for at in range(j, last):
                into[at] = first + slope * (base + at)
            j, i, part = last, i + 1, 0


def free_steps(m: int, h: float, theta: float, ahead: float, support: Codes, system: System, trail: Trail) -> int:
    """Take up to `m` steps; return how many come before a contact with g + `ahead`·ġ ≤ 0, `ahead` being γΔt.

    What rounding leaves open counts as closed.

    J of (9) is a number for each mode, and q̇⁺ = q̇ + J⁻¹R one line.
    """
    reach, modes, contacts = system.reach, system.modes, system.contacts
    trail_q, trail_v, scratch = trail.q, trail.v, trail.scratch
    for k in range(modes.shape[0]):
        row, q_row, v_row, ground = modes[k], trail_q[k], trail_v[k], scratch[SHAKEN + support[k]]
        square, twice, steady, share = row[SQUARE], row[TWICE], row[STEADY], row[PARTICIPATION]
        soft = h / (1.0 + theta * h * (twice + theta * h * square))
        from_q, from_v = -soft * square, 1.0 - soft * (twice + theta * h * square)
        along = theta * h
        stay, carry = 1.0 + along * from_q, h * (1.0 - theta) + along * from_v
        for j in range(m):  # the loads' part
            push = soft * (steady - share * ground[j])
            v_row[j + 1] = push
            q_row[j + 1] = along * push
        q, v = row[Q], row[V]
        q_row[0], v_row[0] = q, v
        for j in range(1, m + 1):
            q, v = (stay * q + carry * v) + q_row[j], (from_q * q + from_v * v) + v_row[j]
            q_row[j], v_row[j] = q, v
    found = scratch[AHEAD]
    for c in range(contacts.shape[0]):
        for j in range(m):
            found[j] = -contacts[c, GAP]
        for k in range(modes.shape[0]):
            near, q_row, v_row = reach[c, k], trail_q[k], trail_v[k]
            if near != 0.0:
                for j in range(m):
                    found[j] += near * (q_row[j] + ahead * v_row[j])
        size = abs(contacts[c, GAP])
        for k in range(modes.shape[0]):
            q_row, v_row = trail_q[k], trail_v[k]
            most = max(abs(q_row[0]) + ahead * abs(v_row[0]), abs(q_row[m]) + ahead * abs(v_row[m]))
            size += abs(reach[c, k]) * most
        for j in range(1, m):  # the first step is known to be clear
            if found[j] >= -ROUNDING * size:
                m = j
                break
    return m


def settle(
    s: int, m: int, parts: int, h: float, theta: float, support: Codes, system: System, trail: Trail,
    histories: Histories,
) -> bool:  # fmt: skip
    """Enter `m` steps from step `s`: work of loads and dampers (exact for θ = 1/2), samples, the state.

    False where the motion left the range of numbers.
    """
    modes, damping, energy = system.modes, system.damping, system.energy
    trail_q, trail_v, scratch = trail.q, trail.v, trail.scratch
    gained, lost, before = scratch[GAINED], scratch[LOST], 1.0 - theta
    for j in range(m):
        gained[j] = lost[j] = 0.0
    for k in range(modes.shape[0]):
        row, v_row, ground = modes[k], trail_v[k], scratch[SHAKEN + support[k]]
        steady, share, mass = row[MASS] * row[STEADY], row[MASS] * row[PARTICIPATION], row[MASS]
        twice = mass * row[TWICE]
        for j in range(m):
            middle = before * v_row[j] + theta * v_row[j + 1]
            gained[j] += (steady - share * ground[j]) * middle
            lost[j] += twice * middle * middle
        for j in range(damping.shape[0]):  # coupled modes step alone
            rate = before * trail_v[j, 0] + theta * trail_v[j, 1]
            lost[0] += mass * (before * v_row[0] + theta * v_row[1]) * damping[k, j] * rate
    done = 0
    while done < m:
        last = min(m, done + parts - (s + done) % parts)
        work, drag = 0.0, 0.0
        for j in range(done, last):
            work += gained[j]
            drag += lost[j]
        energy[INPUT] += h * work
        energy[DAMPING] += h * drag
        done = last
        for k in range(modes.shape[0]):
            modes[k, Q], modes[k, V] = trail_q[k, done], trail_v[k, done]
        if (s + done) % parts == 0 and not write_sample((s + done) // parts, parts * h, system, histories):
            return False
    return True


def raise_peaks(m: int, h: float, storeys: Floors, trail: Trail) -> None:
    """Raise the largest |displacement|, |velocity| and |mean absolute acceleration| of `m` steps."""
    shapes, floors, worst = storeys.shapes, storeys.floors, storeys.worst
    trail_q, trail_v, scratch = trail.q, trail.v, trail.scratch
    move = scratch[FLOOR]
    for d in range(shapes.shape[0]):
        first, last = int(floors[d, 0]), int(floors[d, 1])
        for row in range(2):
            for j in range(m + 1):
                move[j] = 0.0
            for k in range(first, last):
                shape, trail = shapes[d, k], trail_q[k] if row == 0 else trail_v[k]
                for j in range(m + 1):
                    move[j] += shape * trail[j]
            most = worst[3 * d + row]
            for j in range(m):
                size = abs(move[j + 1])
                most[j] = size if size > most[j] else most[j]
        most, ground, share = worst[3 * d + 2], scratch[SHAKEN + int(floors[d, 2])], floors[d, 3]
        for j in range(m):
            size = abs((move[j + 1] - move[j]) / h + share * ground[j])
            most[j] = size if size > most[j] else most[j]
