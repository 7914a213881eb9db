"""Histories per second on a GPU, and how they compare with the same runs on the CPU."""

from __future__ import annotations

import time

import numpy as np

import carom
from benchmarks._opensees import cases

COMPARED = 2000
TOLERANCE = 1e-4


def measure(structures: str, record: str, runs: int) -> None:
    """Run so many random gaps of 10–30 mm on the GPU, some of them on the CPU too, and print."""
    motion = cases.motion(record)
    problem = cases.problem(structures, "hertzdamp", motion)
    gaps = np.random.default_rng(7).uniform(0.010, 0.030, runs)
    few = gaps[: min(COMPARED, runs)]
    started = time.perf_counter()
    carom.ensemble(problem, vary={"gap": few}, rtol=TOLERANCE, device="cuda")
    first = time.perf_counter() - started
    started = time.perf_counter()
    found = carom.ensemble(problem, vary={"gap": gaps}, rtol=TOLERANCE, device="cuda")
    whole = time.perf_counter() - started
    gpu = found.extremes[: few.size]
    started = time.perf_counter()
    cpu = carom.ensemble(problem, vary={"gap": few}, rtol=TOLERANCE).extremes
    on_cpu = time.perf_counter() - started
    apart = np.abs(gpu / cpu - 1.0).reshape(few.size, -1).max(axis=1)
    same = np.mean(apart <= 1e-10)
    print(
        f"  {structures}, {record}: {runs:,} runs in {whole:.2f} s, {runs / whole:,.0f} per second "
        f"(kernel {runs / found.evidence['wall_time']:,.0f}); first call {first:.0f} s; failed {found.failed}; "
        f"CPU {few.size / on_cpu:,.0f} per second; equal to 1e-10: {100 * same:.2f} %, median {np.median(apart):.1e}, "
        f"largest {apart.max():.1e}",
        flush=True,
    )


def main() -> None:
    """Measure and print, where there is a GPU."""
    try:
        for structures, record, runs in (("two", "thirty-09c", 1_000_000), ("10 v 8", "default", 20_000)):
            measure(structures, record, runs)
    except carom.InputError as refused:
        print(f"  skipped: {refused}")
