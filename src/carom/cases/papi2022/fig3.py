"""papi2022 Figure 3: force-overlap loop of the new model, and the energy in it."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from carom.cases.base import Case, Run, register_case
from carom.cases.papi2022.shared import CONCRETE, MASS, VELOCITY, drop_ball
from carom.results import Curve, FigureData, Kind, Label, Panel, Row

EXPECTED = 0.5 * MASS * (1.0 - CONCRETE**2) * VELOCITY**2  # (11), with the square it lacks [J]
TOLERANCE = 0.0068 * 2.0 * CONCRETE**2 / (1.0 - CONCRETE**2)  # 0.68 % of e, the model's error in Table 2, in 1 − e²


@register_case
class Figure3(Case):
    """The loop of the paper's concrete ball."""

    name: ClassVar[str] = "papi2022-fig3"
    title: ClassVar[str] = "Force-overlap loop of the new Kelvin-Voigt model, concrete ball on slab, e = 0.76"
    paper: ClassVar[str] = "papi2022"
    place: ClassVar[str] = "Figure 3, (11)-(12), (21)-(22)"
    notes: ClassVar[tuple[str, ...]] = (
        "The paper's figure is a sketch; ours is the ball of its section 4-2. (11) lacks the square on the velocity.",
        "No number is printed: published is what (11) gives for the restitution asked for.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return the energy in the loop, whole and by phases."""
        impact = drop_ball(run, "papi-2022", CONCRETE)
        whole = Row(
            quantity="energy in the loop",
            published=1e3 * EXPECTED,
            computed=1e3 * impact.energy_lost,
            tolerance=TOLERANCE,
            unit="mJ",
            reason="no number is printed: published is what (11) gives for the e asked",
        )
        parts = (
            ("energy lost in approach", 1e3 * impact.approach_loss, "mJ"),
            ("energy lost in restitution", 1e3 * impact.restitution_loss, "mJ"),
            ("their ratio, the α seen (the model takes 0.86)", impact.dissipation_ratio, ""),
        )
        reason = "a sketch in the paper; no number is printed"
        return [whole, *(Row(quantity=q, published=None, computed=x, unit=u, reason=reason) for q, x, u in parts)]

    def figures(self, run: Run) -> list[FigureData]:
        """Return the loop, its area filled."""
        impact = drop_ball(run, "papi-2022", CONCRETE)
        overlap = 1e6 * impact.history.overlap.values
        force = impact.history.force.values
        energy = f"$\\Delta E = {1e3 * impact.energy_lost:.2f}$ mJ"
        widest = float(overlap.max())
        panel = Panel(
            r"Overlap $\delta$ [µm]",
            "Force $F$ [N]",
            (
                Curve(overlap, force, kind=Kind.AREA),
                Curve(overlap, force),
                Curve(np.array([0.0, widest]), 4.91e7 * 1e-6 * np.array([0.0, widest]), kind=Kind.REFERENCE),
            ),
            xlim=(0.0, 25.0),
            ylim=(0.0, 1300.0),
            labels=(
                Label(8.2, 650.0, "approach", "right"),
                Label(15.4, 480.0, "restitution", "left"),
                Label(17.0, 775.0, r"$K\delta$", "left"),
                Label(24.0, 110.0, f"shaded: {energy}", "right"),
            ),
        )
        return [FigureData(self.name, self.title, "after papi2022 Fig. 3", (panel,))]
