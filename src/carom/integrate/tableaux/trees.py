"""Rooted trees: the order conditions of Runge-Kutta methods, all of them.

A tree is the sorted tuple of the trees that stand on its root; ``()`` is the root alone. A method has order p if and
only if Σ bᵢ Φᵢ(t) = 1/γ(t) for every tree t of at most p nodes (Butcher 1963): 200 conditions for p = 8.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Tree", "density", "elementary_weights", "nodes", "order", "trees"]

Tree: TypeAlias = tuple[Any, ...]
Array: TypeAlias = npt.NDArray[np.float64]


@cache
def trees(size: int) -> tuple[Tree, ...]:
    """Return the rooted trees of so many nodes: 1, 1, 2, 4, 9, 20, 48, 115, …"""
    return tuple(tuple(forest) for forest in _forests(size - 1, size - 1))


def _forests(size: int, largest: int) -> list[list[Tree]]:
    """Return the multisets of trees with so many nodes together, none larger than `largest`."""
    if size == 0:
        return [[]]
    found = []
    for first in range(min(size, largest), 0, -1):
        kinds = trees(first)
        for i, tree in enumerate(kinds):
            found += [
                [tree, *rest]
                for rest in _forests(size - first, first)
                if not rest or nodes(rest[0]) < first or kinds.index(rest[0]) >= i
            ]
    return found


@cache
def nodes(tree: Tree) -> int:
    """Return the number of nodes."""
    return 1 + sum(nodes(branch) for branch in tree)


@cache
def density(tree: Tree) -> int:
    """Return γ: the product over all nodes of the nodes that each carries, itself included."""
    found = nodes(tree)
    for branch in tree:
        found *= density(branch)
    return found


def elementary_weights(tree: Tree, a: Array) -> Array:
    """Return Φᵢ, shape (s,): the product over the branches of Σⱼ aᵢⱼ Φⱼ(branch)."""
    found = np.ones(a.shape[0])
    for branch in tree:
        found *= a @ elementary_weights(branch, a)
    return found


def order(a: Array, b: Array, highest: int, tolerance: float = 1e-11) -> int:
    """Return the order of a method, looked for up to `highest`."""
    for size in range(1, highest + 1):
        for tree in trees(size):
            if abs(b @ elementary_weights(tree, a) - 1.0 / density(tree)) > tolerance:
                return size - 1
    return highest
