"""What a scenario file may hold: tables, fields, units, and what stands where nothing is said.

The classes are the format. Their descriptions and examples make the JSON Schema, and the way out of an error is
the example of its field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from carom.scenario.analysis import Analysis
from carom.scenario.few_modes import ReducedPart
from carom.scenario.motions.motion_parts import HarmonicPart, MotionPart, SweepPart
from carom.scenario.parts import Part
from carom.scenario.places import KeptPart, PlacePart, Side, Tangent
from carom.scenario.quantities import (
    Gaps,
    Lengths,
    Mass,
    Masses,
    Quantity,
    Ratio,
    Ratios,
    Stiffness,
    Stiffnesses,
    Time,
)
from carom.scenario.structures.dampings import DampingPart
from carom.scenario.structures.decks import AbutmentFields, BearingPart, DeckFields, FrictionPart, PierFields, SeatPart
from carom.scenario.structures.frame_parts import FrameFields, MomentFrameFields
from carom.scenario.structures.matrices import MatricesFields
from carom.scenario.structures.solids import FixedBodyFields, GirderFields, RigidBodyFields
from carom.scenario.structures.storey_file import StoreyFileFields
from carom.scenario.structures.storeys import Storeys
from carom.scenario.structures.torsional import TorsionalFields
from carom.units import NONNEGATIVE, POSITIVE, Range

__all__ = [
    "AbutmentPart", "Analysis", "BearingPart", "BodyPart", "ContactPart", "DamperPart", "DampingPart", "DeckPart",
    "FixedBodyPart", "GirderPart", "GroundPart", "HarmonicPart", "InitialPart", "KeptPart", "LawPart", "MotionPart",
    "OscillatorPart", "PierPart", "PlacePart", "ReducedPart", "RigidBodyPart", "ScenarioFile", "SeatPart",
    "ShearBuildingPart", "StoreysPart", "StructurePart", "SweepPart", "WallPart", "json_schema",
]  # fmt: skip

SCHEMA_NAME = "carom-scenario.schema.json"
"""The schema's name where it stands beside a scenario."""


class Standing(Part):
    """What all structures share."""

    delay: Annotated[float, Quantity("s", NONNEGATIVE)] | None = Field(
        default=None, description="the motion arrives at this structure so much later", examples=["50 ms"]
    )
    motion: MotionPart | None = Field(
        default=None, description="a motion of the ground under this structure alone, instead of the file's",
        examples=[{"record": "pier.AT2"}],
    )  # fmt: skip


class OscillatorPart(Standing):
    """One mass on one spring; give one of `stiffness`, `period` and `frequency`."""

    kind: Literal["oscillator"]
    mass: Mass = Field(description="its mass", examples=["4600 kg"])
    stiffness: Stiffness | None = Field(default=None, description="its stiffness", examples=["2.11 MN/m"])
    period: Time | None = Field(default=None, description="its natural period", examples=["0.5 s"])
    frequency: Annotated[float, Quantity("Hz", POSITIVE)] | None = Field(
        default=None, description="its natural frequency", examples=["2 Hz"]
    )
    damping_ratio: Ratio | None = Field(default=None, description="ratio of critical damping", examples=["5 %"])
    damping: Annotated[float, Quantity("N*s/m", NONNEGATIVE)] | None = Field(
        default=None, description="its dashpot, instead of the ratio", examples=["10 kN*s/m"]
    )


