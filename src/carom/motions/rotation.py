"""Turning two horizontal components, and spectra over all angles (RotD50, RotD100).

A motion along the angle θ is a₁·cos θ + a₂·sin θ. RotDnn is the nn-th percentile of the response over all angles,
period by period: Boore (2010), Bulletin of the Seismological Society of America 100(4), 1830-1835.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from carom import units
from carom.errors import refusal
from carom.motions.motion import Array, Motion, MotionSet
from carom.motions.readers.networks.channels import is_vertical
from carom.motions.spectra import default_periods, response_spectrum

__all__ = ["RotatedSpectrum", "horizontals", "rotate", "rotated_set", "rotd"]

ANGLES = np.arange(180.0)
"""Angles over which percentiles are taken [degree]."""


class RotatedSpectrum:
    """Percentiles over all angles of the pseudo-acceleration."""

    def __init__(self, periods: Array, damping: float, over_angles: Array, name: str) -> None:
        self.periods, self.damping, self.name = periods, damping, name
        self.over_angles = over_angles
        """Pseudo-acceleration [m/s²], shape (angle, period), angles 0° to 179°."""

    def percentile(self, share: object) -> Array:
        """Return the percentile [m/s²] over the angles, 0 to 100."""
        within = units.Range(0.0, 100.0, low_open=False, high_open=False)
        number = units.number(share, "", name="share", owner="RotatedSpectrum", within=within)
        return np.asarray(np.percentile(self.over_angles, number, axis=0))

    @property
    def rotd50(self) -> Array:
        """RotD50 [m/s²]: the median over the angles."""
        return self.percentile(50.0)

    @property
    def rotd100(self) -> Array:
        """RotD100 [m/s²]: the largest over the angles."""
        return self.percentile(100.0)

    @property
    def angle(self) -> Array:
        """The angle of the largest response at each period [degree]."""
        return np.asarray(ANGLES[np.argmax(self.over_angles, axis=0)])


def horizontals(motions: MotionSet | Iterable[Motion], owner: str) -> tuple[Motion, Motion]:
    """Return the two horizontal components of a set, or of a pair; refuse others."""
    given = list(motions)
    found = [motion for motion in given if not is_vertical(motion.component)]
    if len(found) != 2:
        raise refusal(
            "motions", owner, "must have two horizontal components", [motion.component for motion in given],
            "Join two motions in a MotionSet.",
        )  # fmt: skip
    first, second = MotionSet(tuple(found))
    return first, second


def rotate(motions: MotionSet | Iterable[Motion], angle: object) -> Motion:
    """Return the motion along an angle [degree, or "0.5 rad"] from the first horizontal component to the second."""
    first, second = horizontals(motions, "rotate")
    theta = units.number(angle, "rad", name="angle", owner="rotate") if isinstance(angle, str) else math.radians(
        units.number(angle, "", name="angle", owner="rotate")
    )  # fmt: skip
    return _along(first, second, theta)


def rotated_set(motions: MotionSet, angle: object) -> MotionSet:
    """Return the set with its horizontal components turned by an angle [degree]; the vertical one stays."""
    first, second = horizontals(motions, "rotate")
    theta = math.radians(units.number(angle, "", name="angle", owner="rotate"))
    turned = {id(first): _along(first, second, theta), id(second): _along(first, second, theta + 0.5 * math.pi)}
    return MotionSet(tuple(turned.get(id(motion), motion) for motion in motions))


def rotd(motions: MotionSet | Iterable[Motion], periods: object = None, damping: object = 0.05) -> RotatedSpectrum:
    """Return the spectra of two horizontal components along 180 angles, one degree apart, and their percentiles."""
    first, second = horizontals(motions, "rotd")
    ratio = units.number(damping, "", name="damping", owner="rotd", within=units.NONNEGATIVE)
    axis = default_periods() if periods is None else units.array(
        periods, "s", name="periods", owner="rotd", within=units.NONNEGATIVE
    )  # fmt: skip
    axis = np.atleast_1d(axis)
    turned = (_along(first, second, math.radians(angle)) for angle in ANGLES)
    spectra = response_spectrum(turned, axis, ratio)
    return RotatedSpectrum(axis, ratio, np.asarray(spectra.psa), MotionSet((first, second)).name)


def _along(first: Motion, second: Motion, theta: float) -> Motion:
    degrees = math.degrees(theta)
    values = math.cos(theta) * first.acceleration + math.sin(theta) * second.acceleration
    names = first.component or first.name, second.component or second.name
    note = f"turned by {degrees:.6g}° from {names[0]} towards {names[1]}"
    return first.after(note, values, component=f"{first.component or 'H1'}+{degrees:.6g}°")
