"""Buildings from tables of storeys, as tables of a scenario."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, ValidationError

from carom.errors import refusal
from carom.models.storeys import read_storeys
from carom.scenario.parts import Part
from carom.scenario.quantities import Length, Quantity, Ratios
from carom.scenario.structures.dampings import DampingPart, damping_of
from carom.structures import ShearBuilding, TorsionalBuilding

__all__ = ["StoreyFileFields", "storeys_of", "storeys_written_out"]

OF_TABLE = ("direction", "order", "diaphragm", "case", "width", "depth", "damping_ratio")
"""Fields that `carom.read_storeys` takes as they are."""
OF_PLACE = ("origin", "angle")


class UnitsPart(Part):
    """Units of tables that do not say their own."""

    mass: str | None = Field(default=None, description="of masses", examples=["t"])
    stiffness: str | None = Field(default=None, description="of storey stiffnesses", examples=["kN/m"])
    length: str | None = Field(default=None, description="of heights, centres and eccentricities", examples=["m"])
    inertia: str | None = Field(default=None, description="of inertias; mass·length² by default", examples=["t*m^2"])
    torsional: str | None = Field(
        default=None, description="of torsional stiffnesses; stiffness·length² by default", examples=["kN*m"]
    )


def _form(value: Any) -> str:
    return "list" if isinstance(value, list) else "one"


class StoreyFileFields(Part):
    """A building by tables of its storeys in CSV files, as ETABS and SAP2000 print them or a spreadsheet."""

    file: Annotated[Annotated[str, Tag("one")] | Annotated[list[str], Tag("list")], Discriminator(_form)] = Field(
        description="a CSV file, or several, relative to this one", examples=["storeys.csv"]
    )
    units: UnitsPart | None = Field(
        default=None, description="units where the tables say none",
        examples=[{"mass": "t", "stiffness": "kN/m", "length": "m"}],
    )  # fmt: skip
    direction: Literal["x", "y"] | None = Field(
        default=None, description="a shear building along x or y of the tables, not one that turns", examples=["x"]
    )
    order: Literal["top-down", "bottom-up"] | None = Field(
        default=None, description="where neither elevations nor names of storeys tell it", examples=["top-down"]
    )
    diaphragm: str | None = Field(default=None, description="which, of several in a storey", examples=["D1"])
    case: str | None = Field(default=None, description="which load case of storey stiffnesses", examples=["EX"])
    width: Length | None = Field(
        default=None, description="of the slabs along x, where no table says it", examples=["12 m"]
    )
    depth: Length | None = Field(default=None, description="of the slabs along y, likewise", examples=["18 m"])
    damping_ratio: Ratios | None = Field(
        default=None, description="ratio of critical damping, for all modes or one for each", examples=["5 %"]
    )
    damping: DampingPart | None = Field(
        default=None, description="Rayleigh or Caughey damping, instead of the ratio",
        examples=[{"ratios": [0.05, 0.05], "modes": [1, 3]}],
    )  # fmt: skip
    origin: Annotated[list[float], Quantity("m", listed=True)] | None = Field(
        default=None, description="where (0, 0) of the plan stands in the world, x and y", examples=[["12.02 m", 0]]
    )
    angle: Annotated[float, Quantity("rad")] | None = Field(
        default=None, description="how far the plan is turned, counter-clockwise", examples=["10 deg"]
    )


def storeys_of(name: str, part: StoreyFileFields, folder: Path) -> ShearBuilding | TorsionalBuilding:
    """Return the building that a table states; files are looked for in `folder`."""
    files = part.file if isinstance(part.file, list) else [part.file]
    given = {field: getattr(part, field) for field in OF_TABLE}
    units = None if part.units is None else {key: unit for key, unit in part.units if unit is not None}
    damping = None if part.damping is None else damping_of(part.damping)
    building = read_storeys([folder / file for file in files], units=units, damping=damping, name=name, **given)
    placed = {field: value for field in OF_PLACE if (value := getattr(part, field)) is not None}
    if placed and not isinstance(building, TorsionalBuilding):
        raise refusal(next(iter(placed)), building.owner, "is for buildings that turn", next(iter(placed.values())))
    return building.replace(**placed) if placed else building


def storeys_written_out(name: str, table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the table of the building itself; one that is not sound is left for the reader to refuse."""
    told = {key: value for key, value in table.items() if key not in ("kind", "delay")}
    try:
        part = StoreyFileFields.model_validate(told)
    except ValidationError:
        return dict(table)
    building = storeys_of(name, part, folder)
    fields = ["masses", "heights"]
    if isinstance(building, TorsionalBuilding):
        fields += ["stiffnesses_x", "stiffnesses_y", "torsional_stiffnesses", "width", "depth", "inertias"]
        fields += ["centres_of_mass", "centres_of_stiffness"]
    else:
        fields.append("stiffnesses")
    kept = {key: value for key, value in table.items() if key in ("damping_ratio", "damping", "delay", *OF_PLACE)}
    kind = "torsional-building" if isinstance(building, TorsionalBuilding) else "shear-building"
    values = {field: _plain(value) for field in fields if (value := getattr(building, field)) is not None}
    return {"kind": kind, **values, **kept}


def _plain(value: Any) -> Any:
    return [_plain(one) for one in value] if isinstance(value, tuple) else value
