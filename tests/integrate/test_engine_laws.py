"""Every law of the catalogue in two oscillators that pound, against the naive second implementation.

Its forces come from `tests.naive`, spelled out law by law from the papers.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.naive import LAWS
from tests.naive_pounding import NaiveContact, naive_pounding

import carom
from carom.laws import DampedLaw, laws

DEFAULT = carom.motions.get("default")
SHAKE = carom.Motion(DEFAULT.acceleration[150:400], dt=DEFAULT.dt)
MASS, STIFF, ZETA, GAP, E = np.array([4600.0, 3500.0]), np.array([2.11e6, 5.31e6]), 0.02, 0.014, 0.6
EFFECTIVE = MASS.prod() / MASS.sum()


def settled(name: str, **options: object) -> tuple[carom.laws.CompliantLaw, float]:
    """A law, and what `tests.naive` takes beside stiffness: restitution, or damping where none is published."""
    kind = laws.get(name)
    stiffness = 8e7 if kind.n == 1.0 else 2e9
    if not issubclass(kind, DampedLaw):
        return kind(stiffness=stiffness, **options), E
    law = kind(stiffness=stiffness, restitution=E, **options)
    if law.empirical:
        law = law.calibrated(mass=EFFECTIVE, velocity=0.3)
        return law, float(law.damping)
    return law, E


def pair(law: carom.laws.CompliantLaw) -> carom.Problem:
    towers = [
        carom.Oscillator(mass=m, stiffness=k, damping_ratio=ZETA, name=name)
        for m, k, name in zip(MASS, STIFF, ("left", "right"), strict=True)
    ]
    return carom.Problem(towers, [carom.Contact("left", "right", gap=GAP, law=law)], motion=SHAKE)


def test_the_naive_implementation_knows_every_law() -> None:
    ours = {name for name in laws.names() if laws.get(name).__module__.startswith("carom.laws.")}  # tests add their own
    assert ours == set(LAWS)


@pytest.mark.parametrize("name", laws.names())
def test_against_the_naive_implementation(name: str) -> None:
    law, parameter = settled(name)
    contact = NaiveContact(
        np.array([1.0, -1.0]), GAP, lambda v: LAWS[name](law.stiffness, parameter, EFFECTIVE, v)
    )  # fmt: skip
    slow = naive_pounding(
        np.diag(MASS), np.diag(2.0 * ZETA * np.sqrt(STIFF * MASS)), np.diag(STIFF), [contact], SHAKE.acceleration,
        SHAKE.dt, np.zeros(2), np.zeros(2), parts=6,
    )  # fmt: skip
    fast = carom.simulate(pair(law), rtol=1e-6)
    assert fast.outcome.word == "finished"
    assert 3 <= len(slow.impacts) <= 8
    touching = slow.displacement[-1] @ contact.row > GAP  # which the naive one does not list: it has not ended
    parted = fast.table["ended"] == 1.0
    assert parted.tolist() == [True] * len(slow.impacts) + [False] * bool(touching)
    np.testing.assert_allclose(fast.extremes[:, 0], slow.peaks, rtol=1e-5)
    np.testing.assert_allclose(fast.displacement, slow.displacement, atol=1e-5 * slow.peaks.max())
    _, start, duration, peak = np.array(slow.impacts).T
    np.testing.assert_allclose(fast.table["start"][parted], start, atol=1e-6)
    np.testing.assert_allclose(fast.table["duration"][parted], duration, rtol=1e-4)
    np.testing.assert_allclose(fast.table["peak_force"][parted], peak, rtol=1e-4)
