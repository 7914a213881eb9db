"""Whether an open contact may have closed, or a released one have opened and come back, inside a step."""

from __future__ import annotations

import numpy as np

from carom.kernels import rows
from carom.kernels.contact import collocation as c
from carom.kernels.contact.open_contacts import cubic_top, only_nears, stays_open, stays_open_between

NOISE = 1e-15
H = 6e-5  # [s]
SLOW, QUICK = 1e-3, 1.0  # [rad]


def along(g0: float, pace: float, bend: float) -> tuple[float, float, float, float]:
    """Overlap and rate at both ends of a step with this second derivative."""
    return g0, pace, g0 + pace * H + 0.5 * bend * H * H, pace + bend * H


def test_an_overlap_that_only_comes_near() -> None:
    g0, pace, g1, end_pace = along(-1e-7, 1e-3, -30.0)
    assert stays_open(H, 30.0, SLOW, False, g0, pace, g1, end_pace, NOISE)
    assert stays_open(H, 30.0, QUICK, False, g0, pace, g1, end_pace, NOISE)


def test_an_overlap_left_by_a_parting_that_only_moves_away() -> None:
    """The step ends before it is gone: where a contact alike parts a moment later."""
    g0, pace, g1, end_pace = along(1e-7, -1e-3, 5.0)
    assert g1 > NOISE
    for angle in (SLOW, QUICK):
        assert stays_open(H, 5.0, angle, False, g0, pace, g1, end_pace, NOISE)
        assert not stays_open(H, 50.0, angle, False, g0, pace, g1, end_pace, NOISE)


def test_a_touch_between_the_ends() -> None:
    """It rises above zero in the middle, and is below at both ends."""
    g0, pace, g1, end_pace = along(-1e-8, 1e-3, -33.0)
    assert g1 < 0.0
    for angle in (SLOW, QUICK):
        assert not stays_open(H, 33.0, angle, False, g0, pace, g1, end_pace, NOISE)


def test_a_released_contact_that_opens_and_comes_back() -> None:
    """Overlaps of released contacts change their sign: below zero they are still released."""
    g0, pace, g1, end_pace = along(-4e-10, 9e-4, -33.0)
    assert g1 < 0.0
    for angle in (SLOW, QUICK):
        assert not stays_open(H, 33.0, angle, True, g0, pace, g1, end_pace, NOISE)


def test_a_released_contact_that_opens_for_good() -> None:
    g0, pace, g1, end_pace = along(-4e-10, 9e-4, -20.0)
    assert g1 > 0.0
    assert stays_open(H, 20.0, SLOW, True, g0, pace, g1, end_pace, NOISE)


def test_from_node_to_node_more_is_proved() -> None:
    """The bound over a whole step shrinks with the square of its parts; what does touch is seen all the same."""
    bend = 33.0
    times = np.append(0.0, c.TIMES[c.PLAIN]) * H
    for start, proved in ((-2.0e-8, True), (-1e-8, False)):
        row = np.zeros(rows.contact_size(0))
        overlaps, rates = start + 1e-3 * times - 0.5 * bend * times**2, 1e-3 - bend * times
        row[rows.DEPTH], row[rows.PACE], row[rows.NOISE] = overlaps[0], rates[0], NOISE
        row[rows.OVERLAP : rows.OVERLAP + 4], row[rows.RATE : rows.RATE + 4] = overlaps[1:], rates[1:]
        whole = stays_open(H, 3.0 * bend, QUICK, False, overlaps[0], rates[0], overlaps[-1], rates[-1], NOISE)
        assert not whole
        assert stays_open_between(c.PLAIN, H, 3.0 * bend, QUICK, 1.0, False, row) == proved


def test_a_released_contact_between_nodes() -> None:
    """Open at a node and released at the end: it came back."""
    row = np.zeros(rows.contact_size(0))
    times = np.append(0.0, c.TIMES[c.PLAIN]) * H
    overlaps, rates = 4e-10 - 9e-4 * times + 0.5 * 33.0 * times**2, -9e-4 + 33.0 * times
    row[rows.DEPTH], row[rows.PACE], row[rows.NOISE] = overlaps[0], rates[0], NOISE
    row[rows.OVERLAP : rows.OVERLAP + 4], row[rows.RATE : rows.RATE + 4] = overlaps[1:], rates[1:]
    assert overlaps[2] < 0.0 < overlaps[-1]
    assert not stays_open_between(c.PLAIN, H, 33.0, SLOW, -1.0, False, row)


def test_a_touch_before_the_one_at_which_a_step_ends() -> None:
    """sin(ωt) about −1/2 rises through zero at 30 and 390 degrees: a step that ends at the latter has missed one."""
    omega = 2000.0
    for degrees, first in ((29.9, True), (389.9, False)):
        late = np.radians(degrees)
        start, h = np.sin(0.1) - 0.5, (late - 0.1) / omega
        depth = np.sin(late)  # where the step ends, the overlap is zero
        g0, pace, end_pace = start + 0.5 - depth, omega * np.cos(0.1), omega * np.cos(late)
        bend = omega * omega * (1.0 + omega * h)
        assert only_nears(h, bend, omega * h, g0, pace, end_pace, NOISE) == first


def test_a_touch_without_speed_at_the_end_of_a_short_step() -> None:
    """Where nothing else tells, the cubic of a short step does: no step is halved for ever."""
    assert only_nears(H, 30.0, SLOW, -1e-9, 1e-5, 0.0, NOISE)
    assert not only_nears(H, 100.0, SLOW, -1e-12, 1e-3, 1e-3, NOISE)


def test_cubics_that_rise_fall_and_rise_have_a_crest() -> None:
    s = np.linspace(0.0, 1.0, 20001)
    for r0, r1, g0, g1 in (
        (4.0, 4.0, -0.1, 0.0),
        (-3.0, -5.0, -1.0, -0.9),
        (-1.0, 2.0, -0.2, -0.1),
        (2.0, -1.0, 0.0, 0.3),
    ):
        a, b = r0 + r1 - 2.0 * (g1 - g0), 3.0 * (g1 - g0) - 2.0 * r0 - r1
        cubic = g0 + s * (r0 + s * (b + s * a))
        np.testing.assert_allclose(cubic_top(1.0, g0, r0, g1, r1), cubic.max(), atol=1e-7)
