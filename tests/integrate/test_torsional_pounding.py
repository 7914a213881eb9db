"""Torsional buildings that hit each other: the judge's peaks, scenes turned in plan, and plane buildings as limits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import linalg
from tests.judge.assemble import System
from tests.judge.check import outputs_of
from tests.judge.describe import Law
from tests.judge.judge import follow
from tests.judge.laws import row_of
from tests.structures.torsional import Told, as_carom, in_world, mass_matrix, moved, random_building, stiffness_matrix

import carom

SHIFT = 1e-9
"""Of the peak displacement: how far gaps are moved to measure how sensitive a run is."""
DT = 0.01
LAWS = (
    Law("kelvin-voigt", 5e8, 0.6), Law("hertz", 3e9), Law("jankowski-2005", 3e9, 0.6), Law("flores-2011", 3e9, 0.7),
    Law("linear", 4e8), Law("kelvin-voigt", 5e8, 0.5, tension=False),
)  # fmt: skip


class Scene(NamedTuple):
    """Two buildings side by side in a plan that may be turned, and what shakes them."""

    left: Told
    right: Told
    ratios: tuple[float, float]
    gaps: tuple[float, ...]
    law: Law
    ground: np.ndarray
    """Acceleration along the buildings' own x and y, shape (2, samples)."""
    angle: float
    ends: list[tuple[tuple[float, float], tuple[float, float]]]
    """On each common floor: y at both ends of the stretch along which edges face, in plan of the left and the right."""


def random_scene(seed: int) -> Scene:
    """Rectangles beside each other along their own x, offset across it, turned and moved together."""
    rng = np.random.default_rng(seed)
    left, right = random_building(rng, int(rng.integers(1, 4))), random_building(rng, int(rng.integers(1, 4)))
    angle = float(rng.uniform(-3.0, 3.0))
    left = left._replace(angle=angle)
    widest, offset = max(plan[2][0] for plan in left.plans), float(rng.uniform(-3.0, 3.0))
    # all of the left building's slabs end at one plane: plans with a setback begin further east
    left = left._replace(plans=[plan_of(plan, widest) for plan in left.plans])
    left = left._replace(
        centres=[(x + widest - width_of(plan), y) for (x, y), plan in zip(left.centres, left.plans, strict=True)],
        columns=[
            [(c[0] + widest - width_of(plan), *c[1:]) for c in storey]
            for storey, plan in zip(left.columns, left.plans, strict=True)
        ],
    )
    right = right._replace(angle=angle, origin=in_world(left, (widest + 0.02, offset)))
    common = min(len(left.masses), len(right.masses))
    ends = []
    for a, b in zip(left.plans[:common], right.plans[:common], strict=True):
        low, high = max(0.0, offset), min(a[2][1], offset + b[2][1])
        ends.append(((low, high), (low - offset, high - offset)))
    t = np.arange(150) * DT
    ground = sum(
        rng.normal(size=(2, 1)) * np.sin(2 * np.pi * f * t + p)
        for f, p in zip(rng.uniform(0.5, 6.0, 8), rng.uniform(0, 6, 8), strict=True)
    )
    gaps = tuple(rng.uniform(1e-3, 8e-3, 2).tolist())
    law = LAWS[int(rng.integers(len(LAWS)))]
    return Scene(left, right, tuple(rng.uniform(0, 0.08, 2).tolist()), gaps, law, 1.5 * ground, angle, ends)


def plan_of(plan: list[tuple[float, float]], widest: float) -> list[tuple[float, float]]:
    return [(x + widest - plan[2][0], y) for x, y in plan]


def width_of(plan: list[tuple[float, float]]) -> float:
    return plan[2][0] - plan[0][0]


def in_the_world(scene: Scene) -> np.ndarray:
    c, s = np.cos(scene.angle), np.sin(scene.angle)
    return np.array([[c, -s], [s, c]]) @ scene.ground


