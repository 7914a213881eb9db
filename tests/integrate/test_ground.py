"""Ground that moves along x, y and z, against the equations of motion of its structures by matrix exponentials."""

from __future__ import annotations

import itertools
import math
import pickle
from typing import NamedTuple

import numpy as np
import pytest
import xarray as xr
from scipy import integrate, linalg

import carom
from carom.backends import backend_name
from carom.integrate.ensembles import stores
from carom.studies.analyses.suite import suite_table
from carom.studies.single.close_up import close_ups

DT = 0.01
FINE = 16
"""Parts of a sample in which extremes are sought."""
LAW = carom.law("kelvin-voigt", stiffness=5e8, restitution=0.6)
FAR = 50.0


def record(random: np.random.Generator, samples: int = 200) -> carom.Motion:
    """It dies away: peaks come early, and engines fly freely over what follows."""
    t = DT * np.arange(samples)
    waves = sum(random.uniform(0.3, 1.5) * np.sin(2 * math.pi * f * t + random.uniform(0, 6)) for f in (0.7, 1.9, 4.3))
    return carom.Motion(waves * np.minimum(1.0, t / 0.3) * np.exp(-4.0 * np.maximum(t - 0.6, 0.0)), DT)


def structure(random: np.random.Generator, dofs: int, name: str, kind: int = 0) -> carom.Structure:
    """Random M, K and influence; damping by ratios, or a matrix that couples the modes (kind 1)."""
    root = random.normal(size=(dofs, dofs)) * 0.2 + np.eye(dofs)
    mass = 1e4 * root @ root.T
    shapes = linalg.qr(random.normal(size=(dofs, dofs)))[0]
    squares = (2 * math.pi * random.uniform(0.5, 9.0, dofs)) ** 2
    half = linalg.sqrtm(mass).real
    stiffness = half @ shapes @ np.diag(squares) @ shapes.T @ half
    stiffness = 0.5 * (stiffness + stiffness.T)
    influence = random.normal(size=(dofs, 3))
    options = {"damping_ratio": random.uniform(0.02, 0.1, dofs).tolist()}
    if kind == 1:
        beside = random.normal(size=(dofs, dofs))
        options = {"damping": 3e3 * beside @ beside.T}
    load = random.normal(size=dofs) * 1e4 if random.random() < 0.5 else None
    return carom.Structure(mass, stiffness, influence=influence, load=load, name=name, **options)


class Exact(NamedTuple):
    """u, u̇ and absolute acceleration on fine samples (samples, dofs), and the work of all loads at each [J]."""

    u: np.ndarray
    v: np.ndarray
    a: np.ndarray
    slope: np.ndarray
    input: np.ndarray


def exact(one: carom.Structure, ground: np.ndarray, parts: int = FINE) -> Exact:
    """ü = M⁻¹(p − C u̇ − K u) − ι a(t), a straight line between samples: x₁ = E x₀ + G b₀ + H b′ by one expm."""
    mass, n = one.mass_matrix, len(one.dof_names)
    damping = mass @ one.modes().shapes @ one.modal_damping @ one.modes().shapes.T @ mass
    inverse = np.linalg.inv(mass)
    a = np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ one.stiffness_matrix, -inverse @ damping]])
    b = np.block([[np.zeros((n, 4))], [-one.influence, (inverse @ one.load)[:, None]]])
    h = DT / parts
    big = np.zeros((2 * n + 8, 2 * n + 8))
    big[: 2 * n, : 2 * n], big[: 2 * n, 2 * n : 2 * n + 4] = a, b
    big[2 * n : 2 * n + 4, 2 * n + 4 :] = np.eye(4)
    step = linalg.expm(h * big)
    coarse = np.arange(ground.shape[1])
    fine = np.arange((ground.shape[1] - 1) * parts + 1) / parts
    load = np.vstack([[np.interp(fine, coarse, row) for row in ground], np.ones((1, fine.size))])
    x = np.zeros((fine.size, 2 * n))
    for i in range(fine.size - 1):
        x[i + 1] = step[: 2 * n] @ np.concatenate([x[i], load[:, i], (load[:, i + 1] - load[:, i]) / h])
    rates = x @ a.T + load.T @ b.T
    absolute = rates[:, n:] + load[:3].T @ one.influence.T
    jerk = (x @ a.T + load.T @ b.T) @ a[n:].T
    power = np.sum((load.T @ b[n:].T @ mass) * x[:, n:], axis=1)
    work = np.zeros(fine.size)
    work[2::2] = np.cumsum(h / 3.0 * (power[:-2:2] + 4.0 * power[1:-1:2] + power[2::2]))
    return Exact(x[:, :n], x[:, n:], absolute, jerk, work)


