"""Motions of rigid bodies that have formulas, and an impact followed by its impulse: nothing here knows the package."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipkinc


def matrix_of(quaternion):
    """The rotation matrix of a unit quaternion (w, x, y, z)."""
    w, x, y, z = quaternion
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * skew + 2 * skew @ skew


def tumbling(inertia, spin, t):
    """Spins of a free body about its principal axes, I₁ < I₂ < I₃, at times t: Jacobi's elliptic functions."""
    i1, i2, i3 = inertia
    twice, square = (inertia * spin**2).sum(), ((inertia * spin) ** 2).sum()
    a1 = np.sqrt((twice * i3 - square) / (i1 * (i3 - i1)))
    a3 = np.sqrt((square - twice * i1) / (i3 * (i3 - i1)))
    if square < twice * i2:  # it goes round the first axis
        a2, sign = np.sqrt((square - twice * i1) / (i2 * (i2 - i1))), np.sign(spin[0])
        pace = np.sqrt((i2 - i1) * (twice * i3 - square) / (i1 * i2 * i3))
        share = (i3 - i2) * (square - twice * i1) / ((i2 - i1) * (twice * i3 - square))
        start = ellipkinc(np.arctan2(sign * spin[1] / a2, spin[2] / a3), share)
        sn, cn, dn, _ = ellipj(start + pace * t, share)
        return np.stack([sign * a1 * dn, sign * a2 * sn, a3 * cn], axis=1)
    a2, sign = np.sqrt((twice * i3 - square) / (i2 * (i3 - i2))), np.sign(spin[2])
    pace = np.sqrt((i3 - i2) * (square - twice * i1) / (i1 * i2 * i3))
    share = (i2 - i1) * (twice * i3 - square) / ((i3 - i2) * (square - twice * i1))
    start = ellipkinc(np.arctan2(sign * spin[1] / a2, spin[0] / a1), share)
    sn, cn, dn, _ = ellipj(start + pace * t, share)
    return np.stack([a1 * cn, sign * a2 * sn, sign * a3 * dn], axis=1)


def steady_precession(mass, length, across, about, tilt, spin, gravity):
    """The slower rate of precession of a top on its tip; moments about the centre of mass, `spin` about its axis."""
    whole = across + mass * length**2
    a, b, c = whole * np.cos(tilt), -about * spin, mass * gravity * length
    return (-b - np.sqrt(b * b - 4 * a * c)) / (2 * a)


def ball_after_bounce(mass, radius, share, velocity, spin, e, mu):
    """Velocity and spin of a ball of moment `share`·m r² after it struck a floor below it."""
    normal = np.array([0.0, 0.0, 1.0])
    slip = velocity + np.cross(spin, -radius * normal)
    slip[2] = 0.0
    push = -mass * (1 + e) * velocity[2]
    size = np.linalg.norm(slip)
    drag = min(mu * push, mass * size * share / (1 + share))
    impulse = push * normal - drag * slip / size
    return velocity + impulse / mass, spin + np.cross(-radius * normal, impulse) / (share * mass * radius**2)


def mobility(mass, tensor, arm):
    """What an impulse at the end of an arm from the centre of mass does to the velocity there, shape (3, 3)."""
    skew = np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])
    return np.eye(3) / mass - skew @ np.linalg.inv(tensor) @ skew


def impact_by_stronge(w, velocity, e, mu):
    """Impulse of one contact on a floor below, followed by its normal impulse; slip that comes to rest sticks or turns.

    `w` is the mobility of the point that strikes, `velocity` that of the point before.
    """

    def sliding(_p, state):
        slip = state[:2] / np.hypot(*state[:2])
        return [*(w @ [-mu * slip[0], -mu * slip[1], 1.0]), state[2], *(-mu * slip)]

    def stuck(_p, state):
        return [0.0, 0.0, w[2] @ [*hold, 1.0], state[2], *hold]

    hold = -np.linalg.solve(w[:2, :2], w[:2, 2])
    least = 1e-9 * np.hypot(*velocity[:2])
    state, total, worst, sticks = np.array([*velocity, 0.0, 0.0, 0.0]), 0.0, 0.0, False
    for _ in range(20):
        opening = worst < 0.0
        ends = [_rises_through(3, worst * (1 - e * e)) if opening else _rises_through(2, 0.0)]
        if not sticks:
            ends.append(_stopped(least))
        found = solve_ivp(
            stuck if sticks else sliding, (0.0, 1e3), state, "DOP853", events=ends, rtol=1e-13, atol=1e-15
        )
        total, state = total + found.t[-1], found.y[:, -1]
        if found.t_events[0].size:
            if opening:
                break
            worst = state[3]
        else:  # the slip has stopped
            sticks = np.hypot(*hold) <= mu
            if not sticks:  # in a plane of symmetry it turns round
                state[:2] *= -1.01
    return np.array([state[4], state[5], total])


def _rises_through(which, goal):
    """An event: a number of the state rises through a goal."""

    def event(_p, state):
        return state[which] - goal

    event.terminal, event.direction = True, 1
    return event


def _stopped(least):
    """An event: the slip has come down to almost nothing."""

    def event(_p, state):
        return np.hypot(*state[:2]) - least

    event.terminal, event.direction = True, -1
    return event
