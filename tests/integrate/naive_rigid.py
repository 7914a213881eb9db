"""A slow, obvious second implementation of rigid pounding: two oscillators, SciPy's solver, its events."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp


def pounding(m, k, c, gap, e, ground, dt, u0, v0=(0.0, 0.0)):
    """Return displacements at the samples, and the times of impacts.

    With e = 0 the two stay together after a touch until the force between them would pull.
    """
    m, k, c = (np.asarray(x, dtype=float) for x in (m, k, c))
    times = dt * np.arange(len(ground))

    def free(t, y):
        return np.concatenate([y[2:], (-c * y[2:] - k * y[:2]) / m - np.interp(t, times, ground)])

    def joined(t, y):
        a = np.sum(-c * y[2:] - k * y[:2]) / m.sum() - np.interp(t, times, ground)
        return np.concatenate([y[2:], [a, a]])

    def closes(t, y):
        return y[0] - y[1] - gap

    def pulls(t, y):  # the force on the left one, positive in compression
        return m[0] * (free(t, y)[2] - joined(t, y)[2])

    closes.terminal, closes.direction = True, 1
    pulls.terminal, pulls.direction = True, -1
    y, held = np.array([*u0, *v0], dtype=float), False
    found, hits = [y[:2].copy()], []
    for i in range(len(ground) - 1):
        t, end = times[i], times[i + 1]
        while t < end:
            right, event = (joined, pulls) if held else (free, closes)
            step = solve_ivp(right, (t, end), y, method="DOP853", rtol=1e-12, atol=1e-15, events=event)
            t, y = step.t[-1], step.y[:, -1].copy()
            if step.status != 1:
                continue
            if held:
                held = False
                y[1] = y[0] - gap + 1e-15
                continue
            hits.append(t)
            share = (1.0 + e) * (y[2] - y[3]) / (1 / m[0] + 1 / m[1])
            y[2] -= share / m[0]
            y[3] += share / m[1]
            held = e == 0.0 and pulls(t, y) > 0.0
            if not held:
                y[1] = y[0] - gap + 1e-15
        found.append(y[:2].copy())
    return np.array(found), np.array(hits)
