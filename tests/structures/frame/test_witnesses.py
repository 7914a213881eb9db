"""Frames against slow and obvious second ways: multipliers for rigid parts, exact beams under axial force and shear."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import linalg

import carom
from carom import Diaphragm, Frame, Link, Material, Member, Section
from carom.structures.frame.members import member_mass
from tests.structures.frame.random_frames import WAYS, featured

MODES = 8


def constrained(seed: int) -> Frame:
    """A random frame with level floors of one or two slabs each, chains of arms, and a member between their ends."""
    made, loads = featured(seed, released=seed % 2 == 1, arms=seed % 3 == 0, trusses=seed % 3 == 1)
    rng = np.random.default_rng([24, seed])
    nodes: dict[str, Any] = {name: (at[0], at[1], 3.0 * int(name[-1])) for name, at in made.nodes.items()}
    slabs, links = [], []
    for level in (1, 2):
        floor = [name for name in nodes if name.endswith(f"-{level}")]
        if rng.random() < 0.5:
            at = rng.uniform(-3.0, 3.0, 2)
            slabs.append(Diaphragm(f"one {level}", tuple(floor[:2]), at=at, mass=5e3, inertia=4e4))
            slabs.append(Diaphragm(f"other {level}", tuple(floor[2:]), mass=3e3, radius=2.0, upright=False))
        else:
            slabs.append(Diaphragm(f"floor {level}", tuple(floor[:-1]), at=rng.uniform(0, 8, 2), mass=8e3, radius=3.0))
        for name, to in ((f"near{level}", floor[0]), (f"far{level}", f"near{level}")):
            nodes[name] = tuple(np.array(nodes[to]) + rng.uniform(-1.0, 1.0, 3))
        links += [Link(f"far{level}", f"near{level}"), Link(f"near{level}", floor[0])]
    bridge = Member("far1", "far2", made.members[0].section, made.members[0].material)
    return Frame(
        nodes=nodes, members=[*made.members, bridge], supports={**made.supports, "0-1-2": "uz"}, diaphragms=slabs,
        links=links, masses={**made.masses, "far1": (100, 200, 300, 1, 2, 3)}, rotary=False, lumped=seed % 4 == 2,
        loads={**loads, "far2": (1e3, 2e3, 3e3, 4e3, 5e3, 6e3)},
    )  # fmt: skip


def by_multipliers(frame: Frame) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return eigenvalues and displacements with every rigid part and support as an equation G u = 0."""
    names = list(frame.nodes)
    own = 6 * len(names)
    size = own + 3 * len(frame.diaphragms)
    stiffness, mass, force = np.zeros((size, size)), np.zeros((size, size)), np.zeros(size)
    stiffness[:own, :own] = frame._assembled.nodes_stiffness.toarray()
    for member in frame.members:
        spot = frame._assembled.placed[member.name]
        local = member_mass(member, spot.length, frame.lumped, frame.rotary)
        mass[np.ix_(spot.at, spot.at)] += spot.follow.T @ local @ spot.follow
    for node, values in frame.masses.items():
        at = 6 * names.index(node) + np.arange(6)
        mass[at, at] += values
    for node, values in frame.loads.items():
        force[6 * names.index(node) + np.arange(6)] += values
    equations: list[dict[int, float]] = []
    for node, ways in frame.supports.items():
        equations += [{6 * names.index(node) + WAYS.index(way): 1.0} for way in ways]
    for i, slab in enumerate(frame.diaphragms):
        x, y, turn = own + 3 * i + np.arange(3)
        mass[[x, y, turn], [x, y, turn]] += slab.mass, slab.mass, slab.turning
        centre = np.mean([frame.nodes[n][:2] for n in slab.nodes], axis=0) if slab.at is None else np.array(slab.at)
        for node in slab.nodes:
            first, arm = 6 * names.index(node), frame.nodes[node][:2] - centre
            mass[first + 2, first + 2] += slab.mass / len(slab.nodes) if slab.upright else 0.0
            equations += [
                {first: 1, x: -1, turn: arm[1]},
                {first + 1: 1, y: -1, turn: -arm[0]},
                {first + 5: 1, turn: -1},
            ]
    for link in frame.links:
        i, j = 6 * names.index(link.node), 6 * names.index(link.to)
        for way in range(3):  # u = u₀ + θ × arm
            turned = [
                float(np.cross(np.eye(3)[k], frame.nodes[link.node] - frame.nodes[link.to])[way]) for k in range(3)
            ]
            equations.append({i + way: 1.0, j + way: -1.0, **{j + 3 + k: -turned[k] for k in range(3)}})
            equations.append({i + 3 + way: 1.0, j + 3 + way: -1.0})
    rows = np.zeros((len(equations), size))
    for row, equation in zip(rows, equations, strict=True):
        for at, value in equation.items():
            row[at] += value
    kernel = linalg.null_space(rows)
    k, m = kernel.T @ stiffness @ kernel, kernel.T @ mass @ kernel
    inverse = linalg.eigh(m, k, eigvals_only=True)[::-1]
    moved = kernel @ np.linalg.solve(k, kernel.T @ force)
    return 1.0 / inverse[:MODES], {name: moved[6 * i : 6 * i + 6] for i, name in enumerate(names)}


