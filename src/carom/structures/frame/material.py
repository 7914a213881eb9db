"""What members are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from carom.errors import refusal
from carom.structures.frame.fields import owner_of
from carom.units import NONNEGATIVE, POSITIVE, Range, number

__all__ = ["Material"]

POISSON = Range(low=-1.0, high=0.5, high_open=False)


@dataclass(frozen=True)
class Material:
    """Linear elastic, the same in all directions: E, G or ν, and density."""

    young: Any
    """E [N/m²]."""
    poisson: Any = None
    """ν [–]; give this or `shear`."""
    density: Any = 0.0
    """ρ [kg/m³]; 0: members without mass."""
    shear: Any = None
    """G [N/m²]; by default E/(2(1 + ν))."""
    name: str = ""

    def __post_init__(self) -> None:
        owner = owner_of("Material", self.name)
        put = object.__setattr__
        put(self, "young", number(self.young, "N/m^2", name="young", owner=owner, within=POSITIVE))
        put(self, "density", number(self.density, "kg/m^3", name="density", owner=owner, within=NONNEGATIVE))
        if (self.poisson is None) == (self.shear is None):
            raise refusal("poisson, shear", owner, "must be given, one of the two", (self.poisson, self.shear))
        if self.poisson is not None:
            put(self, "poisson", number(self.poisson, "", name="poisson", owner=owner, within=POISSON))
            put(self, "shear", self.young / (2.0 * (1.0 + self.poisson)))
        else:
            put(self, "shear", number(self.shear, "N/m^2", name="shear", owner=owner, within=POSITIVE))
            put(self, "poisson", 0.5 * self.young / self.shear - 1.0)

    @classmethod
    def steel(cls) -> Material:
        """Return structural steel by EN 1993-1-1, 3.2.6: E = 210 GPa, ν = 0.3; 7850 kg/m³."""
        return cls(210e9, 0.3, 7850.0, name="steel")

    @classmethod
    def concrete(cls, young: Any = 30e9) -> Material:
        """Return reinforced concrete, uncracked: E as given, ν = 0.2, 2500 kg/m³."""
        return cls(young, 0.2, 2500.0, name="concrete")

    def replace(self, **changes: Any) -> Material:
        """Return a copy with some numbers changed; of `poisson` and `shear` the one that is not given follows."""
        kept = {"young": self.young, "density": self.density, "name": self.name}
        ratio = {} if {"poisson", "shear"} & changes.keys() else {"poisson": self.poisson}
        return Material(**(kept | ratio | changes))
