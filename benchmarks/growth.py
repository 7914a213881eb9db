"""How the cost of `carom.simulate` grows: with record length, contacts, modes and contact stiffness.

    python -m benchmarks growth

Prints a table and draws `out/benchmarks/growth.png`. Every problem keeps its other sizes, but impacts come as they
come, and so do the steps they take: their numbers stand beside the time. The slope is that of a straight line through
the last points in logarithms: 1 is linear, 0 does not grow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

import carom
from benchmarks._opensees import cases
from benchmarks._timing import best

RTOL = 1e-6
PICTURE = Path("out") / "benchmarks" / "growth.png"


class Point(NamedTuple):
    """One measured run."""

    size: float
    seconds: float
    impacts: int
    steps: int


class Series(NamedTuple):
    """Runs that differ in one size."""

    title: str
    unit: str
    points: list[Point]

    @property
    def upper(self) -> list[Point]:
        """The upper half of the points and one more."""
        return self.points[len(self.points) // 2 - 1 :]

    @property
    def slope(self) -> float:
        """Growth of the time in logarithms."""
        return slope([p.size for p in self.upper], [p.seconds for p in self.upper])

    @property
    def steps_slope(self) -> float:
        """Growth of the number of steps in contact in logarithms."""
        return slope([p.size for p in self.upper], [p.steps for p in self.upper])


def slope(sizes: Sequence[float], values: Sequence[float]) -> float:
    """Return b of values ∝ sizes^b, by least squares in logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def record_length() -> Iterator[tuple[float, carom.Problem]]:
    """Two oscillators; the record is repeated."""
    once = carom.motions.get("default")
    for times in (1, 2, 4, 8, 16):
        motion = carom.Motion(np.tile(once.acceleration, times), dt=once.dt)
        yield motion.duration, cases.problem("two", "hertzdamp", motion)


def contacts() -> Iterator[tuple[float, carom.Problem]]:
    """Two buildings of 16 storeys, one much stiffer; the upper 1, 2, 4 … facing floors in contact."""
    law = cases.law_of("hertzdamp", "10 v 8")
    for count in (1, 2, 4, 8, 16):
        floors = range(17 - count, 17)
        yield count, _towers(16, [carom.Contact(("a", i), ("b", i), gap=cases.GAP, law=law) for i in floors])


def modes() -> Iterator[tuple[float, carom.Problem]]:
    """Two buildings of 2 to 64 storeys with the same total mass and first period; their roofs may meet."""
    law = cases.law_of("hertzdamp", "10 v 8")
    for floors in (2, 8, 16, 24, 32, 48, 64):
        yield 2 * floors, _towers(floors, [carom.Contact(("a", floors), ("b", floors), gap=cases.GAP, law=law)])


def stiffness() -> Iterator[tuple[float, carom.Problem]]:
    """Two oscillators; contact from soft to rigid."""
    motion = cases.motion("thirty-09c")
    law = cases.law_of("hertzdamp", "two")
    for k in (1e8, 1e9, 1e10, 1e11, 1e12, 1e13):
        yield k, cases.problem("two", "hertzdamp", motion).replace(law=law.replace(stiffness=k))


def _towers(floors: int, contacts: list[carom.Contact]) -> carom.Problem:
    def tower(period: float, name: str) -> carom.ShearBuilding:
        mass = 3e6 / floors
        unit = carom.ShearBuilding(masses=[mass] * floors, stiffnesses=[1.0] * floors, damping_ratio=0.05)
        stiffness = (float(unit.periods[0]) / period) ** 2
        return unit.replace(stiffnesses=(stiffness,) * floors, name=name)

    return carom.Problem([tower(1.2, "a"), tower(0.7, "b")], contacts, motion=cases.motion("default"))


FAMILIES: tuple[tuple[str, str, Callable[[], Iterator[tuple[float, carom.Problem]]]], ...] = (
    ("record length", "s", record_length),
    ("contacts", "", contacts),
    ("modes", "", modes),
    ("contact stiffness", "N/m$^{3/2}$", stiffness),
)


def measure() -> list[Series]:
    """Time every run."""
    found = []
    for title, unit, family in FAMILIES:
        points = []
        for size, problem in family():
            run = carom.simulate(problem, rtol=RTOL)
            seconds = best(lambda problem=problem: carom.simulate(problem, rtol=RTOL))
            points.append(Point(size, seconds, run.table["start"].size, run.evidence["contact_steps"]))
        found.append(Series(title, unit, points))
    return found


def draw(found: list[Series], path: Path) -> None:
    """Draw time against size on plain axes, where linear growth is a straight line; stiffness in decades."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 6.4), layout="constrained")
    for axes, series in zip(figure.subplots(2, 2).flat, found, strict=True):
        sizes = np.array([p.size for p in series.points])
        times = 1e3 * np.array([p.seconds for p in series.points])
        axes.plot(sizes, times, "o-")
        if series.title == "contact stiffness":
            axes.set_xscale("log")
        else:
            axes.plot(sizes[[0, -1]], times[[0, -1]], "--", color="0.6", zorder=0)
            axes.set_xlim(0.0, 1.1 * sizes[-1])
        for p, t in zip(series.points, times, strict=True):
            axes.annotate(f"{p.impacts}", (p.size, t), textcoords="offset points", xytext=(0, 8), ha="center", size=8)
        axes.set_ylim(0.0, 1.3 * times.max())
        axes.set_xlabel(f"{series.title} [{series.unit}]" if series.unit else f"number of {series.title}")
        axes.set_ylabel("time [ms]")
        axes.grid(color="0.92")
    figure.suptitle(
        f"Cost of one run of carom.simulate, one thread, rtol {RTOL:g}\n"
        "numbers: impacts; dashed: a straight line from the first to the last point",
        size=10,
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def main() -> None:
    """Measure, print and draw."""
    found = measure()
    for series in found:
        print(
            f"  {series.title}: slope {series.slope:.2f} over the upper half, of steps in contact "
            f"{series.steps_slope:.2f}"
        )
        for p in series.points:
            print(
                f"    {p.size:10.4g}  {1e3 * p.seconds:8.3f} ms  {p.impacts:5d} impacts  {p.steps:6d} steps in contact"
            )
    draw(found, PICTURE)
    print(f"  drawn to {PICTURE}")
