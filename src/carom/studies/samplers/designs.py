"""Designs for the sensitivity indices of Sobol (Saltelli's scheme) and Morris, by SALib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from carom.errors import InputError
from carom.studies.extra import needs
from carom.studies.samplers.base import Array, Axis, in_the_open, needed, register_sampler

__all__ = ["morris", "saltelli"]

LEVELS = 4
"""Levels of Morris' grid."""


@register_sampler("saltelli")
def saltelli(axes: Sequence[Axis], samples: int | None, seed: int) -> Array:
    """Return `samples` · (axes + 2) points for first-order and total indices."""
    design = needs("SALib.sample.sobol")
    count = needed(samples, "saltelli")
    return in_the_open(design.sample(_unit(axes, "saltelli"), count, calc_second_order=False, seed=seed))


@register_sampler("morris")
def morris(axes: Sequence[Axis], samples: int | None, seed: int) -> Array:
    """Return `samples` trajectories of axes + 1 points, each in the middle of one of four equally likely parts."""
    design = needs("SALib.sample.morris")
    count = needed(samples, "morris")
    points = design.sample(_unit(axes, "morris"), count, num_levels=LEVELS, seed=seed)
    middles: Array = (np.rint(points * (LEVELS - 1)) + 0.5) / LEVELS
    return middles


def _unit(axes: Sequence[Axis], name: str) -> dict[str, Any]:
    if not axes:
        raise InputError(f"The sampler {name} needs parameters to vary.")
    return {"num_vars": len(axes), "names": [axis.name for axis in axes], "bounds": [[0.0, 1.0]] * len(axes)}
