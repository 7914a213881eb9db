"""A rigid body in space: mass, inertia, named points, plane faces; it turns as far as it likes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from carom.errors import UnknownNameError, refusal
from carom.structures.damping import Viscous
from carom.structures.matrices import Array, frozen
from carom.structures.points import Location
from carom.structures.solids.outline import Sides, take_faces, take_points
from carom.structures.solids.rotations import orientation_of
from carom.structures.solids.solid import CENTRE, Solid
from carom.units import POSITIVE, array, number

__all__ = ["GRAVITY", "MovingSolid", "RigidBody", "take_gravity", "tensor_of"]

GRAVITY = 9.81
"""Downwards [m/s²], where nothing else is said."""
DOFS = ("ux", "uy", "uz", "rx", "ry", "rz")
IMPOSSIBLE = 1e-9
"""Share of the largest moment of inertia by which one may be larger than the other two together: rounding."""


class MovingSolid(Solid):
    """A rigid body of six degrees of freedom: the displacements of its centre of mass, and its rotation vector.

    To the contract of linear structures these are small. Engines know better: orientations are quaternions, and spins
    are taken about the principal axes.
    """

    mass: Any
    velocity: tuple[float, float, float]
    spin: tuple[float, float, float]
    gravity: tuple[float, float, float]
    turning: ClassVar[bool] = True
    spatial: ClassVar[bool] = True

    @property
    def tensor(self) -> Array:
        """Inertia about the centre of mass along the body's own axes [kg·m²], shape (3, 3)."""
        raise NotImplementedError

    @cached_property
    def principal(self) -> tuple[Array, Array]:
        """Principal moments of inertia [kg·m²] and the principal axes in the world at rest, as columns, right-handed.

        Axes that are principal already stay as they are.
        """
        own = self.tensor
        if np.array_equal(own, np.diag(np.diag(own))):
            return frozen(np.diag(own).copy()), self.axes
        moments, turned = np.linalg.eigh(own)
        if np.linalg.det(turned) < 0.0:
            turned[:, 2] = -turned[:, 2]
        return frozen(moments), frozen(self.axes @ turned)

    @property
    def dof_names(self) -> tuple[str, ...]:
        """Displacements of the centre of mass, and the rotation about it, along x, y and z of the world."""
        return DOFS

    @cached_property
    def influence(self) -> Array:
        """ι: the displacements ride on the ground, the rotations do not."""
        return frozen(np.vstack([np.eye(3), np.zeros((3, 3))]))

    @cached_property
    def mass_matrix(self) -> Array:
        """Mass, and the inertia as it stands at rest."""
        found = np.zeros((6, 6))
        found[:3, :3] = self.mass * np.eye(3)
        found[3:, 3:] = self.axes @ self.tensor @ self.axes.T
        return frozen(found)

    @property
    def stiffness_matrix(self) -> Array:
        """Zero: it is free."""
        return frozen(np.zeros((6, 6)))

    @cached_property
    def load(self) -> Array:
        """Its weight [N]."""
        return frozen(np.concatenate([float(self.mass) * np.array(self.gravity), np.zeros(3)]))

    def _located(self, where: object) -> Location:
        """Return a point with its rows for small rotations."""
        x, y, z = (self.axes @ self.local(where)).tolist()
        arm = np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])
        px, py, pz = self.world(where).tolist()
        return Location((px, py, pz), frozen(np.hstack([np.eye(3), arm])))

    def _take_motion(self, position: Any, orientation: Any, velocity: Any, spin: Any, gravity: Any) -> None:
        """Take where a body stands and how it moves at the start."""
        put, owner = object.__setattr__, self.owner
        for name, value, unit in (("position", position, "m"), ("velocity", velocity, "m/s"), ("spin", spin, "rad/s")):
            put(self, name, _three(value, unit, name, owner))
        put(self, "orientation", orientation_of(orientation, "orientation", owner))
        put(self, "gravity", take_gravity(gravity, owner))

    def _damping(self) -> Viscous:
        return Viscous(np.zeros((6, 6)))

    @cached_property
    def _analysis(self) -> tuple[Array, Array, Array]:
        """Modes in the order and with the signs of x, y, z and the principal axes."""
        moments, axes = self.principal
        shapes = np.zeros((6, 6))
        shapes[:3, :3] = np.eye(3) / np.sqrt(float(self.mass))
        shapes[3:, 3:] = axes / np.sqrt(moments)
        return np.zeros(6), shapes, np.zeros((6, 6))

    def replace(self, **changes: Any) -> Any:
        """Return a copy with some parameters changed."""
        names = [entry.name for entry in fields(self)]  # type: ignore[arg-type]
        for name in changes:
            if name not in (*names, "points"):
                raise UnknownNameError(f"field of {self.owner}:", name, (*names, "points"))
        return type(self)(**{name: getattr(self, name) for name in names} | changes)


