"""When a skewed deck turns as it strikes its abutment: Dimitrakopoulos's criterion, and how fast it turns."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import ClassVar

import numpy as np

from carom.cases._skew_deck import Hit, after, critical_friction, critical_skew, driven, eta, lasting, random_hits
from carom.cases.base import Case, Run, register_case, stated
from carom.results import Curve, FigureData, Kind, Panel, Row, Width

LENGTH, WIDTH, RESTITUTION = 30.0, 10.0, 0.5
TABLE = (
    (20.0, 0.0, 0.0),
    (30.0, 0.0, 0.02517385),
    (30.0, 0.1, 0.00639368),
    (30.0, 0.2, 0.0),
)
"""Skew [°], μ, ω⁺ [rad/s] at 1 m/s."""
ETA = ((20.0, 0.96418), (30.0, 1.29904))
MU_C = 0.13291  # at 30°
DECKS, SEED = 2000, 24
STILL = 1e-9  # rad/s
STEPS = 24  # of bisection
CHART = np.arange(4.0, 61.0, 4.0), np.arange(0.0, 0.61, 0.05)


def turned(run: Run, hit: Hit) -> float:
    """Return ω⁺ [rad/s] as a run has it."""
    return float(run(driven(hit), **lasting(hit)).velocity[-1, 2])


@register_case
class SkewDeck(Case):
    """Criterion and angular velocity of the table, where turning begins by runs, and random decks."""

    name: ClassVar[str] = "skew-deck"
    title: ClassVar[str] = "A skewed deck that strikes its abutment along its axis: whether it turns"
    paper: ClassVar[str] = "skew-deck"
    place: ClassVar[str] = "rotation criterion, and closed forms by impulse and momentum"
    means: ClassVar[str] = "simulate"
    verified: ClassVar[str] = "closed form"
    notes: ClassVar[tuple[str, ...]] = (
        "Formulas were derived anew from impulse and momentum; the notation of the papers was not at hand.",
        f"L = {LENGTH:g} m, W = {WIDTH:g} m, e = {RESTITUTION:g}, driven along its axis at 1 m/s; Newton's law at both "
        "corners, which may be struck at once.",
        "The forms hold while sliding lasts through the impact; random decks are drawn inside that range.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return the table, the two limits found by runs, and what random decks do."""
        found = [
            Row(
                quantity=f"η at {skew:g}°", published=value, computed=eta(_hit(skew, 0.0)), tolerance=5e-6,
                absolute=True,
            )
            for skew, value in ETA
        ]  # fmt: skip
        for skew, friction, value in TABLE:
            computed = turned(run, _hit(skew, friction))
            found.append(
                Row(
                    quantity=f"ω⁺ at {skew:g}°, μ = {friction:g}", published=value, computed=computed, unit="rad/s",
                    tolerance=1e-8, absolute=True,
                )
            )  # fmt: skip
        least = _begins(lambda degrees: turned(run, _hit(degrees, 0.0)) > STILL, 5.0, 40.0)
        most = _begins(lambda friction: turned(run, _hit(30.0, friction)) <= STILL, 0.0, 0.3)
        limit = math.degrees(critical_skew(LENGTH, WIDTH))
        found.append(
            Row(
                quantity="least skew that turns without friction (η = 1), by runs", published=limit, computed=least,
                unit="°", tolerance=1e-5,
            )
        )  # fmt: skip
        found.append(
            Row(
                quantity="friction at which turning ends at 30° (μ_c), by runs", published=MU_C, computed=most,
                tolerance=5e-6, absolute=True,
            )
        )  # fmt: skip
        found += random_rows(run, SEED, DECKS)
        return found

    def figures(self, run: Run) -> list[FigureData]:
        """Return the chart: which decks turn, over skew and friction, with the criterion as a line."""
        at = np.array([(skew, friction) for skew in CHART[0] for friction in CHART[1]])
        moved = np.array([turned(run, _hit(float(skew), float(friction))) > STILL for skew, friction in at])
        skews = np.linspace(1.0, 62.0, 200)
        limits = np.array([critical_friction(_hit(skew, 0.0)) for skew in skews])
        curves = (
            Curve(at[moved, 0], at[moved, 1], "turns, by runs", Kind.POINTS, 1),
            Curve(at[~moved, 0], at[~moved, 1], "does not turn", Kind.POINTS, 0),
            Curve(skews[limits >= 0.0], limits[limits >= 0.0], "μ_c", Kind.LINE, 4),
        )
        panel = Panel("skew [°]", "friction μ", curves, xlim=(0.0, 62.0), ylim=(-0.02, 0.64))
        about = "Which skewed decks turn"
        return [
            FigureData("skew-deck", about, "after Dimitrakopoulos", (panel,), width=Width.SINGLE, legend=True)
        ]  # fmt: skip


def random_rows(run: Run, seed: int, count: int) -> list[Row]:
    """Return how random decks inside the range of the forms agree with them."""
    hits = random_hits(seed, count)
    seen = [turned(run, hit) for hit in hits]
    told = [after(hit) for hit in hits]
    agree = [abs(one) > STILL for one in seen] == [one > 0.0 for one in told]
    share = np.mean([(abs(a) > STILL) == (b > 0.0) for a, b in zip(seen, told, strict=True)])
    worst = max(abs(a - b) for a, b in zip(seen, told, strict=True))
    reason = "" if agree else "some decks at the limit itself"
    return [
        stated(f"{count} random decks turn exactly when the criterion says", float(share), reason),
        Row(
            quantity=f"largest difference of ω⁺ over {count} random decks", published=0.0, computed=worst, unit="rad/s",
            tolerance=1e-8, absolute=True,
        ),
    ]  # fmt: skip


def _hit(degrees: float, friction: float) -> Hit:
    return Hit(LENGTH, WIDTH, math.radians(degrees), RESTITUTION, friction)


def _begins(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Return where a statement that is false at `low` and true at `high` begins to hold, by bisection."""
    for _ in range(STEPS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return 0.5 * (low + high)
