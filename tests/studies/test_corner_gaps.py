"""Studies of buildings that turn: each corner's gap, both of a side, and masses that are not where they should be."""

from __future__ import annotations

from pathlib import Path

import pytest

import carom
from carom.scenario.studies.reading import study_of
from carom.studies.drive import run_study

STUDY = """
title = "Corners"
outputs = ["peak_force", "impacts"]

[scenario.structures.left]
kind = "torsional-building"
masses = ["200 t", "200 t"]
stiffnesses_x = "300 MN/m"
stiffnesses_y = "250 MN/m"
torsional_stiffnesses = "20 GN*m"
width = "12 m"
depth = "18 m"
damping_ratio = "5 %"

[scenario.structures.right]
kind = "torsional-building"
masses = ["100 t", "100 t"]
stiffnesses_x = "900 MN/m"
stiffnesses_y = "250 MN/m"
torsional_stiffnesses = "20 GN*m"
width = "12 m"
depth = "18 m"
origin = ["12.05 m", 0]
damping_ratio = "5 %"

[scenario.laws.pad]
name = "hertzdamp"
stiffness = "2e9 N/m^1.5"
restitution = 0.65

[[scenario.contacts]]
left = "left"
right = "right"
gap = ["2 cm", "3 cm"]
law = "pad"

[sampler]
kind = "grid"

[parameters.south]
path = "contacts.left floor * se | right floor * sw.gap"
values = ["1 cm", "2 cm"]

[parameters.north]
path = "contacts.left floor 2 ne | right floor 2 nw.gap"
values = ["1.5 cm", "3 cm"]

[parameters.shift]
path = "structures.left.accidental_y"
values = ["-5 %", "5 %"]

[motions]
records = ["default"]
scales = [1.5]

[run]
rtol = 1e-7
"""


def test_gaps_of_corners_and_accidental_eccentricity(tmp_path: Path) -> None:
    """South gaps of both floors, one north gap, and masses moved: eight runs, each as a problem of its own."""
    study = study_of(STUDY, "corners.toml", tmp_path)
    columns = run_study(study, tmp_path / "out").columns()
    assert columns["impacts"].size == 8
    left, right = study.problem.structures
    (facing,) = study.problem.contacts
    motion = carom.motions.get("default").scaled(factor=1.5)
    for k in range(8):
        south, north, shift = (float(columns[name][k]) for name in ("south", "north", "shift"))
        problem = study.problem.replace(
            structures=[left.replace(accidental_y=shift), right],
            contacts=[facing.replace(gap=(south, 0.03, south, north))], motion=motion,
        )  # fmt: skip
        alone = carom.simulate(problem, rtol=1e-7)
        assert alone.impact_count == columns["impacts"][k] > 0
        assert columns["peak_force"][k] == pytest.approx(alone.table["peak_force"].max(), rel=1e-4)
    assert len({float(force) for force in columns["peak_force"]}) > 4
