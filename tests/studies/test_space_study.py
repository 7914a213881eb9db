"""Studies of structures in space: corners' gaps and eccentricities vary by path, arrays of a file are kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import carom
from carom.motions.synthetic import harmonic
from carom.scenario import ScenarioError
from carom.scenario.reading import read_scenario
from carom.scenario.studies.reading import study_of
from carom.studies.drive import _planned, run_study
from carom.studies.outputs import Outputs
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


OWN = 'motion = {x = {harmonic = {frequency = "1.8 Hz", amplitude = "0.5 g", duration = "6 s"}}}\n'
ALONG_Y = '\n[motion.y]\nrecord = "default"\nfactor = 0.7\nend = "6 s"\n'
SETS = """
[motions]
scales = [0.5, 1.6]
period = "0.5 s"
records = ["default"]
[[motions.components]]
x = "thirty-05b"
y = "default"
[[motions.components]]
y = "thirty-05b"
[run]
duration = "6 s"
rtol = 1e-7
"""


def test_a_study_shakes_as_its_scenario_does(tmp_path: Path) -> None:
    """Along x and y, without motions of its own: each run is that of the scenario's problem."""
    text = PAIR.replace("[motion]\n", "[motion.x]\n") + ALONG_Y
    (tmp_path / "pair.toml").write_text(text, encoding="utf-8")
    study = study_of(STUDY + "[run]\nrtol = 1e-8\n", "study.toml", tmp_path)
    columns = run_study(study, tmp_path / "out").columns()
    base = read_scenario(tmp_path / "pair.toml").problem
    assert all(support.y is not None for support in base.supports)
    west = base.structure("west")
    for sample, off in enumerate((0.0, 0.05, 0.1)):
        gaps = [(0.01, 0.02, 0.03)[sample], 0.01]
        contact = base.contacts[0].replace(gap=tuple(gaps))
        alone = base.replace(structures=(west.replace(accidental_y=off), base.structure("east")), contacts=[contact])
        run = carom.simulate(alone, rtol=1e-8)
        at = int(np.flatnonzero(np.asarray(columns["sample"]) == sample)[0])
        assert columns["impacts"][at] == run.impact_count > 0
        assert columns["peak_force"][at] == pytest.approx(run.table["peak_force"].max(), rel=1e-4)


def test_motions_of_several_components(tmp_path: Path) -> None:
    """A motion along x, one along x and y, one along y, by two factors: each as a run alone."""
    (tmp_path / "pair.toml").write_text(PAIR, encoding="utf-8")
    for kept in ('["displacement", "impacts", "peak_force"]', '["opening", "impacts", "peak_force"]'):
        study = study_of(STUDY.replace('["displacement", "impacts", "peak_force"]', kept) + SETS, "s.toml", tmp_path)
        columns = run_study(study, tmp_path / kept[2:7]).columns()
        default, other = (motion_of(name) for name in ("default", "thirty-05b"))
        grounds = [{"x": default}, {"x": other, "y": default}, {"y": other}]
        base = study.problem
        for run in range(len(columns["run"])):
            motion, factor = int(columns["run"][run]) // 6, (0.5, 1.6)[int(columns["run"][run]) % 2]
            sample = int(columns["sample"][run])
            west = base.structure("west").replace(accidental_y=(0.0, 0.05, 0.1)[sample])
            contact = base.contacts[0].replace(gap=((0.01, 0.02, 0.03)[sample], 0.01))
            ground = {axis: one.scaled(factor=factor) for axis, one in grounds[motion].items()}
            alone = base.replace(structures=(west, base.structure("east")), contacts=[contact], motion=ground)
            found = carom.simulate(alone, duration=6.0, rtol=1e-7)
            assert abs(columns["impacts"][run] - found.impact_count) <= 1  # a touch without force
            largest = found.table["peak_force"].max(initial=0.0)
            assert columns["peak_force"][run] == pytest.approx(largest, rel=1e-4)
            strongest = max(one.pga for one in grounds[motion].values())
            assert columns["pga"][run] == pytest.approx(factor * strongest)
            level = [one.sa(0.5) for one in grounds[motion].values()]
            assert columns["sa"][run] == pytest.approx(factor * np.prod(level) ** (1 / len(level)))


def motion_of(name: str) -> carom.Motion:
    return (
        carom.motions.get(name)
        if name == "default"
        else next(one for one in carom.motions.suite("thirty") if one.name == name)
    )


def test_components_that_cannot_be(tmp_path: Path) -> None:
    text = PAIR.replace("[motion]\n", "[motion.x]\n") + ALONG_Y
    (tmp_path / "pair.toml").write_text(text, encoding="utf-8")
    (tmp_path / "own.toml").write_text(
        PAIR.replace('kind = "torsional-building"', 'motion = {record = "default"}\nkind = "torsional-building"', 1),
        encoding="utf-8",
    )
    bare = STUDY.replace('scenario = "pair.toml"', 'scenario = "own.toml"')
    for study, told in (
        (bare + '[motions]\nrecords = ["default"]\n', "must not name motions where a structure has its own"),
        (STUDY + "[[motions.components]]\n", "`components` of motions must name a motion along x, y or z"),
        (STUDY + '[[motions.components]]\nx = "nowhere.AT2"\n', "must be in"),
        (STUDY + '[[motions.components]]\nw = "default"\n', "motions.components"),
    ):
        with pytest.raises(ScenarioError) as caught:
            study_of(study, "study.toml", tmp_path)
        assert told in str(caught.value)


