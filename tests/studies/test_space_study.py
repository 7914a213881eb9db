"""Studies of structures in space: corners' gaps and eccentricities vary by path, arrays of a file are kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import carom
from carom.scenario import ScenarioError
from carom.scenario.reading import read_scenario
from carom.scenario.study_reading import study_of
from carom.studies.drive import _planned, run_study
from tests.scenario.test_matrix_file import TEXT, arrays

PAIR = """
title = "Pair"
[structures.west]
kind = "torsional-building"
floors = 1
masses = "200 t"
stiffnesses_x = "300 kN/mm"
stiffnesses_y = "250 kN/mm"
torsional_stiffnesses = "20 GN*m"
width = "12 m"
depth = "18 m"
heights = "3 m"
damping_ratio = "5 %"
[structures.east]
kind = "torsional-building"
floors = 1
masses = "400 t"
stiffnesses_x = "300 kN/mm"
stiffnesses_y = "250 kN/mm"
torsional_stiffnesses = "20 GN*m"
width = "12 m"
depth = "18 m"
heights = "3 m"
origin = ["12.02 m", 0]
damping_ratio = "5 %"
[laws.slabs]
name = "kelvin-voigt"
stiffness = "2 GN/m"
restitution = 0.6
[[contacts]]
left = "west"
right = "east"
gap = "1 cm"
law = "slabs"
[motion]
record = "default"
pga = "0.8 g"
end = "6 s"
"""
STUDY = """
title = "Corners"
scenario = "pair.toml"
outputs = ["displacement", "impacts", "peak_force"]
[sampler]
kind = "paired"
[parameters.south]
path = "contacts.west floor 1 se | east floor 1 sw.gap"
values = ["1 cm", "2 cm", "3 cm"]
[parameters.off]
path = "structures.west.accidental_y"
values = [0.0, 0.05, "10 %"]
"""


def test_a_corner_s_gap_and_an_eccentricity_vary(tmp_path: Path) -> None:
    """Every run of the study is the run of a problem stated by hand."""
    (tmp_path / "pair.toml").write_text(PAIR, encoding="utf-8")
    study = study_of(STUDY, "study.toml", tmp_path)
    table = _planned(study)
    base = read_scenario(tmp_path / "pair.toml").problem
    forces = []
    for sample, (gap, off) in enumerate(((0.01, 0.0), (0.02, 0.05), (0.03, 0.1))):
        found = table.problem(table.tables_of(sample), base.motion)
        assert [pair.gap for pair in found.pairs] == [gap, 0.01]
        west = base.structure("west").replace(accidental_y=off)
        assert found.structure("west") == west
        by_hand = base.replace(structures=(west, base.structure("east")), contacts=found.pairs)
        forces.append(carom.simulate(by_hand, rtol=1e-8).table["peak_force"].max(initial=0.0))
    columns = run_study(study, tmp_path / "out").columns()
    order = np.argsort(columns["sample"])
    np.testing.assert_allclose(np.asarray(columns["peak_force"])[order], forces, rtol=1e-3)
    assert min(forces) > 0.0
    assert len(set(forces)) == 3


def test_a_study_shakes_along_x_alone(tmp_path: Path) -> None:
    text = PAIR.replace("[motion]\n", "[motion.x]\n") + '\n[motion.y]\nrecord = "default"\n'
    (tmp_path / "pair.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"`scenario` must have a motion along x alone in a study\. Got \"x, y\""):
        study_of(STUDY, "study.toml", tmp_path)


def test_arrays_of_a_file_are_kept(tmp_path: Path) -> None:
    """What a study does not read again may change."""
    np.savez(tmp_path / "model.npz", **arrays())
    (tmp_path / "bridge.toml").write_text(TEXT, encoding="utf-8")
    varied = '[parameters.gap]\npath = "contacts.0.gap"\nvalues = [0.01, 0.02]\n'
    study = study_of(f'title = "Gaps"\nscenario = "bridge.toml"\n{varied}', "study.toml", tmp_path)
    expected = read_scenario(tmp_path / "bridge.toml").problem.structure("deck")
    (tmp_path / "model.npz").unlink()
    found = _planned(study).base.structure("deck")
    np.testing.assert_array_equal(found.mass_matrix, expected.mass_matrix)
    np.testing.assert_array_equal(found.read("top", "z").row, expected.read("top", "z").row)
    assert "file" not in study.as_dict()["scenario"]["structures"]["deck"]
