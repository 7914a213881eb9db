"""The number of a file's format: none is today's, a larger one is said before all else."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from carom.cli import main
from carom.errors import InputError
from carom.scenario.reading import default_scenario, default_text, read_scenario, scenario_of
from carom.scenario.studies.reading import study_of
from tests.studies.example import changed

NEWER = r"was written for a newer carom \(format 2; this one reads up to 1\)\. Update carom\."


def test_what_is_written_says_its_format(tmp_path: Path) -> None:
    assert main(["new", str(tmp_path / "mine.toml"), "--no-schema"]) == 0
    assert main(["study", "new", str(tmp_path / "study.toml"), "--no-schema"]) == 0
    for name in ("mine.toml", "study.toml"):
        assert tomllib.loads((tmp_path / name).read_text(encoding="utf-8"))["format"] == 1
    assert tomllib.loads(default_text())["format"] == 1


def test_a_file_without_one_is_of_today(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text(default_text().replace("format = 1\n", ""), encoding="utf-8")
    assert read_scenario(path).title == default_scenario().title


def test_a_newer_one_is_said_before_its_fields_are_unknown() -> None:
    tables = {**tomllib.loads(default_text()), "format": 2, "weather": "fine"}
    with pytest.raises(InputError, match=f"s.toml {NEWER}"):
        scenario_of(tables, "s.toml", Path())
    with pytest.raises(InputError, match=f"s.toml {NEWER}"):
        study_of(f'format = 2\nweather = "fine"\n{changed()}', "s.toml", Path())
    with pytest.raises(InputError, match=NEWER):
        study_of(f"{changed()}\n[scenario]\nformat = 2\n", "s.toml", Path())


@pytest.mark.parametrize("given", ["0", "-1", "1.5", '"1"', "[]"])
def test_what_is_no_format(given: str) -> None:
    with pytest.raises(InputError, match=r"`format` must be 1\. Got"):
        study_of(f"format = {given}\n{changed()}", "s.toml", Path())


def test_a_format_that_is_said_later_changes_no_study() -> None:
    assert study_of(f"format = 1\n{changed()}", "s", Path()).as_dict() == study_of(changed(), "s", Path()).as_dict()
    inner = study_of(f"{changed()}\n[scenario]\nformat = 1\n", "s", Path())
    assert inner.as_dict() == study_of(changed(), "s", Path()).as_dict()
