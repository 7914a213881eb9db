"""Achieved restitution beside the one asked for: what a law really returns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from carom.integrate.impact import impact
from carom.laws.base import CompliantLaw, DampedLaw
from carom.laws.catalogue import laws

__all__ = ["achieved_restitution", "example"]


def example(kind: type[CompliantLaw]) -> CompliantLaw:
    """Return a law of this kind with unit stiffness and e = ½, to ask about the kind itself."""
    if issubclass(kind, DampedLaw):
        return kind(stiffness=1.0, restitution=0.5)
    return kind(stiffness=1.0)


def achieved_restitution(name: str, asked: npt.ArrayLike) -> npt.NDArray[np.float64] | None:
    """Return the restitution that the law achieves for each value asked for.

    Every published relation between e and damping is free of mass, speed and stiffness, so that unit values serve.
    None for a law without such a relation; NaN where the relation is not defined.
    """
    kind = laws.get(name)
    e = np.asarray(asked, dtype=np.float64)
    sample = example(kind)
    if not isinstance(sample, DampedLaw) or sample.empirical:
        return None
    defined = np.array([float(x) in sample.valid_restitution() for x in e])
    result = np.full(e.shape, np.nan)
    damping = sample.replace(restitution=e[defined]).damping_value()
    result[defined] = impact(kind(stiffness=1.0, damping=damping), mass=1.0, velocity=1.0).restitution  # type: ignore[call-arg]
    return result
