"""The lowest modes of large structures by shift-invert, and what they leave of static and inertial answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import LinearOperator, eigsh, splu

from carom.structures.matrices import Array, symmetric

__all__ = ["LargeMatrices", "LowestModes"]

SHIFT = 1e-6
"""Share of the square of a cut-off that is added to ω², so that rigid modes can be inverted, too."""
LEAST_SHIFT = 1e-9
"""The same where no cut-off is known, as a share of a mean of ω²."""
WIDEST = 10.0
"""Ratio of cut-offs up to which one shift serves."""
REFINEMENTS = 4
"""Corrections of a static answer for that shift: each leaves SHIFT·WIDEST² of the error before it, or less."""
ROUNDED = 1e-3
"""Share of the shift, below which a square of a frequency counts as zero: a rigid mode."""
FIRST_TRY = 48
"""Modes sought at first; twice as many until one lies above the cut-off."""
SPARSE_BELOW = 0.1
"""Share of entries that are not zero, below which a matrix is factored as a sparse one."""

Solve = Callable[[Array], Array]


class LowestModes(NamedTuple):
    """Modes up to a cut-off, and the answers of all others to forces."""

    omega: Array
    """[rad/s], lowest first."""
    shapes: Array
    """Mass-normalised, shape (dofs, modes)."""
    static: Solve
    """Displacements of the modes above at rest under forces, (dofs, k) to (dofs, k)."""
    inertial: Solve
    """Accelerations of the modes above at the instant when forces set in."""


class LargeMatrices:
    """K and M of a large structure, and those of its modes that were asked for."""

    def __init__(self, stiffness: Array, mass: Array) -> None:
        self._stiffness, self._mass = sparse.csc_array(stiffness), sparse.csc_array(mass)
        self._mobile = _solver(self._mass)
        self._shift_for = 0.0
        self._omega, self._shapes = np.zeros(0), np.zeros((stiffness.shape[0], 0))

    def lowest(self, count: int) -> tuple[Array, Array]:
        """Return so many modes, or one less than there are degrees of freedom: ω and Φ, for pictures."""
        n = self._stiffness.shape[0]
        stiff, heavy = (matrix.diagonal().sum() for matrix in (self._stiffness, self._mass))
        shift = LEAST_SHIFT * float(stiff / heavy)
        flexible = _solver(self._stiffness + shift * self._mass)
        invert = LinearOperator((n, n), matvec=flexible, dtype=np.float64)
        start = np.random.default_rng(0).normal(size=n)
        squares, shapes = eigsh(
            self._stiffness, min(count, n - 1), self._mass, sigma=-shift, OPinv=invert, v0=start
        )  # fmt: skip
        order = np.argsort(squares)
        return np.sqrt(np.maximum(squares[order], 0.0)), shapes[:, order]

    @property
    def first(self) -> float:
        """Circular frequency of the lowest mode [rad/s], once modes were asked for."""
        return float(self._omega[0])

    def up_to(self, cutoff: float) -> LowestModes:
        """Return the modes up to a circular frequency [rad/s]."""
        if not self._shift_for or not self._shift_for / WIDEST <= cutoff <= self._shift_for * WIDEST:
            self._shift_for, self._omega = cutoff, np.zeros(0)
            self._flexible = _solver(self._stiffness + self._shift * self._mass)
        if not self._omega.size or self._omega[-1] <= cutoff:
            self._seek(cutoff)
        kept = self._omega <= cutoff
        omega, shapes = self._omega[kept], self._shapes[:, kept]
        stiffness, flexible, mobile, momenta = self._stiffness, self._flexible, self._mobile, self._mass @ shapes

        def above(found: Array) -> Array:
            """Return displacements without their part in the modes below."""
            rest: Array = found - shapes @ (momenta.T @ found)
            return rest

        def static(forces: Array) -> Array:
            own = forces - momenta @ (shapes.T @ forces)
            found = above(flexible(own))
            for _ in range(REFINEMENTS):
                found = found + above(flexible(own - stiffness @ found))
            return found

        return LowestModes(omega, shapes, static, lambda forces: above(mobile(forces)))

    @property
    def _shift(self) -> float:
        return SHIFT * self._shift_for**2

    def _seek(self, cutoff: float) -> None:
        """Find modes until one lies above a cut-off, or all but one."""
        n = self._stiffness.shape[0]
        invert = LinearOperator((n, n), matvec=self._flexible, dtype=np.float64)
        start = np.random.default_rng(0).normal(size=n)
        sought = max(FIRST_TRY, 2 * self._omega.size)
        while True:
            sought = min(sought, n - 1)
            squares, shapes = eigsh(
                self._stiffness, sought, self._mass, sigma=-self._shift, OPinv=invert, v0=start
            )  # fmt: skip
            if squares.max() > cutoff**2 or sought == n - 1:
                break
            sought *= 2
        # what is found is orthonormal to the tolerance of the search; now to rounding
        squares, turn = linalg.eigh(
            symmetric(shapes.T @ (self._stiffness @ shapes)), symmetric(shapes.T @ (self._mass @ shapes))
        )
        squares[np.abs(squares) <= ROUNDED * self._shift] = 0.0
        self._omega, self._shapes = np.sqrt(squares), shapes @ turn


def _solver(matrix: sparse.csc_array) -> Solve:
    """Return what solves a symmetric positive definite system again and again."""
    if matrix.nnz < SPARSE_BELOW * matrix.shape[0] ** 2:
        factors = splu(sparse.csc_matrix(matrix), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})
        return lambda forces: np.asarray(factors.solve(np.asarray(forces, dtype=np.float64)))
    factored = linalg.cho_factor(matrix.toarray())
    return lambda forces: np.asarray(linalg.cho_solve(factored, forces))
