"""The command line as a person and as a program use it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import carom
from carom.cli import main

IMPACT = ["impact", "--law", "hertzdamp", "--stiffness", "2.46e10", "--restitution", "0.955", "--mass", "0.54"]


def test_impact_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*IMPACT, "--velocity", "0.5", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert list(data) == ["law", "peak_force", "peak_overlap", "duration", "restitution", "energy_lost", "status",
                          "notes"]  # fmt: skip
    assert data["law"] == "lankarani-nikravesh-1990"
    assert data["peak_force"] == pytest.approx(4811.9, abs=0.1)
    assert data["status"] == "separated"


def test_impact_that_never_ends_has_null(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["impact", "--law", "kv", "--stiffness", "1e3", "--restitution", "0.1", "--mass", "10"]
    assert main([*arguments, "--velocity", "0.1", "--gravity", "9.81", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["duration"] is None
    assert data["status"] == "held"


def test_impact_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*IMPACT, "--drop", "1 cm", "--calibrate"]) == 0
    out = capsys.readouterr().out
    assert "0.955000" in out
    assert "kN" in out
    assert "asked for 0.955" in out


def test_laws_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["laws", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)["laws"]
    assert len(entries) >= 22
    for entry in entries:
        assert list(entry) == ["name", "aliases", "n", "m", "damping", "source", "tension"]
    by_name = {entry["name"]: entry for entry in entries}
    assert by_name["kelvin-voigt"]["tension"] is True
    assert by_name["flores-2011"]["tension"] is False
    assert by_name["hertz"]["m"] is None
    assert "hertzdamp" in by_name["lankarani-nikravesh-1990"]["aliases"]


@pytest.mark.parametrize("name", ["kelvin-voigt", "ristow-1992", "hertz", "Zhang Sharf 2004"])
def test_one_law(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["laws", name]) == 0
    out = capsys.readouterr().out
    assert "Source" in out
    assert "Parameters" in out
    assert main(["laws", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["formula"].startswith("F = ")


def test_catalogue(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["laws"]) == 0
    out = capsys.readouterr().out
    assert "zhiying-qishao-2006" in out
    assert max(len(line.rstrip()) for line in out.splitlines()) <= 140


BAD = [
    ["impact", "--law", "hertz", "--stiffness", "abc", "--mass", "1", "--velocity", "1"],
    ["impact", "--law", "herz", "--stiffness", "1", "--mass", "1", "--velocity", "1"],
    ["impact", "--law", "hertz", "--stiffness", "-1", "--mass", "1", "--velocity", "1"],
    ["impact", "--law", "hertz", "--stiffness", "1e9", "--mass", "nan", "--velocity", "1"],
    ["impact", "--law", "hertz", "--stiffness", "1e9", "--velocity", "1"],
    ["impact", "--law", "hertz", "--mass", "1", "--velocity", "1"],
    ["impact", "--law", "hertz", "--stiffness", "1e9", "--masses", "1,2,3", "--velocity", "1"],
    ["impact", "--law", "flores", "--stiffness", "1e9", "--restitution", "1.3", "--mass", "1", "--velocity", "1"],
    ["impact", "--law", "flores", "--stiffness", "1e9", "--restitution", "0.5", "--mass", "1", "--rtol", "x"],
    ["impact"],
    ["laws", "nonsense"],
    ["nonsense"],
    ["impact", "--nonsense"],
]


@pytest.mark.parametrize("arguments", BAD)
def test_bad_input_is_one_line_and_exit_code_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("carom: ")
    assert captured.err.count("\n") == 1


def test_failed_run_is_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["impact", "--law", "hertz", "--stiffness", "1e300", "--mass", "1", "--velocity", "1e-200"]
    assert main(arguments) == 1
    assert "floating-point" in capsys.readouterr().err


def test_idle_option_warns_on_stderr_alone(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["impact", "--law", "hertz", "--stiffness", "1e9", "--restitution", "0.5", "--mass", "1"]
    assert main([*arguments, "--velocity", "1", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["restitution"] == pytest.approx(1.0)
    assert "carom: warning: hertz is elastic" in captured.err


def test_module_help_and_version() -> None:
    for arguments, expected in (["--help"], "Commands"), (["--version"], "carom 0."), ([], "Commands"):
        run = subprocess.run(
            [sys.executable, "-m", "carom.cli", *arguments], capture_output=True, text=True, check=False
        )
        assert expected in run.stdout + run.stderr
        assert "Traceback" not in run.stderr


def test_first_compile_says_what_it_does(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "carom.cli", *IMPACT, "--velocity", "0.5", "--json"]
    environment = {**os.environ, "CAROM_CACHE": str(tmp_path)}
    first, second = (
        subprocess.run(command, capture_output=True, text=True, check=True, env=environment) for _ in range(2)
    )
    assert first.stderr.startswith("carom: compiling impact (once")
    assert second.stderr == ""
    assert json.loads(first.stdout) == json.loads(second.stdout)


def test_laws_lists_impulsive_laws(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["laws"]) == 0
    assert "newton" in capsys.readouterr().out
    assert main(["laws", "energetic"]) == 0
    assert "Stronge W.J. (1990)" in capsys.readouterr().out
    assert main(["laws", "newton", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "newton"


def test_schemes_are_listed_with_what_their_coefficients_prove(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schemes"]) == 0
    listed = capsys.readouterr().out
    assert "newmark" in listed
    assert "radau-iia-3" in listed
    assert main(["schemes", "radau-iia-3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["order"], found["B"], found["C"], found["D"]) == (5, 5, 3, 2)
    assert found["l_stable"]
    assert found["algebraically_stable"]
    assert main(["schemes", "burrage"]) == 0
    assert "algebraically stable: yes" in capsys.readouterr().out
    assert main(["schemes", "newmark"]) == 0
    assert "Options: dt, beta, gamma" in capsys.readouterr().out
    assert main(["schemes", "gaus-2"]) == 2
    assert "Did you mean 'gauss-2'" in capsys.readouterr().err


def test_schemes_say_what_they_take(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schemes", "--json"]) == 0
    found = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)["schemes"]}
    keys = {"name", "aliases", "about", "options", "order", "can"}
    features = {
        "compliant", "impulsive", "friction", "yielding", "coupled_damping", "components", "ensembles", "gpu",
    }  # fmt: skip
    for entry in found.values():
        assert keys <= set(entry)
        assert features <= set(entry["can"])
        assert entry["can"]["components"] in (1, 3)
    assert found["event"]["order"] is None
    assert found["event"]["can"]["gpu"]
    assert not found["event"]["can"]["yielding"]
    assert found["newmark"]["order"] == 2
    assert found["radau-iia-3"]["order"] == 5
    assert not found["moreau-jean"]["can"]["compliant"]
    assert main(["schemes", "moreau-jean"]) == 0
    assert "Takes: impulses, friction, yielding, coupled damping" in capsys.readouterr().out


def options_of(command: Any) -> list[str]:
    """All option names of a command and of those below it."""
    named = [name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)]
    below = getattr(command, "commands", {}).values()
    return [name for name in named if name.startswith("-")] + [name for each in below for name in options_of(each)]


def test_options_are_named_in_small_letters() -> None:
    """Some versions of Typer take an option's metavar for its name where the two are the same word."""
    from typer.main import get_command

    from carom.cli.app import app

    names = options_of(get_command(app))
    assert "--device" in names
    assert [name for name in names if name != name.lower()] == []