@pytest.mark.parametrize("seed", range(8))
def test_slabs_and_arms_as_equations_have_them(seed: int) -> None:
    frame = constrained(seed)
    frame = frame.replace(members=[one.replace(load=(0.0, 0.0, 0.0)) for one in frame.members])
    eigenvalues, moved = by_multipliers(frame)
    np.testing.assert_allclose(frame.modes().omega[:MODES] ** 2, eigenvalues, rtol=1e-9)
    rest, largest = frame.static(), max(float(np.abs(values).max()) for values in moved.values())
    for node, values in moved.items():
        np.testing.assert_allclose(rest.displacements[node], values, atol=1e-10 * largest)


@pytest.mark.parametrize("seed", range(4))
def test_arms_are_links_to_the_ends(seed: int) -> None:
    """With shear, and with consistent mass: the same member between nodes that follow the others rigidly."""
    made, loads = featured(seed, shear=True, arms=True)
    nodes, members, links = dict(made.nodes), [], []
    for member in made.members:
        ends = []
        for side, node in enumerate((member.start, member.end)):
            arm = np.array((member.offsets or ((0.0, 0.0, 0.0),) * 2)[side])
            if arm.any():
                ends.append(name := f"{side}of{len(members)}")
                nodes[name] = nodes[node] + arm
                links.append(Link(name, node))
            else:
                ends.append(node)
        members.append(member.replace(start=ends[0], end=ends[1], offsets=None))
    apart = made.replace(nodes=nodes, members=members, links=links)
    np.testing.assert_allclose(apart.frequencies, made.frequencies, rtol=1e-8)
    one, other = made.static(loads), apart.static(loads)
    for member in members:
        largest = np.abs(other.forces[member.name]).max()
        np.testing.assert_allclose(one.forces[member.name], other.forces[member.name], atol=1e-9 * largest)


@pytest.mark.parametrize("seed", range(6))
def test_rest_is_in_equilibrium(seed: int) -> None:
    """Loads, weights and reactions of a random frame in space: their forces and their moments add up to nothing."""
    frame = constrained(seed).replace(gravity=None)
    rest = frame.static(gravity=9.81)
    total, about = np.zeros(3), np.zeros(3)
    forces = {node: np.array(values) for node, values in frame.loads.items()}
    for node, values in frame.masses.items():
        forces[node] = forces.get(node, np.zeros(6)) - [0, 0, 9.81 * values[2], 0, 0, 0]
    for slab in frame.diaphragms:
        for node in slab.nodes if slab.upright else ():
            forces[node] = forces.get(node, np.zeros(6)) - [0, 0, 9.81 * slab.mass / len(slab.nodes), 0, 0, 0]
    for given in (forces, rest.reactions):
        for node, values in given.items():
            total += values[:3]
            about += np.cross(frame.nodes[node], values[:3]) + values[3:]
    for member in frame.members:
        spot = frame._assembled.placed[member.name]
        load = spot.length * (np.array(member.load) - [0.0, 0.0, 9.81 * member.mass_per_length])
        arms = member.offsets or ((0.0, 0.0, 0.0),) * 2
        middle = 0.5 * (frame.nodes[member.start] + arms[0] + frame.nodes[member.end] + arms[1])
        total += load
        about += np.cross(middle, load)
    size = max(float(np.abs(values).max()) for values in rest.reactions.values())
    assert np.abs(total).max() < 1e-9 * size
    assert np.abs(about).max() < 1e-8 * size


