"""The gap recovered from histories that a second implementation made."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import carom
from carom.cli import main
from tests.integrate.naive_rigid import pounding
from tests.studies.test_restitution import MASS, PULL, RATIO, SCENARIO, STIFFNESS, pull_back

TRUE = 0.0187


@pytest.fixture(scope="module")
def measured() -> tuple[np.ndarray, np.ndarray, list[float]]:
    """The pull-back with e = 0.5 and a gap of 18.7 mm by SciPy, noise of 0.1 mm added."""
    c = [2 * RATIO * np.sqrt(k * m) for m, k in zip(MASS, STIFFNESS, strict=True)]
    u, hits = pounding(MASS, STIFFNESS, c, TRUE, 0.5, np.zeros(501), 2e-3, (-PULL, 0.0))
    noise = np.random.default_rng(1).normal(scale=1e-4, size=u.shape)
    return 2e-3 * np.arange(501), u + noise, hits


def test_from_displacements(measured) -> None:
    time, u, _ = measured
    found = carom.estimate_gap(pull_back(), time, {"left": u[:, 0], "right": u[:, 1]}, between=("15 mm", "23 mm"))
    assert found.gap == pytest.approx(TRUE, abs=1e-4)
    assert found.firm[0] <= found.gap <= found.firm[1]
    assert found.misfit < 0.05


@pytest.mark.parametrize("contact", [None, 0, "left | right"])
def test_from_impact_times(measured, contact: int | str | None) -> None:
    facing = carom.facing("left", "right", gap=0.02, law=pull_back().pairs[0].law)
    found = carom.estimate_gap(
        pull_back().replace(contacts=[facing]), impacts=measured[2], between=(0.015, 0.023), contact=contact
    )
    assert found.gap == pytest.approx(TRUE, abs=2e-5)


def test_impacts_that_were_not_measured_count(measured) -> None:
    """A gap of nothing strikes all the time, and so near every measured impact."""
    found = carom.estimate_gap(pull_back(), impacts=measured[2], between=(0.0, 0.023))
    assert found.gap == pytest.approx(TRUE, abs=2e-5)
    assert found.misfits[0] > 10.0 * found.misfit


def test_refusals(measured) -> None:
    with pytest.raises(carom.InputError, match="needs measured displacements"):
        carom.estimate_gap(pull_back(), between=(0.01, 0.02))
    with pytest.raises(carom.InputError, match="the second larger"):
        carom.estimate_gap(pull_back(), impacts=measured[2], between=(0.02, 0.01))
    with pytest.raises(carom.InputError, match="must be a label, or a number from 0 to 0"):
        carom.estimate_gap(pull_back(), impacts=measured[2], between=(0.01, 0.02), contact=1)


def test_what_lasts_longer_than_the_run_is_refused() -> None:
    shaken = pull_back().replace(motion=carom.motions.get("default").trimmed(end=2.0))
    with pytest.raises(carom.InputError, match="measured lasts until 43 s, the run until 2 s"):
        carom.estimate_gap(shaken, impacts=[1.0, 43.0], between=(0.01, 0.02))  # 1,43 s


def test_command(measured, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rigid = SCENARIO.replace('name = "kelvin-voigt"\nstiffness = 1e9', 'name = "newton"')
    (tmp_path / "test.toml").write_text(rigid)
    hits = ",".join(f"{t:.6f}" for t in measured[2])
    asked = ["calibrate", "gap", str(tmp_path / "test.toml"), "--impacts", hits, "--between", "15 mm,23 mm"]
    assert main([*asked, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["gap"] == pytest.approx(TRUE, abs=2e-5)
    assert main(asked) == 0
    assert "gap 18.7 mm" in capsys.readouterr().out
    assert main([*asked[:-1], "15 mm"]) == 2
