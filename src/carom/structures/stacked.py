"""Many structures that differ in numbers alone, worked out as arrays: their modes one behind the other."""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from carom.structures.matrices import Array

__all__ = ["StackedModes", "as_numbers", "value_at"]

PLAIN = {float, int, np.float64, np.float32, np.int64, np.int32}
"""Types of numbers that an array takes as they are; booleans and texts are for a structure to judge."""


class StackedModes(NamedTuple):
    """The modes of S structures with lumped masses and one set of places, as `Modes` has those of one."""

    omega: Array
    """Circular frequencies [rad/s], shape (S, modes), lowest first."""
    shapes: Array
    """Mode shapes Φ [kg^-½], shape (S, dofs, modes)."""
    sigma: Array
    """Rates of decay σ = ζω [1/s], shape (S, modes)."""
    masses: Array
    """The diagonal of M [kg], shape (S, dofs)."""
    load: Array
    """Constant forces [N], shape (S, dofs)."""


def as_numbers(values: Any) -> Array | None:
    """Return numbers, or rows of numbers of one length, as an array; None where anything else is among them."""
    if isinstance(values, np.ndarray):
        return values.astype(np.float64) if values.dtype.kind in "fiu" and values.ndim in (1, 2) else None
    kinds = set(map(type, values))
    rows = kinds <= {tuple, list, np.ndarray}
    try:
        if not (set(map(type, chain.from_iterable(values))) if rows else kinds) <= PLAIN:
            return None
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):  # rows of several lengths, whole numbers beyond all floats
        return None


def value_at(values: Any, i: int) -> Any:
    """Return one of many values as a user would write it: of an array, a plain number or a list of them."""
    found = values[i]
    return found.tolist() if isinstance(found, (np.ndarray, np.generic)) else found
