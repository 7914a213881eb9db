"""A contact by its label or its number."""

from __future__ import annotations

import pytest
from tests.studies.test_restitution import pull_back

import carom
from carom.results import contact_number, steady_state

LABELS = ("roof", "a | b", "7")


@pytest.mark.parametrize(("name", "number"), [("roof", 0), ("a | b", 1), (1, 1), ("1", 1), ("7", 2)])
def test_label_first_then_number(name: int | str, number: int) -> None:
    assert contact_number(LABELS, name, owner="test") == number


@pytest.mark.parametrize(
    ("labels", "name", "words"),
    [
        (LABELS, 3, "must be a label, or a number from 0 to 2. Got 3. Contacts: roof, a | b, 7."),
        (LABELS, -1, "number from 0 to 2"),
        (LABELS, True, "number from 0 to 2"),
        (LABELS, "rof", "Unknown contact 'rof'. Did you mean 'roof'"),
        ((), 0, "test needs a problem with contacts"),
    ],
)
def test_no_such_contact(labels: tuple[str, ...], name: int | str, words: str) -> None:
    with pytest.raises(carom.InputError) as refused:
        contact_number(labels, name, owner="test")
    assert words in str(refused.value)


def test_runs_take_either() -> None:
    run = carom.simulate(pull_back(), duration=1.0)
    assert steady_state(run, 2.0, contact="left | right") == steady_state(run, 2.0, contact=0)
    with pytest.raises(carom.InputError, match="Unknown contact"):
        steady_state(run, 2.0, contact="roof")
