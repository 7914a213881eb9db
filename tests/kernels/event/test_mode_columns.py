"""Modes side by side against direct integration, and whether a peak may rise against the plain rule."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from carom.backends import compiled
from carom.kernels import rows
from carom.kernels.contact import collocation as c
from carom.kernels.contact.accept import Series, series_at
from carom.kernels.event import floor_bounds, floor_sums, mode_columns, mode_table
from carom.kernels.modal.energy import squares_between

OMEGA = np.array([0.0, 40.0, 180.0, 600.0, 1250.0])
ZETA = np.array([0.0, 0.05, 1.2, 0.02, 0.05])
H = 2e-3  # 2.5 radians of the quickest
FORCES = np.array([3e5, 8e5, -2e5])  # at the nodes
AT_ENDS = (1e5, 4e5)  # of the step: beside what a parabola through the nodes would be there
PARABOLA = np.poly1d(np.polyfit(c.S[c.PLAIN, :3] * H, FORCES, 2))
QUARTIC = np.poly1d(np.polyfit(c.FIVE[c.PLAIN] * H, [AT_ENDS[0], *FORCES, AT_ENDS[1]], 4))
START = 4e-3  # of the step, in its sample


def world() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Modes in motion under a load, one closed contact that pushes them, a pair and scratch."""
    count = OMEGA.size
    random = np.random.default_rng(7)
    modes = np.zeros((count, rows.MODE_SIZE))
    modes[:, rows.OMEGA], modes[:, rows.SIGMA], modes[:, rows.MASS] = OMEGA, ZETA * OMEGA, 1.0
    contacts = np.zeros((1, rows.contact_size(count)))
    contacts[0, rows.LEVER :: 2], contacts[0, rows.LEVER + 1 :: 2] = random.normal(size=(2, count)) * 1e-3
    mode_table.prepare_modes(0.01, 3.0, modes, contacts)
    modes[:, rows.Q], modes[:, rows.V] = random.normal(size=(2, count)) * [[0.1], [1.0]]
    modes[:, rows.LOAD], modes[:, rows.SLOPE] = random.normal(size=(2, count)) * [[5.0], [300.0]]
    contacts[0, rows.STATUS] = rows.CLOSED
    contacts[0, rows.AT_NODES : rows.AT_NODES + 3] = FORCES
    contacts[0, rows.FORCE], contacts[0, rows.AT_END] = AT_ENDS
    pairs, small = np.zeros((1, rows.PAIR_SIZE)), np.zeros(floor_sums.small_size(count, 1, True))
    mode_columns.fill_columns(modes, small)
    mode_columns.fill_pairs(modes.shape[0], contacts, pairs, small)
    return modes, contacts, pairs, small


def moved(modes: np.ndarray, contacts: np.ndarray, force: np.poly1d, until: float) -> np.ndarray:
    """Return displacements and velocities at a time of a plain step, by solve_ivp."""
    push = contacts[0, rows.LEVER + 1 :: 2]

    def motion(t: float, y: np.ndarray) -> np.ndarray:
        q, v = y.reshape(2, -1)
        load = modes[:, rows.LOAD] + modes[:, rows.SLOPE] * (START + t) - push * force(t)
        return np.concatenate([v, load - modes[:, rows.TWICE] * v - modes[:, rows.SQUARE] * q])

    begun = np.concatenate([modes[:, rows.Q], modes[:, rows.V]])
    out = solve_ivp(motion, (0.0, until), begun, method="DOP853", rtol=1e-12, atol=1e-14, max_step=1e-4)
    return out.y[:, -1].reshape(2, -1)


