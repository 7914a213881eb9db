"""Damping that couples modes, as dashpots between them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from carom.kernels.laws import power_law
from carom.problem import FlatProblem

__all__ = ["FOR_EVER", "with_dashpots"]

FOR_EVER = 1e9
"""Overlap of a dashpot between modes, beyond anything that moves [m·√kg: modes move so]."""


def with_dashpots(flat: FlatProblem) -> FlatProblem:
    """Return a problem whose damping leaves modes uncoupled but for dashpots between them, which never open.

    What ΦᵀCΦ has beside its diagonal is Σ λ b bᵀ: dashpots λ that the modes move by b·q̇. They are contacts without a
    spring that overlap for ever, behind the real ones. A problem whose damping couples nothing comes back as it is.
    """
    if flat.classical:
        return flat
    values, vectors = np.linalg.eigh(flat.damping - np.diag(2.0 * flat.sigma))
    kept = np.abs(values) > 1e-12 * np.abs(values).max()
    levers = vectors[:, kept].T
    laws = np.zeros((levers.shape[0], power_law.SIZE))
    laws[:, power_law.EXPONENT] = 1.0
    laws[:, power_law.DAMPING] = values[kept]
    laws[:, power_law.RESTITUTION_SHARE] = laws[:, power_law.TENSION] = laws[:, power_law.PUBLISHED_RATE] = 1.0
    return replace(
        flat,
        reach=np.vstack([flat.reach, levers]),
        push=np.vstack([flat.push, levers]),
        gap=np.append(flat.gap, np.full(levers.shape[0], -FOR_EVER)),
        laws=np.vstack([flat.laws, laws]),
        effective_mass=np.append(flat.effective_mass, np.ones(levers.shape[0])),
    )
