"""Peaks of displacement, velocity and absolute acceleration in flight by matrix exponentials, sampled and polished.

Shares nothing with the engine but the modes of the structures: each is a first-order system of displacement, velocity,
load and slope of the load, carried by `scipy.linalg.expm`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.linalg import expm

import carom

Array = npt.NDArray[np.float64]

PER_RADIAN = 12  # sampled points for each radian of the quickest mode


def systems(omega: Array, sigma: Array) -> Array:
    """First-order matrices of (q, q̇, p, p′), shape (modes, 4, 4)."""
    found = np.zeros((omega.size, 4, 4))
    found[:, 0, 1] = found[:, 1, 2] = found[:, 2, 3] = 1.0
    found[:, 1, 0], found[:, 1, 1] = -(omega**2), -2.0 * sigma
    return found


def quantities(states: Array, matrices: Array, steady: Array) -> Array:
    """Each quantity with its two derivatives, of all modes: shape (3, 3, …, modes) from states (…, modes, 4)."""
    rate = np.einsum("kij,...kj->...ki", matrices, states)
    jerk = np.einsum("kij,...kj->...ki", matrices, rate)
    snap = np.einsum("kij,...kj->...ki", matrices, jerk)
    own = steady + rate[..., 1] - states[..., 2]
    return np.array([
        [states[..., 0], states[..., 1], rate[..., 1]],
        [states[..., 1], rate[..., 1], jerk[..., 1]],
        [own, jerk[..., 1] - states[..., 3], snap[..., 1]],
    ])  # fmt: skip


def true_peaks(problem: carom.Problem) -> Array:
    """Peaks of a problem whose structures never touch, shape (dofs, 3)."""
    flat = problem.flat()
    dt, count = flat.dt, flat.driven.shape[1]
    matrices = systems(flat.omega, flat.sigma)
    points = max(24, int(np.ceil(PER_RADIAN * dt * max(flat.omega.max(), 2.0 * flat.sigma.max()))))
    times = np.linspace(0.0, dt, points + 1)
    within = np.empty((points + 1, *matrices.shape))
    within[0], step = np.eye(4), expm(matrices * times[1])
    for j in range(points):
        within[j + 1] = step @ within[j]
    within[-1] = expm(matrices * dt)
    loads = flat.load[None] - flat.drives.share * flat.driven[flat.drives.which].T
    state = np.stack([flat.q0, flat.v0], axis=-1)
    starts = np.zeros((count - 1, flat.omega.size, 4))
    for i in range(count - 1):
        starts[i, :, :2] = state
        starts[i, :, 2], starts[i, :, 3] = loads[i], (loads[i + 1] - loads[i]) / dt
        state = np.einsum("kij,kj->ki", within[-1], starts[i])[:, :2]
    peaks = np.zeros((flat.outputs.shape[0], 3))
    tops = []
    for i in range(count - 1):
        inside = quantities(np.einsum("tkij,kj->tki", within, starts[i]), matrices, flat.load)
        tops.append(np.einsum("nptk,dk->npdt", inside, flat.outputs))
    for d in range(peaks.shape[0]):
        for kind in range(3):
            values = np.array([top[kind, 0, d] for top in tops])
            bends = np.array([top[kind, 2, d] for top in tops])
            size = np.abs(values)
            best = size.max()
            low = best - 0.3 * (dt / points) ** 2 * np.abs(bends).max()
            for i, j in zip(*np.nonzero(size >= low), strict=True):
                left, right = size[i, max(j - 1, 0)], size[i, min(j + 1, points)]
                if size[i, j] >= max(left, right):
                    best = max(best, polished(times[j], starts[i], d, kind, flat, matrices))
            peaks[d, kind] = best
    return peaks


def polished(t: float, start: Array, d: int, kind: int, flat: carom.problem.FlatProblem, matrices: Array) -> float:
    """Size of a quantity at the crest next to time `t` of a sample."""
    best = 0.0
    for _ in range(6):
        states = np.einsum("kij,kj->ki", expm(matrices * t), start)
        value, slope, bend = quantities(states, matrices, flat.load)[kind] @ flat.outputs[d]
        best = max(best, abs(value))
        step = -slope / bend if bend != 0.0 else 0.0
        t = min(max(t + step, 0.0), flat.dt)
    return float(best)
