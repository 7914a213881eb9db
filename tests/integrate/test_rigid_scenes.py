"""Decks that strike with impulses: they turn as closed forms say, keep what they must, and do not see their axes."""

from __future__ import annotations

import numpy as np
import pytest

import carom

LAWS = ("newton", "poisson", "stronge")


def skewed(skew=30.0, mu=0.1, e=0.5, law="newton", turned=0.0, at=(0.0, 0.0), length=30.0, width=10.0, u=1.0):
    """A deck driven along its axis at its eastern abutment; turned and shifted as a whole."""
    inertia = 4e5 * (length**2 + (width / np.cos(np.deg2rad(skew))) ** 2) / 12.0
    deck = carom.Deck(
        length=length, width=width, skew=np.deg2rad(skew), mass=4e5, inertia=inertia, name="span", free=True,
        angle=turned, at=at,
    )  # fmt: skip
    east = carom.Abutment.beside(deck, "e", gap=0.05, name="east")
    facing = carom.facing("span", "east", law=carom.law(law, restitution=e, friction=mu))
    start = {"span": (u * np.cos(turned), u * np.sin(turned), 0.0)}
    return carom.Problem([deck, east], [facing], initial_velocity=start)


@pytest.mark.parametrize(
    ("skew", "mu", "expected"),
    [(20.0, 0.0, 0.0), (30.0, 0.0, 0.02517385), (30.0, 0.1, 0.00639368), (30.0, 0.2, 0.0)],
)
@pytest.mark.parametrize("law", LAWS)
def test_a_skewed_deck_turns_as_the_criterion_says(skew, mu, expected, law):
    run = carom.simulate(skewed(skew, mu, law=law), duration=0.15, sampling=0.01)
    assert run.evidence["path"] == "scene"
    assert run.velocity[-1, 2] == pytest.approx(expected, abs=1e-8)
    assert np.abs(run.ledger["residual"]).max() < 1e-9 * run.ledger["kinetic"][0]


@pytest.mark.parametrize("law", LAWS)
def test_a_scene_turned_and_shifted_gives_the_same(law):
    one = carom.simulate(skewed(35.0, 0.15, law=law), duration=2.0, sampling=0.01)
    for angle, at in ((0.7, (100.0, -50.0)), (-2.5, (3.0, 8.0))):
        other = carom.simulate(skewed(35.0, 0.15, law=law, turned=angle, at=at), duration=2.0, sampling=0.01)
        c, s = np.cos(angle), np.sin(angle)
        back = other.displacement @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]).T
        assert back == pytest.approx(one.displacement, abs=1e-9)
        assert other.force == pytest.approx(one.force, abs=1e-3)  # of 1e7 N
        assert len(other.impacts["start"]) == len(one.impacts["start"]) > 0


def two_decks(rng, law):
    """Two free decks side by side that drift into each other, turning."""
    gap = rng.uniform(0.02, 0.3)
    sides = {"width": 10.0, "mass": 4e5, "free": True}
    left = carom.Deck(length=20.0, skew=np.deg2rad(20.0), name="left", **sides)
    right = carom.Deck(length=30.0, skew=np.deg2rad(20.0), name="right", at=(25.0 + gap, 0.0), **sides)
    facing = carom.facing("left", "right", law=law)
    start = {
        "left": rng.uniform(-0.3, 1.0, size=3) * (1.0, 1.0, 0.1),
        "right": rng.uniform(-1.0, 0.3, size=3) * (1, 1, 0.1),
    }
    return carom.Problem([left, right], [facing], initial_velocity=start)


@pytest.mark.parametrize("law", ["poisson", "stronge"])
def test_random_decks_keep_momentum_and_gain_no_energy(law):
    rng, struck = np.random.default_rng(31), 0
    for _ in range(12):
        problem = two_decks(rng, carom.law(law, restitution=rng.uniform(0.0, 1.0), friction=rng.uniform(0.0, 0.6)))
        run = carom.simulate(problem, duration=4.0, sampling=0.05)
        v, u = run.velocity, run.displacement
        places = np.array([[0.0, 0.0], [problem.structures[1].world("centre")[0], 0.0]])
        mass, inertia = 4e5, [deck.turning_inertia for deck in problem.structures]
        linear = mass * (v[:, 0:2] + v[:, 3:5])
        spin = sum(
            mass * ((places[i, 0] + u[:, 3 * i]) * v[:, 3 * i + 1] - (places[i, 1] + u[:, 3 * i + 1]) * v[:, 3 * i])
            + inertia[i] * v[:, 3 * i + 2]
            for i in range(2)
        )
        assert np.ptp(linear, axis=0).max() < 1e-9 * mass
        assert np.ptp(spin) < 1e-8 * mass * 30.0
        assert np.diff(run.ledger["kinetic"]).max() < 1e-9 * run.ledger["kinetic"][0]
        assert run.evidence["largest_overlap"] < 1e-9
        struck += len(run.impacts["start"])
    assert struck >= 8


