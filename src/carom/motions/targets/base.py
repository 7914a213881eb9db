"""A target spectrum: pseudo-acceleration over period."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from carom import units
from carom.errors import refusal
from carom.motions.motion import Array, Motion

__all__ = ["Target", "of_motion", "period_range", "periods_between", "table"]


@dataclass(frozen=True, eq=False)
class Target:
    """A spectrum to aim at."""

    name: str
    curve: Callable[[Array], Array] = field(repr=False)
    """Pseudo-acceleration [m/s²] over periods [s]."""
    damping: float = 0.05
    """Damping ratio it is meant for [–]."""
    low: float = 0.0
    """Shortest period that it is defined for [s]."""
    high: float = math.inf
    """Longest period [s]."""

    def sa(self, periods: object) -> Array:
        """Return the pseudo-acceleration [m/s²] at periods [s]; those it is not defined for are refused."""
        given = units.array(periods, "s", name="periods", owner=self.name, within=units.NONNEGATIVE)
        slack = 1e-9
        if given.size and not (given.min() >= self.low * (1.0 - slack) and given.max() <= self.high * (1.0 + slack)):
            raise refusal(
                "periods", self.name, f"must lie in [{self.low:g}, {self.high:g}] s, where it is defined",
                [float(given.min()), float(given.max())],
            )  # fmt: skip
        return np.asarray(self.curve(np.clip(given, self.low, self.high)), dtype=np.float64)

    def scaled(self, factor: object) -> Target:
        """Return the target times a factor [–]."""
        by = units.number(factor, "", name="factor", owner="Target", within=units.POSITIVE)
        curve = self.curve
        return Target(f"{by:g} × {self.name}", lambda periods: by * curve(periods), self.damping, self.low, self.high)


def table(periods: object, sa: object, *, name: str = "table", damping: object = 0.05, unit: str = "m/s2") -> Target:
    """Return the target through points, straight between them in log-log.

    ``periods`` [s] grow; ``sa`` is their pseudo-acceleration in ``unit``; ``damping`` [–] is that of the target.
    """
    from carom.motions.quantities import acceleration_factor

    owner = "table"
    at = units.array(periods, "s", name="periods", owner=owner, within=units.NONNEGATIVE)
    values = units.array(sa, "m/s²", name="sa", owner=owner, within=units.POSITIVE) * acceleration_factor(unit, owner)
    if at.ndim != 1 or at.size < 2 or at.shape != values.shape:
        raise refusal("sa", owner, "must be as many values as periods, at least two", (at.shape, values.shape))
    if not (np.diff(at) > 0.0).all():
        raise refusal("periods", owner, "must grow from one to the next", at)
    ratio = units.number(damping, "", name="damping", owner=owner, within=units.Range(0.0, 1.0, low_open=False))
    known = at > 0.0

    def curve(wanted: Array) -> Array:
        found = np.exp(np.interp(np.log(np.maximum(wanted, 1e-12)), np.log(at[known]), np.log(values[known])))
        if known[0]:
            return np.asarray(found)
        first = float(at[1])  # from a period of zero on the line is straight in the period itself
        return np.where(wanted < first, np.interp(wanted, at, values), found)

    return Target(name, curve, ratio, float(at[0]), float(at[-1]))


def of_motion(motion: Motion, *, damping: object = 0.05) -> Target:
    """Return the spectrum of a motion as a target."""
    ratio = units.number(damping, "", name="damping", owner="of_motion", within=units.NONNEGATIVE)

    def curve(periods: Array) -> Array:
        return np.asarray(motion.spectrum(periods, ratio).psa)

    return Target(f"spectrum of {motion.name}", curve, ratio)


def period_range(periods: object, owner: str) -> tuple[float, float]:
    """Take a range of periods [s] from a user: two numbers that grow."""
    ends = units.array(periods, "s", name="periods", owner=owner, within=units.POSITIVE)
    if ends.shape != (2,) or not ends[0] < ends[1]:
        raise refusal(
            "periods", owner, "must be two periods, the shorter first", periods, "Write (0.2, 2.0), for example."
        )
    return float(ends[0]), float(ends[1])


def periods_between(low: float, high: float, per_decade: int = 40) -> Array:
    """Return periods from one to another, evenly spaced in their logarithm, both ends among them."""
    return np.geomspace(low, high, max(2, math.ceil(per_decade * math.log10(high / low)) + 1))
