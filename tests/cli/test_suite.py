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
from carom.scenario import read_scenario
from carom.studies.analyses.separation import separation

Capture = pytest.CaptureFixture[str]

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


STOREYS = """
title = "A tower and its neighbour"
[structures.tower]
kind = "shear-building"
masses = ["200 t", "200 t", "200 t"]
stiffnesses = ["250 kN/mm", "250 kN/mm", "250 kN/mm"]
damping_ratio = "5 %"
[structures.annex]
kind = "shear-building"
masses = ["200 t", "200 t"]
stiffnesses = ["400 kN/mm", "400 kN/mm"]
damping_ratio = "5 %"
[laws.slabs]
name = "hertzdamp"
stiffness = "2e9 N/m^1.5"
restitution = 0.65
[[contacts]]
left = "tower"
right = "annex"
gap = "2 cm"
law = "slabs"
"""


def test_separation_answers_for_every_contact_the_governing_one_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tower.toml"
    file.write_text(STOREYS, encoding="utf-8")
    assert main(["separation", str(file), "default", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    contacts = found["tables"]["separation-contacts"]
    assert [row["contact"] for row in contacts] == ["tower floor 2 | annex floor 2", "tower floor 1 | annex floor 1"]
    assert contacts[0]["gap needed [m]"] > 1.5 * contacts[1]["gap needed [m]"]
    assert f"{1e3 * contacts[0]['gap needed [m]']:.4g} mm at tower floor 2 | annex floor 2" in found["words"][0]
    for name in ("0", "tower floor 1 | annex floor 1"):
        assert main(["separation", str(file), "default", "--contact", name, "--json"]) == 0
        (lower,) = json.loads(capsys.readouterr().out)["tables"]["separation-contacts"]
        assert lower == contacts[1]


def test_folders_and_globs_scaled_to_an_intensity(scenario: str, tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    motion = carom.motions.get("default").trimmed(0.0, 8.0)
    for i, factor in enumerate((1.0, 3.0)):
        motion.scaled(factor=factor).write(folder / f"record-{i}.csv")
    (folder / "notes.md").write_text("no motion")
    answers = []
    for named, asked in (
        (folder, ["--pga", "0.3 g"]),
        (folder / "*-?.csv", ["--pga", "0.3 g"]),
        (folder, ["--sa", "0.5 g", "--period", "600 ms"]),
        (folder, ["--scale", "2"]),
    ):
        assert main(["separation", scenario, str(named), *asked, "--json"]) == 0
        rows = json.loads(capsys.readouterr().out)["tables"]["separation-motions"]
        answers.append([row["gap needed [m]"] for row in rows])
    by_pga, by_glob, by_sa, by_factor = answers
    assert by_glob == by_pga
    assert by_pga[0] == pytest.approx(by_pga[1], rel=1e-3)
    assert by_sa[0] == pytest.approx(by_sa[1], rel=1e-3)
    assert by_factor[1] == pytest.approx(3.0 * by_factor[0], rel=1e-3)
    wanted = carom.read_motion(folder / "record-0.csv").scaled(sa="0.5 g", period=0.6)
    (alone,) = separation(read_scenario(scenario).problem, [wanted]).needed
    assert by_sa[0] == pytest.approx(alone, rel=1e-9)
    for asked, in_full in (
        (["--pga", "0.3 g"], ["--intensity", "pga", "--ceiling", "0.3 g"]),
        (["--sa", "0.5 g", "--period", "0.6"], ["--intensity", "sa", "--ceiling", "0.5 g", "--period", "0.6"]),
    ):
        told = []
        for options in (asked, in_full):
            assert main(["ida", scenario, str(folder), *options, "--runs", "4", "--json"]) == 0
            told.append(json.loads(capsys.readouterr().out)["tables"]["ida-runs"])
        assert told[0] == told[1]
        assert len({row["motion"] for row in told[0]}) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["separation", "default", "--pga", "0.3 g", "--scale", "2"], "takes one of --scale, --pga and --sa"),
        (["separation", "default", "--sa", "0.3 g"], "needs --sa and --period together"),
        (["separation", "no-such-*.AT2"], "must match files in"),
        (["ida", "default", "--pga", "0.3 g", "--ceiling", "1 g"], "takes --pga or --sa alone"),
    ],
)
def test_intensities_that_contradict(arguments: list[str], words: str, scenario: str, capsys: Capture) -> None:
    command, *rest = arguments
    assert main([command, scenario, *rest]) == 2
    assert words in capsys.readouterr().err


