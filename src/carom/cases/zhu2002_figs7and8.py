"""zhu2002 Figures 7 and 8: two point masses on springs, elastic impacts; theory, and runs at two time intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from carom.cases._zhu2002 import CONTACT, PERIOD, RELEASED, closed_form, contact_time, release
from carom.cases.base import Case, Run, register_case
from carom.results import Curve, FigureData, Kind, Panel, Row, Width

PERIODS = 4.0  # ours
HARD = 1e6  # ours: times K_cnt, where contact is as good as instantaneous
INTERVALS = (0.002, 0.0001)  # s, Figure 8 (a) and (b)

UNPRINTED = "the parameters stand in Figure 6, which we do not have; taken: see the notes"
TAKEN = (
    "The parameters stand in a figure that we do not have. Taken: 2 kg and K_cnt = 154,740 N/m (those of test 2), a "
    "period of 1 s, gap 0, the first mass pulled back by 10 mm."
)
MASSES = ("$m_1$", "$m_2$")


@register_case
class Theory(Case):
    """The exchange of motion every half period."""

    name: ClassVar[str] = "zhu2002-fig7"
    title: ClassVar[str] = "Two point masses, elastic impacts: the theoretical solution"
    paper: ClassVar[str] = "zhu2002"
    place: ClassVar[str] = "test 1, Figures 6 and 7"
    means: ClassVar[str] = "simulate"
    verified: ClassVar[str] = "closed form: equal masses exchange their motion every half period"
    notes: ClassVar[tuple[str, ...]] = (
        TAKEN,
        "Grey: the closed form for impacts without duration. Points: computed with a contact 10⁶ times K_cnt, which "
        "lasts 8 µs.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return how closely the run keeps to theory."""
        result = release(run, sampling=INTERVALS[0], periods=PERIODS, stiffness=HARD * CONTACT)
        starts = result.table["start"]
        numbers = (
            (f"impacts in {PERIODS:g} periods (theory: {2.0 * PERIODS:g})", float(starts.size), ""),
            ("first impact over period (theory: 1/4)", starts[0] / PERIOD, ""),
            ("time between impacts over period (theory: 1/2)", float(np.diff(starts).mean()) / PERIOD, ""),
            ("largest difference from theory, of the release", _percent(result.displacement, result.time), "%"),
            ("energy lost in impacts, of the whole", 100.0 * _lost(result.ledger), "%"),
        )
        return [
            Row(quantity=what, published=None, computed=value, unit=unit, reason=UNPRINTED)
            for what, value, unit in numbers
        ]

    def figures(self, run: Run) -> list[FigureData]:
        """Return the displacements of both masses, theory and computed."""
        theory = np.linspace(0.0, PERIODS * PERIOD, 801)
        result = release(run, sampling=0.05 * PERIOD, periods=PERIODS, stiffness=HARD * CONTACT)
        curves = []
        for i, mass in enumerate(MASSES):
            label = "theory" if i == 0 else ""
            curves.append(Curve(theory, 1e3 * closed_form(theory)[:, i], label, Kind.REFERENCE))
            curves.append(Curve(result.time, 1e3 * result.displacement[:, i], mass, Kind.POINTS, i))
        return [_figure(self, "after zhu2002 Fig. 7", (_panel(curves, ""),), Width.SINGLE)]


@register_case
class Intervals(Case):
    """The same at the two time intervals of the paper, with a contact of finite stiffness."""

    name: ClassVar[str] = "zhu2002-fig8"
    title: ClassVar[str] = "Two point masses, elastic impacts: two time intervals"
    paper: ClassVar[str] = "zhu2002"
    place: ClassVar[str] = "test 1, Figure 8"
    means: ClassVar[str] = "simulate"
    verified: ClassVar[str] = "closed form with a linear contact of finite stiffness"
    notes: ClassVar[tuple[str, ...]] = (
        TAKEN,
        "The paper shows that its step by step solution needs a small interval. Here the interval only says where the "
        "history is sampled: both give the same motion, that of the closed form with a contact of finite stiffness.",
        "What remains against the theory of Figure 7 is the contact itself: it lasts 8 ms, each exchange comes late by "
        "that much, and the masses fall out of step.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return for both intervals what is left against the two closed forms."""
        rows = [
            Row(
                quantity="duration of contact, closed form",
                published=None,
                computed=1e3 * contact_time(CONTACT),
                unit="ms",
                reason=UNPRINTED,
            )
        ]
        runs = {step: release(run, sampling=step, periods=PERIODS) for step in INTERVALS}
        for step, result in runs.items():
            u, t = result.displacement, result.time
            for what, value, unit in (
                ("duration of the first contact", 1e3 * result.table["duration"][0], "ms"),
                ("largest difference from the closed form with K_cnt, of the release", _percent(u, t, CONTACT), "%"),
                ("largest difference from theory, of the release", _percent(u, t), "%"),
            ):
                title = f"Δt = {step:g} s: {what}"
                rows.append(Row(quantity=title, published=None, computed=value, unit=unit, reason=UNPRINTED))
        coarse, fine = (runs[step].displacement for step in INTERVALS)
        apart = float(np.abs(coarse - fine[:: round(INTERVALS[0] / INTERVALS[1])]).max()) / RELEASED
        title = "largest difference between the two intervals, of the release"
        return [*rows, Row(quantity=title, published=None, computed=100.0 * apart, unit="%", reason=UNPRINTED)]

    def figures(self, run: Run) -> list[FigureData]:
        """Return one panel for each interval, theory in grey."""
        theory = np.linspace(0.0, PERIODS * PERIOD, 801)
        panels = []
        for step in INTERVALS:
            result = release(run, sampling=step, periods=PERIODS)
            curves = []
            for i, mass in enumerate(MASSES):
                label = "theory" if i == 0 else ""
                curves.append(Curve(theory, 1e3 * closed_form(theory)[:, i], label, Kind.REFERENCE))
                curves.append(Curve(result.time, 1e3 * result.displacement[:, i], mass, series=i))
            panels.append(_panel(curves, rf"$\Delta t$ = {step:g} s"))
        return [_figure(self, "after zhu2002 Fig. 8", tuple(panels), Width.DOUBLE)]


def _panel(curves: list[Curve], title: str) -> Panel:
    return Panel(
        "Time $t$ [s]",
        "Displacement $u$ [mm]",
        tuple(curves),
        title,
        xlim=(0.0, PERIODS * PERIOD),
        ylim=(-12.0, 20.0),
        legend="upper right",
    )


def _figure(case: Case, source: str, panels: tuple[Panel, ...], width: Width) -> FigureData:
    return FigureData(case.name, case.title, source, panels, columns=2, width=width, aspect=0.7)


def _percent(displacement: np.ndarray, time: np.ndarray, stiffness: float = np.inf) -> float:
    """Return the largest difference from the closed form, in percent of the release."""
    return 100.0 * float(np.abs(displacement - closed_form(time, stiffness)).max()) / RELEASED


def _lost(ledger: Mapping[str, np.ndarray]) -> float:
    """Return the share of the energy at the start that the contact has kept at the end."""
    return float(ledger["contact"][-1] / (ledger["kinetic"][0] + ledger["strain"][0]))
