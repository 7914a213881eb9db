"""zhu2002 Figures 7 and 8: two point masses on springs, elastic impacts; theory, and runs at two time intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from carom.cases.base import Case, Run, register_case, stated
from carom.cases.zhu2002.shared import CONTACT, PERIOD, RELEASED, closed_form, contact_time, release
from carom.results import Curve, FigureData, Kind, Panel, Row, Simulation, Width

PERIODS = 4.0  # ours
HARD = 1e6  # ours: times K_cnt, where contact is as good as instantaneous
FACTORS = (1.0, 10.0)  # ours: contact stiffness over K_cnt in Figure 8
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
    """Newmark's scheme at the two time intervals of the paper; what a step too long for the contact spring does."""

    name: ClassVar[str] = "zhu2002-fig8"
    title: ClassVar[str] = "Two point masses, elastic impacts: two time intervals"
    paper: ClassVar[str] = "zhu2002"
    place: ClassVar[str] = "test 1, Figure 8"
    means: ClassVar[str] = "simulate"
    verified: ClassVar[str] = "closed form with a linear contact of finite stiffness"
    notes: ClassVar[tuple[str, ...]] = (
        TAKEN,
        "The paper shows that its step by step solution needs a small interval; its implicit scheme is not named. Here "
        "it is Newmark's of constant acceleration, with K_cnt and with ten times K_cnt, since the contact spring that "
        "the paper's figure has is not known to us; the figure shows the latter.",
        "Two errors add up. A contact of finite stiffness lasts (8 ms at K_cnt, 2.5 ms at ten times), so each exchange "
        "comes late and the masses fall out of step with theory at any interval. And a step of 2 ms is as long as the "
        "contact of 2.5 ms itself. At 0.1 ms the second error is gone.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return for each stiffness and interval what is left against the two closed forms, and the statement."""
        rows, smaller = [], []
        for factor in FACTORS:
            stiffness = factor * CONTACT
            title = f"{factor:g}·K_cnt: duration of contact, closed form"
            value = 1e3 * contact_time(stiffness)
            rows.append(Row(quantity=title, published=None, computed=value, unit="ms", reason=UNPRINTED))
            for step in INTERVALS:
                result = stepped(run, step, stiffness)
                for what, against in (("closed form with the same contact", stiffness), ("theory", np.inf)):
                    title = (
                        f"{factor:g}·K_cnt, Newmark, Δt = {step:g} s: largest difference from {what}, of the release"
                    )
                    value = _percent(result.displacement, result.time, against)
                    rows.append(Row(quantity=title, published=None, computed=value, unit="%", reason=UNPRINTED))
            off = [_percent(r.displacement, r.time) for r in (stepped(run, step, stiffness) for step in INTERVALS)]
            smaller.append(off[1] < off[0])
        return [*rows, stated("the smaller interval comes nearer to theory", float(np.mean(smaller)))]

    def figures(self, run: Run) -> list[FigureData]:
        """Return one panel for each interval, theory in grey."""
        theory = np.linspace(0.0, PERIODS * PERIOD, 801)
        panels = []
        for step in INTERVALS:
            result = stepped(run, step, FACTORS[-1] * CONTACT)
            curves = []
            for i, mass in enumerate(MASSES):
                label = "theory" if i == 0 else ""
                curves.append(Curve(theory, 1e3 * closed_form(theory)[:, i], label, Kind.REFERENCE))
                curves.append(Curve(result.time, 1e3 * result.displacement[:, i], mass, series=i))
            panels.append(_panel(curves, rf"Newmark, $\Delta t$ = {step:g} s"))
        return [_figure(self, "after zhu2002 Fig. 8", tuple(panels), Width.DOUBLE)]


def stepped(run: Run, step: float, stiffness: float) -> Simulation:
    """Return the release by Newmark's scheme of constant acceleration at a fixed step."""
    return release(run, sampling=step, periods=PERIODS, stiffness=stiffness, scheme="newmark", dt=step)


def _panel(curves: list[Curve], title: str) -> Panel:
    return Panel(
        "Time $t$ [s]",
        "Displacement $u$ [mm]",
        tuple(curves),
        title,
        xlim=(0.0, PERIODS * PERIOD),
        ylim=(-15.0, 20.0),
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
