"""Rules of bearings, backfill and keys: their contract, closed forms, and the pendulum on friction by SciPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

import carom
from carom.joints import (
    Backfill,
    BearingStops,
    BilinearBackfill,
    Driven,
    Elastomeric,
    FixedBearing,
    Joint,
    ShearKey,
    SlidingBearing,
)
from carom.testing import check_joint

ALL = [
    Elastomeric("2 MN/m", "20 kN*s/m", "1.5 MN/m"),
    SlidingBearing(0.1, "100 MN/m", "1 MN", static=0.15, restoring="500 kN/m"),
    SlidingBearing(0.1, "100 MN/m", "1 MN"),
    FixedBearing("500 MN/m", "1 MN", residual=0.3),
    BearingStops("1 cm", "300 MN/m", across="5 mm"),
    ShearKey("5 mm", "200 MN/m", "1 MN", residual=0.2),
    Backfill("60 MN/m", "1.5 MN", gap="1 cm", unloading="90 MN/m"),
    BilinearBackfill("60 MN/m", "1.5 MN", gap="1 cm"),
]


@pytest.mark.parametrize("joint", ALL, ids=lambda joint: f"{joint.name}")
def test_contract(joint: Joint) -> None:
    check_joint(joint, deformation=0.05)


def along(joint: Joint, path: Any) -> np.ndarray:
    driven = Driven(joint)
    return np.array([driven.move_to(d) for d in path])


def test_a_sliding_bearing_pulls_against_its_motion() -> None:
    """Far along a circle the force is μN against the velocity, but for the turn of the way within the give."""
    joint = SlidingBearing(0.1, "100 MN/m", "1 MN")
    angle = np.linspace(0.0, 2.0 * math.pi, 20001)
    path = 0.5 * np.stack([np.cos(angle) - 1.0, np.sin(angle)], axis=1)
    forces = along(joint, path)[10000:]
    np.testing.assert_allclose(np.hypot(*forces.T), 1e5, rtol=1e-12)
    forward = np.stack([-np.sin(angle), np.cos(angle)], axis=1)[10000:]
    behind = 1e5 / 100e6 / 0.5  # the give over the radius: how far the force lags behind the velocity [rad]
    np.testing.assert_allclose((forces * forward).sum(axis=1) / 1e5, math.cos(behind), atol=2e-5)


def test_work_of_a_cycle_on_friction() -> None:
    """A cycle of ±a loses 4 μN (a − give), whichever way it points."""
    joint, a, give = SlidingBearing(0.08, "50 MN/m", "2 MN"), 0.04, 0.08 * 2e6 / 50e6
    s = np.concatenate([np.linspace(0, a, 400), np.linspace(a, -a, 800), np.linspace(-a, a, 800)])
    path = s[:, None] * np.array([0.6, 0.8])
    forces = along(joint, path)[-801:]
    work = float((0.5 * (forces[1:] + forces[:-1]) * np.diff(path[-801:], axis=0)).sum())
    assert 2.0 * work == pytest.approx(4.0 * 0.08 * 2e6 * (a - give), rel=1e-3)


def test_breakaway_is_higher_than_sliding_each_time_it_sticks() -> None:
    joint = SlidingBearing(0.1, "100 MN/m", "1 MN", static=0.2)
    path = np.concatenate([np.linspace(0, 0.01, 1001), np.linspace(0.01, -0.01, 2001)])
    forces = along(joint, np.stack([path, 0.0 * path], axis=1))[:, 0]
    assert forces.max() == pytest.approx(2e5, rel=1e-2)
    assert forces[1000] == pytest.approx(1e5)
    assert forces.min() == pytest.approx(-2e5, rel=1e-2)
    assert forces[-1] == pytest.approx(-1e5)


def test_a_fixed_bearing_breaks_by_its_resultant_and_for_good() -> None:
    joint = FixedBearing("500 MN/m", "1 MN", residual=0.25)
    d = 1e6 / 500e6 / math.sqrt(2.0)
    held, gone, back = along(joint, [[0.999 * d, 0.999 * d], [1.001 * d, 1.001 * d], [1e-4, 1e-4]])
    assert math.hypot(*held) == pytest.approx(0.999e6)
    assert math.hypot(*gone) == pytest.approx(0.25e6)
    assert math.hypot(*back) < 0.25e6 * (1 + 1e-12)


def test_a_key_holds_both_ways_and_shears_off() -> None:
    forces = along(ShearKey("5 mm", "200 MN/m", "1 MN"), [0.004, 0.007, -0.007, 0.011, 0.02, -0.02])[:, 0]
    np.testing.assert_allclose(forces, [0.0, 0.4e6, -0.4e6, 0.0, 0.0, 0.0], atol=1e-6)


def test_hyperbola_of_duncan_and_mokwa() -> None:
    """h = x/(1/K + R_f x/F_u) up to F_u; work by quadrature; unloading to the set, reloading to where it left."""
    soil = Backfill("60 MN/m", "1.5 MN", gap="2 cm", failure_ratio=0.8)
    x = np.linspace(0.0, 0.08, 9)
    forces = along(soil, x + 0.02)[:, 0]
    np.testing.assert_allclose(forces, x / (1 / 60e6 + 0.8 * x / 1.5e6), rtol=1e-12)
    farthest = forces[-1]
    set_at = 0.08 - farthest / 60e6
    there = along(soil, [0.1, 0.02 + set_at + 1e-3, 0.02 + set_at, 0.0, 0.02 + set_at + 1e-3, 0.1, 0.2])[:, 0]
    np.testing.assert_allclose(there, [farthest, 6e4, 0.0, 0.0, 6e4, farthest, 1.5e6], rtol=1e-9, atol=1e-6)
    lost = quad(lambda x: x / (1 / 60e6 + 0.8 * x / 1.5e6), 0.0, 0.08)[0] - farthest**2 / (2 * 60e6)
    driven, work, last = Driven(soil), 0.0, 0.0
    for d in [*np.linspace(0.02, 0.1, 4001), *np.linspace(0.1, 0.0, 4001)]:
        before, after = driven.try_at(driven.at).force[0], driven.move_to(d)[0]
        work, last = work + 0.5 * (before + after) * (d - last), d
    assert work == pytest.approx(lost, rel=1e-4)


def test_bilinear_soil_of_caltrans() -> None:
    soil = BilinearBackfill.caltrans(width="10 m", height="1.7 m", gap="5 cm")
    assert soil.stiffness == pytest.approx(287e6)
    assert soil.capacity == pytest.approx(239e3 * 17.0)
    half = soil.shared(2)
    np.testing.assert_allclose(along(half, [0.055, 0.2])[:, 0], [0.5 * 287e6 * 0.005, 0.5 * 239e3 * 17.0])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: SlidingBearing(0.2, "1 MN/m", "1 MN", static=0.1), "at least the kinetic coefficient 0.2"),
        (lambda: SlidingBearing(0.2, "1 MN/m").numbers(), "does not know its normal force"),
        (lambda: FixedBearing("1 MN/m", 0.0), "`capacity` of FixedBearing must be positive"),
        (lambda: Backfill("60 MN/m", "1 MN", unloading="30 MN/m"), "at least the stiffness 6e"),
        (lambda: Elastomeric(0.0), "`stiffness` of Elastomeric must be positive"),
        (lambda: ShearKey(0.0, "1 MN/m", None), "`capacity` of ShearKey"),
    ],
)
def test_refusals(make: Any, words: str) -> None:
    with pytest.raises(carom.InputError, match=words):
        make()


def test_a_sliding_bearing_goes_straight_paths_exactly() -> None:
    """One step along a straight path gives what fifty give, and slopes are those of differences."""
    from carom.joints import sliding

    rng = np.random.default_rng(4)
    for static in (0.1, 0.13):
        numbers = np.array(carom.joints.SlidingBearing(0.1, 1e6, 1e5, static=static, restoring=1e5).numbers())

        def gone(memory: np.ndarray, start: np.ndarray, end: np.ndarray, steps: int) -> tuple[np.ndarray, ...]:
            force, by_d, by_rate, after = np.zeros(2), np.zeros((2, 2)), np.zeros((2, 2)), np.zeros(5)
            memory = memory.copy()
            for i in range(1, steps + 1):
                here = start + (end - start) * i / steps
                sliding.follow(numbers, memory, here, np.zeros(2), after, force, by_d, by_rate)  # noqa: B023
                memory[:] = after
            return force, memory, by_d

        memory, at = np.zeros(5), np.zeros(2)
        for _ in range(40):
            to = at + rng.normal(size=2) * 0.02
            (force, after, by_d), (fine, _, _) = gone(memory, at, to, 1), gone(memory, at, to, 50)
            np.testing.assert_allclose(force, fine, atol=1e-10 * 1e4)
            for j, h in enumerate(1e-7 * np.eye(2)):
                slope = (gone(memory, at, to + h, 1)[0] - gone(memory, at, to - h, 1)[0]) / 2e-7
                np.testing.assert_allclose(by_d[:, j], slope, atol=1e-5 * 1e6)
            memory, at = after, to
