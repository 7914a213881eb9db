"""Complex modes of natural ones that few dashpots couple, by roots of one equation.

With D = diag(2σ) + Bᵀ B, a row of B for each dashpot, the quadratic eigenvalue problem (λ² + λD + ω²) x = 0 is

    S(λ) w = 0,   S = 1 + λ B diag(1/dₖ) Bᵀ,   dₖ = (λ − pₖ)(λ − p̄ₖ),        x = diag(1/dₖ) Bᵀ w,

p and p̄ the poles −σ ± i √(ω² − σ²) of the natural modes. All zeros of det S are sought at once by Aberth's method:
Newton's on the polynomial det S · Π dₖ, with what roots at hand say of each other taken out. A root is kept as the
distance from its pole, so that a mode which the dashpots hardly move loses no digits. With one dashpot on hundreds of
modes this takes some ten milliseconds, and a general method for eigenvalues twenty times as long.

Bini D., Robol L. (2014). Solving secular and polynomial equations: a multiprecision algorithm. Journal of Computational
and Applied Mathematics 272, 276-292.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["FEW", "few_dashpots"]

Array: TypeAlias = npt.NDArray[np.float64]
Complex: TypeAlias = npt.NDArray[np.complex128]

FEW = 6
"""Dashpots up to which this is quicker than a general method."""
MOST_ROUNDS = 40
"""Rounds after which roots that still move are left to another method."""
SETTLED = 1e-14
"""Change of a root's distance from its pole, as share of it, after which the root stands."""
STILL = 1e-12
"""Such a change with which a root may stand after the last round: rounding moves it so much."""


class Secular(NamedTuple):
    """The equation of n natural modes and their dashpots."""

    poles: Complex
    """Those above the real axis, shape (n,)."""
    between: Complex
    """Distances of the poles from each other, shape (n, n)."""
    across: Complex
    """Their distances from those below the axis, shape (n, n)."""
    rows: Array
    """B, shape (R, n)."""
    squares: Array
    """Products of two rows of B each, shape (n, R²)."""

    def at(self, moved: Complex) -> tuple[Complex, Complex, Complex, Complex]:
        """Return S and its slope at roots that stand `moved` from their poles, 1/d and Σ (1/(λ − p) + 1/(λ − p̄))."""
        near, far = 1.0 / (self.between + moved[:, None]), 1.0 / (self.across + moved[:, None])
        both, sums = near * far, near + far
        size = (moved.size, len(self.rows), len(self.rows))
        first, second = (both @ self.squares).reshape(size), ((both * sums) @ self.squares).reshape(size)
        values = (self.poles + moved)[:, None, None]
        return np.eye(size[1]) + values * first, first - values * second, both, sums.sum(axis=1)


def few_dashpots(omega: Array, sigma: Array, rows: Array, dashpots: Array) -> tuple[Complex, Complex] | None:
    """Return λ with Im λ > 0, shape (n,), and x, shape (n, n); None where they are not all found.

    That is so where a natural mode creeps or is rigid, or one that the dashpots make creeps.
    """
    if (omega <= sigma).any() or (dashpots <= 0.0).any():
        return None
    poles = -sigma + 1j * np.sqrt((omega - sigma) * (omega + sigma))
    strong = np.sqrt(dashpots)[:, None] * rows
    products = strong[:, None] * strong[None]
    secular = Secular(
        poles, poles[:, None] - poles, poles[:, None] - poles.conj(), strong, products.reshape(-1, omega.size).T
    )  # fmt: skip
    moved = -(strong * strong).sum(axis=0) * poles / (poles - poles.conj())
    with np.errstate(all="ignore"):  # what runs away is not found, and left to another method
        for _ in range(MOST_ROUNDS):
            change = _step(moved, secular)
            moved = moved - change
            left = float(np.max(np.abs(change) / np.abs(moved)))
            if not left > SETTLED:  # or not a number
                break
    if not left <= STILL or (poles + moved).imag.min() <= 0.0:
        return None
    matrix, _, both, _ = secular.at(moved)
    weights = np.linalg.svd(matrix)[2][:, -1].conj()  # of what is zero
    return poles + moved, both * (weights @ strong)


def _step(moved: Complex, secular: Secular) -> Complex:
    """Return Aberth's step of every root, which stands at `moved` from its pole; not numbers where one has run away."""
    matrix, slope, _, sums = secular.at(moved)
    if not np.isfinite(matrix).all():
        return np.full_like(moved, np.nan)
    apart = secular.between + moved[:, None] - moved
    np.fill_diagonal(apart, np.inf)
    others = (1.0 / apart).sum(axis=1) + (1.0 / (secular.across + moved[:, None] - moved.conj())).sum(axis=1)
    there = np.linalg.det(matrix) == 0.0  # roots that are hit on the dot
    matrix[there] = np.eye(len(secular.rows))
    rise = np.trace(np.linalg.solve(matrix, slope), axis1=1, axis2=2)
    step: Complex = np.where(there, 0.0, 1.0 / (rise + sums - others))
    return step
