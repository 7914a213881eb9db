"""Bad and hostile input at the command line: an answer or one clear line, soon, and never a traceback."""

from __future__ import annotations

import csv
import json
import os
import time
from pathlib import Path

import pytest

import carom
from carom.cli import app
from carom.cli.app import main
from carom.reports.runs.files import write_impacts, write_table
from carom.results import Table
from tests.mutations.scenarios import SHAKEN


def told(arguments: list[str], capsys: pytest.CaptureFixture[str], seconds: float = 5.0) -> tuple[int, str, str]:
    """Give a command; return exit code, stdout and stderr; nothing in them is for a terminal to obey."""
    began = time.perf_counter()
    code = main(arguments)
    assert time.perf_counter() - began < seconds
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert "\x1b" not in said.out + said.err
    return code, said.out, said.err


def building(name: str, floors: int) -> str:
    return f'[structures.{name}]\nkind = "shear-building"\nfloors = {floors}\nmasses = "200 t"\nstiffnesses = 3e8\n'


LAW = '[laws.slabs]\nname = "kelvin-voigt"\nstiffness = 5e9\nrestitution = 0.65\n'
FACING = '[[contacts]]\nleft = "a"\nright = "b"\ngap = 0.02\nlaw = "slabs"\n'
CONTACT = FACING.replace('"a"', '{structure = "a", floor = 1}').replace('"b"', '{structure = "b", floor = 1}')
MOTION = "[motion]\nharmonic = {frequency = 2, amplitude = 3.0, duration = 20}\n"

BEYOND = {
    "duration": SHAKEN.replace("checks", "duration = 1e9\nchecks"),
    "delay": SHAKEN.replace('delay = "20 ms"', "delay = 1e9"),
    "sampling": SHAKEN.replace("checks", "sampling = 1e-9\nchecks"),
    "dt": SHAKEN.replace('dt = "2 ms"', "dt = 1e-12"),
    "sine": SHAKEN.replace('duration = "2 s"', "duration = 1e15"),
    "contacts": 'title = "x"\n' + building("a", 2) + building("b", 2) + LAW + 3000 * CONTACT + MOTION,
    "floors": 'title = "x"\n' + building("a", 1000) + building("b", 1000) + LAW + FACING + MOTION,
    "masses": 'title = "x"\n' + building("a", 1).replace('"200 t"', f"[{', '.join(['1.0'] * 100_000)}]") + MOTION,
}


