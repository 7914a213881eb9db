"""`carom motion` from the shell's side: what is printed where, and the exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import carom
from carom.cli.motions.motion import app
from carom.units import standard_gravity
from tests.motions.network_samples import csmip_v2
from tests.motions.samples import at2, rows, wave


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    (tmp_path / "a.AT2").write_text(at2(wave(), "NPTS= 60, DT= .01 SEC"))
    (tmp_path / "deep" / "b.at2").write_text(at2(2 * wave(), "NPTS= 60, DT= .01 SEC"))
    (tmp_path / "bare.txt").write_text(rows(wave()))
    (tmp_path / "broken.at2").write_text(at2(wave(), "NPTS= 61, DT= .01 SEC"))
    (tmp_path / "notes.md").write_text("not a motion")
    return tmp_path


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def test_info_of_one_file(folder: Path) -> None:
    result = run("info", folder / "a.AT2")
    assert result.exit_code == 0
    for part in ("Field Station #3", "PGA", "Arias intensity", "D5–95", "Housner"):
        assert part in result.stdout
    assert result.stderr == ""


def test_info_as_json_is_one_object(folder: Path) -> None:
    result = run("info", folder / "a.AT2", "default", "--json")
    data = json.loads(result.stdout)
    assert result.exit_code == 0
    assert [one["name"] for one in data["motions"]] == ["a", "default"]
    assert data["motions"][0]["npts"] == 60
    assert data["motions"][1]["pga"] == pytest.approx(0.5 * standard_gravity)
    assert data["failures"] == []


def test_a_batch_goes_on_past_bad_files(folder: Path) -> None:
    result = run("info", folder, "nowhere.at2", folder / "*.xyz", "--json")
    data = json.loads(result.stdout)
    assert result.exit_code == 2
    assert [one["name"] for one in data["motions"]] == ["a", "b"]
    assert len(data["failures"]) == 4
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 4
    assert any("bare.txt: `dt` of bare.txt must be known" in line for line in lines)
    assert any("truncated: it holds only 60 values, NPTS says 61" in line for line in lines)
    assert any("There is no file nowhere.at2" in line for line in lines)
    assert any("No file matches" in line for line in lines)


def test_options_reach_the_reader(folder: Path) -> None:
    bare = folder / "bare.txt"
    result = run("info", bare, "--dt", "0.02", "--unit", "g", "--format", "opensees", "--json")
    assert json.loads(result.stdout)["motions"][0]["dt"] == 0.02
    assert run("info", folder / "broken.at2", "--partial").exit_code == 0
    assert "Unknown motion format" in run("info", bare, "--format", "xyz").stderr
    assert "`dt` of read_motion must be" in run("info", bare, "--dt", "fast").stderr


def test_warnings_go_to_stderr(folder: Path) -> None:
    (folder / "junk.at2").write_text((folder / "a.AT2").read_text() + "the end\n")
    result = run("info", folder / "junk.at2", "--json")
    assert result.exit_code == 0
    assert "warning: junk.at2: 1 lines after the last number are ignored" in result.stderr
    json.loads(result.stdout)


def test_globs(folder: Path) -> None:
    result = run("info", str(folder / "**" / "[ab].*"), "--json")
    assert [one["name"] for one in json.loads(result.stdout)["motions"]] == ["a", "b"]


def test_many_files_make_one_table(folder: Path) -> None:
    result = run("info", folder / "a.AT2", folder / "deep" / "b.at2", "default", folder / "a.AT2")
    assert result.exit_code == 0
    assert "T mean" in result.stdout
    assert "(m/s)" in result.stdout


def test_spectrum(folder: Path) -> None:
    result = run(
        "spectrum",
        folder / "a.AT2",
        "--period",
        0.5,
        "--period",
        1,
        "--damping",
        0.02,
        "--damping",
        0.05,
        "--json",
    )
    data = json.loads(result.stdout)
    expected = carom.read_motion(folder / "a.AT2").spectrum([0.5, 1.0], [0.02, 0.05])
    assert data["spectra"][0]["sa"] == expected.sa.tolist()
    assert data["period"] == [0.5, 1.0]
    assert data["units"]["sd"] == "m"
    table = run("spectrum", "default", "--period", 0.5)
    assert "5 % damping" in table.stdout
    assert "PSA (m/s²)" in table.stdout
    freed = run("spectrum", folder / "a.AT2", "--period", 5, "--free-vibration", "--json")
    assert json.loads(freed.stdout)["spectra"][0]["sd"][0][0] > float(
        carom.read_motion(folder / "a.AT2").spectrum(5.0).sd
    )


def test_bad_periods_are_refused_once_per_file(folder: Path) -> None:
    result = run("spectrum", folder / "a.AT2", "--period", -1)
    assert result.exit_code == 2
    assert "`periods` of response_spectrum must not be negative" in result.stderr


@pytest.mark.parametrize("suffix", ["png", "pdf", "svg"])
def test_plot(folder: Path, suffix: str) -> None:
    target = folder / "pictures" / f"one.{suffix}"
    result = run("plot", folder / "a.AT2", "--out", target)
    assert result.exit_code == 0
    assert result.stdout.strip() == str(target)
    start = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}[suffix]
    assert target.read_bytes().startswith(start)
    again = run("plot", folder / "a.AT2", "--out", target)
    assert again.exit_code == 2
    assert "exists. Pass --overwrite" in again.stderr


def test_plot_into_a_folder(folder: Path) -> None:
    result = run("plot", folder / "a.AT2", "default", "--out", folder / "out", "--suffix", "svg", "--json")
    files = [Path(one["file"]).name for one in json.loads(result.stdout)["pictures"]]
    assert files == ["a.svg", "default.svg"]


def test_convert_and_back(folder: Path) -> None:
    source = carom.read_motion(folder / "a.AT2")
    table = folder / "a.csv"
    assert run("convert", folder / "a.AT2", "--out", table).exit_code == 0
    assert carom.read_motion(table) == source
    back = run("convert", table, "--out", folder / "c" / "again.at2")
    assert back.exit_code == 0
    assert carom.read_motion(folder / "c" / "again.at2").acceleration == pytest.approx(source.acceleration)
    many = run("convert", folder / "a.AT2", folder / "deep", "--to", "opensees", "--out", folder / "d", "--json")
    assert sorted(Path(one["file"]).name for one in json.loads(many.stdout)["files"]) == ["a.txt", "b.txt"]
    clash = run("convert", folder / "a.AT2", folder / "deep" / "b.at2", "--out", folder / "one.csv")
    assert clash.exit_code == 2
    assert "written already by another motion" in clash.stderr
    shaped = run("convert", "default", "--out", folder / "s.csv", "--pga", "0.2 g", "--to-dt", "0.02", "--to-unit", "g")
    assert shaped.exit_code == 0
    motion = carom.read_motion(folder / "s.csv")
    assert motion.dt == 0.02
    assert motion.pga == pytest.approx(0.2 * standard_gravity)


def test_unknown_built_in_names_are_answered_with_the_known_ones() -> None:
    result = run("info", "elcentroo")
    assert result.exit_code == 2
    assert "nor a built-in motion of that name" in result.stderr
    assert "default" in result.stderr


def test_every_component_of_a_file_has_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.V2").write_bytes(csmip_v2().content)
    data = json.loads(run("info", tmp_path / "a.V2", "--json").stdout)
    assert [one["name"] for one in data["motions"]] == ["a 090", "a UP", "a 000"]
    data = json.loads(run("info", tmp_path, "--component", "V", "--json").stdout)
    assert [one["component"] for one in data["motions"]] == ["UP"]
    result = run("info", tmp_path / "a.V2", "--component", "NS")
    assert result.exit_code == 2
    assert "must be one of 090, UP, 000" in result.stderr


def test_a_target_beside_spectra_and_on_tripartite_paper(folder: Path) -> None:
    words = "ec8: ag = 0.25 g, ground = C"
    picture = folder / "tripartite.png"
    result = run("spectrum", folder / "a.AT2", "--target", words, "--period", 1, "--plot", picture, "--json")
    data = json.loads(result.stdout)
    assert data["target"]["psa"] == pytest.approx([0.43125 * standard_gravity])
    assert len(data["spectra"]) == 1
    assert picture.stat().st_size > 10_000
    assert "0.4312" in run("spectrum", "--target", words, "--period", 1).stdout
    assert run("spectrum").exit_code == 1  # as InputError: the command turns it into a line and 2
    again = run("spectrum", folder / "a.AT2", "--plot", picture)
    assert "exists. Pass --overwrite" in str(again.exception)


def test_match_writes_a_motion_with_the_spectrum(tmp_path: Path) -> None:
    out = tmp_path / "matched.csv"
    words = (
        "--target",
        "asce7: sds = 1 g, sd1 = 0.6 g",
        "--periods",
        "0.3:1.5",
        "--out",
        out,
        "--plot",
        tmp_path / "m.png",
    )
    result = run("match", "default", *words, "--json")
    assert result.exit_code == 0, result.stderr
    (made,) = json.loads(result.stdout)["motions"]
    goal = carom.motions.targets.asce7(sds="1 g", sd1="0.6 g")
    ratio = carom.read_motion(out).spectrum([0.4, 0.6, 1.0, 1.4]).psa / goal.sa([0.4, 0.6, 1.0, 1.4])
    assert abs(ratio - 1.0).max() < 0.15
    assert made["mean_error"] < 0.05
    assert (tmp_path / "m.png").exists()
    assert "exists" in run("match", "default", *words).stderr
    missed = run("match", "default", *words[:4], "--out", tmp_path / "n.csv", "--mean", "1e-9")
    assert missed.exit_code == 1
    assert "match came to" in missed.stderr


def test_select_says_how_near_and_writes_what_it_chose(tmp_path: Path) -> None:
    (tmp_path / "pool").mkdir()
    for motion in carom.motions.suite("thirty")[:8]:
        motion.write(tmp_path / "pool" / f"{motion.name}.csv")
    words = ("--target", "ec8: ag = 0.2 g, ground = B", "--periods", "0.3:1.5", "-n", 3, "--limits", "0.01:100")
    data = json.loads(run("select", tmp_path / "pool", *words, "--out", tmp_path / "out", "--json").stdout)
    assert data["pool"] == 8
    assert 0.0 <= data["bound"] <= data["error"]
    assert len(data["files"]) == len(list((tmp_path / "out").iterdir())) == 3
    assert "no 3 of them come below" in " ".join(run("select", tmp_path / "pool", *words).stdout.split())
    assert "must be two values with a colon" in str(run("select", tmp_path / "pool", *words, "--pga", "1 g").exception)
    few = run("select", tmp_path / "pool", *words, "--duration", "1:2")
    assert "needs motions to select from" in str(few.exception)


def test_rotate_takes_two_horizontal_components(tmp_path: Path) -> None:
    (tmp_path / "a.V2").write_bytes(csmip_v2().content)
    out = tmp_path / "turned.csv"
    assert run("rotate", tmp_path / "a.V2", "--angle", 90, "--out", out).exit_code == 0
    expected = carom.read_motion(tmp_path / "a.V2", component="000")
    assert carom.read_motion(out).acceleration == pytest.approx(expected.acceleration, abs=1e-12)
    assert "must hold two horizontal components" in str(run("rotate", "default", "--angle", 3, "--out", out).exception)
