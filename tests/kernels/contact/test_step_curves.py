"""Curves of a step in contact, against the same curves on a fine grid."""

from __future__ import annotations

import numpy as np
import pytest

from carom.kernels.contact.collocation import FIVE, KINDS, time_map
from carom.kernels.contact.step_curves import crest


@pytest.mark.parametrize("kind", range(KINDS))
@pytest.mark.parametrize("at", [0.03, 0.5, 0.9, 0.97, 0.99])
def test_a_crest_of_what_is_smooth_in_time(kind: int, at: float) -> None:
    """In s it is flat where a step begins at a touch or ends at a parting, and need not bend down at a node."""
    time, _ = time_map(kind, FIVE[kind])
    values = 1.0 - (time - at) ** 2
    quartic = np.polynomial.Polynomial.fit(FIVE[kind], values, 4)
    s, top = crest(kind, *values)
    assert top == pytest.approx(quartic(np.linspace(0.0, 1.0, 20001)).max(), abs=1e-8)
    assert top == pytest.approx(quartic(s), abs=1e-12)


@pytest.mark.parametrize("kind", range(KINDS))
def test_an_end_that_all_rises_to(kind: int) -> None:
    time, _ = time_map(kind, FIVE[kind])
    assert crest(kind, *time) == pytest.approx((1.0, 1.0), abs=1e-2)  # flat there, in s⁴
    assert crest(kind, *(1.0 - time)) == pytest.approx((0.0, 1.0), abs=1e-2)
