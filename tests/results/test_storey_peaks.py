"""Drift, drift ratio, ductility and base shear among the peaks of a run; a run in a few words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import carom

MOTION = carom.motions.get("default").trimmed(end=12.0).resampled(0.002)
LAW = carom.law("kelvin-voigt", stiffness=5e9, restitution=0.65)


def pair(**changes: object) -> carom.Problem:
    made = {"masses": [2e5] * 3, "stiffnesses": [2e8] * 3, "damping_ratio": 0.05, "heights": [3.0, 7.0, 10.0]}
    tower = carom.ShearBuilding(**{**made, **changes}, name="tower")
    block = carom.Oscillator(mass=2e5, stiffness=4e8, damping_ratio=0.05, name="block")
    contact = carom.Contact(("tower", 1), "block", gap=0.005, law=LAW)
    return carom.Problem([tower, block], [contact], motion=MOTION)


def test_drift_ratio_and_base_shear_of_elastic_frames() -> None:
    run = carom.simulate(pair())
    drifts = np.abs(np.diff(run.displacement[:, :3], axis=1, prepend=0.0)).max(axis=0)
    np.testing.assert_allclose(run.peaks.drift[:3], drifts, rtol=1e-3)
    np.testing.assert_allclose(run.peaks.drift_ratio[:3], run.peaks.drift[:3] / [3.0, 4.0, 3.0])
    assert np.isnan(run.peaks.drift_ratio[3])  # nobody knows how high an oscillator is
    assert run.peaks.drift[3] == run.extremes[3, 0]
    assert run.peaks.base_shear.sel(structure="tower") == pytest.approx(2e8 * run.extremes[0, 0])
    assert run.peaks.base_shear.sel(structure="block") == pytest.approx(4e8 * run.extremes[3, 0])
    assert "ductility" not in run.peaks


def slabs(dt: float) -> carom.Problem:
    """Five against three storeys, under a motion of such samples."""
    left = carom.ShearBuilding(masses=[2e5] * 5, stiffnesses=[3e8] * 5, damping_ratio=0.05, name="left")
    right = carom.ShearBuilding(masses=[2e5] * 3, stiffnesses=[5e8] * 3, damping_ratio=0.05, name="right")
    return carom.Problem([left, right], [carom.facing("left", "right", gap=0.02, law=LAW)], motion=MOTION.resampled(dt))


def test_drifts_between_samples() -> None:
    """The witness has 32 samples for one: at 10 ms the largest sample is up to 1.1 % low, the cubic 0.05 %."""
    coarse, fine = (carom.simulate(slabs(0.01), rtol=1e-8, **how) for how in ({}, {"sampling": 0.01 / 32}))
    true = np.concatenate([np.abs(np.diff(fine.displacement[:, f.dofs], axis=1)).max(axis=0) for f in fine.frames])
    seen = np.concatenate([np.abs(np.diff(coarse.displacement[:, f.dofs], axis=1)).max(axis=0) for f in fine.frames])
    found = np.concatenate([coarse.drifts(frame)[1:] for frame in coarse.frames])
    assert coarse.impact_count == fine.impact_count > 2
    assert (1.0 - seen / true).max() > 0.01
    np.testing.assert_allclose(found, true, rtol=6e-4)


def test_crests_of_cubics_are_exact() -> None:
    """t(1−t)(t−3) and its mirror: the largest value lies between two samples, at t = (4 − √7)/3."""
    from carom.results.crests import largest_between

    time = np.array([0.0, 1.0, 1.2])
    cubic, slope = time * (1.0 - time) * (time - 3.0), -3.0 * time**2 + 8.0 * time - 3.0
    top = np.array([1.0, -1.0])
    s = (4.0 - np.sqrt(7.0)) / 3.0
    found = largest_between(cubic[:, None] * top, slope[:, None] * top, time)
    np.testing.assert_allclose(found, abs(s * (1.0 - s) * (s - 3.0)), rtol=1e-14)
    line = largest_between(time[:, None], np.ones((3, 1)), time)
    np.testing.assert_array_equal(line, [1.2])
    assert np.isnan(largest_between(np.array([[0.0], [np.nan]]), np.zeros((2, 1)), time[:2]))


@pytest.mark.parametrize("jump", [0.02, 0.3, 0.5, 0.9])
def test_a_jump_of_rate_between_samples_errs_no_more_than_said(jump: float) -> None:
    """A hat: up at 1 m/s, down at 1 m/s from some moment between two samples a second apart."""
    from carom.results.crests import largest_between

    values = np.array([[0.0], [2.0 * jump - 1.0]])
    found = largest_between(values, np.array([[1.0], [-1.0]]), np.array([0.0, 1.0]))
    assert abs(found[0] - max(jump, abs(2.0 * jump - 1.0))) < 0.15 * 2.0


@pytest.mark.parametrize(
    "storey",
    [
        carom.Bilinear(yield_drift=4e-3, hardening=0.1),
        carom.Takeda(yield_drift=4e-3, hardening=0.05),
        carom.RambergOsgood(yield_drift=4e-3),
        carom.BoucWen(yield_drift=4e-3, hardening=0.05),
    ],
    ids=lambda storey: type(storey).__name__,
)
def test_base_shear_of_yielding_frames_is_the_largest_force_on_the_path(storey: object) -> None:
    """The witness follows the lowest storey's spring through the whole history of its drift."""
    run = carom.simulate(pair(storeys=storey), scheme="newmark", dt=1e-3)
    spring = carom.joints.Driven(storey.bound_to(2e8))
    path = [2e8 * d + spring.move_to(d)[0] for d in run.displacement[:, 0]]
    assert float(run.peaks.ductility[0]) > 2.0
    assert float(run.peaks.ductility[0]) == pytest.approx(run.extremes[0, 0] / 4e-3)
    assert float(run.peaks.base_shear[0]) == pytest.approx(np.abs(path).max(), rel=2e-3)


def test_they_are_saved_and_come_back(tmp_path: Path) -> None:
    run = carom.simulate(pair(storeys=carom.Bilinear(yield_drift=4e-3)), scheme="newmark", dt=2e-3)
    assert carom.load(run.save(tmp_path / "run.nc")).peaks.identical(run.peaks)


def test_a_run_in_a_few_lines() -> None:
    run = carom.simulate(pair())
    assert run.impact_count == run.table["start"].size > 0
    assert run.peak_force == run.table["peak_force"].max()
    first, tower, block = str(run).splitlines()
    assert f"{run.impact_count} impacts, largest force" in first
    assert tower.startswith("  tower: displacement ")
    assert "base shear" in block
    assert len(repr(run)) < 100
    free = carom.simulate(pair().replace(contacts=()))
    assert "no contacts" in str(free)
    assert free.impact_count == 0
    found = carom.compare(pair(), laws=["kelvin-voigt"], stiffnesses=[1e9, 1e10], restitution=0.6)
    assert str(found).splitlines()[0].startswith("1 law at 2 stiffnesses beside rigid contact with e = 0.6")
    assert len(repr(found)) < 100
