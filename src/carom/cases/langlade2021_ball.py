"""langlade2021 Figure 5: a ball bounces to rest; impulses beside penalty laws."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from carom.cases.base import Case, Run, register_case
from carom.contact import Contact, Place
from carom.laws import CompliantLaw, ImpulsiveLaw, law
from carom.problem import Problem
from carom.results import Curve, FigureData, Kind, Panel, Row, Simulation, Width
from carom.structures import Body, Ground

Array = npt.NDArray[np.float64]

# section 3
MASS, HEIGHT, GRAVITY, RESTITUTION = 1.0, 1.0, 2.0, 0.5  # kg, m, m/s²
DURATION = 3.5  # s
STEPS = (1e-3, 1e-4)  # s
# ours
SAMPLING = 1e-3  # s
STIFFNESSES = tuple(10.0**power for power in range(2, 9))  # N/m, or N/m^1.5 for NLVE
SHOWN = 1e3  # N/m, in the figure
LAWS = {"LVE": "kelvin-voigt", "NLVE": "jankowski-2005"}
NEWTON = law("newton", restitution=RESTITUTION)

UNPRINTED = "the paper shows curves only; measured against the closed form"


def exact(t: Array) -> tuple[Array, Array]:
    """Return height and velocity in closed form: flights of 1, 1/2, 1/4 … s after the first touch at 1 s."""
    height, speed = np.where(t < 1.0, HEIGHT - t * t, 0.0), np.where(t < 1.0, -2.0 * t, 0.0)
    begin, length = 1.0, 1.0
    while length > 1e-15:
        since = t - begin
        flying = (since >= 0.0) & (since < length)
        height = np.where(flying, length * since - since * since, height)
        speed = np.where(flying, length - 2.0 * since, speed)
        begin, length = begin + length, RESTITUTION * length
    return height, speed


def penalty(short: str, stiffness: float) -> CompliantLaw:
    """Return one of the two penalty laws of the figure."""
    return law(LAWS[short], stiffness=stiffness, restitution=RESTITUTION)


@lru_cache(maxsize=64)
def bounced(run: Run, contact: CompliantLaw | ImpulsiveLaw, step: float | None = None) -> Simulation:
    """Drop the ball; with a step: by Moreau-Jean."""
    ball = Problem(
        (Body(mass=MASS, gravity=GRAVITY, name="ball"), Ground(name="ground")),
        (Contact(Place("ball"), Place("ground"), gap=HEIGHT, law=contact),),
    )
    how: dict[str, Any] = {} if step is None else {"scheme": "moreau-jean", "dt": step}
    result: Simulation = run(ball, duration=DURATION, sampling=step or SAMPLING, **how)
    return result


def error(result: Simulation) -> float:
    """Return the largest error of the height [m]."""
    return float(np.abs(HEIGHT - result.displacement[:, 0] - exact(result.time)[0]).max())


@register_case
class BouncingBall(Case):
    """Errors of the height: event-driven impulses, Moreau-Jean at two steps, penalty laws over their stiffness."""

    name: ClassVar[str] = "langlade2021-ball"
    title: ClassVar[str] = "Bouncing ball, e = 0.5: exact, impulses, penalty laws"
    paper: ClassVar[str] = "langlade2021"
    place: ClassVar[str] = "section 3, Figures 4 and 5"
    means: ClassVar[str] = "simulate"
    notes: ClassVar[tuple[str, ...]] = (
        "Infinitely many impacts lie before t = 3 s, where the ball comes to rest. Event by event they are followed "
        "until rounding hides them, then the ball is held by its weight.",
        "Penalty laws are stepped to tolerance here, so that only their stiffness is left to choose. The error "
        "of LVE falls as it grows; that of NLVE stays near 0.01 m, since its restitution is not the one asked for. The "
        "paper's best stiffness changes with its time step of 1e-3 or 1e-4 s; its values are not "
        "printed.",
        "A penalty law does not come to rest at the height zero: it sinks in by m g / k_s.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return the largest error of the height by every method."""
        found = [("impulses, event by event: largest error of the height", error(bounced(run, NEWTON)), "m")]
        for step in STEPS:
            value = error(bounced(run, NEWTON, step)) / step
            found.append((f"Moreau-Jean, Δt = {step:g} s: largest error over Δt", value, "m/s"))
        for short in LAWS:
            for stiffness in STIFFNESSES:
                title = f"{short}, k_s = {stiffness:.0e}: largest error of the height"
                found.append((title, error(bounced(run, penalty(short, stiffness))), "m"))
        return [Row(quantity=title, published=None, computed=v, unit=u, reason=UNPRINTED) for title, v, u in found]

    def figures(self, run: Run) -> list[FigureData]:
        """Return heights, velocities, and the error of penalty laws over their stiffness."""
        time = np.linspace(0.0, DURATION, 3501)
        height, speed = exact(time)
        stepped = bounced(run, NEWTON, STEPS[0])
        every = slice(None, None, 100)
        soft = {short: bounced(run, penalty(short, SHOWN)) for short in LAWS}
        heights = (
            Curve(time, height, "exact", Kind.REFERENCE),
            *(Curve(r.time, HEIGHT - r.displacement[:, 0], s, series=1 + i) for i, (s, r) in enumerate(soft.items())),
            Curve(stepped.time[every], HEIGHT - stepped.displacement[every, 0], "Moreau-Jean", Kind.POINTS, 0),
        )
        speeds = (
            Curve(time, speed, "exact", Kind.REFERENCE),
            *(Curve(r.time, -r.velocity[:, 0], s, series=1 + i) for i, (s, r) in enumerate(soft.items())),
            Curve(stepped.time[every], -stepped.velocity[every, 0], "Moreau-Jean", Kind.POINTS, 0),
        )
        search = []
        for series, short in enumerate(LAWS, 1):
            errors = np.log10([error(bounced(run, penalty(short, k))) for k in STIFFNESSES])
            search += [Curve(np.log10(STIFFNESSES), errors, short, Kind.POINTS, series)]
            search += [Curve(np.log10(STIFFNESSES), errors, series=series)]
        level = float(np.log10(error(stepped)))
        search.append(Curve([2.0, 8.0], [level, level], "Moreau-Jean, 1 ms", Kind.LEVEL, 0))
        panels = (
            Panel("Time $t$ [s]", "Height [m]", heights, "$k_s$ = 10$^3$", ylim=(-0.1, 1.45), legend="upper right"),
            Panel("Time $t$ [s]", "Velocity [m/s]", speeds, "$k_s$ = 10$^3$", ylim=(-2.2, 1.6)),
            Panel(
                r"$\log_{10}\,k_s$",
                r"$\log_{10}$ error [m]",
                tuple(search),
                "search for $k_s$",
                ylim=(-4.0, 1.0),
                legend="upper right",
            ),
        )
        return [
            FigureData(
                self.name, self.title, "after langlade2021 Fig. 5", panels, columns=3, width=Width.DOUBLE, aspect=0.85
            )
        ]