def crest(values: np.ndarray, slopes: np.ndarray, h: float) -> np.ndarray:
    """The largest |value| of the cubics through values with their slopes."""
    s = np.linspace(0.0, 1.0, 41)[1:-1, None, None]
    u0, u1, d0, d1 = values[:-1], values[1:], h * slopes[:-1], h * slopes[1:]
    inner = (1 + 2 * s) * (1 - s) ** 2 * u0 + s * (1 - s) ** 2 * d0 + s**2 * (3 - 2 * s) * u1 + s**2 * (s - 1) * d1
    return np.maximum(np.abs(values).max(axis=0), np.abs(inner).max(axis=(0, 1)))


SIZES = [(1, 2), (3, 2), (3, 5), (8, 1), (9, 11), (24, 3)]
"""Degrees of freedom of two structures: for the explicit engine, and for buildings side by side."""


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("contact", [False, True])
def test_every_structure_moves_as_its_matrices_say(sizes: tuple[int, int], contact: bool) -> None:
    """No contact closes; one that might takes other engines."""
    random = np.random.default_rng([21, *sizes])
    pair = [structure(random, size, name, kind=int(size == 2)) for size, name in zip(sizes, "ab", strict=True)]
    motions = carom.MotionSet(tuple(record(random) for _ in range(3)))
    contacts = [carom.Contact(("a", 1), ("b", 1), gap=FAR, law=LAW)] if contact else []
    problem = carom.Problem(pair, contacts, motion=motions)
    runs = [carom.simulate(problem, path=path) for path in ("quick", "general")]
    ground = np.array([motion.acceleration for motion in motions])
    held = [exact(one, ground) for one in pair]
    for run in runs:
        for name in ("u", "v", "a"):
            found = {"u": run.displacement, "v": run.velocity, "a": run.acceleration}[name]
            wanted = np.hstack([getattr(one, name)[::FINE] for one in held])
            np.testing.assert_allclose(found, wanted, rtol=0.0, atol=1e-9 * np.abs(wanted).max())
        peaks = np.array([
            np.concatenate([crest(one.u, one.v, DT / FINE) for one in held]),
            np.concatenate([crest(one.v, one.a - ground_of(pair[i], ground), DT / FINE) for i, one in enumerate(held)]),
            np.concatenate([crest(one.a, one.slope, DT / FINE) for one in held]),
        ])  # fmt: skip
        # damping that couples modes is carried by contacts that never open, to the tolerance of a step
        np.testing.assert_allclose(run.extremes.T, peaks, rtol=1e-5 if 2 in sizes else 2e-6)
        brought = sum(one.input[:: 2 * FINE] for one in held)
        np.testing.assert_allclose(run.ledger["input"][::2], brought, rtol=0.0, atol=1e-6 * np.abs(brought).max())
        assert np.abs(run.ledger["residual"]).max() < 1e-9 * run.ledger["kinetic"].max()


def ground_of(one: carom.Structure, ground: np.ndarray) -> np.ndarray:
    """What a structure's degrees of freedom take along of the ground, on fine samples."""
    coarse = np.arange(ground.shape[1])
    fine = np.arange((ground.shape[1] - 1) * FINE + 1) / FINE
    return np.array([np.interp(fine, coarse, row) for row in ground]).T @ one.influence.T


