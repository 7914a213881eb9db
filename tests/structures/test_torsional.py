"""Torsional buildings against closed forms, matrices put together column by column, and plane shear buildings."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import linalg

import carom
from carom.errors import InputError
from carom.structures.torsional import Plan
from tests.structures.torsional import (
    as_carom,
    in_world,
    mass_matrix,
    moved,
    random_building,
    stiffness_matrix,
)

M, KX, KY, KT = 2e5, 3e8, 2.5e8, 2e10


def building(**changes: Any) -> carom.TorsionalBuilding:
    given: dict[str, Any] = {
        "masses": M, "stiffnesses_x": KX, "stiffnesses_y": KY, "torsional_stiffnesses": KT, "width": 12.0,
        "depth": 18.0, "name": "b",
    }  # fmt: skip
    return carom.TorsionalBuilding(**given | changes)


def test_one_symmetric_storey() -> None:
    """√(k/m) along both axes and √(k/J), J of a uniform rectangle: m (w² + d²)/12."""
    one = building()
    inertia = M * (12.0**2 + 18.0**2) / 12.0
    assert one.floor_inertias == pytest.approx([inertia], rel=1e-14)
    expected = np.sort([math.sqrt(KX / M), math.sqrt(KY / M), math.sqrt(KT / inertia)])
    np.testing.assert_allclose(one.modes().omega, expected, rtol=1e-14)
    assert np.count_nonzero(one.modes().shapes) == 3


@pytest.mark.parametrize("angle", [0.0, 0.3, "90 deg", -2.0])
@pytest.mark.parametrize("e", [0.4, -2.5])
def test_one_way_eccentricity_in_closed_form(e: float, angle: Any) -> None:
    """Mass off the axis by e across x: motion along y stays alone, x and the rotation couple in a quadratic."""
    one = building(centres_of_mass=(6.0, 9.0 - e), angle=angle)
    inertia = float(one.floor_inertias[0])
    a, d, b = KX / M, (KT + KX * e**2) / inertia, KX * e / math.sqrt(M * inertia)
    middle, off = 0.5 * (a + d), math.hypot(0.5 * (a - d), b)
    expected = np.sqrt(np.sort([middle - off, middle + off, KY / M]))
    np.testing.assert_allclose(one.modes().omega, expected, rtol=1e-13)


@pytest.mark.parametrize("seed", range(25))
def test_matrices_against_columns_one_by_one(seed: int) -> None:
    told = random_building(np.random.default_rng(seed))
    k, m = stiffness_matrix(told), mass_matrix(told)
    squares = linalg.eigh(k, m, eigvals_only=True)
    for by_columns in (True, False):
        made = as_carom(told, by_columns)
        np.testing.assert_allclose(made.stiffness_matrix, k, rtol=0, atol=1e-12 * np.abs(k).max())
        np.testing.assert_allclose(made.mass_matrix, m, rtol=1e-14)
        np.testing.assert_allclose(made.modes().omega ** 2, squares, rtol=1e-9)
        shapes = made.modes().shapes
        np.testing.assert_allclose(shapes.T @ m @ shapes, np.eye(len(m)), atol=1e-12)
        np.testing.assert_allclose(shapes.T @ k @ shapes, np.diag(squares), atol=1e-11 * squares.max())


@pytest.mark.parametrize("seed", range(10))
def test_points_move_with_their_rigid_slab(seed: int) -> None:
    """Corners, edges, points inside and centres of mass, along any direction, and where they stand in the world."""
    rng = np.random.default_rng(seed)
    told = random_building(rng)
    made = as_carom(told, heights=3.0)
    u = rng.normal(size=3 * len(told.masses))
    for floor, plan in enumerate(told.plans, 1):
        inside = (plan[2][0] * rng.uniform(), plan[2][1] * rng.uniform())
        corner = int(rng.integers(1, 5))
        for where, point in (
            ((floor, corner), plan[corner - 1]), ((floor, inside), inside), (floor, told.centres[floor - 1]),
            (f"floor {floor} corner {corner}", plan[corner - 1]),
        ):  # fmt: skip
            along = rng.normal(size=2)
            reading = made.read(where, tuple(along))
            along /= np.hypot(*along)
            assert reading.row @ u == pytest.approx(along @ moved(told, u, floor - 1, point)[:2], rel=1e-11)
            np.testing.assert_allclose(reading.share, [*along, 0.0], atol=1e-15)
            np.testing.assert_allclose(made.location(where).position, (*in_world(told, point), 3.0 * floor), rtol=1e-12)
        column = made.read((3.0 * floor - 1.2, inside), "y").row @ u
        above, below = (moved(told, u, i, inside)[1] for i in (floor - 1, floor - 2))
        assert column == pytest.approx(0.6 * above + 0.4 * below, rel=1e-11)


def test_corners_and_edges_of_a_rectangle() -> None:
    made = building(masses=[M, M], origin=("5 m", 2.0), heights="3 m")
    expected = {
        "sw": (5, 2), "se": (17, 2), "ne": (17, 20), "nw": (5, 20),
        "s": (11, 2), "e": (17, 11), "n": (11, 20), "w": (5, 11),
    }  # fmt: skip
    for name, at in expected.items():
        assert made.location((2, name)).position == (*at, 6.0)
    for name, number in (("sw", 1), ("se", 2), ("ne", 3), ("nw", 4)):
        assert made.location((1, number)).position == made.location(f"floor 1 {name}").position
    assert made.place_name((2, 3)) == "floor 2 ne"
    assert made.place_name((2, ("1 m", 4))) == "floor 2 (1, 4)"
    assert made.place_name(2) == "floor 2"
    assert made.place_name(("4.5 m", "ne")) == "at 4.5 m ne"
    np.testing.assert_array_equal(made.row(2), made.row("floor 2 ux"))
    np.testing.assert_array_equal(made.row({"floor 1 rz": 2.0}), [0, 0, 2, 0, 0, 0])


def test_plans_against_rectangles_put_together() -> None:
    """An L is two rectangles: area, centroid, and the polar moment by Steiner; whichever way its corners go round."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        a, b, c, d = rng.uniform(1.0, 10.0, 4)
        x, y = rng.uniform(-30, 30, 2)
        corners = [(0, 0), (a + c, 0), (a + c, b), (a, b), (a, b + d), (0, b + d)]
        corners = [(x + p, y + q) for p, q in corners]
        parts = [((a + c) * b, (a + c) / 2, b / 2, (a + c) ** 2 + b**2), (a * d, a / 2, b + d / 2, a**2 + d**2)]
        area = sum(part[0] for part in parts)
        xc, yc = (sum(part[0] * part[i] for part in parts) / area for i in (1, 2))
        polar = sum(s * (square / 12 + (p - xc) ** 2 + (q - yc) ** 2) for s, p, q, square in parts)
        for given in (corners, corners[::-1], corners[2:] + corners[:2]):
            plan = Plan.of(given, "test")
            assert plan.area == pytest.approx(area, rel=1e-12)
            assert plan.centroid == pytest.approx((x + xc, y + yc), rel=1e-11)
            assert plan.radius == pytest.approx(math.sqrt(polar / area), rel=1e-10)
            assert plan.holds(x + a / 2, y + b + d / 2)
            assert plan.holds(x + a, y + b)
            assert plan.holds(x + a + c, y + b / 2)
            assert not plan.holds(x + a + c / 2, y + b + d / 2)
            assert not plan.holds(x - 1e-6, y)


