"""Contact stiffness: closed forms, and an adviser for "which stiffness do I use?".

Formulas return K in SI units: N/m^{3/2} for curved bodies (laws with n = 3/2), N/m for slab and girder ends (laws
with n = 1). Every argument may be a string with a unit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.errors import InputError, UnknownNameError, refusal
from carom.units import POSITIVE, Range, number, si

__all__ = [
    "MATERIALS",
    "Advice",
    "Bound",
    "Material",
    "advise",
    "elastic_peak_force",
    "equivalent",
    "material",
    "slab_end",
    "sphere_on_plane",
    "sphere_radius",
    "spheres",
]

POISSON = Range(-1.0, 0.5, high_open=False)

Value = float | str


@dataclass(frozen=True)
class Material:
    """Young's modulus [Pa], Poisson's ratio [-] and density [kg/m³]."""

    young: float
    poisson: float
    density: float

    def __post_init__(self) -> None:
        for name, unit, within in (
            ("young", "Pa", POSITIVE),
            ("poisson", "", POISSON),
            ("density", "kg/m^3", POSITIVE),
        ):
            checked = number(getattr(self, name), unit, name=name, owner="Material", within=within)
            object.__setattr__(self, name, checked)

    @property
    def wave_speed(self) -> float:
        """√(E/ρ) [m/s], for the validity check of `carom.impact`."""
        return math.sqrt(self.young / self.density)


CONCRETE_CLASSES = {
    12: 15, 16: 20, 20: 25, 25: 30, 30: 37, 35: 45, 40: 50, 45: 55, 50: 60, 55: 67, 60: 75, 70: 85, 80: 95, 90: 105
}  # fmt: skip
"""Strength classes of EN 1992-1-1, Table 3.1: strength of cylinders and of cubes [MPa]."""


def _concrete(strength: float) -> Material:
    """Return concrete of a class: E_cm = 22 (f_cm/10)^0.3 GPa with f_cm = f_ck + 8 MPa, EN 1992-1-1, Table 3.1."""
    return Material(22e9 * ((strength + 8.0) / 10.0) ** 0.3, 0.20, 2400.0)


MATERIALS = {
    "concrete": Material(30e9, 0.20, 2400.0),
    "steel": Material(210e9, 0.30, 7850.0),
    "aluminium": Material(70e9, 0.33, 2700.0),
    "timber": Material(11e9, 0.35, 450.0),
    "masonry": Material(5e9, 0.20, 1800.0),  # EN 1996-1-1, 3.7.2: E = 1000 f_k, f_k = 5 MPa
    **{f"c{cylinder}/{cube}": _concrete(cylinder) for cylinder, cube in CONCRETE_CLASSES.items()},
}
"""Typical values, good for a first estimate; measured ones are better. Concrete also by its class, ``"C30/37"``."""


# closed forms ---------------------------------------------------------------------------------------------


def spheres(*, young: Sequence[Value], poisson: Sequence[Value], radii: Sequence[Value]) -> float:
    """Return K of two spheres [N/m^{3/2}]: 4/(3(σ1+σ2)) √(R1R2/(R1+R2)), σ = (1−ν²)/E.

    alves2015 (3)-(4). mahmoud2008 prints the exponent −1/2 in (3) and (1−γ) in (4): misprints, its (5) is right.
    """
    owner = "stiffness.spheres"
    r1, r2 = _pair(radii, "m", "radii", owner, POSITIVE)
    return 4.0 / (3.0 * _flexibility(young, poisson, owner)) * math.sqrt(r1 * r2 / (r1 + r2))


def sphere_on_plane(*, young: Sequence[Value], poisson: Sequence[Value], radius: Value) -> float:
    """Return K of a sphere on a massive plane [N/m^{3/2}]: 4√R/(3(σ1+σ2)); alves2015 (3) with R2 → ∞."""
    owner = "stiffness.sphere_on_plane"
    r = number(radius, "m", name="radius", owner=owner, within=POSITIVE)
    return 4.0 / (3.0 * _flexibility(young, poisson, owner)) * math.sqrt(r)


def sphere_radius(*, mass: Value, density: Value) -> float:
    """Return the radius of a sphere of that mass [m]: (3m/(4πρ))^{1/3}, mahmoud2008 (2)."""
    owner = "stiffness.sphere_radius"
    m = number(mass, "kg", name="mass", owner=owner, within=POSITIVE)
    rho = number(density, "kg/m^3", name="density", owner=owner, within=POSITIVE)
    return float((3.0 * m / (4.0 * math.pi * rho)) ** (1.0 / 3.0))


def slab_end(*, young: Value, area: Value, length: Value) -> float:
    """Return the axial stiffness EA/L of a slab or girder [N/m], zhu2002 (15).

    `area` is that of the contact face, `length` the extent of the slab in the direction of impact.
    """
    owner = "stiffness.slab_end"
    e = number(young, "Pa", name="young", owner=owner, within=POSITIVE)
    a = number(area, "m^2", name="area", owner=owner, within=POSITIVE)
    length_si = number(length, "m", name="length", owner=owner, within=POSITIVE)
    return e * a / length_si


def elastic_peak_force(stiffness: float, exponent: float, mass: float, velocity: float) -> float:
    """Return the peak of an undamped impact [N]: K^{1/(n+1)} ((n+1)/2 · m v²)^{n/(n+1)}."""
    n = exponent
    energy = 0.5 * (n + 1.0) * mass * velocity**2
    return float(stiffness ** (1.0 / (n + 1.0)) * energy ** (n / (n + 1.0)))


def equivalent(stiffness: float, old: float, new: float, mass: float, velocity: float) -> float:
    """Return the stiffness for the exponent `new` with which an undamped impact peaks as with `stiffness` for `old`."""
    if old == new:
        return stiffness
    unit_peak = elastic_peak_force(1.0, new, mass, velocity)
    return float((elastic_peak_force(stiffness, old, mass, velocity) / unit_peak) ** (new + 1.0))


# the adviser ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bound:
    """One estimate of K, with where it comes from."""

    stiffness: float
    """[N/m^n] for the exponent of the advice."""
    source: str
    note: str = ""


@dataclass(frozen=True)
class Advice:
    """A range for K: its bounds, and how much the peak force moves within it."""

    exponent: float
    bounds: tuple[Bound, ...]
    """In rising order."""
    peak_forces: tuple[float, float] | None
    """Elastic peaks at the two ends [N], where mass and velocity are known."""

    @property
    def low(self) -> float:
        """The smallest estimate [N/m^n]."""
        return self.bounds[0].stiffness

    @property
    def high(self) -> float:
        """The largest estimate [N/m^n]."""
        return self.bounds[-1].stiffness

    @property
    def peak_force_ratio(self) -> float:
        """Peak force at the high end over that at the low end, (K_high/K_low)^{1/(n+1)}.

        Exact for every law whose restitution does not depend on K: those with χ ~ K/v0 or χ ~ √(K m_eff).
        """
        return float((self.high / self.low) ** (1.0 / (self.exponent + 1.0)))

    @property
    def unit(self) -> str:
        """Of the estimates."""
        return "N/m" if self.exponent == 1.0 else f"N/m^{self.exponent:g}"

    @property
    def consequences(self) -> tuple[str, ...]:
        """What the range means for the peak force, in sentences."""
        if len(self.bounds) > 1:
            moves = f"Within this range the peak force moves by a factor of {self.peak_force_ratio:.2f}."
        else:
            tenfold = 10.0 ** (1.0 / (self.exponent + 1.0))
            moves = f"One estimate only; a tenfold stiffness raises the peak force {tenfold:.2f} times."
        if self.peak_forces is None:
            return (moves,)
        low, high = (si(force, "N", 3) for force in self.peak_forces)
        return moves, f"Without damping it peaks between {low} and {high}."

    def __str__(self) -> str:
        lines = [f"Contact stiffness for laws with n = {self.exponent:g} [{self.unit}]"]
        lines += [f"  {b.stiffness:.3g}  {b.source}{'; ' + b.note if b.note else ''}" for b in self.bounds]
        return "\n".join([*lines, *self.consequences])


def advise(
    *,
    exponent: float = 1.5,
    materials: Sequence[str | Material] | None = None,
    masses: Sequence[Value] | None = None,
    slab: dict[str, Value] | None = None,
    structure_stiffness: Value | Sequence[Value] | None = None,
    velocity: Value | None = None,
) -> Advice:
    """Return a range for the contact stiffness from whatever is known.

    Parameters
    ----------
    exponent
        1 for linear laws, 1.5 for Hertzian ones.
    materials
        Of the two bodies: names (``"concrete"``, ``"C30/37"``, ``"masonry"``, …) or `Material` values.
    masses
        Of the two bodies [kg]; with `materials` they give spheres of equal mass, the classical estimate for n = 3/2.
    slab
        ``{"area": A, "length": L}`` of the slab or girder, with `materials`: EA/L, the estimate for n = 1.
    structure_stiffness
        Of one or both structures [N/m]: the contact should be at least ten times the stiffer one.
    velocity
        Expected velocity of impact [m/s]: with `masses`, an estimate for one exponent is carried over to the
        other by equal elastic peak force.
    """
    owner = "stiffness.advise"
    if exponent not in (1.0, 1.5):
        raise refusal("exponent", owner, "must be 1 (linear laws) or 1.5 (Hertzian laws)", exponent)
    bodies = None if materials is None else [material(m) for m in _two(materials, "materials", owner)]
    weights = None if masses is None else _pair(masses, "kg", "masses", owner, POSITIVE)
    speed = None if velocity is None else number(velocity, "m/s", name="velocity", owner=owner, within=POSITIVE)
    effective = None if weights is None else weights[0] * weights[1] / (weights[0] + weights[1])

    estimates: list[tuple[float, Bound]] = []
    if bodies and weights:
        radii = [sphere_radius(mass=m, density=b.density) for m, b in zip(weights, bodies, strict=True)]
        young, poisson = [b.young for b in bodies], [b.poisson for b in bodies]
        both = spheres(young=young, poisson=poisson, radii=radii)
        flat = sphere_on_plane(young=young, poisson=poisson, radius=min(radii))
        estimates.append((1.5, Bound(both, "two spheres of the bodies' masses, mahmoud2008 (2)-(5)")))
        estimates.append((1.5, Bound(flat, "the smaller sphere on a massive plane, mahmoud2008 (5)")))
    if slab is not None:
        if not bodies:
            raise InputError("stiffness.advise needs `materials` to turn `slab` into EA/L.")
        if not isinstance(slab, dict):
            raise refusal("slab", owner, "must be a dict of area and length", slab)
        missing = {"area", "length"} - set(slab)
        if missing:
            raise refusal("slab", owner, "must hold area and length", slab, f"Missing: {', '.join(sorted(missing))}.")
        ends = [slab_end(young=b.young, area=slab["area"], length=slab["length"]) for b in bodies]
        estimates.append((1.0, Bound(min(ends), "axial stiffness EA/L of one slab, zhu2002 (15)")))
        series = 1.0 / (1.0 / ends[0] + 1.0 / ends[1])
        estimates.append((1.0, Bound(series, "two such slabs in series, after zhu2002 (15)")))
    if structure_stiffness is not None:
        several = isinstance(structure_stiffness, Sequence) and not isinstance(structure_stiffness, str)
        given: Any = structure_stiffness if several or np.ndim(structure_stiffness) == 1 else [structure_stiffness]
        if len(given) == 0:
            raise refusal("structure_stiffness", owner, "must not be empty", given)
        stiffer = max(number(k, "N/m", name="structure_stiffness", owner=owner, within=POSITIVE) for k in given)
        rule = "at least 10 × the stiffer structure, langlade2021 after Crozet 2018"
        estimates.append((1.0, Bound(10.0 * stiffer, rule)))

    bounds = [bound for n, bound in estimates if n == exponent]
    if effective is not None and speed is not None:
        bounds += [_carried(bound, n, exponent, effective, speed) for n, bound in estimates if n != exponent]
    if not bounds:
        raise InputError(
            f"stiffness.advise knows too little for laws with n = {exponent:g}. Give materials with masses (n = 1.5), "
            "materials with a slab, or the stiffness of the structures (n = 1); with masses and a velocity each serves "
            "both."
        )
    bounds.sort(key=lambda bound: bound.stiffness)
    peaks = None
    if effective is not None and speed is not None:
        ends = [elastic_peak_force(bounds[i].stiffness, exponent, effective, speed) for i in (0, -1)]
        peaks = (ends[0], ends[1])
    return Advice(exponent, tuple(bounds), peaks)


def _carried(bound: Bound, old: float, new: float, mass: float, velocity: float) -> Bound:
    """Carry an estimate to another exponent by equal elastic peak force."""
    note = f"carried over from n = {old:g} by equal elastic peak force at {velocity:g} m/s"
    return Bound(equivalent(bound.stiffness, old, new, mass, velocity), bound.source, note)


def material(given: object) -> Material:
    """Return a material by its name, such as ``"masonry"`` or ``"C30/37"``; one that is given comes back."""
    if isinstance(given, Material):
        return given
    found = MATERIALS.get(str(given).replace(" ", "").lower())
    if found is None:
        raise UnknownNameError("material", given, MATERIALS)
    return found


def _flexibility(young: Sequence[Value], poisson: Sequence[Value], owner: str) -> float:
    """Return σ1 + σ2 with σ = (1−ν²)/E [1/Pa], alves2015 (4)."""
    e1, e2 = _pair(young, "Pa", "young", owner, POSITIVE)
    nu1, nu2 = _pair(poisson, "", "poisson", owner, POISSON)
    return (1.0 - nu1**2) / e1 + (1.0 - nu2**2) / e2


def _pair(values: Sequence[Value], unit: str, name: str, owner: str, within: Range) -> tuple[float, float]:
    one, two = _two(values, name, owner)
    return (
        number(one, unit, name=name, owner=owner, within=within),
        number(two, unit, name=name, owner=owner, within=within),
    )


def _two(values: Sequence[Any], name: str, owner: str) -> Sequence[Any]:
    if isinstance(values, str) or not hasattr(values, "__len__") or len(values) != 2:
        raise refusal(name, owner, "must be a pair, one value for each body", values)
    return values
