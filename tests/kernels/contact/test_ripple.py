"""What a ripple costs a step."""

from __future__ import annotations

import math

import numpy as np
import pytest

from carom.kernels import rows
from carom.kernels.contact import collocation as c
from carom.kernels.contact import ripple


@pytest.mark.parametrize("angle", [0.5, 1.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 17.0, 30.0])
def test_three_nodes_of_a_cosine(angle: float) -> None:
    """The bound on what Gauss' nodes miss of the mean, at the worst phase, within a factor while they follow."""
    phases = np.linspace(0.0, 2.0 * math.pi, 73)[:, None]
    seen = np.cos(angle * c.S[c.PLAIN, :3] + phases) @ c.SPEEDS[c.PLAIN]
    mean = (np.sin(angle + phases) - np.sin(phases))[:, 0] / angle
    missed, bound = np.abs(seen - mean).max(), min(ripple.ASTRAY, ripple.GAUSS * angle**6)
    assert missed < 1.05 * bound or angle > 10.0
    assert missed < 2.0 * ripple.ASTRAY
    if angle <= 6.0:
        assert missed > 0.5 * bound


def contacts_with(reach: float) -> np.ndarray:
    table = np.zeros((1, rows.contact_size(1)))
    table[0, rows.STATUS] = rows.CLOSED
    table[0, rows.LEVER : rows.LEVER + 2] = reach
    return table


def test_a_mode_that_follows_its_load_does_not_swing() -> None:
    """At q = p/ω² with q̇ = ṗ/ω² nothing swings; beside it the amplitude is that of the difference."""
    omega, sigma, reach, climb = 6e3, 120.0, 0.7, 4e5
    modes, contacts = np.zeros((1, rows.MODE_SIZE)), contacts_with(reach)
    contacts[0, rows.CLIMB] = climb
    row = modes[0]
    row[rows.OMEGA], row[rows.SQUARE], row[rows.TWICE] = omega, omega**2, 2.0 * sigma
    row[rows.V] = -reach * climb / omega**2
    row[rows.W] = -row[rows.TWICE] * row[rows.V]
    assert ripple.swing(0, modes, contacts) == pytest.approx(0.0, abs=1e-15)
    row[rows.V] += 3e-3
    row[rows.W] = -row[rows.TWICE] * row[rows.V] - omega * 4e-3
    assert ripple.swing(0, modes, contacts) == pytest.approx(5e-3)
