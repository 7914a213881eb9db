"""Scenes in space: what is turned or shifted gives the same, what is plane gives what the plane gives, energy stays."""

from __future__ import annotations

import numpy as np
import pytest

import carom
from carom.structures.solids.rotations import matrix_of, orientation_of, product, quaternion_of_matrix

LAW = carom.law("hertzdamp", stiffness=4e7, restitution=0.6)
BELOW = ("sw", "se", "ne", "nw")


def colliding(seed: int, *, friction: float = 0.4, law: object = LAW, gravity: float = 9.81) -> carom.Problem:
    """Return two girders that fly at each other any how over a floor, every point against every face."""
    rng = np.random.default_rng(seed)
    girders = []
    for i in range(2):
        girders.append(
            carom.Girder(
                length=rng.uniform(2.0, 4.0), width=rng.uniform(0.8, 1.5), depth=rng.uniform(0.4, 1.0),
                mass=rng.uniform(500.0, 2000.0), skew=rng.uniform(-0.3, 0.3), gravity=gravity,
                position=(4.5 * (i - 0.5), rng.uniform(-0.3, 0.3), rng.uniform(2.6, 3.0)),
                orientation=tuple(rng.uniform(-0.5, 0.5, 3)), velocity=(2.0 - 4.0 * i, *rng.uniform(-0.3, 0.3, 2)),
                spin=tuple(rng.uniform(-1.0, 1.0, 3)), name=f"g{i}",
            )
        )  # fmt: skip
    floor = carom.FixedBody.plate((0, 0, 0), size=60.0)
    rub = carom.Friction(friction, 0.8 * friction) if friction else None
    contacts = [carom.facing("g0", "g1", law=law, friction=rub)]
    contacts += [
        carom.Contact((g.name, mark), "floor", face="face", law=law, friction=rub) for g in girders for mark in g.marks
    ]
    return carom.Problem([*girders, floor], contacts)


def turned(problem: carom.Problem, vector: tuple[float, float, float], shift: np.ndarray) -> carom.Problem:
    """Return a problem turned as a whole about the origin, then shifted."""
    quaternion = np.array(orientation_of(vector, "vector", "test"))
    matrix = matrix_of(quaternion)
    moved = []
    for one in problem.structures:
        changes = {
            "position": tuple(matrix @ np.array(one.position) + shift),
            "orientation": tuple(product(quaternion, np.array(one.orientation))),
        }
        if one.massive:
            for name in ("velocity", "spin", "gravity"):
                changes[name] = tuple(matrix @ np.array(getattr(one, name)))
        moved.append(one.replace(**changes))
    return problem.replace(structures=moved)


@pytest.mark.parametrize("seed", [1, 2])
def test_turned_and_shifted_scenes_do_the_same(seed: int) -> None:
    problem = colliding(seed)
    ours = carom.simulate(problem, duration=0.8, sampling=0.01, rtol=1e-9)
    assert ours.impact_count > 0
    vector, shift = (0.7, -1.1, 0.4), np.array([3.0, -8.0, 5.0])
    theirs = carom.simulate(turned(problem, vector, shift), duration=0.8, sampling=0.01, rtol=1e-9)
    matrix = matrix_of(orientation_of(vector, "vector", "test"))
    size = np.abs(ours.scene_record.centre).max()
    np.testing.assert_allclose(
        theirs.scene_record.centre, ours.scene_record.centre @ matrix.T + shift, atol=1e-9 * size
    )
    np.testing.assert_allclose(
        matrix_of(theirs.scene_record.turned) @ matrix, matrix @ matrix_of(ours.scene_record.turned), atol=2e-9
    )
    assert theirs.impact_count == ours.impact_count


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_energy_never_grows(seed: int) -> None:
    for law in (LAW, carom.law("kelvin-voigt", stiffness=1e7, restitution=1.0)):
        problem = colliding(seed, law=law, gravity=0.0)
        run = carom.simulate(problem, duration=2.0, sampling=0.01, rtol=1e-8)
        ledger = run.ledger
        total = ledger["kinetic"]
        assert total.max() <= total[0] * (1.0 + 1e-7)
        assert np.abs(ledger["residual"]).max() < 1e-6 * total[0]


def test_momentum_is_kept() -> None:
    problem = colliding(6, gravity=0.0)
    problem = problem.replace(
        structures=problem.structures[:2], contacts=[one for one in problem.contacts if not hasattr(one, "face")]
    )
    run = carom.simulate(problem, duration=2.0, sampling=0.01, rtol=1e-8)
    assert run.impact_count > 0
    speed = run.velocity.reshape(-1, 2, 6)
    linear, angular = 0.0, 0.0
    for b, girder in enumerate(problem.structures):
        attitude = matrix_of(run.scene_record.turned[:, b]) @ girder.axes
        own = np.einsum("tji,tj->ti", attitude, speed[:, b, 3:]) @ girder.tensor
        momentum = girder.mass * speed[:, b, :3]
        linear = linear + momentum
        angular = angular + np.cross(run.scene_record.centre[:, b], momentum) + np.einsum("tij,tj->ti", attitude, own)
    np.testing.assert_allclose(linear, np.tile(linear[0], (len(linear), 1)), atol=1e-9 * np.abs(linear).max())
    np.testing.assert_allclose(angular, np.tile(angular[0], (len(angular), 1)), atol=1e-9 * np.abs(angular).max())


