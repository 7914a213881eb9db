"""First touches in free flight against dense sampling and brentq on motions written out in closed form."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from carom.backends import compiled
from carom.kernels import rows
from carom.kernels.contact import step as contact_step
from carom.kernels.contact.collocation import TERMS
from carom.kernels.contact.events import NO_CONTACT
from carom.kernels.event import flight, mode_table
from carom.kernels.event.flight_peaks import fill_state
from carom.kernels.event.touches import next_touch

DT = 0.02


def system(
    omegas: list[float], state: list[tuple[float, float]], levers: list[list[float]], gaps: list[float],
    loads: list[tuple[float, float]] | None = None, zeta: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Modes in flight and open contacts, as a run prepares them."""
    modes = np.zeros((len(omegas), rows.MODE_SIZE))
    contacts = np.zeros((len(gaps), rows.contact_size(len(omegas))))
    for c, gap in enumerate(gaps):
        contacts[c, rows.GAP] = gap
        contacts[c, rows.LEVER :: 2] = levers[c]
        contacts[c, rows.STATUS] = rows.OPEN
    for k, omega in enumerate(omegas):
        modes[k, rows.OMEGA], modes[k, rows.SIGMA] = omega, zeta * omega
        modes[k, rows.MASS] = 1.0
    mode_table.prepare_modes(DT, 1.0, modes, contacts)
    for k in range(len(omegas)):
        modes[k, rows.Q], modes[k, rows.V] = state[k]
        if loads:
            modes[k, rows.LOAD], modes[k, rows.SLOPE] = loads[k]
    fill_state(modes, rows.Q, 0.0)
    return modes, contacts


def vibration(omega: float, zeta: float, q: float, v: float, load: float, slope: float) -> Callable:
    """The textbook's answer of an oscillator (ζ < 1) or of a free mass to a load that is linear in time."""
    if omega == 0.0:
        return lambda t: q + v * t + load * t**2 / 2 + slope * t**3 / 6
    w2, wd, decay = omega**2, omega * math.sqrt(1 - zeta**2), zeta * omega
    b = slope / w2
    a = (load - 2 * decay * b) / w2
    c1 = q - a
    c2 = (v - b + decay * c1) / wd
    return lambda t: a + b * t + np.exp(-decay * t) * (c1 * np.cos(wd * t) + c2 * np.sin(wd * t))


def overlap(modes: np.ndarray, contact: np.ndarray, zeta: float = 0.0) -> Callable:
    parts = [vibration(row[rows.OMEGA], zeta, *row[[rows.Q, rows.V, rows.LOAD, rows.SLOPE]]) for row in modes]
    reach = contact[rows.LEVER :: 2]
    return lambda t: sum(r * part(t) for r, part in zip(reach, parts, strict=True)) - contact[rows.GAP]


def witness(f: Callable, length: float, points: int = 20001) -> tuple[float | None, float]:
    """The first upward crossing, and how near zero f comes before it at a local maximum, both by sampling."""
    t = np.linspace(0.0, length, points)
    y = f(t)
    ups = np.flatnonzero((y[:-1] < 0.0) & (y[1:] >= 0.0))
    stop = ups[0] if ups.size else points - 1
    inner = y[1:stop]
    tops = inner[(inner >= y[: stop - 1]) & (inner >= y[2 : stop + 1])] if stop > 2 else np.zeros(0)
    margin = float(np.abs(tops).min()) if tops.size else math.inf
    if not ups.size:
        return None, min(margin, abs(float(y[-1])))
    return brentq(f, t[ups[0]], t[ups[0] + 1], xtol=1e-17, rtol=1e-14), margin


def by_moving(
    modes: np.ndarray, contact: np.ndarray, sign: float = 1.0, find: Callable = flight.first_crossing
) -> float:
    """What the finder by moving the modes says of a contact."""
    flight.move(modes, 0.0, DT, rows.Q_END)
    return find(sign, contact, modes, 0.0, DT)


def crossings(modes: np.ndarray, contacts: np.ndarray, c: int = 0, sign: float = 1.0) -> tuple[float, float]:
    """What both finders say of a contact."""
    contact_step.expand(0.0, TERMS, modes, contacts)
    return flight.series_crossing(sign, contacts[c], DT), by_moving(modes, contacts[c], sign)


numbers = st.floats(-1.0, 1.0, allow_subnormal=False)
coarse = st.integers(-1000, 1000).map(lambda n: n / 1000.0)  # squares of smaller ones would vanish


