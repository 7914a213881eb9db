"""What differs between the runs of an ensemble: named axes, and for each aspect of a run its different values.

A run is a point on axes: one for each name of `vary`, one for all names of `zip` together. An aspect (structures, laws,
gaps, …) looks at some of the names; it is worked out once for each different combination of their values, and a run
only says which one it takes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["ZIPPED", "Aspect", "Axis", "Positions", "axis_of", "sorted_runs"]

Integers = npt.NDArray[np.int64]
Positions = Sequence[Integers]
"""For many runs: their positions on each axis."""

ZIPPED = "run"
"""Name of the axis of paired values."""


@dataclass(frozen=True, eq=False)
class Axis:
    """One dimension of an ensemble: its name, and one value of each of its things for every position."""

    dim: str
    values: Mapping[str, Any]
    """Name to values, an array of numbers or a list of anything."""
    size: int
    _codes: dict[str, Integers] = field(default_factory=dict, init=False, repr=False)

    def combined(self, names: Iterable[str]) -> tuple[Integers, Integers]:
        """Return for each position which combination of these names it has, and where each is met first.

        Combinations are numbered as they come.
        """
        found = _together(self._numbered(name) for name in names)
        firsts = np.empty(int(found.max()) + 1, dtype=np.int64)
        firsts[found[::-1]] = np.arange(self.size)[::-1]  # of those that write to one place, the first comes last
        order = np.argsort(firsts)
        number = np.empty_like(order)
        number[order] = np.arange(order.size)
        return number[found], firsts[order]

    def _numbered(self, name: str) -> Integers:
        """Return which of its different values a name has at each position; every aspect asks for it."""
        if name not in self._codes:
            self._codes[name] = _codes(self.values[name])
        return self._codes[name]

    def ranks(self, names: Sequence[str]) -> Integers:
        """Return the positions so that neighbours are alike, by `names` in this order."""
        keys = [_keys(self.values[name]) for name in names]
        return np.lexsort(keys[::-1]) if len(keys) > 1 else np.argsort(keys[0], kind="stable")


def axis_of(dim: str, values: Mapping[str, Any]) -> Axis:
    """Return an axis of values that were checked to have one length."""
    return Axis(dim, values, len(next(iter(values.values()))))


class Aspect:
    """What the runs take of some names: every different combination of their values, numbered.

    Where a combination costs nothing to work out, `distinct` may be left out: equal ones then count as different.
    """

    def __init__(self, axes: Sequence[Axis], names: Iterable[str], *, distinct: bool = True) -> None:
        wanted = set(names)
        self._axes = axes
        self.dims = [i for i, axis in enumerate(axes) if wanted & axis.values.keys()]
        """Indices of the axes on which it depends."""
        parts = [
            axes[i].combined(sorted(wanted & axes[i].values.keys())) if distinct else (np.arange(axes[i].size),) * 2
            for i in self.dims
        ]
        self._codes = [codes for codes, _ in parts]
        self._firsts = [firsts for _, firsts in parts]
        self.counts = tuple(firsts.size for firsts in self._firsts)
        self.size = math.prod(self.counts)

    def index(self, positions: Positions) -> Integers:
        """Return the number of the combination that each run takes."""
        found = np.zeros(positions[0].shape, dtype=np.int64)
        for i, codes, count in zip(self.dims, self._codes, self.counts, strict=True):
            found = found * count + codes[positions[i]]
        return found

    def positions(self) -> list[Integers]:
        """Return for every combination where on each axis it is met."""
        found = [np.zeros(self.size, dtype=np.int64) for _ in self._axes]
        if len(self.dims) == 1:
            found[self.dims[0]] = self._firsts[0]
            return found
        spread = np.unravel_index(np.arange(self.size), self.counts) if self.counts else ()
        for i, firsts, at in zip(self.dims, self._firsts, spread, strict=True):
            found[i] = firsts[at]
        return found

    def spread(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return what was found for every combination, shape (combinations, …), over the axes on which it depends."""
        return values.reshape(*self.counts, *values.shape[1:])[np.ix_(*self._codes)] if self.dims else values[0]


def sorted_runs(axes: Sequence[Axis], names: Sequence[str]) -> Integers:
    """Return the runs, numbered in the caller's order, so that neighbours are alike; `names` that matter most first.

    Threads of a GPU that go together wait for the slowest of them: alike means that they hit alike.
    """
    weight = {name: i for i, name in enumerate(names)}
    ranks = [axis.ranks(sorted(axis.values, key=weight.__getitem__)) for axis in axes]
    if len(axes) == 1:
        return ranks[0]
    outermost = sorted(range(len(axes)), key=lambda i: min(weight[name] for name in axes[i].values))
    runs = np.arange(math.prod(axis.size for axis in axes)).reshape([axis.size for axis in axes])
    return np.ascontiguousarray(runs[np.ix_(*ranks)].transpose(outermost)).ravel()


def _keys(values: Any) -> npt.NDArray[np.uint16]:
    """Return whole numbers by which to sort: nearly in order will do, and short ones sort far faster."""
    if not isinstance(values, np.ndarray) or values.ndim > 1:
        values = _codes(values)
    low, high = float(values.min()), float(values.max())
    step = (high - low) / np.iinfo(np.uint16).max
    return ((values - low) / step).astype(np.uint16) if step > 0.0 else np.zeros(len(values), dtype=np.uint16)


def _codes(values: Any) -> Integers:
    """Number the different values: numbers in rising order, rows of numbers in any, other things as they come."""
    if isinstance(values, np.ndarray):
        if values.ndim > 1:
            return _together(_codes(column) for column in values.T)
        return np.unique(values, return_inverse=True)[1].astype(np.int64)
    met: dict[int, int] = {}  # by identity: to compare laws or motions takes far longer
    seen: dict[object, int] = {}
    for value in values:
        if id(value) not in met:
            try:
                met[id(value)] = seen.setdefault(_key(value), len(seen))
            except TypeError:  # what has no hash is equal to itself alone
                met[id(value)] = seen.setdefault(id(value), len(seen))
    return np.array([met[id(value)] for value in values], dtype=np.int64)


def _together(columns: Iterable[Integers]) -> Integers:
    """Number the different combinations of several columns of numbers."""
    left = iter(columns)
    found = next(left)
    while int(found.max()) + 1 < found.size and (more := next(left, None)) is not None:  # until all are different
        found = found * (int(more.max()) + 1) + more
        found = np.unique(found, return_inverse=True)[1].astype(np.int64)  # small again: products overflow
    return found


def _key(value: object) -> object:
    """Return what equal values share, and different ones do not."""
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    if isinstance(value, (list, tuple)):
        return tuple(_key(entry) for entry in value)
    return type(value), value