def problem_of(scene: Scene) -> carom.Problem:
    buildings = [
        as_carom(told, damping_ratio=ratio, name=name)
        for told, ratio, name in zip((scene.left, scene.right), scene.ratios, ("left", "right"), strict=True)
    ]
    options: dict[str, Any] = {"tension": scene.law.tension, "stiffness": scene.law.stiffness}
    if scene.law.restitution is not None:
        options["restitution"] = scene.law.restitution
    law = carom.law(scene.law.name, **options)
    motion = {axis: carom.Motion(row, DT) for axis, row in zip("xy", in_the_world(scene), strict=True)}
    return carom.Problem(buildings, [carom.facing("left", "right", gap=scene.gaps, law=law)], motion=motion)


def system_of(scene: Scene) -> System:
    """The judge's own: K column by column, contacts by how rigid slabs move, no line of the package."""
    buildings = (scene.left, scene.right)
    sizes = [3 * len(told.masses) for told in buildings]
    total, split = sum(sizes), sizes[0]
    k, c, inverse = np.zeros((total, total)), np.zeros((total, total)), np.zeros(total)
    low, high = np.zeros((2, total), dtype=np.int64)
    for told, ratio, at in zip(buildings, scene.ratios, (slice(0, split), slice(split, total)), strict=True):
        m, own = mass_matrix(told), stiffness_matrix(told)
        squares, shapes = linalg.eigh(own, m)
        inverse[at] = 1.0 / np.diag(m)
        k[at, at] = inverse[at, None] * own
        c[at, at] = inverse[at, None] * (m @ shapes @ np.diag(2 * ratio * np.sqrt(squares)) @ shapes.T @ m)
        low[at], high[at] = at.start, at.stop
    across = np.array([np.cos(scene.angle), np.sin(scene.angle)])
    rows = []
    for floor, ends in enumerate(scene.ends):
        for i in range(2):
            row = np.zeros(total)
            for told, at, y, x, sign in (
                (scene.left, 0, ends[0][i], scene.left.plans[floor][2][0], 1.0),
                (scene.right, split, ends[1][i], 0.0, -1.0),
            ):
                n = 3 * len(told.masses)
                for dof, unit in enumerate(np.eye(n)):
                    row[at + dof] = sign * across @ moved(told, unit, floor, (x, y))[:2]
            rows.append(row)
    weights = np.array(rows)
    effective = 1.0 / (weights**2 @ inverse)
    ride = np.zeros((scene.ground.shape[1], total))
    ride[:, 0::3], ride[:, 1::3] = (component[:, None] for component in in_the_world(scene))
    return System(
        low=low, high=high, stiffness=k, damping=c, load=np.zeros(total), mobility=inverse,
        where=np.tile(np.arange(total), (len(rows), 1)), weights=weights, gap=np.tile(scene.gaps, len(scene.ends)),
        laws=np.array([row_of(scene.law, mass) for mass in effective]), start=np.zeros(2 * total), ride=ride,
        frequency=float(np.sqrt(linalg.eigvals(k).real.max())),
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(16))
def test_pounding_against_the_judge(seed: int) -> None:
    """Peaks to 1e-6, times what a change of the gaps by a billionth of the displacements is amplified by."""
    scene = random_scene(seed)
    problem = problem_of(scene)
    system = system_of(scene)
    np.testing.assert_allclose(problem.flat().gap, system.gap)
    verdict = follow(system, DT)
    assert verdict.status == "done"
    other = follow(replace(system, gap=system.gap + SHIFT * verdict.peaks()[0].max()), DT)
    run = carom.simulate(problem, rtol=1e-8)
    dofs = system.mobility.size
    found = outputs_of(run)
    size = run.extremes.shape[0]  # contact points are outputs too, behind the degrees of freedom
    keep = np.concatenate([np.arange(dofs) + kind * size for kind in range(3)] + [np.arange(3 * size, found.size)])
    expected = verdict.running[-1]
    scale = np.concatenate([peaks_of_a_kind(expected, dofs), np.full(system.gap.size, expected[3 * dofs :].max())])
    amplified = np.abs(other.running[-1] - expected) / scale / SHIFT
    assert verdict.impacts.shape[0] == run.impact_count > 0
    np.testing.assert_array_less(np.abs(found[keep] - expected) / scale, 1e-6 * np.maximum(1.0, amplified))


