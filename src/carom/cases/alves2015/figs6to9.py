"""alves2015 Figures 6-9: force histories of the steel ball, eight models, one figure per test."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from carom.cases.alves2015.shared import ERRORS, MODELS, PEAKS, ROUNDING, TRIALS, Trial, drop_ball
from carom.cases.base import NO_CURVE, Case, Run, register_case
from carom.results import Curve, FigureData, Kind, Panel, Row, Width

LAST_DIGIT = 0.05  # percentage points

AXES = {0.094: (320e-6, 800.0, "N", 1.0), 0.500: (230e-6, 6.0, "kN", 1e-3)}
"""Speed [m/s]: last time [s], largest force, its unit, and that unit in newtons, inverted."""


class ForceHistories(Case):
    """The histories of one test, and the error of each peak against the measured one."""

    paper: ClassVar[str] = "alves2015"
    notes: ClassVar[tuple[str, ...]] = (
        "The paper lays its measured history under each panel: " + NO_CURVE + "; its peak (Table 4) is the dashed "
        "level. Rows: the error column of Table 4, from unrounded inputs (see alves2015-table4).",
    )
    test: ClassVar[Trial]

    def rows(self, run: Run) -> list[Row]:
        """Return the error of each model's peak against the measured one."""
        column = TRIALS.index(self.test)
        measured = self.test.measured
        return [
            Row(
                quantity=f"{MODELS[name]}: error of the peak",
                published=errors[column],
                computed=100.0 * (drop_ball(run, name, self.test.unrounded).peak_force / measured - 1.0),
                tolerance=100.0 * ROUNDING * PEAKS[name][column] / measured + LAST_DIGIT,
                absolute=True,
                unit="%",
            )
            for name, errors in ERRORS.items()
        ]

    def figures(self, run: Run) -> list[FigureData]:
        """Return the eight panels."""
        impacts = {name: drop_ball(run, name, self.test.unrounded) for name in ERRORS}
        end, top, unit, scale = AXES[self.test.velocity]
        times = np.linspace(0.0, end, 401)
        level = Curve((), (scale * self.test.measured,), "measured peak (curve not published)", Kind.LEVEL)
        panels = tuple(
            Panel(
                r"Time $t$ [µs]",
                f"Force $F$ [{unit}]",
                (Curve(1e6 * times, scale * impact.sample(times).force.values, "computed"), level),
                MODELS[name],
                xlim=(0.0, 1e6 * end),
                ylim=(0.0, top),
            )
            for name, impact in impacts.items()
        )
        source = f"after alves2015 Fig. {self.test.figure}"
        return [
            FigureData(
                self.name,
                self.title,
                source,
                panels,
                columns=4,
                width=Width.DOUBLE,
                aspect=0.9,
                shared=True,
                legend=True,
            )
        ]


@register_case
class Figure6(ForceHistories):
    """C1 at 0.094 m/s."""

    name: ClassVar[str] = "alves2015-fig6"
    title: ClassVar[str] = "Force histories of the steel ball on C1 at 0.094 m/s"
    place: ClassVar[str] = "Figure 6, Table 4"
    test: ClassVar[Trial] = TRIALS[0]


@register_case
class Figure7(ForceHistories):
    """C2 at 0.094 m/s."""

    name: ClassVar[str] = "alves2015-fig7"
    title: ClassVar[str] = "Force histories of the steel ball on C2 at 0.094 m/s"
    place: ClassVar[str] = "Figure 7, Table 4"
    test: ClassVar[Trial] = TRIALS[2]


@register_case
class Figure8(ForceHistories):
    """C1 at 0.500 m/s."""

    name: ClassVar[str] = "alves2015-fig8"
    title: ClassVar[str] = "Force histories of the steel ball on C1 at 0.500 m/s"
    place: ClassVar[str] = "Figure 8, Table 4"
    test: ClassVar[Trial] = TRIALS[1]


@register_case
class Figure9(ForceHistories):
    """C2 at 0.500 m/s."""

    name: ClassVar[str] = "alves2015-fig9"
    title: ClassVar[str] = "Force histories of the steel ball on C2 at 0.500 m/s"
    place: ClassVar[str] = "Figure 9, Table 4"
    test: ClassVar[Trial] = TRIALS[3]
