"""Units wherever the command line takes a number, and commas between numbers only where a list is asked for."""

from __future__ import annotations

import json
import re

import pytest

from carom.cli import main

IMPACT = ["impact", "--law", "hertz", "--stiffness", "2e9", "--json"]


def told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert main(arguments) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize(
    ("plain", "worded"),
    [
        (["--mass", "1500", "--velocity", "0.35"], ["--mass", "1.5 t", "--velocity", "35 cm/s"]),
        (["--masses", "4600,3500", "--velocity", "0.5"], ["--masses", "4.6 t, 3.5 t", "--velocity", "0.5 m/s"]),
        (
            ["--mass", "2", "--drop", "0.05", "--gravity", "9.80665"],
            ["--mass", "2 kg", "--drop", "5 cm", "--gravity", "1 g"],
        ),
    ],
)
def test_impact_with_units(plain: list[str], worded: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    one, two = (told([*IMPACT, *arguments], capsys) for arguments in (plain, worded))
    for name in ("peak_force", "peak_overlap", "duration"):
        assert one[name] == pytest.approx(two[name], rel=1e-12)


def test_motion_spectrum_with_units(capsys: pytest.CaptureFixture[str]) -> None:
    plain = ["motion", "spectrum", "default", "--period", "0.2", "--damping", "0.02", "--json"]
    worded = ["motion", "spectrum", "default", "--period", "200 ms", "--damping", "2 %", "--json"]
    assert told(plain, capsys) == told(worded, capsys)


def test_calibrate_stiffness_with_units(capsys: pytest.CaptureFixture[str]) -> None:
    start = ["calibrate", "stiffness", "--law", "hertz", "--json"]
    plain = [*start, "--peaks", "4600,4800", "--mass", "0.54", "--velocity", "0.5", "--error", "50"]
    worded = [*start, "--peaks", "4.6 kN, 4.8 kN", "--mass", "540 g", "--velocity", "50 cm/s", "--error", "50 N"]
    one, two = (told(arguments, capsys) for arguments in (plain, worded))
    assert one["stiffness"] == pytest.approx(two["stiffness"], rel=1e-9)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([*IMPACT, "--mass", "1,5 t", "--velocity", "0.5"], 'may mean "1.5 t" or "15 t"'),
        ([*IMPACT, "--mass", "2", "--velocity", "0,5"], 'may mean "0.5" or "5"'),
        ([*IMPACT, "--masses", "1,5 t", "--velocity", "0.5"], "each with its unit or none with one"),
        ([*IMPACT, "--mass", "1", "--velocity", "1", "--rtol", "1,5"], "without a comma"),
        (["motion", "spectrum", "default", "--period", "0,2"], 'may mean "0.2" or "2"'),
        (["motion", "spectrum", "default", "--damping", "0,05"], 'may mean "0.05" or "5"'),
        (["motion", "convert", "default", "--out", "x.csv", "--to-dt", "0,01"], 'may mean "0.01" or "1"'),
        (["motion", "convert", "default", "--out", "x.csv", "--pga", "0,3 g"], 'may mean "0.3 g" or "3 g"'),
        (["new", "never.toml", "--restitution", "0,65"], 'may mean "0.65" or "65"'),
        (["new", "never.toml", "--gap", "3,5 cm"], 'may mean "3.5 cm" or "35 cm"'),
        (["new", "never.toml", "--pga", "0,4 g"], 'may mean "0.4 g" or "4 g"'),
        (
            ["calibrate", "stiffness", "--law", "hertz", "--peaks", "4,6 kN", "--mass", "1", "--velocity", "1"],
            "each with its unit or none with one",
        ),
    ],
)
def test_commas_are_refused_with_their_readings(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.strip().splitlines()) == 1
    assert re.search(re.escape(words), captured.err)


def test_spectra_damped_in_per_cent_are_cautioned(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["motion", "spectrum", "default", "--period", "0.5", "--damping", "5"]) == 0
    assert "damping ratio of spectrum is 5 (500 %); usual are 0 to 30 %. Did you mean 5 %?" in capsys.readouterr().err