class ShearBuildingPart(Standing):
    """Rigid slabs on columns, one displacement each; values bottom to top, or one for all floors."""

    kind: Literal["shear-building"]
    floors: int | None = Field(
        default=None, ge=1, le=1000, description="number of slabs; needed where all lists have one value", examples=[5]
    )
    masses: Masses = Field(description="floor masses", examples=["200 t"])
    stiffnesses: Stiffnesses = Field(description="storey stiffnesses", examples=["300 kN/mm"])
    heights: Lengths | None = Field(
        default=None, description="one storey height, or heights of the slabs above ground", examples=["3 m"]
    )
    damping_ratio: Ratios | None = Field(
        default=None, description="ratio of critical damping, for all modes or one for each", examples=["5 %"]
    )
    damping: DampingPart | None = Field(
        default=None,
        description="Rayleigh or Caughey damping, instead of the ratio",
        examples=[{"ratios": [0.05, 0.05], "modes": [1, 3]}],
    )
    storeys: Storeys | None = Field(
        default=None,
        description="what storeys do beyond their elastic stiffness: the same in all, or a list bottom to top; needs "
        'a step-by-step analysis.scheme such as "newmark"',
        examples=[{"kind": "bilinear", "yield_drift": "2 cm", "hardening": 0.05}],
    )


class BodyPart(Standing):
    """A rigid body, free or on a bearing: a ball, a girder."""

    kind: Literal["body"]
    mass: Mass = Field(description="its mass", examples=["2 kg"])
    stiffness: Annotated[float, Quantity("N/m", NONNEGATIVE)] = Field(
        default=0.0, description="of its bearing", examples=["10 kN/m"]
    )
    damping: Annotated[float, Quantity("N*s/m", NONNEGATIVE)] = Field(
        default=0.0, description="of its bearing", examples=["1 kN*s/m"]
    )
    gravity: Annotated[float, Quantity("m/s^2", Range())] = Field(
        default=0.0, description="constant acceleration of its own, to the right", examples=["9.81 m/s^2"]
    )


class WallPart(Standing):
    """A rigid wall, with the ground or fixed in space."""

    kind: Literal["wall"]
    moving: bool = Field(default=True, description="whether it moves with the ground", examples=[True])


class GroundPart(Standing):
    """The ground itself: an abutment, a floor to fall on."""

    kind: Literal["ground"]


class DeckPart(Standing, DeckFields):
    """A rigid deck of a bridge seen from above, which moves along x and y and turns; it rests on `bearings`."""

    kind: Literal["deck"]


class PierPart(Standing, PierFields):
    """The top of a pier, one mass that moves along x and y; any point of it takes bearings."""

    kind: Literal["pier"]


class AbutmentPart(Standing, AbutmentFields):
    """A straight face that stands on the ground, which deck ends strike and rest on."""

    kind: Literal["abutment"]


class GirderPart(Standing, GirderFields):
    """A rigid girder in space: a box whose ends may be skewed; it falls, lifts off and turns as far as it likes."""

    kind: Literal["girder"]


class RigidBodyPart(Standing, RigidBodyFields):
    """A rigid body in space of any shape: mass, inertia, named points, plane faces."""

    kind: Literal["rigid-body"]


class FixedBodyPart(Standing, FixedBodyFields):
    """What stands on the ground in space and gives way to nothing: a floor, a wall, an abutment with its seat."""

    kind: Literal["fixed-body"]


class TorsionalPart(Standing, TorsionalFields):
    """Rigid slabs that move along x and y and turn; values bottom to top, or one for all floors."""

    kind: Literal["torsional-building"]


class StoreysPart(Standing, StoreyFileFields):
    """A building by tables of its storeys in CSV files, as ETABS and SAP2000 print them or a spreadsheet."""

    kind: Literal["storeys"]


class MatricesPart(Standing, MatricesFields):
    """A structure by its matrices: M, K, damping, how the ground drives it, its points; inline, or from a file."""

    kind: Literal["matrices"]


class MomentFramePart(Standing, MomentFrameFields):
    """A regular frame with rigid joints: storeys, bays, rows; nodes are called i-j-level, slabs floor 1 and so on."""

    kind: Literal["moment-frame"]


class FramePart(Standing, FrameFields):
    """A frame, node by node and member by member; x to the right, z upwards."""

    kind: Literal["frame"]


StructurePart = Annotated[
    OscillatorPart
    | ShearBuildingPart
    | BodyPart
    | WallPart
    | GroundPart
    | DeckPart
    | AbutmentPart
    | PierPart
    | GirderPart
    | RigidBodyPart
    | FixedBodyPart
    | TorsionalPart
    | MatricesPart
    | MomentFramePart
    | FramePart
    | StoreysPart,
    Field(discriminator="kind"),
]


