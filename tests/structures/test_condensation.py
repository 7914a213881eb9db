"""Degrees of freedom without mass against the equations that still hold them: eigenvalues by QZ, statics by solving."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from scipy import linalg

import carom
from carom.errors import CaromError

LAW = carom.law("kelvin-voigt", stiffness="200 MN/m", restitution=0.6)


def parts(seed: int) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Return M, K and which degrees of freedom have no mass."""
    rng = np.random.default_rng([23, seed])
    n = int(rng.integers(6, 14))
    light = sorted(rng.choice(n, size=int(rng.integers(1, n // 2 + 1)), replace=False).tolist())
    spread = rng.normal(size=(n, n)) * rng.uniform(0.5, 2.0, n)[:, None]
    mass = rng.normal(size=(n, n))
    mass = mass @ mass.T + n * np.eye(n)
    mass[light] = 0.0
    mass[:, light] = 0.0
    return 1e3 * mass, 1e6 * (spread @ spread.T + np.eye(n)), light


@pytest.mark.parametrize("seed", range(6))
def test_the_others_move_as_in_the_whole(seed: int) -> None:
    mass, stiffness, light = parts(seed)
    n = len(mass)
    rng = np.random.default_rng(seed)
    names = [f"d{i}" for i in range(n)]
    load, influence = rng.normal(size=n), rng.normal(size=(n, 3))
    load[light] = 0.0
    weights = {name: float(rng.normal()) for name in names}
    s = carom.Structure(
        mass, stiffness, dofs=names, load=load, influence=influence, name="s", damping_ratio=0.05,
        points={"corner": carom.Point((0, 0, 1), x=weights, y=names[light[0]])},
    )  # fmt: skip
    heavy = [i for i in range(n) if i not in light]
    assert s.dof_names == tuple(names[i] for i in heavy)
    top, bottom = linalg.eig(stiffness, mass, homogeneous_eigvals=True, right=False)
    bounded = np.abs(bottom) > 1e-9 * np.abs(top)
    finite = np.sort(np.real(top[bounded] / bottom[bounded]))
    assert finite.size == len(heavy)
    np.testing.assert_allclose(s.modes().omega ** 2, finite, rtol=1e-8)
    whole = np.linalg.solve(stiffness, load)
    found = np.linalg.solve(s.stiffness_matrix, s.load)
    for i, name in enumerate(names):
        assert s.row(name) @ found == pytest.approx(whole[i], rel=1e-9, abs=1e-12 * np.abs(whole).max())
        np.testing.assert_array_equal(s.read(name).share, influence[i])
    np.testing.assert_allclose(s.location("corner").rows[0] @ found, np.array(list(weights.values())) @ whole)
    np.testing.assert_allclose(s.location("corner").rows[1] @ found, whole[light[0]])
    np.testing.assert_allclose(s.read(weights).share, np.array(list(weights.values())) @ influence)
    shape = s.modes().shapes[:, 0]  # of every mode the forces on degrees of freedom without mass vanish
    all_of_it = np.array([s.row(name) @ shape for name in names])
    size = np.abs(stiffness).max() * np.abs(all_of_it).max()
    np.testing.assert_allclose((stiffness @ all_of_it)[light], 0.0, atol=1e-9 * size)
    assert s == s.replace() == pickle.loads(pickle.dumps(s))
    assert s.replace(damping_ratio=0.1).row(names[light[0]]).tobytes() == s.row(names[light[0]]).tobytes()


def test_loads_on_them_act_on_the_others() -> None:
    mass, stiffness, light = parts(1)
    load = np.zeros(len(mass))
    load[light] = 1.0
    s = carom.Structure(mass, stiffness, load=load, name="s")
    whole = np.linalg.solve(stiffness, load)
    heavy = [i for i in range(len(mass)) if i not in light]
    np.testing.assert_allclose(np.linalg.solve(s.stiffness_matrix, s.load), whole[heavy], rtol=1e-9)


def chain(**more: Any) -> carom.Structure:
    """Return two masses with a joint without mass between, and a lever without mass on the second."""
    return carom.Structure(
        [2.0, 0.0, 3.0, 0.0],
        [[500.0, -100.0, 0.0, 0.0], [-100.0, 300.0, -200.0, 0.0], [0.0, -200.0, 250.0, -50.0], [0.0, 0.0, -50.0, 50.0]],
        dofs=["one", "joint", "two", "lever"], name="chain", damping_ratio=0.02, **more,
    )  # fmt: skip


def test_springs_in_series() -> None:
    """Two springs, 100 and 200 N/m, with a joint between are one of 66.7 N/m; the lever follows the second mass."""
    s = chain(outputs=["joint", "lever", "one", "two"])
    np.testing.assert_allclose(s.stiffness_matrix, [[400.0 + 200.0 / 3.0, -200.0 / 3.0], [-200.0 / 3.0, 200.0 / 3.0]])
    np.testing.assert_allclose(s.row("joint"), [1.0 / 3.0, 2.0 / 3.0])
    np.testing.assert_allclose(s.row("lever"), [0.0, 1.0], atol=1e-15)
    other = carom.Oscillator(mass=1.0, stiffness=100.0, name="other")
    push = carom.Motion(np.sin(np.arange(300) * 0.1), 0.01)
    contact = carom.Contact(("chain", "two"), "other", gap=1.0, law=LAW)
    run = carom.simulate(carom.Problem([s, other], [contact], motion=push))
    u = run.history.displacement
    np.testing.assert_allclose(u.sel(dof="chain lever"), u.sel(dof="chain two"), atol=1e-12)
    np.testing.assert_allclose(
        u.sel(dof="chain joint"), (u.sel(dof="chain one") + 2.0 * u.sel(dof="chain two")) / 3.0, atol=1e-12
    )


def test_no_body_without_mass_is_struck() -> None:
    other = carom.Oscillator(mass=1.0, stiffness=100.0, name="other")
    s = chain(points={"tip": carom.Point((0, 0, 0), x="lever", y="one")})
    for place in ("joint", {"joint": 1.0, "lever": -2.0}, "tip"):
        with pytest.raises(CaromError, match="`contact` of Structure 'chain' must not be where nothing has mass"):
            carom.Problem([s, other], [carom.Contact(("chain", place), "other", gap=0.1, law=LAW)])
    carom.Problem([s, other], [carom.Contact(("chain", {"joint": 1.0, "two": 1.0}), "other", gap=0.1, law=LAW)])


def test_a_node_of_a_frame_without_mass_is_not_struck() -> None:
    section, light = carom.Section.steel("HEB 200"), carom.Material(2.1e11, 0.3, 0.0)
    mast = carom.Frame(
        nodes={"foot": (0, 0, 0), "mid": (0, 0, 3), "head": (0, 0, 6)},
        members=[carom.Member("foot", "mid", section, light), carom.Member("mid", "head", section, light)],
        supports={"foot": "fixed"}, masses={"head": 1e3}, plane="xz", name="mast",
    )  # fmt: skip
    assert mast.dof_names == ("head ux", "head uz")
    other = carom.Oscillator(mass=1e3, stiffness=1e5, name="other")
    with pytest.raises(CaromError, match="`contact` of Frame 'mast' must not be where nothing has mass"):
        carom.Problem([mast, other], [carom.Contact(("mast", "mid", "x"), "other", gap=0.1, law=LAW)])
    carom.Problem([mast, other], [carom.Contact(("mast", "head", "x"), "other", gap=0.1, law=LAW)])


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: chain().replace(damping_ratio=None, damping=np.eye(4)), "must be a 2 × 2 matrix"),
        (lambda: carom.Structure([1.0, 0.0], np.eye(2), damping=np.eye(2)), "`damping` of Structure must not act on"),
        (lambda: chain(dashpots=[("joint", 3.0)]), "`dashpots` of Structure 'chain' must not act on degrees of free"),
        (lambda: chain(springs=[("lever", carom.Bilinear(0.01).bound_to(1e3))]), "`springs` of Structure 'chain' must"),
        (lambda: chain().row(2), "`place` of Structure 'chain' must be a name"),
        (lambda: carom.Structure([1.0, 0.0], [[1.0, 0.0], [0.0, 0.0]]), "must hold every degree of freedom wi"),
        (lambda: carom.Structure([0.0, 0.0], np.eye(2)), "`mass_matrix` of Structure must have a mass somewhere"),
        (
            lambda: carom.Structure([1.0, 0.0], [[2.0, -1.0], [-1.0, 2.0]], outputs=["dof 2"]),
            "`outputs` of Structure must ride on the ground as what they follow does. Got 'dof 2'.",
        ),
    ],
)  # fmt: skip
def test_refusals(make: Any, told: str) -> None:
    with pytest.raises(CaromError) as caught:
        make()
    assert told in str(caught.value)
