"""What a step does to modes: the scheme's map of a step, forces, loads, and the peaks of the floors.

    stage or end = T·(q, v, a, p₀, p₁) − Σⱼ Gⱼ·push·Xⱼ

with loads p₀ and p₁ at the ends of the step (what the springs push when it begins is counted as a load) and further
forces Xⱼ at the stages.
"""

import math

from carom.kernels.stepping.rows import (
    BROUGHT,
    DAMPED,
    FORCE,
    HELD,
    INFLUENCE,
    LOAD,
    OWN,
    PARTICIPATION,
    PEAKS,
    PULL_BEFORE,
    PUSHED,
    Q_END,
    RIDE,
    RIDE_SLOPE,
    SLOPE,
    SPARE,
    SQUARE,
    STEADY,
    SUPPORT,
    TWICE,
    U_BEFORE,
    U_NOW,
    V_BEFORE,
    V_END,
    V_NOW,
    W_END,
    W_NOW,
    Q,
    V,
    W,
)
from carom.kernels.types import Codes, Counts, Matrix, Vector


def spread(matrix: Matrix, spans: Counts, values: Vector, out: Vector) -> None:
    """Add Σ values·row of a matrix to `out`; outside its span each row is zero.

    Rows are taken by fours, which have one span: `out` is then read and written a quarter as often.
    """
    fours = matrix.shape[0] - (matrix.shape[0] & 3)
    for i in range(0, fours, 4):
        a, b, c, d = values[i], values[i + 1], values[i + 2], values[i + 3]
        one, two, three, four = matrix[i], matrix[i + 1], matrix[i + 2], matrix[i + 3]
        for j in range(spans[i, 0], spans[i, 1]):
            out[j] += (a * one[j] + b * two[j]) + (c * three[j] + d * four[j])
    for i in range(fours, matrix.shape[0]):
        value = values[i]
        for j in range(spans[i, 0], spans[i, 1]):
            out[j] += value * matrix[i, j]


def load_sample(
    i: int, dt: float, support: Codes, ground: Matrix, given: Matrix, modes: Matrix, floors: Matrix
) -> None:
    """Write the loads of sample `i`, and the ground that floors ride on: values at its start, and slopes."""
    for k in range(modes.shape[1]):
        first = ground[support[k], i]
        modes[LOAD, k] = given[STEADY, k] - given[PARTICIPATION, k] * first
        modes[SLOPE, k] = given[PARTICIPATION, k] * (first - ground[support[k], i + 1]) / dt
    for d in range(floors.shape[1]):
        s = int(floors[SUPPORT, d])
        floors[RIDE, d] = floors[INFLUENCE, d] * ground[s, i]
        floors[RIDE_SLOPE, d] = floors[INFLUENCE, d] * (ground[s, i + 1] - ground[s, i]) / dt


def free_row(table: Matrix, t: float, h: float, modes: Matrix, into: int) -> None:
    """Write one line of the scheme's map, that of a stage or of the end, as if no further force acted."""
    for k in range(modes.shape[1]):
        slope = modes[SLOPE, k]
        p = modes[LOAD, k] + slope * t - modes[HELD, k]
        moved = table[0, k] * modes[Q, k] + table[1, k] * modes[V, k] + table[2, k] * modes[OWN, k]
        modes[into, k] = moved + table[3, k] * p + table[4, k] * (p + slope * h)


def push_modes(joints: int, forces: Vector, push: Matrix, spans: Counts, modes: Matrix, into: int) -> bool:
    """Write what the forces of so many joints push, few of them not zero; return whether there were any."""
    out = modes[into]
    for k in range(out.size):
        out[k] = 0.0
    pushed = False
    for j in range(joints):
        f = forces[j]
        if f != 0.0:
            pushed = True
            for k in range(spans[j, 0], spans[j, 1]):
                out[k] += f * push[j, k]
    return pushed


def apply_forces(level: int, stages: int, joints: int, modes: Matrix, tables: Matrix, push: Matrix, spans: Counts,
                 forces: Vector) -> bool:  # fmt: skip
    """Add what the forces of the stages do to the end of the step; return whether there were any."""
    pushed = False
    for j in range(stages):
        if push_modes(joints, forces[j * joints :], push, spans, modes, PUSHED):
            pushed = True
            for part in range(3):
                for k in range(modes.shape[1]):
                    modes[Q_END + part, k] -= tables[level, 2 * stages + part, 5 + j, k] * modes[PUSHED, k]
    return pushed


