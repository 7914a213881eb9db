"""Inelastic storeys and stops under Moreau-Jean: a naive step solved by SciPy, another scheme, energy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import root

import carom

M, K, DY, E = 1000.0, 4e5, 0.01, 0.5
DEFAULT = carom.motions.get("default")
SHAKE = carom.Motion(2.0 * DEFAULT.acceleration[:501], dt=DEFAULT.dt)
SPRINGS = (
    carom.Bilinear(DY, hardening=0.05), carom.BoucWen(DY, hardening=0.1), carom.GapStop(0.01, stiffness=2e6),
    carom.HookStop(0.008, stiffness=2e6),
)  # fmt: skip


def beside_a_wall(spring, gap=0.015) -> carom.Problem:
    frame = carom.ShearBuilding(masses=[M], stiffnesses=[K], damping_ratio=0.02, storeys=spring, name="frame")
    law = carom.law("newton", restitution=E)
    return carom.Problem([frame, carom.Wall(name="wall")], [carom.Contact("frame", "wall", gap=gap, law=law)], SHAKE)


def naive(h, steps, gap=0.015, theta=0.5, gamma=1.5):
    """One mass on a bilinear spring: the implicit step by a general root finder, and its impulse beside it."""
    k, alpha, c = K, 0.05, 2 * 0.02 * np.sqrt(K * M)
    q = v = z = 0.0
    found = [q]
    for i in range(steps):
        a = np.interp([i * h, (i + 1) * h], SHAKE.dt * np.arange(SHAKE.npts), SHAKE.acceleration).mean()

        def free(after, push, q=q, v=v, z=z, a=a):
            middle = (1 - theta) * v + theta * after
            drift = q + theta * h * middle
            memory = np.clip(z + drift - q, -DY, DY)
            force = alpha * k * drift + (1 - alpha) * k * memory
            return M * (after - v) + h * (c * middle + force) + h * M * a + push

        after = float(root(lambda x: free(x, 0.0), v, tol=1e-14).x[0])
        if gap - q - gamma * h * v <= 0.0 and -after - E * v < 0.0:
            after = -E * v  # the impulse is what gives this velocity
            if free(after, 0.0) > 0.0:
                after = float(root(lambda x: free(x, 0.0), v, tol=1e-14).x[0])
        end = q + h * ((1 - theta) * v + theta * after)
        q, v, z = end, after, float(np.clip(z + end - q, -DY, DY))
        found.append(q)
    return np.array(found)


def test_a_yielding_frame_step_by_step():
    h = SHAKE.dt / 4
    run = carom.simulate(beside_a_wall(SPRINGS[0]), scheme="moreau-jean", dt=h)
    slow = naive(h, 4 * (SHAKE.npts - 1))
    assert run.table["start"].size >= 3
    assert np.abs(run.displacement).max() > 1.5 * DY
    assert run.displacement[:, 0] == pytest.approx(slow[::4], abs=1e-9)
    assert run.evidence["iterations"] > run.evidence["steps"]


@pytest.mark.parametrize("spring", SPRINGS, ids=lambda spring: type(spring).__name__)
def test_without_contact_it_converges_to_another_scheme(spring):
    problem = beside_a_wall(spring, gap=1.0)
    frame = carom.Problem(problem.structures[:1], [], problem.motion)
    other = carom.simulate(frame, scheme="newmark", dt=SHAKE.dt / 200).displacement
    errors = [
        np.abs(carom.simulate(problem, scheme="moreau-jean", dt=SHAKE.dt / parts).displacement - other).max()
        for parts in (10, 40)
    ]
    assert errors[1] < 2e-3 * np.abs(other).max()
    assert errors[1] < 0.3 * errors[0]


@pytest.mark.parametrize("spring", SPRINGS, ids=lambda spring: type(spring).__name__)
def test_energy_is_accounted_for(spring):
    run = carom.simulate(beside_a_wall(spring), scheme="moreau-jean", dt=SHAKE.dt / 50)
    scale = run.ledger["input"].max()
    assert run.table["start"].size >= 2
    assert np.abs(run.ledger["residual"]).max() < 1e-9 * scale
    if isinstance(spring, (carom.Bilinear, carom.BoucWen)):
        assert np.diff(run.ledger["hysteretic"]).min() > -1e-3 * scale
        assert run.ledger["hysteretic"][-1] > 0.1 * scale
    else:
        assert np.abs(run.ledger["hysteretic"]).max() < 1e-2 * scale  # stops give back what they take


def test_two_yielding_buildings_pound():
    left = carom.ShearBuilding(
        masses=[2e4] * 4, stiffnesses=[2e7] * 4, damping_ratio=0.03, storeys=carom.Bilinear(0.004, 0.05), name="left"
    )
    right = carom.ShearBuilding(masses=[2e4] * 3, stiffnesses=[6e7] * 3, damping_ratio=0.03, name="right")
    contacts = [carom.facing("left", "right", gap=0.005, law=carom.law("newton", restitution=E))]
    run = carom.simulate(carom.Problem([left, right], contacts, SHAKE), scheme="moreau-jean", dt=1e-3)
    assert run.table["start"].size > 5
    assert run.ledger["hysteretic"][-1] > 0.0
    assert np.abs(run.ledger["residual"]).max() < 1e-9 * run.ledger["input"].max()


def test_event_by_event_refuses_them_with_the_way_out():
    with pytest.raises(carom.InputError, match=r"Schemes that can: .*'moreau-jean'"):
        carom.simulate(beside_a_wall(SPRINGS[0]))
