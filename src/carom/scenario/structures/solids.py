"""Rigid bodies, girders and what stands fixed in space, as tables of a scenario."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from carom.errors import refusal
from carom.scenario.parts import Part
from carom.scenario.places import Direction
from carom.scenario.quantities import Length, Lengths, Listed, Mass, Quantity
from carom.structures import FixedBody, Girder, RigidBody
from carom.units import POSITIVE, Range

__all__ = ["FixedBodyFields", "GirderFields", "RigidBodyFields", "fixed_body_of", "girder_of", "rigid_body_of"]

Point = Annotated[list[float], Quantity("m", listed=True)]
Angle = Annotated[float, Quantity("rad")]
Outline = Annotated[list[str], Field(min_length=3, max_length=4)]
NOT_TOLD = ("kind", "delay", "motion")
"""Fields of the table that are not of the body."""


class PlacedFields(Part):
    """Where a body stands in space, and what further points of it are called."""

    position: Point | None = Field(
        default=None, description="where its centre stands at the start: x, y and z", examples=[["15 m", 0, "8 m"]]
    )
    orientation: Annotated[list[Any], Listed(1)] | None = Field(
        default=None, description="how its axes are turned: a rotation vector, or a quaternion w, x, y, z",
        examples=[[0, 0, "5 deg"]],
    )  # fmt: skip
    points: dict[str, Point] | None = Field(
        default=None, description="points by name, x, y, z from its centre along its own axes; of girders further ones",
        examples=[{"west pad": ["-14 m", 0, "-1 m"]}],
    )  # fmt: skip


class MovingFields(PlacedFields):
    """How a body that is free begins, and what pulls it down."""

    velocity: Annotated[list[float], Quantity("m/s", listed=True)] | None = Field(
        default=None, description="of its centre at the start, relative to the ground", examples=[["0.5 m/s", 0, 0]]
    )
    spin: Annotated[list[float], Quantity("rad/s", listed=True)] | None = Field(
        default=None, description="at the start, about x, y and z of the world", examples=[[0, 0, "0.1 rad/s"]]
    )
    gravity: Annotated[float | list[float], Quantity("m/s^2", Range(), several=True)] | None = Field(
        default=None, description="downwards, or a vector; by default 9.81 m/s²", examples=["9.81 m/s^2"]
    )


class GirderFields(MovingFields):
    """A rigid girder in space: a box whose ends may be skewed; corners are called sw bottom to ne top."""

    length: Length = Field(description="along its axis", examples=["30 m"])
    width: Length = Field(description="across its axis", examples=["10 m"])
    depth: Length = Field(description="from its bottom to its top", examples=["2 m"])
    mass: Mass | None = Field(default=None, description="its mass", examples=["400 t"])
    density: Annotated[float, Quantity("kg/m^3", POSITIVE)] | None = Field(
        default=None, description="of the whole box, instead of the mass", examples=["700 kg/m^3"]
    )
    skew: Angle | None = Field(
        default=None, description="of its ends, clockwise from square seen from above", examples=["20 deg"]
    )


class RigidBodyFields(MovingFields):
    """A rigid body of any shape: named points that strike, plane faces that are struck."""

    mass: Mass = Field(description="its mass", examples=["2 t"])
    inertia: Annotated[list[Any], Listed(2)] = Field(
        description="about its centre of mass: three moments along its own axes, or a symmetric matrix",
        examples=[["10 t*m^2", "10 t*m^2", "15 t*m^2"]],
    )
    faces: dict[str, Outline] | None = Field(
        default=None, description="names to three or four points, counter-clockwise seen from outside",
        examples=[{"end": ["a", "b", "c", "d"]}],
    )  # fmt: skip
    radii: dict[str, Length] | None = Field(
        default=None, description='points, or "centre", that are centres of spheres', examples=[{"centre": "10 cm"}]
    )


class PlatePart(Part):
    """One square or rectangular face: a floor, or a wall."""

    centre: Point = Field(description="its middle: x, y and z", examples=[[0, 0, 0]])
    normal: Direction = Field(
        default="z", description="where it looks: z of a floor, -x of an eastern wall", examples=["z"]
    )
    size: Lengths = Field(
        description="of its sides; two numbers: of a floor along x and y, of a wall along it and upwards",
        examples=["20 m"],
    )


class FixedBodyFields(PlacedFields):
    """What stands on the ground and gives way to nothing: a floor, a wall, an abutment."""

    plate: PlatePart | None = Field(
        default=None, description='a single face, called "face", instead of points and faces',
        examples=[{"centre": [0, 0, 0], "normal": "z", "size": "20 m"}],
    )  # fmt: skip
    faces: dict[str, Outline] | None = Field(
        default=None, description="names to three or four points, counter-clockwise seen from outside",
        examples=[{"seat": ["a", "b", "c", "d"]}],
    )  # fmt: skip


def girder_of(name: str, part: GirderFields) -> Girder:
    """Return the girder that a table states."""
    return Girder(**_given(part), name=name)


def rigid_body_of(name: str, part: RigidBodyFields) -> RigidBody:
    """Return the rigid body that a table states."""
    return RigidBody(**_given(part), name=name)


def fixed_body_of(name: str, part: FixedBodyFields) -> FixedBody:
    """Return the fixed body that a table states."""
    given = _given(part)
    plate = given.pop("plate", None)
    if plate is None:
        if "faces" not in given and "points" not in given:
            raise refusal(
                "plate", f"FixedBody '{name}'", "must be given, or `points` and `faces` in its place", None,
                'Write plate = {centre = [0, 0, 0], normal = "z", size = "20 m"}.',
            )  # fmt: skip
        return FixedBody(**given, name=name)
    for field, value in given.items():
        raise refusal(field, f"FixedBody '{name}'", "must be left out where `plate` is given", value)
    normal = tuple(plate.normal) if isinstance(plate.normal, list) else plate.normal
    return FixedBody.plate(tuple(plate.centre), normal=normal, size=plate.size, name=name)


def _given(part: Part) -> dict[str, Any]:
    return {key: value for key, value in part if key not in NOT_TOLD and value is not None}
