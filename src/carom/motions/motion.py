"""A ground motion: acceleration samples, joined by straight lines, with their history.

The acceleration between two samples is taken as linear; velocity, displacement, spectra and intensity
measures are exact for that reading, which is also the one the engine integrates.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import InitVar, dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from carom import units
from carom.errors import InputError, refusal
from carom.motions.quantities import acceleration_factor
from carom.plain_text import visible
from carom.registry import late

if TYPE_CHECKING:
    from carom.motions.measures import Measures
    from carom.motions.spectra import Spectrum

__all__ = ["Motion", "MotionSet"]

Array: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Motion:
    """One component of ground motion, immutable; every shaping step returns a new one and is recorded.

    Examples
    --------
    >>> import carom
    >>> motion = carom.Motion([0.0, 0.1, -0.2, 0.0], dt=0.01, unit="g")
    >>> round(motion.pga, 4), motion.duration
    (1.9613, 0.03)
    >>> motion.scaled(pga="0.3 g").processing
    ('scaled by 1.5 to a PGA of 0.3 g',)
    """

    acceleration: Array
    """Samples of the ground acceleration [m/s²], read-only."""
    dt: float
    """Time between samples [s]."""
    start: float = 0.0
    """Time of the first sample [s]."""
    component: str = ""
    event: str = ""
    station: str = ""
    source: str = ""
    """Where it came from: the name of the file, or of the generator."""
    processing: tuple[str, ...] = field(default=())
    """What was done to it since, oldest first."""
    unit: InitVar[str] = "m/s2"
    """Unit of the given samples: m/s2 (as kept), g, cm/s2, gal, …"""

    def __post_init__(self, unit: str) -> None:
        owner = "Motion"
        samples = units.array(self.acceleration, "m/s²", name="acceleration", owner=owner)
        if samples.ndim != 1 or samples.size < 2:
            raise refusal(
                "acceleration", owner, "must be a row of at least two samples", samples.shape,
                "For several components make one Motion each and join them in a MotionSet.",
            )  # fmt: skip
        factor = acceleration_factor(unit, owner)
        samples = samples * factor if factor != 1.0 else samples.copy()
        samples.flags.writeable = False
        put = object.__setattr__
        put(self, "acceleration", samples)
        put(self, "dt", units.number(self.dt, "s", name="dt", owner=owner, within=units.POSITIVE))
        put(self, "start", units.number(self.start, "s", name="start", owner=owner))
        put(self, "processing", tuple(visible(str(step)) for step in self.processing))
        for name in ("component", "event", "station", "source"):  # headers of files, and the names of files
            put(self, name, visible(str(getattr(self, name))))

    @property
    def npts(self) -> int:
        """Number of samples."""
        return int(self.acceleration.size)

    @property
    def duration(self) -> float:
        """Time from the first sample to the last [s]."""
        return (self.npts - 1) * self.dt

    @property
    def name(self) -> str:
        """A short name for tables and legends: the source without its folder and suffix, and a component of it."""
        file, _, part = self.source.partition(", component ")
        stem = " ".join(word for word in (Path(file).stem if file else "", part) if word)
        return stem or " ".join(part for part in (self.station, self.component) if part) or "motion"

    @cached_property
    def time(self) -> Array:
        """Times of the samples [s]."""
        return _read_only(self.start + self.dt * np.arange(self.npts, dtype=np.float64))

    @cached_property
    def velocity(self) -> Array:
        """Ground velocity [m/s] at the samples, from rest: the exact integral."""
        a = self.acceleration
        return _read_only(_running(0.5 * self.dt * (a[:-1] + a[1:])))

    @cached_property
    def displacement(self) -> Array:
        """Ground displacement [m] at the samples, from rest: the exact double integral."""
        a, dt = self.acceleration, self.dt
        return _read_only(_running(dt * self.velocity[:-1] + dt * dt * (2.0 * a[:-1] + a[1:]) / 6.0))

    @property
    def pga(self) -> float:
        """Peak ground acceleration [m/s²]."""
        return float(np.abs(self.acceleration).max())

    @property
    def pgv(self) -> float:
        """Peak ground velocity [m/s], the true extreme between samples included."""
        from carom.motions import measures

        return measures.pgv(self)

    @property
    def pgd(self) -> float:
        """Peak ground displacement [m], the true extreme between samples included."""
        from carom.motions import measures

        return measures.pgd(self)

    def measures(self) -> Measures:
        """Return all intensity measures: PGA, PGV, PGD, Arias, CAV, durations, Housner and more."""
        from carom.motions import measures

        return measures.measure(self)

    def spectrum(self, periods: object = None, damping: object = 0.05, **options: Any) -> Spectrum:
        """Return the response spectrum; see `carom.motions.response_spectrum`."""
        from carom.motions import spectra

        return spectra.response_spectrum(self, periods, damping, **options)

    def sa(self, period: object, damping: object = 0.05) -> float:
        """Return the spectral (absolute) acceleration [m/s²] at one period [s]."""
        from carom.motions import spectra

        return spectra.sa(self, period, damping)

    def scaled(self, **how: Any) -> Motion:
        """Scale by ``factor=``, to ``pga=``, ``pgv=``, ``sa=`` or ``sa_avg=``; see `adjustments.scale`."""
        from carom.motions import adjustments

        return adjustments.scale(self, **how)

    def trimmed(self, start: object = None, end: object = None) -> Motion:
        """Keep the samples between two times [s]; see `adjustments.trim`."""
        from carom.motions import adjustments

        return adjustments.trim(self, start, end)

    def tapered(self, **how: Any) -> Motion:
        """Fade the ends in and out; see `adjustments.taper`."""
        from carom.motions import adjustments

        return adjustments.taper(self, **how)

    def padded(self, before: object = 0.0, after: object = 0.0) -> Motion:
        """Put zeros before and after [s]; see `adjustments.pad`."""
        from carom.motions import adjustments

        return adjustments.pad(self, before, after)

    def resampled(self, dt: object) -> Motion:
        """Resample to another time step [s] without aliasing; see `adjustments.resample`."""
        from carom.motions import adjustments

        return adjustments.resample(self, dt)

    def baseline_corrected(self, **how: Any) -> Motion:
        """Remove a drift of the baseline; see `adjustments.correct_baseline`."""
        from carom.motions import adjustments

        return adjustments.correct_baseline(self, **how)

    def filtered(self, low: object = None, high: object = None, **how: Any) -> Motion:
        """Band-pass by an acausal Butterworth filter, corners in Hz; see `adjustments.band_pass`."""
        from carom.motions import adjustments

        return adjustments.band_pass(self, low, high, **how)

    def write(self, path: object, **how: Any) -> Path:
        """Write to a file; see `carom.motions.write_motion`."""
        from carom.motions import writers

        return writers.write_motion(self, path, **how)

    def replace(self, **changes: Any) -> Motion:
        """Return a copy with some fields changed."""
        known = {f.name for f in fields(self)} | {"unit"}
        for name in changes:
            if name not in known:
                raise InputError(f"Motion has no field `{name}`. It has {', '.join(sorted(known))}.")
        if "unit" in changes and "acceleration" not in changes:
            raise InputError("`unit` of Motion is that of new samples. Give `acceleration` with it, or scale.")
        return replace(self, **changes)

    def after(self, step: str, acceleration: Array, **changes: Any) -> Motion:
        """Return the motion with new samples and one more processing step on its record."""
        return replace(self, acceleration=acceleration, processing=(*self.processing, step), **changes)

    def _details(self) -> tuple[object, ...]:
        return (self.dt, self.start, self.component, self.event, self.station, self.source, self.processing)

    def __getstate__(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.acceleration.flags.writeable = False  # pickling forgets it

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Motion):
            return NotImplemented
        same = self._details() == other._details()
        return same and np.array_equal(self.acceleration, other.acceleration)

    @cached_property
    def _hash(self) -> int:
        digest = hashlib.blake2b((self.acceleration + 0.0).tobytes(), digest_size=8).digest()
        return hash((*self._details(), digest))

    def __hash__(self) -> int:
        return self._hash

    def _repr_html_(self) -> str:
        return str(late("carom.reports.notebook:motion")(self))

    def __repr__(self) -> str:
        label = f"'{self.name}': " if self.name != "motion" else ""
        peak = self.pga / units.standard_gravity
        return f"<Motion {label}{self.npts} samples at {self.dt:g} s, PGA {peak:.4g} g>"


@dataclass(frozen=True)
class MotionSet:
    """Two or three components recorded together: same time step, same start, same station."""

    components: tuple[Motion, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "components", tuple(self.components))
        if not 2 <= len(self.components) <= 3:
            raise refusal("components", "MotionSet", "must be two or three motions", len(self.components))
        lead = self.components[0]
        for other in self.components[1:]:
            for what in ("dt", "start", "npts", "station"):
                mine, its = getattr(lead, what), getattr(other, what)
                if what == "station" and not (mine and its):
                    continue
                if mine != its:
                    raise refusal(
                        what, "MotionSet", f"must be the same for all components, here {mine!r}", its,
                        "Resample, trim or pad the components to a common time base first.",
                    )  # fmt: skip

    @property
    def dt(self) -> float:
        """Time between samples [s]."""
        return self.components[0].dt

    @property
    def name(self) -> str:
        """A short name for tables and legends."""
        return " + ".join(dict.fromkeys(motion.name for motion in self.components))

    @property
    def pga(self) -> float:
        """Peak ground acceleration of the largest component [m/s²]."""
        return max(motion.pga for motion in self.components)

    def scaled(self, *, factor: object) -> MotionSet:
        """Scale all components by one factor [–]."""
        return MotionSet(tuple(motion.scaled(factor=factor) for motion in self.components))

    def rotated(self, angle: object) -> MotionSet:
        """Turn the horizontal components by an angle [degree]; see `carom.motions.rotation`."""
        from carom.motions import rotation

        return rotation.rotated_set(self, angle)

    @cached_property
    def axes(self) -> tuple[Motion | None, Motion | None, Motion | None]:
        """The components along x, y and z; None: there is none. See `carom.motions.axes`."""
        from carom.motions.axes import axes_of

        return axes_of(self.components)

    def __iter__(self) -> Iterator[Motion]:
        return iter(self.components)

    def __len__(self) -> int:
        return len(self.components)

    def __getitem__(self, key: int | str) -> Motion:
        if isinstance(key, int):
            return self.components[key]
        for motion in self.components:
            if motion.component.casefold() == key.casefold():
                return motion
        known = ", ".join(repr(motion.component) for motion in self.components)
        raise InputError(f"MotionSet has no component {key!r}. It has {known}.")


def _running(increments: Array) -> Array:
    """Return the running sum from zero; one value more than increments."""
    total = np.zeros(increments.size + 1)
    np.cumsum(increments, out=total[1:])
    return total


def _read_only(values: Array) -> Array:
    values.flags.writeable = False
    return values
