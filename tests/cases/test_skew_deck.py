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


@pytest.mark.parametrize(
    ("length", "width", "skew", "restitution", "friction", "speed"),
    [
        (59.26894703017971, 35.979522143289266, 0.6705361124481984, 0.287487095794115, 0.0, 0.1974278968427376),
        (55.532278592407565, 32.19623723199507, 0.9243342717315078, 0.9358568109852635, 0.0, 1.184552365915597),
        (50.2779168146404, 40.955285216412165, 1.0392530655799415, 0.7255898943117333, 0.34614357594324474, 1.9935),
    ],
)
def test_both_corners_at_once_are_one_impact(
    length: float, width: float, skew: float, restitution: float, friction: float, speed: float
) -> None:
    """Large decks whose corners come one after the other by rounding alone: neither is struck before the other."""
    one = Hit(length, width, skew, restitution, friction, speed)
    assert after(one) == 0.0
    assert turned(carom.simulate, one) == pytest.approx(0.0, abs=1e-12)
