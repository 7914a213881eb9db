"""Storeys that shear and twist: columns put together, and the modes of a building of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csgraph

from carom.structures.matrices import Array

__all__ = ["Storeys", "modal_factors", "modes_of", "storey_of"]


class Storeys(NamedTuple):
    """What a storey resists with."""

    along_x: float
    """[N/m]."""
    along_y: float
    """[N/m]."""
    turning: float
    """About the vertical axis through the centre of stiffness [N·m]."""
    centre: tuple[float, float]
    """Centre of stiffness in plan coordinates [m]."""


def storey_of(columns: Array) -> Storeys:
    """Return what columns resist with together; each is x, y, kx, ky and its own stiffness about the vertical axis.

    A force along x through y_s = Σ kx y / Σ kx turns nothing, nor one along y through x_s = Σ ky x / Σ ky. What turning
    about that centre meets is Σ kx (y − y_s)² + ky (x − x_s)² + kz.
    """
    x, y, kx, ky, own = columns.T
    along_x, along_y = float(kx.sum()), float(ky.sum())
    if not along_x or not along_y:
        return Storeys(along_x, along_y, 0.0, (0.0, 0.0))
    xs, ys = float(ky @ x) / along_y, float(kx @ y) / along_x
    return Storeys(along_x, along_y, float(kx @ (y - ys) ** 2 + ky @ (x - xs) ** 2 + own.sum()), (xs, ys))


def modal_factors(drifts: Array, springs: Array, inertia: Array) -> Array:
    """Return k^½ D m^-½, shape (S, n, n), of S buildings with the same drifts D; not finite beyond what floats hold."""
    with np.errstate(all="ignore"):
        found: Array = np.sqrt(springs)[:, :, None] * drifts / np.sqrt(inertia)[:, None, :]
    return found


def modes_of(drifts: Array, springs: Array, inertia: Array) -> tuple[Array, Array]:
    """Return ω (S, n) and Φ (S, n, n) of S buildings with springs and inertias (S, n) and the same drifts (n, n).

    ω are the singular values of k^½ D m^-½: soft modes beside stiff ones keep digits that ω² from K and M would lose.
    What is not coupled is solved by itself, so that its modes are exactly zero elsewhere: a symmetric building does not
    turn, not even by rounding, where frequencies along x, along y and in torsion agree.
    """
    count, n = springs.shape
    scale, factor = 1.0 / np.sqrt(inertia), modal_factors(drifts, springs, inertia)
    omega, shapes = np.zeros((count, n)), np.zeros((count, n, n))
    parts, part_of = csgraph.connected_components(np.abs(drifts).T @ np.abs(drifts), directed=False)
    for part in range(parts):
        dofs = np.flatnonzero(part_of == part)
        rows = np.flatnonzero(drifts[:, dofs].any(axis=1))
        _, values, turned = np.linalg.svd(factor[:, rows[:, None], dofs])
        omega[:, dofs] = values
        shapes[:, dofs[:, None], dofs] = turned.transpose(0, 2, 1)
    order = np.argsort(omega, axis=1, kind="stable")
    omega = np.take_along_axis(omega, order, axis=1)
    return omega, scale[:, :, None] * np.take_along_axis(shapes, order[:, None, :], axis=2)
