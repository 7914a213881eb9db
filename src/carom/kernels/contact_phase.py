"""Structures in contact: the modes, the overlap and the work done, stepped together to tolerance.

One closed contact is the primary one: as in `single_impact` its overlap is δ = D y^q and time is stretched,
dt = (dδ/dy) dτ, so that touch and separation are smooth, and steps that would pass δ = 0, a kink at δ̇ = 0 or the
end of a sample are taken in y, in δ̇ or in time instead of τ. Other closed contacts follow from the modes.
"""

import math

from carom.kernels import dormand_prince, power_law
from carom.kernels.flight import overlap_of, rate_of
from carom.kernels.power_law import (
    damping_factor,
    damping_force,
    elastic_force,
    force_slopes,
    grading,
    overlap_scale,
    reference_rate,
    speed_scale,
)
from carom.kernels.types import Matrix, Vector

STAGES = dormand_prince.STAGES
A = dormand_prince.A
B = dormand_prince.B
E3 = dormand_prince.E3
E5 = dormand_prince.E5

# one row of `book` per contact
OPEN = 0.0
CLOSED = 1.0
RELEASED = 2.0  # ended at F = 0 with δ > 0: touches again only after δ ≤ 0
STATUS = 0
TOUCH_RATE = 1
TOP_RATE = 2
START = 3
SCALE = 4  # D
GRADING = 5  # q
SPEED = 6
FOLLOWS_ABOVE = 7
CHI_APPROACH = 8
CHI_RESTITUTION = 9
PEAK_FORCE = 10
PEAK_OVERLAP = 11
WORK_AT_TOUCH = 12
IMPULSE_AT_TOUCH = 13
CLIMBING = 14  # dF/dt, of which the sign counts: is the force rising?
BOOK_SIZE = 15

# the variable a step is taken in
TAU = 0
BY_Y = 1
BY_RATE = 2
BY_TIME = 3

# the state behind the modes' displacements and velocities
Y = 0
TIME = 1
INPUT = 2
DAMPING = 3
SCALARS = 4  # then the work and the impulse of each contact

SHORT = 0.55
TINY_SPEED = 1e-6  # [m/s]: the scale of touches that are slower
NO_CONTACT = -1


def size_of_state(modes: int, contacts: int) -> int:
    """Return the number of components of the state in contact."""
    return 2 * modes + SCALARS + 2 * contacts


def graded(row: Vector, y: float) -> tuple[float, float, float]:
    """Return δ = D y^q, its square root and dδ/dy of the primary contact."""
    q = row[GRADING]
    if q == 2.0:
        return row[SCALE] * y * y, math.sqrt(row[SCALE]) * y, 2.0 * row[SCALE] * y
    if q == 4.0:
        square = y * y
        return row[SCALE] * square * square, math.sqrt(row[SCALE]) * square, 4.0 * row[SCALE] * square * y
    overlap = row[SCALE] * y
    return overlap, math.sqrt(overlap), row[SCALE]


def chi_of(c: Vector, row: Vector, rate: float) -> float:
    """Return χ of a closed contact at this rate."""
    if rate > row[FOLLOWS_ABOVE]:
        return damping_factor(c, rate, 0.5 * rate)
    return row[CHI_APPROACH] if rate >= 0.0 else row[CHI_RESTITUTION]


def renew(c: Vector, row: Vector, rate: float) -> None:
    """Note the largest rate since touch and the damping that follows from it."""
    row[TOP_RATE] = max(row[TOP_RATE], rate)
    reference = reference_rate(c, row[TOUCH_RATE], row[TOP_RATE])
    row[CHI_APPROACH] = damping_factor(c, 1.0, reference)
    row[CHI_RESTITUTION] = damping_factor(c, -1.0, reference)
    follows = c[power_law.RATE_POWER] != 0.0 and c[power_law.PUBLISHED_RATE] == 0.0
    row[FOLLOWS_ABOVE] = max(2.0 * row[TOUCH_RATE], row[TOP_RATE]) if follows else math.inf


def close(c: Vector, row: Vector, mass: float, rate: float, pull: float, t: float, work: float, impulse: float) -> None:
    """Enter a touch into the book; `pull` is the relative acceleration then [m/s²], which gives touches without
    speed their scale.
    """
    row[STATUS] = CLOSED
    row[TOUCH_RATE] = max(rate, 0.0)
    row[TOP_RATE] = row[TOUCH_RATE]
    row[START] = t
    row[SPEED] = max(speed_scale(c, mass, row[TOUCH_RATE], pull), TINY_SPEED)
    row[SCALE] = overlap_scale(c, mass, row[SPEED])
    row[GRADING] = grading(c)
    row[PEAK_FORCE] = 0.0
    row[PEAK_OVERLAP] = 0.0
    row[WORK_AT_TOUCH] = work
    row[IMPULSE_AT_TOUCH] = impulse
    renew(c, row, row[TOUCH_RATE])


def forces(
    primary: int, reach: Matrix, gap: Vector, laws: Matrix, book: Matrix, z: Vector, modes: int, found: Vector
) -> None:
    """Write the force of each contact in state `z` to `found` [N]; zero where open."""
    for c in range(gap.size):
        found[c] = 0.0
        if book[c, STATUS] == CLOSED:
            rate = rate_of(reach, c, z[modes : 2 * modes])
            if c == primary:
                overlap, root, _ = graded(book[c], max(z[2 * modes + Y], 0.0))
            else:
                overlap = max(overlap_of(reach, gap, c, z[:modes]), 0.0)
                root = math.sqrt(overlap)
            chi = chi_of(laws[c], book[c], rate)
            found[c] = elastic_force(laws[c], overlap, root) + damping_force(laws[c], chi, overlap, root, rate)


