"""What a storey's spring does beyond its elastic stiffness: yielding, and stops that act beyond a gap."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from carom.units import NONNEGATIVE, POSITIVE, Range, number

__all__ = ["Bilinear", "BoucWen", "GapStop", "HookStop", "InternalSpring", "RambergOsgood", "Takeda"]

UNIT_SHARE = Range(0.0, 1.0, low_open=False, high_open=True)
TWO_SIDED = Range(-1.0, 1.0, low_open=False, high_open=False)
AT_LEAST_ONE = Range(1.0, 100.0, low_open=False, high_open=False)


@dataclass(frozen=True)
class InternalSpring(ABC):
    """What a storey carries besides k·d; `packed` is its row in the order of `carom.kernels.springs.rows`."""

    units: ClassVar[dict[str, tuple[str, Range]]]

    def __post_init__(self) -> None:
        for entry in fields(self):
            unit, within = self.units[entry.name]
            value: Any = number(
                getattr(self, entry.name), unit, name=entry.name, owner=type(self).__name__, within=within
            )
            object.__setattr__(self, entry.name, value)

    @abstractmethod
    def packed(self, stiffness: float) -> tuple[float, ...]:
        """Return kind, stiffness, limit, α, β (or η), γ and exponent, for a storey of stiffness k [N/m]."""


@dataclass(frozen=True)
class Bilinear(InternalSpring):
    """Elastic to the yield drift, then a share α of the stiffness: kinematic hardening, as OpenSees' Steel01."""

    yield_drift: float
    """d_y [m], > 0."""
    hardening: float = 0.0
    """α [–], the stiffness after yielding over that before."""
    units: ClassVar[dict[str, tuple[str, Range]]] = {"yield_drift": ("m", POSITIVE), "hardening": ("", UNIT_SHARE)}

    def packed(self, stiffness: float) -> tuple[float, ...]:
        """Return the row."""
        return (1.0, stiffness, self.yield_drift, self.hardening, 0.0, 0.0, 0.0)


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
    units: ClassVar[dict[str, tuple[str, Range]]] = {
        "yield_drift": ("m", POSITIVE), "hardening": ("", UNIT_SHARE), "beta": ("", TWO_SIDED),
        "exponent": ("", POSITIVE),
    }  # fmt: skip

    def packed(self, stiffness: float) -> tuple[float, ...]:
        """Return the row."""
        return (2.0, stiffness, self.yield_drift, self.hardening, self.beta, 1.0 - self.beta, self.exponent)


@dataclass(frozen=True)
class RambergOsgood(InternalSpring):
    """A curve without corner, d/d_y = y (1 + η |y|^{r−1}) with y = f/(k d_y), and Masing's rule for its loops."""

    yield_drift: float
    """d_y [m], > 0."""
    offset: float = 1.0
    """η [–], ≥ 0: the inelastic drift at f = k d_y, in yield drifts."""
    exponent: float = 5.0
    """r [–], from 1 to 100: how sharp the yielding."""
    units: ClassVar[dict[str, tuple[str, Range]]] = {
        "yield_drift": ("m", POSITIVE), "offset": ("", NONNEGATIVE), "exponent": ("", AT_LEAST_ONE)
    }  # fmt: skip

    def packed(self, stiffness: float) -> tuple[float, ...]:
        """Return the row."""
        return (5.0, stiffness, self.yield_drift, 0.0, self.offset, 0.0, self.exponent)


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
    units: ClassVar[dict[str, tuple[str, Range]]] = {
        "yield_drift": ("m", POSITIVE), "hardening": ("", UNIT_SHARE), "unloading": ("", UNIT_SHARE)
    }  # fmt: skip

    def packed(self, stiffness: float) -> tuple[float, ...]:
        """Return the row."""
        return (6.0, stiffness, self.yield_drift, self.hardening, 0.0, 0.0, self.unloading)


@dataclass(frozen=True)
class GapStop(InternalSpring):
    """A stop that pushes where the drift is below −gap."""

    gap: float
    """g [m], ≥ 0."""
    stiffness: float
    """Of the stop [N/m], > 0."""
    units: ClassVar[dict[str, tuple[str, Range]]] = {"gap": ("m", NONNEGATIVE), "stiffness": ("N/m", POSITIVE)}
    kind: ClassVar[float] = 3.0

    def packed(self, stiffness: float) -> tuple[float, ...]:
        """Return the row; the storey's own stiffness does not enter."""
        return (self.kind, self.stiffness, self.gap, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class HookStop(GapStop):
    """A hook that pulls where the drift is above the gap."""

    kind: ClassVar[float] = 4.0