def test_a_step_of_a_few_radians() -> None:
    """Free motion, what a force makes of it, and from the end back, where it is a quartic: all of one step."""
    modes, contacts, _, small = world()
    count = OMEGA.size
    end_q, end_v = moved(modes, contacts, PARABOLA, H)
    terms = mode_columns.by_fours(mode_columns.long_terms(2.5, 1e-9))
    mode_columns.expand_columns(rows.Q, START, mode_columns.FREE_POWERS, terms, modes, small)
    for p in range(terms):
        moments = c.MOMENTS[c.PLAIN, p, 9:12] @ FORCES
        contacts[0, rows.MOMENT + c.LONG * c.END + p] = H ** (p + 1) * moments
    mode_columns.carry_columns(H, terms, count, contacts, small)
    at = mode_columns.column_at(mode_columns.END_Q, count)
    np.testing.assert_allclose(small[at : at + count], end_q, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(small[at + count : at + 2 * count], end_v, rtol=1e-10, atol=1e-11)

    middle = moved(modes, contacts, QUARTIC, 0.3 * H)
    modes[:, rows.Q], modes[:, rows.V] = moved(modes, contacts, QUARTIC, H)
    mode_columns.forced_columns(H, START + H, terms, modes, contacts, small)
    at = mode_columns.column_at(mode_columns.BACK_POWERS, count)
    found = np.array([series_at(-0.7 * H, Series(small, 0, at + k, count, terms)) for k in range(count)]).T
    np.testing.assert_allclose(found, middle, rtol=1e-9, atol=1e-10)


def test_how_overlaps_answer_an_impulse() -> None:
    _, contacts, pairs, _ = world()
    reach, push = contacts[0, rows.LEVER :: 2], contacts[0, rows.LEVER + 1 :: 2]
    t, damped = 1.5e-3, OMEGA * np.sqrt(np.abs(1.0 - ZETA**2))
    under = np.exp(-ZETA * OMEGA * t) * np.sin(damped * t) / np.maximum(damped, 1e-300)
    over = np.exp(-ZETA * OMEGA * t) * np.sinh(damped * t) / np.maximum(damped, 1e-300)
    answers = np.where(OMEGA == 0.0, t, np.where(ZETA < 1.0, under, over))
    series = pairs[0, rows.ANSWER :] @ t ** np.arange(c.LONG)
    assert series == pytest.approx(reach @ (push * answers), rel=1e-12)


def test_squares_of_a_quartic() -> None:
    """Hermite's quintic is exact where the velocity is a quartic."""
    speed, t = np.poly1d([3.0, -1.0, 0.4, 2.0, -0.7]), 0.8
    place, pull = speed.integ(), speed.deriv()
    found = squares_between(place(0.0), place(t), speed(0.0), speed(t), pull(0.0), pull(t), t)
    assert found == pytest.approx(quad(lambda s: speed(s) ** 2, 0.0, t)[0], rel=1e-12)


@pytest.mark.parametrize(
    ("peak", "pushed", "everyone", "expected"),
    [(1.04, 0.0, False, []), (1.0, 0.0, False, [5]), (1.04, 1.0, False, [5]), (1.04, 0.0, True, list(range(9)))],
)
def test_a_crest_between_two_samples_stirs(peak: float, pushed: float, everyone: bool, expected: list[int]) -> None:
    """cos t from −0.2 to 0.2: both ends are below 1, and cannot lead above 1.01; who is pushed always counts."""
    modes, count, t = 4, 9, 0.4
    small = np.zeros(floor_sums.small_size(modes, count, True))
    columns = small[floor_sums.floor_columns_at(modes) :][: floor_sums.FLOOR_COLUMNS * count].reshape(-1, count)
    columns[floor_sums.HIGHEST : floor_sums.HIGHEST + 3] = 9.0
    columns[floor_sums.HIGHEST, 5], columns[floor_sums.PUSHED, 5] = peak, pushed
    for column, at in ((floor_sums.BEGAN, -0.2), (floor_sums.ENDED, 0.2)):
        columns[column, 5], columns[column + 1, 5] = np.cos(at), -np.sin(at)
    compiled(floor_bounds.note_candidates)(t, everyone, modes, count, small)
    assert np.flatnonzero(columns[floor_sums.SEEKS]).tolist() == expected


@pytest.mark.parametrize("seed", range(40))
def test_no_crest_between_two_samples_is_overlooked(seed: int) -> None:
    """Two vibrations over up to two and a half radians of the quicker one, bent any way; a third of them has a crest.

    One case is plain to see: 28.16 rising at the start of a step, 25.49 and falling at its end; a crest lies between,
    though the tangents at both ends meet before it begins.
    """
    rng = np.random.default_rng(seed)
    size, phase, part = rng.normal(size=2), rng.uniform(0.0, 6.3, 2), rng.uniform(0.1, 1.0)
    turn = 2.5 * np.array([1.0, part]) * rng.uniform(0.2, 1.0)
    x = np.linspace(0.0, 1.0, 2001)
    value = size @ np.cos(np.outer(turn, x) + phase[:, None])
    rise = -(size * turn) @ np.sin(np.outer(turn, [0.0, 1.0]) + phase[:, None])
    inner, ends = np.abs(value).max(), max(abs(value[0]), abs(value[-1]))
    if inner > (1.0 + 1e-6) * ends:
        peak = rng.uniform(ends, inner)
        assert floor_bounds.cubic_may_rise(value[0], rise[0], value[-1], rise[1], peak)
    assert floor_bounds.cubic_may_rise(28.162, 515.8 * 5.884e-3, 25.491, -290.4 * 5.884e-3, 28.163)


@pytest.mark.parametrize("many", [1, 7, 8, 13, 40])
def test_sums_in_any_order_are_the_sums(many: int) -> None:
    """Compiled, several numbers are added at once; plain Python adds them one by one."""
    random = np.random.default_rng(many)
    count, start, first = 48, 3, mode_columns.FREE_POWERS + 4
    small = random.normal(size=mode_columns.column_at(mode_columns.MODE_COLUMNS, count))
    weights = random.normal(size=many)
    columns = [mode_columns.column_at(first + j, count) + start for j in range(4)]
    expected = [float(weights @ small[at : at + many]) for at in columns]
    for sums in (mode_columns.four_sums, compiled(mode_columns.four_sums)):
        np.testing.assert_allclose(sums(weights, start, first, count, small), expected, rtol=1e-12, atol=1e-13)
