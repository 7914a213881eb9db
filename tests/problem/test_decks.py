"""What decks, bearings, abutments and seats become as arrays, against geometry written out here; refusals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import carom
from carom.joints import Backfill, BearingStops, Elastomeric, SlidingBearing
from carom.problem.scenes.decks import standing

LAW = carom.law("hertzdamp", stiffness=2e9, restitution=0.6)
PAD = Elastomeric("2 MN/m", "50 kN*s/m")
CORNERS = ("sw", "se", "ne", "nw")


def span(name: str, x: float = 0.0, **changes: Any) -> carom.Deck:
    given = {"length": 30.0, "width": 10.0, "skew": "20 deg", "mass": "400 t", "at": (x, 0.0), "name": name} | changes
    return carom.Deck(**given)


def pads(name: str, rule: Any = PAD, on: Any = "ground") -> list[carom.Bearing]:
    return [carom.Bearing((name, corner), on, rule=rule) for corner in CORNERS]


def two_spans(**changes: Any) -> carom.Problem:
    a, b = span("a"), span("b", 30.05)
    west = carom.Abutment.beside(a, "w", gap="5 cm", name="west")
    east = carom.Abutment.beside(b, "e", gap="4 cm", name="east", backfill=Backfill("200 MN/m", "4 MN"))
    friction = carom.Friction(0.3, 0.2)
    given = {
        "structures": [west, a, b, east],
        "contacts": [
            carom.facing("west", "a", law=LAW, friction=friction),
            carom.facing("a", "b", law=LAW, friction=friction),
            carom.facing("b", "east"),
        ],
        "bearings": [*pads("a"), *pads("b", [SlidingBearing(0.1, "50 MN/m"), BearingStops("5 cm", "200 MN/m")])],
        "seats": [carom.Seat(("a", "e"), "ground", length=0.5), carom.Seat(("b", "w"), "a", length=0.3, across=0.2)],
    } | changes
    return carom.Problem(**given)


def rotated(angle: float, point: Any) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]]) @ np.asarray(point)


def state(problem: carom.Problem, seed: int, size: float) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return modal coordinates, and displacements of each deck, both random."""
    flat, rng = problem.flat(), np.random.default_rng(seed)
    q, moved = np.zeros(flat.omega.size), {}
    for b, i in enumerate(flat.scene.body_structure):
        u = size * rng.normal(size=3)
        q[flat.scene.body_modes[b]] = u / flat.scene.body_scale[b]
        moved[problem.names[i]] = u
    return q, moved


def test_anchors_stand_where_rotation_takes_them() -> None:
    problem = two_spans()
    scene = problem.flat().scene
    q, moved = state(problem, 1, 0.4)
    for anchor, label in enumerate(scene.anchor_labels):
        name, _, point = label.partition(" ")
        if name not in moved or point not in CORNERS:
            continue
        deck, u = problem.structure(name), moved[name]
        centre = deck.world("centre")
        expected = centre + u[:2] + rotated(u[2], deck.world(point) - centre)
        np.testing.assert_allclose(standing(scene, anchor, q), expected, rtol=1e-13)


def test_faces_look_outwards_and_stand_the_gap_away() -> None:
    """Every node lies its gap before the face, on the side of the face's normal, which is on its right hand."""
    problem = two_spans()
    flat, scene = problem.flat(), problem.flat().scene
    assert flat.contact_labels == ("a sw | west", "a nw | west", "a se | b", "b sw | a", "a ne | b", "b nw | a")
    skewed_gap = 0.05 * math.cos(math.radians(20.0))
    np.testing.assert_allclose(flat.gap, [0.05, 0.05, *[skewed_gap] * 4], rtol=1e-9)
    still = np.zeros(flat.omega.size)
    for c in range(len(flat.gap)):
        node, start, end = (standing(scene, k, still) for k in (scene.node[c], *scene.face[c, :2]))
        along = (end - start) / np.hypot(*(end - start))
        assert (node - start) @ [along[1], -along[0]] + scene.clearance[c] == pytest.approx(flat.gap[c])
        assert -0.04 < (node - start) @ along < np.hypot(*(end - start)) + 0.04


