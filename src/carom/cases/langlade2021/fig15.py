"""langlade2021 Figure 15: displacement and acceleration of the second floors' left corners under Kobe at 0.25 g."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from carom.cases.base import NO_CURVE, Run, register_case, stated
from carom.cases.langlade2021.table5 import OURS, UNPUBLISHED, title_of
from carom.cases.langlade2021.two_storey import (
    CORNERS,
    HOW,
    SHOWN,
    STEPS,
    TESTS,
    TwoStoreyCase,
    corner,
    history_panel,
    place,
    shaken,
    turning,
)
from carom.results import Curve, FigureData, Panel, Row, Simulation, Width

TEST = TESTS[-1]


@register_case
class LeftCorners(TwoStoreyCase):
    """Histories by impulses and by compliant laws, how far slabs turn, and how far without unequal gaps."""

    name: ClassVar[str] = "langlade2021-fig15"
    title: ClassVar[str] = "Two-storey frames, Kobe 0.25 g: left corners of the second floors"
    place: ClassVar[str] = "section 4.4, Figure 15"
    notes: ClassVar[tuple[str, ...]] = (
        *TwoStoreyCase.notes,
        f"The paper compares with its measurement: {NO_CURVE}.",
        "The last panel, how the slabs turn, is not in the paper, which shows torsion in spectra only.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return what is stated, then largest displacements and rotations by every way to run."""
        motion = self.shown(run, TEST)
        rows = [stated("Kobe 0.25 g: the impact at 11 s is missed by a few millimetres", None, UNPUBLISHED)]
        told: dict[str, tuple[float, str]] = {}
        for how in HOW:
            result = shaken(run, TEST, motion, how=how)
            for i in range(2):
                ahead = f"{title_of(motion)}, {how}: Structure {i + 1},"
                for side in CORNERS:
                    most = float(result.extremes[result.dofs.index(place(i, side)), 0])
                    told[f"{ahead} largest displacement of the {side} corner"] = 1e3 * most, "mm"
                told[f"{ahead} largest rotation"] = 1e3 * turning(result, i), "mrad"
        middle = 0.5 * sum(TEST.gaps)
        equal = shaken(run, TEST._replace(gaps=(middle, middle)), motion)
        for i in range(2):
            told[f"{title_of(motion)}, equal gaps: Structure {i + 1}, largest rotation"] = (
                1e3 * turning(equal, i),
                "mrad",
            )
        return [
            *rows,
            *(
                Row(quantity=title, published=None, computed=value, unit=unit, reason=OURS)
                for title, (value, unit) in told.items()
            ),
        ]

    def figures(self, run: Run) -> list[FigureData]:
        """Return displacements, accelerations, rotations, and displacements by compliant laws beside the impulses'."""
        motion = self.shown(run, TEST)
        result = shaken(run, TEST, motion)
        title = self.ahead(TEST)
        panels = (
            history_panel(result, "displacement", title, "upper right"),
            history_panel(result, "acceleration", title, ""),
            self._rotations(result, title),
        )
        return [
            FigureData(
                self.name, self.title, "after langlade2021 Fig. 15", panels, width=Width.DOUBLE, aspect=0.3,
            ),
            FigureData(
                f"{self.name}-laws", "Left corner of Structure 1 by impulses and by compliant laws",
                "after langlade2021 Fig. 15, with the laws of Table 4",
                (self._laws(run, title),), width=Width.DOUBLE, aspect=0.4,
            ),
        ]  # fmt: skip

    def _rotations(self, result: Simulation, title: str) -> Panel:
        curves = tuple(
            Curve(
                result.time, 1e3 * result.displacement[:, result.dofs.index(f"{i + 1} floor 2 rz")],
                f"Structure {i + 1}", series=i,
            )
            for i in range(2)
        )  # fmt: skip
        most = max(float(np.abs(curve.y).max()) for curve in curves)
        room = (-1.1 * most, 1.1 * most)
        return Panel("Time $t$ [s]", r"Rotation $\theta$ [mrad]", curves, title, xlim=(0.0, SHOWN), ylim=room)

    def _laws(self, run: Run, title: str) -> Panel:
        motion = self.shown(run, TEST)
        curves = []
        for series, how in enumerate((STEPS, *HOW[2:])):
            result = shaken(run, TEST, motion, how=how)
            curves.append(
                Curve(result.time, 1e3 * corner(result, "displacement", 0, "left"), how.split(",")[0], series=series)
            )
        most = max(float(np.abs(curve.y).max()) for curve in curves)
        return Panel(
            "Time $t$ [s]", "Displacement $u$ [mm]", tuple(curves), title, xlim=(0.0, SHOWN),
            ylim=(-1.1 * most, 1.6 * most), legend="upper right",
        )  # fmt: skip