def balance(t: float, given: Matrix, modes: Matrix) -> None:
    """Write the accelerations that loads and forces leave at time `t` of the sample."""
    for k in range(modes.shape[1]):
        load = modes[LOAD, k] + modes[SLOPE, k] * t
        modes[W, k] = load - given[TWICE, k] * modes[V, k] - given[SQUARE, k] * modes[Q, k]
        modes[W, k] -= modes[PUSHED, k] + modes[HELD, k]


def exchange(modes: Matrix) -> None:
    """Make the end of the step the present state; what was stays in its columns, for the account."""
    for k in range(modes.shape[1]):
        modes[Q, k], modes[Q_END, k] = modes[Q_END, k], modes[Q, k]
        modes[V, k], modes[V_END, k] = modes[V_END, k], modes[V, k]
        modes[OWN, k], modes[W_END, k] = modes[W_END, k], modes[W, k]


def correct(modes: Matrix, contacts: Matrix, joints: Matrix, push: Matrix, forces: Vector) -> None:
    """Take to the scheme's own acceleration what a contact that opened or closed has changed.

    Its force at the end is not the one that the scheme worked with at its last stage.
    """
    for c in range(contacts.shape[0]):
        jump = joints[FORCE, c] - forces[c]
        if jump != 0.0:
            for k in range(modes.shape[1]):
                modes[OWN, k] -= push[c, k] * jump


def account(t: float, h: float, modes: Matrix) -> None:
    """Add what loads bring and damping takes in a step, mode by mode, by Hermite's quadrature.

    The columns of the end hold the start.
    """
    half, twelfth, third = 0.5 * h, h * h / 12.0, h / 3.0
    for k in range(modes.shape[1]):
        v0, w0, v1, w1, slope = modes[V_END, k], modes[W_END, k], modes[V, k], modes[W, k], modes[SLOPE, k]
        p0 = modes[LOAD, k] + slope * t
        p1 = p0 + slope * h
        turn = slope * (v0 - v1) + p0 * w0 - p1 * w1
        modes[BROUGHT, k] += half * (p0 * v0 + p1 * v1) + twelfth * turn
        modes[DAMPED, k] += half * (v0 * v0 + v1 * v1 + third * (v0 * w0 - v1 * w1))


def bulge(before: float, pace: float, now: float, speed: float, h: float) -> float:
    """Return the extreme of the cubic through two values with their slopes, where the slope changes sign between."""
    x = pace / (pace - speed)
    bent = x * x * (3.0 - 2.0 * x)
    return before * (1.0 - bent) + now * bent + h * x * (1.0 - x) * (pace * (1.0 - x) - speed * x)


def note(t: float, h: float, given: Matrix, modes: Matrix, floors: Matrix, shapes: Matrix, spans: Counts) -> None:
    """Note peaks at the end of a step; where a displacement or velocity turned within it, that of a cubic too."""
    for k in range(modes.shape[1]):  # absolute: without what the ground takes along
        modes[SPARE, k] = modes[W, k] + given[STEADY, k] - modes[LOAD, k] - modes[SLOPE, k] * t
    for part in range(3):
        for d in range(floors.shape[1]):
            floors[U_BEFORE + part, d] = floors[U_NOW + part, d]
            floors[U_NOW + part, d] = 0.0
        spread(shapes, spans, modes[Q + part if part < 2 else SPARE], floors[U_NOW + part])
        for d in range(floors.shape[1]):
            floors[PEAKS + part, d] = max(floors[PEAKS + part, d], math.fabs(floors[U_NOW + part, d]))
    turned = 0
    for d in range(floors.shape[1]):
        floors[W_NOW, d] -= floors[RIDE, d] + floors[RIDE_SLOPE, d] * t  # relative again
        turned += 1 if floors[V_BEFORE, d] * floors[V_NOW, d] < 0.0 else 0
        turned += 1 if floors[PULL_BEFORE, d] * floors[W_NOW, d] < 0.0 else 0
    for part in range(2 if turned > 0 else 0):
        for d in range(floors.shape[1]):
            pace, speed = floors[V_BEFORE + part, d], floors[V_NOW + part, d]
            if pace * speed < 0.0:
                found = bulge(floors[U_BEFORE + part, d], pace, floors[U_NOW + part, d], speed, h)
                floors[PEAKS + part, d] = max(floors[PEAKS + part, d], math.fabs(found))
