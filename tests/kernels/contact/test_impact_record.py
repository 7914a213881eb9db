"""The book of a contact: slopes of its force, also where the damping follows the rate."""

from __future__ import annotations

import math

import numpy as np
import pytest

from carom.kernels import rows
from carom.kernels.contact.impact_record import chi_of, close, closed_ones, lets_go_below, open_book, slopes_of
from carom.kernels.laws import power_law

OVERLAP = 2e-3


def contact(rate_at_touch: float) -> np.ndarray:
    """Hertzdamp with a guarded v0, touched at this rate."""
    row = np.zeros(rows.contact_size(0))
    row[power_law.STIFFNESS], row[power_law.EXPONENT] = 5e8, 1.5
    row[power_law.DAMPING], row[power_law.DAMPING_EXPONENT], row[power_law.RATE_POWER] = 3e8, 1.5, 1.0
    row[power_law.RESTITUTION_SHARE], row[rows.EFFECTIVE_MASS] = 1.0, 2000.0
    open_book(row)
    close(row, rate_at_touch, 0.0, 0.0)
    return row


def force_at(row: np.ndarray, overlap: float, rate: float) -> float:
    return power_law.force(row, chi_of(row, rate), overlap, math.sqrt(overlap), rate)


@pytest.mark.parametrize("rate", [0.1, 0.5])
def test_slopes_are_those_of_the_force(rate: float) -> None:
    """Above twice the rate at touch the damping follows the rate, and the force no longer depends on it."""
    row = contact(0.15)
    assert (rate > row[rows.FOLLOWS_ABOVE]) == (rate == 0.5)
    by_overlap, by_rate = slopes_of(row, chi_of(row, rate), OVERLAP, math.sqrt(OVERLAP), rate)
    step = 1e-6
    up, down = force_at(row, OVERLAP * (1 + step), rate), force_at(row, OVERLAP * (1 - step), rate)
    assert by_overlap == pytest.approx((up - down) / (2 * step * OVERLAP), rel=1e-8)
    up, down = force_at(row, OVERLAP, rate * (1 + step)), force_at(row, OVERLAP, rate * (1 - step))
    assert by_rate == pytest.approx((up - down) / (2 * step * rate), rel=1e-8, abs=1e-3)
    assert (by_rate == 0.0) == (rate == 0.5)


def test_a_contact_lets_go_where_its_force_pulls_and_not_where_it_fades() -> None:
    """At the rate −v*/d the law has no force: what a step may miss of the rate must not tell what becomes of it."""
    row, tolerance = contact(0.15), 1e-6
    row[rows.DEPTH], row[rows.PEAK_FORCE] = OVERLAP, force_at(row, OVERLAP, 0.15)
    least = lets_go_below(tolerance, chi_of(row, -0.1), row)
    fades = -row[power_law.STIFFNESS] / chi_of(row, -0.1)  # −v*/d [m/s]
    for missed, lets_go in ((0.0, False), (-tolerance, False), (-10.0 * tolerance, True)):
        assert (force_at(row, OVERLAP, fades + missed * row[rows.SPEED]) < least) == lets_go


def test_closed_ones_are_a_range() -> None:
    contacts = np.zeros((5, rows.contact_size(0)))
    assert closed_ones(contacts) == (5, 0)
    contacts[[1, 3], rows.STATUS] = rows.CLOSED
    contacts[2, rows.STATUS] = rows.RELEASED
    assert closed_ones(contacts) == (1, 4)
