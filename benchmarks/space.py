"""Speed and accuracy over a random space of problems, instead of on a case.

    python -m benchmarks space
    python -m benchmarks.space --seed 7 --problems 200 --device cuda
    python -m benchmarks.space --step 0.01    (one time step for all)
    python -m benchmarks.space --processor    (processor time, where others use the machine too)

`_space/draw.py` says what is drawn. For every problem of a seed: which path its runs took, histories a second of an
ensemble and of `carom.simulate`, both end to end, and the error of the peaks against the general engine at a tolerance
of 1e-10, beside what the problem itself makes of a small change (A: the effect of moving all gaps by 1e-9 of the
largest displacement, over that share).
"""

from __future__ import annotations

import argparse
import math
import time
import warnings
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

import carom
from benchmarks._space import draw
from benchmarks._space.mixed import mixed_pairs
from carom.backends import worker_count

RTOL = 1e-4
EXACT = 1e-10
MOVED = 1e-9
"""Of the largest displacement: how far gaps are moved to see what a problem amplifies."""
BOUND = 30.0
"""Times rtol and max(1, A): the error that is allowed."""
MOST_SENSITIVE = 1e4
"""A beyond which a problem is not compared: its peaks are chance."""
PROBLEMS = {"pair": 120, "row": 60, "buildings": 30}
RUNS = {"cpu": {"pair": 256, "row": 64, "buildings": 8}, "cuda": {"pair": 20_000, "row": 4_000, "buildings": 400}}
"""Runs of the ensemble made of a problem: its motion scaled by 0.9 to 1.1."""
MIXED = {"cpu": 4_000, "cuda": 100_000}
"""Pairs, all different, in one ensemble."""
IMPACTS = (20.0, 80.0)
"""Impacts of an ordinary history."""
STEP = 0.01
"""Time step of mixed pairs [s]."""


class Measured(NamedTuple):
    """What was seen of one problem."""

    paths: Counter[str]
    per_second: float
    """Histories of the ensemble."""
    alone: float
    """Histories of `carom.simulate`, one thread."""
    alone_path: str
    impacts: float
    error: float
    """Largest relative error of a peak of displacement, velocity, acceleration or force."""
    amplification: float


def peaks(run: carom.Simulation) -> np.ndarray:
    """Return the peaks of all degrees of freedom, then the largest force; what never moves is left out."""
    found = np.append(run.extremes.ravel(), run.table["peak_force"].max(initial=0.0))
    return np.where(found == 0.0, 1.0, found)


class Clock(NamedTuple):
    """What a call took is read from it."""

    processor: bool
    """Whether it tells processor time, which others on the machine do not lengthen, instead of wall time."""

    def quickest(self, work: Any, cores: int = 1, times: int = 3) -> tuple[float, Any]:
        """Return the shortest time of a few calls on so many cores [s], and what the last one gave."""
        read, cores = (time.process_time, cores) if self.processor else (time.perf_counter, 1)
        best = np.inf
        for _ in range(times):
            began = read()
            found = work()
            best = min(best, (read() - began) / cores)
        return best, found


def measure(drawn: draw.Drawn, device: str, clock: Clock) -> Measured:
    """Run one problem of the space in every way."""
    scales = np.linspace(0.9, 1.1, RUNS[device][drawn.kind])
    seconds, many = clock.quickest(
        lambda: carom.ensemble(drawn.problem, vary={"scale": scales}, rtol=RTOL, device=device), worker_count()
    )
    alone, run = clock.quickest(lambda: carom.simulate(drawn.problem, rtol=RTOL, fail="return"))
    exact = carom.simulate(drawn.problem, rtol=EXACT, path="general", fail="return")
    change = MOVED * float(exact.extremes[:, 0].max())
    moved = carom.simulate(drawn.problem.replace(gap=drawn.gap + change), rtol=EXACT, path="general", fail="return")
    error, amplified = (np.abs(peaks(other) / peaks(exact) - 1.0).max() for other in (run, moved))
    return Measured(
        Counter(many.evidence["paths"]), scales.size / seconds, 1.0 / alone, run.evidence["path"],
        float(np.nanmean(many.dataset.impacts)), float(error), float(amplified / MOVED),
    )  # fmt: skip


