"""A share of `python -m tests.space.falling`."""

from __future__ import annotations

import pytest
from tests.space.falling import SCHEMES, looked_at


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_body_falls_through_a_floor_or_creeps_on_it(scheme):
    wrong = [seen for seed in range(7_000_000, 7_000_012) if (seen := looked_at(seed, scheme)).wrong]
    assert not wrong, wrong
