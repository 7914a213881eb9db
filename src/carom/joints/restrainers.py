"""Stops of a bearing along two directions, each beyond a gap on both sides.

f = K sign(d) max(|d| − g, 0)
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from carom.joints.base import Joint, register_joint
from carom.kernels.types import Matrix, Vector
from carom.units import NONNEGATIVE, POSITIVE, Range

__all__ = ["BearingStops"]

# numbers
STIFFNESS = 0  # K [N/m]
GAP = 1  # g along both directions [m]


def follow(
    numbers: Vector, _memory: Vector, d: Vector, _rate: Vector, _after: Vector, force: Vector, by_d: Matrix,
    by_rate: Matrix,
) -> None:  # fmt: skip
    """Write force [N] and slopes."""
    for i in range(2):
        beyond = max(math.fabs(d[i]) - numbers[GAP + i], 0.0)
        force[i] = numbers[STIFFNESS] * math.copysign(beyond, d[i])
        by_d[i, i], by_d[i, 1 - i] = numbers[STIFFNESS] if beyond > 0.0 else 0.0, 0.0
        by_rate[i, 0], by_rate[i, 1] = 0.0, 0.0


def stored(numbers: Vector, _memory: Vector, d: Vector) -> float:
    """Return ½K(|d| − g)² of both directions [J]."""
    total = 0.0
    for i in range(2):
        total += max(math.fabs(d[i]) - numbers[GAP + i], 0.0) ** 2
    return 0.5 * numbers[STIFFNESS] * total


@register_joint
@dataclass(frozen=True)
class BearingStops(Joint):
    """Stops on all four sides of a bearing, which hold for good."""

    gap: float
    """g [m] along the first direction, ≥ 0."""
    stiffness: float
    """K [N/m] of the stops, > 0."""
    across: float | None = None
    """g [m] along the second direction, ≥ 0; None: as along the first."""
    name: ClassVar[str] = "stops"
    units: ClassVar[dict[str, tuple[str, Range]]] = {
        "gap": ("m", NONNEGATIVE), "stiffness": ("N/m", POSITIVE), "across": ("m", NONNEGATIVE),
    }  # fmt: skip
    dimension: ClassVar[int] = 2
    follow = staticmethod(follow)
    stored = staticmethod(stored)

    def numbers(self) -> tuple[float, ...]:
        """Return K and both gaps."""
        return self.stiffness, self.gap, self.gap if self.across is None else self.across
