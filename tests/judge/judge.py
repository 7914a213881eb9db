"""Ask the judge: peaks and impacts of a description."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.judge import kernel
from tests.judge.assemble import System, assemble
from tests.judge.describe import GROUND, Description

TOLERANCE = 1e-12
"""Local error of a step, relative to the speed of each floor."""
EVALUATIONS = 4_000_000
"""Evaluations of the equations of motion, at most."""
TYPICAL_SPEED = 0.3
"""[m/s], of an impact: gives contacts a typical stiffness."""
IMPACTS = 20_000
"""Rows of the table of impacts, at most."""

WORDS = {kernel.DONE: "done", kernel.TOO_LONG: "too long", kernel.NOT_FINITE: "not finite", kernel.STUCK: "stuck"}


@dataclass(frozen=True)
class Verdict:
    """What the judge found."""

    status: str
    """``done``, or why not."""
    running: np.ndarray
    """Peaks so far at every sample, shape (samples, 3·dofs + contacts): |u|, |u̇|, |acceleration|, contact force."""
    carried: np.ndarray
    """Impulse of each contact so far at every sample, shape (samples, contacts) [N·s]."""
    impacts: np.ndarray
    """Rows of contact, start, end, peak force, impulse, work, speed at touch, whether still closed; by start."""
    evaluations: int
    dofs: int

    def peaks(self, sample: int = -1) -> np.ndarray:
        """|u|, |u̇| and |absolute acceleration| up to a sample, shape (3, dofs)."""
        return self.running[sample, : 3 * self.dofs].reshape(3, self.dofs)

    def forces(self, sample: int = -1) -> np.ndarray:
        """Peak force of each contact up to a sample [N]."""
        return self.running[sample, 3 * self.dofs :]


def judge(
    problem: Description,
    *,
    tolerance: float = TOLERANCE,
    gap_shift: float | np.ndarray = 0.0,
    evaluations: int = EVALUATIONS,
) -> Verdict:
    """Follow a problem to the end of its record; `gap_shift` [m] is added to the gaps."""
    return follow(assemble(problem, gap_shift), problem.dt, tolerance=tolerance, evaluations=evaluations)


def follow(system: System, dt: float, *, tolerance: float = TOLERANCE, evaluations: int = EVALUATIONS) -> Verdict:
    """Follow a system to the end of its record."""
    record = system.ride
    n, count = system.mobility.size, system.gap.size
    running, carried = np.zeros((record.shape[0], 3 * n + count)), np.zeros((record.shape[0], count))
    table = np.zeros((IMPACTS, 8))
    status, spent, filled, _ = kernel.run(
        system.packed(), system.start, record, dt, tolerance, typical_stiffness(system),
        typical_speed(system, record, dt), longest_step(system), evaluations, running, carried, table,
    )  # fmt: skip
    rows = table[: min(filled, IMPACTS)]
    found = rows[:, : kernel.UNFINISHED + 1]
    if status == kernel.DONE and not (np.isfinite(running).all() and np.isfinite(found).all()):
        status = kernel.NOT_FINITE
    return Verdict(WORDS[status], running, carried, rows[np.argsort(rows[:, kernel.START], kind="stable")], spent, n)


def typical_stiffness(system: System) -> np.ndarray:
    """Tangent stiffness of each contact at the overlap of an impact at the typical speed [N/m]."""
    found = np.zeros(system.gap.size)
    for c, law in enumerate(system.laws):
        read = system.where[c] != GROUND
        mobility = float(np.sum(system.weights[c, read] ** 2 * system.mobility[system.where[c, read]]))
        n, k = law[kernel.N], law[kernel.K]
        overlap = (0.5 * (n + 1.0) * TYPICAL_SPEED**2 / (mobility * k)) ** (1.0 / (n + 1.0))
        found[c] = n * k * overlap ** (n - 1.0)
    return found


def typical_speed(system: System, record: np.ndarray, dt: float) -> float:
    """A speed to begin with [m/s]: of the ground, of the start, or what loads give in a hundredth of a second."""
    n = system.mobility.size
    ground = np.abs(np.cumsum(record, axis=0)).max() * dt
    start = max(
        np.abs(system.start[n:]).max(), np.sqrt(np.diag(system.stiffness).max()) * np.abs(system.start[:n]).max()
    )
    return max(0.1 * ground, 0.1 * start, 0.01 * np.abs(system.load).max(), 1e-6)


def longest_step(system: System) -> float:
    """A step [s] in which the quickest mode turns by little more than a radian."""
    return 1.2 / max(system.frequency, 1.0)
