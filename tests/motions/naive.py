"""Slow, obvious second implementations: the judges of the fast ones."""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm

from carom.motions import Motion


def dense_response(motion: Motion, period: float, damping: float, parts: int) -> np.ndarray:
    """Return |u|, |v| and |absolute acceleration| on a finer grid, by the matrix exponential."""
    omega = 2.0 * np.pi / period
    fine = motion.dt / parts
    system = np.zeros((4, 4))  # state u, v, load, slope of the load
    system[0, 1] = system[2, 3] = 1.0
    system[1] = -(omega**2), -2.0 * damping * omega, 1.0, 0.0
    step = expm(system * fine)
    load = -motion.acceleration
    state = np.array([0.0, 0.0, 0.0, 0.0])
    result = [np.zeros(3)]
    for i in range(motion.npts - 1):
        state[2], state[3] = load[i], (load[i + 1] - load[i]) / motion.dt
        for _ in range(parts):
            state = step @ state
            u, v = state[:2]
            result.append(np.array([u, v, omega**2 * u + 2.0 * damping * omega * v]))
    return np.abs(np.array(result))
