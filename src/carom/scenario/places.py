"""Places in a scenario: where two structures may meet, where sliding is read, what results keep."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, Discriminator, Field, Tag

from carom.errors import InputError, Refusal, UnknownNameError, refusal
from carom.scenario.faults import Fault, fault_of, in_toml
from carom.scenario.parts import Part
from carom.scenario.quantities import Length, Quantity
from carom.structures.storeys import storey_of
from carom.units import Range

if TYPE_CHECKING:
    from carom.structures.base import LinearStructure

__all__ = [
    "KeptPart",
    "PlacePart",
    "Side",
    "Tangent",
    "TangentPart",
    "given_form",
    "place_fault",
    "place_of",
    "tangent_of",
]

Weights = dict[str, Annotated[float, Quantity("")]]
"""Degrees of freedom, and how much of each counts."""
Coordinates = Annotated[list[float], Quantity("m", listed=True)]
Share = Annotated[float, Quantity("", Range(0.0, 1.0, low_open=False, high_open=False))]


def _way(value: Any) -> str:
    return "list" if isinstance(value, list) else "name"


def _corner_form(value: Any) -> str:
    return "one" if isinstance(value, int) else "name"


Direction = Annotated[
    Annotated[str, Tag("name")] | Annotated[list[float], Quantity("", listed=True), Tag("list")], Discriminator(_way)
]
"""``"x"``, ``"-y"``, or a vector of any length."""

FORMS = ("floor", "height", "dof", "point", "edge", "node", "slab", "member", "weights", "drift", "shear")
"""What says where on a structure a place is; at most one of them. Drift and shear are for outputs alone."""
BESIDE = {
    "corner": ("floor", "height", "drift"), "at": ("slab", "floor", "height", "drift"), "share": ("member",),
    "force": ("member",),
}  # fmt: skip
"""What stands beside which of them."""
NEEDED = {"slab": ("at", "at = [6.0, 2.5]"), "member": ("share", "share = 0.5")}
"""What must stand beside, with an example."""


class PlacePart(Part):
    """A place on a structure, and the direction along which it is read; one way of saying where, or none."""

    structure: str = Field(description="name of the structure", examples=["tower"])
    floor: int | None = Field(
        default=None, ge=1, description="number of the floor; the first slab above ground is 1", examples=[3]
    )
    corner: Annotated[Annotated[str, Tag("name")] | Annotated[int, Tag("one")], Discriminator(_corner_form)] | None = (
        Field(
            default=None, description="corner of a slab, or middle of an edge, or its number; with `floor` or `height`",
            examples=["ne"],
        )
    )  # fmt: skip
    height: Length | None = Field(default=None, description="height above ground, on the columns", examples=["7.5 m"])
    dof: str | None = Field(default=None, description="a degree of freedom by its name", examples=["deck"])
    point: str | None = Field(default=None, description="a point that has a name", examples=["north-east"])
    edge: str | None = Field(
        default=None, description="of a deck, in a contact: which edge faces the other side", examples=["e"]
    )
    node: str | None = Field(default=None, description="a node of a frame", examples=["ne1"])
    slab: str | None = Field(default=None, description="a slab of a frame, with `at`", examples=["floor 1"])
    at: Coordinates | None = Field(
        default=None, description="x and y of a point of the slab or floor, in its plan", examples=[["6 m", "2.5 m"]]
    )
    member: str | None = Field(default=None, description="a member of a frame, with `share`", examples=["column-ne"])
    share: Share | None = Field(default=None, description="where on the member, from 0 to 1", examples=[0.4])
    weights: Weights | None = Field(
        default=None, description="weights of several degrees of freedom", examples=[{"x": 0.8, "y": 0.6}]
    )
    direction: Direction | None = Field(
        default=None, description="along which a point is read: x, y or z with a sign, or a vector", examples=["-y"]
    )


class KeptPart(PlacePart):
    """A place whose history and peak are kept, or the drift or shear of a storey, or a member's force."""

    drift: int | None = Field(
        default=None, ge=1, description="storey whose drift is kept, by the number of the floor above it; with "
        "`corner` or `at` there, else at the floor's centre", examples=[2],
    )  # fmt: skip
    shear: int | None = Field(default=None, ge=1, description="storey whose shear is kept; 1 at the base", examples=[1])
    force: Literal["n", "vy", "vz", "t", "my", "mz"] | None = Field(
        default=None, description="force on an end of `member`, in its local axes", examples=["my"]
    )
    end: Literal["start", "end"] = Field(default="start", description="which end of the member", examples=["start"])


def _form(value: Any) -> str:
    return "table" if isinstance(value, (dict, BaseModel)) else "name"


Side = Annotated[Annotated[str, Tag("name")] | Annotated[PlacePart, Tag("table")], Discriminator(_form)]
"""A structure by its name, or a place on it."""


def _side_form(value: Any) -> str:
    return "list" if isinstance(value, list) else "weights" if isinstance(value, dict) else "name"


