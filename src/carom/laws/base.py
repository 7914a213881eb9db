"""The contract of a compliant law: parameters with unit and range, coefficients, force, its derivatives.

    F = K δⁿ + χ δᵐ δ̇  while in contact                                    alves2015 (1)

A law states what is peculiar to it: its exponents, where its damping comes from, its source. The force text
itself lives once, in `carom.kernels.laws.power_law`. Parameters may be arrays of one shape, for many impacts at
once; the formulas of a law are therefore written with NumPy's functions.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from carom.citation import Source
from carom.errors import InputError, refusal
from carom.kernels.laws import power_law
from carom.registry import late
from carom.units import ANY, NONNEGATIVE, POSITIVE, RESTITUTION, Range, array, number

__all__ = [
    "Coefficients",
    "CompliantLaw",
    "DampedLaw",
    "FunctionLaw",
    "Number",
    "option",
    "parameter",
    "stiffness_unit",
]

Number: TypeAlias = float | npt.NDArray[np.float64]
"""One value, or an array of them."""

PUBLISHED = "published"
GUARDED = "guarded"


class Coefficients(NamedTuple):
    """The eight numbers that a law is, for one effective mass; in the order of `carom.kernels.laws.power_law`."""

    stiffness: Number
    exponent: Number
    damping: Number
    damping_exponent: Number
    rate_power: Number
    restitution_share: Number
    tension: Number
    published_rate: Number

    def packed(self) -> npt.NDArray[np.float64]:
        """Return them as kernels take them: shape (8,), or (…, 8) where some are arrays."""
        for value in self:
            if isinstance(value, np.ndarray):
                return np.stack(np.broadcast_arrays(*self), axis=-1).astype(np.float64)
        return np.array(self, dtype=np.float64)


def parameter(unit: str, text: str, *, within: Range = ANY, default: Any = dataclasses.MISSING) -> Any:
    """Declare a parameter of a law: its SI unit, what it is, and the values it may take."""
    return field(default=default, metadata={"unit": unit, "text": text, "within": within})


def option(text: str, choices: tuple[Any, ...], *, default: Any) -> Any:
    """Declare a parameter of a law that is one of a few values."""
    return field(default=default, metadata={"text": text, "choices": choices})


@dataclass(frozen=True, kw_only=True)
class CompliantLaw:
    """A force that depends on the overlap of two bodies and on its rate."""

    name: ClassVar[str]
    """Name in the registry."""
    title: ClassVar[str]
    """Name in a table: authors and year."""
    aliases: ClassVar[tuple[str, ...]] = ()
    n: ClassVar[float]
    """Exponent of the overlap in the elastic part."""
    m: ClassVar[float | None] = None
    """Exponent of the overlap in the damping part; None: no damping."""
    formula: ClassVar[str]
    """The force, in one line."""
    damping_formula: ClassVar[str] = "none"
    """χ, in one line."""
    source: ClassVar[Source]
    restitution_range: ClassVar[Range] = RESTITUTION
    """Values of e for which the published relation is defined."""
    intended_restitution: ClassVar[Range | None] = None
    """Values of e for which the law is meant, where the literature says so (alves2015 section 3); others warn."""

    stiffness: float = parameter("stiffness", "contact stiffness K", within=POSITIVE)
    tension: bool = option(
        "follow the law to δ = 0 as published, though it may pull, or end contact where F = 0",
        (True, False),
        default=True,
    )
    v0: str = option(
        "rate that scales damping: max(v0, ½ max δ̇ since touch), or v0 alone as published",
        (GUARDED, PUBLISHED),
        default=GUARDED,
    )
    many: bool = field(default=False, init=False, repr=False, compare=False)
    """Whether some parameters are arrays: many laws of one kind."""

    def __post_init__(self) -> None:
        many = False
        for name, entry in self.__dataclass_fields__.items():
            value = getattr(self, name)
            if "choices" in entry.metadata:
                choices = entry.metadata["choices"]
                if not any(value is choice or (value == choice and type(value) is type(choice)) for choice in choices):
                    raise refusal(name, self.name, f"must be {' or '.join(map(repr, choices))}", value)
            elif "unit" in entry.metadata and value is not None:
                take = array if isinstance(value, (np.ndarray, list, tuple)) else number
                many = many or take is array
                checked = take(
                    value,
                    self.unit_of(name),
                    name=name,
                    owner=self.name,
                    within=entry.metadata["within"],
                    way_out=self._way_out(name),
                )
                object.__setattr__(self, name, checked)
        object.__setattr__(self, "many", many)
        if many:
            numbers = [name for name, entry in self.__dataclass_fields__.items() if "unit" in entry.metadata]
            shapes = {name: np.shape(getattr(self, name)) for name in numbers}
            try:
                np.broadcast_shapes(*shapes.values())
            except ValueError:
                found = ", ".join(f"{name} {shape}" for name, shape in shapes.items() if shape)
                raise InputError(f"The arrays of {self.name} must have one shape, or broadcast. Got {found}.") from None

    # what a law must say ------------------------------------------------------------------------------

    def power_form(self, mass: Number) -> Coefficients:
        """Return the row of numbers that the kernels take, for an effective mass [kg]."""
        return Coefficients(self.stiffness, self.n, 0.0, 0.0, 0.0, 1.0, float(self.tension), 0.0)

    # what every law can then do -----------------------------------------------------------------------

    def coefficients(self, mass: Number, velocity: Number) -> Coefficients:
        """Return K, n, χ, m, … for an effective mass [kg] and a rate at first touch [m/s]."""
        for name, value, unit in (("mass", mass, "kg"), ("velocity", velocity, "m/s")):
            array(value, unit, name=name, owner=f"{self.name}.coefficients", within=POSITIVE)
        form = self.power_form(mass)
        return form._replace(damping=form.damping / velocity**form.rate_power, rate_power=0.0)

    def force(self, overlap: Number, rate: Number, *, mass: Number = 1.0, velocity: Number = 1.0) -> Number:
        """Return the contact force [N] at an overlap [m] and rate [m/s]; zero where δ ≤ 0.

        `mass` is the effective mass [kg], `velocity` the rate at first touch [m/s]; a law uses them only
        where its damping depends on them.
        """
        result: Number = self._elementwise(_force, overlap, rate, mass, velocity)
        return result

    def derivatives(
        self, overlap: Number, rate: Number, *, mass: Number = 1.0, velocity: Number = 1.0
    ) -> tuple[Number, Number]:
        """Return the exact ∂F/∂δ [N/m] and ∂F/∂δ̇ [N·s/m]; zero where δ ≤ 0."""
        by_overlap: Number = self._elementwise(_by_overlap, overlap, rate, mass, velocity)
        by_rate: Number = self._elementwise(_by_rate, overlap, rate, mass, velocity)
        return by_overlap, by_rate

    def calibrated(self, **conditions: Any) -> Self:
        """Return this law with its damping solved so that the achieved restitution is the one asked for.

        `conditions` are those of `carom.impact`: ``mass`` or ``masses``, ``velocity``, ``gravity``, … A law
        whose achieved restitution depends on the velocity is calibrated at that velocity.
        """
        calibrated: Self = late("carom.integrate.calibration:calibrated")(self, **conditions)
        return calibrated

    def fit_stiffness(self, *, peak_force: float | str, **conditions: Any) -> Self:
        """Return this law with the stiffness whose impact, under `conditions`, peaks at `peak_force`."""
        fitted: Self = late("carom.integrate.calibration:fit_stiffness")(self, peak_force=peak_force, **conditions)
        return fitted

    def _repr_html_(self) -> str:
        return str(late("carom.reports.notebook:law")(self))

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some parameters changed."""
        return dataclasses.replace(self, **changes)

    @property
    def pulls(self) -> bool:
        """Whether the force, as published, turns to tension just before separation."""
        return False

    def unit_of(self, name: str) -> str:
        """Return the SI unit of a parameter, as Pint reads it."""
        unit: str = self.__dataclass_fields__[name].metadata["unit"]
        return stiffness_unit(self.n) if unit == "stiffness" else unit

    def _way_out(self, name: str) -> str:
        return {
            "restitution": "Use 1 for a perfectly elastic impact, a small value such as 0.01 for a nearly plastic one.",
            "stiffness": "carom.stiffness helps to choose one.",
        }.get(name, "")

    def _elementwise(
        self, kernel: Callable[..., float], overlap: Number, rate: Number, mass: Number, velocity: Number
    ) -> Any:
        c = self.power_form(mass).packed()
        shape = np.broadcast_shapes(c.shape[:-1], np.shape(overlap), np.shape(rate), np.shape(velocity))
        rows = np.broadcast_to(c, (*shape, power_law.SIZE))
        points = [np.broadcast_to(np.asarray(x, dtype=np.float64), shape) for x in (overlap, rate, velocity)]
        result = np.empty(shape)
        for i in np.ndindex(shape):
            result[i] = kernel(rows[i], *(float(x[i]) for x in points))
        return result if shape else float(result)


