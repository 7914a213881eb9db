"""Dashpots that couple modes, between any two places: against matrix exponentials in physical coordinates, the judge of
`tests.judge`, closed forms, and the general engine, which has no complex modes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import simpson
from scipy.linalg import expm
from scipy.optimize import fsolve
from tests.judge.check import outputs_of
from tests.judge.compare import judged
from tests.judge.describe import Contact, Description, Law
from tests.judge.describe import Structure as Described

import carom
from carom.integrate.modes.complex_modes import complex_modes_of
from carom.integrate.modes.few_dashpots import few_dashpots

DT = 0.01
"""Between samples [s]."""
FINE = 20
"""Points of a matrix exponential in a sample."""
CLOSE = 1e-9
"""Relative error allowed against matrix exponentials."""
HARD = carom.law("kelvin-voigt", stiffness=3e8, restitution=0.6)
FLIGHT, CONTACTS = "complex modes", "general"
"""The paths of runs that fly in complex modes, and of those in which dashpots are contacts."""


class Chain:
    """Masses on springs, with classical damping, dashpots and loads, drawn at random."""

    def __init__(self, rng: np.random.Generator, dofs: int, dampers: int, ratio: float | None = None) -> None:
        self.mass = rng.uniform(0.5, 2.0, dofs) * 1e5
        self.springs = soft = rng.uniform(0.5, 2.0, dofs) * 10 ** rng.uniform(7.0, 8.5)
        self.stiffness = np.diag(soft + np.append(soft[1:], 0.0)) - np.diag(soft[1:], 1) - np.diag(soft[1:], -1)
        self.rayleigh = (rng.uniform(0.0, 0.5), rng.uniform(0.0, 1e-3))
        self.load = rng.normal(size=dofs) * 1e4
        self.start, self.speed = rng.normal(size=(2, dofs)) * 0.02
        self.dashpots = []
        for _ in range(dampers):
            row = np.zeros(dofs)
            here, there = rng.integers(0, dofs, 2)
            row[here] += 1.0
            if there != here:
                row[there] -= 1.0
            strength = rng.uniform(0.02, 1.5) if ratio is None else ratio
            self.dashpots.append((row, strength * np.sqrt(self.stiffness[here, here] * self.mass[here])))

    def structure(self, name: str = "chain", **changes: Any) -> carom.Structure:
        given: dict[str, Any] = {
            "damping": carom.Rayleigh(*self.rayleigh), "dashpots": self.dashpots, "load": self.load, "name": name,
        }  # fmt: skip
        return carom.Structure(self.mass, self.stiffness, **{**given, **changes})

    @property
    def damping(self) -> np.ndarray:
        """C, dashpots included."""
        classical = self.rayleigh[0] * np.diag(self.mass) + self.rayleigh[1] * self.stiffness
        return classical + sum((c * np.outer(row, row) for row, c in self.dashpots), np.zeros_like(self.stiffness))


def exact(
    mass: np.ndarray,
    damping: np.ndarray,
    stiffness: np.ndarray,
    load: np.ndarray,
    state: np.ndarray,
    ground: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M ü + C u̇ + K u = −M a_g + p by one matrix exponential, a_g straight between samples."""
    n = mass.size
    whole = np.zeros((2 * n + 2, 2 * n + 2))
    whole[:n, n : 2 * n] = np.eye(n)
    whole[n : 2 * n, :n], whole[n : 2 * n, n : 2 * n] = -stiffness / mass[:, None], -damping / mass[:, None]
    whole[n : 2 * n, 2 * n] = -1.0
    whole[2 * n, 2 * n + 1] = 1.0
    step = expm(whole * DT / FINE)
    rest = np.linalg.solve(stiffness, load)  # what constant loads hold is no motion
    found = [np.append(state - np.append(rest, np.zeros(n)), [ground[0], 0.0])]
    for first, last in pairwise(ground):
        now = found[-1]
        now[2 * n :] = first, (last - first) / DT
        for _ in range(FINE):
            now = step @ now
            found.append(now)
    table = np.array(found)
    u, v = table[:, :n], table[:, n : 2 * n]
    return u + rest, v, -(u @ stiffness.T + v @ damping.T) / mass


def shaken(rng: np.random.Generator, samples: int = 120) -> np.ndarray:
    return np.cumsum(rng.normal(size=samples)) * 0.3


