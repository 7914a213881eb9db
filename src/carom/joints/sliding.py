"""A sliding bearing: Coulomb's friction in the plane, exact along a straight path, beside a restoring spring.

A spring k is stretched by e = d − s. While |k e| stays below μ_s N the bearing sticks. Beyond, it slides: |k e| = μ_k N
= k R, and s follows along e, so that on a straight path of direction û the angle α between e and û falls as

    dα/dσ = −sin α / R,      tan(α/2) = tan(α₀/2) exp(−σ/R)

with the way σ that is gone. It sticks again where the path turns back against e. A return map that scales e at the end
of the path would be an error of first order wherever the direction of sliding turns.
"""

import math
from dataclasses import dataclass
from typing import ClassVar, Self

from carom.errors import InputError, refusal
from carom.joints.base import Joint, register_joint
from carom.kernels.types import Matrix, Vector
from carom.units import NONNEGATIVE, POSITIVE, Range, number

__all__ = ["SlidingBearing"]

# numbers
STIFFNESS = 0  # k before sliding [N/m]
BREAKAWAY = 1  # μ_s N [N]
SLIDING = 2  # μ_k N [N]
RESTORING = 3  # [N/m]
# memory
SLIP = 0  # s, two components [m]
SLIDES = 2  # 1 while it slides
AT = 3  # d where the last step ended, two components [m]

LEAST = 1e-9
"""Ways shorter than this share of R turn no direction."""


def follow(
    numbers: Vector, memory: Vector, d: Vector, _rate: Vector, after: Vector, force: Vector, by_d: Matrix,
    by_rate: Matrix,
) -> None:  # fmt: skip
    """Write force [N] and slopes."""
    k, restoring = numbers[STIFFNESS], numbers[RESTORING]
    ex, ey = memory[AT] - memory[SLIP], memory[AT + 1] - memory[SLIP + 1]
    ux, uy = d[0] - memory[AT], d[1] - memory[AT + 1]
    way = math.sqrt(ux * ux + uy * uy)
    hold, radius = numbers[BREAKAWAY] / k, numbers[SLIDING] / k
    at_once = memory[SLIDES] != 0.0 and ex * ux + ey * uy >= 0.0
    by_d[0, 0], by_d[0, 1], by_d[1, 0], by_d[1, 1] = k + restoring, 0.0, 0.0, k + restoring
    slides = 1.0 if at_once else 0.0
    fx, fy = ex + ux, ey + uy
    if way <= LEAST * radius:
        if at_once:
            fx, fy = ex, ey
    elif at_once or fx * fx + fy * fy > hold * hold:
        slides = 1.0
        fx, fy = slide(numbers, ex, ey, ux / way, uy / way, way, at_once, by_d)
    force[0], force[1] = k * fx + restoring * d[0], k * fy + restoring * d[1]
    after[SLIP], after[SLIP + 1], after[SLIDES] = d[0] - fx, d[1] - fy, slides
    after[AT], after[AT + 1] = d[0], d[1]
    for i in range(2):
        by_rate[i, 0], by_rate[i, 1] = 0.0, 0.0