def test_regular_polygons() -> None:
    """Radius of gyration of n corners on a circle R: R √((2 + cos 2π/n)/6)."""
    for n in range(3, 12):
        corners = [(4.0 * math.cos(2 * math.pi * i / n), 4.0 * math.sin(2 * math.pi * i / n)) for i in range(n)]
        plan = Plan.of(corners, "test")
        assert plan.radius == pytest.approx(4.0 * math.sqrt((2.0 + math.cos(2 * math.pi / n)) / 6.0), rel=1e-13)


def test_a_stiff_core_leaves_a_shear_building() -> None:
    """The stiffer in torsion, the nearer: what eccentricity adds falls with one over the torsional stiffness."""
    plane = carom.ShearBuilding(masses=[M] * 3, stiffnesses=KX, damping_ratio=0.02)
    off = []
    for factor in (1e3, 1e6, 1e9):
        stiff = building(masses=[M] * 3, torsional_stiffnesses=factor * KT, centres_of_mass=(6, 7), stiffnesses_y=9e12)
        off.append(np.abs(stiff.modes().omega[:3] / plane.modes().omega - 1.0).max())
    assert off[0] < 1e-3
    assert off[1] / off[0] == pytest.approx(1e-3, rel=0.05)
    assert off[2] < 1e-8