def agree(run: Any, u: np.ndarray, v: np.ndarray, a: np.ndarray) -> None:
    """Histories at the samples, and peaks that no point between them exceeds."""
    for name, whole in (("displacement", u), ("velocity", v), ("acceleration", a)):
        np.testing.assert_allclose(getattr(run, name), whole[::FINE], rtol=0.0, atol=CLOSE * np.abs(whole).max())
        peaks, most = run.peaks[name].values, np.abs(whole).max(axis=0)
        assert (peaks >= most * (1.0 - CLOSE)).all()
        np.testing.assert_allclose(peaks, most, rtol=2e-2)


@pytest.mark.parametrize("seed", range(12))
def test_random_structures_follow_matrix_exponentials(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chain = Chain(rng, int(rng.integers(2, 9)), 1 + seed % 3)
    ground = shaken(rng)
    problem = carom.Problem(
        [chain.structure()], motion=carom.Motion(ground, DT),
        initial_displacement={"chain": chain.start.tolist()}, initial_velocity={"chain": chain.speed.tolist()},
    )  # fmt: skip
    run = carom.simulate(problem, rtol=1e-10)
    assert run.evidence["path"] == FLIGHT
    assert run.evidence["contact_steps"] == 0
    state = np.append(chain.start, chain.speed)
    u, v, a = exact(chain.mass, chain.damping, chain.stiffness, chain.load, state, ground)
    agree(run, u, v, a)
    spent = simpson(((v @ chain.damping) * v).sum(axis=1), dx=DT / FINE)
    assert run.ledger["damping"][-1] == pytest.approx(spent, rel=1e-5)
    assert np.abs(run.ledger["residual"]).max() <= 1e-12 * np.abs(run.ledger["input"]).max()


@pytest.mark.parametrize("seed", range(4))
def test_a_matrix_that_couples_all_modes_needs_no_contact(seed: int) -> None:
    """Constants of its dashpots are of both signs."""
    rng = np.random.default_rng(100 + seed)
    chain = Chain(rng, 2 + seed, 0)
    square = rng.normal(size=(2 + seed, 2 + seed)) * 300.0
    matrix, ground = square @ square.T, shaken(rng)
    problem = carom.Problem([chain.structure(damping=matrix)], motion=carom.Motion(ground, DT))
    assert (problem.flat().dashpots < 0.0).any()
    run = carom.simulate(problem, rtol=1e-10)
    assert run.evidence["path"] == FLIGHT
    agree(run, *exact(chain.mass, matrix, chain.stiffness, chain.load, np.zeros(4 + 2 * seed), ground))


@pytest.mark.parametrize("seed", range(4))
def test_dampers_between_structures_make_one_system_of_them(seed: int) -> None:
    rng = np.random.default_rng(200 + seed)
    left, right = Chain(rng, 3, seed % 2), Chain(rng, 2, 0)
    ground, c = shaken(rng), 10 ** rng.uniform(5.0, 6.5)
    dampers = [
        carom.Damper(("left", "dof 3"), ("right", "dof 2"), c),
        carom.Damper("street", ("right", "dof 1"), 0.3 * c),
    ]
    problem = carom.Problem(
        [left.structure("left"), carom.Ground(name="street"), right.structure("right")],
        motion=carom.Motion(ground, DT), dampers=dampers,
    )  # fmt: skip
    run = carom.simulate(problem, rtol=1e-10)
    assert run.evidence["path"] == FLIGHT
    both = [np.zeros((5, 5)) for _ in range(2)]
    for whole, parts in zip(both, ((left.damping, right.damping), (left.stiffness, right.stiffness)), strict=True):
        whole[:3, :3], whole[3:, 3:] = parts
    between = np.array([0.0, 0.0, 1.0, 0.0, -1.0])
    both[0] += c * np.outer(between, between) + np.diag([0.0, 0.0, 0.0, 0.3 * c, 0.0])
    mass, load = np.append(left.mass, right.mass), np.append(left.load, right.load)
    agree(run, *exact(mass, *both, load, np.zeros(10), ground))
    backwards = carom.simulate(problem.replace(dampers=dampers[::-1]), rtol=1e-10)
    np.testing.assert_allclose(backwards.extremes, run.extremes, rtol=1e-9)


def test_a_damper_between_different_grounds_moves_with_both() -> None:
    """Against absolute coordinates, in which the damper feels no ground at all."""
    rng = np.random.default_rng(5)
    grounds = shaken(rng), shaken(rng)
    m, k, c = np.array([1e5, 2e5]), np.array([3e7, 2e7]), 4e5
    towers = [carom.Oscillator(mass=m[i], stiffness=k[i], damping_ratio=0.0, name="ab"[i]) for i in range(2)]
    motion = {"a": carom.Motion(grounds[0], DT), "b": carom.Motion(grounds[1], DT)}
    problem = carom.Problem(towers, motion=motion, dampers=[carom.Damper("a", "b", c)])
    # absolute displacements, their rates, displacements, rates and accelerations of both grounds, slopes of these
    whole = np.zeros((12, 12))
    whole[:2, 2:4] = whole[4:6, 6:8] = whole[6:8, 8:10] = whole[8:10, 10:] = np.eye(2)
    whole[2:4, :2], whole[2:4, 4:6] = -np.diag(k / m), np.diag(k / m)
    whole[2:4, 2:4] = c / m[:, None] * np.array([[-1.0, 1.0], [1.0, -1.0]])
    step, now, found = expm(whole * DT), np.zeros(12), []
    for i in range(grounds[0].size):
        now[8:10] = [ground[i] for ground in grounds]
        found.append(np.concatenate([now[:2] - now[4:6], now[2:4] - now[6:8]]))
        now[10:] = [(ground[min(i + 1, ground.size - 1)] - ground[i]) / DT for ground in grounds]
        now = step @ now
    run, table = carom.simulate(problem, rtol=1e-10), np.array(found)
    assert run.evidence["path"] == CONTACTS
    np.testing.assert_allclose(run.displacement, table[:, :2], rtol=0.0, atol=1e-7 * np.abs(table[:, :2]).max())
    np.testing.assert_allclose(run.velocity, table[:, 2:], rtol=0.0, atol=1e-7 * np.abs(table[:, 2:]).max())
    assert np.abs(run.ledger["residual"]).max() <= 1e-7 * run.ledger["input"].max()
    by_steps = carom.simulate(problem, scheme="radau-iia-2", rtol=1e-8)
    np.testing.assert_allclose(by_steps.displacement, table[:, :2], rtol=0.0, atol=1e-5 * np.abs(table[:, :2]).max())


def described(seed: int) -> tuple[Description, carom.Problem]:
    """A chain with dashpots beside an oscillator, which its two upper masses may strike: for the judge, and for us."""
    rng = np.random.default_rng(300 + seed)
    chain = Chain(rng, 2 + seed % 4, 1 + seed % 3)
    dofs, stiffness, ground = chain.mass.size, float(rng.uniform(1e7, 4e7)), shaken(rng, 150)
    tower = Described(
        "general", tuple(chain.mass.tolist()), tuple(chain.springs.tolist()),
        matrix=tuple(map(tuple, chain.damping.tolist())), load=tuple(chain.load.tolist()),
    )  # fmt: skip
    other = Described("oscillator", (8e4,), (stiffness,), ratios=(0.03,))
    met = [(dof, float(rng.uniform(0.002, 0.008))) for dof in (dofs - 1, dofs)]
    law = carom.law("kelvin-voigt", stiffness=2e8, restitution=0.6)
    told = Description(
        (tower, other), tuple(Contact((0, dof), (1, 1), gap, Law("kelvin-voigt", 2e8, 0.6)) for dof, gap in met),
        tuple(ground.tolist()), DT,
    )  # fmt: skip
    beside = carom.Oscillator(mass=8e4, stiffness=stiffness, damping_ratio=0.03, name="other")
    contacts = [carom.Contact(("tower", f"dof {dof}"), "other", gap=gap, law=law) for dof, gap in met]
    return told, carom.Problem([chain.structure("tower"), beside], contacts, motion=carom.Motion(ground, DT))


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 5, 7, 8])
def test_pounding_against_the_judge(seed: int) -> None:
    """The judge integrates physical coordinates with the whole of C."""
    told, problem = described(seed)
    judgement = judged(told)
    assert not isinstance(judgement, str)
    rtol = 1e-6
    run = carom.simulate(problem, rtol=rtol, duration=max(judgement.sample, 1) * DT)
    assert run.evidence["path"] == FLIGHT
    assert run.table["start"].size > 0
    assert (judgement.errors(outputs_of(run)) <= 10.0 * rtol * np.maximum(1.0, judgement.amplification)).all()
    scale = np.abs(run.ledger["input"]).max()
    assert np.abs(run.ledger["residual"]).max() <= 100.0 * rtol * scale


