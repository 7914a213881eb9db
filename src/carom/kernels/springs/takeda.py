"""Takeda's rule (Takeda, Sozen and Nielsen 1970) on a bilinear skeleton, as modified by Otani (1974): straight lines.

    unloading       stiffness k_u = k (d_y/d_max)^a from the farthest drift d_max on that side, down to f = 0
    beyond f = 0    straight to the farthest point of the other side, or to its yield point
    reloading       before f = 0: back up the same line to where unloading began, then on to the farthest point
    beyond it       the skeleton: k d to d_y, then αk

k_u is never softer than the line to the origin. Movements are judged as if they went upwards; those downwards are
mirrored.
"""

import math

from carom.kernels.springs.rows import (
    AT,
    DIRECTION,
    HELD,
    LIMIT,
    PEAK_DOWN,
    PEAK_UP,
    POWER,
    SHARE,
    STIFFNESS,
    TURN,
    TURN_FORCE,
)
from carom.kernels.types import Vector


def farthest(row: Vector, side: float) -> float:
    """Return the farthest drift on a side [m], at least d_y."""
    return max(row[PEAK_UP] if side > 0.0 else row[PEAK_DOWN], row[LIMIT])


def skeleton(row: Vector, drift: float) -> float:
    """Return f [N] beyond d_y."""
    return row[STIFFNESS] * (row[LIMIT] + row[SHARE] * (drift - row[LIMIT]))


def unloading(row: Vector, side: float) -> float:
    """Return k_u [N/m] on a side."""
    peak = farthest(row, side)
    return max(row[STIFFNESS] * (row[LIMIT] / peak) ** row[POWER], skeleton(row, peak) / peak)


def path(row: Vector, drift: float) -> tuple[float, float]:
    """Return f [N] at a drift, and df/dd [N/m]."""
    way = drift - row[AT]
    sense = row[DIRECTION] if way == 0.0 else 1.0 if way > 0.0 else -1.0
    if sense == 0.0:
        return row[HELD], row[STIFFNESS]
    x, d, f = sense * drift, sense * row[AT], sense * row[HELD]
    turn, turn_force = sense * row[TURN], sense * row[TURN_FORCE]
    if f < 0.0:
        slope = unloading(row, -sense)
        zero = d - f / slope
        if x <= zero:
            return sense * (f + slope * (x - d)), slope
        d, f = zero, 0.0
    elif turn > d and turn_force > f:
        slope = (turn_force - f) / (turn - d)
        if x <= turn:
            return sense * (f + slope * (x - d)), slope
        d, f = turn, turn_force
    peak = farthest(row, sense)
    if x < peak and d < peak:
        slope = (skeleton(row, peak) - f) / (peak - d)
        return sense * (f + slope * (x - d)), slope
    return sense * skeleton(row, x), row[SHARE] * row[STIFFNESS]


def keep_path(row: Vector, drift: float, f: float) -> None:
    """Remember what the path to this drift and force leaves behind; the caller notes where it ended."""
    if drift == row[AT]:
        return
    sense = 1.0 if drift > row[AT] else -1.0
    side = math.copysign(1.0, row[HELD])
    if row[HELD] * sense < 0.0 and row[DIRECTION] == -sense:  # unloading begins
        within = side * (row[TURN] - row[AT]) > 0.0 and side * (row[TURN_FORCE] - row[HELD]) > 0.0
        if not within:
            row[TURN], row[TURN_FORCE] = row[AT], row[HELD]
    if f * side < 0.0:  # the other side: nothing of this one is left to go back to
        row[TURN], row[TURN_FORCE] = drift, f
    if sense * drift > farthest(row, sense):
        row[PEAK_UP if sense > 0.0 else PEAK_DOWN] = sense * drift
    row[DIRECTION] = sense
