"""langlade2021 Figure 11: what step and contact stiffness do to penalty laws on the pull-back test."""

from __future__ import annotations

from functools import cache
from typing import ClassVar

import numpy as np

from carom.cases.base import NO_CURVE, Case, Run, register_case
from carom.cases.langlade2021.shared import (
    DURATION,
    FACTORS,
    MODELS,
    STEP,
    STEPPED,
    Model,
    build,
    pull_back,
    released,
    rigid,
)  # fmt: skip
from carom.results import Curve, FigureData, Kind, Panel, Row, Simulation, Width

__all__ = ["StepAndStiffness"]

LAWS = MODELS[1:3]  # Figure 11: Jankowski and Khatami
RUNS = (
    # ours: the paper does not name the integrator of its penalty runs; the steps are those of section 4.2
    ("newmark", 1e-3, "Newmark, 1 ms"),
    ("newmark", 1e-6, "Newmark, 1 μs"),
    ("lagged-force", 1e-3, "lagging, 1 ms"),
    ("lagged-force", 1e-6, "lagging, 1 μs"),
    ("backward-euler", 1e-3, "backward Euler"),
)
DRAWN = (0.01, 1.0, 100.0)  # ours: the figure's stiffnesses are not in its text
SHOWN = 1.0  # s

BEST = 0.6  # of NSCD, section 4.2
UNPRINTED = "Figure 11 is printed without numbers"
COST = "the paper calls NSCD very efficient in CPU time and prints no times"


@cache
def _stepped(run: Run, model: Model, factor: float, how: tuple[str, float] | None) -> Simulation:
    """Return a run with that step, or the event-driven one; each is computed once, two million steps as they are."""
    law = build(model, factor)
    if how is None:
        return pull_back(run, law)
    found: Simulation = run(released(law), duration=DURATION, sampling=STEP, scheme=how[0], dt=how[1])
    return found


@register_case
class StepAndStiffness(Case):
    """Displacement of Structure 1 with both steps, and how wrong each is for every listed stiffness."""

    name: ClassVar[str] = "langlade2021-fig11"
    title: ClassVar[str] = "Pull-back test: step and stiffness sensitivity of the penalty laws"
    paper: ClassVar[str] = "langlade2021"
    place: ClassVar[str] = "section 4.2, Figure 11"
    means: ClassVar[str] = "simulate"
    notes: ClassVar[tuple[str, ...]] = (
        "The paper finds that the stiffness may change by two or three orders of magnitude when the step is a thousand "
        "times shorter. Where contact forces are iterated with the step (Newmark) this is not seen: at the listed "
        "stiffnesses contacts last 20 ms and more, a step of 1 ms is right to 0.15 mm of 24 mm, and the stiffness "
        "alone decides.",
        "It is seen where a force is worked out at the start of a step and added as a load (lagging), as may be done "
        "in a code made for impulses: errors then grow with stiffness times step, at 1 ms from 0.4 and "
        "0.7 mm at 10 max(k1, k2) to 2 and 7 mm at 100, and at a step a thousand times shorter they are about a "
        "thousand times smaller. This is our reading: the paper names neither the integrator of its penalty runs nor "
        "how it treats their forces.",
        "Backward Euler (1 ms), which damps by itself, errs at any stiffness, by 7 to 20 mm.",
        f"Grey: the event-driven engine. The paper draws its measurement besides: {NO_CURVE}.",
    )

    def _off(self, run: Run, model: Model, factor: float, how: tuple[str, float]) -> float:
        """Return the largest error of Structure 1's displacement [mm]."""
        exact = _stepped(run, model, factor, None)
        return 1e3 * float(np.abs(_stepped(run, model, factor, how).displacement - exact.displacement)[:, 0].max())

    def rows(self, run: Run) -> list[Row]:
        """Return the error of each step at each stiffness."""
        errors = [
            Row(
                quantity=f"{model.short}, {factor:g}·max(k1, k2), {title}: error of u1",
                published=None,
                computed=self._off(run, model, factor, (scheme, dt)),
                unit="mm",
                reason=UNPRINTED,
            )
            for model in LAWS
            for factor in FACTORS
            for scheme, dt, title in RUNS
        ]
        return [*errors, *self._cost(run)]

    def _cost(self, run: Run) -> list[Row]:
        """Return the statements on cost, in steps: what a step takes is a matter of codes and machines."""
        model, stiffest = LAWS[0], FACTORS[-1]
        long, short = (_stepped(run, model, stiffest, ("newmark", dt)).evidence["steps"] for dt in (1e-3, 1e-6))
        rigidly = pull_back(run, rigid(BEST), **STEPPED)
        exact = pull_back(run, rigid(BEST))
        off = 1e3 * float(np.abs(rigidly.displacement - exact.displacement)[:, 0].max())
        return [
            Row(
                quantity="penalty law: steps at 1 μs over steps at 1 ms (text: cost 1000 times)",
                published=1000.0,
                computed=short / long,
                tolerance=0.01,
            ),
            Row(
                quantity="penalty law at 1 μs: steps over those of NSCD at 1 ms",
                published=None,
                computed=short / rigidly.evidence["steps"],
                reason=COST,
            ),
            Row(
                quantity=f"NSCD at 1 ms, e = {BEST}: error of u1 against impacts event by event",
                published=None,
                computed=off,
                unit="mm",
                reason=COST,
            ),
        ]

    def figures(self, run: Run) -> list[FigureData]:
        """Return Structure 1 with both steps at three stiffnesses, then the errors over all of them."""
        panels = []
        for model in LAWS:
            for factor in DRAWN:
                exact = _stepped(run, model, factor, None)
                curves = [Curve(exact.time, 1e3 * exact.displacement[:, 0], "event-driven", Kind.REFERENCE)]
                for series, (scheme, dt, label) in enumerate(RUNS):
                    found = _stepped(run, model, factor, (scheme, dt))
                    curves.append(Curve(found.time, 1e3 * found.displacement[:, 0], label, series=series))
                panels.append(
                    Panel(
                        "Time $t$ [s]",
                        "Displacement $u_1$ [mm]",
                        tuple(curves),
                        rf"{model.short}, $k_s$ = {factor:g} max($k_1,k_2$)",
                        xlim=(0.0, SHOWN),
                        ylim=(-30.0, 35.0),
                    )
                )
        for model in LAWS:
            curves = []
            for series, (scheme, dt, _) in enumerate(RUNS):
                y = np.log10([self._off(run, model, factor, (scheme, dt)) for factor in FACTORS])
                curves += [
                    Curve(np.log10(FACTORS), y, kind=Kind.POINTS, series=series),
                    Curve(np.log10(FACTORS), y, series=series),
                ]
            panels.append(
                Panel(
                    r"$\log_{10}\,k_s/\max(k_1,k_2)$",
                    r"$\log_{10}$ error of $u_1$ [mm]",
                    tuple(curves),
                    f"{model.short}: largest error in 2 s",
                    xlim=(-2.4, 2.4),
                    ylim=(-7.0, 2.0),
                )
            )
        figure = FigureData(
            self.name, self.title, "after langlade2021 Fig. 11", tuple(panels), columns=3, width=Width.DOUBLE,
            aspect=0.8, legend=True,
        )  # fmt: skip
        return [figure]
