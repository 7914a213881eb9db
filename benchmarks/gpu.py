"""Histories per second on a GPU, and how they compare with the same runs on the CPU."""

from __future__ import annotations

import time

import numpy as np

import carom
from benchmarks._opensees import cases

COMPARED = 2000
TOLERANCE = 1e-4
TIMES = 5
"""How often a batch is repeated; the best counts, and the slowest is told."""


def measure(structures: str, record: str, runs: int) -> None:
    """Run so many random gaps of 10–30 mm on the GPU, some of them on the CPU too, and print.

    What rounding does to a run at all is seen on the CPU, where the gap is changed by its last digit.
    """
    motion = cases.motion(record)
    problem = cases.problem(structures, "hertzdamp", motion)
    gaps = np.random.default_rng(7).uniform(0.010, 0.030, runs)
    few = gaps[: min(COMPARED, runs)]
    started = time.perf_counter()
    carom.ensemble(problem, vary={"gap": few}, rtol=TOLERANCE, device="cuda")
    first = time.perf_counter() - started
    carom.ensemble(problem, vary={"gap": gaps}, rtol=TOLERANCE, device="cuda")  # a run left over compiles for the CPU
    seconds = []
    for _ in range(TIMES):
        started = time.perf_counter()
        found = carom.ensemble(problem, vary={"gap": gaps}, rtol=TOLERANCE, device="cuda")
        seconds.append(time.perf_counter() - started)
    whole = min(seconds)
    gpu = found.extremes[: few.size]
    started = time.perf_counter()
    cpu = carom.ensemble(problem, vary={"gap": few}, rtol=TOLERANCE).extremes
    on_cpu = time.perf_counter() - started
    nudged = carom.ensemble(problem, vary={"gap": np.nextafter(few, 1.0)}, rtol=TOLERANCE).extremes
    apart, moved = (np.abs(other / cpu - 1.0).reshape(few.size, -1).max(axis=1) for other in (gpu, nudged))
    same, firm = np.mean(apart <= 1e-10), np.mean(moved <= 1e-10)
    print(
        f"  {structures}, {record}: {runs:,} runs in {whole:.2f} s, {runs / whole:,.0f} per second "
        f"(the slowest of {TIMES} times {runs / max(seconds):,.0f}); first call {first:.0f} s; failed {found.failed}; "
        f"CPU {few.size / on_cpu:,.0f} per second; equal to 1e-10: {100 * same:.2f} %, median {np.median(apart):.1e}, "
        f"largest {apart.max():.1e}; by the last digit of the gap the CPU's own move less than 1e-10 in "
        f"{100 * firm:.2f} %, {moved.max():.1e} at most",
        flush=True,
    )


def main() -> None:
    """Measure and print, where there is a GPU."""
    try:
        for structures, record, runs in (("two", "thirty-09c", 4_000_000), ("10 v 8", "default", 40_000)):
            measure(structures, record, runs)
    except carom.InputError as refused:
        print(f"  skipped: {refused}")
