"""The lowest modes of a structure, by which pictures and outputs such as ``"mode 3"`` know it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from carom.errors import refusal
from carom.structures.matrices import Array, frozen

if TYPE_CHECKING:
    from carom.structures.base import LinearStructure

__all__ = ["MOST_DRAWN", "DrawnModes", "drawn_modes", "modal_row"]

MOST_DRAWN = 40
"""Modes of a large structure that pictures know; a building's displacements differ by less than a line is thick."""
MODE = re.compile(r"mode ([1-9]\d*)")


class DrawnModes(NamedTuple):
    """The lowest modes, each scaled so that its largest component is one."""

    omega: Array
    """[rad/s]."""
    shapes: Array
    """Shape (dofs, modes)."""


def drawn_modes(structure: LinearStructure, count: int = MOST_DRAWN) -> DrawnModes:
    """Return the lowest modes of a structure, at most so many."""
    if structure.large:
        omega, shapes = structure.large_matrices.lowest(count)
    else:
        omega, shapes, _ = structure.modes()
    omega, shapes = omega[:count], shapes[:, :count]
    largest = np.take_along_axis(shapes, np.abs(shapes).argmax(axis=0, keepdims=True), axis=0)
    return DrawnModes(frozen(omega), frozen(shapes / largest))


def modal_row(structure: LinearStructure, place: object) -> Array | None:
    """Return the row r of ``"mode 3"``: r·u is how much of that mode u holds; None for any other place."""
    found = MODE.fullmatch(place) if isinstance(place, str) else None
    if found is None or place in structure.dof_names:
        return None
    number, modes = int(found[1]), structure.lowest_modes
    if number > modes.omega.size:
        raise refusal("place", structure.owner, f"must be one of its first {modes.omega.size} modes", place)
    shape = modes.shapes[:, number - 1]
    momentum = structure.mass_matrix @ shape
    return frozen(momentum / float(shape @ momentum))
