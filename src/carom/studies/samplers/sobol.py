"""Sobol's sequence, scrambled (Owen 1998): evenly spread in all directions at once."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence

import numpy as np

from carom.studies.samplers.base import Array, Axis, in_the_open, needed, register_sampler

__all__ = ["sobol"]


@register_sampler("sobol")
def sobol(axes: Sequence[Axis], samples: int | None, seed: int) -> Array:
    """Return the first points of the sequence; powers of two keep its balance."""
    from scipy.stats import qmc

    count = needed(samples, "sobol")
    if not axes:
        return np.empty((count, 0))
    engine = qmc.Sobol(len(axes), rng=np.random.default_rng(seed))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that the count is no power of two
        points = engine.random_base2(max(0, math.ceil(math.log2(count))))[:count]
    return in_the_open(points)
