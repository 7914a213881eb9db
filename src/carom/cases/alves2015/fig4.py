"""alves2015 Figure 4: phase portraits of two aluminium spheres, eight models."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from carom.cases.alves2015.shared import MODELS, two_spheres
from carom.cases.base import Case, Run, register_case
from carom.results import Curve, FigureData, Kind, Panel, Row, Width

# section 4: "similar behavior with a post-impact velocity value equal to -0.2 m/s"; Hertz's is -0.3 m/s
REBOUNDS: dict[str, float] = {
    "hertz": -0.3,
    "herbert-mcwhannell-1977": -0.2,
    "gonthier-2004": -0.2,
    "zhiying-qishao-2006": -0.2,
    "flores-2011": -0.2,
}
LAST_DIGIT = 0.05  # m/s: one digit is printed
DAMPED = [name for name in MODELS if name != "hertz"]


@register_case
class Figure4(Case):
    """Eight portraits, from +0.3 m/s at touch to the velocity of separation."""

    name: ClassVar[str] = "alves2015-fig4"
    title: ClassVar[str] = "Phase portraits of two aluminium spheres, e = 0.7"
    paper: ClassVar[str] = "alves2015"
    place: ClassVar[str] = "Figure 4, section 4"
    notes: ClassVar[tuple[str, ...]] = (
        "−0.21 m/s would be a restitution of exactly 0.7: Gonthier's, Zhiying's and Flores' models lie a little below "
        "it in speed, Herbert's a little above.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return the velocity of separation by each model."""
        return [
            Row(
                quantity=f"{title}: velocity after impact",
                published=REBOUNDS.get(name),
                computed=-0.3 * two_spheres(run, name).restitution,
                tolerance=LAST_DIGIT,
                absolute=True,
                unit="m/s",
                reason="" if name in REBOUNDS else "drawn only; no number is printed",
            )
            for name, title in MODELS.items()
        ]

    def figures(self, run: Run) -> list[FigureData]:
        """Return the eight panels."""
        return [
            FigureData(
                self.name,
                self.title,
                "after alves2015 Fig. 4",
                tuple(self._panel(run, name) for name in DAMPED),
                columns=4,
                width=Width.DOUBLE,
                aspect=0.9,
                shared=True,
            )
        ]

    def _panel(self, run: Run, name: str) -> Panel:
        history = two_spheres(run, name).history
        portrait = Curve(1e6 * history.overlap.values, history.rate.values)
        axis = Curve(np.array([0.0, 16.0]), np.zeros(2), kind=Kind.REFERENCE)
        return Panel(
            r"Overlap $\delta$ [µm]",
            r"Rate $\dot\delta$ [m/s]",
            (axis, portrait),
            MODELS[name],
            xlim=(0.0, 16.0),
            ylim=(-0.35, 0.35),
        )
