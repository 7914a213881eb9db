"""Degrees of freedom without mass: they follow from the others by statics, which is exact.

Nothing but their neighbours pushes them, so that of M ü + K u = p only K_ss u_s + K_sm u_m = p_s is left of them:

    u = R u_m,    R = (1, −K_ss⁻¹ K_sm),    M_m ü_m + Rᵀ K R u_m = Rᵀ p.

What constant forces on them alone do to them, K_ss⁻¹ p_s, moves no other: their displacements count from there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import linalg

from carom.structures.matrices import Array, Integers, symmetric

__all__ = ["Condensed", "condensed"]


class Condensed(NamedTuple):
    """A structure by those of its degrees of freedom that carry mass, n_m of n."""

    kept: Integers
    """Which they are, shape (n_m,)."""
    left: Integers
    """The others."""
    mass: Array
    stiffness: Array
    recover: Array
    """R, shape (n, n_m): all degrees of freedom from those that carry mass."""


def condensed(mass: Array, stiffness: Array) -> Condensed:
    """Return the degrees of freedom that carry mass; the others follow from them.

    Raises `LinAlgError` where one of the others is held by nothing.
    """
    heavy = np.diag(mass) > 0.0
    kept, left = np.flatnonzero(heavy), np.flatnonzero(~heavy)
    recover = np.zeros((heavy.size, kept.size))
    recover[kept] = np.eye(kept.size)
    own = stiffness[np.ix_(kept, kept)]
    if left.size:
        between = stiffness[np.ix_(left, kept)]
        follows = -linalg.solve(stiffness[np.ix_(left, left)], between, assume_a="pos")
        recover[left] = follows
        own = own + between.T @ follows
    return Condensed(kept, left, symmetric(mass[np.ix_(kept, kept)]), symmetric(own), recover)
