"""Modes against closed forms; places on a structure; matrices and masses."""

from __future__ import annotations

import dataclasses
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import carom

GOLDEN = (1.0 + math.sqrt(5.0)) / 2.0

STRUCTURES = [
    carom.Oscillator(mass=4600.0, stiffness=2.11e6, damping_ratio=0.005),
    carom.Body(mass=2.0, gravity=9.81),
    carom.Body(mass=2.0, stiffness=50.0, damping=3.0),
    carom.ShearBuilding([2e5, 1e5, 3e5], [3e8, 2e8, 1e8], heights=[4.0, 7.0, 10.0], damping_ratio=0.05),
    carom.Structure([[2.0, 0.3], [0.3, 1.0]], [[3.0, -1.0], [-1.0, 1.0]], damping_ratio=[0.02, 0.03]),
    carom.Structure([2.0, 1.0], [[3.0, -3.0], [-3.0, 3.0]], damping=[[0.1, 0.0], [0.0, 0.0]]),
    carom.Wall(moving=False),
    carom.Wall(),
    carom.Ground(),
]


@pytest.mark.parametrize("structure", STRUCTURES, ids=lambda s: type(s).__name__)
def test_contract(structure: Any) -> None:
    omega, shapes, sigma = structure.modes()
    n = len(structure.dof_names)
    assert omega.shape == sigma.shape == structure.load.shape == (n,)
    assert structure.influence.shape == (n, 3)
    assert shapes.shape == structure.mass_matrix.shape == structure.damping_matrix.shape == (n, n)
    assert np.all(np.diff(omega) >= 0.0)
    mass, stiffness = structure.mass_matrix, structure.stiffness_matrix
    np.testing.assert_allclose(shapes.T @ mass @ shapes, np.eye(n), atol=1e-14)
    scale = max(omega, default=0.0) ** 2 + 1e-300
    np.testing.assert_allclose(shapes.T @ stiffness @ shapes / scale, np.diag(omega**2) / scale, atol=1e-14)
    np.testing.assert_allclose(
        shapes.T @ structure.damping_matrix @ shapes, structure.modal_damping, rtol=1e-12, atol=1e-13
    )
    np.testing.assert_allclose(np.diag(structure.modal_damping), 2.0 * sigma, rtol=1e-12)
    for array in (omega, shapes, sigma, mass, stiffness, structure.damping_matrix, structure.influence):
        assert not array.flags.writeable
        assert array.flags.c_contiguous
    assert structure == structure.replace() == pickle.loads(pickle.dumps(structure))
    assert hash(structure) == hash(structure.replace())
    assert structure != structure.replace(name="other")
    with pytest.raises(dataclasses.FrozenInstanceError):
        structure.name = "x"


def test_two_equal_storeys_have_golden_frequencies() -> None:
    k, m = 3e7, 2e4
    building = carom.ShearBuilding([m, m], k)
    root = math.sqrt(k / m)
    np.testing.assert_allclose(building.modes().omega, [root / GOLDEN, root * GOLDEN], rtol=1e-15)
    first = building.modes().shapes[:, 0]
    assert first[1] / first[0] == pytest.approx(GOLDEN, rel=1e-14)


@pytest.mark.parametrize("n", [1, 2, 10, 40])
def test_equal_storeys_follow_the_chain_formula(n: int) -> None:
    """ω_j = 2 √(k/m) sin((2j−1)π / (2(2n+1))): a chain fixed at one end, free at the other."""
    k, m = 3e8, 2e5
    j = np.arange(1, n + 1)
    exact = 2.0 * math.sqrt(k / m) * np.sin((2 * j - 1) * math.pi / (2 * (2 * n + 1)))
    building = carom.ShearBuilding([m] * n, [k] * n)
    np.testing.assert_allclose(building.modes().omega, exact, rtol=1e-13)
    np.testing.assert_allclose(building.periods, 2.0 * math.pi / exact, rtol=1e-13)
    general = carom.Structure(building.mass_matrix, building.stiffness_matrix)
    np.testing.assert_allclose(general.modes().omega, exact, rtol=1e-11)
    np.testing.assert_allclose(np.abs(general.modes().shapes), np.abs(building.modes().shapes), atol=1e-14)


def test_soft_mode_keeps_its_digits_beside_a_stiff_one() -> None:
    """An isolated rigid block: ω² = k/(m₁+m₂) to first order in k/K, of relative size 1e-14 of the stiff mode's."""
    k, stiff = 1.0, 1e14
    building = carom.ShearBuilding([1.0, 1.0], [k, stiff])
    assert building.modes().omega[0] == pytest.approx(math.sqrt(0.5), rel=1e-14)
    assert building.modes().omega[1] == pytest.approx(math.sqrt(2.0 * stiff), rel=1e-14)


def test_rigid_modes_are_exactly_zero() -> None:
    assert carom.Body(mass=3.0).modes().omega[0] == 0.0
    free = carom.Structure([3.0, 1.0, 2.0], [[7.0, -7.0, 0.0], [-7.0, 11.0, -4.0], [0.0, -4.0, 4.0]])
    omega, shapes, _ = free.modes()
    assert omega[0] == 0.0
    assert omega[1] > 0.1
    np.testing.assert_allclose(shapes[:, 0], 1.0 / math.sqrt(6.0), rtol=1e-13)
    assert np.isinf(free.periods[0])
    assert carom.Structure([1.0, 1.0], np.zeros((2, 2))).modes().omega.tolist() == [0.0, 0.0]


