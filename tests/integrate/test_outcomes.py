"""What kernels say of an ending, and what a user reads: one number, one meaning."""

from __future__ import annotations

import numpy as np

from carom.integrate.outcomes import OF_IMPACT, OF_RUN, positions_of
from carom.integrate.schemes.watch import FAULTS
from carom.kernels import endings
from carom.results.outcome import OUTCOMES, words_of

NAMED = {name: value for name, value in vars(endings).items() if name.isupper()}
CODES = {name: value for name, value in NAMED.items() if isinstance(value, int)}
SEEN = {name: value for name, value in NAMED.items() if isinstance(value, float)}
"""What was found wrong."""


def test_every_number_has_one_meaning() -> None:
    assert len(set(CODES.values())) == len(CODES)
    between_kernels = {endings.UNUSUAL, endings.SOLVED, endings.COMES_NEAR, endings.NEEDS_ROOM}
    assert set(OF_RUN) | set(OF_IMPACT) == set(CODES.values()) - between_kernels
    assert set(OF_IMPACT) & set(OF_RUN) == {endings.STEP_LIMIT, endings.NOT_FINITE}
    assert len(set(OF_RUN.values())) == len(OF_RUN)
    assert len(set(SEEN.values())) == len(SEEN)
    assert set(FAULTS) == set(SEEN.values()) - {endings.NO_FAULT}


def test_numbers_become_words() -> None:
    for meaning in (OF_RUN, OF_IMPACT):
        numbers = np.array(list(meaning))
        found = positions_of(numbers, meaning)
        assert [OUTCOMES[position] for position in found] == list(meaning.values())
        assert words_of(found).tolist() == [outcome.word for outcome in meaning.values()]