@pytest.mark.skipif(backend_name() == "python", reason="thousands of steps")
@pytest.mark.parametrize("scheme", ["newmark", "rk4", "moreau-jean", "event"])
def test_every_scheme_takes_three_components(scheme: str) -> None:
    """Steps that halve bring it closer to the exact motion at the order of the scheme; energy balances."""
    random = np.random.default_rng(4)
    one = structure(random, 4, "one")
    motions = {"x": record(random), "z": record(random)}
    law = carom.law("newton", restitution=0.5) if scheme in ("moreau-jean", "event") else LAW
    wall = carom.Contact(("one", {"dof 1": 1.0}), ("other", 1), gap=FAR, law=law)
    problem = carom.Problem([one, structure(random, 1, "other")], [wall], motion=motions)
    ground = np.array([motions["x"].acceleration, np.zeros(200), motions["z"].acceleration])
    wanted = exact(one, ground)
    steps = [{}] if scheme == "event" else [{"dt": DT / 4}, {"dt": DT / 8}]
    errors, peaks = [], []
    for options in steps:
        run = carom.simulate(problem, scheme=scheme, **options)
        errors.append(np.abs(run.displacement[:, :4] - wanted.u[::FINE]).max() / np.abs(wanted.u).max())
        top = np.abs(wanted.a).max(axis=0)
        peaks.append(np.abs(run.extremes[:4, 2] / top - 1.0).max())
        assert np.abs(run.ledger["residual"]).max() < 1e-2 * run.ledger["input"].max()
    if scheme == "event":
        assert errors[0] < 1e-9
        assert peaks[0] < 0.05  # means over a sample
        return
    order = {"newmark": 2, "rk4": 4, "moreau-jean": 2}[scheme]
    assert errors[1] < errors[0] / 2 ** (order - 0.4)
    assert errors[1] < 2e-2
    assert peaks[1] < 2e-2


def tower(random: np.random.Generator, floors: int, name: str, turn: np.ndarray) -> carom.Structure:
    """Floors that move along x, y and z on springs of their own along three axes, all of it turned."""
    mass = 2e4 * random.uniform(0.8, 1.2, floors)
    ways = []
    for _ in range(3):
        k = 8e6 * random.uniform(0.5, 2.0, floors)
        ways.append(np.diag(k + np.append(k[1:], 0.0)) - np.diag(k[1:], 1) - np.diag(k[1:], -1))
    stiffness = np.zeros((3 * floors, 3 * floors))
    for axis, own in enumerate(ways):
        stiffness[axis::3, axis::3] = own
    all_turned = np.kron(np.eye(floors), turn)
    stiffness = all_turned @ stiffness @ all_turned.T
    names = [f"u{axis}{floor}" for floor in range(1, floors + 1) for axis in "xyz"]
    top = {axis: f"u{axis}{floors}" for axis in "xyz"}
    return carom.Structure(
        np.repeat(mass, 3), 0.5 * (stiffness + stiffness.T), damping_ratio=0.03, dofs=names, name=name,
        influence=np.tile(np.eye(3), (floors, 1)), points={"top": carom.Point((0, 0, 3.0 * floors), **top)},
    )  # fmt: skip


def scene(turn: np.ndarray, floors: tuple[int, int]) -> carom.Problem:
    """Two towers whose tops may meet, and all around them, turned."""
    random = np.random.default_rng([8, *floors])
    pair = [tower(random, count, name, turn) for count, name in zip(floors, "ab", strict=True)]
    ground = turn @ np.array([3.0 * record(random).acceleration for _ in range(3)])
    motions = {axis: carom.Motion(row, DT) for axis, row in zip("xyz", ground, strict=True)}
    law = carom.law("hertzdamp", stiffness=4e9, restitution=0.6)
    way = tuple(turn[:, 0].tolist())
    return carom.Problem(pair, [carom.Contact(("a", "top", way), ("b", "top"), gap=0.004, law=law)], motion=motions)


@pytest.mark.parametrize("floors", [(1, 1), (2, 4), (6, 5)])
def test_a_scene_that_is_turned_gives_the_same_forces(floors: tuple[int, int]) -> None:
    straight = carom.simulate(scene(np.eye(3), floors))
    assert straight.table["start"].size > 1
    random = np.random.default_rng(5)
    for _ in range(3):
        turn = linalg.qr(random.normal(size=(3, 3)))[0]
        turn[:, 0] *= np.sign(np.linalg.det(turn))
        told = scene(turn, floors)
        run = carom.simulate(told)
        most = straight.table["peak_force"].max()
        np.testing.assert_allclose(run.table["peak_force"], straight.table["peak_force"], rtol=0.0, atol=1e-10 * most)
        np.testing.assert_allclose(run.table["start"], straight.table["start"], rtol=1e-9)
        turned = run.displacement[:, told.flat().dof_output].reshape(len(run.time), -1, 3) @ turn
        wanted = straight.displacement.reshape(turned.shape)
        np.testing.assert_allclose(turned, wanted, rtol=0.0, atol=1e-10 * np.abs(wanted).max())
        energy = straight.ledger["input"]
        np.testing.assert_allclose(run.ledger["input"], energy, rtol=0.0, atol=1e-10 * np.abs(energy).max())


