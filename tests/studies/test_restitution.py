"""Restitution recovered from histories that a second implementation made."""

from __future__ import annotations

import json

import numpy as np
import pytest

import carom
from carom.cli import main
from tests.integrate.naive_rigid import pounding

MASS, STIFFNESS, RATIO, GAP, PULL = (4600.0, 3500.0), (2.11e6, 5.31e6), 0.005, 0.02, 0.024

SCENARIO = """
title = "Pull-back"

[structures.left]
kind = "oscillator"
mass = 4600.0
stiffness = 2.11e6
damping_ratio = 0.005

[structures.right]
kind = "oscillator"
mass = 3500.0
stiffness = 5.31e6
damping_ratio = 0.005

[laws.any]
name = "kelvin-voigt"
stiffness = 1e9
restitution = 0.5

[[contacts]]
left = "left"
right = "right"
gap = "20 mm"
law = "any"

[initial.left]
displacement = "-24 mm"

[analysis]
duration = "1 s"
"""


def pull_back() -> carom.Problem:
    sides = [
        carom.Oscillator(mass=m, stiffness=k, damping_ratio=RATIO, name=n)
        for m, k, n in zip(MASS, STIFFNESS, ("left", "right"), strict=True)
    ]
    contact = carom.Contact("left", "right", gap=GAP, law=carom.law("newton", restitution=0.5))
    return carom.Problem(sides, [contact], initial_displacement={"left": -PULL})


@pytest.fixture(scope="module")
def measured():
    """The pull-back with e = 0.6 by SciPy, noise of 0.1 mm added."""
    c = [2 * RATIO * np.sqrt(k * m) for m, k in zip(MASS, STIFFNESS, strict=True)]
    u, hits = pounding(MASS, STIFFNESS, c, GAP, 0.6, np.zeros(501), 2e-3, (-PULL, 0.0))
    noise = np.random.default_rng(1).normal(scale=1e-4, size=u.shape)
    return 2e-3 * np.arange(501), u + noise, hits


def test_from_displacements(measured):
    time, u, _ = measured
    found = carom.estimate_restitution(pull_back(), time, {"left": u[:, 0], "right": u[:, 1]})
    assert found.restitution == pytest.approx(0.6, abs=0.01)
    assert found.firm[0] <= found.restitution <= found.firm[1]
    assert found.misfit < 0.05


def test_from_impact_times(measured):
    found = carom.estimate_restitution(pull_back(), impacts=measured[2])
    assert found.restitution == pytest.approx(0.6, abs=1e-3)


def test_refusals(measured):
    time, u, _ = measured
    with pytest.raises(carom.InputError, match="needs measured displacements"):
        carom.estimate_restitution(pull_back())
    with pytest.raises(carom.InputError, match="Unknown degree of freedom 'top'"):
        carom.estimate_restitution(pull_back(), time, {"top": u[:, 0]})
    with pytest.raises(carom.InputError, match="one per time"):
        carom.estimate_restitution(pull_back(), time, {"left": u[:5, 0]})


def test_command(measured, tmp_path, capsys):
    (tmp_path / "test.toml").write_text(SCENARIO)
    time, u, _ = measured
    table = tmp_path / "measured.csv"
    table.write_text("time,left\n" + "\n".join(f"{t},{x}" for t, x in zip(time, u[:, 0], strict=True)))
    assert main(["calibrate", "restitution", str(tmp_path / "test.toml"), str(table), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["restitution"] == pytest.approx(0.6, abs=0.02)
    assert main(["calibrate", "restitution", str(tmp_path / "test.toml"), "--impacts", "soon"]) == 2
    assert "`impacts` of calibrate restitution must be a number, or a number with a unit" in capsys.readouterr().err
    worded = "time [ms];left [mm]\n" + "\n".join(f"{1e3 * t};{1e3 * x}" for t, x in zip(time, u[:, 0], strict=True))
    table.write_text(worded)
    assert main(["calibrate", "restitution", str(tmp_path / "test.toml"), str(table), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["restitution"] == pytest.approx(found["restitution"], abs=1e-6)