SlideOn = Annotated[
    Annotated[str, Tag("name")]
    | Annotated[list[float], Quantity("", listed=True), Tag("list")]
    | Annotated[Weights, Tag("weights")],
    Discriminator(_side_form),
]


class TangentPart(Part):
    """Where sliding is read on each side; a wall or the ground needs none."""

    left: SlideOn | None = Field(default=None, description="on the left side", examples=["y"])
    right: SlideOn | None = Field(default=None, description="on the right side", examples=[{"x": -0.6, "y": 0.8}])


def _tangent_form(value: Any) -> str:
    return "list" if isinstance(value, list) else "table" if isinstance(value, (dict, BaseModel)) else "name"


Tangent = Annotated[
    Annotated[str, Tag("name")]
    | Annotated[list[float], Quantity("", listed=True), Tag("list")]
    | Annotated[TangentPart, Tag("table")],
    Discriminator(_tangent_form),
]


def given_form(part: PlacePart) -> str | None:
    """Return the field that says where on the structure the place is; None: nothing does."""
    return next((name for name in FORMS if getattr(part, name, None) is not None), None)


def place_of(side: str | PlacePart) -> Any:
    """Return a place as `carom.Contact` takes it."""
    if isinstance(side, str):
        return side
    owner = f"a place on '{side.structure}'"
    forms = [name for name in FORMS if name in type(side).model_fields]
    given = [name for name in forms if getattr(side, name) is not None]
    if len(given) > 1:
        raise InputError(f"{owner} takes one of {_listed(forms)}. Got {_listed(given, 'and')}.")
    form = given[0] if given else None
    for name, beside in BESIDE.items():
        if (value := getattr(side, name, None)) is not None and form not in beside:
            known = [one for one in beside if one in type(side).model_fields]
            raise refusal(name, owner, f"must stand beside {_listed(known)}", value)
    force = getattr(side, "force", None)
    if force is not None and side.share is not None:
        raise refusal("share", owner, "must be left out where `force` is given", side.share, "`end` says which end.")
    if force is None and form in NEEDED and getattr(side, (needed := NEEDED[form])[0]) is None:
        raise refusal(needed[0], owner, f"must be given with `{form}`", None, f"Write {needed[1]}, for example.")
    at = _at(side, form, owner)
    return side.structure if at is None and side.direction is None else (side.structure, at, side.direction)


def _at(side: PlacePart, form: str | None, owner: str) -> Any:
    if form is None:
        return None
    where = getattr(side, form)
    if isinstance(side, KeptPart) and side.force is not None:
        return where, side.force, side.end
    if form == "member":
        return where, side.share
    if form in ("drift", "shear"):
        point = side.corner if side.at is None else _plan_point(side, owner)
        return (form, where) if point is None else (form, where, point)
    if side.at is not None:
        return where, _plan_point(side, owner)
    return where if side.corner is None else (where, side.corner)


def _plan_point(side: PlacePart, owner: str) -> tuple[float, ...]:
    assert side.at is not None
    if len(side.at) != 2:
        raise refusal("at", owner, "must be x and y", side.at)
    if side.corner is not None:
        raise refusal("corner", owner, "must be left out where `at` is given", side.corner)
    return tuple(side.at)


def place_fault(part: PlacePart, field: str, structure: LinearStructure) -> Fault | None:
    """Return what is wrong with a place on a structure; None: it can be read there."""
    form = given_form(part)
    try:
        place = place_of(part)
        _, at, direction = place if isinstance(place, tuple) else (place, None, None)
        if direction is not None and storey_of(at) is None and structure.location(at) is None:
            structure.row(at)  # what is not there is said before its direction is
        structure.read(at, direction)
    except UnknownNameError as error:
        told = str(error).partition(". ")[2] or str(error)
        where = "corner" if str(error).startswith("Unknown corner") else form or "structure"
        return Fault(f"{field}.{where}", f"must be a place of {structure.owner}", getattr(part, where), told)
    except InputError as error:
        found = fault_of(error, field, type(part).model_fields)
        form = "at" if part.at is not None and form != "slab" else form
        if found.field == field and form is not None and isinstance(error, Refusal):
            return Fault(f"{field}.{form}", error.rule, error.value, in_toml(error.way_out))
        return found
    return None


def tangent_of(given: str | list[float] | TangentPart | None) -> Any:
    """Return where sliding is read as `carom.Contact` takes it."""
    if isinstance(given, TangentPart):
        return _sliding(given.left), _sliding(given.right)
    return (tuple(given), tuple(given)) if isinstance(given, list) else given


def _sliding(given: Any) -> Any:
    return tuple(given) if isinstance(given, list) else given


def _listed(names: Iterable[str], word: str = "or") -> str:
    *first, last = (f"`{name}`" for name in names)
    return f"{', '.join(first)} {word} {last}" if first else last
