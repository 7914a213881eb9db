"""alves2015 Figure 2: the hysteresis damping factor that eight models take for a restitution coefficient."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from carom.cases.alves2015.shared import MODELS, model
from carom.cases.base import Case, Run, register_case, stated
from carom.laws.base import Number
from carom.results import Curve, FigureData, Kind, Panel, Row

STIFFNESS = VELOCITY = 1.0  # "the ratio between contact stiffness and initial impact velocity ... equal to unity"
LIMIT = 0.7  # section 3: above it all models but Gharib & Hurmuzlu's are close
DAMPED = [name for name in MODELS if name != "hertz"]
OUTSIDER = "gharib-hurmuzlu-2012"
EXACT = "hunt-crossley-exact"
NO_MEASURE = "the paper gives no measure of what is similar"
HIGHEST = 8.0  # of the vertical axis; three models grow without bound as e → 0


def damping_factor(name: str, e: Number) -> Number:
    """Return χ of a model for K/v0 = 1."""
    return model(name, STIFFNESS, e).coefficients(1.0, VELOCITY).damping


@register_case
class Figure2(Case):
    """χ(e) of the models whose damping depends on the approach velocity."""

    name: ClassVar[str] = "alves2015-fig2"
    title: ClassVar[str] = "Hysteresis damping factor against restitution coefficient, K/v0 = 1"
    paper: ClassVar[str] = "alves2015"
    place: ClassVar[str] = "Figure 2, with the factors of Table 1"
    verified: ClassVar[str] = "formulas of Table 1; the figure prints no numbers"
    notes: ClassVar[tuple[str, ...]] = (
        "As the text says: Lee & Wang's factor is the smallest everywhere, and Gonthier's, Flores' and Gharib & "
        "Hurmuzlu's grow without bound as e → 0. The exact factor (grey) is ours.",
        "What is similar above e = 0.7 depends on the measure, and the paper gives none. The models do lie closer to "
        "each other than Gharib & Hurmuzlu's to any of them; but of the exact factor Lee & Wang's is 0.36 to 0.5.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return χ where, by the text, the models begin to agree."""
        titles = {name: MODELS[name] for name in DAMPED} | {EXACT: "exact"}
        numbers = [
            Row(
                quantity=f"χ v0/K at e = {LIMIT}, {title}",
                published=None,
                computed=float(damping_factor(name, LIMIT)),
                reason="drawn only; no number is printed",
            )
            for name, title in titles.items()
        ]
        return [*numbers, *self._statements()]

    def _statements(self) -> list[Row]:
        """Return what section 3 says of the figure."""
        e = np.linspace(0.01, 0.99, 99)
        factors = {name: np.asarray(damping_factor(name, e)) for name in DAMPED}
        least = np.mean([np.all(factors["lee-wang-1983"] <= other) for other in factors.values()])
        near = e > LIMIT + 1e-9
        group = np.array([factor[near] for name, factor in factors.items() if name != OUTSIDER])
        width, apart = np.ptp(group, axis=0), factors[OUTSIDER][near] - group.max(axis=0)
        exact = np.asarray(damping_factor(EXACT, e[near]))
        spread = (
            (
                "share of e at which the others are closer to each other than to Gharib & Hurmuzlu's",
                (width < apart).mean(),
            ),
            ("smallest χ over the exact one (Lee & Wang)", (group / exact).min()),
            ("largest χ over the exact one, Gharib & Hurmuzlu's left out", (group / exact).max()),
            ("smallest χ over the exact one, Gharib & Hurmuzlu", (factors[OUTSIDER][near] / exact).min()),
        )
        return [
            stated("Lee & Wang's factor is the smallest, at every e", float(least)),
            stated(f"above e = {LIMIT} all models but Gharib & Hurmuzlu's are similar", None, NO_MEASURE),
            *(
                Row(quantity=f"e > {LIMIT}: {what}", published=None, computed=float(value), reason=NO_MEASURE)
                for what, value in spread
            ),
        ]

    def figures(self, run: Run) -> list[FigureData]:
        """Return the one panel."""
        e = np.linspace(0.02, 1.0, 491)
        curves = [Curve(e, damping_factor(name, e), MODELS[name], series=i) for i, name in enumerate(DAMPED)]
        curves.append(Curve(e, damping_factor(EXACT, e), "exact (carom)", Kind.REFERENCE))
        panel = Panel(
            "Restitution coefficient $e$",
            r"Damping factor $\chi\,v_0/K$",
            tuple(curves),
            xlim=(0.0, 1.0),
            ylim=(0.0, HIGHEST),
            legend="upper right",
        )
        return [FigureData(self.name, self.title, "after alves2015 Fig. 2", (panel,), aspect=0.85)]
