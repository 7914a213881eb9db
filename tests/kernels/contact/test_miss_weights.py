"""What a miss of a force does to stiff structures."""

from __future__ import annotations

import numpy as np
import pytest

from carom.kernels import ledger, rows
from carom.kernels.contact import miss_weights
from carom.kernels.event import floor_sums
from carom.kernels.tables import Tables


@pytest.mark.parametrize("side_by_side", [False, True])
def test_a_miss_counts_in_the_speed_of_a_stiff_structure(side_by_side: bool) -> None:
    """A force of 1 N for a moment leaves shape·push/ω in a floor: beside its own peak, but not beside nothing."""
    omega, push, shape = 6e3, 0.7, 0.5
    modes, contacts = np.zeros((1, rows.MODE_SIZE)), np.zeros((1, rows.contact_size(1)))
    floors, small = np.zeros((1, rows.floor_size(1, 1))), np.zeros(floor_sums.small_size(1, 1, True))
    contacts[0, rows.STATUS] = rows.CLOSED
    contacts[0, rows.LEVER : rows.LEVER + 2] = push
    contacts[0, rows.RECENT_SPEED] = 0.2
    modes[0, rows.OMEGA], modes[0, rows.QUICK] = omega, 1.0
    floors[0, rows.LAST], floors[0, rows.SHAPE] = 1.0, shape
    tables = Tables(modes, contacts, np.zeros((1, 1)), floors, small, np.zeros(ledger.RUN_SIZE), side_by_side)
    left = miss_weights.MISS_SHARE * shape * push / omega
    for peak, counted in ((4e-3, 4e-3), (0.0, miss_weights.LEAST_OWN * 0.2)):
        floors[0, rows.PEAKS + 1] = peak
        miss_weights.weigh_misses(1e-3, tables)
        assert contacts[0, rows.OWN_ANSWER] == pytest.approx(left / counted)
    assert contacts[0, rows.OWN_RATE] == omega
    modes[0, rows.QUICK] = 0.0
    miss_weights.weigh_misses(1e-3, tables)
    assert contacts[0, rows.OWN_ANSWER] == 0.0