@pytest.mark.parametrize("seed", range(6))
def test_complex_modes_agree_with_dashpots_as_contacts(seed: int) -> None:
    """The general engine steps over the whole record; histories, forces, impacts and energies are the same."""
    _, problem = described(50 + seed)
    problem = problem.replace(dampers=[carom.Damper(("tower", 1), "other", "50 kN s/m")])
    run, other = carom.simulate(problem, rtol=1e-9), carom.simulate(problem, rtol=1e-9, path="general")
    assert (run.evidence["path"], other.evidence["path"]) == (FLIGHT, CONTACTS)
    assert run.table["start"].size == other.table["start"].size
    for name in ("displacement", "velocity", "acceleration", "force", "gap"):
        found, expected = getattr(run, name), getattr(other, name)
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-5 * np.abs(expected).max())
    for name in ("input", "kinetic", "strain", "damping", "contact"):
        np.testing.assert_allclose(
            run.ledger[name], other.ledger[name], rtol=0.0, atol=1e-5 * np.abs(other.ledger["input"]).max()
        )
    np.testing.assert_allclose(run.extremes, other.extremes, rtol=1e-4)


@pytest.mark.parametrize("contact", [False, True])
def test_dashpots_that_leave_modes_uncoupled_are_a_damping_ratio(contact: bool) -> None:
    """One on each mass, in proportion to it: Rayleigh's first term."""
    rng = np.random.default_rng(7)
    chain = Chain(rng, 5, 0)
    alpha, ground = 1.3, shaken(rng)
    dashpots = [(row, alpha * mass) for row, mass in zip(np.eye(5), chain.mass, strict=True)]
    tied = chain.structure(dashpots=dashpots)
    plain = chain.structure(damping=carom.Rayleigh(chain.rayleigh[0] + alpha, chain.rayleigh[1]))
    other = carom.Oscillator(mass=1e5, period=0.4, damping_ratio=0.02, name="other")
    meets = [carom.Contact(("chain", "dof 5"), "other", gap=0.01, law=HARD)] if contact else []
    runs = [
        carom.simulate(carom.Problem([one, other], meets, motion=carom.Motion(ground, DT)), rtol=1e-9)
        for one in (tied, plain)
    ]
    assert runs[0].evidence["path"] == FLIGHT
    assert (runs[0].table["start"].size > 0) == contact
    np.testing.assert_allclose(runs[0].extremes, runs[1].extremes, rtol=1e-6 if contact else 1e-11)


