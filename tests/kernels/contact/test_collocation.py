"""Tables of the collocation against integrals by SciPy, and a mode's answer to a force against direct integration."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.special import eval_legendre, roots_jacobi, spherical_jn

from carom.kernels import rows
from carom.kernels.contact import collocation as c
from carom.kernels.contact import quick_modes, step_curves
from carom.kernels.contact.step import CUBIC
from carom.kernels.event import mode_table

# T(s), written down again
CLOCKS = {
    c.PLAIN: lambda s: s,
    c.FROM_TOUCH_2: lambda s: s**2,
    c.TO_PARTING_2: lambda s: 1 - (1 - s) ** 2,
    c.FROM_TOUCH_4: lambda s: s**4,
    c.TO_PARTING_4: lambda s: 1 - (1 - s) ** 4,
}
INVERSES = {
    c.PLAIN: lambda t: t,
    c.FROM_TOUCH_2: lambda t: t**0.5,
    c.TO_PARTING_2: lambda t: 1 - (1 - t) ** 0.5,
    c.FROM_TOUCH_4: lambda t: t**0.25,
    c.TO_PARTING_4: lambda t: 1 - (1 - t) ** 0.25,
}
PACES = {
    c.PLAIN: lambda s: 1.0,
    c.FROM_TOUCH_2: lambda s: 2 * s,
    c.TO_PARTING_2: lambda s: 2 * (1 - s),
    c.FROM_TOUCH_4: lambda s: 4 * s**3,
    c.TO_PARTING_4: lambda s: 4 * (1 - s) ** 3,
}
KINDS = pytest.mark.parametrize("kind", list(CLOCKS))
FOURTH = (c.FROM_TOUCH_4, c.TO_PARTING_4)
FORCES = np.array([0.3, 1.1, -0.4])  # at the nodes


def hump(kind: int, j: int):
    """Lagrange's parabola of node j."""
    values = np.zeros(3)
    values[j] = 1.0
    return np.poly1d(np.polyfit(c.S[kind, :3], values, 2))


def parabola(kind: int):
    """The force of FORCES as a function of t/h."""
    shape = np.poly1d(np.polyfit(c.S[kind, :3], FORCES, 2))
    return lambda t: shape(INVERSES[kind](min(max(t, 0.0), 1.0)))


def mode(omega: float, zeta: float) -> np.ndarray:
    """A mode's row, worked out as in a run."""
    modes = np.zeros((1, rows.MODE_SIZE))
    modes[0, rows.OMEGA], modes[0, rows.SIGMA] = omega, zeta * omega
    mode_table.prepare_modes(0.01, 1.0, modes, np.zeros((0, rows.contact_size(1))))
    return modes[0]


def answer(omega: float, zeta: float, force, h: float, until: float) -> tuple[float, float]:
    """Displacement and velocity of the mode at rest under a force, by solve_ivp."""

    def motion(t: float, y: np.ndarray) -> list[float]:
        return [y[1], force(t / h) - 2 * zeta * omega * y[1] - omega**2 * y[0]]

    size = min(h * h, 1.0 / omega**2 if omega else 1.0)
    out = solve_ivp(
        motion, (0.0, until), [0.0, 0.0], method="DOP853", rtol=1e-12, atol=[1e-13 * size, 1e-13 * size / h],
        max_step=until / 20,
    )  # fmt: skip
    return out.y[0, -1], out.y[1, -1]


@KINDS
def test_nodes_and_weights_are_gauss(kind: int) -> None:
    """Legendre's; with T′ for the weight, Jacobi's, where T′ is a cubic."""
    fourth = kind in FOURTH
    points, weights = roots_jacobi(3, 0.0, 3.0 if fourth else 0.0)
    nodes = 0.5 * (points + 1.0)
    weights = weights / 4.0 if fourth else 0.5 * weights * PACES[kind](nodes)
    if kind == c.TO_PARTING_4:
        nodes, weights = 1.0 - nodes[::-1], weights[::-1]
    np.testing.assert_allclose(c.S[kind], [*nodes, 1.0], rtol=1e-13)
    np.testing.assert_allclose(c.SPEEDS[kind], weights, rtol=1e-12)
    np.testing.assert_allclose(c.POWERS[kind], [0.0, *weights, 0.0], atol=1e-13)
    assert len(CLOCKS) == c.KINDS


@KINDS
def test_times(kind: int) -> None:
    np.testing.assert_allclose(c.TIMES[kind], [CLOCKS[kind](s) for s in c.S[kind]], rtol=1e-14)


