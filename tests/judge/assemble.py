"""M, C and K of a description, in physical coordinates, as the kernel takes them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from tests.judge.describe import GROUND, Description, Structure
from tests.judge.laws import row_of


@dataclass(frozen=True)
class System:
    """ü = −(M⁻¹C) u̇ − (M⁻¹K) u + M⁻¹p − ι·a_g − M⁻¹HᵀF, and the contacts."""

    low: np.ndarray
    """First degree of freedom of the structure that each degree of freedom belongs to."""
    high: np.ndarray
    """One past the last."""
    stiffness: np.ndarray
    """M⁻¹K."""
    damping: np.ndarray
    """M⁻¹C."""
    load: np.ndarray
    """M⁻¹p [m/s²]."""
    mobility: np.ndarray
    """1/m [1/kg]; 0 for a wall that is fixed in space."""
    where: np.ndarray
    """Degrees of freedom that each contact reads, shape (C, W); −1: none, or the ground."""
    weights: np.ndarray
    """What it reads of each: overlap = Σ weight·u − gap, and forces push by the same."""
    gap: np.ndarray
    laws: np.ndarray
    start: np.ndarray
    """u and u̇ at the start."""
    ride: np.ndarray
    """What each degree of freedom takes along of the ground's acceleration, shape (samples, dofs) [m/s²]."""
    frequency: float
    """The highest of the structures [rad/s]."""

    def packed(self) -> tuple[np.ndarray, ...]:
        """The arrays that the kernel reads at every evaluation."""
        return (
            self.low, self.high, self.stiffness, self.damping, self.load, self.mobility, self.where, self.weights,
            self.gap, self.laws,
        )  # fmt: skip


def storeys(stiffnesses: tuple[float, ...]) -> np.ndarray:
    """K of a shear building."""
    n = len(stiffnesses)
    k = np.zeros((n, n))
    for i, value in enumerate(stiffnesses):
        k[i, i] += value
        if i:
            k[i - 1, i - 1] += value
            k[i, i - 1] -= value
            k[i - 1, i] -= value
    return k


def damping_matrix(structure: Structure, mass: np.ndarray, stiffness: np.ndarray) -> np.ndarray:
    """C = M Φ diag(2ζω) Φᵀ M, αM + βK, or as given."""
    if structure.matrix is not None:
        return np.array(structure.matrix)
    if structure.rayleigh is not None:
        return structure.rayleigh[0] * mass + structure.rayleigh[1] * stiffness
    if structure.ratios is None:
        return np.zeros_like(mass)
    squares, shapes = linalg.eigh(stiffness, mass)
    rates = 2.0 * np.broadcast_to(structure.ratios, squares.shape) * np.sqrt(np.maximum(squares, 0.0))
    return mass @ shapes @ np.diag(rates) @ shapes.T @ mass


def assemble(problem: Description, gap_shift: float | np.ndarray = 0.0) -> System:
    """Assemble; `gap_shift` [m] is added to the gaps, one number for all or one for each."""
    total = sum(structure.dofs for structure in problem.structures)
    low, high = np.zeros((2, total), dtype=np.int64)
    k, c = np.zeros((2, total, total))
    load, mobility = np.zeros((2, total))
    start = np.zeros(2 * total)
    influence = np.tile([1.0, 0.0, 0.0], (total, 1))
    frequency = 0.0
    for structure, at in zip(problem.structures, problem.firsts, strict=True):
        end = at + structure.dofs
        low[at:end], high[at:end] = at, end
        if not structure.masses:
            continue
        if structure.influence is not None:
            influence[at:end] = structure.influence
        mass = np.diag(structure.masses)
        stiffness = storeys(structure.stiffnesses)
        inverse = 1.0 / np.array(structure.masses)
        mobility[at:end] = inverse
        k[at:end, at:end] = inverse[:, None] * stiffness
        c[at:end, at:end] = inverse[:, None] * damping_matrix(structure, mass, stiffness)
        if structure.load is not None:
            load[at:end] = inverse * structure.load
        if structure.displacement is not None:
            start[at:end] = structure.displacement
        if structure.velocity is not None:
            start[total + at : total + end] = structure.velocity
        squares = linalg.eigvalsh(stiffness, mass)
        frequency = max(frequency, float(np.sqrt(max(squares[-1], 0.0))))
    if problem.dampers:  # they may join any two structures
        low[:], high[:] = 0, total
    for damper in problem.dampers:
        across = np.append(np.zeros(total), 0.0)  # the last is the ground: index −1
        across[problem.dof(damper.left)] += 1.0
        across[problem.dof(damper.right)] -= 1.0
        c += damper.constant * mobility[:, None] * np.outer(across[:total], across[:total])
    sides = [[problem.dof(contact.left), problem.dof(contact.right)] for contact in problem.contacts]
    where = np.array(sides, dtype=np.int64).reshape(-1, 2)
    rows = []
    for contact, a, b in zip(problem.contacts, *where.T, strict=True):
        both = sum(mobility[side] for side in (a, b) if side != GROUND)
        rows.append(row_of(contact.law, 1.0 / both))
    gap = np.array([contact.gap for contact in problem.contacts]) + gap_shift
    return System(
        low, high, k, c, load, mobility, where, np.tile([1.0, -1.0], (len(where), 1)), gap,
        np.array(rows).reshape(len(rows), 9), start,
        ridden(problem, influence), frequency,
    )  # fmt: skip


def ridden(problem: Description, influence: np.ndarray) -> np.ndarray:
    """What degrees of freedom take along of the ground: straight lines between samples too."""
    ground = np.array((problem.ground, *(problem.across or ())))
    found = influence[:, 0] * ground[0][:, None]
    for axis in range(1, len(ground)):
        found += influence[:, axis] * ground[axis][:, None]
    return found


def initial_overlaps(problem: Description) -> np.ndarray:
    """Overlap of each contact at the start [m]; not positive: open."""
    system = assemble(problem)
    u = np.append(system.start[: system.mobility.size], 0.0)  # the last is the ground: index −1
    return u[system.where[:, 0]] - u[system.where[:, 1]] - system.gap