def test_gaps_may_be_told_apart_from_places() -> None:
    contacts = [carom.facing("a", "b", law=LAW, gap=("3 cm", "7 cm"))]
    flat = two_spans(contacts=contacts, seats=[]).flat()
    np.testing.assert_allclose(flat.gap, [0.03, 0.03, 0.07, 0.07])
    scene, still = flat.scene, np.zeros(flat.omega.size)
    for c, gap in enumerate(flat.gap):
        node, start, end = (standing(scene, k, still) for k in (scene.node[c], *scene.face[c, :2]))
        along = (end - start) / np.hypot(*(end - start))
        overlap = -(node - start) @ [along[1], -along[0]] - scene.clearance[c]
        assert overlap == pytest.approx(-gap)


def test_rows_of_small_motions_are_those_of_the_geometry() -> None:
    """`reach` and `slide` are the derivatives of overlap and slip at rest."""
    problem = two_spans()
    flat, scene = problem.flat(), problem.flat().scene
    q, _ = state(problem, 2, 1e-7)
    for c in range(len(flat.gap)):
        read = []
        for at in (np.zeros_like(q), q):
            node, start, end = (standing(scene, k, at) for k in (scene.node[c], *scene.face[c, :2]))
            along = (end - start) / np.hypot(*(end - start))
            read.append((-(node - start) @ [along[1], -along[0]], (node - start) @ along))
        assert read[1][0] - read[0][0] == pytest.approx(flat.reach[c] @ q, abs=1e-12)
        moved = flat.slide[c] @ q
        if problem.pairs[c].b.structure == "west":  # on a face that turns, the place along it moves with its ends, too
            assert abs(read[1][1] - read[0][1]) == pytest.approx(abs(moved), abs=1e-12)


def test_on_one_corner_only_one_of_two_contacts_holds() -> None:
    """Decks of one width that meet square: at each end one node, also when they have slid aside by less or more."""
    problem = carom.Problem(
        [span("a", skew=0.0), span("b", 30.0, skew=0.0)], [carom.facing("a", "b", law=LAW)],
        bearings=[*pads("a"), *pads("b")],
    )  # fmt: skip
    flat, scene = problem.flat(), problem.flat().scene
    for aside in (-1.0, -0.02, -0.009, -1e-9, 0.0, 1e-9, 0.009, 0.02, 1.0):
        q = np.zeros(flat.omega.size)
        q[scene.body_modes[1, 1]] = aside / scene.body_scale[1, 1]
        held = []
        for c in range(4):
            node, start, end = (standing(scene, k, q) for k in (scene.node[c], *scene.face[c, :2]))
            share = (node - start) @ (end - start) / ((end - start) @ (end - start))
            held.append(bool(0.0 <= share <= 1.0))
        assert sum(held[:2]) == 1, aside
        assert sum(held[2:]) == 1, aside


def test_bearings_share_the_weight_and_know_their_directions() -> None:
    problem = two_spans()
    scene = problem.flat().scene
    sliding = [k for k, rule in enumerate(scene.joint_rules) if rule == "sliding"]
    np.testing.assert_allclose(scene.joint_numbers[sliding, 1], 0.1 * 400e3 * 9.80665 / 4)
    rows = np.cumsum(scene.joint_rows) - scene.joint_rows
    np.testing.assert_allclose(scene.joint_axes[rows[0] : rows[0] + 2], [[1, 0, 0, 0], [0, 1, 0, 0]], atol=1e-15)
    soil = [k for k, rule in enumerate(scene.joint_rules) if rule == "backfill"]
    a = math.radians(20.0)
    for k in soil:  # half of it at each corner, pushed along the normal into the abutment, the gap away
        np.testing.assert_allclose(scene.joint_axes[rows[k], :2], [math.cos(a), -math.sin(a)], atol=1e-12)
        np.testing.assert_allclose(scene.joint_numbers[k, :3], [100e6, 2e6, 0.04], rtol=1e-12)
    tilted = span("t", angle="30 deg", centre_of_mass=("2 m", 0))
    scene = carom.Problem([tilted], bearings=pads("t", SlidingBearing(0.1, "50 MN/m"))).flat().scene
    np.testing.assert_allclose(scene.joint_axes[0, :2], [math.cos(math.pi / 6), 0.5])
    normal = scene.joint_numbers[:, 1] / 0.1
    arms = np.array([tilted.arm(corner) for corner in CORNERS])
    assert normal.sum() == pytest.approx(400e3 * 9.80665)
    np.testing.assert_allclose(normal @ arms, 0.0, atol=1e-6)


