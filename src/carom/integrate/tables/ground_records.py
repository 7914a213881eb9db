"""The ground motions of an ensemble: components as they are given, and the rows made of them that drive modes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from carom.budget import FLOAT, afford
from carom.integrate.simulate import lengthened
from carom.integrate.tables.drive_rows import DriveRows

__all__ = ["GroundRecords"]

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class GroundRecords(NamedTuple):
    """Ground motions on one time step, which last equally long."""

    given: Sequence[Array]
    """Accelerations along x, y and z of every different motion, each (supports, 3, samples) [m/s²]."""
    dt: float
    """Time between samples [s]."""
    lasting: float | None
    """How long all last [s]; None: as long as the only one."""

    @property
    def samples(self) -> float:
        """Samples of a row."""
        return self.given[0].shape[2] if self.lasting is None else self.lasting / self.dt + 1.0

    def size(self, rows: int) -> float:
        """Return the bytes that so many rows of every motion take."""
        return FLOAT * len(self.given) * rows * self.samples

    def refuse_beyond(self, rows: int) -> None:
        """Refuse motions of which so many rows at once take more memory than there is."""
        afford(
            2.0 * self.size(rows), what="The ensemble",
            because=f"{len(self.given)} motions of {rows} × {self.samples:.3g} samples",
            way_out="Shorten `duration`, or give fewer motions at once.",
        )  # fmt: skip

    def rows(self, driven: DriveRows, some: Integers | None = None) -> Array:
        """Return rows that drive modes, all or some of them, shape (motions, rows, samples)."""
        return np.array([lengthened(driven.of_ground(one, some), self.dt, self.lasting) for one in self.given])
