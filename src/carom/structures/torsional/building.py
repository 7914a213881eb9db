"""Rigid slabs on storeys that shear and twist: x, y and a rotation on each floor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from carom.errors import refusal
from carom.structures.base import upright
from carom.structures.damping import Damping
from carom.structures.matrices import Array, frozen, symmetric
from carom.structures.stacked import StackedModes
from carom.structures.torsional import take
from carom.structures.torsional.plan import Plan
from carom.structures.torsional.slabs import Slabs
from carom.structures.torsional.storeys import Storeys, modal_factors, modes_of, storey_of
from carom.units import NONNEGATIVE, POSITIVE, number

__all__ = ["TorsionalBuilding"]

ACCIDENTAL = 0.05
"""Accidental eccentricity of EN 1998-1, 4.3.2: a share of the slab's dimension across the action."""
_STIFFNESSES = {"stiffnesses_x": "N/m", "stiffnesses_y": "N/m", "torsional_stiffnesses": "N*m"}
_RANGES = {"masses": POSITIVE, "inertias": POSITIVE, "radii": POSITIVE, "damping_ratio": NONNEGATIVE}
_RANGES |= dict.fromkeys(_STIFFNESSES, POSITIVE)
"""Of the fields that many buildings may have as arrays."""


@dataclass(frozen=True, eq=False, repr=False)
class TorsionalBuilding(Slabs):
    """A building whose slabs move along x and y and turn about the vertical axis.

    Storey i joins floor i to floor i−1 (the ground for i = 1). It resists along x and y at its centre of stiffness, and
    turning about the vertical axis through that centre. Where centres of mass and of stiffness differ, the building
    turns when it is shaken. Lists go bottom to top; a single value serves all floors.

    Plan coordinates are the building's own: a rectangle reaches from (0, 0) to (`width`, `depth`), x to the east and y
    to the north. `origin` and `angle` place them in the world, whose x and y are those of ground motion, directions
    and degrees of freedom: ``"floor 2 ux"`` and ``"floor 2 uy"`` of the floor's centre of mass, and ``"floor 2 rz"``
    counter-clockwise, seen from above.

    Examples
    --------
    >>> import carom
    >>> tower = carom.TorsionalBuilding(
    ...     masses=["200 t"] * 3, stiffnesses_x="300 MN/m", stiffnesses_y="250 MN/m", torsional_stiffnesses="20 GN m",
    ...     width="12 m", depth="18 m", centres_of_mass=("6.5 m", "9 m"), damping_ratio=0.05, name="tower",
    ... )
    >>> tower.dof_names[:3]
    ('floor 1 ux', 'floor 1 uy', 'floor 1 rz')
    >>> tower.periods.round(3)[:3]
    array([0.401, 0.365, 0.278])
    >>> tower.read((3, "ne"), "x").row[-3:]
    array([ 1.,  0., -9.])
    """

    masses: Any = None
    """Floor masses [kg], > 0."""
    stiffnesses_x: Any = None
    """Storey stiffnesses along the building's x [N/m], > 0."""
    stiffnesses_y: Any = None
    """Storey stiffnesses along the building's y [N/m], > 0."""
    torsional_stiffnesses: Any = None
    """Storey stiffnesses about the vertical axis through the storey's own centre of stiffness [N·m], > 0."""
    width: Any = None
    """Of rectangular slabs, along the building's x [m], > 0."""
    depth: Any = None
    """Of rectangular slabs, along the building's y [m], > 0."""
    plan: Any = None
    """Instead of a rectangle: vertices in plan coordinates [m], corner after corner; for slabs that differ a list of
    such lists, one for each floor."""
    radii: Any = None
    """Radii of gyration of the floors about their centres of mass [m], > 0; by default those of uniform slabs."""
    inertias: Any = None
    """Instead of `radii`: moments of inertia about the vertical axis through the centre of mass [kg·m²], > 0."""
    centres_of_mass: Any = None
    """In plan coordinates [m], one for all floors or a list; by default the centroid of each slab."""
    centres_of_stiffness: Any = None
    """In plan coordinates [m], one for all storeys or a list; by default the centroid of the slab above."""
    columns: Any = None
    """Instead of the stiffnesses and their centres: columns and walls, ``(x, y, kx, ky)`` or ``(x, y, kx, ky, kz)`` in
    plan coordinates [m], N/m and, about their own axis, N·m; for storeys that differ a list of such lists."""
    accidental_x: Any = 0.0
    """Accidental eccentricity: every mass is shifted along the building's x by this share of its slab's dimension."""
    accidental_y: Any = 0.0
    """The same along the building's y."""
    origin: Any = (0.0, 0.0)
    """Where (0, 0) of the plan stands in the world [m]."""
    angle: Any = 0.0
    """How far the plan is turned in the world, counter-clockwise [rad]."""
    heights: Any = None
    """Heights of the slabs above ground [m], increasing; a single value is the height of every storey."""
    damping_ratio: float | tuple[float, ...] | None = None
    """ζ [–], ≥ 0: the same in every mode, or one per mode, lowest first."""
    damping: Damping | Array | None = None
    """`Rayleigh`, `Caughey` or a matrix C [N·s/m] over the degrees of freedom."""
    name: str = ""

    def __post_init__(self) -> None:
        self._take_name()
        take.refuse_missing(self)
        n = take.floors_of(self)
        put = object.__setattr__
        for name, unit in (("masses", "kg"), ("inertias", "kg*m^2"), ("radii", "m"), *_STIFFNESSES.items()):
            if getattr(self, name) is not None:
                put(self, name, take.numbers(self, name, unit, n))
        for name in ("width", "depth"):
            if getattr(self, name) is not None:
                put(self, name, take.numbers(self, name, "m", n))
        put(self, "plan", take.polygons(self, n))
        for name in ("accidental_x", "accidental_y"):
            put(self, name, number(getattr(self, name), "", name=name, owner=self.owner))
        put(self, "origin", take.point(self, "origin"))
        put(self, "angle", number(self.angle, "rad", name="angle", owner=self.owner))
        put(self, "heights", take.heights(self, n))
        for name in ("centres_of_mass", "centres_of_stiffness"):
            put(self, name, take.centres(self, name, n))
        put(self, "columns", take.columns(self, n))
        take.refuse_centres_outside(self)
        if not np.isfinite(modal_factors(self._drifts, self._springs[None], self._inertia[None])).all():
            raise refusal(
                "masses, inertias, stiffnesses, plan", self.owner, "must be of sizes that numbers can hold together",
                self.floor_inertias.tolist(), "These are its moments of inertia [kg·m²].",
            )  # fmt: skip
        self._take_damping(3 * n)
        self.modes()  # refuses a damping that cannot be

    # geometry ------------------------------------------------------------------------------------------

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        """The plans of the slabs, in plan coordinates."""
        if self.plan is not None:
            return tuple(Plan(vertices) for vertices in self.plan)
        return tuple(map(Plan.of_rectangle, self.width, self.depth))

    @cached_property
    def mass_centres(self) -> Array:
        """Centres of mass in plan coordinates [m], accidental eccentricity included; shape (floors, 2)."""
        centres = [plan.centroid for plan in self.plans] if self.centres_of_mass is None else self.centres_of_mass
        shift = [plan.extent * (self.accidental_x, self.accidental_y) for plan in self.plans]
        return frozen(np.array(centres) + np.array(shift))

    @cached_property
    def storey_springs(self) -> tuple[Storeys, ...]:
        """Stiffnesses of each storey and their centre, whichever way they were given."""
        if self.columns is not None:
            return tuple(storey_of(np.array(columns)) for columns in self.columns)
        centres = self.centres_of_stiffness
        if centres is None:
            centres = [plan.centroid for plan in self.plans]
        stiffnesses = zip(self.stiffnesses_x, self.stiffnesses_y, self.torsional_stiffnesses, strict=True)
        return tuple(Storeys(*k, (float(x), float(y))) for k, (x, y) in zip(stiffnesses, centres, strict=True))

    @cached_property
    def floor_inertias(self) -> Array:
        """Moments of inertia of the floors about their centres of mass [kg·m²]."""
        if self.inertias is not None:
            return frozen(np.array(self.inertias))
        radii = [plan.radius for plan in self.plans] if self.radii is None else self.radii
        return frozen(np.array(self.masses) * np.array(radii) ** 2)

    def accidental_cases(self, share: Any = ACCIDENTAL) -> Mapping[str, TorsionalBuilding]:
        """Return the building with all masses shifted by ± a share of the slab's dimension: "+x", "-x", "+y", "-y".

        EN 1998-1, 4.3.2, asks for 5 %: a shift along y goes with ground motion along x, one along x with motion along
        y. A building with accidental eccentricity of its own has the shift beside it.
        """
        by = number(share, "", name="share", owner=f"accidental_cases of {self.owner}", within=NONNEGATIVE)
        found = {}
        for axis in "xy":
            field = f"accidental_{axis}"
            for sign, word in ((1.0, "+"), (-1.0, "-")):
                found[word + axis] = self.replace(**{field: getattr(self, field) + sign * by})
        return found

    # the contract --------------------------------------------------------------------------------------

    @cached_property
    def influence(self) -> Array:
        """ι, shape (dofs, 3): centres of mass ride on the ground, rotations do not."""
        return frozen(np.tile([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]], (self.floors, 1)))

    @cached_property
    def mass_matrix(self) -> Array:
        """M, diagonal: [kg] along x and y, [kg·m²] about the vertical axis."""
        return frozen(np.diag(self._inertia))

    @cached_property
    def stiffness_matrix(self) -> Array:
        """K, block tridiagonal [N/m, N, N·m]."""
        drifts = self._drifts @ self._turned.T
        return frozen(symmetric(drifts.T @ (self._springs[:, None] * drifts)))

    def stacked(self, count: int, changes: Mapping[str, Sequence[Any]]) -> StackedModes | None:
        """Return the modes of many such buildings that differ in masses, inertias, stiffnesses or damping ratios."""
        numbers = self._taken(changes, _RANGES)
        if numbers is None or not self._shared(numbers):
            return None
        n, ratios = self.floors, numbers.pop("damping_ratio", None)
        wide = {name: values.reshape(count, -1) for name, values in numbers.items()}
        if any(values.shape[1] not in (1, n) for values in wide.values()):
            return None
        if ratios is not None and ratios.size // count not in (1, 3 * n):
            return None
        given = {name: np.broadcast_to(values, (count, n)) for name, values in wide.items()}
        inertia = self._stacked_inertia(count, given)
        springs = np.tile(self._springs, (count, 1))
        for column, name in enumerate(_STIFFNESSES):
            if name in given:
                springs[:, column::3] = given[name]
        if not np.isfinite(modal_factors(self._drifts, springs, inertia)).all():
            return None
        omega, shapes = modes_of(self._drifts, springs, inertia)
        sigma = self._stacked_rates(omega, ratios)
        if sigma is None:
            return None
        return StackedModes(omega, upright(self._turned @ shapes), sigma, inertia, np.zeros((count, 3 * n)))

    def _shared(self, changes: Mapping[str, Any]) -> bool:
        """Whether nothing that changes is given otherwise already, so that one of two would have to be refused."""
        if "damping_ratio" in changes and self.damping is not None:
            return False
        if self.columns is not None and _STIFFNESSES.keys() & changes.keys():
            return False
        said = [name for name in ("radii", "inertias") if name in changes or getattr(self, name) is not None]
        return len(said) < 2

    def _stacked_inertia(self, count: int, given: Mapping[str, Array]) -> Array:
        """Return the diagonals of M of many buildings, shape (count, dofs)."""
        masses = given.get("masses", np.tile(self.masses, (count, 1)))
        if "inertias" in given or self.inertias is not None:
            turning = given.get("inertias", np.tile(self.floor_inertias, (count, 1)))
        else:
            turning = masses * given.get("radii", np.sqrt(self.floor_inertias / self.masses)) ** 2
        return np.stack([masses, masses, turning], axis=2).reshape(count, 3 * self.floors)

    # inside --------------------------------------------------------------------------------------------

    @cached_property
    def _inertia(self) -> Array:
        """The diagonal of M."""
        return np.stack([self.masses, self.masses, self.floor_inertias], axis=1).ravel()

    @cached_property
    def _springs(self) -> Array:
        """Stiffnesses along x, along y and about the axis, storey by storey."""
        return np.array([storey[:3] for storey in self.storey_springs]).ravel()

    @cached_property
    def _drifts(self) -> Array:
        """Rows of the drifts at centres of stiffness, from displacements along the building's own axes."""
        n = self.floors
        found = np.zeros((n, 3, n, 3))
        for i, storey in enumerate(self.storey_springs):
            for floor, sign in ((i, 1.0), (i - 1, -1.0)):
                if floor >= 0:
                    x, y = np.array(storey.centre) - self.mass_centres[floor]
                    found[i, :, floor] = sign * np.array([[1.0, 0.0, -y], [0.0, 1.0, x], [0.0, 0.0, 1.0]])
        return found.reshape(3 * n, 3 * n) + 0.0  # no zeros with a sign

    @cached_property
    def _turned(self) -> Array:
        """Degrees of freedom from displacements along the building's own axes."""
        found = np.eye(3 * self.floors)
        for i in range(0, 3 * self.floors, 3):
            found[i : i + 2, i : i + 2] = self._axes
        return found

    def _eigen(self) -> tuple[Array, Array]:
        """Return ω and Φ, found along the building's own axes and turned, so that no angle changes a digit of ω."""
        omega, shapes = modes_of(self._drifts, self._springs[None], self._inertia[None])
        return omega[0], self._turned @ shapes[0]

    def __repr__(self) -> str:
        label = f" '{self.name}'" if self.name else ""
        return f"<TorsionalBuilding{label}: {self.floors} floor{'' if self.floors == 1 else 's'}>"
