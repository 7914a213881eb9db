"""Sums over modes, side by side, against one after the other; crests of cubics against their roots."""

from __future__ import annotations

import math

import numpy as np
import pytest

from carom.backends import compiled
from carom.kernels import rows
from carom.kernels.event import floor_sums
from carom.kernels.event.peak_search import cubic_crest
from carom.kernels.tables import Tables

# degrees of freedom, the first mode that moves them and the one after the last: two buildings, two oscillators between
# them, and a building whose middle floor stands still in its last mode
BLOCKS = [(6, 0, 6), (1, 6, 7), (1, 7, 8), (9, 8, 17), (2, 17, 22), (1, 17, 21), (2, 17, 22)]


@pytest.mark.parametrize("state", [rows.Q, rows.Q_END])
def test_every_sum_is_the_plain_one_to_the_last_bit(state: int) -> None:
    """Relative accelerations differ from absolute ones by the ground's, which all modes of a building share."""
    random = np.random.default_rng(4)
    count, dofs, t = 22, sum(size for size, _, _ in BLOCKS), 0.3
    modes = random.normal(size=(count, rows.MODE_SIZE))
    floors = np.zeros((dofs, rows.floor_size(count, 1)))
    d = 0
    for size, first, last in BLOCKS:
        floors[d : d + size, rows.FIRST], floors[d : d + size, rows.LAST] = first, last
        floors[d : d + size, rows.SHAPE + first : rows.SHAPE + last] = random.normal(size=(size, last - first))
        d += size
    for first, last in {(first, last) for _, first, last in BLOCKS if (first, last) != (17, 21)}:
        ground, change = random.normal(size=2)
        modes[first:last, rows.LOAD] = modes[first:last, rows.STEADY] - ground * modes[first:last, rows.PARTICIPATION]
        modes[first:last, rows.SLOPE] = -change * modes[first:last, rows.PARTICIPATION]
    loads = modes[:, rows.LOAD] + modes[:, rows.SLOPE] * t - modes[:, rows.STEADY]
    modes[:, state + 2] = modes[:, state + 3] + loads
    support = np.zeros(count, dtype=np.int64)
    small = np.full(floor_sums.small_size(count, dofs, True), np.nan)
    compiled(floor_sums.copy_shapes)(support, modes, floors, small)
    compiled(floor_sums.sum_all)(state, t, modes, floors, small)
    nothing = np.zeros((0, 1))
    tables = Tables(modes, nothing, nothing, floors, small, nothing[:, 0], side_by_side=True)
    for d in range(dofs):
        expected = np.zeros(rows.STATE)
        for k in range(count):
            expected = expected + floors[d, rows.SHAPE + k] * modes[k, state : state + rows.STATE]
        found = floor_sums.floor_state(d, state, tables)
        assert found[:2] + found[3:] == (*expected[:2], *expected[3:])
        assert found[2] == pytest.approx(expected[2], rel=1e-12, abs=1e-12)


def test_without_buildings_there_is_no_scratch_for_sums() -> None:
    assert not floor_sums.gains_side_by_side(floor_sums.FEW - 1)
    assert floor_sums.gains_side_by_side(floor_sums.FEW)
    assert floor_sums.small_size(6, 6, False) == floor_sums.SUMS
    assert floor_sums.small_size(18, 18, True) > floor_sums.SUMS + 18 * (rows.STATE + 18)


@pytest.mark.parametrize("rise", [-3.0, -1e-9, 0.0, 0.2, 5.0])
@pytest.mark.parametrize(("d0", "d1"), [(1.0, -1.0), (-0.3, 2.0), (1e-9, -4.0), (7.0, -1e-9)])
def test_a_cubic_is_extreme_where_its_slope_vanishes(rise: float, d0: float, d1: float) -> None:
    """The slope is d0 + 2bs + 3cs² with c = d0 + d1 − 2·rise; its signs at 0 and 1 differ, so one root lies between."""
    roots = np.roots([3.0 * (d0 + d1 - 2.0 * rise), 2.0 * (3.0 * rise - 2.0 * d0 - d1), d0])
    (expected,) = [root for root in roots.real if 0.0 < root < 1.0]
    assert math.isclose(cubic_crest(rise, d0, d1), expected, rel_tol=1e-6)
