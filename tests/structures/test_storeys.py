"""Storey drifts and shears as places: against rigid slabs worked out by hand, and against forces of columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import carom
from tests.structures.torsional import as_carom, forces, moved, random_building

STEEL = carom.Material.steel()
RECORD = carom.motions.get("default").trimmed(0.0, 5.0)


def frame(**more: Any) -> carom.Frame:
    """Three storeys in space under rigid slabs, members without mass between them."""
    return carom.Frame.moment_frame(
        storeys=[3.0, 3.2, 2.8], bays=[5.0, 4.0], rows=[4.0], columns=carom.Section.steel("HEB 240"), slab=600.0,
        beams=carom.Section.steel("IPE 330"), material=STEEL, damping_ratio=0.03, name="frame", **more,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_drifts_and_shears_of_buildings_that_turn(seed: int) -> None:
    rng = np.random.default_rng([31, seed])
    told = random_building(rng, 3)
    building = as_carom(told, name="turning")
    u = rng.normal(size=9)
    for storey in (1, 2, 3):
        width, depth = told.plans[storey - 1][2]
        point = (float(rng.uniform(0, width)), float(rng.uniform(0, depth)))
        top, foot = moved(told, u, storey - 1, point), moved(told, u, storey - 2, point)
        for axis, way in enumerate("xy"):
            reading = building.read(("drift", storey, point), way)
            assert reading.row @ u == pytest.approx(top[axis] - foot[axis], rel=1e-12)
            assert not reading.share.any()
            above = sum(forces(told, u)[3 * floor + axis] for floor in range(storey - 1, 3))
            assert building.read(("shear", storey), way).row @ u == pytest.approx(above, rel=1e-11)
    skew = (0.6, 0.8, 0.0)
    both = [building.read(("drift", 2), way).row @ u for way in "xy"]
    assert building.read(("drift", 2), skew).row @ u == pytest.approx(0.6 * both[0] + 0.8 * both[1])


def test_shears_of_a_frame_are_those_of_its_columns() -> None:
    made = frame()
    u = np.random.default_rng(5).normal(size=len(made.dof_names))
    for storey in (1, 2, 3):
        feet = [one.name for one in made.members if one.name.startswith("column") and one.name.endswith(f"-{storey}")]
        for way, force in (("x", "vz"), ("y", "vy")):  # local z of a column points against x, y along y
            sign = 1.0 if force == "vz" else -1.0
            by_columns = sum(sign * made.member_force(column, force, "start") @ u for column in feet)
            assert made.read(("shear", storey), way).row @ u == pytest.approx(by_columns, rel=1e-9)
    corner = made.read(("drift", 2, "2-1-2"), "y").row
    np.testing.assert_allclose(corner, made.row("2-1-2 uy") - made.row("2-1-1 uy"), atol=1e-12)
    assert made.unit_of(("shear", 1)) == "N"
    assert made.unit_of(("column 0-0-1", "my", "start")) == "N m"
    assert made.unit_of("0-0-1 rx") == "rad"


def test_plane_buildings_as_their_peaks_tell() -> None:
    building = carom.ShearBuilding(masses=[2e5, 1e5, 1e5], stiffnesses=[3e8, 2e8, 2e8], damping_ratio=0.05, name="a")
    asked = [("a", ("drift", k)) for k in (1, 2, 3)] + [("a", ("shear", 1))]
    run = carom.simulate(carom.Problem([building], motion=RECORD, outputs=asked))
    peaks = run.peaks
    for storey in (2, 3):
        found = float(peaks.displacement.sel(dof=f"a drift {storey}"))
        assert found == pytest.approx(float(peaks.drift.sel(dof=f"a floor {storey}")), rel=1e-4)
    assert float(peaks.displacement.sel(dof="a shear 1")) == pytest.approx(float(peaks.base_shear[0]), rel=1e-9)


def test_few_modes_carry_them() -> None:
    made = frame()
    problem = carom.Problem([made], motion={"x": RECORD, "y": RECORD}, outputs=[
        ("frame", ("drift", 3, "2-1-3"), "y"), ("frame", ("shear", 1), "x"),
    ])  # fmt: skip
    few = problem.replace(structures=[made.reduced([("2-1-3", "x")], "25 Hz")])
    whole, reduced = (carom.simulate(one).peaks["displacement"].values[-2:] for one in (problem, few))
    np.testing.assert_allclose(reduced, whole, rtol=2e-3)
    assert few.flat().output_units == problem.flat().output_units
    assert few.flat().output_units[-1] == few.structures[0].unit_of(("column 0-0-1", "vz", "start")) == "N"


@pytest.mark.parametrize(
    ("place", "told"),
    [
        (("drift", 4), "`storey` of Frame 'frame' must lie in 1…3. Got 4."),
        (("drift", 0), "must lie in 1…3"),
        (("drift", 2, "attic"), "Unknown node of Frame 'frame': 'attic'"),
        (("shear", 2, "x"), "of the whole storey"),
    ],
)
def test_refusals(place: Any, told: str) -> None:
    with pytest.raises(carom.CaromError) as caught:
        frame().read(place, "x")
    assert told in str(caught.value)


def test_nothing_touches_a_force() -> None:
    made, law = frame(), carom.law("hertz", stiffness=1e9)
    for place, told in (
        (("column 0-0-1", "my", "start"), "Got 'column 0-0-1 my at the start'"), (("shear", 1), "Got 'shear 1'"),
    ):  # fmt: skip
        with pytest.raises(carom.CaromError, match="must be a place that moves") as caught:
            carom.Problem([made, carom.Wall(name="wall")], [carom.Contact(("frame", place), "wall", gap=0.1, law=law)])
        assert told in str(caught.value)
        with pytest.raises(carom.CaromError, match="must be a place that moves"):
            carom.Problem([made], dampers=[carom.Damper(("frame", place), ("frame", "0-0-2", "x"), 1e5)], motion=RECORD)


def test_matrices_have_a_base_and_no_storeys() -> None:
    plain = carom.Structure([2e4, 3e4], [[9e6, -1e6], [-1e6, 5e6]], dofs=["a", "b"], name="plain")
    np.testing.assert_allclose(plain.read(("shear", 1)).row, [8e6, 4e6])
    with pytest.raises(carom.CaromError, match="must be 1 where floors are not known"):
        plain.read(("shear", 2))
    with pytest.raises(carom.CaromError, match="whose floors are known"):
        plain.read(("drift", 1))
