"""Independent draws, the plain Monte Carlo method."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from carom.studies.samplers.base import Array, Axis, in_the_open, needed, register_sampler

__all__ = ["random"]


@register_sampler("random", aliases=("monte carlo",))
def random(axes: Sequence[Axis], samples: int | None, seed: int) -> Array:
    """Return independent points."""
    return in_the_open(np.random.default_rng(seed).random((needed(samples, "random"), len(axes))))
