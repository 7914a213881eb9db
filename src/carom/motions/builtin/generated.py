"""Generated motions: the default one, and the suite of thirty."""

from __future__ import annotations

from functools import cache

from carom.motions.builtin.base import built_in, built_in_suite
from carom.motions.motion import Motion
from carom.motions.synthetic.scenario import scenario
from carom.units import standard_gravity

__all__ = ["default", "thirty"]


@built_in("default", aliases=("carom",))
@cache
def default() -> Motion:
    """Return a strong, broad-banded motion of 25 s: magnitude 6.8 at 10 km, firm soil, 0.5 g."""
    return scenario(
        1940, magnitude=6.8, distance=10.0, pga=0.5 * standard_gravity, soil="firm",
        source="default", component="1",
    )  # fmt: skip


_THREE = (
    # soil up to 0.4 g and above; magnitude and distance [km] at 0.1 g and at 1.0 g, changing evenly between
    (("firm", "firm"), (5.8, 6.6), (30.0, 5.0)),
    (("medium", "firm"), (6.4, 7.2), (60.0, 10.0)),
    (("soft", "medium"), (6.8, 7.6), (100.0, 20.0)),
)


@built_in_suite("thirty", aliases=("30",))
@cache
def thirty() -> tuple[Motion, ...]:
    """Return thirty motions, three at each PGA level 0.1, 0.2, … 1.0 g.

    At each level one stands for a moderate earthquake nearby, one for a large one further off and one for a
    great one far away, each on softer soil than the last; with the level the magnitude grows, the distance
    shrinks, and above 0.4 g, which soft soil does not carry, the soil is one class firmer. `scenario` says
    how these become filter and envelope.
    """
    motions = []
    for level in range(1, 11):
        share = (level - 1) / 9.0
        for number, (soils, magnitude, distance) in enumerate(_THREE, start=1):
            motions.append(
                scenario(
                    1000 * level + number,
                    magnitude=round(magnitude[0] + share * (magnitude[1] - magnitude[0]), 2),
                    distance=round(distance[0] * (distance[1] / distance[0]) ** share, 1),
                    pga=level / 10.0 * standard_gravity,
                    soil=soils[level > 4],
                    source=f"thirty-{level:02d}{'abc'[number - 1]}",
                )
            )
    return tuple(motions)