def exact_column(length: float, bending: float, tension: float) -> np.ndarray:
    """The stiffness of a beam under axial force, for w₁, θ₁, w₂, θ₂, from EI·w⁗ = N·w″ and its four solutions."""
    a = math.sqrt(abs(tension) / bending)
    cos, sin, sign = (math.cosh, math.sinh, 1.0) if tension > 0.0 else (math.cos, math.sin, -1.0)

    def derivatives(x: float) -> np.ndarray:
        """Values of 1, x, cos ax, sin ax (or cosh, sinh), and their first three derivatives, by rows."""
        c, s = cos(a * x), sin(a * x)
        return np.array([
            [1.0, x, c, s], [0.0, 1.0, sign * a * s, a * c], [0.0, 0.0, sign * a**2 * c, sign * a**2 * s],
            [0.0, 0.0, a**3 * s, sign * a**3 * c],
        ])  # fmt: skip

    one, other = derivatives(0.0), derivatives(length)
    ends = np.linalg.inv(np.vstack([one[:2], other[:2]]))
    shear = [bending * at[3] - tension * at[1] for at in (one, other)]
    forces = np.vstack([shear[0], -bending * one[2], -shear[1], bending * other[2]])
    found: np.ndarray = forces @ ends
    return found


@pytest.mark.parametrize("share", [-0.9, -0.4, 0.3, 2.0])
def test_beams_under_axial_force_as_stability_functions_have_them(share: float) -> None:
    """A member in 32 parts, whose inner degrees of freedom carry no mass; `share` of π²EI/L²."""
    length, parts = 4.0, 32
    section, material = Section(1.0, 3e-4, 2e-4, 1e-4), Material(2e11, 0.3)
    for inertia, plane, ways in ((section.inertia_y, "xz", ("uz", "ry")), (section.inertia_z, "xy", ("uy", "rz"))):
        tension = share * math.pi**2 * material.young * inertia / length**2
        nodes = {f"n{i}": (length * i / parts, 0, 0) for i in range(parts + 1)}
        frame = Frame(
            nodes=nodes, supports={"n0": "ux"}, plane=plane, masses={"n0": [1.0] * 6, f"n{parts}": [1.0] * 6},
            members=[Member(f"n{i}", f"n{i + 1}", section, material, pretension=tension) for i in range(parts)],
            springs=[carom.Spring(n, 1e9, way) for n in ("n0", f"n{parts}") for way in ways],
        )  # fmt: skip
        at = [frame.dof_names.index(f"n{i} {way}") for i in (0, parts) for way in ways]
        found = frame.stiffness_matrix[np.ix_(at, at)] - 1e9 * np.eye(4)
        turn = np.diag([1.0, 1.0 if plane == "xy" else -1.0] * 2)
        exact = turn @ exact_column(length, material.young * inertia, tension) @ turn
        np.testing.assert_allclose(found, exact, atol=2e-5 * np.abs(exact).max())


def test_frequencies_of_a_beam_with_shear() -> None:
    """Simply supported: Timoshenko's equation, a quadratic in ω² for each half-wave, with rotary inertia."""
    section, material, length = Section.rectangle(0.3, 0.6), Material.concrete(), 4.0

    def frequencies(parts: int) -> np.ndarray:
        nodes = {f"n{i}": (length * i / parts, 0, 0) for i in range(parts + 1)}
        return Frame(
            nodes=nodes, supports=dict.fromkeys(nodes, "ux") | {"n0": "ux uz", f"n{parts}": "ux uz"}, plane="xz",
            members=[Member(f"n{i}", f"n{i + 1}", section, material, shear=True) for i in range(parts)],
        ).frequencies[:4]  # fmt: skip

    e, g, rho = material.young, material.shear, material.density
    a, i = section.area, section.inertia_y
    expected = []
    for half_waves in (1, 2, 3, 4):
        k, ratio = half_waves * math.pi / length, section.shear_z / a
        # (ρI/κGA)·ρA ω⁴ − (ρA + k²(ρI + ρA·EI/κGA)) ω² + EI k⁴ = 0
        terms = (
            rho**2 * i / (ratio * g), -(rho * a + k**2 * (rho * i + rho * e * i / (ratio * g))), e * i * k**4
        )  # fmt: skip
        expected.append(math.sqrt(min(np.roots(terms).real)) / (2.0 * math.pi))
    coarse, fine = frequencies(40), frequencies(80)
    assert np.all(coarse > fine)
    np.testing.assert_allclose(fine + (fine - coarse) / 3.0, expected, rtol=5e-6)  # the error falls with the square
