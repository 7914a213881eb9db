"""How a structure loses energy by itself: ratios per mode, Rayleigh, Caughey, or an explicit matrix.

Classical damping leaves the modes uncoupled and is one rate per mode, σ = ζω, with modal equations
q̈ + 2σ q̇ + ω² q = … An explicit matrix is classical where ΦᵀCΦ is diagonal, and couples the modes elsewhere.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.errors import InputError, refusal
from carom.structures.matrices import Array, square
from carom.units import NONNEGATIVE, POSITIVE, array, number

__all__ = ["Caughey", "Damping", "Ratios", "Rayleigh", "Viscous", "damping_from"]


class Damping(ABC):
    """Classical damping: a rate of decay for each mode, from the modes' frequencies."""

    @abstractmethod
    def rates(self, omega: Array, owner: str) -> Array:
        """Return σ = ζω [1/s] for modes of circular frequency `omega` [rad/s], lowest first."""

    def lowest_rates(self, omega: Array, owner: str) -> Array:
        """Return the same for modes that are only the lowest of a structure's."""
        return self.rates(omega, owner)

    def rates_beside(self, omega: Array, modes: Array, owner: str) -> Array:
        """Return the same for shapes that are no modes, of a structure with `modes` (the lowest at least)."""
        return self.rates(omega, owner)

    def stacked_rates(self, omega: Array, owner: str) -> Array:
        """Return the same for many structures, a row of `omega` each."""
        return np.stack([self.rates(row, owner) for row in omega])


@dataclass(frozen=True)
class Ratios(Damping):
    """A damping ratio ζ for every mode: one for all, or a list, lowest mode first."""

    values: tuple[float, ...]

    def rates(self, omega: Array, owner: str) -> Array:
        """Return ζω."""
        modes = omega.shape[-1]
        if len(self.values) not in (1, modes):
            raise refusal(
                "damping_ratio", owner, f"must be one number, or one for each of its {modes} modes", list(self.values)
            )
        return np.asarray(self.values) * omega

    def lowest_rates(self, omega: Array, owner: str) -> Array:
        """Return ζω with the first of the ratios."""
        found: Array = np.broadcast_to(self.values[: omega.size], omega.shape) * omega
        return found

    def rates_beside(self, omega: Array, modes: Array, owner: str) -> Array:
        """Return ζω with the ratio of the mode nearest in frequency."""
        nearest = np.abs(omega[:, None] - modes).argmin(axis=1)
        found: Array = np.broadcast_to(self.values[: modes.size], modes.shape)[nearest] * omega
        return found

    stacked_rates = rates


@dataclass(frozen=True)
class Rayleigh(Damping):
    """C = α M + β K, so that ζ = α/(2ω) + βω/2.

    The ratio grows without bound towards high and (where α > 0) low frequencies; a rigid mode decays at α/2.
    """

    alpha: float
    """α [1/s], ≥ 0."""
    beta: float
    """β [s], ≥ 0."""

    def __post_init__(self) -> None:
        for name, unit in (("alpha", "1/s"), ("beta", "s")):
            value = number(
                getattr(self, name), unit, name=name, owner="Rayleigh", within=NONNEGATIVE,
                way_out="A negative one would feed energy into some modes.",
            )  # fmt: skip
            object.__setattr__(self, name, value)

    @classmethod
    def from_ratios(
        cls, ratios: object, *, frequencies: object = None, periods: object = None, modes: object = None
    ) -> Damping:
        """Return the damping with these ratios at two frequencies [Hz], two periods [s] or two modes, from 1.

        One ratio counts for both. With `modes` the frequencies are those of the structure that it is given to.
        """
        anchored = Caughey(ratios, frequencies=frequencies, periods=periods, modes=modes)
        if len(anchored.ratios) != 2:
            raise refusal(
                "ratios", "Rayleigh.from_ratios", "must meet two frequencies, periods or modes", ratios,
                "Use Caughey for more.",
            )  # fmt: skip
        if anchored.modes is not None:
            return anchored
        (w1, w2), (z1, z2) = anchored.anchors(np.empty(0), "Rayleigh.from_ratios"), anchored.ratios
        scale = 2.0 / ((w2 - w1) * (w2 + w1))
        return cls(alpha=scale * w1 * w2 * (z1 * w2 - z2 * w1), beta=scale * (z2 * w2 - z1 * w1))

    def rates(self, omega: Array, owner: str) -> Array:
        """Return (α + βω²)/2."""
        return 0.5 * (self.alpha + self.beta * omega**2)

    stacked_rates = rates


