"""What a frame is made of: members, springs, rigid diaphragms."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from carom.errors import InputError, UnknownNameError, refusal
from carom.structures.frame import element
from carom.structures.frame.element import Stiffnesses
from carom.structures.frame.fields import owner_of, refuse_no_switch, refuse_no_text
from carom.structures.frame.material import Material
from carom.structures.frame.section import Section
from carom.structures.matrices import Array, Integers
from carom.units import ANY, NONNEGATIVE, POSITIVE, array, number

__all__ = [
    "WAYS",
    "Diaphragm",
    "Link",
    "Member",
    "Spring",
    "following",
    "member_axes",
    "member_mass",
    "member_stiffness",
    "slab_shares",
]

WAYS = ("ux", "uy", "uz", "rx", "ry", "rz")
"""Degrees of freedom of a node: displacements along x, y and z [m], rotations about them [rad]."""
KINDS = ("beam", "truss", "cable")
ENDS = ("start", "end")
UPRIGHT = 1e-6
"""Sine of the angle to the vertical, below which a member counts as upright."""


@dataclass(frozen=True)
class Member:
    """A straight member from one node to another.

    Local x runs from `start` to `end`. Local z points upwards as far as it can, so that `inertia_y` of the section
    resists vertical loads; of an upright member local y is the global y, so that `inertia_y` resists along x. `turn`
    rotates the section about the member.
    """

    start: str
    end: str
    section: Section
    material: Material
    name: str = ""
    """By default ``"start-end"``."""
    kind: str = "beam"
    """``"beam"``; ``"truss"``, with axial force alone; ``"cable"``, a truss that must have `pretension`."""
    turn: Any = 0.0
    """Angle of the section about local x [rad]."""
    shear: bool = False
    """Whether shear deforms the member (Timoshenko); its section must have shear areas."""
    released: Any = ()
    """What the ends let go: ``"start ry"``, ``"end rz"`` …, in local axes."""
    offsets: Any = None
    """Rigid arms [m] from the nodes to the ends of the member, a vector x, y, z for each of both, or None."""
    load: Any = (0.0, 0.0, 0.0)
    """Uniform load [N/m] along global x, y and z, per length of the member."""
    pretension: Any = 0.0
    """Tension at rest [N]: it stiffens the member across its axis; a compression is negative."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        for end in ENDS:
            refuse_no_text(end, "Member", getattr(self, end), "must be the name of a node")
        owner_of("Member", self.name)  # refuses what is no name
        put(self, "name", self.name or f"{self.start}-{self.end}")
        owner = self.owner
        refuse_no_switch("shear", owner, self.shear)
        if self.start == self.end:
            raise refusal("end", owner, "must be another node than the start", self.end)
        for field, kind in (("section", Section), ("material", Material)):
            if not isinstance(getattr(self, field), kind):
                raise refusal(field, owner, f"must be a carom.{kind.__name__}", getattr(self, field))
        if not isinstance(self.kind, str) or self.kind not in KINDS:
            raise UnknownNameError("kind of member", self.kind, KINDS)
        put(self, "turn", number(self.turn, "rad", name="turn", owner=owner))
        put(self, "pretension", number(self.pretension, "N", name="pretension", owner=owner, within=ANY))
        if self.kind == "cable" and not self.pretension > 0.0:
            raise refusal(
                "pretension", owner, "must be > 0 for a cable", self.pretension,
                "A linear cable pulls and pushes about its pretension; without one it is slack.",
            )  # fmt: skip
        put(self, "load", _vector(self.load, "N/m", "load", owner))
        put(self, "offsets", self._take_offsets(owner))
        put(self, "released", self._take_releases(owner))
        if self.shear and (self.section.shear_y is None or self.section.shear_z is None):
            raise refusal("shear", owner, "asks for a section with shear areas", self.section.name or "without any",
                          "Give `shear_y` and `shear_z` of the section.")  # fmt: skip

    @property
    def owner(self) -> str:
        """As refusals say it."""
        return f"Member '{self.name}'"

    @property
    def stiffnesses(self) -> Stiffnesses:
        """What it resists with."""
        section, young, shear = self.section, self.material.young, self.material.shear
        return Stiffnesses(
            young * section.area, shear * section.torsion, young * section.inertia_y, young * section.inertia_z,
            shear * section.shear_y if self.shear else math.inf, shear * section.shear_z if self.shear else math.inf,
        )  # fmt: skip

    @property
    def mass_per_length(self) -> float:
        """ρA [kg/m]."""
        return float(self.material.density * self.section.area)

    def replace(self, **changes: Any) -> Member:
        """Return a copy with some fields changed."""
        return replace(self, **changes)

    def free_ends(self) -> Integers:
        """Return which of the twelve local degrees of freedom the ends let go."""
        ends = {"start": 0, "end": 6}
        found = {ends[end] + WAYS.index(way) for end, way in (one.split() for one in self.released)}
        return np.array(sorted(found), dtype=int)

    def _take_offsets(self, owner: str) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
        given: Any = self.offsets
        if given is None:
            return None
        if isinstance(given, str) or not isinstance(given, Iterable) or len(both := tuple(given)) != 2:
            raise refusal("offsets", owner, "must be a pair: of the start and of the end, each a vector or None", given)
        one, other = ((0.0, 0.0, 0.0) if arm is None else _vector(arm, "m", "offsets", owner) for arm in both)
        return one, other

    def _take_releases(self, owner: str) -> tuple[str, ...]:
        asked: Any = self.released
        if not isinstance(asked, (str, Iterable)):
            raise refusal("released", owner, 'must be a list such as ["start ry", "end ry"]', asked)
        given: tuple[str, ...] = (asked,) if isinstance(asked, str) else tuple(asked)
        if given and self.kind != "beam":
            raise refusal("released", owner, f"must be left out for a {self.kind}, which has no bending", given)
        known = [f"{end} {way}" for end in ENDS for way in WAYS]
        for one in given:
            if not isinstance(one, str) or one not in known:
                raise UnknownNameError(f"release of {owner}:", one, known)
        free = set(given)
        for way, turn in (("ux", ""), ("rx", ""), ("uy", "rz"), ("uz", "ry")):
            across, both = (
                {f"start {way}", f"end {way}"},
                free & {f"{end} {one}" for end in ENDS for one in (way, turn)},
            )
            if across <= free or len(both) > len(ENDS):
                told = ", ".join(sorted(across if across <= free else both))
                raise refusal("released", owner, f"must not let go {told} together", given,
                              "The member would be a mechanism by itself.")  # fmt: skip
        return tuple(dict.fromkeys(given))


