"""langlade2021 Figure 9: spectra of the slabs' motion in the pull-back test."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from carom.cases.base import NO_CURVE, Case, Run, register_case
from carom.cases.langlade2021.shared import RESTITUTIONS, STEP, STEPPED, floor_spectra, pull_back, rigid
from carom.motions import Spectrum
from carom.results import Curve, FigureData, Panel, Row, Width

AT = (0.05, 0.15, 0.29)  # s: short, and the two printed fundamental periods
UNPRINTED = "the paper shows it in a figure only"


def spectra_panels(found: dict[float, Spectrum]) -> tuple[Panel, ...]:
    """Return PSV and PSA of both structures for each restitution."""
    panels = []
    for i in range(2):
        for name, unit, of in (
            ("PSV", "m/s", "psv"),
            ("PSA", r"m/s$^2$", "psa"),
        ):
            curves = tuple(
                Curve(np.log10(s.periods), getattr(s, of)[i], f"$e$ = {e}", series=series)
                for series, (e, s) in enumerate(found.items())
            )
            legend = "upper left" if (i, name) == (0, "PSV") else ""
            panels.append(
                Panel(r"$\log_{10}$ period [s]", f"{name} [{unit}]", curves, f"Structure {i + 1}", legend=legend)
            )
    return tuple(panels)


@register_case
class PullBackSpectra(Case):
    """PSV and PSA at 5 % of both slabs, three restitutions, by Moreau-Jean at the paper's step."""

    name: ClassVar[str] = "langlade2021-fig9"
    title: ClassVar[str] = "Pull-back test: 5 % spectra of the slabs for three coefficients of restitution"
    paper: ClassVar[str] = "langlade2021"
    place: ClassVar[str] = "section 4.2, Figure 9"
    means: ClassVar[str] = "simulate"
    notes: ClassVar[tuple[str, ...]] = (
        "Accelerations are Δv/Δt over the step of 1 ms and depend on it; a velocity jump is an impulse, whose spectrum "
        "is PSV = Δv at periods well above the step and meaningless below a few milliseconds.",
        f"The paper compares with its measurement: {NO_CURVE}.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return PSA at three periods for every restitution, and how much the step decides."""
        rows = []
        for e in RESTITUTIONS:
            found = floor_spectra(pull_back(run, rigid(e), **STEPPED))
            for i in range(2):
                for period in AT:
                    value = float(np.interp(period, found.periods, found.psa[i]))
                    title = f"e = {e}: PSA of Structure {i + 1} at {period} s"
                    rows.append(Row(quantity=title, published=None, computed=value, unit="m/s²", reason=UNPRINTED))
        coarse, fine = (
            floor_spectra(pull_back(run, rigid(0.6), **{**STEPPED, "dt": step})) for step in (STEP, STEP / 10)
        )
        for period in AT:
            values = [float(np.interp(period, s.periods, s.psa[0])) for s in (coarse, fine)]
            title = f"e = 0.6: PSA of Structure 1 at {period} s, steps of 0.1 ms over 1 ms"
            rows.append(Row(quantity=title, published=None, computed=values[1] / values[0], reason=UNPRINTED))
        return rows

    def figures(self, run: Run) -> list[FigureData]:
        """Return PSV and PSA of both structures."""
        found = {e: floor_spectra(pull_back(run, rigid(e), **STEPPED)) for e in RESTITUTIONS}
        return [
            FigureData(
                self.name, self.title, "after langlade2021 Fig. 9", spectra_panels(found), columns=2,
                width=Width.DOUBLE, aspect=0.55,
            )
        ]  # fmt: skip