Restitution = float | int | str | list[list[float | int | str]]
"""One number, or pairs (approach velocity, e)."""


class LawPart(BaseModel):
    """A law of the catalogue with its parameters; `carom laws` lists them, `carom laws NAME` says what one takes.

    Laws with a stiffness need `stiffness`; impulsive laws (newton, poisson, stronge, plastic) have none.
    """

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)

    name: str = Field(description="name or alias in the catalogue", examples=["hertzdamp"])
    stiffness: float | int | str | None = Field(
        default=None, description="contact stiffness K [N/m^n]; none for impulsive laws", examples=["2e9 N/m^1.5"]
    )
    restitution: Restitution | None = Field(
        default=None,
        description="restitution asked for, in (0, 1]; impulsive laws: in [0, 1], or pairs of approach velocity and e",
        examples=[0.65],
    )
    damping: float | int | str | None = Field(default=None, description="the law's own damping parameter, instead of e")
    tension: bool = Field(default=True, description="false: contact ends where the law would pull", examples=[True])
    v0: Literal["guarded", "published"] = Field(
        default="guarded", description="the rate that scales damping", examples=["guarded"]
    )


def _form(value: Any) -> str:
    return "table" if isinstance(value, (dict, BaseModel)) else "name"


Law = Annotated[Annotated[str, Tag("name")] | Annotated[LawPart, Tag("table")], Discriminator(_form)]


def _face_form(value: Any) -> str:
    return "list" if isinstance(value, list) else "name"


FacePart = Annotated[
    Annotated[str, Tag("name")] | Annotated[list[str], Field(min_length=3, max_length=4), Tag("list")],
    Discriminator(_face_form),
]
"""A face by its name, or by its corners."""


class ContactPart(Part):
    """Where two structures may meet. Two names: all facing floors. A table with a floor, a point …: that place."""

    left: Side = Field(description="the structure on the left, or a place on it", examples=["tower"])
    right: Side = Field(description="the structure on the right, or a place on it", examples=["annex"])
    gap: Gaps | None = Field(
        default=None, description="distance at rest; facing floors may have one each; decks stand as they are placed",
        examples=["2 cm"],
    )  # fmt: skip
    law: Law | None = Field(
        default=None, description="name of a table under [laws], or a law itself; none before an abutment's backfill",
        examples=["slabs"],
    )  # fmt: skip
    friction: FrictionPart | None = Field(
        default=None, description="coefficient of friction beside a law with a stiffness, or a table; of decks, and of "
        "places with a `tangent`", examples=[0.3],
    )  # fmt: skip
    columns: bool = Field(default=False, description="whether slabs may meet the neighbour's columns", examples=[True])
    column_law: Law | None = Field(
        default=None, description="law where slabs meet columns; by default that of slabs", examples=["columns"]
    )
    label: str | None = Field(default=None, description="label in results, for a single place", examples=["roof"])
    tangent: Tangent | None = Field(
        default=None, description="where sliding is read, for friction: a direction or a degree of freedom, on both "
        "sides alike or one for each", examples=["y"],
    )  # fmt: skip
    face: FacePart | None = Field(
        default=None, description="of the structure on the right, in space: the face that is struck, by its name or by "
        "three or four points, counter-clockwise seen from outside", examples=["w"],
    )  # fmt: skip
    nodes: list[str] | None = Field(
        default=None, min_length=1, description="points of the structure on the left that strike `face`, a contact for "
        "each", examples=[["se top", "ne top"]],
    )  # fmt: skip
    overhang: Annotated[float, Quantity("m")] | None = Field(
        default=None, description="how far the face counts past its ends", examples=["5 cm"]
    )
    mass: Mass | None = Field(
        default=None, description="mass that the law takes for its damping, instead of the effective one",
        examples=["5 t"],
    )  # fmt: skip


