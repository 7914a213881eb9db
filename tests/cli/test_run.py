"""`carom run`, `carom check`, `carom new`: what they print, write and refuse."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from carom.cli import main
from carom.scenario import read_scenario
from tests.scenario.malformed import SOUND

FILES = ["impacts.csv", "report.html", "response.nc", "summary.json"]


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    path = tmp_path / "neighbours.toml"
    path.write_text(SOUND, encoding="utf-8")
    return path


def test_default_without_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["run"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[1].startswith(
        "They touch 10 times, hardest at tower floor 3 | annex floor 3 with 11.1 MN"
    )
    assert "tower and annex touch" in said.out
    assert "against itself without contact" in said.out
    assert said.err == ""
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == FILES


def test_figures_for_print(sound: Path, tmp_path: Path) -> None:
    assert main(["run", str(sound), "--out", str(tmp_path / "out"), "--figures"]) == 0
    found = {path.name for path in (tmp_path / "out" / "figures").iterdir()}
    assert {"sway.gif", "sway.html", "loops.pdf", "envelopes.png", "psv.pdf", "timeline.png"} <= found


def test_a_folder_that_is_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocked = tmp_path / "out"
    blocked.write_text("mine")
    assert main(["run", "--out", str(blocked)]) == 2
    assert "must be a folder" in capsys.readouterr().err
    assert blocked.read_text() == "mine"


def test_cite(sound: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cite", str(sound), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["references"]
    assert found[0]["used_for"] == "contact law lankarani-nikravesh-1990"
    assert "Lankarani" in found[0]["text"]
    assert any("Clough" in one["text"] for one in found)
    assert main(["cite"]) == 0
    assert "Anagnostopoulos" in capsys.readouterr().out


def test_json_is_one_object_and_the_summary(sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "results"
    assert main(["run", str(sound), "--out", str(out), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    keys = [
        "title",
        "peaks",
        "no_pounding",
        "impacts",
        "max_force",
        "base_shear",
        "column_shear",
        "outputs",
        "needed_gap",
        "energy",
        "outcome",
        "evidence",
    ]
    assert list(said) == keys
    assert said["title"] == "Two neighbours"
    assert list(said["peaks"]) == ["tower", "annex", "pier"]
    assert said == json.loads((out / "summary.json").read_text(encoding="utf-8"))


def test_the_same_scenario_gives_the_same_numbers(sound: Path, tmp_path: Path) -> None:
    found = []
    for name in ("a", "b"):
        assert main(["run", str(sound), "--out", str(tmp_path / name)]) == 0
        summary = json.loads((tmp_path / name / "summary.json").read_text(encoding="utf-8"))
        summary["evidence"].pop("wall_time")
        found.append((summary, (tmp_path / name / "impacts.csv").read_bytes()))
    assert found[0] == found[1]


def test_bad_scenario_is_one_line_for_each_fault(sound: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sound.write_text(SOUND.replace("mass = 4600", "mass = -1").replace("rtol = 1e-6", "rtol = 1"), encoding="utf-8")
    for command in ("run", "check"):
        assert main([command, str(sound)]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        lines = said.err.splitlines()
        assert len(lines) == 2
        assert all(line.startswith("carom: neighbours.toml: `") for line in lines)
    assert not (sound.parent / "out").exists()


def test_check(sound: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(sound)]) == 0
    said = capsys.readouterr().out
    assert "is sound: Two neighbours" in said
    assert "shear building, 4 floors" in said
    assert main(["check", str(sound), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["valid"] is True
    assert data["inputs"]["Structures"][2]["mass"] == "4.6 t"
    sound.write_text("title = 3", encoding="utf-8")
    assert main(["check", str(sound), "--json"]) == 2
    data = json.loads(capsys.readouterr().out)
    assert data["valid"] is False
    assert {"field", "rule", "value", "way_out", "message"} == set(data["errors"][0])


def test_a_run_that_fails_writes_nothing(sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sound.write_text(SOUND.replace("rtol = 1e-6", "step_limit = 3"), encoding="utf-8")
    assert main(["run", str(sound), "--out", str(tmp_path / "out")]) == 1
    assert "step limit" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("flags", [[], ["--floors", "1"], ["--floors", "4,2,3", "--law", "jankowski-2005"],
                                   ["--law", "hertz", "--gap", "10 mm", "--title", 'A "quoted" title']])  # fmt: skip
def test_new_is_sound_and_runs(flags: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    assert main(["new", str(path), *flags]) == 0
    assert "carom run" in capsys.readouterr().out
    assert path.read_text(encoding="utf-8").startswith("#:schema carom-scenario.schema.json\n")
    assert (tmp_path / "carom-scenario.schema.json").is_file()
    assert main(["check", str(path)]) == 0
    assert main(["new", str(path)]) == 2
    assert "exists" in capsys.readouterr().err


@pytest.mark.parametrize(
    "flags", [["--floors", "two"], ["--law", "nonsense"], ["--gap", "2 kg"], ["--motion", "no.at2"]]
)
def test_new_refuses(flags: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", str(tmp_path / "mine.toml"), *flags]) == 2
    assert capsys.readouterr().err.startswith("carom: ")
    assert list(tmp_path.iterdir()) == []


def test_new_takes_masses_heights_and_stiffnesses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    flags = ["--floors", "3,2", "--masses", "250 t, 150 t", "--stiffnesses", "400 kN/mm", "--heights", "3.2 m,4 m"]
    assert main(["new", str(path), *flags]) == 0
    left, right = read_scenario(path).problem.structures
    assert (left.masses, right.masses) == (pytest.approx([250e3] * 3), pytest.approx([150e3] * 2))
    assert (left.floor_heights, right.floor_heights) == (pytest.approx((3.2, 6.4, 9.6)), pytest.approx((4.0, 8.0)))
    assert right.stiffnesses == pytest.approx([4e8] * 2)
    for flag, value, words in (
        ("--masses", "1 t,2 t,3 t", "must be one for all, or one for each of 2 buildings"),
        ("--heights", "3,5 m", "each with its unit or none"),
        ("--stiffnesses", "3 m", "must be convertible"),
        ("--masses", "-1 t", "must be"),
    ):
        assert main(["new", str(tmp_path / "other.toml"), flag, value]) == 2
        assert words in capsys.readouterr().err


class Typed(io.StringIO):
    """What a person types at a terminal."""

    def isatty(self) -> bool:
        return True


def test_new_asks_at_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Typed("Mine\n4 2\n15 mm\njankowski-2005\n\n\n0.3 g\n"))
    path = tmp_path / "mine.toml"
    assert main(["new", str(path), "--no-schema"]) == 0
    scenario = read_scenario(path)
    assert scenario.title == "Mine"
    assert [structure.floors for structure in scenario.problem.structures] == [4, 2]
    assert scenario.problem.contacts[0].gap == 0.015
    assert scenario.problem.contacts[0].law.name == "jankowski-2005"
    assert scenario.problem.contacts[0].law.stiffness == 5e10  # the usual one is for a linear law
    assert scenario.motion.pga == pytest.approx(0.3 * 9.80665)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.toml"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as on POSIX systems")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted_leaves_nothing_half_written(sent: signal.Signals, code: int, tmp_path: Path) -> None:
    """The signal comes while files are being written: a slow disk is made by a hook into the last file."""
    out = tmp_path / "out"
    slow = (
        "import sys, time, carom.reports.runs.files as f, carom.reports.runs.run as r; from carom.cli import main\n"
        "def dawdle(*a): print('writing', flush=True); time.sleep(60)\n"
        "r.write_json = dawdle\n"
        f"sys.exit(main(['run', '--out', {str(out)!r}]))"
    )
    run = subprocess.Popen([sys.executable, "-c", slow], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stdout is not None
    assert run.stdout.readline() == "writing\n"
    assert [path.suffix for path in out.iterdir()] != []  # under way
    run.send_signal(sent)
    _, err = run.communicate(timeout=30)
    assert run.returncode == code
    assert "Traceback" not in err
    assert not out.exists()  # the folder was not there before


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as on POSIX systems")
def test_ctrl_c_is_heard_while_it_computes(tmp_path: Path) -> None:
    slow = (
        "import sys, time, carom.studies.single.assess as p; from carom.cli import main\n"
        "def endless(*a, **k): print('computing', flush=True); time.sleep(60)\n"
        "p.simulate = endless\n"
        f"sys.exit(main(['run', '--out', {str(tmp_path / 'out')!r}]))"
    )
    run = subprocess.Popen([sys.executable, "-c", slow], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stdout is not None
    assert run.stdout.readline() == "computing\n"
    began = time.monotonic()
    os.kill(run.pid, signal.SIGINT)
    _, err = run.communicate(timeout=30)
    assert time.monotonic() - began < 10.0
    assert run.returncode == 130
    assert "carom: interrupted" in err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", ["torsion", "frame"])
def test_scenarios_in_space(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`carom new`, `carom check` and `carom run` for buildings that turn, and for frames."""
    path = tmp_path / "space.toml"
    assert main(["new", str(path), f"--{kind}", "--floors", "2,2", "--gap", "1 cm"]) == 0
    assert "!" not in capsys.readouterr().out  # no cautions
    assert main(["check", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["valid"]
    assert told["warnings"] == []
    kinds = [row["kind"] for row in told["inputs"]["Structures"]]
    begins = {"torsion": "torsional building, 2 floors", "frame": "frame, 12 nodes"}[kind]
    assert all(one.startswith(begins) for one in kinds)
    text = path.read_text(encoding="utf-8").replace('pga = "0.4 g"', 'pga = "0.4 g"\nend = "4 s"')
    path.write_text(text.replace("# checks", "checks"), encoding="utf-8")
    assert main(["run", str(path), "--out", str(tmp_path / "out"), "--figures"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert sorted(one.name for one in (tmp_path / "out").iterdir()) == ["figures", *FILES]
    drawn = {one.name for one in (tmp_path / "out" / "figures").iterdir()}
    assert {"sway.gif", "sway.html", "geometry.pdf", "envelopes.png", "psa.pdf"} <= drawn


def test_what_is_not_for_frames(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "frames.toml")
    assert main(["new", path, "--frame", "--masses", "200 t"]) == 2
    assert "`masses` of new is not for frames" in capsys.readouterr().err
    assert main(["new", path, "--frame", "--torsion"]) == 2
    assert "must not stand beside --torsion" in capsys.readouterr().err


def test_a_new_bridge_is_sound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", str(tmp_path / "bridge.toml"), "--bridge"]) == 0
    assert main(["check", str(tmp_path / "bridge.toml")]) == 0
    assert "A skewed bridge of three spans" in capsys.readouterr().out
    assert main(["new", str(tmp_path / "other.toml"), "--bridge", "--frame"]) == 2
