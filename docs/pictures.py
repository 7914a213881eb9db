"""Draw the pictures of the README: python docs/pictures.py."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

import carom
from carom.errors import ValidityWarning
from carom.laws import laws
from carom.plots import draw
from carom.results import Curve, FigureData, Kind, Panel, Width
from carom.studies.single.achieved import achieved_restitution

LOOPS = ("hertz", "lankarani-nikravesh-1990", "hunt-crossley-exact", "tsuji-1992", "jankowski-2005")
RETURNS = (
    "hunt-crossley-exact",
    "lankarani-nikravesh-1990",
    "hunt-crossley-1975",
    "jankowski-2005",
    "flores-2011",
    "khatami-2019",
)


def laws_picture() -> FigureData:
    """Loops of one impact with several laws, and what each returns of the restitution asked for."""
    loops = []
    for i, name in enumerate(LOOPS):
        damped = {} if name == "hertz" else {"restitution": 0.6}
        hit = carom.impact(carom.law(name, stiffness=2.5e10, **damped), mass=0.54, velocity=0.5)
        history = hit.history
        kind = Kind.REFERENCE if name == "hertz" else Kind.LINE
        label = f"{name}, $e$ = {hit.restitution:.2f}"
        loops.append(Curve(1e6 * history.overlap, 1e-3 * history.force, label, kind, max(i - 1, 0)))
    asked = np.linspace(0.02, 1.0, 60)
    returns = [Curve([0, 1], [0, 1], "", Kind.REFERENCE)]
    for i, name in enumerate(RETURNS):
        returns.append(Curve(asked, achieved_restitution(name, asked), laws.get(name).name, series=i))
    return FigureData(
        name="laws",
        title="What contact laws do with the restitution asked for",
        source="carom: one steel ball, 0.54 kg at 0.5 m/s",
        panels=(
            Panel(
                "Overlap $δ$ [µm]",
                "Force $F$ [kN]",
                tuple(loops),
                "one impact, $e$ = 0.6 asked",
                xlim=(0, 37),
                ylim=(-0.6, 7.4),
                legend="upper left",
            ),
            Panel(
                "Restitution asked for",
                "Restitution achieved",
                tuple(returns),
                "asked and achieved",
                xlim=(0, 1),
                ylim=(0, 1.0),
                legend="lower right",
            ),
        ),
        columns=2,
        shared=False,
        width=Width.DOUBLE,
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore", ValidityWarning)  # the picture shows just that: what e = 0.6 gives
    figure, _ = draw(laws_picture())
    figure.savefig(Path(__file__).parent / "images" / "laws.png", dpi=180)