def peaks_of_a_kind(expected: np.ndarray, dofs: int) -> np.ndarray:
    """The largest |u|, |u̇| and |acceleration| of translations, and of rotations, one for each degree of freedom."""
    peaks = expected[: 3 * dofs].reshape(3, dofs // 3, 3)
    sizes = np.empty_like(peaks)
    sizes[:, :, :2] = peaks[:, :, :2].max(axis=(1, 2))[:, None, None]
    sizes[:, :, 2] = peaks[:, :, 2].max(axis=1)[:, None]
    return sizes.ravel()


@pytest.mark.parametrize("seed", range(20, 28))
def test_a_scene_turned_by_any_angle_has_the_same_forces(seed: int) -> None:
    scene = random_scene(seed)
    one = carom.simulate(problem_of(scene))
    for more in (0.4, -1.9, np.pi / 2, 3.0):
        c, s = np.cos(more), np.sin(more)
        turned = [
            told._replace(
                angle=told.angle + more,
                origin=(c * told.origin[0] - s * told.origin[1], s * told.origin[0] + c * told.origin[1]),
            )
            for told in (scene.left, scene.right)
        ]
        other = carom.simulate(problem_of(scene._replace(left=turned[0], right=turned[1], angle=scene.angle + more)))
        assert other.impact_count == one.impact_count > 0
        for column in ("start", "peak_force", "impulse"):
            largest = np.abs(one.table[column]).max()
            np.testing.assert_allclose(other.table[column], one.table[column], rtol=0, atol=1e-9 * largest)


def symmetric(name: str, *, factor: float = 1.0, **more: Any) -> carom.TorsionalBuilding:
    given: dict[str, Any] = {
        "masses": [2e5, 1.5e5, 1e5], "stiffnesses_x": 2e8 * factor, "stiffnesses_y": 1.5e8, "width": 10.0,
        "torsional_stiffnesses": 5e9, "depth": 14.0, "damping_ratio": 0.03, "name": name,
    }  # fmt: skip
    return carom.TorsionalBuilding(**given | more)


def shaken_along_x(left: Any, right: Any, contacts: Any) -> Any:
    motion = carom.motions.get("default").scaled(pga=4.0)
    return carom.simulate(carom.Problem([left, right], contacts, motion=motion), duration=8.0)


@pytest.mark.parametrize("depth", [14.0, 9.0])
def test_symmetric_buildings_do_not_turn_and_are_plane_ones(depth: float) -> None:
    """Two corners push as one contact of twice the stiffness does, and push equally to rounding."""
    left = symmetric("left")
    right = symmetric("right", factor=2.5, depth=depth, origin=(10.02, 0.5 * (14.0 - depth)))
    plane = [
        carom.ShearBuilding(masses=one.masses, stiffnesses=one.stiffnesses_x, name=one.name, damping_ratio=modal)
        for one, modal in ((left, 0.03), (right, 0.03))
    ]
    half, whole = (carom.law("linear", stiffness=k) for k in (2e8, 4e8))
    run = shaken_along_x(left, right, [carom.facing("left", "right", gap="2 cm", law=half)])
    flat = shaken_along_x(*plane, [carom.facing("left", "right", gap="2 cm", law=whole)])
    assert flat.impact_count > 3
    assert run.impact_count == 2 * flat.impact_count
    dofs = np.arange(18)
    along_x = dofs[dofs % 3 == 0]
    still = dofs[dofs % 3 != 0]
    largest = np.abs(flat.displacement).max()
    assert np.abs(run.displacement[:, still]).max() < 1e-11 * largest
    np.testing.assert_allclose(run.displacement[:, along_x], flat.displacement, rtol=0, atol=2e-6 * largest)


def test_unequal_gaps_turn_what_is_symmetric() -> None:
    left, right = symmetric("left"), symmetric("right", factor=2.5, origin=(10.02, 0.0))
    law = carom.law("hertzdamp", stiffness=1e9, restitution=0.6)
    run = shaken_along_x(left, right, [carom.facing("left", "right", gap=("2 cm", "3 cm"), law=law)])
    turning = np.abs(run.displacement[:, 2:18:3]).max(axis=1)
    assert turning.max() > 1e-5
    assert turning[run.time <= run.table["start"][0]].max() == 0.0
    first = run.contacts[int(run.table["contact"][0])]
    assert "se | " in first


@pytest.mark.parametrize("vary", ["accidental_x", "accidental_y", "angle"])
def test_what_moves_places_is_varied_run_by_run(vary: str) -> None:
    """Corner gaps one by one, and fields that move the contact points: ensembles and single runs agree."""
    left, right = symmetric("left"), symmetric("right", factor=2.5, origin=(10.02, 0.0))
    law = carom.law("hertzdamp", stiffness=1e9, restitution=0.6)
    motion = carom.motions.get("default").scaled(pga=4.0)
    contacts = [carom.facing("left", "right", gap=("2 cm", "3 cm"), law=law)]
    problem = carom.Problem([left, right], contacts, motion=motion)
    labels = problem.flat().contact_labels
    assert labels[:2] == ("left floor 1 se | right floor 1 sw", "left floor 1 ne | right floor 1 nw")
    values, gaps = np.array([0.0, 0.04]), np.array([0.01, 0.025])
    many = carom.ensemble(
        problem, vary={f"left.{vary}": values, f"gap:{labels[-1]}": gaps}, duration=6.0, rtol=1e-8
    ).dataset
    for i, value in enumerate(values.tolist()):
        for j, gap in enumerate(gaps.tolist()):
            again = carom.facing("left", "right", gap=(0.02, 0.03, 0.02, 0.03, 0.02, gap), law=law)
            changed = problem.replace(structures=[left.replace(**{vary: value}), right], contacts=[again])
            one = carom.simulate(changed, duration=6.0, rtol=1e-8)
            assert one.impact_count == many.impacts.values[i, j] > 0
            assert many.peak_force.values[i, j] == pytest.approx(one.table["peak_force"].max(), rel=1e-5)


def test_many_masses_as_arrays() -> None:
    left, right = symmetric("left", accidental_y=0.05), symmetric("right", factor=2.5, origin=(10.02, 0.0))
    law = carom.law("hertzdamp", stiffness=1e9, restitution=0.6)
    motion = carom.motions.get("default").scaled(pga=4.0)
    problem = carom.Problem([left, right], [carom.facing("left", "right", gap=0.02, law=law)], motion=motion)
    values = [1e9, 5e9, 2e10]
    many = carom.ensemble(problem, vary={"left.torsional_stiffnesses": values}, duration=6.0, rtol=1e-8).dataset
    for i, value in enumerate(values):
        one = carom.simulate(
            problem.replace(structures=[left.replace(torsional_stiffnesses=value), right]), duration=6.0, rtol=1e-8
        )
        assert many.peak_force.values[i] == pytest.approx(one.table["peak_force"].max(), rel=1e-5)


def test_a_wall_and_a_plane_neighbour_meet_both_corners() -> None:
    law = carom.law("hertz", stiffness=1e9)
    tower, wall = symmetric("tower", origin=(0.05, 0.0)), carom.Wall(name="wall")
    plane = carom.ShearBuilding(masses=[1e5] * 3, stiffnesses=1e8, name="plane")
    ways = {("wall", "tower"): "sw", ("tower", "wall"): "se", ("plane", "tower"): "sw", ("tower", "plane"): "se"}
    for (a, b), corner in ways.items():
        problem = carom.Problem([tower, wall, plane], [carom.facing(a, b, gap=0.01, law=law)])
        assert len(problem.pairs) == 6
        side = problem.pairs[0].a if a == "tower" else problem.pairs[0].b
        assert side == ("tower", (1, corner), "x")
        np.testing.assert_allclose(np.abs(problem.flat().reach).max(axis=1) > 0, True)