@dataclass(frozen=True, eq=False, repr=False)
class RigidBody(MovingSolid):
    """A rigid body with named points and plane faces, free to move and turn in space.

    Its points are given along its own axes from its centre of mass. A point is a node that may strike faces; with a
    radius it is the centre of a sphere. Faces are plane quadrilaterals or triangles, their corners named
    counter-clockwise seen from outside. Only what is named touches: edges that cross do not meet.

    Examples
    --------
    >>> import carom
    >>> ball = carom.RigidBody(mass=2.0, inertia=(0.008, 0.008, 0.008), radii={"centre": 0.1}, position=(0, 0, 1))
    >>> ball.dof_names
    ('ux', 'uy', 'uz', 'rx', 'ry', 'rz')
    """

    mass: Any
    """[kg], > 0."""
    inertia: Any
    """About the centre of mass [kg·m²]: three principal moments along its own axes, or a symmetric matrix."""
    marks: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    """What `points` says, as it was taken."""
    faces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names to the names of three or four points, counter-clockwise seen from outside."""
    radii: Mapping[str, float] = field(default_factory=dict)
    """Points, or ``"centre"``, that are centres of spheres, with their radius [m]."""
    position: Any = (0.0, 0.0, 0.0)
    """Where its centre of mass stands at the start [m]."""
    orientation: Any = None
    """A rotation vector [rad], or a quaternion (w, x, y, z); None: its own axes are those of the world."""
    velocity: Any = (0.0, 0.0, 0.0)
    """Of its centre of mass at the start, relative to the ground [m/s]."""
    spin: Any = (0.0, 0.0, 0.0)
    """At the start, along the axes of the world [rad/s]."""
    gravity: Any = GRAVITY
    """Downwards [m/s²], or a vector."""
    name: str = ""

    def __init__(
        self,
        *,
        mass: Any,
        inertia: Any,
        points: Mapping[str, Any] | None = None,
        faces: Mapping[str, Any] | None = None,
        radii: Mapping[str, Any] | None = None,
        position: Any = (0.0, 0.0, 0.0),
        orientation: Any = None,
        velocity: Any = (0.0, 0.0, 0.0),
        spin: Any = (0.0, 0.0, 0.0),
        gravity: Any = GRAVITY,
        marks: Mapping[str, Any] | None = None,
        name: str = "",
    ) -> None:
        """Take a body; `points` maps names to x, y, z along its own axes from its centre of mass [m]."""
        put = object.__setattr__
        put(self, "name", name)
        self._take_name()
        owner = self.owner
        put(self, "mass", number(mass, "kg", name="mass", owner=owner, within=POSITIVE))
        put(self, "inertia", tuple(map(tuple, tensor_of(inertia, owner).tolist())))
        given = {} if points is None and marks is None else points or marks
        put(self, "marks", take_points(given, owner, (CENTRE, *DOFS)))
        put(self, "faces", take_faces({} if faces is None else faces, self.marks, owner))
        put(self, "radii", _take_radii({} if radii is None else radii, (CENTRE, *self.marks), owner))
        self._take_motion(position, orientation, velocity, spin, gravity)

    @property
    def tensor(self) -> Array:
        """Inertia about the centre of mass along the body's own axes [kg·m²], shape (3, 3)."""
        return np.array(self.inertia)

    @property
    def sides(self) -> Sides:
        """All faces by name."""
        return self.faces

    @property
    def sphere_radius(self) -> Mapping[str, float]:
        """Radii of points that are round [m]."""
        return self.radii

    def __repr__(self) -> str:
        label = f" '{self.name}'" if self.name else ""
        return f"<RigidBody{label}: {self.mass:g} kg, {len(self.marks)} points, {len(self.sides)} faces>"


def tensor_of(given: Any, owner: str) -> Array:
    """Return an inertia as a matrix; refuse one that no body can have."""
    taken = array(given, "kg*m^2", name="inertia", owner=owner)
    if taken.shape == (3,):
        tensor = np.diag(taken)
    elif taken.shape == (3, 3):
        tensor = taken
    else:
        raise refusal("inertia", owner, "must be three principal moments or a 3 × 3 matrix", given)
    if np.abs(tensor - tensor.T).max() > IMPOSSIBLE * np.abs(tensor).max():
        raise refusal("inertia", owner, "must be symmetric", given, "Products of inertia stand twice: Ixy = Iyx.")
    tensor = 0.5 * (tensor + tensor.T)
    moments = np.linalg.eigvalsh(tensor)
    if moments[0] <= 0.0:
        raise refusal(
            "inertia", owner, "must be positive about every axis", moments.tolist(),
            "A body that is a point or a line needs a little: that of its thickness.",
        )  # fmt: skip
    if moments[2] > (moments[0] + moments[1]) * (1.0 + IMPOSSIBLE):
        raise refusal(
            "inertia", owner, "must have no principal moment above the other two together", moments.tolist(),
            "No mass has such a shape: ∫(y² + z²)dm ≤ ∫(x² + z²)dm + ∫(x² + y²)dm. Check axes and units.",
        )  # fmt: skip
    return tensor


def take_gravity(given: Any, owner: str) -> tuple[float, float, float]:
    """Return a gravity as a vector [m/s²] from its size downwards, or from a vector."""
    taken = array(given, "m/s^2", name="gravity", owner=owner)
    if taken.ndim == 0:
        return 0.0, 0.0, 0.0 if float(taken) == 0.0 else -float(taken)
    return _three(given, "m/s^2", "gravity", owner)


def _three(given: Any, unit: str, name: str, owner: str) -> tuple[float, float, float]:
    taken = array(given, unit, name=name, owner=owner)
    if taken.shape != (3,):
        raise refusal(name, owner, "must be three numbers along x, y and z", given)
    x, y, z = taken.tolist()
    return x, y, z


def _take_radii(given: Any, known: tuple[str, ...], owner: str) -> Mapping[str, float]:
    if not isinstance(given, Mapping):
        raise refusal("radii", owner, "must map points to radii", given, 'Write {"centre": "10 cm"}.')
    found = {}
    for name, radius in given.items():
        if name not in known:
            raise UnknownNameError(f"point in `radii` of {owner}:", name, known)
        found[name] = number(radius, "m", name=f"radii, {name}", owner=owner, within=POSITIVE)
    return MappingProxyType(found)
