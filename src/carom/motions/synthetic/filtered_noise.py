"""Clough-Penzien filtered white noise, the same numbers on every machine.

Noise from the counter-based Philox generator is shaped in time by an envelope and run through the two
oscillators of Clough and Penzien (1975), marched in closed form. The result is scaled to its PGA and put on
a grid of 10⁻⁶ m/s²: rounding differences between processors, some 10⁻¹⁵, vanish in it. On that grid the two
conditions of rest at the end, Σaᵢ = 0 and Σi·aᵢ = 0, are met in whole numbers, so that final velocity and
displacement are zero.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from carom import units
from carom.backends import compiled
from carom.errors import refusal
from carom.kernels.modal import filters
from carom.motions.adjustments import correct_baseline
from carom.motions.motion import Array, Motion
from carom.motions.quantities import acceleration

__all__ = ["Site", "filtered_noise", "rest_on_grid"]

GRID = 1_000_000
"""Steps of the amplitude grid per m/s²."""


@dataclass(frozen=True)
class Site:
    """The filter: frequencies [rad/s] and damping ratios [–] of the ground layer and of the high-pass."""

    ground_frequency: float = 15.0
    ground_damping: float = 0.6
    second_frequency: float = 1.5
    second_damping: float = 0.6

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            unit = "rad/s" if name.endswith("frequency") else ""
            value = units.number(getattr(self, name), unit, name=name, owner="Site", within=units.POSITIVE)
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, soil: str) -> Site:
        """Return the filter of ``"firm"``, ``"medium"`` or ``"soft"`` soil, as in `SOILS`."""
        if soil not in SOILS:
            raise refusal("soil", "Site", f"must be one of {', '.join(SOILS)}", soil)
        return cls(*SOILS[soil])


SOILS = {
    "firm": (15.0, 0.6, 1.5, 0.6),
    "medium": (10.0, 0.4, 1.0, 0.6),
    "soft": (5.0, 0.2, 0.5, 0.6),
}
"""ωg [rad/s], ζg, ωf [rad/s], ζf by soil: Der Kiureghian and Neuenhofer (1992), Earthquake Engineering and
Structural Dynamics 21, 713-740."""


def filtered_noise(
    seed: int,
    *,
    pga: object,
    site: Site | None = None,
    strong: object = 10.0,
    duration: object = 30.0,
    dt: object = 0.01,
    **labels: Any,
) -> Motion:
    """Return Clough-Penzien filtered noise with an envelope, ending at rest.

    Parameters
    ----------
    seed
        Whole number ≥ 0; the same seed gives the same motion everywhere.
    pga
        Peak ground acceleration [m/s², or "0.4 g"], met exactly (on the grid of 10⁻⁶ m/s²).
    site
        The filter; firm soil by default.
    strong
        Length of strong shaking T_D [s]: the envelope of Saragoni and Hart (1974) in the form of Boore (2003,
        Pure Appl. Geophys. 160, 635-676): (t/T)ᵇ·exp(−c·t/T) with T = 2·T_D, largest at 0.2·T, 5 % left at T.
    duration, dt
        Length and time step [s]; the envelope is cut at the end, so leave at least 2·T_D.
    labels
        Event, station, component, source.
    """
    owner = "filtered_noise"
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise refusal("seed", owner, "must be a whole number, not negative", seed)
    peak = acceleration(pga, name="pga", owner=owner)
    shaking, length, step = (
        units.number(value, "s", name=name, owner=owner, within=units.POSITIVE)
        for name, value in (("strong", strong), ("duration", duration), ("dt", dt))
    )
    if not 23 <= length / step <= 10_000_000:
        raise refusal("duration", owner, "must be 23 to 10⁷ time steps long", duration)
    count = round(length / step) + 1
    site = Site() if site is None else site
    noise = white_noise(seed, count) * envelope(step * np.arange(count, dtype=np.float64), 2.0 * shaking)
    shaken = np.empty(count)
    run: Any = compiled(filters.clough_penzien)
    run(
        noise, step, site.ground_frequency, site.ground_damping * site.ground_frequency,
        site.second_frequency, site.second_damping * site.second_frequency, np.empty(16), shaken,
    )  # fmt: skip
    shaken[-1] = 0.0
    smooth = correct_baseline(Motion(shaken, step)).acceleration
    values = rest_on_grid(smooth * (peak / np.abs(smooth).max()))
    note = f"Clough-Penzien filtered noise made from seed {seed}, strong shaking {shaking:g} s"
    return Motion(values, step, processing=(note,), **{"source": f"filtered noise {seed}", **labels})


def white_noise(seed: int, count: int) -> Array:
    """Return standard normal numbers by Box and Muller's transform of Philox's raw bits."""
    pairs = -(-count // 2)
    raw = np.random.Philox(key=seed).random_raw(2 * pairs)
    uniform = ((raw >> np.uint64(11)) + np.uint64(1)).astype(np.float64) * 2.0**-53  # in (0, 1]
    radius, angle = np.sqrt(-2.0 * np.log(uniform[:pairs])), 2.0 * math.pi * uniform[pairs:]
    return np.concatenate((radius * np.cos(angle), radius * np.sin(angle)))[:count]


def envelope(time: Array, span: float) -> Array:
    """Return the envelope, 1 at 0.2·span and 0.05 at span [s]."""
    peak, rest = 0.2, 0.05
    b = -peak * math.log(rest) / (1.0 + peak * (math.log(peak) - 1.0))
    x = time / (peak * span)
    return np.asarray((x * np.exp(1.0 - x)) ** b)


def rest_on_grid(values: Array) -> Array:
    """Round to the grid so that velocity and displacement end at exactly zero; the peak keeps its value.

    With both ends zero the final velocity is dt·Σaᵢ and the final displacement dt²·Σ(n−i)·aᵢ. What rounding
    leaves of the two sums is taken out by some ten grid steps at four samples.
    """
    whole = np.rint(values * GRID).astype(np.int64)
    whole[0] = whole[-1] = 0
    peak = int(np.argmax(np.abs(whole)))
    spans = (whole.size // 2, math.isqrt(whole.size // 2), 1)
    low = whole.size // 4
    while peak in (low, *(low + span for span in spans)):
        low += 1
    whole[low] -= whole.sum()
    moment = int((np.arange(whole.size) * whole).sum())
    for span in spans:  # moving one step up by `span` samples changes the moment by as much
        turns, moment = divmod(moment, span)
        whole[low] += turns
        whole[low + span] -= turns
    return np.asarray(whole / GRID)
