"""Structures with few of their modes: exact at places where forces act, for the ground, and for what they were told.

The witnesses are inverses of the full matrices, and sums over all modes.
"""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from scipy import linalg

import carom
from carom.errors import CaromError
from carom.structures import ReducedStructure, base
from carom.structures.reduced import ALL_UP_TO

WAYS = ("x", "y", "z")


def random_structure(seed: int, *, free: int = 0, diagonal: bool = False, **more: Any) -> carom.Structure:
    """Return a structure of 40 to 60 degrees of freedom with two named points; `free` of its modes are rigid."""
    rng = np.random.default_rng([21, seed])
    n = int(rng.integers(40, 61))
    mass = np.diag(rng.uniform(1e3, 5e3, n))
    if not diagonal:
        turn = linalg.qr(rng.normal(size=(n, n)))[0]
        mass = turn @ mass @ turn.T
    turn, springs = linalg.qr(rng.normal(size=(n, n)))[0], 10.0 ** rng.uniform(5.0, 9.0, n)
    springs[:free] = 0.0
    spread = np.sqrt(springs)[:, None] * turn.T
    names = [f"d{i}" for i in range(n)]
    corner = {axis: {names[int(i)]: float(w) for i, w in zip(rng.integers(0, n, 3), rng.normal(size=3), strict=True)}
              for axis in WAYS}  # fmt: skip
    damping = {} if more.keys() & {"damping", "damping_ratio"} else {"damping_ratio": 0.03}
    return carom.Structure(
        0.5 * (mass + mass.T), spread.T @ spread, dofs=names, name="s", influence=rng.normal(size=(n, 3)),
        points={"corner": carom.Point((1, 2, 3), **corner), "edge": carom.Point(x=names[3], y=names[7])},
        **damping, **more,
    )  # fmt: skip


def middle(structure: carom.Structure, share: float = 0.3) -> float:
    """Return a frequency between two modes [Hz], below which a share of all lies."""
    at = int(share * len(structure.dof_names))
    return float(np.mean(structure.frequencies[at - 1 : at + 1]))


PLACES = ["d5", ("corner", "y"), ("corner", (0.6, 0.0, 0.8)), "edge", {"d1": 1.0, "d2": -2.0}]


def rows_of(structure: carom.Structure) -> np.ndarray:
    """Return the rows of PLACES, spelt out."""
    corner, edge = structure.points["corner"].rows, structure.points["edge"].rows
    unit = np.eye(len(structure.dof_names))
    return np.array([unit[5], corner[1], 0.6 * corner[0] + 0.8 * corner[2], edge[0], edge[1], unit[1] - 2.0 * unit[2]])


@pytest.fixture(params=["all modes at hand", "lowest modes sought"])
def _both_ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "lowest modes sought":
        monkeypatch.setattr(base, "MOST_DENSE", 10)


@pytest.mark.usefixtures("_both_ways")
@pytest.mark.parametrize("seed", range(4))
def test_what_is_kept_is_exact(seed: int) -> None:
    """Static and inertial answers to forces at the places, everywhere; the ground; modes below the cut-off."""
    s = random_structure(seed, diagonal=seed % 2 == 0)
    few = s.reduced(PLACES, middle(s))
    omega, shapes, sigma = few.modes()
    mass, stiffness, rows = s.mass_matrix, s.stiffness_matrix, rows_of(s)
    assert few.kept_modes == int(0.3 * len(s.dof_names))
    assert few.vectors == 2 * len(rows) + 3
    assert omega.size == few.kept_modes + few.vectors < len(s.dof_names)
    np.testing.assert_allclose(shapes.T @ mass @ shapes, np.eye(omega.size), atol=1e-11)
    np.testing.assert_allclose(
        shapes.T @ stiffness @ shapes / omega[-1] ** 2, np.diag((omega / omega[-1]) ** 2), atol=1e-11
    )
    np.testing.assert_allclose(sigma, 0.03 * omega, rtol=1e-13)
    soft, quick = np.linalg.inv(stiffness) @ rows.T, np.linalg.inv(mass) @ rows.T
    for found, exact in (
        (shapes @ ((shapes.T @ rows.T) / omega[:, None] ** 2), soft),
        (shapes @ (shapes.T @ rows.T), quick),
    ):
        np.testing.assert_allclose(found, exact, rtol=0.0, atol=1e-9 * np.abs(exact).max())
    np.testing.assert_allclose(
        shapes @ (shapes.T @ mass @ s.influence), s.influence, atol=1e-10 * np.abs(s.influence).max()
    )
    full = s.frequencies[: few.kept_modes]
    assert all(np.abs(few.frequencies - f).min() < 1e-9 * f for f in full)


