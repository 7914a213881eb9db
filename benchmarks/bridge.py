"""A five-span skewed bridge, twenty corners that may strike, thirty seconds: one run and an ensemble, processor time.

    python -m benchmarks bridge

Decks of 400 t on elastomeric bearings, four piers, two abutments, friction at all joints. The bridge is to take less
than 0.15 s at a tolerance of 1e-4, ensembles ten runs a second on a core.
"""

from __future__ import annotations

import os
import time
from itertools import pairwise

import numpy as np

import carom
from benchmarks._timing import best
from carom.joints import Elastomeric

SPANS, LENGTH, GAP = 5, 30.0, 0.05
PACE = LENGTH + GAP
TOLERANCES = (1e-3, 1e-4, 1e-6, 1e-8)
RUNS = 16


def bridge(seconds: float = 30.0) -> carom.Problem:
    """Return the bridge under the built-in motion along it, and half of it turned round across."""
    law = carom.law("hertzdamp", stiffness=1e9, restitution=0.6)
    friction = carom.Friction(0.4, 0.3)
    decks = [
        carom.Deck(
            length=LENGTH, width=10.0, skew="25 deg", mass="400 t", at=(PACE * i, 0.0), name=f"span {i + 1}",
            points={"wsw": (-14.0, -3.0), "wnw": (-14.0, 3.0), "ese": (14.0, -3.0), "ene": (14.0, 3.0)},
        )
        for i in range(SPANS)
    ]  # fmt: skip
    piers = [
        carom.TorsionalBuilding(
            masses=[2e5], stiffnesses_x=[4e7], stiffnesses_y=[6e7], torsional_stiffnesses=[1e9], width=4.0, depth=10.0,
            origin=(PACE * i + 0.5 * PACE, 0.0), damping_ratio=0.05, name=f"pier {i + 1}",
        )
        for i in range(SPANS - 1)
    ]  # fmt: skip
    pad = Elastomeric("3 MN/m", "60 kN*s/m")
    bearings = []
    for i in range(SPANS):
        west = "ground" if i == 0 else (f"pier {i}", 1)
        east = "ground" if i == SPANS - 1 else (f"pier {i + 1}", 1)
        for on, points in ((west, ("wsw", "wnw")), (east, ("ese", "ene"))):
            bearings += [carom.Bearing((f"span {i + 1}", point), on, rule=pad) for point in points]
    ends = [carom.Abutment.beside(decks[0], "w", gap=GAP, name="west")]
    ends.append(carom.Abutment.beside(decks[-1], "e", gap=GAP, name="east"))
    row = ["west", *(deck.name for deck in decks), "east"]
    contacts = [carom.facing(a, b, law=law, friction=friction) for a, b in pairwise(row)]
    along, across = shaking(seconds)
    seats = [carom.Seat((f"span {i}", "e"), (f"pier {i}", 1), length=0.6) for i in range(1, SPANS)]
    return carom.Problem(
        [ends[0], *decks, *piers, ends[1]], contacts, bearings=bearings, motion={"x": along, "y": across}, seats=seats
    )


def shaking(seconds: float) -> tuple[carom.Motion, carom.Motion]:
    """Return the built-in motion with 6 m/s² at most, and half of it turned round."""
    record = carom.motions.get("default")
    samples = round(seconds / record.dt)
    shaken = np.interp(np.arange(samples) * record.dt, record.time - record.time[0], record.acceleration, right=0.0)
    shaken *= 6.0 / np.abs(shaken).max()
    along, across = (carom.Motion(one, dt=record.dt) for one in (shaken, 0.5 * shaken[::-1]))
    return along, across


def main() -> None:
    """Measure and print."""
    problem = bridge()
    flat = problem.flat()
    print(f"{flat.omega.size} coordinates, {flat.gap.size} corners, {flat.ground.shape[2]} samples; one thread")
    judge = carom.simulate(problem, rtol=1e-10)
    for rtol in TOLERANCES:
        run = carom.simulate(problem, rtol=rtol)
        moved = judge.extremes[:, 0] > 1e-3
        error = np.abs(run.extremes[moved, 0] / judge.extremes[moved, 0] - 1.0).max()

        def work(rtol: float = rtol) -> object:
            return carom.simulate(problem, rtol=rtol)

        print(
            f"  rtol {rtol:g}: {best(work):.3f} s, {run.evidence['steps']} steps, {run.impact_count} impacts, peaks "
            f"{error:.0e}, force {abs(run.peak_force / judge.peak_force - 1.0):.0e}"
        )
    scales = np.linspace(0.5, 1.25, RUNS)
    carom.ensemble(problem, vary={"scale": scales[:1]}, rtol=1e-4)
    cpu, wall = time.process_time(), time.perf_counter()
    many = carom.ensemble(problem, vary={"scale": scales}, rtol=1e-4)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(
        f"  ensemble of {RUNS} at 1e-4: {RUNS / cpu:.0f} runs a second of a core, {RUNS / wall:.0f} by the clock on "
        f"{os.cpu_count()} cores, {many.failed} failed"
    )


if __name__ == "__main__":
    main()
