"""`carom separation`, `ida`, `force-spectra`, `calibrate stiffness` and `laws`: the door, not the answers."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest

import carom
from carom.cli.app import main

SCENARIO = """
title = "Two neighbours"
[structures.left]
kind = "oscillator"
mass = "4600 kg"
period = "0.6 s"
damping_ratio = "5 %"
[structures.right]
kind = "oscillator"
mass = "3500 kg"
period = "0.3 s"
damping_ratio = "5 %"
[laws.pad]
name = "hertzdamp"
stiffness = "2e9 N/m^1.5"
restitution = 0.65
[[contacts]]
left = "left"
right = "right"
gap = "2 cm"
law = "pad"
[motion]
record = "default"
"""


@pytest.fixture
def scenario(tmp_path: Path) -> str:
    file = tmp_path / "neighbours.toml"
    file.write_text(SCENARIO, encoding="utf-8")
    return str(file)


def test_separation(scenario: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["separation", scenario, "default", "--json", "--out", str(tmp_path / "out")]) == 0
    found = json.loads(capsys.readouterr().out)
    (row,) = found["tables"]["separation-motions"]
    assert row["SRSS [m]"] == pytest.approx(math.hypot(row["peak a [m]"], row["peak b [m]"]))
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == sorted(found["files"])
    with (tmp_path / "out" / "separation-motions.csv").open(encoding="utf-8") as stream:
        assert float(next(csv.DictReader(stream))["gap needed [m]"]) == row["gap needed [m]"]
    assert main(["separation", scenario, "--scale", "0.5"]) == 0
    assert "absolute sum" in capsys.readouterr().out


def test_ida_and_force_spectra(scenario: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ida", scenario, "default", "--runs", "5", "--limit", "1e5", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["tables"]["ida-runs"]) == 5
    assert main(["force-spectra", scenario, "default", "--left", "0.2:0.6:2", "--right", "0.2:0.6:2"]) == 0
    assert "Mean peak force" in capsys.readouterr().out


def test_calibrate_stiffness_and_laws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    impact = ["--mass", "0.54", "--velocity", "0.5"]
    assert main(["calibrate", "stiffness", "--law", "hertz", "--peaks", "4600,4800", *impact, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["stiffness"] == pytest.approx((4700.0 / (1.25 * 0.54 * 0.25) ** 0.6) ** 2.5, rel=1e-8)
    assert found["interval"][0] < found["stiffness"] < found["interval"][1]
    hit = carom.impact(carom.law("flores-2011", stiffness=2e10, restitution=0.9), mass=0.54, velocity=0.5)
    time = np.linspace(0.0, 0.999 * hit.duration, 50)
    rows = [f"{t},{f}" for t, f in zip(time, hit.sample(time)["force"].values, strict=True)]
    file = tmp_path / "measured.csv"
    file.write_text("\n".join(["time,force", *rows]), encoding="utf-8")
    laws = ["--law", "hunt-crossley-1975", "--law", "flores-2011", "--restitution", "0.9"]
    assert main(["calibrate", "laws", str(file), *laws, *impact, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tables"]["calibration-laws"][0]["law"] == "flores-2011"


def test_bad_input_is_one_line(scenario: str, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        ["force-spectra", scenario, "--left", "1:0", "--right", "0.1:1:3"],
        ["force-spectra", scenario, "--left", "1:0.5:3", "--right", "0.1:1:3"],
        ["separation", scenario, "no-such-motion"],
        ["separation", scenario, "--contact", "7"],
        ["ida", scenario, "default", "--demand", "heat"],
        ["calibrate", "stiffness", "--law", "hertz", "--peaks", "many", "--mass", "1", "--velocity", "1"],
    ):
        assert main(arguments) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert len(told.err.strip().splitlines()) == 1


def test_a_scenario_needs_no_motion_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    still = tmp_path / "still.toml"
    still.write_text(SCENARIO.partition("[motion]")[0])
    assert main(["ida", str(still), "default", "--runs", "4"]) == 0
    assert "1 curve from 4 runs" in capsys.readouterr().out


def test_steady(scenario: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["steady", scenario, "--frequencies", "1:3:3", "--amplitude", "0.3 g"]
    assert main([*asked, "--json", "--out", str(tmp_path / "out")]) == 0
    said = json.loads(capsys.readouterr().out)
    assert "steady-impacts.csv" in said["files"]
    with (tmp_path / "out" / "steady-impacts.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["frequency [Hz]"]) for row in rows] == [1.0, 2.0, 3.0]
    assert main(asked) == 0
    assert "under a sine of 2.94" in capsys.readouterr().out


def test_decay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    t = np.linspace(0.0, 4.0, 801)
    x = 0.01 * np.exp(-0.1 * t) * np.cos(2.0 * math.pi * 2.0 * t)
    table = tmp_path / "swing.csv"
    table.write_text("time,top\n" + "\n".join(f"{a},{b}" for a, b in zip(t, x, strict=True)))
    assert main(["calibrate", "decay", str(table), "--column", "top", "--mass", "2 t"]) == 0
    said = capsys.readouterr().out
    assert "2.0001 Hz, damping ratio 0.796 %" in said
    assert "Stiffness 3.158" in said
    assert main(["calibrate", "decay", str(table), "--column", "roof"]) == 2
    assert "It has time, top." in capsys.readouterr().err