@settings(max_examples=150, deadline=None)
@given(
    angles=st.tuples(st.floats(0.0, 0.45), st.floats(0.01, 0.45)),
    state=st.tuples(numbers, numbers, numbers, numbers),
    load=st.tuples(numbers, numbers),
    level=st.floats(0.001, 1.0),
    zeta=st.sampled_from([0.0, 0.05, 0.5]),
)
def test_slow_modes_both_finders(angles, state, load, level: float, zeta: float) -> None:
    """Over a sample that is short for every mode: by power series, and by moving modes."""
    omegas = [angle / DT if angle > 4e-3 else 0.0 for angle in angles]  # the witness divides by its cube
    motion = [(1e-3 * state[0], 0.05 * state[1]), (1e-3 * state[2], 0.05 * state[3])]
    loads = [(50.0 * load[0], 2e4 * load[1]), (0.0, 0.0)]
    free, contacts = system(omegas, motion, [[1.0, -1.0]], [0.0], loads, zeta)
    f = overlap(free, contacts[0], zeta)
    values = f(np.linspace(0.0, DT, 201))
    size = np.ptp(values)
    assume(size > 1e-7)
    gap = float(values[0] + level * size)  # between nearly touching and out of reach
    modes, contacts = system(omegas, motion, [[1.0, -1.0]], [gap], loads, zeta)
    expected, margin = witness(overlap(modes, contacts[0], zeta), DT)
    assume(margin > 1e-6 * size)  # grazes have a test of their own
    assume(expected is None or expected < 0.999 * DT)  # at the very end rounding decides
    series, moved = crossings(modes, contacts)
    if expected is None:
        assert series == moved == flight.NO_TOUCH
    else:
        assert moved == pytest.approx(expected, rel=1e-9, abs=1e-7 * DT)
        assert series == pytest.approx(expected, rel=1e-5, abs=1e-5 * DT)  # the series leaves 0.5⁹/9! out


@settings(max_examples=150, deadline=None)
@given(
    angles=st.tuples(st.floats(0.01, 3.0), st.floats(1.0, 60.0), st.floats(1.0, 300.0)),
    size=st.tuples(numbers, numbers, numbers),
    phase=st.tuples(*[st.floats(0.0, 6.28)] * 3),
    gap=st.floats(0.0, 1.5),
    zeta=st.sampled_from([0.0, 0.02, 0.7]),
    slope=numbers,
)
@example(angles=(1.0, 20.0, 300.0), size=(0.5, 0.5, 0.1), phase=(0.0, 3.0, 3.0), gap=0.9, zeta=0.0, slope=0.0)
def test_quick_modes_by_moving_them(angles, size, phase, gap: float, zeta: float, slope: float) -> None:
    """Up to fifty periods within a sample: the very first crossing."""
    omegas = [angle / DT for angle in angles]
    motion = [(a * math.cos(p), -a * w * math.sin(p)) for a, p, w in zip(size, phase, omegas, strict=True)]
    loads = [(0.0, slope * omegas[0] ** 2 / DT), (0.0, 0.0), (0.0, 0.0)]
    modes, contacts = system(omegas, motion, [[1.0, 1.0, -1.0]], [gap], loads, zeta)
    f = overlap(modes, contacts[0], zeta)
    assume(f(0.0) < -1e-6)
    expected, margin = witness(f, DT)
    assume(margin > 1e-4)
    assume(expected is None or expected < 0.999 * DT)
    found = by_moving(modes, contacts[0])
    if expected is None:
        assert found == flight.NO_TOUCH
    else:
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_double_crossing_inside_a_sample() -> None:
    """Both ends open, an overlap of a nanometre in between: a free mass thrown against a pull, in closed form."""
    for over in (1e-4, 1e-7, 1e-9, 1e-12):
        pull, top = 20.0, 0.37 * DT
        gap = 0.5 * pull * top**2 - over
        modes, contacts = system([0.0], [(0.0, pull * top)], [[1.0]], [gap], [(-pull, 0.0)])
        first = top - math.sqrt(2 * over / pull)
        for found in crossings(modes, contacts):
            assert found == pytest.approx(first, rel=1e-6)


def test_a_near_miss_is_a_miss() -> None:
    for under in (1e-4, 1e-7, 1e-9, 1e-12):
        pull, top = 20.0, 0.37 * DT
        modes, contacts = system([0.0], [(0.0, pull * top)], [[1.0]], [0.5 * pull * top**2 + under], [(-pull, 0.0)])
        assert crossings(modes, contacts) == (flight.NO_TOUCH, flight.NO_TOUCH)


def test_a_graze_ends_and_hides_nothing_behind_it() -> None:
    """An exact tangency may count either way, but the search ends, and a crossing behind it is found."""
    omega = 2.5 * math.pi / DT
    modes, contacts = system([omega], [(0.0, omega)], [[1.0]], [1.0])  # sin ωt meets 1 at ωt = π/2 and no more
    for found in (by_moving(modes, contacts[0]),):
        assert found == flight.NO_TOUCH or found == pytest.approx(0.5 * math.pi / omega, rel=1e-6)
    # f = (t − a)² (t − b)·k − with the double root at a, the crossing at b
    a, b, k = 0.3 * DT, 0.8 * DT, 50.0
    state = (-k * a * a * b, k * (a * a + 2 * a * b))
    load = (-2 * k * (2 * a + b), 6 * k)
    modes, contacts = system([0.0], [state], [[1.0]], [0.0], [load])
    for found in crossings(modes, contacts):
        assert found == pytest.approx(a, rel=1e-5) or found == pytest.approx(b, rel=1e-9)