def test_along_y_alone_is_along_x_digit_for_digit() -> None:
    random = np.random.default_rng(3)
    shake = record(random)
    runs = []
    for axis in "xyz":
        along = np.eye(3)["xyz".index(axis)]
        pair = [
            carom.Structure(
                [2e4] * n, np.diag([8e6] * n), damping_ratio=0.02, influence=np.tile(along, (n, 1)), name=name
            )
            for n, name in ((2, "a"), (5, "b"))
        ]  # fmt: skip
        contact = carom.Contact(("a", 1), ("b", 2), gap=0.0, law=LAW)
        runs.append(carom.simulate(carom.Problem(pair, [contact], motion={axis: shake}), path="general"))
    for run in runs[1:]:
        np.testing.assert_array_equal(run.displacement, runs[0].displacement)
        np.testing.assert_array_equal(run.extremes, runs[0].extremes)
        np.testing.assert_array_equal(run.ledger["input"], runs[0].ledger["input"])


def test_two_supports_with_motions_and_delays_of_their_own_against_a_problem_written_out() -> None:
    """u in x, y and z of two bodies on springs; the contact feels both grounds, along a slanting line."""
    random = np.random.default_rng(12)
    way = np.array([0.6, 0.5, -0.3])
    way /= np.linalg.norm(way)
    one = carom.MotionSet(tuple(record(random, 150) for _ in range(3)))
    two = {"x": record(random, 150), "z": record(random, 150)}
    mass, stiff, decay = np.array([3e4, 2e4]), (np.array([2.5e6, 4e6, 9e6]), np.array([6e6, 1e6, 3e6])), 0.4
    bodies = [
        carom.Structure(
            [m] * 3, np.diag(k), damping=2.0 * decay * m * np.eye(3), dofs=["x", "y", "z"], influence=np.eye(3),
            points={"face": carom.Point(x="x", y="y", z="z")}, name=name,
        )
        for m, k, name in zip(mass, stiff, "ab", strict=True)
    ]  # fmt: skip
    law = carom.law("hertz", stiffness=3e8)
    contact = carom.Contact(("a", "face", tuple(way)), ("b", "face"), gap=0.0, law=law)
    delay = 0.037
    problem = carom.Problem(bodies, [contact], motion={"a": one, "b": (two, delay)})
    run = carom.simulate(problem, rtol=1e-9, duration=1.48)
    assert run.table["start"].size > 2

    moved = [[*one], [two["x"], None, two["z"]]]

    def ground(side: int, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Acceleration, and displacement as the exact double integral of straight lines."""
        a, u = np.zeros((2, 3))
        late = t - delay * side
        for axis, motion in enumerate(moved[side]):
            if motion is None or late <= 0.0:
                continue
            i = min(int(late / DT), motion.npts - 2)
            s = late - i * DT
            start, slope = motion.acceleration[i], (motion.acceleration[i + 1] - motion.acceleration[i]) / DT
            if late <= motion.duration:
                a[axis] = start + slope * s
                u[axis] = motion.displacement[i] + s * motion.velocity[i] + s * s * (start / 2.0 + slope * s / 6.0)
            else:
                u[axis] = motion.displacement[-1] + (late - motion.duration) * motion.velocity[-1]
        return a, u

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        u, v = y[:6].reshape(2, 3), y[6:].reshape(2, 3)
        shaken = [ground(side, t) for side in (0, 1)]
        overlap = way @ (u[0] + shaken[0][1] - u[1] - shaken[1][1])
        force = 3e8 * max(overlap, 0.0) ** 1.5
        w = [
            -shaken[i][0] - 2.0 * decay * v[i] - stiff[i] / mass[i] * u[i] - (1 - 2 * i) * way * force / mass[i]
            for i in (0, 1)
        ]
        return np.concatenate([y[6:], *w])

    y, peak = np.zeros(12), 0.0
    kinks = np.unique(np.round(np.concatenate([DT * np.arange(151), delay + DT * np.arange(147)]), 9))
    kinks = kinks[kinks <= 1.48 + 1e-12]
    for begin, end in itertools.pairwise(kinks):
        found = integrate.solve_ivp(rates, (begin, end), y, method="DOP853", rtol=1e-11, atol=1e-13, max_step=5e-4)
        for t, state in zip(found.t, found.y.T, strict=True):
            u = state[:6].reshape(2, 3)
            overlap = way @ (u[0] + ground(0, t)[1] - u[1] - ground(1, t)[1])
            peak = max(peak, 3e8 * max(overlap, 0.0) ** 1.5)
        y = found.y[:, -1]
    most = np.abs(run.displacement).max()
    np.testing.assert_allclose(run.displacement[-1, :6], y[:6], rtol=0.0, atol=1e-6 * most)
    assert run.table["peak_force"].max() == pytest.approx(peak, rel=1e-4)
    assert run.table["peak_force"].max() >= peak * (1.0 - 1e-7)


def shaken_pair(random: np.random.Generator, sizes: tuple[int, int], motion: object) -> carom.Problem:
    pair = [structure(random, size, name) for size, name in zip(sizes, "ab", strict=True)]
    contact = carom.Contact(("a", 1), ("b", 1), gap=0.02, law=LAW)
    return carom.Problem(pair, [contact], motion=motion)


@pytest.mark.parametrize("sizes", [(1, 1), (2, 3), (5, 12)], ids=str)
def test_ensembles_over_sets_of_components_and_scales(sizes: tuple[int, int]) -> None:
    random = np.random.default_rng([6, *sizes])
    records = [record(random, 120) for _ in range(6)]
    motions = [carom.MotionSet(tuple(records[:3])), {"z": records[3]}, records[4], {"y": records[5], "x": records[0]}]
    problem = shaken_pair(random, sizes, motions[0])
    many = carom.ensemble(problem, vary={"motion": motions, "scale": [0.7, 1.6]}, rtol=1e-9, twin=True)
    for m, motion in enumerate(motions):
        for s, scale in enumerate([0.7, 1.6]):
            given = motion if isinstance(motion, dict) else {"x": motion} if isinstance(motion, carom.Motion) else None
            if given is None:
                told = motion.scaled(factor=scale)
            else:
                told = {axis: one.scaled(factor=scale) for axis, one in given.items()}
            same(many.dataset.isel(motion=m, scale=s), carom.simulate(problem.replace(motion=told), rtol=1e-9))


def same(found: xr.Dataset, run: carom.Simulation) -> None:
    for i, kind in enumerate(("displacement", "velocity", "acceleration")):
        np.testing.assert_allclose(found[kind].values, run.extremes[:, i], rtol=1e-6)
    assert int(found.impacts) == run.table["start"].size
    assert float(found.input_energy) == pytest.approx(run.ledger["input"][-1], rel=1e-6)


@pytest.mark.parametrize("supports", [1, 2])
def test_ensembles_over_structures_that_are_driven_along_other_directions(supports: int) -> None:
    """What a structure answers differs from run to run, and with it the rows of acceleration that drive its modes."""
    random = np.random.default_rng([7, supports])
    motions = carom.MotionSet(tuple(record(random, 120) for _ in range(3)))
    grounds = motions if supports == 1 else {"a": motions, "b": ({"x": motions[1], "y": motions[0]}, 0.05)}
    problem = shaken_pair(random, (2, 4), grounds)
    influences = [random.normal(size=(2, 3)) for _ in range(4)]
    ratios = [0.01, 0.08]
    many = carom.ensemble(
        problem, vary={"a.influence": influences, "b.damping_ratio": ratios, "scale": [0.8, 1.2]}, rtol=1e-9
    )
    for i, influence in enumerate(influences):
        for j, ratio in enumerate(ratios):
            changed = (
                problem.structures[0].replace(influence=influence),
                problem.structures[1].replace(damping_ratio=ratio),
            )
            for s, scale in enumerate([0.8, 1.2]):
                louder = motions.scaled(factor=scale)
                under = louder if supports == 1 else {"a": louder, "b": ({"x": louder[1], "y": louder[0]}, 0.05)}
                run = carom.simulate(problem.replace(structures=changed, motion=under), rtol=1e-9)
                same(many.dataset.isel({"a.influence": i, "b.damping_ratio": j, "scale": s}), run)


def test_rows_beyond_what_is_kept_at_once_are_made_for_few_structures_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(17)
    problem = shaken_pair(random, (2, 3), carom.MotionSet(tuple(record(random, 80) for _ in range(3))))
    shakes = [carom.MotionSet(tuple(record(random, 80) for _ in range(3))) for _ in range(2)]
    vary = {"motion": shakes, "a.influence": [random.normal(size=(2, 3)) for _ in range(7)], "scale": [0.9, 1.4]}
    whole = carom.ensemble(problem, vary=vary, twin=True)
    monkeypatch.setattr(stores, "LARGEST_GROUNDS", 2 * 5 * 80 * 8 * 3)  # of three structures
    parted = carom.ensemble(problem, vary=vary, twin=True)
    xr.testing.assert_identical(parted.dataset.drop_attrs(), whole.dataset.drop_attrs())


def test_structures_that_are_stacked_as_arrays_hear_their_own_component() -> None:
    random = np.random.default_rng(9)
    motions = carom.MotionSet(tuple(record(random, 120) for _ in range(3)))
    left = carom.Oscillator(mass=2e4, period=0.6, damping_ratio=0.03, name="left")
    right = structure(random, 3, "right")
    contact = carom.Contact("left", ("right", 1), gap=0.02, law=LAW)
    problem = carom.Problem([left, right], [contact], motion=motions)
    masses = [1e4, 3e4]
    many = carom.ensemble(problem, vary={"left.mass": masses}, rtol=1e-9)
    for i, mass in enumerate(masses):
        told = problem.replace(structures=(left.replace(mass=mass), right))
        same(many.dataset.isel({"left.mass": i}), carom.simulate(told, rtol=1e-9))


@pytest.mark.skipif(backend_name() == "python", reason="thousands of steps")
def test_joints_inside_a_structure_yield_under_three_components() -> None:
    """Elastic and perfectly plastic: K u + f(d) with f(d) = k (clip(d − z) − (d − z)) beyond K, by steps of SciPy's."""
    random = np.random.default_rng(14)
    motions = [record(random, 120).scaled(factor=4.0) for _ in range(3)]
    mass, k, limit = np.array([2e4, 3e4]), 6e6, 0.004
    influence = random.normal(size=(2, 3))
    spring = carom.Bilinear(limit, 0.0).bound_to(k)
    one = carom.Structure(
        mass, np.array([[2 * k, -k], [-k, k]]), damping=carom.Rayleigh(0.5, 0.0), influence=influence,
        springs=[(("dof 2", "dof 1"), spring)], name="one",
    )  # fmt: skip
    run = carom.simulate(carom.Problem([one], motion=carom.MotionSet(tuple(motions))), scheme="rk4", dt=2e-4)
    times = DT * np.arange(120)
    ground = np.array([motion.acceleration for motion in motions])
    u, v, plastic, h = np.zeros(2), np.zeros(2), 0.0, 2e-5
    found = [u.copy()]
    accelerations = np.zeros(2)
    for i in range(round(times[-1] / h)):  # central differences
        t = i * h
        a = influence @ np.array([np.interp(t, times, row) for row in ground])
        d = u[1] - u[0]
        plastic = min(max(plastic, d - limit), d + limit)
        force = k * (d - plastic)
        pull = np.array([k * u[0] - force, force])
        w = -a - 0.5 * v - pull / mass
        accelerations = np.maximum(accelerations, np.abs(w + a))
        v = v + h * w
        u = u + h * v
        if (i + 1) % round(DT / h) == 0:
            found.append(u.copy())
    assert abs(plastic) > limit
    most = np.abs(found).max()
    np.testing.assert_allclose(run.displacement, found, rtol=0.0, atol=2e-3 * most)
    np.testing.assert_allclose(run.extremes[:, 2], accelerations, rtol=5e-3)


@pytest.mark.skipif(backend_name() == "python", reason="thousands of steps")
def test_schemes_agree_on_contacts_in_space() -> None:
    problem = scene(linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0], (2, 3))
    event = carom.simulate(problem)
    for scheme in ("rk4", "radau-iia-2"):
        run = carom.simulate(problem, scheme=scheme, rtol=1e-7)
        assert run.table["peak_force"][:3] == pytest.approx(event.table["peak_force"][:3], rel=5e-3)
        np.testing.assert_allclose(run.extremes[:, 2], event.extremes[:, 2], rtol=2e-2)
        np.testing.assert_allclose(run.ledger["input"], event.ledger["input"], atol=1e-2 * event.ledger["input"].max())
    rigid = problem.replace(law=carom.law("newton", restitution=0.5))
    event = carom.simulate(rigid)
    stepped = carom.simulate(rigid, scheme="moreau-jean", dt=1e-4)
    np.testing.assert_allclose(stepped.extremes[:, 0], event.extremes[:, 0], rtol=2e-2)
    first = event.table["impulse"][0]
    assert stepped.table["impulse"][0] == pytest.approx(first, rel=2e-2)