def test_a_symmetric_building_is_three_plane_ones() -> None:
    """To the last digit but one, also where frequencies along x, along y and in torsion agree."""
    rng = np.random.default_rng(8)
    masses, stiffnesses = rng.uniform(1e5, 3e5, 6), rng.uniform(1e8, 4e8, 6)
    plane = carom.ShearBuilding(masses=masses, stiffnesses=stiffnesses)
    same = building(
        masses=masses, stiffnesses_x=stiffnesses, stiffnesses_y=stiffnesses, torsional_stiffnesses=stiffnesses * 9.0,
        radii=3.0,
    )  # fmt: skip
    np.testing.assert_allclose(same.modes().omega, np.repeat(plane.modes().omega, 3), rtol=1e-12)
    ways = np.abs(same.modes().shapes).reshape(6, 3, 18).any(axis=0)
    np.testing.assert_array_equal(ways.sum(axis=0), 1)  # no mode moves two ways


def test_accidental_eccentricity_shifts_every_mass() -> None:
    plans = [[(0, 0), (10, 0), (10, 20), (0, 20)], [(0, 0), (8, 0), (8, 6), (0, 6)]]
    made = building(masses=[M, M], width=None, depth=None, plan=plans, radii=4.0)
    cases = made.accidental_cases()
    assert list(cases) == ["+x", "-x", "+y", "-y"]
    np.testing.assert_allclose(cases["+x"].mass_centres, [(5.5, 10), (4.4, 3)])
    np.testing.assert_allclose(cases["-y"].mass_centres, [(5, 9), (4, 2.7)])
    np.testing.assert_array_equal(cases["-y"].storey_springs[1].centre, (4, 3))
    np.testing.assert_array_equal(cases["+x"].mass_matrix, made.mass_matrix)
    by_hand = made.replace(centres_of_mass=[(5, 9), (4, 2.7)])
    np.testing.assert_allclose(cases["-y"].stiffness_matrix, by_hand.stiffness_matrix, rtol=1e-14)
    assert cases["+y"].location((1, "corner 3")).position is None
    ten = made.replace(accidental_y="5 %").accidental_cases("10 %")["+y"]
    assert ten.accidental_y == pytest.approx(0.15)


@pytest.mark.parametrize(
    "changes",
    [
        {"masses": np.linspace(1e5, 3e5, 7)},
        {"masses": np.linspace(1e5, 3e5, 21).reshape(7, 3), "radii": np.linspace(3, 5, 7)},
        {"inertias": np.linspace(1e6, 3e6, 7), "stiffnesses_y": np.linspace(1e8, 3e8, 21).reshape(7, 3)},
        {"torsional_stiffnesses": np.linspace(1e9, 3e9, 7), "damping_ratio": np.linspace(0, 0.1, 7)},
        {"damping_ratio": np.linspace(0, 0.1, 63).reshape(7, 9), "stiffnesses_x": np.linspace(1e8, 3e8, 7)},
    ],
)
@pytest.mark.parametrize("angle", [0.0, 0.4])
def test_many_at_once_are_as_one_by_one(changes: dict[str, Any], angle: float) -> None:
    made = building(masses=[M, 1.2 * M, M], centres_of_mass=(5, 8), damping_ratio=0.05, angle=angle)
    many = made.stacked(7, changes)
    assert many is not None
    for i in range(7):
        values = {name: value[i].tolist() for name, value in changes.items()}
        one = made.replace(**values)
        modes = one.modes()
        np.testing.assert_allclose(many.omega[i], modes.omega, rtol=1e-12)
        np.testing.assert_allclose(many.sigma[i], modes.sigma, rtol=1e-12)
        np.testing.assert_allclose(many.shapes[i], modes.shapes, atol=1e-10 * np.abs(modes.shapes).max())
        np.testing.assert_allclose(np.diag(many.masses[i]), one.mass_matrix, rtol=1e-14)


