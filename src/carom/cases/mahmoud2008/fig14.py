"""mahmoud2008 Figure 14: error against step on the Tacoma Narrows model, smooth and with slack stays."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from carom.cases.base import Case, Run, register_case
from carom.cases.mahmoud2008.tacoma import EQUILIBRIUM, forces, slant, stays
from carom.results import Curve, FigureData, Kind, Panel, Row, Width

__all__ = ["TacomaNarrows"]

Array = npt.NDArray[np.float64]

# ours: the paper prints neither initial state nor numbers
TAUT = (0.1, 0.0, EQUILIBRIUM, 0.0)  # θ, θ′, y, y′: no stay slackens
SLACK = (1.2, 0.0, 0.0, 0.0)
DURATION = 10.0  # s
STEPS = DURATION / np.array([25, 50, 100, 200, 400])
SCHEMES = (
    ("rk4", "ERK4", 4), ("burrage", "Burrage", 3), ("radau-iia-2", "Radau IIA, 2", 3),
    ("radau-iia-3", "Radau IIA, 3", 5), ("radau-ia-2", "Radau IA, 2", 3), ("gauss-2", "Gauss, 2", 4),
    ("lobatto-iiia-3", "Lobatto IIIA, 3", 4), ("lobatto-iiic-3", "Lobatto IIIC, 3", 4),
    ("sdirk-3", "SDIRK, 3", 3), ("radau-iia-1", "backward Euler", 1),
)  # fmt: skip
DRAWN = ("rk4", "burrage", "radau-iia-2", "radau-iia-3", "gauss-2", "radau-iia-1")
FLOOR = 1e-11
"""Errors below this are those of the reference and of rounding; no order is read from them."""

UNPRINTED = "Figure 14 is printed without numbers; the theory promises at least order one across kinks, eq. (26)"
COARSE = "; the steps of the figure are too long for a method of order one to show it"


class Study:
    """Errors of every scheme on one problem; E(h) is the largest over the steps, eq. (21)."""

    def __init__(self, run: Run, start: tuple[float, ...]) -> None:
        self.run, self.start = run, start
        self.grid = np.linspace(0.0, DURATION, 401)
        first = self._solve(self.grid, scheme="dormand-prince", rtol=1e-12)
        self.kinks = self._kinks(first)
        with_kinks = np.unique(np.concatenate([self.grid, self.kinks]))
        self.reference = self._solve(with_kinks, scheme="gauss-4", h=0.025)

    def _solve(self, t: Array, **options: Any) -> Any:
        return self.run(forces, self.start, t, jac=slant, **options)

    @staticmethod
    def _kinks(trajectory: Any) -> Array:
        """Return when a stay goes slack or taut again."""
        stretch = stays(trajectory.state)
        found = []
        for i, s in zip(*np.nonzero(stretch[1:] * stretch[:-1] < 0.0), strict=True):
            low, high = trajectory.time[i], trajectory.time[i + 1]
            for _ in range(60):
                middle = 0.5 * (low + high)
                if stays(trajectory(middle))[s] * stretch[i, s] > 0.0:
                    low = middle
                else:
                    high = middle
            found.append(0.5 * (low + high))
        return np.array(sorted(found))

    def errors(self, scheme: str, *, on_kinks: bool = False) -> Array:
        """Return E(h) for every step, shape (steps,)."""
        ends = np.unique(np.concatenate([[0.0, DURATION], self.kinks if on_kinks else []]))
        found = []
        for h in STEPS:
            result = self._solve(ends, scheme=scheme, h=float(h))
            if on_kinks:
                off = result.state[-1] - self.reference.state[-1]
            else:
                at = np.searchsorted(self.reference.time, result.time - 1e-9)
                off = result.state - self.reference.state[at]
            found.append(float(np.linalg.norm(off, axis=-1).max()))
        return np.array(found)


def order(errors: Array) -> float:
    """Return the observed order, fitted over the three finest steps whose errors are not rounding."""
    use = np.flatnonzero(errors > FLOOR)[-3:]
    return float(np.polyfit(np.log(STEPS[use]), np.log(errors[use]), 1)[0])


@register_case
class TacomaNarrows(Case):
    """Observed orders on the smooth and on the kinked problem, across the kinks and with steps that end on them."""

    name: ClassVar[str] = "mahmoud2008-fig14"
    title: ClassVar[str] = "Tacoma Narrows: how accurate Runge-Kutta methods are, with taut and with slack stays"
    paper: ClassVar[str] = "mahmoud2008"
    place: ClassVar[str] = "remarks 1 and 2, eqs (17)-(26), Figure 14"
    means: ClassVar[str] = "irk"
    notes: ClassVar[tuple[str, ...]] = (
        "The paper prints neither the model's equations nor its initial state, λ and μ. Taken: McKenna's model (1999) "
        "with λ = 0.05, μ = 1.3 rad/s, 10 s from rest; θ = 0.1, y = 12.25 m (no stay slackens, f stays smooth) and "
        "θ = 1.2, y = 0 (the stays slacken).",
        "Of the two collocation candidates for Burrage's two stages the algebraically stable one is taken, "
        "λ = (3+√3)/6; the paper does not print its tableau.",
        "Errors are E(h) of eq. (21) in the Euclidean norm of (θ, θ′, y, y′), against Gauss's four stages with steps "
        "of 25 ms that end on every kink; with steps that end on the kinks, the error at 10 s.",
        "Across kinks the error depends on where in a step each kink falls and jumps from step to step: an order "
        "fitted there says little more than that it is above the one that the theory promises.",
    )

    @cached_property
    def _found(self) -> dict[Any, Any]:
        return {}

    def _errors(self, run: Run) -> dict[tuple[str, str], Array]:
        """Return E(h) by scheme and problem, computed once."""
        if not self._found:
            taut, slack = Study(run, TAUT), Study(run, SLACK)
            self._found["kinks"] = slack.kinks.size, taut.kinks.size
            for scheme, _, _ in SCHEMES:
                self._found[scheme, "taut"] = taut.errors(scheme)
                self._found[scheme, "slack"] = slack.errors(scheme)
                self._found[scheme, "on kinks"] = slack.errors(scheme, on_kinks=True)
        return self._found

    def rows(self, run: Run) -> list[Row]:
        """Return the observed orders."""
        errors = self._errors(run)
        rows = []
        for scheme, title, theory in SCHEMES:
            for what, key in (
                (f"taut stays (order {theory})", "taut"),
                ("slack stays, steps across kinks", "slack"),
                ("slack stays, steps end on kinks", "on kinks"),
            ):
                found = order(errors[scheme, key])
                reason = UNPRINTED + (COARSE if theory == 1 else "")
                rows.append(
                    Row(quantity=f"{title}: order, {what}", published=None, computed=found, reason=reason)
                )  # fmt: skip
        return rows

    def figures(self, run: Run) -> list[FigureData]:
        """Return E(h) over h for the two problems, and for steps that end on the kinks."""
        errors = self._errors(run)
        panels = []
        for title, key in (
            ("taut stays: smooth", "taut"), ("slack stays", "slack"), ("slack stays, steps end on kinks", "on kinks")
        ):  # fmt: skip
            curves = []
            for series, scheme in enumerate(DRAWN):
                name = next(title for one, title, _ in SCHEMES if one == scheme)
                x, y = np.log10(STEPS), np.log10(np.maximum(errors[scheme, key], 1e-14))
                label = name if key == "taut" else ""
                curves += [Curve(x, y, label, Kind.POINTS, series), Curve(x, y, series=series)]
            panels.append(
                Panel(r"$\log_{10}$ step $h$ [s]", r"$\log_{10}$ error $E(h)$", tuple(curves), title, ylim=(-13.0, 1.5))
            )
        figure = FigureData(
            self.name, self.title, "after mahmoud2008 Fig. 14", tuple(panels), columns=3, width=Width.DOUBLE,
            aspect=1.0, legend=True,
        )  # fmt: skip
        return [figure]
