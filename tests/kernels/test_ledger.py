"""What a run that watches itself takes for a fault, and what not."""

from __future__ import annotations

import numpy as np
import pytest

from carom.kernels import endings, ledger, rows
from carom.kernels.laws import power_law

SPEED, SCALE = 0.2, 1e-4


def contact() -> np.ndarray:
    row = np.zeros(rows.contact_size(2))
    row[power_law.STIFFNESS], row[power_law.EXPONENT] = 1e9, 1.5
    row[rows.SPEED], row[rows.SCALE], row[rows.NOISE] = SPEED, SCALE, 1e-15
    return row


def account(supply: float = 100.0) -> np.ndarray:
    run = np.zeros(ledger.RUN_SIZE)
    ledger.put_settings(1e-6, 1e6, run)
    ledger.begin_account(run)
    run[ledger.AT_FIRST] = run[ledger.SUPPLY] = supply
    return run


@pytest.mark.parametrize(
    ("overlap", "fault"),
    [
        (0.0, 0.0),
        (0.5e-3 * SCALE, 0.0),
        (2e-3 * SCALE, endings.BEGAN_INSIDE),
        (-0.5e-3 * SCALE, 0.0),
        (-2e-3 * SCALE, endings.BEGAN_APART),
    ],
)
def test_a_touch_has_no_overlap(overlap: float, fault: float) -> None:
    run = account()
    ledger.watch_touch(3, overlap, 1.5, contact(), run)
    assert run[ledger.FAULT] == fault
    if fault:
        assert tuple(run[ledger.FAULT_CONTACT : ledger.ACCOUNT_SIZE]) == (3.0, 1.5, overlap)


@pytest.mark.parametrize(("told", "fault"), [(-0.1, 0.0), (-0.1 - 1e-3 * SPEED, endings.MOMENTUM_LOST)])
def test_modes_show_the_impulses(told: float, fault: float) -> None:
    run = account()
    ledger.watch_momentum(0, -0.1, told, 2.0, contact(), run)
    assert run[ledger.FAULT] == fault


def test_no_overlap_holds_more_than_there_was() -> None:
    """1e9·δ^{2.5}/2.5 is 100 J at δ = 2.29e-3 m."""
    for overlap, fault in ((2.2e-3, 0.0), (2.4e-3, endings.TOO_DEEP)):
        run, row = account(), contact()
        row[rows.PEAK_OVERLAP] = overlap
        ledger.watch_impact(1, 2.0, row, run)
        assert run[ledger.FAULT] == fault


@pytest.mark.parametrize(
    ("lost", "may", "fault"), [(-5e-5, 0.0, 0.0), (-5e-4, 0.0, endings.ENERGY_CREATED), (-5.0, 1.0, 0.0)]
)
def test_impacts_create_no_energy(lost: float, may: float, fault: float) -> None:
    run, row = account(), contact()
    run[ledger.MAY_CREATE], run[ledger.KINETIC] = may, 100.0
    row[rows.WORK] = lost
    ledger.count_impact(2, 4.0, row, run)
    ledger.watch_balance(9.0, run)
    assert run[ledger.FAULT] == fault
    if fault:
        assert tuple(run[ledger.FAULT_CONTACT : ledger.ACCOUNT_SIZE]) == (2.0, 4.0, -lost)


def test_what_a_contact_held_at_the_start_it_may_give_back() -> None:
    run, row = account(), contact()
    run[ledger.KINETIC], row[rows.WORK], row[rows.STORED_AT_START] = 100.0, -5.0, 5.0
    ledger.count_impact(0, 1.0, row, run)
    ledger.watch_balance(9.0, run)
    assert run[ledger.FAULT] == endings.NO_FAULT


def test_the_ledger_closes() -> None:
    for kinetic, fault in ((100.0 - 5e-3, 0.0), (100.0 - 5e-2, endings.LEDGER_OPEN)):
        run = account()
        run[ledger.KINETIC] = kinetic
        ledger.watch_balance(9.0, run)
        assert run[ledger.FAULT] == fault


def test_the_first_fault_counts() -> None:
    run = account()
    ledger.report_fault(endings.BEGAN_INSIDE, 1, 0.5, 1e-6, run)
    ledger.report_fault(endings.LEDGER_OPEN, -1, 9.0, 3.0, run)
    assert (run[ledger.FAULT], run[ledger.FAULT_TIME]) == (endings.BEGAN_INSIDE, 0.5)
