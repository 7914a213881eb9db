"""The force text itself, and that rows of coefficients mean what the kernels read."""

from __future__ import annotations

import math

import numpy as np
import pytest

import carom
from carom.kernels.laws import power_law
from carom.laws import Coefficients


def test_coefficients_are_in_the_kernels_order() -> None:
    places = {name: getattr(power_law, name) for name in dir(power_law) if isinstance(getattr(power_law, name), int)}
    places.pop("SIZE")
    by_place = [name.lower() for name, _ in sorted(places.items(), key=lambda item: item[1])]
    assert by_place == list(Coefficients._fields)
    assert len(by_place) == power_law.SIZE


@pytest.mark.parametrize("p", [0.0, 0.25, 0.5, 0.65, 1.0, 1.5, 2.0, 2.5])
def test_power(p: float) -> None:
    for x in (1e-12, 0.3, 7.0):
        assert power_law.power(x, math.sqrt(x), p) == pytest.approx(x**p, rel=1e-15)


def test_force_of_every_part() -> None:
    c = np.array([2.0, 1.5, 3.0, 0.5, 1.0, 0.25, 1.0, 0.0])
    approach = power_law.damping_factor(c, 0.5, 2.0)
    restitution = power_law.damping_factor(c, -0.5, 2.0)
    assert (approach, restitution) == (1.5, 0.375)
    assert power_law.force(c, approach, 4.0, 2.0, 0.5) == pytest.approx(2 * 8 + 1.5 * 2 * 0.5)
    assert power_law.force(c, restitution, 4.0, 2.0, -0.5) == pytest.approx(2 * 8 - 0.375 * 2 * 0.5)
    assert power_law.damping_factor(c, 0.5, 0.0) == 0.0  # no reference rate, no damping


def test_reference_rate_leaves_ordinary_impacts_alone() -> None:
    c = carom.law("hertzdamp", stiffness=1.0, restitution=0.5).power_form(1.0).packed()
    assert power_law.reference_rate(c, 1.0, 1.4) == 1.0
    assert power_law.reference_rate(c, 0.1, 1.0) == 0.5
    c[power_law.PUBLISHED_RATE] = 1.0
    assert power_law.reference_rate(c, 0.1, 1.0) == 0.1


@pytest.mark.parametrize(
    ("n", "m", "q"), [(1.0, 0.0, 1.0), (1.0, 1.0, 1.0), (1.5, 1.5, 2.0), (1.5, 0.5, 2.0), (1.5, 0.25, 4.0)]
)
def test_grading_makes_powers_whole(n: float, m: float, q: float) -> None:
    c = np.array([1.0, n, 1.0, m, 0.0, 1.0, 1.0, 0.0])
    assert power_law.grading(c) == q
    assert math.floor(q * n) == q * n
