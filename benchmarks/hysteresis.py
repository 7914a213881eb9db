"""Inelastic storeys beside OpenSeesPy: cyclic paths, then steps per second of two ten-storey buildings that pound.

    python -m benchmarks hysteresis

Bilinear storeys (Steel01) and ten contacts; the same scheme (average acceleration) and the
same step in both codes. OpenSees runs by `analyze(N)` with envelope recorders, by the quickest of three algorithms.
"""

from __future__ import annotations

import numpy as np

import carom
from benchmarks._opensees import cases, hysteresis, model
from benchmarks._timing import best

ALGORITHMS = (("ModifiedNewton", "-initial", "-factoronce"), ("Newton",), ("KrylovNewton",))
STEPS = (1e-3, 2e-4)
DURATION = 10.0


def pair() -> carom.Problem:
    """Return two ten-storey buildings that yield and pound: twice the built-in motion, drifts of seven yield drifts."""
    gentle = cases.motion("default", DURATION)
    storeys = carom.Bilinear(0.01, 0.05)
    buildings = [
        cases.building(10, 3e8, "soft").replace(storeys=storeys),
        cases.building(10, 6e8, "stiff").replace(storeys=storeys),
    ]
    law = cases.law_of("hertzdamp", "10 v 8")
    return carom.Problem(
        buildings, [carom.facing("soft", "stiff", gap=cases.GAP, law=law)],
        motion=carom.Motion(2.0 * gentle.acceleration, dt=gentle.dt),
    )  # fmt: skip


def main() -> None:
    """Measure and print."""
    if not model.AVAILABLE:
        print("skipped: openseespy is not installed; pip install 'carom[opensees]' (needs libblas3 liblapack3)")
        return
    hysteresis.main()
    problem = pair()
    reference = carom.simulate(problem, scheme="radau-iia-3", dt=2e-5)
    exact = cases.answer(reference)
    drifts = np.abs(np.diff(reference.displacement[:, :10], axis=1, prepend=0.0)).max()
    share = reference.ledger["hysteretic"][-1] / reference.ledger["input"][-1]
    print(
        f"\ntwo ten-storey buildings, {reference.table['start'].size} impacts, drifts to {drifts / 0.01:.0f} d_y, "
        f"{share:.0%} of the input lost in yielding; one thread, processor time"
    )
    for dt in STEPS:
        quickest = 0.0
        for words in ALGORITHMS:
            method = model.Method(words[0], model.IMPLICIT.integrator, words)
            runs = [model.run(problem, dt, method) for _ in range(3)]
            pace = max(found.steps / found.seconds for found in runs)
            quickest = max(quickest, pace)
            show("OpenSees", words[0], dt, pace, cases.errors(runs[0].answer, exact))
        for scheme in ("newmark", "radau-iia-2"):
            run = carom.simulate(problem, scheme=scheme, dt=dt)

            def work(scheme: str = scheme, dt: float = dt) -> object:
                return carom.simulate(problem, scheme=scheme, dt=dt)

            pace = run.evidence["steps"] / best(work)
            beside = f"  → {pace / quickest:.1f} times the quickest"
            show("carom", scheme, dt, pace, cases.errors(cases.answer(run), exact), beside)


def show(code: str, method: str, dt: float, pace: float, off: cases.Errors, beside: str = "") -> None:
    print(
        f"  {code:8} {method:15} Δt {dt:g} s  {1e-3 * pace:7.1f} thousand steps/s  "
        f"peaks {off.displacement:.0e} force {off.force:.0e}{beside}"
    )