@dataclass(frozen=True, init=False)
class Caughey(Damping):
    """C = M Σ aᵢ (M⁻¹K)ⁱ: given ratios at any number of frequencies, with as many terms of the series.

    2σ is the polynomial in ω² through the given points; it is evaluated as Lagrange's interpolation, never
    through the ill-conditioned coefficients. With two points this is Rayleigh's damping. Away from the
    points the polynomial may turn negative, and is then refused: give the highest mode a ratio too.
    """

    ratios: tuple[float, ...]
    """ζ at the points, > 0."""
    frequencies: tuple[float, ...] | None
    """The points [Hz], where given as frequencies or periods."""
    modes: tuple[int, ...] | None
    """The points as numbers of modes, from 1."""

    def __init__(
        self, ratios: object, *, frequencies: object = None, periods: object = None, modes: object = None
    ) -> None:
        owner = "Caughey"
        if sum(points is not None for points in (frequencies, periods, modes)) != 1:
            raise InputError("Caughey needs exactly one of `frequencies` [Hz], `periods` [s] and `modes` (from 1).")
        put = object.__setattr__
        if modes is not None:
            points: tuple[Any, ...] = mode_numbers(modes, owner)
            put(self, "modes", points)
            put(self, "frequencies", None)
        else:
            name, unit = ("frequencies", "Hz") if periods is None else ("periods", "s")
            given = frequencies if periods is None else periods
            values = np.atleast_1d(array(given, unit, name=name, owner=owner, within=POSITIVE))
            points = tuple((values if periods is None else 1.0 / values).tolist())
            put(self, "modes", None)
            put(self, "frequencies", points)
        if len(set(points)) < len(points):
            raise refusal("modes" if modes is not None else "frequencies", owner, "must differ", points)
        zeta = np.atleast_1d(array(ratios, "", name="ratios", owner=owner, within=NONNEGATIVE))
        if zeta.ndim != 1 or zeta.size not in (1, len(points)):
            raise refusal("ratios", owner, f"must be one number, or one for each of {len(points)} points", ratios)
        put(self, "ratios", tuple(np.broadcast_to(zeta, len(points)).tolist()))

    def anchors(self, omega: Array, owner: str) -> Array:
        """Return the circular frequencies [rad/s] of the points, for a structure's modes `omega`."""
        if self.modes is None:
            return 2.0 * math.pi * np.asarray(self.frequencies)
        if max(self.modes) > omega.size:
            raise refusal("modes", f"the damping of {owner}", f"must lie in 1…{omega.size}", self.modes)
        found: Array = omega[np.asarray(self.modes) - 1]
        if np.unique(found).size < found.size:
            raise refusal(
                "modes", f"the damping of {owner}", "must have different frequencies", self.modes,
                "Leave out all but one of them.",
            )  # fmt: skip
        return found

    def rates(self, omega: Array, owner: str) -> Array:
        """Return the interpolating polynomial in ω², exact at the points."""
        sigma = self._polynomial(omega, self.anchors(omega, owner))
        lowest = int(np.argmin(sigma))
        if sigma[lowest] < -1e-12 * np.abs(sigma).max():
            raise refusal(
                "damping", owner, f"must not be negative, but the Caughey series is in mode {lowest + 1}",
                float(sigma[lowest] / omega[lowest]) if omega[lowest] else float(sigma[lowest]),
                "Give ratios at modes nearer to it, or use `damping_ratio`.",
            )  # fmt: skip
        return np.maximum(sigma, 0.0)

    def rates_beside(self, omega: Array, modes: Array, owner: str) -> Array:
        """Return the same polynomial; where it is negative between modes, 0."""
        return np.maximum(self._polynomial(omega, self.anchors(modes, owner)), 0.0)

    def _polynomial(self, omega: Array, at: Array) -> Array:
        sigma = np.zeros_like(omega)
        for i, w in enumerate(at):
            others = np.delete(at, i)
            # (ω² − ωⱼ²)/(ωᵢ² − ωⱼ²), in factors that keep all digits
            top = (omega[:, None] - others) * (omega[:, None] + others)
            sigma += self.ratios[i] * w * np.prod(top / ((w - others) * (w + others)), axis=1)
        return sigma


@dataclass(frozen=True, eq=False)
class Viscous:
    """An explicit damping matrix C [N·s/m]; classical or not is seen once the modes are known."""

    matrix: Array


def mode_numbers(modes: object, owner: str) -> tuple[int, ...]:
    """Take mode numbers, counted from 1."""
    given: Any = modes
    try:
        found = tuple(given)
    except TypeError:
        found = (given,)
    if not found or any(isinstance(i, bool) or not isinstance(i, (int, np.integer)) or i < 1 for i in found):
        raise refusal("modes", owner, "must be whole numbers, counted from 1", modes)
    return tuple(int(i) for i in found)


def damping_from(damping_ratio: object, damping: object, dofs: int, owner: str) -> Damping | Viscous:
    """Take a structure's `damping_ratio` or `damping`; neither means undamped."""
    if damping_ratio is not None and damping is not None:
        raise InputError(f"{owner} takes `damping_ratio` or `damping`, not both.")
    if isinstance(damping, Damping):
        return damping
    if damping is not None:
        matrix = array(damping, "N*s/m", name="damping", owner=owner)
        if matrix.ndim == 0 and dofs == 1:
            matrix = matrix.reshape(1, 1)
        if matrix.ndim != 2:
            raise refusal(
                "damping", owner, f"must be a {dofs} × {dofs} matrix [N·s/m], Rayleigh or Caughey", damping,
                "For ratios of critical damping use `damping_ratio`.",
            )  # fmt: skip
        return Viscous(square(matrix, dofs, name="damping", owner=owner))
    ratios = array(0.0 if damping_ratio is None else damping_ratio, "", name="damping_ratio", owner=owner,
                   within=NONNEGATIVE, way_out="Five percent is 0.05, or \"5 %\".")  # fmt: skip
    if ratios.ndim > 1 or ratios.size not in (1, dofs):
        rule = f"must be one number, or one for each of its {dofs} modes" if dofs > 1 else "must be one number"
        raise refusal("damping_ratio", owner, rule, damping_ratio)
    return Ratios(tuple(np.atleast_1d(ratios).tolist()))
