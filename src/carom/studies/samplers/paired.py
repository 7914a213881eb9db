"""Values side by side: the first of every list, then the second."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from carom.errors import InputError, refusal
from carom.studies.samplers.base import Array, Axis, register_sampler

__all__ = ["paired"]


@register_sampler("paired", aliases=("list",))
def paired(axes: Sequence[Axis], samples: int | None, _: int) -> Array:
    """Return one point for each row of the lists, which must be equally long."""
    sizes = {axis.name: axis.levels for axis in axes}
    if len(set(sizes.values())) > 1 or None in sizes.values():
        told = ", ".join(f"{name}: {size or 'a distribution'}" for name, size in sizes.items())
        raise InputError(f"The sampler paired needs lists of one length for all parameters. Got {told}.")
    count = next(iter(sizes.values()), 1) or 1
    if samples is not None and samples != count:
        raise refusal("samples", "the sampler paired", f"follows from the lists: {count}", samples, "Leave it out.")
    row = (np.arange(count) + 0.5) / count
    return np.tile(row[:, None], (1, len(axes)))
