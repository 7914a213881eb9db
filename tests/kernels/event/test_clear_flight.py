"""Buildings in clear flight from sample to sample against the same buildings row by row."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import carom
from carom.integrate.tables.general import tables_of
from carom.kernels import rows
from carom.kernels.contact import node_forces
from carom.kernels.event import clear_flight
from carom.kernels.event import engine as pounding
from carom.kernels.event.floor_sums import SUMS
from carom.kernels.modal.extremes import leaves_chord
from tests.kernels.modal.test_extremes import DENSE, quantities, ratios, signed

Array = npt.NDArray[np.float64]


@settings(max_examples=150, deadline=None)
@given(signed, signed, signed, signed, st.floats(0.05, 250.0), ratios)
def test_no_quantity_leaves_its_chord_further_than_told(
    u: float, v: float, load: float, slope: float, omega: float, ratio: float
) -> None:
    h, decay = 1.0, ratio * omega
    values = quantities(u, v, load, slope, omega, decay, h)
    w = load - 2.0 * decay * v - omega**2 * u
    jerk = slope - 2.0 * decay * w - omega**2 * v
    chord = np.linspace(0.0, 1.0, DENSE)
    for kind in range(3):
        by_bend, by_jerk = leaves_chord(kind, omega, decay, h)
        left = values[:, kind] - (values[0, kind] + chord * (values[-1, kind] - values[0, kind]))
        most = by_bend * abs(w) + by_jerk * abs(jerk)
        assert np.abs(left).max() <= most * (1.0 + 1e-9) + 1e-9 * (1.0 + np.abs(values[:, kind]).max())


def test_bodies_without_springs_leave_their_chords_along_a_parabola() -> None:
    assert leaves_chord(0, 0.0, 0.0, 0.2) == pytest.approx((0.2**2 / 8.0, 0.2**3 / 8.0))


def towers(**changes: object) -> carom.Problem:
    """Five storeys, nine and twelve: tiles that are not full; the last stands on ground that moves later.

    The ground rests, moves strongly, then weakly.
    """
    rng = np.random.default_rng(11)
    row = [
        carom.ShearBuilding(masses=rng.uniform(8e4, 2e5, n), stiffnesses=[stiffness] * n, damping_ratio=0.12, name=name)
        for name, n, stiffness in (("low", 5, 4e8), ("middle", 9, 9e7), ("high", 12, 3e8))
    ]
    law = carom.law("hertzdamp", stiffness=3e9, restitution=0.6)
    contacts = [
        carom.Contact(("low", 5), ("middle", 5), gap=0.06, law=law),
        carom.Contact(("middle", 9), ("high", 9), gap=0.07, law=law),
    ]
    strong = 5.0 * np.sin(7.0 * np.arange(0.0, 2.0, 0.01)) * np.hanning(200)
    shaken = np.concatenate([np.zeros(30), strong, 0.3 * rng.normal(size=400)])
    motion = carom.Motion(shaken, dt=0.01)
    motions = {"low": motion, "middle": motion, "high": (motion, 0.05)}
    return carom.Problem(row, contacts, motion=motions).replace(**changes)


@pytest.fixture
def flown_clear(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """From and to which samples clear flights go; it runs as plain Python here, and is told so."""
    monkeypatch.setenv("CAROM_BACKEND", "python")
    flown: list[tuple[int, int]] = []
    fly = clear_flight.clear_flight

    def noted(i: int, *rest: object) -> int:
        to = fly(i, *rest)
        flown.append((i, to))
        return to

    monkeypatch.setattr(pounding, "clear_flight", noted)
    return flown


def test_clear_flights_change_no_peak_and_no_impact(
    flown_clear: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The very same impacts, peaks, histories and energies but for rounding, and many samples are flown so."""
    problem = towers()
    run = carom.simulate(problem)
    assert sum(to - i for i, to in flown_clear) > 200
    monkeypatch.setattr(pounding, "clear_flight", lambda i, *rest: i)
    plain = carom.simulate(problem)
    assert run.table["start"].size == plain.table["start"].size > 3
    np.testing.assert_allclose(run.extremes, plain.extremes, rtol=1e-11)
    np.testing.assert_allclose(run.displacement, plain.displacement, atol=1e-11)
    np.testing.assert_allclose(run.velocity, plain.velocity, atol=1e-10)
    for name in ("input", "kinetic", "strain", "damping", "contact"):
        np.testing.assert_allclose(run.ledger[name], plain.ledger[name], atol=1e-9 * plain.ledger["input"].max())


