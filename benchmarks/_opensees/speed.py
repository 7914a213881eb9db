"""Time at equal accuracy: each code at the coarsest setting that gives peaks and force to 1e-4."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import carom
from benchmarks._opensees import cases, model
from benchmarks._timing import best_with_kernel

GOAL = 1e-4
STEPS = (1e-3, 5e-4, 2.5e-4, 1e-4, 5e-5, 2.5e-5, 1e-5, 5e-6, 2.5e-6, 1e-6)
"""Steps that OpenSees tries [s], coarsest first; whole parts of 0.01 s."""
PATIENCE = 60.0
"""No run of OpenSees that would take longer [s] is started."""
SHORT = 5.0
"""Runs of OpenSees shorter than this [s] are repeated."""
CASES = (
    ("two", "thirty-09c", ("hertzdamp", "jankowski-2005", "kelvin-voigt")),
    ("soft", "default", ("hertzdamp",)),
    ("10 v 8", "default", ("hertzdamp", "jankowski-2005", "kelvin-voigt")),
)


class Rung(NamedTuple):
    """A run of OpenSees on the ladder of steps."""

    step: float
    seconds: float
    errors: cases.Errors
    failures: int
    method: str

    @property
    def reached(self) -> bool:
        """Whether it is accurate enough."""
        return self.errors.worst <= GOAL


def climb(run: Callable[[float], Rung], patience: float) -> list[Rung]:
    """Refine from the coarsest step until the goal is reached or the next run would take longer than `patience`."""
    rungs: list[Rung] = []
    for step in STEPS:
        if rungs and (rungs[-1].reached or rungs[-1].seconds * rungs[-1].step / step > patience):
            break
        rungs.append(run(step))
    return rungs


def chosen(ladders: list[list[Rung]]) -> Rung:
    """Return the quickest run that reaches the goal, else the most accurate one."""
    reached = [ladder[-1] for ladder in ladders if ladder[-1].reached]
    if reached:
        return min(reached, key=lambda rung: rung.seconds)
    return min((rung for ladder in ladders for rung in ladder), key=lambda rung: rung.errors.worst)


def opensees(problem: carom.Problem, exact: np.ndarray) -> Rung:
    """Return OpenSees at the coarsest step of its better method; a short time is the best of three."""
    methods = {method.name: method for method in (model.IMPLICIT, model.EXPLICIT)}
    ladders: list[list[Rung]] = []
    patience = PATIENCE
    for method in methods.values():

        def run(step: float, method: model.Method = method) -> Rung:
            found = model.run(problem, step, method)
            return Rung(step, found.seconds, cases.errors(found.answer, exact), found.failures, method.name)

        ladders.append(climb(run, patience))
        _show(ladders[-1])
        if ladders[-1][-1].reached:
            patience = min(patience, ladders[-1][-1].seconds)
    rung = chosen(ladders)
    repeats = 2 if rung.seconds < SHORT else 0
    again = [model.run(problem, rung.step, methods[rung.method]).seconds for _ in range(repeats)]
    return rung._replace(seconds=min([rung.seconds, *again]))


def loosest(problem: carom.Problem, exact: np.ndarray) -> tuple[float, cases.Errors]:
    """Return the loosest tolerance at which carom reaches the goal, and its errors there."""
    for exponent in range(3, 9):
        found = cases.errors(cases.answer(carom.simulate(problem, rtol=10.0**-exponent)), exact)
        if found.worst <= GOAL:
            break
    return 10.0**-exponent, found


def _show(ladder: list[Rung]) -> None:
    for rung in ladder:
        print(
            f"      {rung.method:9} Δt {rung.step:7.1e} s  {rung.seconds:7.2f} s  "
            f"peaks {rung.errors.displacement:.1e}  force {rung.errors.force:.1e}  not converged {rung.failures}"
        )


def main() -> None:
    """Measure and print."""
    print(f"peaks of displacement and largest force to {GOAL:g}; one thread, processor time")
    for name, record, laws in CASES:
        motion = cases.motion(record)
        print(f"\n  {name}, motion {record}, {motion.duration:g} s at {motion.dt:g} s")
        for law in laws:
            problem = cases.problem(name, law, motion)
            reference = carom.simulate(problem, rtol=cases.EXACT)
            exact = cases.answer(reference)
            print(f"    {law}, {reference.table['start'].size} impacts")
            theirs = opensees(problem, exact)
            rtol, ours = loosest(problem, exact)

            def work(problem: carom.Problem = problem, rtol: float = rtol) -> object:
                return cases.answer(carom.simulate(problem, rtol=rtol))

            whole, kernel = best_with_kernel(work)
            print(
                f"      carom     rtol {rtol:5.0e}  {1e3 * whole:7.3f} ms  peaks {ours.displacement:.1e}  "
                f"force {ours.force:.1e}" + ("" if kernel is None else f"  (kernel alone {1e3 * kernel:.3f} ms)")
            )
            bound = "" if theirs.reached else "more than "
            alone = "" if kernel is None else f", its kernel alone {bound}{theirs.seconds / kernel:,.0f} times"
            print(
                f"      → OpenSees {theirs.seconds:.2f} s ({theirs.method}, Δt {theirs.step:g} s"
                f"{'' if theirs.reached else ', goal not reached'}): simulate is {bound}"
                f"{theirs.seconds / whole:,.0f} times faster{alone}",
                flush=True,
            )
