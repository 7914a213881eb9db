"""A sliding bearing: Coulomb's friction in the plane, by a return map, beside a restoring spring.

A spring k is stretched by e = d − s. While |k e| stays below the limit the bearing sticks. Beyond μ_s N it slides: s
follows so that |k e| = μ_k N along the stretch, until a step ends with less, and it sticks again.
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

ROUNDING = 1e-12
"""A share of the limit: a stretch so little below it slides on."""


def follow(
    numbers: Vector, memory: Vector, d: Vector, _rate: Vector, after: Vector, force: Vector, by_d: Matrix,
    by_rate: Matrix,
) -> None:  # fmt: skip
    """Write force [N] and slopes."""
    k, restoring = numbers[STIFFNESS], numbers[RESTORING]
    ex, ey = d[0] - memory[SLIP], d[1] - memory[SLIP + 1]
    trial = k * math.sqrt(ex * ex + ey * ey)
    limit = numbers[SLIDING] * (1.0 - ROUNDING) if memory[SLIDES] != 0.0 else numbers[BREAKAWAY]
    share, slides = 1.0, 0.0
    if trial > limit:
        share, slides = numbers[SLIDING] / trial, 1.0
    along, across = 0.0, 0.0
    if trial > 0.0 and slides != 0.0:
        along, across = k * ex / trial, k * ey / trial
    by_d[0, 0] = restoring + k * share * (1.0 - along * along)
    by_d[1, 1] = restoring + k * share * (1.0 - across * across)
    by_d[0, 1] = -k * share * along * across
    by_d[1, 0] = by_d[0, 1]
    force[0], force[1] = k * share * ex + restoring * d[0], k * share * ey + restoring * d[1]
    after[SLIP], after[SLIP + 1], after[SLIDES] = d[0] - share * ex, d[1] - share * ey, slides
    for i in range(2):
        by_rate[i, 0], by_rate[i, 1] = 0.0, 0.0


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
    slots: ClassVar[int] = 3
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