def test_leaving_the_other_body_is_no_touch_and_returning_is_one() -> None:
    """At the start δ = 0 and moving apart; a pull brings the mass back, or does not within the sample."""
    pull = 30.0
    for back, touches in ((0.6 * DT, True), (1.5 * DT, False)):
        modes, contacts = system([0.0], [(0.0, -0.5 * pull * back)], [[1.0]], [0.0], [(pull, 0.0)])
        for found in crossings(modes, contacts):
            assert found == (pytest.approx(back, rel=1e-12) if touches else flight.NO_TOUCH)


def test_pressing_at_once() -> None:
    modes, contacts = system([0.0], [(0.0, 0.1)], [[1.0]], [0.0])
    assert crossings(modes, contacts) == (0.0, 0.0)


def test_opening_of_a_released_contact() -> None:
    """sign = −1: when an overlap falls through zero."""
    modes, contacts = system([0.0], [(1e-3, -0.1)], [[1.0]], [0.0])
    for found in crossings(modes, contacts, sign=-1.0):
        assert found == pytest.approx(0.01, rel=1e-12)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("smooth", [False, True])
def test_of_two_contacts_the_earlier_counts(swap: bool, smooth: bool) -> None:
    """Two free masses, each before its own wall: touches at 12 ms and, slower but nearer, at 9 ms."""
    state = [(0.0, 0.5), (0.0, 0.2)]
    levers, gaps = [[1.0, 0.0], [0.0, 1.0]], [0.5 * 0.012, 0.2 * 0.009]
    if swap:
        levers, gaps = levers[::-1], gaps[::-1]
    modes, contacts = system([0.0, 0.0], state, levers, gaps)
    flight.move(modes, 0.0, DT, rows.Q_END)
    fill_state(modes, rows.Q_END, DT)
    when, whom = next_touch(0.0, DT, smooth, modes, contacts)
    assert whom == (0 if swap else 1)
    assert when == pytest.approx(0.009, rel=1e-12)
    assert contacts[1 if swap else 0, rows.CROSSING] == pytest.approx(0.012, rel=1e-12)


def test_nobody_near() -> None:
    modes, contacts = system([0.0, 0.0], [(0.0, 0.5), (0.0, 0.2)], [[1.0, 0.0], [0.0, 1.0]], [1.0, 1.0])
    flight.move(modes, 0.0, DT, rows.Q_END)
    fill_state(modes, rows.Q_END, DT)
    assert next_touch(0.0, DT, True, modes, contacts) == (DT, NO_CONTACT)


@settings(max_examples=100, deadline=None)
@given(
    angle=st.floats(0.0, 50.0), q=coarse, v=coarse, load=coarse, slope=coarse, share=st.floats(0.01, 1.0),
    zeta=st.sampled_from([0.0, 0.05, 0.9]),
)  # fmt: skip
def test_leeway_bounds_what_it_says(
    angle: float, q: float, v: float, load: float, slope: float, share: float, zeta: float
) -> None:
    """Overlap and rate never leave their chords further than the bound: what clears a sample."""
    omega = angle / DT if angle > 1e-3 else 0.0
    scale = max(omega, 1.0)
    given_load = (load * scale**2, slope * scale**3)
    modes, contacts = system([omega], [(q, v * scale)], [[1.0]], [0.0], [given_load], zeta)
    h = share * DT
    rise, rush = flight.leeway(contacts[0], modes, rows.Q, 0.0, h)
    f = overlap(modes, contacts[0], zeta)
    t = np.linspace(0.0, h, 41)
    size = np.abs(f(t)).max() + abs(q) + abs(load)
    chord = f(0.0) + (f(h) - f(0.0)) * t / h
    assert (f(t) - chord).max() <= rise * (1 + 1e-9) + 1e-11 * size
    speeds = []
    for at in t:
        flight.move(modes, 0.0, at, rows.Q_END)
        speeds.append(modes[0, rows.V_END])
    line = np.linspace(speeds[0], speeds[-1], t.size)
    assert np.abs(speeds - line).max() <= rush * (1 + 1e-9) + 1e-11 * size * scale


def test_compiled_finders_are_the_same() -> None:
    modes, contacts = system([40.0, 900.0], [(0.0, 0.5), (1e-3, 0.1)], [[1.0, -1.0]], [3e-3])
    plain = by_moving(modes, contacts[0])
    assert plain > 0.0
    fast = by_moving(modes, contacts[0], find=compiled(flight.first_crossing))
    assert fast == pytest.approx(plain, rel=1e-13)
