"""Runge-Kutta methods: printed coefficients and printed properties against what is computed from ours."""

from __future__ import annotations

import math

import numpy as np
import pytest

from carom.integrate.tableaux import Tableau, tableau, tableaux
from carom.integrate.tableaux.trees import density, trees

R3, R6, R15 = math.sqrt(3.0), math.sqrt(6.0), math.sqrt(15.0)

# Hairer and Wanner (1996), Table 5.13: B(p), C(q), D(r) and the order of the families with s stages
PROMISED = {
    "gauss": lambda s: (2 * s, s, s, 2 * s),
    "radau-ia": lambda s: (2 * s - 1, s - 1, s, 2 * s - 1),
    "radau-iia": lambda s: (2 * s - 1, s, s - 1, 2 * s - 1),
    "lobatto-iiia": lambda s: (2 * s - 2, s, s - 2, 2 * s - 2),
    "lobatto-iiib": lambda s: (2 * s - 2, s - 2, s, 2 * s - 2),
    "lobatto-iiic": lambda s: (2 * s - 2, s - 1, s - 1, 2 * s - 2),
}
# the same book, Tables 5.2 to 5.12
PRINTED = {
    "gauss-2": [[1 / 4, 1 / 4 - R3 / 6], [1 / 4 + R3 / 6, 1 / 4]],
    "gauss-3": [
        [5 / 36, 2 / 9 - R15 / 15, 5 / 36 - R15 / 30],
        [5 / 36 + R15 / 24, 2 / 9, 5 / 36 - R15 / 24],
        [5 / 36 + R15 / 30, 2 / 9 + R15 / 15, 5 / 36],
    ],
    "radau-ia-2": [[1 / 4, -1 / 4], [1 / 4, 5 / 12]],
    "radau-ia-3": [
        [1 / 9, (-1 - R6) / 18, (-1 + R6) / 18],
        [1 / 9, (88 + 7 * R6) / 360, (88 - 43 * R6) / 360],
        [1 / 9, (88 + 43 * R6) / 360, (88 - 7 * R6) / 360],
    ],
    "radau-iia-2": [[5 / 12, -1 / 12], [3 / 4, 1 / 4]],
    "radau-iia-3": [
        [(88 - 7 * R6) / 360, (296 - 169 * R6) / 1800, (-2 + 3 * R6) / 225],
        [(296 + 169 * R6) / 1800, (88 + 7 * R6) / 360, (-2 - 3 * R6) / 225],
        [(16 - R6) / 36, (16 + R6) / 36, 1 / 9],
    ],
    "lobatto-iiia-3": [[0, 0, 0], [5 / 24, 1 / 3, -1 / 24], [1 / 6, 2 / 3, 1 / 6]],
    "lobatto-iiib-3": [[1 / 6, -1 / 6, 0], [1 / 6, 1 / 3, 0], [1 / 6, 5 / 6, 0]],
    "lobatto-iiic-3": [[1 / 6, -1 / 3, 1 / 6], [1 / 6, 5 / 12, -1 / 12], [1 / 6, 2 / 3, 1 / 6]],
}
# ibid. Table 12.1 and section IV.3: A-, L- and algebraic stability of the families
STABLE = {
    "gauss": (True, False, True),
    "radau-ia": (True, True, True),
    "radau-iia": (True, True, True),
    "lobatto-iiia": (True, False, False),
    "lobatto-iiib": (True, False, False),
    "lobatto-iiic": (True, True, True),
}
MEMBERS = [(family, int(name[-1]), tableau(name)) for family in PROMISED for name in tableaux.names()
           if name.rsplit("-", 1)[0] == family]  # fmt: skip


def test_there_are_as_many_trees_as_known() -> None:
    assert [len(trees(n)) for n in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]  # OEIS A000081
    assert density(((), ((),))) == 4 * 2  # root with a leaf and a stalk of two


def test_every_member_is_there() -> None:
    assert len(MEMBERS) == 4 + 3 + 3 + 3 * 3


@pytest.mark.parametrize(("family", "s", "method"), MEMBERS, ids=lambda x: getattr(x, "name", ""))
def test_families_prove_themselves(family: str, s: int, method: Tableau) -> None:
    b, c, d, order = PROMISED[family](s)
    assert (method.quadrature, method.stage_order, method.adjoint_order, method.order) == (b, c, d, order)
    assert (method.a_stable, method.l_stable, method.algebraically_stable) == STABLE[family]
    assert method.stiffly_accurate == (
        family in ("radau-iia", "lobatto-iiia", "lobatto-iiic") or (s == 1 and "ia" in family)
    )


@pytest.mark.parametrize("name", PRINTED)
def test_printed_coefficients(name: str) -> None:
    np.testing.assert_allclose(tableau(name).a, PRINTED[name], atol=2e-15)