def test_no_sample_that_is_flown_over_holds_a_peak(flown_clear: list[tuple[int, int]]) -> None:
    """Sampled ten times as finely, nothing in such a sample comes up to the peaks when it began."""
    problem = towers(contacts=[])
    carom.simulate(problem)
    over = [i for first, last in flown_clear for i in range(first, last)]
    flown_clear.clear()
    fine = carom.simulate(problem, sampling=0.001)
    assert {0, 10, 28} < set(over)
    assert len(over) > 100
    for quantity in ("displacement", "velocity", "acceleration"):
        sizes = np.abs(getattr(fine, quantity))
        before = np.maximum.accumulate(sizes, axis=0)
        for i in over:
            assert (sizes[10 * i + 1 : 10 * i + 11] <= 1.001 * before[10 * i]).all()


def test_tiles_hold_all_modes_or_there_are_none() -> None:
    floors = np.zeros((6, rows.floor_size(20, 0)))
    floors[:, rows.FIRST], floors[:, rows.LAST] = [0, 0, 0, 9, 9, 9], [9, 9, 9, 20, 20, 20]
    assert clear_flight.tile_count(20, floors) == 2 + 2
    assert clear_flight.tile_count(22, floors) == 2 + 2 + 2  # two that move nobody, as grounds that differ do
    floors[1, rows.LAST] = 8  # a floor that stands still in the last mode of its building
    assert clear_flight.tile_count(20, floors) == 0


def test_scratch_ends_where_the_last_reach_does() -> None:
    """Nothing is written behind it: what stands there is as it was."""
    tables = tables_of(towers().flat())
    assert tables.side_by_side
    modes, contacts, floors = tables.modes, tables.contacts, tables.floors
    end = clear_flight.scratch_size(modes.shape[0], contacts.shape[0], True, floors)
    assert tables.small.size == end + node_forces.room_together(contacts.shape[0])
    room = np.full(end + 8, 7.0)
    small = room[:end]
    tiles = clear_flight.lay_tiles(0.01, towers().flat().drives.which, modes, contacts, floors, small)
    assert tiles == 1 + 2 + 2 + 2
    first = clear_flight.tiles_at(modes.shape[0], floors.shape[0])
    flown, stepped = tiles * (clear_flight.TILE + 2 * clear_flight.WIDTH), tiles * clear_flight.STEP_TILE
    assert first + flown + stepped == small.size
    assert (room[small.size :] == 7.0).all()
    assert (small[first : first + flown] != 7.0).all()


def test_without_buildings_there_are_no_tiles() -> None:
    pair = [carom.Oscillator(mass=1e5, period=period, damping_ratio=0.05) for period in (0.5, 0.9)]
    tables = tables_of(carom.Problem(pair, []).flat())
    assert not tables.side_by_side
    assert tables.small.size == SUMS


def test_a_floor_that_stands_still_in_some_mode_is_moved_by_all_of_its_building() -> None:
    """A storey as stiff as rock has a mode of its own, of which other floors feel nothing but rounding, or nothing."""
    stiff = carom.ShearBuilding(masses=[2e5] * 10, stiffnesses=[3e8] * 5 + [5e13] + [3e8] * 4, damping_ratio=0.05)
    tables = tables_of(carom.Problem([stiff], []).flat())
    assert (tables.floors[:, rows.FIRST] == 0).all()
    assert (tables.floors[:, rows.LAST] == 10).all()
    assert clear_flight.tile_count(10, tables.floors) == 2
