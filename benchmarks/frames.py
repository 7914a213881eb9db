"""Two ten-storey frames in space that meet at sixteen corners: all modes, few modes, and OpenSeesPy.

    python -m benchmarks frames    (a quarter of an hour, most of it OpenSees)

Some 400 degrees of freedom each, 30 s of ground motion; forces of contacts and displacements at them to 1e-3. OpenSees
is timed over the first seconds of the motion, at the coarsest step that is as accurate there, and the time is scaled.
"""

from __future__ import annotations

import time

import numpy as np

import carom
from benchmarks._opensees import cases, model
from benchmarks._timing import best

GOAL = 1e-3
"""Largest relative error of the largest force of every contact, and of the displacements at both of its places."""
LASTING = 30.0
"""Length of the record [s]."""
PEER_LASTING = 3.0
"""Seconds over which OpenSees is timed; the first impacts are among them."""
STEPS = (2e-3, 1e-3, 5e-4, 2.5e-4, 1e-4)
"""Steps that OpenSees tries [s], coarsest first."""
PATIENCE = 900.0
"""No run of OpenSees that would take longer [s] is started."""
TARGETS = (1e-3, 3e-4, 1e-4, 3e-5, 1e-5)
"""Errors of the forces of the first impacts for which cut-offs are sought: what comes later is told by none of them."""
EXACT = 1e-10
"""Tolerance of the run that serves as the answer."""


def pair(storeys: int = 10) -> carom.Problem:
    """Return two concrete frames with rigid slabs, side by side; corners that face each other meet on eight floors."""
    concrete, damping = carom.Material.concrete(), carom.Rayleigh(0.49, 4.8e-4)  # 5 % at 0.8 and at 32 Hz
    made = []
    for name, bay, column, at in (("a", 6.0, 0.5, 0.0), ("b", 5.0, 0.65, 12.0)):
        section, beam = carom.Section.rectangle(column, column), carom.Section.rectangle(0.3, 0.6)
        polar = [
            carom.Section(one.area, one.inertia_y, one.inertia_z, one.torsion, polar=one.torsion)
            for one in (section, beam)
        ]
        made.append(carom.Frame.moment_frame(
            storeys=[3.2] * storeys, bays=[bay] * 2, rows=[6.0] * 3, columns=polar[0], beams=polar[1],
            material=concrete, slab=500.0, damping=damping, rotary=False, origin=(at, 0.0, 0.0), name=name,
        ))  # fmt: skip
    law = carom.law("hertzdamp", stiffness=2e9, restitution=0.65, v0="published")
    contacts = [
        carom.Contact(("a", f"2-{j}-{k}", "x"), ("b", f"0-{j}-{k}", "x"), gap=gap, law=law)
        for k in range(storeys - 7, storeys + 1)
        for j, gap in ((0, 0.02), (3, 0.025))
    ]
    return carom.Problem(made, contacts, motion=cases.motion("default", LASTING))


def answer(run: carom.Simulation, problem: carom.Problem) -> np.ndarray:
    """Return the largest force of every contact, and the largest displacements at both of its places."""
    force = np.zeros(len(problem.pairs))
    np.maximum.at(force, run.table["contact"].astype(int), run.table["peak_force"])
    labels = problem.flat().output_labels
    places = [f"{place.structure} {place.at} along x" for pair in problem.pairs for place in (pair.a, pair.b)]
    return np.concatenate([force, run.extremes[[labels.index(place) for place in places], 0]])


def worst(found: np.ndarray, exact: np.ndarray) -> float:
    """Return the largest relative error, of contacts that are hit at all."""
    hit = exact > 0.0
    return float(np.abs(found[hit] / exact[hit] - 1.0).max())