def test_a_suite_of_sets_is_run_with_and_without_contact() -> None:
    random = np.random.default_rng(51)
    problem = shaken_pair(random, (2, 3), None)
    sets = [carom.MotionSet(tuple(record(random, 120) for _ in range(2))) for _ in range(2)]
    table = suite_table(problem, [*sets, record(random, 90)], vary={"scale": [0.5, 1.0]})
    assert table.columns["pga"][:2] == pytest.approx([0.5 * sets[0].pga, sets[0].pga])
    for row, told in ((1, sets[0]), (2, sets[1].scaled(factor=0.5))):
        run = carom.simulate(problem.replace(motion=told))
        apart = carom.simulate(problem.replace(motion=told, gap=FAR))
        assert table.columns["displacement.a dof 1"][row] == pytest.approx(run.extremes[0, 0], rel=1e-9)
        assert table.columns["no_pounding.displacement.b dof 2"][row] == pytest.approx(apart.extremes[3, 0], rel=1e-9)


def test_the_hardest_impact_is_followed_closely_in_space_too() -> None:
    problem = scene(linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0], (1, 2))
    run = carom.simulate(problem)
    (loop,) = close_ups(problem, run)
    assert loop.time.size > 50
    assert loop.force.max() == pytest.approx(run.table["peak_force"].max(), rel=2e-3)