@dataclass(frozen=True, kw_only=True)
class DampedLaw(CompliantLaw):
    """A law with damping, from the restitution coefficient asked for or given directly.

    Where both are given the damping counts, and the restitution is what `calibrated` aims at.
    """

    m: ClassVar[float]
    damping_symbol: ClassVar[str]
    """The law's own damping parameter, as its paper writes it."""
    restitution_share: ClassVar[float] = 1.0
    """Share of the damping kept while the bodies separate; 0: approach only."""

    restitution: float | None = parameter("", "restitution coefficient e asked for", within=RESTITUTION, default=None)
    damping: float | None = parameter("", "the law's damping parameter", within=NONNEGATIVE, default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.damping is None and self.restitution is None:
            raise InputError(f"{self.name} needs `restitution` (0 < e ≤ 1) or `damping` ({self.damping_symbol}).")
        if self.damping is None and self.restitution is not None:
            valid = self.valid_restitution()
            outside = valid.outside(np.asarray(self.restitution))
            if outside.size:
                rule = f"must lie in {valid}, where its relation to damping is defined"
                raise refusal("restitution", self.name, rule, float(outside[0]), self._outside_way_out())

    def damping_from_restitution(self, e: Number) -> Number | None:
        """Return the damping parameter that the paper gives for e; None where it gives none."""
        return None

    def valid_restitution(self) -> Range:
        """Return the values of e for which the relation between e and damping holds."""
        return self.restitution_range

    def damping_value(self) -> Number:
        """Return the damping parameter in use."""
        if self.damping is not None:
            return self.damping
        assert self.restitution is not None  # held by __post_init__
        value = self.damping_from_restitution(self.restitution)
        if value is None:
            raise InputError(
                f"{self.name} has no published relation between restitution and damping. Give `damping` "
                f"({self.damping_symbol}), or call .calibrated(mass=…, velocity=…) on the law."
            )
        return value

    @property
    def empirical(self) -> bool:
        """Whether the damping must be given or calibrated, no relation to e being published."""
        return self.damping is None and self.damping_from_restitution(0.5) is None

    @property
    def pulls(self) -> bool:
        """Whether the force, as published, turns to tension just before separation."""
        return self.restitution_share > 0.0 and self.m < self.n

    def _outside_way_out(self) -> str:
        return "Give `damping` directly, or choose another law."


@dataclass(frozen=True, kw_only=True)
class FunctionLaw(CompliantLaw):
    """A user's own law: any function of overlap and rate, compiled for this process when it is used."""

    n: ClassVar[float] = 1.0
    function: ClassVar[Callable[[float, float], float]]
    """F(overlap [m], rate [m/s]) in newton, in contact; plain arithmetic that Numba can compile."""

    stiffness: float = parameter("stiffness", "not used", within=POSITIVE, default=1.0)

    def force(self, overlap: Number, rate: Number, *, mass: Number = 1.0, velocity: Number = 1.0) -> Number:
        """Return the user's force [N]; zero where δ ≤ 0."""
        result: Number = self._elementwise(self._contact_force, overlap, rate, mass, velocity)
        return result

    def derivatives(
        self, overlap: Number, rate: Number, *, mass: Number = 1.0, velocity: Number = 1.0
    ) -> tuple[Number, Number]:
        """Return ∂F/∂δ and ∂F/∂δ̇ by central differences of fourth order; zero where δ ≤ 0."""
        sides: list[Number] = [
            self._elementwise(lambda _c, d, v, _r, w=w: self._slope(d, v, w), overlap, rate, mass, velocity)
            for w in (0, 1)
        ]
        return sides[0], sides[1]

    def _contact_force(self, _c: object, overlap: float, rate: float, _reference: float) -> float:
        if overlap <= 0.0:
            return 0.0
        f = float(type(self).function(overlap, rate))
        return f if self.tension else max(f, 0.0)

    def _slope(self, overlap: float, rate: float, which: int) -> float:
        if overlap <= 0.0:
            return 0.0
        h = 1e-3 * (overlap if which == 0 else abs(rate) + 1e-6)

        def f(k: int) -> float:
            moved = (overlap + k * h, rate) if which == 0 else (overlap, rate + k * h)
            return self._contact_force(None, *moved, 0.0)

        return (8.0 * (f(1) - f(-1)) - (f(2) - f(-2))) / (12.0 * h)


def stiffness_unit(n: float) -> str:
    """Return the unit of K for an exponent n."""
    return "N/m" if n == 1.0 else f"N/m^{n:g}"


def _force(c: npt.NDArray[np.float64], overlap: float, rate: float, reference: float) -> float:
    if overlap <= 0.0:
        return 0.0
    chi = power_law.damping_factor(c, rate, reference)
    f = power_law.force(c, chi, overlap, math.sqrt(overlap), rate)
    return f if c[power_law.TENSION] else max(f, 0.0)


def _slopes(c: npt.NDArray[np.float64], overlap: float, rate: float, reference: float) -> tuple[float, float]:
    if overlap <= 0.0:
        return 0.0, 0.0
    chi = power_law.damping_factor(c, rate, reference)
    root = math.sqrt(overlap)
    if not c[power_law.TENSION] and power_law.force(c, chi, overlap, root, rate) < 0.0:
        return 0.0, 0.0
    return power_law.force_slopes(c, chi, overlap, root, rate)


def _by_overlap(c: npt.NDArray[np.float64], overlap: float, rate: float, reference: float) -> float:
    return _slopes(c, overlap, rate, reference)[0]


def _by_rate(c: npt.NDArray[np.float64], overlap: float, rate: float, reference: float) -> float:
    return _slopes(c, overlap, rate, reference)[1]
