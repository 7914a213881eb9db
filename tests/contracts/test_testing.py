"""`carom.testing` over all that is registered, and on laws, joints, schemes and readers that break their contracts."""

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
from carom.joints import GapStop, InternalSpring, joints, register_joint
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
    class Wrong(kind):
        """F = K δ^1.5, with a slope that is not its own."""

        def derivatives(self, overlap: Any, rate: Any, **given: Any) -> Any:
            by_overlap, by_rate = super().derivatives(overlap, rate, **given)
            return 1.001 * by_overlap, by_rate

    with pytest.raises(AssertionError, match="derivatives: by overlap"):
        carom.testing.check_law(Wrong(stiffness=3e8))
    with pytest.raises(AssertionError, match="must be of a class derived from CompliantLaw"):
        carom.testing.check_law("hertz")


DRIFT, ELASTIC = 0.01, 4e5
JOINTS = [name for name in joints.names() if issubclass(joints.get(name), InternalSpring)]
"""Those of storeys; bearings are held to the contract in `tests/joints/test_bearings`."""


@pytest.mark.parametrize("name", JOINTS)
def test_every_joint(name: str) -> None:
    kind: Any = joints.get(name)
    joint = kind(DRIFT, ELASTIC) if issubclass(kind, GapStop) else kind(DRIFT)
    carom.testing.check_joint(joint.bound_to(ELASTIC), deformation=4.0 * DRIFT)


@pytest.fixture
def joint() -> Any:
    """Return a bilinear storey with other functions, or other data of its class."""
    added: list[str] = []

    def add(**changes: Any) -> Any:
        made = type("Wrong", (carom.Bilinear,), {"__doc__": "Broken.", "name": "wrong", **changes})
        added.append("wrong")
        return register_joint(dataclass(frozen=True)(made))(DRIFT, 0.1).bound_to(ELASTIC)

    yield add
    for name in added:
        del joints._members[name], joints._aliases[name]
        joints._lookup = {key: value for key, value in joints._lookup.items() if value != name}


def sound(numbers: Any, memory: Any, d: Any, rate: Any, after: Any) -> Any:
    apart, slope = memory[0], 0.0
    if abs(d + apart) > numbers[1]:
        apart, slope = (numbers[1] if d + apart > 0.0 else -numbers[1]) - d, -numbers[0]
    after[0] = apart
    return numbers[0] * apart, slope, 0.0


def remembers_trials(numbers: Any, memory: Any, d: Any, rate: Any, after: Any) -> Any:
    found = sound(numbers, memory, d, rate, after)
    memory[0] = after[0]
    return found


def wrong_slope(numbers: Any, memory: Any, d: Any, rate: Any, after: Any) -> Any:
    f, slope, by_rate = sound(numbers, memory, d, rate, after)
    return f, 1.01 * slope, by_rate


def prestressed(numbers: Any, memory: Any, d: Any, rate: Any, after: Any) -> Any:
    f, slope, by_rate = sound(numbers, memory, d, rate, after)
    return f + 1.0, slope, by_rate


def drags(numbers: Any, memory: Any, d: Any, rate: Any, after: Any) -> Any:
    f, slope, _ = sound(numbers, memory, d, rate, after)
    return f + 100.0 * rate, slope, 100.0


def pushes(numbers: Any, memory: Any, d: Any, rate: Any, after: Any) -> Any:
    return -5e4 * rate, 0.0, -5e4


def forgets(numbers: Any, memory: Any, d: Any, rate: Any, after: Any) -> Any:
    after[0] = 0.5 * d + 0.5 * memory[0]
    return -numbers[0] * after[0], -0.5 * numbers[0], 0.0


def absolute(numbers: Any, memory: Any, d: Any, rate: Any, after: Any) -> Any:
    return numbers[0] * d * d * d * 1e4, numbers[0] * d * d * 3e4, 0.0


def quartic(numbers: Any, memory: Any, d: Any) -> float:
    return numbers[0] * d**4 * 2.5e3


def nothing(numbers: Any, memory: Any, d: Any) -> float:
    return 0.0


def generous(numbers: Any, memory: Any, d: Any) -> float:
    return 1.5 * numbers[0] * numbers[1] * abs(d)


def allocates(numbers: Any, memory: Any, d: Any, rate: Any, after: Any) -> Any:
    return sound(numbers, np.array([memory[0]]).copy(), d, rate, after)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"follow": staticmethod(remembers_trials)}, "a trial at d = .* changed its memory"),
        ({"follow": staticmethod(wrong_slope)}, "∂f/∂d at d = .* differences of the force say"),
        ({"follow": staticmethod(prestressed)}, "no force before any movement"),
        ({"follow": staticmethod(drags)}, "depends on the rate, and must say so"),
        (
            {"follow": staticmethod(pushes), "stored": staticmethod(nothing), "rate_dependent": True},
            "creates energy",
        ),
        ({"stored": staticmethod(generous)}, "creates energy"),
        ({"follow": staticmethod(forgets), "stored": staticmethod(nothing)}, "in one step|creates energy"),
        ({"follow": staticmethod(absolute), "stored": staticmethod(quartic), "slots": 0}, "in other units"),
        ({"__doc__": None}, "must say what it is"),
    ],
)  # fmt: skip
def test_joints_that_break_the_contract(joint: Any, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        carom.testing.check_joint(joint(**changes), deformation=3.0 * DRIFT)


def test_a_joint_that_no_compiler_takes(joint: Any) -> None:
    with pytest.raises(carom.InputError, match="The function of joint 'wrong' cannot be compiled"):
        carom.testing.check_joint(joint(follow=staticmethod(allocates)), deformation=3.0 * DRIFT)
    with pytest.raises(AssertionError, match="must be of a class derived from Joint"):
        carom.testing.check_joint("bilinear", deformation=1.0)


def test_a_joint_that_is_not_registered() -> None:
    @dataclass(frozen=True)
    class Unknown(carom.Bilinear):
        """Bilinear under its own name."""

    with pytest.raises(AssertionError, match="must be under @register_joint"):
        carom.testing.check_joint(Unknown(DRIFT).bound_to(ELASTIC), deformation=3.0 * DRIFT)


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
