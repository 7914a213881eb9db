"""How structures are drawn: lines of models, modes as places, members bent and with their forces."""

from __future__ import annotations

import numpy as np
import pytest

import carom
from carom.structures.drawing.wireframe import Wireframe


def table(**more: object) -> carom.Structure:
    """A slab on two columns, two nodes."""
    points = {
        "left": carom.Point((0, 0, 4), x="ux", z={"rz": 1.0}),
        "right": carom.Point((5, 0, 4), x="ux", y={"rz": 5.0}),
    }
    return carom.Structure([2e4, 3e5], np.diag([8e6, 9e7]), dofs=["ux", "rz"], points=points, name="table", **more)


def test_lines_join_points_and_what_stands_still() -> None:
    one = table(lines=[("left", "right"), ((0, 0, 0), "left"), ([5, 0, 0], (5, 0, 4))])
    frame = one.wireframe()
    assert isinstance(frame, Wireframe)
    told = [tuple(frame.names[end] for end in edge) for edge in frame.edges]
    assert told[0] == ("left", "right")
    assert told[1][1] == "left"
    assert told[2][1] == "right"  # by its coordinates
    for still in (told[1][0], told[2][0]):
        at = frame.names.index(still)
        assert frame.positions[at][2] == 0.0
        assert not frame.rows[at].any()
    assert len(table().wireframe().edges) == 2  # uprights, without lines


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("left", "must be pairs of points by name, or of coordinates"),
        ([("left", "middle")], "middle"),
        ([("left",)], "must be pairs"),
        ([((0, 0), "left")], "three coordinates"),
    ],
)
def test_lines_that_are_none(lines: object, words: str) -> None:
    with pytest.raises(carom.CaromError, match=words):
        table(lines=lines)


def test_lines_survive_a_file(tmp_path) -> None:
    one = table(lines=[("left", "right"), ((0, 0, 0), "left")])
    carom.save_matrices(one, tmp_path / "table.npz")
    assert carom.read_matrices(tmp_path / "table.npz").wireframe().edges == one.wireframe().edges


def test_a_mode_is_a_place() -> None:
    """r·φ is 1 for its own mode and 0 for all others; histories of it are the mode's."""
    tower = carom.ShearBuilding(masses=[2e5] * 4, stiffnesses=3e8, damping_ratio=0.05, name="tower")
    shapes = tower.modes().shapes
    for k in range(4):
        shown = tower.row(f"mode {k + 1}") @ shapes
        assert np.delete(shown, k) == pytest.approx(0.0, abs=1e-9 * abs(shown[k]))
        assert abs(tower.lowest_modes.shapes[:, k]).max() == 1.0
    with pytest.raises(carom.CaromError, match="must be one of its first 4 modes"):
        tower.row("mode 5")
    motion = carom.motions.get("default").trimmed(1.0, 3.0)
    run = carom.simulate(carom.Problem([tower], motion=motion, outputs=[("tower", f"mode {k}") for k in range(1, 5)]))
    assert run.dofs[4:] == tuple(f"tower mode {k}" for k in range(1, 5))
    whole = run.displacement[:, 4:] @ tower.lowest_modes.shapes.T
    assert whole == pytest.approx(run.displacement[:, :4], abs=1e-12)


def test_lowest_modes_of_a_large_structure_are_those_of_all(monkeypatch) -> None:
    tower = carom.ShearBuilding(masses=[2e5] * 60, stiffnesses=3e8, damping_ratio=0.05, name="tower")
    omega, shapes = tower.lowest_modes
    monkeypatch.setattr("carom.structures.base.MOST_DENSE", 10)
    again = tower.replace(name="same")
    assert again.large
    assert again.lowest_modes.omega == pytest.approx(omega, rel=1e-8)
    assert np.abs(again.lowest_modes.shapes) == pytest.approx(np.abs(shapes), abs=1e-6)


def frame() -> carom.Frame:
    return carom.Frame.moment_frame(
        storeys=["3 m"] * 2, bays=["5 m"], rows=["4 m"], columns=carom.Section.rectangle(0.4, 0.4),
        beams=carom.Section.rectangle(0.3, 0.5), material=carom.Material.concrete(), slab="500 kg/m^2",
        damping_ratio=0.05, name="frame",
    )  # fmt: skip


def test_members_bend_and_know_their_forces() -> None:
    """Points of a member lie where `wires` has them, and forces are those of `member_force`."""
    one = frame()
    drawn = one.wireframe()
    u = np.random.default_rng(4).normal(size=len(one.dof_names)) * 1e-3
    moved = drawn.positions + drawn.rows @ u
    shifts = dict(zip(one.nodes, (one._motions @ u).reshape(-1, 6), strict=True))
    wires = one.wires(shifts, parts=4)
    for k, member in enumerate(one.members):
        a, b = drawn.edges[k]
        assert moved[[a, *drawn.bends[k], b]] == pytest.approx(wires[member.name], abs=1e-12)
        rows = drawn.forces.rows[k] @ u
        name = member.name
        expected = [one.member_force(name, "n", "end") @ u]
        expected += [one.member_force(name, force, "start") @ u for force in ("vy", "vz", "my", "mz")]
        expected += [one.member_force(name, force, "end") @ u for force in ("my", "mz")]
        assert rows == pytest.approx(expected)


def test_imported_models_are_drawn_by_their_elements() -> None:
    ops = pytest.importorskip("openseespy.opensees", reason="openseespy is not installed", exc_type=ImportError)
    from tests.models.opensees_models import diaphragms

    ops.wipe()
    diaphragms(ops, np.random.default_rng(12))
    found = carom.from_opensees(ops, name="tower")
    drawn = found.wireframe()
    elements = {frozenset(int(n) for n in ops.eleNodes(tag)) for tag in ops.getEleTags()}
    places = {tuple(np.round(ops.nodeCoord(tag), 6).tolist()): tag for tag in ops.getNodeTags() if tag % 10 < 9}
    told = {
        frozenset(places[tuple(np.round(drawn.positions[end], 6).tolist())] for end in edge) for edge in drawn.edges
    }
    ops.wipe()
    assert told == elements