@pytest.mark.parametrize("common", [True, False])
def test_a_motion_under_one_structure_alone(common: bool, tmp_path: Path) -> None:
    """The study shakes each structure as the scenario says, all supports by one factor; or the others are at rest."""
    text = PAIR.replace('kind = "torsional-building"', OWN + 'kind = "torsional-building"', 1)
    text = text if common else text[: text.index("[motion]")]
    (tmp_path / "pair.toml").write_text(text, encoding="utf-8")
    study = study_of(STUDY + "[motions]\nscales = [0.5, 1.6]\n[run]\nrtol = 1e-8\n", "study.toml", tmp_path)
    columns = run_study(study, tmp_path / "out").columns()
    base = read_scenario(tmp_path / "pair.toml").problem
    shaken = [support for support in base.supports if support.motions]
    assert len(shaken) == (2 if common else 1)
    beside = motion_of("default").trimmed(end=6.0).scaled(pga="0.8 g")
    own = harmonic("1.8 Hz", "0.5 g", duration=6.0, dt=1.0 / 180.0)
    assert columns["pga"][0] == pytest.approx(0.5 * max(own.pga, beside.pga if common else 0.0))
    for run, sample in enumerate(columns["sample"]):
        west = base.structure("west").replace(accidental_y=(0.0, 0.05, 0.1)[sample])
        contact = base.contacts[0].replace(gap=((0.01, 0.02, 0.03)[sample], 0.01))
        factor = columns["scale"][run]
        ground = {"west": {"x": own.scaled(factor=factor)}, "east": beside.scaled(factor=factor) if common else None}
        alone = base.replace(structures=(west, base.structure("east")), contacts=[contact], motion=ground)
        found = carom.simulate(alone, rtol=1e-8)
        assert columns["peak_force"][run] == pytest.approx(found.table["peak_force"].max(initial=0.0), rel=1e-4)
    assert columns["peak_force"].max() > 0.0


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


def test_a_damper_s_constant_varies(tmp_path: Path) -> None:
    """Run by run, since ensembles take no dampers: each as it is stated by hand."""
    damper = """
[[dampers]]
left = {structure = "west", floor = 1, corner = "ne", direction = "x"}
right = {structure = "east", floor = 1, corner = "nw"}
constant = "1 MN*s/m"
"""
    (tmp_path / "pair.toml").write_text(PAIR + damper, encoding="utf-8")
    text = """
title = "Dampers"
scenario = "pair.toml"
outputs = ["displacement", "peak_force"]
[parameters.c]
path = "dampers.0.constant"
values = ["0.5 MN*s/m", "4 MN*s/m"]
[run]
rtol = 1e-7
"""
    columns = run_study(study_of(text, "study.toml", tmp_path), tmp_path / "out").columns()
    base = read_scenario(tmp_path / "pair.toml").problem
    assert [one.constant for one in base.dampers] == [1e6]
    moved = []
    for at in range(2):
        constant = float(columns["c"][at])
        damper_made = carom.Damper(("west", (1, "ne"), "x"), ("east", (1, "nw")), constant)
        run = carom.simulate(base.replace(dampers=[damper_made]), rtol=1e-7)
        translations = [run.dofs.index(f"west floor 1 {way}") for way in ("ux", "uy")]
        moved.append(float(run.extremes[translations, 0].max()))
        assert columns["displacement.west"][at] == pytest.approx(moved[-1], rel=1e-4)
    assert moved[0] != pytest.approx(moved[1], rel=0.01)


def test_peaks_of_a_frame_leave_rotations_out() -> None:
    """Nodes that turn have rad/s², and of a large frame places that are kept stand for all."""
    frame = carom.Frame.moment_frame(
        storeys=[3.0, 3.0], bays=[5.0], rows=[4.0], columns=carom.Section.steel("HEB 200"), slab=500.0,
        beams=carom.Section.steel("IPE 300"), material=carom.Material.steel(), damping_ratio=0.03, name="frame",
    )  # fmt: skip
    wall = carom.Wall(name="wall")
    contact = carom.Contact(("frame", "1-0-2", "x"), "wall", gap=0.01, law=carom.law("hertz", stiffness=1e9))
    motion = motion_of("default").trimmed(0.0, 4.0)
    problem = carom.Problem([frame, wall], [contact], motion=motion, outputs=[("frame", ("shear", 1), "x")])
    large = problem.replace(structures=[frame.replace(outputs=["1-0-2"]), wall])
    for one in (problem, large):
        run = carom.simulate(one)
        found, _ = Outputs(one, ("acceleration", "displacement")).of_run(run, one.flat().gap, None)
        left_out = (" rx", " ry", " rz", "shear 1 along x", *(["1-0-2 along x"] if one is problem else []))
        shifts = [k for k, name in enumerate(run.dofs) if not name.endswith(left_out)]
        assert found["acceleration.frame"] == run.extremes[shifts, 2].max()
        assert found["displacement.frame"] == run.extremes[shifts, 0].max() < 1.0
    turning = [k for k, name in enumerate(carom.simulate(problem).dofs) if name.endswith(" ry")]
    assert carom.simulate(problem).extremes[turning, 2].max() > 0.0
