"""`carom study` and its subcommands: what they print, write and refuse."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import carom
from carom.cli import main
from carom.cli.terminal.progress import Counted, duration
from carom.scenario.studies.reading import read_study
from carom.studies.files.store import Store
from tests.studies.example import changed


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("study") / "neighbours.toml"
    path.write_text(changed(), encoding="utf-8")
    assert main(["study", str(path), "--out", str(path.parent / "out")]) == 0
    return path.parent / "out"


def test_a_study_is_run_reported_and_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (folder / "report.html").is_file()
    assert (folder / "tables" / "outputs.csv").is_file()
    assert main(["study", "status", str(folder)]) == 0
    said = capsys.readouterr()
    assert "Two neighbours" in said.out
    assert "All 36 runs are there." in said.out
    assert "No run failed." in said.out
    assert said.err == ""


def test_cautions_reach_screen_json_and_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "weak.toml", tmp_path / "out"
    text = changed(('mass = "4600 kg"', 'mass = "5 tons"'), ("scales = [0.5, 1.0, 2.0]", "pga = [0.1, 0.4]"))
    path.write_text(text, encoding="utf-8")
    assert main(["study", str(path), "--out", str(out)]) == 0
    shown = capsys.readouterr()
    assert "short tons" not in shown.err  # not once for every run
    assert main(["study", "status", str(out), "--json"]) == 0
    cautions = json.loads(capsys.readouterr().out)["cautions"]
    report = " ".join((out / "report.html").read_text(encoding="utf-8").replace("\u00a0", " ").split())
    assert len(cautions) == 2
    for words in ("was taken in US short tons", "Did you mean 0.4 g?"):
        assert words in " ".join(shown.out.split())
        assert any(words in caution for caution in cautions)
        assert words in report


def test_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "status", str(folder), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["runs"], found["stored"], found["complete"]) == (36, 36, True)
    assert found["outcomes"] == {"finished": 36}


def test_resuming_what_is_complete_runs_nothing(folder: Path) -> None:
    before = Store.open(folder).manifest["seconds"]
    assert main(["study", str(folder.parent / "neighbours.toml"), "--out", str(folder), "--resume"]) == 0
    assert Store.open(folder).manifest["seconds"] == before


def test_a_page_that_needs_nothing_else(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8").replace("\N{NO-BREAK SPACE}", " ")
    assert "Inputs as understood" in page
    assert "lognormal: median 20 mm, dispersion 0.4" in page
    assert page.index("The structures touch in") < page.index("Inputs as understood")  # the answer comes first
    assert "src=" not in page
    assert "http" not in page.replace("http://www.w3.org/", "")


def test_a_long_table_is_cut_in_the_page_and_whole_in_its_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carom.reports.study.MOST_ROWS", 3)
    assert main(["study", "report", str(folder)]) == 0
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert (folder / "tables" / "outputs.csv").read_text(encoding="utf-8").count("\n") == 7
    assert page.count('<th scope="row">peak_force [kN]</th>') == 0
    assert "With all 6 rows and digits: <code>tables/outputs.csv</code>" in page
    monkeypatch.undo()
    assert main(["study", "report", str(folder)]) == 0
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.count('<th scope="row">peak_force [kN]</th>') == 1
    assert "With all digits: <code>tables/outputs.csv</code>" in page


@pytest.mark.parametrize("kind", ["csv", "parquet", "nc"])
def test_exports_hold_every_run(kind: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / f"mine.{kind}"
    assert main(["study", "export", str(folder), "--to", kind, "--out", str(target)]) == 0
    assert capsys.readouterr().out.strip() == str(target)
    force = Store.open(folder).columns()["peak_force"]
    if kind == "csv":
        with target.open(newline="") as file:
            rows = list(csv.DictReader(file))
        found = np.array([float(row["peak_force [N]"]) for row in rows])
        assert rows[0]["motion"] == "default"
    elif kind == "parquet":
        from pyarrow import parquet

        found = parquet.read_table(target).column("peak_force").to_numpy()
    else:
        import xarray as xr

        with xr.open_dataset(target) as data:
            found = data["peak_force"].values
            assert data["peak_force"].attrs["units"] == "N"
            assert str(data["motion"].values[0]) == "default"
    np.testing.assert_array_equal(found, force)
    assert list(tmp_path.iterdir()) == [target]


def test_figures_for_print(folder: Path) -> None:
    assert main(["study", "report", str(folder), "--figures"]) == 0
    assert {path.name for path in (folder / "figures").iterdir()} >= {"outputs.png", "outputs.pdf", "sample.png"}


REFUSED = {
    "format": (["export", "DIR", "--to", "xls"], "Unknown format 'xls'"),
    "folder": (["status", "nowhere"], "holds no study"),
    "twice": (["FILE", "--out", "DIR"], "holds a study already"),
    "file": (["nowhere.toml"], "There is no study nowhere.toml"),
    "device": (["FILE", "--out", "NEW", "--device", "abacus"], "Unknown device 'abacus'"),
    "workers": (["FILE", "--out", "NEW", "--workers", "0"], "`workers` of a study must be at least 1"),
    "analysis": (["ASKING", "--out", "NEW"], "Unknown analysis 'fortune'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_one_clear_line(case: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, words = REFUSED[case]
    asking = tmp_path / "asking.toml"
    asking.write_text(changed(("[motions]", "[analyses.fortune]\n[motions]")))
    places = {
        "DIR": str(folder), "NEW": str(tmp_path / "new"), "FILE": str(folder.parent / "neighbours.toml"),
        "ASKING": str(asking),
    }  # fmt: skip
    assert main(["study", *(places.get(word, word) for word in arguments)]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_help_names_both_ways(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "--help"]) == 0
    said = capsys.readouterr().out
    assert "STUDY | COMMAND" in said
    assert all(word in said for word in ("status", "report", "export"))


LIGHT = """
import sys
from carom.cli import main
main(["study", "--help"])
heavy = {"numpy", "numba", "pyarrow", "dask", "distributed", "SALib", "matplotlib", "scipy", "xarray"}
print("heavy:", sorted(heavy & sys.modules.keys()))
"""

WITHOUT = """
import sys
for name in ("pyarrow", "pyarrow.parquet", "distributed", "SALib", "SALib.sample"):
    sys.modules[name] = None
