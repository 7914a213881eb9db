"""The rows of ground acceleration that drive the modes of an ensemble: numbered once, for every set of structures."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from carom.problem import Drives, Riders, along_directions, drives_of

__all__ = ["DriveRows"]

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class DriveRows:
    """Different combinations of a support and a direction, numbered as they come."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, bytes], int] = {}
        self._support: list[int] = []
        self._direction: list[Array] = []
        self._met: dict[tuple[bytes, bytes], Integers] = {}

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self._support)

    def of(self, drives: Drives) -> Integers:
        """Return the numbers of the rows that drive the modes of a problem, entering those that are new."""
        key = drives.support.tobytes(), drives.direction.tobytes()  # most problems of an ensemble have the same
        if key not in self._met:
            self._met[key] = np.array([
                self._number(s, n) for s, n in zip(drives.support.tolist(), drives.direction, strict=True)
            ])  # fmt: skip
        return self._met[key][drives.which]

    def of_many(self, participation: Array, support: int, moving: npt.NDArray[np.bool_]) -> tuple[Integers, Array]:
        """Return numbers and factors, shape (S, N), of S structures in the place of one; participation (S, N, 3)."""
        axes = np.flatnonzero(moving.any(axis=0))
        heard = [axis for axis in axes if participation[..., axis].any()]
        if len(heard) <= 1:
            axis = int((*heard, *axes, 0)[0])
            which = np.full(participation.shape[:2], self._number(support, np.eye(3)[axis]))
            return which, participation[..., axis]
        which, share = np.empty(participation.shape[:2], dtype=np.int64), np.empty(participation.shape[:2])
        under = np.full(participation.shape[1], support)
        nothing = Riders(np.zeros((0, under.size)), under[:0], under[:0])
        for i, vectors in enumerate(participation):
            drives = drives_of(Riders(vectors, under, np.zeros_like(under)), nothing, moving)
            which[i], share[i] = self.of(drives), drives.share
        return which, share

    def of_ground(self, ground: Array, some: Integers | None = None) -> Array:
        """Return rows of accelerations (supports, 3, T), all of them or some, shape (rows, T)."""
        chosen = range(self.count) if some is None else some.tolist()
        support = np.array([self._support[i] for i in chosen], dtype=np.int64)
        return along_directions(ground, support, np.array([self._direction[i] for i in chosen]))

    def _number(self, support: int, direction: Array) -> int:
        key = support, direction.tobytes()
        if key not in self._numbers:
            self._numbers[key] = self.count
            self._support.append(support)
            self._direction.append(direction)
        return self._numbers[key]
