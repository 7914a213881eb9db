"""A fixed bearing that breaks: stiff up to its capacity, then what friction is left.

f = k d while |f| ≤ C; then a return map at r C
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from carom.joints.base import Joint, register_joint
from carom.joints.ranges import UNIT_SHARE
from carom.kernels.types import Matrix, Vector
from carom.units import POSITIVE, Range

__all__ = ["FixedBearing"]

# numbers
STIFFNESS = 0  # k [N/m]
CAPACITY = 1  # C [N]
LEFT = 2  # r C [N]
# memory
SLIP = 0  # s, two components [m]
BROKEN = 2  # 1 once it is


def follow(
    numbers: Vector, memory: Vector, d: Vector, _rate: Vector, after: Vector, force: Vector, by_d: Matrix,
    by_rate: Matrix,
) -> None:  # fmt: skip
    """Write force [N] and slopes."""
    k, broken = numbers[STIFFNESS], memory[BROKEN]
    ex, ey = d[0] - memory[SLIP], d[1] - memory[SLIP + 1]
    trial = k * math.sqrt(ex * ex + ey * ey)
    limit = numbers[LEFT] if broken != 0.0 else numbers[CAPACITY]
    share, along, across = 1.0, 0.0, 0.0
    if trial > limit:
        broken, share = 1.0, numbers[LEFT] / trial
        along, across = k * ex / trial, k * ey / trial
    by_d[0, 0], by_d[1, 1] = k * share * (1.0 - along * along), k * share * (1.0 - across * across)
    by_d[0, 1] = -k * share * along * across
    by_d[1, 0] = by_d[0, 1]
    force[0], force[1] = k * share * ex, k * share * ey
    after[SLIP], after[SLIP + 1], after[BROKEN] = d[0] - share * ex, d[1] - share * ey, broken
    for i in range(2):
        by_rate[i, 0], by_rate[i, 1] = 0.0, 0.0


def stored(numbers: Vector, memory: Vector, d: Vector) -> float:
    """Return ½k|d − s|² [J]."""
    ex, ey = d[0] - memory[SLIP], d[1] - memory[SLIP + 1]
    return 0.5 * numbers[STIFFNESS] * (ex * ex + ey * ey)


@register_joint
@dataclass(frozen=True)
class FixedBearing(Joint):
    """A bearing or dowel that holds in both directions until it breaks, for good."""

    stiffness: float
    """k [N/m], > 0: of the dowel and what it stands in; some hundred times what it holds on to is rigid enough."""
    capacity: float
    """C [N], > 0: the resultant force at which it breaks."""
    residual: float = 0.0
    """r [–]: the share of C that friction carries afterwards."""
    name: ClassVar[str] = "fixed"
    units: ClassVar[dict[str, tuple[str, Range]]] = {
        "stiffness": ("N/m", POSITIVE), "capacity": ("N", POSITIVE), "residual": ("", UNIT_SHARE),
    }  # fmt: skip
    dimension: ClassVar[int] = 2
    slots: ClassVar[int] = 3
    follow = staticmethod(follow)
    stored = staticmethod(stored)

    def numbers(self) -> tuple[float, ...]:
        """Return k, the capacity and what is left of it."""
        return self.stiffness, self.capacity, self.residual * self.capacity