@pytest.mark.parametrize("what", BEYOND)
@pytest.mark.parametrize("command", ["check", "run"])
def test_what_no_machine_ends_is_refused_with_its_numbers(
    command: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "much.toml"
    file.write_text(BEYOND[what], encoding="utf-8")
    more = ["--out", str(tmp_path / "out")] if command == "run" else []
    code, _, complaint = told([command, str(file), *more], capsys)
    assert code == 2
    assert "are allowed" in complaint
    assert len(complaint.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_a_budget_can_be_raised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "long.toml"
    file.write_text(SHAKEN.replace("checks", 'duration = "20000 s"\nchecks'), encoding="utf-8")
    assert told(["check", str(file)], capsys)[0] == 2
    code, said, _ = told(["check", str(file), "--budget", "64GB"], capsys)
    assert code == 0
    assert "A run takes about" in said
    assert told(["check", str(file)], capsys)[0] == 2  # for that command alone
    _, said, _ = told(["check", str(file), "--budget", "64GB", "--json"], capsys)
    assert json.loads(said)["needs"]["samples"] > 1e6
    assert told(["check", str(file), "--budget", "much"], capsys)[0] == 2


MANY = {
    "samples": ('kind = "random"\nsamples = 100000000', ""),
    "runs": ('kind = "grid"', "values = [" + ", ".join(["1.0"] * 1000) + "]\nfactor = true"),
}


@pytest.mark.parametrize("what", MANY)
def test_more_runs_than_a_disk_holds_are_refused(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sampler, values = MANY[what]
    values = values or 'distribution = "uniform"\nlow = 0.5\nhigh = 1.5\nfactor = true'
    places = (
        "contacts.0.gap",
        "laws.*.restitution",
        "structures.*.masses",
        "structures.*.stiffnesses",
        "structures.*.damping_ratio",
    )
    parameters = "".join(f'[parameters.p{i}]\npath = "{path}"\n{values}\n' for i, path in enumerate(places))
    file = tmp_path / "study.toml"
    file.write_text(f'title = "x"\nscenario = "default"\n[sampler]\n{sampler}\n{parameters}', encoding="utf-8")
    code, _, complaint = told(["study", str(file), "--out", str(tmp_path / "out")], capsys)
    assert code == 2
    assert "samples" in complaint
    assert "are allowed" in complaint
    assert not (tmp_path / "out").exists()


ODD = {
    "nested": "a = " + "[" * 400 + "]" * 400,
    "digits": "title = " + "9" * 4400,
    "hexadecimal": SHAKEN.replace("floors = 3", "floors = 0x" + "f" * 5000),
    "infinite": SHAKEN.replace('"4600 kg"', "1e309"),
    "not a number": SHAKEN.replace('"4600 kg"', "nan"),
    "tiny": SHAKEN.replace('"0.6 s"', "1e-300"),
    "power": SHAKEN.replace('"0.6 s"', '"9**9**9 s"'),
    "dotted": "a." * 400_000 + "a = 1",
    "escape in a title": SHAKEN.replace("Late arrival", "\\u001b]0;owned\\u0007"),
    "escape in a name": SHAKEN.replace("[structures.left]", '[structures."\\u001b[2J"]'),
    "direction": SHAKEN.replace('label = "roof"', 'label = "\\u202eroof"'),
    "empty": "",
}


@pytest.mark.parametrize("what", ODD)
def test_odd_files_are_refused_in_clear_lines(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "odd.toml"
    file.write_text(ODD[what], encoding="utf-8")
    for command in ("check", "study"):
        code, _, complaint = told([command, str(file)], capsys)
        assert code == 2
        assert complaint.startswith("carom: ")
        assert max(map(len, complaint.splitlines())) < 2000


def test_files_that_never_end_are_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    for command in (["check"], ["run"], ["study", "run"], ["motion", "info"]):
        for path in (str(tmp_path / "pipe"), "/dev/zero"):
            code, _, complaint = told([*command, path], capsys)
            assert code == 2
            assert "is not an ordinary file" in complaint
        code, _, complaint = told([*command, "with\0zero"], capsys)
        assert code == 2
        assert len(complaint.splitlines()) == 1
    with pytest.raises(carom.InputError, match="must be a file, not a pipe"):
        carom.load(tmp_path / "pipe")


def test_a_record_says_what_can_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "\n".join(f"{0.001 * (k % 7 - 3):.5f}" for k in range(20))
    for line in ("NPTS=-5, DT=.01 SEC", "NPTS=20, DT=1e-300 SEC", "NPTS=999999999999, DT=.01", "NPTS=1e12, DT=.01"):
        file = tmp_path / "record.at2"
        file.write_text(f"PEER STRONG MOTION DATABASE\nNowhere\nACCELERATION IN UNITS OF G\n{line}\n{rows}\n")
        assert told(["motion", "info", str(file)], capsys)[0] == 2
    file.write_text("# event: \x1b]0;x\x07quake\n# units: g\n" + "\n".join(f"{k},{0.1 * (k % 3)}" for k in range(20)))
    code, said, _ = told(["motion", "info", str(file), "--unit", "g"], capsys)
    assert code == 0
    assert "\x07" not in said


def test_the_last_resort_is_a_line_that_asks_for_a_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fault(*_: object, **__: object) -> None:
        raise KeyError("total")

    monkeypatch.setattr("carom.scenario.read_scenario", fault)
    code, _, complaint = told(["check", "x.toml"], capsys)
    assert code == app.UNFORESEEN == 3
    assert "KeyError" in complaint
    assert "please report it" in complaint
    assert len(complaint.splitlines()) == 1

    def large(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("carom.scenario.read_scenario", large)
    code, _, complaint = told(["check", "x.toml"], capsys)
    assert code == 1
    assert "not enough memory" in complaint


def test_dollars_in_names_are_drawn(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Names that mathematics would choke on, letters that the font lacks: the report is written, nothing is said."""
    file = tmp_path / "names.toml"
    text = SHAKEN.replace("left", '"$\\\\frac$ \\u4e2d"', 1).replace(
        'structure = "left"', 'structure = "$\\\\frac$ \\u4e2d"'
    )
    file.write_text(text.replace("Late arrival", "$\\\\alpha$ {"), encoding="utf-8")
    assert main(["run", str(file), "--out", str(tmp_path / "out"), "--figures"]) == 0
    said = capfd.readouterr()
    assert not [line for line in said.err.splitlines() if not line.startswith("carom: compiling")], said.err
    assert "frac" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_no_cell_of_ours_is_a_formula(tmp_path: Path) -> None:
    left = carom.Oscillator(mass=1.0, period=0.5, name="left")
    right = carom.Oscillator(mass=1.0, period=0.3, name="right")
    contact = carom.Contact("left", "right", gap=0.0, law=carom.law("hertz", stiffness=1e6), name='=HYPERLINK("x")')
    problem = carom.Problem([left, right], [contact], initial_velocity={"left": 0.1})
    write_impacts(carom.simulate(problem, duration=0.2), tmp_path / "impacts.csv")
    with (tmp_path / "impacts.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[1][0] == '\'=HYPERLINK("x")'
    assert float(rows[1][1]) >= 0.0
    write_table(Table("t", "", ("@a", "b"), (("=1+1", -2.5), ("+x", None))), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "'@a,b\n'=1+1,-2.5\n'+x,\n"
