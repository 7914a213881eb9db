"""Modes of buildings in an explicit step, eight side by side: what `step` does mode by mode.

`tile_rows` says which numbers a tile has. Every function here takes one tile, or adds up all of them to what a contact
takes of the modes.
"""

from carom.kernels.explicit.buildings.tile_rows import (
    AGAINST,
    ASTRAY,
    CHANGES,
    DAMPED,
    END_CHANGES,
    END_OWN,
    GAINED,
    LAST_STAGE,
    LINE,
    LOST,
    MASS_OF,
    MISSED,
    PLACE,
    PUSHED,
    RAMP,
    RATE,
    SAMPLE_LOAD,
    STAGE,
    STEADY_LOAD,
    STEP_TILE,
    STIFF,
    TRIED_PLACE,
    TRIED_RATE,
    WIDELY,
    WILDEST,
)
from carom.kernels.explicit.tableau import (
    BEYOND_6,
    BEYOND_7,
    BEYOND_8,
    BEYOND_9,
    BEYOND_10,
    BEYOND_11,
    BY_PLACE,
    BY_RATE,
    STAGES,
    graded_left_out,
)
from carom.kernels.types import Vector


def push_line(force: float, reach: Vector, tile: Vector) -> None:
    """Add reach·F of a contact to AGAINST of a tile."""
    r0, r1, r2, r3, r4, r5, r6, r7 = reach[0], reach[1], reach[2], reach[3], reach[4], reach[5], reach[6], reach[7]
    tile[AGAINST] += r0 * force
    tile[AGAINST + 1] += r1 * force
    tile[AGAINST + 2] += r2 * force
    tile[AGAINST + 3] += r3 * force
    tile[AGAINST + 4] += r4 * force
    tile[AGAINST + 5] += r5 * force
    tile[AGAINST + 6] += r6 * force
    tile[AGAINST + 7] += r7 * force


def of_line(line: int, reach: Vector, tile: Vector) -> float:
    """Return the sum of reach times a line of a tile."""
    left = (reach[0] * tile[line] + reach[1] * tile[line + 1]) + (reach[2] * tile[line + 2] + reach[3] * tile[line + 3])
    return left + (
        (reach[4] * tile[line + 4] + reach[5] * tile[line + 5])
        + (reach[6] * tile[line + 6] + reach[7] * tile[line + 7])
    )


def reached(line: int, tiles: int, at: int, reach: int, small: Vector) -> float:
    """Return the sum of reach times a line over all tiles, which begin at `at`; the contact's reaches at `reach`."""
    found = 0.0
    for _ in range(tiles):
        found += of_line(line, small[reach : reach + LINE], small[at : at + STEP_TILE])
        at += STEP_TILE
        reach += LINE
    return found


def widely(tiles: int, at: int, reach: int, small: Vector) -> float:
    """Return the sum of |reach|·WILDEST over all tiles: a bound of |δ̈| at the stages [m/s²]."""
    found = 0.0
    for _ in range(tiles):
        r, w = small[reach : reach + LINE], small[at + WILDEST : at + WILDEST + LINE]
        left = (abs(r[0]) * w[0] + abs(r[1]) * w[1]) + (abs(r[2]) * w[2] + abs(r[3]) * w[3])
        found += left + ((abs(r[4]) * w[4] + abs(r[5]) * w[5]) + (abs(r[6]) * w[6] + abs(r[7]) * w[7]))
        at += STEP_TILE
        reach += LINE
    return found


def at_most(tiles: int, at: int, small: Vector) -> float:
    """Return what no contact's |δ̈| exceeds at the stages [m/s²]."""
    found = 0.0
    for _ in range(tiles):
        tile = small[at : at + STEP_TILE]
        found += of_line(WILDEST, tile[WIDELY : WIDELY + LINE], tile)
        at += STEP_TILE
    return found


def summed(line: int, tiles: int, at: int, small: Vector) -> float:
    """Return the sum of a line over all tiles."""
    found = 0.0
    for _ in range(tiles):
        row = small[at + line : at + line + LINE]
        found += ((row[0] + row[1]) + (row[2] + row[3])) + ((row[4] + row[5]) + (row[6] + row[7]))
        at += STEP_TILE
    return found


def clear_line(line: int, tiles: int, at: int, small: Vector) -> None:
    """Set a line of all tiles to zero."""
    for _ in range(tiles):
        row = small[at + line : at + line + LINE]
        for j in range(LINE):
            row[j] = 0.0
        at += STEP_TILE