def test_a_loaded_structure_starts_at_rest_and_stays() -> None:
    random = np.random.default_rng(31)
    one = structure(random, 6, "one").replace(load=(1e4 * random.normal(size=6)).tolist())
    still = carom.Problem([one], initial_displacement="rest")
    run = carom.simulate(still, duration=2.0, sampling=0.01)
    rest = np.linalg.solve(one.stiffness_matrix, one.load)
    np.testing.assert_allclose(run.displacement, np.tile(rest, (len(run.time), 1)), rtol=0.0,
                               atol=1e-12 * np.abs(rest).max())  # fmt: skip
    assert np.abs(run.velocity).max() < 1e-11 * np.abs(rest).max()
    motions = carom.MotionSet(tuple(record(random) for _ in range(3)))
    loaded = carom.simulate(still.replace(motion=motions))
    plain = carom.simulate(carom.Problem([one.replace(load=None)], motion=motions))
    np.testing.assert_allclose(loaded.displacement - rest, plain.displacement, rtol=0.0,
                               atol=1e-10 * np.abs(plain.displacement).max())  # fmt: skip
    assert np.abs(loaded.ledger["residual"]).max() < 1e-9 * loaded.ledger["strain"].max()
    twice = still.replace(structures=(one.replace(load=2.0 * one.load),))
    np.testing.assert_allclose(twice.initial_displacement["one"], 2.0 * rest, rtol=1e-10)
    again = pickle.loads(pickle.dumps(twice))
    np.testing.assert_allclose(again.replace(structures=(one,)).initial_displacement["one"], rest, rtol=1e-10)