def slide(
    numbers: Vector, ex: float, ey: float, ux: float, uy: float, way: float, at_once: bool, by_d: Matrix
) -> tuple[float, float]:
    """Return the stretch at the end of a path in direction u on which the bearing slides, and write slopes.

    Where it does not slide at once, it is the spring's until the stretch reaches what holds.
    """
    k, hold, radius = numbers[STIFFNESS], numbers[BREAKAWAY] / numbers[STIFFNESS], numbers[SLIDING] / numbers[STIFFNESS]
    along, across = ex * ux + ey * uy, ey * ux - ex * uy
    free, by_turn, turns = 0.0, 0.0, 0.0  # the way to the limit; what it and the angle there change by, as u turns
    if not at_once:
        free = math.sqrt(max(along * along + hold * hold - ex * ex - ey * ey, 0.0)) - along
        free = min(max(free, 0.0), way)
        along += free
        reached = along * along + across * across
        by_turn = -free * across / along if along > 0.0 else 0.0
        turns = free * along / reached - by_turn * across / reached if reached > 0.0 else 0.0
    size = math.sqrt(along * along + across * across)
    by_d[0, 0], by_d[0, 1], by_d[1, 0], by_d[1, 1] = numbers[RESTORING], 0.0, 0.0, numbers[RESTORING]
    if radius == 0.0 or size == 0.0:
        return 0.0, 0.0
    half = across / (size + along)  # tan(α/2) where it begins to slide, and where the path ends
    fades = math.exp(-(way - free) / radius)
    end = half * fades
    cosine, sine = (1.0 - end * end) / (1.0 + end * end), 2.0 * end / (1.0 + end * end)
    fx, fy = radius * (cosine * ux - sine * uy), radius * (cosine * uy + sine * ux)
    steep = fades * (1.0 + half * half) / (1.0 + end * end)
    fall = 2.0 * end / (1.0 + end * end) / radius
    turn = (1.0 + steep * (turns - 1.0) + fall * by_turn) / way
    px, py = -uy * turn - fall * ux, ux * turn - fall * uy  # how the direction of the stretch turns with d
    by_d[0, 0] -= k * fy * px
    by_d[0, 1] -= k * fy * py
    by_d[1, 0] += k * fx * px
    by_d[1, 1] += k * fx * py
    return fx, fy


def stored(numbers: Vector, memory: Vector, d: Vector) -> float:
    """Return what both springs hold [J]."""
    ex, ey = d[0] - memory[SLIP], d[1] - memory[SLIP + 1]
    return 0.5 * (numbers[STIFFNESS] * (ex * ex + ey * ey) + numbers[RESTORING] * (d[0] * d[0] + d[1] * d[1]))


@register_joint
@dataclass(frozen=True)
class SlidingBearing(Joint):
    """A bearing that slides in the plane under Coulomb's friction, at a normal force that stays as it is.

    Before sliding it gives way by a spring k; typical bearings slide after a millimetre or two.
    """

    friction: float
    """μ_k [–], ≥ 0: PTFE on steel 0.03 to 0.12, elastomer on concrete 0.2 to 0.4."""
    stiffness: float
    """k [N/m] before it slides, > 0."""
    normal: float | None = None
    """N [N], > 0; None: its share of the weight of the deck on it."""
    static: float | None = None
    """μ_s [–], ≥ μ_k; None: as μ_k."""
    restoring: float = 0.0
    """[N/m], ≥ 0: of a spherical bearing N/R."""
    name: ClassVar[str] = "sliding"
    units: ClassVar[dict[str, tuple[str, Range]]] = {
        "friction": ("", NONNEGATIVE), "stiffness": ("N/m", POSITIVE), "normal": ("N", POSITIVE),
        "static": ("", NONNEGATIVE), "restoring": ("N/m", NONNEGATIVE),
    }  # fmt: skip
    dimension: ClassVar[int] = 2
    slots: ClassVar[int] = 5
    follow = staticmethod(follow)
    stored = staticmethod(stored)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.static is not None and self.static < self.friction:
            raise refusal(
                "static", "SlidingBearing", f"must be at least the kinetic coefficient {self.friction:g}", self.static,
                "A bearing that slides more heavily than it starts would never start. Exchange the two.",
            )  # fmt: skip

    def bearing(self, weight: float | str) -> Self:
        """Return the same bearing under a weight [N], where its normal force is not given."""
        if self.normal is not None:
            return self
        given = number(weight, "N", name="weight", owner="SlidingBearing", within=POSITIVE)
        return type(self)(self.friction, self.stiffness, given, self.static, self.restoring)

    def numbers(self) -> tuple[float, ...]:
        """Return k, both limits and the restoring stiffness."""
        if self.normal is None:
            raise InputError(
                "SlidingBearing does not know its normal force. Give `normal`, or put it under a deck, whose weight "
                "it then carries together with the other bearings."
            )
        most = self.friction if self.static is None else self.static
        return self.stiffness, most * self.normal, self.friction * self.normal, self.restoring
