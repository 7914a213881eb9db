"""Every parameter evenly spread, combined at random (McKay, Beckman and Conover 1979)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from carom.studies.samplers.base import Array, Axis, in_the_open, needed, register_sampler

__all__ = ["latin_hypercube"]


@register_sampler("latin-hypercube", aliases=("lhs",))
def latin_hypercube(axes: Sequence[Axis], samples: int | None, seed: int) -> Array:
    """Return points of which every axis has exactly one in each of `samples` equal parts."""
    from scipy.stats import qmc

    count = needed(samples, "latin-hypercube")
    if not axes:
        return np.empty((count, 0))
    return in_the_open(qmc.LatinHypercube(len(axes), rng=np.random.default_rng(seed)).random(count))
