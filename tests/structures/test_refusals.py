"""What structures refuse, in one line: parameter, owner, rule, value, way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import carom
from carom.errors import InputError

A, S, B, G = carom.Oscillator, carom.ShearBuilding, carom.Body, carom.Structure
NAN = float("nan")

REFUSALS: list[tuple[Callable[[], Any], str]] = [
    (lambda: A(mass=0, stiffness=1, name="a"), "`mass` of Oscillator 'a' must be positive. Got 0."),
    (lambda: A(mass=1), "Oscillator needs exactly one of `stiffness`, `period`, `frequency`. Got none."),
    (lambda: A(mass=1, stiffness=1, period=1), "Got stiffness, period."),
    (lambda: A(mass=1, period="1 m"), "`period` of Oscillator must be convertible to s."),
    (lambda: A(mass=1, period=1, damping=1, damping_ratio=0), "takes `damping_ratio` or `damping`, not both"),
    (lambda: A(mass=1, period=1, damping_ratio=-0.1), "`damping_ratio` of Oscillator must not be negative."),
    (lambda: A(mass=1, period=1, damping=-1.0), "`damping` of Oscillator must not be negative"),
    (lambda: A(mass=1, period=1, damping_ratio=[0.1, 0.2]), "must be one number. Got [0.1, 0.2]"),
    (lambda: A(mass=NAN, period=1), "`mass` of Oscillator must be a finite number in kg."),
    (lambda: A(mass=1, period=1, name=3), "`name` of Oscillator must be text. Got 3."),
    (lambda: A(mass=1, period=1).row(2), "`floor` of Oscillator must lie in 1…1. Got 2."),
    (lambda: A(mass=1, period=1).row("y"), "Unknown place on Oscillator"),
    (lambda: A(mass=1, period=1).row(1.5), "`place` of Oscillator must be one of 'x', or a number from 1. Got 1.5."),
    (lambda: S([], []), "`masses` of ShearBuilding must not be empty"),
    (lambda: S([1, 2], [1, 2, 3]), "`masses` of ShearBuilding must be one number, or one for each of 3 storeys."),
    (lambda: S([1, -2], 1), "`masses` of ShearBuilding must be positive. Got -2.0."),
    (lambda: S([[1, 2], [3]], 1), "`masses` of ShearBuilding must be a number in kg. Got [1, 2]."),
    (lambda: S([1, 1], [1, NAN]), "`stiffnesses` of ShearBuilding must be finite everywhere."),
    (lambda: S([1, 1], 1, heights=[3, 3]), "must increase from floor to floor"),
    (lambda: S([1, 1], 1, heights=[3, 6, 9]), "must be one storey height, or 2 heights above ground"),
    (lambda: S([1, 1], 1, damping_ratio=[0.1] * 3), "must be one number, or one for each of its 2 modes."),
    (lambda: S([1, 1], 1, damping=1.0), "must be a 2 × 2 matrix [N·s/m], Rayleigh or Caughey. Got 1.0."),
    (lambda: S([1, 1], 1, damping=np.eye(3)), "`damping` of ShearBuilding must be a 2 × 2 matrix. Got (3, 3)."),
    (lambda: S([1, 1], 1, damping=[[1, 0.5], [0, 1]]), "`damping` of ShearBuilding must be symmetric."),
    (lambda: S([1, 1], 1, damping=[[1, 2], [2, 1]]), "must not be negative in any direction. Got -"),
    (lambda: S([1, 1], 1).row(), "`place` of ShearBuilding must be said."),
    (lambda: S([1, 1], 1).row(0), "`floor` of ShearBuilding must lie in 1…2. Got 0. The first slab above ground is 1."),
    (lambda: S([1, 1], 1).row("2"), "Write a floor as a number without quotes, a height with its unit."),
    (lambda: S([1, 1], 1).row("floor 3"), "Did you mean 'floor 2' or 'floor 1'? Known: floor 1, floor 2."),
    (lambda: S([1, 1], 1).row("2 m"), "`heights` of ShearBuilding must be given before a height can be touched."),
    (lambda: S([1, 1], 1, heights=3).row("7 m"), "`height` of ShearBuilding must lie in (0, 6] m. Got '7 m'."),
    (lambda: S([1, 1], 1, heights=3).row("7 s"), "`height` of ShearBuilding must be convertible to m."),
    (lambda: S([1, 1], 1).row([1]), "`place` of ShearBuilding must be a floor (1…2), a name"),
    (lambda: B(mass=1, stiffness=-1), "`stiffness` of Body must not be negative. Got -1."),
    (lambda: B(mass=1, gravity="9.81 m"), "`gravity` of Body must be convertible to m/s^2."),
    (lambda: carom.Wall(moving="no"), "`moving` of Wall 'wall' must be True"),
    (lambda: carom.Ground().row(("x",)), "`place` of Ground 'ground' need not be said"),
    (lambda: G(), "Structure needs `mass_matrix`."),
    (lambda: G(np.eye(2), np.eye(3)), "`stiffness_matrix` of Structure must be a 2 × 2 matrix. Got (3, 3)."),
    (lambda: G([[1, 2], [0, 1]], np.eye(2)), "`mass_matrix` of Structure must be symmetric."),
    (lambda: G([1.0, 0.0], np.eye(2)), "must be positive definite. Got 0.0. Condense degrees of freedom without mass"),
    (lambda: G([1.0, 1.0], [[1, 2], [2, 1]]), "`stiffness_matrix` of Structure must not be negative in any direction"),
    (lambda: G([1.0, 1.0], np.eye(2), influence=[1.0]), "must be one number for each of 2 degrees of freedom"),
    (lambda: G([1.0, 1.0], np.eye(2), dofs=["a"]), "`dofs` of Structure must be 2 names"),
    (lambda: G([1.0, 1.0], np.eye(2), dofs=["a", "a"]), "`dofs` of Structure must be different, non-empty names"),
    (lambda: G([1.0, 1.0], np.eye(2), dofs=["a", "b"]).row({"a": "one"}), "`weight of 'a'` of Structure must be"),
    (lambda: carom.Rayleigh(-1, 0), "`alpha` of Rayleigh must not be negative. Got -1."),
    (lambda: carom.Rayleigh.from_ratios(0.05, modes=(1, 2, 3)), "must meet two frequencies, periods or modes"),
    (lambda: carom.Rayleigh.from_ratios([0.001, 0.3], periods=[1.0, 0.9]), "`alpha` of Rayleigh must not be negative."),
    (lambda: carom.Caughey(0.05), "Caughey needs exactly one of `frequencies` [Hz], `periods` [s] and `modes`"),
    (lambda: carom.Caughey(0.05, modes=(0, 1)), "`modes` of Caughey must be whole numbers, counted from 1."),
    (lambda: carom.Caughey(0.05, modes=(2, 2)), "`modes` of Caughey must differ. Got (2, 2)."),
    (lambda: carom.Caughey([0.05] * 3, modes=(1, 2)), "must be one number, or one for each of 2 points."),
    (lambda: S([1, 1], 1, damping=carom.Caughey(0.05, modes=(1, 3))), "must lie in 1…2. Got (1, 3)."),
]  # fmt: skip


@pytest.mark.parametrize(("build", "text"), REFUSALS, ids=range(len(REFUSALS)))
def test_refusals(build: Callable[[], Any], text: str) -> None:
    with pytest.raises(InputError) as refused:
        build()
    assert text in str(refused.value)
    assert "\n" not in str(refused.value)
