"""How the cost of `carom.simulate` grows: with record length, contacts, modes and contact stiffness.

    python -m benchmarks growth

Prints tables and draws `out/benchmarks/growth.png`. Every problem keeps its other sizes, but impacts come as they
come, and so do the steps they take: their numbers stand beside the time. The slope is that of a straight line through
the last points in logarithms: 1 is linear, 0 does not grow. Behind that come single problems with hundreds of contacts
or modes, end to end: histories, impacts and ledger are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import thread_time
from typing import NamedTuple

import numpy as np

import carom
from benchmarks import _frames
from benchmarks._opensees import cases
from benchmarks._timing import best

RTOL = 1e-6
MANY_RTOL = 1e-4
"""Tolerance of the problems with hundreds of contacts or modes."""
LONG_ROW = 301
"""Oscillators in the long row."""
TALL = 300
"""Storeys of the facing towers."""
FAR = 1.0
"""Gap [m] of contacts that never close."""
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


def long_row(gaps: dict[int, float]) -> carom.Problem:
    """Oscillators in a row, masses and periods drawn at random; gaps by the number of the left one [m]."""
    random = np.random.default_rng(1)
    masses, periods = random.uniform(3e3, 6e3, LONG_ROW), random.uniform(0.3, 0.8, LONG_ROW)
    law = cases.law_of("hertzdamp", "two")
    row = [carom.Oscillator(mass=m, period=t, damping_ratio=0.05) for m, t in zip(masses, periods, strict=True)]
    contacts = [carom.Contact(i, i + 1, gap=gap, law=law) for i, gap in gaps.items()]
    return carom.Problem(row, contacts, motion=cases.motion("default"))


def tall_towers(gaps: dict[int, float]) -> carom.Problem:
    """Towers of equal storeys; gaps of facing floors [m]."""
    law = cases.law_of("hertzdamp", "10 v 8")
    towers = [cases.building(TALL, 3e8, "a"), cases.building(TALL, 6e8, "b")]
    contacts = [carom.Contact(("a", i), ("b", i), gap=gap, law=law) for i, gap in gaps.items()]
    return carom.Problem(towers, contacts, motion=cases.motion("default"))


def many() -> Iterator[tuple[str, carom.Problem]]:
    """Problems with hundreds of contacts or modes; of some contacts four may close, the others never do."""
    row, floors = range(LONG_ROW - 1), range(1, TALL + 1)
    yield f"row of {LONG_ROW} oscillators", long_row(dict.fromkeys(row, cases.GAP))
    yield f"facing towers of {TALL} storeys", tall_towers(dict.fromkeys(floors, cases.GAP))
    four = dict.fromkeys((60, 120, 180, 240), cases.GAP)
    yield "that row, 4 of 300 contacts close", long_row(dict.fromkeys(row, FAR) | four)
    yield "those 4 contacts alone", long_row(four)
    four = dict.fromkeys(floors[-4:], cases.GAP)
    yield "those towers, 4 of 300 contacts close", tall_towers(dict.fromkeys(floors, FAR) | four)
    yield "those 4 contacts alone", tall_towers(four)
    yield "frames of 648 modes, 16 contacts, 36 outputs", _frames.side_by_side(cases.motion("default", 25.0), 0.02)


def damped() -> Iterator[tuple[str, carom.Problem]]:
    """A tower of 300 storeys alone, and beside an oscillator that it strikes; to each the run with one damper."""
    law = cases.law_of("hertzdamp", "10 v 8")
    tower = cases.building(TALL, 3e8, "a")
    beside = carom.Oscillator(mass=1e6, period=0.9, damping_ratio=0.05, name="b")
    contacts = [carom.Contact(("a", i), "b", gap=cases.GAP, law=law) for i in (TALL, TALL - 5, TALL - 10)]
    for count in (0, 1, len(contacts)):
        yield (
            f"tower of {TALL} storeys, {count} contacts",
            carom.Problem([tower, beside] if count else [tower], contacts[:count], motion=cases.motion("default")),
        )


DAMPER = carom.Damper(("a", TALL // 2), ("a", TALL // 2 - 1), "20 MN*s/m")


def run_to_the_end(problem: carom.Problem) -> carom.Simulation:
    """Run a problem and read all that a run keeps."""
    run = carom.simulate(problem, rtol=MANY_RTOL)
    for name in ("displacement", "velocity", "acceleration", "force", "gap", "table", "ledger"):
        getattr(run, name)
    return run


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


def compare_dampers() -> None:
    """Print what one damper costs a run, at equal accuracy: the first time for a problem, and again."""
    print(f"  one damper on {TALL} degrees of freedom, rtol {MANY_RTOL:g}, peaks, impacts and evidence alone:")
    for title, problem in damped():
        tied = problem.replace(dampers=[DAMPER])
        begun = thread_time()
        run = carom.simulate(tied, rtol=MANY_RTOL)
        first = thread_time() - begun
        without, seconds = (best(lambda one=one: carom.simulate(one, rtol=MANY_RTOL)) for one in (problem, tied))
        print(
            f"    {title:46s} {seconds:8.3f} s, without it {without:8.3f} s: {seconds / without:5.2f} times; "
            f"the first time {first:.3f} s  {run.table['start'].size:6d} impacts"
        )


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
    print(f"  hundreds of contacts or modes, rtol {MANY_RTOL:g}, end to end:")
    for title, problem in many():
        run = run_to_the_end(problem)
        seconds = best(lambda problem=problem: run_to_the_end(problem))
        print(f"    {title:46s} {seconds:8.3f} s  {run.table['start'].size:6d} impacts")
    compare_dampers()
