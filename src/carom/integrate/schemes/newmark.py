"""Newmark's family: average and linear acceleration, central difference, HHT-α, generalised-α, a lagging force.

    q₁ = q₀ + h v₀ + h²((½−β) a₀ + β a₁),      v₁ = v₀ + h((1−γ) a₀ + γ a₁)
    (1−α_m) a₁ + α_m a₀ + 2σ v_f + ω² q_f = p_f − F_f,      x_f = (1−α_f) x₁ + α_f x₀

Newmark (1959); Hilber, Hughes and Taylor (1977); Chung and Hulbert (1993). Contact forces are weighted like all others.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from carom.integrate.schemes.base import Task, register_scheme
from carom.integrate.schemes.stepping import STEPPING, StepMap, march
from carom.results import Simulation
from carom.units import Range, number

__all__ = ["central_difference", "generalised_alpha", "hht_alpha", "lagged_force", "newmark", "newmark_linear"]

Array: TypeAlias = npt.NDArray[np.float64]


@register_scheme("newmark", aliases=("average-acceleration", "newmark-average"), can=STEPPING, order=2)
def newmark(task: Task, *, dt: float | str | None = None, beta: float = 0.25, gamma: float = 0.5) -> Simulation:
    """Newmark's method, by default with average acceleration (β = 1/4, γ = 1/2): order 2, unconditionally stable.

    dt: longest step [s]; without it the step follows `rtol`.
    """
    b = number(beta, "", name="beta", owner="scheme 'newmark'", within=Range(0.0, 1.0, low_open=False, high_open=False))
    g = number(
        gamma, "", name="gamma", owner="scheme 'newmark'", within=Range(0.5, 1.0, low_open=False, high_open=False)
    )
    return march(task, _family("newmark", b, g), dt)


@register_scheme("newmark-linear", aliases=("linear-acceleration",), can=STEPPING, order=2)
def newmark_linear(task: Task, *, dt: float | str | None = None) -> Simulation:
    """Newmark's method with linear acceleration (β = 1/6, γ = 1/2): order 2, stable for ωh < 2√3.

    dt: longest step [s]; without it the step follows `rtol`.
    """
    return march(task, _family("newmark-linear", 1.0 / 6.0, 0.5), dt)


@register_scheme("central-difference", can=STEPPING, order=2)
def central_difference(task: Task, *, dt: float | str | None = None) -> Simulation:
    """Central differences (Newmark's β = 0, γ = 1/2): order 2, stable for ωh < 2; explicit in displacements.

    dt: longest step [s]; without it the step follows `rtol`.
    """
    return march(task, _family("central-difference", 0.0, 0.5), dt)


@register_scheme("hht-alpha", aliases=("hht",), can=STEPPING, order=2)
def hht_alpha(task: Task, *, dt: float | str | None = None, alpha: float = -0.1) -> Simulation:
    """Hilber, Hughes and Taylor's method: order 2, unconditionally stable, damps fast modes (α from −1/3 to 0).

    dt: longest step [s]; without it the step follows `rtol`.
    """
    within = Range(-1.0 / 3.0, 0.0, low_open=False, high_open=False)
    a = number(alpha, "", name="alpha", owner="scheme 'hht-alpha'", within=within)
    return march(task, _family("hht-alpha", 0.25 * (1.0 - a) ** 2, 0.5 - a, 0.0, -a), dt)


@register_scheme("generalised-alpha", aliases=("generalized-alpha",), can=STEPPING, order=2)
def generalised_alpha(task: Task, *, dt: float | str | None = None, rho: float = 0.8) -> Simulation:
    """Chung and Hulbert's method: order 2, unconditionally stable, leaves ρ of an infinitely fast mode (0 to 1).

    dt: longest step [s]; without it the step follows `rtol`.
    """
    within = Range(0.0, 1.0, low_open=False, high_open=False)
    r = number(rho, "", name="rho", owner="scheme 'generalised-alpha'", within=within)
    m, f = (2.0 * r - 1.0) / (r + 1.0), r / (r + 1.0)
    return march(task, _family("generalised-alpha", 0.25 * (1.0 - m + f) ** 2, 0.5 - m + f, m, f), dt)


@register_scheme("lagged-force", aliases=("staggered",), can=STEPPING, order=1)
def lagged_force(task: Task, *, dt: float | str | None = None) -> Simulation:
    """Average acceleration, with the contact forces of the start of each step: order 2 in flight, 1 in contact.

    What a code does that computes contact forces on its own and adds them as loads: nothing is iterated, and a force
    that lags behind the motion feeds energy into an impact, the more the stiffer it is.

    dt: longest step [s]; without it the step follows `rtol`.
    """
    return march(task, _lagged(), dt)


def _lagged() -> StepMap:
    """Return the trapezoidal rule with one stage, the start of the step, where forces act for all of it."""

    def table(h: float, omega: Array, sigma: Array) -> Array:
        found = np.zeros((omega.size, 5, 6))
        found[:, 0, 0] = found[:, 1, 1] = 1.0
        drag, pull = h * sigma, 0.25 * (h * omega) ** 2
        over = 1.0 + drag + pull
        q, v = found[:, 2], found[:, 3]
        v[:, 0], v[:, 1] = -h * omega**2 / over, (1.0 - drag - pull) / over
        v[:, 3] = v[:, 4] = 0.5 * h / over
        v[:, 5] = h / over
        q[:] = 0.5 * h * v
        q[:, 0] += 1.0
        q[:, 1] += 0.5 * h
        return found

    return StepMap("lagged-force", order=1, weights=np.ones(1), blocks=((0, 1),), table=table, known_start=True)


def _family(name: str, beta: float, gamma: float, am: float = 0.0, af: float = 0.0) -> StepMap:
    """Return the map of a member: its stages are the two ends of a step."""

    def table(h: float, omega: Array, sigma: Array) -> Array:
        twice, square = 2.0 * sigma, omega**2
        one, zero = np.ones_like(omega), np.zeros_like(omega)
        # what is known of q₁ and v₁ beforehand, in (q, v, a, p₀, p₁, F₀, F₁)
        q = np.stack([one, h * one, h * h * (0.5 - beta) * one, zero, zero, zero, zero])
        v = np.stack([zero, one, h * (1.0 - gamma) * one, zero, zero, zero, zero])
        inertia = (1.0 - am) + (1.0 - af) * (twice * gamma * h + square * beta * h * h)
        a = np.stack([zero, zero, -am * one, af * one, (1.0 - af) * one, af * one, (1.0 - af) * one])
        resist = (1.0 - af) * (twice * v + square * q)
        resist[0] += af * square
        resist[1] += af * twice
        resist[5:] = 0.0
        a[:5] -= resist[:5]
        a /= inertia
        ends = [q + h * h * beta * a, v + h * gamma * a, a]
        start_q, start_v = np.zeros_like(q), np.zeros_like(v)
        start_q[0], start_v[1] = 1.0, 1.0
        return np.ascontiguousarray(np.stack([start_q, start_v, ends[0], ends[1], *ends]).transpose(2, 0, 1))

    return StepMap(
        name=name,
        order=2 if abs(gamma - (0.5 - am + af)) < 1e-12 else 1,
        weights=np.array([0.5, 0.5]),
        blocks=((0, 1), (1, 2)),
        table=table,
        own_acceleration=True,
        known_start=True,
    )
