"""Study files: what they state, and what is said of those that cannot be run."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import carom
from carom.errors import InputError
from carom.scenario import ScenarioError, read_scenario
from carom.scenario.faults import ScenarioError as Same
from carom.scenario.reading import default_text
from carom.scenario.schema import study_schema_text
from carom.scenario.studies.paths import Place, places_at, places_in
from carom.scenario.studies.paths import changed as with_changes
from carom.scenario.studies.reading import read_study, study_of
from carom.scenario.templates.scenario import Answers, scenario_text
from tests.studies.example import STUDY, changed, example


def test_what_it_states() -> None:
    study = example()
    gap, period = study.parameters
    assert (gap.unit, dict(gap.numbers)) == ("m", {"median": 0.02, "dispersion": 0.4})
    assert dict(period.numbers) == {"low": 0.5, "high": 1.0}
    assert study.motions is not None
    assert study.motions.names == ("default", "thirty-05a")
    assert study.motions.factors.tolist() == [[0.5, 1.0, 2.0]] * 2
    # witnesses: the motions themselves
    assert study.motions.pga[0] == carom.motions.get("default").pga
    assert study.motions.sa is not None
    assert study.motions.sa[0] == carom.motions.get("default").sa(0.5, 0.05)
    assert study.problem.motion is None


def test_the_default_scenario_and_its_motion_serve() -> None:
    study = study_of('title = "t"\n[parameters."contact.0.gap"]\nvalues = ["1 cm", 0.02]', "s.toml", Path())
    assert study.parameters[0].values == (0.01, 0.02)
    assert study.parameters[0].places[0].path == "contacts.0.gap"
    assert study.motions is not None
    assert study.motions.pga[0] == pytest.approx(0.45 * 9.80665)


def test_scaling_to_levels() -> None:
    study = example(("scales = [0.5, 1.0, 2.0]", 'pga = ["0.2 g", "0.4 g"]'))
    assert study.motions is not None
    reached = study.motions.factors * study.motions.pga[:, None]
    np.testing.assert_allclose(reached, [[0.2 * 9.80665, 0.4 * 9.80665]] * 2, rtol=1e-14)
    study = example(("scales = [0.5, 1.0, 2.0]", 'sa = ["0.5 g"]'))
    assert study.motions is not None
    scaled = [
        m.scaled(factor=float(f)) for m, f in zip(study.motions.motions, study.motions.factors[:, 0], strict=True)
    ]
    assert [m.sa(0.5, 0.05) for m in scaled] == pytest.approx([0.5 * 9.80665] * 2)


def test_a_folder_a_glob_and_a_suite_of_motions(tmp_path: Path) -> None:
    for name in ("b", "a"):
        rows = "\n".join(f"{0.01 * i:.2f} {0.1 * (-1) ** i:.3f}" for i in range(60))
        (tmp_path / f"{name}.txt").write_text(rows)
    text = changed(('["default", "thirty-05a"]', '["*.txt", "."]'), ('period = "0.5 s"\n', 'unit = "g"\n'))
    study = study_of(text, "s.toml", tmp_path)
    assert study.motions is not None
    assert [m.name for m in study.motions.motions] == ["a", "b", "a", "b"]
    assert len(set(study.motions.names)) == 4  # told apart in the table
    study = example(('records = ["default", "thirty-05a"]', 'suite = "thirty"'))
    assert study.motions is not None
    assert len(study.motions.motions) == 30


def test_what_is_to_be_known_before_it_runs() -> None:
    """Units with two meanings are named by their field, in the scenario and in the study's own tables."""
    text = default_text().replace('masses = "180 t"', 'masses = "180 tons"').replace('gap = "3 cm"', "gap = 30")
    tables = "\n".join(
        line.replace("[structures", "[scenario.structures").replace("[laws", "[scenario.laws")
        .replace("[[contacts", "[[scenario.contacts").replace("[motion]", "[scenario.motion]")
        for line in text.splitlines() if not line.startswith(("format", "title", "description"))
    )  # fmt: skip
    varied = '[parameters."structures.tower.masses"]\nvalues = ["240 t", "250 tons"]\n'
    study = study_of(f'title = "t"\n{varied}{tables}', "s.toml", Path())
    said = study.cautions
    assert len(said) == 3
    assert "`structures.annex.masses`: '180 tons' was taken in US short tons" in said[0]
    assert "`parameters.structures.tower.masses.values[2]`: '250 tons'" in said[1]
    assert "Did you mean 30 mm?" in said[2]


def test_unlikely_ends_of_parameters_and_motions() -> None:
    assert example().cautions == ()
    (said,) = example(('median = "2 cm"', "median = 20")).cautions
    assert said.startswith(
        "Unlikely: with gap = 20 the gap of 'left | right' is 20 m; usual are 0 to 1 m. Did you mean 20 mm?"
    )
    (said,) = example(("scales = [0.5, 1.0, 2.0]", "pga = [0.1, 0.4]")).cautions
    assert "peak ground acceleration of the strongest motion is 0.4 m/s² (0.041 g)" in said


