"""Answers side by side: carom at its default tolerance against itself and against OpenSees refined.

OpenSees errs in proportion to its step: v0 is taken at the end of the first step in contact, and a force that
jumps or bends at touch acts up to a step too late. Its answers at Δt and Δt/2 are therefore extrapolated to Δt = 0;
what is left scatters, for the place of a touch within its step is a matter of chance. Amplification is the
relative change of peaks over that of the gap; where it passes 100, the answer hangs on digits nobody knows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import carom
from benchmarks._opensees import cases, model

SENSITIVE = 100.0
"""Amplification from which a case is reported apart: a change of 1e-8 in the gap then moves peaks by 1e-6."""
SLOW = 1e-3
"""Touches slower than this [m/s] may be counted differently."""
DURATION = 20.0
GRID = (
    ("two", ("default", "thirty-09c", "thirty-10b"), tuple(cases.LAWS), 2.5e-5),
    ("three", ("default", "thirty-09c"), tuple(cases.LAWS), 2.5e-5),
    ("10 v 8", ("default", "thirty-09c"), ("hertzdamp", "jankowski-2005", "kelvin-voigt"), 5e-5),
)
"""Structures, motions, laws, and the finer of the two steps of OpenSees [s]."""


class Row(NamedTuple):
    """One problem in both codes; all errors against carom at 1e-10."""

    name: str
    ours: cases.Errors
    coarse: cases.Errors
    fine: cases.Errors
    extrapolated: cases.Errors
    amplification: float
    impacts: tuple[int, int]
    slow: int
    failures: int

    def __str__(self) -> str:
        pairs = "   ".join(f"{e.displacement:.0e} {e.force:.0e}" for e in self[1:5])
        slow = f" ({self.slow} slow)" if self.slow else ""
        return (
            f"  {self.name:40} {pairs}   {self.amplification:8.2f}   {self.impacts[0]:4d} {self.impacts[1]:4d}{slow}"
            f"{f'   {self.failures} steps not converged' if self.failures else ''}"
        )


def extrapolated(coarse: np.ndarray, fine: np.ndarray) -> np.ndarray:
    """Return the limit for Δt → 0 of answers at 2Δt and Δt whose error is proportional to the step."""
    return 2.0 * fine - coarse


def row(name: str, problem: carom.Problem, step: float) -> Row:
    """Run one problem in both codes."""
    reference = carom.simulate(problem, rtol=cases.EXACT)
    exact = cases.answer(reference)
    coarse, fine = (model.run(problem, dt) for dt in (2.0 * step, step))
    return Row(
        name,
        cases.errors(cases.answer(carom.simulate(problem)), exact),
        cases.errors(coarse.answer, exact),
        cases.errors(fine.answer, exact),
        cases.errors(extrapolated(coarse.answer, fine.answer), exact),
        cases.amplification(problem, exact),
        (reference.table["start"].size, fine.approach.size),
        int(np.sum(reference.table["approach_velocity"] < SLOW)),
        fine.failures,
    )


def main() -> None:
    """Run all and print; sensitive cases come last."""
    print("relative errors of displacement peaks and largest force against carom at rtol 1e-10")
    columns = "carom 1e-6    OpenSees 2Δt   Δt            Δt → 0        amplified   impacts: ours, theirs"
    print(f"  {'structures, motion, law':40} {columns}")
    sensitive = []
    worst = dict.fromkeys(("ours", "extrapolated"), 0.0)
    for name, records, laws, step in GRID:
        print(f"  {name}: Δt = {step:g} s")
        for record in records:
            motion = cases.motion(record, DURATION)
            for law in laws:
                found = row(f"{name}, {record}, {law}", cases.BUILD[name](cases.law(law), motion), step)
                if found.amplification >= SENSITIVE:
                    sensitive.append(found)
                    continue
                worst = {key: max(value, getattr(found, key).worst) for key, value in worst.items()}
                print(found, flush=True)
    print(f"  largest: carom at 1e-6 {worst['ours']:.1e}, OpenSees extrapolated {worst['extrapolated']:.1e}")
    print(f"  amplification of {SENSITIVE:g} and more: {'none' if not sensitive else ''}")
    for found in sensitive:
        print(found)
