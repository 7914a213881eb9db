"""Components of ground motion that shake together: what a study takes where a motion along x is not all."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from carom.motions.motion import Motion

__all__ = ["Components", "given_to_problem", "time_base_of"]


@dataclass(frozen=True, eq=False)
class Components:
    """Motions along some of x, y and z, in the place of a `Motion`: named, measured and scaled as one.

    Those under one structure alone go by ``"x under pier"``. Its peak acceleration is that of its largest component,
    its spectral acceleration the geometric mean of those along x and y, under whatever structure; vertical ones count
    where there are no others.
    """

    along: Mapping[str, Motion]

    @cached_property
    def name(self) -> str:
        """A short name for tables and legends."""
        return " + ".join(dict.fromkeys(motion.name for motion in self.along.values()))

    @property
    def pga(self) -> float:
        """Peak ground acceleration of the largest component [m/s²]."""
        return max(motion.pga for motion in self.along.values())

    @property
    def dt(self) -> float:
        """The smallest time between samples [s]."""
        return min(motion.dt for motion in self.along.values())

    @property
    def duration(self) -> float:
        """From the first sample of a component to the last of one [s]."""
        ends = [motion.start + motion.duration for motion in self.along.values()]
        return max(ends) - min(motion.start for motion in self.along.values())

    @property
    def npts(self) -> int:
        """Number of samples of all components."""
        return sum(motion.npts for motion in self.along.values())

    def sa(self, period: object, damping: object = 0.05) -> float:
        """Spectral acceleration at a period [m/s²]."""
        return math.prod(motion.sa(period, damping) for motion in self.level) ** (1.0 / len(self.level))

    @property
    def level(self) -> list[Motion]:
        """Those along x and y, whose spectra count; the vertical one where it is alone."""
        return [motion for axis, motion in self.along.items() if not axis.startswith("z")] or list(self.along.values())

    @property
    def event(self) -> str:
        """The earthquake, by the first component."""
        return next(iter(self.along.values())).event

    def scaled(self, *, factor: float) -> Components:
        """Scale all components by one factor [–]."""
        return Components({axis: motion.scaled(factor=factor) for axis, motion in self.along.items()})

    def finer(self, step: float) -> Components:
        """Return them with samples at most so far apart [s], on one step where their steps are multiples."""
        finest = self.dt / max(math.ceil(self.dt / step - 1e-9), 1)
        parts = {axis: math.ceil(motion.dt / finest - 1e-9) for axis, motion in self.along.items()}
        return Components({
            axis: motion.resampled(motion.dt / parts[axis]) if parts[axis] > 1 else motion
            for axis, motion in self.along.items()
        })  # fmt: skip

    def samples(self) -> bytes:
        """Return all samples, with their directions and time bases, for a checksum."""
        told = [f"{axis} {motion.dt!r} {motion.start!r} ".encode() for axis, motion in self.along.items()]
        parts = [np.ascontiguousarray(motion.acceleration).tobytes() for motion in self.along.values()]
        return b"".join(a + b for a, b in zip(told, parts, strict=True))


def given_to_problem(motion: Motion | Components | None) -> Any:
    """Return a motion under all structures alike as `carom.Problem` takes it."""
    return dict(motion.along) if isinstance(motion, Components) else motion


def time_base_of(motion: Motion | Components) -> tuple[Any, ...]:
    """Return what motions have in common that one ensemble can run together: directions, steps and lengths."""
    if isinstance(motion, Motion):
        return motion.dt, motion.npts
    return tuple((axis, one.dt, one.npts, one.start) for axis, one in motion.along.items())