@given(
    st.lists(st.floats(1e3, 1e6), min_size=1, max_size=8),
    st.lists(st.floats(1e5, 1e9), min_size=8, max_size=8),
)
def test_modes_hold_the_matrices(masses: list[float], stiffnesses: list[float]) -> None:
    building = carom.ShearBuilding(masses, stiffnesses[: len(masses)], damping_ratio=0.03)
    omega, shapes, sigma = building.modes()
    np.testing.assert_allclose(shapes @ shapes.T @ building.mass_matrix, np.eye(len(masses)), atol=1e-12)
    momenta = building.mass_matrix @ shapes
    rebuilt = momenta @ np.diag(omega**2) @ momenta.T
    scale = np.abs(building.stiffness_matrix).max()
    np.testing.assert_allclose(rebuilt / scale, building.stiffness_matrix / scale, atol=1e-11)
    np.testing.assert_allclose(sigma, 0.03 * omega, rtol=1e-15)
    assert np.all(shapes[np.abs(shapes).argmax(axis=0), np.arange(len(masses))] > 0.0)


def test_oscillator_is_given_in_three_ways() -> None:
    by_stiffness = carom.Oscillator(mass=98.0, stiffness="98000 N/m")
    by_period = carom.Oscillator(mass=98.0, period=by_stiffness.period)
    by_frequency = carom.Oscillator(mass="98 kg", frequency=f"{by_stiffness.frequency!r} Hz")
    for other in (by_period, by_frequency):
        assert other.stiffness == pytest.approx(98000.0, rel=1e-14)
        assert other.modes().omega[0] == pytest.approx(math.sqrt(1000.0), rel=1e-14)
    assert by_period.replace(mass=50.0).period == by_period.period
    assert by_stiffness.replace(mass=50.0).stiffness == 98000.0
    assert by_stiffness.replace(period=2.0).period == 2.0
    damped = by_stiffness.replace(damping=12.0)
    assert damped.modes().sigma[0] == pytest.approx(12.0 / (2 * 98.0), rel=1e-15)
    assert damped.replace(damping_ratio="5 %").modes().sigma[0] == pytest.approx(0.05 * math.sqrt(1000.0), rel=1e-15)
    assert eval(repr(damped), {"Oscillator": carom.Oscillator}) == damped


def test_rows() -> None:
    building = carom.ShearBuilding([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], heights=["4 m", 7.0, 1000.0])
    assert building.row(2).tolist() == building.row("floor 2").tolist() == building.row("7 m").tolist() == [0, 1, 0]
    assert building.row("1 m").tolist() == [0.25, 0.0, 0.0]
    assert building.row(5.5).tolist() == [0.5, 0.5, 0.0]
    assert building.row("5500 mm").tolist() == pytest.approx([0.5, 0.5, 0.0], abs=1e-14)
    assert carom.ShearBuilding([1.0] * 3, 1.0, heights="3 m").floor_heights == (3.0, 6.0, 9.0)
    assert carom.Oscillator(mass=1, stiffness=1).row().tolist() == [1.0]
    assert carom.Oscillator(mass=1, stiffness=1).row(1).tolist() == [1.0]
    deck = carom.Structure([1.0, 2.0], np.eye(2), dofs=["u", "theta"], influence=[1.0, 0.0])
    assert deck.row("theta").tolist() == [0.0, 1.0]
    assert deck.row({"u": 1.0, "theta": -2.5}).tolist() == [1.0, -2.5]
    assert carom.Wall().row(3).tolist() == []
    assert carom.Wall(moving=False).row("2 m").tolist() == [1.0]


@given(st.floats(0.01, 12.0))
def test_interpolated_rows_are_linear_and_whole(height: float) -> None:
    heights = np.array([4.0, 7.0, 12.0])
    row = carom.ShearBuilding([1.0] * 3, 1.0, heights=heights.tolist()).row(height)
    assert row @ heights == pytest.approx(height, rel=1e-12)  # a leaning straight line stays straight
    assert row.min() >= 0.0
    if height >= 4.0:
        assert row.sum() == pytest.approx(1.0, rel=1e-14)


def test_mobility_is_the_inverse_mass_of_a_row() -> None:
    building = carom.ShearBuilding([2.0, 4.0], [1.0, 1.0], heights=[3.0, 6.0])
    assert building.mobility(building.row(2)) == 0.25
    assert building.mobility(building.row("4.5 m")) == pytest.approx(0.25 / 2.0 + 0.25 / 4.0)
    general = carom.Structure([[2.0, 0.5], [0.5, 1.0]], np.eye(2))
    row = np.array([1.0, -0.3])
    assert general.mobility(row) == pytest.approx(row @ np.linalg.inv(general.mass_matrix) @ row, rel=1e-14)
    assert carom.Wall(moving=False).mobility(np.ones(1)) == 0.0
