"""Decks in plan: geometry of skewed ends, inertia, points, small kinematics, refusals."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest

import carom


def skewed(**changes: Any) -> carom.Deck:
    given = {"length": 30.0, "width": 10.0, "skew": "20 deg", "mass": "400 t", "name": "span"} | changes
    return carom.Deck(**given)


def test_a_skewed_deck_is_a_parallelogram() -> None:
    """Sides L and W/cos α, inertia m(L² + W²/cos²α)/12 (verification.md); ends clockwise from square by α."""
    deck, a = skewed(), math.radians(20.0)
    corners = dict(zip(deck.corner_names, deck.corners, strict=True))
    np.testing.assert_allclose(corners["se"] - corners["sw"], [30.0, 0.0])
    np.testing.assert_allclose(corners["ne"] - corners["se"], 10.0 / math.cos(a) * np.array([math.sin(a), math.cos(a)]))
    assert deck.turning_inertia == pytest.approx(400e3 * (900.0 + 100.0 / math.cos(a) ** 2) / 12.0)
    assert [deck.edge(name) for name in "wesn"] == [(3, 0), (1, 2), (0, 1), (2, 3)]


def test_a_polygon_goes_either_way_round() -> None:
    corners = [(0, 0), (0, 8), (20, 10), (24, 0)]
    there = carom.Deck(plan=corners, mass="100 t", at=(3, 4), angle="30 deg")
    back = carom.Deck(plan=corners[::-1], mass="100 t", at=(3, 4), angle="30 deg")
    for deck, order in ((there, (1, 2, 3, 4)), (back, (4, 3, 2, 1))):
        for number, (x, y) in zip(order, corners, strict=True):
            np.testing.assert_allclose(deck.local(f"corner {number}"), (x, y))
    assert there.turning_inertia == pytest.approx(back.turning_inertia)
    np.testing.assert_allclose(there.mass_matrix, back.mass_matrix)
    span = np.roll(there.corners, -1, axis=0) - there.corners
    assert float((there.corners[:, 0] * span[:, 1] - there.corners[:, 1] * span[:, 0]).sum()) > 0.0


def test_points_move_as_the_rotation_matrix_says_to_first_order() -> None:
    deck = skewed(at=(5.0, -2.0), angle="25 deg", centre_of_mass=("1 m", 0), points={"pad": (-14, 3)})
    rest, arm = deck.world("pad"), deck.arm("pad")
    turn = 1e-6
    turned = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]) @ arm - arm
    np.testing.assert_allclose(deck.points["pad"].rows[:2] @ [0.1, 0.2, turn], np.add(turned, [0.1, 0.2]), atol=1e-10)
    np.testing.assert_allclose(deck.world("centre") + arm, rest)
    assert deck.location((-14, 3)).position == pytest.approx((*rest, 0.0))
    assert deck.turning_inertia == pytest.approx(skewed().turning_inertia + 400e3)  # Steiner: 1 m off the centroid


def test_copies_and_changes() -> None:
    deck = skewed(points={"pad": (-14, 3)})
    assert pickle.loads(pickle.dumps(deck)) == deck
    assert deck.replace(skew="30 deg").replace(skew=deck.skew) == deck
    assert deck.replace(skew="30 deg").skew == pytest.approx(math.radians(30.0))
    assert "pad" in deck.replace(mass=1e5).points


def test_an_abutment_beside_a_deck() -> None:
    """Its face is parallel to the deck's end, looks at it, and stands the gap away."""
    deck = skewed(at=(100.0, 7.0), angle="15 deg")
    for edge in "we":
        face = carom.Abutment.beside(deck, edge, gap="5 cm")
        start, end = face.ends
        along = (end - start) / np.hypot(*(end - start))
        np.testing.assert_allclose(face.normal, [along[1], -along[0]], atol=1e-12)  # the bridge on the right hand
        for corner in deck.outlined[list(deck.edge(edge))]:
            assert (corner - start) @ face.normal == pytest.approx(0.05)
            assert 0.9 < (corner - start) @ along < face.width - 0.9


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"width": None}, "`width` of Deck 'span' must be a number"),
        ({"length": None}, "exactly one of `length`, `plan`"),
        ({"plan": [(0, 0), (1, 0), (1, 1)]}, "exactly one of `length`, `plan`"),
        ({"mass": 0.0}, "`mass` of Deck 'span' must be positive"),
        ({"skew": "85 deg"}, "`skew` of Deck 'span' must lie in"),
        ({"points": {"ne": (1, 2)}}, "must have other names than sw"),
        ({"points": {"a": (1, 2, 3)}}, "must be x and y"),
        ({"at": 3.0}, "`at` of Deck 'span'"),
        ({"inertia": -1.0}, "`inertia` of Deck 'span' must be positive"),
    ],
)
def test_refusals(change: dict[str, Any], words: str) -> None:
    with pytest.raises(carom.InputError, match=words):
        skewed(**change)


def test_unknown_points_are_answered_with_the_known_ones() -> None:
    with pytest.raises(carom.InputError, match="sw, w"):
        skewed().world("north")
    with pytest.raises(carom.InputError, match="Known: e, n, s, w"):
        skewed().edge("east")
