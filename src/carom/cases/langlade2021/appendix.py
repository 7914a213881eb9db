"""langlade2021 Figures A.4 and A.5: the two-storey frames under Cadarache, Northridge, El Centro and Kobe at 0.20 g."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from carom.cases.base import NO_CURVE, Run, register_case, stated
from carom.cases.langlade2021.table5 import OURS, UNPUBLISHED, title_of
from carom.cases.langlade2021.two_storey import (
    CORNERS,
    TESTS,
    Test,
    TwoStoreyCase,
    corner_spectra,
    history_panel,
    place,
    shaken,
    spectra_panels,
    turning,
)
from carom.results import FigureData, Row, Width


class Appendix(TwoStoreyCase):
    """Displacements of left corners and spectra of two tests, and the numbers in them."""

    figure: ClassVar[str]
    tests: ClassVar[tuple[Test, ...]]
    notes: ClassVar[tuple[str, ...]] = (
        *TwoStoreyCase.notes,
        f"The paper compares with its measurement: {NO_CURVE}.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return what is stated, then largest displacements, rotations and spectral ordinates of both tests."""
        rows = []
        for test in self.tests:
            motion = self.shown(run, test)
            result = shaken(run, test, motion)
            rows.append(stated(f"{test}: response and impacts are in excellent agreement", None, UNPUBLISHED))
            for i in range(2):
                found = corner_spectra(result, i)
                told = {
                    f"largest displacement of the {side} corner": (
                        1e3 * float(result.extremes[result.dofs.index(place(i, side)), 0]), "mm"
                    )
                    for side in CORNERS
                }  # fmt: skip
                told["largest rotation"] = 1e3 * turning(result, i), "mrad"
                told["largest PSV of the left corner"] = float(np.max(found.psv[0])), "m/s"
                told["largest PSV of the centre"] = float(np.max(found.psv[2])), "m/s"
                ahead = f"{test}, {title_of(motion)}: Structure {i + 1},"
                rows += [
                    Row(quantity=f"{ahead} {what}", published=None, computed=value, unit=unit, reason=OURS)
                    for what, (value, unit) in told.items()
                ]
        return rows

    def figures(self, run: Run) -> list[FigureData]:
        """Return displacements above spectra, a column for each test."""
        columns = []
        for test in self.tests:
            result = shaken(run, test, self.shown(run, test))
            history = history_panel(result, "displacement", self.ahead(test), "upper right")
            columns.append((history, *spectra_panels(result)))
        panels = tuple(panel for row in zip(*columns, strict=True) for panel in row)
        return [
            FigureData(
                self.name, self.title, f"after langlade2021 Fig. {self.figure}", panels, columns=2, width=Width.DOUBLE,
                aspect=0.5,
            )
        ]  # fmt: skip


@register_case
class AppendixFour(Appendix):
    """Figure A.4."""

    name: ClassVar[str] = "langlade2021-figa4"
    title: ClassVar[str] = "Two-storey frames, Cadarache 0.45 g and Northridge 0.20 g: corners of the second floors"
    place: ClassVar[str] = "appendix, Figure A.4"
    figure: ClassVar[str] = "A.4"
    tests: ClassVar[tuple[Test, ...]] = (TESTS[0], TESTS[2])


@register_case
class AppendixFive(Appendix):
    """Figure A.5."""

    name: ClassVar[str] = "langlade2021-figa5"
    title: ClassVar[str] = "Two-storey frames, El Centro 0.30 g and Kobe 0.20 g: corners of the second floors"
    place: ClassVar[str] = "appendix, Figure A.5"
    figure: ClassVar[str] = "A.5"
    tests: ClassVar[tuple[Test, ...]] = (TESTS[1], TESTS[3])
