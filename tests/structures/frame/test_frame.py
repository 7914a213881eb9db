"""Frames as structures: releases, arms, slabs, condensation, places, outputs, contact, refusals."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import carom
from carom.structures.frame.assembly import centre_of

STEEL = carom.Material.steel()
COLUMN, BEAM = carom.Section.steel("HEA 140"), carom.Section.steel("IPE 240")


def portal(name: str = "portal", x: float = 0.0, **changes: Any) -> carom.Frame:
    """One storey, one bay, in the x-z plane, with a heavy beam."""
    given: dict[str, Any] = {
        "nodes": {"a": (x, 0, 0), "b": (x, 0, 3), "c": (x + 4, 0, 3), "d": (x + 4, 0, 0)},
        "members": [
            carom.Member("a", "b", COLUMN, STEEL, name="left"),
            carom.Member("d", "c", COLUMN, STEEL, name="right"),
            carom.Member("b", "c", BEAM, STEEL, name="beam"),
        ],
        "supports": {"a": "fixed", "d": "fixed"},
        "masses": {"b": "2 t", "c": "2 t"},
        "plane": "xz",
        "damping_ratio": 0.02,
        "name": name,
    }
    return carom.Frame(**(given | changes))


CORNERS = {"sw": (0, 0), "se": (5, 0), "ne": (5, 4), "nw": (0, 4)}
ROOF = carom.Diaphragm("roof", tuple(f"{name}1" for name in CORNERS), mass=8e3, radius=2.0)


def slab_frame(**changes: Any) -> carom.Frame:
    """Four columns under a rigid slab, in space."""
    nodes = {f"{name}{level}": (*xy, 3.0 * level) for name, xy in CORNERS.items() for level in (0, 1)}
    given: dict[str, Any] = {
        "nodes": nodes,
        "members": [carom.Member(f"{name}0", f"{name}1", COLUMN, STEEL, name=f"column-{name}") for name in CORNERS],
        "supports": {f"{name}0": "fixed" for name in CORNERS},
        "diaphragms": [ROOF],
        "damping_ratio": 0.02,
        "name": "shed",
    }
    return carom.Frame(**(given | changes))


def test_stiff_beams_make_a_shear_building() -> None:
    """Columns clamped at both ends: 12EI/L³ each."""
    beam = carom.Section(1e3, 1e3, 1e3, 1e3)
    members = [
        carom.Member("a", "b", COLUMN, STEEL.replace(density=0.0)),
        carom.Member("d", "c", COLUMN, STEEL.replace(density=0.0)),
        carom.Member("b", "c", beam, STEEL.replace(density=0.0)),
    ]
    held = {"a": "fixed", "d": "fixed", "b": "uz", "c": "uz"}
    frame = portal(members=members, masses={"b": (1e3, 0, 0), "c": (1e3, 0, 0)}, supports=held)
    stiffness = 2.0 * 12.0 * STEEL.young * COLUMN.inertia_y / 3.0**3
    assert frame.frequencies[0] == pytest.approx(np.sqrt(stiffness / 2e3) / (2.0 * np.pi), rel=1e-6)


def test_what_has_no_mass_is_condensed_exactly() -> None:
    """Lumped masses leave rotations without any: the same as with tiny inertias, and as statics says."""
    exact = portal(lumped=True)
    assert exact.dof_names == ("b ux", "b uz", "c ux", "c uz")
    tiny = portal(lumped=True, masses={"b": [2e3] * 3 + [1e-6] * 3, "c": [2e3] * 3 + [1e-6] * 3})
    np.testing.assert_allclose(exact.frequencies, tiny.frequencies[:4], rtol=1e-8)
    push = {"b": (1e3, 0, 0)}
    moved = np.linalg.solve(exact.stiffness_matrix, [1e3, 0, 0, 0])
    assert exact.static(push).displacements["b"][0] == pytest.approx(moved[0], rel=1e-10)


def test_a_released_column_carries_no_moment_there() -> None:
    hinged = portal(members=[
        carom.Member("a", "b", COLUMN, STEEL, name="left", released="start ry"),
        carom.Member("d", "c", COLUMN, STEEL, name="right", released="start ry"),
        carom.Member("b", "c", BEAM, STEEL, name="beam"),
    ])  # fmt: skip
    pinned = portal(supports={"a": "pinned", "d": "pinned"})
    assert hinged.frequencies[0] == pytest.approx(pinned.frequencies[0], rel=1e-5)  # mass there follows by statics
    rest = hinged.static({"b": (1e4, 0, 0)})
    assert rest.reactions["a"][4] == pytest.approx(0.0, abs=1e-9)
    assert rest.reactions["a"][0] + rest.reactions["d"][0] == pytest.approx(-1e4, rel=1e-10)
    assert rest.displacements["b"][0] == pytest.approx(
        pinned.static({"b": (1e4, 0, 0)}).displacements["b"][0], rel=1e-9
    )


def test_rigid_offsets_shorten_members() -> None:
    """A cantilever of which the first metre is rigid bends as one that begins there."""
    nodes = {"a": (0, 0, 0), "b": (3, 0, 0)}
    arm = carom.Frame(
        nodes=nodes, members=[carom.Member("a", "b", BEAM, STEEL, offsets=((1, 0, 0), None))],
        supports={"a": "fixed"}, plane="xz",
    ).static({"b": (0, 0, 1e3)})  # fmt: skip
    short = 1e3 * 2.0**3 / (3.0 * STEEL.young * BEAM.inertia_y)
    assert arm.displacements["b"][2] == pytest.approx(short, rel=1e-12)
    assert arm.reactions["a"][4] == pytest.approx(3e3, rel=1e-12)


def test_a_slab_moves_as_one() -> None:
    frame = slab_frame()
    assert frame.dof_names[-3:] == ("roof ux", "roof uy", "roof rz")
    np.testing.assert_allclose(centre_of(frame.diaphragms[0], frame.nodes), (2.5, 2.0))
    u = np.zeros(len(frame.dof_names))
    u[-3:] = 0.01, 0.02, 0.003
    for place, (x, y) in {"ne1": (2.5, 2.0), ("roof", (5, 4)): (2.5, 2.0), ("roof", (2.5, 0.0)): (0.0, -2.0)}.items():
        moved = frame.location(place).rows @ u
        np.testing.assert_allclose(moved[:2], [0.01 - y * 0.003, 0.02 + x * 0.003], rtol=1e-12)


def test_symmetric_slab_turns_by_itself() -> None:
    """Translation and torsion do not mix, and the torsional stiffness is that of the columns about the centre."""
    frame = slab_frame(lumped=True, diaphragms=[replace(ROOF, upright=False)], members=[
        carom.Member(f"{n}0", f"{n}1", COLUMN, STEEL.replace(density=0.0), name=f"column-{n}")
        for n in ("sw", "se", "ne", "nw")
    ])  # fmt: skip
    assert frame.dof_names == ("roof ux", "roof uy", "roof rz")
    k = frame.stiffness_matrix
    across = np.abs(k - np.diag(np.diag(k))).max()
    assert across <= 1e-9 * k.max()
    # the tops may turn freely here: 3EI/L³ each
    one_x, one_y = (3.0 * STEEL.young * i / 27.0 for i in (COLUMN.inertia_y, COLUMN.inertia_z))
    twist = STEEL.shear * COLUMN.torsion / 3.0
    np.testing.assert_allclose(
        np.diag(k), [4 * one_x, 4 * one_y, 4 * (one_x * 2.0**2 + one_y * 2.5**2 + twist)], rtol=1e-9
    )


def test_effective_masses_add_up() -> None:
    """Slab and columns along x and y; the slab vertically only where it is said to weigh on its nodes."""
    mass = 8e3 + 4 * 0.5 * STEEL.density * COLUMN.area * 3.0
    for upright, less in ((True, 0.0), (False, 8e3)):
        frame = slab_frame(lumped=True, diaphragms=[replace(ROOF, upright=upright)])
        np.testing.assert_allclose(frame.effective_masses.sum(axis=0), [mass, mass, mass - less], rtol=1e-9)


def test_a_point_between_nodes_follows_the_beam() -> None:
    """The middle of a clamped beam under a load in its middle, cut there or not."""
    nodes = {"a": (0, 0, 0), "b": (2, 0, 0), "c": (4, 0, 0)}
    whole = carom.Frame(
        nodes=nodes, members=[carom.Member("a", "b", BEAM, STEEL), carom.Member("b", "c", BEAM, STEEL)],
        supports={"a": "fixed", "c": "pinned"}, plane="xz",
    )  # fmt: skip
    u = whole.static({"b": (0, 0, -1e3)})
    finer = carom.Frame(
        nodes=nodes | {"m": (1, 0, 0)},
        members=[carom.Member(*ends, BEAM, STEEL) for ends in (("a", "m"), ("m", "b"), ("b", "c"))],
        supports={"a": "fixed", "c": "pinned"}, plane="xz",
    ).static({"b": (0, 0, -1e3)})  # fmt: skip
    state = np.array([u.displacements[name.split()[0]][["ux", "uy", "uz", "rx", "ry", "rz"].index(name.split()[1])]
                      for name in whole.dof_names])  # fmt: skip
    middle = whole.location(("a-b", 0.5))
    assert middle.position == pytest.approx((1.0, 0.0, 0.0))
    assert middle.rows[2] @ state == pytest.approx(finer.displacements["m"][2], rel=1e-10)
    moment = whole.member_force("a-b", "my") @ state
    assert moment == pytest.approx(u.reactions["a"][4], rel=1e-10)


def test_frames_pound() -> None:
    """Two portals at their beams' level, and a column struck between floors; forces as outputs, energy closes."""
    left, right = portal("left"), portal("right", x=4.05, masses={"b": "5 t", "c": "5 t"})
    left = left.replace(outputs={"base moment": ("left", "my", "start"), "roof": ("b ux")})
    law = carom.law("kelvin-voigt", stiffness="50 MN/m", restitution=0.6)
    problem = carom.Problem(
        [left, right],
        [
            carom.Contact(("left", "c", "x"), ("right", "b", "x"), gap="1 cm", law=law),
            carom.Contact(("left", ("right", 0.5), "x"), ("right", ("left", 0.5), "x"), gap="1 cm", law=law),
        ],
        motion=carom.motions.get("default"),
    )
    run = carom.simulate(problem)
    assert run.impact_count > 0
    assert float(np.abs(run.energy.residual).max()) < 1e-5 * float(run.energy.input.max())
    bent = run.history.displacement.sel(dof="left base moment")
    assert float(np.abs(bent).max()) > 1e3


