"""The tableau proves itself: order conditions, and the same numbers as SciPy's DOP853."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate._ivp import dop853_coefficients as scipy_table

from carom.kernels.explicit.single_impacts.dormand_prince import (
    E3,
    E5,
    ESTIMATE_3,
    ESTIMATE_5,
    SOLUTION,
    STAGES,
    TABLE,
    A,
    B,
    C,
)


def test_rows_sum_to_the_nodes() -> None:
    np.testing.assert_allclose(A.sum(axis=1), C, atol=1e-14)


@pytest.mark.parametrize("order", range(1, 9))
def test_quadrature_conditions(order: int) -> None:
    """B(8): Σ b c^{k−1} = 1/k."""
    assert B @ C ** (order - 1) == pytest.approx(1.0 / order, abs=1e-14)


@pytest.mark.parametrize("k", range(1, 7))
def test_conditions_of_second_level(k: int) -> None:
    """Σ b_i a_ij c_j^{k−1} c_i = 1/(k(k+2)), a family of conditions up to order eight."""
    assert (B * C) @ (A @ C ** (k - 1)) == pytest.approx(1.0 / (k * (k + 2)), abs=1e-13)


def test_estimates_vanish_for_low_degrees() -> None:
    for k in range(5):
        assert E5 @ C**k == pytest.approx(0.0, abs=1e-14)
    for k in range(3):
        assert E3 @ C**k == pytest.approx(0.0, abs=1e-14)
    assert abs(E5 @ C**5) > 1e-4


def test_same_as_scipy() -> None:
    np.testing.assert_array_equal(A, scipy_table.A[:STAGES, :STAGES])
    np.testing.assert_array_equal(B, scipy_table.B)
    np.testing.assert_array_equal(E5, scipy_table.E5[:STAGES])


def test_table_joins_the_parts() -> None:
    np.testing.assert_array_equal(TABLE[:, :STAGES], A.T)
    np.testing.assert_array_equal(TABLE[:, [SOLUTION, ESTIMATE_3, ESTIMATE_5]].T, [B, E3, E5])
