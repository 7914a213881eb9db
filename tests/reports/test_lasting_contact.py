"""Runs whose contact is closed at the end, and whose damping the guard on v0 changed: files, words, page, command."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import carom
from carom.cli import main
from tests.reports.pages import read

BLOCK = """
title = "A block that comes to lie on a wall"
[structures.block]
kind = "body"
mass = "1 t"
gravity = 9.81
[structures.wall]
kind = "wall"
[[contacts]]
left = "block"
right = "wall"
gap = "0 mm"
law = {{name = "{law}", stiffness = 1e9, restitution = 0.8{more}}}
[analysis]
duration = "0.5 s"
sampling = "1 ms"
scheme = "{scheme}"
"""
GUARDED = "guard on v0"


@pytest.fixture
def ran(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    def run(law: str = "hunt-crossley-1975", more: str = "", scheme: str = "event") -> tuple[Path, str]:
        path = tmp_path / "block.toml"
        path.write_text(BLOCK.format(law=law, more=more, scheme=scheme), encoding="utf-8")
        assert main(["run", str(path), "--out", str(tmp_path / "out")]) == 0
        return tmp_path / "out", capsys.readouterr().out

    return run


@pytest.mark.parametrize("scheme", ["event", "newmark"])
def test_what_is_told(ran, scheme: str) -> None:
    out, said = ran(scheme=scheme)
    assert "Still in contact when the run ends: block | wall since 0.00 s." in said
    assert "(in contact at the end)" in said
    assert "the guard on v0 changed 1 of 1 impacts" in said.replace("\n", " ")
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert summary["impacts"] == {"count": 1, "per_contact": {"block | wall": 1}}
    assert summary["evidence"]["guarded_impacts"] == summary["evidence"]["closed_at_end"] == 1
    assert any(GUARDED in caution for caution in summary["evidence"]["cautions"])
    text = (out / "report.html").read_text(encoding="utf-8")
    assert {"impacts", "summary"} <= set(read(text).names)
    for words in ("in contact at the end", "guarded v0", GUARDED):
        assert words in text
    assert "nan" not in text.lower().replace("nanmax", "")


def test_nothing_is_told_of_a_guard_that_did_nothing(ran) -> None:
    _, said = ran(more=', v0 = "published"')
    assert GUARDED not in said
    _, said = ran(law="kelvin-voigt")
    assert GUARDED not in said


def test_files(ran) -> None:
    out, _ = ran()
    with (out / "impacts.csv").open(encoding="utf-8") as stream:
        (row,) = csv.DictReader(stream)
    assert (row["ended"], row["guarded"], row["separation_velocity [m/s]"]) == ("in contact", "yes", "")
    with xr.open_dataset(out / "response.nc", group="impacts", engine="h5netcdf") as impacts:
        assert impacts.ended.dtype == impacts.guarded.dtype == bool
        assert impacts.ended.values.tolist() == [False]
        assert impacts.guarded.values.tolist() == [True]
        assert np.isnan(impacts.separation_velocity.values).all()


def test_json_stays_json(ran, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran()
    assert main(["run", str(tmp_path / "block.toml"), "--out", str(tmp_path / "out"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out, parse_constant=lambda word: pytest.fail(word))
    assert found["evidence"]["closed_at_end"] == found["evidence"]["guarded_impacts"] == 1


@pytest.mark.parametrize("scheme", ["event", "moreau-jean"])
def test_rigid_contacts_too(scheme: str) -> None:
    """A ball that falls and comes to rest; impulses have no guard."""
    law = carom.law("newton", restitution=0.5)
    ball = carom.Body(mass=1.0, gravity=9.81, name="ball")
    problem = carom.Problem([ball, carom.Wall("floor")], [carom.Contact("ball", "floor", gap=0.01, law=law)])
    run = carom.simulate(problem, scheme=scheme, duration=1.0, sampling=1e-3)
    assert run.impacts.ended.values.tolist() == [True] * (run.impacts.sizes["impact"] - 1) + [False]
    assert np.isnan(run.impacts.separation_velocity.values[-1])
    assert not run.impacts.guarded.any()
    assert run.evidence["closed_at_end"] == 1


def test_single_impacts_tell_of_the_guard() -> None:
    """Gravity more than doubles the rate after a slow touch."""
    law = carom.law("hunt-crossley-1975", stiffness=1e9, restitution=0.8)
    slow = carom.impact(law, mass=10.0, velocity=1e-3, gravity=9.81)
    assert GUARDED in slow.notes[0]
    assert carom.impact(law, mass=10.0, velocity=1.0, gravity=9.81).notes == ()
    published = carom.law("hunt-crossley-1975", stiffness=1e9, restitution=0.8, v0="published")
    assert carom.impact(published, mass=10.0, velocity=1e-3, gravity=9.81).notes == ()
