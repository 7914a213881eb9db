"""Random scenes of two decks with friction, judged by a second integrator with its own geometry and laws."""

from __future__ import annotations

import pytest

from tests.judge.scene_check import compare

SEEDS = (1, 5, 6, 11)
"""Those that the judge is done with soonest; `python -m tests.judge.scene_check` goes through others."""


@pytest.mark.parametrize("seed", SEEDS)
def test_random_scenes(seed: int) -> None:
    found = compare(seed, growth=False, samples=17)
    assert found.agree, found
    assert found.impacts[0] > 0
