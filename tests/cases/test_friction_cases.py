"""Cases of friction: all that closed forms and the paper print comes out; numbers as verification.md has them."""

from __future__ import annotations

import pytest
from tests.reproduced import reproduce

from carom.results import Verdict


@pytest.mark.parametrize("name", ["friction-closed-forms", "zhu2002-test2"])
def test_every_row_is_reproduced(name: str) -> None:
    rows = reproduce(name).rows
    assert {row.verdict for row in rows if row.published is not None} == {Verdict.REPRODUCED}
    assert len([row for row in rows if row.published is not None]) >= 7


def test_the_girder_of_zhu2002_turns_and_drifts() -> None:
    """Our own numbers, which the paper does not print: they move only where the model does."""
    found = {row.quantity: row.computed for row in reproduce("zhu2002-test2").rows}
    assert found["2D case: largest rotation"] == pytest.approx(12.9, abs=0.3)
    assert found["1D case: largest x"] == pytest.approx(8.15, abs=0.05)
