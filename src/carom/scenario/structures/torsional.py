"""Buildings that turn, as tables of a scenario."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from carom.errors import refusal
from carom.scenario.parts import Part
from carom.scenario.quantities import Amount, Lengths, Listed, Masses, Quantity, Ratios, Stiffnesses
from carom.scenario.structures.dampings import DampingPart, damping_of
from carom.structures import TorsionalBuilding
from carom.units import POSITIVE

__all__ = ["TorsionalFields", "torsional_of"]

FOR_FLOORS = ("masses", "stiffnesses_x", "stiffnesses_y", "torsional_stiffnesses")
"""Fields that `floors` repeats."""

Turning = Annotated[float | list[float], Quantity("N*m", POSITIVE, several=True)]
Inertias = Annotated[float | list[float], Quantity("kg*m^2", POSITIVE, several=True)]


class TorsionalFields(Part):
    """Rigid slabs that move along x and y and turn; values bottom to top, or one for all floors.

    Plan coordinates are the building's own: a rectangle reaches from (0, 0) to (`width`, `depth`).
    """

    floors: int | None = Field(
        default=None, ge=1, le=1000, description="number of slabs; needed where all lists have one value", examples=[3]
    )
    masses: Masses = Field(description="floor masses", examples=["200 t"])
    stiffnesses_x: Stiffnesses | None = Field(
        default=None, description="storey stiffnesses along x", examples=["300 kN/mm"]
    )
    stiffnesses_y: Stiffnesses | None = Field(
        default=None, description="storey stiffnesses along y", examples=["250 kN/mm"]
    )
    torsional_stiffnesses: Turning | None = Field(
        default=None, description="storey stiffnesses about the vertical axis through the centre of stiffness",
        examples=["20 GN*m"],
    )  # fmt: skip
    columns: Annotated[list[Any], Listed(3)] | None = Field(
        default=None, description="instead of stiffnesses: columns and walls, each x, y, kx, ky and perhaps kz; for "
        "storeys that differ a list of such lists",
        examples=[[[0, 0, "5 MN/m", "5 MN/m"], [12, 0, "5 MN/m", "5 MN/m"], [12, 18, "9 MN/m", "5 MN/m"]]],
    )  # fmt: skip
    width: Lengths | None = Field(default=None, description="of rectangular slabs, along x", examples=["12 m"])
    depth: Lengths | None = Field(default=None, description="of rectangular slabs, along y", examples=["18 m"])
    plan: Annotated[list[Any], Listed(3)] | None = Field(
        default=None, description="instead of a rectangle: its vertices; for slabs that differ a list of such lists",
        examples=[[[0, 0], [12, 0], [12, 18], [6, 18]]],
    )  # fmt: skip
    radii: Lengths | None = Field(
        default=None, description="radii of gyration; by default those of uniform slabs", examples=["6 m"]
    )
    inertias: Inertias | None = Field(
        default=None, description="moments of inertia about the centre of mass, instead of radii",
        examples=["7000 t*m^2"],
    )  # fmt: skip
    centres_of_mass: Annotated[list[Any], Listed(2)] | None = Field(
        default=None, description="x and y in plan, one for all floors or a list; by default the centroid of the slab",
        examples=[["6.5 m", "9 m"]],
    )  # fmt: skip
    centres_of_stiffness: Annotated[list[Any], Listed(2)] | None = Field(
        default=None, description="the same of the storeys", examples=[["5 m", "9 m"]]
    )
    accidental_x: Amount | None = Field(
        default=None, description="every mass is shifted along x by this share of its slab", examples=["5 %"]
    )
    accidental_y: Amount | None = Field(default=None, description="the same along y", examples=["5 %"])
    origin: Annotated[list[float], Quantity("m", listed=True)] | None = Field(
        default=None, description="where (0, 0) of the plan stands in the world, x and y", examples=[["12.02 m", 0]]
    )
    angle: Annotated[float, Quantity("rad")] | None = Field(
        default=None, description="how far the plan is turned, counter-clockwise", examples=["10 deg"]
    )
    heights: Lengths | None = Field(
        default=None, description="one storey height, or heights of the slabs above ground", examples=["3 m"]
    )
    damping_ratio: Ratios | None = Field(
        default=None, description="ratio of critical damping, for all modes or one for each", examples=["5 %"]
    )
    damping: DampingPart | None = Field(
        default=None, description="Rayleigh or Caughey damping, instead of the ratio",
        examples=[{"ratios": [0.05, 0.05], "modes": [1, 3]}],
    )  # fmt: skip


def torsional_of(name: str, part: TorsionalFields) -> TorsionalBuilding:
    """Return the building that a table states."""
    given = {key: value for key in TorsionalFields.model_fields if (value := getattr(part, key)) is not None}
    floors = given.pop("floors", None)
    if part.damping is not None:
        given["damping"] = damping_of(part.damping)
    for field in FOR_FLOORS if floors is not None else ():
        if field in given:
            given[field] = _for_floors(given[field], floors, field, name)
    return TorsionalBuilding(**given, name=name)


def _for_floors(given: float | list[float], floors: int, field: str, name: str) -> list[float]:
    values = given if isinstance(given, list) else [given]
    if len(values) not in (1, floors):
        rule = f"must be one number, or one for each of {floors} floors"
        way_out = f"Give {floors} values, or leave `floors` out."
        raise refusal(field, f"TorsionalBuilding '{name}'", rule, values, way_out)
    return values * floors if len(values) == 1 else values
