"""Joints that no module of carom knows: bearings of two and three rows, dashpots; judged by SciPy and closed forms.

All there is of each rule is in this file.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import carom
import carom.testing
from carom.joints import Joint
from carom.units import ANY, NONNEGATIVE, POSITIVE

STEPPED = ("newmark", "radau-iia-2", "moreau-jean")


def length(vector):
    total = 0.0
    for i in range(vector.size):
        total += vector[i] * vector[i]
    return math.sqrt(total)


def slide(numbers, memory, d, rate, after, force, by_d, by_rate):
    """Elastic with stiffness k as far as |f| = f_y, then sliding along the force: the radial return."""
    k, limit, n = numbers[0], numbers[1], d.size
    for i in range(n):
        force[i] = k * (d[i] - memory[i])
    trial = length(force)
    share = min(limit / trial, 1.0) if trial > 0.0 else 1.0
    for i in range(n):
        for j in range(n):
            along = force[i] * force[j] / (trial * trial) if share < 1.0 else 0.0
            by_d[i, j] = k * share * ((1.0 if i == j else 0.0) - along)
            by_rate[i, j] = 0.0
    for i in range(n):
        force[i] *= share
        after[i] = d[i] - force[i] / k


def elastic_part(numbers, memory, d):
    total = 0.0
    for i in range(d.size):
        total += 0.5 * numbers[0] * (d[i] - memory[i]) ** 2
    return total


@carom.register_joint
@dataclass(frozen=True)
class CircularBearing(Joint):
    """Elastoplastic in every direction of a plane."""

    stiffness: float
    strength: float
    name: ClassVar[str] = "circular-bearing"
    units: ClassVar[dict[str, Any]] = {"stiffness": ("N/m", POSITIVE), "strength": ("N", POSITIVE)}
    dimension: ClassVar[int] = 2
    slots: ClassVar[int] = 2
    follow = staticmethod(slide)
    stored = staticmethod(elastic_part)

    def numbers(self) -> tuple[float, ...]:
        return self.stiffness, self.strength


@carom.register_joint
@dataclass(frozen=True)
class SphericalBearing(CircularBearing):
    """The same in space."""

    name: ClassVar[str] = "spherical-bearing"
    dimension: ClassVar[int] = 3
    slots: ClassVar[int] = 3


def resist(numbers, memory, d, rate, after):
    return numbers[0] * rate, 0.0, numbers[0]


def nothing(numbers, memory, d):
    return 0.0


@carom.register_joint
@dataclass(frozen=True)
class Dashpot(Joint):
    """f = c ḋ."""

    damping: float
    name: ClassVar[str] = "a-dashpot"
    units: ClassVar[dict[str, Any]] = {"damping": ("N·s/m", NONNEGATIVE)}
    rate_dependent: ClassVar[bool] = True
    follow = staticmethod(resist)
    stored = staticmethod(nothing)

    def numbers(self) -> tuple[float, ...]:
        return (self.damping,)


def resist_across(numbers, memory, d, rate, after, force, by_d, by_rate):
    by_rate[0, 0], by_rate[0, 1], by_rate[1, 1] = numbers[0], numbers[1], numbers[2]
    by_rate[1, 0] = numbers[1]
    for i in range(2):
        force[i] = by_rate[i, 0] * rate[0] + by_rate[i, 1] * rate[1]
        by_d[i, 0] = by_d[i, 1] = 0.0


@carom.register_joint
@dataclass(frozen=True)
class PlaneDashpot(Joint):
    """f = C ḋ with a symmetric matrix C."""

    along: float
    between: float
    across: float
    name: ClassVar[str] = "plane-dashpot"
    units: ClassVar[dict[str, Any]] = {
        "along": ("N·s/m", POSITIVE), "between": ("N·s/m", ANY), "across": ("N·s/m", POSITIVE)
    }  # fmt: skip
    dimension: ClassVar[int] = 2
    rate_dependent: ClassVar[bool] = True
    follow = staticmethod(resist_across)
    stored = staticmethod(nothing)

    def numbers(self) -> tuple[float, ...]:
        return self.along, self.between, self.across


M, K = 1000.0, np.array([[1.2e5, 2e4], [2e4, 8e4]])
BEARING = CircularBearing(stiffness=4e5, strength=900.0)
SPEED = np.array([0.5, -0.3])
STRAIGHT = np.eye(2)
LAW = carom.law("hertzdamp", stiffness=5e8, restitution=0.6)


def slab(joint, turn=STRAIGHT, **more) -> carom.Problem:
    """Return a mass in a plane, tied to the ground by a joint that has rows x and y, all of it turned."""
    made = carom.Structure(
        [M, M], turn @ K @ turn.T, dofs=["x", "y"], name="slab", **more,
        springs=() if joint is None else ((np.eye(2), joint),),
    )  # fmt: skip
    return carom.Problem([made], initial_velocity={"slab": tuple(turn @ SPEED)})


def run(problem, scheme, dt=1e-4, duration=1.0):
    return carom.simulate(problem, scheme=scheme, duration=duration, sampling=0.01, dt=dt)


def naive():
    """The bearing as a state that flows: the force turns along its circle while the slab pulls it outwards."""

    def rate(_, y):
        u, v, f = y[:2], y[2:4], y[4:]
        flow = BEARING.stiffness * v
        size = np.linalg.norm(f)
        if size >= BEARING.strength and f @ v > 0.0:
            flow = flow - f * (f @ flow) / size**2
        return np.concatenate([v, -(K @ u + f) / M, flow])

    times = np.linspace(0.0, 1.0, 101)
    found = solve_ivp(
        rate, (0.0, 1.0), [0.0, 0.0, *SPEED, 0.0, 0.0], max_step=2e-4, rtol=1e-8, atol=1e-12, t_eval=times
    )
    return found.y[:2].T


@pytest.mark.parametrize("scheme", STEPPED)
def test_a_bearing_in_a_plane_against_scipy(scheme: str) -> None:
    found, other = run(slab(BEARING), scheme), naive()
    np.testing.assert_allclose(found.displacement, other, atol=1e-3 * np.abs(other).max())
    assert found.ledger["hysteretic"][-1] > 0.3 * found.ledger["kinetic"][0]
    assert np.abs(found.ledger["residual"]).max() < 1e-4 * found.ledger["kinetic"][0]


@pytest.mark.parametrize("scheme", STEPPED)
@pytest.mark.parametrize("angle", [0.3, 2.0])
def test_turned_by_any_angle_it_is_the_same(scheme: str, angle: float) -> None:
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    straight, turned = run(slab(BEARING), scheme, 1e-3), run(slab(BEARING, turn), scheme, 1e-3)
    size = np.abs(straight.displacement).max()
    np.testing.assert_allclose(turned.displacement @ turn, straight.displacement, atol=1e-9 * size)


def test_a_controlled_step_agrees() -> None:
    """As far as the radial return lets it: of first order where the path bends, which no scheme knows."""
    fine = run(slab(BEARING), "radau-iia-2", 2e-5)
    other = carom.simulate(slab(BEARING), scheme="radau-iia-2", duration=1.0, sampling=0.01, rtol=1e-6)
    np.testing.assert_allclose(other.displacement, fine.displacement, atol=4e-3 * np.abs(fine.displacement).max())


@pytest.mark.parametrize("scheme", STEPPED)
def test_three_rows_in_a_plane_are_two(scheme: str) -> None:
    """The third degree of freedom never moves."""
    space = carom.Structure(
        [M, M, M], np.block([[K, np.zeros((2, 1))], [np.zeros((1, 2)), 1e5 * np.ones((1, 1))]]), name="slab",
        springs=((np.eye(3), SphericalBearing(BEARING.stiffness, BEARING.strength)),),
    )  # fmt: skip
    found = run(carom.Problem([space], initial_velocity={"slab": (*SPEED, 0.0)}), scheme, 1e-3)
    plane = run(slab(BEARING), scheme, 1e-3)
    np.testing.assert_allclose(found.displacement[:, :2], plane.displacement, atol=1e-12)
    assert not found.displacement[:, 2].any()


def test_a_bearing_beside_a_wall_and_beside_storeys_of_ours() -> None:
    """Rows that couple, rows that do not and a contact in one system: two schemes agree."""

    def problem() -> carom.Problem:
        yielding = carom.Bilinear(2e-3).bound_to(1e5)
        made = carom.Structure(
            [M, M], K, dofs=["x", "y"], name="slab",
            springs=((np.array([[1.0, -1.0]]), yielding), (np.eye(2), BEARING), (np.array([[0.0, 1.0]]), yielding)),
        )  # fmt: skip
        contact = carom.Contact(("slab", "x"), "wall", gap=0.004, law=LAW)
        return carom.Problem([made, carom.Wall("wall")], [contact], initial_velocity={"slab": tuple(SPEED)})

    one, other = run(problem(), "newmark", 1e-5), run(problem(), "radau-iia-2", 1e-5)
    assert one.table["start"].size == other.table["start"].size > 0
    size = np.abs(one.displacement).max()
    np.testing.assert_allclose(one.displacement, other.displacement, atol=1e-3 * size)


@pytest.mark.parametrize(("scheme", "off"), [("newmark", 1e-5), ("radau-iia-2", 1e-7), ("moreau-jean", 1e-5)])
def test_a_dashpot_in_closed_form(scheme: str, off: float) -> None:
    k, ratio, speed = 4e5, 0.2, 0.5
    omega = math.sqrt(k / M)
    joint = Dashpot(2.0 * ratio * omega * M)
    made = carom.Structure([M], [[k]], name="one", springs=((np.eye(1), joint),))
    found = run(carom.Problem([made], initial_velocity={"one": (speed,)}), scheme)
    swift = omega * math.sqrt(1.0 - ratio**2)
    exact = speed * np.exp(-ratio * omega * found.time) * np.sin(swift * found.time) / swift
    np.testing.assert_allclose(found.displacement[:, 0], exact, atol=off * np.abs(exact).max())
    assert found.ledger["hysteretic"][-1] == pytest.approx(found.ledger["kinetic"][0], rel=1e-3)


@pytest.mark.parametrize("scheme", STEPPED)
def test_a_dashpot_in_a_plane_is_a_matrix_of_damping(scheme: str) -> None:
    c = np.array([[3000.0, 800.0], [800.0, 1500.0]])
    found = run(slab(PlaneDashpot(c[0, 0], c[0, 1], c[1, 1])), scheme, 1e-3)
    other = run(slab(None, damping=c), scheme, 1e-3)
    np.testing.assert_allclose(found.displacement, other.displacement, atol=1e-9 * np.abs(other.displacement).max())


@pytest.mark.parametrize("joint", [BEARING, SphericalBearing(4e5, 900.0), Dashpot(300.0), PlaneDashpot(3.0, 1.0, 2.0)])
def test_they_keep_the_contract(joint: Joint) -> None:
    carom.testing.check_joint(joint, deformation=0.02)


def test_without_a_compiler_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = run(slab(BEARING), "newmark", 1e-2, 0.3)
    monkeypatch.setenv("CAROM_BACKEND", "python")
    plain = run(slab(BEARING), "newmark", 1e-2, 0.3)
    assert plain.evidence["backend"] == "python"
    np.testing.assert_allclose(plain.displacement, compiled.displacement, rtol=1e-12, atol=1e-15)


def test_a_law_of_the_users_beside_a_joint_of_the_users() -> None:
    @carom.register_law("pad-beside-a-bearing")
    def pad(overlap, rate):
        return 5e6 * overlap

    made = slab(BEARING)
    wall = carom.Contact(("slab", "x"), "wall", gap=0.004, law=carom.law("pad-beside-a-bearing"))
    problem = made.replace(structures=[*made.structures, carom.Wall("wall")], contacts=[wall])
    linear = problem.replace(law=carom.law("linear-elastic", stiffness=5e6))
    one, other = run(problem, "newmark"), run(linear, "newmark")
    assert one.table["start"].size > 0
    np.testing.assert_allclose(one.displacement, other.displacement, atol=1e-6 * np.abs(other.displacement).max())


def test_what_is_refused() -> None:
    with pytest.raises(carom.InputError, match="must have 2 places for a joint 'circular-bearing'"):
        carom.Problem([carom.Structure([M, M], K, name="slab", springs=((np.ones((1, 2)), BEARING),))]).flat()
    with pytest.raises(carom.InputError, match="acts beside an elastic spring"):
        carom.Bilinear(0.01).numbers()
    with pytest.raises(carom.InputError, match="`strength` of CircularBearing must be positive"):
        CircularBearing(4e5, -1.0)

    class Nameless(Joint):
        pass

    with pytest.raises(carom.InputError, match="`name` of Nameless"):
        carom.register_joint(Nameless)
