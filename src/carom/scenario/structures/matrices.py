"""Structures given by their matrices, as tables of a scenario: inline, or from an ``.npz`` file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, Discriminator, Field, Tag
from pydantic_core import core_schema

from carom.errors import InputError, Refusal, refusal
from carom.scenario.faults import FieldError
from carom.scenario.parts import Part
from carom.scenario.places import Coordinates, Weights
from carom.scenario.quantities import Quantity, Ratios
from carom.scenario.structures.dampings import DampingPart, damping_of
from carom.scenario.structures.matrix_file import arrays_of
from carom.scenario.structures.storey_file import storeys_written_out
from carom.structures import Location, Point, Structure
from carom.units import NONNEGATIVE

__all__ = ["MatricesFields", "matrices_of", "read_matrices", "written_out"]

PYTHON = {"mass_matrix": "mass", "stiffness_matrix": "stiffness"}
"""Fields that Python calls otherwise."""
MOST_WRITTEN = 300_000
"""Numbers of a file that a study keeps."""


class Rows(Quantity):
    """Numbers in a row, or rows of numbers."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        """Take a number or a row at each place."""
        one = core_schema.no_info_plain_validator_function(self.take)
        either = core_schema.tagged_union_schema(
            {"one": one, "list": core_schema.list_schema(one, min_length=1, strict=True)},
            lambda value: "list" if isinstance(value, list) else "one",
        )
        return core_schema.list_schema(either, min_length=1, strict=True)

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: Any) -> dict[str, Any]:
        """Say what an editor may accept."""
        row = super().__get_pydantic_json_schema__(schema, handler)["anyOf"]
        items = [*row, {"type": "array", "items": {"anyOf": row}, "minItems": 1}]
        return {"type": "array", "items": {"anyOf": items}, "minItems": 1}


def _way(value: Any) -> str:
    return "weights" if isinstance(value, dict) else "name"


Weighted = Annotated[Annotated[str, Tag("name")] | Annotated[Weights, Tag("weights")], Discriminator(_way)]
"""A degree of freedom, or weights of several."""


class PointPart(Part):
    """A named point: where it is, and how it moves along x, y and z."""

    position: Coordinates | None = Field(
        default=None, description="coordinates x, y, z", examples=[["3 m", "2 m", "4 m"]]
    )
    x: Weighted | None = Field(default=None, description="what moves it along x", examples=[{"ux": 1, "rz": -2}])
    y: Weighted | None = Field(default=None, description="what moves it along y", examples=[{"uy": 1, "rz": 3}])
    z: Weighted | None = Field(default=None, description="what moves it along z", examples=["uz"])


class DashpotPart(Part):
    """A dashpot on a degree of freedom or on weights of several, against the ground or against another place."""

    place: Weighted = Field(description="where it acts", examples=["deck"])
    to: Weighted | None = Field(default=None, description="the other end; without it, the ground", examples=["pier"])
    constant: Annotated[float, Quantity("N*s/m", NONNEGATIVE)] = Field(
        description="force per velocity", examples=["50 kN*s/m"]
    )


def _damping_form(value: Any) -> str:
    return "list" if isinstance(value, list) else "table"


def _outputs_form(value: Any) -> str:
    return "table" if isinstance(value, (dict, BaseModel)) else "list"


class MatricesFields(Part):
    """A structure by its matrices: M, K, damping, how the ground drives it, its points; inline, or from a file."""

    file: str | None = Field(
        default=None, description="an .npz file of arrays, relative to this one; what stands here is not in it",
        examples=["model.npz"],
    )  # fmt: skip
    dofs: list[str] | None = Field(
        default=None, description="names of the degrees of freedom; dof 1, dof 2, … by default",
        examples=[["ux", "uy", "rz"]],
    )  # fmt: skip
    mass: Annotated[list[Any], Rows("kg")] | None = Field(
        default=None, description="M, or its diagonal; rotational inertias as plain numbers [kg m²]",
        examples=[["20 t", "20 t", 9e4]],
    )  # fmt: skip
    stiffness: Annotated[list[Any], Rows("N/m")] | None = Field(
        default=None, description="K, row by row", examples=[[[9e6, -1e6], [-1e6, 5e6]]]
    )
    damping_ratio: Ratios | None = Field(
        default=None, description="ratio of critical damping, for all modes or one for each", examples=["3 %"]
    )
    damping: (
        Annotated[
            Annotated[DampingPart, Tag("table")] | Annotated[list[Any], Rows("N*s/m"), Tag("list")],
            Discriminator(_damping_form),
        ]
        | None
    ) = Field(
        default=None, description="Rayleigh or Caughey damping, or C, row by row, instead of the ratio",
        examples=[{"alpha": 0.2, "beta": "1 ms"}],
    )  # fmt: skip
    influence: Annotated[list[Any], Rows("")] | None = Field(
        default=None, description="how each degree of freedom moves with the ground: along x, or along x, y and z",
        examples=[[[1, 0, 0], [0, 1, 0], [0, 0, 0]]],
    )  # fmt: skip
    load: Annotated[list[float], Quantity("N", listed=True)] | None = Field(
        default=None, description="constant forces, one for each degree of freedom", examples=[["-20 kN", 0, 0]]
    )
    points: dict[str, PointPart] = Field(default={}, description="points by name")
    dashpots: list[DashpotPart] = Field(default=[], description="dashpots beyond the damping of the modes")
    outputs: (
        Annotated[
            Annotated[list[str], Tag("list")] | Annotated[dict[str, Weighted], Tag("table")],
            Discriminator(_outputs_form),
        ]
        | None
    ) = Field(
        default=None, description="what results keep: degrees of freedom and points, or names for weights; by default "
        "every degree of freedom below 100", examples=[["deck"]],
    )  # fmt: skip


def matrices_of(name: str, part: MatricesFields, folder: Path) -> Structure:
    """Return the structure that a table states; a file is looked for in `folder`."""
    owner = f"Structure '{name}'"
    given = _from_file(part, folder, owner) | _from_table(part)
    for needed, way_out in (("mass", "mass = [2e4, 2e4]"), ("stiffness", "stiffness = [[9e6, -1e6], [-1e6, 5e6]]")):
        if given.get(needed) is None:
            where = "must be given" if part.file is None else f'must be given, here or in "{part.file}"'
            raise refusal(needed, owner, where, None, f"Write {way_out}, for example.")
    dofs = given.get("dofs") or [f"dof {i}" for i in range(1, len(given["stiffness"]) + 1)]
    points = given.pop("points", {}) | {
        key: _point(point, f"points.{key}", dofs, owner) for key, point in part.points.items()
    }
    dashpots = [*given.pop("dashpots", []), *_dashpots(part, dofs, owner)]
    fields = {"mass_matrix": given.pop("mass"), "stiffness_matrix": given.pop("stiffness"), **given}
    try:
        return Structure(**fields, points=points, dashpots=dashpots, name=name)
    except Refusal as error:
        field = PYTHON.get(error.parameter, error.parameter)
        raise refusal(field, error.owner, error.rule, error.value, error.way_out) from None


def read_matrices(path: str | Path, *, name: str = "", damping_ratio: Any = None) -> Structure:
    """Return the structure of an ``.npz`` file of matrices, as `save_matrices` or ``numpy.savez`` write it.

    `damping_ratio` is for a file that has no damping. docs/models.md lists the arrays of such files.
    """
    file = Path(path)
    found = matrices_of(name, MatricesFields(file=file.name), file.parent)
    if damping_ratio is not None and found.damping is None and found.damping_ratio is None:
        return found.replace(damping_ratio=damping_ratio)
    if damping_ratio is not None:
        raise refusal("damping_ratio", "read_matrices", "must be left out: the file has its damping", damping_ratio)
    return found


def _from_table(part: MatricesFields) -> dict[str, Any]:
    """Return what the table itself says, by the names of Python; points and dashpots apart."""
    found: dict[str, Any] = {}
    for field in ("mass", "stiffness", "influence"):
        value = getattr(part, field)
        found |= {} if value is None else {field: _rows(value, field)}
    if isinstance(part.damping, DampingPart):
        found["damping"] = damping_of(part.damping)
    elif part.damping is not None:
        found["damping"] = _rows(part.damping, "damping")
    plain = ("damping_ratio", "load", "dofs", "outputs")
    return found | {field: value for field in plain if (value := getattr(part, field)) is not None}


def _rows(given: list[Any], field: str) -> npt.NDArray[np.float64]:
    """Return rows of numbers as an array; refuse rows of different length."""
    lengths = {len(row) if isinstance(row, list) else 0 for row in given}
    if len(lengths) > 1:
        told = [len(row) if isinstance(row, list) else "a number" for row in given]
        raise refusal(field, "the structure", "must have rows of one length", told)
    return np.array(given, dtype=np.float64)


def _from_file(part: MatricesFields, folder: Path, owner: str) -> dict[str, Any]:
    """Return what the file holds, by the names of Python; refuse what the table says too."""
    if part.file is None:
        return {}
    arrays = arrays_of(folder, part.file, owner)
    for field in ("mass", "stiffness", "damping", "damping_ratio", "influence", "load", "dofs"):
        if field in arrays and getattr(part, field) is not None:
            raise refusal(field, owner, f'must be given once: it is in "{part.file}" too', None, "Take one away.")
    found: dict[str, Any] = {
        name: arrays[name] for name in ("mass", "stiffness", "damping", "influence", "load") if name in arrays
    }
    if "damping_ratio" in arrays:
        found["damping_ratio"] = arrays["damping_ratio"].tolist()
    if "dofs" in arrays:
        found["dofs"] = arrays["dofs"].tolist()
    if "dashpot_rows" in arrays:
        found["dashpots"] = list(zip(arrays["dashpot_rows"], arrays["dashpot_constants"].tolist(), strict=True))
    if "output_names" in arrays:
        found["outputs"] = dict(zip(arrays["output_names"].tolist(), arrays["output_rows"], strict=True))
    if "point_names" in arrays:
        names = arrays["point_names"].tolist()
        positions = arrays.get("point_positions", np.full((len(names), 3), np.nan))
        found["points"] = {
            name: Location(None if np.isnan(at[0]) else tuple(at.tolist()), rows)
            for name, at, rows in zip(names, positions, arrays["point_rows"], strict=True)
        }
    if "line_ends" in arrays:
        found["lines"] = arrays["line_ends"].tolist()
    return found


def _point(part: PointPart, field: str, dofs: list[str], owner: str) -> Point:
    for axis in ("x", "y", "z"):
        _refuse_strangers(getattr(part, axis), f"{field}.{axis}", dofs, owner)
    try:
        return Point(part.position, part.x, part.y, part.z)
    except InputError as error:
        raise FieldError(field, error, PointPart.model_fields) from None


def _dashpots(part: MatricesFields, dofs: list[str], owner: str) -> list[tuple[Any, float]]:
    found: list[tuple[Any, float]] = []
    for i, one in enumerate(part.dashpots, 1):
        for end in ("place", "to"):
            _refuse_strangers(getattr(one, end), f"dashpots[{i}].{end}", dofs, owner)
        found.append((one.place if one.to is None else (one.place, one.to), one.constant))
    return found


def _refuse_strangers(given: str | Mapping[str, float] | None, field: str, dofs: list[str], owner: str) -> None:
    """Refuse a degree of freedom that the structure does not have."""
    for dof in [given] if isinstance(given, str) else given or ():
        if dof not in dofs:
            rule = f"must be one of the degrees of freedom of {owner}"
            raise FieldError(field, refusal("value", "field", rule, dof, f"Known: {', '.join(dofs[:12])}."))


def written_out(tables: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the tables of a scenario with files of models written out: a study keeps all that it needs."""
    found = dict(tables)
    for name, table in tables.get("structures", {}).items():
        if isinstance(table, Mapping) and "file" in table and table.get("kind") in WRITTEN_OUT:
            whole = WRITTEN_OUT[table["kind"]](name, table, folder)
            found["structures"] = {**found["structures"], name: whole}
    return found


