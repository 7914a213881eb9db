"""Ground that moves along x, y and z, against the equations of motion in physical coordinates by matrix exponentials."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from scipy import linalg

import carom
from carom.backends import backend_name

DT = 0.01
FINE = 16
"""Parts of a sample in which extremes are sought."""
LAW = carom.law("kelvin-voigt", stiffness=5e8, restitution=0.6)
FAR = 50.0


def record(random: np.random.Generator, samples: int = 200) -> carom.Motion:
    t = DT * np.arange(samples)
    waves = sum(random.uniform(0.3, 1.5) * np.sin(2 * math.pi * f * t + random.uniform(0, 6)) for f in (0.7, 1.9, 4.3))
    return carom.Motion(waves * np.minimum(1.0, t / 0.3), DT)


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
    options = {"damping_ratio": random.uniform(0.0, 0.1, dofs).tolist()}
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
        np.testing.assert_allclose(run.extremes.T, peaks, rtol=2e-6)
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
