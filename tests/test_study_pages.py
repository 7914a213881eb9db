"""Studies that the pages print as TOML are carried out as printed, with fewer samples where there are thousands."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from typer.testing import CliRunner

import carom
from carom.cli.app import app
from carom.motions import suite, write_motion
from carom.scenario.reading import default_text
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
