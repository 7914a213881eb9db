"""`run.report`: what `carom run` writes, from Python."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import pytest

import carom
from carom.cli import main
from tests.scenario.malformed import SOUND

FILES = ["impacts.csv", "report.html", "response.nc", "summary.json"]


def test_the_report_is_that_of_the_command(tmp_path: Path) -> None:
    path = tmp_path / "neighbours.toml"
    path.write_text(SOUND, encoding="utf-8")
    assert main(["run", str(path), "--out", str(tmp_path / "there")]) == 0
    stated = carom.read_scenario(path)
    analysis = stated.analysis
    run = carom.simulate(stated.problem, duration=analysis.duration, **analysis.simulation)
    written = run.report(tmp_path / "here", title=stated.title)
    assert written == tmp_path / "here" / "report.html"
    assert sorted(one.name for one in written.parent.iterdir()) == FILES
    here, there = (json.loads((tmp_path / name / "summary.json").read_text("utf-8")) for name in ("here", "there"))
    for one in (here, there):
        one["evidence"].pop("wall_time")
        one["evidence"].pop("cautions")  # of the file's reader too
    assert here == there
    pages = [(tmp_path / name / "report.html").read_text("utf-8") for name in ("here", "there")]
    answers = [text.split('<p class="answer">')[1].split("</p>")[0] for text in pages]
    assert answers[0] == answers[1]
    assert "carom.simulate(problem" in pages[0]


def pair() -> carom.Problem:
    left = carom.Oscillator(mass=1e5, period=0.5, damping_ratio=0.05, name="left")
    right = carom.Oscillator(mass=1e5, period=0.3, damping_ratio=0.05, name="right")
    law = carom.law("kelvin-voigt", stiffness=1e9, restitution=0.65)
    contact = carom.Contact("left", "right", gap=0.01, law=law)
    return carom.Problem([left, right], [contact], motion=carom.motions.get("default").trimmed(end=5.0))


def test_options_are_said_and_units_taken(tmp_path: Path) -> None:
    run = carom.simulate(pair(), duration="4 s", rtol=1e-7)
    text = run.report(tmp_path, checks=False).read_text("utf-8")
    assert "<h1>left and right</h1>" in text
    assert "carom.simulate(problem, rtol=1e-07, duration=4.0)" in text


def test_every_component_of_the_ground_is_told(tmp_path: Path) -> None:
    shake = carom.motions.get("default").trimmed(end=3.0)
    slanting = carom.Structure([1e5, 1e5], [[2e7, 4e6], [4e6, 3e7]], influence=[[1, 0, 0], [0, 1, 0]], name="left")
    law = carom.law("kelvin-voigt", stiffness=1e9, restitution=0.65)
    contact = carom.Contact(("left", 1), "right", gap=0.01, law=law)
    motions = {"left": {"x": shake, "y": shake.scaled(pga="0.2 g").replace(source="cross.AT2")}, "right": (shake, 0.1)}
    run = carom.simulate(carom.Problem([slanting, pair().structures[1]], [contact], motion=motions))
    text = run.report(tmp_path, checks=False).read_text("utf-8")
    rows = text.replace("\xa0", " ").split("What moves the ground")[1].split("</table>")[0]
    cells = re.findall(r"<t[dh] ?[^>]*>(.*?)</t[dh]>", rows)[5:]
    told = [tuple(cells[i : i + 5]) for i in range(0, len(cells), 5)]
    assert [(row[0], row[1], row[4]) for row in told] == [
        ("left", "x", "0 s"), ("left", "y", "0 s"), ("right", "x", "100 ms")
    ]  # fmt: skip
    assert told[1][2:4] == ("cross", "0.2 g")


def test_a_run_without_its_problem_is_refused(tmp_path: Path) -> None:
    run = carom.simulate(pair())
    run.save(tmp_path / "run.nc")
    for other in (carom.load(tmp_path / "run.nc"), pickle.loads(pickle.dumps(run))):
        with pytest.raises(carom.InputError, match=r"Run the problem here: carom\.simulate"):
            other.report(tmp_path / "out")
    assert not (tmp_path / "out").exists()
