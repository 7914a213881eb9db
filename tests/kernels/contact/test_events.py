"""Where in a solved step a rate is largest, whatever the clock of the step."""

from __future__ import annotations

import numpy as np
import pytest

from carom.kernels import rows
from carom.kernels.contact import collocation as c
from carom.kernels.contact import events


@pytest.mark.parametrize("kind", range(c.KINDS))
@pytest.mark.parametrize("bend", [3.0, -3.0])
def test_a_rate_that_rises_all_the_time_has_no_top(kind: int, bend: float) -> None:
    """Where a step ends at a separation time stands still in s: slopes there would be rounding's."""
    row, h = np.zeros(rows.contact_size(1)), 1e-8
    row[rows.PACE] = 0.02
    for i in range(c.POINTS):
        row[rows.RATE + i] = 0.02 + bend * h * c.TIMES[kind, i]
    for i in range(c.POINTS):
        value = events.value_at(events.TOP, kind, 1e-6, row, i)
        assert value * bend > 0.01 * bend * bend * h
