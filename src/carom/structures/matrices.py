"""Matrices as structures keep them: checked, symmetric, read-only."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from carom.errors import refusal

__all__ = ["Array", "Integers", "frozen", "square", "symmetric"]

Array: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]


def frozen(values: Array) -> Array:
    """Return the array C-contiguous and read-only; a view is copied, so that its owner is not locked."""
    result = np.ascontiguousarray(values, dtype=np.float64)
    if result.base is not None:
        result = result.copy()
    result.flags.writeable = False
    return result


def symmetric(matrix: Array) -> Array:
    """Return the mean of a matrix and its transpose."""
    result: Array = 0.5 * (matrix + matrix.T)
    return result


def square(matrix: Array, n: int, *, name: str, owner: str, way_out: str = "") -> Array:
    """Return a user's n × n matrix, symmetric to the last digit; refuse another shape and asymmetry beyond 1e-9."""
    if matrix.shape != (n, n):
        raise refusal(name, owner, f"must be a {n} × {n} matrix", matrix.shape, way_out)
    if np.abs(matrix - matrix.T).max() > 1e-9 * np.abs(matrix).max():
        raise refusal(name, owner, "must be symmetric", matrix.tolist())
    return symmetric(matrix)
