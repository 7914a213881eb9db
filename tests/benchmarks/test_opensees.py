"""The arithmetic of the benchmark against OpenSeesPy, which itself is not needed here."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks._opensees import accuracy, cases, model, speed

import carom
from benchmarks import growth, opensees
from carom.interchange.opensees_materials import contact_material


def rung(step: float, seconds: float, error: float, method: str = "Newmark") -> speed.Rung:
    return speed.Rung(step, seconds, cases.Errors(error / 2.0, error), 0, method)


def test_errors_are_relative_and_the_last_is_the_force() -> None:
    found = cases.errors(np.array([1.0, 2.02, 0.9]), np.array([1.0, 2.0, 1.0]))
    assert found == pytest.approx((0.01, 0.1))
    assert found.worst == pytest.approx(0.1)


def test_the_ladder_ends_at_the_first_step_that_is_good_enough() -> None:
    rungs = speed.climb(lambda step: rung(step, 1e-3 / step, 0.5 * step), patience=1e9)
    assert [r.step for r in rungs] == [1e-3, 5e-4, 2.5e-4, 1e-4]
    assert [r.reached for r in rungs] == [False, False, False, True]


def test_the_ladder_ends_where_patience_does() -> None:
    rungs = speed.climb(lambda step: rung(step, 1e-3 / step, 1.0), patience=12.0)
    assert [r.seconds for r in rungs] == pytest.approx([1.0, 2.0, 4.0, 10.0])


def test_the_quicker_method_counts_or_else_the_more_accurate() -> None:
    slow, quick = [rung(1e-3, 1.0, 1e-2), rung(1e-4, 9.0, 5e-5)], [rung(1e-3, 0.5, 1e-2), rung(5e-5, 7.0, 9e-5)]
    assert speed.chosen([slow, quick]).seconds == 7.0
    assert speed.chosen([slow[:1], quick[:1]]).errors.worst == 1e-2
    assert speed.chosen([slow, quick[:1]]).seconds == 9.0


def test_materials_carry_the_law_and_the_negative_gap() -> None:
    motion = cases.motion("default", 1.0)
    words = {}
    for name in cases.LAWS:
        problem = cases.problem("two", name, motion)
        words[name] = contact_material(problem.pairs[0], 7, float(problem.flat().effective_mass[0])).words
    mass = 4600.0 * 3500.0 / 8100.0
    ratio = -np.log(0.65) / np.hypot(np.pi, np.log(0.65))
    assert words["hertz"] == ("Hertzdamp", 7, 2e9, 0.0, -0.01, 1.5)
    assert words["linear"] == ("Hertzdamp", 7, 1e8, 0.0, -0.01, 1.0)
    assert words["hertzdamp"][3] == pytest.approx(0.75 * (1.0 - 0.65**2))
    assert words["jankowski-2005"][0] == "JankowskiImpact"
    assert words["jankowski-2005"][2:] == pytest.approx((2e9, 0.373, mass, -0.01, 1.5), rel=2e-3)
    assert words["mahmoud-jankowski-2011"][5:] == (-0.01, 1.0)
    assert words["kelvin-voigt"][3] == pytest.approx(2.0 * ratio * np.sqrt(1e8 * mass))
    tsuji = problem.pairs[0].replace(law=carom.law("tsuji-1992", stiffness=2e9, restitution=0.65))
    nearest = contact_material(tsuji, 7, mass)
    assert not nearest.exact
    assert nearest.words[0] == "Hertzdamp"


def test_velocities_are_read_from_what_opensees_prints() -> None:
    said = "Hertzdamp impact detected: impact velocity = 0.25, damping = 1e9\nfoo\nimpact velocity = 1e-05\n"
    assert model._approach(said).tolist() == [0.25, 1e-05]


def test_slopes_and_rows() -> None:
    assert growth.slope([1.0, 2.0, 4.0], [3.0, 6.0, 12.0]) == pytest.approx(1.0)
    row = accuracy.Row("x", *[cases.Errors(1e-5, 2e-5)] * 3, 0.5, 3, np.array([0.1, 2e-4, 0.3]), 2)
    assert "theirs slower than 1 mm/s: 0.2 mm/s; 2 steps not converged" in str(row)


def test_without_openseespy_one_line_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.setattr(model, "AVAILABLE", False)
    opensees.main()
    assert capsys.readouterr().out.startswith("skipped: openseespy is not installed")
