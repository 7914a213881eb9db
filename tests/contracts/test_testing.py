"""`carom.testing` over all that is registered, and on laws, schemes and readers that break their contracts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.motions.samples import FORMATS, wave

import carom
import carom.testing
from carom.integrate.schemes import schemes
from carom.integrate.schemes.base import register_scheme
from carom.integrate.schemes.capability import Can
from carom.laws import DampedLaw, laws
from carom.motions.readers import READERS, Reader

G = 9.80665
SCHEMES = ("event", "moreau-jean", "newmark", "hht-alpha", "radau-iia-2", "gauss-2", "sdirk-3")


def usable(name: str) -> carom.laws.CompliantLaw:
    if not issubclass(laws.get(name), DampedLaw):
        return carom.law(name, stiffness=3e8)
    law = carom.law(name, stiffness=3e8, restitution=0.6)
    return law.calibrated(mass=3.0, velocity=0.7) if law.empirical else law


@pytest.mark.parametrize("name", laws.names())
def test_every_law(name: str) -> None:
    carom.testing.check_law(usable(name))


def test_a_law_with_wrong_slopes() -> None:
    kind = laws.get("hertz")

    @dataclass(frozen=True)
    class Wrong(kind):  # type: ignore[valid-type, misc]
        """F = K δ^1.5, with a slope that is not its own."""

        def derivatives(self, overlap: Any, rate: Any, **given: Any) -> Any:
            by_overlap, by_rate = super().derivatives(overlap, rate, **given)
            return 1.001 * by_overlap, by_rate

    with pytest.raises(AssertionError, match="derivatives: by overlap"):
        carom.testing.check_law(Wrong(stiffness=3e8))
    with pytest.raises(AssertionError, match="must be of a class derived from CompliantLaw"):
        carom.testing.check_law("hertz")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", SCHEMES)
def test_schemes(name: str) -> None:
    carom.testing.check_scheme(name)


@pytest.fixture
def scheme() -> Any:
    added: list[str] = []

    def add(name: str, run: Any, can: Can, order: int | None) -> str:
        register_scheme(name, can=can, order=order)(run)
        added.append(name)
        return name

    yield add
    for name in added:  # the registry is the process's own
        del schemes._members[name], schemes._aliases[name]
        schemes._lookup = {key: value for key, value in schemes._lookup.items() if value != name}


def test_a_scheme_that_does_not_keep_its_word(scheme: Any) -> None:
    newmark = schemes.get("newmark")

    def boasts(task: Any, *, dt: float | str | None = None) -> Any:
        """Newmark's method under another name."""
        return newmark(task, dt=dt)

    def again(task: Any, *, dt: float | str | None = None) -> Any:
        """The same."""
        return newmark(task, dt=dt)

    can = Can(compliant=True, impulsive=False, friction=False, yielding=True, coupled_damping=True)
    with pytest.raises(AssertionError, match=r"boasts says order 4; halving the step gains 2\^2"):
        carom.testing.check_scheme(scheme("boasts", boasts, can, 4))
    everything = Can(compliant=True, impulsive=True, friction=False, yielding=True, coupled_damping=True)
    with pytest.raises(Exception, match=r"impuls|stiffness|finite|NaN"):
        carom.testing.check_scheme(scheme("again", again, everything, 2))


@pytest.mark.parametrize("name", FORMATS)
def test_every_reader(name: str) -> None:
    make, options = FORMATS[name]
    carom.testing.check_reader(name, make(), wave() * G, 0.01, options=options)


def test_a_reader_that_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    make, options = FORMATS["peer-at2"]
    kind: type[Reader] = type(READERS.get("peer-at2"))
    sound = kind.read

    def fragile(self: Reader, document: Any, asked: Any) -> Any:
        found = sound(self, document, asked)
        if not np.allclose(found.acceleration, wave() * G):
            raise ZeroDivisionError("of a careless reader")
        return found

    monkeypatch.setattr(kind, "read", fragile)
    with pytest.raises(AssertionError, match="raises ZeroDivisionError"):
        carom.testing.check_reader("peer-at2", make(), wave() * G, 0.01, options=options)
    with pytest.raises(AssertionError, match="samples instead of"):
        carom.testing.check_reader("peer-at2", make(), wave(59) * G, 0.01, options=options)
