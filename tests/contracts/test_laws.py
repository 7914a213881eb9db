"""What every law must keep, run over the registry: a new law is tested here as soon as it is registered."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import carom
from carom.laws import DampedLaw, laws
from carom.laws.catalogue import parameters

NAMES = laws.names()
DAMPED = [name for name in NAMES if issubclass(laws.get(name), DampedLaw)]
RELATED = [name for name in DAMPED if not laws.get(name)(stiffness=1.0, restitution=0.5).empirical]
TABLES = Path(__file__).parents[1] / "reference"


def build(name: str, stiffness: float, e: float, **options: object) -> carom.laws.CompliantLaw:
    if name in DAMPED:
        return carom.law(name, stiffness=stiffness, restitution=e, **options)
    return carom.law(name, stiffness=stiffness, **options)


def usable(name: str, e: float, mass: float, velocity: float, **options: object) -> carom.laws.CompliantLaw:
    """A law with its damping settled: as published, or calibrated where nothing is published."""
    law = build(name, 3e8, e, **options)
    if name in DAMPED and law.empirical:
        law = law.calibrated(mass=mass, velocity=velocity)
    return law


def test_every_law_has_a_reference_table() -> None:
    missing = [name for name in NAMES if not (TABLES / f"{name}.csv").is_file()]
    assert not missing, f"no tests/reference/<law>.csv for {missing}; see CONTRIBUTING, 'Add a law'"


@pytest.mark.parametrize("name", NAMES)
def test_agrees_with_the_naive_implementation(name: str) -> None:
    """Numbers by tests/naive.py: solve_ivp in time (DOP853, rtol 1e-12), good to about 1e-9."""
    with (TABLES / f"{name}.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert rows
    for row in rows:
        inputs = {key[3:]: float(value) for key, value in row.items() if key.startswith("in_")}
        mass, velocity = inputs.pop("mass"), inputs.pop("velocity")
        if name not in DAMPED:
            inputs.pop("restitution")
        hit = carom.impact(carom.law(name, **inputs), mass=mass, velocity=velocity)
        for key in ("peak_force", "peak_overlap", "duration", "restitution"):
            assert getattr(hit, key) == pytest.approx(float(row[f"out_{key}"]), rel=2e-8), key


@pytest.mark.parametrize("name", NAMES)
def test_states_what_it_is(name: str) -> None:
    kind = laws.get(name)
    assert kind.__doc__
    assert "F = " in kind.__doc__
    assert kind.title
    assert kind.formula.startswith("F = ")
    assert kind.source.reference
    assert kind.source.equations
    assert kind.source.verified
    for parameter, entry in parameters(kind).items():
        assert entry.metadata.get("text"), parameter
    for alias in kind.aliases:
        assert laws.get(alias) is kind


@pytest.mark.parametrize("name", NAMES)
def test_no_force_without_overlap(name: str) -> None:
    law = usable(name, 0.6, 1.0, 1.0)
    assert np.all(law.force(np.array([-1e-3, -1e-9, 0.0]), np.array([1.0, -1.0, 0.5])) == 0.0)
    assert law.derivatives(-1e-6, 1.0) == (0.0, 0.0)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(
    overlap=st.floats(1e-6, 1e-2),
    rate=st.floats(1e-3, 5.0),
    sign=st.sampled_from([-1.0, 1.0]),
    e=st.floats(0.1, 0.99),
    mass=st.floats(0.1, 1e4),
)
def test_derivatives_are_exact(name: str, overlap: float, rate: float, sign: float, e: float, mass: float) -> None:
    """Against central differences of order six."""
    law = usable(name, e, 1.0, 1.0)
    u = sign * rate

    def difference(f, h: float) -> float:
        weights = {1: 45.0, 2: -9.0, 3: 1.0}
        return sum(w * (f(k * h) - f(-k * h)) for k, w in weights.items()) / (60.0 * h)

    by_overlap, by_rate = law.derivatives(overlap, u, mass=mass, velocity=2.0)
    d_overlap = difference(lambda h: law.force(overlap + h, u, mass=mass, velocity=2.0), 1e-3 * overlap)
    d_rate = difference(lambda h: law.force(overlap, u + h, mass=mass, velocity=2.0), 1e-3 * rate)
    scale = law.stiffness * law.n * overlap ** (law.n - 1.0)
    assert by_overlap == pytest.approx(d_overlap, rel=1e-7, abs=1e-7 * scale)
    assert by_rate == pytest.approx(d_rate, rel=1e-7, abs=1e-7 * scale * overlap / rate)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(
    e=st.floats(0.1, 1.0),
    mass=st.floats(1e-3, 1e6),
    velocity=st.floats(1e-4, 20.0),
    gravity=st.sampled_from([0.0, 9.81]),
    tension=st.booleans(),
)
def test_energy_is_accounted_for(
    name: str, e: float, mass: float, velocity: float, gravity: float, tension: bool
) -> None:
    """Kinetic energy lost = work dissipated on the way in and out + energy left in the spring where F = 0."""
    law = usable(name, e, mass, velocity, tension=tension)
    hit = carom.impact(law, mass=mass, velocity=velocity, gravity=gravity)
    kinetic = 0.5 * mass * velocity**2
    # a contact that ends at F = 0 ends below the surface, where gravity has not yet slowed the body again
    below = 2.0 * gravity * hit.end_overlap / velocity**2
    assert hit.restitution**2 <= 1.0 + below + 2e-9
    assert hit.approach_loss >= -1e-12 * kinetic
    assert hit.restitution_loss >= -1e-9 * kinetic
    if hit.status != "separated":
        assert gravity > 0.0
        assert hit.duration == np.inf
        return
    stored = law.stiffness * hit.end_overlap ** (law.n + 1.0) / (law.n + 1.0)
    balance = hit.energy_lost - hit.approach_loss - hit.restitution_loss - stored
    # where gravity does much more work than the touch brought in, rounding of that work is the limit
    turnover = max(kinetic, 1e-4 * mass * gravity * hit.peak_overlap)
    assert abs(balance) <= (1e-9 if gravity == 0.0 else 5e-9) * turnover
    assert hit.end_overlap == 0.0 or not tension


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("tension", [True, False])
def test_history_obeys_newton_and_the_law(name: str, tension: bool) -> None:
    """Impulse = change of momentum along the sampled history, whose forces are the law's own."""
    mass, velocity = 3.0, 0.7
    law = usable(name, 0.5, mass, velocity, tension=tension)
    hit = carom.impact(law, mass=mass, velocity=velocity)
    history = hit.sample(np.linspace(0.0, hit.duration, 4001))
    time, force, rate = (history[key].values for key in ("time", "force", "rate"))
    impulse = np.trapezoid(force, time)
    assert impulse == pytest.approx(mass * (velocity + hit.restitution * velocity), rel=2e-4)
    assert force.max() == pytest.approx(hit.peak_force, rel=1e-5)
    assert force.max() <= hit.peak_force * (1 + 1e-9)
    assert history.overlap.values.max() == pytest.approx(hit.peak_overlap, rel=1e-6)
    inner = slice(1, -1)
    expected = law.force(history.overlap.values[inner], rate[inner], mass=mass, velocity=velocity)
    np.testing.assert_allclose(force[inner], expected, rtol=1e-7, atol=1e-7 * hit.peak_force)
    if not tension:
        assert force.min() >= -5e-9 * hit.peak_force  # it lets go where steps tell the pull from what they miss
    elif law.pulls:
        assert force.min() < 0.0


