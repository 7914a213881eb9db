"""Convergence studies: McKenna's model against SciPy, and orders against theory."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from tests.reproduced import reproduce

from carom.cases.mahmoud2008.fig14 import SCHEMES, SLACK, TAUT
from carom.cases.mahmoud2008.tacoma import EQUILIBRIUM, forces, slant, stays
from carom.integrate import irk


def test_the_bridge_rests_where_its_stays_carry_it() -> None:
    assert pytest.approx(12.25) == EQUILIBRIUM  # 2K y = m g
    np.testing.assert_allclose(forces(0.0, np.array([0.0, 0.0, EQUILIBRIUM, 0.0])), 0.0, atol=1e-12)


def test_the_slanting_function_is_the_slope_of_the_forces() -> None:
    for u in (np.array([0.3, 0.1, 8.0, -0.2]), np.array([1.2, 0.0, 0.5, 1.0]), np.array([-1.0, 0.3, -2.0, 0.0])):
        moved = np.column_stack([(forces(1.0, u + 1e-6 * e) - forces(1.0, u - 1e-6 * e)) / 2e-6 for e in np.eye(4)])
        np.testing.assert_allclose(slant(1.0, u), moved, atol=1e-8)


@pytest.mark.parametrize("start", [TAUT, SLACK])
def test_the_bridge_against_scipy(start) -> None:
    found = irk(forces, start, [0.0, 10.0], jac=slant, scheme="radau-iia-3", h=0.01)
    other = solve_ivp(forces, (0.0, 10.0), start, method="DOP853", rtol=1e-11, atol=1e-12, max_step=0.01)
    np.testing.assert_allclose(found.state[-1], other.y[:, -1], atol=2e-5)
    assert (stays(found.state).min() > 0.0) == (start is TAUT)


def test_orders_of_figure_14() -> None:
    orders = {row.quantity: row.computed for row in reproduce("mahmoud2008-fig14").rows}
    for _, title, theory in SCHEMES:
        if theory == 1:
            continue
        assert orders[f"{title}: order, taut stays (order {theory})"] == pytest.approx(theory, abs=0.1)
        assert orders[f"{title}: order, slack stays, steps across kinks"] > 1.0
        assert orders[f"{title}: order, slack stays, steps end on kinks"] > theory - 0.5


def test_a_step_of_a_millisecond_suffices_unless_the_method_damps_or_lags() -> None:
    found = {row.quantity: row.computed for row in reproduce("langlade2021-fig11").rows}
    assert found["penalty law: steps at 1 μs over steps at 1 ms (text: cost 1000 times)"] == pytest.approx(1000.0)
    assert found["NSCD at 1 ms, e = 0.6: error of u1 against impacts event by event"] < 1.0
    for quantity, computed in found.items():
        if "error of u1" not in quantity or "NSCD" in quantity:
            continue
        if "backward" in quantity:
            assert computed > 5.0
        elif "lagging, 1 ms" in quantity and "100·" in quantity:
            assert computed > 1.5
        elif "lagging" not in quantity or "1 μs" in quantity:
            assert computed < 0.2
    # a lagging force: stiffness times step decides
    for law in ("NLVE", "Khatami"):
        long, short = (found[f"{law}, 100·max(k1, k2), lagging, {step}: error of u1"] for step in ("1 ms", "1 μs"))
        assert 300.0 < long / short < 3000.0
