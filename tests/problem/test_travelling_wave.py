"""Delays from distance and wave speed, and a bridge under them."""

from __future__ import annotations

import numpy as np
import pytest

import carom

MOTION = carom.motions.get("default").trimmed(end=3.0)


def test_delays_are_distances_over_the_speed() -> None:
    decks = [
        carom.Deck(length=20, width=8, mass=2e5, at=(x, y), free=True, name=name)
        for name, x, y in (("a", 10, 0), ("b", 40, 30), ("c", -20, 5))
    ]
    c, s = np.cos(0.3), np.sin(0.3)
    found = carom.wave_passage(decks, MOTION, speed="400 m/s", direction=(c, s))
    places = {"a": 10 * c, "b": 40 * c + 30 * s, "c": -20 * c + 5 * s}
    first = min(places.values())
    for name, place in places.items():
        assert found[name][0] is MOTION
        assert found[name][1] == pytest.approx((place - first) / 400.0, abs=0.5 * MOTION.dt / 10 + 1e-12)
    problem = carom.Problem(decks, motion=found)
    assert len(problem.supports) == 3


def test_places_may_be_told_and_must_be_known() -> None:
    tower = carom.Oscillator(mass=1.0, period=1.0, name="tower")
    deck = carom.Deck(length=20, width=8, mass=2e5, free=True, name="deck")
    with pytest.raises(carom.InputError, match="must say where Oscillator 'tower' stands"):
        carom.wave_passage([tower, deck], MOTION, speed=300.0)
    found = carom.wave_passage([tower, deck], MOTION, speed=300.0, at={"tower": ("-60 m", 0)})
    assert found["deck"][1] == pytest.approx(0.2)
    assert found["tower"][1] == 0.0


def test_two_decks_far_apart_answer_alike_one_after_the_other() -> None:
    """With the same bearings on both grounds, the second does what the first did, later."""
    pad = carom.joints.Elastomeric("2 MN/m", "40 kN*s/m")
    decks = [carom.Deck(length=20, width=8, mass=2e5, at=(x, 0), name=name) for name, x in (("a", 0), ("b", 60))]
    bearings = [carom.Bearing((one.name, c), "ground", rule=pad) for one in decks for c in one.corner_names]
    ground = carom.wave_passage(decks, MOTION, speed=600.0)
    assert ground["b"][1] == pytest.approx(0.1)
    run = carom.simulate(carom.Problem(decks, bearings=bearings, motion=ground), rtol=1e-9)
    late = round(0.1 / (run.time[1] - run.time[0]))
    np.testing.assert_allclose(run.displacement[late:, 3], run.displacement[:-late, 0], atol=1e-9)