@pytest.mark.parametrize("ratio", [0.4, 1.0, 1.0 + 1e-9, 3.0])
def test_a_dashpot_may_damp_beyond_what_is_critical(ratio: float) -> None:
    """An oscillator tied to the ground: q̈ + 2ζω q̇ + ω² q = −a_g whatever ζ."""
    mass, stiffness, ground = 1e5, 2e7, shaken(np.random.default_rng(8))
    plain = carom.Oscillator(mass=mass, stiffness=stiffness, damping_ratio=0.0, name="o")
    c = 2.0 * ratio * np.sqrt(stiffness * mass)
    problem = carom.Problem(
        [plain, carom.Ground(name="g")], motion=carom.Motion(ground, DT), dampers=[carom.Damper("o", "g", c)]
    )
    run = carom.simulate(problem)
    assert run.evidence["path"] == FLIGHT
    agree(run, *exact(np.array([mass]), np.array([[c]]), np.array([[stiffness]]), np.zeros(1), np.zeros(2), ground))


@pytest.mark.parametrize("share", [0.7, 1.6])
def test_towers_alike_and_bodies_that_nothing_holds(share: float) -> None:
    """Modes of the same frequency: a damper moves the difference of two, and leaves the sum alone."""
    rng = np.random.default_rng(9)
    chain, ground = Chain(rng, 3, 0), shaken(rng)
    c = share * np.sqrt(chain.stiffness[2, 2] * chain.mass[2])
    towers = [chain.structure(name) for name in ("a", "b")]
    towers[1] = towers[1].replace(load=-chain.load)
    problem = carom.Problem(
        towers, motion=carom.Motion(ground, DT), dampers=[carom.Damper(("a", "dof 3"), ("b", "dof 3"), c)]
    )
    tie = np.array([0.0, 0.0, 1.0, 0.0, 0.0, -1.0])
    twice = [np.kron(np.eye(2), matrix) for matrix in (chain.damping, chain.stiffness)]
    twice[0] += c * np.outer(tie, tie)
    load = np.append(chain.load, -chain.load)
    run = carom.simulate(problem)
    assert run.evidence["path"] == FLIGHT
    agree(run, *exact(np.tile(chain.mass, 2), *twice, load, np.zeros(12), ground))

    bodies = [carom.Body(mass=m, name=name) for m, name in ((1e3, "p"), (3e3, "q"))]
    joined = carom.Problem(bodies, initial_velocity={"p": 2.0}, dampers=[carom.Damper("p", "q", 6e3)])
    run = carom.simulate(joined, duration=0.5, sampling=0.01)
    assert run.evidence["path"] == FLIGHT
    apart = 2.0 * np.exp(-6e3 * (1 / 1e3 + 1 / 3e3) * run.time)  # u̇_p − u̇_q; their momentum stays
    np.testing.assert_allclose(
        run.velocity, np.stack([0.5 + 0.75 * apart, 0.5 - 0.25 * apart], axis=1), rtol=1e-10, atol=1e-14
    )


