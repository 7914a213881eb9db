"""What an engineer gets wrong in a frame, and what is told: which field, which rule, which value."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import carom
from carom import Diaphragm, Frame, Link, Material, Member, Section, Spring
from tests.structures.frame.test_frame import BEAM, COLUMN, STEEL, portal, slab_frame

WEIGHTLESS = STEEL.replace(density=0.0)
NODES: dict[str, Any] = {"a": (0, 0, 0), "b": (0, 0, 3), "c": (4, 0, 3), "d": (4, 0, 0)}


def members(material: Material = STEEL, **left: Any) -> list[Member]:
    """Those of the portal, with changes to the left column."""
    return [
        Member("a", "b", COLUMN, material, name="left", **left),
        Member("d", "c", COLUMN, material, name="right"),
        Member("b", "c", BEAM, material, name="beam"),
    ]


def space(**changes: Any) -> Frame:
    """The portal, free to move in space."""
    return portal(plane=None, **changes)


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "a node beside the plane": (
        lambda: portal(nodes=NODES | {"b": (0, 1, 3)}),
        r"node 'b'.*plane xz.*\(0.0, 1.0, 3.0\)",
    ),
    "a load beside the plane": (
        lambda: portal(loads={"b": (0, 1e3, 0)}),
        "`loads` of node 'b'.*ux, uz, ry.*1000 along uy",
    ),
    "the same, at rest": (lambda: portal().static({"b": (0, 1e3, 0)}), "`loads` of node 'b'.*1000 along uy"),
    "a moment about an axis in the plane": (lambda: portal(loads={"b": [0] * 3 + [7, 0, 0]}), "7 along rx"),
    "a spring beside the plane": (lambda: portal(springs=[Spring("b", 1e6, "uy")]), "`way` of Spring at 'b'.*'uy'"),
    "a uniform load beside the plane": (lambda: portal(members=members(load=(0, 5, 0))), "`load` of Member 'left'"),
    "arms beside the plane": (lambda: portal(members=members(offsets=((0, 1, 0), None))), "`offsets` of Member 'left'"),
    "a release never felt": (lambda: portal(members=members(released="start rz")), "ux, uz, ry.*'start rz'"),
    "weight across the plane": (
        lambda: Frame(
            nodes={"a": (0, 0, 0), "b": (0, 3, 0)},
            members=[Member("a", "b", COLUMN, STEEL)],
            supports={"a": "fixed"},
            plane="xy",
            gravity=True,
        ),
        "`gravity`.*plane xy",
    ),
    "a slab that slopes": (
        lambda: space(nodes=NODES | {"c": (4, 0, 3.5)}, diaphragms=[Diaphragm("f", ("b", "c"))]),
        "one height z.*3 to 3.5 m",
    ),
    "shear let go at both ends": (
        lambda: members(released=("start uz", "end uz")),
        "`released` of Member 'left'.*end uz, start uz.*mechanism",
    ),
    "bending let go three times": (
        lambda: members(released=("start uz", "end ry", "start ry")),
        "must not let go end ry, start ry, start uz",
    ),
    "torsion let go at both ends": (lambda: members(released=("start rx", "end rx")), "end rx, start rx"),
    "releases that are none": (lambda: members(released=5), "`released`.*list.*Got 5"),
    "arms that overlap": (
        lambda: portal(members=members(offsets=((0, 0, 2), (0, 0, -1.5)))),
        "`offsets` of Member 'left'.*between both arms",
    ),
    "no length between arms": (lambda: portal(members=members(offsets=((0, 0, 1.5), (0, 0, -1.5)))), "has no length"),
    "nearly one place": (
        lambda: portal(nodes=NODES | {"e": (1e-9, 0, 0)}, members=[*members(), Member("e", "c", BEAM, STEEL)]),
        "two nodes at one place, 'a' and 'e'",
    ),
    "a spring that turns": (
        lambda: portal(springs=[Spring("a", 1e6, "ux", "c")]),
        "Spring from 'a' to 'c'.*turn the frame.*truss",
    ),
    "a spring from a node to itself": (lambda: Spring("b", 1e6, "ux", "b"), "another node"),
    "a spring at a number": (lambda: Spring(1, 1e6, "ux"), "`node` of Spring must be the name of a node. Got 1"),
    "a link of a list": (lambda: Link(["b"], "c"), "`node` of Link"),
    "supports by a number": (lambda: portal(supports={"a": 5}), '`supports` of node \'a\'.*"fixed", "pinned".*Got 5'),
    "supports by a list of lists": (lambda: portal(supports={"a": [[1]]}), r"support of node 'a': \[1\]"),
    "a plane in a list": (lambda: portal(plane=["xz"]), "plane of Frame 'portal'"),
    "a class for a number": (lambda: Section(float, 1, 1, 1), "`area` of Section must be a number"),
    "an array for a plane": (lambda: portal(plane=np.zeros(3)), "plane of Frame 'portal'"),
    "a force of nothing": (lambda: portal().member_force([1], "my"), "member of Frame 'portal'"),
    "a switch that says no": (lambda: portal(lumped="no"), "`lumped`.*True or False.*'no'"),
    "a member's name": (lambda: Member("a", "b", COLUMN, STEEL, name=5), "`name` of Member must be text"),
    "a section's name": (lambda: Section(1, 1, 1, 1, name=5), "`name` of Section must be text"),
    "a material's name": (lambda: Material(1, 0.3, name=5), "`name` of Material must be text"),
    "slabs of lists": (lambda: Diaphragm("f", (["a"], ["b"])), "`nodes` of Diaphragm 'f'"),
    "a mass on an arm, and no other": (
        lambda: portal(
            nodes=NODES | {"e": (0, 0, 4)}, links=[Link("e", "b")], masses={"e": 1e3}, members=members(WEIGHTLESS)
        ),
        "no mass of its own at 'b ry'.*inertia",
    ),
    "a slab without mass, and one in its corner": (
        lambda: space(diaphragms=[Diaphragm("f", ("b", "c"))], masses={"b": 1e3}, members=members(WEIGHTLESS)),
        "no mass of its own at 'f rz'",
    ),
    "weight that buckles": (
        lambda: portal(gravity=True, masses={"b": "300 t", "c": "300 t"}),
        "buckles under the axial forces at rest.*'[bc] ux'",
    ),
    "weight that turns stiffness over": (
        lambda: portal(gravity=True, masses={"b": 1e9}),
        "buckles under the axial forces",
    ),
    "compression that buckles": (lambda: portal(members=members(pretension=-1e9)), "buckles.*'b ux'"),
    "a moment at a hinge of trusses": (
        lambda: triangle().static({"c": [0, 0, 0, 0, 5.0, 0]}),
        "`loads` of node 'c'.*only trusses.*5 about y",
    ),
    "an origin in a line": (
        lambda: Frame.moment_frame(storeys=[3], bays=[5], columns=COLUMN, beams=BEAM, material=STEEL, origin=3),
        "`origin`",
    ),
    "numbers that overflow": (
        lambda: Frame(
            nodes={"a": (0, 0, 0), "b": (0, 0, 1e-160)},
            members=[Member("a", "b", COLUMN, STEEL)],
            supports={"a": "fixed"},
        ),
        "overflow",
    ),
    "a frame for another machine": (
        lambda: Frame(
            nodes={f"n{i}": (i, 0, 0) for i in range(20_000)},
            supports={"n0": "fixed"},
            members=[Member(f"n{i}", f"n{i + 1}", COLUMN, STEEL) for i in range(19_999)],
        ),
        "806 GB of memory.*119,994 degrees of freedom.*Give fewer nodes",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    make, told = REFUSED[name]
    with np.errstate(all="ignore"), pytest.raises(carom.InputError, match=told):
        make()


def triangle(**changes: Any) -> Frame:
    """Three bars in the x-z plane."""
    bars = [Member(*ends, COLUMN, STEEL, kind="truss") for ends in (("a", "c"), ("b", "c"), ("a", "b"))]
    given: dict[str, Any] = {"supports": {"a": "pinned", "b": "uz"}, "plane": "xz"}
    return Frame(nodes={"a": (0, 0, 0), "b": (4, 0, 0), "c": (2, 0, 3)}, members=bars, **(given | changes))


def test_a_truss_has_no_rotations() -> None:
    """Nothing need hold what is not there; forces by the method of joints."""
    frame = triangle()
    assert frame.dof_names == ("b ux", "c ux", "c uz")
    rest = frame.static({"c": (0, 0, -6e3)})
    along = 0.5 * 6e3 / (3.0 / math.hypot(2.0, 3.0))
    assert rest.tension("a-c") == pytest.approx(-along, rel=1e-12)
    assert rest.tension("a-b") == pytest.approx(along * 2.0 / math.hypot(2.0, 3.0), rel=1e-12)
    np.testing.assert_allclose(rest.reactions["a"], [0, 0, 3e3, 0, 0, 0], atol=1e-9)


def test_a_joint_that_yields() -> None:
    """Nodes at one place, between them a rotation spring: P·L³/3EI + P·L²/k."""
    nodes = {"a": (0, 0, 0), "a2": (0, 0, 0), "b": (0, 0, 3)}
    stiffness, force = 2e6, 1e3
    frame = Frame(
        nodes=nodes, members=[Member("a2", "b", COLUMN, STEEL)], supports={"a": "fixed", "a2": "ux uz"}, plane="xz",
        springs=[Spring("a", stiffness, "ry", "a2")],
    )  # fmt: skip
    expected = force * 27.0 / (3.0 * STEEL.young * COLUMN.inertia_y) + force * 9.0 / stiffness
    rest = frame.static({"b": (force, 0, 0)})
    assert rest.displacements["b"][0] == pytest.approx(expected, rel=1e-12)
    assert abs(rest.reactions["a"][4]) == pytest.approx(3.0 * force, rel=1e-12)


def test_outputs_of_a_copy_are_read_on_the_copy() -> None:
    """Rows of member forces belong to the members that there are."""
    frame = portal(outputs={"base": ("left", "my", "start"), "c": "c"})
    stiff = Section.rectangle(0.6, 0.6)
    copy = frame.replace(members=[one.replace(section=stiff) for one in frame.members])
    np.testing.assert_array_equal(copy.outputs["base"], copy.member_force("left", "my"))
    assert not np.allclose(copy.outputs["base"], frame.outputs["base"])
    assert frame.replace(lumped=True).outputs["base"].shape == (4,)
    import pickle

    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(frame))))
    np.testing.assert_array_equal(again.replace(lumped=True).outputs["c x"], frame.replace(lumped=True).outputs["c x"])


def test_a_slab_keeps_its_radius() -> None:
    """A copy with another mass has its inertia, not that of the first."""
    from dataclasses import replace

    slab = Diaphragm("f", ("a", "b"), mass=2e3, radius=3.0)
    assert slab.turning == pytest.approx(18e3)
    assert replace(slab, mass=4e3).turning == pytest.approx(36e3)


def test_gravity_may_be_switched_off() -> None:
    assert portal(gravity=False) == portal()


def test_a_turn_in_degrees() -> None:
    assert Member("a", "b", COLUMN, STEEL, turn="30 deg").turn == pytest.approx(math.pi / 6.0)


@pytest.mark.parametrize("seed", range(12))
def test_mechanisms_are_found_wherever_they_are(seed: int) -> None:
    """Random supports of a random frame: refused if and only if a plain eigenvalue of K is zero."""
    from tests.structures.frame.random_frames import frame

    made, _ = frame(seed % 6)
    rng = np.random.default_rng([31, seed])
    ways = ("ux", "uz", "ry") if made.plane else ("ux", "uy", "uz", "rx", "ry", "rz")
    foot = [node for node in made.nodes if node.endswith("-0")]
    supports = {
        node: " ".join(rng.choice(ways, int(rng.integers(0, 3 if made.plane else 4)), replace=False)) for node in foot
    }
    held = {node: frozenset(text.split()) for node, text in supports.items()}
    free = [6 * i + k for i, node in enumerate(made.nodes) for k, way in enumerate(("ux", "uy", "uz", "rx", "ry", "rz"))
            if way in ways and way not in held.get(node, ())]  # fmt: skip
    k = made._assembled.nodes_stiffness.toarray()[np.ix_(free, free)]
    scale = 1.0 / np.sqrt(np.diag(k))
    loose = np.linalg.eigvalsh(scale[:, None] * k * scale)[0] < 1e-12
    if loose:
        with pytest.raises(carom.InputError, match="mechanism"):
            made.replace(supports=supports)
    else:
        made.replace(supports=supports)


def test_a_fine_mesh_is_no_mechanism() -> None:
    """A cantilever of 1,200 elements gives way easily, measured by one of them; it is held all the same."""
    count = 1200
    frame = Frame(
        nodes={f"n{i}": (0, 0, 10.0 * i / count) for i in range(count + 1)}, supports={"n0": "fixed"}, plane="xz",
        members=[Member(f"n{i}", f"n{i + 1}", COLUMN, WEIGHTLESS) for i in range(count)], masses={f"n{count}": 1e3},
    )  # fmt: skip
    pushed = frame.static({f"n{count}": (1e3, 0, 0)}).displacements[f"n{count}"][0]
    assert pushed == pytest.approx(1e3 * 1000.0 / (3.0 * STEEL.young * COLUMN.inertia_y), rel=1e-3)


def test_slabs_may_stand_on_rollers_across_a_plane() -> None:
    assert portal(supports={"a": "fixed", "d": "fixed", "b": "uy"}, diaphragms=[Diaphragm("f", ("b", "c"))])


def test_one_column_under_a_slab() -> None:
    """A slab with one node is an eccentric mass on a mast: corners can be touched all the same."""
    mast = Frame(
        nodes={"a": (0, 0, 0), "b": (0, 0, 3)}, members=[Member("a", "b", COLUMN, STEEL)], supports={"a": "fixed"},
        diaphragms=[Diaphragm("f", ("b",), at=(1, 0), mass=1e3, radius=1.0)],
    )  # fmt: skip
    u = np.zeros(len(mast.dof_names))
    u[[mast.dof_names.index(f"f {way}") for way in ("uy", "rz")]] = 0.01, 0.002
    point = mast.location(("f", (3, 0)))
    assert point is not None
    assert point.rows[1] @ u == pytest.approx(0.01 + 2.0 * 0.002)


def test_slab_frame_is_still_a_frame() -> None:
    assert slab_frame().replace(name="x").frequencies[0] == slab_frame().frequencies[0]