def slopes(
    variable: int,
    h: float,
    primary: int,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    energy: Vector,
    reach: Matrix,
    push: Matrix,
    gap: Vector,
    laws: Matrix,
    book: Matrix,
    z: Vector,
    found: Vector,
    dz: Vector,
) -> bool:
    """Write the derivative of the state by the variable to `dz`; False where it would stand still or turn back."""
    modes = omega.size
    contacts = gap.size
    base = 2 * modes
    forces(primary, reach, gap, laws, book, z, modes, found)
    _, _, stretch = graded(book[primary], max(z[base + Y], 0.0))
    rate = rate_of(reach, primary, z[modes:base])
    t = z[base + TIME]
    power_in = 0.0
    power_lost = 0.0
    bend = 0.0
    for k in range(modes):
        p = load[k] + slope[k] * t
        a = p - 2.0 * sigma[k] * z[modes + k] - omega[k] * omega[k] * z[k]
        for c in range(contacts):
            a -= push[c, k] * found[c]
        dz[k] = z[modes + k]
        dz[modes + k] = a
        bend += reach[primary, k] * a
        power_in += energy[k] * p * z[modes + k]
        power_lost += energy[k] * 2.0 * sigma[k] * z[modes + k] * z[modes + k]
    scale = stretch
    if variable == BY_TIME:
        scale = 1.0
    elif variable == BY_Y:
        if not rate * h > 0.0:
            return False
        scale = stretch / rate
    elif variable == BY_RATE:
        if not bend * h > 0.0:
            return False
        scale = 1.0 / bend
    for k in range(base):
        dz[k] *= scale
    dz[base + TIME] = scale
    dz[base + INPUT] = power_in * scale
    dz[base + DAMPING] = power_lost * scale
    for c in range(contacts):
        dz[base + SCALARS + c] = found[c] * rate_of(reach, c, z[modes:base]) * scale
        dz[base + SCALARS + contacts + c] = found[c] * scale
    if variable == TAU:
        dz[base + Y] = rate
    elif variable == BY_Y:
        dz[base + Y] = 1.0
    else:
        if not stretch > 0.0:
            return False
        dz[base + Y] = rate * scale / stretch
    return True


def step(
    variable: int,
    h: float,
    primary: int,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    energy: Vector,
    reach: Matrix,
    push: Matrix,
    gap: Vector,
    laws: Matrix,
    book: Matrix,
    z: Vector,
    weights: Vector,
    found: Vector,
    stage: Vector,
    k: Matrix,
    new: Vector,
) -> float:
    """Advance the state by `h` of the variable (Dormand-Prince 8(5,3)); return its error, negative if impossible."""
    size = z.size
    for i in range(STAGES):
        for q in range(size):
            total = 0.0
            for j in range(i):
                total += A[i, j] * k[j, q]
            stage[q] = z[q] + h * total
        if not slopes(
            variable, h, primary, omega, sigma, load, slope, energy, reach, push, gap, laws, book, stage, found, k[i]
        ):
            return -1.0
    fifth = 0.0
    third = 0.0
    for q in range(size):
        total = 0.0
        e3 = 0.0
        e5 = 0.0
        for i in range(STAGES):
            total += B[i] * k[i, q]
            e3 += E3[i] * k[i, q]
            e5 += E5[i] * k[i, q]
        new[q] = z[q] + h * total
        e3 *= weights[q]
        e5 *= weights[q]
        fifth += e5 * e5
        third += e3 * e3
    both = fifth + 0.01 * third
    return abs(h) * fifth / math.sqrt(both) if both > 0.0 else 0.0


def overlap_acceleration(
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
) -> float:
    """Return the second derivative of an overlap at time `t` of the sample [m/s²]; `found` holds the forces."""
    modes = omega.size
    total = 0.0
    for k in range(modes):
        a = load[k] + slope[k] * t - 2.0 * sigma[k] * z[modes + k] - omega[k] * omega[k] * z[k]
        for c in range(found.size):
            a -= push[c, k] * found[c]
        total += reach[contact, k] * a
    return total


def force_climb(
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
    """Return dF/dt of a closed contact [N/s]; `found` takes the forces."""
    modes = omega.size
    base = 2 * modes
    forces(primary, reach, gap, laws, book, z, modes, found)
    bend = overlap_acceleration(contact, omega, sigma, load, slope, reach, push, z, z[base + TIME], found)
    rate = rate_of(reach, contact, z[modes:base])
    if contact == primary:
        overlap, root, _ = graded(book[contact], max(z[base + Y], 0.0))
    else:
        overlap = max(overlap_of(reach, gap, contact, z[:modes]), 0.0)
        root = math.sqrt(overlap)
    by_overlap, by_rate = force_slopes(laws[contact], chi_of(laws[contact], book[contact], rate), overlap, root, rate)
    climb = by_overlap * rate + by_rate * bend
    return climb if math.isfinite(climb) else 1.0  # a δ^{1/4} law rises infinitely fast at touch
