"""Slabs with plans that face each other: where they meet, in which direction, with which gaps."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import carom
from carom.contact.edges import facing_edges
from carom.errors import InputError

LAW = carom.law("hertz", stiffness=2e9)


def slab(name: str, **changes: Any) -> carom.TorsionalBuilding:
    given: dict[str, Any] = {
        "masses": [1e5, 1e5], "stiffnesses_x": 1e8, "stiffnesses_y": 1e8, "torsional_stiffnesses": 1e9, "width": 10.0,
        "depth": 8.0, "name": name,
    }  # fmt: skip
    if "plan" in changes:
        del given["width"], given["depth"]
    return carom.TorsionalBuilding(**given | changes)


def met(left: Any, right: Any, gap: Any = 0.05, **how: Any) -> list[tuple[Any, ...]]:
    found = carom.facing(left.name, right.name, gap=gap, law=LAW, **how).expand(left, right)
    return [(one.a.at, one.b.at, one.a.direction, one.gap) for one in found]


def test_equal_slabs_meet_at_their_corners() -> None:
    left, right = slab("left"), slab("right", origin=(10.05, 0.0))
    assert met(left, right) == [
        ((1, "se"), (1, "sw"), "x", 0.05), ((1, "ne"), (1, "nw"), "x", 0.05),
        ((2, "se"), (2, "sw"), "x", 0.05), ((2, "ne"), (2, "nw"), "x", 0.05),
    ]  # fmt: skip
    found = carom.facing("left", "right", gap=0.05, law=LAW).expand(left, right)
    assert found[1].name == "left floor 1 ne | right floor 1 nw"
    assert [one[3] for one in met(left, right, ("4.5 cm", "6 cm"))] == [0.045, 0.06, 0.045, 0.06]
    assert [one[3] for one in met(left, right, [0.01, 0.02, 0.03, 0.04])] == [0.01, 0.02, 0.03, 0.04]


@pytest.mark.parametrize(
    ("origin", "direction", "corners"),
    [
        ((10.05, 0.0), "x", (("se", "sw"), ("ne", "nw"))),
        ((-10.05, 0.0), "-x", (("nw", "ne"), ("sw", "se"))),
        ((0.0, 8.05), "y", (("ne", "se"), ("nw", "sw"))),
        ((0.0, -8.05), "-y", (("sw", "nw"), ("se", "ne"))),
    ],
)
def test_a_neighbour_on_every_side(origin: Any, direction: str, corners: Any) -> None:
    """The corner on the right hand comes first, seen from left to right, wherever that is."""
    found = met(slab("left"), slab("right", origin=origin))
    assert [(a[1], b[1]) for a, b, _, _ in found[:2]] == list(corners)
    assert {one[2] for one in found} == {direction}


def test_slabs_that_are_offset_meet_where_both_are() -> None:
    """At either end of the stretch one of them has a corner, the other a point of its edge."""
    left, right = slab("left"), slab("right", origin=(10.05, 3.0), depth=[9.0, 4.0])
    assert [one[:2] for one in met(left, right)] == [
        ((1, (10.0, 3.0)), (1, "sw")), ((1, "ne"), (1, (0.0, 5.0))),
        ((2, (10.0, 3.0)), (2, "sw")), ((2, (10.0, 7.0)), (2, "nw")),
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_points_of_contact_stand_opposite_each_other(seed: int) -> None:
    """In random scenes, turned: both points lie on the line across, at the ends of the common stretch."""
    rng = np.random.default_rng(seed)
    angle, gap, offset, depths = rng.uniform(-4, 4), rng.uniform(0, 0.2), rng.uniform(-5, 5), rng.uniform(6, 15, 2)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    start = rng.uniform(-100, 100, 2)
    left = slab("left", angle=angle, origin=tuple(start), depth=depths[0], heights=3.0)
    right = slab("right", angle=angle, origin=tuple(start + turn @ (10.0 + gap, offset)), depth=depths[1], heights=3.0)
    low, high = max(0.0, offset), min(depths[0], offset + depths[1])
    contacts = carom.facing("left", "right", gap=0.0, law=LAW).expand(left, right)
    for contact, y in zip(contacts[:2], (low, high), strict=True):
        a, b = left.location(contact.a.at).position[:2], right.location(contact.b.at).position[:2]
        np.testing.assert_allclose(a, start + turn @ (10.0, y), atol=1e-9)
        np.testing.assert_allclose(b, start + turn @ (10.0 + gap, y), atol=1e-9)
        np.testing.assert_allclose(left.read(*contact.a[1:]).share[:2], turn[:, 0], atol=1e-12)


def test_polygons_either_way_round_and_recesses() -> None:
    """An L faces a neighbour with its nearest side; of a comb the teeth that stand on one line count together."""
    square = np.array([[20.0, 0.0], [24.0, 0.0], [24.0, 9.0], [20.0, 9.0]])
    ell = np.array([[0.0, 0.0], [19.5, 0.0], [19.5, 3.0], [15.0, 3.0], [15.0, 9.0], [0.0, 9.0]])
    found = facing_edges(ell, square)
    assert found is not None
    assert found.direction == "x"
    np.testing.assert_allclose([a for a, _ in found.ends], [(19.5, 0.0), (19.5, 3.0)])
    np.testing.assert_allclose([b for _, b in found.ends], [(20.0, 0.0), (20.0, 3.0)])
    comb = np.array([[0, 0], [19.5, 0], [19.5, 2], [18, 2], [18, 6], [19.5, 6], [19.5, 8], [0, 8]], dtype=float)
    found = facing_edges(comb, square)
    assert found is not None
    np.testing.assert_allclose([a for a, _ in found.ends], [(19.5, 0.0), (19.5, 8.0)])
    corners = [(0, 0), (10, 0), (10, 8), (0, 8)]
    for plan in (corners, corners[::-1]):
        left, right = slab("left", plan=plan), slab("right", origin=(10.1, 0))
        points = [left.location(a).rows for a, *_ in met(left, right)[:2]]
        np.testing.assert_array_equal(points[0][0], slab("left").location((1, "se")).rows[0])
        np.testing.assert_array_equal(points[1][0], slab("left").location((1, "ne")).rows[0])


def test_levels_are_those_of_heights() -> None:
    left, right = slab("left", heights=[3.0, 6.0]), slab("right", origin=(10.05, 0.0), heights=[4.0, 6.0])
    assert [one[:2] for one in met(left, right)] == [((2, "se"), (2, "sw")), ((2, "ne"), (2, "nw"))]
    found = met(left, right, columns=True)
    assert [one[:2] for one in found[:4]] == [
        ((1, "se"), (3.0, "sw")), ((1, "ne"), (3.0, "nw")), ((4.0, "se"), (1, "sw")), ((4.0, "ne"), (1, "nw")),
    ]  # fmt: skip
    assert len(found) == 6
    soft = carom.law("hertz", stiffness=1e8)
    facing = carom.facing("left", "right", gap=0.05, law=LAW, columns=True, column_law=soft)
    assert [one.law is soft for one in facing.expand(left, right)] == [True] * 4 + [False] * 2
    problem = carom.Problem([left, right], [facing], motion=carom.motions.get("default"))
    row = np.abs(problem.flat().reach).max(axis=1)
    assert (row > 0).all()


REFUSALS: list[tuple[Callable[[], Any], str]] = [
    (lambda: met(slab("a"), slab("b")), "`origin` of facing('a', 'b') must place the two beside each other"),
    (lambda: met(slab("a"), slab("b", origin=(5, 0))), "Give `origin` (and `angle`) to the buildings"),
    (lambda: met(slab("a"), slab("b", origin=(10.1, 9.0))), "with edges that face. Got 'none that do'"),
    (lambda: met(slab("a"), slab("b", origin=(10.1, 0), angle=0.5)), "with edges that face. Got 'none that do'"),
    (lambda: met(slab("a", angle=0.5), carom.Wall(name="w")), "`origin` of facing('a', 'w') must place the two"),
    (
        lambda: met(slab("a"), slab("b", origin=(10.1, 0)), [0.1] * 3),
        "`gap` of facing('a', 'b') must be one number, one for each of the 2 points where two slabs meet, or one for "
        "each of 4 points in all. Got (0.1, 0.1, 0.1).",
    ),
]


@pytest.mark.parametrize(("build", "message"), REFUSALS, ids=[message[:60] for _, message in REFUSALS])
def test_refusals(build: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        build()
    assert message in str(caught.value)
