"""`carom.integrate.irk` with `switch`: steps end on the kinks, and f keeps to the side that a step belongs to."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from carom.errors import InputError, RunError
from carom.integrate import irk
from carom.integrate.tableaux import Tableau, tableaux
from carom.results import Outcome

METHODS = list(tableaux)
by_name = pytest.mark.parametrize("method", METHODS, ids=[m.name for m in METHODS])
STEPS = {1: (512, 1024), 2: (256, 512), 3: (128, 256), 6: (24, 48), 8: (16, 32)}
"""Steps of the two runs that an order is taken from, where 64 and 128 are too many or too few."""


def position(u):
    return u[0]


def half_spring(_t, u, side):
    """A mass on a spring that pushes only: u = sin t to t = π, then straight on."""
    return np.array([u[1], -u[0] if side > 0.0 else 0.0])


def rough(t, u, side):
    """Other nonlinear springs on either side, a load, and damping on one: nothing is exact anywhere."""
    pull = 3.0 * np.sin(u[0]) + u[0] ** 2 if side > 0.0 else 2.0 * u[0] - 0.3 * u[0] * u[1]
    return np.array([u[1], 0.4 * np.cos(1.3 * t) - pull])


def observed(method: Tableau, f, u0, last, exact) -> float:
    steps = STEPS.get(method.order, (64, 128))
    if method.name == "burrage":  # a large constant: it is late
        steps = (256, 512)
    errors = [
        np.abs(irk(f, u0, [0.0, last], scheme=method, h=last / n, switch=position).state[-1] - exact).max()
        for n in steps
    ]
    return math.log2(errors[0] / errors[1])


@by_name
def test_every_method_regains_its_order(method: Tableau) -> None:
    """Compare `test_nonsmooth`, where a step ends on the kink and f is not held: Burrage 2, Radau IA-3 4."""
    exact = np.array([math.pi - 4.0, -1.0])
    assert observed(method, half_spring, [0.0, 1.0], 4.0, exact) == pytest.approx(method.order, abs=0.1)


@pytest.fixture(scope="module")
def known() -> tuple[np.ndarray, list[float]]:
    """The rough system by Dormand and Prince's method of order 8, one side after the other."""
    t, u, side, kinks = 0.0, np.array([0.4, 0.7]), 1.0, []
    while t < 4.0:

        def leaves(_t, u):
            return u[0]

        leaves.terminal, leaves.direction = True, -side
        how = {"method": "DOP853", "events": leaves, "rtol": 1e-13, "atol": 1e-15}
        run = solve_ivp(lambda t, u, side=side: rough(t, u, side), (t, 4.0), u, **how)
        t, u = float(run.t[-1]), run.y[:, -1]
        if t < 4.0:
            kinks.append(t)
            side = -side
    return u, kinks


@by_name
def test_every_method_has_its_order_where_nothing_is_straight(method: Tableau, known) -> None:
    exact, kinks = known
    assert len(kinks) >= 2
    assert observed(method, rough, [0.4, 0.7], 4.0, exact) == pytest.approx(method.order, abs=0.2)


@given(st.floats(0.5, 5.0), st.floats(0.5, 5.0), st.sampled_from(["radau-iia-3", "burrage", "gauss-3", "rk4"]))
@settings(max_examples=25, deadline=None)
def test_kinks_are_found_where_they_are(right: float, left: float, scheme: str) -> None:
    """Two springs, one on either side: half periods π/ω by turns, from a start on the kink."""
    known, last = [], 6.0
    while not known or known[-1] + math.pi / (left if len(known) % 2 else right) < last:
        known.append((known[-1] if known else 0.0) + math.pi / (left if len(known) % 2 else right))

    def f(_t, u, side):
        return np.array([u[1], -((right if side > 0.0 else left) ** 2) * u[0]])

    known = [t for t in known if t < last - 1e-6]
    run = irk(f, [0.0, 1.0], [0.0, last], scheme=scheme, rtol=1e-9, switch=position)
    assert run.evidence["kinks"] == run.kinks.size
    found = run.kinks[run.kinks < last - 1e-6]
    np.testing.assert_allclose(found, known, atol=1e-6)
    np.testing.assert_allclose(run(found)[:, 0], 0.0, atol=1e-12)
    assert set(found.tolist()) <= set(run.time.tolist())