def settle_tile(t: float, tile: Vector) -> None:
    """Write q̈ of the present, time `t` of the sample, under the forces in AGAINST; and its part of accelerations."""
    for j in range(LINE):
        pushed = tile[MASS_OF + j] * tile[AGAINST + j]
        own = -tile[DAMPED + j] * tile[RATE + j] - tile[STIFF + j] * tile[PLACE + j] - pushed
        tile[STAGE + j] = tile[SAMPLE_LOAD + j] + tile[RAMP + j] * t + own
        tile[END_OWN + j] = tile[STEADY_LOAD + j] + own
        tile[AGAINST + j] = 0.0


def settle_change(tile: Vector) -> None:
    """Write the slope of the present q̈ but for the load's; AGAINST holds reach·dF/dt."""
    for j in range(LINE):
        pushed = tile[MASS_OF + j] * tile[AGAINST + j]
        tile[CHANGES + j] = -tile[STIFF + j] * tile[RATE + j] - tile[DAMPED + j] * tile[STAGE + j] - pushed
        tile[AGAINST + j] = 0.0


def begin_tile(share: float, miss: float, t: float, tile: Vector) -> None:
    """Enter the first stage, which is the present, time `t` of the sample; AGAINST holds its forces."""
    for j in range(LINE):
        v, w, mass = tile[RATE + j], tile[STAGE + j], tile[MASS_OF + j]
        load = tile[SAMPLE_LOAD + j] + tile[RAMP + j] * t
        tile[GAINED + j] = share * (mass * load + (1.0 - mass) * tile[AGAINST + j]) * v
        tile[LOST + j] = share * v * v
        tile[MISSED + j], tile[ASTRAY + j] = miss * w, miss * v
        tile[WILDEST + j] = abs(w)
        tile[AGAINST + j] = 0.0
    for j in range(
        LINE, (STAGES - 1) * LINE
    ):  # the weights of stages to come are zero, what they held may be no number
        tile[STAGE + j] = 0.0


def move_tile(i: int, kind: int, h: float, late: float, tile: Vector) -> None:
    """Write displacements and velocities at stage `i`, `late` after the start of a step of length `h`."""
    a0, a1, a2 = h * BY_RATE[kind, i, 0], h * BY_RATE[kind, i, 1], h * BY_RATE[kind, i, 2]
    a3, a4, a5 = h * BY_RATE[kind, i, 3], h * BY_RATE[kind, i, 4], h * BY_RATE[kind, i, 5]
    hh = h * h
    b0, b1, b2 = hh * BY_PLACE[kind, i, 0], hh * BY_PLACE[kind, i, 1], hh * BY_PLACE[kind, i, 2]
    b3, b4, b5 = hh * BY_PLACE[kind, i, 3], hh * BY_PLACE[kind, i, 4], hh * BY_PLACE[kind, i, 5]
    for j in range(LINE):
        w0, w1, w2 = tile[STAGE + j], tile[STAGE + LINE + j], tile[STAGE + 2 * LINE + j]
        w3, w4, w5 = tile[STAGE + 3 * LINE + j], tile[STAGE + 4 * LINE + j], tile[STAGE + 5 * LINE + j]
        rate = tile[RATE + j]
        tile[TRIED_RATE + j] = rate + ((a0 * w0 + a1 * w1) + (a2 * w2 + a3 * w3) + (a4 * w4 + a5 * w5))
        tile[TRIED_PLACE + j] = (
            tile[PLACE + j] + late * rate + ((b0 * w0 + b1 * w1) + (b2 * w2 + b3 * w3) + (b4 * w4 + b5 * w5))
        )


def add_left_out(h: float, tile: Vector) -> None:
    """Add to the end of a plain step what it leaves out of motions under loads linear in time (`tableau.left_out`).

    x is hᵖ times the p-th derivative of the displacement.
    """
    for j in range(LINE):
        damped, stiff = h * tile[DAMPED + j], h * h * tile[STIFF + j]
        x2, x3 = h * h * tile[STAGE + j], h * h * h * (tile[CHANGES + j] + tile[RAMP + j])
        x4 = -damped * x3 - stiff * x2
        x5 = -damped * x4 - stiff * x3
        x6 = -damped * x5 - stiff * x4
        x7 = -damped * x6 - stiff * x5
        x8 = -damped * x7 - stiff * x6
        x9 = -damped * x8 - stiff * x7
        x10 = -damped * x9 - stiff * x8
        x11 = -damped * x10 - stiff * x9
        x12 = -damped * x11 - stiff * x10
        place = BEYOND_6 * x6 + BEYOND_7 * x7 + BEYOND_8 * x8 + BEYOND_9 * x9 + BEYOND_10 * x10 + BEYOND_11 * x11
        rate = BEYOND_6 * x7 + BEYOND_7 * x8 + BEYOND_8 * x9 + BEYOND_9 * x10 + BEYOND_10 * x11 + BEYOND_11 * x12
        tile[TRIED_PLACE + j] += place
        tile[TRIED_RATE + j] += rate / h


