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
