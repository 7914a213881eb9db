"""mahmoud2008: a concrete pendulum strikes a prestressed pile; what its peak force asks for, Figure 4."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from carom.cases.base import NO_CURVE, Case, Run, register_case
from carom.cases.mahmoud2008.shared import MODELS, build, rest_of, solve
from carom.results import Curve, FigureData, Impact, Kind, Panel, Row

# "Concrete-to-concrete impact", after van Mier et al. (1991)
PEAK_AS_PRINTED = 102.5  # "102.5 N"
PEAK = 102.5e3  # N, as it must be
STIFFNESS = {"jankowski": 2.75e9, "hertzdamp": 1.54e9}  # N/m^1.5
NORMALIZED_ERROR = {"jankowski": 25.04, "hertzdamp": 54.01}  # %

# ours: neither striker nor speed nor length of the pendulum is printed
MASS = 570.0  # kg
VELOCITY = 0.5  # m/s
TOLERANCE = 0.005  # stiffness is printed with three digits

UNPRINTED = "mass and speed of the striker are not printed"
GUESSED = "not in the paper: 570 kg and 0.5 m/s are our guess"
SOLVED = "not printed; solved for from the measured peak"


def strike(run: Run, key: str, velocity: float, mass: float = MASS, **conditions: float) -> Impact:
    """Return the impact of the striker by one of the two models."""
    impact: Impact = run(build(key, STIFFNESS[key]), mass=mass, velocity=velocity, **conditions)
    return impact


def speed_for(run: Run, key: str, peak: float) -> float:
    """Return the speed [m/s] at which the striker of 570 kg peaks at that force [N]."""
    return solve(lambda v: strike(run, key, v).peak_force, peak, 1e-4, 10.0)


@register_case
class ConcretePendulum(Case):
    """The missing speed solved for, the calibration, and what cannot be computed."""

    name: ClassVar[str] = "mahmoud2008-concrete"
    title: ClassVar[str] = "Concrete pendulum on a prestressed pile: what the peak force asks for"
    paper: ClassVar[str] = "mahmoud2008"
    place: ClassVar[str] = "concrete-to-concrete impact, (6)-(12), (14), Figure 4"
    notes: ClassVar[tuple[str, ...]] = (
        'The peak, printed as "102.5 N", is in kN: the striker would have to creep at 1.7 mm/s to give 102.5 N.',
        "Only the kinetic energy of the striker enters the peak. Its mass and speed are not printed: the energy that "
        "gives 102.5 kN is solved for, and the speed this means for a striker of 570 kg.",
        "The pendulum's length is not printed either, and does not matter: with 1 m the peak changes by less than "
        "0.01 %. It is left out.",
        f"Published normalized errors stand without ours: {NO_CURVE}.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return peaks, the energy and speed they ask for, stiffnesses and what cannot be computed."""
        return [
            *self._peaks(run),
            *self._missing(run),
            *self._stiffness(run),
            *rest_of(lambda key: strike(run, key, VELOCITY), NORMALIZED_ERROR),
        ]

    def _peaks(self, run: Run) -> list[Row]:
        return [
            *(
                Row(
                    quantity=f"{model.title}: peak force",
                    published=1e-3 * PEAK,
                    computed=None,
                    unit="kN",
                    reason=UNPRINTED,
                )
                for model in MODELS.values()
            ),
            *(
                Row(
                    quantity=f"{model.title}, 570 kg at 0.5 m/s: peak force",
                    published=None,
                    computed=1e-3 * strike(run, key, VELOCITY).peak_force,
                    unit="kN",
                    reason=GUESSED,
                )
                for key, model in MODELS.items()
            ),
        ]

    def _missing(self, run: Run) -> list[Row]:
        rows = []
        for key, model in MODELS.items():
            speed = speed_for(run, key, PEAK)
            for quantity, value, unit in (
                ("kinetic energy for 102.5 kN", 0.5 * MASS * speed**2, "J"),
                ("speed of 570 kg for 102.5 kN", speed, "m/s"),
            ):
                title = f"{model.title}: {quantity}"
                rows.append(Row(quantity=title, published=None, computed=value, unit=unit, reason=SOLVED))
        creep = 1e3 * speed_for(run, "jankowski", PEAK_AS_PRINTED)
        title = f"{MODELS['jankowski'].title}: speed of 570 kg for 102.5 N"
        return [*rows, Row(quantity=title, published=None, computed=creep, unit="mm/s", reason=SOLVED)]

    def _stiffness(self, run: Run) -> list[Row]:
        peak = strike(run, "jankowski", VELOCITY).peak_force
        model = build("hertzdamp", STIFFNESS["hertzdamp"])
        fitted = model.fit_stiffness(peak_force=peak, mass=MASS, velocity=VELOCITY).stiffness
        reason = "the ratio is free of mass and speed; with the printed stiffnesses the two peaks differ by 0.4 %"
        numbers = (
            ("k_h of the same peak as β = 2.75e9", STIFFNESS["hertzdamp"], fitted, "N/m^1.5"),
            (
                "k_h/β at equal peaks",
                STIFFNESS["hertzdamp"] / STIFFNESS["jankowski"],
                fitted / STIFFNESS["jankowski"],
                "",
            ),
        )
        return [
            Row(quantity=q, published=printed, computed=x, tolerance=TOLERANCE, unit=unit, reason=reason)
            for q, printed, x, unit in numbers
        ]

    def figures(self, run: Run) -> list[FigureData]:
        """Return the two histories at the speed that gives Jankowski's model the measured peak."""
        speed = speed_for(run, "jankowski", PEAK)
        times = np.linspace(0.0, 11e-3, 441)
        curves = [
            Curve(1e3 * times, 1e-3 * strike(run, key, speed).sample(times).force.values, model.title, series=i)
            for i, (key, model) in enumerate(MODELS.items())
        ]
        curves.append(Curve((), (1e-3 * PEAK,), "measured peak (curve not published)", Kind.LEVEL))
        panel = Panel(
            "Time $t$ [ms]",
            "Force $F$ [kN]",
            tuple(curves),
            xlim=(0.0, 11.0),
            ylim=(0.0, 160.0),
            legend="upper right",
        )
        title = f"Concrete pendulum on a pile, 570 kg at {speed:.3f} m/s (solved for)"
        return [FigureData(self.name, title, "after mahmoud2008 Fig. 4", (panel,))]
