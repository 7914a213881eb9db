"""Draw the pictures of README and front page: python docs/pictures.py."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

import carom
from carom.errors import ValidityWarning
from carom.laws import laws
from carom.plots import draw
from carom.results import Curve, FigureData, Kind, Panel, Width
from carom.scenario import default_scenario
from carom.studies.analyses.separation import separation
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


def answer_picture() -> FigureData:
    """What the default scenario answers: touch or not, how hard, and which gap is enough."""
    problem = default_scenario().problem
    run = carom.simulate(problem)
    hardest = int(run.table["contact"][run.table["peak_force"].argmax()])
    shown = (run.time > 1.0) & (run.time < 8.0)
    time, left, force = run.time[shown], 1e3 * run.gap[shown, hardest], 1e-6 * run.force[shown, hardest]
    thirty = [one.scaled(pga="0.4 g") for one in carom.motions.suite("thirty")]
    needed = np.sort(separation(problem, thirty).needed)
    share = 1.0 - np.arange(1, needed.size + 1) / needed.size
    return FigureData(
        name="answer",
        title="What a run and a suite answer",
        source="carom run: six storeys beside three, 3 cm apart, 0.45 g; thirty motions at 0.4 g",
        panels=(
            Panel(
                "Time [s]",
                "Distance left [mm]",
                (Curve(time, left), Curve([1, 8], [0, 0], "", Kind.REFERENCE)),
                "do they touch?",
                xlim=(1, 8),
            ),
            Panel("Time [s]", "Contact force [MN]", (Curve(time, force),), "how hard?", xlim=(1, 8)),
            Panel(
                "Gap [mm]",
                "Share of 30 motions that touch",
                (Curve(1e3 * np.r_[0.0, needed], np.r_[1.0, share]),),
                "which gap is enough?",
                xlim=(0, 150),
                ylim=(0, 1.0),
            ),
        ),
        columns=3,
        shared=False,
        width=Width.DOUBLE,
    )


PICTURES = {"laws": laws_picture, "answer": answer_picture}

if __name__ == "__main__":
    warnings.simplefilter("ignore", ValidityWarning)  # the first shows just that: what e = 0.6 gives
    for name, picture in PICTURES.items():
        draw(picture())[0].savefig(Path(__file__).parent / "images" / f"{name}.png", dpi=180)
