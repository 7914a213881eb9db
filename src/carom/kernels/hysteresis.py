"""Springs inside a structure that are not linear: what each adds to the elastic one, and its exact tangent.

    f = k d + r,      r = (1−α) k (z − d)  with a memory z of the path, or a stop that acts beyond a gap

The structure's modes carry k d; r acts like a contact force that never opens. The row of a spring is that of a contact
(`rows`) with the columns below behind it; in a contact's row they are zero.

Bilinear: z follows d within ±d_y, kinematic hardening α. Bouc-Wen: dz/dd = 1 − |z/d_y|ⁿ (γ + β sign(z dd)), β + γ = 1
(Bouc 1967, Wen 1976). Gap: pushes where d < −g; hook: pulls where d > g.
"""

import math

from carom.kernels.types import Vector

# columns behind a contact's row, counted from its end
KIND = 0
STIFFNESS = 1  # k of the elastic spring, or of the stop [N/m]
LIMIT = 2  # d_y, or the gap g [m]
SHARE = 3  # α
BETA = 4
GAMMA = 5
POWER = 6  # n
AT = 7  # the drift when the last step ended [m]
MEMORY = 8  # z then [m]
SPRING_SIZE = 9

NO_SPRING = 0.0
BILINEAR = 1.0
BOUC_WEN = 2.0
GAP_STOP = 3.0
HOOK_STOP = 4.0

STRIDE = 0.1  # of d_y: the longest stretch of Bouc-Wen's equation in one step of fourth order
MOST_STRIDES = 1000.0


def wen(row: Vector, base: int, z: float, direction: float) -> float:
    """Return dz/dd of Bouc-Wen's equation."""
    share = row[base + GAMMA]
    if z * direction > 0.0:
        share += row[base + BETA]
    elif z * direction < 0.0:
        share -= row[base + BETA]
    return 1.0 - math.fabs(z / row[base + LIMIT]) ** row[base + POWER] * share


def remembered(row: Vector, base: int, drift: float) -> tuple[float, float]:
    """Return z at a drift, on the path from the end of the last step, and dz/dd."""
    limit = row[base + LIMIT]
    if row[base + KIND] == BILINEAR:
        z = drift - row[base + AT] + row[base + MEMORY]
        if math.fabs(z) <= limit:
            return z, 1.0
        return math.copysign(limit, z), 0.0
    way = drift - row[base + AT]
    z = row[base + MEMORY]
    if way == 0.0:
        return z, wen(row, base, z, 1.0 if z >= 0.0 else -1.0)
    left = math.fabs(way)
    longest = max(STRIDE * limit, left / MOST_STRIDES)
    while left > 0.0:
        stride = min(left, longest)
        if z * way < 0.0:  # not far past z = 0, where the equation has a kink
            stride = min(stride, max(math.fabs(z), 1e-2 * longest))
        h = math.copysign(stride, way)
        a = wen(row, base, z, way)
        b = wen(row, base, z + 0.5 * h * a, way)
        c = wen(row, base, z + 0.5 * h * b, way)
        d = wen(row, base, z + h * c, way)
        z += h * (a + 2.0 * b + 2.0 * c + d) / 6.0
        left -= stride
    return z, wen(row, base, z, way)


def added_force(row: Vector, base: int, drift: float) -> tuple[float, float]:
    """Return r [N] at a drift, and dr/dd [N/m]."""
    kind, k, limit = row[base + KIND], row[base + STIFFNESS], row[base + LIMIT]
    if kind == GAP_STOP:
        return (k * (drift + limit), k) if drift < -limit else (0.0, 0.0)
    if kind == HOOK_STOP:
        return (k * (drift - limit), k) if drift > limit else (0.0, 0.0)
    z, slope = remembered(row, base, drift)
    weight = (1.0 - row[base + SHARE]) * k
    return weight * (z - drift), weight * (slope - 1.0)


def commit(row: Vector, base: int, drift: float) -> None:
    """End a step at this drift."""
    if row[base + KIND] == BILINEAR or row[base + KIND] == BOUC_WEN:
        row[base + MEMORY], _ = remembered(row, base, drift)
    row[base + AT] = drift
