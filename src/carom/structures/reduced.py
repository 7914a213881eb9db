"""A structure by few of its modes, exact where forces act.

Kept are the modes below a cut-off, and of the displacements that these leave out

- the static answer K⁻¹ rᵀ and the inertial one M⁻¹ rᵀ to a force at every place that was named: a contact meets there
  the structure's own flexibility and its own mass;
- the ground's ι, so that absolute accelerations of all points hold what the ground brings;
- the static answer to constant loads, and any shapes that are asked for.

These vectors are made orthonormal in M, to the kept modes and to each other, and K is diagonal in their span: they are
modes like others, only quick ones. What they leave out answers to forces elsewhere, and in time: between its static and
its inertial answer a mode above the cut-off swings, and here it does so with others at the frequency of a vector.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from scipy import linalg

from carom.errors import InputError, refusal
from carom.structures.base import LinearStructure, upright
from carom.structures.damping import Damping, Viscous
from carom.structures.matrices import Array, frozen, symmetric
from carom.structures.storeys import Storeys
from carom.units import POSITIVE, array, number

__all__ = ["ALL_UP_TO", "At", "ReducedStructure"]

ALL_UP_TO = 30
"""Degrees of freedom: structures with no more keep all their modes."""
DEPENDENT = 1e-9
"""Share of a vector of length one, below which what kept modes and other vectors leave of it is rounding."""


OWN = frozenset((
    "modes", "modal_damping", "coupling", "classical", "damping_matrix", "frequencies", "periods", "stacked", "reduced",
    "owner",
))  # fmt: skip
"""What follows from its own few modes; the rest of the contract of a structure is that of the one it stands for."""


class At(NamedTuple):
    """A place and the direction in which it is read; None: that which it has."""

    place: Any
    direction: Any = None


class _Basis(NamedTuple):
    """What is kept, lowest first."""

    omega: Array
    shapes: Array
    rates: Array
    """σ of each, where damping is no matrix."""
    kept: int
    """Modes of the structure among them; the others are vectors."""


@dataclass(frozen=True, eq=False, repr=False)
class ReducedStructure(LinearStructure):
    """A structure by its modes below a cut-off, and by vectors that make it exact where forces act.

    It has the places, rows, points, outputs and matrices of the structure that it stands for, but fewer modes. Damping
    ratios, Rayleigh's and Caughey's damping are taken at the frequency of every mode and vector; of ratios listed mode
    by mode a vector takes that of the mode nearest in frequency. A matrix C is projected.

    Examples
    --------
    >>> import carom
    >>> tower = carom.ShearBuilding(masses=[2e5] * 40, stiffnesses=3e8, damping_ratio=0.05, name="tower")
    >>> few = tower.reduced([20, 40], cutoff="8 Hz")
    >>> few
    <ReducedStructure 'tower': 18 of 40 modes, 5 vectors>
    """

    structure: LinearStructure
    """The structure that it stands for."""
    places: Any = ()
    """Where forces act: places of the structure, or pairs of a place and a direction, ``("corner", "y")``; a point
    without one counts along every direction in which it moves. Also rows over the degrees of freedom."""
    cutoff: Any = None
    """Modes up to this frequency are kept [Hz]."""
    shapes: Any = None
    """Displacements that are to be kept exactly beside, shape (…, dofs): those of a release, for example."""
    name: Any = None
    """By default the name of the structure."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        if not isinstance(self.structure, LinearStructure):
            raise refusal("structure", "ReducedStructure", "must be a structure", self.structure)
        if self.name is None:
            put(self, "name", self.structure.name)
        self._take_name()
        given = number(
            self.cutoff, "Hz", name="cutoff", owner=self.owner, within=POSITIVE, way_out="It is a frequency in Hz."
        )
        put(self, "cutoff", given)
        if isinstance(self.places, (str, Mapping)) or not isinstance(self.places, Sequence):
            raise refusal(
                "places", self.owner, "must be a list of places", self.places, 'Write [3, "roof", ("corner", "y")].'
            )
        put(self, "places", tuple(self.places))
        put(self, "shapes", self._take_shapes())
        _ = self.forced_rows  # refuses what is no place
        self.modes()  # refuses what cannot be

    # what it has of the structure that it stands for: this, and all that OWN does not name -------------

    @property
    def dof_names(self) -> tuple[str, ...]:
        """Names of the degrees of freedom, all of them."""
        return self.structure.dof_names

    @property
    def mass_matrix(self) -> Array:
        """M [kg] of all degrees of freedom."""
        return self.structure.mass_matrix

    @property
    def stiffness_matrix(self) -> Array:
        """K [N/m] of all degrees of freedom."""
        return self.structure.stiffness_matrix

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some parameters changed: its own, or those of the structure that it stands for."""
        own = {name: changes.pop(name) for name in ("structure", "places", "cutoff", "shapes") if name in changes}
        stood_for = own.pop("structure", self.structure)
        stood_for = stood_for.replace(**changes) if changes else stood_for
        name = changes.get("name", self.name if stood_for is self.structure else stood_for.name)
        kept = {"places": self.places, "cutoff": self.cutoff, "shapes": self.shapes, "name": name}
        return type(self)(stood_for, **(kept | own))

    def __getattr__(self, name: str) -> Any:
        """Return what the structure has beside: members, storeys, member forces."""
        if name.startswith("_") or name == "structure":
            raise AttributeError(name)
        return getattr(self.structure, name)

    # what is its own -----------------------------------------------------------------------------------

    @property
    def large(self) -> bool:
        """No: what it keeps is at hand."""
        return False

    @property
    def kept_modes(self) -> int:
        """How many modes of the structure are kept."""
        return self._basis.kept

    @property
    def vectors(self) -> int:
        """How many vectors stand beside them."""
        return self._basis.omega.size - self._basis.kept

    @cached_property
    def forced_rows(self) -> Array:
        """The rows on which forces act, shape (…, dofs): those of its places, dashpots and springs."""
        of = self.structure
        rows = [row for place in self.places for row in _rows_at(of, place)]
        rows += [row for row, _ in of.dashpots] + [row for ties, _ in of.joints for row in ties]
        return frozen(np.array(rows).reshape(-1, len(of.dof_names)))

    def _damping(self) -> Damping | Viscous:
        return self.structure._damping()

    @cached_property
    def _analysis(self) -> tuple[Array, Array, Array]:
        omega, shapes, rates, _ = self._basis
        given = self._damping()
        if isinstance(given, Viscous):
            return omega, shapes, self._reduced(shapes.T @ given.matrix @ shapes)
        return omega, shapes, np.diag(2.0 * rates)

    @cached_property
    def _basis(self) -> _Basis:
        cutoff = 2.0 * math.pi * self.cutoff
        return self._of_lowest_modes(cutoff) if self.structure.large else self._of_all_modes(cutoff)

    def _of_all_modes(self, cutoff: float) -> _Basis:
        """Return the basis where all modes are at hand: vectors are sums of those above the cut-off."""
        of = self.structure
        omega, shapes, sigma = of.modes()
        n, kept = omega.size, int(np.count_nonzero(omega <= cutoff))
        if n and not kept:
            raise self._too_low(float(omega[0]))
        if n > ALL_UP_TO and kept < n:
            forces = np.vstack([self.forced_rows, of.load]) @ shapes
            with np.errstate(divide="ignore"):
                soft = np.where(omega > 0.0, 1.0 / omega**2, 0.0)  # a rigid mode has no answer at rest, and is kept
            answers = np.vstack([forces * soft, forces[:-1], self._whole_shapes @ of.mass_matrix @ shapes])
            vectors = _orthonormal(answers[:, kept:].T, np.linalg.norm(answers, axis=1))
            if kept + vectors.shape[1] < n:
                squares, turn = linalg.eigh(symmetric(vectors.T @ (omega[kept:, None] ** 2 * vectors)))
                found = shapes[:, kept:] @ (vectors @ turn)
                return self._joined(omega[:kept], shapes[:, :kept], sigma[:kept], squares, found, omega)
        return _Basis(omega, shapes, sigma, n)

    def _of_lowest_modes(self, cutoff: float) -> _Basis:
        """Return the basis of a structure so large that only its lowest modes are sought."""
        of, given = self.structure, self._damping()
        mass, stiffness = of.mass_matrix, of.stiffness_matrix
        lowest = of.large_matrices.up_to(cutoff)
        omega, shapes = lowest.omega, upright(lowest.shapes)
        if not omega.size:
            raise self._too_low(of.large_matrices.first)
        forces, whole = np.vstack([self.forced_rows, of.load]).T, self._whole_shapes.T
        momenta = mass @ shapes
        with np.errstate(divide="ignore"):
            soft = np.where(omega > 0.0, 1.0 / omega**2, 0.0)
        below = [soft[:, None] * (shapes.T @ forces), shapes.T @ forces[:, :-1], momenta.T @ whole]
        above = np.hstack([lowest.static(forces), lowest.inertial(forces[:, :-1]), whole - shapes @ below[2]])
        lengths = np.hypot(np.linalg.norm(np.hstack(below), axis=0), _lengths(above, mass))
        vectors = _orthonormal(above, lengths, mass)
        vectors = vectors - shapes @ (momenta.T @ vectors)
        squares, turn = linalg.eigh(symmetric(vectors.T @ (stiffness @ vectors)))
        sigma = np.zeros(omega.size) if isinstance(given, Viscous) else given.lowest_rates(omega, self.owner)
        return self._joined(omega, shapes, sigma, squares, vectors @ turn, omega)

    def _too_low(self, first: float) -> InputError:
        return refusal(
            "cutoff", self.owner, f"must not lie below the first mode, {first / (2.0 * math.pi):.6g} Hz", self.cutoff,
            "Modes up to the cut-off are kept.",
        )  # fmt: skip

    def _joined(
        self, omega: Array, shapes: Array, sigma: Array, squares: Array, vectors: Array, modes: Array
    ) -> _Basis:
        """Return modes and vectors together, lowest first; `modes` are the frequencies by which damping is told."""
        quick, given = np.sqrt(np.maximum(squares, 0.0)), self._damping()
        rates = np.zeros(quick.size) if isinstance(given, Viscous) else given.rates_beside(quick, modes, self.owner)
        order = np.argsort(np.concatenate([omega, quick]), kind="stable")
        return _Basis(
            np.concatenate([omega, quick])[order], np.hstack([shapes, upright(vectors)])[:, order],
            np.concatenate([sigma, rates])[order], omega.size,
        )  # fmt: skip

    @property
    def _whole_shapes(self) -> Array:
        """Displacements that are kept exactly: the ground's, and those asked for; shape (…, dofs)."""
        return np.vstack([self.influence.T, self.shapes])

    def _take_shapes(self) -> Array:
        n = len(self.dof_names)
        if self.shapes is None:
            return frozen(np.zeros((0, n)))
        if isinstance(self.shapes, np.ndarray) and self.shapes.shape == (0, n):  # of a structure that is copied
            return frozen(self.shapes)
        given = array(self.shapes, "", name="shapes", owner=self.owner)
        given = np.atleast_2d(given)
        if given.ndim != 2 or given.shape[1] != n:
            raise refusal("shapes", self.owner, f"must have one number for each of {n} degrees of freedom", given.shape)
        return frozen(given)

    def __repr__(self) -> str:
        label = f" '{self.name}'" if self.name else ""
        told = f"{self.kept_modes} of {len(self.dof_names)} modes, {self.vectors} vectors"
        return f"<ReducedStructure{label}: {told}>"


