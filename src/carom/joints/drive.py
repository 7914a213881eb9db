"""A joint driven along a path by hand, in plain Python: for frames, tests and whoever tries a rule out."""

from __future__ import annotations

from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from carom.joints.base import Joint

__all__ = ["Answer", "Driven"]

Array: TypeAlias = npt.NDArray[np.float64]


class Answer(NamedTuple):
    """What a joint of n rows says to a deformation and its rate."""

    force: Array
    """[N], shape (n,)."""
    by_d: Array
    """∂f/∂d [N/m], shape (n, n)."""
    by_rate: Array
    """∂f/∂ḋ [N·s/m], shape (n, n)."""
    after: Array
    """What the joint would remember."""


class Driven:
    """A joint with its memory; `try_at` leaves it as it is, `move_to` ends a step."""

    def __init__(self, joint: Joint) -> None:
        self.joint = joint
        self.numbers = np.array(joint.numbers(), dtype=np.float64)
        self.memory = np.zeros(joint.slots)
        self.at = np.zeros(joint.dimension)

    def copy(self) -> Self:
        """Return the joint as it is now, with a memory of its own."""
        twin = type(self)(self.joint)
        twin.memory, twin.at = self.memory.copy(), self.at.copy()
        return twin

    def try_at(self, d: npt.ArrayLike, rate: npt.ArrayLike = 0.0) -> Answer:
        """Return force, tangents and memory at a deformation [m] with a rate [m/s]."""
        n = self.joint.dimension
        follow: Any = type(self.joint).follow
        d, rate = (np.array(np.broadcast_to(value, n), dtype=np.float64) for value in (d, rate))
        found = Answer(np.zeros(n), np.zeros((n, n)), np.zeros((n, n)), np.zeros(self.joint.slots))
        if n > 1:
            follow(self.numbers, self.memory, d, rate, found.after, found.force, found.by_d, found.by_rate)
        else:
            answer = follow(self.numbers, self.memory, float(d[0]), float(rate[0]), found.after)
            found.force[0], found.by_d[0, 0], found.by_rate[0, 0] = answer
        return found

    def move_to(self, d: npt.ArrayLike, rate: npt.ArrayLike = 0.0) -> Array:
        """End a step at a deformation [m] with a rate [m/s], and return the force there [N]."""
        found = self.try_at(d, rate)
        self.memory, self.at = found.after, np.array(np.broadcast_to(d, self.at.shape), dtype=np.float64)
        return found.force

    @property
    def stored(self) -> float:
        """What can be had back now [J]."""
        stored: Any = type(self.joint).stored
        return float(stored(self.numbers, self.memory, self.at if self.joint.dimension > 1 else float(self.at[0])))
