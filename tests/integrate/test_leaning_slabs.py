"""Slabs that lean on a wall at several corners: stiff contacts that share one light body."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import carom
from carom.kernels.laws import power_law

MASS = 2e4  # of the slab [kg]
DT = 0.01  # [s]
TIMES = np.arange(0.0, 0.5 + DT / 2, DT)
GROUND = -(3.0 + np.sin(6.0 * np.pi * TIMES))  # it presses the slab to the wall all the time [m/s²]
RADIUS = 8.0  # of gyration [m]: far corners hardly turn the slab
SPRINGS = MASS * (4.0 * np.pi) ** 2 * np.array([1.0, 1.1, 1.3 * RADIUS**2])  # along x and y, and about z


def leaning(corners: np.ndarray, law: carom.laws.CompliantLaw, overlap: float) -> carom.Problem:
    """Return a slab with corners at these y [m], pressed to a wall at the start."""
    points = {
        f"at {y:.2f} m": carom.Point((3.0, float(y), 0.0), x={"ux": 1.0, "rz": float(-y)}, y={"uy": 1.0, "rz": 3.0})
        for y in corners
    }
    slab = carom.Structure(
        MASS * np.array([1.0, 1.0, RADIUS**2]), np.diag(SPRINGS), damping_ratio=0.03, dofs=["ux", "uy", "rz"],
        points=points, influence=[[1, 0, 0], [0, 1, 0], [0, 0, 0]], name="slab",
    )  # fmt: skip
    contacts = [carom.Contact(("slab", name, "x"), "wall", gap=0.0, law=law) for name in points]
    return carom.Problem(
        [slab, carom.Wall("wall")], contacts, motion=carom.Motion(GROUND, dt=DT),
        initial_displacement={"slab": (overlap, 0.0, 0.0)}, allow_overlap=True,
    )  # fmt: skip


def followed(corners: np.ndarray, laws: np.ndarray, overlap: float) -> np.ndarray:
    """Return the forces of all corners at TIMES [N], by SciPy in x and rz; `laws` are K and χ of F = K δ + χ δ̇."""
    mass, spring = MASS * np.array([1.0, RADIUS**2]), SPRINGS[[0, 2]]
    damping = 0.06 * np.sqrt(spring * mass)
    reach = np.array([np.ones(corners.size), -corners])
    inside = np.block([
        [np.zeros((2, 2)), np.eye(2)],
        [-(np.diag(spring) + reach * laws[0] @ reach.T) / mass[:, None],
         -(np.diag(damping) + reach * laws[1] @ reach.T) / mass[:, None]],
    ])  # fmt: skip

    def motion(t: float, y: np.ndarray, begin: int) -> np.ndarray:
        ground = GROUND[begin] + (GROUND[begin + 1] - GROUND[begin]) * (t - TIMES[begin]) / DT
        return inside @ y - np.array([0.0, 0.0, ground, 0.0])

    states = [np.array([overlap, 0.0, 0.0, 0.0])]
    for i in range(TIMES.size - 1):
        whole = solve_ivp(
            motion, TIMES[i : i + 2], states[-1], method="Radau", args=(i,), jac=lambda t, y, begin: inside,
            rtol=1e-9, atol=1e-18,
        )  # fmt: skip
        states.append(whole.y[:, -1])
    state = np.array(states)
    return laws[0] * (state[:, :2] @ reach) + laws[1] * (state[:, 2:] @ reach)


@pytest.mark.parametrize("rtol", [1e-4, 1e-6])
@pytest.mark.parametrize(("corners", "stiffness", "most"), [(4, 1e11, 560), (8, 1e10, 370), (8, 1e11, 560)])
def test_stiff_corners_of_one_slab_are_solved_for_together(
    corners: int, stiffness: float, most: int, rtol: float
) -> None:
    """Contact by contact the forces converge so slowly that steps were shortened: 648 to 1493 were tried of the last.

    Steps must not be as long as their solution allows either: misses of all corners add up in the slab.
    """
    at = np.linspace(-3.0, 3.5, corners)
    overlap = 3.0 * MASS / (corners * stiffness)
    law = carom.law("kelvin-voigt", stiffness=stiffness, restitution=0.3)
    problem = leaning(at, law, overlap)
    laws = problem.flat().laws[:, [power_law.STIFFNESS, power_law.DAMPING]].T
    exact = followed(at, laws, overlap)
    assert exact.min() > 0.0  # none parts: the reference has no event
    run = carom.simulate(problem, rtol=rtol, path="general")
    assert run.evidence["contact_steps"] + run.evidence["rejected_steps"] < most
    np.testing.assert_allclose(run.force, exact, rtol=0.0, atol=30.0 * rtol * exact.max())
    residual = np.abs(run.energy["residual"]).max()
    assert residual <= 30.0 * rtol * float(np.abs(run.energy["input"]).max())
