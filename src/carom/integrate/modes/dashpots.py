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

    They are contacts without a spring that overlap for ever, behind the real ones. A problem without comes back as it
    is.
    """
    if flat.classical:
        return flat
    count = flat.dashpots.size
    laws = np.zeros((count, power_law.SIZE))
    laws[:, power_law.EXPONENT] = 1.0
    laws[:, power_law.DAMPING] = flat.dashpots
    laws[:, power_law.RESTITUTION_SHARE] = laws[:, power_law.TENSION] = laws[:, power_law.PUBLISHED_RATE] = 1.0
    return replace(
        flat,
        reach=np.vstack([flat.reach, flat.dashpot_reach]),
        push=np.vstack([flat.push, flat.dashpot_reach * flat.modal_mass]),
        gap=np.append(flat.gap, np.full(count, -FOR_EVER)),
        laws=np.vstack([flat.laws, laws]),
        effective_mass=np.append(flat.effective_mass, np.ones(count)),
    )
