"""Complex modes of natural ones that a single dashpot couples, by roots of one equation.

With D = diag(2σ) + c bᵀ b the quadratic eigenvalue problem (λ² + λD + ω²) x = 0 is

    1 + c λ Σ bₖ² / ((λ − pₖ)(λ − p̄ₖ)) = 0,        xₖ = bₖ / ((λ − pₖ)(λ − p̄ₖ)),

p and p̄ the poles −σ ± i √(ω² − σ²) of the natural modes. All roots are sought at once by Aberth's method: Newton's on
the polynomial, with what roots at hand say of each other taken out. A root is kept as the distance from its pole, so
that a mode which the dashpot hardly moves loses no digits. At hundreds of modes this takes a few tens of milliseconds,
and a general method for eigenvalues ten times as long.

Bini D., Robol L. (2014). Solving secular and polynomial equations: a multiprecision algorithm. Journal of Computational
and Applied Mathematics 272, 276-292.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["one_dashpot"]

Array: TypeAlias = npt.NDArray[np.float64]
Complex: TypeAlias = npt.NDArray[np.complex128]

MOST_ROUNDS = 40
"""Rounds after which roots that still move are left to another method."""
SETTLED = 1e-14
"""Change of a root's distance from its pole, as share of it, after which the root stands."""


def one_dashpot(omega: Array, sigma: Array, row: Array, constant: float) -> tuple[Complex, Complex] | None:
    """Return λ with Im λ > 0, shape (n,), and x, shape (n, n); None where they are not all found.

    That is so where a natural mode creeps or is rigid, or one that the dashpot makes creeps.
    """
    if (omega <= sigma).any() or constant <= 0.0:
        return None
    poles = -sigma + 1j * np.sqrt((omega - sigma) * (omega + sigma))
    strength = constant * row * row
    between, across = poles[:, None] - poles, poles[:, None] - poles.conj()
    moved = -strength * poles / (poles - poles.conj())
    with np.errstate(all="ignore"):  # what runs away is not found, and left to another method
        for _ in range(MOST_ROUNDS):
            change = _newton(moved, poles, between, across, strength)
            moved = moved - change
            if not np.isfinite(moved).all():
                return None
            if (np.abs(change) <= SETTLED * np.abs(moved)).all():
                break
        else:
            return None
    values = poles + moved
    if (values.imag <= 0.0).any():
        return None
    return values, row / ((between + moved[:, None]) * (across + moved[:, None]))


def _newton(moved: Complex, poles: Complex, between: Complex, across: Complex, strength: Array) -> Complex:
    """Return Aberth's step of every root, which stands at `moved` from its pole.

    `between` and `across` are the distances of the poles from each other and from those below the real axis.
    """
    near, far = 1.0 / (between + moved[:, None]), 1.0 / (across + moved[:, None])
    both, sum_of = near * far, near + far
    first, second = both @ strength, (both * sum_of) @ strength
    values = poles + moved
    value, slope = 1.0 + values * first, first - values * second
    apart = between + moved[:, None] - moved
    np.fill_diagonal(apart, np.inf)
    others = (1.0 / apart).sum(axis=1) + (1.0 / (across + moved[:, None] - moved.conj())).sum(axis=1)
    step: Complex = 1.0 / (slope / value + sum_of.sum(axis=1) - others)
    return step
