"""Contacts and facing floors: what is taken, what is paired, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import carom
from carom.errors import InputError

LAW = carom.law("hertz", stiffness=2e9)


def tower(n: int, name: str, heights: Any = None) -> carom.ShearBuilding:
    return carom.ShearBuilding([1e5] * n, 1e8, heights=heights, name=name)


def places(left: Any, right: Any, **how: Any) -> list[tuple[object, object]]:
    facing = carom.facing(left.name, right.name, gap=0.02, law=LAW, **how)
    return [(contact.a.at, contact.b.at) for contact in facing.expand(left, right)]


def test_places_are_taken_in_every_spelling() -> None:
    contact = carom.Contact("left", ("right", 3), gap="19.8 mm", law=LAW)
    assert contact.a == ("left", None, None)
    assert contact.b == ("right", 3, None)
    assert contact.gap == 0.0198
    assert carom.Contact(0, ["right", "2.4 m"], gap=0, law=LAW).b == ("right", "2.4 m", None)
    assert carom.Contact(np.int64(1), 0, gap=0, law=LAW).a.structure == 1
    assert contact.replace(gap="2 cm").gap == 0.02
    assert contact == carom.Contact("left", ("right", 3), gap=0.0198, law=LAW)


def test_floors_of_equal_number_meet() -> None:
    assert places(tower(10, "left"), tower(8, "right")) == [(i, i) for i in range(1, 9)]
    assert places(tower(3, "left", 3.0), tower(2, "right")) == [(1, 1), (2, 2)]
    assert places(tower(3, "left"), carom.Oscillator(mass=1, period=1, name="right")) == [(1, 1)]


def test_floors_of_equal_height_meet() -> None:
    left, right = tower(4, "left", 3.0), tower(3, "right", [3.0, 6.0 + 1e-9, 12.0])
    assert places(left, right) == [(1, 1), (2, 2), (4, 3)]


def test_slabs_meet_columns_where_asked() -> None:
    left, right = tower(4, "left", 3.0), tower(3, "right", [3.0, 7.0, 10.0])
    assert places(left, right) == [(1, 1)]
    assert places(left, right, columns=True) == [(1, 1), (2, 6.0), (7.0, 2), (3, 9.0), (10.0, 3)]


def test_every_floor_faces_a_wall() -> None:
    wall = carom.Wall()
    assert places(wall, tower(3, "right")) == [(None, 1), (None, 2), (None, 3)]
    assert places(tower(2, "left", 3.0), wall) == [(1, None), (2, None)]


def test_gaps_may_differ_from_pair_to_pair() -> None:
    facing = carom.facing("a", "b", gap=["20 mm", "30 mm"], law=LAW)
    assert [c.gap for c in facing.expand(tower(2, "a"), tower(2, "b"))] == [0.02, 0.03]
    assert facing.replace(gap=0.01).gap == 0.01


def facing(**changes: Any) -> Any:
    return carom.facing(**({"left": "a", "right": "b", "gap": 0.02, "law": LAW} | changes))


def contact(**changes: Any) -> Any:
    return carom.Contact(**({"a": "a", "b": "b", "gap": 0.02, "law": LAW} | changes))


REFUSALS: list[tuple[Callable[[], Any], str]] = [
    (lambda: contact(a=None), "`a` of Contact must be a structure, or a structure and a place on it and perhaps a"),
    (lambda: contact(b=("b", 1, 2)), "`b` of Contact must be a structure, or a structure and a place on it and"),
    (lambda: contact(gap="2 s"), "`gap` of Contact must be convertible to m. Got '2 s'."),
    (lambda: contact(gap=float("nan")), "`gap` of Contact must be a finite number in m. Got nan."),
    (lambda: contact(name=1), "`name` of Contact must be text. Got 1."),
    (lambda: contact(law=None), "`law` of Contact must be a law with its stiffness. Got None. Write carom.law("),
    (lambda: contact(law="hertz"), "Got 'hertz'. Write carom.law(\"hertz\", stiffness=…)."),
    (lambda: contact(law=type(LAW)), 'Write carom.law("hertz", stiffness=…).'),
    (lambda: contact(law=carom.law("hertz", stiffness=[1e9, 2e9])), "must be a single law, not an array of them."),
    (lambda: contact(law=carom.law("ristow-1992", stiffness=1e9, restitution=0.6)),
     "`law` of Contact needs its damping: ristow-1992 publishes no relation to restitution. Give `damping`"),
    (lambda: facing(law="hertz"), "`law` of facing must be a law with its stiffness."),
    (lambda: facing(left=("a", 2)), "`left` of facing must be a structure, all its floors are meant. Got ('a', 2)."),
    (lambda: facing(gap=[[0.1]]), "`gap` of facing must be one number, or one for each pair of floors."),
    (lambda: facing(columns=1), "`columns` of facing must be True or False. Got 1."),
    (lambda: facing(gap=[0.1] * 3).expand(tower(2, "a"), tower(2, "b")), "one for each of 2 pairs of floors."),
    (lambda: facing(columns=True).expand(tower(2, "a", 3.0), tower(2, "b")),
     "`columns` of facing('a', 'b') must know the heights of both. Got 'b'. Give `heights` to it."),
    (lambda: facing().expand(tower(2, "a", 3.0), tower(2, "b", 4.0)),
     "`heights` of facing('a', 'b') must agree for some pair of floors."),
    (lambda: facing().expand(tower(2, "a"), carom.Structure([1.0], [[1.0]], name="b")),
     "`floors` of facing('a', 'b') must be known. Got 'b'. Write a Contact for each place that can meet."),
]  # fmt: skip


@pytest.mark.parametrize(("build", "text"), REFUSALS, ids=range(len(REFUSALS)))
def test_refusals(build: Callable[[], Any], text: str) -> None:
    with pytest.raises(InputError) as refused:
        build()
    assert text in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_calibrated_empirical_law_is_taken() -> None:
    assert contact(law=carom.law("ristow-1992", stiffness=1e9, damping=1e5)).law.damping == 1e5
