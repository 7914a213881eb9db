"""papi2022 Figure 6: force histories of the concrete ball by four models."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from carom.cases.base import NO_CURVE, Case, Run, register_case
from carom.cases.papi2022.shared import CONCRETE, MODELS, drop_ball
from carom.results import Curve, FigureData, Panel, Row


@register_case
class Figure6(Case):
    """Four histories; the fifth, measured, is in the paper's figure only."""

    name: ClassVar[str] = "papi2022-fig6"
    title: ClassVar[str] = "Force histories of four Kelvin-Voigt models, concrete ball on slab, e = 0.76"
    paper: ClassVar[str] = "papi2022"
    place: ClassVar[str] = "Figure 6, section 4-2"
    notes: ClassVar[tuple[str, ...]] = (
        f"Jankowski & Mahmoud's (2015) test: {NO_CURVE}.",
        "Dashpots are those of the ball's own mass. The paper's Table 2 asks for half of it in the first two models; "
        "their peaks then are 1126 and 1044 N (papi2022-table3).",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return peak and duration by each model."""
        rows = []
        for model in MODELS:
            impact = drop_ball(run, model.law, CONCRETE)
            numbers = (("peak force", impact.peak_force, "N"), ("duration of contact", 1e3 * impact.duration, "ms"))
            rows += [
                Row(
                    quantity=f"{model.title}: {quantity}",
                    published=None,
                    computed=value,
                    unit=unit,
                    reason="drawn only; no number is printed",
                )
                for quantity, value, unit in numbers
            ]
        return rows

    def figures(self, run: Run) -> list[FigureData]:
        """Return the four histories in one panel."""
        curves = []
        for i, model in enumerate(MODELS):
            history = drop_ball(run, model.law, CONCRETE).history
            time = 1e3 * np.append(history.time.values, history.time.values[-1])
            curves.append(Curve(time, np.append(history.force.values, 0.0), model.title, series=i))
        panel = Panel(
            "Time $t$ [ms]",
            "Force $F$ [N]",
            tuple(curves),
            xlim=(0.0, 0.65),
            ylim=(-250.0, 1700.0),
            legend="upper right",
        )
        return [FigureData(self.name, self.title, "after papi2022 Fig. 6", (panel,), aspect=0.8)]
