"""Structures in space as pictures see them: points follow the results, and stand beside each other as gaps say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import carom
from carom.plots.space.layout import Layout
from carom.results import Pounding
from carom.scenario import default_scenario, read_scenario
from carom.studies.single.assess import study_pounding
from carom.studies.single.forms import with_drawn
from carom.studies.single.scene import scene_of
from tests.scenario.spatial import SOUND

LAW = carom.law("kelvin-voigt", stiffness=5e8, restitution=0.6)


def building(name: str, chance: np.random.Generator, **more: object) -> carom.TorsionalBuilding:
    width, depth = chance.uniform(8.0, 20.0, 2)
    masses = [2e5 if name != "east" else 4e5] * 2
    return carom.TorsionalBuilding(
        masses=masses, stiffnesses_x=3e8, stiffnesses_y=2.5e8, torsional_stiffnesses=2e10, width=width, depth=depth,
        centres_of_mass=tuple(chance.uniform(0.4, 0.6, 2) * (width, depth)), heights=3.0, damping_ratio=0.05, name=name,
        **more,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_corners_turn_with_their_slabs(seed: int) -> None:
    """A corner is where a rigid slab takes it: its centre's displacement, and the turning times the arm."""
    chance = np.random.default_rng(seed)
    angle = float(chance.uniform(-3.0, 3.0))
    one = building("one", chance, angle=angle, origin=tuple(chance.uniform(-9.0, 9.0, 2)))
    problem = carom.Problem([one], motion={"x": carom.motions.get("default"), "y": carom.motions.get("default")})
    (standing,) = scene_of(problem).standings
    form = standing.form
    assert form is not None
    u = chance.normal(size=6)
    moved = form.rows @ u[list(form.outputs)]
    for floor, level in enumerate(form.levels):
        x, y, turn = u[3 * floor : 3 * floor + 3]
        centre = form.positions[level.centre]
        corners = form.positions[list(level.corners)]
        outline = [[*at, 3.0 * (floor + 1)] for at in one.outline(floor + 1)]
        np.testing.assert_allclose(np.sort(corners, axis=0), np.sort(outline, axis=0))
        arms = corners - centre
        expected = np.stack([x - turn * arms[:, 1], y + turn * arms[:, 0], 0.0 * arms[:, 0]], axis=1)
        np.testing.assert_allclose(moved[list(level.corners)], expected, atol=1e-12)
        assert level.turning @ u == pytest.approx(turn)
    assert sum(len(level.corners) == 4 for level in form.levels) == 2


@pytest.mark.parametrize("seed", range(4))
def test_a_frame_s_slab_turns_as_one(seed: int) -> None:
    chance = np.random.default_rng(seed)
    frame = carom.Frame.moment_frame(
        storeys=[3.0, 3.0], bays=chance.uniform(4.0, 8.0, 2), rows=[5.0], columns=carom.Section.rectangle(0.4, 0.4),
        beams=carom.Section.rectangle(0.3, 0.5), material=carom.Material.concrete(), slab=600.0, name="frame",
    )  # fmt: skip
    form = scene_of(carom.Problem([frame], motion=carom.motions.get("default"))).standings[0].form
    assert form is not None
    u = chance.normal(size=len(frame.dof_names))
    for level in form.levels:
        x, y, turn = (u[frame.dof_names.index(f"{level.name} {way}")] for way in ("ux", "uy", "rz"))
        arms = form.positions[list(level.corners)] - form.positions[level.centre]
        moved = form.rows[list(level.corners)] @ u
        np.testing.assert_allclose(moved[:, 0], x - turn * arms[:, 1], atol=1e-9)
        np.testing.assert_allclose(moved[:, 1], y + turn * arms[:, 0], atol=1e-9)
        assert level.turning @ u == pytest.approx(turn)


def slope(frame: carom.Structure) -> carom.Problem:
    return carom.Problem([frame], motion=carom.motions.get("default"))


def test_points_of_matrices_make_levels() -> None:
    """Two points of a slab at one height tell its rotation, where it turns."""
    slab = carom.Structure(
        [1.0, 1.0, 1.0], np.eye(3), dofs=["ux", "uy", "rz"], influence=[[1, 0, 0], [0, 1, 0], [0, 0, 0]], name="slab",
        points={
            "a": carom.Point((3, 2, 4), x={"ux": 1, "rz": -2}, y={"uy": 1, "rz": 3}),
            "b": carom.Point((-1, -2, 4), x={"ux": 1, "rz": 2}, y={"uy": 1, "rz": -1}),
        },
    )  # fmt: skip
    form = scene_of(slope(slab)).standings[0].form
    assert form is not None
    (level,) = form.levels
    np.testing.assert_allclose(level.turning, [0.0, 0.0, 1.0], atol=1e-15)
    np.testing.assert_allclose(form.rows[level.centre][:2], [[1, 0, 0], [0, 1, 1]], atol=1e-15)  # centre at (1, 0)
    assert form.positions[level.centre].tolist() == [1.0, 0.0, 4.0]


