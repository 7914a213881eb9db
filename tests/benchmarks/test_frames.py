"""The frames of the benchmarks: a single column has the closed form of a cantilever."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import _frames


def test_a_column_is_a_cantilever() -> None:
    """A force at its head moves it by L³/3EI and turns it by L²/2EI; along it by L/EA."""
    side, length = 0.4, _frames.STOREY
    column = _frames.frame(1, 1, 1, side, "column", [])
    flexible = np.linalg.inv(column.stiffness_matrix)
    bending = _frames.YOUNG * side**4 / 12.0
    for way, turn, sign in ((0, 4, 1.0), (1, 3, -1.0)):
        assert flexible[way, way] == pytest.approx(length**3 / (3.0 * bending))
        assert flexible[turn, way] == pytest.approx(sign * length**2 / (2.0 * bending))
    assert flexible[2, 2] == pytest.approx(length / (_frames.YOUNG * side**2))


def test_a_beam_holds_the_heads_of_columns() -> None:
    """Two columns and a beam are stiffer than two cantilevers, and softer than columns whose heads cannot turn."""
    bare, framed = (_frames.frame(1, wide, 1, 0.4, "frame", []) for wide in (1, 2))
    sway = np.linalg.inv(framed.stiffness_matrix)[0, 0]
    alone = np.linalg.inv(bare.stiffness_matrix)[0, 0]
    assert alone / 8.0 < sway < alone / 2.0  # two columns, and each four times as stiff where its head cannot turn