def test_singly_implicit_methods() -> None:
    burrage = tableau("burrage")
    shift = (3.0 + R3) / 6.0
    # a singly implicit matrix has one eigenvalue only: (A − λI)² = 0
    np.testing.assert_allclose(np.linalg.matrix_power(burrage.a - shift * np.eye(2), 2), 0.0, atol=1e-14)
    assert burrage.algebraically_stable
    assert (burrage.order, burrage.stage_order) == (3, 2)
    assert tableau("sdirk-2").l_stable
    assert tableau("sdirk-2").a[0, 0] == pytest.approx(1.0 - math.sqrt(0.5))
    assert tableau("sdirk-3").a[0, 0] == pytest.approx(0.4358665215084590, abs=1e-15)  # Alexander 1977
    assert (tableau("sdirk-3").order, tableau("sdirk-3").l_stable) == (3, True)
    assert (tableau("sdirk-2-crouzeix").order, tableau("sdirk-2-crouzeix").algebraically_stable) == (3, True)


def test_the_other_collocation_candidate_is_not_algebraically_stable() -> None:
    shift = 1.0 - math.sqrt(0.5)
    c = shift * np.array([2.0 - math.sqrt(2.0), 2.0 + math.sqrt(2.0)])
    powers = np.column_stack([np.ones(2), c])
    a = np.linalg.solve(powers.T, np.column_stack([c, c**2 / 2]).T).T
    b = np.linalg.solve(powers.T, [1.0, 0.5])
    other = Tableau(name="other", title="", a=a, b=b, c=c, source="")
    assert other.a_stable
    assert not other.algebraically_stable


ALL = pytest.mark.parametrize("method", list(tableaux), ids=lambda method: method.name)


@ALL
def test_order_is_what_the_simplifying_conditions_leave_open(method: Tableau) -> None:
    """Butcher (1964): B(p), C(q) and D(r) with p ≤ q+r+1 and p ≤ 2q+2 give order p; no order exceeds that of B."""
    q, r = method.stage_order, method.adjoint_order
    assert min(method.quadrature, q + r + 1, 2 * q + 2) <= method.order <= method.quadrature


@ALL
def test_the_stability_function_is_the_exponential_as_far_as_the_order(method: Tableau) -> None:
    """R(z) − e^z = O(z^{p+1}), with R from the coefficients in sixty digits: nothing of order p is left."""
    from mpmath import exp, log, matrix, mp, mpf

    with mp.workdps(60):
        a, s = matrix(method.a.tolist()), method.stages
        ones, b = matrix([[1]] * s), matrix([[mpf(float(x)) for x in method.b]])
        off = []
        for z in (mpf(2) ** -4, mpf(2) ** -5):
            inverse = (mp.eye(s) - z * a) ** -1
            off.append(abs(1 + z * (b * inverse * ones)[0] - exp(z)))
        if off[1] > 1e-13:  # coefficients are right to rounding only
            assert float(log(off[0] / off[1], 2)) > method.order + 0.8


@ALL
def test_stability_follows_its_definitions(method: Tableau) -> None:
    """On the imaginary axis and far to the left |R| ≤ 1 where A-stable, → 0 where L-stable; algebraic implies A."""
    y = np.concatenate([np.linspace(0.0, 50.0, 2001), np.geomspace(50.0, 1e5, 200)])
    largest = np.abs(method.stability(1j * y)).max()
    assert (largest < 1.0 + 1e-9) == method.a_stable or (not method.a_stable and method.kind != "explicit")
    if method.a_stable:
        x = -np.geomspace(1e-3, 1e8, 300)
        assert np.abs(method.stability(x)).max() < 1.0 + 1e-9
    if method.l_stable:
        assert abs(method.stability(-1e9)) < 1e-6
    if method.algebraically_stable:
        assert method.a_stable
        rng = np.random.default_rng(1)
        for x in rng.normal(size=(200, method.stages)):  # xᵀMx, term by term from its definition
            form = sum(
                x[i] * x[j] * (method.b[i] * method.a[i, j] + method.b[j] * method.a[j, i] - method.b[i] * method.b[j])
                for i in range(method.stages)
                for j in range(method.stages)
            )
            assert form > -1e-11


def test_explicit_methods() -> None:
    assert (tableau("rk4").order, tableau("dormand-prince").order) == (4, 5)
    for name in ("rk4", "dormand-prince"):
        assert not tableau(name).a_stable
        assert tableau(name).blocks == tuple((i, i + 1) for i in range(tableau(name).stages))
    assert tableau("dormand-prince").embedded @ np.ones(7) == pytest.approx(1.0)
    # R(z) of rk4 is the exponential's series up to z⁴
    z = np.array([-0.5 + 0.3j, 1.0])
    np.testing.assert_allclose(tableau("rk4").stability(z), 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24, rtol=1e-13)


def test_stability_functions_known_in_closed_form() -> None:
    z = np.array([-1.0, -3.0 + 2.0j, 0.5j])
    np.testing.assert_allclose(tableau("gauss-1").stability(z), (1 + z / 2) / (1 - z / 2), rtol=1e-13)
    np.testing.assert_allclose(tableau("radau-iia-1").stability(z), 1 / (1 - z), rtol=1e-13)
    np.testing.assert_allclose(
        tableau("radau-iia-2").stability(z), (1 + z / 3) / (1 - 2 * z / 3 + z**2 / 6), rtol=1e-13
    )


def test_blocks_follow_what_depends_on_what() -> None:
    assert tableau("gauss-3").blocks == ((0, 3),)
    assert tableau("lobatto-iiia-3").blocks == ((0, 1), (1, 3))
    assert tableau("sdirk-3").blocks == ((0, 1), (1, 2), (2, 3))
