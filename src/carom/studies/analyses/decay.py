"""Frequency, damping and stiffness from free vibration, as langlade2021 has them from its pull-back tests."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares

from carom.errors import refusal
from carom.results import Curve, FigureData, Kind, Panel, Table
from carom.studies.analyses.columns import Array, checked_pair
from carom.studies.section import Section
from carom.units import POSITIVE, number

__all__ = ["FreeDecay", "free_decay"]

OWNER = "free_decay"
SHORTEST = 3.0
"""Cycles that a part must have to be read alone."""
PARTS = 4
"""Equal parts into which a long record is cut, to see whether frequency and damping depend on the amplitude."""


@dataclass(frozen=True, eq=False)
class FreeDecay:
    """One damped sine through a record of free vibration."""

    frequency: float
    """Natural frequency, without damping [Hz]."""
    damping_ratio: float
    """May come out slightly negative where there is next to no damping."""
    stiffness: float
    """m (2πf)² [N/m]; NaN where no mass was given."""
    offset: float
    """Where the vibration comes to rest [m]."""
    misfit: float
    """Root mean square of what the sine leaves, over that of the vibration."""
    parts: Array
    """Time at the middle [s], frequency [Hz] and damping ratio of each part read alone, shape (parts, 3)."""
    time: Array
    measured: Array
    fitted: Array

    def section(self) -> Section:
        """Return the parameters, and the record with its fit."""
        words = [f"{self.frequency:.5g} Hz, damping ratio {100 * self.damping_ratio:.3g} %, misfit {self.misfit:.2g}."]
        if not math.isnan(self.stiffness):
            words.append(f"Stiffness {self.stiffness:.5g} N/m.")
        if len(self.parts) > 1:
            low, high = self.parts.min(axis=0), self.parts.max(axis=0)
            words.append(
                f"Read in {len(self.parts)} parts: {low[1]:.5g} to {high[1]:.5g} Hz, "
                f"{100 * low[2]:.3g} to {100 * high[2]:.3g} %."
            )
        curves = (
            Curve(self.time, 1e3 * self.measured, "measured", Kind.REFERENCE),
            Curve(self.time, 1e3 * self.fitted, "one damped sine"),
        )
        panel = Panel("Time $t$ [s]", "Displacement [mm]", curves, legend="upper right")
        picture = FigureData("free-decay", "Free vibration and the damped sine through it", "", (panel,))
        return Section("Free decay", tuple(words), (picture,), (self.table(),))

    def table(self) -> Table:
        """Return the whole record and its parts, a row each."""
        rows: list[tuple[str | float | None, ...]] = [("all", self.frequency, self.damping_ratio)]
        rows += [(f"part at {t:.4g} s", float(f), float(ratio)) for t, f, ratio in self.parts]
        return Table("free-decay", "Free decay", ("record", "frequency [Hz]", "damping ratio"), tuple(rows))


def free_decay(
    time: object, displacement: object, *, mass: object = None, after: object = None, before: object = None
) -> FreeDecay:
    """Return frequency, damping and, with a mass, stiffness of a structure that swings freely.

    One damped sine c + e^{−σt}(a cos ω_d t + b sin ω_d t) is fitted by least squares to all samples. Records of several
    modes, or with impacts in them, leave a large misfit: cut them by `after` and `before`.

    Parameters
    ----------
    time, displacement
        Samples [s], [m]; rising times. Velocities or accelerations serve as well.
    mass
        [kg], for the stiffness.
    after, before
        The stretch of time that is free vibration [s], such as from the last impact on.
    """
    t, x = checked_pair(time, displacement, OWNER, ("time", "displacement"))
    if np.any(np.diff(t) <= 0.0):
        raise refusal("time", OWNER, "must rise", t.size)
    low = -math.inf if after is None else number(after, "s", name="after", owner=OWNER)
    high = math.inf if before is None else number(before, "s", name="before", owner=OWNER)
    inside = (t >= low) & (t <= high)
    t, x = t[inside], x[inside]
    if t.size < 16 or np.ptp(x) == 0.0:
        raise refusal("displacement", OWNER, "must hold at least 16 samples of a vibration", t.size)
    sigma, omega, fitted, offset = _fit(t, x)
    cycles = omega * (t[-1] - t[0]) / (2.0 * math.pi)
    if cycles < 1.0:
        raise refusal("displacement", OWNER, "must hold at least one cycle", round(cycles, 3))
    natural = math.hypot(sigma, omega)
    count = min(PARTS, int(cycles / SHORTEST))
    parts = []
    for some in np.array_split(np.arange(t.size), count) if count > 1 else []:
        s, w, _, _ = _fit(t[some], x[some])
        parts.append((t[some].mean(), math.hypot(s, w) / (2.0 * math.pi), s / math.hypot(s, w)))
    heavy = math.nan if mass is None else number(mass, "kg", name="mass", owner=OWNER, within=POSITIVE)
    return FreeDecay(
        frequency=natural / (2.0 * math.pi), damping_ratio=sigma / natural, stiffness=heavy * natural**2, offset=offset,
        misfit=float(np.sqrt(np.mean((x - fitted) ** 2)) / np.std(x)), parts=np.array(parts).reshape(-1, 3), time=t,
        measured=x, fitted=fitted,
    )  # fmt: skip


def _fit(t: Array, x: Array) -> tuple[float, float, Array, float]:
    """Return σ and ω_d [1/s], the fitted values and the offset; for each σ, ω_d the rest is linear."""
    since, size = t - t[0], float(np.std(x))

    def columns(p: Array) -> Array:
        decay = np.exp(-p[0] * since)
        return np.stack([decay * np.cos(p[1] * since), decay * np.sin(p[1] * since), np.ones_like(since)], axis=1)

    def left(p: Array) -> Array:
        basis = columns(p)
        found: Array = (x - basis @ np.linalg.lstsq(basis, x, rcond=None)[0]) / size
        return found

    span = float(since[-1])
    even = np.linspace(0.0, span, t.size)
    power = np.abs(np.fft.rfft(np.interp(even, since, x) - x.mean(), 8 * t.size))
    first = 2.0 * math.pi * float(np.fft.rfftfreq(8 * t.size, even[1])[power.argmax()])
    best = least_squares(left, [1.0 / span, first], x_scale=[1.0 / span, 1.0 / span], xtol=1e-12, ftol=1e-12)
    sigma, omega = (float(p) for p in best.x)
    basis = columns(best.x)
    weights = np.linalg.lstsq(basis, x, rcond=None)[0]
    return sigma, abs(omega), basis @ weights, float(weights[2])
