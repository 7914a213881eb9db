"""alves2015 Figure 3: force-overlap loops of two aluminium spheres, eight models."""

from __future__ import annotations

from typing import ClassVar

from carom.cases.alves2015.shared import MODELS, two_spheres
from carom.cases.base import Case, Run, register_case, stated
from carom.results import Curve, FigureData, Kind, Panel, Row, Width

DAMPED = [name for name in MODELS if name != "hertz"]


@register_case
class Figure3(Case):
    """Eight loops; the area of each is the energy lost."""

    name: ClassVar[str] = "alves2015-fig3"
    title: ClassVar[str] = "Force-overlap loops of two aluminium spheres, e = 0.7"
    paper: ClassVar[str] = "alves2015"
    place: ClassVar[str] = "Figure 3, section 4"
    notes: ClassVar[tuple[str, ...]] = (
        "As the text says: Lee & Wang's loop is the smallest, Gharib & Hurmuzlu's the largest, and Hunt & Crossley's "
        "and Lankarani & Nikravesh's are alike.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return the area of each loop, and what section 4 says of them."""
        lost = {name: 1e3 * two_spheres(run, name).energy_lost for name in DAMPED}
        areas = [
            Row(
                quantity=f"{MODELS[name]}: energy in the loop",
                published=None,
                computed=area,
                unit="mJ",
                reason="drawn only; no number is printed",
            )
            for name, area in lost.items()
        ]
        return [
            *areas,
            stated("Lee & Wang's model dissipates least", float(min(lost, key=lost.__getitem__) == "lee-wang-1983")),
            stated(
                "Gharib & Hurmuzlu's model dissipates most",
                float(max(lost, key=lost.__getitem__) == "gharib-hurmuzlu-2012"),
            ),
        ]

    def figures(self, run: Run) -> list[FigureData]:
        """Return the eight panels."""
        return [
            FigureData(
                self.name,
                self.title,
                "after alves2015 Fig. 3",
                tuple(self._panel(run, name) for name in DAMPED),
                columns=4,
                width=Width.DOUBLE,
                aspect=0.9,
                shared=True,
            )
        ]

    def _panel(self, run: Run, name: str) -> Panel:
        history = two_spheres(run, name).history
        overlap, force = 1e6 * history.overlap.values, history.force.values
        loop = (Curve(overlap, force, kind=Kind.AREA), Curve(overlap, force))
        return Panel(r"Overlap $\delta$ [µm]", "Force $F$ [N]", loop, MODELS[name], xlim=(0.0, 16.0), ylim=(0.0, 350.0))
