"""Frames in space and in a plane, member by member."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy import linalg
from scipy.constants import g as STANDARD_GRAVITY

from carom.errors import InputError, UnknownNameError, refusal
from carom.joints import Joint
from carom.plain_text import refuse_controls
from carom.structures.base import Damped
from carom.structures.damping import Damping
from carom.structures.frame import element
from carom.structures.frame.assembly import (
    PLANES,
    Assembled,
    Condensed,
    assembled,
    condensed,
    in_plane,
    refuse_mechanisms,
)
from carom.structures.frame.builder import moment_frame_parts
from carom.structures.frame.material import Material
from carom.structures.frame.members import WAYS, Diaphragm, Link, Member, Spring, slab_shares
from carom.structures.frame.statics import FORCES, Static, loads_of, static
from carom.structures.frame.wireframe import wireframe_of
from carom.structures.matrices import Array, frozen
from carom.structures.points import Location, location_rows
from carom.structures.wireframe import Wireframe
from carom.units import NONNEGATIVE, array, number

__all__ = ["Frame"]

KEPT_BELOW = 100
"""Degrees of freedom: with fewer, results keep every one; with more, those that are asked for and contact points."""
SLOW = 1e-6
"""Share of the largest ω², below which a mode counts as slow."""
SUPPORTS = {"fixed": frozenset(WAYS), "pinned": frozenset(("ux", "uy", "uz"))}
"""What the usual supports hold."""


@dataclass(frozen=True, eq=False, repr=False)
class Frame(Damped):
    """Members between nodes: beams, trusses, cables, springs, rigid slabs. x to the right, z upwards.

    Displacements are small and counted from rest under gravity and loads, so that gaps are those of the loaded frame;
    `static` tells that rest. With `gravity` the axial forces at rest stiffen or soften members across their axes (P-Δ).

    Examples
    --------
    >>> import carom
    >>> column = carom.Section.steel("HEA 100")
    >>> frame = carom.Frame(
    ...     nodes={"foot": (0, 0, 0), "head": (0, 0, "2.5 m")},
    ...     members=[carom.Member("foot", "head", column, carom.Material.steel())],
    ...     supports={"foot": "fixed"}, masses={"head": "1 t"}, plane="xz", name="mast",
    ... )
    >>> round(float(frame.periods[0]), 3)
    0.532
    """

    nodes: Any = None
    """Names to coordinates x, y, z [m]."""
    members: Any = ()
    """A list of `Member`."""
    supports: Any = None
    """Nodes to what is held there: ``"fixed"``, ``"pinned"``, or directions such as ``"ux uz"``."""
    masses: Any = None
    """Nodes to masses [kg] along x, y and z; six numbers also say inertias about x, y and z [kg·m²]."""
    springs: Any = ()
    """A list of `Spring`."""
    diaphragms: Any = ()
    """A list of `Diaphragm`: slabs that are rigid in their plane."""
    links: Any = ()
    """A list of `Link`: nodes that follow others rigidly."""
    loads: Any = None
    """Nodes to constant forces: three [N], or six with moments [N·m]."""
    gravity: Any = None
    """Acceleration [m/s²], or True for 9.80665: the weight of members, masses and slabs acts, and P-Δ with it."""
    plane: str | None = None
    """``"xz"``, ``"xy"`` or ``"yz"`` for a frame that stays in this plane; None: in space."""
    lumped: bool = False
    """Whether the mass of members is lumped at nodes; else it is consistent."""
    rotary: bool = True
    """Whether consistent masses have the inertia of turning cross-sections."""
    damping_ratio: float | tuple[float, ...] | None = None
    """ζ [–], ≥ 0: the same in every mode, or one per mode, lowest first."""
    damping: Damping | Array | None = None
    """`Rayleigh`, `Caughey` or a matrix C [N·s/m] over `dof_names`."""
    outputs: Any = None
    """What results keep: a list of degrees of freedom, nodes, or names for places and member forces such as
    ``{"base moment": ("c1", "my", "start")}``; every degree of freedom below 100 by default."""
    name: str = ""

    def __post_init__(self) -> None:
        self._take_name()
        put = object.__setattr__
        put(self, "nodes", self._take_nodes())
        put(self, "members", self._take_list("members", Member))
        put(self, "springs", self._take_list("springs", Spring))
        put(self, "diaphragms", self._take_list("diaphragms", Diaphragm))
        put(self, "links", self._take_list("links", Link))
        if self.plane is not None and self.plane not in PLANES:
            raise UnknownNameError(f"plane of {self.owner}:", self.plane, PLANES)
        put(self, "supports", self._take_supports())
        put(self, "masses", self._take_values("masses", "kg", "kg*m^2", positive=True))
        put(self, "loads", self._take_values("loads", "N", "N*m", positive=False))
        if self.gravity is not None:
            asked = STANDARD_GRAVITY if self.gravity is True else self.gravity
            put(self, "gravity", number(asked, "m/s^2", name="gravity", owner=self.owner, within=NONNEGATIVE))
        self._refuse_loose_ends()
        refuse_mechanisms(self._assembled, self.owner)
        put(self, "outputs", self._take_outputs())
        self._take_damping(len(self.dof_names))
        self.modes()  # refuses what cannot be

    @classmethod
    def moment_frame(
        cls, *, storeys: Any, bays: Any, columns: Any, beams: Any, material: Material, rows: Any = (),
        slab: Any = None, supports: Any = "fixed", origin: Any = (0.0, 0.0, 0.0), **more: Any,
    ) -> Frame:  # fmt: skip
        """Return a regular frame with rigid joints.

        `storeys` are storey heights, bottom to top, `bays` the distances of columns along x and `rows` along y [m];
        without rows the frame is plane. `columns` and `beams` are a `Section` each, or one for every storey. `slab` is
        what a rigid slab weighs on each floor, members apart [kg/m²], of a plane frame [kg/m]; None: no slab.
        Nodes are called ``"i-j-level"``, from 0, slabs ``"floor 1"`` and so on. `origin` is the foot of the first
        column. `more` goes to `Frame`: damping, gravity, name.

        Examples
        --------
        >>> import carom
        >>> tower = carom.Frame.moment_frame(
        ...     storeys=["3.2 m"] * 5, bays=["6 m"] * 2, rows=["5 m"], columns=carom.Section.rectangle(0.45, 0.45),
        ...     beams=carom.Section.rectangle(0.3, 0.6), material=carom.Material.concrete(), slab="600 kg/m^2",
        ...     damping_ratio=0.05, name="tower",
        ... )
        >>> tower
        <Frame 'tower': 36 nodes, 65 members, 105 dofs>
        """
        parts = moment_frame_parts(storeys, bays, rows, columns, beams, material, slab, supports, origin)
        return cls(**(parts | more))

    # the contract --------------------------------------------------------------------------------------

    @property
    def dof_names(self) -> tuple[str, ...]:
        """Degrees of freedom that carry mass: ``"node ux"``, ``"slab rz"`` …"""
        return self._condensed.names

    @property
    def mass_matrix(self) -> Array:
        """M [kg], shape (dofs, dofs)."""
        return frozen(self._condensed.mass)

    @property
    def stiffness_matrix(self) -> Array:
        """K [N/m], shape (dofs, dofs), geometric stiffness included; what carries no mass is condensed."""
        return frozen(self._condensed.stiffness)

    @property
    def joints(self) -> tuple[tuple[Array, Joint], ...]:
        """None: springs of a frame are linear and part of K."""
        return ()

    @cached_property
    def influence(self) -> Array:
        """ι, shape (dofs, 3)."""
        return frozen(self._condensed.influence)

    @cached_property
    def points(self) -> Mapping[str, Location]:
        """The nodes that can move, by name."""
        found = {}
        for i, (name, position) in enumerate(self.nodes.items()):
            rows = self._motions[6 * i : 6 * i + 3]
            if rows.any():
                found[name] = Location(tuple(position.tolist()), frozen(rows))
        return MappingProxyType(found)

    def location(self, place: object = None) -> Location | None:
        """Return a node, a point of a slab ``("slab", (x, y))``, or of a member ``("column", 0.4)``, from its start."""
        if isinstance(place, tuple) and len(place) == 2 and isinstance(place[0], str):
            name, where = place
            slabs = {slab.name: slab for slab in self.diaphragms}
            if name in slabs:
                return self._slab_point(slabs[name], where)
            if name in self._by_name and not isinstance(where, str):
                return self._member_point(name, where)
        return super().location(place)

    def place_name(self, place: object) -> str:
        """Return what a place is called behind the frame's name: ``"roof (6, 2.5)"``, ``"column at 0.4"``."""
        if isinstance(place, tuple) and len(place) == 2 and isinstance(place[0], str):
            name, where = place
            return f"{name} at {where:g}" if name in self._by_name else f"{name} ({where[0]:g}, {where[1]:g})"
        return super().place_name(place)

    def row(self, place: object = None) -> Array:
        """Return r with u(place) = r·u; a member force is ``("column", "my", "start")``."""
        if isinstance(place, tuple) and len(place) == 3 and all(isinstance(word, str) for word in place):
            return self.member_force(*place)
        return super().row(place)

    def wireframe(self) -> Wireframe:
        """Return how the frame is drawn: its members, and slabs or else nodes at one height as levels."""
        return wireframe_of(self.nodes, self.members, self.links, self.diaphragms, self._motions)

    # what frames can do beside -------------------------------------------------------------------------

    def static(self, loads: Mapping[str, Any] | None = None, *, gravity: Any = None) -> Static:
        """Return displacements, member forces and reactions under constant loads.

        By default those that the frame has: `loads`, `gravity`, and the loads of its members.
        """
        taken = self.loads if loads is None else self._values_of("loads", loads, "N", "N*m", positive=False)
        if gravity is not None:
            given = STANDARD_GRAVITY if gravity is True else gravity
            gravity = number(given, "m/s^2", name="gravity", owner=self.owner, within=NONNEGATIVE)
        else:
            gravity = self.gravity or 0.0
        forces, fixed = loads_of(self.nodes, self.members, taken, self._weights, gravity, self._assembled)
        return static(self.nodes, self.supports, self._assembled, forces, fixed)

    def member_force(self, member: str, force: str, end: str = "start") -> Array:
        """Return the row of a force that a node has on an end of a member, in local axes: n, vy, vz, t, my, mz.

        It is the part that follows from displacements, without what rest holds already (`static`). The forces are
        those on the member: n is negative at the start of a member in tension.
        """
        if member not in self._by_name:
            raise UnknownNameError(f"member of {self.owner}:", member, self._by_name)
        if force not in FORCES:
            raise UnknownNameError(f"force of {self.owner}:", force, FORCES)
        if end not in ("start", "end"):
            raise UnknownNameError(f"end of member '{member}':", end, ("start", "end"))
        spot = self._assembled.placed[member]
        which = FORCES.index(force) + (6 if end == "end" else 0)
        return frozen(spot.stiffness[which] @ spot.follow @ self._motions[spot.at])

    @cached_property
    def participation(self) -> Array:
        """ΦᵀMι [kg^½], shape (modes, 3): what ground motion along x, y and z drives of each mode."""
        return frozen(self.modes().shapes.T @ self.mass_matrix @ self.influence)

    @cached_property
    def effective_masses(self) -> Array:
        """Effective modal masses along x, y and z [kg], shape (modes, 3); their sums are the masses that can move."""
        return frozen(self.participation**2)

    # inside --------------------------------------------------------------------------------------------

    def _eigen(self) -> tuple[Array, Array]:
        """Return ω and Φ; slow modes from M φ = ω⁻² K φ, which keeps the digits that K φ = ω² M φ has for quick ones.

        No mechanism is left here, so that no mode is rigid.
        """
        squares, shapes = linalg.eigh(self.stiffness_matrix, self.mass_matrix)
        slow = int(np.count_nonzero(squares < SLOW * squares[-1]))
        if slow:
            n = squares.size
            inverse, soft = linalg.eigh(self.mass_matrix, self.stiffness_matrix, subset_by_index=[n - slow, n - 1])
            squares[:slow] = 1.0 / inverse[::-1]
            shapes[:, :slow] = soft[:, ::-1] * np.sqrt(squares[:slow])
        return np.sqrt(squares), shapes

    @cached_property
    def _by_name(self) -> dict[str, Member]:
        return {member.name: member for member in self.members}

    @cached_property
    def _weights(self) -> dict[str, float]:
        """What nodes weigh beside members [kg]: their masses, and equal shares of slabs."""
        found = slab_shares(self.diaphragms)
        for node, values in self.masses.items():
            found[node] = found.get(node, 0.0) + float(values[2])
        return found

    def _put_together(self, tensions: Mapping[str, float]) -> Assembled:
        return assembled(
            self.nodes, self.members, self.supports, self.masses, self.springs, self.diaphragms, self.links,
            plane=self.plane, lumped=self.lumped, rotary=self.rotary, tensions=tensions,
        )  # fmt: skip

    @cached_property
    def _assembled(self) -> Assembled:
        plain = self._put_together({})
        if self.gravity is None:
            return plain
        refuse_mechanisms(plain, self.owner)
        forces, fixed = loads_of(self.nodes, self.members, self.loads, self._weights, self.gravity, plain)
        rest = static(self.nodes, self.supports, plain, forces, fixed)
        return self._put_together({name: rest.tension(name) for name in self._by_name})

    @cached_property
    def _condensed(self) -> Condensed:
        return condensed(self._assembled, self.owner)

    @cached_property
    def _motions(self) -> Array:
        """Displacements of all nodes from the degrees of freedom, shape (6N, dofs)."""
        found: Array = self._assembled.expand @ self._condensed.recover
        return found

    def _slab_point(self, slab: Diaphragm, where: Any) -> Location:
        at = array(where, "m", name="place", owner=self.owner)
        if at.shape != (2,):
            raise refusal("place", f"slab '{slab.name}' of {self.owner}", "must be x and y", where)
        node = slab.nodes[0]
        x, y = at - self.nodes[node][:2]
        i = 6 * list(self.nodes).index(node)
        moved = self._motions[i : i + 6]
        rows = np.stack([moved[0] - y * moved[5], moved[1] + x * moved[5], np.zeros(moved.shape[1])])
        return Location((float(at[0]), float(at[1]), float(self.nodes[node][2])), frozen(rows))

    def _member_point(self, name: str, where: Any) -> Location:
        share = number(where, "", name="place", owner=f"member '{name}' of {self.owner}")
        if not 0.0 <= share <= 1.0:
            raise refusal("place", f"member '{name}' of {self.owner}", "must lie in [0, 1], from start to end", where)
        member, spot = self._by_name[name], self._assembled.placed[name]
        if member.kind == "beam":
            local = element.displacement_rows(share, spot.length, member.stiffnesses) @ spot.follow
        else:
            local = (1.0 - share) * spot.to_ends[:3] + share * spot.to_ends[6:9]
        start = self.nodes[member.start] + (member.offsets or ((0.0, 0.0, 0.0),))[0]
        position = start + share * spot.length * spot.axes[0]
        return Location(tuple(position.tolist()), frozen(spot.axes.T @ local @ self._motions[spot.at]))

    def _take_nodes(self) -> Mapping[str, Array]:
        given: Any = self.nodes
        if not isinstance(given, Mapping) or not given:
            raise refusal("nodes", self.owner, "must map names to coordinates", given, 'Write {"a": (0, 0, 0)}.')
        found: dict[str, Array] = {}
        for name, where in given.items():
            if not isinstance(name, str) or not name.strip() or " " in name:
                raise refusal("nodes", self.owner, "must have names without blanks", name)
            refuse_controls(name, "nodes", self.owner)
            at = array(where, "m", name=f"node '{name}'", owner=self.owner)
            if at.shape != (3,):
                raise refusal(f"node '{name}'", self.owner, "must be three coordinates x, y, z", where)
            found[name] = frozen(at)
        together: dict[bytes, str] = {}
        for name, at in found.items():
            if (same := together.setdefault(at.tobytes(), name)) != name:
                raise InputError(f"{self.owner} has two nodes at one place, '{same}' and '{name}'. Make them one.")
        return MappingProxyType(found)

    def _take_list(self, name: str, kind: type) -> tuple[Any, ...]:
        given: Any = getattr(self, name)
        if isinstance(given, kind):
            given = (given,)
        if isinstance(given, (str, Mapping)) or not isinstance(given, Sequence):
            raise refusal(name, self.owner, f"must be a list, each a carom.{kind.__name__}", given)
        for one in given:
            if not isinstance(one, kind):
                raise refusal(name, self.owner, f"must be a list, each a carom.{kind.__name__}", one)
        return tuple(given)

    def _take_supports(self) -> Mapping[str, frozenset[str]]:
        given: Any = {} if self.supports is None else self.supports
        if not isinstance(given, Mapping):
            raise refusal("supports", self.owner, "must map nodes to what is held", given, 'Write {"a": "fixed"}.')
        found = {}
        for node, held in given.items():
            self._known(node, "supports")
            ways = SUPPORTS.get(held) if isinstance(held, str) else frozenset(held)
            if ways is None:
                ways = frozenset(held.split())
            if not ways <= set(WAYS):
                wrong = sorted(ways - set(WAYS), key=str)[0]
                raise UnknownNameError(f"support of node '{node}':", wrong, (*SUPPORTS, *WAYS))
            found[node] = ways
        return MappingProxyType(found)

    def _take_values(self, name: str, unit: str, turning: str, *, positive: bool) -> Mapping[str, Array]:
        return self._values_of(name, getattr(self, name), unit, turning, positive=positive)

    def _values_of(self, name: str, given: Any, unit: str, turning: str, *, positive: bool) -> Mapping[str, Array]:
        """Take nodes with a number, three, or six: along x, y and z, and about them."""
        if given is None:
            return MappingProxyType({})
        if not isinstance(given, Mapping):
            raise refusal(name, self.owner, "must map nodes to values", given, f'Write {{"a": …}}, in {unit}.')
        found = {}
        for node, value in given.items():
            self._known(node, name)
            owner = f"node '{node}' of {self.owner}"
            listed = isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, str)
            parts = list(value) if listed else [value] * 3
            if len(parts) not in (3, 6) or (not listed and not positive):
                raise refusal(name, owner, "must be three numbers, along x, y and z, or six, with those about", value)
            values = [number(part, unit, name=name, owner=owner) for part in parts[:3]]
            values += [number(part, turning, name=name, owner=owner) for part in parts[3:]] or [0.0] * 3
            if positive and min(values) < 0.0:
                raise refusal(name, owner, "must not be negative", value)
            found[node] = frozen(np.array(values))
        return MappingProxyType(found)

    def _known(self, node: object, field: str) -> None:
        if node not in self.nodes:
            raise UnknownNameError(f"node in {field} of {self.owner}:", node, self.nodes)

    def _refuse_loose_ends(self) -> None:
        """Refuse what stands at nodes that do not exist, names used twice, and nodes that nothing joins."""
        joined: set[str] = set()
        for member in self.members:
            for node in (member.start, member.end):
                self._known(node, f"{member.owner}")
                joined.add(node)
        for spring in self.springs:
            for node in (spring.node, spring.to):
                if node is not None:
                    self._known(node, "springs")
                    joined.add(node)
        for link in self.links:
            for node in (link.node, link.to):
                self._known(node, "links")
                joined.add(node)
        self._refuse_links()
        for slab in self.diaphragms:
            for node in slab.nodes:
                self._known(node, f"diaphragm '{slab.name}'")
                joined.add(node)
            if slab.mass and slab.inertia is None and "rz" in in_plane(self.plane):
                raise refusal("inertia", f"Diaphragm '{slab.name}'", "must be given with a mass", None,
                              "Give `inertia` about z [kg·m²], or `radius` of gyration [m].")  # fmt: skip
        names = [one.name for one in (*self.members, *self.diaphragms)] + list(self.nodes)
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise refusal("name", self.owner, "must be different for every node, member and diaphragm", twice)
        slabs = [node for slab in self.diaphragms for node in slab.nodes]
        if len(set(slabs)) < len(slabs):
            twice = next(node for node in slabs if slabs.count(node) > 1)
            raise refusal("diaphragms", self.owner, "must not share a node", twice)
        for node in slabs:
            if self.supports.get(node, frozenset()) & {"ux", "uy", "rz"}:
                raise refusal("supports", self.owner, "must not hold in its plane what a diaphragm moves", node)
        for node in self.nodes:
            if node not in joined:
                raise InputError(f"Node '{node}' of {self.owner} is joined to nothing. Take it out, or join it.")

    def _refuse_links(self) -> None:
        """Refuse nodes that follow two others, each other, or what something else holds already."""
        follows = {link.node: link.to for link in self.links}
        if len(follows) < len(self.links):
            raise refusal("links", self.owner, "must let every node follow one other at most", list(follows))
        for node in follows:
            seen, at = {node}, node
            while (at := follows.get(at, "")) and at not in seen:
                seen.add(at)
            if at:
                raise refusal("links", self.owner, "must not run in a circle", node)
            if node in self.supports or any(node in slab.nodes for slab in self.diaphragms):
                raise refusal("links", self.owner, "must not be for a node that a support or a slab holds", node)

    def _take_outputs(self) -> Mapping[str, Array] | None:
        given: Any = self.outputs
        if given is None:
            return None if len(self.dof_names) < KEPT_BELOW else MappingProxyType({})
        if isinstance(given, str) or not isinstance(given, (Mapping, Sequence)):
            raise refusal("outputs", self.owner, "must be a list of places, or names for them", given,
                          'Write ["roof"], or {"base moment": ("c1", "my", "start")}.')  # fmt: skip
        named = given if isinstance(given, Mapping) else {_told(place): place for place in given}
        found: dict[str, Array] = {}
        for name, place in named.items():
            if isinstance(place, np.ndarray) and place.shape == (len(self.dof_names),):
                found[name] = frozen(place)  # of a frame that is copied
            elif (point := self.location(place)) is not None:
                found |= location_rows(str(name), point)
            else:
                found[name] = self.row(place)
        return MappingProxyType(found)

    def _place_rule(self) -> str:
        return 'must be a node, a slab with (x, y), a member with a share of its length, or a force ("c1", "my", "end")'

    def __repr__(self) -> str:
        label = f" '{self.name}'" if self.name else ""
        return f"<Frame{label}: {len(self.nodes)} nodes, {len(self.members)} members, {len(self.dof_names)} dofs>"


def _told(place: Any) -> str:
    return " ".join(map(str, place)) if isinstance(place, tuple) else str(place)
