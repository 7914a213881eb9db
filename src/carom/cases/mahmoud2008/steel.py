"""mahmoud2008: a steel ball falls on a beam; peak force, stiffness calibration, Figure 2."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from carom.cases.base import NO_CURVE, Case, Run, register_case
from carom.cases.mahmoud2008.shared import MODELS, build, rest_of, solve
from carom.results import Curve, FigureData, Impact, Kind, Panel, Row

# "Steel-to-steel impact", after Goland et al. (1955)
INCH = 0.0254
PEAK = 80.7  # N, measured
DIAMETER = 5.0 / 32.0  # in, as printed
DROP = 2.0  # in
STIFFNESS = {"jankowski": 1.03e10, "hertzdamp": 0.60e10}  # N/m^1.5
NORMALIZED_ERROR = {"jankowski": 21.45, "hertzdamp": 24.18}  # %

# ours
LIKELY_DIAMETER = 3.0 / 16.0  # in
DENSITY = 7850.0  # kg/m³, not printed
GRAVITY = 9.80665  # m/s²
TOLERANCE = 0.005  # stiffness is printed with three digits or two, the density of steel is good to 0.6 %

MISPRINT = "by Jankowski's model a 3/16 in ball gives 80.7 N: the printed 5/32 in is likely a misprint"
UNEQUAL = "equal peaks of the two models need k_h/β = 0.5546 at any mass and speed; printed is 0.583"


def mass(diameter: float) -> float:
    """Return the mass [kg] of a steel ball of that diameter [in]."""
    return DENSITY * math.pi / 6.0 * (diameter * INCH) ** 3


def drop_ball(run: Run, key: str, diameter: float, height: float = DROP, stiffness: float | None = None) -> Impact:
    """Return the impact of a ball of that diameter [in] from that height [in] by one of the two models."""
    model = build(key, STIFFNESS[key] if stiffness is None else stiffness)
    impact: Impact = run(model, mass=mass(diameter), drop=height * INCH, gravity=GRAVITY)
    return impact


def fitted_stiffness(key: str, diameter: float) -> float:
    """Return the stiffness at which the model peaks at the measured force: the paper's iterative procedure."""
    model = build(key, STIFFNESS[key])
    fitted = model.fit_stiffness(peak_force=PEAK, mass=mass(diameter), drop=DROP * INCH, gravity=GRAVITY)
    return fitted.stiffness


@register_case
class SteelBall(Case):
    """What comes out as printed, what with the likely diameter, and the calibration."""

    name: ClassVar[str] = "mahmoud2008-steel"
    title: ClassVar[str] = "Steel ball on a beam: peak force and stiffness calibration"
    paper: ClassVar[str] = "mahmoud2008"
    place: ClassVar[str] = "steel-to-steel impact, (6)-(13), Figure 2"
    notes: ClassVar[tuple[str, ...]] = (
        "The density of steel is not printed: 7850 kg/m³ here. The beam is taken as fixed, as (13) has it.",
        "Jankowski's stiffness fits the measured peak with a 3/16 in ball (a size inside the printed range of 1/8 to "
        "9/32 in); with the printed 5/32 in it would need a fall of 3.45 in.",
        "Both models are asked for e = 0.6; Hertzdamp gives back 0.756.",
        f"Published normalized errors stand without ours: {NO_CURVE}.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return peaks, what the measured peak asks for, stiffnesses and what cannot be computed."""
        return [
            *self._peaks(run),
            *self._missing(run),
            *self._stiffnesses(),
            *rest_of(lambda key: drop_ball(run, key, LIKELY_DIAMETER), NORMALIZED_ERROR),
        ]

    def _peaks(self, run: Run) -> list[Row]:
        rows = []
        for diameter, size in ((DIAMETER, "5/32 in as printed"), (LIKELY_DIAMETER, "3/16 in")):
            for key, model in MODELS.items():
                rows.append(
                    Row(
                        quantity=f"{model.title}, {size}: peak force",
                        published=PEAK,
                        computed=drop_ball(run, key, diameter).peak_force,
                        tolerance=TOLERANCE,
                        unit="N",
                        reason=MISPRINT if diameter == DIAMETER else UNEQUAL,
                    )
                )
        return rows

    def _missing(self, run: Run) -> list[Row]:
        def by_diameter(inches: float) -> float:
            return drop_ball(run, "jankowski", inches).peak_force

        def by_height(inches: float) -> float:
            return drop_ball(run, "jankowski", DIAMETER, inches).peak_force

        wanted = (
            ("ball diameter for 80.7 N, fall of 2 in", DIAMETER, solve(by_diameter, PEAK, 0.1, 0.3)),
            ("height of fall for 80.7 N, ball of 5/32 in", DROP, solve(by_height, PEAK, 1.0, 10.0)),
        )
        return [
            Row(quantity=quantity, published=printed, computed=found, tolerance=TOLERANCE, unit="in", reason=MISPRINT)
            for quantity, printed, found in wanted
        ]

    def _stiffnesses(self) -> list[Row]:
        fitted = {key: fitted_stiffness(key, LIKELY_DIAMETER) for key in MODELS}
        rows = [
            Row(
                quantity=f"{model.symbol} that peaks at 80.7 N, ball of 3/16 in",
                published=STIFFNESS[key],
                computed=fitted[key],
                tolerance=TOLERANCE,
                unit="N/m^1.5",
                reason=UNEQUAL,
            )
            for key, model in MODELS.items()
        ]
        ratio = Row(
            quantity="k_h/β at equal peaks",
            published=STIFFNESS["hertzdamp"] / STIFFNESS["jankowski"],
            computed=fitted["hertzdamp"] / fitted["jankowski"],
            tolerance=TOLERANCE,
            reason=UNEQUAL,
        )
        return [*rows, ratio]

    def figures(self, run: Run) -> list[FigureData]:
        """Return the two histories, with the printed stiffnesses and the likely diameter."""
        times = np.linspace(0.0, 20e-6, 401)
        curves = [
            Curve(
                1e6 * times,
                drop_ball(run, key, LIKELY_DIAMETER).sample(times).force.values,
                model.title,
                series=i,
            )
            for i, (key, model) in enumerate(MODELS.items())
        ]
        curves.append(Curve((), (PEAK,), "measured peak (curve not published)", Kind.LEVEL))
        panel = Panel(
            r"Time $t$ [µs]",
            "Force $F$ [N]",
            tuple(curves),
            xlim=(0.0, 20.0),
            ylim=(0.0, 125.0),
            legend="upper right",
        )
        return [FigureData(self.name, f"{self.title} (3/16 in)", "after mahmoud2008 Fig. 2", (panel,))]
