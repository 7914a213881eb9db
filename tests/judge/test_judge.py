"""The judge itself, against closed forms and against itself at a tighter tolerance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.special import beta

from tests.judge import kernel
from tests.judge.assemble import assemble
from tests.judge.compare import judged
from tests.judge.describe import Contact, Description, Law, Structure
from tests.judge.generate import problem
from tests.judge.judge import judge
from tests.judge.laws import CATALOGUE, exact_ratio
from tests.naive import LAWS as NAIVE

MASS, SPEED, STIFFNESS, RESTITUTION = 1000.0, 0.5, 3e8, 0.6
"""[kg], [m/s], [N/m^n], [–] of the single impacts."""
CLOSE = 1e-10
"""Relative error allowed against a closed form."""


def one_impact(law: Law) -> np.ndarray:
    """A free body strikes a wall; its row in the table of impacts."""
    body = Structure("body", (MASS,), (0.0,), velocity=(SPEED,))
    contact = Contact((0, 1), (1, 1), 1e-3, law)
    found = judge(Description((body, Structure("wall")), (contact,), (0.0,) * 51, 0.004))
    assert found.status == "done"
    assert found.impacts.shape[0] == 1
    assert found.impacts[0, kernel.START] == pytest.approx(1e-3 / SPEED, rel=CLOSE)
    return found.impacts[0]


def duration(row: np.ndarray) -> float:
    return float(row[kernel.END] - row[kernel.START])


def achieved(row: np.ndarray) -> float:
    """Restitution, from the impulse."""
    return float(row[kernel.IMPULSE] / (MASS * SPEED) - 1.0)


@pytest.mark.parametrize("tension", [True, False])
def test_kelvin_voigt(tension: bool) -> None:
    """Half a damped oscillation to δ = 0, or less of it to F = 0."""
    row = one_impact(Law("kelvin-voigt", STIFFNESS, RESTITUTION, tension=tension))
    zeta = -math.log(RESTITUTION) / math.hypot(math.pi, math.log(RESTITUTION))
    omega = math.sqrt(STIFFNESS / MASS)
    damped = omega * math.sqrt(1.0 - zeta**2)
    end = math.pi / damped
    if not tension:  # δ̈ = 0
        end -= math.atan2(2.0 * zeta * math.sqrt(1.0 - zeta**2), 1.0 - 2.0 * zeta**2) / damped
    rest = math.exp(-zeta * omega * end)
    rate = SPEED * rest * (math.cos(damped * end) - zeta * omega / damped * math.sin(damped * end))
    assert duration(row) == pytest.approx(end, rel=CLOSE)
    assert achieved(row) == pytest.approx(-rate / SPEED, rel=CLOSE)
    top = math.atan2(math.sqrt(1.0 - zeta**2) * (1.0 - 4.0 * zeta**2), zeta * (3.0 - 4.0 * zeta**2)) / damped
    peak = MASS * omega * SPEED * math.exp(-zeta * omega * top)  # where F is largest, for ζ < ½
    assert row[kernel.PEAK_FORCE] == pytest.approx(peak, rel=CLOSE)
    assert row[kernel.WORK] == pytest.approx(0.5 * MASS * (SPEED**2 - rate**2), rel=CLOSE)


@pytest.mark.parametrize(("name", "n"), [("linear", 1.0), ("hertz", 1.5)])
def test_springs(name: str, n: float) -> None:
    """Peak and duration of an undamped impact."""
    row = one_impact(Law(name, STIFFNESS))
    deepest = ((n + 1.0) * MASS * SPEED**2 / (2.0 * STIFFNESS)) ** (1.0 / (n + 1.0))
    assert row[kernel.PEAK_FORCE] == pytest.approx(STIFFNESS * deepest**n, rel=CLOSE)
    assert duration(row) == pytest.approx(2.0 * deepest / SPEED * beta(1.0 / (n + 1.0), 0.5) / (n + 1.0), rel=CLOSE)
    assert achieved(row) == pytest.approx(1.0, rel=CLOSE)


@pytest.mark.parametrize("name", ["kelvin-voigt", "tsuji-1992", "hunt-crossley-exact"])
def test_restitution_of_exact_laws(name: str) -> None:
    assert achieved(one_impact(Law(name, STIFFNESS, RESTITUTION))) == pytest.approx(RESTITUTION, rel=1e-9)


@pytest.mark.parametrize("name", ["hunt-crossley-1975", "flores-2011", "ye-2009", "papi-2022", "gharib-hurmuzlu-2012"])
def test_first_integral_of_the_hunt_crossley_form(name: str) -> None:
    """d(1 + e′) = ln((1 + d)/(1 − e′ d)) gives the achieved e′ for any d."""
    row = one_impact(Law(name, STIFFNESS, RESTITUTION))
    law = assemble(
        Description(
            (Structure("body", (1.0,), (0.0,)), Structure("wall")),
            (Contact((0, 1), (1, 1), 1.0, Law(name, 1.0, RESTITUTION)),), (0.0, 0.0), 1.0,
        )
    ).laws[0]  # fmt: skip
    assert exact_ratio(achieved(row)) == pytest.approx(law[kernel.CHI], rel=1e-8)


def test_laws_against_the_other_text() -> None:
    """The same force as the naive second implementation, law by law."""
    for name in CATALOGUE:
        given = name in ("ristow-1992", "lee-herrmann-1993", "kuwabara-kono-1987", "bordbar-hyppanen-2007")
        value = 7e3 if given else RESTITUTION
        law = Law(name, STIFFNESS, None if given else value, value if given else None)
        told = Description(
            (Structure("body", (MASS,), (0.0,)), Structure("wall")),
            (Contact((0, 1), (1, 1), 1.0, law),),
            (0.0, 0.0),
            1.0,
        )
        laws = assemble(told).laws
        marks = np.zeros((1, kernel.MARKS))
        marks[0, [kernel.TOUCH_SPEED, kernel.TOP_SPEED]] = SPEED
        other = NAIVE[name](STIFFNESS, value, MASS, SPEED)
        for overlap, rate in ((1e-4, 0.3), (2e-3, -0.2)):
            marks[0, kernel.DIRECTION] = math.copysign(1.0, rate)
            found = kernel.contact_force(laws, marks, 0, overlap, rate)
            assert found == pytest.approx(other(overlap, rate), rel=1e-9), name


def test_equal_oscillators_exchange_their_motion() -> None:
    """A linear spring between equal oscillators: the sum moves on as one, and all of the motion goes over."""
    omega = 2.0 * math.pi
    one = Structure("oscillator", (MASS,), (MASS * omega**2,), velocity=(SPEED,))
    two = Structure("oscillator", (MASS,), (MASS * omega**2,))
    told = Description((one, two), (Contact((0, 1), (1, 1), 0.0, Law("linear", 1e9)),), (0.0,) * 11, 0.01)
    found = judge(told)
    row = found.impacts[0]
    inside = math.sqrt(omega**2 + 2e9 / MASS)
    assert duration(row) == pytest.approx(math.pi / inside, rel=CLOSE)
    half = 0.5 * SPEED  # of the sum, which the contact does not touch, and of the difference, which it turns round
    turned = half * math.cos(omega * math.pi / inside) + half
    assert row[kernel.IMPULSE] / MASS == pytest.approx(SPEED, rel=1e-3)
    assert found.peaks()[1, 1] == pytest.approx(turned, rel=1e-8)


def test_free_vibration_against_the_matrix_exponential() -> None:
    """A building with damping that couples modes, shaken, with a load; no contact is reached."""
    rng = np.random.default_rng(3)
    c = rng.uniform(-1.0, 1.0, (3, 3))
    tower = Structure(
        "general", (2e3, 1e3, 5e2), (4e6, 3e6, 1e6), matrix=tuple(map(tuple, (2e3 * c @ c.T).tolist())),
        load=(300.0, 0.0, -200.0), velocity=(0.2, 0.0, -0.1),
    )  # fmt: skip
    ground = np.concatenate([[0.0], rng.normal(size=40)])
    told = Description(
        (tower, Structure("wall")), (Contact((0, 3), (1, 1), 1.0, Law("hertz", 1e8)),), tuple(ground), 0.01
    )
    system = assemble(told)
    steps, parts = [], 200
    a = np.zeros((8, 8))
    a[:3, 3:6] = np.eye(3)
    a[3:6, :3], a[3:6, 3:6] = -system.stiffness, -system.damping
    a[6, 7] = 1.0
    state = np.concatenate([system.start, [0.0, 0.0]])
    a[3:6, 6] = -1.0
    forced = np.zeros((9, 9))
    forced[:8, :8] = a
    forced[3:6, 8] = system.load
    step = expm(forced * told.dt / parts)
    y = np.concatenate([state, [1.0]])
    for i in range(ground.size - 1):
        y[6], y[7] = ground[i], (ground[i + 1] - ground[i]) / told.dt
        for _ in range(parts):
            steps.append(np.concatenate([y[:6], (forced @ y)[3:6] + y[6]]))
            y = step @ y
    steps.append(np.concatenate([y[:6], (forced @ y)[3:6] + y[6]]))
    sampled = np.abs(np.array(steps)).max(axis=0)
    found = judge(told).peaks().ravel()
    assert np.all(found >= sampled * (1.0 - 1e-12))
    np.testing.assert_allclose(found, sampled, rtol=2e-6)


def test_two_oscillators_against_a_wall() -> None:
    """The order of contacts does not matter: 2.910 mm in both, and no impact gains energy."""

    def oscillator(period: float) -> Structure:
        spring = MASS * (2.0 * math.pi / period) ** 2
        return Structure("oscillator", (MASS,), (spring,), ratios=(0.02,), velocity=(1.0,))

    law = Law("kelvin-voigt", 1e9, RESTITUTION)
    contacts = (Contact((0, 1), (2, 1), 1e-3, law), Contact((1, 1), (2, 1), 2e-3, law))
    both = (oscillator(0.03), oscillator(0.5), Structure("wall"))
    for order in (contacts, contacts[::-1]):
        found = judge(Description(both, order, (0.0,) * 21, 0.02))
        assert found.peaks()[0, 0] == pytest.approx(2.90979e-3, rel=1e-5)
        assert found.impacts[:, kernel.WORK].min() > 0.0


def test_it_agrees_with_itself() -> None:
    """At a tolerance thirty times tighter every output stays within 1e-9 of its sensitivity."""
    for seed in range(12):
        told = problem(seed)
        found = judged(told)
        assert not isinstance(found, str)
        tight = judge(told, tolerance=3e-14)
        errors = found.errors(tight.running[found.sample]) / np.maximum(1.0, found.amplification)
        assert errors.max() < 1e-9, seed
