"""Springs inside a structure that are not linear: what each adds to the elastic one, and its exact tangent.

    f = k d + r

The structure's modes carry k d; r acts like a contact force that never opens. A spring is a row of numbers: what its
rule needs, then what it remembers of its path.

Bilinear: r = (1−α) k (z − d), z follows d within ±d_y, kinematic hardening α. Bouc-Wen: the same r with
dz/dd = 1 − |z/d_y|ⁿ (γ + β sign(z dd)), β + γ = 1 (Bouc 1967, Wen 1976). Gap: pushes where d < −g; hook: pulls where
d > g. Ramberg-Osgood: `masing`. Takeda: `takeda`.
"""

import math

from carom.kernels.springs.masing import branch
from carom.kernels.springs.rows import (
    AT,
    BETA,
    BILINEAR,
    BOUC_WEN,
    GAMMA,
    GAP_STOP,
    HELD,
    KIND,
    LIMIT,
    POWER,
    RAMBERG_OSGOOD,
    SHARE,
    STIFFNESS,
    TAKEDA,
)
from carom.kernels.springs.takeda import keep_path, path, unloading
from carom.kernels.types import Vector

STRIDE = 0.1  # of d_y: the longest stretch of Bouc-Wen's equation in one step of fourth order
MOST_STRIDES = 1000.0


def wen(row: Vector, z: float, direction: float) -> float:
    """Return dz/dd of Bouc-Wen's equation."""
    share = row[GAMMA]
    if z * direction > 0.0:
        share += row[BETA]
    elif z * direction < 0.0:
        share -= row[BETA]
    return 1.0 - math.fabs(z / row[LIMIT]) ** row[POWER] * share


def bouc_wen(row: Vector, drift: float) -> tuple[float, float]:
    """Return z at a drift, on the path from the end of the last step, and dz/dd."""
    way = drift - row[AT]
    z = row[HELD]
    if way == 0.0:
        return z, wen(row, z, 1.0 if z >= 0.0 else -1.0)
    left = math.fabs(way)
    longest = max(STRIDE * row[LIMIT], left / MOST_STRIDES)
    while left > 0.0:
        stride = min(left, longest)
        if z * way < 0.0:  # not far past z = 0, where the equation has a kink
            stride = min(stride, max(math.fabs(z), 1e-2 * longest))
        h = math.copysign(stride, way)
        total, slope, reach = 0.0, 0.0, 0.0  # Runge and Kutta's classical method
        for stage in range(4):
            slope = wen(row, z + reach * slope, way)
            total += slope if stage in (0, 3) else 2.0 * slope
            reach = h if stage == 2 else 0.5 * h
        z += h * total / 6.0
        left -= stride
    return z, wen(row, z, way)


def follow_others(row: Vector, drift: float, keep: bool) -> tuple[float, float]:
    """Do what `follow` does, for springs that are not bilinear."""
    kind, k = row[KIND], row[STIFFNESS]
    held, r, slope = 0.0, 0.0, 0.0
    if kind == BOUC_WEN:
        held, slope = bouc_wen(row, drift)
        weight = (1.0 - row[SHARE]) * k
        r, slope = weight * (held - drift), weight * (slope - 1.0)
    elif kind == RAMBERG_OSGOOD:
        held, slope = branch(row, drift, keep)
        r, slope = held - k * drift, slope - k
    elif kind == TAKEDA:
        held, slope = path(row, drift)
        if keep:
            keep_path(row, drift, held)
        r, slope = held - k * drift, slope - k
    else:
        beyond = min(drift + row[LIMIT], 0.0) if kind == GAP_STOP else max(drift - row[LIMIT], 0.0)
        r, slope = k * beyond, k if beyond != 0.0 else 0.0
        held = r
    if keep:
        row[HELD] = held
        row[AT] = drift
    return r, slope


def follow(row: Vector, drift: float, keep: bool) -> tuple[float, float]:
    """Return r [N] at a drift, and dr/dd [N/m]; `keep`: a step ends there, and the spring remembers."""
    if row[KIND] != BILINEAR:
        return follow_others(row, drift, keep)
    apart, slope = row[HELD], 0.0
    weight = (1.0 - row[SHARE]) * row[STIFFNESS]
    z = drift + apart
    if math.fabs(z) > row[LIMIT]:
        apart, slope = math.copysign(row[LIMIT], z) - drift, -weight
    if keep:
        row[HELD] = apart
        row[AT] = drift
    return weight * apart, slope


def stored(row: Vector) -> float:
    """Return what can be had back beyond ½k d² where the last step ended [J].

    Bilinear and Bouc-Wen are an elastic spring αk beside one that slips, (1−α)k on z. Others are taken as unloading
    along the stiffness they have then.
    """
    kind, k, d, held = row[KIND], row[STIFFNESS], row[AT], row[HELD]
    if kind in (BILINEAR, BOUC_WEN):
        z = held + d if kind == BILINEAR else held
        return 0.5 * (1.0 - row[SHARE]) * k * (z * z - d * d)
    if kind == RAMBERG_OSGOOD:
        return 0.5 * (held * held / k - k * d * d)
    if kind == TAKEDA:
        return 0.5 * (held * held / unloading(row, held) - k * d * d)
    return 0.5 * held * held / k
