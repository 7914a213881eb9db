"""Impulsive laws: built by name, refused with a way out, e over the approach velocity."""

from __future__ import annotations

import pytest

import carom
from carom.laws import impulsive_laws


def test_every_law_is_built_by_its_name():
    assert {"newton", "plastic", "poisson", "stronge"} <= set(impulsive_laws.names())
    for name in ("newton", "poisson", "stronge"):
        law = carom.law(name, restitution=0.6)
        assert law.at(0.3) == 0.6
        assert carom.law(law, restitution=0.2).restitution == 0.2
    assert carom.law("plastic").at(1.0) == 0.0


def test_a_table_is_read_as_straight_lines():
    law = carom.law("newton", restitution=[(0.1, 0.8), (0.5, 0.6), (2.0, 0.3)])
    for speed, e in ((0.0, 0.8), (0.1, 0.8), (0.3, 0.7), (0.5, 0.6), (1.25, 0.45), (9.0, 0.3)):
        assert law.at(speed) == pytest.approx(e, abs=1e-15)


def test_a_function_of_the_velocity_is_tabulated_closely():
    def e(v):
        return 0.9 / (1.0 + 0.4 * v**0.7)

    law = carom.law("newton", restitution=e)
    for speed in (1e-4, 0.013, 0.37, 2.9):
        assert law.at(speed) == pytest.approx(e(speed), abs=3e-6)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"restitution": 1.2}, "must lie in [0, 1]"),
        ({"restitution": lambda v: 2.0}, "must lie in [0, 1]"),
        ({"restitution": [(0.5, 0.6), (0.1, 0.8)]}, "rising velocities"),
        ({"restitution": [0.5, 0.6]}, "pairs (velocity, e)"),
        ({}, "needs `restitution`"),
        ({"restitution": 0.5, "stiffness": 1e9}, "has no `stiffness`"),
        ({"restitutoin": 0.5}, "Unknown parameter of newton"),
    ],
)
def test_refusals(values, words):
    with pytest.raises(carom.InputError) as caught:
        carom.law("newton", **values)
    assert words in str(caught.value)


def test_plastic_does_not_rebound():
    with pytest.raises(carom.InputError, match="must be 0"):
        carom.law("plastic", restitution=0.3)
