"""Friction of slabs that face each other: buildings that turn, frames with rigid slabs; coefficients in ensembles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import carom

LAW = carom.law("hertzdamp", stiffness=2e9, restitution=0.6)
T = np.arange(300) * 0.01
WAVE = 5.0 * np.sin(9.0 * T) * np.exp(-0.2 * T)
SHAKEN = {"x": carom.Motion(WAVE, dt=0.01), "y": carom.Motion(0.7 * WAVE[::-1], dt=0.01)}


def frames(friction: Any, law: Any = LAW) -> carom.Problem:
    """Two concrete frames of two storeys and one, side by side but not in line."""

    def frame(name: str, x: float, y: float, storeys: int, side: float) -> carom.Frame:
        return carom.Frame.moment_frame(
            storeys=[3.2] * storeys, bays=[6.0], rows=[5.0], columns=carom.Section.rectangle(side, side),
            beams=carom.Section.rectangle(0.3, 0.5), material=carom.Material.concrete(), slab="600 kg/m^2",
            origin=(x, y, 0.0), damping_ratio=0.05, name=name,
        )  # fmt: skip

    pair = [frame("a", 0.0, 0.0, 2, 0.35), frame("b", 6.001, 1.0, 1, 0.5)]
    return carom.Problem(pair, [carom.facing("a", "b", gap=0.001, law=law, friction=friction)], motion=SHAKEN)


def towers(friction: Any, **more: Any) -> carom.Problem:
    """Two storeys that turn, the second turned in plan too."""
    given: dict[str, Any] = {"masses": [1e5], "torsional_stiffnesses": 6e9, "width": 10.0, "depth": 12.0}
    left = carom.TorsionalBuilding(
        **given, stiffnesses_x=2e7, stiffnesses_y=2.5e7, damping_ratio=0.05, name="left", **more
    )
    right = left.replace(origin=(10.001, 0.0), stiffnesses_x=6e7, name="right")
    return carom.Problem(
        [left, right], [carom.facing("left", "right", gap=0.001, law=LAW, friction=friction)], motion=SHAKEN
    )


def test_frames_without_a_coefficient_are_frames_without_friction() -> None:
    smooth, event = carom.simulate(frames(carom.Friction(0.0)), rtol=1e-8), carom.simulate(frames(None), rtol=1e-8)
    assert smooth.evidence["path"] == "scene" != event.evidence["path"]
    assert smooth.impact_count == event.impact_count > 0
    np.testing.assert_allclose(smooth.peak_force, event.peak_force, rtol=1e-6)
    np.testing.assert_allclose(smooth.displacement, event.displacement, atol=1e-7 * np.abs(event.displacement).max())


def test_slabs_of_frames_rub() -> None:
    run = carom.simulate(frames(carom.Friction(0.4, 0.3)), rtol=1e-6)
    touches = run.force > 0.0
    rubbed = np.abs(run.scene_record.friction[..., 0])
    assert rubbed[touches].max() > 0.0
    assert (rubbed <= 0.4 * run.force * (1.0 + 1e-9) + 1e-9).all()
    assert run.ledger["friction"][-1] > 0.0
    assert np.abs(run.ledger["residual"]).max() < 1e-6 * run.ledger["input"].max()


def test_facing_says_what_contacts_would() -> None:
    friction = carom.Friction(0.4)
    facing = towers(friction)
    corners = [corner.replace(tangent="y", friction=friction) for corner in towers(None).pairs]
    for got, by_hand in zip(facing.pairs, corners, strict=True):
        assert got.tangent == ((-0.0, 1.0), (-0.0, 1.0))
        assert got.replace(tangent="y") == by_hand
    runs = [carom.simulate(problem, rtol=1e-6) for problem in (facing, facing.replace(contacts=tuple(corners)))]
    np.testing.assert_array_equal(runs[0].force, runs[1].force)
    rigid = carom.facing("left", "right", gap=0.001, law=carom.law("newton", restitution=0.4, friction=0.4))
    impulsive = carom.simulate(facing.replace(contacts=(rigid,)))
    assert np.abs(impulsive.impacts["friction_impulse"]).max() > 0.0


def test_coefficients_vary_in_ensembles() -> None:
    mu = [0.1, 0.5]
    many = carom.ensemble(towers(carom.Friction(0.4, 0.3)), vary={"friction": mu}, rtol=1e-6)
    for i, one in enumerate(mu):
        run = carom.simulate(towers(carom.Friction(one, 0.75 * one)), rtol=1e-6)
        np.testing.assert_allclose(many.extremes[i], run.extremes, rtol=1e-6)
    with pytest.raises(carom.InputError, match="friction"):
        carom.ensemble(towers(None), vary={"friction": mu})
    with pytest.raises(carom.InputError, match="must not be negative"):
        carom.ensemble(towers(carom.Friction(0.4)), vary={"friction": [-0.1]})
