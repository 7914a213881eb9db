"""What becomes of seats: against histories by hand, and through a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import carom
from carom.joints import Elastomeric
from carom.results.space.unseating import seat_table

PAD = Elastomeric("1 MN/m")


@pytest.fixture(scope="module")
def run() -> carom.results.Simulation:
    """A deck on pads, off its centre, thrown east and turned: its west end leaves a short seat."""
    deck = carom.Deck(length="20 m", width="8 m", skew="20 deg", mass="200 t", name="span", at=(5.0, 2.0))
    problem = carom.Problem(
        [deck],
        bearings=[carom.Bearing(("span", corner), "ground", rule=PAD) for corner in ("sw", "se", "ne", "nw")],
        seats=[
            carom.Seat(("span", "w"), "ground", length="20 cm", name="west"),
            carom.Seat(("span", "e"), "ground", length="1 m", across="5 cm", name="east"),
        ],
        initial_velocity={"span": (1.2, 0.4, 0.05)},
    )
    return carom.simulate(problem, duration=2.0, rtol=1e-8)


def moved(run: carom.results.Simulation, corner: str) -> np.ndarray:
    """Return how a corner moved, from displacement and rotation of the deck, written out here."""
    deck = carom.Deck(length="20 m", width="8 m", skew="20 deg", mass="200 t", name="span")
    arm = deck.arm(corner)
    ux, uy, angle = run.displacement.T
    x = ux + np.cos(angle) * arm[0] - np.sin(angle) * arm[1] - arm[0]
    y = uy + np.sin(angle) * arm[0] + np.cos(angle) * arm[1] - arm[1]
    return np.stack([x, y], axis=1)


def test_seats_against_histories(run: carom.results.Simulation) -> None:
    found = run.unseating
    a = np.radians(20.0)
    inward, along_end = np.array([np.cos(a), -np.sin(a)]), np.array([-np.sin(a), -np.cos(a)])  # of the west end
    paths = np.stack([moved(run, corner) for corner in ("nw", "sw")], axis=1)
    np.testing.assert_allclose(found.along_history.sel(seat="west").values, paths @ inward, atol=1e-9)
    np.testing.assert_allclose(found.across_history.sel(seat="west").values, paths @ along_end, atol=1e-9)
    np.testing.assert_allclose(found.rotation_history.sel(seat="west").values, run.displacement[:, 2], atol=1e-12)
    west = found.sel(seat="west")
    assert bool(west.unseated)
    assert float(west.along) >= (paths @ inward).max() - 1e-12
    assert float(west.along) == pytest.approx((paths @ inward).max(), rel=2e-3)
    assert float(west.seat_left) == pytest.approx(0.2 - float(west.along))
    over = (paths @ inward) > 0.2
    first = int(over.any(axis=1).argmax())
    assert run.time[first - 1] < float(west.when) <= run.time[first]
    assert str(west.corner.item()) == ("nw", "sw")[int(over[first].argmax())]


def test_a_seat_may_be_lost_sideways(run: carom.results.Simulation) -> None:
    east = run.unseating.sel(seat="east")
    paths = np.stack([moved(run, corner) for corner in ("se", "ne")], axis=1)
    a = np.radians(20.0)
    across = np.abs(paths @ np.array([np.sin(a), np.cos(a)]))
    assert float(east.along) < 1.0
    assert bool(east.unseated)
    first = int((across > 0.05).any(axis=1).argmax())
    assert run.time[first - 1] < float(east.when) <= run.time[first]


def test_through_a_file(run: carom.results.Simulation, tmp_path: Path) -> None:
    again = carom.load(run.save(tmp_path / "run.nc"))
    assert again.deck_plan == run.deck_plan
    assert again.unseating.identical(run.unseating)
    assert seat_table(again.scene_record, again.deck_plan) == seat_table(run.scene_record, run.deck_plan)


def test_a_run_without_seats_says_how_to_state_them() -> None:
    mass = carom.Oscillator(mass=1.0, period=1.0)
    with pytest.raises(carom.InputError, match="unseating needs seats"):
        _ = carom.simulate(carom.Problem([mass], initial_velocity={0: 1.0}), duration=1.0).unseating
