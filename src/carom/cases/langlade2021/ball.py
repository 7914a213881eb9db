"""langlade2021 Figure 5: a ball bounces to rest; impulses beside penalty laws."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from carom.cases.base import Case, Run, register_case, stated
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
SEARCHED = tuple(10.0 ** (0.5 * power) for power in range(4, 17))  # the same, in half decades
PENALTY_SCHEME = "newmark"  # of constant acceleration; the paper does not name its own
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
    return law(LAWS[short], stiffness=stiffness, restitution=RESTITUTION, v0="published")


@lru_cache(maxsize=64)
def bounced(run: Run, contact: CompliantLaw | ImpulsiveLaw, step: float | None = None) -> Simulation:
    """Drop the ball; with a step: rigid by Moreau-Jean, penalty laws by a scheme of that fixed step."""
    ball = Problem(
        (Body(mass=MASS, gravity=GRAVITY, name="ball"), Ground(name="ground")),
        (Contact(Place("ball"), Place("ground"), gap=HEIGHT, law=contact),),
    )
    stepped = "moreau-jean" if isinstance(contact, ImpulsiveLaw) else PENALTY_SCHEME
    how: dict[str, Any] = {} if step is None else {"scheme": stepped, "dt": step}
    finest = step if step and isinstance(contact, ImpulsiveLaw) else SAMPLING
    result: Simulation = run(ball, duration=DURATION, sampling=finest, **how)
    return result


def error(result: Simulation) -> float:
    """Return the largest error of the height [m]."""
    return float(np.abs(HEIGHT - result.displacement[:, 0] - exact(result.time)[0]).max())


@lru_cache(maxsize=8)
def search(run: Run, short: str, step: float) -> tuple[float, Array]:
    """Return the contact stiffness with the least error at that fixed step, and the errors of all."""
    errors = np.array([error(bounced(run, penalty(short, stiffness), step)) for stiffness in SEARCHED])
    return SEARCHED[int(errors.argmin())], errors


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
        "Stepped to tolerance, penalty laws have only their stiffness left to choose: the error of LVE falls as it "
        "grows; that of NLVE stays near 0.01 m, since its restitution is not the one asked for.",
        "At the paper's fixed steps too stiff is as wrong as too soft: the best k_s is searched for in half decades, "
        "by Newmark's scheme of constant acceleration since the paper does not name its own. From 1e-3 to 1e-4 s it "
        "grows by half an order (LVE) and by one and a half (NLVE). The paper searches too and prints no values.",
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
        for short in LAWS:
            for step in STEPS:
                best, errors = search(run, short, step)
                unit = "N/m" if short == "LVE" else "N/m^1.5"
                found.append((f"{short}, Δt = {step:g} s: best k_s", best, unit))
                found.append((f"{short}, Δt = {step:g} s: largest error at the best k_s", float(errors.min()), "m"))
        rows = [Row(quantity=title, published=None, computed=v, unit=u, reason=UNPRINTED) for title, v, u in found]
        return [*rows, *self._statements(run)]

    def _statements(self, run: Run) -> list[Row]:
        """Return what section 3 says of the figure."""
        best = {short: [search(run, short, step)[0] for step in STEPS] for short in LAWS}
        rigid = error(bounced(run, NEWTON, STEPS[0]))
        nearer = [rigid < float(search(run, short, step)[1].min()) for short in LAWS for step in STEPS]
        return [
            stated("the best k_s changes with the step", float(np.mean([k[0] != k[1] for k in best.values()]))),
            stated("NSCD at 1 ms is nearer than penalty laws at their best k_s, at both steps", float(np.mean(nearer))),
        ]

    def figures(self, run: Run) -> list[FigureData]:
        """Return heights, velocities and the search for the contact stiffness, at both steps."""
        return [
            FigureData(
                self.name, self.title, "after langlade2021 Fig. 5",
                tuple(panel for row in zip(*(_column(run, step) for step in STEPS), strict=True) for panel in row),
                columns=2, width=Width.DOUBLE, aspect=0.55,
            )
        ]  # fmt: skip


def _column(run: Run, step: float) -> tuple[Panel, Panel, Panel]:
    """Return Figures 5a and 5b at one step, penalty laws at their best, and the search for it."""
    time = np.linspace(0.0, DURATION, 3501)
    stepped = bounced(run, NEWTON, step)
    sparse = slice(None, None, round(0.1 / step))
    best = {short: search(run, short, step) for short in LAWS}
    curves = []
    for exactly, sign, offset, of in zip(
        exact(time), (-1.0, -1.0), (HEIGHT, 0.0), ("displacement", "velocity"), strict=True
    ):
        soft = [
            Curve(
                found.time, offset + sign * getattr(found, of)[:, 0], f"{short}, $k_s = 10^{{{np.log10(k):g}}}$",
                series=series,
            )
            for series, (short, k, found) in enumerate(
                ((short, k, bounced(run, penalty(short, k), step)) for short, (k, _) in best.items()), 1
            )
        ]  # fmt: skip
        dots = offset + sign * getattr(stepped, of)[sparse, 0]
        curves.append(
            (
                Curve(time, exactly, "exact", Kind.REFERENCE),
                *soft,
                Curve(stepped.time[sparse], dots, "Moreau-Jean", Kind.POINTS, 0),
            )
        )
    sought = []
    for series, (short, (_, errors)) in enumerate(best.items(), 1):
        sought += [Curve(np.log10(SEARCHED), np.log10(errors), short, Kind.POINTS, series)]
        sought += [Curve(np.log10(SEARCHED), np.log10(errors), series=series)]
    level = float(np.log10(error(stepped)))
    sought.append(Curve([2.0, 8.0], [level, level], "Moreau-Jean", Kind.LEVEL, 0))
    title = rf"$\Delta t = 10^{{{round(np.log10(step))}}}$ s"
    return (
        Panel("Time $t$ [s]", "Height [m]", curves[0], title, ylim=(-0.1, 1.5), legend="upper right"),
        Panel("Time $t$ [s]", "Velocity [m/s]", curves[1], title, ylim=(-2.2, 1.6)),
        Panel(
            r"$\log_{10}\,k_s$ [N/m, NLVE: N/m$^{3/2}$]", r"$\log_{10}$ error [m]", tuple(sought),
            f"search for $k_s$, {title}", ylim=(-4.2, 2.4), legend="upper right",
        ),
    )  # fmt: skip
