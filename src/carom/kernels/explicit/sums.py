"""Sums over modes that a contact takes: its overlap, the rate of that, and what rounding may make of it."""

from carom.kernels.event.flight import LEAST_NOISE, ROUNDED
from carom.kernels.explicit.rows import REACH
from carom.kernels.rows import GAP, Q
from carom.kernels.types import Matrix, Vector


def overlap(c: int, row: Vector, modes: Matrix, q: int) -> float:
    """Return reach·q − gap of contact `c` [m]; column `q` holds the displacements."""
    found = -row[GAP]
    for k in range(modes.shape[0]):
        found += modes[k, REACH + c] * modes[k, q]
    return found


def noise(c: int, row: Vector, modes: Matrix) -> float:
    """Return an overlap of contact `c` that rounding may make [m]."""
    size = abs(row[GAP])
    for k in range(modes.shape[0]):
        size += abs(modes[k, REACH + c] * modes[k, Q])
    return ROUNDED * size + LEAST_NOISE


def reached(c: int, modes: Matrix, v: int) -> float:
    """Return the rate of contact `c`'s overlap, or what else of the modes column `v` holds."""
    found = 0.0
    for k in range(modes.shape[0]):
        found += modes[k, REACH + c] * modes[k, v]
    return found
