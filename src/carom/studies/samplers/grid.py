"""Every value with every other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from carom.errors import InputError, refusal
from carom.studies.samplers.base import Array, Axis, register_sampler

__all__ = ["grid"]


@register_sampler("grid", aliases=("full grid", "full factorial"))
def grid(axes: Sequence[Axis], samples: int | None, _: int) -> Array:
    """Return the middles of all cells, the last axis running fastest."""
    sizes = []
    for axis in axes:
        if axis.levels is None:
            raise InputError(
                f"The sampler grid needs `levels` of parameter '{axis.name}': how many equally likely values of its "
                "distribution to take. Or choose latin-hypercube."
            )
        sizes.append(axis.levels)
    count = int(np.prod(sizes, dtype=np.int64))
    if samples is not None and samples != count:
        raise refusal("samples", "the sampler grid", f"follows from the values: {count}", samples, "Leave it out.")
    indices = np.unravel_index(np.arange(count), sizes) if sizes else ()
    points = [(at + 0.5) / size for at, size in zip(indices, sizes, strict=True)]
    return np.stack(points, axis=1) if points else np.empty((1, 0))
