"""`carom export`, `carom compare-opensees` and `carom new --from`."""

from __future__ import annotations

import ast
import importlib.util
import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

import carom
from carom.cli import main
from carom.scenario import read_scenario
from carom.scenario.reading import scenario_of
from carom.scenario.structures.matrices import written_out
from tests.scenario.malformed import SOUND

ETABS = """Story,Elevation,Mass,Stiffness
,m,t,kN/m
S2,7,180,210000
S1,3.5,200,300000
"""
TURNING = """Story,Elevation,Mass,Kx,Ky,Torsional Stiffness,Width,Depth
,m,t,kN/m,kN/m,kN-m,m,m
S2,7,180,210000,200000,2e7,12,18
S1,3.5,200,300000,280000,2e7,12,18
"""
SCRIPT = """
import openseespy.opensees as ops
ops.model("basic", "-ndm", 2, "-ndf", 3)
ops.geomTransf("Linear", 1)
ops.node(1, 0.0, 0.0); ops.node(2, 0.0, 3.5, "-mass", 20.0, 20.0, 0.0)
ops.fix(1, 1, 1, 1)
ops.element("elasticBeamColumn", 1, 1, 2, 0.01, 2e8, 1e-4, 1)
"""
needs_opensees = pytest.mark.skipif(
    importlib.util.find_spec("openseespy") is None, reason="openseespy is not installed"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sound.toml").write_text(SOUND, encoding="utf-8")
    (tmp_path / "storeys.csv").write_text(ETABS)
    (tmp_path / "turning.csv").write_text(TURNING)
    (tmp_path / "post.py").write_text(SCRIPT)
    return tmp_path


@pytest.mark.parametrize(("to", "ending"), [("opensees", "py"), ("mat", "mat"), ("csv", "csv"), ("vtkhdf", "vtkhdf")])
def test_export(folder, capsys, to, ending):
    assert main(["export", "sound.toml", "--to", to, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["file"] == f"sound.{ending}"
    content = (folder / f"sound.{ending}").read_bytes()
    assert said["bytes"] == len(content) > 1000
    if to == "opensees":
        assert any("end of the step" in remark for remark in said["remarks"])
        ast.parse(content.decode())
    assert main(["export", "sound.toml", "--to", to]) == 2
    assert "exists. Name another file with --out, or pass --overwrite" in capsys.readouterr().err


def test_export_refuses(folder, capsys):
    assert main(["export", "sound.toml", "--to", "ansys"]) == 2
    assert "`to` of export must be one of opensees, mat, csv, vtkhdf" in capsys.readouterr().err
    assert main(["export", "sound.toml", "--to", "mat", "--dt", "1 ms"]) == 2
    assert "step of OpenSees" in capsys.readouterr().err


@needs_opensees
def test_compare_opensees(folder, capsys):
    (folder / "short.toml").write_text(SOUND.replace('end = "10 s"', 'end = "3 s"'), encoding="utf-8")
    assert main(["compare-opensees", "short.toml", "--dt", "1 ms", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["agrees"]
    assert said["steps"][1] == pytest.approx(said["steps"][0] / 2)
    assert {path.name for path in (folder / "opensees").iterdir()} == {
        "comparison.csv", "comparison.pdf", "comparison.png", "opensees.py",
    }  # fmt: skip
    assert len((folder / "opensees" / "comparison.csv").read_text().splitlines()) == 1 + len(said["rows"])


def test_compare_opensees_where_it_is_not_installed(folder, capsys, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["compare-opensees", "sound.toml"]) == 2
    assert "OpenSees is not installed here: pip install 'carom[opensees]'" in capsys.readouterr().err


def test_new_from_a_table_of_storeys(folder, capsys):
    assert main(["new", "a.toml", "--from", "storeys.csv", "--from", "storeys.csv"]) == 0
    problem = read_scenario("a.toml").problem
    assert [type(one).__name__ for one in problem.structures] == ["ShearBuilding"] * 2
    assert problem.names == ("storeys", "storeys-2")
    assert problem.structures[0].stiffnesses == (3e8, 2.1e8)
    assert len(problem.pairs) == 2


def test_new_from_tables_of_buildings_that_turn(folder, capsys):
    assert main(["new", "a.toml", "--from", "turning.csv", "--from", "turning.csv"]) == 0
    problem = read_scenario("a.toml").problem
    assert [one.origin for one in problem.structures] == [(0.0, 0.0), (12.02, 0.0)]
    assert problem.flat().gap == pytest.approx(np.full(len(problem.pairs), 0.02))
    assert main(["new", "b.toml", "--from", "turning.csv", "--direction", "x"]) == 0
    assert read_scenario("b.toml").problem.names == ("turning", "neighbour")


def test_new_from_matrices(folder, capsys):
    pier = carom.Structure(
        [2e5, 3e5], [[9e8, -1e8], [-1e8, 5e8]], damping=1e-3 * np.array([[9e8, -1e8], [-1e8, 5e8]]),
        dofs=["low", "top"],
        points={"cap": carom.Point((0, 0, 6), x="top"), "waist": carom.Point((0, 0, 3), x="low")}, name="pier",
    )  # fmt: skip
    carom.save_matrices(pier, "pier.npz")
    assert main(["new", "a.toml", "--from", "pier.npz", "--from", "storeys.csv"]) == 0
    problem = read_scenario("a.toml").problem
    assert problem.structures[0].frequencies == pytest.approx(pier.frequencies)
    assert problem.structures[0].damping_matrix == pytest.approx(pier.damping_matrix)
    assert problem.flat().contact_labels == ("pier cap along x | storeys floor 2",)


@needs_opensees
def test_new_from_a_script(folder, capsys):
    assert main(["new", "a.toml", "--from", "post.py", "--units", "force=kN, length=m"]) == 0
    post = read_scenario("a.toml").problem.structures[0]
    assert post.mass_matrix == pytest.approx(np.diag([2e4, 2e4]))
    assert post.stiffness_matrix[0, 0] == pytest.approx(3 * 2e11 * 1e-4 / 3.5**3)
    assert post.damping_ratio == 0.05
    assert main(["new", "b.toml", "--from", "post.py"]) == 2
    assert "post.npz exists. Pass --overwrite" in capsys.readouterr().err


@needs_opensees
def test_new_from_several_kinds_of_files_gives_each_its_units(folder, capsys):
    """Forces to the script, masses and stiffnesses to the table, lengths to both."""
    Path("plain.csv").write_text("Story,Elevation,Mass X,Stiff X\nRoof,3.5,200,300000\n")
    units = "force=kN, length=m, mass=t, stiffness=kN/m"
    files = ["--from", "post.py", "--from", "plain.csv", "--direction", "x"]
    assert main(["new", "a.toml", *files, "--units", units]) == 0
    post, table = read_scenario("a.toml").problem.structures
    assert post.mass_matrix == pytest.approx(np.diag([2e4, 2e4]))
    assert (table.masses, table.stiffnesses) == ((2e5,), (3e8,))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--from", "nothing.csv"], "must be a file .csv (tables of storeys), .npz (matrices) or .py"),
        (["--from", "sound.toml"], "must be a file .csv"),
        (["--from", "storeys.csv", "--units", "m"], 'must be such as "mass=t, stiffness=kN/m, length=m"'),
        (["--from", "post.py", "--units", "mass=t"], "must be those of force and length"),
        (["--from", "storeys.csv", "--torsion"], "must not stand beside --torsion"),
        (["--units", "mass=t"], "must name a file beside --units"),
    ],
)
def test_new_from_refuses(folder, capsys, arguments, message):
    assert main(["new", "x.toml", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not (folder / "x.toml").exists()


def test_scenarios_say_what_is_wrong_with_a_table(folder, capsys):
    main(["new", "a.toml", "--from", "storeys.csv"])
    text = (folder / "a.toml").read_text()
    for old, new, message in (
        ('file = "storeys.csv"', 'file = "nothing.csv"', "must be a CSV file"),
        ('file = "storeys.csv"', 'file = "storeys.csv"\ndirection = "z"', "direction"),
        ('file = "storeys.csv"', 'file = "storeys.csv"\norigin = [1, 2]', "is for buildings that turn"),
        ('file = "storeys.csv"', 'file = "storeys.csv"\nunits = {speed = "m/s"}', "speed"),
    ):
        (folder / "b.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
        assert main(["check", "b.toml"]) == 2
        assert message in capsys.readouterr().err


@pytest.mark.parametrize("table", ["storeys", "turning"])
def test_a_study_keeps_the_building_itself(folder, table):
    main(["new", "a.toml", "--from", f"{table}.csv"])
    tables = tomllib.loads((folder / "a.toml").read_text())
    given = read_scenario("a.toml").problem.structures[0]
    whole = written_out(tables, folder)
    (folder / f"{table}.csv").unlink()
    assert scenario_of(whole, "a.toml", folder).problem.structures[0].frequencies == pytest.approx(given.frequencies)


def test_matrices_keep_all_of_a_structure(tmp_path):
    given = carom.Structure(
        [2.0, 3.0], [[9.0, -1.0], [-1.0, 5.0]], damping_ratio=[0.02, 0.05], influence=[[1, 0, 0], [0, 1, 0]],
        load=[1.0, -2.0], dofs=["east", "north"], dashpots=[(("east", "north"), 0.3)],
        points={"tip": carom.Point((1, 2, 3), x={"east": 0.5}, y="north")}, outputs={"drift": {"east": 1, "north": -1}},
    )  # fmt: skip
    carom.save_matrices(given, tmp_path / "model.npz")
    found = carom.read_matrices(tmp_path / "model.npz")
    for what in ("mass_matrix", "stiffness_matrix", "damping_matrix", "influence", "load"):
        assert getattr(found, what) == pytest.approx(getattr(given, what), rel=1e-14), what
    assert found.dof_names == given.dof_names
    assert found.points["tip"].position == (1.0, 2.0, 3.0)
    assert np.array_equal(found.points["tip"].rows, given.points["tip"].rows)
    assert np.array_equal(found.outputs["drift"], given.outputs["drift"])
    with pytest.raises(carom.InputError, match="must be left out: the file has its damping"):
        carom.read_matrices(tmp_path / "model.npz", damping_ratio=0.05)
    with pytest.raises(carom.InputError, match=r"must be a file \.npz"):
        carom.save_matrices(given, tmp_path / "model.mat")
    with pytest.raises(carom.InputError, match="must have masses that move"):
        carom.save_matrices(carom.Ground(), tmp_path / "ground.npz")
    hinge = carom.Oscillator(mass=1.0, stiffness=1.0, spring=carom.Bilinear(0.01, 0.1))
    with pytest.raises(carom.InputError, match="must be linear"):
        carom.save_matrices(hinge, tmp_path / "hinge.npz")