def test_many_at_once_leaves_the_rest_to_replace() -> None:
    made = building(masses=[M, M])
    by_columns = as_carom(random_building(np.random.default_rng(1), 2))
    two = np.full(2, 3.0)
    assert made.stacked(2, {"accidental_x": two * 0.01}) is None
    assert made.stacked(2, {"radii": two, "inertias": two}) is None
    assert by_columns.stacked(2, {"radii": two}) is None  # it has inertias
    assert by_columns.stacked(2, {"stiffnesses_x": two}) is None
    with pytest.raises(InputError, match="`masses` of TorsionalBuilding 'b' must be positive"):
        made.stacked(2, {"masses": -two})


def test_copies_are_equal() -> None:
    made = as_carom(random_building(np.random.default_rng(3)), heights="3 m", damping_ratio=0.02, name="b")
    for copy in (made.replace(), pickle.loads(pickle.dumps(made))):
        assert copy == made
        assert hash(copy) == hash(made)
        np.testing.assert_array_equal(copy.modes().shapes, made.modes().shapes)
    assert made.replace(angle=0.0) != made


T = building
COLUMNS = [(0, 0, 5e6, 5e6), (12, 0, 5e6, 5e6), (12, 18, 5e6, 5e6), (0, 18, 5e6, 5e6)]


def by_columns(columns: Any) -> carom.TorsionalBuilding:
    return carom.TorsionalBuilding(masses=M, columns=columns, width=12, depth=18, name="b")


