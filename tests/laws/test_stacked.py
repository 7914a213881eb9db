"""Laws taken together, against each alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import carom
from carom.laws.base import CompliantLaw, DampedLaw
from carom.laws.stacked import grouped


def drawn(rng: np.random.Generator) -> CompliantLaw:
    """Return a random law of the catalogue, with random options and with restitution, damping or both."""
    kinds = sorted(carom.laws.laws, key=lambda law: law.name)
    kind = kinds[int(rng.integers(len(kinds)))]
    given: dict[str, Any] = {"stiffness": rng.uniform(1e6, 1e9), "tension": bool(rng.integers(2))}
    given["v0"] = str(rng.choice(["guarded", "published"]))
    if issubclass(kind, DampedLaw):
        known = kind(stiffness=1.0, damping=0.1).damping_from_restitution(0.5) is not None
        if not known or rng.random() < 0.5:
            given["damping"] = rng.uniform(0.0, 2.0)
        if "damping" not in given or rng.random() < 0.5:
            given["restitution"] = rng.uniform(0.35, 1.0)
    return kind(**given)


@pytest.mark.parametrize("seed", range(4))
def test_each_has_the_coefficients_that_it_has_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    laws = [drawn(rng) for _ in range(600)]
    masses = rng.uniform(1e3, 1e6, len(laws))
    groups = grouped(laws)
    assert sorted(i for group in groups for i in group.members) == list(range(len(laws)))
    assert len({type(group.first) for group in groups}) == len({type(law) for law in laws}) >= 22
    for group in groups:
        which = rng.permutation(len(group.members))  # in any order
        found = group.taken(which).power_form(masses[group.members][which]).packed()
        for row, i in zip(np.atleast_2d(found), which, strict=True):
            alone = laws[group.members[i]].power_form(masses[group.members[i]]).packed()
            np.testing.assert_allclose(row, alone, rtol=1e-13)


def test_a_law_alone_of_its_kind_stays_what_it_is() -> None:
    laws = [carom.law("hertz", stiffness=1e9), carom.law("hertz", stiffness=1e9, tension=False)]
    assert [group.taken(np.zeros(3, dtype=int)) for group in grouped(laws)] == laws


def test_a_law_with_an_option_that_cannot_be_compared_is_a_group_of_its_own() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Listed(type(carom.law("hertz", stiffness=1e9))):
        remarks: Any = None

    laws = [Listed(stiffness=k, remarks=[]) for k in (1e6, 2e6, 1e6)]
    assert [group.members for group in grouped(laws)] == [[0], [1], [2]]
