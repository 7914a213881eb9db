"""A Runge-Kutta method as its coefficients, from which everything that is said of it is computed.

    Uᵢ = u₀ + h Σ aᵢⱼ f(t₀ + cⱼh, Uⱼ),      u₁ = u₀ + h Σ bᵢ f(t₀ + cᵢh, Uᵢ)

Definitions after Hairer and Wanner (1996), sections IV.3, IV.5 and IV.12.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from carom.integrate.tableaux import trees

__all__ = ["Tableau"]

Array: TypeAlias = npt.NDArray[np.float64]

TOLERANCE = 1e-11
"""Coefficients are right to rounding; a condition that fails, fails by far more than this."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Tableau:
    """Coefficients of a method with s stages."""

    name: str
    title: str
    a: Array
    """Shape (s, s)."""
    b: Array
    """Weights, shape (s,)."""
    c: Array
    """Nodes, shape (s,); the row sums of `a`, but for Lobatto IIIB and Radau IA with few stages."""
    source: str
    aliases: tuple[str, ...] = ()
    embedded: Array | None = None
    """Weights of a second method on the same stages, for an estimate of the error."""

    @property
    def stages(self) -> int:
        """Number of stages."""
        return int(self.b.size)

    @cached_property
    def kind(self) -> str:
        """Explicit, diagonally implicit or implicit: how the stages depend on each other."""
        if not np.triu(self.a).any():
            return "explicit"
        return "implicit" if np.triu(self.a, 1).any() else "diagonally implicit"

    @cached_property
    def blocks(self) -> tuple[tuple[int, int], ...]:
        """Ranges of stages that must be solved together, in order: one each for an explicit method."""
        ends = [k for k in range(1, self.stages + 1) if not self.a[:k, k:].any()]
        return tuple(zip([0, *ends[:-1]], ends, strict=True))

    # simplifying conditions ------------------------------------------------------------------------------

    @cached_property
    def quadrature(self) -> int:
        """Largest p of B(p): Σ bᵢ cᵢ^{k−1} = 1/k for k ≤ p."""
        return _largest(lambda k: self.b @ self.c ** (k - 1) - 1.0 / k)

    @cached_property
    def stage_order(self) -> int:
        """Largest q of C(q): Σⱼ aᵢⱼ cⱼ^{k−1} = cᵢᵏ/k for k ≤ q."""
        return _largest(lambda k: self.a @ self.c ** (k - 1) - self.c**k / k)

    @cached_property
    def adjoint_order(self) -> int:
        """Largest r of D(r): Σᵢ bᵢ cᵢ^{k−1} aᵢⱼ = bⱼ(1 − cⱼᵏ)/k for k ≤ r."""
        return _largest(lambda k: (self.b * self.c ** (k - 1)) @ self.a - self.b * (1.0 - self.c**k) / k)

    @cached_property
    def order(self) -> int:
        """The order, from the conditions of all rooted trees; it cannot exceed that of the quadrature."""
        return trees.order(self.a, self.b, self.quadrature, TOLERANCE)

    @cached_property
    def stiffly_accurate(self) -> bool:
        """Whether the last stage is the result."""
        return bool(np.abs(self.a[-1] - self.b).max() < TOLERANCE)

    # stability ---------------------------------------------------------------------------------------------

    @cached_property
    def _fraction(self) -> tuple[Array, Array]:
        """Numerator and denominator of R(z) = det(I − zA + z·1bᵀ)/det(I − zA), highest power first.

        det(I − zM) is the characteristic polynomial of M with its coefficients in reverse.
        """
        below = np.poly(self.a)[::-1]
        above = np.poly(self.a - np.outer(np.ones(self.stages), self.b))[::-1]
        return _trimmed(np.real(above)), _trimmed(np.real(below))

    def stability(self, z: npt.ArrayLike) -> npt.NDArray[np.complex128]:
        """Return R(z): what a step makes of u′ = λu at z = hλ."""
        above, below = self._fraction
        where = np.asarray(z, dtype=np.complex128)
        found: npt.NDArray[np.complex128] = np.polyval(above, where) / np.polyval(below, where)
        return found

    @cached_property
    def at_infinity(self) -> float:
        """|R(∞)|: how much of an infinitely fast mode is left after a step."""
        above, below = self._fraction
        if above.size != below.size:
            return 0.0 if above.size < below.size else float("inf")
        return float(abs(above[0] / below[0]))

    @cached_property
    def a_stable(self) -> bool:
        """Whether |R(z)| ≤ 1 on the whole left half plane.

        No pole lies there, and E(y) = |Q(iy)|² − |P(iy)|² is nowhere negative.
        """
        _, below = self._fraction
        if self.kind == "explicit" or self.at_infinity > 1.0 + TOLERANCE:
            return False
        if below.size > 1 and (np.roots(below).real < -TOLERANCE).any():
            return False
        along = np.concatenate([[0.0], np.geomspace(1e-3, 1e6, 2000)])
        return bool((np.abs(self.stability(1j * along)) < 1.0 + 1e-9).all() and self._nowhere_negative())

    def _nowhere_negative(self) -> bool:
        """Whether E(y), a polynomial in y², has no sign change to below zero: judged between all its real roots."""
        above, below = self._fraction
        e = _trimmed(np.asarray(np.polysub(_modulus(below), _modulus(above)), dtype=np.float64), 1e-9)
        if not e.any():
            return True
        roots = np.roots(e)
        real = np.sort(roots[(np.abs(roots.imag) < 1e-6 * (1.0 + np.abs(roots))) & (roots.real > 0.0)].real)
        ends = np.concatenate([[0.0], real, [2.0 * real[-1] + 1.0 if real.size else 1.0]])
        middles = 0.5 * (ends[1:] + ends[:-1])
        return bool((np.polyval(e, middles) > -1e-9 * np.abs(e).max() * (1.0 + middles**e.size)).all())

    @cached_property
    def l_stable(self) -> bool:
        """Whether it is A-stable and kills infinitely fast modes."""
        return self.a_stable and self.at_infinity < TOLERANCE

    @cached_property
    def algebraic_matrix(self) -> Array:
        """M = diag(b)·A + Aᵀ·diag(b) − bbᵀ, shape (s, s)."""
        weighted = self.b[:, None] * self.a
        return weighted + weighted.T - np.outer(self.b, self.b)

    @cached_property
    def algebraically_stable(self) -> bool:
        """Whether b ≥ 0 and M is positive semidefinite: two solutions of a dissipative system never part."""
        return bool((self.b > -TOLERANCE).all() and np.linalg.eigvalsh(self.algebraic_matrix).min() > -TOLERANCE)

    def as_dict(self) -> dict[str, Any]:
        """Return coefficients and findings as files and programs see them."""
        return {
            "name": self.name, "title": self.title, "aliases": list(self.aliases), "source": self.source,
            "kind": self.kind, "stages": self.stages,
            "a": self.a.tolist(), "b": self.b.tolist(), "c": self.c.tolist(),
            "order": self.order, "B": self.quadrature, "C": self.stage_order, "D": self.adjoint_order,
            "stiffly_accurate": self.stiffly_accurate, "a_stable": self.a_stable, "l_stable": self.l_stable,
            "algebraically_stable": self.algebraically_stable,
            "at_infinity": self.at_infinity if np.isfinite(self.at_infinity) else None,
        }  # fmt: skip


def _largest(defect: Any) -> int:
    """Return how many of the conditions k = 1, 2, … hold in a row."""
    k = 1
    while k < 20 and np.abs(defect(k)).max() < TOLERANCE:
        k += 1
    return k - 1


def _trimmed(polynomial: Array, tolerance: float = 1e-12) -> Array:
    """Drop leading coefficients that are rounding only."""
    size = np.abs(polynomial)
    kept = np.flatnonzero(size > tolerance * max(size.max(), 1.0))
    return polynomial[kept[0] :] if kept.size else np.zeros(1)


def _modulus(polynomial: Array) -> Array:
    """Return |P(iy)|² as a polynomial in x = y²."""
    powers = np.arange(polynomial.size)[::-1]
    value = polynomial * 1j**powers
    product = np.asarray(np.convolve(value, np.conj(value)).real, dtype=np.float64)
    return product[::-1][::2][::-1]  # only even powers of y are left
