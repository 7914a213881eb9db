"""Rules of storeys driven by hand: cyclic paths in closed form, by SciPy, and as OpenSees has them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import carom

K, DY = 4e5, 0.01


def driven(spring, path) -> np.ndarray:
    """Return k·d + r of a spring that is driven along a path of drifts."""
    joint = carom.joints.Driven(spring.bound_to(K))
    own = 0.0 if isinstance(spring, carom.GapStop) else K
    return np.array([own * drift + joint.move_to(drift)[0] for drift in path])


def test_bilinear_around_a_loop() -> None:
    """Yield at d_y, harden by α, unload over 2 d_y, yield the other way: the corners are known."""
    a = 0.1
    corners = np.array([DY, 3 * DY, 3 * DY - 2 * DY, -3 * DY, -DY, 3 * DY])
    top = K * DY * (1 + 2 * a)
    expected = [K * DY, top, top - 2 * K * DY, -top, -top + 2 * K * DY, top]
    np.testing.assert_allclose(driven(carom.Bilinear(DY, a), corners), expected, rtol=1e-12)
    fine = np.concatenate([np.linspace(x, y, 7)[1:] for x, y in zip([0.0, *corners[:-1]], corners, strict=True)])
    np.testing.assert_allclose(driven(carom.Bilinear(DY, a), fine)[5::6], expected, rtol=1e-12)  # however it got there


def test_bouc_wen_in_closed_form() -> None:
    """With n = 1 and β = γ = ½: loading z = d_y(1 − e^{−d/d_y}), unloading dz = dd until z = 0."""
    spring = carom.BoucWen(DY, hardening=0.2)
    up = np.linspace(0.0, 3 * DY, 31)[1:]
    z = DY * (1.0 - np.exp(-up / DY))
    np.testing.assert_allclose(driven(spring, up), 0.2 * K * up + 0.8 * K * z, rtol=1e-6)
    down = np.append(up, 3 * DY - 0.5 * DY)
    assert driven(spring, down)[-1] == pytest.approx(0.2 * K * 2.5 * DY + 0.8 * K * (z[-1] - 0.5 * DY), rel=1e-6)


def test_bouc_wen_of_higher_exponent_against_scipy() -> None:
    spring = carom.BoucWen(DY, beta=0.3, exponent=2.0)
    path = 2.5 * DY * np.sin(np.linspace(0.0, 4.0 * math.pi, 2001))

    def rate(s, z):
        speed = math.cos(s)
        share = 0.7 + 0.3 * math.copysign(1.0, z[0] * speed)
        return [2.5 * DY * speed * (1.0 - abs(z[0] / DY) ** 2 * share)]

    z = solve_ivp(rate, (0.0, 4.0 * math.pi), [0.0], max_step=1e-3, rtol=1e-9, atol=1e-12).y[0, -1]
    assert driven(spring, path)[-1] == pytest.approx(K * z, abs=1e-3 * K * DY)


RO = carom.RambergOsgood(DY, offset=0.6, exponent=4.0)


def curve(y: float) -> float:
    """Return d of Ramberg and Osgood's skeleton at f = y·k·d_y."""
    return DY * (y + 0.6 * y * abs(y) ** 3.0)


def test_ramberg_osgood_on_the_skeleton() -> None:
    """Drifts are those of the curve, known as a function of the force."""
    levels = np.linspace(0.1, 1.8, 18)
    np.testing.assert_allclose(driven(RO, [curve(y) for y in levels]), K * DY * levels, rtol=1e-12)
    np.testing.assert_allclose(driven(RO, [curve(-y) for y in levels]), -K * DY * levels, rtol=1e-12)


def test_ramberg_osgood_after_reversals() -> None:
    """Masing: a branch is the skeleton at twice its size; a loop that closes is as if it had not been."""
    top = 1.5

    def down(y: float, start: float) -> float:  # on the branch that left (start) downwards
        return curve(start) - 2.0 * curve((start - y) / 2.0)

    def up(y: float, start: float, at: float) -> float:
        return at + 2.0 * curve((y - start) / 2.0)

    path, levels = [curve(top)], [top]
    for y in (0.9, 0.2, -0.4):
        path.append(down(y, top))
        levels.append(y)
    turn = path[-1]
    for y in (0.0, 0.5, 0.8):  # a loop inside
        path.append(up(y, -0.4, turn))
        levels.append(y)
    inner = path[-1]
    for y in (0.3, -0.1):  # and one inside that
        path.append(inner - 2.0 * curve((0.8 - y) / 2.0))
        levels.append(y)
    for y in (-0.6, -1.2):  # past both turns: the branch from the top goes on
        path.append(down(y, top))
        levels.append(y)
    for y in (-1.7, -2.0):  # beyond the mirror of the top: the skeleton
        path.append(curve(y))
        levels.append(y)
    np.testing.assert_allclose(driven(RO, path), K * DY * np.array(levels), rtol=1e-11)