@pytest.mark.parametrize("kind", SOUND)
def test_gaps_are_drawn_as_they_are_stated(kind: str, tmp_path: Path) -> None:
    """On the mean over the contacts of two structures, their sides stand their gap apart along its direction."""
    path = tmp_path / "s.toml"
    path.write_text(SOUND[kind][0], encoding="utf-8")
    scene = scene_of(with_drawn(read_scenario(path).problem))
    assert scene.in_space
    misses: dict[tuple[int, int], list[float]] = {}
    for touch in scene.touches:
        if touch.left != touch.right:
            forms = [scene.standings[i].form for i in (touch.left, touch.right)]
            left, right = (form.positions[at] for form, at in zip(forms, touch.points, strict=True))
            misses.setdefault((touch.left, touch.right), []).append((right - left) @ touch.normal - touch.gap)
    assert misses
    for miss in misses.values():
        assert np.mean(miss) == pytest.approx(0.0, abs=1e-9)


def pounded(**gaps: float) -> Pounding:
    chance = np.random.default_rng(3)
    west = building("west", chance)
    east = building("east", chance, origin=(west.width[0] + 0.02, 0.0))
    contact = carom.facing("west", "east", gap=[gaps["south"], gaps["north"]], law=LAW)
    motion = carom.motions.get("default").scaled(pga="1 g").trimmed(end=6.0)
    return study_pounding(carom.Problem([west, east], contact, motion={"x": motion, "y": motion}), checks=False)


def test_unequal_gaps_are_enlarged_alike() -> None:
    result = pounded(south=0.01, north=0.025)
    assert result.pounds
    layout = Layout(result, swaying=True)
    for c, touch in enumerate(result.scene.touches):
        left, right = layout.meeting(result.scene, c)
        assert (right - left) @ touch.normal == pytest.approx(layout.amplification * touch.gap, rel=0.02)


def test_spectra_at_corners_are_those_of_the_corners() -> None:
    """The spectrum of a corner is that of an output at the corner, kept by itself."""
    result = pounded(south=0.01, north=0.025)
    chance = np.random.default_rng(3)
    west = building("west", chance)
    east = building("east", chance, origin=(west.width[0] + 0.02, 0.0))
    one = result.slab_spectra[0]
    level = one.level + 1
    motion = carom.motions.get("default").scaled(pga="1 g").trimmed(end=6.0)
    problem = carom.Problem(
        [west, east], carom.facing("west", "east", gap=[0.01, 0.025], law=LAW), motion={"x": motion, "y": motion},
        outputs=[("west", (level, "ne"), "x")],
    )  # fmt: skip
    run = carom.simulate(problem)
    label = next(name for name in run.dofs if "ne" in name)
    acceleration = run.history.acceleration.sel(dof=label).values
    spectrum = carom.motions.response_spectrum(
        carom.Motion(acceleration, dt=float(run.time[1] - run.time[0])), one.spectra.periods, one.spectra.damping
    )
    row = next(k for k, name in enumerate(one.names) if "ne" in name)
    np.testing.assert_allclose(one.spectra.psa[row], np.ravel(spectrum.psa), rtol=1e-6)
    assert one.names[0] == "centre"


def test_a_scene_along_x_has_no_forms() -> None:
    assert all(one.form is None for one in scene_of(default_scenario().problem).standings)
    assert with_drawn(default_scenario().problem) is not None


def test_large_frames_keep_their_slabs_and_modes() -> None:
    """Of more than a hundred degrees of freedom those of the slabs are kept, and modes, by which pictures move."""
    frame = carom.Frame.moment_frame(
        storeys=[3.0] * 6, bays=[5.0] * 2, rows=[5.0], columns=carom.Section.rectangle(0.4, 0.4),
        beams=carom.Section.rectangle(0.3, 0.5), material=carom.Material.concrete(), slab=600.0, name="tower",
    )  # fmt: skip
    problem = with_drawn(slope(frame))
    kept = set(problem.flat().output_labels)
    slabs = {f"tower floor {floor} {way}" for floor in range(1, 7) for way in ("ux", "uy", "rz")}
    shears = {f"tower shear 1 along {way}" for way in "xy"}  # for the report
    assert kept == slabs | shears | {f"tower mode {k}" for k in range(1, 41)}