def test_copies_are_equal() -> None:
    frame = slab_frame()
    assert pickle.loads(pickle.dumps(frame)) == frame
    assert frame.replace(name="other") != frame
    np.testing.assert_array_equal(frame.replace(name="other").frequencies, frame.frequencies)


SECTION = carom.Section(1e-2, 1e-4, 1e-4, 1e-4)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"supports": {}}, "mechanism.*ux"),
        ({"supports": {"a": "fixed", "x": "fixed"}}, "'x'"),
        ({"nodes": {"a": (0, 0, 0), "b": (0, 0, 3), "c": (4, 0, 3), "d": (0, 0, 0)}}, "two nodes at one place"),
        ({"nodes": {"a": (0, 0, 0), "b": (0, 0, 3), "c": (4, 0, 3), "d": (4, 0, 0), "e": (9, 0, 0)}}, "'e'.*nothing"),
        ({"masses": {"b": -1.0}}, "must not be negative"),
        ({"masses": {}, "members": [carom.Member("a", "b", SECTION, STEEL.replace(density=0.0))],
          "nodes": {"a": (0, 0, 0), "b": (0, 0, 3)}, "supports": {"a": "fixed"}}, "no mass"),
        ({"members": [carom.Member("a", "b", COLUMN, STEEL, name="left", released=("end ry", "start ry")),
                      carom.Member("d", "c", COLUMN, STEEL, name="right", released=("end ry", "start ry")),
                      carom.Member("b", "c", BEAM, STEEL, name="beam")]}, "mechanism.*'b ux'"),
        ({"members": [carom.Member("a", "b", COLUMN, STEEL, name="left", released="end ry"),
                      carom.Member("d", "c", COLUMN, STEEL, name="right"),
                      carom.Member("b", "c", BEAM, STEEL, name="beam", released="start ry")]}, "mechanism.*'b ry'"),
        ({"plane": "yx"}, "xz"),
        ({"supports": {"a": "clamped"}}, "fixed"),
        ({"loads": {"b": 5.0}}, "three numbers"),
    ],
)  # fmt: skip
def test_refusals(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(carom.InputError, match=told):
        portal(**changes)


def test_refused_members() -> None:
    with pytest.raises(carom.InputError, match="area"):
        carom.Section(-1.0, 1.0, 1.0, 1.0)
    with pytest.raises(carom.InputError, match="pretension"):
        carom.Member("a", "b", COLUMN, STEEL, kind="cable")
    with pytest.raises(carom.InputError, match="another node"):
        carom.Member("a", "a", COLUMN, STEEL)
    with pytest.raises(carom.InputError, match="start ry"):
        carom.Member("a", "b", COLUMN, STEEL, released="top")
    slab = slab_frame()
    with pytest.raises(carom.InputError, match="circle"):
        slab.replace(links=[carom.Link("sw1", "se1"), carom.Link("se1", "sw1")], diaphragms=[])
    with pytest.raises(carom.InputError, match=r"\[0, 1\]"):
        portal().location(("left", 1.5))
    with pytest.raises(carom.InputError, match="my"):
        portal().member_force("left", "m")


def test_drifts_and_nodes_of_slabs_are_outputs() -> None:
    """Any displacement of any node has its name; a drift is a difference of two."""
    frame = carom.Frame.moment_frame(
        storeys=["3 m"] * 3, bays=["5 m"], rows=["4 m"], columns=COLUMN, beams=BEAM, material=STEEL, slab="500 kg/m^2",
        outputs={"drift 2": {"1-1-2 ux": 1, "1-1-1 ux": -1}, "corner": "1-1-3"}, name="tower",
    )  # fmt: skip
    moved = frame.mode_displacements(3)
    shape = frame.modes().shapes[:, 2]
    assert frame.outputs["drift 2"] @ shape == pytest.approx(moved["1-1-2"][0] - moved["1-1-1"][0], rel=1e-12)
    assert frame.outputs["corner y"] @ shape == pytest.approx(moved["1-1-3"][1], rel=1e-12)
    reading = frame.read("1-1-2 uy")
    assert reading.share == pytest.approx((0.0, 1.0, 0.0))
    assert reading.row @ shape == pytest.approx(moved["1-1-2"][1], rel=1e-12)


def test_what_has_no_mass_is_no_output_that_lacks_the_ground() -> None:
    """A stiff mast moves as the ground does, all of it; a node without mass in its middle would read a third."""
    stiff = carom.Section.rectangle(1.0, 1.0)
    nodes = {"a": (0, 0, 0), "m": (0, 0, 1.5), "b": (0, 0, 3)}
    weightless = STEEL.replace(density=0.0)

    def mast(**changes: Any) -> carom.Frame:
        given: dict[str, Any] = {"masses": {"b": 1e3}, "outputs": ["b", "m"]}
        return carom.Frame(
            nodes=nodes, members=[carom.Member(*ends, stiff, weightless) for ends in (("a", "m"), ("m", "b"))],
            supports={"a": "fixed"}, plane="xz", damping_ratio=0.05, name="mast", **(given | changes),
        )  # fmt: skip

    with pytest.raises(carom.InputError, match=r"`outputs` of Frame 'mast' must be places that ride.*'m'"):
        mast()
    law = carom.law("kelvin-voigt", stiffness=1e8, restitution=0.6)
    heavy = mast(masses={"b": 1e3, "m": 1.0})
    far = carom.Oscillator(mass=1e3, stiffness=1e9, damping_ratio=0.05, name="far")
    problem = carom.Problem(
        [heavy, far], [carom.Contact(("mast", "m", "x"), "far", gap=1.0, law=law)], motion=carom.motions.get("default")
    )
    peaks = carom.simulate(problem).peaks.acceleration
    assert float(peaks.sel(dof="mast m x")) == pytest.approx(float(peaks.sel(dof="far")), rel=0.01)
    assert mast(outputs={"force": ("a-m", "my", "start")}).outputs["force"].shape == (2,)


def test_storey_forces_act_at_the_centre_of_mass() -> None:
    """A force there turns an eccentric slab as the same force shared by its nodes does, with its moment."""
    slab = carom.Diaphragm("roof", ROOF.nodes, at=(1.0, 3.0), mass=8e3, radius=2.0)
    frame = slab_frame(diaphragms=[slab])
    fx, fy, mz = 3e4, -2e4, 5e3
    rest = frame.static({"roof": (fx, fy, 0, 0, 0, mz)})
    pushed = _forces(frame, {"roof ux": fx, "roof uy": fy, "roof rz": mz})
    u = dict(zip(frame.dof_names, np.linalg.solve(frame.stiffness_matrix, pushed), strict=True))
    x, y = np.array(CORNERS["ne"]) - (1.0, 3.0)
    moved = rest.displacements["ne1"]
    assert moved[0] == pytest.approx(u["roof ux"] - y * u["roof rz"], rel=1e-10)
    assert moved[1] == pytest.approx(u["roof uy"] + x * u["roof rz"], rel=1e-10)
    total = sum(rest.reactions.values())
    np.testing.assert_allclose(total[:2], [-fx, -fy], rtol=1e-10)
    with pytest.raises(carom.InputError, match=r"`loads` of slab 'roof'.*moment about z"):
        frame.static({"roof": (0, 0, 1e3)})


def _forces(frame: carom.Frame, forces: dict[str, float]) -> np.ndarray:
    return np.array([forces.get(name, 0.0) for name in frame.dof_names])


def test_base_shear_is_an_output() -> None:
    """A sum of member forces: columns stand along z, so that their local z points against x."""
    light = STEEL.replace(density=0.0)
    columns = [carom.Member(f"{name}0", f"{name}1", COLUMN, light, name=f"column-{name}") for name in CORNERS]
    frame = slab_frame(members=columns)
    shear = {(f"column-{name}", "vz", "start"): -1.0 for name in CORNERS}
    copy = frame.replace(outputs={"base shear": shear})
    u = np.linalg.solve(frame.stiffness_matrix, _forces(frame, {"roof ux": 1e4}))
    assert copy.outputs["base shear"] @ u == pytest.approx(-1e4, rel=1e-9)
