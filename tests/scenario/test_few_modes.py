"""Few modes in scenario files: what `[reduced]` states, what is refused, and what a study makes of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import carom
from carom.scenario import ScenarioError, read_scenario
from carom.scenario.studies.reading import study_of
from carom.studies.drive import _planned, run_study

PAIR = """
title = "Two towers"
[structures.tower]
kind = "shear-building"
floors = 60
masses = "300 t"
stiffnesses = "2 GN/m"
damping_ratio = "5 %"
[structures.annex]
kind = "shear-building"
floors = 12
masses = "300 t"
stiffnesses = "1 GN/m"
damping_ratio = "5 %"
[laws.slabs]
name = "hertzdamp"
stiffness = "2e9 N/m^1.5"
restitution = 0.65
[[contacts]]
left = {structure = "tower", floor = 12}
right = {structure = "annex", floor = 12}
gap = "5 mm"
law = "slabs"
[motion]
record = "default"
end = "6 s"
"""
STUDY = """
title = "Gaps"
scenario = "pair.toml"
outputs = ["displacement", "peak_force"]
[parameters.gap]
path = "contacts.0.gap"
values = ["5 mm", "8 mm"]
[run]
rtol = 1e-6
"""


def written(folder: Path, reduced: str = "") -> Path:
    path = folder / "pair.toml"
    path.write_text(PAIR + reduced, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("table", "asked"),
    [
        ("[reduced]\n", {}),
        ('[reduced]\nrtol = "1 %"\npeaks = 0.05\nimpacts = 4\n', {"rtol": 0.01, "peaks": 0.05, "impacts": 4}),
        ('[reduced]\ncutoff = "12 Hz"\n', {"cutoff": 12.0}),
        ("[reduced]\ncutoff = 12.0\nimpacts = 0\n", {"cutoff": 12.0, "impacts": 0}),
    ],
)
def test_a_file_asks_for_what_a_problem_takes(table: str, asked: dict[str, float], tmp_path: Path) -> None:
    found = read_scenario(written(tmp_path, table)).problem
    expected = read_scenario(written(tmp_path)).problem.reduced(**asked)
    assert found.reduction == expected.reduction
    assert [one.kept_modes for one in found.structures[:1]] == [one.kept_modes for one in expected.structures[:1]]
    assert found.structures[0].kept_modes < 60
    assert len(found.structures[1].frequencies) == 12  # it has no more than 30 degrees of freedom


@pytest.mark.parametrize(
    ("table", "field", "told"),
    [
        ("rtol = 0.5", "reduced.rtol", "must lie in [1e-08, 0.1]"),
        ('cutoff = "-3 Hz"', "reduced.cutoff", "must be positive"),
        ('cutoff = "3 m"', "reduced.cutoff", "Hz"),
        ('cutoff = "30 Hz"\npeaks = 0.01', "reduced.cutoff", "must not stand beside `peaks`"),
        ("impacts = 0", "reduced.impacts", "must be at least 1 where a trial is to find the cut-off"),
        ("impacts = -1", "reduced.impacts", ""),
        ("modes = 20", "reduced.modes", "is not known here"),
    ],
)
def test_what_is_refused(table: str, field: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        read_scenario(written(tmp_path, f"[reduced]\n{table}\n"))
    assert [fault.field for fault in caught.value.faults] == [field]
    assert told in str(caught.value)


def test_without_contacts_nothing_tells_a_cut_off(tmp_path: Path) -> None:
    text = PAIR[: PAIR.index("[[contacts]]")] + PAIR[PAIR.index("[motion]") :]
    path = tmp_path / "alone.toml"
    path.write_text(text + "[reduced]\n", encoding="utf-8")
    with pytest.raises(ScenarioError, match="nothing tells a cut-off"):
        read_scenario(path)
    path.write_text(text + '[reduced]\ncutoff = "9 Hz"\n', encoding="utf-8")
    run = carom.simulate(read_scenario(path).problem)
    assert run.evidence["reduced"]["estimate"] is None
    assert "was not estimated" in run.evidence["cautions"][0]


def test_runs_of_a_study_take_the_cut_off_of_its_scenario(tmp_path: Path) -> None:
    """It is found once, kept with the study, and every run is that of the problem with those modes."""
    scenario = read_scenario(written(tmp_path, "[reduced]\n"))
    assert scenario.problem.reduction is not None
    cutoff = scenario.problem.reduction.cutoff
    study = study_of(STUDY, "study.toml", tmp_path)
    assert study.as_dict()["scenario"]["reduced"] == {"cutoff": cutoff, "impacts": 0}
    plan = _planned(study)
    assert plan.base.structures[0].kept_modes == scenario.problem.structures[0].kept_modes
    columns = run_study(study, tmp_path / "out").columns()
    whole = read_scenario(written(tmp_path)).problem
    for at, sample in enumerate(columns["sample"]):
        few = whole.replace(gap=(0.005, 0.008)[sample]).reduced(cutoff=cutoff, impacts=0)
        run = carom.simulate(few, rtol=1e-6)
        assert columns["peak_force"][at] == pytest.approx(run.table["peak_force"].max(), rel=1e-4)
    assert np.isfinite(columns["peak_force"]).all()
