"""Damping: ratios in, ratios out; matrices rebuilt; what couples modes is seen."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import carom
from carom.errors import InputError

BUILDING = carom.ShearBuilding([2e5, 1e5, 3e5, 1e5], [3e8, 2e8, 1e8, 2e8])
M, K = BUILDING.mass_matrix, BUILDING.stiffness_matrix


def ratios(structure: carom.ShearBuilding | carom.Structure) -> np.ndarray:
    omega, _, sigma = structure.modes()
    return sigma / omega


def test_one_ratio_for_all_modes_and_one_for_each() -> None:
    np.testing.assert_allclose(ratios(BUILDING.replace(damping_ratio="5 %")), 0.05, rtol=1e-15)
    each = [0.01, 0.02, 0.03, 0.04]
    building = BUILDING.replace(damping_ratio=each)
    np.testing.assert_allclose(ratios(building), each, rtol=1e-15)
    assert building.classical
    again = BUILDING.replace(damping=building.damping_matrix)  # the matrix itself gives the ratios back
    assert again.classical
    np.testing.assert_allclose(ratios(again), each, rtol=1e-12)


def test_rayleigh() -> None:
    alpha, beta = 0.3, 0.002
    building = BUILDING.replace(damping=carom.Rayleigh(alpha, "2 ms"))
    np.testing.assert_allclose(building.damping_matrix, alpha * M + beta * K, rtol=1e-12, atol=1e-9 * beta * K.max())
    omega = building.modes().omega
    np.testing.assert_allclose(ratios(building), alpha / (2 * omega) + beta * omega / 2, rtol=1e-14)
    assert carom.Structure([1.0], [[0.0]], damping=carom.Rayleigh(alpha, beta)).modes().sigma[0] == alpha / 2


def test_rayleigh_from_ratios() -> None:
    f = BUILDING.frequencies
    by_frequency = carom.Rayleigh.from_ratios([0.03, 0.05], frequencies=[f[0], f[2]])
    by_period = carom.Rayleigh.from_ratios([0.03, 0.05], periods=[1 / f[0], 1 / f[2]])
    by_mode = carom.Rayleigh.from_ratios([0.03, 0.05], modes=(1, 3))
    for damping in (by_frequency, by_period, by_mode):
        found = ratios(BUILDING.replace(damping=damping))
        np.testing.assert_allclose(found[[0, 2]], [0.03, 0.05], rtol=1e-12)
        np.testing.assert_allclose(found, ratios(BUILDING.replace(damping=by_frequency)), rtol=1e-12)
    assert isinstance(by_frequency, carom.Rayleigh)


def test_caughey_meets_every_ratio() -> None:
    asked = [0.05, 0.04, 0.06, 0.05]
    building = BUILDING.replace(damping=carom.Caughey(asked, modes=(1, 2, 3, 4)))
    np.testing.assert_allclose(ratios(building), asked, rtol=1e-14)
    # C is the Caughey series: it commutes as M⁻¹K does, C M⁻¹ K = K M⁻¹ C
    c = building.damping_matrix
    left, right = c @ np.linalg.solve(M, K), K @ np.linalg.solve(M, c)
    np.testing.assert_allclose(left, right, atol=1e-11 * np.abs(left).max())
    three = BUILDING.replace(damping=carom.Caughey(0.05, modes=(1, 2, 4)))
    np.testing.assert_allclose(ratios(three)[[0, 1, 3]], 0.05, rtol=1e-14)


def test_a_series_that_turns_negative_is_refused() -> None:
    """Three points at the low end of the spectrum make a parabola in ω² that falls below zero further up."""
    tall = carom.ShearBuilding([1.0] * 10, 1.0)
    with pytest.raises(InputError, match=r"`damping` of ShearBuilding must not be negative.* in mode"):
        tall.replace(damping=carom.Caughey([0.05, 0.05, 0.05], modes=(1, 2, 3)))


@given(st.lists(st.floats(0.0, 0.3), min_size=4, max_size=4))
def test_matrices_of_any_ratios_are_seen_as_classical(each: list[float]) -> None:
    building = BUILDING.replace(damping_ratio=each)
    again = BUILDING.replace(damping=building.damping_matrix)
    assert again.classical
    np.testing.assert_allclose(ratios(again), each, atol=1e-13)


def test_one_damper_couples_modes() -> None:
    damper = np.zeros((4, 4))
    damper[0, 0] = 1e6
    building = BUILDING.replace(damping=damper)
    assert not building.classical
    shapes = building.modes().shapes
    np.testing.assert_allclose(building.modal_damping, shapes.T @ damper @ shapes, rtol=1e-13)
    np.testing.assert_array_equal(building.damping_matrix, damper)


def test_equal_frequencies_are_turned_to_suit_the_damping() -> None:
    """Two equal oscillators with a dashpot between them: classical, though not in the modes eigh happens to give."""
    twins = carom.Structure([1.0, 1.0], np.eye(2), damping=[[1.0, -1.0], [-1.0, 1.0]])
    assert twins.classical
    np.testing.assert_allclose(np.sort(twins.modes().sigma), [0.0, 1.0], atol=1e-15)