def _flat_pair(spatial: bool) -> carom.Problem:
    """Return two skewed decks that slide and turn into each other between two walls, in the plane or in space."""
    law, rub = carom.law("hertzdamp", stiffness=1e9, restitution=0.6), carom.Friction(0.4, 0.3)
    motions = {"velocity": ((1.0, 0.2), (-0.8, -0.1)), "spin": (0.02, -0.01)}
    decks = [
        carom.Deck(length=30, width=10, skew="25 deg", mass="400 t", at=(30.3 * i, 0.3 * i), name=f"d{i}", free=True)
        for i in range(2)
    ]
    pairs = [("d0", "se", "d1", "w"), ("d0", "ne", "d1", "w"), ("d1", "sw", "d0", "e"), ("d1", "nw", "d0", "e")]
    if not spatial:
        ends = {
            "d0": (*motions["velocity"][0], motions["spin"][0]), "d1": (*motions["velocity"][1], motions["spin"][1])
        }  # fmt: skip
        contacts = []
        for a, node, b, edge in pairs:
            start, end = decks[int(b[1])].outlined[list(decks[int(b[1])].edge(edge))]
            along = (end - start) / np.hypot(*(end - start))
            normal = np.array([along[1], -along[0]])
            away = float((decks[int(a[1])].world(node) - start) @ normal)
            foot = tuple(decks[int(a[1])].world(node) - away * normal)
            contacts.append(
                carom.Contact(
                    (a, node, tuple(-normal)), (b, decks[int(b[1])].place_at(0, *foot)[1], tuple(-normal)), gap=away,
                    law=law, friction=rub, tangent=(tuple(along),) * 2, edge=edge,
                )
            )  # fmt: skip
        return carom.Problem(decks, contacts, initial_velocity=ends)
    bodies = []
    for i, deck in enumerate(decks):
        points = {f"{name} {level}": (*deck.local(name), z) for name in BELOW for level, z in (("b", -1.0), ("t", 1.0))}
        points |= {name: (*deck.local(name), 0.0) for name in BELOW}
        faces = {
            "w": ["nw b", "sw b", "sw t", "nw t"], "e": ["se b", "ne b", "ne t", "se t"],
        }  # fmt: skip
        bodies.append(
            carom.RigidBody(
                mass=deck.mass, inertia=(deck.turning_inertia, deck.turning_inertia, deck.turning_inertia),
                points=points, faces=faces, position=(*deck.world("centre"), 0.0), gravity=0.0,
                velocity=(*motions["velocity"][i], 0.0), spin=(0.0, 0.0, motions["spin"][i]), name=deck.name,
            )
        )  # fmt: skip
    contacts = [carom.Contact((a, node), b, face=edge, law=law, friction=rub) for a, node, b, edge in pairs]
    return carom.Problem(bodies, contacts)


def test_plane_scenes_stated_in_space_give_the_same() -> None:
    flat, space = (carom.simulate(_flat_pair(one), duration=3.0, sampling=0.01, rtol=1e-10) for one in (False, True))
    assert flat.impact_count == space.impact_count > 1
    ours = space.displacement.reshape(-1, 2, 6)
    theirs = flat.displacement.reshape(-1, 2, 3)
    np.testing.assert_allclose(ours[..., [0, 1, 5]], theirs, atol=1e-9)
    np.testing.assert_allclose(ours[..., 2:5], 0.0, atol=1e-12)
    np.testing.assert_allclose(space.table["peak_force"], flat.table["peak_force"], rtol=1e-8)
    one, other = (np.linalg.norm(run.scene_record.friction, axis=-1) for run in (space, flat))
    np.testing.assert_allclose(one, other, atol=1e-7 * other.max())


def test_saved_runs_in_space_come_back(tmp_path) -> None:
    run = carom.simulate(colliding(1), duration=0.2, sampling=0.01)
    run.save(tmp_path / "run.nc")
    again = carom.load(tmp_path / "run.nc")
    for name in ("foot", "pushed", "centre", "turned"):
        np.testing.assert_array_equal(getattr(again.scene_record, name), getattr(run.scene_record, name))
    assert again.scene_record.bodies == ("g0", "g1")


def test_quaternions_and_matrices_are_one() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        quaternion = rng.normal(size=4)
        quaternion /= np.linalg.norm(quaternion) * np.sign(quaternion[0])
        np.testing.assert_allclose(quaternion_of_matrix(matrix_of(quaternion)), quaternion, atol=1e-14)