def _written_out(name: str, table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    owner = f"Structure '{name}'"
    arrays = arrays_of(folder, table["file"], owner)
    count = sum(array.size for array in arrays.values())
    if count > MOST_WRITTEN:
        rule = f"must have {MOST_WRITTEN:,} numbers at most in a study, which keeps them"
        raise refusal("file", owner, rule, count, "Reduce the model first.")
    told = {key: value for key, value in table.items() if key != "file"}
    plain = ("mass", "stiffness", "damping", "damping_ratio", "influence", "load", "dofs")
    told |= {key: arrays[key].tolist() for key in plain if key in arrays}
    dofs = told.get("dofs") or [f"dof {i}" for i in range(1, len(told["stiffness"]) + 1)]

    def weights(row: npt.NDArray[np.float64]) -> dict[str, float]:
        return {dofs[i]: float(row[i]) for i in np.flatnonzero(row).tolist()}

    if "point_names" in arrays:
        points = {}
        for i, point in enumerate(arrays["point_names"].tolist()):
            rows = dict(zip("xyz", map(weights, arrays["point_rows"][i]), strict=True))
            at = {"position": arrays["point_positions"][i].tolist()} if "point_positions" in arrays else {}
            points[point] = at | {axis: row for axis, row in rows.items() if row}
        told["points"] = points | dict(told.get("points", {}))
    if "dashpot_rows" in arrays:
        pairs = zip(arrays["dashpot_rows"], arrays["dashpot_constants"].tolist(), strict=True)
        own = [{"place": weights(row), "constant": constant} for row, constant in pairs]
        told["dashpots"] = own + list(told.get("dashpots", []))
    if "output_names" in arrays and "outputs" not in told:
        named = zip(arrays["output_names"].tolist(), arrays["output_rows"], strict=True)
        told["outputs"] = {output: weights(row) for output, row in named}
    return told


WRITTEN_OUT = {"matrices": _written_out, "storeys": storeys_written_out}
"""By kind of structure: what writes its file out."""