def ours(problem: carom.Problem, exact: np.ndarray, label: str) -> float:
    """Print and return the time of a run at the loosest tolerance that is accurate enough, or at the tightest [s]."""
    for exponent in range(3, 8):
        rtol = 10.0**-exponent
        error = worst(answer(carom.simulate(problem, rtol=rtol), problem), exact)
        if error <= GOAL:
            break
    seconds = best(lambda: carom.simulate(problem, rtol=rtol).extremes, seconds=2.0)
    run = carom.simulate(problem, rtol=rtol)
    print(f"  carom, {label}: {problem.flat().omega.size} modes, rtol {rtol:.0e}, {seconds:.3f} s, error {error:.1e} "
          f"over the record ({run.evidence['path']} engine)", flush=True)  # fmt: skip
    return seconds


def few_modes(problem: carom.Problem, exact: np.ndarray) -> dict[str, carom.Problem]:
    """Return the problem with the cut-off that keeps the first impacts to GOAL, and one that keeps the whole record."""
    found: dict[str, carom.Problem] = {}
    for target in TARGETS:
        begin = time.thread_time()
        few = problem.reduced(target)
        seconds, told = time.thread_time() - begin, few.reduction
        error = worst(answer(carom.simulate(few, rtol=1e-6), few), exact)
        kept = ", ".join(map(repr, few.structures))
        print(f"  reduced to {target:.0e}: up to {told.cutoff:.1f} Hz, {kept}; estimate {told.estimate:.1e} of "
              f"{told.impacts} impacts; {error:.1e} over the record; found in {seconds:.2f} s", flush=True)  # fmt: skip
        if target == GOAL:
            found[f"few modes, {GOAL:.0e} for the first impacts"] = few
        if error <= GOAL:
            found[f"few modes, {GOAL:.0e} over the record"] = few
            break
    return found


def peer(problem: carom.Problem) -> tuple[float, bool]:
    """Print and return what OpenSees takes for the whole record [s], and whether it was as accurate as asked for."""
    from benchmarks._opensees import frames

    exact = answer(carom.simulate(problem, rtol=EXACT, duration=PEER_LASTING), problem)
    ours = np.sort(np.concatenate([s.modes().omega[:12] ** 2 for s in problem.structures]))[:12]
    print(f"  the same frames: ω² differ by {np.abs(frames.eigenvalues(problem, 12) / ours - 1.0).max():.1e}")
    seconds, reached = 0.0, False
    for step in STEPS:
        if seconds * 2.0 > PATIENCE:
            break
        found = frames.run(problem, step, PEER_LASTING)
        seconds = found.seconds
        error = worst(np.concatenate([found.force, found.displacement.ravel()]), exact)
        print(f"  OpenSees Δt {step:7.1e} s  {seconds:7.1f} s for {PEER_LASTING:g} s  error {error:.1e}  "
              f"not converged {found.failures}", flush=True)  # fmt: skip
        if reached := error <= GOAL:
            break
    return seconds * LASTING / PEER_LASTING, reached


def main() -> None:
    """Measure and print."""
    problem = pair()
    print(f"{' and '.join(map(repr, problem.structures))}, {len(problem.pairs)} corner contacts, {LASTING:g} s; "
          f"one thread, processor time; error of forces and displacements to {GOAL:g}")  # fmt: skip
    reference = carom.simulate(problem, rtol=EXACT)
    exact = answer(reference, problem)
    largest = 1e-3 * exact[: len(problem.pairs)].max()
    print(f"  {reference.table['start'].size} impacts, largest force {largest:.0f} kN", flush=True)
    times = {"all modes": ours(problem, exact, "all modes")}
    times |= {label: ours(few, exact, label) for label, few in few_modes(problem, exact).items()}
    if not model.AVAILABLE:
        print("  OpenSees: skipped, openseespy is not installed")
        return
    theirs, reached = peer(problem)
    for label, seconds in times.items():
        print(f"  → {label}: {'' if reached else 'more than '}{theirs / seconds:,.0f} times as fast as OpenSees "
              f"({theirs:,.0f} s)")  # fmt: skip


if __name__ == "__main__":
    main()
