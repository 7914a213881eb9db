"""A five-span skewed bridge in space under three components of motion, thirty seconds: processor time of one run.

    python -m benchmarks girders

Girders of 400 t, 2 m deep, on bearings that give way along x, y and z, four piers, two abutments, friction at all
joints: forty nodes against faces. It is to take less than a second on one thread; far pairs are to cost nothing.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

import carom
from benchmarks._timing import best
from benchmarks.bridge import GAP, LENGTH, PACE, SPANS, shaking
from carom.joints import Elastomeric

DEPTH, HEIGHT = 2.0, 8.0
TOLERANCES = (1e-3, 1e-4, 1e-6)


def bridge(seconds: float = 30.0, bystanders: int = 0) -> carom.Problem:
    """Return the bridge; `bystanders` are walls far away, against whose faces every corner might strike."""
    law = carom.law("hertzdamp", stiffness=1e9, restitution=0.6)
    friction = carom.Friction(0.4, 0.3)
    under = {
        f"{x} {y}": (u, v, -0.5 * DEPTH) for x, u in (("w", -14.0), ("e", 14.0)) for y, v in (("s", -3.0), ("n", 3.0))
    }
    girders = [
        carom.Girder(
            length=LENGTH, width=10.0, depth=DEPTH, skew="25 deg", mass="400 t", position=(PACE * i, 0.0, HEIGHT),
            points=under, gravity=0.0, name=f"span {i + 1}",
        )
        for i in range(SPANS)
    ]  # fmt: skip
    piers = [
        carom.TorsionalBuilding(
            masses=[2e5], stiffnesses_x=[4e7], stiffnesses_y=[6e7], torsional_stiffnesses=[1e9], width=4.0, depth=10.0,
            heights=[HEIGHT - 0.5 * DEPTH], origin=(PACE * i + 0.5 * PACE, 0.0), damping_ratio=0.05,
            name=f"pier {i + 1}",
        )
        for i in range(SPANS - 1)
    ]  # fmt: skip
    pad, post = Elastomeric("3 MN/m", "60 kN*s/m"), Elastomeric("500 MN/m", "600 kN*s/m", across=0.0)
    bearings = []
    for i in range(SPANS):
        west = "ground" if i == 0 else (f"pier {i}", 1)
        east = "ground" if i == SPANS - 1 else (f"pier {i + 1}", 1)
        for on, points in ((west, ("w s", "w n")), (east, ("e s", "e n"))):
            for point in points:
                place = (f"span {i + 1}", point)
                bearings += [carom.Bearing(place, on, rule=pad), carom.Bearing(place, on, rule=post, along="z")]
    ends = []
    for name, girder, side in (("west", girders[0], "w"), ("east", girders[-1], "e")):
        corners = girder.corners(side)
        out = np.cross(corners[2] - corners[0], corners[3] - corners[1])
        out /= np.linalg.norm(out)
        middle = corners.mean(axis=0) + GAP * out
        ends.append(carom.FixedBody.plate(tuple(middle), normal=tuple(-out), size=(16.0, 6.0), name=name))
    row = [("west", "face"), *((one.name, "") for one in girders), ("east", "face")]
    contacts = [
        carom.facing((a, face or "e"), (b, other or "w"), law=law, friction=friction)
        for (a, face), (b, other) in pairwise(row)
    ]
    far = [
        carom.FixedBody.plate((0.0, 200.0 + k, 0.0), normal="-y", size=40.0, name=f"far {k}") for k in range(bystanders)
    ]
    contacts += [carom.facing((one.name, face), wall.name, law=law) for wall in far for one in girders for face in "we"]
    along, across = shaking(seconds)
    motion = {"x": along, "y": across, "z": across.scaled(factor=-0.7)}
    return carom.Problem([ends[0], *girders, *piers, ends[1], *far], contacts, bearings=bearings, motion=motion)


def main() -> None:
    """Measure and print."""
    problem = bridge()
    flat = problem.flat()
    print(f"{flat.omega.size} coordinates, {flat.gap.size} nodes on faces, {flat.ground.shape[2]} samples; one thread")
    judge = carom.simulate(problem, rtol=1e-9)
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
    for count in (1, 4, 16):
        more = bridge(bystanders=count)

        def crowd(more: carom.Problem = more) -> object:
            return carom.simulate(more, rtol=1e-4)

        print(f"  beside {more.flat().gap.size - flat.gap.size} far pairs, 1e-4: {best(crowd):.3f} s")


if __name__ == "__main__":
    main()