def test_complex_modes_that_are_all_but_one_are_left_to_the_general_engine() -> None:
    """A dashpot by which two pairs become one: then no sum of complex modes is every motion."""
    squares = np.array([300.0, 400.0])

    def equation(unknown: np.ndarray) -> list[float]:
        """What a double root λ = x + iy sets to zero, and its slope: 1 + c λ Σ bₖ²/(λ² + ωₖ²)."""
        root, c, share = complex(*unknown[:2]), *unknown[2:]
        parts = np.array([share, 1.0 - share]) / (root * root + squares)
        value = 1.0 + c * root * parts.sum()
        slope = c * (parts * (squares - root * root) / (root * root + squares)).sum()
        return [value.real, value.imag, slope.real, slope.imag]

    found = fsolve(equation, [-1.3, 18.7, 5.2, 0.5], xtol=1e-12)
    assert np.abs(equation(found)).max() < 1e-10
    c, share = found[2:]
    row = np.sqrt([share, 1.0 - share])
    structure = carom.Structure([1.0, 1.0], np.diag(squares), damping_ratio=0.0, dashpots=[(row, c)], name="s")
    problem = carom.Problem([structure], initial_velocity={"s": [1.0, 0.0]})
    assert complex_modes_of(problem.flat()) is None
    run = carom.simulate(problem, duration=1.0, sampling=DT, rtol=1e-9)
    assert run.evidence["path"] == CONTACTS
    state, damping = np.array([0.0, 0.0, 1.0, 0.0]), c * np.outer(row, row)
    u, _, _ = exact(np.ones(2), damping, np.diag(squares), np.zeros(2), state, np.zeros(101))
    np.testing.assert_allclose(run.displacement, u[::FINE], rtol=0.0, atol=1e-7 * np.abs(u).max())


@pytest.mark.parametrize("seed", range(20))
def test_roots_of_few_dashpots_are_the_eigenvalues(seed: int) -> None:
    """Dashpots that move some modes hardly at all."""
    rng = np.random.default_rng(400 + seed)
    n, dampers = int(rng.integers(2, 80)), 1 + seed % 4
    omega = np.sort(10 ** rng.uniform(0.0, 3.0, n))
    sigma, c = rng.uniform(0.0, 0.1, n) * omega, 10 ** rng.uniform(-3.0, 0.3, dampers)
    rows = rng.normal(size=(dampers, n)) * 10 ** rng.uniform(-6.0, 0.0, n)
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    found = few_dashpots(omega, sigma, rows, c)
    damping = np.diag(2.0 * sigma) + rows.T @ (c[:, None] * rows)
    free = np.block([[np.zeros((n, n)), np.eye(n)], [-np.diag(omega**2), -damping]])
    expected = np.linalg.eigvals(free)
    expected = expected[expected.imag > 0.0]
    assert (found is None) == (expected.size < n)  # where one creeps
    if found is None:
        return
    values, shapes = found
    distance = np.abs(values[:, None] - expected)
    assert sorted(distance.argmin(axis=1)) == list(range(n))
    assert (distance.min(axis=1) <= 1e-12 * omega.max()).all()
    shapes = shapes / np.abs(shapes).max(axis=1)[:, None]
    terms = [values**2 * shapes.T, values * (damping @ shapes.T), omega[:, None] ** 2 * shapes.T]
    size = np.maximum.reduce([np.abs(term).max(axis=0) for term in terms])
    assert (np.abs(sum(terms)).max(axis=0) <= 1e-11 * size).all()


