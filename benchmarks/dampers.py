"""What dampers cost a run: random tall towers and rows, each with and without its dampers.

    python -m benchmarks dampers

Impacts come as they come, and a damper changes them: their numbers stand beside the times, and the ratio of the times
per impact too. Both are processor time of one thread at the same tolerance, the shortest of calls in turns.
"""

from __future__ import annotations

from time import thread_time
from typing import NamedTuple

import numpy as np

import carom
from benchmarks._opensees import cases

RTOL = 1e-6
DOFS = 300
PROBLEMS = 16
LASTING = 6.0
"""Seconds of each run."""
TURNS = 3
"""Calls of each of both, in turns."""


class Tied(NamedTuple):
    """A problem and the dampers that it is run with."""

    problem: carom.Problem
    dampers: list[carom.Damper]


class Cost(NamedTuple):
    """What a run took."""

    seconds: float
    impacts: int
    steps: int
    path: str


def tied(seed: int) -> Tied:
    """Return two towers, three or six in a row, 300 storeys in all; one to four dampers, weak to over-critical."""
    rng = np.random.default_rng([21, seed])
    count = int(rng.choice([2, 2, 3, 6]))
    floors = DOFS // count
    law = carom.law(
        "hertzdamp", stiffness=float(10.0 ** rng.uniform(10.3, 11.3)), restitution=float(rng.uniform(0.4, 0.8))
    )
    towers = [_tower(floors, float(rng.uniform(0.6, 3.0)), f"t{i}") for i in range(count)]
    contacts = []
    for i in range(count - 1):
        for floor in np.unique(rng.integers(floors // 2, floors + 1, int(rng.integers(1, 8)))).tolist():
            gap = float(10.0 ** rng.uniform(-2.5, -1.0))
            contacts.append(carom.Contact((f"t{i}", floor), (f"t{i + 1}", floor), gap=gap, law=law))
    motion = cases.motion("default")
    shaken = carom.Motion(motion.acceleration * float(rng.uniform(0.5, 2.5)), motion.dt)
    dampers = [_damper(rng, count, floors) for _ in range(int(rng.choice([1, 1, 1, 2, 4])))]
    return Tied(carom.Problem(towers, contacts, motion=shaken), dampers)


def _tower(floors: int, period: float, name: str) -> carom.ShearBuilding:
    unit = carom.ShearBuilding(masses=[3e5] * floors, stiffnesses=[1.0] * floors, damping_ratio=0.05)
    stiffness = (float(unit.periods[0]) / period) ** 2
    return unit.replace(stiffnesses=tuple(np.linspace(1.4, 0.6, floors) * stiffness), name=name)


def _damper(rng: np.random.Generator, count: int, floors: int) -> carom.Damper:
    """Return a damper within a tower, between neighbouring floors or distant ones, or to the next tower."""
    at, floor, constant = (
        int(rng.integers(count)),
        int(rng.integers(12, floors + 1)),
        float(10.0 ** rng.uniform(5.0, 8.5)),
    )
    below = floor - int(rng.choice([1, int(rng.integers(2, 10))]))
    beside = (f"t{(at + 1) % count}", floor)
    return carom.Damper((f"t{at}", floor), beside if rng.random() < 0.33 else (f"t{at}", below), constant)


def cost(problem: carom.Problem) -> Cost:
    """Run once, warm."""
    begun = thread_time()
    run = carom.simulate(problem, rtol=RTOL, duration=LASTING)
    evidence = run.evidence
    return Cost(thread_time() - begun, int(evidence["impacts"]), int(evidence["contact_steps"]), evidence["path"])


def compared(problem: carom.Problem, dampers: list[carom.Damper]) -> tuple[Cost, Cost]:
    """Return what a run takes without and with dampers."""
    both = problem, problem.replace(dampers=dampers)
    for one in both:
        cost(one)
    turns = [[cost(one) for one in both] for _ in range(TURNS)]
    first, second = (min(found, key=lambda one: one.seconds) for found in zip(*turns, strict=True))
    return first, second


def told(seed: int, one: Tied, without: Cost, beside: Cost) -> str:
    """Return the line that is printed of a problem."""
    ratio = beside.seconds / without.seconds
    each = ratio * max(without.impacts, 1) / max(beside.impacts, 1)
    towers, contacts = len(one.problem.structures), len(one.problem.contacts)
    return (
        f"  {seed:3d}  {towers} towers {contacts:2d} contacts {len(one.dampers)} dampers  {1e3 * without.seconds:7.1f} "
        f"{1e3 * beside.seconds:7.1f} ms  {ratio:5.2f} times, per impact {each:5.2f}  impacts {without.impacts:4d} "
        f"{beside.impacts:4d}  steps {without.steps:5d} {beside.steps:5d}  {beside.path}"
    )


def main() -> None:
    """Measure and print."""
    print(f"  {DOFS} degrees of freedom, {LASTING:g} s, rtol {RTOL:g}: without dampers, with them")
    ratios = []
    for seed in range(PROBLEMS):
        one = tied(seed)
        without, beside = compared(one.problem, one.dampers)
        ratios.append(beside.seconds / without.seconds)
        print(told(seed, one, without, beside), flush=True)
    print(f"  ratio: median {np.median(ratios):.2f}, 90 % {np.quantile(ratios, 0.9):.2f}, largest {max(ratios):.2f}")