def keep_smooth_bend(tile: Vector) -> None:
    """Keep, in END_OWN, q̈ at the start of a step without the forces that begin or end in it, which AGAINST holds."""
    for j in range(LINE):
        tile[END_OWN + j] = tile[STAGE + j] + tile[MASS_OF + j] * tile[AGAINST + j]
        tile[AGAINST + j] = 0.0


def end_graded_tile(kind: int, h: float, tile: Vector) -> None:
    """Add to the end of a graded step what it leaves out of smooth motions (`tableau.graded_left_out`).

    END_OWN has their q̈ at its start, AGAINST holds reach·dF/dt of the contacts that begin or end in it.
    """
    per_h = 1.0 / h
    for j in range(LINE):
        bend = tile[END_OWN + j]
        jerk = tile[CHANGES + j] + tile[RAMP + j] + tile[MASS_OF + j] * tile[AGAINST + j]
        jerk -= tile[DAMPED + j] * (bend - tile[STAGE + j])
        place, rate = graded_left_out(kind, h, bend, jerk, tile[DAMPED + j], tile[STIFF + j])
        tile[TRIED_PLACE + j] += place
        tile[TRIED_RATE + j] += rate * per_h
        tile[AGAINST + j] = 0.0


def answer_tile(i: int, share: float, miss: float, now: float, tile: Vector) -> None:
    """Write q̈ at stage `i`, time `now` of the sample, under the forces in AGAINST; add up what a step adds up."""
    for j in range(LINE):
        v, mass, against = tile[TRIED_RATE + j], tile[MASS_OF + j], tile[AGAINST + j]
        load = tile[SAMPLE_LOAD + j] + tile[RAMP + j] * now
        w = load - tile[DAMPED + j] * v - tile[STIFF + j] * tile[TRIED_PLACE + j] - mass * against
        tile[WILDEST + j] = max(tile[WILDEST + j], abs(w))
        tile[GAINED + j] += share * (mass * load + (1.0 - mass) * against) * v
        tile[LOST + j] += share * v * v
        tile[MISSED + j] += miss * w
        tile[ASTRAY + j] += miss * v
        tile[AGAINST + j] = w
    first = STAGE + i * LINE
    for j in range(LINE):
        tile[first + j] = tile[AGAINST + j]
    for j in range(LINE):
        tile[AGAINST + j] = 0.0


def end_tile(h: float, end: float, tile: Vector) -> None:
    """Complete the end of a step, time `end` of the sample; AGAINST holds reach·dF/dt there."""
    for j in range(LINE):
        w, mass = tile[LAST_STAGE + j], tile[MASS_OF + j]
        tile[END_OWN + j] = w - (tile[SAMPLE_LOAD + j] + tile[RAMP + j] * end) + tile[STEADY_LOAD + j]
        tile[END_CHANGES + j] = (
            -tile[STIFF + j] * tile[TRIED_RATE + j] - tile[DAMPED + j] * w - mass * tile[AGAINST + j]
        )  # fmt: skip
        tile[AGAINST + j] = 0.0
        tile[GAINED + j] *= h
        tile[LOST + j] *= h * mass * tile[DAMPED + j]


def settle_lost(tile: Vector) -> None:
    """Write what damping took in a step from modes that nothing pushes as `step.lost_alone` does."""
    for j in range(LINE):
        before = tile[RATE + j] * tile[RATE + j] + tile[STIFF + j] * tile[PLACE + j] * tile[PLACE + j]
        after = tile[TRIED_RATE + j] * tile[TRIED_RATE + j]
        after += tile[STIFF + j] * tile[TRIED_PLACE + j] * tile[TRIED_PLACE + j]
        alone = tile[GAINED + j] - 0.5 * tile[MASS_OF + j] * (after - before)
        tile[LOST + j] += (1.0 - tile[PUSHED + j]) * (alone - tile[LOST + j])


def arrive_tile(tile: Vector) -> None:
    """Make the end of a step the present."""
    for j in range(LINE):
        tile[PLACE + j], tile[RATE + j] = tile[TRIED_PLACE + j], tile[TRIED_RATE + j]
        tile[STAGE + j], tile[CHANGES + j] = tile[LAST_STAGE + j], tile[END_CHANGES + j]