def test_rest_follows_the_loads_of_an_ensemble() -> None:
    random = np.random.default_rng(33)
    pair = [structure(random, 3, "a"), structure(random, 2, "b")]
    contact = carom.Contact(("a", 1), ("b", 1), gap=0.05, law=LAW)
    problem = carom.Problem(pair, [contact], {"x": record(random), "y": record(random)}, initial_displacement="rest")
    loads = [1e4 * random.normal(size=3) for _ in range(3)]
    many = carom.ensemble(problem, vary={"a.load": loads}, rtol=1e-9)
    for i, load in enumerate(loads):
        told = problem.replace(structures=(pair[0].replace(load=load), pair[1]))
        same(many.dataset.isel({"a.load": i}), carom.simulate(told, rtol=1e-9))


def test_rest_short_of_a_joint_is_rest_and_beyond_it_is_refused() -> None:
    def held(load: float) -> carom.Problem:
        springs = [("dof 1", carom.Bilinear(0.01, 0.1).bound_to(2e6))]
        one = carom.Structure([1e4], [[2e6]], damping_ratio=0.02, load=[load], springs=springs, name="one")
        return carom.Problem([one], initial_displacement={"one": "rest"})

    run = carom.simulate(held(1.9e4), scheme="newmark", duration=0.5, sampling=0.01)
    np.testing.assert_allclose(run.displacement, 0.0095, rtol=1e-9)
    with pytest.raises(carom.InputError, match="must not be 'rest' where a joint yields or stops before it"):
        held(2.1e4)