def _handed_on(name: str) -> property:
    return property(lambda self: getattr(self.structure, name), doc=f"`{name}` of the structure that it stands for.")


for _name in (*vars(LinearStructure), *vars(Storeys)):
    if not _name.startswith("_") and _name not in OWN and _name not in vars(ReducedStructure):
        setattr(ReducedStructure, _name, _handed_on(_name))


def _rows_at(of: LinearStructure, place: Any) -> list[Array]:
    """Return the rows of a place where forces act: of a point without a direction one for each way it moves."""
    n = len(of.dof_names)
    if isinstance(place, np.ndarray):
        if place.shape != (n,):
            raise refusal("places", of.owner, f"must have one weight for each of {n} degrees of freedom", place.shape)
        return [array(place, "", name="places", owner=of.owner)]
    if isinstance(place, At):
        return [of.read(*place).row]
    if isinstance(place, tuple) and len(place) == 2 and (isinstance(place[1], str) or _has_direction(of, place)):
        return [of.read(*place).row]
    if not isinstance(place, Mapping) and (point := of.location(place)) is not None:
        return [row for row in point.rows if row.any()]
    return [of.read(place).row]


def _has_direction(of: LinearStructure, place: tuple[Any, Any]) -> bool:
    """Return whether a pair is a place and a direction, and not a place such as ``("roof", (6, 2.5))``."""
    vector = isinstance(place[1], (tuple, list, np.ndarray))
    return vector and not isinstance(place[0], Mapping) and of.location(place[0]) is not None