@KINDS
def test_moments(kind: int) -> None:
    clock, pace = CLOCKS[kind], PACES[kind]
    for i, end in enumerate(c.S[kind]):
        for j in range(3):
            ell = hump(kind, j)
            for p in (*range(c.TERMS), 15, c.LONG - 1):
                expected, _ = quad(
                    lambda s, p=p, ell=ell, end=end: (clock(end) - clock(s)) ** p * ell(s) * pace(s), 0.0, end,
                    epsabs=1e-14, epsrel=1e-12,
                )  # fmt: skip
                assert c.MOMENTS[kind, p, 3 * i + j] == pytest.approx(expected, rel=1e-11, abs=1e-14)


@KINDS
def test_impulse_of_a_parabola(kind: int) -> None:
    """Three nodes of Gauss integrate ℓ·T′ exactly where T′ is at most a cubic."""
    for j in range(3):
        expected, _ = quad(lambda s, j=j: hump(kind, j)(s) * PACES[kind](s), 0.0, 1.0, epsabs=1e-15)
        assert c.SPEEDS[kind, j] == pytest.approx(expected, abs=1e-14)


@KINDS
def test_powers_integrate_quartics(kind: int) -> None:
    for power in range(5):
        expected, _ = quad(lambda s, power=power: s**power * PACES[kind](s), 0.0, 1.0, epsabs=1e-15)
        assert c.POWERS[kind] @ c.FIVE[kind] ** power == pytest.approx(expected, abs=5e-15)


@KINDS
def test_parabolas_in_time(kind: int) -> None:
    """Where the step is plain, the parabola itself; elsewhere the one that meets it at both ends and in the middle."""
    for j in range(3):
        in_time = np.poly1d(c.PARABOLAS[kind, j, ::-1])
        for s in (0.0, 0.5, 1.0):
            assert in_time(CLOCKS[kind](s)) == pytest.approx(hump(kind, j)(s), abs=1e-13)
    if kind == c.PLAIN:
        assert np.poly1d(FORCES @ c.PARABOLAS[kind][:, ::-1])(0.77) == pytest.approx(parabola(kind)(0.77), rel=1e-13)


@KINDS
def test_the_fine_quadrature(kind: int) -> None:
    """Ages and shares integrate what a few radians of a cosine make of each parabola."""
    for i, end in enumerate(c.S[kind]):
        for angle, two, four in ((0.5, 1e-13, 1e-13), (4.0, 1e-11, 1e-7), (8.0, 1e-8, 5e-5)):
            for j in range(3):
                found = np.cos(angle * c.AGES[kind, i]) @ c.SHARES[kind, i, :, j]
                expected, _ = quad(
                    lambda s, j=j, end=end, angle=angle: (
                        np.cos(angle * (CLOCKS[kind](end) - CLOCKS[kind](s))) * hump(kind, j)(s) * PACES[kind](s)
                    ), 0.0, end, epsabs=1e-15, limit=200,
                )  # fmt: skip
                assert found == pytest.approx(expected, abs=four if kind in FOURTH else two)


@KINDS
def test_ends_and_quartic(kind: int) -> None:
    for j in range(3):
        assert c.AT_START[kind, j] == pytest.approx(hump(kind, j)(0.0), abs=1e-13)
        assert c.AT_END[kind, j] == pytest.approx(hump(kind, j)(1.0), abs=1e-13)
    shape = np.poly1d([0.3, -1.0, 2.0, 0.7, -0.2])
    np.testing.assert_allclose(c.QUARTIC[kind] @ shape(c.FIVE[kind]), shape.coeffs[::-1], rtol=1e-11)
    np.testing.assert_allclose(c.TANGENTS[kind] @ shape(c.FIVE[kind]), shape.deriv()(c.FIVE[kind]), rtol=1e-11)


@KINDS
@pytest.mark.parametrize(("omega", "zeta"), [(0.0, 0.0), (120.0, 0.0), (120.0, 0.3), (30.0, 2.0)])
def test_slow_modes_by_moments(kind: int, omega: float, zeta: float) -> None:
    """Σ aₚ h^{p+1} MOMENTS·F is the answer at each node, for ωh and 2ζωh up to a half."""
    h = 0.004
    row = mode(omega, zeta)
    for i in range(c.POINTS):
        moments = c.MOMENTS[kind][:, 3 * i : 3 * i + 3] @ FORCES
        q = sum(row[rows.SERIES + p] * h ** (p + 1) * moments[p] for p in range(c.TERMS))
        v = sum(p * row[rows.SERIES + p] * h**p * moments[p - 1] for p in range(1, c.TERMS))
        expected = answer(omega, zeta, parabola(kind), h, h * c.TIMES[kind, i])
        assert q == pytest.approx(expected[0], abs=2e-9 * h * h)
        assert v == pytest.approx(expected[1], abs=2e-8 * h)