def test_seats_read_how_far_an_end_has_left() -> None:
    problem = two_spans()
    scene = problem.flat().scene
    q, moved = state(problem, 3, 0.3)
    deck, u, other = problem.structure("b"), moved["b"], moved["a"]
    a = problem.structure("a")
    place = {name: deck.world("centre") + u[:2] + rotated(u[2], deck.arm(name)) for name in CORNERS}
    inward = rotated(other[2], [math.cos(math.radians(20.0)), -math.sin(math.radians(20.0))])  # seat turns with deck a
    for gauge, corner in ((5, "nw"), (6, "sw")):
        assert scene.gauge_labels[gauge] == f"b w: {corner} along"
        rest = deck.world(corner)
        below = a.world("centre") + other[:2] + rotated(other[2], rest - a.world("centre"))
        first, second = (standing(scene, k, q) for k in scene.gauge_anchors[gauge])
        np.testing.assert_allclose([*first, *second], [*place[corner], *below])
        axis = rotated(other[2], scene.gauge_axes[gauge, :2])
        np.testing.assert_allclose(axis, inward, rtol=1e-12)
    np.testing.assert_allclose(scene.gauge_limits[5:9, 1], [0.3, 0.3, 0.2, 0.2])


def test_anchors_ride_on_their_own_grounds() -> None:
    """With motions of their own, decks and piers carry the displacement of the ground below each."""
    motion = carom.motions.get("default").trimmed(end=2.0)
    grounds = {"west": motion, "a": motion, "b": (motion, 0.1), "east": (motion, 0.2)}
    problem = two_spans(motion=grounds)
    flat, scene = problem.flat(), problem.flat().scene
    grounded = flat.mode_structure < 0
    assert grounded.sum() == 6  # x and y of three grounds
    for anchor, label in enumerate(scene.anchor_labels):
        rows = scene.anchor_rows[anchor][:, grounded]
        if label.startswith(("a ", "b ")):
            support = flat.support[scene.body_modes[scene.anchor_body[anchor], 0]]
            which = np.flatnonzero(rows[0])
            assert [flat.support[grounded][k] for k in which] == [support]
        assert rows[:2].sum() == 2.0


def without(**changes: Any) -> Any:
    return lambda: two_spans(**changes)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (without(bearings=pads("a")), "Deck 'b' has no support"),
        (lambda: carom.Bearing(("a", "sw"), "ground", rule=None), "`rule` of Bearing must be a joint"),
        (lambda: carom.Bearing(("a", "sw"), "ground", rule=[]), "would have no capacity"),
        (lambda: carom.Bearing("a", "ground", rule=PAD), "must name a point of the deck"),
        (without(structures=[span("a"), span("b", 29.0)], contacts=[carom.facing("a", "b", law=LAW)], seats=[]),
         "the corner lies inside the body"),
        (lambda: carom.Problem([span("a"), span("b", 29.0, at=(0, 40))], [carom.facing("a", ("b", "w"), law=LAW)],
                               bearings=[*pads("a"), *pads("b")]), "with edges that face"),
        (without(contacts=[carom.facing("west", "a")]), "`law` of facing"),
        (without(contacts=[carom.facing("b", "east", law=LAW)]), "must be left out where an abutment has backfill"),
        (without(seats=[carom.Seat(("west", "w"), "ground", length=1.0)]), "must be an edge of a deck"),
        (without(bearings=[*pads("a"), carom.Bearing(("b", "sw"), "ground", rule=SlidingBearing(0.1, "50 MN/m"))]),
         "cannot carry the weight in equilibrium"),
        (without(initial_displacement={"a": (0.2, 0.0, 0.0)}), "the corner lies inside the body"),
        (lambda: carom.Friction(0.1, 0.2), "must not be above the static"),
        (lambda: carom.simulate(two_spans(), scheme="newmark", dt=1e-3, duration=1.0), "does not take"),
    ],
)  # fmt: skip
def test_refusals(make: Any, words: str) -> None:
    with pytest.raises(carom.InputError, match=words):
        make()


def test_a_body_that_nothing_holds_says_so() -> None:
    carom.Problem([span("a", free=True)])
