"""What kernels say of an ending, and what a user reads: one number, one meaning."""

from __future__ import annotations

import numpy as np

from carom.integrate.outcomes import OF_IMPACT, OF_RUN, positions_of
from carom.kernels import endings
from carom.kernels.explicit import single_impact
from carom.results.outcome import OUTCOMES, words_of

CODES = {name: value for name, value in vars(endings).items() if name.isupper()}


def test_every_ending_has_a_number_and_an_outcome_of_its_own() -> None:
    assert len(set(CODES.values())) == len(CODES)
    assert set(OF_RUN) == set(CODES.values()) - {endings.UNUSUAL}
    assert len(set(OF_RUN.values())) == len(OF_RUN)


def test_single_impacts_and_runs_share_their_numbers() -> None:
    """Where both can end in one way; a separated impact is what a finished run is."""
    for name in CODES.keys() & vars(single_impact).keys():
        assert getattr(single_impact, name) == CODES[name]
    assert set(OF_IMPACT) & set(OF_RUN) == {endings.FINISHED, endings.STEP_LIMIT, endings.NOT_FINITE}


def test_numbers_become_words() -> None:
    for meaning in (OF_RUN, OF_IMPACT):
        numbers = np.array(list(meaning))
        found = positions_of(numbers, meaning)
        assert [OUTCOMES[position] for position in found] == list(meaning.values())
        assert words_of(found).tolist() == [outcome.word for outcome in meaning.values()]
