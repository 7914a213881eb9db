"""`carom doctor`: what it finds, and what it says of what it does not find."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from carom.backends.numba import cache_folder
from carom.cli import doctor, main


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["libraries"]["numba"] == version("numba")
    assert found["missing"] == []
    assert found["cache"]["folder"] == str(cache_folder())
    assert {one["extra"] for one in found["features"]} >= {"records", "gpu-cu12", "study", "app", "opensees"}
    for one in found["features"]:
        assert one["for"]
        assert one["ready"] == (one["install"] == "")


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    for word in ("carom", "python", "compiled kernels", "GPU", "Optional features", "records"):
        assert word in said


def test_kernels_of_the_cache() -> None:
    assert doctor._kernel(Path("pound_runs-8b4b60b17e3cd361.cpu")) == "pound_runs"


def test_a_library_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known = doctor._version
    monkeypatch.setattr(doctor, "_version", lambda name: None if name == "jinja2" else known(name))
    assert main(["doctor"]) == 1
    assert "Missing: jinja2" in capsys.readouterr().out
