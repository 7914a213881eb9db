"""Faces whose corners are nodes of frames: end plates of flexible girders, façades; and refusals around them."""

from __future__ import annotations

import numpy as np
import pytest

import carom

LAW = carom.law("hertzdamp", stiffness=5e8, restitution=0.7)
STEEL = carom.Material.steel()
SPAN, PLATE = 20.0, 1.0


def girder(name: str, start: float) -> carom.Frame:
    """Return a girder of members along x on springs, with an end plate of four nodes that follow each end."""
    nodes = {f"n{i}": (start + SPAN * i / 4, 0.0, 5.0) for i in range(5)}
    links = []
    for end, node in (("w", "n0"), ("e", "n4")):
        x = nodes[node][0]
        for corner, y, z in (("a", -1, -1), ("b", 1, -1), ("c", 1, 1), ("d", -1, 1)):
            nodes[f"{end}{corner}"] = (x, PLATE * y, 5.0 + PLATE * z)
            links.append(carom.Link(f"{end}{corner}", node))
    section = carom.Section.steel("HEA 1000")
    members = [carom.Member(f"n{i}", f"n{i + 1}", section, STEEL) for i in range(4)]
    springs = [carom.Spring(f"n{i}", 2e6, way) for i in (0, 4) for way in ("ux", "uy", "uz")]
    springs += [carom.Spring("n2", 1e7, way) for way in ("rx", "ry", "rz")]
    return carom.Frame(
        nodes=nodes, members=members, links=links, springs=springs, masses={f"n{i}": 2e4 for i in range(5)},
        damping_ratio=0.02, name=name,
    )  # fmt: skip


EAST, WEST = ["ea", "eb", "ec", "ed"], ["wd", "wc", "wb", "wa"]


def ball(x: float, height: float, speed: float) -> carom.RigidBody:
    return carom.RigidBody(
        mass=4000.0, inertia=(400.0,) * 3, radii={"centre": 0.2}, position=(x, 0.0, height), velocity=(speed, 0, 0),
        gravity=0, name="ball",
    )  # fmt: skip


def test_ball_against_an_end_plate_is_that_on_a_line() -> None:
    """Struck in its middle, an end plate is the node that it follows: the engine on constant rows is the judge."""
    frame = girder("girder", 0.0)
    plain = carom.Problem(
        [frame, carom.Body(mass=4000.0, name="ball")],
        [carom.Contact(("girder", "n4", "x"), "ball", gap=0.1, law=LAW)], initial_velocity={"ball": (-1.5,)},
    )  # fmt: skip
    flat = carom.simulate(plain, duration=1.0, sampling=0.005, rtol=1e-9)
    contact = carom.Contact(("ball", "centre"), "girder", face=EAST, law=LAW)
    problem = carom.Problem([frame, ball(SPAN + 0.3, 5.0, -1.5)], [contact])
    assert problem.flat().gap[0] == pytest.approx(0.1, abs=1e-12)
    assert problem.flat().effective_mass[0] == pytest.approx(plain.flat().effective_mass[0], rel=1e-12)
    space = carom.simulate(problem, duration=1.0, sampling=0.005, rtol=1e-9)
    assert space.peak_force == pytest.approx(flat.peak_force, rel=1e-6)
    ours = space.displacement[:, list(space.dofs).index("ball ux")]
    np.testing.assert_allclose(ours, flat.displacement[:, list(flat.dofs).index("ball")], atol=1e-7)
    assert np.abs(space.ledger["residual"]).max() < 1e-6 * space.ledger["kinetic"][0]


def test_node_of_a_frame_strikes_a_face_of_another_off_its_middle() -> None:
    """Energy is accounted for, and a plate that is struck off its middle turns."""
    frames = [girder("one", 0.0), girder("other", SPAN + 0.01)]
    contacts = [carom.Contact(("one", node), "other", face=WEST, law=LAW) for node in EAST[2:]]
    contacts.append(carom.Contact(("ball", "centre"), "one", face=["wd", "wc", "wb", "wa"], law=LAW))
    problem = carom.Problem([*frames, ball(-0.25, 5.6, 6.0)], contacts)
    run = carom.simulate(problem, duration=1.0, sampling=0.005, rtol=1e-8)
    assert (run.peak_force if np.isscalar(run.peak_force) else np.max(run.peak_force)) > 0.0
    assert {int(c) for c in run.table["contact"]} == {0, 1, 2}
    assert np.abs(run.ledger["residual"]).max() < 1e-5 * run.ledger["kinetic"][0]
    assert np.abs(run.displacement[:, list(run.dofs).index("one n0 ry")]).max() > 1e-4


def test_what_does_not_fit_is_refused() -> None:
    frame, body = girder("girder", 0.0), ball(SPAN + 0.3, 5.0, -1.5)
    contact = carom.Contact(("ball", "centre"), "girder", face=EAST, law=LAW)
    problem = carom.Problem([frame, body], [contact])
    with pytest.raises(carom.InputError, match="three or four points"):
        problem.replace(contacts=[contact.replace(face="e")])
    with pytest.raises(carom.InputError, match="points"):
        problem.replace(contacts=[contact.replace(face=["ea", "eb", "ec", "nowhere"])])
    with pytest.raises(carom.InputError, match="span an area"):
        problem.replace(contacts=[contact.replace(face=["ea", "ec", "eb", "ed"])])
    with pytest.raises(carom.InputError, match="must be left out against a face"):
        contact.replace(tangent="y")
    with pytest.raises(carom.InputError, match="position=…"):
        problem.replace(initial_displacement={"ball": (1, 0, 0, 0, 0, 0)})
    with pytest.raises(carom.InputError, match="scene_record"):
        problem.replace(outputs=[("ball", "centre", "x")])
    with pytest.raises(carom.InputError, match="decks in plan"):
        problem.replace(structures=[frame, body, carom.Deck(length=3, width=1, mass=10, free=True, name="d")])
    with pytest.raises(carom.InputError, match="bodies and faces in space"):
        carom.simulate(problem, scheme="newmark", duration=0.1, dt=1e-3)
    with pytest.raises(carom.InputError, match="inside the body"):
        problem.replace(structures=[frame, body.replace(position=(SPAN - 0.3, 0, 5))])
