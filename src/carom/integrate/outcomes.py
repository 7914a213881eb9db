"""How a run or an impact ended: the numbers of kernels as outcomes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from carom.kernels import endings
from carom.results import OUTCOMES, Outcome

__all__ = ["OF_IMPACT", "OF_RUN", "positions_of"]

OF_RUN: Mapping[int, Outcome] = {
    endings.FINISHED: Outcome.FINISHED,
    endings.STEP_LIMIT: Outcome.STEP_LIMIT,
    endings.NOT_FINITE: Outcome.NOT_FINITE,
    endings.UNTRUSTED: Outcome.UNTRUSTED,
    endings.NO_SOLUTION: Outcome.NO_SOLUTION,
    endings.SINGULAR: Outcome.SINGULAR,
    endings.UNDERFLOW: Outcome.STEP_UNDERFLOW,
    endings.NOT_COMPLEMENTARY: Outcome.NOT_COMPLEMENTARY,
}
"""Of a run, by whichever scheme. `endings.UNUSUAL` is none: the general engine takes such a run over."""
OF_IMPACT: Mapping[int, Outcome] = {
    endings.SEPARATED: Outcome.SEPARATED,
    endings.HELD_TOGETHER: Outcome.HELD,
    endings.PLASTIC: Outcome.PLASTIC,
    endings.STEP_LIMIT: Outcome.STEP_LIMIT,
    endings.NOT_FINITE: Outcome.NOT_FINITE,
}
"""Of a single impact."""


def positions_of(numbers: npt.NDArray[np.int64], meaning: Mapping[int, Outcome]) -> npt.NDArray[np.int8]:
    """Return kernels' numbers as results keep outcomes: positions in `OUTCOMES`."""
    positions = np.zeros(max(meaning) + 1, dtype=np.int8)
    for number, outcome in meaning.items():
        positions[number] = OUTCOMES.index(outcome)
    return positions[numbers]