@pytest.mark.parametrize(("forward", "strikes"), [(0.2, 1), (0.05, 0)])
def test_a_node_beyond_the_end_of_a_face_does_not_strike_it(forward, strikes):
    """A deck that drifts past the end of its abutment: its corner strikes while it is before the face, not after."""
    deck = carom.Deck(length=20.0, width=10.0, mass=4e5, name="span", free=True)
    east = carom.Abutment(at=(10.1, 9.0), width=10.0, angle=np.pi, name="east")
    facing = carom.facing("span", "east", law=carom.law("newton", restitution=0.5))
    problem = carom.Problem([deck, east], [facing], initial_velocity={"span": (forward, -1.0, 0.0)})
    run = carom.simulate(problem, duration=4.0, sampling=0.05)
    assert len(run.impacts["start"]) == strikes
    if strikes:
        assert run.impacts["start"].values == pytest.approx([0.1 / forward], abs=1e-12)
    else:
        assert run.velocity[-1] == pytest.approx([forward, -1.0, 0.0], abs=1e-14)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("mu", [0.0, 0.1, 0.2])
def test_moreau_jean_turns_decks_alike(law, mu):
    """The touch of both corners comes within one step: the impact is the same, and then the flight."""
    problem = skewed(30.0, mu, law=law)
    exact = carom.simulate(problem, duration=2.0, sampling=0.1)
    for step in (1e-2, 1e-3):
        run = carom.simulate(problem, scheme="moreau-jean", dt=step, duration=2.0)
        assert run.velocity[-1] == pytest.approx(exact.velocity[-1], abs=1e-8)
        assert run.displacement[-1] == pytest.approx(exact.displacement[-1], abs=2.0 * step)
        assert np.abs(run.ledger["residual"]).max() < 1e-9 * run.ledger["kinetic"][0]


def spans():
    """A span on elastomeric bearings between two abutments under ground motion."""
    deck = carom.Deck(
        length=30.0, width=10.0, skew=np.deg2rad(25.0), mass=4e5, name="span", points={"p": (-13, 0), "q": (13, 0)}
    )
    sides = [carom.Abutment.beside(deck, edge, gap=0.01, name=name) for edge, name in (("w", "west"), ("e", "east"))]
    rule = carom.joints.Elastomeric(stiffness=6e6)
    bearings = [carom.Bearing(("span", point), "ground", rule=rule) for point in ("p", "q")]
    law = carom.law("stronge", restitution=0.6, friction=0.3)
    facing = [carom.facing("west", "span", law=law), carom.facing("span", "east", law=law)]
    t = np.arange(0.0, 4.0, 0.01)
    motion = carom.Motion(3.0 * np.sin(2.0 * np.pi * 0.9 * t) * np.minimum(1.0, t), dt=0.01)
    return carom.Problem([deck, *sides, carom.Ground()], facing, bearings=bearings, motion=motion)


def test_bearings_and_shaking_along():
    """The ledger closes; Moreau-Jean comes to the same as its step falls."""
    run = carom.simulate(spans())
    assert len(run.impacts["start"]) > 4
    assert np.abs(run.displacement[:, 2]).max() > 1e-4
    assert np.abs(run.ledger["residual"]).max() < 1e-8 * np.abs(run.ledger["input"]).max()
    assert run.scene_record.joint_force.shape[1] == 4
    coarse, fine = (carom.simulate(spans(), scheme="moreau-jean", dt=step) for step in (2.5e-3, 1.25e-4))
    upto = run.time < run.impacts["start"].values[3]
    off = [np.abs(one.displacement[upto] - run.displacement[upto]).max() for one in (coarse, fine)]
    assert off[1] < 0.5 * off[0] < 1e-3
    assert np.abs(fine.ledger["residual"]).max() < 1e-3 * np.abs(run.ledger["input"]).max()
