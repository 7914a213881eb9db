"""From matrices over all nodes to those of what moves: constraints eliminated, what has no mass condensed.

Constraints are eliminated one after another, each for the degree of freedom that follows; chains, several constraints
at one node and supports on followed nodes come out right, and what is said twice changes nothing. Degrees of freedom
without mass move with the others as statics says, which is exact where no damper acts on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import linalg

from carom.errors import InputError
from carom.structures.matrices import Array, Integers, symmetric

Flags = npt.NDArray[np.bool_]

__all__ = ["Reduced", "independent", "reduced"]

NO_MASS = 1e-12
"""Share of the largest mass below which a degree of freedom counts as massless."""
LOOSE = 1e-11
"""Share of a stiffness below which a direction without mass has none."""
UNDAMPED = 1e-8
"""Share of the damping that may act on what has no mass."""


@dataclass(frozen=True)
class Reduced:
    """M, C and K of the degrees of freedom that are left, and how all others follow."""

    names: tuple[str, ...]
    mass: Array
    damping: Array
    stiffness: Array
    motions: Array
    """Shape (all, left): displacements of all nodes from those that are left."""
    remarks: tuple[str, ...]
    """What was left out or condensed, in words."""


def independent(
    size: int, held: Sequence[int], followed: Sequence[tuple[Sequence[int], Sequence[int], Array]]
) -> Array:
    """Return T, shape (size, left): all degrees of freedom from those that nothing holds."""
    motions = np.eye(size)
    gone = np.zeros(size, dtype=bool)

    def eliminate(equation: Array, first: int) -> None:
        row = equation @ motions
        row[gone] = 0.0
        largest = np.abs(row).max()
        if largest <= 1e-13 * max(np.abs(equation).max(), 1.0):
            return  # follows from the others
        pivot = first if abs(row[first]) > 0.0 else int(np.argmax(np.abs(row)))
        which = np.flatnonzero(motions[:, pivot])
        motions[which] -= np.outer(motions[which, pivot], row / row[pivot])
        motions[:, pivot] = 0.0
        gone[pivot] = True

    for at in held:
        eliminate(np.eye(1, size, at)[0], at)
    for rows, columns, matrix in followed:
        for at, weights in zip(rows, matrix, strict=True):
            equation = np.eye(1, size, at)[0]
            np.subtract.at(equation, list(columns), weights)
            eliminate(equation, at)
    return motions[:, ~gone]


def reduced(names: Sequence[str], mass: Array, damping: Array, stiffness: Array, motions: Array, owner: str) -> Reduced:
    """Return the matrices of what moves; `names` are those of all, `motions` comes from `independent`."""
    m, c, k = (motions.T @ matrix @ motions for matrix in (mass, damping, stiffness))
    left = [names[int(np.argmax(np.abs(column) == 1.0))] for column in motions.T]
    _refuse_asymmetry(k, "stiffness", owner)
    _refuse_asymmetry(c, "damping", owner)
    m, c, k = symmetric(m), symmetric(c), symmetric(k)
    remarks = []
    idle: Flags = ~np.any([matrix.any(axis=0) for matrix in (m, c, k)], axis=0)
    if idle.any():
        remarks.append(f"{_counted(left, idle)} without mass, stiffness and damping {_are(idle)} left out")
        used = ~idle
        m, c, k = (matrix[np.ix_(used, used)] for matrix in (m, c, k))
        motions, left = motions[:, used], [name for name, take in zip(left, used, strict=True) if take]
    if not left or not np.abs(m).max(initial=0.0) > 0.0:
        raise InputError(f"{owner} has no mass that can move. Give masses to its nodes, or densities to its elements.")
    basis, following, kept = _split(m)
    if following.shape[1]:
        basis, words = _condensed(basis, following, c, k, left, owner)
        remarks += words
    shapes = [left[i] if plain else f"mass at {left[i]}" for i, plain in kept]
    m, c, k = (symmetric(basis.T @ matrix @ basis) for matrix in (m, c, k))
    return Reduced(tuple(shapes), m, c, k, motions @ basis, tuple(remarks))


def _split(mass: Array) -> tuple[Array, Array, list[tuple[int, bool]]]:
    """Return unit columns of what has mass, directions without mass, and which those are and whether they stand alone.

    A pivoted Cholesky factor finds as many degrees of freedom as M has rank; every other, moved against these, has no
    mass: N = e_j − P (M_pp⁻¹ M_pj).
    """
    size = mass.shape[0]
    diagonal = np.sqrt(np.maximum(np.diag(mass), 0.0))
    heavy = diagonal > np.sqrt(NO_MASS) * diagonal.max()
    some = np.flatnonzero(heavy)
    scaled = mass[np.ix_(some, some)] / np.outer(diagonal[some], diagonal[some])
    _, pivots, rank, _ = linalg.lapack.dpstrf(scaled, tol=NO_MASS, lower=1)
    chosen: Integers = np.sort(some[pivots[:rank] - 1])
    others = np.setdiff1d(np.arange(size), chosen)
    share = linalg.solve(mass[np.ix_(chosen, chosen)], mass[np.ix_(chosen, others)], assume_a="pos")
    share[:, ~heavy[others]] = 0.0
    basis, following = np.zeros((size, rank)), np.zeros((size, others.size))
    basis[chosen, np.arange(rank)] = 1.0
    following[others, np.arange(others.size)] = 1.0
    following[chosen] = -share
    alone = ~share.any(axis=1)
    return basis, following, [(int(i), bool(plain)) for i, plain in zip(chosen, alone, strict=True)]


def _condensed(
    basis: Array, following: Array, damping: Array, stiffness: Array, names: list[str], owner: str
) -> tuple[Array, list[str]]:
    """Return the columns of what has mass with what follows them, and words where that is not exact."""
    held = symmetric(following.T @ stiffness @ following)
    own = np.sqrt(np.maximum(np.diag(held), 0.0))
    own[own <= LOOSE * np.sqrt(np.diag(stiffness).max())] = 1.0
    scaled = held / np.outer(own, own)
    values, vectors = linalg.eigh(scaled)
    if values[0] <= LOOSE:
        loose = np.abs(following @ (vectors[:, 0] / own))
        which = [names[i] for i in np.flatnonzero(loose > 0.5 * loose.max())]
        raise InputError(
            f"{owner} can move without mass and without stiffness at {', '.join(which[:4])}"
            f"{' and elsewhere' if len(which) > 4 else ''}. Hold it, give it mass, or connect it."
        )
    drag = following.T @ stiffness @ basis
    together = basis - following @ (linalg.solve(scaled, drag / own[:, None], assume_a="pos") / own[:, None])
    if np.abs(following.T @ damping @ together).max(initial=0.0) <= UNDAMPED * np.abs(damping).max(initial=0.0):
        return together, []
    return together, [
        "dampers act on degrees of freedom without mass, whose motion is taken from statics, an approximation: small "
        "masses at their nodes have it exactly"
    ]


def _refuse_asymmetry(matrix: Array, what: str, owner: str) -> None:
    if np.abs(matrix - matrix.T).max(initial=0.0) > 1e-9 * np.abs(matrix).max(initial=0.0):
        raise InputError(
            f"The {what} of {owner} is not symmetric in its present state, as with friction or follower forces. "
            "Import it before such elements act, or without them."
        )


def _counted(names: list[str], which: Flags) -> str:
    shown = [name for name, take in zip(names, which, strict=True) if take]
    return ", ".join(shown[:4]) + (f" and {len(shown) - 4} more" if len(shown) > 4 else "")


def _are(which: Flags) -> str:
    return "is" if int(which.sum()) == 1 else "are"