def test_a_damper_of_no_strength_changes_nothing() -> None:
    rng = np.random.default_rng(10)
    chain = Chain(rng, 4, 0)
    motion, idle = carom.Motion(shaken(rng), DT), [("dof 2", 0.0)]
    without = carom.Problem([chain.structure()], motion=motion)
    for problem in (
        carom.Problem([chain.structure(dashpots=idle)], motion=motion),
        without.replace(dampers=[carom.Damper(("chain", 1), ("chain", 3), 0.0)]),
    ):
        assert problem.flat().classical
        np.testing.assert_array_equal(carom.simulate(problem).extremes, carom.simulate(without).extremes)


def test_the_order_of_dashpots_does_not_matter() -> None:
    _, problem = described(60)
    tower = problem.structure("tower")
    assert len(tower.dashpots) > 0
    more = tower.replace(dashpots=[*tower.dashpots, ("dof 1", 2e5), (("dof 1", "dof 2"), 1e5)])
    runs = [
        carom.simulate(problem.replace(structures=[one, problem.structure("other")]), rtol=1e-9)
        for one in (more, more.replace(dashpots=more.dashpots[::-1]))
    ]
    np.testing.assert_allclose(runs[0].extremes, runs[1].extremes, rtol=1e-6)
    assert runs[0].table["start"].size == runs[1].table["start"].size > 0


@pytest.mark.parametrize("seed", range(4))
def test_modes_quicker_than_a_soft_contact_have_their_peaks_in_flight(seed: int) -> None:
    """They are treated on their own in contact, and like all others in flight."""
    rng = np.random.default_rng(500 + seed)
    chain = Chain(rng, 6, 1)
    ground = shaken(rng, 150)
    other = carom.Oscillator(mass=8e4, period=0.3, damping_ratio=0.03, name="other")
    soft = carom.law("kelvin-voigt", stiffness=2e4, restitution=0.6)
    problem = carom.Problem(
        [chain.structure("tower"), other], [carom.Contact(("tower", "dof 6"), "other", gap=2.0, law=soft)],
        motion=carom.Motion(ground, DT),
    )  # fmt: skip
    run, alone = carom.simulate(problem), carom.simulate(problem.without_contacts())
    assert run.evidence["quick_modes"] > 0
    assert alone.evidence["quick_modes"] == 0
    np.testing.assert_allclose(run.extremes, alone.extremes, rtol=1e-9)
    u, v, a = exact(chain.mass, chain.damping, chain.stiffness, chain.load, np.zeros(12), ground)
    for name, whole in (("displacement", u), ("velocity", v), ("acceleration", a)):
        np.testing.assert_allclose(run.peaks[name].values[:6], np.abs(whole).max(axis=0), rtol=2e-2)


@pytest.mark.parametrize("scheme", ["newmark", "moreau-jean"])
def test_steps_take_dampers_between_structures(scheme: str) -> None:
    """Long before any contact they all follow the same equations."""
    rng = np.random.default_rng(11)
    left, right = Chain(rng, 2, 0), Chain(rng, 2, 1)
    problem = carom.Problem(
        [left.structure("left"), right.structure("right")], motion=carom.Motion(shaken(rng, 60), DT),
        dampers=[carom.Damper(("left", 2), ("right", 1), 3e5)],
    )  # fmt: skip
    expected = carom.simulate(problem)
    run = carom.simulate(problem, scheme=scheme, dt=1e-4)
    np.testing.assert_allclose(
        run.displacement, expected.displacement, rtol=0.0, atol=2e-3 * np.abs(expected.displacement).max()
    )


