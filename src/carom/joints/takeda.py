"""Takeda's rule (Takeda, Sozen and Nielsen 1970) on a bilinear skeleton, as modified by Otani (1974): straight lines.

    unloading       stiffness k_u = k (d_y/d_max)^a from the farthest drift d_max on that side, down to f = 0
    beyond f = 0    straight to the farthest point of the other side, or to its yield point
    reloading       before f = 0: back up the same line to where unloading began, then on to the farthest point
    beyond it       the skeleton: k d to d_y, then αk

k_u is never softer than the line to the origin. Movements are judged as if they went upwards; those downwards are
mirrored.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from carom.citation import Source
from carom.joints.base import InternalSpring, register_joint
from carom.joints.ranges import UNIT_SHARE
from carom.kernels.types import Vector
from carom.units import POSITIVE, Range

__all__ = ["Takeda"]

# numbers
STIFFNESS = 0  # k [N/m]
LIMIT = 1  # d_y [m]
SHARE = 2  # α
POWER = 3  # a
# memory
AT = 0  # d [m]
FORCE = 1  # f [N]
DIRECTION = 2  # of the last movement: 1, −1, or 0 before any
PEAK_UP = 3  # farthest drifts either way [m]
PEAK_DOWN = 4
TURN = 5  # where the last unloading began: drift [m] and force [N]
TURN_FORCE = 6


def farthest(numbers: Vector, memory: Vector, side: float) -> float:
    """Return the farthest drift on a side [m], at least d_y."""
    return max(memory[PEAK_UP] if side > 0.0 else memory[PEAK_DOWN], numbers[LIMIT])


def skeleton(numbers: Vector, d: float) -> float:
    """Return f [N] beyond d_y."""
    return numbers[STIFFNESS] * (numbers[LIMIT] + numbers[SHARE] * (d - numbers[LIMIT]))


def unloading(numbers: Vector, memory: Vector, side: float) -> float:
    """Return k_u [N/m] on a side."""
    peak = farthest(numbers, memory, side)
    return max(numbers[STIFFNESS] * (numbers[LIMIT] / peak) ** numbers[POWER], skeleton(numbers, peak) / peak)


def path(numbers: Vector, memory: Vector, drift: float) -> tuple[float, float]:
    """Return f [N] at a drift, and df/dd [N/m]."""
    way = drift - memory[AT]
    sense = memory[DIRECTION] if way == 0.0 else 1.0 if way > 0.0 else -1.0
    if sense == 0.0:
        return memory[FORCE], numbers[STIFFNESS]
    x, d, f = sense * drift, sense * memory[AT], sense * memory[FORCE]
    turn, turn_force = sense * memory[TURN], sense * memory[TURN_FORCE]
    if f < 0.0:
        slope = unloading(numbers, memory, -sense)
        zero = d - f / slope
        if x <= zero:
            return sense * (f + slope * (x - d)), slope
        d, f = zero, 0.0
    elif turn > d and turn_force > f:
        slope = (turn_force - f) / (turn - d)
        if x <= turn:
            return sense * (f + slope * (x - d)), slope
        d, f = turn, turn_force
    peak = farthest(numbers, memory, sense)
    if x < peak and d < peak:
        slope = (skeleton(numbers, peak) - f) / (peak - d)
        return sense * (f + slope * (x - d)), slope
    return sense * skeleton(numbers, x), numbers[SHARE] * numbers[STIFFNESS]


def remember(numbers: Vector, memory: Vector, d: float, f: float, after: Vector) -> None:
    """Write what the path to this drift and force leaves behind."""
    at, held, direction = memory[AT], memory[FORCE], memory[DIRECTION]
    up, down, turn, turn_force = memory[PEAK_UP], memory[PEAK_DOWN], memory[TURN], memory[TURN_FORCE]
    if d != at:
        sense, side = (1.0 if d > at else -1.0), math.copysign(1.0, held)
        if held * sense < 0.0 and direction == -sense:  # unloading begins
            within = side * (turn - at) > 0.0 and side * (turn_force - held) > 0.0
            if not within:
                turn, turn_force = at, held
        if f * side < 0.0:  # the other side: nothing of this one is left to go back to
            turn, turn_force = d, f
        if sense > 0.0 and d > max(up, numbers[LIMIT]):
            up = d
        elif sense < 0.0 and -d > max(down, numbers[LIMIT]):
            down = -d
        direction = sense
    after[AT], after[FORCE], after[DIRECTION] = d, f, direction
    after[PEAK_UP], after[PEAK_DOWN], after[TURN], after[TURN_FORCE] = up, down, turn, turn_force


def follow(numbers: Vector, memory: Vector, d: float, _rate: float, after: Vector) -> tuple[float, float, float]:
    """Return f − k·d [N] and its slopes."""
    f, slope = path(numbers, memory, d)
    remember(numbers, memory, d, f, after)
    return f - numbers[STIFFNESS] * d, slope - numbers[STIFFNESS], 0.0


def stored(numbers: Vector, memory: Vector, d: float) -> float:
    """Return what can be had back beyond ½k d² [J], unloading at k_u."""
    held = memory[FORCE]
    return 0.5 * (held * held / unloading(numbers, memory, held) - numbers[STIFFNESS] * d * d)


@register_joint
@dataclass(frozen=True)
class Takeda(InternalSpring):
    """Reinforced concrete: bilinear at first, then softer the farther it went; loops aim at the farthest point.

    Takeda's rule (1970) on a bilinear skeleton, as modified by Otani (1974).
    """

    yield_drift: float
    """d_y [m], > 0."""
    hardening: float = 0.0
    """α [–], the stiffness after yielding over that before."""
    unloading: float = 0.4
    """a [–]: the unloading stiffness is k (d_y/d_max)^a."""
    name: ClassVar[str] = "takeda"
    units: ClassVar[dict[str, tuple[str, Range]]] = {
        "yield_drift": ("m", POSITIVE), "hardening": ("", UNIT_SHARE), "unloading": ("", UNIT_SHARE)
    }  # fmt: skip
    source: ClassVar[Source | None] = Source(
        reference="Takeda T., Sozen M.A., Nielsen N.N. (1970). Reinforced concrete response to simulated earthquakes. "
        "Journal of the Structural Division 96(ST12), 2557-2573.",
        equations="",
        verified="OpenSees' Hysteretic; lines by hand",
    )
    slots: ClassVar[int] = 7
    follow = staticmethod(follow)
    stored = staticmethod(stored)

    def beside(self, k: float) -> tuple[float, ...]:
        """Return k, d_y, α and a."""
        return k, self.yield_drift, self.hardening, self.unloading
