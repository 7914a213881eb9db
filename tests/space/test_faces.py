"""A node against a face: force and moment are in equilibrium, power is the same on both sides, refusals say why."""

from __future__ import annotations

import numpy as np
import pytest

import carom
from carom.kernels.space import rows
from carom.kernels.space.faces import push_face, rates_at_face, see_face


def _anchors(rng: np.random.Generator, *, warp: float, triangle: bool) -> list[np.ndarray]:
    """Return rows of a node and of the corners of a convex face anywhere in space, with any velocities."""
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    if np.linalg.det(turn) < 0.0:
        turn[:, 0] *= -1.0
    angles = np.sort(rng.uniform(0.0, 2.0 * np.pi, 3 if triangle else 4))
    plane = np.stack([2.0 * np.cos(angles), 1.5 * np.sin(angles), warp * rng.normal(size=angles.size)], axis=1)
    if triangle:
        plane = plane[[0, 1, 2, 2]]
    shift = rng.normal(size=3)
    places = [turn @ place + shift for place in (rng.normal(size=3), *plane)]
    found = [np.zeros(rows.ANCHOR_SIZE) for _ in places]
    for row, place in zip(found, places, strict=True):
        row[:3], row[rows.VX : rows.VX + 6] = place, rng.normal(size=6)
    if triangle:
        found[4] = found[3]
    return found


@pytest.mark.parametrize("triangle", [False, True])
def test_reaction_balances_force_and_moment(triangle: bool) -> None:
    rng = np.random.default_rng(25)
    for _ in range(200):
        anchors = _anchors(rng, warp=0.0 if triangle else 0.05, triangle=triangle)
        view, radius = np.zeros(rows.VIEW_SIZE), rng.uniform(0.0, 0.3)
        see_face(*anchors, view)
        leaves, slip, slip_2 = rates_at_face(*anchors, radius, view)
        normal, friction, friction_2 = rng.normal(size=3)
        push_face(normal, friction, friction_2, radius, view, *anchors)
        those = anchors[:4] if triangle else anchors
        force = sum(row[rows.FX : rows.FX + 3] for row in those)
        moment = sum(np.cross(row[:3], row[rows.FX : rows.FX + 3]) + row[rows.MX : rows.MX + 3] for row in those)
        size = max(1.0, *(np.abs(row[rows.FX : rows.FX + 3]).max() for row in those))
        np.testing.assert_allclose(force, 0.0, atol=1e-14 * size)
        np.testing.assert_allclose(moment, 0.0, atol=3e-14 * size)
        power = sum(row[rows.FX : rows.FX + 6] @ row[rows.VX : rows.VX + 6] for row in those)  # moments by spins too
        assert power == pytest.approx(normal * leaves - friction * slip - friction_2 * slip_2, abs=1e-12 * size)


def test_rate_of_the_gap_is_its_derivative() -> None:
    rng = np.random.default_rng(7)
    for _ in range(50):
        anchors = _anchors(rng, warp=0.1, triangle=False)
        view, other = np.zeros((2, rows.VIEW_SIZE))
        see_face(*anchors, view)
        leaves, _, _ = rates_at_face(*anchors, 0.0, view)
        dt = 1e-6
        ends = []
        for sign in (1.0, -1.0):
            moved = [row.copy() for row in anchors]
            for row in moved:
                row[:3] += sign * dt * row[rows.VX : rows.VX + 3]
            see_face(*moved, other)
            ends.append(other[rows.GAP])
        assert leaves == pytest.approx((ends[0] - ends[1]) / (2.0 * dt), rel=1e-7, abs=1e-7)


def test_margin_is_positive_inside_alone() -> None:
    corners = [np.array([*xy, 0.0]) for xy in ((0.0, 0.0), (4.0, 0.0), (3.0, 2.0), (0.0, 2.0))]
    rows_of = [np.concatenate([place, np.zeros(rows.ANCHOR_SIZE - 3)]) for place in corners]
    view = np.zeros(rows.VIEW_SIZE)
    for point, inside in (((1.0, 1.0), True), ((3.4, 1.0), True), ((3.6, 1.0), False), ((-0.1, 1.0), False)):
        node = np.zeros(rows.ANCHOR_SIZE)
        node[:3] = *point, 0.3
        see_face(node, *rows_of, view)
        assert (view[rows.MARGIN] > 0.0) == inside
        np.testing.assert_allclose(view[rows.FOOT : rows.FOOT + 3], [*point, 0.0], atol=1e-15)
        foot = sum(w * place for w, place in zip(view[rows.WEIGHT : rows.WEIGHT + 4], corners, strict=True))
        np.testing.assert_allclose(foot, [*point, 0.0], atol=1e-15)


