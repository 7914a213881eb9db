"""The Tacoma Narrows model of McKenna (1999): a stiff cross-section on two stays that push nothing when slack.

    θ″ = −d θ′ + (3K/(mL)) cos θ [(y − L sin θ)⁺ − (y + L sin θ)⁺] + λ sin μt
    y″ = −d y′ − (K/m) [(y − L sin θ)⁺ + (y + L sin θ)⁺] + g

References: McKenna P.J. (1999). Large torsional oscillations in suspension bridges revisited: fixing an old
approximation. American Mathematical Monthly 106, 1-18.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["EQUILIBRIUM", "forces", "slant", "stays"]

Array = npt.NDArray[np.float64]

MASS, STAY, HALF_WIDTH, DAMPING, GRAVITY = 2500.0, 1000.0, 6.0, 0.01, 9.8  # kg, N/m, m, 1/s, m/s²
AMPLITUDE, FREQUENCY = 0.05, 1.3  # λ [1/s²] and μ [rad/s], within the ranges of 0.02 to 0.06 and 1.2 to 1.6
EQUILIBRIUM = MASS * GRAVITY / (2.0 * STAY)  # y at rest [m]


def stays(u: Array) -> Array:
    """Return how far the two stays are stretched [m], negative when slack; u = (θ, θ′, y, y′) along the last axis."""
    return np.stack([u[..., 2] - HALF_WIDTH * np.sin(u[..., 0]), u[..., 2] + HALF_WIDTH * np.sin(u[..., 0])], axis=-1)


def forces(t: float, u: Any) -> Any:
    """Return du/dt."""
    theta, spin, y, fall = u
    reach = HALF_WIDTH * math.sin(theta)
    left, right = max(y - reach, 0.0), max(y + reach, 0.0)
    turn = 3.0 * STAY / (MASS * HALF_WIDTH) * math.cos(theta) * (left - right)
    return np.array(
        [
            spin,
            -DAMPING * spin + turn + AMPLITUDE * math.sin(FREQUENCY * t),
            fall,
            -DAMPING * fall - STAY / MASS * (left + right) + GRAVITY,
        ]
    )


def slant(_t: float, u: Any) -> Array:
    """Return a slanting function of `forces`: the Jacobian, one-sided where a stay is just slack."""
    theta, _, y, _ = u
    sine, cosine = math.sin(theta), math.cos(theta)
    left, right = y - HALF_WIDTH * sine, y + HALF_WIDTH * sine
    a, b = float(left > 0.0), float(right > 0.0)
    arm, pull = 3.0 * STAY / (MASS * HALF_WIDTH), STAY / MASS
    by_angle = arm * (-sine * (a * left - b * right) - cosine * cosine * HALF_WIDTH * (a + b))
    return np.array(
        [
            [0.0, 1.0, 0.0, 0.0],
            [by_angle, -DAMPING, arm * cosine * (a - b), 0.0],
            [0.0, 0.0, 0.0, 1.0],
            [pull * HALF_WIDTH * cosine * (a - b), 0.0, -pull * (a + b), -DAMPING],
        ]
    )