@dataclass(frozen=True)
class Spring:
    """A linear spring at a node, to the ground or to another node."""

    node: str
    stiffness: Any
    """k [N/m], or [N·m/rad] for a rotation."""
    way: str
    """``"ux"`` … ``"rz"``."""
    to: str | None = None
    """The other node; None: the ground."""

    def __post_init__(self) -> None:
        refuse_no_text("node", "Spring", self.node, "must be the name of a node")
        if self.to is not None:
            refuse_no_text("to", "Spring", self.to, "must be the name of a node, or None for the ground")
        if self.to == self.node:
            raise refusal("to", f"Spring at '{self.node}'", "must be another node", self.to)
        if not isinstance(self.way, str) or self.way not in WAYS:
            raise UnknownNameError("direction of a spring", self.way, WAYS)
        unit = "N/m" if self.way.startswith("u") else "N*m/rad"
        value = number(self.stiffness, unit, name="stiffness", owner=f"Spring at '{self.node}'", within=POSITIVE)
        object.__setattr__(self, "stiffness", value)


@dataclass(frozen=True)
class Link:
    """A rigid arm: a node that follows another one as if welded to it, rotations included."""

    node: str
    """The node that follows; no support and no slab may hold it."""
    to: str
    """The node that it follows."""

    def __post_init__(self) -> None:
        for end in ("node", "to"):
            refuse_no_text(end, "Link", getattr(self, end), "must be the name of a node")
        if self.node == self.to:
            raise refusal("to", f"Link of '{self.node}'", "must be another node", self.to)


