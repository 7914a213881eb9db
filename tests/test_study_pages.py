"""Studies that the pages print as TOML are carried out as printed, with fewer samples where there are thousands."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from typer.testing import CliRunner

import carom
from carom.cli.app import app
from carom.motions import suite, write_motion
from carom.scenario.reading import default_text, read_scenario
from carom.scenario.studies.reading import study_of

DOCS = Path(__file__).parents[1] / "docs"
RUBBER = '[laws.rubber]\nname = "kelvin-voigt"\nstiffness = "100 kN/mm"\nrestitution = 0.4\n[[contacts]]'


def tables(page: str) -> list[str]:
    return re.findall(r"^```toml\n(.*?)^```", (DOCS / page).read_text(encoding="utf-8"), flags=re.M | re.S)


def changed(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def test_the_study_of_the_page_of_studies(tmp_path: Path) -> None:
    example, components = tables("studies.md")
    scenario = default_text().replace("[[contacts]]", RUBBER, 1)
    (tmp_path / "neighbours.toml").write_text(scenario, encoding="utf-8")
    few = changed(example, ("samples = 1000", "samples = 2"), ("count = 33", "count = 2"))
    study = study_of(few, "fragility.toml", tmp_path)
    columns = carom.run_study(study, tmp_path / "out").columns()
    assert len(columns["run"]) == 2 * 30 * 2
    assert np.isfinite(columns["peak_force"]).all()
    named = re.findall(r'"(.*\.AT2)"', components)
    for name, motion in zip(named, suite("thirty"), strict=False):
        write_motion(motion.trimmed(0.0, 8.0), tmp_path / name)
    few = changed(few, ('suite = "thirty"', ""), ("samples = 2", "samples = 1"), ("\n[run]", f"\n{components}\n[run]"))
    few = few[: few.index("[analyses")]
    columns = carom.run_study(study_of(few, "fragility.toml", tmp_path), tmp_path / "components").columns()
    assert len(columns["run"]) == 2


def test_the_study_of_the_page_of_bridges(tmp_path: Path) -> None:
    (example,) = tables("bridges.md")
    made = CliRunner().invoke(app, ["new", str(tmp_path / "bridge.toml"), "--bridge"])
    assert made.exit_code == 0, made.output
    few = changed(
        example, ('["0 deg", "20 deg", "40 deg"]', '["20 deg"]'), ('["20 cm", "40 cm", "60 cm"]', '["1 cm", "40 cm"]')
    )
    few = f'title = "Seats"\nscenario = "bridge.toml"\n{few}[run]\nduration = "4 s"\n'
    study = study_of(few, "seats.toml", tmp_path)
    columns = carom.run_study(study, tmp_path / "out").columns()
    assert len(columns["run"]) == 2
    assert set(np.unique(columns["unseated"])) <= {0.0, 1.0}


def test_the_few_modes_of_the_page_of_frames(tmp_path: Path) -> None:
    (example,) = tables("frames.md")
    made = CliRunner().invoke(app, ["new", str(tmp_path / "frame.toml"), "--frame"])
    assert made.exit_code == 0, made.output
    whole = read_scenario(tmp_path / "frame.toml").problem
    text = (tmp_path / "frame.toml").read_text(encoding="utf-8")
    (tmp_path / "few.toml").write_text(f"{text}\n{example}", encoding="utf-8")
    few = read_scenario(tmp_path / "few.toml").problem
    assert 0 < few.flat().omega.size < whole.flat().omega.size


def test_the_files_of_the_page_of_models(tmp_path: Path) -> None:
    (example,) = tables("models.md")
    tower = carom.ShearBuilding(masses=[2e5] * 3, stiffnesses=[3e8] * 3, damping_ratio=0.05)
    carom.save_matrices(tower, tmp_path / "tower.npz")
    annex = "Storey,Elevation,Mass,Stiff X\n2,7,200,260000\n1,3.5,200,300000\n"
    (tmp_path / "annex.csv").write_text(annex, encoding="utf-8")
    text = f'title = "Two files"\n{example}\n[motion]\nrecord = "default"\n'
    (tmp_path / "scenario.toml").write_text(text, encoding="utf-8")
    read = read_scenario(tmp_path / "scenario.toml").problem.structures
    assert [structure.name for structure in read] == ["tower", "annex"]
    np.testing.assert_allclose(read[0].frequencies, tower.frequencies, rtol=1e-12)
    assert read[1].masses == (2e5, 2e5)