@pytest.mark.parametrize("name", RELATED)
@settings(max_examples=10, deadline=None)
@given(
    e=st.floats(0.1, 0.99), mass=st.floats(1e-2, 1e5), velocity=st.floats(1e-3, 10.0), stiffness=st.floats(1e4, 1e12)
)
def test_published_relations_are_free_of_scale(
    name: str, e: float, mass: float, velocity: float, stiffness: float
) -> None:
    one = carom.impact(build(name, 1.0, e), mass=1.0, velocity=1.0)
    other = carom.impact(build(name, stiffness, e), mass=mass, velocity=velocity)
    assert other.restitution == pytest.approx(one.restitution, abs=1e-9)
    assert other.dissipation_ratio == pytest.approx(one.dissipation_ratio, rel=1e-7)


@pytest.mark.parametrize("name", DAMPED)
@pytest.mark.parametrize("tension", [True, False])
@pytest.mark.parametrize("e", [0.1, 0.37, 0.7, 0.97, 1.0])
def test_calibrated_returns_what_is_asked(name: str, e: float, tension: bool) -> None:
    conditions = {"mass": 250.0, "velocity": 0.4}
    law = build(name, 2e8, e, tension=tension).calibrated(**conditions)
    assert carom.impact(law, **conditions, rtol=1e-11).restitution == pytest.approx(e, abs=1e-8)
    assert law.restitution == e


@pytest.mark.parametrize("name", NAMES)
def test_fitted_stiffness_gives_the_peak(name: str) -> None:
    conditions = {"mass": 12.0, "velocity": 0.9}
    law = build(name, 1e6, 0.6).fit_stiffness(peak_force="25 kN", **conditions)
    assert carom.impact(law, **conditions).peak_force == pytest.approx(25e3, rel=1e-8)


@pytest.mark.parametrize("name", NAMES)
def test_arrays_equal_single_impacts(name: str) -> None:
    e = np.array([[0.2, 0.5, 0.95]])
    velocity = np.array([[0.01], [2.0]])
    if name in DAMPED and name not in RELATED:
        many_law = carom.law(name, stiffness=1e8, damping=np.array([[1e3, 1e4, 1e5]]))
        singles = [[carom.law(name, stiffness=1e8, damping=d) for d in (1e3, 1e4, 1e5)]] * 2
    elif name in DAMPED:
        many_law = carom.law(name, stiffness=1e8, restitution=e)
        singles = [[carom.law(name, stiffness=1e8, restitution=x) for x in e[0]]] * 2
    else:
        many_law = carom.law(name, stiffness=np.full((1, 3), 1e8))
        singles = [[carom.law(name, stiffness=1e8)] * 3] * 2
    many = carom.impact(many_law, mass=4.0, velocity=velocity)
    assert many.peak_force.shape == (2, 3)
    for i in range(2):
        for j in range(3):
            one = carom.impact(singles[i][j], mass=4.0, velocity=float(velocity[i, 0]))
            assert many.status[i, j] == one.status
            for key in ("peak_force", "peak_overlap", "duration", "restitution", "energy_lost"):
                assert getattr(many, key)[i, j] == pytest.approx(getattr(one, key), rel=1e-10), key
