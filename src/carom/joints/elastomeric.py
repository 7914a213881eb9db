"""An elastomeric bearing: a pad that shears along two directions, with a dashpot.

f = k d + c ḋ
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from carom.joints.base import Joint, register_joint
from carom.kernels.types import Matrix, Vector
from carom.units import NONNEGATIVE, POSITIVE, Range, number

__all__ = ["Elastomeric"]

# numbers
ALONG = 0  # k of the first row [N/m]
ACROSS = 1  # k of the second row [N/m]
DASHPOT = 2  # c of both [N·s/m]


def follow(
    numbers: Vector, _memory: Vector, d: Vector, rate: Vector, _after: Vector, force: Vector, by_d: Matrix,
    by_rate: Matrix,
) -> None:  # fmt: skip
    """Write force [N] and slopes."""
    for i in range(2):
        force[i] = numbers[ALONG + i] * d[i] + numbers[DASHPOT] * rate[i]
        by_d[i, i], by_d[i, 1 - i] = numbers[ALONG + i], 0.0
        by_rate[i, i], by_rate[i, 1 - i] = numbers[DASHPOT], 0.0


def stored(numbers: Vector, _memory: Vector, d: Vector) -> float:
    """Return ½k d² of both directions [J]."""
    return 0.5 * (numbers[ALONG] * d[0] * d[0] + numbers[ACROSS] * d[1] * d[1])


@register_joint
@dataclass(frozen=True)
class Elastomeric(Joint):
    """A pad of rubber: shear stiffness along two directions, and a dashpot.

    >>> import carom
    >>> carom.joints.Elastomeric.of_pad(shear_modulus="1 MPa", area="0.16 m^2", thickness="8 cm").stiffness
    2000000.0
    """

    stiffness: float
    """k [N/m] along the first direction, > 0."""
    damping: float = 0.0
    """c [N·s/m] along both, ≥ 0."""
    across: float | None = None
    """k [N/m] along the second direction, ≥ 0; None: as along the first."""
    name: ClassVar[str] = "elastomeric"
    units: ClassVar[dict[str, tuple[str, Range]]] = {
        "stiffness": ("N/m", POSITIVE), "damping": ("N*s/m", NONNEGATIVE), "across": ("N/m", NONNEGATIVE),
    }  # fmt: skip
    dimension: ClassVar[int] = 2
    rate_dependent: ClassVar[bool] = True
    follow = staticmethod(follow)
    stored = staticmethod(stored)

    @classmethod
    def of_pad(cls, *, shear_modulus: Any, area: Any, thickness: Any, damping: Any = 0.0) -> Self:
        """Return the bearing of shear modulus G [Pa], area A [m²] and total rubber thickness t [m]: k = G A / t."""
        sizes = {"shear_modulus": (shear_modulus, "Pa"), "area": (area, "m^2"), "thickness": (thickness, "m")}
        g, a, t = (
            number(value, unit, name=name, owner=cls.__name__, within=POSITIVE) for name, (value, unit) in sizes.items()
        )
        return cls(g * a / t, damping)

    def numbers(self) -> tuple[float, ...]:
        """Return both stiffnesses and the dashpot."""
        return self.stiffness, self.stiffness if self.across is None else self.across, self.damping