def test_ensembles_refuse_dampers() -> None:
    tower = carom.Oscillator(mass=1e5, period=0.5, damping_ratio=0.02, name="tower")
    problem = carom.Problem(
        [tower, carom.Ground(name="g")], [carom.Contact("tower", "g", gap=0.01, law=HARD)],
        motion=carom.Motion(shaken(np.random.default_rng(1)), DT), dampers=[carom.Damper("tower", "g", 1e5)],
    )  # fmt: skip
    with pytest.raises(carom.InputError, match=r"damping that couples the modes \(tower\)"):
        carom.ensemble(problem, vary={"gap": [0.01, 0.02]})


def tied(a: Any, b: Any) -> carom.Problem:
    return carom.Problem(
        [TOWER, carom.Ground(name="street"), carom.Wall(name="wall")], dampers=[carom.Damper(a, b, 1e5)]
    )


TOWER = carom.ShearBuilding(masses=[1e5] * 3, stiffnesses=[1e8] * 3, damping_ratio=0.02, name="tower")


@pytest.mark.parametrize(
    ("slip", "told"),
    [
        (lambda: carom.Damper("a", "b", -1.0), "`constant` of Damper must not be negative"),
        (lambda: carom.Damper("a", "b", "3 kg"), "`constant` of Damper must be convertible to N*s/m"),
        (lambda: carom.Damper("a", "b", None), "`constant` of Damper must be a number"),
        (lambda: carom.Damper(None, "b", 1.0), "`a` of Damper must be a structure"),
        (lambda: carom.Problem([TOWER], dampers=[1e5]), "`dampers` of Problem must be a list, each a carom.Damper"),
        (lambda: tied(("tower", 1), ("tower", 1)), "Damper joins 'tower' with itself"),
        (lambda: tied(("tower", 1), ("tower", 4)), "must lie in 1…3"),
        (lambda: tied("mast", ("tower", 1)), "Unknown structure 'mast'"),
        (lambda: tied("street", "wall"), "that no force moves"),
    ],
)  # fmt: skip
def test_what_no_damper_joins(slip: Any, told: str) -> None:
    with pytest.raises(carom.InputError) as refused:
        slip()
    assert told in str(refused.value)


def test_complex_modes_are_twice_the_modes_that_dashpots_couple() -> None:
    """And two for each building, for its absolute accelerations; modes at rest beside a damper stay as they are."""
    row = np.array([0.0, 1.0, 0.0])
    structure = carom.Structure([1.0, 1.0, 2.0], np.diag([100.0, 200.0, 300.0]), damping_ratio=0.02, name="s")
    damped = structure.replace(dashpots=[(row, 0.5)])
    found = complex_modes_of(carom.Problem([damped]).flat())
    assert found is not None
    assert found.flat.omega.size == 3  # one mode alone is only damped more
    row = np.array([1.0, 1.0, 0.0])
    found = complex_modes_of(carom.Problem([structure.replace(dashpots=[(row, 0.5)])]).flat())
    assert found is not None
    assert found.flat.omega.size == 1 + 2 * 2 + 2


def test_a_dashpot_far_beyond_critical_keeps_accelerations() -> None:
    """Two shear buildings that pound, one with a dashpot whose motion dies out within 0.4 ms: at two tolerances."""
    towers = [
        carom.ShearBuilding(masses=[3e5] * floors, stiffnesses=[stiffness] * floors, damping_ratio=0.05, name=name)
        for floors, stiffness, name in ((9, 5e8, "a"), (8, 8e8, "b"))
    ]
    contacts = [carom.Contact(("a", floor), ("b", floor), gap=0.002, law=HARD) for floor in (7, 8)]
    stiff = carom.Damper(("b", 8), ("b", 7), 4e8)
    ground = shaken(np.random.default_rng(11), 200)
    problem = carom.Problem(towers, contacts, motion=carom.Motion(ground, DT), dampers=[stiff])
    modes = complex_modes_of(problem.flat())
    assert modes is not None
    assert 2.0 * modes.flat.sigma.max() > 20.0 * problem.flat().omega.max()
    rough, fine = (carom.simulate(problem, rtol=rtol) for rtol in (1e-6, 1e-9))
    assert rough.evidence["path"] == FLIGHT
    assert rough.impact_count == fine.impact_count > 0
    errors = np.abs(rough.extremes - fine.extremes) / fine.extremes.max(axis=0)
    assert errors.max() <= 3e-6