@pytest.mark.usefixtures("_both_ways")
def test_rigid_modes_are_kept_and_the_others_answer_at_rest() -> None:
    s = random_structure(11, free=2)
    few = s.reduced(["d5", "d6"], middle(s))
    omega, shapes, _ = few.modes()
    assert np.count_nonzero(omega == 0.0) == 2
    squares, modes = linalg.eigh(s.stiffness_matrix, s.mass_matrix)
    row = np.eye(len(s.dof_names))[5]
    exact = modes[:, 2:] @ ((modes[:, 2:].T @ row) / squares[2:])
    found = shapes[:, 2:] @ ((shapes[:, 2:].T @ row) / omega[2:] ** 2)
    np.testing.assert_allclose(found, exact, rtol=0.0, atol=1e-8 * np.abs(exact).max())


def test_springs_of_a_frame_are_part_of_it() -> None:
    section, steel = carom.Section.steel("HEB 200"), carom.Material.steel()
    nodes = {f"n{i}": (0.0, 0.0, float(i)) for i in range(12)}
    mast = carom.Frame(
        nodes=nodes, members=[carom.Member(f"n{i}", f"n{i + 1}", section, steel) for i in range(11)],
        supports={"n0": "fixed"}, springs=[carom.Spring("n11", 1e5, "ux")], plane="xz", name="mast",
    )  # fmt: skip
    few = mast.reduced([("n11", "x")], 100.0)
    assert few.vectors == 2 + 2
    assert few.springs == mast.springs
    assert few.joints == ()
    row = mast.read("n11", "x").row
    soft = row @ np.linalg.solve(mast.stiffness_matrix, row)
    assert np.sum((row @ few.modes().shapes / few.modes().omega) ** 2) == pytest.approx(soft, rel=1e-9)


