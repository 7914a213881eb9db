"""Soil behind an abutment: it pushes back beyond a gap, keeps its set, and never pulls.

With x = d − g, p the farthest x so far and h the backbone:

    f = h(x) for x ≥ p,      f = max(0, h(p) − K_u (p − x)) for x < p
    h(x) = x / (1/K + R_f x / F_u), at most F_u               hyperbolic
    h(x) = K x, at most F_u                                    bilinear
"""

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

from carom.citation import Source
from carom.errors import refusal
from carom.joints.base import Joint, register_joint
from carom.kernels.types import Vector
from carom.units import NONNEGATIVE, POSITIVE, Range, number

__all__ = ["Backfill", "BilinearBackfill"]

# numbers
STIFFNESS = 0  # K [N/m]
CAPACITY = 1  # F_u [N]
GAP = 2  # g [m]
UNLOADING = 3  # K_u [N/m]
RATIO = 4  # R_f
# memory
FARTHEST = 0  # p [m]


def backbone(numbers: Vector, x: float) -> tuple[float, float]:
    """Return h(x) [N] and its slope; with R_f = 0 it is the bilinear one."""
    if x <= 0.0:
        return 0.0, 0.0
    soft = 1.0 / (1.0 + numbers[RATIO] * numbers[STIFFNESS] * x / numbers[CAPACITY])
    force = numbers[STIFFNESS] * x * soft
    if force >= numbers[CAPACITY]:
        return numbers[CAPACITY], 0.0
    return force, numbers[STIFFNESS] * soft * soft


def follow(numbers: Vector, memory: Vector, d: float, _rate: float, after: Vector) -> tuple[float, float, float]:
    """Return f [N] and its slopes."""
    x, farthest = d - numbers[GAP], memory[FARTHEST]
    after[FARTHEST] = max(farthest, x)
    if x >= farthest:
        force, slope = backbone(numbers, x)
        return force, slope, 0.0
    force, _ = backbone(numbers, farthest)
    force -= numbers[UNLOADING] * (farthest - x)
    if force <= 0.0:
        return 0.0, 0.0, 0.0
    return force, numbers[UNLOADING], 0.0


def stored(numbers: Vector, memory: Vector, d: float) -> float:
    """Return what unloading gives back: f²/(2K_u) [J]."""
    force, _ = backbone(numbers, memory[FARTHEST])
    force = max(force - numbers[UNLOADING] * (memory[FARTHEST] - d + numbers[GAP]), 0.0)
    return 0.5 * force * force / numbers[UNLOADING]


@dataclass(frozen=True)
class Soil(Joint):
    """What both backbones share."""

    stiffness: float
    """K [N/m], > 0: at first touch."""
    capacity: float
    """F_u [N], > 0: what the soil bears at most."""
    gap: float = 0.0
    """g [m], ≥ 0: how far it is away at rest."""
    unloading: float | None = None
    """K_u [N/m], ≥ K; None: K."""
    dimension: ClassVar[int] = 1
    slots: ClassVar[int] = 1
    follow = staticmethod(follow)
    stored = staticmethod(stored)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.unloading is not None and self.unloading < self.stiffness:
            raise refusal(
                "unloading", type(self).__name__, f"must be at least the stiffness {self.stiffness:g} N/m",
                self.unloading, "Soil that unloads more softly than it loads would give energy.",
            )  # fmt: skip

    def shared(self, parts: int) -> Self:
        """Return one of several equal parts that together are this soil, side by side along an abutment."""
        kept: dict[str, Any] = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        for name in ("stiffness", "capacity", "unloading"):
            kept[name] = None if kept[name] is None else kept[name] / parts
        return type(self)(**kept)

    def numbers(self) -> tuple[float, ...]:
        """Return K, F_u, the gap, K_u and R_f."""
        unloading = self.stiffness if self.unloading is None else self.unloading
        return self.stiffness, self.capacity, self.gap, unloading, self._ratio

    @property
    def _ratio(self) -> float:
        return 0.0


_UNITS: dict[str, tuple[str, Range]] = {
    "stiffness": ("N/m", POSITIVE), "capacity": ("N", POSITIVE), "gap": ("m", NONNEGATIVE),
    "unloading": ("N/m", POSITIVE),
}  # fmt: skip


@register_joint
@dataclass(frozen=True)
class Backfill(Soil):
    """Backfill with a hyperbolic backbone (Duncan and Mokwa 2001), a gap, and unloading along its first stiffness."""

    failure_ratio: float = 0.85
    """R_f [–], in [0, 1): capacity over the asymptote of the hyperbola; usual are 0.75 to 0.95."""
    name: ClassVar[str] = "backfill"
    units: ClassVar[dict[str, tuple[str, Range]]] = _UNITS | {
        "failure_ratio": ("", Range(0.0, 1.0, low_open=False, high_open=False))
    }
    source: ClassVar[Source | None] = Source(
        reference="Duncan J.M., Mokwa R.L. (2001). Passive earth pressures: theories and tests. Journal of "
        "Geotechnical and Geoenvironmental Engineering 127(3), 248-257.",
        equations="hyperbolic load and deflection",
        verified="closed form",
    )

    @property
    def _ratio(self) -> float:
        return self.failure_ratio


@register_joint
@dataclass(frozen=True)
class BilinearBackfill(Soil):
    """Backfill that is elastic up to its capacity, then yields: the abutment of the Seismic Design Criteria."""

    name: ClassVar[str] = "bilinear-backfill"
    units: ClassVar[dict[str, tuple[str, Range]]] = _UNITS

    @classmethod
    def caltrans(cls, *, width: Any, height: Any, gap: Any = 0.0) -> Self:
        """Return the soil behind a backwall of width w and height h [m], by Caltrans' Seismic Design Criteria 1.7.

        K = 28.70 kN/mm per metre · w · h/1.7 m and F_u = 239 kPa · w h · h/1.7 m, for fill that meets their
        specifications (its 7.8.1).
        """
        w, h = (
            number(value, "m", name=name, owner="BilinearBackfill.caltrans", within=POSITIVE)
            for name, value in (("width", width), ("height", height))
        )
        return cls(28.70e6 * w * h / 1.7, 239e3 * w * h * h / 1.7, gap)