REFUSALS: list[tuple[Callable[[], Any], str]] = [
    (lambda: T(masses=None), "TorsionalBuilding 'b' needs `masses` [kg], one for each floor."),
    (lambda: T(masses=[M, -M]), "`masses` of TorsionalBuilding 'b' must be positive. Got -200000.0."),
    (lambda: T(masses="200 m"), "`masses` of TorsionalBuilding 'b' must be convertible to kg."),
    (lambda: T(masses=[M] * 2, stiffnesses_x=[KX] * 3), "must be one number, or one for each of 3 floors. Got 2."),
    (lambda: T(masses=[[1, 2], [3]]), "`masses` of TorsionalBuilding 'b' must be a number in kg. Got [1, 2]."),
    (lambda: T(radii=1e-320), "must be of sizes that numbers can hold together. Got [0.0]."),
    (lambda: T(width=1e308), "must be of sizes that numbers can hold together. Got [nan]."),
    (lambda: T(stiffnesses_y=None), "TorsionalBuilding 'b' needs `stiffnesses_y`, or all of a storey's `columns`"),
    (lambda: T(stiffnesses_x=-1.0), "`stiffnesses_x` of TorsionalBuilding 'b' must be positive. Got -1.0."),
    (lambda: T(torsional_stiffnesses=0.0), "`torsional_stiffnesses` of TorsionalBuilding 'b' must be positive."),
    (lambda: T(torsional_stiffnesses="2 GN/m"), "must be convertible to N*m"),
    (lambda: T(columns=COLUMNS), "takes `stiffnesses_x` or `columns`, not both: it follows from the columns."),
    (lambda: T(depth=None), "needs `width` and `depth` of its slabs [m], or the vertices of their `plan`."),
    (lambda: T(plan=[(0, 0), (1, 0), (1, 1)]), "needs `width` and `depth` of its slabs [m], or the vertices"),
    (lambda: T(width=0), "`width` of TorsionalBuilding 'b' must be positive. Got 0."),
    (lambda: T(radii=3.0, inertias=1e6), "takes `radii` or `inertias`, not both."),
    (
        lambda: T(centres_of_mass=(13.0, 9.0)),
        "`centres_of_mass` of TorsionalBuilding 'b' must leave the centre of mass",
    ),
    (lambda: T(accidental_x="60 %"), "`accidental_x, accidental_y` of TorsionalBuilding 'b' must leave the centre"),
    (
        lambda: T(centres_of_mass=3.0),
        "`centres_of_mass` of TorsionalBuilding 'b' must be x and y, or a list of such pairs",
    ),
    (
        lambda: T(centres_of_mass=[(6, 9)] * 2, masses=[M] * 3),
        "must be one for all, or one for each of 3 floors. Got 2.",
    ),
    (lambda: T(origin=5.0), "`origin` of TorsionalBuilding 'b' must be x and y. Got 5.0."),
    (lambda: T(angle="3 m"), "`angle` of TorsionalBuilding 'b' must be convertible to rad"),
    (lambda: T(masses=[M] * 2, heights=[3, 3]), "must increase from floor to floor"),
    (
        lambda: T(masses=[M] * 2, heights=[3, 6, 9]),
        "`masses` of TorsionalBuilding 'b' must be one number, or one for each",
    ),
    (lambda: T(damping_ratio=[0.1, 0.1]), "must be one number, or one for each of its 3 modes."),
    (
        lambda: T(width=None, depth=None, plan=[(0, 0), (1, 0)]),
        "`plan` of TorsionalBuilding 'b' must have at least three",
    ),
    (
        lambda: T(width=None, depth=None, plan=[(0, 0), (1, 1), (1, 0), (0, 1)]),
        "must be a polygon whose edges do not cross",
    ),
    (lambda: T(width=None, depth=None, plan=[(0, 0), (1, 0), (2, 0)]), "must be a polygon whose edges do not cross"),
    (lambda: T(width=None, depth=None, plan=[(0, 0), (0, 0), (1, 0), (1, 1)]), "must not have an edge without length"),
    (lambda: by_columns([(0, 0, 5e6)]), "must be a list of columns and walls, each x, y, kx, ky and perhaps kz"),
    (lambda: by_columns(5e6), "must be a list of columns and walls, each x, y, kx, ky and perhaps kz. Got 5000000.0"),
    (
        lambda: by_columns([(0, 0, 5e6, -1.0), *COLUMNS]),
        "`ky in columns` of TorsionalBuilding 'b' must not be negative.",
    ),
    (lambda: by_columns([*COLUMNS, (12.5, 3, 5e6, 5e6)]), "must stand under the slab of floor 1. Got (12.5, 3.0)."),
    (lambda: by_columns([(0, 0, 5e6, 0), (12, 0, 5e6, 0)]), "must resist along y in storey 1. Got 0.0."),
    (lambda: by_columns([(6, 9, 5e6, 5e6)]), "must resist about the vertical axis in storey 1. Got 0.0. Add columns"),
    (lambda: T().read((2, "ne"), "x"), "`floor` of TorsionalBuilding 'b' must lie in 1…1. Got 2."),
    (lambda: T().read(0, "x"), "`floor` of TorsionalBuilding 'b' must lie in 1…1. Got 0."),
    (lambda: T().read((1, "north"), "x"), "Unknown corner of floor 1 of TorsionalBuilding 'b': 'north'."),
    (lambda: T().read((1, 5), "x"), "`corner` of floor 1 of TorsionalBuilding 'b' must lie in 1…4. Got 5."),
    (
        lambda: T().read((1, (13, 3)),
        "x"), "`place` of floor 1 of TorsionalBuilding 'b' must lie on the slab, x 0 to 12 m",
    ),
    (lambda: T().read((1, 2.5), "x"), "must be one of 'sw', 'se', 'ne', 'nw', the middle of an edge"),
    (lambda: T().read("floor 3 ne", "x"), "Unknown place on TorsionalBuilding 'b': 'floor 3 ne'."),
    (lambda: T().read("3 m", "x"), "Write ('3 m', \"ne\")."),
    (lambda: T().read(("3 m", "ne"), "x"), "`heights` of TorsionalBuilding 'b' must be given before a height"),
    (lambda: T(heights=3).read(("4 m", "ne"), "x"), "`height` of TorsionalBuilding 'b' must lie in (0, 3] m. Got 4.0."),
    (lambda: T().read((1, "ne"), (0, 0)), "`direction` of TorsionalBuilding 'b' must not have the length zero."),
    (lambda: T().read("floor 1 rz", "x"), "must be left out where a place is a degree of freedom, or weights."),
    (lambda: T().read(), "`place` of TorsionalBuilding 'b' must be said."),
    (lambda: T().read([1]), "must be a floor (1…1), a point such as (2, \"ne\")"),
]  # fmt: skip


@pytest.mark.parametrize(("build", "message"), REFUSALS, ids=[message[:60] for _, message in REFUSALS])
def test_refusals(build: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        build()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