from carom.cli import main
sys.exit(main(["study", sys.argv[1], "--out", sys.argv[2]]))
"""


def test_the_command_line_stays_light() -> None:
    run = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=True, timeout=120)
    assert run.stdout.splitlines()[-1] == "heavy: []"


def test_a_missing_extra_is_one_line(folder: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", WITHOUT, str(folder.parent / "neighbours.toml"), str(tmp_path / "new")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert run.returncode == 2
    assert run.stderr == "carom: Studies need pyarrow, which is not installed. Run: pip install 'carom[study]'\n"


def test_progress_says_rate_and_time_left(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = [100.0]
    monkeypatch.setattr("carom.cli.terminal.progress.time.monotonic", lambda: now[0])
    counted = Counted()
    for done in range(0, 1001, 100):
        counted(done, 100_000, "2 threads")
        now[0] += 10.0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "carom: 600 of 100000 runs, 1 %, 10 runs/s on 2 threads, 2.76 h left"
    assert len(lines) == 1  # one a minute where nobody watches
    assert [duration(s) for s in (30.0, 150.0, 9000.0, 200_000.0)] == ["30 s", "2.5 min", "2.5 h", "2.31 days"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["stats", "here"],
            "There is no study file stats, and no such command. Commands: run, new, status, report, export.",
        ),
        (["export", "here"], "Missing option '--to'. See `carom study export --help`."),
        (["nothing.toml"], "There is no study nothing.toml."),
    ],
)
def test_words_that_are_wrong_get_one_line_with_a_way_out(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", *words]) == 2
    complaint = capsys.readouterr().err
    assert complaint.startswith(f"carom: {said}")
    assert complaint.count("\n") == 1


YIELDING = (
    (
        'kind = "oscillator"\nmass = "4600 kg"\nperiod = "0.6 s"',
        'kind = "shear-building"\nmasses = ["4600 kg"]\nstiffnesses = ["500 kN/m"]\n'
        'storeys = {kind = "takeda", yield_drift = "8 mm"}',
    ),
    (
        'path = "structures.left.period"\ndistribution = "uniform"\nlow = "0.5 s"\nhigh = "1 s"',
        'path = "structures.right.period"\ndistribution = "uniform"\nlow = "0.25 s"\nhigh = "0.3 s"',
    ),
    ("[scenario.structures.left]", '[scenario.analysis]\nscheme = "newmark"\ndt = "5 ms"\n[scenario.structures.left]'),
)


def test_a_yielding_study_runs_by_the_scheme_of_its_scenario(tmp_path: Path) -> None:
    """Once every run of it was refused, and the exit code 0."""
    file = tmp_path / "yielding.toml"
    kept = ('"peak_force"]', '"peak_force", "drift", "drift_ratio", "ductility", "base_shear"]')
    known = ('masses = ["4600 kg"]', 'masses = ["4600 kg"]\nheights = ["3 m"]')
    file.write_text(changed(kept, *YIELDING, known), encoding="utf-8")
    assert main(["study", str(file), "--out", str(tmp_path / "out"), "--workers", "1"]) == 0
    columns = Store.open(tmp_path / "out").columns()
    assert set(columns["status"]) == {"finished"}
    i = int(np.argmax(columns["impacts"]))
    storey = carom.Takeda(yield_drift=8e-3)
    left = carom.ShearBuilding(masses=[4600], stiffnesses=[5e5], damping_ratio=0.05, name="left", storeys=[storey])
    right = carom.Oscillator(mass=3500, period=columns["period"][i], damping_ratio=0.05, name="right")
    law = carom.law("hertzdamp", stiffness=2e9, restitution=0.65)
    motion = carom.motions.get(columns["motion"][i]).resampled(0.005).scaled(factor=columns["scale"][i])
    contact = carom.Contact("left", "right", gap=columns["gap"][i], law=law)
    run = carom.simulate(carom.Problem([left, right], [contact], motion=motion), scheme="newmark", dt=5e-3, rtol=1e-4)
    assert columns["impacts"][i] == run.table["start"].size > 0
    assert columns["peak_force"][i] == pytest.approx(run.table["peak_force"].max(), rel=1e-12)
    assert columns["ductility.left"][i] == pytest.approx(float(run.peaks.ductility[0]), rel=1e-12)
    assert columns["drift_ratio.left"][i] == pytest.approx(run.extremes[0, 0] / 3.0, rel=1e-12)
    assert columns["base_shear.right"][i] == pytest.approx(float(run.peaks.base_shear[1]), rel=1e-12)
    assert "ductility.right" not in columns  # it does not yield


def test_a_study_without_a_finished_run_has_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "hopeless.toml"
    file.write_text(
        changed(
            ("[motions]", "[run]\nstep_limit = 1\n[analyses.fragility]\n[motions]"), ('"2 cm"\ndisp', '"1 mm"\ndisp')
        )
    )
    assert main(["study", str(file), "--out", str(tmp_path / "out")]) == 1
    told = capsys.readouterr()
    assert "36 of them failed" in told.out
    assert told.err.strip().splitlines()[-1].startswith("carom: All 36 runs failed. Most say: ")


def test_an_analysis_that_cannot_be_made_is_told_by_the_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "few.toml"
    file.write_text(changed(("[motions]", "[analyses.fragility]\noutput = 'impacts'\nlimit = 1e6\n[motions]")))
    assert main(["study", str(file), "--out", str(tmp_path / "out")]) == 1
    assert "analyses.fragility: " in capsys.readouterr().err
    assert (tmp_path / "out" / "report.html").is_file()


def test_an_analysis_of_what_is_not_kept_is_refused_before_the_first_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "missing.toml"
    for asked, told in (
        (
            "fragility]\noutput = 'drift.left'",
            'analyses.fragility reads the column `drift.left`, which the runs do not have. Add "drift"',
        ),
        (
            "amplification]",
            'analyses.amplification reads columns `no_pounding.…`, which the runs do not have. Add "no_pounding"',
        ),
        ("ida]\nagainst = 'pgv'", "Did you mean 'pga'?"),
        ("law-spread]", "reads the column `law`"),
    ):
        file.write_text(changed(("[motions]", f"[analyses.{asked}\n[motions]")))
        assert main(["study", str(file), "--out", str(tmp_path / "out")]) == 2
        assert told in capsys.readouterr().err
        assert not (tmp_path / "out").exists()


def test_the_answers_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "answers.toml"
    more = ("scales = [0.5, 1.0, 2.0]", "scales = [0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0]")
    asked = ("[motions]", '[analyses.fragility]\n[analyses.ida]\nlimit = "100 kN"\n[motions]')
    file.write_text(changed(more, asked))
    assert main(["study", str(file), "--out", str(tmp_path / "out")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "The structures touch in" in said
    assert "Where they do, the largest force is" in said
    assert "Fragility: Contact in half of the runs at PGA 0." in said
    assert "Incremental dynamic analysis: Peak force reaches 100 kN" in said
    assert main(["study", "report", str(tmp_path / "out"), "--json"]) == 0
    answers = json.loads(capsys.readouterr().out)["answers"]
    assert [answer.partition(":")[0] for answer in answers[2:]] == ["Fragility", "Incremental dynamic analysis"]


@pytest.mark.parametrize("scheme", ['scheme = "event"', 'scheme = "moreau-jean"\ndt = "2 ms"'])
def test_a_study_of_rigid_contact_runs_and_varies_its_restitution(
    tmp_path: Path, scheme: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once its law was refused as unknown."""
    file = tmp_path / "rigid.toml"
    rigid = ('name = "hertzdamp"\nstiffness = "2e9 N/m^1.5"\nrestitution = 0.65', 'name = "newton"\nrestitution = 0.65')
    analysis = ("[scenario.structures.left]", f"[scenario.analysis]\n{scheme}\n[scenario.structures.left]")
    varied = (
        'path = "structures.left.period"\ndistribution = "uniform"\nlow = "0.5 s"\nhigh = "1 s"',
        'path = "laws.pad.restitution"\ndistribution = "uniform"\nlow = 0.4\nhigh = 0.8',
    )
    file.write_text(changed(rigid, analysis, varied), encoding="utf-8")
    assert main(["study", str(file), "--out", str(tmp_path / "out"), "--workers", "1"]) == 0
    columns = Store.open(tmp_path / "out").columns()
    assert set(columns["status"]) == {"finished"}
    assert columns["impacts"].max() > 0
    assert "nan" not in capsys.readouterr().out