MALFORMED = {
    "decimal comma": (
        [('median = "2 cm"', 'median = "2,5 cm"')],
        [("parameters.gap", '`parameters.gap` must be written without a comma, which may mean "2.5 cm" or "25 cm"')],
    ),
    "no title": ([('title = "Two neighbours"', "")], [("title", "must be given")]),
    "unknown path": ([('"contacts.0.gap"', '"contacts.0.gpa"')], [("parameters.gap", "contacts.0.gap")]),
    "unknown structure": (
        [('"structures.left.period"', '"structures.lefd.period"')], [("parameters.period", "structures.left.period")]
    ),
    "wrong unit": ([('median = "2 cm"', 'median = "2 kg"')], [("parameters.gap", "convertible to m")]),
    "unknown distribution": ([('"lognormal"', '"weibull"')], [("parameters.gap.distribution", "must be")]),
    "number lacking": ([("dispersion = 0.4", "")], [("parameters.gap", "needs `dispersion`")]),
    "number idle": ([("dispersion = 0.4", "dispersion = 0.4\nmode = 1")], [("parameters.gap", "does not take `mode`")]),
    "turned round": ([('low = "0.5 s"', 'low = "2 s"')], [("parameters.period.low", "must be below `high`")]),
    "two forms": ([("dispersion = 0.4", "dispersion = 0.4\nvalues = [0.1]")], [("parameters.gap", "one of")]),
    "no record": ([('"default", ', '"nowhere.at2", ')], [("motions.records", "nowhere.at2")]),
    "no motion": ([('"default", ', '"defautl", ')], [("motions", "default")]),
    "two scalings": ([("[0.5, 1.0, 2.0]", '[0.5]\npga = ["1 g"]')], [("motions", "one of `scales`, `pga` and `sa`")]),
    "negative scale": ([("[0.5, 1.0, 2.0]", "[-0.5]")], [("motions.scales[1]", "must be positive")]),
    "unknown output": ([('"impacts", ', '"impact", ')], [("outputs[3]", "must be")]),
    "scenario unsound": ([('gap = "2 cm"', 'gap = "2 t"')], [("scenario.contacts[1].gap", "convertible to m")]),
    "two at once": (
        [("samples = 6", 'samples = "six"'), ("seed = 7", "sede = 7")],
        [("sampler.samples", "whole number"), ("sampler.sede", "Did you mean `seed`?")],
    ),
    "correlated with whom": (
        [("[motions]", '[[correlations]]\nparameters = ["gap", "mass"]\nvalue = 0.5\n[motions]')],
        [("correlations", "Unknown parameter 'mass'")],
    ),
    "impossible correlation": (
        [("[motions]", '[[correlations]]\nparameters = ["gap", "period"]\nmatrix = [[1, 0.5], [0.4, 1]]\n[motions]')],
        [("correlations", "symmetric")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed(case: str) -> None:
    changes, expected = MALFORMED[case]
    with pytest.raises(ScenarioError) as caught:
        example(*changes)
    faults = {fault.field: fault.text for fault in caught.value.faults}
    for field, words in expected:
        assert field in faults, faults
        assert words in faults[field], faults[field]
    assert len(faults) == len(expected), faults
    assert all("\n" not in line for line in caught.value.lines)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no study"):
        read_study(tmp_path / "nowhere.toml")
    with pytest.raises(InputError, match="is a folder"):
        read_study(tmp_path)
    with pytest.raises(Same, match="must be TOML"):
        study_of("title = ", "s.toml", tmp_path)
    with pytest.raises(ScenarioError, match="must be a scenario file that is there"):
        study_of('title = "t"\nscenario = "nowhere.toml"', "s.toml", tmp_path)
    (tmp_path / "bad.toml").write_text("title = ")
    with pytest.raises(ScenarioError, match="must be TOML"):
        study_of('title = "t"\nscenario = "bad.toml"', "s.toml", tmp_path)


def test_a_scenario_file_beside_it(tmp_path: Path) -> None:
    body = STUDY[STUDY.index("[scenario.") :].replace("scenario.", "")
    (tmp_path / "neighbours.toml").write_text(f'title = "n"\n{body}')
    head = STUDY[: STUDY.index("[scenario.")].replace("outputs", 'scenario = "neighbours.toml"\noutputs')
    study = study_of(head, "s.toml", tmp_path)
    assert study.problem.names == ("left", "right")


def test_stars_and_fields_that_exclude_each_other() -> None:
    tables = {
        "structures": {"a": {"kind": "oscillator", "mass": 1.0, "stiffness": 4.0}},
        "laws": {"x": {"name": "hertz", "stiffness": 1.0}, "y": {"name": "hertz", "stiffness": 2.0}},
    }
    known = places_in(tables)
    assert [place.path for place in places_at(known, "law.*.stiffness")] == ["laws.x.stiffness", "laws.y.stiffness"]
    (period,) = places_at(known, "structure.a.period")
    assert with_changes(tables, [(period, 0.5)])["structures"]["a"] == {
        "kind": "oscillator",
        "mass": 1.0,
        "period": 0.5,
    }
    assert "period" not in tables["structures"]["a"]


FLOORS = """
title = "t"
[parameters.gap]
path = "PATH"
values = ["1 cm", "5 cm"]
"""
ROOM = "building-A floor 2 | building-B floor 2"


@pytest.mark.parametrize(
    ("path", "gap"),
    [
        ("contacts.building-A | building-B.gap", 0.05),  # the table of all facing floors
        ("contacts.*.gap", 0.05),
        (f"contacts.{ROOM}.gap", ["2 cm", 0.05, "2 cm"]),  # one of them
        ("contacts.0.gap.1", ["2 cm", 0.05, "2 cm"]),
        ("contacts.*floor 2*.gap", ["2 cm", 0.05, "2 cm"]),
    ],
)
def test_contacts_go_by_label_too(path: str, gap: object, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(scenario_text(Answers()))
    study = study_of(FLOORS.replace("PATH", path).replace("\n[", '\nscenario = "mine.toml"\n[', 1), "s.toml", tmp_path)
    ((place, value),) = study.parameters[0].at(study.parameters[0].values[1])
    assert with_changes(study.tables, [(place, value)])["contacts"][0]["gap"] == gap


def test_a_single_place_goes_by_its_label_in_results() -> None:
    single = 'left = {structure = "left", floor = 1}\nlabel = "roof"'
    roof = [('left = "left"', single), ("contacts.0.gap", "contacts.roof.gap")]
    assert example(*roof).parameters[0].places[0].path == "contacts.0.gap"
    assert example(("contacts.0.gap", "contacts.left | right.gap")).parameters[0].places[0].path == "contacts.0.gap"


def test_factors_multiply_what_the_scenario_says() -> None:
    study = example(('low = "0.5 s"\nhigh = "1 s"', "low = 0.5\nhigh = 1.5\nfactor = true"))
    ((place, value),) = study.parameters[1].at(1.5)
    assert (place.path, value) == ("structures.left.period", pytest.approx(0.9))


def test_the_published_schema_is_that_of_the_classes() -> None:
    published = (files("carom.scenario") / "carom-study.schema.json").read_text(encoding="utf-8")
    assert published == study_schema_text(), "run python -m carom.scenario.schema"
    assert json.loads(published)["properties"]["outputs"]["description"]


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "studies.md").read_text(encoding="utf-8")
    example = page.split("```toml\n")[1].split("```")[0]
    rubber = '[laws.rubber]\nname = "kelvin-voigt"\nstiffness = "100 kN/mm"\nrestitution = 0.4\n[[contacts]]'
    scenario = (files("carom.scenario") / "default.toml").read_text(encoding="utf-8").replace("[[contacts]]", rubber, 1)
    (tmp_path / "neighbours.toml").write_text(scenario, encoding="utf-8")
    study = study_of(example, "fragility.toml", tmp_path)
    assert [one.name for one in study.parameters] == ["gap", "stiffness", "law"]
    assert study.motions is not None
    assert study.motions.factors.shape == (30, 33)
    assert "fragility" in study.analyses


def test_a_scenario_is_told_from_a_study(tmp_path: Path) -> None:
    scenario, study = tmp_path / "one.toml", tmp_path / "many.toml"
    scenario.write_text(default_text())
    study.write_text('title = "Many"\nscenario = "one.toml"\n')
    with pytest.raises(InputError, match=r"one.toml is a scenario, not a study. `carom run one.toml` runs it"):
        read_study(scenario)
    with pytest.raises(InputError, match=r"many.toml is a study, not a scenario. `carom study many.toml` carries it"):
        read_scenario(study)


def test_a_gap_of_two_corners_is_one_of_each_floor() -> None:
    """A shorter list begins again at its end, as in facing slabs that turn: gaps of both corners, floor by floor."""
    third = Place(("contacts", 0, "gap"), "m", part=(2, 4))
    assert third.within([0.1, 0.2]) == 0.1
    assert third.put([0.1, 0.2], 0.5) == [0.1, 0.2, 0.5, 0.2]
    assert third.put([0.1, 0.2, 0.3, 0.4], 0.5) == [0.1, 0.2, 0.5, 0.4]
    assert third.put(0.1, 0.5) == [0.1, 0.1, 0.5, 0.1]
