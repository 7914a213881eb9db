"""`carom.integrate.irk` on systems whose solutions are known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from carom.errors import InputError, RunError
from carom.integrate import irk
from carom.integrate.nonsmooth.slanting import slanting
from carom.integrate.tableaux import Tableau, tableaux
from carom.results import Outcome

METHODS = list(tableaux)
by_name = pytest.mark.parametrize("method", METHODS, ids=[m.name for m in METHODS])


def pendulum(t, u):
    return np.array([u[1], -np.sin(u[0]) + 0.3 * np.cos(t)])


def half_spring(u):
    """A mass on a spring that pushes only: u = sin t to t = π, then straight on."""
    return np.array([u[1], -np.maximum(u[0], 0.0)])


def error(f, u0, t, exact, **options):
    return float(np.abs(irk(f, u0, t, **options).state[-1] - exact).max())


@pytest.fixture(scope="module")
def swung() -> np.ndarray:
    return solve_ivp(pendulum, (0.0, 2.0), [1.0, 0.2], method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]


@by_name
def test_order_on_a_smooth_system(method: Tableau, swung: np.ndarray) -> None:
    fifth = (1 / 12, 1 / 24) if method.kind == "explicit" else (1 / 6, 1 / 12)
    low = (0.02, 0.01)
    steps = {1: low, 2: low, 5: fifth, 6: (1 / 6, 1 / 12), 8: (0.5, 0.25)}.get(method.order, (0.1, 0.05))
    errors = [error(pendulum, [1.0, 0.2], [0.0, 2.0], swung, scheme=method, h=h) for h in steps]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(method.order, abs=0.1)


RESTORED = {"burrage": 2, "radau-ia-3": 4}
"""Methods that do not regain their order p though a step ends on the kink.

Burrage's second node, λ(2+√2) = 2.69, lies beyond the step: in the two steps before the kink its rate belongs to the
other side and is wrong by O(h), the step by O(h²). The first stage of Radau IA is at the start of the step but is not
the state there: where that lies on the kink, the stage falls to the wrong side by O(h^{q+1}), q = 2, and the step errs
by O(h^{q+2}). Shown for the methods at hand, no theorem: others of low stage order fall to the right side. Where f is
held on its side through a step, `switch=`, they regain it as all others: `test_switching`.
"""


@by_name
def test_order_across_a_kink_and_with_a_step_that_ends_there(method: Tableau) -> None:
    exact = np.array([-(4.0 - math.pi), -1.0])
    steps = 4.0 / np.array([40, 80, 160, 320, 640])
    across = [error(half_spring, [0.0, 1.0], [0.0, 4.0], exact, scheme=method, h=h) for h in steps]
    assert np.polyfit(np.log(steps), np.log(across), 1)[0] > 0.9  # at least one, but for where in a step the kink falls
    coarse = {"gauss-4": (4, 8), "burrage": (512, 1024), "radau-ia-1": (512, 1024), "radau-iia-1": (512, 1024)}
    steps = math.pi / np.array(coarse.get(method.name, (32, 64) if method.order > 3 else (64, 128)))
    on_it = [error(half_spring, [0.0, 1.0], [0.0, math.pi, 4.0], exact, scheme=method, h=h) for h in steps]
    assert math.log2(on_it[0] / on_it[1]) == pytest.approx(RESTORED.get(method.name, method.order), abs=0.1)


@given(st.integers(0, 2**32 - 1), st.sampled_from([m for m in METHODS if m.algebraically_stable]))
@settings(max_examples=60, deadline=None)
def test_dissipative_systems_never_grow(seed: int, method: Tableau) -> None:
    """f(u) = −S u − K u − φ(u), S symmetric positive, K skew, φ monotone with kinks: ⟨f(u)−f(v), u−v⟩ ≤ 0."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 5))
    root, skew = rng.normal(size=(n, n)), rng.normal(size=(n, n)) * 10.0 ** rng.uniform(-1, 2)
    matrix = root @ root.T + (skew - skew.T)
    stiff = 10.0 ** rng.uniform(-1, 3, n)

    def f(u):
        return -(matrix @ u) - stiff * np.maximum(u, 0.0) - np.abs(u) * u

    h = 10.0 ** rng.uniform(-2, 1)
    a, b = (irk(f, u0, [0.0, 20.0 * h], scheme=method, h=h).state for u0 in rng.normal(size=(2, n)))
    apart = np.linalg.norm(a - b, axis=1)
    assert (apart[1:] <= apart[:-1] * (1.0 + 1e-9) + 1e-11).all()


@pytest.mark.parametrize("newton", ["slanting", "simplified", "inexact"])
@pytest.mark.parametrize("scheme", ["radau-iia-3", "burrage", "gauss-2", "sdirk-3", "dormand-prince"])
def test_error_control_meets_its_tolerance(scheme: str, newton: str, swung: np.ndarray) -> None:
    for rtol in (1e-7, 1e-9):
        found = irk(pendulum, [1.0, 0.2], [0.0, 2.0], scheme=scheme, rtol=rtol, newton=newton)
        # each step may err by atol + rtol·|u| < 2.4 rtol, and this pendulum lets errors add up but not grow
        assert np.abs(found.state[-1] - swung).max() < found.evidence["steps"] * 2.4 * rtol
    assert found.evidence["steps"] > 3
    if scheme != "dormand-prince":
        assert found.evidence["iterations"] >= found.evidence["steps"]


