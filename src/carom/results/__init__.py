"""What happened: containers that a run fills, how a run ended, and published beside computed."""

from __future__ import annotations

from carom.results.assessment import Asked, BaseShear, Firmness, FloorSpectra, Loop, Pounding, SlabSpectra
from carom.results.comparisons.penalty import PenaltyComparison
from carom.results.comparisons.published import Comparison, Row, Verdict, tally
from carom.results.contacts import ContactName, contact_number
from carom.results.ensemble import Ensemble
from carom.results.figure import Curve, FigureData, Kind, Label, Panel, Width
from carom.results.frame import Frame
from carom.results.impact import Impact, Impacts
from carom.results.outcome import OUTCOMES, Outcome
from carom.results.simulation import LateSimulation, Simulation
from carom.results.space.form import Form, FormForces, FormLevel, FormMode
from carom.results.space.scene import Scene, Standing, Touch
from carom.results.steady import SteadyState, steady_state
from carom.results.table import Cell, Table
from carom.results.trajectory import Trajectory

__all__ = [
    "OUTCOMES",
    "Asked",
    "BaseShear",
    "Cell",
    "Comparison",
    "ContactName",
    "Curve",
    "Ensemble",
    "FigureData",
    "Firmness",
    "FloorSpectra",
    "Form",
    "FormForces",
    "FormLevel",
    "FormMode",
    "Frame",
    "Impact",
    "Impacts",
    "Kind",
    "Label",
    "LateSimulation",
    "Loop",
    "Outcome",
    "Panel",
    "PenaltyComparison",
    "Pounding",
    "Row",
    "Scene",
    "Simulation",
    "SlabSpectra",
    "Standing",
    "SteadyState",
    "Table",
    "Touch",
    "Trajectory",
    "Verdict",
    "Width",
    "contact_number",
    "steady_state",
    "tally",
]
