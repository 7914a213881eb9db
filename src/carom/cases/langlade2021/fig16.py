"""langlade2021 Figure 16: spectra of the second floors' corners under Kobe at 0.25 g, where torsion shows."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from carom.cases.base import NO_CURVE, Run, register_case, stated
from carom.cases.langlade2021.table5 import OURS, UNPUBLISHED, title_of
from carom.cases.langlade2021.two_storey import (
    MEASURED,
    TESTS,
    TwoStoreyCase,
    corner_spectra,
    shaken,
    spectra_panels,
)
from carom.results import FigureData, Row, Width

TEST = TESTS[-1]
LARGEST = 20.0  # g, section 5: Structure 2 in Figure 16
TORSION = tuple(round(1.0 / measured[4], 3) for measured in MEASURED)  # s: first torsional periods


@register_case
class CornerSpectra(TwoStoreyCase):
    """PSV and PSA at 5 % of both corners and the centre, and what of them is torsion."""

    name: ClassVar[str] = "langlade2021-fig16"
    title: ClassVar[str] = "Two-storey frames, Kobe 0.25 g: 5 % spectra at the corners of the second floors"
    place: ClassVar[str] = "section 4.4, section 5, Figure 16"
    notes: ClassVar[tuple[str, ...]] = (
        *TwoStoreyCase.notes,
        f"The paper compares with its measurement: {NO_CURVE}. It does not average over the slab, so that torsion "
        "shows; here the centre, which does not turn, stands beside the corners.",
        "Accelerations are Δv/Δt over the step of 1 ms and depend on it, and so do spectra at short periods.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return what is printed, then spectra at the first torsional period of each structure."""
        motion = self.shown(run, TEST)
        rows = [
            Row(
                quantity="Kobe 0.25 g: largest acceleration of Structure 2 in Figure 16", published=LARGEST,
                computed=None, unit="g", reason=UNPUBLISHED,
            ),
            stated("Kobe 0.25 g: curves agree well around 0.48 and 0.27 s", None, UNPUBLISHED),
        ]  # fmt: skip
        for gaps, told in ((TEST.gaps, "gaps of Table 8"), ((TEST.gaps[0],) * 2, "equal gaps")):
            result = shaken(run, TEST._replace(gaps=gaps), motion)
            for i in range(2):
                found = corner_spectra(result, i)
                ahead = f"{title_of(motion)}, {told}: Structure {i + 1} at its torsional period {TORSION[i]} s,"
                left, right, centre = (float(np.interp(TORSION[i], found.periods, psa)) for psa in found.psa)
                for what, value, unit in (
                    ("PSA of the centre", centre, "m/s²"), ("left corner over centre", left / centre, ""),
                    ("right corner over centre", right / centre, ""),
                ):  # fmt: skip
                    rows.append(Row(quantity=f"{ahead} {what}", published=None, computed=value, unit=unit, reason=OURS))
        return rows

    def figures(self, run: Run) -> list[FigureData]:
        """Return PSV and PSA of both structures."""
        panels = spectra_panels(shaken(run, TEST, self.shown(run, TEST)))
        title = f"Spectra of the second floors, 5 %: {self.ahead(TEST)}"
        return [
            FigureData(
                self.name, title, "after langlade2021 Fig. 16", panels, columns=2, width=Width.DOUBLE, aspect=0.55,
            )
        ]  # fmt: skip