def test_ramberg_osgood_forgets_the_innermost_loop_only() -> None:
    """Forty reversals, each inside the one before: the row holds twelve. The way out is the skeleton all the same."""
    inward = [2.0 * DY * (-1) ** i * 0.9**i for i in range(40)]
    forces = driven(RO, [*inward, 3.0 * DY])
    assert np.abs(forces).max() == pytest.approx(abs(forces[-1]))
    assert forces[-1] == pytest.approx(driven(RO, [3.0 * DY])[0], rel=1e-12)


def test_takeda_by_hand() -> None:
    """Lines between points that are known: α 0.1, a 0.5, from 4 d_y: k_u = k/2."""
    f4 = 1.0 + 0.1 * 3.0
    zero = 4.0 - f4 / 0.5  # where unloading ends
    back = zero - 0.5 * (zero + 1.0)  # half way to the yield point of the other side
    mid = -0.5
    up = back - mid / 1.0  # unloaded from there, at k: that side has not yielded
    slope = f4 / (4.0 - up)
    there = 0.5 * (up + 4.0)
    steps = [
        (0.5, 0.5), (4.0, f4), (3.0, f4 - 0.5), (3.5, f4 - 0.25), (zero, 0.0), (back, mid), (up, 0.0),
        (there, slope * (there - up)), (5.0, 1.4),
    ]  # fmt: skip
    drifts, levels = np.array(steps).T
    np.testing.assert_allclose(
        driven(carom.Takeda(DY, 0.1, unloading=0.5), DY * drifts), K * DY * levels, atol=1e-9 * K * DY
    )


CORNERS = DY * np.array([3.0, -2.0, 2.5, -0.5, 1.5, -4.0, 4.0, 0.0])


@pytest.mark.parametrize(
    ("spring", "forces", "off"),
    [
        (carom.Bilinear(DY, 0.05), [1.1, -1.05, 1.075, -0.975, 1.025, -1.15, 1.15, -0.95], 1e-12),
        (
            carom.BoucWen(DY, 0.05),
            [1.052702, -1.033445, 1.046808, -0.850191, 0.718541, -1.142356, 1.149141, -0.902745],
            1e-6,
        ),
        (
            carom.BoucWen(DY, 0.1, beta=0.3, exponent=2.0),
            [1.195549, -1.099151, 1.147664, -0.904453, 0.795949, -1.299859, 1.299998, -0.893644],
            2e-6,
        ),
        (
            carom.Takeda(DY, 0.05, unloading=0.5),
            [1.1, -1.05, 0.943531, -0.500407, 0.509093, -1.15, 1.15, -0.342982],
            1e-6,
        ),
    ],
)
def test_cyclic_paths_as_opensees_has_them(spring, forces, off) -> None:
    """Forces at the corners over k·d_y by OpenSeesPy 3.7.1: Steel01, BoucWen (extrapolated) and Hysteretic.

    `python -m benchmarks hysteresis` makes them again.
    """
    starts = np.append(0.0, CORNERS[:-1])
    path = np.concatenate([np.linspace(a, b, 41)[1:] for a, b in zip(starts, CORNERS, strict=True)])
    np.testing.assert_allclose(driven(spring, path)[39::40] / (K * DY), forces, atol=off)


def test_stops_push_and_pull_beyond_their_gap() -> None:
    drifts = np.array([-0.02, -0.005, 0.0, 0.005, 0.02])
    np.testing.assert_allclose(driven(carom.GapStop(0.01, 1e6), drifts), [-1e4, 0, 0, 0, 0])
    np.testing.assert_allclose(driven(carom.HookStop(0.01, 1e6), drifts), [0, 0, 0, 0, 1e4])