def _orthonormal(vectors: Array, lengths: Array, mass: Array | None = None) -> Array:
    """Return a basis of the columns of `vectors`, orthonormal (in M, where it is given), by Gram and Schmidt.

    The largest of what is left comes first. What is below DEPENDENT of a vector's whole length, kept modes included, is
    rounding.
    """
    size = np.linalg.norm(vectors, axis=0) if mass is None else _lengths(vectors, mass)
    left = size > DEPENDENT * lengths
    rest = vectors[:, left] / size[left]
    found = np.zeros((vectors.shape[0], 0))
    heavy = found  # M times what is found
    while rest.shape[1]:
        size = np.linalg.norm(rest, axis=0) if mass is None else _lengths(rest, mass)
        largest = int(size.argmax())
        if size[largest] <= DEPENDENT:
            break
        new = rest[:, largest] / size[largest]
        for _ in range(2):  # once more for the digits that the first pass loses
            new = new - found @ (heavy.T @ new)
            weighed = new if mass is None else mass @ new
            length = math.sqrt(float(new @ weighed))
            new, weighed = new / length, weighed / length
        found, heavy = np.column_stack([found, new]), np.column_stack([heavy, weighed])
        rest = np.delete(rest, largest, axis=1)
        rest = rest - np.outer(new, weighed @ rest)
    return found


def _lengths(shapes: Array, mass: Array) -> Array:
    """Return the lengths of displacements in M."""
    found: Array = np.sqrt(np.maximum(np.einsum("ij,ij->j", shapes, mass @ shapes), 0.0))
    return found