def test_a_symmetric_frame_has_its_pairs_of_modes_either_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Square in plan: every sway mode along x has a twin along y, which a search by one vector could miss."""
    frame = carom.Frame.moment_frame(
        storeys=[3.0] * 4, bays=[5.0] * 2, rows=[5.0] * 2, columns=carom.Section.rectangle(0.4, 0.4),
        beams=carom.Section.rectangle(0.3, 0.5), material=carom.Material.concrete(), slab=400.0, damping_ratio=0.05,
        name="f",
    )  # fmt: skip
    places = [("2-0-4", "x"), ("floor 2", (10.0, 5.0)), ("column 0-0-1", 0.4), "1-1-3"]
    known = frame.reduced(places, 40.0)
    monkeypatch.setattr(base, "MOST_DENSE", 10)
    sought = frame.replace().reduced(places, 40.0)
    assert known.kept_modes == sought.kept_modes
    assert known.vectors == sought.vectors == 2 * (1 + 2 + 3 + 3) + 3
    np.testing.assert_allclose(sought.modes().omega, known.modes().omega, rtol=1e-9)
    assert known.points.keys() == frame.points.keys()
    assert known.member_force("column 0-0-1", "my").tobytes() == frame.row(("column 0-0-1", "my", "start")).tobytes()


@pytest.mark.parametrize("seed", range(2))
def test_vectors_that_depend_on_others_fall_out(seed: int) -> None:
    s = random_structure(seed)
    once = s.reduced(["d5", ("corner", "y")], middle(s))
    again = s.reduced(["d5", "d5", ("corner", "-y"), {"d5": 3.0}, ("corner", "y"), s.row("d5")], middle(s))
    assert once.vectors == again.vectors == 7
    np.testing.assert_allclose(again.frequencies, once.frequencies, rtol=1e-9)


def test_small_structures_and_high_cutoffs_keep_all_modes() -> None:
    small = carom.ShearBuilding([1e5] * ALL_UP_TO, 1e8, name="small")
    assert small.reduced([3], small.frequencies[0]).modes()[1].tobytes() == small.modes().shapes.tobytes()
    larger = carom.ShearBuilding([1e5] * (ALL_UP_TO + 1), 1e8, name="larger")
    assert larger.reduced([3], larger.frequencies[3]).kept_modes == 4
    for cutoff in (larger.frequencies[-1], larger.frequencies[-2]):  # vectors would fill the rest
        assert larger.reduced([3], cutoff).modes()[1].tobytes() == larger.modes().shapes.tobytes()


def test_loads_dashpots_springs_and_shapes_are_held() -> None:
    plain = random_structure(3)
    n = len(plain.dof_names)
    rng = np.random.default_rng(5)
    load, shape = rng.normal(size=n), rng.normal(size=n)
    stop = carom.Bilinear("1 cm").bound_to("2 MN/m")
    s = plain.replace(load=load, dashpots=[(("d1", "d9"), 1e4)], springs=[("d12", stop)])
    few = s.reduced([], middle(s), shapes=shape)
    omega, shapes, _ = few.modes()
    assert few.vectors == 2 * 2 + 1 + 3 + 1
    exact = np.linalg.inv(s.stiffness_matrix) @ load
    np.testing.assert_allclose(shapes @ ((shapes.T @ load) / omega**2), exact, atol=1e-9 * np.abs(exact).max())
    np.testing.assert_allclose(shapes @ (shapes.T @ s.mass_matrix @ shape), shape, atol=1e-10)
    for row in (plain.row("d1") - plain.row("d9"), plain.row("d12")):
        assert np.sum((row @ shapes) ** 2) == pytest.approx(row @ np.linalg.inv(s.mass_matrix) @ row, rel=1e-10)


def test_damping_as_the_whole_structure_would() -> None:
    s = random_structure(4)
    n, cutoff = len(s.dof_names), middle(s)
    modes = s.modes().omega
    ratios = np.random.default_rng(1).uniform(0.01, 0.1, n)
    few = s.replace(damping_ratio=ratios).reduced(PLACES, cutoff)
    omega, _, sigma = few.modes()
    nearest = [ratios[int(np.argmin(np.abs(modes - w)))] for w in omega]
    np.testing.assert_allclose(sigma, np.array(nearest) * omega, rtol=1e-9)
    for damping in (carom.Rayleigh(0.4, 1e-4), carom.Caughey([0.05, 0.02, 0.06], modes=[1, 12, n])):
        few = s.replace(damping_ratio=None, damping=damping).reduced(PLACES, cutoff)
        x, points = few.modes().omega ** 2, modes[[0, 11, n - 1]]
        if isinstance(damping, carom.Rayleigh):
            exact = 0.5 * (0.4 + 1e-4 * x)
        else:
            terms = np.vander(points**2, 3)
            exact = np.maximum(np.vander(x, 3) @ np.linalg.solve(terms, np.array([0.05, 0.02, 0.06]) * points), 0.0)
        np.testing.assert_allclose(few.modes().sigma, exact, rtol=1e-6, atol=1e-6 * exact.max())
    spread = np.random.default_rng(2).normal(size=(n, n))
    matrix = spread @ spread.T
    few = s.replace(damping_ratio=None, damping=matrix).reduced(PLACES, cutoff)
    shapes = few.modes().shapes
    np.testing.assert_allclose(few.modal_damping, shapes.T @ matrix @ shapes, rtol=1e-9)
    assert not few.classical
    dashed = s.replace(dashpots=[("d3", 2e4)]).reduced(PLACES, cutoff)
    row = s.row("d3") @ dashed.modes().shapes
    np.testing.assert_allclose(
        dashed.modal_damping, np.diag(0.06 * dashed.modes().omega) + 2e4 * np.outer(row, row), rtol=1e-9, atol=1e-12
    )


def test_it_is_a_value_like_any_structure() -> None:
    s = random_structure(6)
    few = s.reduced(["d5"], middle(s))
    assert isinstance(few, ReducedStructure)
    assert few == pickle.loads(pickle.dumps(few)) == few.replace()
    assert hash(few) == hash(few.replace())
    assert few != few.replace(cutoff=1.1 * few.cutoff) != s
    assert few.replace(damping_ratio=0.1).structure == s.replace(damping_ratio=0.1)
    assert few.replace(name="other").name == few.replace(name="other").structure.name == "other"
    for name in ("influence", "load", "outputs", "points", "floors", "line", "massive", "dashpots"):
        assert getattr(few, name) is getattr(s, name) or np.array_equal(getattr(few, name), getattr(s, name))
    assert few.row("d5").tobytes() == s.row("d5").tobytes()
    assert few.read("corner", "y").row.tobytes() == s.read("corner", "y").row.tobytes()
    assert repr(few) == f"<ReducedStructure 's': {few.kept_modes} of {len(s.dof_names)} modes, 5 vectors>"
    for values in few.modes():
        assert not values.flags.writeable


S = random_structure(0)
FIRST = f"{S.frequencies[0]:.6g}"


@pytest.mark.parametrize(
    ("places", "cutoff", "told"),
    [
        ([], -1.0, "`cutoff` of ReducedStructure 's' must be positive. Got -1."),
        ([], 0.0, "`cutoff` of ReducedStructure 's' must be positive. Got 0."),
        ([], None, "`cutoff` of ReducedStructure 's' must be"),
        ([], "3 m", "must be convertible to Hz"),
        ([], 0.5 * float(FIRST), f"must not lie below the first mode, {FIRST} Hz."),
        ("d5", 100.0, "`places` of ReducedStructure 's' must be a list of places. Got 'd5'."),
        (["d99"], 100.0, "Unknown place on Structure 's': 'd99'"),
        ([("nowhere", "x")], 100.0, "Unknown place on Structure 's': 'nowhere'"),
        ([("corner", (0, 0, 0))], 100.0, "`direction` of Structure 's' must not have the length zero"),
        ([("corner", "up")], 100.0, "`direction` of Structure 's' must be 'x', 'y' or 'z'"),
        ([("d5", "x")], 100.0, "`direction` of Structure 's' must be left out"),
        ([np.ones(3)], 100.0, "must have one weight for each of"),
        ([99], 100.0, "`place` of Structure 's' must lie in 1"),
    ],
)  # fmt: skip
def test_refusals(places: Any, cutoff: Any, told: str) -> None:
    with pytest.raises(CaromError) as caught:
        S.reduced(places, cutoff)
    assert told in str(caught.value)


def test_shapes_of_another_size_are_refused() -> None:
    with pytest.raises(CaromError, match="`shapes` of ReducedStructure 's' must have one number for each of"):
        S.reduced([], 100.0, shapes=[1.0, 2.0])
