"""The lowest modes of large structures by shift-invert, and what they leave of static and inertial answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import LinearOperator, eigsh, splu

from carom.structures.matrices import Array, symmetric

__all__ = ["LowestModes", "lowest_modes"]

SHIFT = 1e-6
"""Share of the square of the cut-off that is added to ω², so that rigid modes can be inverted, too."""
REFINEMENTS = 2
"""Corrections of a static answer for that shift: each leaves SHIFT of the error before it."""
FIRST_TRY = 48
"""Modes sought at first; twice as many until one lies above the cut-off."""
SPARSE_BELOW = 0.1
"""Share of entries that are not zero, below which a matrix is factored as a sparse one."""

ROUNDED = 1e-3
"""Share of the shift, below which a square of a frequency counts as zero: a rigid mode."""

Solve = Callable[[Array], Array]


class LowestModes(NamedTuple):
    """Modes below a cut-off, and the answers of all others to forces."""

    omega: Array
    """[rad/s], lowest first."""
    shapes: Array
    first: float
    """Circular frequency of the lowest mode, below the cut-off or not [rad/s]."""
    static: Solve
    """Displacements of the modes above at rest under forces, (dofs, k) to (dofs, k)."""
    inertial: Solve
    """Accelerations of the modes above at the instant when forces set in."""


def lowest_modes(stiffness: Array, mass: Array, cutoff: float) -> LowestModes:
    """Return the modes up to a circular frequency `cutoff` [rad/s], mass-normalised, lowest first."""
    shift = SHIFT * cutoff**2
    k, m = sparse.csc_array(stiffness), sparse.csc_array(mass)
    flexible, mobile = _solver(k + shift * m), _solver(m)
    omega, shapes = _found(k, m, cutoff, shift, flexible)
    first = float(omega[0])
    omega, shapes = omega[omega <= cutoff], shapes[:, omega <= cutoff]
    momenta = m @ shapes

    def above(found: Array) -> Array:
        """Return a displacement without its part in the modes below."""
        rest: Array = found - shapes @ (momenta.T @ found)
        return rest

    def static(forces: Array) -> Array:
        own = forces - momenta @ (shapes.T @ forces)
        found = above(flexible(own))
        for _ in range(REFINEMENTS):
            found = found + above(flexible(own - k @ found))
        return found

    return LowestModes(omega, shapes, first, static, lambda forces: above(mobile(forces)))


def _found(
    stiffness: sparse.csc_array, mass: sparse.csc_array, cutoff: float, shift: float, flexible: Solve
) -> tuple[Array, Array]:
    n = stiffness.shape[0]
    invert = LinearOperator((n, n), matvec=flexible, dtype=np.float64)
    start = np.random.default_rng(0).normal(size=n)
    sought = FIRST_TRY
    while True:
        sought = min(sought, n - 1)
        squares, shapes = eigsh(stiffness, sought, mass, sigma=-shift, OPinv=invert, v0=start)
        if squares.max() > cutoff**2 or sought == n - 1:
            break
        sought *= 2
    # what is found is orthonormal to the tolerance of the search; now to rounding
    squares, turn = linalg.eigh(symmetric(shapes.T @ (stiffness @ shapes)), symmetric(shapes.T @ (mass @ shapes)))
    squares[np.abs(squares) <= shift * ROUNDED] = 0.0
    return np.sqrt(squares), shapes @ turn


def _solver(matrix: sparse.csc_array) -> Solve:
    """Return what solves a symmetric positive definite system again and again."""
    if matrix.nnz < SPARSE_BELOW * matrix.shape[0] ** 2:
        factors = splu(sparse.csc_matrix(matrix), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})
        return lambda forces: np.asarray(factors.solve(np.asarray(forces, dtype=np.float64)))
    factored = linalg.cho_factor(matrix.toarray())
    return lambda forces: np.asarray(linalg.cho_solve(factored, forces))
