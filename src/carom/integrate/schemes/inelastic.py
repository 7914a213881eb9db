"""Energy of springs inside a structure that are not linear."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from carom.kernels import hysteresis
from carom.problem import FlatProblem

__all__ = ["stored_beyond"]

Array = npt.NDArray[np.float64]


def stored_beyond(flat: FlatProblem, q: Array, added: Array) -> Array:
    """Return what such springs store beyond the ½kd² that the modes hold, at every sample [J].

    A storey that yields stores f²/2k, a stop r²/2k; `added` is r of each, shape (T, P).
    """
    stiffness = flat.springs[:, hysteresis.STIFFNESS]
    stops = flat.springs[:, hysteresis.KIND] >= hysteresis.GAP_STOP
    carried = np.where(stops, 0.0, stiffness) * (q @ flat.spring_reach.T)
    found: Array = (((carried + added) ** 2 - carried**2) / (2.0 * stiffness)).sum(axis=1)
    return found