def shares(paths: Counter[str]) -> str:
    """Return the share of each path as a phrase."""
    total = sum(paths.values())
    return ", ".join(f"{path} {100 * count / total:.1f} %" for path, count in paths.most_common())


def spread(values: list[float]) -> str:
    """Return the 10th, 50th and 90th percentile."""
    low, middle, high = np.percentile(values, [10, 50, 90])
    return f"10 % {low:,.0f}, 50 % {middle:,.0f}, 90 % {high:,.0f} (10 % over 50 %: {low / middle:.2f})"


def kind_of_problems(kind: str, seed: int, count: int, device: str, step: float | None, clock: Clock) -> None:
    """Measure and print one kind of problems; `step` is the time step [s], None: it is drawn."""
    found = [measure(draw.draw(kind, 1_000_000 * seed + i, step), device, clock) for i in range(count)]
    ordinary = [one for one in found if IMPACTS[0] <= one.impacts <= IMPACTS[1]]
    print(f"  {kind}: {count} problems")
    print(f"    ensembles, {device}: {shares(sum((one.paths for one in found), Counter()))}")
    print(f"      histories/s: {spread([one.per_second for one in found])}")
    if ordinary:
        print(f"      with 20 to 80 impacts ({len(ordinary)}): {spread([one.per_second for one in ordinary])}")
    print(f"    simulate, one thread: {shares(Counter(one.alone_path for one in found))}")
    print(f"      histories/s: {spread([one.alone for one in found])}")
    judged = [one for one in found if one.amplification < MOST_SENSITIVE and np.isfinite(one.error)]
    beyond = [one for one in judged if one.error > BOUND * RTOL * max(1.0, one.amplification)]
    firm = [one.error for one in judged if one.amplification < 10.0] or [
        math.nan
    ]  # a few problems may all be sensitive
    print(
        f"    peaks at rtol {RTOL:g} against {EXACT:g}: A < 10 in {len(firm)}, error "
        f"50 % {np.median(firm):.1e}, 99 % {np.quantile(firm, 0.99):.1e}, largest {max(firm):.1e}; "
        f"{len(beyond)} of {len(judged)} beyond {BOUND:g}·rtol·max(1, A)",
        flush=True,
    )


def mixed(seed: int, device: str, clock: Clock) -> None:
    """Measure and print pairs that are all different, in one ensemble."""
    problem, values = mixed_pairs(MIXED[device], seed, STEP)
    seconds, many = clock.quickest(
        lambda: carom.ensemble(problem, zip=values, rtol=RTOL, device=device), worker_count()
    )
    count, assembly = MIXED[device], many.evidence["assembly_time"]
    print(
        f"  {count:,} different pairs in one ensemble, {device}, laws mixed, {STEP:g} s: {count / seconds:,.0f} "
        f"histories/s, assembly included ({1e6 * assembly / count:.1f} µs each; without it "
        f"{count / (seconds - assembly):,.0f}); {shares(Counter(many.evidence['paths']))}; failed {many.failed}",
        flush=True,
    )


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.space", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--problems", type=int, default=0, help="pairs to draw; half as many rows, a quarter buildings")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--step", type=float, default=None, help="time step of all problems [s]; drawn by default")
    parser.add_argument("--processor", action="store_true", help="processor time over the number of cores")
    given = parser.parse_args([] if arguments is None else arguments)
    clock = Clock(given.processor)
    share = given.problems / PROBLEMS["pair"] if given.problems else 1.0
    kept = "processor" if clock.processor else "wall"
    print(f"  seed {given.seed}, {worker_count()} cores, rtol {RTOL:g}, end to end, {kept} time")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # laws are drawn beyond what their papers meant them for
        for kind, count in PROBLEMS.items():
            kind_of_problems(kind, given.seed, max(1, round(share * count)), given.device, given.step, clock)
        mixed(given.seed, given.device, clock)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
