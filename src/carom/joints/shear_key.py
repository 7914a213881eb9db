"""A shear key: beyond a gap on both sides it holds up to its capacity, then it breaks.

f = K sign(d) max(|d| − g, 0) while |f| ≤ C; then friction r C along the broken face
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from carom.joints.base import Joint, register_joint
from carom.joints.ranges import UNIT_SHARE
from carom.kernels.types import Vector
from carom.units import NONNEGATIVE, POSITIVE, Range

__all__ = ["ShearKey"]

# numbers
STIFFNESS = 0  # K [N/m]
GAP = 1  # g [m]
CAPACITY = 2  # C [N]
LEFT = 3  # r C [N]
# memory
SLIP = 0  # s of the broken face [m]
BROKEN = 1  # 1 once it is


def follow(numbers: Vector, memory: Vector, d: float, _rate: float, after: Vector) -> tuple[float, float, float]:
    """Return f [N] and its slopes."""
    k = numbers[STIFFNESS]
    if memory[BROKEN] == 0.0:
        beyond = max(math.fabs(d) - numbers[GAP], 0.0)
        if k * beyond <= numbers[CAPACITY]:
            after[SLIP], after[BROKEN] = 0.0, 0.0
            return math.copysign(k * beyond, d), k if beyond > 0.0 else 0.0, 0.0
        force = math.copysign(numbers[LEFT], d)
        after[SLIP], after[BROKEN] = d - force / k, 1.0
        return force, 0.0, 0.0
    after[BROKEN] = 1.0
    trial = k * (d - memory[SLIP])
    if math.fabs(trial) <= numbers[LEFT]:
        after[SLIP] = memory[SLIP]
        return trial, k, 0.0
    force = math.copysign(numbers[LEFT], trial)
    after[SLIP] = d - force / k
    return force, 0.0, 0.0


def stored(numbers: Vector, memory: Vector, d: float) -> float:
    """Return what its spring holds [J]."""
    stretch = max(math.fabs(d) - numbers[GAP], 0.0) if memory[BROKEN] == 0.0 else d - memory[SLIP]
    return 0.5 * numbers[STIFFNESS] * stretch * stretch


@register_joint
@dataclass(frozen=True)
class ShearKey(Joint):
    """A key that holds a deck to both sides beyond a gap, until it shears off."""

    gap: float
    """g [m] to either side, ≥ 0."""
    stiffness: float
    """K [N/m], > 0."""
    capacity: float
    """C [N], > 0."""
    residual: float = 0.0
    """r [–]: the share of C that friction carries afterwards."""
    name: ClassVar[str] = "shear-key"
    units: ClassVar[dict[str, tuple[str, Range]]] = {
        "gap": ("m", NONNEGATIVE), "stiffness": ("N/m", POSITIVE), "capacity": ("N", POSITIVE),
        "residual": ("", UNIT_SHARE),
    }  # fmt: skip
    slots: ClassVar[int] = 2
    follow = staticmethod(follow)
    stored = staticmethod(stored)

    def numbers(self) -> tuple[float, ...]:
        """Return K, the gap, the capacity and what is left of it."""
        return self.stiffness, self.gap, self.capacity, self.residual * self.capacity
