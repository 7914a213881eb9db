"""Stops that act beyond a gap: one pushes, a hook pulls.

f = K min(d + g, 0),      f = K max(d − g, 0)
"""

from dataclasses import dataclass
from typing import ClassVar

from carom.joints.base import InternalSpring, register_joint
from carom.kernels.types import Vector
from carom.units import NONNEGATIVE, POSITIVE, Range

__all__ = ["GapStop", "HookStop"]

# numbers
STIFFNESS = 0  # K of the stop [N/m]
GAP = 1  # g [m]


def push(numbers: Vector, _memory: Vector, d: float, _rate: float, _after: Vector) -> tuple[float, float, float]:
    """Return the force of a stop [N] and its slopes."""
    beyond = min(d + numbers[GAP], 0.0)
    return numbers[STIFFNESS] * beyond, numbers[STIFFNESS] if beyond != 0.0 else 0.0, 0.0


def pull(numbers: Vector, _memory: Vector, d: float, _rate: float, _after: Vector) -> tuple[float, float, float]:
    """Return the force of a hook [N] and its slopes."""
    beyond = max(d - numbers[GAP], 0.0)
    return numbers[STIFFNESS] * beyond, numbers[STIFFNESS] if beyond != 0.0 else 0.0, 0.0


def stored_pushing(numbers: Vector, _memory: Vector, d: float) -> float:
    """Return ½K(d + g)² of a stop that pushes [J]."""
    return 0.5 * numbers[STIFFNESS] * min(d + numbers[GAP], 0.0) ** 2


def stored_pulling(numbers: Vector, _memory: Vector, d: float) -> float:
    """Return ½K(d − g)² of a hook that pulls [J]."""
    return 0.5 * numbers[STIFFNESS] * max(d - numbers[GAP], 0.0) ** 2


@register_joint
@dataclass(frozen=True)
class GapStop(InternalSpring):
    """A stop that pushes where the drift is below −gap."""

    gap: float
    """g [m], ≥ 0."""
    stiffness: float
    """Of the stop [N/m], > 0."""
    name: ClassVar[str] = "gap-stop"
    units: ClassVar[dict[str, tuple[str, Range]]] = {"gap": ("m", NONNEGATIVE), "stiffness": ("N/m", POSITIVE)}
    follow = staticmethod(push)
    stored = staticmethod(stored_pushing)

    def beside(self, k: float) -> tuple[float, ...]:
        """Return K and g; the storey's own stiffness does not enter."""
        return self.stiffness, self.gap


@register_joint
@dataclass(frozen=True)
class HookStop(GapStop):
    """A hook that pulls where the drift is above the gap."""

    name: ClassVar[str] = "hook-stop"
    follow = staticmethod(pull)
    stored = staticmethod(stored_pulling)
