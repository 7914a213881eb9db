"""Bouc and Wen's smooth loop (Bouc 1967, Wen 1976).

f = αk d + (1−α) k z,      dz/dd = 1 − |z/d_y|ⁿ (γ + β sign(z dd)),      β + γ = 1
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from carom.citation import Source
from carom.joints.base import InternalSpring, register_joint
from carom.joints.ranges import UNIT_SHARE
from carom.kernels.types import Vector
from carom.units import POSITIVE, Range

__all__ = ["BoucWen"]

TWO_SIDED = Range(-1.0, 1.0, low_open=False, high_open=False)

# numbers
WEIGHT = 0  # (1−α) k [N/m]
LIMIT = 1  # d_y [m]
BETA = 2
GAMMA = 3
POWER = 4  # n
# memory
AT = 0  # d [m]
Z = 1  # z [m]

STRIDE = 0.1  # of d_y: the longest stretch of the equation in one step of fourth order
MOST_STRIDES = 1000.0  # in one step of the scheme


def wen(numbers: Vector, z: float, direction: float) -> float:
    """Return dz/dd."""
    share = numbers[GAMMA]
    if z * direction > 0.0:
        share += numbers[BETA]
    elif z * direction < 0.0:
        share -= numbers[BETA]
    return 1.0 - math.fabs(z / numbers[LIMIT]) ** numbers[POWER] * share


def integrate(numbers: Vector, memory: Vector, d: float) -> tuple[float, float]:
    """Return z at a drift, on the path from the end of the last step, and dz/dd."""
    way = d - memory[AT]
    z = memory[Z]
    if way == 0.0:
        return z, wen(numbers, z, 1.0 if z >= 0.0 else -1.0)
    left = math.fabs(way)
    longest = max(STRIDE * numbers[LIMIT], left / MOST_STRIDES)
    while left > 0.0:
        stride = min(left, longest)
        if z * way < 0.0:  # not far past z = 0, where the equation has a kink
            stride = min(stride, max(math.fabs(z), 1e-2 * longest))
        h = math.copysign(stride, way)
        total, slope, reach = 0.0, 0.0, 0.0  # Runge and Kutta's classical method
        for stage in range(4):
            slope = wen(numbers, z + reach * slope, way)
            total += slope if stage in (0, 3) else 2.0 * slope
            reach = h if stage == 2 else 0.5 * h
        z += h * total / 6.0
        left -= stride
    return z, wen(numbers, z, way)


def follow(numbers: Vector, memory: Vector, d: float, _rate: float, after: Vector) -> tuple[float, float, float]:
    """Return f − k·d [N] and its slopes."""
    z, slope = integrate(numbers, memory, d)
    after[AT], after[Z] = d, z
    return numbers[WEIGHT] * (z - d), numbers[WEIGHT] * (slope - 1.0), 0.0


def stored(numbers: Vector, memory: Vector, d: float) -> float:
    """Return what can be had back beyond ½k d² [J]: a spring αk beside one of (1−α)k, stretched by z."""
    return 0.5 * numbers[WEIGHT] * (memory[Z] * memory[Z] - d * d)


@register_joint
@dataclass(frozen=True)
class BoucWen(InternalSpring):
    """A smooth loop: f = αkd + (1−α)kz, dz/dd = 1 − |z/d_y|ⁿ (γ + β sign(z dd)), γ = 1 − β."""

    yield_drift: float
    """d_y [m], > 0: the largest |z|."""
    hardening: float = 0.0
    """α [–]."""
    beta: float = 0.5
    """β [–], from −1 to 1: how much fatter or thinner the loop is."""
    exponent: float = 1.0
    """n [–], > 0: how sharp the yielding."""
    name: ClassVar[str] = "bouc-wen"
    units: ClassVar[dict[str, tuple[str, Range]]] = {
        "yield_drift": ("m", POSITIVE), "hardening": ("", UNIT_SHARE), "beta": ("", TWO_SIDED),
        "exponent": ("", POSITIVE),
    }  # fmt: skip
    source: ClassVar[Source | None] = Source(
        reference="Wen Y.K. (1976). Method for random vibration of hysteretic systems. Journal of the Engineering "
        "Mechanics Division 102(EM2), 249-263.",
        equations="",
        verified="OpenSees' BoucWen, extrapolated; closed form for n = 1",
    )
    slots: ClassVar[int] = 2
    step_error: ClassVar[float] = 1e-5  # of Runge and Kutta's method
    follow = staticmethod(follow)
    stored = staticmethod(stored)

    def beside(self, k: float) -> tuple[float, ...]:
        """Return the weight of z, d_y, β, γ and n."""
        return (1.0 - self.hardening) * k, self.yield_drift, self.beta, 1.0 - self.beta, self.exponent