def test_a_nonlinear_p() -> None:
    """d(u³)/dt = 3u² · u′ with u′ = −u: u = exp(−t)."""
    for scheme, most in (("radau-iia-3", 2e-8), ("gauss-2", 1e-6), ("rk4", 1e-5)):
        found = irk(lambda u: -3.0 * u**3, [1.0], [0.0, 1.0], p=lambda u: u**3, scheme=scheme, h=0.05)
        assert found.state[-1, 0] == pytest.approx(math.exp(-1.0), rel=most)
        assert found(0.513)[0] == pytest.approx(math.exp(-0.513), rel=most + 1e-7)


def test_slanting_functions_of_kinks() -> None:
    def f(_t, u):
        x, y = u
        return np.array(
            [
                np.maximum(x, 0.0) - abs(y),
                np.minimum(x, y) * np.sin(y),
                np.where(u > 0.0, u**2, -u)[0],
                np.exp(-x) / y,
            ]
        )

    x, y = 0.7, -0.4
    exact = [[1.0, 1.0], [0.0, math.sin(y) + y * math.cos(y)], [2 * x, 0.0], [-math.exp(-x) / y, -math.exp(-x) / y**2]]
    np.testing.assert_allclose(slanting(f)(0.0, np.array([x, y])), exact, rtol=1e-12)
    on_the_kink = slanting(lambda _t, u: np.maximum(u, 0.0))(0.0, np.zeros(1))
    assert on_the_kink[0, 0] in (0.0, 1.0)  # one side, not a mixture
    behind_a_wall = slanting(lambda _t, u: np.array([math.sin(float(u[0]))]))(0.0, np.array([0.3]))
    assert behind_a_wall[0, 0] == pytest.approx(math.cos(0.3), abs=1e-6)


def test_a_jacobian_by_hand_gives_the_same() -> None:
    def jac(u):
        return np.array([[0.0, 1.0], [-1.0 if u[0] > 0.0 else 0.0, 0.0]])

    by_hand = irk(half_spring, [0.0, 1.0], [0.0, 4.0], jac=jac, scheme="burrage", h=0.05)
    found = irk(half_spring, [0.0, 1.0], [0.0, 4.0], scheme="burrage", h=0.05)
    np.testing.assert_allclose(by_hand.state, found.state, atol=1e-12)


@pytest.mark.parametrize(
    ("f", "p", "outcome"),
    [
        (lambda u: u**2, None, Outcome.NO_SOLUTION),  # backward Euler: x = u + h x² has no root once h·u > 1/4
        (lambda u: -np.ones_like(u), lambda u: np.zeros_like(u) + 0.0 * u, Outcome.SINGULAR),
        (lambda u: np.array([1.0 if u[0] < 0.5 else np.nan]), None, Outcome.NOT_FINITE),
    ],
)
def test_a_step_that_cannot_be_taken(f, p, outcome) -> None:
    found = irk(f, [0.1], [0.0, 20.0], p=p, scheme="backward-euler", h=0.05, fail="return")
    assert found.outcome is outcome
    assert np.isfinite(found.state).all()
    assert found.time[-1] < 20.0
    assert f"t = {found.time[-1]:.9g}" in found.message
    with pytest.raises(RunError, match="u = "):
        irk(f, [0.1], [0.0, 20.0], p=p, scheme="backward-euler", h=0.05)


@pytest.mark.parametrize("scheme", ["dormand-prince", "rk4", "radau-iia"])
def test_a_step_that_underflows(scheme: str) -> None:
    found = irk(lambda u: u**2, [1.0], [0.0, 2.0], scheme=scheme, rtol=1e-6, fail="return")  # u = 1/(1 − t)
    assert found.outcome is Outcome.STEP_UNDERFLOW
    assert found.time[-1] == pytest.approx(1.0, abs=1e-3)
    early = found.time < 0.9
    np.testing.assert_allclose(
        found.state[early, 0], 1.0 / (1.0 - found.time[early]), rtol=1e-3
    )  # what there was is kept
    assert f"t = {found.time[-1]:.9g}" in found.message


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "either `h`"),
        ({"h": 0.1, "rtol": 1e-6}, "either `h`"),
        ({"h": -1.0}, "`h` of irk"),
        ({"h": 0.1, "newton": "fast"}, "`newton` of irk"),
        ({"h": 0.1, "scheme": "gaus-2"}, "Did you mean 'gauss-2'"),
        ({"h": 0.1, "t": [1.0, 0.0]}, "`t` of irk"),
        ({"h": 0.1, "u0": [1.0, 2.0, 3.0]}, "`f` of irk"),
    ],
)
def test_what_is_refused(options, said) -> None:
    with pytest.raises(InputError, match=said):
        irk(half_spring, **({"u0": [0.0, 1.0], "t": [0.0, 1.0]} | options))