def test_f_may_jump_and_the_dense_output_knows() -> None:
    """Thrown up in a field that pulls down with 1 above ground and pushes up with 2 below: parabolas throughout."""

    def f(_t, u, side):
        return np.array([u[1], -1.0 if side > 0.0 else 2.0])

    run = irk(f, [0.0, 1.0], [0.0, 4.0], scheme="gauss-2", h=0.37, switch=position)
    np.testing.assert_allclose(run.kinks, [2.0, 3.0], atol=1e-12)
    assert (np.diff(run.time) == 0.0).sum() == 2
    at = np.array([0.5, 1.9, 2.1, 2.9, 3.5])
    exact = [0.375, 1.9 - 1.9**2 / 2, -0.1 + 0.1**2, -0.9 + 0.9**2, 0.5 - 0.125]
    np.testing.assert_allclose(run(at)[:, 0], exact, atol=1e-12)


@pytest.mark.parametrize("how", [{"h": 0.3}, {"rtol": 1e-9}])
def test_several_kinks_and_two_at_once(how) -> None:
    """Each of two masses on its own spring that pushes only; the first two let go together, at t = π."""

    def f(_t, u, side):
        return np.array([*u[3:], *np.where(side > 0.0, -u[:3] * np.array([1.0, 1.0, 4.0]), 0.0)])

    def g(_t, u):
        return u[:3]

    run = irk(f, [0.0, 0.0, 0.0, 1.0, 2.0, 1.0], [0.0, 4.0], scheme="gauss-4", switch=g, **how)
    np.testing.assert_allclose(run.kinks, [math.pi / 2.0, math.pi, math.pi], atol=1e-6)
    late = 4.0 - math.pi
    exact = [-late, -2.0 * late, -(4.0 - math.pi / 2.0), -1.0, -2.0, -1.0]
    np.testing.assert_allclose(run.state[-1], exact, atol=1e-6)


def test_a_jacobian_by_hand_and_a_kink_in_time() -> None:
    """A load that begins at t = 1: g may depend on time alone."""

    def f(_t, u, side):
        return np.array([u[1], -u[0] + (1.0 if side > 0.0 else 0.0)])

    def jac(_t, _u, _side):
        return np.array([[0.0, 1.0], [-1.0, 0.0]])

    run = irk(f, [0.0, 0.0], [0.0, 3.0], jac=jac, scheme="radau-iia-3", h=0.05, switch=lambda t, _u: t - 1.0)
    np.testing.assert_allclose(run.kinks, [1.0], atol=1e-14)
    np.testing.assert_allclose(run.state[-1], [1.0 - math.cos(2.0), math.sin(2.0)], atol=1e-9)


@pytest.mark.parametrize("how", [{"h": 0.1}, {"rtol": 1e-6}])
def test_a_state_that_neither_side_lets_go(how) -> None:
    """u′ = −sign u slides along u = 0 from t = 1: said, with what there was before."""

    def f(_t, _u, side):
        return np.array([-side])

    run = irk(f, [1.0], [0.0, 2.0], scheme="radau-iia", switch=position, fail="return", **how)
    assert run.outcome is Outcome.NO_SOLUTION
    assert run.time[-1] == pytest.approx(1.0, abs=1e-9)
    np.testing.assert_allclose(run(0.5), [0.5], atol=1e-12)
    with pytest.raises(RunError, match="t = 1"):
        irk(f, [1.0], [0.0, 2.0], scheme="radau-iia", switch=position, **how)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"switch": 0.0}, "`switch` of irk must be a function"),
        ({"switch": lambda u: np.nan}, "`switch` of irk must return a finite number"),
        ({"switch": lambda u: np.zeros((2, 2))}, "`switch` of irk must return a finite number"),
        ({"f": lambda t, u: u}, r"`f` of irk must take \(t, u, side\)"),
        ({"jac": lambda u: np.eye(2)}, r"`jac` of irk must take \(t, u, side\)"),
    ],
)
def test_what_is_refused(change, said) -> None:
    given = {"f": half_spring, "u0": [0.0, 1.0], "t": [0.0, 1.0], "h": 0.1, "switch": position}
    with pytest.raises(InputError, match=said):
        irk(**(given | change))