def test_motions_of_an_ensemble_share_their_samples() -> None:
    random = np.random.default_rng(41)
    shake = record(random)
    problem = carom.Problem([structure(random, 2, "one")], motion=shake)
    late = {"x": shake, "y": shake.replace(start=0.005)}
    with pytest.raises(carom.InputError, match=r"must have components that start on one another's samples, 0\.01 s"):
        carom.ensemble(problem, vary={"motion": [shake, late]})
    for bad in ([shake, None], [{"x": 3.0}], [{"up": shake}]):
        with pytest.raises(carom.InputError, match="`motion` of ensemble must"):
            carom.ensemble(problem, vary={"motion": bad})


def test_a_ground_survives_changes_of_its_problem() -> None:
    random = np.random.default_rng(42)
    pair = [structure(random, 2, name) for name in "ab"]
    both = carom.MotionSet((record(random), record(random)))
    for motion in ({"x": both[0], "z": both[1]}, both, {"a": {"y": both[0]}, "b": (both, 0.25)}):
        problem = carom.Problem(pair, motion=motion)
        assert problem.replace(initial_velocity={"a": [1.0, 0.0]}).motion == problem.motion
        again = pickle.loads(pickle.dumps(problem))
        assert again.motion == problem.motion
        np.testing.assert_array_equal(again.flat().ground, problem.flat().ground)
    moving = carom.Problem(pair, motion={"x": both[0], "z": both[1]}).flat()
    assert moving.ground.any(axis=2).tolist() == [[True, False, True]]
    assert moving.components == (0, 2)
    delayed = carom.Problem(pair, motion={"a": None, "b": ({"y": both[0]}, 0.25)})
    assert [support.delay for support in delayed.supports] == [0.0, 0.25]
    assert delayed.flat().start == 0.25  # time begins where the first ground begins to move
    np.testing.assert_array_equal(delayed.flat().ground[1, 1], both[0].acceleration)


def test_an_ensemble_whose_contacts_feel_other_grounds_is_refused() -> None:
    """The side that rides on x alone and the one that rides on y: one run has a ground displacement more."""
    random = np.random.default_rng(40)
    left, right = carom.Oscillator(mass=2e4, period=0.6, name="left"), structure(random, 2, "right")
    alike = right.replace(influence=[[1, 0, 0], [0, 1, 0]])
    contact = carom.Contact("left", ("right", 1), gap=0.02, law=LAW)
    problem = carom.Problem([left, alike], [contact], motion={"x": record(random), "y": record(random)})
    with pytest.raises(carom.InputError, match="sides take along the ground's displacement alike in all runs"):
        carom.ensemble(problem, vary={"right.influence": [alike.influence, [[0, 1, 0], [0, 1, 0]]]})
