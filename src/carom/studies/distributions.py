"""From points of the unit cube to values: distributions, correlation, lists."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.budget import FLOAT, PROGRAM, afford
from carom.errors import InputError
from carom.scenario.studies.parameters import Parameter
from carom.scenario.studies.reading import Study
from carom.studies.samplers import SAMPLERS, Axis
from carom.studies.samplers.base import in_the_open

__all__ = ["correlated", "quantile", "sampled"]

Array = npt.NDArray[np.float64]
ORDERED = ("grid", "paired", "saltelli", "morris")
"""Samplers whose points lie where they must; correlation would move them."""


def sampled(study: Study) -> dict[str, npt.NDArray[Any]]:
    """Return the values of every parameter, sample by sample."""
    name = SAMPLERS.name_of(study.sampler.kind)
    axes = [Axis(one.name, one.levels if one.values is None else len(one.values)) for one in study.parameters]
    _refuse_beyond_budget(name, axes, study.sampler.samples)
    points = SAMPLERS.get(name)(axes, study.sampler.samples, study.sampler.seed)
    if study.correlation is not None:
        if name in ORDERED:
            raise InputError(
                f"The sampler {name} puts its points where they must be; correlated parameters need latin-hypercube, "
                "sobol or random."
            )
        points = correlated(points, study.correlation)
    return {one.name: _values(one, points[:, i]) for i, one in enumerate(study.parameters)}


def _refuse_beyond_budget(name: str, axes: Sequence[Axis], samples: int | None) -> None:
    """Refuse more samples than there is memory for, before they are drawn."""
    levels = [axis.levels or 1 for axis in axes]
    points = math.prod(levels) if name == "grid" else (samples or max(levels, default=1))
    points *= {"saltelli": len(axes) + 2, "morris": len(axes) + 1}.get(name, 1)
    afford(
        PROGRAM + 4.0 * FLOAT * points * (len(axes) + 1), what="The study",
        because=f"{points:,} samples of {len(axes)} parameters" if points < 10**12 else f"{float(points):.3g} samples",
        way_out="Ask for fewer samples, or for fewer values of the parameters of a grid.",
    )  # fmt: skip


def correlated(points: Array, correlation: Array) -> Array:
    """Return points with the marginals kept and their normal scores correlated: a Gaussian copula."""
    from scipy.special import ndtr, ndtri

    lower = _root(correlation)
    return in_the_open(np.asarray(ndtr(ndtri(points) @ lower.T), dtype=np.float64))


def _root(correlation: Array) -> Array:
    """Return L with L Lᵀ = R, also where R is singular (fully correlated parameters)."""
    values, vectors = np.linalg.eigh(correlation)
    _, r = np.linalg.qr((vectors * np.sqrt(np.maximum(values, 0.0))).T)
    return np.asarray(r.T * np.sign(np.where(np.diag(r) == 0.0, 1.0, np.diag(r))), dtype=np.float64)


def quantile(distribution: str, numbers: Mapping[str, float], probability: Array) -> Array:
    """Return the values that a distribution does not exceed with these probabilities."""
    from scipy.special import ndtr, ndtri

    low, high = numbers.get("low", -np.inf), numbers.get("high", np.inf)
    if distribution == "uniform":
        return low + probability * (high - low)
    if distribution == "log-uniform":
        return np.asarray(np.exp(np.log(low) + probability * np.log(high / low)), dtype=np.float64)
    if distribution == "triangular":
        mode, width = numbers["mode"], high - low
        rising = low + np.sqrt(probability * width * (mode - low))
        falling = high - np.sqrt((1.0 - probability) * width * (high - mode))
        return np.where(probability < (mode - low) / width, rising, falling)
    logarithmic = distribution == "lognormal"
    centre = np.log(numbers["median"]) if logarithmic else numbers["mean"]
    spread = numbers["dispersion"] if logarithmic else numbers["std"]
    ends = np.array([low, high])
    if logarithmic:
        with np.errstate(divide="ignore"):
            ends = np.log(np.maximum(ends, 0.0))
    below, above = ndtr((ends - centre) / spread)
    score = ndtri(below + probability * (above - below))
    found = np.clip(centre + spread * score, *ends)  # rounding in a far tail
    return np.asarray(np.exp(found) if logarithmic else found, dtype=np.float64)


def _values(parameter: Parameter, points: Array) -> npt.NDArray[Any]:
    if parameter.values is None:
        with np.errstate(over="ignore", invalid="ignore"):
            found = quantile(parameter.distribution, dict(parameter.numbers), points)
        if not np.isfinite(found).all():
            told = ", ".join(f"{name} = {value:g}" for name, value in parameter.numbers)
            raise InputError(
                f"`parameters.{parameter.name}` draws samples that are not finite ({parameter.distribution} with "
                f"{told}). Make it narrower, or cut it by low and high."
            )
        return found
    count = len(parameter.values)
    at = np.minimum((points * count).astype(np.int64), count - 1)
    if parameter.is_number:
        return np.array(parameter.values, dtype=np.float64)[at]
    values = np.empty(count, dtype=object)
    values[:] = parameter.values
    chosen: npt.NDArray[Any] = values[at]
    return chosen
