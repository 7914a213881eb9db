"""Elastic to a yield drift, then harder than nothing: the simplest yielding.

f = k d + (1−α) k (z − d),      z follows d within ±d_y
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from carom.joints.base import InternalSpring, register_joint
from carom.joints.ranges import UNIT_SHARE
from carom.kernels.types import Vector
from carom.units import POSITIVE, Range

__all__ = ["Bilinear"]

# numbers
WEIGHT = 0  # (1−α) k [N/m]: the spring that slips
LIMIT = 1  # d_y [m]
# memory
APART = 0  # z − d [m]


def follow(numbers: Vector, memory: Vector, d: float, _rate: float, after: Vector) -> tuple[float, float, float]:
    """Return f − k·d [N] and its slopes."""
    apart, slope = memory[APART], 0.0
    z = d + apart
    if math.fabs(z) > numbers[LIMIT]:
        apart, slope = math.copysign(numbers[LIMIT], z) - d, -numbers[WEIGHT]
    after[APART] = apart
    return numbers[WEIGHT] * apart, slope, 0.0


def stored(numbers: Vector, memory: Vector, d: float) -> float:
    """Return what can be had back beyond ½k d² [J]: a spring αk beside one of (1−α)k, stretched by z."""
    z = memory[APART] + d
    return 0.5 * numbers[WEIGHT] * (z * z - d * d)


@register_joint
@dataclass(frozen=True)
class Bilinear(InternalSpring):
    """Elastic to the yield drift, then a share α of the stiffness: kinematic hardening, as OpenSees' Steel01."""

    yield_drift: float
    """d_y [m], > 0."""
    hardening: float = 0.0
    """α [–], the stiffness after yielding over that before."""
    name: ClassVar[str] = "bilinear"
    units: ClassVar[dict[str, tuple[str, Range]]] = {"yield_drift": ("m", POSITIVE), "hardening": ("", UNIT_SHARE)}
    slots: ClassVar[int] = 1
    follow = staticmethod(follow)
    stored = staticmethod(stored)

    def beside(self, k: float) -> tuple[float, ...]:
        """Return the weight of what slips, and d_y."""
        return (1.0 - self.hardening) * k, self.yield_drift
