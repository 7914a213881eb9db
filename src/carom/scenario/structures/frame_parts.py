"""What a table of a frame may hold: regular moment frames in a few words, others member by member."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Discriminator, Field, Tag

from carom.scenario.parts import Part
from carom.scenario.places import Coordinates, Share, Weights
from carom.scenario.quantities import Acceleration, Length, Loose, Mass, Quantity, Ratios
from carom.scenario.structures.dampings import DampingPart
from carom.units import NONNEGATIVE, POSITIVE

__all__ = [
    "FrameFields", "FrameShared", "MaterialPart", "MomentFrameFields", "OutputPart", "SectionPart",
]  # fmt: skip

Lengths = Annotated[list[float], Quantity("m", POSITIVE, listed=True)]
Numbers = Annotated[list[int], Field(min_length=2, max_length=2)]
"""First and last."""


def _area(power: int) -> Quantity:
    return Quantity(f"m^{power}", POSITIVE)


class SectionPart(Part):
    """A cross-section by its shape, or by its numbers; local y and z are its axes."""

    steel: str | None = Field(default=None, description="a rolled shape: HEA, HEB, IPE, W", examples=["HEB 240"])
    rectangle: Lengths | None = Field(
        default=None, description="breadth along y, depth along z", examples=[["0.3 m", "0.6 m"]]
    )
    circle: Length | None = Field(default=None, description="diameter of a full circle", examples=["0.4 m"])
    tube: Lengths | None = Field(
        default=None, description="outer diameter and wall of a round tube", examples=[["0.2 m", "8 mm"]]
    )
    box: Lengths | None = Field(
        default=None, description="breadth, depth and wall of a hollow rectangle", examples=[["0.3 m", "0.3 m", "1 cm"]]
    )
    area: Annotated[float, _area(2)] | None = Field(default=None, description="A", examples=["30 cm^2"])
    inertia_y: Annotated[float, _area(4)] | None = Field(
        default=None, description="second moment about y: bending in the x-z plane", examples=["1200 cm^4"]
    )
    inertia_z: Annotated[float, _area(4)] | None = Field(
        default=None, description="second moment about z: bending in the x-y plane", examples=["400 cm^4"]
    )
    torsion: Annotated[float, _area(4)] | None = Field(
        default=None, description="torsion constant", examples=["10 cm^4"]
    )
    shear_y: Annotated[float, _area(2)] | None = Field(
        default=None, description="shear area along y", examples=["20 cm^2"]
    )
    shear_z: Annotated[float, _area(2)] | None = Field(
        default=None, description="shear area along z", examples=["10 cm^2"]
    )
    polar: Annotated[float, _area(4)] | None = Field(
        default=None, description="second moment about x, for the inertia of twisting", examples=["1600 cm^4"]
    )


class MaterialPart(Part):
    """What members are made of: linear elastic, the same in all directions."""

    young: Annotated[float, Quantity("N/m^2", POSITIVE)] = Field(description="E", examples=["30 GPa"])
    poisson: Annotated[float, Quantity("")] | None = Field(
        default=None, description="ν; give this or `shear`", examples=[0.2]
    )
    shear: Annotated[float, Quantity("N/m^2", POSITIVE)] | None = Field(
        default=None, description="G, instead of ν", examples=["12 GPa"]
    )
    density: Annotated[float, Quantity("kg/m^3", NONNEGATIVE)] = Field(
        default=0.0, description="ρ; 0: members without mass", examples=["2500 kg/m^3"]
    )


def _way(value: Any) -> str:
    return "table" if isinstance(value, (dict, BaseModel)) else "list" if isinstance(value, list) else "name"


SectionGiven = Annotated[Annotated[str, Tag("name")] | Annotated[SectionPart, Tag("table")], Discriminator(_way)]
"""A rolled shape, a name under `sections`, or a section itself."""
SectionsGiven = Annotated[
    Annotated[str, Tag("name")]
    | Annotated[SectionPart, Tag("table")]
    | Annotated[list[SectionGiven], Field(min_length=1), Tag("list")],
    Discriminator(_way),
]
MaterialGiven = Annotated[Annotated[str, Tag("name")] | Annotated[MaterialPart, Tag("table")], Discriminator(_way)]
"""``steel``, ``concrete``, a name under `materials`, or a material itself."""


class MemberPart(Part):
    """A straight member from one node to another."""

    start: str = Field(description="a node", examples=["sw0"])
    end: str = Field(description="another node", examples=["sw1"])
    section: SectionGiven = Field(
        description="a rolled shape, a name under `sections`, or a section", examples=["HEB 240"]
    )
    material: MaterialGiven = Field(
        default="steel", description="steel, concrete, a name under `materials`, or a material", examples=["steel"]
    )
    name: str = Field(default="", description='its name; "start-end" by default', examples=["column-sw"])
    kind: Literal["beam", "truss", "cable"] = Field(default="beam", description="what it resists", examples=["beam"])
    turn: Annotated[float, Quantity("rad")] = Field(
        default=0.0, description="angle of the section about the member", examples=["90 deg"]
    )
    shear: bool = Field(default=False, description="whether shear deforms it (Timoshenko)", examples=[True])
    released: list[str] = Field(default=[], description="what its ends let go", examples=[["start ry", "end ry"]])
    offsets: list[Coordinates] | None = Field(
        default=None, description="rigid arms from the nodes to start and end: two vectors",
        examples=[[[0, 0, 0], [0, 0, "-0.3 m"]]],
    )  # fmt: skip
    load: Annotated[list[float], Quantity("N/m", listed=True)] = Field(
        default=[0.0, 0.0, 0.0], description="uniform load along x, y and z", examples=[[0, 0, "-12 kN/m"]]
    )
    pretension: Annotated[float, Quantity("N")] = Field(default=0.0, description="tension at rest", examples=["50 kN"])


class SpringPart(Part):
    """A linear spring at a node, to the ground or to another node."""

    node: str = Field(description="where it is", examples=["sw0"])
    way: Literal["ux", "uy", "uz", "rx", "ry", "rz"] = Field(description="its direction", examples=["ry"])
    stiffness: Annotated[float, Loose()] = Field(description="N/m, or N·m/rad of a rotation", examples=["20 MN*m/rad"])
    to: str | None = Field(default=None, description="the other node; without it, the ground", examples=["se0"])


class LinkPart(Part):
    """A rigid arm: a node that follows another one."""

    node: str = Field(description="the node that follows", examples=["edge"])
    to: str = Field(description="the node that it follows", examples=["ne1"])


class DiaphragmPart(Part):
    """A slab that is rigid in its plane."""

    name: str = Field(description="its name", examples=["roof"])
    nodes: list[str] = Field(min_length=1, description="the nodes that move with it", examples=[["sw1", "se1", "ne1"]])
    at: Coordinates | None = Field(
        default=None, description="x and y of the centre of its mass; the mean of its nodes by default",
        examples=[["3 m", "2.5 m"]],
    )  # fmt: skip
    mass: Annotated[float, Quantity("kg", NONNEGATIVE)] = Field(
        default=0.0, description="its own and what lies on it", examples=["15 t"]
    )
    inertia: Annotated[float, Quantity("kg*m^2", NONNEGATIVE)] | None = Field(
        default=None, description="about z", examples=["80 t*m^2"]
    )
    radius: Length | None = Field(default=None, description="radius of gyration, instead", examples=["2.3 m"])
    upright: bool = Field(default=True, description="whether its mass acts vertically, too", examples=[True])


class OutputPart(Part):
    """What results keep: a member force, or a place."""

    member: str | None = Field(default=None, description="a member", examples=["column 0-0-1"])
    force: Literal["n", "vy", "vz", "t", "my", "mz"] | None = Field(
        default=None, description="force on its end, in local axes", examples=["my"]
    )
    end: Literal["start", "end"] = Field(default="start", description="which end", examples=["start"])
    share: Share | None = Field(default=None, description="a point of the member instead of a force", examples=[0.5])
    node: str | None = Field(default=None, description="a node", examples=["ne1"])
    slab: str | None = Field(default=None, description="a slab, with `at`", examples=["roof"])
    at: Coordinates | None = Field(default=None, description="x and y of a point of the slab", examples=[[6, 2.5]])
    weights: Weights | None = Field(
        default=None, description="degrees of freedom and their weights, such as a drift",
        examples=[{"floor 2 ux": 1, "floor 1 ux": -1}],
    )  # fmt: skip


class FrameShared(Part):
    """What all frames have beside nodes and members."""

    damping_ratio: Ratios | None = Field(
        default=None, description="ratio of critical damping, for all modes or one for each", examples=["2 %"]
    )
    damping: DampingPart | None = Field(
        default=None, description="Rayleigh or Caughey damping, instead of the ratio",
        examples=[{"ratios": [0.02, 0.02], "modes": [1, 3]}],
    )  # fmt: skip
    gravity: (
        Annotated[
            Annotated[bool, Tag("one")] | Annotated[Acceleration, Tag("list")],
            Discriminator(lambda value: "one" if isinstance(value, bool) else "list"),
        ]
        | None
    ) = Field(default=None, description="true: weight acts, and P-Δ with it; or an acceleration", examples=[True])
    lumped: bool = Field(default=False, description="whether the mass of members is lumped at nodes", examples=[True])
    rotary: bool = Field(
        default=True, description="whether consistent masses have the inertia of turning sections", examples=[True]
    )
    outputs: (
        Annotated[
            Annotated[list[str], Tag("list")] | Annotated[dict[str, OutputPart], Tag("table")], Discriminator(_way)
        ]
        | None
    ) = Field(
        default=None, description="what results keep: degrees of freedom and nodes, or names for places and member "
        "forces; by default every degree of freedom below 100",
        examples=[{"base moment": {"member": "column 0-0-1", "force": "my"}}],
    )  # fmt: skip


class SetbackPart(Part):
    """A storey from which fewer bays or rows go on."""

    storey: int = Field(ge=2, description="the lowest storey that is set back", examples=[4])
    bays: Numbers | None = Field(default=None, description="first and last that go on, from 1", examples=[[1, 2]])
    rows: Numbers | None = Field(default=None, description="first and last that go on, from 1", examples=[[1, 1]])


class MomentFrameFields(FrameShared):
    """A regular frame with rigid joints: storeys, bays, rows; nodes are called i-j-level, slabs floor 1 and so on."""

    storeys: Lengths = Field(description="storey heights, bottom to top", examples=[["3.2 m", "3.2 m"]])
    bays: Lengths = Field(description="distances of columns along x", examples=[["6 m", "6 m"]])
    rows: Lengths | None = Field(
        default=None, description="distances of columns along y; without them the frame is plane", examples=[["5 m"]]
    )
    columns: SectionsGiven = Field(description="a section, or one for each storey", examples=["HEB 240"])
    beams: SectionsGiven = Field(description="a section, or one for each floor", examples=["IPE 330"])
    material: MaterialGiven = Field(
        default="steel", description="steel, concrete, or a material", examples=["concrete"]
    )
    slab: Annotated[float, Loose()] | None = Field(
        default=None, description="what a rigid slab weighs on each floor, per area, of a plane frame per length",
        examples=["600 kg/m^2"],
    )  # fmt: skip
    supports: str = Field(default="fixed", description="how columns stand: fixed, pinned, or ux …", examples=["fixed"])
    origin: Coordinates = Field(
        default=[0.0, 0.0, 0.0], description="x, y and z of the foot of the first column", examples=[[6.02, 0, 0]]
    )
    setbacks: list[SetbackPart] = Field(
        default=[],
        description="storeys from which fewer bays or rows go on",
        examples=[[{"storey": 4, "bays": [1, 2]}]],
    )


def _values_form(value: Any) -> str:
    return "list" if isinstance(value, list) else "one"


Values = Annotated[
    Annotated[Mass, Tag("one")] | Annotated[list[Annotated[float, Loose()]], Tag("list")], Discriminator(_values_form)
]


class FrameFields(FrameShared):
    """A frame, node by node and member by member; x to the right, z upwards."""

    nodes: dict[str, Coordinates] = Field(
        min_length=1, description="names to coordinates x, y, z", examples=[{"sw0": [0, 0, 0]}]
    )
    members: list[MemberPart] = Field(default=[], description="members between nodes")
    sections: dict[str, SectionGiven] = Field(default={}, description="sections by a name of your own")
    materials: dict[str, MaterialPart] = Field(default={}, description="materials by a name of your own")
    supports: dict[str, str] = Field(
        default={}, description="what is held at a node: fixed, pinned, or ux uz", examples=[{"sw0": "fixed"}]
    )
    masses: dict[str, Values] = Field(
        default={}, description="masses at nodes: one, or along x, y and z, or with inertias about them",
        examples=[{"ne1": "1 t"}],
    )  # fmt: skip
    springs: list[SpringPart] = Field(default=[], description="springs at nodes")
    diaphragms: list[DiaphragmPart] = Field(default=[], description="slabs that are rigid in their plane")
    links: list[LinkPart] = Field(default=[], description="nodes that follow others rigidly")
    loads: dict[str, list[Annotated[float, Loose()]]] = Field(
        default={}, description="constant forces at nodes: three, or six with moments",
        examples=[{"ne1": ["10 kN", 0, 0]}],
    )  # fmt: skip
    plane: Literal["xz", "xy", "yz"] | None = Field(
        default=None, description="of a frame that stays in this plane", examples=["xz"]
    )
