"""Forces of contacts that share their bodies against the linear equations that they solve, by NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from carom.kernels import elimination, ledger, rows
from carom.kernels.contact import node_forces
from carom.kernels.laws import power_law

OWN = np.array([[0.04, -0.01, 0.002], [0.11, 0.09, -0.01], [0.17, 0.21, 0.06]])
"""How overlaps at the nodes answer forces there [m/N], about as those of a free mass do."""


def springs(count: int, coupling: float, stiffness: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return tables of closed springs, those of their pairs, and the forces that solve their equations."""
    rng = np.random.default_rng(1)
    contacts = np.zeros((count, rows.contact_size(0)))
    contacts[:, power_law.STIFFNESS], contacts[:, power_law.EXPONENT] = stiffness, 1.0
    contacts[:, power_law.RESTITUTION_SHARE] = contacts[:, power_law.TENSION] = 1.0
    contacts[:, rows.STATUS], contacts[:, rows.DIRECTION] = rows.CLOSED, 1.0
    contacts[:, rows.EFFECTIVE_MASS] = contacts[:, rows.RECENT_SPEED] = 1.0
    contacts[:, rows.FOLLOWS_ABOVE] = math.inf
    shared = np.full((count, count), coupling) + (1.0 - coupling) * np.eye(count)
    pairs = np.zeros((count * count, rows.PAIR_SIZE))
    for c in range(count):
        for d in range(c + 1):
            pairs[c * count + d, :9] = shared[c, d] * OWN.ravel()
    forces = rng.uniform(2.0, 3.0, 3 * count)
    free = forces / stiffness + np.kron(shared, OWN) @ forces
    contacts[:, rows.FREE_OVERLAP : rows.FREE_OVERLAP + 3] = free.reshape(count, 3)
    return contacts, pairs, forces


def account(rtol: float) -> np.ndarray:
    run = np.zeros(ledger.RUN_SIZE)
    run[ledger.TOLERANCE] = rtol
    return run


@pytest.mark.parametrize("count", [2, 3, 8])
def test_closely_coupled_springs_are_solved_for_together(count: int) -> None:
    contacts, pairs, forces = springs(count, 0.999, 1e4)
    room, run = np.zeros(node_forces.room_together(count)), account(1e-6)
    at = slice(rows.AT_NODES, rows.AT_NODES + 3)
    assert node_forces.find_forces(1.0, contacts, pairs, room, run)
    assert run[ledger.CROWDED] == 1.0
    np.testing.assert_allclose(contacts[:, at].ravel(), forces, rtol=1e-9, atol=1e-9 * np.abs(forces).max())

    contacts[:, at] = 0.0
    assert not node_forces.find_forces(1.0, contacts, pairs, room[:0], account(1e-6)), "contact by contact it is slow"


def test_loosely_coupled_springs_are_left_to_quick_rounds() -> None:
    contacts, pairs, forces = springs(4, 0.1, 10.0)
    run = account(1e-9)
    assert node_forces.find_forces(1.0, contacts, pairs, np.zeros(node_forces.room_together(4)), run)
    assert run[ledger.CROWDED] == 0.0
    np.testing.assert_allclose(contacts[:, rows.AT_NODES : rows.AT_NODES + 3].ravel(), forces, rtol=1e-7, atol=1e-7)


def test_what_cannot_be_solved_for_together_stays_as_it_was() -> None:
    """Slopes with which all equations say 0 = r."""
    contacts, pairs, _ = springs(2, 0.0, 1.0)
    room = np.zeros(node_forces.room_together(2))
    for c in range(2):
        pairs[3 * c, :9] = np.eye(3).ravel()
    room[: 3 * 6] = np.tile([1.0, -1.0, 0.0], 6)
    assert node_forces.newton_together(0, 2, 1.0, contacts, pairs, room) == node_forces.NOT_SOLVABLE
    assert not contacts[:, rows.AT_NODES : rows.AT_NODES + 3].any()


def test_crowds() -> None:
    """Of contacts that share all they push, each has its part of the mass; of those that share nothing, all of it."""
    at_end = slice(rows.OVERLAPS + 9, rows.OVERLAPS + 12)
    for coupling, share in ((1.0, 4.0), (0.5, 2.5), (-0.5, 2.5), (0.0, 1.0)):
        contacts, pairs, _ = springs(4, coupling, 1.0)
        for c in range(4):
            for d in range(c + 1):
                pairs[4 * c + d, at_end] = (1.0 if c == d else coupling) * np.array([0.2, 0.2, 0.1])
        assert node_forces.crowd(1, 0, 4, contacts, pairs) == pytest.approx(share, rel=1e-14)


@pytest.mark.parametrize("size", [1, 2, 7, 24])
def test_elimination(size: int) -> None:
    rng = np.random.default_rng(size)
    matrix, right = rng.standard_normal((size, size)), rng.standard_normal(size)
    expected = np.linalg.solve(matrix, right)
    columns, pivots = matrix.T.copy(), np.zeros(size)
    assert elimination.factor(size, columns, pivots)
    elimination.substitute(size, columns, pivots, right)
    np.testing.assert_allclose(right, expected, rtol=1e-9)
    assert not elimination.factor(size, np.zeros((size, size)), pivots)
