"""What a ripple costs a step, and what contacts do to a mode that swings in it, against direct integration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from carom.kernels import collocation as c
from carom.kernels import modal_energy, ripple, rows


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


def contacts_with(forces: np.ndarray, reach: float) -> np.ndarray:
    table = np.zeros((1, rows.contact_size(1)))
    table[0, :2] = 1.0  # a spring, without overlap: the forces are all damping's
    table[0, rows.STATUS] = rows.CLOSED
    table[0, rows.AT_NODES : rows.AT_NODES + 3] = forces
    table[0, rows.LEVER : rows.LEVER + 2] = reach
    return table


@pytest.mark.parametrize("angle", [3.0, 11.0])
def test_work_on_a_mode_that_swings(angle: float) -> None:
    h, forces, reach, q0, v0 = 2e-3, np.array([3.0, 4.0, 3.5]), 0.7, 1e-6, 5e-3
    mode = np.zeros(rows.MODE_SIZE)
    mode[rows.OMEGA] = angle / h
    mode[rows.SQUARE], mode[rows.TWICE] = mode[rows.OMEGA] ** 2, 0.04 * mode[rows.OMEGA]
    shape = np.poly1d(np.polyfit(h * c.S[c.PLAIN, :3], forces, 2))

    def motion(t: float, y: np.ndarray) -> list[float]:
        pull = -reach * shape(t) - mode[rows.TWICE] * y[1] - mode[rows.SQUARE] * y[0]
        return [y[1], pull, reach * shape(t) * y[1], mode[rows.TWICE] * y[1] ** 2]

    out = solve_ivp(
        motion, (0.0, h), [q0, v0, 0.0, 0.0], method="DOP853", rtol=1e-12, atol=1e-16, t_eval=h * c.S[c.PLAIN]
    )  # fmt: skip
    q1, v1, work, taken = out.y[:, -1]
    a, b, bow = reach * shape(0.0), reach * shape.deriv()(0.0), 0.5 * reach * shape.deriv(2)(0.0)
    gained, lost, area, moment = modal_energy.stiff_energy(
        mode, 1.0 / mode[rows.SQUARE], q0, v0, q1, v1, 0.0, 0.0, a, b, bow, h
    )
    assert gained == 0.0
    assert lost == pytest.approx(taken, rel=1e-6)
    contacts, rates = contacts_with(forces, reach), np.array([0.0, 0.0, 0.0, *out.y[1, :3]])
    more, spent = ripple.unseen_work(0, h, q0, q1, area, moment, 3, rates, contacts)
    by_nodes = h * c.SPEEDS[c.PLAIN] @ (reach * forces * out.y[1, :3])
    assert spent == 0.0
    assert by_nodes + more == pytest.approx(work, rel=1e-7)
    assert abs(more) > 1e-3 * abs(work)  # the nodes alone do not see it
    assert contacts[0, rows.WORK] == more
    contacts[0, 0] = 0.0  # a dashpot between modes: its work is damping's
    assert ripple.unseen_work(0, h, q0, q1, area, moment, 3, rates, contacts) == (0.0, more)


def test_a_mode_that_follows_its_load_does_not_swing() -> None:
    """At q = p/ω² with q̇ = ṗ/ω² nothing swings; beside it the amplitude is that of the difference."""
    omega, sigma, reach, climb = 6e3, 120.0, 0.7, 4e5
    modes, contacts = np.zeros((1, rows.MODE_SIZE)), contacts_with(np.zeros(3), reach)
    contacts[0, rows.CLIMB] = climb
    row = modes[0]
    row[rows.OMEGA], row[rows.SQUARE], row[rows.TWICE] = omega, omega**2, 2.0 * sigma
    row[rows.V] = -reach * climb / omega**2
    row[rows.W] = -row[rows.TWICE] * row[rows.V]
    assert ripple.swing(0, modes, contacts) == pytest.approx(0.0, abs=1e-15)
    row[rows.V] += 3e-3
    row[rows.W] = -row[rows.TWICE] * row[rows.V] - omega * 4e-3
    assert ripple.swing(0, modes, contacts) == pytest.approx(5e-3)
