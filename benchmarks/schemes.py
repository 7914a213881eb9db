"""What each scheme costs and how wrong it is: two oscillators, 10 s of the built-in motion.

    python -m benchmarks schemes

Prints steps per second on one thread, error against time for every scheme and the event-driven engine (Hertz and
Hertzdamp), and, for laws that jump or have a δ^{1/4} branch, the observed order and the step that reaches 1e-4. Draws
`out/benchmarks/work-precision.png`. Errors are those of the displacement peaks, relative to the event-driven engine at
rtol 1e-11. OpenSeesPy takes about 0.1 million steps/s on such a pair (`python -m benchmarks opensees`).
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

import carom
from benchmarks._timing import best
from carom.integrate.schemes import schemes
from carom.integrate.schemes.base import options_of
from carom.plots import save
from carom.results import Curve, FigureData, Kind, Panel, Simulation, Width

FOLDER = Path("out") / "benchmarks"
STEPS = (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6)
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
LAWS = {
    "hertz": ("hertz", 2e9),
    "hertzdamp": ("lankarani-nikravesh-1990", 2e9),
    "kelvin-voigt": ("kelvin-voigt", 5e7),
    "mahmoud-jankowski": ("mahmoud-jankowski-2011", 5e7),
    "jankowski": ("jankowski-2005", 2e9),
    "tsuji": ("tsuji-1992", 2e9),
}
TIMED = (
    "newmark", "hht-alpha", "central-difference", "rk4", "dormand-prince", "gauss-2", "radau-iia-2", "burrage",
    "radau-iia-3", "gauss-4",
)  # fmt: skip
DRAWN = ("event", "newmark", "rk4", "radau-iia-2", "gauss-2", "burrage", "lobatto-iiic-4")


class Point(NamedTuple):
    """One run: its step or tolerance, its error, its time [s]."""

    setting: float
    error: float
    seconds: float


def pair(name: str) -> carom.Problem:
    law, stiffness = LAWS[name]
    damped = {} if law == "hertz" else {"restitution": 0.65}
    motion = carom.motions.get("default")
    towers = [
        carom.Oscillator(mass=4600, stiffness=2.11e6, damping_ratio=0.02, name="left"),
        carom.Oscillator(mass=3500, stiffness=5.31e6, damping_ratio=0.02, name="right"),
    ]
    contact = carom.Contact("left", "right", gap=0.01, law=carom.law(law, stiffness=stiffness, **damped))
    return carom.Problem(towers, [contact], motion=carom.Motion(motion.acceleration[:1001], dt=motion.dt))


def off(run: Simulation, reference: Simulation) -> float:
    return float(np.abs(run.extremes[:, 0] / reference.extremes[:, 0] - 1.0).max())


def stepped() -> list[str]:
    """Return the schemes that step compliant laws by a length of their own."""
    return [name for name in schemes.names() if "dt" in options_of(schemes.get(name)) and name != "moreau-jean"]


def points(name: str, problem: carom.Problem, reference: Simulation) -> list[Point]:
    """Return what a scheme makes of finer and finer settings."""
    found = []
    for setting in TOLERANCES if name == "event" else STEPS:
        how = {"rtol": setting} if name == "event" else {"dt": setting}
        run = carom.simulate(problem, scheme=name, fail="return", **how)
        if run.outcome.failed:
            continue
        runs = [carom.simulate(problem, scheme=name, **how).evidence["wall_time"] for _ in range(3)]
        found.append(Point(setting, off(run, reference), min(runs)))
    return found


def cheapest(found: list[Point], error: float) -> Point | None:
    """Return the first setting from which on all errors stay below one."""
    kept = None
    for point in reversed(found):
        if point.error > error:
            break
        kept = point
    return kept


def print_speed() -> None:
    print("steps per second on one thread, fixed step of 0.1 ms, Hertzdamp, impacts included")
    problem = pair("hertzdamp")
    for name in TIMED:
        seconds = best(lambda name=name: carom.simulate(problem, scheme=name, dt=1e-4))
        print(f"  {name:<20} {1e-6 * 1e5 / seconds:6.1f} million/s")


def print_precision() -> dict[str, dict[str, list[Point]]]:
    measured: dict[str, dict[str, list[Point]]] = {}
    for law in ("hertz", "hertzdamp"):
        problem = pair(law)
        reference = carom.simulate(problem, rtol=1e-11)
        measured[law] = {name: points(name, problem, reference) for name in ("event", *stepped())}
        print(f"\n{law}: {reference.table['start'].size} impacts; setting and time that reach an error of")
        print(f"  {'scheme':<20} {'1e-4':>18} {'1e-6':>18}   smallest error seen")
        for name, found in measured[law].items():
            cells = []
            for error in (1e-4, 1e-6):
                hit = cheapest(found, error)
                cells.append(f"{hit.setting:8.0e} {1e3 * hit.seconds:6.2f} ms" if hit else f"{'–':>18}")
            print(f"  {name:<20} {cells[0]} {cells[1]}   {min(p.error for p in found):.1e}")
    return measured


def print_jumps() -> None:
    print("\nlaws that jump or have a δ^{1/4} branch: observed order, and the step from which errors stay below 1e-4")
    for law in ("kelvin-voigt", "mahmoud-jankowski", "jankowski", "tsuji"):
        problem = pair(law)
        reference = carom.simulate(problem, rtol=1e-10)
        for name in ("newmark", "hht-alpha", "rk4", "radau-iia-2", "gauss-2", "burrage"):
            steps = (1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6)
            errors = [off(carom.simulate(problem, scheme=name, dt=dt), reference) for dt in steps]
            order = np.polyfit(np.log(steps), np.log(errors), 1)[0]
            hit = cheapest([Point(dt, e, 0.0) for dt, e in zip(steps, errors, strict=True)], 1e-4)
            print(f"  {law:<18} {name:<12} order {order:4.2f}   step {hit.setting:.0e}" if hit else
                  f"  {law:<18} {name:<12} order {order:4.2f}   step below {steps[-1]:.0e}")  # fmt: skip


def draw(measured: dict[str, dict[str, list[Point]]]) -> None:
    panels = []
    for law, found in measured.items():
        curves = []
        for series, name in enumerate(DRAWN):
            x = np.log10([1e3 * point.seconds for point in found[name]])
            y = np.log10([max(point.error, 1e-9) for point in found[name]])
            curves += [Curve(x, y, name if law == "hertz" else "", Kind.POINTS, series), Curve(x, y, series=series)]
        panels.append(
            Panel(r"$\log_{10}$ time [ms]", r"$\log_{10}$ error of peaks", tuple(curves), law, ylim=(-9.0, 0.5))
        )
    figure = FigureData(
        "work-precision", "What each scheme costs", "two oscillators, 10 s of the built-in motion", tuple(panels),
        columns=2, width=Width.DOUBLE, legend=True,
    )  # fmt: skip
    FOLDER.mkdir(parents=True, exist_ok=True)
    print("\n" + ", ".join(str(path) for path in save(figure, FOLDER)))


def main() -> None:
    """Measure, print and draw."""
    print_speed()
    draw(print_precision())
    print_jumps()
