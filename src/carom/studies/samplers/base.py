"""What a sampler is: a function from axes to points of the unit cube.

    @register_sampler("mine")
    def mine(axes: Sequence[Axis], samples: int | None, seed: int) -> Array: ...

It returns one row for each sample and one column for each axis, all in (0, 1): the probability at which a value is
taken from its distribution, or its place among values that are listed. The same arguments give the same points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from carom.errors import InputError
from carom.registry import Registry

__all__ = ["SAMPLERS", "Array", "Axis", "Sampler", "in_the_open", "needed", "register_sampler"]

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Axis:
    """One parameter, as a sampler sees it."""

    name: str
    levels: int | None = None
    """How many values it has; None: infinitely many."""


Sampler = Callable[[Sequence[Axis], int | None, int], Array]
SAMPLERS: Registry[Sampler] = Registry("sampler", "carom.studies.samplers")


def register_sampler(name: str, *, aliases: tuple[str, ...] = ()) -> Callable[[Sampler], Sampler]:
    """Make a function a sampler that a study file may name."""

    def decorate(sampler: Sampler) -> Sampler:
        return SAMPLERS.register(name, sampler, aliases)

    return decorate


def needed(samples: int | None, name: str) -> int:
    """Return how many samples were asked for; refuse where nobody said."""
    if samples is None:
        raise InputError(f"The sampler {name} needs `samples`. Write samples = 1000 under [sampler], for example.")
    return samples


def in_the_open(points: Array) -> Array:
    """Return points with 0 and 1 moved inside by the least: a distribution may be endless there."""
    least = 2.0**-53
    return np.clip(points, least, 1.0 - least)
