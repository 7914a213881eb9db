"""Which rows of ground acceleration drive the modes of a problem: one row and one factor for each mode.

The ground loads a mode with −p·a(t): p is its participation along x, y and z, a the acceleration of its support. With n
the direction of p that is |p| times the row n·a(t), and kernels need no more than a row for each different n. Where the
ground moves along one axis alone, or p is parallel to an axis, the row is that component itself and the factor that of
p, digit for digit. What an output takes along of its ground, ι·a(t), is said in the same way.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Drives", "Riders", "along_directions", "drives_of", "moving_along"]

Array: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

ALIKE = 1e-14
"""Part of the largest participation in a structure up to which what is across a direction is rounding of none."""
COMPLETE = 1e-12
"""The same of the shares of the ground that outputs take along."""


class Riders(NamedTuple):
    """What answers the ground along some vector: modes by their participation, outputs by their share of it."""

    vectors: Array
    """Shape (n, 3); of outputs instead their rows over the modes, (n, N)."""
    support: Integers
    """Shape (n,)."""
    owner: Integers
    """Index of the structure, shape (n,): what is small is so beside the others of an owner."""


class Drives(NamedTuple):
    """G rows of ground acceleration, and what modes and outputs take of them."""

    support: Integers
    """Whose acceleration each row is, shape (G,)."""
    direction: Array
    """Along which unit vector, shape (G, 3)."""
    which: Integers
    """The row that drives each mode, shape (N,)."""
    share: Array
    """The modal load of the ground is −share times that row, shape (N,)."""
    ridden: Integers
    """The row that each output rides on, shape (O,)."""
    ride: Array
    """How much of it the modes of an output make it take along, shape (O,)."""


def drives_of(modes: Riders, outputs: Riders, moving: npt.NDArray[np.bool_]) -> Drives:
    """Return the rows that drive modes and outputs; `moving`, (supports, 3), says along which axes each ground does."""
    axes = np.flatnonzero(moving.any(axis=0))
    if axes.size <= 1:  # the usual case
        axis = int(axes[0]) if axes.size else 0
        rows = np.arange(len(moving))
        return Drives(
            rows, np.tile(np.eye(3)[axis], (rows.size, 1)), modes.support,
            share := np.ascontiguousarray(modes.vectors[:, axis]), outputs.support, outputs.vectors @ share,
        )  # fmt: skip
    book = _Book()
    which, share = book.enter_all(modes, moving, ALIKE)
    ridden, ride = book.enter_all(outputs._replace(vectors=outputs.vectors @ modes.vectors), moving, COMPLETE)
    return Drives(book.support, book.direction, which, share, ridden, ride)


def moving_along(ground: Array) -> npt.NDArray[np.bool_]:
    """Return along which axes each ground moves, shape (S, 3), from accelerations (S, 3, T)."""
    return np.asarray(ground.any(axis=2), dtype=np.bool_)


def along_directions(ground: Array, support: Integers, direction: Array) -> Array:
    """Return the rows n·a(t), shape (G, T), of accelerations `ground`, (S, 3, T)."""
    found = np.empty((support.size, ground.shape[2]))
    for into, s, n in zip(found, support.tolist(), direction, strict=True):
        axis = int(np.abs(n).argmax())
        into[:] = ground[s, axis] if np.count_nonzero(n) == 1 else n @ ground[s]
    return found


class _Book:
    """The different rows found so far."""

    def __init__(self) -> None:
        self._support, self._direction = np.full(16, -1, dtype=np.int64), np.zeros((16, 3))
        self._count = 0

    @property
    def support(self) -> Integers:
        """The support of each row."""
        return self._support[: self._count]

    @property
    def direction(self) -> Array:
        """The direction of each row."""
        return self._direction[: self._count]

    def enter_all(self, riders: Riders, moving: npt.NDArray[np.bool_], alike: float) -> tuple[Integers, Array]:
        """Return for each rider its row and its factor; new rows are entered.

        Those whose vector is none take the row of the strongest of their owner: kernels work on modes side by side
        where one row drives them all.
        """
        vectors = np.where(moving[riders.support], riders.vectors, 0.0)
        size = np.linalg.norm(vectors, axis=1)
        which, share = np.zeros(size.size, dtype=np.int64), np.zeros(size.size)
        for owner in dict.fromkeys(zip(riders.owner.tolist(), riders.support.tolist(), strict=True)):
            own = np.flatnonzero((riders.owner == owner[0]) & (riders.support == owner[1]))
            slack = alike * float(size[own].max())
            strongest = int(own[size[own].argmax()])
            first, _ = self._entered(owner[1], vectors[strongest], slack)
            for k in own.tolist():
                if size[k] > slack:
                    which[k], share[k] = self._entered(owner[1], vectors[k], slack)
                else:
                    which[k], share[k] = first, float(vectors[k] @ self.direction[first])
        return which, share

    def _entered(self, support: int, vector: Array, slack: float) -> tuple[int, float]:
        """Return the row along a vector, entered if it is new, and the factor."""
        axis = int(np.abs(vector).argmax())
        if np.delete(np.abs(vector), axis).max() <= slack:
            direction, share = np.eye(3)[axis], float(vector[axis])
        else:
            size = float(np.copysign(np.linalg.norm(vector), vector[axis]))
            direction, share = vector / size, size
        across = np.abs(vector - (self.direction @ vector)[:, None] * self.direction).max(axis=1)
        across[self.support != support] = np.inf
        nearest = int(across.argmin()) if across.size else 0
        if across.size and across[nearest] <= slack:
            met = self.direction[nearest]
            return nearest, share if np.array_equal(met, direction) else float(met @ vector)
        if self._count == self._support.size:
            self._support = np.resize(self._support, 2 * self._count)
            self._direction = np.resize(self._direction, (2 * self._count, 3))
        self._support[self._count], self._direction[self._count] = support, direction
        self._count += 1
        return self._count - 1, share
