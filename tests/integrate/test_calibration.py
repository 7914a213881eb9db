"""Calibration: what it finds, and what it cannot."""

from __future__ import annotations

import pytest

import carom


def test_equal_peaks_of_jankowski_and_hertzdamp() -> None:
    """references: k_h/β = 0.5546 for equal peaks at e = 0.6, whatever the mass and speed (mahmoud2008)."""
    beta = carom.law("jankowski-2005", stiffness=1.03e10, restitution=0.6)
    for conditions in ({"mass": 0.01, "velocity": 1.0}, {"mass": 570.0, "velocity": 0.5}):
        peak = carom.impact(beta, **conditions).peak_force
        law = carom.law("hertzdamp", stiffness=1e8, restitution=0.6).fit_stiffness(peak_force=peak, **conditions)
        assert law.stiffness / 1.03e10 == pytest.approx(0.5546, abs=5e-5)


def test_calibration_with_gravity() -> None:
    conditions = {"mass": 1.763, "velocity": 0.13, "gravity": 9.8}
    law = carom.law("papi-2022", stiffness=4.91e7, restitution=0.76).calibrated(**conditions)
    assert carom.impact(law, **conditions).restitution == pytest.approx(0.76, abs=1e-8)


def test_low_restitution() -> None:
    for name in ("bordbar-hyppanen-2007", "jankowski-2005", "flores-2011", "kelvin-voigt"):
        law = carom.law(name, stiffness=1e9, restitution=0.01).calibrated(mass=1.0, velocity=1.0)
        assert carom.impact(law, mass=1.0, velocity=1.0).restitution == pytest.approx(0.01, abs=1e-8)


def test_refusals() -> None:
    hertz = carom.law("hertz", stiffness=1e9)
    with pytest.raises(carom.InputError, match="hertz has no damping"):
        hertz.calibrated(mass=1.0, velocity=1.0)
    law = carom.law("flores-2011", stiffness=1e9, damping=0.3)
    with pytest.raises(carom.InputError, match="`restitution` of flores-2011 must be given"):
        law.calibrated(mass=1.0, velocity=1.0)
    with pytest.raises(carom.InputError, match="single values"):
        law.replace(restitution=0.5).calibrated(mass=[1.0, 2.0], velocity=1.0)
    with pytest.raises(carom.InputError, match="`peak_force`"):
        law.fit_stiffness(peak_force=-3, mass=1.0, velocity=1.0)
    with pytest.raises(carom.InputError, match="needs `mass`"):
        law.fit_stiffness(peak_force=3, velocity=1.0)


def test_refuses_unknown_conditions_and_impossible_peaks() -> None:
    law = carom.law("flores-2011", stiffness=1e9, restitution=0.5)
    with pytest.raises(carom.InputError, match="Unknown condition of fit_stiffness 'speed'"):
        law.fit_stiffness(peak_force=100.0, mass=1.0, speed=1.0)
    with pytest.raises(carom.InputError, match=r"must exceed the weight that the contact carries, 9\.81 N"):
        law.fit_stiffness(peak_force=5.0, mass=1.0, velocity=0.1, gravity=9.81)