@dataclass(frozen=True)
class Diaphragm:
    """A slab that is rigid in its plane: its nodes move along x and y and turn about z with it, as one.

    It has three degrees of freedom at `at`, which is where its own mass is centred: ``"name ux"``, ``"name uy"`` and
    ``"name rz"``. In a plane frame along x only the first is left.
    """

    name: str
    nodes: tuple[str, ...]
    at: Any = None
    """x and y of the centre of its mass [m]; by default the mean of its nodes."""
    mass: Any = 0.0
    """[kg], of the slab itself and what lies on it; vertically, and as a weight, its nodes have equal shares."""
    inertia: Any = None
    """About z through `at` [kg·m²]; needed with a mass, unless `radius` is given."""
    radius: Any = None
    """Radius of gyration about z [m], in place of `inertia`."""
    upright: bool = True
    """Whether its mass acts vertically, too; False: neither as inertia nor as a weight."""

    def __post_init__(self) -> None:
        put, owner = object.__setattr__, f"Diaphragm '{self.name}'"
        refuse_no_text("name", "Diaphragm", self.name)
        refuse_no_switch("upright", owner, self.upright)
        nodes: Any = self.nodes
        if isinstance(nodes, str) or not isinstance(nodes, Iterable) or not (nodes := tuple(nodes)):
            raise refusal("nodes", owner, "must be a list of nodes", self.nodes)
        for node in nodes:
            refuse_no_text("nodes", owner, node, "must be names of nodes")
        if len(set(nodes)) < len(nodes):
            raise refusal("nodes", owner, "must be different", nodes)
        put(self, "nodes", nodes)
        put(self, "mass", number(self.mass, "kg", name="mass", owner=owner, within=NONNEGATIVE))
        if self.at is not None:
            at = array(self.at, "m", name="at", owner=owner)
            if at.shape != (2,):
                raise refusal("at", owner, "must be x and y", self.at)
            put(self, "at", tuple(at.tolist()))
        if self.inertia is not None and self.radius is not None:
            raise refusal("radius", owner, "must be left out where `inertia` is given", self.radius)
        if self.radius is not None:
            put(self, "radius", number(self.radius, "m", name="radius", owner=owner, within=POSITIVE))
        elif self.inertia is not None:
            put(self, "inertia", number(self.inertia, "kg*m^2", name="inertia", owner=owner, within=NONNEGATIVE))

    @property
    def turning(self) -> float | None:
        """Its inertia about z [kg·m²], as given or by `radius`; None: not known."""
        if self.radius is not None:
            return float(self.mass * self.radius**2)
        return None if self.inertia is None else float(self.inertia)


def _vector(given: Any, unit: str, name: str, owner: str) -> tuple[float, ...]:
    values = array(given, unit, name=name, owner=owner)
    if values.shape != (3,):
        raise refusal(name, owner, "must be three numbers, along x, y and z", given)
    return tuple(values.tolist())


def slab_shares(diaphragms: Iterable[Diaphragm]) -> dict[str, float]:
    """Return what nodes have of the masses of slabs vertically [kg]."""
    return {
        node: slab.mass / len(slab.nodes) for slab in diaphragms if slab.upright and slab.mass for node in slab.nodes
    }


def member_axes(member: Member, start: Array, end: Array) -> tuple[float, Array]:
    """Return length [m] and local axes of a member between two ends, the axes as rows, shape (3, 3)."""
    way = end - start
    length = math.hypot(*way)
    if not length > 0.0:
        raise InputError(f"{member.owner} has no length: both of its ends lie at {tuple(start.tolist())}.")
    along = way / length
    across = np.array([-along[1], along[0], 0.0])  # z × along
    size = float(np.linalg.norm(across))
    across = np.array([0.0, 1.0, 0.0]) if size < UPRIGHT else across / size
    upwards = np.cross(along, across)
    cos, sin = math.cos(member.turn), math.sin(member.turn)
    return length, np.array([along, cos * across + sin * upwards, cos * upwards - sin * across])


def member_stiffness(member: Member, length: float, tension: float) -> Array:
    """Return K of a member in local axes under a tension beside its own, nothing let go; shape (12, 12)."""
    tension = tension + member.pretension
    if member.kind == "beam":
        plain = element.stiffness(length, member.stiffnesses)
        return plain + element.geometric(length, tension, member.stiffnesses) if tension else plain
    return element.bar_stiffness(length, member.stiffnesses.axial) + element.string(length, tension)


def member_mass(member: Member, length: float, lumped: bool, rotary: bool) -> Array:
    """Return M of a member in local axes, nothing let go; shape (12, 12)."""
    if lumped:
        return element.lumped_mass(length, member.mass_per_length)
    if member.kind != "beam":
        return element.bar_mass(length, member.mass_per_length)
    section, density = member.section, member.material.density
    turning = density if rotary else 0.0
    return element.mass(
        length, member.mass_per_length, turning * section.inertia_y, turning * section.inertia_z,
        density * section.polar, member.stiffnesses,
    )  # fmt: skip


def following(k: Array, free: Integers) -> Array:
    """Return how the twelve displacements of the ends follow from those of the nodes, where some ends let go.

    What an end lets go takes no force: it follows from the others by statics, and mass that moves with it is carried
    over by the same rule.
    """
    found = np.eye(12)
    if free.size:
        held = np.setdiff1d(np.arange(12), free)
        found[free] = 0.0
        found[np.ix_(free, held)] = -np.linalg.solve(k[np.ix_(free, free)], k[np.ix_(free, held)])
    return found
