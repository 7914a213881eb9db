"""Frames in space and in a plane, member by member."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from scipy import linalg
from scipy.constants import g as STANDARD_GRAVITY

from carom.errors import UnknownNameError, refusal
from carom.joints import Joint
from carom.structures.condensation import Condensed
from carom.structures.damping import Damping
from carom.structures.drawing.wireframe import Wireframe
from carom.structures.frame.assembly import (
    PLANES,
    Assembled,
    assembled,
    centre_of,
    condensed_frame,
    refuse_mechanisms,
)
from carom.structures.frame.builder import moment_frame_parts
from carom.structures.frame.fields import refuse_no_switch
from carom.structures.frame.floors import Floored
from carom.structures.frame.intake import (
    refuse_loads_across_slabs,
    refuse_loose_ends,
    refuse_out_of_plane,
    refuse_too_many,
    refuse_values_beside,
    taken_list,
    taken_nodes,
    taken_supports,
    taken_values,
    turnless,
)
from carom.structures.frame.kept import kept_rows
from carom.structures.frame.material import Material
from carom.structures.frame.members import WAYS, Diaphragm, Link, Member, Spring, slab_shares
from carom.structures.frame.places import point_of, share_at, slab_point, wire
from carom.structures.frame.statics import FORCES, Static, is_force, loads_of, static
from carom.structures.frame.wireframe import wireframe_of
from carom.structures.matrices import Array, frozen
from carom.structures.points import Location, Reading
from carom.structures.storeys import storey_of
from carom.units import NONNEGATIVE, array, number

__all__ = ["Frame"]

SLOW = 1e-6
"""Share of the largest ω², below which a mode counts as slow."""


@dataclass(frozen=True, eq=False, repr=False)
class Frame(Floored):
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
    """Nodes, or slabs at their centre of mass, to constant forces: three [N], or six with moments [N·m]."""
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
    _asked: Any = field(default=None, init=False, repr=False, compare=False)
    """`outputs` as they were asked for: rows belong to one frame, and copies have others."""

    def __post_init__(self) -> None:
        self._take_name()
        put = object.__setattr__
        put(self, "nodes", taken_nodes(self.nodes, self.owner))
        for given, kind in (("members", Member), ("springs", Spring), ("diaphragms", Diaphragm), ("links", Link)):
            put(self, given, taken_list(given, getattr(self, given), kind, self.owner))
        if self.plane is not None and (not isinstance(self.plane, str) or self.plane not in PLANES):
            raise UnknownNameError(f"plane of {self.owner}:", self.plane, PLANES)
        for switch in ("lumped", "rotary"):
            refuse_no_switch(switch, self.owner, getattr(self, switch))
        put(self, "supports", taken_supports(self.supports, self.nodes, self.owner))
        put(
            self,
            "masses",
            taken_values("masses", self.masses, self.nodes, self.owner, unit="kg", turning="kg*m^2", positive=True),
        )
        put(self, "loads", self._loads_of(self.loads))
        put(self, "gravity", self._gravity_of(self.gravity))
        self._refuse_what_does_not_fit()
        refuse_mechanisms(self._assembled, self.owner, stressed=self.gravity is not None or self._pretensioned)
        asked = self.outputs
        put(self, "_asked", MappingProxyType(dict(asked)) if isinstance(asked, Mapping) else asked)
        put(self, "outputs", kept_rows(self))
        self._take_damping(len(self.dof_names))
        if not self.large:
            self.modes()  # refuses what cannot be

    @classmethod
    def moment_frame(
        cls, *, storeys: Any, bays: Any, columns: Any, beams: Any, material: Material, rows: Any = (),
        slab: Any = None, supports: Any = "fixed", origin: Any = (0.0, 0.0, 0.0), setbacks: Any = None, **more: Any,
    ) -> Frame:  # fmt: skip
        """Return a regular frame with rigid joints.

        `storeys` are storey heights, bottom to top, `bays` the distances of columns along x and `rows` along y [m];
        without rows the frame is plane. `columns` and `beams` are a `Section` each, or one for every storey. `slab` is
        what a rigid slab weighs on each floor, members apart [kg/m²], of a plane frame [kg/m]; None: no slab.
        Nodes are called ``"i-j-level"``, from 0, slabs ``"floor 1"`` and so on. `origin` is the foot of the first
        column. `setbacks` are storeys from which fewer bays or rows go on: ``{4: {"bays": (1, 2), "rows": (1, 1)}}``,
        first and last, counted from 1. `more` goes to `Frame`: damping, gravity, name.

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
        parts = moment_frame_parts(storeys, bays, rows, columns, beams, material, slab, supports, origin, setbacks)
        return cls(**(parts | more))

    # the contract --------------------------------------------------------------------------------------

    @property
    def dof_names(self) -> tuple[str, ...]:
        """Degrees of freedom that carry mass: ``"node ux"``, ``"slab rz"`` …"""
        return tuple(self._assembled.names[i] for i in self._condensed.kept)

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
        return frozen(self._assembled.influence[self._condensed.kept])

    @cached_property
    def points(self) -> Mapping[str, Location]:
        """The nodes that can move, by name."""
        found = {}
        for i, (name, position) in enumerate(self.nodes.items()):
            at = slice(6 * i, 6 * i + 3)
            if self._motions[at].any():
                found[name] = self._point(position, operator.itemgetter(at))
        return MappingProxyType(found)

    def location(self, place: object = None) -> Location | None:
        """Return a node, a point of a slab ``("slab", (x, y))``, or of a member ``("column", 0.4)``, from its start.

        A number is that of a slab, from 1 at the bottom: its centre of mass. Facing slabs say ``(2, (x, y))`` for a
        point of the second, and ``(4.5, "column")`` for a member at a height.
        """
        if isinstance(place, (int, float, np.integer)) and not isinstance(place, bool):
            if isinstance(place, float) or not 1 <= place <= len(self._floors):
                raise refusal("place", self.owner, self._place_rule(), place)
            return self._slab_point(slab := self._floors[int(place) - 1], centre_of(slab, self.nodes))
        if isinstance(place, tuple) and len(place) == 2 and isinstance(place[0], (int, float)):
            level, where = place
            if isinstance(level, float) and where in self._by_name:
                return self._member_point(where, share_at(self._by_name[where], self.nodes, level))
            if isinstance(where, str):
                return super().location(where)
            if isinstance(level, int) and 1 <= level <= len(self._floors):
                return self._slab_point(self._floors[level - 1], where)
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
        if storey_of(place) is not None:
            return super().place_name(place)
        if isinstance(place, tuple) and is_force(place):
            return "{} {} at the {}".format(*place)
        if isinstance(place, tuple) and len(place) == 2 and isinstance(place[0], (int, float)):
            level, where = place
            if isinstance(where, str):
                return f"{where} at {level:g} m" if isinstance(level, float) else where
            place = (self._floors[int(level) - 1].name, where)
        if isinstance(place, tuple) and len(place) == 2 and isinstance(place[0], str):
            name, where = place
            return f"{name} at {where:g}" if name in self._by_name else f"{name} ({where[0]:g}, {where[1]:g})"
        return super().place_name(place)

    def row(self, place: object = None) -> Array:
        """Return r with u(place) = r·u; a member force is ``("column", "my", "start")``.

        Of every node each displacement has its name, ``"b ux"``, in a slab or not, with a mass or not.
        """
        if isinstance(place, tuple) and len(place) == 3 and all(isinstance(word, str) for word in place):
            return self.member_force(*place)
        if (at := self._displacement(place)) is not None:
            return frozen(self._motions[at])
        if isinstance(place, (int, float)) and not isinstance(place, bool):
            point = self.location(place)
            assert point is not None
            return frozen(point.rows[0])
        return super().row(place)

    def read(self, place: object = None, direction: object = None) -> Reading:
        """Return what is read at a place; displacements of nodes ride on the ground as points do."""
        if direction is None and (at := self._displacement(place)) is not None:
            return Reading(frozen(self._motions[at]), frozen(np.eye(6)[at % 6, :3]))
        if direction is None and isinstance(place, Mapping) and place:
            weights = [number(w, "", name=f"weight of {one!r}", owner=self.owner) for one, w in place.items()]
            parts = [self.read(one) for one in place]
            row = np.einsum("i,ij->j", weights, np.array([part.row for part in parts]))
            return Reading(frozen(row), frozen(np.array(weights) @ np.array([part.share for part in parts])))
        return super().read(place, direction)

    def output_unit(self, name: str) -> str:
        """Return the unit of one of `outputs` by its name: that of the place which was asked for under it."""
        return self.unit_of(self._asked[name] if isinstance(self._asked, Mapping) and name in self._asked else name)

    def unit_of(self, place: object = None) -> str:
        """Return the unit of what is read at a place: m, rad, and of forces N or N·m."""
        if isinstance(place, tuple) and is_force(place):
            return "N m" if place[1] in ("t", "my", "mz") else "N"
        return super().unit_of(place)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some parameters changed; its outputs are read afresh on what it then is."""
        return super().replace(**({"outputs": self._asked} | changes))

    def wireframe(self) -> Wireframe:
        """Return how the frame is drawn: its members, and slabs or else nodes at one height as levels."""
        return self._wireframe

    # what frames can do beside -------------------------------------------------------------------------

    def static(self, loads: Mapping[str, Any] | None = None, *, gravity: Any = None) -> Static:
        """Return displacements, member forces and reactions under constant loads.

        By default those that the frame has: `loads`, `gravity`, and the loads of its members.
        """
        taken = self.loads if loads is None else self._loads_of(loads)
        refuse_values_beside("loads", taken, self.plane, self._turnless, self.owner)
        pull = (self.gravity if gravity is None else self._gravity_of(gravity)) or 0.0
        forces, fixed = loads_of(self.nodes, self.members, self.diaphragms, taken, self._weights, pull, self._assembled)
        return static(self.nodes, self.supports, self._assembled, forces, fixed)

    def member_force(self, member: str, force: str, end: str = "start") -> Array:
        """Return the row of a force that a node has on an end of a member, in local axes: n, vy, vz, t, my, mz.

        It is the part that follows from displacements, without what rest holds already (`static`). The forces are
        those on the member: n is negative at the start of a member in tension.
        """
        if not isinstance(member, str) or member not in self._by_name:
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

    def mode_displacements(self, mode: int) -> dict[str, Array]:
        """Return what nodes do in a mode, from 1, of modal mass one: ux, uy, uz, rx, ry, rz of each."""
        if not isinstance(mode, (int, np.integer)) or not 1 <= mode <= len(self.dof_names):
            raise refusal("mode", self.owner, f"must be a whole number in 1…{len(self.dof_names)}", mode)
        moved = (self._motions @ self.modes().shapes[:, mode - 1]).reshape(-1, 6)
        return dict(zip(self.nodes, moved, strict=True))

    def wires(self, moved: Mapping[str, Array] | None = None, *, parts: int = 12) -> dict[str, Array]:
        """Return the axes of members as `parts` straight pieces, at rest, or `moved` by displacements of nodes.

        Between its ends a beam bends by its shape functions: as it does without a load along it. Shape (parts + 1, 3).
        """
        return {name: wire(self._by_name[name], spot, self.nodes, moved, parts)
                for name, spot in self._assembled.placed.items()}  # fmt: skip

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

    def _displacement(self, place: object) -> int | None:
        """Return where a displacement such as ``"b ux"`` stands among those of all nodes."""
        node, _, way = place.rpartition(" ") if isinstance(place, str) else ("", "", "")
        return 6 * self._node_numbers[node] + WAYS.index(way) if node in self._node_numbers and way in WAYS else None

    @cached_property
    def _wireframe(self) -> Wireframe:
        return wireframe_of(
            self.nodes, self.members, self.links, self.diaphragms, self._motions, self._assembled.placed
        )

    @cached_property
    def _node_numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.nodes)}

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

    def _loads_of(self, given: Any) -> Mapping[str, Array]:
        """Take loads at nodes, and at centres of mass of slabs."""
        names = {
            **self.nodes,
            **{slab.name: self.nodes[slab.nodes[0]] for slab in self.diaphragms if slab.nodes[0] in self.nodes},
        }
        found = taken_values("loads", given, names, self.owner, unit="N", turning="N*m", positive=False)
        refuse_loads_across_slabs(found, self.diaphragms, self.owner)
        return found

    def _gravity_of(self, given: Any) -> float | None:
        """Take an acceleration, or True and False."""
        if given is None or given is False:
            return None
        asked = STANDARD_GRAVITY if given is True else given
        return number(asked, "m/s^2", name="gravity", owner=self.owner, within=NONNEGATIVE)

    def _refuse_what_does_not_fit(self) -> None:
        refuse_loose_ends(
            self.nodes, self.members, self.supports, self.springs, self.diaphragms, self.links, self.plane, self.owner
        )
        if self.plane is not None:
            refuse_out_of_plane(self.nodes, self.members, self.springs, self.gravity, self.plane, self.owner)
        refuse_values_beside("loads", self.loads, self.plane, self._turnless, self.owner)
        refuse_too_many(self.nodes, self.supports, self.diaphragms, self.links, self.plane, self.owner)

    @cached_property
    def _turnless(self) -> Mapping[str, frozenset[str]]:
        """The rotations that nothing knows of: of nodes where only trusses and cables meet."""
        return turnless(self.nodes, self.members, self.masses, self.springs, self.links)

    @property
    def _pretensioned(self) -> bool:
        return any(member.pretension for member in self.members)

    def _put_together(self, tensions: Mapping[str, float]) -> Assembled:
        none: frozenset[str] = frozenset()
        held = {
            node: self.supports.get(node, none) | self._turnless.get(node, none)
            for node in self.supports.keys() | self._turnless.keys()
        }
        return assembled(
            self.nodes, self.members, held, self.masses, self.springs, self.diaphragms, self.links,
            plane=self.plane, lumped=self.lumped, rotary=self.rotary, tensions=tensions,
        )  # fmt: skip

    @cached_property
    def _assembled(self) -> Assembled:
        plain = self._put_together({})
        if self.gravity is None:
            return plain
        refuse_mechanisms(plain, self.owner, stressed=self._pretensioned)
        forces, fixed = loads_of(
            self.nodes, self.members, self.diaphragms, self.loads, self._weights, self.gravity, plain
        )
        rest = static(self.nodes, self.supports, plain, forces, fixed)
        return self._put_together({name: rest.tension(name) for name in self._by_name})

    @cached_property
    def _condensed(self) -> Condensed:
        return condensed_frame(self._assembled, self.owner)

    @cached_property
    def _motions(self) -> Array:
        """Displacements of all nodes from the degrees of freedom, shape (6N, dofs)."""
        found: Array = self._assembled.expand @ self._condensed.recover
        return found

    @cached_property
    def _borne(self) -> Array | None:
        """The same, of degrees of freedom with mass by themselves; None where all have mass."""
        kept, left = self._condensed.kept, self._condensed.left
        return np.asarray(self._assembled.expand[:, kept].toarray()) if left.size else None

    def _point(self, position: Sequence[float] | Array, read: Callable[[Array], Array]) -> Location:
        """Return a point by what it reads of the displacements of nodes."""
        borne = None if self._borne is None else frozen(read(self._borne))
        x, y, z = map(float, position)
        return Location((x, y, z), frozen(read(self._motions)), borne)

    def _slab_point(self, slab: Diaphragm, where: Any) -> Location:
        at = array(where, "m", name="place", owner=self.owner)
        if at.shape != (2,):
            raise refusal("place", f"slab '{slab.name}' of {self.owner}", "must be x and y", where)
        i = 6 * self._node_numbers[slab.nodes[0]]
        position, rows = slab_point(slab, at, self.nodes)
        return self._point(position, lambda motions: rows @ motions[i : i + 6])

    def _member_point(self, name: str, where: Any) -> Location:
        share = number(where, "", name="place", owner=f"member '{name}' of {self.owner}")
        if not 0.0 <= share <= 1.0:
            raise refusal("place", f"member '{name}' of {self.owner}", "must lie in [0, 1], from start to end", where)
        position, rows = point_of(self._by_name[name], spot := self._assembled.placed[name], self.nodes, share)
        return self._point(position, lambda motions: rows @ motions[spot.at])

    def _place_rule(self) -> str:
        what = 'a member with a share of its length, or a force ("c1", "my", "end")'
        return f"must be a node, a slab with (x, y) or its number, {what}"

    def __repr__(self) -> str:
        label = f" '{self.name}'" if self.name else ""
        return f"<Frame{label}: {len(self.nodes)} nodes, {len(self.members)} members, {len(self.dof_names)} dofs>"
