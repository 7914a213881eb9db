"""How many histories a second `carom.ensemble` runs, and how accurate they are.

    python -m benchmarks ensemble

Two oscillators, Hertz's spring with damping, random gaps in 10-30 mm, a built-in motion of 30 s at 0.01 s; ten against
eight storeys beside them. The answer that accuracy is judged by is the same ensemble at a tolerance of 1e-10; a change
of 1e-8 in the gap says how far each run amplifies small differences, and with them any error.
"""

from __future__ import annotations

import time

import numpy as np

import carom
from benchmarks._opensees import cases
from carom.backends import worker_count

TOLERANCES = (1e-3, 1e-4, 1e-6)
GAPS = (0.010, 0.030)
MOTIONS = ("thirty-09c", "default")


def main() -> None:
    """Measure and print."""
    print(f"  {worker_count()} cores, best of three; errors of displacement peaks against rtol {cases.EXACT:g}")
    for motion in MOTIONS:
        measure("two", motion, 20_000)
    measure("10 v 8", MOTIONS[0], 400)
    assembly()


def measure(structures: str, motion: str, runs: int) -> None:
    """Print speed and accuracy at several tolerances."""
    problem = cases.problem(structures, "hertzdamp", cases.motion(motion))
    gaps = np.random.default_rng(2026).uniform(*GAPS, runs)
    judged = gaps[: min(runs, 2000)]
    exact = peaks(problem, judged, cases.EXACT)
    moved = peaks(problem, judged * (1.0 + cases.CHANGE), cases.EXACT)
    amplified = np.abs(moved / exact - 1.0).max(axis=-1) / cases.CHANGE
    count = carom.ensemble(problem, zip={"gap": judged}).dataset.impacts
    print(
        f"  {structures}, {motion}, {runs} runs, {float(count.min()):.0f} to {float(count.max()):.0f} impacts (mean "
        f"{float(count.mean()):.1f}); amplification {np.median(amplified):.1g} in the median, "
        f"{np.quantile(amplified, 0.99):.2g} at the 99th percentile"
    )
    for rtol in TOLERANCES:
        error = np.abs(peaks(problem, judged, rtol) / exact - 1.0).max(axis=-1)
        within = float(np.mean(error <= 1e-4))
        speed = max(speed_of(problem, gaps, rtol) for _ in range(3))
        print(
            f"    rtol {rtol:g}: {speed:9.0f} runs/s   error {np.median(error):.1e} in the median, "
            f"{np.quantile(error, 0.99):.1e} at the 99th percentile, {error.max():.1e} at worst; "
            f"{100 * within:.2f} % within 1e-4"
        )


def peaks(problem: carom.Problem, gaps: np.ndarray, rtol: float) -> np.ndarray:
    """Return the displacement peaks of all runs, shape (runs, dofs)."""
    return carom.ensemble(problem, zip={"gap": gaps}, rtol=rtol).extremes[..., 0]


def speed_of(problem: carom.Problem, gaps: np.ndarray, rtol: float) -> float:
    """Return runs per second of wall time, everything included."""
    begin = time.perf_counter()
    carom.ensemble(problem, zip={"gap": gaps}, rtol=rtol)
    return gaps.size / (time.perf_counter() - begin)


def assembly() -> None:
    """Print how long it takes to put structures together where every run has its own."""
    problem = cases.problem("two", "hertzdamp", cases.motion(MOTIONS[0]))
    masses = np.random.default_rng(2026).uniform(4000.0, 5000.0, 2000)
    found = carom.ensemble(problem, zip={f"{problem.names[0]}.mass": masses}, rtol=1e-4)
    each = found.evidence["assembly_time"] / masses.size
    print(f"  structures that all differ: {1e6 * each:.0f} µs each to assemble, in Python, before the runs")
