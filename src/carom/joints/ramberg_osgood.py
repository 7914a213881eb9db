"""Ramberg and Osgood's curve (1943), and Masing's rule (1926) for what follows a reversal.

    skeleton   d/d_y = y (1 + η |y|^{r−1}),      y = f/f_y, f_y = k d_y

A branch from a reversal is the skeleton at twice its size. It ends where it meets the branch or skeleton that the
reversal left: a loop that closes is forgotten. Where more loops are open than the memory holds, the innermost is.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from carom.citation import Source
from carom.joints.base import InternalSpring, register_joint
from carom.kernels.types import Vector
from carom.units import NONNEGATIVE, POSITIVE, Range

__all__ = ["RambergOsgood"]

AT_LEAST_ONE = Range(1.0, 100.0, low_open=False, high_open=False)

# numbers
STIFFNESS = 0  # k [N/m]
LIMIT = 1  # d_y [m]
OFFSET = 2  # η
POWER = 3  # r
# memory
AT = 0  # d [m]
FORCE = 1  # f [N]
DIRECTION = 2  # of the last movement: 1, −1, or 0 before any
COUNT = 3  # reversals whose loops are still open, then drift and force of each
POINTS = 4
MOST_POINTS = 12


def level(x: float, offset: float, power: float) -> float:
    """Return y ≥ 0 with y + η yʳ = x: Newton's method from above, where the curve bends its way."""
    y = x
    if offset > 0.0 and x > 0.0:
        y = min(x, (x / offset) ** (1.0 / power))
        for _ in range(60):
            rest = offset * y ** (power - 1.0)
            step = (y + rest * y - x) / (1.0 + power * rest)
            y -= step
            if step <= 1e-15 * y:
                break
    return y


def open_loops(memory: Vector, d: float, sense: float) -> int:
    """Return how many reversals are open behind a drift, movement being in `sense` (1 or −1).

    One more than the memory counts: the point where the last step ended is a new one.
    """
    count = int(memory[COUNT])
    n = count + 1 if sense == -memory[DIRECTION] else count
    while n >= 2 and sense * (d - memory[POINTS + 2 * (n - 2)]) > 0.0:
        n -= 2
    if n == 1:
        first = memory[AT] if count == 0 else memory[POINTS]
        if sense * (d + first) > 0.0:
            n = 0
    return n


def remember(memory: Vector, n: int, after: Vector) -> None:
    """Write the `n` reversals that stay open."""
    count = int(memory[COUNT])
    for i in range(2 * min(n, count)):
        after[POINTS + i] = memory[POINTS + i]
    if n == count + 1:
        if n > MOST_POINTS:
            n -= 2
        after[POINTS + 2 * (n - 1)] = memory[AT]
        after[POINTS + 2 * (n - 1) + 1] = memory[FORCE]
    after[COUNT] = float(n)


def follow(numbers: Vector, memory: Vector, d: float, _rate: float, after: Vector) -> tuple[float, float, float]:
    """Return f − k·d [N] and its slopes."""
    count = int(memory[COUNT])
    sense, n = memory[DIRECTION], count
    if d != memory[AT]:
        sense = 1.0 if d > memory[AT] else -1.0
        n = open_loops(memory, d, sense)
    size, d0, f0 = 1.0, 0.0, 0.0
    if n > 0:
        size = 2.0
        d0, f0 = memory[AT], memory[FORCE]
        if n <= count:
            d0, f0 = memory[POINTS + 2 * (n - 1)], memory[POINTS + 2 * (n - 1) + 1]
    k = numbers[STIFFNESS]
    y = level(math.fabs(d - d0) / (size * numbers[LIMIT]), numbers[OFFSET], numbers[POWER])
    f = f0 + math.copysign(size * k * numbers[LIMIT] * y, d - d0)
    remember(memory, n, after)
    after[AT], after[FORCE], after[DIRECTION] = d, f, sense
    slope = k / (1.0 + numbers[OFFSET] * numbers[POWER] * y ** (numbers[POWER] - 1.0))
    return f - k * d, slope - k, 0.0


def stored(numbers: Vector, memory: Vector, d: float) -> float:
    """Return what can be had back beyond ½k d² [J], unloading at k."""
    return 0.5 * (memory[FORCE] * memory[FORCE] / numbers[STIFFNESS] - numbers[STIFFNESS] * d * d)


@register_joint
@dataclass(frozen=True)
class RambergOsgood(InternalSpring):
    """A curve without corner, d/d_y = y (1 + η |y|^{r−1}) with y = f/(k d_y), and Masing's rule for its loops."""

    yield_drift: float
    """d_y [m], > 0."""
    offset: float = 1.0
    """η [–], ≥ 0: the inelastic drift at f = k d_y, in yield drifts."""
    exponent: float = 5.0
    """r [–], from 1 to 100: how sharp the yielding."""
    name: ClassVar[str] = "ramberg-osgood"
    units: ClassVar[dict[str, tuple[str, Range]]] = {
        "yield_drift": ("m", POSITIVE), "offset": ("", NONNEGATIVE), "exponent": ("", AT_LEAST_ONE)
    }  # fmt: skip
    source: ClassVar[Source | None] = Source(
        reference="Ramberg W., Osgood W.R. (1943). Description of stress-strain curves by three parameters. NACA "
        "Technical Note 902.",
        equations="",
        verified="the curve and Masing's branches in closed form",
    )
    slots: ClassVar[int] = POINTS + 2 * MOST_POINTS
    follow = staticmethod(follow)
    stored = staticmethod(stored)

    def beside(self, k: float) -> tuple[float, ...]:
        """Return k, d_y, η and r."""
        return k, self.yield_drift, self.offset, self.exponent
