"""The contract of a linear structure: its matrices, its modes, and where on it something can be touched.

Displacements are relative to the structure's own ground:

    M ü + C u̇ + K u = −M ι a_g(t) + p + contact forces

ι and a_g have three components, x, y and z. C is damping that leaves the modes uncoupled, plus dashpots: rows and
constants. A structure states its matrices; everything else follows here. A building does not know it has a neighbour.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy import linalg

from carom.errors import InputError, UnknownNameError, refusal
from carom.joints import Joint
from carom.plain_text import refuse_controls
from carom.registry import late
from carom.structures.by_fields import ByFields
from carom.structures.damping import Damping, Viscous
from carom.structures.drawing.drawn_modes import DrawnModes, drawn_modes, modal_row
from carom.structures.drawing.wireframe import Wireframe, of_points
from carom.structures.matrices import Array, frozen, symmetric
from carom.structures.points import ALONG_X, Location, Reading, direction_of
from carom.structures.stacked import StackedModes, as_numbers, value_at
from carom.structures.storeys import Storeys, storey_of
from carom.units import Range, number

if TYPE_CHECKING:
    from carom.structures.lowest_modes import LargeMatrices
    from carom.structures.reduced import ReducedStructure

__all__ = ["LinearStructure", "Modes", "one_of", "upright"]

MOST_DENSE = 1500
"""Degrees of freedom, up to which all modes are found together; of larger structures those wanted, by shift-invert."""
RIGID = 1e-12
"""Eigenvalues below this share of the largest are rounding of zero: rigid modes."""


class Modes(NamedTuple):
    """Undamped modes, lowest first, scaled to modal mass one."""

    omega: Array
    """Circular frequencies [rad/s], shape (modes,); exactly 0 for rigid modes."""
    shapes: Array
    """Mode shapes Φ [kg^-½], shape (dofs, modes), ΦᵀMΦ = 1; the largest entry of each is positive."""
    sigma: Array
    """Rates of decay σ = ζω [1/s], shape (modes,); half the diagonal of ΦᵀCΦ, dashpots left out, where damping
    couples the modes."""


class LinearStructure(ByFields, Storeys, ABC):
    """Anything that moves linearly between contacts. Subclasses are frozen dataclasses with a `name`."""

    name: str
    rigid: ClassVar[bool] = False
    """Whether every point of it moves alike."""
    line: ClassVar[bool] = False
    """Whether all of it moves along x, and every place but weights is a point of it."""
    turning: ClassVar[bool] = False
    """Whether it turns by more than a little, in plan: a deck. Contacts and bearings then move with it."""
    spatial: ClassVar[bool] = False
    """Whether it does so in space: a rigid body, a girder."""
    massive: bool = True
    """Whether a contact force moves it; a wall fixed in space has a motion but no mass to speak of."""

    # what a structure must say -------------------------------------------------------------------------

    @property
    @abstractmethod
    def dof_names(self) -> tuple[str, ...]:
        """Names of the degrees of freedom, floors upwards."""

    @property
    @abstractmethod
    def mass_matrix(self) -> Array:
        """M [kg], shape (dofs, dofs)."""

    @property
    @abstractmethod
    def stiffness_matrix(self) -> Array:
        """K [N/m], shape (dofs, dofs)."""

    @abstractmethod
    def _damping(self) -> Damping | Viscous: ...

    # what most leave as it is --------------------------------------------------------------------------

    @cached_property
    def influence(self) -> Array:
        """ι, shape (dofs, 3): the displacement of each degree of freedom per unit of ground displacement in x, y, z."""
        found = np.zeros((len(self.dof_names), 3))
        found[:, 0] = 1.0
        return frozen(found)

    @property
    def load(self) -> Array:
        """Constant forces p [N], shape (dofs,)."""
        return frozen(np.zeros(len(self.dof_names)))

    @property
    def springs(self) -> tuple[tuple[Array, Joint], ...]:
        """Joints that act beyond K: for each the rows of its deformation, shape (n, dofs), and its rule."""
        return ()

    @property
    def joints(self) -> tuple[tuple[Array, Joint], ...]:
        """The same, as engines read it: of a frame, whose `springs` are linear and part of K, none."""
        return self.springs

    @property
    def dashpots(self) -> tuple[tuple[Array, float], ...]:
        """Dashpots beyond classical damping: for each a row r and a constant c [N·s/m], with the force c r·u̇ on r."""
        return ()

    @property
    def outputs(self) -> Mapping[str, Array] | None:
        """The rows whose histories and peaks results keep, by name; None: every degree of freedom."""
        return None

    @property
    def points(self) -> Mapping[str, Location]:
        """The points that have a name."""
        return {}

    def location(self, place: object = None) -> Location | None:
        """Return the point at a place; None where the place is a degree of freedom or weights, and no point."""
        return self.points.get(place) if isinstance(place, str) else None

    def place_name(self, place: object) -> str:
        """Return what a place is called behind the structure's name: ``"floor 3"``, ``"at 7.5 m"``."""
        names = self.dof_names
        if (storey := storey_of(place)) is not None:
            return storey.name
        if isinstance(place, (int, np.integer)) and 1 <= place <= len(names):
            return names[place - 1]
        if isinstance(place, str) and (place in names or place in self.points or place.startswith("mode ")):
            return place
        if isinstance(place, Mapping):
            place = " + ".join(f"{weight} {dof}" for dof, weight in place.items()).replace("+ -", "− ")
        return f"at {place:g} m" if isinstance(place, float) else f"at {place}"

    @property
    def floors(self) -> int:
        """Number of slabs; 0 where the structure has no such notion."""
        return 0

    @property
    def floor_heights(self) -> tuple[float, ...] | None:
        """Heights of the slabs above ground [m], where they are known."""
        return None

    @property
    def slab_heights(self) -> tuple[float, ...] | None:
        """Heights of what faces neighbours [m]; of frames those of rigid slabs, which are no degrees of freedom."""
        return self.floor_heights

    def outline(self, level: int | float) -> Array | None:
        """Return the corners of a slab in plan [m], counter-clockwise, at a floor or a height; None: it has no plan."""
        return None

    def place_at(self, level: int | float, x: float, y: float) -> tuple[int | float, object]:
        """Return how a contact names the point of a slab that stands at x and y."""
        raise NotImplementedError(f"{self.owner} has no plan.")

    def wireframe(self) -> Wireframe | None:
        """Return how it is drawn in space; None where it moves along x alone, or its points have no coordinates."""
        return None if self.line else of_points(self.points)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some parameters changed."""
        return dataclasses.replace(self, **changes)  # type: ignore[type-var]

    def stacked(self, count: int, changes: Mapping[str, Sequence[Any]]) -> StackedModes | None:
        """Return the modes of many structures like this one, each with its own value of every field in `changes`.

        None means that each must be made by `replace`. A kind of structure that can work out many as arrays does so
        for fields that change no place of it, and refuses what `replace` would; whoever derives from it and has other
        modes answers for itself.
        """
        return None

    @property
    def large(self) -> bool:
        """Whether its modes are too many to be found all together; they are, where they are asked for."""
        return len(self.dof_names) > MOST_DENSE

    @cached_property
    def large_matrices(self) -> LargeMatrices:
        """Its matrices as those of a large structure, of which only the lowest modes are sought."""
        made = late("carom.structures.lowest_modes:LargeMatrices")  # loads sparse algebra
        found: LargeMatrices = made(self.stiffness_matrix, self.mass_matrix)
        return found

    # what every structure can then do ------------------------------------------------------------------

    def row(self, place: object = None) -> Array:
        """Return r, shape (dofs,), with u(place) = r·u.

        `place` is the name of a degree of freedom, its number from 1 (the number of a floor), a mapping from such names
        to weights, or nothing where there is only one; also ``"mode 3"``, one of the lowest modes, scaled to a largest
        component of one. `read` knows points and directions, too.
        """
        if (modal := modal_row(self, place)) is not None:
            return modal
        dofs = self.dof_names
        result = np.zeros(len(dofs))
        if place is None:
            if len(dofs) != 1:
                raise refusal(
                    "place", self.owner, "must be said", place, f"It has {_listed(dofs)}: give one beside its name."
                )
            result[0] = 1.0
        elif isinstance(place, str):
            if place not in dofs:
                raise UnknownNameError(f"place on {self.owner}:", place, dofs)
            result[dofs.index(place)] = 1.0
        elif isinstance(place, Mapping):
            for dof, weight in place.items():
                result += number(weight, "", name=f"weight of {dof!r}", owner=self.owner) * self.row(dof)
        elif isinstance(place, (int, np.integer)) and not isinstance(place, bool):
            if not 1 <= place <= len(dofs):
                what = "floor" if self.floors else "place"
                raise refusal(
                    what, self.owner, f"must lie in 1…{len(dofs)}", place, "The first slab above ground is 1."
                )
            result[place - 1] = 1.0
        else:
            raise refusal("place", self.owner, self._place_rule(), place)
        return frozen(result)

    def read(self, place: object = None, direction: object = None) -> Reading:
        """Return what is read at a place along a direction: its row, and its share of the ground's motion.

        A point is read along `direction`, x by default. Degrees of freedom and weights have their direction already;
        their share of the ground is r·ι. Of storeys it reads drifts and shears, ``("drift", 3)``.
        """
        if (storey := storey_of(place)) is not None:
            return storey.read(self, direction)
        if direction is None and (modal := modal_row(self, place)) is not None:
            return Reading(modal, frozen(modal @ self.influence))
        if direction is None and self.line and not isinstance(place, Mapping):  # the usual case, without its point
            return Reading(self.row(place), ALONG_X)
        location = self.location(place)
        if location is not None:
            along = direction_of("x" if direction is None else direction, self.owner)
            return Reading(frozen(along @ location.rows), along)
        if direction is not None:
            self.row(place)  # refuses what is no place at all
            raise refusal(
                "direction", self.owner, "must be left out where a place is a degree of freedom, or weights", direction,
                "They say already how the place moves. Name a point to read it along a direction.",
            )  # fmt: skip
        row = self.row(place)
        return Reading(row, frozen(row @ self.influence))

    def borne(self, place: object = None, direction: object = None) -> Array:
        """Return the part of the row at a place that degrees of freedom with mass have by themselves, shape (dofs,)."""
        location = None if isinstance(place, Mapping) else self.location(place)
        if location is not None and location.borne is not None:
            found: Array = direction_of("x" if direction is None else direction, self.owner) @ location.borne
            return found
        return self.read(place, direction).row

    def mobility(self, row: Array) -> float:
        """Return r M⁻¹ rᵀ [1/kg]: the inverse of the mass that a contact force on that row feels."""
        if not self.massive or not row.size:
            return 0.0
        if self._lumped is not None:
            return float(np.sum(row**2 / self._lumped))
        return float(row @ linalg.cho_solve(self._mass_factor, row))

    @cached_property
    def _lumped(self) -> Array | None:
        """The diagonal of M, where nothing stands beside it: asked for by every contact."""
        mass = self.mass_matrix
        diagonal = np.diag(mass)
        return diagonal.copy() if np.array_equal(mass, np.diag(diagonal)) else None

    @cached_property
    def _mass_factor(self) -> tuple[Array, bool]:
        """M factored: asked for by every contact where M is full."""
        factored: tuple[Array, bool] = linalg.cho_factor(self.mass_matrix)
        return factored

    def modes(self) -> Modes:
        """Return the undamped modes with their rates of decay."""
        return self._modes

    @cached_property
    def lowest_modes(self) -> DrawnModes:
        """The lowest modes, scaled to a largest component of one: those of pictures."""
        return drawn_modes(self)

    def reduced(
        self, places: Sequence[Any] = (), cutoff: float | str | None = None, *, shapes: object = None
    ) -> ReducedStructure:
        """Return this structure by its modes up to a cut-off [Hz], exact at the places where forces act.

        Places are those of contacts, without the name of the structure: ``[3, "roof", ("corner", "y")]``. A point
        without a direction counts along every one. What is kept beside the modes is told by `ReducedStructure`; a
        problem finds the cut-off that its contacts need by itself (`Problem.reduced`).
        """
        found: ReducedStructure = late("carom.structures.reduced:ReducedStructure")(self, places, cutoff, shapes)
        return found

    @cached_property
    def modal_damping(self) -> Array:
        """ΦᵀCΦ [1/s], shape (modes, modes), dashpots included; diagonal, 2σ, where damping is classical."""
        _, shapes, damping = self._analysis
        return frozen(damping + shapes.T @ self._dashpot_matrix @ shapes if self.dashpots else damping)

    @cached_property
    def coupling(self) -> Array:
        """What ΦᵀCΦ has beside its diagonal [1/s], dashpots left out; shape (modes, modes)."""
        damping = self._analysis[2]
        return frozen(damping - np.diag(np.diag(damping)))

    @cached_property
    def classical(self) -> bool:
        """Whether damping leaves the modes uncoupled."""
        return not self.dashpots and (len(self.dof_names) < 2 or not self.coupling.any())

    @cached_property
    def damping_matrix(self) -> Array:
        """C [N·s/m], shape (dofs, dofs), dashpots included."""
        given = self._damping()
        if isinstance(given, Viscous):
            return frozen(given.matrix + self._dashpot_matrix)
        momenta = self.mass_matrix @ self._modes.shapes
        return frozen(symmetric(momenta @ self._analysis[2] @ momenta.T) + self._dashpot_matrix)

    @property
    def _dashpot_matrix(self) -> Array:
        n = len(self.dof_names)
        return sum((constant * np.outer(row, row) for row, constant in self.dashpots), np.zeros((n, n)))

    @property
    def frequencies(self) -> Array:
        """Natural frequencies [Hz], lowest first."""
        return self._modes.omega / (2.0 * np.pi)

    @property
    def periods(self) -> Array:
        """Natural periods [s], longest first; infinite for rigid modes."""
        with np.errstate(divide="ignore"):
            return 1.0 / self.frequencies

    @property
    def owner(self) -> str:
        """Kind and name, as refusals say it."""
        return f"{type(self).__name__} '{self.name}'" if self.name else type(self).__name__

    # inside --------------------------------------------------------------------------------------------

    def _eigen(self) -> tuple[Array, Array]:
        """Return ω (ascending) and Φ, mass-normalised."""
        squares, shapes = linalg.eigh(self.stiffness_matrix, self.mass_matrix)
        largest = np.abs(squares).max()
        if squares[0] < -RIGID * largest:
            raise refusal(
                "stiffness_matrix", self.owner, "must not be negative in any direction (ω² ≥ 0)", float(squares[0])
            )
        return np.sqrt(np.where(squares <= RIGID * largest, 0.0, squares)), shapes

    @cached_property
    def _analysis(self) -> tuple[Array, Array, Array]:
        """ω, Φ and ΦᵀCΦ, with Φ turned within repeated frequencies so that C is diagonal there."""
        omega, shapes = self._eigen()
        given = self._damping()
        if isinstance(given, Viscous):
            matrix = given.matrix
            for group in _repeated(omega):
                turn = linalg.eigh(shapes[:, group].T @ matrix @ shapes[:, group])[1]
                shapes[:, group] = shapes[:, group] @ turn
        shapes = upright(shapes)
        if not isinstance(given, Viscous):
            return omega, shapes, np.diag(2.0 * given.rates(omega, self.owner))
        return omega, shapes, self._reduced(shapes.T @ given.matrix @ shapes)

    def _reduced(self, damping: Array) -> Array:
        """Return ΦᵀCΦ, with off-diagonal entries that are only rounding set to zero; refuse a C that feeds energy."""
        damping = symmetric(damping)
        largest = np.abs(damping).max()
        if linalg.eigvalsh(damping)[0] < -1e-10 * largest:
            raise refusal(
                "damping", self.owner, "must not be negative in any direction", float(linalg.eigvalsh(damping)[0]),
                "It would feed energy into the structure.",
            )  # fmt: skip
        diagonal = np.maximum(np.diag(damping), 0.0)
        scale = np.sqrt(np.outer(diagonal, diagonal))
        coupled = np.abs(damping) > 1e-10 * scale + 1e-14 * damping.shape[0] * largest
        np.fill_diagonal(coupled, False)
        return damping if coupled.any() else np.diag(diagonal)

    @cached_property
    def _modes(self) -> Modes:
        omega, shapes, damping = self._analysis
        return Modes(frozen(omega), frozen(shapes), frozen(0.5 * np.diag(damping)))

    def _taken(self, changes: Mapping[str, Sequence[Any]], ranges: Mapping[str, Range]) -> dict[str, Array] | None:
        """Return `changes` as arrays; None where some field is not in `ranges`, or has other values than numbers.

        The first value out of its range is refused by the structure that it would make.
        """
        found: dict[str, Array] = {}
        for name, values in changes.items():
            numbers = as_numbers(values) if name in ranges else None
            if numbers is None:
                return None
            found[name] = numbers
        sound = (np.isfinite(numbers) & ranges[name].inside(numbers) for name, numbers in found.items())
        return found if all(self._all_sound(changes, which) for which in sound) else None

    def _all_sound(self, changes: Mapping[str, Sequence[Any]], sound: npt.NDArray[np.bool_]) -> bool:
        """Return whether many structures are sound, shape (S, …); the first that is not refuses in its own words."""
        if not sound.all():
            i = int(np.argwhere(~sound)[0, 0])
            self.replace(**{name: value_at(values, i) for name, values in changes.items()})
        return bool(sound.all())

    def _place_rule(self) -> str:
        return f"must be one of {_listed(self.dof_names)}, or a number from 1"

    def _take_name(self) -> None:
        if not isinstance(self.name, str):
            raise refusal("name", type(self).__name__, "must be text", self.name)
        refuse_controls(self.name, "name", type(self).__name__)
        object.__setattr__(self, "name", self.name.strip())


def upright(shapes: Array) -> Array:
    """Return mode shapes, (…, dofs, modes), with signs such that the largest entry of each is positive."""
    down = shapes.max(axis=-2, keepdims=True, initial=0.0) < -shapes.min(axis=-2, keepdims=True, initial=0.0)
    found: Array = shapes * np.where(down, -1.0, 1.0)
    return found


def one_of(owner: str, **choices: object) -> str:
    """Return the name of the only choice that was given; refuse none and several."""
    given = [name for name, value in choices.items() if value is not None]
    if len(given) != 1:
        names = ", ".join(f"`{name}`" for name in choices)
        raise InputError(f"{owner} needs exactly one of {names}. Got {', '.join(given) or 'none'}.")
    return given[0]


def _repeated(omega: Array) -> list[slice]:
    """Return the runs of equal frequencies, ω ascending."""
    if omega.size < 2:
        return []
    breaks = np.flatnonzero(np.diff(omega) > 1e-10 * omega[1:]) + 1
    edges = [0, *breaks.tolist(), omega.size]
    return [slice(i, j) for i, j in pairwise(edges) if j - i > 1]


def _listed(names: tuple[str, ...]) -> str:
    shown = names if len(names) <= 6 else (*names[:3], "…", names[-1])
    return ", ".join(name if name == "…" else f"'{name}'" for name in shown)