BOX = {"a": (-1, -1, -1), "b": (1, -1, -1), "c": (1, 1, -1), "d": (-1, 1, -1), "top": (0, 0, 1)}


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("inertia", (1.0, 1.0, 2.5), "above the other two together"),
        ("inertia", (1.0, -1.0, 1.0), "positive about every axis"),
        ("inertia", ((1, 0.2, 0), (0, 1, 0), (0, 0, 1)), "symmetric"),
        ("inertia", (1.0, 1.0), "three principal moments"),
        ("mass", 0.0, "mass"),
        ("orientation", (2.0, 0.0, 0.0, 0.0), "length one"),
        ("orientation", "up", "three numbers or four"),
        ("velocity", (1.0, 2.0), "three numbers"),
        ("faces", {"f": ["a", "b", "c", "d"]}, "other order"),
        ("faces", {"f": ["d", "c", "b", "nobody"]}, "nobody"),
        ("faces", {"f": ["d", "b", "c", "a"]}, "span an area"),
        ("faces", {"f": ["d", "top", "b", "a"]}, "must be plane"),
        ("faces", {"f": ["a", "b"]}, "three or four points"),
        ("radii", {"nobody": 1.0}, "nobody"),
        ("points", {"ux": (0, 0, 0)}, "names"),
        ("gravity", (1.0, 2.0), "three numbers"),
    ],
)
def test_bodies_that_cannot_be_are_refused(field: str, value: object, said: str) -> None:
    body = {"mass": 2.0, "inertia": (1.0, 1.0, 1.0), "points": BOX, "name": "box"}
    with pytest.raises(carom.InputError, match=said):
        carom.RigidBody(**{**body, field: value})


def test_inward_corner_and_line_are_refused() -> None:
    points = {"a": (0, 0, 0), "b": (2, 0, 0), "c": (0.4, 0.4, 0), "d": (0, 2, 0), "e": (4, 0, 0)}
    with pytest.raises(carom.InputError, match="convex"):
        carom.FixedBody(points=points, faces={"f": ["a", "b", "c", "d"]})
    with pytest.raises(carom.InputError, match="span an area"):
        carom.FixedBody(points=points, faces={"f": ["a", "b", "e"]})


def test_girder_is_a_skewed_box() -> None:
    girder = carom.Girder(
        length=30, width=10, depth=2, density=500, skew="20 deg", orientation=(0.1, 0.2, 0.3), name="g"
    )
    assert girder.mass == 500.0 * 600.0
    rng = np.random.default_rng(3)
    points = rng.uniform(-0.5, 0.5, (400_000, 3)) * [30.0, 10.0, 2.0]
    points[:, 0] += points[:, 1] * np.tan(girder.skew)
    second = points.T @ points / len(points)
    np.testing.assert_allclose(
        girder.tensor, girder.mass * (np.trace(second) * np.eye(3) - second), atol=5e-3 * girder.tensor.max()
    )
    for side in girder.sides:
        corners = girder.corners(side)
        normal = np.cross(corners[2] - corners[0], corners[3] - corners[1])
        assert normal @ (corners.mean(axis=0) - girder.world()) > 0.0
    moments, axes = girder.principal
    np.testing.assert_allclose(axes @ np.diag(moments) @ axes.T, girder.mass_matrix[3:, 3:], atol=1e-9 * moments.max())
    assert np.linalg.det(axes) == pytest.approx(1.0)


LAW = carom.law("kelvin-voigt", stiffness=1e7, restitution=0.6)


def test_gap_is_as_the_two_stand_and_inside_is_refused() -> None:
    girder = carom.Girder(length=3, width=1, depth=0.5, mass=1e3, position=(0, 0, 1.0), name="g")
    floor = carom.FixedBody.plate((0, 0, 0), size=20)
    below = [carom.Contact(("g", f"{c} bottom"), "floor", face="face", law=LAW) for c in ("sw", "se", "ne", "nw")]
    problem = carom.Problem([girder, floor], below)
    np.testing.assert_allclose(problem.flat().gap, 0.75, rtol=1e-15)
    with pytest.raises(carom.InputError, match="inside the body"):
        problem.replace(structures=[girder.replace(position=(0, 0, 0.2)), floor])
    other = girder.replace(position=(1.0, 0.2, 1.2), name="h")
    with pytest.raises(carom.InputError, match="inside the body"):
        carom.Problem([girder, other], [carom.Contact(("h", "sw bottom"), "g", face="top", law=LAW)])
    beside = carom.Problem(
        [girder, girder.replace(position=(3.1, 0, 1), name="h")],
        [carom.Contact(("h", "sw bottom"), "g", face="top", law=LAW)],
    )
    assert beside.flat().scene.begins_past.tolist() == [1]


def test_gap_is_needed_elsewhere() -> None:
    with pytest.raises(carom.InputError, match="must be given"):
        carom.Contact("a", "b", law=LAW)