def test_new_is_sound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "here").mkdir()
    scenario = tmp_path / "here" / "mine.toml"
    assert main(["new", str(scenario), "--no-schema"]) == 0
    path = tmp_path / "there" / "study.toml"
    capsys.readouterr()
    assert main(["study", "new", str(path), "--scenario", str(scenario), "--title", 'A "quoted" title']) == 0
    assert f"Next: carom study {path}" in capsys.readouterr().out
    study = read_study(path)
    assert (study.title, study.scenario.title) == ('A "quoted" title', "Two neighbours")
    assert [one.name for one in study.parameters] == ["gap"]
    assert path.read_text(encoding="utf-8").startswith("#:schema carom-study.schema.json\n")
    assert sorted(one.name for one in path.parent.iterdir()) == ["carom-study.schema.json", "study.toml"]
    assert main(["study", "new", str(path)]) == 2
    assert "exists" in capsys.readouterr().err
    assert main(["study", "new", str(path), "--overwrite", "--no-schema"]) == 0
    assert read_study(path).scenario.name == "default"


def test_new_refuses_what_cannot_be_studied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "there" / "study.toml"
    assert main(["study", "new", str(path), "--scenario", str(tmp_path / "none.toml")]) == 2
    assert "`scenario` must be a scenario file that is there" in capsys.readouterr().err
    assert not path.parent.exists()