class DamperPart(Part):
    """A dashpot between two places: F = c (u̇ left − u̇ right)."""

    left: Side = Field(description="a structure, or a place on it", examples=[{"structure": "tower", "floor": 5}])
    right: Side = Field(description="another place, or the ground", examples=[{"structure": "annex", "floor": 5}])
    constant: Annotated[float, Quantity("N*s/m", NONNEGATIVE)] = Field(description="c", examples=["2 MN*s/m"])


REST = "rest"
"""Instead of displacements: where loads have taken the structure, K⁻¹p."""


def _start_form(value: Any) -> str:
    return "table" if isinstance(value, dict) else "list" if isinstance(value, list) else "one"


def _start(unit: str) -> Any:
    """Return the form of a start: one number, one for each degree of freedom, or numbers by degree of freedom."""
    one = Annotated[float, Quantity(unit)]
    row = Annotated[list[float], Quantity(unit, listed=True)]
    return Annotated[
        Annotated[one, Tag("one")] | Annotated[row, Tag("list")] | Annotated[dict[str, one], Tag("table")],
        Discriminator(_start_form),
    ]


if TYPE_CHECKING:
    Displacements: TypeAlias = float | list[float] | dict[str, float]
    Velocities: TypeAlias = float | list[float] | dict[str, float]
else:
    Velocities = _start("m/s")
    Displacements = Annotated[
        Annotated[Literal["rest"], Tag("name")] | Annotated[_start("m"), Tag("one")],
        Discriminator(lambda value: "name" if value == REST else "one"),
    ]


class InitialPart(Part):
    """Where a structure starts, relative to the ground: a list of one value for each degree of freedom (floors bottom
    to top), or a table of degrees of freedom by name or floors by number; the others start from zero.
    """

    displacement: Displacements | None = Field(
        default=None,
        description='displacements, rotations as plain numbers; or "rest": where constant loads have '
        "taken the structure",
        examples=[{"floor 2": "-24 mm"}],
    )
    velocity: Velocities | None = Field(
        default=None, description="velocities; of rotations as plain numbers", examples=[{"floor 2": "0.5 m/s"}]
    )


class ScenarioFile(Part):
    """A scenario of carom: who stands beside whom, shaken how. SI where no unit is said."""

    format: Literal[1] = Field(default=1, description="number of the format of this file", examples=[1])
    title: str = Field(description="one line for the report", examples=["Two neighbours"])
    description: str = Field(
        default="", description="a few words more", examples=["Office tower and annex, north side"]
    )
    structures: dict[str, StructurePart] = Field(min_length=1, description="the structures by name, left to right")
    laws: dict[str, LawPart] = Field(default={}, description="laws by a name of your own, for `contacts`")
    contacts: list[ContactPart] = Field(default=[], description="where they may meet")
    dampers: list[DamperPart] = Field(default=[], description="dashpots between places, of two structures or of one")
    bearings: list[BearingPart] = Field(default=[], description="what decks rest on")
    seats: list[SeatPart] = Field(default=[], description="off what ends of decks may slide")
    motion: MotionPart | None = Field(
        default=None, description="the motion of the ground; without it, give `initial` and `analysis.duration`"
    )
    initial: dict[str, InitialPart] = Field(default={}, description="where structures start, by name")
    outputs: list[KeptPart] = Field(
        default=[], description="places whose histories and peaks are kept besides floors and contact points; storey "
        "drifts and shears, member forces", examples=[[{"structure": "tower", "drift": 3, "direction": "y"}]],
    )  # fmt: skip
    reduced: ReducedPart | None = Field(
        default=None, description="few modes for structures of more than 30 degrees of freedom; all run without it",
        examples=[{"rtol": 1e-3}],
    )  # fmt: skip
    analysis: Analysis = Field(default=Analysis(), description="how it is computed")


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a scenario file; it comes with the package too, beside the default scenario."""
    schema = ScenarioFile.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA_NAME, **schema}
