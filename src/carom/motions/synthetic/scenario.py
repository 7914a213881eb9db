"""From an earthquake to a filter and an envelope: how magnitude, distance and soil enter.

    seismic moment      log₁₀M₀ = 1.5·M + 16.05                        [dyn·cm]   Hanks and Kanamori (1979)
    corner frequency    f_c = 4.9·10⁶·β·(Δσ/M₀)^⅓, β = 3.5 km/s, Δσ = 100 bar     Brune (1970)
    strong shaking      T_D = 1/f_c + 0.05·R                           [s]        Boore (2003)
    ground filter       ω_g, ζ_g of the soil; ω_g·(R/10 km)^(−0.15): far motions have lost high frequencies
    high-pass           ω_f = 2π·f_c, kept within 1.5 to 4 rad/s: large earthquakes carry long periods

The last two lines are our own choice, made to vary the frequency content plausibly; the motions are for
study and comparison, not a substitute for recorded ones in design.
"""

from __future__ import annotations

import math
from typing import Any

from carom import units
from carom.motions.motion import Motion
from carom.motions.synthetic.filtered_noise import Site, filtered_noise

__all__ = ["corner_frequency", "scenario"]


def corner_frequency(magnitude: float) -> float:
    """Return Brune's corner frequency [Hz] for a moment magnitude at a stress drop of 100 bar."""
    moment = 10.0 ** (1.5 * magnitude + 16.05)
    return float(4.9e6 * 3.5 * (100.0 / moment) ** (1.0 / 3.0))


def scenario(
    seed: int,
    *,
    magnitude: object,
    distance: object,
    pga: object,
    soil: str = "firm",
    dt: object = 0.01,
    **labels: Any,
) -> Motion:
    """Return filtered noise for an earthquake of a moment magnitude at a distance [km], scaled to `pga`."""
    owner = "scenario"
    size = units.number(magnitude, "", name="magnitude", owner=owner, within=units.Range(4.0, 8.5))
    away = units.number(
        distance, "", name="distance", owner=owner, within=units.Range(0.0, 300.0, high_open=False),
        way_out="Write the distance in kilometres.",
    )  # fmt: skip
    corner = corner_frequency(size)
    strong = 1.0 / corner + 0.05 * away
    soil_site = Site.of(soil)
    site = Site(
        soil_site.ground_frequency * (max(away, 1.0) / 10.0) ** -0.15,
        soil_site.ground_damping,
        min(max(2.0 * math.pi * corner, 1.5), 4.0),
        soil_site.second_damping,
    )
    length = 5.0 * math.ceil((2.5 * strong + 6.0) / 5.0)
    what = {"event": f"generated, M {size:g} at {away:g} km", "station": f"{soil} soil", **labels}
    return filtered_noise(seed, pga=pga, site=site, strong=strong, duration=length, dt=dt, **what)
