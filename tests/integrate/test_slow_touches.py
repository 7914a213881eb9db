"""Touches without speed follow `rtol`: a body let go beside a wall, pressed into it by a constant load.

Its spring stores what the load gives: K δⁿ⁺¹/(n+1) = m g δ where it is deepest.
"""

from __future__ import annotations

import numpy as np
import pytest

import carom

MASS, LOAD, STIFFNESS = 1e4, 2.0, 1e8
"""[kg], [m/s²] and [N/m^n]."""


@pytest.mark.parametrize("path", ["quick", "general"])
@pytest.mark.parametrize(("law", "n"), [("linear", 1.0), ("hertz", 1.5)])
@pytest.mark.parametrize("rtol", [1e-6, 1e-8, 1e-10])
def test_a_body_let_go_beside_a_wall(path: str, law: str, n: float, rtol: float) -> None:
    body = carom.Body(mass=MASS, gravity=LOAD, name="body")
    contact = carom.Contact("body", "wall", gap=0.0, law=carom.law(law, stiffness=STIFFNESS))
    problem = carom.Problem([body, carom.Wall(name="wall")], [contact], motion=carom.Motion(np.zeros(40), 0.01))
    run = carom.simulate(problem, rtol=rtol, path=path)
    deepest = ((n + 1.0) * MASS * LOAD / STIFFNESS) ** (1.0 / n)
    balance = (MASS * LOAD / STIFFNESS) ** (1.0 / n)
    fastest = np.sqrt(2.0 * LOAD * balance * n / (n + 1.0))
    np.testing.assert_allclose(run.extremes[0, :2], [deepest, fastest], rtol=30.0 * rtol)
    assert run.table["peak_force"].max() == pytest.approx(STIFFNESS * deepest**n, rel=30.0 * rtol)
