"""Bodies that turn in the engine of scenes: balances to rounding, scenes turned and shifted, ensembles, tolerances."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import carom
from carom.joints import Elastomeric, SlidingBearing

LAW = carom.law("hertzdamp", stiffness=2e8, restitution=0.6)
MASSES, NAMES = (4e5, 3e5), ("a", "b")


def two_decks(angle: float = 0.0, shift: tuple[float, float] = (0.0, 0.0), **friction: Any) -> carom.Problem:
    """Two free skewed decks, the first of which strikes the other with both translation and rotation."""
    c, s = math.cos(angle), math.sin(angle)
    turned = np.array([[c, -s], [s, c]])

    def at(x: float, y: float) -> tuple[float, ...]:
        return tuple((turned @ [x, y] + shift).tolist())

    given = {"static": 0.3, "kinetic": 0.25} | friction
    decks = [
        carom.Deck(
            length=length, width=10.0, skew="20 deg", mass=mass, at=place, angle=angle, name=name, free=True
        )
        for length, mass, place, name in zip((30.0, 25.0), MASSES, (at(0.0, 0.0), at(28.0, 0.4)), NAMES, strict=True)
    ]  # fmt: skip
    speed = turned @ [2.0, 0.3]
    return carom.Problem(
        decks, [carom.facing("a", "b", law=LAW, friction=carom.Friction(**given))],
        initial_velocity={"a": (*speed.tolist(), 0.02), "b": (0.0, 0.0, -0.01)},
    )  # fmt: skip


def momenta(problem: carom.Problem, run: carom.results.Simulation, sample: int) -> np.ndarray:
    """Linear momentum and angular momentum about the origin of the world."""
    total = np.zeros(3)
    for k, (name, mass) in enumerate(zip(NAMES, MASSES, strict=True)):
        deck, here = problem.structure(name), slice(3 * k, 3 * k + 3)
        u, v = run.displacement[sample, here], run.velocity[sample, here]
        x, y = deck.world("centre") + u[:2]
        total += [mass * v[0], mass * v[1], deck.mass_matrix[2, 2] * v[2] + mass * (x * v[1] - y * v[0])]
    return total


def test_forces_and_moments_balance_to_rounding() -> None:
    problem = two_decks()
    run = carom.simulate(problem, duration=1.0, sampling=0.01, rtol=1e-10)
    assert run.impact_count == 2
    before, after = momenta(problem, run, 0), momenta(problem, run, -1)
    np.testing.assert_allclose(after, before, rtol=1e-13)


@pytest.mark.parametrize(("angle", "shift"), [(0.7, (0.0, 0.0)), (2.1, (100.0, -50.0)), (-1.3, (0.0, 1000.0))])
def test_scenes_turned_and_shifted_are_the_same(angle: float, shift: tuple[float, float]) -> None:
    asked: dict[str, Any] = {"duration": 1.0, "sampling": 0.01, "rtol": 1e-8}
    judge, run = (carom.simulate(problem, **asked) for problem in (two_decks(), two_decks(angle, shift)))
    c, s = math.cos(angle), math.sin(angle)
    back = np.array([[c, -s], [s, c]])
    for k in (0, 3):
        np.testing.assert_allclose(run.displacement[:, k : k + 2] @ back, judge.displacement[:, k : k + 2], atol=1e-9)
        np.testing.assert_allclose(run.displacement[:, k + 2], judge.displacement[:, k + 2], atol=1e-9)
    np.testing.assert_allclose(run.table["peak_force"], judge.table["peak_force"], rtol=1e-9)


@pytest.mark.parametrize("restitution", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("ratio", [0.1, 1.0, 20.0])
def test_no_energy_is_gained(restitution: float, ratio: float) -> None:
    run = carom.simulate(
        two_decks(restitution=restitution, stiffness_ratio=ratio), duration=1.0, sampling=0.001, rtol=1e-9
    )
    assert run.table["energy_lost"].min() > 0.0
    held = run.force.sum(axis=1) == 0.0
    energy = run.ledger["kinetic"][held]
    assert (np.diff(energy) < 1e-9 * energy[0]).all()
    assert np.abs(run.ledger["residual"]).max() < 1e-9 * energy[0]


def bridge(gap: float = 0.05, factor: float = 1.0) -> carom.Problem:
    """Two spans on bearings between abutments, shaken along both axes."""
    spans = [
        carom.Deck(length=30.0, width=10.0, skew="25 deg", mass=4e5, at=(30.05 * i, 0.0), name=f"span {i}")
        for i in (1, 2)
    ]  # fmt: skip
    west = carom.Abutment.beside(spans[0], "w", gap="5 cm", name="west")
    friction = carom.Friction(0.4, 0.3)
    pad, slide = Elastomeric("8 MN/m", "100 kN*s/m"), SlidingBearing(0.06, "50 MN/m")
    bearings = [
        carom.Bearing((name, corner), "ground", rule=rule)
        for name, rule in (("span 1", pad), ("span 2", slide))
        for corner in ("sw", "se", "ne", "nw")
    ]
    t = np.arange(800) * 0.01
    wave = factor * np.sin(7.0 * t) * np.exp(-0.3 * t)
    contacts = [carom.facing("west", "span 1", law=LAW, friction=friction)]
    contacts.append(carom.facing("span 1", "span 2", law=LAW, friction=friction))
    problem = carom.Problem(
        [west, *spans], contacts, bearings=bearings,
        motion={"x": carom.Motion(5.0 * wave, dt=0.01), "y": carom.Motion(2.0 * wave[::-1], dt=0.01)},
        seats=[carom.Seat(("span 1", "e"), "span 2", length=0.05)],
    )  # fmt: skip
    pairs = [problem.pairs[0].replace(gap=gap), *problem.pairs[1:]]
    return problem.replace(contacts=tuple(pairs))


def test_ensembles_give_what_single_runs_give() -> None:
    gaps, scales = [0.03, 0.05], [0.6, 1.2]
    many = carom.ensemble(bridge(), vary={"gap:0": gaps, "scale": scales}, rtol=1e-6, twin=True)
    assert many.failed == 0
    assert many.evidence["paths"] == {"scene": 4}
    for i, gap in enumerate(gaps):
        for j, scale in enumerate(scales):
            run = carom.simulate(bridge(gap, scale), rtol=1e-6)
            np.testing.assert_allclose(many.extremes[i, j], run.extremes, rtol=1e-6)
            assert many.account["impacts"][i, j] == run.impact_count > 0
            np.testing.assert_allclose(many.gauge_values[i, j, :, :2], run.scene_record.gauge_extremes, atol=1e-6)
    with pytest.raises(carom.InputError, match="must be 'cpu' where contacts have friction"):
        carom.ensemble(bridge(), vary={"scale": scales}, device="cuda")


def test_tolerances_and_what_gauges_read() -> None:
    """What runs at 1e-4 is near what runs at 1e-8; a gauge leaves its limits where its history does."""
    coarse, fine = (carom.simulate(bridge(), rtol=rtol) for rtol in (1e-4, 1e-8))
    assert coarse.impact_count == fine.impact_count > 3
    np.testing.assert_allclose(coarse.extremes[:, 0], fine.extremes[:, 0], rtol=2e-3)
    record = fine.scene_record
    along = record.gauge[:, 0]
    left = record.gauge_left[0]
    assert along.max() > 0.05
    first = fine.time[np.argmax(along > 0.05)]
    assert first - 0.01 <= left <= first
    assert record.gauge_extremes[0, 1] == pytest.approx(along.max(), rel=1e-2)
    assert record.gauge_extremes[0, 1] >= along.max()


def test_refused_by_schemes_with_constant_rows() -> None:
    with pytest.raises(carom.InputError, match="bodies that turn"):
        carom.simulate(two_decks(), scheme="newmark", dt=1e-3, duration=1.0)


def test_structures_of_a_scene_may_yield() -> None:
    """Storeys that yield beside a contact whose friction is none: as Radau's method steps them without it."""
    rng = np.random.default_rng(3)
    left, right = (
        carom.ShearBuilding(
            masses=[3e4, 3e4], stiffnesses=stiffness, damping_ratio=0.03, storeys=carom.Bilinear(0.004, 0.1), name=name
        )
        for name, stiffness in (("left", 1.2e7), ("right", 3e7))
    )  # fmt: skip
    law = carom.law("kelvin-voigt", stiffness=1e8, restitution=0.6)
    contact = carom.Contact(("left", 2), ("right", 2), gap=0.005, law=law)
    motion = carom.Motion(3.0 * rng.normal(size=200), dt=0.02)
    judge = carom.simulate(
        carom.Problem([left, right], [contact], motion=motion), scheme="radau-iia-2", rtol=1e-8
    )  # fmt: skip
    smooth = contact.replace(tangent=1, friction=carom.Friction(0.0))
    run = carom.simulate(carom.Problem([left, right], [smooth], motion=motion), rtol=1e-8)
    assert run.impact_count == judge.impact_count > 0
    np.testing.assert_allclose(run.extremes[:, 0], judge.extremes[:, 0], rtol=1e-4)
