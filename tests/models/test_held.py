"""Constraints and condensation against a second implementation: null spaces and pencils of dense matrices."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg

import carom
from carom.models.held import independent, reduced


def random_constraints(chance, size):
    """Return supports and followers, some said twice, some in chains."""
    held = chance.choice(size, 2, replace=False).tolist()
    followed = []
    for _ in range(3):
        a, b, c = chance.choice(size, 3, replace=False).tolist()
        followed.append(([a], [b, c], chance.normal(size=(1, 2))))
    return [*held, held[0]], [*followed, followed[0]]


def equations(size, held, followed):
    rows = [np.eye(1, size, at)[0] for at in held]
    for at, to, matrix in followed:
        for one, weights in zip(at, matrix, strict=True):
            row = np.eye(1, size, one)[0]
            row[to] -= weights
            rows.append(row)
    return np.array(rows)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_left_spans_all_that_constraints_allow(seed):
    chance = np.random.default_rng([seed, 3])
    size = int(chance.integers(8, 14))
    held, followed = random_constraints(chance, size)
    rows = equations(size, held, followed)
    motions = independent(size, held, followed)
    allowed = linalg.null_space(rows)
    assert motions.shape == allowed.shape
    assert rows @ motions == pytest.approx(0.0, abs=1e-9 * np.abs(motions).max())
    assert np.linalg.matrix_rank(np.hstack([motions, allowed]), tol=1e-8) == allowed.shape[1]


@pytest.mark.parametrize("seed", range(20))
def test_condensed_frequencies_are_the_finite_ones_of_the_pencil(seed):
    """M of any rank, zero rows and hidden directions alike: the finite eigenvalues of (K, M) by its inverse pencil."""
    chance = np.random.default_rng([seed, 4])
    size, rank = 9, int(chance.integers(2, 7))
    half = chance.normal(size=(size, rank))
    if seed % 2:
        half[chance.choice(size, 3, replace=False)] = 0.0
    mass = half @ half.T
    spring = chance.normal(size=(size, size))
    stiffness = 1e4 * (spring @ spring.T + np.eye(size))
    names = [f"dof {i}" for i in range(size)]
    found = reduced(names, mass, 2e-3 * stiffness + 0.3 * mass, stiffness, np.eye(size), "the model")
    flexible = linalg.eigvalsh(mass, stiffness)
    expected = np.sort(1.0 / flexible[flexible > 1e-10 * flexible.max()])
    squares = linalg.eigh(found.stiffness, found.mass, eigvals_only=True)
    assert squares == pytest.approx(expected, rel=1e-7)
    assert found.damping == pytest.approx(2e-3 * found.stiffness + 0.3 * found.mass, rel=1e-6, abs=1e-6)
    assert found.remarks == ()


def test_a_damper_on_what_has_no_mass_is_an_approximation_and_said():
    names = ["a", "b"]
    stiffness = np.array([[2.0, -1.0], [-1.0, 2.0]])
    found = reduced(names, np.diag([1.0, 0.0]), np.diag([0.0, 0.1]), stiffness, np.eye(2), "the model")
    assert found.names == ("a",)
    assert found.stiffness[0, 0] == pytest.approx(1.5)
    assert found.damping[0, 0] == pytest.approx(0.1 * 0.25)  # it moves by half of what a moves
    assert "dampers act on degrees of freedom without mass" in found.remarks[0]


def test_refusals_name_what_moves():
    names = ["a", "b", "c"]
    chain = np.array([[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    with pytest.raises(carom.InputError, match="the model can move without mass and without stiffness at a, b"):
        reduced(names, np.diag([0.0, 0.0, 1.0]), np.zeros((3, 3)), chain, np.eye(3), "the model")
    with pytest.raises(carom.InputError, match="has no mass that can move"):
        reduced(names, np.zeros((3, 3)), np.zeros((3, 3)), chain, np.eye(3), "the model")
    leaning = chain.copy()
    leaning[0, 1] = -0.9
    with pytest.raises(carom.InputError, match="stiffness of the model is not symmetric"):
        reduced(names, np.eye(3), np.zeros((3, 3)), leaning, np.eye(3), "the model")


def test_what_nothing_holds_and_nothing_moves_is_left_out_and_said():
    found = reduced(["a", "b"], np.diag([1.0, 0.0]), np.zeros((2, 2)), np.diag([4.0, 0.0]), np.eye(2), "the model")
    assert found.names == ("a",)
    assert found.remarks == ("b without mass, stiffness and damping is left out",)
