"""mahmoud2008 Figures 8 to 13: two oscillators under thirty motions, response with pounding over response without."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from carom import motions as built_in
from carom.cases.base import Case, Run, register_case, stated
from carom.cases.mahmoud2008.shared import MODELS, build
from carom.contact import Contact, Place
from carom.errors import refusal
from carom.laws import CompliantLaw
from carom.motions.motion import Motion
from carom.problem import Problem
from carom.results import Curve, FigureData, Kind, Panel, Row, Width
from carom.structures import Oscillator
from carom.units import standard_gravity

__all__ = ["Figures8to13", "Ratios", "amplifications"]

# Table 1
POUND, INCH = 4.4482216152605, 0.0254  # N, m
MASS = 7.8 * 1e3 * POUND / INCH  # 7.8 kip·s²/in each [kg]
DAMPING = 0.05
RATIOS = (0.3, 0.5, 0.7)  # T1/T2
STIFFNESS = 25e3 * 1e3 * POUND / INCH**1.5  # 25000 kip·in^{-3/2}, both models [N/m^1.5]
GAP = 0.5 * INCH

# ours
SECOND_PERIODS = (0.5, 1.0, 2.0)  # T2 [s]: not printed
DRAWN = 1.0
SPEED = 0.5  # m/s: at which Hertzdamp is calibrated in the last rows
EQUAL_PEAKS = 0.5546  # k_h/β at which both models, asked for e = 0.6, peak alike at any mass and speed
LEVELS = np.arange(1, 11) / 10.0  # g
NEAR = 0.05  # g: a motion further from every level has no place in the study
ROUNDING = 1e-9
RESPONSES = (("displacement", 0), ("acceleration", 2))

MISSING = "neither the thirty records nor the absolute periods are printed"
FINDING = (
    "not in the paper: motions and T2 are ours. A mean is of few motions: one record in which a harder hit happens to "
    "come at a better moment turns the order"
)
TAKEN = (
    f"not in the paper, which has three at each level; motions further than {NEAR:g} g from every level are left out"
)
CAUSE = "not in the paper: with other parameters of Hertzdamp the order is another"
UNPRINTED = "shown in the figure only, without numbers"


class Ratios(NamedTuple):
    """Responses with pounding over responses without."""

    level: npt.NDArray[np.int64]
    """Position in `LEVELS` of each motion, shape (motions,)."""
    values: npt.NDArray[np.float64]
    """Shape (motions, period ratios, models, oscillators, responses)."""

    def at(self, level: int) -> npt.NDArray[np.float64]:
        """Return the ratios at one level, shape (motions there, …)."""
        found: npt.NDArray[np.float64] = self.values[self.level == level]
        return found

    @property
    def mean(self) -> npt.NDArray[np.float64]:
        """Mean at each level, shape (levels, period ratios, models, oscillators, responses)."""
        return np.array([self.at(i).mean(axis=0) for i in self.levels])

    @property
    def levels(self) -> list[int]:
        """Positions in `LEVELS` at which there are motions."""
        return [int(i) for i in np.unique(self.level)]


def amplifications(run: Run, motions: Sequence[Motion], second: float, laws: Sequence[CompliantLaw]) -> Ratios:
    """Return the ratios for a suite at T2 = `second` [s]; `run` is `carom.ensemble`."""
    first = Oscillator(mass=MASS, period=RATIOS[0] * second, damping_ratio=DAMPING, name="SDOF 1")
    other = Oscillator(mass=MASS, period=second, damping_ratio=DAMPING, name="SDOF 2")
    found = []
    for motion in motions:
        contact = Contact(Place("SDOF 1"), Place("SDOF 2"), gap=GAP, law=laws[0])
        many: Any = run(
            Problem((first, other), (contact,), motion=motion),
            vary={"SDOF 1.period": [ratio * second for ratio in RATIOS], "law": list(laws)},
            twin=True,
        )
        found.append((many.extremes / many.twin[:, None])[..., [column for _, column in RESPONSES]])
    level = np.array([np.abs(LEVELS - motion.pga / standard_gravity).argmin() for motion in motions])
    return Ratios(level, np.array(found))


def _off_level(motion: Motion) -> float:
    """Return how far the motion's PGA is from the nearest level [g]."""
    return float(np.abs(LEVELS - motion.pga / standard_gravity).min())


@lru_cache(maxsize=8)
def _cached(run: Run, motions: tuple[Motion, ...], second: float, laws: tuple[CompliantLaw, ...]) -> Ratios:
    return amplifications(run, motions, second, laws)


