"""What damping in contacts does in a step, against direct integration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from carom.kernels import rows
from carom.kernels.contact import collocation as c
from carom.kernels.contact import work as contact_work
from carom.kernels.laws import power_law
from carom.kernels.modal import energy as modal_energy


def contacts_with(reach: float) -> np.ndarray:
    table = np.zeros((1, rows.contact_size(1)))
    table[0, :2] = 1.0  # a spring
    table[0, rows.STATUS] = rows.CLOSED
    table[0, rows.LEVER : rows.LEVER + 2] = reach
    return table


@pytest.mark.parametrize("kind", range(c.KINDS))
def test_products_of_quartics_are_exact(kind: int) -> None:
    first, second = np.poly1d([1.0, -2.0, 0.5, 3.0, -1.0]), np.poly1d([-0.5, 1.5, 2.0, -1.0, 0.3])
    truth, _ = quad(lambda s: first(s) * second(s) * float(c.time_map(kind, np.array([s]))[1][0]), 0.0, 1.0)
    assert first(c.FIVE[kind]) @ c.PRODUCTS[kind] @ second(c.FIVE[kind]) == pytest.approx(truth, rel=1e-12)


def test_what_a_dashpot_dissipates_in_a_contact() -> None:
    """A damped swing of 2.4 radians in three steps: three nodes of each alone miss almost twice as much."""
    omega, zeta, steps = 4e3, 0.2, 3
    swift, h = omega * math.sqrt(1.0 - zeta**2), 2.4 / omega / steps
    stiffness, damping = omega**2, 2.0 * zeta * omega  # of a mass of 1 kg

    def overlap(t: np.ndarray) -> np.ndarray:
        return np.exp(-zeta * omega * t) * np.sin(swift * t) / swift

    def rate(t: np.ndarray) -> np.ndarray:
        return np.exp(-zeta * omega * t) * np.cos(swift * t) - zeta * omega * overlap(t)

    row = contacts_with(1.0)[0]
    row[power_law.STIFFNESS], row[power_law.EXPONENT] = stiffness, 1.0
    taken, by_nodes = 0.0, 0.0
    for i in range(steps):
        times = h * (i + c.FIVE[c.PLAIN])
        depths, rates = overlap(times), rate(times)
        forces = stiffness * depths + damping * rates
        row[rows.DEPTH], row[rows.PACE], row[rows.FORCE] = depths[0], rates[0], forces[0]
        row[rows.OVERLAP : rows.OVERLAP + 4], row[rows.RATE : rows.RATE + 4] = depths[1:], rates[1:]
        row[rows.AT_NODES : rows.AT_NODES + 4] = forces[1:]
        taken += contact_work.work_of(c.PLAIN, h, row)
        by_nodes += h * c.SPEEDS[c.PLAIN] @ (damping * rates[1:4] ** 2)
    assert row[rows.HELD] == pytest.approx(0.5 * stiffness * overlap(np.array(h * steps)) ** 2)
    truth, _ = quad(lambda t: damping * float(rate(np.array(t))) ** 2, 0.0, h * steps, epsabs=0.0, epsrel=1e-13)
    missed, missed_by_nodes = abs(taken - row[rows.HELD] - truth), abs(by_nodes - truth)
    assert missed < 2.5e-6 * truth
    assert missed < 0.6 * missed_by_nodes


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
    contacts, rates = contacts_with(reach), np.array([0.0, 0.0, 0.0, *out.y[1]])
    contacts[0, rows.RESISTANCE : rows.RESISTANCE + 5] = shape(h * c.FIVE[c.PLAIN])
    modes = np.zeros((1, rows.MODE_SIZE))
    modes[0, rows.Q], modes[0, rows.V] = q0, v0
    more, spent = contact_work.unseen_work(0, h, q1, area, moment, 3, rates, modes, contacts)
    by_nodes = reach * contact_work.resisted(c.PLAIN, h, v0, rates, 3, contacts[0])
    assert spent == 0.0
    assert by_nodes + more == pytest.approx(work, rel=1e-7)
    assert abs(more) > 1e-4 * abs(work)  # nodes and ends alone do not see it
    assert contacts[0, rows.WORK] == more
    contacts[0, 0] = 0.0  # a dashpot between modes: its work is damping's
    assert contact_work.unseen_work(0, h, q1, area, moment, 3, rates, modes, contacts) == (0.0, more)
