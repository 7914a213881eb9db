"""papi2022 Figure 2: history of the impact force of Kelvin-Voigt's model, which pulls before separation."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from carom.cases.base import Case, Run, register_case
from carom.cases.papi2022.shared import CONCRETE, drop_ball
from carom.results import Curve, FigureData, Kind, Label, Panel, Row

SKETCH = "a sketch in the paper; no number is printed"


@register_case
class Figure2(Case):
    """The sketch of the paper, computed for its concrete ball."""

    name: ClassVar[str] = "papi2022-fig2"
    title: ClassVar[str] = "Force history of Kelvin-Voigt's model, concrete ball on slab, e = 0.76"
    paper: ClassVar[str] = "papi2022"
    place: ClassVar[str] = "Figure 2, (2)-(4)"
    notes: ClassVar[tuple[str, ...]] = ("The paper's figure is a sketch; ours is the ball of its section 4-2.",)

    def rows(self, run: Run) -> list[Row]:
        """Return the numbers of the history."""
        impact = drop_ball(run, "kelvin-voigt", CONCRETE)
        force = impact.history.force.values
        numbers = (
            ("force at first touch", float(force[0]), "N"),
            ("peak force", impact.peak_force, "N"),
            ("tension at separation", -float(force[-1]), "N"),
            ("time of largest overlap", 1e3 * impact.peak_overlap_time, "ms"),
            ("duration of contact", 1e3 * impact.duration, "ms"),
        )
        return [Row(quantity=q, published=None, computed=x, unit=u, reason=SKETCH) for q, x, u in numbers]

    def figures(self, run: Run) -> list[FigureData]:
        """Return the history, with its two phases."""
        impact = drop_ball(run, "kelvin-voigt", CONCRETE)
        history = impact.history
        t = 1e3 * history.time.values
        turn, end = 1e3 * impact.peak_overlap_time, 1e3 * impact.duration
        pulling = history.force.values < 0.0
        tension = np.where(pulling, history.force.values, 0.0)
        panel = Panel(
            "Time $t$ [ms]",
            "Force $F$ [N]",
            (
                Curve(np.array([0.0, 1.08 * end]), np.zeros(2), kind=Kind.REFERENCE),
                Curve(np.append(t[pulling], t[-1]), np.append(tension[pulling], 0.0), kind=Kind.AREA, series=1),
                Curve(np.concatenate([[0.0], t, [end]]), np.concatenate([[0.0], history.force.values, [0.0]])),
                Curve(np.array([turn, turn]), np.array([0.0, 1250.0]), kind=Kind.REFERENCE),
            ),
            xlim=(0.0, 1.08 * end),
            ylim=(-300.0, 1400.0),
            labels=(
                Label(0.5 * turn, 1270.0, r"approach, $\dot\delta > 0$"),
                Label(0.5 * (turn + end), 1270.0, r"restitution, $\dot\delta < 0$"),
                Label(0.93 * end, -230.0, "tension", "right"),
            ),
        )
        return [FigureData(self.name, self.title, "after papi2022 Fig. 2", (panel,))]