@register_case
class Figures8to13(Case):
    """Amplification of displacement and acceleration, thirty motions, three period ratios."""

    name: ClassVar[str] = "mahmoud2008-figs8to13"
    title: ClassVar[str] = "Two oscillators under thirty motions: response with pounding over response without"
    paper: ClassVar[str] = "mahmoud2008"
    place: ClassVar[str] = "comparison based on ground motion records, (15), (16), Table 1, Figures 8 to 13"
    means: ClassVar[str] = "ensemble"
    verified: ClassVar[str] = "ratio of one without contact; naive integration of single runs in the tests"
    notes: ClassVar[tuple[str, ...]] = (
        'Not printed: the records ("thirty, from thirteen earthquakes, chosen to fall within zone I"), the absolute '
        "periods and any number of the figures. Taken, where no other motions are given: the built-in thirty, three at "
        "each PGA from 0.1 g to 1.0 g. Motions that are given go unscaled to the level nearest to their own PGA; those "
        "further than 0.05 g from every level are left out. T2 = 1 s in the figure; rows show T2 = 0.5, 1 and 2 s.",
        "Table 1 prints K in kip·in^(−3/2), the same number for both models.",
        "What the paper credits to the nonlinear viscoelastic model has two causes. Asked for e = 0.6, Jankowski's "
        "achieves 0.596 and Hertzdamp 0.756: calibrated to 0.6, Hertzdamp gives the smaller displacement as often. "
        "With one number for both, k_h presses harder than β: at k_h = 0.555 β, where their peak forces are equal, "
        "Jankowski's accelerations are the smaller less often. The last rows show both.",
    )

    def __init__(self, motions: Sequence[Motion] | None = None) -> None:
        given = built_in.suite("thirty") if motions is None else motions
        self.motions = tuple(motion for motion in given if _off_level(motion) <= NEAR + ROUNDING)
        if not self.motions:
            raise refusal(
                "motions", self.name, f"must hold one within {NEAR:g} g of a level of 0.1, 0.2, … 1.0 g",
                f"{len(given)} others", "Scale them: motion.scaled(pga=…).",
            )  # fmt: skip
        self.suite = (
            "the built-in thirty motions"
            if motions is None
            else f"{len(self.motions)} of {len(given)} motions as given"
        )

    def rows(self, run: Run) -> list[Row]:
        """Return the finding, how often which model is the smaller, and means over all levels."""
        rows = [
            stated(
                f"Jankowski's model gives the smaller {what} amplification, for all levels and ratios", None, MISSING
            )
            for what, _ in RESPONSES
        ]
        rows.append(Row(quantity="motions run", published=None, computed=float(len(self.motions)), reason=TAKEN))
        for second in SECOND_PERIODS:
            mean = self._ratios(run, second).mean
            for (what, _), r in zip(RESPONSES, range(2), strict=True):
                title = f"T2 = {second:g} s: share of mean {what} ratios in which Jankowski is not above Hertzdamp"
                smaller = float((mean[:, :, 0, :, r] <= mean[:, :, 1, :, r]).mean())
                rows.append(Row(quantity=title, published=None, computed=smaller, reason=FINDING))
        mean = self._ratios(run, DRAWN).mean.mean(axis=0)
        for i, ratio in enumerate(RATIOS):
            for k, model in enumerate(MODELS.values()):
                for o in range(2):
                    for r, (what, _) in enumerate(RESPONSES):
                        title = f"T1/T2 = {ratio}, SDOF {o + 1}, {model.title}: mean {what} ratio over all levels"
                        value = float(mean[i, k, o, r])
                        rows.append(Row(quantity=title, published=None, computed=value, reason=UNPRINTED))
        return [*rows, *self._causes(run)]

    def _causes(self, run: Run) -> list[Row]:
        """Return the same comparison with Hertzdamp made to achieve what is asked, or as soft as gives equal peaks."""
        calibrated = build("hertzdamp", STIFFNESS).calibrated(mass=0.5 * MASS, velocity=SPEED)
        rows = []
        for said, law in (
            ("calibrated to achieve e = 0.6", calibrated),
            (f"k_h = {EQUAL_PEAKS} β, equal peak forces", build("hertzdamp", EQUAL_PEAKS * STIFFNESS)),
        ):
            mean = _cached(run, self.motions, DRAWN, (build("jankowski", STIFFNESS), law)).mean
            for r, (what, _) in enumerate(RESPONSES):
                smaller = float((mean[:, :, 0, :, r] <= mean[:, :, 1, :, r]).mean())
                title = f"T2 = {DRAWN:g} s: share as above, {what}, Hertzdamp {said}"
                rows.append(Row(quantity=title, published=None, computed=smaller, reason=CAUSE))
        return rows

    def _ratios(self, run: Run, second: float) -> Ratios:
        return _cached(run, self.motions, second, tuple(build(key, STIFFNESS) for key in MODELS))

    def figures(self, run: Run) -> list[FigureData]:
        """Return the six figures as one: a column for each period ratio, both oscillators below each other."""
        ratios = self._ratios(run, DRAWN)
        panels = []
        for r, (what, _) in enumerate(RESPONSES):
            for o in range(2):
                top = 1.15 * float(np.nanmax(ratios.values[:, :, :, o, r]))
                panels += [self._panel(ratios, i, o, r, f"{what.capitalize()} ratio", top) for i in range(len(RATIOS))]
        figure = FigureData(
            self.name,
            f"Amplification by pounding, {self.suite}, $T_2$ = {DRAWN:g} s; points: single motions",
            "after mahmoud2008 Figs. 8 to 13",
            tuple(panels),
            columns=3,
            width=Width.DOUBLE,
            aspect=0.62,
            legend=True,
        )
        return [figure]

    def _panel(self, ratios: Ratios, i: int, o: int, r: int, ylabel: str, top: float) -> Panel:
        x = LEVELS[ratios.levels]
        curves = []
        for k, model in enumerate(MODELS.values()):
            single = ratios.values[:, i, k, o, r]
            shift = 0.012 * (2 * k - 1)  # beside each other, not on each other
            curves.append(Curve(LEVELS[ratios.level] + shift, single, f"{model.title}, single motions", Kind.POINTS, k))
            curves.append(Curve(x, ratios.mean[:, i, k, o, r], f"{model.title}, mean", Kind.LINE, k))
        curves.append(Curve(x, np.ones(x.size), "", Kind.REFERENCE))
        return Panel(
            "PGA [g]", ylabel, tuple(curves), f"SDOF {o + 1}, $T_1/T_2$ = {RATIOS[i]}", xlim=(0.05, 1.05),
            ylim=(0.0, top),
        )  # fmt: skip
