"""Every Runge-Kutta method of the catalogue as a scheme: mahmoud2008 (17)-(19) with p(u) = u, u = (q, v)."""

from __future__ import annotations

from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from carom.integrate.schemes.base import Scheme, Task, register_scheme
from carom.integrate.schemes.stepping import STEPPING, StepMap, march
from carom.integrate.tableaux import Tableau, tableaux
from carom.results import Simulation

__all__ = ["step_map"]

Array: TypeAlias = npt.NDArray[np.float64]


def step_map(method: Tableau) -> StepMap:
    """Return a method as the map of a mode over a step."""
    return StepMap(
        name=method.name,
        order=method.order,
        weights=np.array(method.b),
        blocks=method.blocks,
        table=partial(_table, method),
        span=max(float(method.c.max()), 1.0),
        known_start=not method.a[0].any(),
    )


def _table(method: Tableau, h: float, omega: Array, sigma: Array) -> Array:
    """Solve the stage equations of each mode for unit states, loads and forces.

    (I − h A⊗J) Y = 1⊗y₀ + h A⊗(0, p₀ + c(p₁ − p₀) − F),      y₁ = y₀ + h Σ bᵢ (J Yᵢ + (0, pᵢ − Fᵢ))
    """
    s, modes = method.stages, omega.size
    a, b, c = method.a, method.b, method.c
    jacobian = np.zeros((modes, 2, 2))
    jacobian[:, 0, 1] = 1.0
    jacobian[:, 1, 0] = -(omega**2)
    jacobian[:, 1, 1] = -2.0 * sigma
    # columns q, v, a, p₀, p₁ and the forces; a plays no part, forces count with their sign turned
    state = np.zeros((s, 2, 5 + s))
    state[:, 0, 0] = state[:, 1, 1] = 1.0
    load = np.zeros((s, 5 + s))
    load[:, 3], load[:, 4] = 1.0 - c, c
    load[:, 5:] = -np.eye(s)
    right = state.copy()
    right[:, 1, :] += h * (a @ load)
    matrix = np.eye(2 * s) - h * np.einsum("ij,kxy->kixjy", a, jacobian).reshape(modes, 2 * s, 2 * s)
    stages = np.linalg.solve(matrix, np.broadcast_to(right.reshape(2 * s, 5 + s), (modes, 2 * s, 5 + s)))
    rates = np.einsum("kxy,kjyz->kjxz", jacobian, stages.reshape(modes, s, 2, 5 + s))
    rates[:, :, 1, :] += load
    end = state[0] + h * np.einsum("j,kjxz->kxz", b, rates)
    found = np.concatenate([stages, end, np.zeros((modes, 1, 5 + s))], axis=1)
    found[:, :, 5:] *= -1.0
    return np.ascontiguousarray(found)


def _scheme(method: Tableau) -> Scheme:
    def run(task: Task, *, dt: float | str | None = None) -> Simulation:
        return march(task, step_map(method), dt)

    run.__doc__ = (
        f"{method.title}: order {method.order}, {method.kind}.\n\n"
        "dt: longest step [s]; without it the step follows `rtol`."
    )
    run.__qualname__ = run.__name__ = method.name.replace("-", "_")
    return run


for _method in tableaux:
    register_scheme(_method.name, aliases=_method.aliases, can=STEPPING, order=_method.order)(_scheme(_method))
