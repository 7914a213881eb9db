"""One mass on one spring."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from carom.errors import refusal
from carom.joints import InternalSpring, Joint
from carom.structures.base import one_of
from carom.structures.damped import Damped
from carom.structures.damping import Damping, Viscous
from carom.structures.matrices import Array, frozen
from carom.structures.one_mass import OneMass, stacked_masses, stacked_viscous
from carom.structures.stacked import StackedModes
from carom.units import NONNEGATIVE, POSITIVE, number

__all__ = ["Oscillator"]

_UNITS = {"stiffness": "N/m", "period": "s", "frequency": "Hz"}
_RANGES = {"mass": POSITIVE, **dict.fromkeys(_UNITS, POSITIVE), "damping_ratio": NONNEGATIVE, "damping": NONNEGATIVE}
"""Of the fields that many oscillators may have as arrays."""


@dataclass(frozen=True, eq=False, repr=False)
class Oscillator(OneMass, Damped):
    """A single-degree-of-freedom structure: m ü + c u̇ + k u = −m a_g.

    Give the mass, one of `stiffness`, `period` and `frequency`, and `damping_ratio` or `damping` (neither:
    undamped). What was given is what `replace` keeps: an oscillator given by its period keeps the period
    when its mass changes.

    Examples
    --------
    >>> import carom
    >>> tower = carom.Oscillator(mass="98 kg", frequency=5.04, damping_ratio="7.2 %", name="left")
    >>> round(tower.period, 4), tower.replace(mass=49.0).frequency
    (0.1984, 5.04)
    """

    mass: float
    """m [kg], > 0."""
    stiffness: float = None  # type: ignore[assignment]
    """k [N/m], > 0."""
    period: float = field(default=None, compare=False)  # type: ignore[assignment]
    """T = 2π√(m/k) [s]."""
    frequency: float = field(default=None, compare=False)  # type: ignore[assignment]
    """f = 1/T [Hz]."""
    damping_ratio: float | None = None
    """ζ = c/(2√(km)) [–], ≥ 0."""
    damping: float | Damping | None = None
    """c [N·s/m], ≥ 0."""
    name: str = ""
    spring: InternalSpring | None = None
    """What the spring does beyond k·u, such as `Bilinear`."""
    _given: str = field(default="", init=False, compare=False)

    def __post_init__(self) -> None:
        self._take_name()
        put = object.__setattr__
        mass = number(self.mass, "kg", name="mass", owner=self.owner, within=POSITIVE)
        given = one_of(self.owner, stiffness=self.stiffness, period=self.period, frequency=self.frequency)
        value = number(getattr(self, given), _UNITS[given], name=given, owner=self.owner, within=POSITIVE)
        if given == "stiffness":
            stiffness, frequency = value, math.sqrt(value / mass) / (2.0 * math.pi)
            period = 1.0 / frequency
        else:
            period, frequency = (value, 1.0 / value) if given == "period" else (1.0 / value, value)
            stiffness = mass * (2.0 * math.pi * frequency) ** 2
        if self.spring is not None and not isinstance(self.spring, InternalSpring):
            raise refusal("spring", self.owner, "must be a spring such as Bilinear(…), or None", self.spring)
        self._take_damping(1)
        damping: Any = self.damping
        if isinstance(damping, np.ndarray):
            put(self, "damping", float(damping[0, 0]))
        for name, quantity in (
            ("mass", mass), ("stiffness", stiffness), ("period", period), ("frequency", frequency), ("_given", given)
        ):  # fmt: skip
            put(self, name, quantity)
        self.modes()  # refuses a damping that cannot be

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some parameters changed; whichever of k, T, f was given stays as it was."""
        kept: dict[str, Any] = {name: getattr(self, name) for name in ("mass", "name", "spring")}
        if not changes.keys() & _UNITS.keys():
            kept[self._given] = getattr(self, self._given)
        if not changes.keys() & {"damping_ratio", "damping"}:
            kept |= {"damping_ratio": self.damping_ratio, "damping": self.damping}
        return type(self)(**(kept | changes))

    def stacked(self, count: int, changes: Mapping[str, Sequence[Any]]) -> StackedModes | None:
        """Return the modes of many such oscillators."""
        numbers = self._taken(changes, _RANGES)
        given = [name for name in _UNITS if name in changes] or [self._given]
        if numbers is None or len(given) > 1 or {"damping_ratio", "damping"} <= changes.keys():
            return None
        if any(values.ndim > 1 for values in numbers.values()):
            return None
        mass, value = (numbers.get(name, np.full(count, getattr(self, name))) for name in ("mass", *given))
        with np.errstate(over="ignore"):
            if given == ["stiffness"]:
                omega = np.sqrt(value / mass)
            else:
                omega = 2.0 * math.pi * (value if given == ["frequency"] else 1.0 / value)
            sound = (omega > 0.0) & np.isfinite(mass * omega**2)
        if not self._all_sound(changes, sound):
            return None
        sigma = self._stacked_sigma(mass, omega, numbers)
        return None if sigma is None else stacked_masses(mass, omega, sigma)

    def _stacked_sigma(self, mass: Array, omega: Array, numbers: Mapping[str, Array]) -> Array | None:
        """Return σ [1/s] of many such oscillators, shape (S,)."""
        given, ratios = self._resolved, numbers.get("damping_ratio")
        if "damping" in numbers:
            return stacked_viscous(mass, numbers["damping"])
        if ratios is None and isinstance(given, Viscous):
            return stacked_viscous(mass, np.full(mass.size, given.matrix[0, 0]))
        sigma = self._stacked_rates(omega[:, None], ratios)
        return None if sigma is None else sigma[:, 0]

    @property
    def springs(self) -> tuple[tuple[Array, Joint], ...]:
        """What acts beyond k·u, if anything."""
        return () if self.spring is None else ((frozen(np.ones((1, 1))), self.spring.bound_to(self.stiffness)),)

    def _eigen(self) -> tuple[Array, Array]:
        omega = math.sqrt(self.stiffness / self.mass) if self._given == "stiffness" else 2.0 * math.pi * self.frequency
        return np.array([omega]), np.array([[1.0 / math.sqrt(self.mass)]])

    def __repr__(self) -> str:
        parts = [f"mass={self.mass:g}", f"{self._given}={getattr(self, self._given):g}"]
        parts += [f"{n}={getattr(self, n)}" for n in ("damping_ratio", "damping") if getattr(self, n) is not None]
        parts += [f"spring={self.spring!r}"] if self.spring is not None else []
        parts += [f"name={self.name!r}"] if self.name else []
        return f"Oscillator({', '.join(parts)})"
