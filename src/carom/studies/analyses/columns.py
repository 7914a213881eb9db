"""Columns of a study's table as analyses look at them: grouped, checked, failed runs apart."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from carom.errors import InputError, refusal
from carom.studies.analyses.base import StudyTable
from carom.units import standard_gravity

__all__ = ["Array", "Groups", "checked_pair", "finished", "grouped", "in_g", "numbers_of", "with_unit"]

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

WORDS = {
    "pga": "PGA", "sa": "Sa", "gap": "Gap", "scale": "Scale", "peak_force": "Peak force", "impacts": "Impacts"
}  # fmt: skip
"""How axes call columns that every study may have."""


class Groups(NamedTuple):
    """Which rows belong together."""

    names: tuple[str, ...]
    """The columns they are told apart by."""
    labels: tuple[tuple[Any, ...], ...]
    """For every group its values in these columns, sorted."""
    codes: Integers
    """For every row its group."""

    def title(self, group: int) -> str:
        """Return the values of a group in words: ``law = hertz, gap = 0.02``; empty where there is one group only."""
        return ", ".join(
            f"{name} = {value:g}" if isinstance(value, float) else f"{name} = {value}"
            for name, value in zip(self.names, self.labels[group], strict=True)
        )

    def rows(self) -> Iterator[Integers]:
        """Yield for every group the numbers of its rows."""
        order = np.argsort(self.codes, kind="stable")
        ends = np.cumsum(np.bincount(self.codes, minlength=len(self.labels)))
        for stop, start in zip(ends, np.concatenate([[0], ends[:-1]]), strict=True):
            yield order[start:stop]


def grouped(table: StudyTable, names: Sequence[str]) -> Groups:
    """Return the rows grouped by the values of some columns; no columns: one group."""
    codes = np.zeros(len(table), dtype=np.int64)
    labels: list[tuple[Any, ...]] = [()]
    for name in names:
        values, own = _coded(table[name])
        pairs, codes = np.unique(codes * len(values) + own, return_inverse=True)
        labels = [(*labels[pair // len(values)], values[pair % len(values)]) for pair in pairs.tolist()]
    return Groups(tuple(names), tuple(labels), codes.astype(np.int64))


def _coded(column: npt.NDArray[Any]) -> tuple[list[Any], Integers]:
    """Return the different values, sorted, and which of them each row has."""
    if column.dtype.kind in "fiub":
        values, codes = np.unique(column, return_inverse=True)
        return values.tolist(), codes.astype(np.int64)
    met: dict[Any, int] = {}  # a million texts: hashing them is ten times quicker than sorting
    codes = np.fromiter((met.setdefault(value, len(met)) for value in column.tolist()), np.int64, column.size)
    order = sorted(met, key=str)
    position = np.empty(len(met), dtype=np.int64)
    position[[met[value] for value in order]] = np.arange(len(met))
    return order, position[codes]


def in_g(table: StudyTable) -> StudyTable:
    """Return the table with PGA and spectral acceleration in g, as engineers say them; stores keep m/s²."""
    names = [name for name in ("pga", "sa") if table.units.get(name) in ("m/s2", "m/s²") and name in table.columns]
    shown = {name: _rounded(numbers_of(table, name, "a study") / standard_gravity) for name in names}
    columns = ChainMap(shown, table.columns)  # type: ignore[arg-type]  # others stay unread
    return replace(table, columns=columns, units={**table.units, **dict.fromkeys(names, "g")})


def _rounded(values: Array) -> Array:
    """Return positive values to 12 digits: motions scaled to one intensity have it but for the rounding of factors."""
    power = 10.0 ** (11.0 - np.floor(np.log10(np.where(values > 0.0, values, 1.0))))
    found: Array = np.round(values * power) / power
    return found


def finished(table: StudyTable, owner: str, *outputs: Array) -> npt.NDArray[np.bool_]:
    """Return which runs reached their end with finite outputs; refuse a table of which no run did."""
    found = table.finished
    for values in outputs:
        found = found & np.isfinite(values)
    if not found.any():
        raise InputError(f"{owner} finds no finished run among {len(table)}.")
    return found


def numbers_of(table: StudyTable, name: str, owner: str) -> Array:
    """Return a column of numbers; a column of words is refused."""
    column = np.asarray(table[name])
    if column.dtype.kind not in "fiub":
        raise refusal(name, owner, "must be a column of numbers", column.dtype.str, "Group by it with `by` instead.")
    return column.astype(np.float64, copy=False)


def checked_pair(x: object, y: object, owner: str, names: tuple[str, str]) -> tuple[Array, Array]:
    """Return two rows of finite numbers of one length, not empty."""
    found = []
    for name, value in zip(names, (x, y), strict=True):
        row = np.asarray(value, dtype=np.float64)
        if row.ndim != 1 or row.size == 0:
            raise refusal(name, owner, "must be a row of numbers, at least one", row.shape)
        if not np.isfinite(row).all():
            raise refusal(name, owner, "must be finite", row[~np.isfinite(row)][0], "Leave failed runs out.")
        found.append(row)
    if found[0].size != found[1].size:
        raise InputError(f"{owner}: `{names[0]}` has {found[0].size} values, `{names[1]}` has {found[1].size}.")
    return found[0], found[1]


def with_unit(table: StudyTable, name: str) -> str:
    """Return a column's name with its unit in brackets, as tables and axes show it."""
    unit = table.units.get(name, "").replace("m/s2", "m/s²")
    word = WORDS.get(name, name)
    return f"{word} [{unit}]" if unit else word
