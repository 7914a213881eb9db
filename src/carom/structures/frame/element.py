"""One straight beam-column in space: its matrices in its own axes, by shape functions.

Local axes: x along the member, y and z across it. Each end has the degrees of freedom ux, uy, uz, rx, ry, rz, so that a
member has twelve. Bending in one plane follows the deflection w and the turn θ of the cross-section,

    w(ξ) = N(ξ)·d,    θ(ξ) = T(ξ)·d,    d = (w₁, θ₁, w₂, θ₂),    ξ = x/L,

with the polynomials that satisfy the equations of an unloaded Timoshenko beam (Przemieniecki 1968, section 5.6;
Friedman & Kosmatka 1993). They depend on φ = 12EI/(κGA·L²); with φ = 0 they are those of Euler and Bernoulli, and
θ = w′. Everything else is an integral of their products:

    stiffness            ∫ EI θ′θ′ + κGA γγ dx,    γ = w′ − θ
    mass                 ∫ ρA ww + ρI θθ dx
    geometric stiffness  ∫ N w′w′ dx
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from carom.structures.matrices import Array, Integers, frozen

__all__ = [
    "Stiffnesses", "bar_mass", "bar_stiffness", "displacement_rows", "geometric", "lumped_mass", "mass", "stiffness",
    "string", "uniform_load",
]  # fmt: skip

ALONG = np.array([0, 6])
"""Where ux of both ends stand among the twelve degrees of freedom."""
TWIST = np.array([3, 9])
"""Where rx of both ends stand."""
BEND_XY = np.array([1, 5, 7, 11])
"""Where w and θ of bending in the x-y plane stand: uy and rz."""
BEND_XZ = np.array([2, 4, 8, 10])
"""Where w and θ of bending in the x-z plane stand: uz and ry; a positive ry lowers the far end, θ = −ry."""
_SIGN_XZ = np.array([1.0, -1.0, 1.0, -1.0])
KEPT = 1024
"""Matrices of members that are kept: in regular frames many members are alike."""
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(4)  # exact up to degree 7; products of cubics have degree 6
_XI, _SHARE = 0.5 * (1.0 + _POINTS), 0.5 * _WEIGHTS


class Stiffnesses(NamedTuple):
    """What a member resists with."""

    axial: float
    """EA [N]."""
    torsional: float
    """GJ [N·m²]."""
    bending_y: float
    """EI about local y, which resists in the x-z plane [N·m²]."""
    bending_z: float
    """EI about local z, which resists in the x-y plane [N·m²]."""
    shear_y: float = np.inf
    """κGA along local y [N]; infinite for Euler and Bernoulli."""
    shear_z: float = np.inf
    """κGA along local z [N]."""


class Bending(NamedTuple):
    """Shape functions of bending in one plane at some points, each of shape (points, 4)."""

    deflection: Array
    slope: Array
    """w′."""
    turn: Array
    """θ."""
    curvature: Array
    """θ′."""

    @classmethod
    def at(cls, xi: Array, length: float, phi: float) -> Bending:
        """Return them at ξ in [0, 1] of a member of this length [m], with φ = 12EI/(κGA·L²)."""
        x = np.asarray(xi, dtype=float)
        one, scale = np.ones_like(x), 1.0 / (1.0 + phi)
        deflection = (
            2.0 * x**3 - 3.0 * x**2 - phi * x + 1.0 + phi,
            length * (x**3 - (2.0 + 0.5 * phi) * x**2 + (1.0 + 0.5 * phi) * x),
            -2.0 * x**3 + 3.0 * x**2 + phi * x,
            length * (x**3 - (1.0 - 0.5 * phi) * x**2 - 0.5 * phi * x),
        )
        slope = (
            (6.0 * x**2 - 6.0 * x - phi) / length,
            3.0 * x**2 - (4.0 + phi) * x + 1.0 + 0.5 * phi,
            (-6.0 * x**2 + 6.0 * x + phi) / length,
            3.0 * x**2 - (2.0 - phi) * x - 0.5 * phi,
        )
        turn = (
            6.0 * (x**2 - x) / length,
            3.0 * x**2 - (4.0 + phi) * x + 1.0 + phi,
            -6.0 * (x**2 - x) / length,
            3.0 * x**2 - (2.0 - phi) * x,
        )
        curvature = (
            6.0 * (2.0 * x - one) / length**2,
            (6.0 * x - 4.0 - phi) / length,
            -6.0 * (2.0 * x - one) / length**2,
            (6.0 * x - 2.0 + phi) / length,
        )
        return cls(*(scale * np.stack(rows, axis=-1) for rows in (deflection, slope, turn, curvature)))


def shear_ratio(bending: float, shear: float, length: float) -> float:
    """Return φ = 12EI/(κGA·L²)."""
    return 12.0 * bending / (shear * length**2)


@lru_cache(KEPT)
def stiffness(length: float, of: Stiffnesses) -> Array:
    """Return K in local axes, shape (12, 12)."""
    found = np.zeros((12, 12))
    found[np.ix_(ALONG, ALONG)] = of.axial / length * _BAR
    found[np.ix_(TWIST, TWIST)] = of.torsional / length * _BAR
    for at, sign, bending, shear in _planes(of):
        shapes = Bending.at(_XI, length, shear_ratio(bending, shear, length))
        plane = bending * length * _product(shapes.curvature, shapes.curvature)
        if np.isfinite(shear):
            angle = shapes.slope - shapes.turn
            plane += shear * length * _product(angle, angle)
        found[np.ix_(at, at)] = sign[:, None] * plane * sign
    return frozen(found)


@lru_cache(KEPT)
def mass(length: float, per_length: float, rotary_y: float, rotary_z: float, polar: float, of: Stiffnesses) -> Array:
    """Return the consistent M in local axes, shape (12, 12).

    `per_length` is ρA [kg/m]; `rotary_y`, `rotary_z` and `polar` are ρ times the second moments of area about y, z
    and x [kg·m]; zero leaves rotary inertia out.
    """
    found = np.zeros((12, 12))
    found[np.ix_(ALONG, ALONG)] = per_length * length * _BAR_MASS
    found[np.ix_(TWIST, TWIST)] = polar * length * _BAR_MASS
    for (at, sign, bending, shear), rotary in zip(_planes(of), (rotary_z, rotary_y), strict=True):
        shapes = Bending.at(_XI, length, shear_ratio(bending, shear, length))
        plane = per_length * length * _product(shapes.deflection, shapes.deflection)
        plane += rotary * length * _product(shapes.turn, shapes.turn)
        found[np.ix_(at, at)] = sign[:, None] * plane * sign
    return frozen(found)


def lumped_mass(length: float, per_length: float) -> Array:
    """Return half of the mass at each end, without any inertia of rotation; shape (12, 12)."""
    half = 0.5 * per_length * length
    return np.diag(np.tile([half, half, half, 0.0, 0.0, 0.0], 2))


def bar_stiffness(length: float, axial: float) -> Array:
    """Return K of a member without bending, shape (12, 12); `axial` is EA [N]."""
    found = np.zeros((12, 12))
    found[np.ix_(ALONG, ALONG)] = axial / length * _BAR
    return found


def bar_mass(length: float, per_length: float) -> Array:
    """Return the consistent M of a member without bending: every direction is interpolated linearly; (12, 12)."""
    found = np.zeros((12, 12))
    for way in range(3):
        found[np.ix_([way, way + 6], [way, way + 6])] = per_length * length * _BAR_MASS
    return found


def geometric(length: float, tension: float, of: Stiffnesses) -> Array:
    """Return the consistent geometric stiffness of an axial force, tension positive [N]; shape (12, 12)."""
    return tension * _geometric_of_one(length, of)


@lru_cache(KEPT)
def _geometric_of_one(length: float, of: Stiffnesses) -> Array:
    found = np.zeros((12, 12))
    for at, sign, bending, shear in _planes(of):
        shapes = Bending.at(_XI, length, shear_ratio(bending, shear, length))
        plane = length * _product(shapes.slope, shapes.slope)
        found[np.ix_(at, at)] = sign[:, None] * plane * sign
    return frozen(found)


def string(length: float, tension: float) -> Array:
    """Return the geometric stiffness of a straight bar or cable without bending under a tension [N]; shape (12, 12)."""
    found = np.zeros((12, 12))
    for across in (np.array([1, 7]), np.array([2, 8])):
        found[np.ix_(across, across)] = tension / length * _BAR
    return found


def uniform_load(length: float, per_length: Array, of: Stiffnesses) -> Array:
    """Return the forces on the ends that do the work of a uniform load in local axes [N/m], shape (12,)."""
    found = np.zeros(12)
    found[ALONG] = 0.5 * length * per_length[0]
    for (at, sign, bending, shear), load in zip(_planes(of), per_length[1:], strict=True):
        shapes = Bending.at(_XI, length, shear_ratio(bending, shear, length))
        found[at] = sign * load * length * (_SHARE @ shapes.deflection)
    return found


def displacement_rows(xi: float, length: float, of: Stiffnesses) -> Array:
    """Return how a point of the axis at ξ moves along local x, y and z by the twelve displacements, shape (3, 12)."""
    found = np.zeros((3, 12))
    found[0, ALONG] = 1.0 - xi, xi
    for row, (at, sign, bending, shear) in zip(found[1:], _planes(of), strict=True):
        row[at] = sign * Bending.at(np.array(xi), length, shear_ratio(bending, shear, length)).deflection
    return found


_BAR = np.array([[1.0, -1.0], [-1.0, 1.0]])
_BAR_MASS = np.array([[2.0, 1.0], [1.0, 2.0]]) / 6.0


def _planes(of: Stiffnesses) -> tuple[tuple[Integers, Array, float, float], ...]:
    """Return for bending in x-y and in x-z: where it stands, its signs, EI and κGA."""
    plain = np.ones(4)
    return (BEND_XY, plain, of.bending_z, of.shear_y), (BEND_XZ, _SIGN_XZ, of.bending_y, of.shear_z)


def _product(one: Array, other: Array) -> Array:
    """Return ∫₀¹ of the products of two sets of shape functions, shape (4, 4)."""
    found: Array = one.T @ (_SHARE[:, None] * other)
    return found
