"""What happened: containers that a run fills, how a run ended, and published beside computed."""

from __future__ import annotations

from carom.results.comparison import Comparison, Row, Verdict, tally
from carom.results.figure import Curve, FigureData, Kind, Label, Panel, Width
from carom.results.impact import Impact, Impacts
from carom.results.outcome import Outcome
from carom.results.pounding import Firmness, FloorSpectra, Loop, Pounding
from carom.results.scene import Scene, Standing, Touch
from carom.results.simulation import Simulation
from carom.results.trajectory import Trajectory

__all__ = [
    "Comparison",
    "Curve",
    "FigureData",
    "Firmness",
    "FloorSpectra",
    "Impact",
    "Impacts",
    "Kind",
    "Label",
    "Loop",
    "Outcome",
    "Panel",
    "Pounding",
    "Row",
    "Scene",
    "Simulation",
    "Standing",
    "Touch",
    "Trajectory",
    "Verdict",
    "Width",
    "tally",
]