def test_advise(capsys: pytest.CaptureFixture[str]) -> None:
    """The command says what Python says, with what materials were taken for."""
    slab = ["--slab-area", "3 m^2", "--slab-length", "18 m"]
    assert main(["advise", "--law", "kelvin-voigt", "--material", "C30/37", *slab, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    expected = carom.stiffness.advise(
        exponent=1.0, materials=("C30/37", "C30/37"), slab={"area": "3 m^2", "length": "18 m"}
    )
    assert (found["low"], found["high"], found["unit"]) == (expected.low, expected.high, "N/m")
    assert found["estimates"][0]["source"] == "two such slabs in series, after zhu2002 (15)"
    both = ["--material", "masonry", "--material", "steel", "--masses", "240 t, 180 t", "--velocity", "50 cm/s"]
    assert main(["advise", *both]) == 0
    shown = capsys.readouterr().out
    assert "masonry taken as E = 5 GPa, ν = 0.2, 1800 kg/m³" in shown
    assert "N/m^1.5  two spheres of the bodies' masses" in shown
    assert "Without damping it peaks between" in shown
    for arguments, words in (
        ([], "advise needs --material with --masses"),
        (["--material", "cheese", "--masses", "1,2"], "Unknown material 'cheese'"),
        (["--material", "steel", "--slab-area", "3"], "--slab-area and --slab-length together"),
        (["--structure-stiffness", "420 kN/mm"], "knows too little for laws with n = 1.5"),
        (["--material", "steel", "--masses", "1,5 t"], "each with its unit or none with one"),
    ):
        assert main(["advise", *arguments]) == 2
        told = capsys.readouterr().err
        assert words in told
        assert len(told.strip().splitlines()) == 1
