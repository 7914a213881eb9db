"""A study's parameters as names of `carom.ensemble`, where the ensemble knows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.integrate.schemes.base import can_of, schemes
from carom.integrate.schemes.capability import ENSEMBLE, beyond, needs_of
from carom.problem import Problem
from carom.scenario.studies.parameters import Parameter
from carom.scenario.studies.paths import Place
from carom.structures import Oscillator, ShearBuilding, TorsionalBuilding

__all__ = ["kernel_takes", "vectorised"]

Columns = dict[str, Any]
PLAIN = {
    Oscillator: ("mass", "stiffness", "period", "frequency", "damping_ratio"),
    ShearBuilding: ("masses", "stiffnesses", "damping_ratio"),
    TorsionalBuilding: ("accidental_x", "accidental_y", "damping_ratio"),
}
"""Fields of structures that may be replaced one by one."""
LAW_NUMBERS = ("stiffness", "restitution", "damping")


def kernel_takes(problem: Problem, scheme: str) -> bool:
    """Whether `carom.ensemble` takes such a problem, and computes by this scheme."""
    return can_of(schemes.get(scheme)).ensembles and not beyond(ENSEMBLE, needs_of(problem.flat()))


def vectorised(
    problem: Problem,
    tables: Mapping[str, Any],
    parameters: Sequence[Parameter],
    samples: Mapping[str, npt.NDArray[Any]],
) -> Columns | None:
    """Return the samples by the ensemble's names; None where it does not know one of the places."""
    if any("column_law" in table for table in tables.get("contacts", [])):
        return None  # contacts of one table then have two laws: let the tables decide
    found: Columns = {}
    for parameter in parameters:
        values = samples[parameter.name]
        for i, place in enumerate(parameter.places):
            factor = None if parameter.factors is None else parameter.factors[i]
            columns = _columns(problem, tables, place, values, factor)
            if columns is None or found.keys() & columns.keys():  # two that say the same: let the tables decide
                return None
            found |= columns
    several = any(name.startswith("law:") for name in found)
    return None if several and any(name.partition(":")[0] in LAW_NUMBERS for name in found) else found


def _columns(
    problem: Problem, tables: Mapping[str, Any], place: Place, values: npt.NDArray[Any], factor: Any
) -> Columns | None:
    match place.steps:
        case ("structures", str(name), str(field)):
            return _structure(problem, name, field, values, factor)
        case ("initial", str(name), str(quantity)) if values.dtype != object and not isinstance(factor, list):
            return {f"{name}.initial_{quantity}": _times(values, factor)}
        case ("contacts", int(i), "gap") if values.dtype != object and not isinstance(factor, list):
            pairs = problem.pairs_of(i)
            meant = pairs if place.part is None else pairs[place.part[0] : place.part[0] + 1]
            return {f"gap:{k}": _times(values, factor) for k in meant}
        case ("contacts", int(i), "law") if all(isinstance(value, str) for value in values):
            return _laws(problem, tables, i, values)
        case ("contacts", int(i), "law", str(name)):
            return _law_number(problem, tables["contacts"][i]["law"], [i], name, values, factor)
        case ("laws", str(law), str(name)):
            having = [i for i, table in enumerate(tables.get("contacts", [])) if table["law"] == law]
            return _law_number(problem, tables["laws"][law], having, name, values, factor)
        case _:
            return None


def _structure(problem: Problem, name: str, field: str, values: npt.NDArray[Any], factor: Any) -> Columns | None:
    structure = problem.structure(name)
    if field not in PLAIN.get(type(structure), ()) or values.dtype == object:
        return None
    column = _times(values, factor)
    if isinstance(structure, ShearBuilding) and field != "damping_ratio" and column.ndim == 1:
        column = np.repeat(column[:, None], len(structure.masses), axis=1)  # one value serves all floors
    return {f"{name}.{field}": column if column.ndim == 1 else [tuple(row) for row in column.tolist()]}


def _law_number(
    problem: Problem,
    table: Mapping[str, Any],
    contacts: Sequence[int],
    name: str,
    values: npt.NDArray[Any],
    factor: Any,
) -> Columns | None:
    instead = {"restitution": "damping", "damping": "restitution"}.get(name)
    if name not in LAW_NUMBERS or values.dtype == object or instead in table:
        return None
    return {f"{name}:{k}": _times(values, factor) for i in contacts for k in problem.pairs_of(i)}


def _laws(problem: Problem, tables: Mapping[str, Any], contact: int, values: npt.NDArray[Any]) -> Columns | None:
    from carom.scenario.building import law_of
    from carom.scenario.model import LawPart

    if not all(value in tables.get("laws", {}) for value in values):
        return None
    made = {name: law_of(LawPart.model_validate(tables["laws"][name])) for name in set(values)}
    row = [made[value] for value in values]
    return {f"law:{k}": row for k in problem.pairs_of(contact)}


def _times(values: npt.NDArray[Any], factor: Any) -> npt.NDArray[Any]:
    found: npt.NDArray[Any] = values if factor is None else np.multiply.outer(values, factor)
    return found
