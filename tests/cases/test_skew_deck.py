"""Skewed decks against their abutments: the table of closed forms, and random decks of a seed of the tests' own."""

from __future__ import annotations

import math

import pytest

import carom
from carom.cases._skew_deck import Hit, after, critical_friction, driven, eta, lasting, random_hits
from carom.cases.skew_deck import TABLE, turned


def hit(degrees: float, friction: float) -> Hit:
    return Hit(30.0, 10.0, math.radians(degrees), 0.5, friction)


@pytest.mark.parametrize(("skew", "friction", "published"), TABLE)
def test_the_table(skew: float, friction: float, published: float) -> None:
    """ω⁺ [rad/s] of verification.md, whose figures were computed with a code of its own."""
    assert after(hit(skew, friction)) == pytest.approx(published, abs=5e-9)
    assert turned(carom.simulate, hit(skew, friction)) == pytest.approx(published, abs=1e-8)


def test_criterion() -> None:
    assert eta(hit(20.0, 0.0)) == pytest.approx(0.96418, abs=5e-6)
    assert eta(hit(30.0, 0.0)) == pytest.approx(1.29904, abs=5e-6)
    assert critical_friction(hit(30.0, 0.0)) == pytest.approx(0.13291, abs=5e-6)


def test_random_decks_turn_when_the_criterion_says() -> None:
    for one in random_hits(71, 120):
        found = turned(carom.simulate, one)
        assert found == pytest.approx(after(one), abs=1e-8), one


def test_it_turns_the_other_way_with_the_other_skew() -> None:
    found = carom.simulate(driven(Hit(30.0, 10.0, math.radians(-30.0), 0.5, 0.1)), **lasting(hit(30.0, 0.1)))
    assert float(found.velocity[-1, 2]) == pytest.approx(-0.00639368, abs=1e-8)
