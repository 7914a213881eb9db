"""The bouncing ball of langlade2021 section 3 in closed form: m = 1 kg, h = 1 m, g = 2 m/s², e = 1/2."""

from __future__ import annotations

import numpy as np

import carom


def ball(law=None) -> carom.Problem:
    law = law or carom.law("newton", restitution=0.5)
    bodies = [carom.Body(mass=1.0, gravity=2.0, name="ball"), carom.Ground(name="ground")]
    return carom.Problem(bodies, [carom.Contact("ball", "ground", gap=1.0, law=law)])


def fallen(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far below the release the ball is, and its velocity downwards.

    First touch at 1 s with 2 m/s; then flights of 1, 1/2, 1/4, … s, thrown up with as many m/s; at rest from 3 s on.
    """
    x, v = np.where(t < 1.0, t * t, 1.0), np.where(t < 1.0, 2.0 * t, 0.0)
    begin, length = 1.0, 1.0
    while length > 1e-15:
        since = t - begin
        here = (since >= 0.0) & (since < length)
        x = np.where(here, 1.0 - (length * since - since * since), x)
        v = np.where(here, 2.0 * since - length, v)
        begin, length = begin + length, 0.5 * length
    return x, v
