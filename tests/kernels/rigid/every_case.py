"""A slow, obvious second solver of planar impacts with friction: every choice of open, sticking and sliding."""

from __future__ import annotations

from itertools import product

import numpy as np


def answers(w, b, mu, least, tolerance=1e-9):
    """Return every set of impulses that meets Coulomb's conditions; rates and impulses: normals, then tangents."""
    n = len(mu)
    found = []
    for cases in product(product((True, False), ("stick", "up", "down")), repeat=n):
        matrix, right = np.array(w), -np.array(b)
        for i, (leaves, slip) in enumerate(cases):
            if leaves:
                matrix[i], right[i] = np.eye(2 * n)[i], least[i]
            if slip != "stick" or (leaves and least[i] == 0.0):
                share = mu[i] if slip == "up" else -mu[i]
                matrix[n + i], right[n + i] = np.eye(2 * n)[n + i] - share * np.eye(2 * n)[i], 0.0
        if abs(np.linalg.det(matrix / np.abs(matrix).max(axis=1)[:, None])) < 1e-12:
            continue
        p = np.linalg.solve(matrix, right)
        y = b + w @ p
        size = 1.0 + np.abs(p).max()
        good = (p[:n] >= np.array(least) - tolerance * size).all() and (y[:n] >= -tolerance).all()
        good = good and (np.abs(p[n:]) <= np.array(mu) * p[:n] + tolerance * size).all()
        for i, (leaves, slip) in enumerate(cases):
            pressed = not leaves or least[i] > 0.0
            good = good and not (pressed and slip == "up" and y[n + i] > tolerance)
            good = good and not (pressed and slip == "down" and y[n + i] < -tolerance)
        if good and not any(np.allclose(p, other, atol=10.0 * tolerance * size) for other in found):
            found.append(p)
    return found


def impact(hypothesis, w, y, e, mu):
    """Return what an impact may do by Newton's or Poisson's hypothesis: every answer of every phase."""
    n = len(mu)
    none = np.zeros(n)
    if hypothesis == "newton":
        return answers(w, np.concatenate([y[:n] * (1.0 + e), y[n:]]), mu, none)
    found = []
    for pressed in answers(w, y, mu, none):
        rest = answers(w, y + w @ pressed, mu, e * pressed[:n])
        found += [pressed + more for more in rest]
    return found