@KINDS
@pytest.mark.parametrize("zeta", [0.0, 0.05, 1.0, 1.5])
@pytest.mark.parametrize("angle", [0.3, 0.49, 0.51, 2.0, 3.9, 7.9])
def test_quick_modes_follow_a_few_radians(kind: int, zeta: float, angle: float) -> None:
    """By series, in closed form (plain steps) and by quadrature; `angle` is that of `quick_modes`.

    Twelve points know s⁴ less well: towards eight radians four digits of the static answer are left.
    """
    tolerance = 5e-4 * (angle / 8.0) ** 9 + 1e-7 if kind in FOURTH else 1e-7
    h = 2e-4
    omega = angle / h / max(1.0, 2.0 * zeta)
    weights = np.full(24, np.nan)
    quick_modes.quick_weights(mode(omega, zeta), kind, h, 0, weights)
    for i in range(c.POINTS):
        expected = answer(omega, zeta, parabola(kind), h, h * c.TIMES[kind, i])
        assert weights[3 * i : 3 * i + 3] @ FORCES == pytest.approx(expected[0], abs=tolerance / omega**2)
        assert weights[12 + 3 * i : 15 + 3 * i] @ FORCES == pytest.approx(expected[1], abs=tolerance / omega)


@pytest.mark.parametrize("zeta", [0.0, 0.05, 1.0, 1.5])
@pytest.mark.parametrize("angle", [20.0, 300.0])
def test_plain_steps_are_exact_for_very_quick_modes(zeta: float, angle: float) -> None:
    h = 2e-4
    omega = angle / h / max(1.0, 2.0 * zeta)
    weights = np.full(24, np.nan)
    quick_modes.quick_weights(mode(omega, zeta), c.PLAIN, h, 0, weights)
    for i in range(c.POINTS):
        expected = answer(omega, zeta, parabola(c.PLAIN), h, h * c.TIMES[c.PLAIN, i])
        assert weights[3 * i : 3 * i + 3] @ FORCES == pytest.approx(expected[0], abs=1e-8 / omega**2)
        assert weights[12 + 3 * i : 15 + 3 * i] @ FORCES == pytest.approx(expected[1], abs=1e-8 / omega)


@KINDS
@pytest.mark.parametrize("angle", [20.0, 300.0])
def test_graded_steps_treat_very_quick_modes_as_a_parabola_in_time(kind: int, angle: float) -> None:
    """Exact for the parabola that meets the force at both ends and in the middle, and so of the force's own size."""
    h = 2e-4
    omega = angle / h
    weights = np.full(24, np.nan)
    quick_modes.quick_weights(mode(omega, 0.05), kind, h, 0, weights)
    in_time = np.poly1d(FORCES @ c.PARABOLAS[kind][:, ::-1])
    for i in range(c.POINTS):
        expected = answer(omega, 0.05, in_time, h, h * c.TIMES[kind, i])
        assert weights[3 * i : 3 * i + 3] @ FORCES == pytest.approx(expected[0], abs=1e-8 / omega**2)
        assert weights[12 + 3 * i : 15 + 3 * i] @ FORCES == pytest.approx(expected[1], abs=1e-8 / omega)


def test_only_the_end_is_written_where_only_it_is_asked_for() -> None:
    weights = np.full(24, np.nan)
    quick_modes.quick_weights(mode(1e5, 0.02), c.PLAIN, 1e-4, c.END, weights)
    assert np.isnan(weights[:9]).all()
    assert np.isnan(weights[12:21]).all()
    assert np.isfinite(weights[[9, 10, 11, 21, 22, 23]]).all()


@pytest.mark.parametrize("theta", [0.1, 0.5, 1.0, 2.5, 6.0, 20.0])
def test_what_a_parabola_misses_hardly_stirs_modes_that_swing_little(theta: float) -> None:
    """Legendre's third polynomial, whose zeros are Gauss' nodes, in a mode of θ radians: |∫P₃ e^{iθs} ds| = j₃(θ/2)."""

    def left(wave: Callable[[float], float]) -> float:
        return quad(lambda s: eval_legendre(3, 2.0 * s - 1.0) * wave(theta * s), 0.0, 1.0, epsabs=1e-14)[0]

    found = np.hypot(left(np.cos), left(np.sin))
    assert found == pytest.approx(abs(spherical_jn(3, 0.5 * theta)), abs=1e-13)
    assert found <= CUBIC * theta**3
    if theta < 1.0:
        assert found == pytest.approx(CUBIC * theta**3, rel=0.02)


@pytest.mark.parametrize("kind", range(c.KINDS))
def test_shares_of_time_and_back(kind: int) -> None:
    for s in (0.0, 0.2, 0.7, 1.0):
        assert step_curves.share_of_time(kind, step_curves.elapsed(kind, s)) == pytest.approx(s, abs=1e-15)
    assert step_curves.share_of_time(kind, np.nextafter(1.0, 2.0)) == pytest.approx(1.0, abs=1e-15)