def test_a_contact_goes_by_label_or_number_everywhere(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "tower.toml"
    file.write_text(STOREYS + '[motion]\nrecord = "default"\n', encoding="utf-8")
    label = "tower floor 2 | annex floor 2"
    sines = ["steady", str(file), "--frequencies", "1:2:2", "--amplitude", "0.3 g", "--json"]
    told = []
    for name in ("1", label):
        assert main([*sines, "--contact", name]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert label in told[0]
    gap = ["calibrate", "gap", str(file), "--between", "1 cm,2 cm", "--impacts", "1"]
    for command in (["separation", str(file), "default"], sines, gap):
        for name, words in (("2", "must be a label, or a number from 0 to 1"), ("roof", "Unknown contact 'roof'")):
            assert main([*command, "--contact", name]) == 2
            assert words in capsys.readouterr().err


YIELDING = STOREYS.replace(
    '"250 kN/mm"]', '"250 kN/mm"]\nstoreys = {kind = "bilinear", yield_drift = "4 mm", hardening = 0.05}'
) + ('[motion]\nrecord = "default"\n[analysis]\nscheme = "newmark"\ndt = "5 ms"\n')


def test_yielding_scenarios_run_by_their_own_scheme(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The witness is `carom.simulate` with the scheme and time step of the file."""
    file = tmp_path / "yielding.toml"
    file.write_text(YIELDING, encoding="utf-8")
    motion = carom.motions.get("default").resampled(0.005)
    problem = read_scenario(file).problem.replace(motion=motion)
    assert main(["separation", str(file), "default", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["tables"]["separation-motions"][0]
    free = carom.simulate(problem.replace(contacts=()), scheme="newmark", dt=5e-3)
    closed = free.displacement[:, 1] - free.displacement[:, 4]
    assert row["gap needed [m]"] == pytest.approx(closed.max(), rel=1e-3)
    assert main(["ida", str(file), "default", "--runs", "4", "--demand", "impacts", "--json"]) == 0
    runs = json.loads(capsys.readouterr().out)["tables"]["ida-runs"]
    for run in runs:
        scaled = problem.replace(motion=motion.scaled(pga=f"{run['PGA [g]']!r} g"))
        assert run["impacts"] == carom.simulate(scaled, scheme="newmark", dt=5e-3).table["start"].size
    assert runs[-1]["impacts"] > 0
    assert main(["ida", str(file), "default", "--runs", "4", "--demand", "ductility.tower", "--json"]) == 0
    last = json.loads(capsys.readouterr().out)["tables"]["ida-runs"][-1]
    scaled = problem.replace(motion=carom.motions.get("default").resampled(0.002).scaled(pga=f"{last['PGA [g]']!r} g"))
    again = carom.simulate(scaled, scheme="newmark", dt=5e-3)
    assert last["ductility.tower"] == pytest.approx(float(again.peaks.ductility.max()), rel=0.02)
    assert main(["ida", str(file), "default", "--demand", "ductility.annex"]) == 2
    assert "Did you mean 'ductility.tower'" in capsys.readouterr().err
    assert main(["force-spectra", str(file), "default", "--left", "0.2:0.6:2", "--right", "0.2:0.6:2"]) == 2
    assert "must be event for force spectra" in capsys.readouterr().err


def test_a_limit_may_have_a_unit_and_any_output_may_be_asked_for(
    scenario: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ida", scenario, "default", "--runs", "4", "--demand", "drift.left", "--limit", "2 cm"]) == 0
    assert "drift.left reaches 20 mm at PGA " in capsys.readouterr().out


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
        ["separation", scenario, "--contact", "roof"],
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


def test_suite_options_take_units(scenario: str, capsys: pytest.CaptureFixture[str]) -> None:
    tables = []
    for limit, ceiling in (("1e5", "19.6133"), ("100 kN", "2 g")):
        arguments = ["ida", scenario, "default", "--runs", "5", "--limit", limit, "--ceiling", ceiling, "--json"]
        assert main(arguments) == 0
        tables.append(json.loads(capsys.readouterr().out)["tables"]["ida-runs"])
    assert tables[0] == tables[1]
    for arguments in (
        ["ida", scenario, "default", "--limit", "1,5 kN"],
        ["separation", scenario, "default", "--scale", "1,5"],
        ["force-spectra", scenario, "default", "--left", "0,2:0.6:2", "--right", "0.2:0.6:2"],
    ):
        assert main(arguments) == 2
        assert "without a comma, which may mean" in capsys.readouterr().err
    spectra = ["force-spectra", scenario, "default", "--left", "200 ms:0.6 s:2", "--right", "0.2:0.6:2"]
    assert main(spectra) == 0


def measured_files(folder: Path) -> tuple[Path, Path]:
    """Return a force [N] over time [s], and the same as a sensor has it: g over ms, decimal commas, other sign."""
    hit = carom.impact(carom.law("flores-2011", stiffness=2e10, restitution=0.7), mass=0.54, velocity=0.5)
    time = np.arange(0.0, 6e-3, 2e-6)
    inside = (time > 5e-3) & (time < 5e-3 + hit.duration)
    force = np.zeros(time.size)
    force[inside] = hit.sample(time[inside] - 5e-3)["force"].values
    force += np.random.default_rng(0).normal(0.0, 0.005 * force.max(), time.size)
    plain, sensor = folder / "plain.csv", folder / "sensor.csv"
    rows = [f"{t:.7g},{f:.7g}" for t, f in zip(time, force, strict=True)]
    plain.write_text("\n".join(["time [s],force [N]", *rows]), encoding="utf-8")
    rows = [f"{1e3 * t:.7g};{-f / 0.54 / 9.80665:.7g}".replace(".", ",") for t, f in zip(time, force, strict=True)]
    sensor.write_text("\n".join(["# made by hand", "Time (ms);Acc (g)", *rows]), encoding="utf-8-sig")
    return plain, sensor


def test_calibrate_laws_finds_touch_stiffness_and_restitution(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, sensor = measured_files(tmp_path)
    asked = ["--law", "hertz", "--law", "flores-2011", "--mass", "540 g", "--velocity", "50 cm/s", "--json"]
    found = []
    for arguments in ([str(plain)], [str(sensor), "--reverse"]):
        assert main(["calibrate", "laws", *arguments, *asked]) == 0
        found.append(json.loads(capsys.readouterr().out))
    best = [one["tables"]["calibration-fits"][0] for one in found]
    assert best[0]["law"] == "flores-2011"
    assert best[0]["stiffness [N/m^n]"] == pytest.approx(2e10, rel=0.01)
    assert best[0]["restitution"] == pytest.approx(0.7, abs=0.005)
    assert best[0]["stiffness [N/m^n]"] == pytest.approx(best[1]["stiffness [N/m^n]"], rel=1e-4)
    assert found[0]["cautions"] == []
    assert main(["calibrate", "laws", str(plain), *asked, "--restitution", "0.7"]) == 0
    errors = json.loads(capsys.readouterr().out)["tables"]["calibration-laws"]
    assert errors[0]["NE [%]"] < 3.0  # it was 136 % with the touch taken at the first sample
    assert main(["calibrate", "laws", str(plain), *asked, "--restitution", "0.7", "--touch", "4 ms"]) == 0
    assert "Error: the best law is off by" in json.loads(capsys.readouterr().out)["cautions"][0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("time [kg],force\n0,1\n", "The unit of column 'time' of m.csv must be convertible to s. Got 'kg'"),
        ("zeit,force\n0,1\n", "Line 1 of m.csv must name its columns"),
        ("time,pressure\n0,1\n", "must have a column 'force' or 'acceleration' beside 'time'"),
        ("time,force\n0,001,12,5\n", "Line 2 of m.csv must have 2 cells, as its header has. Got 4"),
        ("time;force\n0,001;12.5\n", 'may mean "0.001" or "1"'),
        ("time,force\n0,much\n", "`column 2` of line 2 of m.csv must be a number"),
        ("time,force\n0,nan\n", "`column 2` of line 2 of m.csv must be a finite number"),
        ("time,force\n", "must hold numbers below its header line"),
        ("", "is empty"),
    ],
)
def test_measured_files_that_cannot_be_read(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.csv"
    file.write_text(text, encoding="utf-8")
    assert main(["calibrate", "laws", str(file), "--law", "hertz", "--mass", "1", "--velocity", "1"]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert len(told.strip().splitlines()) == 1


def test_steady(scenario: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["steady", scenario, "--frequencies", "1:3:3", "--amplitude", "0.3 g"]
    assert main([*asked, "--json", "--out", str(tmp_path / "out")]) == 0
    said = json.loads(capsys.readouterr().out)
    assert "steady-impacts.csv" in said["files"]
    with (tmp_path / "out" / "steady-impacts.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["frequency [Hz]"]) for row in rows] == [1.0, 2.0, 3.0]
    assert main(asked) == 0
    assert "under a sine of 0.3 g" in capsys.readouterr().out


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


SUITES = {
    "separation": [],
    "ida": ["--runs", "4"],
    "force-spectra": ["--left", "0.3:0.6:2", "--right", "0.3:0.6:2"],
    "steady": ["--frequencies", "2:3:2", "--amplitude", "0.3"],
}


@pytest.mark.parametrize("command", SUITES)
def test_what_is_unlikely_in_the_scenario_or_its_motions_is_said(command: str, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "s.toml"
    file.write_text(SCENARIO.replace('damping_ratio = "5 %"', "damping_ratio = 5", 1))
    motion = [] if command == "steady" else ["default", "--pga", "0.3"]
    assert main([command, str(file), *motion, *SUITES[command], "--json"]) == 0
    cautions = json.loads(capsys.readouterr().out)["cautions"]
    assert any("damping ratio of 'left' is 5 (500 %)" in one for one in cautions)
    assert any("peak ground acceleration of the strongest motion is 0." in one for one in cautions)


def test_force_spectra_of_buildings_are_refused_with_a_way_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", str(tmp_path / "s.toml")]) == 0
    assert main(["force-spectra", str(tmp_path / "s.toml"), "default", *SUITES["force-spectra"]]) == 2
    assert "must be two oscillators" in capsys.readouterr().err
